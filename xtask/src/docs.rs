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
    text.push_str("\n## Environment\n\n| variable | what it is for |\n|---|---|\n");
    for (name, about) in [
        (names::DIR, "The memory folder, where `--dir` is not given."),
        (
            names::AGENT,
            "The agent that asks and speaks, where `--agent` is not given: it gets its own memories and the shared ones, and what it keeps has the class `agent`. Where it is no name of an agent, every command but `config` and `doctor` says so and ends.",
        ),
        (names::HOME, "The folder of your settings and approvals, in place of your system's usual one."),
        (
            names::NO_BACKGROUND,
            "With `1`, no command starts a process of its own to bring the index up to date.",
        ),
    ] {
        text.push_str(&format!("| `{name}` | {about} |\n"));
    }
    text
}

const INTRODUCTION: &str = "# Settings

<!-- Made by `cargo xtask docs` from crates/memory-core/src/config/defaults.toml; change that file. -->

Every setting has a default, so no file is needed. Settings are laid over each other, and a later one wins:
the defaults, the `config.toml` in the memory folder, your own `config.toml`, the environment.
`agent-memory config` shows each value, where it came from, and where your own file lives.

The file in a memory folder may come with a repository that somebody else wrote. Of that file only the settings
marked * are used; anything else in it is ignored and named. A setting that is unknown or does not fit is ignored
and named too: settings never stop the memory from working.
";

fn star(setting: &Described) -> &'static str {
    if setting.repository { " *" } else { "" }
}

/// What a setting is for; one without a comment of its own shares that of the setting before it.
fn about(all: &[Described], n: usize) -> String {
    match all.get(n) {
        Some(setting) if setting.about.is_empty() && n > 0 => format!("see `{}`", all[n - 1].name),
        Some(setting) => setting.about.replace('|', "\\|"),
        None => String::new(),
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
    }
}
