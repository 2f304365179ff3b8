//! What a person at a terminal is asked, with `script` as the terminal; skipped where that is not installed.

use std::io::Write;
use std::process::{Command, Stdio};

use crate::sandbox::Sandbox;

/// Runs the program at a terminal with these keys typed; gives the exit code and what the screen shows.
fn typed(sandbox: &Sandbox, arguments: &str, keys: &str, editor: &str) -> Option<(i32, String)> {
    let program = env!("CARGO_BIN_EXE_agent-memory");
    let mut child = Command::new("script")
        .args(["-qec", &format!("{program} --color never {arguments}"), "/dev/null"])
        .current_dir(sandbox.project())
        .env("AGENT_MEMORY_HOME", sandbox.home())
        .env_remove("AGENT_MEMORY_DIR")
        .env_remove("VISUAL")
        .env("AGENT_MEMORY_NO_BACKGROUND", "1")
        .env("EDITOR", editor)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    let mut stdin = child.stdin.take()?;
    stdin.write_all(keys.as_bytes()).ok()?;
    let output = child.wait_with_output().ok()?;
    drop(stdin);
    Some((output.status.code()?, String::from_utf8_lossy(&output.stdout).into_owned()))
}

#[test]
fn a_person_is_asked_and_may_say_no() {
    let sandbox = Sandbox::ready();
    let id = sandbox.remember("one thing");
    std::fs::write(sandbox.project().join("NOTES.md"), "- Four spaces, never tabs\n").unwrap();
    for (arguments, keys, code, words) in [
        (format!("vault delete dev notes {id}"), "n\n", 0, "Cancelled."),
        (format!("forget --hard {id}"), "\n", 2, "nothing was forgotten"),
        (format!("vault delete dev notes {id} --json"), "n\n", 0, "\"ok\":false"),
        (format!("forget --hard {id} --json"), "\n", 2, "\"code\":\"E_DECLINED\""),
        (format!("vault delete dev notes {id}"), "y\n", 0, "Deleted."),
        (format!("restore {id}"), "", 0, "restored"),
        (format!("forget --hard {id}"), "yes\n", 0, "no trace is left"),
        ("import markdown NOTES.md".to_owned(), "n\n", 2, "nothing was imported"),
        ("import markdown NOTES.md".to_owned(), "y\n", 0, "imported 1 memory"),
        ("trust --revoke".to_owned(), "", 0, "no longer approved"),
        ("trust".to_owned(), "n\n", 2, "nothing was approved"),
        ("init".to_owned(), "y\n", 0, "approved"),
    ] {
        let Some((got, screen)) = typed(&sandbox, &arguments, keys, "true") else { return };
        assert_eq!(got, code, "{arguments}: {screen}");
        assert!(screen.contains(words), "{arguments}: {screen}");
    }
}

#[test]
fn the_editor_opens_and_a_lost_race_keeps_the_text() {
    let sandbox = Sandbox::ready();
    let id = sandbox.remember("one thing");
    let Some((code, screen)) = typed(&sandbox, &format!("edit {id}"), "", "sed -i s/one/another/") else {
        return;
    };
    assert_eq!(code, 0, "{screen}");
    sandbox.run(["show", &id, "--raw"]).code(0).answers("another thing\n");
    let program = env!("CARGO_BIN_EXE_agent-memory");
    let racer = format!("sh -c '{program} edit {id} -c theirs; echo mine > \"$0\"'");
    let (code, screen) = typed(&sandbox, &format!("edit {id}"), "", &racer).unwrap();
    assert_eq!(code, 1, "{screen}");
    assert!(screen.contains("E_STALE"), "{screen}");
    let path = screen.split("kept in `").nth(1).and_then(|rest| rest.split('`').next()).unwrap();
    assert_eq!(std::fs::read_to_string(path).unwrap(), "mine\n");
    std::fs::remove_dir_all(std::path::Path::new(path).parent().unwrap()).unwrap();
    sandbox.run(["show", &id, "--raw"]).code(0).answers("theirs\n");
    let (code, screen) = typed(&sandbox, &format!("edit {id}"), "", "false").unwrap();
    assert_eq!(code, 1, "{screen}");
    assert!(screen.contains("stays as it was"), "{screen}");
}
