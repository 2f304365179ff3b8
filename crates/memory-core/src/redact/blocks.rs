//! Private keys that span lines: PEM blocks of any label, also cut off or escaped into one line, and the
//! key files of PuTTY.
//!
//! A block is masked as a whole. A label that is only mentioned, with no key material after it, stays.

use std::ops::Range;

use super::marker;
use super::shape::{self, Class};

/// What a PEM block begins with.
pub(super) const PEM: &str = "-----BEGIN ";

/// What a key file of PuTTY begins with.
pub(super) const PUTTY: &str = "PuTTY-User-Key-File-";

const DASHES: &str = "-----";

/// Lines of key material are at least this long, except the last one.
const LINE: usize = 32;

/// An encrypted or armoured key has no more headers than this.
const HEADERS: usize = 6;

/// The private key whose `-----BEGIN ` stands at `anchor`.
///
/// Reading stops at the next row of dashes, so that blocks read from different anchors do not overlap.
pub(super) fn pem(text: &str, anchor: &Range<usize>) -> Option<Range<usize>> {
    let rest = text.get(anchor.end..)?;
    let label = rest
        .bytes()
        .take(48)
        .take_while(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || *b == b' ')
        .count();
    let name = rest.get(..label)?;
    if !(name.ends_with("PRIVATE KEY") || name.ends_with("PRIVATE KEY BLOCK")) {
        return None;
    }
    let body = rest.get(label..)?.strip_prefix(DASHES)?;
    let start = anchor.end + label + DASHES.len();
    let closed = body.find(DASHES).filter(|length| body.get(..*length).is_some_and(is_material));
    let end = closed
        .and_then(|length| closing(text, start + length))
        .or_else(|| torn_end(text.as_bytes(), start))?;
    Some(anchor.start..end)
}

/// The end of the `-----END …-----` that begins at `at`.
fn closing(text: &str, at: usize) -> Option<usize> {
    let label = text.get(at..)?.strip_prefix("-----END ")?;
    let length = label.bytes().take(48).take_while(|b| *b != b'-' && *b != b'\n').count();
    label.get(length..)?.strip_prefix(DASHES)?;
    Some(at + "-----END ".len() + length + DASHES.len())
}

/// Whether most of a body stands in long runs of base64, as it does in a key and in no program or prose.
fn is_material(body: &str) -> bool {
    let (mut solid, mut long) = (0, 0);
    for run in body.as_bytes().split(|b| !is_base64(*b)) {
        solid += run.len();
        long += if run.len() >= LINE { run.len() } else { 0 };
    }
    long >= LINE && long * 10 >= solid * 6 && !body.contains(marker::OPEN)
}

/// The end of the key material of a block without an end: headers and long lines of base64, and a shorter
/// last one if it does not read like a word.
fn torn_end(bytes: &[u8], start: usize) -> Option<usize> {
    let mut at = start;
    let mut end = None;
    for _ in 0..HEADERS {
        at += gap(bytes, at);
        at += header(bytes, at);
    }
    loop {
        at += gap(bytes, at);
        let length = bytes.get(at..)?.iter().take_while(|b| is_base64(**b)).count();
        let after = at + length;
        if length >= LINE {
            at = after;
            end = Some(at);
        } else {
            let inside = bytes.get(at..after).unwrap_or_default();
            let last = length >= 4 && inside.iter().any(|b| b.is_ascii_digit() || *b == b'=');
            return if last { end.map(|_| after) } else { end };
        }
    }
}

/// The length of a header such as `Proc-Type: 4,ENCRYPTED`, or 0.
fn header(bytes: &[u8], at: usize) -> usize {
    let name = shape::run(bytes, at, Class::Url, 40);
    let Some(rest) = bytes.get(at + name..).filter(|rest| name > 0 && rest.starts_with(b": ")) else {
        return 0;
    };
    name + rest.iter().take(160).take_while(|b| !matches!(b, b'\n' | b'\\')).count()
}

/// How many bytes between two lines of a key: white space, quotes, and breaks written as `\n`.
fn gap(bytes: &[u8], at: usize) -> usize {
    let mut length = 0;
    loop {
        match bytes.get(at + length..) {
            Some([b'\\', b'n' | b'r' | b't' | b'\\', ..]) => length += 2,
            Some([b, ..]) if b.is_ascii_whitespace() || matches!(b, b'"' | b'\'' | b',' | b'>' | b'#') => {
                length += 1;
            }
            _ => return length,
        }
    }
}

fn is_base64(b: u8) -> bool {
    b.is_ascii_alphanumeric() || matches!(b, b'+' | b'/' | b'=')
}

/// The key file of PuTTY whose first line begins at `anchor`: up to its authentication code, or to the last
/// line that belongs to it. The anchor must begin a line, so that no line is read for two files.
pub(super) fn putty(text: &str, anchor: &Range<usize>) -> Option<Range<usize>> {
    let before = text.get(..anchor.start)?;
    if !(before.is_empty() || before.ends_with('\n')) {
        return None;
    }
    let mut at = anchor.start;
    let mut private = None;
    for line in text.get(anchor.start..)?.split_inclusive('\n') {
        let content = line.trim_end();
        let again = at > anchor.start && content.starts_with(PUTTY);
        let field = content.split_once(": ").map(|(name, _)| name);
        let belongs = field.is_some_and(is_field) || (!content.is_empty() && content.bytes().all(is_base64));
        if again || !belongs {
            break;
        }
        if private.is_some() || field == Some("Private-Lines") {
            private = Some(at + content.len());
        }
        at += line.len();
        if matches!(field, Some("Private-MAC" | "Private-Hash")) {
            break;
        }
    }
    private.map(|end| anchor.start..end)
}

fn is_field(name: &str) -> bool {
    let bytes = name.as_bytes();
    !bytes.is_empty() && shape::run(bytes, 0, Class::Url, 40) == bytes.len()
}
