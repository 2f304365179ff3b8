//! The door as capture needs it; the handle above is behind it.

use memory_core::config::Config;

use crate::error::Result;
use crate::keep::{Draft, Kept};

/// The door, as the drain needs it.
pub(crate) trait Door {
    /// The settings.
    fn config(&self) -> &Config;
    /// Lets drafts in with one durable commit.
    fn keep(&mut self, drafts: Vec<Draft>) -> Result<Vec<Result<Kept>>>;
    /// Whether a memory says this already, in other words.
    fn knows(&mut self, draft: &Draft) -> Result<bool>;
}
