//! The verb that keeps the memory lean, and the look at what it would do.

use super::Memory;
use super::capture::Keeper;
use crate::error::Result;
use crate::keep::Kept;
use crate::maintain::{self, Compact, Compacted, Pass, Step};
use crate::search::{Update, Updated};

/// Where the outcome of the last run is kept.
const LOG: &str = "compact-log.json";

impl Memory {
    /// Compacts: what is old leaves for the archive, from where [`restore`](Memory::restore) brings all of it back, and
    /// summaries stand for it. `report` hears how many of how many steps are done. Repeating it does nothing more.
    ///
    /// ```
    /// use memory_engine::core::kind::Kind;
    /// use memory_engine::{Compact, Draft, Memory};
    /// # let folder = tempfile::tempdir()?;
    /// let memory = Memory::create(folder.path().join(".memory"))?;
    /// for n in 0..40 {
    ///     memory.remember(Draft { kind: Some(Kind::Decision), ..Draft::note(&format!("Decision {n}: port 80{n}")) })?;
    /// }
    /// let done = memory.compact(&Compact::default(), &mut |_, _| {})?;
    /// assert_eq!(done.merged, 20);
    /// assert_eq!(memory.compact(&Compact::default(), &mut |_, _| {})?.merged, 0);
    /// memory.restore(&done.archive.unwrap_or_default())?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn compact(&self, compact: &Compact, report: &mut dyn FnMut(usize, usize)) -> Result<Compacted> {
        self.upkeep(compact, Pass::Apply, report)
    }

    /// Looks at what [`compact`](Memory::compact) would do. Nothing is changed.
    pub fn look_at_compaction(&self, compact: &Compact) -> Result<Compacted> {
        self.upkeep(compact, Pass::Look, &mut |_, _| {})
    }

    fn upkeep(
        &self,
        compact: &Compact,
        pass: Pass,
        report: &mut dyn FnMut(usize, usize),
    ) -> Result<Compacted> {
        self.flush_or_say()?;
        let indexes = compact.wants(Step::Index);
        let behind = indexes && self.index_state()?.behind > 0;
        let mut done = maintain::compact(&self.shared.store, &mut Keeper::of(self), compact, pass, report)?;
        if done.busy {
            return Ok(done);
        }
        if indexes && (behind || done.changes_memories()) {
            done.index = match pass {
                Pass::Look => true,
                Pass::Apply => match self.update_index(Update::Behind, &mut |_, _| {}) {
                    Ok(updated) => matches!(updated, Updated::Done(_)),
                    // It is a cache, so what was done before it is still to be told.
                    Err(error) => {
                        done.errors.push((".vault/index".to_owned(), error.to_string()));
                        false
                    }
                },
            };
            done.index_deed();
        }
        report(Step::ALL.len(), Step::ALL.len());
        if pass == Pass::Apply {
            let store = self.store();
            // Another run may have ended just now.
            let _lock = store.lock()?;
            store.write_own(LOG, &done.to_log())?;
        }
        Ok(done)
    }

    /// Keeps the journal within its window after records came to it. What fails here is done by the next upkeep.
    pub(super) fn keep_window(&self, kept: &[Result<Kept>]) {
        let rules = &self.shared.config.config.upkeep;
        if rules.journal_records == 0 && rules.journal_chars == 0 {
            return;
        }
        let written: Vec<_> = kept
            .iter()
            .flatten()
            .filter(|kept| kept.file == "MEMORY.md")
            .map(|kept| kept.id.clone())
            .collect();
        if written.is_empty() {
            return;
        }
        let compact = Compact { only: vec![Step::Journal], just_written: written };
        if let Err(error) = maintain::compact(
            &self.shared.store,
            &mut Keeper::of(self),
            &compact,
            Pass::Apply,
            &mut |_, _| {},
        ) {
            let text = format!("{error}; the journal is brought within its limits by the next upkeep");
            self.store().notice(error.code(), text);
        }
    }
}
