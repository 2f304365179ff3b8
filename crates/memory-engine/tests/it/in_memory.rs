//! What a person does in the files, on a disk in memory: in the middle of our own work and counted.

use std::sync::Arc;

use memory_engine::core::config::Resolved;
use memory_engine::core::id::MemoryId;
use memory_engine::disk::{Disk as _, FaultyDisk, Name};
use memory_engine::Memory;

use crate::by_hand::{retag, with_heading};
use crate::sandbox::{Asked as _, fast_folder};

const FILE: &str = "default/notes.md";

/// The texts of a double, in every file that holds memories and in the archive.
fn all_of(disk: &FaultyDisk, folder: &str) -> String {
    let names = disk.list(folder).unwrap().into_iter();
    let path = |name: Name| if folder.is_empty() { name.name } else { format!("{folder}/{}", name.name) };
    let text = |path: String| match disk.cat(&path) {
        Some(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
        None => all_of(disk, &path),
    };
    names.map(path).map(text).collect()
}

fn open(disk: &FaultyDisk) -> Memory {
    Memory::with(Arc::new(disk.clone()), Resolved::default()).unwrap()
}

#[test]
fn a_heading_that_is_written_at_any_moment_of_an_edit_is_kept() {
    for call in 0.. {
        let folder = fast_folder();
        let disk = FaultyDisk::new(folder.path());
        let memory = open(&disk);
        let id = memory.note("we use Redis for sessions");
        memory.flush().unwrap();
        let hook = |disk: &FaultyDisk| {
            let text = String::from_utf8(disk.cat(FILE).unwrap()).unwrap();
            disk.edit(FILE, with_heading(&text, "## 2025-01-02T03:04 · #mine").as_bytes(), false);
        };
        disk.interrupt(call, Box::new(hook));
        let before = disk.calls();
        retag(&memory, &id, &["cache"]);
        let reached = disk.calls() - before > call;
        disk.disarm();
        drop(memory);
        assert_eq!(open(&disk).texts().len(), 1, "call {call}");
        let all = all_of(&disk, "");
        assert!(!reached || all.contains("#mine"), "call {call}: {all}");
        if !reached {
            break;
        }
    }
}

#[test]
fn other_files_are_read_once_however_much_is_missing() {
    let calls = |taken: usize| {
        let folder = fast_folder();
        let disk = FaultyDisk::new(folder.path());
        let memory = open(&disk);
        let ids: Vec<MemoryId> = (0..20).map(|n| memory.note(&format!("entry {n}"))).collect();
        memory.flush().unwrap();
        let text = String::from_utf8(disk.cat(FILE).unwrap()).unwrap();
        let at = text.find(&format!("<!-- id:{} -->", ids[19 - taken])).unwrap();
        disk.edit(FILE, &text.as_bytes()[at..], false);
        for n in 0..10 {
            disk.edit(&format!("agent{n}/notes.md"), b"written by hand\n", false);
        }
        let before = disk.calls();
        assert_eq!(memory.texts().len(), 30);
        disk.calls() - before
    };
    assert_eq!(calls(9), calls(1));
}
