//! Upkeep, applied: `memory_core::retain` decides what leaves, here it is archived and taken away.
//!
//! A look and a run walk the same steps over the same data; a look stops before each change. Whatever leaves is copied
//! into one batch of the archive first. The lock is held for one file at a time, and a crash at any moment leaves what
//! the next run finishes, without doing anything twice.

mod report;
mod plain;
mod conversations;
mod categories;
mod journal;
mod experiences;
#[cfg(test)]
mod tests;

use std::collections::{HashMap, HashSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

use memory_core::config::UpkeepSettings;
use memory_core::id::MemoryId;
use memory_core::memory::Memory;
use memory_core::time::Time;

use crate::ambient;
use crate::capture::Door;
use crate::error::{Error, Result};
use crate::store::{Batch, Store};

pub use report::{Compacted, Deed, JournalMerge};

/// A part of upkeep.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Step {
    /// Snapshots that can no longer be recovered leave.
    Snapshots,
    /// Conversations are read for what is worth keeping, and long ones are trimmed.
    Conversations,
    /// Categories of vaults with too many memories get a summary in the place of the old ones.
    Categories,
    /// What is unlike everything before it in the journal becomes an experience.
    Experiences,
    /// The journal meets its limits, and old records are merged into long-term summaries.
    Journal,
    /// Old events leave the history, and old batches of events the archive.
    History,
    /// The index is brought up to date.
    Index,
    /// What a migration left leaves.
    Legacy,
}

impl Step {
    /// All of them, in the order in which they are taken.
    pub const ALL: [Self; 8] = [
        Self::Snapshots,
        Self::Conversations,
        Self::Categories,
        Self::Experiences,
        Self::Journal,
        Self::History,
        Self::Index,
        Self::Legacy,
    ];

    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Snapshots => "snapshots",
            Self::Conversations => "conversations",
            Self::Categories => "categories",
            Self::Experiences => "experiences",
            Self::Journal => "journal",
            Self::History => "history",
            Self::Index => "index",
            Self::Legacy => "legacy",
        }
    }

    /// Whether it concerns files beside the memories, so that it does not matter what became of the steps before it. The
    /// others build on each other: what one of them did not take over must not leave by the next.
    fn is_apart(self) -> bool {
        matches!(self, Self::Snapshots | Self::History | Self::Index | Self::Legacy)
    }

    /// The step that a word stands for.
    pub fn of_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|step| step.word() == word)
    }
}

/// What upkeep is asked for. The default is all of it.
#[derive(Debug, Clone, Default)]
pub struct Compact {
    /// Only these steps; none means all.
    pub only: Vec<Step>,
    /// Memories that were just written: they never leave.
    pub just_written: Vec<MemoryId>,
}

impl Compact {
    /// Whether a step is asked for.
    pub(crate) fn wants(&self, step: Step) -> bool {
        self.only.is_empty() || self.only.contains(&step)
    }
}

/// Whether anything is changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Pass {
    /// A look at what would be done.
    Look,
    /// It is done.
    Apply,
}

/// Takes the steps that concern files. `report` hears how many of how many are done.
pub(crate) fn compact(
    store: &Mutex<Store>,
    door: &mut dyn Door,
    compact: &Compact,
    pass: Pass,
    report: &mut dyn FnMut(usize, usize),
) -> Result<Compacted> {
    let now = ambient::now();
    let disk = held(store).shared_disk();
    let mut upkeep = Upkeep {
        rules: door.config().upkeep.clone(),
        store,
        door,
        pass,
        now,
        batch: Batch::new("compact"),
        coming: HashMap::new(),
        fresh: HashSet::new(),
        given: None,
        copied: HashSet::new(),
        done: Compacted::new(now, pass),
    };
    // A look changes nothing, so it need not wait for whoever is at it.
    let elected = match pass {
        Pass::Apply => disk.elect("upkeep")?,
        Pass::Look => Some(Box::new(()) as Box<dyn std::any::Any + Send>),
    };
    if elected.is_none() {
        upkeep.done.busy = true;
        return Ok(upkeep.done);
    }
    let mut is_broken_off = false;
    for (n, step) in Step::ALL.into_iter().enumerate().filter(|(_, step)| compact.wants(*step)) {
        report(n, Step::ALL.len());
        if is_broken_off && !step.is_apart() {
            continue;
        }
        let taken = match step {
            Step::Snapshots => upkeep.snapshots(),
            Step::Conversations => upkeep.conversations(),
            Step::Categories => upkeep.categories(),
            Step::Experiences => upkeep.experiences(),
            Step::Journal => upkeep.journal(&compact.just_written),
            Step::History => upkeep.history(),
            // The handle above does that, because it holds the searcher.
            Step::Index => Ok(()),
            Step::Legacy => upkeep.legacy(),
        };
        match taken {
            // What was done before is still told.
            Err(error) if is_about_one_file(&error) => {
                upkeep.failed(step.word(), &error);
                is_broken_off = true;
            }
            taken => taken?,
        }
    }
    upkeep.done.archive = upkeep.batch.name().map(str::to_owned);
    Ok(upkeep.done)
}

/// Upkeep at work.
struct Upkeep<'a> {
    rules: UpkeepSettings,
    store: &'a Mutex<Store>,
    door: &'a mut dyn Door,
    pass: Pass,
    now: Time,
    batch: Batch,
    /// What a run would have kept by now, by file, so that a look counts it too.
    coming: HashMap<String, Vec<Memory>>,
    /// What a run has kept.
    fresh: HashSet<MemoryId>,
    /// The ids that were ever given, once they were asked for.
    given: Option<HashSet<u64>>,
    /// Files that were copied before something was kept in them.
    copied: HashSet<String>,
    done: Compacted,
}

impl<'a> Upkeep<'a> {
    fn store(&self) -> MutexGuard<'a, Store> {
        held(self.store)
    }

    fn applies(&self) -> bool {
        self.pass == Pass::Apply
    }

    /// Notes what is wrong with one file; the others are still looked after.
    fn failed(&mut self, path: &str, error: &Error) {
        self.done.errors.push((path.to_owned(), error.to_string()));
    }
}

fn held(store: &Mutex<Store>) -> MutexGuard<'_, Store> {
    store.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Whether an error is about one file, so that the others can still be looked after. A disk that is full or cannot be
/// written is so for all of them.
fn is_about_one_file(error: &Error) -> bool {
    let of_all = matches!(error.code(), "E_NOSPC" | "E_READONLY");
    error.is_of_one_file() && !of_all || matches!(error, Error::Broken { .. })
}
