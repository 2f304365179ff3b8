//! A question of a few words: each of them is meant, so whoever holds them stands before whoever means the same.

use memory_core::rank::{Prior, Ranked, Tally};
use memory_core::text::{Asked, QueryTerm};

use super::gather::Sought;
use crate::model::Table;

/// In a question of so few words each of them is meant.
pub(super) const FEW_WORDS: usize = 3;
/// Whoever types so many words or more, small ones among them, says a sentence, and what it means counts as ever.
const SENTENCE: usize = 5;
/// So many of those that hold all of the words stand before all others; behind them there is room for what means the same.
pub(super) const TOGETHER: usize = 10;
/// A name that so few memories hold tells which one is meant.
pub(super) const HARDLY_ANY: usize = 2;

/// Whether a term may tell which memory is meant, if hardly any holds it: it is an identifier or a word that is in no
/// dictionary. An ordinary word may be rare among these memories by chance.
pub(super) fn is_name(term: &QueryTerm) -> bool {
    term.asked == Asked::Whole || !Table::built_in().knows(term.word())
}

/// The few words of a question.
pub(super) struct Few {
    /// How many there are; the parts of an identifier are no words of their own.
    words: usize,
    /// Whether a memory that holds all of them is meant: there are several, or it is an identifier.
    together: bool,
    /// The memories of the names that hardly any holds.
    rare: Vec<u32>,
    /// Whether nothing but these words was typed.
    alone: bool,
}

impl Few {
    /// `None` for a question of more words; `said` counts the small ones too.
    pub(super) fn of(sought: &[Sought], said: usize) -> Option<Self> {
        let is_meant = |word: &&Sought| word.term.asked != Asked::Part && !word.is_cue;
        let words: Vec<&Sought> = sought.iter().filter(is_meant).collect();
        let together = words.len() > 1 || words.iter().any(|word| word.term.asked == Asked::Whole);
        let rare = words.iter().flat_map(|word| word.held_by.iter().copied()).collect();
        let alone = said < SENTENCE;
        (words.len() <= FEW_WORDS).then_some(Self { words: words.len(), together, rare, alone })
    }

    /// Whether a row is meant for the words that it holds.
    pub(super) fn is_meant(&self, row: u32, tally: &Tally<'_>) -> bool {
        self.together && (tally.held(row) == self.words || self.rare.contains(&row))
    }

    /// Those that are meant stand first; and the one that holds any of the words best stands before all that hold none.
    /// Whoever has to step back has no higher score than the one before. In a sentence nobody has to.
    pub(super) fn put_first(&self, ranked: &mut [Ranked], tally: &Tally<'_>) {
        if !self.alone {
            return;
        }
        let score = |ranked: &Ranked| tally.rows[ranked.row as usize];
        let mut before = 0;
        let all = |ranked: &Ranked| self.together && tally.held(ranked.row) == self.words;
        let mut scores: Vec<f32> = ranked.iter().filter(|ranked| all(ranked)).map(score).collect();
        scores.sort_unstable_by(|a, b| b.total_cmp(a));
        if let Some(&least) = scores.get(..TOGETHER).unwrap_or(&scores).last() {
            before = to_the_front(ranked, |ranked| all(ranked) && score(ranked) >= least);
        }
        let rest = ranked.get_mut(before..).unwrap_or_default();
        before +=
            to_the_front(rest, |ranked| self.is_meant(ranked.row, tally) && self.rare.contains(&ranked.row));
        let rest = ranked.get_mut(before..).unwrap_or_default();
        let most = rest.iter().map(score).fold(0.0, f32::max);
        if most > 0.0
            && let Some(best) = rest.iter().position(|ranked| score(ranked) == most)
        {
            to_the_front(&mut rest[..=best], |ranked| score(ranked) > 0.0);
        }
        let mut lowest = f32::INFINITY;
        for ranked in ranked {
            lowest = lowest.min(ranked.score);
            ranked.parts.0[Prior::FewWords as usize] = lowest - ranked.score;
            ranked.score = lowest;
        }
    }
}

/// Moves some to the front and leaves the order of these and of the others; gives how many.
fn to_the_front(ranked: &mut [Ranked], some: impl Fn(&Ranked) -> bool) -> usize {
    // Most of the others stand behind all of these already.
    let first = ranked.iter().position(|ranked| !some(ranked)).unwrap_or(ranked.len());
    let end = ranked.iter().rposition(&some).map_or(0, |last| last + 1);
    if let Some(mixed) = ranked.get_mut(first..end) {
        mixed.sort_by_key(|ranked| !some(ranked));
    }
    ranked.iter().take_while(|ranked| some(ranked)).count()
}
