//! Which file a memory lives in, and which memories a file may hold: one total function each way.

use crate::id::{AgentId, Category, MemoryId};
use crate::kind::Kind;
use crate::memory::Memory;
use crate::scope::Scope;
use crate::time::Time;

/// The four forms in which memories stand in files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Layout {
    /// One text per file, such as `_project.md`.
    Page,
    /// Entries of one agent and category, newest first.
    Vault,
    /// One file per memory with JSON in front.
    Record,
    /// One JSON line per memory.
    Journal,
}

/// The layout that a root prefers for new memories. A page is none: it holds one text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Preferred {
    /// Agents' memories in their vaults, all others as records.
    Vault,
    /// Everything as records.
    Record,
    /// Everything in the journal.
    Journal,
}

/// The pages of a root.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Page {
    /// `_project.md`: what every agent should know of the project.
    Project,
    /// `USER.md`: who the person is.
    User,
}

impl Page {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Project, Self::User];

    /// The id of its memory.
    pub fn word(self) -> &'static str {
        match self {
            Self::Project => "project",
            Self::User => "user",
        }
    }
}

/// A file of the root that holds memories.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Home {
    /// `_project.md` or `USER.md`.
    Page(Page),
    /// `<agent>/<category>.md`; `folder` is the agent's folder as it is spelt on disk.
    Vault {
        /// Whose vault.
        agent: AgentId,
        /// Which category.
        category: Category,
        /// The folder's real name, which may differ from the id in case.
        folder: String,
    },
    /// `records/<id>.md`.
    Record(MemoryId),
    /// `MEMORY.md`: the journal.
    Journal,
    /// `memory/<day>.md`: the journal of one day, the same lines again.
    Day(String),
    /// `LONGMEMORY.md`: long-term summaries.
    LongTerm,
}

impl Home {
    /// The file in which a new memory lives: where the root prefers the vault, agents' memories stand in
    /// their vault and all others as records.
    pub fn of(memory: &Memory, preferred: Preferred) -> Self {
        match (preferred, &memory.scope) {
            (Preferred::Vault, Scope::Agent(agent)) => Self::vault(agent.clone(), memory.kind.category()),
            (Preferred::Journal, _) => Self::Journal,
            _ => Self::Record(memory.id.clone()),
        }
    }

    /// The vault file of an agent and a category.
    pub fn vault(agent: AgentId, category: Category) -> Self {
        let folder = agent.as_str().to_owned();
        Self::Vault { agent, category, folder }
    }

    /// Which home a path relative to the root is (`/` between parts), or `None` for a file that holds no memories.
    pub fn of_path(path: &str) -> Option<Self> {
        match path {
            "_project.md" => return Some(Self::Page(Page::Project)),
            "USER.md" => return Some(Self::Page(Page::User)),
            "MEMORY.md" => return Some(Self::Journal),
            "LONGMEMORY.md" => return Some(Self::LongTerm),
            _ => {}
        }
        let (folder, file) = path.split_once('/')?;
        let stem = file.strip_suffix(".md")?;
        match folder {
            "records" => MemoryId::parse(stem).ok().map(Self::Record),
            "memory" => {
                let day = stem.len() == 10 && Time::parse(stem).is_some();
                day.then(|| Self::Day(stem.to_owned()))
            }
            _ => {
                let agent = AgentId::parse(folder).ok()?;
                let category = Category::parse(stem).ok()?;
                (category.as_str() == stem).then(|| Self::Vault {
                    agent,
                    category,
                    folder: folder.to_owned(),
                })
            }
        }
    }

    /// The path relative to the root, with `/` between its parts.
    pub fn path(&self) -> String {
        match self {
            Self::Page(Page::Project) => "_project.md".to_owned(),
            Self::Page(Page::User) => "USER.md".to_owned(),
            Self::Vault { category, folder, .. } => format!("{folder}/{category}.md"),
            Self::Record(id) => format!("records/{id}.md"),
            Self::Journal => "MEMORY.md".to_owned(),
            Self::Day(day) => format!("memory/{day}.md"),
            Self::LongTerm => "LONGMEMORY.md".to_owned(),
        }
    }

    /// How the file is read.
    pub fn layout(&self) -> Layout {
        match self {
            Self::Page(_) => Layout::Page,
            Self::Vault { .. } => Layout::Vault,
            Self::Record(_) => Layout::Record,
            Self::Journal | Self::Day(_) | Self::LongTerm => Layout::Journal,
        }
    }

    /// The scope and the kind of a memory in this file that says neither.
    pub fn usual(&self) -> (Scope, Kind) {
        (self.scope(), self.kind())
    }

    /// The kind of a memory in this file that does not say what it is.
    pub(crate) fn kind(&self) -> Kind {
        match self {
            Self::Page(Page::Project) => Kind::Context,
            Self::Page(Page::User) => Kind::Preference,
            Self::Vault { category, .. } => Kind::of_word(category.as_str()),
            Self::Record(_) => Kind::Fact,
            Self::Journal | Self::Day(_) => Kind::Note,
            Self::LongTerm => Kind::Summary,
        }
    }

    /// The scope of a memory in this file that does not say for whom it is.
    pub(crate) fn scope(&self) -> Scope {
        match self {
            Self::Vault { agent, .. } => Scope::Agent(agent.clone()),
            Self::Page(Page::User) => Scope::User,
            _ => Scope::Project,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_and_homes_agree() {
        for path in [
            "_project.md",
            "USER.md",
            "MEMORY.md",
            "LONGMEMORY.md",
            "memory/2026-03-16.md",
            "records/2026-05-15-release-plan-a1b2c3d4.md",
            "dev/decisions.md",
            "Dev/lessons.md",
        ] {
            assert_eq!(Home::of_path(path).map(|home| home.path()).as_deref(), Some(path));
        }
        for path in [
            "x.md",
            "dev/x.txt",
            "a/b/c.md",
            ".vault/x.md",
            "memory/x.md",
            "archive/x.md",
            "dev/../x.md",
            "/etc/x.md",
        ] {
            assert_eq!(Home::of_path(path), None, "{path}");
        }
    }
}
