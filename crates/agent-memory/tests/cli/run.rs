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

#[test]
fn what_the_client_was_given_is_not_learned_from_it() {
    let sandbox = Sandbox::ready();
    sandbox.remember("We decided to use SSE, because the proxy drops idle sockets");
    for _ in 0..2 {
        let run = sandbox.command(["run", "--agent", "dev", "--", "cat"]);
        run.stdin("which transport?\n").go().code(0).says("## MEMORY CONTEXT");
    }
    let kept = sandbox.run(["list", "--agent", "dev", "--json"]).code(0);
    assert!(kept.stdout.contains("which transport?"), "{}", kept.stdout);
    assert!(!kept.stdout.contains("MEMORY CONTEXT"), "{}", kept.stdout);
}

#[test]
fn a_script_is_not_what_the_person_asked() {
    let sandbox = Sandbox::ready();
    let run = ["run", "--agent", "dev", "--", "sh", "-c", "cat > given.txt; echo 'The answer is here.'"];
    sandbox.command(run).stdin("what is the answer?\n").go().code(0);
    let kept = sandbox.run(["list", "--agent", "dev", "--json"]).code(0).says("what is the answer?");
    assert!(!kept.stdout.contains("given.txt"), "{}", kept.stdout);
}

#[cfg(unix)]
#[test]
fn between_programs_a_signal_reaches_the_client_and_loses_nothing() {
    use std::io::{BufRead, BufReader};
    use std::process::Stdio;

    use rustix::process::{Pid, Signal, kill_process};

    for signal in [Signal::TERM, Signal::HUP, Signal::INT] {
        let sandbox = Sandbox::ready();
        let client = client(
            &sandbox,
            "trap 'echo We decided to cache pages for one hour because the origin is slow.; exit 3' TERM HUP INT
             echo ready; while :; do sleep 0.05; done",
        );
        let run = sandbox.command(["run", "--agent", "dev", "--", "sh", &client]);
        let mut command = run.env("TMPDIR", sandbox.home()).into_command();
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        // A group of its own, so that nobody but us sends it anything.
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        assert_eq!(lines.next().unwrap().unwrap(), "ready");
        kill_process(Pid::from_child(&child), signal).unwrap();
        assert!(lines.next().unwrap().unwrap().starts_with("We decided"));
        assert_eq!(child.wait().unwrap().code(), Some(3), "{signal:?}");
        sandbox.run(["list", "--agent", "dev"]).code(0).says("We decided to cache pages");
        let left: Vec<String> = sandbox.tree().into_iter().map(|(name, _)| name).collect();
        assert!(!left.iter().any(|name| name.contains("agent-memory-run")), "{left:?}");
    }
}

#[cfg(unix)]
#[test]
fn a_program_that_goes_on_in_the_background_is_not_waited_for() {
    let sandbox = Sandbox::ready();
    let client =
        client(&sandbox, "(while test -e client.sh; do sleep 0.1; done) 2>/dev/null & echo done; exit 4");
    sandbox.command(["run", "--", "sh", &client]).stdin("").go().code(4).says("done");
    std::fs::remove_file(client).unwrap();
}
