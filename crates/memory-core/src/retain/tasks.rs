//! Open tasks: the lines of memories that begin with an empty box.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};

use crate::id::MemoryId;
use crate::memory::{Holds, Memory};
use crate::scope::{Sensitivity, SourceClass};
use crate::task;
use crate::text::folded;

/// A line that waits to be done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenTask {
    /// The memory in which it stands.
    pub id: MemoryId,
    /// The line, as it was written, without the white space around it.
    pub line: String,
}

/// The open lines of these memories, which come newest first. A line whose words stand in a newer one with a ticked box
/// is done, and of equal lines the newest counts.
pub fn open_tasks<'a>(newest_first: impl IntoIterator<Item = &'a Memory>) -> Vec<OpenTask> {
    let mut settled: HashSet<String> = HashSet::new();
    let mut open = Vec::new();
    for memory in newest_first {
        let mut here: HashSet<String> = HashSet::new();
        for line in memory.body.as_str().lines() {
            let Some(task) = task::parse(line) else { continue };
            let words = folded(task.words);
            let is_new = !settled.contains(&words) && here.insert(words);
            if is_new && !task.ticked {
                open.push(OpenTask { id: memory.id.clone(), line: line.trim().to_owned() });
            }
        }
        settled.extend(here);
    }
    open
}

/// What is open in each of some memories.
#[derive(Debug, Default)]
pub(super) struct Open(HashMap<MemoryId, Vec<String>>);

impl Open {
    /// As agents are told it: nothing of memories whose place others took, and what strangers ticked settles nothing
    /// of ours.
    pub(super) fn among<'a>(memories: impl IntoIterator<Item = &'a Memory>) -> Self {
        let all: Vec<&Memory> = memories.into_iter().filter(|memory| memory.holds(Holds::Now)).collect();
        let mut open: HashMap<MemoryId, Vec<String>> = HashMap::new();
        for strangers in [false, true] {
            let mut held: Vec<&Memory> = all
                .iter()
                .copied()
                .filter(|memory| memory.provenance.sensitivity < Sensitivity::Secret)
                .filter(|memory| (memory.provenance.class <= SourceClass::Untrusted) == strangers)
                .collect();
            held.sort_by_key(|memory| Reverse((memory.created, &memory.id)));
            for task in open_tasks(held) {
                open.entry(task.id).or_default().push(task.line);
            }
        }
        Self(open)
    }

    /// The open lines of a memory.
    pub(super) fn of(&self, memory: &Memory) -> &[String] {
        self.0.get(&memory.id).map_or(&[], Vec::as_slice)
    }
}

/// The words of each box of a memory, folded, and whether it is ticked.
pub(super) fn boxes(memory: &Memory) -> impl Iterator<Item = (String, bool)> {
    let boxes = memory.body.as_str().lines().filter_map(task::parse);
    boxes.map(|task| (folded(task.words), task.ticked))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::retain::tests::memory;

    fn check(bodies_newest_first: &[&str], expect: &[&str]) {
        let all: Vec<Memory> = bodies_newest_first.iter().map(|body| memory(1, body)).collect();
        let open: Vec<String> = open_tasks(&all).into_iter().map(|task| task.line).collect();
        assert_eq!(open, expect, "{bodies_newest_first:?}");
    }

    #[test]
    fn lines_with_an_empty_box_are_open() {
        check(&["- [ ] a\n- [x] b\n  * [ ] c\ntext [ ] d"], &["- [ ] a", "* [ ] c"]);
        check(&["1. [ ] a\n2) [ ] b\n+ [ ] c\n[ ] d\n-[ ] e\n- [ ]"], &["1. [ ] a", "2) [ ] b", "+ [ ] c"]);
        check(&["nothing"], &[]);
        check(&[], &[]);
    }

    #[test]
    fn what_was_ticked_later_is_done_and_equal_lines_count_once() {
        check(&["- [x] Write the Ação", "- [ ] write the acao"], &[]);
        check(&["- [ ] again", "- [x] again"], &["- [ ] again"]);
        check(&["- [ ] same", "- [ ] same"], &["- [ ] same"]);
    }
}
