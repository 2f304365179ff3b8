//! The call of a tool in a hook's JSON: its name, files and command line, never what it gave back.

use memory_core::session::ToolCall;
use serde_json::Value;

use super::dialect::Dialect;
use super::{beginning, wire};

/// Where a tool's input names a file, a folder or an address.
const PATHS: &[&str] = &[
    "file_path",
    "filePath",
    "path",
    "absolute_path",
    "notebook_path",
    "relative_workspace_path",
    "target_file",
    "file",
    "filename",
    "url",
    "uri",
    "paths",
    "files",
    "edits",
];

/// Where a tool's input holds a command line.
const COMMANDS: &[&str] = &["command", "cmd", "command_line", "commandLine", "commands", "script"];

/// Where a tool's input names the server that the tool belongs to.
const SERVERS: &[&str] = &["server_name", "serverName", "mcp_server_name"];

/// Whether a value says that a call failed.
type Failed = fn(&Value) -> Option<bool>;

/// Where clients say how a call went, and how they say it.
const OUTCOMES: &[(&str, Failed)] = &[
    ("tool_response.is_error", Value::as_bool),
    ("tool_response.isError", Value::as_bool),
    ("tool_response.success", |value| value.as_bool().map(|good| !good)),
    ("tool_response.error", |value| (!value.is_null()).then_some(true)),
    ("postToolUse.success", |value| value.as_bool().map(|good| !good)),
    ("toolResult.resultType", |value| value.as_str().map(|word| word != "success")),
    ("tool_result.result_type", |value| value.as_str().map(|word| word != "success")),
    ("data.output.metadata.exit", |value| value.as_i64().map(|code| code != 0)),
];

const MOST_PATHS: usize = 32;
const MOST_PATH: usize = 1024;
const MOST_COMMAND: usize = 4096;

/// The call that a payload tells of.
pub(super) fn call(dialect: &Dialect, payload: &Value, failed: Option<bool>) -> ToolCall {
    let input = dialect.tool_input.iter().find_map(|path| wire::at(payload, path));
    // Some clients hand the input over as JSON in a text.
    let parsed = input.and_then(Value::as_str).and_then(|text| serde_json::from_str::<Value>(text).ok());
    let input = parsed.as_ref().or(input).unwrap_or(&Value::Null);
    let mut paths = Vec::new();
    PATHS.iter().filter_map(|key| input.get(key)).for_each(|value| collect(value, &mut paths));
    let mut command = COMMANDS.iter().find_map(|key| line(input.get(key)?));
    if let Some(patch) = command.as_deref().or(input.as_str()).filter(|text| text.contains("*** Begin Patch"))
    {
        patched(patch).for_each(|path| push(path, &mut paths));
        command = None;
    }
    let name = wire::text(payload, dialect.tool_name).unwrap_or_default();
    let foreign = wire::text(payload, dialect.event).is_some_and(|event| event.contains("mcp"));
    let name = match wire::text(input, SERVERS) {
        Some(server) => format!("mcp__{server}__{name}"),
        None if foreign => format!("mcp__{name}"),
        None => name.to_owned(),
    };
    let told = || OUTCOMES.iter().find_map(|(path, how)| how(wire::at(payload, path)?));
    ToolCall {
        name: beginning(&name, 200),
        paths,
        command: command.map(|text| beginning(&text, MOST_COMMAND)),
        failed: failed.or_else(told),
    }
}

fn collect(value: &Value, paths: &mut Vec<String>) {
    match value {
        Value::String(path) => push(path, paths),
        Value::Array(items) => items.iter().take(MOST_PATHS).for_each(|item| match item {
            Value::Object(_) => {
                if let Some(path) = wire::text(item, &["file_path", "filePath", "path"]) {
                    push(path, paths);
                }
            }
            other => {
                if let Some(path) = other.as_str() {
                    push(path, paths);
                }
            }
        }),
        _ => {}
    }
}

fn push(path: &str, paths: &mut Vec<String>) {
    let path = beginning(path.trim(), MOST_PATH);
    if !path.is_empty() && paths.len() < MOST_PATHS && !paths.contains(&path) {
        paths.push(path);
    }
}

/// A command line, given as a text, as a list of words or of lines, or as a shell with its script.
fn line(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Array(words) => {
            let words: Vec<&str> = words.iter().filter_map(Value::as_str).collect();
            match words.as_slice() {
                [] => None,
                [_, "-c" | "-lc" | "-Command" | "/c", script] => Some((*script).to_owned()),
                words if words.iter().any(|word| word.contains(' ')) => Some(words.join("\n")),
                words => Some(words.join(" ")),
            }
        }
        _ => None,
    }
}

/// The files that a patch in the form of Codex names.
fn patched(patch: &str) -> impl Iterator<Item = &str> {
    let marks = ["*** Update File: ", "*** Add File: ", "*** Delete File: ", "*** Move to: "];
    patch.lines().filter_map(move |line| marks.iter().find_map(|mark| line.strip_prefix(mark)))
}
