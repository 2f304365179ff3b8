//! An editor on the real disk, with real file handles: saves in place, by rename, beside a backup and in two steps with
//! our writes between them. Every text of both sides is there in the end.

use std::fs;
use std::io::Write as _;
use std::time::{Duration, SystemTime};

use memory_engine::{Filter, Forget, Memory};

use crate::sandbox::{Asked as _, Sandbox, date, is_deep};

const FILE: &str = "default/notes.md";

/// How a program puts its buffer into the file. The function is called between its steps.
type Save = fn(&Sandbox, &str, &mut dyn FnMut());

const SAVES: [(&str, Save); 5] = [
    ("in place", in_place),
    ("emptied, then written", in_two_steps),
    ("by rename", by_rename),
    ("beside a backup", beside_a_backup),
    ("cut to length afterwards", cut_afterwards),
];

fn in_place(sandbox: &Sandbox, text: &str, between: &mut dyn FnMut()) {
    between();
    fs::write(sandbox.place(FILE), text).unwrap();
}

fn in_two_steps(sandbox: &Sandbox, text: &str, between: &mut dyn FnMut()) {
    let mut file = fs::File::create(sandbox.place(FILE)).unwrap();
    between();
    file.write_all(text.as_bytes()).unwrap();
    file.sync_all().unwrap();
}

fn by_rename(sandbox: &Sandbox, text: &str, between: &mut dyn FnMut()) {
    let beside = sandbox.place("default/.notes.md.swp");
    fs::write(&beside, text).unwrap();
    between();
    fs::rename(beside, sandbox.place(FILE)).unwrap();
}

fn beside_a_backup(sandbox: &Sandbox, text: &str, between: &mut dyn FnMut()) {
    between();
    fs::rename(sandbox.place(FILE), sandbox.place("default/notes.md~")).unwrap();
    fs::write(sandbox.place(FILE), text).unwrap();
}

fn cut_afterwards(sandbox: &Sandbox, text: &str, between: &mut dyn FnMut()) {
    let mut file = fs::File::options().write(true).open(sandbox.place(FILE)).unwrap();
    file.write_all(text.as_bytes()).unwrap();
    file.set_len(text.len() as u64).unwrap();
    drop(file);
    between();
}

/// Whether the editor's buffer was loaded before our latest entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Buffer {
    Fresh,
    Stale,
}

fn check(how: &str, save: Save, buffer: Buffer) {
    let sandbox = Sandbox::new();
    let memory = sandbox.open();
    let first = memory.note("ours, the first");
    memory.note("ours, the second");
    memory.flush().unwrap();
    let mut loaded = sandbox.text(FILE);
    let mut expect = vec!["ours, by the person", "ours, the second", "typed below", "ours, in between"];
    memory.note("ours, the third");
    memory.flush().unwrap();
    expect.push("ours, the third");
    if buffer == Buffer::Fresh {
        loaded = sandbox.text(FILE);
    }
    let text = loaded.replace("ours, the first", "ours, by the person") + "\n\ntyped below\n";
    save(&sandbox, &text, &mut || {
        memory.note("ours, in between");
        // It may wait for the editor to finish; what is acknowledged is listed all the same.
        let _ = memory.flush();
        assert!(memory.texts().contains(&"ours, in between".to_owned()), "{how}, {buffer:?}");
    });
    // A file that is young may be looked at once more later; here it is made old at once.
    date(&sandbox.place(FILE), SystemTime::now() - Duration::from_secs(5));
    let memory = sandbox.open();
    memory.texts();
    memory.flush().unwrap();
    let (texts, file) = (memory.texts(), sandbox.text(FILE));
    for text in &expect {
        assert!(texts.iter().any(|shown| shown == text), "{how}, {buffer:?}: no `{text}` in {texts:?}");
        assert!(file.contains(text), "{how}, {buffer:?}: no `{text}` in the file\n{file}");
    }
    assert_eq!(texts.len(), expect.len(), "{how}, {buffer:?}: {texts:?}");
    assert_eq!(memory.text_of(&first), "ours, by the person", "{how}, {buffer:?}");
    let versions: Vec<_> = memory.history(&first).unwrap().into_iter().filter_map(|v| v.text).collect();
    assert!(versions.contains(&"ours, the first".to_owned()), "{how}, {buffer:?}: {versions:?}");
}

#[test]
fn saves_of_real_editors_lose_no_text() {
    for _ in 0..if is_deep() { 40 } else { 2 } {
        for (how, save) in SAVES {
            check(how, save, Buffer::Fresh);
            check(how, save, Buffer::Stale);
        }
    }
}

/// What stands where, sorted.
fn standing(sandbox: &Sandbox, memory: &Memory) -> Vec<(String, String)> {
    let entries = memory.list(&Filter::default()).unwrap();
    let mut all: Vec<(String, String)> =
        entries.into_iter().map(|it| (it.file, it.memory.body.as_str().to_owned())).collect();
    all.sort();
    // Each text stands once in the files, too.
    for (file, text) in &all {
        assert_eq!(sandbox.text(file).matches(text.as_str()).count(), 1, "{file}: {text}");
    }
    all
}

fn expect(sandbox: &Sandbox, memory: &Memory, texts: &[(&str, &str)]) {
    let got = standing(sandbox, memory);
    let got: Vec<(&str, &str)> = got.iter().map(|(file, text)| (file.as_str(), text.as_str())).collect();
    assert_eq!(got, texts);
}

#[test]
fn what_a_person_did_they_may_undo() {
    let sandbox = Sandbox::new();
    let memory = sandbox.open();
    memory.note("note one alpha");
    memory.flush().unwrap();
    let first = sandbox.text(FILE);
    sandbox.save(FILE, first.replace("alpha", "beta"));
    expect(&sandbox, &memory, &[(FILE, "note one beta")]);
    sandbox.save(FILE, &first);
    expect(&sandbox, &memory, &[(FILE, "note one alpha")]);
    sandbox
        .save(FILE, first.clone() + "\n\n<!-- id:1700000000123 -->\n## 2026-03-01T10:00\n\ntyped\n\n---\n");
    expect(&sandbox, &memory, &[(FILE, "note one alpha"), (FILE, "typed")]);
    sandbox.save(FILE, &first);
    expect(&sandbox, &memory, &[(FILE, "note one alpha")]);
}

#[test]
fn a_file_that_was_moved_or_taken_away_is_no_old_buffer() {
    let sandbox = Sandbox::new();
    let memory = sandbox.open();
    memory.note("one");
    memory.note("two");
    memory.flush().unwrap();
    fs::rename(sandbox.place("default"), sandbox.place("main")).unwrap();
    expect(&sandbox, &memory, &[("main/notes.md", "one"), ("main/notes.md", "two")]);
    fs::rename(sandbox.place("main/notes.md"), sandbox.place("main/ideas.md")).unwrap();
    expect(&sandbox, &memory, &[("main/ideas.md", "one"), ("main/ideas.md", "two")]);
    fs::remove_file(sandbox.place("main/ideas.md")).unwrap();
    expect(&sandbox, &memory, &[]);
    assert!(!memory.archive(&Default::default()).unwrap().is_empty());
}

#[test]
fn an_entry_that_was_moved_to_another_file_stands_there_alone() {
    let sandbox = Sandbox::new();
    let memory = sandbox.open();
    memory.note("stays");
    memory.note("goes");
    memory.flush().unwrap();
    let text = sandbox.text(FILE);
    let end = text.find("---").unwrap() + 3;
    for other in ["default/aside.md", "default/ways.md"] {
        let from = if other == "default/aside.md" { FILE } else { "default/aside.md" };
        sandbox.save(from, if from == FILE { text[end..].trim_start() } else { "" });
        sandbox.save(other, &text[..end]);
        if from != FILE {
            fs::remove_file(sandbox.place(from)).unwrap();
        }
        let mut all = [(FILE, "stays"), (other, "goes")];
        all.sort_unstable();
        expect(&sandbox, &memory, &all);
    }
}

#[test]
fn an_old_buffer_does_not_take_back_what_was_restored() {
    let sandbox = Sandbox::new();
    let memory = sandbox.open();
    let first = memory.note("the first");
    memory.note("the second");
    memory.flush().unwrap();
    memory.forget(std::slice::from_ref(&first), Forget::Archive).unwrap();
    let buffer = sandbox.text(FILE);
    memory.restore(first.as_str()).unwrap();
    sandbox.save(FILE, buffer.replace("the second", "the better second"));
    expect(&sandbox, &memory, &[(FILE, "the better second"), (FILE, "the first")]);
}
