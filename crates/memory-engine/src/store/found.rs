//! What became of a file as operations: what a person did there, and what must be written again. Made of values alone.

use std::collections::HashMap;

use memory_core::id::MemoryId;
use memory_core::memory::Memory;
use memory_core::time::Time;

use super::plan::Plan;
use super::reconcile::Shows;
use crate::ledger::{Op, OpKind, Payload};

/// More new entries than this are noted as one operation for the whole file.
const ONE_BY_ONE: usize = 500;

/// What the operations tell besides the plan.
pub(super) struct Telling<'a> {
    pub(super) at: Time,
    /// The operation that last changed each entry that was known.
    pub(super) before: &'a HashMap<&'a MemoryId, i64>,
    pub(super) shows: &'a Shows,
    /// The batch of the archive with what a person replaced or took out.
    pub(super) replaced: String,
    /// What is written again.
    pub(super) again: Vec<Memory>,
}

/// The operations that carry a plan out, in order.
pub(super) fn ops_of(plan: &Plan, telling: Telling<'_>) -> Vec<Op> {
    let Telling { at, before, shows, replaced, again } = telling;
    let op = |kind, id: &MemoryId, archive: &str, payload| Op {
        seq: 0,
        at,
        kind,
        id: id.clone(),
        file: shows.file.path.clone(),
        before: before.get(id).copied().unwrap_or(0),
        archive: archive.to_owned(),
        payload,
        marks: None,
    };
    // What was forgotten for good does not come back with an old copy, and its words do not even reach the log.
    let is_buried = |id: &&MemoryId| shows.buried.contains(*id);
    let text = |id: &MemoryId| match shows.fresh.get(id).filter(|_| !is_buried(&id)) {
        Some(memory) => Payload::Memory(Box::new(memory.clone())),
        None => Payload::None,
    };
    let mut ops = Vec::new();
    if before.is_empty() && plan.added.len() > 1 || plan.added.len() > ONE_BY_ONE {
        ops.push(op(OpKind::Adopt, &MemoryId::from_millis(0), "", Payload::None));
    } else {
        ops.extend(plan.added.iter().map(|id| op(OpKind::FoundNew, id, "", text(id))));
    }
    ops.extend(plan.edited.iter().map(|id| op(OpKind::FoundEdit, id, &replaced, text(id))));
    ops.extend(plan.gone.iter().map(|id| op(OpKind::FoundGone, id, &replaced, Payload::None)));
    ops.extend(plan.moved.iter().map(|id| op(OpKind::FoundGone, id, "", Payload::None)));
    ops.extend(again.into_iter().map(|memory| {
        let id = memory.id.clone();
        op(OpKind::Restore, &id, "", Payload::Memory(Box::new(memory)))
    }));
    let buried = plan.added.iter().chain(&plan.edited).filter(is_buried);
    ops.extend(buried.map(|id| op(OpKind::Remove, id, "", Payload::None)));
    ops.extend(plan.out_again.iter().map(|id| {
        let archive = shows.forgotten.get(id).map_or("", String::as_str);
        op(OpKind::Remove, id, archive, Payload::None)
    }));
    ops
}
