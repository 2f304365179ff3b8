//! The trail of a session: what a handoff and a snapshot need of it, gathered message by message, so that a long
//! transcript is never read again for them.
//!
//! Everything in it is bounded. A handoff says what was requested, what was done, what is open, where, and what was
//! said last; the same trail gives the same text.

use serde::{Deserialize, Serialize};

use super::saved::{SNAPSHOT_MESSAGES, Said, Saved};
use super::{Message, Role, ToolCall};
use crate::scope::SourceClass;
use crate::time::Time;

/// Characters of one message that are kept for a snapshot.
const MESSAGE_CHARS: usize = 4000;
/// Files that are named, the last ones touched.
const MOST_FILES: usize = 12;
/// Commands that are named, the last of each.
const MOST_COMMANDS: usize = 4;
/// Open points that are named.
const MOST_OPEN: usize = 8;
/// Of so many last messages the requests and answers are told.
const RECENT: usize = 6;

/// The field that marks a message of a snapshot as the words of an agent that had read texts of strangers.
pub const UNTRUSTED: &str = "untrusted";

/// What is remembered of a session while it goes on.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Trail {
    /// Messages so far that said something.
    pub messages: usize,
    /// When the last one was said, where the transcript tells.
    pub last: Option<i64>,
    /// The model that answered last.
    pub model: Option<String>,
    /// Whether the agent read texts of strangers, so that its words cannot be trusted from then on.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub untrusted: bool,
    /// No word of it is trusted more than this, where anything limits that.
    #[serde(skip_serializing_if = "Option::is_none")]
    most: Option<SourceClass>,
    /// What the person asked for first.
    first: String,
    /// The last messages.
    tail: Vec<(Role, String)>,
    /// Files that were written.
    files: Vec<String>,
    /// Commands that check something, and whether they failed.
    commands: Vec<(String, bool)>,
    /// What is still open.
    open: Vec<String>,
}

impl Trail {
    /// Trusts no word of the session more than this from now on.
    pub fn limit(&mut self, most: SourceClass) {
        if most < SourceClass::Human {
            self.most = Some(self.at_most(most));
        }
    }

    /// How far words of this class are trusted in this session.
    pub fn at_most(&self, class: SourceClass) -> SourceClass {
        self.most.map_or(class, |most| class.min(most))
    }

    /// Takes a message in.
    pub fn add(&mut self, message: &Message) {
        for call in &message.tools {
            self.add_call(call, message.cwd.as_deref());
        }
        if let Some(model) = message.model.as_ref().filter(|_| message.role == Role::Agent) {
            self.model = Some(model.clone());
        }
        let text = message.text.trim();
        if text.is_empty() {
            return;
        }
        self.messages += 1;
        if let Some(at) = message.at {
            self.last = Some(at.0);
        }
        if self.first.is_empty() && message.role == Role::User {
            self.first = clipped(text, 200);
        }
        let clipped: String = text.chars().take(MESSAGE_CHARS).collect();
        self.tail.push((message.role, clipped));
        let over = self.tail.len().saturating_sub(SNAPSHOT_MESSAGES);
        self.tail.drain(..over);
    }

    /// After so many messages some came again, because the transcript was written anew and read from its beginning, or
    /// because hooks had told them: those count once. Of an answer, hooks may have told the last part.
    pub fn read_again(&mut self, before: usize) {
        let added = self.messages.saturating_sub(before);
        let again = self.tail.split_off(self.tail.len().saturating_sub(added));
        let had = self.tail.len();
        let came_again = |said: &(Role, String)| {
            again.iter().any(|(role, text)| {
                let end = text.strip_suffix(said.1.as_str()).filter(|_| *role == said.0);
                end.is_some_and(|rest| rest.is_empty() || rest.ends_with("\n\n"))
            })
        };
        self.tail.retain(|said| !came_again(said));
        self.messages -= had - self.tail.len();
        self.tail.extend(again);
    }

    fn add_call(&mut self, call: &ToolCall, cwd: Option<&str>) {
        if writes(&call.name) {
            for path in &call.paths {
                let inside = cwd
                    .and_then(|cwd| path.strip_prefix(cwd))
                    .map(|rest| rest.trim_start_matches(['/', '\\']));
                latest(&mut self.files, inside.unwrap_or(path).to_owned(), MOST_FILES);
            }
        }
        if let Some((command, failed)) =
            call.command.as_deref().zip(call.failed).filter(|(command, _)| checks(command))
        {
            let command = clipped(command, 80);
            self.commands.retain(|(known, _)| *known != command);
            self.commands.push((command, failed));
            let over = self.commands.len().saturating_sub(MOST_COMMANDS);
            self.commands.drain(..over);
        }
    }

    /// Notes something that is still to be done.
    pub fn add_open(&mut self, text: &str) {
        let text = clipped(text.trim_start_matches("- [ ]").trim(), 160);
        if !text.is_empty() {
            latest(&mut self.open, text, MOST_OPEN);
        }
    }

    /// Notes that something is done that was open.
    pub fn close_open(&mut self, text: &str) {
        let text = clipped(text.trim(), 160);
        self.open.retain(|open| *open != text);
    }

    /// Whether there is enough to hand over: somebody asked and somebody answered.
    pub fn is_worth_a_handoff(&self) -> bool {
        self.messages >= 2
    }

    /// The handoff.
    pub fn handoff(&self) -> String {
        let recent = &self.tail[self.tail.len().saturating_sub(RECENT)..];
        let of = |role: Role, chars: usize| -> Vec<String> {
            let texts: Vec<&String> =
                recent.iter().filter(|said| said.0 == role).map(|said| &said.1).collect();
            texts[texts.len().saturating_sub(2)..].iter().map(|text| clipped(text, chars)).collect()
        };
        let mut requested = of(Role::User, 150);
        if !self.first.is_empty()
            && !requested.iter().any(|text| self.first.starts_with(text.trim_end_matches('…')))
        {
            requested.insert(0, self.first.clone());
        }
        let commands = self
            .commands
            .iter()
            .map(|(command, failed)| format!("`{command}` {}", if *failed { "failed" } else { "passed" }));
        let mut text = format!("Auto-handoff ({} messages).", self.messages);
        let mut section = |title: &str, body: String| {
            if !body.is_empty() {
                text.push_str(&format!("\n\n### {title}\n{body}"));
            }
        };
        let listed = |items: &mut dyn Iterator<Item = String>| {
            items.map(|item| format!("- {item}")).collect::<Vec<_>>().join("\n")
        };
        section("What was requested", requested.join("; "));
        section("What was done", of(Role::Agent, 300).join("; "));
        section("What is open", listed(&mut self.open.iter().cloned()));
        section("Checks", listed(&mut commands.into_iter()));
        section("Files touched", listed(&mut self.files.iter().map(|file| format!("`{file}`"))));
        let last = self.tail.last().map(|(role, text)| format!("{}: {}", role.word(), clipped(text, 200)));
        section("Last message", last.unwrap_or_default());
        text
    }

    /// The snapshot of the session. An agent's words that cannot be trusted are marked.
    pub fn snapshot(&self, agent: &str, chat: Option<&str>, now: Time) -> Saved {
        let said = |(role, text): &(Role, String)| {
            let mut said = Said::new(*role, text);
            if self.untrusted && *role == Role::Agent {
                said.extra.insert(UNTRUSTED.to_owned(), true.into());
            }
            said
        };
        Saved {
            agent: Some(agent.to_owned()),
            saved: Some(now),
            messages: self.tail.iter().map(said).collect(),
            chat: chat.map(str::to_owned),
            model: self.model.clone(),
        }
    }
}

/// Puts something at the end of a list that holds each once and only so many.
fn latest(list: &mut Vec<String>, item: String, most: usize) {
    list.retain(|known| *known != item);
    list.push(item);
    let over = list.len().saturating_sub(most);
    list.drain(..over);
}

/// A text on one line, cut at a word.
fn clipped(text: &str, chars: usize) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= chars {
        return line;
    }
    let cut: String = line.chars().take(chars.saturating_sub(1)).collect();
    let whole = cut.rsplit_once(' ').map_or(cut.as_str(), |(whole, _)| whole);
    format!("{}…", if whole.is_empty() { &cut } else { whole })
}

/// Whether a tool of this name changes files.
fn writes(name: &str) -> bool {
    let name = name.to_lowercase();
    let words = ["edit", "write", "patch", "create", "replace", "insert", "delete", "rename", "move", "save"];
    words.iter().any(|word| name.contains(word)) && !name.contains("todo")
}

/// Whether a command line checks the work.
fn checks(command: &str) -> bool {
    let command = command.to_lowercase();
    ["test", "check", "lint", "clippy", "build", "tsc", "mypy", "verify", "compile"]
        .iter()
        .any(|word| command.split(|c: char| !c.is_alphanumeric()).any(|part| part.starts_with(word)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_read_again_counts_once() {
        let say = |trail: &mut Trail, from: usize, to: usize| {
            (from..to).for_each(|n| trail.add(&Message::new(Role::User, &format!("message {n}"))));
        };
        let mut trail = Trail::default();
        say(&mut trail, 0, 24);
        let mut again = trail.clone();
        say(&mut again, 10, 26);
        again.read_again(24);
        say(&mut trail, 24, 26);
        assert_eq!(again, trail);
        // Hooks told an answer's last part before.
        let mut answered = trail.clone();
        answered.add(&Message::new(Role::Agent, "It is done."));
        answered.add(&Message::new(Role::User, "It is done."));
        answered.add(&Message::new(Role::Agent, "I look.\n\nIt is done."));
        answered.read_again(28);
        let said: Vec<&str> = answered.tail[26..].iter().map(|said| said.1.as_str()).collect();
        assert_eq!((answered.messages, said), (28, vec!["It is done.", "I look.\n\nIt is done."]));
        // Nothing of it was there before.
        let mut other = trail.clone();
        say(&mut other, 40, 43);
        let before = other.clone();
        other.read_again(26);
        assert_eq!(other, before);
    }

    fn told() -> Trail {
        let mut trail = Trail::default();
        trail.add(&Message::new(Role::User, "Please add a cache to the login page"));
        for n in 0..4 {
            trail.add(&Message::new(Role::Agent, &format!("step {n} is done")));
            trail.add(&Message::new(Role::User, &format!("now step {}", n + 1)));
        }
        let call = |name: &str, path: &str, command: Option<&str>| ToolCall {
            name: name.into(),
            paths: vec![path.into()],
            command: command.map(str::to_owned),
            failed: command.map(|command| command.contains("bad")),
        };
        let mut last = Message::new(Role::Agent, "The cache\nis in.");
        last.cwd = Some("/home/ana/shop".into());
        last.tools = vec![
            call("Edit", "/home/ana/shop/src/login.rs", None),
            call("Read", "/home/ana/shop/src/other.rs", None),
            call("Write", "/home/ana/shop/src/cache.rs", None),
            call("Edit", "/home/ana/shop/src/login.rs", None),
            call("Bash", "", Some("cargo test --bad")),
            call("Bash", "", Some("ls")),
        ];
        trail.add(&last);
        trail.add_open("- [ ] write the docs");
        trail
    }

    #[test]
    fn a_handoff_says_what_was_asked_done_open_and_where() {
        let expect = "Auto-handoff (10 messages).\n\n\
            ### What was requested\nPlease add a cache to the login page; now step 3; now step 4\n\n\
            ### What was done\nstep 3 is done; The cache is in.\n\n\
            ### What is open\n- write the docs\n\n\
            ### Checks\n- `cargo test --bad` failed\n\n\
            ### Files touched\n- `src/cache.rs`\n- `src/login.rs`\n\n\
            ### Last message\nagent: The cache is in.";
        assert_eq!(told().handoff(), expect);
    }

    #[test]
    fn a_trail_survives_its_file_and_stays_small() {
        let mut trail = told();
        let again: Trail = serde_json::from_str(&serde_json::to_string(&trail).unwrap()).unwrap();
        assert_eq!(again, trail);
        for n in 0..500 {
            trail.add(&Message::new(Role::User, &format!("{n} {}", "é".repeat(10_000))));
            trail.add_open(&format!("point {n}"));
        }
        assert!(serde_json::to_string(&trail).unwrap().len() < 50 * (2 * MESSAGE_CHARS + 100));
        let snapshot = trail.snapshot("dev", Some("c1"), Time(5));
        assert_eq!((snapshot.messages.len(), snapshot.chat.as_deref()), (50, Some("c1")));
    }

    #[test]
    fn one_message_is_no_session() {
        let mut trail = Trail::default();
        trail.add(&Message::new(Role::User, "hello"));
        trail.add(&Message::new(Role::Agent, "  "));
        assert!(!trail.is_worth_a_handoff());
    }
}
