//! Categories of vaults that grew: archived as they are, then the old memories leave and a summary comes.

use std::cell::RefCell;

use memory_core::id::MemoryId;
use memory_core::layout::Home;
use memory_core::memory::Body;
use memory_core::retain::condense;

use super::{Step, Upkeep, is_about_one_file};
use crate::error::{Error, Result};
use crate::keep::mask;
use crate::store::{Coming, Exchange};

impl Upkeep<'_> {
    /// Every category of every agent.
    pub(super) fn categories(&mut self) -> Result<()> {
        let mut paths = {
            let store = self.store();
            store.memory_files()?.files
        };
        paths.extend(self.coming.keys().cloned());
        paths.sort();
        paths.dedup();
        for path in paths.into_iter().filter(|path| matches!(Home::of_path(path), Some(Home::Vault { .. }))) {
            match self.category(&path) {
                Err(error) if is_about_one_file(&error) => self.failed(&path, &error),
                other => other?,
            }
        }
        Ok(())
    }

    fn category(&mut self, path: &str) -> Result<()> {
        let Some(home @ Home::Vault { .. }) = Home::of_path(path) else { return Ok(()) };
        let config = self.door.config().clone();
        let mut store = self.store();
        let _lock = store.lock()?;
        let Some(held) = store.held(path)? else { return Ok(()) };
        let mut memories = held.memories();
        memories.extend(self.coming.get(path).into_iter().flatten().cloned());
        let (scope, kind) = home.usual();
        if memories.len() > self.rules.category_entries.get() && self.given.is_none() {
            self.given = Some(store.given_ids()?);
        }
        let given = self.given.as_ref();
        let failed: RefCell<Option<Error>> = RefCell::new(None);
        let taken = |id: &MemoryId| {
            let was_given = id.millis().is_some_and(|id| given.is_some_and(|given| given.contains(&id)));
            was_given
                || store.stands(id).unwrap_or_else(|error| {
                    failed.borrow_mut().get_or_insert(error);
                    true
                })
        };
        let condensed = condense(&memories, (&scope, &kind), &self.rules, &taken);
        if let Some(error) = failed.take() {
            return Err(error);
        }
        let Some(mut condensed) = condensed else { return Ok(()) };
        for summary in &mut condensed.summaries {
            // What a person wrote into a file was never masked; what we make of it is.
            let text = mask(&config, summary.body.as_str().to_owned(), &mut Vec::new());
            summary.body = Body::new(&text);
        }
        if condensed.summaries.iter().any(|summary| summary.body.as_str().len() > config.limits.entry_bytes) {
            let why = "its summary would be longer than `limits.entry_bytes`: raise it, or lower `upkeep.summary_lines`";
            self.done.errors.push((path.to_owned(), why.to_owned()));
            return Ok(());
        }
        let fresh = condensed.summaries.iter().filter_map(|summary| summary.id.millis());
        self.given.get_or_insert_default().extend(fresh);
        self.done.merged += condensed.merged;
        let deed = self.done.note(Step::Categories, "merge", path, condensed.merged);
        // What this very run kept has no id in a look, so it is counted and not named.
        let new = |id: &MemoryId| {
            self.fresh.contains(id) || self.coming.values().flatten().any(|memory| memory.id == *id)
        };
        deed.ids = condensed.leaving.iter().filter(|id| !new(id)).cloned().collect();
        deed.about = match condensed.summaries.len() {
            1 => "into one summary".to_owned(),
            count => format!("into {count} summaries, what strangers said apart"),
        };
        if self.applies() {
            let coming = condensed.summaries.into_iter().map(Coming::Memory).collect();
            store.exchange(&mut self.batch, vec![Exchange { held, leaving: condensed.leaving, coming }])?;
        }
        Ok(())
    }
}
