//! `compact`.

use serde_json::{Value, json};

use crate::sandbox::Sandbox;

/// A memory with something for upkeep to do.
fn grown() -> Sandbox {
    let sandbox = Sandbox::ready();
    let lines: String = (0..35)
        .map(|n| {
            format!(
                "{}\n",
                json!({ "agent": "dev", "kind": "decision", "text": format!("Choice {n} is about town {n}") })
            )
        })
        .collect();
    sandbox.command(["remember", "--lines"]).stdin(lines).go().code(0);
    let said = |n: usize| json!({ "role": "agent", "text": format!("We decided to use lib{n} for part {n} because it is faster.") });
    let talk = json!({ "agentId": "dev", "messages": (0..25).map(said).collect::<Vec<_>>() });
    sandbox.write("conversations/dev.json", talk.to_string());
    sandbox.write(".vault/checkpoints/old.json", "{");
    sandbox.write("dev.md", "flat");
    sandbox.write("small.md", "small");
    sandbox
}

#[test]
fn the_lines_of_the_reference_come_first() {
    let sandbox = grown();
    let ran = sandbox.run(["compact"]).code(0);
    let text = ran.stdout.clone();
    assert!(
        text.starts_with(
            "Checkpoints cleaned: 1\nConversations trimmed: 1\nVault entries merged: 40\nIndex rebuilt: yes\n\
             Legacy files cleaned: 1\nMemories extracted: 26\n"
        ),
        "{text}"
    );
    assert!(text.contains("agent-memory restore compact-"), "{text}");
    let again = sandbox.run(["compact"]).code(0);
    assert_eq!(
        again.stdout,
        "Checkpoints cleaned: 0\nConversations trimmed: 0\nVault entries merged: 0\nIndex rebuilt: no\nLegacy files cleaned: 0\n"
    );
}

#[test]
fn a_dry_run_lists_what_the_run_does() {
    let sandbox = grown();
    let first = sandbox.read("dev/decisions.md");
    let look = sandbox.run(["compact", "--dry-run", "--json"]).code(0).json();
    assert_eq!((&look["dryRun"], &look["archive"]), (&json!(true), &Value::Null));
    assert_eq!(sandbox.read("dev/decisions.md"), first);
    assert!(!sandbox.file(".vault/compact-log.json").exists());
    let done = sandbox.run(["compact", "--json"]).code(0).json();
    assert_eq!(look["deeds"], done["deeds"]);
    let fields: Vec<&String> = done.as_object().unwrap().keys().take(6).collect();
    assert_eq!(
        fields,
        [
            "timestamp",
            "checkpointsCleaned",
            "conversationsTrimmed",
            "vaultEntriesMerged",
            "indexRebuilt",
            "legacyFilesCleaned"
        ]
    );
    let log = sandbox.read(".vault/compact-log.json");
    assert!(
        log.starts_with("{\n  \"timestamp\": \"20") && log.contains("\n  \"vaultEntriesMerged\": 40,"),
        "{log}"
    );
    let batch = done["archive"].as_str().unwrap();
    sandbox.run(["restore"]).code(0).says(batch).says("dev/decisions.md");
    let back = sandbox.run(["restore", batch, "--json"]).code(0).json();
    assert_eq!(back["left"], json!([]));
    assert_eq!(sandbox.read("dev/decisions.md"), first);
    assert_eq!(
        (sandbox.read("dev.md"), sandbox.read(".vault/checkpoints/old.json")),
        ("flat".into(), "{".into())
    );
}

#[test]
fn one_step_alone_and_no_other() {
    let sandbox = grown();
    let done = sandbox.run(["compact", "--only", "legacy", "--json"]).code(0).json();
    assert_eq!((&done["legacyFilesCleaned"], &done["vaultEntriesMerged"]), (&json!(1), &json!(0)));
    assert!(sandbox.file(".vault/checkpoints/old.json").exists());
    assert_eq!(sandbox.read("small.md"), "small");
    sandbox.run(["compact", "--only", "everything"]).code(3).talks("categories");
}

#[test]
fn a_fresh_memory_needs_nothing() {
    let sandbox = Sandbox::ready();
    sandbox.run(["compact"]).code(0).says("Vault entries merged: 0");
    Sandbox::new().run(["compact", "--dry-run", "--json"]).code(2);
}

#[test]
fn what_cannot_be_read_is_named_and_stays() {
    let sandbox = grown();
    sandbox.write("conversations/broken.json", "{");
    let ran = sandbox.run(["compact"]).code(1);
    ran.talks("conversations/broken.json");
    assert_eq!(sandbox.read("conversations/broken.json"), "{");
    assert!(!sandbox.file("dev.md").exists(), "the others are looked after");
}

#[test]
fn a_trimmed_conversation_is_no_new_one() {
    let sandbox = Sandbox::ready();
    let said = |n: usize| {
        let role = if n.is_multiple_of(2) { "user" } else { "assistant" };
        json!({ "role": role, "content": format!("Please look at module {n} of the billing service") })
    };
    let talk = json!({ "agentId": "dev", "messages": (0..30).map(said).collect::<Vec<_>>() });
    sandbox.write("conversations/dev.json", talk.to_string());
    let snapshot = || {
        let listed = sandbox.run(["session", "list", "--json"]).code(0).json();
        let sessions = listed["sessions"].as_array().unwrap().clone();
        assert_eq!(sessions.len(), 1, "{listed}");
        assert_eq!(sessions[0]["agentId"], "dev", "{listed}");
        sessions[0]["messages"].clone()
    };
    sandbox.run(["process"]).code(0);
    let before = snapshot();
    sandbox.run(["compact"]).code(0);
    sandbox.run(["process"]).code(0);
    assert_eq!(snapshot(), before);
}
