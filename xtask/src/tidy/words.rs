//! Words that must not stand in the repository: paths and hosts of one machine, and marks of unfinished work.
//!
//! The words are put together here from halves, so that this file does not hold them.

use super::files::File;

/// Folders of the machines that the code is written on, and hosts that packages are fetched from.
fn of_one_machine() -> Vec<String> {
    let folders = [("/wo", "rk/"), ("/ro", "ot/"), ("/fa", "rm/"), ("/home/", "user/")];
    let hosts = [
        ("index.cra", "tes.io"),
        ("static.cra", "tes.io"),
        ("registry.np", "mjs.org"),
        ("py", "pi.org"),
        ("files.python", "hosted.org"),
        ("deb.deb", "ian.org"),
        ("security.deb", "ian.org"),
    ];
    folders.iter().chain(&hosts).map(|(a, b)| format!("{a}{b}")).collect()
}

/// Marks of work that is not done.
fn unfinished() -> Vec<String> {
    [("to", "do!"), ("unimple", "mented!"), ("db", "g!"), ("FIX", "ME"), ("X", "XX")]
        .iter()
        .map(|(a, b)| format!("{a}{b}"))
        .collect()
}

/// Words that the glossary has others for: the four older tools have names.
fn older() -> Vec<String> {
    [("seed", " system"), ("the ", "seed"), ("the ", "reference")]
        .iter()
        .map(|(a, b)| format!("{a}{b}"))
        .collect()
}

#[test]
fn older_tools_go_by_the_names_of_the_glossary() {
    super::none(&old_names(&super::files::all()));
}

#[test]
fn no_file_names_a_path_or_host_of_one_machine() {
    super::none(&places(&super::files::all()));
}

#[test]
fn no_source_file_holds_marks_of_unfinished_work() {
    super::none(&marks(&super::files::all()));
}

fn places(files: &[File]) -> Vec<String> {
    let words = of_one_machine();
    let mut complaints = Vec::new();
    for file in files {
        for (n, line) in file.text.lines().enumerate() {
            let found =
                words.iter().filter(|word| line.match_indices(word.as_str()).any(|(at, _)| begins(line, at)));
            complaints.extend(found.map(|word| format!("{}:{}: `{word}`", file.path, n + 1)));
        }
    }
    complaints
}

/// Whether a path or host begins here and is not the end of a longer one.
fn begins(line: &str, at: usize) -> bool {
    let before = line[..at].chars().next_back();
    !before.is_some_and(|c| c.is_alphanumeric() || matches!(c, '.' | '-' | '_' | '~' | '}' | '>' | '$'))
}

fn marks(files: &[File]) -> Vec<String> {
    let words = unfinished();
    let sources = files.iter().filter(|file| file.path.ends_with(".rs") || file.path.ends_with(".toml"));
    let mut complaints = Vec::new();
    for file in sources {
        for (n, line) in file.text.lines().enumerate() {
            let found = words.iter().filter(|word| {
                line.match_indices(word.as_str()).any(|(at, _)| stands_alone(line, at, word.len()))
            });
            complaints.extend(found.map(|word| format!("{}:{}: `{word}`", file.path, n + 1)));
        }
    }
    complaints
}

/// Comments in which an older tool goes by another name; the seed of a random choice and other references may be spoken of.
fn old_names(files: &[File]) -> Vec<String> {
    let (words, random) = (older(), ["random", "dice", "kill", "choice", "chooses", "MCP"]);
    let mut complaints = Vec::new();
    for file in files.iter().filter(|file| file.path.ends_with(".rs") || file.path.ends_with(".md")) {
        for (n, line) in file.text.lines().enumerate() {
            let is_prose = file.path.ends_with(".md") || line.trim_start().starts_with("//");
            let is_random = random.iter().any(|word| line.contains(word));
            let found = words.iter().filter(|word| {
                line.match_indices(word.as_str()).any(|(at, _)| stands_alone(line, at, word.len()))
            });
            if is_prose && !is_random {
                complaints.extend(found.map(|word| format!("{}:{}: `{word}`", file.path, n + 1)));
            }
        }
    }
    complaints
}

/// Whether a word is not part of a longer one.
fn stands_alone(line: &str, at: usize, length: usize) -> bool {
    let part_of_word = |c: char| c.is_alphanumeric() || c == '_';
    let before = line[..at].chars().next_back().is_some_and(part_of_word);
    let after = line[at + length..].chars().next().is_some_and(part_of_word);
    !before && !after
}

#[test]
fn a_path_or_host_of_one_machine_is_found() {
    for word in of_one_machine() {
        let file = [File::made_up("docs/a.md", &format!("x\nsee `{word}x`\n"))];
        assert_eq!(places(&file), [format!("docs/a.md:2: `{word}`")]);
    }
    let folder = &of_one_machine()[0];
    assert_eq!(places(&[File::made_up("a.md", &format!("frame{folder} ./x{folder}"))]), Vec::<String>::new());
}

#[test]
fn an_older_tool_by_another_name_is_found() {
    for word in older() {
        let file = |path: &str, line: String| [File::made_up(path, &line)];
        assert_eq!(old_names(&file("crates/a.rs", format!("/// As {word} has it."))).len(), 1, "{word}");
        assert_eq!(old_names(&file("docs/a.md", format!("As {word} has it."))).len(), 1, "{word}");
        assert_eq!(old_names(&file("crates/a.rs", format!("let it = \"{word}\";"))).len(), 0, "{word}");
        assert_eq!(
            old_names(&file("crates/a.rs", format!("/// A random choice by {word}."))).len(),
            0,
            "{word}"
        );
    }
}

#[test]
fn a_mark_of_unfinished_work_is_found() {
    for word in unfinished() {
        let line = format!("    {word}(\"later\")");
        assert_eq!(marks(&[File::made_up("crates/a.rs", &line)]).len(), 1, "{word}");
        assert_eq!(marks(&[File::made_up("crates/a.rs", &format!("my_{word}"))]).len(), 0, "{word}");
        assert_eq!(marks(&[File::made_up("docs/a.md", &line)]).len(), 0, "{word}");
    }
}
