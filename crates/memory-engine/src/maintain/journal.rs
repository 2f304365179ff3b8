//! The journal: its window and its merging into long-term summaries, both in one commit.

use memory_core::id::MemoryId;
use memory_core::kind::Kind;
use memory_core::layout::Home;
use memory_core::memory::{Body, Memory, Provenance};
use memory_core::retain::{
    Merged, Record, Unmerged, journal_records, long_term_overflow, merge_journal, rolling_window,
};
use memory_core::scope::{Scope, SourceClass};
use memory_core::time::Time;

use super::{JournalMerge, Step, Upkeep};
use crate::error::Result;
use crate::keep::mask;
use crate::store::{Coming, Exchange, Held};

impl Upkeep<'_> {
    /// Brings the journal within its limits.
    pub(super) fn journal(&mut self, just_written: &[MemoryId]) -> Result<()> {
        let mut store = self.store();
        let _lock = store.lock()?;
        let path = Home::Journal.path();
        let held = store.held(&path)?.filter(Held::is_there);
        let Some(held) = held else {
            self.done.journal.reason = Some(Unmerged::NoMemoryFile.word());
            return Ok(());
        };
        let records = records_of(&held);
        let mut leaving = rolling_window(&records, held.chars(), just_written, &self.rules);
        if !leaving.is_empty() {
            self.done.dropped = leaving.len();
            let deed = self.done.note(Step::Journal, "drop", &path, leaving.len());
            deed.ids.clone_from(&leaving);
            "the journal has a limit".clone_into(&mut deed.about);
        }
        let mut outcome = JournalMerge {
            records_before: records.len(),
            records_after: records.len() - leaving.len(),
            ..JournalMerge::default()
        };
        let mut exchanges = Vec::new();
        match merge_journal(&records, held.chars(), &leaving, &self.rules, self.now) {
            Err(why) => outcome.reason = Some(why.word()),
            Ok(merged) => {
                let long_term = store.held(&Home::LongTerm.path())?;
                match long_term {
                    None => outcome.reason = Some("the long-term summaries must not be touched now"),
                    Some(long_term) => {
                        outcome.ran = true;
                        outcome.records_compacted = merged.leaving.len();
                        outcome.records_after -= merged.leaving.len();
                        outcome.long_memory_appended = true;
                        let deed = self.done.note(Step::Journal, "merge", &path, merged.leaving.len());
                        deed.ids.clone_from(&merged.leaving);
                        "into LONGMEMORY.md".clone_into(&mut deed.about);
                        leaving.extend(merged.leaving.iter().cloned());
                        exchanges.push(self.long_term(long_term, merged));
                    }
                }
            }
        }
        self.done.journal = outcome;
        if self.applies() && !leaving.is_empty() {
            exchanges.insert(0, Exchange { held, leaving, coming: Vec::new() });
            store.exchange(&mut self.batch, exchanges)?;
        }
        Ok(())
    }

    /// What comes to the long-term summaries, and which of them leave for it.
    fn long_term(&mut self, held: Held, merged: Merged) -> Exchange {
        let config = self.door.config();
        let mut coming = Vec::new();
        let mut chars = 0;
        if let Some(block) = merged.block {
            let raw = mask(config, block, &mut Vec::new());
            chars += raw.chars().count() + 2;
            coming.push(block_of(raw, merged.class));
        }
        if let Some(mut private) = merged.private {
            let text = mask(config, private.body.as_str().to_owned(), &mut Vec::new());
            private.body = Body::new(&text);
            chars += text.chars().count() + 400;
            if let Ok(id) = MemoryId::parse(&format!("summary-{}", self.now.stamp())) {
                private.id = id;
            }
            coming.push(Coming::Memory(private));
        }
        let leaving = long_term_overflow(&held.bytes, chars, &self.rules);
        if !leaving.is_empty() {
            let deed = self.done.note(Step::Journal, "archive", &held.path, leaving.len());
            deed.ids.clone_from(&leaving);
            "the oldest summaries".clone_into(&mut deed.about);
        }
        Exchange { held, leaving, coming }
    }
}

/// The records of a journal, each trusted as the ledger knows it.
pub(super) fn records_of(held: &Held) -> Vec<Record> {
    let mut records = journal_records(&held.bytes);
    for record in &mut records {
        let known = held.found.iter().find(|found| found.memory.id == record.memory.id);
        if let Some(found) = known {
            record.memory.provenance.class = found.memory.provenance.class;
        }
    }
    records
}

/// A block of text under a heading, as the memory that a reader finds there.
fn block_of(raw: String, class: SourceClass) -> Coming {
    let body = raw.split_once("\n\n").map_or(raw.as_str(), |(_, body)| body).to_owned();
    let title = raw.lines().next().and_then(|line| line.strip_prefix("## ")).map(str::to_owned);
    let memory = Memory {
        id: MemoryId::of_text(Body::new(&raw).as_str(), 0),
        kind: Kind::Summary,
        scope: Scope::Project,
        key: None,
        title,
        body: Body::new(&body),
        tags: Vec::new(),
        created: Time::default(),
        updated: Time::default(),
        provenance: Provenance::of("upkeep", class),
        extra: serde_json::Map::new(),
    };
    Coming::Raw(memory, raw.into_bytes())
}
