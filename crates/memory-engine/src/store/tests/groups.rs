//! What a group of drafts costs: one durable commit, whatever is said again in it.

use memory_core::id::Key;
use memory_core::memory::{OnExisting, Provenance};

use super::*;
use crate::Outcome;

pub(super) fn said(text: &str, class: SourceClass) -> Draft {
    Draft { provenance: Provenance::of("cli", class), ..note(text) }
}

fn group(class: SourceClass, numbers: std::ops::Range<usize>) -> Vec<Draft> {
    numbers.map(|n| said(&format!("fact {n} of a group"), class)).collect()
}

/// Keeps a group and counts its durable commits.
fn keep(disk: &FaultyDisk, memory: &Memory, drafts: Vec<Draft>) -> (usize, Vec<Outcome>) {
    let before = disk.commits();
    let kept = memory.remember_all(drafts).unwrap();
    (disk.commits() - before, kept.into_iter().map(|kept| kept.unwrap().outcome).collect())
}

#[test]
fn what_is_said_again_shares_the_commit_of_its_group() {
    for settled in [true, false] {
        let place = folder();
        let disk = FaultyDisk::new(place.path());
        let memory = open(&disk).unwrap();
        assert_eq!(keep(&disk, &memory, group(SourceClass::Agent, 0..40)).0, 1);
        if settled {
            memory.flush().unwrap();
        }
        // Thirty that an agent said, five new ones, and the same five once more.
        let mut drafts = group(SourceClass::Human, 10..45);
        drafts.extend(group(SourceClass::Human, 40..45));
        let (commits, outcomes) = keep(&disk, &memory, drafts);
        assert_eq!(commits, 1, "settled: {settled}");
        assert_eq!(outcomes.iter().filter(|outcome| **outcome == Outcome::Created).count(), 5);
        for round in 0..2 {
            let theirs = memory.list(&Filter::default()).unwrap();
            let lifted =
                theirs.iter().filter(|entry| entry.memory.provenance.class == SourceClass::Human).count();
            assert_eq!((theirs.len(), lifted), (45, 35), "settled: {settled}, round {round}");
            memory.flush().unwrap();
        }
        // What waits is known as said, so the next group makes no second one of it.
        assert_eq!(keep(&disk, &memory, group(SourceClass::Human, 0..45)).1, [Outcome::Duplicate; 45]);
        memory.flush().unwrap();
        let file = disk.cat(FILE);
        assert_eq!(keep(&disk, &memory, group(SourceClass::Human, 0..45)).1, [Outcome::Duplicate; 45]);
        memory.flush().unwrap();
        assert!(disk.cat(FILE) == file, "what changes nothing leaves the file alone");
    }
}

#[test]
fn a_person_makes_an_agents_words_of_the_same_group_their_own() {
    let place = folder();
    let disk = FaultyDisk::new(place.path());
    let memory = open(&disk).unwrap();
    let drafts = vec![said("port 8080", SourceClass::Agent), said("port 8080", SourceClass::Human)];
    assert_eq!(keep(&disk, &memory, drafts), (1, vec![Outcome::Created, Outcome::Duplicate]));
    let listed = memory.list(&Filter::default()).unwrap();
    assert_eq!(
        listed.iter().map(|entry| entry.memory.provenance.class).collect::<Vec<_>>(),
        [SourceClass::Human]
    );
}

#[test]
fn a_replaced_key_of_the_same_group_meets_what_came_before_it() {
    let place = folder();
    let disk = FaultyDisk::new(place.path());
    let memory = open(&disk).unwrap();
    let keyed =
        |text: &str| Draft { key: Key::parse("port").ok(), on_existing: OnExisting::Replace, ..note(text) };
    let drafts = vec![note("before"), keyed("8080"), keyed("9090"), note("after"), keyed("9091")];
    let (_, outcomes) = keep(&disk, &memory, drafts);
    use Outcome::{Created, Updated};
    assert_eq!(outcomes, [Created, Created, Updated, Created, Updated]);
    let mut texts: Vec<String> = memory
        .list(&Filter::default())
        .unwrap()
        .into_iter()
        .map(|entry| entry.memory.body.as_str().to_owned())
        .collect();
    texts.sort();
    assert_eq!(texts, ["9091", "after", "before"]);
}
