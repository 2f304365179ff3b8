//! Memories in the words they had at a moment, and the moment of their words.

use std::collections::HashMap;

use memory_core::id::MemoryId;
use memory_core::memory::Body;
use memory_core::time::Time;

use super::{Entry, Store};
use crate::error::Result;

impl Store {
    /// Gives memories that people last changed in their files the moment at which that was found: nobody writes it there.
    pub(crate) fn date_by_hand(&mut self, entries: &mut [Entry]) -> Result<()> {
        let only = if let [one] = &*entries { Some(&one.memory.id) } else { None };
        let found: HashMap<MemoryId, i64> = self.ledger.found_edits(only)?.into_iter().collect();
        for entry in entries {
            if let Some(at) = found.get(&entry.memory.id) {
                entry.memory.updated = entry.memory.updated.max(Time(*at));
            }
        }
        Ok(())
    }

    /// Gives a memory the words it had at a moment. Where those are no longer known, it keeps today's.
    pub(crate) fn word_as_of(&mut self, entry: &mut Entry, moment: Time) -> Result<()> {
        if self.ledger.ops_of(&entry.memory.id)?.iter().all(|op| op.at <= moment) {
            return Ok(());
        }
        let versions = self.history(&entry.memory.id)?;
        let then = versions.into_iter().rfind(|version| version.at <= moment);
        if let Some(text) = then.and_then(|version| version.text) {
            entry.memory.body = Body::new(&text);
        }
        Ok(())
    }
}
