//! A signal as the file that waits in the inbox: one small JSON object, with every secret masked.
//!
//! The key says which signals are the same although two hooks told them: same session, same sort of thing, same turn or
//! call of a tool (or moment, where a client has no names for them), same words. Who empties the inbox skips the second.

use memory_core::id::{SessionId, TurnId};
use memory_core::redact::redact;
use memory_core::session::{Client, ToolCall};
use memory_core::time::Time;
use serde::{Deserialize, Serialize};

use crate::hook::{Happened, Signal};

/// Two clients that share a hook tell the same within so many milliseconds; what comes later is something new.
const MOMENT: i64 = 5000;

/// The version of the form.
const VERSION: u32 = 1;

/// What waits in the inbox.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Letter {
    /// Equal for signals that tell the same.
    pub key: String,
    /// When it was put there.
    pub heard: Time,
    /// What the hook told.
    pub signal: Signal,
}

impl Letter {
    /// The letter of a signal: masked, and with its key.
    pub(super) fn of(signal: &Signal, heard: Time) -> Self {
        let signal = masked(signal);
        Self { key: key_of(&signal, heard), heard, signal }
    }

    /// The bytes of its file.
    pub(super) fn render(&self) -> serde_json::Result<Vec<u8>> {
        let mut bytes = serde_json::to_vec(&Written::of(self))?;
        bytes.push(b'\n');
        Ok(bytes)
    }

    /// The letter in a file; the error says in a few words what is wrong.
    pub(super) fn parse(bytes: &[u8]) -> Result<Self, String> {
        let written: Written = serde_json::from_slice(bytes)
            .map_err(|error| format!("line {}, column {}", error.line(), error.column()))?;
        written.letter()
    }
}

fn masked(signal: &Signal) -> Signal {
    let mask = |text: &str| redact(text).text;
    let mask_if = |text: &Option<String>| text.as_deref().map(mask);
    let mask_id = |id: &Option<TurnId>| TurnId::parse(&mask(id.as_ref()?.as_str())).ok();
    let happened = match &signal.happened {
        Happened::Started { source } => Happened::Started { source: mask_if(source) },
        Happened::Prompt { text } => Happened::Prompt { text: mask(text) },
        Happened::Reply { text } => Happened::Reply { text: mask_if(text) },
        Happened::Tool(call) => Happened::Tool(ToolCall {
            name: mask(&call.name),
            paths: call.paths.iter().map(|path| mask(path)).collect(),
            command: mask_if(&call.command),
            failed: call.failed,
        }),
        Happened::Compacted { summary } => Happened::Compacted { summary: mask_if(summary) },
        Happened::Ended { reason } => Happened::Ended { reason: mask_if(reason) },
        other => other.clone(),
    };
    Signal {
        client: signal.client,
        event: mask(&signal.event),
        happened,
        session: signal.session.as_ref().and_then(|id| SessionId::parse(&mask(id.as_str())).ok()),
        turn: mask_id(&signal.turn),
        call: mask_id(&signal.call),
        cwd: mask_if(&signal.cwd),
        transcript: mask_if(&signal.transcript),
        model: mask_if(&signal.model),
        at: signal.at,
        cut: signal.cut,
    }
}

/// The key: a digest, so that it is short and tells nothing.
fn key_of(signal: &Signal, heard: Time) -> String {
    // Of one turn there may be many calls of tools, and not every client has names for them.
    let named = if matches!(signal.happened, Happened::Tool(_)) { &signal.call } else { &signal.turn };
    let moment = named.as_ref().map(ToString::to_string).or_else(|| signal.at.map(Time::iso));
    let moment = moment.or_else(|| signal.turn.as_ref().map(ToString::to_string));
    let moment = moment.unwrap_or_else(|| Time(heard.0 - heard.0.rem_euclid(MOMENT)).iso());
    // Without a session the place has to do.
    let session = signal.session.as_ref().map(ToString::to_string);
    let session = session.or_else(|| signal.cwd.clone()).unwrap_or_default();
    let mut hash = blake3::Hasher::new();
    let mut add = |text: &str| {
        hash.update(&(text.len() as u64).to_le_bytes());
        hash.update(text.as_bytes());
    };
    add(&session);
    add(signal.happened.word());
    add(&moment);
    match &signal.happened {
        Happened::Prompt { text } => add(text.trim()),
        Happened::Reply { text: Some(text) } | Happened::Compacted { summary: Some(text) } => {
            add(text.trim());
        }
        Happened::Started { source: Some(word) } | Happened::Ended { reason: Some(word) } => add(word),
        Happened::Tool(call) => {
            add(&call.name);
            call.paths.iter().for_each(|path| add(path));
            add(call.command.as_deref().unwrap_or_default());
        }
        _ => {}
    }
    hash.finalize().to_hex()[..32].to_owned()
}

/// The form of the file. Fields that are not known are passed over, so that an older program reads a newer file.
#[derive(Serialize, Deserialize)]
struct Written {
    v: u32,
    key: String,
    heard: Time,
    client: String,
    what: String,
    event: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    session: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    turn: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    call: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    cwd: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    transcript: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    model: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    at: Option<Time>,
    /// The words: of a prompt, a reply or a summary, or why a session began or ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    cut: Option<usize>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    tool: Option<WrittenTool>,
}

#[derive(Serialize, Deserialize)]
struct WrittenTool {
    name: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    paths: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    command: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    failed: Option<bool>,
}

impl Written {
    fn of(letter: &Letter) -> Self {
        let signal = &letter.signal;
        let (text, tool) = match &signal.happened {
            Happened::Started { source: text }
            | Happened::Ended { reason: text }
            | Happened::Compacted { summary: text }
            | Happened::Reply { text } => (text.clone(), None),
            Happened::Prompt { text } => (Some(text.clone()), None),
            Happened::Tool(call) => (None, Some(WrittenTool::of(call))),
            _ => (None, None),
        };
        Self {
            v: VERSION,
            key: letter.key.clone(),
            heard: letter.heard,
            client: signal.client.word().to_owned(),
            what: signal.happened.word().to_owned(),
            event: signal.event.clone(),
            session: signal.session.as_ref().map(ToString::to_string),
            turn: signal.turn.as_ref().map(ToString::to_string),
            call: signal.call.as_ref().map(ToString::to_string),
            cwd: signal.cwd.clone(),
            transcript: signal.transcript.clone(),
            model: signal.model.clone(),
            at: signal.at,
            text,
            cut: (signal.cut > 0).then_some(signal.cut),
            tool,
        }
    }

    fn letter(self) -> Result<Letter, String> {
        if self.v > VERSION {
            return Err(format!("its form {} is newer than this program", self.v));
        }
        let client = Client::of_word(&self.client).ok_or("its client is not known")?;
        let happened = match self.what.as_str() {
            "started" => Happened::Started { source: self.text },
            "prompt" => Happened::Prompt { text: self.text.unwrap_or_default() },
            "reply" => Happened::Reply { text: self.text },
            "tool" => Happened::Tool(self.tool.ok_or("its tool is missing")?.call()),
            "compacting" => Happened::Compacting,
            "compacted" => Happened::Compacted { summary: self.text },
            "ended" => Happened::Ended { reason: self.text },
            _ => return Err("what happened is not known".to_owned()),
        };
        let signal = Signal {
            client,
            event: self.event,
            happened,
            session: self.session.and_then(|id| SessionId::parse(&id).ok()),
            turn: self.turn.and_then(|id| TurnId::parse(&id).ok()),
            call: self.call.and_then(|id| TurnId::parse(&id).ok()),
            cwd: self.cwd,
            transcript: self.transcript,
            model: self.model,
            at: self.at,
            cut: self.cut.unwrap_or_default(),
        };
        Ok(Letter { key: self.key, heard: self.heard, signal })
    }
}

impl WrittenTool {
    fn of(call: &ToolCall) -> Self {
        Self {
            name: call.name.clone(),
            paths: call.paths.clone(),
            command: call.command.clone(),
            failed: call.failed,
        }
    }

    fn call(self) -> ToolCall {
        ToolCall { name: self.name, paths: self.paths, command: self.command, failed: self.failed }
    }
}
