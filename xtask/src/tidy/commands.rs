//! What documents tell people to type exists: every `agent-memory …` in code, with its verb and its flags.

use clap::Command;

use super::files::File;

#[test]
fn every_command_in_the_documents_exists() {
    let files = super::files::all();
    let documents: Vec<&File> = files.iter().filter(|file| is_document(&file.path)).collect();
    let program = agent_memory::command();
    let complaints: Vec<String> = documents.iter().flat_map(|file| unknown(&program, file)).collect();
    super::none(&complaints);
}

fn is_document(path: &str) -> bool {
    path.ends_with(".md") && (!path.contains('/') || path.starts_with("docs/"))
}

fn unknown(program: &Command, file: &File) -> Vec<String> {
    let typed = in_code(&file.text);
    typed
        .iter()
        .filter_map(|(line, typed)| Some(format!("{}:{line}: {}", file.path, wrong_with(program, typed)?)))
        .collect()
}

/// What stands after the program's name wherever it is typed: in code spans and in code blocks.
fn in_code(text: &str) -> Vec<(usize, String)> {
    let mut typed = Vec::new();
    let mut in_block = false;
    for (n, line) in text.lines().enumerate() {
        if line.trim_start().starts_with("```") {
            in_block = !in_block;
            continue;
        }
        let pieces: Vec<&str> =
            if in_block { vec![line.trim()] } else { line.split('`').skip(1).step_by(2).collect() };
        for piece in pieces {
            let piece = piece.strip_prefix("$ ").unwrap_or(piece);
            if let Some(rest) = piece.strip_prefix("agent-memory ") {
                typed.push((n + 1, rest.to_owned()));
            } else if let Some((_, rest)) = piece.strip_prefix("cargo run ").and_then(|p| p.split_once("-- "))
            {
                typed.push((n + 1, rest.to_owned()));
            }
        }
    }
    typed
}

/// Walks the words down the commands; `None` when all of them are known.
fn wrong_with(program: &Command, typed: &str) -> Option<String> {
    let mut at = program;
    let mut words = typed.split_whitespace();
    while let Some(word) = words.next() {
        if word == "--" || word.starts_with('#') || word.starts_with(['|', '>', '&']) {
            return None;
        }
        if let Some(flag) = word.strip_prefix("--") {
            let name: &str = flag.split(['=', ',', ']', '|', ')']).next().unwrap_or(flag);
            let Some(takes_value) = takes_value(program, at, name) else {
                return Some(format!("`{}` has no flag `--{name}`", at.get_name()));
            };
            if takes_value && !flag.contains('=') {
                words.next();
            }
        } else if at.has_subcommands() && is_plain(word) {
            let names: Vec<&str> = word.split('|').collect();
            for name in &names {
                if at.find_subcommand(name).is_none() {
                    return Some(format!("`{}` has no command `{name}`", at.get_name()));
                }
            }
            match names.as_slice() {
                [name] => at = at.find_subcommand(name)?,
                _ => return None,
            }
        } else if at.has_subcommands() {
            // A placeholder such as `<verb>` or `COMMAND`.
            return None;
        }
    }
    None
}

fn is_plain(word: &str) -> bool {
    word.chars().all(|c| c.is_ascii_lowercase() || matches!(c, '-' | '|')) && !word.starts_with('-')
}

/// Whether a flag takes a value; `None` when there is no such flag here or above.
fn takes_value(program: &Command, at: &Command, name: &str) -> Option<bool> {
    if matches!(name, "help" | "version") {
        return Some(false);
    }
    let known = at.get_arguments().chain(program.get_arguments()).find(|argument| {
        argument.get_long() == Some(name) || argument.get_all_aliases().unwrap_or_default().contains(&name)
    })?;
    Some(known.get_action().takes_values())
}

#[test]
fn a_command_that_does_not_exist_is_found() {
    let check = |text: &str, expect: usize| {
        let found = unknown(&agent_memory::command(), &File::made_up("README.md", text));
        assert_eq!(found.len(), expect, "{text}: {found:?}");
    };
    check("`agent-memory remember \"x\"` and agent-memory frobnicates", 0);
    check("`agent-memory frobnicate`", 1);
    check("```\n$ agent-memory --dir x list --json\nagent-memory frobnicate\n```", 1);
    check("`agent-memory forget ID --hard`", 0);
    check("`agent-memory forget ID --harder`", 1);
    check("`agent-memory vault list|get`", 0);
    check("`agent-memory vault list|frobnicate`", 1);
    check("`agent-memory <verb>` `agent-memory COMMAND`", 0);
    check("```sh\ncargo run --release -- demo\ncargo run --release -- frobnicate\n```", 1);
}
