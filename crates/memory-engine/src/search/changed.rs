//! Of two hits about one thing, the newer that tells of a change stands before the older.

use memory_core::kind::Kind;
use memory_core::rank::{Prior, Told};

use super::Hit;
use crate::model::Table;

/// So many of the first hits are looked at.
const FIRST: usize = 5;
/// Two texts that are at least so near speak of one thing: what was kept as a fact, a decision or the like, and notes, which
/// often tell what was done.
const ONE_THING: f32 = 0.55;
const ONE_THING_OF_NOTES: f32 = 0.7;

/// Puts those of the first hits that changed what another says before it. Each has the score of its new place, and how recent it
/// is tells the difference.
pub(super) fn put_newer_first(hits: &mut [Hit], table: impl Fn() -> Table) {
    let mut made = None;
    for new in 1..hits.len().min(FIRST) {
        let mut changes = |old: usize| {
            let (newer, older) = (&hits[new], &hits[old]);
            let is_newer = with_words(newer, |newer| with_words(older, |older| newer.changes(older)));
            let is_note = [newer, older].iter().any(|hit| hit.entry.memory.kind == Kind::Note);
            let least = if is_note { ONE_THING_OF_NOTES } else { ONE_THING };
            is_newer && near(made.get_or_insert_with(&table), newer, older) >= least
        };
        if let Some(old) = (0..new).find(|&old| changes(old)) {
            let scores: Vec<f32> = hits[old..=new].iter().map(|hit| hit.score).collect();
            hits[old..=new].rotate_right(1);
            hits[old..=new].iter_mut().zip(scores).for_each(|(hit, score)| moved_to(hit, score));
        }
    }
}

fn with_words<T>(hit: &Hit, then: impl FnOnce(&Told<'_>) -> T) -> T {
    let words: Vec<&str> = hit.matched.iter().map(|(word, _)| word.as_str()).collect();
    let memory = &hit.entry.memory;
    then(&Told {
        kind: &memory.kind,
        text: memory.body.as_str(),
        created: memory.created.0,
        score: hit.score,
        words: &words,
    })
}

fn near(table: &Table, one: &Hit, other: &Hit) -> f32 {
    let vector = |hit: &Hit| table.vector(hit.entry.memory.body.as_str());
    vector(one).iter().zip(vector(other)).map(|(a, b)| a * b).sum()
}

fn moved_to(hit: &mut Hit, score: f32) {
    let more = score - hit.score;
    match hit.reasons.iter_mut().find(|(prior, _)| *prior == Prior::Recent) {
        Some((_, part)) => *part += more,
        None => hit.reasons.push((Prior::Recent, more)),
    }
    hit.reasons.sort_by(|a, b| b.1.abs().total_cmp(&a.1.abs()));
    hit.score = score;
}
