//! What was brought in before: a file with a line of 16 hexadecimal digits for each item, sorted.
//!
//! The digits are a digest of the item's identity, so the file holds nobody's words. It may be lost: then the door
//! finds what stands here already, and only what was edited since comes again.

use std::collections::BTreeSet;

use crate::disk::{Disk, write_whole};
use crate::error::Result;

/// What imports brought in.
pub(crate) const IMPORTED: &str = ".vault/imported";
/// What transcripts gave.
pub(super) const GIVEN: &str = ".vault/transcripts/given";
/// More than a million items.
const LARGEST: u64 = 64 << 20;

/// The identities of everything that was brought in one way.
pub(crate) struct Known {
    file: &'static str,
    digests: BTreeSet<u64>,
    fresh: usize,
}

impl Known {
    /// Reads them; lines that are none are passed over.
    pub(crate) fn load(disk: &dyn Disk, file: &'static str) -> Result<Self> {
        let bytes = disk.read(file, LARGEST)?.unwrap_or_default();
        let lines = bytes.split(|byte| *byte == b'\n').filter_map(|line| std::str::from_utf8(line).ok());
        let digests = lines.filter_map(|line| u64::from_str_radix(line.trim(), 16).ok()).collect();
        Ok(Self { file, digests, fresh: 0 })
    }

    pub(crate) fn has(&self, identity: u64) -> bool {
        self.digests.contains(&identity)
    }

    /// Notes one; `false` when it was noted before.
    pub(crate) fn add(&mut self, identity: u64) -> bool {
        let is_new = self.digests.insert(identity);
        self.fresh += usize::from(is_new);
        is_new
    }

    /// How many are not written yet.
    pub(crate) fn unsaved(&self) -> usize {
        self.fresh
    }

    /// Writes all of them. Another process may have written meanwhile, so its lines are read again first.
    pub(crate) fn save(&mut self, disk: &dyn Disk) -> Result<()> {
        if self.fresh == 0 {
            return Ok(());
        }
        self.digests.append(&mut Self::load(disk, self.file)?.digests);
        let mut text = String::with_capacity(self.digests.len() * 17);
        for digest in &self.digests {
            text.push_str(&format!("{digest:016x}\n"));
        }
        write_whole(disk, self.file, text.as_bytes())?;
        self.fresh = 0;
        Ok(())
    }
}

/// The digest of an identity within its format.
pub(crate) fn digest(format: &str, identity: &str) -> u64 {
    let mut hash = blake3::Hasher::new();
    hash.update(format.as_bytes());
    hash.update(&[0]);
    hash.update(identity.as_bytes());
    u64::from_be_bytes(*hash.finalize().as_bytes().first_chunk().unwrap_or(&[0; 8]))
}
