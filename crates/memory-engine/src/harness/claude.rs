//! Claude Code's session files.
//!
//! Only `user` and `assistant` records are read. Others hold copies of whole requests with vendor text and with what
//! hooks put in, also under `message.role`. Words that a person queued while the agent worked stand in an attachment.

use memory_core::session::inside_block;
use serde_json::Value;

use super::blocks::Content;
use super::record::{is_true, list, name, text, time};
use super::said::{Facts, Growth, Part, Said};

/// Tags in which the client tells the model what was not said to it.
pub(super) const TAGS: &[&str] = &[
    "command-name",
    "command-message",
    "command-args",
    "command-contents",
    "local-command-stdout",
    "local-command-stderr",
    "local-command-caveat",
    "bash-input",
    "bash-stdout",
    "bash-stderr",
    "task-notification",
    "teammate-message",
    "ide_opened_file",
    "ide_selection",
    "ide_diagnostics",
    "persisted-output",
    "user-prompt-submit-hook",
];

/// Flags of records that nobody typed and no agent answered.
const META: [&str; 5] =
    ["/isMeta", "/isSidechain", "/isCompactSummary", "/isVisibleInTranscriptOnly", "/isApiErrorMessage"];

const INTERRUPTED: &str = "[Request interrupted by user";

/// What the client tells the model when a person turns a call down, up to their words.
const REFUSED: (&str, &str) = ("The user doesn't want to proceed with this tool use.", "the user said:");

/// Tools that give back nobody's text, so that only the client can have told that a call was turned down.
const OWN: &[&str] = &["Edit", "MultiEdit", "Write", "NotebookEdit", "ExitPlanMode", "AskUserQuestion"];

/// Commands of the client itself, whose arguments are no words to anybody.
const COMMANDS: &[&str] = &[
    "add-dir",
    "agents",
    "bug",
    "clear",
    "compact",
    "config",
    "context",
    "cost",
    "doctor",
    "effort",
    "exit",
    "export",
    "fast",
    "help",
    "hooks",
    "ide",
    "init",
    "login",
    "logout",
    "mcp",
    "memory",
    "model",
    "output-style",
    "permissions",
    "plugin",
    "quit",
    "rename",
    "resume",
    "rewind",
    "sandbox",
    "skills",
    "status",
    "statusline",
    "tasks",
    "terminal-setup",
    "theme",
    "usage",
    "vim",
];

/// What a record says.
pub(super) fn read(record: &Value, out: &mut Vec<Said>) {
    let kind = record.get("type").and_then(Value::as_str).unwrap_or_default();
    if META.iter().any(|flag| is_true(record, flag)) {
        return;
    }
    if matches!(kind, "user" | "assistant" | "attachment") {
        let (session, cwd) = (name(record, "/sessionId"), text(record, "/cwd"));
        out.push(Said::Facts(Facts { session, cwd, ..Facts::default() }));
    }
    match kind {
        "user" => user(record, out),
        "assistant" => assistant(record, out),
        "attachment" => queued(record, out),
        "system" => out.push(Said::Close),
        _ => {}
    }
}

fn user(record: &Value, out: &mut Vec<Said>) {
    let mut content = Content::of(record.pointer("/message/content").unwrap_or(&Value::Null));
    let part = |texts: Vec<String>| {
        let (turn, at) = (name(record, "/uuid"), time(record, "/timestamp"));
        Part { turn, texts, at, ..Part::default() }
    };
    // The words of a person may stand beside the result of a tool, but not where they are its result.
    let is_result = content.outcomes.is_empty() && record.get("toolUseResult").is_some();
    let refused = refusal(record);
    if let Some((call, words)) = refused {
        let is_sure = text(record, "/toolUseResult").as_deref() == Some("User rejected tool use");
        let of: Option<&[&str]> = if is_sure { None } else { Some(OWN) };
        out.push(Said::Refused { call, of, part: part(vec![words]) });
    } else {
        out.append(&mut content.outcomes);
    }
    content.texts.retain(|text| !text.starts_with(INTERRUPTED));
    let mut texts: Vec<String> =
        content.texts.iter().map(|text| arguments(text).unwrap_or(text.clone())).collect();
    texts.retain(|text| !text.is_empty());
    if !is_result && !texts.is_empty() {
        out.push(Said::Human(part(texts)));
    }
}

/// The call that a person turned down, and what they said to that.
fn refusal(record: &Value) -> Option<(String, String)> {
    let result = list(record, "/message/content")
        .iter()
        .find(|block| text(block, "/type").as_deref() == Some("tool_result"))?;
    let told = Content::of(result.get("content")?).texts.concat();
    let words = told.strip_prefix(REFUSED.0)?.split_once(REFUSED.1)?.1.trim();
    Some((name(result, "/tool_use_id")?, words.to_owned()))
        .filter(|_| is_true(result, "/is_error") && !words.is_empty())
}

/// What a person typed behind a command of their own; `None` where the text is no command.
fn arguments(text: &str) -> Option<String> {
    if !text.trim_start().starts_with("<command-") {
        return None;
    }
    let command = inside_block(text, "command-name")?.trim().trim_start_matches('/');
    let words = inside_block(text, "command-args").unwrap_or_default().trim();
    Some(if COMMANDS.contains(&command) { String::new() } else { words.to_owned() })
}

fn assistant(record: &Value, out: &mut Vec<Said>) {
    let model = text(record, "/message/model");
    if model.as_deref() == Some("<synthetic>") {
        return;
    }
    let content = Content::of(record.pointer("/message/content").unwrap_or(&Value::Null));
    if content.texts.is_empty() && content.calls.is_empty() {
        return;
    }
    out.push(Said::Agent(Part {
        turn: name(record, "/message/id").or_else(|| name(record, "/uuid")),
        texts: content.texts,
        at: time(record, "/timestamp"),
        model,
        calls: content.calls,
        growth: Growth::Adds,
    }));
    let ending = record.pointer("/message/stop_reason").and_then(Value::as_str);
    if matches!(ending, Some("end_turn" | "stop_sequence" | "max_tokens" | "refusal")) {
        out.push(Said::Close);
    }
}

/// What a person typed while the agent was busy.
fn queued(record: &Value, out: &mut Vec<Said>) {
    let is_prompt = text(record, "/attachment/type").as_deref() == Some("queued_command")
        && matches!(text(record, "/attachment/commandMode").as_deref(), None | Some("prompt"));
    if is_prompt && let Some(prompt) = record.pointer("/attachment/prompt") {
        let (turn, at) = (name(record, "/uuid"), time(record, "/timestamp"));
        let texts = Content::of(prompt).texts;
        out.push(Said::Human(Part { turn, texts, at, ..Part::default() }));
    }
}
