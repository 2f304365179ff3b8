//! An export of ChatGPT: conversations as trees of messages, of which one path is the conversation as it stands.

use std::collections::HashSet;

use memory_core::session::{Message, Role};
use serde_json::Value;

use super::chats::{self, Chat, message, reads_strangers};
use super::{Context, Hear};
use crate::error::Result;
use crate::harness::record::{is_true, list, name, time};

pub(super) fn read(context: &Context<'_>, hear: &mut dyn Hear) -> Result<()> {
    chats::read(context, hear, &chat)
}

fn chat(value: &Value) -> std::result::Result<Chat, String> {
    let mapping = value.get("mapping").and_then(Value::as_object).ok_or("it has no `mapping` of messages")?;
    let at = time(value, "/update_time").or_else(|| time(value, "/create_time"));
    let id = ["/conversation_id", "/id"].iter().find_map(|field| name(value, field)).unwrap_or_default();
    // Without the node that is current, the newest message is where the conversation ends.
    let newest = || {
        let timed = mapping.iter().filter_map(|(id, node)| Some((time(node, "/message/create_time")?, id)));
        timed.max().map(|(_, id)| id.as_str())
    };
    let mut node = value.get("current_node").and_then(Value::as_str).or_else(newest);
    let mut seen = HashSet::new();
    let mut path = Vec::new();
    while let Some(at) = node.filter(|at| seen.insert(*at)) {
        let Some(found) = mapping.get(at) else { break };
        path.extend(found.get("message").filter(|message| message.is_object()));
        node = found.get("parent").and_then(Value::as_str);
    }
    let mut messages: Vec<Message> = Vec::new();
    for said in path.into_iter().rev() {
        take(said, &mut messages);
    }
    Ok(Chat { id, at, messages })
}

fn take(said: &Value, messages: &mut Vec<Message>) {
    let role = match said.pointer("/author/role").and_then(Value::as_str) {
        Some("user") => Role::User,
        Some("assistant") => Role::Agent,
        Some("tool") => {
            // What a tool gave is never read, but it was read by the agent.
            let tool = name(said, "/author/name").unwrap_or_default();
            let mut called = Message::new(Role::Agent, "");
            reads_strangers(&mut called, &tool);
            return messages.push(called);
        }
        _ => return,
    };
    let to = said.get("recipient").and_then(Value::as_str).unwrap_or("all");
    if to != "all" || is_true(said, "/metadata/is_visually_hidden_from_conversation") {
        return;
    }
    let sort = said.pointer("/content/content_type").and_then(Value::as_str).unwrap_or("text");
    if !matches!(sort, "text" | "multimodal_text") {
        return;
    }
    // What was said aloud stands in a part of its own, beside the sound.
    let spoken = |part: &'_ Value| {
        let is_spoken = part.get("content_type").and_then(Value::as_str) == Some("audio_transcription");
        name(part, "/text").filter(|_| is_spoken)
    };
    let texts: Vec<String> = list(said, "/content/parts")
        .iter()
        .filter_map(|part| part.as_str().map(str::to_owned).or_else(|| spoken(part)))
        .collect();
    let text = texts.join("\n");
    if !text.trim().is_empty() {
        let turn = said.get("id").and_then(Value::as_str);
        messages.push(message(role, &text, time(said, "/create_time"), turn));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(json: &str, expect: &[(&str, &str)]) {
        let chat = chat(&serde_json::from_str(json).unwrap()).unwrap();
        let got: Vec<(&str, &str)> =
            chat.messages.iter().map(|message| (message.role.word(), message.text.as_str())).collect();
        assert_eq!(got, expect, "{json}");
    }

    fn node(id: &str, parent: &str, role: &str, text: &str) -> String {
        format!(
            r#""{id}":{{"parent":"{parent}","message":{{"id":"{id}","author":{{"role":"{role}"}},"create_time":{},"content":{{"content_type":"text","parts":["{text}"]}}}}}}"#,
            id.len()
        )
    }

    #[test]
    fn the_path_to_the_current_node_is_the_conversation() {
        let nodes = [
            r#""r":{"parent":null,"message":null}"#.to_owned(),
            node("a", "r", "user", "Hello"),
            node("bb", "a", "assistant", "An old answer"),
            node("ccc", "a", "assistant", "A new answer"),
        ]
        .join(",");
        let now = format!(r#"{{"id":"x","current_node":"ccc","mapping":{{{nodes}}}}}"#);
        check(&now, &[("user", "Hello"), ("agent", "A new answer")]);
        let without = format!(r#"{{"mapping":{{{nodes}}}}}"#);
        check(&without, &[("user", "Hello"), ("agent", "A new answer")]);
        let gone = format!(r#"{{"current_node":"nowhere","mapping":{{{nodes}}}}}"#);
        check(&gone, &[]);
    }

    #[test]
    fn what_was_said_aloud_counts_too() {
        let spoken = node("a", "", "user", "x").replace(
            r#""content_type":"text","parts":["x"]"#,
            r#""content_type":"multimodal_text","parts":[{"content_type":"audio_transcription","text":"Use tabs"},{"content_type":"real_time_user_audio_video_asset_pointer","text":"no"}]"#,
        );
        check(&format!(r#"{{"current_node":"a","mapping":{{{spoken}}}}}"#), &[("user", "Use tabs")]);
    }

    #[test]
    fn a_circle_ends() {
        let nodes = [node("a", "bb", "user", "Hello"), node("bb", "a", "assistant", "Hi")].join(",");
        check(
            &format!(r#"{{"current_node":"bb","mapping":{{{nodes}}}}}"#),
            &[("user", "Hello"), ("agent", "Hi")],
        );
    }

    #[test]
    fn only_what_people_and_the_agent_said_is_read() {
        let hidden = node("a", "", "user", "Hidden").replace(
            r#""content":"#,
            r#""metadata":{"is_visually_hidden_from_conversation":true},"content":"#,
        );
        check(&format!(r#"{{"current_node":"a","mapping":{{{hidden}}}}}"#), &[]);
        let to_tool = node("a", "", "assistant", "search(x)")
            .replace(r#""content":"#, r#""recipient":"web","content":"#);
        check(&format!(r#"{{"current_node":"a","mapping":{{{to_tool}}}}}"#), &[]);
        let system = node("a", "", "system", "You are");
        check(&format!(r#"{{"current_node":"a","mapping":{{{system}}}}}"#), &[]);
        assert!(chat(&serde_json::json!({ "title": "x" })).is_err());
    }
}
