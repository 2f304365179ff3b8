//! Factory Droid's session files: messages in the form of their model's interface.

use serde_json::Value;

use super::blocks::Content;
use super::record::{name, text, time};
use super::said::{Facts, Part, Said};

/// What a record says.
pub(super) fn read(record: &Value, out: &mut Vec<Said>) {
    match record.get("type").and_then(Value::as_str) {
        Some("session_start") => {
            let (session, cwd) = (name(record, "/id"), text(record, "/cwd"));
            out.push(Said::Facts(Facts { session, cwd, ..Facts::default() }));
        }
        Some("message") => message(record, out),
        _ => {}
    }
}

fn message(record: &Value, out: &mut Vec<Said>) {
    let mut content = Content::of(record.pointer("/message/content").unwrap_or(&Value::Null));
    let part = Part { turn: name(record, "/id"), at: time(record, "/timestamp"), ..Part::default() };
    match record.pointer("/message/role").and_then(Value::as_str) {
        Some("user") if content.outcomes.is_empty() => {
            // Files that the person named are attached as texts of their own.
            let is_attached = |text: &String| text.starts_with("Contents of ") && text.contains(" (lines ");
            content.texts.retain(|text| !is_attached(text));
            out.push(Said::Human(Part { texts: content.texts, ..part }));
        }
        Some("user") => out.append(&mut content.outcomes),
        Some("assistant") => {
            out.push(Said::Agent(Part { texts: content.texts, calls: content.calls, ..part }));
        }
        _ => {}
    }
}
