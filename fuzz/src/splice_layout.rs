//! Any file and any memory. Putting it in: it is found with its text, doing it again changes nothing, and every other
//! memory keeps its bytes. Taking it out: it is gone, the others stay. Setting its bytes back: it is as it was.
//!
//! An input is a file, a text and choices, with the byte 0xFF between them, so that any file is an input as it is.

use memory_core::id::{Key, MemoryId, Tag};
use memory_core::kind::Kind;
use memory_core::layout::{self, Change, Edit, Found, Home};
use memory_core::memory::{Body, Memory, Provenance};
use memory_core::scope::{Scope, Sensitivity, SourceClass};
use memory_core::time::Time;

/// Checks one input.
pub fn check(input: &[u8]) {
    let mut parts = input.splitn(3, |&b| b == 0xFF);
    let file = parts.next().unwrap_or_default();
    let text = String::from_utf8_lossy(parts.next().unwrap_or(b"a text")).into_owned();
    let mut choices = Choices(parts.next().unwrap_or_default());
    let homes = super::homes();
    let home = &homes[choices.below(homes.len())];
    let body = Body::new(&text);
    // The door refuses these.
    if body.is_empty() || text.contains('\0') {
        return;
    }
    let found = layout::read(home, file).found;
    let memory = memory(home, &found, body, &mut choices);
    // Headings and comments alone are no memory unless they stand under an id.
    if memory.id.is_untracked() && !says_something(&memory.body) {
        return;
    }
    let put = put(home, file, &memory);
    let gone = remove(home, &put, &memory);
    // A name that follows from text belongs to text that stands there; it is never written anew.
    if !memory.id.is_untracked() {
        let again = self::put(home, &gone, &memory);
        restore(home, &again, &memory.id);
    }
    if let Some(other) = found.iter().find(|other| other.memory.id != memory.id) {
        both(home, file, &memory, &other.memory);
    }
}

fn says_something(body: &Body) -> bool {
    let silent = |line: &str| line.starts_with('#') || line.starts_with("<!--") || line == "---";
    body.as_str().lines().map(str::trim).any(|line| !line.is_empty() && !silent(line))
}

/// Choices from the end of an input; when it is used up, always the first.
struct Choices<'a>(&'a [u8]);

impl Choices<'_> {
    fn below(&mut self, limit: usize) -> usize {
        let Some((first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        usize::from(*first) % limit.max(1)
    }

    fn yes(&mut self) -> bool {
        self.below(2) == 1
    }
}

/// A memory that belongs into this file: one that stands there with another text, or a new one.
fn memory(home: &Home, found: &[Found], body: Body, choices: &mut Choices<'_>) -> Memory {
    let stands = choices.below(found.len() + 1);
    let mut memory = match found.get(stands.wrapping_sub(1)) {
        Some(found) => Memory { body, ..found.memory.clone() },
        None => fresh(home, body, choices),
    };
    let tracked = !memory.id.is_untracked() && !matches!(home, Home::Page(_));
    if tracked && choices.yes() {
        memory.tags = ["sse", "auto-extract", "日本"].iter().filter_map(|tag| Tag::parse(tag).ok()).collect();
    }
    if tracked && choices.yes() {
        memory.key = Key::parse("a key").ok();
        memory.kind = Kind::Lesson;
        memory.updated = Time(memory.created.0.saturating_add(60_000));
        memory.provenance.sensitivity = Sensitivity::PrivateUser;
        memory.provenance.lineage = MemoryId::parse("1773600000000").into_iter().collect();
    }
    memory
}

fn fresh(home: &Home, body: Body, choices: &mut Choices<'_>) -> Memory {
    let created = Time(1_773_600_000_000 + choices.below(256) as i64 * 3_600_000);
    let id = match home {
        Home::Page(_) => MemoryId::parse(if home.path() == "USER.md" { "user" } else { "project" }),
        Home::Record(id) => Ok(id.clone()),
        Home::Vault { .. } => Ok(MemoryId::from_millis(created.0.unsigned_abs())),
        _ => MemoryId::parse("0b9f3a52"),
    };
    let (kind, scope) = match home {
        Home::Vault { agent, category, .. } => {
            (Kind::of_word(category.as_str()), Scope::Agent(agent.clone()))
        }
        Home::Page(_) if home.path() == "USER.md" => (Kind::Preference, Scope::User),
        Home::Page(_) => (Kind::Context, Scope::Project),
        _ => (Kind::Note, Scope::Project),
    };
    Memory {
        id: id.unwrap_or_else(|_| MemoryId::from_millis(1)),
        kind,
        scope,
        key: None,
        title: None,
        body,
        tags: Vec::new(),
        created,
        updated: created,
        provenance: Provenance::of("cli", SourceClass::Human),
        extra: Default::default(),
    }
}

fn put(home: &Home, file: &[u8], memory: &Memory) -> Vec<u8> {
    let edits = layout::splice(home, file, &[Change::Put(memory)]);
    let after = applied(file, &edits);
    let found = layout::read(home, &after).found;
    let stands = found.iter().filter(|found| found.memory.body == memory.body);
    // Text without an id is named after its words, so after a change it goes by another name.
    let by_name = memory.id.is_untracked() || stands.clone().any(|found| found.memory.id == memory.id);
    assert!(by_name && stands.count() > 0, "{home:?}: `{}` is not found after it was put", memory.id);
    let again = layout::splice(home, &after, &[Change::Put(memory)]);
    // Of several equal texts without ids, the next one takes the name of the one that was changed.
    let renamed = memory.id.is_untracked() && found.iter().any(|found| found.memory.id == memory.id);
    assert!(again.is_empty() || renamed, "{home:?}: putting `{}` a second time changes {again:?}", memory.id);
    others_stay(home, file, &after, &memory.id);
    after
}

fn remove(home: &Home, file: &[u8], memory: &Memory) -> Vec<u8> {
    let before = layout::read(home, file);
    let Some(stands) = before.found.iter().find(|found| found.memory.body == memory.body) else {
        return file.to_vec();
    };
    let id = stands.memory.id.clone();
    let after = applied(file, &layout::splice(home, file, &[Change::Remove(&id)]));
    let reading = layout::read(home, &after);
    let repeated = before.found.iter().filter(|found| found.memory.body == memory.body).count() > 1
        || before.defects.iter().any(|defect| defect.code == "duplicate-id");
    if id.is_untracked() && !repeated {
        let left = reading.found.iter().any(|found| found.memory.body == memory.body);
        assert!(!left, "{home:?}: the text of `{id}` is still there after it was removed");
    } else if !repeated {
        let left = reading.found.iter().any(|found| found.memory.id == id);
        assert!(!left, "{home:?}: `{id}` is still there after it was removed");
        let again = layout::splice(home, &after, &[Change::Remove(&id)]);
        assert!(again.is_empty(), "{home:?}: removing `{id}` a second time changes {again:?}");
    }
    others_stay(home, file, &after, &id);
    after
}

fn restore(home: &Home, file: &[u8], id: &MemoryId) {
    let before = layout::read(home, file);
    let Some(stands) = before.found.iter().find(|found| found.memory.id == *id) else { return };
    if before.defects.iter().any(|defect| defect.code == "duplicate-id") || id.is_untracked() {
        return;
    }
    let raw = &file[stands.place.bytes.clone()];
    let gone = applied(file, &layout::splice(home, file, &[Change::Remove(id)]));
    let back = applied(&gone, &layout::splice(home, &gone, &[Change::Restore(id, raw)]));
    let found = layout::read(home, &back).found;
    let restored = found.iter().find(|found| found.memory.id == *id);
    let memory = restored.map(|found| &found.memory);
    assert_eq!(memory, Some(&stands.memory), "{home:?}: what was removed does not come back");
    let bytes = restored.map(|found| without_end(&back[found.place.bytes.clone()]));
    assert_eq!(bytes, Some(without_end(raw)), "{home:?}: `{id}` comes back with other bytes");
    others_stay(home, &gone, &back, id);
}

/// One put and one removed by the same call.
fn both(home: &Home, file: &[u8], put: &Memory, gone: &Memory) {
    if put.id.is_untracked() || gone.id.is_untracked() || matches!(home, Home::Page(_) | Home::Record(_)) {
        return;
    }
    if layout::read(home, file).defects.iter().any(|defect| defect.code == "duplicate-id") {
        return;
    }
    let after = applied(file, &layout::splice(home, file, &[Change::Put(put), Change::Remove(&gone.id)]));
    let found = layout::read(home, &after).found;
    let stands = found.iter().any(|found| found.memory.id == put.id && found.memory.body == put.body);
    assert!(stands, "{home:?}: `{}` was put together with a removal and is not found", put.id);
    assert!(!found.iter().any(|found| found.memory.id == gone.id), "{home:?}: `{}` was not removed", gone.id);
}

/// Edits lie in the file and do not overlap.
fn applied(file: &[u8], edits: &[Edit]) -> Vec<u8> {
    let mut ordered: Vec<&Edit> = edits.iter().collect();
    ordered.sort_by_key(|edit| (edit.at.start, edit.at.end));
    let mut end = 0;
    for edit in ordered {
        assert!(
            edit.at.start >= end && edit.at.end <= file.len(),
            "edits overlap or leave the file: {edits:?}"
        );
        assert!(edit.at.start <= edit.at.end, "{edits:?}");
        end = edit.at.end;
    }
    layout::apply(file, edits)
}

/// Every memory but this one keeps its bytes, and those with ids read the same.
fn others_stay(home: &Home, before: &[u8], after: &[u8], id: &MemoryId) {
    let reading = layout::read(home, before);
    let now = layout::read(home, after).found;
    // Where an id stands twice, the second entry may have to be given a name of its own.
    if reading.defects.iter().any(|defect| defect.code == "duplicate-id") {
        return;
    }
    for other in reading.found.iter().filter(|found| found.memory.id != *id) {
        let raw = without_end(&before[other.place.bytes.clone()]);
        let stays = after.windows(raw.len().max(1)).any(|window| window == raw);
        assert!(stays, "{home:?}: changing `{id}` lost the bytes of `{}`", other.memory.id);
        if !other.memory.id.is_untracked() {
            let same = now.iter().any(|found| found.memory == other.memory);
            assert!(same, "{home:?}: changing `{id}` changed `{}`", other.memory.id);
        }
    }
}

fn without_end(bytes: &[u8]) -> &[u8] {
    bytes.trim_ascii_end()
}
