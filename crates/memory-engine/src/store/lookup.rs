//! One memory, or several, by their ids: the catalogue says where each stands, and one entry is read without the rest of
//! its file. What the catalogue does not know to stand so is found by a look at the files, one for all.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

use memory_core::id::MemoryId;
use memory_core::layout;
use memory_core::memory::Memory;
use memory_core::scope::SourceClass;

use super::reconcile::memory_of;
use super::{Entry, Sameness, Store, home_of, is_unchanged};
use crate::error::{Error, Result};
use crate::ledger::{FileRow, OpKind, Row, entry_digest};

/// What files show that answer as they stand.
type Direct = HashMap<MemoryId, Entry>;

impl Store {
    /// One memory.
    pub(crate) fn show(&mut self, id: &MemoryId) -> Result<Entry> {
        self.refresh()?;
        if let Some(entry) = self.settled_entry(id)? {
            return Ok(entry);
        }
        if let Some(entry) = self.aside_entry(id) {
            return Ok(entry);
        }
        if self.left != Some(self.seen.seq) || self.tail_op(id).is_none() {
            self.freshen()?;
        }
        let found = match self.after_look(id, &mut None)? {
            None if self.is_missed(id)? => self.look_under_lock(|store| store.after_look(id, &mut None))?,
            found => found,
        };
        found.ok_or_else(|| Error::NoMemory { id: id.clone() })
    }

    /// Whether a memory that was not found should stand in a file that can be taken over: somebody wrote it meanwhile.
    fn is_missed(&self, id: &MemoryId) -> Result<bool> {
        for row in self.rows_of(id)? {
            let file = self.ledger.file_no(row.file)?;
            if file.is_some_and(|file| file.frozen.is_empty() && !self.is_aside(&file.path)) {
                return Ok(self.tail_op(id).is_none());
            }
        }
        Ok(false)
    }

    /// A memory as it is after a look at the files. `direct` is what files show that answer as they stand, once they were
    /// asked.
    fn after_look(&mut self, id: &MemoryId, direct: &mut Option<Direct>) -> Result<Option<Entry>> {
        if let Some(op) = self.tail_op(id) {
            let memory = memory_of(&op.payload).filter(|_| op.kind != OpKind::Remove);
            return Ok(memory.map(|memory| Entry::unwritten(memory.clone(), &op.file)));
        }
        if let Some(entry) = self.known_entry(id)? {
            return Ok(Some(entry));
        }
        let direct = match direct {
            Some(direct) => direct,
            none => {
                let shown = self.direct_entries(&|_| true)?.into_iter().rev();
                none.insert(shown.map(|entry| (entry.memory.id.clone(), entry)).collect())
            }
        };
        Ok(direct.get(id).cloned())
    }

    /// Several memories as they are now, in their order. What certainly stands as the catalogue says is read file by
    /// file; for all others together the files are looked at once.
    pub(super) fn look_up(&mut self, ids: &[MemoryId]) -> Result<Vec<Option<Entry>>> {
        self.refresh()?;
        let moment = self.ledger.one_moment()?;
        let found = self.settled_entries(ids);
        drop(moment);
        let mut found = match found {
            Err(error) if error.is_of_one_file() => ids.iter().map(|_| None).collect(),
            found => found?,
        };
        for (id, entry) in ids.iter().zip(&mut found).filter(|(_, entry)| entry.is_none()) {
            *entry = self.aside_entry(id);
        }
        let missing: Vec<usize> = (0..ids.len()).filter(|n| found[*n].is_none()).collect();
        if missing.iter().any(|n| self.left != Some(self.seen.seq) || self.tail_op(&ids[*n]).is_none()) {
            self.freshen()?;
        }
        self.fill_in(ids, &missing, &mut found)?;
        let mut missed = Vec::new();
        for n in missing {
            if found[n].is_none() && self.is_missed(&ids[n])? {
                missed.push(n);
            }
        }
        if !missed.is_empty() {
            self.look_under_lock(|store| store.fill_in(ids, &missed, &mut found))?;
        }
        Ok(found)
    }

    /// Fills in those at these places, as they are after a look at the files.
    fn fill_in(&mut self, ids: &[MemoryId], places: &[usize], found: &mut [Option<Entry>]) -> Result<()> {
        let mut direct = None;
        for &n in places {
            found[n] = match self.after_look(&ids[n], &mut direct) {
                Err(error) if error.is_of_one_file() => {
                    self.notice(error.code(), error.to_string());
                    None
                }
                entry => entry?,
            };
        }
        Ok(())
    }

    /// A memory for which nothing waits, and whose file is certainly as the catalogue says.
    pub(super) fn settled_entry(&self, id: &MemoryId) -> Result<Option<Entry>> {
        if self.tail_op(id).is_some() { Ok(None) } else { self.known_entry(id) }
    }

    /// A memory whose file is certainly as the catalogue says.
    fn known_entry(&self, id: &MemoryId) -> Result<Option<Entry>> {
        for row in self.rows_of(id)? {
            let Some(file) = self.ledger.file_no(row.file)? else { continue };
            if is_unchanged(&file, self.disk.stat(&file.path)?) == Sameness::Different {
                continue;
            }
            if let Some(entry) = self.read_entry(&row, &file)? {
                return Ok(Some(entry));
            }
        }
        Ok(None)
    }

    /// Reads one entry by its place; `None` when other bytes stand there.
    pub(crate) fn read_entry(&self, row: &Row, file: &FileRow) -> Result<Option<Entry>> {
        Ok(self.read_raw(row, file)?.map(|(entry, _)| entry))
    }

    /// Reads one entry with its bytes.
    pub(crate) fn read_raw(&self, row: &Row, file: &FileRow) -> Result<Option<(Entry, Vec<u8>)>> {
        let Some(range) = range_of(row, file) else { return Ok(None) };
        let Some(raw) = self.disk.read_range(&file.path, range)? else { return Ok(None) };
        Ok(entry_of(row, file, &raw)?.map(|entry| (entry, raw)))
    }

    /// Memories for which nothing waits, and whose files are certainly as the catalogue says; each file is opened once.
    pub(super) fn settled_entries(&self, ids: &[MemoryId]) -> Result<Vec<Option<Entry>>> {
        let mut entries: Vec<Option<Entry>> = ids.iter().map(|_| None).collect();
        let mut by_file: BTreeMap<i64, Vec<(usize, Row)>> = BTreeMap::new();
        for (n, id) in ids.iter().enumerate() {
            if self.tail_op(id).is_some() {
                continue;
            }
            if let Some(row) = self.rows_of(id)?.into_iter().next() {
                by_file.entry(row.file).or_default().push((n, row));
            }
        }
        for (no, rows) in by_file {
            let Some(file) = self.ledger.file_no(no)? else { continue };
            let (rows, ranges): (Vec<(usize, Row)>, Vec<Range<u64>>) = rows
                .into_iter()
                .filter_map(|(n, row)| range_of(&row, &file).map(|at| ((n, row), at)))
                .unzip();
            let fits = |stat| is_unchanged(&file, Some(stat)) != Sameness::Different;
            let Some(parts) = self.disk.read_if(&file.path, &fits, &ranges)? else { continue };
            for ((n, row), raw) in rows.iter().zip(parts) {
                if let Some(place) = entries.get_mut(*n) {
                    *place = entry_of(row, &file, &raw)?;
                }
            }
        }
        Ok(entries)
    }
}

/// Where an entry stands in its file, by the catalogue.
fn range_of(row: &Row, file: &FileRow) -> Option<Range<u64>> {
    let start = file.stat.size.checked_sub(row.tail)?;
    Some(start..start + row.length)
}

/// The entry in these bytes; `None` when others stand there than the catalogue says.
fn entry_of(row: &Row, file: &FileRow, raw: &[u8]) -> Result<Option<Entry>> {
    if entry_digest(raw) != row.digest {
        return Ok(None);
    }
    let home = home_of(&file.path)?;
    let mut memory: Option<Memory> = None;
    layout::visit(&home, raw, &mut |found| {
        memory.get_or_insert(found.memory);
    });
    let Some(mut memory) = memory else { return Ok(None) };
    memory.id = row.id.clone();
    memory.provenance.class = SourceClass::of_rank(row.class);
    let first_line = (file.lines + 1).saturating_sub(row.tail_line).max(1);
    let last_line = first_line + row.lines.saturating_sub(1);
    let text_line = first_line + layout::lines_before_text(raw, memory.body.as_str()) as u64;
    Ok(Some(Entry { memory, file: file.path.clone(), first_line, last_line, text_line }))
}
