//! What lies where nothing is looked for: folders and markdown that nobody reads, and what was set aside.

use memory_core::id::AgentId;
use memory_core::layout::Home;

use super::{Diagnosis, Severity};
use crate::disk::{Disk, Name, Sort};
use crate::error::Result;
use crate::migrate;
use crate::store::OWN;

/// Folders below an agent's are looked through so far down.
const DEEPEST: usize = 4;

/// Names what was set aside, and what is never read though it looks as if it should be.
pub(super) fn look(disk: &dyn Disk, found: &mut Diagnosis) -> Result<()> {
    set_aside(disk, found)?;
    for name in found.names(disk, "")? {
        unspelt(&name, &name.name, found);
        let is_folder = name.sort == Sort::Folder && !name.name.starts_with('.');
        match name.name.as_str() {
            "records" => unread(disk, "records", "its name cannot be a record's id", found)?,
            "memory" => unread(disk, "memory", "its name is no day, as in `2026-05-15.md`", found)?,
            "history" | "archive" | "conversations" | "automation" | "tmp" => {}
            folder if is_folder && AgentId::parse(folder).is_err() => {
                let text =
                    "its name cannot be an agent's id, so its files are not read; rename it".to_owned();
                found.say(Severity::Warning, "folder-name", folder, 0, text);
            }
            folder if is_folder => unread(disk, folder, "its name cannot be a category's", found)?,
            file if name.sort == Sort::File && migrate::is_flat(file) => {
                let text = "flat files are not read; `agent-memory migrate` makes a vault of it".to_owned();
                found.say(Severity::Warning, "file-place", file, 0, text);
            }
            _ => {}
        }
    }
    Ok(())
}

fn set_aside(disk: &dyn Disk, found: &mut Diagnosis) -> Result<()> {
    for folder in ["recovered", "quarantine"] {
        let path = format!("{OWN}/{folder}");
        let count = found.names(disk, &path)?.len();
        if count > 0 {
            let things = if count == 1 { "one thing was".to_owned() } else { format!("{count} things were") };
            let text = format!("{things} set aside here; look and delete what you do not need");
            found.say(Severity::Note, "set-aside", &path, 0, text);
        }
    }
    Ok(())
}

/// Names the markdown in a folder that holds memories, and below it, that is not read.
fn unread(disk: &dyn Disk, folder: &str, why: &str, found: &mut Diagnosis) -> Result<()> {
    for name in found.names(disk, folder)? {
        let path = format!("{folder}/{}", name.name);
        unspelt(&name, &path, found);
        if name.sort == Sort::Folder && !name.name.starts_with('.') && Home::of_path(&path).is_none() {
            below(disk, &path, 1, found)?;
        } else if is_text(&name) && Home::of_path(&path).is_none() {
            let text = format!("{why}, so it is not read; rename it");
            found.say(Severity::Warning, "file-name", &path, 0, text);
        }
    }
    Ok(())
}

fn below(disk: &dyn Disk, folder: &str, depth: usize, found: &mut Diagnosis) -> Result<()> {
    for name in found.names(disk, folder)? {
        let path = format!("{folder}/{}", name.name);
        unspelt(&name, &path, found);
        if name.sort == Sort::Folder && depth < DEEPEST && !name.name.starts_with('.') {
            below(disk, &path, depth + 1, found)?;
        } else if is_text(&name) {
            let text = "folders in folders are not read; move it up".to_owned();
            found.say(Severity::Warning, "file-place", &path, 0, text);
        }
    }
    Ok(())
}

/// Names what nobody can spell.
fn unspelt(name: &Name, path: &str, found: &mut Diagnosis) {
    if name.is_unspelt() {
        let text = "its name is no text, so it is not read; rename it".to_owned();
        found.say(Severity::Warning, "file-name", path, 0, text);
    }
}

fn is_text(name: &Name) -> bool {
    name.sort == Sort::File && name.name.to_lowercase().ends_with(".md") && !name.name.starts_with('.')
}
