//! Cline's sessions: a JSON file of messages beside a manifest, and the older history of the extension.

use serde_json::Value;

use super::blocks::Content;
use super::record::{name, text, time};
use super::said::{Facts, Growth, Part, Said};
use super::whole::{Element, Whole};

/// Tags of what stands beside the words of a person.
pub(super) const TAGS: &[&str] =
    &["hook_context", "environment_details", "file_content", "folder_content", "explicit_instructions"];

/// Tags around the words of a person.
pub(super) const WORDS: &[&str] = &["user_input", "task", "user_message", "feedback", "answer"];

/// What a session holds.
pub(super) fn read(bytes: &[u8]) -> Option<Whole> {
    let file: Value = super::record::value(bytes).ok()??;
    let messages = file.get("messages").unwrap_or(&file).as_array()?;
    let elements = messages.iter().map(element).collect();
    let facts = Facts { session: name(&file, "/sessionId"), ..Facts::default() };
    let aside = text(&file, "/agent").is_some_and(|agent| agent != "lead");
    Some(Whole { facts, aside, elements })
}

fn element(message: &Value) -> Element {
    let mut content = Content::of(message.get("content").unwrap_or(&Value::Null));
    let turn = name(message, "/id");
    let at = time(message, "/ts");
    let mut said = Vec::new();
    let is_shown_as_system = text(message, "/metadata/displayRole").as_deref() == Some("system");
    match message.get("role").and_then(Value::as_str) {
        Some("user") if !content.outcomes.is_empty() => said.append(&mut content.outcomes),
        Some("user") if is_shown_as_system => {}
        Some("user") => {
            said.push(Said::Human(Part { turn: turn.clone(), texts: content.texts, at, ..Part::default() }));
        }
        Some("assistant") => said.push(Said::Agent(Part {
            turn: turn.clone(),
            texts: content.texts,
            at,
            model: text(message, "/modelInfo/id").or_else(|| text(message, "/modelInfo/modelId")),
            calls: content.calls,
            growth: Growth::Adds,
        })),
        _ => {}
    }
    Element::new(turn, said)
}
