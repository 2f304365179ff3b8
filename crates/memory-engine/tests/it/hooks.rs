//! Hooks as real clients called them: every line of the recordings becomes the right signal.
//!
//! The recordings do not belong to the repository; where they are absent, the test says so and passes.

use std::collections::BTreeMap;
use std::path::PathBuf;

use memory_engine::core::session::Client;
use memory_engine::hook::{Call, Happened, Signal, read};
use serde_json::Value;

/// Each recording: its client, and what its lines are, in order.
const RECORDINGS: &[(&str, &str, &str)] = &[
    (
        "claude-code",
        "claude-code",
        "started prompt passing tool reply ended started prompt passing reply ended \
         started passing prompt passing reply ended started passing passing passing prompt passing reply ended",
    ),
    (
        "claude-code-compact",
        "claude-code",
        "started prompt reply ended started compacting subagent subagent started compacted ended \
         started prompt reply ended",
    ),
    ("codex", "codex", "started prompt passing tool reply ended started prompt passing tool reply ended"),
    (
        "gemini-cli",
        "gemini-cli",
        "started prompt passing passing tool passing reply ended started prompt passing reply ended",
    ),
    (
        "qwen-code",
        "qwen-code",
        "started notification prompt passing tool prompt reply started notification prompt reply",
    ),
    ("copilot-cli", "copilot-cli", "started prompt started prompt passing passing tool reply reply ended"),
    ("cline", "cline", "started passing tool reply started passing tool reply started passing tool reply"),
];

#[test]
fn every_recorded_line_is_the_right_event() {
    for (folder, client, expect) in RECORDINGS {
        let Some(lines) = recording(folder) else { return };
        let signals: Vec<Signal> = lines.iter().map(|line| told(client, None, line)).collect();
        let words: Vec<&str> = signals.iter().map(|signal| signal.happened.word()).collect();
        assert_eq!(words, expect.split_whitespace().collect::<Vec<_>>(), "{folder}");
        for (line, signal) in lines.iter().zip(&signals) {
            assert_eq!(signal.client.word(), *client, "{folder}: {line}");
            assert!(signal.session.is_some() && signal.cwd.is_some(), "{folder}: {line}");
            // The name on the command line changes nothing where the JSON tells enough.
            assert_eq!(told(client, line["event"].as_str(), line).happened, signal.happened);
            says_what_was_said(signal, line);
        }
    }
}

/// The words of the recorded sessions, without the context that was given to the agent.
fn says_what_was_said(signal: &Signal, line: &Value) {
    const ASKED: [&str; 7] = [
        "\"What is up?\"",
        "What did we decide about sqlite?",
        "\"What did we decide about sqlite?\"",
        "hello there",
        "\"hello there\"",
        "And the busy timeout?",
        "And which busy timeout?",
    ];
    match &signal.happened {
        Happened::Prompt { text } if signal.client == Client::Qwen && text.is_empty() => {}
        Happened::Prompt { text } => assert!(ASKED.contains(&text.as_str()), "{text}: {line}"),
        Happened::Reply { text: Some(text) } => assert!(text.starts_with("Decision recorded: "), "{line}"),
        // These two leave the words to the transcript.
        Happened::Reply { text: None } => {
            let silent = [Client::CopilotCli, Client::OpenCode].contains(&signal.client);
            assert!(silent, "{line}");
        }
        Happened::Tool(call) => {
            assert_eq!(call.command.as_deref(), Some("cat greeting.txt"), "{line}");
            assert!(!call.name.is_empty() && (signal.call.is_some() || signal.at.is_some()), "{line}");
        }
        Happened::Compacted { summary } => assert!(summary.is_some(), "{line}"),
        Happened::Started { source }
            if signal.client != Client::Cline && signal.client != Client::OpenCode =>
        {
            assert!(source.is_some(), "{line}");
        }
        _ => {}
    }
}

#[test]
fn every_line_of_the_recorded_plugin_is_the_right_event() {
    let Some(lines) = recording("opencode") else { return };
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for line in &lines {
        let signal = told("opencode", None, line);
        let expect = match line["event"].as_str().unwrap() {
            "event:session.created" => "started",
            "chat.message" => "prompt",
            "tool.execute.after" => "tool",
            "event:session.idle" => "reply",
            _ => "passing",
        };
        assert_eq!(signal.happened.word(), expect, "{line}");
        assert!(expect == "passing" || signal.session.is_some(), "{line}");
        says_what_was_said(&signal, line);
        *counts.entry(expect).or_default() += 1;
    }
    let expect = [("passing", 262), ("prompt", 4), ("reply", 4), ("started", 4), ("tool", 4)];
    assert_eq!(counts, BTreeMap::from(expect));
}

/// What a recorded line says, in the environment that was recorded with it.
fn told(client: &str, event: Option<&str>, line: &Value) -> Signal {
    let bytes = line.get("stdin").unwrap_or(line).to_string();
    let environment = |name: &str| Some(line["env"].get(name)?.as_str()?.to_owned());
    let named = Client::of_word(client).unwrap();
    read(Call { named, event, bytes: bytes.as_bytes() }, &environment).unwrap()
}

fn recording(folder: &str) -> Option<Vec<Value>> {
    let place = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/golden/hooks");
    let Ok(text) = std::fs::read_to_string(place.join(folder).join("events.jsonl")) else {
        eprintln!("skipped: the recordings of hooks are not here");
        return None;
    };
    Some(text.lines().map(|line| serde_json::from_str(line).unwrap()).collect())
}
