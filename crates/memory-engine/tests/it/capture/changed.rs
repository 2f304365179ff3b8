//! What an earlier session left open or settled, and a later one tells otherwise.

use memory_engine::core::kind::Kind;
use memory_engine::core::memory::Holds;
use memory_engine::{Filter, Memory, Supersede};

use super::{OTHER, Told, texts};

#[test]
fn a_report_of_the_work_ticks_the_task_of_another_session() {
    let mut told = Told::new();
    let memory = told.sandbox.open();
    told.says("user", "TODO: add a health check endpoint");
    told.says("user", "TODO: write the load test with k6");
    told.says("user", "TODO: tag the release");
    told.take(&memory);
    told.goes_on_in(OTHER);
    told.says(
        "assistant",
        "I've added the health check endpoint in `src/server.ts`. Next I will tag the release.",
    );
    told.says("user", "we no longer need the load test with k6");
    told.take(&memory);
    let mut tasks = texts(&memory, Kind::Task);
    tasks.sort();
    assert_eq!(
        tasks,
        ["- [ ] Tag the release", "- [x] Add a health check endpoint", "- [x] Write the load test with k6"]
    );
    assert_eq!(texts(&memory, Kind::Decision), Vec::<String>::new());
}

/// What holds of a kind.
fn held(memory: &Memory, kind: Kind) -> Vec<String> {
    let filter = Filter { kind: Some(kind), holds: Holds::Now, ..Filter::default() };
    memory.list(&filter).unwrap().into_iter().map(|entry| entry.memory.body.as_str().to_owned()).collect()
}

#[test]
fn a_change_of_course_supersedes_the_decision_of_another_session() {
    for said in ["we decided to replace Drizzle with Kysely", "vamos abandonar o Drizzle e usar o Kysely"] {
        let mut told = Told::new();
        let memory = told.sandbox.open();
        told.says("user", "let's use Drizzle for the database");
        told.says("user", "let's use vitest for the tests");
        told.take(&memory);
        told.goes_on_in(OTHER);
        told.says("user", said);
        told.take(&memory);
        let held = held(&memory, Kind::Decision);
        assert_eq!(held.len(), 2, "{said}: {held:?}");
        assert!(
            held.iter().all(|text| text.contains("Kysely") || text.contains("vitest")),
            "{said}: {held:?}"
        );
        // It says what took its place, and holds again when that is undone.
        let all = memory.list(&Filter { kind: Some(Kind::Decision), ..Filter::default() }).unwrap();
        let old = all.iter().find(|entry| entry.memory.superseded_by().is_some()).unwrap();
        let new =
            all.iter().find(|entry| Some(&entry.memory.id) == old.memory.superseded_by().as_ref()).unwrap();
        assert_eq!(old.memory.body.as_str(), "Let's use Drizzle for the database");
        assert!(new.memory.body.as_str().contains("Kysely"));
        memory.supersede(&Supersede::Undo(old.memory.id.clone())).unwrap();
        assert!(held_again(&memory));
    }
}

fn held_again(memory: &Memory) -> bool {
    held(memory, Kind::Decision).iter().any(|text| text.contains("database"))
}

#[test]
fn an_agent_changes_no_course_of_another_session() {
    let mut told = Told::new();
    let memory = told.sandbox.open();
    told.says("user", "let's use Drizzle for the database");
    told.take(&memory);
    told.goes_on_in(OTHER);
    told.says("assistant", "We decided to replace Drizzle with Kysely because it is lighter.");
    told.take(&memory);
    assert_eq!(held(&memory, Kind::Decision).len(), 2);
}

#[test]
fn a_fact_is_corrected_in_another_session() {
    let mut told = Told::new();
    let memory = told.sandbox.open();
    told.says("user", "remember that the port of the API is 8080");
    told.take(&memory);
    told.goes_on_in(OTHER);
    told.says("user", "the port of the API is 8081, not 8080 as I told you before");
    told.take(&memory);
    assert_eq!(held(&memory, Kind::Fact), ["The port of the API is 8081"]);
}
