//! Where other programs usually keep what they remember, of this project and of this user.
//!
//! What may have come with a repository is only named here: a memory folder that nobody approved is not even read.

use std::path::{Path, PathBuf};

use serde_json::Value;

use super::{Format, folder, guess};
use crate::disk::{Sort, foreign};
use crate::harness::{Homes, record};
use crate::paths::{self, Trust};
use crate::project::{NAMES, Project};

/// Something that could be imported.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// In which form it is.
    pub format: Format,
    /// Where it is.
    pub path: PathBuf,
    /// How it comes in.
    pub comes: Comes,
}

/// How a source comes in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Comes {
    /// With everything of this project: this user's own programs wrote it, or this user approved it.
    Along,
    /// Only when it is named: it is of other projects too, clients read it by themselves, or it lies in the
    /// repository, where strangers may have put it.
    ByName,
}

/// Files in which a project's settings may name the file of the MCP memory server.
const SETTINGS: [&str; 3] = [".mcp.json", ".cursor/mcp.json", ".vscode/mcp.json"];

/// Every usual place at which something is. `own` is the root that is asking.
pub(crate) fn places(homes: &Homes, project: &Project, own: &Path) -> Vec<Place> {
    let own = foreign::real_path(own);
    let mut places = Vec::new();
    let mut add = |format: Format, path: PathBuf, comes: Comes| {
        let path = foreign::real_path(&path);
        let known = places.iter().any(|place: &Place| place.path == path);
        if !known && path != own {
            places.push(Place { format, path, comes });
        }
    };
    for checkout in &project.checkouts {
        for root in NAMES.map(|name| checkout.join(name)) {
            if !is_folder(&root) {
                continue;
            }
            match paths::trust_of(&root) {
                Ok(Trust::Trusted) if guess::is_root(&root) => add(Format::Memory, root, Comes::Along),
                Ok(Trust::Trusted) => {}
                Ok(Trust::Foreign) | Err(_) => add(Format::Memory, root, Comes::ByName),
            }
        }
        let memory = claude_folder(homes).join("projects").join(slug(checkout)).join("memory");
        if has_notes(&memory) {
            add(Format::ClaudeMemory, memory, Comes::Along);
        }
        let named = SETTINGS.iter().filter_map(|file| graph_of(&checkout.join(file)));
        for graph in named.map(|path| checkout.join(path)).chain([checkout.join("memory.jsonl")]) {
            if guess::guess(&graph).is_ok_and(|(format, _)| format == Format::ServerMemory) {
                add(Format::ServerMemory, graph, Comes::ByName);
            }
        }
        for name in ["CLAUDE.md", "AGENTS.md"] {
            let file = checkout.join(name);
            if foreign::stat_at(&file).is_some() {
                add(Format::Markdown, file, Comes::ByName);
            }
        }
    }
    let database = homes.home.join(".claude-mem/claude-mem.db");
    if foreign::stat_at(&database).is_some() {
        add(Format::ClaudeMem, database, Comes::Along);
    }
    for notes in basic_folders(homes) {
        if has_notes(&notes) {
            add(Format::BasicMemory, notes, Comes::ByName);
        }
    }
    let codex = homes.variables.get("CODEX_HOME").cloned().unwrap_or_else(|| homes.home.join(".codex"));
    if has_notes(&codex.join("memories")) {
        add(Format::Markdown, codex.join("memories"), Comes::ByName);
    }
    places
}

/// The usual place of one format: what comes along first, then what lies in the project.
pub(crate) fn place_of(homes: &Homes, project: &Project, own: &Path, format: Format) -> Option<PathBuf> {
    let mut found: Vec<Place> =
        places(homes, project, own).into_iter().filter(|place| place.format == format).collect();
    let inside = |place: &Place| project.checkouts.iter().any(|checkout| place.path.starts_with(checkout));
    found.sort_by_key(|place| (place.comes != Comes::Along, !inside(place)));
    found.into_iter().next().map(|place| place.path)
}

fn claude_folder(homes: &Homes) -> PathBuf {
    homes.variables.get("CLAUDE_CONFIG_DIR").cloned().unwrap_or_else(|| homes.home.join(".claude"))
}

/// A path as Claude Code makes a folder's name of it.
fn slug(path: &Path) -> String {
    let one = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
    path.to_string_lossy().chars().flat_map(|c| std::iter::repeat_n(one(c), c.len_utf16())).collect()
}

/// The folders of basic-memory: those that its settings name, else the one that it makes.
fn basic_folders(homes: &Homes) -> Vec<PathBuf> {
    let settings = foreign::small_text(&homes.home.join(".basic-memory/config.json"), 1 << 20);
    let settings: Option<Value> = settings.and_then(|text| record::value(text.as_bytes()).ok().flatten());
    let projects = settings.as_ref().and_then(|settings| settings.get("projects")).and_then(Value::as_object);
    let named = projects.into_iter().flat_map(|projects| projects.values());
    let named = named.filter_map(|project| project.as_str().or_else(|| project.get("path")?.as_str()));
    let mut folders: Vec<PathBuf> = named.map(|path| in_home(homes, path)).collect();
    folders.push(homes.home.join("basic-memory"));
    folders
}

fn in_home(homes: &Homes, path: &str) -> PathBuf {
    path.strip_prefix("~/").map_or_else(|| PathBuf::from(path), |rest| homes.home.join(rest))
}

/// The file that a client's settings name for the memory server.
fn graph_of(settings: &Path) -> Option<String> {
    let text = foreign::small_text(settings, 1 << 20)?;
    let value = record::value(text.as_bytes()).ok().flatten()?;
    let servers = ["mcpServers", "servers"].iter().find_map(|key| value.get(key)?.as_object())?;
    let named = |server: &Value| server.pointer("/env/MEMORY_FILE_PATH")?.as_str().map(str::to_owned);
    servers.values().find_map(named)
}

fn is_folder(path: &Path) -> bool {
    foreign::sort_at(path) == Some(Sort::Folder)
}

fn has_notes(path: &Path) -> bool {
    is_folder(path) && !folder::files(path, folder::MARKDOWN).is_empty()
}

#[cfg(test)]
#[allow(clippy::disallowed_methods, reason = "tests look at files with their own eyes")]
mod tests {
    use std::fs;

    use super::*;
    use crate::harness::System;
    use crate::project::project_of;

    #[test]
    fn a_character_outside_the_first_plane_is_two_in_a_folder_of_claude_code() {
        assert_eq!(slug(Path::new("/a.b/日x🚀")), "-a-b--x--");
    }

    #[test]
    fn usual_places_are_found_and_told_apart() {
        let folder = tempfile::tempdir().unwrap();
        let top = foreign::real_path(folder.path());
        let write = |path: &str, text: &str| {
            let path = top.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        let entity = r#"{"type":"entity","name":"Ana","observations":["tea"]}"#;
        let entry = "<!-- id:1 -->\n## 2026-03-16T16:51\n\nWe use SSE\n";
        write("shop/.memory/dev/decisions.md", entry);
        write("shop/.agent-memory/dev/decisions.md", entry);
        write(
            "shop/.mcp.json",
            r#"{"mcpServers":{"memory":{"env":{"MEMORY_FILE_PATH":"notes/graph.jsonl"}}}}"#,
        );
        write("shop/notes/graph.jsonl", entity);
        write("shop/memory.jsonl", "not a graph");
        write("shop/AGENTS.md", "- x");
        write("shop/kb/a.md", "- [fact] x");
        write("home/.claude-mem/claude-mem.db", "");
        let kb = top.join("shop/kb");
        let settings =
            serde_json::json!({ "projects": { "shop": { "path": kb }, "gone": "/nowhere/at/all" } });
        write("home/.basic-memory/config.json", &settings.to_string());
        write("home/basic-memory/b.md", "- [fact] y");
        write(&format!("home/.claude/projects/{}/memory/MEMORY.md", slug(&top.join("shop"))), "- z");
        write("home/.claude/projects/-elsewhere/memory/MEMORY.md", "- z");
        let homes = Homes::at(System::Linux, top.join("home"));
        let project = project_of(&top.join("shop"));
        let own = top.join("shop/.memory");
        let found = places(&homes, &project, &own);
        let shown: Vec<(&str, String, Comes)> = found
            .iter()
            .map(|place| {
                let path = place.path.strip_prefix(&top).unwrap().to_string_lossy().into_owned();
                (place.format.word(), path, place.comes)
            })
            .collect();
        let claude = format!("home/.claude/projects/{}/memory", slug(&top.join("shop")));
        let expect = [
            ("memory", "shop/.agent-memory", Comes::ByName),
            ("claude-memory", claude.as_str(), Comes::Along),
            ("server-memory", "shop/notes/graph.jsonl", Comes::ByName),
            ("markdown", "shop/AGENTS.md", Comes::ByName),
            ("claude-mem", "home/.claude-mem/claude-mem.db", Comes::Along),
            ("basic-memory", "shop/kb", Comes::ByName),
            ("basic-memory", "home/basic-memory", Comes::ByName),
        ]
        .map(|(word, path, comes)| (word, path.to_owned(), comes));
        assert_eq!(shown, expect);
        assert_eq!(place_of(&homes, &project, &own, Format::BasicMemory), Some(kb));
        assert_eq!(place_of(&homes, &project, &own, Format::ChatGpt), None);
    }
}
