//! The one metadata line of an entry: what differs from the default, as JSON inside a comment.

use serde_json::{Map, Value};

use super::super::home::Home;
use crate::id::{Key, MemoryId, SessionId, Tag, TurnId};
use crate::kind::Kind;
use crate::memory::{Confidence, Memory};
use crate::scope::{Scope, Sensitivity, SourceClass};
use crate::time::Time;

/// The surface an entry came through when it does not say.
pub(super) const USUAL_ORIGIN: &str = "cli";

/// The line for a memory, or `None` when everything is as usual. `header` says what the heading tells already.
pub(super) fn line(home: &Home, memory: &Memory, header: HeaderHolds) -> Option<String> {
    let mut fields = Map::new();
    let mut put = |name: &str, value: Value| fields.insert(name.to_owned(), value);
    if let Some(title) = memory.title.as_ref().filter(|_| header != HeaderHolds::Title) {
        put("title", title.as_str().into());
    }
    if let Some(key) = &memory.key {
        put("key", key.as_str().into());
    }
    if memory.kind != home.kind() {
        put("kind", memory.kind.word().into());
    }
    if memory.scope != home.scope() {
        put("scope", memory.scope.to_string().into());
    }
    let told = match header {
        HeaderHolds::DateAndTags => told_by(&memory.id, memory.created),
        HeaderHolds::Title | HeaderHolds::Nothing => memory.id.millis().map(|ms| Time(ms as i64)),
    };
    if told != Some(memory.created) && memory.created != Time(0) {
        put("created", memory.created.iso().into());
    }
    if memory.updated != memory.created {
        put("updated", memory.updated.iso().into());
    }
    if header != HeaderHolds::DateAndTags && !memory.tags.is_empty() {
        put("tags", memory.tags.iter().map(|tag| Value::from(tag.as_str())).collect());
    }
    let from = &memory.provenance;
    if from.origin != USUAL_ORIGIN {
        put("origin", from.origin.as_str().into());
    }
    if from.class != SourceClass::Human {
        put("class", from.class.word().into());
    }
    if let Some(session) = &from.session {
        put("session", session.as_str().into());
    }
    if let Some(turn) = &from.turn {
        put("turn", turn.as_str().into());
    }
    if let Some(event) = &from.event {
        put("event", event.as_str().into());
    }
    if !from.lineage.is_empty() {
        put("from", from.lineage.iter().map(|id| Value::from(id.as_str())).collect());
    }
    if let Some(confidence) = from.confidence {
        put("confidence", f64::from(confidence).into());
    }
    if from.sensitivity != Sensitivity::default() {
        put("sensitivity", from.sensitivity.word().into());
    }
    if !memory.extra.is_empty() {
        put("extra", Value::Object(memory.extra.clone()));
    }
    if fields.is_empty() {
        return None;
    }
    // A comment ends at its first `-->`, so neither `>` nor a pair of hyphens may stand in it as such.
    let json = Value::Object(fields).to_string().replace('>', "\\u003e").replace("--", "-\\u002d");
    Some(format!("<!-- meta:{json} -->"))
}

/// What the heading line of an entry says by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum HeaderHolds {
    DateAndTags,
    Title,
    Nothing,
}

/// The creation time that an id and a dated heading tell a reader, when the heading was written for `created`.
fn told_by(id: &MemoryId, created: Time) -> Option<Time> {
    Some(created_of(id, Time(minute(created) * 60_000)))
}

/// The creation time: the id's milliseconds where they agree with the heading's minute, else the heading.
pub(super) fn created_of(id: &MemoryId, header: Time) -> Time {
    match id.millis().map(|ms| Time(ms as i64)) {
        Some(exact) if minute(exact) == minute(header) => exact,
        _ => header,
    }
}

fn minute(time: Time) -> i64 {
    time.0.div_euclid(60_000)
}

/// Whether a line is meant as metadata, be it broken.
pub(super) fn is_meant(line: &[u8]) -> bool {
    inside(line).is_some()
}

fn inside(line: &[u8]) -> Option<&[u8]> {
    line.trim_ascii().strip_prefix(b"<!--")?.trim_ascii_start().strip_prefix(b"meta:")?.strip_suffix(b"-->")
}

/// Takes over what a metadata line says. Unknown fields survive in `extra`. Of what is unclear the stricter reading
/// wins, and it is told.
pub(super) fn read_into(line: &str, memory: &mut Memory) -> Result<(), &'static str> {
    let json =
        inside(line.as_bytes()).and_then(|json| serde_json::from_slice::<Map<String, Value>>(json).ok());
    let Some(fields) = json else {
        memory.provenance.take_strictly(line);
        return Err("the metadata line is not JSON; until it is corrected the entry is not trusted");
    };
    let mut updated = None;
    let mut unclear = Ok(());
    // Items of lists that cannot be read, by the name of their list.
    let mut unread: Vec<(String, Vec<Value>)> = Vec::new();
    for (name, value) in fields {
        let text = value.as_str();
        let time = text.and_then(Time::parse);
        let taken = match name.as_str() {
            "title" => text.map(|title| memory.title = Some(title.to_owned())),
            "key" => text.and_then(|key| Key::parse(key).ok()).map(|key| memory.key = Some(key)),
            "kind" => text.map(|word| memory.kind = Kind::of_word(word)),
            "scope" => {
                text.and_then(|s| Scope::try_from(s.to_owned()).ok()).map(|scope| memory.scope = scope)
            }
            "created" => time.map(|time| memory.created = time),
            "updated" => time.map(|time| updated = Some(time)),
            "tags" => value.as_array().map(|all| {
                let (tags, odd) = sorted(all, |tag| Tag::parse(tag).ok());
                memory.tags = tags;
                unread.push((name.clone(), odd));
            }),
            "origin" => text.map(|origin| memory.provenance.origin = origin.to_owned()),
            "class" => {
                let class = text.and_then(SourceClass::of_word);
                if class.is_none() {
                    unclear = Err("the metadata line has an unknown class; the entry counts as untrusted");
                }
                memory.provenance.class = class.unwrap_or(SourceClass::Untrusted);
                Some(())
            }
            "session" => {
                text.and_then(|id| SessionId::parse(id).ok()).map(|id| memory.provenance.session = Some(id))
            }
            "turn" => text.and_then(|id| TurnId::parse(id).ok()).map(|id| memory.provenance.turn = Some(id)),
            "event" => text.map(|event| memory.provenance.event = Some(event.to_owned())),
            "from" => value.as_array().map(|all| {
                let (ids, odd) = sorted(all, |id| MemoryId::parse(id).ok());
                memory.provenance.lineage = ids;
                unread.push((name.clone(), odd));
            }),
            "confidence" => {
                value.as_f64().map(|share| memory.provenance.confidence = Some(Confidence::from(share)))
            }
            "sensitivity" => {
                let sensitivity = text.and_then(Sensitivity::of_word);
                if sensitivity.is_none() {
                    unclear = Err("the metadata line has an unknown sensitivity; the entry counts as secret");
                }
                memory.provenance.sensitivity = sensitivity.unwrap_or(Sensitivity::Secret);
                Some(())
            }
            "extra" => value.as_object().map(|extra| memory.extra.extend(extra.clone())),
            _ => None,
        };
        if taken.is_none() {
            memory.extra.insert(name, value);
        }
    }
    for (name, odd) in unread.into_iter().filter(|(_, odd)| !odd.is_empty()) {
        unclear =
            unclear.and(Err("the metadata line has a tag or an id that is none; it is carried along unread"));
        match memory.extra.get_mut(&name) {
            Some(Value::Array(known)) => known.extend(odd),
            _ => drop(memory.extra.insert(name, Value::Array(odd))),
        }
    }
    memory.updated = updated.unwrap_or(memory.created);
    unclear
}

/// The items of a list that can be read, and those that cannot.
fn sorted<T>(all: &[Value], read: impl Fn(&str) -> Option<T>) -> (Vec<T>, Vec<Value>) {
    let (mut items, mut odd) = (Vec::new(), Vec::new());
    for value in all {
        match value.as_str().and_then(&read) {
            Some(item) => items.push(item),
            None => odd.push(value.clone()),
        }
    }
    (items, odd)
}
