//! `restore`: brings back what was archived, or lists what the archive holds.

use clap::Args;
use memory_engine::core::scope::Audience;
use memory_engine::{ArchiveBatch, Restored};
use serde_json::{Value, json};

use crate::app::{App, Outcome};
use crate::cli::shown::counted;
use crate::output::{Page, Render, Tone, folded};

/// Bring back what was archived; without a name, list the archive
#[derive(Args)]
#[command(after_help = "Examples:
  agent-memory restore
  agent-memory restore 1773679871839
  agent-memory restore forget-20260316T165109123Z")]
pub(crate) struct Restore {
    /// A memory's id or the name of an archived batch
    #[arg(value_name = "NAME")]
    name: Option<String>,
}

impl Restore {
    pub(crate) fn run(self, app: &mut App) -> Outcome<()> {
        match self.name {
            Some(name) => {
                let memory = app.memory_to_change()?;
                let restored = memory.restore(&name)?;
                app.wrote_memories(restored.ids.len());
                Ok(app.out.show(&Answer(&restored))?)
            }
            None => {
                let batches = match app.memory_if_any()? {
                    Some(memory) => {
                        let agent = memory.config().asker().cloned();
                        memory.archive(&Audience { agent, ..Audience::default() })?
                    }
                    None => Vec::new(),
                };
                Ok(app.out.show(&Archive(&batches))?)
            }
        }
    }
}

struct Answer<'a>(&'a Restored);

impl Render for Answer<'_> {
    fn text(&self, page: &mut Page<'_>) -> std::io::Result<()> {
        for id in &self.0.ids {
            page.line(&[
                (Tone::Good, "restored "),
                (Tone::Id, id.as_str()),
                (Tone::Dim, &format!("  from {}", self.0.archive)),
            ])?;
        }
        for id in &self.0.skipped {
            page.line(&[(Tone::Plain, "already there "), (Tone::Id, id.as_str())])?;
        }
        for path in &self.0.files {
            page.line(&[(Tone::Good, "first bytes again "), (Tone::Plain, path)])?;
        }
        for (path, why) in &self.0.left {
            page.line(&[(Tone::Warn, "left as it is "), (Tone::Plain, &format!("{path}: {why}"))])?;
        }
        Ok(())
    }

    fn json(&self) -> Value {
        let left = self.0.left.iter().map(|(path, why)| json!({ "path": path, "why": why }));
        json!({
            "ids": self.0.ids,
            "skipped": self.0.skipped,
            "archive": self.0.archive,
            "files": self.0.files,
            "left": left.collect::<Vec<_>>(),
        })
    }
}

struct Archive<'a>(&'a [ArchiveBatch]);

impl Render for Archive<'_> {
    fn text(&self, page: &mut Page<'_>) -> std::io::Result<()> {
        if self.0.is_empty() {
            return page.say("(the archive is empty)");
        }
        for batch in self.0 {
            page.line(&[
                (Tone::Id, &batch.name),
                (Tone::Dim, &format!("  {}", batch.created.minute())),
                (Tone::Plain, &format!("  {}, {}", batch.reason, counted(batch.memories() as u64, "memory"))),
            ])?;
            for item in &batch.items {
                let heading = folded(&item.heading, 80);
                page.line(&[
                    (Tone::Plain, "  "),
                    (Tone::Id, item.id.as_str()),
                    (Tone::Dim, &format!("  {}  ", item.file)),
                    (Tone::Plain, &heading),
                ])?;
            }
            for file in &batch.files {
                let memories = match file.memories {
                    0 => String::new(),
                    some => format!("  {}", counted(some as u64, "memory")),
                };
                page.line(&[(Tone::Plain, &format!("  {}", file.path)), (Tone::Dim, &memories)])?;
            }
        }
        Ok(())
    }

    fn json(&self) -> Value {
        let batches = self.0.iter().map(|batch| {
            let items =
                batch.items.iter().map(|it| json!({ "id": it.id, "file": it.file, "heading": it.heading }));
            let files =
                batch.files.iter().map(|file| json!({ "path": file.path, "memories": file.memories }));
            json!({
                "name": batch.name,
                "reason": batch.reason,
                "created": batch.created.iso(),
                "items": items.collect::<Vec<_>>(),
                "files": files.collect::<Vec<_>>(),
            })
        });
        json!({ "archive": batches.collect::<Vec<_>>() })
    }
}
