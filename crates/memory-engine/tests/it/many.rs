//! Many memories, many handles: nothing lost, nothing doubled, everything found at once, and lists that keep
//! what their filter says.

use std::collections::BTreeSet;
use std::time::Duration;

use memory_engine::core::id::{AgentId, Category, Key, MemoryId, Tag};
use memory_engine::core::kind::Kind;
use memory_engine::core::memory::{OnExisting, Provenance};
use memory_engine::core::scope::{Audience, Scope, Secrets, Sensitivity, SourceClass};
use memory_engine::core::time::Time;
use memory_engine::disk::{Disk as _, OsDisk};
use memory_engine::{Change, Draft, Expect, Filter, Forget, Memory, Outcome};

use crate::sandbox::{Asked as _, Sandbox, note};

fn keyed(key: &str, text: &str, on_existing: OnExisting) -> Draft {
    Draft { key: Some(Key::parse(key).unwrap()), on_existing, ..note(text) }
}

#[test]
fn threads_with_their_own_handles_lose_and_double_nothing() {
    let sandbox = Sandbox::new();
    drop(sandbox.open());
    let (threads, each) = (8, 200);
    let work = |thread: usize| {
        let memory = sandbox.open();
        let mut ids = Vec::new();
        for n in 0..each {
            let draft = keyed(&format!("k{thread}-{n}"), &format!("text {n} of {thread}"), OnExisting::Skip);
            let first = memory.remember(draft.clone()).unwrap();
            assert_eq!(first.outcome, Outcome::Created);
            // A caller that never saw the answer tries again.
            let again = memory.remember(draft).unwrap();
            assert_eq!((again.outcome, &again.id), (Outcome::Duplicate, &first.id));
            ids.push(first.id.millis().unwrap());
        }
        assert!(ids.is_sorted_by(|a, b| a < b), "ids of one handle ascend");
        ids
    };
    let ids: Vec<u64> = std::thread::scope(|scope| {
        let running: Vec<_> = (0..threads).map(|thread| scope.spawn(move || work(thread))).collect();
        running.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    });
    assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), threads * each, "ids are unique");
    let memory = sandbox.open();
    let texts = memory.texts();
    assert_eq!(texts.len(), threads * each);
    assert_eq!(texts.iter().collect::<BTreeSet<_>>().len(), threads * each);
    drop(memory);
    let file = sandbox.text("default/notes.md");
    assert_eq!(file.matches("<!-- id:").count(), threads * each, "each stands in the file once");
}

#[test]
fn the_first_to_come_make_one_ledger_together() {
    for round in 0..8 {
        let sandbox = Sandbox::new();
        std::thread::scope(|scope| {
            for thread in 0..12 {
                let sandbox = &sandbox;
                scope.spawn(move || sandbox.open().note(&format!("first word of {thread}")));
            }
        });
        assert_eq!(sandbox.open().texts().len(), 12, "round {round}");
        assert!(!sandbox.place(".vault/quarantine").exists(), "round {round}");
    }
}

fn group(count: usize) -> Vec<Draft> {
    (0..count).map(|n| note(&format!("text {n} of a group"))).collect()
}

#[test]
fn large_groups_are_in_the_files_when_the_handle_is_gone() {
    let sandbox = Sandbox::new();
    let memory = sandbox.open();
    let first = memory.remember_all(group(5000)).unwrap();
    // The same again, and more, while the files of the first group may still be written.
    let second = memory.remember_all(group(6000)).unwrap();
    for (n, again) in second.into_iter().enumerate() {
        let again = again.unwrap();
        match first.get(n) {
            Some(Ok(kept)) => assert_eq!((&again.id, again.outcome), (&kept.id, Outcome::Duplicate)),
            Some(Err(error)) => panic!("{error}"),
            None => assert_eq!(again.outcome, Outcome::Created),
        }
    }
    assert!(memory.codes().is_empty());
    drop(memory);
    assert_eq!(sandbox.text("default/notes.md").matches("<!-- id:").count(), 6000);
    assert!(sandbox.open().deep().findings.is_empty());
}

#[test]
fn a_large_group_whose_file_cannot_be_written_is_said_and_kept() {
    let sandbox = Sandbox::new();
    let memory = sandbox.open();
    // A folder stands where the new file would be written.
    std::fs::create_dir_all(sandbox.place("default/.notes.md.new")).unwrap();
    assert!(memory.remember_all(group(5000)).unwrap().iter().all(Result::is_ok));
    assert!(!memory.codes().is_empty(), "the caller is told although the files are written beside it");
    assert_eq!(memory.texts().len(), 5000);
    std::fs::remove_dir(sandbox.place("default/.notes.md.new")).unwrap();
    // What was held back goes with the next that is kept.
    memory.note("one more");
    memory.flush().unwrap();
    assert_eq!(sandbox.text("default/notes.md").matches("<!-- id:").count(), 5001);
}

#[test]
fn what_one_handle_wrote_the_other_reads_at_once() {
    let sandbox = Sandbox::new();
    let (writer, reader) = (sandbox.open(), sandbox.open());
    for n in 0..1000 {
        let text = format!("seen at once {n}");
        let id = writer.note(&text);
        assert_eq!(reader.text_of(&id), text);
    }
}

#[test]
fn a_reader_waits_for_a_writer_only_where_a_file_differs() {
    let sandbox = Sandbox::new().settings("[limits]\nlock_wait_ms = 50\n");
    let memory = sandbox.open();
    memory.note("kept");
    memory.flush().unwrap();
    sandbox.close(memory);
    let memory = sandbox.open();
    let writer = OsDisk::open(&sandbox.place("")).unwrap();
    let busy = writer.lock(Duration::ZERO).unwrap();
    // It was written so short a time before it was looked at that its date proves nothing.
    assert_eq!(memory.texts(), ["kept"]);
    assert_eq!(memory.codes(), Vec::<&str>::new());
    sandbox.save("default/notes.md", sandbox.text("default/notes.md") + "\n\nby hand\n");
    assert_eq!(memory.texts().len(), 2);
    assert!(memory.codes().contains(&"E_LOCKED"));
    drop(busy);
    assert_eq!(memory.texts().len(), 2);
    assert_eq!(memory.codes(), Vec::<&str>::new());
}

#[test]
fn a_batch_is_kept_whole_and_in_order() {
    let sandbox = Sandbox::new();
    let memory = sandbox.open();
    let drafts = (0..5000).map(|n| note(&format!("line {n} of the batch"))).collect();
    let kept = memory.remember_all(drafts).unwrap();
    let ids: Vec<u64> = kept.iter().map(|kept| kept.as_ref().unwrap().id.millis().unwrap()).collect();
    assert_eq!(ids.len(), 5000);
    assert!(ids.is_sorted_by(|a, b| a < b));
    drop(memory);
    let texts = sandbox.open().texts();
    let expect: Vec<String> = (0..5000).rev().map(|n| format!("line {n} of the batch")).collect();
    assert!(texts == expect, "newest first, none missing");
}

#[test]
fn a_batch_answers_for_each_draft_on_its_own() {
    let memory = Sandbox::new();
    let memory = memory.open();
    let drafts = vec![
        note("one"),
        note(""),
        note("one"),
        note("nul \0 byte"),
        keyed("k", "two", OnExisting::Append),
        keyed("k", "three", OnExisting::Append),
        note(&"x".repeat((1 << 20) + 1)),
        note("four"),
    ];
    let answers = memory.remember_all(drafts).unwrap();
    let words: Vec<&str> = answers
        .iter()
        .map(|answer| answer.as_ref().map_or_else(|error| error.code(), |kept| kept.outcome.word()))
        .collect();
    let expect = ["created", "E_EMPTY", "duplicate", "E_NUL", "created", "updated", "E_TOO_LONG", "created"];
    assert_eq!(words, expect);
    assert_eq!(memory.texts(), ["four", "two\n\nthree", "one"]);
}

#[test]
fn a_key_is_kept_added_to_or_replaced() {
    let sandbox = Sandbox::new();
    let memory = sandbox.open();
    let first = memory.remember(keyed("plan", "first", OnExisting::Skip)).unwrap();
    let skipped = memory.remember(keyed("plan", "second", OnExisting::Skip)).unwrap();
    assert_eq!((skipped.outcome, &skipped.id), (Outcome::KeyTaken, &first.id));
    assert_eq!(memory.text_of(&first.id), "first");
    let added = memory.remember(keyed("plan", "second", OnExisting::Append)).unwrap();
    assert_eq!((added.outcome, &added.id), (Outcome::Updated, &first.id));
    assert_eq!(memory.text_of(&first.id), "first\n\nsecond");
    let again = memory.remember(keyed("plan", "second", OnExisting::Append)).unwrap();
    assert_eq!(again.outcome, Outcome::Duplicate);
    let replaced = memory.remember(keyed("plan", "third", OnExisting::Replace)).unwrap();
    assert_eq!((replaced.outcome, &replaced.id), (Outcome::Updated, &first.id));
    // Another handle finds the key too, and nothing that was replaced is gone for good.
    let other = sandbox.open();
    let twice = other.remember(keyed("plan", "third", OnExisting::Replace)).unwrap();
    assert_eq!((twice.outcome, &twice.id), (Outcome::Duplicate, &first.id));
    assert_eq!(other.texts(), ["third"]);
    let versions: Vec<_> = other.history(&first.id).unwrap().into_iter().map(|v| v.text.unwrap()).collect();
    assert_eq!(versions, ["first", "first\n\nsecond", "third"]);
    let reasons: Vec<_> =
        other.archive(&Default::default()).unwrap().into_iter().map(|batch| batch.reason).collect();
    assert_eq!(reasons, ["replace", "replace"]);
}

#[test]
fn the_same_key_in_another_scope_is_another_memory() {
    let sandbox = Sandbox::new();
    let memory = sandbox.open();
    let dev = Scope::Agent(AgentId::parse("dev").unwrap());
    let ours = memory.remember(keyed("plan", "ours", OnExisting::Replace)).unwrap();
    let theirs = Draft { scope: Some(dev), ..keyed("plan", "theirs", OnExisting::Replace) };
    let theirs = memory.remember(theirs).unwrap();
    let shared = Draft { scope: Some(Scope::Project), ..keyed("plan", "shared", OnExisting::Replace) };
    let shared = memory.remember(shared).unwrap();
    assert_eq!((theirs.outcome, shared.outcome), (Outcome::Created, Outcome::Created));
    let texts = [&ours, &theirs, &shared].map(|kept| memory.text_of(&kept.id));
    assert_eq!(texts, ["ours", "theirs", "shared"]);
}

#[test]
fn the_same_text_is_kept_once() {
    let sandbox = Sandbox::new();
    let memory = sandbox.open();
    let first = memory.note("deploys happen on Fridays");
    for handle in [&memory, &sandbox.open()] {
        let again = handle.remember(note("deploys happen on Fridays  \n\n")).unwrap();
        assert_eq!((again.outcome, &again.id), (Outcome::Duplicate, &first));
    }
    memory.flush().unwrap();
    assert_eq!(sandbox.open().remember(note("deploys happen on Fridays")).unwrap().id, first);
    // Another agent, another kind, and a text that was forgotten are no duplicates.
    let dev = Some(Scope::Agent(AgentId::parse("dev").unwrap()));
    let other = memory.remember(Draft { scope: dev, ..note("deploys happen on Fridays") }).unwrap();
    let fact = Draft { kind: Some(Kind::Fact), ..note("deploys happen on Fridays") };
    let fact = memory.remember(fact).unwrap();
    memory.forget(std::slice::from_ref(&first), Forget::Archive).unwrap();
    let back = memory.remember(note("deploys happen on Fridays")).unwrap();
    assert_eq!([other.outcome, fact.outcome, back.outcome], [Outcome::Created; 3]);
    assert_ne!(back.id, first);
}

#[test]
fn a_text_taken_out_by_hand_is_no_duplicate() {
    let sandbox = Sandbox::new();
    let memory = sandbox.open();
    memory.note("an old one");
    memory.note("taken out");
    memory.note("a newer one");
    memory.flush().unwrap();
    let file = sandbox.text("default/notes.md");
    let entries: Vec<&str> = file.split("\n\n<!--").collect();
    let without = format!("{}\n\n<!--{}", entries[0], entries[2]);
    sandbox.save("default/notes.md", without);
    assert_eq!(memory.remember(note("taken out")).unwrap().outcome, Outcome::Created);
}

#[test]
fn near_duplicates_are_reported_and_kept() {
    let sandbox = Sandbox::new();
    let memory = sandbox.open();
    let words = "the importer writes each row to the queue and waits for the worker to say that it is done";
    let first = memory.note(words);
    memory.note("lunch is at noon in the small room on the second floor, bring your own cup and a spoon");
    let near = memory.remember(note(&words.replace("each", "every"))).unwrap();
    assert_eq!(near.outcome, Outcome::Created);
    let similar = memory.similar(&near);
    assert_eq!(similar.iter().map(|entry| &entry.memory.id).collect::<Vec<_>>(), [&first]);
    assert_eq!(memory.texts().len(), 3);
}

fn filtered(memory: &Memory, filter: &Filter) -> Vec<String> {
    let entries = memory.list(filter).unwrap();
    entries.into_iter().map(|entry| entry.memory.body.as_str().to_owned()).collect()
}

#[test]
fn lists_keep_what_their_filter_says() {
    let sandbox = Sandbox::new();
    let memory = sandbox.open();
    let dev = AgentId::parse("dev").unwrap();
    let scope = || Some(Scope::Agent(dev.clone()));
    let secret = Provenance { sensitivity: Sensitivity::Secret, ..Provenance::of("cli", SourceClass::Human) };
    let ids: Vec<MemoryId> = [
        note("plain #red"),
        Draft { scope: scope(), ..note("of dev #red #blue") },
        Draft { kind: Some(Kind::Decision), ..Draft::note("decided") },
        Draft { kind: Some(Kind::Decision), scope: scope(), ..Draft::note("decided by dev") },
        Draft { scope: Some(Scope::Project), ..note("for all #blue") },
        Draft { provenance: secret, ..note("a secret") },
        Draft { kind: Some(Kind::Other("ritual".into())), ..Draft::note("a rite") },
    ]
    .into_iter()
    .map(|draft| {
        // Times differ by a millisecond at least, so that their order is known.
        std::thread::sleep(std::time::Duration::from_millis(2));
        memory.remember(draft).unwrap().id
    })
    .collect();
    let at = |n: usize| memory.show(&ids[n]).unwrap().memory.created;
    let all = ["a rite", "for all #blue", "decided by dev", "decided", "of dev #red #blue", "plain #red"];
    let check = |filter: Filter, expect: &[&str]| {
        assert_eq!(filtered(&memory, &filter), expect, "{filter:?}");
        assert_eq!(filtered(&sandbox.open(), &filter), expect, "a second handle: {filter:?}");
    };
    let any = Filter::default;
    check(any(), &all);
    check(Filter { agent: Some(dev.clone()), ..any() }, &["decided by dev", "of dev #red #blue"]);
    let category = Category::parse("decisions").ok();
    check(Filter { category: category.clone(), ..any() }, &["decided by dev", "decided"]);
    check(Filter { agent: Some(dev.clone()), category, ..any() }, &["decided by dev"]);
    check(Filter { kind: Some(Kind::Decision), ..any() }, &["decided by dev", "decided"]);
    check(Filter { kind: Some(Kind::Other("ritual".into())), ..any() }, &["a rite"]);
    check(Filter { kind: Some(Kind::Other("x' OR '1'='1".into())), ..any() }, &[]);
    check(Filter { scope: Some("project".into()), ..any() }, &["for all #blue"]);
    check(Filter { tag: Tag::parse("red").ok(), ..any() }, &["of dev #red #blue", "plain #red"]);
    check(Filter { tag: Tag::parse("blue").ok(), ..any() }, &["for all #blue", "of dev #red #blue"]);
    check(Filter { since: Some(at(3)), ..any() }, &all[..3]);
    check(Filter { until: Some(at(3)), ..any() }, &all[2..]);
    check(Filter { since: Some(at(2)), until: Some(at(3)), ..any() }, &all[2..4]);
    check(Filter { since: Some(Time(i64::MAX)), ..any() }, &[]);
    check(Filter { limit: Some(0), ..any() }, &[]);
    check(Filter { limit: Some(2), ..any() }, &all[..2]);
    check(Filter { limit: Some(1), tag: Tag::parse("red").ok(), ..any() }, &["of dev #red #blue"]);
    let audience = Audience { agent: Some(dev.clone()), ..Audience::default() };
    check(Filter { audience, ..any() }, &["for all #blue", "decided by dev", "of dev #red #blue"]);
    let audience = Audience { secrets: Secrets::Show, ..Audience::default() };
    assert!(filtered(&memory, &Filter { audience, ..any() }).contains(&"a secret".to_owned()));
}

#[test]
fn versions_tell_who_changed_what() {
    let sandbox = Sandbox::new();
    let memory = sandbox.open();
    let id = memory.note("one");
    memory.edit(&id, Change::Text("two".into()), &Expect::Text("one".into())).unwrap();
    let stale = memory.edit(&id, Change::Text("x".into()), &Expect::Text("one".into())).unwrap_err();
    assert_eq!(stale.code(), "E_STALE");
    let file = sandbox.text("default/notes.md");
    sandbox.save("default/notes.md", file.replace("two", "three, by hand"));
    assert_eq!(memory.text_of(&id), "three, by hand");
    assert_eq!(memory.texts(), ["three, by hand"]);
    memory.edit(&id, Change::Tags(vec![Tag::parse("tagged").unwrap()]), &Expect::Anything).unwrap();
    memory.forget(std::slice::from_ref(&id), Forget::Archive).unwrap();
    assert_eq!(memory.show(&id).unwrap_err().code(), "E_NOT_FOUND");
    memory.restore(id.as_str()).unwrap();
    let versions = memory.history(&id).unwrap();
    let shown: Vec<_> =
        versions.iter().map(|v| (v.what, v.text.as_deref().unwrap_or("-"), v.current)).collect();
    let expect = [
        ("put", "one", false),
        ("edit", "two", false),
        ("found-edit", "three, by hand", false),
        ("edit", "three, by hand", false),
        ("remove", "-", false),
        ("restore", "three, by hand", true),
    ];
    assert_eq!(shown, expect);
}

#[test]
fn what_comes_under_a_key_brings_its_tags_and_its_date() {
    for layout in ["vault", "record", "journal"] {
        let sandbox = Sandbox::new().settings(&format!("[memory]\nlayout = \"{layout}\"\n"));
        let memory = sandbox.open();
        let said = |text: &str, how, tags: &[&str], minute: i64| Draft {
            tags: Some(tags.iter().map(|tag| Tag::parse(tag).unwrap()).collect()),
            at: Some(Time(1_700_000_000_000 + minute * 60_000)),
            ..keyed("handoff", text, how)
        };
        let check = |draft: Draft, text: &str, tags: &[&str], minute: i64| {
            let id = memory.remember(draft).unwrap().id;
            memory.flush().unwrap();
            let shown = memory.show(&id).unwrap().memory;
            assert_eq!(shown.body.as_str(), text, "{layout}");
            assert_eq!(shown.tags.iter().map(Tag::as_str).collect::<Vec<_>>(), tags, "{layout}");
            assert_eq!(shown.updated, Time(1_700_000_000_000 + minute * 60_000), "{layout}");
            assert_eq!(shown.created, Time(1_700_000_000_000), "{layout}");
        };
        use OnExisting::{Append, Replace};
        check(said("first", Replace, &["chat"], 0), "first", &["chat"], 0);
        check(said("second", Replace, &["done"], 5), "second", &["done"], 5);
        check(said("third", Append, &["late"], 9), "second\n\nthird", &["done", "late"], 9);
        // A text that is older than the memory does not make it change before it was there.
        check(said("fourth", Replace, &[], -5), "fourth", &[], 0);
    }
}
