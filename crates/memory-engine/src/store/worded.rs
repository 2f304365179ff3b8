//! Memories in the words they had at a moment.

use memory_core::memory::Body;
use memory_core::time::Time;

use super::{Entry, Store};
use crate::error::Result;

impl Store {
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
