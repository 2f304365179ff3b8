//! Secrets that only a name gives away: `NAME_TOKEN=…`, `"password": "…"`, `--api-key …`, `Authorization:
//! Bearer …`, "the password is …", "a senha é …".
//!
//! Only the value is masked. From the announcing word the name is read to both sides, then what links it to
//! a value, then the value; each step looks at a bounded number of bytes.

use std::ops::Range;

use super::finding::{Finding, Surety};
use super::link::{self, How, Link, Query};
use super::names::{self, Name};
use super::shape::is_word;
use super::value::{self, Form};
use super::{checks, examples, marker};

/// Names are shorter than this; a longer run is no name.
const NAME: usize = 64;

/// The identifier around an announcing word.
pub(super) fn name_around(bytes: &[u8], word: &Range<usize>) -> Option<Range<usize>> {
    let inside = |at: usize| {
        let joins = |b: u8| is_word(b) || b == b'-' || b == b'.';
        bytes.get(at).is_some_and(|b| joins(*b))
    };
    let mut start = word.start;
    while start > 0 && inside(start - 1) {
        start -= 1;
        if word.start - start > NAME {
            return None;
        }
    }
    let mut end = word.end;
    while inside(end) {
        end += 1;
        if end - word.end > NAME {
            return None;
        }
    }
    // Behind a marker the first part of the name may be hidden.
    if marker::ends(bytes, start) {
        return None;
    }
    // A mark at the edge belongs to the sentence or to an option's dashes.
    while start < word.start && bytes.get(start).is_some_and(|b| !b.is_ascii_alphanumeric()) {
        start += 1;
    }
    while end > word.end && bytes.get(end - 1).is_some_and(|b| !b.is_ascii_alphanumeric() && *b != b'_') {
        end -= 1;
    }
    Some(start..end)
}

/// The secret that a name announces.
pub(super) fn find(text: &str, name: &Range<usize>) -> Option<Finding> {
    let head = text.get(..name.start)?;
    // The user of an address is no name; what follows it is judged with the address.
    let user = head.ends_with("://") && text.as_bytes().get(name.end) == Some(&b':');
    if head.ends_with("/etc/") || user {
        return None;
    }
    if let Some(value) = paired(text, name) {
        return Some(value);
    }
    let judged = names::judge(text.get(name.clone())?, word_before(head))?;
    link::after(text.as_bytes(), name).find_map(|link| linked(text, name, judged, link))
}

/// The password of a pair behind a name that announces one: `credentials: ana / …`.
fn paired(text: &str, name: &Range<usize>) -> Option<Finding> {
    let judged = names::pair(text.get(name.clone())?)?;
    let at = bare_word(text, link::second(text.as_bytes(), name.end)?, Query::Outside)?;
    let secret = value::is_secret(text.get(at.clone())?, judged, Form::Beside);
    secret.then_some(Finding { kind: "secret-assignment", at, surety: Surety::Announced })
}

/// The secret at the other end of a link.
fn linked(text: &str, name: &Range<usize>, judged: Name, link: Link) -> Option<Finding> {
    if judged.terse && matches!(link.how, How::Said | How::Beside) {
        return None;
    }
    let read = read(text, link.value, link.query)?;
    let bare = !read.quoted;
    let form = match link.how {
        How::Beside if bare => Form::Beside,
        How::Set if bare && judged.report => Form::Beside,
        How::Said => Form::Prose,
        How::Called if bare => return None,
        How::Called => Form::Code,
        How::Tagged if text.as_bytes().get(read.at.end) != Some(&b'<') => return None,
        How::Tagged => Form::Literal,
        _ if !bare || judged.shouted && link.how == How::Assign => Form::Literal,
        _ => Form::Code,
    };
    let mut at = read.at;
    let scheme = scheme(text.get(at.clone())?);
    if scheme > 0 {
        at.start += scheme;
        if bare {
            at = bare_word(text, at.start, link.query)?;
        }
    }
    let secret = text.get(at.clone())?;
    let counts = login(judged, scheme, secret).unwrap_or_else(|| value::is_secret(secret, judged, form));
    if !counts || names_itself(secret, text, name) {
        return None;
    }
    let (kind, surety) = match names::vendor(front(text, name.start, at.start), secret) {
        Some(kind) => (kind, Surety::Named),
        None if judged.header || scheme > 0 => ("authorization", Surety::Announced),
        None => ("secret-assignment", Surety::Announced),
    };
    Some(Finding { kind, at, surety })
}

/// A value as it stands in the text.
struct Read {
    at: Range<usize>,
    quoted: bool,
}

/// Values longer than this are not read.
const VALUE: usize = 4096;

fn read(text: &str, from: usize, query: Query) -> Option<Read> {
    let bytes = text.as_bytes();
    let from = from + opening(bytes.get(from..)?);
    let escaped = bytes.get(from) == Some(&b'\\');
    let quote_at = from + usize::from(escaped);
    match bytes.get(quote_at).copied().filter(|b| matches!(b, b'"' | b'\'' | b'`')) {
        Some(quote) => {
            let start = quote_at + 1;
            // Three quotes open a long string.
            let start = if bytes.get(start..start + 2) == Some(&[quote, quote]) { start + 2 } else { start };
            match closing(bytes, start, quote, escaped) {
                Some(end) => Some(Read { at: start..end, quoted: true }),
                // The closing quote may be inside a mask; then this was judged before.
                None if masked_on_line(bytes, start) => None,
                None => Some(Read { at: bare_word(text, start, query)?, quoted: false }),
            }
        }
        None => Some(Read { at: bare_word(text, from, query)?, quoted: false }),
    }
}

/// The length of what may stand before a value: emphasis, a letter of a string literal, a constructor.
fn opening(rest: &[u8]) -> usize {
    let emphasis = rest.iter().take(3).take_while(|b| **b == b'*').count();
    let rest = rest.get(emphasis..).unwrap_or_default();
    if let Some(default) = default(rest) {
        return emphasis + default;
    }
    let called = rest.iter().take(40).take_while(|b| is_word(**b) || matches!(b, b':' | b'!')).count();
    let quoted = |at: usize| matches!(rest.get(at), Some(b'"' | b'\''));
    if called > 0 && rest.get(called) == Some(&b'(') && quoted(called + 1) {
        return emphasis + called + 1;
    }
    if (1..=2).contains(&called) && quoted(called) {
        return emphasis + called;
    }
    emphasis
}

/// Where the value stands that takes the place of a missing variable: `os.getenv("NAME", "…")`,
/// `process.env.NAME || "…"`.
fn default(rest: &[u8]) -> Option<usize> {
    let name = rest.iter().take(NAME).take_while(|b| is_word(**b) || matches!(b, b'.' | b':')).count();
    rest.get(..name)?.windows(3).find(|word| word.eq_ignore_ascii_case(b"env"))?;
    let is_quote = |at: usize| rest.get(at).filter(|b| matches!(b, b'"' | b'\''));
    let spaced =
        |at: usize| at + rest.get(at..).map_or(0, |r| r.iter().take(4).take_while(|b| **b == b' ').count());
    let mut at = name;
    if matches!(rest.get(at), Some(b'(' | b'[')) {
        let quote = is_quote(at + 1)?;
        at += 2 + rest.get(at + 2..)?.iter().take(NAME).position(|b| b == quote)? + 1;
        let more = spaced(at);
        if rest.get(more) == Some(&b',') {
            let value = spaced(more + 1);
            return is_quote(value).map(|_| value);
        }
        at = more + usize::from(matches!(rest.get(more), Some(b')' | b']')));
    }
    at = spaced(at);
    let sign = ["|| ", "?? ", "or "]
        .iter()
        .find(|sign| rest.get(at..).is_some_and(|r| r.starts_with(sign.as_bytes())))?;
    is_quote(at + sign.len()).map(|_| at + sign.len())
}

/// Where a quoted value ends, on the same line.
fn closing(bytes: &[u8], start: usize, quote: u8, escaped: bool) -> Option<usize> {
    let mut at = start;
    while at < start + VALUE {
        match bytes.get(at..)? {
            [b'\n', ..] => return None,
            [b'\\', b, ..] if escaped && *b == quote => return Some(at),
            [b'\\', _, ..] if !escaped && quote != b'`' => at += 2,
            [b, ..] if *b == quote => return (!escaped).then_some(at),
            _ => at += 1,
        }
    }
    None
}

fn masked_on_line(bytes: &[u8], start: usize) -> bool {
    let line = bytes.get(start..).unwrap_or_default().iter().take(VALUE).take_while(|b| **b != b'\n').count();
    let line = bytes.get(start..start + line).unwrap_or_default();
    line.windows(marker::OPEN.len()).any(|window| window == marker::OPEN.as_bytes())
}

/// A value without quotes: up to white space or a mark that ends one, less the punctuation of the sentence.
fn bare_word(text: &str, start: usize, query: Query) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let mut end = start;
    loop {
        match bytes.get(end..).unwrap_or_default() {
            [] => break,
            // Inside a value these are two marks like others.
            [b'|', b'|', b, ..] | [b'-', b'>', b, ..] if end > start && !b.is_ascii_whitespace() => end += 2,
            [b, ..] if b.is_ascii_whitespace() || b.is_ascii_control() || b"\"'`<>;,|".contains(b) => break,
            [b'\\', b'n' | b'r' | b't' | b'"' | b'\\', ..] => break,
            [b'&', ..] if query == Query::Inside => break,
            // Typographic quotes are three bytes that begin alike.
            [0xE2, 0x80, 0x98..=0x9F, ..] => break,
            // A chain of assignments is no value, and must not be read anew from each link.
            [b'=' | b':', b, ..] if end - start > NAME && b.is_ascii_alphanumeric() => return None,
            _ => end += 1,
        }
        if end - start > VALUE {
            return None;
        }
    }
    let run = text.get(start..end)?;
    // What is cut short with dots is no secret any more.
    if run.ends_with("...") || run.ends_with('…') {
        return None;
    }
    let kept = run.trim_end_matches(['.', ':', ')', ']', '}', '*', '?']);
    (!kept.is_empty()).then(|| start..start + kept.len())
}

/// The length of a scheme such as `Bearer ` at the beginning of a value. A bare value ends at the space.
fn scheme(value: &str) -> usize {
    let word = value.bytes().take(12).take_while(u8::is_ascii_alphabetic).count();
    let known =
        value.get(..word).is_some_and(|w| SCHEMES.iter().any(|scheme| scheme.eq_ignore_ascii_case(w)));
    match value.as_bytes().get(word) {
        Some(b' ') if known => word + 1,
        None if known => word + 1,
        _ => 0,
    }
}

const SCHEMES: &[&str] = &["bearer", "basic", "token", "bot", "apikey", "splunk", "genie"];

/// Whether the password of a login is no placeholder, where the value of a header is one: the base64 of a name
/// and a password.
fn login(name: Name, scheme: usize, value: &str) -> Option<bool> {
    if !name.header || scheme != "basic ".len() {
        return None;
    }
    let decoded = checks::decode(value).and_then(|bytes| String::from_utf8(bytes).ok())?;
    let (user, password) = decoded.split_once(':')?;
    let placeholder = user == password || examples::is_placeholder(password);
    Some(password.len() > 3 && !placeholder && !examples::is_reference(password))
}

/// Whether the value only repeats the name, as in `apiKey: apiKey2`.
fn names_itself(value: &str, text: &str, name: &Range<usize>) -> bool {
    let letters = |text: &str| -> String {
        text.chars().filter(char::is_ascii_alphabetic).collect::<String>().to_ascii_lowercase()
    };
    let value = letters(value);
    !value.is_empty() && text.get(name.clone()).is_some_and(|name| letters(name) == value)
}

/// The word in front of a name, across one space or hyphen.
fn word_before(head: &str) -> &str {
    let Some(head) = head.strip_suffix([' ', '-']) else { return "" };
    let length = head.bytes().rev().take(16).take_while(u8::is_ascii_alphabetic).count();
    head.get(head.len() - length..).unwrap_or_default()
}

/// What stands on the line from a little before the name up to the value.
fn front(text: &str, name: usize, value: usize) -> &str {
    let mut start = name.saturating_sub(40);
    while !text.is_char_boundary(start) {
        start += 1;
    }
    let front = text.get(start..value).unwrap_or_default();
    front.rsplit('\n').next().unwrap_or_default()
}
