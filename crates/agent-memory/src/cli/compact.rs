//! `compact`: keeps the memory lean, with the lines and the JSON of the vault tool and a list of every single thing.

use clap::Args;
use memory_engine::{Compact as Asked, Compacted, Deed, Step};
use serde_json::Value;

use crate::app::{App, Failure, Outcome};
use crate::cli::shown::counted;
use crate::cli::words::OneOf;
use crate::output::{Page, Render, Tone, folded};

/// Keep the memory lean: what is old leaves for the archive, and summaries stand for it
#[derive(Args)]
#[command(after_help = "Examples:
  agent-memory compact --dry-run
  agent-memory compact
  agent-memory compact --only categories --json
  agent-memory restore compact-20260316T165109123Z")]
pub(crate) struct Compact {
    /// Change nothing and list what would be done
    #[arg(long)]
    dry_run: bool,

    /// Only this step; may be given several times
    #[arg(long, value_name = "STEP", value_parser = OneOf { parse: step, words: || Step::ALL.map(Step::word).to_vec() })]
    only: Vec<Step>,
}

fn step(word: &str) -> Result<Step, String> {
    let known = || Step::ALL.map(Step::word).join(", ");
    Step::of_word(word).ok_or_else(|| format!("this step is not known; known are {}", known()))
}

impl Compact {
    pub(crate) fn run(self, app: &mut App) -> Outcome<()> {
        let asked = Asked { only: self.only, just_written: Vec::new() };
        let done = if self.dry_run {
            app.memory()?.look_at_compaction(&asked)?
        } else {
            let memory = app.memory_to_change()?;
            let bar = app.out.bar();
            let done = memory.compact(&asked, &mut |at, of| bar.set(at, of))?;
            drop(bar);
            done
        };
        app.out.show(&Report(&done))?;
        app.out.flush()?;
        for (path, why) in &done.errors {
            app.out.warn(&format!("{path}: {why}"));
        }
        if done.busy {
            app.out.note("another process is compacting right now; nothing was done here");
        }
        if done.errors.is_empty() { Ok(()) } else { Err(Failure::Told(1)) }
    }
}

struct Report<'a>(&'a Compacted);

impl Render for Report<'_> {
    fn text(&self, page: &mut Page<'_>) -> std::io::Result<()> {
        let done = self.0;
        let yes_or_no = |it: bool| if it { "yes" } else { "no" }.to_owned();
        let mut lines = vec![
            ("Checkpoints cleaned", done.snapshots.to_string()),
            ("Conversations trimmed", done.conversations.to_string()),
            ("Vault entries merged", done.merged.to_string()),
            ("Index rebuilt", yes_or_no(done.index)),
            ("Legacy files cleaned", done.legacy.to_string()),
        ];
        // What most memories have nothing of is said only where there is something.
        for (label, count) in [
            ("Memories extracted", done.extracted),
            ("Journal records dropped", done.dropped),
            ("Journal records merged", done.journal.records_compacted),
            ("Experiences added", done.experiences),
            ("Events archived", done.events),
            ("Archive batches expired", done.expired),
        ] {
            if count > 0 {
                lines.push((label, count.to_string()));
            }
        }
        for (label, value) in lines {
            page.line(&[(Tone::Plain, &format!("{label}: ")), (Tone::Good, &value)])?;
        }
        for deed in &done.deeds {
            page.line(&[
                (Tone::Dim, &format!("  {:<8} ", deed.what)),
                (Tone::Plain, &deed.path),
                (Tone::Dim, &format!("  {}", about(deed))),
            ])?;
        }
        if done.dry_run {
            return page.say("nothing was changed; without --dry-run this is what would be done");
        }
        for batch in done.archive.iter().chain(&done.pruned) {
            page.say(&format!("archived as {batch}; bring it back with `agent-memory restore {batch}`"))?;
        }
        Ok(())
    }

    fn json(&self) -> Value {
        self.0.to_json()
    }
}

/// What a deed is about, in a few words.
fn about(deed: &Deed) -> String {
    let what = match deed.what {
        "trim" => counted(deed.count as u64, "message"),
        "merge" | "drop" => counted(deed.count as u64, "memory"),
        "prune" => counted(deed.count as u64, "event"),
        _ => String::new(),
    };
    let about = folded(&deed.about, 80);
    match (what.is_empty(), about.is_empty()) {
        (false, false) => format!("{what}, {about}"),
        _ => what + &about,
    }
}
