//! What every command starts from: the arguments resolved once, the root found, the memory open.
//!
//! Opening happens on the first request, so a command that needs no root pays for none. What the engine has
//! to say is told on stderr; whatever failed ends here as one message and one exit code.

pub(crate) mod background;
mod editor;
mod failure;
mod source;

use std::path::PathBuf;

use memory_engine::paths::{self, Found};
use memory_engine::{Error, Memory};

use crate::output::{Output, stdin_is_person};

pub(crate) use editor::{EditorOrder, edited};
pub(crate) use failure::{Failure, Outcome};
pub(crate) use source::{Source, limit_of};

/// A running command.
pub(crate) struct App {
    /// Where it speaks.
    pub(crate) out: Output,
    dir: Option<PathBuf>,
    memory: Option<Memory>,
    wrote: bool,
    index_lags: bool,
}

impl App {
    pub(crate) fn new(out: Output, dir: Option<PathBuf>) -> Self {
        Self { out, dir, memory: None, wrote: false, index_lags: false }
    }

    /// Where the root is or would be.
    pub(crate) fn found(&self) -> Outcome<Found> {
        Ok(paths::find_root(self.dir.as_deref())?)
    }

    /// The memory, or `None` where there is no root yet.
    pub(crate) fn memory_if_any(&mut self) -> Outcome<Option<Memory>> {
        let found = self.found()?;
        if !found.exists {
            return Ok(None);
        }
        self.keep(Memory::open(&found.root)?).map(Some)
    }

    /// The memory of a root that must be there.
    pub(crate) fn memory(&mut self) -> Outcome<Memory> {
        match self.memory_if_any()? {
            Some(memory) => Ok(memory),
            None => Err(Error::NoRoot { path: self.found()?.root.display().to_string() }.into()),
        }
    }

    /// The same for a look at what is wrong, which settings must not stop.
    pub(crate) fn memory_to_check(&mut self) -> Outcome<Memory> {
        let found = self.found()?;
        if !found.exists {
            return Err(Error::NoRoot { path: found.root.display().to_string() }.into());
        }
        self.keep(Memory::open_to_check(&found.root)?)
    }

    /// The memory for a command that writes into a root that must be there.
    pub(crate) fn memory_to_change(&mut self) -> Outcome<Memory> {
        self.wrote = true;
        self.memory()
    }

    /// The memory for a command that keeps something: the root is made where there is none.
    pub(crate) fn memory_to_fill(&mut self) -> Outcome<Memory> {
        self.wrote = true;
        if let Some(memory) = &self.memory {
            return Ok(memory.clone());
        }
        let found = self.found()?;
        if found.exists {
            return self.keep(Memory::open(&found.root)?);
        }
        let memory = Memory::create(&found.root)?;
        self.out.note(&format!("created `{}`; `agent-memory init` sets up the rest", found.root.display()));
        self.keep(memory)
    }

    /// Makes the root if it is absent, approves it, and opens it.
    pub(crate) fn create(&mut self, root: &std::path::Path) -> Outcome<Memory> {
        self.wrote = true;
        self.keep(Memory::create(root)?)
    }

    fn keep(&mut self, memory: Memory) -> Outcome<Memory> {
        self.memory = Some(memory.clone());
        self.tell_notices();
        Ok(memory)
    }

    fn tell_notices(&mut self) {
        let notices = self.memory.as_ref().map(|memory| memory.notices()).unwrap_or_default();
        for notice in notices {
            self.out.warn(&notice.text);
        }
    }

    /// So many memories were written; every now and then the index is brought up to date after the command.
    pub(crate) fn wrote_memories(&mut self, count: usize) {
        self.index_lags |= background::is_due(count);
    }

    /// Says which sorts of credentials were masked, for people who may want to act on it.
    pub(crate) fn tell_masked(&mut self, redacted: &[&str]) {
        if !redacted.is_empty() {
            self.out.warn(&format!("masked before it was written: {}", redacted.join(", ")));
        }
    }

    /// An answer had to read much that the index does not hold.
    pub(crate) fn index_lags(&mut self) {
        self.index_lags = true;
    }

    /// Asks a person; where nobody can answer, the command needs the flag instead.
    pub(crate) fn confirm(&mut self, question: &str, flag: &str) -> Outcome<bool> {
        if stdin_is_person() {
            return Ok(self.out.ask(&format!("{question} [y/N] "))?);
        }
        Err(Failure::needs_confirmation(format!(
            "{question} nobody is there to answer: repeat it with `{flag}`"
        )))
    }

    /// Ends the command: brings the files up to date, tells what is left to tell, gives the exit code. The index
    /// follows in a process of its own.
    pub(crate) fn finish(mut self, outcome: Outcome<()>) -> u8 {
        // An answer that cannot be written is told once, however often it is tried.
        let is_told = matches!(outcome, Err(Failure::Stream(_)));
        let mut code = match outcome {
            Ok(()) => 0,
            Err(failure) => failure.report(&mut self.out),
        };
        if self.wrote
            && let Some(memory) = &self.memory
            && let Err(error) = memory.flush_or_say()
        {
            // The ledger already has what was acknowledged; the next command finishes the files.
            self.out.complain(error.code(), &format!("the files are not up to date yet: {error}"));
            code = code.max(1);
        }
        self.tell_notices();
        if let (Err(error), false) = (self.out.flush(), is_told) {
            code = code.max(Failure::from(error).report(&mut self.out));
        }
        if self.index_lags
            && let Some(memory) = &self.memory
        {
            background::update_index(memory.root());
        }
        code
    }
}
