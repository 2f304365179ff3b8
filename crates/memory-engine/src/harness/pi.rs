//! Pi's session files: a tree of entries of which the messages are read.

use serde_json::Value;

use super::blocks::Content;
use super::record::{is_true, name, text, time};
use super::said::{Facts, Part, Said};

/// What a record says.
pub(super) fn read(record: &Value, out: &mut Vec<Said>) {
    match record.get("type").and_then(Value::as_str) {
        Some("session") => {
            let (session, cwd) = (name(record, "/id"), text(record, "/cwd"));
            out.push(Said::Facts(Facts { session, cwd, ..Facts::default() }));
        }
        Some("model_change") => {
            out.push(Said::Facts(Facts { model: text(record, "/modelId"), ..Facts::default() }));
        }
        Some("message") => message(record, out),
        _ => {}
    }
}

fn message(record: &Value, out: &mut Vec<Said>) {
    let said = record.get("message").unwrap_or(&Value::Null);
    let content = Content::of(said.get("content").unwrap_or(&Value::Null));
    let part = Part {
        turn: name(record, "/id"),
        at: time(record, "/timestamp"),
        model: text(said, "/model"),
        ..Part::default()
    };
    match said.get("role").and_then(Value::as_str) {
        Some("user") => out.push(Said::Human(Part { texts: content.texts, ..part })),
        Some("assistant") => {
            out.push(Said::Agent(Part { texts: content.texts, calls: content.calls, ..part }));
        }
        Some("toolResult") => {
            let failed = is_true(said, "/isError");
            out.extend(name(said, "/toolCallId").map(|call| Said::Outcome { call, failed }));
        }
        _ => {}
    }
}
