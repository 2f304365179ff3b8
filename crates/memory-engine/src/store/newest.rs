//! What a context needs of the store: the newest memories of an agent's category, and those with open boxes. Of a long
//! file only the top is read, and only what stands around an open box is parsed.

use std::collections::HashSet;

use memory_core::id::{AgentId, Category, MemoryId};
use memory_core::kind::Kind;
use memory_core::layout::{self, Home, Layout};
use memory_core::scope::Scope;

use super::boxes;
use super::reconcile::memory_of;
use super::{Entry, Store};
use crate::error::Result;
use crate::ledger::{FileRow, OpKind};

/// Bytes of a file's top that are read first.
const TOP: u64 = 16 << 10;

/// The tasks of everybody, by an index of their own.
const SHARED: &str =
    "?1 = 0 AND kind = 'task' AND scope IN ('project', 'user', 'global') ORDER BY created DESC LIMIT 1000";

impl Store {
    /// The newest memories of an agent's category, newest first, at most so many. Vault files are newest first.
    pub(crate) fn newest_in(
        &mut self,
        agent: &AgentId,
        category: &Category,
        most: usize,
    ) -> Result<Vec<Entry>> {
        let mut ids = self.waiting(agent, category);
        if let Some(file) = self.vault_file(agent, category)? {
            let mut want = TOP;
            loop {
                let end = want.min(file.stat.size);
                let bytes = self.disk.read_range(&file.path, 0..end)?.unwrap_or_default();
                let mut found = ids_in(&file, &bytes)?;
                let all = end == file.stat.size;
                if !all {
                    // The last one may be cut.
                    found.pop();
                }
                if all || found.len() >= most {
                    ids.extend(found.into_iter().take(most));
                    break;
                }
                want *= 8;
            }
        }
        let mut entries = self.each_once(&ids)?;
        entries.sort_by(|a, b| (b.memory.created, &b.memory.id).cmp(&(a.memory.created, &a.memory.id)));
        entries.truncate(most);
        Ok(entries)
    }

    /// Those of the newest memories that stand in no agent's vault; so many of the newest are looked at.
    pub(crate) fn newest_outside_vaults(&mut self, among: usize) -> Result<Vec<Entry>> {
        let rows = self.ledger.rows("1 ORDER BY created DESC, id DESC LIMIT ?1", &(among as i64))?;
        let in_vaults = self.config.memory.layout == Layout::Vault;
        let outside = rows.into_iter().filter(|row| !in_vaults || !row.scope.starts_with("agent:"));
        let mut ids: Vec<MemoryId> = outside.map(|row| row.id).collect();
        let puts = self.tail.iter().filter(|op| op.kind.changes_files() && op.kind != OpKind::Remove);
        let shared = |memory: &memory_core::memory::Memory| !matches!(memory.scope, Scope::Agent(_));
        ids.extend(puts.filter(|op| memory_of(&op.payload).is_some_and(shared)).map(|op| op.id.clone()));
        self.each_once(&ids)
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
        ids.extend(self.ledger.rows(SHARED, &0)?.into_iter().map(|row| row.id));
        if self.config.memory.layout != Layout::Vault {
            let scope = format!("agent:{agent}");
            let rows = self.ledger.rows("?1 = 0 AND kind = 'task' ORDER BY created DESC LIMIT 1000", &0)?;
            ids.extend(rows.into_iter().filter(|row| row.scope == scope).map(|row| row.id));
        }
        let mut entries = self.each_once(&ids)?;
        entries.sort_by(|a, b| (b.memory.created, &b.memory.id).cmp(&(a.memory.created, &a.memory.id)));
        Ok(entries)
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
        let fits = |memory: &memory_core::memory::Memory| {
            memory.kind.category() == *category
                && match &memory.scope {
                    Scope::Agent(whose) => whose == agent,
                    _ => true,
                }
        };
        let puts = self.tail.iter().filter(|op| op.kind.changes_files() && op.kind != OpKind::Remove);
        puts.filter(|op| memory_of(&op.payload).is_some_and(fits)).map(|op| op.id.clone()).collect()
    }

    /// Memories as they are now, each once.
    fn each_once(&mut self, ids: &[MemoryId]) -> Result<Vec<Entry>> {
        let mut seen = HashSet::new();
        let ids: Vec<MemoryId> = ids.iter().filter(|id| seen.insert((*id).clone())).cloned().collect();
        Ok(self.currents(&ids)?.into_iter().flatten().collect())
    }
}

fn ids_in(file: &FileRow, bytes: &[u8]) -> Result<Vec<MemoryId>> {
    let mut ids = Vec::new();
    layout::visit(&super::home_of(&file.path)?, bytes, &mut |found| ids.push(found.memory.id));
    Ok(ids)
}
