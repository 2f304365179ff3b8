//! `session`: conversations saved and recovered, and the handoff at the end of one.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use memory_engine::core::id::AgentId;
use memory_engine::core::session::saved::Saved;
use memory_engine::{Kept, SavedSession};
use serde_json::{Value, json};

use crate::app::{App, Failure, Outcome, Source};
use crate::cli::shown::counted;
use crate::output::{Page, Render, Tone, stdin_is_person};

/// Save, recover and end an agent's sessions
#[derive(Args)]
#[command(after_help = "Examples:
  agent-memory session list
  agent-memory session save dev --file conversation.json --chat-id chat_1
  agent-memory session recover dev
  agent-memory session sleep dev \"The cache is in. Next: the docs\"")]
pub(crate) struct Session {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand)]
enum Verb {
    /// Save a conversation, given as JSON: a list of messages, or an object that holds one
    #[command(after_help = "Example:
  echo '[{\"role\":\"user\",\"text\":\"Add a cache\"}]' | agent-memory session save dev")]
    Save {
        #[command(flatten)]
        of: Of,
        #[command(flatten)]
        said: Messages,
    },
    /// Print the conversation that was saved
    #[command(after_help = "Example:\n  agent-memory session load dev --json")]
    Load {
        #[command(flatten)]
        of: Of,
    },
    /// Print the tail of the last session, if it is younger than seven days
    #[command(after_help = "Example:\n  agent-memory session recover dev --json")]
    Recover {
        #[command(flatten)]
        of: Of,
    },
    /// End a session: keep a handoff, and with --file what was said as a snapshot
    #[command(after_help = "Examples:
  agent-memory session sleep dev \"The cache is in. Next: the docs\" --file conversation.json
  export-chat | agent-memory session sleep dev \"The cache is in. Next: the docs\" --file -")]
    Sleep {
        #[command(flatten)]
        of: Of,
        /// The handoff: what was done, what is open, what comes next
        #[arg(value_name = "SUMMARY", required = true)]
        summary: Vec<String>,
        #[command(flatten)]
        said: Messages,
    },
    /// List what can be recovered or resumed
    #[command(after_help = "Example:\n  agent-memory session list --json")]
    List,
}

#[derive(Args)]
struct Of {
    /// Whose session
    #[arg(value_name = "AGENT")]
    agent: AgentId,
}

#[derive(Args)]
struct Messages {
    /// Read the messages from a file; `-` is stdin
    #[arg(short, long, value_name = "FILE")]
    file: Option<PathBuf>,
    /// The chat, as the client calls it
    #[arg(long, value_name = "ID")]
    chat_id: Option<String>,
    /// The model
    #[arg(long, value_name = "ID")]
    model_id: Option<String>,
}

/// What is expected of messages.
const EXPECTED: &str = "`role` (`user`, `agent` or `assistant`) and `text` or `content`";
/// The longest conversation that is read.
const LARGEST: usize = 64 << 20;

impl Messages {
    /// Where they are named: a file, or `-` for stdin.
    fn named(&self) -> Option<Source> {
        let file = self.file.clone()?;
        Some(if file.as_os_str() == "-" { Source::Stdin } else { Source::File(file) })
    }

    /// The conversation; `None` when there is no text. What is left out of it is said.
    fn read(self, app: &mut App, source: Source) -> Outcome<Option<Saved>> {
        let text = source.read(LARGEST)?;
        if text.trim().is_empty() {
            return Ok(None);
        }
        let text = if text.trim_start().starts_with('[') { format!("{{\"messages\":{text}}}") } else { text };
        let (read, left_out) = Saved::read_counted(&text).map_err(|why| {
            Failure::error(
                "E_NO_CONVERSATION",
                format!("this is no conversation: {why}: give JSON with messages of {EXPECTED}"),
            )
        })?;
        match (read.messages.is_empty(), left_out) {
            (false, 0) => {}
            (true, 0) => {
                return Err(Failure::missing(
                    "E_NO_MESSAGES",
                    "the conversation has no messages, so what was saved before stays",
                ));
            }
            (true, count) => {
                return Err(Failure::missing(
                    "E_NO_MESSAGES",
                    format!("none of {count} messages can be read: each needs {EXPECTED}"),
                ));
            }
            (false, count) => app.out.note(&format!(
                "{} left out: without a text, or not of a person or an agent",
                counted(count as u64, "message")
            )),
        }
        Ok(Some(Saved {
            chat: self.chat_id.or(read.chat.clone()),
            model: self.model_id.or(read.model.clone()),
            ..read
        }))
    }
}

impl Session {
    pub(crate) fn run(self, app: &mut App) -> Outcome<()> {
        match self.verb {
            Verb::Save { of, said } => save(app, &of.agent, said),
            Verb::Load { of } => {
                let saved = app.memory()?.load_session(&of.agent)?;
                tell(app, &of.agent, saved, "no conversation was saved")
            }
            Verb::Recover { of } => {
                let saved = app.memory()?.recover(&of.agent)?;
                tell(app, &of.agent, saved, "there is nothing to recover that is younger than seven days")
            }
            Verb::Sleep { of, summary, said } => sleep(app, &of.agent, &summary.join(" "), said),
            Verb::List => {
                let all = app.memory()?.saved_sessions()?;
                Ok(app.out.show(&List(&all))?)
            }
        }
    }
}

fn save(app: &mut App, agent: &AgentId, said: Messages) -> Outcome<()> {
    let source = said.named().or_else(|| (!stdin_is_person()).then_some(Source::Stdin));
    let Some(saved) = source.map_or(Ok(None), |source| said.read(app, source))? else {
        return Err(Failure::usage("nothing to save: give `--file`, or pipe the messages in as JSON"));
    };
    let memory = app.memory_to_fill()?;
    memory.save_session(agent, &saved)?;
    Ok(app.out.show(&Done { agent, messages: saved.messages.len() })?)
}

fn sleep(app: &mut App, agent: &AgentId, summary: &str, said: Messages) -> Outcome<()> {
    // Who ends a session may leave stdin open for good, so it is read only where it is named.
    let read = match said.named() {
        Some(source) => said.read(app, source),
        None => Ok(said.chat_id.map(|chat| Saved { chat: Some(chat), ..Saved::default() })),
    };
    let memory = app.memory_to_fill()?;
    // A handoff does not hang on the messages.
    let kept = memory.sleep(agent, read.as_ref().ok().and_then(Option::as_ref), summary)?;
    app.wrote_memories(1);
    let saved = read.inspect_err(|_| app.out.note(&format!("the handoff is kept as `{}`", kept.id)))?;
    app.out.show(&Asleep { kept: &kept, messages: saved.map_or(0, |saved| saved.messages.len()) })?;
    app.out.flush()?;
    app.tell_masked(&kept.redacted);
    Ok(())
}

fn tell(app: &mut App, agent: &AgentId, saved: Option<Saved>, none: &str) -> Outcome<()> {
    match saved {
        Some(saved) => Ok(app.out.show(&Told(&saved))?),
        None => Err(Failure::missing(
            "E_NO_SESSION",
            format!("{none} for the agent `{agent}`: `agent-memory session list` shows what there is"),
        )),
    }
}

struct Done<'a> {
    agent: &'a AgentId,
    messages: usize,
}

impl Render for Done<'_> {
    fn text(&self, page: &mut Page<'_>) -> std::io::Result<()> {
        page.line(&[
            (Tone::Good, "saved "),
            (Tone::Plain, &format!("{} of ", counted(self.messages as u64, "message"))),
            (Tone::Strong, self.agent.as_str()),
        ])
    }

    fn json(&self) -> Value {
        json!({ "ok": true, "agentId": self.agent, "messages": self.messages })
    }
}

struct Asleep<'a> {
    kept: &'a Kept,
    messages: usize,
}

impl Render for Asleep<'_> {
    fn text(&self, page: &mut Page<'_>) -> std::io::Result<()> {
        let snapshot = match self.messages {
            0 => String::new(),
            count => format!("  and {} can be recovered", counted(count as u64, "message")),
        };
        page.line(&[
            (Tone::Good, "handed over "),
            (Tone::Id, self.kept.id.as_str()),
            (Tone::Dim, &format!("  {}{snapshot}", self.kept.file)),
        ])
    }

    fn json(&self) -> Value {
        json!({
            "ok": true,
            "id": self.kept.id,
            "file": self.kept.file,
            "messages": self.messages,
            "redacted": self.kept.redacted,
        })
    }
}

struct Told<'a>(&'a Saved);

impl Render for Told<'_> {
    fn text(&self, page: &mut Page<'_>) -> std::io::Result<()> {
        for said in &self.0.messages {
            page.line(&[(Tone::Strong, &format!("[{}]", said.role.word()))])?;
            page.indented(&said.text)?;
        }
        Ok(())
    }

    fn json(&self) -> Value {
        serde_json::from_str(&self.0.render_snapshot()).unwrap_or_default()
    }
}

struct List<'a>(&'a [SavedSession]);

impl Render for List<'_> {
    fn text(&self, page: &mut Page<'_>) -> std::io::Result<()> {
        if self.0.is_empty() {
            return page.line(&[(
                Tone::Dim,
                "(no sessions yet: they come with `agent-memory process` or `session save`)",
            )]);
        }
        for session in self.0 {
            let when = session
                .saved
                .map_or_else(|| "never saved".to_owned(), memory_engine::core::time::Time::minute);
            let state = if session.fresh { "recoverable" } else { "expired" };
            page.line(&[
                (Tone::Strong, &format!("{:<16}", session.agent)),
                (Tone::Plain, &format!("  {when}  {:>3} messages  ", session.messages)),
                (if session.fresh { Tone::Good } else { Tone::Dim }, state),
                (Tone::Dim, &session.chat.as_ref().map(|chat| format!("  {chat}")).unwrap_or_default()),
            ])?;
        }
        Ok(())
    }

    fn json(&self) -> Value {
        let session = |it: &SavedSession| {
            json!({
                "agentId": it.agent,
                "chatId": it.chat,
                "modelId": it.model,
                "savedAt": it.saved.map(memory_engine::core::time::Time::iso),
                "messages": it.messages,
                "recoverable": it.fresh,
            })
        };
        json!({ "sessions": self.0.iter().map(session).collect::<Vec<_>>() })
    }
}
