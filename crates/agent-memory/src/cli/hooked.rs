//! The settings with which each client calls `hook`, taken from docs/hooks.md: what the document shows is what is
//! printed, with the path of this program.

use std::path::Path;

use memory_engine::ambient;
use memory_engine::core::session::Client;

use crate::project::files;

const DOCUMENT: &str = include_str!("../../../../docs/hooks.md");
/// The path that the document shows.
const SHOWN: &str = "/usr/local/bin/agent-memory";

/// Clients with hooks, by the word that names them to `hook`: the heading of their settings, and what shows that a client
/// is used, below the person's home or below the project.
const CLIENTS: &[(&str, &str, &[&str])] = &[
    ("claude", "Claude Code", &[".claude"]),
    ("codex", "Codex", &[".codex"]),
    ("cursor", "Cursor", &[".cursor"]),
    ("gemini", "Gemini CLI", &[".gemini"]),
    ("qwen", "Qwen Code", &[".qwen"]),
    ("copilot", "Copilot CLI and VS Code", &[".copilot"]),
    ("vscode", "Copilot CLI and VS Code", &[]),
    ("opencode", "OpenCode", &[".config/opencode", ".opencode"]),
    ("cline", "Cline", &[".cline"]),
    ("windsurf", "Windsurf", &[".codeium/windsurf"]),
    ("goose", "Goose", &[".config/goose"]),
    ("amp", "Amp", &[".config/amp"]),
];

/// What a client is given to call the hook.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Settings {
    /// The word that names it.
    pub(super) client: &'static str,
    /// Where they go, and what to mind.
    pub(super) place: String,
    /// The text of the file.
    pub(super) text: String,
}

/// The words that name the clients with hooks.
pub(super) fn words() -> impl Iterator<Item = &'static str> {
    CLIENTS.iter().map(|row| row.0)
}

/// The settings of the client that a word means, for the program at this path.
pub(super) fn settings(word: &str, program: &Path) -> Option<Settings> {
    let asked = Client::of_word(word);
    let row =
        CLIENTS.iter().find(|row| row.0 == word || asked.is_some() && Client::of_word(row.0) == asked)?;
    let (_, section) = DOCUMENT.split_once(&format!("\n## {}\n", row.1))?;
    let (place, rest) = section.split_once("\n```")?;
    let (_, rest) = rest.split_once('\n')?;
    let (text, _) = rest.split_once("```")?;
    let place = place.split_whitespace().collect::<Vec<_>>().join(" ");
    Some(Settings { client: row.0, place, text: with_program(text, &program.to_string_lossy()) })
}

/// The text with this path in the place of the one that the document shows. Backslashes are escaped, as every form of
/// settings wants it but that of a shell; a path with a space is quoted where words follow it.
fn with_program(text: &str, program: &str) -> String {
    let is_shell = text.starts_with("#!");
    let escaped = if is_shell { program.to_owned() } else { program.replace('\\', "\\\\") };
    let spaced = program.contains(' ');
    let quoted = match (spaced, is_shell) {
        (false, _) => escaped.clone(),
        (true, true) => format!("\"{escaped}\""),
        (true, false) => format!("\\\"{escaped}\\\""),
    };
    text.replace(&format!("{SHOWN} hook"), &format!("{quoted} hook")).replace(SHOWN, &escaped)
}

/// The clients that are used on this machine or in this project.
pub(super) fn used(project: &Path) -> Vec<&'static str> {
    let home = ambient::variable("HOME").or_else(|| ambient::variable("USERPROFILE"));
    let home = home.as_deref().map(Path::new);
    let is_there = |mark: &str| {
        files::exists(&project.join(mark)) || home.is_some_and(|home| files::exists(&home.join(mark)))
    };
    CLIENTS.iter().filter(|row| row.2.iter().any(|mark| is_there(mark))).map(|row| row.0).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_client_of_the_document_has_its_settings() {
        for word in words() {
            let found = settings(word, Path::new("/opt/am")).unwrap();
            assert!(Client::of_word(word).is_some() && found.client == word, "{word}");
            let called = if word == "vscode" { "copilot" } else { word };
            let calls = [format!("/opt/am hook {called}"), format!("[\"hook\", \"{called}\"]")];
            assert!(calls.iter().any(|call| found.text.contains(call)), "{word}: {}", found.text);
            assert!(!found.text.contains(SHOWN) && !found.place.is_empty(), "{word}");
            if found.text.starts_with('{') {
                serde_json::from_str::<serde_json::Value>(&found.text).unwrap();
            }
            // As it was taken, it is what the document shows.
            assert!(DOCUMENT.contains(&settings(word, Path::new(SHOWN)).unwrap().text), "{word}");
        }
        let headings = DOCUMENT.lines().filter(|line| line.starts_with("## "));
        let known = headings.filter(|line| CLIENTS.iter().any(|row| line[3..] == *row.1)).count();
        assert_eq!(known, CLIENTS.len() - 1, "a heading of the document has another name");
        assert_eq!(settings("claude-code", Path::new("x")).unwrap().client, "claude");
        assert_eq!(settings("aider", Path::new("x")), None);
    }

    #[test]
    fn odd_paths_are_written_so_that_they_are_read_again() {
        let text = "{\"command\": \"/usr/local/bin/agent-memory hook codex\"}";
        let check = |program: &str, expect: &str| {
            let json: serde_json::Value = serde_json::from_str(&with_program(text, program)).unwrap();
            assert_eq!(json["command"], expect);
        };
        check("C:\\Tools\\am.exe", "C:\\Tools\\am.exe hook codex");
        check("/my tools/am", "\"/my tools/am\" hook codex");
    }
}
