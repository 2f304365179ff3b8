//! How near each row is to a question in meaning: one walk over all vectors, of which only the nearest are kept.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::pick::{CLOSE_LOOK, Gate};
use super::view::View;
use crate::index::{dot, dots, scale};

/// How near each row is to a vector.
pub(super) struct Nearness<'a> {
    view: &'a View,
    vector: &'a [i8],
    unit: f32,
    /// The mean over all memories, and how far they are from it on average.
    pub(super) middle: f32,
    pub(super) spread: f32,
    /// The nearest rows that may answer, in no order.
    pub(super) nearest: Vec<u32>,
}

/// In a handful of memories nothing can be told from the spread.
const LEAST_SPREAD: f32 = 0.05;
/// Rows that are measured before they are looked at; what is measured of them stays in the nearest cache.
const BLOCK: usize = 2048;

/// From so many rows on two threads share the walk, which waits for memory most of the time. With fewer a thread costs a
/// short-lived process more than it saves.
const MANY: usize = 128 * BLOCK;
/// Rows that a thread takes on at once.
const STRETCH: usize = 4 * BLOCK;

impl<'a> Nearness<'a> {
    /// Measures all rows. Sums are of whole numbers, so that the order of rows does not matter to the last bit.
    pub(super) fn of(view: &'a View, vector: &'a [i8], gate: &Gate<'_>) -> Self {
        let rows = view.rows();
        let taken = AtomicUsize::new(0);
        let walk = || {
            let mut walk = Walk::default();
            loop {
                let first = taken.fetch_add(STRETCH, Ordering::Relaxed);
                if first >= rows {
                    return walk;
                }
                walk.over(view, vector, gate, first..rows.min(first + STRETCH));
            }
        };
        let walked = if rows < MANY {
            walk()
        } else {
            std::thread::scope(|scope| {
                let helper = scope.spawn(walk);
                let walked = walk();
                match helper.join() {
                    Ok(helped) => walked.and(helped),
                    // As it would be without a thread.
                    Err(panic) => std::panic::resume_unwind(panic),
                }
            })
        };
        Self::closed(view, vector, walked)
    }

    fn closed(view: &'a View, vector: &'a [i8], walked: Walk) -> Self {
        let Walk { sums, nearest, .. } = walked;
        let unit = scale(vector.len()).powi(2).max(1.0);
        let (mean, spread) = sums.mean_and_spread();
        Self {
            view,
            vector,
            unit,
            middle: mean as f32 / unit,
            spread: (spread as f32 / unit).max(LEAST_SPREAD),
            nearest: nearest.closed(view),
        }
    }

    /// The cosine of a row.
    pub(super) fn at(&self, row: u32) -> f32 {
        let Some((shelf, at)) = self.view.place(row).filter(|(shelf, _)| shelf.dims() == self.vector.len())
        else {
            return 0.0;
        };
        let whole = dot(self.vector, shelf.vector(at));
        let (_, parts) = shelf.parts_of(at..at + 1);
        let mut best = Best::default();
        parts.chunks_exact(shelf.dims().max(1)).for_each(|part| best.add(dot(self.vector, part)));
        best.with(whole) as f32 / self.unit
    }
}

/// The best of the parts of a long text.
#[derive(Default)]
struct Best {
    near: i32,
    parts: i32,
}

/// The whole of a text counts as much as so many of its parts.
const WHOLE: i32 = 2;

impl Best {
    fn add(&mut self, near: i32) {
        self.near = if self.parts == 0 { near } else { near.max(self.near) };
        self.parts += 1;
    }

    /// How near a text is: the more parts it has, the less does it say as a whole.
    fn with(&self, whole: i32) -> i32 {
        if self.parts == 0 {
            return whole;
        }
        let of_best = (self.parts - WHOLE).max(0);
        (WHOLE * whole + of_best * self.near) / (WHOLE + of_best)
    }
}

/// What was met on the way over some rows.
#[derive(Default)]
struct Walk {
    sums: Sums,
    nearest: Nearest,
    block: Vec<i32>,
    parts: Vec<i32>,
}

impl Walk {
    fn over(&mut self, view: &View, vector: &[i8], gate: &Gate<'_>, rows: Range<usize>) {
        let (block, parts) = (&mut self.block, &mut self.parts);
        let all_live = view.is_all_live();
        for (shelf, start) in view.shelves() {
            let fits = shelf.dims() == vector.len() && !vector.is_empty();
            // The rows of this shelf that are asked for, counted from its own beginning.
            let start = start as usize;
            let first = rows.start.max(start) - start;
            let end = rows.end.min(start + shelf.rows()).max(start) - start;
            for first in (first..end).step_by(BLOCK) {
                let count = BLOCK.min(end - first);
                block.clear();
                if fits {
                    let bytes = first * vector.len()..(first + count) * vector.len();
                    dots(vector, shelf.vectors().get(bytes).unwrap_or_default(), block);
                }
                block.resize(count, 0);
                let (rows, vectors) = shelf.parts_of(first..first + count);
                if fits && !vectors.is_empty() {
                    parts.clear();
                    dots(vector, vectors, parts);
                    let mut rows = rows.zip(&*parts).peekable();
                    while let Some((row, &near)) = rows.next() {
                        let mut best = Best::default();
                        best.add(near);
                        while let Some((_, &near)) = rows.next_if(|(next, _)| *next == row) {
                            best.add(near);
                        }
                        block[row - first] = best.with(block[row - first]);
                    }
                }
                let from = (start + first) as u32;
                if all_live {
                    block.iter().for_each(|&dot| self.sums.add(dot));
                } else {
                    let rows = (from..).zip(&*block).filter(|(row, _)| view.is_live(*row));
                    rows.for_each(|(_, &dot)| self.sums.add(dot));
                }
                if fits {
                    self.nearest.offer(view, from, block, gate);
                }
            }
        }
    }

    fn and(mut self, other: Self) -> Self {
        self.sums = self.sums.and(&other.sums);
        self.nearest.rows.extend(other.nearest.rows);
        self
    }
}

#[derive(Default)]
struct Sums {
    count: i64,
    sum: i64,
    squares: i64,
}

impl Sums {
    fn add(&mut self, dot: i32) {
        let dot = i64::from(dot);
        self.count += 1;
        self.sum += dot;
        self.squares += dot * dot;
    }

    fn and(self, other: &Self) -> Self {
        Self {
            count: self.count + other.count,
            sum: self.sum + other.sum,
            squares: self.squares + other.squares,
        }
    }

    fn mean_and_spread(&self) -> (f64, f64) {
        let count = self.count.max(1) as f64;
        let mean = self.sum as f64 / count;
        let variance = (self.squares as f64 / count - mean * mean).max(0.0);
        (mean, variance.sqrt())
    }
}

/// The nearest rows so far; of equal ones the youngest.
struct Nearest {
    rows: Vec<(i32, u32)>,
    /// What is farther than this is not among them.
    floor: i32,
}

impl Default for Nearest {
    fn default() -> Self {
        Self { rows: Vec::new(), floor: i32::MIN }
    }
}

impl Nearest {
    fn offer(&mut self, view: &View, from: u32, block: &[i32], gate: &Gate<'_>) {
        for (row, &dot) in (from..).zip(block) {
            if dot >= self.floor && gate.lets_in(row) {
                self.rows.push((dot, row));
                if self.rows.len() >= 4 * CLOSE_LOOK {
                    self.thin(view);
                }
            }
        }
    }

    fn thin(&mut self, view: &View) {
        if self.rows.len() > CLOSE_LOOK {
            let age = |row: u32| view.among_equals(row);
            self.rows.select_nth_unstable_by(CLOSE_LOOK - 1, |a, b| {
                b.0.cmp(&a.0).then_with(|| age(a.1).cmp(&age(b.1)))
            });
            self.floor = self.rows[CLOSE_LOOK - 1].0;
            self.rows.truncate(CLOSE_LOOK);
        }
    }

    fn closed(mut self, view: &View) -> Vec<u32> {
        self.thin(view);
        self.rows.into_iter().map(|(_, row)| row).collect()
    }
}
