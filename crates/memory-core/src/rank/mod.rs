//! Ranking: what makes one memory a better answer than another. Pure arithmetic over what an index found.
//!
//! [`Tally`] turns term counts into lexical scores of memories and of their sessions; [`fuse`] joins them with
//! meaning, neighbours and small priors into one score. Every score can be taken apart again ([`Parts`]). The same
//! input always gives the same order, whatever part of it came from where.

mod age;
mod tasks;
mod asked;
mod changed;
mod fuse;
mod reach;
mod tally;
mod tongue;
mod weights;

pub use self::age::Age;
pub use self::asked::{Asked, Faint, is_around_a_time, is_general};
pub use self::changed::Told;
pub use self::fuse::{Candidate, Parts, Ranked, Scales, by_age, fuse, scale, worth_showing};
pub use self::reach::{Reach, over_sessions};
pub use self::tally::{Facts, Tally, rarity};
pub use self::tasks::Tasks;
pub use self::weights::{Prior, Weights};
