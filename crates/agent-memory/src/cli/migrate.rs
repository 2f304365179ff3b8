//! `migrate`: turns flat files of an older version into vaults.

use clap::Args;
use memory_engine::{Migrate as How, Migrated};
use serde_json::{Value, json};

use crate::app::{App, Failure, Outcome};
use crate::cli::shown::counted;
use crate::output::{Page, Render};

/// Turn flat files (`<agent>.md`) into vaults
#[derive(Args)]
#[command(after_help = "Examples:
  agent-memory migrate --dry-run
  agent-memory migrate

Each `## ` section becomes a memory, and so does text before the first one; the file is kept as `<agent>.md.bak`.
Files that begin with `_` or `.`, MEMORY.md, LONGMEMORY.md, USER.md, README.md and the like are left alone.")]
pub(crate) struct Migrate {
    /// Say what would be done, and do nothing
    #[arg(long)]
    dry_run: bool,
}

impl Migrate {
    pub(crate) fn run(self, app: &mut App) -> Outcome<()> {
        let memory = if self.dry_run { app.memory()? } else { app.memory_to_change()? };
        let done = memory.migrate(if self.dry_run { How::Look } else { How::Now })?;
        let kept = done.migrated.iter().flat_map(|(_, counts)| counts.iter().map(|(_, count)| count)).sum();
        if !self.dry_run {
            app.wrote_memories(kept);
        }
        app.out.show(&Answer { done: &done, dry: self.dry_run })?;
        app.out.flush()?;
        for (agent, counts) in &done.migrated {
            let counts: Vec<String> =
                counts.iter().map(|(kind, count)| counted(*count as u64, kind)).collect();
            let what = if counts.is_empty() { "nothing to keep".to_owned() } else { counts.join(", ") };
            app.out.mention(&format!("{agent}: {what}"));
        }
        for (agent, why) in &done.skipped {
            app.out.mention(&format!("{agent} is skipped: {why}"));
        }
        for (file, why) in &done.left {
            app.out.warn(&format!("`{file}` is left as it is: {why}"));
        }
        if done.left.is_empty() { Ok(()) } else { Err(Failure::Told(1)) }
    }
}

struct Answer<'a> {
    done: &'a Migrated,
    dry: bool,
}

impl Answer<'_> {
    fn migrated(&self) -> Vec<&str> {
        self.done.migrated.iter().map(|(agent, _)| agent.as_str()).collect()
    }

    fn skipped(&self) -> Vec<&str> {
        self.done.skipped.iter().map(|(agent, _)| agent.as_str()).collect()
    }
}

impl Render for Answer<'_> {
    fn text(&self, page: &mut Page<'_>) -> std::io::Result<()> {
        let listed = |names: Vec<&str>| if names.is_empty() { "(none)".to_owned() } else { names.join(", ") };
        let word = if self.dry { "Would migrate" } else { "Migrated" };
        page.say(&format!("{word}: {}", listed(self.migrated())))?;
        page.say(&format!("Skipped: {}", listed(self.skipped())))
    }

    fn json(&self) -> Value {
        let mut value = json!({ "migrated": self.migrated(), "skipped": self.skipped() });
        if let Value::Object(fields) = &mut value {
            if !self.done.left.is_empty() {
                let left = self.done.left.iter().map(|(file, why)| json!({ "file": file, "why": why }));
                fields.insert("left".to_owned(), left.collect());
            }
            if self.dry {
                fields.insert("dryRun".to_owned(), true.into());
            }
        }
        value
    }
}
