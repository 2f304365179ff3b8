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
