//! Journals: files as the journal tool and people write them, and the promises of the layout on any input.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use serde_json::json;

use super::*;
use crate::id::{SessionId, Tag};
use crate::kind::Kind;
use crate::layout::record::strategies;
use crate::memory::{Confidence, Provenance};
use crate::scope::{Scope, Sensitivity};

macro_rules! sample {
    ($path:literal, $file:literal) => {
        ($path, include_bytes!(concat!("../../../tests/layouts/journal/", $file)).as_slice())
    };
}

/// The file's path in a root, and its bytes.
const SAMPLES: &[(&str, &[u8])] = &[
    sample!("MEMORY.md", "MEMORY.md"),
    sample!("memory/2026-03-16.md", "2026-03-16-crlf.md"),
    sample!("memory/2026-03-17.md", "2026-03-17-broken.md"),
    sample!("LONGMEMORY.md", "LONGMEMORY.md"),
];

fn sample(path: &str) -> (Home, &'static [u8]) {
    let bytes = SAMPLES.iter().find(|(name, _)| *name == path).unwrap().1;
    (Home::of_path(path).unwrap(), bytes)
}

fn memories(home: &Home, bytes: &[u8]) -> Vec<Memory> {
    read(home, bytes).found.into_iter().map(|found| found.memory).collect()
}

fn change(home: &Home, bytes: &[u8], change: &Change<'_>) -> Vec<u8> {
    apply(bytes, &splice(home, bytes, change))
}

fn but(memories: Vec<Memory>, id: &MemoryId) -> Vec<Memory> {
    memories.into_iter().filter(|memory| memory.id != *id).collect()
}

#[test]
fn a_journal_of_the_journal_tool() {
    let (home, bytes) = sample("MEMORY.md");
    let reading = read(&home, bytes);
    assert_eq!(reading.defects, []);
    let first = &reading.found[0];
    assert_eq!((first.place.first_line, first.place.last_line), (11, 11));
    let memory = &first.memory;
    assert_eq!(memory.id.as_str(), "0b9f3a52-6c1e-4a57-9d0e-2f5a1c7e8b11");
    assert_eq!((&memory.kind, &memory.scope), (&Kind::Summary, &Scope::Project));
    assert_eq!(memory.body.as_str(), "Moved the importer to a queue.\nTests are green.");
    assert_eq!(memory.created.iso(), "2026-03-16T09:12:44.031Z");
    assert_eq!(memory.provenance.session, Some(SessionId::parse("dm:ines").unwrap()));
    assert_eq!(memory.provenance.confidence, Some(Confidence::from(0.8)));
    assert_eq!(memory.provenance.origin, "dm");
    assert_eq!(memory.extra, *json!({"category": "turn-summary"}).as_object().unwrap());
    let shown: Vec<_> =
        reading.found.iter().map(|f| (f.memory.kind.word(), f.memory.provenance.class.word())).collect();
    let (note, human) = ("note", "human");
    assert_eq!(
        shown,
        [
            ("summary", human),
            ("preference", human),
            (note, "human-edit"),
            (note, "human-edit"),
            ("lesson", human)
        ]
    );
    let by_hand = &reading.found[3];
    assert_eq!(by_hand.memory.title.as_deref(), Some("Open questions"));
    assert!(by_hand.memory.id.is_untracked() && by_hand.memory.body.as_str().starts_with("- [ ] who"));
    let lesson = &reading.found[4].memory;
    assert_eq!(
        (lesson.provenance.sensitivity, lesson.created),
        (Sensitivity::Secret, Time(1_773_740_000_000))
    );
    assert_eq!(lesson.extra["provenance"]["model"], json!("m-1"));
    assert_eq!(lesson.extra["embedding"], json!([0.25, 1e-7]));
}

#[test]
fn long_term_summaries_have_their_day() {
    let (home, bytes) = sample("LONGMEMORY.md");
    let found = memories(&home, bytes);
    let shown: Vec<_> =
        found.iter().map(|m| (m.title.as_deref().unwrap_or(""), m.created.day(), m.kind.word())).collect();
    let day = |day: &str| day.to_owned();
    assert_eq!(
        shown,
        [
            ("", day("1970-01-01"), "summary"),
            ("Summary (2026-03-01)", day("2026-03-01"), "summary"),
            ("Summary (soon)", day("1970-01-01"), "summary"),
        ]
    );
}

fn check_defects(path: &str, expect: &[(&str, usize)]) {
    let (home, bytes) = sample(path);
    let defects: Vec<_> =
        read(&home, bytes).defects.iter().map(|defect| (defect.code, defect.line)).collect();
    assert_eq!(defects, expect, "{path}");
}

#[test]
fn defects_of_the_samples() {
    check_defects("memory/2026-03-16.md", &[]);
    check_defects("LONGMEMORY.md", &[]);
    check_defects(
        "memory/2026-03-17.md",
        &[
            ("journal-bad-line", 1),
            ("journal-bad-line", 2),
            ("journal-bad-line", 3),
            ("duplicate-id", 5),
            ("journal-bad-id", 6),
            ("journal-bad-field", 7),
            ("invalid-utf8", 8),
        ],
    );
    let (home, bytes) = sample("memory/2026-03-17.md");
    let created: Vec<_> = memories(&home, bytes).iter().map(|memory| memory.created.day()).collect();
    assert_eq!(created, ["2026-03-17"; 5], "what has no time was kept on the file's day");
}

fn check_text(home: &Home, text: &str, expect: &[&str]) {
    let found = memories(home, text.as_bytes());
    assert_eq!(found.iter().map(|memory| memory.body.as_str()).collect::<Vec<_>>(), expect, "{text:?}");
}

#[test]
fn headers_and_blocks() {
    let (main, day) = (&Home::Journal, &Home::Day("2026-03-16".into()));
    check_text(main, "", &[]);
    check_text(main, "# MEMORY.md\n\nWhat this file is.\n\n---\n\n", &[]);
    check_text(main, "# MEMORY.md\n\nWhat this file is.\n\n---\n\na\n", &["a"]);
    check_text(main, "# MEMORY.md\n\na note without a rule\n", &["a note without a rule"]);
    check_text(main, "a\n\n---\n\nb\n", &["a\n\n---\n\nb"]);
    check_text(day, "# Monday\n\na\n\n---\n\n", &["a"]);
    check_text(day, "<!-- c -->\n---\n\n# h\na\n\n<!-- d\ne -->\n", &["a"]);
    check_text(day, "a\n## h\n\nb\nc\n## empty\n\n## h\nd", &["a", "b\nc", "d"]);
    check_text(day, "a\n- {\"id\":\"1\",\"text\":\"j\"}\n# h\nb\n- {bad}\nc", &["a", "j", "# h\nb", "c"]);
    check_text(day, "a\n<!-- -->\nb", &["a", "b"]);
    check_text(day, "#tag is text\n- item\n", &["#tag is text\n- item"]);
    check_text(day, "-   {\"id\":1,\"text\":\"\"} \n", &[""]);
}

fn check_edit(path: &str, n: usize, edit: impl FnOnce(&mut Memory), old: &str, new: &str) {
    let (home, bytes) = sample(path);
    let mut memory = memories(&home, bytes).swap_remove(n);
    edit(&mut memory);
    let after = change(&home, bytes, &Change::Put(&memory));
    let text = String::from_utf8_lossy(bytes);
    assert_eq!(text.matches(old).count(), 1, "{path}: the sample has {old:?} once");
    assert_eq!(String::from_utf8_lossy(&after), text.replacen(old, new, 1), "{path}");
    assert_eq!(splice(&home, &after, &Change::Put(&memory)), [], "{path}: a second time");
}

#[test]
fn an_edit_touches_only_its_own_line() {
    let new = Body::new("new \"text\"\nin two lines");
    let shown = r#""text":"new \"text\"\nin two lines""#;
    let old = r#""text":"Moved the importer to a queue.\nTests are green.""#;
    check_edit("MEMORY.md", 0, |m| m.body = new.clone(), old, shown);
    check_edit("MEMORY.md", 0, |m| m.kind = Kind::Decision, r#""turn-summary""#, r#""decision""#);
    check_edit(
        "MEMORY.md",
        0,
        |m| m.tags = vec![Tag::parse("q").unwrap()],
        r#""operational"}}"#,
        r#""operational"},"tags":["q"]}"#,
    );
    check_edit(
        "MEMORY.md",
        1,
        |m| m.updated = Time(1_773_700_000_000),
        r#""private-user"}}"#,
        r#""private-user","updatedAt":"2026-03-16T22:26:40.000Z"}}"#,
    );
    check_edit("MEMORY.md", 4, |m| m.provenance.confidence = None, r#" "confidence" : 1.0,"#, "");
    check_edit(
        "MEMORY.md",
        4,
        |m| m.body = new.clone(),
        r#""text": "deploy key is in the vault""#,
        &shown.replace(":", ": "),
    );
    check_edit("memory/2026-03-16.md", 1, |m| m.body = new.clone(), r#""text":"second""#, shown);
}

#[test]
fn a_block_stays_text_while_text_can_say_it() {
    let (home, path) = (Home::Journal, "MEMORY.md");
    let block = "- [ ] who owns the queue?\n- [x] which region?";
    check_edit(path, 3, |m| m.body = Body::new("- none"), block, "- none");
    check_edit(path, 3, |m| m.title = Some("Asked".into()), "## Open questions\n\n", "## Asked\n\n");
    check_edit(path, 3, |m| m.updated = Time(9), block, block);
    let long = "LONGMEMORY.md";
    check_edit(long, 2, |m| m.title = Some("Summary (2026-04-01)".into()), "(soon)", "(2026-04-01)");
    check_edit(long, 1, |m| m.body = Body::new("a\nb"), "Shipped the importer.\r\nHired Tom.", "a\r\nb");
    let untitled = Memory { title: None, ..memories(&home, b"## h\n\na\n").remove(0) };
    assert_eq!(change(&home, b"## h\n\na\n", &Change::Put(&untitled)), b"a\n");
    for text in ["a\n## b", "- {\"id\":\"x\",\"text\":\"y\"}", "a\n---", ""] {
        let (_, bytes) = sample(path);
        let before = memories(&home, bytes);
        let memory = Memory { body: Body::new(text), ..before[3].clone() };
        let after = memories(&home, &change(&home, bytes, &Change::Put(&memory)));
        assert_eq!(after[3], memory, "{text:?} became a line");
        assert_eq!(but(after, &memory.id), but(before, &memory.id), "{text:?}");
    }
}

#[test]
fn new_files_open_with_a_header() {
    let mut memory = memories(&Home::Day("2026-01-02".into()), b"- {\"id\":\"a\",\"text\":\"b\"}").remove(0);
    memory.provenance.origin = "cli".into();
    let line = "- {\"id\":\"a\",\"category\":\"note\",\"text\":\"b\",\"provenance\":\
                {\"sourceChannel\":\"cli\",\"timestamp\":\"2026-01-02T00:00:00.000Z\",\"sensitivity\":\"operational\"}}\n";
    for (path, header) in [
        ("MEMORY.md", "# MEMORY.md — Long-term memory\n\n"),
        ("LONGMEMORY.md", "# LONGMEMORY.md — Long-term summaries\n\n"),
        ("memory/2026-01-02.md", ""),
    ] {
        let home = Home::of_path(path).unwrap();
        let after = change(&home, b"", &Change::Put(&memory));
        assert_eq!(String::from_utf8_lossy(&after), format!("{header}{line}"));
        assert_eq!(
            change(&home, &after, &Change::Remove(&memory.id)),
            b"",
            "the header goes with the last line"
        );
        assert_eq!(splice(&home, &after, &Change::Put(&memory)), []);
    }
}

#[test]
fn a_removed_id_is_gone_even_if_it_stood_twice() {
    let home = Home::Journal;
    let bytes = b"- {\"id\":\"a\",\"text\":\"one\"}\n- {\"id\":\"a\",\"text\":\"two\"}\n";
    let before = memories(&home, bytes);
    let after = change(&home, bytes, &Change::Remove(&before[0].id));
    assert_eq!(memories(&home, &after), before[1..]);
    assert_eq!(splice(&home, &after, &Change::Remove(&before[0].id)), []);
}

#[test]
fn a_removed_line_still_keeps_its_neighbours_apart() {
    let home = Home::Journal;
    let bytes = b"one\n- {\"id\":\"a\",\"text\":\"x\"}\ntwo\n";
    let after = change(&home, bytes, &Change::Remove(&MemoryId::parse("a").unwrap()));
    assert_eq!(after, b"one\n<!-- -->\ntwo\n");
}

#[test]
fn a_restored_line_stands_in_the_order_of_time() {
    let (home, bytes) = sample("memory/2026-03-16.md");
    let found = read(&home, bytes).found;
    for one in &found {
        let gone = change(&home, bytes, &Change::Remove(&one.memory.id));
        let raw = &bytes[one.place.bytes.clone()];
        let back = change(&home, &gone, &Change::Restore(&one.memory.id, raw));
        assert_eq!(String::from_utf8_lossy(&back), String::from_utf8_lossy(bytes));
        assert_eq!(splice(&home, &back, &Change::Restore(&one.memory.id, raw)), []);
    }
}

fn check_restore(bytes: &str, id: &str, raw: &str, expect: &str) {
    let home = Home::Day("2026-03-16".into());
    let id = MemoryId::parse(id).unwrap();
    let after = change(&home, bytes.as_bytes(), &Change::Restore(&id, raw.as_bytes()));
    assert_eq!(String::from_utf8_lossy(&after), expect, "{raw:?} into {bytes:?}");
    assert_eq!(splice(&home, &after, &Change::Restore(&id, raw.as_bytes())), [], "a second time");
}

#[test]
fn what_is_restored_goes_by_its_id() {
    let line = "- {\"id\":\"a\",\"text\":\"x\"}";
    check_restore("", "a", line, &format!("{line}\n"));
    check_restore("", "b", &format!("{line} \r\n"), "- {\"id\":\"b\",\"text\":\"x\"} \n");
    check_restore("above", "a", line, &format!("above\n{line}\n"));
    let (once, twice) = (MemoryId::of_text("text", 0), MemoryId::of_text("text", 1));
    check_restore(line, once.as_str(), "text\n", &format!("{line}\ntext\n"));
    check_restore("above\n", once.as_str(), "text\n", "above\n<!-- -->\ntext\n");
    check_restore("text\n", twice.as_str(), "text\n", "text\n<!-- -->\ntext\n");
    check_restore("text\n", "unknown", "text", "text\n");
    check_restore("text\n", "unknown", " \n", "text\n");
    check_restore(line, "unknown", "other", &format!("{line}\n<!-- -->\nother\n"));
}

#[test]
fn an_edited_block_is_found_when_the_edit_is_repeated() {
    let home = Home::Journal;
    let memory = Memory { body: Body::new("new"), ..memories(&home, b"old\n").remove(0) };
    let after = change(&home, b"old\n", &Change::Put(&memory));
    assert_eq!(after, b"new\n");
    assert_eq!(splice(&home, &after, &Change::Put(&memory)), []);
    let other = Memory { body: Body::new("other"), ..memory };
    assert_eq!(memories(&home, &change(&home, &after, &Change::Put(&other))).len(), 2);
}

#[test]
fn deep_nesting_and_endless_repeats_are_read() {
    let deep = format!("- {{\"id\":\"a\",\"text\":\"b\",\"c\":{}\n", "[".repeat(100_000));
    assert_eq!(read(&Home::Journal, deep.as_bytes()).defects.len(), 1);
    let same = "- {\"id\":\"a\",\"text\":\"b\"}\n".repeat(20_000);
    assert_eq!(read(&Home::Journal, same.as_bytes()).found.len(), 20_000);
}

fn home() -> impl Strategy<Value = Home> {
    select(vec![Home::Journal, Home::LongTerm, Home::Day("2026-03-16".to_owned())])
}

/// A journal of lines of every sort, with any line ends.
fn journal() -> impl Strategy<Value = Vec<u8>> {
    let line = select(vec![
        "",
        "",
        "# MEMORY.md",
        "## Part",
        "## Summary (2026-01-02)",
        "### Sub",
        "---",
        "prose",
        "more prose",
        "- item",
        "#tag",
        "<!-- c -->",
        "<!-- open",
        "close -->",
        "<!-- -->",
        "```",
        "\u{3000}",
        "\u{fffd}",
        "- {bad",
        "- {}",
        "- {\"id\":\"a\",\"text\":\"one\"}",
        "- {\"id\":\"a\",\"text\":\"two\",\"x\":1}",
        "- {\"id\":\"b\",\"text\":\"prose\"} ",
        "- {\"id\":7,\"text\":\"seven\",\"tags\":[\"a b\",\"c\"],\"scope\":\"session\"}",
        "- {\"id\":\"b d\",\"text\":\"\\n\"}",
        "- { \"id\": \"c\", \"text\": \"three\", \"provenance\": { \"timestamp\": 99, \"y\": null }, \"category\": \"learned\" }",
        "- {\"id\":\"t-0000000000000000\",\"text\":\"u\",\"provenance\":[]}",
    ]);
    let end = select(vec!["\n", "\n", "\n", "\r\n"]);
    let lines = vec((line, end), 0..14)
        .prop_map(|lines| lines.into_iter().flat_map(|(line, end)| [line, end]).collect::<String>());
    (lines, any::<bool>(), any::<bool>(), any::<bool>()).prop_map(|(lines, mark, cut, crlf)| {
        let mut text = if crlf { lines.replace("\r\n", "\n").replace('\n', "\r\n") } else { lines };
        if cut {
            text.truncate(text.trim_end_matches(['\r', '\n']).len());
        }
        let mark = if mark { "\u{feff}" } else { "" };
        format!("{mark}{text}").into_bytes().into_iter().collect()
    })
}

/// Whether text was named after itself that stands in the file more than once, so that its name is not its own.
fn has_twin(memories: &[Memory], one: &Memory) -> bool {
    one.id.is_untracked()
        && memories.iter().filter(|m| m.title == one.title && m.body == one.body).count() > 1
}

#[test]
fn a_session_that_only_the_scope_implied_is_written_when_the_scope_goes() {
    let bytes = b"- {\"id\":\"7\",\"text\":\"seven\",\"scope\":\"session\"}\n";
    let old = memories(&Home::Journal, bytes).remove(0);
    assert_eq!(old.provenance.session, None);
    let session = Some(SessionId::parse("7").expect("valid"));
    let new =
        Memory { scope: Scope::Project, provenance: Provenance { session, ..old.provenance.clone() }, ..old };
    let after = change(&Home::Journal, bytes, &Change::Put(&new));
    assert_eq!(memories(&Home::Journal, &after), [new]);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: ProptestConfig::default().cases.max(512), ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_read_and_put_back(home in home(), bytes in prop_oneof![strategies::bytes(), journal()]) {
        let found = read(&home, &bytes).found;
        prop_assert!(found.windows(2).all(|two| two[0].place.bytes.end <= two[1].place.bytes.start));
        for one in found {
            prop_assert_eq!(splice(&home, &bytes, &Change::Put(&one.memory)), vec![]);
        }
    }

    #[test]
    fn a_new_memory_is_added_at_the_end(
        home in home(),
        bytes in prop_oneof![strategies::bytes(), journal()],
        memory in strategies::memory("provenance", "category"),
    ) {
        let before = memories(&home, &bytes);
        prop_assume!(before.iter().all(|other| other.id != memory.id));
        let after = change(&home, &bytes, &Change::Put(&memory));
        prop_assert!(after.starts_with(&bytes));
        let mut expect = before;
        expect.push(memory.clone());
        prop_assert_eq!(memories(&home, &after), expect);
        prop_assert_eq!(splice(&home, &after, &Change::Put(&memory)), vec![]);

        let back = change(&home, &after, &Change::Remove(&memory.id));
        let start = bom(&bytes);
        if bytes.len() == start || bytes.ends_with(b"\n") {
            prop_assert_eq!(back, bytes);
        } else {
            prop_assert_eq!(back, [&bytes, line_end(&bytes).as_bytes()].concat());
        }
    }

    #[test]
    fn one_edit_leaves_the_rest(
        home in home(),
        bytes in journal(),
        which in any::<Index>(),
        new in strategies::memory("provenance", "category"),
        only_text in any::<bool>(),
    ) {
        let found = read(&home, &bytes).found;
        prop_assume!(!found.is_empty());
        let n = which.index(found.len());
        let old = &found[n];
        let memory = if only_text {
            Memory { body: new.body, title: new.title, ..old.memory.clone() }
        } else {
            Memory { id: old.memory.id.clone(), ..new }
        };
        let after = change(&home, &bytes, &Change::Put(&memory));
        let (prefix, suffix) = (&bytes[..old.place.bytes.start], &bytes[old.place.bytes.end..]);
        prop_assert!(after.starts_with(prefix) && after.ends_with(suffix));
        let read_back = memories(&home, &after);
        prop_assert_eq!(read_back.len(), found.len());
        for (i, (got, before)) in read_back.iter().zip(&found).enumerate() {
            if i != n {
                prop_assert_eq!(got, &before.memory);
            } else if old.memory.provenance.class == SourceClass::HumanEdit && got.id != memory.id {
                // What says no more than plain text can stays plain text.
                let plain = only_text || !marked_differently(&old.memory, &memory);
                prop_assert!(plain && got.body == memory.body && got.title == memory.title);
            } else {
                prop_assert_eq!(got, &memory);
            }
        }
        prop_assert_eq!(splice(&home, &after, &Change::Put(&memory)), vec![]);
    }

    #[test]
    fn one_removal_leaves_the_rest_and_can_be_undone(home in home(), bytes in journal(), which in any::<Index>()) {
        let before = memories(&home, &bytes);
        prop_assume!(!before.is_empty());
        let n = which.index(before.len());
        prop_assume!(!has_twin(&before, &before[n]));
        let id = &before[n].id;
        let raw = &bytes[read(&home, &bytes).found[n].place.bytes.clone()];
        let gone = change(&home, &bytes, &Change::Remove(id));
        prop_assert_eq!(memories(&home, &gone), but(before.clone(), id));
        prop_assert_eq!(splice(&home, &gone, &Change::Remove(id)), vec![]);

        let back = change(&home, &gone, &Change::Restore(id, raw));
        let after = memories(&home, &back);
        prop_assert_eq!(after.iter().find(|memory| memory.id == *id), Some(&before[n]));
        prop_assert_eq!(but(after, id), but(before.clone(), id));
        prop_assert_eq!(splice(&home, &back, &Change::Restore(id, raw)), vec![]);
    }
}
