//! The disk under a root, as few calls as the store needs: one trait, the operating system and a faulty double.
//!
//! Paths are relative to the root with `/` between their parts. No call follows a link inside the root or opens
//! anything but plain files and folders, so nothing outside the root can be read or written through it.

#[cfg(any(test, feature = "faulty"))]
mod faulty;
mod os;

use std::any::Any;
use std::ops::Range;
use std::path::Path;
use std::time::Duration;

use crate::error::{Error, Result};

#[cfg(any(test, feature = "faulty"))]
pub use faulty::{Fault, FaultyDisk, Hook, Weakness};
pub use os::OsDisk;

/// What tells that a file changed: cheap to read, and new with every replacement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Stat {
    /// How many bytes.
    pub size: u64,
    /// When it was last written, in nanoseconds since 1970.
    pub modified_ns: i64,
    /// The file's number on its file system; 0 where there is none.
    pub inode: u64,
}

/// One name in a folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Name {
    /// The name.
    pub name: String,
    /// What it stands for.
    pub sort: Sort,
}

/// What a name in a folder stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Sort {
    File,
    Folder,
    Other,
}

/// A part of a file to be written: new bytes, or a stretch of the file that is being replaced.
#[derive(Debug, Clone)]
pub enum Piece {
    /// These bytes.
    Bytes(Vec<u8>),
    /// These bytes of the file as it stands.
    Copy(Range<u64>),
}

/// Steps around the ledger's commit at which a double may fail or crash.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// The operation is written but not committed.
    BeforeCommit,
    /// The commit returned and its bytes are on disk.
    Committed,
    /// A commit returned that needs no sync of its own, because its content can be derived again.
    Derived,
}

/// The disk under one root.
pub trait Disk: Send + Sync {
    /// The root, for messages.
    fn root(&self) -> &Path;
    /// The bytes of a file, or `None` when there is none; a file above the limit is an error.
    fn read(&self, path: &str, limit: u64) -> Result<Option<Vec<u8>>>;
    /// Some bytes of a file; fewer where it ends earlier.
    fn read_range(&self, path: &str, range: Range<u64>) -> Result<Option<Vec<u8>>>;
    /// The digest of a file's bytes, read in small parts; `None` when there is none.
    fn digest(&self, path: &str) -> Result<Option<[u8; 32]>>;
    /// What tells whether a file changed, or `None` when there is none.
    fn stat(&self, path: &str) -> Result<Option<Stat>>;
    /// The same for several files of one folder, in their order.
    fn stats(&self, folder: &str, names: &[&str]) -> Result<Vec<Option<Stat>>> {
        let path =
            |name: &&str| if folder.is_empty() { (*name).to_owned() } else { format!("{folder}/{name}") };
        names.iter().map(|name| self.stat(&path(name))).collect()
    }
    /// The names in a folder, sorted; empty when there is no such folder.
    fn list(&self, folder: &str) -> Result<Vec<Name>>;
    /// Makes a folder and those above it, so that they survive a crash.
    fn make_folder(&self, folder: &str) -> Result<()>;
    /// Writes a new file beside `of` from pieces, unsynced; gives the digest of its bytes.
    fn write(&self, path: &str, of: &str, pieces: &[Piece]) -> Result<[u8; 32]>;
    /// Makes the bytes of a file survive a crash.
    fn sync(&self, path: &str) -> Result<()>;
    /// Makes the names in a folder survive a crash.
    fn sync_folder(&self, folder: &str) -> Result<()>;
    /// Swaps two files in one step; `false` where the system cannot.
    fn exchange(&self, a: &str, b: &str) -> Result<bool>;
    /// Gives a file another name in one step, in place of what stood there.
    fn rename(&self, from: &str, to: &str) -> Result<()>;
    /// Takes a file away; nothing happens when there is none.
    fn remove(&self, path: &str) -> Result<()>;
    /// Takes an empty folder away; nothing happens when it is not there or not empty.
    fn remove_folder(&self, folder: &str) -> Result<()>;
    /// Waits for the one lock of the root, released when the answer is dropped.
    fn lock(&self, wait: Duration) -> Result<Box<dyn Any + Send>>;
    /// Where the ledger's database is.
    fn ledger(&self) -> std::path::PathBuf;
    /// Where the index is.
    fn index(&self) -> std::path::PathBuf;
    /// Waits a moment, so that a program that is just writing a file can finish.
    fn pause(&self, time: Duration);
    /// Called at steps around the ledger's commits; a double may fail here.
    fn step(&self, step: Step) -> Result<()>;
}

/// The folder of a path: `""` for names at the top.
pub(crate) fn folder_of(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// What became of a replacement.
pub(crate) enum Replaced {
    /// The new file stands; its digest and stat.
    Done([u8; 32], Stat),
    /// Somebody else wrote the file meanwhile; it stands as they left it.
    Changed,
}

/// Puts a new file in the place of another: written beside it, synced, swapped in one step, and looked at once
/// more. If the file swapped out is not the one expected, it goes back, so that no foreign edit is lost.
pub(crate) fn replace(
    disk: &dyn Disk,
    path: &str,
    expect: Option<Stat>,
    pieces: &[Piece],
) -> Result<Replaced> {
    let folder = folder_of(path);
    disk.make_folder(folder)?;
    let temporary = temporary(path);
    let written =
        disk.write(&temporary, path, pieces).and_then(|digest| disk.sync(&temporary).map(|()| digest));
    let outcome = written.and_then(|digest| {
        if disk.stat(path)? != expect {
            return Ok(Replaced::Changed);
        }
        // Taken before the swap: if somebody saves right after it, the file no longer looks like ours.
        let fresh = disk.stat(&temporary)?.unwrap_or_default();
        let swapped = expect.is_some() && disk.exchange(&temporary, path)?;
        if !swapped {
            disk.rename(&temporary, path)?;
        } else if disk.stat(&temporary)? != expect {
            disk.exchange(&temporary, path)?;
            return Ok(Replaced::Changed);
        }
        disk.sync_folder(folder)?;
        Ok(Replaced::Done(digest, fresh))
    });
    disk.remove(&temporary)?;
    outcome
}

/// A name beside a file that no reader takes for a memory, the same for every try so that none pile up.
pub(crate) fn temporary(path: &str) -> String {
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
    if folder.is_empty() { format!(".{name}.new") } else { format!("{folder}/.{name}.new") }
}

/// Writes a file whole: beside its place, synced, renamed.
pub(crate) fn write_whole(disk: &dyn Disk, path: &str, bytes: &[u8]) -> Result<()> {
    let folder = folder_of(path);
    disk.make_folder(folder)?;
    let temporary = temporary(path);
    disk.write(&temporary, path, &[Piece::Bytes(bytes.to_vec())])?;
    disk.sync(&temporary)?;
    disk.rename(&temporary, path)?;
    disk.sync_folder(folder)
}

pub(crate) fn too_large(path: &str, bytes: u64, limit: u64) -> Error {
    Error::TooLarge { path: path.to_owned(), bytes, limit }
}
