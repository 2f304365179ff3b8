//! The verb that takes sessions in, and the door as the drain sees it.

use std::collections::HashMap;
use std::sync::atomic::AtomicBool;

use memory_core::admit;
use memory_core::config::Config;
use memory_core::id::{AgentId, MemoryId};
use memory_core::kind::Kind;
use memory_core::memory::{self, Holds};
use memory_core::retell::{Likeness, known_as, likeness};
use memory_core::scope::{Audience, Scope, SourceClass};
use memory_core::task;
use memory_core::time::Time;

use super::Memory;
use crate::capture::{self, Door, Ended, Process, Processed, Settled, TakenBack, Watch, Watched};
use crate::error::{Error, Result};
use crate::keep::{Draft, Kept};
use crate::search::{Operators, Search, Update};
use crate::store::{Change, Entry, Expect, Filter, Supersede, Unsaid};

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
        let mut take = |process: &Process| {
            self.store().ledger().refuse_taken_away(&*disk)?;
            self.process(process, &mut |_, _| {})
        };
        capture::watch(&*disk, watch, stop, &mut take, say)
    }
}

/// The kinds of what a person may put something else in the place of.
const SETTLES: &[Kind] = &[Kind::Decision, Kind::Preference, Kind::Fact];

/// Bytes of the longest text that a few words may take the place of.
const LONGEST: usize = 1000;

/// With so many memories that the index does not hold, it is brought up to date before the next comparison: each would
/// read all of them again.
const LONG: usize = 500;

/// The door of a memory, as those need it who take in what others told.
pub(super) struct Keeper<'a> {
    memory: &'a Memory,
    /// Memories that the index does not hold, as far as this door knows; `None` before the first look.
    behind: Option<usize>,
    /// The open tasks of the agents that were asked for, with those that came through this door since: a backlog of
    /// sessions must not read the store for each. Whether one is still open is looked at when it is ticked.
    open: HashMap<AgentId, Vec<String>>,
    /// The same for what stands otherwise.
    standing: HashMap<AgentId, Vec<(Kind, String)>>,
    /// What was forgotten for good, once it was asked for.
    unsaid: Option<Unsaid>,
}

impl<'a> Keeper<'a> {
    pub(super) fn of(memory: &'a Memory) -> Self {
        Self { memory, behind: None, open: HashMap::new(), standing: HashMap::new(), unsaid: None }
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
        for draft in &drafts {
            let (Some(Scope::Agent(agent)), Some(kind)) = (&draft.scope, &draft.kind) else { continue };
            if *kind == Kind::Task
                && let (Some(task), Some(open)) = (task::only_open(&draft.text), self.open.get_mut(agent))
            {
                open.push(task.to_owned());
            }
            if SETTLES.contains(kind)
                && let Some(standing) = self.standing.get_mut(agent)
            {
                standing.push((kind.clone(), draft.text.clone()));
            }
        }
        self.memory.remember_all(drafts)
    }

    fn unsaid(&mut self, text: &str, said: Option<Time>) -> Result<Option<String>> {
        let unsaid = match &mut self.unsaid {
            Some(unsaid) => unsaid,
            none => none.insert(self.memory.store().unsaid()?),
        };
        Ok(unsaid.without(text, said))
    }

    fn compare(&mut self, draft: &Draft) -> Result<Likeness> {
        // What an agent says is no news where it was superseded either.
        let holds = if draft.provenance.class == SourceClass::Human { Holds::Now } else { Holds::Ever };
        let class = draft.provenance.class;
        let mut near = Vec::new();
        match &draft.kind {
            Some(kind) => {
                for kind in known_as(kind, class) {
                    near.extend(self.near(draft, Some(kind), holds)?);
                }
            }
            None => near = self.near(draft, None, holds)?,
        }
        let near: Vec<&memory::Memory> = near.iter().map(|entry| &entry.memory).collect();
        Ok(likeness(&draft.text, class, &near))
    }

    fn open_tasks(&mut self, agent: &AgentId) -> Result<Vec<String>> {
        if let Some(open) = self.open.get(agent) {
            return Ok(open.clone());
        }
        let filter = Filter { agent: Some(agent.clone()), kind: Some(Kind::Task), ..Filter::default() };
        let all = self.memory.list(&filter)?;
        let open = all.iter().filter_map(|entry| task::only_open(entry.memory.body.as_str()));
        let open: Vec<String> = open.map(str::to_owned).collect();
        self.open.insert(agent.clone(), open.clone());
        Ok(open)
    }

    fn standing(&mut self, agent: &AgentId) -> Result<Vec<(Kind, String)>> {
        if let Some(standing) = self.standing.get(agent) {
            return Ok(standing.clone());
        }
        let filter = Filter { agent: Some(agent.clone()), holds: Holds::Now, ..Filter::default() };
        let mut standing = Vec::new();
        self.memory.each(&filter, &mut |entry| {
            let (kind, text) = (&entry.memory.kind, entry.memory.body.as_str());
            if SETTLES.contains(kind) && text.len() <= LONGEST {
                standing.push((kind.clone(), text.to_owned()));
            }
            Ok(true)
        })?;
        self.standing.insert(agent.clone(), standing.clone());
        Ok(standing)
    }

    fn settle(&mut self, settled: &Settled) -> Result<()> {
        let done = settled.by.is_none();
        let old = if done { self.open(&settled.was)? } else { self.stands(&settled.was)? };
        let Some(old) = old else { return Ok(()) };
        let how = if done { admit::Settled::Done(settled.was.at) } else { admit::Settled::Replaced };
        let Some(changed) = self.changed(&old)? else { return Ok(()) };
        if !admit::may_settle(&old.memory, changed, how, settled.was.provenance.class) {
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
                let Some(ticked) = task::tick(text) else { return Ok(()) };
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

    fn take_back(&mut self, back: &TakenBack<'_>) -> Result<usize> {
        let all = self.memory.list(&Filter { holds: Holds::Ever, ..Filter::default() })?;
        let mut gone = Vec::new();
        for memory in all.iter().map(|entry| &entry.memory).filter(|memory| back.means(memory)) {
            if self.memory.store().is_untouched(memory)? {
                gone.push(memory.id.clone());
            }
        }
        if gone.is_empty() {
            return Ok(0);
        }
        // What they took the place of holds again.
        let replaced = |entry: &&Entry| {
            !gone.contains(&entry.memory.id)
                && entry.memory.superseded_by().is_some_and(|by| gone.contains(&by))
        };
        for entry in all.iter().filter(replaced) {
            self.memory.supersede(&Supersede::Undo(entry.memory.id.clone()))?;
        }
        self.memory.store().take_back(&gone)?;
        Ok(gone.len())
    }

    fn is_of_another(&mut self, id: &MemoryId, draft: &Draft) -> Result<bool> {
        match self.memory.show(id) {
            Ok(entry) => Ok(entry.memory.provenance.session != draft.provenance.session),
            Err(Error::NoMemory { .. } | Error::InArchive { .. }) => Ok(false),
            Err(error) => Err(error),
        }
    }

    fn give_turn(&mut self, draft: &Draft) -> Result<()> {
        let (Some(turn), Some(known)) = (&draft.provenance.turn, self.same(draft)?) else { return Ok(()) };
        match self.memory.store().give_turn(&known.memory.id, turn) {
            // As long as its file is left alone, the memory stays without it.
            Err(Error::Frozen { .. } | Error::NoMemory { .. }) => Ok(()),
            outcome => outcome,
        }
    }
}

impl Keeper<'_> {
    /// When a memory changed last, by whatever hand; `None` where it is gone by now.
    fn changed(&self, entry: &Entry) -> Result<Option<Time>> {
        match self.memory.show(&entry.memory.id) {
            Ok(entry) => Ok(Some(entry.memory.updated)),
            Err(Error::NoMemory { .. } | Error::InArchive { .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// The memories of a kind and of a draft's agent that are nearest to it.
    fn near(&mut self, draft: &Draft, kind: Option<Kind>, holds: Holds) -> Result<Vec<Entry>> {
        self.catch_up()?;
        let agent = match &draft.scope {
            Some(Scope::Agent(agent)) => Some(agent.clone()),
            _ => None,
        };
        // What another session said in private must not decide, so nobody's eyes but a person's look.
        let search = Search {
            agent,
            kind,
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
        Ok(self.near(draft, draft.kind.clone(), Holds::Now)?.into_iter().find(is_it))
    }

    /// What stands with the words of a draft: of the same session, or of another if there is none.
    fn stands(&mut self, draft: &Draft) -> Result<Option<Entry>> {
        if let Some(same) = self.same(draft)? {
            return Ok(Some(same));
        }
        for kind in SETTLES {
            let near = self.near(draft, Some(kind.clone()), Holds::Now)?;
            let found = near.into_iter().find(|entry| entry.memory.body.as_str() == draft.text);
            if found.is_some() {
                return Ok(found);
            }
        }
        Ok(None)
    }

    /// The open task with the words of a draft, of whatever session.
    fn open(&mut self, draft: &Draft) -> Result<Option<Entry>> {
        let Some(words) = task::only_open(&draft.text) else { return Ok(None) };
        let near = self.near(draft, Some(Kind::Task), Holds::Now)?;
        Ok(near.into_iter().find(|entry| task::only_open(entry.memory.body.as_str()) == Some(words)))
    }
}
