//! `hook`: what clients tell waits in the inbox, and no client ever notices that anything went wrong.

use std::path::Path;

use serde_json::Value;

use crate::sandbox::{Ran, Run, Sandbox};

/// A run of the hook in which no client has left its marks in the environment.
fn hook<const N: usize>(sandbox: &Sandbox, arguments: [&str; N]) -> Run {
    let run = sandbox.command(["hook"].into_iter().chain(arguments));
    ["CLAUDECODE", "CLAUDE_CODE_SESSION_ID", "CLAUDE_PROJECT_DIR", "CURSOR_VERSION", "COPILOT_CLI"]
        .into_iter()
        .chain(["GEMINI_SESSION_ID", "QWEN_CODE_SESSION_ID"])
        .fold(run, Run::without)
}

/// The run ended well and said nothing at all.
#[track_caller]
fn quiet(ran: Ran) {
    ran.code(0).answers("").silent();
}

fn event(cwd: &Path, rest: &str) -> String {
    format!(r#"{{"session_id":"s-1","cwd":{},{rest}}}"#, Value::from(cwd.to_str().unwrap()))
}

const PROMPT: &str = r#""hook_event_name":"UserPromptSubmit","prompt_id":"p-1","prompt":"why SSE?""#;

/// The letters that wait, in order.
fn inbox(sandbox: &Sandbox) -> Vec<Value> {
    let Ok(names) = std::fs::read_dir(sandbox.file(".vault/inbox")) else { return Vec::new() };
    let mut names: Vec<_> = names.map(|name| name.unwrap().path()).filter(|path| path.is_file()).collect();
    names.sort();
    names.iter().map(|path| serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()).collect()
}

fn log(sandbox: &Sandbox) -> String {
    std::fs::read_to_string(sandbox.file(".vault/log")).unwrap_or_default()
}

#[test]
fn what_happens_waits_in_the_inbox() {
    let sandbox = Sandbox::ready();
    let at = sandbox.project();
    for rest in [
        r#""hook_event_name":"SessionStart","source":"startup""#,
        PROMPT,
        r#""hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"ls"}"#,
        r#""hook_event_name":"PostToolUse","tool_name":"Bash","tool_input":{"command":"ls"},"tool_response":"never-kept""#,
        r#""hook_event_name":"Stop","prompt_id":"p-1","last_assistant_message":"The proxy drops sockets""#,
    ] {
        quiet(hook(&sandbox, ["claude"]).stdin(event(&at, rest)).go());
    }
    let letters = inbox(&sandbox);
    let whats: Vec<&str> = letters.iter().map(|letter| letter["what"].as_str().unwrap()).collect();
    assert_eq!(whats, ["started", "prompt", "tool", "reply"]);
    assert_eq!((&letters[1]["text"], &letters[1]["turn"]), (&"why SSE?".into(), &"p-1".into()));
    assert_eq!(letters[2]["tool"]["command"], "ls");
    assert!(letters.iter().all(|it| it["client"] == "claude-code" && it["session"] == "s-1"));
    assert!(sandbox.tree().iter().all(|(_, bytes)| !bytes.windows(10).any(|part| part == b"never-kept")));
    assert_eq!(log(&sandbox), "");
}

#[test]
fn neither_ledger_nor_index_is_touched() {
    let sandbox = Sandbox::ready();
    // A ledger that nobody could open, and no lock to be had.
    sandbox.write(".vault/ledger.db", "not a database");
    quiet(hook(&sandbox, ["claude"]).stdin(event(&sandbox.project(), PROMPT)).go());
    assert_eq!((inbox(&sandbox).len(), sandbox.read(".vault/ledger.db").as_str()), (1, "not a database"));
    assert!(!sandbox.file(".vault/index").exists());
}

#[test]
fn the_root_is_that_of_the_agents_folder() {
    let sandbox = Sandbox::ready();
    let deep = sandbox.project().join("src/deep");
    std::fs::create_dir_all(&deep).unwrap();
    // Cursor runs hooks of a user in a folder of its own.
    let elsewhere = |run: Run| run.within(&sandbox.home());
    quiet(elsewhere(hook(&sandbox, ["claude"])).stdin(event(&deep, PROMPT)).go());
    assert_eq!(inbox(&sandbox).len(), 1);
    let outside = event(&sandbox.home(), PROMPT);
    let project = sandbox.project().to_str().unwrap().to_owned();
    quiet(elsewhere(hook(&sandbox, ["claude"])).env("CLAUDE_PROJECT_DIR", &project).stdin(&outside).go());
    assert_eq!(inbox(&sandbox).len(), 2);
    let root = sandbox.file("").to_str().unwrap().to_owned();
    quiet(elsewhere(hook(&sandbox, ["claude", "--dir", &root])).stdin(&outside).go());
    quiet(elsewhere(hook(&sandbox, ["claude"])).env("AGENT_MEMORY_DIR", &root).stdin(&outside).go());
    quiet(elsewhere(hook(&sandbox, ["claude"])).stdin(&outside).go());
    assert_eq!(inbox(&sandbox).len(), 4);
}

#[test]
fn without_an_approved_memory_nothing_is_done() {
    let none = Sandbox::new();
    quiet(hook(&none, ["claude"]).stdin(event(&none.project(), PROMPT)).go());
    quiet(hook(&none, ["claude"]).stdin("broken").go());
    assert_eq!(none.tree(), []);
    let foreign = Sandbox::new();
    foreign.write("dev/decisions.md", "x");
    let before = foreign.tree();
    quiet(hook(&foreign, ["claude"]).stdin(event(&foreign.project(), PROMPT)).go());
    quiet(hook(&foreign, ["nonsense"]).stdin("broken").go());
    assert_eq!(foreign.tree(), before);
}

#[test]
fn whatever_goes_wrong_is_a_line_in_the_log_and_nothing_else() {
    let sandbox = Sandbox::ready();
    let good = event(&sandbox.project(), PROMPT);
    let mut said = 0;
    let mut check = |run: Run, stdin: &[u8], expect: &str| {
        quiet(run.stdin(stdin).go());
        let log = log(&sandbox);
        said += 1;
        assert_eq!(log.lines().count(), said, "{log}");
        assert!(log.lines().last().unwrap().contains(expect), "{expect}: {log}");
    };
    check(hook(&sandbox, ["claude"]), b"", "empty");
    check(hook(&sandbox, ["claude"]), b"{\"a\":", "no JSON");
    check(hook(&sandbox, ["claude"]), b"[]", "no object");
    check(hook(&sandbox, ["claude"]), br#"{"hook_event_name":"Dream"}"#, "`Dream` is not known");
    check(hook(&sandbox, ["nonsense"]), good.as_bytes(), "hook nonsense: this client is not known");
    check(hook(&sandbox, []), good.as_bytes(), "not known");
    check(hook(&sandbox, ["claude"]), &vec![b' '; 9 << 20], "more than");
    let token = format!("ghp_{}", "16C7e42F292c6912E7710c838347Ae178B4a");
    let named = format!(r#"{{"hook_event_name":"{token}"}}"#);
    check(hook(&sandbox, ["claude"]), named.as_bytes(), "[redacted:github-pat]");
    std::fs::write(sandbox.file(".vault/inbox"), "in the way").unwrap();
    check(hook(&sandbox, ["claude"]), good.as_bytes(), "is lost");
    assert_eq!(inbox(&sandbox).len(), 0);
}

#[test]
fn no_bytes_and_no_arguments_make_it_fail() {
    let sandbox = Sandbox::ready();
    let mut dice = 0x9e37_79b9_7f4a_7c15_u64;
    let mut random = |count: usize| -> Vec<u8> {
        let mut next = || {
            dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            dice.to_le_bytes()[7]
        };
        (0..count).map(|_| next()).collect()
    };
    for (n, client) in ["claude", "codex", "cursor", "gemini", "qwen", "opencode"].into_iter().enumerate() {
        quiet(hook(&sandbox, [client]).stdin(random(n * 97)).go());
        let mut json = br#"{"hook_event_name":"Stop","last_assistant_message":""#.to_vec();
        json.extend(random(300));
        json.extend(b"\"}");
        quiet(hook(&sandbox, [client, "Stop"]).stdin(json).go());
    }
    for arguments in [
        &["hook", "--frobnicate"][..],
        &["hook", "claude", "--json", "x", "y", "z"],
        &["--quiet", "hook", "claude", "--limit", "9"],
        &["hook", "claude", "--dir"],
        &["hook", "claude", "--dir", "/nowhere/at/all"],
        &["hook", "\u{1b}[31m"],
    ] {
        quiet(sandbox.command(arguments).stdin("{}").go());
    }
    sandbox.run(["hook", "--help"]).code(0).says("agent-memory hook claude");
}

#[test]
fn clients_that_run_each_others_files_are_told_apart() {
    let sandbox = Sandbox::ready();
    let at = sandbox.project();
    let prompt = event(&at, PROMPT);
    quiet(hook(&sandbox, ["claude"]).env("CURSOR_VERSION", "3.5").stdin(&prompt).go());
    quiet(hook(&sandbox, ["claude"]).env("CLAUDE_CODE_SESSION_ID", "s-1").stdin(&prompt).go());
    let timed = event(&at, &format!(r#"{PROMPT},"timestamp":"2026-11-15T06:44:51Z""#));
    quiet(hook(&sandbox, ["claude"]).env("COPILOT_CLI", "1").stdin(&timed).go());
    quiet(hook(&sandbox, ["claude"]).stdin(&timed).go());
    let mut clients: Vec<Value> = inbox(&sandbox).iter().map(|letter| letter["client"].clone()).collect();
    clients.sort_by_key(ToString::to_string);
    assert_eq!(clients, ["claude-code", "copilot-cli", "copilot-vscode", "cursor"]);
}
