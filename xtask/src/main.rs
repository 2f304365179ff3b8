//! `cargo xtask`: set-up, checks, benchmarks and generated documents, so that the machine that checks a change and
//! the person who writes it run the same commands.

#![expect(clippy::disallowed_methods, reason = "a program for developers reads and writes the repository")]
#![expect(clippy::disallowed_macros, reason = "a program for developers prints")]
#![allow(unreachable_pub, reason = "a program has no outside")]

mod bench;
mod clients;
mod docs;
mod eval;
mod fuzz;
mod kill;
mod run;
mod setup;
mod test;
#[cfg(test)]
mod tidy;

use std::process::ExitCode;

/// A command: its name, what may follow it, what it is for, and what it does.
struct Command {
    name: &'static str,
    takes: &'static str,
    about: &'static str,
    run: fn(&[String]) -> Result<(), String>,
}

const COMMANDS: &[Command] = &[
    Command {
        name: "test",
        takes: "[--quick | --deep]",
        about: "check everything; --quick leaves out the release build, --deep adds fuzzing and long runs",
        run: test::run,
    },
    Command {
        name: "tidy",
        takes: "",
        about: "check the rules of the house: module order, names, documents that stay true",
        run: test::tidy,
    },
    Command { name: "fmt", takes: "", about: "bring all sources into the one form", run: test::format },
    Command {
        name: "docs",
        takes: "[--check]",
        about: "write docs/config.md anew, or see whether it is up to date",
        run: docs::run,
    },
    Command {
        name: "fuzz",
        takes: "[TARGET] [--seconds 60]",
        about: "run the fuzz targets, or one of them",
        run: fuzz::run,
    },
    Command {
        name: "kill",
        takes: "[index | capture | compact] [--kills N] [--seed N]",
        about: "kill processes at random and count what was lost, doubled or answered wrongly",
        run: kill::run,
    },
    Command {
        name: "bench",
        takes: "store | search [--sizes 1k,10k] [--large] | hook [--quick] | inject | capture | scan [--quick]",
        about: "measure, beside what the machine can do",
        run: bench::run,
    },
    Command {
        name: "eval",
        takes: "extract [--show] | [SET…] [--data DIR]",
        about: "measure what extraction or search finds, on sets with known answers",
        run: eval::run,
    },
    Command {
        name: "clients",
        takes: "[NAME…]",
        about: "run the real clients against a scripted model and see what stands in the vault",
        run: clients::run,
    },
    Command {
        name: "setup",
        takes: "",
        about: "install what the checks use and this machine does not have",
        run: setup::run,
    },
];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match dispatch(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("error: {why}");
            ExitCode::FAILURE
        }
    }
}

fn dispatch(arguments: &[String]) -> Result<(), String> {
    let (name, rest) = match arguments.split_first() {
        None => ("help", arguments),
        Some((name, rest)) => (name.as_str(), rest),
    };
    let asks_for_help = rest.iter().any(|word| word == "--help" || word == "-h");
    if matches!(name, "help" | "--help" | "-h") || asks_for_help {
        print!("{}", usage());
        return Ok(());
    }
    match COMMANDS.iter().find(|command| command.name == name) {
        Some(command) => (command.run)(rest),
        None => Err(format!("there is no command `{name}`; `cargo xtask help` lists them")),
    }
}

fn usage() -> String {
    let mut text = "cargo xtask COMMAND\n\n".to_owned();
    for Command { name, takes, about, .. } in COMMANDS {
        text.push_str(&format!("  {:<48} {about}\n", format!("{name} {takes}")));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn help_lists_every_command_and_a_stranger_is_refused() {
        assert!(COMMANDS.iter().all(|command| usage().contains(command.name)));
        assert_eq!(dispatch(&["frobnicate".to_owned()]).unwrap_err().matches("help").count(), 1);
        assert_eq!(dispatch(&["test".to_owned(), "--help".to_owned()]), Ok(()));
    }
}
