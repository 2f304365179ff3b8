//! Which program runs a hook. Cursor, VS Code and Copilot CLI also run the hook files of Claude Code, and a client that
//! was started inside another inherits its environment; so what the payload shows counts before what is merely set.

use memory_core::session::Client;
use serde_json::Value;

use super::wire;

/// Variables that hold the session of the client that set them.
const SESSIONS: &[(&str, Client)] = &[
    ("CLAUDE_CODE_SESSION_ID", Client::ClaudeCode),
    ("QWEN_CODE_SESSION_ID", Client::Qwen),
    ("GEMINI_SESSION_ID", Client::Gemini),
];

/// Variables that clients set for the hooks they run, the surest first.
const MARKS: &[(&str, Client)] = &[
    ("CURSOR_VERSION", Client::Cursor),
    ("COPILOT_CLI", Client::CopilotCli),
    ("CLAUDECODE", Client::ClaudeCode),
];

/// The program that runs a hook which names this client.
pub(super) fn of(named: Client, payload: &Value, environment: &dyn Fn(&str) -> Option<String>) -> Client {
    let has = |field: &str| wire::at(payload, field).is_some();
    if has("cursor_version") {
        return Client::Cursor;
    }
    let session = wire::text(payload, &["session_id", "sessionId"]).filter(|text| !text.is_empty());
    let same = |row: &&(&str, Client)| session.is_some() && environment(row.0).as_deref() == session;
    if let Some((_, sure)) = SESSIONS.iter().find(same) {
        return *sure;
    }
    match named {
        Client::ClaudeCode => {
            let marked = MARKS.iter().find(|row| environment(row.0).is_some()).map(|row| row.1);
            // Of those that run Claude Code's files, only VS Code sets nothing; Claude Code tells no time.
            let unmarked =
                if has("hookEventName") || has("timestamp") { Client::CopilotVsCode } else { named };
            marked.unwrap_or(unmarked)
        }
        // VS Code reads the same folder; the CLI marks itself, and names no event in its own form.
        Client::CopilotCli => {
            let names_event = has("hookEventName") || has("hook_event_name");
            let is_cli = environment("COPILOT_CLI").is_some() || !names_event;
            if is_cli { named } else { Client::CopilotVsCode }
        }
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_program_that_runs_a_hook_is_told_from_the_one_that_is_named() {
        let check = |named: &str, json: &str, set: &[(&str, &str)], expect: &str| {
            let payload: Value = serde_json::from_str(json).unwrap();
            let environment = |name: &str| {
                set.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned())
            };
            let got = of(Client::of_word(named).unwrap(), &payload, &environment);
            assert_eq!(got.word(), expect, "{named} {json} {set:?}");
        };
        let claude = r#"{"session_id":"s1","hook_event_name":"Stop"}"#;
        let timed = r#"{"session_id":"s1","hook_event_name":"Stop","timestamp":"2026-11-15T06:44:51Z"}"#;
        let camel = r#"{"sessionId":"s1","timestamp":1}"#;
        check("claude", claude, &[], "claude-code");
        check("claude", claude, &[("CLAUDECODE", "1")], "claude-code");
        check("claude", claude, &[("CURSOR_VERSION", "3.5"), ("CLAUDECODE", "1")], "cursor");
        check("claude", r#"{"cursor_version":"3.5"}"#, &[("CLAUDECODE", "1")], "cursor");
        check("claude", timed, &[("COPILOT_CLI", "1")], "copilot-cli");
        check("claude", timed, &[], "copilot-vscode");
        check("claude", timed, &[("CLAUDECODE", "1")], "claude-code");
        check("claude", timed, &[("GEMINI_SESSION_ID", "s1")], "gemini-cli");
        check("claude", timed, &[("QWEN_CODE_SESSION_ID", "s1")], "qwen-code");
        // Claude Code started by a command of Copilot or Cursor, which leave their marks in the environment.
        check("claude", claude, &[("COPILOT_CLI", "1"), ("CLAUDE_CODE_SESSION_ID", "s1")], "claude-code");
        // Another session's variable says nothing, and an empty session equals none.
        check("claude", claude, &[("GEMINI_SESSION_ID", "s2")], "claude-code");
        check("claude", r#"{"session_id":""}"#, &[("GEMINI_SESSION_ID", "")], "claude-code");
        // Codex started by a command of Claude Code.
        check("codex", claude, &[("CLAUDECODE", "1"), ("CLAUDE_CODE_SESSION_ID", "s9")], "codex");
        check("copilot", camel, &[], "copilot-cli");
        check("copilot", timed, &[("COPILOT_CLI", "1")], "copilot-cli");
        check("copilot", timed, &[], "copilot-vscode");
        check("opencode", "{}", &[("CLAUDECODE", "1")], "opencode");
    }
}
