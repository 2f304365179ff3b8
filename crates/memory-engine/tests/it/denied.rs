//! Files and folders that cannot be read, written or taken over: the others answer and change as ever, nobody is told
//! that something is gone when it is not, and it is all said.

use std::any::Any;
use std::io::ErrorKind;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use memory_engine::core::id::MemoryId;
use memory_engine::core::kind::Kind;
use memory_engine::disk::{Disk, Name, OsDisk, Piece, Stat, Step};
use memory_engine::{
    Change, Compact, Depth, Draft, Error, Expect, Forget, Memory, Result, Search, Severity, Supersede, Update,
};

use crate::sandbox::{Asked as _, Sandbox};

const NOTES: &str = "default/notes.md";
const FACTS: &str = "default/facts.md";

/// What is refused below a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Call {
    Look,
    Read,
    Write,
}

/// A disk that refuses some calls.
struct Denying {
    disk: OsDisk,
    denied: Arc<Mutex<Vec<(Call, &'static str)>>>,
}

impl Denying {
    fn ask(&self, call: Call, path: &str) -> Result<()> {
        let denied = self.denied.lock().unwrap();
        if !denied.iter().any(|(what, below)| *what == call && path.starts_with(below)) {
            return Ok(());
        }
        Err(Error::Disk {
            action: "touch",
            path: path.to_owned(),
            source: ErrorKind::PermissionDenied.into(),
        })
    }
}

impl Disk for Denying {
    fn root(&self) -> &Path {
        self.disk.root()
    }
    fn read(&self, path: &str, limit: u64) -> Result<Option<Vec<u8>>> {
        self.ask(Call::Read, path)?;
        self.disk.read(path, limit)
    }
    fn read_range(&self, path: &str, range: Range<u64>) -> Result<Option<Vec<u8>>> {
        self.ask(Call::Read, path)?;
        self.disk.read_range(path, range)
    }
    fn digest(&self, path: &str) -> Result<Option<[u8; 32]>> {
        self.ask(Call::Read, path)?;
        self.disk.digest(path)
    }
    fn stat(&self, path: &str) -> Result<Option<Stat>> {
        self.ask(Call::Look, path)?;
        self.disk.stat(path)
    }
    fn list(&self, folder: &str) -> Result<Vec<Name>> {
        self.ask(Call::Look, folder)?;
        self.disk.list(folder)
    }
    fn make_folder(&self, folder: &str) -> Result<()> {
        self.ask(Call::Write, folder)?;
        self.disk.make_folder(folder)
    }
    fn write(&self, path: &str, of: &str, pieces: &[Piece]) -> Result<[u8; 32]> {
        self.ask(Call::Write, path)?;
        self.disk.write(path, of, pieces)
    }
    fn append(&self, path: &str, bytes: &[u8]) -> Result<u64> {
        self.ask(Call::Write, path)?;
        self.disk.append(path, bytes)
    }
    fn sync(&self, path: &str) -> Result<()> {
        self.disk.sync(path)
    }
    fn sync_folder(&self, folder: &str) -> Result<()> {
        self.disk.sync_folder(folder)
    }
    fn exchange(&self, a: &str, b: &str) -> Result<bool> {
        self.ask(Call::Write, b)?;
        self.disk.exchange(a, b)
    }
    fn place(&self, from: &str, to: &str) -> Result<bool> {
        self.ask(Call::Write, to)?;
        self.disk.place(from, to)
    }
    fn rename(&self, from: &str, to: &str) -> Result<()> {
        self.ask(Call::Write, to)?;
        self.disk.rename(from, to)
    }
    fn remove(&self, path: &str) -> Result<()> {
        self.ask(Call::Write, path)?;
        self.disk.remove(path)
    }
    fn remove_folder(&self, folder: &str) -> Result<()> {
        self.disk.remove_folder(folder)
    }
    fn lock(&self, wait: Duration) -> Result<Box<dyn Any + Send>> {
        self.disk.lock(wait)
    }
    fn elect(&self, name: &str) -> Result<Option<Box<dyn Any + Send>>> {
        self.disk.elect(name)
    }
    fn ledger(&self) -> PathBuf {
        self.disk.ledger()
    }
    fn index(&self) -> PathBuf {
        self.disk.index()
    }
    fn pause(&self, time: Duration) {
        self.disk.pause(time);
    }
    fn step(&self, step: Step) -> Result<()> {
        self.disk.step(step)
    }
}

/// A root with a note and a fact, and what its disk refuses from now on.
struct Place {
    sandbox: Sandbox,
    denied: Arc<Mutex<Vec<(Call, &'static str)>>>,
    note: MemoryId,
    fact: MemoryId,
}

impl Place {
    fn new() -> Self {
        let sandbox = Sandbox::new();
        let memory = sandbox.open();
        let note = memory.note("the fonts of the manual");
        let fact = memory.remember(fact("billing runs on redis")).unwrap().id;
        sandbox.close(memory);
        Self { sandbox, denied: Arc::default(), note, fact }
    }

    fn open(&self) -> Memory {
        let disk = OsDisk::create(&self.sandbox.place("")).unwrap();
        let disk = Denying { disk, denied: self.denied.clone() };
        Memory::with(Arc::new(disk), Default::default()).unwrap()
    }

    fn deny(&self, call: Call, below: &'static str) {
        self.denied.lock().unwrap().push((call, below));
    }

    fn allow(&self) {
        self.denied.lock().unwrap().clear();
    }
}

fn fact(text: &str) -> Draft {
    Draft { kind: Some(Kind::Fact), ..Draft::note(text) }
}

fn hits(memory: &Memory, text: &str) -> usize {
    memory.search(&Search::new(text)).unwrap().hits.len()
}

fn problems(memory: &Memory, depth: Depth) -> Vec<String> {
    let found = memory.doctor(depth).unwrap().findings;
    found.into_iter().filter(|it| it.severity == Severity::Problem).map(|it| it.file).collect()
}

#[test]
fn a_file_that_cannot_be_written_keeps_no_other_from_changing() {
    let place = Place::new();
    place.deny(Call::Write, NOTES);
    let memory = place.open();
    let waiting = memory.note("kept while its file cannot be written");
    memory.reword(&place.fact, "billing runs on valkey");
    let other = memory.remember(fact("reports run at night")).unwrap().id;
    memory.supersede(&Supersede::By { old: place.fact.clone(), new: other.clone() }).unwrap();
    memory.supersede(&Supersede::Undo(place.fact.clone())).unwrap();
    memory.forget(std::slice::from_ref(&other), Forget::Archive).unwrap();
    memory.restore(other.as_str()).unwrap();
    memory.compact(&Compact::default(), &mut |_, _| {}).unwrap();
    memory.flush_or_say().unwrap();
    assert_eq!(memory.flush().unwrap_err().code(), "E_DENIED");
    assert!(memory.codes().contains(&"E_DENIED"));
    // Only the file itself refuses, be it a memory that stands there or one that waits.
    for id in [&place.note, &waiting] {
        let edit = memory.edit(id, Change::Text("changed".into()), &Expect::Anything);
        assert_eq!(edit.unwrap_err().code(), "E_DENIED");
        assert_eq!(memory.forget(std::slice::from_ref(id), Forget::Archive).unwrap_err().code(), "E_DENIED");
    }
    // What a person takes out of another file stays out.
    let facts = place.sandbox.text(FACTS);
    let at = facts.find(&format!("<!-- id:{} -->", place.fact)).unwrap();
    place.sandbox.save(FACTS, &facts[..at]);
    for handle in [memory, place.open()] {
        let texts = handle.texts();
        assert!(texts.contains(&"kept while its file cannot be written".to_owned()), "{texts:?}");
        assert!(!texts.contains(&"billing runs on valkey".to_owned()), "{texts:?}");
    }
    assert!(!place.sandbox.text(FACTS).contains("valkey"));
    place.allow();
    place.open().texts();
    assert!(place.sandbox.text(NOTES).contains("kept while"), "a question writes what waits");
}

#[test]
fn a_change_whose_file_cannot_be_written_is_kept_and_said() {
    let place = Place::new();
    place.deny(Call::Write, NOTES);
    let memory = place.open();
    let edited =
        memory.edit(&place.note, Change::Text("the fonts of the site".into()), &Expect::Anything).unwrap();
    assert_eq!(edited.entry.memory.body.as_str(), "the fonts of the site");
    assert!(memory.codes().contains(&"E_DENIED"));
    assert_eq!(place.open().text_of(&place.note), "the fonts of the site");
    place.allow();
    place.open().texts();
    assert!(place.sandbox.text(NOTES).contains("the fonts of the site"));
}

#[test]
fn a_changed_file_that_cannot_be_taken_over_answers_as_it_stands() {
    for indexed in [false, true] {
        let place = Place::new();
        if indexed {
            place.sandbox.open().update_index(Update::Behind, &mut |_, _| {}).unwrap();
        }
        let new = "<!-- id:1773679871839 -->\n## 2026-03-16T16:51\n\ngateways speak grpc\n\n---\n";
        place.sandbox.save(FACTS, format!("{}\n{new}", place.sandbox.text(FACTS).replace("redis", "valkey")));
        place.sandbox.save("dev/facts.md", new.replace("839", "840").replace("grpc", "thrift"));
        // What was overwritten would go there first.
        place.deny(Call::Write, "archive");
        let memory = place.open();
        let texts = ["billing runs on valkey", "the fonts of the manual"];
        assert_eq!(memory.texts()[..2], *texts.map(str::to_owned).as_slice());
        assert_eq!(memory.texts().len(), 4);
        assert!(memory.codes().contains(&"as-it-stands"));
        assert_eq!(memory.text_of(&place.fact), "billing runs on valkey");
        let found = ["valkey", "grpc", "thrift", "redis"].map(|word| hits(&memory, word));
        assert_eq!(found, [1, 1, 1, 0], "indexed: {indexed}");
        let findings = memory.doctor(Depth::Fast).unwrap().findings;
        let named = findings.iter().any(|it| it.code == "as-it-stands" && it.file == FACTS);
        assert!(named, "{findings:?}");
        memory.update_index(Update::Behind, &mut |_, _| {}).unwrap();
        assert_eq!((hits(&memory, "valkey"), hits(&memory, "redis")), (1, 0));
        place.allow();
        let memory = place.open();
        assert_eq!(memory.texts().len(), 4);
        assert!(!memory.codes().contains(&"as-it-stands"));
        assert_eq!((hits(&memory, "valkey"), hits(&memory, "redis")), (1, 0));
        assert_eq!(memory.history(&place.fact).unwrap().len(), 2, "and now it is noted");
    }
}

#[test]
fn a_file_that_cannot_be_read_hides_no_other() {
    let place = Place::new();
    place.deny(Call::Read, NOTES);
    let memory = place.open();
    assert_eq!(memory.texts(), ["billing runs on redis"]);
    assert!(memory.codes().contains(&"E_DENIED"));
    assert_eq!(hits(&memory, "redis"), 1);
    for depth in [Depth::Fast, Depth::Deep] {
        assert_eq!(problems(&memory, depth), [NOTES]);
    }
}

#[test]
fn a_folder_that_cannot_be_looked_into_hides_no_other() {
    let place = Place::new();
    place.sandbox.save("dev/notes.md", "by hand\n");
    place.sandbox.open().texts();
    place.deny(Call::Look, "dev");
    place.deny(Call::Read, "dev");
    let memory = place.open();
    assert_eq!(memory.texts(), ["billing runs on redis", "the fonts of the manual"]);
    assert_eq!(hits(&memory, "redis"), 1);
    memory.reword(&place.fact, "billing runs on valkey");
    for depth in [Depth::Fast, Depth::Deep] {
        assert!(problems(&memory, depth).contains(&"dev".to_owned()));
    }
    place.allow();
    assert_eq!(place.open().texts().len(), 3, "nothing was taken for deleted");
}

#[test]
fn an_archive_that_is_a_file_is_named() {
    let place = Place::new();
    std::fs::write(place.sandbox.place("archive"), "x").unwrap();
    let memory = place.open();
    assert_eq!(problems(&memory, Depth::Fast), ["archive"]);
    let refused = memory.forget(std::slice::from_ref(&place.note), Forget::Archive).unwrap_err();
    assert!(refused.to_string().contains("is a file, not a folder"), "{refused}");
}

/// One file that cannot be read keeps upkeep from no other, and what was done is told.
#[test]
fn upkeep_goes_on_past_a_file_that_cannot_be_read() {
    for denied in [NOTES, "MEMORY.md", "history/events.jsonl"] {
        let place = Place::new();
        let facts = (0..40).map(|n| fact(&format!("gateway {n} of the town speaks grpc"))).collect();
        let memory = place.sandbox.open();
        memory.remember_all(facts).unwrap();
        place.sandbox.save("MEMORY.md", "by hand in the journal\n");
        place.sandbox.save("history/events.jsonl", "{}\n");
        place.sandbox.save("dev.md.bak", "flat");
        memory.texts();
        drop(memory);
        place.deny(Call::Read, denied);
        let done = place.open().compact(&Compact::default(), &mut |_, _| {}).unwrap();
        assert!(!done.errors.is_empty(), "{denied}");
        for path in [FACTS, "dev.md.bak"] {
            assert!(done.deeds.iter().any(|deed| deed.path == path), "{denied}: {:?}", done.deeds);
        }
    }
}

#[test]
fn forgetting_for_good_that_ends_half_way_is_said_and_finished_by_another() {
    let place = Place::new();
    place.deny(Call::Write, NOTES);
    let memory = place.open();
    let ids = std::slice::from_ref(&place.note);
    for _ in 0..2 {
        let error = memory.forget(ids, Forget::Hard).unwrap_err();
        assert_eq!(error.code(), "E_DENIED");
        assert!(error.to_string().contains("run the same command again"), "{error}");
    }
    place.allow();
    assert_eq!(place.open().texts(), ["billing runs on redis"]);
    let done = place.open().forget(ids, Forget::Hard).unwrap();
    assert_eq!(done.still_in, Vec::<String>::new());
    let words = b"the fonts of the manual";
    let holds = |bytes: &Vec<u8>| bytes.windows(words.len()).any(|part| part == words);
    assert!(!place.sandbox.everything().values().any(holds));
}
