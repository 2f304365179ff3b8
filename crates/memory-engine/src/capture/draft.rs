//! The draft of what was taken out of a conversation, the same wherever that was read.

use memory_core::extract::Taken;
use memory_core::id::Tag;
use memory_core::kind::Kind;
use memory_core::memory::Provenance;
use memory_core::task;

use crate::keep::Draft;

/// The draft of something that was taken; `text` is what it says, or what it says of something earlier.
pub(crate) fn draft_of(taken: &Taken, text: &str, from: Provenance, mut tags: Vec<Tag>) -> Draft {
    let text = if taken.kind == Kind::Task { task::render_open(text) } else { text.to_owned() };
    let more: Vec<Tag> = taken.tags.iter().filter(|tag| !tags.contains(tag)).cloned().collect();
    tags.extend(more);
    Draft {
        kind: Some(taken.kind.clone()),
        tags: Some(tags),
        provenance: Provenance { confidence: Some(taken.confidence), ..from },
        ..Draft::note(&text)
    }
}

/// Tags of these words.
pub(crate) fn named(words: &[&str]) -> Vec<Tag> {
    words.iter().filter_map(|word| Tag::parse(word).ok()).collect()
}
