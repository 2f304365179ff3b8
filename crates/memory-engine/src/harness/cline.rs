//! Cline's sessions: a JSON file of messages beside a manifest, and the older history of the extension.
//!
//! In the older history tools are called in the agent's text, and a message of the person's role holds what they gave
//! back among the person's words. Those stand in tags of their own, which the words of a file may hold as well; so only
//! texts count that no tool can have written.

use memory_core::session::{inside_block, strip_block};
use serde_json::{Value, json};

use super::blocks::{Content, ended};
use super::record::{name, text, time};
use super::said::{Call, Facts, Growth, Part, Said};
use super::tools::tool;
use super::whole::{Element, Whole};

/// Tags of what stands beside the words of a person.
pub(super) const TAGS: &[&str] =
    &["hook_context", "environment_details", "file_content", "folder_content", "explicit_instructions"];

/// Tags around the words of a person.
pub(super) const WORDS: &[&str] = &["user_input", "task", "user_message", "feedback", "answer"];

/// How a text of the client begins that goes on with a person's words in a tag.
const LEADS: &[&str] = &[
    "<",
    "The user denied this operation",
    "The user has provided feedback",
    "The user provided the following feedback",
    "[TASK RESUMPTION]",
];

/// Tools whose result begins with the person's or the client's own words, never with those of a file or a server.
const ANSWERED: &[&str] = &[
    "ask_followup_question",
    "attempt_completion",
    "plan_mode_respond",
    "new_task",
    "condense",
    "execute_command",
    "write_to_file",
    "replace_in_file",
];

/// Tools that are called in a text and say nothing to the person.
const CALLED: &[&str] = &[
    "execute_command",
    "read_file",
    "write_to_file",
    "replace_in_file",
    "search_files",
    "list_files",
    "list_code_definition_names",
    "browser_action",
    "use_mcp_tool",
    "access_mcp_resource",
    "web_fetch",
    "new_task",
    "condense",
];

/// Tags around what an agent says with a tool.
const TOLD: &[&str] = &["result", "question", "response"];

/// What a session holds.
pub(super) fn read(bytes: &[u8]) -> Option<Whole> {
    let file: Value = super::record::value(bytes).ok()??;
    let form = if file.is_array() { Form::Older } else { Form::Newer };
    let messages = file.get("messages").unwrap_or(&file).as_array()?;
    let elements = messages.iter().map(|message| element(message, form)).collect();
    let cwd = messages.first().filter(|_| form == Form::Older).and_then(folder);
    let facts = Facts { session: name(&file, "/sessionId"), cwd, ..Facts::default() };
    let aside = text(&file, "/agent").is_some_and(|agent| agent != "lead");
    Some(Whole { facts, aside, elements })
}

#[derive(Clone, Copy, PartialEq)]
enum Form {
    Older,
    Newer,
}

fn element(message: &Value, form: Form) -> Element {
    let mut content = Content::of(message.get("content").unwrap_or(&Value::Null));
    let turn = name(message, "/id");
    let at = time(message, "/ts");
    let mut said = Vec::new();
    let is_shown_as_system = text(message, "/metadata/displayRole").as_deref() == Some("system");
    match message.get("role").and_then(Value::as_str) {
        Some("user") if form == Form::Older => {
            said.append(&mut content.outcomes);
            let texts = spoken(&content.texts);
            if !texts.is_empty() {
                said.push(Said::Human(Part { turn: turn.clone(), texts, at, ..Part::default() }));
            }
        }
        Some("user") if !content.outcomes.is_empty() => said.append(&mut content.outcomes),
        Some("user") if is_shown_as_system => {}
        Some("user") => {
            said.push(Said::Human(Part { turn: turn.clone(), texts: content.texts, at, ..Part::default() }));
        }
        Some("assistant") => {
            let mut calls = content.calls;
            let mut texts = content.texts;
            if form == Form::Older {
                said.push(Said::Close);
                calls.extend(texts.iter().flat_map(|text| called(text)));
                texts = texts.iter().map(|text| told(text)).collect();
            }
            said.push(Said::Agent(Part {
                turn: turn.clone(),
                texts,
                at,
                model: text(message, "/modelInfo/id").or_else(|| text(message, "/modelInfo/modelId")),
                calls,
                growth: Growth::Adds,
            }));
        }
        _ => {}
    }
    Element::new(turn.or_else(|| older_name(message, form)), said)
}

/// An older message without a name is known by all that it holds, since most of it is not said by anybody.
fn older_name(message: &Value, form: Form) -> Option<String> {
    let content = message.get("content").filter(|_| form == Form::Older)?;
    Some(blake3::hash(content.to_string().as_bytes()).to_hex().to_string())
}

/// The person's words among the texts of an older message.
fn spoken(texts: &[String]) -> Vec<String> {
    let mut words = Vec::new();
    let mut is_output = false;
    for text in texts {
        let text = text.trim();
        if let Some(header) = text.strip_prefix('[').filter(|_| text.contains("] Result:")) {
            let tool = header.split([' ', ']']).next().unwrap_or_default();
            is_output = !ANSWERED.contains(&tool);
            // Some versions write what came out into the same text.
            let (_, rest) = text.split_once("] Result:").unwrap_or_default();
            words.extend(own(rest.trim()).filter(|_| !is_output));
        } else if !is_output {
            words.extend(own(text));
        }
    }
    words
}

/// The words that the client put into a tag, where its own text leads to them.
fn own(text: &str) -> Option<String> {
    let is_led = LEADS.iter().any(|lead| text.starts_with(lead));
    let begins =
        |tag: &&&str| !text.starts_with('<') || text.get(1..).is_some_and(|it| it.starts_with(**tag));
    let tag = WORDS.iter().filter(begins).find(|tag| is_led && inside_block(text, tag).is_some())?;
    inside_block(text, tag).map(str::to_owned)
}

/// The folder that the client names at the beginning of a task.
fn folder(first: &Value) -> Option<String> {
    let content = Content::of(first.get("content")?);
    let details = content.texts.iter().find(|text| text.trim_start().starts_with("<environment_details>"))?;
    let (_, rest) = details.split_once("# Current Working Directory (")?;
    let line = rest.lines().next()?;
    let path = line.split_once(") Files").map(|(path, _)| path).or_else(|| Some(line.rsplit_once(')')?.0))?;
    Some(path.to_owned()).filter(|path| !path.is_empty())
}

/// The tools that an older text calls.
fn called(text: &str) -> Vec<Call> {
    let call = |name: &&str| {
        let inside = inside_block(text, name)?;
        let field = |tag: &str| inside_block(inside, tag).map(str::trim);
        Some(ended(tool(name, &json!({"path": field("path"), "command": field("command")})), None))
    };
    CALLED.iter().filter_map(call).collect()
}

/// What an older text says to the person.
fn told(text: &str) -> String {
    let mut own = strip_block(text, "thinking").into_owned();
    for tag in CALLED {
        own = strip_block(&own, tag).into_owned();
    }
    for tag in ["attempt_completion", "ask_followup_question", "plan_mode_respond"] {
        let inside = inside_block(&own, tag).map(|inside| {
            TOLD.iter().find_map(|told| inside_block(inside, told)).unwrap_or_default().to_owned()
        });
        if let Some(inside) = inside {
            own = format!("{}{inside}", strip_block(&own, tag));
        }
    }
    own
}
