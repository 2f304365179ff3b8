//! `process`: takes in what hooks told and what the clients' transcripts hold, once, with the flags, the text and the
//! JSON of the vault tool.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use memory_engine::core::id::AgentId;
use memory_engine::core::kind::Kind;
use memory_engine::core::session::Client;
use memory_engine::{Memory, Process as Asked, ProcessFrom, Processed};
use serde_json::{Value, json};

use crate::app::{App, Failure, Outcome};
use crate::cli::shown::counted;
use crate::cli::words::OneOf;
use crate::output::{Page, Render, Tone};

/// Take in what happened in the sessions of this project
#[derive(Args)]
#[command(after_help = "Examples:
  agent-memory process
  agent-memory process --agent dev --threshold 10
  agent-memory process --client codex --json
  agent-memory process --transcripts-dir ~/.cursor/projects/my-project/agent-transcripts")]
pub(crate) struct Process {
    /// Whose memories they become [default: the agent of the settings]
    #[arg(short, long, value_name = "AGENT")]
    agent: Option<AgentId>,

    /// Sessions in which nothing happened for so many minutes are handed over
    #[arg(long, value_name = "MINUTES", default_value = "5", value_parser = clap::value_parser!(u64).range(1..=A_YEAR))]
    threshold: u64,

    /// Read the transcripts in this folder instead of those of the clients
    #[arg(long, value_name = "PATH")]
    transcripts_dir: Option<PathBuf>,

    /// Only this client; with --transcripts-dir, the one that wrote them [default: all; cursor]
    #[arg(long, value_name = "CLIENT", value_parser = OneOf { parse: client, words: clients })]
    client: Option<Client>,

    /// Only the sessions to which hooks point, or all; leaves soon when another process is at it
    #[arg(long, hide = true, value_name = "WHICH")]
    background: Option<Background>,
}

/// The minutes of a year: whatever is older is handed over.
const A_YEAR: u64 = 366 * 24 * 60;

/// What a process in the background takes in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Background {
    Hooks,
    All,
}

/// The words for all clients.
pub(crate) fn clients() -> Vec<&'static str> {
    Client::all().map(Client::word).collect()
}

/// The client of a word.
pub(crate) fn client(word: &str) -> Result<Client, String> {
    Client::of_word(word)
        .ok_or_else(|| format!("this client is not known; known are {}", clients().join(", ")))
}

impl Process {
    pub(crate) fn run(self, app: &mut App) -> Outcome<()> {
        let memory = app.memory()?;
        let from = match self.transcripts_dir {
            Some(folder) if !folder.is_dir() => {
                let text = format!(
                    "there is no folder `{}`: name the one that holds the transcripts",
                    folder.display()
                );
                return Err(Failure::missing("E_NO_FILE", text));
            }
            Some(folder) => ProcessFrom::Folder(folder, self.client.unwrap_or(Client::Cursor)),
            None if self.background == Some(Background::Hooks) => ProcessFrom::Hooks,
            None => ProcessFrom::Clients(self.client.into_iter().collect()),
        };
        let asked = Asked {
            agent: self.agent,
            idle: Duration::from_secs(self.threshold.saturating_mul(60)),
            from,
            wait: Duration::from_secs(if self.background.is_some() { 3 } else { 60 }),
        };
        let bar = app.out.bar();
        let done = memory.process(&asked, &mut |at, of| bar.set(at, of))?;
        drop(bar);
        app.wrote_memories(done.kept.values().sum::<usize>() + done.handoffs);
        app.out.show(&Report(&done))?;
        app.out.flush()?;
        for (place, why) in done.errors.iter().chain(&done.defects) {
            app.out.warn(&format!("{place}: {why}"));
        }
        if done.busy {
            app.out.note("another process is taking sessions in right now");
        }
        if self.background.is_none() && !done.kept.is_empty() {
            tell_proposals(app, &memory);
        }
        if done.errors.is_empty() { Ok(()) } else { Err(Failure::Told(1)) }
    }
}

/// Says that something new may take the place of something older, where that waits for a person.
fn tell_proposals(app: &mut App, memory: &Memory) {
    // What cannot be looked at now is no reason to fail what is done already.
    let waiting = memory.review().map_or(0, |proposals| proposals.len());
    if waiting > 0 {
        let waiting = counted(waiting as u64, "proposal");
        app.out
            .note(&format!("{waiting} for newer memories to take the place of older: `agent-memory review`"));
    }
}

/// What became of it, in the words of the vault tool and with what it does not know.
pub(crate) struct Report<'a>(pub(crate) &'a Processed);

const LABEL: &str = "[agent-memory process] ";

impl Render for Report<'_> {
    fn text(&self, page: &mut Page<'_>) -> std::io::Result<()> {
        let done = self.0;
        let mut line = |text: String| page.line(&[(Tone::Dim, LABEL), (Tone::Plain, &text)]);
        if done.sessions == 0 && done.signals == 0 {
            return line("no sessions of this project yet".to_owned());
        }
        line(format!(
            "{}, {} up to date, {} with something new ({})",
            counted(done.sessions as u64, "session"),
            done.up_to_date,
            done.processed,
            counted(done.messages, "message")
        ))?;
        let mut kept: Vec<String> =
            done.kept.iter().map(|(kind, count)| counted(*count as u64, kind)).collect();
        kept.extend((done.handoffs > 0).then(|| counted(done.handoffs as u64, "handoff")));
        line(if kept.is_empty() {
            "nothing new was kept".to_owned()
        } else {
            format!("kept {}", kept.join(", "))
        })?;
        if done.taken_back > 0 {
            let count = counted(done.taken_back as u64, "memory");
            line(format!("took out {count} that the person took back; `agent-memory restore` lists them"))?;
        }
        Ok(())
    }

    fn json(&self) -> Value {
        let done = self.0;
        let told = |list: &[(String, String)]| -> Vec<Value> {
            list.iter().map(|(place, why)| json!({ "transcript": place, "error": why })).collect()
        };
        json!({
            "transcriptsProcessed": done.processed,
            "decisionsExtracted": done.kept_of(&Kind::Decision),
            "lessonsExtracted": done.kept_of(&Kind::Lesson),
            "handoffsGenerated": done.handoffs,
            "sessionsFound": done.sessions,
            "sessionsUpToDate": done.up_to_date,
            "messagesRead": done.messages,
            "takenBack": done.taken_back,
            "signals": done.signals,
            "kept": done.kept,
            "busy": done.busy,
            "errors": told(&done.errors),
            "defects": told(&done.defects),
        })
    }
}
