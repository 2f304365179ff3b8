//! `run`: a client without hooks is given context, listened to, and ends with a handoff.

use crate::sandbox::Sandbox;

/// A client that tells what it was given and decides something.
fn client(sandbox: &Sandbox, script: &str) -> String {
    let path = sandbox.project().join("client.sh");
    std::fs::write(&path, script).unwrap();
    path.to_str().unwrap().to_owned()
}

#[test]
fn what_is_piped_in_has_the_context_in_front_and_what_is_said_is_kept() {
    let sandbox = Sandbox::ready();
    sandbox.remember("We decided to use SSE, because the proxy drops idle sockets");
    let client = client(
        &sandbox,
        "cat > given.txt; echo 'We decided to cache pages for one hour because the origin is slow.'; exit 7",
    );
    let run = sandbox.command(["run", "--agent", "dev", "--", "sh", &client]);
    let ran = run.stdin("How do we cache the pages?\n").go().code(7);
    ran.says("We decided to cache pages");
    let given = std::fs::read_to_string(sandbox.project().join("given.txt")).unwrap();
    assert!(
        given.starts_with("<agent-memory-context>") && given.contains("We decided to use SSE"),
        "{given}"
    );
    assert!(given.ends_with("How do we cache the pages?\n"), "{given}");
    let kept = sandbox.run(["list", "--agent", "dev", "--json"]).code(0).json();
    let texts: Vec<&str> =
        kept["memories"].as_array().unwrap().iter().map(|it| it["text"].as_str().unwrap()).collect();
    assert_eq!(
        texts.iter().filter(|text| text.starts_with("We decided to cache pages")).count(),
        1,
        "{texts:?}"
    );
    let handoff = texts.iter().find(|text| text.starts_with("Auto-handoff")).unwrap();
    assert!(handoff.contains("How do we cache the pages?"), "{handoff}");
    // Nothing of what it was given was learned from it again.
    assert_eq!(texts.iter().filter(|text| text.contains("We decided to use SSE")).count(), 1, "{texts:?}");
    let receipts = sandbox.run(["receipts", "--json"]).code(0).json();
    assert_eq!(receipts["receipts"][0]["client"], "run");
}

#[test]
fn arguments_name_the_place_of_the_context() {
    let sandbox = Sandbox::ready();
    sandbox.remember("We decided to use SSE, because the proxy drops idle sockets");
    let client = client(
        &sandbox,
        "printf '%s' \"$1\" > given.txt; cat \"$2\" > file.txt; test -r \"$AGENT_MEMORY_CONTEXT_FILE\"",
    );
    sandbox
        .command(["run", "--agent", "dev", "--", "sh", &client, "{context}", "{context-file}"])
        .stdin("")
        .go()
        .code(0);
    let read = |name: &str| std::fs::read_to_string(sandbox.project().join(name)).unwrap();
    assert!(read("given.txt").contains("## MEMORY CONTEXT"));
    assert_eq!(read("given.txt").trim(), read("file.txt").trim());
}

#[cfg(unix)]
#[test]
fn a_reader_that_leaves_early_loses_nothing_of_what_was_said() {
    use std::io::{BufRead, BufReader};
    use std::process::Stdio;

    let sandbox = Sandbox::ready();
    let client = client(
        &sandbox,
        "echo 'We decided to cache pages for one hour because the origin is slow.'
         while :; do echo more; sleep 0.05; done",
    );
    let mut command = sandbox.command(["run", "--agent", "dev", "--", "sh", &client]).into_command();
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    assert!(line.starts_with("We decided"), "{line}");
    // The client is ended by the pipe, as it would be without us.
    let ended = child.wait_with_output().unwrap();
    let talk = String::from_utf8_lossy(&ended.stderr).into_owned();
    assert_eq!((ended.status.code(), talk.contains("E_NO_PROGRAM")), (Some(141), false), "{talk}");
    sandbox.run(["list", "--agent", "dev"]).code(0).says("We decided to cache pages");
}

#[test]
fn a_client_that_is_not_there_is_named() {
    let sandbox = Sandbox::ready();
    sandbox
        .command(["run", "--", "no-such-client-anywhere"])
        .stdin("")
        .go()
        .code(1)
        .talks("could not run `no-such-client-anywhere`");
    sandbox.run(["run"]).code(3);
}
