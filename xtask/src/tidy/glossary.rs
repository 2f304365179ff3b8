//! docs/glossary.md names every kind, sensitivity and source class, and its table of kinds is the one in the code.

use memory_core::kind::Kind;
use memory_core::scope::{Sensitivity, SourceClass};

use crate::run::root;

#[test]
fn the_glossary_agrees_with_the_code() {
    let text = std::fs::read_to_string(root().join("docs/glossary.md")).unwrap_or_default();
    super::none(&disagreements(&text));
}

fn disagreements(text: &str) -> Vec<String> {
    let mut complaints = Vec::new();
    for kind in Kind::all() {
        let category = kind.category();
        let start = format!("| `{kind}` | `{category}.md` |");
        let Some(row) = text.lines().find(|line| line.starts_with(&start)) else {
            complaints.push(format!("there is no row `{start}`"));
            continue;
        };
        // The words stand between backticks in the last cell.
        let words = row[start.len()..].rsplit_once('|').map_or("", |(cells, _)| cells);
        let words = words.rsplit('|').next().unwrap_or_default().split('`').skip(1).step_by(2);
        complaints.extend(
            words
                .filter(|word| Kind::of_word(word) != kind)
                .map(|word| format!("`{word}` does not mean `{kind}`, it means `{}`", Kind::of_word(word))),
        );
    }
    let words =
        Sensitivity::ALL.map(Sensitivity::word).into_iter().chain(SourceClass::ALL.map(SourceClass::word));
    let missing = words.filter(|word| !text.contains(&format!("| `{word}` |")));
    complaints.extend(missing.map(|word| format!("there is no row for `{word}`")));
    complaints
}

#[test]
fn a_glossary_that_disagrees_is_found() {
    let text = std::fs::read_to_string(root().join("docs/glossary.md")).unwrap_or_default();
    assert_eq!(disagreements(&text.replace("| `lesson` |", "| `lection` |")).len(), 1);
    assert_eq!(disagreements(&text.replace("`gotcha`", "`handoffs`")).len(), 1);
    assert_eq!(disagreements(&text.replace("| `secret` |", "| `hidden` |")).len(), 1);
}
