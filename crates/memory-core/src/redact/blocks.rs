//! Private keys that span lines: PEM blocks of any label, also cut off at either end, escaped into one line, or
//! shown in a quote, a diff or a view with numbered lines, and the key files of PuTTY.
//!
//! A block is masked as a whole. A label that is only mentioned, with no key material after it, stays.

use std::ops::Range;

use super::marker;
use super::shape::{self, Class};

/// What a PEM block begins with.
pub(super) const PEM: &str = "-----BEGIN ";

/// What the last line of a PEM block begins with.
pub(super) const END: &str = "-----END ";

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
    let start = label_end(text, anchor.end)?;
    let body = text.get(start..)?;
    let closed = body.find(DASHES).filter(|length| body.get(..*length).is_some_and(is_material));
    let end = closed
        .and_then(|length| closing(text, start + length))
        .or_else(|| torn_end(text.as_bytes(), start))?;
    Some(anchor.start..end)
}

/// The lower part of a private key whose `-----END ` stands at `anchor`, with that line.
///
/// A line of dashes is no key material, so that parts read from different anchors do not overlap.
pub(super) fn lower_part(text: &str, anchor: &Range<usize>) -> Option<Range<usize>> {
    let end = label_end(text, anchor.end)?;
    let bytes = text.as_bytes();
    let mut start = None;
    let mut at = anchor.start;
    loop {
        let line_end = at - gap_back(bytes, at);
        let mut line = line_end - bytes.get(..line_end)?.iter().rev().take_while(|b| is_base64(**b)).count();
        // The letter of a break that is written as `\n` is no part of the line.
        line += usize::from(line < line_end && bytes.get(..line)?.ends_with(b"\\"));
        let digit = bytes.get(line..line_end)?.iter().any(|b| b.is_ascii_digit() || *b == b'=');
        let last = at == anchor.start && line_end - line >= 4;
        if !digit || line_end - line < LINE && !last {
            return start.map(|start| start..end);
        }
        if line_end - line >= LINE {
            start = Some(line);
        }
        at = line;
    }
}

/// The end of the label of a private key that begins at `at`, with the dashes behind it.
fn label_end(text: &str, at: usize) -> Option<usize> {
    let rest = text.get(at..)?;
    let is_label = |b: &u8| b.is_ascii_uppercase() || b.is_ascii_digit() || *b == b' ';
    let label = rest.bytes().take(48).take_while(is_label).count();
    let name = rest.get(..label)?;
    let private = name.ends_with("PRIVATE KEY") || name.ends_with("PRIVATE KEY BLOCK");
    (private && rest.get(label..)?.starts_with(DASHES)).then_some(at + label + DASHES.len())
}

/// The end of the `-----END …-----` in the row of dashes that begins at `at`. A line that a diff removes has a
/// dash more.
fn closing(text: &str, at: usize) -> Option<usize> {
    let row = text.get(at..)?.bytes().take(DASHES.len() + 1).take_while(|b| *b == b'-').count();
    let begin = at + row - DASHES.len();
    let label = text.get(begin..)?.strip_prefix(END)?;
    let length = label.bytes().take(48).take_while(|b| *b != b'-' && *b != b'\n').count();
    label.get(length..)?.strip_prefix(DASHES)?;
    Some(begin + END.len() + length + DASHES.len())
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

/// How many bytes between two lines of a key: white space, quotes, breaks written as `\n`, and what quotes,
/// comments, diffs and views with numbers put in front of a line.
fn gap(bytes: &[u8], at: usize) -> usize {
    let mut length = 0;
    loop {
        match bytes.get(at + length..).unwrap_or_default() {
            [b'\\', b'n' | b'r' | b't' | b'\\', ..] => length += 2,
            [b, ..] if is_dressing(*b) => length += 1,
            [b'-', b, ..] if *b != b'-' => length += 1,
            rest => match number(rest) {
                0 => return length,
                digits => length += digits,
            },
        }
    }
}

/// The length of the number of a line with the mark behind it, as in `13→` and `13: `, or 0.
fn number(rest: &[u8]) -> usize {
    let digits = rest.iter().take(DIGITS).take_while(|b| b.is_ascii_digit()).count();
    match rest.get(digits..) {
        _ if digits == 0 => 0,
        Some([0xE2, 0x86, 0x92, ..]) => digits + ARROW.len(),
        Some([b' ' | b'\t' | b':' | b'|' | b'-', ..]) => digits + 1,
        _ => 0,
    }
}

/// No file has lines with longer numbers.
const DIGITS: usize = 7;

/// The mark behind the number of a line.
const ARROW: &str = "→";

/// The same before `at`.
fn gap_back(bytes: &[u8], at: usize) -> usize {
    let mut start = at;
    loop {
        let head = bytes.get(..start).unwrap_or_default();
        let digits = head.iter().rev().take(DIGITS).take_while(|b| b.is_ascii_digit()).count();
        let numbered = start < at && !head.iter().rev().nth(digits).is_some_and(|b| is_base64(*b));
        start -= match head {
            [.., b'\\', b'n' | b'r' | b't' | b'\\'] => 2,
            [.., b'\n', b'+'] => 2,
            head if head.ends_with(ARROW.as_bytes()) => ARROW.len(),
            [.., b] if is_dressing(*b) || matches!(b, b'-' | b':') => 1,
            _ if digits > 0 && numbered => digits,
            _ => return at - start,
        };
    }
}

/// What stands around the lines of a key in a text that shows it.
fn is_dressing(b: u8) -> bool {
    b.is_ascii_whitespace() || matches!(b, b'"' | b'\'' | b',' | b'>' | b'#' | b'|')
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
