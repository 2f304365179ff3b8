//! Large files cut into records without holding them as a whole: lines, and the elements of one JSON array.
//!
//! A record that is longer than the limit is passed over and said so. The cutting itself never fails on what stands
//! in a file, so one broken record costs no other.

use std::io::BufRead;

use crate::error::{Error, Result};

/// The longest record that is held.
const LONGEST: usize = 64 << 20;

/// A record of a file.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Piece {
    /// Its bytes.
    Whole(Vec<u8>),
    /// It is longer than is read.
    TooLong,
    /// The file ends in the middle of it.
    Torn,
}

/// Gives each line that is not blank, with its number.
pub(super) fn lines(
    from: &mut dyn BufRead,
    path: &str,
    each: &mut dyn FnMut(usize, Piece) -> Result<()>,
) -> Result<()> {
    let mut number = 0;
    loop {
        let mut line = Bounded::default();
        let mut ended = false;
        while !ended {
            let chunk = from.fill_buf().map_err(Error::disk("read", path))?;
            if chunk.is_empty() {
                break;
            }
            let end = chunk.iter().position(|byte| *byte == b'\n');
            let used = end.map_or(chunk.len(), |end| end + 1);
            line.extend(chunk.get(..used).unwrap_or(chunk));
            from.consume(used);
            ended = end.is_some();
        }
        if !ended && line.is_empty() {
            return Ok(());
        }
        number += 1;
        if !line.is_blank() {
            each(number, line.piece())?;
        }
    }
}

/// Gives each element of the array that a file holds, with its number from 1. A file that holds one object gives
/// that. What stands in an element is not looked at but for its brackets and texts.
pub(super) fn elements(
    from: &mut dyn BufRead,
    path: &str,
    each: &mut dyn FnMut(usize, Piece) -> Result<()>,
) -> Result<()> {
    let mut cutter = Cutter::default();
    let mut number = 0;
    loop {
        let chunk = from.fill_buf().map_err(Error::disk("read", path))?;
        if chunk.is_empty() {
            break;
        }
        let used = chunk.len();
        let mut done = Vec::new();
        for byte in chunk {
            if cutter.take(*byte) {
                done.push(std::mem::take(&mut cutter.element).piece());
            }
        }
        from.consume(used);
        for piece in done {
            number += 1;
            each(number, piece)?;
        }
    }
    if cutter.depth > cutter.top() {
        each(number + 1, Piece::Torn)?;
    }
    Ok(())
}

/// Bytes that are kept up to the limit and only counted beyond it.
#[derive(Default)]
struct Bounded {
    bytes: Vec<u8>,
    over: bool,
}

impl Bounded {
    fn extend(&mut self, more: &[u8]) {
        if self.over || self.bytes.len() + more.len() > LONGEST {
            self.over = true;
            self.bytes = Vec::new();
        } else {
            self.bytes.extend_from_slice(more);
        }
    }

    fn is_empty(&self) -> bool {
        self.bytes.is_empty() && !self.over
    }

    fn is_blank(&self) -> bool {
        self.bytes.trim_ascii().is_empty() && !self.over
    }

    fn piece(self) -> Piece {
        if self.over { Piece::TooLong } else { Piece::Whole(self.bytes) }
    }
}

#[derive(Default)]
struct Cutter {
    depth: usize,
    /// Whether the file is an array; `None` before its first bracket.
    is_array: Option<bool>,
    in_text: bool,
    escaped: bool,
    element: Bounded,
}

impl Cutter {
    /// The depth between elements.
    fn top(&self) -> usize {
        usize::from(self.is_array == Some(true))
    }

    /// Takes a byte; `true` when an element ended with it.
    fn take(&mut self, byte: u8) -> bool {
        if self.in_text {
            self.element.extend(&[byte]);
            (self.in_text, self.escaped) = match byte {
                _ if self.escaped => (true, false),
                b'\\' => (true, true),
                b'"' => (false, false),
                _ => (true, false),
            };
            return false;
        }
        match byte {
            b'[' if self.is_array.is_none() => {
                self.is_array = Some(true);
                self.depth = 1;
                return false;
            }
            b'{' | b'[' => {
                self.is_array.get_or_insert(false);
                self.depth += 1;
            }
            b'}' | b']' => {
                let before = self.depth;
                self.depth = self.depth.saturating_sub(1);
                if before > self.top() {
                    self.element.extend(&[byte]);
                    return self.depth == self.top();
                }
                return false;
            }
            b'"' if self.depth > self.top() => self.in_text = true,
            _ => {}
        }
        if self.depth > self.top() {
            self.element.extend(&[byte]);
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use std::io::BufReader;

    use super::*;

    type Cut = fn(&mut dyn BufRead, &str, &mut dyn FnMut(usize, Piece) -> Result<()>) -> Result<()>;

    fn check(cut: Cut, text: &str, expect: &[&str]) {
        for room in [1, 3, 4096] {
            let mut got = Vec::new();
            cut(&mut BufReader::with_capacity(room, text.as_bytes()), "x", &mut |n, piece| {
                got.push(match piece {
                    Piece::Whole(bytes) => format!("{n}:{}", String::from_utf8_lossy(&bytes).trim()),
                    other => format!("{n}:{other:?}"),
                });
                Ok(())
            })
            .unwrap();
            assert_eq!(got, expect, "{text} by {room}");
        }
    }

    #[test]
    fn lines_are_numbered_and_blank_ones_left_out() {
        check(lines, "", &[]);
        check(lines, "a\n\n b\r\nlast", &["1:a", "3:b", "4:last"]);
    }

    #[test]
    fn elements_are_cut_at_their_own_brackets() {
        check(elements, "", &[]);
        check(elements, "[]", &[]);
        check(elements, r#" [{"a":1}, {"b":[2,{}]}]"#, &[r#"1:{"a":1}"#, r#"2:{"b":[2,{}]}"#]);
        check(elements, r#"[{"a":"]}\"[{"},{"b":"\\"}]"#, &[r#"1:{"a":"]}\"[{"}"#, r#"2:{"b":"\\"}"#]);
        check(elements, r#"{"a":[1]}"#, &[r#"1:{"a":[1]}"#]);
        check(elements, r#"[{"a":1},{"b":"#, &[r#"1:{"a":1}"#, "2:Torn"]);
        check(elements, r#"[{"a":nonsense},{"b":2}]"#, &["1:{\"a\":nonsense}", r#"2:{"b":2}"#]);
        check(elements, "]]}} 1 2", &[]);
    }

    #[test]
    fn what_is_too_long_is_passed_over() {
        let mut long = Bounded::default();
        for _ in 0..65 {
            long.extend(&vec![b'x'; 1 << 20]);
        }
        assert!(!long.is_blank());
        assert_eq!(long.piece(), Piece::TooLong);
    }
}
