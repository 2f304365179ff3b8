//! What an index needs of the store: everything there is, what changed after an operation, and each as it is now.

use std::collections::{BTreeSet, HashMap, HashSet};

use memory_core::id::MemoryId;
use memory_core::layout;
use memory_core::scope::SourceClass;

use super::doubled::is_day;
use super::reconcile::memory_of;
use super::{Entry, Sameness, Store, home_of, is_unchanged};
use crate::disk::Sort;
use crate::error::{Error, Result};
use crate::ledger::{FileRow, OpKind};

/// What changed after an operation.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Changes {
    /// Memories that changed, each once.
    ids: Vec<MemoryId>,
    /// Files in which memories appeared without an operation of their own.
    files: Vec<String>,
    /// Files that could not be read whole before and cannot be now.
    pub(crate) away: BTreeSet<String>,
}

impl Changes {
    pub(crate) fn is_empty(&self) -> bool {
        self.ids.is_empty() && self.files.is_empty()
    }
}

impl Store {
    /// The end of the log and its hash, which tells one ledger from another.
    pub(crate) fn head(&self) -> (i64, String) {
        (self.seen.seq, hex(&self.seen.hash))
    }

    /// Whether the log has this operation with this hash.
    pub(crate) fn knows(&self, seq: i64, hash: &str) -> bool {
        if seq == 0 {
            return hash == hex(&[0; 32]);
        }
        if seq == self.seen.seq {
            return hash == hex(&self.seen.hash);
        }
        self.ledger.hash_of(seq).is_ok_and(|found| found.is_some_and(|found| hex(&found) == hash))
    }

    /// What changed after an operation; `away` are files that could not be read whole when it was the last one, and
    /// whose memories came back without an operation if they can be now.
    pub(crate) fn changes_after(&self, seq: i64, away: &[String]) -> Result<Changes> {
        let mut changes = Changes::default();
        let mut known = HashSet::new();
        let mut known_files = HashSet::new();
        let mut note = |kind: OpKind, id: MemoryId, file: String| {
            // A text that is named after itself goes by another name once it is edited.
            if (kind == OpKind::Adopt || id.is_untracked()) && known_files.insert(file.clone()) {
                changes.files.push(file);
            }
            if kind != OpKind::Adopt && known.insert(id.clone()) {
                changes.ids.push(id);
            }
        };
        if seq < self.seen.seq {
            self.ledger.each_change(seq, &mut note)?;
        }
        for path in away {
            if self.is_aside(path) {
                continue;
            }
            if !self.is_back(path)? {
                changes.away.insert(path.clone());
            } else if known_files.insert(path.clone()) {
                changes.files.push(path.clone());
            }
        }
        // Nothing in the log tells of what could not be taken over.
        for path in self.aside_paths() {
            changes.away.insert(path.to_owned());
            if known_files.insert(path.to_owned()) {
                changes.files.push(path.to_owned());
            }
        }
        Ok(changes)
    }

    /// Whether a file that could not be read whole now is as the catalogue says.
    pub(crate) fn is_back(&self, path: &str) -> Result<bool> {
        let Some(row) = self.ledger.file(path)? else { return Ok(false) };
        let stat = self.disk.stat(path).ok().flatten();
        Ok(row.frozen.is_empty() && is_unchanged(&row, stat) != Sameness::Different)
    }

    /// The ids of all memories that a change may concern.
    pub(crate) fn ids_of(&self, changes: &Changes) -> Result<Vec<MemoryId>> {
        let mut ids = changes.ids.clone();
        let mut known: HashSet<MemoryId> = ids.iter().cloned().collect();
        for path in &changes.files {
            let shown = self.aside_ids(path).filter(|id| known.insert((*id).clone()));
            ids.extend(shown.cloned());
            let Some(file) = self.ledger.file(path)? else { continue };
            self.ledger.each_row_of_file(file.no, &mut |row| {
                if known.insert(row.id.clone()) {
                    ids.push(row.id);
                }
                Ok(true)
            })?;
        }
        Ok(ids)
    }

    /// A memory as it is now, or `None` when it is gone or its file cannot be read.
    pub(crate) fn current(&mut self, id: &MemoryId) -> Result<Option<Entry>> {
        match self.show(id) {
            Ok(entry) => Ok(Some(entry)),
            Err(Error::NoMemory { .. }) => Ok(None),
            Err(error) if error.is_of_one_file() => {
                self.notice(error.code(), error.to_string());
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }

    /// Calls a function with each of these memories that is there, as it is now. Gives the files that should hold one
    /// and do not just now.
    pub(crate) fn each_current(
        &mut self,
        ids: &[MemoryId],
        each: &mut dyn FnMut(Entry),
    ) -> Result<BTreeSet<String>> {
        let mut away = BTreeSet::new();
        for (id, mut found) in ids.iter().zip(self.look_up(ids)?) {
            if found.is_none() && self.tail_op(id).is_none() {
                found = match self.files_without(id)? {
                    Some(missing) if missing.is_empty() => self.current(id)?,
                    missing => {
                        away.extend(missing.into_iter().flatten());
                        None
                    }
                };
            }
            found.into_iter().for_each(&mut *each);
        }
        Ok(away)
    }

    /// The files that should hold a memory and cannot be read whole; all that should can be again where there are none.
    /// `None` where no file should hold it.
    fn files_without(&self, id: &MemoryId) -> Result<Option<Vec<String>>> {
        let rows = self.ledger.rows_of_id(id)?;
        if rows.is_empty() {
            return Ok(None);
        }
        let mut missing = Vec::new();
        for row in rows {
            if let Some(file) = self.ledger.file_no(row.file)?
                && !self.is_back(&file.path)?
            {
                missing.push(file.path);
            }
        }
        Ok(Some(missing))
    }

    /// Several memories as they are now, in their order. Those that stand in files as the catalogue says are looked
    /// up together.
    pub(crate) fn currents(&mut self, ids: &[MemoryId]) -> Result<Vec<Option<Entry>>> {
        self.look_up(ids)
    }

    /// How many bytes a folder holds.
    pub(crate) fn folder_bytes(&self, folder: &str) -> Result<u64> {
        let mut bytes = 0;
        for name in self.disk.list(folder)? {
            let path = format!("{folder}/{}", name.name);
            bytes += match name.sort {
                Sort::Folder => self.folder_bytes(&path)?,
                Sort::File => self.disk.stat(&path)?.map_or(0, |stat| stat.size),
                Sort::Other => 0,
            };
        }
        Ok(bytes)
    }

    /// How many memories the catalogue holds.
    pub(crate) fn count(&self) -> Result<usize> {
        Ok(self.ledger.counts()?.iter().map(|(_, count)| *count as usize).sum())
    }

    /// Calls a function for every memory once, file by file. Gives the files that hold less just now than the catalogue
    /// says.
    pub(crate) fn each_entry(
        &mut self,
        each: &mut dyn FnMut(Entry) -> Result<()>,
    ) -> Result<BTreeSet<String>> {
        let mut seen: HashSet<MemoryId> = HashSet::new();
        let unwritten: Vec<Entry> = self
            .tail
            .iter()
            .rev()
            .filter(|op| op.kind.changes_files() && seen.insert(op.id.clone()) && op.kind != OpKind::Remove)
            .filter_map(|op| {
                let memory = memory_of(&op.payload)?.clone();
                Some(Entry::unwritten(memory, &op.file))
            })
            .collect();
        for entry in unwritten {
            each(entry)?;
        }
        let mut files = self.ledger.files()?;
        for path in self.aside_paths() {
            if !files.iter().any(|file| file.path == path) {
                files.push(FileRow { path: path.to_owned(), ..FileRow::default() });
            }
        }
        // The journal itself comes before the files of its days, which say the same again.
        files.sort_by_key(|file| (is_day(&file.path), file.no));
        let mut away = BTreeSet::new();
        for file in files {
            let before = self.is_back(&file.path)?;
            let held = match self.each_of_file(&file, &mut seen, each) {
                Err(error) if error.is_of_one_file() => {
                    self.notice(error.code(), error.to_string());
                    Held::Some
                }
                held => held?,
            };
            if held == Held::Some && !(before && self.is_back(&file.path)?) {
                away.insert(file.path);
            }
        }
        Ok(away)
    }

    fn each_of_file(
        &self,
        file: &FileRow,
        seen: &mut HashSet<MemoryId>,
        each: &mut dyn FnMut(Entry) -> Result<()>,
    ) -> Result<Held> {
        let mut classes: HashMap<MemoryId, u8> = HashMap::new();
        self.ledger.each_row_of_file(file.no, &mut |row| {
            classes.insert(row.id, row.class);
            Ok(true)
        })?;
        let home = home_of(&file.path)?;
        let bytes = match self.disk.read(&file.path, self.config.limits.file_bytes) {
            Ok(bytes) => bytes.unwrap_or_default(),
            Err(Error::TooLarge { .. }) if !self.is_aside(&file.path) => {
                return self.each_by_place(file, seen, each);
            }
            Err(error) => return Err(error),
        };
        let mut outcome = Ok(());
        layout::visit(&home, &bytes, &mut |found| {
            if outcome.is_err() || !seen.insert(found.memory.id.clone()) {
                return;
            }
            let mut memory = found.memory;
            let class = classes.get(&memory.id).map(|class| SourceClass::of_rank(*class));
            memory.provenance.class = class.unwrap_or(memory.provenance.class.min(SourceClass::HumanEdit));
            let (first_line, last_line) = (found.place.first_line as u64, found.place.last_line as u64);
            let file = file.path.clone();
            outcome = each(Entry { memory, file, first_line, last_line, text_line: first_line });
        });
        outcome?;
        if self.is_aside(&file.path) {
            return Ok(Held::Some);
        }
        Ok(if classes.keys().all(|id| seen.contains(id)) { Held::All } else { Held::Some })
    }

    /// The same for a file that is too large to be read at once: each entry by the place that the catalogue knows.
    fn each_by_place(
        &self,
        file: &FileRow,
        seen: &mut HashSet<MemoryId>,
        each: &mut dyn FnMut(Entry) -> Result<()>,
    ) -> Result<Held> {
        let mut held = Held::All;
        for row in self.ledger.rows_of_file(file.no)? {
            match self.read_entry(&row, file)? {
                Some(entry) if seen.insert(row.id) => each(entry)?,
                Some(_) => {}
                None => held = Held::Some,
            }
        }
        Ok(held)
    }
}

/// How much of what the catalogue says a file holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Held {
    All,
    Some,
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
