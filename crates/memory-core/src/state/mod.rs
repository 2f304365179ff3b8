//! What is known, folded from what happened: `state.json`, the checkpoints, and the files that go with them.
//!
//! Reading names the field that is wrong; writing gives the canonical text, so a file of the tool that this
//! format comes from is written back with the same bytes. Unknown fields survive.

mod bundle;
mod sources;
mod stable;
#[cfg(test)]
mod tests;

use serde_json::Value;

use crate::event::fields::{At, Field, document, shown};
use crate::event::record::{numbered, record};
use crate::event::{EventId, HistoryError};
use crate::time::Time;

pub use bundle::{
    Bundle, CurrentFocus, Entrypoint, Gotcha, Module, NextStep, PathNote, Project, ProjectMap, RunStatus,
    SnapshotStatus, ValidationCommand, ValidationResult, ValidationSnapshot,
};
pub use sources::{Manifest, Source, SyncStatus, parse_sources, render_sources};
pub use stable::{bundle_hash, sha256_hex, stable_hash, stable_string};

record! {
    /// `state.json`: the bundle in force, who made it, and how far recall has come.
    State {
        /// The version of the format.
        schema_version: SchemaVersion = "schemaVersion",
        /// The version of the program that wrote it.
        generator_version: String = "generatorVersion",
        /// Who made the bundle.
        provider: Provider = "provider",
        /// When it was made.
        generated_at: Time = "generatedAt",
        /// The hash of the bundle.
        bundle_hash: String = "bundleHash",
        /// What is known.
        bundle: Bundle = "bundle",
        /// How far recall has come.
        maintenance: Maintenance = "maintenance",
    }
}

impl State {
    /// Reads the text of `state.json`.
    pub fn parse(text: &str) -> Result<Self, HistoryError> {
        document(text)
    }

    /// The canonical text, with a line end.
    pub fn render(&self) -> String {
        stable_string(&self.write()) + "\n"
    }

    /// Checks that the bundle is the one that was hashed.
    pub fn verify(&self) -> Result<(), HistoryError> {
        verify(&self.bundle_hash, &self.bundle)
    }
}

record! {
    /// `history/checkpoints/chk-000001.json`: the bundle as it was after an event.
    Checkpoint {
        /// Its running number.
        id: CheckpointId = "id",
        /// The event after which it was taken.
        event_id: Option<EventId> = "eventId",
        /// When it was taken.
        created_at: Time = "createdAt",
        /// What had changed, in a sentence.
        summary: String = "summary",
        /// The hash of the bundle.
        bundle_hash: String = "bundleHash",
        /// What was known.
        bundle: Bundle = "bundle",
    }
}

impl Checkpoint {
    /// Reads the text of a checkpoint.
    pub fn parse(text: &str) -> Result<Self, HistoryError> {
        document(text)
    }

    /// The canonical text, with a line end.
    pub fn render(&self) -> String {
        stable_string(&self.write()) + "\n"
    }

    /// Checks that the bundle is the one that was hashed.
    pub fn verify(&self) -> Result<(), HistoryError> {
        verify(&self.bundle_hash, &self.bundle)
    }
}

fn verify(written: &str, bundle: &Bundle) -> Result<(), HistoryError> {
    let actual = bundle.hash();
    if written == actual { Ok(()) } else { Err(HistoryError::Hash { written: shown(written), actual }) }
}

numbered!(
    /// A checkpoint, written `chk-000001`, which is also the stem of its file.
    CheckpointId, "chk-", "checkpoint id"
);

/// The version of the format: there is one, and a file of another is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SchemaVersion;

impl SchemaVersion {
    /// The number in the file.
    pub const NUMBER: u64 = 2;
}

impl Field for SchemaVersion {
    fn read(value: Value, at: &At<'_>) -> Result<Self, HistoryError> {
        match u64::read(value, at)? {
            Self::NUMBER => Ok(Self),
            found => {
                Err(at.refuse(format!("is {found}, only {} can be read; build the state anew", Self::NUMBER)))
            }
        }
    }

    fn write(&self) -> Value {
        Value::from(Self::NUMBER)
    }
}

record! {
    /// Who made a bundle.
    Provider {
        /// Its name, such as `codex` or `claude`.
        name: String = "name",
        /// The program that was run.
        binary: String = "binary",
        /// The model, where one was named.
        model: Option<String> = "model",
        /// The provider's own session.
        session_id: Option<String> = "sessionId",
    }
}

record! {
    /// How far recall has come.
    Maintenance {
        /// When something was last recalled.
        last_recalled_at: Option<Time> = "lastRecalledAt",
        /// The last event that was recalled.
        last_recalled_event_id: Option<EventId> = "lastRecalledEventId",
        /// The newest checkpoint.
        latest_checkpoint_id: Option<CheckpointId> = "latestCheckpointId",
        /// How many events the active log holds.
        history_event_count: u64 = "historyEventCount",
        /// How many import sources there are.
        import_source_count: u64 = "importSourceCount",
        /// How far recall has come in each scope.
        recall_cursors: RecallCursors = "recallCursors",
    }
}

record! {
    /// How far recall has come in each scope.
    RecallCursors {
        /// Over all events.
        all: RecallCursor = "all",
        /// Over events of this machine.
        local: RecallCursor = "local",
        /// Over imported sessions.
        imports: RecallCursor = "imports",
    }
}

record! {
    /// How far recall has come in one scope.
    RecallCursor {
        /// When something was last recalled.
        last_recalled_at: Option<Time> = "lastRecalledAt",
        /// The last event that was recalled.
        last_recalled_event_id: Option<EventId> = "lastRecalledEventId",
    }
}
