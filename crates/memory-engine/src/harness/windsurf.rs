//! Windsurf's transcripts: one step of a trajectory a line, each under the name of its type.

use memory_core::session::ToolCall;
use serde_json::Value;

use super::blocks::ended;
use super::record::{is_true, text};
use super::said::{Facts, Growth, Part, Said};
use super::tools::tool;

/// What a record says.
pub(super) fn read(record: &Value, out: &mut Vec<Said>) {
    let Some(kind) = record.get("type").and_then(Value::as_str) else { return };
    let Some(step) = record.get(kind).filter(|step| step.is_object()) else { return };
    match kind {
        "user_input" => {
            let texts = text(step, "/user_response").into_iter().collect();
            out.push(Said::Human(Part { texts, ..Part::default() }));
        }
        "planner_response" => {
            out.push(Said::Close);
            let texts = text(step, "/response").into_iter().collect();
            out.push(Said::Agent(Part { texts, growth: Growth::Adds, ..Part::default() }));
        }
        _ => {
            if let Some(cwd) = text(step, "/cwd") {
                out.push(Said::Facts(Facts { cwd: Some(cwd), ..Facts::default() }));
            }
            let exit = step.get("exit_code").and_then(Value::as_i64);
            let failed = is_true(step, "/user_rejected")
                || exit.is_some_and(|code| code != 0)
                || text(record, "/status").as_deref() == Some("error");
            let called = ToolCall { failed: Some(failed), ..tool(kind, step) };
            let calls = vec![ended(called, Some(failed))];
            out.push(Said::Agent(Part { calls, growth: Growth::Adds, ..Part::default() }));
        }
    }
}
