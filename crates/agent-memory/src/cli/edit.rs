//! `edit`: gives a memory a new text or new tags.

use std::path::PathBuf;

use clap::Args;
use memory_engine::core::id::MemoryId;
use memory_engine::{Change, Edited, Entry, Expect, Memory};
use serde_json::Value;

use crate::app::{App, EditorOrder, Failure, Outcome, Source, edited, limit_of};
use crate::cli::shown;
use crate::cli::words::Tags;
use crate::output::{Page, Render, Tone, stdin_is_person};

/// Change a memory: in your editor, or with a text given
#[derive(Args)]
#[command(after_help = "Examples:
  agent-memory edit 1773679871839
  agent-memory edit 1773679871839 \"We decided to use WebSockets after all\"
  agent-memory edit 1773679871839 --file decision.md
  agent-memory edit 1773679871839 --tags sse,proxy
  fmt notes.txt | agent-memory edit 1773679871839")]
pub(crate) struct Edit {
    /// The memory's id
    #[arg(value_name = "ID")]
    id: MemoryId,

    /// The new text, `-` for stdin; without it, --content or --file, stdin is read, or your editor opens
    #[arg(value_name = "TEXT", conflicts_with_all = ["content", "file"])]
    text: Vec<String>,

    /// The new text as a flag's value
    #[arg(short, long, value_name = "TEXT", allow_hyphen_values = true)]
    content: Option<String>,

    /// Read the new text from a file
    #[arg(short, long, value_name = "FILE", conflicts_with = "content")]
    file: Option<PathBuf>,

    /// The new tags
    #[arg(short, long, value_name = "A,B")]
    tags: Option<Tags>,
}

impl Edit {
    pub(crate) fn run(self, app: &mut App) -> Outcome<()> {
        let memory = app.memory_to_change()?;
        let before = memory.show(&self.id)?;
        let given = if self.text.is_empty() {
            self.content.map(Source::Given)
        } else {
            Some(Source::words(&self.text))
        };
        let source = match (given, self.file) {
            (Some(given), _) => Some(given),
            (None, Some(file)) => Some(Source::File(file)),
            (None, None) if self.tags.is_some() => None,
            (None, None) if stdin_is_person() => {
                let edited = in_editor(app, &memory, &before)?;
                return answer(app, &edited, &before);
            }
            (None, None) => Some(Source::Stdin),
        };
        let mut edited = Edited { entry: before.clone(), redacted: Vec::new() };
        if let Some(source) = source {
            let text = source.read(limit_of(&memory))?;
            edited = memory.edit(&self.id, Change::Text(text), &Expect::Anything)?;
        }
        if let Some(tags) = self.tags {
            let tagged = memory.edit(&self.id, Change::Tags(tags.0), &Expect::Anything)?;
            edited.entry = tagged.entry;
            edited.redacted.extend(tagged.redacted);
        }
        answer(app, &edited, &before)
    }
}

fn answer(app: &mut App, edited: &Edited, before: &Entry) -> Outcome<()> {
    let changed = edited.entry.memory != before.memory;
    app.wrote_memories(usize::from(changed));
    app.out.show(&Answer { edited, changed })?;
    app.out.flush()?;
    app.tell_masked(&edited.redacted);
    Ok(())
}

/// Lets a person edit a copy and saves it only if the memory still says what the person saw.
fn in_editor(app: &mut App, memory: &Memory, before: &Entry) -> Outcome<Edited> {
    let id = &before.memory.id;
    let old = before.memory.body.as_str();
    let copy = edited("memory.md", &format!("{old}\n"), EditorOrder::VisualFirst, limit_of(memory))?;
    if copy.code != 0 {
        let text = format!(
            "the editor ended with {}, so `{id}` stays as it was; your text is in `{}`",
            copy.code,
            copy.file.display()
        );
        return Err(Failure::error("E_EDITOR", text));
    }
    if copy.text.trim_end() == old {
        copy.discard();
        return Ok(Edited { entry: before.clone(), redacted: Vec::new() });
    }
    match memory.edit(id, Change::Text(copy.text.clone()), &Expect::Text(old.to_owned())) {
        Ok(edited) => {
            copy.discard();
            Ok(edited)
        }
        Err(error) => {
            app.out.warn(&format!("your text is kept in `{}`", copy.file.display()));
            Err(error.into())
        }
    }
}

struct Answer<'a> {
    edited: &'a Edited,
    changed: bool,
}

impl Render for Answer<'_> {
    fn text(&self, page: &mut Page<'_>) -> std::io::Result<()> {
        let id = self.edited.entry.memory.id.as_str();
        let (tone, words) = if self.changed { (Tone::Good, "edited ") } else { (Tone::Plain, "unchanged ") };
        page.line(&[
            (tone, words),
            (Tone::Id, id),
            (Tone::Plain, "  "),
            (Tone::Dim, &shown::lines(&self.edited.entry)),
        ])
    }

    fn json(&self) -> Value {
        let mut value = shown::whole(&self.edited.entry);
        if let Value::Object(fields) = &mut value {
            fields.insert("changed".to_owned(), self.changed.into());
            fields.insert("redacted".to_owned(), self.edited.redacted.as_slice().into());
        }
        value
    }
}
