//! The one place that prints: data on stdout, talk on stderr.
//!
//! Every text for people is made harmless on its way out (see [`plain`]), so a memory can never steer the
//! terminal; JSON is exact. Colour is added here and nowhere else. A reader that closes the pipe early is no error.

mod bar;
mod colour;
mod page;
mod plain;

use std::io::{self, BufWriter, IsTerminal, Stdout, Write};

use serde::Serialize;
use serde_json::{Value, json};

pub(crate) use bar::{Bar, Counted};
pub(crate) use colour::{ColourChoice, Tone};
pub(crate) use page::Page;
pub(crate) use plain::{folded, plain};

/// A report: text for people, a JSON value for programs.
pub(crate) trait Render {
    /// Writes it for people.
    fn text(&self, page: &mut Page<'_>) -> io::Result<()>;

    /// The same for programs.
    fn json(&self) -> Value;
}

/// For whom stdout is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    /// People.
    Text,
    /// Programs.
    Json,
}

/// How much is said on stderr.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Talk {
    /// Notes, warnings and errors.
    All,
    /// Errors only.
    Errors,
}

/// Both streams of the program and how to write on them.
pub(crate) struct Output {
    format: Format,
    talk: Talk,
    colour_out: bool,
    colour_err: bool,
    stdout: BufWriter<Stdout>,
}

impl Output {
    pub(crate) fn new(format: Format, talk: Talk, colour: ColourChoice) -> Self {
        Self {
            format,
            talk,
            colour_out: colour.applies_to(&io::stdout()),
            colour_err: colour.applies_to(&io::stderr()),
            stdout: BufWriter::with_capacity(64 * 1024, io::stdout()),
        }
    }

    /// For whom stdout is written.
    pub(crate) fn format(&self) -> Format {
        self.format
    }

    /// Whether stdout is a screen that a person looks at.
    pub(crate) fn is_screen(&self) -> bool {
        io::stdout().is_terminal()
    }

    /// A bar for long work; hidden where stderr is for errors alone.
    pub(crate) fn bar(&self) -> Bar {
        self.bar_of(Counted::Things)
    }

    /// A bar for what is counted so.
    pub(crate) fn bar_of(&self, counted: Counted) -> Bar {
        Bar::new(counted, self.talk == Talk::Errors)
    }

    /// Whether stdout gets colour.
    pub(crate) fn is_coloured(&self) -> bool {
        self.colour_out
    }

    /// Shows a report in the form that was asked for.
    pub(crate) fn show(&mut self, report: &dyn Render) -> io::Result<()> {
        match self.format {
            Format::Text => report.text(&mut self.page()),
            Format::Json => self.json(&report.json()),
        }
    }

    /// Stdout for text, for reports that are written piece by piece.
    pub(crate) fn page(&mut self) -> Page<'_> {
        Page::new(&mut self.stdout, self.colour_out)
    }

    /// One JSON value on a line of its own.
    pub(crate) fn json(&mut self, value: &impl Serialize) -> io::Result<()> {
        serde_json::to_writer(&mut self.stdout, value)?;
        self.stdout.write_all(b"\n")
    }

    /// Bytes as they are, for programs that read them or files that receive them.
    pub(crate) fn exact(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.stdout.write_all(bytes)
    }

    /// Sends everything on its way; what was acknowledged before is then with the reader.
    pub(crate) fn flush(&mut self) -> io::Result<()> {
        self.stdout.flush()
    }

    /// Says something on stderr that is good to know.
    pub(crate) fn note(&mut self, text: &str) {
        self.say(Tone::Dim, "note: ", text);
    }

    /// Says something on stderr that a person should look at.
    pub(crate) fn warn(&mut self, text: &str) {
        self.say(Tone::Warn, "warning: ", text);
    }

    /// Says something on stderr without a word in front.
    pub(crate) fn mention(&mut self, text: &str) {
        self.say(Tone::Plain, "", text);
    }

    fn say(&mut self, tone: Tone, label: &str, text: &str) {
        if self.talk == Talk::All {
            self.stderr(|page| page.line(&[(tone, label), (Tone::Plain, text)]));
        }
    }

    /// Reports why the command failed: on stdout for programs, on stderr for people.
    pub(crate) fn error(&mut self, code: &str, text: &str) -> io::Result<()> {
        match self.format {
            Format::Json => self.json(&json!({ "error": text, "code": code })),
            Format::Text => {
                self.complain(code, text);
                Ok(())
            }
        }
    }

    /// Reports a failure in the words of the vault tool, without our label.
    pub(crate) fn error_verbatim(&mut self, code: &str, text: &str) -> io::Result<()> {
        match self.format {
            Format::Json => self.error(code, text),
            Format::Text => {
                self.stderr(|page| page.line(&[(Tone::Plain, text)]));
                Ok(())
            }
        }
    }

    /// An error on stderr whatever the format, for when stdout already carries an answer.
    pub(crate) fn complain(&mut self, code: &str, text: &str) {
        let code = format!("[{code}]");
        self.stderr(|page| {
            page.line(&[(Tone::Bad, "error"), (Tone::Dim, &code), (Tone::Plain, ": "), (Tone::Plain, text)])
        });
    }

    /// Asks a person at the terminal; anything but yes is no. The caller has checked that there is one.
    pub(crate) fn ask(&mut self, question: &str) -> io::Result<bool> {
        self.flush()?;
        self.stderr(|page| page.put(Tone::Plain, question));
        let mut answer = String::new();
        io::stdin().read_line(&mut answer)?;
        Ok(matches!(answer.trim().to_lowercase().as_str(), "y" | "yes"))
    }

    /// Writes on stderr; when even that is closed there is nobody left to tell.
    fn stderr(&mut self, write: impl FnOnce(&mut Page<'_>) -> io::Result<()>) {
        let _ = self.stdout.flush();
        let mut stderr = BufWriter::new(io::stderr());
        let _ = write(&mut Page::new(&mut stderr, self.colour_err));
        let _ = stderr.flush();
    }
}

/// Whether a person sits at stdin.
pub(crate) fn stdin_is_person() -> bool {
    io::stdin().is_terminal()
}
