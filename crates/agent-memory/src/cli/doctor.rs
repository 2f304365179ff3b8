//! `doctor`: finds what is wrong with a memory, and with --repair moves it out of the way.

use std::io;

use clap::Args;
use memory_engine::paths;
use memory_engine::{Depth, Diagnosis, Error, Finding, Project, Severity, project_of};
use serde_json::{Value, json};

use crate::app::{App, Failure, Outcome};
use crate::cli::shown::counted;
use crate::cli::trust;
use crate::output::{Format, Page, Render, Tone};

/// Check the memory for damage and oddities
#[derive(Args)]
#[command(after_help = "Examples:
  agent-memory doctor
  agent-memory doctor --deep
  agent-memory doctor --repair
  agent-memory doctor --accept dev/decisions.md

Exit code 1 when there is a problem; warnings and notes leave it at 0.")]
pub(crate) struct Doctor {
    /// Read and compare every byte
    #[arg(long)]
    deep: bool,

    /// Move what is broken out of the way; nothing is deleted
    #[arg(long, conflicts_with = "deep")]
    repair: bool,

    /// Confirm that a frozen file is as it should be
    #[arg(long, value_name = "FILE", conflicts_with_all = ["deep", "repair"])]
    accept: Option<String>,
}

impl Doctor {
    pub(crate) fn run(self, app: &mut App) -> Outcome<()> {
        let memory = match if self.repair || self.accept.is_some() {
            app.memory_to_change()
        } else {
            app.memory_to_check()
        } {
            Err(Failure::Engine(error @ (Error::Untrusted { .. } | Error::OtherLedger { .. }))) => {
                return foreign(app, error);
            }
            memory => memory?,
        };
        if let Some(file) = self.accept {
            memory.accept(&file)?;
            return Ok(app.out.show(&Accepted(&file))?);
        }
        let diagnosis = match (self.repair, self.deep) {
            (true, _) => memory.repair()?,
            (false, true) => memory.doctor(Depth::Deep)?,
            (false, false) => memory.doctor(Depth::Fast)?,
        };
        let project = project_of(memory.root().parent().unwrap_or(memory.root()));
        let waiting = memory.waiting_signals()?;
        app.out.show(&Report { diagnosis: &diagnosis, project: &project, waiting })?;
        let sick = diagnosis.findings.iter().any(|it| it.severity == Severity::Problem);
        if sick { Err(Failure::Told(1)) } else { Ok(()) }
    }
}

/// A folder that is not approved is not read; only its names and sizes are told.
fn foreign(app: &mut App, error: Error) -> Outcome<()> {
    let root = app.found()?.root;
    if app.out.format() == Format::Json {
        let look = trust::look_json(&paths::look(&root)?);
        app.out.json(&json!({ "error": error.to_string(), "code": error.code(), "holds": look }))?;
        return Err(Failure::Told(2));
    }
    trust::describe(app, &root)?;
    Err(error.into())
}

struct Accepted<'a>(&'a str);

impl Render for Accepted<'_> {
    fn text(&self, page: &mut Page<'_>) -> io::Result<()> {
        page.line(&[(Tone::Good, "accepted "), (Tone::Plain, self.0)])
    }

    fn json(&self) -> Value {
        json!({ "ok": true, "file": self.0 })
    }
}

struct Report<'a> {
    diagnosis: &'a Diagnosis,
    /// The project whose sessions belong here.
    project: &'a Project,
    /// Signals of hooks that nobody dealt with yet.
    waiting: usize,
}

/// From worst to least, with the tone of each.
const GROUPS: [(Severity, Tone); 3] =
    [(Severity::Problem, Tone::Bad), (Severity::Warning, Tone::Warn), (Severity::Note, Tone::Dim)];

impl Report<'_> {
    fn of(&self, severity: Severity) -> impl Iterator<Item = &Finding> {
        self.diagnosis.findings.iter().filter(move |it| it.severity == severity)
    }
}

impl Render for Report<'_> {
    fn text(&self, page: &mut Page<'_>) -> io::Result<()> {
        for (severity, tone) in GROUPS {
            for finding in self.of(severity) {
                let place = match finding.line {
                    0 => finding.file.clone(),
                    line => format!("{}:{line}", finding.file),
                };
                let place = if place.is_empty() { place } else { format!("  {place}") };
                page.line(&[
                    (tone, severity.word()),
                    (Tone::Dim, &format!("[{}]", finding.code)),
                    (Tone::Strong, &place),
                    (Tone::Plain, &format!("  {}", finding.text)),
                ])?;
            }
        }
        for (from, to) in &self.diagnosis.moved {
            page.line(&[(Tone::Good, "moved "), (Tone::Plain, &format!("{from} to {to}"))])?;
        }
        let checkouts = self.project.checkouts.len() as u64;
        let shared =
            if checkouts > 1 { format!(", {}", counted(checkouts, "checkout")) } else { String::new() };
        let waits = match self.waiting {
            0 => String::new(),
            count => {
                let wait = if count == 1 { "waits" } else { "wait" };
                format!("; {} of hooks {wait} for `agent-memory process`", counted(count as u64, "signal"))
            }
        };
        page.line(&[(Tone::Dim, &format!("project {}{shared}{waits}", self.project.root.display()))])?;
        let counts = GROUPS.map(|(severity, _)| counted(self.of(severity).count() as u64, severity.word()));
        let operations = u64::try_from(self.diagnosis.operations).unwrap_or_default();
        page.say(&format!(
            "checked {}, {} and {}: {}",
            counted(self.diagnosis.files, "file"),
            counted(self.diagnosis.memories, "memory"),
            counted(operations, "operation"),
            if self.diagnosis.findings.is_empty() { "all is well".to_owned() } else { counts.join(", ") }
        ))
    }

    fn json(&self) -> Value {
        let findings = GROUPS.iter().flat_map(|(severity, _)| self.of(*severity)).map(|it| {
            let severity = it.severity.word();
            json!({ "severity": severity, "code": it.code, "file": it.file, "line": it.line, "text": it.text })
        });
        let moved = self.diagnosis.moved.iter().map(|(from, to)| json!({ "from": from, "to": to }));
        json!({
            "ok": self.of(Severity::Problem).next().is_none(),
            "files": self.diagnosis.files,
            "memories": self.diagnosis.memories,
            "operations": self.diagnosis.operations,
            "findings": findings.collect::<Vec<_>>(),
            "moved": moved.collect::<Vec<_>>(),
            "project": { "root": self.project.root, "common": self.project.common, "checkouts": self.project.checkouts },
            "waiting": self.waiting,
        })
    }
}
