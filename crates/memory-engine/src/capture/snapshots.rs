//! Conversations, snapshots and chats on disk. All of it is volatile: losing it loses no memory.
//!
//! Texts are masked before they are written. A name in a file is checked before it names another file.

use std::collections::BTreeMap;

use memory_core::config::Config;
use memory_core::id::AgentId;
use memory_core::session::saved::Saved;
use memory_core::time::Time;
use serde_json::Value;

use super::carried;
use crate::disk::{Disk, Sort, write_whole};
use crate::error::{Error, Result};
use crate::keep::mask;
use crate::store::{CONVERSATIONS, SNAPSHOTS};

/// Which chat of a client belongs to which agent.
const CHATS: &str = ".vault/chat-sessions.json";
const LARGEST_CHATS: u64 = 1 << 20;
/// The field of a chat, where another program keeps more about it.
const CHAT: &str = "chatId";
/// The largest conversation that is read.
const LARGEST: u64 = 64 << 20;

/// What became of bringing snapshots up to date.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Synced {
    /// Agents with a new snapshot.
    pub synced: Vec<String>,
    /// Agents whose snapshot is not older than their conversation.
    pub skipped: Vec<String>,
    /// Files that could not be used, and why.
    pub errors: Vec<(String, String)>,
}

/// What is saved of an agent's session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SavedSession {
    /// The agent.
    pub agent: AgentId,
    /// The chat, as the client calls it; it can be resumed by that name.
    pub chat: Option<String>,
    /// The model.
    pub model: Option<String>,
    /// When the snapshot was taken.
    pub saved: Option<Time>,
    /// Messages in the snapshot.
    pub messages: usize,
    /// Whether it can still be recovered.
    pub fresh: bool,
}

/// Saves a conversation, its snapshot and its chat.
pub(crate) fn save(
    disk: &dyn Disk,
    config: &Config,
    agent: &AgentId,
    saved: &Saved,
    now: Time,
) -> Result<()> {
    let mut whole = Saved { agent: Some(agent.to_string()), saved: Some(now), ..saved.clone() };
    mask_all(config, &mut whole);
    write_whole(disk, &format!("{CONVERSATIONS}/{agent}.json"), whole.render_conversation().as_bytes())?;
    snapshot(disk, config, agent, &whole, now)
}

/// The conversation of an agent, if there is one.
pub(crate) fn load(disk: &dyn Disk, agent: &AgentId) -> Result<Option<Saved>> {
    let path = format!("{CONVERSATIONS}/{agent}.json");
    let Some(bytes) = disk.read(&path, LARGEST)? else { return Ok(None) };
    let read = Saved::read(&String::from_utf8_lossy(&bytes));
    read.map(Some).map_err(|why| Error::Broken { path, why: why.to_string() })
}

/// Saves the tail of a conversation, so that it can be recovered.
pub(crate) fn snapshot(
    disk: &dyn Disk,
    config: &Config,
    agent: &AgentId,
    saved: &Saved,
    now: Time,
) -> Result<()> {
    let mut tail = Saved { agent: Some(agent.to_string()), ..saved.tail(now) };
    mask_all(config, &mut tail);
    write_whole(disk, &snapshot_path(agent), tail.render_snapshot().as_bytes())?;
    match &tail.chat {
        Some(chat) => note_chat(disk, agent, chat),
        None => Ok(()),
    }
}

/// The snapshot of an agent; `None` when there is none that can be used.
pub(crate) fn recover(disk: &dyn Disk, agent: &AgentId, now: Time) -> Result<Option<Saved>> {
    Ok(read_snapshot(disk, agent)?.filter(|saved| saved.is_fresh(now)))
}

/// Brings the snapshots up to the conversations. Unless forced, only where the conversation is newer.
pub(crate) fn sync(disk: &dyn Disk, config: &Config, how: How, now: Time) -> Result<Synced> {
    let mut done = Synced::default();
    for name in disk.list(CONVERSATIONS)? {
        let Some(stem) = name.name.strip_suffix(".json").filter(|stem| !stem.starts_with('.')) else {
            continue;
        };
        if name.sort != Sort::File {
            continue;
        }
        match sync_one(disk, config, stem, how, now) {
            Ok((agent, true)) => done.synced.push(agent),
            Ok((agent, false)) => done.skipped.push(agent),
            Err(why) => done.errors.push((stem.to_owned(), why)),
        }
    }
    Ok(done)
}

/// Whether snapshots that are up to date are written again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum How {
    /// Only where the conversation is newer.
    Newer,
    /// Always.
    Forced,
}

fn sync_one(
    disk: &dyn Disk,
    config: &Config,
    stem: &str,
    how: How,
    now: Time,
) -> std::result::Result<(String, bool), String> {
    let path = format!("{CONVERSATIONS}/{stem}.json");
    let told = |error: Error| error.to_string();
    let bytes = disk.read(&path, LARGEST).map_err(told)?.unwrap_or_default();
    let saved =
        Saved::read(&String::from_utf8_lossy(&bytes)).map_err(|why| format!("invalid JSON: {why}"))?;
    // The name in the file may be anything; as an agent's id it cannot lead anywhere else.
    let agent = AgentId::parse(saved.agent.as_deref().unwrap_or(stem)).map_err(|bad| bad.to_string())?;
    let written = || -> Result<Time> {
        let stat = disk.stat(&path)?.unwrap_or_default();
        Ok(Time(stat.modified_ns / 1_000_000))
    };
    let time = match saved.saved {
        Some(time) => time,
        None => written().map_err(told)?,
    };
    let known = read_snapshot(disk, &agent).map_err(told)?.and_then(|known| known.saved);
    if how == How::Newer && known.is_some_and(|known| known >= time) {
        return Ok((agent.to_string(), false));
    }
    snapshot(disk, config, &agent, &saved, now).map_err(told)?;
    Ok((agent.to_string(), true))
}

/// Every snapshot, by agent.
pub(crate) fn all(disk: &dyn Disk, now: Time) -> Result<Vec<SavedSession>> {
    let chats = chats(disk)?;
    let mut agents: Vec<AgentId> = chats.keys().filter_map(|agent| AgentId::parse(agent).ok()).collect();
    let stems = disk.list(SNAPSHOTS)?.into_iter().filter(|name| name.sort == Sort::File);
    agents.extend(stems.filter_map(|name| AgentId::parse(name.name.strip_suffix(".json")?).ok()));
    agents.sort_unstable();
    agents.dedup();
    let mut all = Vec::new();
    for agent in agents {
        let saved = read_snapshot(disk, &agent)?;
        let chat = saved.as_ref().and_then(|saved| saved.chat.clone());
        all.push(SavedSession {
            chat: chat.or_else(|| chats.get(agent.as_str()).cloned()),
            model: saved.as_ref().and_then(|saved| saved.model.clone()),
            saved: saved.as_ref().and_then(|saved| saved.saved),
            messages: saved.as_ref().map_or(0, |saved| saved.messages.len()),
            fresh: saved.is_some_and(|saved| saved.is_fresh(now)),
            agent,
        });
    }
    Ok(all)
}

fn snapshot_path(agent: &AgentId) -> String {
    format!("{SNAPSHOTS}/{agent}.json")
}

/// A snapshot that is broken is none: the next one replaces it.
fn read_snapshot(disk: &dyn Disk, agent: &AgentId) -> Result<Option<Saved>> {
    let bytes = disk.read(&snapshot_path(agent), LARGEST)?;
    Ok(bytes.and_then(|bytes| Saved::read(&String::from_utf8_lossy(&bytes)).ok()))
}

/// The chat of each agent, as we write it or with the fields of another program.
fn chats(disk: &dyn Disk) -> Result<BTreeMap<String, String>> {
    let all = carried::load(disk, CHATS, LARGEST_CHATS)?;
    let chats = all.into_iter().filter_map(|(agent, value)| {
        let chat = value.as_str().or_else(|| value.get(CHAT)?.as_str())?;
        Some((agent, chat.to_owned()))
    });
    Ok(chats.collect())
}

fn note_chat(disk: &dyn Disk, agent: &AgentId, chat: &str) -> Result<()> {
    if chats(disk)?.get(agent.as_str()).is_some_and(|known| known == chat) {
        return Ok(());
    }
    carried::change(disk, CHATS, LARGEST_CHATS, |all| match all.get_mut(agent.as_str()) {
        Some(Value::Object(fields)) => drop(fields.insert(CHAT.to_owned(), Value::from(chat))),
        _ => drop(all.insert(agent.to_string(), Value::from(chat))),
    })
}

fn mask_all(config: &Config, saved: &mut Saved) {
    for said in &mut saved.messages {
        said.text = mask(config, std::mem::take(&mut said.text), &mut Vec::new());
        // What other programs put beside a text may repeat it.
        for value in said.extra.values_mut() {
            mask_value(config, value);
        }
    }
}

fn mask_value(config: &Config, value: &mut Value) {
    match value {
        Value::String(text) => *text = mask(config, std::mem::take(text), &mut Vec::new()),
        Value::Array(all) => all.iter_mut().for_each(|value| mask_value(config, value)),
        Value::Object(all) => all.values_mut().for_each(|value| mask_value(config, value)),
        _ => {}
    }
}
