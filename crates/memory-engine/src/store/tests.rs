//! The store on a disk that fails and crashes at every call, and beside editors and other processes.
//!
//! Each scenario is run once to count its calls and then once per call and fault. After the fault the disk is
//! opened again, and again with a crash in the middle of that recovery; then every acknowledged text must stand
//! exactly once, every text that stood before must still stand, and the check-up must find no damage. The same
//! suite must fail when a protection is switched off, or it would prove nothing.

mod groups;
mod looks;

use std::collections::BTreeSet;
use std::io::ErrorKind;
use std::path::Path;
use std::sync::Arc;

use memory_core::config::{Layer, Origin, Resolved, resolve};
use memory_core::id::MemoryId;
use memory_core::layout::{self, Home};
use memory_core::scope::SourceClass;
use memory_core::time::Time;

use super::{Sameness, is_unchanged};
use crate::disk::{Disk as _, Fault, FaultyDisk, Stat, Weakness};
use crate::doctor::Severity;
use crate::ledger::FileRow;
use crate::{Change, Depth, Draft, Expect, Filter, Forget, Memory, Result, Search};

/// What a scenario did: texts that must stand, texts that may, and what may no longer.
#[derive(Default)]
struct Log {
    stands: BTreeSet<String>,
    maybe: BTreeSet<String>,
    gone: BTreeSet<String>,
    ids: Vec<MemoryId>,
}

type Scenario = fn(&Memory, &mut Log) -> Result<()>;

const SCENARIOS: [(&str, Scenario); 7] = [
    ("add", add),
    ("batch", batch),
    ("edit", edit),
    ("forget", forget),
    ("restore", restore),
    ("keyed", keyed),
    ("again", again),
];

const FILE: &str = "default/notes.md";
const BY_HAND: &str = "written by hand before anything else";

fn folder() -> tempfile::TempDir {
    let fast = Path::new("/dev/shm");
    let made = if fast.is_dir() { tempfile::tempdir_in(fast) } else { tempfile::tempdir() };
    made.unwrap()
}

/// Settings under which texts leave the ledger as soon as they stand in the files.
fn settings() -> Resolved {
    resolve(&[Layer { origin: Origin::User, text: "[ledger]\nkeep_text_days = 0\n".to_owned() }])
}

fn open(disk: &FaultyDisk) -> Result<Memory> {
    Memory::with(Arc::new(disk.clone()), settings())
}

fn note(text: &str) -> Draft {
    Draft { kind: Some(memory_core::kind::Kind::Note), ..Draft::note(text) }
}

fn remember(memory: &Memory, log: &mut Log, text: &str) -> Result<()> {
    log.maybe.insert(text.to_owned());
    let kept = memory.remember(note(text))?;
    log.maybe.remove(text);
    log.stands.insert(text.to_owned());
    log.ids.push(kept.id);
    Ok(())
}

fn add(memory: &Memory, log: &mut Log) -> Result<()> {
    for n in 0..3 {
        remember(memory, log, &format!("added {n}"))?;
        memory.flush()?;
    }
    Ok(())
}

fn batch(memory: &Memory, log: &mut Log) -> Result<()> {
    let texts: Vec<String> = (0..5).map(|n| format!("of the batch {n}")).collect();
    log.maybe.extend(texts.iter().cloned());
    memory.remember_all(texts.iter().map(|text| note(text)).collect())?;
    log.maybe.clear();
    log.stands.extend(texts);
    memory.flush()
}

fn edit(memory: &Memory, log: &mut Log) -> Result<()> {
    remember(memory, log, "first wording")?;
    let id = log.ids[0].clone();
    log.stands.remove("first wording");
    log.maybe.extend(["first wording".to_owned(), "second wording".to_owned()]);
    memory.edit(&id, Change::Text("second wording".into()), &Expect::Anything)?;
    log.maybe.clear();
    log.stands.insert("second wording".to_owned());
    log.gone.insert("first wording".to_owned());
    Ok(())
}

fn forget(memory: &Memory, log: &mut Log) -> Result<()> {
    remember(memory, log, "to be forgotten")?;
    remember(memory, log, "to stay")?;
    log.stands.remove("to be forgotten");
    log.maybe.insert("to be forgotten".to_owned());
    memory.forget(&log.ids[..1], Forget::Archive)?;
    log.maybe.remove("to be forgotten");
    log.gone.insert("to be forgotten".to_owned());
    Ok(())
}

fn restore(memory: &Memory, log: &mut Log) -> Result<()> {
    forget(memory, log)?;
    log.gone.clear();
    log.maybe.insert("to be forgotten".to_owned());
    memory.restore(log.ids[0].as_str())?;
    log.maybe.clear();
    log.stands.insert("to be forgotten".to_owned());
    Ok(())
}

fn keyed(memory: &Memory, log: &mut Log) -> Result<()> {
    let key = memory_core::id::Key::parse("plan").ok();
    let draft = |text: &str| Draft {
        key: key.clone(),
        on_existing: memory_core::memory::OnExisting::Append,
        ..note(text)
    };
    log.maybe.insert("one".to_owned());
    memory.remember(draft("one"))?;
    log.maybe.insert("one\n\ntwo".to_owned());
    memory.remember(draft("two"))?;
    log.maybe.clear();
    log.stands.insert("one\n\ntwo".to_owned());
    Ok(())
}

/// A person says what an agent said, in one group with something new.
fn again(memory: &Memory, log: &mut Log) -> Result<()> {
    for text in ["said twice, in its file", "said twice, on its way"] {
        log.maybe.insert(text.to_owned());
        memory.remember(groups::said(text, SourceClass::Agent))?;
        log.maybe.remove(text);
        log.stands.insert(text.to_owned());
        if text.ends_with("file") {
            memory.flush()?;
        }
    }
    log.maybe.insert("said once".to_owned());
    let texts = ["said twice, in its file", "said once", "said twice, on its way"];
    for kept in memory.remember_all(texts.map(|text| groups::said(text, SourceClass::Human)).to_vec())? {
        kept?;
    }
    log.maybe.clear();
    log.stands.insert("said once".to_owned());
    memory.flush()
}

/// What stood before the scenario began.
fn prelude(disk: &FaultyDisk) -> Log {
    disk.edit(FILE, format!("# Notes\n\n{BY_HAND}\n").as_bytes(), false);
    let mut log = Log::default();
    let memory = open(disk).unwrap();
    remember(&memory, &mut log, "kept long ago").unwrap();
    memory.flush().unwrap();
    log.stands.insert(BY_HAND.to_owned());
    log.ids.clear();
    log
}

/// Everything that must hold after whatever happened.
fn check(disk: &FaultyDisk, log: &Log) -> std::result::Result<(), String> {
    let memory = open(disk).map_err(|error| format!("does not open: {error}"))?;
    let entries = memory.list(&Filter::default()).map_err(|error| format!("does not list: {error}"))?;
    let texts: Vec<&str> = entries.iter().map(|entry| entry.memory.body.as_str()).collect();
    for text in &log.stands {
        let count = texts.iter().filter(|shown| **shown == text).count();
        if count != 1 {
            let file = disk.cat(FILE).unwrap_or_default();
            let file = String::from_utf8_lossy(&file);
            return Err(format!("`{text}` stands {count} times in {texts:?}, the file is {file:?}"));
        }
    }
    for text in &texts {
        if !log.stands.contains(*text) && !log.maybe.contains(*text) {
            return Err(format!("`{text}` should not stand"));
        }
    }
    let ids: BTreeSet<_> = entries.iter().map(|entry| &entry.memory.id).collect();
    if ids.len() != entries.len() {
        return Err("an id stands twice".to_owned());
    }
    let file = disk.cat(FILE).unwrap_or_default();
    let reading = layout::read(&Home::of_path(FILE).unwrap(), &file);
    if !reading.defects.is_empty() {
        return Err(format!("the file has defects: {:?}", reading.defects));
    }
    let shown = reading.found.iter().map(|found| found.memory.body.as_str().to_owned());
    let shown: BTreeSet<String> = shown.collect();
    if let Some(text) = log.stands.iter().find(|text| !shown.contains(*text)) {
        return Err(format!("`{text}` is not in the file: {}", String::from_utf8_lossy(&file)));
    }
    let diagnosis = memory.doctor(Depth::Deep).map_err(|error| format!("no check-up: {error}"))?;
    match diagnosis.findings.iter().find(|finding| finding.severity == Severity::Problem) {
        Some(finding) => Err(format!("the check-up finds {finding:?}")),
        None => Ok(()),
    }
}

/// Runs one scenario with one fault, then recovers with a crash in the middle of it, then checks.
fn run(
    scenario: Scenario,
    weakness: Option<Weakness>,
    call: usize,
    fault: Fault,
    seed: u64,
) -> std::result::Result<bool, String> {
    let first = folder();
    let disk = FaultyDisk::new(first.path());
    let mut log = prelude(&disk);
    if let Some(weakness) = weakness {
        disk.weaken(weakness);
    }
    disk.arm(call, fault);
    let before = disk.calls();
    let outcome = open(&disk).and_then(|memory| scenario(&memory, &mut log));
    let reached = disk.calls() - before > call;
    if fault != Fault::Crash {
        disk.disarm();
        if outcome.is_ok() && !log.maybe.is_empty() {
            return Err("it went on after an error".to_owned());
        }
        return check(&disk, &log).map(|()| reached);
    }
    let second = folder();
    let disk = disk.reboot(second.path(), seed * 7919 + call as u64);
    // Recovery itself is cut short at a place that the seed chooses, and begun anew.
    disk.arm((seed as usize * 5 + call) % 23, Fault::Crash);
    let _ = open(&disk).and_then(|memory| memory.list(&Filter::default()).map(|_| ()));
    let third = folder();
    let disk = disk.reboot(third.path(), seed + 1);
    check(&disk, &log).map(|()| reached)
}

/// Every call of every scenario, every fault; gives what did not hold.
fn suite(weakness: Option<Weakness>) -> (usize, Vec<String>) {
    let mut runs = 0;
    let mut failures = Vec::new();
    for (name, scenario) in SCENARIOS {
        let mut call = 0;
        loop {
            let mut reached = false;
            let seeds = (0..4).map(|seed| (Fault::Crash, seed));
            let errors = [ErrorKind::StorageFull, ErrorKind::Other, ErrorKind::ReadOnlyFilesystem];
            for (fault, seed) in seeds.chain(errors.map(|kind| (Fault::Fail(kind), 0))) {
                runs += 1;
                match run(scenario, weakness, call, fault, seed) {
                    Ok(more) => reached |= more,
                    Err(what) => {
                        reached = true;
                        failures.push(format!("{name}, call {call}, {fault:?}, seed {seed}: {what}"));
                    }
                }
            }
            if !reached || failures.len() > 20 {
                break;
            }
            call += 1;
        }
    }
    (runs, failures)
}

#[test]
fn nothing_acknowledged_is_lost_at_any_fault() {
    let (runs, failures) = suite(None);
    assert!(failures.is_empty(), "{} of {runs} runs failed:\n{}", failures.len(), failures.join("\n"));
    assert!(runs > 1000, "only {runs} runs: the scenarios hardly touch the disk");
}

#[test]
fn the_suite_notices_a_ledger_that_is_not_synced() {
    let (_, failures) = suite(Some(Weakness::LedgerSync));
    assert!(!failures.is_empty());
}

#[test]
fn the_suite_notices_files_that_are_not_synced() {
    let (_, failures) = suite(Some(Weakness::FileSync));
    assert!(!failures.is_empty());
}

#[test]
fn what_a_killed_process_leaves_is_not_taken_for_an_edit() {
    let first_acts: [fn(&Memory, &mut Log) -> Result<()>; 2] =
        [|_, _| Ok(()), |memory, log| remember(memory, log, "the next one")];
    for ((name, scenario), act) in SCENARIOS.into_iter().flat_map(|it| first_acts.map(|act| (it, act))) {
        for call in 0.. {
            let place = folder();
            let disk = FaultyDisk::new(place.path());
            let mut log = prelude(&disk);
            disk.arm(call, Fault::Crash);
            let before = disk.calls();
            let _ = open(&disk).and_then(|memory| scenario(&memory, &mut log));
            let reached = disk.calls() - before > call;
            disk.go_on();
            open(&disk).and_then(|memory| act(&memory, &mut log)).unwrap();
            assert_eq!(check(&disk, &log), Ok(()), "{name}, call {call}");
            assert_eq!(disk.list(".vault/recovered").unwrap(), [], "{name}, call {call}");
            if !reached {
                break;
            }
        }
    }
}

#[test]
fn many_new_files_share_commits() {
    let place = folder();
    let disk = FaultyDisk::new(place.path());
    let mut log = prelude(&disk);
    for n in 0..300 {
        disk.edit(&format!("default/topic-{n}.md"), format!("# Topic\n\ntext {n}\n").as_bytes(), false);
        log.stands.insert(format!("text {n}"));
    }
    let before = disk.commits();
    let memory = open(&disk).unwrap();
    assert_eq!(memory.list(&Filter::default()).unwrap().len(), log.stands.len());
    assert!(disk.commits() - before < 5, "{} commits", disk.commits() - before);
    drop(memory);
    // A commit that fails takes nothing half.
    for n in 0..300 {
        disk.edit(&format!("default/topic-{n}.md"), format!("# Topic\n\nother {n}\n").as_bytes(), false);
    }
    for call in [100, 1000, 2000] {
        disk.arm(call, Fault::Fail(ErrorKind::Other));
        let _ = open(&disk).and_then(|memory| memory.list(&Filter::default()));
    }
    disk.disarm();
    let texts = open(&disk).unwrap().list(&Filter::default()).unwrap();
    assert_eq!(texts.iter().filter(|it| it.memory.body.as_str().starts_with("other ")).count(), 300);
}

/// Somebody else acts in the middle of our work, at every call of it; gives what did not hold.
fn beside(weakness: Option<Weakness>, act: fn(&FaultyDisk) -> Vec<String>) -> Vec<String> {
    beside_after(prelude, weakness, act)
}

fn beside_after(
    prelude: fn(&FaultyDisk) -> Log,
    weakness: Option<Weakness>,
    act: fn(&FaultyDisk) -> Vec<String>,
) -> Vec<String> {
    let mut failures = Vec::new();
    for call in 0.. {
        let place = folder();
        let disk = FaultyDisk::new(place.path());
        let mut log = prelude(&disk);
        if let Some(weakness) = weakness {
            disk.weaken(weakness);
        }
        let memory = open(&disk).unwrap();
        let (send, said) = std::sync::mpsc::channel();
        let hook = move |disk: &FaultyDisk| send.send(act(disk)).unwrap_or(());
        disk.interrupt(call, Box::new(hook));
        let before = disk.calls();
        let done = remember(&memory, &mut log, "ours").and_then(|()| memory.flush());
        drop(memory);
        let reached = disk.calls() - before > call;
        if let Err(error) = &done {
            failures.push(format!("call {call}: {error}"));
        }
        log.stands.extend(said.try_iter().flatten());
        disk.disarm();
        // The first look may find a file in the middle of being written and leave it alone; the second finds all.
        let _ = check(&disk, &log);
        if let Err(what) = check(&disk, &log) {
            failures.push(format!("call {call}: {what}"));
        }
        if !reached {
            break;
        }
    }
    failures
}

/// Another process adds a memory; it is told so only when it is acknowledged.
fn other_process(disk: &FaultyDisk) -> Vec<String> {
    let Ok(memory) = open(disk) else { return Vec::new() };
    let acknowledged = memory.remember(note("theirs")).and_then(|_| memory.flush()).is_ok();
    if acknowledged { vec!["theirs".to_owned()] } else { Vec::new() }
}

fn saved(disk: &FaultyDisk, in_place: bool) -> Vec<String> {
    let mut text = disk.cat(FILE).unwrap_or_default();
    text.extend_from_slice(b"\n\nsaved in an editor\n");
    disk.edit(FILE, &text, in_place);
    vec!["saved in an editor".to_owned()]
}

fn editor_in_place(disk: &FaultyDisk) -> Vec<String> {
    saved(disk, true)
}

fn editor_by_rename(disk: &FaultyDisk) -> Vec<String> {
    saved(disk, false)
}

#[test]
fn another_process_at_any_moment_loses_nothing() {
    assert_eq!(beside(None, other_process), Vec::<String>::new());
}

#[test]
fn the_suite_notices_a_missing_lock() {
    assert!(!beside(Some(Weakness::Lock), other_process).is_empty());
}

#[test]
fn an_editor_at_any_moment_loses_nothing() {
    assert_eq!(beside(None, editor_in_place), Vec::<String>::new());
    assert_eq!(beside(None, editor_by_rename), Vec::<String>::new());
}

#[test]
fn an_editor_that_makes_the_file_at_any_moment_loses_nothing() {
    let nothing = |_: &FaultyDisk| Log::default();
    assert_eq!(beside_after(nothing, None, editor_in_place), Vec::<String>::new());
    assert_eq!(beside_after(nothing, None, editor_by_rename), Vec::<String>::new());
    assert!(!beside_after(nothing, Some(Weakness::DigestCheck), editor_by_rename).is_empty());
}

#[test]
fn an_error_while_a_save_is_set_back_loses_nothing() {
    let mut aside = 0;
    for (call, later) in (0..60).flat_map(|call| (0..4).map(move |later| (call, later))) {
        let place = folder();
        let disk = FaultyDisk::new(place.path());
        let mut log = prelude(&disk);
        let memory = open(&disk).unwrap();
        let (send, said) = std::sync::mpsc::channel();
        let hook = move |disk: &FaultyDisk| {
            send.send(editor_by_rename(disk)).unwrap_or(());
            disk.arm(later, Fault::Fail(ErrorKind::Other));
        };
        disk.interrupt(call, Box::new(hook));
        let _ = remember(&memory, &mut log, "ours").and_then(|()| memory.flush());
        disk.disarm();
        drop(memory);
        let _ = check(&disk, &log);
        let recovered = disk.list(".vault/recovered").unwrap();
        if recovered.is_empty() {
            log.stands.extend(said.try_iter().flatten());
        }
        for name in &recovered {
            let text = disk.cat(&format!(".vault/recovered/{}", name.name)).unwrap_or_default();
            assert!(text.ends_with(b"saved in an editor\n"), "call {call}, error {later} calls later");
            aside += 1;
        }
        assert_eq!(check(&disk, &log), Ok(()), "call {call}, error {later} calls later");
    }
    assert!(aside > 0, "no save met an error on its way back");
}

#[test]
fn the_suite_notices_a_missing_look_before_replacing() {
    assert!(!beside(Some(Weakness::DigestCheck), editor_by_rename).is_empty());
}
