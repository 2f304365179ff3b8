//! `show`: one memory, whole.

use clap::Args;
use memory_engine::Entry;
use memory_engine::core::id::MemoryId;
use serde_json::Value;

use crate::app::{App, Outcome};
use crate::cli::shown;
use crate::output::{Format, Page, Render, Tone};

/// Show one memory
#[derive(Args)]
#[command(after_help = "Examples:
  agent-memory show 1773679871839
  agent-memory show 1773679871839 --raw > decision.md
  agent-memory show 1773679871839 --json")]
pub(crate) struct Show {
    /// The memory's id
    #[arg(value_name = "ID")]
    id: MemoryId,

    /// Only the text, byte for byte where it does not go to a terminal
    #[arg(long)]
    raw: bool,
}

impl Show {
    pub(crate) fn run(self, app: &mut App) -> Outcome<()> {
        let memory = app.memory()?;
        let entry = memory.show(&self.id)?;
        let text = entry.memory.body.as_str();
        if self.raw && app.out.format() == Format::Text {
            if app.out.is_screen() {
                app.out.page().body(text)?;
            } else {
                app.out.exact(text.as_bytes())?;
                app.out.exact(b"\n")?;
            }
            return Ok(());
        }
        Ok(app.out.show(&Whole(&entry))?)
    }
}

struct Whole<'a>(&'a Entry);

impl Render for Whole<'_> {
    fn text(&self, page: &mut Page<'_>) -> std::io::Result<()> {
        let Self(entry) = self;
        let memory = &entry.memory;
        let mut tags = shown::tags(entry);
        if !tags.is_empty() {
            tags.insert_str(0, "  ");
        }
        page.line(&[
            (Tone::Id, memory.id.as_str()),
            (Tone::Plain, "  "),
            (Tone::Strong, &shown::place(entry)),
            (Tone::Plain, "  "),
            (Tone::Plain, &shown::date(entry)),
            (Tone::Plain, &tags),
            (Tone::Warn, &shown::doubt(entry).map_or(String::new(), |doubt| format!("  {doubt}"))),
            (Tone::Dim, &format!("  {}", shown::lines(entry))),
        ])?;
        if let (Some(by), Some(at)) = (memory.superseded_by(), memory.superseded_at()) {
            let since = if at.0 == 0 { String::new() } else { format!(" since {}", at.minute()) };
            page.line(&[(Tone::Warn, "superseded by "), (Tone::Id, by.as_str()), (Tone::Dim, &since)])?;
        }
        if let Some(title) = &memory.title {
            page.line(&[(Tone::Strong, title)])?;
        }
        page.say("")?;
        page.body(memory.body.as_str())
    }

    fn json(&self) -> Value {
        shown::whole(self.0)
    }
}
