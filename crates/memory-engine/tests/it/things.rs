//! Things asked for by what they are, and words by their other forms.

use memory_engine::core::id::AgentId;
use memory_engine::core::scope::{Audience, Scope};
use memory_engine::{Answer, Draft, Forget, Memory, Search, Update};

use crate::sandbox::{Asked as _, Sandbox};

const NOTES: &[&str] = &[
    "We run Postgres 15 with a read replica in eu-west-1",
    "pnpm instead of npm for all workspaces",
    "GitHub Actions runs the checks on every push",
    "Events go through Kafka, one topic for each aggregate",
    "Auth0 issues JWTs that live 15 minutes",
    "move the cron jobs from the old box to Kubernetes",
    "The checkout spec was flaky because of the date picker",
    "Ana owns billing, Bruno owns the mobile app",
    "A proxy to the moon was part of the joke at lunch",
    "The cache of the laptop's fan collects dust",
];

fn ask(memory: &Memory, question: &str) -> Answer {
    memory.search(&Search::new(question)).unwrap()
}

fn check(memory: &Memory, question: &str, expect: &str) {
    let answer = ask(memory, question);
    let first = answer.hits.first().map(|hit| hit.entry.memory.body.as_str());
    assert!(first.is_some_and(|text| text.contains(expect)), "{question}: {first:?}");
}

#[test]
fn a_thing_is_found_by_what_it_is_and_a_word_by_its_short_form() {
    let sandbox = Sandbox::new();
    let memory = sandbox.open();
    NOTES.iter().for_each(|text| drop(memory.note(text)));
    for with_index in [false, true] {
        if with_index {
            memory.update_index(Update::Anew, &mut |_, _| {}).unwrap();
        }
        check(&memory, "what database do we use", "Postgres");
        check(&memory, "qual banco de dados usamos?", "Postgres");
        check(&memory, "region", "eu-west-1");
        check(&memory, "package manager", "pnpm");
        check(&memory, "gerenciadores de pacotes", "pnpm");
        check(&memory, "CI pipeline", "GitHub Actions");
        check(&memory, "which message queue was chosen", "Kafka");
        check(&memory, "identity provider", "Auth0");
        check(&memory, "k8s", "Kubernetes");
        let pasted = "fn main() {\n    let cart = Cart::new();\n}\n\nWhich database holds the replica of it?";
        let words = ask(&memory, pasted).words;
        let stands = words.iter().find(|word| word.near.contains(&"postgres".to_owned()));
        assert_eq!(stands.map(|word| word.word.as_str()), Some("database"), "{words:?}");
        // Who says the word itself is before all that are of its sort.
        check(&memory, "proxy", "moon");
        check(&memory, "cache", "fan");
        let word = ask(&memory, "what database do we use").words.remove(0);
        assert_eq!(
            (word.word.as_str(), word.known, &word.near[..]),
            ("database", false, &["postgres".to_owned()][..])
        );
    }
}

/// A thing of two words is known by its stems, whoever else says one of them.
#[test]
fn a_thing_of_two_words_needs_no_other_memory_that_says_one() {
    let sandbox = Sandbox::new();
    let memory = sandbox.open();
    memory.note("On Sunday we ate ice creams at the lake");
    let other = memory.note("The cream for the face is in the drawer");
    memory.update_index(Update::Anew, &mut |_, _| {}).unwrap();
    memory.forget(&[other], Forget::Archive).unwrap();
    let near = |memory: &Memory| {
        let answer = ask(memory, "which desserts did we have");
        answer.words.into_iter().flat_map(|word| word.near).collect::<Vec<_>>()
    };
    assert_eq!(near(&memory), ["ice cream"]);
    std::fs::remove_dir_all(sandbox.place(".vault/index")).unwrap();
    assert_eq!(near(&sandbox.open()), ["ice cream"]);
}

const DAYS: &[&str] = &[
    "We adopted two beagles last weekend",
    "I baked a lasagna and my sister brought tiramisu",
    "My flight to New Zealand leaves on Friday",
    "Eu fiz feijoada no domingo",
    "The nightly job that sends the invoices runs at 3",
    "the manager signs what the driver brings",
    "a pet project of mine is a parser",
];

#[test]
fn all_of_a_sort_of_daily_life_is_found_where_it_is_asked_for() {
    let sandbox = Sandbox::new();
    let memory = sandbox.open();
    DAYS.iter().for_each(|text| drop(memory.note(text)));
    for with_index in [false, true] {
        if with_index {
            memory.update_index(Update::Anew, &mut |_, _| {}).unwrap();
        }
        check(&memory, "which countries did I travel to?", "New Zealand");
        check(&memory, "what is my favorite dessert", "tiramisu");
        // Who says the word itself is before all that are of its sort.
        check(&memory, "which job sends the invoices", "nightly");
        let found = |question: &str| {
            let answer = ask(&memory, question);
            let near = answer.words.into_iter().flat_map(|word| word.near).collect::<Vec<_>>();
            let texts = answer.hits.iter().map(|hit| hit.entry.memory.body.as_str()[..12].to_owned());
            (texts.collect::<Vec<_>>(), near)
        };
        let (texts, near) = found("que comidas nós fizemos?");
        assert!(texts.contains(&"Eu fiz feijo".to_owned()), "{texts:?}");
        assert!(texts.contains(&"I baked a la".to_owned()), "{texts:?}");
        assert_eq!(near, ["lasagna", "baked", "feijoada"], "each once");
        let (texts, near) = found("what pets do we have?");
        assert_eq!(texts[..2], ["a pet projec", "We adopted t"]);
        assert_eq!(near, ["beagle"], "and more than one of it");
        // Here nobody asks for all pets.
        assert!(found("the pet project that I began in spring").1.is_empty());
    }
}

#[test]
fn a_thing_that_is_hidden_is_not_told() {
    let sandbox = Sandbox::new();
    let memory = sandbox.open();
    let agent = |name: &str| AgentId::parse(name).unwrap();
    let hidden = Draft { scope: Some(Scope::Agent(agent("ops"))), ..Draft::note("MongoDB holds the carts") };
    memory.remember(hidden).unwrap();
    memory.note("the carts are emptied at night");
    let audience = Audience { agent: Some(agent("dev")), ..Audience::default() };
    let answer = memory.search(&Search { audience, ..Search::new("which database") }).unwrap();
    assert!(answer.words.iter().all(|word| word.near.is_empty()), "{:?}", answer.words);
    assert!(answer.hits.iter().all(|hit| !hit.entry.memory.body.as_str().contains("MongoDB")));
}
