//! Memories that name the thing where a question names its sort, or that write a word otherwise.

use memory_core::rank::{Tally, Weights};
use memory_core::text::{EXACT_MARK, Things, things_in};

use super::phrase::with_phrase;
use super::pick::Gate;
use super::view::View;
use crate::error::Result;
use crate::index::Field;

/// In questions of up to so many words, the name of a sort of thing asks for things of that sort.
const QUESTION: usize = 12;
/// Bytes of the longest text whose words are looked up as names of things: each is compared with hundreds.
const LONGEST_ASKED: usize = 2000;

/// What the words of a question of so many stand for. In a long prompt such words are told more often than asked for, and
/// each is many to look up.
pub(super) fn of(question: &str, words: usize) -> Vec<Things> {
    let mut all = if question.len() > LONGEST_ASKED { Vec::new() } else { things_in(question) };
    all.retain(|things| things.same || words <= QUESTION);
    all
}

/// The terms by which a thing is seen in a text: its words, but for the small parts of a name such as `eu-west-1`.
pub(super) fn terms_of(thing: &str) -> impl Iterator<Item = String> {
    let parts = thing.split(|sign: char| !sign.is_alphanumeric());
    let is_only = !thing.contains(|sign: char| !sign.is_alphanumeric());
    parts.filter(move |part| is_only || part.len() > 2).map(|part| format!("{EXACT_MARK}{part}"))
}

/// Counts the things that a word stands for; gives those that may answer.
pub(super) fn count(
    view: &View,
    gate: &Gate<'_>,
    all: &[&Things],
    tally: &mut Tally<'_>,
    weights: &Weights,
) -> Result<Vec<&'static str>> {
    let mut found = Vec::new();
    for things in all {
        let share = if things.same { weights.same_thing } else { weights.kind_of_thing };
        for thing in &things.things {
            let mut rows: Vec<u32> = Vec::new();
            if thing.contains(|sign: char| !sign.is_alphanumeric()) {
                rows.extend(with_phrase(view, thing)?);
                rows.sort_unstable();
            } else {
                let exact = format!("{EXACT_MARK}{thing}");
                for (index, start) in view.indexes() {
                    index.postings(Field::Word, &exact, &mut |row, _| rows.push(start + row))?;
                }
            }
            if rows.iter().any(|&row| gate.lets_in(row)) {
                found.push(*thing);
            }
            rows.into_iter().for_each(|row| tally.body(row, share));
        }
    }
    Ok(found)
}
