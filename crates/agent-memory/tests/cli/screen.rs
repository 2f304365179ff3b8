//! What a terminal gets: colour only where it is wanted, nothing that steers it, and a quiet end of a pipe.

use crate::sandbox::Sandbox;

#[test]
fn colour_is_for_terminals_or_on_request() {
    let sandbox = Sandbox::ready();
    sandbox.remember("x");
    let colourful = |arguments: &[&str], variables: &[(&str, &str)]| {
        let run = sandbox.command(arguments);
        let run = variables.iter().fold(run, |run, (name, value)| run.env(name, value));
        run.go().code(0).stdout.contains('\u{1b}')
    };
    assert!(!colourful(&["list"], &[]));
    assert!(colourful(&["list", "--color", "always"], &[]));
    assert!(colourful(&["list", "--color", "always"], &[("NO_COLOR", "1")]));
    assert!(colourful(&["list"], &[("CLICOLOR_FORCE", "1")]));
    assert!(!colourful(&["list"], &[("CLICOLOR_FORCE", "0")]));
    assert!(!colourful(&["list"], &[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")]));
    assert!(!colourful(&["list", "--color", "never"], &[("CLICOLOR_FORCE", "1")]));
    assert!(!colourful(&["list", "--json", "--color", "always"], &[]));
}

#[test]
fn a_memory_cannot_steer_the_terminal() {
    let sandbox = Sandbox::ready();
    let text = "red \u{1b}[31m\u{7} bidi \u{202e} tag \u{e0041} over\rwrite";
    let id = sandbox.remember(text);
    let first = ["show", &id];
    for arguments in [
        &first[..],
        &["list"],
        &["search", "bidi", "--explain"],
        &["vault", "list", "dev", "notes"],
        &["vault", "get", "dev", "notes", &id],
        &["history", &id],
    ] {
        let ran = sandbox.command(arguments).go().code(0).says("\\u{1b}[31m");
        for c in ['\u{1b}', '\u{7}', '\u{202e}', '\u{e0041}', '\r'] {
            assert!(!ran.stdout.contains(c), "{arguments:?} {c:?}");
        }
    }
    assert_eq!(sandbox.run(["show", &id, "--json"]).code(0).json()["text"], text);
    sandbox.run(["show", &id, "--raw"]).code(0).answers(&format!("{text}\n"));
    let ran = sandbox.run(["show", "\u{1b}[31m"]).code(3);
    assert!(!ran.stderr.contains('\u{1b}'));
    let ran = sandbox.run(["search", "\u{1b}[31m", "--explain"]).code(0);
    assert!(!ran.stdout.contains('\u{1b}') && !ran.stderr.contains('\u{1b}'));
    let ran = sandbox.run(["list", "--limit", "\u{1b}[31m"]).code(3);
    assert!(!ran.stderr.contains('\u{1b}'));
}

#[cfg(unix)]
#[test]
fn a_reader_that_leaves_early_is_no_error() {
    use std::io::Read;
    use std::process::{Command, Stdio};
    let sandbox = Sandbox::ready();
    let lines: String = (0..3000).map(|n| format!("{{\"text\":\"{n} {}\"}}\n", "word ".repeat(40))).collect();
    sandbox.command(["remember", "--lines", "--batch", "3000"]).stdin(lines).go().code(0);
    for arguments in [&["list", "--limit", "0"][..], &["list", "--limit", "0", "--json"]] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_agent-memory"))
            .args(arguments)
            .current_dir(sandbox.project())
            .env("AGENT_MEMORY_HOME", sandbox.home())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut few = [0; 100];
        child.stdout.as_mut().unwrap().read_exact(&mut few).unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0));
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{arguments:?}");
    }
}

#[test]
fn quiet_says_only_errors() {
    let sandbox = Sandbox::new();
    sandbox.run(["-q", "list"]).code(0).silent();
    sandbox.run(["-q", "show", "1"]).code(2).talks("E_NO_ROOT");
}
