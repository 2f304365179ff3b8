//! The disk under a root, as few calls as the store needs: one trait, the operating system and a faulty double.
//!
//! Paths are relative to the root with `/` between their parts. No call follows a link inside the root or opens
//! anything but plain files and folders, so nothing outside the root can be read or written through it.

#[cfg(any(test, feature = "faulty"))]
mod faulty;
mod os;
#[cfg(test)]
mod tests;

use std::any::Any;
use std::ops::Range;
use std::path::Path;
use std::time::Duration;

use crate::error::{Error, Result};

#[cfg(any(test, feature = "faulty"))]
pub use faulty::{Fault, FaultyDisk, Hook, Weakness};
pub use os::OsDisk;
pub(crate) use os::foreign;

/// The files that a ledger may have, the first of them the database.
pub(crate) const LEDGER: [&str; 4] = ["ledger.db", "ledger.db-wal", "ledger.db-shm", "ledger.db-journal"];

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
    /// The name. One that is no text is shown as far as it is, and is [`Sort::Other`], since it leads nowhere.
    pub name: String,
    /// What it stands for.
    pub sort: Sort,
}

impl Name {
    /// A name of this sort as the system gives it.
    pub(crate) fn of(name: &std::ffi::OsStr, sort: Sort) -> Self {
        match name.to_str() {
            Some(name) => Self { name: name.to_owned(), sort },
            None => Self { name: name.to_string_lossy().into_owned(), sort: Sort::Other },
        }
    }

    /// Whether it may be one that is no text.
    pub(crate) fn is_unspelt(&self) -> bool {
        self.sort == Sort::Other && self.name.contains(char::REPLACEMENT_CHARACTER)
    }
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
    /// Whether the root's path still leads to the folder that was opened.
    fn is_in_place(&self) -> bool {
        true
    }
    /// The bytes of a file, or `None` when there is none; a file above the limit is an error.
    fn read(&self, path: &str, limit: u64) -> Result<Option<Vec<u8>>>;
    /// Some bytes of a file; fewer where it ends earlier.
    fn read_range(&self, path: &str, range: Range<u64>) -> Result<Option<Vec<u8>>>;
    /// Reads a file from its beginning to its end in parts; `false` when there is none. Told what was read and not used
    /// yet, and whether it is the rest, `each` says how much of it is used.
    fn read_through(&self, path: &str, each: &mut dyn FnMut(&[u8], bool) -> usize) -> Result<bool> {
        let bytes = self.read(path, u64::MAX - 1)?;
        bytes.as_deref().map(|bytes| each(bytes, true));
        Ok(bytes.is_some())
    }
    /// The digest of a file's bytes, read in small parts; `None` when there is none.
    fn digest(&self, path: &str) -> Result<Option<[u8; 32]>>;
    /// Several parts of one file, in their order; `None` where there is none or its stat does not fit.
    fn read_if(
        &self,
        path: &str,
        fits: &dyn Fn(Stat) -> bool,
        ranges: &[Range<u64>],
    ) -> Result<Option<Vec<Vec<u8>>>> {
        if !self.stat(path)?.is_some_and(fits) {
            return Ok(None);
        }
        ranges.iter().map(|range| self.read_range(path, range.clone())).collect()
    }
    /// What tells whether a file changed, or `None` when there is none.
    fn stat(&self, path: &str) -> Result<Option<Stat>>;
    /// The same for several files of one folder, in their order.
    fn stats(&self, folder: &str, names: &[&str]) -> Result<Vec<Option<Stat>>> {
        names.iter().map(|name| self.stat(&in_folder(folder, name))).collect()
    }
    /// The names in a folder, sorted; empty when there is no such folder.
    fn list(&self, folder: &str) -> Result<Vec<Name>>;
    /// Calls a function with each name in a folder, sorted, and with what asks for its stat. The folder is opened once for
    /// all of them.
    fn look(&self, folder: &str, each: &mut dyn FnMut(&Name, StatOf<'_>)) -> Result<()> {
        for name in self.list(folder)? {
            each(&name, &|| self.stat(&in_folder(folder, &name.name)));
        }
        Ok(())
    }
    /// Makes a folder and those above it, so that they survive a crash.
    fn make_folder(&self, folder: &str) -> Result<()>;
    /// Writes a new file beside `of` from pieces, unsynced; gives the digest of its bytes.
    fn write(&self, path: &str, of: &str, pieces: &[Piece]) -> Result<[u8; 32]>;
    /// Adds bytes to the end of a file, which is made where there is none, unsynced; gives its size. It is one step, so
    /// that lines of several processes never mix.
    fn append(&self, path: &str, bytes: &[u8]) -> Result<u64>;
    /// Makes the bytes of a file survive a crash.
    fn sync(&self, path: &str) -> Result<()>;
    /// Makes the names in a folder survive a crash.
    fn sync_folder(&self, folder: &str) -> Result<()>;
    /// Swaps two files in one step; `false` where the system cannot.
    fn exchange(&self, a: &str, b: &str) -> Result<bool>;
    /// Gives a file a name that nothing has yet, in one step; `false` when something has it.
    fn place(&self, from: &str, to: &str) -> Result<bool>;
    /// Gives a file another name in one step, in place of what stood there.
    fn rename(&self, from: &str, to: &str) -> Result<()>;
    /// Takes a file away; nothing happens when there is none.
    fn remove(&self, path: &str) -> Result<()>;
    /// Takes an empty folder away; nothing happens when it is not there or not empty.
    fn remove_folder(&self, folder: &str) -> Result<()>;
    /// Waits for the one lock of the root, released when the answer is dropped.
    fn lock(&self, wait: Duration) -> Result<Box<dyn Any + Send>>;
    /// Takes a lock of its own name without waiting; `None` when another has it. Released when the answer is dropped.
    fn elect(&self, name: &str) -> Result<Option<Box<dyn Any + Send>>>;
    /// Where the ledger's database is.
    fn ledger(&self) -> std::path::PathBuf;
    /// Makes the ledger's file where there is none, so that nobody else can read it.
    fn make_ledger(&self) -> Result<()> {
        Ok(())
    }
    /// Where the index is.
    fn index(&self) -> std::path::PathBuf;
    /// Waits a moment, so that a program that is just writing a file can finish.
    fn pause(&self, time: Duration);
    /// Called at steps around the ledger's commits; a double may fail here.
    fn step(&self, step: Step) -> Result<()>;
}

/// What asks for the stat of a name; `None` when nothing has it any more.
pub type StatOf<'a> = &'a dyn Fn() -> Result<Option<Stat>>;

/// The path of a name in a folder.
fn in_folder(folder: &str, name: &str) -> String {
    if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") }
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

/// Puts a new file in the place of another, or where none is expected: written beside it, synced, and swapped or
/// placed in one step. Whatever an editor does meanwhile, its text is not lost: a place that is taken stays as it is,
/// and a file that was swapped out and is not the one expected goes back.
pub(crate) fn replace(
    disk: &dyn Disk,
    path: &str,
    expect: Option<Stat>,
    pieces: &[Piece],
) -> Result<Replaced> {
    let folder = folder_of(path);
    disk.make_folder(folder)?;
    let temporary = temporary(path);
    let prepared = prepare(disk, &temporary, path, expect, pieces);
    let Ok(Some((digest, fresh))) = prepared else {
        disk.remove(&temporary)?;
        return prepared.map(|_| Replaced::Changed);
    };
    // After an error in here the file beside may hold somebody's text, so it stays; the next write clears it up.
    let stands = match expect {
        None => disk.place(&temporary, path)?,
        Some(expect) => swap(disk, &temporary, path, fresh, expect)?,
    };
    if stands {
        disk.sync_folder(folder)?;
    }
    disk.remove(&temporary)?;
    Ok(if stands { Replaced::Done(digest, fresh) } else { Replaced::Changed })
}

/// Writes and syncs the new file beside its place; gives its digest and stat if the place is still as expected.
fn prepare(
    disk: &dyn Disk,
    temporary: &str,
    path: &str,
    expect: Option<Stat>,
    pieces: &[Piece],
) -> Result<Option<([u8; 32], Stat)>> {
    let digest = disk.write(temporary, path, pieces)?;
    disk.sync(temporary)?;
    if disk.stat(path)? != expect {
        return Ok(None);
    }
    // Taken before the swap: if somebody saves right after it, the file no longer looks like ours.
    Ok(Some((digest, disk.stat(temporary)?.unwrap_or_default())))
}

/// Swaps a new file into its place; `false` when somebody wrote the old one meanwhile, whose file then stands. They
/// may save again while theirs goes back, so each swap looks at what came out: it must be what we put there last.
fn swap(disk: &dyn Disk, temporary: &str, path: &str, fresh: Stat, expect: Stat) -> Result<bool> {
    match disk.exchange(temporary, path) {
        Ok(true) => {}
        Ok(false) => return disk.rename(temporary, path).map(|()| true),
        Err(error) if is_absent(&error) && disk.stat(temporary)?.is_some() => return Ok(false),
        Err(error) => return Err(error),
    }
    let (mut stands, mut due, mut ours) = (fresh, expect, true);
    while let Some(theirs) = disk.stat(temporary)?.filter(|out| *out != due) {
        (stands, due, ours) = (theirs, stands, false);
        match disk.exchange(temporary, path) {
            // They took the file away; where one is there again, it is theirs and newer.
            Err(error) if is_absent(&error) => {
                disk.place(temporary, path)?;
                break;
            }
            other => other?,
        };
    }
    Ok(ours)
}

/// Takes a file away if it is still the one expected; `false` when somebody wrote it meanwhile, and then it stands.
pub(crate) fn take_away(disk: &dyn Disk, path: &str, expect: Stat) -> Result<bool> {
    let temporary = temporary(path);
    if disk.stat(path)? != Some(expect) {
        return Ok(false);
    }
    match disk.rename(path, &temporary) {
        Err(error) if is_absent(&error) => return Ok(false),
        other => other?,
    }
    let ours = disk.stat(&temporary)? == Some(expect);
    // Where theirs cannot go back, a newer save of theirs stands already.
    if ours || !disk.place(&temporary, path)? {
        disk.sync_folder(folder_of(path))?;
        disk.remove(&temporary)?;
    }
    Ok(ours)
}

fn is_absent(error: &Error) -> bool {
    matches!(error, Error::Disk { source, .. } if source.kind() == std::io::ErrorKind::NotFound)
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
