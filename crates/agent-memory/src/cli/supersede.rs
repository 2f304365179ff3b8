//! `supersede`: says that one memory took the place of another, or takes that back.

use clap::Args;
use memory_engine::core::id::MemoryId;
use memory_engine::{Supersede as Wish, Superseded};
use serde_json::{Value, json};

use crate::app::{App, Failure, Outcome};
use crate::output::{Page, Render, Tone, folded};

/// Say that one memory took the place of another
#[derive(Args)]
#[command(after_help = "Examples:
  agent-memory supersede 1773679871839 1773679990000
  agent-memory supersede --undo 1773679871839
  agent-memory search --as-of 2026-03-01 which port

The old memory keeps its text and its place, and no longer answers a search; `search --superseded` finds it.")]
pub(crate) struct Supersede {
    /// The memory that no longer holds
    #[arg(value_name = "OLD", required_unless_present = "undo")]
    old: Option<MemoryId>,

    /// The memory that holds instead
    #[arg(value_name = "NEW", required_unless_present = "undo")]
    new: Option<MemoryId>,

    /// Let this one hold again
    #[arg(long, value_name = "OLD", conflicts_with_all = ["old", "new"])]
    undo: Option<MemoryId>,
}

impl Supersede {
    pub(crate) fn run(self, app: &mut App) -> Outcome<()> {
        let wish = match (self.undo, self.old, self.new) {
            (Some(old), ..) => Wish::Undo(old),
            (None, Some(old), Some(new)) => Wish::By { old, new },
            _ => return Err(Failure::usage("name the memory that no longer holds and the one that does")),
        };
        let memory = app.memory_to_change()?;
        let done = memory.supersede(&wish)?;
        app.wrote_memories(usize::from(done.changed) * 2);
        let undone = matches!(wish, Wish::Undo(_));
        Ok(app.out.show(&Answer { done: &done, undone })?)
    }
}

struct Answer<'a> {
    done: &'a Superseded,
    undone: bool,
}

impl Render for Answer<'_> {
    fn text(&self, page: &mut Page<'_>) -> std::io::Result<()> {
        let memory = &self.done.old.memory;
        let id = (Tone::Id, memory.id.as_str());
        let new = self.done.new.as_ref().map_or("", MemoryId::as_str);
        match (self.undone, self.done.changed) {
            (false, true) => {
                page.line(&[(Tone::Good, "superseded "), id, (Tone::Plain, " by "), (Tone::Id, new)])?;
            }
            (false, false) => {
                page.line(&[id, (Tone::Plain, " is superseded already by "), (Tone::Id, new)])?;
            }
            (true, true) => page.line(&[id, (Tone::Good, " holds again")])?,
            (true, false) => page.line(&[id, (Tone::Plain, " is not superseded")])?,
        }
        page.indented(&folded(memory.heading(), 100))
    }

    fn json(&self) -> Value {
        let memory = &self.done.old.memory;
        json!({
            "id": memory.id,
            "supersededBy": memory.superseded_by(),
            "supersededAt": memory.superseded_at().map(|at| at.iso()),
            "was": self.done.new.as_ref().filter(|_| self.undone),
            "changed": self.done.changed,
        })
    }
}
