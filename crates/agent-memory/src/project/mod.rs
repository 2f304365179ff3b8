//! The project around the root: its manifest, its `.gitignore`, and the files that a person names on the command line.
//!
//! Everything under the root belongs to the engine; this module never reads or writes memories. Reading a
//! manifest never fails: what is missing, too large or broken gives a shorter page, not an error.

pub(crate) mod files;
pub(crate) mod git;
mod ignore;
mod manifest;

use std::path::Path;

pub(crate) use ignore::Ignored;

use files::FileError;

/// The first text of `_project.md`, as far as the project's manifest tells.
pub(crate) fn first_page(project: &Path) -> String {
    manifest::read(project).page()
}

/// What became of a `.gitignore`.
pub(crate) enum IgnoreStep {
    /// The lines were already there.
    Unchanged,
    /// The lines were added or brought up to date.
    Written,
    /// It is a link, which is not followed.
    Link,
}

/// Brings the block of a `.gitignore` up to date and leaves every other byte of the file alone.
pub(crate) fn write_ignore(file: &Path, lines: &[Ignored]) -> Result<IgnoreStep, FileError> {
    if files::is_link(file) {
        return Ok(IgnoreStep::Link);
    }
    let before = files::read_bytes(file, 1 << 20)?.unwrap_or_default();
    let Some(after) = ignore::with_block(&before, lines) else { return Ok(IgnoreStep::Unchanged) };
    files::replace(file, &after)?;
    Ok(IgnoreStep::Written)
}
