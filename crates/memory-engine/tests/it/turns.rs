//! Turns of conversations: what a question that reaches over several of them finds, and what people want of an agent.

use memory_engine::core::id::{SessionId, TurnId};
use memory_engine::core::kind::Kind;
use memory_engine::core::memory::Provenance;
use memory_engine::core::scope::SourceClass;
use memory_engine::{Draft, Hit, Memory, Search, Update};

use crate::sandbox::Sandbox;

/// Keeps what a person said in a session.
fn say(memory: &Memory, session: usize, texts: &[&str]) {
    for (n, text) in texts.iter().enumerate() {
        let mut provenance = Provenance::of("import", SourceClass::Human);
        provenance.session = SessionId::parse(&format!("talk-{session}")).ok();
        provenance.turn = TurnId::parse(&n.to_string()).ok();
        let kind = Some(Kind::of_word("turn"));
        memory.remember(Draft { provenance, kind, ..Draft::note(text) }).unwrap();
    }
}

fn hits(memory: &Memory, question: &str) -> Vec<Hit> {
    memory.search(&Search::new(question)).unwrap().hits
}

/// The sessions of the first so many hits.
fn sessions(memory: &Memory, question: &str, count: usize) -> Vec<String> {
    let of = |hit: &Hit| hit.entry.memory.provenance.session.as_ref().unwrap().as_str().to_owned();
    hits(memory, question).iter().take(count).map(of).collect()
}

#[test]
fn the_course_of_things_is_told_from_every_conversation() {
    let sandbox = Sandbox::new();
    let memory = sandbox.open();
    say(
        &memory,
        1,
        &["my garden plan has a path", "the garden plan needs a fence", "a garden plan with a pond"],
    );
    say(&memory, 2, &["I was ill for a week", "then I went on with the garden plan", "it rained"]);
    say(&memory, 3, &["we ate soup", "today I finished the garden plan", "what a day"]);
    for update in [None, Some(Update::Anew)] {
        if let Some(update) = update {
            memory.update_index(update, &mut |_, _| {}).unwrap();
        }
        let course = "in what order did I speak of the garden plan?";
        let mut told = sessions(&memory, course, 4);
        told.sort();
        told.dedup();
        assert_eq!(told, ["talk-1", "talk-2", "talk-3"]);
        let one = sessions(&memory, "what did I say of the garden plan?", 3);
        assert_eq!(one, ["talk-1"; 3], "who asks for one thing is answered from one place");
        for hit in hits(&memory, course) {
            let sum: f32 = hit.reasons.iter().map(|(_, part)| part).sum();
            assert!((sum - hit.score).abs() < 1e-3, "{hit:#?}");
        }
    }
}

#[test]
fn how_a_person_wants_things_comes_before_talk_of_the_same() {
    let sandbox = Sandbox::new();
    let memory = sandbox.open();
    say(
        &memory,
        1,
        &[
            "which libraries are there for charts, and are the libraries large?",
            "Always tell the version when I ask about libraries.",
            "the libraries in town are closed on Mondays",
        ],
    );
    say(&memory, 2, &["Ana: Never ask about libraries in town.", "Bia: I would not dream of it"]);
    let first = |question: &str| hits(&memory, question)[0].entry.memory.body.as_str().to_owned();
    assert!(first("which libraries are used in this project of mine?").starts_with("Always tell"));
    memory.update_index(Update::Anew, &mut |_, _| {}).unwrap();
    let found = hits(&memory, "which libraries are used in this project of mine?");
    assert!(found[0].entry.memory.body.as_str().starts_with("Always tell"), "{found:#?}");
    let says_how = |hit: &&Hit| hit.reasons.iter().any(|(prior, _)| prior.word() == "says-how");
    let told: Vec<&str> = found.iter().filter(says_how).map(|hit| hit.entry.memory.body.as_str()).collect();
    assert_eq!(told, ["Always tell the version when I ask about libraries."], "between people it is talk");
}
