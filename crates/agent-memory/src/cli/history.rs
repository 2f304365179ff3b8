//! `history`: the versions of one memory, oldest first.

use clap::Args;
use memory_engine::Version;
use memory_engine::core::id::MemoryId;
use serde_json::{Value, json};

use crate::app::{App, Outcome};
use crate::output::{Page, Render, Tone};

/// Show the versions of a memory
#[derive(Args)]
#[command(after_help = "Examples:
  agent-memory history 1773679871839
  agent-memory history 1773679871839 --json")]
pub(crate) struct History {
    /// The memory's id
    #[arg(value_name = "ID")]
    id: MemoryId,
}

impl History {
    pub(crate) fn run(self, app: &mut App) -> Outcome<()> {
        let memory = app.memory()?;
        let versions = memory.history(&self.id)?;
        Ok(app.out.show(&Versions { id: &self.id, versions: &versions })?)
    }
}

/// What happened, for people; programs get the word itself.
fn in_words(what: &str) -> &str {
    match what {
        "put" => "added",
        "edit" => "edited",
        "remove" => "removed",
        "restore" => "restored",
        "found-new" => "found in the file",
        "found-edit" => "edited in the file",
        "found-gone" => "removed from the file",
        other => other,
    }
}

struct Versions<'a> {
    id: &'a MemoryId,
    versions: &'a [Version],
}

impl Render for Versions<'_> {
    fn text(&self, page: &mut Page<'_>) -> std::io::Result<()> {
        for version in self.versions {
            page.line(&[
                (Tone::Strong, &version.at.iso()),
                (Tone::Plain, &format!("  {}", in_words(version.what))),
                (Tone::Good, if version.current { "  current" } else { "" }),
                (
                    Tone::Dim,
                    &version
                        .archive
                        .as_ref()
                        .map(|name| format!("  (the text before it: {name})"))
                        .unwrap_or_default(),
                ),
            ])?;
            match &version.text {
                Some(text) => page.indented(text)?,
                None => page.line(&[(Tone::Dim, "  (the text of this version is no longer kept)")])?,
            }
        }
        Ok(())
    }

    fn json(&self) -> Value {
        let versions = self.versions.iter().map(|it| {
            json!({ "at": it.at.iso(), "what": it.what, "text": it.text, "archive": it.archive, "current": it.current })
        });
        json!({ "id": self.id, "versions": versions.collect::<Vec<_>>() })
    }
}
