//! Documents that follow from the code are up to date, and the test that holds docs/surfaces.md to it is there.

use crate::docs;
use crate::run::root;

#[test]
fn docs_config_is_what_the_generator_writes() {
    let text = std::fs::read_to_string(root().join(docs::CONFIG)).unwrap_or_default();
    assert!(is_fresh(&text), "`{}` is out of date; run `cargo xtask docs`", docs::CONFIG);
}

fn is_fresh(text: &str) -> bool {
    text == docs::config()
}

/// The comparison itself needs the commands as a value and stands with them.
#[test]
fn docs_surfaces_is_compared_with_the_commands_by_a_test_of_theirs() {
    let test = root().join("crates/agent-memory/tests/cli/surfaces.rs");
    let text = std::fs::read_to_string(test).unwrap_or_default();
    assert!(
        text.contains("#[test]")
            && text.contains("docs/surfaces.md")
            && text.contains("agent_memory::command()")
    );
    assert!(root().join("docs/surfaces.md").is_file());
}

#[test]
fn a_document_that_is_out_of_date_is_found() {
    assert!(is_fresh(&docs::config()));
    assert!(!is_fresh(&format!("{}\n", docs::config())));
    assert!(!is_fresh(""));
}
