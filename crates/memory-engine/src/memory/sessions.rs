//! The verbs for sessions: conversations, snapshots that can be recovered, and the handoff at the end.

use memory_core::id::{AgentId, SessionId};
use memory_core::kind::Kind;
use memory_core::memory::Provenance;
use memory_core::scope::{Scope, SourceClass};
use memory_core::session::saved::Saved;

use super::Memory;
use crate::ambient;
use crate::capture::{self, How, SavedSession, Synced};
use crate::error::Result;
use crate::keep::{Draft, Kept};

impl Memory {
    /// Saves a conversation, and its tail as a snapshot.
    ///
    /// ```
    /// use memory_engine::Memory;
    /// use memory_engine::core::id::AgentId;
    /// use memory_engine::core::session::saved::Saved;
    /// # let folder = tempfile::tempdir()?;
    /// let memory = Memory::create(folder.path().join(".memory"))?;
    /// let agent = AgentId::parse("dev")?;
    /// let said = Saved::read(r#"{"messages":[{"role":"user","text":"Add a cache"}],"chatId":"chat_1"}"#)?;
    /// memory.save_session(&agent, &said)?;
    /// assert_eq!(memory.recover(&agent)?.unwrap().messages[0].text, "Add a cache");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn save_session(&self, agent: &AgentId, saved: &Saved) -> Result<()> {
        let store = self.store();
        let _lock = store.lock()?;
        capture::save(store.disk(), store.config(), agent, saved, ambient::now())
    }

    /// The conversation of an agent, if one was saved.
    pub fn load_session(&self, agent: &AgentId) -> Result<Option<Saved>> {
        capture::load(self.store().disk(), agent)
    }

    /// Saves the tail of a conversation as a snapshot.
    pub fn checkpoint(&self, agent: &AgentId, saved: &Saved) -> Result<()> {
        let store = self.store();
        let _lock = store.lock()?;
        capture::snapshot(store.disk(), store.config(), agent, saved, ambient::now())
    }

    /// The snapshot of an agent; `None` when there is none, or it is broken or older than seven days.
    pub fn recover(&self, agent: &AgentId) -> Result<Option<Saved>> {
        capture::recover(self.store().disk(), agent, ambient::now())
    }

    /// Ends a session: the summary is kept as a handoff, and what was said as a snapshot. Where nobody says which chat
    /// it was, it is the one that was saved last.
    pub fn sleep(&self, agent: &AgentId, saved: Option<&Saved>, summary: &str) -> Result<Kept> {
        let now = ambient::now();
        let said = saved.filter(|saved| !saved.messages.is_empty());
        let known = || capture::recover(self.store().disk(), agent, now).ok()??.chat;
        let chat = match saved.and_then(|saved| saved.chat.clone()) {
            None if said.is_none() => known(),
            chat => chat,
        };
        let mut provenance = Provenance::of("session", SourceClass::Agent);
        provenance.session = chat.and_then(|chat| SessionId::parse(&chat).ok());
        let kept = self.remember(Draft {
            kind: Some(Kind::Handoff),
            scope: Some(Scope::Agent(agent.clone())),
            provenance,
            ..Draft::note(summary)
        })?;
        if let Some(saved) = said {
            let store = self.store();
            let _lock = store.lock()?;
            // It is older than the handoff, which tells of it.
            capture::snapshot(store.disk(), store.config(), agent, saved, now)?;
        }
        Ok(kept)
    }

    /// Brings the snapshots up to the conversations that other programs saved.
    pub fn sync_checkpoints(&self, how: How) -> Result<Synced> {
        let store = self.store();
        let _lock = store.lock()?;
        capture::sync(store.disk(), store.config(), how, ambient::now())
    }

    /// What is saved of each agent's last session.
    pub fn saved_sessions(&self) -> Result<Vec<SavedSession>> {
        capture::all(self.store().disk(), ambient::now())
    }
}
