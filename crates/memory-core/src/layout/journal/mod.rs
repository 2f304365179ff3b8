//! Journals: one memory on a line, `- {"id":…,"text":…,"provenance":{…}}`, in `MEMORY.md`, `memory/<day>.md`
//! and `LONGMEMORY.md`, with whatever people write between the lines.
//!
//! Title, key, tags, scope and agent stand beside `text`; class, turn, lineage, event and a later change's time
//! stand in `provenance`; each only where it says something. Text between the lines is a memory too, named after
//! itself: it gets a new id when it is edited, and becomes a line when plain text cannot say what is new.

mod scan;
#[cfg(test)]
mod tests;

use std::collections::{HashMap, HashSet};

use serde_json::Value;

use self::scan::{Form, MARK, Piece, scan};
use super::lines::{bom, line_end, lossy, with_line_end};
use super::record::fields::{JOURNAL, marked_differently, untold};
use super::record::{json, not_utf8};
use super::{Change, Defect, Edit, Found, Home, Place, Reading, apply};
use crate::id::MemoryId;
use crate::memory::{Body, Memory};
use crate::scope::SourceClass;
use crate::time::Time;

/// Reads a journal.
pub(super) fn read(home: &Home, bytes: &[u8]) -> Reading {
    let (pieces, mut defects) = survey(home, bytes);
    defects.extend(not_utf8(bytes));
    defects.sort_by_key(|defect| defect.line);
    let found = pieces.into_iter().map(|(piece, memory)| {
        let place = Place { bytes: piece.at, first_line: piece.first_line, last_line: piece.last_line };
        Found { memory, place }
    });
    Reading { found: found.collect(), defects }
}

/// The edits of one change to a journal.
pub(super) fn splice(home: &Home, bytes: &[u8], change: &Change<'_>) -> Vec<Edit> {
    let (pieces, _) = survey(home, bytes);
    let journal = Journal { home, bytes, pieces };
    match *change {
        Change::Put(memory) => journal.put(memory),
        Change::Remove(id) => journal.remove(id),
        Change::Restore(id, raw) => journal.restore(id, raw),
    }
}

fn survey(home: &Home, bytes: &[u8]) -> (Vec<(Piece, Memory)>, Vec<Defect>) {
    let scan = scan(home, bytes);
    let broken = scan.broken.into_iter();
    let mut defects: Vec<Defect> = broken
        .map(|(line, why)| Defect {
            code: "journal-bad-line",
            line,
            what: format!("{why}, it is left as it is"),
        })
        .collect();
    // Ids that are written down come first, wherever they stand; only then is anything named after its text.
    let written = scan.pieces.iter().filter_map(|piece| match &piece.form {
        Form::Entry { id, .. } => MemoryId::parse(id).ok(),
        Form::Block { .. } => None,
    });
    let mut names = Names { taken: written.collect(), repeats: HashMap::new() };
    let mut seen: HashSet<String> = HashSet::new();
    let mut pieces = Vec::new();
    for piece in scan.pieces {
        let line = piece.first_line;
        let memory = match &piece.form {
            Form::Entry { object, id, .. } => {
                let own = MemoryId::parse(id);
                let id = match &own {
                    Ok(own) if seen.insert(id.clone()) => own.clone(),
                    _ => {
                        let text = object.get("text").and_then(Value::as_str).unwrap_or_default();
                        let named = names.after(&Body::new(text));
                        let (code, why) = match own {
                            Ok(_) => ("duplicate-id", format!("the id `{id}` stands in this file before")),
                            Err(error) => ("journal-bad-id", error.to_string()),
                        };
                        defects.push(Defect {
                            code,
                            line,
                            what: format!("{why}, this one goes by `{named}`"),
                        });
                        named
                    }
                };
                let unsaid = untold(home, id, Body::default(), SourceClass::Human, day_of(home));
                let (memory, problems) = JOURNAL.read(object, unsaid);
                defects.extend(problems.into_iter().map(|what| Defect {
                    code: "journal-bad-field",
                    line,
                    what,
                }));
                memory
            }
            Form::Block { title, body_at } => {
                let id = names.after(&Body::new(&lossy(&bytes[piece.at.clone()]).0));
                let body = Body::new(&lossy(&bytes[body_at.clone()]).0);
                let day = title.as_deref().and_then(|title| summary_day(home, title));
                let time = day.unwrap_or_else(|| day_of(home));
                Memory { title: title.clone(), ..untold(home, id, body, SourceClass::HumanEdit, time) }
            }
        };
        pieces.push((piece, memory));
    }
    (pieces, defects)
}

/// Gives names to what has none.
struct Names {
    taken: HashSet<MemoryId>,
    /// How often each text was named before, so that a file full of one text is not counted over and over.
    repeats: HashMap<MemoryId, usize>,
}

impl Names {
    fn after(&mut self, text: &Body) -> MemoryId {
        let repeat = self.repeats.entry(MemoryId::of_text(text.as_str(), 0)).or_default();
        loop {
            let id = MemoryId::of_text(text.as_str(), *repeat);
            *repeat += 1;
            if self.taken.insert(id.clone()) {
                return id;
            }
        }
    }
}

/// When something was kept that does not say so: on the day of a day's file, else unknown.
fn day_of(home: &Home) -> Time {
    match home {
        Home::Day(day) => Time::parse(day).unwrap_or_default(),
        _ => Time::default(),
    }
}

/// The day of `## Summary (2026-03-16)` among the long-term summaries.
fn summary_day(home: &Home, title: &str) -> Option<Time> {
    let day = title.strip_prefix("Summary (")?.strip_suffix(')')?;
    (*home == Home::LongTerm && day.len() == 10).then(|| Time::parse(day)).flatten()
}

/// With what a new file opens.
fn header(home: &Home) -> &'static str {
    match home {
        Home::Journal => "# MEMORY.md — Long-term memory\n\n",
        Home::LongTerm => "# LONGMEMORY.md — Long-term summaries\n\n",
        _ => "",
    }
}

fn line_of(memory: &Memory) -> Vec<u8> {
    format!("- {}", Value::Object(JOURNAL.write(memory))).into_bytes()
}

/// A journal about to change.
struct Journal<'a> {
    home: &'a Home,
    bytes: &'a [u8],
    pieces: Vec<(Piece, Memory)>,
}

impl Journal<'_> {
    fn put(&self, memory: &Memory) -> Vec<Edit> {
        let Some(n) = self.position(&memory.id) else {
            // An edited block goes by a new id, so an edit that is repeated finds its own result.
            let done =
                memory.id.is_untracked() && self.pieces.iter().any(|(piece, it)| is_done(piece, it, memory));
            return if done { Vec::new() } else { vec![self.at_end(&[&line_of(memory)])] };
        };
        let (piece, old) = &self.pieces[n];
        match &piece.form {
            _ if old == memory => Vec::new(),
            Form::Entry { object, object_at, id } => {
                let mut object = JOURNAL.change(object, old, memory);
                if id != memory.id.as_str() {
                    object.insert("id".to_owned(), memory.id.as_str().into());
                }
                let text = lossy(&self.bytes[object_at.clone()]).0;
                let with = json::rewrite(&text, &object);
                if with == text {
                    Vec::new()
                } else {
                    vec![Edit { at: object_at.clone(), with: with.into_bytes() }]
                }
            }
            Form::Block { .. } if is_done(piece, old, memory) => Vec::new(),
            Form::Block { .. } => vec![self.put_over_block(n, memory)],
        }
    }

    /// Writes a block anew: as text if it reads back as meant and disturbs nothing else, or as a line.
    fn put_over_block(&self, n: usize, memory: &Memory) -> Edit {
        let (piece, old) = &self.pieces[n];
        let end = line_end(self.bytes);
        if let Form::Block { body_at, .. } = &piece.form
            && !marked_differently(old, memory)
        {
            let body = format!("{}\n", memory.body.as_str());
            let (at, text) = match &memory.title {
                title if *title == old.title => (body_at.clone(), body),
                Some(title) => (piece.at.clone(), format!("## {title}\n\n{body}")),
                None => (piece.at.clone(), body),
            };
            let edit = Edit { at, with: with_line_end(&text, end) };
            let after = self.memories_after(std::slice::from_ref(&edit));
            let as_meant = after.len() == self.pieces.len()
                && after.iter().zip(&self.pieces).enumerate().all(|(i, (new, (_, old)))| {
                    if i == n { new.title == memory.title && new.body == memory.body } else { new == old }
                });
            if as_meant {
                return edit;
            }
        }
        Edit { at: piece.at.clone(), with: [&line_of(memory), end.as_bytes()].concat() }
    }

    fn remove(&self, id: &MemoryId) -> Vec<Edit> {
        let Some(n) = self.position(id) else { return Vec::new() };
        let piece = &self.pieces[n].0;
        let mut edits = vec![Edit { at: piece.at.clone(), with: Vec::new() }];
        // Another line with the same id would take this one's place: it is given the name it goes by.
        for (other, memory) in &self.pieces {
            if let Form::Entry { object, object_at, id: written } = &other.form
                && written == id.as_str()
                && memory.id != *id
            {
                let mut object = object.clone();
                object.insert("id".to_owned(), memory.id.as_str().into());
                let with = json::rewrite(&lossy(&self.bytes[object_at.clone()]).0, &object).into_bytes();
                edits.push(Edit { at: object_at.clone(), with });
            }
        }
        let start = bom(self.bytes);
        let left = apply(self.bytes, &edits);
        if matches!(piece.form, Form::Entry { .. }) && left.get(start..) == Some(header(self.home).as_bytes())
        {
            return vec![Edit { at: start..self.bytes.len(), with: Vec::new() }];
        }
        if !self.keeps_others(&edits, id)
            && let Some(first) = edits.first_mut()
        {
            first.with = format!("{MARK}{}", line_end(self.bytes)).into_bytes();
        }
        edits
    }

    fn restore(&self, id: &MemoryId, raw: &[u8]) -> Vec<Edit> {
        let raw = raw.strip_suffix(b"\n").map_or(raw, |raw| raw.strip_suffix(b"\r").unwrap_or(raw));
        if self.position(id).is_some() || raw.trim_ascii().is_empty() {
            return Vec::new();
        }
        let (pieces, _) = survey(self.home, raw);
        if let [(Piece { form: Form::Entry { object, object_at, id: written }, at, .. }, back)] =
            pieces.as_slice()
            && *at == (0..raw.len())
        {
            let mut line = raw.to_vec();
            if written != id.as_str() {
                let mut object = object.clone();
                object.insert("id".to_owned(), id.as_str().into());
                line.splice(
                    object_at.clone(),
                    json::rewrite(&lossy(&raw[object_at.clone()]).0, &object).into_bytes(),
                );
            }
            let later = self.pieces.iter().find(|(piece, memory)| {
                matches!(piece.form, Form::Entry { .. }) && memory.created > back.created
            });
            return vec![match later {
                Some((piece, _)) => {
                    let with = [&line, line_end(self.bytes).as_bytes()].concat();
                    Edit { at: piece.at.start..piece.at.start, with }
                }
                None => self.at_end(&[&line]),
            }];
        }
        // Text that would run into its neighbour is set apart by a mark.
        let marked = [MARK.as_bytes(), raw];
        for added in [&marked[1..], &marked] {
            let edits = vec![self.at_end(added)];
            if self.memories_after(&edits).iter().any(|memory| memory.id == *id)
                && self.keeps_others(&edits, id)
            {
                return edits;
            }
        }
        let there = self
            .pieces
            .iter()
            .any(|(piece, _)| self.bytes[piece.at.clone()].trim_ascii() == raw.trim_ascii());
        if there { Vec::new() } else { vec![self.at_end(&marked)] }
    }

    fn position(&self, id: &MemoryId) -> Option<usize> {
        self.pieces.iter().position(|(_, memory)| memory.id == *id)
    }

    fn memories_after(&self, edits: &[Edit]) -> Vec<Memory> {
        let after = apply(self.bytes, edits);
        survey(self.home, &after).0.into_iter().map(|(_, memory)| memory).collect()
    }

    /// Whether all memories but this one are the same after the edits.
    fn keeps_others(&self, edits: &[Edit], id: &MemoryId) -> bool {
        let after = self.memories_after(edits);
        let before = self.pieces.iter().map(|(_, memory)| memory);
        before.filter(|memory| memory.id != *id).eq(after.iter().filter(|memory| memory.id != *id))
    }

    /// Adds lines at the end of the file, below a header if it is new and behind a line end if that is missing.
    fn at_end(&self, added: &[&[u8]]) -> Edit {
        let end = line_end(self.bytes);
        let len = self.bytes.len();
        let mut with = Vec::new();
        if len == bom(self.bytes) {
            with.extend_from_slice(header(self.home).as_bytes());
        } else if !self.bytes.ends_with(b"\n") {
            with.extend_from_slice(end.as_bytes());
        }
        for line in added {
            with.extend_from_slice(line);
            with.extend_from_slice(end.as_bytes());
        }
        Edit { at: len..len, with }
    }
}

/// Whether a block already says all that plain text can say of a memory.
fn is_done(piece: &Piece, block: &Memory, memory: &Memory) -> bool {
    let text = matches!(piece.form, Form::Block { .. });
    text && block.title == memory.title && block.body == memory.body && !marked_differently(block, memory)
}
