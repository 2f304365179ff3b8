//! Session files that real clients wrote, where they are at hand: how many messages each holds, and what may never
//! come out of them.

use std::path::{Path, PathBuf};

use memory_core::session::{Client, Role};

use super::{count, read};
use crate::harness::own_words;

/// A file, its client, the session where the file holds many, and how often a person and the agent speak in it.
const FILES: &[(&str, Client, Option<&str>, usize, usize)] = &[
    (
        "claude-code/live-2.1.325/-home-dev-alpha-proj/e97a1003-8ce1-4e17-afd2-bcc122a122a1.jsonl",
        Client::ClaudeCode,
        None,
        1,
        2,
    ),
    (
        "claude-code/live-2.1.325-compact/-home-dev-alpha-proj/53634db4-4ad2-4bc0-8dc5-a4f4b48846cf.jsonl",
        Client::ClaudeCode,
        None,
        2,
        4,
    ),
    (
        "codex/live-0.166.0/rollout-2026-11-15T06-36-20-01a1ddeb-cdb9-7fc1-bd5f-01dcffed3107.jsonl",
        Client::Codex,
        None,
        1,
        2,
    ),
    (
        "codex/live-0.166.0/rollout-2026-11-15T06-36-29-01a1ddeb-efb6-7792-bfd5-b1e9163608e8.jsonl",
        Client::Codex,
        None,
        2,
        4,
    ),
    ("cursor/cursor-session-simple.jsonl", Client::Cursor, None, 1, 10),
    ("gemini-cli/live-0.61.0/proj/chats/session-2026-11-15T06-36-de25999d.jsonl", Client::Gemini, None, 1, 2),
    (
        "qwen-code/live-0.24.4/-home-dev-alpha-proj/chats/169ff8b5-bde1-4b2f-b1ef-e79608feaad9.jsonl",
        Client::Qwen,
        None,
        1,
        2,
    ),
    ("opencode/live-1.18.33/opencode.db", Client::OpenCode, Some("ses_e22122594ffep2dkO8JEw7Vucs"), 1, 2),
    (
        "copilot-cli/live-1.0.102/1082f5ce-ca61-496b-9e92-66a6821671b0/events.jsonl",
        Client::CopilotCli,
        None,
        1,
        2,
    ),
    ("copilot-vscode/copilot_session_multiline.jsonl", Client::CopilotVsCode, None, 2, 2),
    ("copilot-vscode/copilot_session_simple.json", Client::CopilotVsCode, None, 3, 3),
    ("copilot-vscode/copilot_session_simple.jsonl", Client::CopilotVsCode, None, 3, 3),
    ("copilot-vscode/copilot_vscode_event_stream.jsonl", Client::CopilotVsCode, None, 1, 2),
    (
        "copilot-vscode/copilot_vscode_workspace/GitHub.copilot-chat/transcripts/test-session-abc.jsonl",
        Client::CopilotVsCode,
        None,
        1,
        1,
    ),
    ("cline/live-3.0.65/1794725099076_u6moe/1794725099076_u6moe.messages.json", Client::Cline, None, 1, 2),
    ("windsurf/windsurf-session-simple.jsonl", Client::Windsurf, None, 4, 7),
    ("amp/T-019ca1ce-3ae2-7686-a41e-ccc078837f8a.json", Client::Amp, None, 1, 3),
    ("amp/T-019ca1f6-7f21-77b5-a308-65416ebbdf48.json", Client::Amp, None, 1, 3),
    ("goose/constructed-sessions.db", Client::Goose, Some("20261115_1"), 1, 2),
    ("continue/continue-cli-session-simple.json", Client::Continue, None, 1, 3),
    ("aider/aider.chat.history.slice.md", Client::Aider, None, 7, 8),
    (
        "specstory/projA.specstory/history/2025-07-10_09-00-00Z-fix-the-gitignore.md",
        Client::SpecStory,
        None,
        1,
        4,
    ),
    ("specstory/projA.specstory/history/2026-05-01_10-00-00Z-can-we-run-a.md", Client::SpecStory, None, 2, 2),
    ("specstory/projA.specstory/history/2026-05-02_11-00-00Z-can-we-run-a.md", Client::SpecStory, None, 2, 2),
    ("specstory/projA.specstory/history/2026-05-03_12-00-00Z-can-we-run-a.md", Client::SpecStory, None, 2, 2),
    (
        "specstory/projA.specstory/history/2026-05-04_13-00-00Z-check-the-vet.md",
        Client::SpecStory,
        None,
        1,
        1,
    ),
    ("droid/droid-session.jsonl", Client::Droid, None, 1, 5),
    ("pi/pi-session-simple.jsonl", Client::Pi, None, 1, 1),
    ("pi/pi-session-tool.jsonl", Client::Pi, None, 1, 1),
    ("pi/pi-session-ignorable.jsonl", Client::Pi, None, 1, 1),
];

/// What was put in by a hook, came from a vendor or from a tool, or belongs to a client's own wrapping.
const NEVER: &[&str] = &[
    "MEMORY-CANARY",
    "scrubbed",
    "<system",
    "<hook_context",
    "<user_query",
    "<user_input",
    "<command-",
    "<local-command",
    "<session_context",
    "<environment_context",
    "qwen:user-prompt",
    "[REDACTED]",
    "<tool-use",
    "Contents of /",
    "This session is being continued",
];

fn recorded() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/transcripts");
    let is_there = folder.is_dir();
    if !is_there {
        println!("skipped: there are no recorded transcripts at {}", folder.display());
    }
    is_there.then_some(folder)
}

#[test]
fn recorded_sessions_give_what_was_said_and_nothing_else() {
    let Some(folder) = recorded() else { return };
    let mut wrong = Vec::new();
    for (file, client, session, humans, agents) in FILES {
        let (messages, tail) = read(*client, &folder.join(file), *session);
        let found = (count(&messages, Role::User), count(&messages, Role::Agent));
        println!("{file} {found:?}");
        for message in &messages {
            println!("    {message:?}");
        }
        if found != (*humans, *agents) {
            wrong.push(format!("{file}: {found:?}"));
        }
        if !tail.defects.is_empty() {
            wrong.push(format!("{file}: {:?}", tail.defects));
        }
        for message in &messages {
            let shown = format!("{message:?}");
            wrong.extend(
                NEVER
                    .iter()
                    .filter(|never| shown.contains(**never))
                    .map(|never| format!("{file}: {never}: {shown}")),
            );
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn prompts_that_hooks_were_given_hold_only_what_a_person_typed() {
    let Some(folder) = recorded() else { return };
    let folder = folder.join("../golden/hooks");
    let mut prompts = 0;
    for (name, client) in [
        ("claude-code", Client::ClaudeCode),
        ("codex", Client::Codex),
        ("gemini-cli", Client::Gemini),
        ("qwen-code", Client::Qwen),
        ("copilot-cli", Client::CopilotCli),
    ] {
        let text = std::fs::read_to_string(folder.join(name).join("events.jsonl")).unwrap_or_default();
        for line in text.lines() {
            let event: serde_json::Value = serde_json::from_str(line).unwrap();
            let Some(prompt) = event.pointer("/stdin/prompt").and_then(serde_json::Value::as_str) else {
                continue;
            };
            let words = own_words(client, prompt);
            assert!(!NEVER.iter().any(|never| words.contains(never)), "{name}: {words}");
            if prompt.contains("What did we decide about sqlite?") {
                assert_eq!(words, "What did we decide about sqlite?", "{name}");
            }
            prompts += 1;
        }
    }
    assert!(prompts > 4, "{prompts}");
}
