//! Meaning: texts as vectors. The table inside the program needs no model, no network and no start-up.
//!
//! [`Embedder`] is the seam: the built-in [`Table`] answers in microseconds, and a server that the user's own
//! settings name ([`Http`]) may take its place.

mod add;
mod fold;
mod http;
mod pieces;
mod table;
mod tells;

use memory_core::config::MeaningSettings;

use crate::error::Result;

pub(crate) use http::Http;
pub(crate) use table::Table;

/// Turns texts into vectors of length one; texts that mean the same get vectors that point the same way.
pub(crate) trait Embedder: Send + Sync {
    /// A name that changes whenever the vectors of some text change; vectors of two names are never compared.
    fn name(&self) -> &str;
    /// How many numbers a vector has.
    fn dims(&self) -> usize;
    /// The vectors of texts, in their order; all zero for a text that says nothing.
    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>>;
    /// The vector of a text whose words, in lower case, count as much as told. A server counts them as it likes.
    fn embed_weighed(&self, text: &str, _: &dyn Fn(&str) -> f32) -> Result<Vec<f32>> {
        Ok(self.embed(&[text])?.pop().unwrap_or_default())
    }
    /// The vectors of the parts of a long text, in their order; none for a short one. A server reads a text as a whole.
    fn embed_parts(&self, _: &str) -> Vec<Vec<f32>> {
        Vec::new()
    }
    /// How much a turn of a conversation tells, from −1 to 1, by its vector in bytes; 0 where nothing is known of it.
    fn tells(&self, _: &[u8]) -> f32 {
        0.0
    }
    /// The server that texts are sent to, where they leave this process.
    fn server(&self) -> Option<&Http> {
        None
    }
}

/// What the settings ask for. Nothing is sent before a vector is wanted.
pub(crate) fn chosen(settings: &MeaningSettings) -> Box<dyn Embedder> {
    match Http::of(settings) {
        Some(http) => Box::new(http),
        None => Box::new(Table::built_in()),
    }
}
