//! Saved conversations: what is worth keeping goes through the door, and of long ones the beginning leaves.
//!
//! All are read before the first is changed, so that a look sees what a run sees. The door knows what it was told
//! before, so a run that was cut short keeps nothing twice.

use memory_core::extract::{Standing, extract, without_done};
use memory_core::id::{AgentId, Key, MemoryId};
use memory_core::kind::Kind;
use memory_core::layout::{Home, Preferred};
use memory_core::memory::{Body, Memory, OnExisting, Provenance};
use memory_core::retain::{Conversation, Seen, compacted_handoff};
use memory_core::retell::retells;
use memory_core::scope::{Scope, SourceClass};
use memory_core::session::{Client, Message};
use memory_core::time::Time;

use super::{Step, Upkeep};
use crate::capture::{draft_of, named};
use crate::disk::{Sort, Stat};
use crate::error::{Error, Result};
use crate::keep::{Draft, mask};
use crate::store::{CONVERSATIONS, Copied, Outcome};

const SEEN: &str = "processed-conversations.json";
/// Of more drafts than this at once, none is compared with the vault by its meaning.
const MOST_COMPARED: usize = 200;

/// A conversation and what is to be done about it.
struct Talk {
    name: String,
    path: String,
    bytes: Vec<u8>,
    stat: Stat,
    drafts: Vec<Draft>,
    /// The file without its first messages, and how many those are.
    trimmed: Option<(String, usize)>,
    /// The marks of the messages that are left.
    marks: Vec<String>,
}

impl Upkeep<'_> {
    /// All of them.
    pub(super) fn conversations(&mut self) -> Result<()> {
        let mut seen = {
            let store = self.store();
            let bytes = store.disk().read(&format!(".vault/{SEEN}"), 64 << 20)?.unwrap_or_default();
            Seen::read(&String::from_utf8_lossy(&bytes))
        };
        let names = self.store().disk().list(CONVERSATIONS)?;
        let mut talks = Vec::new();
        let mut told: Vec<(AgentId, Kind, String)> = Vec::new();
        for name in names.into_iter().filter(|name| name.sort == Sort::File) {
            let stem = name.name.strip_suffix(".json").filter(|stem| !stem.starts_with('.'));
            if let Some(stem) = stem {
                talks.extend(self.talk(stem, &seen, &mut told)?);
            }
        }
        for talk in talks {
            self.note_talk(&talk);
            if self.applies() {
                self.apply_talk(talk, &mut seen)?;
            }
        }
        Ok(())
    }

    /// Reads one.
    fn talk(
        &mut self,
        stem: &str,
        seen: &Seen,
        told: &mut Vec<(AgentId, Kind, String)>,
    ) -> Result<Option<Talk>> {
        let path = format!("{CONVERSATIONS}/{stem}.json");
        let store = self.store();
        let read = self.read(&store, &path)?;
        drop(store);
        let Some((bytes, stat)) = read else { return Ok(None) };
        let talk = match Conversation::read(&String::from_utf8_lossy(&bytes)) {
            Ok(talk) => talk,
            Err(why) => {
                self.done.errors.push((path, format!("it is no conversation: {why}; it stays as it is")));
                return Ok(None);
            }
        };
        // The name in the file may be anything; as an agent's id it cannot lead anywhere else.
        let agent = match AgentId::parse(talk.saved.agent.as_deref().unwrap_or(stem)) {
            Ok(agent) => agent,
            Err(bad) => {
                self.done.errors.push((path, bad.to_string()));
                return Ok(None);
            }
        };
        let marks = talk.marks(stem);
        let mut drafts = self.drafts(&talk, &agent, &marks, seen, told)?;
        let keep = self.rules.conversation_messages.get();
        let beyond = talk.beyond(keep);
        let trimmed = (beyond > 0).then(|| (talk.trimmed(keep), beyond));
        if beyond > 0 {
            drafts.extend(self.handoff(&talk, &agent, beyond));
        }
        let left = match &trimmed {
            Some((text, _)) => Conversation::read(text).map(|talk| talk.marks(stem)).unwrap_or_default(),
            None => marks,
        };
        Ok(Some(Talk { name: stem.to_owned(), path, bytes, stat, drafts, trimmed, marks: left }))
    }

    /// What is worth keeping of messages that were not read before.
    fn drafts(
        &mut self,
        talk: &Conversation,
        agent: &AgentId,
        marks: &[String],
        seen: &Seen,
        told: &mut Vec<(AgentId, Kind, String)>,
    ) -> Result<Vec<Draft>> {
        if marks.iter().all(|mark| seen.has(mark)) {
            return Ok(Vec::new());
        }
        let config = self.door.config().clone();
        let messages: Vec<Message> = talk
            .saved
            .messages
            .iter()
            .map(|said| {
                let text = if said.internal { String::new() } else { said.text.clone() };
                Message::new(said.role, &mask(&config, text, &mut Vec::new()))
            })
            .collect();
        let (taken, _) = extract(&messages, Standing::default(), config.extract.profile);
        let mut drafts = Vec::new();
        for taken in without_done(taken) {
            let read_before = marks.get(taken.message).is_none_or(|mark| seen.has(mark));
            if read_before || matches!(taken.kind, Kind::Map | Kind::Command) {
                continue;
            }
            let repeats = |(whose, kind, text): &(AgentId, Kind, String)| {
                whose == agent && *kind == taken.kind && (*text == taken.text || retells(text, &taken.text))
            };
            if told.iter().any(repeats) {
                continue;
            }
            let from = Provenance::of(Client::Conversations.word(), taken.class);
            let mut draft = draft_of(&taken, &taken.text, from, named(&["compacted", "auto-extract"]));
            draft.scope = Some(Scope::Agent(agent.clone()));
            if told.len() < MOST_COMPARED && self.door.known(&mut draft)?.is_some() {
                continue;
            }
            told.push((agent.clone(), taken.kind, taken.text));
            drafts.push(draft);
        }
        Ok(drafts)
    }

    /// The handoff of what leaves. Its key follows from its words, so that it is written once.
    fn handoff(&self, talk: &Conversation, agent: &AgentId, beyond: usize) -> Option<Draft> {
        let text = compacted_handoff(&talk.first(beyond), beyond)?;
        let digest = blake3::hash(text.as_bytes()).to_hex();
        Some(Draft {
            kind: Some(Kind::Handoff),
            scope: Some(Scope::Agent(agent.clone())),
            key: Key::parse(&format!("compacted:{}", &digest[..32])).ok(),
            tags: Some(named(&["compacted", "auto-handoff"])),
            provenance: Provenance::of(Client::Conversations.word(), SourceClass::Agent),
            on_existing: OnExisting::Skip,
            ..Draft::note(&text)
        })
    }

    fn note_talk(&mut self, talk: &Talk) {
        let layout = self.door.config().memory.layout;
        for draft in &talk.drafts {
            let kind = draft.kind.clone().unwrap_or_default();
            let path = path_of(draft, layout);
            self.done.extracted += 1;
            self.done.note(Step::Conversations, "keep", &path, 1).about.clone_from(&draft.text);
            if !self.applies() {
                let coming = self.coming.entry(path).or_default();
                let number = 900_000_000_000_000_000 + coming.len() as u64;
                coming.push(as_kept(draft, kind, number));
            }
        }
        if let Some((_, count)) = &talk.trimmed {
            self.done.conversations += 1;
            self.done.note(Step::Conversations, "trim", &talk.path, *count).about =
                "its first messages leave".to_owned();
        }
    }

    /// Lets drafts in. The files in which they will stand are copied first, so that these can have their first bytes
    /// again.
    fn keep(&mut self, drafts: Vec<Draft>) -> Result<()> {
        let layout = self.door.config().memory.layout;
        let mut paths: Vec<String> = drafts.iter().map(|draft| path_of(draft, layout)).collect();
        paths.sort();
        paths.dedup();
        paths.retain(|path| matches!(Home::of_path(path), Some(Home::Vault { .. })));
        let mut store = self.store();
        for path in paths.into_iter().filter(|path| self.copied.insert(path.clone())) {
            let _lock = store.lock()?;
            if let Some(held) = store.held(&path)? {
                store.copy_into(&mut self.batch, vec![held.copied(Vec::new(), Vec::new())])?;
            }
        }
        drop(store);
        let texts: Vec<String> = drafts.iter().map(|draft| draft.text.clone()).collect();
        let mut made = Vec::new();
        for (kept, text) in self.door.keep(drafts)?.into_iter().zip(texts) {
            match kept {
                Ok(kept) if kept.outcome == Outcome::Created => {
                    self.fresh.insert(kept.id.clone());
                    made.push((kept.file, kept.id, text));
                }
                Ok(_) | Err(Error::Refused(_)) => self.done.extracted -= 1,
                Err(error) => return Err(error),
            }
        }
        let store = self.store();
        let _lock = store.lock()?;
        store.note_made(&mut self.batch, made)
    }

    /// Archives, keeps, trims, and notes what was read, in this order.
    fn apply_talk(&mut self, talk: Talk, seen: &mut Seen) -> Result<()> {
        if let Some((text, _)) = &talk.trimmed {
            let store = self.store();
            let _lock = store.lock()?;
            let left = Some(text.as_bytes());
            store.copy_into(
                &mut self.batch,
                vec![Copied { left, ..Copied::leaving(&talk.path, &talk.bytes) }],
            )?;
        }
        if !talk.drafts.is_empty() {
            self.keep(talk.drafts)?;
        }
        let store = self.store();
        let _lock = store.lock()?;
        if let Some((text, _)) = &talk.trimmed
            && !store.replace_plain(&talk.path, Some(talk.stat), text.as_bytes())?
        {
            self.done.conversations -= 1;
            self.done
                .errors
                .push((talk.path, "it changed meanwhile; its messages stay until the next time".to_owned()));
            return Ok(());
        }
        if seen.set(&talk.name, &talk.marks) {
            store.write_own(SEEN, &seen.render())?;
        }
        Ok(())
    }
}

/// Where a draft will stand.
fn path_of(draft: &Draft, layout: Preferred) -> String {
    match (layout, &draft.scope) {
        (Preferred::Vault, Some(Scope::Agent(agent))) => {
            Home::vault(agent.clone(), draft.kind.clone().unwrap_or_default().category()).path()
        }
        (Preferred::Journal, _) => Home::Journal.path(),
        _ => "records".to_owned(),
    }
}

/// What a draft will be when it is kept, as far as upkeep must know: newer than everything else.
fn as_kept(draft: &Draft, kind: Kind, number: u64) -> Memory {
    let at = Time(number.cast_signed());
    Memory {
        id: MemoryId::from_millis(number),
        kind,
        scope: draft.scope.clone().unwrap_or(Scope::Project),
        key: draft.key.clone(),
        title: None,
        body: Body::new(&draft.text),
        tags: draft.tags.clone().unwrap_or_default(),
        created: at,
        updated: at,
        provenance: draft.provenance.clone(),
        extra: serde_json::Map::new(),
    }
}
