//! How far each session was taken in: `.vault/processed-transcripts.json` in the vault tool's shape, and beside it one
//! file for each session with what only we need.
//!
//! Everything here may be lost: sessions are then read again, and what is known already is not kept twice.

use std::collections::{BTreeMap, HashSet};
use std::path::Path;

use memory_core::extract::Standing;
use memory_core::id::{AgentId, SessionId};
use memory_core::scope::SourceClass;
use memory_core::session::Client;
use memory_core::session::trail::Trail;
use memory_core::time::Time;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::carried;
use crate::disk::{Disk, Piece, foreign, temporary};
use crate::error::{Error, Result};
use crate::harness::Cursor;

/// The state that other programs of this family know.
const SHOWN: &str = ".vault/processed-transcripts.json";
/// Where the rest of it is.
const FOLDER: &str = ".vault/transcripts";
/// Sessions that hooks alone tell of and that wait for their handoff.
const WAITING: &str = ".vault/transcripts/waiting.json";
/// The largest file of either sort.
const LARGEST: u64 = 32 << 20;
/// Keys of signals that are remembered, so that one that comes twice counts once.
const MOST_KEYS: usize = 256;

/// A session's name in the state. The vault tool knows one client alone and names its sessions plainly.
pub(super) fn name_of(client: Client, session: Option<&SessionId>) -> String {
    let session = session.map_or("", SessionId::as_str);
    if client == Client::Cursor { session.to_owned() } else { format!("{client}:{session}") }
}

/// The session of a client that has this name.
pub(super) fn session_of(client: Client, name: &str) -> Option<SessionId> {
    let named = if client == Client::Cursor { Some(name) } else { name.strip_prefix(&format!("{client}:")) };
    named.and_then(|session| SessionId::parse(session).ok())
}

/// How far one session was taken in.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Progress {
    /// Where the transcript was when it was last read, and how it looked.
    pub(super) path: String,
    pub(super) size: u64,
    pub(super) modified: i64,
    /// Where to go on.
    pub(super) cursor: Cursor,
    /// Whether the last message was left for later because it might grow.
    pub(super) held_back: bool,
    /// Whether the words of the trail are what hooks told, because the transcript gave none.
    pub(super) by_hooks: bool,
    pub(super) standing: Standing,
    pub(super) trail: Trail,
    /// How many messages there were when the last handoff was made.
    pub(super) handed: usize,
    /// The chat of the trail, in a file that holds many.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(super) chat: String,
    /// Whether another chat began while it was read.
    #[serde(skip)]
    pub(super) turned: bool,
    keys: Vec<String>,
}

impl Progress {
    /// The progress of a session; what cannot be read is none.
    pub(super) fn load(disk: &dyn Disk, name: &str) -> Result<Self> {
        let bytes = disk.read(&path_of(name), LARGEST)?.unwrap_or_default();
        Ok(serde_json::from_slice(&bytes).unwrap_or_default())
    }

    /// The progress of a transcript, and the name under which it is saved: the session's, or one of its own where another
    /// file of the same session has that. A file that was moved takes its progress along.
    pub(super) fn of_file(disk: &dyn Disk, name: &str, file: &Path) -> Result<(String, Self)> {
        let session = Self::load(disk, name)?;
        let (path, before) = (file.to_string_lossy(), Path::new(&session.path));
        let is_its = session.path.is_empty()
            || session.path == path
            || foreign::stat_at(before).is_none()
            || foreign::real_path(before) == foreign::real_path(file);
        if is_its {
            return Ok((name.to_owned(), session));
        }
        let own = format!("{name} {path}");
        let progress = Self::load(disk, &own)?;
        Ok((own, progress))
    }

    pub(super) fn save(&self, disk: &dyn Disk, name: &str) -> Result<()> {
        write_json(disk, &path_of(name), self)
    }

    /// Notes a signal; `false` when it was noted before.
    pub(super) fn note(&mut self, key: &str) -> bool {
        if self.keys.iter().any(|known| known == key) {
            return false;
        }
        self.keys.push(key.to_owned());
        let over = self.keys.len().saturating_sub(MOST_KEYS);
        self.keys.drain(..over);
        true
    }

    /// Forgets what was heard, so that the transcript can be heard from its start.
    pub(super) fn begin_anew(&mut self, most: SourceClass) {
        self.trail = Trail::default();
        self.trail.limit(most);
        self.standing = Standing::default();
        (self.handed, self.by_hooks) = (0, false);
    }

    /// Whether the transcript says what is to be heard of the session, though it may be behind, or that it is nothing.
    pub(super) fn has_transcript(&self) -> bool {
        self.held_back || self.cursor.is_aside() || self.trail.messages > 0 && !self.by_hooks
    }

    /// Whether a handoff would say something new.
    pub(super) fn wants_handoff(&self) -> bool {
        self.trail.is_worth_a_handoff() && self.trail.messages > self.handed
    }
}

/// A name becomes a file's name by its digest, so that no session can lead anywhere.
fn path_of(name: &str) -> String {
    let digest = blake3::hash(name.as_bytes()).to_hex();
    format!("{FOLDER}/{}.json", &digest[..24])
}

/// Sessions that hooks alone tell of and in which something was said since the last handoff. No file of theirs is found
/// again, so they are remembered by name until they rest.
#[derive(Default)]
pub(super) struct Waiting {
    sessions: BTreeMap<String, Rest>,
    changed: bool,
}

/// Whose such a session is, and since when nothing was heard of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Rest {
    client: String,
    agent: String,
    pub(super) heard: i64,
}

impl Rest {
    pub(super) fn of(client: Client, agent: &AgentId, heard: Time) -> Self {
        Self { client: client.word().to_owned(), agent: agent.to_string(), heard: heard.0 }
    }

    pub(super) fn whose(&self) -> Option<(Client, AgentId)> {
        Client::of_word(&self.client).zip(AgentId::parse(&self.agent).ok())
    }
}

impl Waiting {
    pub(super) fn load(disk: &dyn Disk) -> Result<Self> {
        let bytes = disk.read(WAITING, LARGEST)?.unwrap_or_default();
        Ok(Self { sessions: serde_json::from_slice(&bytes).unwrap_or_default(), changed: false })
    }

    /// Notes a session, or that it no longer waits.
    pub(super) fn set(&mut self, name: &str, rest: Option<Rest>) {
        let before = self.sessions.get(name).cloned();
        self.changed |= before != rest;
        match rest {
            Some(rest) => self.sessions.insert(name.to_owned(), rest),
            None => self.sessions.remove(name),
        };
    }

    pub(super) fn all(&self) -> Vec<(String, Rest)> {
        self.sessions.iter().map(|(name, rest)| (name.clone(), rest.clone())).collect()
    }

    pub(super) fn save(&self, disk: &dyn Disk) -> Result<()> {
        if self.changed { write_json(disk, WAITING, &self.sessions) } else { Ok(()) }
    }
}

/// Writes a file in one step and unsynced: a power loss costs only a second reading.
fn write_json(disk: &dyn Disk, path: &str, value: &impl Serialize) -> Result<()> {
    let bytes = serde_json::to_vec(value).map_err(Error::unwritten(path))?;
    disk.make_folder(FOLDER)?;
    let beside = temporary(path);
    disk.write(&beside, path, &[Piece::Bytes(bytes)])?;
    disk.rename(&beside, path)
}

/// The state in the vault tool's shape. Entries and fields of others are carried along.
pub(super) struct Shown {
    entries: Map<String, Value>,
    changed: bool,
}

impl Shown {
    pub(super) fn load(disk: &dyn Disk) -> Result<Self> {
        Ok(Self { entries: carried::load(disk, SHOWN, LARGEST)?, changed: false })
    }

    /// Whether another program took all of a session in: it made the handoff after the last change.
    pub(super) fn is_done(&self, name: &str, modified: Time) -> bool {
        let Some(entry) = self.entries.get(name) else { return false };
        let processed = entry.get("lastProcessedAt").and_then(Value::as_i64).unwrap_or(0);
        entry.get("handoffGenerated") == Some(&Value::Bool(true)) && processed >= modified.0
    }

    pub(super) fn set(&mut self, name: &str, progress: &Progress, now: Time) {
        let handed = progress.handed > 0 && progress.handed >= progress.trail.messages;
        let fields = [
            ("lastLine", Value::from(progress.trail.messages)),
            ("lastProcessedAt", Value::from(now.0)),
            ("handoffGenerated", Value::from(handed)),
        ];
        let fields = fields.into_iter().map(|(field, value)| (field.to_owned(), value));
        match self.entries.get_mut(name).and_then(Value::as_object_mut) {
            Some(entry) => entry.extend(fields),
            None => drop(self.entries.insert(name.to_owned(), Value::Object(fields.collect()))),
        }
        self.changed = true;
    }

    /// Writes what changed, among the entries of others as they are now.
    pub(super) fn save(self, disk: &dyn Disk, names: &HashSet<String>) -> Result<()> {
        if !self.changed {
            return Ok(());
        }
        carried::change(disk, SHOWN, LARGEST, |all| {
            all.extend(self.entries.into_iter().filter(|(name, _)| names.contains(name)));
        })
    }
}
