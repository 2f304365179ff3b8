//! Capture: what happens in a session is remembered without anyone saying so. What hooks tell is put into an inbox at
//! once, and taken out of it when somebody has time.
//!
//! The hook's side opens no ledger, no index and no model, and fails nobody: what goes wrong stands in `.vault/log`.

pub mod inbox;
mod hear;
mod letter;
mod log;
mod snapshots;
#[cfg(test)]
mod tests;

pub use hear::{Heard, Hook, hear};
pub use letter::Letter;
pub use snapshots::{How, SavedSession, Synced};
pub(crate) use snapshots::{all, load, recover, save, snapshot, sync};
