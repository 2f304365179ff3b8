//! Paths below a folder that is held open: each part is opened relative to the one before, never through a link.

use std::ffi::OsStr;
use std::fs::File;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::FileExt as _;
use std::path::Path;

use rustix::fs::{self, AtFlags, Dir, FileType, Mode, OFlags};
use rustix::io::Errno;

use super::not_plain;
use crate::disk::{Name, Sort, Stat};

/// The root, held open.
#[derive(Debug)]
pub(super) struct Top(OwnedFd);

/// A folder whose names were read, still open.
pub(super) struct Listed(Dir);

impl Listed {
    pub(super) fn stat(&self, name: &str) -> io::Result<Stat> {
        refuse_dots(name).and_then(|()| stat(self.0.fd()?, name))
    }
}

impl Top {
    pub(super) fn open(root: &Path) -> io::Result<Self> {
        Ok(Self(fs::open(root, OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())?))
    }

    /// Whether a path leads to it.
    pub(super) fn is_at(&self, root: &Path) -> bool {
        let same =
            |held: fs::Stat, found: fs::Stat| (held.st_dev, held.st_ino) == (found.st_dev, found.st_ino);
        matches!((fs::fstat(&self.0), fs::stat(root)), (Ok(held), Ok(found)) if same(held, found))
    }

    fn folder(&self, folder: &str) -> io::Result<Option<OwnedFd>> {
        let mut at: Option<OwnedFd> = None;
        for part in folder.split('/').filter(|part| !part.is_empty()) {
            refuse_dots(part)?;
            let from = at.as_ref().map_or(self.0.as_fd(), AsFd::as_fd);
            let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
            at = Some(match fs::openat(from, part, flags, Mode::empty()) {
                Err(Errno::LOOP | Errno::NOTDIR) => return Err(sort_of(from, part)),
                other => other?,
            });
        }
        Ok(at)
    }

    fn within<T>(
        &self,
        path: &str,
        act: impl FnOnce(BorrowedFd<'_>, &str) -> io::Result<T>,
    ) -> io::Result<T> {
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
        refuse_dots(name)?;
        let at = self.folder(folder)?;
        act(at.as_ref().map_or(self.0.as_fd(), AsFd::as_fd), name)
    }

    pub(super) fn open_file(&self, path: &str) -> io::Result<File> {
        self.open_looked(path).map(|(file, _)| file)
    }

    /// A file, with the stat of what was opened.
    pub(super) fn open_looked(&self, path: &str) -> io::Result<(File, Stat)> {
        self.within(path, |at, name| {
            let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
            let file = match fs::openat(at, name, flags, Mode::empty()) {
                Err(Errno::LOOP | Errno::NXIO) => return Err(sort_of(at, name)),
                other => File::from(other?),
            };
            let stat = plain(&fs::fstat(&file)?)?;
            Ok((file, stat))
        })
    }

    pub(super) fn create(&self, path: &str, fresh: bool) -> io::Result<File> {
        self.make(path, OFlags::RDWR | if fresh { OFlags::EXCL } else { OFlags::empty() })
    }

    /// A file to write at its end.
    pub(super) fn append(&self, path: &str) -> io::Result<File> {
        self.make(path, OFlags::WRONLY | OFlags::APPEND)
    }

    fn make(&self, path: &str, how: OFlags) -> io::Result<File> {
        self.within(path, |at, name| {
            let flags = how | OFlags::CREATE | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
            let file = match fs::openat(at, name, flags, Mode::from_raw_mode(0o600)) {
                Err(Errno::LOOP | Errno::NXIO) => return Err(sort_of(at, name)),
                other => File::from(other?),
            };
            if file.metadata()?.is_file() { Ok(file) } else { Err(sort_of(at, name)) }
        })
    }

    /// Gives a new file the permissions of the one that it will replace.
    pub(super) fn copy_mode(&self, of: &str, file: &File) -> io::Result<()> {
        let mode = self.within(of, |at, name| {
            Ok(match fs::statat(at, name, AtFlags::SYMLINK_NOFOLLOW) {
                Ok(stat) if FileType::from_raw_mode(stat.st_mode) == FileType::RegularFile => {
                    Some(Mode::from_raw_mode(stat.st_mode & 0o777))
                }
                _ => None,
            })
        });
        match mode {
            Ok(Some(mode)) => Ok(fs::fchmod(file, mode)?),
            _ => Ok(()),
        }
    }

    /// Takes away what others may do with a file or folder; one that belongs to somebody else stays as it is.
    pub(super) fn make_private(&self, path: &str, most: fs::RawMode) -> io::Result<()> {
        self.within(path, |at, name| {
            let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
            let file = fs::openat(at, name, flags, Mode::empty())?;
            let mode = Mode::from_raw_mode(fs::fstat(&file)?.st_mode & most);
            match fs::fchmod(&file, mode) {
                Err(Errno::PERM | Errno::ROFS) => Ok(()),
                other => Ok(other?),
            }
        })
    }

    pub(super) fn stat(&self, path: &str) -> io::Result<Stat> {
        self.within(path, stat)
    }

    /// The stats of files of one folder, which is opened once.
    pub(super) fn stats(&self, folder: &str, names: &[&str]) -> io::Result<Vec<io::Result<Stat>>> {
        let at = self.folder(folder)?;
        let at = at.as_ref().map_or(self.0.as_fd(), AsFd::as_fd);
        let of_name = |name: &&str| refuse_dots(name).and_then(|()| stat(at, name));
        Ok(names.iter().map(of_name).collect())
    }

    pub(super) fn is_folder(&self, folder: &str) -> io::Result<()> {
        self.folder(folder).map(|_| ())
    }

    /// The names in a folder, sorted, which is held open for their stats.
    pub(super) fn list(&self, folder: &str) -> io::Result<(Vec<Name>, Listed)> {
        let mut open = match self.folder(folder)? {
            Some(at) => Dir::new(at)?,
            None => Dir::read_from(self.0.as_fd())?,
        };
        let mut names = Vec::new();
        while let Some(entry) = open.read() {
            let entry = entry?;
            let name = entry.file_name();
            if matches!(name.to_bytes(), b"." | b"..") {
                continue;
            }
            let mut sort = entry.file_type();
            if sort == FileType::Unknown {
                let stat = fs::statat(open.fd()?, name, AtFlags::SYMLINK_NOFOLLOW)?;
                sort = FileType::from_raw_mode(stat.st_mode);
            }
            let sort = match sort {
                FileType::RegularFile => Sort::File,
                FileType::Directory => Sort::Folder,
                _ => Sort::Other,
            };
            names.push(Name::of(OsStr::from_bytes(name.to_bytes()), sort));
        }
        names.sort_by(|a, b| a.name.cmp(&b.name));
        Ok((names, Listed(open)))
    }

    pub(super) fn make_folder(&self, folder: &str) -> io::Result<()> {
        self.within(folder, |at, name| match fs::mkdirat(at, name, Mode::from_raw_mode(0o700)) {
            Err(Errno::EXIST) => match fs::statat(at, name, AtFlags::SYMLINK_NOFOLLOW) {
                Ok(stat) if FileType::from_raw_mode(stat.st_mode) == FileType::Directory => {
                    Err(Errno::EXIST.into())
                }
                _ => Err(sort_of(at, name)),
            },
            other => Ok(other?),
        })
    }

    pub(super) fn sync_folder(&self, folder: &str) -> io::Result<()> {
        let at = self.folder(folder)?;
        let at = at.as_ref().map_or(self.0.as_fd(), AsFd::as_fd);
        // On a Mac a plain sync leaves bytes in the drive's own memory; not every file system there knows the other.
        #[cfg(target_vendor = "apple")]
        if fs::fcntl_fullfsync(at).is_ok() {
            return Ok(());
        }
        Ok(fs::fsync(at)?)
    }

    pub(super) fn exchange(&self, a: &str, b: &str) -> io::Result<bool> {
        #[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
        {
            self.within(a, |from, a| {
                self.within(b, |to, b| match fs::renameat_with(from, a, to, b, fs::RenameFlags::EXCHANGE) {
                    Err(error) if is_unknown(error) => Ok(false),
                    other => Ok(other.map(|()| true)?),
                })
            })
        }
        #[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
        {
            let _ = (a, b);
            Ok(false)
        }
    }

    pub(super) fn place(&self, from: &str, to: &str) -> io::Result<bool> {
        self.within(from, |at, old| {
            self.within(to, |onto, new| {
                #[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
                match fs::renameat_with(at, old, onto, new, fs::RenameFlags::NOREPLACE) {
                    Err(Errno::EXIST) => return Ok(false),
                    Err(error) if is_unknown(error) => {}
                    other => return Ok(other.map(|()| true)?),
                }
                link_and_unlink(at, old, onto, new)
            })
        })
    }

    pub(super) fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        self.within(from, |at, old| self.within(to, |onto, new| Ok(fs::renameat(at, old, onto, new)?)))
    }

    pub(super) fn remove(&self, path: &str) -> io::Result<()> {
        self.within(path, |at, name| Ok(fs::unlinkat(at, name, AtFlags::empty())?))
    }

    pub(super) fn remove_folder(&self, folder: &str) -> io::Result<()> {
        self.within(folder, |at, name| Ok(fs::unlinkat(at, name, AtFlags::REMOVEDIR)?))
    }
}

/// Reads some bytes of a file from a place on.
pub(super) fn read_at(file: &File, bytes: &mut [u8], at: u64) -> io::Result<usize> {
    file.read_at(bytes, at)
}

/// Makes a folder that only its owner can look into.
pub(super) fn make_private_folder(path: &Path) -> io::Result<()> {
    Ok(fs::mkdir(path, Mode::from_raw_mode(0o700))?)
}

fn stat(at: BorrowedFd<'_>, name: &str) -> io::Result<Stat> {
    plain(&fs::statat(at, name, AtFlags::SYMLINK_NOFOLLOW)?)
}

/// What is kept of the stat of a plain file.
fn plain(stat: &fs::Stat) -> io::Result<Stat> {
    match FileType::from_raw_mode(stat.st_mode) {
        FileType::RegularFile => Ok(Stat {
            size: u64::try_from(stat.st_size).unwrap_or(0),
            #[allow(clippy::unnecessary_cast, reason = "the field's type differs between systems")]
            modified_ns: (stat.st_mtime as i64)
                .saturating_mul(1_000_000_000)
                .saturating_add(stat.st_mtime_nsec as i64),
            #[allow(clippy::unnecessary_cast, reason = "the field's type differs between systems")]
            inode: stat.st_ino as u64,
        }),
        other => Err(not_plain(word(other))),
    }
}

/// Whether a file system does not know what was asked of it. Two names of one error on Linux are two errors on a Mac.
fn is_unknown(error: Errno) -> bool {
    [Errno::INVAL, Errno::NOSYS, Errno::OPNOTSUPP, Errno::NOTSUP].contains(&error)
}

/// The way to a new name that every file system with links knows.
fn link_and_unlink(at: BorrowedFd<'_>, old: &str, onto: BorrowedFd<'_>, new: &str) -> io::Result<bool> {
    match fs::linkat(at, old, onto, new, AtFlags::empty()) {
        Err(Errno::EXIST) => Ok(false),
        // Neither is known here, so a look before the rename is all there is.
        Err(error) if error == Errno::PERM || is_unknown(error) => {
            match fs::statat(onto, new, AtFlags::SYMLINK_NOFOLLOW) {
                Err(Errno::NOENT) => Ok(fs::renameat(at, old, onto, new).map(|()| true)?),
                other => Ok(other.map(|_| false)?),
            }
        }
        other => {
            other?;
            Ok(fs::unlinkat(at, old, AtFlags::empty()).map(|()| true)?)
        }
    }
}

fn refuse_dots(part: &str) -> io::Result<()> {
    if part.is_empty() || part == "." || part == ".." || part.contains('\0') {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "the path leaves the memory folder"));
    }
    Ok(())
}

fn sort_of(at: BorrowedFd<'_>, name: &str) -> io::Error {
    match fs::statat(at, name, AtFlags::SYMLINK_NOFOLLOW) {
        Ok(stat) => not_plain(word(FileType::from_raw_mode(stat.st_mode))),
        Err(error) => error.into(),
    }
}

fn word(sort: FileType) -> &'static str {
    match sort {
        FileType::Symlink => "link",
        FileType::Fifo => "pipe",
        FileType::Socket => "socket",
        FileType::Directory => "folder",
        FileType::RegularFile => "file",
        _ => "device",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_takes_only_a_free_name() {
        let folder = tempfile::tempdir().unwrap();
        let top = Top::open(folder.path()).unwrap();
        let names = || top.list("").unwrap().0.len();
        for name in ["a", "b"] {
            std::io::Write::write_all(&mut top.create(name, true).unwrap(), name.as_bytes()).unwrap();
        }
        let at = || top.0.as_fd();
        assert!(!link_and_unlink(at(), "a", at(), "b").unwrap());
        assert_eq!((names(), top.stat("a").is_ok()), (2, true));
        assert!(link_and_unlink(at(), "a", at(), "c").unwrap());
        assert_eq!((names(), top.stat("a").is_ok(), top.stat("c").is_ok()), (2, false, true));
    }
}
