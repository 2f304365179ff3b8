//! Conversations kept as markdown: Aider's history and SpecStory's files.
//!
//! Both are made for people, so what is a tool's output is told by its form: quoted lines in the one, blocks of a tag
//! in the other.

use memory_core::session::{ToolCall, strip_block};
use memory_core::time::Time;

use super::blocks::ended;
use super::said::{Call, Facts, Growth, Part, Said};
use super::whole::{Element, Whole};

/// Commands of Aider that are followed by words for the agent.
const ASKING: [&str; 4] = ["/ask ", "/code ", "/architect ", "/context "];

/// What Aider's history holds. A session is named by the time at which it began.
pub(super) fn aider(bytes: &[u8]) -> Option<Whole> {
    let text = String::from_utf8_lossy(bytes);
    let mut chat = Chat::default();
    let mut in_code = false;
    for line in text.lines() {
        let is_fence = line.starts_with("```");
        if let Some(began) = line.strip_prefix("# aider chat started at ") {
            in_code = false;
            chat.end();
            chat.is_asked = false;
            let session = Some(began.trim().to_owned());
            chat.began = Time::parse(&began.trim().replace(' ', "T"));
            chat.elements.push(Element::new(
                session.clone(),
                vec![Said::Facts(Facts { session, ..Facts::default() })],
            ));
        } else if let Some(words) = line.strip_prefix("####").filter(|_| line.ends_with("  ")) {
            // The two blanks at the end tell a person's line from a heading, also where a fence was left open.
            in_code = false;
            if chat.speaker != Speaker::Human {
                chat.end();
                chat.speaker = Speaker::Human;
            }
            chat.push(words.trim());
        } else if line.starts_with("> Tokens: ") {
            // The count of tokens ends every answer, also one whose last fence is missing.
            in_code = false;
            chat.is_over = true;
        } else if line.starts_with('>') && !in_code {
            if chat.speaker == Speaker::Human {
                chat.end();
            }
            chat.status(line.trim_start_matches('>').trim());
        } else {
            // Blank lines of a person have the mark too.
            if chat.speaker == Speaker::Human {
                chat.end();
            }
            if chat.is_over && !line.trim().is_empty() {
                chat.end();
            }
            if chat.speaker == Speaker::Nobody && chat.is_asked {
                chat.speaker = Speaker::Agent;
            }
            in_code ^= is_fence;
            if chat.speaker == Speaker::Agent {
                chat.push(line);
            }
        }
    }
    chat.end();
    Some(Whole { elements: chat.elements, ..Whole::default() })
}

#[derive(Default, PartialEq)]
enum Speaker {
    #[default]
    Nobody,
    Human,
    Agent,
}

#[derive(Default)]
struct Chat {
    elements: Vec<Element>,
    speaker: Speaker,
    text: String,
    calls: Vec<Call>,
    /// Whether the agent was asked something; what follows a command is the output of that.
    is_asked: bool,
    /// When the chat began, as its clock showed it; single messages have no time.
    began: Option<Time>,
    /// Whether the answer is over; what the program did with it may follow.
    is_over: bool,
}

impl Chat {
    fn push(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    /// A line of the program itself; a few of them tell of edits and models.
    fn status(&mut self, line: &str) {
        if let Some(path) = line.strip_prefix("Applied edit to ") {
            let paths = vec![path.to_owned()];
            let tool = ToolCall { name: "edit".to_owned(), paths, ..ToolCall::default() };
            self.calls.push(ended(tool, Some(false)));
        } else if let Some(rest) = line.strip_prefix("Model: ").or_else(|| line.strip_prefix("Main model: "))
        {
            self.model(rest);
        } else if let Some(rest) = line.strip_prefix("Models: ") {
            self.model(rest);
        }
    }

    fn model(&mut self, rest: &str) {
        self.end();
        let model = rest.split([' ', ',']).next().map(str::to_owned);
        self.elements.push(Element::new(None, vec![Said::Facts(Facts { model, ..Facts::default() })]));
    }

    fn end(&mut self) {
        self.is_over = false;
        let text = std::mem::take(&mut self.text);
        let calls = std::mem::take(&mut self.calls);
        match std::mem::take(&mut self.speaker) {
            Speaker::Human => {
                let asked = ASKING.iter().find_map(|command| text.strip_prefix(command));
                let words = asked.or((!text.starts_with(['/', '!'])).then_some(text.as_str()));
                self.is_asked = words.is_some();
                // A command is no words of a person, but it ends what was said before.
                let said = words.map_or(Said::Close, |words| {
                    let texts = vec![words.trim().to_owned()];
                    Said::Human(Part { texts, at: self.began, ..Part::default() })
                });
                self.elements.push(Element::new(None, vec![said]));
            }
            Speaker::Agent => {
                // Blank lines come to it when the next chat begins, and it is the same answer.
                let (texts, at) = (vec![text.trim().to_owned()], self.began);
                let part = Part { texts, at, calls, growth: Growth::Adds, ..Part::default() };
                self.elements.push(Element::new(None, vec![Said::Close, Said::Agent(part)]));
            }
            Speaker::Nobody => {}
        }
    }
}

/// What a file of SpecStory holds.
pub(super) fn specstory(bytes: &[u8]) -> Option<Whole> {
    let text = String::from_utf8_lossy(bytes);
    let mut whole = Whole::default();
    let mut section: Option<(String, String)> = None;
    for line in text.lines() {
        let heading = line.strip_prefix("_**").and_then(|rest| rest.trim_end().strip_suffix("**_"));
        if let Some(heading) = heading.filter(|it| it.starts_with("User") || it.starts_with("Agent")) {
            whole.elements.extend(section.take().map(spoken));
            section = Some((heading.to_owned(), String::new()));
        } else if let Some((_, words)) = &mut section {
            words.push_str(line);
            words.push('\n');
        } else if let Some((_, rest)) = line.split_once(" Session ").filter(|_| line.starts_with("<!--")) {
            whole.facts.session = rest.split_whitespace().next().map(str::to_owned);
        }
    }
    whole.elements.extend(section.map(spoken));
    Some(whole)
}

/// A section: `User (time)`, or `Agent (model time)` with tools in it.
fn spoken((heading, words): (String, String)) -> Element {
    let inside = heading.split_once('(').and_then(|(_, rest)| rest.strip_suffix(')')).unwrap_or_default();
    let (before, at) =
        match inside.len().checked_sub(20).and_then(|at| Some((inside.get(..at)?, inside.get(at..)?))) {
            Some((before, time)) if Time::parse(time).is_some() => (before.trim(), Time::parse(time)),
            _ => (inside, None),
        };
    let words = words.trim().trim_end_matches("---").trim_end();
    if heading.starts_with("User") {
        let texts = vec![words.to_owned()];
        return Element::new(None, vec![Said::Human(Part { texts, at, ..Part::default() })]);
    }
    let mut calls: Vec<Call> = words.split("<tool-use").skip(1).map(tool_block).collect();
    let without = strip_block(&strip_block(words, "tool-use"), "think").into_owned();
    // The older form has a section of its own for each call.
    let (text, older) =
        without.split_once("Tool use: **").map_or((&*without, None), |(text, rest)| (text, Some(rest)));
    calls.extend(older.map(older_tool));
    let model = Some(before.to_owned()).filter(|model| !model.is_empty());
    let texts = vec![text.to_owned()];
    let part = Part { texts, at, model, calls, growth: Growth::Adds, ..Part::default() };
    Element::new(None, vec![Said::Close, Said::Agent(part)])
}

fn tool_block(block: &str) -> Call {
    let block = block.split("</tool-use>").next().unwrap_or_default();
    let named =
        |key: &str| block.split_once(key).and_then(|(_, rest)| rest.split('"').next()).unwrap_or_default();
    let is_shell = named("data-tool-type=\"") == "shell";
    let mut tool = ToolCall { name: named("data-tool-name=\"").to_owned(), ..ToolCall::default() };
    let fenced = block.split_once("```bash\n").and_then(|(_, rest)| rest.split("\n```").next());
    let quoted = block.split("```").next().and_then(|head| head.split('`').nth(1));
    match fenced.or(quoted).map(|text| text.trim().to_owned()) {
        Some(text) if is_shell => tool.command = Some(text),
        Some(text) if !text.starts_with('[') => tool.paths.push(text),
        _ => {}
    }
    ended(tool, None)
}

fn older_tool(rest: &str) -> Call {
    let (name, rest) = rest.split_once("**").unwrap_or((rest, ""));
    let quoted = rest.split("Result:").next().and_then(|head| head.split('`').nth(1)).map(str::to_owned);
    let mut tool = ToolCall { name: name.to_owned(), ..ToolCall::default() };
    if name == "Bash" {
        tool.command = quoted;
    } else {
        tool.paths.extend(quoted);
    }
    ended(tool, None)
}
