//! How what memories name looked when it was first seen: `.vault/anchors.json`, a cache that may be deleted; then what is
//! found next is taken for what was meant.

use std::collections::HashMap;

use memory_core::id::MemoryId;
use memory_core::integrity::Look;
use serde::{Deserialize, Serialize};

use crate::disk::{Disk, Stat, write_whole};
use crate::error::Result;
use crate::store::OWN;

const LARGEST: u64 = 64 << 20;

/// How one thing looked that one memory names.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Seen {
    pub(super) memory: MemoryId,
    /// As the text names it.
    pub(super) anchor: String,
    pub(super) place: String,
    pub(super) name: String,
    pub(super) digest: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) shape: Option<u64>,
    /// The memory's text is of this moment; a newer one means the code as it is then.
    pub(super) updated: i64,
    /// The file's size and time when it last looked like this, and when that was.
    pub(super) size: u64,
    pub(super) modified: i64,
    pub(super) checked: i64,
}

impl Seen {
    pub(super) fn look(&self) -> Look {
        Look { place: self.place.clone(), name: self.name.clone(), digest: self.digest, shape: self.shape }
    }

    /// Whether a file is certainly as it was: one that was written in the moment in which it was looked at may not be.
    pub(super) fn is_untouched(&self, stat: Stat) -> bool {
        let grain_ms = 50;
        stat.size == self.size
            && stat.modified_ns == self.modified
            && stat.modified_ns / 1_000_000 + grain_ms < self.checked
    }
}

#[derive(Serialize, Deserialize)]
struct Written {
    version: u32,
    anchors: Vec<Seen>,
}

/// All of them, by memory and anchor.
#[derive(Default)]
pub(super) struct Baseline {
    pub(super) seen: HashMap<(MemoryId, String), Seen>,
    pub(super) changed: bool,
}

fn file() -> String {
    format!("{OWN}/anchors.json")
}

impl Baseline {
    /// Reads them; a file that does not parse is as good as none.
    pub(super) fn load(disk: &dyn Disk) -> Result<Self> {
        let bytes = disk.read(&file(), LARGEST)?.unwrap_or_default();
        let written = serde_json::from_slice::<Written>(&bytes).ok().filter(|written| written.version == 1);
        let anchors = written.map(|written| written.anchors).unwrap_or_default();
        let seen = anchors.into_iter().map(|seen| ((seen.memory.clone(), seen.anchor.clone()), seen));
        Ok(Self { seen: seen.collect(), changed: false })
    }

    pub(super) fn put(&mut self, seen: Seen) {
        self.changed = true;
        self.seen.insert((seen.memory.clone(), seen.anchor.clone()), seen);
    }

    pub(super) fn save(&self, disk: &dyn Disk) -> Result<()> {
        if !self.changed {
            return Ok(());
        }
        let mut anchors: Vec<Seen> = self.seen.values().cloned().collect();
        anchors.sort_by(|a, b| (&a.memory, &a.anchor).cmp(&(&b.memory, &b.anchor)));
        let bytes = serde_json::to_vec(&Written { version: 1, anchors }).unwrap_or_default();
        write_whole(disk, &file(), &bytes)
    }
}
