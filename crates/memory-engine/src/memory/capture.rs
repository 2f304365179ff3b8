//! The verb that takes sessions in, and the door as the drain sees it.

use std::sync::atomic::AtomicBool;

use memory_core::config::Config;
use memory_core::memory::Holds;
use memory_core::retell::{resembles, retells};
use memory_core::scope::{Audience, Scope, SourceClass};

use super::Memory;
use crate::capture::{self, Door, Ended, Likeness, Process, Processed, Settled, Watch, Watched};
use crate::error::{Error, Result};
use crate::keep::{Draft, Kept};
use crate::search::{Operators, Search, Update};
use crate::store::{Change, Entry, Expect, Supersede};

/// Memories that are compared with a draft.
const COMPARED: usize = 5;

impl Memory {
    /// Takes in what hooks told and what the transcripts of this project hold beyond what was taken in before.
    /// `report` hears how many of how many sessions are done. Repeating it keeps nothing twice.
    pub fn process(&self, process: &Process, report: &mut dyn FnMut(usize, usize)) -> Result<Processed> {
        let disk = self.store().shared_disk();
        capture::drain(&*disk, &mut Keeper::of(self), process, report)
    }

    /// How many signals of hooks wait to be dealt with.
    pub fn waiting_signals(&self) -> Result<usize> {
        Ok(capture::inbox::waiting(self.store().disk())?.len())
    }

    /// Takes sessions in while they go on, until `stop` is set; `say` hears what happens.
    pub fn watch(&self, watch: &Watch, stop: &AtomicBool, say: &mut dyn FnMut(Watched)) -> Result<Ended> {
        let disk = self.store().shared_disk();
        capture::watch(&*disk, watch, stop, &mut |process| self.process(process, &mut |_, _| {}), say)
    }
}

/// With so many memories that the index does not hold, it is brought up to date before the next comparison: each would
/// read all of them again.
const LONG: usize = 500;

/// The door of a memory, as those need it who take in what others told.
pub(super) struct Keeper<'a> {
    memory: &'a Memory,
    /// Memories that the index does not hold, as far as this door knows; `None` before the first look.
    behind: Option<usize>,
}

impl<'a> Keeper<'a> {
    pub(super) fn of(memory: &'a Memory) -> Self {
        Self { memory, behind: None }
    }

    fn catch_up(&mut self) -> Result<()> {
        let behind = match self.behind {
            Some(behind) => behind,
            None => self.memory.index_state()?.behind,
        };
        self.behind = Some(behind);
        if behind >= LONG {
            self.memory.update_index(Update::Behind, &mut |_, _| {})?;
            self.behind = Some(0);
        }
        Ok(())
    }
}

impl Door for Keeper<'_> {
    fn config(&self) -> &Config {
        &self.memory.shared.config.config
    }

    fn keep(&mut self, drafts: Vec<Draft>) -> Result<Vec<Result<Kept>>> {
        self.behind = self.behind.map(|behind| behind + drafts.len());
        self.memory.remember_all(drafts)
    }

    fn compare(&mut self, draft: &Draft) -> Result<Likeness> {
        // What an agent says is no news where it was superseded either.
        let holds = if draft.provenance.class == SourceClass::Human { Holds::Now } else { Holds::Ever };
        let near = self.near(draft, holds)?;
        // The search finds what is near in meaning; whether it says the same is for its words to tell.
        if near.iter().any(|entry| retells(entry.memory.body.as_str(), &draft.text)) {
            return Ok(Likeness::Known);
        }
        let class = draft.provenance.class;
        let of_strangers = near.iter().map(|entry| &entry.memory).filter(|memory| {
            let known = memory.provenance.class;
            class != SourceClass::Human
                && known < class
                && known <= SourceClass::Untrusted
                && resembles(memory.body.as_str(), &draft.text)
        });
        let least = of_strangers.map(|memory| memory.provenance.class).min();
        Ok(least.map_or(Likeness::New, Likeness::Retold))
    }

    fn settle(&mut self, settled: &Settled) -> Result<()> {
        let Some(old) = self.same(&settled.was)? else { return Ok(()) };
        // Nobody takes back what is trusted further than they are.
        if old.memory.provenance.class > settled.was.provenance.class {
            return Ok(());
        }
        let outcome = match &settled.by {
            Some(by) => match self.same(by)? {
                Some(new) => {
                    let wish = Supersede::By { old: old.memory.id, new: new.memory.id };
                    self.memory.supersede(&wish).map(drop)
                }
                None => return Ok(()),
            },
            None => {
                let text = old.memory.body.as_str();
                let ticked = text.replacen("[ ]", "[x]", 1);
                let expect = Expect::Text(text.to_owned());
                self.memory.edit(&old.memory.id, Change::Text(ticked), &expect).map(drop)
            }
        };
        match outcome {
            // Somebody else changed it meanwhile, and theirs stands.
            Err(
                Error::Stale { .. }
                | Error::NotSuperseded { .. }
                | Error::NoMemory { .. }
                | Error::InArchive { .. }
                | Error::Frozen { .. },
            ) => Ok(()),
            outcome => outcome,
        }
    }
}

impl Keeper<'_> {
    /// The memories of a draft's kind and agent that are nearest to it.
    fn near(&mut self, draft: &Draft, holds: Holds) -> Result<Vec<Entry>> {
        self.catch_up()?;
        let agent = match &draft.scope {
            Some(Scope::Agent(agent)) => Some(agent.clone()),
            _ => None,
        };
        // What another session said in private must not decide, so nobody's eyes but a person's look.
        let search = Search {
            agent,
            kind: draft.kind.clone(),
            limit: COMPARED,
            holds,
            audience: Audience::default(),
            operators: Operators::AsText,
            ..Search::new(&draft.text)
        };
        Ok(self.memory.search(&search)?.hits.into_iter().map(|hit| hit.entry).collect())
    }

    /// The memory that a draft of the same session became.
    fn same(&mut self, draft: &Draft) -> Result<Option<Entry>> {
        let session = &draft.provenance.session;
        let is_it = |entry: &Entry| {
            entry.memory.body.as_str() == draft.text && entry.memory.provenance.session == *session
        };
        Ok(self.near(draft, Holds::Now)?.into_iter().find(is_it))
    }
}
