//! One memory takes the place of another: the old one keeps its text and its place in its file and says which took
//! it and when, the new one names the old among those it was made of. Both in one commit.

use std::collections::HashSet;

use memory_core::id::MemoryId;
use memory_core::layout::Home;
use memory_core::memory::{Memory, Provenance};
use memory_core::time::Time;

use super::write::op;
use super::{Entry, Store, home_of};
use crate::ambient;
use crate::error::{Error, Result};
use crate::ledger::{Op, OpKind, Payload};

/// Which memory takes the place of which.
#[derive(Debug, Clone)]
pub enum Supersede {
    /// The second takes the place of the first.
    By {
        /// The one that no longer holds.
        old: MemoryId,
        /// The one that holds instead.
        new: MemoryId,
    },
    /// This one holds again.
    Undo(MemoryId),
}

/// What became of that.
#[derive(Debug, Clone)]
pub struct Superseded {
    /// The old memory as it is now.
    pub old: Entry,
    /// The one that took its place, or had taken it; it may be gone by now.
    pub new: Option<MemoryId>,
    /// Whether anything changed.
    pub changed: bool,
}

impl Store {
    /// Carries it out; asking for what already is so changes nothing.
    pub(crate) fn supersede(&mut self, wish: &Supersede) -> Result<Superseded> {
        let _lock = self.lock()?;
        self.bring_together()?;
        match wish {
            Supersede::By { old, new } => self.mark(old, new),
            Supersede::Undo(old) => self.unmark(old),
        }
    }

    fn mark(&mut self, old: &MemoryId, new: &MemoryId) -> Result<Superseded> {
        let refuse = |why: String| Err(Error::NotSuperseded { id: old.clone(), why });
        if old == new {
            return refuse("it cannot take its own place: name the memory that holds instead".to_owned());
        }
        let before = self.markable(old)?;
        let (after, ..) = self.changeable(new)?.ok_or_else(|| Error::NoMemory { id: new.clone() })?;
        match before.memory.superseded_by() {
            Some(by) if by == *new => {
                return Ok(Superseded { old: before, new: Some(by), changed: false });
            }
            Some(by) => {
                return refuse(format!(
                    "`{by}` took its place before: run `agent-memory supersede --undo {old}` first"
                ));
            }
            None => {}
        }
        if self.is_superseded_through(&after.memory, old)? {
            return refuse(format!(
                "`{old}` took the place of `{new}`, so each would stand for the other: run `agent-memory supersede \
                 --undo {new}` first"
            ));
        }
        let mut marked = before.memory.clone();
        marked.supersede(new, ambient::now());
        let mut ops = vec![self.edit_op(&before, marked.clone())?];
        // Text without an entry of its own cannot say what it was made of; the mark on the old one says it all.
        if can_carry(&after.memory, &after.file) && !after.memory.provenance.lineage.contains(old) {
            let mut heir = after.memory.clone();
            heir.provenance.lineage.push(old.clone());
            ops.push(self.edit_op(&after, heir)?);
        }
        self.commit(ops)?;
        self.flush_or_say();
        let old = self.markable(old).unwrap_or(Entry { memory: marked, ..before });
        Ok(Superseded { old, new: Some(new.clone()), changed: true })
    }

    fn unmark(&mut self, old: &MemoryId) -> Result<Superseded> {
        let before = self.markable(old)?;
        let Some(new) = before.memory.superseded_by() else {
            return Ok(Superseded { old: before, new: None, changed: false });
        };
        let mut again = before.memory.clone();
        again.reinstate();
        let mut ops = vec![self.edit_op(&before, again.clone())?];
        if let Some((heir, ..)) = self.changeable(&new)?
            && heir.memory.provenance.lineage.contains(old)
        {
            let mut memory = heir.memory.clone();
            memory.provenance.lineage.retain(|id| id != old);
            ops.push(self.edit_op(&heir, memory)?);
        }
        self.commit(ops)?;
        self.flush_or_say();
        let old = self.markable(old).unwrap_or(Entry { memory: again, ..before });
        Ok(Superseded { old, new: Some(new), changed: true })
    }

    /// What is to be done as the words of a memory are said again; `None` where that changes nothing, or where its
    /// entry cannot say so.
    pub(super) fn told_again(&mut self, id: &MemoryId, by: &Provenance, now: Time) -> Result<Option<Op>> {
        let waits = self.tail_op(id).filter(|op| op.kind.changes_files());
        let waits = waits.map(|op| (op.payload.clone(), op.file.clone(), op.seq));
        let (memory, file, before) = match waits {
            Some((Payload::Memory(memory), file, seq)) => (*memory, file, seq),
            Some(_) => return Ok(None),
            None => match self.standing_raw(id)? {
                Some((entry, _, row)) => (entry.memory, entry.file, row.seq),
                None => return Ok(None),
            },
        };
        let told = memory.provenance.said_again(by);
        if told == memory.provenance || !can_carry(&memory, &file) {
            return Ok(None);
        }
        self.refuse_frozen(&file)?;
        self.refuse_unwritable(&file)?;
        let payload = Payload::Memory(Box::new(Memory { provenance: told, ..memory }));
        Ok(Some(Op { before, ..op(OpKind::Edit, now, id, file, payload) }))
    }

    /// A memory that stands in an entry of its own, where a mark can be written.
    fn markable(&mut self, id: &MemoryId) -> Result<Entry> {
        let (entry, ..) = self.changeable(id)?.ok_or_else(|| Error::NoMemory { id: id.clone() })?;
        if can_carry(&entry.memory, &entry.file) {
            return Ok(entry);
        }
        let why = "it is plain text without an entry of its own, which cannot say so: change it with `agent-memory \
                   edit`, or take it out with `agent-memory forget`";
        Err(Error::NotSuperseded { id: id.clone(), why: why.to_owned() })
    }

    /// Whether the place of a memory was taken by another one, directly or by way of others.
    fn is_superseded_through(&mut self, memory: &Memory, by: &MemoryId) -> Result<bool> {
        let mut met = HashSet::new();
        let mut next = memory.superseded_by();
        while let Some(id) = next.filter(|id| met.insert(id.clone())) {
            if id == *by {
                return Ok(true);
            }
            next = self.look_for(&id)?.and_then(|(entry, ..)| entry.memory.superseded_by());
        }
        Ok(false)
    }

    /// Nothing of the text leaves its file, so nothing goes to the archive.
    pub(super) fn edit_op(&mut self, entry: &Entry, memory: Memory) -> Result<Op> {
        self.refuse_frozen(&entry.file)?;
        let id = memory.id.clone();
        let before = self.rows_of(&id)?;
        let payload = Payload::Memory(Box::new(memory));
        let edit = op(OpKind::Edit, ambient::now(), &id, entry.file.clone(), payload);
        Ok(Op { before: before.first().map_or(0, |row| row.seq), ..edit })
    }
}

/// Whether a memory stands in an entry of its own, which says more than its words.
fn can_carry(memory: &Memory, file: &str) -> bool {
    !memory.id.is_untracked() && !matches!(home_of(file), Ok(Home::Page(_)) | Err(_))
}
