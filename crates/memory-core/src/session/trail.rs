//! The trail of a session: what a handoff and a snapshot need of it, gathered message by message, so that a long
//! transcript is never read again for them.
//!
//! Everything in it is bounded. What is told of it later as somebody's words is theirs: of a person's message only what
//! they said themselves is kept in its turns.

use serde::{Deserialize, Serialize};

use super::checks::checks;
use super::saved::{SNAPSHOT_MESSAGES, Said, Saved};
use super::{Message, Role, ToolCall};
use crate::scope::SourceClass;
use crate::task;
use crate::time::Time;

/// Characters of one message that are kept for a snapshot.
const MESSAGE_CHARS: usize = 4000;
/// Files that are named, the last ones touched.
const MOST_FILES: usize = 12;
/// Commands that are named, the last of each.
const MOST_COMMANDS: usize = 4;
/// Open points that are named.
const MOST_OPEN: usize = 8;
/// Characters of a request and of an answer that are kept for a handoff.
const TURN_CHARS: usize = 400;
/// Texts that memories tell by themselves.
const MOST_KEPT: usize = 40;

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
    /// What the person asked for first, in their own words.
    pub(crate) first: String,
    /// The last requests, each with what came of it.
    pub(crate) turns: Vec<Turn>,
    /// What was taken out of the session and is told as memories.
    pub(crate) kept: Vec<String>,
    /// The last messages.
    tail: Vec<(Role, String)>,
    /// Files that were written.
    pub(crate) files: Vec<String>,
    /// Commands that check something, and whether they failed.
    pub(crate) commands: Vec<(String, bool)>,
    /// What is still open.
    pub(crate) open: Vec<String>,
}

/// A request and what came of it.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Turn {
    /// How many messages there were with it.
    at: usize,
    /// What the person said in their own words; empty where that is nothing.
    pub(crate) asked: String,
    /// What the agent said last.
    pub(crate) said: String,
    /// Whether the agent changed files or checked its work.
    pub(crate) worked: bool,
}

impl Trail {
    /// Trusts no word of the session more than this from now on.
    pub fn limit(&mut self, most: SourceClass) {
        if most < SourceClass::Human {
            self.most = Some(self.at_most(most));
        }
    }

    /// The trail of another conversation that is trusted as far.
    #[must_use]
    pub fn anew(&self) -> Self {
        Self { most: self.most, ..Self::default() }
    }

    /// How far words of this class are trusted in this session.
    pub fn at_most(&self, class: SourceClass) -> SourceClass {
        self.most.map_or(class, |most| class.min(most))
    }

    /// Takes a message in. `own` is what a person said in it themselves.
    pub fn add(&mut self, message: &Message, own: &str) {
        for call in &message.tools {
            if self.add_call(call, message.cwd.as_deref()) {
                self.turn().worked = true;
            }
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
        match message.role {
            Role::User => {
                let asked = clipped_lines(own);
                if self.first.is_empty() {
                    self.first.clone_from(&asked);
                }
                self.turns.push(Turn { at: self.messages, asked, ..Turn::default() });
                let over = self.turns.len().saturating_sub(SNAPSHOT_MESSAGES);
                self.turns.drain(..over);
            }
            Role::Agent => self.turn().said = clipped_lines(text),
        }
        let clipped: String = text.chars().take(MESSAGE_CHARS).collect();
        self.tail.push((message.role, clipped));
        let over = self.tail.len().saturating_sub(SNAPSHOT_MESSAGES);
        self.tail.drain(..over);
    }

    /// The turn that goes on.
    fn turn(&mut self) -> &mut Turn {
        if self.turns.is_empty() {
            self.turns.push(Turn { at: self.messages, ..Turn::default() });
        }
        let last = self.turns.len() - 1;
        &mut self.turns[last]
    }

    /// Notes a text that is told as a memory, so that a handoff need not tell it, too: a memory may be superseded or
    /// forgotten, and what was handed over stays as it is.
    pub fn add_kept(&mut self, text: &str) {
        latest(&mut self.kept, clipped(text, TURN_CHARS), MOST_KEPT);
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
        let twice = had - self.tail.len();
        self.messages -= twice;
        self.tail.extend(again);
        let mut turns = std::mem::take(&mut self.turns);
        let again = turns.split_off(turns.iter().position(|turn| turn.at > before).unwrap_or(turns.len()));
        let same = |one: &Turn, other: &Turn| {
            one.asked == other.asked && (!one.asked.is_empty() || one.said == other.said)
        };
        turns.retain(|turn| !again.iter().any(|later| same(turn, later)));
        turns.extend(again.into_iter().map(|turn| Turn { at: turn.at.saturating_sub(twice), ..turn }));
        self.turns = turns;
    }

    /// Takes a call in; whether it changed files or checked something.
    fn add_call(&mut self, call: &ToolCall, cwd: Option<&str>) -> bool {
        let writes = writes(&call.name);
        if writes {
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
            return true;
        }
        writes
    }

    /// Notes something that is still to be done.
    pub fn add_open(&mut self, text: &str) {
        let text = clipped(task::parse(text).map_or(text, |task| task.words), 160);
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

/// The beginning of a text for a turn, its lines as they are.
fn clipped_lines(text: &str) -> String {
    let lines = text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "));
    let text = lines.filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n");
    match text.char_indices().nth(TURN_CHARS) {
        None => text,
        Some((at, _)) => {
            let cut = text.get(..at).unwrap_or_default();
            let whole = cut.rfind(char::is_whitespace).and_then(|at| cut.get(..at)).unwrap_or(cut);
            format!("{whole}…")
        }
    }
}

/// A text on one line, cut at a word.
pub(crate) fn clipped(text: &str, chars: usize) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= chars {
        return line;
    }
    let cut: String = line.chars().take(chars.saturating_sub(1)).collect();
    let whole = cut.rsplit_once(' ').map_or(cut.as_str(), |(whole, _)| whole);
    format!("{}…", if whole.is_empty() { &cut } else { whole })
}

/// Whether a tool of this name changes files.
pub(super) fn writes(name: &str) -> bool {
    let name = name.to_lowercase();
    let words = [
        "edit",
        "write",
        "patch",
        "create",
        "replace",
        "insert",
        "delete",
        "rename",
        "move",
        "save",
        "code_action",
    ];
    words.iter().any(|word| name.contains(word)) && !name.contains("todo")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn say(trail: &mut Trail, role: Role, text: &str) {
        trail.add(&Message::new(role, text), text);
    }

    #[test]
    fn what_is_read_again_counts_once() {
        let say_all = |trail: &mut Trail, from: usize, to: usize| {
            (from..to).for_each(|n| say(trail, Role::User, &format!("message {n}")));
        };
        let mut trail = Trail::default();
        say_all(&mut trail, 0, 24);
        let mut again = trail.clone();
        say_all(&mut again, 10, 26);
        again.read_again(24);
        say_all(&mut trail, 24, 26);
        assert_eq!(again, trail);
        // Hooks told an answer's last part before.
        let mut answered = trail.clone();
        say(&mut answered, Role::Agent, "It is done.");
        say(&mut answered, Role::User, "It is done.");
        say(&mut answered, Role::Agent, "I look.\n\nIt is done.");
        answered.read_again(28);
        let said: Vec<&str> = answered.tail[26..].iter().map(|said| said.1.as_str()).collect();
        assert_eq!((answered.messages, said), (28, vec!["It is done.", "I look.\n\nIt is done."]));
        let turns: Vec<(&str, &str)> =
            answered.turns[25..].iter().map(|turn| (turn.asked.as_str(), turn.said.as_str())).collect();
        assert_eq!(turns, [("message 25", "It is done."), ("It is done.", "I look.\nIt is done.")]);
        // Nothing of it was there before.
        let mut other = trail.clone();
        say_all(&mut other, 40, 43);
        let before = other.clone();
        other.read_again(26);
        assert_eq!(other, before);
    }

    #[test]
    fn a_trail_survives_its_file_and_stays_small() {
        let mut trail = Trail::default();
        say(&mut trail, Role::User, "Please add a cache");
        say(&mut trail, Role::Agent, "It is in");
        trail.add_open("write the docs");
        trail.add_kept("We decided to use Redis");
        let again: Trail = serde_json::from_str(&serde_json::to_string(&trail).unwrap()).unwrap();
        assert_eq!(again, trail);
        for n in 0..500 {
            say(&mut trail, Role::User, &format!("{n} {}", "é".repeat(10_000)));
            say(&mut trail, Role::Agent, &format!("{n} {}", "é ".repeat(10_000)));
            trail.add_open(&format!("point {n}"));
            trail.add_kept(&format!("point {n}"));
        }
        assert!(
            serde_json::to_string(&trail).unwrap().len() < 50 * (2 * MESSAGE_CHARS + 4 * TURN_CHARS + 200)
        );
        let snapshot = trail.snapshot("dev", Some("c1"), Time(5));
        assert_eq!((snapshot.messages.len(), snapshot.chat.as_deref()), (50, Some("c1")));
    }

    #[test]
    fn one_message_is_no_session() {
        let mut trail = Trail::default();
        say(&mut trail, Role::User, "hello");
        say(&mut trail, Role::Agent, "  ");
        assert!(!trail.is_worth_a_handoff());
    }
}
