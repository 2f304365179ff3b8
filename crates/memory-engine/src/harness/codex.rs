//! Codex's rollouts.
//!
//! What was said is told by events: `item_completed` today, `user_message` and `agent_message` before. The model's
//! own messages (`response_item`) repeat it among instructions and injected text, so only their tool calls are read.
//! The oldest files have bare messages without events around them.

use memory_core::session::inside_block;
use serde_json::Value;

use super::blocks::{Content, ended};
use super::record::{name, text, time};
use super::said::{Call, Facts, Growth, Part, Said};
use super::tools::tool;

/// Tags of what the client tells the model in a person's name.
pub(super) const TAGS: &[&str] =
    &["environment_context", "user_instructions", "user_shell_command", "turn_aborted"];

/// What a record says.
pub(super) fn read(record: &Value, out: &mut Vec<Said>) {
    let Some(payload) = record.get("payload") else { return bare(record, out) };
    match record.get("type").and_then(Value::as_str).unwrap_or_default() {
        "session_meta" => {
            let session = name(payload, "/id").or_else(|| name(payload, "/session_id"));
            // A conversation that was forked off holds the one it came from, with that one's name.
            out.push(Said::Origin(Facts { session, cwd: text(payload, "/cwd"), ..Facts::default() }));
            let is_aside = text(payload, "/thread_source").as_deref() == Some("subagent")
                || payload.pointer("/source/subagent").is_some();
            if is_aside {
                out.push(Said::Aside);
            }
        }
        "turn_context" => {
            let (cwd, model) = (text(payload, "/cwd"), text(payload, "/model"));
            out.push(Said::Facts(Facts { cwd, model, ..Facts::default() }));
        }
        "event_msg" => event(record, payload, out),
        "response_item" => call(record, payload, out),
        _ => {}
    }
}

/// How many prompts a record takes back, each with all that followed it.
pub(super) fn rolled_back(record: &Value) -> Option<usize> {
    let payload = record.get("payload").filter(|_| text(record, "/type").as_deref() == Some("event_msg"))?;
    let turns = payload.get("num_turns").and_then(Value::as_u64);
    turns
        .filter(|_| text(payload, "/type").as_deref() == Some("thread_rolled_back"))
        .map(|turns| usize::try_from(turns).unwrap_or(usize::MAX))
}

fn event(record: &Value, payload: &Value, out: &mut Vec<Said>) {
    match payload.get("type").and_then(Value::as_str).unwrap_or_default() {
        "item_completed" => item(record, payload, out),
        "user_message" => out.extend(said(record, payload, text(payload, "/message"), Said::Human)),
        "agent_message" => {
            out.push(Said::Close);
            out.extend(said(record, payload, text(payload, "/message"), Said::Agent));
        }
        "task_complete" | "turn_complete" | "turn_aborted" | "thread_rolled_back" => out.push(Said::Close),
        _ => {}
    }
}

fn item(record: &Value, payload: &Value, out: &mut Vec<Said>) {
    let item = payload.get("item").unwrap_or(&Value::Null);
    let spoken = || Content::of(item.get("content").unwrap_or(&Value::Null)).texts.join("\n");
    match item.get("type").and_then(Value::as_str).unwrap_or_default() {
        "UserMessage" => out.extend(said(record, payload, Some(spoken()), Said::Human)),
        "AgentMessage" => {
            out.push(Said::Close);
            out.extend(said(record, payload, Some(spoken()), Said::Agent));
        }
        "CommandExecution" | "FileChange" | "McpToolCall" => {
            let exit = item.get("exit_code").and_then(Value::as_i64);
            let status = text(item, "/status");
            let failed = exit.is_some_and(|code| code != 0)
                || matches!(status.as_deref(), Some("failed" | "declined" | "error"));
            out.extend(name(item, "/id").map(|call| Said::Outcome { call, failed }));
        }
        _ => {}
    }
}

fn said(record: &Value, payload: &Value, text: Option<String>, who: fn(Part) -> Said) -> Option<Said> {
    let text = text.filter(|text| !text.trim().is_empty())?;
    // Names of items are not unique in a thread; its turns and the places in it are.
    let turn = match (name(payload, "/turn_id"), name(record, "/ordinal")) {
        (Some(turn), Some(ordinal)) => Some(format!("{turn}/{ordinal}")),
        (turn, ordinal) => turn.or(ordinal),
    };
    let at = time(record, "/timestamp");
    let part = Part { turn, texts: vec![text], at, growth: Growth::Adds, ..Part::default() };
    Some(match who(part) {
        Said::Human(part) => Said::Human(Part { growth: Growth::Whole, ..part }),
        said => said,
    })
}

fn call(record: &Value, payload: &Value, out: &mut Vec<Said>) {
    let id = || name(payload, "/call_id").or_else(|| name(payload, "/id"));
    let called = match payload.get("type").and_then(Value::as_str).unwrap_or_default() {
        "function_call" => tool(&named(payload), payload.get("arguments").unwrap_or(&Value::Null)),
        "custom_tool_call" => tool(&named(payload), payload.get("input").unwrap_or(&Value::Null)),
        "local_shell_call" => tool("local_shell", payload.get("action").unwrap_or(&Value::Null)),
        "function_call_output" | "custom_tool_call_output" => {
            let outcome = id().zip(exit_code(payload.get("output").unwrap_or(&Value::Null)));
            out.extend(outcome.map(|(call, code)| Said::Outcome { call, failed: code != 0 }));
            return;
        }
        _ => return,
    };
    let calls = vec![match id() {
        Some(id) => Call { id: Some(id), tool: called },
        None => ended(called, None),
    }];
    let at = time(record, "/timestamp");
    out.push(Said::Agent(Part { calls, at, growth: Growth::Adds, ..Part::default() }));
}

fn named(payload: &Value) -> String {
    text(payload, "/name").unwrap_or_default()
}

/// How a program ended, from the two ways in which outputs tell it.
fn exit_code(output: &Value) -> Option<i64> {
    let text = output.as_str().or_else(|| output.get("content").and_then(Value::as_str))?;
    let head = &text[..text.floor_char_boundary(2000)];
    let marks = ["Process exited with code ", "\"exit_code\":", "Exit code: "];
    let after = marks.iter().find_map(|mark| head.split_once(mark))?;
    let number: String =
        after.1.trim_start().chars().take_while(|c| c.is_ascii_digit() || *c == '-').collect();
    number.parse().ok()
}

/// The folder that the first versions tell only to the model.
fn surroundings(text: &str) -> Option<Said> {
    let inside = inside_block(text, "environment_context").filter(|_| text.trim_start().starts_with('<'))?;
    let line = inside.lines().find_map(|line| line.trim().strip_prefix("Current working directory:"));
    let cwd = inside_block(inside, "cwd").or(line)?.trim().to_owned();
    Some(Said::Facts(Facts { cwd: Some(cwd), ..Facts::default() }))
}

/// Records of the first versions: messages as the model sees them, with no event around them.
fn bare(record: &Value, out: &mut Vec<Said>) {
    match record.get("type").and_then(Value::as_str) {
        None if record.get("id").is_some() => {
            out.push(Said::Facts(Facts { session: name(record, "/id"), ..Facts::default() }));
        }
        Some("message") => {
            let content = Content::of(record.get("content").unwrap_or(&Value::Null));
            let part = Part { turn: name(record, "/id"), texts: content.texts, ..Part::default() };
            match record.get("role").and_then(Value::as_str) {
                Some("user") => {
                    out.extend(part.texts.iter().find_map(|text| surroundings(text)));
                    out.push(Said::Human(part));
                }
                Some("assistant") => {
                    out.push(Said::Close);
                    out.push(Said::Agent(Part { growth: Growth::Adds, ..part }));
                }
                _ => {}
            }
        }
        Some(_) => call(record, record, out),
        None => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_beginning_of_an_output_tells_how_it_ended() {
        let check = |text: String, expect| assert_eq!(exit_code(&Value::from(text)), expect);
        check("Exit code: 3\nrest".to_owned(), Some(3));
        check(format!("{}Exit code: 3", "é".repeat(900)), Some(3));
        // A character lies across the place of the cut, or does not.
        check(format!("x{}Exit code: 3", "é".repeat(1000)), None);
        check(format!("{}Exit code: 3", "é".repeat(1000)), None);
    }
}
