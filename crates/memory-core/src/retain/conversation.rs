//! Saved conversations: which of their messages were read for what is worth keeping, and which leave.
//!
//! A message counts as read by a digest of its content, so a message that is edited is read again. The marks of the
//! vault tool, `agent:count`, say nothing about content; they are carried along and believed by nobody.

use std::collections::HashSet;

use serde_json::{Map, Value};

use crate::session::Role;
use crate::session::saved::{NotSaved, Said, Saved};

/// A saved conversation with everything that its file holds.
#[derive(Debug, Clone)]
pub struct Conversation {
    fields: Map<String, Value>,
    messages: Vec<Value>,
    /// What we understand of it; the messages are those that are some.
    pub saved: Saved,
}

impl Conversation {
    /// Reads the text of a file.
    pub fn read(text: &str) -> Result<Self, NotSaved> {
        let saved = Saved::read(text)?;
        let value: Value = serde_json::from_str(text.trim_start_matches('\u{feff}'))
            .map_err(|error| NotSaved(error.to_string()))?;
        let Value::Object(mut fields) = value else { return Err(NotSaved("it is no object".to_owned())) };
        let Some(Value::Array(messages)) = fields.get_mut("messages").map(Value::take) else {
            return Err(NotSaved("it has no list of messages".to_owned()));
        };
        Ok(Self { fields, messages, saved })
    }

    /// How many messages are more than so many.
    pub fn beyond(&self, most: usize) -> usize {
        self.messages.len().saturating_sub(most)
    }

    /// The file with its last messages alone; all else stays as it was.
    pub fn trimmed(&self, keep: usize) -> String {
        let mut fields = self.fields.clone();
        let last = self.messages[self.beyond(keep)..].to_vec();
        fields.insert("messages".to_owned(), Value::Array(last));
        serde_json::to_string_pretty(&Value::Object(fields)).unwrap_or_default()
    }

    /// The first messages, as far as they are some.
    pub fn first(&self, count: usize) -> Vec<Said> {
        let first = Value::Array(self.messages[..count.min(self.messages.len())].to_vec());
        let fields = Map::from_iter([("messages".to_owned(), first)]);
        Saved::read(&Value::Object(fields).to_string()).map(|saved| saved.messages).unwrap_or_default()
    }

    /// The marks of the messages that we understand, in their order.
    pub fn marks(&self, name: &str) -> Vec<String> {
        self.saved.messages.iter().map(|said| mark(name, said)).collect()
    }
}

fn mark(name: &str, said: &Said) -> String {
    let mut hash = blake3::Hasher::new();
    hash.update(said.role.word().as_bytes());
    hash.update(&[0]);
    hash.update(said.text.as_bytes());
    format!("{name}:{}", &hash.finalize().to_hex()[..32])
}

/// Which messages were read before: `.vault/processed-conversations.json`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Seen {
    marks: Vec<String>,
    known: HashSet<String>,
}

impl Seen {
    /// Reads the file; what is no list of words is as if nothing was read.
    pub fn read(text: &str) -> Self {
        let all: Vec<Value> = serde_json::from_str(text).unwrap_or_default();
        let marks: Vec<String> =
            all.into_iter().filter_map(|value| value.as_str().map(str::to_owned)).collect();
        Self { known: marks.iter().cloned().collect(), marks }
    }

    /// Whether a message was read.
    pub fn has(&self, mark: &str) -> bool {
        self.known.contains(mark)
    }

    /// Sets the marks of one conversation in place of our older ones of the same; whether anything changed.
    pub fn set(&mut self, name: &str, marks: &[String]) -> bool {
        let before = self.marks.clone();
        let ours = |mark: &String| {
            let digest = mark.strip_prefix(name).and_then(|rest| rest.strip_prefix(':'));
            digest.is_some_and(|digest| digest.len() == 32)
        };
        self.marks.retain(|mark| !ours(mark));
        let mut fresh = HashSet::new();
        self.marks.extend(marks.iter().filter(|mark| fresh.insert(*mark)).cloned());
        self.known = self.marks.iter().cloned().collect();
        self.marks != before
    }

    /// The text of the file.
    pub fn render(&self) -> String {
        serde_json::to_string(&self.marks).unwrap_or_default()
    }
}

/// The handoff of messages that leave a conversation: the last three things that the agent said there.
pub fn compacted_handoff(leaving: &[Said], count: usize) -> Option<String> {
    let said: Vec<&Said> = leaving
        .iter()
        .filter(|said| said.role == Role::Agent && !said.internal && !said.text.trim().is_empty())
        .collect();
    let last = &said[said.len().saturating_sub(3)..];
    if last.is_empty() {
        return None;
    }
    let mut text = format!("Session compacted ({count} msgs removed):");
    for said in last {
        let line: String =
            said.text.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(150).collect();
        text.push_str(&format!("\n- {line}"));
    }
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn conversation(count: usize) -> Conversation {
        let message = |n| format!(r#"{{"role":"agent","text":"said {n}","diffs":[{n}]}}"#);
        let all: Vec<String> = (0..count).map(message).collect();
        let text = format!(r#"{{"zoo":1,"messages":[{}],"agentId":"dev","more":{{"a":2}}}}"#, all.join(","));
        Conversation::read(&text).unwrap()
    }

    #[test]
    fn trimming_keeps_the_last_messages_and_every_other_field() {
        let trimmed = conversation(25).trimmed(20);
        let again = Conversation::read(&trimmed).unwrap();
        assert_eq!((again.saved.messages.len(), again.saved.messages[0].text.as_str()), (20, "said 5"));
        assert!(trimmed.starts_with("{\n  \"zoo\": 1,\n  \"messages\": ["), "{trimmed}");
        assert!(trimmed.contains("\"diffs\"") && trimmed.contains("\"more\""));
        assert_eq!((conversation(25).beyond(20), conversation(20).beyond(20)), (5, 0));
        assert_eq!(conversation(25).first(5).len(), 5);
    }

    /// The vault tool counts messages: a conversation that was edited without getting longer is never read again there.
    #[test]
    fn an_edited_message_is_read_again() {
        let mut seen = Seen::read(r#"["dev:3","dev:12"]"#);
        let talk = conversation(3);
        assert!(seen.set("dev", &talk.marks("dev")));
        assert!(talk.marks("dev").iter().all(|mark| seen.has(mark)));
        let edited = Conversation::read(&talk.trimmed(9).replace("said 1", "we decided")).unwrap();
        let unread: Vec<bool> = edited.marks("dev").iter().map(|mark| !seen.has(mark)).collect();
        assert_eq!(unread, [false, true, false]);
        assert!(!seen.set("dev", &talk.marks("dev")), "nothing is new");
        // The vault tool's own marks survive, and another agent's are not touched.
        assert!(seen.set("ops", &["ops:x".to_owned()]) && seen.render().starts_with(r#"["dev:3","dev:12","#));
    }

    #[test]
    fn broken_marks_are_none() {
        for text in ["", "{", "{}", "7", "[1,null]"] {
            assert_eq!(Seen::read(text), Seen::default(), "{text}");
        }
    }

    #[test]
    fn the_handoff_of_what_leaves() {
        let talk = conversation(5);
        let text = compacted_handoff(&talk.first(4), 4).unwrap();
        assert_eq!(text, "Session compacted (4 msgs removed):\n- said 1\n- said 2\n- said 3");
        assert_eq!(compacted_handoff(&[Said::new(Role::User, "hello")], 1), None);
        let long = compacted_handoff(&[Said::new(Role::Agent, &"é\n".repeat(400))], 1).unwrap();
        assert_eq!(long.lines().nth(1).map(|line| line.chars().count()), Some(152));
    }
}
