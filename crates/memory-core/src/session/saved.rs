//! Conversations and snapshots as files: `conversations/<agent>.json` and `.vault/checkpoints/<agent>.json`.
//!
//! A snapshot is the recoverable tail of a conversation: its last messages, without internal ones, for some days.
//! Fields that we do not know are carried along.

use serde_json::{Map, Value, json};

use super::Role;
use crate::time::Time;

/// Messages that a snapshot holds.
pub const SNAPSHOT_MESSAGES: usize = 50;
/// How long a snapshot is good for, in milliseconds: seven days.
pub const SNAPSHOT_LIFE: i64 = 7 * 24 * 3_600_000;

/// A conversation, or the tail of one.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Saved {
    /// The agent as the file names it; nobody checked that it is a good name.
    pub agent: Option<String>,
    /// When it was saved, where the file tells.
    pub saved: Option<Time>,
    /// What was said.
    pub messages: Vec<Said>,
    /// The chat, as the client calls it.
    pub chat: Option<String>,
    /// The model.
    pub model: Option<String>,
}

/// A message of a conversation.
#[derive(Debug, Clone, PartialEq)]
pub struct Said {
    /// Who said it.
    pub role: Role,
    /// What was said.
    pub text: String,
    /// Whether it is for the program alone; such messages are in no snapshot and no handoff.
    pub internal: bool,
    /// Other fields.
    pub extra: Map<String, Value>,
}

impl Said {
    /// A message and nothing else.
    pub fn new(role: Role, text: &str) -> Self {
        Self { role, text: text.to_owned(), internal: false, extra: Map::new() }
    }

    fn read(value: Value) -> Option<Self> {
        let Value::Object(mut fields) = value else { return None };
        let role = match fields.remove("role")?.as_str()? {
            "user" => Role::User,
            "agent" | "assistant" => Role::Agent,
            _ => return None,
        };
        let text = match fields.remove("text") {
            Some(Value::String(text)) => text,
            Some(_) => return None,
            None => text_of(&fields.remove("content")?)?,
        };
        let internal = fields.remove("internal") == Some(Value::Bool(true));
        Some(Self { role, text, internal, extra: fields })
    }

    fn write(&self) -> Value {
        let mut fields = Map::new();
        fields.insert("role".to_owned(), self.role.word().into());
        fields.insert("text".to_owned(), self.text.as_str().into());
        if self.internal {
            fields.insert("internal".to_owned(), true.into());
        }
        fields.extend(self.extra.clone());
        Value::Object(fields)
    }
}

/// The text of a content as chat interfaces have it: a text, or a list of parts of which some are texts.
fn text_of(content: &Value) -> Option<String> {
    let parts = match content {
        Value::String(text) => return Some(text.clone()),
        Value::Array(parts) => parts,
        _ => return None,
    };
    let texts = parts.iter().filter_map(|part| part.as_str().or_else(|| part.get("text")?.as_str()));
    let texts: Vec<&str> = texts.collect();
    (!texts.is_empty()).then(|| texts.join("\n"))
}

impl Saved {
    /// Reads a conversation or a snapshot. Messages that are none are left out.
    pub fn read(text: &str) -> Result<Self, NotSaved> {
        Self::read_counted(text).map(|(saved, _)| saved)
    }

    /// Reads a conversation or a snapshot, and counts the messages that are left out because they are none.
    pub fn read_counted(text: &str) -> Result<(Self, usize), NotSaved> {
        let value: Value = serde_json::from_str(text.trim_start_matches('\u{feff}'))
            .map_err(|error| NotSaved(error.to_string()))?;
        let Value::Object(mut fields) = value else { return Err(NotSaved("it is no object".to_owned())) };
        let saved = match fields.remove("savedAt") {
            Some(Value::Number(millis)) => millis.as_f64().map(|millis| Time(millis as i64)),
            Some(Value::String(text)) => Time::parse(&text),
            _ => None,
        };
        let Some(Value::Array(all)) = fields.remove("messages") else {
            return Err(NotSaved("it has no list of messages".to_owned()));
        };
        let given = all.len();
        let messages: Vec<Said> = all.into_iter().filter_map(Said::read).collect();
        let left_out = given - messages.len();
        let mut word = |name: &str| match fields.remove(name) {
            Some(Value::String(text)) if !text.is_empty() => Some(text),
            _ => None,
        };
        let saved =
            Self { agent: word("agentId"), saved, messages, chat: word("chatId"), model: word("modelId") };
        Ok((saved, left_out))
    }

    /// The tail that can be recovered: the last messages that are not internal.
    #[must_use]
    pub fn tail(&self, now: Time) -> Self {
        let shown: Vec<&Said> = self.messages.iter().filter(|said| !said.internal).collect();
        let from = shown.len().saturating_sub(SNAPSHOT_MESSAGES);
        Self {
            saved: Some(now),
            messages: shown[from..].iter().map(|said| (*said).clone()).collect(),
            ..self.clone()
        }
    }

    /// Whether it can still be recovered: it is younger than [`SNAPSHOT_LIFE`].
    pub fn is_fresh(&self, now: Time) -> bool {
        self.saved.is_some_and(|saved| now.0.saturating_sub(saved.0) < SNAPSHOT_LIFE)
    }

    /// The file of a snapshot.
    pub fn render_snapshot(&self) -> String {
        self.render(self.saved.map_or(0, |saved| saved.0).into())
    }

    /// The file of a conversation.
    pub fn render_conversation(&self) -> String {
        self.render(self.saved.map_or(Value::Null, |saved| saved.iso().into()))
    }

    fn render(&self, saved: Value) -> String {
        let messages: Vec<Value> = self.messages.iter().map(Said::write).collect();
        let mut fields = Map::new();
        fields.insert("agentId".to_owned(), self.agent.as_deref().unwrap_or_default().into());
        fields.insert("savedAt".to_owned(), saved);
        fields.insert("messages".to_owned(), json!(messages));
        for (name, value) in [("chatId", &self.chat), ("modelId", &self.model)] {
            if let Some(value) = value {
                fields.insert(name.to_owned(), value.as_str().into());
            }
        }
        serde_json::to_string_pretty(&Value::Object(fields)).unwrap_or_default()
    }
}

/// A file that is no conversation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotSaved(pub String);

impl std::fmt::Display for NotSaved {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str(&self.0)
    }
}

impl std::error::Error for NotSaved {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_conversation_becomes_a_snapshot_of_its_tail() {
        let mut messages: Vec<Value> =
            (0..60).map(|n| json!({ "role": "user", "text": format!("m{n}"), "diffs": [n] })).collect();
        messages.push(json!({ "role": "agent", "text": "hidden", "internal": true }));
        messages.push(json!({ "role": "system", "text": "no" }));
        messages.push(json!({ "role": "agent", "text": 7 }));
        let file = json!({ "agentId": "dev", "savedAt": "2026-03-15T23:04:23.463Z", "messages": messages });
        let saved = Saved::read(&file.to_string()).unwrap();
        assert_eq!((saved.messages.len(), saved.saved), (61, Some(Time(1_773_615_863_463))));
        let tail = saved.tail(Time(1_773_679_871_839));
        assert_eq!((tail.messages.len(), tail.messages[0].text.as_str()), (50, "m10"));
        let again = Saved::read(&tail.render_snapshot()).unwrap();
        assert_eq!(again, tail);
        assert!(
            tail.render_snapshot().starts_with("{\n  \"agentId\": \"dev\",\n  \"savedAt\": 1773679871839,")
        );
        assert_eq!(Saved::read(&saved.render_conversation()).unwrap(), saved);
    }

    #[test]
    fn a_snapshot_lasts_seven_days_to_the_millisecond() {
        let saved = Saved::read(r#"{"savedAt":1000,"messages":[]}"#).unwrap();
        assert!(saved.is_fresh(Time(1000 + SNAPSHOT_LIFE - 1)));
        assert!(!saved.is_fresh(Time(1000 + SNAPSHOT_LIFE)));
        assert!(!Saved::read(r#"{"messages":[]}"#).unwrap().is_fresh(Time(0)));
    }

    #[test]
    fn messages_of_chat_interfaces_are_read() {
        let check = |message: Value, expect: Option<(Role, &str)>| {
            let file = json!({ "messages": [message] }).to_string();
            let (saved, left_out) = Saved::read_counted(&file).unwrap();
            let said: Vec<(Role, &str)> =
                saved.messages.iter().map(|said| (said.role, said.text.as_str())).collect();
            assert_eq!(said, expect.into_iter().collect::<Vec<_>>(), "{file}");
            assert_eq!(left_out, usize::from(expect.is_none()), "{file}");
            assert_eq!(Saved::read(&saved.render_conversation()).unwrap().messages, saved.messages);
        };
        let (user, agent) = (Role::User, Role::Agent);
        check(json!({ "role": "assistant", "content": "a" }), Some((agent, "a")));
        check(json!({ "role": "user", "content": [{ "type": "text", "text": "a" }] }), Some((user, "a")));
        let image = json!({ "type": "image", "source": { "data": "x" } });
        check(
            json!({ "role": "user", "content": ["a", image, { "type": "input_text", "text": "b" }] }),
            Some((user, "a\nb")),
        );
        check(json!({ "role": "user", "content": [image] }), None);
        check(json!({ "role": "user", "content": { "text": "a" } }), None);
        check(json!({ "role": "user" }), None);
        check(json!({ "role": "system", "content": "a" }), None);
        check(json!("a"), None);
        // What stands beside a text is carried along.
        let both = Saved::read(r#"{"messages":[{"role":"user","text":"a","content":["b"]}]}"#).unwrap();
        assert_eq!(
            (both.messages[0].text.as_str(), &both.messages[0].extra["content"]),
            ("a", &json!(["b"]))
        );
    }

    #[test]
    fn what_is_no_conversation_is_said() {
        for text in ["", "[]", "{}", "{\"messages\":7}", "{\"messages\":["] {
            assert!(Saved::read(text).is_err(), "{text}");
        }
    }
}
