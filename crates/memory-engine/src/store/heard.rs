//! What sessions gave, as the ledger knows it: whether a memory is still that and nothing else, how it leaves when a person
//! takes the words back, and which message said it.

use memory_core::id::{MemoryId, TurnId};
use memory_core::memory::Memory;

use super::reconcile::memory_of;
use super::{Forget, Store};
use crate::error::Result;
use crate::ledger::{self, Durability, Op, OpKind};

impl Store {
    /// Whether a memory is what a session put here and nobody had a part in it since: nobody edited it, here or in its
    /// file, nobody brought it back, and it was nobody else's before. What cannot be told counts as touched.
    pub(crate) fn is_untouched(&self, memory: &Memory) -> Result<bool> {
        let ops = self.ledger.ops_of(&memory.id)?;
        let Some((put, later)) = ops.split_first() else { return Ok(false) };
        if put.kind != OpKind::Put || later.iter().any(|op| op.kind != OpKind::Edit) {
            return Ok(false);
        }
        let said = |memory: &Memory| {
            (memory.body.clone(), memory.provenance.class, memory.provenance.session.clone())
        };
        let is_same = |op: &Op| memory_of(&op.payload).map(|then| said(then) == said(memory));
        let known: Vec<Option<bool>> = ops.iter().map(is_same).collect();
        // Of what the ledger has let go of, marks that say what took whose place account for so many changes.
        let marks = memory.provenance.lineage.len() + usize::from(memory.superseded_by().is_some());
        let are_known = known.iter().all(|it| *it == Some(true));
        Ok(are_known || !known.contains(&Some(false)) && later.len() <= marks)
    }

    /// Takes out what people took back, into the archive. Unlike what was forgotten, it may be said again by anybody.
    pub(crate) fn take_back(&mut self, ids: &[MemoryId]) -> Result<()> {
        self.forget(ids, Forget::Archive)?;
        let _lock = self.lock()?;
        self.ledger.commit(&*self.disk, Durability::Durable, |db| {
            for id in ids {
                ledger::unword(db, id)?;
            }
            Ok(())
        })
    }

    /// Notes which message said a memory that a hook told before there was a transcript.
    pub(crate) fn give_turn(&mut self, id: &MemoryId, turn: &TurnId) -> Result<()> {
        let _lock = self.lock()?;
        self.bring_together()?;
        let Some((entry, ..)) = self.changeable(id)? else { return Ok(()) };
        if entry.memory.provenance.turn.is_some() {
            return Ok(());
        }
        let mut memory = entry.memory.clone();
        memory.provenance.turn = Some(turn.clone());
        let named = self.edit_op(&entry, memory)?;
        self.commit(vec![named])?;
        self.flush_for(&[])
    }
}
