//! The same calls where folders cannot be held open: every part of a path is looked at before it is used.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use super::not_plain;
use crate::disk::{Name, Sort, Stat, in_folder};

/// The root.
#[derive(Debug)]
pub(super) struct Top(PathBuf);

/// A folder, known by its path alone.
pub(super) struct Listed<'a> {
    top: &'a Top,
    folder: &'a str,
}

impl Listed<'_> {
    pub(super) fn stat(&self, name: &str) -> io::Result<Stat> {
        self.top.stat(&in_folder(self.folder, name))
    }
}

impl Top {
    pub(super) fn open(root: &Path) -> io::Result<Self> {
        Ok(Self(root.to_owned()))
    }

    /// Whether a path leads to it; the folder is known by its path alone.
    pub(super) fn is_at(&self, root: &Path) -> bool {
        root.is_dir()
    }

    fn place_of(&self, path: &str) -> io::Result<PathBuf> {
        let mut place = self.0.clone();
        let mut parts = path.split('/').filter(|part| !part.is_empty()).peekable();
        while let Some(part) = parts.next() {
            if part == "." || part == ".." || part.contains(['\\', ':', '\0']) {
                return Err(io::Error::new(io::ErrorKind::InvalidInput, "the path leaves the memory folder"));
            }
            place.push(part);
            if parts.peek().is_some() && !fs::symlink_metadata(&place)?.is_dir() {
                return Err(not_plain("link"));
            }
        }
        Ok(place)
    }

    fn plain(&self, path: &str) -> io::Result<PathBuf> {
        let place = self.place_of(path)?;
        match fs::symlink_metadata(&place) {
            Ok(found) if !found.is_file() => Err(not_plain("link")),
            Ok(_) => Ok(place),
            Err(error) => Err(error),
        }
    }

    pub(super) fn open_file(&self, path: &str) -> io::Result<File> {
        // Flushing a file needs a handle that may write.
        let place = self.plain(path)?;
        OpenOptions::new().read(true).write(true).open(&place).or_else(|_| File::open(&place))
    }

    /// A file, with the stat of what has its name.
    pub(super) fn open_looked(&self, path: &str) -> io::Result<(File, Stat)> {
        Ok((self.open_file(path)?, self.stat(path)?))
    }

    pub(super) fn create(&self, path: &str, fresh: bool) -> io::Result<File> {
        let place = self.place_of(path)?;
        if fresh {
            return OpenOptions::new().read(true).write(true).create_new(true).open(place);
        }
        OpenOptions::new().read(true).write(true).create(true).truncate(false).open(place)
    }

    pub(super) fn append(&self, path: &str) -> io::Result<File> {
        match self.plain(path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => OpenOptions::new().append(true).create(true).open(self.place_of(path)?),
        }
    }

    pub(super) fn copy_mode(&self, _of: &str, _file: &File) -> io::Result<()> {
        Ok(())
    }

    /// Who may look into it follows from the folder above.
    pub(super) fn make_private(&self, _path: &str, _most: u32) -> io::Result<()> {
        Ok(())
    }

    pub(super) fn stat(&self, path: &str) -> io::Result<Stat> {
        let found = fs::symlink_metadata(self.plain(path)?)?;
        let since = found.modified()?.duration_since(UNIX_EPOCH).unwrap_or_default();
        let modified_ns = i64::try_from(since.as_nanos()).unwrap_or(i64::MAX);
        Ok(Stat { size: found.len(), modified_ns, inode: 0 })
    }

    pub(super) fn is_folder(&self, folder: &str) -> io::Result<()> {
        if fs::symlink_metadata(self.place_of(folder)?)?.is_dir() { Ok(()) } else { Err(not_plain("file")) }
    }

    pub(super) fn stats(&self, folder: &str, names: &[&str]) -> io::Result<Vec<io::Result<Stat>>> {
        Ok(names.iter().map(|name| self.stat(&format!("{folder}/{name}"))).collect())
    }

    /// The names in a folder, sorted, and what gives their stats.
    pub(super) fn list<'a>(&'a self, folder: &'a str) -> io::Result<(Vec<Name>, Listed<'a>)> {
        let mut names = Vec::new();
        for entry in fs::read_dir(self.place_of(folder)?)? {
            let entry = entry?;
            let sort = entry.file_type()?;
            let sort = match (sort.is_file(), sort.is_dir()) {
                (true, _) => Sort::File,
                (_, true) => Sort::Folder,
                _ => Sort::Other,
            };
            names.push(Name::of(&entry.file_name(), sort));
        }
        names.sort_by(|a, b| a.name.cmp(&b.name));
        Ok((names, Listed { top: self, folder }))
    }

    pub(super) fn make_folder(&self, folder: &str) -> io::Result<()> {
        fs::create_dir(self.place_of(folder)?)
    }

    pub(super) fn sync_folder(&self, _folder: &str) -> io::Result<()> {
        // Folders cannot be flushed here; the file system's own log orders names.
        Ok(())
    }

    pub(super) fn exchange(&self, _a: &str, _b: &str) -> io::Result<bool> {
        Ok(false)
    }

    pub(super) fn place(&self, from: &str, to: &str) -> io::Result<bool> {
        let (old, new) = (self.plain(from)?, self.place_of(to)?);
        match fs::hard_link(&old, &new) {
            Ok(()) => fs::remove_file(&old).map(|()| true),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(false),
            // Where there are no links, a look before the rename is all there is.
            Err(_) if fs::symlink_metadata(&new).is_ok() => Ok(false),
            Err(_) => self.rename(from, to).map(|()| true),
        }
    }

    pub(super) fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        let (from, to) = (self.plain(from)?, self.place_of(to)?);
        // A scanner or an editor may hold the file for a moment.
        let mut pause = 10;
        loop {
            match fs::rename(&from, &to) {
                Err(error) if matches!(error.raw_os_error(), Some(5 | 32 | 33)) && pause < 1000 => {
                    std::thread::sleep(std::time::Duration::from_millis(pause));
                    pause *= 2;
                }
                other => return other,
            }
        }
    }

    pub(super) fn remove(&self, path: &str) -> io::Result<()> {
        fs::remove_file(self.place_of(path)?)
    }

    pub(super) fn remove_folder(&self, folder: &str) -> io::Result<()> {
        fs::remove_dir(self.place_of(folder)?)
    }
}

/// Reads some bytes of a file from a place on.
pub(super) fn read_at(mut file: &File, bytes: &mut [u8], at: u64) -> io::Result<usize> {
    file.seek(SeekFrom::Start(at))?;
    file.read(bytes)
}

/// Makes a folder; who may look into it follows from the folder above.
pub(super) fn make_private_folder(path: &Path) -> io::Result<()> {
    fs::create_dir(path)
}
