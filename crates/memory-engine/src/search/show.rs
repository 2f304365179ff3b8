//! From rows to what a person sees: the memory as it is now, the passage that answers, and the reasons.

use std::collections::{HashMap, HashSet};

use memory_core::id::MemoryId;
use memory_core::query::Query;
use memory_core::rank::{Prior, Ranked};
use memory_core::text::{Analyser, Form, SNIPPET_CHARS, language_of, snippet};

use super::gather::Sought;
use super::view::View;
use super::{Hit, Passage, Search};
use crate::error::Result;
use crate::store::{Entry, Store};

/// Bits in which two texts may differ and still say nearly the same.
const NEARLY: u32 = 3;
/// The share of words that they must have in common besides.
const IN_COMMON: f32 = 0.8;

/// The best of the ranked rows as hits.
pub(super) fn hits(
    store: &mut Store,
    view: &View,
    ranked: &[Ranked],
    sought: &[Sought],
    query: &Query,
    search: &Search,
) -> Result<Vec<Hit>> {
    let weights = weights(sought, view.facts.live);
    let mut hits: Vec<Hit> = Vec::new();
    let mut shown: Vec<(u64, HashSet<String>)> = Vec::new();
    for ranked in ranked {
        if hits.len() >= search.limit {
            break;
        }
        let Some((shelf, at)) = view.place(ranked.row) else { continue };
        let Ok(id) = MemoryId::parse(shelf.id(at)) else { continue };
        let Some(entry) = store.current(&id)? else { continue };
        // The index is a cache: what may be seen is decided by the memory as it is now.
        if !entry.memory.visible_to(&search.audience) || !query.filter.tags.fits_all(&entry.memory.tags) {
            continue;
        }
        let likeness = shelf.likeness(at);
        let same = shown.iter().position(|(other, words)| {
            (other ^ likeness).count_ones() <= NEARLY && in_common(words, &words_in(&entry)) >= IN_COMMON
        });
        if let Some(hit) = same.and_then(|n| hits.get_mut(n)) {
            hit.also.push(id);
            continue;
        }
        shown.push((likeness, words_in(&entry)));
        hits.push(hit(entry, ranked, sought, &weights));
    }
    Ok(hits)
}

fn words_in(entry: &Entry) -> HashSet<String> {
    entry.memory.body.as_str().split_whitespace().map(str::to_lowercase).collect()
}

fn in_common(a: &HashSet<String>, b: &HashSet<String>) -> f32 {
    let both = a.intersection(b).count() as f32;
    both / (a.len() + b.len()) as f32 * 2.0
}

/// How much each term of the index is worth in a passage.
fn weights(sought: &[Sought], live: usize) -> HashMap<String, f32> {
    let mut weights = HashMap::new();
    for sought in sought {
        let rarity = (1.0 + live as f32 / (sought.rows as f32 + 0.5)).ln();
        for term in sought.term.stems.iter().chain([&sought.term.exact]).chain(&sought.near) {
            weights.insert(term.clone(), rarity);
        }
    }
    weights
}

fn hit(entry: Entry, ranked: &Ranked, sought: &[Sought], weights: &HashMap<String, f32>) -> Hit {
    let body = entry.memory.body.as_str();
    let found = snippet(body, |term| weights.get(term).copied().unwrap_or(0.0), SNIPPET_CHARS);
    let text = body.get(found.range.clone()).unwrap_or_default();
    let marks = found.marks.iter().map(|mark| mark.start - found.range.start..mark.end - found.range.start);
    let line = |at: usize| body.get(..at).map_or(0, |before| before.matches('\n').count() as u64);
    let (first, last) =
        (line(found.range.start), line(found.range.end.saturating_sub(1).max(found.range.start)));
    let start = first_text_line(&entry);
    let in_file = entry.first_line > 0;
    let passage = Passage {
        text: text.to_owned(),
        marks: marks.collect(),
        first_line: if in_file { (start + first).min(entry.last_line) } else { 0 },
        last_line: if in_file { (start + last).min(entry.last_line) } else { 0 },
    };
    let mut reasons: Vec<(Prior, f32)> =
        Prior::ALL.into_iter().zip(ranked.parts.0).filter(|(_, part)| *part != 0.0).collect();
    reasons.sort_by(|a, b| b.1.abs().total_cmp(&a.1.abs()));
    let matched = matched(&entry, sought);
    Hit { entry, score: ranked.score, passage, reasons, matched, also: Vec::new() }
}

/// The line of the file in which the text of an entry begins. The text ends one mark before the entry does in a
/// vault, and with it everywhere else.
fn first_text_line(entry: &Entry) -> u64 {
    let lines = entry.memory.body.as_str().lines().count().max(1) as u64;
    let marks = u64::from(entry.agent().is_some()) * 2;
    (entry.last_line + 1).saturating_sub(lines + marks).max(entry.first_line)
}

/// Which words of the question stand in which fields of a memory.
fn matched(entry: &Entry, sought: &[Sought]) -> Vec<(String, Vec<&'static str>)> {
    let memory = &entry.memory;
    let tags: Vec<&str> = memory.tags.iter().map(|tag| tag.as_str()).collect();
    let tags = tags.join(" ");
    let fields = [
        ("title", memory.title.as_deref().unwrap_or_default()),
        ("tags", &tags),
        ("text", memory.body.as_str()),
    ];
    let language = language_of(memory.body.as_str());
    let mut analyser = Analyser::new();
    let held: Vec<(&'static str, HashSet<String>)> = fields
        .into_iter()
        .map(|(name, text)| {
            let mut terms = HashSet::new();
            analyser.each(text, language, |token| {
                if token.form != Form::Date {
                    terms.insert(token.term.to_owned());
                }
            });
            (name, terms)
        })
        .collect();
    let stands = |sought: &Sought, terms: &HashSet<String>| {
        let wanted = sought.term.stems.iter().chain([&sought.term.exact]).chain(&sought.near);
        wanted.into_iter().any(|term| terms.contains(term))
    };
    let mut all = Vec::new();
    for sought in sought {
        let fields: Vec<&'static str> =
            held.iter().filter(|(_, terms)| stands(sought, terms)).map(|(name, _)| *name).collect();
        if !fields.is_empty() {
            all.push((sought.term.word().to_owned(), fields));
        }
    }
    all
}
