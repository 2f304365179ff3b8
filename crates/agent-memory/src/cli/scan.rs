//! `scan`: looks at what is remembered as a whole and names what a person should look at.

use std::io;

use clap::{Args, ValueEnum};
use memory_engine::core::id::MemoryId;
use memory_engine::core::integrity::{Drift, Verdict};
use memory_engine::core::time::Time;
use memory_engine::{CodeFinding, Entry, Look, Scanned};
use serde_json::{Value, json};

use crate::app::{App, Failure, Outcome};
use crate::cli::review;
use crate::cli::shown::{self, counted};
use crate::output::{Page, Render, Tone, folded};

/// Findings of one sort that are told one by one.
const MOST: usize = 20;

/// Find memories that contradict, repeat, have grown old, or name code that changed
#[derive(Args)]
#[command(after_help = "Examples:
  agent-memory scan
  agent-memory scan --only contradiction
  agent-memory scan --only code --json
  agent-memory scan --confirm 1773679871839

Exit code 1 when something was found, 0 when nothing was. Nothing is changed.")]
pub(crate) struct Scan {
    /// Look for this alone
    #[arg(long, value_name = "WHAT")]
    only: Option<LookWord>,

    /// These still hold: take the code that they name as it is now
    #[arg(long, value_name = "ID", num_args = 1.., conflicts_with = "only")]
    confirm: Vec<MemoryId>,
}

/// What a scan looks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum LookWord {
    /// Memories that cannot both hold
    Contradiction,
    /// Memories that nobody changed for long
    Stale,
    /// Memories that nearly say the same
    Duplicate,
    /// Memories that name code which is not as it was
    Code,
}

impl Scan {
    pub(crate) fn run(self, app: &mut App) -> Outcome<()> {
        let memory = app.memory()?;
        if !self.confirm.is_empty() {
            let nowhere = memory.confirm(&self.confirm)?;
            return Ok(app.out.show(&Confirmed { ids: &self.confirm, nowhere })?);
        }
        let looks: Vec<Look> = match self.only {
            None => Look::ALL.to_vec(),
            Some(LookWord::Contradiction) => vec![Look::Contradiction],
            Some(LookWord::Stale) => vec![Look::Stale],
            Some(LookWord::Duplicate) => vec![Look::Duplicate],
            Some(LookWord::Code) => vec![Look::Code],
        };
        let found = memory.scan(&looks)?;
        app.out.show(&Report { found: &found, looks: &looks })?;
        if found.count() > 0 { Err(Failure::Told(1)) } else { Ok(()) }
    }
}

struct Confirmed<'a> {
    ids: &'a [MemoryId],
    nowhere: usize,
}

impl Render for Confirmed<'_> {
    fn text(&self, page: &mut Page<'_>) -> io::Result<()> {
        for id in self.ids {
            page.line(&[(Tone::Good, "confirmed "), (Tone::Id, id.as_str())])?;
        }
        if self.nowhere > 0 {
            let names = counted(self.nowhere as u64, "name");
            page.say(&format!("{names} in them lead nowhere: `agent-memory edit` changes the text"))?;
        }
        Ok(())
    }

    fn json(&self) -> Value {
        json!({ "confirmed": self.ids, "nowhere": self.nowhere })
    }
}

struct Report<'a> {
    found: &'a Scanned,
    looks: &'a [Look],
}

impl Render for Report<'_> {
    fn text(&self, page: &mut Page<'_>) -> io::Result<()> {
        let found = self.found;
        group(
            page,
            "contradictions",
            found.contradictions.len(),
            "`agent-memory review` settles them one by one",
        )?;
        for proposal in found.contradictions.iter().take(MOST) {
            review::sides(page, proposal)?;
        }
        let step = "change the text with `edit`, or say that it still holds with `scan --confirm ID`";
        group(page, "names of code that changed", found.code.len(), step)?;
        for finding in found.code.iter().take(MOST) {
            code(page, finding)?;
        }
        let step = "keep one: `supersede OLD NEW`, or `forget ID`";
        group(page, "near-duplicates", found.duplicates.len(), step)?;
        for (old, new) in found.duplicates.iter().take(MOST) {
            line(page, old, "")?;
            line(page, new, "")?;
            page.say("")?;
        }
        let step = "change what is no longer so with `edit`, take it out with `forget`";
        group(page, "not changed for long", found.stale.len(), step)?;
        for aged in found.stale.iter().take(MOST) {
            line(page, &aged.entry, &format!("{}  ", counted(aged.days.unsigned_abs(), "day")))?;
        }
        let words: Vec<&str> = self.looks.iter().map(|look| look.word()).collect();
        let fresh = match found.fresh {
            0 => String::new(),
            count => format!("; {} of code as they were", counted(count as u64, "name")),
        };
        let count = counted(found.count() as u64, "finding");
        let result = if found.count() == 0 { "nothing found".to_owned() } else { count };
        let memories = counted(found.memories as u64, "memory");
        page.say(&format!("scanned {memories} for {}: {result}{fresh}", words.join(", ")))
    }

    fn json(&self) -> Value {
        let found = self.found;
        let stale = found.stale.iter().map(|aged| json!({ "memory": brief(&aged.entry), "days": aged.days }));
        let alike = found.duplicates.iter().map(|(old, new)| json!({ "old": brief(old), "new": brief(new) }));
        json!({
            "ok": found.count() == 0,
            "memories": found.memories,
            "fresh": found.fresh,
            "contradictions": found.contradictions.iter().map(review::proposal_json).collect::<Vec<_>>(),
            "code": found.code.iter().map(code_json).collect::<Vec<_>>(),
            "duplicates": alike.collect::<Vec<_>>(),
            "stale": stale.collect::<Vec<_>>(),
        })
    }
}

/// The head of a group: how many, and what to do about them.
fn group(page: &mut Page<'_>, name: &str, count: usize, step: &str) -> io::Result<()> {
    if count == 0 {
        return Ok(());
    }
    let more =
        if count > MOST { format!(", the first {MOST} of them; `--json` lists all") } else { String::new() };
    page.line(&[(Tone::Strong, name), (Tone::Plain, &format!(" ({count}{more}): {step}"))])
}

/// One memory: its id, where it stands, and how it begins.
pub(crate) fn line(page: &mut Page<'_>, entry: &Entry, before: &str) -> io::Result<()> {
    page.line(&[
        (Tone::Plain, "  "),
        (Tone::Id, entry.memory.id.as_str()),
        (Tone::Dim, &format!("  {}  ", shown::lines(entry))),
        (Tone::Warn, before),
        (Tone::Plain, &folded(entry.memory.heading(), 100)),
    ])
}

fn code(page: &mut Page<'_>, finding: &CodeFinding) -> io::Result<()> {
    let tone = if finding.verdict == Verdict::Gone { Tone::Bad } else { Tone::Warn };
    page.line(&[
        (Tone::Plain, "  "),
        (tone, finding.verdict.word()),
        (Tone::Plain, "  "),
        (Tone::Strong, &finding.anchor.to_string()),
        (Tone::Plain, &format!("  {}", told(&finding.verdict))),
    ])?;
    line(page, &finding.entry, "  ")
}

fn told(verdict: &Verdict) -> String {
    match verdict {
        Verdict::Fresh => "as it was".to_owned(),
        Verdict::Gone => "is nowhere in this project".to_owned(),
        Verdict::Drifted(Drift::Changed) => "changed since it was named".to_owned(),
        Verdict::Drifted(Drift::Moved { to }) => format!("now stands in `{to}`"),
        Verdict::Drifted(Drift::Renamed { to, place }) if to == place => format!("is now `{to}`"),
        Verdict::Drifted(Drift::Renamed { to, place }) => format!("is now `{to}` in `{place}`"),
    }
}

fn code_json(finding: &CodeFinding) -> Value {
    let (how, place, name) = match &finding.verdict {
        Verdict::Drifted(Drift::Changed) => (Some("changed"), None, None),
        Verdict::Drifted(Drift::Moved { to }) => (Some("moved"), Some(to), None),
        Verdict::Drifted(Drift::Renamed { to, place }) => (Some("renamed"), Some(place), Some(to)),
        Verdict::Fresh | Verdict::Gone => (None, None, None),
    };
    json!({
        "memory": brief(&finding.entry),
        "names": finding.anchor.to_string(),
        "verdict": finding.verdict.word(),
        "how": how,
        "place": place,
        "name": name,
        "text": told(&finding.verdict),
    })
}

/// A memory for programs, as far as a finding needs it.
pub(crate) fn brief(entry: &Entry) -> Value {
    let memory = &entry.memory;
    json!({
        "id": memory.id,
        "kind": memory.kind,
        "text": memory.body.as_str(),
        "created": memory.dated().map(Time::iso),
        "file": entry.file,
        "firstLine": entry.first_line,
    })
}
