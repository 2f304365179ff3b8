//! Claude Code's session files.
//!
//! Only `user` and `assistant` records are read. Others hold copies of whole requests with vendor text and with what
//! hooks put in, also under `message.role`. Words that a person queued while the agent worked stand in an attachment.

use serde_json::Value;

use super::blocks::Content;
use super::record::{is_true, name, text, time};
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

/// What a record says.
pub(super) fn read(record: &Value, out: &mut Vec<Said>) {
    let kind = record.get("type").and_then(Value::as_str).unwrap_or_default();
    if META.iter().any(|flag| is_true(record, flag)) {
        return;
    }
    if matches!(kind, "user" | "assistant" | "attachment") {
        let (session, cwd) = (name(record, "/sessionId"), text(record, "/cwd"));
        out.push(Said::Facts(Facts { session, cwd, model: None }));
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
    let is_result = !content.outcomes.is_empty() || record.get("toolUseResult").is_some();
    out.append(&mut content.outcomes);
    content.texts.retain(|text| !text.starts_with(INTERRUPTED));
    if !is_result && !content.texts.is_empty() {
        let (turn, at) = (name(record, "/uuid"), time(record, "/timestamp"));
        out.push(Said::Human(Part { turn, texts: content.texts, at, ..Part::default() }));
    }
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
