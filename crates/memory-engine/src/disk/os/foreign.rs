//! Files of other programs, for reading only: nothing here can write, make, move or lock anything.
//!
//! Only plain files are opened, never through a link in the last part of their path, and never a pipe or a device
//! that would make us wait. Links and odd names in a folder are listed as [`Sort::Other`] and lead nowhere. The
//! folders above may be links, because people keep their settings elsewhere and link to them.

use std::fs::{self, File};
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

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
    let mut file = Foreign::open(path).ok().flatten()?;
    if file.stat.size > limit {
        return None;
    }
    let bytes = file.read_at(0, limit).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
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

/// The real path of something that is there; the path as it was given where it is not.
pub(crate) fn real_path(path: &Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
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
