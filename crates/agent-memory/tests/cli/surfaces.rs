//! docs/surfaces.md says what the program does, no more and no less.

use std::collections::BTreeSet;

#[test]
fn the_table_of_surfaces_names_every_command() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/surfaces.md");
    let text = std::fs::read_to_string(path).unwrap();
    let rows = text.lines().filter(|line| line.starts_with("| "));
    let cells = rows.filter_map(|row| row.split('|').nth(2)).map(str::trim);
    let documented: BTreeSet<String> =
        cells.filter_map(|cell| cell.strip_prefix('`')?.strip_suffix('`')).map(str::to_owned).collect();
    let mut real = BTreeSet::new();
    leaves(&agent_memory::command(), "", &mut real);
    assert_eq!(documented, real);
}

#[test]
fn every_command_says_what_it_is_for_and_gives_an_example() {
    check(&agent_memory::command());
    agent_memory::command().debug_assert();
}

fn leaves(command: &clap::Command, before: &str, all: &mut BTreeSet<String>) {
    for sub in command.get_subcommands() {
        let name = format!("{before}{}", sub.get_name());
        if sub.has_subcommands() { leaves(sub, &format!("{name} "), all) } else { assert!(all.insert(name)) }
    }
}

fn check(command: &clap::Command) {
    let name = command.get_name();
    let about = command.get_about().map(ToString::to_string).unwrap_or_default();
    assert!(!about.is_empty() && !about.contains('\n'), "{name}: {about:?}");
    let examples = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    assert!(examples.contains("Example") && examples.contains("agent-memory"), "{name}: {examples:?}");
    command.get_subcommands().for_each(check);
}
