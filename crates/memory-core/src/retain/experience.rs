//! Experiences: records of the journal that are unlike everything before them, each a line of JSON in a file of its own.
//!
//! A line that cannot be read costs itself alone, and only texts are kept, because vectors can be made again. The file of
//! the journal tool, one JSON value with vectors by hashing, is read for its texts. What is private or came from
//! strangers never becomes one, because agents are told experiences unasked, and each is told to those alone for whom
//! its record was kept.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::journal::Record;
use crate::id::{MemoryId, SessionId};
use crate::kind::Kind;
use crate::memory::{Body, Holds, Memory, Provenance};
use crate::scope::{Scope, Sensitivity, SourceClass};
use crate::time::Time;

/// What counts as an experience: at least so many characters, and of these categories.
const SHORTEST: usize = 20;
const CATEGORIES: [&str; 4] = ["note", "learned", "turn-summary", "user-preference"];

/// An experience.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Experience {
    /// The record it was taken from, or the name that the journal tool gave it.
    pub id: String,
    /// What it says.
    pub text: String,
    /// The category of the record.
    #[serde(default)]
    pub category: String,
    /// The session it was said in.
    #[serde(default)]
    pub session_id: String,
    /// When, in milliseconds.
    #[serde(default)]
    pub timestamp: Time,
    /// For whom the record was kept; those of other programs do not say it and are for all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scope: Option<Scope>,
}

/// What a file of experiences holds.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Experiences {
    /// Those that can be read, in their order.
    pub all: Vec<Experience>,
    /// How many lines cannot.
    pub broken: usize,
}

impl Experiences {
    /// Reads our lines.
    pub fn read(text: &str) -> Self {
        let mut found = Self::default();
        for line in text.lines().filter(|line| !line.trim().is_empty()) {
            match serde_json::from_str(line) {
                Ok(experience) => found.all.push(experience),
                Err(_) => found.broken += 1,
            }
        }
        found
    }

    /// Reads the file of the journal tool; its vectors are left aside.
    pub fn read_journal_tool(text: &str) -> Self {
        let value: Value = serde_json::from_str(text).unwrap_or_default();
        let lists =
            ["experiences", "chunks", "records"].into_iter().filter_map(|name| value.get(name)?.as_array());
        let word =
            |item: &Value, name: &str| item.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
        let mut found = Self::default();
        for item in lists.flatten() {
            let text = word(item, "text");
            let timestamp = match item.get("timestamp").or(item.get("updatedAt")) {
                Some(Value::String(text)) => Time::parse(text).unwrap_or_default(),
                Some(Value::Number(millis)) => Time(millis.as_f64().unwrap_or_default() as i64),
                _ => Time::default(),
            };
            if text.is_empty() {
                found.broken += 1;
            } else {
                let (id, category, session_id) =
                    (word(item, "id"), word(item, "category"), word(item, "sessionId"));
                found.all.push(Experience { id, text, category, session_id, timestamp, scope: None });
            }
        }
        found
    }
}

impl Experience {
    /// Its line, with the end.
    pub fn render(&self) -> String {
        serde_json::to_string(self).map(|line| line + "\n").unwrap_or_default()
    }

    /// The experience that a record would be.
    pub fn of(record: &Record) -> Self {
        let memory = &record.memory;
        Self {
            id: memory.id.to_string(),
            text: memory.body.as_str().to_owned(),
            category: record.category.clone(),
            session_id: memory.provenance.session.as_ref().map(ToString::to_string).unwrap_or_default(),
            timestamp: memory.created,
            scope: Some(memory.scope.clone()),
        }
    }

    /// The experience as a memory that can be told; `None` where its name is none of ours.
    pub fn memory(&self) -> Option<Memory> {
        let mut provenance = Provenance::of("experience", SourceClass::Agent);
        provenance.session = SessionId::parse(&self.session_id).ok();
        Some(Memory {
            id: MemoryId::parse(&self.id).ok()?,
            kind: Kind::Note,
            scope: self.scope.clone().unwrap_or(Scope::Project),
            key: None,
            title: None,
            body: Body::new(&self.text),
            tags: Vec::new(),
            created: self.timestamp,
            updated: self.timestamp,
            provenance,
            extra: serde_json::Map::new(),
        })
    }
}

/// Whether a record may become an experience. What one session keeps for itself ends with it.
pub fn is_experience(record: &Record) -> bool {
    let memory = &record.memory;
    !matches!(memory.scope, Scope::Session(_))
        && memory.holds(Holds::Now)
        && CATEGORIES.contains(&record.category.as_str())
        && memory.provenance.sensitivity < Sensitivity::PrivateUser
        && memory.provenance.class > SourceClass::Untrusted
        && memory.body.as_str().chars().count() >= SHORTEST
}

/// Whether a vector is unlike all others. A text that says nothing has no direction and is never unlike.
pub fn is_unique(vector: &[f32], others: &[Vec<f32>], likeness: f32) -> bool {
    let dot = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f32>();
    dot(vector, vector) > 0.0 && others.iter().all(|other| dot(vector, other) < likeness)
}

#[cfg(test)]
mod tests {
    use super::super::hashvec::hash_vector;
    use super::*;

    /// Not as elsewhere: a file that was too long read as empty, and the next record replaced it all.
    #[test]
    fn a_broken_line_costs_itself_alone() {
        let one = Experience {
            id: "a".into(),
            text: "the proxy drops idle sockets".into(),
            category: "note".into(),
            session_id: "s".into(),
            timestamp: Time(7),
            scope: Some(Scope::Project),
        };
        let line = one.render();
        let text = format!("{line}{{\"id\":\n\n{line}{}", &line[..9]);
        let found = Experiences::read(&text);
        assert_eq!((found.all, found.broken), (vec![one.clone(), one], 2));
    }

    #[test]
    fn the_journal_tools_file_is_read_for_its_texts() {
        let vector = hash_vector("deploys happen on fridays");
        let file = serde_json::json!({ "version": 1, "experiences": [
            { "id": "exp_1", "text": "deploys happen on fridays", "category": "note", "sessionId": "s",
              "timestamp": "2026-01-01T00:00:00.000Z", "vector": vector },
            { "id": "exp_2", "vector": [] },
        ]});
        let found = Experiences::read_journal_tool(&file.to_string());
        assert_eq!((found.all.len(), found.broken), (1, 1));
        assert_eq!(found.all[0].timestamp.day(), "2026-01-01");
        assert_eq!(Experiences::read_journal_tool("[truncated"), Experiences::default());
    }

    #[test]
    fn unlike_all_others() {
        let check = |vector: &[f32], others: &[Vec<f32>], expect| {
            assert_eq!(is_unique(vector, others, 0.85), expect, "{vector:?}");
        };
        check(&[1.0, 0.0], &[], true);
        check(&[1.0, 0.0], &[vec![0.0, 1.0]], true);
        check(&[1.0, 0.0], &[vec![0.0, 1.0], vec![0.9, 0.43]], false);
        // The journal tool takes a text without words it knows for new each time.
        check(&[0.0, 0.0], &[], false);
    }
}
