//! How text becomes terms: one analyser for memories and for questions, so that both speak the same words.
//!
//! [`Analyser::each`] is total and deterministic on any Unicode text and takes time in proportion to it. A word
//! gives its [`Form::Exact`] term (lower case, without accents, marked `=`) and its [`Form::Stem`]; an identifier
//! or path is one [`Form::Whole`] term and its parts are words; a date is also its day, month and year. Beside it
//! stand what a question needs ([`query_terms`], [`named_time`]) and what an answer shows ([`sentences`],
//! [`snippet`]).

mod class;
mod fold;
mod language;
mod stop;
mod spelling;
mod stem;
mod blob;
mod date;
mod chunk;
mod number;
mod token;
mod analyse;
mod terms;
mod things;
mod sentence;
mod snippet;
mod calendar;
mod span;
mod relative;
mod period;
mod bound;
mod cue;

#[cfg(test)]
mod tests;

pub use self::analyse::Analyser;
pub use self::bound::DateRange;
pub use self::calendar::count_of;
pub use self::class::is_dense;
pub use self::cue::{NamedTime, date_value, named_time};
pub use self::date::date_terms;
pub use self::fold::folded;
pub use self::language::{Language, language_of};
pub use self::sentence::{Sentences, sentences};
pub use self::snippet::{Clues, SNIPPET_CHARS, Snippet, snippet};
pub use self::stop::is_stop;
pub use self::terms::{Asked, Phrase, QueryTerm, edit_distance_for, phrase_terms, query_terms};
pub use self::things::{Are, Things, same_things_in, things_in};
pub use self::token::{Begins, Form, Token};

/// Grows whenever the terms of some text change; an index that was filled by another version is filled anew.
pub const VERSION: u32 = 7;

/// What an exact term begins with, so that it is never taken for a stem.
pub const EXACT_MARK: char = '=';

/// What a Portuguese stem begins with, so that it is never taken for an English one: `redis` is no `red`.
const PORTUGUESE_MARK: char = '~';

/// Characters of a word that are kept in its term; the rest is cut.
pub const WORD_CHARS: usize = 64;

/// Characters of an identifier or path that are kept in its whole term.
pub const WHOLE_CHARS: usize = 128;
