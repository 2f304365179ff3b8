//! The one canonical text of a JSON value: the same value gives the same bytes, and so the same hash, as the
//! JavaScript writer of these files gives (`JSON.stringify` with two spaces, keys sorted by `localeCompare`).
//!
//! Exact for keys of ASCII characters; keys of other scripts are ordered by code point, after the letters.
//! Whole numbers are written in full, where JavaScript would round those beyond 2^53.

use std::fmt::Write;

use serde_json::{Map, Number, Value};
use sha2::{Digest, Sha256};

/// The canonical text, without a line end.
pub fn stable_string(value: &Value) -> String {
    let mut out = String::new();
    put(value, 0, &mut out);
    out
}

/// The SHA-256 of the canonical text, in lower-case hex. `contentHash` and `bundleHash` are both this.
pub fn stable_hash(value: &Value) -> String {
    sha256_hex(stable_string(value).as_bytes())
}

/// The SHA-256 of bytes, in lower-case hex.
pub fn sha256_hex(bytes: &[u8]) -> String {
    let mut hex = String::with_capacity(64);
    for byte in Sha256::digest(bytes) {
        // Writing to a string cannot fail.
        let _ = write!(hex, "{byte:02x}");
    }
    hex
}

/// The hash of a bundle that stands beside it as `bundleHash`.
pub fn bundle_hash(bundle: &Value) -> String {
    stable_hash(bundle)
}

fn put(value: &Value, depth: usize, out: &mut String) {
    match value {
        Value::Number(number) => out.push_str(&number_text(number)),
        Value::Array(items) if !items.is_empty() => {
            put_all(items, ('[', ']'), depth, out, |item, out| put(item, depth + 1, out));
        }
        Value::Object(map) if !map.is_empty() => {
            put_all(sorted(map), ('{', '}'), depth, out, |(key, item), out| {
                out.push_str(&Value::from(key).to_string());
                out.push_str(": ");
                put(item, depth + 1, out);
            });
        }
        // For texts, truth values, null, `[]` and `{}` the compact form of both languages is the same.
        plain => out.push_str(&plain.to_string()),
    }
}

fn put_all<T>(
    parts: impl IntoIterator<Item = T>,
    (open, close): (char, char),
    depth: usize,
    out: &mut String,
    put_one: impl Fn(T, &mut String),
) {
    let line = |depth: usize, out: &mut String| {
        out.push('\n');
        out.extend(std::iter::repeat_n("  ", depth));
    };
    out.push(open);
    for (n, part) in parts.into_iter().enumerate() {
        if n > 0 {
            out.push(',');
        }
        line(depth + 1, out);
        put_one(part, out);
    }
    line(depth, out);
    out.push(close);
}

fn sorted(map: &Map<String, Value>) -> Vec<(&str, &Value)> {
    let mut entries: Vec<(&str, &Value)> = map.iter().map(|(key, value)| (key.as_str(), value)).collect();
    entries.sort_by_cached_key(|(key, _)| rank(key));
    entries
}

/// The order of keys. JavaScript objects put array indices first, whatever order they were filled in.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    Index(u32),
    /// The letters without case, then case from the left with lower before upper, then the key itself.
    Name(Vec<u32>, Vec<bool>, String),
}

fn rank(key: &str) -> Rank {
    if let Ok(index) = key.parse::<u32>()
        && index != u32::MAX
        && index.to_string() == key
    {
        return Rank::Index(index);
    }
    let letters = || key.chars().filter(|&c| weight(c) > 0);
    Rank::Name(letters().map(weight).collect(), letters().map(char::is_uppercase).collect(), key.to_owned())
}

/// White space and punctuation in the order of the Unicode root collation.
const PUNCTUATION: &str = "\t\n\u{b}\u{c}\r _-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$";

/// The place of a character in the alphabet without regard to case; control characters have none.
fn weight(c: char) -> u32 {
    let lower = c.to_lowercase().next().unwrap_or(c);
    match PUNCTUATION.find(c) {
        Some(place) => 1 + place as u32,
        None if c.is_ascii_control() => 0,
        None => 256 + u32::from(lower),
    }
}

fn number_text(number: &Number) -> String {
    if number.is_f64() { float_text(&number.to_string()) } else { number.to_string() }
}

/// A float as JavaScript prints it: plain from 1e-6 up to 1e21, else with an exponent.
///
/// It takes the digits that `serde_json` chose. They are the shortest ones and even at a tie, as JavaScript's
/// are; the standard library decides ties otherwise.
fn float_text(printed: &str) -> String {
    let (sign, printed) = printed.strip_prefix('-').map_or(("", printed), |rest| ("-", rest));
    let (mantissa, exponent) = printed.split_once('e').unwrap_or((printed, "0"));
    let (whole, part) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let all = format!("{whole}{part}");
    let significant = all.trim_start_matches('0');
    let digits = significant.trim_end_matches('0');
    if digits.is_empty() {
        return "0".to_owned();
    }
    let skipped = all.len() - significant.len();
    // How many digits stand before the point; none or fewer for numbers below 1.
    let before = exponent.parse::<i64>().unwrap_or(0) + whole.len() as i64 - skipped as i64;
    let zeros = |n: i64| "0".repeat(usize::try_from(n).unwrap_or(0));
    match before {
        1..=21 => match digits.split_at_checked(before as usize) {
            Some((whole, part)) if !part.is_empty() => format!("{sign}{whole}.{part}"),
            _ => format!("{sign}{digits}{}", zeros(before - digits.len() as i64)),
        },
        -5..=0 => format!("{sign}0.{}{digits}", zeros(-before)),
        _ => {
            let (first, rest) = digits.split_at(1);
            let point = if rest.is_empty() { "" } else { "." };
            format!("{sign}{first}{point}{rest}e{:+}", before - 1)
        }
    }
}
