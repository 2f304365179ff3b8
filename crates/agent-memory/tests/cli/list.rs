//! `list` and `agents`.

use crate::sandbox::Sandbox;

fn stocked() -> Sandbox {
    let sandbox = Sandbox::ready();
    sandbox.run(["remember", "--agent", "dev", "We decided to use SSE #sse"]).code(0);
    sandbox.run(["remember", "--agent", "dev", "Lesson: mind the proxy #proxy"]).code(0);
    sandbox.run(["remember", "--agent", "ops", "TODO: rotate the keys"]).code(0);
    sandbox
}

fn headings(sandbox: &Sandbox, filter: &[&str]) -> Vec<String> {
    let ran = sandbox.command([&["list"], filter].concat()).go().code(0);
    let rows = ran.stdout.lines().filter(|line| *line != "(no memories)");
    rows.map(|line| line.split("  ").filter(|it| !it.is_empty()).last().unwrap().trim().to_owned()).collect()
}

#[test]
fn newest_first_and_filtered() {
    let sandbox = stocked();
    let (task, lesson, decision) =
        ("[ ] TODO: rotate the keys", "Lesson: mind the proxy #proxy", "We decided to use SSE #sse");
    for (filter, expect) in [
        (&["--limit", "3"][..], &[task, lesson, decision][..]),
        (&["--agent", "dev"], &[lesson, decision]),
        (&["--agent", "Dev"], &[lesson, decision]),
        (&["--kind", "task"], &[task]),
        (&["--kind", "gotcha"], &[lesson]),
        (&["--category", "decisions"], &[decision]),
        (&["--tag", "proxy"], &[lesson]),
        (&["--tag", "#sse"], &[decision]),
        (&["--scope", "agent"], &[task, lesson, decision]),
        (&["--since", "2000-01-01", "--agent", "ops"], &[task]),
        (&["--since", "yesterday", "--agent", "ops"], &[task]),
        (&["--since", "7d", "--until", "today", "--agent", "ops"], &[task]),
        (&["--until", "2000-01-01"], &[]),
        (&["--until", "yesterday"], &[]),
        (&["--agent", "ops", "--kind", "decision"], &[]),
    ] {
        assert_eq!(headings(&sandbox, filter), expect, "{filter:?}");
    }
}

#[test]
fn more_than_the_limit_is_said() {
    let sandbox = stocked();
    let ran = sandbox.run(["list", "-l", "2"]).code(0).talks("--limit 0");
    assert_eq!(ran.stdout.lines().count(), 2);
    assert!(sandbox.run(["list", "-l", "0"]).code(0).silent().stdout.lines().count() >= 3);
    sandbox.run(["list", "-l", "2", "-q"]).code(0).silent();
}

#[test]
fn json_is_whole_and_exact() {
    let sandbox = stocked();
    let json = sandbox.run(["list", "--json", "--agent", "dev"]).code(0).json();
    let all = json["memories"].as_array().unwrap();
    assert_eq!(all.len(), 2);
    assert_eq!(all[1]["text"], "We decided to use SSE #sse");
    assert_eq!(all[1]["file"], "dev/decisions.md");
    assert!(json.get("more").is_none(), "{json}");
    let some = sandbox.run(["list", "--json", "--limit", "2"]).code(0).json();
    assert_eq!((some["memories"].as_array().unwrap().len(), &some["more"]), (2, &true.into()));
    let none = sandbox.run(["list", "--json", "--until", "2000-01-01"]).code(0).json();
    assert_eq!(none["memories"], serde_json::json!([]));
}

#[test]
fn an_empty_list_says_what_to_do() {
    stocked().run(["list", "--until", "2000-01-01"]).code(0).talks("take a filter away");
    Sandbox::ready().run(["list"]).code(0).answers("(no memories)\n").talks("agent-memory remember");
    let sandbox = Sandbox::new();
    sandbox.run(["list"]).code(0).answers("(no memories)\n").talks("agent-memory init");
    sandbox.run(["list", "--json"]).code(0).answers("{\"memories\":[]}\n");
    sandbox.run(["list", "--since", "soon"]).code(3).talks("2026-03-16");
    assert_eq!(sandbox.outside(), ["home", "project"]);
    assert!(!sandbox.file("").exists());
}

#[test]
fn what_is_named_and_not_there_is_said() {
    let sandbox = stocked();
    for (flag, names) in
        [("--agent", "dev, ops"), ("--category", "decisions"), ("--kind", "decision, lesson")]
    {
        let word = flag.trim_start_matches('-');
        let says = format!("there is no {word} `nope`: there are ");
        sandbox.run(["list", flag, "nope"]).code(2).answers("(no memories)\n").talks(&says).talks(names);
        let json = sandbox.run(["list", flag, "nope", "--json"]).code(2).json();
        assert_eq!(json["memories"], serde_json::json!([]));
        assert!(json["why"][0].as_str().unwrap().starts_with(&says), "{json}");
    }
    // What another filter rules out is there all the same.
    sandbox.run(["list", "--agent", "dev", "--until", "2000-01-01"]).code(0).talks("take a filter away");
}

#[test]
fn a_secret_alone_is_a_memory() {
    let sandbox = Sandbox::new();
    sandbox.run(["remember", "--agent", "dev", "--sensitivity", "secret", "the door code is 17"]).code(0);
    sandbox.run(["list"]).code(0).talks("`--secrets` shows it");
    sandbox.run(["list", "--kind", "decision"]).code(0).talks("take a filter away");
}

#[test]
fn memories_under_one_title_are_told_apart() {
    let sandbox = Sandbox::ready();
    for text in ["Four spaces", "No tabs"] {
        sandbox.run(["remember", "--title", "Rules", text]).code(0);
    }
    sandbox.run(["remember", "--title", "Long lines", "Long lines are cut"]).code(0);
    sandbox
        .run(["list"])
        .code(0)
        .says("Rules: Four spaces\n")
        .says("Rules: No tabs\n")
        .says("  Long lines are cut\n");
}

#[test]
fn a_hand_written_file_is_listed() {
    let sandbox = Sandbox::ready();
    sandbox.write("dev/tasks.md", "- [ ] call the dentist\n- [ ] buy milk\n");
    sandbox.run(["list", "--agent", "dev"]).code(0).says("call the dentist");
    assert_eq!(sandbox.read("dev/tasks.md"), "- [ ] call the dentist\n- [ ] buy milk\n");
}

#[test]
fn agents_as_the_reference_lists_them() {
    let sandbox = stocked();
    sandbox.run(["agents"]).code(0).answers("dev\nops\n").silent();
    sandbox.run(["agents", "--json"]).code(0).answers("{\"agents\":[\"dev\",\"ops\"]}\n");
    let empty = Sandbox::new();
    empty.run(["agents"]).code(0).answers("(no agents)\n").talks("agent-memory init");
    empty.run(["agents", "--json", "-q"]).code(0).answers("{\"agents\":[]}\n").silent();
}

#[test]
fn the_root_is_found_by_flag_then_environment_then_upwards() {
    let sandbox = stocked();
    let deep = sandbox.project().join("src/deep");
    std::fs::create_dir_all(&deep).unwrap();
    sandbox.command(["agents"]).within(&deep).go().code(0).answers("dev\nops\n");
    let other = sandbox.project().join("other");
    sandbox.run(["--dir", "other", "remember", "--agent", "qa", "x"]).code(0).talks("created `");
    sandbox.command(["agents"]).env("AGENT_MEMORY_DIR", other.to_str().unwrap()).go().code(0).answers("qa\n");
    sandbox
        .command(["agents", "--dir", ".memory"])
        .env("AGENT_MEMORY_DIR", "other")
        .go()
        .code(0)
        .answers("dev\nops\n");
}

#[test]
fn an_agent_that_asks_gets_its_own_and_what_is_shared() {
    let sandbox = Sandbox::ready();
    for (agent, port) in [("dev", "8080"), ("dev", "8081"), ("ops", "9090"), ("ops", "9091")] {
        sandbox.run(["remember", "--agent", agent, &format!("The {agent} port is {port}")]).code(0);
    }
    sandbox.run(["remember", "--scope", "project", "Everybody reads this"]).code(0);
    let asked = |arguments: &[&str]| sandbox.command(arguments).env("AGENT_MEMORY_AGENT", "dev").go();
    for arguments in [&["list"][..], &["scan"], &["review"]] {
        let ran = asked(arguments);
        assert!(ran.stdout.contains("dev port") && !ran.stdout.contains("ops port"), "{}", ran.stdout);
    }
    asked(&["list"]).code(0).says("Everybody reads this");
    asked(&["list", "--all-agents"]).code(0).says("dev port").says("ops port");
    asked(&["list", "--agent", "ops"]).code(0).says("ops port");
    asked(&["list", "--tag", "none"]).code(0).talks("--all-agents");
    sandbox.run(["scan"]).code(1).says("dev port").says("ops port");
}
