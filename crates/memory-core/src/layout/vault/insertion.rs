//! Entries set into a vault file: new ones, and the bytes of old ones that come back.
//!
//! What is new begins and ends so that it reads the same anywhere. What comes back is as odd as it once was; where its
//! new surroundings would make something else of it, entries without a text stand around it.

use std::ops::Range;

use super::super::lines::{bom, line_end, with_line_end};
use super::super::{Edit, apply};
use super::frame::{Block, blocks};
use super::removal::{EMPTY_ENTRY, merge_adjacent, says};
use crate::id::MemoryId;

/// An entry to be set in.
#[derive(Clone)]
pub(super) struct Fresh<'a> {
    pub(super) id: &'a MemoryId,
    pub(super) text: Vec<u8>,
    /// Whether the text is one that stood in the file before, so that it may be odd.
    pub(super) came_back: bool,
}

/// The edits that set entries in.
pub(super) fn insertions(bytes: &[u8], all: &[Block], fresh: Vec<Fresh<'_>>) -> Vec<Edit> {
    if !fresh.iter().any(is_odd) {
        return set_in(bytes, all, fresh);
    }
    let edits = set_in(bytes, all, fresh.clone());
    if read_alike(bytes, all, &fresh, &edits) {
        return edits;
    }
    let end = line_end(bytes);
    let (empty, gap) = (with_line_end(EMPTY_ENTRY, end), end.repeat(2).into_bytes());
    let mut guarded = fresh;
    for fresh in guarded.iter_mut().filter(|fresh| is_odd(fresh)) {
        if blocks(&fresh.text).iter().any(|block| block.framed) {
            fresh.text = [&empty, &gap, &fresh.text, &gap, &empty].map(Vec::as_slice).concat();
        }
    }
    set_in(bytes, all, guarded)
}

/// Whether the surroundings decide where an entry begins and ends.
fn is_odd(fresh: &Fresh<'_>) -> bool {
    let ends = fresh.text.ends_with(b"\n\n---") || fresh.text.ends_with(b"\r\n\r\n---");
    let whole = || matches!(blocks(&fresh.text).as_slice(), [one] if one.sure && one.closed);
    fresh.came_back && !(ends && whole())
}

/// Whether every entry reads as it did and the new ones as they do alone.
fn read_alike(bytes: &[u8], all: &[Block], fresh: &[Fresh<'_>], edits: &[Edit]) -> bool {
    let after = apply(bytes, &merge_adjacent(edits.to_vec()));
    let now = blocks(&after);
    let mut now: Vec<_> = now.iter().filter_map(|block| says(&after, block)).collect();
    for Fresh { text, .. } in fresh {
        for alone in blocks(text).iter().filter_map(|block| says(text, block)) {
            let Some(at) = now.iter().position(|said| *said == alone) else { return false };
            now.remove(at);
        }
    }
    now.into_iter().eq(all.iter().filter_map(|block| says(bytes, block)))
}

/// Sets new entries in, newest first: each before the first entry with a smaller id.
fn set_in(bytes: &[u8], blocks: &[Block], mut fresh: Vec<Fresh<'_>>) -> Vec<Edit> {
    let mut edits = Vec::with_capacity(fresh.len());
    fresh.sort_by_key(|fresh| std::cmp::Reverse(fresh.id.millis()));
    let end = line_end(bytes);
    let framed: Vec<&Block> = blocks.iter().filter(|block| block.framed).collect();
    let millis = |block: &Block| {
        let text = block.id.clone().and_then(|at| std::str::from_utf8(&bytes[at]).ok());
        text.and_then(|text| text.parse::<u64>().ok())
    };
    let newest = framed.first().and_then(|block| millis(block));
    for Fresh { id, text, .. } in fresh {
        let older = |block: &&&Block| millis(block) < id.millis();
        // Most new entries are newer than all others, and then the first entry answers without a search.
        let before = match (newest, id.millis()) {
            (Some(top), Some(mine)) if mine > top => framed.first(),
            _ => framed.iter().find(older),
        };
        match before {
            Some(block) => {
                let with = [text.as_slice(), end.as_bytes(), end.as_bytes()].concat();
                edits.push(Edit { at: block.at.start..block.at.start, with });
            }
            None => edits.push(Edit { at: last_place(bytes, blocks), with: text }),
        }
    }
    // Entries that go to the end need blank lines before them; which ones depends on what stands there.
    let place = last_place(bytes, blocks);
    let mut first = true;
    for edit in edits.iter_mut().filter(|edit| edit.at == place && !edit.with.is_empty()) {
        let gap = if first { gap_before(bytes, place.start, end) } else { end.repeat(2) };
        edit.with.splice(0..0, gap.into_bytes());
        first = false;
    }
    edits
}

/// Where entries older than all others go: after the last entry, before text that follows it, else at the end. Text that
/// follows without a blank line would leave none behind what comes between, and an entry with a `---` of its own would then
/// end there.
fn last_place(bytes: &[u8], blocks: &[Block]) -> Range<usize> {
    let at = match blocks.iter().rev().find(|block| block.framed) {
        Some(block) if block.closed && has_blank_behind(bytes, block.at.end) => block.at.end,
        _ => bytes.len(),
    };
    at..at
}

/// Whether the line behind this one is blank, or there is none.
fn has_blank_behind(bytes: &[u8], at: usize) -> bool {
    ends_missing_behind(bytes, at) == 0
}

/// The line ends that are missing behind a place for a blank line to stand there, or nothing at all. Text may stand on the
/// same line: `---text`.
pub(super) fn ends_missing_behind(bytes: &[u8], at: usize) -> usize {
    let mut lines = bytes.get(at..).unwrap_or_default().split(|&byte| byte == b'\n');
    let mut is_blank = || lines.next().is_none_or(|line| line.trim_ascii().is_empty());
    if !is_blank() { 2 } else { usize::from(!is_blank()) }
}

/// The line ends missing between what stands before a place and a new entry there.
fn gap_before(bytes: &[u8], at: usize, end: &str) -> String {
    let before = &bytes[bom(bytes).min(at)..at];
    let blank =
        before.iter().rev().take_while(|b| matches!(b, b'\n' | b'\r')).filter(|&&b| b == b'\n').count();
    let needed = match before.trim_ascii() {
        [] if before.is_empty() => 0,
        [] => 1,
        _ => 2,
    };
    // A carriage return alone ends no line.
    let open_line = usize::from(!before.is_empty() && !before.ends_with(b"\n"));
    end.repeat(usize::saturating_sub(needed, blank).max(open_line))
}
