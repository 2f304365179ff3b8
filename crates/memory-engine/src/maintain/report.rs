//! What upkeep did, or would do: the counts of the vault tool and a list of single deeds.

use memory_core::id::MemoryId;
use memory_core::time::Time;
use serde_json::{Map, Value, json};

use super::{Pass, Step};

/// One thing that was done, or would be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Deed {
    /// The step it belongs to.
    pub step: Step,
    /// What was done: `archive`, `trim`, `keep`, `merge`, `drop`, `add`, `prune`, `expire` or `update`.
    pub what: &'static str,
    /// The file it was done to, relative to the root.
    pub path: String,
    /// How many memories, messages or events it concerns.
    pub count: usize,
    /// The memories that leave.
    pub ids: Vec<MemoryId>,
    /// More about it: the reason, or the text that is kept.
    pub about: String,
}

/// What became of merging the journal, in the words of the journal tool.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are those of the journal tool")]
pub struct JournalMerge {
    pub ran: bool,
    pub reason: Option<&'static str>,
    pub records_before: usize,
    pub records_after: usize,
    pub records_compacted: usize,
    pub long_memory_appended: bool,
}

/// What upkeep did, or would do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Compacted {
    /// When.
    pub at: Time,
    /// Whether nothing was changed.
    pub dry_run: bool,
    /// Whether another process is at it, so that nothing was done.
    pub busy: bool,
    /// Snapshots that left.
    pub snapshots: usize,
    /// Conversations that were trimmed.
    pub conversations: usize,
    /// Memories that were kept out of conversations.
    pub extracted: usize,
    /// Memories that were merged into summaries.
    pub merged: usize,
    /// Whether the index was brought up to date.
    pub index: bool,
    /// Files of a migration that left.
    pub legacy: usize,
    /// Records that left the journal because of its limits.
    pub dropped: usize,
    /// What became of merging the journal.
    pub journal: JournalMerge,
    /// Experiences that were added.
    pub experiences: usize,
    /// Events that left the history.
    pub events: usize,
    /// Batches of events that expired.
    pub expired: usize,
    /// The batch that holds what left.
    pub archive: Option<String>,
    /// The batch that holds the events that left.
    pub pruned: Option<String>,
    /// Every single thing.
    pub deeds: Vec<Deed>,
    /// Files that could not be looked after, and why.
    pub errors: Vec<(String, String)>,
}

impl Compacted {
    pub(super) fn new(at: Time, pass: Pass) -> Self {
        Self {
            at,
            dry_run: pass == Pass::Look,
            busy: false,
            snapshots: 0,
            conversations: 0,
            extracted: 0,
            merged: 0,
            index: false,
            legacy: 0,
            dropped: 0,
            journal: JournalMerge { reason: Some("not asked for"), ..JournalMerge::default() },
            experiences: 0,
            events: 0,
            expired: 0,
            archive: None,
            pruned: None,
            deeds: Vec::new(),
            errors: Vec::new(),
        }
    }

    /// Whether memories were changed, so that an index must follow.
    pub(crate) fn changes_memories(&self) -> bool {
        self.extracted + self.merged + self.dropped + self.journal.records_compacted > 0
    }

    pub(super) fn note(&mut self, step: Step, what: &'static str, path: &str, count: usize) -> &mut Deed {
        let (path, ids, about) = (path.to_owned(), Vec::new(), String::new());
        let at = self.deeds.len();
        self.deeds.push(Deed { step, what, path, count, ids, about });
        &mut self.deeds[at]
    }

    /// Notes that the index was brought up to date, or would be.
    pub(crate) fn index_deed(&mut self) {
        self.note(Step::Index, "update", ".vault/index", 1).about = "what is not in it goes in".to_owned();
    }

    /// The outcome as the vault tool writes it, and what it does not know.
    pub fn to_json(&self) -> Value {
        self.json_with(|deed| json!(deed.ids))
    }

    /// The same for the file that keeps the last outcome: it counts the memories and does not name them.
    pub(crate) fn to_log(&self) -> String {
        let value = self.json_with(|deed| json!(deed.ids.len()));
        serde_json::to_string_pretty(&value).unwrap_or_default()
    }

    fn json_with(&self, ids: impl Fn(&Deed) -> Value) -> Value {
        let mut journal = Map::new();
        journal.insert("dropped".to_owned(), self.dropped.into());
        journal.insert("ran".to_owned(), self.journal.ran.into());
        if let Some(reason) = self.journal.reason {
            journal.insert("reason".to_owned(), reason.into());
        }
        for (name, count) in [
            ("recordsBefore", self.journal.records_before),
            ("recordsAfter", self.journal.records_after),
            ("recordsCompacted", self.journal.records_compacted),
        ] {
            journal.insert(name.to_owned(), count.into());
        }
        journal.insert("longMemoryAppended".to_owned(), self.journal.long_memory_appended.into());
        let deeds = self.deeds.iter().map(|deed| {
            json!({
                "step": deed.step.word(),
                "what": deed.what,
                "path": deed.path,
                "count": deed.count,
                "ids": ids(deed),
                "about": deed.about,
            })
        });
        json!({
            "timestamp": self.at.iso(),
            "checkpointsCleaned": self.snapshots,
            "conversationsTrimmed": self.conversations,
            "vaultEntriesMerged": self.merged,
            "indexRebuilt": self.index,
            "legacyFilesCleaned": self.legacy,
            "dryRun": self.dry_run,
            "busy": self.busy,
            "memoriesExtracted": self.extracted,
            "journal": journal,
            "experiencesAdded": self.experiences,
            "eventsArchived": self.events,
            "batchesExpired": self.expired,
            "archive": self.archive,
            "pruned": self.pruned,
            "deeds": deeds.collect::<Vec<_>>(),
            "errors": self
                .errors
                .iter()
                .map(|(path, error)| json!({ "path": path, "error": error }))
                .collect::<Vec<_>>(),
        })
    }
}
