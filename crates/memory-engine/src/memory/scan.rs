//! The verbs that look at what is remembered as a whole.

use memory_core::id::MemoryId;
use memory_core::scope::Audience;

use super::Memory;
use crate::error::Result;
use crate::scan::{self, Look, Proposal, Scanned};
use crate::store::{Supersede, Superseded};

impl Memory {
    /// Looks at everything that holds now: what contradicts, repeats, has grown old, or names code that changed.
    ///
    /// ```
    /// use memory_engine::{Draft, Look, Memory};
    /// # let folder = tempfile::tempdir()?;
    /// let memory = Memory::create(folder.path().join(".memory"))?;
    /// memory.remember(Draft::note("The port is 8080"))?;
    /// memory.remember(Draft::note("The port is 9090"))?;
    /// let found = memory.scan(&Look::ALL)?;
    /// assert_eq!(found.contradictions[0].what.subject, "port");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn scan(&self, looks: &[Look]) -> Result<Scanned> {
        let found = scan::scan(&mut self.store(), looks)?;
        Ok(found.seen_by(&self.audience()))
    }

    /// Memories of which a newer one may take the place of an older one, the newest first. Nothing is changed.
    pub fn review(&self) -> Result<Vec<Proposal>> {
        let mut all = scan::review(&mut self.store())?;
        let audience = self.audience();
        all.retain(|proposal| proposal.may_be_seen(&audience));
        Ok(all)
    }

    /// Who looks: the agent that the environment names, else a person.
    fn audience(&self) -> Audience {
        Audience { agent: self.config().asker().cloned(), ..Audience::default() }
    }

    /// Accepts a proposal: the newer memory takes the place of the older one.
    pub fn accept_proposal(&self, proposal: &Proposal) -> Result<Superseded> {
        let (old, new) = (proposal.old.memory.id.clone(), proposal.new.memory.id.clone());
        self.supersede(&Supersede::By { old, new })
    }

    /// Turns proposals down, so that they are not made again.
    pub fn dismiss_proposals(&self, proposals: &[Proposal]) -> Result<()> {
        let keys: Vec<String> = proposals.iter().map(|proposal| proposal.key.clone()).collect();
        scan::dismiss(&mut self.store(), &keys)
    }

    /// A person looked at these memories and they still hold: the code that they name is taken as it is now. Gives how
    /// many names lead nowhere even so.
    pub fn confirm(&self, ids: &[MemoryId]) -> Result<usize> {
        scan::confirm(&mut self.store(), ids)
    }
}
