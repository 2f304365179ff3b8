//! The bytes that a client paints, taken apart: text, keys such as line ends, and escapes with their numbers.
//!
//! A read may end anywhere, so what is not complete waits for the next one. It never waits for more than a few bytes.

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
pub(super) struct Paint {
    /// Bytes of a character that is not complete.
    rest: Vec<u8>,
    state: State,
    /// What stands in the control so far.
    words: String,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum State {
    #[default]
    Text,
    /// After `ESC`.
    Escape,
    /// After `ESC (` and the like: one more character belongs to it.
    Charset,
    /// After `ESC [`.
    Control,
    /// A title or the like, up to its end.
    Title,
    /// In a title, after `ESC`.
    TitleEscape,
}

/// No control is longer.
const LONGEST: usize = 64;

impl Paint {
    pub(super) fn read(&mut self, bytes: &[u8]) -> Vec<Painted> {
        let mut all = std::mem::take(&mut self.rest);
        all.extend_from_slice(bytes);
        self.rest = all.split_off(all.len() - incomplete(&all));
        let text = String::from_utf8_lossy(&all);
        text.chars().filter_map(|c| self.take(c)).collect()
    }

    fn take(&mut self, c: char) -> Option<Painted> {
        let (state, painted) = match (self.state, c) {
            (State::Title, '\u{7}') | (State::TitleEscape, '\\') => (State::Text, None),
            (State::Title, '\u{1b}') => (State::TitleEscape, None),
            (State::Title, _) => (State::Title, None),
            (_, '\u{1b}') => (State::Escape, None),
            (State::Text, c) if c.is_control() => (State::Text, Some(Painted::Key(c))),
            (State::Text, c) => (State::Text, Some(Painted::Text(c))),
            (State::Escape | State::TitleEscape, '[') => {
                self.words.clear();
                (State::Control, None)
            }
            (State::Escape | State::TitleEscape, ']' | 'P' | '_' | '^' | 'X') => (State::Title, None),
            (State::Escape | State::TitleEscape, '(' | ')' | '*' | '+' | '#' | '%' | ' ') => {
                (State::Charset, None)
            }
            (State::Escape | State::TitleEscape, c) => (State::Text, Some(Painted::Escape(c))),
            (State::Charset, _) => (State::Text, None),
            (State::Control, '@'..='~') => (State::Text, Some(self.control(c))),
            // Terminals do what a key says even here.
            (State::Control, c) if c.is_control() => (State::Control, Some(Painted::Key(c))),
            (State::Control, c) => {
                if self.words.len() < LONGEST {
                    self.words.push(c);
                }
                (State::Control, None)
            }
        };
        self.state = state;
        painted
    }

    fn control(&self, last: char) -> Painted {
        let mark = self.words.chars().find(|c| !c.is_ascii_digit() && !matches!(c, ';' | ':'));
        let numbers = self.words.trim_start_matches(|c: char| !c.is_ascii_digit() && c != ';').split(';');
        let number = |word: &str| word.bytes().take_while(u8::is_ascii_digit).take(6).collect::<Vec<u8>>();
        let numbers =
            numbers.map(|word| String::from_utf8_lossy(&number(word)).parse().unwrap_or(0)).collect();
        Painted::Control { mark, numbers, last }
    }
}

/// How many bytes at the end begin a character that is not complete.
pub(super) fn incomplete(bytes: &[u8]) -> usize {
    let begun = bytes.iter().rev().take(3).position(|byte| byte & 0xc0 != 0x80);
    let Some(after) = begun else { return 0 };
    let needed = match bytes[bytes.len() - 1 - after] {
        0xc2..=0xdf => 2,
        0xe0..=0xef => 3,
        0xf0..=0xf4 => 4,
        _ => 1,
    };
    if needed > after + 1 { after + 1 } else { 0 }
}
