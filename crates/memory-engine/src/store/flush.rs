//! Brings the markdown up to date with the ledger: one rewrite per file, however many operations wait for it.
//!
//! New entries on top of a known file are written without reading the rest into memory. A file that somebody
//! else changes meanwhile is looked at again; one that must not be touched keeps its operations waiting.

use std::collections::{BTreeMap, HashMap};
use std::sync::atomic::Ordering;
use std::time::Instant;

use memory_core::id::MemoryId;
use memory_core::layout::{self, Change, Edit, Home};
use memory_core::memory::Memory;
use memory_core::time::{DAY_MS, Time};

use super::reconcile::{Looked, Suspicion, count_lines, memory_of};
use super::{OWN, Store, home_of};
use crate::ambient;
use crate::disk::{Disk, Piece, Replaced, replace, take_away};
use crate::error::{Error, Result};
use crate::ledger::{self, Durability, FileRow, Ledger, Marks, Op, OpKind, Payload, Row};
use crate::spread::spread;

/// What became of a file's operations.
enum Settled {
    Done,
    Waits,
}

impl Store {
    /// Writes what waits in the ledger into the files. Needs the lock.
    pub(crate) fn flush(&mut self) -> Result<()> {
        self.flush_each()?.into_iter().next().map_or(Ok(()), |(_, error)| Err(error))
    }

    /// The same for a change of these files: what stands in the way of another is said, and what waits for that goes on
    /// waiting.
    pub(crate) fn flush_for(&mut self, concerned: &[&str]) -> Result<()> {
        let mut own = None;
        for (path, error) in self.flush_each()? {
            if concerned.contains(&path.as_str()) {
                own.get_or_insert(error);
            } else {
                self.notice(error.code(), format!("{error}; what waits for it is safe in the ledger"));
            }
        }
        own.map_or(Ok(()), Err)
    }

    /// The same; gives the files that cannot be written, whose operations wait, and why.
    fn flush_each(&mut self) -> Result<Vec<(String, Error)>> {
        self.refresh()?;
        let mut stuck = Vec::new();
        if self.tail.is_empty() {
            return Ok(stuck);
        }
        let start = Instant::now();
        let mut waiting = Vec::new();
        let mut first_error = None;
        for path in self.waiting_files() {
            match self.settle_file(&path) {
                Ok(Settled::Done) => {}
                Ok(Settled::Waits) => waiting.push(path),
                Err(error) if error.is_of_one_file() => {
                    waiting.push(path.clone());
                    stuck.push((path, error));
                }
                Err(error) => {
                    first_error.get_or_insert(error);
                }
            }
        }
        first_error.map_or(Ok(()), Err)?;
        self.settle(&waiting)?;
        self.tried = Some(self.seen.seq);
        self.last_flush = Instant::now();
        let cost = u64::try_from(start.elapsed().as_micros()).unwrap_or(u64::MAX);
        self.cost.store(cost, Ordering::Relaxed);
        Ok(stuck)
    }

    /// Whether operations wait for a file.
    pub(super) fn waits_for(&self, path: &str) -> bool {
        self.tail.iter().any(|op| op.kind.changes_files() && op.file == path)
    }

    /// Whether operations are held back that this process did not try to write since the log last grew.
    pub(super) fn has_held(&self) -> bool {
        let held = |op: &Op| op.kind.changes_files() && op.seq <= self.settled;
        self.tried != Some(self.seen.seq) && self.tail.iter().any(held)
    }

    /// The files for which operations wait. A journal's lines stand in the file of their day too.
    fn waiting_files(&self) -> Vec<String> {
        let mut paths: BTreeMap<String, ()> = BTreeMap::new();
        let journal = Home::Journal.path();
        for op in self.tail.iter().filter(|op| op.kind.changes_files()) {
            if !paths.contains_key(&op.file) {
                paths.insert(op.file.clone(), ());
            }
            if let (true, Some(memory)) = (op.file == journal, memory_of(&op.payload)) {
                paths.insert(Home::Day(memory.created.day()).path(), ());
            }
        }
        paths.into_keys().collect()
    }

    fn settle_file(&mut self, path: &str) -> Result<Settled> {
        for _ in 0..4 {
            self.clear_leftover(path)?;
            if let Looked::HandsOff(why) = self.reconcile_file(path, Suspicion::Apply)? {
                self.notice(
                    "frozen",
                    format!("`{path}` is left alone: {why}; what waits for it is safe in the ledger"),
                );
                return Ok(Settled::Waits);
            }
            if self.write_file(path)? {
                return Ok(Settled::Done);
            }
        }
        self.notice("busy", format!("`{path}` keeps changing; what waits for it is safe in the ledger"));
        Ok(Settled::Waits)
    }

    /// Writes a file with everything that waits for it; `false` when somebody else wrote it meanwhile.
    fn write_file(&mut self, path: &str) -> Result<bool> {
        let home = home_of(path)?;
        let row = self
            .ledger
            .file(path)?
            .unwrap_or_else(|| FileRow { path: path.to_owned(), ..FileRow::default() });
        let ops = waiting_ops(&self.tail, path);
        if ops.is_empty() {
            return Ok(true);
        }
        let expect = self.disk.stat(path)?;
        if expect != (row.no != 0).then_some(row.stat) {
            return Ok(false);
        }
        let limit = self.config.limits.file_bytes;
        if goes_on_top(&*self.disk, &home, &row, &ops)? {
            return write_on_top(&mut self.ledger, &*self.disk, &home, row, expect, ops, limit);
        }
        let changes: Vec<Change<'_>> = ops.iter().filter_map(|op| change_of(op)).collect();
        let bytes = self.disk.read(path, limit)?.unwrap_or_default();
        if blake3::hash(&bytes).as_bytes() != &row.digest && !(row.no == 0 && bytes.is_empty()) {
            return Ok(false);
        }
        let edits = layout::splice(&home, &bytes, &changes);
        let after = layout::apply(&bytes, &edits);
        refuse_above(path, bytes.len() as u64, after.len() as u64, limit)?;
        let unplaced = unplaced(&home, &after, &ops);
        self.archive_memories("unplaced", &home, &unplaced)?;
        if expect.is_none() && edits.is_empty() {
            return Ok(true);
        }
        if let (true, Some(expect), Home::Record(_)) = (after.is_empty(), expect, &home) {
            if !take_away(&*self.disk, path, expect)? {
                return Ok(false);
            }
            self.ledger.commit(&*self.disk, Durability::Derived, |db| ledger::drop_file(db, row.no))?;
            return Ok(true);
        }
        let (digest, stat) = if edits.is_empty() {
            (row.digest, expect.unwrap_or_default())
        } else {
            match replace(&*self.disk, path, expect, &pieces(bytes.len(), &edits))? {
                Replaced::Done(digest, stat) => (digest, stat),
                Replaced::Changed => return Ok(false),
            }
        };
        drop(bytes);
        // The catalogue knows a memory by the last operation that wrote it, and by how far its words are trusted.
        let stood = self.ledger.rows_of_file(row.no)?.into_iter();
        let known =
            stood.map(|row| (row.id, (row.seq, row.class))).chain(ops.iter().flat_map(|op| names_of(op)));
        let known: Known = known.collect();
        let lines = count_lines(&after) as u64;
        let file = FileRow { stat, digest, seen: ambient::now(), lines, top: 0, ..row };
        self.catalogue(&home, &after, file, &known)?;
        Ok(true)
    }

    /// Notes in the catalogue what a file shows that we have written; text that nobody has noted before is met now.
    fn catalogue(&mut self, home: &Home, after: &[u8], mut file: FileRow, known: &Known) -> Result<()> {
        let head = self.seen;
        let (head, met) = self.ledger.commit(&*self.disk, Durability::Derived, |db| {
            file.no = ledger::put_file(db, &file)?;
            ledger::drop_rows(db, file.no)?;
            let mut failed = None;
            let mut met = Vec::new();
            let mut rows_of_met = Vec::new();
            layout::visit(home, after, &mut |found| {
                let raw = &after[found.place.bytes.clone()];
                let mut row = Row::of(&found.memory, &found.place, raw, after.len(), file.lines as usize);
                let known = known.get(&row.id);
                if let Some((seq, class)) = known {
                    row.seq = *seq;
                    row.class = row.class.min(*class);
                }
                row.file = file.no;
                if file.top == 0 && !row.id.is_untracked() {
                    file.top = row.tail;
                    file.top_lines = row.tail_line;
                    file.newest = row.id.millis().unwrap_or(u64::MAX >> 2);
                }
                if known.is_none() && row.id.is_untracked() {
                    met.push(met_text(found.memory, &file.path));
                    rows_of_met.push(row);
                } else if let Err(error) = ledger::put_row(db, &row) {
                    failed.get_or_insert(error);
                }
            });
            failed.map_or(Ok(()), Err)?;
            let head = ledger::append(db, head, &mut met)?;
            let rows = rows_of_met.into_iter().zip(&met).map(|(row, op)| Row { seq: op.seq, ..row });
            ledger::put_rows(db, rows)?;
            ledger::put_file(db, &file)?;
            Ok((head, met))
        })?;
        self.extend_tail(head, met);
        Ok(())
    }

    /// Notes in the ledger which operations stand in the files, and lets go of old texts.
    fn settle(&mut self, waiting: &[String]) -> Result<()> {
        let up_to = self.seen.seq;
        let held: Vec<i64> =
            self.tail.iter().filter(|op| waiting.contains(&op.file)).map(|op| op.seq).collect();
        let keep_ms = i64::from(self.config.ledger.keep_text_days) * DAY_MS;
        let cutoff = Time(ambient::now().0 - keep_ms);
        self.ledger
            .commit(&*self.disk, Durability::Derived, |db| ledger::settle(db, up_to, &held, cutoff))?;
        self.settled = up_to;
        self.tail.retain(|op| held.contains(&op.seq));
        self.index_tail();
        Ok(())
    }

    /// A crash may leave the file that was being written, or the one that was swapped out. The first can go. The
    /// second is kept aside if it is not what we knew, because then somebody's edit is in it.
    pub(super) fn clear_leftover(&mut self, path: &str) -> Result<()> {
        let leftover = crate::disk::temporary(path);
        if self.disk.stat(&leftover)?.is_none() {
            return Ok(());
        }
        let home = home_of(path)?;
        let bytes = self.disk.read(path, self.config.limits.file_bytes)?.unwrap_or_default();
        let changes: Vec<Change<'_>> =
            waiting_ops(&self.tail, path).into_iter().filter_map(change_of).collect();
        let swapped = layout::splice(&home, &bytes, &changes).is_empty();
        let left = self.disk.read(&leftover, self.config.limits.file_bytes)?.unwrap_or_default();
        let known = self.ledger.file(path)?.map(|row| row.digest);
        let is_known = left == bytes || known == Some(*blake3::hash(&left).as_bytes());
        if !swapped || is_known || left.is_empty() {
            return self.disk.remove(&leftover);
        }
        let place = format!("{OWN}/recovered/{}-{}", ambient::now().stamp(), path.replace('/', "-"));
        self.disk.make_folder(&format!("{OWN}/recovered"))?;
        self.disk.rename(&leftover, &place)?;
        self.disk.sync_folder(&format!("{OWN}/recovered"))?;
        self.notice("recovered", format!("an edit of `{path}` that met a crash is kept in `{place}`"));
        Ok(())
    }
}

/// The last operation on each memory that concerns a file, in order.
fn waiting_ops<'a>(tail: &'a [Op], path: &str) -> Vec<&'a Op> {
    let journal = Home::Journal.path();
    let concerns = |op: &&Op| {
        op.file == path
            || (op.file == journal
                && memory_of(&op.payload)
                    .is_some_and(|memory| Home::Day(memory.created.day()).path() == path))
    };
    let mut last: HashMap<&MemoryId, &Op> = HashMap::new();
    for op in tail.iter().filter(concerns) {
        last.insert(&op.id, op);
    }
    let mut ops: Vec<&Op> = last.into_values().filter(|op| op.kind.changes_files()).collect();
    ops.sort_by_key(|op| op.seq);
    ops
}

/// Whether all that waits are new entries, newer than every other in a vault file that we know.
fn goes_on_top(disk: &dyn Disk, home: &Home, row: &FileRow, ops: &[&Op]) -> Result<bool> {
    let new = |op: &&Op| {
        op.kind == OpKind::Put && op.before == 0 && op.id.millis().is_some_and(|ms| ms > row.newest)
    };
    if !matches!(home, Home::Vault { .. }) || !ops.iter().all(new) {
        return Ok(false);
    }
    if row.stat.size == 0 {
        return Ok(true);
    }
    let start = disk.read_range(&row.path, 0..4096)?.unwrap_or_default();
    Ok(row.top > 0 && !start.contains(&b'\r'))
}

fn write_on_top(
    ledger: &mut Ledger,
    disk: &dyn Disk,
    home: &Home,
    row: FileRow,
    expect: Option<crate::disk::Stat>,
    mut ops: Vec<&Op>,
    limit: u64,
) -> Result<bool> {
    ops.sort_by_key(|op| std::cmp::Reverse(op.id.millis()));
    let newest = ops.first().and_then(|op| op.id.millis()).unwrap_or(row.newest);
    let mut entries: Vec<Fresh> = spread(ops, |op| fresh(home, op)).into_iter().flatten().collect();
    let mut text = Vec::new();
    let mut lines_so_far = 0;
    for (n, entry) in entries.iter_mut().enumerate() {
        if n > 0 {
            text.extend_from_slice(b"\n\n");
            lines_so_far += 2;
        }
        entry.start = text.len() as u64;
        entry.lines_above = lines_so_far;
        lines_so_far += entry.row.lines - 1;
        text.append(&mut std::mem::take(&mut entry.raw));
    }
    // In an empty file the last line has no line end of its own.
    let all_lines = if row.top > 0 {
        text.extend_from_slice(b"\n\n");
        lines_so_far + 2 + row.top_lines
    } else {
        lines_so_far + 1
    };
    let (size, old_top) = (text.len() as u64, row.top);
    refuse_above(&row.path, row.stat.size, row.stat.size + size, limit)?;
    let at = row.stat.size - old_top.min(row.stat.size);
    let pieces = [Piece::Copy(0..at), Piece::Bytes(text), Piece::Copy(at..row.stat.size)];
    let Replaced::Done(digest, stat) = replace(disk, &row.path, expect, &pieces)? else { return Ok(false) };
    let added_lines = all_lines - if old_top > 0 { row.top_lines } else { 0 };
    let lines = if row.stat.size == 0 { all_lines } else { row.lines + added_lines };
    let seen = ambient::now();
    let top = old_top + size;
    let mut file = FileRow { stat, digest, seen, lines, top, top_lines: all_lines, newest, ..row };
    ledger.commit(disk, Durability::Derived, |db| {
        file.no = crate::ledger::put_file(db, &file)?;
        if at > 0 {
            // Text that stands above the entries is now further from the end.
            crate::ledger::shift_above(db, file.no, old_top, size, added_lines)?;
        }
        // The oldest first: ids that rise are the cheapest to add to an index.
        let rows = entries.into_iter().rev().map(|Fresh { row, start, lines_above, .. }| Row {
            file: file.no,
            tail: top - start,
            tail_line: all_lines - lines_above,
            ..row
        });
        crate::ledger::put_rows(db, rows)
    })?;
    Ok(true)
}

/// Refuses to make a file so large that it would no longer be read; what shrinks it may be written.
fn refuse_above(path: &str, before: u64, after: u64, limit: u64) -> Result<()> {
    if after <= limit || after <= before {
        return Ok(());
    }
    Err(Error::NoRoom { path: path.to_owned(), limit })
}

/// A new entry: its bytes, its row, and where it begins among the others.
struct Fresh {
    raw: Vec<u8>,
    row: Row,
    start: u64,
    lines_above: u64,
}

fn fresh(home: &Home, op: &Op) -> Option<Fresh> {
    let memory = memory_of(&op.payload)?;
    let raw = layout::apply(b"", &layout::splice(home, b"", &[Change::Put(memory)]));
    let last_line = raw.iter().filter(|&&b| b == b'\n').count() + 1;
    let place = layout::Place { bytes: 0..raw.len(), first_line: 1, last_line };
    let marks = op.marks.unwrap_or_else(|| Marks::of_memory(memory));
    let mut row = Row::with_marks(memory, marks, &place, &raw, (raw.len(), last_line));
    row.seq = op.seq;
    Some(Fresh { raw, row, start: 0, lines_above: 0 })
}

/// The operation for hand-written texts that met when what stood between them left: they are one now, under a new name,
/// and the ledger holds it as it held its parts.
fn met_text(memory: Memory, path: &str) -> Op {
    Op {
        seq: 0,
        at: ambient::now(),
        kind: OpKind::FoundNew,
        id: memory.id.clone(),
        file: path.to_owned(),
        before: 0,
        archive: String::new(),
        payload: Payload::Memory(Box::new(memory)),
        marks: None,
    }
}

/// Of each memory the last operation that wrote it, and its class.
type Known = HashMap<MemoryId, (i64, u8)>;

/// The names under which an operation's memory stands. Hand-written text is named after its words, so an edit of ours
/// gives it another name.
fn names_of(op: &Op) -> impl Iterator<Item = (MemoryId, (i64, u8))> + use<> {
    let told = memory_of(&op.payload).map(|memory| {
        let renamed = op.id.is_untracked().then(|| MemoryId::of_text(memory.body.as_str(), 0));
        let known = (op.seq, memory.provenance.class as u8);
        [Some(op.id.clone()), renamed].into_iter().flatten().map(move |id| (id, known))
    });
    told.into_iter().flatten()
}

/// Edits of hand-written text whose text is no longer where they were for, because somebody changed it meanwhile.
fn unplaced(home: &Home, after: &[u8], ops: &[&Op]) -> Vec<Memory> {
    let edits = ops.iter().filter(|op| op.id.is_untracked() && op.kind == OpKind::Edit);
    let texts: Vec<Memory> = edits.filter_map(|op| memory_of(&op.payload).cloned()).collect();
    if texts.is_empty() {
        return texts;
    }
    let standing = layout::read(home, after).found;
    let stands = |memory: &Memory| standing.iter().any(|found| found.memory.body == memory.body);
    texts.into_iter().filter(|memory| !stands(memory)).collect()
}

fn change_of(op: &Op) -> Option<Change<'_>> {
    match (&op.payload, op.kind) {
        (_, OpKind::Remove) => Some(Change::Remove(&op.id)),
        (Payload::Memory(memory), _) => Some(Change::Put(memory)),
        (Payload::Raw(_, raw), _) => Some(Change::Restore(&op.id, raw)),
        (Payload::None, _) => None,
    }
}

/// The stretches of a file around edits, and the edits.
fn pieces(size: usize, edits: &[Edit]) -> Vec<Piece> {
    let mut ordered: Vec<&Edit> = edits.iter().collect();
    ordered.sort_by_key(|edit| edit.at.start);
    let mut pieces = Vec::with_capacity(edits.len() * 2 + 1);
    let mut done = 0;
    for edit in ordered {
        pieces.push(Piece::Copy(done as u64..edit.at.start as u64));
        pieces.push(Piece::Bytes(edit.with.clone()));
        done = edit.at.end;
    }
    pieces.push(Piece::Copy(done as u64..size as u64));
    pieces
}
