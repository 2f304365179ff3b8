//! A line of another program's log as a JSON value, as far as anything can be made of it.
//!
//! Clients are killed while they write, cut texts in the middle of a character and put raw control characters into
//! strings. A line is read as it stands; if that fails it is mended once, and only then given up.

use serde_json::Value;

use super::bounded;

/// The value of a line; `None` when it is blank, an error when nothing helps.
pub(crate) fn value(line: &[u8]) -> Result<Option<Value>, serde_json::Error> {
    let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line).trim_ascii();
    if line.is_empty() {
        return Ok(None);
    }
    let first = match bounded::parse(line) {
        Ok(value) => return Ok(Some(value)),
        Err(error) => error,
    };
    let mended = mended(line);
    if mended.trim().is_empty() {
        return Ok(None);
    }
    bounded::parse(mended.as_bytes()).map(Some).map_err(|_| first)
}

/// Bytes that are not UTF-8 and halves of surrogate pairs become `U+FFFD`, control characters become blanks.
fn mended(line: &[u8]) -> String {
    let text = String::from_utf8_lossy(line);
    let mut out = String::with_capacity(text.len());
    let mut at = &*text;
    while let Some(c) = at.chars().next() {
        let rest = at.get(c.len_utf8()..).unwrap_or_default();
        if c != '\\' {
            out.push(if c.is_control() || c == '\u{feff}' { ' ' } else { c });
            at = rest;
            continue;
        }
        let (escape, tail) = match (unit(at), unit(at.get(6..).unwrap_or_default())) {
            (Some(0xD800..=0xDBFF), Some(0xDC00..=0xDFFF)) => (at.get(..12).unwrap_or(at), at.get(12..)),
            (Some(0xD800..=0xDFFF), _) => ("\\ufffd", at.get(6..)),
            // An escape is two characters at least, so an escaped backslash does not begin another one.
            _ => match rest.chars().next() {
                Some(next) if !next.is_control() => {
                    let end = 1 + next.len_utf8();
                    (at.get(..end).unwrap_or(at), at.get(end..))
                }
                _ => ("\\\\", Some(rest)),
            },
        };
        out.push_str(escape);
        at = tail.unwrap_or_default();
    }
    out
}

/// The UTF-16 unit that an escape at the beginning of a text stands for.
fn unit(text: &str) -> Option<u32> {
    let hex = text.strip_prefix("\\u")?.get(..4)?;
    u32::from_str_radix(hex, 16).ok()
}

/// A field as text, where it is one.
pub(crate) fn text(value: &Value, pointer: &str) -> Option<String> {
    value.pointer(pointer).and_then(Value::as_str).map(str::to_owned)
}

/// A field as a name: a text that is not empty, or a number.
pub(crate) fn name(value: &Value, pointer: &str) -> Option<String> {
    match value.pointer(pointer)? {
        Value::String(text) if !text.is_empty() => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

/// Whether a field is `true`.
pub(crate) fn is_true(value: &Value, pointer: &str) -> bool {
    value.pointer(pointer) == Some(&Value::Bool(true))
}

/// The list in a field; empty where there is none.
pub(crate) fn list<'a>(value: &'a Value, pointer: &str) -> &'a [Value] {
    value.pointer(pointer).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default()
}

/// A point in time: a text, or milliseconds or seconds since 1970.
pub(crate) fn time(value: &Value, pointer: &str) -> Option<memory_core::time::Time> {
    use memory_core::time::Time;
    match value.pointer(pointer)? {
        Value::String(text) => Time::parse(text),
        Value::Number(number) => {
            let number = number.as_f64()?;
            // Up to the year 5138 in seconds; milliseconds passed this in 1973.
            let millis = if number.abs() < 1e11 { number * 1000.0 } else { number };
            #[expect(
                clippy::cast_possible_truncation,
                reason = "a float becomes the nearest whole number there is"
            )]
            Some(Time(millis as i64))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn broken_lines_are_mended_where_it_can_be_done() {
        let check = |line: &[u8], expect: Option<&str>| {
            let got = value(line).ok().flatten().map(|value| value.to_string());
            assert_eq!(got.as_deref(), expect, "{}", String::from_utf8_lossy(line));
        };
        check(br#"{"a":1}"#, Some(r#"{"a":1}"#));
        check(b"\xef\xbb\xbf{\"a\":1}\r\n", Some(r#"{"a":1}"#));
        check(b"{\"a\":\"x\x01\x00\ty\"}", Some(r#"{"a":"x   y"}"#));
        check(b"{\"a\":\"x\xff\xfey\"}", Some("{\"a\":\"x\u{fffd}\u{fffd}y\"}"));
        check(br#"{"a":"cut \ud83d"}"#, Some("{\"a\":\"cut \u{fffd}\"}"));
        check(br#"{"a":"\ude00 \ud83d\ude00"}"#, Some("{\"a\":\"\u{fffd} 😀\"}"));
        check(br#"{"a":"\\ud83d"}"#, Some(r#"{"a":"\\ud83d"}"#));
        check(b"{\"a\":\"\\\x01\"}", Some(r#"{"a":"\\ "}"#));
        check(b"\0\0\0\0", None);
        check(b"   \r", None);
        check(br#"{"a":"#, None);
        assert!(value(br#"{"a":"#).is_err());
        assert!(value("[".repeat(100_000).as_bytes()).is_err(), "deep nesting must not end the process");
    }
}
