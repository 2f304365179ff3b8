//! Takes over what changed in the files behind our back, and sets back what an old editor buffer overwrote.
//!
//! A file is looked at by its stat, then by its digest, then entry by entry. What a person wrote always stays.

use std::collections::{HashMap, HashSet};

use memory_core::id::MemoryId;
use memory_core::layout::{self, Home};
use memory_core::memory::Memory;
use memory_core::scope::SourceClass;
use memory_core::time::Time;

use super::plan::{Known, Ops, Plan, Rules, Shown, Wanted, plan};
use super::{Sameness, Store, home_of, is_unchanged};
use crate::ambient;
use crate::disk::Stat;
use crate::error::Result;
use crate::ledger::{self, Durability, FileRow, Op, OpKind, Payload, Row};

/// Who decides about a suspicious loss.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Suspicion {
    /// The rules: a large loss freezes the file.
    Apply,
    /// A person looked at it and said that it is meant.
    Overruled,
}

/// What a look at a file found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Looked {
    /// The catalogue is true of it.
    UpToDate,
    /// It must not be touched now, for this reason.
    HandsOff(String),
}

/// More changed entries than this are noted as one operation for the whole file.
const ONE_BY_ONE: usize = 500;

/// What a file shows now.
struct Shows {
    rows: Vec<Row>,
    /// The memories that the catalogue does not know as they are.
    fresh: HashMap<MemoryId, Memory>,
    /// Those that were forgotten for good and say what they said then.
    buried: HashSet<MemoryId>,
    file: FileRow,
}

impl Store {
    /// Brings the catalogue up to date with all files. Needs the lock.
    pub(crate) fn reconcile_all(&mut self) -> Result<()> {
        let found = self.memory_files_or_say()?;
        let known = self.ledger.files()?.into_iter().map(|file| file.path);
        let mut paths: Vec<String> = found.into_iter().chain(known).collect();
        paths.sort();
        paths.dedup();
        for path in paths {
            self.look_or_say(&path)?;
        }
        Ok(())
    }

    /// Looks at a file; what is wrong with that file alone is said, and the others still answer.
    pub(crate) fn look_or_say(&mut self, path: &str) -> Result<()> {
        match self.reconcile_file(path, Suspicion::Apply) {
            Ok(Looked::UpToDate) => Ok(()),
            Ok(Looked::HandsOff(why)) => {
                self.notice("frozen", format!("`{path}` is left alone: {why}"));
                Ok(())
            }
            Err(error) if error.is_of_one_file() => {
                self.notice(error.code(), error.to_string());
                // Why it cannot be read was just said.
                self.put_aside(path).map(|_| ())
            }
            Err(error) => Err(error),
        }
    }

    /// Brings the catalogue up to date with one file. Needs the lock.
    pub(crate) fn reconcile_file(&mut self, path: &str, suspicion: Suspicion) -> Result<Looked> {
        let row = self.ledger.file(path)?;
        let stat = self.disk.stat(path)?;
        if let Some(row) = &row {
            let overruled = suspicion == Suspicion::Overruled && !row.frozen.is_empty();
            if is_unchanged(row, stat) == Sameness::Same && !overruled {
                return Ok(if row.frozen.is_empty() {
                    Looked::UpToDate
                } else {
                    Looked::HandsOff(row.frozen.clone())
                });
            }
        } else if stat.is_none() {
            return Ok(Looked::UpToDate);
        }
        if let (Some(row), Some(stat)) = (&row, stat)
            && stat == row.stat
            && row.frozen.is_empty()
            && self.disk.digest(path)? == Some(row.digest)
        {
            let file = FileRow { seen: ambient::now(), ..row.clone() };
            self.ledger.commit(&*self.disk, Durability::Derived, |db| ledger::put_file(db, &file))?;
            return Ok(Looked::UpToDate);
        }
        let home = home_of(path)?;
        let (bytes, stat) = self.read_settled(path)?;
        let old = row.unwrap_or_else(|| FileRow { path: path.to_owned(), ..FileRow::default() });
        let digest = *blake3::hash(bytes.as_deref().unwrap_or_default()).as_bytes();
        let seen = ambient::now();
        let file =
            FileRow { stat: stat.unwrap_or_default(), seen, digest, frozen: String::new(), ..old.clone() };
        if old.no != 0 && digest == old.digest && stat.is_some() {
            self.ledger.commit(&*self.disk, Durability::Derived, |db| ledger::put_file(db, &file))?;
            return Ok(Looked::UpToDate);
        }
        let known = self.ledger.rows("file = ?1", &old.no)?;
        let young = stat.is_some_and(|stat| seen.0 - stat.modified_ns / 1_000_000 < 2000);
        if bytes.as_ref().is_some_and(Vec::is_empty) && young && suspicion == Suspicion::Apply {
            return Ok(Looked::HandsOff("it is empty just now, as if a program were writing it".to_owned()));
        }
        let shows = self.shows(&home, bytes.as_deref().unwrap_or_default(), file, &known)?;
        let plan = self.plan(&known, &shows, stat, suspicion)?;
        if let Some(why) = plan.frozen {
            // The old digest stays, so that the file thaws by itself when its text is back.
            let file = FileRow { stat: stat.unwrap_or_default(), seen, frozen: why.clone(), ..old };
            self.ledger.commit(&*self.disk, Durability::Derived, |db| ledger::put_file(db, &file))?;
            return Ok(Looked::HandsOff(why));
        }
        self.take_over(&home, &known, shows, &plan, stat.is_some())?;
        Ok(Looked::UpToDate)
    }

    /// Reads a file when nobody seems to be writing it.
    fn read_settled(&self, path: &str) -> Result<(Option<Vec<u8>>, Option<Stat>)> {
        let grain = std::time::Duration::from_millis(40);
        for _ in 0..5 {
            let before = self.disk.stat(path)?;
            let age = before.map_or(i64::MAX, |stat| ambient::now().0 - stat.modified_ns / 1_000_000);
            // Some programs take a file away for a moment before they write it.
            if before.is_none() || (0..40).contains(&age) {
                self.disk.pause(grain);
            }
            let bytes = self.disk.read(path, self.config.limits.file_bytes)?;
            let after = self.disk.stat(path)?;
            if before == after {
                return Ok((bytes, after));
            }
        }
        let bytes = self.disk.read(path, self.config.limits.file_bytes)?;
        Ok((bytes, self.disk.stat(path)?))
    }

    fn shows(&self, home: &Home, bytes: &[u8], mut file: FileRow, known: &[Row]) -> Result<Shows> {
        let before: HashMap<&MemoryId, &Row> = known.iter().map(|row| (&row.id, row)).collect();
        let lines = count_lines(bytes);
        let first_time = file.no == 0;
        let mut rows = Vec::with_capacity(known.len() + 1);
        let (mut fresh, mut buried) = (HashMap::new(), HashSet::new());
        let forgotten = self.forgotten_for_good()?;
        layout::visit(home, bytes, &mut |found| {
            let mut row =
                Row::of(&found.memory, &found.place, &bytes[found.place.bytes.clone()], bytes.len(), lines);
            match before.get(&row.id) {
                Some(old) if old.digest == row.digest => {
                    row.seq = old.seq;
                    row.class = old.class.min(row.class);
                }
                _ => {
                    row.class = row.class.min(SourceClass::HumanEdit as u8);
                    if forgotten.says(&found.memory) {
                        buried.insert(row.id.clone());
                    }
                    if !first_time || self.tail_op(&row.id).is_some() {
                        fresh.insert(row.id.clone(), found.memory);
                    }
                }
            }
            rows.push(row);
        });
        let top = rows.iter().find(|row| !row.id.is_untracked());
        file.top = top.map_or(0, |row| row.tail);
        file.top_lines = top.map_or(0, |row| row.tail_line);
        file.newest = top.and_then(|row| row.id.millis()).unwrap_or(u64::MAX >> 2);
        file.lines = lines as u64;
        Ok(Shows { rows, fresh, buried, file })
    }

    /// The last unsettled operation on a memory.
    pub(super) fn tail_op(&self, id: &MemoryId) -> Option<&Op> {
        self.tail.iter().rev().find(|op| op.id == *id)
    }

    fn plan(&self, known: &[Row], shows: &Shows, stat: Option<Stat>, suspicion: Suspicion) -> Result<Plan> {
        let saved = stat.map_or(ambient::now(), |stat| Time(stat.modified_ns / 1_000_000));
        let since = saved.0 - i64::from(self.config.reconcile.stale_minutes) * 60_000;
        let mut wanted = HashMap::new();
        for op in self.tail.iter().filter(|op| op.file == shows.file.path) {
            let text =
                |memory: &Memory| shows.fresh.get(&op.id).is_some_and(|shown| shown.body == memory.body);
            let want = match (&op.payload, op.kind) {
                (Payload::Memory(memory) | Payload::Raw(memory, _), kind) if kind.changes_files() => {
                    Some(Wanted::Stand { shown: text(memory) })
                }
                (_, OpKind::Remove) => Some(Wanted::Gone),
                _ => None,
            };
            match want {
                Some(want) => wanted.insert(op.id.clone(), want),
                None => wanted.remove(&op.id),
            };
        }
        let op = |seq: i64| if seq > 0 { self.ledger.op(seq).ok().flatten() } else { None };
        // A file that is gone is no buffer, and a person who says that the file is as it should be has seen it as it is.
        let may_be_old = suspicion == Suspicion::Apply && stat.is_some();
        // What a person did themselves they may undo.
        let ours = |op: &Op| op.at.0 >= since && op.kind.changes_files() && memory_of(&op.payload).is_some();
        let recent = |seq| may_be_old && op(seq).is_some_and(|op| ours(&op));
        let placed = |seq| {
            let mut last = op(seq).filter(|op| ours(op));
            while let Some(it) = last {
                if it.kind == OpKind::Restore {
                    return u64::try_from(it.at.0).ok();
                }
                last = op(it.before).filter(|op| op.seq < it.seq && ours(op));
            }
            None
        };
        let known: Vec<Known> =
            known.iter().map(|row| Known { id: row.id.clone(), digest: row.digest, seq: row.seq }).collect();
        let shown: Vec<Shown> =
            shows.rows.iter().map(|row| Shown { id: row.id.clone(), digest: row.digest }).collect();
        let reverted = |entry: &Known| {
            let Some(shown) = shows.fresh.get(&entry.id) else { return false };
            // The buffer may be several of our edits behind.
            let mut last = op(entry.seq);
            while let Some(newer) = last.filter(|op| ours(op)) {
                last = op(newer.before);
                if last
                    .as_ref()
                    .and_then(|op| memory_of(&op.payload))
                    .is_some_and(|old| old.body == shown.body)
                {
                    return true;
                }
            }
            false
        };
        let moved = |id: &MemoryId| self.stands_elsewhere(id, &shows.file.path).unwrap_or(false);
        let ops = Ops { recent: &recent, reverted: &reverted, placed: &placed, moved: &moved };
        let rules = (suspicion == Suspicion::Apply).then_some(Rules {
            frozen_share: self.config.reconcile.frozen_share,
            frozen_entries: self.config.reconcile.frozen_entries,
        });
        Ok(plan(&known, &shown, &wanted, &ops, rules))
    }

    /// Whether a memory stands in another file, be it one that nobody has looked at yet.
    fn stands_elsewhere(&self, id: &MemoryId, path: &str) -> Result<bool> {
        let rows = self.ledger.rows("id = ?1", &id.as_str())?;
        for other in self.memory_files()?.files.into_iter().filter(|other| other != path) {
            let row = self.ledger.file(&other)?;
            let stat = self.disk.stat(&other)?;
            let mut stands = false;
            if let Some(row) = row.filter(|row| is_unchanged(row, stat) == Sameness::Same) {
                stands = rows.iter().any(|it| it.file == row.no);
            } else if let Some(bytes) = self.disk.read(&other, self.config.limits.file_bytes)? {
                layout::visit(&home_of(&other)?, &bytes, &mut |found| stands |= found.memory.id == *id);
            }
            if stands {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Notes what a person did in a file, archives what they overwrote where it is known, and queues what must be
    /// written again.
    fn take_over(
        &mut self,
        home: &Home,
        known: &[Row],
        mut shows: Shows,
        plan: &Plan,
        exists: bool,
    ) -> Result<()> {
        let before: HashMap<&MemoryId, i64> = known.iter().map(|row| (&row.id, row.seq)).collect();
        let path = home.path();
        let at = ambient::now();
        let overwritten: Vec<(Memory, i64)> = plan
            .edited
            .iter()
            .chain(&plan.gone)
            .filter_map(|id| self.last_text(id, before.get(id).copied().unwrap_or(0)))
            .collect();
        let archive = self.archive_memories("found", home, &overwritten)?;
        let op = |kind, id: &MemoryId, payload| Op {
            seq: 0,
            at,
            kind,
            id: id.clone(),
            file: path.clone(),
            before: before.get(id).copied().unwrap_or(0),
            archive: archive.clone().unwrap_or_default(),
            payload,
            marks: None,
        };
        let text = |id: &MemoryId| match shows.fresh.get(id) {
            Some(memory) => Payload::Memory(Box::new(memory.clone())),
            None => Payload::None,
        };
        let mut ops = Vec::new();
        let bulk = known.is_empty() && plan.added.len() > 1 || plan.added.len() > ONE_BY_ONE;
        if bulk {
            ops.push(Op {
                archive: String::new(),
                ..op(OpKind::Adopt, &MemoryId::from_millis(0), Payload::None)
            });
        } else {
            ops.extend(plan.added.iter().map(|id| op(OpKind::FoundNew, id, text(id))));
        }
        ops.extend(plan.edited.iter().map(|id| op(OpKind::FoundEdit, id, text(id))));
        ops.extend(plan.gone.iter().map(|id| op(OpKind::FoundGone, id, Payload::None)));
        for id in &plan.again {
            if let Some((memory, _)) = self.last_text(id, before.get(id).copied().unwrap_or(0)) {
                ops.push(Op {
                    archive: String::new(),
                    ..op(OpKind::Restore, id, Payload::Memory(Box::new(memory)))
                });
            }
        }
        for id in plan.added.iter().filter(|id| shows.buried.contains(*id)) {
            ops.push(Op { archive: String::new(), ..op(OpKind::Remove, id, Payload::None) });
        }
        if !plan.again.is_empty() {
            let changes = match plan.again.len() {
                1 => "one newer change is".to_owned(),
                count => format!("{count} newer changes are"),
            };
            let text = format!(
                "`{path}` was saved from an old editor buffer; {changes} written again (to take one out, use \
                 `agent-memory forget`)"
            );
            self.notice("stale-buffer", text);
        }
        let head = self.seen;
        // A row keeps the operation that explains it; what waits in the log explains itself when it is settled.
        let (head, ops) = self.ledger.commit(&*self.disk, Durability::Durable, |db| {
            let mut ops = ops;
            let head = ledger::append(db, head, &mut ops)?;
            let by_id: HashMap<&MemoryId, i64> = ops.iter().map(|op| (&op.id, op.seq)).collect();
            if !exists {
                ledger::drop_file(db, shows.file.no)?;
            } else {
                shows.file.no = ledger::put_file(db, &shows.file)?;
                ledger::drop_rows(db, shows.file.no)?;
                for row in &mut shows.rows {
                    row.file = shows.file.no;
                    row.seq = by_id.get(&row.id).copied().unwrap_or(row.seq);
                    ledger::put_row(db, row)?;
                }
            }
            Ok((head, ops))
        })?;
        self.extend_tail(head, ops);
        Ok(())
    }

    /// The text of a memory as the ledger last knew it, with the operation that holds it.
    fn last_text(&self, id: &MemoryId, seq: i64) -> Option<(Memory, i64)> {
        if let Some(op) = self.tail_op(id)
            && let Some(memory) = memory_of(&op.payload)
        {
            return Some((memory.clone(), op.seq));
        }
        let op = self.ledger.op(seq).ok().flatten()?;
        memory_of(&op.payload).map(|memory| (memory.clone(), seq))
    }

    pub(super) fn extend_tail(&mut self, head: ledger::Head, ops: Vec<Op>) {
        self.seen = head;
        self.by_same.extend(ops.iter().filter_map(super::same_of));
        self.tail.extend(ops);
    }
}

pub(super) fn memory_of(payload: &Payload) -> Option<&Memory> {
    match payload {
        Payload::Memory(memory) | Payload::Raw(memory, _) => Some(memory),
        Payload::None => None,
    }
}

pub(crate) fn count_lines(bytes: &[u8]) -> usize {
    let ends = bytes.iter().filter(|&&b| b == b'\n').count();
    if bytes.last().is_none_or(|&b| b == b'\n') { ends } else { ends + 1 }
}
