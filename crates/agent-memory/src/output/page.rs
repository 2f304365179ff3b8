//! A stream of text for people, written in pieces that each have a tone and are made harmless on the way.

use std::io::{self, Write};

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

    /// A text padded with spaces to a width, so that columns line up.
    pub(crate) fn column(&mut self, tone: Tone, text: &str, width: usize) -> io::Result<()> {
        self.put(tone, text)?;
        let used = plain(text).chars().count();
        self.put(Tone::Plain, &" ".repeat(width.saturating_sub(used) + 2))
    }
}
