//! A client as a child: it runs in a group of its own, for a limited time, and leaves nobody behind.
//!
//! Only processes are ended that were started here: the child's own group, and those that live in its home.

use std::fmt;
use std::fs::{self, File};
use std::io;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// How often a child is looked after.
const LOOK: Duration = Duration::from_millis(20);

/// How a child ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ended {
    Well,
    Badly(ExitStatus),
    /// It was still running when its time was over.
    Late(Duration),
}

impl fmt::Display for Ended {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Well => write!(out, "ended well"),
            Self::Badly(status) => write!(out, "{status}"),
            Self::Late(limit) => write!(out, "did not end within {} s", limit.as_secs()),
        }
    }
}

/// Runs a command, with what it says in a file, and ends its whole group when its time is over.
pub(super) fn run(command: &mut Command, log: &Path, limit: Duration) -> Result<Ended, String> {
    let told = |error: io::Error| format!("`{}`: {error}", log.display());
    let out = File::options().create(true).append(true).open(log).map_err(told)?;
    let err = out.try_clone().map_err(told)?;
    command.stdin(Stdio::null()).stdout(out).stderr(err);
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    let name = command.get_program().to_string_lossy().into_owned();
    let mut child = command.spawn().map_err(|error| format!("`{name}` does not start: {error}"))?;
    let begun = Instant::now();
    let ended = loop {
        match child.try_wait() {
            Ok(Some(status)) if status.success() => break Ended::Well,
            Ok(Some(status)) => break Ended::Badly(status),
            Ok(None) if begun.elapsed() > limit => break Ended::Late(limit),
            Ok(None) => thread::sleep(LOOK),
            Err(error) => return Err(format!("`{name}` could not be waited for: {error}")),
        }
    };
    if matches!(ended, Ended::Late(_)) {
        end_group(&mut child);
    }
    Ok(ended)
}

/// Ends a child and its group. A program sends the signal, as nothing in Rust's library does.
fn end_group(child: &mut Child) {
    let group = format!("-{}", child.id());
    let _ = Command::new("kill").args(["-KILL", "--", &group]).stderr(Stdio::null()).status();
    let _ = child.kill();
    let _ = child.wait();
}

/// Ends what a client left running: processes whose home is this folder, which nobody's else can be.
pub(super) fn sweep(home: &Path) {
    let mark = format!("HOME={}", home.display()).into_bytes();
    // One that is just being started has no environment yet, so it is looked for twice.
    for _ in 0..2 {
        for id in living(&mark) {
            let _ = Command::new("kill").args(["-KILL", &id.to_string()]).stderr(Stdio::null()).status();
        }
        thread::sleep(LOOK);
    }
}

/// The processes, without this one, that have this in their environment.
fn living(mark: &[u8]) -> Vec<u32> {
    let mut found = Vec::new();
    for entry in fs::read_dir("/proc").into_iter().flatten().flatten() {
        let Ok(id) = entry.file_name().to_string_lossy().parse::<u32>() else { continue };
        let environment = fs::read(entry.path().join("environ")).unwrap_or_default();
        if id != std::process::id() && environment.split(|&byte| byte == 0).any(|it| it == mark) {
            found.push(id);
        }
    }
    found
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn shell(line: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", line]);
        command
    }

    #[test]
    fn a_child_ends_well_badly_or_late() {
        let place = tempfile::tempdir().unwrap();
        let log = place.path().join("log");
        let limit = Duration::from_millis(300);
        assert_eq!(run(&mut shell("echo one"), &log, limit), Ok(Ended::Well));
        assert!(matches!(run(&mut shell("echo two >&2; exit 3"), &log, limit), Ok(Ended::Badly(_))));
        assert_eq!(fs::read_to_string(&log).unwrap(), "one\ntwo\n");
        // The grandchild goes with its group.
        let begun = Instant::now();
        assert_eq!(run(&mut shell("sleep 60 & wait"), &log, limit), Ok(Ended::Late(limit)));
        assert!(begun.elapsed() < Duration::from_secs(30));
        assert!(run(&mut Command::new("no-such-program-as-this"), &log, limit).is_err());
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn what_a_client_left_running_is_ended() {
        use std::io::Read;
        let home = tempfile::tempdir().unwrap();
        // It says when it runs, and then waits for words that never come.
        let waits = |home: &Path| {
            let mut command = shell("echo runs; read words");
            command.env("HOME", home).stdin(Stdio::piped()).stdout(Stdio::piped());
            let mut child = command.spawn().unwrap();
            child.stdout.as_mut().unwrap().read_exact(&mut [0; 4]).unwrap();
            child
        };
        let mut left = waits(home.path());
        let mut other = waits(Path::new("/nobody"));
        sweep(home.path());
        assert!(left.try_wait().unwrap().is_some_and(|status| !status.success()));
        assert!(other.try_wait().unwrap().is_none());
        end_group(&mut other);
    }
}
