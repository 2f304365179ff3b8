//! What a context needs of the store: the newest memories of an agent's category, and those with open boxes. The cost
//! grows with the answer: of a long file only the top is read, and only what stands around an open box is parsed.

use std::collections::HashSet;

use memchr::{memchr, memmem};
use memory_core::id::{AgentId, Category, MemoryId};
use memory_core::kind::Kind;
use memory_core::layout::{self, Home, Layout};
use memory_core::scope::Scope;

use super::reconcile::memory_of;
use super::{Entry, Store};
use crate::error::Result;
use crate::ledger::{FileRow, OpKind};

/// Bytes of a file's top that are read first.
const TOP: u64 = 16 << 10;
/// A file up to this size is parsed as a whole.
const SMALL: usize = 256 << 10;
/// How an entry begins.
const ENTRY: &[u8] = b"\n<!-- id:";

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
            let bytes = self.disk.read(&file.path, self.config.limits.file_bytes)?.unwrap_or_default();
            for part in parts_with_boxes(&bytes) {
                ids.extend(ids_in(&file, part)?);
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

/// The stretches of a file that hold an open box, or a ticked one with the same text as an open one; each from the
/// beginning of an entry to that of the next.
fn parts_with_boxes(bytes: &[u8]) -> Vec<&[u8]> {
    let boxes = boxes(bytes);
    let open: HashSet<&[u8]> =
        boxes.iter().filter(|found| found.mark == b' ').map(|found| found.text).collect();
    // Most texts are told apart by their length, which costs less than a look at all of their bytes.
    let lengths: HashSet<usize> = open.iter().map(|text| text.len()).collect();
    let settles = |text: &[u8]| lengths.contains(&text.len()) && open.contains(text);
    if open.is_empty() {
        return Vec::new();
    }
    if bytes.len() <= SMALL {
        return vec![bytes];
    }
    let mut parts = Vec::new();
    let mut done = 0;
    for found in boxes {
        if found.at < done || (found.mark != b' ' && !settles(found.text)) {
            continue;
        }
        let before = bytes.get(done..found.at).unwrap_or_default();
        let start = memmem::rfind(before, ENTRY).map_or(done, |at| done + at + 1);
        let end = memmem::find(bytes.get(found.at..).unwrap_or_default(), ENTRY)
            .map_or(bytes.len(), |end| found.at + end + 1);
        parts.extend(bytes.get(start..end));
        done = end;
    }
    parts
}

/// A box in a file.
struct Box<'a> {
    at: usize,
    mark: u8,
    /// The text behind it.
    text: &'a [u8],
}

/// Every box of a file, in order.
fn boxes(bytes: &[u8]) -> Vec<Box<'_>> {
    let mut all = Vec::new();
    let mut from = 0;
    while let Some(found) = bytes.get(from..).and_then(|rest| memchr(b'[', rest)) {
        let at = from + found;
        from = at + 1;
        if let Some([b'[', mark @ (b' ' | b'x' | b'X'), b']', rest @ ..]) = bytes.get(at..) {
            let end = memchr(b'\n', rest).unwrap_or(rest.len());
            let text = rest.get(..end).unwrap_or_default().trim_ascii();
            all.push(Box { at, mark: *mark, text });
            from = at + 3 + end;
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_large_file_only_entries_with_boxes_are_parsed() {
        let mut text = String::new();
        for n in 0..9000 {
            let body = match n % 3000 {
                7 => "- [ ] open it",
                9 => "- [x] open it",
                11 => "- [x] something else",
                _ => "- never a task at all",
            };
            text.push_str(&format!("<!-- id:{n} -->\n## 2026-03-16T16:51\n\n{body}\n\n---\n\n"));
        }
        assert!(text.len() > SMALL);
        let parts = parts_with_boxes(text.as_bytes());
        let starts: Vec<&str> =
            parts.iter().map(|part| std::str::from_utf8(part).unwrap().split(' ').nth(1).unwrap()).collect();
        assert_eq!(starts, ["id:7", "id:9", "id:3007", "id:3009", "id:6007", "id:6009"]);
        assert!(parts.iter().all(|part| part.len() < 100));
        assert_eq!(parts_with_boxes(b"- [ ] small").len(), 1);
        assert_eq!(parts_with_boxes(b"- [x] small").len(), 0);
    }
}
