//! Upkeep, decided: what leaves the memory for the archive so that it stays lean, and what stands for it afterwards.
//!
//! Every function here only computes, from what is there, the settings and the time; the engine archives and applies.
//! What is derived is never trusted more than the least of its parts, is at least as private as the strictest of them,
//! never looks newer than what stays, and secrets are never part of it. Deciding again over the outcome decides nothing.

mod tasks;
mod digest;
mod category;
mod conversation;
mod experience;
mod files;
mod tone;
mod handoff;
mod hashvec;
mod journal;

pub use category::{Condensed, condense, is_summary};
pub use conversation::{Conversation, Seen, compacted_handoff};
pub use digest::unquoted;
pub use experience::{Experience, Experiences, is_experience, is_unique};
pub use files::{Recalled, Stale, is_legacy, prunable, stale_snapshot};
pub use handoff::{AUTOMATIC, CHAT, handoff, is_chat, latest_handoff, standing, tells_of_work};
pub use hashvec::{HASH_DIMS, hash_bucket, hash_vector};
pub use journal::{
    Merged, Record, Unmerged, journal_records, long_term_overflow, merge_journal, rolling_window,
};
pub use tasks::{OpenTask, open_tasks};
pub use tone::asks_nothing;

use crate::memory::Memory;

/// The tag of everything that upkeep wrote.
pub const COMPACTED: &str = "compacted";

/// Whether upkeep wrote a memory. It tells of others, so it never counts as the latest of anything.
pub fn is_compacted(memory: &Memory) -> bool {
    memory.tags.iter().any(|tag| tag.as_str() == COMPACTED)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id::{AgentId, MemoryId, Tag};
    use crate::kind::Kind;
    use crate::memory::{Body, Provenance};
    use crate::scope::{Scope, SourceClass};
    use crate::time::Time;

    /// A memory of an agent's vault.
    pub(super) fn memory(millis: u64, text: &str) -> Memory {
        let at = Time(millis.cast_signed());
        Memory {
            id: MemoryId::from_millis(millis),
            kind: Kind::Decision,
            scope: Scope::Agent(AgentId::unnamed()),
            key: None,
            title: None,
            body: Body::new(text),
            tags: Vec::new(),
            created: at,
            updated: at,
            provenance: Provenance::of("cli", SourceClass::Human),
            extra: serde_json::Map::new(),
        }
    }

    /// Not as elsewhere: what compaction wrote became the last handoff.
    #[test]
    fn what_upkeep_wrote_is_never_the_latest_handoff() {
        let handoff = |millis, tags: &[&str]| Memory {
            kind: Kind::Handoff,
            tags: tags.iter().filter_map(|tag| Tag::parse(tag).ok()).collect(),
            ..memory(millis, "text")
        };
        let all = [
            handoff(5, &["compacted"]),
            handoff(9, &["compacted", "auto-handoff"]),
            handoff(3, &[]),
            handoff(2, &[]),
            handoff(8, &["autohandoff", "chat"]),
        ];
        assert_eq!(latest_handoff(&all).map(|memory| memory.id.as_str()), Some("3"));
        assert_eq!(latest_handoff(&all[..2]), None);
        // A few words do not take the place of work, but they are better than nothing.
        assert_eq!(latest_handoff(&all[4..]).map(|memory| memory.id.as_str()), Some("8"));
    }
}
