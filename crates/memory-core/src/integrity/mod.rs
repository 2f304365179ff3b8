//! What may be wrong with what is remembered: memories that contradict each other, that nearly say the same, that have
//! grown old, and that name code which is no longer as it was.
//!
//! Everything here is a judgement over texts that are given; nothing is changed, and a person decides. A finding that
//! is wrong costs more than one that is missed, so each rule asks for the same thing said in the same terms.

mod lexicon;
mod word;
mod claim;
mod clash;
mod anchor;
mod define;
mod drift;
mod alike;

#[cfg(test)]
mod tests;

pub use self::alike::{Gist, NEAR, ages, candidates, days_stale, tells_all_of};
pub use self::anchor::{Anchor, Command, Symbol, Tool, anchors};
pub use self::clash::{Contradiction, contradictions};
pub use self::define::{Definition, all_definitions, defined_names, definitions};
pub use self::drift::{Drift, Look, Verdict, judge};
