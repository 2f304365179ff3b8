//! Memories that name the thing where a question names its sort, or that write a word otherwise.

use std::collections::HashSet;

use memory_core::text::{Are, EXACT_MARK, Things, phrase_terms, same_things_in, things_in};

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
    match words {
        _ if question.len() > LONGEST_ASKED => Vec::new(),
        0..=QUESTION => things_in(question),
        _ => same_things_in(question),
    }
}

/// The terms by which a thing is seen in a text: its words, but for the small parts of a name such as `eu-west-1`.
pub(super) fn terms_of(thing: &str) -> impl Iterator<Item = String> {
    let parts = thing.split(|sign: char| !sign.is_alphanumeric());
    let is_only = !thing.contains(|sign: char| !sign.is_alphanumeric());
    parts.filter(move |part| is_only || part.len() > 2).map(|part| format!("{EXACT_MARK}{part}"))
}

/// The memories in which the things stand that a word stands for.
#[derive(Default)]
pub(super) struct Standing {
    /// A row as often as one of them stands there.
    pub(super) rows: Vec<u32>,
    /// Those that stand in a memory that may answer.
    pub(super) found: Vec<&'static str>,
    /// The terms by which these are seen in a text.
    pub(super) seen_as: Vec<String>,
}

/// Looks for things.
pub(super) fn standing<'a>(
    view: &View,
    gate: &Gate<'_>,
    all: impl Iterator<Item = &'a Things>,
) -> Result<Standing> {
    let mut standing = Standing::default();
    // A thing may be of several sorts of one name.
    let mut seen: HashSet<&str> = HashSet::new();
    for things in all {
        for thing in things.things.iter().filter(|thing| seen.insert(thing)) {
            let before = standing.rows.len();
            let mut seen_as: Vec<String> = terms_of(thing).collect();
            if thing.contains(|sign: char| !sign.is_alphanumeric()) {
                if may_hold(view, thing)? {
                    standing.rows.extend(with_phrase(view, thing)?);
                    standing.rows[before..].sort_unstable();
                }
            } else {
                if things.are == Are::Told {
                    seen_as.push(format!("{EXACT_MARK}{thing}s"));
                }
                for term in &seen_as {
                    for (index, start) in view.indexes() {
                        index.postings(Field::Word, term, &mut |row, _| standing.rows.push(start + row))?;
                    }
                }
            }
            if standing.rows[before..].iter().any(|&row| gate.lets_in(row)) {
                standing.found.push(*thing);
                standing.seen_as.extend(seen_as);
            }
        }
    }
    Ok(standing)
}

/// Whether each word of a name stands in some memory, be it in another. Of many names of several words hardly any does, and
/// to follow the words of a name through all memories is dear.
fn may_hold(view: &View, name: &str) -> Result<bool> {
    for (_, stems) in phrase_terms(name).words {
        let mut stands = false;
        for (index, _) in view.indexes() {
            for stem in &stems {
                stands = stands || index.knows(Field::Body, stem)? || index.knows(Field::Title, stem)?;
            }
        }
        if !stands {
            return Ok(false);
        }
    }
    Ok(true)
}
