//! How memories stand in files: four layouts of one [`Memory`], read and changed without losing a byte.
//!
//! Reading never fails: it gives the memories with their places, and the defects. A change gives *edits*,
//! byte ranges with their new text; every byte outside them stays as it was, understood or not.

mod home;
mod journal;
mod lines;
mod page;
mod record;
mod vault;

use std::ops::Range;

use crate::id::MemoryId;
use crate::memory::Memory;

pub use home::{Home, Layout, Page, Preferred};
pub use lines::lines_before_text;
pub use record::record_id;

/// What a file holds.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reading {
    /// The memories in the order in which they stand in the file.
    pub found: Vec<Found>,
    /// What was not understood, for people to look at; the bytes themselves are untouched.
    pub defects: Vec<Defect>,
}

/// A memory and where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// The memory.
    pub memory: Memory,
    /// Its place in the file.
    pub place: Place,
}

/// A place in a file.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Place {
    /// The bytes of the whole entry, frame included.
    pub bytes: Range<usize>,
    /// The first line, counted from 1.
    pub first_line: usize,
    /// The last line, included.
    pub last_line: usize,
}

/// Something in a file that a person should look at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Defect {
    /// A stable word for the sort of defect, such as `duplicate-id`.
    pub code: &'static str,
    /// The line where it stands, counted from 1.
    pub line: usize,
    /// What is wrong, in a sentence without a full stop.
    pub what: String,
}

/// What should become of a file.
#[derive(Debug, Clone)]
pub enum Change<'a> {
    /// Add the memory, or bring the one with its id up to date.
    Put(&'a Memory),
    /// Take the memory out.
    Remove(&'a MemoryId),
    /// Set bytes of an entry back in as they once stood, before the first entry with a smaller id.
    Restore(&'a MemoryId, &'a [u8]),
}

/// Bytes of a file and what stands there afterwards.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    /// The bytes to replace; empty to insert.
    pub at: Range<usize>,
    /// What stands there afterwards.
    pub with: Vec<u8>,
}

/// Reads a file. The home says which file it is and so how to read it.
pub fn read(home: &Home, bytes: &[u8]) -> Reading {
    let mut found = Vec::new();
    let defects = visit(home, bytes, &mut |one| found.push(one));
    Reading { found, defects }
}

/// Reads a file one memory at a time, so that a large vault file never stands in memory as a whole list.
pub fn visit(home: &Home, bytes: &[u8], each: &mut dyn FnMut(Found)) -> Vec<Defect> {
    let reading = match home.layout() {
        Layout::Vault => return vault::visit(home, bytes, each),
        Layout::Record => record::read(home, bytes),
        Layout::Journal => journal::read(home, bytes),
        Layout::Page => page::read(home, bytes),
    };
    reading.found.into_iter().for_each(each);
    reading.defects
}

/// The edits that changes make, in the order given; none where the file already says so.
pub fn splice(home: &Home, bytes: &[u8], changes: &[Change<'_>]) -> Vec<Edit> {
    let one: fn(&Home, &[u8], &Change<'_>) -> Vec<Edit> = match home.layout() {
        Layout::Vault => return vault::splice(home, bytes, changes),
        Layout::Record => record::splice,
        Layout::Journal => journal::splice,
        Layout::Page => page::splice,
    };
    if let [change] = changes {
        return one(home, bytes, change);
    }
    let after = changes.iter().fold(bytes.to_vec(), |text, change| apply(&text, &one(home, &text, change)));
    if after == bytes { Vec::new() } else { vec![Edit { at: 0..bytes.len(), with: after }] }
}

/// Carries edits out. They must not overlap; they may come in any order.
pub fn apply(bytes: &[u8], edits: &[Edit]) -> Vec<u8> {
    let mut ordered: Vec<&Edit> = edits.iter().collect();
    ordered.sort_by_key(|edit| edit.at.start);
    let mut out = Vec::with_capacity(bytes.len() + edits.iter().map(|e| e.with.len()).sum::<usize>());
    let mut done = 0;
    for edit in ordered {
        let start = edit.at.start.clamp(done, bytes.len());
        out.extend_from_slice(&bytes[done..start]);
        out.extend_from_slice(&edit.with);
        done = edit.at.end.clamp(start, bytes.len());
    }
    out.extend_from_slice(&bytes[done..]);
    out
}
