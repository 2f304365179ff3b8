//! One JSON member each for every part of a memory: what it says, what is taken from it, when it is written.

use serde_json::Value;

use super::values::{self, ids, kind_word, tags, text, time, valid};
use crate::id::{Key, SessionId, TurnId};
use crate::kind::Kind;
use crate::memory::{Body, Confidence, Memory};
use crate::scope::{Scope, Sensitivity, SourceClass};

/// One `"name": value` of a layout's object.
pub(super) struct Member {
    pub(super) part: Part,
    pub(super) spot: Spot,
    pub(super) name: &'static str,
    written: Written,
}

/// What of a memory a member says.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    Id,
    Title,
    Kind,
    Scope,
    Agent,
    Session,
    Turn,
    Key,
    Tags,
    Text,
    Origin,
    Created,
    Updated,
    Digest,
    Class,
    Confidence,
    Sensitivity,
    Lineage,
    Event,
}

/// In which object a member stands.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Spot {
    /// In the object itself.
    Outer,
    /// In the object inside it.
    Inner,
}

/// When a member is written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Written {
    /// Whenever there is something to say.
    Always,
    /// Only when it is not what its absence means.
    Unusual,
}

pub(super) const fn outer(part: Part, name: &'static str, written: Written) -> Member {
    Member { part, spot: Spot::Outer, name, written }
}

pub(super) const fn inner(part: Part, name: &'static str, written: Written) -> Member {
    Member { part, spot: Spot::Inner, name, written }
}

impl Member {
    /// What the member should say; `None` when it should not be there.
    pub(super) fn said(&self, memory: &Memory) -> Option<Value> {
        let usual = match self.part {
            Part::Scope => memory.scope == Scope::Project,
            Part::Tags => memory.tags.is_empty(),
            Part::Updated => memory.updated == memory.created,
            Part::Class => memory.provenance.class == SourceClass::Human,
            Part::Sensitivity => memory.provenance.sensitivity == Sensitivity::default(),
            Part::Lineage => memory.provenance.lineage.is_empty(),
            _ => false,
        };
        if usual && self.written == Written::Unusual { None } else { self.meaning(memory) }
    }

    /// The value that stands for this part of the memory.
    pub(super) fn meaning(&self, memory: &Memory) -> Option<Value> {
        let from = &memory.provenance;
        let said = match self.part {
            Part::Id => memory.id.as_str().into(),
            Part::Title => memory.title.as_deref().filter(|title| !title.trim().is_empty())?.into(),
            Part::Kind => kind_word(self.name, memory).into(),
            Part::Scope => memory.scope.word().into(),
            Part::Agent => match &memory.scope {
                Scope::Agent(agent) => agent.as_str().into(),
                _ => return None,
            },
            Part::Session => match &memory.scope {
                Scope::Session(session) => session.as_str().into(),
                _ => from.session.as_ref()?.as_str().into(),
            },
            Part::Turn => from.turn.as_ref()?.as_str().into(),
            Part::Key => memory.key.as_ref()?.as_str().into(),
            Part::Tags => memory.tags.iter().map(|tag| Value::from(tag.as_str())).collect(),
            Part::Text => memory.body.as_str().into(),
            Part::Origin => from.origin.as_str().into(),
            Part::Created => memory.created.iso().into(),
            Part::Updated => memory.updated.iso().into(),
            Part::Digest => values::digest(&memory.body).into(),
            Part::Class => from.class.word().into(),
            Part::Confidence => f64::from(from.confidence?).into(),
            Part::Sensitivity => from.sensitivity.word().into(),
            Part::Lineage => from.lineage.iter().map(|id| Value::from(id.as_str())).collect(),
            Part::Event => from.event.as_deref()?.into(),
        };
        Some(said)
    }

    /// Takes what the member says into the memory, or tells what is wrong with it.
    pub(super) fn take(&self, value: &Value, memory: &mut Memory) -> Result<(), String> {
        let from = &mut memory.provenance;
        match self.part {
            // The id is the reader's business, the scope needs other members, and the digest follows from the text.
            Part::Id | Part::Scope | Part::Agent | Part::Digest => {}
            Part::Title => {
                memory.title = Some(text(value)?.to_owned()).filter(|title| !title.trim().is_empty());
            }
            Part::Kind => {
                let word = text(value)?;
                memory.kind = Kind::of_word(word);
                if word != memory.kind.word() {
                    memory.extra.insert(self.name.to_owned(), word.into());
                }
            }
            Part::Session => from.session = Some(valid(SessionId::parse(text(value)?))?),
            Part::Turn => from.turn = Some(valid(TurnId::parse(text(value)?))?),
            Part::Key => memory.key = Some(valid(Key::parse(text(value)?))?),
            Part::Tags => return tags(value, &mut memory.tags),
            Part::Text => memory.body = Body::new(text(value)?),
            Part::Origin => from.origin = text(value)?.to_owned(),
            Part::Created => memory.created = time(value)?,
            Part::Updated => memory.updated = time(value)?,
            Part::Class => {
                from.class = SourceClass::Untrusted;
                from.class = values::class(value)?;
            }
            Part::Confidence => {
                from.confidence = Some(Confidence::from(value.as_f64().ok_or("is no number")?));
            }
            Part::Sensitivity => {
                from.sensitivity = Sensitivity::Secret;
                from.sensitivity = values::sensitivity(value)?;
            }
            Part::Lineage => return ids(value, &mut from.lineage),
            Part::Event => from.event = Some(text(value)?.to_owned()),
        }
        Ok(())
    }

    /// The items of the member's list that are not ours to read, and so not ours to drop.
    pub(super) fn strangers(&self, list: &Value) -> Vec<Value> {
        let readable = |item: &Value| match self.part {
            Part::Tags => values::tag(item).is_ok(),
            Part::Lineage => values::id(item).is_ok(),
            _ => true,
        };
        list.as_array().into_iter().flatten().filter(|item| !readable(item)).cloned().collect()
    }
}
