//! `session` and `sync-checkpoints`.

use serde_json::json;

use crate::sandbox::Sandbox;

const SAID: &str = r#"[{"role":"user","text":"Add a cache"},{"role":"agent","text":"quiet","internal":true},{"role":"agent","text":"Done"}]"#;

#[test]
fn what_was_saved_is_loaded_recovered_and_listed() {
    let sandbox = Sandbox::ready();
    sandbox.run(["session", "list"]).code(0).says("no sessions yet");
    sandbox.run(["session", "recover", "dev", "--json"]).code(2).fails_as("E_NO_SESSION");
    let args = ["session", "save", "dev", "--chat-id", "chat_1", "--model-id", "m-1"];
    sandbox.command(args).stdin(SAID).go().code(0).says("saved 3 messages of dev");
    let loaded = sandbox.run(["session", "load", "dev", "--json"]).code(0).json();
    assert_eq!(loaded["messages"].as_array().unwrap().len(), 3);
    let tail = sandbox.run(["session", "recover", "dev", "--json"]).code(0).json();
    assert_eq!(
        tail["messages"],
        json!([{"role":"user","text":"Add a cache"},{"role":"agent","text":"Done"}])
    );
    assert_eq!((&tail["chatId"], &tail["modelId"]), (&json!("chat_1"), &json!("m-1")));
    sandbox.run(["session", "recover", "dev"]).code(0).says("[user]").says("Add a cache");
    sandbox.run(["session", "list"]).code(0).says("dev").says("chat_1").says("recoverable");
    let chats: serde_json::Value = serde_json::from_str(&sandbox.read(".vault/chat-sessions.json")).unwrap();
    assert_eq!(chats, json!({ "dev": "chat_1" }));
}

#[test]
fn a_byte_order_mark_before_the_messages_is_none_of_them() {
    let sandbox = Sandbox::ready();
    let said = format!("\u{feff}{SAID}");
    sandbox.command(["session", "save", "dev"]).stdin(said).go().code(0).says("saved 3 messages of dev");
}

#[test]
fn a_snapshot_of_last_week_is_no_longer_recovered() {
    let sandbox = Sandbox::ready();
    sandbox.write(".vault/checkpoints/dev.json", r#"{"agentId":"dev","savedAt":1000,"messages":[]}"#);
    sandbox.run(["session", "recover", "dev"]).code(2).talks("nothing to recover");
    sandbox.run(["session", "list"]).code(0).says("expired");
    sandbox.write(".vault/checkpoints/dev.json", "{ broken");
    sandbox.run(["session", "recover", "dev"]).code(2);
}

#[test]
fn sleeping_keeps_a_handoff_and_a_snapshot() {
    let sandbox = Sandbox::ready();
    let summary = "The cache is in. Next: the docs";
    let args = ["session", "sleep", "dev", summary, "--file", "-"];
    sandbox.command(args).stdin(SAID).go().code(0).says("handed over");
    assert!(sandbox.read("dev/handoffs.md").contains(summary));
    sandbox.run(["session", "recover", "dev"]).code(0).says("Done");
}

#[test]
fn bad_conversations_are_told_and_secrets_are_masked() {
    let sandbox = Sandbox::ready();
    for bad in ["{}", "[1", "7"] {
        let args = ["session", "save", "dev", "--json"];
        sandbox.command(args).stdin(bad).go().code(1).fails_as("E_NO_CONVERSATION");
    }
    sandbox.command(["session", "save", "dev"]).stdin("").go().code(3);
    sandbox.run(["session", "load", "../x"]).code(3);
    let token = format!("ghp_{}", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8");
    let said = format!(r#"[{{"role":"user","text":"use {token}","diffs":["{token}"]}}]"#);
    sandbox.command(["session", "save", "dev"]).stdin(said).go().code(0);
    for (name, bytes) in sandbox.tree() {
        assert!(!String::from_utf8_lossy(&bytes).contains(&token), "{name}");
    }
}

#[test]
fn messages_that_cannot_be_read_replace_nothing() {
    let sandbox = Sandbox::ready();
    let save = |said: &str| sandbox.command(["session", "save", "dev", "--json"]).stdin(said).go();
    save(r#"[{"role":"user","content":"Add a cache"},{"role":"assistant","content":[{"type":"text","text":"Done"}]}]"#)
        .code(0);
    for bad in [r#"[{"role":"user","words":"x"}]"#, r#"{"messages":[{"role":"system","content":"x"},7]}"#] {
        save(bad).code(2).fails_as("E_NO_MESSAGES");
        sandbox
            .command(["session", "sleep", "dev", "The end", "--file", "-", "--json"])
            .stdin(bad)
            .go()
            .code(2)
            .fails_as("E_NO_MESSAGES");
    }
    for none in ["[]", r#"{"messages":[]}"#] {
        save(none).code(2).fails_as("E_NO_MESSAGES");
    }
    // The handoff does not hang on them.
    assert_eq!(sandbox.read("dev/handoffs.md").matches("The end").count(), 1);
    for verb in ["load", "recover"] {
        let messages = sandbox.run(["session", verb, "dev", "--json"]).code(0).json()["messages"].clone();
        assert_eq!(messages, json!([{"role":"user","text":"Add a cache"},{"role":"agent","text":"Done"}]));
    }
    let some = r#"[{"role":"system","content":"x"},{"role":"user","text":"Add a test"}]"#;
    let args = ["session", "save", "dev"];
    sandbox.command(args).stdin(some).go().code(0).says("saved 1 message of").talks("1 message left out");
}

#[test]
fn sleeping_waits_for_nobody() {
    let sandbox = Sandbox::ready();
    let command = sandbox.command(["session", "sleep", "dev", "The cache is in"]);
    let mut command = command.into_command();
    let mut child =
        command.stdin(std::process::Stdio::piped()).stdout(std::process::Stdio::null()).spawn().unwrap();
    // Its stdin stays open until it has ended.
    let open = child.stdin.take();
    assert!(child.wait().unwrap().success());
    drop(open);
    assert!(sandbox.read("dev/handoffs.md").contains("The cache is in"));
}

#[test]
fn what_is_masked_in_a_handoff_is_said() {
    let sandbox = Sandbox::ready();
    let token = format!("ghp_{}", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8");
    let summary = format!("Deploy with {token}");
    let ran = sandbox.run(["session", "sleep", "dev", &summary, "--json"]).code(0).talks("masked");
    assert_eq!(ran.json()["redacted"], json!(["github-pat"]));
}

#[test]
fn snapshots_follow_conversations_but_never_lead_out_of_the_folder() {
    let sandbox = Sandbox::ready();
    sandbox.run(["sync-checkpoints"]).code(0).says("(no conversation JSON files under conversations/)");
    sandbox.write(
        "conversations/dev.json",
        format!(r#"{{"savedAt":"2026-03-15T23:04:23.463Z","messages":{SAID}}}"#),
    );
    sandbox.write("conversations/evil.json", r#"{"agentId":"../../../outside","messages":[]}"#);
    sandbox.write("conversations/bad.json", "{");
    let done = sandbox.run(["sync-checkpoints", "--json"]).code(1);
    let done = done.json();
    assert_eq!((&done["synced"], &done["skipped"]), (&json!(["dev"]), &json!([])));
    let named: Vec<&str> =
        done["errors"].as_array().unwrap().iter().map(|it| it["agentId"].as_str().unwrap()).collect();
    assert_eq!(named, ["bad", "evil"]);
    assert_eq!(sandbox.outside(), ["home", "project"]);
    std::fs::remove_file(sandbox.file("conversations/evil.json")).unwrap();
    std::fs::remove_file(sandbox.file("conversations/bad.json")).unwrap();
    sandbox.run(["sync-checkpoints"]).code(0).says("Skipped (checkpoint up to date): dev");
    sandbox.run(["sync-checkpoints", "--force"]).code(0).says("Synced: dev");
}
