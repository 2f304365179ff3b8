//! How what memories name looked when it was first seen, and which memories a person looked at: `.vault/anchors.json`, a
//! cache that may be deleted; then what is found next is taken for what was meant.

use std::collections::{HashMap, HashSet};

use memory_core::id::MemoryId;
use memory_core::integrity::Look;
use memory_core::memory::Memory;
use memory_core::time::Time;
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
    /// The memory's text is of this moment.
    pub(super) updated: i64,
    /// The digest of that text; another one means the code as it is then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) text: Option<u64>,
    /// The file's size and time when it last looked like this, and when that was.
    pub(super) size: u64,
    pub(super) modified: i64,
    pub(super) checked: i64,
}

impl Seen {
    /// Whether this was seen for what the memory says now.
    pub(super) fn is_of(&self, memory: &Memory) -> bool {
        match self.text {
            Some(text) => text == digest(memory.body.as_str()),
            None => self.updated == memory.updated.0,
        }
    }

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

/// A memory that a person looked at.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Confirmed {
    memory: MemoryId,
    /// The digest of what it said, and when that was.
    text: u64,
    at: i64,
}

#[derive(Serialize, Deserialize)]
struct Written {
    version: u32,
    anchors: Vec<Seen>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    confirmed: Vec<Confirmed>,
}

/// The digest of a text.
pub(super) fn digest(text: &str) -> u64 {
    let hash = blake3::hash(text.as_bytes());
    hash.as_bytes().iter().take(8).fold(0, |all, byte| all << 8 | u64::from(*byte))
}

/// All of them, by memory and anchor.
#[derive(Default)]
pub(super) struct Baseline {
    pub(super) seen: HashMap<(MemoryId, String), Seen>,
    confirmed: HashMap<MemoryId, Confirmed>,
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
        let (anchors, confirmed) =
            written.map(|written| (written.anchors, written.confirmed)).unwrap_or_default();
        let confirmed = confirmed.into_iter().map(|it| (it.memory.clone(), it)).collect();
        let seen = anchors.into_iter().map(|seen| ((seen.memory.clone(), seen.anchor.clone()), seen));
        Ok(Self { seen: seen.collect(), confirmed, changed: false })
    }

    /// Notes that a person looked at a memory: what it names is taken as it is now.
    pub(super) fn confirm(&mut self, memory: &Memory, now: Time) {
        let text = digest(memory.body.as_str());
        self.seen.retain(|(of, _), _| *of != memory.id);
        self.confirmed.insert(memory.id.clone(), Confirmed { memory: memory.id.clone(), text, at: now.0 });
        self.changed = true;
    }

    /// When a person looked at a memory that said what it says now.
    pub(super) fn confirmed(&self, memory: &Memory) -> Option<Time> {
        let it = self.confirmed.get(&memory.id)?;
        (it.text == digest(memory.body.as_str())).then_some(Time(it.at))
    }

    /// Lets go of memories that are not there any more.
    pub(super) fn keep_confirmed(&mut self, of: &HashSet<&MemoryId>) {
        let before = self.confirmed.len();
        self.confirmed.retain(|memory, _| of.contains(memory));
        self.changed |= self.confirmed.len() != before;
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
        let mut confirmed: Vec<Confirmed> = self.confirmed.values().cloned().collect();
        confirmed.sort_by(|a, b| a.memory.cmp(&b.memory));
        let bytes = serde_json::to_vec(&Written { version: 1, anchors, confirmed }).unwrap_or_default();
        write_whole(disk, &file(), &bytes)
    }
}
