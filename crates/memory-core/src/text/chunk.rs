//! Where a word or identifier ends, and the parts it is made of.
//!
//! A chunk is what stands together without gaps: `src/core/rank.rs`. Its segments lie between joining signs
//! (`src`, `core`, `rank`, `rs`), its parts are segments split by case and digits (`HTTPServer` has two).

use std::ops::Range;

use super::class::{self, Class};
use super::date::{Date, date_at};

/// More parts than this are the next chunk.
const PARTS: usize = 16;

/// Bytes after which a segment ends wherever it is, since every chunk looks at all of its last one.
pub(super) const LONGEST: usize = 1024;

/// A chunk, in buffers that are used again for the next.
#[derive(Debug, Default)]
pub(super) struct Chunk {
    pub(super) at: Range<usize>,
    pub(super) segments: Vec<Segment>,
    pub(super) parts: Vec<Part>,
}

/// What stands between joining signs.
#[derive(Debug)]
pub(super) struct Segment {
    pub(super) at: Range<usize>,
    /// The index of its first part.
    pub(super) first: usize,
    /// Whether a slash stands before it.
    pub(super) after_slash: bool,
}

/// A word of its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Part {
    pub(super) at: Range<usize>,
    pub(super) shape: Shape,
}

/// What sort of part it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    /// Letters and digits.
    Word,
    /// With an apostrophe in it.
    Contracted,
    /// A date in digits.
    Date(Date),
}

fn is_number(text: &[u8]) -> bool {
    !text.is_empty() && text.iter().all(u8::is_ascii_digit)
}

impl Chunk {
    /// Reads the chunk that begins at `start`, where a letter or digit stands.
    pub(super) fn read(&mut self, text: &str, start: usize) {
        self.segments.clear();
        self.parts.clear();
        let bytes = text.as_bytes();
        let mut at = start;
        let mut after_slash = false;
        loop {
            let first = self.parts.len();
            let mut end = at;
            let mut next = None;
            if let Some((date, length)) = date_at(bytes, at) {
                end += length;
                self.parts.push(Part { at: at..end, shape: Shape::Date(date) });
                let time = matches!(bytes.get(end), Some(b'T' | b't'));
                next = time.then_some((end + 1, false));
            } else {
                let contracted;
                (end, contracted) = segment_end(text, at);
                if contracted {
                    self.parts.push(Part { at: at..end, shape: Shape::Contracted });
                } else {
                    self.split(text, at..end);
                    end = self.parts.last().map_or(end, |part| part.at.end);
                }
            }
            self.segments.push(Segment { at: at..end, first, after_slash });
            self.at = start..end;
            let goes_on = if self.parts.len() < PARTS { next.or_else(|| joined(text, end)) } else { None };
            match goes_on {
                Some((next, slash)) => (at, after_slash) = (next, slash),
                None => return,
            }
        }
    }

    /// Where the parts of a segment end.
    pub(super) fn last_of(&self, segment: usize) -> usize {
        self.segments.get(segment + 1).map_or(self.parts.len(), |next| next.first)
    }

    /// The name of several segments that begins at one of them: `active_on` in `Table::active_on`.
    pub(super) fn name(&self, bytes: &[u8], segment: usize) -> Option<Range<usize>> {
        let at = |segment: usize| self.segments.get(segment).map(|segment| segment.at.clone());
        let goes_on = |segment: usize| {
            let here_and_before = at(segment).zip(segment.checked_sub(1).and_then(at));
            here_and_before
                .is_some_and(|(here, before)| matches!(bytes.get(before.end..here.start), Some(b"_" | b"-")))
        };
        if goes_on(segment) || !goes_on(segment + 1) {
            return None;
        }
        let last = (segment + 1..self.segments.len()).take_while(|&next| goes_on(next)).last()?;
        let name = at(segment)?.start..at(last)?.end;
        // The end of a name and the beginning of a version are no name.
        let is_digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
        let is_cut = is_digit(name.start) || bytes.get(name.end) == Some(&b'.') && is_digit(name.end + 1);
        (!is_cut).then_some(name)
    }

    /// The numbers with points between them that begin at a segment: the version in `tokio-1.38.0` and in `v2.0-rc1`.
    pub(super) fn version(&self, bytes: &[u8], segment: usize) -> Option<Range<usize>> {
        let at = |segment: usize| self.segments.get(segment).map(|segment| segment.at.clone());
        let text = |at: Range<usize>| bytes.get(at).unwrap_or_default();
        let begins = |segment: usize| {
            at(segment).is_some_and(|at| match text(at) {
                [b'v' | b'V', digits @ ..] | digits => is_number(digits),
            })
        };
        let goes_on = |segment: usize| {
            at(segment)
                .zip(segment.checked_sub(1).and_then(at))
                .is_some_and(|(here, before)| text(before.end..here.start) == b"." && is_number(text(here)))
        };
        if !begins(segment) || goes_on(segment) && begins(segment - 1) {
            return None;
        }
        let last = (segment + 1..).take_while(|&next| goes_on(next)).last()?;
        Some(at(segment)?.start..at(last)?.end)
    }

    /// Splits a segment by case, and each piece where letters meet digits.
    fn split(&mut self, text: &str, at: Range<usize>) {
        let Some(segment) = text.get(at.clone()) else { return };
        let has_digit = segment.bytes().any(|b| b.is_ascii_digit());
        let mut cuts: [usize; PARTS + 1] = [at.start; PARTS + 1];
        let mut count = 1;
        let mut tiny = false;
        for cut in humps(segment) {
            let cut = at.start + cut;
            let before = cuts.get(count - 1).copied().unwrap_or(at.start);
            tiny |= cut - before < 2;
            if let Some(slot) = cuts.get_mut(count) {
                *slot = cut;
                count += 1;
            }
            if count > PARTS {
                break;
            }
        }
        // A wild mixture such as `aB3dE5` is one word; in names with digits every piece has some length.
        if has_digit && tiny {
            count = 1;
        }
        for (index, &start) in cuts.iter().take(count).enumerate() {
            let last = index + 1 == count;
            let end = if last { at.end } else { cuts.get(index + 1).copied().unwrap_or(at.end) };
            if self.parts.len() >= PARTS {
                return;
            }
            match letters_meet_digits(text, start..end) {
                Some(cut) if has_digit && self.parts.len() + 1 < PARTS => {
                    self.parts.push(Part { at: start..cut, shape: Shape::Word });
                    self.parts.push(Part { at: cut..end, shape: Shape::Word });
                }
                _ => self.parts.push(Part { at: start..end, shape: Shape::Word }),
            }
        }
    }
}

/// Where a run of letters and digits ends, or is long enough, and whether an apostrophe stands in it.
fn segment_end(text: &str, start: usize) -> (usize, bool) {
    let bytes = text.as_bytes();
    let mut contracted = false;
    let mut at = start;
    while let Some(&byte) = bytes.get(at)
        && at - start < LONGEST
    {
        let (found, length) = match class::of_byte(byte) {
            Class::Wide => match char_at(text, at) {
                Some(c) => (class::of_char(c), c.len_utf8()),
                None => break,
            },
            found => (found, 1),
        };
        match found {
            Class::Lower | Class::Upper | Class::Digit | Class::Letter | Class::Mark => at += length,
            Class::Apostrophe => {
                let next = char_at(text, at + length).map(class::of_char);
                if !matches!(next, Some(Class::Lower | Class::Upper | Class::Letter)) {
                    break;
                }
                contracted = true;
                at += length;
            }
            Class::Quiet => match after_quiet(text, at) {
                Some(next) => at = next,
                None => break,
            },
            _ => break,
        }
    }
    (at, contracted)
}

/// Where the word goes on behind ignorable characters, if it does.
fn after_quiet(text: &str, start: usize) -> Option<usize> {
    let rest = text.get(start..)?;
    let (at, next) = rest.char_indices().find(|(_, c)| class::of_char(*c) != Class::Quiet)?;
    let found = class::of_char(next);
    (found.begins_word() || found == Class::Mark).then_some(start + at)
}

/// Where the next segment begins and whether a slash led to it, if joining signs and a word follow.
fn joined(text: &str, at: usize) -> Option<(usize, bool)> {
    let rest = text.as_bytes().get(at..)?;
    let length = rest.iter().take(4).take_while(|&&b| class::of_byte(b) == Class::Join).count();
    let signs = rest.get(..length)?;
    let fits = match signs {
        [] => false,
        [_] | b"::" | b"://" | b":\\" | b":/" => true,
        [.., _] if length > 3 => false,
        _ => {
            let plain = signs.iter().all(|b| matches!(b, b'/' | b'.' | b'_' | b'-' | b'\\'));
            let once = signs.iter().filter(|b| matches!(b, b'/' | b'\\')).count() == 1;
            plain && (once || signs.iter().all(|&b| b == b'_'))
        }
    };
    let begins = char_at(text, at + length).is_some_and(|c| class::of_char(c).begins_word());
    let slash = signs.iter().any(|b| matches!(b, b'/' | b'\\'));
    (fits && begins).then_some((at + length, slash))
}

/// Where the pieces of `camelCase`, `HTTPServer` and `Utf8Reader` begin, without the first.
fn humps(segment: &str) -> impl Iterator<Item = usize> + '_ {
    let mut chars = segment.char_indices().peekable();
    let (mut before, mut run) = (Case::Other, 0_usize);
    std::iter::from_fn(move || {
        while let Some((at, c)) = chars.next() {
            let case = case_of(c);
            let next = chars.peek().map(|(_, c)| case_of(*c));
            let plural = matches!(next, Some(Case::Lower))
                && segment.get(at + c.len_utf8()..).is_some_and(|rest| rest == "s" && run > 0);
            let begins = case == Case::Upper
                && match before {
                    Case::Lower => true,
                    Case::Upper => next == Some(Case::Lower) && !plural,
                    Case::Digit => next == Some(Case::Lower),
                    Case::Other => false,
                };
            run = if case == Case::Upper { run + 1 } else { 0 };
            before = case;
            if begins && at > 0 {
                return Some(at);
            }
        }
        None
    })
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Case {
    Lower,
    Upper,
    Digit,
    Other,
}

fn case_of(c: char) -> Case {
    match c {
        'a'..='z' => Case::Lower,
        'A'..='Z' => Case::Upper,
        '0'..='9' => Case::Digit,
        _ if c.is_ascii() => Case::Other,
        _ if c.is_lowercase() => Case::Lower,
        _ if c.is_uppercase() => Case::Upper,
        _ => Case::Other,
    }
}

/// The one place where at least two letters meet digits (`sha256`, `5ms`), if there is just one.
fn letters_meet_digits(text: &str, at: Range<usize>) -> Option<usize> {
    let piece = text.get(at.clone())?;
    let mut cut = None;
    let mut before: Option<bool> = None;
    let mut letters = 0;
    for (offset, c) in piece.char_indices() {
        let digit = c.is_ascii_digit();
        letters += usize::from(!digit);
        if before.is_some_and(|before| before != digit) && cut.replace(at.start + offset).is_some() {
            return None;
        }
        before = Some(digit);
    }
    cut.filter(|_| letters >= 2)
}

/// The character that begins at a byte.
pub(super) fn char_at(text: &str, at: usize) -> Option<char> {
    text.get(at..)?.chars().next()
}
