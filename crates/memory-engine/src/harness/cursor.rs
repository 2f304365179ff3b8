//! Cursor's transcripts: today's lines with a role and blocks, and the older ones with `type` 1 and 2.
//!
//! They hold no times, names, folders or results of tools, so each line is one message.

use serde_json::Value;

use super::blocks::Content;
use super::record::{name, time};
use super::said::{Part, Said};

/// Tags of what stands beside the words of a person.
pub(super) const TAGS: &[&str] =
    &["timestamp", "attached_files", "open_and_recently_viewed_files", "user_info", "rules", "hook_context"];

/// What the client writes where it left something out.
const REDACTED: &str = "[REDACTED]";

/// What a record says.
pub(super) fn read(record: &Value, out: &mut Vec<Said>) {
    let role = match (record.get("role").and_then(Value::as_str), record.get("type")) {
        (Some(role), _) => role,
        (None, Some(Value::Number(kind))) if kind.as_i64() == Some(1) => "user",
        (None, Some(Value::Number(kind))) if kind.as_i64() == Some(2) => "assistant",
        _ => return,
    };
    let holders = ["/message/content", "/message/text", "/message", "/content", "/text"];
    let content = holders.iter().filter_map(|holder| record.pointer(holder)).find(|it| !it.is_object());
    let content = Content::of(content.unwrap_or(&Value::Null));
    let calls = content.calls_without_end();
    let turn = name(record, "/bubbleId").or_else(|| name(record, "/id"));
    let at = time(record, "/createdAt").or_else(|| time(record, "/timestamp"));
    let part = Part { turn, at, ..Part::default() };
    match role {
        "user" => out.push(Said::Human(Part { texts: content.texts, ..part })),
        "assistant" => {
            let texts = content.texts.iter().map(|text| text.replace(REDACTED, "")).collect();
            out.push(Said::Agent(Part { texts, calls, ..part }));
        }
        _ => {}
    }
}
