//! Contradictions, measured on pairs that were labelled by hand.

use proptest::prelude::*;

use super::{Anchor, Gist, all_definitions, anchors, contradictions, defined_names, definitions};
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
fn what_disagrees_is_told_in_the_words_that_were_said() {
    for (a, b, expect) in [
        ("O prazo é 15 dias", "O prazo é 30 dias", "prazo: one says `15 d`, the other `30 d`"),
        (
            "Telemetry is enabled",
            "Telemetry is disabled",
            "telemetry: one says `enabled`, the other `disabled`",
        ),
    ] {
        assert_eq!(contradict(a, b).as_deref(), Some(expect));
    }
}

#[test]
fn every_way_of_changing_course_is_proposed() {
    const DRIZZLE: &str = "Let's use Drizzle for the database";
    for (old, new) in [
        (DRIZZLE, "We're dropping Drizzle and moving to Kysely"),
        (DRIZZLE, "We decided to replace Drizzle with Kysely"),
        (DRIZZLE, "We moved from Drizzle to Kysely"),
        (DRIZZLE, "We're no longer using Drizzle"),
        (DRIZZLE, "We're dropping Drizzle"),
        (DRIZZLE, "Let's switch to Kysely"),
        (DRIZZLE, "Trocamos o Drizzle pelo Kysely"),
        (DRIZZLE, "Vamos trocar o Drizzle pelo Kysely"),
        (DRIZZLE, "Vamos abandonar o Drizzle e usar o Kysely"),
        ("We use Zork for the invoices", "We replaced Zork with Blip"),
        ("Let's use pnpm for installs", "Let's switch back to npm"),
        ("Vamos usar pnpm", "Vamos voltar para o npm"),
        ("Por favor sempre responda em português", "Please answer in English from now on"),
    ] {
        assert!(contradict(old, new).is_some(), "{old} / {new}");
    }
    for (old, new) in [
        (DRIZZLE, "Let's switch to the feature branch"),
        (DRIZZLE, "We will not replace Drizzle with Kysely"),
        ("Answer in English", "Responda em inglês"),
        ("Answer in English", "Use Portuguese for the e-mail templates"),
    ] {
        assert_eq!(contradict(old, new), None, "{old} / {new}");
    }
}

#[test]
fn changes_of_course_are_proposed() {
    for (old, new) in [
        (
            "We decided to use Kafka instead of Redis for the queues.",
            "We decided to use Redis instead of Kafka for the queues.",
        ),
        ("I prefer tabs over spaces", "I prefer spaces over tabs"),
        ("We decided to use SSE for live updates.", "We now use WebSockets instead of SSE for live updates."),
        ("We decided to use SSE for live updates.", "We no longer use SSE."),
        ("We decided to use SSE for live updates.", "Switch live updates from SSE to WebSockets."),
    ] {
        assert!(contradict(old, new).is_some(), "{old} {new}");
    }
    let moved = "We switched the importer from JSON to CSV.";
    assert_eq!(contradict(moved, "We switched the exporter from CSV to JSON."), None);
}

#[test]
#[expect(clippy::disallowed_macros, reason = "the table is for people who change the rules")]
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

/// Texts that are rich in what the rules look at.
fn any_text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        3 => any::<String>(),
        2 => Just("The port is 8080. ".to_owned()),
        2 => Just("não usamos `Ação::b()` em vez de x/é.rs ".to_owned()),
        2 => Just("fn é('a) {\n\"}\n".to_owned()),
        1 => Just("def x(\n  '\\".to_owned()),
        1 => Just("impl X {\n".to_owned()),
        1 => Just("1. = : 30 s, never ".to_owned()),
    ];
    proptest::collection::vec(piece, 0..8).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn any_text_is_read(a in any_text(), b in any_text()) {
        let (one, other) = (memory(1, &a), memory(2, &b));
        prop_assert_eq!(contradictions(&[&one, &other]).len(), contradictions(&[&other, &one]).len());
        prop_assert!(contradictions(&[&one, &memory(3, &a)]).is_empty(), "nothing contradicts itself");
        for anchor in anchors(&a) {
            if let Anchor::Symbol(symbol) = anchor {
                let named = definitions("x.rs", &b, &symbol);
                prop_assert!(named.iter().all(|it| it.name == symbol.name));
            }
        }
        let all = all_definitions(&b);
        prop_assert_eq!(all.iter().map(|it| it.name.as_str()).collect::<Vec<_>>(), defined_names(&b));
        prop_assert!(Gist::of(&a).is_like(&Gist::of(&b), None) == Gist::of(&b).is_like(&Gist::of(&a), None));
    }
}
