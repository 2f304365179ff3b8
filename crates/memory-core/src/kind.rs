//! What sort of thing a memory is, and the one table that maps the four older tools' words onto it.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::id::Category;

/// The sort of a memory. `Other` keeps words of other systems that the table does not know.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
#[expect(missing_docs, reason = "the names are the documentation; docs/glossary.md explains each")]
pub enum Kind {
    Decision,
    Lesson,
    Handoff,
    Task,
    Context,
    Focus,
    Map,
    Command,
    Preference,
    Fact,
    Summary,
    #[default]
    Note,
    Other(String),
}

/// kind, its word, its file in the vault, and the words of the older tools that mean it.
const TABLE: &[(Kind, &str, &str, &[&str])] = &[
    (Kind::Decision, "decision", "decisions", &["decisions"]),
    (Kind::Lesson, "lesson", "lessons", &["lessons", "gotcha", "gotchas", "learned"]),
    (Kind::Handoff, "handoff", "handoffs", &["handoffs", "session-summary"]),
    (Kind::Task, "task", "tasks", &["tasks", "nextstep", "nextsteps", "next-steps"]),
    (Kind::Context, "context", "projects", &["projects", "project"]),
    (Kind::Focus, "focus", "focus", &["currentfocus", "current-focus"]),
    (Kind::Map, "map", "maps", &["maps", "projectmap", "project-map"]),
    (Kind::Command, "command", "commands", &["commands", "validationcommands", "validation-commands"]),
    (Kind::Preference, "preference", "preferences", &["preferences", "user-preference"]),
    (Kind::Fact, "fact", "facts", &["facts"]),
    (
        Kind::Summary,
        "summary",
        "summaries",
        &["summaries", "turn-summary", "compaction", "compaction-capture"],
    ),
    (Kind::Note, "note", "notes", &["notes", "turn-capture", "heartbeat"]),
];

/// Words by which people ask for memories of a kind, in English and Portuguese, in lower case and without accents.
const ASKED: &[(Kind, &[&str])] = &[
    (
        Kind::Decision,
        &[
            "decision",
            "decisions",
            "decide",
            "decided",
            "decisao",
            "decisoes",
            "decidimos",
            "decidido",
            "decidiu",
        ],
    ),
    (
        Kind::Lesson,
        &["lesson", "lessons", "gotcha", "gotchas", "learned", "learnt", "licao", "licoes", "aprendemos"],
    ),
    (Kind::Task, &["task", "tasks", "todo", "todos", "tarefa", "tarefas", "pendencia", "pendencias"]),
    (
        Kind::Preference,
        &["preference", "preferences", "prefer", "preferencia", "preferencias", "prefiro", "preferimos"],
    ),
    (Kind::Handoff, &["handoff", "handoffs"]),
    (Kind::Command, &["command", "commands", "comando", "comandos"]),
    (Kind::Fact, &["fact", "facts", "fato", "fatos"]),
    (Kind::Summary, &["summary", "summaries", "resumo", "resumos"]),
];

impl Kind {
    /// The kind that a word of a question asks for, if it does; lower case, without accents.
    pub fn asked_for(word: &str) -> Option<Self> {
        ASKED.iter().find(|(_, words)| words.contains(&word)).map(|(kind, _)| kind.clone())
    }

    /// Every named kind, in the order of the table.
    pub fn all() -> impl Iterator<Item = Kind> {
        TABLE.iter().map(|row| row.0.clone())
    }

    /// The kind a word of any of the systems stands for.
    pub fn of_word(word: &str) -> Self {
        let folded = word.trim().to_lowercase();
        TABLE
            .iter()
            .find(|row| row.1 == folded || row.3.contains(&folded.as_str()))
            .map_or(Self::Other(folded), |row| row.0.clone())
    }

    /// Whether memories of this kind say how things are, and not what happened or is to be done.
    pub fn says_how_things_are(&self) -> bool {
        let tells = matches!(self, Self::Handoff | Self::Task | Self::Summary | Self::Focus);
        !tells && self.word() != "turn"
    }

    /// The word for it.
    pub fn word(&self) -> &str {
        match self {
            Self::Other(word) => word,
            known => TABLE.iter().find(|row| row.0 == *known).map_or("note", |row| row.1),
        }
    }

    /// The vault category, and so the file, in which memories of this kind live.
    pub fn category(&self) -> Category {
        let word = match self {
            Self::Other(word) => word.as_str(),
            known => TABLE.iter().find(|row| row.0 == *known).map_or("notes", |row| row.2),
        };
        Category::parse(word).unwrap_or_else(|_| Category::notes())
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.word())
    }
}

impl From<String> for Kind {
    fn from(word: String) -> Self {
        Self::of_word(&word)
    }
}

impl From<Kind> for String {
    fn from(kind: Kind) -> Self {
        kind.word().to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_comes_back_from_its_word_and_its_category() {
        for kind in Kind::all() {
            assert_eq!(Kind::of_word(kind.word()), kind);
            assert_eq!(Kind::of_word(kind.category().as_str()), kind);
        }
    }

    #[test]
    fn words_that_ask_for_a_kind() {
        for (word, kind) in [
            ("decisions", Some(Kind::Decision)),
            ("decidimos", Some(Kind::Decision)),
            ("todos", Some(Kind::Task)),
            ("licoes", Some(Kind::Lesson)),
            ("cache", None),
        ] {
            assert_eq!(Kind::asked_for(word), kind, "{word}");
        }
    }

    #[test]
    fn words_of_the_older_tools() {
        assert_eq!(Kind::of_word("projects"), Kind::Context);
        assert_eq!(Kind::of_word("gotchas"), Kind::Lesson);
        assert_eq!(Kind::of_word("turn-summary"), Kind::Summary);
        assert_eq!(Kind::of_word("user-preference"), Kind::Preference);
        assert_eq!(Kind::of_word("Zettel"), Kind::Other("zettel".into()));
        assert_eq!(Kind::Other("../x".into()).category().as_str(), "notes");
    }
}
