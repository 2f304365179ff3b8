//! `sync-checkpoints`: snapshots brought up to the conversations that other programs saved, in the words of the
//! vault tool. A name in a file that is no agent's is refused, where the vault tool wrote wherever it led.

use clap::Args;
use memory_engine::{SyncHow, Synced};
use serde_json::{Value, json};

use crate::app::{App, Failure, Outcome};
use crate::output::{Page, Render, Tone};

/// Bring snapshots up to the files in `conversations/`
#[derive(Args)]
#[command(after_help = "Examples:
  agent-memory sync-checkpoints
  agent-memory sync-checkpoints --force --json")]
pub(crate) struct SyncCheckpoints {
    /// Also where the snapshot is not older than the conversation
    #[arg(long)]
    force: bool,
}

impl SyncCheckpoints {
    pub(crate) fn run(self, app: &mut App) -> Outcome<()> {
        let how = if self.force { SyncHow::Forced } else { SyncHow::Newer };
        let done = app.memory_to_change()?.sync_checkpoints(how)?;
        app.out.show(&Report(&done))?;
        for (agent, why) in &done.errors {
            app.out.warn(&format!("{agent}: {why}"));
        }
        if done.errors.is_empty() { Ok(()) } else { Err(Failure::Told(1)) }
    }
}

struct Report<'a>(&'a Synced);

impl Render for Report<'_> {
    fn text(&self, page: &mut Page<'_>) -> std::io::Result<()> {
        let Synced { synced, skipped, errors } = self.0;
        if synced.is_empty() && skipped.is_empty() && errors.is_empty() {
            return page.line(&[(Tone::Dim, "(no conversation JSON files under conversations/)")]);
        }
        if !synced.is_empty() {
            page.line(&[(Tone::Good, "Synced: "), (Tone::Plain, &synced.join(", "))])?;
        }
        if !skipped.is_empty() {
            page.line(&[(Tone::Plain, &format!("Skipped (checkpoint up to date): {}", skipped.join(", ")))])?;
        }
        Ok(())
    }

    fn json(&self) -> Value {
        let errors = self.0.errors.iter().map(|(agent, why)| json!({ "agentId": agent, "error": why }));
        json!({ "synced": self.0.synced, "skipped": self.0.skipped, "errors": errors.collect::<Vec<_>>() })
    }
}
