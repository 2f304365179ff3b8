//! `forget`: takes memories out, into the archive or for good.

use clap::Args;
use memory_engine::core::id::MemoryId;
use memory_engine::{Forget as How, Forgotten};
use serde_json::{Value, json};

use crate::app::{App, Failure, Outcome};
use crate::cli::shown::counted;
use crate::output::{Page, Render, Tone};

/// Forget memories: into the archive, or for good with --hard
#[derive(Args)]
#[command(after_help = "Examples:
  agent-memory forget 1773679871839
  agent-memory forget 1773679871839 1773679871840
  agent-memory forget --hard --yes 1773679871839")]
pub(crate) struct Forget {
    /// The memories' ids
    #[arg(value_name = "ID", required = true)]
    ids: Vec<MemoryId>,

    /// Remove every trace that can be reached: in files, archive and ledger; what cannot be is named
    #[arg(long)]
    hard: bool,

    /// Do not ask
    #[arg(short, long)]
    yes: bool,
}

impl Forget {
    pub(crate) fn run(self, app: &mut App) -> Outcome<()> {
        let memory = app.memory_to_change()?;
        if self.hard && !self.yes {
            for id in &self.ids {
                memory.show(id)?;
            }
            let what = counted(self.ids.len() as u64, "memory");
            if !app.confirm(&format!("Remove every trace of {what} that can be reached?"), "--yes")? {
                return Err(Failure::declined("nothing was forgotten"));
            }
        }
        let how = if self.hard { How::Hard } else { How::Archive };
        let forgotten = memory.forget(&self.ids, how)?;
        app.wrote_memories(forgotten.ids.len());
        Ok(app.out.show(&Answer(&forgotten))?)
    }
}

struct Answer<'a>(&'a Forgotten);

impl Render for Answer<'_> {
    fn text(&self, page: &mut Page<'_>) -> std::io::Result<()> {
        for id in &self.0.ids {
            page.line(&[(Tone::Good, "forgot "), (Tone::Id, id.as_str())])?;
        }
        match &self.0.archive {
            Some(batch) => {
                page.say(&format!("archived as {batch}; bring it back with `agent-memory restore {batch}`"))?;
            }
            None if !self.0.still_in.is_empty() => {
                page.say("the memory folder still holds words of it, see below")?;
            }
            None => page.say("no trace is left in the memory folder")?,
        }
        if !self.0.unreachable.is_empty() {
            page.say("out of reach from here:")?;
        }
        for place in &self.0.unreachable {
            page.line(&[(Tone::Warn, "  - "), (Tone::Plain, place)])?;
        }
        Ok(())
    }

    fn json(&self) -> Value {
        json!({
            "ids": self.0.ids,
            "archive": self.0.archive,
            "stillIn": self.0.still_in,
            "unreachable": self.0.unreachable,
        })
    }
}
