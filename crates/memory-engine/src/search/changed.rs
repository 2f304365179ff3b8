//! Of two hits about one thing, the newer that tells of a change stands before the older; of two that say the same in two languages,
//! the one in the language of the question.

use memory_core::kind::Kind;
use memory_core::rank::{Prior, Told};
use memory_core::text::{Language, language_of};

use super::Hit;
use crate::model::Table;

/// So many of the first hits are looked at.
const FIRST: usize = 5;
/// Two texts that are at least so near speak of one thing: what was kept as a fact, a decision or the like, and notes, which
/// often tell what was done.
const ONE_THING: f32 = 0.55;
const ONE_THING_OF_NOTES: f32 = 0.7;
/// Two texts of two languages that are at least so near say the same.
const THE_SAME: f32 = 0.7;

/// Puts those of the first hits that changed what another says before it, because they are more recent.
pub(super) fn put_newer_first(hits: &mut [Hit], table: impl Fn() -> Table) {
    put_first(hits, table, Prior::Recent, |newer, older| {
        let is_note = [newer, older].iter().any(|told| *told.kind == Kind::Note);
        newer.changes(older).then_some(if is_note { ONE_THING_OF_NOTES } else { ONE_THING })
    });
}

/// Puts those of the first hits that say in the language of the question what another says in another before it.
pub(super) fn put_own_language_first(hits: &mut [Hit], asked: Language, table: impl Fn() -> Table) {
    let mut languages = hits.iter().take(FIRST).map(|hit| language_of(hit.entry.memory.body.as_str()));
    let first = languages.next();
    // Nearly every memory is kept in one language, where there is nothing to choose.
    if languages.all(|language| Some(language) == first) {
        return;
    }
    put_first(hits, table, Prior::Language, |own, other| own.is_rather_in(asked, other).then_some(THE_SAME));
}

/// Moves hits before those that they should precede: `least` says how near two must be for that, if at all. Each has the score of its
/// new place, and the prior tells the difference.
fn put_first(
    hits: &mut [Hit],
    table: impl Fn() -> Table,
    prior: Prior,
    least: impl Fn(&Told<'_>, &Told<'_>) -> Option<f32>,
) {
    let mut made = None;
    for later in 1..hits.len().min(FIRST) {
        let mut precedes = |first: usize| {
            let (one, other) = (&hits[later], &hits[first]);
            let least = with_words(one, |one| with_words(other, |other| least(one, other)));
            least.is_some_and(|least| near(made.get_or_insert_with(&table), one, other) >= least)
        };
        if let Some(first) = (0..later).find(|&first| precedes(first)) {
            let scores: Vec<f32> = hits[first..=later].iter().map(|hit| hit.score).collect();
            hits[first..=later].rotate_right(1);
            hits[first..=later].iter_mut().zip(scores).for_each(|(hit, score)| moved_to(hit, score, prior));
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

fn moved_to(hit: &mut Hit, score: f32, prior: Prior) {
    let more = score - hit.score;
    match hit.reasons.iter_mut().find(|(known, _)| *known == prior) {
        Some((_, part)) => *part += more,
        None => hit.reasons.push((prior, more)),
    }
    hit.reasons.sort_by(|a, b| b.1.abs().total_cmp(&a.1.abs()));
    hit.score = score;
}
