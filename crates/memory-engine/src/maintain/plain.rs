//! Files beside the memories: old snapshots, what a migration left, and the beginning of the history.

use memory_core::event::EventLog;
use memory_core::retain::{Recalled, Stale, is_legacy, prunable, stale_snapshot};
use memory_core::state::State;
use memory_core::time::{DAY_MS, Time};

use super::{Step, Upkeep, is_about_one_file};
use crate::disk::{Sort, Stat, take_away};
use crate::error::Result;
use crate::store::{Batch, Copied, EVENTS, Part, SNAPSHOTS, Store};

/// The largest file that is looked at.
const LARGEST: u64 = 64 << 20;

/// A file that leaves as a whole.
struct Leaving {
    path: String,
    bytes: Vec<u8>,
    stat: Stat,
    about: &'static str,
}

impl Upkeep<'_> {
    /// Snapshots that can no longer be recovered, or that are none.
    pub(super) fn snapshots(&mut self) -> Result<()> {
        let store = self.store();
        let names = store.disk().list(SNAPSHOTS)?;
        let mut leaving = Vec::new();
        for name in names.into_iter().filter(|name| name.sort == Sort::File && !name.name.starts_with('.')) {
            if !name.name.ends_with(".json") {
                continue;
            }
            let path = format!("{SNAPSHOTS}/{}", name.name);
            let Some((bytes, stat)) = self.read(&store, &path)? else { continue };
            let modified = Time(stat.modified_ns / 1_000_000);
            let text = String::from_utf8_lossy(&bytes);
            let about = match stale_snapshot(&text, modified, self.now, self.rules.snapshot_days) {
                Some(Stale::Old) => "too old to be recovered",
                Some(Stale::Broken) => "no snapshot",
                None => continue,
            };
            leaving.push(Leaving { path, bytes, stat, about });
        }
        drop(store);
        self.done.snapshots = self.archive_away(Step::Snapshots, &leaving)?;
        Ok(())
    }

    /// What a migration left at the top of the root.
    pub(super) fn legacy(&mut self) -> Result<()> {
        let store = self.store();
        let names = store.disk().list("")?;
        let of = |sort| names.iter().filter(move |name| name.sort == sort).map(|name| name.name.as_str());
        let folders: Vec<&str> = of(Sort::Folder).collect();
        let mut leaving = Vec::new();
        for name in of(Sort::File).filter(|name| is_legacy(name, &folders)) {
            let Some((bytes, stat)) = self.read(&store, name)? else { continue };
            let about =
                if name.ends_with(".bak") { "a migration's backup" } else { "its vault stands in its place" };
            leaving.push(Leaving { path: name.to_owned(), bytes, stat, about });
        }
        drop(store);
        self.done.legacy = self.archive_away(Step::Legacy, &leaving)?;
        Ok(())
    }

    /// Events that are old, and known to the state where there is one; and batches of such events that are older still.
    pub(super) fn history(&mut self) -> Result<()> {
        let store = self.store();
        let lock = store.lock()?;
        if let Some((bytes, stat)) = self.read(&store, EVENTS)? {
            let state = store.disk().read("state.json", LARGEST)?;
            let recalled = match state.map(|state| State::parse(&String::from_utf8_lossy(&state))) {
                None => Recalled::NoState,
                Some(Ok(state)) => {
                    state.maintenance.last_recalled_event_id.map_or(Recalled::None, Recalled::UpTo)
                }
                Some(Err(_)) => Recalled::None,
            };
            let log = EventLog::read(&bytes);
            let ends = prunable(&log, recalled, self.now, self.rules.history_days);
            if ends > 0 {
                self.done.events = log.events.iter().filter(|logged| logged.bytes.end <= ends).count();
                let count = self.done.events;
                self.done.note(Step::History, "prune", EVENTS, count).about = "old events".to_owned();
                if self.applies() {
                    let mut batch = Batch::new("history");
                    let head = Copied { part: Part::Head, ..Copied::leaving(EVENTS, &bytes[..ends]) };
                    store.copy_into(&mut batch, vec![head])?;
                    if store.replace_plain(EVENTS, Some(stat), &bytes[ends..])? {
                        self.done.pruned = batch.name().map(str::to_owned);
                    } else {
                        self.done.errors.push((EVENTS.to_owned(), "it keeps changing".to_owned()));
                    }
                }
            }
        }
        if self.rules.archive_days > 0 {
            let before = Time(self.now.0 - i64::from(self.rules.archive_days) * DAY_MS);
            for name in store.expired_batches(before)? {
                let path = format!("archive/{name}");
                self.done.note(Step::History, "expire", &path, 1).about = "nothing but old events".to_owned();
                self.done.expired += 1;
                if self.applies() {
                    store.remove_batch(&name)?;
                }
            }
        }
        drop(lock);
        Ok(())
    }

    /// Copies files into the batch and takes them away; gives how many left.
    fn archive_away(&mut self, step: Step, leaving: &[Leaving]) -> Result<usize> {
        for file in leaving {
            self.done.note(step, "archive", &file.path, 1).about = file.about.to_owned();
        }
        if !self.applies() || leaving.is_empty() {
            return Ok(leaving.len());
        }
        let store = self.store();
        let _lock = store.lock()?;
        let copies = leaving.iter().map(|file| Copied::leaving(&file.path, &file.bytes)).collect();
        store.copy_into(&mut self.batch, copies)?;
        let mut count = 0;
        for file in leaving {
            if take_away(store.disk(), &file.path, file.stat)? {
                count += 1;
            } else {
                self.done.errors.push((file.path.clone(), "it changed meanwhile and stays".to_owned()));
            }
        }
        Ok(count)
    }

    /// A file with what tells that it changed since; what cannot be read stays and is named.
    pub(super) fn read(&mut self, store: &Store, path: &str) -> Result<Option<(Vec<u8>, Stat)>> {
        let read = || -> Result<Option<(Vec<u8>, Stat)>> {
            let Some(stat) = store.disk().stat(path)? else { return Ok(None) };
            let bytes = store.disk().read(path, LARGEST)?;
            Ok(bytes.map(|bytes| (bytes, stat)))
        };
        match read() {
            Err(error) if is_about_one_file(&error) => {
                self.failed(path, &error);
                Ok(None)
            }
            other => other,
        }
    }
}
