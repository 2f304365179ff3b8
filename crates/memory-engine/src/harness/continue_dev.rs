//! Continue's sessions: one JSON file each, with tool calls beside the message that made them.

use serde_json::Value;

use super::blocks::{Content, ended};
use super::record::{list, name, text};
use super::said::{Call, Facts, Growth, Part, Said};
use super::tools::{local_path, tool};
use super::whole::{Element, Whole};

/// What a session holds.
pub(super) fn read(bytes: &[u8]) -> Option<Whole> {
    let file: Value = super::record::value(bytes).ok()??;
    file.get("history")?.as_array()?;
    let cwd = text(&file, "/workspaceDirectory").map(|folder| local_path(&folder));
    let facts = Facts {
        session: name(&file, "/sessionId"),
        cwd,
        model: text(&file, "/chatModelTitle"),
        ..Facts::default()
    };
    let elements = list(&file, "/history").iter().map(element).collect();
    Some(Whole { facts, aside: false, elements })
}

fn element(item: &Value) -> Element {
    let message = item.get("message").unwrap_or(&Value::Null);
    let content = Content::of(message.get("content").unwrap_or(&Value::Null));
    let turn = name(message, "/id");
    let part = Part { turn: turn.clone(), texts: content.texts, ..Part::default() };
    let said = match message.get("role").and_then(Value::as_str) {
        Some("user") => vec![Said::Human(part)],
        Some("assistant") => {
            let states = list(item, "/toolCallStates");
            let calls = list(message, "/toolCalls").iter().filter_map(|call| called(call, states)).collect();
            vec![Said::Close, Said::Agent(Part { calls, growth: Growth::Adds, ..part })]
        }
        _ => Vec::new(),
    };
    Element::new(turn, said)
}

fn called(call: &Value, states: &[Value]) -> Option<Call> {
    let id = name(call, "/id");
    let state = states.iter().find(|state| name(state, "/toolCallId") == id);
    let failed = match state.and_then(|state| state.get("status")).and_then(Value::as_str) {
        Some("done") => Some(false),
        Some("errored" | "canceled") => Some(true),
        _ => None,
    };
    let arguments = call.pointer("/function/arguments").unwrap_or(&Value::Null);
    Some(ended(tool(&text(call, "/function/name")?, arguments), failed))
}
