//! Blocks taken out of a vault file, so that every other entry still reads as it did.
//!
//! Where an entry ends, and whether a line begins one, can depend on what stands around it. Where a removal would
//! change how another entry reads, or make an entry of hand-written text, something that says nothing holds the place.

use super::super::lines::{bom, line_end, with_line_end};
use super::super::{Edit, apply};
use super::frame::{Block, blocks, conflict_lines};

/// What holds the place of an entry: a frame without a text is no memory.
pub(super) const EMPTY_ENTRY: &str = "<!-- id:removed -->\n## 1970-01-01T00:00\n\n---";
/// What holds the place of hand-written text: a comment alone is no memory.
const EMPTY_TEXT: &str = "<!-- removed -->";

/// The edits that take these blocks out; their numbers rise.
pub(super) fn removals(bytes: &[u8], all: &[Block], removed: &[usize]) -> Vec<Edit> {
    let mut held = Vec::new();
    while !others_stay(bytes, all, removed, &held) {
        // The first block that cannot go after those before it, found by halving.
        let (mut goes, mut fails) = (0, removed.len());
        while fails - goes > 1 {
            let middle = usize::midpoint(goes, fails);
            if others_stay(bytes, all, &removed[..middle], &held) { goes = middle } else { fails = middle }
        }
        match held.binary_search(&removed[goes]) {
            Ok(_) => break,
            Err(place) => held.insert(place, removed[goes]),
        }
    }
    edits(bytes, all, removed, &held)
}

/// Whether every entry that is not removed reads as before, and no other does.
fn others_stay(bytes: &[u8], all: &[Block], removed: &[usize], held: &[usize]) -> bool {
    if removed.is_empty() {
        return true;
    }
    let left = apply(bytes, &merge_adjacent(edits(bytes, all, removed, held)));
    let stays =
        |(n, block): (usize, &Block)| says(bytes, block).filter(|_| removed.binary_search(&n).is_err());
    let before = all.iter().enumerate().filter_map(stays);
    before.eq(blocks(&left).iter().filter_map(|block| says(&left, block)))
}

/// Everything that an entry is made of; `None` for hand-written text and for what only holds a place.
pub(super) fn says<'a>(bytes: &'a [u8], block: &Block) -> Option<[Option<&'a [u8]>; 4]> {
    let part = |at: &Option<std::ops::Range<usize>>| at.clone().map(|at| &bytes[at]);
    let (id, text) = (part(&block.id), &bytes[block.body.clone()]);
    let is_empty = id == Some(b"removed") && text.is_empty();
    (block.framed && !is_empty).then(|| [id, part(&block.header), part(&block.meta), Some(text)])
}

fn edits(bytes: &[u8], all: &[Block], removed: &[usize], held: &[usize]) -> Vec<Edit> {
    let is_held = |at: &usize| held.binary_search(at).is_ok();
    let gone: Vec<usize> = removed.iter().copied().filter(|at| !is_held(at)).collect();
    let mut edits = taken_out(bytes, all, &gone);
    edits.extend(removed.iter().filter(|at| is_held(at)).map(|&at| {
        let block = &all[at];
        let text = if block.framed { EMPTY_ENTRY } else { EMPTY_TEXT };
        Edit { at: block.at.clone(), with: with_line_end(text, line_end(bytes)) }
    }));
    edits
}

/// Takes blocks out together with the blank lines that set them apart. What then stands last keeps no blank
/// lines after it, as if the removed ones had never been added.
fn taken_out(bytes: &[u8], blocks: &[Block], removed: &[usize]) -> Vec<Edit> {
    let end = line_end(bytes).as_bytes();
    let mut edits = Vec::with_capacity(removed.len());
    let mut stays_after = blocks.len();
    let mut expected = blocks.len();
    for &at in removed.iter().rev() {
        if at + 1 != expected {
            stays_after = at + 1;
        }
        expected = at;
        let last = stays_after == blocks.len();
        let previous = at.checked_sub(1).and_then(|n| blocks.get(n));
        let range = match blocks.get(at + 1) {
            Some(next) if !last && (next.framed || previous.is_none_or(|block| !block.framed)) => {
                blocks[at].at.start..next.at.start
            }
            _ => after_previous(bytes, previous, blocks[at].at.start)..blocks[at].at.end,
        };
        // An entry without an end of its own would take in what follows, so the end stays.
        let open_before = previous.is_some_and(|block| block.framed && !block.closed);
        let unsure_after = blocks.get(at + 1).is_some_and(|next| !last && next.framed && !next.sure);
        let mut with = if open_before && unsure_after { [b"---", end, end].concat() } else { Vec::new() };
        // The marks of a merge around an entry are not its own, and tell which lines between them are frame.
        let around = [range.start..blocks[at].at.start.max(range.start), blocks[at].at.end..range.end];
        let marks = around.into_iter().filter_map(|gap| bytes.get(gap)).flat_map(conflict_lines);
        marks.for_each(|mark| with.extend([mark, end].concat()));
        edits.push(Edit { at: range, with });
    }
    edits
}

/// Where the bytes begin that belong to nothing before them: right after an entry, on the next line after text.
fn after_previous(bytes: &[u8], previous: Option<&Block>, start: usize) -> usize {
    let first = bom(bytes);
    let said = first + bytes[first..start].trim_ascii_end().len();
    match previous {
        _ if said == first => first,
        Some(block) if block.framed && block.at.end >= said => block.at.end,
        _ => said + bytes[said..start].iter().position(|&b| b == b'\n').map_or(0, |n| n + 1),
    }
}

/// Joins removals that touch, so that edits never overlap.
pub(super) fn merge_adjacent(mut edits: Vec<Edit>) -> Vec<Edit> {
    edits.sort_by_key(|edit| (edit.at.start, !edit.at.is_empty()));
    let mut out: Vec<Edit> = Vec::with_capacity(edits.len());
    for edit in edits {
        match out.last_mut() {
            Some(last) if edit.at.start < last.at.end => {
                last.at.end = last.at.end.max(edit.at.end);
                last.with.extend(edit.with);
            }
            _ => out.push(edit),
        }
    }
    out
}
