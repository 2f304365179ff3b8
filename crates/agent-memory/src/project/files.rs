//! File access outside the root: the project's own files, texts a person names, and private temporary folders.
//!
//! Whole files are read only up to a limit; a file is replaced by temporary file, fsync and rename, with the
//! permissions it had, so a crash leaves the old one or the new one.

#![expect(
    clippy::disallowed_methods,
    reason = "the engine's disk ends at the root; this is the home of all other files"
)]

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use memory_engine::ambient;

/// What could not be done with which file.
#[derive(Debug)]
pub(crate) struct FileError {
    pub(crate) action: &'static str,
    pub(crate) path: PathBuf,
    pub(crate) source: io::Error,
}

fn failed(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> FileError {
    let path = path.to_owned();
    move |source| FileError { action, path, source }
}

/// Whether anything stands at this path, a dangling link included.
pub(crate) fn exists(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok()
}

/// Whether the path is a link.
pub(crate) fn is_link(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|it| it.file_type().is_symlink())
}

/// A path that says the same from everywhere. One that is already whole stays as it was written.
pub(crate) fn absolute(path: &Path) -> PathBuf {
    if path.is_absolute() {
        return path.to_owned();
    }
    // Windows takes `..` away by itself, and what it calls canonical is not what people write.
    let resolved = if cfg!(windows) { None } else { fs::canonicalize(path).ok() };
    resolved.or_else(|| std::path::absolute(path).ok()).unwrap_or_else(|| path.to_owned())
}

/// A path as the system itself calls it, links resolved; the path as it is where that cannot be told.
pub(crate) fn resolved(path: &Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}

/// Whether two paths lead to the same folder.
pub(crate) fn same_folder(one: &Path, other: &Path) -> bool {
    one == other || matches!((fs::canonicalize(one), fs::canonicalize(other)), (Ok(a), Ok(b)) if a == b)
}

/// A plain file's bytes; `None` when it is absent, an error when it is larger than the limit.
pub(crate) fn read_bytes(path: &Path, limit: u64) -> Result<Option<Vec<u8>>, FileError> {
    match fs::metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(failed("read", path)(error)),
        Ok(it) if !it.is_file() => {
            return Err(failed("read", path)(io::Error::other("it is not a plain file")));
        }
        Ok(_) => {}
    }
    let file = File::open(path).map_err(failed("read", path))?;
    let mut bytes = Vec::new();
    file.take(limit + 1).read_to_end(&mut bytes).map_err(failed("read", path))?;
    if bytes.len() as u64 > limit {
        return Err(failed("read", path)(io::Error::other("it is too large")));
    }
    Ok(Some(bytes))
}

/// A small text file, or `None` when it is absent, large, not plain or not text.
pub(crate) fn read_text(path: &Path) -> Option<String> {
    read_bytes(path, 1 << 20).ok().flatten().and_then(|bytes| String::from_utf8(bytes).ok())
}

/// Opens a file that a person named, pipes included, and says how large it claims to be.
pub(crate) fn open(path: &Path) -> Result<(File, u64), FileError> {
    let file = File::open(path).map_err(failed("read", path))?;
    let it = file.metadata().map_err(failed("read", path))?;
    if it.is_dir() {
        return Err(failed("read", path)(io::Error::from(io::ErrorKind::IsADirectory)));
    }
    Ok((file, it.len()))
}

/// Puts a file in the place of another, or makes it.
pub(crate) fn replace(path: &Path, bytes: &[u8]) -> Result<(), FileError> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let temporary = path.with_file_name(format!("{name}.{}.tmp", std::process::id()));
    let written = (|| {
        let mut file = OpenOptions::new().write(true).create_new(true).open(&temporary)?;
        if let Ok(before) = fs::metadata(path) {
            file.set_permissions(before.permissions())?;
        }
        file.write_all(bytes)?;
        file.sync_all()?;
        fs::rename(&temporary, path)
    })();
    if written.is_err() {
        let _ = fs::remove_file(&temporary);
    }
    written.map_err(failed("write", path))
}

/// Makes a folder for this process alone, readable by this user alone.
pub(crate) fn private_folder(name: &str) -> Result<PathBuf, FileError> {
    let stamp = ambient::now().stamp();
    let path = std::env::temp_dir().join(format!("{name}-{stamp}-{}", std::process::id()));
    private_builder().create(&path).map_err(failed("make", &path))?;
    Ok(path)
}

#[cfg(unix)]
fn private_builder() -> fs::DirBuilder {
    let mut builder = fs::DirBuilder::new();
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder
}

/// Elsewhere a folder takes the rights of the one around it, which for temporary files is the user's own.
#[cfg(not(unix))]
fn private_builder() -> fs::DirBuilder {
    fs::DirBuilder::new()
}

/// Makes a folder and those above it.
pub(crate) fn make_folder(path: &Path) -> Result<(), FileError> {
    fs::create_dir_all(path).map_err(failed("make", path))
}

/// Takes away a folder that [`private_folder`] made; what cannot be removed is left to the system.
pub(crate) fn remove_folder(path: &Path) {
    let _ = fs::remove_dir_all(path);
}
