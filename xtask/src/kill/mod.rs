//! `cargo xtask kill`: real processes are killed at random, and what they acknowledged must stand afterwards.
//!
//! Four runs: [`store`] kills processes that write, and looks at the files; [`index`] kills processes that bring the
//! index up to date, and looks at the answers; [`capture`] kills processes that take sessions in, and looks at what was
//! kept; [`compact`] kills processes that compact, and looks for every sentence. A run prints its seed; the same seed makes the same choices, though the moments of the kills hang on the
//! machine.

mod answers;
mod book;
mod capture;
mod compact;
mod index;
mod store;
mod verdict;

use std::path::{Path, PathBuf};
use std::process::{Child, Command};

use crate::bench;

/// Runs one of them: `[index|capture|compact] [--kills N] [--seed N] [--binary FILE]`, and `[--processes N] [--appends N]` or
/// `[--writes N]` or `[--sessions N]` or `[--entries N]`.
pub fn run(args: &[String]) -> Result<(), String> {
    match args.split_first() {
        Some((first, rest)) if first == "index" => index::run(rest),
        Some((first, rest)) if first == "capture" => capture::run(rest),
        Some((first, rest)) if first == "compact" => compact::run(rest),
        _ => store::run(args),
    }
}

/// The product with a memory and a home of its own, and nothing in the background that was not started here.
struct Product {
    binary: PathBuf,
    root: PathBuf,
    home: PathBuf,
}

impl Product {
    fn new(binary: &Path, project: &Path, place: &Path) -> Self {
        Self { binary: binary.to_owned(), root: project.join(".memory"), home: place.join("home") }
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(&self.binary);
        command.arg("--dir").arg(&self.root).args(args);
        command.env("AGENT_MEMORY_HOME", &self.home).env("AGENT_MEMORY_NO_BACKGROUND", "1");
        // An agent that the environment names would see only its own memories.
        command.env_remove("AGENT_MEMORY_AGENT");
        command
    }
}

/// Kills a process; `false` when it had ended by itself.
fn strike(child: &mut Child) -> Result<bool, String> {
    let told = |error: std::io::Error| error.to_string();
    if let Some(status) = child.try_wait().map_err(told)? {
        return if status.success() { Ok(false) } else { Err(format!("a process ended with {status}")) };
    }
    child.kill().map_err(told)?;
    child.wait().map_err(told)?;
    Ok(true)
}

/// The build that `--binary` names, or a release build of what is here.
fn binary(args: &[String]) -> Result<PathBuf, String> {
    match args.iter().position(|arg| arg == "--binary") {
        Some(at) => {
            let named = args.get(at + 1).ok_or("--binary takes a file")?;
            // Processes run it from folders of their own.
            std::path::absolute(named).map_err(|error| format!("`{named}`: {error}"))
        }
        None => bench::product(),
    }
}

fn number(args: &[String], name: &str, usual: usize) -> Result<usize, String> {
    match args.iter().position(|arg| arg == name) {
        Some(at) => args.get(at + 1).and_then(|n| n.parse().ok()).ok_or(format!("{name} takes a number")),
        None => Ok(usual),
    }
}

fn seed(args: &[String]) -> Result<u64, String> {
    let clock = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    Ok(number(args, "--seed", usize::try_from(clock.as_millis() % 1_000_000).unwrap_or(1))? as u64)
}

/// Acts in a new folder, which is left for a look when that fails.
fn in_a_folder(name: &str, act: impl FnOnce(&Path) -> Result<(), String>) -> Result<(), String> {
    let place = std::env::temp_dir().join(format!("agent-memory-{name}-{}", std::process::id()));
    let outcome = act(&place);
    if outcome.is_ok() {
        let _ = std::fs::remove_dir_all(&place);
    } else {
        println!("the folder is left for a look: {}", place.display());
    }
    outcome
}

/// A small repeatable source of choices.
struct Dice(u64);

impl Dice {
    fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 11).unwrap_or(0) % limit.max(1)
    }
}
