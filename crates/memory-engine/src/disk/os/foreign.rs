//! Files of other programs, for reading only: nothing here can write, make, move or lock anything.
//!
//! Only plain files are opened, never through a link in the last part of their path, and never a pipe or a device
//! that would make us wait. Links and odd names in a folder are listed as [`Sort::Other`] and lead nowhere. The
//! folders above may be links, because people keep their settings elsewhere and link to them.

use std::fs::{self, File};
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use memory_core::time::Time;

use super::super::{Name, Sort, Stat};
use super::{not_plain, refusal};
use crate::error::{Error, Result};

/// How much is asked of the system at once.
const CHUNK: usize = 256 << 10;

/// A file that is compressed is unpacked up to this; a larger one is given as it is.
const MOST_UNPACKED: u64 = 256 << 20;

/// A plain file of another program, opened for reading. One whose name ends in `.zst` is read as what it unpacks to.
#[derive(Debug)]
pub(crate) struct Foreign {
    body: Body,
    path: PathBuf,
    stat: Stat,
}

#[derive(Debug)]
enum Body {
    Plain(File),
    Unpacked(io::Cursor<Vec<u8>>),
}

impl Body {
    fn seek(&mut self, offset: u64) -> io::Result<u64> {
        match self {
            Self::Plain(file) => file.seek(SeekFrom::Start(offset)),
            Self::Unpacked(bytes) => bytes.seek(SeekFrom::Start(offset)),
        }
    }
}

impl Read for Body {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Plain(file) => file.read(buffer),
            Self::Unpacked(bytes) => bytes.read(buffer),
        }
    }
}

/// What a compressed file unpacks to; `None` where it is broken or too large.
fn unpacked(path: &Path, file: &mut File) -> Option<Vec<u8>> {
    path.extension().filter(|ending| ending.eq_ignore_ascii_case("zst"))?;
    let mut bytes = Vec::new();
    let decoder = ruzstd::decoding::StreamingDecoder::new(BufReader::with_capacity(CHUNK, file)).ok()?;
    decoder.take(MOST_UNPACKED + 1).read_to_end(&mut bytes).ok()?;
    (bytes.len() as u64 <= MOST_UNPACKED).then_some(bytes)
}

impl Foreign {
    /// Opens a file; `None` when there is none.
    pub(crate) fn open(path: &Path) -> Result<Option<Self>> {
        let shown = path.display().to_string();
        let opened = open_plain(path).and_then(|file| {
            let found = file.metadata()?;
            if found.is_file() {
                Ok((stat_of(&found), file))
            } else {
                Err(not_plain("folder, pipe or device"))
            }
        });
        match opened {
            Ok((stat, mut file)) => {
                let path = path.to_owned();
                Ok(Some(match unpacked(&path, &mut file) {
                    Some(bytes) => {
                        let stat = Stat { size: bytes.len() as u64, ..stat };
                        Self { body: Body::Unpacked(io::Cursor::new(bytes)), path, stat }
                    }
                    None => Self { body: Body::Plain(file), path, stat },
                }))
            }
            Err(error) if is_absent(&error) => Ok(None),
            Err(error) => Err(refusal("read", &shown)(error)),
        }
    }

    /// Its size and time as they were when it was opened.
    pub(crate) fn stat(&self) -> Stat {
        self.stat
    }

    /// Some bytes; fewer where the file ends earlier.
    pub(crate) fn read_at(&mut self, offset: u64, length: u64) -> Result<Vec<u8>> {
        let mut bytes = Vec::new();
        let mut read = || {
            self.body.seek(offset)?;
            (&mut self.body).take(length).read_to_end(&mut bytes)
        };
        read().map_err(Error::disk("read", &self.path.display().to_string()))?;
        Ok(bytes)
    }

    /// Everything from an offset on, up to the size that the file had when it was opened.
    pub(crate) fn read_from(&mut self, offset: u64) -> Result<impl io::BufRead + '_> {
        let shown = self.path.display().to_string();
        self.body.seek(offset).map_err(Error::disk("read", &shown))?;
        let rest = self.stat.size.saturating_sub(offset);
        Ok(BufReader::with_capacity(CHUNK, (&mut self.body).take(rest)))
    }
}

/// The whole text of a small file; `None` when it is absent or not a plain file, or larger than the limit.
pub(crate) fn small_text(path: &Path, limit: u64) -> Option<String> {
    let bytes = small_bytes(path, limit)?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// All bytes of a file; `None` when it is absent or not a plain file, or larger than the limit.
pub(crate) fn small_bytes(path: &Path, limit: u64) -> Option<Vec<u8>> {
    let mut file = Foreign::open(path).ok().flatten()?;
    if file.stat.size > limit { None } else { file.read_at(0, limit).ok() }
}

/// The names in a folder, sorted; empty when it is not there or may not be looked into.
pub(crate) fn names_in(folder: &Path) -> Vec<Name> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let named = entries.filter_map(|entry| {
        let entry = entry.ok()?;
        let name = entry.file_name().into_string().ok()?;
        let sort = match entry.file_type() {
            Ok(sort) if sort.is_file() => Sort::File,
            Ok(sort) if sort.is_dir() => Sort::Folder,
            _ => Sort::Other,
        };
        Some(Name { name, sort })
    });
    let mut names: Vec<Name> = named.collect();
    names.sort_by(|a, b| a.name.cmp(&b.name));
    names
}

/// What stands at a path: a link is followed, a pipe or device is [`Sort::Other`], nothing is `None`.
pub(crate) fn sort_at(path: &Path) -> Option<Sort> {
    let found = fs::metadata(path).ok()?;
    Some(if found.is_file() {
        Sort::File
    } else if found.is_dir() {
        Sort::Folder
    } else {
        Sort::Other
    })
}

/// The size and time of a plain file; `None` for anything else, links included.
pub(crate) fn stat_at(path: &Path) -> Option<Stat> {
    let found = fs::symlink_metadata(path).ok()?;
    found.is_file().then(|| stat_of(&found))
}

/// When names last came into a folder or left it.
pub(crate) fn changed_at(folder: &Path) -> Option<Time> {
    let found = fs::symlink_metadata(folder).ok()?;
    found.is_dir().then(|| Time(stat_of(&found).modified_ns / 1_000_000))
}

/// The real path of something. What is not there has the real path of the nearest folder above it that is; where that
/// cannot be told either, the path is the one that was given.
pub(crate) fn real_path(path: &Path) -> PathBuf {
    let mut gone = Vec::new();
    for above in path.ancestors() {
        if let Ok(real) = fs::canonicalize(above) {
            return gone.iter().rev().fold(in_short_form(real), |real, part| real.join(part));
        }
        let Some(part) = above.file_name() else { break };
        gone.push(part);
    }
    path.to_owned()
}

/// A real path as people and other programs write it.
pub(super) fn in_short_form(real: PathBuf) -> PathBuf {
    match real.to_str() {
        Some(text) if short_form(text).len() < text.len() => PathBuf::from(short_form(text)),
        _ => real,
    }
}

/// What Windows gives for a real path, without the mark in front of it that only some of its functions understand. The
/// mark stays where it is needed: before the name of another machine, and before a very long path.
pub(crate) fn short_form(path: &str) -> &str {
    /// Paths below a root are longer than it, and the system's own limit is 260.
    const LONG: usize = 200;
    match path.strip_prefix(r"\\?\") {
        Some(rest) if rest.len() < LONG && is_on_a_drive(rest.as_bytes()) => rest,
        _ => path,
    }
}

fn is_on_a_drive(path: &[u8]) -> bool {
    matches!(path, [letter, b':', b'\\', ..] if letter.is_ascii_alphabetic())
}

fn stat_of(found: &fs::Metadata) -> Stat {
    let since = found.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    let modified_ns = since.and_then(|since| i64::try_from(since.as_nanos()).ok()).unwrap_or(0);
    Stat { size: found.len(), modified_ns, inode: inode_of(found) }
}

#[cfg(unix)]
fn inode_of(found: &fs::Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::ino(found)
}

#[cfg(not(unix))]
fn inode_of(_found: &fs::Metadata) -> u64 {
    0
}

#[cfg(unix)]
fn open_plain(path: &Path) -> io::Result<File> {
    use rustix::fs::{Mode, OFlags};
    use rustix::io::Errno;
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    match rustix::fs::open(path, flags, Mode::empty()) {
        Ok(file) => Ok(File::from(file)),
        Err(Errno::LOOP) => Err(not_plain("link")),
        Err(Errno::NXIO) => Err(not_plain("pipe or device")),
        Err(error) => Err(error.into()),
    }
}

#[cfg(not(unix))]
fn open_plain(path: &Path) -> io::Result<File> {
    if !fs::symlink_metadata(path)?.is_file() {
        return Err(not_plain("link, folder or device"));
    }
    File::open(path)
}

fn is_absent(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_as_people_write_them() {
        let check = |path: &str, expect: &str| assert_eq!(short_form(path), expect, "{path}");
        check(r"\\?\C:\Users\ana\shop", r"C:\Users\ana\shop");
        check(r"\\?\UNC\server\share", r"\\?\UNC\server\share");
        check(r"\\?\Volume{1}\a", r"\\?\Volume{1}\a");
        check(r"C:\Users", r"C:\Users");
        check("/home/ana", "/home/ana");
        let long = format!(r"\\?\C:\{}", "a".repeat(240));
        check(&long, &long);
    }

    #[test]
    #[cfg(unix)]
    fn what_is_gone_has_the_real_path_of_what_is_above_it() {
        let folder = tempfile::tempdir().unwrap();
        let real = fs::canonicalize(folder.path()).unwrap();
        fs::create_dir(real.join("there")).unwrap();
        std::os::unix::fs::symlink(real.join("there"), real.join("link")).unwrap();
        let check = |path: &str, expect: &str| assert_eq!(real_path(&real.join(path)), real.join(expect));
        check("link", "there");
        check("link/gone/deeper", "there/gone/deeper");
        check("nowhere", "nowhere");
        assert_eq!(real_path(Path::new("no/such/../thing")), Path::new("no/such/../thing"));
    }
}
