//! What the scripted model says: for each prompt that it knows one shell command, and after that one final text.
//!
//! What to say hangs on the request alone, as with a real model: a client that forgets its history, or asks twice,
//! gets the same answer again.

use serde_json::{Map, Value, json};

/// A prompt and what the model says to it in the end.
pub(in crate::clients) struct Exchange {
    pub prompt: &'static str,
    pub says: &'static str,
    /// A part of what is said that a memory of the decision must hold, and that nothing else holds.
    pub decision: &'static str,
    /// The same for the lesson, where there is one.
    pub lesson: Option<&'static str>,
}

/// The first is said in a new session, the second continues it.
pub(in crate::clients) const SCRIPT: &[Exchange] = &[
    Exchange {
        prompt: "Read greeting.txt and tell me what we settled about the session store.",
        says: "The file says hello-from-tool. We decided to keep sessions in SQLite because the proxy drops idle \
               sockets. The problem was that the pool handed out connections which the proxy had closed; the fix \
               was to test each connection before use.",
        decision: "keep sessions in SQLite",
        lesson: Some("the pool handed out connections"),
    },
    Exchange {
        prompt: "Read greeting.txt once more and tell me what we settled about the preview server.",
        says: "Still hello-from-tool. We decided to serve previews on port 4173 because port 8080 belongs to the \
               proxy.",
        decision: "serve previews on port 4173",
        lesson: None,
    },
];

/// The command that the model wants to run, and what is in the file that it reads.
pub(in crate::clients) const COMMAND: &str = "cat greeting.txt";
pub(in crate::clients) const GREETING: &str = "hello-from-tool\n";

/// What clients call the tool that runs a shell command.
const SHELLS: &[&str] = &[
    "Bash",
    "bash",
    "shell",
    "shell_command",
    "exec_command",
    "local_shell",
    "run_shell_command",
    "execute_command",
    "run_commands",
];

/// The answer to questions beside the conversation, such as a title for it.
const ASIDE: &str = "Session store";

/// A request in the one form that all protocols are read into.
#[derive(Debug, Default, Clone, PartialEq)]
pub(super) struct Asked {
    /// What the user's side said and what tools gave back, in its order.
    pub heard: Vec<Heard>,
    pub tools: Vec<Tool>,
    pub form: Form,
    pub flow: Flow,
    pub model: String,
}

/// A part of a conversation that the model hears.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Heard {
    User(String),
    Result,
}

/// A tool that the client offers, with the names of its arguments.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Tool {
    pub name: String,
    pub arguments: Map<String, Value>,
}

/// The form in which the answer is wanted.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    #[default]
    Text,
    Json,
}

/// Whether the answer is wanted piece by piece.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) enum Flow {
    #[default]
    Whole,
    Stream,
}

impl Flow {
    /// The flow that a request's `stream` asks for.
    pub(super) fn of(request: &Value) -> Self {
        if request["stream"] == true { Self::Stream } else { Self::Whole }
    }
}

/// What the model answers.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Said {
    Text(String),
    Call { name: String, arguments: Value },
}

/// The answer to a request.
pub(super) fn answer(asked: &Asked) -> Said {
    if asked.form == Form::Json {
        // Gemini asks itself who speaks next and which model to take.
        let chosen = json!({
            "reasoning": "scripted", "next_speaker": "user", "model_choice": "flash",
            "complexity_score": 10, "complexity_reasoning": "scripted",
        });
        return Said::Text(chosen.to_string());
    }
    let shell = asked.tools.iter().find(|tool| SHELLS.contains(&tool.name.as_str()));
    match (progress(&asked.heard), shell) {
        // A request without tools is about the conversation, not in it.
        (None, _) | (_, None) => Said::Text(ASIDE.to_owned()),
        (Some((exchange, Step::Read)), Some(_)) => Said::Text(exchange.says.to_owned()),
        (Some((_, Step::Asked)), Some(tool)) => Said::Call { name: tool.name.clone(), arguments: call(tool) },
    }
}

/// How far an exchange has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step {
    Asked,
    /// The file has been read.
    Read,
}

/// The latest exchange, and how far it has come. A prompt that is repeated begins nothing anew, and results of earlier
/// exchanges do not count, however often a client repeats them.
fn progress(heard: &[Heard]) -> Option<(&'static Exchange, Step)> {
    let mut latest: Option<(usize, Step)> = None;
    for part in heard {
        match part {
            Heard::Result => latest = latest.map(|(number, _)| (number, Step::Read)),
            Heard::User(text) => {
                let asked = SCRIPT.iter().rposition(|exchange| text.contains(exchange.prompt));
                if let Some(number) = asked.filter(|number| latest.is_none_or(|(before, _)| *number > before))
                {
                    latest = Some((number, Step::Asked));
                }
            }
        }
    }
    latest.map(|(number, step)| (&SCRIPT[number], step))
}

/// The command in the arguments that this tool takes.
fn call(tool: &Tool) -> Value {
    let mut arguments = Map::new();
    let mut put = |name: &str, value: Value| drop(arguments.insert(name.to_owned(), value));
    for (name, shape) in &tool.arguments {
        match name.as_str() {
            "cmd" => put(name, json!(COMMAND)),
            "command" if shape["type"] == "array" => put(name, json!(["bash", "-lc", COMMAND])),
            "command" => put(name, json!(COMMAND)),
            "commands" => put(name, json!([COMMAND])),
            "description" => put(name, json!("Read the greeting")),
            "is_background" | "requires_approval" => put(name, json!(false)),
            _ => {}
        }
    }
    Value::Object(arguments)
}

/// Reads a tool from its name and the schema of its arguments.
pub(super) fn tool(name: &Value, schema: &Value) -> Option<Tool> {
    let arguments = schema["properties"].as_object().cloned().unwrap_or_default();
    Some(Tool { name: name.as_str()?.to_owned(), arguments })
}

/// What is heard in a message's content, which is a string or a list of parts.
pub(super) fn heard(content: &Value) -> Vec<Heard> {
    match content {
        Value::String(text) => vec![Heard::User(text.clone())],
        Value::Array(parts) => parts.iter().filter_map(part).collect(),
        _ => Vec::new(),
    }
}

fn part(part: &Value) -> Option<Heard> {
    // The two ways in which a result of a tool is part of a message.
    if part["type"] == "tool_result" || part.get("functionResponse").is_some() {
        return Some(Heard::Result);
    }
    part["text"].as_str().map(|text| Heard::User(text.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(heard: &[&str], tool_name: &str, expect: &Said) {
        let schema =
            json!({"properties": {"command": {"type": "string"}, "is_background": {}, "timeout": {}}});
        let asked = Asked {
            heard: heard
                .iter()
                .map(|&it| if it == "#" { Heard::Result } else { Heard::User(it.to_owned()) })
                .collect(),
            tools: tool(&json!(tool_name), &schema).into_iter().collect(),
            ..Asked::default()
        };
        assert_eq!(answer(&asked), *expect, "{heard:?} {tool_name}");
    }

    #[test]
    fn a_command_first_then_the_text_and_so_again_for_the_second_prompt() {
        let (one, two) = (SCRIPT[0].prompt, SCRIPT[1].prompt);
        let quoted = format!("\"{one}\"");
        let called = Said::Call {
            name: "Bash".to_owned(),
            arguments: json!({"command": COMMAND, "is_background": false}),
        };
        let says = |text: &str| Said::Text(text.to_owned());
        check(&[one], "Bash", &called);
        check(&["<reminder>", &quoted], "Bash", &called);
        check(&[one, "#"], "Bash", &says(SCRIPT[0].says));
        check(&[one, "#", "<reminder>"], "Bash", &says(SCRIPT[0].says));
        check(&[one, "#", one], "Bash", &says(SCRIPT[0].says));
        check(&[one, "#", "#", two], "Bash", &called);
        check(&[one, "#", two, "#"], "Bash", &says(SCRIPT[1].says));
        check(&[two, "#"], "Bash", &says(SCRIPT[1].says));
        check(&[one], "Read", &says(ASIDE));
        check(&["Write a title."], "Bash", &says(ASIDE));
    }

    #[test]
    fn the_command_stands_where_the_tool_wants_it() {
        for (arguments, expect) in [
            (json!({"cmd": {}}), json!({"cmd": COMMAND})),
            (json!({"command": {"type": "array"}}), json!({"command": ["bash", "-lc", COMMAND]})),
            (
                json!({"commands": {}, "requires_approval": {}}),
                json!({"commands": [COMMAND], "requires_approval": false}),
            ),
        ] {
            let tool = tool(&json!("shell"), &json!({"properties": arguments.clone()})).unwrap();
            assert_eq!(call(&tool), expect, "{arguments}");
        }
    }

    #[test]
    fn no_prompt_tells_what_is_learned_and_each_thing_is_in_one_text() {
        for words in SCRIPT.iter().flat_map(|exchange| exchange.lesson.into_iter().chain([exchange.decision]))
        {
            assert!(SCRIPT.iter().all(|other| !other.prompt.contains(words)));
            assert_eq!(SCRIPT.iter().filter(|other| other.says.contains(words)).count(), 1);
        }
    }
}
