//! Proposals that a person turned down: `.vault/dismissed`, a line of 16 hexadecimal digits each. They are of the two
//! memories and what they say, so a memory that is changed may be proposed again.

use std::collections::BTreeSet;

use crate::disk::{Disk, write_whole};
use crate::error::Result;
use crate::store::OWN;

const LARGEST: u64 = 16 << 20;

pub(super) struct Dismissed(BTreeSet<String>);

impl Dismissed {
    pub(super) fn load(disk: &dyn Disk) -> Result<Self> {
        let bytes = disk.read(&file(), LARGEST)?.unwrap_or_default();
        let text = String::from_utf8_lossy(&bytes);
        let lines = text.lines().map(str::trim).filter(|line| line.len() == 16);
        Ok(Self(lines.map(str::to_owned).collect()))
    }

    pub(super) fn has(&self, key: &str) -> bool {
        self.0.contains(key)
    }

    /// Notes some more; the caller holds the lock, so what others noted meanwhile is read first.
    pub(super) fn add(disk: &dyn Disk, keys: &[String]) -> Result<()> {
        let mut all = Self::load(disk)?;
        all.0.extend(keys.iter().cloned());
        let mut text = String::new();
        for key in &all.0 {
            text.push_str(key);
            text.push('\n');
        }
        write_whole(disk, &file(), text.as_bytes())
    }
}

fn file() -> String {
    format!("{OWN}/dismissed")
}
