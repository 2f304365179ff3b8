//! Records: one file for each memory, JSON between two `---` lines in front of the text.
//!
//! The file's name is the id. A file without readable front matter is still a memory, all of it text. A change
//! touches the JSON members and the text that differ and nothing else; byte order mark and line ends stay.

pub(super) mod fields;
pub(super) mod json;
mod members;
mod slug;
#[cfg(test)]
pub(super) mod strategies;
#[cfg(test)]
mod tests;
mod values;

use std::ops::Range;

use serde_json::{Map, Value};

use self::fields::{RECORD, marked_differently, untold};
pub use self::slug::record_id;
use super::lines::{bom, line_end, lines, lossy, with_line_end};
use super::{Change, Defect, Edit, Found, Home, Place, Reading};
use crate::id::MemoryId;
use crate::memory::{Body, Memory};
use crate::scope::SourceClass;
use crate::time::Time;

/// Reads a record.
pub(super) fn read(home: &Home, bytes: &[u8]) -> Reading {
    let Home::Record(id) = home else { return Reading::default() };
    let mut defects = Vec::new();
    if is_blank(bytes) {
        if !bytes.is_empty() {
            defects.push(Defect {
                code: "record-empty",
                line: 1,
                what: "the record is blank, remove the file".to_owned(),
            });
        }
        return Reading { found: Vec::new(), defects };
    }
    let memory = match Front::of(bytes) {
        Ok(front) => {
            let (memory, problems) = front.memory(home, id, bytes);
            if let Some(given) = front.object.get("id").filter(|given| given.as_str() != Some(id.as_str())) {
                let given = values::shown(given);
                let what = format!("the front matter says id {given}, the file name `{id}` counts");
                defects.push(Defect { code: "record-id-differs", line: 2, what });
            }
            defects.extend(problems.into_iter().map(|what| Defect {
                code: "record-bad-field",
                line: 2,
                what,
            }));
            memory
        }
        Err(defect) => {
            defects.push(defect);
            plain(home, id, bytes)
        }
    };
    defects.extend(not_utf8(bytes));
    Reading { found: vec![Found { memory, place: whole(bytes) }], defects }
}

/// The edits of one change to a record; none for a memory that belongs into another file.
pub(super) fn splice(home: &Home, bytes: &[u8], change: &Change<'_>) -> Vec<Edit> {
    let Home::Record(id) = home else { return Vec::new() };
    let empty = is_blank(bytes);
    match *change {
        Change::Put(memory) if memory.id == *id => put(home, bytes, memory),
        Change::Remove(gone) if gone == id && !empty => vec![Edit { at: 0..bytes.len(), with: Vec::new() }],
        Change::Restore(back, raw) if back == id && empty => {
            vec![Edit { at: 0..bytes.len(), with: raw.to_vec() }]
        }
        _ => Vec::new(),
    }
}

/// The place that is all of a file.
pub(super) fn whole(bytes: &[u8]) -> Place {
    Place { bytes: 0..bytes.len(), first_line: 1, last_line: lines(bytes).count().max(1) }
}

/// Says where a file stops being UTF-8, if it does.
pub(super) fn not_utf8(bytes: &[u8]) -> Option<Defect> {
    let error = std::str::from_utf8(bytes).err()?;
    let line = 1 + bytes.iter().take(error.valid_up_to()).filter(|&&b| b == b'\n').count();
    let what = "the bytes here are not UTF-8 and show as `\u{fffd}`, save the file as UTF-8".to_owned();
    Some(Defect { code: "invalid-utf8", line, what })
}

/// Whether a file says nothing.
pub(super) fn is_blank(bytes: &[u8]) -> bool {
    lossy(&bytes[bom(bytes)..]).0.trim().is_empty()
}

/// What is said of front matter that cannot be read.
const BAD_JSON: &str = "record-bad-json";

/// The front matter of a record and where the text begins.
struct Front {
    object: Map<String, Value>,
    /// The bytes from `{` to `}`.
    object_at: Range<usize>,
    /// The first byte after the closing line.
    body_from: usize,
}

impl Front {
    fn of(bytes: &[u8]) -> Result<Self, Defect> {
        let missing = || Defect {
            code: "record-no-front-matter",
            line: 1,
            what: "the record has no JSON between two `---` lines in front, all of it is taken as text"
                .to_owned(),
        };
        let mut lines = lines(bytes);
        let is_fence = |text: &[u8]| text.trim_ascii_end() == b"---";
        let open = lines.next().filter(|line| is_fence(line.text)).ok_or_else(missing)?;
        // A JSON string cannot hold a raw line end, so the first such line closes the front matter.
        let close = lines.find(|line| is_fence(line.text)).ok_or_else(missing)?;
        let region = &bytes[open.at.end..close.at.start];
        let object: Map<String, Value> = serde_json::from_slice(region).map_err(|error| Defect {
            code: BAD_JSON,
            line: 1 + error.line(),
            what: "the front matter is no JSON object, all of the file is taken as text that is not trusted, correct it here"
                .to_owned(),
        })?;
        let is_space = |b: &u8| b" \t\r\n".contains(b);
        let start = open.at.end + region.iter().take_while(|b| is_space(b)).count();
        let end = close.at.start - region.iter().rev().take_while(|b| is_space(b)).count();
        Ok(Self { object, object_at: start..end, body_from: close.at.end })
    }

    fn memory(&self, home: &Home, id: &MemoryId, bytes: &[u8]) -> (Memory, Vec<String>) {
        let body = Body::new(&lossy(&bytes[self.body_from..]).0);
        RECORD.read(&self.object, untold(home, id.clone(), body, SourceClass::Human, day_of(id)))
    }
}

/// A record without readable front matter.
fn plain(home: &Home, id: &MemoryId, bytes: &[u8]) -> Memory {
    let body = Body::new(&lossy(&bytes[bom(bytes)..]).0);
    let mut memory = untold(home, id.clone(), body, SourceClass::HumanEdit, day_of(id));
    if Front::of(bytes).is_err_and(|defect| defect.code == BAD_JSON) {
        memory.provenance.take_strictly(memory.body.as_str());
    }
    memory
}

/// The day with which an id begins.
fn day_of(id: &MemoryId) -> Time {
    let day = id.as_str().get(..10).filter(|day| day.as_bytes()[4] == b'-' && day.as_bytes()[7] == b'-');
    day.and_then(Time::parse).unwrap_or_default()
}

fn put(home: &Home, bytes: &[u8], memory: &Memory) -> Vec<Edit> {
    if is_blank(bytes) {
        return vec![Edit { at: bom(bytes)..bytes.len(), with: fresh(memory, "\n") }];
    }
    let Ok(front) = Front::of(bytes) else { return put_over_plain(home, bytes, memory) };
    let old = front.memory(home, &memory.id, bytes).0;
    let mut edits = Vec::new();
    let text = lossy(&bytes[front.object_at.clone()]).0;
    let changed = json::rewrite(&text, &RECORD.change(&front.object, &old, memory));
    if changed != text {
        edits.push(Edit { at: front.object_at.clone(), with: changed.into_bytes() });
    }
    if old.body != memory.body {
        edits.push(put_body(bytes, front.body_from, &memory.body));
    }
    edits
}

fn put_body(bytes: &[u8], from: usize, body: &Body) -> Edit {
    if body.is_empty() {
        return Edit { at: from..bytes.len(), with: Vec::new() };
    }
    let end = line_end(bytes);
    let mut with = with_line_end(body.as_str(), end);
    with.extend_from_slice(end.as_bytes());
    let rest = bytes[from..].split_inclusive(|&b| b == b'\n');
    let blank: usize = rest.take_while(|line| lossy(line).0.trim().is_empty()).map(<[u8]>::len).sum();
    let start = from + blank;
    if start < bytes.len() {
        return Edit { at: start..bytes.len(), with };
    }
    let closed = bytes[..from].ends_with(b"\n");
    let gap = if closed { end.to_owned() } else { end.repeat(2) };
    with.splice(0..0, gap.bytes());
    Edit { at: from..bytes.len(), with }
}

/// Changes a file that has no front matter: its text stays plain as long as plain text can say what is new.
fn put_over_plain(home: &Home, bytes: &[u8], memory: &Memory) -> Vec<Edit> {
    let old = plain(home, &memory.id, bytes);
    let marked = marked_differently(&old, memory) || old.title != memory.title;
    let start = bom(bytes);
    let end = line_end(bytes);
    if old.body == memory.body {
        let with = with_line_end(&format!("{}\n", front_matter(memory)), end);
        return if marked { vec![Edit { at: start..start, with }] } else { Vec::new() };
    }
    let mut with = with_line_end(memory.body.as_str(), end);
    with.extend_from_slice(end.as_bytes());
    let after = [&bytes[..start], &with].concat();
    let then = plain(home, &memory.id, &after);
    if marked
        || Front::of(&after).is_ok()
        || is_blank(&after)
        || then.body != memory.body
        || marked_differently(&then, memory)
        || then.provenance.class > memory.provenance.class
    {
        with = fresh(memory, end);
    }
    vec![Edit { at: start..bytes.len(), with }]
}

/// The bytes of a new record.
fn fresh(memory: &Memory, end: &str) -> Vec<u8> {
    let mut text = front_matter(memory);
    if !memory.body.is_empty() {
        text.push_str(&format!("\n{}\n", memory.body.as_str()));
    }
    with_line_end(&text, end)
}

fn front_matter(memory: &Memory) -> String {
    format!("---\n{:#}\n---\n", Value::Object(RECORD.write(memory)))
}
