//! Import: what other programs remember becomes drafts for the one door.
//!
//! Each format has a reader that gives `Item`s one after the other; none of them holds a whole source in memory, and
//! none can write anything. What cannot be read is noted and passed over. An item has an identity that stays the same
//! from run to run, so that a second import brings in nothing, not even what was edited or forgotten here since.

mod basic_memory;
mod chatgpt;
mod chats;
mod claude_ai;
mod claude_mem;
mod claude_memory;
mod folder;
mod format;
mod front;
mod graph;
mod guess;
mod markdown;
mod pass;
mod pieces;
mod roots;
mod state;
#[cfg(test)]
mod tests;
mod usual;

use std::path::PathBuf;

use memory_core::config::Profile;
use memory_core::id::{AgentId, Key, Tag};
use memory_core::kind::Kind;
use memory_core::memory::Provenance;
use memory_core::scope::{Scope, SourceClass};
use memory_core::time::Time;

use crate::error::Result;
use crate::keep::Draft;
use crate::project::Project;

pub use format::Format;
pub use guess::guess;
pub use usual::{Comes, Place};

pub(crate) use pass::{How, pass};
pub(crate) use usual::{place_of, places};

/// What is to be brought in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Import {
    /// In which form it is.
    pub format: Format,
    /// The file or folder.
    pub path: PathBuf,
    /// Whose memories they become where the source does not say; `None` means the agent of the settings.
    pub agent: Option<AgentId>,
    /// How much of it, where a source holds several projects.
    pub reach: Reach,
}

/// How much of a source that holds several projects is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Reach {
    /// What belongs to the project of this root.
    #[default]
    Project,
    /// All of it.
    Everything,
}

/// What a source holds, and what became of it where it was brought in.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Imported {
    /// What is counted: `memory` or `session`.
    pub unit: Unit,
    /// How many there are.
    pub found: usize,
    /// Those that were not imported before.
    pub new: usize,
    /// Those that were.
    pub before: usize,
    /// New memories that were kept, of each kind by its word.
    pub kept: std::collections::BTreeMap<String, usize>,
    /// Those that were here already, from elsewhere.
    pub duplicates: usize,
    /// Those whose name is taken here by another text, which stays.
    pub taken: usize,
    /// Those that were kept without the key that they have there, because another memory has it here.
    pub unkeyed: usize,
    /// Those that are of other projects and were left there.
    pub left: usize,
    /// The files into which memories went that are for this machine alone.
    pub private_files: std::collections::BTreeSet<String>,
    /// Credentials that were masked.
    pub masked: usize,
    /// The oldest and the newest date.
    pub dates: Option<(Time, Time)>,
    /// What could not be brought in, with where it stands and why: the first few dozen.
    pub defects: Vec<(String, String)>,
    /// How many more of them there are.
    pub more_defects: usize,
}

/// What an import counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Unit {
    /// Memories.
    #[default]
    Memory,
    /// Sessions, each of which may lead to several memories or to none.
    Session,
}

impl Imported {
    /// How many memories were kept.
    pub fn kept_count(&self) -> usize {
        self.kept.values().sum()
    }

    /// Takes a date into account.
    pub(crate) fn date(&mut self, at: Time) {
        let (first, last) = self.dates.unwrap_or((at, at));
        self.dates = Some((first.min(at), last.max(at)));
    }

    /// Notes what could not be brought in.
    pub(crate) fn defect(&mut self, place: String, what: String) {
        const MOST: usize = 50;
        if self.defects.len() < MOST {
            self.defects.push((place, what));
        } else {
            self.more_defects += 1;
        }
    }
}

/// Something that a source holds.
struct Item {
    /// What tells it from all others of its format, the same in every run.
    identity: String,
    draft: Draft,
    origin: Came,
}

/// How a text came to be.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Came {
    /// It was written down as it is.
    Written,
    /// It was taken out of a conversation, so that it may be known here in other words.
    Said,
}

/// What readers need to know.
struct Context<'a> {
    import: &'a Import,
    /// Whose memories they become.
    agent: &'a AgentId,
    project: &'a Project,
    profile: Profile,
    /// The largest file that is read as one.
    file_bytes: u64,
}

impl Context<'_> {
    fn scope(&self) -> Scope {
        Scope::Agent(self.agent.clone())
    }

    /// A draft of a text from this source.
    fn draft(&self, text: &str, class: SourceClass, at: Option<Time>) -> Draft {
        Draft {
            scope: Some(self.scope()),
            tags: Some(self.tags([])),
            at: at.filter(|at| at.0 > 0),
            provenance: Provenance::of(self.import.format.word(), class),
            ..Draft::note(text)
        }
    }

    /// The tag of everything that is imported, and more of them where they are words.
    fn tags<'t>(&self, more: impl IntoIterator<Item = &'t str>) -> Vec<Tag> {
        let mut tags: Vec<Tag> = Vec::new();
        for word in ["imported"].into_iter().chain(more) {
            let word: Vec<&str> = word.split_whitespace().collect();
            match Tag::parse(&word.join("-")) {
                Ok(tag) if !tags.contains(&tag) => tags.push(tag),
                _ => {}
            }
        }
        tags
    }

    /// The key of something that has a name of its own in this format.
    fn key(&self, name: &str) -> Option<Key> {
        let key = format!("import:{}:{name}", self.import.format.word());
        // A long name is known by its digest, or two of them would become one.
        Key::parse(&key)
            .or_else(|_| {
                let digest = blake3::hash(name.as_bytes()).to_hex();
                Key::parse(&format!("import:{}:{}", self.import.format.word(), &digest[..32]))
            })
            .ok()
    }
}

/// Hears what a reader finds.
trait Hear {
    /// Something that may be kept.
    fn item(&mut self, item: Item) -> Result<()>;
    /// Something that is of another project.
    fn leave(&mut self);
    /// Something that cannot be read: where it stands and what is wrong.
    fn defect(&mut self, place: String, what: String);
}

/// The kind that a word of another system stands for, if it is one of ours.
fn kind_of(word: &str) -> Option<Kind> {
    match Kind::of_word(word) {
        Kind::Other(_) => None,
        kind => Some(kind),
    }
}

/// Gives everything that a source holds.
fn read(context: &Context<'_>, hear: &mut dyn Hear) -> Result<()> {
    match context.import.format {
        Format::ServerMemory => graph::read(context, hear),
        Format::ClaudeMem => claude_mem::read(context, hear),
        Format::BasicMemory => basic_memory::read(context, hear),
        Format::ChatGpt => chatgpt::read(context, hear),
        Format::ClaudeAi => claude_ai::read(context, hear),
        Format::ClaudeMemory => claude_memory::read(context, hear),
        Format::Markdown => markdown::read(context, hear),
        Format::Memory => roots::read(context, hear),
        // These are sessions, which have a way of their own.
        Format::Conversations => Ok(()),
    }
}
