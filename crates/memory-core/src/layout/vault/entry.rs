//! One entry as a memory, and a memory as the bytes of an entry.

use serde_json::Map;

use super::super::Defect;
use super::super::home::Home;
use super::super::lines::lossy;
use super::frame::{Block, escape, unescape};
use super::meta::{self, HeaderHolds};
use crate::id::{MemoryId, Tag};
use crate::memory::{Body, Memory, Provenance};
use crate::scope::SourceClass;
use crate::time::Time;

/// The memory that a block holds; `None` for headings and comments alone, which say nothing to remember.
pub(super) fn memory(home: &Home, bytes: &[u8], block: &Block, defects: &mut Vec<Defect>) -> Option<Memory> {
    let (raw, broken) = lossy(&bytes[block.body.clone()]);
    let mut defect =
        |code, what: &str| defects.push(Defect { code, line: block.first_line, what: what.to_owned() });
    if broken {
        defect("invalid-utf8", "the text is not UTF-8 throughout; the bytes are kept as they are");
    }
    let raw = if raw.contains('\r') { raw.replace("\r\n", "\n") } else { raw };
    let body = Body::new(&if block.framed { unescape(&raw) } else { raw });
    let header = block.header.clone().map(|at| lossy(&bytes[at]).0);
    if !block.framed {
        return loose(home, header, body);
    }
    if !block.closed {
        defect("no-end", "the entry has no closing `---`; it is read up to the end");
    }
    let written = block.id.clone().and_then(|at| MemoryId::parse(&lossy(&bytes[at]).0).ok());
    if written.is_none() {
        defect("no-id", "the entry has no id; it is kept under a name that follows from its text");
    }
    let id = written.unwrap_or_else(|| MemoryId::of_text(body.as_str(), 0));
    let heading = header.as_deref().map(Heading::read).unwrap_or_default();
    let created = match heading.date {
        Some(date) => meta::created_of(&id, date),
        None => id.millis().map_or(Time(0), |ms| Time(ms as i64)),
    };
    let mut memory = Memory {
        id,
        kind: home.kind(),
        scope: home.scope(),
        key: None,
        title: heading.title,
        body,
        tags: heading.tags,
        created,
        updated: created,
        provenance: Provenance::of(meta::USUAL_ORIGIN, SourceClass::Human),
        extra: Map::new(),
    };
    if let Some(at) = block.meta.clone()
        && let Err(what) = meta::read_into(&lossy(&bytes[at]).0, &mut memory)
    {
        defect("bad-meta", what);
    }
    (!memory.body.is_empty() || memory.title.is_some()).then_some(memory)
}

/// Hand-written text without a frame.
fn loose(home: &Home, header: Option<String>, body: Body) -> Option<Memory> {
    let says_something = body.as_str().lines().any(|line| {
        let line = line.trim();
        !line.is_empty() && !line.starts_with('#') && !line.starts_with("<!--") && line != "---"
    });
    let title = header.map(|line| line.trim_start_matches('#').trim().to_owned()).filter(|t| !t.is_empty());
    says_something.then(|| Memory {
        id: MemoryId::of_text(body.as_str(), 0),
        kind: home.kind(),
        scope: home.scope(),
        key: None,
        title,
        body,
        tags: Vec::new(),
        created: Time(0),
        updated: Time(0),
        provenance: Provenance::of("file", SourceClass::HumanEdit),
        extra: Map::new(),
    })
}

/// What a heading line says.
#[derive(Debug, Default)]
pub(super) struct Heading {
    pub(super) date: Option<Time>,
    pub(super) tags: Vec<Tag>,
    pub(super) title: Option<String>,
}

impl Heading {
    pub(super) fn read(line: &str) -> Self {
        let text = line.trim_start_matches("## ").trim();
        let (date, tags) = text.split_once(" · ").unwrap_or((text, ""));
        let Some(date) = Time::parse(date) else {
            let title = (!text.is_empty()).then(|| text.to_owned());
            return Self { title, ..Self::default() };
        };
        let words = tags.split_whitespace().filter_map(|word| word.strip_prefix('#'));
        Self { date: Some(date), tags: words.filter_map(|word| Tag::parse(word).ok()).collect(), title: None }
    }
}

/// The heading line of a memory.
pub(super) fn heading(memory: &Memory) -> String {
    let mut line = format!("## {}", memory.created.minute());
    for (n, tag) in memory.tags.iter().enumerate() {
        line.push_str(if n == 0 { " · #" } else { " #" });
        line.push_str(tag.as_str());
    }
    line
}

/// The whole entry, from its id line to its `---`, with LF line ends.
pub(super) fn render(home: &Home, memory: &Memory) -> String {
    let mut out = format!("<!-- id:{} -->\n{}\n", memory.id, heading(memory));
    if let Some(line) = meta::line(home, memory, HeaderHolds::DateAndTags) {
        out.push_str(&line);
        out.push('\n');
    }
    out.push('\n');
    out.push_str(&escape(memory.body.as_str()));
    out.push_str("\n\n---");
    out
}
