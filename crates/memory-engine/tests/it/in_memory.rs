//! What a person does in the files, on a disk in memory: in the middle of our own work, in other letters, and counted.

use std::sync::Arc;

use memory_engine::core::config::Resolved;
use memory_engine::core::id::{AgentId, MemoryId};
use memory_engine::core::scope::Scope;
use memory_engine::disk::{Disk as _, FaultyDisk, Name};
use memory_engine::{Draft, Filter, Memory, Outcome};

use crate::by_hand::{retag, with_heading};
use crate::sandbox::{Asked as _, fast_folder, note};

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
fn a_folder_in_other_letters_holds_its_memories_once() {
    for (from, to) in [("dev", "Dev"), ("Dev", "dev")] {
        let folder = fast_folder();
        let disk = FaultyDisk::new(folder.path());
        let entries: String = (1..=8)
            .map(|n| format!("<!-- id:170000000000{n} -->\n## 2023-11-14T22:13\n\nentry {n}\n\n---\n\n"))
            .collect();
        disk.edit(&format!("{from}/notes.md"), entries.as_bytes(), false);
        disk.fold_case();
        assert_eq!(open(&disk).texts().len(), 8);
        disk.make_folder(to).unwrap();
        disk.rename(&format!("{from}/notes.md"), &format!("{to}/notes.md")).unwrap();
        disk.remove_folder(from).unwrap();
        let memory = open(&disk);
        for _ in 0..2 {
            let listed = memory.list(&Filter::default()).unwrap();
            assert_eq!(listed.len(), 8, "{to}");
            assert!(listed.iter().all(|entry| entry.file == format!("{to}/notes.md")), "{to}");
            let dev = AgentId::parse("dev").unwrap();
            let kept = memory.remember(Draft { scope: Some(Scope::Agent(dev)), ..note("entry 8") }).unwrap();
            assert_eq!(kept.outcome, Outcome::Duplicate, "{to}");
        }
        assert!(!memory.codes().contains(&"frozen"), "{to}");
        assert!(memory.deep().findings.is_empty(), "{to}");
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
    // A file that is young when it is looked at is looked at twice; each of the ten for each that is missing would be 80.
    let (many, one) = (calls(9), calls(1));
    assert!(many.abs_diff(one) <= 10, "{many} calls for nine, {one} for one");
}
