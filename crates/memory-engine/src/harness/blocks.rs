//! The content of a message: a text, or a list of blocks of which some are texts, tool calls and their results.
//!
//! Nearly every client stores what its model's interface speaks, so one reader knows the blocks of all of them.
//! Blocks that are not named here (thoughts, images, what tools gave back) are passed over.

use memory_core::session::ToolCall;
use serde_json::Value;

use super::record::{is_true, list, name, text};
use super::said::{Call, Said};
use super::tools::tool;

/// What a message's content holds.
#[derive(Debug, Default)]
pub(super) struct Content {
    pub(super) texts: Vec<String>,
    pub(super) calls: Vec<Call>,
    /// Tool calls of earlier messages that came to their end.
    pub(super) outcomes: Vec<Said>,
}

impl Content {
    /// Reads a content; anything that is neither text nor list is empty.
    pub(super) fn of(content: &Value) -> Self {
        let mut found = Self::default();
        match content {
            Value::String(text) => found.texts.push(text.clone()),
            Value::Array(blocks) => blocks.iter().for_each(|block| found.block(block)),
            _ => {}
        }
        found
    }

    fn block(&mut self, block: &Value) {
        if is_true(block, "/thought") || is_true(block, "/synthetic") {
            return;
        }
        match block.get("type").and_then(Value::as_str) {
            Some("text" | "Text" | "input_text" | "output_text") => self.texts.extend(text(block, "/text")),
            Some("tool_use") => self.call(name(block, "/id"), text(block, "/name"), block.get("input")),
            Some("toolCall") => self.call(name(block, "/id"), text(block, "/name"), block.get("arguments")),
            Some("toolRequest") => {
                let call = block.pointer("/toolCall/value").unwrap_or(&Value::Null);
                self.call(name(block, "/id"), text(call, "/name"), call.get("arguments"));
            }
            Some("tool_result") => {
                let call = name(block, "/tool_use_id").or_else(|| name(block, "/toolUseID"));
                self.outcome(call, result_failed(block));
            }
            Some("toolResponse") => {
                let result = block.get("toolResult").unwrap_or(&Value::Null);
                let failed =
                    is_true(result, "/value/isError") || text(result, "/status").as_deref() == Some("error");
                self.outcome(name(block, "/id"), failed);
            }
            Some(_) => {}
            None => self.untyped(block),
        }
    }

    /// The blocks of Google's interface have no type: what they are is the name of their one field.
    fn untyped(&mut self, block: &Value) {
        if let Some(call) = block.get("functionCall") {
            self.call(name(call, "/id"), text(call, "/name"), call.get("args"));
        } else if let Some(result) = block.get("functionResponse") {
            let failed = result.pointer("/response/error").is_some();
            self.outcome(name(result, "/id"), failed);
        } else if let Value::String(text) = block {
            self.texts.push(text.clone());
        } else {
            self.texts.extend(text(block, "/text"));
        }
    }

    fn call(&mut self, id: Option<String>, name: Option<String>, arguments: Option<&Value>) {
        if let Some(name) = name.filter(|name| !name.is_empty()) {
            self.calls.push(Call { id, tool: tool(&name, arguments.unwrap_or(&Value::Null)) });
        }
    }

    fn outcome(&mut self, call: Option<String>, failed: bool) {
        self.outcomes.extend(call.map(|call| Said::Outcome { call, failed }));
    }

    /// Only the names of the calls are known, since the transcript never tells how they end.
    pub(super) fn calls_without_end(&self) -> Vec<Call> {
        self.calls.iter().map(|call| Call { id: None, tool: call.tool.clone() }).collect()
    }
}

/// A call that stands in its record together with its end.
pub(super) fn ended(tool: ToolCall, failed: Option<bool>) -> Call {
    Call { id: None, tool: ToolCall { failed, ..tool } }
}

fn result_failed(block: &Value) -> bool {
    let refused = |status: Option<String>| {
        status
            .is_some_and(|status| matches!(&*status, "error" | "cancelled" | "canceled" | "rejected-by-user"))
    };
    is_true(block, "/is_error")
        || refused(text(block, "/run/status"))
        || list(block, "/content").iter().any(|part| part.get("success") == Some(&Value::Bool(false)))
}
