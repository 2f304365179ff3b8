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
use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand};
use memory_engine::core::id::IdError;

use crate::app::{App, Outcome};
use crate::output::{ColourChoice, Format, Output, Talk};

/// Persistent memory for AI agents, kept as markdown that people can read and edit.
#[derive(Parser)]
#[command(name = "agent-memory", version, propagate_version = true, after_help = EXAMPLES)]
#[command(subcommand_required = true, arg_required_else_help = true)]
struct Cli {
    #[command(flatten)]
    everywhere: Everywhere,

    #[command(subcommand)]
    command: Command,
}

/// The flags of every command.
#[derive(Args)]
struct Everywhere {
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

/// The commands by their names: what `clap` derives of them, which one runs, and each by itself.
macro_rules! commands {
    ($($name:tt => $command:ident($arguments:ty),)+) => {
        #[derive(Subcommand)]
        enum Command {
            $(#[command(name = $name)] $command($arguments),)+
        }

        impl Command {
            fn run(self, app: &mut App) -> Outcome<()> {
                match self {
                    $(Self::$command(command) => command.run(app),)+
                }
            }

            /// The flags of this command, without those of all the others.
            fn alone(name: &str) -> Option<clap::Command> {
                match name {
                    $($name => Some(<$arguments>::augment_args(clap::Command::new($name))),)+
                    _ => None,
                }
            }
        }
    };
}

commands! {
    "init" => Init(init::Init),
    "remember" => Remember(remember::Remember),
    "search" => Search(search::Search),
    "related" => Related(related::Related),
    "show" => Show(show::Show),
    "list" => List(list::List),
    "edit" => Edit(edit::Edit),
    "forget" => Forget(forget::Forget),
    "restore" => Restore(restore::Restore),
    "supersede" => Supersede(supersede::Supersede),
    "review" => Review(review::Review),
    "scan" => Scan(scan::Scan),
    "history" => History(history::History),
    "agents" => Agents(agents::Agents),
    "vault" => Vault(vault::Vault),
    "project" => Project(project::Project),
    "inject" => Inject(inject::Inject),
    "receipts" => Receipts(receipts::Receipts),
    "run" => Run(run::Run),
    "instructions" => Instructions(instructions::Instructions),
    "scope-block" => ScopeBlock(instructions::ScopeBlock),
    "import" => Import(import::Import),
    "migrate" => Migrate(migrate::Migrate),
    "process" => Process(process::Process),
    "watch" => Watch(watch::Watch),
    "compact" => Compact(compact::Compact),
    "session" => Session(session::Session),
    "sync-checkpoints" => SyncCheckpoints(sync_checkpoints::SyncCheckpoints),
    "trust" => Trust(trust::Trust),
    "index" => Index(index::Index),
    "doctor" => Doctor(doctor::Doctor),
    "hook" => Hook(hook::Hook),
    "bench" => Bench(bench::Bench),
    "config" => Config(config::Config),
    "completions" => Completions(completions::Completions),
    "man" => Man(man::Man),
    "demo" => Demo(demo::Demo),
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
    let code = match understood(&arguments) {
        Ok(Cli { everywhere, command }) => {
            let format = if everywhere.json { Format::Json } else { Format::Text };
            let talk = if everywhere.quiet { Talk::Errors } else { Talk::All };
            let mut app = App::new(Output::new(format, talk, everywhere.color), everywhere.dir);
            let outcome = command.run(&mut app);
            app.finish(outcome)
        }
        Err(error) => not_understood(&error, &arguments),
    };
    ExitCode::from(code)
}

/// Reads the arguments with the flags of the one command that they name: building those of all takes longer than many a
/// command itself. What does not fit is read again by all of them, who know what to say to it.
fn understood(arguments: &[OsString]) -> Result<Cli, clap::Error> {
    let alone = words::named(arguments).and_then(Command::alone);
    let read = alone.and_then(|command| {
        let program = Everywhere::augment_args(clap::Command::new("agent-memory")).subcommand(command);
        let matches = program.try_get_matches_from(arguments).ok()?;
        Cli::from_arg_matches(&matches).ok()
    });
    read.map_or_else(|| Cli::try_parse_from(arguments), Ok)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_by_itself_takes_what_it_takes_among_all() {
        let spelt = |command: &clap::Command| {
            let arguments = command.get_arguments().map(|it| format!("{it:?}"));
            let below = command.get_subcommands().map(|it| format!("{it:?}"));
            arguments.chain(below).collect::<Vec<_>>()
        };
        let all = command();
        assert!(all.get_subcommands().count() > 30);
        for among_all in all.get_subcommands() {
            let alone = Command::alone(among_all.get_name()).unwrap();
            assert_eq!(spelt(&alone), spelt(among_all), "{}", among_all.get_name());
        }
    }

    #[test]
    fn arguments_mean_the_same_whether_one_command_reads_them_or_all() {
        let read = |line: &str| {
            let arguments: Vec<OsString> = line.split(' ').map(OsString::from).collect();
            understood(&arguments).map(|cli| {
                let Everywhere { dir, json, quiet, .. } = cli.everywhere;
                (dir, json, quiet, matches!(cli.command, Command::Search(_)))
            })
        };
        let dir = || Some(PathBuf::from("x"));
        assert_eq!(read("agent-memory search a --json index").unwrap(), (None, true, false, true));
        assert_eq!(
            read("agent-memory --dir x --color never -q search --json a").unwrap(),
            (dir(), true, true, true)
        );
        assert_eq!(
            read("agent-memory vault list dev decisions --dir x").unwrap(),
            (dir(), false, false, false)
        );
        let refused = |line: &str| read(line).unwrap_err();
        assert_eq!(refused("agent-memory search --version").kind(), ErrorKind::DisplayVersion);
        assert_eq!(refused("agent-memory help search").kind(), ErrorKind::DisplayHelp);
        assert_eq!(refused("agent-memory serach a").kind(), ErrorKind::InvalidSubcommand);
        assert!(refused("agent-memory search --limti 3 a").to_string().contains("--limit"));
        assert!(
            refused("agent-memory search --limti 3 a").to_string().contains("Usage: agent-memory search")
        );
    }
}
