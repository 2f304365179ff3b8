//! The vault layout against the reference's recordings, hand-made odd files, and arbitrary text.

use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::Map;

use super::super::{Change, Home, apply, read, splice};
use crate::id::{AgentId, Category, Key, MemoryId, SessionId, Tag};
use crate::kind::Kind;
use crate::memory::{Body, Confidence, Memory, Provenance};
use crate::scope::{Scope, Sensitivity, SourceClass};
use crate::time::Time;

fn home() -> Home {
    Home::vault(AgentId::parse("dev").unwrap(), Category::parse("decisions").unwrap())
}

fn memory(id: u64, text: &str) -> Memory {
    let created = Time(id as i64);
    Memory {
        id: MemoryId::from_millis(id),
        kind: Kind::Decision,
        scope: Scope::Agent(AgentId::parse("dev").unwrap()),
        key: None,
        title: None,
        body: Body::new(text),
        tags: Vec::new(),
        created,
        updated: created,
        provenance: Provenance::of("cli", SourceClass::Human),
        extra: Map::new(),
    }
}

fn put(bytes: &[u8], memory: &Memory) -> Vec<u8> {
    apply(bytes, &splice(&home(), bytes, &[Change::Put(memory)]))
}

fn remove(bytes: &[u8], id: &MemoryId) -> Vec<u8> {
    apply(bytes, &splice(&home(), bytes, &[Change::Remove(id)]))
}

/// `id | date | tags | text` of each memory, for comparing with what is expected.
fn check(input: &str, expect: &[(&str, &str, &str, &str)]) {
    let reading = read(&home(), input.as_bytes());
    let got: Vec<_> = reading
        .found
        .iter()
        .map(|found| {
            let memory = &found.memory;
            let id = if memory.id.is_untracked() { "~" } else { memory.id.as_str() };
            let date = if memory.created == Time(0) { String::new() } else { memory.created.minute() };
            let tags = memory.tags.iter().map(Tag::as_str).collect::<Vec<_>>().join(" ");
            (id.to_owned(), date, tags, memory.body.as_str().to_owned())
        })
        .collect();
    let expect: Vec<_> =
        expect.iter().map(|e| (e.0.to_owned(), e.1.to_owned(), e.2.to_owned(), e.3.to_owned())).collect();
    assert_eq!(got, expect, "{input:?} {:?}", reading.defects);
}

#[test]
fn bytes_are_those_of_the_reference() {
    let mut one = memory(1_794_722_322_304, "We decided…");
    one.tags = vec![Tag::parse("sse").unwrap(), Tag::parse("architecture").unwrap()];
    let file = put(b"", &one);
    let entry = "<!-- id:1794722322304 -->\n## 2026-11-15T05:58 · #sse #architecture\n\nWe decided…\n\n---";
    assert_eq!(String::from_utf8(file.clone()).unwrap(), entry);
    let two = put(&file, &memory(1_794_722_322_305, "second"));
    let newer = "<!-- id:1794722322305 -->\n## 2026-11-15T05:58\n\nsecond\n\n---";
    assert_eq!(String::from_utf8(two.clone()).unwrap(), format!("{newer}\n\n{entry}"));
    let one_left = remove(&two, &one.id);
    assert_eq!(String::from_utf8(one_left.clone()).unwrap(), newer);
    assert_eq!(remove(&one_left, &MemoryId::from_millis(1_794_722_322_305)), b"");
}

/// The cases recorded from the reference's parser, with the answers that lose nothing.
#[test]
fn cases_of_the_reference_parser_without_its_losses() {
    let date = "2026-03-16T16:51";
    check(
        "<!-- id:5 -->\n## 2026-03-16T16:51 · #react #type-script #ação\n\nbody #x\n\n---",
        &[("5", date, "react type-script ação", "body #x")],
    );
    check(
        "<!-- id:5 -->\r\n## 2026-03-16T16:51 · #a #b\r\n\r\nbody\r\n\r\n---\r\n\r\n<!-- id:6 -->\r\n## 2026-03-16T16:52\r\n\r\nbody2\r\n\r\n---",
        &[("5", date, "a b", "body"), ("6", "2026-03-16T16:52", "", "body2")],
    );
    check("- [ ] my hand written task\n", &[("~", "", "", "- [ ] my hand written task")]);
    check("# Lessons\n\n<!-- id:5 -->\n## 2026-03-16T16:51\n\nbody\n\n---\n", &[("5", date, "", "body")]);
    check("<!-- id:5 -->\n## 2026-03-16T16:51\n\na\n---\nb\n\n---", &[("5", date, "", "a\n---\nb")]);
    check("<!-- id:5 -->\n## 2026-03-16T16:51\n\na\n----\nb\n\n---", &[("5", date, "", "a\n----\nb")]);
    check(
        "<!-- id:5 -->\n## 2026-03-16T16:51\n\n| a |\n|---|\n| 1 |\n\n---",
        &[("5", date, "", "| a |\n|---|\n| 1 |")],
    );
    check("<!-- id:5 -->\n## 2026-03-16T16:51:09.123Z · #a\n\nbody\n\n---", &[("5", date, "a", "body")]);
    let titled = read(&home(), b"<!-- id:5 -->\n## Title of lesson\n\nbody\n\n---");
    assert_eq!(titled.found[0].memory.title.as_deref(), Some("Title of lesson"));
    assert_eq!(titled.found[0].memory.body.as_str(), "body");
}

#[test]
fn text_around_entries_is_readable_and_stays_apart() {
    let date = "2026-03-16T16:51";
    let entry = "<!-- id:5 -->\n## 2026-03-16T16:51\n\nbody\n\n---";
    check(
        &format!("{entry}\n\n- [ ] added by hand\n"),
        &[("5", date, "", "body"), ("~", "", "", "- [ ] added by hand")],
    );
    check(
        &format!("{entry}\n\nbetween\n\n{}", entry.replace("id:5", "id:4")),
        &[("5", date, "", "body"), ("~", "", "", "between"), ("4", date, "", "body")],
    );
    check(
        "intro\n\n## One\n\nfirst\n\n## Two\nsecond",
        &[("~", "", "", "intro"), ("~", "", "", "first"), ("~", "", "", "second")],
    );
    // Without its id an entry is still an entry, and so is one whose end is missing.
    check(
        &format!("{entry}\n\n## 2026-03-16T16:51\n\nno id\n\n---"),
        &[("5", date, "", "body"), ("~", date, "", "no id")],
    );
    check("<!-- id:5 -->\n## 2026-03-16T16:51\n\nno end", &[("5", date, "", "no end")]);
    check(&format!("{entry}\n\n{entry}"), &[("5", date, "", "body"), ("~", date, "", "body")]);
    check("", &[]);
    check("\u{feff}", &[]);
    check("# Only a heading\n\n<!-- a comment -->\n", &[]);
}

#[test]
fn places_are_lines_and_bytes() {
    let text = "# Head\n\n<!-- id:5 -->\n## 2026-03-16T16:51\n\nbody\n\n---\n\nloose\n";
    let reading = read(&home(), text.as_bytes());
    let places: Vec<_> = reading
        .found
        .iter()
        .map(|f| (f.place.first_line, f.place.last_line, &text[f.place.bytes.clone()]))
        .collect();
    assert_eq!(places[0], (3, 8, "<!-- id:5 -->\n## 2026-03-16T16:51\n\nbody\n\n---"));
    assert_eq!(places[1], (10, 10, "loose"));
}

#[test]
fn a_body_that_looks_like_a_frame_stays_one_entry() {
    for body in [
        "a\n---\nb",
        "a\n\n---\n\nb",
        "a\n\n---\n\n<!-- id:1 -->\n## 2020-01-01T00:00\n\nforged\n\n---",
        "<!-- id:1 -->",
        "<!-- id:1 -->\n## 2020-01-01T00:00 · #x\n\ny",
        "## 2020-01-01\n\nx",
        "## 2020-01-01T00:00\n\nx",
        "---\n\n## 2020-01-01T00:00",
        "---",
        "a\n\n---\n\n---\n<!-- id:9 -->",
        "\\---\n<!-- id:1 -->",
        "<!-- meta:{\"class\":\"human\"} -->\nx",
        "> quote\n\n---",
    ] {
        let first = memory(1_794_722_322_304, "older");
        let file = put(&put(b"", &first), &memory(1_794_722_322_400, body));
        let reading = read(&home(), &file);
        let bodies: Vec<_> = reading.found.iter().map(|f| f.memory.body.as_str()).collect();
        assert_eq!(bodies, [body, "older"], "{}", String::from_utf8_lossy(&file));
        assert_eq!(reading.defects, []);
    }
}

#[test]
fn hand_written_text_survives_every_change() {
    let odd: &[u8] = b"\xEF\xBB\xBF# Tasks\r\n\r\n- [ ] by hand\r\n\xFF\xFE broken\r\n\r\n<!-- id:5 -->\r\n## Untitled thing\r\n\r\nbody\r\n\r\n---\r\n\r\ntail  \r\n";
    let new = memory(1_794_722_322_304, "two\nlines");
    let added = put(odd, &new);
    let inserted = b"<!-- id:1794722322304 -->\r\n## 2026-11-15T05:58\r\n\r\ntwo\r\nlines\r\n\r\n---\r\n\r\n";
    let at = odd.windows(8).position(|w| w == b"<!-- id:").unwrap();
    assert_eq!(added, [&odd[..at], inserted, &odd[at..]].concat());
    assert_eq!(remove(&added, &new.id), odd);
    // Editing the entry with the unknown heading changes its text and its metadata line alone.
    let mut edited = read(&home(), odd).found[1].memory.clone();
    assert_eq!(edited.id.as_str(), "5");
    edited.body = Body::new("changed");
    let after = put(odd, &edited);
    assert_eq!(String::from_utf8_lossy(&after), String::from_utf8_lossy(odd).replacen("body", "changed", 1));
}

#[test]
fn an_entry_begins_on_a_line_of_its_own_after_a_lone_carriage_return() {
    let new = memory(1_773_600_000_000, "x");
    for file in ["a\r\n\r\n\r", "\r", "a\r", "a\n\n ", " "] {
        let reading = read(&home(), &put(file.as_bytes(), &new));
        assert!(reading.found.iter().any(|found| found.memory == new), "{file:?}");
    }
}

#[test]
fn hand_written_memories_can_be_edited_and_removed() {
    let text = b"# Tasks\n\n- [ ] one\n\n## Later\n\n- [ ] two\n";
    let reading = read(&home(), text);
    let mut first = reading.found[0].memory.clone();
    let second = reading.found[1].memory.clone();
    assert_eq!(second.title.as_deref(), Some("Later"));
    assert_eq!(remove(text, &second.id), b"# Tasks\n\n- [ ] one\n\n");
    let stale = first.clone();
    first.body = Body::new(&first.body.as_str().replace("[ ]", "[x]"));
    let after = put(text, &first);
    assert_eq!(after, b"# Tasks\n\n- [x] one\n\n## Later\n\n- [ ] two\n");
    // Replaying the change over the changed file does nothing: the name it was for is gone.
    assert_eq!(put(&after, &stale), after);
}

prop_compose! {
    fn any_memory()(
        id in 1_500_000_000_000_u64..1_900_000_000_000,
        text in body_text(),
        tags in vec("[a-z0-9é日_-]{1,8}", 0..4),
        title in proptest::option::of("[^\\x00-\\x1f]{1,20}"),
        key in proptest::option::of("[a-z>-]{1,12}"),
        late in 0_i64..200_000,
        class in 0_usize..SourceClass::ALL.len(),
        sensitivity in 0_usize..Sensitivity::ALL.len(),
        confidence in proptest::option::of(0.0_f64..1.0),
        kind in 0_usize..12,
    ) -> Memory {
        let mut memory = memory(id, &text);
        memory.tags = tags.iter().filter_map(|tag| Tag::parse(tag).ok()).collect();
        memory.title = title.filter(|t| !t.trim().is_empty());
        memory.key = key.and_then(|key| Key::parse(&key).ok());
        memory.kind = Kind::all().nth(kind).unwrap_or_default();
        memory.created = Time(memory.created.0 - late);
        memory.updated = Time(memory.created.0 + late / 2);
        memory.provenance.class = SourceClass::ALL[class];
        memory.provenance.sensitivity = Sensitivity::ALL[sensitivity];
        memory.provenance.confidence = confidence.map(Confidence::from);
        if late % 2 == 0 {
            memory.provenance.session = SessionId::parse("s--> 1").ok();
            memory.provenance.lineage = vec![MemoryId::from_millis(id - 1)];
            memory.extra.insert("other".into(), serde_json::json!({"a": ["-->", 1]}));
        }
        memory
    }
}

/// Arbitrary text that is rich in what could be taken for a frame.
fn body_text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        3 => any::<String>(),
        2 => Just("---".to_owned()),
        1 => Just("\\---".to_owned()),
        2 => Just("<!-- id:1 -->".to_owned()),
        1 => Just("<!-- id:1773679871839 -->\n## 2026-03-16T16:51 · #a".to_owned()),
        1 => Just("## 2020-01-01T00:00".to_owned()),
        1 => Just("<!-- meta:{\"key\":\"x\"} -->".to_owned()),
        2 => Just(String::new()),
    ];
    vec(piece, 1..7).prop_map(|pieces| pieces.join("\n")).prop_filter("empty", |t| !Body::new(t).is_empty())
}

/// Files as people and other programs leave them.
fn any_file() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        vec(any::<u8>(), 0..200),
        body_text().prop_map(String::into_bytes),
        vec(any_memory(), 0..4)
            .prop_map(|all| all.iter().fold(Vec::new(), |file, memory| put(&file, memory))),
        (body_text(), any_memory(), body_text()).prop_map(|(a, m, b)| [
            a.as_bytes(),
            b"\n\n",
            &put(b"", &m),
            b"\n\n",
            b.as_bytes()
        ]
        .concat()),
        any_memory().prop_map(|m| String::from_utf8_lossy(&put(b"", &m)).replace('\n', "\r\n").into_bytes()),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn what_is_written_is_read(all in vec(any_memory(), 1..5)) {
        let mut file = Vec::new();
        let mut expect: Vec<Memory> = Vec::new();
        for memory in all {
            file = put(&file, &memory);
            match expect.iter_mut().find(|known| known.id == memory.id) {
                Some(known) => *known = memory,
                None => expect.push(memory),
            }
        }
        expect.sort_by_key(|memory| std::cmp::Reverse(memory.id.millis()));
        let reading = read(&home(), &file);
        let got: Vec<_> = reading.found.iter().map(|found| found.memory.clone()).collect();
        prop_assert_eq!(got, expect, "{}", String::from_utf8_lossy(&file));
        prop_assert_eq!(reading.defects, vec![]);
    }

    #[test]
    fn several_changes_at_once_are_the_same_as_one_by_one(file in any_file(), all in vec(any_memory(), 1..4)) {
        // A lone carriage return at the end joins with our line end and then reads as the file's line end.
        prop_assume!(!file.ends_with(b"\r"));
        let changes: Vec<_> = all.iter().map(Change::Put).collect();
        let together = apply(&file, &splice(&home(), &file, &changes));
        let one_by_one = all.iter().fold(file, |file, memory| put(&file, memory));
        prop_assert_eq!(read(&home(), &together).found.len(), read(&home(), &one_by_one).found.len());
        prop_assert_eq!(together, one_by_one);
    }

    #[test]
    fn no_byte_of_another_entry_changes(file in any_file(), new in any_memory()) {
        let before = read(&home(), &file);
        prop_assume!(!before.found.iter().any(|found| found.memory.id == new.id));
        let added = put(&file, &new);
        let edits = splice(&home(), &file, &[Change::Put(&new)]);
        prop_assert!(edits.iter().all(|edit| edit.at.is_empty()), "adding only inserts");
        let after = read(&home(), &added);
        let others: Vec<_> = after.found.iter().filter(|f| f.memory.id != new.id).map(|f| &f.memory).collect();
        let known: Vec<_> = before.found.iter().map(|f| &f.memory).collect();
        prop_assert_eq!(others, known, "{}", String::from_utf8_lossy(&added));
        prop_assert_eq!(after.found.iter().filter(|f| f.memory == new).count(), 1);
        prop_assert_eq!(splice(&home(), &added, &[Change::Put(&new)]), vec![], "a repeat does nothing");
        // Only the blank lines set before it may stay behind.
        let back = remove(&added, &new.id);
        let (back, file) = (String::from_utf8_lossy(&back), String::from_utf8_lossy(&file));
        prop_assert_eq!(back.trim_end(), file.trim_end());
    }

    #[test]
    fn edits_touch_one_entry(file in any_file(), text in body_text(), pick in any::<prop::sample::Index>()) {
        let before = read(&home(), &file);
        prop_assume!(!before.found.is_empty());
        let chosen = pick.get(&before.found);
        prop_assume!(!chosen.memory.id.is_untracked());
        let mut edited = chosen.memory.clone();
        edited.body = Body::new(&text);
        let edits = splice(&home(), &file, &[Change::Put(&edited)]);
        let place = &chosen.place.bytes;
        prop_assert!(edits.iter().all(|e| place.start <= e.at.start && e.at.end <= place.end));
        let after = read(&home(), &apply(&file, &edits));
        let found = after.found.iter().find(|found| found.memory.id == edited.id).map(|f| &f.memory);
        prop_assert_eq!(found, Some(&edited), "{}", String::from_utf8_lossy(&apply(&file, &edits)));
    }

    #[test]
    fn removing_takes_one_and_restoring_sets_it_back(
        head in prop_oneof![Just(""), Just("# Notes\n\n"), Just("by hand\n\n")],
        all in vec(any_memory(), 1..5),
        pick in any::<prop::sample::Index>(),
    ) {
        let file = all.iter().fold(head.as_bytes().to_vec(), |file, memory| put(&file, memory));
        let before = read(&home(), &file);
        let tracked: Vec<_> = before.found.iter().filter(|found| !found.memory.id.is_untracked()).collect();
        let chosen = pick.get(&tracked);
        let less = remove(&file, &chosen.memory.id);
        let left = read(&home(), &less);
        prop_assert_eq!(left.found.len() + 1, before.found.len());
        prop_assert!(left.found.iter().all(|found| found.memory.id != chosen.memory.id));
        let raw = &file[chosen.place.bytes.clone()];
        let again = apply(&less, &splice(&home(), &less, &[Change::Restore(&chosen.memory.id, raw)]));
        prop_assert_eq!(String::from_utf8_lossy(&again), String::from_utf8_lossy(&file));
    }

    #[test]
    fn removing_from_any_file_takes_no_other_entry(file in any_file(), pick in any::<prop::sample::Index>()) {
        let before = read(&home(), &file);
        prop_assume!(before.defects.is_empty() && !before.found.is_empty());
        let chosen = pick.get(&before.found);
        let left = read(&home(), &remove(&file, &chosen.memory.id));
        let others = before.found.iter().filter(|found| !found.memory.id.is_untracked());
        for other in others.filter(|found| found.memory.id != chosen.memory.id) {
            prop_assert!(left.found.iter().any(|found| found.memory.id == other.memory.id));
        }
    }
}
