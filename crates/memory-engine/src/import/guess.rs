//! What a file or folder is, told by its name and its first bytes; where that is not enough, the person is asked.

use std::path::{Path, PathBuf};

use memory_core::kind::Kind;
use memory_core::layout::Home;

use super::{Format, chats, folder, front, roots};
use crate::disk::Sort;
use crate::disk::foreign::{self, Foreign};
use crate::error::{Error, Result};

/// How much of a file is looked at.
const HEAD: u64 = 64 << 10;
/// How many notes are looked at.
const NOTES: usize = 20;

/// The format of what stands at a path, and the path that is meant: the memory inside a project's folder, the file
/// inside a folder that is known for it.
pub fn guess(path: &Path) -> Result<(Format, PathBuf)> {
    let path = foreign::real_path(path);
    let found = match foreign::sort_at(&path) {
        None => return Err(Error::absent(&path)),
        Some(Sort::Folder) => of_folder(&path),
        Some(Sort::File) => of_file(&path)?.map(|format| (format, path.clone())),
        Some(Sort::Other) => None,
    };
    found.ok_or_else(|| Error::UnknownSource { path: path.display().to_string() })
}

/// Refuses archives, with what to do.
pub(super) fn refuse_archive(path: &Path) -> Result<()> {
    let head = head(path)?;
    if head.starts_with(b"PK\x03\x04") || head.starts_with(b"\x1f\x8b") {
        let why = "it is a packed archive: unpack it, then name the folder or the file in it".to_owned();
        return Err(Error::NotImportable { path: path.display().to_string(), why });
    }
    Ok(())
}

fn head(path: &Path) -> Result<Vec<u8>> {
    Foreign::open(path)?.map_or_else(|| Err(Error::absent(path)), |mut file| file.read_at(0, HEAD))
}

fn of_file(path: &Path) -> Result<Option<Format>> {
    refuse_archive(path)?;
    let head = head(path)?;
    let holds = |mark: &str| head.windows(mark.len()).any(|part| part == mark.as_bytes());
    let format = if head.starts_with(b"SQLite format 3\0") {
        path.file_name()
            .is_some_and(|name| name.to_string_lossy().contains("claude-mem"))
            .then_some(Format::ClaudeMem)
    } else if folder::has_ending(path, folder::MARKDOWN) {
        Some(if is_claude_memory(path.parent()) { Format::ClaudeMemory } else { Format::Markdown })
    } else if folder::has_ending(path, &["json", "jsonl"]) {
        if holds("\"type\":\"entity\"") || holds("\"type\": \"entity\"") || holds("\"type\":\"relation\"") {
            Some(Format::ServerMemory)
        } else if holds("\"mapping\"") {
            Some(Format::ChatGpt)
        } else if holds("\"chat_messages\"") {
            Some(Format::ClaudeAi)
        } else if holds("\"messages\"") {
            Some(Format::Conversations)
        } else {
            None
        }
    } else {
        None
    };
    Ok(format)
}

fn of_folder(path: &Path) -> Option<(Format, PathBuf)> {
    if is_claude_memory(Some(path)) {
        return Some((Format::ClaudeMemory, path.to_owned()));
    }
    let names = foreign::names_in(path);
    let file =
        |name: &str| names.iter().any(|it| it.sort == Sort::File && it.name == name).then(|| path.join(name));
    if names.iter().any(|name| name.sort == Sort::File && chats::is_export(&name.name)) {
        let first = names.iter().find(|name| chats::is_export(&name.name))?;
        return of_file(&path.join(&first.name)).ok().flatten().map(|format| (format, path.to_owned()));
    }
    if let Some(database) = file("claude-mem.db") {
        return Some((Format::ClaudeMem, database));
    }
    if let Some(graph) = file("memory.jsonl") {
        return Some((Format::ServerMemory, graph));
    }
    if is_root(path) {
        return Some((Format::Memory, path.to_owned()));
    }
    if let Some(root) = crate::project::NAMES.iter().map(|name| path.join(name)).find(|root| is_root(root)) {
        return Some((Format::Memory, root));
    }
    let is_saved = |name: &&crate::disk::Name| {
        name.sort == Sort::File
            && of_file(&path.join(&name.name)).ok().flatten() == Some(Format::Conversations)
    };
    if names.iter().take(NOTES).any(|name| is_saved(&name)) {
        return Some((Format::Conversations, path.to_owned()));
    }
    let notes = folder::files(path, folder::MARKDOWN);
    let has_permalink = notes.iter().take(NOTES).any(|note| {
        let text = foreign::small_text(note, 1 << 20).unwrap_or_default();
        front::Note::of(&text).value("permalink").is_some()
    });
    match (has_permalink, notes.is_empty()) {
        (true, _) => Some((Format::BasicMemory, path.to_owned())),
        (false, false) => Some((Format::Markdown, path.to_owned())),
        (false, true) => None,
    }
}

/// `…/projects/<project>/memory`.
fn is_claude_memory(folder: Option<&Path>) -> bool {
    let named = |path: Option<&Path>, name: &str| path.and_then(Path::file_name).is_some_and(|it| it == name);
    let projects = folder.and_then(Path::parent).and_then(Path::parent);
    named(folder, "memory") && named(projects, "projects")
}

/// Whether a folder looks like a memory: by its state, its ledger, or files that only a memory has.
pub(super) fn is_root(path: &Path) -> bool {
    if foreign::sort_at(&path.join(".vault")) == Some(Sort::Folder) {
        return true;
    }
    let is_state = foreign::stat_at(&path.join("state.json")).is_some()
        && foreign::sort_at(&path.join("history")) == Some(Sort::Folder);
    is_state
        || roots::memory_files(path).iter().any(|(file, home)| match home {
            Home::Vault { category, .. } => !matches!(Kind::of_word(category.as_str()), Kind::Other(_)),
            Home::Record(_) => true,
            Home::Page(_) => file.file_name().is_some_and(|name| name == "_project.md"),
            Home::Journal | Home::LongTerm | Home::Day(_) => foreign::small_text(file, 1 << 20)
                .is_some_and(|text| text.contains("\n- {\"") || text.starts_with("- {\"")),
        })
}
