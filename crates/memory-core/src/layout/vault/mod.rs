//! The vault layout, `<agent>/<category>.md`: entries of one agent and category, newest first.
//!
//! ```text
//! <!-- id:1773679871839 -->
//! ## 2026-03-16T16:51 · #react #typescript
//! <!-- meta:{"key":"ui"} -->            only where something differs from the default
//!
//! The text.
//!
//! ---
//! ```
//!
//! `frame` finds where entries begin and end, `meta` and `entry` turn one into a memory and back, and `splice` changes
//! a file, with `removal` and `insertion` for what leaves it and what comes. Text outside entries is kept and readable
//! as hand-written memories.

mod entry;
mod frame;
mod insertion;
mod meta;
#[cfg(test)]
mod properties;
mod removal;
mod splice;
#[cfg(test)]
mod tests;

use std::collections::HashMap;

use super::home::Home;
use super::{Defect, Found, Place};
use crate::id::MemoryId;

pub(super) use splice::splice;

/// Reads the memories of a vault file in the order in which they stand there.
pub(super) fn visit(home: &Home, bytes: &[u8], each: &mut dyn FnMut(Found)) -> Vec<Defect> {
    let mut defects = Vec::new();
    let mut names = Names::default();
    for block in frame::blocks(bytes) {
        let Some(mut memory) = entry::memory(home, bytes, &block, &mut defects) else { continue };
        memory.id = names.give(memory.id, memory.body.as_str(), block.first_line, &mut defects);
        let place =
            Place { bytes: block.at.clone(), first_line: block.first_line, last_line: block.last_line };
        each(Found { memory, place });
    }
    defects
}

/// Gives every memory of a file a name of its own: a second use of an id, or the same hand-written text
/// again, gets a name that follows from its text and its count.
#[derive(Default)]
struct Names {
    seen: HashMap<MemoryId, usize>,
}

impl Names {
    fn give(&mut self, id: MemoryId, text: &str, line: usize, defects: &mut Vec<Defect>) -> MemoryId {
        let count = self.seen.entry(id.clone()).or_insert(0);
        *count += 1;
        if *count == 1 {
            return id;
        }
        if !id.is_untracked() {
            let what =
                format!("the id `{id}` stands here a second time; the entry is kept under a name of its own");
            defects.push(Defect { code: "duplicate-id", line, what });
        }
        let repeat = *count - 1;
        let name = MemoryId::of_text(text, repeat);
        if self.seen.contains_key(&name) { self.give(name, text, line, defects) } else { self.claim(name) }
    }

    fn claim(&mut self, name: MemoryId) -> MemoryId {
        self.seen.insert(name.clone(), 1);
        name
    }
}
