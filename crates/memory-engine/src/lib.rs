//! agent-memory as a library: memories kept as markdown that people can read and edit, and never lost.
//!
//! A [`Memory`] is one root folder. What [`Memory::remember`] has acknowledged survives a kill and a power loss;
//! what a person writes into the files by hand is found and kept; nothing leaves without going to the archive.
//!
//! ```
//! use memory_engine::{Draft, Filter, Memory};
//! # let folder = tempfile::tempdir()?;
//! # let root = folder.path().join(".memory");
//! let memory = Memory::create(&root)?;
//! let kept = memory.remember(Draft::note("We decided to use SSE, because the proxy drops idle sockets #sse"))?;
//! let entry = memory.show(&kept.id)?;
//! assert_eq!(entry.memory.tags[0].as_str(), "sse");
//! assert_eq!(entry.file, "default/decisions.md");
//! assert_eq!(memory.list(&Filter::default())?.len(), 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Modules stand in the order in which they may use each other.

pub mod error;
pub mod ambient;
mod spread;
pub mod disk;
mod git;
mod project;
pub mod paths;
mod ledger;
mod store;
mod model;
mod index;
mod keep;
pub mod harness;
pub mod hook;
pub mod capture;
pub mod import;
mod migrate;
mod doctor;
mod scan;
mod search;
pub mod context;
mod maintain;
mod memory;

pub use memory_core as core;

pub use capture::{
    ClientSessions, Ended, How as SyncHow, Process, ProcessFrom, Processed, SavedSession, Synced, Watch,
    Watched,
};
pub use context::{Ask, Moment, Receipt, Told};
pub use doctor::{Depth, Diagnosis, Finding, Severity};
pub use error::{Error, Result};
pub use harness::{Homes, own_words, read_tail, sessions};
pub use import::{Format, Import, Imported, Reach};
pub use index::is_guarded;
pub use keep::{Draft, Edited, Kept};
pub use maintain::{Compact, Compacted, Deed, JournalMerge, Step};
pub use memory::{Importable, Memory};
pub use migrate::{Migrate, Migrated};
pub use project::{Project, project_of};
pub use scan::{Aged, CodeFinding, Look, Proposal, Scanned};
pub use search::{Answer, Hit, IndexState, Passage, Search, Unmet, Update, Updated, Word};
pub use store::{
    AgentCounts, ArchiveBatch, ArchivedFile, ArchivedItem, Change, Entry, Expect, Filter, Forget, Forgotten,
    Notice, Outcome, Restored, Supersede, Superseded, Version,
};
