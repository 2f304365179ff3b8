//! The marker that stands where a secret stood: `[redacted:` kind `]`.
//!
//! A marker is opaque: nothing inside it is read again, and no finding may contain or touch one. Since a
//! mask can only be replaced by a marker, a second pass sees the same text as the first or less of it.

use std::ops::Range;

/// What a marker begins with.
pub(super) const OPEN: &str = "[redacted:";

/// No kind is longer; a bound keeps a look to the left of constant length.
const LONGEST: usize = 40;

/// Writes the marker of a kind.
pub(super) fn write(out: &mut String, kind: &str) {
    out.push_str(OPEN);
    out.push_str(kind);
    out.push(']');
}

/// The end of the marker that begins at `at`, if one does.
pub(super) fn end(bytes: &[u8], at: usize) -> Option<usize> {
    let body = bytes.get(at..)?.strip_prefix(OPEN.as_bytes())?;
    let length = body.iter().take(LONGEST + 1).take_while(|b| is_kind(**b)).count();
    let closed = length > 0 && length <= LONGEST && body.get(length) == Some(&b']');
    closed.then_some(at + OPEN.len() + length + 1)
}

/// Whether a marker ends exactly at `at`.
pub(super) fn ends(bytes: &[u8], at: usize) -> bool {
    let Some(head) = bytes.get(..at).and_then(|head| head.strip_suffix(b"]")) else { return false };
    let length = head.iter().rev().take(LONGEST).take_while(|b| is_kind(**b)).count();
    length > 0
        && head.len() >= length
        && head.get(..head.len() - length).is_some_and(|h| h.ends_with(OPEN.as_bytes()))
}

/// Whether a range contains a marker, or has one directly at either end.
pub(super) fn touches(text: &str, range: &Range<usize>) -> bool {
    let bytes = text.as_bytes();
    // A full stop after a token is left out of it, and would hide the marker that follows.
    let stops = bytes.get(range.end..).unwrap_or_default().iter().take_while(|b| **b == b'.').count();
    ends(bytes, range.start)
        || end(bytes, range.end + stops).is_some()
        || text.get(range.clone()).is_none_or(|inside| inside.contains(OPEN))
}

fn is_kind(b: u8) -> bool {
    b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-'
}
