//! The door as capture needs it; the handle above is behind it.

use memory_core::config::Config;
use memory_core::id::{AgentId, MemoryId, SessionId, TurnId};
use memory_core::kind::Kind;
use memory_core::memory::Memory;
use memory_core::retell::{Likeness, retells};
use memory_core::time::Time;

use crate::error::Result;
use crate::keep::{Draft, Kept};

/// The door, as the drain needs it.
pub(crate) trait Door {
    /// The settings.
    fn config(&self) -> &Config;
    /// Lets drafts in with one durable commit; a text that is replaced under its key has one of its own.
    fn keep(&mut self, drafts: Vec<Draft>) -> Result<Vec<Result<Kept>>>;
    /// What is left of a text without what was forgotten for good, where it says any of that; `said` is when a person
    /// said it.
    fn unsaid(&mut self, text: &str, said: Option<Time>) -> Result<Option<String>>;
    /// What the memories say that are most like a draft.
    fn compare(&mut self, draft: &Draft) -> Result<Likeness>;
    /// The memory that says this already, in other words. What retells one of low trust is trusted as little.
    fn known(&mut self, draft: &mut Draft) -> Result<Option<MemoryId>> {
        match self.compare(draft)? {
            Likeness::New => Ok(None),
            Likeness::Known(id) => Ok(Some(id)),
            Likeness::Retold(class) => {
                draft.provenance.class = draft.provenance.class.min(class);
                Ok(None)
            }
        }
    }
    /// The texts of the tasks of an agent that are open, without their boxes.
    fn open_tasks(&mut self, agent: &AgentId) -> Result<Vec<String>>;
    /// The decisions, preferences and facts of an agent that hold, with their kinds.
    fn standing(&mut self, agent: &AgentId) -> Result<Vec<(Kind, String)>>;
    /// Marks what was kept and no longer stands. Where it is not there any more, nothing is done.
    fn settle(&mut self, settled: &Settled) -> Result<()>;
    /// Takes out what a person took back, and says how much that was; what somebody else had a part in stays.
    fn take_back(&mut self, back: &TakenBack<'_>) -> Result<usize>;
    /// Whether a memory came from another session than a draft that says the same.
    fn is_of_another(&mut self, id: &MemoryId, draft: &Draft) -> Result<bool>;
    /// Notes which message said what a hook had told before.
    fn give_turn(&mut self, draft: &Draft) -> Result<()>;
}

/// What a person took back in a session.
pub(crate) struct TakenBack<'a> {
    /// The word of the client.
    pub(crate) origin: &'a str,
    /// Its session.
    pub(crate) session: &'a SessionId,
    /// Whether a message no longer counts.
    pub(crate) is_gone: &'a dyn Fn(&TurnId) -> bool,
    /// What the messages that still count gave.
    pub(crate) said: &'a [String],
    /// Whether another session said what a memory says.
    pub(crate) is_said_elsewhere: &'a dyn Fn(&MemoryId) -> bool,
}

impl TakenBack<'_> {
    /// Whether a memory is what only such words gave.
    pub(crate) fn means(&self, memory: &Memory) -> bool {
        let from = &memory.provenance;
        from.origin == self.origin
            && from.session.as_ref() == Some(self.session)
            && from.turn.as_ref().is_some_and(self.is_gone)
            && memory.updated == memory.created
            && !self.said.iter().any(|text| retells(memory.body.as_str(), text))
            && !(self.is_said_elsewhere)(&memory.id)
    }
}

/// What no longer stands as it was kept.
#[derive(Debug, Clone)]
pub(crate) struct Settled {
    /// What was kept, as it was drafted, with the class of who says so now.
    pub(crate) was: Draft,
    /// What holds instead; of a task nothing, since it is done.
    pub(crate) by: Option<Draft>,
}
