//! How imports are shown: what could be brought in, and what was.

use std::io;

use memory_engine::core::time::Time;
use memory_engine::import::Unit;
use memory_engine::{ClientSessions, Error, Import, Imported, Processed};
use serde_json::{Map, Value, json};

use crate::cli::process;
use crate::cli::shown::counted;
use crate::output::{Page, Render, Tone};

/// One thing that could be brought in.
pub(crate) enum Row {
    /// The past sessions of a client.
    Sessions(ClientSessions),
    /// What another program remembers.
    Source(Box<Source>),
}

/// A source, and what it holds or what became of it.
pub(crate) struct Source {
    pub(crate) asked: Import,
    pub(crate) held: Imported,
    pub(crate) error: Option<Error>,
}

impl Row {
    pub(crate) fn of(asked: Import) -> Self {
        Self::Source(Box::new(Source { asked, held: Imported::default(), error: None }))
    }

    /// Whether there is nothing to tell of it.
    pub(crate) fn is_empty(&self) -> bool {
        matches!(self, Self::Source(of) if of.error.is_none() && of.held.found == 0 && of.held.defects.is_empty())
    }

    fn news(&self) -> usize {
        match self {
            Self::Sessions(of) => of.new,
            Self::Source(of) => of.held.new,
        }
    }

    fn name(&self) -> String {
        match self {
            Self::Sessions(of) => of.client.name().to_owned(),
            Self::Source(of) => of.asked.format.word().to_owned(),
        }
    }

    fn counts(&self) -> String {
        let (found, new, unit) = match self {
            Self::Sessions(of) => (of.found, of.new, "session"),
            Self::Source(of) => (of.held.found, of.held.new, unit(&of.held)),
        };
        let news = match new {
            0 => "nothing new".to_owned(),
            new if new == found => "all new".to_owned(),
            new => format!("{new} new"),
        };
        format!("{}, {news}", counted(found as u64, unit))
    }

    fn dates(&self) -> Option<(Time, Time)> {
        match self {
            Self::Sessions(of) => Some(of.dates),
            Self::Source(of) => of.held.dates,
        }
    }

    fn json(&self) -> Value {
        let mut value = match self {
            Self::Sessions(of) => json!({
                "kind": "sessions", "client": of.client.word(), "unit": "session",
                "found": of.found, "new": of.new, "before": of.found - of.new,
            }),
            Self::Source(of) => {
                let Source { asked, held, error } = &**of;
                json!({
                    "kind": asked.format.word(), "path": asked.path.to_string_lossy(), "unit": unit(held),
                    "found": held.found, "new": held.new, "before": held.before, "kept": held.kept,
                    "duplicates": held.duplicates, "taken": held.taken, "unkeyed": held.unkeyed,
                    "left": held.left, "masked": held.masked,
                    "defects": told(&held.defects), "moreDefects": held.more_defects,
                    "error": error.as_ref().map(ToString::to_string),
                })
            }
        };
        if let (Value::Object(fields), Some((first, last))) = (&mut value, self.dates()) {
            fields.insert("first".to_owned(), first.iso().into());
            fields.insert("last".to_owned(), last.iso().into());
        }
        value
    }
}

fn unit(held: &Imported) -> &'static str {
    match held.unit {
        Unit::Memory => "memory",
        Unit::Session => "session",
    }
}

fn told(list: &[(String, String)]) -> Vec<Value> {
    list.iter().map(|(place, why)| json!({ "place": place, "error": why })).collect()
}

/// A name for commands; one with a space or a quote would need care in a shell.
fn command(asked: &Import) -> String {
    let path = asked.path.to_string_lossy();
    let plain = path.chars().all(|c| c.is_alphanumeric() || "/._-~:\\".contains(c));
    let path = if plain { path.into_owned() } else { format!("'{}'", path.replace('\'', "'\\''")) };
    format!("agent-memory import {} {path}", asked.format.word())
}

/// What could be brought in.
pub(crate) struct Preview<'a> {
    pub(crate) rows: &'a [Row],
    pub(crate) offered: &'a [Import],
}

impl Preview<'_> {
    /// How much of it is new.
    pub(crate) fn news(&self) -> usize {
        self.rows.iter().map(Row::news).sum()
    }

    /// A line for each source.
    pub(crate) fn sentences(&self) -> Vec<String> {
        let names: Vec<String> = self.rows.iter().map(Row::name).collect();
        let counts: Vec<String> = self.rows.iter().map(Row::counts).collect();
        let wide = |all: &[String]| all.iter().map(|text| text.chars().count()).max().unwrap_or(0);
        let (name_wide, count_wide) = (wide(&names), wide(&counts));
        let mut lines = Vec::new();
        for ((row, name), count) in self.rows.iter().zip(&names).zip(&counts) {
            let dates = row.dates().map(|(first, last)| format!("{} – {}", first.day(), last.day()));
            let path = match row {
                Row::Sessions(_) => String::new(),
                Row::Source(of) => of.asked.path.display().to_string(),
            };
            let dates = dates.unwrap_or_default();
            let line = format!("{name:name_wide$}  {count:count_wide$}  {dates:23}  {path}");
            lines.push(line.trim_end().to_owned());
        }
        lines
    }
}

impl Render for Preview<'_> {
    fn text(&self, page: &mut Page<'_>) -> io::Result<()> {
        for line in self.sentences() {
            page.say(&line)?;
        }
        if !self.offered.is_empty() {
            page.line(&[(Tone::Dim, "found besides, and imported only by name:")])?;
            for asked in self.offered {
                page.say(&format!("  {}", command(asked)))?;
            }
        }
        match (self.rows.is_empty(), self.news()) {
            (true, _) => page.say("nothing of this project was found to import"),
            (false, 0) => page.say("nothing new to import"),
            (false, _) => Ok(()),
        }
    }

    fn json(&self) -> Value {
        let offered = self.offered.iter().map(|asked| {
            json!({ "kind": asked.format.word(), "path": asked.path.to_string_lossy(), "command": command(asked) })
        });
        json!({
            "imported": false,
            "new": self.news(),
            "sources": self.rows.iter().map(Row::json).collect::<Vec<_>>(),
            "offered": offered.collect::<Vec<_>>(),
        })
    }
}

/// What was brought in.
pub(crate) struct Done<'a> {
    pub(crate) rows: &'a [Row],
    pub(crate) sessions: Option<&'a Result<Processed, Error>>,
}

impl Done<'_> {
    /// How many memories were kept.
    pub(crate) fn kept(&self) -> usize {
        let of = |row: &Row| match row {
            Row::Sessions(_) => 0,
            Row::Source(of) => of.held.kept_count(),
        };
        let sessions = self.sessions.and_then(|done| done.as_ref().ok());
        let from_sessions = sessions.map_or(0, |done| done.kept.values().sum::<usize>() + done.handoffs);
        from_sessions + self.rows.iter().map(of).sum::<usize>()
    }
}

impl Render for Done<'_> {
    fn text(&self, page: &mut Page<'_>) -> io::Result<()> {
        match self.sessions {
            Some(Ok(done)) => {
                let kept = done.kept.iter().map(|(kind, count)| (kind.as_str(), *count));
                let handoffs = Some(("handoff", done.handoffs)).filter(|(_, count)| *count > 0);
                let kept: Vec<(&str, usize)> = kept.chain(handoffs).collect();
                line(page, "sessions", &kept, &[(done.messages as usize, "message read", "messages read")])?;
            }
            Some(Err(error)) => {
                page.line(&[(Tone::Bad, "failed"), (Tone::Plain, &format!(" sessions: {error}"))])?;
            }
            None => {}
        }
        for row in self.rows {
            let Row::Source(of) = row else { continue };
            let Source { asked, held, error } = &**of;
            if error.is_some() || held.new == 0 {
                continue;
            }
            let kept: Vec<(&str, usize)> =
                held.kept.iter().map(|(kind, count)| (kind.as_str(), *count)).collect();
            let missed = held.defects.len() + held.more_defects;
            let others = [
                (held.before, "imported before", "imported before"),
                (held.duplicates, "was here already", "were here already"),
                (
                    held.taken,
                    "has changed there and stays as it is here",
                    "have changed there and stay as they are here",
                ),
                (
                    held.unkeyed,
                    "kept without its key, which another memory has here",
                    "kept without their keys, which other memories have here",
                ),
                (held.left, "left out, of another project", "left out, of other projects"),
                (held.masked, "credential masked", "credentials masked"),
                (missed, "could not be read", "could not be read"),
            ];
            line(page, asked.format.word(), &kept, &others)?;
        }
        page.say(&format!("imported {}", counted(self.kept() as u64, "memory")))
    }

    fn json(&self) -> Value {
        let mut value = json!({
            "imported": true,
            "kept": self.kept(),
            "sources": self.rows.iter().map(Row::json).collect::<Vec<_>>(),
        });
        let sessions = self.sessions.map(|done| match done {
            Ok(done) => process::Report(done).json(),
            Err(error) => json!({ "error": error.to_string(), "code": error.code() }),
        });
        if let (Value::Object(fields), Some(sessions)) = (&mut value, sessions) {
            let fields: &mut Map<String, Value> = fields;
            fields.insert("sessions".to_owned(), sessions);
        }
        value
    }
}

/// `claude-mem: kept 3 decisions, 1 lesson (2 imported before)`.
fn line(
    page: &mut Page<'_>,
    name: &str,
    kept: &[(&str, usize)],
    others: &[(usize, &str, &str)],
) -> io::Result<()> {
    let kept: Vec<String> = kept.iter().map(|(kind, count)| many(*count, kind)).collect();
    let kept = if kept.is_empty() { "nothing".to_owned() } else { kept.join(", ") };
    let others = others.iter().filter(|(count, ..)| *count > 0);
    let others: Vec<String> = others
        .map(|(count, one, many)| format!("{count} {}", if *count == 1 { one } else { many }))
        .collect();
    let others = if others.is_empty() { String::new() } else { format!(" ({})", others.join(", ")) };
    page.line(&[(Tone::Good, name), (Tone::Plain, &format!(": kept {kept}")), (Tone::Dim, &others)])
}

/// `2 decisions`; a word that ends with an s stays as it is, such as `2 focus`.
fn many(count: usize, kind: &str) -> String {
    if kind.ends_with('s') { format!("{count} {kind}") } else { counted(count as u64, kind) }
}
