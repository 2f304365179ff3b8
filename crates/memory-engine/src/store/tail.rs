//! Operations on their way into files, with the last of each memory and those under each key at hand.

use std::collections::HashMap;
use std::ops::Deref;

use memory_core::id::{Key, MemoryId};
use memory_core::memory::Memory;
use memory_core::scope::Scope;

use super::reconcile::memory_of;
use crate::ledger::{Op, OpKind, Payload};

/// Operations in their order.
#[derive(Default)]
pub(super) struct Tail {
    ops: Vec<Op>,
    /// The last operation on each memory.
    last: HashMap<MemoryId, usize>,
    /// The operations that carry a memory under a key.
    keyed: HashMap<Scope, HashMap<Key, Vec<usize>>>,
}

impl Deref for Tail {
    type Target = [Op];

    fn deref(&self) -> &[Op] {
        &self.ops
    }
}

impl Extend<Op> for Tail {
    fn extend<T: IntoIterator<Item = Op>>(&mut self, ops: T) {
        ops.into_iter().for_each(|op| self.push(op));
    }
}

impl Tail {
    pub(super) fn of(ops: Vec<Op>) -> Self {
        let mut tail = Self::default();
        tail.extend(ops);
        tail
    }

    pub(super) fn push(&mut self, op: Op) {
        let at = self.ops.len();
        self.last.insert(op.id.clone(), at);
        if let Some(memory) = memory_of(&op.payload)
            && let Some(key) = &memory.key
        {
            let of_scope = self.keyed.entry(memory.scope.clone()).or_default();
            of_scope.entry(key.clone()).or_default().push(at);
        }
        self.ops.push(op);
    }

    /// The last operation on a memory.
    pub(super) fn last_of(&self, id: &MemoryId) -> Option<&Op> {
        self.last.get(id).and_then(|at| self.ops.get(*at))
    }

    /// The memory that the last operation on it brings, to say more of it: its words, scope and key stay.
    pub(super) fn memory_mut(&mut self, id: &MemoryId) -> Option<&mut Memory> {
        let at = self.last.get(id)?;
        match self.ops.get_mut(*at).map(|op| &mut op.payload) {
            Some(Payload::Memory(memory)) => Some(memory),
            _ => None,
        }
    }

    /// The memory under a key, unless its last operation takes it away.
    pub(super) fn under(&self, scope: &Scope, key: &Key) -> Option<&Memory> {
        let places = self.keyed.get(scope).and_then(|of_scope| of_scope.get(key))?;
        let stands = |op: &&Op| self.last_of(&op.id).is_some_and(|last| last.kind != OpKind::Remove);
        let mut ops = places.iter().rev().filter_map(|at| self.ops.get(*at));
        ops.find(stands).and_then(|op| memory_of(&op.payload))
    }

    /// Lets go of all others.
    pub(super) fn retain(&mut self, mut keep: impl FnMut(&Op) -> bool) {
        let mut ops = std::mem::take(self).ops;
        ops.retain(|op| keep(op));
        *self = Self::of(ops);
    }

    /// The operations; none are left here.
    pub(super) fn take(&mut self) -> Vec<Op> {
        std::mem::take(self).ops
    }
}

#[cfg(test)]
mod tests {
    use memory_core::memory::{Body, Provenance};
    use memory_core::scope::SourceClass;
    use memory_core::time::Time;

    use super::super::write::op;
    use super::*;

    fn put(kind: OpKind, id: &str, key: &str, text: &str) -> Op {
        let id = MemoryId::parse(id).unwrap();
        let memory = Memory {
            id: id.clone(),
            kind: memory_core::kind::Kind::Note,
            scope: Scope::Project,
            key: Key::parse(key).ok(),
            title: None,
            body: Body::new(text),
            tags: Vec::new(),
            created: Time(0),
            updated: Time(0),
            provenance: Provenance::of("cli", SourceClass::Human),
            extra: serde_json::Map::new(),
        };
        let payload = if kind == OpKind::Remove { Payload::None } else { Payload::Memory(Box::new(memory)) };
        op(kind, Time(0), &id, String::new(), payload)
    }

    fn check(tail: &Tail, key: &str, expect: Option<&str>) {
        let found = tail.under(&Scope::Project, &Key::parse(key).unwrap());
        assert_eq!(found.map(|memory| memory.body.as_str()), expect, "{key}");
    }

    #[test]
    fn the_last_of_each_is_at_hand() {
        let mut tail = Tail::of(vec![
            put(OpKind::Put, "1", "port", "8080"),
            put(OpKind::Put, "2", "host", "alpha"),
            put(OpKind::Edit, "1", "port", "9090"),
        ]);
        check(&tail, "port", Some("9090"));
        check(&tail, "host", Some("alpha"));
        check(&tail, "other", None);
        assert!(tail.under(&Scope::User, &Key::parse("port").unwrap()).is_none());
        tail.push(put(OpKind::Remove, "1", "port", ""));
        check(&tail, "port", None);
        assert_eq!(tail.last_of(&MemoryId::parse("1").unwrap()).map(|op| op.kind), Some(OpKind::Remove));
        tail.retain(|op| op.kind != OpKind::Remove);
        check(&tail, "port", Some("9090"));
        assert_eq!(tail.take().len(), 3);
        check(&tail, "host", None);
    }
}
