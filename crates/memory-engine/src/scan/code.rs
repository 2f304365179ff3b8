//! Whether the code that memories name is still as it was when they named it.
//!
//! What stands in a file whose size and time are as before is not read again, so that a scan costs a look at each file
//! that is named. A name that was never found in the repository is none of its: nothing is said about it, but for
//! paths and commands that could be nowhere else.

use std::collections::{HashMap, HashSet};

use memory_core::id::MemoryId;
use memory_core::integrity::{Anchor, Look, Verdict, anchors, judge};
use memory_core::kind::Kind;
use memory_core::time::Time;

use super::baseline::{Baseline, Seen, digest};
use super::repository::Repository;
use super::{Aged, CodeFinding};
use crate::disk::Stat;
use crate::store::Entry;

/// What was found out about the code that memories name.
#[derive(Default)]
pub(super) struct Checked {
    pub(super) findings: Vec<CodeFinding>,
    /// How many names are fresh.
    pub(super) fresh: usize,
    /// Memories of whose names all are fresh, at least one.
    pub(super) verified: HashSet<MemoryId>,
}

/// Compares each name of each memory with how it looked, and notes how new ones look.
pub(super) fn check(
    entries: &[Entry],
    repository: &Repository,
    baseline: &mut Baseline,
    now: Time,
) -> Checked {
    let mut checked = Checked::default();
    let mut standing: HashSet<(MemoryId, String)> = HashSet::new();
    let mut stats: HashMap<String, Option<Stat>> = HashMap::new();
    for entry in entries.iter().filter(|entry| entry.memory.superseded_by().is_none()) {
        let (mut fresh, mut other) = (0, 0);
        for anchor in anchors(entry.memory.body.as_str()) {
            let key = (entry.memory.id.clone(), anchor.to_string());
            let known = baseline.seen.get(&key).filter(|seen| seen.is_of(&entry.memory)).cloned();
            let verdict = match known {
                Some(seen) => {
                    standing.insert(key);
                    let stat =
                        *stats.entry(seen.place.clone()).or_insert_with(|| repository.stat(&seen.place));
                    Some(compare(&anchor, seen, stat, repository, baseline, now))
                }
                None => first_seen(&anchor, entry, repository, now).map(|seen| match seen {
                    First::Seen(seen) => {
                        standing.insert(key);
                        baseline.put(*seen);
                        Verdict::Fresh
                    }
                    First::Missing => Verdict::Gone,
                }),
            };
            match verdict {
                Some(Verdict::Fresh) => fresh += 1,
                Some(verdict) => {
                    other += 1;
                    checked.findings.push(CodeFinding { entry: entry.clone(), anchor, verdict });
                }
                None => {}
            }
        }
        checked.fresh += fresh;
        if fresh > 0 && other == 0 {
            checked.verified.insert(entry.memory.id.clone());
        }
    }
    let before = baseline.seen.len();
    baseline.seen.retain(|key, _| standing.contains(key));
    baseline.changed |= baseline.seen.len() != before;
    checked
}

enum First {
    Seen(Box<Seen>),
    Missing,
}

/// How something looks that was not looked at before; `None` when it is nothing of this repository.
fn first_seen(anchor: &Anchor, entry: &Entry, repository: &Repository, now: Time) -> Option<First> {
    let looks = match anchor {
        Anchor::File(path) => {
            repository.the_file(path).map(|place| repository.look_in(anchor, &place)).unwrap_or_default()
        }
        _ => repository.look_for(anchor),
    };
    let Some(look) = looks.into_iter().next() else {
        // Who names a file or a command of a task may mean one that is yet to be made.
        let is_plan = entry.memory.kind == Kind::Task;
        return (!is_plan && must_be_here(anchor, repository)).then_some(First::Missing);
    };
    let stat = repository.stat(&look.place).unwrap_or_default();
    Some(First::Seen(Box::new(Seen {
        memory: entry.memory.id.clone(),
        anchor: anchor.to_string(),
        place: look.place,
        name: look.name,
        digest: look.digest,
        shape: look.shape,
        updated: entry.memory.updated.0,
        text: Some(digest(entry.memory.body.as_str())),
        size: stat.size,
        modified: stat.modified_ns,
        checked: now.0,
    })))
}

/// A path below a folder of this repository, or a command whose file is here, can be nowhere else.
fn must_be_here(anchor: &Anchor, repository: &Repository) -> bool {
    match anchor {
        Anchor::File(path) => path.rsplit_once('/').is_some_and(|(folder, _)| repository.has_folder(folder)),
        Anchor::Command(command) => repository.has_tool(command.tool),
        Anchor::Symbol(_) => false,
    }
}

fn compare(
    anchor: &Anchor,
    seen: Seen,
    stat: Option<Stat>,
    repository: &Repository,
    baseline: &mut Baseline,
    now: Time,
) -> Verdict {
    if stat.is_some_and(|stat| seen.is_untouched(stat)) {
        return Verdict::Fresh;
    }
    let before = seen.look();
    let mut looks = if stat.is_some() { repository.look_in(anchor, &seen.place) } else { Vec::new() };
    looks.retain(|look| look.name == before.name);
    if looks.is_empty() {
        looks = repository.look_for(anchor);
    }
    if looks.is_empty() {
        looks = repository.look_again(anchor, &before);
    }
    let verdict = judge(anchor, &before, &looks);
    if verdict == Verdict::Fresh
        && let Some(look) = looks.iter().find(|look| look.digest == before.digest)
    {
        note(seen, look, repository, baseline, now);
    }
    verdict
}

/// The same thing in a file that was written since, or in another one.
fn note(seen: Seen, look: &Look, repository: &Repository, baseline: &mut Baseline, now: Time) {
    let stat = repository.stat(&look.place).unwrap_or_default();
    let (size, modified, checked) = (stat.size, stat.modified_ns, now.0);
    baseline.put(Seen { place: look.place.clone(), size, modified, checked, ..seen });
}

/// Leaves out what is old but names code that is as it was.
pub(super) fn still_verified(aged: Vec<Aged>, verified: &HashSet<MemoryId>) -> Vec<Aged> {
    aged.into_iter().filter(|aged| !verified.contains(&aged.entry.memory.id)).collect()
}
