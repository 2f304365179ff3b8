//! The engine as somebody who embeds it meets it: whole flows through the public verbs, on real folders.
//!
//! Roots live in temporary folders and are opened without approvals, so nothing is written to the user's home. With
//! `AGENT_MEMORY_DEEP` set, the suites that sample look at everything instead.

#![expect(clippy::disallowed_methods, reason = "tests play the editor, the attacker and the failing disk")]
#![allow(clippy::disallowed_macros, reason = "a test that is skipped says so")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test that cannot go on fails")]

mod asked;
mod by_hand;
#[cfg(unix)]
mod bytes;
mod capture;
mod changed;
mod compact;
#[cfg(feature = "faulty")]
mod crashes;
#[cfg(unix)]
mod denied;
mod drift;
#[cfg(feature = "faulty")]
mod editors;
mod endpoint;
mod forget;
mod frozen;
mod hooks;
#[cfg(unix)]
mod hostile;
mod import;
#[cfg(feature = "faulty")]
mod in_memory;
mod index;
#[cfg(unix)]
mod ledgers;
mod limits;
mod listed;
mod long;
mod many;
mod marked;
mod meant;
mod numbers;
mod older_tools;
mod regressions;
mod sandbox;
mod saves;
mod search;
mod things;
mod turns;
