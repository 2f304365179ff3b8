//! The commands, one file each: they parse, call one verb of the engine, and show what it answers.

mod agents;
mod bench;
mod compact;
mod completions;
mod config;
mod demo;
mod doctor;
mod edit;
mod forget;
mod found;
mod history;
mod hook;
mod hooked;
mod import;
mod imported;
mod index;
mod init;
mod inject;
mod instructions;
mod lines;
mod list;
mod man;
mod migrate;
mod nothing;
mod private;
mod process;
mod project;
mod receipts;
mod related;
mod remember;
mod restore;
mod review;
mod run;
mod scan;
mod search;
mod session;
mod show;
mod shown;
mod supersede;
mod sync_checkpoints;
mod trust;
mod vault;
mod wanted;
mod watch;
mod words;

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::error::ErrorKind;
use clap::{CommandFactory, Parser, Subcommand};
use memory_engine::core::id::IdError;

use crate::app::{App, Outcome};
use crate::output::{ColourChoice, Format, Output, Talk};

/// Persistent memory for AI agents, kept as markdown that people can read and edit.
#[derive(Parser)]
#[command(name = "agent-memory", version, propagate_version = true, after_help = EXAMPLES)]
#[command(subcommand_required = true, arg_required_else_help = true)]
struct Cli {
    /// The memory folder [default: found upwards from here, else `.memory`]
    #[arg(long, global = true, help_heading = "Everywhere", value_name = "PATH")]
    dir: Option<PathBuf>,

    /// Answer in JSON, errors included
    #[arg(long, global = true, help_heading = "Everywhere")]
    json: bool,

    /// When to use colour
    #[arg(long, global = true, help_heading = "Everywhere", value_name = "WHEN", default_value = "auto")]
    color: ColourChoice,

    /// Say nothing on stderr but errors
    #[arg(short, long, global = true, help_heading = "Everywhere")]
    quiet: bool,

    #[command(subcommand)]
    command: Command,
}

const EXAMPLES: &str = "Examples:
  agent-memory init
  agent-memory remember \"We decided to use SSE, because the proxy drops idle sockets #sse\"
  agent-memory search why do we not use sockets
  agent-memory list --kind decision
  agent-memory demo

Exit codes: 0 ok, 1 error, 2 not found or needs confirmation, 3 bad usage.
`scan` and `doctor` end with 1 also where they found something, `run` as its client does, a client's `hook` always with 0.
The folder is taken from --dir, else AGENT_MEMORY_DIR, else found upwards, else `.memory`.";

#[derive(Subcommand)]
enum Command {
    Init(init::Init),
    Remember(remember::Remember),
    Search(search::Search),
    Related(related::Related),
    Show(show::Show),
    List(list::List),
    Edit(edit::Edit),
    Forget(forget::Forget),
    Restore(restore::Restore),
    Supersede(supersede::Supersede),
    Review(review::Review),
    Scan(scan::Scan),
    History(history::History),
    Agents(agents::Agents),
    Vault(vault::Vault),
    Project(project::Project),
    Inject(inject::Inject),
    Receipts(receipts::Receipts),
    Run(run::Run),
    Instructions(instructions::Instructions),
    ScopeBlock(instructions::ScopeBlock),
    Import(import::Import),
    Migrate(migrate::Migrate),
    Process(process::Process),
    Watch(watch::Watch),
    Compact(compact::Compact),
    Session(session::Session),
    SyncCheckpoints(sync_checkpoints::SyncCheckpoints),
    Trust(trust::Trust),
    Index(index::Index),
    Doctor(doctor::Doctor),
    Hook(hook::Hook),
    Bench(bench::Bench),
    Config(config::Config),
    Completions(completions::Completions),
    Man(man::Man),
    Demo(demo::Demo),
}

impl Command {
    fn run(self, app: &mut App) -> Outcome<()> {
        match self {
            Self::Init(command) => command.run(app),
            Self::Remember(command) => command.run(app),
            Self::Search(command) => command.run(app),
            Self::Related(command) => command.run(app),
            Self::Show(command) => command.run(app),
            Self::List(command) => command.run(app),
            Self::Edit(command) => command.run(app),
            Self::Forget(command) => command.run(app),
            Self::Restore(command) => command.run(app),
            Self::Supersede(command) => command.run(app),
            Self::Review(command) => command.run(app),
            Self::Scan(command) => command.run(app),
            Self::History(command) => command.run(app),
            Self::Agents(command) => command.run(app),
            Self::Vault(command) => command.run(app),
            Self::Project(command) => command.run(app),
            Self::Inject(command) => command.run(app),
            Self::Receipts(command) => command.run(app),
            Self::Run(command) => command.run(app),
            Self::Instructions(command) => command.run(app),
            Self::ScopeBlock(command) => command.run(app),
            Self::Import(command) => command.run(app),
            Self::Migrate(command) => command.run(app),
            Self::Process(command) => command.run(app),
            Self::Watch(command) => command.run(app),
            Self::Compact(command) => command.run(app),
            Self::Session(command) => command.run(app),
            Self::SyncCheckpoints(command) => command.run(app),
            Self::Trust(command) => command.run(app),
            Self::Index(command) => command.run(app),
            Self::Doctor(command) => command.run(app),
            Self::Hook(command) => command.run(app),
            Self::Bench(command) => command.run(app),
            Self::Config(command) => command.run(app),
            Self::Completions(command) => command.run(app),
            Self::Man(command) => command.run(app),
            Self::Demo(command) => command.run(app),
        }
    }
}

/// The commands with their flags and descriptions, as a value.
pub fn command() -> clap::Command {
    Cli::command()
}

/// Runs the program with the arguments of this process.
pub fn main() -> ExitCode {
    if let Some(order) = hook::order(std::env::args_os().skip(1)) {
        // A hook answers within milliseconds and never fails its client, so nothing else is set up for it.
        order.carry_out();
        return ExitCode::SUCCESS;
    }
    let told = std::panic::take_hook();
    // What is caught is told in our own words.
    std::panic::set_hook(Box::new(move |panic| {
        if !memory_engine::is_guarded() {
            told(panic);
        }
    }));
    let arguments =
        words::list_items_last(search::excluded_words_last(std::env::args_os().collect()), command);
    let code = match Cli::try_parse_from(&arguments) {
        Ok(cli) => {
            let format = if cli.json { Format::Json } else { Format::Text };
            let talk = if cli.quiet { Talk::Errors } else { Talk::All };
            let mut app = App::new(Output::new(format, talk, cli.color), cli.dir);
            let outcome = cli.command.run(&mut app);
            app.finish(outcome)
        }
        Err(error) => not_understood(&error, &arguments),
    };
    ExitCode::from(code)
}

/// Help and version are answers; everything else is bad usage, told in the form that was asked for.
fn not_understood(error: &clap::Error, arguments: &[OsString]) -> u8 {
    let given = |flag: &str| arguments.iter().take_while(|it| *it != "--").any(|it| it == flag);
    let format = if given("--json") { Format::Json } else { Format::Text };
    let never =
        given("--color=never") || arguments.windows(2).any(|pair| pair[0] == "--color" && pair[1] == "never");
    let colour = if never { ColourChoice::Never } else { ColourChoice::Auto };
    let mut out = Output::new(format, Talk::All, colour);
    let rendered = error.render();
    let told = match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
            let text = if out.is_coloured() { rendered.ansi().to_string() } else { rendered.to_string() };
            let told = out.exact(text.as_bytes()).and_then(|()| out.flush());
            return u8::from(told.is_err_and(|error| error.kind() != std::io::ErrorKind::BrokenPipe));
        }
        _ => match std::error::Error::source(error).and_then(|source| source.downcast_ref::<IdError>()) {
            Some(bad) => out.error("E_BAD_ID", &bad.to_string()),
            None if format == Format::Json => out.error("E_USAGE", summary(&rendered.to_string())),
            None => match rendered.to_string().trim_end().strip_prefix("error: ") {
                Some(text) => out.error("E_USAGE", text),
                // Where nothing was asked for, the answer is the help.
                None => out.error_verbatim("E_USAGE", rendered.to_string().trim_end()),
            },
        },
    };
    let _ = told.and_then(|()| out.flush());
    3
}

/// The first paragraph of clap's message, without its label.
fn summary(text: &str) -> &str {
    let first = text.split("\n\n").next().unwrap_or(text).trim();
    first.strip_prefix("error: ").unwrap_or(first)
}
