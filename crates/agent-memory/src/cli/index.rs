//! `index`: how the index is, and bringing it up to date. It is a cache: answers never hang on it, only their speed.

use std::io;

use clap::{Args, Subcommand};
use memory_engine::{IndexState, Memory, Update as How, Updated};
use serde_json::{Value, json};

use crate::app::{App, Failure, Outcome};
use crate::cli::shown::{counted, sized};
use crate::output::{Page, Render, Tone};

/// Look at the index that makes search fast, or bring it up to date
#[derive(Args)]
#[command(after_help = "Examples:
  agent-memory index status
  agent-memory index update
  agent-memory index rebuild

The index is a cache. It follows by itself in the background, and deleting it changes no answer.
AGENT_MEMORY_NO_BACKGROUND=1 keeps it from following by itself, and hooks from starting `process`.")]
pub(crate) struct Index {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Status(Status),
    Update(Update),
    Rebuild(Rebuild),
}

/// Tell what the index holds and what it lacks
#[derive(Args)]
#[command(after_help = "Examples:
  agent-memory index status
  agent-memory index status --json")]
struct Status {}

/// Put into the index what it lacks
#[derive(Args)]
#[command(after_help = "Examples:
  agent-memory index update
  agent-memory index update --quiet")]
struct Update {}

/// Make the index anew
#[derive(Args)]
#[command(after_help = "Example:
  agent-memory index rebuild")]
struct Rebuild {}

impl Index {
    pub(crate) fn run(self, app: &mut App) -> Outcome<()> {
        let memory = app.memory()?;
        match self.command {
            Command::Status(_) => Ok(app.out.show(&Report(&memory.index_state()?))?),
            Command::Update(_) => {
                let updated = follow(app, &memory, How::Behind)?;
                Ok(app.out.show(&Done(updated))?)
            }
            Command::Rebuild(_) => match follow(app, &memory, How::Anew)? {
                Updated::Busy => {
                    let text = "another process is writing the index: try again when it is done";
                    Err(Failure::error("E_BUSY", text))
                }
                updated => Ok(app.out.show(&Done(updated))?),
            },
        }
    }
}

fn follow(app: &mut App, memory: &Memory, how: How) -> Outcome<Updated> {
    let bar = app.out.bar();
    Ok(memory.update_index(how, &mut |done, all| bar.set(done, all))?)
}

struct Done(Updated);

impl Render for Done {
    fn text(&self, page: &mut Page<'_>) -> io::Result<()> {
        match self.0 {
            Updated::Done(0) => page.say("the index is up to date"),
            Updated::Done(count) => {
                page.line(&[(Tone::Good, "indexed "), (Tone::Plain, &counted(count as u64, "memory"))])
            }
            Updated::Busy => page.say("another process is already writing the index"),
        }
    }

    fn json(&self) -> Value {
        match self.0 {
            Updated::Done(count) => json!({ "ok": true, "indexed": count, "busy": false }),
            Updated::Busy => json!({ "ok": true, "indexed": 0, "busy": true }),
        }
    }
}

struct Report<'a>(&'a IndexState);

impl Render for Report<'_> {
    fn text(&self, page: &mut Page<'_>) -> io::Result<()> {
        let state = self.0;
        let (tone, how) = match (&state.broken, state.usable) {
            (Some(why), _) => (Tone::Warn, format!("cannot be used: {why}")),
            (None, false) => (Tone::Plain, "not there yet".to_owned()),
            (None, true) if state.behind == 0 => (Tone::Good, "up to date".to_owned()),
            (None, true) => (Tone::Plain, "behind".to_owned()),
        };
        for (tone, name, value) in [
            (tone, "index", how),
            (Tone::Plain, "memories", format!("{} in it, {} waiting", state.memories, state.behind)),
            (Tone::Plain, "operations", format!("{} of {}", state.seq, state.head)),
            (Tone::Plain, "segments", format!("{}, {} dead rows", state.segments, state.dead)),
            (Tone::Plain, "size", sized(state.bytes)),
            (Tone::Plain, "model", state.model.clone()),
        ] {
            page.column(Tone::Strong, name, 10)?;
            page.line(&[(tone, &value)])?;
        }
        Ok(())
    }

    fn json(&self) -> Value {
        state_json(self.0)
    }
}

/// The state for programs.
pub(crate) fn state_json(state: &IndexState) -> Value {
    json!({
        "usable": state.usable,
        "broken": state.broken,
        "memories": state.memories,
        "behind": state.behind,
        "seq": state.seq,
        "head": state.head,
        "dead": state.dead,
        "segments": state.segments,
        "bytes": state.bytes,
        "model": state.model,
    })
}
