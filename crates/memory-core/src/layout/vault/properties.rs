//! What holds for the vault layout with any memories and any file.

use proptest::collection::vec;
use proptest::prelude::*;

use super::super::{Change, Found, apply, read, splice};
use super::tests::{home, memory, put, remove};
use crate::id::{Key, MemoryId, SessionId, Tag};
use crate::kind::Kind;
use crate::memory::{Body, Confidence, Memory};
use crate::scope::{Sensitivity, SourceClass};
use crate::time::Time;

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
        1 => prop::sample::select(vec!["<<<<<<< HEAD", "=======", ">>>>>>> x", "\\<<<<<<< y", "---x"]).prop_map(str::to_owned),
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
        (any_memory(), "## [^\\x00-\\x1f]{0,12}").prop_map(|(memory, title)| {
            let text = String::from_utf8_lossy(&put(b"", &memory)).into_owned();
            text.replacen(&super::entry::heading(&memory), &title, 1).into_bytes()
        }),
    ]
}

/// Whether a merge is not finished here; the store leaves such a file alone.
fn is_in_a_merge(file: &[u8]) -> bool {
    let text = String::from_utf8_lossy(file);
    let mut lines = text.lines();
    lines.any(|line| line.starts_with("<<<<<<< ")) && lines.any(|line| line.starts_with(">>>>>>> "))
}

/// At least 600, and as many as are asked for.
fn cases() -> ProptestConfig {
    let usual = ProptestConfig::default();
    ProptestConfig { cases: usual.cases.max(600), ..usual }
}

proptest! {
    #![proptest_config(cases())]

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
    fn edits_touch_one_entry(file in any_file(), new in any_memory(), pick in any::<prop::sample::Index>()) {
        let before = read(&home(), &file);
        prop_assume!(!before.found.is_empty() && !is_in_a_merge(&file));
        let chosen = pick.get(&before.found);
        prop_assume!(!chosen.memory.id.is_untracked());
        let edited = Memory { id: chosen.memory.id.clone(), ..new };
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
    fn removing_from_any_file_changes_no_other_entry(file in any_file(), pick in any::<prop::sample::Index>()) {
        let before = read(&home(), &file);
        let twice = before.defects.iter().any(|defect| defect.code == "duplicate-id");
        prop_assume!(!twice && !before.found.is_empty() && !is_in_a_merge(&file));
        let gone = &pick.get(&before.found).memory.id;
        let after = remove(&file, gone);
        let left = read(&home(), &after);
        let tracked = |found: &[Found]| -> Vec<Memory> {
            let all = found.iter().map(|found| found.memory.clone());
            all.filter(|memory| !memory.id.is_untracked() && memory.id != *gone).collect()
        };
        prop_assert_eq!(tracked(&left.found), tracked(&before.found), "{}", String::from_utf8_lossy(&after));
        // Of equal hand-written texts the next one takes the name of the first.
        prop_assert!(gone.is_untracked() || left.found.iter().all(|found| found.memory.id != *gone));
    }
}
