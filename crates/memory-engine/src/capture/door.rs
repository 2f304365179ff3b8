//! The door as capture needs it; the handle above is behind it.

use memory_core::config::Config;
use memory_core::id::{AgentId, SessionId, TurnId};
use memory_core::scope::SourceClass;
use memory_core::time::Time;

use crate::error::Result;
use crate::keep::{Draft, Kept};

/// The door, as the drain needs it.
pub(crate) trait Door {
    /// The settings.
    fn config(&self) -> &Config;
    /// Lets drafts in with one durable commit.
    fn keep(&mut self, drafts: Vec<Draft>) -> Result<Vec<Result<Kept>>>;
    /// What is left of a text without what was forgotten for good, where it says any of that; `said` is when a person
    /// said it.
    fn unsaid(&mut self, text: &str, said: Option<Time>) -> Result<Option<String>>;
    /// What the memories say that are most like a draft.
    fn compare(&mut self, draft: &Draft) -> Result<Likeness>;
    /// Whether a memory says this already, in other words. What retells one of low trust is trusted as little.
    fn knows(&mut self, draft: &mut Draft) -> Result<bool> {
        let likeness = self.compare(draft)?;
        if let Likeness::Retold(class) = likeness {
            draft.provenance.class = draft.provenance.class.min(class);
        }
        Ok(likeness == Likeness::Known)
    }
    /// The texts of the tasks of an agent that are open, without their boxes.
    fn open_tasks(&mut self, agent: &AgentId) -> Result<Vec<String>>;
    /// Marks what was kept and no longer stands. Where it is not there any more, nothing is done.
    fn settle(&mut self, settled: &Settled) -> Result<()>;
    /// Takes out what a person took back, as it was kept; what somebody changed since stays.
    fn take_back(&mut self, back: &TakenBack<'_>) -> Result<()>;
}

/// What is like a draft among what is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Likeness {
    /// Nothing.
    New,
    /// A memory says this already, in other words.
    Known,
    /// A memory that is trusted no further than this says nearly the same, so the draft may come from there.
    Retold(SourceClass),
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
}

/// What no longer stands as it was kept.
#[derive(Debug, Clone)]
pub(crate) struct Settled {
    /// What was kept, as it was drafted, with the class of who says so now.
    pub(crate) was: Draft,
    /// What holds instead; of a task nothing, since it is done.
    pub(crate) by: Option<Draft>,
}
