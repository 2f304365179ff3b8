//! The JSON of a hook, read as leniently as clients write it.
//!
//! A byte order mark, bytes that are no UTF-8, raw control characters inside strings and halves of surrogate pairs are
//! all met in the wild; none of them loses the event. Everything else that is no JSON object is an error value.

use std::borrow::Cow;

use memory_core::time::Time;
use serde_json::Value;

/// The most that is read of a hook's input.
pub const MOST_BYTES: u64 = 8 << 20;

/// Why a hook's input says nothing.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unread {
    /// Nothing came.
    #[error("the input is empty")]
    Empty,
    /// It does not end within the limit.
    #[error("the input has more than {MOST_BYTES} bytes")]
    TooLong,
    /// It is no JSON.
    #[error("the input is no JSON: {why}")]
    Syntax {
        /// What the parser says.
        why: String,
    },
    /// It is JSON, but no object.
    #[error("the input is JSON but no object")]
    NoObject,
}

/// The object in these bytes.
pub(super) fn parse(bytes: &[u8]) -> Result<Value, Unread> {
    if bytes.len() as u64 > MOST_BYTES {
        return Err(Unread::TooLong);
    }
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let text = String::from_utf8_lossy(bytes);
    let text = text.trim_matches(|c: char| c.is_whitespace() || c == '\0' || c == '\u{feff}');
    if text.is_empty() {
        return Err(Unread::Empty);
    }
    let value = match serde_json::from_str::<Value>(text) {
        Ok(value) => value,
        Err(error) => {
            // The parser's words may quote the input, which is nobody's business in a log; the place is enough.
            let why = format!("line {}, column {}", error.line(), error.column());
            serde_json::from_str(&mended(text)).map_err(|_| Unread::Syntax { why })?
        }
    };
    if value.is_object() { Ok(value) } else { Err(Unread::NoObject) }
}

/// The text with raw control characters in strings escaped and halves of surrogate pairs replaced.
fn mended(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 64);
    let (mut inside, mut rest) = (false, text);
    while let Some(c) = rest.chars().next() {
        let mut used = c.len_utf8();
        match c {
            '\\' if inside => match unit(rest) {
                Some(first @ 0xd800..=0xdfff) => {
                    let second = rest.get(6..).and_then(unit);
                    let whole = first < 0xdc00 && second.is_some_and(|low| (0xdc00..=0xdfff).contains(&low));
                    used = if whole { 12 } else { 6 };
                    out.push_str(if whole { rest.get(..12).unwrap_or_default() } else { "\\ufffd" });
                }
                _ => {
                    used += rest[1..].chars().next().map_or(0, char::len_utf8);
                    out.push_str(&rest[..used]);
                }
            },
            '"' => {
                inside = !inside;
                out.push(c);
            }
            c if inside && c < ' ' => out.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => out.push(c),
        }
        rest = &rest[used..];
    }
    out
}

/// The number of a `\uXXXX` at the beginning of a text.
fn unit(text: &str) -> Option<u32> {
    let digits = text.strip_prefix("\\u")?.get(..4)?;
    u32::from_str_radix(digits, 16).ok()
}

/// The value at a path such as `turn.outputText` or `workspaceRoots.0`.
pub(super) fn at<'a>(value: &'a Value, path: &str) -> Option<&'a Value> {
    path.split('.').try_fold(value, |value, part| match value {
        Value::Array(items) => items.get(part.parse::<usize>().ok()?),
        other => other.get(part),
    })
}

/// The first text at any of these paths.
pub(super) fn text<'a>(value: &'a Value, paths: &[&str]) -> Option<&'a str> {
    paths.iter().find_map(|path| at(value, path)?.as_str())
}

/// What is said at the first of these paths that is there: a text, or the texts of a list of parts.
pub(super) fn spoken<'a>(value: &'a Value, paths: &[&str]) -> Option<Cow<'a, str>> {
    paths.iter().find_map(|path| match at(value, path)? {
        Value::String(text) => Some(Cow::Borrowed(text.as_str())),
        Value::Array(parts) => {
            let said = parts.iter().filter(|part| at(part, "synthetic") != Some(&Value::Bool(true)));
            let texts: Vec<&str> = said.filter_map(|part| text(part, &["text"])).collect();
            Some(Cow::Owned(texts.join("\n")))
        }
        _ => None,
    })
}

/// The first time at any of these paths: a text, or a number of seconds or milliseconds.
pub(super) fn time(value: &Value, paths: &[&str]) -> Option<Time> {
    paths.iter().find_map(|path| match at(value, path)? {
        Value::String(text) => Time::parse(text),
        Value::Number(number) => {
            let n = number.as_i64()?;
            // Seconds stay below this for three thousand years, milliseconds have been above it since 1973.
            if n < 100_000_000_000 { n.checked_mul(1000).map(Time) } else { Some(Time(n)) }
        }
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_clients_write_is_read() {
        let check = |bytes: &[u8], expect: Result<&str, &str>| {
            let got = parse(bytes).map(|value| value["a"].as_str().unwrap_or("?").to_owned());
            match (&got, expect) {
                (Ok(got), Ok(expect)) => assert_eq!(got, expect, "{bytes:?}"),
                (Err(got), Err(expect)) => assert!(got.to_string().contains(expect), "{bytes:?}: {got}"),
                _ => panic!("{bytes:?}: {got:?}"),
            }
        };
        check(br#"{"a":"b"}"#, Ok("b"));
        check(b"\xef\xbb\xbf{\"a\":\"b\"}\r\n", Ok("b"));
        check("\u{feff}{\"a\":\"b\"}\0".as_bytes(), Ok("b"));
        check(b"{\"a\":\"one\ntwo\tthree\x1b\"}", Ok("one\ntwo\tthree\u{1b}"));
        check(b"{\"a\":\"x\xff\"}", Ok("x\u{fffd}"));
        check(br#"{"a":"cut \ud83d"}"#, Ok("cut \u{fffd}"));
        check(br#"{"a":"\udc00 \ud83d\ude00"}"#, Ok("\u{fffd} \u{1f600}"));
        check(b"{\"a\":\"quoted \\\" and \\\\\nline\"}", Ok("quoted \" and \\\nline"));
        check(b"", Err("empty"));
        check(b" \n", Err("empty"));
        check(b"{\"a\":", Err("no JSON: line 1"));
        check(b"secret-word", Err("line 1, column 1"));
        check(b"[1]", Err("no object"));
        check("[".repeat(100_000).as_bytes(), Err("no JSON"));
        check(&vec![b' '; 9 << 20], Err("more than"));
    }

    #[test]
    fn times_are_read_in_any_unit() {
        let check = |json: &str, expect: Option<i64>| {
            let value: Value = serde_json::from_str(json).unwrap();
            assert_eq!(time(&value, &["t"]).map(|time| time.0), expect, "{json}");
        };
        check(r#"{"t":1794725091355}"#, Some(1_794_725_091_355));
        check(r#"{"t":1794725091}"#, Some(1_794_725_091_000));
        check(r#"{"t":"2026-11-15T06:44:51.355Z"}"#, Some(1_794_725_091_355));
        check(r#"{"t":-9223372036854775808}"#, None);
        check(r#"{"t":"soon"}"#, None);
        check(r#"{"t":null}"#, None);
    }
}
