//! Which JSON member says what of a memory: one table for records, one for journal lines.
//!
//! Reading takes the members that it understands and reports the ones that make no sense; those stay in the
//! file. Unknown members are carried along in `extra`, those of the inner object under its name, and so is the
//! file's own word for a kind. Changing touches only members whose meaning changed. Where a value is unclear the
//! stricter reading wins: an unknown sensitivity is secret, an unknown class untrusted, and a session's memory
//! that does not say which session belongs to none.

use serde_json::{Map, Value};

use super::super::Home;
use super::members::Written::{Always, Unusual};
use super::members::{Member, Part, Spot, inner, outer};
use super::values;
use crate::id::{AgentId, MemoryId, SessionId};
use crate::memory::{Body, Memory, Provenance};
use crate::scope::{Scope, SourceClass};
use crate::time::Time;

/// The members of one layout's objects, in the order in which new ones are written.
pub(in crate::layout) struct Table {
    /// The object inside the object.
    inner: &'static str,
    members: &'static [Member],
}

/// The front matter of a record.
pub(in crate::layout) const RECORD: Table = Table {
    inner: "metadata",
    members: &[
        outer(Part::Id, "id", Always),
        outer(Part::Title, "title", Always),
        outer(Part::Kind, "kind", Always),
        outer(Part::Scope, "scope", Always),
        outer(Part::Tags, "tags", Always),
        inner(Part::Session, "sessionId", Always),
        inner(Part::Agent, "agentId", Always),
        inner(Part::Turn, "turnId", Always),
        inner(Part::Key, "memoryKey", Always),
        inner(Part::Origin, "source", Always),
        inner(Part::Created, "createdAt", Always),
        inner(Part::Updated, "updatedAt", Always),
        inner(Part::Digest, "contentHash", Always),
        inner(Part::Class, "class", Unusual),
        inner(Part::Confidence, "confidence", Always),
        inner(Part::Sensitivity, "sensitivity", Unusual),
        inner(Part::Lineage, "lineage", Unusual),
        inner(Part::Event, "event", Always),
    ],
};

/// The object of a journal line.
pub(in crate::layout) const JOURNAL: Table = Table {
    inner: "provenance",
    members: &[
        outer(Part::Id, "id", Always),
        outer(Part::Session, "sessionId", Always),
        outer(Part::Kind, "category", Always),
        outer(Part::Text, "text", Always),
        outer(Part::Title, "title", Always),
        outer(Part::Key, "memoryKey", Always),
        outer(Part::Tags, "tags", Unusual),
        outer(Part::Scope, "scope", Unusual),
        outer(Part::Agent, "agentId", Always),
        inner(Part::Origin, "sourceChannel", Always),
        inner(Part::Confidence, "confidence", Always),
        inner(Part::Created, "timestamp", Always),
        inner(Part::Sensitivity, "sensitivity", Always),
        inner(Part::Updated, "updatedAt", Unusual),
        inner(Part::Class, "class", Unusual),
        inner(Part::Turn, "turnId", Always),
        inner(Part::Lineage, "lineage", Unusual),
        inner(Part::Event, "event", Always),
    ],
};

/// A memory of which nothing is known but where it stands.
pub(in crate::layout) fn untold(
    home: &Home,
    id: MemoryId,
    body: Body,
    class: SourceClass,
    time: Time,
) -> Memory {
    Memory {
        id,
        kind: home.kind(),
        scope: home.scope(),
        key: None,
        title: None,
        body,
        tags: Vec::new(),
        created: time,
        updated: time,
        provenance: Provenance::of("file", class),
        extra: Map::new(),
    }
}

/// Whether two memories differ in something that plain text cannot say and that is more than a trace of its making.
pub(in crate::layout) fn marked_differently(old: &Memory, new: &Memory) -> bool {
    old.kind != new.kind
        || old.scope != new.scope
        || old.key != new.key
        || old.tags != new.tags
        || old.provenance.sensitivity != new.provenance.sensitivity
        || old.extra != new.extra
}

impl Table {
    /// The memory that an object describes, given what holds where it says nothing; and what makes no sense.
    pub(in crate::layout) fn read(
        &self,
        object: &Map<String, Value>,
        untold: Memory,
    ) -> (Memory, Vec<String>) {
        let mut memory = untold;
        let mut problems = Vec::new();
        let mut updated = false;
        for member in self.members {
            let Some(value) = self.value(object, member).filter(|value| !value.is_null()) else { continue };
            match member.take(value, &mut memory) {
                Ok(()) => updated |= member.part == Part::Updated,
                Err(why) => problems.push(format!("`{}` {why}", self.path(member))),
            }
        }
        if !updated {
            memory.updated = memory.created;
        }
        if let Err(why) = self.take_scope(object, &mut memory) {
            problems.push(why);
        }
        self.take_extra(object, &mut memory);
        (memory, problems)
    }

    /// The object that describes a memory.
    pub(in crate::layout) fn write(&self, memory: &Memory) -> Map<String, Value> {
        let mut object = Map::new();
        for member in self.members {
            if let Some(value) = member.said(memory) {
                self.set(&mut object, member, value);
            }
        }
        self.put_extra(&mut object, &Map::new(), memory);
        object
    }

    /// The object that described `old`, brought up to date with `new`.
    pub(in crate::layout) fn change(
        &self,
        object: &Map<String, Value>,
        old: &Memory,
        new: &Memory,
    ) -> Map<String, Value> {
        let mut object = object.clone();
        for member in self.members {
            // What a member leaves unsaid can hang on another: a time on the first one, a session on the scope.
            let unsaid_differs = match member.part {
                Part::Updated => old.created != new.created,
                Part::Session => old.provenance.session != new.provenance.session,
                _ => false,
            };
            if member.meaning(old) == member.meaning(new) && !unsaid_differs {
                continue;
            }
            let before = self.value(&object, member);
            if member.part == Part::Digest && before.is_none() {
                continue;
            }
            let mut value = member.said(new);
            if let Some(strangers) = before.map(|list| member.strangers(list)).filter(|s| !s.is_empty()) {
                let mut list = value.as_ref().and_then(Value::as_array).cloned().unwrap_or_default();
                list.extend(strangers);
                value = Some(Value::Array(list));
            }
            match value {
                Some(value) => self.set(&mut object, member, value),
                None => self.unset(&mut object, member),
            }
        }
        self.put_extra(&mut object, &old.extra, new);
        object
    }

    fn path(&self, member: &Member) -> String {
        match member.spot {
            Spot::Outer => member.name.to_owned(),
            Spot::Inner => format!("{}.{}", self.inner, member.name),
        }
    }

    fn value<'a>(&self, object: &'a Map<String, Value>, member: &Member) -> Option<&'a Value> {
        match member.spot {
            Spot::Outer => object.get(member.name),
            Spot::Inner => object.get(self.inner)?.get(member.name),
        }
    }

    fn set(&self, object: &mut Map<String, Value>, member: &Member, value: Value) {
        self.within(member.spot, object, |part| {
            part.insert(member.name.to_owned(), value);
        });
    }

    fn unset(&self, object: &mut Map<String, Value>, member: &Member) {
        if self.value(object, member).is_some() {
            self.within(member.spot, object, |part| {
                part.shift_remove(member.name);
            });
        }
    }

    /// Changes the object itself or the one inside it, which is made where there is none.
    fn within(
        &self,
        spot: Spot,
        object: &mut Map<String, Value>,
        change: impl FnOnce(&mut Map<String, Value>),
    ) {
        if spot == Spot::Outer {
            return change(object);
        }
        let mut inside = match object.get_mut(self.inner) {
            Some(Value::Object(inside)) => std::mem::take(inside),
            _ => Map::new(),
        };
        change(&mut inside);
        object.insert(self.inner.to_owned(), Value::Object(inside));
    }

    fn named(&self, part: Part) -> &'static str {
        self.members.iter().find(|member| member.part == part).map_or("", |member| member.name)
    }

    fn take_scope(&self, object: &Map<String, Value>, memory: &mut Memory) -> Result<(), String> {
        let Some(word) = object.get(self.named(Part::Scope)).filter(|word| !word.is_null()) else {
            return Ok(());
        };
        let agent = self.members.iter().find(|member| member.part == Part::Agent);
        let agent = agent.and_then(|member| self.value(object, member)).and_then(Value::as_str);
        let mut unclear = Ok(());
        memory.scope = match word.as_str() {
            Some("project") => Scope::Project,
            Some("user") => Scope::User,
            Some("global") => Scope::Global,
            Some("session") => Scope::Session(match &memory.provenance.session {
                Some(session) => session.clone(),
                None => {
                    unclear =
                        Err("`scope` is `session` but no `sessionId` says which, so nobody sees it"
                            .to_owned());
                    SessionId::parse(memory.id.as_str()).map_err(|error| error.to_string())?
                }
            }),
            Some("agent") => {
                Scope::Agent(agent.and_then(|name| AgentId::parse(name).ok()).unwrap_or_else(|| {
                    unclear = Err("`scope` is `agent` but no valid `agentId` says which".to_owned());
                    AgentId::unnamed()
                }))
            }
            _ => {
                let word = values::shown(word);
                return Err(format!("`scope` is none of session, project, user, global, agent: {word}"));
            }
        };
        unclear
    }

    /// Whether a member of this name is one of ours in a memory of this scope.
    fn owns(&self, spot: Spot, name: &str, scope: &Scope) -> bool {
        let listed = self.members.iter().any(|member| {
            let idle = member.part == Part::Agent && !matches!(scope, Scope::Agent(_));
            member.spot == spot && member.name == name && !idle
        });
        listed || (spot == Spot::Outer && name == self.inner)
    }

    fn take_extra(&self, object: &Map<String, Value>, memory: &mut Memory) {
        for (name, value) in object.iter().filter(|(name, _)| !self.owns(Spot::Outer, name, &memory.scope)) {
            memory.extra.insert(name.clone(), value.clone());
        }
        let inside = object.get(self.inner).and_then(Value::as_object).into_iter().flatten();
        let inside: Map<String, Value> = inside
            .filter(|(name, _)| !self.owns(Spot::Inner, name, &memory.scope))
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect();
        if !inside.is_empty() {
            memory.extra.insert(self.inner.to_owned(), Value::Object(inside));
        }
    }

    fn put_extra(&self, object: &mut Map<String, Value>, old: &Map<String, Value>, new: &Memory) {
        let none = Map::new();
        let inner_of = |extra| values::object_at(extra, self.inner).unwrap_or(&none);
        let (old_inner, new_inner) = (inner_of(old), inner_of(&new.extra));
        for (spot, old, extra) in [(Spot::Inner, old_inner, new_inner), (Spot::Outer, old, &new.extra)] {
            let gone = old.keys().filter(|name| !extra.contains_key(*name));
            let gone: Vec<&String> = gone.filter(|name| !self.owns(spot, name, &new.scope)).collect();
            let kept = extra.iter().filter(|(name, _)| !self.owns(spot, name, &new.scope));
            let kept: Vec<(&String, &Value)> = kept.collect();
            if gone.is_empty() && kept.is_empty() {
                continue;
            }
            self.within(spot, object, |part| {
                for name in gone {
                    part.shift_remove(name);
                }
                for (name, value) in kept {
                    part.insert(name.clone(), value.clone());
                }
            });
        }
    }
}
