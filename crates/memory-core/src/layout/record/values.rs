//! Single JSON values as parts of a memory: each is understood or says in a few words why not.

use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

use crate::id::{IdError, MemoryId, Tag};
use crate::kind::Kind;
use crate::memory::{Body, Memory};
use crate::scope::{Sensitivity, SourceClass};
use crate::time::Time;

/// A value as messages show it: never long.
pub(super) fn shown(value: &Value) -> String {
    let text = value.to_string();
    if text.chars().count() <= 60 { text } else { text.chars().take(60).chain(['…']).collect() }
}

/// A text.
pub(super) fn text(value: &Value) -> Result<&str, String> {
    value.as_str().ok_or_else(|| "is no text".to_owned())
}

/// An identifier, or why it is none.
pub(super) fn valid<T>(parsed: Result<T, IdError>) -> Result<T, String> {
    parsed.map_err(|error| format!("is left out: {error}"))
}

/// A point in time as ISO text or as milliseconds; one that cannot be shown is the nearest that can.
pub(super) fn time(value: &Value) -> Result<Time, String> {
    let millis = value.as_i64().or_else(|| value.as_f64().map(|millis| millis as i64));
    let millis = millis.map(|millis| Time(millis).clamped());
    millis
        .or_else(|| value.as_str().and_then(Time::parse))
        .ok_or_else(|| format!("is no time: {}", shown(value)))
}

pub(super) fn class(value: &Value) -> Result<SourceClass, String> {
    let known = value.as_str().and_then(|word| SourceClass::of_word(&folded(word)));
    known.ok_or_else(|| format!("is no source class, taken for `untrusted`: {}", shown(value)))
}

pub(super) fn sensitivity(value: &Value) -> Result<Sensitivity, String> {
    let known = value.as_str().and_then(|word| Sensitivity::of_word(&folded(word)));
    known.ok_or_else(|| {
        format!("is none of public, operational, private-user, secret, taken for `secret`: {}", shown(value))
    })
}

fn folded(word: &str) -> String {
    word.trim().to_lowercase().replace('_', "-")
}

/// The word that stands in the file for the memory's kind: another system's own, as long as it means the same.
pub(super) fn kind_word<'a>(name: &str, memory: &'a Memory) -> &'a str {
    let own = memory.extra.get(name).and_then(Value::as_str);
    own.filter(|word| Kind::of_word(word) == memory.kind).unwrap_or(memory.kind.word())
}

pub(super) fn tag(value: &Value) -> Result<Tag, String> {
    valid(Tag::parse(text(value)?))
}

pub(super) fn id(value: &Value) -> Result<MemoryId, String> {
    valid(MemoryId::parse(text(value)?))
}

pub(super) fn tags(value: &Value, into: &mut Vec<Tag>) -> Result<(), String> {
    list(value, into, tag)
}

pub(super) fn ids(value: &Value, into: &mut Vec<MemoryId>) -> Result<(), String> {
    list(value, into, id)
}

/// Takes every item that can be read; the first that cannot is the answer.
fn list<T>(value: &Value, into: &mut Vec<T>, item: fn(&Value) -> Result<T, String>) -> Result<(), String> {
    let items = value.as_array().ok_or("is no list")?;
    let mut wrong = Ok(());
    for value in items {
        match item(value) {
            Ok(item) => into.push(item),
            Err(why) if wrong.is_ok() => wrong = Err(format!("has an item that {why}")),
            Err(_) => {}
        }
    }
    wrong
}

/// The digest that records carry of their text, so that other programs see duplicates without reading the body.
pub(super) fn digest(body: &Body) -> String {
    Sha256::digest(body.as_str().as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The object under a name.
pub(super) fn object_at<'a>(object: &'a Map<String, Value>, name: &str) -> Option<&'a Map<String, Value>> {
    object.get(name).and_then(Value::as_object)
}
