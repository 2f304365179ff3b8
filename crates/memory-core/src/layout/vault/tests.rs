//! The vault layout against the vault tool's recordings and hand-made odd files.

use serde_json::{Map, Value};

use super::super::{Change, Found, Home, apply, read, splice};
use crate::id::{AgentId, Category, MemoryId, Tag};
use crate::kind::Kind;
use crate::memory::{Body, Memory, Provenance};
use crate::scope::{Scope, Sensitivity, SourceClass};
use crate::time::Time;

pub(super) fn home() -> Home {
    Home::vault(AgentId::parse("dev").unwrap(), Category::parse("decisions").unwrap())
}

pub(super) fn memory(id: u64, text: &str) -> Memory {
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

pub(super) fn put(bytes: &[u8], memory: &Memory) -> Vec<u8> {
    apply(bytes, &splice(&home(), bytes, &[Change::Put(memory)]))
}

pub(super) fn remove(bytes: &[u8], id: &MemoryId) -> Vec<u8> {
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

/// The cases recorded from the vault tool's parser, with the answers that lose nothing.
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
        "\\<!--meta: x-->\nx",
        "<<<<<<< HEAD\nx\n=======\ny\n>>>>>>> other",
        "Title\n=======",
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
fn text_that_was_put_behind_the_last_entry_is_its_own() {
    let file =
        put(&put(b"", &memory(1_794_722_322_304, "older\n\n---x")), &memory(1_794_722_322_400, "newer"));
    for added in ["gamma\n", "gamma\n\ndelta\n", "\ngamma\n", "\n\ngamma\n", "# Mine\ngamma"] {
        let file = [&file[..], added.as_bytes()].concat();
        let bodies = |file: &[u8]| -> Vec<String> {
            read(&home(), file).found.iter().map(|f| f.memory.body.as_str().to_owned()).collect()
        };
        let text = added.trim().trim_start_matches("# Mine\n");
        assert_eq!(bodies(&file), ["newer", "older\n\n---x", text]);
        let with = put(&file, &memory(1_794_722_322_900, "new"));
        assert_eq!(bodies(&with), ["new", "newer", "older\n\n---x", text]);
        let without = remove(&with, &MemoryId::from_millis(1_794_722_322_304));
        assert_eq!(bodies(&without), ["new", "newer", text], "{}", String::from_utf8_lossy(&without));
        let mut changed = memory(1_794_722_322_304, "changed");
        changed.updated = Time(1_794_722_322_999);
        assert_eq!(bodies(&put(&with, &changed)), ["new", "newer", "changed", text]);
    }
}

#[test]
fn a_text_is_one_text_in_a_file_with_marks_of_a_merge() {
    let body = "---\n=======\n## 2020-01-01T00:00";
    let file = put(b"<<<<<<< HEAD\n", &memory(1_794_722_322_304, body));
    let file = put(&file, &memory(1_794_722_322_300, "older"));
    let reading = read(&home(), &file);
    let bodies: Vec<_> = reading.found.iter().map(|f| f.memory.body.as_str()).collect();
    assert_eq!(bodies, [body, "older"], "{}", String::from_utf8_lossy(&file));
}

#[test]
fn a_mark_that_no_other_closes_makes_no_frame_of_other_lines() {
    let file = b"<!-- id:1500000000000 -->\n## 2017-07-14T02:40\n\nx\n\n---\n\n<<<<<<< HEAD\na\n=======\n---";
    let edited = put(file, &memory(1_500_000_000_000, "y"));
    let reading = read(&home(), &edited);
    let bodies: Vec<_> = reading.found.iter().map(|found| found.memory.body.as_str()).collect();
    assert_eq!(bodies, ["y"], "{}", String::from_utf8_lossy(&edited));
}

#[test]
fn both_sides_of_a_merge_are_entries() {
    let entry = |id: u64, text: &str| format!("<!-- id:{id} -->\n## 2026-11-15T05:58\n\n{text}\n\n---\n");
    let (ours, theirs, both) = (
        entry(1_794_722_322_304, "ours"),
        entry(1_794_722_322_400, "theirs"),
        entry(1_794_722_322_100, "both"),
    );
    let file = format!("<<<<<<< HEAD\n{ours}=======\n{theirs}>>>>>>> 82e25b9 (theirs)\n\n{both}");
    let bodies = |file: &[u8]| -> Vec<String> {
        read(&home(), file).found.iter().map(|f| f.memory.body.as_str().to_owned()).collect()
    };
    assert_eq!(bodies(file.as_bytes()), ["ours", "theirs", "both"]);
    let file = put(file.as_bytes(), &memory(1_794_722_322_900, "new"));
    assert_eq!(bodies(&file), ["new", "ours", "theirs", "both"]);
    assert_eq!(bodies(&remove(&file, &MemoryId::from_millis(1_794_722_322_400))), ["new", "ours", "both"]);
}

#[test]
fn of_unclear_metadata_the_stricter_reading_wins() {
    let secret = Some(Sensitivity::Secret);
    for (line, sensitivity, class, codes) in [
        (r#"<!-- meta:{"sensitivity":"secret"} -->"#, secret, SourceClass::Human, &[][..]),
        (
            r#"
<!-- meta:{"sensitivity":"secret"} -->"#,
            secret,
            SourceClass::Human,
            &[],
        ),
        (r#"<!--meta:{"class":"untrusted"}-->"#, None, SourceClass::Untrusted, &[]),
        (r#"<!-- meta:{"sensitivity":"SECRET"} -->"#, secret, SourceClass::Human, &["bad-meta"]),
        (r#"<!-- meta:{"sensitivity":["secret"]} -->"#, secret, SourceClass::Human, &["bad-meta"]),
        (r#"<!-- meta:{"class":1} -->"#, None, SourceClass::Untrusted, &["bad-meta"]),
        (r#"<!-- meta:{"class":"agent",} -->"#, None, SourceClass::Untrusted, &["bad-meta"]),
        (r#"<!-- meta:{"sensitivity":"secret" -->"#, secret, SourceClass::Untrusted, &["bad-meta"]),
        (r#"<!-- meta:{"tags":["a b"]} -->"#, None, SourceClass::Human, &["bad-meta"]),
        (r#"<!-- a comment -->"#, None, SourceClass::Human, &[]),
    ] {
        let line = line.replace(r"\n", "\n");
        let file = format!("<!-- id:1794722322304 -->\n## 2026-11-15T05:58\n{line}\n\ntext\n\n---");
        let reading = read(&home(), file.as_bytes());
        let from = &reading.found[0].memory.provenance;
        assert_eq!((from.sensitivity, from.class), (sensitivity.unwrap_or_default(), class), "{line}");
        assert_eq!(reading.defects.iter().map(|it| it.code).collect::<Vec<_>>(), codes, "{line}");
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
fn a_title_that_the_heading_shows_can_go_and_change() {
    let file = |heading: &str, meta: &str| {
        format!("<!-- id:1794722322304 -->\n## {heading}\n{meta}\nbody\n\n---").into_bytes()
    };
    let both = "<!-- meta:{\"title\":\"Of the line\",\"tags\":[\"a\"]} -->\n";
    for (heading, meta, title, after) in [
        ("A title", "", None, file("2026-11-15T05:58", "")),
        ("A title", both, None, file("2026-11-15T05:58 · #a", "")),
        ("A title", both, Some("A title"), file("A title", "<!-- meta:{\"tags\":[\"a\"]} -->\n")),
        ("A title", "", Some("Another"), file("A title", "<!-- meta:{\"title\":\"Another\"} -->\n")),
    ] {
        let before = file(heading, meta);
        let mut memory = read(&home(), &before).found[0].memory.clone();
        memory.title = title.map(str::to_owned);
        assert_eq!(String::from_utf8_lossy(&put(&before, &memory)), String::from_utf8_lossy(&after));
        assert_eq!(read(&home(), &after).found[0].memory, memory);
        assert_eq!(splice(&home(), &after, &[Change::Put(&memory)]), [], "a repeat does nothing");
    }
}

#[test]
fn the_seconds_of_a_heading_outlive_it() {
    let file = b"<!-- id:5 -->\n## 2026-03-16T16:51:09\n\nbody\n\n---";
    let mut memory = read(&home(), file).found[0].memory.clone();
    memory.tags = vec![Tag::parse("a").unwrap()];
    let after = put(file, &memory);
    assert_eq!(read(&home(), &after).found[0].memory, memory);
    assert_eq!(splice(&home(), &after, &[Change::Put(&memory)]), []);
}

#[test]
fn the_second_entry_with_an_id_is_put_back_as_it_was() {
    for heading in ["2026-11-15T05:58", "A title"] {
        let entry = format!("<!-- id:1794722322304 -->\n## {heading}\n\nbody\n\n---");
        let file = format!("{entry}\n\n{entry}");
        let mut second = read(&home(), file.as_bytes()).found[1].memory.clone();
        assert!(second.id.is_untracked());
        assert_eq!(splice(&home(), file.as_bytes(), &[Change::Put(&second)]), []);
        second.body = Body::new("changed");
        let after = format!("{entry}\n\n{}", entry.replace("body", "changed"));
        assert_eq!(String::from_utf8(put(file.as_bytes(), &second)).unwrap(), after);
    }
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

#[test]
fn what_is_removed_changes_no_other_entry() {
    let entry = |id: u64, text: &str| format!("<!-- id:{id} -->\n## 2026-03-16T16:51\n\n{text}\n\n---");
    let empty = "<!-- id:removed -->\n## 1970-01-01T00:00\n\n---";
    let odd = "<!-- id:1 -->\n\n---\n\nA\n---\n\n";
    for (file, id, after) in [
        // The line would begin an entry in a file that has none before it.
        (
            format!("{}\n\nby hand\n<!-- id:7 -->\nmore", entry(5, "x")),
            "5",
            format!("{empty}\n\nby hand\n<!-- id:7 -->\nmore"),
        ),
        (format!("{}\n\nby hand", entry(5, "x")), "5", "by hand".to_owned()),
        // The text would become the end of the entry above.
        (format!("{odd}{}\n\nby hand", entry(5, "x")), "5", format!("{odd}{empty}\n\nby hand")),
        (format!("{odd}{}\n", entry(5, "x")), "5", format!("{}\n", odd.trim_end())),
    ] {
        assert_eq!(String::from_utf8_lossy(&remove(file.as_bytes(), &MemoryId::parse(id).unwrap())), after);
    }
    // Of hand-written text a comment stays, where the text above would become an entry's.
    let file = format!("{}\n\nA\n---\n## B\nb\n", entry(5, "x"));
    let last = read(&home(), file.as_bytes()).found[2].memory.clone();
    let after = remove(file.as_bytes(), &last.id);
    assert_eq!(String::from_utf8_lossy(&after), file.replace("## B\nb", "<!-- removed -->"));
    // Of several, only those stay that must, also where none would have to by itself.
    let file = format!("{}\n\n{}\n\nby hand\n<!-- id:7 -->\nmore", entry(6, "x"), entry(5, "y"));
    let ids = [MemoryId::from_millis(6), MemoryId::from_millis(5)];
    let edits = splice(&home(), file.as_bytes(), &[Change::Remove(&ids[0]), Change::Remove(&ids[1])]);
    let after = apply(file.as_bytes(), &edits);
    assert_eq!(String::from_utf8_lossy(&after), format!("{empty}\n\nby hand\n<!-- id:7 -->\nmore"));
}

#[test]
fn hand_written_text_reads_as_it_was_changed_whatever_stands_around_it() {
    let entry = "<!-- id:5 -->\n## 2026-03-16T16:51\n\nbody\n\n---\n\n";
    for (above, below) in ["", "# Title\n\n", entry].into_iter().flat_map(|above| {
        ["", "# Below\n", "\n# Below\n", "## Below\n\ntext\n", "# Below\n---\n"].map(|below| (above, below))
    }) {
        let file = format!("{above}by hand\n{below}");
        let found = read(&home(), file.as_bytes()).found;
        let hand = found.iter().find(|found| found.memory.body.as_str() == "by hand");
        let Some(hand) = hand else { continue };
        for text in
            ["a\n# b", "a\n---", "a\n\n---\n\nb", "---\n\na", "---", "a\n---\nb", "a\n## b\n---", "\u{feff}a"]
        {
            let new = Memory { body: Body::new(text), ..hand.memory.clone() };
            let after = put(file.as_bytes(), &new);
            let now = read(&home(), &after).found;
            let stands = now.iter().filter(|found| found.memory.body == new.body).count();
            let silent = text == "---" && above != entry;
            assert_eq!(stands, usize::from(!silent), "{text:?} in {:?}", String::from_utf8_lossy(&after));
            assert_eq!(now.len() + usize::from(silent), found.len(), "{:?}", String::from_utf8_lossy(&after));
        }
    }
}

#[test]
fn what_comes_back_is_the_same_in_any_place() {
    let odd = "<!-- id:5 -->\n## A title\n\nx\n---";
    let open = "<!-- id:5 -->\nno end";
    let whole = "<!-- id:5 -->\n## 2026-03-16T16:51\n\nx\n\n---";
    let other = whole.replace("id:5", "id:9");
    for file in
        ["", "by hand", "<!-- id:0 -->", "<!-- id:9 -->\nno end", &format!("{other}\n\nby hand"), &other]
    {
        let before = read(&home(), file.as_bytes()).found;
        for raw in [odd, open, whole] {
            let change = Change::Restore(&MemoryId::from_millis(5), raw.as_bytes());
            let after = apply(file.as_bytes(), &splice(&home(), file.as_bytes(), &[change]));
            let shown = String::from_utf8_lossy(&after);
            let (back, others): (Vec<_>, Vec<_>) =
                read(&home(), &after).found.into_iter().partition(|found| found.memory.id.as_str() == "5");
            assert_eq!(back.len(), 1, "{shown}");
            assert_eq!(&shown[back[0].place.bytes.clone()], raw);
            let texts = |all: &[Found]| all.iter().map(|found| found.memory.clone()).collect::<Vec<_>>();
            assert_eq!(texts(&others), texts(&before), "{shown}");
        }
    }
}

#[test]
fn a_change_and_a_removal_beside_it_do_not_touch_each_other() {
    let file =
        b"<!-- id:6 -->\nno end\n<!-- id:5 -->\n## 2026-03-16T16:51\n\nx\n\n---\n<!-- id:4 -->\nlast\n\n---";
    let new = memory(6, "changed");
    let edits = splice(&home(), file, &[Change::Put(&new), Change::Remove(&MemoryId::from_millis(5))]);
    let found = read(&home(), &apply(file, &edits)).found;
    let bodies: Vec<_> = found.iter().map(|found| found.memory.body.as_str()).collect();
    assert_eq!(bodies, ["changed", "last"]);
}

#[test]
fn tags_and_ids_that_cannot_be_read_outlive_a_rewrite() {
    let line = r#"<!-- meta:{"tags":["a","b c",3],"extra":{"tags":["old"],"x":1},"from":["7","../8"]} -->"#;
    let file = format!("<!-- id:1794722322304 -->\n## Plain\n{line}\n\ntext\n\n---\n");
    let mut memory = read(&home(), file.as_bytes()).found.remove(0).memory;
    let extra = serde_json::json!({"tags": ["old", "b c", 3], "x": 1, "from": ["../8"]});
    let check = |memory: &Memory, tags: &[&str]| {
        assert_eq!(memory.tags.iter().map(Tag::as_str).collect::<Vec<_>>(), tags);
        assert_eq!(memory.provenance.lineage, [MemoryId::parse("7").unwrap()]);
        assert_eq!(Value::Object(memory.extra.clone()), extra);
    };
    check(&memory, &["a"]);
    let mut bytes = file.into_bytes();
    for tag in ["d", "e"] {
        memory.tags = vec![Tag::parse(tag).unwrap()];
        bytes = put(&bytes, &memory);
        let mut reading = read(&home(), &bytes);
        assert_eq!(reading.defects.len(), 0, "{:?}", reading.defects);
        memory = reading.found.remove(0).memory;
        check(&memory, &[tag]);
    }
}

#[test]
fn a_rule_is_no_end_where_text_stands_right_behind_the_last_entry() {
    for end in ["foo\n\n---\nx", "<<<<<<< HEAD\n---\nx", "foo\n\n---x"] {
        let file = format!("<!-- id:1773679871839 -->\n## 2026-03-16T16:51 · #a\n\n{end}");
        let rule = memory(1_733_645_395_085, "---");
        let older = memory(1_500_000_000_000, "older");
        let one = put(file.as_bytes(), &rule);
        let bodies = |file: &[u8]| -> Vec<String> {
            read(&home(), file).found.iter().map(|f| f.memory.body.as_str().to_owned()).collect()
        };
        assert!(bodies(&one).ends_with(&["x".into(), "---".into()]), "{}", String::from_utf8_lossy(&one));
        let changes = [Change::Put(&rule), Change::Put(&older)];
        let together = apply(file.as_bytes(), &splice(&home(), file.as_bytes(), &changes));
        assert_eq!(together, put(&one, &older), "{}", String::from_utf8_lossy(&together));
        let edited = put(file.as_bytes(), &memory(1_773_679_871_839, "---"));
        let mut got = bodies(&edited);
        got.sort();
        assert_eq!(got, ["---", "x"], "{}", String::from_utf8_lossy(&edited));
    }
}
