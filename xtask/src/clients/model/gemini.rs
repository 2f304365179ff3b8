//! Gemini, whole and as a stream: what Gemini CLI speaks.
//!
//! Results of tools are parts of the user's contents; a request may want JSON in place of text.

use serde_json::{Value, json};

use super::http::Reply;
use super::script::{Asked, Flow, Form, Said, heard, tool};

/// Reads a request; the path tells whether a stream is wanted.
pub(super) fn read(request: &Value, flow: Flow) -> Asked {
    let mut asked = Asked { flow, model: "scripted".to_owned(), ..Asked::default() };
    for content in request["contents"].as_array().into_iter().flatten() {
        if content["role"] != "model" {
            asked.heard.extend(heard(&content["parts"]));
        }
    }
    let groups = request["tools"].as_array().into_iter().flatten();
    let tools = groups.flat_map(|group| group["functionDeclarations"].as_array().into_iter().flatten());
    asked.tools = tools
        .filter_map(|it| {
            let schema = it.get("parametersJsonSchema").unwrap_or(&it["parameters"]);
            tool(&it["name"], schema)
        })
        .collect();
    if request["generationConfig"]["responseMimeType"] == "application/json" {
        asked.form = Form::Json;
    }
    asked
}

pub(super) fn write(asked: &Asked, said: &Said) -> Reply {
    let part = match said {
        Said::Text(text) => json!({"text": text}),
        Said::Call { name, arguments } => json!({"functionCall": {"name": name, "args": arguments}}),
    };
    let answer = json!({
        "candidates": [{"content": {"role": "model", "parts": [part]}, "finishReason": "STOP", "index": 0}],
        "usageMetadata": {"promptTokenCount": 1200, "candidatesTokenCount": 30, "totalTokenCount": 1230},
        "modelVersion": asked.model,
    });
    match asked.flow {
        Flow::Whole => Reply::json(&answer),
        Flow::Stream => Reply::events([(None, answer.to_string())]),
    }
}

#[cfg(test)]
mod tests {
    use super::super::script::Heard;
    use super::*;

    #[test]
    fn a_conversation() {
        let asked = read(
            &json!({
                "contents": [
                    {"role": "user", "parts": [{"text": "one"}]},
                    {"role": "model", "parts": [{"functionCall": {"name": "run_shell_command", "args": {}}}]},
                    {"role": "user", "parts": [{"functionResponse": {"name": "run_shell_command", "response": {}}}]},
                ],
                "tools": [{"functionDeclarations": [
                    {"name": "run_shell_command", "parametersJsonSchema": {"properties": {"command": {}}}},
                ]}],
            }),
            Flow::Stream,
        );
        let heard = [Heard::User("one".to_owned()), Heard::Result];
        assert_eq!((asked.heard.as_slice(), asked.tools.len()), (heard.as_slice(), 1));
        assert!(asked.tools[0].arguments.contains_key("command"));
        assert!(write(&asked, &Said::Text("well".to_owned())).body.starts_with("data: {"));
        let judge = json!({"generationConfig": {"responseMimeType": "application/json"}});
        assert_eq!(read(&judge, Flow::Whole).form, Form::Json);
    }
}
