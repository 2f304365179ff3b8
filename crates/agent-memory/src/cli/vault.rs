//! `vault`: an agent's categories with the flags, words and codes of the vault tool.
//!
//! One difference is meant: editing an id that is not there is an error here, where the vault tool claimed success.

use std::io;
use std::path::PathBuf;

use clap::{Args, Subcommand};
use memory_engine::core::id::{AgentId, Category, MemoryId};
use memory_engine::core::kind::Kind;
use memory_engine::core::scope::Scope;
use memory_engine::core::time::Time;
use memory_engine::{Change, Draft, Entry, Error, Expect, Filter, Forget, Memory, Outcome as Kept};
use serde_json::{Value, json};

use crate::app::{App, Failure, Outcome, Source, limit_of};
use crate::cli::shown;
use crate::cli::wanted::class_of;
use crate::cli::words::Tags;
use crate::output::{Format, Page, Render, folded, stdin_is_person};

/// Work with one agent's categories
#[derive(Args)]
#[command(after_help = "Examples:
  agent-memory vault list dev decisions
  agent-memory vault add dev decisions -c \"We decided to use SSE #sse\"
  echo \"- [ ] write the changelog\" | agent-memory vault add dev tasks
  agent-memory vault delete dev tasks 1773679871839 --force")]
pub(crate) struct Vault {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand)]
enum Verb {
    /// List the entries of a category
    #[command(after_help = "Example:\n  agent-memory vault list dev decisions --json")]
    List {
        #[command(flatten)]
        category: In,
    },
    /// Print the text of an entry
    #[command(after_help = "Example:\n  agent-memory vault get dev decisions 1773679871839")]
    Get {
        #[command(flatten)]
        entry: One,
    },
    /// Add an entry and print its id
    #[command(
        after_help = "Example:\n  agent-memory vault add dev lessons -t ci,cache -c \"Clear the cache\""
    )]
    Add {
        #[command(flatten)]
        category: In,
        #[command(flatten)]
        text: Text,
        /// Tags in place of the #words of the text
        #[arg(short, long, value_name = "A,B")]
        tags: Option<Tags>,
    },
    /// Give an entry a new text
    #[command(
        after_help = "Example:\n  agent-memory vault edit dev decisions 1773679871839 -c \"We changed our mind\""
    )]
    Edit {
        #[command(flatten)]
        entry: One,
        #[command(flatten)]
        text: Text,
    },
    /// Delete an entry; it goes to the archive
    #[command(after_help = "Example:\n  agent-memory vault delete dev decisions 1773679871839 --force")]
    Delete {
        #[command(flatten)]
        entry: One,
        /// Do not ask
        #[arg(long)]
        force: bool,
    },
}

#[derive(Args)]
struct In {
    /// Whose vault
    #[arg(value_name = "AGENT")]
    agent: AgentId,
    /// Which category: decisions, lessons, tasks, projects, handoffs or a configured one
    #[arg(value_name = "CATEGORY")]
    category: String,
}

#[derive(Args)]
struct One {
    #[command(flatten)]
    place: In,
    /// The entry's id
    #[arg(value_name = "ID")]
    id: MemoryId,
}

#[derive(Args)]
struct Text {
    /// The text
    #[arg(short, long, value_name = "TEXT", allow_hyphen_values = true)]
    content: Option<String>,
    /// Read the text from a file
    #[arg(short, long, value_name = "FILE", conflicts_with = "content")]
    file: Option<PathBuf>,
}

impl Vault {
    pub(crate) fn run(self, app: &mut App) -> Outcome<()> {
        match self.verb {
            Verb::List { category } => list(app, &category),
            Verb::Get { entry } => {
                let found = app.memory_if_any()?;
                let category = entry.place.checked(found.as_ref())?;
                let entry = entry.find(found.as_ref(), &category)?;
                Ok(app.out.show(&Content(&entry))?)
            }
            Verb::Add { category, text, tags } => add(app, &category, text, tags),
            Verb::Edit { entry, text } => {
                let source = text.source()?;
                let memory = app.memory_to_change().map_err(|failure| entry.no_root(failure))?;
                let category = entry.place.checked(Some(&memory))?;
                entry.find(Some(&memory), &category)?;
                let change = Change::Text(source.read(limit_of(&memory))?);
                let redacted = memory.edit(&entry.id, change, &Expect::Anything)?.redacted;
                app.wrote_memories(1);
                let done = Done {
                    words: "Updated.",
                    ok: true,
                    entry: &entry,
                    category: &category,
                    redacted: &redacted,
                };
                app.out.show(&done)?;
                app.out.flush()?;
                app.tell_masked(&redacted);
                Ok(())
            }
            Verb::Delete { entry, force } => delete(app, &entry, force),
        }
    }
}

fn list(app: &mut App, place: &In) -> Outcome<()> {
    let found = app.memory_if_any()?;
    let category = place.checked(found.as_ref())?;
    let filter =
        Filter { agent: Some(place.agent.clone()), category: Some(category.clone()), ..Filter::default() };
    let json = app.out.format() == Format::Json;
    let mut rows = 0_usize;
    let mut broken = None;
    if json {
        let head = json!({ "agentId": place.agent, "category": category }).to_string();
        app.out.exact(head.trim_end_matches('}').as_bytes())?;
        app.out.exact(b",\"entries\":[")?;
    }
    if let Some(memory) = found {
        memory.each(&filter, &mut |entry| {
            let row = Row(&entry);
            let written = match json {
                true => {
                    let comma: &[u8] = if rows == 0 { b"" } else { b"," };
                    app.out.exact(comma).and_then(|()| app.out.exact(row.json().to_string().as_bytes()))
                }
                false => app.out.show(&row),
            };
            rows += 1;
            broken = written.err();
            Ok(broken.is_none())
        })?;
    }
    if let Some(error) = broken {
        return Err(error.into());
    }
    match (json, rows) {
        (true, _) => app.out.exact(b"]}\n")?,
        (false, 0) => app.out.page().say("(empty)")?,
        (false, _) => {}
    }
    Ok(())
}

fn add(app: &mut App, place: &In, text: Text, tags: Option<Tags>) -> Outcome<()> {
    let source = text.source()?;
    let config = app.memory_if_any()?;
    let category = place.checked(config.as_ref())?;
    let memory = app.memory_to_fill()?;
    let mut draft = Draft::note(&source.read(limit_of(&memory))?);
    draft.kind = Some(Kind::of_word(category.as_str()));
    draft.scope = Some(Scope::Agent(place.agent.clone()));
    draft.tags = tags.map(|tags| tags.0);
    draft.provenance.class = class_of(None, memory.config())?;
    let kept = memory.remember(draft)?;
    app.wrote_memories(1);
    if app.out.format() == Format::Json {
        let entry = memory.show(&kept.id)?;
        app.out.json(&vault_entry(&entry))?;
    } else {
        app.out.page().say(kept.id.as_str())?;
    }
    app.out.flush()?;
    app.tell_masked(&kept.redacted);
    if matches!(kept.outcome, Kept::Duplicate) {
        app.out.note("the same text was already there");
    }
    Ok(())
}

fn delete(app: &mut App, one: &One, force: bool) -> Outcome<()> {
    let memory = app.memory_to_change().map_err(|failure| one.no_root(failure))?;
    let category = one.place.checked(Some(&memory))?;
    if !force && !stdin_is_person() {
        let text = "Non-interactive delete requires --force".to_owned();
        return Err(Failure::Verbatim { code: "E_NEEDS_CONFIRMATION", exit: 2, text });
    }
    one.find(Some(&memory), &category)?;
    if !force && !app.out.ask(&format!("Delete entry {}? [y/N] ", one.id))? {
        return Ok(app.out.show(&Done {
            words: "Cancelled.",
            ok: false,
            entry: one,
            category: &category,
            redacted: &[],
        })?);
    }
    let forgotten = memory.forget(std::slice::from_ref(&one.id), Forget::Archive)?;
    app.wrote_memories(1);
    app.out.show(&Done { words: "Deleted.", ok: true, entry: one, category: &category, redacted: &[] })?;
    app.out.flush()?;
    if let Some(batch) = forgotten.archive {
        app.out.note(&format!("bring it back with `agent-memory restore {batch}`"));
    }
    Ok(())
}

impl In {
    /// The category, if it is one of those that this memory knows.
    fn checked(&self, memory: Option<&Memory>) -> Outcome<Category> {
        let known = match memory {
            Some(memory) => memory.config().config.categories(),
            None => Memory::settings()?.config.categories(),
        };
        if let Some(category) = known.iter().find(|it| it.as_str() == self.category) {
            return Ok(category.clone());
        }
        let words: Vec<&str> = known.iter().map(Category::as_str).collect();
        let text = format!("Invalid category \"{}\". Use one of: {}", self.category, words.join(", "));
        Err(Failure::Verbatim { code: "E_BAD_CATEGORY", exit: 1, text })
    }
}

impl One {
    fn find(&self, memory: Option<&Memory>, category: &Category) -> Outcome<Entry> {
        let Some(memory) = memory else { return Err(self.missing()) };
        match memory.show(&self.id) {
            Ok(entry)
                if entry.agent().as_ref() == Some(&self.place.agent)
                    && entry.category().as_ref() == Some(category) =>
            {
                Ok(entry)
            }
            Ok(_) => Err(self.missing()),
            Err(error) if error.is_not_found() => Err(self.missing()),
            Err(error) => Err(error.into()),
        }
    }

    fn missing(&self) -> Failure {
        Failure::Verbatim { code: "E_NOT_FOUND", exit: 2, text: format!("No entry with id {}", self.id) }
    }

    /// Where there is no memory at all, there is no such entry either.
    fn no_root(&self, failure: Failure) -> Failure {
        if matches!(failure, Failure::Engine(Error::NoRoot { .. })) { self.missing() } else { failure }
    }
}

impl Text {
    fn source(self) -> Outcome<Source> {
        match (self.content, self.file) {
            (Some(text), _) => Ok(Source::Given(text)),
            (None, Some(file)) => Ok(Source::File(file)),
            (None, None) if stdin_is_person() => Err(Failure::Verbatim {
                code: "E_EMPTY",
                exit: 1,
                text: "Provide --content, --file, or pipe content on stdin.".to_owned(),
            }),
            (None, None) => Ok(Source::Stdin),
        }
    }
}

/// An entry with the vault tool's field names.
fn vault_entry(entry: &Entry) -> Value {
    json!({
        "id": entry.memory.id,
        "date": entry.memory.dated().map(Time::minute),
        "content": entry.memory.body.as_str(),
        "tags": entry.memory.tags,
        "agentId": entry.agent(),
        "category": entry.category(),
    })
}

struct Row<'a>(&'a Entry);

impl Row<'_> {
    fn snippet(&self) -> String {
        folded(self.0.memory.body.as_str(), 120)
    }
}

impl Render for Row<'_> {
    fn text(&self, page: &mut Page<'_>) -> io::Result<()> {
        let memory = &self.0.memory;
        page.say(&format!("{}\t{}\t{}", memory.id, shown::date(self.0), self.snippet()))
    }

    fn json(&self) -> Value {
        let memory = &self.0.memory;
        json!({ "id": memory.id, "date": memory.dated().map(Time::minute), "tags": memory.tags, "snippet": self.snippet() })
    }
}

struct Content<'a>(&'a Entry);

impl Render for Content<'_> {
    fn text(&self, page: &mut Page<'_>) -> io::Result<()> {
        page.body(self.0.memory.body.as_str())
    }

    fn json(&self) -> Value {
        vault_entry(self.0)
    }
}

struct Done<'a> {
    words: &'static str,
    ok: bool,
    entry: &'a One,
    category: &'a Category,
    redacted: &'a [&'static str],
}

impl Render for Done<'_> {
    fn text(&self, page: &mut Page<'_>) -> io::Result<()> {
        page.say(self.words)
    }

    fn json(&self) -> Value {
        let mut value = json!({
            "ok": self.ok,
            "agentId": self.entry.place.agent,
            "category": self.category,
            "id": self.entry.id,
        });
        if let Some(fields) = value.as_object_mut().filter(|_| !self.redacted.is_empty()) {
            fields.insert("redacted".to_owned(), json!(self.redacted));
        }
        value
    }
}
