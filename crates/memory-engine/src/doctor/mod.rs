//! The check-up: what is wrong with files, archive and ledger, and a repair that only moves things aside.
//!
//! The fast check compares stats, looks at names, reads the ledger's own tables and looks into the files for what one
//! memory says of another; the deep one compares every byte with the digests that the ledger and the archive keep.
//! What is wrong with one file is a finding, and the others are still looked at.

mod places;

use std::collections::HashMap;

use memchr::memmem;
use memory_core::id::MemoryId;
use memory_core::layout::{self, Found, Home};
use memory_core::time::{DAY_MS, Time};

use crate::ambient;
use crate::disk::{Disk, Name};
use crate::error::{Error, Result};
use crate::index;
use crate::ledger::{Row, entry_digest};
use crate::model;
use crate::store::{ARCHIVE, AS_IT_STANDS, Store, count_lines, is_apart};

/// How thoroughly to look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Depth {
    /// Names, stats, the ledger's tables, and what memories say of each other.
    Fast,
    /// Every byte, compared.
    Deep,
}

/// What a check-up found.
#[derive(Debug, Clone, Default)]
pub struct Diagnosis {
    /// What a person should know, worst first.
    pub findings: Vec<Finding>,
    /// How many memory files there are.
    pub files: u64,
    /// How many memories they hold.
    pub memories: u64,
    /// How many operations the ledger has seen.
    pub operations: i64,
    /// What a repair moved, from and to.
    pub moved: Vec<(String, String)>,
}

/// One thing that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// How bad it is.
    pub severity: Severity,
    /// A word for programs.
    pub code: &'static str,
    /// The file, relative to the root.
    pub file: String,
    /// The line, or 0.
    pub line: u64,
    /// What it is, a sentence without a full stop.
    pub text: String,
}

/// How bad a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Good to know.
    Note,
    /// Worth a look.
    Warning,
    /// Something is damaged or does not work.
    Problem,
}

impl Severity {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Problem => "problem",
        }
    }
}

pub(crate) fn examine(store: &mut Store, depth: Depth) -> Result<Diagnosis> {
    let mut found = Diagnosis::default();
    // Bytes are compared before hand edits are taken over, or a flipped byte would pass for an edit.
    if depth == Depth::Deep {
        bytes_against_digests(store, &mut found)?;
    }
    store.freshen()?;
    // A file that is frozen, or that could not be taken over, and ignored settings have a finding of their own.
    let own = ["frozen", AS_IT_STANDS, SETTINGS];
    for notice in store.take_notices().into_iter().filter(|notice| !own.contains(&notice.code)) {
        let severity = match notice.code {
            "stale-buffer" => Severity::Note,
            "not-plain" | "E_NOT_PLAIN" | "E_TOO_LARGE" | "E_DENIED" | "E_IO" => Severity::Problem,
            _ => Severity::Warning,
        };
        found.say(severity, notice.code, "", 0, notice.text);
    }
    ledger_health(store, depth, &mut found)?;
    if let Err(error) = files_and_catalogue(store, depth, &mut found) {
        let Error::Ledger { .. } = error else { return Err(error) };
        let text = format!("{error}; run `agent-memory doctor --repair`");
        found.say(Severity::Problem, "ledger-damaged", ".vault/ledger.db", 0, text);
    }
    for path in store.as_they_stand() {
        let text = "it changed, which cannot be noted here; it is read as it stands".to_owned();
        found.say(Severity::Warning, AS_IT_STANDS, path, 0, text);
    }
    future_dates(store, &mut found)?;
    for (file, count) in store.waiting_counts() {
        let text = format!("{count} changes are safe in the ledger and wait until the file can be written");
        found.say(Severity::Warning, "waiting", &file, 0, text);
    }
    archive_health(store, depth, &mut found)?;
    places::look(store.disk(), &mut found)?;
    index_health(store, depth, &mut found);
    found.findings.sort_by(|a, b| (b.severity, &a.file, a.line).cmp(&(a.severity, &b.file, b.line)));
    Ok(found)
}

/// The code of settings that are ignored.
pub(crate) const SETTINGS: &str = "settings";

impl Diagnosis {
    /// Names settings that are ignored, each with the reason.
    pub(crate) fn tell_ignored(&mut self, sentences: &[String]) {
        for sentence in sentences {
            self.say(Severity::Warning, SETTINGS, "", 0, format!("ignored: {sentence}"));
        }
    }

    fn say(&mut self, severity: Severity, code: &'static str, file: &str, line: u64, text: String) {
        // What a notice said before its file was looked at is one thing with it.
        if let Some(known) = self.findings.iter_mut().find(|it| it.code == code && it.text == text)
            && (known.file.is_empty() || known.file == file)
        {
            known.file = file.to_owned();
            return;
        }
        self.findings.push(Finding { severity, code, file: file.to_owned(), line, text });
    }

    /// What could be had of one file or folder; what is wrong with it is a finding.
    fn or_say<T>(&mut self, file: &str, got: Result<T>) -> Result<Option<T>> {
        match got {
            Ok(got) => Ok(Some(got)),
            Err(error) if error.is_of_one_file() || matches!(error, Error::Broken { .. }) => {
                self.say(Severity::Problem, error.code(), file, 0, error.to_string());
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }

    /// The names in a folder, none where it cannot be looked into.
    fn names(&mut self, disk: &dyn Disk, folder: &str) -> Result<Vec<Name>> {
        Ok(self.or_say(folder, disk.list(folder))?.unwrap_or_default())
    }
}

/// A file whose stat is as recorded but whose bytes are not was not saved by a program: the disk changed it.
fn bytes_against_digests(store: &mut Store, found: &mut Diagnosis) -> Result<()> {
    for row in store.ledger().files()? {
        let stat = store.disk().stat(&row.path).unwrap_or(None);
        if stat != Some(row.stat) || !row.frozen.is_empty() {
            continue;
        }
        // Why a file cannot be read is told below.
        let read = store.disk().read(&row.path, store.config().limits.file_bytes);
        let Some(bytes) = read.ok().flatten() else { continue };
        if blake3::hash(&bytes).as_bytes() != &row.digest {
            let entries = store.ledger().rows_of_file(row.no)?;
            let size = bytes.len() as u64;
            let hurt: Vec<_> = entries
                .iter()
                .filter(|entry| {
                    let start = usize::try_from(size.saturating_sub(entry.tail)).unwrap_or(0);
                    let end = start + usize::try_from(entry.length).unwrap_or(0);
                    bytes.get(start..end).is_none_or(|raw| entry_digest(raw) != entry.digest)
                })
                .map(|entry| entry.id.to_string())
                .collect();
            let which = if hurt.is_empty() { "text outside its entries".to_owned() } else { hurt.join(", ") };
            found.say(
                Severity::Problem,
                "bytes-changed",
                &row.path,
                0,
                format!("its bytes are not those that were written, though its date is: {which}; compare with a backup"),
            );
        }
    }
    Ok(())
}

fn ledger_health(store: &mut Store, depth: Depth, found: &mut Diagnosis) -> Result<()> {
    found.operations = store.ledger().ends()?.head.seq;
    if depth == Depth::Fast {
        return Ok(());
    }
    for line in store.ledger().integrity()? {
        found.say(
            Severity::Problem,
            "ledger-damaged",
            ".vault/ledger.db",
            0,
            format!("{line}; run `agent-memory doctor --repair`"),
        );
    }
    for seq in store.ledger().broken_links()? {
        let text = format!("operation {seq} does not fit the chain; run `agent-memory doctor --repair`");
        found.say(Severity::Problem, "chain-broken", ".vault/ledger.db", 0, text);
    }
    Ok(())
}

fn files_and_catalogue(store: &mut Store, depth: Depth, found: &mut Diagnosis) -> Result<()> {
    let counts = store.ledger().counts()?;
    found.files = counts.len() as u64;
    found.memories = counts.iter().map(|(_, count)| count).sum();
    let mut met = Met::default();
    for row in store.ledger().files()? {
        if !row.frozen.is_empty() {
            let text = format!(
                "frozen: {}; look at it, then run `agent-memory doctor --accept {}`",
                row.frozen, row.path
            );
            found.say(Severity::Problem, "frozen", &row.path, 0, text);
        }
        let read = store.disk().read(&row.path, store.config().limits.file_bytes);
        let Some(bytes) = found.or_say(&row.path, read)?.flatten() else { continue };
        let Some(home) = Home::of_path(&row.path) else { continue };
        if depth == Depth::Fast {
            // Few memories say that another took their place, and the others need not be read for it.
            if memmem::find(&bytes, SUPERSEDED).is_some() {
                layout::visit(&home, &bytes, &mut |one| met.note_superseded(&one, &row.path));
            }
            continue;
        }
        let lines = count_lines(&bytes);
        let mut expected = HashMap::new();
        let apart = is_apart(&row.path);
        let defects = layout::visit(&home, &bytes, &mut |one| {
            met.note(&one, &row.path, apart, found);
            met.note_superseded(&one, &row.path);
            let raw = &bytes[one.place.bytes.clone()];
            let entry = Row::of(&one.memory, &one.place, raw, bytes.len(), lines);
            expected.insert(entry.id.clone(), entry);
        });
        if row.frozen.is_empty() && blake3::hash(&bytes).as_bytes() == &row.digest {
            let known = store.ledger().rows_of_file(row.no)?;
            let wrong = known
                .iter()
                .filter(|entry| !expected.get(&entry.id).is_some_and(|it| entry.fits(it)))
                .count();
            let missing = expected.len().saturating_sub(known.len());
            if wrong + missing > 0 {
                let text = format!(
                    "the catalogue is wrong about {} of its entries; run `agent-memory doctor --repair`",
                    wrong + missing
                );
                found.say(Severity::Problem, "catalogue-wrong", &row.path, 0, text);
            }
        }
        for defect in defects {
            found.say(Severity::Warning, defect.code, &row.path, defect.line as u64, defect.what);
        }
        if let Some(line) = bytes.split(|&b| b == b'\n').position(|line| line.starts_with(b"<<<<<<< ")) {
            let text = "a merge of git left a conflict here; both sides are read; settle it".to_owned();
            found.say(Severity::Problem, "merge-conflict", &row.path, line as u64 + 1, text);
        }
    }
    if depth == Depth::Fast {
        for (id, first, path) in store.ledger().shared_ids()? {
            if is_apart(&first) && is_apart(&path) {
                same_id(&id, &first, &path, 0, found);
            }
        }
    }
    met.say_hidden_by_nothing(store, found)
}

/// What stands in the entry of a memory whose place another took.
const SUPERSEDED: &[u8] = b"supersededBy";

fn same_id(id: &MemoryId, first: &str, path: &str, line: u64, found: &mut Diagnosis) {
    let text = format!(
        "the id {id} stands in `{first}` too, and only one of them is found by search; give it another here, or take it out"
    );
    found.say(Severity::Warning, "duplicate-id", path, line, text);
}

/// A memory from tomorrow was written while the clock was wrong, or by a hand that slipped.
fn future_dates(store: &Store, found: &mut Diagnosis) -> Result<()> {
    let tomorrow = Time(ambient::now().0 + DAY_MS);
    for row in store.ledger().rows_after(tomorrow, 100)? {
        let file = store.ledger().file_no(row.file)?.map_or(String::new(), |file| file.path);
        let line = store
            .ledger()
            .file_no(row.file)?
            .map_or(0, |file| (file.lines + 1).saturating_sub(row.tail_line));
        let text = format!(
            "{} is dated {}, which is yet to come; correct its date, or keep it anew",
            row.id,
            row.created.minute()
        );
        found.say(Severity::Warning, "future-date", &file, line, text);
    }
    Ok(())
}

/// What the files hold together.
#[derive(Default)]
struct Met {
    /// Where each id stands first.
    standing: HashMap<MemoryId, String>,
    /// Memories that others took the place of, with file and line.
    superseded: Vec<(MemoryId, MemoryId, String, u64)>,
}

impl Met {
    /// Notes an entry. In files of which each is its own, an id stands in one alone.
    fn note(&mut self, one: &Found, path: &str, apart: bool, found: &mut Diagnosis) {
        let (id, line) = (&one.memory.id, one.place.first_line as u64);
        let first = self.standing.entry(id.clone()).or_insert_with(|| path.to_owned());
        if apart && !id.is_untracked() && first != path {
            same_id(id, first, path, line, found);
        }
    }

    fn note_superseded(&mut self, one: &Found, path: &str) {
        if let Some(by) = one.memory.superseded_by() {
            let line = one.place.first_line as u64;
            self.superseded.push((one.memory.id.clone(), by, path.to_owned(), line));
        }
    }

    fn say_hidden_by_nothing(&self, store: &Store, found: &mut Diagnosis) -> Result<()> {
        for (id, by, path, line) in self.superseded.iter().filter(|it| !self.standing.contains_key(&it.1)) {
            if store.is_known(by)? {
                continue;
            }
            let text = format!(
                "{by}, which took the place of {id}, is gone; `agent-memory supersede --undo {id}` lets it hold again"
            );
            found.say(Severity::Warning, "superseded-by-nothing", path, *line, text);
        }
        Ok(())
    }
}

fn archive_health(store: &mut Store, depth: Depth, found: &mut Diagnosis) -> Result<()> {
    for batch in found.or_say(ARCHIVE, store.batch_names())?.unwrap_or_default() {
        let path = format!("{ARCHIVE}/{batch}");
        let manifest = match store.read_manifest(&batch) {
            Ok(Some(manifest)) => manifest,
            Ok(None) => {
                let text = "the batch has no manifest; a crash may have cut its making short".to_owned();
                found.say(Severity::Note, "no-manifest", &path, 0, text);
                continue;
            }
            Err(error) => {
                found.say(Severity::Problem, error.code(), &path, 0, error.to_string());
                continue;
            }
        };
        if depth == Depth::Deep {
            for item in &manifest.items {
                if let Err(error) = store.archived_bytes(&batch, item) {
                    found.say(Severity::Problem, error.code(), &path, 0, error.to_string());
                }
            }
            for whole in &manifest.files {
                if let Err(error) = store.archived_file(&batch, whole) {
                    found.say(Severity::Problem, error.code(), &path, 0, error.to_string());
                }
            }
            check_manifest(store, &batch, &manifest, found)?;
        }
    }
    Ok(())
}

/// A manifest is rendered in one way, so any other byte in it was not ours.
fn check_manifest(
    store: &Store,
    batch: &str,
    manifest: &crate::store::Manifest,
    found: &mut Diagnosis,
) -> Result<()> {
    let path = format!("{ARCHIVE}/{batch}/manifest.json");
    let read = store.disk().read(&path, 64 << 20);
    let Some(bytes) = found.or_say(&path, read)?.map(Option::unwrap_or_default) else { return Ok(()) };
    if crate::store::render_manifest(manifest).as_deref() != Some(&bytes[..]) {
        found.say(
            Severity::Problem,
            "manifest-changed",
            &path,
            0,
            "its bytes are not those that were written".to_owned(),
        );
    }
    Ok(())
}

/// The index is a cache, so nothing about it is worse than slow answers.
fn index_health(store: &Store, depth: Depth, found: &mut Diagnosis) {
    let embedder = model::chosen(&store.config().meaning);
    let why = match index::open(&store.disk().index(), embedder.name()) {
        Ok(Some(opened)) if !store.knows(opened.marked.seq, &opened.marked.hash) => {
            "it belongs to another ledger".to_owned()
        }
        Ok(Some(opened)) if depth == Depth::Deep => match opened.damaged_file() {
            Some(file) => format!("`{file}` is damaged"),
            None => return,
        },
        Ok(_) => return,
        Err(error) => index::why_not(error),
    };
    let text = format!("answers come without the index: {why}; `agent-memory index rebuild` makes a new one");
    found.say(Severity::Note, "index", index::FOLDER, 0, text);
}

/// Sets a damaged ledger aside and reads the files in anew. Nothing is deleted.
pub(crate) fn repair(store: &mut Store) -> Result<Diagnosis> {
    let before = match examine(store, Depth::Deep) {
        // A ledger that cannot even be read is as damaged as one that reads wrongly.
        Err(Error::Ledger { .. }) => None,
        other => Some(other?),
    };
    let damaged =
        |finding: &Finding| matches!(finding.code, "ledger-damaged" | "chain-broken" | "catalogue-wrong");
    match before {
        Some(found) if !found.findings.iter().any(damaged) => Ok(found),
        _ => {
            let place = store.replace_ledger()?;
            let mut after = examine(store, Depth::Deep)?;
            after.moved.push((".vault/ledger.db".to_owned(), place));
            Ok(after)
        }
    }
}
