//! Capture: what happens in a session is remembered without anyone saying so.

mod snapshots;

pub use snapshots::{How, SavedSession, Synced};
pub(crate) use snapshots::{all, load, recover, save, snapshot, sync};
