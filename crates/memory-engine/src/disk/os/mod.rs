//! The operating system's disk: the only module that touches `std::fs`.
//!
//! Every path is resolved part by part from the root without following links, and only plain files are opened.
//! On Unix this holds against swaps between check and use, because each part is opened relative to the last.

#![expect(clippy::disallowed_methods, reason = "this module is the home of the file system")]

pub(crate) mod foreign;
#[cfg(not(unix))]
mod portable;
#[cfg(unix)]
mod unix;

#[cfg(not(unix))]
use portable as system;
#[cfg(unix)]
use unix as system;

use std::any::Any;
use std::fs::{File, TryLockError};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use super::{Disk, LEDGER, Name, Piece, Stat, StatOf, Step, in_folder, too_large};
use crate::error::{Error, Result};

/// The folder of our own files inside a root.
const OWN: &str = ".vault";
/// Bytes of a file that are held at once where all of it is looked at: few enough for the processor's own memory.
const PART: usize = 256 << 10;

/// The real disk under a root.
#[derive(Debug)]
pub struct OsDisk {
    root: PathBuf,
    top: system::Top,
    lock: OnceLock<Arc<File>>,
}

impl OsDisk {
    /// Opens an existing root. The root itself may be a link; nothing inside it may be one.
    pub fn open(root: &Path) -> Result<Self> {
        let shown = root.display().to_string();
        let root = match root.canonicalize() {
            Ok(root) => root,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Err(Error::NoRoot { path: shown });
            }
            Err(error) => return Err(Error::disk("open", &shown)(error)),
        };
        let top = system::Top::open(&root).map_err(Error::disk("open", &shown))?;
        Ok(Self { root: foreign::in_short_form(root), top, lock: OnceLock::new() })
    }

    /// Makes the root if it is not there, and opens it.
    pub fn create(root: &Path) -> Result<Self> {
        let shown = root.display().to_string();
        if let Some(above) = root.parent() {
            std::fs::create_dir_all(above).map_err(Error::disk("create", &shown))?;
        }
        match system::make_private_folder(root) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
                return Err(Error::disk("create", &shown)(error));
            }
            _ => {}
        }
        Self::open(root)
    }

    /// Takes away a root that was just made and holds nothing but our lock.
    pub(crate) fn discard(self) {
        let own = self.root.join(OWN);
        // Whatever keeps it there, the error that led here says more.
        let _ = std::fs::remove_file(own.join("lock"));
        let _ = std::fs::remove_dir(own);
        let _ = std::fs::remove_dir(&self.root);
    }

    /// Lets nobody else look into what came with a folder and is now this user's own.
    pub(crate) fn make_private(&self) -> Result<()> {
        absent(self.top.make_private(OWN, 0o700), "protect", OWN)?;
        for name in LEDGER {
            let path = format!("{OWN}/{name}");
            absent(self.top.make_private(&path, 0o600), "protect", &path)?;
        }
        Ok(())
    }

    fn lock_file(&self) -> Result<Arc<File>> {
        if let Some(file) = self.lock.get() {
            return Ok(file.clone());
        }
        self.make_folder(OWN)?;
        let path = format!("{OWN}/lock");
        let file = Arc::new(self.top.create(&path, false).map_err(refusal("lock", &path))?);
        Ok(self.lock.get_or_init(|| file).clone())
    }
}

/// Releases the lock when dropped.
struct Held(Arc<File>);

impl Drop for Held {
    fn drop(&mut self) {
        // The kernel releases it at the latest when the process ends, so a failure here loses nothing.
        let _ = self.0.unlock();
    }
}

impl Disk for OsDisk {
    fn root(&self) -> &Path {
        &self.root
    }

    fn is_in_place(&self) -> bool {
        self.top.is_at(&self.root)
    }

    fn read(&self, path: &str, limit: u64) -> Result<Option<Vec<u8>>> {
        let Some((file, stat)) = absent(self.top.open_looked(path), "read", path)? else { return Ok(None) };
        if stat.size > limit {
            return Err(too_large(path, stat.size, limit));
        }
        let mut bytes = Vec::with_capacity(usize::try_from(stat.size).unwrap_or(0) + 1);
        file.take(limit + 1).read_to_end(&mut bytes).map_err(Error::disk("read", path))?;
        if bytes.len() as u64 > limit {
            return Err(too_large(path, bytes.len() as u64, limit));
        }
        Ok(Some(bytes))
    }

    fn read_range(&self, path: &str, range: Range<u64>) -> Result<Option<Vec<u8>>> {
        let Some(file) = absent(self.top.open_file(path), "read", path)? else { return Ok(None) };
        part(&file, range).map(Some).map_err(Error::disk("read", path))
    }

    fn read_if(
        &self,
        path: &str,
        fits: &dyn Fn(Stat) -> bool,
        ranges: &[Range<u64>],
    ) -> Result<Option<Vec<Vec<u8>>>> {
        let found = absent(self.top.open_looked(path), "read", path)?;
        let Some((file, _)) = found.filter(|(_, stat)| fits(*stat)) else { return Ok(None) };
        let parts = ranges.iter().map(|range| part(&file, range.clone()));
        parts.collect::<io::Result<_>>().map(Some).map_err(Error::disk("read", path))
    }

    fn read_through(&self, path: &str, each: &mut dyn FnMut(&[u8], bool) -> usize) -> Result<bool> {
        let Some(file) = absent(self.top.open_file(path), "read", path)? else { return Ok(false) };
        in_parts(file, each).map(|()| true).map_err(Error::disk("read", path))
    }

    fn digest(&self, path: &str) -> Result<Option<[u8; 32]>> {
        let Some(file) = absent(self.top.open_file(path), "read", path)? else { return Ok(None) };
        let mut hash = blake3::Hasher::new();
        let mut reader = BufReader::with_capacity(PART, file);
        feed(&mut reader, |chunk| {
            hash.update(chunk);
            Ok(())
        })
        .map_err(Error::disk("read", path))?;
        Ok(Some(*hash.finalize().as_bytes()))
    }

    fn stat(&self, path: &str) -> Result<Option<Stat>> {
        absent(self.top.stat(path), "look at", path)
    }

    fn stats(&self, folder: &str, names: &[&str]) -> Result<Vec<Option<Stat>>> {
        let Some(stats) = absent(self.top.stats(folder, names), "look at", folder)? else {
            return Ok(vec![None; names.len()]);
        };
        let of_name = |(stat, name): (io::Result<Stat>, &&str)| looked(stat, folder, name);
        stats.into_iter().zip(names).map(of_name).collect()
    }

    fn list(&self, folder: &str) -> Result<Vec<Name>> {
        Ok(absent(self.top.list(folder), "list", folder)?.map(|(names, _)| names).unwrap_or_default())
    }

    fn look(&self, folder: &str, each: &mut dyn FnMut(&Name, StatOf<'_>)) -> Result<()> {
        let Some((names, listed)) = absent(self.top.list(folder), "list", folder)? else { return Ok(()) };
        for name in &names {
            each(name, &|| looked(listed.stat(&name.name), folder, &name.name));
        }
        Ok(())
    }

    fn make_folder(&self, folder: &str) -> Result<()> {
        if folder.is_empty() || absent(self.top.is_folder(folder), "make", folder)?.is_some() {
            return Ok(());
        }
        let mut made = String::new();
        for part in folder.split('/') {
            let above = made.clone();
            if !made.is_empty() {
                made.push('/');
            }
            made.push_str(part);
            match self.top.make_folder(&made) {
                Ok(()) => self.sync_folder(&above)?,
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(refusal("make", &made)(error)),
            }
        }
        Ok(())
    }

    fn write(&self, path: &str, of: &str, pieces: &[Piece]) -> Result<[u8; 32]> {
        self.remove(path)?;
        let mut file = self.top.create(path, true).map_err(refusal("create", path))?;
        self.top.copy_mode(of, &file).map_err(refusal("create", path))?;
        let mut hash = blake3::Hasher::new();
        let mut source: Option<File> = None;
        for piece in pieces {
            match piece {
                Piece::Bytes(bytes) => {
                    hash.update(bytes);
                    file.write_all(bytes).map_err(Error::disk("write", path))?;
                }
                Piece::Copy(range) => {
                    if source.is_none() {
                        source = absent(self.top.open_file(of), "read", of)?;
                    }
                    let Some(from) = source.as_mut() else { continue };
                    copy(from, range, &mut file, &mut hash).map_err(Error::disk("write", path))?;
                }
            }
        }
        Ok(*hash.finalize().as_bytes())
    }

    fn append(&self, path: &str, bytes: &[u8]) -> Result<u64> {
        let mut file = self.top.append(path).map_err(refusal("append to", path))?;
        file.write_all(bytes).map_err(Error::disk("append to", path))?;
        Ok(file.metadata().map_err(Error::disk("append to", path))?.len())
    }

    fn sync(&self, path: &str) -> Result<()> {
        let file = self.top.open_file(path).map_err(refusal("sync", path))?;
        file.sync_data().map_err(Error::disk("sync", path))
    }

    fn sync_folder(&self, folder: &str) -> Result<()> {
        self.top.sync_folder(folder).map_err(refusal("sync", folder))
    }

    fn exchange(&self, a: &str, b: &str) -> Result<bool> {
        self.top.exchange(a, b).map_err(refusal("replace", b))
    }

    fn place(&self, from: &str, to: &str) -> Result<bool> {
        self.top.place(from, to).map_err(refusal("replace", to))
    }

    fn rename(&self, from: &str, to: &str) -> Result<()> {
        self.top.rename(from, to).map_err(refusal("replace", to))
    }

    fn remove(&self, path: &str) -> Result<()> {
        absent(self.top.remove(path), "remove", path).map(|_| ())
    }

    fn remove_folder(&self, folder: &str) -> Result<()> {
        match self.top.remove_folder(folder) {
            Err(error) if error.kind() == io::ErrorKind::DirectoryNotEmpty => Ok(()),
            other => absent(other, "remove", folder).map(|_| ()),
        }
    }

    fn lock(&self, wait: Duration) -> Result<Box<dyn Any + Send>> {
        let file = self.lock_file()?;
        let start = Instant::now();
        let mut pause = Duration::from_micros(30);
        loop {
            match file.try_lock() {
                Ok(()) => return Ok(Box::new(Held(file))),
                Err(TryLockError::Error(error)) => return Err(Error::disk("lock", ".vault/lock")(error)),
                Err(TryLockError::WouldBlock) => {}
            }
            let waited = start.elapsed();
            if waited >= wait {
                let path = self.root.display().to_string();
                return Err(Error::Locked {
                    path,
                    waited_ms: waited.as_millis().try_into().unwrap_or(u64::MAX),
                });
            }
            std::thread::sleep(pause);
            pause = (pause * 3 / 2).min(Duration::from_micros(300));
        }
    }

    fn elect(&self, name: &str) -> Result<Option<Box<dyn Any + Send>>> {
        self.make_folder(OWN)?;
        let path = format!("{OWN}/{name}.lock");
        let file = self.top.create(&path, false).map_err(refusal("lock", &path))?;
        match file.try_lock() {
            Ok(()) => Ok(Some(Box::new(Held(Arc::new(file))))),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(error)) => Err(Error::disk("lock", &path)(error)),
        }
    }

    fn ledger(&self) -> PathBuf {
        self.root.join(OWN).join("ledger.db")
    }

    fn make_ledger(&self) -> Result<()> {
        let path = format!("{OWN}/ledger.db");
        match self.top.stat(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                self.top.create(&path, false).map(|_| ()).map_err(refusal("create", &path))
            }
            _ => Ok(()),
        }
    }

    fn index(&self) -> PathBuf {
        self.root.join(OWN).join("index")
    }

    fn pause(&self, time: Duration) {
        std::thread::sleep(time);
    }

    fn step(&self, _step: Step) -> Result<()> {
        Ok(())
    }
}

/// Copies a stretch of one file to another through a small buffer.
fn copy(from: &mut File, range: &Range<u64>, to: &mut File, hash: &mut blake3::Hasher) -> io::Result<()> {
    from.seek(SeekFrom::Start(range.start))?;
    let mut reader = BufReader::with_capacity(PART, from.take(range.end.saturating_sub(range.start)));
    feed(&mut reader, |chunk| {
        hash.update(chunk);
        to.write_all(chunk)
    })
}

/// Calls a function with each part of what a reader gives, together with what it left over of the one before.
fn in_parts(mut reader: impl io::Read, each: &mut dyn FnMut(&[u8], bool) -> usize) -> io::Result<()> {
    let mut buffer = vec![0; PART];
    let mut held = 0;
    loop {
        let got = match reader.read(&mut buffer[held..]) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            got => got?,
        };
        held += got;
        if got == 0 {
            each(&buffer[..held], true);
            return Ok(());
        }
        if held == buffer.len() {
            let used = each(&buffer, false).min(held);
            buffer.copy_within(used.., 0);
            held -= used;
            if used == 0 {
                buffer.resize(2 * held, 0);
            }
        }
    }
}

/// Hands a reader's bytes on, a buffer at a time.
fn feed(reader: &mut impl io::BufRead, mut each: impl FnMut(&[u8]) -> io::Result<()>) -> io::Result<()> {
    loop {
        let chunk = reader.fill_buf()?;
        if chunk.is_empty() {
            return Ok(());
        }
        each(chunk)?;
        let used = chunk.len();
        reader.consume(used);
    }
}

/// A link, pipe or device where a plain file or folder was expected.
#[derive(Debug)]
struct NotPlain(&'static str);

impl std::fmt::Display for NotPlain {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "it is a {}", self.0)
    }
}

impl std::error::Error for NotPlain {}

fn not_plain(what: &'static str) -> io::Error {
    io::Error::other(NotPlain(what))
}

fn refusal(action: &'static str, path: &str) -> impl FnOnce(io::Error) -> Error {
    let path = path.to_owned();
    move |error| match error.get_ref().and_then(|inner| inner.downcast_ref::<NotPlain>()) {
        Some(NotPlain(what)) => Error::NotPlain { path, what },
        None => Error::Disk { action, path, source: error },
    }
}

/// Turns "there is none" into `None`.
fn absent<T>(answer: io::Result<T>, action: &'static str, path: &str) -> Result<Option<T>> {
    match answer {
        Ok(value) => Ok(Some(value)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(refusal(action, path)(error)),
    }
}

/// The stat of a name in a folder.
fn looked(stat: io::Result<Stat>, folder: &str, name: &str) -> Result<Option<Stat>> {
    match stat {
        Ok(stat) => Ok(Some(stat)),
        stat => absent(stat, "look at", &in_folder(folder, name)),
    }
}

/// A part of a file; shorter where the file ends earlier.
fn part(mut file: &File, range: Range<u64>) -> io::Result<Vec<u8>> {
    /// No more than this is set aside before it is known to be there.
    const AT_ONCE: u64 = 1 << 20;
    let length = range.end.saturating_sub(range.start);
    if length > AT_ONCE {
        let mut bytes = Vec::new();
        file.seek(SeekFrom::Start(range.start))?;
        file.take(length).read_to_end(&mut bytes)?;
        return Ok(bytes);
    }
    let mut bytes = vec![0; length as usize];
    let mut filled = 0;
    while let Some(rest) = bytes.get_mut(filled..).filter(|rest| !rest.is_empty()) {
        match system::read_at(file, rest, range.start + filled as u64) {
            Ok(0) => break,
            Ok(count) => filled += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    bytes.truncate(filled);
    Ok(bytes)
}
