//! The verbs for context: what an agent reads, and what it was given.

use std::path::Path;
use std::sync::PoisonError;
use std::time::Duration;

use super::Memory;
use crate::context::{self, Ask, Receipt, Told};
use crate::error::Result;

impl Memory {
    /// What an agent should know now, within its budget. Nothing is written down.
    ///
    /// ```
    /// use memory_engine::{Ask, Draft, Memory};
    /// use memory_engine::core::id::AgentId;
    /// # let folder = tempfile::tempdir()?;
    /// let memory = Memory::create(folder.path().join(".memory"))?;
    /// memory.remember(Draft::note("We decided to use SSE, because proxies drop idle sockets"))?;
    /// let ask = Ask { command: "which transport do we use?".into(), ..Ask::new(AgentId::parse("default")?) };
    /// let told = memory.context(&ask)?;
    /// assert!(told.context.text.contains("We decided to use SSE"));
    /// assert!(told.context.tokens <= 2000);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn context(&self, ask: &Ask) -> Result<Told> {
        let mut searcher = self.shared.searcher.lock().unwrap_or_else(PoisonError::into_inner);
        context::tell(&mut self.store(), &mut searcher, ask)
    }

    /// The same, and a receipt for what was handed over.
    pub fn hand_over(&self, ask: &Ask) -> Result<(Told, Receipt)> {
        let told = self.context(ask)?;
        let receipt = context::hand_over(&mut self.store(), ask, &told);
        Ok((told, receipt))
    }

    /// What was handed over, oldest first.
    pub fn receipts(&self) -> Result<Vec<Receipt>> {
        context::receipts(self.store().disk())
    }

    /// Opens a root as [`open`](Memory::open) does, for somebody who cannot wait: where another process writes for
    /// longer than this, answers may lack the latest hand edits.
    pub fn open_within(root: impl AsRef<Path>, wait: Duration) -> Result<Self> {
        Self::open_waiting(root.as_ref(), Some(wait))
    }
}
