//! What a person took back goes, and nothing that somebody else had a part in.

use super::*;

const REDIS: &str = "We decided to use Redis for the cache, because it survives restarts.";
const LRU: &str = "We decided to use an LRU for the cache, because Redis is one more server.";

/// A session in which Redis was decided, and the record to which the person may go back.
fn decided() -> (Told, Memory, usize) {
    let mut told = Told::new();
    let memory = told.sandbox.open();
    let first = told.says_after(None, "user", "Add a cache to the importer.");
    let first = told.says_after(Some(first), "assistant", "The cache is in.");
    (told, memory, first)
}

fn say_redis(told: &mut Told, after: usize) {
    let said = told.says_after(Some(after), "user", REDIS);
    told.says_after(Some(said), "assistant", "Redis is in.");
}

/// The person goes back; gives how much was taken out.
fn go_back(told: &mut Told, memory: &Memory, after: usize) -> usize {
    let said = told.says_after(Some(after), "user", LRU);
    told.says_after(Some(said), "assistant", "The LRU is in.");
    told.take(memory).taken_back
}

fn decisions(memory: &Memory) -> Vec<String> {
    let mut all = texts(memory, Kind::Decision);
    all.sort();
    all
}

#[test]
fn how_much_was_taken_back_is_said_and_the_archive_has_it() {
    let (mut told, memory, first) = decided();
    say_redis(&mut told, first);
    told.take(&memory);
    assert_eq!(go_back(&mut told, &memory, first), 1);
    assert_eq!(decisions(&memory), [LRU]);
    assert_eq!(memory.archive(&Default::default()).unwrap().len(), 1);
}

#[test]
fn what_was_edited_by_hand_stays() {
    let (mut told, memory, first) = decided();
    say_redis(&mut told, first);
    told.take(&memory);
    memory.flush().unwrap();
    let text = told.sandbox.text("default/decisions.md");
    told.sandbox.save("default/decisions.md", text.replace("restarts.", "restarts. Port 6390 (Ines)."));
    assert_eq!(go_back(&mut told, &memory, first), 0);
    assert!(decisions(&memory).iter().any(|text| text.contains("Port 6390")));
}

#[test]
fn what_another_session_said_stays() {
    let (mut told, memory, first) = decided();
    say_redis(&mut told, first);
    told.take(&memory);
    told.goes_on_in(OTHER);
    told.says("user", REDIS);
    told.take(&memory);
    told.goes_on_in(SESSION);
    assert_eq!(go_back(&mut told, &memory, first), 0);
    assert_eq!(decisions(&memory), [REDIS, LRU]);
}

#[test]
fn what_was_there_before_stays() {
    let (mut told, memory, first) = decided();
    let before = Draft {
        kind: Some(Kind::Decision),
        provenance: Provenance::of("x", SourceClass::Untrusted),
        ..Draft::note(REDIS)
    };
    let id = memory.remember(before).unwrap().id;
    say_redis(&mut told, first);
    told.take(&memory);
    assert_eq!(memory.show(&id).unwrap().memory.provenance.class, SourceClass::Human);
    assert_eq!(go_back(&mut told, &memory, first), 0);
    assert_eq!(decisions(&memory), [REDIS, LRU]);
}

#[test]
fn what_a_person_brought_back_stays() {
    let (mut told, memory, first) = decided();
    say_redis(&mut told, first);
    told.take(&memory);
    let id = memory.list(&Filter { kind: Some(Kind::Decision), ..Filter::default() }).unwrap().remove(0);
    assert_eq!(go_back(&mut told, &memory, first), 1);
    memory.restore(id.memory.id.as_str()).unwrap();
    let said = told.says_after(Some(first), "user", "Something else now, please.");
    told.says_after(Some(said), "assistant", "Fine.");
    told.take(&memory);
    assert!(decisions(&memory).contains(&REDIS.to_owned()));
}

#[test]
fn what_is_said_again_elsewhere_is_kept() {
    for role in ["user", "assistant"] {
        let (mut told, memory, first) = decided();
        say_redis(&mut told, first);
        told.take(&memory);
        let said = told.says_after(Some(first), "user", LRU);
        told.says_after(Some(said), "assistant", "The LRU is in.");
        told.goes_on_in(OTHER);
        told.says("user", "Which cache do we use in the exporter?");
        told.says(role, REDIS);
        let done = told.take(&memory);
        assert_eq!(done.taken_back, 1, "{role}");
        assert_eq!(decisions(&memory), [REDIS, LRU], "{role}");
    }
}

#[test]
fn what_is_said_again_in_nearly_the_same_words_stays() {
    let (mut told, memory, first) = decided();
    say_redis(&mut told, first);
    told.take(&memory);
    told.says_after(Some(first), "user", &format!("So: {}", REDIS.replace("the cache,", "the cache")));
    assert_eq!(told.take(&memory).taken_back, 0);
    assert_eq!(decisions(&memory).len(), 1);
}

#[test]
fn what_a_person_let_hold_again_holds_when_the_session_is_heard_again() {
    let (mut told, memory, first) = decided();
    say_redis(&mut told, first);
    // So many messages are never looked at together.
    for n in 0..260 {
        told.says_after(Some(told.records), "assistant", &format!("Step {n} is in."));
    }
    told.take(&memory);
    let said =
        told.says_after(Some(told.records), "user", "Scratch that, we decided to use Kafka for the cache.");
    told.says_after(Some(said), "user", "Now add a test.");
    told.take(&memory);
    let old = memory.list(&Filter { kind: Some(Kind::Decision), ..Filter::default() }).unwrap();
    let old = old.into_iter().find(|entry| entry.memory.body.as_str() == REDIS).unwrap().memory;
    assert!(old.superseded_by().is_some());
    memory.supersede(&Supersede::Undo(old.id.clone())).unwrap();
    told.says_after(Some(said), "user", "Now add two tests.");
    told.take(&memory);
    assert_eq!(memory.show(&old.id).unwrap().memory.superseded_by(), None);
}

#[test]
fn what_replaced_another_gives_its_place_back() {
    const KAFKA: &str = "Scratch that, we decided to use Kafka for the cache, because Redis is slow.";
    let (mut told, memory, first) = decided();
    say_redis(&mut told, first);
    told.take(&memory);
    let second = told.records;
    told.says_after(Some(second), "user", KAFKA);
    told.take(&memory);
    let holding = || {
        let all = memory.list(&Filter { kind: Some(Kind::Decision), ..Filter::default() }).unwrap();
        let all = all.into_iter().map(|entry| entry.memory).filter(|it| it.superseded_by().is_none());
        all.map(|it| it.body.as_str().to_owned()).collect::<Vec<_>>()
    };
    assert!(!holding().contains(&REDIS.to_owned()), "{:?}", holding());
    told.says_after(Some(second), "user", "Now add a test.");
    assert_eq!(told.take(&memory).taken_back, 1);
    assert_eq!(holding(), [REDIS]);
}

#[test]
fn the_words_of_a_person_make_an_agents_memory_theirs() {
    let mut told = Told::new();
    let memory = told.sandbox.open();
    let before = Draft {
        kind: Some(Kind::Decision),
        provenance: Provenance::of("x", SourceClass::Agent),
        ..Draft::note(REDIS)
    };
    let id = memory.remember(before).unwrap().id;
    told.says("user", REDIS);
    told.take(&memory);
    assert_eq!(memory.show(&id).unwrap().memory.provenance.class, SourceClass::Human);
    assert_eq!(decisions(&memory), [REDIS]);
}

#[test]
fn a_task_that_was_set_after_the_work_stays_open() {
    const TASK: &str = "- [ ] Update the release notes";
    let mut told = Told::new();
    let memory = told.sandbox.open();
    memory.remember(Draft { kind: Some(Kind::Task), ..Draft::note(TASK) }).unwrap();
    told.says("user", "TODO: Update the release notes");
    told.says("assistant", "- [x] Update the release notes");
    told.take(&memory);
    assert_eq!(texts(&memory, Kind::Task), [TASK]);
}

#[test]
fn a_task_that_is_set_again_is_not_ticked_by_what_is_heard_again() {
    const TASK: &str = "- [ ] Update the release notes";
    let (mut told, memory, first) = decided();
    let said = told.says_after(Some(first), "user", "TODO: Update the release notes");
    told.take(&memory);
    let said = told.says_after(Some(said), "assistant", "- [x] Update the release notes");
    told.says_after(Some(said), "user", "Now add a cache.");
    told.take(&memory);
    let done = "- [x] Update the release notes";
    assert_eq!(texts(&memory, Kind::Task), [done]);
    // A person opens it again in its file.
    let text = told.sandbox.text("default/tasks.md");
    told.sandbox.save("default/tasks.md", text.replace("[x]", "[ ]"));
    assert_eq!(texts(&memory, Kind::Task), [TASK]);
    told.says_after(Some(said), "user", "Now add an index instead.");
    told.take(&memory);
    assert_eq!(texts(&memory, Kind::Task), [TASK]);
    // Done once more, it is ticked, as soon as that is said.
    let mut record: Value = serde_json::from_str(&told.line("user", &json!(done))).unwrap();
    record["timestamp"] = json!("2999-01-01T00:00:00.000Z");
    record["parentUuid"] = json!(format!("u{}", told.records - 1));
    told.write(&format!("{record}\n"));
    told.take(&memory);
    assert_eq!(texts(&memory, Kind::Task), [done]);
}
