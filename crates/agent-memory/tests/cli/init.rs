//! `init`: what it makes, what it leaves alone, and that running it twice changes nothing.

use crate::sandbox::Sandbox;

#[test]
fn says_what_it_did_and_a_second_run_changes_nothing() {
    let sandbox = Sandbox::new();
    sandbox.run(["init"]).code(0).says("created ").says("_project.md").says(".gitignore").says("ready:");
    let before = sandbox.tree();
    sandbox.run(["init"]).code(0).says("nothing to do");
    let json = sandbox.run(["init", "--json"]).code(0).json();
    assert_eq!(json["changed"], false);
    let files = |tree: &[(String, Vec<u8>)]| -> Vec<(String, Vec<u8>)> {
        tree.iter().filter(|(name, _)| !name.contains(".vault/")).cloned().collect()
    };
    assert_eq!(files(&sandbox.tree()), files(&before));
    assert!(
        sandbox.read(".gitignore").contains("/.vault/\n/conversations/\n/archive/\n/history/\n/USER.md\n")
    );
}

#[test]
fn the_clients_that_are_used_here_are_named_with_the_next_step() {
    let sandbox = Sandbox::new();
    let init = |home: &str| {
        let run = sandbox.command(["init"]).env("HOME", sandbox.home().join(home));
        run.without("USERPROFILE").go().code(0)
    };
    std::fs::create_dir(sandbox.project().join(".claude")).unwrap();
    init("nobody").says("next: `agent-memory hook claude --print` gives the settings of its hooks");
    init("nobody").says("nothing to do");
    std::fs::remove_dir_all(sandbox.project().join(".memory")).unwrap();
    std::fs::create_dir_all(sandbox.home().join("ana/.codex")).unwrap();
    init("ana").says("`agent-memory hook CLIENT --print`").says("here for claude, codex (docs/hooks.md)");
    std::fs::remove_dir_all(sandbox.project().join(".memory")).unwrap();
    std::fs::remove_dir(sandbox.project().join(".claude")).unwrap();
    init("nobody").says("gives the settings of your client");
}

#[cfg(unix)]
#[test]
fn the_folder_is_for_this_user_alone() {
    use std::os::unix::fs::PermissionsExt;
    let sandbox = Sandbox::ready();
    let mode = std::fs::metadata(sandbox.file("")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o700);
}

#[test]
fn the_page_begins_with_the_manifest() {
    let sandbox = Sandbox::new();
    let manifest = r#"{"name":"shop","description":"Sells things","dependencies":{"next":"1"},"scripts":{"test":"vitest"}}"#;
    std::fs::write(sandbox.project().join("package.json"), manifest).unwrap();
    std::fs::write(sandbox.project().join("package-lock.json"), "{}").unwrap();
    sandbox.run(["init"]).code(0);
    let page = sandbox.read("_project.md");
    assert!(page.starts_with("# shop\n\nSells things\n\n## Stack\n\n- Language: JavaScript"), "{page}");
    assert!(
        page.contains("- Tests: `npm test`\n")
            && page.contains("## Conventions")
            && page.contains("## Goals")
    );
}

#[test]
fn a_project_page_that_is_there_stays() {
    let sandbox = Sandbox::ready();
    sandbox.write("_project.md", "mine");
    sandbox.run(["init"]).code(0).says("nothing to do");
    assert_eq!(sandbox.read("_project.md"), "mine");
}

#[test]
fn in_a_work_tree_the_projects_gitignore_gets_a_block() {
    let sandbox = Sandbox::new();
    std::fs::create_dir(sandbox.project().join(".git")).unwrap();
    let ignore = sandbox.project().join(".gitignore");
    std::fs::write(&ignore, "target\r\n*.log").unwrap();
    sandbox.run(["init"]).code(0);
    let text = std::fs::read_to_string(&ignore).unwrap();
    let block = "# >>> agent-memory\r\n.memory/.vault/\r\n.memory/conversations/\r\n.memory/archive/\r\n.memory/history/\r\n.memory/USER.md\r\n# <<< agent-memory\r\n";
    assert_eq!(text, format!("target\r\n*.log\r\n\r\n{block}"));
    assert!(!sandbox.file(".gitignore").exists());
    sandbox.run(["init"]).code(0).says("nothing to do");
    assert_eq!(std::fs::read_to_string(&ignore).unwrap(), text);
}

#[test]
fn a_block_of_before_gets_what_is_missing() {
    let sandbox = Sandbox::new();
    std::fs::create_dir(sandbox.project().join(".git")).unwrap();
    let ignore = sandbox.project().join(".gitignore");
    let before = "# >>> agent-memory\n.memory/.vault/\n.memory/conversations/\n.memory/archive/\n.memory/mine\n# <<< agent-memory\n!x\n";
    std::fs::write(&ignore, before).unwrap();
    sandbox.write("history/events.jsonl", "");
    sandbox.run(["init", "--yes"]).code(0).talks("git rm -r --cached");
    let after = std::fs::read_to_string(&ignore).unwrap();
    assert_eq!(after, before.replace("mine\n", "mine\n.memory/history/\n.memory/USER.md\n"));
    sandbox.run(["init"]).code(0).says("nothing to do").silent();
}

#[cfg(unix)]
#[test]
fn a_linked_gitignore_is_left_alone() {
    let sandbox = Sandbox::new();
    let target = sandbox.home().join("profile");
    std::fs::write(&target, "mine\n").unwrap();
    std::os::unix::fs::symlink(&target, sandbox.project().join(".gitignore")).unwrap();
    sandbox.run(["init"]).code(0).talks("is a link").talks(".memory/.vault/");
    assert_eq!(std::fs::read_to_string(&target).unwrap(), "mine\n");
}

#[test]
fn a_foreign_folder_needs_consent_and_keeps_its_bytes() {
    let sandbox = Sandbox::new();
    sandbox.write("dev/decisions.md", "<!-- id:1 -->\n## 2026-01-01T00:00\n\nUse SSE\n\n---");
    sandbox.run(["init"]).code(2).talks("agents: dev").talks("--yes");
    sandbox.run(["init", "--json"]).code(2).fails_as("E_NEEDS_CONFIRMATION");
    sandbox.run(["list"]).code(2);
    assert!(!sandbox.file("_project.md").exists());
    sandbox.run(["init", "--yes"]).code(0).says("approved ");
    sandbox.run(["show", "1", "--raw"]).code(0).answers("Use SSE\n");
    assert_eq!(sandbox.read("dev/decisions.md"), "<!-- id:1 -->\n## 2026-01-01T00:00\n\nUse SSE\n\n---");
}

#[test]
fn a_folder_below_another_memory_gets_its_own() {
    let sandbox = Sandbox::ready();
    let sub = sandbox.project().join("sub");
    std::fs::create_dir(&sub).unwrap();
    sandbox.command(["init"]).within(&sub).go().code(0).says("created ").talks("serves the folders above");
    assert!(sub.join(".memory/_project.md").exists());
    sandbox.run(["init", "--dir", "elsewhere/mem"]).code(0).says("elsewhere/mem");
}

#[test]
fn what_cannot_be_approved_is_not_made() {
    let sandbox = Sandbox::new();
    let homeless = |arguments: &[&str]| {
        let run = sandbox.command(arguments).without("AGENT_MEMORY_HOME").without("XDG_CONFIG_HOME");
        run.without("HOME").without("APPDATA").go()
    };
    homeless(&["init"]).code(1).talks("E_NO_HOME").talks("set `HOME`");
    homeless(&["remember", "x"]).code(1).talks("E_NO_HOME");
    assert!(!sandbox.project().join(".memory").exists());
    let file = sandbox.project().join("file");
    std::fs::write(&file, "").unwrap();
    let ran = sandbox.command(["init"]).env("AGENT_MEMORY_HOME", file.join("home")).go().code(1);
    assert!(!ran.stderr.contains(".vault"), "{}", ran.stderr);
    assert!(!sandbox.project().join(".memory").exists());
    sandbox.run(["init"]).code(0);
}

#[test]
fn a_project_that_is_named_in_the_place_of_its_memory_is_refused() {
    let sandbox = Sandbox::ready();
    let project = sandbox.project();
    let project = project.to_str().unwrap();
    for arguments in
        [&["list", "--dir", project][..], &["init", "--dir", project], &["trust", "--dir", project]]
    {
        sandbox.command(arguments).go().code(2).talks("E_NO_ROOT").talks("did you mean").talks(".memory`?");
    }
    assert!(!sandbox.project().join(".vault").exists());
}

#[test]
#[cfg(target_os = "linux")]
fn a_memory_that_is_named_in_full_is_found_from_nowhere() {
    let sandbox = Sandbox::ready();
    sandbox.remember("still there");
    let gone = sandbox.home().join("gone");
    std::fs::create_dir(&gone).unwrap();
    let program = env!("CARGO_BIN_EXE_agent-memory");
    let line = format!("cd '{0}' && rmdir '{0}' && exec '{program}' list --dir \"$ROOT\"", gone.display());
    let mut shell = std::process::Command::new("sh");
    shell.args(["-c", &line]).env("ROOT", sandbox.file("")).env("AGENT_MEMORY_HOME", sandbox.home());
    let answer = shell.output().unwrap();
    assert!(String::from_utf8_lossy(&answer.stdout).contains("still there"), "{answer:?}");
}
