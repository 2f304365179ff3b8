//! The words in which a client takes context from a hook: the wrong shape is silence, or an error on a person's screen.
//!
//! What stands in no row gets nothing, above all the end of a turn: context there makes Claude Code go on for ever.

use memory_core::session::Client;
use serde_json::{Value, json};

use super::{Happened, Signal};

/// A form that context is given in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    /// Inside `hookSpecificOutput`, with the name of the event and no other key; Codex refuses any other.
    Nested,
    /// `additionalContext` at the top.
    Flat,
    /// `additional_context` at the top.
    Snake,
    /// `contextModification`, with the two keys that Cline expects beside it.
    Modification,
    /// A message that is not shown.
    Message,
}

use Form::{Flat, Message, Modification, Nested, Snake};

/// Where each client takes context, and how.
const FORMS: &[(Client, Form, &[&str])] = &[
    (
        Client::ClaudeCode,
        Nested,
        &["SessionStart", "UserPromptSubmit", "SubagentStart", "PreToolUse", "PostToolUse"],
    ),
    (
        Client::Codex,
        Nested,
        &["SessionStart", "UserPromptSubmit", "SubagentStart", "PreToolUse", "PostToolUse"],
    ),
    (Client::Gemini, Nested, &["SessionStart", "BeforeAgent", "AfterTool"]),
    (Client::Qwen, Nested, &["SessionStart", "UserPromptSubmit", "PostToolUse"]),
    (Client::CopilotVsCode, Nested, &["SessionStart", "SubagentStart", "PostToolUse"]),
    (
        Client::CopilotCli,
        Flat,
        &[
            "sessionStart",
            "userPromptSubmitted",
            "postToolUse",
            "SessionStart",
            "UserPromptSubmit",
            "PostToolUse",
        ],
    ),
    (
        Client::Cursor,
        Snake,
        &[
            "sessionStart",
            "beforeSubmitPrompt",
            "postToolUse",
            "postToolUseFailure",
            "SessionStart",
            "UserPromptSubmit",
            "PostToolUse",
        ],
    ),
    (
        Client::Cline,
        Modification,
        &[
            "TaskStart",
            "TaskResume",
            "UserPromptSubmit",
            "PreToolUse",
            "PostToolUse",
            "agent_start",
            "prompt_submit",
            "tool_call",
            "tool_result",
        ],
    ),
    (
        Client::OpenCode,
        Flat,
        &["chat.message", "experimental.chat.system.transform", "experimental.session.compacting"],
    ),
    (Client::Amp, Message, &["agent.start"]),
];

/// When context is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Opening {
    /// A session begins, or goes on after compaction.
    Start,
    /// A person says something.
    Prompt,
    /// A tool is used, in a client that takes context nowhere else: good for a session that has none yet.
    FirstTool,
}

/// Whether this is a moment at which the client takes context that we give; most take it at more moments than that.
pub fn opening(signal: &Signal) -> Option<Opening> {
    let event = signal.event.as_str();
    FORMS.iter().find(|row| row.0 == signal.client && row.2.contains(&event))?;
    // The command line of Cline drops what it is given when a task starts (its own names for events tell it apart from
    // the extension), but not what a tool's hook says.
    if signal.client == Client::Cline {
        match event {
            "agent_start" | "prompt_submit" => return None,
            "tool_call" | "tool_result" => return Some(Opening::FirstTool),
            _ => {}
        }
    }
    match &signal.happened {
        Happened::Started { .. } | Happened::Compacting => Some(Opening::Start),
        Happened::Prompt { text } if !text.is_empty() => Some(Opening::Prompt),
        _ => None,
    }
}

/// What to print so that the client of a signal takes this context: one line of ASCII, or nothing at all.
pub fn reply(signal: &Signal, context: Option<&str>) -> Option<String> {
    let text = context.filter(|text| !text.trim().is_empty())?;
    // Qwen asks again after each tool with an empty prompt; an answer to that makes its model loop.
    if matches!(&signal.happened, Happened::Prompt { text } if text.is_empty()) {
        return None;
    }
    let event = signal.event.as_str();
    let (_, form, _) = FORMS.iter().find(|row| row.0 == signal.client && row.2.contains(&event))?;
    Some(shaped(*form, event, text))
}

/// The same for the start of a session of a client, outside of a hook; `None` for a client that takes no context.
pub fn shape(client: Client, text: &str) -> Option<String> {
    let (_, form, events) = FORMS.iter().find(|row| row.0 == client)?;
    Some(shaped(*form, events.first()?, text))
}

fn shaped(form: Form, event: &str, text: &str) -> String {
    let value = match form {
        Nested => json!({"hookSpecificOutput": {"hookEventName": event, "additionalContext": text}}),
        Flat => json!({"additionalContext": text}),
        Snake => json!({"additional_context": text}),
        Modification => json!({"cancel": false, "contextModification": text, "errorMessage": ""}),
        Message => json!({"message": {"content": text, "display": false}}),
    };
    ascii(&value)
}

/// JSON in ASCII alone: consoles of Windows still garble everything else.
fn ascii(value: &Value) -> String {
    let json = value.to_string();
    let mut out = String::with_capacity(json.len() + 1);
    for c in json.chars() {
        if c.is_ascii() {
            out.push(c);
        } else {
            let mut units = [0; 2];
            c.encode_utf16(&mut units).iter().for_each(|unit| out.push_str(&format!("\\u{unit:04x}")));
        }
    }
    out
}
