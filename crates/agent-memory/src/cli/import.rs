//! `import`: brings in what people already have, after showing what that is. A second run brings in only what is new.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use memory_engine::core::id::AgentId;
use memory_engine::import::{Comes, Unit, guess};
use memory_engine::{
    Error, Format, Import as Asked, Importable, Imported, Memory, Process, ProcessFrom, Processed, Reach,
};

use crate::app::{App, Failure, Outcome};
use crate::cli::imported::{Done, Preview, Row, Source};
use crate::cli::private;
use crate::output::Format as Form;

/// Bring in past sessions and what other programs remember
#[derive(Args)]
#[command(after_help = "Kinds:
  memory          another memory folder, of this program or one that it reads
  conversations   a folder of saved conversations, `<agent>.json`
  claude-memory   the memory folder that Claude Code keeps for a project
  claude-mem      `claude-mem.db`
  server-memory   `memory.jsonl` of the MCP memory server
  basic-memory    a folder of notes of basic-memory
  chatgpt         an unpacked export of ChatGPT
  claude-ai       an unpacked export of Claude
  markdown        lists and paragraphs, such as CLAUDE.md or AGENTS.md

Examples:
  agent-memory import
  agent-memory import --dry-run
  agent-memory import ~/Downloads/export/conversations.json
  agent-memory import claude-mem --all --yes
  agent-memory import markdown AGENTS.md --agent dev")]
pub(crate) struct Import {
    /// A kind, or a file or folder [default: everything of this project that is found]
    #[arg(value_name = "KIND|PATH")]
    source: Option<OsString>,

    /// The file or folder [default: where this kind usually is]
    #[arg(value_name = "PATH", requires = "source")]
    path: Option<PathBuf>,

    /// Whose memories they become where the source does not say [default: the agent of the settings]
    #[arg(short, long, value_name = "AGENT")]
    agent: Option<AgentId>,

    /// Also what belongs to other projects, where a source holds several
    #[arg(long)]
    all: bool,

    /// Only show what would be imported
    #[arg(short = 'n', long)]
    dry_run: bool,

    /// Do not ask
    #[arg(short, long, conflicts_with = "dry_run")]
    yes: bool,
}

impl Import {
    pub(crate) fn run(self, app: &mut App) -> Outcome<()> {
        let memory = app.memory_to_change()?;
        let mut plan = match &self.source {
            None => self.everything(app, &memory)?,
            Some(source) => Plan::of(self.named(&memory, source)?),
        };
        plan.look(app, &memory, self.source.is_some())?;
        let preview = plan.preview();
        if self.dry_run || preview.news() == 0 {
            app.out.show(&preview)?;
            return self.told(app, &plan);
        }
        match app.out.format() {
            Form::Text => app.out.show(&preview)?,
            Form::Json => preview.sentences().iter().for_each(|line| app.out.mention(line)),
        }
        app.out.flush()?;
        if !self.yes && !app.confirm("Import what is new?", "--yes")? {
            return Err(Failure::declined("nothing was imported"));
        }
        let sessions = plan.carry_out(app, &memory, self.agent.as_ref());
        let done = Done { rows: &plan.rows, sessions: sessions.as_ref() };
        app.wrote_memories(done.kept());
        app.out.show(&done)?;
        app.out.flush()?;
        let told = sessions_told(app, sessions.as_ref());
        self.told(app, &plan).and(told)
    }

    /// Everything of this project that is found.
    fn everything(&self, app: &mut App, memory: &Memory) -> Outcome<Plan> {
        let Importable { sessions, unread, places } = memory.importable()?;
        for (path, why) in unread {
            app.out.warn(&format!("{path}: {why}"));
        }
        let mut plan = Plan::default();
        plan.rows.extend(sessions.into_iter().map(Row::Sessions));
        for place in places {
            let asked = self.asked(place.format, place.path);
            match place.comes {
                Comes::Along => plan.rows.push(Row::of(asked)),
                Comes::ByName => plan.offered.push(asked),
            }
        }
        Ok(plan)
    }

    /// The one source that was named.
    fn named(&self, memory: &Memory, source: &OsStr) -> Outcome<Asked> {
        let kind = source.to_str().and_then(Format::of_word);
        match (kind, &self.path) {
            (Some(kind), Some(path)) => Ok(self.asked(kind, there(path)?)),
            (Some(kind), None) => {
                let place = memory.usual_place(kind).ok_or_else(|| {
                    let text = format!(
                        "nothing of {} was found in its usual place: name {}, as in `agent-memory import {} PATH`",
                        kind.name(),
                        kind.form(),
                        kind.word()
                    );
                    Failure::missing("E_NO_FILE", text)
                })?;
                Ok(self.asked(kind, place))
            }
            (None, Some(_)) => {
                let known: Vec<&str> = Format::all().map(Format::word).collect();
                let text =
                    format!("`{}` is no kind of source; known are {}", source.display(), known.join(", "));
                Err(Failure::usage(text))
            }
            (None, None) => {
                let (kind, path) = guess(&there(Path::new(source))?)?;
                Ok(self.asked(kind, path))
            }
        }
    }

    fn asked(&self, format: Format, path: PathBuf) -> Asked {
        let reach = if self.all { Reach::Everything } else { Reach::Project };
        Asked { format, path, agent: self.agent.clone(), reach }
    }

    /// Tells what could not be read, and fails where that is a whole source, or all that there is in one.
    fn told(&self, app: &mut App, plan: &Plan) -> Outcome<()> {
        app.out.flush()?;
        let mut failed = false;
        for row in &plan.rows {
            let Row::Source(of) = row else { continue };
            let Source { asked, held, error } = &**of;
            for (place, why) in &held.defects {
                app.out.warn(&format!("{place}: {why}"));
            }
            if held.more_defects > 0 {
                app.out.warn(&format!(
                    "{}: {} more could not be read",
                    asked.format.word(),
                    held.more_defects
                ));
            }
            if let Some(error) = error {
                app.out.complain(error.code(), &error.to_string());
                failed = true;
            }
            failed |= plan.is_all_lost(held);
            let private: Vec<String> = held.private_files.iter().cloned().collect();
            if !private.is_empty() {
                let memory = app.memory()?;
                private::warn_of_versioned(app, memory.root(), &private);
            }
            if asked.format == Format::ClaudeMem && held.found == 0 && !self.all && error.is_none() {
                app.out.note("claude-mem holds nothing of this project; `--all` takes in every project");
            }
        }
        if failed { Err(Failure::Told(1)) } else { Ok(()) }
    }
}

/// Tells what could not be read of sessions.
fn sessions_told(app: &mut App, sessions: Option<&Result<Processed, Error>>) -> Outcome<()> {
    let done = match sessions {
        None => return Ok(()),
        Some(Err(error)) => {
            app.out.complain(error.code(), &error.to_string());
            return Err(Failure::Told(1));
        }
        Some(Ok(done)) => done,
    };
    for (place, why) in done.errors.iter().chain(&done.defects) {
        app.out.warn(&format!("{place}: {why}"));
    }
    if done.busy {
        app.out.note("another process is taking sessions in right now; they are not imported twice");
    }
    if done.errors.is_empty() { Ok(()) } else { Err(Failure::Told(1)) }
}

/// A path that is there, or why the command ends.
fn there(path: &Path) -> Outcome<PathBuf> {
    if path.exists() {
        return Ok(path.to_owned());
    }
    let text = format!(
        "there is no file or folder `{}`, and it is no kind either: `agent-memory import --help` lists the kinds",
        path.display()
    );
    Err(Failure::missing("E_NO_FILE", text))
}

/// What is to be imported, and what could be besides.
#[derive(Default)]
struct Plan {
    rows: Vec<Row>,
    offered: Vec<Asked>,
    is_carried_out: bool,
}

impl Plan {
    fn of(asked: Asked) -> Self {
        Self { rows: vec![Row::of(asked)], ..Self::default() }
    }

    fn preview(&self) -> Preview<'_> {
        Preview { rows: &self.rows, offered: &self.offered }
    }

    /// Whether a source held something and none of it could be brought in. Before that it is enough that something
    /// could be read; a session may well lead to no memory.
    fn is_all_lost(&self, held: &Imported) -> bool {
        let came = held.kept_count() + held.before + held.duplicates + held.taken;
        let is_lost = held.found == 0 || self.is_carried_out && held.unit == Unit::Memory && came == 0;
        is_lost && !held.defects.is_empty()
    }

    /// Looks into every source. One that was named must be readable; of those that were found, each is told alone.
    fn look(&mut self, app: &mut App, memory: &Memory, named: bool) -> Outcome<()> {
        let bar = app.out.bar();
        for row in &mut self.rows {
            let Row::Source(of) = row else { continue };
            let Source { asked, held, error } = &mut **of;
            match memory.look_at_import(asked, &mut |seen| bar.set(seen, seen)) {
                Ok(seen) => *held = seen,
                Err(failed) if named => return Err(failed.into()),
                Err(failed) => *error = Some(failed),
            }
        }
        // What holds nothing of this project need not be told.
        self.rows.retain(|row| named || !row.is_empty());
        Ok(())
    }

    /// Brings in what is new, the sessions first.
    fn carry_out(
        &mut self,
        app: &mut App,
        memory: &Memory,
        agent: Option<&AgentId>,
    ) -> Option<Result<Processed, Error>> {
        self.is_carried_out = true;
        let bar = app.out.bar();
        let has_sessions = self.rows.iter().any(|row| matches!(row, Row::Sessions(of) if of.new > 0));
        let sessions = has_sessions.then(|| {
            let process = Process {
                agent: agent.cloned(),
                idle: Duration::from_secs(300),
                from: ProcessFrom::Clients(Vec::new()),
                wait: Duration::from_secs(60),
            };
            memory.process(&process, &mut |at, of| bar.set(at, of))
        });
        for row in &mut self.rows {
            let Row::Source(of) = row else { continue };
            let Source { asked, held, error } = &mut **of;
            if held.new == 0 || error.is_some() {
                continue;
            }
            let of = held.found;
            match memory.import(asked, &mut |at| bar.set(at, of)) {
                Ok(done) => *held = done,
                Err(failed) => {
                    *held = Imported { defects: std::mem::take(&mut held.defects), ..Imported::default() };
                    *error = Some(failed);
                }
            }
        }
        sessions
    }
}
