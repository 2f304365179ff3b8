//! Every byte of a vault flipped, one at a time: the deep check-up finds it in the files and in the archive, and in
//! the ledger it is found or does no harm.

use std::fs;
use std::time::SystemTime;

use memory_engine::{Change, Depth, Diagnosis, Entry, Expect, Filter, Forget, Memory, Severity};

use crate::sandbox::{Asked as _, Sandbox, date, is_deep, note};

/// A closed vault with some of everything.
fn vault() -> Sandbox {
    let sandbox = Sandbox::new().file("default/lessons.md", "# Lessons\n\nwritten by hand\n\n- [ ] a task\n");
    let memory = sandbox.open();
    let drafts = (0..24).map(|n| note(&format!("entry number {n} #tag{}", n % 3))).collect();
    let kept = memory.remember_all(drafts).unwrap();
    let ids: Vec<_> = kept.into_iter().map(|kept| kept.unwrap().id).collect();
    memory.edit(&ids[3], Change::Text("another text".into()), &Expect::Anything).unwrap();
    memory.forget(&ids[5..7], Forget::Archive).unwrap();
    memory.texts();
    sandbox.close(memory);
    // Files must not look as if they were written just now, or their digests are compared anyway.
    let past = SystemTime::now() - std::time::Duration::from_secs(3600);
    for path in sandbox.files().keys().map(|path| sandbox.place(path)).filter(|path| path.is_file()) {
        date(&path, past);
    }
    let memory = sandbox.open();
    memory.texts();
    assert!(memory.deep().findings.is_empty());
    sandbox.close(memory);
    sandbox
}

/// Flips a byte of a file without a trace in its size or date.
fn flip(sandbox: &Sandbox, path: &str, at: usize, when: SystemTime) {
    use std::os::unix::fs::FileExt as _;
    let file = fs::File::options().read(true).write(true).open(sandbox.place(path)).unwrap();
    let mut byte = [0];
    file.read_exact_at(&mut byte, at as u64).unwrap();
    file.write_all_at(&[byte[0] ^ 0x01], at as u64).unwrap();
    drop(file);
    date(&sandbox.place(path), when);
}

fn is_found(memory: &Memory) -> bool {
    memory.deep().findings.iter().any(|finding| finding.severity == Severity::Problem)
}

/// How many of the flips in files below a folder were found, and those that were not.
pub(crate) fn flips(below: &str, among: impl Fn(&str) -> bool) -> (usize, Vec<String>) {
    let sandbox = vault();
    let mut count = 0;
    let mut missed = Vec::new();
    let image = sandbox.everything();
    let paths: Vec<String> = image.keys().filter(|path| among(path)).cloned().collect();
    assert!(!paths.is_empty(), "{below}");
    for path in paths {
        let bytes = &image[&path];
        let when = fs::metadata(sandbox.place(&path)).unwrap().modified().unwrap();
        for at in 0..bytes.len() {
            flip(&sandbox, &path, at, when);
            count += 1;
            if !is_found(&sandbox.open()) {
                let from = at.saturating_sub(12);
                let around = String::from_utf8_lossy(&bytes[from..bytes.len().min(at + 12)]).into_owned();
                missed.push(format!("{path} byte {at}, in {around:?}"));
            }
            flip(&sandbox, &path, at, when);
            // The check-up may have taken the flipped byte over as an edit, so the ledger goes back as well.
            for name in ["ledger.db", "ledger.db-wal", "ledger.db-shm"] {
                let path = format!(".vault/{name}");
                match image.get(&path) {
                    Some(bytes) => fs::write(sandbox.place(&path), bytes).unwrap(),
                    None => drop(fs::remove_file(sandbox.place(&path))),
                }
            }
        }
    }
    println!("{below}: {} of {count} flipped bytes found", count - missed.len());
    (count, missed)
}

#[test]
fn every_flipped_byte_of_a_memory_file_is_found() {
    let (count, missed) = flips("files", |path| path.ends_with(".md") && !path.starts_with("archive"));
    assert!(count > 1500, "{count}");
    assert!(
        missed.is_empty(),
        "{} of {count} missed, such as {:?}",
        missed.len(),
        &missed[..missed.len().min(5)]
    );
}

#[test]
fn every_flipped_byte_of_an_archived_entry_is_found() {
    let (count, missed) = flips("archive", |path| path.starts_with("archive") && path.ends_with(".md"));
    assert!(count > 150, "{count}");
    assert!(
        missed.is_empty(),
        "{} of {count} missed, such as {:?}",
        missed.len(),
        &missed[..missed.len().min(5)]
    );
}

/// What a flip in the ledger did.
#[derive(Default)]
pub(crate) struct Shares {
    pub(crate) count: usize,
    pub(crate) found: usize,
    pub(crate) harmless: usize,
    /// Neither found nor harmless: the place, and what a list answered.
    pub(crate) hidden: Vec<String>,
}

/// Flips bytes of the ledger, one at a time; the files must stay as they are whatever happens.
pub(crate) fn ledger_flips() -> Shares {
    let sandbox = vault();
    let ledger = ".vault/ledger.db";
    let image = fs::read(sandbox.place(ledger)).unwrap();
    let files = sandbox.files();
    let texts = sandbox.open().texts();
    let mut shares = Shares::default();
    for at in (0..image.len()).step_by(if is_deep() { 1 } else { 37 }) {
        drop(fs::remove_dir_all(sandbox.place(".vault")));
        fs::create_dir(sandbox.place(".vault")).unwrap();
        let mut bytes = image.clone();
        bytes[at] ^= 0x01;
        fs::write(sandbox.place(ledger), &bytes).unwrap();
        shares.count += 1;
        if is_said(&sandbox) {
            shares.found += 1;
        } else {
            let listed = sandbox.open().list(&Filter::default());
            let bodies = |list: &Vec<Entry>| {
                list.iter().map(|e| e.memory.body.as_str().to_owned()).collect::<Vec<_>>()
            };
            match listed.as_ref().map(bodies) {
                Ok(listed) if listed == texts => shares.harmless += 1,
                Ok(listed) => {
                    shares.hidden.push(format!("byte {at}: {} of {} listed", listed.len(), texts.len()));
                }
                Err(error) => shares.hidden.push(format!("byte {at}: {error}")),
            }
        }
        assert!(sandbox.files() == files, "byte {at}: a file changed");
    }
    fs::remove_dir_all(sandbox.place(".vault")).unwrap();
    assert_eq!(sandbox.open().texts(), texts, "without the ledger everything is there");
    shares
}

/// Whether opening or a deep check-up says that something is wrong with the ledger.
fn is_said(sandbox: &Sandbox) -> bool {
    let Ok(memory) = sandbox.try_open() else { return true };
    if memory.codes().contains(&"ledger-rebuilt") {
        return true;
    }
    let problem =
        |found: Diagnosis| found.findings.iter().any(|finding| finding.severity == Severity::Problem);
    memory.doctor(Depth::Deep).map_or(true, problem)
}

#[test]
fn a_flipped_byte_of_the_ledger_harms_no_file() {
    let Shares { count, found, harmless, hidden } = ledger_flips();
    println!("ledger: of {count} flipped bytes {found} found, {harmless} harmless, {} neither", hidden.len());
    assert!(count > 500 && found + harmless + hidden.len() == count);
    assert!(hidden.len() * 50 < count, "{hidden:#?}");
}
