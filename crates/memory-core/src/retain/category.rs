//! A category of a vault that grew: its newest memories stay, and a summary stands for the others.
//!
//! What strangers said is never mixed with what the person and the agent said: each has a summary of its own. In place
//! stay secrets, text that a person wrote without an id, memories of another scope than the file's, and memories under
//! a key, which their writers update; a session's handoff is over and leaves like the others.

use std::collections::HashSet;

use serde_json::Map;

use super::digest::{Quote, Rarity, quoted};
use super::tasks::{Open, boxes};
use super::{COMPACTED, is_compacted};
use crate::config::UpkeepSettings;
use crate::id::{MemoryId, Tag};
use crate::kind::Kind;
use crate::memory::{Body, Memory, Provenance};
use crate::scope::{Scope, Sensitivity, SourceClass};
use crate::time::Time;

/// Open tasks that are carried along in one summary, in bytes; memories with more of them stay as they are.
const TASK_BYTES: usize = 64 << 10;
/// So many ids are written down as what a summary was made of; of more, those that it quotes.
const LINEAGE: usize = 1000;

/// What becomes of a category.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Condensed {
    /// What leaves: the memories that are merged, and the summaries that the new ones continue.
    pub leaving: Vec<MemoryId>,
    /// How many memories are merged, summaries not counted.
    pub merged: usize,
    /// What comes in their place.
    pub summaries: Vec<Memory>,
}

/// Whether a memory is a summary that stands for others, of ours or of the vault tool.
pub fn is_summary(memory: &Memory) -> bool {
    stands_for(memory).is_some()
}

/// For how many memories a summary stands.
fn stands_for(memory: &Memory) -> Option<usize> {
    let count = memory.body.as_str().strip_prefix("Compacted ")?.split_once(" older entries:")?.0;
    count.parse().ok().filter(|_| is_compacted(memory))
}

/// Decides about the memories of one file; `None` when there are not too many. `taken` knows ids that were ever given.
pub fn condense(
    memories: &[Memory],
    (scope, kind): (&Scope, &Kind),
    rules: &UpkeepSettings,
    taken: &dyn Fn(&MemoryId) -> bool,
) -> Option<Condensed> {
    let counted: Vec<&Memory> = memories.iter().filter(|memory| counts(memory, scope)).collect();
    if counted.len() <= rules.category_entries.get() {
        return None;
    }
    let (summaries, mut plain): (Vec<&Memory>, Vec<&Memory>) =
        counted.into_iter().partition(|memory| is_summary(memory));
    plain.sort_by_key(|memory| std::cmp::Reverse((memory.updated, memory.id.millis())));
    let (kept, old) = plain.split_at(rules.category_keep.get().min(plain.len()));
    let open = Open::among(memories);
    // What settles a task that stays must stay with it, or the task would be open again.
    let apart = memories.iter().filter(|memory| !counts(memory, scope));
    let staying: HashSet<String> =
        apart.flat_map(boxes).filter(|(_, ticked)| !ticked).map(|(words, _)| words).collect();
    let settles = |memory: &Memory| boxes(memory).any(|(words, ticked)| ticked && staying.contains(&words));
    let old: Vec<&Memory> = old.iter().copied().filter(|memory| !settles(memory)).collect();
    let merged = within_tasks(&old, &open);
    let floor = kept.iter().filter_map(|memory| memory.id.millis()).min()?;
    let born = kept.iter().map(|memory| memory.created.0).min()?.min(floor.cast_signed()) - 1;
    let rarity = Rarity::of(merged.iter().map(|memory| memory.body.as_str()));
    let mut leaving: HashSet<&MemoryId> = merged.iter().map(|memory| &memory.id).collect();
    let mut next = floor;
    let mut out = Condensed { leaving: Vec::new(), merged: merged.len(), summaries: Vec::new() };
    for whose in [Whose::Ours, Whose::Strangers] {
        let of = |memory: &&&Memory| Whose::are(memory) == whose;
        let parts: Vec<&Memory> = merged.iter().filter(of).copied().collect();
        if parts.is_empty() {
            continue;
        }
        let before: Vec<&Memory> = summaries.iter().filter(of).copied().collect();
        next = free_below(next, &leaving, taken)?;
        out.summaries.push(summary(
            (&before, &parts),
            &open,
            &rarity,
            (scope, kind),
            rules,
            (next, Time(born.max(0))),
        ));
        leaving.extend(before.iter().map(|memory| &memory.id));
    }
    if out.summaries.is_empty() {
        return None;
    }
    out.leaving =
        memories.iter().map(|memory| &memory.id).filter(|id| leaving.contains(id)).cloned().collect();
    Some(out)
}

/// Whose words memories are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Whose {
    /// The person's and the agent's.
    Ours,
    /// Of sessions that read strangers' text, of tools, of others.
    Strangers,
}

impl Whose {
    fn are(memory: &Memory) -> Self {
        if memory.provenance.class >= SourceClass::Agent { Self::Ours } else { Self::Strangers }
    }
}

/// Whether a memory may be merged and so counts.
fn counts(memory: &Memory, scope: &Scope) -> bool {
    memory.id.millis().is_some()
        && memory.provenance.sensitivity < Sensitivity::Secret
        && memory.scope == *scope
        && (memory.key.is_none() || memory.kind == Kind::Handoff)
}

/// The old ones, less those whose open tasks are too many for one text.
fn within_tasks<'a>(old: &[&'a Memory], open: &Open) -> Vec<&'a Memory> {
    let mut room = TASK_BYTES;
    let mut merged = Vec::with_capacity(old.len());
    for memory in old {
        let tasks: usize = open.of(memory).iter().map(|task| task.len() + 1).sum();
        if tasks <= room {
            room -= tasks;
            merged.push(*memory);
        }
    }
    merged
}

/// The next id below that nobody has or had.
fn free_below(floor: u64, leaving: &HashSet<&MemoryId>, taken: &dyn Fn(&MemoryId) -> bool) -> Option<u64> {
    (1..floor).rev().find(|millis| {
        let id = MemoryId::from_millis(*millis);
        !leaving.contains(&id) && !taken(&id)
    })
}

fn summary(
    (before, parts): (&[&Memory], &[&Memory]),
    open: &Open,
    rarity: &Rarity,
    (scope, kind): (&Scope, &Kind),
    rules: &UpkeepSettings,
    (id, created): (u64, Time),
) -> Memory {
    let stand_for = before.iter().filter_map(|memory| stands_for(memory)).sum::<usize>();
    let old = before.iter().flat_map(|memory| Quote::still_open(memory, open.of(memory), rarity));
    let new = parts.iter().map(|memory| Quote::of(memory, open.of(memory), rarity));
    let mut quotes: Vec<Quote> = new.chain(old).collect();
    // One that was brought back and leaves again is quoted as it is now.
    let mut seen = HashSet::new();
    let given = quotes.len();
    quotes.retain(|quote| quote.id.as_ref().is_none_or(|id| seen.insert(id.clone())));
    let total = (parts.len() + stand_for).saturating_sub(given - quotes.len());
    let (quotes, quoted) = quoted(quotes, rules.summary_lines.get(), total);
    let mut named = HashSet::new();
    let all = parts.iter().map(|memory| &memory.id);
    let all = all.chain(before.iter().flat_map(|memory| &memory.provenance.lineage));
    let all = all.filter(|id| named.insert(*id));
    let sources = || parts.iter().chain(before).map(|memory| &memory.provenance);
    let class = SourceClass::least(sources().map(|from| from.class)).unwrap_or(SourceClass::Untrusted);
    let mut provenance = Provenance::of("upkeep", class);
    provenance.lineage = if total <= LINEAGE { all.cloned().collect() } else { quoted };
    provenance.sensitivity = sources().map(|from| from.sensitivity).max().unwrap_or_default();
    provenance.confidence = sources().filter_map(|from| from.confidence).min();
    Memory {
        id: MemoryId::from_millis(id),
        kind: kind.clone(),
        scope: scope.clone(),
        key: None,
        title: None,
        body: Body::new(&format!("Compacted {total} older entries:{quotes}")),
        tags: Tag::parse(COMPACTED).into_iter().collect(),
        created,
        updated: created,
        provenance,
        extra: Map::new(),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::super::open_tasks;
    use super::super::tests::memory;
    use super::*;
    use crate::config::Config;
    use crate::id::{AgentId, Key};
    use crate::memory::Confidence;

    fn scope() -> Scope {
        Scope::Agent(AgentId::unnamed())
    }

    fn run(memories: &[Memory]) -> Option<Condensed> {
        condense(memories, (&scope(), &Kind::Decision), &Config::default().upkeep, &|_| false)
    }

    fn after(memories: &[Memory], done: &Condensed) -> Vec<Memory> {
        let stays = memories.iter().filter(|memory| !done.leaving.contains(&memory.id));
        stays.cloned().chain(done.summaries.iter().cloned()).collect()
    }

    fn many(count: u64) -> Vec<Memory> {
        (1..=count).map(|n| memory(n * 1000, &format!("Decision number {n} about thing {n}"))).collect()
    }

    #[test]
    fn thirty_stay_and_of_more_the_newest_twenty() {
        assert_eq!(run(&many(30)), None);
        let done = run(&many(31)).unwrap();
        assert_eq!((done.merged, done.leaving.len(), done.summaries.len()), (11, 11, 1));
        let summary = &done.summaries[0];
        assert_eq!(summary.id.as_str(), "11999");
        assert!(summary.created < Time(12_000));
        assert!(
            summary
                .body
                .as_str()
                .starts_with("Compacted 11 older entries:\n- [1970-01-01T00:00] Decision number 11")
        );
        assert_eq!(summary.provenance.lineage.len(), 11);
        assert_eq!(run(&after(&many(31), &done)), None, "again does nothing");
    }

    /// Not as elsewhere: two hundred characters of each were all that was left, and nothing said of what.
    #[test]
    fn a_summary_names_what_it_stands_for() {
        let done = run(&many(40)).unwrap();
        for n in 1..=20 {
            assert!(done.summaries[0].body.as_str().contains(&format!("(id {})", n * 1000)), "{n}");
        }
    }

    #[test]
    fn an_older_summary_is_continued_when_there_are_too_many_again() {
        let first = many(40);
        let mut then = after(&first, &run(&first).unwrap());
        then.extend((41..=50).map(|n| memory(n * 1000, &format!("Decision number {n} about thing {n}"))));
        let done = run(&then).unwrap();
        assert_eq!((done.merged, done.leaving.len(), done.summaries.len()), (10, 11, 1));
        let summary = &done.summaries[0];
        assert!(summary.body.as_str().starts_with("Compacted 30 older entries:"));
        assert_eq!(summary.provenance.lineage.len(), 30);
        for n in 1..=30 {
            assert_eq!(summary.body.as_str().matches(&format!("(id {})", n * 1000)).count(), 1, "{n}");
        }
    }

    #[test]
    fn a_summary_of_the_vault_tool_is_continued_too() {
        let mut all = many(31);
        let text = "Compacted 2 older entries:\n- [2026-01-01T00:00] one\n- [2026-01-02T00:00] two";
        all.push(Memory { tags: Tag::parse("compacted").into_iter().collect(), ..memory(99_000, text) });
        let done = run(&all).unwrap();
        assert!(done.leaving.iter().any(|id| id.as_str() == "99000"));
        let text = done.summaries[0].body.as_str();
        assert!(
            text.starts_with("Compacted 13 older entries:") && text.contains("\n- [2026-01-02T00:00] two"),
            "{text}"
        );
        assert!(done.summaries[0].id.millis() < Some(12_000));
    }

    /// Not as elsewhere: secrets were merged into what everybody sees.
    #[test]
    fn secrets_keys_and_other_scopes_stay_as_they_are() {
        let mut all = many(40);
        all[0].provenance.sensitivity = Sensitivity::Secret;
        all[1].key = Key::parse("plan").ok();
        all[2].scope = Scope::Project;
        all[3].id = MemoryId::of_text("by hand", 0);
        all[4].key = Key::parse("handoff:x").ok();
        all[4].kind = Kind::Handoff;
        let done = run(&all).unwrap();
        let leaving: BTreeSet<&str> = done.leaving.iter().map(MemoryId::as_str).collect();
        for (memory, leaves) in all.iter().zip([false, false, false, false, true, true]) {
            assert_eq!(leaving.contains(memory.id.as_str()), leaves, "{}", memory.id);
        }
        assert!(!done.summaries[0].body.as_str().contains("number 1 "));
    }

    #[test]
    fn trust_never_rises_and_strangers_stay_apart() {
        let mut all = many(40);
        all[0].provenance.class = SourceClass::Untrusted;
        all[1].provenance.class = SourceClass::Agent;
        all[2].provenance.sensitivity = Sensitivity::PrivateUser;
        all[3].provenance.confidence = Some(Confidence::from(0.4));
        let done = run(&all).unwrap();
        let [ours, theirs] = done.summaries.as_slice() else { panic!("{}", done.summaries.len()) };
        assert_eq!(ours.provenance.class, SourceClass::Agent);
        assert_eq!(ours.provenance.sensitivity, Sensitivity::PrivateUser);
        assert_eq!(ours.provenance.confidence, Some(Confidence::from(0.4)));
        assert_eq!(theirs.provenance.class, SourceClass::Untrusted);
        assert!(theirs.body.as_str().contains("number 1 ") && !ours.body.as_str().contains("number 1 "));
        assert!(theirs.id.millis() < ours.id.millis());
    }

    #[test]
    fn open_tasks_stay_word_by_word() {
        let mut all = many(40);
        all[0].body = Body::new("Before the release:\n- [ ] ask ops #ci\n- [x] done\n  * [ ] sign it");
        let text = run(&all).unwrap().summaries[0].body.as_str().to_owned();
        assert!(text.contains("\n- [ ] ask ops #ci\n* [ ] sign it"), "{text}");
        assert!(!text.contains("[x]"));
    }

    /// What is open before is open after, and nothing else.
    #[test]
    fn a_summary_opens_no_task_again_and_drops_none() {
        let open = |memories: &[Memory]| {
            let held = memories.iter().filter(|memory| memory.superseded_by().is_none());
            let mut held: Vec<&Memory> = held.collect();
            held.sort_by_key(|memory| std::cmp::Reverse(memory.created));
            let mut lines: Vec<String> = open_tasks(held).into_iter().map(|task| task.line).collect();
            lines.sort();
            lines
        };
        let mut all = many(40);
        all[0].body = Body::new("- [ ] ship release");
        all[1].body = Body::new("- [x] ship release");
        all[2].body = Body::new("- [ ] the old plan");
        all[2].supersede(&MemoryId::from_millis(40_000), Time(1));
        all[3].body = Body::new("1. [ ] tag the release\n2. [ ] publish the crate");
        all[4].body = Body::new("- [ ] ticked after it left");
        all[5].body = Body::new("- [ ] kept under a key");
        all[5].key = Key::parse("plan").ok();
        all[6].body = Body::new("- [x] kept under a key");
        let before = ["- [ ] ticked after it left", "1. [ ] tag the release", "2. [ ] publish the crate"];
        assert_eq!(open(&all), before);
        let mut then = after(&all, &run(&all).unwrap());
        assert_eq!(open(&then), before);
        then.extend((41..=55).map(|n| memory(n * 1000, &format!("Decision number {n}"))));
        then.push(memory(41_500, "- [x] ticked after it left"));
        let then = after(&then, &run(&then).unwrap());
        assert_eq!(open(&then), before[1..]);
        assert!(!then.last().unwrap().body.as_str().contains("- [ ] "), "{:?}", then.last());
    }

    #[test]
    fn what_came_back_and_leaves_again_is_quoted_once() {
        let first = many(40);
        let mut then = after(&first, &run(&first).unwrap());
        then.extend((41..=50).map(|n| memory(n * 1000, &format!("Decision number {n} about thing {n}"))));
        then.push(memory(3000, "Decision number 3 was brought back"));
        let done = run(&then).unwrap();
        let summary = &done.summaries[0];
        assert_eq!(summary.body.as_str().matches("(id 3000)").count(), 1, "{}", summary.body.as_str());
        assert!(summary.body.as_str().contains("was brought back"));
        assert!(summary.body.as_str().starts_with("Compacted 30 older entries:"));
        assert_eq!(summary.provenance.lineage.len(), 30);
    }

    #[test]
    fn what_was_superseded_says_so() {
        let mut all = many(40);
        all[0].extra.insert("supersededBy".into(), "40000".into());
        assert!(run(&all).unwrap().summaries[0].body.as_str().contains("(id 1000, superseded by 40000)"));
    }

    #[test]
    fn ids_that_were_given_are_not_given_again() {
        let all = many(40);
        let taken = |id: &MemoryId| id.millis() > Some(20_500);
        let done = condense(&all, (&scope(), &Kind::Decision), &Config::default().upkeep, &taken).unwrap();
        assert_eq!(done.summaries[0].id.as_str(), "20500");
    }

    #[test]
    fn very_many_are_counted_and_the_best_quoted() {
        let all = many(5000);
        let done = run(&all).unwrap();
        let text = done.summaries[0].body.as_str();
        assert!(text.starts_with("Compacted 4980 older entries:") && text.len() < 64 << 10);
        assert!(text.ends_with("more, whole in the archive"), "{text}");
        assert!(done.summaries[0].provenance.lineage.len() <= 200);
        assert_eq!(run(&after(&all, &done)), None);
    }

    proptest! {
        #[test]
        fn whatever_is_there_nothing_looks_newer_or_is_trusted_more(
            rows in prop::collection::vec((1_u64..200, 0_usize..7, 0_usize..4, any::<bool>()), 0..90),
        ) {
            let mut used = BTreeSet::new();
            let all: Vec<Memory> = rows
                .into_iter()
                .filter(|row| used.insert(row.0))
                .map(|(n, class, sensitivity, task)| {
                    let text = if task { format!("- [ ] task {n}") } else { format!("said {n}. More of it {n}.") };
                    let mut memory = memory(n * 7, &text);
                    memory.provenance.class = SourceClass::ALL[class];
                    memory.provenance.sensitivity = Sensitivity::ALL[sensitivity];
                    memory
                })
                .collect();
            let Some(done) = run(&all) else { return Ok(()) };
            let then = after(&all, &done);
            prop_assert_eq!(run(&then), None);
            let secret = |memory: &Memory| memory.provenance.sensitivity == Sensitivity::Secret;
            let kept = all.iter().filter(|memory| !done.leaving.contains(&memory.id));
            let oldest = kept.filter(|memory| !secret(memory)).map(|memory| memory.id.millis()).min().unwrap();
            let ids: BTreeSet<&MemoryId> = then.iter().map(|memory| &memory.id).collect();
            prop_assert_eq!(ids.len(), then.len());
            for summary in &done.summaries {
                prop_assert!(summary.id.millis() < oldest);
                prop_assert!(!secret(summary));
                for part in all.iter().filter(|part| summary.provenance.lineage.contains(&part.id)) {
                    prop_assert!(!secret(part));
                    prop_assert!(summary.provenance.class <= part.provenance.class);
                    prop_assert!(summary.provenance.sensitivity >= part.provenance.sensitivity);
                    for task in open_tasks([part]) {
                        prop_assert!(summary.body.as_str().contains(&task.line));
                    }
                }
            }
        }
    }
}
