//! What a changed file means, decided from values alone: which entries a person added, changed or took out, which
//! an old editor buffer overwrote, and whether the loss is so large that a person must look first.

use std::collections::{HashMap, HashSet};

use memory_core::id::MemoryId;

/// An entry as the catalogue knows it.
#[derive(Debug, Clone)]
pub(crate) struct Known {
    pub(crate) id: MemoryId,
    pub(crate) digest: [u8; 16],
    /// The operation that last changed it, 0 when it was found.
    pub(crate) seq: i64,
    pub(crate) past: Past,
    pub(crate) elsewhere: Elsewhere,
}

/// What the ledger tells of an entry.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Past {
    /// An operation of ours is so young that an editor may have had the file open since before it.
    pub(crate) recent: bool,
    /// The file shows the entry exactly as it stood before such an operation.
    pub(crate) reverted: bool,
    /// The moment in which such an operation put it back, where one did.
    pub(crate) placed: Option<u64>,
}

/// Whether an entry that is missing stands in another file now.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Elsewhere {
    #[default]
    No,
    /// It does, in other words.
    Changed,
    /// It does, as it was.
    Same,
}

/// An entry as the file shows it now.
#[derive(Debug, Clone)]
pub(crate) struct Shown {
    pub(crate) id: MemoryId,
    pub(crate) digest: [u8; 16],
    /// We took it out so lately that an editor may have had the file open since before that, and just as it is shown.
    pub(crate) forgotten: bool,
}

/// What an operation that is not yet settled wants of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wanted {
    /// It should stand there; whether the file shows it just as it is wanted.
    Stand {
        /// The file shows what is wanted.
        shown: bool,
    },
    /// It should be gone.
    Gone,
}

/// The rules for deciding.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rules {
    pub(crate) frozen_share: f64,
    pub(crate) frozen_entries: usize,
}

/// What is to be done about a changed file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Plan {
    /// Entries a person added.
    pub(crate) added: Vec<MemoryId>,
    /// Entries that a person changed.
    pub(crate) edited: Vec<MemoryId>,
    /// Entries a person took out.
    pub(crate) gone: Vec<MemoryId>,
    /// Entries that stand in another file now, as they were.
    pub(crate) moved: Vec<MemoryId>,
    /// Entries that a save of an old buffer overwrote: they are written again.
    pub(crate) again: Vec<MemoryId>,
    /// Entries that a save of an old buffer brought back: they are taken out again.
    pub(crate) out_again: Vec<MemoryId>,
    /// Why the file must wait for a person.
    pub(crate) frozen: Option<String>,
}

impl Plan {
    /// How many changes of ours an old buffer undid, which are made again.
    pub(crate) fn undone(&self) -> usize {
        self.again.len() + self.out_again.len()
    }
}

/// Decides. `wanted` tells of unsettled operations.
pub(crate) fn plan(
    known: &[Known],
    shown: &[Shown],
    wanted: &HashMap<MemoryId, Wanted>,
    rules: Option<Rules>,
) -> Plan {
    let before: HashMap<&MemoryId, &Known> = known.iter().map(|entry| (&entry.id, entry)).collect();
    let now: HashSet<&MemoryId> = shown.iter().map(|entry| &entry.id).collect();
    let mut plan = Plan::default();
    for entry in shown {
        let old = before.get(&entry.id);
        let same = old.is_some_and(|old| old.digest == entry.digest);
        match (old, wanted.get(&entry.id)) {
            (_, Some(Wanted::Stand { shown: true })) => {}
            (_, Some(_)) if same => {}
            (_, Some(_)) => plan.edited.push(entry.id.clone()),
            (Some(_), None) if same => {}
            (Some(old), None) if old.past.recent && old.past.reverted => plan.again.push(entry.id.clone()),
            (Some(_), None) => plan.edited.push(entry.id.clone()),
            (None, None) if entry.forgotten => plan.out_again.push(entry.id.clone()),
            (None, None) => plan.added.push(entry.id.clone()),
        }
    }
    let mut missing: Vec<&Known> =
        known.iter().filter(|entry| !now.contains(&entry.id) && !wanted.contains_key(&entry.id)).collect();
    let nowhere = missing.iter().filter(|entry| entry.elsewhere == Elsewhere::No).count();
    // Text without an id gets its name from its words, so a change of the words looks like one gone, one new.
    let renamed = plan.added.iter().filter(|id| id.is_untracked()).count();
    let lost = nowhere.saturating_sub(renamed);
    if let Some(rules) = rules
        && lost > rules.frozen_entries
        && lost as f64 > rules.frozen_share * known.len() as f64
    {
        plan.frozen = Some(format!("{lost} of its {} entries are gone at once", known.len()));
        return plan;
    }
    missing.sort_by_key(|entry| std::cmp::Reverse(entry.seq));
    let newest_kept = known.iter().filter(|entry| now.contains(&entry.id)).filter_map(age).max();
    for entry in missing {
        let id = entry.id.clone();
        match entry.elsewhere {
            Elsewhere::Same => plan.moved.push(id),
            // A buffer opened before an entry was added cannot hold it, nor any that came later.
            Elsewhere::No if entry.past.recent && age(entry) > newest_kept => plan.again.push(id),
            Elsewhere::No | Elsewhere::Changed => plan.gone.push(id),
        }
    }
    plan
}

/// What tells which of two entries came first: ids of the vault count time, unless it was put there later; others
/// follow the log. Text that is named after its words may be of any age.
fn age(entry: &Known) -> Option<u64> {
    match entry.id.millis() {
        Some(millis) => Some(millis.max(entry.past.placed.unwrap_or(0))),
        None if entry.id.is_untracked() => None,
        None => Some(entry.seq.unsigned_abs()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(n: u64) -> MemoryId {
        MemoryId::from_millis(n)
    }

    /// Entries are numbered by the operation that made them. Operations above 10 are recent, those with the digest 9
    /// undone, and entries from 90 on stand in another file, from 95 on in other words.
    fn known(entries: &[(u64, u8)]) -> Vec<Known> {
        let make = |&(n, digest): &(u64, u8)| Known {
            id: id(n),
            digest: [digest; 16],
            seq: n as i64,
            past: Past { recent: n > 10, reverted: digest == 9, placed: None },
            elsewhere: match n {
                95.. => Elsewhere::Changed,
                90.. => Elsewhere::Same,
                _ => Elsewhere::No,
            },
        };
        entries.iter().map(make).collect()
    }

    /// Entries from 80 to 89 were taken out lately.
    fn shown_as(n: u64, digest: u8) -> Shown {
        Shown { id: id(n), digest: [digest; 16], forgotten: (80..90).contains(&n) }
    }

    fn check(before: &[(u64, u8)], after: &[(u64, u8)], expect: &str) {
        let shown: Vec<_> = after.iter().map(|&(n, d)| shown_as(n, d)).collect();
        let rules = Rules { frozen_share: 0.5, frozen_entries: 5 };
        let plan = plan(&known(before), &shown, &HashMap::new(), Some(rules));
        let list = |ids: &[MemoryId]| ids.iter().map(MemoryId::as_str).collect::<Vec<_>>().join(",");
        let frozen = if plan.frozen.is_some() { " frozen" } else { "" };
        let moved = if plan.moved.is_empty() { String::new() } else { format!(" >{}", list(&plan.moved)) };
        let out =
            if plan.out_again.is_empty() { String::new() } else { format!(" x{}", list(&plan.out_again)) };
        let got = format!(
            "+{} ~{} -{} !{}{moved}{out}{frozen}",
            list(&plan.added),
            list(&plan.edited),
            list(&plan.gone),
            list(&plan.again)
        );
        assert_eq!(got, expect);
    }

    #[test]
    fn what_a_changed_file_means() {
        check(&[(1, 1), (2, 1)], &[(1, 1), (2, 1)], "+ ~ - !");
        check(&[(1, 1), (2, 1)], &[(1, 1), (2, 2), (3, 1)], "+3 ~2 - !");
        check(&[(1, 1), (2, 1)], &[(2, 1)], "+ ~ -1 !");
        // The newest ones are missing and young: an old buffer was saved.
        check(&[(1, 1), (11, 1), (12, 1)], &[(1, 1)], "+ ~ - !12,11");
        check(&[(1, 1), (11, 1), (12, 1)], &[(1, 1), (12, 1)], "+ ~ -11 !");
        // What stands elsewhere now was moved there.
        check(&[(1, 1), (12, 1), (92, 1)], &[(1, 1)], "+ ~ - !12 >92");
        check(&[(1, 1), (12, 1), (99, 1)], &[(1, 1)], "+ ~ -99 !12");
        // Our young edit is undone by an old buffer, a person's own edit is not.
        check(&[(1, 1), (12, 9)], &[(1, 1), (12, 8)], "+ ~ - !12");
        check(&[(1, 1), (12, 7)], &[(1, 1), (12, 8)], "+ ~12 - !");
        // What we took out is brought back, unless it was put there since.
        check(&[(1, 1)], &[(1, 1), (81, 1), (2, 1)], "+2 ~ - ! x81");
        check(&[(1, 1), (81, 1)], &[(1, 1), (81, 1)], "+ ~ - !");
        let many: Vec<_> = (1..=8).map(|n| (n, 1)).collect();
        check(&many, &[], "+ ~ - ! frozen");
        check(&many[..5], &[], "+ ~ -5,4,3,2,1 !");
        check(&many, &many[4..], "+ ~ -4,3,2,1 !");
        // A file that was given another name has lost nothing.
        let moved: Vec<_> = (90..=97).map(|n| (n, 1)).collect();
        check(&moved, &[], "+ ~ -97,96,95 ! >94,93,92,91,90");
    }

    #[test]
    fn unsettled_operations_are_not_taken_for_edits() {
        let wanted = HashMap::from([
            (id(1), Wanted::Gone),
            (id(2), Wanted::Stand { shown: true }),
            (id(3), Wanted::Stand { shown: false }),
            (id(4), Wanted::Stand { shown: false }),
        ]);
        let shown = [(1, 1), (2, 5), (3, 1), (4, 5)].map(|(n, digest)| shown_as(n, digest));
        let known = known(&[(1, 1), (3, 1), (4, 1)]);
        let plan = plan(&known, &shown, &wanted, None);
        assert_eq!(plan, Plan { edited: vec![id(4)], ..Plan::default() });
    }

    #[test]
    fn what_was_put_back_is_as_young_as_that() {
        let mut all = known(&[(1, 1), (20, 1)]);
        all[0].past = Past { recent: true, placed: Some(50), ..Past::default() };
        let shown = [shown_as(20, 1)];
        assert_eq!(plan(&all, &shown, &HashMap::new(), None).again, [id(1)]);
    }
}
