//! Contradictions, measured on pairs that were labelled by hand.

use super::contradictions;
use crate::id::{AgentId, MemoryId};
use crate::kind::Kind;
use crate::memory::{Body, Memory, Provenance};
use crate::scope::{Scope, SourceClass};
use crate::time::Time;

pub(super) fn memory(id: u64, text: &str) -> Memory {
    Memory {
        id: MemoryId::from_millis(id),
        kind: Kind::Note,
        scope: Scope::Agent(AgentId::unnamed()),
        key: None,
        title: None,
        body: Body::new(text),
        tags: vec![],
        created: Time(id as i64),
        updated: Time(id as i64),
        provenance: Provenance::of("cli", SourceClass::Human),
        extra: Default::default(),
    }
}

fn contradict(a: &str, b: &str) -> Option<String> {
    let (a, b) = (memory(1, a), memory(2, b));
    let found = contradictions(&[&a, &b]);
    assert_eq!(contradictions(&[&b, &a]).len(), found.len(), "the order does not matter: {a:?} {b:?}");
    found.first().map(|it| format!("{}: {}", it.subject, it.why))
}

/// Right and wrong verdicts on a file of pairs.
struct Score {
    found: usize,
    missed: Vec<String>,
    wrong: Vec<String>,
    pairs: usize,
    traps: usize,
}

fn score(pairs: &str) -> Score {
    let mut score = Score { found: 0, missed: Vec::new(), wrong: Vec::new(), pairs: 0, traps: 0 };
    for line in pairs.lines().filter(|line| line.starts_with(['+', '-'])) {
        let parts: Vec<&str> = line.split('|').map(str::trim).collect();
        let verdict = contradict(parts[1], parts[2]);
        score.pairs += 1;
        score.traps += usize::from(parts[0] == "-");
        match (parts[0], verdict) {
            ("+", Some(_)) => score.found += 1,
            ("+", None) => score.missed.push(line.to_owned()),
            (_, Some(why)) => score.wrong.push(format!("{line}  ({why})")),
            (_, None) => {}
        }
    }
    score
}

#[test]
fn contradictions_are_told_from_traps() {
    let sets = [
        ("known", include_str!("../../tests/integrity/pairs.txt")),
        ("blind", include_str!("../../tests/integrity/blind.txt")),
    ];
    for (name, pairs) in sets {
        let score = score(pairs);
        let precision = score.found as f64 / (score.found + score.wrong.len()).max(1) as f64;
        let recall = score.found as f64 / (score.pairs - score.traps).max(1) as f64;
        println!(
            "{name:>8} | {} pairs, {} traps | precision {precision:.3} | recall {recall:.3}",
            score.pairs, score.traps
        );
        score.wrong.iter().for_each(|line| println!("   wrong: {line}"));
        score.missed.iter().for_each(|line| println!("  missed: {line}"));
        assert!(precision >= 0.95 && recall >= 0.7, "{name}");
    }
}
