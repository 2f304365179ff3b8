//! `remember` and `show`.

use crate::sandbox::Sandbox;

#[test]
fn a_text_is_kept_where_its_words_say() {
    let sandbox = Sandbox::ready();
    let ran = sandbox.run(["remember", "--agent", "dev", "We decided to use SSE #sse"]).code(0).silent();
    let id = ran.stdout.split_whitespace().nth(1).unwrap();
    assert_eq!(ran.stdout, format!("remembered {id}  dev/decisions.md\n"));
    let file = sandbox.read("dev/decisions.md");
    assert!(file.starts_with(&format!("<!-- id:{id} -->\n## ")), "{file}");
    assert!(file.ends_with(" · #sse\n\nWe decided to use SSE #sse\n\n---"), "{file}");
    sandbox
        .run(["show", id])
        .code(0)
        .says("dev/decisions")
        .says("#sse")
        .says("\n\nWe decided to use SSE #sse\n");
    sandbox.run(["show", id, "--raw"]).code(0).answers("We decided to use SSE #sse\n");
}

#[test]
fn json_tells_everything() {
    let sandbox = Sandbox::ready();
    let ran = sandbox.run([
        "remember", "--agent", "dev", "--kind", "lesson", "--tags", "a,b", "--title", "T", "--json", "text",
    ]);
    let json = ran.code(0).json();
    assert_eq!(json["outcome"], "created");
    assert_eq!(json["kind"], "lesson");
    assert_eq!(json["file"], "dev/lessons.md");
    assert_eq!(json["redacted"], serde_json::json!([]));
    assert_eq!(json["similar"], serde_json::json!([]));
    let shown = sandbox.run(["show", json["id"].as_str().unwrap(), "--json"]).code(0).json();
    assert_eq!(shown["text"], "text");
    assert_eq!(shown["title"], "T");
    assert_eq!(shown["tags"], serde_json::json!(["a", "b"]));
    assert_eq!(
        (&shown["agent"], &shown["category"], &shown["scope"]),
        (&"dev".into(), &"lessons".into(), &"agent:dev".into())
    );
    assert_eq!(shown["provenance"]["class"], "human");
    assert_eq!(shown["firstLine"], 1);
    assert!(shown["lastLine"].as_u64().unwrap() > 1);
    assert!(shown["created"].as_str().unwrap().ends_with('Z'));
}

#[test]
fn text_comes_from_arguments_a_file_or_stdin() {
    let sandbox = Sandbox::ready();
    sandbox.run(["remember", "two", "words"]).code(0);
    sandbox.command(["remember"]).stdin("  from stdin\n\n").go().code(0);
    std::fs::write(sandbox.project().join("note.txt"), "from a file\n").unwrap();
    sandbox.run(["remember", "--file", "note.txt"]).code(0);
    sandbox.command(["remember", "-"]).stdin("from a pipe\n").go().code(0);
    sandbox.command(["remember", "-", "-"]).stdin("from a pipe, said twice\n").go().code(0);
    sandbox.run(["remember", "-", "a", "dash"]).code(0);
    let file = sandbox.read("default/notes.md");
    for text in [
        "\n\ntwo words\n\n---",
        "\n\n  from stdin\n\n---",
        "\n\nfrom a file\n\n---",
        "\n\nfrom a pipe\n\n---",
        "\n\nfrom a pipe, said twice\n\n---",
        "\n\n- a dash\n\n---",
    ] {
        assert!(file.contains(text), "{text:?} {file}");
    }
    sandbox.run(["remember", "--file", "absent.txt", "--json"]).code(2).fails_as("E_NO_FILE");
    sandbox.run(["remember", "--file", ".", "--json"]).code(1).fails_as("E_IO");
    sandbox.run(["remember", "--file", "note.txt", "text"]).code(3);
}

#[test]
fn a_list_item_is_a_text_and_not_a_flag() {
    let sandbox = Sandbox::ready();
    sandbox.run(["remember", "- [ ] write the changelog", "--agent", "dev"]).code(0).says("dev/tasks.md");
    assert!(sandbox.read("dev/tasks.md").contains("\n\n- [ ] write the changelog\n\n---"));
}

#[test]
fn a_task_is_open_until_it_is_ticked() {
    let sandbox = Sandbox::ready();
    let keep = |kind: &[&str], text: &str| {
        sandbox.command([&["remember", "--agent", "dev"], kind, &[text]].concat()).go().code(0);
    };
    keep(&["--kind", "task"], "load-test the stream");
    keep(&["--kind", "task"], "[ ] rotate the keys");
    keep(&["--kind", "task"], "[x] tag the release");
    keep(&[], "TODO: write the runbook");
    let line = r#"{"text":"sign the binaries","kind":"task","agent":"dev"}"#;
    sandbox.command(["remember", "--lines"]).stdin(line).go().code(0);
    let told = sandbox.run(["inject", "preview", "dev"]).code(0).stdout;
    for open in [
        "- [ ] load-test the stream [",
        "- [ ] rotate the keys [",
        "- [ ] TODO: write the runbook [",
        "- [ ] sign",
    ] {
        assert!(told.contains(open), "{open:?} {told}");
    }
    assert!(!told.contains("tag the release"), "{told}");
    assert!(sandbox.read("dev/tasks.md").contains("\n\n- [x] tag the release\n\n---"));
}

#[test]
fn the_same_text_twice_is_one_memory() {
    let sandbox = Sandbox::ready();
    let id = sandbox.remember("Deploys happen on Fridays");
    sandbox
        .run(["remember", "--agent", "dev", "Deploys happen on Fridays"])
        .code(0)
        .says(&format!("already known {id}"));
    sandbox.run(["remember", "--agent", "ops", "Deploys happen on Fridays"]).code(0).says("remembered ");
}

#[test]
fn keys_make_retries_harmless() {
    let sandbox = Sandbox::ready();
    let run = |text: &str, what: &str| {
        let ran = sandbox
            .run(["remember", "--json", "--key", "window", "--on-existing", what, text])
            .code(0)
            .json();
        ran["outcome"].as_str().unwrap().to_owned()
    };
    assert_eq!(run("Tuesdays", "skip"), "created");
    assert_eq!(run("Tuesdays", "skip"), "duplicate");
    assert_eq!(run("Fridays", "skip"), "key-taken");
    assert_eq!(run("Fridays", "append"), "updated");
    assert_eq!(run("Fridays", "append"), "duplicate");
    assert_eq!(run("Mondays", "replace"), "updated");
    let list = sandbox.run(["list", "--json"]).code(0).json();
    let texts: Vec<&str> =
        list["memories"].as_array().unwrap().iter().filter_map(|it| it["text"].as_str()).collect();
    assert_eq!(texts.iter().filter(|text| text.contains("days")).count(), 1, "{texts:?}");
    sandbox
        .run(["remember", "--key", "window", "Sundays"])
        .code(0)
        .says("key taken by")
        .talks("--on-existing");
}

#[test]
fn secrets_are_masked_and_said() {
    let sandbox = Sandbox::ready();
    let token = format!("ghp_{}", "16C7e42F292c6912E7710c838347Ae178B4a");
    let ran = sandbox.run(["remember", &format!("The bot uses {token}")]).code(0).talks("github-pat");
    assert!(!ran.stdout.contains(&token) && !ran.stderr.contains(&token));
    for (name, bytes) in sandbox.tree() {
        assert!(!bytes.windows(token.len()).any(|window| window == token.as_bytes()), "{name}");
    }
}

#[test]
fn near_duplicates_are_reported_and_not_merged() {
    let sandbox = Sandbox::ready();
    let first = sandbox.remember("The order service uses PostgreSQL 16 for its replication slots");
    let again = "the order service uses postgresql 16, for its replication slots!";
    let ran = sandbox.run(["remember", "--agent", "dev", again]).code(0);
    ran.says("remembered ").talks(&format!("similar: {first}  The order service"));
    let json = sandbox.run([
        "remember",
        "--agent",
        "dev",
        "--json",
        "The order service uses: PostgreSQL 16 for its replication slots",
    ]);
    assert_eq!(json.code(0).json()["similar"].as_array().unwrap().len(), 2);
}

#[test]
fn scopes_have_their_files() {
    let sandbox = Sandbox::ready();
    for (scope, file) in [("project", "records/"), ("user", "records/"), ("global", "records/")] {
        let text = format!("for {scope}");
        sandbox.run(["remember", "--scope", scope, &text]).code(0).says(file);
    }
    sandbox.run(["remember", "--scope", "session", "--session", "s1", "for a session"]).code(0);
    sandbox.run(["list"]).code(0).says("for project");
    assert!(!sandbox.run(["list"]).stdout.contains("for a session"));
    sandbox.run(["list", "--session", "s1"]).code(0).says("for a session");
    sandbox.run(["remember", "--scope", "session", "x", "--json"]).code(3).fails_as("E_USAGE");
    sandbox
        .run(["remember", "--scope", "project", "--agent", "dev", "x", "--json"])
        .code(3)
        .fails_as("E_USAGE");
}

#[test]
fn what_is_secret_is_listed_only_when_asked_for() {
    let sandbox = Sandbox::ready();
    let ran = sandbox
        .run(["remember", "--sensitivity", "secret", "--json", "the alarm code changed"])
        .code(0)
        .json();
    let list = ["list", "--kind", "note"];
    sandbox.run(list).code(0).answers("(no memories)\n").talks("--secrets");
    sandbox.run(["list", "--secrets"]).code(0).says("the alarm code");
    sandbox.run(["show", ran["id"].as_str().unwrap()]).code(0).says("the alarm code");
    sandbox.run(["remember", "--sensitivity", "hush", "x"]).code(3).talks("private-user");
}

#[test]
fn a_missing_root_is_made_and_said() {
    let sandbox = Sandbox::new();
    sandbox.run(["remember", "first"]).code(0).talks("created `").talks("agent-memory init");
    assert!(sandbox.file("default/notes.md").exists());
    sandbox.run(["remember", "-q", "second"]).code(0).silent();
}

#[test]
fn the_agent_comes_from_the_environment_where_none_is_named() {
    let sandbox = Sandbox::ready();
    sandbox.command(["remember", "x"]).env("AGENT_MEMORY_AGENT", "ops").go().code(0).says("ops/notes.md");
}

#[test]
fn nothing_to_say_is_refused() {
    let sandbox = Sandbox::ready();
    sandbox.run(["remember", "--json", " \n "]).code(1).fails_as("E_EMPTY");
    sandbox.run(["remember", "--json"]).code(1).fails_as("E_EMPTY");
    sandbox.run(["remember", "--kind", "decison", "x", "--json"]).code(3).fails_as("E_USAGE");
}

#[test]
fn an_unknown_id_is_not_found() {
    let sandbox = Sandbox::ready();
    sandbox.run(["show", "123"]).code(2).talks("error[E_NOT_FOUND]: no memory has the id `123`");
    sandbox.run(["show", "123", "--json"]).code(2).silent().fails_as("E_NOT_FOUND");
    Sandbox::new().run(["show", "123", "--json"]).code(2).fails_as("E_NO_ROOT");
}

#[test]
fn an_agent_does_not_speak_as_a_person() {
    let sandbox = Sandbox::ready();
    let agent = |arguments: &[&str]| sandbox.command(arguments).env("AGENT_MEMORY_AGENT", "dev");
    let class = |id: &str| {
        let shown = sandbox.run(["show", id, "--json"]).code(0).json();
        shown["provenance"]["class"].as_str().unwrap().to_owned()
    };
    let kept = agent(&["remember", "--json", "said by an agent"]).go().code(0).json();
    assert_eq!(class(kept["id"].as_str().unwrap()), "agent");
    let kept = agent(&["remember", "--json", "--class", "tool", "said by a tool"]).go().code(0).json();
    assert_eq!(class(kept["id"].as_str().unwrap()), "tool");
    for word in ["human", "human-edit"] {
        let ran = agent(&["remember", "--class", word, "not let in"]).go().code(3);
        ran.talks("E_USAGE").talks("`dev`").talks("AGENT_MEMORY_AGENT");
    }
    let lines = "{\"text\":\"in a line\"}\n{\"text\":\"not let in\",\"class\":\"human\"}\n";
    agent(&["remember", "--lines"]).stdin(lines).go().code(1);
    let kept = agent(&["vault", "add", "dev", "notes", "-c", "into a vault", "--json"]).go().code(0).json();
    assert_eq!(class(kept["id"].as_str().unwrap()), "agent");
    let listed = sandbox.run(["list", "--json"]).code(0).stdout;
    assert!(listed.contains("in a line") && !listed.contains("not let in"), "{listed}");
    assert_eq!(class(&sandbox.remember("said by a person")), "human");
}

#[test]
fn a_byte_order_mark_is_no_part_of_a_text() {
    let sandbox = Sandbox::ready();
    sandbox.command(["remember"]).stdin("\u{feff}- [ ] buy milk").go().code(0).says("default/tasks.md");
    std::fs::write(sandbox.project().join("note.txt"), "\u{feff}TODO: buy bread").unwrap();
    sandbox.run(["remember", "--file", "note.txt"]).code(0).says("default/tasks.md");
    assert!(!sandbox.read("default/tasks.md").contains('\u{feff}'));
    let line = "\u{feff}{\"text\":\"one\"}\n{\"text\":\"two\"}\n";
    for batch in ["1", "1000"] {
        sandbox.command(["remember", "--lines", "--batch", batch]).stdin(line).go().code(0);
    }
}

#[test]
fn what_is_private_in_a_file_that_git_takes_is_warned_of() {
    let sandbox = Sandbox::new();
    let git =
        std::process::Command::new("git").args(["init", "--quiet"]).current_dir(sandbox.project()).status();
    if !git.is_ok_and(|status| status.success()) {
        return;
    }
    sandbox.run(["init"]).code(0);
    sandbox.run(["remember", "an ordinary thing"]).code(0).silent();
    let private = ["remember", "--sensitivity", "private-user", "my birthday is in May"];
    sandbox.run(private).code(0).talks("git versions `default/notes.md`").talks(".gitignore");
    // Nothing was written the second time.
    sandbox.run(private).code(0).silent();
    let line = |word: &str| format!("{{\"text\":\"about {word}\",\"sensitivity\":\"{word}\"}}\n");
    sandbox.command(["remember", "--lines"]).stdin(line("public")).go().code(0).silent();
    sandbox
        .command(["remember", "--lines"])
        .stdin(line("secret"))
        .go()
        .code(0)
        .talks("git versions `default/notes.md`");
    std::fs::write(sandbox.file(".gitignore"), "default/\n").unwrap();
    sandbox.run(["remember", "--sensitivity", "secret", "the door code is 17"]).code(0).silent();
    sandbox.command(["remember", "--lines"]).stdin(line("private-user")).go().code(0).silent();
}

#[test]
fn a_key_that_holds_a_credential_is_refused() {
    let sandbox = Sandbox::ready();
    let token = |last: &str| format!("ghp_{}{last}", "16C7e42F292c6912E7710c838347Ae178B4");
    for key in [token("a"), format!("deploy-{}", token("b"))] {
        let ran = sandbox.run(["remember", "--key", &key, "--json", "one"]).code(1).fails_as("E_SECRET_KEY");
        assert!(!ran.stdout.contains(&key));
    }
    assert!(!sandbox.file("default/notes.md").exists());
}

#[cfg(target_os = "linux")]
#[test]
fn an_answer_that_cannot_be_written_is_told_once() {
    let sandbox = Sandbox::ready();
    for arguments in [&["remember", "a text"][..], &["list"], &["agents"]] {
        let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
        let mut command = sandbox.command(arguments).into_command();
        let ended = command.stdout(full).stderr(std::process::Stdio::piped()).output().unwrap();
        let told = String::from_utf8_lossy(&ended.stderr);
        assert_eq!(told.matches("E_IO").count(), 1, "{arguments:?}: {told}");
        assert_eq!(ended.status.code(), Some(1), "{arguments:?}");
    }
}
