//! Memories that leave a file and what comes in their place: archived, then one durable commit, then the files.
//!
//! A crash before the commit leaves everything as it was, and a crash after it is made good by the next flush.

use std::collections::{HashMap, HashSet};

use memory_core::id::MemoryId;
use memory_core::layout::{self, Found};
use memory_core::memory::Memory;
use memory_core::scope::SourceClass;

use super::batch::{Batch, Copied, Gone, Made, Part};
use super::reconcile::{Looked, Suspicion};
use super::write::op;
use super::{Store, home_of};
use crate::ambient;
use crate::error::Result;
use crate::ledger::{OpKind, Payload};

/// A memory file as it stands.
pub(crate) struct Held {
    pub(crate) path: String,
    pub(crate) bytes: Vec<u8>,
    /// What it holds, in its order, each trusted as the ledger knows it.
    pub(crate) found: Vec<Found>,
    /// The operation that last changed each.
    seqs: HashMap<MemoryId, i64>,
    /// Whether there is such a file.
    stands: Stands,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Stands {
    Yes,
    NotYet,
}

impl Held {
    /// A file that is not there yet.
    fn not_yet(path: &str) -> Self {
        let (bytes, found, seqs) = (Vec::new(), Vec::new(), HashMap::new());
        Self { path: path.to_owned(), bytes, found, seqs, stands: Stands::NotYet }
    }

    /// A copy of it for a batch.
    pub(crate) fn copied(&self, gone: Vec<Gone>, made: Vec<Made>) -> Copied<'_> {
        let part = if self.is_there() { Part::Whole } else { Part::Absent };
        Copied { path: &self.path, bytes: &self.bytes, part, left: None, gone, made }
    }

    /// Whether there is such a file.
    pub(crate) fn is_there(&self) -> bool {
        self.stands == Stands::Yes
    }

    /// The memories.
    pub(crate) fn memories(&self) -> Vec<Memory> {
        self.found.iter().map(|found| found.memory.clone()).collect()
    }

    /// How many characters the file has.
    pub(crate) fn chars(&self) -> usize {
        String::from_utf8_lossy(&self.bytes).chars().count()
    }
}

/// What changes in one file.
pub(crate) struct Exchange {
    pub(crate) held: Held,
    pub(crate) leaving: Vec<MemoryId>,
    pub(crate) coming: Vec<Coming>,
}

/// What comes.
pub(crate) enum Coming {
    /// A memory, in the form of its file.
    Memory(Memory),
    /// These bytes, which hold the memory.
    Raw(Memory, Vec<u8>),
}

impl Store {
    /// A file as it stands, once everything that waits for it is in it; `None` when it must not be touched. Needs the
    /// lock.
    pub(crate) fn held(&mut self, path: &str) -> Result<Option<Held>> {
        let home = home_of(path)?;
        self.refresh()?;
        for _ in 0..3 {
            // What is wrong with another file does not concern this one, and this one is looked at below.
            self.flush_for(&[])?;
            if let Looked::HandsOff(why) = self.reconcile_file(path, Suspicion::Apply)? {
                self.notice("frozen", format!("`{path}` is left alone: {why}"));
                return Ok(None);
            }
            if !self.has_tail() {
                break;
            }
        }
        // Why it cannot be written was said above; what it shows is not what holds.
        if self.waits_for(path) {
            return Ok(None);
        }
        let Some(bytes) = self.disk.read(path, self.config.limits.file_bytes)? else {
            return Ok(Some(Held::not_yet(path)));
        };
        let row = self.ledger.file(path)?;
        let rows = match &row {
            Some(row) => self.ledger.rows_of_file(row.no)?,
            None => Vec::new(),
        };
        // Somebody who writes the file just now is met again at the next upkeep.
        if self.has_tail() || row.is_none_or(|row| row.digest != *blake3::hash(&bytes).as_bytes()) {
            self.notice("busy", format!("`{path}` keeps changing; upkeep leaves it alone this time"));
            return Ok(None);
        }
        let known: HashMap<MemoryId, (i64, u8)> =
            rows.into_iter().map(|row| (row.id, (row.seq, row.class))).collect();
        let mut found = layout::read(&home, &bytes).found;
        for found in &mut found {
            let class = known.get(&found.memory.id).map(|(_, class)| SourceClass::of_rank(*class));
            let written = found.memory.provenance.class;
            found.memory.provenance.class =
                class.map_or(SourceClass::Untrusted.min(written), |it| it.min(written));
        }
        let seqs = known.into_iter().map(|(id, (seq, _))| (id, seq)).collect();
        Ok(Some(Held { path: path.to_owned(), bytes, found, seqs, stands: Stands::Yes }))
    }

    /// The ids that were ever given to memories of vaults, as numbers.
    pub(crate) fn given_ids(&self) -> Result<HashSet<u64>> {
        let mut given = HashSet::new();
        self.ledger.each_change(0, &mut |_, id, _| given.extend(id.millis()))?;
        Ok(given)
    }

    /// Whether a memory of this name stands in some file.
    pub(crate) fn stands(&self, id: &MemoryId) -> Result<bool> {
        Ok(!self.ledger.rows_of_id(id)?.is_empty())
    }

    /// Whether a memory of this name stands in some file, or will when what waits is written.
    pub(crate) fn is_known(&self, id: &MemoryId) -> Result<bool> {
        let waits = self.tail_op(id).map(|op| op.kind != OpKind::Remove && op.kind != OpKind::FoundGone);
        match waits {
            Some(waits) => Ok(waits),
            None => self.stands(id),
        }
    }

    /// Carries exchanges out: the files as they were go into the batch, then everything is one commit. Needs the lock
    /// under which the files were held.
    pub(crate) fn exchange(&mut self, batch: &mut Batch, exchanges: Vec<Exchange>) -> Result<()> {
        let now = ambient::now();
        let mut copies = Vec::new();
        for Exchange { held, leaving, coming } in &exchanges {
            let leaves: HashSet<&MemoryId> = leaving.iter().collect();
            let gone = held
                .found
                .iter()
                .filter(|found| leaves.contains(&found.memory.id))
                .map(|found| Gone { id: found.memory.id.clone(), class: found.memory.provenance.class });
            let made = coming.iter().map(|coming| {
                let memory = coming.memory();
                Made::of(&memory.id, &memory.body)
            });
            copies.push(held.copied(gone.collect(), made.collect()));
        }
        self.copy_into(batch, copies)?;
        let archive = batch.name().unwrap_or_default().to_owned();
        let mut ops = Vec::new();
        for Exchange { held, leaving, coming } in exchanges {
            for id in leaving {
                let mut remove = op(OpKind::Remove, now, &id, held.path.clone(), Payload::None);
                remove.before = held.seqs.get(&id).copied().unwrap_or(0);
                remove.archive.clone_from(&archive);
                ops.push(remove);
            }
            for coming in coming {
                let id = coming.memory().id.clone();
                let (kind, payload) = match coming {
                    Coming::Memory(memory) => (OpKind::Put, Payload::Memory(Box::new(memory))),
                    Coming::Raw(memory, raw) => (OpKind::Restore, Payload::Raw(Box::new(memory), raw)),
                };
                ops.push(op(kind, now, &id, held.path.clone(), payload));
            }
        }
        self.commit(ops)?;
        self.flush_for(&[])
    }
}

impl Coming {
    fn memory(&self) -> &Memory {
        match self {
            Self::Memory(memory) | Self::Raw(memory, _) => memory,
        }
    }
}
