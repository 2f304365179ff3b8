//! One term of a text, and which terms are asked for.

use std::ops::Range;

use super::{EXACT_MARK, PORTUGUESE_MARK};

/// What a term stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Form {
    /// The stem of a word.
    Stem,
    /// A word as it stands, in lower case and without accents; marked `=`.
    Exact,
    /// An identifier, path, version, date or blob as one; marked `=`. Its parts follow as words. What hyphens and
    /// underscores alone hold together is written without them, so `stand-up` and `standup` are one.
    Whole,
    /// The stem of a whole that is letters alone, for whoever writes it as one word.
    Joined,
    /// Something a date stands for beside itself: its month, its year, the month's name.
    Date,
}

/// One term of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token<'a> {
    /// The term as it is indexed, with its mark.
    pub term: &'a str,
    /// What it stands for.
    pub form: Form,
    /// Its place among the words of the text; several terms may share one. Never falls.
    pub position: u32,
    /// The bytes of the text it comes from. Their beginning never falls.
    pub bytes: Range<usize>,
}

/// Letters of ASCII with which words may begin. A stem begins as its word does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Begins(u128);

impl Begins {
    /// Every letter.
    pub const ANY: Self = Self(u128::MAX);

    /// The letters with which these terms begin, behind their mark.
    pub fn of<'a>(terms: impl Iterator<Item = &'a str>) -> Self {
        let first = |term: &str| term.trim_start_matches([EXACT_MARK, PORTUGUESE_MARK]).bytes().next();
        let bit = |byte: u8| 1_u128.checked_shl(u32::from(byte)).unwrap_or(0);
        Self(terms.filter_map(first).fold(0, |all, byte| all | bit(byte)))
    }

    /// Whether a folded word may be one of them. Nothing is known of letters beyond ASCII.
    pub(super) fn fits(self, word: &str) -> bool {
        word.bytes().next().is_some_and(|byte| !byte.is_ascii() || self.0 >> byte & 1 == 1)
    }
}
