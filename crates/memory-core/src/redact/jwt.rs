//! JSON Web Tokens: a header that decodes to JSON with an algorithm, a payload, and a signature.
//!
//! The samples of jwt.io and of local development kits, known by their payload, stay.

use std::ops::Range;

use super::shape::{self, Class};
use super::{checks, examples};

/// What the base64 of a JSON object begins with, compact or with a line break.
pub(super) const ANCHORS: &[&str] = &["eyJ", "ewog", "ewoJ", "eyAi"];

/// The token whose header begins at `at`.
///
/// No character of the alphabet may stand before it. Headers at different places are therefore disjoint,
/// and reading from each of them takes linear time in sum.
pub(super) fn find(text: &str, at: usize) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let follows_dash = bytes.get(..at).is_some_and(|head| head.ends_with(b"-"));
    if follows_dash || !shape::opens(bytes, at) {
        return None;
    }
    let header_end = part(bytes, at, 16)?;
    let payload = dot(bytes, header_end)?;
    let payload_end = part(bytes, payload, 16)?;
    let signature = dot(bytes, payload_end)?;
    let mut end = part(bytes, signature, 16)?;
    // An encrypted token has five parts.
    for _ in 0..2 {
        end = dot(bytes, end).and_then(|next| part(bytes, next, 8)).unwrap_or(end);
    }
    let header = checks::decode(text.get(at..header_end)?)?;
    let names_algorithm = header.starts_with(b"{") && header.windows(5).any(|w| w == b"\"alg\"");
    let sample = text.get(payload..payload_end).is_none_or(examples::is_sample_payload);
    (names_algorithm && !sample).then_some(at..end)
}

fn part(bytes: &[u8], at: usize, least: usize) -> Option<usize> {
    let length = shape::run(bytes, at, Class::Url, usize::MAX);
    (length >= least).then_some(at + length)
}

fn dot(bytes: &[u8], at: usize) -> Option<usize> {
    (bytes.get(at) == Some(&b'.')).then_some(at + 1)
}
