//! `project show|edit`.

use crate::sandbox::Sandbox;

#[test]
fn show_as_the_reference() {
    let sandbox = Sandbox::new();
    sandbox.run(["project", "show"]).code(0).answers("(file does not exist)\n");
    let json = sandbox.run(["project", "show", "--json"]).code(0).json();
    assert_eq!((&json["content"], &json["exists"]), (&"".into(), &false.into()));
    sandbox.run(["init"]).code(0);
    sandbox.write("_project.md", "# Shop\n\nSells things");
    sandbox.run(["project", "show"]).code(0).answers("# Shop\n\nSells things\n");
    let json = sandbox.run(["project", "show", "--json"]).code(0).json();
    assert_eq!((&json["content"], &json["exists"]), (&"# Shop\n\nSells things".into(), &true.into()));
    assert!(json["path"].as_str().unwrap().ends_with("_project.md"));
}

#[cfg(unix)]
#[test]
fn edit_runs_the_editor_and_keeps_the_old_text() {
    let sandbox = Sandbox::ready();
    let before = sandbox.read("_project.md");
    let editor = "sh -c 'echo \"# New\" > \"$0\"'";
    sandbox.command(["project", "edit"]).env("EDITOR", editor).go().code(0).says("saved ");
    assert_eq!(sandbox.read("_project.md").trim_end(), "# New");
    let archived = sandbox
        .tree()
        .into_iter()
        .any(|(name, bytes)| name.contains("/archive/") && bytes == before.as_bytes());
    assert!(archived, "the old page is not in the archive");
    sandbox.command(["project", "edit"]).env("EDITOR", "true").go().code(0).says("unchanged ");
    sandbox.command(["project", "edit"]).env("EDITOR", "exit 7;").go().code(1).talks("stays as it was");
    for editor in ["false", "/no/such/editor"] {
        let ran = sandbox.command(["project", "edit", "--json"]).env("EDITOR", editor).go();
        ran.code(1).fails_as("E_EDITOR");
    }
    assert_eq!(sandbox.read("_project.md").trim_end(), "# New");
}

/// Writes a line into the page as an editor does.
#[cfg(unix)]
fn writes(line: &str) -> String {
    format!("sh -c 'echo \"{line}\" > \"$0\"'")
}

#[cfg(unix)]
#[test]
fn a_page_may_begin_in_the_editor() {
    let sandbox = Sandbox::new();
    sandbox.run(["remember", "kept before there is a page"]).code(0);
    sandbox.command(["project", "edit"]).env("EDITOR", "true").go().code(0).says("unchanged ");
    assert!(!sandbox.tree().iter().any(|(name, _)| name.ends_with("_project.md")));
    sandbox.command(["project", "edit"]).env("EDITOR", writes("# First")).go().code(0).says("saved ");
    sandbox.run(["project", "show"]).code(0).answers("# First\n");
    // Somebody whose editor puts a mark at the beginning of files is not told that the page changed.
    sandbox.write("_project.md", "\u{feff}# Marked\n");
    sandbox.command(["project", "edit"]).env("EDITOR", writes("# Second")).go().code(0).says("saved ");
    assert_eq!(sandbox.read("_project.md"), "\u{feff}# Second\n");
}

#[cfg(unix)]
#[test]
fn a_credential_in_the_page_is_masked_and_said() {
    let sandbox = Sandbox::ready();
    let token = format!("ghp_{}", "16C7e42F292c6912E7710c838347Ae178B4a");
    let ran =
        sandbox.command(["project", "edit"]).env("EDITOR", writes(&format!("The bot uses {token}"))).go();
    ran.code(0).says("saved ").talks("masked");
    assert!(!sandbox.read("_project.md").contains(&token));
}

#[cfg(unix)]
#[test]
fn a_page_that_changed_meanwhile_is_not_written_over() {
    let sandbox = Sandbox::ready();
    let page = sandbox.file("_project.md");
    let racer = format!("sh -c 'echo theirs > {}; echo mine > \"$0\"'", page.display());
    let ran = sandbox.command(["project", "edit", "--json"]).env("EDITOR", &racer).go();
    ran.code(1).fails_as("E_STALE");
    assert_eq!(sandbox.read("_project.md"), "theirs\n");
    std::fs::remove_file(&page).unwrap();
    let ran = sandbox.command(["project", "edit", "--json"]).env("EDITOR", &racer).go();
    ran.code(1).fails_as("E_STALE");
    assert_eq!(sandbox.read("_project.md"), "theirs\n");
}
