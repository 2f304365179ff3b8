//! Cases that once did not hold, each named after what went wrong.

use std::fs;

use memory_engine::core::id::{Key, MemoryId};
use memory_engine::core::scope::{Audience, Secrets, Sensitivity};
use memory_engine::{Change, Depth, Draft, Expect, Filter, Forget, Outcome, Search, Supersede, Update};

use crate::sandbox::{Asked as _, Sandbox, note};

const FILE: &str = "default/notes.md";
const LEDGER: &str = ".vault/ledger.db";

fn hits(sandbox: &Sandbox, word: &str) -> Vec<String> {
    let has = |bytes: &[u8]| bytes.windows(word.len()).any(|part| part == word.as_bytes());
    sandbox.everything().into_iter().filter(|(_, bytes)| has(bytes)).map(|(path, _)| path).collect()
}

/// Records and journal lines of one title kept within one millisecond get one id and overwrite each other.
#[test]
fn memories_of_one_title_in_one_moment_are_all_kept() {
    for layout in ["record", "journal"] {
        let sandbox = Sandbox::new().settings(&format!("[memory]\nlayout = \"{layout}\"\n"));
        let memory = sandbox.open();
        for n in 0..300 {
            memory.remember(Draft { title: Some("Status".into()), ..note(&format!("text {n}")) }).unwrap();
        }
        assert_eq!(memory.texts().len(), 300, "{layout}");
    }
}

/// An edit of hand-written text is neither in the files nor in the archive after an old buffer is saved.
#[test]
fn an_edit_of_hand_text_survives_an_old_buffer() {
    let old = "# Notes\n\nas the person wrote it\n";
    let sandbox = Sandbox::new().file(FILE, old);
    let memory = sandbox.open();
    let id = memory.list(&Filter::default()).unwrap()[0].memory.id.clone();
    memory.reword(&id, "as we changed it");
    sandbox.save(FILE, old);
    memory.texts();
    memory.flush().unwrap();
    let found = hits(&sandbox, "as we changed it");
    assert!(found.iter().any(|path| !path.starts_with(".vault")), "{found:?}");
}

/// Hand-written texts between which an entry stood are one text when it is forgotten. Nobody knew it by its new name: an
/// old buffer took our wording of a part with it, and an index never learnt of it.
#[test]
fn texts_that_met_are_known_by_their_new_name() {
    let entry = "<!-- id:5 -->\n## 2020-01-01T00:00\n\nbetween\n\n---";
    let old = format!("# Notes\n\nabove\n\n{entry}\n\nbelow the wombat\n");
    let sandbox = Sandbox::new().file(FILE, &old);
    let memory = sandbox.open();
    let all = memory.list(&Filter::default()).unwrap();
    let above = all.iter().find(|entry| entry.memory.body.as_str() == "above").unwrap();
    memory.reword(&above.memory.id, "as we changed it");
    memory.update_index(Update::Behind, &mut |_, _| {}).unwrap();
    memory.forget(&["5".parse().unwrap()], Forget::Archive).unwrap();
    memory.update_index(Update::Behind, &mut |_, _| {}).unwrap();
    let answer = memory.search(&Search::new("wombat")).unwrap();
    let found: Vec<&str> = answer.hits.iter().map(|hit| hit.entry.memory.body.as_str()).collect();
    assert_eq!(found, ["as we changed it\n\nbelow the wombat"]);
    sandbox.save(FILE, old);
    memory.texts();
    memory.flush().unwrap();
    let found = hits(&sandbox, "as we changed it");
    assert!(found.iter().any(|path| !path.starts_with(".vault")), "{found:?}");
}

/// After the ledger is lost, or before anything was listed, verbs do not look at the files first.
#[test]
fn the_first_verb_after_a_loss_knows_the_files() {
    let filled = || {
        let sandbox = Sandbox::new();
        let memory = sandbox.open();
        let keyed = Draft { key: Key::parse("k").ok(), ..note("keyed") };
        let id = memory.remember(keyed.clone()).unwrap().id;
        drop(memory);
        fs::remove_dir_all(sandbox.place(".vault")).unwrap();
        (sandbox, keyed, id)
    };
    let (sandbox, keyed, id) = filled();
    let again = sandbox.open().remember(keyed).unwrap();
    assert_eq!((again.outcome, again.id), (Outcome::Duplicate, id));
    let (sandbox, _, id) = filled();
    sandbox.open().reword(&id, "changed");
    let (sandbox, _, id) = filled();
    sandbox.open().forget(&[id], Forget::Archive).unwrap();
}

/// The same for an entry that a person has just added by hand.
#[test]
fn an_entry_made_by_hand_can_be_edited_at_once() {
    let sandbox = Sandbox::new();
    let memory = sandbox.open();
    memory.note("one");
    memory.flush().unwrap();
    let text = sandbox.text(FILE);
    sandbox.save(FILE, format!("{text}\n\n<!-- id:5 -->\n## 2020-01-01T00:00\n\nby hand\n\n---\n"));
    let id: MemoryId = "5".parse().unwrap();
    memory.edit(&id, Change::Text("x".into()), &Expect::Anything).unwrap();
}

/// Entries of ours that are newer than an old buffer go to the archive when hand text was found after them.
#[test]
fn newer_entries_survive_an_old_buffer_beside_hand_text() {
    let old = "# Notes\n\nold text\n";
    let sandbox = Sandbox::new().file(FILE, old);
    let memory = sandbox.open();
    memory.note("kept after the buffer was loaded");
    memory.flush().unwrap();
    sandbox.save(FILE, old);
    assert!(memory.texts().contains(&"kept after the buffer was loaded".to_owned()), "{:?}", memory.texts());
}

/// A program that moves the file to a backup and writes it anew: what we kept between the two steps goes.
#[test]
fn an_entry_kept_while_a_backup_is_made_stands() {
    let sandbox = Sandbox::new();
    let memory = sandbox.open();
    memory.note("first");
    memory.note("second");
    memory.flush().unwrap();
    let loaded = sandbox.text(FILE);
    fs::rename(sandbox.place(FILE), sandbox.place("default/notes.md~")).unwrap();
    memory.note("in between");
    memory.flush().unwrap();
    fs::write(sandbox.place(FILE), loaded).unwrap();
    assert!(memory.texts().contains(&"in between".to_owned()), "{:?}", memory.texts());
}

/// An old buffer that is two of our edits behind undoes both.
#[test]
fn an_old_buffer_two_edits_behind_undoes_none() {
    let sandbox = Sandbox::new();
    let memory = sandbox.open();
    let id = memory.note("first");
    memory.flush().unwrap();
    let old = sandbox.text(FILE);
    memory.reword(&id, "second");
    memory.reword(&id, "third");
    sandbox.save(FILE, old);
    assert_eq!(memory.text_of(&id), "third");
}

/// One broken manifest anywhere stops every forgetting for good half way: the text stays in the ledger.
#[test]
fn a_broken_manifest_does_not_stop_forgetting() {
    let sandbox = Sandbox::new();
    let memory = sandbox.open();
    let other = memory.note("archived");
    let id = memory.note("markermarkermarker");
    let batch = memory.forget(&[other], Forget::Archive).unwrap().archive.unwrap();
    sandbox.save(&format!("archive/{batch}/manifest.json"), "{");
    let _ = memory.forget(&[id], Forget::Hard);
    assert_eq!(hits(&sandbox, "markermarkermarker"), Vec::<String>::new());
}

/// Most bytes of a manifest can be flipped unnoticed, because nothing keeps its digest.
#[cfg(unix)]
#[test]
fn every_flipped_byte_of_a_manifest_is_found() {
    let (count, missed) = crate::bytes::flips("manifests", |path| path.ends_with("manifest.json"));
    assert!(missed.is_empty(), "{} of {count}, such as {:?}", missed.len(), &missed[..3]);
}

/// A flipped byte in the catalogue hides an entry or stops every list, and the check-up does not say so.
#[cfg(unix)]
#[test]
fn every_flipped_byte_of_the_ledger_is_found_or_harmless() {
    let hidden = crate::bytes::ledger_flips().hidden;
    assert!(hidden.is_empty(), "{hidden:#?}");
}

/// A frozen file's entries that still stand are listed but cannot be shown.
#[test]
fn what_still_stands_in_a_frozen_file_is_shown() {
    let sandbox = Sandbox::new();
    let memory = sandbox.open();
    let ids: Vec<MemoryId> = (0..10).map(|n| memory.note(&format!("entry {n}"))).collect();
    memory.flush().unwrap();
    let whole = sandbox.text(FILE);
    sandbox.save(FILE, &whole[..whole.find(&format!("\n\n<!-- id:{} -->", ids[7])).unwrap()]);
    assert_eq!(memory.texts(), ["entry 9", "entry 8"]);
    assert_eq!(memory.text_of(&ids[9]), "entry 9");
}

/// A person's program that has just made the file and writes it a moment later writes into nothing.
#[test]
fn a_file_that_is_just_being_made_is_left_alone() {
    use std::io::Write as _;
    let sandbox = Sandbox::new();
    fs::create_dir(sandbox.place("default")).unwrap();
    let memory = sandbox.open();
    let mut file = fs::File::create(sandbox.place(FILE)).unwrap();
    memory.note("ours");
    let _ = memory.flush();
    file.write_all(b"typed by the person\n").unwrap();
    drop(file);
    assert!(sandbox.open().texts().contains(&"typed by the person".to_owned()));
}

/// A record that comes back from the archive is named twice where it stands in a day's file too.
#[test]
fn a_journal_line_is_restored_once() {
    let sandbox = Sandbox::new().settings("[memory]\nlayout = \"journal\"\n");
    let memory = sandbox.open();
    let id = memory.note("a line");
    let batch = memory.forget(std::slice::from_ref(&id), Forget::Archive).unwrap().archive.unwrap();
    assert_eq!(memory.restore(&batch).unwrap().ids, [id]);
}

/// A closed root with entries, hand-written text and an archive batch.
fn filled() -> (Sandbox, Vec<MemoryId>) {
    let sandbox = Sandbox::new().file("default/notes.md", "# Notes\n\nwritten by hand\n");
    let memory = sandbox.open();
    let ids: Vec<MemoryId> = (0..8).map(|n| memory.note(&format!("entry {n}"))).collect();
    memory.forget(&ids[..1], Forget::Archive).unwrap();
    drop(memory);
    (sandbox, ids)
}

#[cfg(unix)]
#[test]
fn a_ledger_that_is_a_link_is_refused() {
    use std::os::unix::fs::symlink;
    let (sandbox, _) = filled();
    fs::rename(sandbox.place(LEDGER), sandbox.beside("ledger.db")).unwrap();
    symlink(sandbox.beside("ledger.db"), sandbox.place(LEDGER)).unwrap();
    let before = sandbox.outside();
    let refused = sandbox.try_open().and_then(|memory| memory.remember(note("x")).map(|_| ()));
    assert_eq!(refused.err().map(|error| error.code()), Some("E_NOT_PLAIN"));
    assert!(sandbox.outside() == before, "nothing is written through the link");
    fs::remove_file(sandbox.place(LEDGER)).unwrap();
    symlink(sandbox.beside("not-there.db"), sandbox.place(LEDGER)).unwrap();
    let refused = sandbox.try_open().and_then(|memory| memory.remember(note("x")).map(|_| ()));
    assert_eq!(refused.err().map(|error| error.code()), Some("E_NOT_PLAIN"));
    assert!(sandbox.outside() == before, "nothing is made through the link");
}

#[test]
fn a_damaged_page_in_the_middle_is_found_and_repaired() {
    let (sandbox, _) = filled();
    let mut bytes = fs::read(sandbox.place(LEDGER)).unwrap();
    let middle = bytes.len() / 2 / 4096 * 4096;
    bytes[middle..middle + 4096].fill(0xa5);
    fs::write(sandbox.place(LEDGER), bytes).unwrap();
    let files = sandbox.files();
    let memory = sandbox.open();
    let repaired = memory.repair();
    assert!(repaired.is_ok(), "{repaired:?}");
    assert_eq!(memory.texts().len(), 8);
    assert!(sandbox.files() == files);
}

/// Forgetting hand-written text for good leaves earlier wordings in the archive and the ledger.
#[test]
fn hand_text_is_forgotten_with_its_past() {
    let sandbox = Sandbox::new().file(FILE, "hand text firstmarkerfirstmarker\n");
    let memory = sandbox.open();
    let first =
        |memory: &memory_engine::Memory| memory.list(&Filter::default()).unwrap()[0].memory.id.clone();
    memory.reword(&first(&memory), "now secondmarkersecondmarker");
    memory.forget(&[first(&memory)], Forget::Hard).unwrap();
    assert_eq!(hits(&sandbox, "secondmarker"), Vec::<String>::new());
    assert_eq!(hits(&sandbox, "firstmarker"), Vec::<String>::new());
}

/// A memory in three wordings, forgotten; the batches of them, oldest first.
fn forgotten_after_edits(sandbox: &Sandbox) -> (memory_engine::Memory, MemoryId, Vec<String>) {
    let memory = sandbox.open();
    let id = memory.note("first");
    memory.reword(&id, "second");
    memory.reword(&id, "third");
    memory.forget(std::slice::from_ref(&id), Forget::Archive).unwrap();
    let ops = memory.history(&id).unwrap();
    let batches = ops.into_iter().filter_map(|version| version.archive).collect();
    (memory, id, batches)
}

/// A manifest that cannot be read is passed over, and an older wording comes back without a word.
#[test]
fn an_older_wording_does_not_come_back_in_the_place_of_a_broken_one() {
    let sandbox = Sandbox::new();
    let (memory, id, batches) = forgotten_after_edits(&sandbox);
    let place = format!("archive/{}/manifest.json", batches[2]);
    let manifest = sandbox.text(&place);
    sandbox.save(&place, "{");
    assert_eq!(memory.restore(id.as_str()).unwrap_err().code(), "E_BROKEN");
    assert!(memory.show(&id).is_err() && memory.codes().contains(&"E_BROKEN"), "it is said elsewhere too");
    memory.history(&id).unwrap();
    assert!(memory.codes().contains(&"E_BROKEN"));
    sandbox.save(&place, manifest);
    memory.restore(id.as_str()).unwrap();
    assert_eq!(memory.text_of(&id), "third");
}

/// Batches are ordered by the clock of the day they were made, which may have been set back since.
#[test]
fn the_newest_wording_comes_back_whatever_the_clock_said() {
    let sandbox = Sandbox::new();
    let (memory, id, batches) = forgotten_after_edits(&sandbox);
    let later = sandbox.place("archive/edit-20991231T000000000Z");
    fs::create_dir(&later).unwrap();
    for file in fs::read_dir(sandbox.place(&format!("archive/{}", batches[0]))).unwrap() {
        let file = file.unwrap();
        fs::copy(file.path(), later.join(file.file_name())).unwrap();
    }
    assert_eq!(memory.restore(id.as_str()).unwrap().archive, batches[2]);
    assert_eq!(memory.text_of(&id), "third");
}

/// A copy of an agent's folder is in the list and cannot be found, and nobody says why.
#[test]
fn a_copied_folder_is_named() {
    let sandbox = Sandbox::new();
    let memory = sandbox.open();
    memory.note("sessions live in redis");
    memory.flush().unwrap();
    sandbox.save("dev/notes.md", sandbox.text(FILE).replace("redis", "valkey"));
    assert_eq!(memory.texts().len(), 2);
    assert!(memory.codes().contains(&"duplicate-id"));
    for depth in [Depth::Fast, Depth::Deep] {
        let found = memory.doctor(depth).unwrap().findings;
        assert!(found.iter().any(|it| it.code == "duplicate-id"), "{found:?}");
    }
}

/// An entry that moves from one file to another stands in both for a moment.
#[test]
fn an_entry_that_moves_is_not_doubled() {
    let sandbox = Sandbox::new();
    let memory = sandbox.open();
    memory.note("moves");
    memory.flush().unwrap();
    let entry = sandbox.text(FILE);
    sandbox.save("default/facts.md", entry);
    sandbox.save(FILE, "");
    assert_eq!(memory.texts(), ["moves"]);
    assert!(!memory.codes().contains(&"duplicate-id"));
}

/// The memory that took another's place is forgotten, and the other stays hidden without a word.
#[test]
fn what_stays_hidden_is_said() {
    let sandbox = Sandbox::new();
    let memory = sandbox.open();
    let (old, new) = (memory.note("the port is 8080"), memory.note("the port is 9090"));
    memory.supersede(&Supersede::By { old: old.clone(), new: new.clone() }).unwrap();
    assert!(memory.doctor(Depth::Fast).unwrap().findings.is_empty());
    memory.forget(&[new], Forget::Archive).unwrap();
    let said = memory.notices();
    assert!(said.iter().any(|it| it.text.contains(&format!("supersede --undo {old}"))), "{said:?}");
    let found = memory.doctor(Depth::Fast).unwrap().findings;
    assert!(found.iter().any(|it| it.code == "superseded-by-nothing"), "{found:?}");
}

/// Markdown lies where nobody looks for it, and the check-up finds all well.
#[test]
fn markdown_that_is_never_read_is_named() {
    let unread = [
        "records/release-plan (conflicted copy).md",
        "records/My Note.md",
        "memory/notes.md",
        "dev/sub/x.md",
        "dev/My Notes.md",
        "ops.md",
    ];
    let mut sandbox = Sandbox::new().file("README.md", "x").file("memory/2026-03-16.md", "x");
    for path in unread {
        sandbox = sandbox.file(path, "# nobody reads this\n");
    }
    let found = sandbox.open().doctor(Depth::Fast).unwrap().findings;
    let mut named: Vec<&str> = found.iter().map(|it| it.file.as_str()).collect();
    let mut unread = unread.to_vec();
    named.sort_unstable();
    unread.sort_unstable();
    assert_eq!(named, unread);
}

/// The first lines of secrets stand in the archive's list.
#[test]
fn the_archive_shows_no_heading_of_a_secret() {
    let sandbox = Sandbox::new();
    let memory = sandbox.open();
    let mut draft = note("the safe opens with 31415");
    draft.provenance.sensitivity = Sensitivity::Secret;
    let id = memory.remember(draft).unwrap().id;
    let batch = memory.forget(&[id], Forget::Archive).unwrap().archive.unwrap();
    let place = format!("archive/{batch}/manifest.json");
    let manifest = sandbox.text(&place);
    assert!(!manifest.contains("31415"), "{manifest}");
    let heading = |secrets| {
        let audience = Audience { secrets, ..Audience::default() };
        memory.archive(&audience).unwrap()[0].items[0].heading.clone()
    };
    // As an earlier version wrote it.
    let old = "\"heading\": \"the safe opens with 31415\"";
    sandbox.save(&place, manifest.replace("\"heading\": \"\"", old));
    assert_eq!(heading(Secrets::Hide), "");
    assert_eq!(heading(Secrets::Show), "the safe opens with 31415");
    memory.restore(&batch).unwrap();
}
