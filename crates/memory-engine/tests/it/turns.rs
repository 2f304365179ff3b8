//! Turns of conversations: what a question that reaches over several of them finds, what people want of an agent, and which
//! turns of talk between people answer.

use memory_engine::core::id::{SessionId, TurnId};
use memory_engine::core::kind::Kind;
use memory_engine::core::memory::Provenance;
use memory_engine::core::scope::SourceClass;
use memory_engine::core::time::Time;
use memory_engine::{Draft, Forget, Hit, Memory, Search, Update};

use crate::sandbox::Sandbox;

/// Keeps what was said in a session, at some time if it is known.
fn keep(memory: &Memory, session: &str, at: Option<Time>, texts: &[&str]) {
    for (n, text) in texts.iter().enumerate() {
        let mut provenance = Provenance::of("import", SourceClass::Human);
        provenance.session = SessionId::parse(session).ok();
        provenance.turn = TurnId::parse(&n.to_string()).ok();
        let kind = Some(Kind::of_word("turn"));
        memory.remember(Draft { provenance, kind, at, ..Draft::note(text) }).unwrap();
    }
}

/// Keeps what a person said in a session.
fn say(memory: &Memory, session: usize, texts: &[&str]) {
    keep(memory, &format!("talk-{session}"), None, texts);
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

/// Keeps what two people said to each other on a day.
fn talk(memory: &Memory, day: &str, texts: &[&str]) {
    keep(memory, &format!("talk-{day}"), Time::parse(&format!("{day}T20:00")), texts);
}

/// From the files alone, and with an index.
fn twice(memory: &Memory, each: impl Fn()) {
    each();
    memory.update_index(Update::Anew, &mut |_, _| {}).unwrap();
    each();
}

fn texts(memory: &Memory, question: &str) -> Vec<String> {
    hits(memory, question).iter().map(|hit| hit.entry.memory.body.as_str().to_owned()).collect()
}

/// What one signal gave to the memory that begins so.
fn part(memory: &Memory, question: &str, begins: &str, signal: &str) -> f32 {
    let found = hits(memory, question);
    let hit = found.iter().find(|hit| hit.entry.memory.body.as_str().starts_with(begins));
    let reasons = hit.map_or(&[][..], |hit| &hit.reasons);
    reasons.iter().find(|(prior, _)| prior.word() == signal).map_or(0.0, |(_, part)| *part)
}

#[test]
fn who_speaks_tells_more_of_somebody_than_who_says_the_name() {
    let sandbox = Sandbox::new();
    let memory = sandbox.open();
    talk(
        &memory,
        "2026-03-02",
        &[
            "Rui: What about you, Marta?",
            "Marta: I bake bread on Sundays, mostly with rye",
            "Rui: Great, Marta! And what else, Marta?",
            "Marta: In winter I knit a lot",
            "Rui: You are busy, Marta",
            "Marta: Always",
        ],
    );
    twice(&memory, || {
        let found = texts(&memory, "What do Rui and Marta like to do at home in winter?");
        assert!(found[0].starts_with("Marta: In winter"), "{found:?}");
        let words = |begins: &str| part(&memory, "what bread does Marta bake on Sundays?", begins, "words");
        let (named, told) = (words("Rui: You are busy"), words("Marta: I bake"));
        assert!(0.0 < named && named < 0.01 * told, "{named} {told}");
        // A name alone is what is asked for.
        assert!(texts(&memory, "marta").iter().any(|text| text.starts_with("Rui: You are busy")));
    });
}

#[test]
fn a_word_before_a_colon_is_nobody_where_others_have_no_name() {
    let sandbox = Sandbox::new();
    let memory = sandbox.open();
    talk(
        &memory,
        "2026-03-02",
        &[
            "Error: the socket is closed",
            "please look at it",
            "Error: the socket is gone",
            "and again",
            "Error: the pool is dry",
            "there was an error in the invoice of May",
        ],
    );
    twice(&memory, || {
        let found = texts(&memory, "which error was in the paper from the supplier?");
        assert!(found.iter().any(|text| text.starts_with("there was an error")), "{found:?}");
        let words = |begins: &str| part(&memory, "which error did the pool of mine have?", begins, "words");
        let (of_one, of_two) = (words("Error: the socket is gone"), words("Error: the pool"));
        assert!(of_one > 0.1 * of_two, "{of_one} {of_two}");
    });
}

#[test]
fn what_is_forgotten_takes_nobody_their_name() {
    let sandbox = Sandbox::new();
    let memory = sandbox.open();
    talk(
        &memory,
        "2026-03-02",
        &[
            "Rui: Hello Marta",
            "Marta: I bake bread",
            "Rui: Good, Marta",
            "Marta: With rye",
            "Marta: Daily",
            "beep",
        ],
    );
    memory.update_index(Update::Anew, &mut |_, _| {}).unwrap();
    let beep = hits(&memory, "beep")[0].entry.memory.id.clone();
    memory.forget(std::slice::from_ref(&beep), Forget::Archive).unwrap();
    let words = || part(&memory, "what bread does Marta bake?", "Rui: Good", "words");
    let with_index = words();
    memory.update_index(Update::Anew, &mut |_, _| {}).unwrap();
    assert_eq!(with_index, words());
    assert!(with_index < 0.01, "{with_index}");
}

#[test]
fn what_was_done_on_a_day_is_told_soon_after() {
    let sandbox = Sandbox::new();
    let memory = sandbox.open();
    talk(&memory, "2026-03-02", &["Ana: The new chairs look nice", "Leo: They do, and they were cheap"]);
    talk(&memory, "2026-03-15", &["Ana: The old chairs look nice too", "Leo: If you say so"]);
    talk(&memory, "2026-03-21", &["Ana: The blue chairs look nice as well", "Leo: I like the red ones"]);
    talk(&memory, "2026-04-30", &["Ana: The white chairs look nice", "Leo: Stop it"]);
    twice(&memory, || {
        let of = |question: &str| texts(&memory, question)[0].clone();
        assert!(of("Which chairs did Ana see on 14 March 2026?").contains("old chairs"));
        assert!(of("Which chairs did Ana see on 20 March 2026?").contains("blue chairs"));
        assert!(of("Which chairs did Ana see on 2 March 2026?").contains("new chairs"));
    });
}

#[test]
fn what_tells_something_comes_before_what_only_answers() {
    let sandbox = Sandbox::new();
    let memory = sandbox.open();
    talk(
        &memory,
        "2026-03-02",
        &[
            "Ana: The garden sounds amazing, thank you so much for the garden!",
            "Leo: You are so welcome",
            "Ana: My sister planted thirty tulips in her garden last May",
            "Leo: Wow",
        ],
    );
    twice(&memory, || {
        let found = hits(&memory, "what did Ana tell of the garden?");
        assert!(found[0].entry.memory.body.as_str().contains("tulips"), "{found:#?}");
        let told = |hit: &Hit| hit.reasons.iter().find(|(prior, _)| prior.word() == "tells").unwrap().1;
        assert!(told(&found[0]) > told(&found[1]) + 0.5, "{found:#?}");
    });
}
