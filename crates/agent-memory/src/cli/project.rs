//! `project`: the page that every agent should know, with the flags and words of the vault tool.

use std::io;
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use memory_engine::core::layout::Page as Sheet;
use memory_engine::{Error, Expect};
use serde_json::{Value, json};

use crate::app::{App, EditorOrder, Failure, Outcome, edited, limit_of};
use crate::output::{Page, Render};

/// Show or edit the project's page
#[derive(Args)]
#[command(after_help = "Examples:
  agent-memory project show
  EDITOR=nano agent-memory project edit")]
pub(crate) struct Project {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand)]
enum Verb {
    /// Print the page
    #[command(after_help = "Example:\n  agent-memory project show --json")]
    Show {},
    /// Open the page in $EDITOR
    #[command(after_help = "Example:\n  EDITOR=nano agent-memory project edit")]
    Edit {},
}

impl Project {
    pub(crate) fn run(self, app: &mut App) -> Outcome<()> {
        match self.verb {
            Verb::Show {} => show(app),
            Verb::Edit {} => edit(app),
        }
    }
}

fn show(app: &mut App) -> Outcome<()> {
    let (root, text) = match app.memory_if_any()? {
        Some(memory) => (memory.root().to_owned(), memory.page(Sheet::Project)?),
        None => (app.found()?.root, None),
    };
    Ok(app.out.show(&Shown { path: page_path(&root), text: text.as_deref() })?)
}

fn edit(app: &mut App) -> Outcome<()> {
    let memory = app.memory_to_fill()?;
    let old = memory.page(Sheet::Project)?.unwrap_or_default();
    let copy = edited("_project.md", &old, EditorOrder::EditorFirst, limit_of(&memory))?;
    if copy.code != 0 {
        let text = format!(
            "the editor ended with {}, so the page stays as it was; your text is in `{}`",
            copy.code,
            copy.file.display()
        );
        return Err(Failure::error("E_EDITOR", text));
    }
    let changed = copy.text != old;
    let mut masked = Vec::new();
    if changed {
        match memory.edit_page(Sheet::Project, &copy.text, &Expect::Text(old)) {
            Ok(redacted) => masked = redacted,
            Err(Error::Stale { .. }) => {
                let text = format!(
                    "the page changed while it was being edited: your text is in `{}`, bring both together",
                    copy.file.display()
                );
                return Err(Failure::error("E_STALE", text));
            }
            Err(error) => {
                app.out.warn(&format!("your text is kept in `{}`", copy.file.display()));
                return Err(error.into());
            }
        }
    }
    copy.discard();
    let path = page_path(memory.root());
    app.out.show(&Saved { path, changed })?;
    app.out.flush()?;
    app.tell_masked(&masked);
    Ok(())
}

fn page_path(root: &Path) -> PathBuf {
    root.join("_project.md")
}

struct Shown<'a> {
    path: PathBuf,
    text: Option<&'a str>,
}

impl Render for Shown<'_> {
    fn text(&self, page: &mut Page<'_>) -> io::Result<()> {
        match self.text {
            Some(text) => page.body(text),
            None => page.say("(file does not exist)"),
        }
    }

    fn json(&self) -> Value {
        let content = self.text.unwrap_or("");
        json!({ "path": self.path.to_string_lossy(), "content": content, "exists": self.text.is_some() })
    }
}

struct Saved {
    path: PathBuf,
    changed: bool,
}

impl Render for Saved {
    fn text(&self, page: &mut Page<'_>) -> io::Result<()> {
        let word = if self.changed { "saved" } else { "unchanged" };
        page.say(&format!("{word} {}", self.path.display()))
    }

    fn json(&self) -> Value {
        json!({ "ok": true, "path": self.path.to_string_lossy(), "changed": self.changed })
    }
}
