//! The index: a cache of the memories' words and vectors that may be deleted at any time.
//!
//! [`OnDisk`](on_disk::OnDisk) holds what was indexed up to some operation of the ledger, [`Ram`](ram::Ram) the rest;
//! an answer asks both, so what is acknowledged is found at once. Counts are taken from the rows that live, so an
//! answer does not depend on which of the two holds a memory.

mod dot;
mod drain;
mod guard;
mod on_disk;
mod placed;
mod ram;
mod shelf;
mod turn;
mod words;

use levenshtein_automata::DFA;

use crate::error::Result;

pub(crate) use dot::{dot, dots};
pub(crate) use drain::{Drained, discard_if_damaged, drain, read_all, remove};
pub(crate) use guard::guarded;
pub use guard::is_guarded;
pub(crate) use on_disk::{marked, open, why_not};
pub(crate) use ram::Ram;
pub(crate) use shelf::{Facets, Shelf};
pub(crate) use words::{Field, TURN, day_terms, facets, meaning, number_of, quantised, scale};

/// Where the index is, inside the root.
pub(crate) const FOLDER: &str = ".vault/index";

/// Words of the vocabulary that may be meant.
pub(crate) enum Wanted<'a> {
    /// Those that begin so.
    Beginning(&'a str),
    /// Those that this automaton takes for a misspelling of the word, or it for theirs.
    Misspelt(&'a str, &'a DFA),
}

/// A word of the vocabulary.
pub(crate) struct Near {
    pub(crate) term: String,
    /// In how many memories it stands.
    pub(crate) rows: u32,
    /// How many edits it is away.
    pub(crate) distance: u8,
}

/// Something that knows where words stand. Rows are counted through all its shelves.
pub(crate) trait Index {
    fn shelves(&self) -> &[Shelf];
    /// Which rows still are memories; `None` when all are.
    fn live(&self) -> Option<&[bool]>;
    /// Whether a term stands in any row, of memories that are gone too.
    fn knows(&self, field: Field, term: &str) -> Result<bool>;
    /// Calls a function with each row in which a term stands, and how often.
    fn postings(&self, field: Field, term: &str, each: &mut dyn FnMut(u32, u32)) -> Result<()>;
    /// Calls a function with each of the wanted rows in which a term stands, and where.
    fn positions(
        &self,
        field: Field,
        term: &str,
        wanted: &dyn Fn(u32) -> bool,
        each: &mut dyn FnMut(u32, &[u32]),
    ) -> Result<()>;
    /// Calls a function with each word of the vocabulary that may be meant.
    fn near(&self, wanted: &Wanted<'_>, each: &mut dyn FnMut(Near)) -> Result<()>;
}
