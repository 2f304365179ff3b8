//! Capture: what happens in a session is remembered without anyone saying so.
//!
//! A hook puts a letter into the inbox and is gone; its side opens no ledger, no index and no model, and fails nobody:
//! what goes wrong stands in `.vault/log`. Later one process drains it: letters become history, what the transcripts
//! hold becomes memories, and a session that rests or ends is handed over.

mod log;
mod carried;
mod known;
mod letter;
pub mod inbox;
mod hear;
mod snapshots;
mod history;
mod progress;
mod told;
mod sources;
mod door;
mod draft;
mod sitting;
mod group;
mod processed;
mod reading;
mod drain;
mod survey;
mod watch;
#[cfg(test)]
mod tests;

pub use hear::{Heard, Hook, hear};
pub use letter::Letter;
pub use processed::{Process, Processed};
pub use snapshots::{How, SavedSession, Synced};
pub use sources::From as ProcessFrom;
pub use survey::ClientSessions;
pub use watch::{Ended, Watch, Watched};

pub(crate) use door::{Door, Settled, TakenBack};
pub(crate) use draft::{draft_of, named};
pub(crate) use drain::drain;
pub(crate) use known::{IMPORTED, Known, digest};
pub(crate) use log::say;
pub(crate) use snapshots::{all, load, recover, save, snapshot, sync};
pub(crate) use survey::survey;
pub(crate) use watch::watch;
