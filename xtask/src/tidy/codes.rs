//! docs/errors.md names every error code of the program, and no other.

use std::collections::BTreeSet;

use super::files::File;

const DOCUMENT: &str = "docs/errors.md";

#[test]
fn the_error_codes_are_those_of_the_program() {
    super::none(&disagreements(&super::files::all()));
}

fn disagreements(files: &[File]) -> Vec<String> {
    let sources = files.iter().filter(|file| file.is_rust_in(&["crates/"]) && file.path.contains("/src/"));
    let real: BTreeSet<&str> = sources.flat_map(|file| codes(&file.text, '"')).collect();
    let document = files.iter().find(|file| file.path == DOCUMENT).map_or("", |file| &file.text);
    let rows = document.lines().filter(|line| line.starts_with("| `E_"));
    let listed: Vec<&str> = rows.filter_map(|row| codes(row, '`').next()).collect();
    let named: BTreeSet<&str> = listed.iter().copied().collect();
    let missing = real.difference(&named).map(|code| format!("`{DOCUMENT}` has no row for `{code}`"));
    let gone =
        named.difference(&real).map(|code| format!("`{DOCUMENT}` names `{code}`, which nothing gives"));
    let mut complaints: Vec<String> = missing.chain(gone).collect();
    if listed.windows(2).any(|two| two[0] >= two[1]) {
        complaints.push(format!("the rows of `{DOCUMENT}` are not in the order of their codes"));
    }
    complaints
}

/// The codes that stand between two of these signs.
fn codes(text: &str, sign: char) -> impl Iterator<Item = &str> {
    let is_code = |word: &&str| {
        word.strip_prefix("E_")
            .is_some_and(|rest| !rest.is_empty() && rest.chars().all(|c| c.is_ascii_uppercase() || c == '_'))
    };
    text.split(sign).filter(is_code)
}

#[test]
fn a_code_without_a_row_is_found() {
    let check = |source: &str, rows: &str, expect: usize| {
        let files = [File::made_up("crates/x/src/a.rs", source), File::made_up(DOCUMENT, rows)];
        assert_eq!(disagreements(&files).len(), expect, "{source} / {rows}");
    };
    check("code(\"E_ONE\", \"E_TWO\")", "| `E_ONE` | 1 | x |\n| `E_TWO` | 1 | `E_THREE` |\n", 0);
    check("code(\"E_ONE\")", "| `E_ONE` | 1 | x |\n| `E_TWO` | 1 | x |\n", 1);
    check("code(\"E_ONE\", \"E_TWO\")", "| `E_ONE` | 1 | x |\n", 1);
    check("code(\"E_ONE\", \"E_TWO\")", "| `E_TWO` | 1 | x |\n| `E_ONE` | 1 | x |\n", 1);
    check("\"no E_ONE\"", "", 0);
}
