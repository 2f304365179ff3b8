//! What somebody said as words with their places, so that one of them can be exchanged for another.

use std::ops::Range;

use super::wording::spoken;
use crate::replace::{self, Token};

/// Words of a text, folded, each with the place it was read from.
pub(super) struct Said {
    words: Vec<String>,
    ends: Vec<bool>,
    places: Vec<Range<usize>>,
}

impl Said {
    pub(super) fn of(text: &str) -> Self {
        let mut said = Self { words: Vec::new(), ends: Vec::new(), places: Vec::new() };
        let mut read = 0;
        for piece in text.split_whitespace() {
            let at = read + text[read..].find(piece).unwrap_or_default();
            read = at + piece.len();
            let inner =
                piece.trim_matches(|c: char| !c.is_alphanumeric() && !matches!(c, '`' | '/' | '@' | '_'));
            let start = at + piece.find(inner).unwrap_or_default();
            let before = said.words.len();
            for word in spoken(piece) {
                // Folded, "é" would be "e".
                let is = matches!(piece, "é" | "É").then(|| "is".to_owned());
                said.words.push(is.unwrap_or(word));
                said.ends.push(false);
                said.places.push(start..start + inner.len());
            }
            let parted =
                piece.ends_with([',', ';', ':', '.', '!', '?', ')', '—', '–']) || said.words.len() == before;
            if let Some(last) = said.ends.last_mut() {
                *last |= parted;
            }
        }
        said
    }

    pub(super) fn words(&self) -> &[String] {
        &self.words
    }

    pub(super) fn tokens(&self) -> Vec<Token<'_>> {
        self.words.iter().zip(&self.ends).map(|(word, ends)| Token { word, ends: *ends }).collect()
    }

    /// Whether a sign stands behind the word at this place, or nothing more.
    pub(super) fn is_end(&self, at: usize) -> bool {
        self.ends.get(at).copied().unwrap_or(true)
    }

    /// The text of these words, as it was written.
    pub(super) fn text<'t>(&self, text: &'t str, range: Range<usize>) -> &'t str {
        let (Some(first), Some(last)) =
            (self.places.get(range.start), range.end.checked_sub(1).and_then(|n| self.places.get(n)))
        else {
            return "";
        };
        text.get(first.start..last.end).unwrap_or_default()
    }

    /// Where these words stand one behind the other.
    pub(super) fn find(&self, words: &[String]) -> Option<Range<usize>> {
        let at = self.words.windows(words.len().max(1)).position(|window| window == words)?;
        Some(at..at + words.len())
    }

    /// What was chosen, or what something is said to be.
    pub(super) fn chosen(&self) -> Option<Range<usize>> {
        replace::chosen(&self.tokens())
    }

    /// The text with other words in the place of these.
    pub(super) fn exchange(&self, text: &str, range: Range<usize>, other: &str) -> Option<String> {
        let (first, last) = (self.places.get(range.start)?, self.places.get(range.end.checked_sub(1)?)?);
        Some(format!("{}{other}{}", text.get(..first.start)?, text.get(last.end..)?))
    }
}
