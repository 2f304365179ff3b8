//! JSON objects changed in place: a member that keeps its value keeps its bytes.
//!
//! Spacing, order, escapes and long numbers of other writers survive, because only the members that differ are
//! written again, in the spacing that stands around them. Text that is no object is written afresh.

use std::collections::HashMap;
use std::ops::Range;

use serde_json::{Map, Value};

/// The text of `object` after a change of `text`, which held the old one.
pub(in crate::layout) fn rewrite(text: &str, object: &Map<String, Value>) -> String {
    let parent = if text.contains('\n') { Spacing::of_separator(text, "") } else { Spacing::Tight };
    rewrite_within(text, object, &parent)
}

/// The white space that goes with what is written anew.
#[derive(Clone, PartialEq, Eq)]
enum Spacing {
    /// Everything on one line.
    Tight,
    /// One member on a line, with this line end and this much in front.
    Lines { end: &'static str, indent: String },
}

impl Spacing {
    /// The spacing of members between which this text stands.
    fn of_separator(separator: &str, indent: &str) -> Self {
        let end = if separator.contains("\r\n") { "\r\n" } else { "\n" };
        Self::Lines { end, indent: indent.to_owned() }
    }

    fn show(&self, value: &Value) -> String {
        match self {
            Self::Tight => value.to_string(),
            Self::Lines { end, indent } => format!("{value:#}").replace('\n', &format!("{end}{indent}")),
        }
    }
}

fn rewrite_within(text: &str, object: &Map<String, Value>, around: &Spacing) -> String {
    let members = members(text).unwrap_or_default();
    let (Some(first), Some(last)) = (members.first(), members.last()) else {
        let object = Value::Object(object.clone());
        return if says(text, &object) { text.to_owned() } else { around.show(&object) };
    };
    let head = &text[..first.whole.start];
    let separators: Vec<&str> =
        members.windows(2).map(|pair| &text[pair[0].whole.end..pair[1].whole.start]).collect();
    let lone = format!(",{}", &head[1..]);
    let separator = separators.last().copied().unwrap_or(&lone);
    let spacing = match separator.rfind('\n') {
        Some(at) => Spacing::of_separator(separator, &separator[at + 1..]),
        None => Spacing::Tight,
    };

    let counted: HashMap<&str, usize> =
        members.iter().enumerate().map(|(n, m)| (m.name.as_str(), n)).collect();
    let mut out = head.to_owned();
    let mut empty = true;
    for (n, member) in members.iter().enumerate() {
        let Some(value) = object.get(&member.name) else { continue };
        if !empty {
            out.push_str(n.checked_sub(1).and_then(|before| separators.get(before)).unwrap_or(&separator));
        }
        empty = false;
        out.push_str(&text[member.whole.start..member.value.start]);
        let old = &text[member.value.clone()];
        // Of members with the same name only the last one counts, as in every JSON reader.
        if counted.get(member.name.as_str()) != Some(&n) || says(old, value) {
            out.push_str(old);
        } else if let Value::Object(inner) = value {
            out.push_str(&rewrite_within(old, inner, &spacing));
        } else {
            out.push_str(&spacing.show(value));
        }
    }
    for (name, value) in object.iter().filter(|(name, _)| !counted.contains_key(name.as_str())) {
        if !empty {
            out.push_str(separator);
        }
        empty = false;
        out.push_str(&Value::from(name.as_str()).to_string());
        out.push_str(&text[last.name_end..last.value.start]);
        out.push_str(&spacing.show(value));
    }
    if empty {
        return "{}".to_owned();
    }
    out.push_str(&text[last.whole.end..]);
    out
}

fn says(text: &str, value: &Value) -> bool {
    serde_json::from_str::<Value>(text).is_ok_and(|old| old == *value)
}

/// One `"name": value` of an object's text.
struct Member {
    name: String,
    name_end: usize,
    value: Range<usize>,
    whole: Range<usize>,
}

/// The members of an object's text, or `None` when it is no object.
fn members(text: &str) -> Option<Vec<Member>> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut at = skip_space(bytes, bytes.starts_with(b"{").then_some(1)?);
    while *bytes.get(at)? != b'}' {
        let start = at;
        let name_end = string_end(bytes, start)?;
        let name = serde_json::from_str(text.get(start..name_end)?).ok()?;
        at = skip_space(bytes, name_end);
        if *bytes.get(at)? != b':' {
            return None;
        }
        let value_start = skip_space(bytes, at + 1);
        let value_end = value_end(bytes, value_start)?;
        found.push(Member { name, name_end, value: value_start..value_end, whole: start..value_end });
        at = skip_space(bytes, value_end);
        if *bytes.get(at)? == b',' {
            at = skip_space(bytes, at + 1);
        }
    }
    Some(found)
}

fn skip_space(bytes: &[u8], from: usize) -> usize {
    let rest = bytes.get(from..).unwrap_or_default();
    from + rest.iter().take_while(|b| b" \t\r\n".contains(b)).count()
}

/// Where the string that begins here ends, its quotes included.
fn string_end(bytes: &[u8], from: usize) -> Option<usize> {
    if *bytes.get(from)? != b'"' {
        return None;
    }
    let mut at = from + 1;
    loop {
        match *bytes.get(at)? {
            b'"' => return Some(at + 1),
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
}

fn value_end(bytes: &[u8], from: usize) -> Option<usize> {
    let mut depth = 0usize;
    let mut at = from;
    loop {
        match *bytes.get(at)? {
            b'"' => at = string_end(bytes, at)?,
            b'{' | b'[' => {
                depth += 1;
                at += 1;
            }
            b'}' | b']' => {
                depth = depth.checked_sub(1)?;
                at += 1;
            }
            _ => at += 1,
        }
        if depth == 0 && bytes.get(at).is_none_or(|b| b",}] \t\r\n".contains(b)) {
            return Some(at);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, object: &str, expect: &str) {
        let object: Map<String, Value> = serde_json::from_str(object).unwrap();
        let got = rewrite(text, &object);
        assert_eq!(got, expect, "{text} becomes {object:?}");
        assert_eq!(rewrite(&got, &object), got, "a second time");
    }

    #[test]
    fn what_stays_keeps_its_bytes() {
        check(r#"{ "a" :1.50,"b": "\u0041"}"#, r#"{"a":1.5,"b":"A"}"#, r#"{ "a" :1.50,"b": "\u0041"}"#);
        check(
            r#"{"n":123456789012345678901234567890,"b":1}"#,
            r#"{"n":1.2345678901234568e29,"b":2}"#,
            r#"{"n":123456789012345678901234567890,"b":2}"#,
        );
        check(r#"{"a":1,"b":2,"c":3}"#, r#"{"a":1,"b":"x","c":3}"#, r#"{"a":1,"b":"x","c":3}"#);
        check(r#"{"a":1, "b":2,  "c":3}"#, r#"{"a":1,"c":3}"#, r#"{"a":1,  "c":3}"#);
        check(r#"{"a":1,"b":2}"#, r#"{"b":2}"#, r#"{"b":2}"#);
        check(r#"{"a":1,"b":2}"#, r#"{}"#, "{}");
        check(
            r#"{"a":{"x":1,"y":[{"}":"]"}]}}"#,
            r#"{"a":{"x":2,"y":[{"}":"]"}]}}"#,
            r#"{"a":{"x":2,"y":[{"}":"]"}]}}"#,
        );
        check(r#"{"a":1,"a":2}"#, r#"{"a":3}"#, r#"{"a":1,"a":3}"#);
        check("{\n  \n}", "{}", "{\n  \n}");
        check(r#"{"a": { }}"#, r#"{"a":{}}"#, r#"{"a": { }}"#);
    }

    #[test]
    fn what_is_new_follows_the_spacing() {
        check(r#"{"a":1}"#, r#"{"a":1,"b":{"c":[2]}}"#, r#"{"a":1,"b":{"c":[2]}}"#);
        check(r#"{ "a": 1 }"#, r#"{"a":1,"b":2}"#, r#"{ "a": 1, "b": 2 }"#);
        check("{\n  \"a\": 1\n}", r#"{"a":1,"b":[2]}"#, "{\n  \"a\": 1,\n  \"b\": [\n    2\n  ]\n}");
        check(
            "{\r\n\t\"a\": 1\r\n}",
            r#"{"a":1,"b":[2]}"#,
            "{\r\n\t\"a\": 1,\r\n\t\"b\": [\r\n\t  2\r\n\t]\r\n}",
        );
        check("{\n  \"a\": {}\n}", r#"{"a":{"b":1}}"#, "{\n  \"a\": {\n    \"b\": 1\n  }\n}");
        check("{}", r#"{"a":1}"#, r#"{"a":1}"#);
        check("{\n}", r#"{"a":1}"#, "{\n  \"a\": 1\n}");
        check("no object", r#"{"a":1}"#, r#"{"a":1}"#);
    }
}
