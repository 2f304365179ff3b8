//! Changes to a vault file as edits of byte ranges: one scan, then only the bytes that must change.

use std::collections::HashMap;
use std::ops::Range;

use super::super::home::Home;
use super::super::lines::{bom, line_end, lossy, with_line_end};
use super::super::{Change, Edit, apply};
use super::frame::{Block, blocks, escape, has_rule};
use super::insertion::{Fresh, ends_missing_behind, insertions};
use super::meta::{self, HeaderHolds};
use super::removal::{merge_adjacent, removals, says};
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
    let new = |memory: &Memory| with_line_end(&entry::render(home, memory), line_end(bytes));
    let mut fresh: Vec<Fresh<'_>> = Vec::new();
    let mut removed = Vec::new();
    for (n, change) in changes.iter().enumerate() {
        let id = id_of(change);
        if last.get(id) != Some(&n) {
            continue;
        }
        match (change, file.places.get(id)) {
            (Change::Put(memory), Some(&at)) => match update(home, bytes, &file.blocks, at, memory) {
                Some(update) => edits.extend(update),
                None => {
                    removed.push(at);
                    fresh.push(Fresh { id, text: new(memory), came_back: false });
                }
            },
            // A name that follows from text belongs to text that stood there; it is never written anew.
            (Change::Put(memory), None) if memory.id.is_untracked() => {}
            (Change::Put(memory), None) => {
                fresh.push(Fresh { id, text: new(memory), came_back: false });
            }
            (Change::Remove(_), Some(&at)) => removed.push(at),
            (Change::Restore(_, raw), None) => fresh.push(Fresh { id, text: raw.to_vec(), came_back: true }),
            (Change::Remove(_), None) | (Change::Restore(..), Some(_)) => {}
        }
    }
    removed.sort_unstable();
    if removed.is_empty() {
        edits.extend(insertions(bytes, &file.blocks, fresh));
        return merge_adjacent(edits);
    }
    if edits.is_empty() && fresh.is_empty() {
        return merge_adjacent(removals(bytes, &file.blocks, &removed));
    }
    // What changes, leaves and comes may touch one another, so each step begins with what the one before it left.
    let updated = apply(bytes, &merge_adjacent(edits.clone()));
    let now = blocks(&updated);
    let left = if now.len() == file.blocks.len() {
        apply(&updated, &merge_adjacent(removals(&updated, &now, &removed)))
    } else {
        edits.extend(removals(bytes, &file.blocks, &removed));
        apply(bytes, &merge_adjacent(edits))
    };
    let added = merge_adjacent(insertions(&left, &blocks(&left), fresh));
    vec![Edit { at: 0..bytes.len(), with: apply(&left, &added) }]
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

/// Brings one entry up to date, line by line, so that what a person wrote around it stays; `None` when it cannot stand
/// where it stood.
fn update(home: &Home, bytes: &[u8], all: &[Block], at: usize, wanted: &Memory) -> Option<Vec<Edit>> {
    let block = &all[at];
    let Some(old) = entry::memory(home, bytes, block, &mut Vec::new()) else { return Some(Vec::new()) };
    // The second entry with an id goes by another name; what its lines say is still about the id that they show.
    let new = &Memory { id: old.id.clone(), ..wanted.clone() };
    if old == *new {
        return Some(Vec::new());
    }
    let end = line_end(bytes);
    let whole = || with_line_end(&entry::render(home, wanted), end);
    let below_entry = all[..at].iter().any(|block| block.framed);
    if !block.framed && !frame::is_loose(new.body.as_str(), below_entry) {
        // Text that would not read as one piece becomes an entry, whose end stands between blank lines.
        let next = bytes[block.at.end..].split(|&b| b == b'\n').nth(1).unwrap_or_default();
        let gap = if next.trim_ascii().is_empty() { "" } else { end };
        let entry = whole();
        let edit = Edit { at: block.at.clone(), with: [&entry, gap.as_bytes()].concat() };
        return comes_alone(bytes, all, &edit, &entry).then(|| vec![edit]);
    }
    if block.framed && (block.header.is_none() || !block.closed || block.body.is_empty()) {
        // Half a frame cannot hold every text, so the entry gets a whole one.
        return Some(vec![Edit { at: block.at.clone(), with: whole() }]);
    }
    let missing = end.repeat(ends_missing_behind(bytes, block.at.end));
    if block.framed && has_rule(new.body.as_str()) && !missing.is_empty() {
        // With text right behind its end, the entry would end at the `---` of its text.
        return Some(vec![Edit { at: block.at.clone(), with: [&whole(), missing.as_bytes()].concat() }]);
    }
    let mut edits = Vec::new();
    if old.body != new.body {
        let text = if block.framed { escape(new.body.as_str()) } else { new.body.as_str().to_owned() };
        let head = block.meta.clone().or(block.header.clone());
        let gap = head.map_or(&bytes[..0], |head| &bytes[head.end..block.body.start]);
        // A text right under the heading could begin with what reads as a metadata line.
        let set_apart =
            if block.framed && gap.iter().filter(|&&b| b == b'\n').count() < 2 { end } else { "" };
        // A mark that the text begins with would be taken for that of the file.
        let mark = if block.body.start == 0 { &text.as_bytes()[..bom(text.as_bytes())] } else { &[] };
        let with = [mark, set_apart.as_bytes(), &with_line_end(&text, end)].concat();
        edits.push(Edit { at: block.body.clone(), with });
    }
    if let Some(at) = block.header.clone().filter(|_| block.framed) {
        update_head(home, bytes, block, at, (&old, new), &mut edits);
    }
    Some(edits)
}

/// Whether an edit makes this entry and changes no other.
fn comes_alone(bytes: &[u8], all: &[Block], edit: &Edit, entry: &[u8]) -> bool {
    let after = apply(bytes, std::slice::from_ref(edit));
    let now = blocks(&after);
    let (new, others): (Vec<&Block>, Vec<&Block>) =
        now.iter().partition(|block| block.at == (edit.at.start..edit.at.start + entry.len()));
    let before = all.iter().filter_map(|block| says(bytes, block));
    new.len() == 1 && before.eq(others.iter().filter_map(|block| says(&after, block)))
}

/// Brings the heading and the metadata line of an entry up to date.
fn update_head(
    home: &Home,
    bytes: &[u8],
    block: &Block,
    at: Range<usize>,
    (old, new): (&Memory, &Memory),
    edits: &mut Vec<Edit>,
) {
    let heading = entry::Heading::read(&String::from_utf8_lossy(&bytes[at.clone()]));
    let holds = |memory: &Memory| match &heading {
        heading if heading.date.is_some() => HeaderHolds::DateAndTags,
        heading if heading.title == memory.title => HeaderHolds::Title,
        _ => HeaderHolds::Nothing,
    };
    // A heading that is a title cannot say that there is none, so it becomes a dated one.
    let untitled = holds(new) == HeaderHolds::Nothing && new.title.is_none();
    let holds_then = if untitled { HeaderHolds::DateAndTags } else { holds(new) };
    let redated = holds(new) == HeaderHolds::DateAndTags
        && (old.tags != new.tags || old.created.minute() != new.created.minute());
    let line = meta::line(home, new, holds_then);
    let stands = if untitled || redated {
        edits.push(Edit { at, with: entry::heading(new).into_bytes() });
        // The old heading may have said more than a new one can, such as the seconds.
        block.meta.clone().map(|at| lossy(&bytes[at]).0)
    } else {
        meta::line(home, old, holds(old))
    };
    if stands != line {
        edits.push(meta_edit(bytes, block, line, line_end(bytes)));
    }
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
