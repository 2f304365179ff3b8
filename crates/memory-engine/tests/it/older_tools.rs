//! Folders as the four older tools and the people beside them leave them: opening and asking changes no byte, and
//! changing one entry changes no other.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use memory_engine::core::layout::Page;
use memory_engine::{Depth, Filter, Forget, Memory};

use crate::sandbox::{Asked as _, Sandbox};

const FOLDERS: [&str; 4] = ["vault", "records", "journal", "history"];

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/fixtures").join(name)
}

/// A root with a copy of an older tool's folder.
fn folder(name: &str) -> Sandbox {
    let sandbox = Sandbox::new();
    copy(&fixture(name), "", &sandbox);
    sandbox
}

fn copy(from: &Path, below: &str, sandbox: &Sandbox) {
    for entry in fs::read_dir(from).unwrap().map(Result::unwrap) {
        let path = format!("{below}{}", entry.file_name().to_string_lossy());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &format!("{path}/"), sandbox);
        } else {
            sandbox.save(&path, fs::read(entry.path()).unwrap());
        }
    }
}

/// The entries by file and id, with everything that an answer says of them.
fn answers(memory: &Memory) -> BTreeMap<(String, String), String> {
    let entries = memory.list(&Filter::default()).unwrap().into_iter();
    entries.map(|entry| ((entry.file.clone(), entry.memory.id.to_string()), format!("{entry:?}"))).collect()
}

#[test]
fn opening_and_asking_changes_no_byte() {
    for name in FOLDERS {
        let sandbox = folder(name);
        let before = sandbox.files();
        assert!(before.len() > 5, "{name}: the fixture is there");
        let memory = sandbox.open();
        let entries = memory.list(&Filter::default()).unwrap();
        assert!(!entries.is_empty(), "{name}");
        for entry in &entries {
            assert_eq!(memory.show(&entry.memory.id).unwrap().memory, entry.memory, "{name}");
            assert!(!memory.history(&entry.memory.id).unwrap().is_empty(), "{name}");
        }
        memory.agents().unwrap();
        memory.page(Page::Project).unwrap();
        memory.archive(&Default::default()).unwrap();
        memory.doctor(Depth::Fast).unwrap();
        memory.deep();
        memory.flush().unwrap();
        drop(memory);
        assert!(sandbox.files() == before, "{name}: after the first look");
        let again = sandbox.open();
        assert_eq!(
            again.list(&Filter::default()).unwrap(),
            entries,
            "{name}: the second look answers the same"
        );
        sandbox.close(again);
        fs::remove_dir_all(sandbox.place(".vault")).unwrap();
        let anew = sandbox.open();
        assert_eq!(anew.list(&Filter::default()).unwrap(), entries, "{name}: without our own files too");
        assert!(sandbox.files() == before, "{name}: after all looks");
    }
}

#[test]
fn these_memories_are_found() {
    let count = |name: &str, file: &str| {
        let sandbox = folder(name);
        let all = sandbox.open().list(&Filter::default()).unwrap();
        all.iter().filter(|entry| entry.file == file).count()
    };
    assert_eq!(count("vault", "dev/decisions.md"), 3);
    assert_eq!(count("vault", "dev/lessons.md"), 4);
    assert_eq!(count("vault", "dev/tasks.md"), 2);
    assert_eq!(count("vault", "dev/handoffs.md"), 2);
    assert_eq!(count("vault", "dev/projects.md"), 1);
    assert_eq!(count("vault", "Ops/lessons.md"), 2);
    assert_eq!(count("records", "records/copied-by-hand.md"), 1);
    assert_eq!(count("records", "records/2026-05-17-broken-12345678.md"), 1);
    assert_eq!(count("journal", "MEMORY.md"), 5);
    assert_eq!(count("journal", "memory/2026-03-17.md"), 1, "a line that the journal has too is listed once");
    assert_eq!(count("journal", "LONGMEMORY.md"), 2);
    assert_eq!(count("history", "dev/decisions.md"), 1);
}

#[test]
fn frames_inside_a_text_do_not_cut_it() {
    let body = |name: &str, id: &str| folder(name).open().text_of(&id.parse().unwrap());
    let parts = ["---", "<!-- id:1 -->", "## 2020-01-01"];
    for (name, id) in [
        ("vault", "1773679000000"),
        ("records", "2026-05-15-release-plan-a1b2c3d4"),
        ("journal", "2d0f3a52-6c1e"),
    ] {
        let text = body(name, id);
        assert!(parts.iter().all(|part| text.lines().any(|line| line.starts_with(part))), "{name}: {text}");
    }
}

#[test]
fn a_text_that_looks_like_a_file_stays_one_entry() {
    let text = "before\n\n---\n\n<!-- id:1 -->\n## 2020-01-01T00:00\n\nmiddle\n\n---\n\n## 2020-01-01\n\n\\<!-- id:2 -->\nend";
    for layout in ["vault", "record", "journal"] {
        let sandbox = Sandbox::new().settings(&format!("[memory]\nlayout = \"{layout}\"\n"));
        let memory = sandbox.open();
        let ids = [memory.note("below"), memory.note(text), memory.note("above")];
        memory.flush().unwrap();
        sandbox.close(memory);
        fs::remove_dir_all(sandbox.place(".vault")).unwrap();
        let memory = sandbox.open();
        assert_eq!(memory.list(&Filter::default()).unwrap().len(), 3, "{layout}");
        assert_eq!(memory.text_of(&ids[1]), text, "{layout}");
        memory.reword(&ids[1], &format!("{text}\n---"));
        assert_eq!(memory.text_of(&ids[1]), format!("{text}\n---"), "{layout}");
        assert_eq!(memory.text_of(&ids[0]), "below", "{layout}");
    }
}

/// The bytes of a file that differ: what stood there and what stands there, without the common start and end.
fn difference(before: &[u8], after: &[u8]) -> (Vec<u8>, Vec<u8>) {
    let start = before.iter().zip(after).take_while(|(a, b)| a == b).count();
    let (before, after) = (&before[start..], &after[start..]);
    let end = before.iter().rev().zip(after.iter().rev()).take_while(|(a, b)| a == b).count();
    (before[..before.len() - end].to_vec(), after[..after.len() - end].to_vec())
}

#[test]
fn editing_one_entry_changes_no_other_byte() {
    for name in FOLDERS {
        let all = folder(name).open().list(&Filter::default()).unwrap();
        for entry in all {
            let sandbox = folder(name);
            let memory = sandbox.open();
            let answered = answers(&memory);
            let before = sandbox.files();
            let id = entry.memory.id.clone();
            let what = format!("{name}, {} {id}", entry.file);
            memory.reword(&id, "Qqqqqq7");
            drop(memory);
            let mut after = sandbox.files();
            after.retain(|path, _| !path.starts_with("archive/"));
            let changed: Vec<&String> = before
                .keys()
                .filter(|path| before[*path] != *after.get(*path).unwrap_or(&Vec::new()))
                .collect();
            // A line of the journal stands in the file of its day too.
            let copy = |path: &str| path.starts_with("memory/") && entry.file == "MEMORY.md";
            assert!(changed.iter().all(|path| **path == entry.file || copy(path)), "{what}: {changed:?}");
            let came = after.keys().all(|path| before.contains_key(path) || copy(path));
            assert!(
                came && before.keys().all(|path| after.contains_key(path)),
                "{what}: a file came or went"
            );
            assert!(changed.contains(&&entry.file), "{what}: nothing changed");
            // What changed lies within the lines of the entry.
            let (old, new) = difference(&before[&entry.file], &after[&entry.file]);
            let lines = entry.last_line - entry.first_line + 1;
            let span = old.iter().filter(|&&byte| byte == b'\n').count() as u64;
            assert!(span < lines.max(1) + 1, "{what}: {span} lines of {lines} changed");
            assert!(String::from_utf8_lossy(&new).contains("Qqqqqq7"), "{what}");
            let memory = sandbox.open();
            let now = answers(&memory);
            let others = |all: &BTreeMap<(String, String), String>| {
                let mine = (entry.file.clone(), id.to_string());
                let texts: Vec<String> =
                    all.iter().filter(|(key, _)| **key != mine).map(|(key, _)| key.1.clone()).collect();
                texts
            };
            let lost: Vec<String> =
                others(&answered).into_iter().filter(|id| !now.keys().any(|key| key.1 == *id)).collect();
            assert!(lost.is_empty(), "{what}: {lost:?} no longer answer");
        }
    }
}

/// The lines that say something, in any order: an entry that comes back may find another place among hand-written text.
fn lines(bytes: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(bytes);
    let mut lines: Vec<String> =
        text.lines().filter(|line| !line.trim().is_empty()).map(str::to_owned).collect();
    lines.sort();
    lines
}

#[test]
fn forgetting_and_restoring_brings_back_every_line() {
    for name in FOLDERS {
        let all = folder(name).open().list(&Filter::default()).unwrap();
        // Where an id stands twice, the second entry takes it over when the first is gone.
        for entry in all.into_iter().filter(|entry| entry.file != "dev/handoffs.md") {
            let sandbox = folder(name);
            let memory = sandbox.open();
            memory.texts();
            let before = sandbox.files();
            let id = entry.memory.id.clone();
            let what = format!("{name}, {} {id}", entry.file);
            memory.forget(std::slice::from_ref(&id), Forget::Archive).unwrap();
            assert!(memory.show(&id).is_err(), "{what}: it is gone");
            memory.restore(id.as_str()).unwrap();
            // Hand-written text that meets other such text becomes one with it, and so gets another name.
            let body = entry.memory.body.as_str();
            let found = match id.is_untracked() {
                true => memory.texts().iter().any(|text| text.contains(body)),
                false => memory.text_of(&id) == body,
            };
            assert!(found, "{what}");
            drop(memory);
            let mut after = sandbox.files();
            after.retain(|path, _| !path.starts_with("archive/"));
            for (path, bytes) in &before {
                let now = after.get(path).map(|bytes| lines(bytes));
                assert_eq!(now, Some(lines(bytes)), "{what}: {path}");
            }
        }
    }
}
