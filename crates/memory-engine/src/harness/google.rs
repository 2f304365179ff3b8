//! Gemini CLI's and Qwen Code's chats, which share their blocks.
//!
//! Gemini writes a message again under the same name whenever more of it is known; the last one counts. Its `$set`
//! replaces what the model sees, not what was said, so it is read only where the file begins with it.

use serde_json::Value;

use super::blocks::{Content, ended};
use super::record::{is_true, list, name, text, time};
use super::said::{Call, Facts, Growth, Part, Said};
use super::tools::tool;
use super::whole::{Element, Whole};

/// Tags that both clients put around what hooks and they themselves tell the model.
pub(super) const TAGS: &[&str] =
    &["hook_context", "session_context", "qwen:user-prompt-submit-context", "untrusted_context"];

/// What a record of Gemini says.
pub(super) fn gemini(record: &Value, out: &mut Vec<Said>) {
    if record.get("$rewindTo").is_some() {
        out.push(Said::Close);
    } else if let Some(set) = record.get("$set") {
        let history: Vec<Said> = list(set, "/messages").iter().filter_map(message).collect();
        if !history.is_empty() {
            out.push(Said::History(history));
        }
    } else if record.get("sessionId").is_some() && record.get("type").is_none() {
        out.push(Said::Facts(header(record)));
        if text(record, "/kind").is_some_and(|kind| kind != "main") {
            out.push(Said::Aside);
        }
    } else {
        out.extend(message(record));
    }
}

fn header(record: &Value) -> Facts {
    Facts { session: name(record, "/sessionId"), cwd: text(record, "/directories/0"), ..Facts::default() }
}

fn message(record: &Value) -> Option<Said> {
    let content = Content::of(record.get("content").unwrap_or(&Value::Null));
    let part = Part {
        turn: name(record, "/id"),
        at: time(record, "/timestamp"),
        model: text(record, "/model"),
        growth: Growth::Replaces,
        ..Part::default()
    };
    match record.get("type").and_then(Value::as_str)? {
        "user" if content.outcomes.is_empty() => Some(Said::Human(Part { texts: content.texts, ..part })),
        "gemini" | "model" => {
            let calls = list(record, "/toolCalls").iter().filter_map(tool_call).collect();
            Some(Said::Agent(Part { texts: content.texts, calls, ..part }))
        }
        _ => None,
    }
}

fn tool_call(call: &Value) -> Option<Call> {
    let failed = match call.get("status").and_then(Value::as_str) {
        Some("success") => Some(false),
        Some("error" | "cancelled") => Some(true),
        _ => None,
    };
    Some(ended(tool(&text(call, "/name")?, call.get("args").unwrap_or(&Value::Null)), failed))
}

/// The older form of both: one JSON file a session.
pub(super) fn chat(file: &Value) -> Option<Whole> {
    let messages = file.get("messages").and_then(Value::as_array)?;
    let elements = messages
        .iter()
        .map(|record| Element::new(name(record, "/id"), message(record).into_iter().collect()));
    Some(Whole { facts: header(file), aside: false, elements: elements.collect() })
}

/// What a record of Qwen Code says.
pub(super) fn qwen(record: &Value, out: &mut Vec<Said>) {
    if is_true(record, "/isSidechain") {
        return;
    }
    let kind = record.get("type").and_then(Value::as_str).unwrap_or_default();
    let is_known = matches!(kind, "user" | "assistant" | "tool_result");
    if is_known {
        let (session, cwd) = (name(record, "/sessionId"), text(record, "/cwd"));
        out.push(Said::Facts(Facts { session, cwd, ..Facts::default() }));
    }
    let mut content = Content::of(record.pointer("/message/parts").unwrap_or(&Value::Null));
    let part = Part {
        turn: name(record, "/uuid"),
        at: time(record, "/timestamp"),
        model: text(record, "/model"),
        ..Part::default()
    };
    match kind {
        "user" if matches!(text(record, "/provenance").as_deref(), None | Some("real_user")) => {
            out.push(Said::Human(Part { texts: content.texts, ..part }));
        }
        "assistant" => {
            out.push(Said::Agent(Part { texts: content.texts, calls: content.calls, ..part }));
        }
        "tool_result" => match name(record, "/toolCallResult/callId") {
            Some(call) => {
                let failed = text(record, "/toolCallResult/status").is_some_and(|status| status != "success");
                out.push(Said::Outcome { call, failed });
            }
            None => out.append(&mut content.outcomes),
        },
        _ => {}
    }
}
