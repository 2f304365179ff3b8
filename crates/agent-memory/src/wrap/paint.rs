//! The bytes that a client paints, taken apart: text, keys such as line ends, and escapes with their numbers.
//!
//! A read may end anywhere, so what is not complete waits for the next one. It never waits for more than a kilobyte.

use anstyle_parse::{Params, Parser, Perform};

/// A piece of what was painted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Painted {
    Text(char),
    /// A control character.
    Key(char),
    /// An escape of one character.
    Escape(char),
    /// `ESC [`, a mark such as `?`, numbers, and the letter that says what is done.
    Control {
        mark: Option<char>,
        numbers: Vec<usize>,
        last: char,
    },
}

/// Takes bytes apart.
#[derive(Debug, Default)]
pub(super) struct Paint(Parser);

impl Paint {
    pub(super) fn read(&mut self, bytes: &[u8]) -> Vec<Painted> {
        let mut pieces = Pieces(Vec::with_capacity(bytes.len()));
        bytes.iter().for_each(|byte| self.0.advance(&mut pieces, *byte));
        pieces.0
    }
}

struct Pieces(Vec<Painted>);

impl Perform for Pieces {
    fn print(&mut self, c: char) {
        self.0.push(if c.is_control() { Painted::Key(c) } else { Painted::Text(c) });
    }

    fn execute(&mut self, byte: u8) {
        self.0.push(Painted::Key(char::from(byte)));
    }

    fn esc_dispatch(&mut self, intermediates: &[u8], _: bool, byte: u8) {
        // With something between, it chooses letters or sizes, which do not matter here.
        if intermediates.is_empty() {
            self.0.push(Painted::Escape(char::from(byte)));
        }
    }

    fn csi_dispatch(&mut self, params: &Params, intermediates: &[u8], _: bool, action: u8) {
        let numbers = params.iter().map(|part| part.first().copied().unwrap_or(0).into()).collect();
        let mark = intermediates.first().copied().map(char::from);
        self.0.push(Painted::Control { mark, numbers, last: char::from(action) });
    }
}
