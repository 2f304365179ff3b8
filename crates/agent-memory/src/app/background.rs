//! Brings the index up to date, and takes sessions in, in a process of its own, so that no command waits for it.
//!
//! The child is this very program. It elects itself by a lock and leaves when another is at it, so starting one too many
//! costs little; starting none costs only speed, since answers never hang on the index and letters wait.

use std::path::Path;
use std::process::{Command, Stdio};

use memory_engine::ambient;

/// So many memories outside the index are worth a process.
pub(crate) const MANY: usize = 64;

/// Whether anything may run in the background.
pub(crate) fn is_on() -> bool {
    ambient::variable(ambient::names::NO_BACKGROUND).is_none_or(|value| value == "0")
}

/// Whether a write of so many memories is the one that starts the child: a large one always, a small one so often
/// that it happens once in [`MANY`] memories. Looking at the index itself would cost more than the write.
pub(crate) fn is_due(written: usize) -> bool {
    let dice = usize::try_from(ambient::now().0.rem_euclid(MANY as i64)).unwrap_or_default();
    written >= MANY || dice < written
}

/// Brings the index up to date.
pub(crate) fn update_index(root: &Path) {
    start(root, &["index", "update"]);
}

/// Takes in what hooks told: of the sessions to which they point (`hooks`), or of all (`all`).
pub(crate) fn process(root: &Path, which: &str) {
    start(root, &["process", "--background", which]);
}

/// Starts the child and does not wait for it. Where that fails, a later command tries again.
fn start(root: &Path, arguments: &[&str]) {
    if !is_on() {
        return;
    }
    let Ok(program) = std::env::current_exe() else { return };
    let mut command = Command::new(program);
    command.arg("--dir").arg(root).arg("--quiet").args(arguments).current_dir(root);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    apart(&mut command);
    let _ = command.spawn();
}

/// A key such as Ctrl-C that ends the command at the terminal is not meant for the child.
#[cfg(unix)]
fn apart(command: &mut Command) {
    std::os::unix::process::CommandExt::process_group(command, 0);
}

#[cfg(windows)]
fn apart(command: &mut Command) {
    const DETACHED_PROCESS: u32 = 0x8;
    const CREATE_NEW_PROCESS_GROUP: u32 = 0x200;
    std::os::windows::process::CommandExt::creation_flags(
        command,
        DETACHED_PROCESS | CREATE_NEW_PROCESS_GROUP,
    );
}

#[cfg(not(any(unix, windows)))]
fn apart(_: &mut Command) {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_large_write_is_always_due_and_none_never() {
        assert!(is_due(MANY) && is_due(100_000));
        assert!(!is_due(0));
    }
}
