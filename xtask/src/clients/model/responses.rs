//! OpenAI Responses, whole and as a stream: what Codex speaks.
//!
//! A conversation is one list of items; whatever ends in `call_output` is the result of a tool.

use serde_json::{Value, json};

use super::http::Reply;
use super::script::{Asked, Flow, Heard, Said, heard, tool};

pub(super) fn read(request: &Value) -> Asked {
    let mut asked = Asked {
        flow: Flow::of(request),
        model: request["model"].as_str().unwrap_or_default().to_owned(),
        ..Asked::default()
    };
    // A lone prompt may stand as a string.
    asked.heard.extend(request["input"].as_str().map(|text| Heard::User(text.to_owned())));
    for item in request["input"].as_array().into_iter().flatten() {
        if item["type"].as_str().is_some_and(|kind| kind.ends_with("call_output")) {
            asked.heard.push(Heard::Result);
        } else if item["role"] == "user" {
            asked.heard.extend(heard(&item["content"]));
        }
    }
    let tools = request["tools"].as_array().into_iter().flatten();
    asked.tools = tools.filter_map(|it| tool(&it["name"], &it["parameters"])).collect();
    asked
}

pub(super) fn write(asked: &Asked, said: &Said, number: usize) -> Reply {
    let item = match said {
        Said::Text(text) => json!({
            "type": "message", "id": format!("msg_{number}"), "role": "assistant", "status": "completed",
            "content": [{"type": "output_text", "text": text, "annotations": []}],
        }),
        Said::Call { name, arguments } => json!({
            "type": "function_call", "id": format!("fc_{number}"), "call_id": format!("call_{number:08}"),
            "name": name, "arguments": arguments.to_string(), "status": "completed",
        }),
    };
    let response = |status: &str, output: Value| {
        json!({
            "id": format!("resp_{number:012}"), "object": "response", "status": status, "model": asked.model,
            "output": output,
            "usage": {
                "input_tokens": 1200, "input_tokens_details": {"cached_tokens": 0},
                "output_tokens": 30, "output_tokens_details": {"reasoning_tokens": 0}, "total_tokens": 1230,
            },
        })
    };
    let done = response("completed", json!([item.clone()]));
    if asked.flow == Flow::Whole {
        return Reply::json(&done);
    }
    let mut events = vec![
        json!({"type": "response.created", "response": response("in_progress", json!([]))}),
        json!({"type": "response.output_item.added", "output_index": 0, "item": item}),
    ];
    if let Said::Text(text) = said {
        events.push(json!({
            "type": "response.output_text.delta", "item_id": item["id"], "output_index": 0, "content_index": 0,
            "delta": text,
        }));
    }
    events.push(json!({"type": "response.output_item.done", "output_index": 0, "item": item}));
    events.push(json!({"type": "response.completed", "response": done}));
    Reply::events(events.iter().map(|event| (event["type"].as_str(), event.to_string())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_conversation() {
        let asked = read(&json!({
            "model": "m", "stream": true,
            "input": [
                {"type": "message", "role": "developer", "content": [{"type": "input_text", "text": "rules"}]},
                {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "one"}]},
                {"type": "function_call", "call_id": "a", "name": "exec_command", "arguments": "{}"},
                {"type": "function_call_output", "call_id": "a", "output": "x"},
            ],
            "tools": [
                {"type": "function", "name": "exec_command", "parameters": {"properties": {"cmd": {}}}},
                {"type": "web_search"},
            ],
        }));
        let heard = [Heard::User("one".to_owned()), Heard::Result];
        assert_eq!((asked.heard.as_slice(), asked.tools.len()), (heard.as_slice(), 1));
        let reply = write(&asked, &Said::Text("well".to_owned()), 1).body;
        assert!(
            reply.contains("event: response.output_text.delta\n") && reply.contains("\"delta\":\"well\"")
        );
        let whole = Asked { flow: Flow::Whole, ..asked };
        assert!(write(&whole, &Said::Text("well".to_owned()), 1).body.starts_with("{\"id\":\"resp_"));
    }
}
