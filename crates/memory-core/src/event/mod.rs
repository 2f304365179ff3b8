//! What happened: the events of `history/events.jsonl`, one compact JSON object a line, keys in one order.
//!
//! Reading a log never fails: it gives the events with the bytes they stand in, and the defects. Who changes
//! a log leaves those bytes alone or takes them out; lines that are not touched are never written anew.

pub(crate) mod fields;
mod log;
pub(crate) mod record;
#[cfg(test)]
pub(crate) mod tests;

use std::fmt;

use serde_json::{Map, Value};

use crate::id::{AgentId, SessionId};
use crate::time::Time;
use fields::{At, Field, Fields};
use record::{numbered, record, serde_by_fields};

pub use fields::HistoryError;
pub use log::{EventLog, LineDefect, LoggedEvent};

/// Something that happened, as the history keeps it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// Its running number in this history.
    pub id: EventId,
    /// What sort of thing happened.
    pub kind: EventKind,
    /// The source it came from, such as `agent-memory.local` or an import source.
    pub source_id: String,
    /// What the source calls it, such as the stem of a transcript.
    pub external_item_id: Option<String>,
    /// When it happened. Files hold years 0 to 9999; another time is written as the nearest of them.
    pub created_at: Time,
    /// The digest of what it was made of; the same content is the same event.
    pub content_hash: String,
    /// What happened, in a sentence.
    pub summary: String,
    /// What was taken out of it for later.
    pub signals: Signals,
    /// Where the whole of it can be found.
    pub source_ref: String,
    /// The session it belongs to; left out of the file when there is none.
    pub session: Option<SessionId>,
    /// The agent it belongs to; left out of the file when there is none.
    pub agent: Option<AgentId>,
    /// Fields that this version does not know, carried along untouched.
    pub extra: Map<String, Value>,
}

numbered!(
    /// An event, written `evt-000001`.
    EventId, "evt-", "event id"
);

/// The id for the next event. `last_recalled` counts too, because its event may already be in the archive.
/// `None` when the numbers have run out.
pub fn next_event_id(
    existing: impl IntoIterator<Item = EventId>,
    last_recalled: Option<EventId>,
) -> Option<EventId> {
    EventId::after(existing.into_iter().chain(last_recalled))
}

record! {
    /// What an event leaves for recall and search.
    Signals {
        /// What was decided.
        decisions: Vec<String> = "decisions",
        /// What went wrong and how to avoid it.
        gotchas: Vec<String> = "gotchas",
        /// What might be done next.
        next_step_hints: Vec<String> = "nextStepHints",
        /// The files that mattered.
        key_paths: Vec<String> = "keyPaths",
        /// What checks and tests said.
        validation_observations: Vec<String> = "validationObservations",
    }
}

/// What sort of thing happened. `Other` keeps the words of other writers.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EventKind {
    /// A command of ours changed the state.
    ToolRun,
    /// A whole session was imported.
    ImportedSession,
    /// A person said something to the agent.
    Prompt,
    /// The agent answered.
    Reply,
    /// The agent used a tool.
    ToolUse,
    /// A session began.
    SessionStart,
    /// A session ended.
    SessionEnd,
    /// The agent's context was compacted.
    Compaction,
    /// A word that the table does not know.
    Other(String),
}

const KINDS: &[(EventKind, &str)] = &[
    (EventKind::ToolRun, "tool_run"),
    (EventKind::ImportedSession, "imported_session"),
    (EventKind::Prompt, "prompt"),
    (EventKind::Reply, "reply"),
    (EventKind::ToolUse, "tool_use"),
    (EventKind::SessionStart, "session_start"),
    (EventKind::SessionEnd, "session_end"),
    (EventKind::Compaction, "compaction"),
];

impl EventKind {
    /// Every named kind.
    pub fn all() -> impl Iterator<Item = Self> {
        KINDS.iter().map(|row| row.0.clone())
    }

    /// The kind that a word stands for.
    pub fn of_word(word: &str) -> Self {
        KINDS
            .iter()
            .find(|row| row.1 == word)
            .map_or_else(|| Self::Other(word.to_owned()), |row| row.0.clone())
    }

    /// The word for it in the file.
    pub fn word(&self) -> &str {
        match self {
            Self::Other(word) => word,
            known => KINDS.iter().find(|row| row.0 == *known).map_or("other", |row| row.1),
        }
    }
}

impl fmt::Display for EventKind {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.word())
    }
}

impl Field for EventKind {
    fn read(value: Value, at: &At<'_>) -> Result<Self, HistoryError> {
        Ok(Self::of_word(&String::read(value, at)?))
    }

    fn write(&self) -> Value {
        Value::from(self.word())
    }
}

impl Field for Event {
    fn read(value: Value, at: &At<'_>) -> Result<Self, HistoryError> {
        let mut fields = Fields::of(value, at)?;
        Ok(Self {
            id: fields.take("id")?,
            kind: fields.take("kind")?,
            source_id: fields.take("sourceId")?,
            external_item_id: fields.take_if_there("externalItemId")?,
            created_at: fields.take("createdAt")?,
            content_hash: fields.take("contentHash")?,
            summary: fields.take("summary")?,
            signals: fields.take("signals")?,
            source_ref: fields.take("sourceRef")?,
            session: fields.take_if_there("sessionId")?,
            agent: fields.take_if_there("agentId")?,
            extra: fields.rest(),
        })
    }

    fn write(&self) -> Value {
        let mut known = Map::new();
        let mut put = |key: &str, value: Value| known.insert(key.to_owned(), value);
        put("id", self.id.write());
        put("kind", self.kind.write());
        put("sourceId", self.source_id.write());
        put("externalItemId", self.external_item_id.write());
        put("createdAt", self.created_at.write());
        put("contentHash", self.content_hash.write());
        put("summary", self.summary.write());
        put("signals", self.signals.write());
        put("sourceRef", self.source_ref.write());
        if let Some(session) = &self.session {
            put("sessionId", session.write());
        }
        if let Some(agent) = &self.agent {
            put("agentId", agent.write());
        }
        fields::object(known, &self.extra)
    }
}

serde_by_fields!(EventKind);
serde_by_fields!(Event);

/// The line of an event as it is appended to the log, with its line end.
pub fn append_line(event: &Event) -> String {
    let mut line = event.write().to_string();
    line.push('\n');
    line
}

/// A whole log of these events.
pub fn render<'a>(events: impl IntoIterator<Item = &'a Event>) -> String {
    events.into_iter().map(append_line).collect()
}
