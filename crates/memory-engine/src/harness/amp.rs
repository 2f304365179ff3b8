//! Amp's threads: one JSON file each.

use serde_json::Value;

use super::blocks::Content;
use super::record::{list, name, text, time};
use super::said::{Facts, Growth, Part, Said};
use super::tools::local_path;
use super::whole::{Element, Whole};

/// What a thread holds.
pub(super) fn read(bytes: &[u8]) -> Option<Whole> {
    let file: Value = super::record::value(bytes).ok()??;
    file.get("messages")?.as_array()?;
    let trees = list(&file, "/env/initial/trees").iter().filter_map(|tree| text(tree, "/uri"));
    let mut beside: Vec<String> = trees.map(|uri| local_path(&uri)).collect();
    let cwd = (!beside.is_empty()).then(|| beside.remove(0));
    let elements = list(&file, "/messages").iter().map(element).collect();
    Some(Whole {
        facts: Facts { session: name(&file, "/id"), cwd, beside, model: None },
        aside: false,
        elements,
    })
}

fn element(message: &Value) -> Element {
    let mut content = Content::of(message.get("content").unwrap_or(&Value::Null));
    let turn = name(message, "/messageId");
    let mut said = Vec::new();
    match message.get("role").and_then(Value::as_str) {
        Some("user") if content.outcomes.is_empty() => {
            let at = time(message, "/meta/sentAt");
            said.push(Said::Human(Part { turn: turn.clone(), texts: content.texts, at, ..Part::default() }));
        }
        Some("user") => said.append(&mut content.outcomes),
        Some("assistant") => {
            said.push(Said::Agent(Part {
                turn: turn.clone(),
                texts: content.texts,
                at: time(message, "/usage/timestamp"),
                model: text(message, "/usage/model"),
                calls: content.calls,
                growth: Growth::Adds,
            }));
            if text(message, "/state/stopReason").is_some_and(|reason| reason != "tool_use") {
                said.push(Said::Close);
            }
        }
        _ => {}
    }
    Element::new(turn, said)
}
