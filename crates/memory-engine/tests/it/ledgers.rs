//! Ledgers that are missing, damaged, foreign or newer, and disks that are full or cannot be written: the right code
//! or the right recovery, and no memory lost.

use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use memory_engine::core::id::MemoryId;
use memory_engine::disk::{Disk as _, OsDisk};
use memory_engine::{Depth, Forget, Process, ProcessFrom, Watch};

use crate::sandbox::{Asked as _, Dice, Sandbox, note};

const LEDGER: &str = ".vault/ledger.db";
const WAL: &str = ".vault/ledger.db-wal";

/// A closed root with entries, hand-written text and an archive batch.
fn filled() -> (Sandbox, Vec<MemoryId>) {
    let sandbox = Sandbox::new().file("default/notes.md", "# Notes\n\nwritten by hand\n");
    let memory = sandbox.open();
    let ids: Vec<MemoryId> = (0..8).map(|n| memory.note(&format!("entry {n}"))).collect();
    memory.forget(&ids[..1], Forget::Archive).unwrap();
    sandbox.close(memory);
    (sandbox, ids)
}

/// After a loss of the ledger: every memory answers, no file changed, and new ones can be kept.
fn check(what: &str, rebuilt: bool, harm: impl FnOnce(&Sandbox)) {
    let (sandbox, ids) = filled();
    let files = sandbox.files();
    harm(&sandbox);
    let before = sandbox.outside();
    let memory = sandbox.open();
    assert_eq!(memory.codes().contains(&"ledger-rebuilt"), rebuilt, "{what}");
    let mut expect: Vec<String> = (1..8).rev().map(|n| format!("entry {n}")).collect();
    expect.push("written by hand".to_owned());
    assert_eq!(memory.texts(), expect, "{what}");
    assert!(sandbox.files() == files, "{what}: a file changed");
    let new = memory.note("after the loss");
    assert!(new.millis() > ids[7].millis(), "{what}: ids go on from those in the files");
    memory.reword(&ids[3], "entry 3, changed");
    memory.restore(ids[0].as_str()).unwrap();
    assert_eq!(memory.texts().len(), 10, "{what}");
    let found = memory.deep().findings;
    assert!(found.iter().all(|finding| finding.code == "set-aside"), "{what}: {found:?}");
    assert!(sandbox.outside() == before, "{what}: something beside the root changed");
    if rebuilt {
        let kept = sandbox.everything().into_keys().any(|path| path.starts_with(".vault/quarantine/2"));
        assert!(kept, "{what}: the damaged ledger is set aside, not deleted");
    }
}

#[test]
fn a_ledger_that_is_lost_is_made_anew() {
    check("missing", false, |sandbox| fs::remove_file(sandbox.place(LEDGER)).unwrap());
    check("all of ours missing", false, |sandbox| fs::remove_dir_all(sandbox.place(".vault")).unwrap());
    check("zero bytes", false, |sandbox| fs::write(sandbox.place(LEDGER), b"").unwrap());
    check("text", true, |sandbox| fs::write(sandbox.place(LEDGER), b"not a database\n".repeat(400)).unwrap());
    check("zeros", true, |sandbox| fs::write(sandbox.place(LEDGER), vec![0; 40960]).unwrap());
    check("random bytes", true, |sandbox| {
        let mut dice = Dice(1);
        let bytes: Vec<u8> = (0..40960).map(|_| dice.below(256) as u8).collect();
        fs::write(sandbox.place(LEDGER), bytes).unwrap();
    });
}

#[test]
fn a_ledger_that_is_cut_short_is_made_anew() {
    // SQLite takes what is shorter than its header for an empty database.
    for keep in [1, 50, 100, 4096, 5000] {
        check(&format!("the first {keep} bytes"), keep > 1, |sandbox| {
            let bytes = fs::read(sandbox.place(LEDGER)).unwrap();
            fs::write(sandbox.place(LEDGER), &bytes[..keep]).unwrap();
        });
    }
}

#[test]
fn a_log_of_garbage_beside_a_sound_ledger_does_no_harm() {
    check("a garbage log", false, |sandbox| {
        fs::write(sandbox.place(WAL), b"garbage".repeat(2000)).unwrap();
        fs::write(sandbox.place(".vault/ledger.db-shm"), b"garbage".repeat(5000)).unwrap();
    });
}

#[test]
fn a_newer_ledger_is_left_as_it_is() {
    let (sandbox, _) = filled();
    let db = rusqlite::Connection::open(sandbox.place(LEDGER)).unwrap();
    db.execute_batch("PRAGMA user_version=99").unwrap();
    drop(db);
    let before = sandbox.everything();
    assert_eq!(sandbox.try_open().err().unwrap().code(), "E_NEWER");
    let after = sandbox.everything();
    let same = |path: &str| before.get(path) == after.get(path);
    assert!(same(LEDGER) && same("default/notes.md"), "nothing is written to what is not understood");
}

/// A small disk of its own, taken away at the end.
struct Mounted(tempfile::TempDir);

impl Mounted {
    fn new(options: &str) -> Option<Self> {
        let folder = tempfile::tempdir().unwrap();
        let mounted = Self::call(&["-t", "tmpfs", "-o", options, "none"], &folder.path().to_path_buf());
        if !mounted {
            eprintln!("skipped: a small disk cannot be mounted here");
        }
        mounted.then_some(Self(folder))
    }

    fn call(arguments: &[&str], place: &PathBuf) -> bool {
        Command::new("mount").args(arguments).arg(place).output().is_ok_and(|output| output.status.success())
    }

    fn remount(&self, options: &str) -> bool {
        Self::call(&["-o", options], &self.0.path().to_path_buf())
    }

    fn root(&self) -> PathBuf {
        self.0.path().join("root")
    }
}

impl Drop for Mounted {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(self.0.path()).output();
    }
}

#[test]
fn a_full_disk_refuses_and_loses_nothing() {
    let Some(disk) = Mounted::new("size=512k") else { return };
    let sandbox = Sandbox::at(disk.root());
    let memory = sandbox.open();
    let mut kept = Vec::new();
    let mut refused = None;
    for n in 0..2000 {
        let text = format!("{n} {}", "words to fill the disk with ".repeat(20));
        match memory.remember(note(&text)) {
            Ok(_) => kept.push(text.trim_end().to_owned()),
            Err(error) => {
                refused = Some(error.code());
                break;
            }
        }
    }
    assert_eq!(refused, Some("E_NOSPC"), "after {} entries", kept.len());
    assert!(kept.len() > 20, "only {} entries fit", kept.len());
    let has_all = |texts: &[String]| kept.iter().all(|text| texts.contains(text));
    assert!(has_all(&memory.texts()), "what was acknowledged is listed on the full disk");
    drop(memory);
    assert!(disk.remount("remount,size=8m"));
    let memory = sandbox.open();
    assert!(has_all(&memory.texts()), "and after there is space again");
    let id = memory.note("there is space again");
    memory.flush().unwrap();
    assert_eq!(sandbox.open().text_of(&id), "there is space again");
    assert_eq!(memory.texts().len(), kept.len() + 1);
    let found = memory.doctor(Depth::Deep).unwrap().findings;
    assert!(found.is_empty(), "{found:?}");
}

#[test]
fn a_full_disk_is_read() {
    let Some(disk) = Mounted::new("size=512k") else { return };
    let sandbox = Sandbox::at(disk.root());
    let memory = sandbox.open();
    let id = memory.note("written before");
    sandbox.close(memory);
    let mut filler = std::fs::File::create(sandbox.place("filler")).unwrap();
    while std::io::Write::write_all(&mut filler, &[0; 4096]).is_ok() {}
    let memory = sandbox.open();
    assert!(memory.codes().contains(&"read-only"));
    assert_eq!(memory.text_of(&id), "written before");
    assert_eq!(memory.texts(), ["written before"]);
    assert_eq!(memory.remember(note("no room")).unwrap_err().code(), "E_NOSPC");
    assert!(memory.doctor(Depth::Fast).is_ok());
}

#[test]
fn a_disk_that_cannot_be_written_is_read() {
    let Some(disk) = Mounted::new("size=8m") else { return };
    let sandbox = Sandbox::at(disk.root());
    let memory = sandbox.open();
    let id = memory.note("written before");
    sandbox.close(memory);
    assert!(disk.remount("remount,ro"));
    let memory = sandbox.open();
    assert!(memory.codes().contains(&"read-only"));
    assert_eq!(memory.texts(), ["written before"]);
    assert_eq!(memory.text_of(&id), "written before");
    assert_eq!(memory.history(&id).unwrap().len(), 1);
    memory.deep();
    assert_eq!(memory.remember(note("x")).unwrap_err().code(), "E_READONLY");
    assert_eq!(memory.forget(std::slice::from_ref(&id), Forget::Archive).unwrap_err().code(), "E_READONLY");
    sandbox.close(memory);
    assert!(disk.remount("remount,rw"));
    assert_eq!(sandbox.open().texts(), ["written before"]);
}

#[test]
fn a_disk_that_becomes_read_only_says_so() {
    let Some(disk) = Mounted::new("size=8m") else { return };
    let sandbox = Sandbox::at(disk.root());
    let memory = sandbox.open();
    let id = memory.note("written before");
    memory.flush().unwrap();
    // A file that is open for writing keeps the disk from becoming read-only, so the handle is closed first.
    sandbox.close(memory);
    assert!(disk.remount("remount,ro"));
    let memory = sandbox.open();
    assert_eq!(memory.remember(note("x")).unwrap_err().code(), "E_READONLY");
    assert!(disk.remount("remount,rw"));
    assert_eq!(memory.text_of(&id), "written before");
    drop(memory);
    sandbox.open().note("works again");
}

#[test]
fn what_is_kept_in_a_ledger_that_was_taken_away_is_not_acknowledged() {
    let sandbox = Sandbox::new();
    let memory = sandbox.open();
    memory.note("written before");
    memory.flush().unwrap();
    fs::remove_dir_all(sandbox.place(".vault")).unwrap();
    assert_eq!(memory.remember(note("into nothing")).unwrap_err().code(), "E_BROKEN");
    drop(memory);
    let memory = sandbox.open();
    memory.note("works again");
    let texts = memory.texts();
    assert!(texts.contains(&"works again".to_owned()) && texts.contains(&"written before".to_owned()));
}

#[cfg(unix)]
#[test]
fn what_is_kept_in_a_folder_that_was_moved_away_is_not_acknowledged() {
    let sandbox = Sandbox::new();
    let memory = sandbox.open();
    memory.note("written before");
    memory.flush().unwrap();
    fs::rename(sandbox.place(""), sandbox.beside("moved")).unwrap();
    assert_eq!(memory.remember(note("into nothing")).unwrap_err().code(), "E_BROKEN");
    let process = Process {
        agent: None,
        idle: Duration::from_secs(60),
        from: ProcessFrom::Clients(Vec::new()),
        wait: Duration::ZERO,
    };
    let asked = Watch { process, debounce: Duration::from_secs(1), every: Duration::from_secs(1) };
    let ended = memory.watch(&asked, &AtomicBool::new(false), &mut |_| {});
    assert_eq!(ended.unwrap_err().code(), "E_BROKEN", "a watcher does not go on where nobody looks");
    fs::create_dir(sandbox.place("")).unwrap();
    assert_eq!(memory.remember(note("into the old place")).unwrap_err().code(), "E_BROKEN");
    drop(memory);
    let memory = sandbox.open();
    memory.note("into the new one");
    assert_eq!(memory.texts(), ["into the new one"]);
}

#[test]
fn a_disk_that_cannot_be_written_shows_what_changed_by_hand() {
    let Some(disk) = Mounted::new("size=8m") else { return };
    let sandbox = Sandbox::at(disk.root());
    let memory = sandbox.open();
    let id = memory.note("sessions live in redis");
    sandbox.close(memory);
    sandbox.save("default/notes.md", sandbox.text("default/notes.md").replace("redis", "valkey"));
    sandbox.save("default/facts.md", "by hand in a new file\n");
    assert!(disk.remount("remount,ro"));
    let memory = sandbox.open();
    assert_eq!(memory.text_of(&id), "sessions live in valkey");
    assert_eq!(memory.texts().len(), 2);
    assert_eq!(memory.search(&memory_engine::Search::new("valkey")).unwrap().hits.len(), 1);
    assert!(memory.codes().contains(&"as-it-stands"));
    let found = memory.doctor(Depth::Fast).unwrap().findings;
    assert!(found.iter().any(|it| it.file == "default/notes.md"), "{found:?}");
}

#[test]
fn a_log_beside_the_ledger_is_read_on_a_disk_that_cannot_be_written() {
    let Some(disk) = Mounted::new("size=8m") else { return };
    let source = Sandbox::new();
    let memory = source.open();
    memory.note("kept last");
    memory.flush().unwrap();
    // As a copy or a snapshot of a folder in use has them.
    for path in [LEDGER, WAL, "default/notes.md"] {
        let place = disk.root().join(path);
        fs::create_dir_all(place.parent().unwrap()).unwrap();
        fs::copy(source.place(path), place).unwrap();
    }
    assert!(fs::metadata(disk.root().join(WAL)).unwrap().len() > 0);
    assert!(disk.remount("remount,ro"));
    let copy = Sandbox::at(disk.root());
    assert_eq!(copy.open().texts(), ["kept last"]);
    assert_eq!(
        copy.open().history(&memory.list(&Default::default()).unwrap()[0].memory.id).unwrap().len(),
        1
    );
}

#[test]
fn a_journal_is_left_to_the_one_who_is_writing_it() {
    let sandbox = Sandbox::new().settings("[limits]\nlock_wait_ms = 50\n");
    let memory = sandbox.open();
    memory.note("kept before");
    sandbox.close(memory);
    let disk = OsDisk::create(&sandbox.place("")).unwrap();
    // A ledger that is being made looks like this: its header says how it logs, and its journal is still there.
    let lock = disk.lock(Duration::from_secs(5)).unwrap();
    sandbox.save(".vault/ledger.db-journal", "of the one who holds the lock");
    assert_eq!(sandbox.try_open().err().map(|error| error.code()), Some("E_LOCKED"));
    assert_eq!(sandbox.text(".vault/ledger.db-journal"), "of the one who holds the lock");
    std::fs::remove_file(sandbox.place(".vault/ledger.db-journal")).unwrap();
    drop(lock);
    assert_eq!(sandbox.open().texts(), ["kept before"]);
    assert!(!sandbox.place(".vault/quarantine").exists());
}
