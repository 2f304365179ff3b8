//! Words that follow each other in a question and in a memory: looked at for the best memories alone.

use std::collections::{HashMap, HashSet};

use memory_core::rank::rarity;
use memory_core::text::Asked;

use super::gather::Sought;
use super::view::View;
use crate::error::Result;
use crate::index::Field;

/// Memories that are looked at.
pub(super) const BEST: usize = 100;
/// Pairs of words that are looked for, the rarest.
const MOST_PAIRS: usize = 12;
/// Places of words that may be walked for that; common words tell little and stand in many.
const MOST_PLACES: usize = 100_000;
/// Words that may stand between two besides those of the question.
const BETWEEN: u32 = 1;

/// Two words that follow each other in a question.
struct Pair<'a> {
    first: &'a Sought,
    then: &'a Sought,
    /// How far the second is from the first in a memory, at most.
    apart: u32,
    worth: f32,
}

/// Where the words of a question stand in the rows that are looked at, each in the order of the text.
type Places = HashMap<(u32, u32), Vec<u32>>;

/// What the pairs of words that stand in a row as in the question are worth, for those of the rows that hold any.
pub(super) fn in_order(view: &View, sought: &[Sought], rows: &[u32]) -> Result<HashMap<u32, f32>> {
    let pairs = pairs(sought, view.facts.live);
    if pairs.is_empty() || rows.is_empty() {
        return Ok(HashMap::new());
    }
    let mut wanted = vec![false; view.rows()];
    rows.iter().for_each(|&row| wanted[row as usize] = true);
    let mut places = Places::new();
    let mut looked_for = HashSet::new();
    let mut walked = 0;
    for word in pairs.iter().flat_map(|pair| [pair.first, pair.then]) {
        let position = word.term.position;
        if walked + word.rows > MOST_PLACES || !looked_for.insert(position) {
            continue;
        }
        walked += word.rows;
        for (index, start) in view.indexes() {
            for stem in &word.term.stems {
                let is_wanted = |row: u32| wanted.get((start + row) as usize).copied().unwrap_or(false);
                index.positions(Field::Body, stem, &is_wanted, &mut |row, at| {
                    places.entry((position, start + row)).or_default().extend(at);
                })?;
            }
        }
    }
    // Several stems of a word have their places one after the other.
    places.values_mut().for_each(|at| at.sort_unstable());
    let mut worth = HashMap::new();
    for &row in rows {
        let sum: f32 = pairs.iter().filter(|pair| stands(pair, row, &places)).map(|pair| pair.worth).sum();
        if sum > 0.0 {
            worth.insert(row, sum);
        }
    }
    Ok(worth)
}

fn pairs(sought: &[Sought], live: usize) -> Vec<Pair<'_>> {
    let mut words: Vec<&Sought> =
        sought.iter().filter(|word| word.term.asked != Asked::Whole && !word.term.stems.is_empty()).collect();
    words.sort_by_key(|word| word.term.position);
    let pair = |two: &[&'_ Sought]| {
        let (first, then) = (two[0].term.position, two[1].term.position);
        (then > first).then_some(then - first + BETWEEN)
    };
    let mut pairs: Vec<Pair<'_>> = words
        .windows(2)
        .filter(|two| two.iter().all(|word| word.rows > 0))
        .filter_map(|two| {
            let worth = rarity(live, two[0].rows).min(rarity(live, two[1].rows));
            Some(Pair { first: two[0], then: two[1], apart: pair(two)?, worth })
        })
        .collect();
    pairs.sort_by(|a, b| b.worth.total_cmp(&a.worth).then(a.first.term.position.cmp(&b.first.term.position)));
    pairs.truncate(MOST_PAIRS);
    pairs
}

fn stands(pair: &Pair<'_>, row: u32, places: &Places) -> bool {
    let at = |word: &Sought| places.get(&(word.term.position, row));
    let (Some(first), Some(then)) = (at(pair.first), at(pair.then)) else { return false };
    first.iter().any(|&first| {
        let next = then.partition_point(|&then| then <= first);
        then.get(next).is_some_and(|&then| then - first <= pair.apart)
    })
}
