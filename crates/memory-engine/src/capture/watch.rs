//! Watching: sessions are taken in while they go on, until somebody says stop.
//!
//! The system tells when a transcript that is known or the inbox changes; where it cannot, or loses count, everything is
//! looked at again. New sessions are found by looking from time to time, because their folders come and go.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use notify::{Event, RecommendedWatcher, RecursiveMode, Watcher};

use super::inbox;
use super::processed::{Process, Processed};
use crate::disk::Disk;
use crate::error::{Error, Result};
use crate::harness::{Homes, sessions};
use crate::project::project_of;

/// How sessions are watched.
#[derive(Debug, Clone)]
pub struct Watch {
    /// What is taken in, and when a session counts as idle.
    pub process: Process,
    /// After a change so long is waited for others.
    pub debounce: Duration,
    /// How often everything is looked at, whatever the system tells.
    pub every: Duration,
}

/// What a watcher has to say.
#[derive(Debug)]
pub enum Watched {
    /// It watches so many folders; where the system does not tell of changes, it looks by itself.
    Watching {
        /// The folders.
        folders: usize,
        /// Why the system does not tell, if so.
        polling: Option<String>,
    },
    /// Something was taken in.
    Took(Processed),
    /// Taking in failed; it is tried again.
    Failed(crate::error::Error),
}

/// Whether the watch was kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// It was told to stop.
    Stopped,
    /// Another process watches this root.
    Taken,
}

/// Watches until `stop` is set. `take` takes everything in that is new; `say` hears what happens.
pub(crate) fn watch(
    disk: &dyn Disk,
    watch: &Watch,
    stop: &AtomicBool,
    take: &mut dyn FnMut(&Process) -> Result<Processed>,
    say: &mut dyn FnMut(Watched),
) -> Result<Ended> {
    let Some(_elected) = disk.elect("watch")? else { return Ok(Ended::Taken) };
    let mut ears = Ears::new(disk);
    let (mut changed, mut first): (Option<Instant>, Option<Instant>) = (None, None);
    let mut looked: Option<Instant> = None;
    while !stop.load(Ordering::Acquire) {
        let due = looked.is_none_or(|looked| looked.elapsed() >= watch.every)
            || changed.is_some_and(|changed| changed.elapsed() >= watch.debounce)
            || first.is_some_and(|first| first.elapsed() >= watch.debounce.saturating_mul(4));
        if due {
            if let Some(watching) = ears.follow(disk) {
                say(watching);
            }
            match take(&watch.process) {
                Ok(done) => say(Watched::Took(done)),
                // There is nothing left to take it into; whoever opens the root anew may go on.
                Err(error @ Error::TakenAway { .. }) => return Err(error),
                Err(error) => say(Watched::Failed(error)),
            }
            (changed, first, looked) = (None, None, Some(Instant::now()));
        }
        if ears.hear(Duration::from_millis(200)) {
            changed = Some(Instant::now());
            first = first.or(changed);
        }
    }
    // What was said since the last look is not left behind. A first session lies where nobody listens yet, so this does
    // not wait for a change that was heard.
    take(&watch.process).map(|done| say(Watched::Took(done)))?;
    Ok(Ended::Stopped)
}

/// What the system tells.
struct Ears {
    watcher: Option<RecommendedWatcher>,
    heard: Receiver<notify::Result<Event>>,
    folders: HashSet<PathBuf>,
    deaf: Option<String>,
    told: bool,
}

impl Ears {
    fn new(disk: &dyn Disk) -> Self {
        let (tell, heard) = channel();
        let watcher = notify::recommended_watcher(tell);
        let (watcher, deaf) = match watcher {
            Ok(watcher) => (Some(watcher), None),
            Err(error) => (None, Some(error.to_string())),
        };
        let mut ears = Self { watcher, heard, folders: HashSet::new(), deaf, told: false };
        // The inbox may not be there before the first hook.
        let _ = disk.make_folder(inbox::INBOX);
        ears.listen(&disk.root().join(inbox::INBOX));
        ears
    }

    /// Listens where sessions of the project are by now; says so the first time.
    fn follow(&mut self, disk: &dyn Disk) -> Option<Watched> {
        let project = project_of(disk.root().parent().unwrap_or(disk.root()));
        let all = Homes::of_user().map(|homes| sessions(&homes, &project)).unwrap_or_default();
        let folders: HashSet<PathBuf> =
            all.found.into_iter().filter_map(|found| found.path.parent().map(Path::to_owned)).collect();
        let before = self.folders.len();
        folders.iter().for_each(|folder| self.listen(folder));
        let news = !self.told || self.folders.len() != before;
        self.told = true;
        news.then(|| Watched::Watching { folders: self.folders.len(), polling: self.deaf.clone() })
    }

    fn listen(&mut self, folder: &Path) {
        let Some(watcher) = &mut self.watcher else { return };
        if self.folders.contains(folder) {
            return;
        }
        match watcher.watch(folder, RecursiveMode::NonRecursive) {
            Ok(()) => {
                self.folders.insert(folder.to_owned());
            }
            // Too many are watched, or the folder is gone: looking from time to time does for it.
            Err(error) => self.deaf = Some(error.to_string()),
        }
    }

    /// Waits a moment; whether anything changed. What the system lost counts as a change.
    fn hear(&mut self, wait: Duration) -> bool {
        let first = match self.heard.recv_timeout(wait) {
            Ok(event) => event,
            Err(RecvTimeoutError::Timeout) => return false,
            Err(RecvTimeoutError::Disconnected) => {
                std::thread::sleep(wait);
                return false;
            }
        };
        let is_change = |event: &notify::Result<Event>| match event {
            Ok(event) => event.need_rescan() || !event.kind.is_access(),
            Err(_) => true,
        };
        // The rest of a burst is taken along; each of its events must be taken out.
        let rest = self.heard.try_iter().filter(is_change).count();
        is_change(&first) || rest > 0
    }
}
