//! Who a memory is for and who may see it: scope, sensitivity, source class, and the one function
//! [`Audience::may_see`] that every list passes through. Only a memory named by its id is shown without asking it.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::id::{AgentId, IdError, SessionId};

/// For whom a memory is kept. As text: `agent:dev`, `session:s1`, `project`, `user` or `global`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Scope {
    /// One agent's own vault.
    Agent(AgentId),
    /// One session only.
    Session(SessionId),
    /// Everyone who works in this root.
    Project,
    /// The person, across projects.
    User,
    /// Everyone.
    Global,
}

impl Scope {
    /// The word of the scope without whose it is.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Agent(_) => "agent",
            Self::Session(_) => "session",
            Self::Project => "project",
            Self::User => "user",
            Self::Global => "global",
        }
    }
}

impl fmt::Display for Scope {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Agent(id) => write!(out, "agent:{id}"),
            Self::Session(id) => write!(out, "session:{id}"),
            other => out.write_str(other.word()),
        }
    }
}

impl From<Scope> for String {
    fn from(scope: Scope) -> Self {
        scope.to_string()
    }
}

impl TryFrom<String> for Scope {
    type Error = IdError;

    fn try_from(text: String) -> Result<Self, IdError> {
        match text.split_once(':') {
            Some(("agent", id)) => AgentId::parse(id).map(Self::Agent),
            Some(("session", id)) => SessionId::parse(id).map(Self::Session),
            None if text == "project" => Ok(Self::Project),
            None if text == "user" => Ok(Self::User),
            None if text == "global" => Ok(Self::Global),
            _ => Err(IdError {
                what: "scope",
                shown: text.escape_debug().take(60).collect(),
                why: "use `agent:<id>`, `session:<id>`, `project`, `user` or `global`",
            }),
        }
    }
}

/// How private a memory is; a later one is stricter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Sensitivity {
    /// May be shown to anyone.
    Public,
    /// Ordinary working knowledge.
    #[default]
    Operational,
    /// About the person; never sent to a server.
    PrivateUser,
    /// Never shown, indexed, injected or merged unless asked for by name.
    Secret,
}

impl Sensitivity {
    /// All of them, from open to strict.
    pub const ALL: [Self; 4] = [Self::Public, Self::Operational, Self::PrivateUser, Self::Secret];

    /// The word for it in files.
    pub fn word(self) -> &'static str {
        match self {
            Self::Public => "public",
            Self::Operational => "operational",
            Self::PrivateUser => "private-user",
            Self::Secret => "secret",
        }
    }

    /// The sensitivity a word stands for.
    pub fn of_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|s| s.word() == word)
    }
}

/// Where a memory's words came from; a later one is trusted more. What is derived takes the least of its sources.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SourceClass {
    /// A folder that came with a repository and was not made here.
    Foreign,
    /// Words of a session that read the web, issues or other people's files.
    Untrusted,
    /// Output of a tool of ours.
    Tool,
    /// Another person's memory.
    Teammate,
    /// The agent's own words in a session without untrusted input.
    Agent,
    /// Text found in the files that was not written through the door.
    HumanEdit,
    /// Said by the person through a command.
    Human,
}

impl SourceClass {
    /// All of them, from least to most trusted.
    pub const ALL: [Self; 7] = [
        Self::Foreign,
        Self::Untrusted,
        Self::Tool,
        Self::Teammate,
        Self::Agent,
        Self::HumanEdit,
        Self::Human,
    ];

    /// The word for it in files.
    pub fn word(self) -> &'static str {
        match self {
            Self::Foreign => "foreign",
            Self::Untrusted => "untrusted",
            Self::Tool => "tool",
            Self::Teammate => "teammate",
            Self::Agent => "agent",
            Self::HumanEdit => "human-edit",
            Self::Human => "human",
        }
    }

    /// The class a word stands for.
    pub fn of_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|c| c.word() == word)
    }

    /// The class at a place of [`ALL`](Self::ALL), as catalogues write it; one that nobody knows is not trusted.
    pub fn of_rank(rank: u8) -> Self {
        Self::ALL.get(usize::from(rank)).copied().unwrap_or(Self::Untrusted)
    }

    /// The class of something made from these: never more trusted than the least of them.
    pub fn least(sources: impl IntoIterator<Item = Self>) -> Option<Self> {
        sources.into_iter().min()
    }
}

/// Who is asking. The default is a person at the command line: every agent, no secrets.
#[derive(Debug, Clone, Default)]
pub struct Audience {
    /// Only this agent's memories and the shared ones.
    pub agent: Option<AgentId>,
    /// The session whose private memories may be seen.
    pub session: Option<SessionId>,
    /// What to do with memories marked secret.
    pub secrets: Secrets,
}

/// Whether secrets are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Secrets {
    /// They are left out.
    #[default]
    Hide,
    /// The asker named them.
    Show,
}

impl Audience {
    /// Whether this asker may see a memory of this scope and sensitivity. Every list passes through here.
    pub fn may_see(&self, scope: &Scope, sensitivity: Sensitivity) -> bool {
        let scope_fits = match scope {
            Scope::Agent(owner) => self.agent.as_ref().is_none_or(|asker| asker == owner),
            Scope::Session(session) => self.session.as_ref() == Some(session),
            Scope::Project | Scope::User | Scope::Global => true,
        };
        scope_fits && (sensitivity < Sensitivity::Secret || self.secrets == Secrets::Show)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(audience: &Audience, scope: &Scope, sensitivity: Sensitivity, expect: bool) {
        assert_eq!(audience.may_see(scope, sensitivity), expect, "{scope} {}", sensitivity.word());
    }

    #[test]
    fn who_may_see_what() {
        let dev = AgentId::parse("dev").unwrap();
        let ops = AgentId::parse("ops").unwrap();
        let session = SessionId::parse("s1").unwrap();
        let person = Audience::default();
        let agent =
            Audience { agent: Some(dev.clone()), session: Some(session.clone()), ..Audience::default() };
        let plain = Sensitivity::Operational;
        check(&person, &Scope::Agent(dev.clone()), plain, true);
        check(&person, &Scope::Session(session.clone()), plain, false);
        check(&agent, &Scope::Agent(dev.clone()), plain, true);
        check(&agent, &Scope::Agent(ops), plain, false);
        check(&agent, &Scope::Session(session), plain, true);
        check(&agent, &Scope::Session(SessionId::parse("s2").unwrap()), plain, false);
        check(&agent, &Scope::Project, plain, true);
        check(&agent, &Scope::Global, Sensitivity::Secret, false);
        check(&Audience { secrets: Secrets::Show, ..agent }, &Scope::Global, Sensitivity::Secret, true);
    }

    #[test]
    fn derived_is_never_trusted_more() {
        assert_eq!(
            SourceClass::least([SourceClass::Human, SourceClass::Untrusted]),
            Some(SourceClass::Untrusted)
        );
        assert_eq!(SourceClass::least([]), None);
        for class in SourceClass::ALL {
            assert_eq!(SourceClass::of_word(class.word()), Some(class));
        }
        for sensitivity in Sensitivity::ALL {
            assert_eq!(Sensitivity::of_word(sensitivity.word()), Some(sensitivity));
        }
    }
}
