//! `sources.json`, the list of import sources, and the `manifest.json` of an archive batch.

use super::{CheckpointId, stable_string};
use crate::event::fields::{Field, document};
use crate::event::record::{record, words};
use crate::event::{EventId, HistoryError};
use crate::time::Time;

record! {
    /// A place from which sessions are imported.
    Source {
        /// Its name.
        id: String = "id",
        /// Its sort, such as `claude-local` or `codex-local`.
        kind: String = "type",
        /// Where it is.
        path: String = "path",
        /// When it was added.
        created_at: Time = "createdAt",
        /// When this entry last changed.
        updated_at: Time = "updatedAt",
        /// When it was last synchronised.
        last_synced_at: Option<Time> = "lastSyncedAt",
        /// How that went.
        last_sync_status: SyncStatus = "lastSyncStatus",
        /// The first failure of that time.
        last_sync_error: Option<String> = "lastSyncError",
        /// How many sessions came in that time.
        last_imported_count: u64 = "lastImportedCount",
    }
}

words! {
    /// How the last synchronisation of a source went.
    SyncStatus {
        /// There was none.
        #[default]
        Never = "never",
        /// Every item came in.
        Passed = "passed",
        /// At least one item failed.
        Failed = "failed",
    }
}

/// Reads the text of `sources.json`.
pub fn parse_sources(text: &str) -> Result<Vec<Source>, HistoryError> {
    document(text)
}

/// The canonical text of `sources.json`, with a line end.
pub fn render_sources(sources: &[Source]) -> String {
    stable_string(&sources.iter().map(Field::write).collect()) + "\n"
}

record! {
    /// `archive/prune-<stamp>/manifest.json`: what a batch holds, and why.
    Manifest {
        /// The checkpoints in the batch.
        archived_checkpoint_ids: Vec<CheckpointId> = "archivedCheckpointIds",
        /// The events in the batch.
        archived_event_ids: Vec<EventId> = "archivedEventIds",
        /// From which age on checkpoints left.
        checkpoint_max_age_days: u64 = "checkpointMaxAgeDays",
        /// When the batch was made.
        created_at: Time = "createdAt",
        /// After how many days the batch itself expires.
        expire_after_days: u64 = "expireAfterDays",
        /// From which age on events left.
        history_max_age_days: u64 = "historyMaxAgeDays",
        /// How many of the newest checkpoints stayed, whatever their age.
        keep_recent: u64 = "keepRecent",
    }
}

impl Manifest {
    /// Reads the text of a manifest.
    pub fn parse(text: &str) -> Result<Self, HistoryError> {
        document(text)
    }

    /// The canonical text, with a line end.
    pub fn render(&self) -> String {
        stable_string(&self.write()) + "\n"
    }
}
