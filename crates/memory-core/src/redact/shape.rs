//! Shapes of tokens: runs of a character class and fixed texts around an anchor.
//!
//! A run is greedy, never backtracks and reads at most one byte past its upper bound, so that following a
//! shape costs a bounded number of steps. That is all the formats need, and it needs no regular expression.

/// A set of ASCII characters that a token may be made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Class {
    /// `0-9`
    Digit,
    /// `0-9a-fA-F`
    Hex,
    /// `A-Z0-9`
    Upper,
    /// `A-Za-z0-9`
    Alnum,
    /// `A-Za-z0-9_`
    Word,
    /// `A-Za-z0-9_-`, the alphabet of base64url
    Url,
    /// `A-Za-z0-9_-` and `.`
    Dotted,
    /// `A-Za-z0-9+/=`, with the two letters of base64url
    Base64,
    /// `A-Za-z0-9_-` and `/`
    Path,
    /// `A-Za-z0-9_-` with `.` and `~`
    Tilde,
    /// `A-Za-z0-9+/=` percent-encoded
    Percent,
    /// `A-Za-z0-9./`, the alphabet of `crypt`
    Crypt,
}

impl Class {
    /// Whether a byte belongs to the class.
    pub(super) fn holds(self, b: u8) -> bool {
        CLASSES[usize::from(b)] & 1 << self as u16 != 0
    }

    const fn defines(self, b: u8) -> bool {
        match self {
            Class::Digit => b.is_ascii_digit(),
            Class::Hex => b.is_ascii_hexdigit(),
            Class::Upper => b.is_ascii_uppercase() || b.is_ascii_digit(),
            Class::Alnum => b.is_ascii_alphanumeric(),
            Class::Word => is_word(b),
            Class::Url => is_word(b) || b == b'-',
            Class::Dotted => is_word(b) || b == b'-' || b == b'.',
            Class::Base64 => is_word(b) || matches!(b, b'-' | b'+' | b'/' | b'='),
            Class::Path => is_word(b) || b == b'-' || b == b'/',
            Class::Tilde => is_word(b) || matches!(b, b'-' | b'.' | b'~'),
            Class::Percent => is_word(b) || matches!(b, b'-' | b'+' | b'/' | b'=' | b'%'),
            Class::Crypt => b.is_ascii_alphanumeric() || matches!(b, b'.' | b'/'),
        }
    }
}

const ALL: [Class; 12] = [
    Class::Digit,
    Class::Hex,
    Class::Upper,
    Class::Alnum,
    Class::Word,
    Class::Url,
    Class::Dotted,
    Class::Base64,
    Class::Path,
    Class::Tilde,
    Class::Percent,
    Class::Crypt,
];

/// For each byte a bit for each class that holds it; runs are the inner loop of every rule.
static CLASSES: [u16; 256] = {
    let mut classes = [0_u16; 256];
    let mut b = 0;
    while b < 256 {
        let mut i = 0;
        while i < ALL.len() {
            if ALL[i].defines(b as u8) {
                classes[b] |= 1 << ALL[i] as u16;
            }
            i += 1;
        }
        b += 1;
    }
    classes
};

/// A piece of a shape.
#[derive(Debug, Clone, Copy)]
pub(super) enum Part {
    /// Exactly this text.
    Text(&'static str),
    /// Between so many and so many characters of a class, and none of that class after them.
    Run(Class, usize, usize),
}

/// How many bytes from `at` on belong to the class, counting no further than `limit`.
pub(super) fn run(bytes: &[u8], at: usize, class: Class, limit: usize) -> usize {
    bytes.get(at..).unwrap_or_default().iter().take(limit).take_while(|b| class.holds(**b)).count()
}

/// How many bytes before `at` belong to the class, counting no further than `limit`.
pub(super) fn run_back(bytes: &[u8], at: usize, class: Class, limit: usize) -> usize {
    bytes.get(..at).unwrap_or_default().iter().rev().take(limit).take_while(|b| class.holds(**b)).count()
}

/// The end of the shape that begins at `at`, if it does and no word continues after it.
pub(super) fn follow(bytes: &[u8], at: usize, parts: &[Part]) -> Option<usize> {
    let mut end = at;
    for part in parts {
        match *part {
            Part::Text(text) => {
                bytes.get(end..)?.strip_prefix(text.as_bytes())?;
                end += text.len();
            }
            Part::Run(class, min, max) => {
                let mut length = run(bytes, end, class, max + 1);
                // A full stop after a token ends the sentence, not the token.
                if matches!(class, Class::Dotted | Class::Tilde) {
                    let inside = bytes.get(end..end + length)?;
                    length -= inside.iter().rev().take_while(|b| **b == b'.').count();
                }
                if length < min || length > max {
                    return None;
                }
                end += length;
            }
        }
    }
    bytes.get(end).is_none_or(|b| !is_word(*b)).then_some(end)
}

/// Whether a token may begin at `at`: no word runs into it. The last letter of an escape sequence (`\n`,
/// `\u003d`, `%3D`, a terminal colour) is no part of a word.
pub(super) fn opens(bytes: &[u8], at: usize) -> bool {
    let head = bytes.get(..at).unwrap_or_default();
    match head {
        [] => true,
        [.., last] if !is_word(*last) => true,
        [.., b'\\', b'n' | b'r' | b't'] => true,
        [.., b'%', high, low] if high.is_ascii_hexdigit() && low.is_ascii_hexdigit() => true,
        [.., b'\\', b'u', a, b, c, d] if [a, b, c, d].iter().all(|x| x.is_ascii_hexdigit()) => true,
        [.., b'm'] => {
            let colour = head.len() - 1;
            let digits = head[..colour]
                .iter()
                .rev()
                .take(12)
                .take_while(|b| b.is_ascii_digit() || **b == b';')
                .count();
            head[..colour - digits].ends_with(b"[")
        }
        _ => false,
    }
}

/// Letters, digits and the underscore.
pub(super) const fn is_word(b: u8) -> bool {
    b.is_ascii_alphanumeric() || b == b'_'
}
