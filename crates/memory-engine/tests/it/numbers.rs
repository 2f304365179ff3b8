//! The numbers that memories get as ids: they rise and are given once, and no wrong date leads them into the future.

use std::collections::BTreeSet;

use memory_engine::core::id::MemoryId;
use memory_engine::core::time::DAY_MS;
use memory_engine::{Depth, Forget, ambient};

use crate::sandbox::{Asked as _, Sandbox};

const FILE: &str = "default/notes.md";

/// Keeps notes and checks that they are of today.
fn check(sandbox: &Sandbox, what: &str) {
    let memory = sandbox.open();
    let ids: Vec<MemoryId> = (0..50).map(|n| memory.note(&format!("{what} {n}"))).collect();
    let again = sandbox.open().note(&format!("{what}, another process"));
    let ids: Vec<u64> = ids.iter().chain([&again]).map(|id| id.millis().unwrap()).collect();
    let today = ambient::now().0;
    assert!(ids.is_sorted() && ids.iter().collect::<BTreeSet<_>>().len() == ids.len(), "{what}: {ids:?}");
    assert!(ids.iter().all(|id| (*id as i64 - today).abs() < DAY_MS / 24), "{what}: {ids:?}");
    let created = memory.show(&again).unwrap().memory.created.0;
    assert!((created - today).abs() < DAY_MS / 24, "{what}: {created}");
}

#[test]
fn a_name_from_the_future_leads_nobody_there() {
    let entry = "<!-- id:99999999999999 -->\n## 2026-03-16T16:51\n\na slip of the hand\n\n---\n";
    let sandbox = Sandbox::new().file(FILE, entry);
    let id = MemoryId::parse("99999999999999").unwrap();
    check(&sandbox, "beside it");
    sandbox.open().reword(&id, "another wording");
    check(&sandbox, "after an edit");
    sandbox.open().forget(std::slice::from_ref(&id), Forget::Archive).unwrap();
    check(&sandbox, "after it was forgotten");
    sandbox.open().restore(id.as_str()).unwrap();
    check(&sandbox, "after it came back");
}

#[test]
fn a_date_from_the_future_leads_nobody_there_and_is_named() {
    let entry = "<!-- id:1773679871839 -->\n## 2099-03-16T16:51\n\na slip of the hand\n\n---\n";
    let sandbox = Sandbox::new().file(FILE, entry);
    let memory = sandbox.open();
    memory.reword(&MemoryId::parse("1773679871839").unwrap(), "another wording");
    check(&sandbox, "after an edit");
    let found = memory.doctor(Depth::Fast).unwrap().findings;
    assert!(found.iter().any(|it| it.code == "future-date" && it.file == FILE), "{found:?}");
}

#[test]
fn a_clock_that_was_wrong_once_is_left_behind() {
    let sandbox = Sandbox::new();
    let memory = sandbox.open();
    let before = memory.note("before");
    sandbox.close(memory);
    let db = rusqlite::Connection::open(sandbox.place(".vault/ledger.db")).unwrap();
    db.execute("UPDATE ops SET clock = 2400000000000 WHERE seq = (SELECT max(seq) FROM ops)", []).unwrap();
    drop(db);
    check(&sandbox, "after the wrong clock");
    assert!(sandbox.open().texts().len() == 52, "{before} is not given again");
}
