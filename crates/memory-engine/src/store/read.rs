//! Answers: one memory, a list, versions, counts. Files are looked at before they answer, by their stat alone
//! where nothing changed, and one entry is read without the rest of its file.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::ControlFlow;

use memory_core::id::{AgentId, Category, MemoryId};
use memory_core::layout::Home;
use memory_core::memory::Memory;
use memory_core::query::is_same_tag;

use super::doubled::is_day;
use super::reconcile::memory_of;
use super::{AgentCounts, Entry, Filter, Store, Version};
use crate::error::{Error, Result};
use crate::ledger::{FileRow, Newest, Op, OpKind, Row};

impl Store {
    /// Calls a function for each memory that a filter keeps, newest first, until it says stop.
    pub(crate) fn each(
        &mut self,
        filter: &Filter,
        each: &mut dyn FnMut(Entry) -> Result<ControlFlow<()>>,
    ) -> Result<()> {
        self.freshen()?;
        let files: HashMap<i64, FileRow> = self
            .ledger
            .files()?
            .into_iter()
            .filter(|file| fits(filter, &file.path))
            .map(|file| (file.no, file))
            .collect();
        let mut giving = Giving { left: filter.limit.unwrap_or(usize::MAX), each };
        for entry in self.unwritten(filter) {
            if !giving.give(entry)? {
                return Ok(());
            }
        }
        let direct = self.direct_entries(&|path| fits(filter, path))?;
        let mut direct = direct.into_iter().filter(|entry| keeps(filter, entry)).peekable();
        let mut numbers: Vec<i64> = files.keys().copied().collect();
        numbers.sort_unstable();
        // Without such a filter nearly every file counts, and the order by time alone is quicker.
        let is_narrow = (filter.agent.is_some() || filter.category.is_some()) && files.len() <= 100;
        let newest = Newest {
            kind: filter.kind.as_ref(),
            files: is_narrow.then_some(&numbers),
            since: filter.since,
            until: filter.until,
            ..Newest::default()
        };
        let mut changed = Vec::new();
        let mut unread: BTreeMap<i64, Error> = BTreeMap::new();
        let is_direct = |file: &&FileRow| !file.frozen.is_empty() || self.is_aside(&file.path);
        let direct_files: HashSet<i64> = files.values().filter(is_direct).map(|file| file.no).collect();
        self.ledger.each_newest(&newest, &mut |row| {
            let Some(file) = files.get(&row.file) else { return Ok(true) };
            if direct_files.contains(&file.no) || unread.contains_key(&file.no) {
                return Ok(true);
            }
            if self.tail_op(&row.id).is_some() || self.is_day_copy(&row, file, &files)? {
                return Ok(true);
            }
            let entry = match self.read_entry(&row, file) {
                Ok(Some(entry)) => entry,
                Ok(None) => {
                    changed.push(row.id);
                    return Ok(true);
                }
                // The others still answer.
                Err(error) if error.is_of_one_file() => {
                    unread.insert(row.file, error);
                    return Ok(true);
                }
                Err(error) => return Err(error),
            };
            while let Some(newer) = direct.next_if(|other| other.memory.created > entry.memory.created) {
                if !giving.give(newer)? {
                    return Ok(false);
                }
            }
            if keeps(filter, &entry) { giving.give(entry) } else { Ok(true) }
        })?;
        for error in unread.into_values() {
            self.notice(error.code(), error.to_string());
        }
        for entry in direct {
            if !giving.give(entry)? {
                return Ok(());
            }
        }
        // What changed while it was being read is looked up once more by itself.
        for entry in changed.iter().map(|id| self.current(id)).collect::<Result<Vec<_>>>()? {
            if let Some(entry) = entry.filter(|entry| keeps(filter, entry))
                && !giving.give(entry)?
            {
                break;
            }
        }
        Ok(())
    }

    /// Memories that are durable but could not be written into their file yet.
    fn unwritten(&self, filter: &Filter) -> Vec<Entry> {
        let mut last: HashMap<&MemoryId, &Op> = HashMap::new();
        for op in self.tail.iter() {
            last.insert(&op.id, op);
        }
        let mut ops: Vec<_> =
            last.into_values().filter(|op| op.kind.changes_files() && op.kind != OpKind::Remove).collect();
        ops.sort_by_key(|op| std::cmp::Reverse(op.seq));
        let entry = |op: &Op| {
            let memory = memory_of(&op.payload)?.clone();
            Some(Entry::unwritten(memory, &op.file))
        };
        ops.into_iter()
            .filter_map(entry)
            .filter(|entry| fits(filter, &entry.file) && keeps(filter, entry))
            .collect()
    }

    fn is_day_copy(&self, row: &Row, file: &FileRow, files: &HashMap<i64, FileRow>) -> Result<bool> {
        if !is_day(&file.path) {
            return Ok(false);
        }
        let rows = self.ledger.rows_of_id(&row.id)?;
        Ok(rows
            .iter()
            .any(|other| files.get(&other.file).is_some_and(|file| file.path == Home::Journal.path())))
    }

    /// How many memories each agent's vault holds.
    pub(crate) fn agents(&mut self) -> Result<Vec<AgentCounts>> {
        self.freshen()?;
        let mut all: Vec<AgentCounts> = Vec::new();
        let mut vaults: Vec<(AgentId, Category, u64)> = Vec::new();
        for (path, count) in self.ledger.counts()? {
            if let Some(Home::Vault { agent, category, .. }) = Home::of_path(&path) {
                vaults.push((agent, category, count));
            }
        }
        for name in self.disk.list("")? {
            let folder = name.sort == crate::disk::Sort::Folder;
            if let (true, Ok(agent)) = (folder, AgentId::parse(&name.name)) {
                let counts: Vec<_> = vaults
                    .iter()
                    .filter(|vault| vault.0 == agent)
                    .map(|vault| (vault.1.clone(), vault.2))
                    .collect();
                let total = counts.iter().map(|count| count.1).sum();
                all.push(AgentCounts { agent, counts, total });
            }
        }
        all.sort_by(|a, b| a.agent.cmp(&b.agent));
        all.dedup_by(|a, b| a.agent == b.agent);
        Ok(all)
    }

    /// The versions of a memory, oldest first.
    pub(crate) fn history(&mut self, id: &MemoryId) -> Result<Vec<Version>> {
        self.freshen()?;
        let now = match self.show(id) {
            Ok(entry) => Some(entry.memory),
            Err(Error::NoMemory { .. }) => None,
            Err(error) => return Err(error),
        };
        let ops = without_moves(self.ledger.ops_of(id)?, now.is_some());
        if ops.is_empty() {
            let memory = now.ok_or_else(|| Error::NoMemory { id: id.clone() })?;
            let text = Some(memory.body.as_str().to_owned());
            return Ok(vec![Version {
                at: memory.updated,
                what: "found-new",
                text,
                archive: None,
                current: true,
            }]);
        }
        let mut versions: Vec<Version> = Vec::with_capacity(ops.len() + 1);
        for op in &ops {
            let before = self.archived_before(op)?;
            if let (Some(old), Some(last)) = (&before, versions.last_mut()) {
                last.text.get_or_insert_with(|| old.body.as_str().to_owned());
            } else if let Some(old) = before {
                let text = Some(old.body.as_str().to_owned());
                versions.push(Version {
                    at: old.created,
                    what: "found-new",
                    text,
                    archive: None,
                    current: false,
                });
            }
            let text = memory_of(&op.payload).map(|memory| memory.body.as_str().to_owned());
            let archive = (!op.archive.is_empty()).then(|| op.archive.clone());
            versions.push(Version { at: op.at, what: op.kind.word(), text, archive, current: false });
        }
        if let (Some(memory), Some(last)) = (now, versions.last_mut()) {
            last.text = Some(memory.body.as_str().to_owned());
            last.current = true;
        }
        Ok(versions)
    }

    /// What an operation took away, if the archive still holds it; what is wrong with its batch is said.
    fn archived_before(&mut self, op: &Op) -> Result<Option<Memory>> {
        if op.archive.is_empty() {
            return Ok(None);
        }
        let read = self.read_manifest(&op.archive).and_then(|manifest| {
            let items = manifest.map(|manifest| manifest.items).unwrap_or_default();
            let item = items.into_iter().find(|item| item.id == op.id);
            item.map(|item| self.archived_memory(&op.archive, &item)).transpose()
        });
        match read {
            Ok(found) => Ok(found.map(|(memory, _)| memory)),
            Err(error) if error.is_of_one_file() || matches!(error, Error::Broken { .. }) => {
                self.notice(error.code(), error.to_string());
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }
}

/// Hands memories on until no more are wanted.
struct Giving<'a> {
    left: usize,
    each: &'a mut dyn FnMut(Entry) -> Result<ControlFlow<()>>,
}

impl Giving<'_> {
    /// Hands one on; gives whether more are wanted.
    fn give(&mut self, entry: Entry) -> Result<bool> {
        if self.left == 0 {
            return Ok(false);
        }
        self.left = if (self.each)(entry)?.is_continue() { self.left - 1 } else { 0 };
        Ok(self.left > 0)
    }
}

/// Whether a file may hold what a filter keeps.
fn fits(filter: &Filter, path: &str) -> bool {
    match Home::of_path(path) {
        Some(Home::Vault { agent, category, .. }) => {
            filter.agent.as_ref().is_none_or(|wanted| *wanted == agent)
                && filter.category.as_ref().is_none_or(|wanted| *wanted == category)
        }
        // Pages are shown as pages; only a question for them lists them.
        Some(Home::Page(_)) => false,
        _ => filter.agent.is_none() && filter.category.is_none(),
    }
}

fn keeps(filter: &Filter, entry: &Entry) -> bool {
    let memory = &entry.memory;
    filter.kind.as_ref().is_none_or(|kind| memory.kind == *kind)
        && filter.scope.as_ref().is_none_or(|scope| memory.scope.word() == scope)
        && filter.tag.as_ref().is_none_or(|wanted| memory.tags.iter().any(|tag| is_same_tag(tag, wanted)))
        && filter.since.is_none_or(|since| memory.created >= since)
        && filter.until.is_none_or(|until| memory.created <= until)
        && memory.holds(filter.holds)
        && memory.visible_to(&filter.audience)
}

/// The operations on a memory without those that only tell that it left a file while it stood in another one: it was
/// there afterwards, and nothing had brought it back.
fn without_moves(mut ops: Vec<Op>, mut stands: bool) -> Vec<Op> {
    let mut told = Vec::with_capacity(ops.len());
    while let Some(op) = ops.pop() {
        if op.kind != OpKind::FoundGone || !stands {
            stands = !matches!(op.kind, OpKind::Put | OpKind::Restore | OpKind::FoundNew);
            told.push(op);
        }
    }
    told.reverse();
    told
}
