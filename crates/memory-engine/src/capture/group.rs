//! Sessions that go through the door together, with one durable commit: a backlog of many small ones does not pay for
//! each alone.

use memory_core::config::Config;
use memory_core::id::{AgentId, MemoryId};
use memory_core::kind::Kind;
use memory_core::retell::Likeness;
use memory_core::time::Time;

use super::door::{Door, Settled, TakenBack};
use super::progress::{Progress, Rest};
use crate::error::{Error, Result};
use crate::keep::{Draft, Kept};

/// After so many drafts, or sessions, a group goes through the door.
const FULL: usize = 256;

/// A session that was heard, with what is still to be kept of it before its progress may be written.
pub(super) struct Heard {
    pub(super) name: String,
    pub(super) progress: Progress,
    pub(super) drafts: Vec<Draft>,
    /// What no longer stands, once they are kept.
    pub(super) settled: Vec<Settled>,
    pub(super) handoff: Option<Draft>,
    /// Whose it is, and when something was heard of it last.
    pub(super) rest: Rest,
}

impl Heard {
    fn to_keep(&self) -> Vec<Draft> {
        self.drafts.iter().chain(&self.handoff).cloned().collect()
    }

    /// Its memories as far as they were let in, or why it could not be taken in. A draft may be refused, a handoff not.
    fn judged(&self, kept: Vec<Result<Kept>>) -> Result<Vec<Kept>> {
        let mut all = Vec::new();
        for (n, kept) in kept.into_iter().enumerate() {
            let is_draft = n < self.drafts.len();
            match kept {
                Ok(kept) if is_draft => all.push(kept),
                Ok(_) => {}
                Err(Error::Refused(_)) if is_draft => {}
                Err(error) => return Err(error),
            }
        }
        Ok(all)
    }
}

/// The sessions that wait.
#[derive(Default)]
pub(super) struct Group {
    heard: Vec<Heard>,
    drafts: usize,
}

impl Group {
    pub(super) fn add(&mut self, heard: Heard) {
        self.drafts += heard.drafts.len();
        self.heard.push(heard);
    }

    pub(super) fn is_full(&self) -> bool {
        self.drafts >= FULL || self.heard.len() >= FULL
    }

    /// Lets everything in that waits: each session with its memories, or with why it could not be taken in.
    pub(super) fn keep(&mut self, door: &mut dyn Door) -> Vec<(Heard, Result<Vec<Kept>>)> {
        let group = std::mem::take(self).heard;
        let kept = let_in(door, group.iter().flat_map(Heard::to_keep).collect());
        let mut together = kept.map(Vec::into_iter);
        let one = |heard: Heard| {
            let drafts = heard.to_keep();
            let own = match &mut together {
                Ok(kept) => Ok(kept.take(drafts.len()).collect()),
                // Whoever writes at this moment keeps all of them out.
                Err(Error::Locked { path, waited_ms }) => {
                    Err(Error::Locked { path: path.clone(), waited_ms: *waited_ms })
                }
                // What keeps one session out need not keep out the others.
                Err(_) => let_in(door, drafts),
            };
            let judged = own.and_then(|kept| heard.judged(kept));
            (heard, judged)
        };
        group.into_iter().map(one).collect()
    }
}

fn let_in(door: &mut dyn Door, drafts: Vec<Draft>) -> Result<Vec<Result<Kept>>> {
    if drafts.is_empty() { Ok(Vec::new()) } else { door.keep(drafts) }
}

/// A door before which drafts wait to be let in with others.
pub(super) struct Porch<'a> {
    pub(super) door: &'a mut dyn Door,
    pub(super) drafts: Vec<Draft>,
    pub(super) settled: Vec<Settled>,
}

impl Door for Porch<'_> {
    fn config(&self) -> &Config {
        self.door.config()
    }

    /// What becomes of them is told to nobody yet.
    fn keep(&mut self, drafts: Vec<Draft>) -> Result<Vec<Result<Kept>>> {
        self.drafts.extend(drafts);
        Ok(Vec::new())
    }

    fn unsaid(&mut self, text: &str, said: Option<Time>) -> Result<Option<String>> {
        self.door.unsaid(text, said)
    }

    fn compare(&mut self, draft: &Draft) -> Result<Likeness> {
        self.door.compare(draft)
    }

    fn open_tasks(&mut self, agent: &AgentId) -> Result<Vec<String>> {
        self.door.open_tasks(agent)
    }

    fn standing(&mut self, agent: &AgentId) -> Result<Vec<(Kind, String)>> {
        self.door.standing(agent)
    }

    fn settle(&mut self, settled: &Settled) -> Result<()> {
        self.settled.push(settled.clone());
        Ok(())
    }

    fn take_back(&mut self, back: &TakenBack<'_>) -> Result<usize> {
        self.door.take_back(back)
    }

    fn is_of_another(&mut self, id: &MemoryId, draft: &Draft) -> Result<bool> {
        self.door.is_of_another(id, draft)
    }

    fn give_turn(&mut self, draft: &Draft) -> Result<()> {
        self.door.give_turn(draft)
    }
}
