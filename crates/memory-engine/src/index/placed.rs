//! The terms of a field in one text, each with its place among the words. Thousands of memories are read before they are
//! indexed, and a text for each term would cost more than all the rest of it.

use tantivy::tokenizer::{Token, TokenStream, Tokenizer};

/// Terms and their places, one after the other: the place and the length of the term as numbers, then the term.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Placed(String);

impl Placed {
    pub(super) fn push(&mut self, term: &str, position: u32) {
        self.number(position);
        self.number(u32::try_from(term.len()).unwrap_or(u32::MAX));
        self.0.push_str(term);
    }

    /// A number in letters of five bits each; all but the last are small.
    fn number(&mut self, mut number: u32) {
        while number >= 32 {
            self.0.push(char::from(b'`' + (number & 31) as u8));
            number >>= 5;
        }
        self.0.push(char::from(b'@' + number as u8));
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The text, from which [`Terms`] reads the terms again.
    pub(super) fn as_text(&self) -> &str {
        &self.0
    }

    /// The terms with their places.
    pub(super) fn iter(&self) -> Terms<'_> {
        Terms(&self.0)
    }
}

/// The terms of a text that was [`Placed`]; a text that was not ends where that shows.
pub(super) struct Terms<'a>(&'a str);

impl Terms<'_> {
    fn number(&mut self) -> Option<u32> {
        let mut number = 0_u32;
        for (n, &letter) in self.0.as_bytes().iter().enumerate() {
            number |= u32::from(letter & 31).checked_shl(5 * n as u32)?;
            match letter {
                b'@'..b'`' => {
                    self.0 = self.0.get(n + 1..)?;
                    return Some(number);
                }
                b'`'.. => {}
                _ => return None,
            }
        }
        None
    }
}

impl<'a> Iterator for Terms<'a> {
    type Item = (&'a str, u32);

    fn next(&mut self) -> Option<Self::Item> {
        let position = self.number()?;
        let length = self.number()? as usize;
        let (term, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some((term, position))
    }
}

/// How tantivy reads them.
#[derive(Clone, Default)]
pub(super) struct PlacedTokenizer {
    token: Token,
}

impl PlacedTokenizer {
    pub(super) const NAME: &str = "placed";
}

impl Tokenizer for PlacedTokenizer {
    type TokenStream<'a> = PlacedStream<'a>;

    fn token_stream<'a>(&'a mut self, text: &'a str) -> PlacedStream<'a> {
        PlacedStream { terms: Terms(text), token: &mut self.token }
    }
}

pub(super) struct PlacedStream<'a> {
    terms: Terms<'a>,
    token: &'a mut Token,
}

impl TokenStream for PlacedStream<'_> {
    fn advance(&mut self) -> bool {
        let Some((term, position)) = self.terms.next() else { return false };
        self.token.text.clear();
        self.token.text.push_str(term);
        self.token.position = position as usize;
        true
    }

    fn token(&self) -> &Token {
        self.token
    }

    fn token_mut(&mut self) -> &mut Token {
        self.token
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn what_was_placed_is_read_again(terms in proptest::collection::vec(("\\PC{0,40}|[\n @`]{0,3}", any::<u32>()), 0..20)) {
            let mut placed = Placed::default();
            terms.iter().for_each(|(term, position)| placed.push(term, *position));
            let expect: Vec<(&str, u32)> = terms.iter().map(|(term, at)| (term.as_str(), *at)).collect();
            prop_assert_eq!(placed.iter().collect::<Vec<_>>(), expect.clone());
            let mut tokenizer = PlacedTokenizer::default();
            let mut stream = tokenizer.token_stream(placed.as_text());
            let mut read = Vec::new();
            while stream.advance() {
                read.push((stream.token().text.clone(), stream.token().position as u32));
            }
            prop_assert_eq!(read, terms);
        }

        #[test]
        fn no_text_panics(text in "\\PC{0,40}|[@-~]{0,30}") {
            let _ = Terms(&text).count();
        }
    }
}
