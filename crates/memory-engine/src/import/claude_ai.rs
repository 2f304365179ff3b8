//! An export of Claude: conversations as lists of messages with blocks of content.

use memory_core::session::{Message, Role};
use serde_json::Value;

use super::chats::{self, Chat, message, reads_strangers};
use super::{Context, Hear};
use crate::error::Result;
use crate::harness::record::{list, name, time};

pub(super) fn read(context: &Context<'_>, hear: &mut dyn Hear) -> Result<()> {
    chats::read(context, hear, &chat)
}

fn chat(value: &Value) -> std::result::Result<Chat, String> {
    let said = value.get("chat_messages").and_then(Value::as_array).ok_or("it has no `chat_messages`")?;
    let at = time(value, "/updated_at").or_else(|| time(value, "/created_at"));
    let messages = said.iter().filter_map(one).collect();
    Ok(Chat { id: name(value, "/uuid").unwrap_or_default(), at, messages })
}

fn one(said: &Value) -> Option<Message> {
    let role = match said.get("sender").and_then(Value::as_str)? {
        "human" => Role::User,
        "assistant" => Role::Agent,
        _ => return None,
    };
    let blocks = list(said, "/content");
    let of_sort = |sort: &'static str| {
        blocks.iter().filter(move |block| block.get("type").and_then(Value::as_str) == Some(sort))
    };
    let texts: Vec<&str> =
        of_sort("text").filter_map(|block| block.get("text").and_then(Value::as_str)).collect();
    let text = match texts.as_slice() {
        // Older exports have the text alone.
        [] if blocks.is_empty() => said.get("text").and_then(Value::as_str).unwrap_or_default().to_owned(),
        texts => texts.join("\n"),
    };
    let turn = said.get("uuid").and_then(Value::as_str);
    let mut message = message(role, &text, time(said, "/created_at"), turn);
    for block in of_sort("tool_use") {
        reads_strangers(&mut message, block.get("name").and_then(Value::as_str).unwrap_or_default());
    }
    let is_empty = message.text.trim().is_empty() && message.tools.is_empty();
    (!is_empty).then_some(message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_of_a_conversation() {
        let check = |message: &str, expect: Option<(&str, usize)>| {
            let json = format!(r#"{{"uuid":"c1","chat_messages":[{message}]}}"#);
            let chat = chat(&serde_json::from_str(&json).unwrap()).unwrap();
            let got = chat.messages.first().map(|message| (message.text.as_str(), message.tools.len()));
            assert_eq!(got, expect, "{message}");
        };
        check(r#"{"sender":"human","text":"Hello","created_at":"2026-01-02T03:04:05Z"}"#, Some(("Hello", 0)));
        check(
            r#"{"sender":"assistant","text":"x","content":[{"type":"text","text":"A"},{"type":"thinking","thinking":"no"},{"type":"text","text":"B"}]}"#,
            Some(("A\nB", 0)),
        );
        check(
            r#"{"sender":"assistant","content":[{"type":"tool_use","name":"web_search"},{"type":"tool_result","content":"strangers"}]}"#,
            Some(("", 1)),
        );
        check(r#"{"sender":"system","text":"x"}"#, None);
        check(r#"{"sender":"human","text":" "}"#, None);
        check("7", None);
        assert!(chat(&serde_json::json!({ "mapping": {} })).is_err());
    }
}
