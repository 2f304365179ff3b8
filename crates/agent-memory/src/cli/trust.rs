//! `trust`: approves a folder that came from elsewhere, after showing what it holds.

use std::path::Path;

use clap::Args;
use memory_engine::Error;
use memory_engine::paths::{self, Look, Trust as Standing};
use serde_json::{Value, json};

use crate::app::{App, Failure, Outcome};
use crate::cli::shown::counted;
use crate::output::{Format, Page, Render, Tone};

/// Approve a memory folder that came from elsewhere, such as a cloned repository
#[derive(Args)]
#[command(after_help = "Examples:
  agent-memory trust
  agent-memory trust --yes
  agent-memory trust --revoke")]
pub(crate) struct Trust {
    /// Do not ask
    #[arg(short, long)]
    yes: bool,

    /// Take the approval back
    #[arg(long, conflicts_with = "yes")]
    revoke: bool,
}

impl Trust {
    pub(crate) fn run(self, app: &mut App) -> Outcome<()> {
        let found = app.found()?;
        let root = found.root.as_path();
        if !found.exists {
            return Err(Error::NoRoot { path: root.display().to_string() }.into());
        }
        let standing = paths::trust_of(root)?;
        if self.revoke {
            paths::revoke(root)?;
            return Ok(app.out.show(&Answer {
                root,
                trusted: false,
                changed: standing == Standing::Trusted,
            })?);
        }
        if standing == Standing::Trusted {
            return Ok(app.out.show(&Answer { root, trusted: true, changed: false })?);
        }
        approve(app, root, if self.yes { Consent::Given } else { Consent::Asked })?;
        Ok(app.out.show(&Answer { root, trusted: true, changed: true })?)
    }
}

/// Whether the person already said yes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Consent {
    Given,
    Asked,
}

/// Shows what a foreign folder holds and approves it if the person agrees.
pub(crate) fn approve(app: &mut App, root: &Path, consent: Consent) -> Outcome<()> {
    if app.out.format() == Format::Text {
        describe(app, root)?;
    }
    if consent == Consent::Asked && !app.confirm("Approve this folder?", "--yes")? {
        return Err(Failure::declined("nothing was approved"));
    }
    // Making a root that is already there approves it and sets a ledger that came with it aside.
    app.create(root)?;
    Ok(())
}

/// Says on stderr what a folder holds, by names and sizes alone.
pub(crate) fn describe(app: &mut App, root: &Path) -> Outcome<()> {
    for sentence in sentences(&paths::look(root)?) {
        app.out.mention(&sentence);
    }
    Ok(())
}

/// What a folder holds, for programs.
pub(crate) fn look_json(look: &Look) -> Value {
    json!({ "files": look.files, "bytes": look.bytes, "agents": look.agents, "hasConfig": look.has_config, "odd": look.odd })
}

/// What a folder holds, a sentence each.
pub(crate) fn sentences(look: &Look) -> Vec<String> {
    let mut all =
        vec![format!("it holds {} with {}", counted(look.files, "file"), counted(look.bytes, "byte"))];
    if !look.agents.is_empty() {
        let few: Vec<&str> = look.agents.iter().take(12).map(String::as_str).collect();
        let more = if look.agents.len() > few.len() { " and more" } else { "" };
        all.push(format!("agents: {}{more}", few.join(", ")));
    }
    if look.has_config {
        all.push("it brings settings of its own, of which only harmless ones are used".to_owned());
    }
    all.extend(look.odd.iter().take(12).cloned());
    all
}

struct Answer<'a> {
    root: &'a Path,
    trusted: bool,
    changed: bool,
}

impl Render for Answer<'_> {
    fn text(&self, page: &mut Page<'_>) -> std::io::Result<()> {
        let words = match (self.trusted, self.changed) {
            (true, true) => "approved",
            (true, false) => "already approved",
            (false, true) => "no longer approved",
            (false, false) => "was not approved",
        };
        page.line(&[(Tone::Good, words), (Tone::Plain, &format!(": {}", self.root.display()))])
    }

    fn json(&self) -> Value {
        json!({ "root": self.root.to_string_lossy(), "trusted": self.trusted, "changed": self.changed })
    }
}
