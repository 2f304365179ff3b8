//! The rows in which something stands as it is written: phrases, words that are left out, tags.

use std::collections::{HashMap, HashSet};

use memory_core::text::{Asked, EXACT_MARK, Phrase, folded, phrase_terms, query_terms};

use super::view::View;
use crate::error::Result;
use crate::index::Field;

/// The rows in which words follow each other, in the text or in the heading, and that hold its identifiers and dates.
/// What a text writes with humps (`GitHub Actions`) stands there as its parts, and is meant by the word without them.
pub(super) fn with_phrase(view: &View, phrase: &str) -> Result<HashSet<u32>> {
    let mut rows = with_words(view, phrase, &|_| true)?;
    let words: Vec<&str> = phrase.split_whitespace().collect();
    if !(2..=LONGEST_PHRASE).contains(&words.len()) {
        return Ok(rows);
    }
    for (n, word) in words.iter().enumerate() {
        if word.len() < 4 || !word.bytes().all(|byte| byte.is_ascii_alphabetic()) {
            continue;
        }
        let holding = rows_with(view, Field::Word, &format!("{EXACT_MARK}{}", word.to_ascii_lowercase()))?;
        let may: HashSet<u32> = holding.difference(&rows).copied().collect();
        for at in 2..word.len() - 1 {
            if may.is_empty() {
                break;
            }
            let (first, second) = word.split_at(at);
            let mut parts = words.clone();
            parts.splice(n..=n, [first, second]);
            rows.extend(with_words(view, &parts.join(" "), &|row| may.contains(&row))?);
        }
    }
    Ok(rows)
}

/// Phrases of more words are looked for as they are written.
const LONGEST_PHRASE: usize = 6;

fn with_words(view: &View, phrase: &str, may: &dyn Fn(u32) -> bool) -> Result<HashSet<u32>> {
    let Phrase { words, wholes } = phrase_terms(phrase);
    let mut rows: Option<HashSet<u32>> = None;
    for whole in &wholes {
        let here = rows_with(view, Field::Word, whole)?;
        rows = Some(rows.map_or_else(|| here.clone(), |rows| &rows & &here));
    }
    let Some((first, _)) = words.first() else { return Ok(rows.unwrap_or_default()) };
    let mut following = HashSet::new();
    for field in [Field::Body, Field::Title] {
        let mut ends: HashMap<u32, HashSet<u32>> = HashMap::new();
        for (n, (position, stems)) in words.iter().enumerate() {
            let mut here: HashMap<u32, HashSet<u32>> = HashMap::new();
            for (index, start) in view.indexes() {
                for stem in stems {
                    index.positions(field, stem, &|row| may(start + row), &mut |row, places| {
                        let row = start + row;
                        let fitting = places.iter().filter_map(|&place| {
                            let begin = place.checked_sub(position - first)?;
                            let follows =
                                n == 0 || ends.get(&row).is_some_and(|begins| begins.contains(&begin));
                            follows.then_some(begin)
                        });
                        let mut fitting = fitting.peekable();
                        if fitting.peek().is_some() {
                            here.entry(row).or_default().extend(fitting);
                        }
                    })?;
                }
            }
            ends = here;
            if ends.is_empty() {
                break;
            }
        }
        following.extend(ends.into_keys());
    }
    Ok(rows.map_or_else(|| following.clone(), |rows| &rows & &following))
}

/// The rows that hold a word: of an identifier all of it, of a script without gaps all of its signs as they follow each
/// other, of `don't` not what holds `don` alone.
pub(super) fn with_word(view: &View, word: &str) -> Result<HashSet<u32>> {
    let terms = query_terms(word);
    let is_whole = terms.iter().any(|term| term.asked == Asked::Whole);
    if is_whole {
        let mut rows = HashSet::new();
        for term in terms.iter().filter(|term| term.asked == Asked::Whole) {
            rows.extend(rows_with(view, Field::Word, &term.exact)?);
        }
        return Ok(rows);
    }
    let first = terms.first().map(|term| term.position);
    if terms.iter().any(|term| Some(term.position) != first) {
        return with_phrase(view, word);
    }
    let longest = terms.iter().max_by_key(|term| term.exact.len());
    longest.map_or_else(|| Ok(HashSet::new()), |term| rows_with(view, Field::Word, &term.exact))
}

/// The rows that have a tag.
pub(super) fn with_tag(view: &View, tag: &str) -> Result<HashSet<u32>> {
    rows_with(view, Field::Tag, &folded(tag))
}

fn rows_with(view: &View, field: Field, term: &str) -> Result<HashSet<u32>> {
    let mut rows = HashSet::new();
    for (index, start) in view.indexes() {
        index.postings(field, term, &mut |row, _| {
            rows.insert(start + row);
        })?;
    }
    Ok(rows)
}
