//! Libraries that have a home: what they are for is said there, and nobody else names them.

use super::files::File;
use super::source::{Token, code};

/// Each library with the places that may name it.
const HOMES: &[(&str, &[&str])] = &[(
    "rusqlite",
    &[
        "crates/memory-engine/src/ledger/",
        "crates/memory-engine/src/error.rs",
        // These read the databases of other programs.
        "crates/memory-engine/src/harness/",
        "crates/memory-engine/src/import/claude_mem.rs",
    ],
)];

/// The folders for which this holds.
const SOURCES: &[&str] =
    &["crates/memory-core/src/", "crates/memory-engine/src/", "crates/agent-memory/src/"];

#[test]
fn libraries_are_named_at_home_alone() {
    super::none(&strays(&super::files::all()));
}

fn strays(files: &[File]) -> Vec<String> {
    let mut complaints = Vec::new();
    for file in files.iter().filter(|file| file.is_rust_in(SOURCES)) {
        for (library, homes) in HOMES {
            let is_home = homes.iter().any(|home| file.path.starts_with(home));
            let names = |token: &Token| matches!(token, Token::Word(word) if word == library);
            if !is_home && code(&file.text).iter().any(names) {
                complaints.push(format!("`{}` names `{library}`, whose home is {homes:?}", file.path));
            }
        }
    }
    complaints
}

#[test]
fn a_library_that_strayed_is_found() {
    let check = |path: &str, text: &str, expect: usize| {
        assert_eq!(strays(&[File::made_up(path, text)]).len(), expect, "{path} {text:?}");
    };
    check("crates/memory-engine/src/store/a.rs", "use rusqlite::Connection;", 1);
    check("crates/memory-engine/src/store/a.rs", "fn a(db: &rusqlite::Connection) {}", 1);
    check("crates/memory-engine/src/store/a.rs", "// as rusqlite has it", 0);
    check("crates/memory-engine/src/ledger/a.rs", "use rusqlite::Connection;", 0);
    check("crates/memory-engine/tests/it/a.rs", "use rusqlite::Connection;", 0);
}
