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
    sandbox.command(["project", "edit"]).env("EDITOR", "exit 7;").go().code(7).talks("stays as it was");
    sandbox.command(["project", "edit", "--json"]).env("EDITOR", "/no/such/editor").go().code(127);
    assert_eq!(sandbox.read("_project.md").trim_end(), "# New");
}
