//! The shape of source files: each says what it is for, has a name that means something, and stays small.

use super::files::File;
use super::source::{Token, tokens};

const SOURCES: &[&str] = &["crates/", "xtask/src/", "fuzz/"];

/// Words that say nothing about what stands in a module.
const EMPTY_WORDS: &[&str] = &[
    "util", "utils", "helper", "helpers", "common", "misc", "manager", "handler", "service", "data", "info",
];

/// Where a file wants a second room, and where one should think of it.
const MOST_LINES: usize = 500;
const MANY_LINES: usize = 400;

#[test]
fn every_source_file_opens_with_what_it_is_for() {
    super::none(&without_purpose(&super::files::all()));
}

#[test]
fn no_module_has_a_name_that_says_nothing() {
    super::none(&empty_names(&super::files::all()));
}

#[test]
fn no_source_file_has_grown_past_its_room() {
    let files = super::files::all();
    for (lines, path) in longer_than(MANY_LINES, &files) {
        println!("warning: `{path}` has {lines} lines; more than {MOST_LINES} are not allowed");
    }
    let too_long = longer_than(MOST_LINES, &files);
    let told = |(lines, path): &(usize, &str)| format!("`{path}` has {lines} lines; give it a second room");
    super::none(&too_long.iter().map(told).collect::<Vec<_>>());
}

fn without_purpose(files: &[File]) -> Vec<String> {
    let silent = files.iter().filter(|file| {
        let first = file.text.lines().next().unwrap_or_default();
        file.is_rust_in(SOURCES) && first.strip_prefix("//! ").is_none_or(|words| words.trim().len() < 8)
    });
    silent
        .map(|file| format!("`{}` does not open with a `//!` line that says what it is for", file.path))
        .collect()
}

fn empty_names(files: &[File]) -> Vec<String> {
    let mut complaints = Vec::new();
    let is_empty = |name: &str| name.split(['_', '-']).any(|part| EMPTY_WORDS.contains(&part));
    for file in files.iter().filter(|file| file.is_rust_in(SOURCES)) {
        let parts = file.path.trim_end_matches(".rs").split('/');
        complaints.extend(
            parts.filter(|part| is_empty(part)).map(|part| format!("`{}` is called `{part}`", file.path)),
        );
        for pair in tokens(&file.text).windows(2) {
            if let [first, Token::Word(name)] = pair
                && first.is("mod")
                && is_empty(name)
            {
                complaints.push(format!("`{}` declares a module `{name}`", file.path));
            }
        }
    }
    complaints
}

fn longer_than(most: usize, files: &[File]) -> Vec<(usize, &str)> {
    let sources = files.iter().filter(|file| file.is_rust_in(SOURCES));
    let counted = sources.map(|file| (file.text.lines().count(), file.path.as_str()));
    counted.filter(|(lines, _)| *lines > most).collect()
}

#[test]
fn a_file_without_purpose_is_found() {
    let check = |path: &str, text: &str, expect: usize| {
        assert_eq!(without_purpose(&[File::made_up(path, text)]).len(), expect, "{path} {text:?}");
    };
    check("crates/x/src/a.rs", "//! What a thing is.\n", 0);
    check("crates/x/src/a.rs", "//! A\n", 1);
    check("crates/x/src/a.rs", "// What a thing is.\n", 1);
    check("crates/x/src/a.rs", "\n//! What a thing is.\n", 1);
    check("xtask/src/a.rs", "", 1);
    check("docs/a.md", "", 0);
}

#[test]
fn a_name_that_says_nothing_is_found() {
    let check = |path: &str, text: &str, expect: usize| {
        assert_eq!(empty_names(&[File::made_up(path, text)]).len(), expect, "{path} {text:?}");
    };
    check("crates/x/src/layout.rs", "mod lines;", 0);
    check("crates/x/src/utils.rs", "", 1);
    check("crates/x/src/common/mod.rs", "", 1);
    check("crates/x/src/string_helpers.rs", "", 1);
    check("crates/x/src/a.rs", "mod manager { }", 1);
    check("crates/x/src/a.rs", "// mod manager\nmod database;", 0);
}

#[test]
fn a_file_that_has_grown_is_found() {
    let long = [File::made_up("crates/x/src/a.rs", &"x\n".repeat(501))];
    assert_eq!(longer_than(MOST_LINES, &long), [(501, "crates/x/src/a.rs")]);
    let fits =
        [File::made_up("crates/x/src/a.rs", &"x\n".repeat(500)), File::made_up("a.md", &"x\n".repeat(900))];
    assert_eq!(longer_than(MOST_LINES, &fits), []);
}
