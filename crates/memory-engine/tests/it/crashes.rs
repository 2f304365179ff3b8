//! Migration and supersession on a disk that crashes at every one of its calls: repeated afterwards, each ends as if
//! nothing had happened, with every text once.

use std::sync::Arc;

use memory_engine::core::config::Resolved;
use memory_engine::core::id::MemoryId;
use memory_engine::disk::{Fault, FaultyDisk};
use memory_engine::{Draft, Filter, Memory, Migrate, Result, Supersede};

use crate::sandbox::{Asked as _, fast_folder};

const FLAT: &[u8] = b"intro text\n\n## Decisions\n\nuse SSE\n\n## Tasks\n\n- [ ] one\n\n## Other\n\nrest\n";

fn open(disk: &FaultyDisk) -> Result<Memory> {
    Memory::with(Arc::new(disk.clone()), Resolved::default())
}

/// Crashes an act at each of its calls, repeats it after the power is back, and checks.
fn at_every_call(
    prepare: impl Fn(&FaultyDisk),
    act: impl Fn(&Memory) -> Result<()>,
    check: impl Fn(&FaultyDisk, &Memory, usize),
) {
    let mut call = 0;
    loop {
        let (first, second) = (fast_folder(), fast_folder());
        let disk = FaultyDisk::new(first.path());
        prepare(&disk);
        disk.arm(call, Fault::Crash);
        let _ = open(&disk).and_then(|memory| act(&memory));
        let reached = disk.crashed();
        let disk = disk.reboot(second.path(), call as u64);
        let memory = open(&disk).unwrap();
        act(&memory).unwrap_or_else(|error| panic!("call {call}: {error}"));
        memory.flush().unwrap();
        check(&disk, &memory, call);
        if !reached {
            assert!(call > 20, "{call}");
            return;
        }
        call += 1;
    }
}

#[test]
fn a_migration_survives_a_crash_at_any_call() {
    at_every_call(
        |disk| disk.edit("dev.md", FLAT, false),
        |memory| memory.migrate(Migrate::Now).map(|_| ()),
        |disk, memory, call| {
            let mut texts = memory.texts();
            texts.sort();
            assert_eq!(texts, ["- [ ] one", "intro text", "rest", "use SSE"], "call {call}");
            assert_eq!(disk.cat("dev.md.bak").as_deref(), Some(FLAT), "call {call}");
            assert!(disk.cat("dev.md").is_none() && disk.cat(".vault/migrating").is_none(), "call {call}");
        },
    );
}

#[test]
fn superseding_survives_a_crash_at_any_call() {
    let ids = |memory: &Memory| -> Result<Vec<MemoryId>> {
        let mut all: Vec<MemoryId> =
            memory.list(&Filter::default())?.into_iter().map(|entry| entry.memory.id).collect();
        all.sort();
        Ok(all)
    };
    at_every_call(
        |disk| {
            let memory = open(disk).unwrap();
            memory.remember(Draft::note("the old rule")).unwrap();
            memory.remember(Draft::note("the new rule")).unwrap();
            memory.flush().unwrap();
        },
        |memory| {
            // A file that cannot be read is left out of the list, so a crash may leave nothing to supersede.
            let all = ids(memory)?;
            let [old, new] = &all[..] else { return Ok(()) };
            memory.supersede(&Supersede::By { old: old.clone(), new: new.clone() }).map(|_| ())
        },
        |disk, memory, call| {
            let all = ids(memory).unwrap();
            assert_eq!(all.len(), 2, "call {call}");
            let (old, new) = (memory.show(&all[0]).unwrap().memory, memory.show(&all[1]).unwrap().memory);
            assert_eq!(old.superseded_by(), Some(new.id), "call {call}");
            assert_eq!(
                (old.body.as_str(), new.provenance.lineage),
                ("the old rule", vec![old.id]),
                "call {call}"
            );
            let file = String::from_utf8(disk.cat("default/notes.md").unwrap()).unwrap();
            assert!(file.contains("supersededBy"), "call {call}: {file}");
        },
    );
}
