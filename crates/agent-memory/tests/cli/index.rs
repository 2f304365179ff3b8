//! `index`: a cache that can go at any time, is made anew on request, and follows by itself in the background.

use std::time::{Duration, Instant};

use crate::sandbox::Sandbox;

fn lines(count: usize) -> String {
    (0..count).map(|n| format!("{{\"text\":\"note {n} is about thing{n} and matter{}\"}}\n", n % 7)).collect()
}

#[test]
fn the_index_is_made_told_and_made_anew() {
    let sandbox = Sandbox::ready();
    sandbox.command(["remember", "--lines", "--batch", "100"]).stdin(lines(100)).go().code(0);
    sandbox.run(["index", "status"]).code(0).says("not there yet").silent();
    let answer = |arguments: &[&str]| {
        let mut json = sandbox.command(arguments).go().code(0).json();
        json["results"].take()
    };
    let asked = ["search", "thing42 matter", "--json"];
    let before = answer(&asked);
    sandbox.run(["search", "thing42"]).code(0).talks("had to be read").talks("agent-memory index update");
    sandbox.run(["index", "update"]).code(0).says("indexed ");
    sandbox.run(["index", "update"]).code(0).answers("the index is up to date\n");
    let state = sandbox.run(["index", "status", "--json"]).code(0).json();
    assert_eq!((&state["usable"], &state["behind"]), (&true.into(), &0.into()), "{state}");
    assert!(state["memories"].as_u64() >= Some(100) && state["bytes"].as_u64() > Some(0), "{state}");
    assert!(state["model"].as_str().is_some_and(|name| !name.is_empty()), "{state}");
    sandbox.run(["search", "thing42"]).code(0).silent();
    assert_eq!(answer(&asked), before);
    sandbox.run(["index", "status"]).code(0).says("up to date").says("size");
    sandbox.remember("one more note about thing42");
    assert_eq!(sandbox.run(["index", "status", "--json"]).code(0).json()["behind"], 1);
    sandbox.run(["index", "status"]).code(0).says("1 waiting");
    let json = sandbox.run(["index", "rebuild", "--json"]).code(0).json();
    assert!(json["indexed"].as_u64() > Some(100), "{json}");
    std::fs::remove_dir_all(sandbox.file(".vault/index")).unwrap();
    sandbox.run(["search", "thing42"]).code(0).says("thing42");
    Sandbox::new().run(["index", "status"]).code(2).talks("E_NO_ROOT");
    sandbox.run(["index"]).code(3);
}

#[test]
fn an_index_that_is_damaged_costs_a_word_and_no_answer() {
    let sandbox = Sandbox::ready();
    sandbox.remember("the quokka naps");
    sandbox.run(["index", "update"]).code(0);
    let damaged = sandbox.tree().into_iter().filter(|(name, _)| name.contains(".vault/index/g-"));
    for (name, _) in damaged {
        std::fs::write(sandbox.project().parent().unwrap().join(name), "junk").unwrap();
    }
    let ran = sandbox.run(["search", "quokka"]).code(0).says("the quokka naps");
    ran.talks("the index could not be used").talks("agent-memory index update");
    sandbox.run(["index", "status"]).code(0).says("cannot be used");
    sandbox.run(["index", "update"]).code(0).says("indexed ");
    sandbox.run(["search", "quokka"]).code(0).says("the quokka naps").silent();
}

/// Bytes that make the library that reads them panic.
#[test]
fn a_damaged_index_is_told_in_our_own_words() {
    let sandbox = Sandbox::ready();
    sandbox.command(["remember", "--lines", "--batch", "100"]).stdin(lines(300)).go().code(0);
    let mut caught = 0;
    for byte in [0xff, 0x7f, 0x00] {
        sandbox.run(["index", "rebuild"]).code(0);
        for (name, bytes) in sandbox.tree() {
            if name.contains(".vault/index/g-") && name.ends_with(".idx") {
                // The end says what is where, so the library comes as far as the numbers of memories.
                let mut damaged = bytes.clone();
                let end = damaged.len().saturating_sub(300);
                damaged[..end].fill(byte);
                std::fs::write(sandbox.project().parent().unwrap().join(name), damaged).unwrap();
            }
        }
        let talk = sandbox.run(["search", "matter3"]).code(0).says("matter3").stderr;
        assert!(!talk.contains("panicked"), "{talk}");
        let told = talk.contains("could not be used, so every memory was read: it is damaged");
        if told {
            sandbox.run(["index", "update"]).code(0).says("indexed ");
            sandbox.run(["search", "matter3"]).code(0).says("matter3").silent();
        }
        caught += usize::from(told);
    }
    assert!(caught > 0, "none of these makes the library panic");
}

/// Waits until a background process has made the index.
fn wait_for_index(sandbox: &Sandbox) {
    let start = Instant::now();
    loop {
        let state = sandbox.run(["index", "status", "--json"]).code(0).json();
        if state["usable"] == true && state["behind"] == 0 {
            // The process that made it has ended its work when another can have its turn.
            let turn = sandbox.run(["index", "update", "--json"]).code(0).json();
            if turn["busy"] == false {
                return;
            }
        }
        assert!(start.elapsed() < Duration::from_secs(60), "{state}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn the_index_follows_in_the_background() {
    let sandbox = Sandbox::ready();
    sandbox.command(["remember", "--lines", "--batch", "100"]).stdin(lines(100)).go().code(0);
    assert_eq!(sandbox.run(["index", "status", "--json"]).code(0).json()["usable"], false);
    let ran = sandbox.command(["search", "thing42"]).without("AGENT_MEMORY_NO_BACKGROUND").go().code(0);
    ran.says("thing42").talks("in the background");
    wait_for_index(&sandbox);
    sandbox.run(["search", "thing42"]).code(0).silent();
    let more = lines(90).replace("note", "memo");
    let ran = sandbox.command(["remember", "--lines", "--batch", "100"]).stdin(more);
    ran.without("AGENT_MEMORY_NO_BACKGROUND").go().code(0).silent();
    wait_for_index(&sandbox);
}
