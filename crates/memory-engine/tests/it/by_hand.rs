//! What a person does in the files with an editor, `mv` or git stays so, whatever of ours came just before it: headings,
//! marks, names, line ends, and what they take out a second time.

use std::fs;
use std::time::{Duration, Instant, SystemTime};

use memory_engine::core::id::{MemoryId, Tag};
use memory_engine::core::scope::SourceClass;
use memory_engine::{Change, Expect, Filter, Forget, Memory, Search, Supersede, Update};

use crate::sandbox::{Asked as _, Sandbox, date};

const FILE: &str = "default/notes.md";

/// Gives an entry other tags.
pub(crate) fn retag(memory: &Memory, id: &MemoryId, tags: &[&str]) {
    let tags = tags.iter().map(|tag| Tag::parse(tag).unwrap()).collect();
    memory.edit(id, Change::Tags(tags), &Expect::Anything).unwrap();
}

fn tags_of(memory: &Memory, id: &MemoryId) -> Vec<String> {
    memory.show(id).unwrap().memory.tags.iter().map(|tag| tag.as_str().to_owned()).collect()
}

/// The file with another heading in the place of its first one.
pub(crate) fn with_heading(text: &str, heading: &str) -> String {
    let old = text.lines().find(|line| line.starts_with("## ")).unwrap();
    text.replacen(old, heading, 1)
}

/// Everything in the archive, as text.
fn archived(sandbox: &Sandbox) -> String {
    let files = sandbox.files().into_iter().filter(|(path, _)| path.starts_with("archive/"));
    files.map(|(_, bytes)| String::from_utf8_lossy(&bytes).into_owned()).collect()
}

fn names_in(sandbox: &Sandbox, folder: &str) -> usize {
    fs::read_dir(sandbox.place(folder)).map_or(0, Iterator::count)
}

#[test]
fn a_heading_that_a_person_writes_stays_after_an_edit_of_ours() {
    let sandbox = Sandbox::new();
    let memory = sandbox.open();
    let id = memory.note("we use Redis for sessions");
    retag(&memory, &id, &["cache", "infra"]);
    sandbox.save(FILE, with_heading(&sandbox.text(FILE), "## 2025-01-02T03:04 · #database #mine"));
    assert_eq!(memory.texts(), ["we use Redis for sessions"]);
    assert_eq!(tags_of(&memory, &id), ["database", "mine"]);
    assert!(sandbox.text(FILE).contains("## 2025-01-02T03:04 · #database #mine"));
    assert!(!memory.codes().contains(&"stale-buffer"));
    assert!(archived(&sandbox).contains("#cache #infra"), "what the person replaced is kept");
}

#[test]
fn a_mark_that_a_person_writes_stays_after_a_supersede_of_ours() {
    let sandbox = Sandbox::new();
    let memory = sandbox.open();
    let (old, new) = (memory.note("the old way"), memory.note("the new way"));
    memory.supersede(&Supersede::By { old: old.clone(), new: new.clone() }).unwrap();
    memory.supersede(&Supersede::Undo(old.clone())).unwrap();
    let by_hand =
        r#"<!-- meta:{"extra":{"supersededBy":"NEW","why":"mine"}} -->"#.replace("NEW", new.as_str());
    let text = sandbox.text(FILE);
    let heading = text.lines().rfind(|line| line.starts_with("## ")).unwrap();
    let at = text.rfind(heading).unwrap() + heading.len();
    sandbox.save(FILE, format!("{}\n{by_hand}{}", &text[..at], &text[at..]));
    memory.texts();
    assert_eq!(memory.show(&old).unwrap().memory.superseded_by(), Some(new));
    assert!(sandbox.text(FILE).contains(&by_hand));
    assert!(!memory.codes().contains(&"stale-buffer"));
}

#[test]
fn an_old_buffer_gives_tags_back_and_is_kept_in_the_archive() {
    let sandbox = Sandbox::new();
    let memory = sandbox.open();
    let id = memory.note("we use Redis for sessions");
    retag(&memory, &id, &["first"]);
    let buffer = sandbox.text(FILE);
    retag(&memory, &id, &["second"]);
    sandbox.save(FILE, buffer + "\n\ntyped below\n");
    assert_eq!(memory.texts().len(), 2);
    assert_eq!(tags_of(&memory, &id), ["second"]);
    assert!(memory.codes().contains(&"stale-buffer"));
    let files = sandbox.files();
    let mut kept = files.iter().filter(|(path, _)| path.starts_with("archive/stale-"));
    assert!(
        kept.any(|(_, bytes)| String::from_utf8_lossy(bytes).contains("· #first")),
        "what was written over"
    );
}

#[test]
fn files_and_folders_of_any_size_may_be_renamed() {
    let sandbox = Sandbox::new();
    let memory = sandbox.open();
    let ids: Vec<MemoryId> = (0..8).map(|n| memory.note(&format!("entry {n}"))).collect();
    memory.flush().unwrap();
    for (from, to, file) in [
        ("default/notes.md", "default/ways.md", "default/ways.md"),
        ("default/ways.md", "default/aside.md", "default/aside.md"),
        ("default", "main", "main/aside.md"),
    ] {
        fs::rename(sandbox.place(from), sandbox.place(to)).unwrap();
        let listed = memory.list(&Filter::default()).unwrap();
        assert_eq!(listed.len(), 8, "{to}");
        assert!(listed.iter().all(|entry| entry.file == file), "{to}: {listed:?}");
        assert!(!memory.codes().contains(&"frozen"), "{to}");
    }
    assert_eq!(names_in(&sandbox, "archive"), 0, "nothing left its file");
    memory.note("one more");
    assert_eq!(memory.texts().len(), 9);
    assert!(sandbox.text("default/notes.md").contains("one more"));
    let diagnosis = memory.deep();
    assert!(diagnosis.findings.is_empty(), "{:?}", diagnosis.findings);
    // A file that is only taken away is another matter.
    fs::remove_file(sandbox.place("main/aside.md")).unwrap();
    memory.texts();
    assert!(memory.codes().contains(&"frozen"));
    memory.accept("main/aside.md").unwrap();
    memory.restore(ids[0].as_str()).unwrap();
}

#[test]
fn many_files_that_are_taken_away_cost_one_pause() {
    let sandbox = Sandbox::new().settings("[memory]\nlayout = \"record\"\n");
    let memory = sandbox.open();
    let ids: Vec<MemoryId> = (0..100).map(|n| memory.note(&format!("entry {n}"))).collect();
    memory.flush().unwrap();
    for id in &ids[1..] {
        fs::remove_file(sandbox.place(&memory.show(id).unwrap().file)).unwrap();
    }
    let start = Instant::now();
    assert_eq!(memory.texts(), ["entry 0"]);
    assert!(start.elapsed() < Duration::from_millis(99 * 40), "{:?}", start.elapsed());
}

#[test]
fn what_is_moved_and_changed_on_the_way_keeps_its_old_words() {
    let sandbox = Sandbox::new();
    let memory = sandbox.open();
    memory.note("the first wording");
    memory.flush().unwrap();
    let text = sandbox.text(FILE);
    fs::remove_file(sandbox.place(FILE)).unwrap();
    sandbox.save("default/ways.md", text.replace("first", "second"));
    assert_eq!(memory.texts(), ["the second wording"]);
    assert!(archived(&sandbox).contains("the first wording"));
}

#[test]
fn what_is_taken_out_a_second_time_is_meant() {
    let sandbox = Sandbox::new();
    let memory = sandbox.open();
    memory.note("on the main branch");
    memory.flush().unwrap();
    let main = sandbox.text(FILE);
    let id = memory.note("on a branch of its own");
    memory.flush().unwrap();
    let (both, only) = (["on a branch of its own", "on the main branch"], ["on the main branch"]);
    sandbox.save(FILE, &main);
    assert_eq!(memory.texts(), both, "it may be an old buffer");
    // Somebody goes on typing in it.
    sandbox.save(FILE, format!("{main}\n\n"));
    assert_eq!(memory.texts(), both);
    sandbox.save(FILE, format!("{main}\n\n"));
    let memory = sandbox.open();
    assert_eq!(memory.texts(), only, "these very bytes were shown before");
    assert_eq!(memory.texts(), only);
    assert!(archived(&sandbox).contains("on a branch of its own"));
    memory.restore(id.as_str()).unwrap();
    assert_eq!(memory.texts(), both);
}

#[test]
fn an_edit_that_is_undone_a_second_time_is_meant() {
    let sandbox = Sandbox::new();
    let memory = sandbox.open();
    let id = memory.note("the first wording");
    memory.flush().unwrap();
    let first = sandbox.text(FILE);
    memory.reword(&id, "the second wording");
    sandbox.save(FILE, &first);
    assert_eq!(memory.texts(), ["the second wording"]);
    sandbox.save(FILE, &first);
    assert_eq!(memory.texts(), ["the first wording"]);
    assert!(archived(&sandbox).contains("the second wording"));
}

#[test]
fn an_old_buffer_does_not_bring_back_what_was_forgotten() {
    for layout in ["vault", "record"] {
        let sandbox = Sandbox::new().settings(&format!("[memory]\nlayout = \"{layout}\"\n"));
        let memory = sandbox.open();
        let ids = ["first", "second", "third"].map(|text| memory.note(text));
        memory.flush().unwrap();
        let file = memory.show(&ids[1]).unwrap().file;
        let buffer = sandbox.text(&file);
        memory.forget(&ids[1..2], Forget::Archive).unwrap();
        memory.codes();
        let left = ["third", "first"];
        // Somebody goes on typing in it.
        for saved in [buffer.clone(), format!("{buffer}\n\n")] {
            sandbox.save(&file, saved);
            assert_eq!(memory.texts(), left, "{layout}");
            assert!(memory.codes().contains(&"stale-buffer"), "{layout}");
            assert!(
                sandbox.files().get(&file).is_none_or(|bytes| !bytes.windows(6).any(|it| it == b"second"))
            );
        }
        sandbox.save(&file, format!("{buffer}\n\n"));
        let memory = sandbox.open();
        assert_eq!(
            memory.texts(),
            ["third", "second", "first"],
            "{layout}: these very bytes were shown before"
        );
        // What is forgotten once more is forgotten, whatever was shown before.
        memory.forget(&ids[1..2], Forget::Archive).unwrap();
        sandbox.save(&file, format!("{buffer}\n\n"));
        assert_eq!(memory.texts(), left, "{layout}");
        memory.restore(ids[1].as_str()).unwrap();
        assert_eq!(memory.texts().len(), 3, "{layout}");
    }
}

#[test]
fn what_a_person_puts_back_in_other_words_or_later_stays() {
    let sandbox = Sandbox::new();
    let memory = sandbox.open();
    let ids = ["first", "second"].map(|text| memory.note(text));
    memory.flush().unwrap();
    let buffer = sandbox.text(FILE);
    memory.forget(&ids[1..], Forget::Archive).unwrap();
    sandbox.save(FILE, buffer.replace("second", "second thoughts"));
    assert_eq!(memory.texts(), ["second thoughts", "first"]);
    memory.forget(&ids[1..], Forget::Archive).unwrap();
    sandbox.save(FILE, buffer.replace("second", "second thoughts"));
    date(&sandbox.place(FILE), SystemTime::now() + Duration::from_secs(660));
    assert_eq!(memory.texts(), ["second thoughts", "first"], "more than ten minutes later");
    assert!(!memory.codes().contains(&"stale-buffer"));
}

#[test]
fn what_was_written_again_is_as_old_as_it_was() {
    let sandbox = Sandbox::new();
    let memory = sandbox.open();
    memory.note("stays");
    memory.flush().unwrap();
    let buffer = sandbox.text(FILE);
    memory.note("goes");
    memory.flush().unwrap();
    let db = rusqlite::Connection::open(sandbox.place(".vault/ledger.db")).unwrap();
    db.execute("UPDATE ops SET at = at - 570000", []).unwrap();
    sandbox.save(FILE, &buffer);
    assert_eq!(memory.texts(), ["goes", "stays"], "ten minutes before the file was saved");
    sandbox.save(FILE, format!("{buffer}\n"));
    date(&sandbox.place(FILE), SystemTime::now() + Duration::from_secs(60));
    assert_eq!(memory.texts(), ["stays"], "more than ten minutes before");
}

#[test]
fn a_ledger_that_cannot_tell_does_not_decide() {
    let sandbox = Sandbox::new();
    let memory = sandbox.open();
    memory.note("stays");
    memory.flush().unwrap();
    let buffer = sandbox.text(FILE);
    memory.note("goes");
    memory.flush().unwrap();
    let db = rusqlite::Connection::open(sandbox.place(".vault/ledger.db")).unwrap();
    db.execute("ALTER TABLE ops RENAME COLUMN archive TO other", []).unwrap();
    sandbox.save(FILE, &buffer);
    assert_eq!(memory.list(&Filter::default()).unwrap_err().code(), "E_LEDGER");
    db.execute("ALTER TABLE ops RENAME COLUMN other TO archive", []).unwrap();
    assert_eq!(sandbox.open().texts(), ["goes", "stays"]);
}

#[test]
fn other_line_ends_are_no_edit() {
    for days in ["7", "0"] {
        let sandbox = Sandbox::new().settings(&format!("[ledger]\nkeep_text_days = {days}\n"));
        let memory = sandbox.open();
        let ids: Vec<MemoryId> = (0..3).map(|n| memory.note(&format!("entry {n}\n\nof two parts"))).collect();
        memory.flush().unwrap();
        let unix = sandbox.text(FILE);
        let dos = unix.replace('\n', "\r\n");
        for text in [&dos, &unix, &dos] {
            sandbox.save(FILE, text);
            assert_eq!(memory.texts().len(), 3, "{days}");
            for id in &ids {
                assert_eq!(memory.show(id).unwrap().memory.provenance.class, SourceClass::Human, "{days}");
                assert_eq!(memory.history(id).unwrap().len(), 1, "{days}");
            }
            assert_eq!(sandbox.text(FILE), *text, "{days}");
        }
        assert_eq!(names_in(&sandbox, "archive"), 0, "{days}");
        assert!(memory.deep().findings.is_empty(), "{days}");
    }
}

#[test]
fn white_space_around_a_text_is_no_edit() {
    let sandbox = Sandbox::new();
    let memory = sandbox.open();
    let id = memory.note("the text");
    memory.flush().unwrap();
    sandbox.save(FILE, sandbox.text(FILE).replace("the text\n", "\nthe text  \n\n"));
    assert_eq!(memory.texts(), ["the text"]);
    assert_eq!(memory.show(&id).unwrap().memory.provenance.class, SourceClass::Human);
    assert_eq!(memory.history(&id).unwrap().len(), 1);
    assert_eq!(names_in(&sandbox, "archive"), 0);
}

#[test]
fn an_empty_file_from_the_future_is_just_empty() {
    let sandbox = Sandbox::new();
    let memory = sandbox.open();
    memory.note("stood there");
    memory.flush().unwrap();
    sandbox.save(FILE, "");
    date(&sandbox.place(FILE), SystemTime::now() + Duration::from_secs(3600));
    assert_eq!(memory.texts(), Vec::<String>::new());
    assert!(!memory.codes().contains(&"frozen"));
    memory.note("comes now");
    memory.flush().unwrap();
    assert!(sandbox.text(FILE).contains("comes now"));
}

/// Which of the two is older in the catalogue does not matter.
#[test]
fn of_a_line_and_its_copy_of_the_day_the_journal_is_meant() {
    let line = r#"- {"id":"r1","category":"note","text":"said once","provenance":{"timestamp":"2026-03-16T09:12:44.031Z"}}"#;
    let (day, journal) = (("memory/2026-03-16.md", line), ("MEMORY.md", line));
    for [first, then] in [[day, journal], [journal, day]] {
        let sandbox = Sandbox::new().file(first.0, format!("{}\n", first.1));
        let memory = sandbox.open();
        memory.texts();
        sandbox.save(then.0, format!("{}\n", then.1));
        assert_eq!(memory.texts(), ["said once"]);
        let id = MemoryId::parse("r1").unwrap();
        assert_eq!(memory.show(&id).unwrap().file, "MEMORY.md", "{} came first", first.0);
        let hits = memory.search(&Search::new("said once")).unwrap().hits;
        assert_eq!(hits.iter().map(|hit| hit.entry.file.as_str()).collect::<Vec<_>>(), ["MEMORY.md"]);
    }
}

#[test]
fn a_memory_that_was_moved_is_not_told_as_gone() {
    // Files are looked at in the order of their names, so one finds the new place first and one the old.
    for (from, to) in [("default/notes.md", "default/decisions.md"), ("default/notes.md", "default/tasks.md")]
    {
        let sandbox = Sandbox::new();
        let memory = sandbox.open();
        let id = memory.note("it moves house");
        memory.note("it stays");
        memory.flush().unwrap();
        let text = sandbox.text(from);
        let at = text.find("it moves house").unwrap();
        let start = text[..at].rfind("<!-- id:").unwrap();
        sandbox.save(to, &text[start..]);
        sandbox.save(from, &text[..start]);
        assert_eq!(memory.texts().len(), 2, "{to}");
        let told = |what: &[&str]| {
            let versions = memory.history(&id).unwrap();
            assert_eq!(versions.iter().map(|version| version.what).collect::<Vec<_>>(), what, "{to}");
            assert!(versions.last().unwrap().current, "{to}");
        };
        let moved = memory.history(&id).unwrap();
        let last = moved.last().unwrap();
        assert_eq!((last.what, last.current), ("found-new", true), "{to}: {moved:?}");
        memory.reword(&id, "it moved house");
        let first = if to < from { vec!["put", "found-new"] } else { vec!["put", "found-gone", "found-new"] };
        told(&[&first[..], &["edit"]].concat());
        std::fs::remove_file(sandbox.place(to)).unwrap();
        assert_eq!(memory.texts(), ["it stays"], "{to}");
        assert_eq!(memory.history(&id).unwrap().last().unwrap().what, "found-gone", "{to}");
    }
}

/// What stands below a heading is found by it, whether the index was there before the file or after it.
#[test]
fn a_heading_of_the_first_level_is_part_of_what_stands_right_below_it() {
    let sandbox = Sandbox::new();
    let memory = sandbox.open();
    memory.note("something else");
    memory.update_index(Update::Behind, &mut |_, _| {}).unwrap();
    sandbox.save("default/facts.md", "# Quokka corner\n\nThe hedge is cut in February.\n");
    let found = |word: &str| {
        let answer = memory.search(&Search::new(word)).unwrap();
        answer.hits.iter().filter(|hit| hit.entry.memory.body.as_str().contains("hedge")).count()
    };
    for _ in 0..2 {
        assert_eq!((found("quokka"), found("hedge")), (1, 1));
        memory.update_index(Update::Behind, &mut |_, _| {}).unwrap();
    }
    let shown = memory.search(&Search::new("hedge")).unwrap().hits.remove(0).entry;
    assert_eq!((shown.memory.title.as_deref(), shown.first_line), (Some("Quokka corner"), 1));
    sandbox.save("default/facts.md", "# Zebrafish corner\n\nThe hedge is cut in February.\n");
    assert_eq!((found("zebrafish"), found("quokka"), found("hedge")), (1, 0, 1));
}
