//! A hook is called: find out what it tells and for which root, and put that into the root's inbox.
//!
//! It never fails. Where there is no root, or one that this user has not approved, nothing at all is done; whatever
//! else goes wrong is a line in the root's log.

use std::path::{Path, PathBuf};

use memory_core::session::Client;

use crate::ambient;
use crate::disk::{Disk, OsDisk};
use crate::hook::{self, Call, Happened, Signal};
use crate::paths::{self, Trust};

use super::inbox::{self, Put};
use super::log;

/// A hook as it was called.
#[derive(Debug, Clone, Copy)]
pub struct Hook<'a> {
    /// The word for the client.
    pub client: &'a str,
    /// The event, where the command line names it.
    pub event: Option<&'a str>,
    /// What stood on stdin.
    pub input: &'a [u8],
    /// The root, where the command line names it.
    pub dir: Option<&'a Path>,
}

/// What a hook told, and where it belongs.
#[derive(Debug, Clone)]
pub struct Heard {
    /// The root, which is approved.
    pub root: PathBuf,
    /// What was told.
    pub signal: Signal,
    /// Whether it waits in the inbox.
    pub kept: bool,
    /// Whether the root has a ledger.
    pub known: bool,
}

/// Hears a hook out. `None` where there is nothing to do.
pub fn hear(hook: Hook<'_>) -> Option<Heard> {
    let read = match Client::of_word(hook.client) {
        Some(named) => {
            let call = Call { named, event: hook.event, bytes: hook.input };
            match std::panic::catch_unwind(|| hook::read(call, &variable)) {
                Ok(read) => read.map_err(|unread| unread.to_string()),
                Err(_) => Err("a defect of agent-memory: what was told could not be read".to_owned()),
            }
        }
        None => {
            Err("this client is not known; the help of `agent-memory hook` lists those that are".to_owned())
        }
    };
    let cwd = read.as_ref().ok().and_then(|signal| signal.cwd.as_deref());
    let disk = approved(&root_of(hook.dir, cwd)?)?;
    let signal = match read {
        Ok(signal) => signal,
        Err(why) => {
            log::say(&disk, &format!("hook {}: {why}", hook.client));
            return None;
        }
    };
    let complain = |what: &str| log::say(&disk, &format!("hook {}: {what}", signal.client));
    if signal.happened == Happened::Unknown {
        complain(&format!("the event `{}` is not known", signal.event));
    }
    let kept = signal.happened.is_kept()
        && match inbox::put(&disk, &signal) {
            Ok(put) => matches!(put, Put::Waits(_)),
            Err(error) => {
                complain(&format!("`{}` is lost: {error}", signal.event));
                false
            }
        };
    let known = disk.ledger().exists();
    Some(Heard { root: disk.root().to_owned(), signal, kept, known })
}

/// The root that a hook belongs to: the one that is named, else the nearest one above the project's folder where the
/// agent works in that, else above the folder in which the agent works, else above the project's, else above the one in
/// which the hook runs. An agent goes from folder to folder, and its session belongs to one memory.
fn root_of(dir: Option<&Path>, cwd: Option<&str>) -> Option<PathBuf> {
    if dir.is_some() || ambient::variable(ambient::names::DIR).is_some() {
        return paths::find_root(dir).ok().filter(|found| found.exists).map(|found| found.root);
    }
    let cwd = cwd.map(PathBuf::from).filter(|folder| folder.is_absolute());
    let project = ambient::variable(PROJECT).map(PathBuf::from).filter(|folder| folder.is_absolute());
    let around = project.clone().filter(|project| cwd.as_ref().is_some_and(|cwd| cwd.starts_with(project)));
    let folders = [around, cwd, project, ambient::current_dir().ok()];
    folders.into_iter().flatten().find_map(|folder| paths::root_above(&folder))
}

/// The variable in which most clients, not only Claude Code, name the project to their hooks.
const PROJECT: &str = "CLAUDE_PROJECT_DIR";

/// The disk of a root that this user approved.
fn approved(root: &Path) -> Option<OsDisk> {
    let disk = OsDisk::open(root).ok()?;
    (paths::trust_of(root).ok()? == Trust::Trusted).then_some(disk)
}

fn variable(name: &str) -> Option<String> {
    ambient::variable(name).and_then(|value| value.into_string().ok())
}
