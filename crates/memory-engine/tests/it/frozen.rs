//! A file that loses most of its entries at once: it is left alone and said, nothing that is kept meanwhile is lost,
//! and it goes on when its text returns or when a person says that the loss is meant.

use memory_engine::core::id::MemoryId;
use memory_engine::{Change, Expect, Forget, Memory};

use crate::sandbox::{Asked as _, Sandbox};

const FILE: &str = "default/notes.md";

/// Ten entries, of which the file shows only the oldest two any more.
fn cut_short() -> (Sandbox, Memory, Vec<MemoryId>, String) {
    let sandbox = Sandbox::new();
    let memory = sandbox.open();
    let ids: Vec<MemoryId> = (0..10).map(|n| memory.note(&format!("entry {n}"))).collect();
    memory.flush().unwrap();
    let whole = sandbox.text(FILE);
    let at = whole.find(&format!("<!-- id:{} -->", ids[1])).unwrap();
    sandbox.save(FILE, &whole[at..]);
    (sandbox, memory, ids, whole)
}

#[test]
fn a_file_that_loses_most_entries_is_frozen_and_said() {
    let (sandbox, memory, ids, _) = cut_short();
    let cut = sandbox.text(FILE);
    memory.texts();
    assert!(memory.codes().contains(&"frozen"));
    for handle in [&memory, &sandbox.open()] {
        let found = handle.deep().findings;
        assert!(found.iter().any(|finding| finding.code == "frozen" && finding.file == FILE), "{found:?}");
    }
    let edit = memory.edit(&ids[0], Change::Text("changed".into()), &Expect::Anything);
    assert_eq!(edit.unwrap_err().code(), "E_FROZEN");
    assert_eq!(memory.forget(&ids[..1], Forget::Archive).unwrap_err().code(), "E_FROZEN");
    let pending = memory.note("kept while frozen");
    assert_eq!(sandbox.text(FILE), cut, "the file is left alone");
    for handle in [&memory, &sandbox.open()] {
        assert_eq!(handle.text_of(&pending), "kept while frozen");
        assert!(handle.texts().contains(&"kept while frozen".to_owned()));
    }
}

/// The newest two stand at the top, so their places are no longer those that the catalogue knows.
#[test]
fn what_a_frozen_file_still_shows_is_refused_as_frozen() {
    let sandbox = Sandbox::new();
    let memory = sandbox.open();
    let ids: Vec<MemoryId> = (0..10).map(|n| memory.note(&format!("entry {n}"))).collect();
    memory.flush().unwrap();
    let whole = sandbox.text(FILE);
    let at = whole.find(&format!("<!-- id:{} -->", ids[7])).unwrap();
    let by_hand = "<!-- id:1773679871839 -->\n## 2026-03-16T16:51\n\nwritten since\n\n---\n";
    sandbox.save(FILE, format!("{}{by_hand}", &whole[..at]));
    assert!(memory.texts().contains(&"entry 9".to_owned()));
    assert!(memory.codes().contains(&"frozen"));
    // One that is shown, one that is not, and one that came since.
    for id in [&ids[9], &ids[2], &MemoryId::parse("1773679871839").unwrap()] {
        let edit = memory.edit(id, Change::Text("changed".into()), &Expect::Anything);
        assert_eq!(edit.unwrap_err().code(), "E_FROZEN", "{id}");
        for how in [Forget::Archive, Forget::Hard] {
            assert_eq!(memory.forget(std::slice::from_ref(id), how).unwrap_err().code(), "E_FROZEN", "{id}");
        }
    }
}

#[test]
fn a_frozen_file_thaws_when_its_text_returns() {
    let (sandbox, memory, _, whole) = cut_short();
    memory.texts();
    memory.note("kept while frozen");
    drop(memory);
    sandbox.save(FILE, &whole);
    let memory = sandbox.open();
    assert_eq!(memory.texts().len(), 11);
    assert!(sandbox.text(FILE).contains("kept while frozen"), "what waited is written");
    assert!(sandbox.text(FILE).ends_with(&whole), "and the rest is as it was");
    assert!(memory.deep().findings.is_empty());
}

#[test]
fn a_person_may_say_that_the_loss_is_meant() {
    let sandbox = Sandbox::new();
    let memory = sandbox.open();
    let ids: Vec<MemoryId> = (0..10).map(|n| memory.note(&format!("entry {n}"))).collect();
    memory.flush().unwrap();
    let whole = sandbox.text(FILE);
    let at = whole.find(&format!("\n\n<!-- id:{} -->", ids[7])).unwrap();
    sandbox.save(FILE, &whole[..at]);
    memory.texts();
    assert!(memory.codes().contains(&"frozen"));
    memory.note("kept while frozen");
    memory.accept(FILE).unwrap();
    assert_eq!(memory.texts(), ["kept while frozen", "entry 9", "entry 8"]);
    assert!(sandbox.text(FILE).contains("kept while frozen"));
    assert!(!memory.deep().findings.iter().any(|finding| finding.code == "frozen"));
    // What the person took out is in the archive, because we still knew its text.
    assert_eq!(memory.restore(ids[5].as_str()).unwrap().ids, [ids[5].clone()]);
    assert_eq!(memory.text_of(&ids[5]), "entry 5");
}

#[test]
fn what_a_person_accepts_stays_so_though_it_looks_like_an_old_buffer() {
    let (_sandbox, memory, ..) = cut_short();
    memory.texts();
    memory.accept(FILE).unwrap();
    assert_eq!(memory.texts(), ["entry 1", "entry 0"]);
}

#[test]
fn a_file_that_is_gone_is_frozen_too() {
    let (sandbox, memory, _, whole) = cut_short();
    std::fs::remove_file(sandbox.place(FILE)).unwrap();
    memory.texts();
    assert!(memory.codes().contains(&"frozen"));
    memory.note("kept while gone");
    sandbox.save(FILE, &whole);
    assert_eq!(memory.texts().len(), 11);
}

#[test]
fn a_few_entries_taken_out_are_just_taken_out() {
    let sandbox = Sandbox::new();
    let memory = sandbox.open();
    let ids: Vec<MemoryId> = (0..10).map(|n| memory.note(&format!("entry {n}"))).collect();
    memory.flush().unwrap();
    let whole = sandbox.text(FILE);
    let from = whole.find(&format!("<!-- id:{} -->", ids[6])).unwrap();
    let to = whole.find(&format!("<!-- id:{} -->", ids[3])).unwrap();
    sandbox.save(FILE, format!("{}{}", &whole[..from], &whole[to..]));
    assert_eq!(memory.texts().len(), 7);
    assert!(!memory.codes().contains(&"frozen"));
    assert_eq!(memory.history(&ids[5]).unwrap().last().unwrap().what, "found-gone");
}

#[test]
fn what_waits_for_a_frozen_file_outlives_its_ledger() {
    let (sandbox, memory, ids, _) = cut_short();
    memory.texts();
    memory.note("kept while frozen");
    sandbox.close(memory);
    let db = rusqlite::Connection::open(sandbox.place(".vault/ledger.db")).unwrap();
    db.execute("UPDATE ops SET hash = zeroblob(32) WHERE seq = 1", []).unwrap();
    drop(db);
    let memory = sandbox.open();
    memory.repair().unwrap();
    assert_eq!(memory.texts(), ["kept while frozen", "entry 1", "entry 0"]);
    assert!(sandbox.text(FILE).contains("kept while frozen"));
    memory.restore(ids[5].as_str()).unwrap();
    assert!(memory.texts().contains(&"entry 5".to_owned()));
}
