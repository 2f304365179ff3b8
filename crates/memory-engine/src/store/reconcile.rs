//! Takes over what changed in the files behind our back, and sets back what an old editor buffer overwrote.
//!
//! A file is looked at by its stat, then by its digest, then entry by entry. What a person wrote always stays.

use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::time::Duration;

use memory_core::id::MemoryId;
use memory_core::layout::{self, Home};
use memory_core::memory::Memory;
use memory_core::scope::SourceClass;

use super::archive::Leaving;
use super::conflict::unfinished_merge;
use super::elsewhere::Files;
use super::found::{Telling, ops_of};
use super::past::Window;
use super::plan::{Plan, Rules, Shown, plan};
use super::tree::respelt;
use super::{Sameness, Store, home_of, is_unchanged};
use crate::ambient;
use crate::disk::Stat;
use crate::error::Result;
use crate::git;
use crate::ledger::{self, Amount, Durability, FileRow, Op, OpKind, Payload, Row};

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

/// Whether the folder lists a file under the name by which it is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Name {
    Listed,
    /// Nobody has looked.
    Given,
    /// It is listed in other letters, so under this name it is gone.
    Respelt,
    /// It was not listed, and a moment was waited for it to come back.
    Missing,
}

/// Some programs take a file away for so long before they write it.
const MOMENT: Duration = Duration::from_millis(40);
/// So many files are looked at with one commit: making it durable takes longer than reading a file.
const AT_ONCE: usize = 256;

/// What a file shows now.
pub(super) struct Shows {
    pub(super) rows: Vec<Row>,
    /// The memories that the catalogue does not know as they are.
    pub(super) fresh: HashMap<MemoryId, Memory>,
    /// Those that were forgotten for good and say what they said then.
    pub(super) buried: HashSet<MemoryId>,
    /// Those that we took out lately and that are shown just as they stood, with the batch of the archive that holds them.
    pub(super) forgotten: HashMap<MemoryId, String>,
    pub(super) file: FileRow,
    bytes: Vec<u8>,
}

impl Shows {
    /// The bytes of an entry.
    fn raw(&self, row: &Row) -> &[u8] {
        self.bytes.get(self.range(row)).unwrap_or_default()
    }

    fn range(&self, row: &Row) -> Range<usize> {
        let start = self.bytes.len().saturating_sub(row.tail as usize);
        start..start + row.length as usize
    }

    /// Why a person must finish a merge first, where one is not finished.
    fn unfinished_merge(&self, known: &[Row]) -> Option<String> {
        let before: HashSet<&MemoryId> = known.iter().map(|row| &row.id).collect();
        let is_settled = |row: &&Row| before.contains(&row.id) && !self.fresh.contains_key(&row.id);
        let settled: Vec<_> = self.rows.iter().filter(is_settled).map(|row| self.range(row)).collect();
        let line = unfinished_merge(&self.bytes, &settled)?;
        Some(format!("a merge of it is not finished (line {line}); take its marks out"))
    }
}

impl Store {
    /// Brings the catalogue up to date with all files. Needs the lock.
    pub(crate) fn reconcile_all(&mut self) -> Result<()> {
        let found = self.memory_files_or_say()?;
        let known: Vec<String> = self.ledger.files()?.into_iter().map(|file| file.path).collect();
        let respelt = respelt(&known, &found);
        let listed: HashSet<&String> = found.iter().collect();
        let is_missing = |path: &&String| !listed.contains(path) && !respelt.contains(*path);
        let missing: HashSet<String> = known.iter().filter(is_missing).cloned().collect();
        if !missing.is_empty() {
            self.disk.pause(MOMENT);
        }
        let mut paths: Vec<String> = found.into_iter().chain(known).collect();
        paths.sort();
        paths.dedup();
        let name_of = |path: &String| match () {
            () if respelt.contains(path) => Name::Respelt,
            () if missing.contains(path) => Name::Missing,
            () => Name::Listed,
        };
        let mut files = Files::in_groups();
        for group in paths.chunks(AT_ONCE) {
            self.look_at_group(group, &name_of, &mut files)?;
        }
        Ok(())
    }

    /// Looks at some files. What is found in them comes to be with one commit or not at all.
    fn look_at_group(
        &mut self,
        paths: &[String],
        name_of: &dyn Fn(&String) -> Name,
        files: &mut Files,
    ) -> Result<()> {
        let looked = paths.iter().try_for_each(|path| {
            let looked = self.look(path, name_of(path), Suspicion::Apply, files);
            self.say(path, looked)
        });
        if !self.ledger.is_begun() {
            return looked;
        }
        let finished = match looked {
            Ok(()) => self.ledger.finish(&*self.disk),
            Err(error) => {
                self.ledger.abandon();
                Err(error)
            }
        };
        finished.map_err(|error| self.unsure(error))
    }

    /// Looks at a file; what is wrong with that file alone is said, and the others still answer.
    pub(crate) fn look_or_say(&mut self, path: &str) -> Result<()> {
        let looked = self.reconcile_file(path, Suspicion::Apply);
        self.say(path, looked)
    }

    fn say(&mut self, path: &str, looked: Result<Looked>) -> Result<()> {
        match looked {
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
        self.look(path, Name::Given, suspicion, &mut Files::default())
    }

    fn look(&mut self, path: &str, name: Name, suspicion: Suspicion, files: &mut Files) -> Result<Looked> {
        let row = self.ledger.file(path)?;
        let stat = if name == Name::Respelt { None } else { self.disk.stat(path)? };
        if let Some(row) = &row {
            let overruled = suspicion == Suspicion::Overruled && !row.frozen.is_empty();
            if is_unchanged(row, stat) == Sameness::Same && !overruled {
                return Ok(if row.frozen.is_empty() {
                    Looked::UpToDate
                } else {
                    Looked::HandsOff(row.frozen.clone())
                });
            }
        } else if stat.is_none() || name == Name::Given && self.is_spelt_otherwise(path)? {
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
        if name != Name::Respelt {
            // What a crash left beside the file is told from somebody's edit by what the catalogue still says of it.
            self.clear_leftover(path)?;
        }
        let (bytes, stat) = if name == Name::Respelt { (None, None) } else { self.read_settled(path, name)? };
        let old = row.unwrap_or_else(|| FileRow { path: path.to_owned(), ..FileRow::default() });
        let digest = *blake3::hash(bytes.as_deref().unwrap_or_default()).as_bytes();
        let seen = ambient::now();
        let file =
            FileRow { stat: stat.unwrap_or_default(), seen, digest, frozen: String::new(), ..old.clone() };
        if old.no != 0 && digest == old.digest && stat.is_some() {
            self.ledger.commit(&*self.disk, Durability::Derived, |db| ledger::put_file(db, &file))?;
            return Ok(Looked::UpToDate);
        }
        let known = self.ledger.rows_of_file(old.no)?;
        // A clock that runs ahead gives dates from the future, which come no nearer by waiting.
        let age = |stat: Stat| (seen.0 - stat.modified_ns / 1_000_000).unsigned_abs();
        let young = stat.is_some_and(|stat| age(stat) < 2000);
        if bytes.as_ref().is_some_and(Vec::is_empty) && young && suspicion == Suspicion::Apply {
            return Ok(Looked::HandsOff("it is empty just now, as if a program were writing it".to_owned()));
        }
        let shows = self.shows(&home, bytes.unwrap_or_default(), file, &known)?;
        let plan = self.plan(&home, &known, &shows, stat, suspicion, files)?;
        if let Some(why) = plan.frozen {
            // The old digest stays, so that the file thaws by itself when its text is back.
            let file = FileRow { stat: stat.unwrap_or_default(), seen, frozen: why.clone(), ..old };
            self.ledger.commit(&*self.disk, Durability::Derived, |db| ledger::put_file(db, &file))?;
            return Ok(Looked::HandsOff(why));
        }
        self.take_over(&home, &known, shows, &plan, stat.is_some(), files)?;
        Ok(Looked::UpToDate)
    }

    /// Reads a file when nobody seems to be writing it.
    fn read_settled(&self, path: &str, name: Name) -> Result<(Option<Vec<u8>>, Option<Stat>)> {
        for _ in 0..5 {
            let before = self.disk.stat(path)?;
            let age = before.map_or(i64::MAX, |stat| ambient::now().0 - stat.modified_ns / 1_000_000);
            if before.is_none() && name != Name::Missing || (0..40).contains(&age) {
                self.disk.pause(MOMENT);
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

    fn shows(&self, home: &Home, bytes: Vec<u8>, mut file: FileRow, known: &[Row]) -> Result<Shows> {
        let before: HashMap<&MemoryId, &Row> = known.iter().map(|row| (&row.id, row)).collect();
        let lines = count_lines(&bytes);
        let first_time = file.no == 0;
        let mut rows = Vec::with_capacity(known.len() + 1);
        let (mut fresh, mut buried) = (HashMap::new(), HashSet::new());
        let forgotten = self.forgotten_for_good()?;
        let window = self.window(&file)?;
        let lately = self.forgotten_since(window.since)?;
        let mut out_lately = Vec::new();
        let mut outcome = Ok(());
        layout::visit(home, &bytes, &mut |found| {
            let raw = &bytes[found.place.bytes.clone()];
            let mut row = Row::of(&found.memory, &found.place, raw, bytes.len(), lines);
            let old = before.get(&row.id).filter(|old| {
                let same = || self.says_the_same(home, old, raw, &found.memory);
                let same = if old.digest == row.digest { Ok(true) } else { same() };
                same.unwrap_or_else(|error| {
                    outcome = Err(error);
                    false
                })
            });
            if let Some(old) = old {
                row.seq = old.seq;
                row.class = old.class.min(row.class);
            } else {
                row.class = row.class.min(SourceClass::HumanEdit as u8);
                if forgotten.says(&found.memory) {
                    buried.insert(row.id.clone());
                }
                let is_out = lately.says(&found.memory);
                if is_out {
                    out_lately.push(row.id.clone());
                }
                if !first_time || is_out || self.tail_op(&row.id).is_some() {
                    fresh.insert(row.id.clone(), found.memory);
                }
            }
            rows.push(row);
        });
        outcome?;
        let top = rows.iter().find(|row| !row.id.is_untracked());
        file.top = top.map_or(0, |row| row.tail);
        file.top_lines = top.map_or(0, |row| row.tail_line);
        file.newest = top.and_then(|row| row.id.millis()).unwrap_or(u64::MAX >> 2);
        file.lines = lines as u64;
        let mut shows = Shows { rows, fresh, buried, forgotten: HashMap::new(), file, bytes };
        for id in out_lately {
            let batch = self.left_with(&id, &shows, window)?;
            shows.forgotten.extend(batch.map(|batch| (id, batch)));
        }
        Ok(shows)
    }

    /// The last unsettled operation on a memory.
    pub(super) fn tail_op(&self, id: &MemoryId) -> Option<&Op> {
        self.tail.last_of(id)
    }

    /// What a changed file means. Where something would be set back or left alone, git is asked: what it put there is
    /// meant, as after `git checkout`.
    fn plan(
        &self,
        home: &Home,
        known: &[Row],
        shows: &Shows,
        stat: Option<Stat>,
        suspicion: Suspicion,
        files: &mut Files,
    ) -> Result<Plan> {
        if let Some(why) = shows.unfinished_merge(known).filter(|_| suspicion == Suspicion::Apply) {
            return Ok(Plan { frozen: Some(why), ..Plan::default() });
        }
        // A file that is gone is no buffer, and a person who says that the file is as it should be has seen it as it is.
        let window = match stat.filter(|_| suspicion == Suspicion::Apply) {
            Some(_) => Some(self.window(&shows.file)?),
            None => None,
        };
        let plan = self.plan_within(home, known, shows, window, suspicion, files)?;
        let is_doubted = plan.undone() > 0 || plan.frozen.is_some();
        match stat.filter(|_| is_doubted) {
            Some(stat) if git::put_there(&self.disk.root().join(&shows.file.path), stat) => {
                self.plan_within(home, known, shows, None, Suspicion::Overruled, files)
            }
            _ => Ok(plan),
        }
    }

    /// The same by the rules alone. Without a window the file is no old buffer.
    fn plan_within(
        &self,
        home: &Home,
        known: &[Row],
        shows: &Shows,
        window: Option<Window>,
        suspicion: Suspicion,
        files: &mut Files,
    ) -> Result<Plan> {
        let known = self.known_entries(home, known, shows, window, files)?;
        let before: HashMap<&MemoryId, [u8; 16]> = known.iter().map(|it| (&it.id, it.digest)).collect();
        let shown = shows.rows.iter().map(|row| {
            // What says the same is the same, whatever its bytes.
            let same = before.get(&row.id).filter(|_| !shows.fresh.contains_key(&row.id));
            let forgotten = window.is_some() && shows.forgotten.contains_key(&row.id);
            Shown { id: row.id.clone(), digest: same.copied().unwrap_or(row.digest), forgotten }
        });
        let rules = (suspicion == Suspicion::Apply).then_some(Rules {
            frozen_share: self.config.reconcile.frozen_share,
            frozen_entries: self.config.reconcile.frozen_entries,
        });
        Ok(plan(&known, &shown.collect::<Vec<_>>(), &self.wanted(home, shows), rules))
    }

    fn window(&self, file: &FileRow) -> Result<Window> {
        let saved = file.stat.modified_ns / 1_000_000;
        let since = saved - i64::from(self.config.reconcile.stale_minutes) * 60_000;
        let shown_before = self.ledger.cursor(&written_again(&file.path))? == short(&file.digest);
        Ok(Window { since, shown_before })
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
        files: &mut Files,
    ) -> Result<()> {
        let moved: HashSet<&MemoryId> = plan.moved.iter().collect();
        known.iter().filter(|row| moved.contains(&row.id)).for_each(|row| files.leave(row));
        let before: HashMap<&MemoryId, i64> = known.iter().map(|row| (&row.id, row.seq)).collect();
        let texts = |ids: &mut dyn Iterator<Item = &MemoryId>| -> Result<Vec<Memory>> {
            let text = |id| self.last_text(id, before.get(id).copied().unwrap_or(0)).transpose();
            ids.filter_map(text).collect()
        };
        let replaced = texts(&mut plan.edited.iter().chain(&plan.gone))?;
        let again = texts(&mut plan.again.iter())?;
        self.archive_overwritten(plan, &shows)?;
        let telling = Telling {
            at: ambient::now(),
            before: &before,
            shows: &shows,
            replaced: self.archive_memories("found", home, &replaced)?.unwrap_or_default(),
            again,
        };
        let mut ops = ops_of(plan, telling);
        // A new ledger knows no other place yet.
        if ops.iter().any(|op| op.kind == OpKind::Adopt) && self.seen.seq > 0 {
            for row in shows.rows.iter_mut().filter(|row| row.seq == 0) {
                row.seq = files.came_with(self, row)?;
            }
        }
        if plan.undone() > 0 {
            self.notice("stale-buffer", told_again(&shows.file.path, plan.undone()));
        }
        if files.are_in_groups() && !self.ledger.is_begun() {
            self.ledger.begin(Amount::Few)?;
        }
        let head = self.seen;
        // A row keeps the operation that explains it; what waits in the log explains itself when it is settled.
        let (head, ops) = self.ledger.commit(&*self.disk, Durability::Durable, |db| {
            let head = ledger::append(db, head, &mut ops)?;
            let by_id: HashMap<&MemoryId, i64> = ops.iter().map(|op| (&op.id, op.seq)).collect();
            if plan.undone() > 0 {
                ledger::write_cursor(db, &written_again(&shows.file.path), short(&shows.file.digest))?;
            }
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

    /// Keeps the bytes of the entries that are written over because they are taken for those of an old buffer.
    fn archive_overwritten(&self, plan: &Plan, shows: &Shows) -> Result<()> {
        let again: HashSet<&MemoryId> = plan.again.iter().collect();
        let leaving = shows.rows.iter().filter(|row| again.contains(&row.id)).filter_map(|row| {
            let memory = shows.fresh.get(&row.id)?.clone();
            Some(Leaving { memory, file: shows.file.path.clone(), raw: shows.raw(row).to_vec() })
        });
        self.archive_entries("stale", &leaving.collect::<Vec<_>>()).map(|_| ())
    }

    pub(super) fn extend_tail(&mut self, head: ledger::Head, ops: Vec<Op>) {
        self.seen = head;
        self.by_same.extend(ops.iter().filter_map(super::same_of));
        self.tail.extend(ops);
    }
}

fn told_again(path: &str, count: usize) -> String {
    let changes = match count {
        1 => "one newer change is".to_owned(),
        count => format!("{count} newer changes are"),
    };
    format!(
        "`{path}` was saved from an old editor buffer; {changes} made again (if the file was meant, save it so once \
         more)"
    )
}

/// The name under which the ledger keeps which bytes a file showed when something was last written again there.
fn written_again(path: &str) -> String {
    format!("again {path}")
}

fn short(digest: &[u8; 32]) -> i64 {
    let mut bytes = [0; 8];
    bytes.copy_from_slice(&digest[..8]);
    i64::from_le_bytes(bytes)
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
