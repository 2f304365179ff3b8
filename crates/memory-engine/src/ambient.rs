//! The one place that reads the clock, the environment, the home folder and the source of randomness.

#![expect(clippy::disallowed_methods, reason = "this module is the home of clock and environment")]

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};

use memory_core::time::Time;

use crate::error::{Error, Result};

/// The names of the environment variables that are read.
pub mod names {
    /// The root, where `--dir` is not given.
    pub const DIR: &str = "AGENT_MEMORY_DIR";
    /// The agent, where `--agent` is not given.
    pub const AGENT: &str = "AGENT_MEMORY_AGENT";
    /// Where settings and approvals of this user live, in place of the system's usual folders.
    pub const HOME: &str = "AGENT_MEMORY_HOME";
    /// Anything but `0` keeps all work in the process that was called.
    pub const NO_BACKGROUND: &str = "AGENT_MEMORY_NO_BACKGROUND";
}

/// Now.
pub fn now() -> Time {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Time(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
}

/// The number of this process.
pub fn process() -> u32 {
    std::process::id()
}

/// Bytes that nobody can guess and no other process draws.
pub fn random_bytes<const N: usize>() -> Result<[u8; N]> {
    let mut bytes = [0; N];
    let drawn = getrandom::fill(&mut bytes).map_err(std::io::Error::other);
    drawn.map_err(Error::disk("draw from", "the system's source of randomness"))?;
    Ok(bytes)
}

/// A number for choices that harm nobody who guesses them; 0 where none can be drawn.
pub fn random() -> u64 {
    random_bytes().map_or(0, u64::from_le_bytes)
}

/// An environment variable that is set and not empty.
pub fn variable(name: &str) -> Option<OsString> {
    std::env::var_os(name).filter(|value| !value.is_empty())
}

/// The folder a command was started in.
pub fn current_dir() -> std::io::Result<PathBuf> {
    std::env::current_dir()
}

/// The folder for this user's settings and approvals of roots.
pub fn user_folder() -> Option<PathBuf> {
    if let Some(own) = variable(names::HOME) {
        return Some(PathBuf::from(own));
    }
    if cfg!(windows) {
        return variable("APPDATA").map(|dir| PathBuf::from(dir).join("agent-memory"));
    }
    let home = variable("HOME").map(PathBuf::from)?;
    if cfg!(target_os = "macos") {
        return Some(home.join("Library/Application Support/agent-memory"));
    }
    let config = variable("XDG_CONFIG_HOME").map_or_else(|| home.join(".config"), PathBuf::from);
    Some(config.join("agent-memory"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_draws_are_alike() {
        let draws: std::collections::HashSet<[u8; 16]> = (0..1000).map(|_| random_bytes().unwrap()).collect();
        assert_eq!(draws.len(), 1000);
        // Not one bit is the same in all of them.
        let fold = |with: fn(u128, u128) -> u128, start| {
            draws.iter().map(|draw| u128::from_le_bytes(*draw)).fold(start, with)
        };
        assert_eq!((fold(|a, b| a & b, u128::MAX), fold(|a, b| a | b, 0)), (0, u128::MAX));
    }
}
