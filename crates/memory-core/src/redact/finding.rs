//! What a rule reports: a kind, a place, and how sure it is.
//!
//! Findings of different rules may overlap; they are merged before anything is masked.

use std::ops::Range;

/// A secret that one rule saw.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Finding {
    pub(super) kind: &'static str,
    pub(super) at: Range<usize>,
    pub(super) surety: Surety,
}

/// How sure a rule is of the kind; the surest comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Surety {
    /// The format says so by itself.
    Format,
    /// A name says so, and the shape fits it.
    Named,
    /// Only a name says that it is some secret.
    Announced,
}
