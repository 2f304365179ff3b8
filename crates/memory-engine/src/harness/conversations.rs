//! `conversations/<agent>.json` of a memory root: what a host saved of its own chats.
//!
//! Messages marked `internal` were never meant for anybody's memory.

use memory_core::time::Time;
use serde_json::Value;

use super::blocks::Content;
use super::record::{is_true, name, text, time};
use super::said::{Facts, Growth, Part, Said};
use super::whole::{Element, Whole};

/// What a conversation holds.
pub(super) fn read(bytes: &[u8]) -> Option<Whole> {
    let file: Value = super::record::value(bytes).ok()??;
    let messages = file.get("messages").unwrap_or(&file).as_array()?;
    let saved = time(&file, "/savedAt");
    let elements = messages.iter().map(|message| element(message, saved)).collect();
    let session = name(&file, "/sessionId").or_else(|| name(&file, "/chatId"));
    let model = text(&file, "/modelId");
    Some(Whole { facts: Facts { session, model, ..Facts::default() }, aside: false, elements })
}

fn element(message: &Value, saved: Option<Time>) -> Element {
    let turn = name(message, "/id");
    if is_true(message, "/internal") {
        return Element::new(turn, Vec::new());
    }
    let holder = ["text", "content"].iter().find_map(|key| message.get(key));
    let texts = Content::of(holder.unwrap_or(&Value::Null)).texts;
    let at = ["/at", "/timestamp", "/createdAt", "/ts"].iter().find_map(|key| time(message, key)).or(saved);
    let part = Part { turn: turn.clone(), texts, at, ..Part::default() };
    let said = match message.get("role").and_then(Value::as_str) {
        Some("user") => vec![Said::Human(part)],
        // The host saves while the agent still speaks, so the last message may grow.
        Some("agent" | "assistant") => {
            vec![Said::Close, Said::Agent(Part { growth: Growth::Adds, ..part })]
        }
        _ => Vec::new(),
    };
    Element::new(turn, said)
}
