//! VS Code's chat sessions: one JSON file, or a log of changes to it that begins with the whole.

use serde_json::Value;

use super::blocks::ended;
use super::record::{self, list, name, text, time};
use super::said::{Call, Facts, Growth, Part, Said};
use super::tools::{local_path, tool};
use super::whole::{Element, Whole};

/// What a session holds.
pub(super) fn read(bytes: &[u8]) -> Option<Whole> {
    let file = replayed(bytes).or_else(|| record::value(bytes).ok().flatten())?;
    file.get("requests")?.as_array()?;
    let elements = list(&file, "/requests").iter().map(element).collect();
    Some(Whole {
        facts: Facts { session: name(&file, "/sessionId"), ..Facts::default() },
        aside: false,
        elements,
    })
}

/// The session that a log of changes leads to; `None` when it is no such log.
fn replayed(bytes: &[u8]) -> Option<Value> {
    let mut lines = bytes.split(|byte| *byte == b'\n');
    let first = record::value(lines.next()?).ok()??;
    let mut file = first.get("v").filter(|_| first.get("kind") == Some(&Value::from(0)))?.clone();
    for change in lines.filter_map(|line| record::value(line).ok().flatten()) {
        apply(&mut file, &change);
    }
    Some(file)
}

/// One change: 0 is the whole anew, 1 sets what stands at a path, 2 adds to a list, 3 takes away.
fn apply(file: &mut Value, change: &Value) {
    let kind = change.get("kind").and_then(Value::as_i64);
    let new = change.get("v").cloned();
    if kind == Some(0) {
        *file = new.unwrap_or_default();
        return;
    }
    let Some((last, path)) = list(change, "/k").split_last() else { return };
    let Some(holder) = path.iter().try_fold(file, |at, key| below(at, key)) else { return };
    match (kind, holder) {
        (Some(1), Value::Object(fields)) => {
            fields.insert(last.as_str().unwrap_or_default().to_owned(), new.unwrap_or_default());
        }
        (Some(1), Value::Array(items)) => {
            let at = last.as_u64().and_then(|at| usize::try_from(at).ok());
            if let Some(item) = at.and_then(|at| items.get_mut(at)) {
                *item = new.unwrap_or_default();
            }
        }
        (Some(2), holder) => {
            if let Some(Value::Array(items)) = below(holder, last) {
                if let Some(length) = change.get("i").and_then(Value::as_u64) {
                    items.truncate(usize::try_from(length).unwrap_or(usize::MAX));
                }
                items.extend(new.and_then(|new| new.as_array().cloned()).unwrap_or_default());
            }
        }
        (Some(3), Value::Object(fields)) => {
            fields.remove(last.as_str().unwrap_or_default());
        }
        _ => {}
    }
}

fn below<'a>(value: &'a mut Value, key: &Value) -> Option<&'a mut Value> {
    match key {
        Value::String(key) => value.get_mut(key.as_str()),
        Value::Number(at) => value.get_mut(usize::try_from(at.as_u64()?).ok()?),
        _ => None,
    }
}

fn element(request: &Value) -> Element {
    let turn = name(request, "/requestId");
    let at = time(request, "/timestamp");
    let asked = text(request, "/message/text").or_else(|| text(request, "/message"));
    let texts = asked.into_iter().collect();
    let human = Said::Human(Part { turn: turn.clone(), texts, at, ..Part::default() });
    let mut said = vec![human];
    let (texts, calls) = answer(list(request, "/response"));
    said.push(Said::Agent(Part {
        turn: name(request, "/responseId"),
        texts: vec![texts],
        at,
        model: text(request, "/modelId"),
        calls,
        growth: Growth::Adds,
    }));
    if request.get("result").is_some_and(|result| !result.is_null()) {
        said.push(Said::Close);
    }
    Element::new(turn, said)
}

/// The text of an answer with the names of what it refers to, and the tools that were used for it.
fn answer(parts: &[Value]) -> (String, Vec<Call>) {
    let mut spoken = String::new();
    let mut calls = Vec::new();
    for part in parts {
        match part.get("kind").and_then(Value::as_str) {
            None | Some("markdownContent") => {
                let words = text(part, "/value").or_else(|| text(part, "/content/value"));
                let words = words.unwrap_or_default();
                // Edits stand between fences that are left empty.
                if !words.trim().bytes().all(|byte| byte == b'`') || words.trim().is_empty() {
                    spoken.push_str(&words);
                }
            }
            Some("inlineReference") => {
                let place = ["/inlineReference/fsPath", "/inlineReference/path", "/inlineReference/uri/path"];
                let path = place.iter().find_map(|place| text(part, place)).unwrap_or_default();
                let file = path.rsplit(['/', '\\']).next().unwrap_or_default();
                spoken.push_str(&text(part, "/name").unwrap_or_else(|| format!("`{file}`")));
            }
            Some("toolInvocationSerialized") => {
                let called = text(part, "/toolId").unwrap_or_default();
                let input =
                    part.pointer("/toolSpecificData/rawInput").or_else(|| part.get("toolSpecificData"));
                let mut tool = tool(&called, input.unwrap_or(&Value::Null));
                if let Some(line) = text(part, "/toolSpecificData/commandLine/original") {
                    tool.command = Some(line);
                }
                let exit =
                    part.pointer("/toolSpecificData/terminalCommandState/exitCode").and_then(Value::as_i64);
                calls.push(ended(tool, exit.map(|code| code != 0)));
            }
            Some("textEditGroup") => {
                let path = text(part, "/uri/fsPath").or_else(|| text(part, "/uri/path"));
                let mut edit = tool("edit", &Value::Null);
                edit.paths.extend(path.map(|path| local_path(&path)));
                calls.push(ended(edit, None));
            }
            Some(_) => {}
        }
    }
    (spoken, calls)
}
