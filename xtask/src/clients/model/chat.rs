//! OpenAI Chat Completions, whole and as a stream: what Qwen Code, OpenCode, Copilot CLI and Cline speak.
//!
//! Results of tools are messages of their own.

use serde_json::{Value, json};

use super::http::Reply;
use super::script::{Asked, Flow, Heard, Said, heard, tool};

pub(super) fn read(request: &Value) -> Asked {
    let mut asked = Asked {
        flow: Flow::of(request),
        model: request["model"].as_str().unwrap_or_default().to_owned(),
        ..Asked::default()
    };
    for message in request["messages"].as_array().into_iter().flatten() {
        match message["role"].as_str() {
            Some("user") => asked.heard.extend(heard(&message["content"])),
            Some("tool") => asked.heard.push(Heard::Result),
            _ => {}
        }
    }
    let tools = request["tools"].as_array().into_iter().flatten();
    asked.tools =
        tools.filter_map(|it| tool(&it["function"]["name"], &it["function"]["parameters"])).collect();
    asked
}

pub(super) fn write(asked: &Asked, said: &Said, number: usize) -> Reply {
    let (mut message, reason) = match said {
        Said::Text(text) => (json!({"role": "assistant", "content": text}), "stop"),
        Said::Call { name, arguments } => {
            let call = json!({
                "index": 0, "id": format!("call_{number:08}"), "type": "function",
                "function": {"name": name, "arguments": arguments.to_string()},
            });
            (json!({"role": "assistant", "content": null, "tool_calls": [call]}), "tool_calls")
        }
    };
    let usage = json!({"prompt_tokens": 1200, "completion_tokens": 30, "total_tokens": 1230});
    let id = format!("chatcmpl-{number:08}");
    if asked.flow == Flow::Whole {
        if let Some(call) = message.pointer_mut("/tool_calls/0").and_then(Value::as_object_mut) {
            call.remove("index");
        }
        return Reply::json(&json!({
            "id": id, "object": "chat.completion", "created": 1, "model": asked.model, "usage": usage,
            "choices": [{"index": 0, "message": message, "finish_reason": reason}],
        }));
    }
    let chunk = |choices: Value| json!({"id": id, "object": "chat.completion.chunk", "created": 1, "model": asked.model, "choices": choices});
    let mut last = chunk(json!([]));
    last["usage"] = usage;
    let events = [
        chunk(json!([{"index": 0, "delta": message, "finish_reason": null}])).to_string(),
        chunk(json!([{"index": 0, "delta": {}, "finish_reason": reason}])).to_string(),
        last.to_string(),
        "[DONE]".to_owned(),
    ];
    Reply::events(events.into_iter().map(|event| (None, event)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_conversation() {
        let asked = read(&json!({
            "model": "m", "stream": true,
            "messages": [
                {"role": "system", "content": "rules"},
                {"role": "user", "content": [{"type": "text", "text": "one"}]},
                {"role": "assistant", "content": null, "tool_calls": []},
                {"role": "tool", "tool_call_id": "a", "content": "x"},
            ],
            "tools": [{"type": "function", "function": {"name": "bash", "parameters": {"properties": {"command": {}}}}}],
        }));
        let heard = [Heard::User("one".to_owned()), Heard::Result];
        assert_eq!((asked.heard.as_slice(), asked.tools.len()), (heard.as_slice(), 1));
        let call = Said::Call { name: "bash".to_owned(), arguments: json!({"command": "ls"}) };
        let reply = write(&asked, &call, 1).body;
        assert!(reply.ends_with("data: [DONE]\n\n") && reply.contains("\"index\":0,\"id\":\"call_"));
        let whole = |said: &Said| -> Value {
            let reply = write(&Asked { flow: Flow::Whole, ..asked.clone() }, said, 1);
            serde_json::from_str(&reply.body).unwrap()
        };
        // Only pieces of a stream say which call they belong to.
        let call = whole(&call).pointer("/choices/0/message/tool_calls/0").cloned().unwrap();
        assert!(call["id"].is_string() && call.get("index").is_none(), "{call}");
        let text = whole(&Said::Text("well".to_owned()));
        assert_eq!(text["choices"][0]["message"], json!({"role": "assistant", "content": "well"}));
    }
}
