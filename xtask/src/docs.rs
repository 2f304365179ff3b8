//! Documents that are made, not written: `docs/config.md` from the commented defaults that the program carries.

use memory_core::config::{Described, described};
use memory_engine::ambient::names;

use crate::run::root;

/// Where it stands.
pub const CONFIG: &str = "docs/config.md";

/// `cargo xtask docs [--check]`.
pub fn run(arguments: &[String]) -> Result<(), String> {
    let path = root().join(CONFIG);
    let fresh = config();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        [] => std::fs::write(&path, fresh).map_err(|error| format!("could not write `{CONFIG}`: {error}")),
        ["--check"] if std::fs::read_to_string(&path).is_ok_and(|text| text == fresh) => Ok(()),
        ["--check"] => Err(format!("`{CONFIG}` is out of date; run `cargo xtask docs`")),
        words => Err(format!("`{}` is not understood; use --check", words.join(" "))),
    }
}

/// The text of `docs/config.md`.
pub fn config() -> String {
    let mut text = INTRODUCTION.to_owned();
    let mut section = "";
    let all = described();
    for (n, setting) in all.iter().enumerate() {
        let (group, key) = setting.name.rsplit_once('.').unwrap_or(("", &setting.name));
        if group != section {
            section = group;
            text.push_str(&format!(
                "\n## `[{group}]`\n\n| setting | default | what it is for |\n|---|---|---|\n"
            ));
        }
        let default = setting.default.replace('|', "\\|");
        text.push_str(&format!("| `{key}`{} | `{default}` | {} |\n", star(setting), about(&all, n)));
    }
    text.push_str("\n## Environment\n\nA variable that is empty counts as not set.\n\n| variable | what it is for |\n|---|---|\n");
    for (name, about) in ENVIRONMENT {
        let name = name.split(", ").map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
        text.push_str(&format!("| {name} | {about} |\n"));
    }
    text
}

/// The variables that are read, and the one that is set.
const ENVIRONMENT: [(&str, &str); 13] = [
    (names::DIR, "The memory folder, where `--dir` is not given."),
    (
        names::AGENT,
        "The agent that asks and speaks, where `--agent` is not given: it gets its own memories and the shared ones, and what it keeps has the class `agent`. Where it is no name of an agent, every command that works with memories says so and ends; `config` and `doctor` tell of it.",
    ),
    (names::HOME, "The folder of your settings and approvals, in place of your system's usual one."),
    (
        names::NO_BACKGROUND,
        "With `1`, or anything else but `0`, nothing is started in the background: the index does not follow by itself, and hooks do not start `process`, so that what they heard waits until you run it.",
    ),
    (
        "AGENT_MEMORY_CONTEXT_FILE",
        "Set by `run` for the client that it starts, where that client takes no context in another way: the file that holds the context.",
    ),
    (
        "VISUAL, EDITOR",
        "The editor of `edit`; `project edit` asks for `EDITOR` first. Where neither is set it is `vi`, on Windows `notepad`.",
    ),
    ("NO_COLOR", "With any value, no colour unless `--color` asks for it."),
    ("CLICOLOR_FORCE", "With any value but `0`, colour also where stdout is no terminal."),
    ("CLAUDE_PROJECT_DIR", "Where `hook` looks for the memory when the client does not tell its folder."),
    (
        "CLAUDE_CONFIG_DIR, CODEX_HOME, CURSOR_CONFIG_DIR, COPILOT_HOME, CONTINUE_GLOBAL_DIR, PI_CODING_AGENT_DIR",
        "The folder of that client, in place of the usual one; sessions are read from there.",
    ),
    ("OPENCODE_DB", "The database of OpenCode, in place of the usual one."),
    (
        "XDG_CONFIG_HOME, XDG_DATA_HOME",
        "The folders below which programs keep settings and data on Linux, your own `config.toml` among them.",
    ),
    ("APPDATA, LOCALAPPDATA", "The same on Windows."),
];

const INTRODUCTION: &str = "# Settings

<!-- Made by `cargo xtask docs` from crates/memory-core/src/config/defaults.toml; change that file. -->

Every setting has a default, so no file is needed. Settings are laid over each other, and a later one wins:
the defaults, the `config.toml` in the memory folder, your own `config.toml`, the environment.
`agent-memory config` shows each value, where it came from, and where your own file lives.

The file in a memory folder may come with a repository that somebody else wrote. Of that file only the settings
marked * are used; anything else in it is ignored and named. A setting that is unknown or does not fit is ignored
and named too, by `agent-memory config` and `agent-memory doctor`: settings never stop the memory from working.
";

fn star(setting: &Described) -> &'static str {
    if setting.repository { " *" } else { "" }
}

/// What a setting is for; one without a comment of its own shares that of the last setting before it that has one.
fn about(all: &[Described], n: usize) -> String {
    let told = all.iter().take(n).rev().find(|setting| !setting.about.is_empty());
    match (all.get(n), told) {
        (Some(setting), Some(told)) if setting.about.is_empty() => format!("see `{}`", told.name),
        (Some(setting), _) => setting.about.replace('|', "\\|"),
        (None, _) => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_setting_stands_in_it_once() {
        let text = config();
        for setting in described() {
            let (group, key) = setting.name.rsplit_once('.').unwrap();
            let (_, section) = text.split_once(&format!("## `[{group}]`")).unwrap();
            let section = section.split("\n## ").next().unwrap();
            assert_eq!(section.matches(&format!("| `{key}`")).count(), 1, "{}", setting.name);
        }
        assert!(text.contains("| `agent` * | `\"default\"` |"), "{text}");
        assert!(text.contains("| `frozen_entries` | `5` | see `reconcile.frozen_share` |"), "{text}");
        assert!(text.contains("| `notes` | `0` | see `context.decisions` |"), "{text}");
    }

    #[test]
    fn every_variable_that_moves_a_clients_folder_stands_in_it() {
        let table =
            std::fs::read_to_string(root().join("crates/memory-engine/src/harness/table.rs")).unwrap();
        let names: Vec<&str> =
            table.split("moved(\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
        assert!(names.len() > 5, "{names:?}");
        for name in names {
            assert!(config().contains(&format!("`{name}`")), "{name}");
        }
    }
}
