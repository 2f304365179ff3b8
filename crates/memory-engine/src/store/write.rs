//! What the door lets in: operations are committed, and have a file with room for them.

use std::collections::HashMap;

use memory_core::admit::Likeness;
use memory_core::id::{AgentId, Category, MemoryId, Tag};
use memory_core::kind::Kind;
use memory_core::layout::Home;
use memory_core::memory::{Draft, Memory};
use memory_core::scope::Scope;
use memory_core::time::Time;

use super::reconcile::memory_of;
use super::tail::Tail;
use super::{Entry, Outcome, Sameness, Store, is_unchanged};
use crate::disk::Name;
use crate::error::{Error, Result};
use crate::ledger::{self, Amount, Durability, Marks, Newest, Op, OpKind, Payload, Row, Writing};

/// A draft that is masked and classified, ready to be admitted.
pub(crate) struct Prepared {
    pub(crate) draft: Draft,
    pub(crate) kind: Kind,
    pub(crate) tags: Vec<Tag>,
    /// When it was said, if that was not now.
    pub(crate) at: Option<Time>,
    pub(crate) marks: Marks,
}

/// The files in which the new memories of a batch go.
#[derive(Default)]
pub(super) struct Files {
    /// The vault files by scope and kind.
    vaults: HashMap<Scope, Vec<(Kind, String)>>,
    /// How large files will be when what waits for them is in them.
    sizes: HashMap<String, u64>,
}

/// What an entry has at most besides its title and text, nearly always.
const FRAME: u64 = 512;

/// After a group of at least so many the files are not written at once: the caller does that beside its next work.
pub(crate) const LARGE: usize = 512;

/// What became of a draft.
pub(crate) struct Admitted {
    pub(crate) id: MemoryId,
    pub(crate) outcome: Outcome,
    pub(crate) file: String,
}

impl Store {
    /// Lets drafts in with one durable commit. A text that is replaced under its key ends it and begins another.
    pub(crate) fn keep(&mut self, drafts: Vec<Prepared>) -> Result<Vec<Result<Admitted>>> {
        let large = drafts.len() >= LARGE;
        let amount = if large { Amount::Many } else { Amount::Few };
        let _lock = self.lock()?;
        self.ledger.begin(amount)?;
        let admitted = self.refresh().and_then(|()| self.admit_all(drafts, amount));
        let finished = match admitted {
            Ok(answers) => self.ledger.finish(&*self.disk).map(|()| answers),
            Err(error) => {
                self.ledger.abandon();
                Err(error)
            }
        };
        let answers = match finished {
            Ok(answers) => answers,
            Err(error) => return Err(self.unsure(error)),
        };
        if !large && self.flush_is_due() {
            self.flush_or_say();
        }
        Ok(answers)
    }

    pub(super) fn commit(&mut self, ops: Vec<Op>) -> Result<()> {
        self.commit_also(ops, |_| Ok(()))
    }

    /// The same, with something beside the operations that comes to be with them or not at all.
    pub(super) fn commit_also(
        &mut self,
        mut ops: Vec<Op>,
        also: impl FnOnce(&Writing) -> Result<()>,
    ) -> Result<()> {
        if ops.is_empty() {
            return Ok(());
        }
        let head = self.seen;
        let append = |db: &Writing| {
            also(db)?;
            ledger::append(db, head, &mut ops)
        };
        match self.ledger.commit(&*self.disk, Durability::Durable, append) {
            Ok(head) => {
                self.extend_tail(head, ops);
                Ok(())
            }
            Err(error) => Err(self.unsure(error)),
        }
    }

    /// After an error a commit may or may not have happened; the ledger is asked before anything else is done.
    pub(super) fn unsure(&mut self, error: Error) -> Error {
        self.seen = ledger::Head { seq: i64::MAX, ..ledger::Head::default() };
        // If it cannot be asked now, the next call asks, because what was last seen fits nothing.
        let _ = self.refresh();
        error
    }

    /// Writes the files after a large group, which left that to its caller.
    pub(crate) fn flush_after_group(&mut self) {
        match self.lock() {
            Ok(_lock) => self.flush_or_say(),
            // What waits is safe in the ledger, and the next call meets the same lock and says so.
            Err(error) => self.notice(error.code(), error.to_string()),
        }
    }

    /// The files follow later if they cannot now; what is committed is durable.
    pub(super) fn flush_or_say(&mut self) {
        if let Err(error) = self.flush_for(&[]) {
            let text =
                format!("{error}; the change is safe in the ledger and will be written to its file later");
            self.notice(error.code(), text);
        }
    }

    /// A memory as its file shows it now; the file is looked at again if it changed. Needs the lock.
    pub(super) fn standing(&mut self, id: &MemoryId) -> Result<Option<Entry>> {
        Ok(self.standing_raw(id)?.map(|(entry, ..)| entry))
    }

    pub(super) fn standing_raw(&mut self, id: &MemoryId) -> Result<Option<(Entry, Vec<u8>, Row)>> {
        for row in self.rows_of(id)? {
            let Some(file) = self.ledger.file_no(row.file)? else { continue };
            if is_unchanged(&file, self.disk.stat(&file.path)?) != Sameness::Same {
                self.reconcile_file(&file.path, super::reconcile::Suspicion::Apply)?;
            }
            if let Some(found) = self.row_now(id, &file.path)? {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    fn row_now(&self, id: &MemoryId, path: &str) -> Result<Option<(Entry, Vec<u8>, Row)>> {
        let Some(file) = self.ledger.file(path)? else { return Ok(None) };
        let rows = self.ledger.rows_of_id(id)?;
        let Some(row) = rows.into_iter().find(|row| row.file == file.no) else { return Ok(None) };
        Ok(self.read_raw(&row, &file)?.map(|(entry, raw)| (entry, raw, row)))
    }

    pub(super) fn answer(&self, id: MemoryId, outcome: Outcome, ops: &Tail) -> Result<Admitted> {
        let pending = ops.last_of(&id).or_else(|| self.tail_op(&id)).map(|op| op.file.clone());
        let file = match pending {
            Some(file) => file,
            None => match self.rows_of(&id)?.first() {
                Some(row) => self.ledger.file_no(row.file)?.map_or(String::new(), |file| file.path),
                None => String::new(),
            },
        };
        Ok(Admitted { id, outcome, file })
    }

    /// Where a new memory goes, if there is room for it. An agent's folder may be spelt in other letters on disk.
    pub(super) fn file_for(&self, memory: &Memory, files: &mut Files) -> Result<String> {
        let of_scope = files.vaults.get(&memory.scope).map(Vec::as_slice).unwrap_or_default();
        let mut path = match of_scope.iter().find(|(kind, _)| *kind == memory.kind) {
            Some((_, path)) => path.clone(),
            None => Home::of(memory, self.config.memory.layout).path(),
        };
        let home = Home::of_path(&path);
        if let Some(Home::Record(_)) = &home {
            return Ok(path);
        }
        if !files.sizes.contains_key(&path) {
            if let Some(Home::Vault { agent, category, folder }) = home {
                path = self.vault_path(path, &agent, &category, &folder)?;
                files
                    .vaults
                    .entry(memory.scope.clone())
                    .or_default()
                    .push((memory.kind.clone(), path.clone()));
            }
            let stands = self.refuse_unwritable(&path)?;
            let waits: u64 = self
                .tail
                .iter()
                .filter(|op| op.kind == OpKind::Put && op.file == path)
                .filter_map(|op| memory_of(&op.payload).map(entry_bytes))
                .sum();
            files.sizes.insert(path.clone(), stands + waits);
        }
        let size = files.sizes.entry(path.clone()).or_default();
        let after = *size + entry_bytes(memory);
        let limit = self.config.limits.file_bytes;
        if after > limit {
            return Err(Error::NoRoom { path, limit });
        }
        *size = after;
        Ok(path)
    }

    fn vault_path(&self, path: String, agent: &AgentId, category: &Category, folder: &str) -> Result<String> {
        if self.ledger.file(&path)?.is_some() {
            return Ok(path);
        }
        let names = self.disk.list("")?;
        let is_other = |name: &Name| name.name != *folder && name.name.eq_ignore_ascii_case(agent.as_str());
        Ok(names.into_iter().find(is_other).map_or(path, |name| {
            Home::Vault { agent: agent.clone(), category: category.clone(), folder: name.name }.path()
        }))
    }

    /// Refuses what could never be written: a file that is a link or a pipe, or larger than is read. Gives its size.
    pub(super) fn refuse_unwritable(&self, path: &str) -> Result<u64> {
        let bytes = self.disk.stat(path)?.map_or(0, |stat| stat.size);
        let limit = self.config.limits.file_bytes;
        if bytes > limit { Err(crate::disk::too_large(path, bytes, limit)) } else { Ok(bytes) }
    }

    /// Memories that nearly say what this one says, among the latest of its kind.
    pub(crate) fn similar(&mut self, id: &MemoryId) -> Result<Vec<Entry>> {
        self.refresh()?;
        let entry = self.show(id)?;
        let person = memory_core::scope::Audience::default();
        let likeness = Likeness::of(entry.memory.body.as_str());
        let lately = Newest { kind: Some(&entry.memory.kind), limit: Some(300), ..Newest::default() };
        let mut near = Vec::new();
        for row in self.ledger.newest_rows(&lately)? {
            if row.id != *id
                && row.scope == entry.memory.scope.to_string()
                && likeness.is_near(Likeness(row.likeness))
            {
                near.extend(self.show(&row.id).ok().filter(|entry| entry.memory.visible_to(&person)));
            }
            if near.len() == 5 {
                break;
            }
        }
        Ok(near)
    }

    /// A person says that a frozen file is as it should be.
    pub(crate) fn accept(&mut self, path: &str) -> Result<()> {
        let _lock = self.lock()?;
        self.refresh()?;
        if self.ledger.file(path)?.is_none() && self.disk.stat(path)?.is_none() {
            return Err(Error::NoFile { path: path.to_owned() });
        }
        self.reconcile_file(path, super::reconcile::Suspicion::Overruled)?;
        self.flush_for(&[path])
    }
}

pub(super) fn op(kind: OpKind, at: Time, id: &MemoryId, file: String, payload: Payload) -> Op {
    Op { seq: 0, at, kind, id: id.clone(), file, before: 0, archive: String::new(), payload, marks: None }
}

/// How many bytes a memory's entry has, about.
fn entry_bytes(memory: &Memory) -> u64 {
    let title = memory.title.as_ref().map_or(0, String::len);
    (title + memory.body.as_str().len()) as u64 + FRAME
}
