//! The markdown files of a source: one that is named, or all below a folder, without hidden ones and without links.

use std::path::{Path, PathBuf};

use memory_core::time::Time;

use super::{Context, Hear};
use crate::disk::foreign::{self, Foreign};
use crate::disk::{Sort, Stat};
use crate::error::Result;

/// How deep folders are looked into, and how many files are taken.
const DEEPEST: usize = 8;
const MOST: usize = 200_000;

/// The endings of markdown files; rules of Cursor have one of their own.
pub(super) const MARKDOWN: &[&str] = &["md", "markdown", "mdc"];

/// A text file of a source.
pub(super) struct Sheet {
    /// Its path below the source, with `/` between the parts.
    pub(super) name: String,
    pub(super) text: String,
    pub(super) modified: Time,
}

/// Gives every markdown file of a source, one at a time.
pub(super) fn sheets(
    context: &Context<'_>,
    hear: &mut dyn Hear,
    each: &mut dyn FnMut(&Sheet, &mut dyn Hear) -> Result<()>,
) -> Result<()> {
    let top = context.import.path.as_path();
    for path in files(top, MARKDOWN) {
        match bytes(&path, context.file_bytes) {
            Ok((bytes, stat)) => {
                let name = path.strip_prefix(top).ok().filter(|name| !name.as_os_str().is_empty());
                let name = name.or(path.file_name().map(Path::new)).unwrap_or(&path);
                let name = name.to_string_lossy().replace('\\', "/");
                match String::from_utf8(bytes) {
                    Ok(text) => each(&Sheet { name, text, modified: changed(stat) }, hear)?,
                    Err(_) => {
                        let why = "it is not UTF-8 throughout; save it as UTF-8 to import it".to_owned();
                        hear.defect(path.display().to_string(), why);
                    }
                }
            }
            Err(why) => hear.defect(path.display().to_string(), why),
        }
    }
    Ok(())
}

/// The files with one of these endings: the path itself if it is a file, else all below it, sorted.
pub(super) fn files(top: &Path, endings: &[&str]) -> Vec<PathBuf> {
    if foreign::sort_at(top) == Some(Sort::File) {
        return vec![top.to_owned()];
    }
    let mut all = Vec::new();
    walk(top, endings, 0, &mut all);
    all
}

fn walk(folder: &Path, endings: &[&str], depth: usize, all: &mut Vec<PathBuf>) {
    for name in foreign::names_in(folder) {
        let path = folder.join(&name.name);
        match name.sort {
            _ if name.name.starts_with('.') || name.name == "node_modules" || all.len() >= MOST => {}
            Sort::Folder if depth < DEEPEST => walk(&path, endings, depth + 1, all),
            Sort::File if has_ending(&path, endings) => all.push(path),
            _ => {}
        }
    }
}

pub(super) fn has_ending(path: &Path, endings: &[&str]) -> bool {
    let ending = path.extension().map(|ending| ending.to_string_lossy().to_lowercase());
    ending.is_some_and(|ending| endings.contains(&ending.as_str()))
}

/// The bytes of a file that is read as one, or why it is not.
pub(super) fn bytes(path: &Path, limit: u64) -> std::result::Result<(Vec<u8>, Stat), String> {
    let opened = Foreign::open(path).map_err(|error| error.to_string())?;
    let mut file = opened.ok_or_else(|| "it is not there any more".to_owned())?;
    let stat = file.stat();
    if stat.size > limit {
        return Err(format!("it has {} bytes, more than the {limit} that are read", stat.size));
    }
    let bytes = file.read_at(0, limit).map_err(|error| error.to_string())?;
    Ok((bytes, stat))
}

/// When a file last changed.
pub(super) fn changed(stat: Stat) -> Time {
    Time(stat.modified_ns / 1_000_000)
}
