//! The verb that turns flat files into vaults.

use std::collections::HashSet;

use memory_core::admit::{Verdict, admit};

use super::Memory;
use crate::error::{Error, Result};
use crate::keep;
use crate::migrate::{self, Flat, Migrate, Migrated};

impl Memory {
    /// Turns each agent's flat file into a vault: every section is kept through the door, then the file is renamed to
    /// `.md.bak`. Repeating it, or going on after a crash, keeps nothing twice.
    ///
    /// ```
    /// use memory_engine::{Memory, Migrate};
    /// # let folder = tempfile::tempdir()?;
    /// # let root = folder.path().join(".memory");
    /// let memory = Memory::create(&root)?;
    /// # #[allow(clippy::disallowed_methods)]
    /// std::fs::write(root.join("dev.md"), "## Decisions\nWe use SSE\n")?;
    /// let done = memory.migrate(Migrate::Now)?;
    /// assert_eq!(done.migrated[0].0.as_str(), "dev");
    /// assert_eq!(memory.agents()?[0].total, 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn migrate(&self, how: Migrate) -> Result<Migrated> {
        let disk = self.store().shared_disk();
        let mut done = Migrated::default();
        for flat in migrate::find(&*disk, self.config().config.limits.file_bytes, &mut done)? {
            let mut counts: Vec<(String, usize)> = Vec::new();
            let mut seen = HashSet::new();
            // The same section twice is one memory.
            for draft in flat.drafts.iter().filter(|draft| seen.insert((draft.kind.clone(), &draft.text))) {
                let word = draft.kind.as_ref().map_or("note", |kind| kind.word()).to_owned();
                match counts.iter_mut().find(|(known, _)| *known == word) {
                    Some((_, count)) => *count += 1,
                    None => counts.push((word, 1)),
                }
            }
            if how == Migrate::Look {
                match self.refusal(&flat) {
                    None => done.migrated.push((flat.agent, counts)),
                    Some(why) => done.left.push((flat.file, why)),
                }
                continue;
            }
            match self.take_over(&flat)? {
                None => done.migrated.push((flat.agent, counts)),
                Some(why) => done.left.push((flat.file, why)),
            }
        }
        if how == Migrate::Now {
            let store = self.store();
            let _lock = store.lock()?;
            migrate::tidy(&*disk)?;
        }
        Ok(done)
    }

    /// Why the door would not let in what a flat file holds.
    fn refusal(&self, flat: &Flat) -> Option<String> {
        let config = &self.config().config;
        keep::prepare(config, flat.drafts.clone()).into_iter().find_map(|(prepared, _)| {
            match admit(&prepared.draft, config.limits.entry_bytes, None, None) {
                Verdict::Refused(refusal) => Some(again(&refusal.into())),
                _ => None,
            }
        })
    }

    /// Keeps what a flat file holds and renames it; the reason where it must stay as it is.
    fn take_over(&self, flat: &Flat) -> Result<Option<String>> {
        let disk = self.store().shared_disk();
        {
            let store = self.store();
            let _lock = store.lock()?;
            migrate::begin(&*disk, flat)?;
        }
        for kept in self.remember_all(flat.drafts.clone())? {
            if let Err(error) = kept {
                return Ok(Some(again(&error)));
            }
        }
        self.flush()?;
        let store = self.store();
        let _lock = store.lock()?;
        let renamed = migrate::finish(&*disk, flat)?;
        Ok((!renamed).then(|| "it changed meanwhile; run `agent-memory migrate` again".to_owned()))
    }
}

fn again(error: &Error) -> String {
    format!("{error}; then run `agent-memory migrate` again")
}
