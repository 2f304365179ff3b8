//! What a drain is asked for, and what became of it.

use std::collections::BTreeMap;
use std::time::Duration;

use memory_core::id::AgentId;
use memory_core::kind::Kind;

use super::sources::From;

/// What is drained, and how.
#[derive(Debug, Clone)]
pub struct Process {
    /// Whose memories they become; `None` means the agent of the settings.
    pub agent: Option<AgentId>,
    /// A session in which nothing happened for so long is handed over.
    pub idle: Duration,
    /// Where transcripts are looked for.
    pub from: From,
    /// How long to wait for another process that is at it.
    pub wait: Duration,
}

/// What became of it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Processed {
    /// Sessions of this project.
    pub sessions: usize,
    /// Those in which nothing was new.
    pub up_to_date: usize,
    /// Those from which something was read.
    pub processed: usize,
    /// Messages that were read.
    pub messages: u64,
    /// New memories of each kind, by its word.
    pub kept: BTreeMap<String, usize>,
    /// Memories that were taken out again because a person took back what they were made of.
    pub taken_back: usize,
    /// Handoffs that were written or replaced.
    pub handoffs: usize,
    /// Signals of hooks that were dealt with.
    pub signals: usize,
    /// Sessions that could not be taken in, and why.
    pub errors: Vec<(String, String)>,
    /// What in transcripts could not be read.
    pub defects: Vec<(String, String)>,
    /// Whether another process was at it all the time.
    pub busy: bool,
}

impl Processed {
    /// New memories of a kind.
    pub fn kept_of(&self, kind: &Kind) -> usize {
        self.kept.get(kind.word()).copied().unwrap_or(0)
    }
}
