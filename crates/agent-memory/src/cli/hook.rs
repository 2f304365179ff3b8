//! `hook`: what a client calls at each step of a session. It puts what happened into the inbox and is gone.
//!
//! Whatever comes, the exit code is 0 and nothing is printed but context in the client's own form: clients take other
//! codes for a veto and other words for an error. What went wrong stands in `.vault/log`. The arguments are read here
//! and not by the parser of all other commands, whose complaints would be just that, and which takes longer to set up
//! than the rest of the work.

use std::ffi::OsString;
use std::io::{self, Read};
use std::path::PathBuf;

use clap::Args;
use memory_engine::capture::{self, Heard};
use memory_engine::hook::{self, Happened};

use crate::app::{App, Outcome, background};
use crate::output::{ColourChoice, Format, Output, Talk, stdin_is_person};

/// Take what a client's hook tells on stdin
///
/// The clients are claude, codex, cursor, gemini, qwen, opencode, copilot, vscode, cline, windsurf, goose and amp. It
/// reads the client's JSON, puts what matters of it into the inbox of the memory that the agent works in, and exits
/// with 0 whatever happens. Where there is no memory, or one that you have not approved, it does nothing. What went
/// wrong stands in `.vault/log`. docs/hooks.md says how each client is told to call it.
#[derive(Args)]
#[command(after_help = "Examples:
  agent-memory hook claude < event.json
  agent-memory hook copilot sessionStart < event.json
  echo '{\"session_id\":\"s\",\"hook_event_name\":\"UserPromptSubmit\",\"prompt\":\"hello\"}' | agent-memory hook claude")]
pub(crate) struct Hook {
    /// The client whose settings name this hook
    #[arg(value_name = "CLIENT")]
    client: Option<String>,

    /// The event, for clients whose JSON does not name it
    #[arg(value_name = "EVENT")]
    event: Option<String>,
}

impl Hook {
    pub(crate) fn run(self, _: &mut App) -> Outcome<()> {
        Order { client: self.client.unwrap_or_default(), event: self.event, dir: None }.carry_out();
        Ok(())
    }
}

/// A call of this command, as it was typed.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Order {
    client: String,
    event: Option<String>,
    dir: Option<PathBuf>,
}

/// The order in these arguments; `None` when they are for another command, or ask for help.
pub(super) fn order(arguments: impl Iterator<Item = OsString>) -> Option<Order> {
    let mut arguments = arguments;
    let mut dir = None;
    let mut words = Vec::new();
    while let Some(argument) = arguments.next() {
        let text = argument.to_string_lossy();
        match text.as_ref() {
            "--help" | "-h" | "--version" | "-V" => return None,
            "--dir" => dir = arguments.next().map(PathBuf::from),
            "--color" => drop(arguments.next()),
            flag if flag.starts_with('-') => {
                dir = flag.strip_prefix("--dir=").map(PathBuf::from).or(dir);
            }
            word => words.push(word.to_owned()),
        }
        if words.first().is_some_and(|word| word != "hook") {
            return None;
        }
    }
    let mut words = words.into_iter();
    words.next()?;
    Some(Order { client: words.next().unwrap_or_default(), event: words.next(), dir })
}

impl Order {
    /// Hears the hook out and answers it. Even a defect of ours must not end the client's turn.
    pub(super) fn carry_out(&self) {
        std::panic::set_hook(Box::new(|_| {}));
        let _ = std::panic::catch_unwind(|| {
            let input = input();
            let heard = capture::hear(capture::Hook {
                client: &self.client,
                event: self.event.as_deref(),
                input: &input,
                dir: self.dir.as_deref(),
            });
            if let Some(heard) = heard {
                answer(&heard);
                wake(&heard);
            }
        });
    }
}

/// What stands on stdin, as far as it is read. The rest is taken and dropped, so that the client can finish writing.
fn input() -> Vec<u8> {
    let mut bytes = Vec::new();
    if !stdin_is_person() {
        let mut stdin = io::stdin().lock();
        // What came before an error is looked at all the same.
        let _ = stdin.by_ref().take(hook::MOST_BYTES + 1).read_to_end(&mut bytes);
        if bytes.len() as u64 > hook::MOST_BYTES {
            let _ = io::copy(&mut stdin, &mut io::sink());
        }
    }
    bytes
}

/// Prints context in the form that the client takes, where there is any.
fn answer(heard: &Heard) {
    if let Some(reply) = hook::reply(&heard.signal, context(heard).as_deref()) {
        let mut out = Output::new(Format::Text, Talk::Errors, ColourChoice::Never);
        let _ = out.exact(reply.as_bytes()).and_then(|()| out.flush());
    }
}

/// What the agent should know now. Context is not assembled yet, so there is none.
fn context(_: &Heard) -> Option<String> {
    None
}

/// Starts whoever empties the inbox, when a turn or a session ended. At its begin and end all sessions are looked at,
/// in between only those to which hooks point.
fn wake(heard: &Heard) {
    let which = match heard.signal.happened {
        Happened::Reply { .. } | Happened::Compacting => "hooks",
        Happened::Started { .. } | Happened::Ended { .. } => "all",
        _ => return,
    };
    if heard.kept {
        background::process(&heard.root, which);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_become_an_order_or_are_for_another_command() {
        let check = |typed: &str, expect: Option<(&str, Option<&str>, Option<&str>)>| {
            let got = order(typed.split_whitespace().map(OsString::from));
            let expect = expect.map(|(client, event, dir)| Order {
                client: client.to_owned(),
                event: event.map(str::to_owned),
                dir: dir.map(PathBuf::from),
            });
            assert_eq!(got, expect, "{typed}");
        };
        check("hook claude", Some(("claude", None, None)));
        check("hook copilot sessionStart", Some(("copilot", Some("sessionStart"), None)));
        check("--dir x hook claude", Some(("claude", None, Some("x"))));
        check("hook claude --dir=x --json", Some(("claude", None, Some("x"))));
        check("--color never -q hook claude --frobnicate", Some(("claude", None, None)));
        check("hook", Some(("", None, None)));
        check("hook a b c d", Some(("a", Some("b"), None)));
        check("hook --help", None);
        check("help hook", None);
        check("--dir hook list", None);
        check("remember hook claude", None);
        check("--json list", None);
        check("", None);
    }
}
