//! A question that is the id of a memory: that memory answers it, whatever its text says.

use memory_core::id::MemoryId;
use memory_core::rank::Ranked;

use super::Hit;
use super::pick::Gate;
use super::view::View;

/// A shorter number is asked for as a number.
const DIGITS: usize = 10;

/// The row of the memory whose id is asked for, where the asker may see it.
pub(super) fn row(view: &View, gate: &Gate<'_>, asked: &str) -> Option<u32> {
    let id = MemoryId::parse(asked).ok().filter(is_of_ours)?;
    let is_it = |row: u32| view.place(row).is_some_and(|(shelf, at)| shelf.id(at) == id.as_str());
    (0..view.rows() as u32).find(|&row| is_it(row) && gate.lets_in(row))
}

/// Puts this row before all others, with no lower score than theirs.
pub(super) fn put_first(ranked: &mut Vec<Ranked>, row: Option<u32>) {
    let Some(row) = row else { return };
    let best = ranked.first().map_or(0.0, |ranked| ranked.score);
    ranked.retain(|ranked| ranked.row != row);
    let mut first = Ranked::unscored(row);
    first.score = best;
    ranked.insert(0, first);
}

/// Says of the memory that was asked for by its id that it was.
pub(super) fn explain(hits: &mut [Hit], asked: &str) {
    if let Some(hit) = hits.first_mut().filter(|hit| hit.entry.memory.id.as_str() == asked) {
        hit.matched = vec![(asked.to_owned(), vec!["id"])];
    }
}

fn is_of_ours(id: &MemoryId) -> bool {
    id.is_untracked() || id.millis().is_some() && id.as_str().len() >= DIGITS
}
