//! What a context needs of the store: the newest memories of an agent's category and those that are kept for all, and
//! those with open boxes. Of a long file only as much of the top is read as it takes to find enough that may be told,
//! and only what stands around an open box is parsed.

use std::collections::HashSet;

use memory_core::id::{AgentId, Category, MemoryId};
use memory_core::kind::Kind;
use memory_core::layout::{self, Home, Preferred};
use memory_core::memory::{Holds, Memory};
use memory_core::scope::Scope;
use memory_core::time::Time;

use super::boxes;
use super::reconcile::memory_of;
use super::{Entry, Store};
use crate::error::Result;
use crate::ledger::{FileRow, Newest, OpKind, Whose};

/// Bytes of a file's top that are read first.
const TOP: u64 = 16 << 10;

/// Memories of a kind that are looked at before the search for one that may be told ends.
const LOOKED_AT: usize = 2000;

/// Tasks of one sort that are looked at.
const MOST_TASKS: usize = 1000;

/// What is known of a memory that stands in no file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Gone {
    /// The ledger never heard of it.
    Unknown,
    /// A person took it out, or another took its place.
    Unwanted,
    /// Upkeep took it away; for whom it was kept, as far as that is still known.
    Away(Option<Scope>),
}

impl Store {
    /// The newest memories of an agent's category that are wanted, newest first, at most so many. Vault files are
    /// newest first.
    pub(crate) fn newest_in(
        &mut self,
        agent: &AgentId,
        category: &Category,
        most: usize,
        wanted: &dyn Fn(&Memory) -> bool,
    ) -> Result<Vec<Entry>> {
        let mut ids = self.waiting(agent, category);
        let mut entries = self.wanted_of(&ids, wanted)?;
        if let Some(file) = self.vault_file(agent, category)? {
            let (mut want, mut seen, mut found) = (TOP, 0, 0);
            while found < most && seen < LOOKED_AT {
                let end = want.min(file.stat.size);
                let bytes = self.disk.read_range(&file.path, 0..end)?.unwrap_or_default();
                ids = ids_in(&file, &bytes)?;
                let all = end == file.stat.size;
                if !all {
                    // The last one may be cut.
                    ids.pop();
                }
                while found < most && seen < ids.len() {
                    let next = ids.len().min(seen + most.max(16));
                    let more = self.wanted_of(&ids[seen..next], wanted)?;
                    (seen, found) = (next, found + more.len());
                    entries.extend(more);
                }
                if all {
                    break;
                }
                want *= 8;
            }
        }
        Ok(newest_first(entries, most))
    }

    /// The newest memories of a kind that are kept for all and wanted, newest first, at most so many.
    pub(crate) fn newest_shared(
        &mut self,
        kind: &Kind,
        most: usize,
        wanted: &dyn Fn(&Memory) -> bool,
    ) -> Result<Vec<Entry>> {
        let mut entries = Vec::new();
        let mut seen = 0;
        let mut limit = most * 2;
        while entries.len() < most && limit <= LOOKED_AT * 8 {
            let shared = Newest {
                kind: Some(kind),
                whose: Whose::Everybodys,
                limit: Some(limit),
                ..Newest::default()
            };
            let rows = self.ledger.newest_rows(&shared)?;
            let ids: Vec<MemoryId> = rows.into_iter().map(|row| row.id).collect();
            entries.extend(self.wanted_of(ids.get(seen..).unwrap_or_default(), wanted)?);
            if ids.len() < limit {
                break;
            }
            seen = ids.len();
            limit *= 8;
        }
        Ok(newest_first(entries, most))
    }

    /// The newest memories of these scopes that stand in no vault, among the newest of all.
    pub(crate) fn newest_of_scopes(&mut self, scopes: &[String]) -> Result<Vec<Entry>> {
        let mut ids = Vec::new();
        if !scopes.is_empty() {
            let lately = Newest { limit: Some(LOOKED_AT), ..Newest::default() };
            self.ledger.each_newest(&lately, &mut |row| {
                if scopes.contains(&row.scope) {
                    ids.push(row.id);
                }
                Ok(true)
            })?;
        }
        self.each_once(&ids)
    }

    /// What became of a memory that stands nowhere.
    pub(crate) fn gone(&self, id: &MemoryId) -> Result<Gone> {
        if self.ledger.tombstone(id)?.is_some() {
            return Ok(Gone::Unwanted);
        }
        let ops = self.ledger.ops_of(id)?;
        let Some(last) = ops.last() else { return Ok(Gone::Unknown) };
        let told = ops.iter().rev().find_map(|op| memory_of(&op.payload));
        let held = told.is_none_or(|memory| memory.holds(Holds::Now));
        if last.kind == OpKind::FoundGone || !held {
            return Ok(Gone::Unwanted);
        }
        Ok(Gone::Away(told.map(|memory| memory.scope.clone())))
    }

    /// When a memory was last changed, as far as the ledger knows.
    pub(crate) fn changed_at(&self, id: &MemoryId) -> Result<Option<Time>> {
        if let Some(op) = self.tail_op(id) {
            return Ok(Some(op.at));
        }
        let last = self.ledger.rows_of_id(id)?.into_iter().map(|row| row.seq).max();
        Ok(last.map(|seq| self.ledger.op(seq)).transpose()?.flatten().map(|op| op.at))
    }

    /// The memories of an agent that have an open box, newest first, with those of everybody; and those with a ticked
    /// box that may settle one of them.
    pub(crate) fn with_boxes(&mut self, agent: &AgentId) -> Result<Vec<Entry>> {
        let tasks = Kind::Task.category();
        let mut ids = self.waiting(agent, &tasks);
        if let Some(file) = self.vault_file(agent, &tasks)? {
            for part in boxes::parts(&*self.disk, &file.path)? {
                ids.extend(ids_in(&file, &part)?);
            }
        }
        let tasks = Newest { kind: Some(&Kind::Task), limit: Some(MOST_TASKS), ..Newest::default() };
        let shared = self.ledger.newest_rows(&Newest { whose: Whose::Everybodys, ..tasks })?;
        ids.extend(shared.into_iter().map(|row| row.id));
        if self.config.memory.layout != Preferred::Vault {
            let own = Scope::Agent(agent.clone());
            let rows = self.ledger.newest_rows(&Newest { whose: Whose::Of(&own), ..tasks })?;
            ids.extend(rows.into_iter().map(|row| row.id));
        }
        Ok(newest_first(self.each_once(&ids)?, usize::MAX))
    }

    /// The file of an agent's category.
    fn vault_file(&self, agent: &AgentId, category: &Category) -> Result<Option<FileRow>> {
        let usual = Home::vault(agent.clone(), category.clone()).path();
        if let Some(file) = self.ledger.file(&usual)? {
            return Ok(Some(file));
        }
        let is_it = |file: &FileRow| {
            matches!(Home::of_path(&file.path),
                Some(Home::Vault { agent: whose, category: which, .. }) if whose == *agent && which == *category)
        };
        Ok(self.ledger.files()?.into_iter().find(is_it))
    }

    /// What is durable but not in the file yet.
    fn waiting(&self, agent: &AgentId, category: &Category) -> Vec<MemoryId> {
        let fits = |memory: &Memory| {
            memory.kind.category() == *category
                && match &memory.scope {
                    Scope::Agent(whose) => whose == agent,
                    _ => true,
                }
        };
        let puts = self.tail.iter().filter(|op| op.kind.changes_files() && op.kind != OpKind::Remove);
        puts.filter(|op| memory_of(&op.payload).is_some_and(fits)).map(|op| op.id.clone()).collect()
    }

    /// Those of some memories that are wanted as they are now.
    fn wanted_of(&mut self, ids: &[MemoryId], wanted: &dyn Fn(&Memory) -> bool) -> Result<Vec<Entry>> {
        let entries = self.each_once(ids)?;
        Ok(entries.into_iter().filter(|entry| wanted(&entry.memory)).collect())
    }

    /// Memories as they are now, each once.
    fn each_once(&mut self, ids: &[MemoryId]) -> Result<Vec<Entry>> {
        let mut seen = HashSet::new();
        let ids: Vec<MemoryId> = ids.iter().filter(|id| seen.insert((*id).clone())).cloned().collect();
        Ok(self.currents(&ids)?.into_iter().flatten().collect())
    }
}

/// The newest of these, newest first, each once.
fn newest_first(mut entries: Vec<Entry>, most: usize) -> Vec<Entry> {
    entries.sort_by(|a, b| (b.memory.created, &b.memory.id).cmp(&(a.memory.created, &a.memory.id)));
    entries.dedup_by(|a, b| a.memory.id == b.memory.id);
    entries.truncate(most);
    entries
}

fn ids_in(file: &FileRow, bytes: &[u8]) -> Result<Vec<MemoryId>> {
    let mut ids = Vec::new();
    layout::visit(&super::home_of(&file.path)?, bytes, &mut |found| ids.push(found.memory.id));
    Ok(ids)
}
