//! The cookies of a request or an answer: `Cookie: session=…; theme=dark`.
//!
//! Of all cookies those are masked that look like tokens, with what stands between them.

use std::ops::Range;

use super::names::Name;
use super::value::{self, Form};

/// The end of the header's name.
pub(super) const ANCHOR: &str = "cookie: ";

/// No more of a header is read.
const LONGEST: usize = 1024;

/// What is secret of the cookies that begin at `at`.
pub(super) fn find(text: &str, at: usize) -> Option<Range<usize>> {
    let ends = |b: u8| b.is_ascii_control() || matches!(b, b'"' | b'\'' | b'`' | b'[' | b']');
    let length = text.get(at..)?.bytes().take(LONGEST).take_while(|b| !ends(*b)).count();
    let end = text.floor_char_boundary(at + length);
    let mut found: Option<Range<usize>> = None;
    let mut start = at;
    for cookie in text.get(at..end)?.split(';') {
        let value = cookie.split_once('=').map_or("", |(_, value)| value.trim_end());
        let begin = start + cookie.trim_end().len() - value.len();
        if value::is_secret(value, Name::SECRET, Form::Literal) {
            let first = found.map_or(begin, |found| found.start);
            found = Some(first..begin + value.len());
        }
        start += cookie.len() + 1;
    }
    found
}
