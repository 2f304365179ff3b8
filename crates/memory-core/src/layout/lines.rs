//! The lines of a file as byte ranges: any bytes, any line ends, nothing changed.

use std::ops::Range;

/// A line: its bytes without the line end, and the range with it.
#[derive(Debug, Clone)]
pub(super) struct Line<'a> {
    /// The content without `\n` or `\r\n`.
    pub(super) text: &'a [u8],
    /// The bytes of the whole line, line end included.
    pub(super) at: Range<usize>,
}

/// Splits bytes into lines; a byte order mark at the start belongs to no line.
pub(super) fn lines(bytes: &[u8]) -> impl Iterator<Item = Line<'_>> {
    let mut start = bom(bytes);
    std::iter::from_fn(move || {
        if start >= bytes.len() {
            return None;
        }
        let end = bytes[start..].iter().position(|&b| b == b'\n').map_or(bytes.len(), |n| start + n + 1);
        let mut text = &bytes[start..end];
        text = text.strip_suffix(b"\n").unwrap_or(text);
        text = text.strip_suffix(b"\r").unwrap_or(text);
        let line = Line { text, at: start..end };
        start = end;
        Some(line)
    })
}

/// How many bytes the byte order mark takes.
pub(super) fn bom(bytes: &[u8]) -> usize {
    if bytes.starts_with(b"\xEF\xBB\xBF") { 3 } else { 0 }
}

/// The line end that the file uses: that of its first line.
pub(super) fn line_end(bytes: &[u8]) -> &'static str {
    match bytes.iter().position(|&b| b == b'\n') {
        Some(n) if n > 0 && bytes[n - 1] == b'\r' => "\r\n",
        _ => "\n",
    }
}

/// Text as bytes with the given line end.
pub(super) fn with_line_end(text: &str, end: &str) -> Vec<u8> {
    if end == "\n" { text.as_bytes().to_vec() } else { text.replace('\n', end).into_bytes() }
}

/// How many lines of an entry stand before its text.
pub fn lines_before_text(entry: &[u8], text: &str) -> usize {
    let entry: Vec<String> =
        lines(entry).map(|line| String::from_utf8_lossy(line.text).trim_end().to_owned()).collect();
    let text: Vec<&str> = text.lines().map(str::trim_end).collect();
    let stands = |at: &usize| {
        let there = entry.get(*at..*at + text.len());
        there.is_some_and(|there| there.iter().zip(&text).all(|(there, text)| there == text))
    };
    // A line of a journal stands behind its time.
    let ends = |at: &usize| {
        let there = entry.get(*at).zip(text.first());
        there.is_some_and(|(there, text)| !text.is_empty() && there.ends_with(text))
    };
    let places = 0..entry.len();
    places.clone().find(stands).or_else(|| places.clone().find(ends)).unwrap_or(0)
}

/// Bytes as text: invalid UTF-8 shows as replacement characters, and `true` says that there was some.
pub(super) fn lossy(bytes: &[u8]) -> (String, bool) {
    match std::str::from_utf8(bytes) {
        Ok(text) => (text.to_owned(), false),
        Err(_) => (String::from_utf8_lossy(bytes).into_owned(), true),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(entry: &str, text: &str, before: usize) {
        assert_eq!(lines_before_text(entry.as_bytes(), text), before, "{entry:?}");
    }

    #[test]
    fn how_many_lines_stand_before_a_text() {
        check("one\ntwo\n", "one\ntwo", 0);
        check("\u{feff}\none\n\n", "one", 1);
        check("<!-- id:1 -->\r\n## 2026\r\none\r\ntwo\r\n---\r\n", "one\ntwo", 2);
        check("## one\n\n\none  \n\ntwo\n", "one\n\ntwo", 3);
        check("# 2026-11\n- 10:30 one\n", "one", 1);
        check("another", "one", 0);
        check("", "", 0);
    }
}
