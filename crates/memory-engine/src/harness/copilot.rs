//! The event stream of Copilot CLI, which VS Code's Copilot writes too.
//!
//! A person's words are `data.content`; `transformedContent` holds them with what hooks and the client added.

use serde_json::Value;

use super::blocks::Content;
use super::record::{list, name, text, time};
use super::said::{Call, Facts, Growth, Part, Said};
use super::tools::tool;

/// What a record says.
pub(super) fn read(record: &Value, out: &mut Vec<Said>) {
    let Some(event) = record.get("data") else { return };
    // What a subagent says and does hangs below the call that started it.
    if event.get("parentToolCallId").is_some_and(|parent| !parent.is_null()) {
        return;
    }
    let turn = name(event, "/messageId").or_else(|| name(record, "/id"));
    let at = time(record, "/timestamp");
    match record.get("type").and_then(Value::as_str).unwrap_or_default() {
        "session.start" | "session.resume" => out.push(Said::Facts(Facts {
            session: name(event, "/sessionId"),
            cwd: text(event, "/context/cwd"),
            model: text(event, "/selectedModel"),
            ..Facts::default()
        })),
        "session.model_change" => {
            out.push(Said::Facts(Facts { model: text(event, "/newModel"), ..Facts::default() }));
        }
        "user.message" => {
            let texts = Content::of(event.get("content").unwrap_or(&Value::Null)).texts;
            out.push(Said::Human(Part { turn, texts, at, ..Part::default() }));
        }
        "assistant.message" => {
            let texts = Content::of(event.get("content").unwrap_or(&Value::Null)).texts;
            let calls = list(event, "/toolRequests").iter().filter_map(|request| {
                let arguments = request.get("arguments").unwrap_or(&Value::Null);
                Some(Call {
                    id: name(request, "/toolCallId"),
                    tool: tool(&text(request, "/name")?, arguments),
                })
            });
            let (model, calls) = (text(event, "/model"), calls.collect());
            out.push(Said::Agent(Part { turn, texts, at, model, calls, growth: Growth::Whole }));
        }
        // Some versions tell of a call only when it begins.
        "tool.execution_start" => {
            let called = text(event, "/toolName")
                .map(|name| tool(&name, event.get("arguments").unwrap_or(&Value::Null)));
            let calls =
                called.map(|tool| Call { id: name(event, "/toolCallId"), tool }).into_iter().collect();
            out.push(Said::Agent(Part { at, calls, growth: Growth::Adds, ..Part::default() }));
        }
        "tool.execution_complete" => {
            let failed = event.get("success") == Some(&Value::Bool(false));
            out.extend(name(event, "/toolCallId").map(|call| Said::Outcome { call, failed }));
        }
        "session.shutdown" => out.push(Said::Close),
        _ => {}
    }
}
