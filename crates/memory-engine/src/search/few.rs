//! A question of a few words: each of them is meant, so whoever holds them stands before whoever means the same.

use memory_core::rank::{Ranked, Tally};

/// In a question of so few words each of them is meant.
pub(super) const FEW_WORDS: usize = 3;
/// So many of those that hold all of the words stand before all others; behind them there is room for what means the same.
const TOGETHER: usize = 10;

/// Those that hold all of the words, of several, stand first; and the one that holds any of them best stands before all
/// that hold none. Whoever has to step back has no higher score than the one before.
pub(super) fn put_words_first(ranked: &mut [Ranked], words: usize, tally: &Tally<'_>) {
    let score = |ranked: &Ranked| tally.rows[ranked.row as usize];
    let mut before = 0;
    if words > 1 {
        let all = |ranked: &Ranked| tally.held(ranked.row) == words;
        let mut scores: Vec<f32> = ranked.iter().filter(|ranked| all(ranked)).map(score).collect();
        scores.sort_unstable_by(|a, b| b.total_cmp(a));
        if let Some(&least) = scores.get(..TOGETHER).unwrap_or(&scores).last() {
            before = to_the_front(ranked, |ranked| all(ranked) && score(ranked) >= least);
        }
    }
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
        ranked.score = lowest;
    }
}

/// Moves some to the front and leaves the order of these and of the others; gives how many.
fn to_the_front(ranked: &mut [Ranked], some: impl Fn(&Ranked) -> bool) -> usize {
    ranked.sort_by_key(|ranked| !some(ranked));
    ranked.iter().take_while(|ranked| some(ranked)).count()
}
