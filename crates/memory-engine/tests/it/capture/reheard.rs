//! Sessions that are heard again: what was taken back goes, what was edited here stays, and each keeps its date.

use super::*;

impl Told {
    /// The same as `says`, as a record that hangs at another; gives its number.
    pub(super) fn says_after(&mut self, parent: Option<usize>, role: &str, text: &str) -> usize {
        let content = if role == "user" { json!(text) } else { json!([{ "type": "text", "text": text }]) };
        let mut record: Value = serde_json::from_str(&self.line(role, &content)).unwrap();
        record["parentUuid"] = parent.map_or(Value::Null, |parent| json!(format!("u{parent}")));
        record["message"]["stop_reason"] = json!("end_turn");
        self.write(&format!("{record}\n"));
        self.records
    }
}

#[test]
fn what_a_person_took_back_is_taken_out_again() {
    const AGAIN: &str = "We decided to write all logs as JSON, because tools read it.";
    let mut told = Told::new();
    let memory = told.sandbox.open();
    let first = told.says_after(None, "user", "Add a cache to the importer.");
    let first = told.says_after(Some(first), "assistant", "The cache is in.");
    let redis = format!("We decided to use Redis for the cache, because it survives restarts.\n{AGAIN}");
    let second = told.says_after(Some(first), "user", &redis);
    told.says_after(Some(second), "assistant", "Redis is in, and JSON.");
    told.rests();
    told.take(&memory);
    let all = texts(&memory, Kind::Decision);
    assert!(all.iter().any(|text| text.contains("Redis")) && all.contains(&AGAIN.to_owned()), "{all:?}");
    // The prompt is written anew, with a part of what it said.
    let lru = format!("We decided to use an LRU for the cache, because Redis is one more server.\n{AGAIN}");
    let second = told.says_after(Some(first), "user", &lru);
    told.says_after(Some(second), "assistant", "The LRU is in.");
    told.rests();
    told.take(&memory);
    let mut all = texts(&memory, Kind::Decision);
    all.sort();
    assert_eq!(all, [lru.split('\n').next().unwrap(), AGAIN]);
    let handoff = texts(&memory, Kind::Handoff).remove(0);
    assert!(handoff.contains("The LRU is in") && !handoff.contains("Redis is in"), "{handoff}");
    // What goes on from there takes nothing more back.
    told.says_after(Some(second), "user", "Thanks");
    told.take(&memory);
    assert_eq!(texts(&memory, Kind::Decision).len(), 2);
}

#[test]
fn what_was_edited_here_does_not_come_back_when_its_message_is_read_again() {
    let mut told = Told::new();
    let memory = told.sandbox.open();
    told.says("user", "We decided to use Redis for the cache, because it survives restarts.");
    told.take(&memory);
    let id = memory.list(&Filter::default()).unwrap().remove(0).memory.id;
    memory.reword(&id, "We use Valkey for the cache.");
    // A session that was taken up in another file begins with the records of the first.
    let other = told.folder.join("22222222-0000-4000-8000-000000000002.jsonl");
    fs::copy(told.path(), &other).unwrap();
    date(&other, SystemTime::now() - Duration::from_secs(10));
    told.take(&memory);
    assert_eq!(texts(&memory, Kind::Decision), ["We use Valkey for the cache."]);
    // Said anew, it is news.
    told.says("user", "We decided to use Redis for the cache, because it survives restarts.");
    told.take(&memory);
    assert_eq!(texts(&memory, Kind::Decision).len(), 2);
}

#[test]
fn the_own_words_of_a_person_are_theirs_though_somebody_else_said_them_before() {
    const TABS: &str = "We decided to indent with tabs, because everyone sets their own width.";
    let mut told = Told::new();
    let memory = told.sandbox.open();
    let before = Draft {
        kind: Some(Kind::Decision),
        provenance: Provenance::of("specstory", SourceClass::Foreign),
        ..Draft::note(TABS)
    };
    let id = memory.remember(before).unwrap().id;
    told.says("user", TABS);
    told.take(&memory);
    let all = memory.list(&Filter { kind: Some(Kind::Decision), ..Filter::default() }).unwrap();
    let provenance = &all[0].memory.provenance;
    assert_eq!((all.len(), all[0].memory.id.clone()), (1, id.clone()));
    assert_eq!((provenance.class, provenance.origin.as_str()), (SourceClass::Human, "claude-code"));
    // And not the other way round.
    let again = Draft {
        kind: Some(Kind::Decision),
        provenance: Provenance::of("x", SourceClass::Foreign),
        ..Draft::note(TABS)
    };
    assert_eq!(memory.remember(again).unwrap().outcome, Outcome::Duplicate);
    assert_eq!(memory.show(&id).unwrap().memory.provenance.class, SourceClass::Human);
    told.sandbox.close(memory);
    let memory = told.sandbox.open();
    assert_eq!(memory.show(&id).unwrap().memory.provenance.class, SourceClass::Human);
}

#[test]
fn a_handoff_is_as_old_as_its_session() {
    let told = Told::new();
    let memory = told.sandbox.open();
    let path = told.folder.join("c1.jsonl");
    let line = |role: &str, text: &str| format!("{}\n", json!({"role": role, "message": {"content": text}}));
    fs::write(&path, line("user", "Add a cache") + &line("assistant", "The cache is in.")).unwrap();
    let old = SystemTime::now() - Duration::from_secs(200 * 86400);
    date(&path, old);
    memory.process(&asked(&told.folder, Client::Cursor), &mut |_, _| {}).unwrap();
    let handoff = memory.list(&Filter { kind: Some(Kind::Handoff), ..Filter::default() }).unwrap().remove(0);
    let age = old.duration_since(SystemTime::UNIX_EPOCH).unwrap().as_millis();
    assert_eq!(u128::try_from(handoff.memory.created.0).unwrap() / 1000, age / 1000);
}

/// The handoff that an agent is told.
fn told_as_last(memory: &Memory) -> String {
    let ask = Ask::new(AgentId::parse("default").unwrap());
    memory.context(&ask).unwrap().context.text
}

impl Told {
    fn works(&mut self, asked: &str, said: &str) {
        self.says("user", asked);
        self.says("assistant", said);
        self.rests();
    }
}

#[test]
fn the_last_session_is_the_one_in_which_something_was_said_last() {
    let mut told = Told::new();
    let memory = told.sandbox.open();
    told.works(
        "Please write the parser for the config file of the importer.",
        "I wrote the parser in src/parse.rs.",
    );
    told.take(&memory);
    told.works("Now also write the docs page for that parser, please.", "The docs page lists every field.");
    told.goes_on_in(OTHER);
    told.works("Please move the billing service to the new queue.", "I moved the billing service.");
    told.take(&memory);
    let last = told_as_last(&memory);
    assert!(last.contains("I moved the billing service") && !last.contains("docs page"), "{last}");
    // A chat that becomes work counts as work.
    let mut told = Told::new();
    let memory = told.sandbox.open();
    told.works(
        "Please write the parser for the config file of the importer.",
        "I wrote the parser in src/parse.rs.",
    );
    told.goes_on_in(OTHER);
    told.works("hello there", "Hi! What shall we do?");
    told.take(&memory);
    assert!(told_as_last(&memory).contains("I wrote the parser"));
    told.works(
        "Please move the billing service to the new queue, and tell me which of the consumers need a change.",
        "I moved the billing service to the new queue.",
    );
    told.take(&memory);
    assert!(told_as_last(&memory).contains("I moved the billing service"), "{}", told_as_last(&memory));
}

#[test]
fn any_number_of_chats_does_not_hide_the_work_before_them() {
    let mut told = Told::new();
    let memory = told.sandbox.open();
    told.works("Please move the billing service to the new queue.", "I moved the billing service.");
    for n in 0..25 {
        told.goes_on_in(&format!("22222222-0000-4000-8000-0000000000{n:02}"));
        told.works("hello there", "Hi! What shall we do?");
    }
    told.take(&memory);
    assert!(told_as_last(&memory).contains("I moved the billing service"), "{}", told_as_last(&memory));
}

#[test]
fn each_chat_of_aider_has_its_date_and_the_last_is_handed_over() {
    let told = Told::new();
    let memory = told.sandbox.open();
    let path = told.folder.join(".aider.chat.history.md");
    let chat = |at: &str, asked: &str, answer: &str| {
        format!("\n# aider chat started at {at}\n\n#### {asked}  \n\n{answer}\n\n> Tokens: 5 sent\n")
    };
    let first = chat(
        "2025-03-02 10:11:12",
        "We decided to use Redis for the cache, because it is fast.",
        "Redis it is.",
    );
    fs::write(&path, &first).unwrap();
    date(&path, SystemTime::now() - Duration::from_secs(3600));
    let take = || memory.process(&asked(&told.folder, Client::Aider), &mut |_, _| {}).unwrap();
    take();
    let decision =
        memory.list(&Filter { kind: Some(Kind::Decision), ..Filter::default() }).unwrap().remove(0);
    assert_eq!(decision.memory.created.iso(), "2025-03-02T10:11:12.000Z");
    memory.reword(&decision.memory.id, "We use tabs.");
    fs::write(&path, first + &chat("2025-03-03 10:11:12", "Add a cache", "The cache is in.")).unwrap();
    date(&path, SystemTime::now() - Duration::from_secs(1800));
    assert_eq!(take().messages, 2);
    assert_eq!(texts(&memory, Kind::Decision), ["We use tabs."]);
    let handoffs = texts(&memory, Kind::Handoff);
    assert_eq!(handoffs.len(), 1, "{handoffs:?}");
    assert!(handoffs[0].contains("The cache is in") && !handoffs[0].contains("Redis it is"), "{handoffs:?}");
    // Another file of the same client has a handoff of its own.
    let other = told.folder.join("other/.aider.chat.history.md");
    fs::create_dir_all(other.parent().unwrap()).unwrap();
    fs::write(&other, chat("2025-03-04 10:11:12", "Add docs", "The docs are in.")).unwrap();
    date(&other, SystemTime::now() - Duration::from_secs(900));
    take();
    assert_eq!(texts(&memory, Kind::Handoff).len(), 2);
}
