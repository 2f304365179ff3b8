//! `remember`: keeps a text.

use std::path::PathBuf;

use clap::Args;
use memory_engine::core::id::{AgentId, Key, SessionId};
use memory_engine::core::scope::{Sensitivity, SourceClass};
use memory_engine::{Entry, Kept, Outcome as Became};
use serde_json::{Value, json};

use crate::app::{App, Failure, Outcome, Source, limit_of};
use crate::cli::wanted::Wanted;
use crate::cli::words::{OnExistingWord, OneOf, ScopeWord, Tags, class, classes, sensitivities, sensitivity};
use crate::cli::{lines, private};
use crate::output::{Page, Render, Tone, folded, stdin_is_person};

/// Keep a text: a decision, a lesson, a task, anything worth knowing later
#[derive(Args)]
#[command(after_help = "Examples:
  agent-memory remember \"We decided to use SSE #sse\"
  agent-memory remember --kind lesson --tags ci,cache \"Clear the cache after a toolchain change\"
  git log -1 --format=%B | agent-memory remember --kind decision
  agent-memory remember --key deploy-window --on-existing replace \"Deploys happen on Tuesdays\"
  agent-memory remember \"- [ ] write the changelog\"
  agent-memory remember --lines --batch 1000 --file notes.jsonl")]
pub(crate) struct Remember {
    /// What to remember; `-` or nothing reads --file or stdin
    #[arg(value_name = "TEXT")]
    text: Vec<String>,

    /// Whose memory it is
    #[arg(short, long, value_name = "AGENT")]
    agent: Option<AgentId>,

    /// What sort of thing it is: decision, lesson, task, handoff, note … [default: the text decides]
    #[arg(short, long, value_name = "KIND")]
    kind: Option<String>,

    /// For whom it is kept [default: agent]
    #[arg(long, value_name = "SCOPE")]
    scope: Option<ScopeWord>,

    /// The session it was said in, or for which alone it is kept
    #[arg(long, value_name = "SESSION")]
    session: Option<SessionId>,

    /// Tags in place of the #words of the text
    #[arg(short, long, value_name = "A,B")]
    tags: Option<Tags>,

    /// A heading
    #[arg(long, allow_hyphen_values = true)]
    title: Option<String>,

    /// A name under which it is found again; repeating a command with it never makes a second memory
    #[arg(long)]
    key: Option<Key>,

    /// What becomes of a memory that already has the key
    #[arg(long, value_name = "WHAT", default_value = "skip")]
    on_existing: OnExistingWord,

    /// How private it is
    #[arg(long, value_name = "WORD", value_parser = OneOf { parse: sensitivity, words: sensitivities })]
    sensitivity: Option<Sensitivity>,

    /// Whose words these are, from most to least trusted [default: human, or agent where AGENT_MEMORY_AGENT is set]
    #[arg(long, value_name = "CLASS", value_parser = OneOf { parse: class, words: classes })]
    class: Option<SourceClass>,

    /// Read the text from a file
    #[arg(short, long, value_name = "FILE", conflicts_with = "text")]
    file: Option<PathBuf>,

    /// Read JSON lines, one memory each, and acknowledge each on a line of its own
    #[arg(long, conflicts_with_all = ["text", "agent", "kind", "scope", "session", "tags", "title", "key", "sensitivity", "class"])]
    lines: bool,

    /// With --lines: how many lines share one durable commit [default: 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    batch: Option<u32>,
}

impl Remember {
    pub(crate) fn run(self, app: &mut App) -> Outcome<()> {
        if self.lines {
            return lines::run(app, self.file.as_deref(), self.batch.unwrap_or(1) as usize);
        }
        if self.batch.is_some() {
            return Err(Failure::usage("`--batch` groups the lines of `--lines`: give both, or none"));
        }
        let source = match (self.file, self.text.is_empty()) {
            (Some(file), _) => Source::File(file),
            (None, false) => Source::words(&self.text),
            (None, true) if stdin_is_person() => {
                return Err(Failure::usage("nothing to remember: give a text, `--file`, or pipe one in"));
            }
            (None, true) => Source::Stdin,
        };
        let memory = app.memory_to_fill()?;
        let wanted = Wanted {
            text: source.read(limit_of(&memory))?,
            agent: self.agent,
            kind: self.kind,
            scope: self.scope,
            session: self.session,
            tags: self.tags.map(|tags| tags.0),
            title: self.title,
            key: self.key,
            on_existing: self.on_existing.into(),
            sensitivity: self.sensitivity,
            class: self.class,
        };
        let draft = wanted.draft(memory.config())?;
        let is_private = private::is_private(draft.provenance.sensitivity);
        let kept = memory.remember(draft)?;
        let is_new = matches!(kept.outcome, Became::Created | Became::Updated);
        app.wrote_memories(usize::from(is_new));
        let similar = if is_new { memory.similar(&kept) } else { Vec::new() };
        app.out.show(&Answer { kept: &kept, similar: &similar })?;
        app.out.flush()?;
        tell(app, &kept, &similar);
        if is_private && is_new {
            private::warn_of_versioned(app, memory.root(), std::slice::from_ref(&kept.file));
        }
        Ok(())
    }
}

/// Says what was masked and what is much alike, for people who may want to act on it.
fn tell(app: &mut App, kept: &Kept, similar: &[Entry]) {
    app.tell_masked(&kept.redacted);
    if matches!(kept.outcome, Became::KeyTaken) {
        app.out
            .note("nothing was written: say `--on-existing append` or `--on-existing replace` to change it");
    }
    if matches!(kept.outcome, Became::Forgotten) {
        app.out.note("nothing was written: only a person's own words bring back what was forgotten, or `agent-memory restore`");
    }
    for entry in similar {
        let heading = folded(entry.memory.heading(), 80);
        app.out.mention(&format!("similar: {}  {heading}", entry.memory.id));
    }
}

struct Answer<'a> {
    kept: &'a Kept,
    similar: &'a [Entry],
}

impl Render for Answer<'_> {
    fn text(&self, page: &mut Page<'_>) -> std::io::Result<()> {
        let (tone, words) = match self.kept.outcome {
            Became::Created => (Tone::Good, "remembered "),
            Became::Updated => (Tone::Good, "updated "),
            Became::Duplicate => (Tone::Plain, "already known "),
            Became::KeyTaken => (Tone::Warn, "key taken by "),
            Became::Forgotten => (Tone::Warn, "forgotten before as "),
        };
        let id = self.kept.id.as_str();
        page.line(&[(tone, words), (Tone::Id, id), (Tone::Plain, "  "), (Tone::Dim, &self.kept.file)])
    }

    fn json(&self) -> Value {
        let similar: Vec<_> = self.similar.iter().map(|entry| &entry.memory.id).collect();
        json!({
            "id": self.kept.id,
            "outcome": self.kept.outcome.word(),
            "file": self.kept.file,
            "kind": self.kept.kind,
            "redacted": self.kept.redacted,
            "similar": similar,
        })
    }
}
