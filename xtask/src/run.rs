//! Other programs and steps: how a command of ours starts a program, and how a list of steps runs and is told.
//!
//! Every child gets a home of its own under the build folder, so that no check reads or writes what the person
//! keeps. A failed step does not stop the ones after it; all failures stand together at the end.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// The folder of the repository.
pub fn root() -> &'static Path {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here)
}

/// Where cargo builds.
pub fn target() -> PathBuf {
    match std::env::var_os("CARGO_TARGET_DIR").filter(|dir| !dir.is_empty()) {
        Some(dir) => root().join(dir),
        None => root().join("target"),
    }
}

/// A program in the folder of the repository, with a home of its own.
pub fn program(name: &str, arguments: &[&str]) -> Command {
    let mut command = Command::new(name);
    command.current_dir(root()).args(arguments);
    command.env("AGENT_MEMORY_HOME", target().join("xtask-home"));
    for name in ["AGENT_MEMORY_DIR", "AGENT_MEMORY_AGENT"] {
        command.env_remove(name);
    }
    command
}

/// Cargo, the one that runs this program.
pub fn cargo(arguments: &[&str]) -> Command {
    let name = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    let mut command = program(&name, arguments);
    // What cargo tells the program it runs would tell the cargo below something wrong.
    for (name, _) in std::env::vars_os() {
        let told = name.to_string_lossy().into_owned();
        if told.starts_with("CARGO_PKG_") || told == "CARGO_MANIFEST_DIR" || told == "CARGO_MANIFEST_PATH" {
            command.env_remove(name);
        }
    }
    command
}

/// Runs a program to its end; anything but success is an error that names it.
pub fn finish(command: &mut Command) -> Result<(), String> {
    let status = command.status().map_err(|error| not_started(command, &error))?;
    if status.success() { Ok(()) } else { Err(format!("`{}` failed: {status}", shown(command))) }
}

/// Runs a program to its end, shows what it says while it says it, and gives it back as well.
pub fn finish_and_keep(command: &mut Command) -> (Result<(), String>, String) {
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = match command.spawn() {
        Ok(child) => child,
        Err(error) => return (Err(not_started(command, &error)), String::new()),
    };
    let out = child.stdout.take().map(|pipe| thread::spawn(|| pass_on(pipe, &mut std::io::stdout())));
    let err = child.stderr.take().map(|pipe| thread::spawn(|| pass_on(pipe, &mut std::io::stderr())));
    let said: String =
        [out, err].into_iter().flatten().map(|reader| reader.join().unwrap_or_default()).collect();
    let ended = match child.wait() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("`{}` failed: {status}", shown(command))),
        Err(error) => Err(format!("`{}` could not be waited for: {error}", shown(command))),
    };
    (ended, said)
}

fn pass_on(pipe: impl Read, to: &mut dyn Write) -> String {
    let mut said = String::new();
    let mut pipe = BufReader::new(pipe);
    let mut line = Vec::new();
    while pipe.read_until(b'\n', &mut line).is_ok_and(|count| count > 0) {
        // A reader that went away is no reason to stop the checks.
        let _ = to.write_all(&line);
        said.push_str(&String::from_utf8_lossy(&line));
        line.clear();
    }
    said
}

/// Whether a program is there and answers.
pub fn answers(command: &[&str]) -> bool {
    let Some((name, arguments)) = command.split_first() else { return false };
    let mut command = program(name, arguments);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

fn not_started(command: &Command, error: &std::io::Error) -> String {
    format!("`{}` does not start: {error}", shown(command))
}

fn shown(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    let words: Vec<String> = words.map(|word| word.to_string_lossy().into_owned()).collect();
    let line = words.join(" ");
    match Path::new(&words[0]).file_name() {
        Some(name) => line.replacen(&words[0], &name.to_string_lossy(), 1),
        None => line,
    }
}

/// How a step ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ended {
    /// As it should.
    Well,
    /// It was left out, for this reason.
    LeftOut(String),
    /// It failed, for this reason.
    Badly(String),
}

impl From<Result<(), String>> for Ended {
    fn from(result: Result<(), String>) -> Self {
        result.map_or_else(Self::Badly, |()| Self::Well)
    }
}

/// Steps that ran, in their order.
#[derive(Default)]
pub struct Steps {
    done: Vec<(&'static str, Duration, Ended)>,
}

impl Steps {
    /// Runs a step and tells how it went.
    pub fn step(&mut self, name: &'static str, act: impl FnOnce() -> Ended) {
        println!("\n==> {name}");
        let begun = Instant::now();
        let ended = act();
        let took = begun.elapsed();
        println!("{}", line(name, took, &ended));
        self.done.push((name, took, ended));
    }

    /// All steps with their times, and an error that names those that failed.
    pub fn close(&self) -> Result<(), String> {
        println!("\n==> all steps");
        for (name, took, ended) in &self.done {
            println!("{}", line(name, *took, ended));
        }
        let bad = self.done.iter().filter(|(_, _, ended)| matches!(ended, Ended::Badly(_)));
        let bad: Vec<&str> = bad.map(|(name, ..)| *name).collect();
        if bad.is_empty() { Ok(()) } else { Err(format!("these steps failed: {}", bad.join(", "))) }
    }
}

fn line(name: &str, took: Duration, ended: &Ended) -> String {
    let how = match ended {
        Ended::Well => "ok".to_owned(),
        Ended::LeftOut(why) => format!("left out: {why}"),
        Ended::Badly(why) => format!("FAILED: {why}"),
    };
    format!("    {name:<24} {:>7.1} s  {how}", took.as_secs_f64())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failed_step_does_not_stop_the_next_and_is_named_at_the_end() {
        let mut steps = Steps::default();
        let mut reached = false;
        steps.step("breaks", || Err("no".to_owned()).into());
        steps.step("is left out", || Ended::LeftOut("nobody asked".to_owned()));
        steps.step("works", || {
            reached = true;
            Ended::Well
        });
        assert!(reached);
        assert_eq!(steps.close(), Err("these steps failed: breaks".to_owned()));
    }

    #[test]
    fn what_a_program_says_comes_back_and_its_failure_too() {
        let (ended, said) = finish_and_keep(&mut cargo(&["--version"]));
        assert_eq!(ended, Ok(()));
        assert!(said.starts_with("cargo "), "{said}");
        let (ended, _) = finish_and_keep(&mut cargo(&["no-such-command-as-this"]));
        assert!(ended.is_err_and(|why| why.contains("no-such-command-as-this")));
        assert!(!answers(&["no-such-program-as-this"]));
    }
}
