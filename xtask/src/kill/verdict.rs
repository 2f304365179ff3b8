//! Whether an answer is the right one.
//!
//! A memory is *missing* when no answer knows its word, *outranked* when its word is known but another memory stands
//! first. An answer is *wrong* when it shows an old text, a forgotten memory, or what the memory without an index
//! does not show.

use super::Product;
use super::answers::{ask, difference};
use super::book::Kept;

/// What is the matter with an answer.
pub(super) enum Complaint {
    Wrong(String),
    Missing(String),
    Outranked(String),
    Error(String),
}

/// Whether a memory is the first answer to its word, with its text.
pub(super) fn found(product: &Product, kept: &Kept) -> Result<(), Complaint> {
    let answer = ask(product, &kept.word).map_err(Complaint::Error)?;
    let place = answer.hits.iter().position(|hit| hit.id == kept.id);
    let what = format!("{} `{}`", kept.id, kept.word);
    match place.map(|place| (place, &answer.hits[place])) {
        Some((_, hit)) if hit.content != kept.text => {
            Err(Complaint::Wrong(format!("{what} has the text `{}`", hit.content)))
        }
        Some((0, _)) => Ok(()),
        Some((place, _)) => Err(Complaint::Outranked(format!("{what} is answer {}", place + 1))),
        None if answer.holders > 0 => {
            Err(Complaint::Outranked(format!("{what} is no answer, but its word is known")))
        }
        None => Err(Complaint::Missing(what)),
    }
}

/// Whether no memory holds a word any more.
pub(super) fn gone(product: &Product, word: &str) -> Result<(), Complaint> {
    let answer = ask(product, &format!("\"{word}\"")).map_err(Complaint::Error)?;
    match answer.hits.first() {
        Some(hit) => {
            Err(Complaint::Wrong(format!("`{word}` is gone, but {} answers: {}", hit.id, hit.content)))
        }
        None => Ok(()),
    }
}

/// Whether a question has the same answer with the index and without it.
pub(super) fn same(with: &Product, without: &Product, question: &str) -> Result<(), Complaint> {
    let left = ask(with, question).map_err(Complaint::Error)?;
    let right = ask(without, question).map_err(Complaint::Error)?;
    if right.hits.is_empty() {
        return Err(Complaint::Missing(format!("`{question}` has no answer at all")));
    }
    match difference(&left.hits, &right.hits) {
        Some(why) => Err(Complaint::Wrong(format!("`{question}` with the index and without: {why}"))),
        None => Ok(()),
    }
}
