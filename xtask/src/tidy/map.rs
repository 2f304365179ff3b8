//! The code map of ARCHITECTURE.md names the modules of each crate, in the order of its `lib.rs`.

use super::files::File;
use super::source::{code, declared};

#[test]
fn the_code_map_agrees_with_the_crates() {
    super::none(&disagreements(&super::files::all()));
}

fn disagreements(files: &[File]) -> Vec<String> {
    let text = |path: &str| files.iter().find(|file| file.path == path).map_or("", |file| &file.text);
    let map = text("ARCHITECTURE.md");
    let mut complaints = Vec::new();
    for name in ["memory-core", "memory-engine", "agent-memory"] {
        let modules = declared(&code(text(&format!("crates/{name}/src/lib.rs"))));
        let part = map.split_once(&format!("\n**{name}**")).map_or("", |(_, rest)| rest);
        let part = part.split("\n**").next().unwrap_or_default().split("\n## ").next().unwrap_or_default();
        let mapped = mapped(part);
        if modules.is_empty() || mapped != modules {
            complaints.push(format!(
                "the map of `{name}` has {}, its `lib.rs` {}",
                mapped.join(", "),
                modules.join(", ")
            ));
        }
    }
    complaints
}

/// The modules of one part: the first cells of its table, or what a sentence names before each bracket.
fn mapped(part: &str) -> Vec<String> {
    let rows: Vec<&str> = part.lines().filter_map(|line| line.strip_prefix("| `")).collect();
    if !rows.is_empty() {
        return rows.iter().filter_map(|row| row.split('`').next()).map(str::to_owned).collect();
    }
    let mut depth = 0_usize;
    let mut outside = String::new();
    for c in part.chars() {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            c if depth == 0 => outside.push(c),
            _ => {}
        }
    }
    outside.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

#[test]
fn a_map_that_disagrees_is_found() {
    let check = |map: &str, expect: usize| {
        let lib = "mod one;\npub mod two;\n";
        let files = [
            File::made_up("ARCHITECTURE.md", map),
            File::made_up("crates/memory-core/src/lib.rs", lib),
            File::made_up("crates/memory-engine/src/lib.rs", lib),
            File::made_up("crates/agent-memory/src/lib.rs", lib),
        ];
        assert_eq!(disagreements(&files).len(), expect, "{map}");
    };
    let table = "| `one` | with `parts` |\n| `two` | |\n";
    let good = format!(
        "\n**memory-core**\n\n{table}\n**memory-engine**\n{table}\n**agent-memory**: `one` (`a` and (`b`)), `two`.\n\n## `x`"
    );
    check(&good, 0);
    check(&good.replace("`one` (", "`two` (`one` "), 1);
    check(&good.replace("| `two` | |\n", ""), 2);
    check("", 3);
}
