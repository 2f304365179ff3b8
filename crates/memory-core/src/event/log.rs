//! Reading `events.jsonl`: any bytes give the events they hold, each with its place, and the defects.

use std::collections::HashSet;
use std::ops::Range;

use serde_json::Value;

use super::fields::{At, Field};
use super::{Event, EventId, HistoryError};

/// What a log holds.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EventLog {
    /// The events in the order of the file.
    pub events: Vec<LoggedEvent>,
    /// The lines that a person should look at; their bytes are untouched.
    pub defects: Vec<LineDefect>,
    /// The highest id that any line claims, a broken one included, so that no id is given twice.
    pub highest: Option<EventId>,
    /// Whether the last line has no line end, as after a write that was cut off.
    pub open_end: bool,
}

/// An event and where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoggedEvent {
    /// The event.
    pub event: Event,
    /// Its line, counted from 1.
    pub line: usize,
    /// The bytes of the line with its line end; to take them out of the file is to take out this event.
    pub bytes: Range<usize>,
}

/// A line of a history file that a person should look at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineDefect {
    /// A stable word for the sort of defect: `torn-line`, `broken-json`, `bad-event` or `duplicate-id`.
    pub code: &'static str,
    /// The line, counted from 1.
    pub line: usize,
    /// What is wrong, in a sentence without a full stop.
    pub what: String,
}

impl EventLog {
    /// Reads a log. Blank lines, `\r\n` and a byte order mark are passed over.
    pub fn read(bytes: &[u8]) -> Self {
        let mut log = Self { open_end: bytes.last().is_some_and(|&b| b != b'\n'), ..Self::default() };
        let mut seen = HashSet::new();
        let mut start = if bytes.starts_with(b"\xEF\xBB\xBF") { 3 } else { 0 };
        let mut line = 0;
        for raw in bytes[start..].split_inclusive(|&b| b == b'\n') {
            line += 1;
            let place = start..start + raw.len();
            start = place.end;
            let text = raw.trim_ascii();
            if text.is_empty() {
                continue;
            }
            let last_and_open = log.open_end && start == bytes.len();
            log.take_line(text, line, place, last_and_open, &mut seen);
        }
        log
    }

    fn take_line(
        &mut self,
        text: &[u8],
        line: usize,
        bytes: Range<usize>,
        open: bool,
        seen: &mut HashSet<EventId>,
    ) {
        let value: Value = match serde_json::from_slice(text) {
            Ok(value) => value,
            Err(error) => {
                self.highest = self.highest.max(claimed_id(text));
                let (code, next) = if open {
                    ("torn-line", "the write was cut off, add a line end or take the line out")
                } else {
                    ("broken-json", "mend the line or take it out")
                };
                let why = match HistoryError::from(&error) {
                    HistoryError::Syntax { column, why, .. } => format!("{why} at column {column}"),
                    other => other.to_string(),
                };
                self.defects.push(LineDefect { code, line, what: format!("not valid JSON: {why}; {next}") });
                return;
            }
        };
        let claimed = value.get("id").and_then(Value::as_str).and_then(|id| EventId::parse(id).ok());
        self.highest = self.highest.max(claimed);
        match Event::read(value, &At::Top) {
            Ok(event) => {
                if !seen.insert(event.id) {
                    let what = format!(
                        "`{}` is already the id of an earlier line; give one of them a new id",
                        event.id
                    );
                    self.defects.push(LineDefect { code: "duplicate-id", line, what });
                }
                self.events.push(LoggedEvent { event, line, bytes });
            }
            Err(error) => self.defects.push(LineDefect { code: "bad-event", line, what: error.to_string() }),
        }
    }

    /// What must be written before an appended line, so that it does not run into a line without end.
    pub fn lead(&self) -> &'static str {
        if self.open_end { "\n" } else { "" }
    }
}

/// The id with which a cut-off line begins. We write the id first, so that it is the last thing to be lost.
fn claimed_id(text: &[u8]) -> Option<EventId> {
    let id = text.strip_prefix(b"{\"id\":\"")?;
    let end = id.iter().position(|&b| b == b'"')?;
    EventId::parse(std::str::from_utf8(&id[..end]).ok()?).ok()
}
