//! A stream of text for people, written in pieces that each have a tone and are made harmless on the way.

use std::io::{self, Write};
use std::ops::Range;

use crate::output::colour::Tone;
use crate::output::plain::plain;

/// Text for people on its way to a stream.
pub(crate) struct Page<'a> {
    stream: &'a mut dyn Write,
    colour: bool,
}

impl<'a> Page<'a> {
    pub(crate) fn new(stream: &'a mut dyn Write, colour: bool) -> Self {
        Self { stream, colour }
    }

    /// One piece.
    pub(crate) fn put(&mut self, tone: Tone, text: &str) -> io::Result<()> {
        let text = plain(text);
        if self.colour && tone != Tone::Plain && !text.is_empty() {
            let style = tone.style();
            write!(self.stream, "{}{text}{}", style.render(), style.render_reset())
        } else {
            self.stream.write_all(text.as_bytes())
        }
    }

    /// Pieces and the end of the line.
    pub(crate) fn line(&mut self, pieces: &[(Tone, &str)]) -> io::Result<()> {
        for (tone, text) in pieces {
            self.put(*tone, text)?;
        }
        self.stream.write_all(b"\n")
    }

    /// A line without any tone.
    pub(crate) fn say(&mut self, text: &str) -> io::Result<()> {
        self.line(&[(Tone::Plain, text)])
    }

    /// A whole text: it ends with a line end even where the text does not.
    pub(crate) fn body(&mut self, text: &str) -> io::Result<()> {
        self.put(Tone::Plain, text)?;
        if text.ends_with('\n') { Ok(()) } else { self.stream.write_all(b"\n") }
    }

    /// A text with two spaces before each of its lines.
    pub(crate) fn indented(&mut self, text: &str) -> io::Result<()> {
        text.lines().try_for_each(|line| {
            self.line(&[(Tone::Plain, if line.is_empty() { "" } else { "  " }), (Tone::Plain, line)])
        })
    }

    /// A passage with two spaces before each of its lines, without blank ones, and these of its bytes marked.
    pub(crate) fn passage(&mut self, text: &str, marks: &[Range<usize>]) -> io::Result<()> {
        let mut start = 0;
        for whole in text.split_inclusive('\n') {
            let line = start..start + whole.trim_end().len();
            start += whole.len();
            if line.is_empty() {
                continue;
            }
            self.put(Tone::Plain, "  ")?;
            let mut at = line.start;
            for mark in marks {
                let (from, to) = (mark.start.max(at), mark.end.min(line.end));
                if let (true, Some(before), Some(word)) = (from < to, text.get(at..from), text.get(from..to))
                {
                    self.put(Tone::Plain, before)?;
                    self.put(Tone::Mark, word)?;
                    at = to;
                }
            }
            self.line(&[(Tone::Plain, text.get(at..line.end).unwrap_or_default())])?;
        }
        Ok(())
    }

    /// A text padded with spaces to a width, so that columns line up.
    pub(crate) fn column(&mut self, tone: Tone, text: &str, width: usize) -> io::Result<()> {
        self.put(tone, text)?;
        let used = plain(text).chars().count();
        self.put(Tone::Plain, &" ".repeat(width.saturating_sub(used) + 2))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, marks: &[(usize, usize)], expect: &str) {
        let mut stream = Vec::new();
        let marks: Vec<Range<usize>> = marks.iter().map(|(from, to)| *from..*to).collect();
        Page::new(&mut stream, true).passage(text, &marks).unwrap();
        let style = Tone::Mark.style();
        let shown = String::from_utf8(stream).unwrap();
        let shown = shown.replace(&style.render().to_string(), "<");
        assert_eq!(shown.replace(&style.render_reset().to_string(), ">"), expect, "{text:?} {marks:?}");
    }

    #[test]
    fn passages_are_indented_and_marked() {
        check("one two", &[(4, 7)], "  one <two>\n");
        check("one two", &[], "  one two\n");
        check("one\n\ntwo\r\n", &[(0, 3), (5, 8)], "  <one>\n  <two>\n");
        check("one\ntwo", &[(2, 6)], "  on<e>\n  <tw>o\n");
        check("ação", &[(0, 2), (4, 6), (0, 3)], "  <aç>ão\n");
        check("a b", &[(0, 1), (0, 1), (9, 12)], "  <a> b\n");
        check("", &[(0, 1)], "");
    }
}
