//! Upkeep on a disk that fails and crashes at every call.
//!
//! A run is cut short at each of its calls in turn, the disk is opened again, and upkeep runs to its end. Then every text
//! that was ever there is in a file or in the archive, none became two memories, another run finds nothing to do, and
//! the check-up finds no damage.

use std::collections::{BTreeMap, BTreeSet};
use std::io::ErrorKind;
use std::path::Path;
use std::sync::Arc;

use memory_core::config::{Layer, Origin, Resolved, resolve};
use memory_core::id::AgentId;
use memory_core::kind::Kind;
use memory_core::layout::{self, Home};
use memory_core::retain::Experiences;
use memory_core::scope::Scope;

use crate::disk::{Disk as _, Fault, FaultyDisk, Sort, Weakness};
use crate::doctor::Severity;
use crate::{Compact, Depth, Draft, Memory, Result, Step};

const SETTINGS: &str = "[upkeep]\ncategory_entries = 4\ncategory_keep = 2\nconversation_messages = 2\n\
                        journal_merge = true\njournal_merge_records = 2\nexperiences = true\n";

fn folder() -> tempfile::TempDir {
    let fast = Path::new("/dev/shm");
    let made = if fast.is_dir() { tempfile::tempdir_in(fast) } else { tempfile::tempdir() };
    made.unwrap()
}

fn settings() -> Resolved {
    resolve(&[Layer { origin: Origin::User, text: SETTINGS.to_owned() }])
}

fn open(disk: &FaultyDisk) -> Result<Memory> {
    Memory::with(Arc::new(disk.clone()), settings())
}

/// All but the index, which lies on a real disk and is not what is tested here.
fn all() -> Compact {
    let only = Step::ALL.into_iter().filter(|step| *step != Step::Index).collect();
    Compact { only, just_written: Vec::new() }
}

/// A root with something for every step; gives the texts that must not be lost.
fn prelude(disk: &FaultyDisk) -> Vec<String> {
    let mut texts: Vec<String> =
        (0..7).map(|n| format!("Choice {n} is about the gateway of town {n}")).collect();
    let said = |n: usize| format!("We decided to use library{n} for the part {n} because it was faster.");
    let message = |n: usize| format!(r#"{{"role":"agent","text":"{}"}}"#, said(n));
    let messages: Vec<String> = (0..4).map(message).collect();
    disk.edit(
        "conversations/dev.json",
        format!(r#"{{"agentId":"dev","messages":[{}]}}"#, messages.join(",")).as_bytes(),
        false,
    );
    texts.extend((0..4).map(said));
    disk.edit(".vault/checkpoints/dev.json", b"{a broken snapshot", false);
    disk.edit("dev.md", b"a flat file with words\n", false);
    disk.edit("gone.md.bak", b"a backup with words\n", false);
    disk.edit("small.md", b"never migrated\n", false);
    texts.extend(
        ["a broken snapshot", "a flat file with words", "a backup with words", "never migrated"]
            .map(str::to_owned),
    );
    let mut journal = "# MEMORY.md\n\nsomething by hand\n".to_owned();
    for n in 0..4 {
        let text = format!("a note about the harbour number {n}");
        journal.push_str(&format!(
            "- {{\"id\":\"r{n}\",\"category\":\"note\",\"text\":\"{text}\",\"provenance\":{{\"timestamp\":\
             \"2026-01-0{}T00:00:00.000Z\",\"sensitivity\":\"operational\"}}}}\n",
            n + 1
        ));
        texts.push(text);
    }
    disk.edit("MEMORY.md", journal.as_bytes(), false);
    texts.push("something by hand".to_owned());
    let memory = open(disk).unwrap();
    for text in &texts[..7] {
        let scope = Some(Scope::Agent(AgentId::parse("dev").unwrap()));
        memory.remember(Draft { kind: Some(Kind::Decision), scope, ..Draft::note(text) }).unwrap();
    }
    memory.flush().unwrap();
    texts
}

/// Every file of the disk outside our own folder, and our snapshots and experiences.
fn files(disk: &FaultyDisk, folder: &str, all: &mut BTreeMap<String, Vec<u8>>) {
    for name in disk.list(folder).unwrap() {
        let path = if folder.is_empty() { name.name.clone() } else { format!("{folder}/{}", name.name) };
        match name.sort {
            Sort::Folder => files(disk, &path, all),
            Sort::File => {
                all.insert(path.clone(), disk.cat(&path).unwrap_or_default());
            }
            Sort::Other => {}
        }
    }
}

/// Everything that must hold once upkeep has come to its end.
fn check(disk: &FaultyDisk, texts: &[String]) -> std::result::Result<(), String> {
    let memory = open(disk).map_err(|error| format!("does not open: {error}"))?;
    memory.compact(&all(), &mut |_, _| {}).map_err(|error| format!("does not compact: {error}"))?;
    let again = memory.look_at_compaction(&all()).map_err(|error| format!("does not look: {error}"))?;
    if !again.deeds.is_empty() {
        return Err(format!("another run would do {:?}", again.deeds));
    }
    let mut found = BTreeMap::new();
    files(disk, "", &mut found);
    found.retain(|path, _| !path.contains("/."));
    let holds = |bytes: &[u8], text: &str| bytes.windows(text.len()).any(|window| window == text.as_bytes());
    for text in texts {
        if !found.values().any(|bytes| holds(bytes, text)) {
            return Err(format!("`{text}` is lost"));
        }
    }
    // The names under which each text ever stood, in files and in copies of them.
    let mut names: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (path, bytes) in &found {
        let home = match path.strip_prefix("archive/") {
            Some(_) if bytes.starts_with(b"<!-- id:") => Home::of_path("dev/decisions.md"),
            Some(_) => None,
            None => Home::of_path(path),
        };
        let Some(home) = home.filter(|home| matches!(home, Home::Vault { .. })) else { continue };
        for found in layout::read(&home, bytes).found {
            let text = found.memory.body.as_str().to_owned();
            names.entry(text).or_default().insert(found.memory.id.to_string());
        }
    }
    for (text, ids) in &names {
        if ids.len() > 1 && !text.starts_with("Compacted ") {
            return Err(format!("`{text}` stands under {ids:?}"));
        }
    }
    let live = String::from_utf8_lossy(&found["dev/decisions.md"]).into_owned();
    if live.matches("Compacted ").count() != 1 {
        return Err(format!("there is not one summary: {live}"));
    }
    for ids in names.values().flat_map(|ids| ids.iter()) {
        if live.matches(&format!("(id {ids})")).count() > 1 {
            return Err(format!("{ids} is quoted twice: {live}"));
        }
    }
    let long_term = String::from_utf8_lossy(&found["LONGMEMORY.md"]).into_owned();
    if long_term.matches("(id r0)").count() != 1 {
        return Err(format!("the journal was not merged once: {long_term}"));
    }
    let experiences = String::from_utf8_lossy(&found[".vault/experiences.jsonl"]).into_owned();
    // A line that the crash cut off is none.
    let added = Experiences::read(&experiences).all.iter().filter(|one| one.id == "r0").count();
    if added != 1 {
        return Err(format!("an experience was added {added} times: {experiences}"));
    }
    let diagnosis = memory.doctor(Depth::Deep).map_err(|error| format!("no check-up: {error}"))?;
    match diagnosis.findings.iter().find(|finding| finding.severity == Severity::Problem) {
        Some(finding) => Err(format!("the check-up finds {finding:?}")),
        None => Ok(()),
    }
}

/// Runs upkeep on a copy of a disk with one fault, then checks.
fn run(base: &FaultyDisk, texts: &[String], call: usize, fault: Fault) -> std::result::Result<bool, String> {
    let first = folder();
    let disk = base.reboot(first.path(), 1);
    disk.arm(call, fault);
    let before = disk.calls();
    let _ = open(&disk).and_then(|memory| memory.compact(&all(), &mut |_, _| {}));
    let reached = disk.calls() - before > call;
    if fault != Fault::Crash {
        disk.disarm();
        return check(&disk, texts).map(|()| reached);
    }
    let second = folder();
    let disk = disk.reboot(second.path(), call as u64 * 7919);
    check(&disk, texts).map(|()| reached)
}

/// A crash at every call, and at some an error; gives what did not hold.
fn suite(weakness: Option<Weakness>) -> (usize, Vec<String>) {
    let place = folder();
    let base = FaultyDisk::new(place.path());
    let texts = prelude(&base);
    if let Some(weakness) = weakness {
        base.weaken(weakness);
    }
    let (mut runs, mut failures) = (0, Vec::new());
    for call in 0.. {
        let mut reached = false;
        let error = (call % 4 == 0).then_some(Fault::Fail(ErrorKind::Other));
        for fault in [Fault::Crash].into_iter().chain(error) {
            runs += 1;
            match run(&base, &texts, call, fault) {
                Ok(more) => reached |= more,
                Err(what) => {
                    reached = true;
                    failures.push(format!("call {call}, {fault:?}: {what}"));
                }
            }
        }
        if !reached || failures.len() > 10 {
            break;
        }
    }
    (runs, failures)
}

#[test]
fn a_crash_at_any_call_loses_and_doubles_nothing() {
    let (runs, failures) = suite(None);
    assert!(failures.is_empty(), "{} of {runs} runs failed:\n{}", failures.len(), failures.join("\n"));
    assert!(runs > 300, "only {runs} runs");
}

#[test]
fn the_suite_notices_files_that_are_not_synced() {
    assert!(!suite(Some(Weakness::FileSync)).1.is_empty());
}
