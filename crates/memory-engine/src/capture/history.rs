//! The history `history/events.jsonl`: what happened, appended line by line and never changed here.
//!
//! The same content is the same event: what a crash makes happen twice is found in the end of the log and left out.

use std::collections::HashSet;

use memory_core::event::{Event, EventId, EventLog, append_line, next_event_id};

use crate::disk::{Disk, folder_of};
use crate::error::Result;
use crate::store::EVENTS;

/// So much of its end is looked at for the last number and for repetitions.
const END: u64 = 256 << 10;

/// The end of the log, to which events are added. The caller holds the lock of the root.
pub(super) struct History<'a> {
    disk: &'a dyn Disk,
    last: Option<EventId>,
    known: HashSet<String>,
    /// What the last writer left: a line without its end is closed first.
    torn: bool,
    lines: String,
}

impl<'a> History<'a> {
    pub(super) fn open(disk: &'a dyn Disk) -> Result<Self> {
        let size = disk.stat(EVENTS)?.map_or(0, |stat| stat.size);
        let from = size.saturating_sub(END);
        let bytes = disk.read_range(EVENTS, from..size)?.unwrap_or_default();
        // The first line may have begun before the part that was read.
        let cut =
            if from == 0 { 0 } else { bytes.iter().position(|&b| b == b'\n').map_or(bytes.len(), |n| n + 1) };
        let log = EventLog::read(&bytes[cut..]);
        Ok(Self {
            disk,
            last: log.highest,
            known: log.events.into_iter().map(|logged| logged.event.content_hash).collect(),
            torn: log.open_end,
            lines: String::new(),
        })
    }

    /// Adds an event, numbered, unless it is there already.
    pub(super) fn add(&mut self, mut event: Event) {
        if !self.known.insert(event.content_hash.clone()) {
            return;
        }
        let Some(id) = next_event_id(self.last, None) else { return };
        self.last = Some(id);
        event.id = id;
        self.lines.push_str(&append_line(&event));
    }

    /// Writes what was added.
    pub(super) fn close(self) -> Result<()> {
        if self.lines.is_empty() {
            return Ok(());
        }
        self.disk.make_folder(folder_of(EVENTS))?;
        let lines = if self.torn { format!("\n{}", self.lines) } else { self.lines };
        self.disk.append(EVENTS, lines.as_bytes())?;
        self.disk.sync(EVENTS)?;
        // What was taken in is not read again, so the name of a new log must be as safe as its bytes.
        self.disk.sync_folder(folder_of(EVENTS))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::disk::FaultyDisk;

    #[test]
    fn the_first_events_outlive_a_power_loss() {
        let folder = tempfile::tempdir().unwrap();
        let disk = FaultyDisk::new(folder.path());
        let mut history =
            History { disk: &disk, last: None, known: HashSet::new(), torn: false, lines: String::new() };
        history.lines.push_str("{}\n");
        history.close().unwrap();
        for seed in 0..20 {
            let other = tempfile::tempdir().unwrap();
            assert_eq!(disk.reboot(other.path(), seed).cat(EVENTS).as_deref(), Some(&b"{}\n"[..]), "{seed}");
        }
    }
}
