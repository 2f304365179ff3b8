//! The project around the root: its manifest, the files that git reads, and those that a person names on the command line.
//!
//! Everything under the root belongs to the engine; this module never reads or writes memories. Reading a
//! manifest never fails: what is missing, too large or broken gives a shorter page, not an error.

mod block;
pub(crate) mod files;
pub(crate) mod git;
mod manifest;

use std::path::Path;

pub(crate) use block::Line;

use files::FileError;

/// The first text of `_project.md`, as far as the project's manifest tells.
pub(crate) fn first_page(project: &Path) -> String {
    manifest::read(project).page()
}

/// What became of a file of git.
pub(crate) enum BlockStep {
    /// The lines were already there.
    Unchanged,
    /// The lines were added or brought up to date.
    Written,
    /// It is a link, which is not followed.
    Link,
}

/// Brings our block of such a file up to date and leaves every other byte of the file alone.
pub(crate) fn write_block(file: &Path, lines: &[Line]) -> Result<BlockStep, FileError> {
    if files::is_link(file) {
        return Ok(BlockStep::Link);
    }
    let before = files::read_bytes(file, 1 << 20)?.unwrap_or_default();
    let Some(after) = block::with_block(&before, lines) else { return Ok(BlockStep::Unchanged) };
    files::replace(file, &after)?;
    Ok(BlockStep::Written)
}
