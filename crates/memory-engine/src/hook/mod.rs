//! What a client's hook tells: the JSON that clients of many makes hand to `agent-memory hook` becomes one [`Signal`].
//!
//! Each client is a row of data (`dialect`): its names for events and fields. An event that no row knows is a value,
//! not an error; what a tool gave back is never taken along; text that we gave an agent ourselves is taken out.
//! [`reply`] is the other direction: the exact words in which a client takes context, or nothing.

mod dialect;
mod echo;
mod host;
mod reply;
#[cfg(test)]
mod tests;
mod tool;
mod wire;

use memory_core::id::{SessionId, TurnId};
use memory_core::redact::redact_beginning;
use memory_core::session::{Client, ToolCall};
use memory_core::time::Time;
use serde_json::Value;

use dialect::{Dialect, Sort};

pub use echo::without_injected;
pub use reply::{Opening, opening, reply, shape};
pub use wire::{MOST_BYTES, Unread};

/// Something that a hook told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Signal {
    /// The program in which it happened.
    pub client: Client,
    /// What that program calls the event.
    pub event: String,
    /// What happened.
    pub happened: Happened,
    /// The session.
    pub session: Option<SessionId>,
    /// The turn or prompt, by the client's name for it.
    pub turn: Option<TurnId>,
    /// The use of a tool, by the client's name for it.
    pub call: Option<TurnId>,
    /// The folder in which the agent works.
    pub cwd: Option<String>,
    /// Where the client writes the session down.
    pub transcript: Option<String>,
    /// The model.
    pub model: Option<String>,
    /// When it happened, where the client tells.
    pub at: Option<Time>,
    /// So many bytes of the text are missing here, because it was very long.
    pub cut: usize,
}

/// What happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Happened {
    /// A session began or went on.
    Started {
        /// Why, in the client's word, such as `startup`, `resume` or `compact`.
        source: Option<String>,
    },
    /// A person said something; the text is empty when the client only went on after a tool.
    Prompt {
        /// What was said.
        text: String,
    },
    /// The agent ended its turn.
    Reply {
        /// What it said last; some clients leave that to the transcript.
        text: Option<String>,
    },
    /// The agent used a tool; `failed` says how it went, where the client tells.
    Tool(ToolCall),
    /// The context is about to be compacted.
    Compacting,
    /// The context was compacted.
    Compacted {
        /// What it was compacted to.
        summary: Option<String>,
    },
    /// The session ended.
    Ended {
        /// Why, in the client's word.
        reason: Option<String>,
    },
    /// An agent that the agent itself started, which tells the agent what it found; nothing is kept of it here.
    Subagent,
    /// The client told the person something; nothing to keep.
    Notification,
    /// A known event from which nothing is kept, such as the moment before a tool runs.
    Passing,
    /// An event that no table knows.
    Unknown,
}

impl Happened {
    /// The word for it in files.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Started { .. } => "started",
            Self::Prompt { .. } => "prompt",
            Self::Reply { .. } => "reply",
            Self::Tool(_) => "tool",
            Self::Compacting => "compacting",
            Self::Compacted { .. } => "compacted",
            Self::Ended { .. } => "ended",
            Self::Subagent => "subagent",
            Self::Notification => "notification",
            Self::Passing => "passing",
            Self::Unknown => "unknown",
        }
    }

    /// Whether there is anything in it for later.
    pub fn is_kept(&self) -> bool {
        match self {
            Self::Subagent | Self::Notification | Self::Passing | Self::Unknown => false,
            Self::Prompt { text } => !text.is_empty(),
            _ => true,
        }
    }
}

/// A call of a hook: what the client was said to be, and what it handed over.
#[derive(Debug, Clone, Copy)]
pub struct Call<'a> {
    /// The client whose file named the hook; another one may be running it.
    pub named: Client,
    /// The event, for clients whose JSON does not tell.
    pub event: Option<&'a str>,
    /// The JSON.
    pub bytes: &'a [u8],
}

/// The longest text that a signal holds; the transcript has the rest.
const MOST_TEXT: usize = 256 << 10;

/// Reads what a hook was handed. `environment` gives a variable by its name.
pub fn read(call: Call<'_>, environment: &dyn Fn(&str) -> Option<String>) -> Result<Signal, Unread> {
    let payload = wire::parse(call.bytes)?;
    let client = host::of(call.named, &payload, environment);
    let dialect = Dialect::of(client);
    let named = wire::text(&payload, dialect.event).or(call.event).or_else(|| dialect.guess(&payload));
    let event = named.unwrap_or_default().to_owned();
    let sort = if is_of_subagent(dialect, &payload) { Some(Sort::Subagent) } else { dialect.sort(&event) };
    let mut cut = 0;
    let happened = happened(dialect, sort, &payload, &mut cut);
    let own = |paths: &[&str]| wire::text(&payload, paths).map(|text| bounded(text, &mut 0));
    let id = |paths: &[&str]| wire::text(&payload, paths).and_then(|text| TurnId::parse(text).ok());
    let call_id = matches!(happened, Happened::Tool(_)).then(|| id(dialect.tool_id)).flatten();
    Ok(Signal {
        client,
        happened,
        session: wire::text(&payload, dialect.session).and_then(|text| SessionId::parse(text).ok()),
        turn: id(dialect.turn),
        call: call_id,
        cwd: own(dialect.cwd),
        transcript: own(dialect.transcript),
        model: own(dialect.model),
        at: wire::time(&payload, dialect.time),
        event: bounded(&event, &mut 0),
        cut,
    })
}

fn happened(dialect: &Dialect, sort: Option<Sort>, payload: &Value, cut: &mut usize) -> Happened {
    let word = |paths: &[&str]| wire::text(payload, paths).map(|text| bounded(text, &mut 0));
    let mut told = |paths: &[&str]| {
        let text = wire::spoken(payload, paths).map(|text| without_injected(&text))?;
        (!text.is_empty()).then(|| bounded(&text, cut))
    };
    match sort {
        None => Happened::Unknown,
        Some(Sort::Start) => Happened::Started { source: word(dialect.source) },
        Some(Sort::Prompt) => Happened::Prompt { text: told(dialect.prompt).unwrap_or_default() },
        Some(Sort::Reply) => Happened::Reply { text: told(dialect.reply) },
        Some(Sort::Tool) => Happened::Tool(tool::call(dialect, payload, None)),
        Some(Sort::FailedTool) => Happened::Tool(tool::call(dialect, payload, Some(true))),
        Some(Sort::Compacting) => Happened::Compacting,
        Some(Sort::Compacted) => Happened::Compacted { summary: told(dialect.summary) },
        Some(Sort::End) => Happened::Ended { reason: word(dialect.reason) },
        Some(Sort::Subagent) => Happened::Subagent,
        Some(Sort::Notification) => Happened::Notification,
        Some(Sort::Passing) => Happened::Passing,
    }
}

fn is_of_subagent(dialect: &Dialect, payload: &Value) -> bool {
    wire::text(payload, dialect.parent).is_some_and(|parent| !parent.is_empty())
}

/// The beginning of a text, so long that it fits; counts what is left out.
fn bounded(text: &str, cut: &mut usize) -> String {
    *cut += text.len() - text.floor_char_boundary(MOST_TEXT);
    beginning(text, MOST_TEXT)
}

/// The first bytes of a text. Where some are left out, secrets are masked before: half of one would not be known.
fn beginning(text: &str, most: usize) -> String {
    if text.len() <= most { text.to_owned() } else { redact_beginning(text, most) }
}
