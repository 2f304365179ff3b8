//! Tool calls as names, paths and command lines: what can be learned of them without their output.
//!
//! Every client names the same few things differently, so keys are looked up in lists; an argument that no list
//! names is not kept.

use memory_core::redact::redact_beginning;
use memory_core::session::ToolCall;
use serde_json::Value;

/// Keys under which tools name files, folders and addresses.
const PATHS: &[&str] = &[
    "file_path",
    "filePath",
    "filepath",
    "path",
    "paths",
    "absolute_path",
    "absolutePath",
    "notebook_path",
    "target_file",
    "target_directory",
    "dir_path",
    "directory",
    "search_path",
    "search_directory",
    "files",
    "file_paths",
    "url",
    "uri",
];

/// Keys under which tools hold a command line.
const COMMANDS: &[&str] = &["command", "cmd", "commands", "script"];

/// Keys under which tools hold a patch, which names its files inside.
const PATCHES: &[&str] = &["input", "patch", "diff"];

const MOST_PATHS: usize = 64;
const LONGEST_COMMAND: usize = 8 << 10;

/// A call by its name and arguments; arguments may be JSON in a text.
pub(super) fn tool(name: &str, arguments: &Value) -> ToolCall {
    let mut tool = ToolCall { name: name.to_owned(), ..ToolCall::default() };
    let parsed: Option<Value> = match arguments {
        Value::String(text) => serde_json::from_str(text).ok().filter(Value::is_object),
        _ => None,
    };
    let arguments = match (&parsed, arguments) {
        (Some(parsed), _) => parsed,
        (None, Value::String(text)) => {
            // The whole argument is one text: a patch.
            patched(text, &mut tool.paths);
            return tool;
        }
        (None, arguments) => arguments,
    };
    for value in PATHS.iter().filter_map(|key| arguments.get(key)) {
        paths(value, &mut tool.paths);
    }
    for text in PATCHES.iter().filter_map(|key| arguments.get(key)).filter_map(Value::as_str) {
        patched(text, &mut tool.paths);
    }
    let command = COMMANDS.iter().filter_map(|key| arguments.get(key)).find_map(command_line);
    // Half of a secret would not be known as one.
    let fits = |command: &String| command.len() <= LONGEST_COMMAND;
    tool.command = command.map(|it| if fits(&it) { it } else { redact_beginning(&it, LONGEST_COMMAND) });
    tool.paths.truncate(MOST_PATHS);
    tool
}

fn paths(value: &Value, into: &mut Vec<String>) {
    match value {
        Value::String(path) => push(into, &local_path(path)),
        Value::Array(values) => values.iter().for_each(|value| paths(value, into)),
        Value::Object(entry) => {
            let named = ["path", "file_path", "filePath", "uri"].iter().find_map(|key| entry.get(*key));
            if let Some(named @ Value::String(_)) = named {
                paths(named, into);
            }
        }
        _ => {}
    }
}

fn push(into: &mut Vec<String>, path: &str) {
    let path = path.trim();
    let fits = !path.is_empty() && path.len() <= 4096 && !path.contains(['\n', '\0']);
    if fits && into.len() < MOST_PATHS && !into.iter().any(|known| known == path) {
        into.push(path.to_owned());
    }
}

/// The files that a patch in the form of Codex names.
fn patched(text: &str, into: &mut Vec<String>) {
    for line in text.lines() {
        let named = ["*** Update File: ", "*** Add File: ", "*** Delete File: ", "*** Move to: "];
        if let Some(path) = named.iter().find_map(|begin| line.strip_prefix(begin)) {
            push(into, path);
        }
    }
}

/// A command line from a text, a list of texts, or a shell with its `-c`.
pub(super) fn command_line(value: &Value) -> Option<String> {
    match value {
        Value::String(line) => Some(line.trim().to_owned()).filter(|line| !line.is_empty()),
        Value::Array(words) => {
            let words: Vec<&str> = words.iter().filter_map(Value::as_str).collect();
            match words.as_slice() {
                [] => None,
                [_, flag, line] if matches!(*flag, "-c" | "-lc" | "-Command" | "/c") => {
                    Some((*line).to_owned())
                }
                words if words.iter().any(|word| word.contains(' ')) => Some(words.join("\n")),
                words => Some(words.join(" ")),
            }
        }
        _ => None,
    }
}

/// The path of a `file:` address, decoded; anything else as it is.
pub(super) fn local_path(text: &str) -> String {
    let Some(rest) = text.strip_prefix("file://") else { return text.to_owned() };
    let mut bytes = Vec::with_capacity(rest.len());
    let mut at = rest.as_bytes();
    while let [byte, tail @ ..] = at {
        let code = tail.get(..2).filter(|_| *byte == b'%').and_then(|hex| std::str::from_utf8(hex).ok());
        let decoded = code.and_then(|hex| u8::from_str_radix(hex, 16).ok());
        bytes.push(decoded.unwrap_or(*byte));
        at = tail.get(if decoded.is_some() { 2 } else { 0 }..).unwrap_or_default();
    }
    let path = String::from_utf8_lossy(&bytes).into_owned();
    // On Windows the address has a slash before the drive.
    let drive = path.strip_prefix('/').filter(|rest| rest.as_bytes().get(1) == Some(&b':'));
    drive.map(str::to_owned).unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_by_what_they_touch() {
        let check = |arguments: &str, paths: &[&str], command: Option<&str>| {
            let called = tool("x", &serde_json::from_str(arguments).unwrap());
            assert_eq!(
                (called.paths, called.command.as_deref()),
                (paths.iter().map(|it| (*it).to_owned()).collect(), command),
                "{arguments}"
            );
        };
        check("{}", &[], None);
        check("null", &[], None);
        check(r#"{"file_path":"/a","content":"never kept"}"#, &["/a"], None);
        check(
            r#"{"path":"/a","paths":["/a","/b"],"files":[{"path":"/c"},{"no":1},7]}"#,
            &["/a", "/b", "/c"],
            None,
        );
        check(r#"{"uri":"file:///a%20b/%C3%A4"}"#, &["/a b/ä"], None);
        check(r#"{"uri":"file:///C:/x%2"}"#, &["C:/x%2"], None);
        check(r#"{"command":" ls -l "}"#, &[], Some("ls -l"));
        check(r#"{"command":["/bin/bash","-lc","ls | wc"]}"#, &[], Some("ls | wc"));
        check(r#"{"cmd":["ls","-l"]}"#, &[], Some("ls -l"));
        check(r#"{"commands":["a b","c d"]}"#, &[], Some("a b\nc d"));
        check(r#"{"command":7}"#, &[], None);
        check(r#""{\"file_path\":\"/a\"}""#, &["/a"], None);
        check(r#""*** Begin Patch\n*** Add File: a\n*** Move to: b""#, &["a", "b"], None);
        check(r#"{"input":"*** Delete File: a"}"#, &["a"], None);
        check(r#"{"path":"a\nb"}"#, &[], None);
    }

    #[test]
    fn a_long_command_is_cut_between_characters() {
        let called = tool("x", &serde_json::json!({"command": "ä".repeat(LONGEST_COMMAND)}));
        assert_eq!(called.command.map(|it| it.len()), Some(LONGEST_COMMAND));
    }
}
