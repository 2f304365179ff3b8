//! Anthropic Messages, whole and as a stream: what Claude Code speaks.
//!
//! Results of tools are parts of the user's messages here.

use serde_json::{Value, json};

use super::http::Reply;
use super::script::{Asked, Flow, Said, heard, tool};

pub(super) fn read(request: &Value) -> Asked {
    let mut asked = Asked {
        flow: Flow::of(request),
        model: request["model"].as_str().unwrap_or_default().to_owned(),
        ..Asked::default()
    };
    for message in request["messages"].as_array().into_iter().flatten() {
        if message["role"] == "user" {
            asked.heard.extend(heard(&message["content"]));
        }
    }
    let tools = request["tools"].as_array().into_iter().flatten();
    asked.tools = tools.filter_map(|it| tool(&it["name"], &it["input_schema"])).collect();
    asked
}

pub(super) fn write(asked: &Asked, said: &Said, number: usize) -> Reply {
    let (block, reason) = match said {
        Said::Text(text) => (json!({"type": "text", "text": text}), "end_turn"),
        Said::Call { name, arguments } => (
            json!({"type": "tool_use", "id": format!("toolu_{number:020}"), "name": name, "input": arguments}),
            "tool_use",
        ),
    };
    let mut message = json!({
        "id": format!("msg_{number:020}"), "type": "message", "role": "assistant", "model": asked.model,
        "content": [block.clone()], "stop_reason": reason, "stop_sequence": null,
        "usage": {
            "input_tokens": 1200, "output_tokens": 30,
            "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0,
        },
    });
    if asked.flow == Flow::Whole {
        return Reply::json(&message);
    }
    message["content"] = json!([]);
    message["stop_reason"] = Value::Null;
    let (begin, piece) = match said {
        Said::Text(text) => {
            (json!({"type": "text", "text": ""}), json!({"type": "text_delta", "text": text}))
        }
        Said::Call { arguments, .. } => {
            let mut begin = block;
            begin["input"] = json!({});
            (begin, json!({"type": "input_json_delta", "partial_json": arguments.to_string()}))
        }
    };
    let ended = json!({"stop_reason": reason, "stop_sequence": null});
    let events = [
        ("message_start", json!({"type": "message_start", "message": message})),
        ("content_block_start", json!({"type": "content_block_start", "index": 0, "content_block": begin})),
        ("content_block_delta", json!({"type": "content_block_delta", "index": 0, "delta": piece})),
        ("content_block_stop", json!({"type": "content_block_stop", "index": 0})),
        ("message_delta", json!({"type": "message_delta", "delta": ended, "usage": {"output_tokens": 30}})),
        ("message_stop", json!({"type": "message_stop"})),
    ];
    Reply::events(events.iter().map(|(name, event)| (Some(*name), event.to_string())))
}

#[cfg(test)]
mod tests {
    use super::super::script::Heard;
    use super::*;

    #[test]
    fn a_conversation() {
        let asked = read(&json!({
            "model": "m", "stream": true,
            "messages": [
                {"role": "user", "content": "one"},
                {"role": "assistant", "content": [{"type": "tool_use", "id": "a", "name": "Bash", "input": {}}]},
                {"role": "user", "content": [
                    {"type": "tool_result", "tool_use_id": "a", "content": "x"},
                    {"type": "text", "text": "two"},
                ]},
            ],
            "tools": [{"name": "Bash", "input_schema": {"properties": {"command": {}}}}, {"type": "web_search"}],
        }));
        let heard = [Heard::User("one".to_owned()), Heard::Result, Heard::User("two".to_owned())];
        assert_eq!((asked.heard.as_slice(), asked.tools.len()), (heard.as_slice(), 1));
        assert_eq!(asked.flow, Flow::Stream);
        let call = Said::Call { name: "Bash".to_owned(), arguments: json!({"command": "ls"}) };
        let reply = write(&asked, &call, 7).body;
        assert!(reply.starts_with("event: message_start\ndata: {") && reply.contains("\"partial_json\":\"{"));
        let whole = Asked { flow: Flow::Whole, ..asked };
        assert!(write(&whole, &call, 7).body.contains("\"input\":{\"command\":\"ls\"}"));
    }
}
