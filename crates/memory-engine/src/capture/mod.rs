//! Capture: what hooks tell is put into an inbox at once, and taken out of it when somebody has time.
//!
//! The hook's side opens no ledger, no index and no model, and fails nobody: what goes wrong stands in `.vault/log`.

pub mod inbox;
mod hear;
mod letter;
mod log;
#[cfg(test)]
mod tests;

pub use hear::{Heard, Hook, hear};
pub use letter::Letter;
