//! What changed: the memory that says how it is now stands before the one that says how it was.

use memory_engine::core::kind::Kind;
use memory_engine::core::time::Time;
use memory_engine::{Draft, Memory, Search};

use crate::sandbox::Sandbox;

fn keep(memory: &Memory, day: i64, text: &str) {
    let at = Some(Time(1_770_000_000_000 + day * 86_400_000));
    memory.remember(Draft { kind: Some(Kind::Fact), at, ..Draft::note(text) }).unwrap();
}

fn check(memory: &Memory, question: &str, expect: &str) {
    let answer = memory.search(&Search::new(question)).unwrap();
    let first = &answer.hits[0];
    let texts: Vec<&str> = answer.hits.iter().map(|hit| hit.entry.memory.body.as_str()).collect();
    assert!(texts[0].contains(expect), "{question:?} gave {texts:#?}");
    for hit in &answer.hits {
        let sum: f32 = hit.reasons.iter().map(|(_, part)| part).sum();
        assert!((sum - hit.score).abs() < 1e-3, "the reasons of {hit:?} add up to {sum}");
        assert!(hit.score <= first.score);
    }
}

#[test]
fn what_holds_now_stands_before_what_held() {
    let sandbox = Sandbox::new();
    let memory = sandbox.open();
    keep(&memory, 0, "The shipments API listens on port 8080 in every environment.");
    keep(
        &memory,
        150,
        "The shipments API now listens on port 9090; 8080 was taken by the new ingress sidecar.",
    );
    keep(&memory, 10, "Os backups do banco ficam 14 dias no bucket.");
    keep(
        &memory,
        160,
        "Os backups do banco passaram a ficar 35 dias no bucket, por causa da auditoria da ISO.",
    );
    keep(&memory, 20, "The billing API listens on port 7070.");
    keep(&memory, 170, "The search API of the partner now listens on port 6060, not ours.");
    for n in 0..20 {
        keep(&memory, n, &format!("Meeting room {n} has a window to the yard"));
    }
    check(&memory, "shipments API port", "9090");
    check(&memory, "what port does the shipments API listen on?", "9090");
    check(&memory, "quantos dias ficam os backups do banco", "35 dias");
    check(&memory, "billing API port", "7070");
}
