//! `init`: sets a memory up beside a project and says each thing it did; a second run changes nothing.

use std::io;
use std::path::{Path, PathBuf};

use clap::Args;
use memory_engine::ambient;
use memory_engine::core::layout::Page as Sheet;
use memory_engine::paths::{self, How, Trust};
use serde_json::{Value, json};

use crate::app::{App, Outcome};
use crate::cli::hooked;
use crate::cli::trust::{self, Consent};
use crate::output::{Page, Render, Tone};
use crate::project::{self, BlockStep, Line, files, git};

/// Who may read a root that we made: only where there are modes do we see to it.
const MADE: &str = if cfg!(unix) { "readable by you alone" } else { "a folder of its own" };

/// Set up a memory for this project
#[derive(Args)]
#[command(after_help = "Examples:
  agent-memory init
  agent-memory init --dir ../shared/.memory
  agent-memory init --yes")]
pub(crate) struct Init {
    /// Approve a folder that came from elsewhere without asking
    #[arg(short, long)]
    yes: bool,
}

impl Init {
    pub(crate) fn run(self, app: &mut App) -> Outcome<()> {
        let (root, exists) = place(app)?;
        let mut steps = Vec::new();
        if exists && paths::settled_trust_of(&root)? == Trust::Foreign {
            app.out.mention(&format!(
                "`{}` was not made here; it becomes this project's memory as it is",
                root.display()
            ));
            trust::approve(app, &root, if self.yes { Consent::Given } else { Consent::Asked })?;
            steps.push(Step::done("approved", &root, "it keeps every byte"));
        }
        let memory = app.create(&root)?;
        let root = memory.root().to_owned();
        steps.push(match exists {
            true => Step::unchanged("found", &root),
            false => Step::done("created", &root, MADE),
        });
        let page = root.join("_project.md");
        let project = root.parent().unwrap_or(&root).to_owned();
        if memory.page(Sheet::Project)?.is_some() {
            steps.push(Step::unchanged("found", &page));
        } else {
            memory.write_page(Sheet::Project, &project::first_page(&project))?;
            steps.push(Step::done("wrote", &page, "fill in the TODO lines"));
        }
        steps.push(ignore(app, &root, &project)?);
        steps.push(merge(app, &root)?);
        let clients = hooked::used(&project);
        Ok(app.out.show(&Report { root: &root, steps: &steps, clients: &clients })?)
    }
}

/// The root that is meant: one that is named, else the one in this very folder, else `.memory` here.
fn place(app: &mut App) -> Outcome<(PathBuf, bool)> {
    let found = app.found()?;
    if found.how != How::Discovered {
        return Ok((found.root, found.exists));
    }
    let here = ambient::current_dir()?;
    if found.root.parent().is_some_and(|above| files::same_folder(above, &here)) {
        return Ok((found.root, true));
    }
    app.out.note(&format!(
        "`{}` serves the folders above; this one gets a memory of its own",
        found.root.display()
    ));
    Ok((here.join(".memory"), false))
}

/// Keeps derived and private files out of version control.
fn ignore(app: &mut App, root: &Path, project: &Path) -> Outcome<Step> {
    let beside = project.join(".gitignore");
    let name = root.file_name().unwrap_or_default().to_string_lossy();
    let (file, lines) = if git::in_git(project) || files::exists(&beside) {
        (beside, Line::beside(&name))
    } else {
        (root.join(".gitignore"), Line::inside())
    };
    let note = "memories are versioned; what is derived, said or about you alone is not";
    let step = block(app, &file, &lines, note)?;
    if step.changed {
        tell_tracked(app, root, project);
    }
    Ok(step)
}

/// Lets git take what both sides of a merge kept.
fn merge(app: &mut App, root: &Path) -> Outcome<Step> {
    let note = "what two branches keep is merged without a conflict";
    block(app, &root.join(".gitattributes"), &Line::merging(), note)
}

fn block(app: &mut App, file: &Path, lines: &[Line], note: &'static str) -> Outcome<Step> {
    Ok(match project::write_block(file, lines)? {
        BlockStep::Unchanged => Step::unchanged("found", file),
        BlockStep::Written => Step::done("wrote", file, note),
        BlockStep::Link => {
            let words: Vec<&str> = lines.iter().map(Line::as_str).collect();
            app.out.warn(&format!(
                "`{}` is a link and is left alone: add {} yourself",
                file.display(),
                words.join(" ")
            ));
            Step::unchanged("left alone", file)
        }
    })
}

/// Ignoring a file does not take it out of git, so what was versioned before this is named.
fn tell_tracked(app: &mut App, root: &Path, project: &Path) {
    let there =
        ["history", "USER.md"].map(|name| root.join(name)).into_iter().filter(|path| files::exists(path));
    let names: Vec<String> = there.map(|path| path.display().to_string()).collect();
    if !names.is_empty() && git::in_git(project) {
        app.out.note(&format!(
            "git keeps what it already tracks: `git rm -r --cached --ignore-unmatch {}` ends that",
            names.join(" ")
        ));
    }
}

struct Step {
    what: &'static str,
    path: PathBuf,
    note: &'static str,
    changed: bool,
}

impl Step {
    fn done(what: &'static str, path: &Path, note: &'static str) -> Self {
        Self { what, path: path.to_owned(), note, changed: true }
    }

    fn unchanged(what: &'static str, path: &Path) -> Self {
        Self { what, path: path.to_owned(), note: "as it was", changed: false }
    }
}

/// How the clients that are used here come to use the memory by themselves.
fn next_step(clients: &[&str]) -> String {
    let print = |client: &str| format!("`agent-memory hook {client} --print`");
    match clients {
        [] => format!("next: {} gives the settings of your client (docs/hooks.md)", print("CLIENT")),
        [client] => format!("next: {} gives the settings of its hooks (docs/hooks.md)", print(client)),
        many => {
            let step = print("CLIENT");
            format!(
                "next: {step} gives the settings of its hooks, here for {} (docs/hooks.md)",
                many.join(", ")
            )
        }
    }
}

struct Report<'a> {
    root: &'a Path,
    steps: &'a [Step],
    /// The clients that are used here.
    clients: &'a [&'static str],
}

impl Report<'_> {
    fn changed(&self) -> bool {
        self.steps.iter().any(|step| step.changed)
    }
}

impl Render for Report<'_> {
    fn text(&self, page: &mut Page<'_>) -> io::Result<()> {
        for step in self.steps {
            let tone = if step.changed { Tone::Good } else { Tone::Dim };
            page.line(&[
                (tone, step.what),
                (Tone::Plain, &format!(" {}", step.path.display())),
                (Tone::Dim, &format!("  ({})", step.note)),
            ])?;
        }
        if !self.changed() {
            return page.say("nothing to do: everything is already set up");
        }
        page.say("ready: `agent-memory remember \"…\"` keeps the first memory")?;
        page.say(&next_step(self.clients))
    }

    fn json(&self) -> Value {
        let steps = self.steps.iter().map(
            |step| json!({ "what": step.what, "path": step.path.to_string_lossy(), "changed": step.changed }),
        );
        json!({ "root": self.root.to_string_lossy(), "changed": self.changed(), "clients": self.clients, "steps": steps.collect::<Vec<_>>() })
    }
}
