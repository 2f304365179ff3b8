//! Changes to a vault file as edits of byte ranges: one scan, then only the bytes that must change.

use std::collections::HashMap;

use super::super::home::Home;
use super::super::lines::{bom, line_end, lossy, with_line_end};
use super::super::{Change, Edit, apply};
use super::frame::{Block, blocks, escape};
use super::meta::{self, HeaderHolds};
use super::{Names, entry, frame};
use crate::id::MemoryId;
use crate::memory::Memory;

/// The edits of several changes. Of several changes to one memory only the last counts.
pub(in super::super) fn splice(home: &Home, bytes: &[u8], changes: &[Change<'_>]) -> Vec<Edit> {
    let mut last: HashMap<&MemoryId, usize> = HashMap::with_capacity(changes.len());
    for (n, change) in changes.iter().enumerate() {
        last.insert(id_of(change), n);
    }
    let file = File::scan(home, bytes, &last);
    let mut edits = Vec::new();
    let mut fresh: Vec<(&MemoryId, Vec<u8>)> = Vec::new();
    let mut removed = Vec::new();
    for (n, change) in changes.iter().enumerate() {
        let id = id_of(change);
        if last.get(id) != Some(&n) {
            continue;
        }
        match (change, file.places.get(id)) {
            (Change::Put(memory), Some(&at)) => edits.extend(update(home, bytes, &file.blocks[at], memory)),
            // A name that follows from text belongs to text that stood there; it is never written anew.
            (Change::Put(memory), None) if memory.id.is_untracked() => {}
            (Change::Put(memory), None) => {
                fresh.push((id, with_line_end(&entry::render(home, memory), line_end(bytes))));
            }
            (Change::Remove(_), Some(&at)) => removed.push(at),
            (Change::Restore(_, raw), None) => fresh.push((id, raw.to_vec())),
            (Change::Remove(_), None) | (Change::Restore(..), Some(_)) => {}
        }
    }
    removed.sort_unstable();
    edits.extend(removals(bytes, &file.blocks, &removed));
    if !removed.is_empty() && !fresh.is_empty() {
        // Where something leaves, the places for what comes are found in what is left.
        let left = apply(bytes, &merge_adjacent(edits));
        let mut added = Vec::new();
        insertions(&left, &blocks(&left), fresh, &mut added);
        return vec![Edit { at: 0..bytes.len(), with: apply(&left, &merge_adjacent(added)) }];
    }
    insertions(bytes, &file.blocks, fresh, &mut edits);
    merge_adjacent(edits)
}

fn id_of<'a>(change: &'a Change<'_>) -> &'a MemoryId {
    match change {
        Change::Put(memory) => &memory.id,
        Change::Remove(id) | Change::Restore(id, _) => id,
    }
}

/// The blocks of a file and where the wanted memories stand among them.
struct File {
    blocks: Vec<Block>,
    places: HashMap<MemoryId, usize>,
}

impl File {
    fn scan(home: &Home, bytes: &[u8], wanted: &HashMap<&MemoryId, usize>) -> Self {
        let blocks = blocks(bytes);
        let mut names = Names::default();
        let mut places = HashMap::new();
        // Names that follow from text need every text; ids are read off the frame alone.
        let by_text = wanted.keys().any(|id| id.is_untracked());
        for (n, block) in blocks.iter().enumerate() {
            let id = if by_text {
                let Some(memory) = entry::memory(home, bytes, block, &mut Vec::new()) else { continue };
                names.give(memory.id, memory.body.as_str(), 0, &mut Vec::new())
            } else {
                let written = block.id.clone().map(|at| lossy(&bytes[at]).0);
                let Some(id) = written.and_then(|text| MemoryId::parse(&text).ok()) else { continue };
                id
            };
            let holds_memory = || by_text || entry::memory(home, bytes, block, &mut Vec::new()).is_some();
            if wanted.contains_key(&id) && !places.contains_key(&id) && holds_memory() {
                places.insert(id, n);
            }
        }
        Self { blocks, places }
    }
}

/// Brings one entry up to date, line by line, so that what a person wrote around it stays.
fn update(home: &Home, bytes: &[u8], block: &Block, new: &Memory) -> Vec<Edit> {
    let Some(old) = entry::memory(home, bytes, block, &mut Vec::new()) else { return Vec::new() };
    if old == *new {
        return Vec::new();
    }
    let end = line_end(bytes);
    if !block.framed && !frame::is_loose(new.body.as_str()) {
        // Text that would not read as one piece becomes an entry.
        return vec![Edit { at: block.at.clone(), with: with_line_end(&entry::render(home, new), end) }];
    }
    if block.framed && (block.header.is_none() || !block.closed || block.body.is_empty()) {
        // Half a frame cannot hold every text, so the entry gets a whole one.
        return vec![Edit { at: block.at.clone(), with: with_line_end(&entry::render(home, new), end) }];
    }
    let mut edits = Vec::new();
    if old.body != new.body {
        let text = if block.framed { escape(new.body.as_str()) } else { new.body.as_str().to_owned() };
        let head = block.meta.clone().or(block.header.clone());
        let gap = head.map_or(&bytes[..0], |head| &bytes[head.end..block.body.start]);
        // A text right under the heading could begin with what reads as a metadata line.
        let set_apart =
            if block.framed && gap.iter().filter(|&&b| b == b'\n').count() < 2 { end } else { "" };
        let with = [set_apart.as_bytes(), &with_line_end(&text, end)].concat();
        edits.push(Edit { at: block.body.clone(), with });
    }
    if !block.framed {
        return edits;
    }
    let dated = block.header.clone().map(|at| entry::Heading::read(&String::from_utf8_lossy(&bytes[at])));
    let holds = match &dated {
        Some(heading) if heading.date.is_some() => HeaderHolds::DateAndTags,
        Some(heading) if heading.title == new.title => HeaderHolds::Title,
        _ => HeaderHolds::Nothing,
    };
    if holds == HeaderHolds::DateAndTags
        && (old.tags != new.tags || old.created.minute() != new.created.minute())
        && let Some(at) = block.header.clone()
    {
        edits.push(Edit { at, with: entry::heading(new).into_bytes() });
    }
    let line = meta::line(home, new, holds);
    if meta::line(home, &old, holds) != line {
        edits.push(meta_edit(bytes, block, line, end));
    }
    edits
}

/// Sets, replaces or takes away the metadata line.
fn meta_edit(bytes: &[u8], block: &Block, line: Option<String>, end: &str) -> Edit {
    let line_stop =
        |at: usize| bytes[at..].iter().position(|&b| b == b'\n').map_or(bytes.len(), |n| at + n + 1);
    match (block.meta.clone(), line) {
        (Some(at), Some(line)) => Edit { at, with: line.into_bytes() },
        (Some(at), None) => Edit { at: at.start..line_stop(at.end), with: Vec::new() },
        (None, line) => {
            let head = block.header.clone().or(block.id.clone()).unwrap_or(block.at.start..block.at.start);
            let at = line_stop(head.end);
            let line = line.map_or(Vec::new(), |line| format!("{line}{end}").into_bytes());
            Edit { at: at..at, with: line }
        }
    }
}

/// Takes blocks out together with the blank lines that set them apart. What then stands last keeps no blank
/// lines after it, as if the removed ones had never been added.
fn removals(bytes: &[u8], blocks: &[Block], removed: &[usize]) -> Vec<Edit> {
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
        let with = if open_before && unsure_after { [b"---", end, end].concat() } else { Vec::new() };
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

/// Sets new entries in, newest first: each before the first entry with a smaller id.
fn insertions(bytes: &[u8], blocks: &[Block], mut fresh: Vec<(&MemoryId, Vec<u8>)>, edits: &mut Vec<Edit>) {
    if fresh.is_empty() {
        return;
    }
    fresh.sort_by_key(|(id, _)| std::cmp::Reverse(id.millis()));
    let end = line_end(bytes);
    let framed: Vec<&Block> = blocks.iter().filter(|block| block.framed).collect();
    let millis = |block: &Block| {
        let text = block.id.clone().and_then(|at| std::str::from_utf8(&bytes[at]).ok());
        text.and_then(|text| text.parse::<u64>().ok())
    };
    let newest = framed.first().and_then(|block| millis(block));
    for (id, text) in fresh {
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
    for edit in
        edits.iter_mut().filter(|edit| edit.at == place && edit.at.is_empty() && !edit.with.is_empty())
    {
        let gap = if first { gap_before(bytes, place.start, end) } else { end.repeat(2) };
        edit.with.splice(0..0, gap.into_bytes());
        first = false;
    }
}

/// Where entries older than all others go: after the last entry, before text that follows it, else at the end.
fn last_place(bytes: &[u8], blocks: &[Block]) -> std::ops::Range<usize> {
    let at = match blocks.iter().rev().find(|block| block.framed) {
        Some(block) if block.closed => block.at.end,
        _ => bytes.len(),
    };
    at..at
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

/// Joins removals that touch, so that edits never overlap.
fn merge_adjacent(mut edits: Vec<Edit>) -> Vec<Edit> {
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
