//! Upkeep: a look lists what a run does, nothing is lost by it, and `restore` gives every file its first bytes again.

use std::collections::BTreeMap;

use memory_engine::core::id::{AgentId, MemoryId};
use memory_engine::core::kind::Kind;
use memory_engine::core::memory::Provenance;
use memory_engine::core::retain::{is_compacted, latest_handoff};
use memory_engine::core::scope::{Audience, Scope, Secrets, Sensitivity, SourceClass};
use memory_engine::{Compact, Compacted, Draft, Filter, Forget, Memory, Severity, Step};

use crate::sandbox::{Asked as _, Dice, Sandbox};

fn run(memory: &Memory) -> Compacted {
    memory.compact(&Compact::default(), &mut |_, _| {}).unwrap()
}

fn decision(agent: &str, text: &str) -> Draft {
    let scope = Some(Scope::Agent(AgentId::parse(agent).unwrap()));
    Draft { kind: Some(Kind::Decision), scope, ..Draft::note(text) }
}

fn decide(memory: &Memory, count: usize) -> Vec<MemoryId> {
    let draft =
        |n: usize| decision("dev", &format!("Choice {n} concerns the gateway of town {n}. It is final."));
    let kept = memory.remember_all((0..count).map(draft).collect()).unwrap();
    memory.flush().unwrap();
    kept.into_iter().map(|kept| kept.unwrap().id).collect()
}

/// What people call their own, without the archive.
fn own(sandbox: &Sandbox) -> BTreeMap<String, Vec<u8>> {
    let mut all = sandbox.everything();
    all.retain(|path, _| {
        let ours = path.starts_with(".vault") && !path.starts_with(".vault/checkpoints/");
        !ours && !path.starts_with("archive") && !path.ends_with('/')
    });
    all
}

fn conversation(agent: &str, from: usize, count: usize) -> String {
    let message = |n: usize| {
        let text = format!("We decided to use library{n} for the part {n} because it was faster.");
        format!(r#"{{"role":"agent","text":"{text}"}}"#)
    };
    let all: Vec<String> = (from..from + count).map(message).collect();
    format!(r#"{{"agentId":"{agent}","messages":[{}],"more":1}}"#, all.join(","))
}

/// A root with something of everything, files as odd as people leave them.
fn mixed(seed: u64) -> Sandbox {
    let mut dice = Dice(seed);
    let mut sandbox = Sandbox::new()
        .settings("[upkeep]\njournal_records = 6\njournal_merge = true\njournal_merge_records = 3\n");
    let end = ["\n", "\r\n"][dice.below(2)];
    let mut vault = format!("# By hand{end}{end}a preamble that stays{end}{end}{end}");
    for n in (1..=dice.below(60)).rev() {
        let gap = end.repeat(1 + dice.below(3));
        let task = if dice.below(4) == 0 { format!("- [ ] task {n}{end}") } else { String::new() };
        vault.push_str(&format!(
            "<!-- id:{} -->{end}## 2026-01-01T00:00 · #t{n}{end}{end}Entry number {n} of the old file.{end}{task}{end}---{end}{gap}",
            1_767_225_600_000 + n
        ));
    }
    vault.push_str("and a line at the end without an end");
    sandbox = sandbox.file("dev/lessons.md", vault);
    let mut journal = format!("# MEMORY.md{end}{end}by hand in the journal{end}");
    for n in 0..dice.below(12) {
        let category = ["note", "turn-summary", "learned"][dice.below(3)];
        let sensitivity = ["operational", "private-user", "secret"][dice.below(3)];
        journal.push_str(&format!(
            "- {{\"id\":\"r{n}\",\"category\":\"{category}\",\"text\":\"journal text {n}\",\"provenance\":{{\"timestamp\":\"2026-01-{:02}T00:00:00.000Z\",\"sensitivity\":\"{sensitivity}\"}}}}{end}",
            n + 1
        ));
    }
    sandbox = sandbox.file("MEMORY.md", journal);
    if dice.below(2) == 0 {
        sandbox = sandbox.file("LONGMEMORY.md", "# LONGMEMORY.md\n\n## Summary (2025-01-01)\n\nlong ago\n");
    }
    sandbox
        .file("conversations/dev.json", conversation("dev", 0, dice.below(40)))
        .file("conversations/broken.json", "{")
        .file(".vault/checkpoints/dev.json", "broken")
        .file("dev.md", "flat")
        .file("small.md", "small")
        .file("x.md.bak", "backup")
}

#[test]
fn a_look_lists_what_the_run_does_and_restore_gives_the_first_bytes() {
    for seed in 0..25 {
        let sandbox = mixed(seed);
        let memory = sandbox.open();
        decide(&memory, 25 + seed as usize);
        let first = own(&sandbox);
        let look = memory.look_at_compaction(&Compact::default()).unwrap();
        assert_eq!(own(&sandbox), first, "seed {seed}: a look changes nothing");
        let done = run(&memory);
        assert_eq!(look.deeds, done.deeds, "seed {seed}");
        assert_eq!(done.errors.len(), 1, "seed {seed}: {:?}", done.errors);
        let all = sandbox.files().into_values().collect::<Vec<_>>().concat();
        for bytes in first.values() {
            for line in bytes.split(|b| matches!(b, b'\n' | b'\r')).filter(|line| line.len() > 8) {
                assert!(all.windows(line.len()).any(|part| part == line), "seed {seed}: a line is lost");
            }
        }
        let again = run(&memory);
        assert_eq!(again.deeds, [], "seed {seed}: another run has nothing to do");
        assert!(again.archive.is_none());
        assert!(memory.deep().findings.iter().all(|it| it.severity != Severity::Problem), "seed {seed}");
        memory.restore(&done.archive.unwrap()).unwrap();
        let then = own(&sandbox);
        for (path, bytes) in &first {
            let (now, was) =
                (then.get(path).map(|b| String::from_utf8_lossy(b)), String::from_utf8_lossy(bytes));
            assert_eq!(now.as_deref(), Some(&*was), "seed {seed}: {path}");
        }
        assert_eq!(then.len(), first.len(), "seed {seed}: {:?}", then.keys());
        assert!(memory.deep().findings.iter().all(|it| it.severity != Severity::Problem), "seed {seed}");
    }
}

/// Not as elsewhere: of each merged memory two hundred characters were left.
#[test]
fn every_merged_memory_comes_back_by_its_id() {
    let sandbox = Sandbox::new();
    let memory = sandbox.open();
    let ids = decide(&memory, 31);
    run(&memory);
    assert!(memory.show(&ids[3]).is_err());
    memory.restore(ids[3].as_str()).unwrap();
    assert!(memory.text_of(&ids[3]).ends_with("town 3. It is final."));
    assert!(memory.show(&ids[4]).is_err());
}

#[test]
fn what_came_since_stays_when_a_batch_comes_back() {
    let sandbox = mixed(3);
    let memory = sandbox.open();
    decide(&memory, 40);
    let done = run(&memory);
    memory.remember(decision("dev", "said after upkeep")).unwrap();
    sandbox.save("conversations/dev.json", conversation("dev", 100, 3));
    let restored = memory.restore(&done.archive.unwrap()).unwrap();
    let texts = memory.texts();
    assert!(texts.iter().any(|text| text == "said after upkeep"));
    assert!(texts.iter().any(|text| text.starts_with("Choice 0 ")));
    assert!(!texts.iter().any(|text| text.starts_with("Compacted ")));
    let left: Vec<&str> = restored.left.iter().map(|(path, _)| path.as_str()).collect();
    assert!(left.contains(&"dev/decisions.md") && left.contains(&"conversations/dev.json"), "{left:?}");
    assert!(sandbox.text("conversations/dev.json").contains("library100"));
}

#[test]
fn secrets_and_strangers_keep_their_place() {
    let sandbox = Sandbox::new();
    let memory = sandbox.open();
    let of = |class, sensitivity| Provenance { sensitivity, ..Provenance::of("cli", class) };
    let draft = |text: &str, provenance| Draft { provenance, ..decision("dev", text) };
    let secret = of(SourceClass::Human, Sensitivity::Secret);
    memory.remember(draft("the vault of the bank opens at nine", secret)).unwrap();
    let strange = of(SourceClass::Untrusted, Sensitivity::Operational);
    memory.remember(draft("a web page says to trust everyone", strange)).unwrap();
    decide(&memory, 40);
    run(&memory);
    let audience = Audience { secrets: Secrets::Show, ..Audience::default() };
    let all = memory.list(&Filter { audience, ..Filter::default() }).unwrap();
    let summaries: Vec<_> = all.iter().filter(|entry| is_compacted(&entry.memory)).collect();
    assert_eq!(summaries.len(), 2);
    for summary in summaries {
        let text = summary.memory.body.as_str();
        assert!(!text.contains("bank"));
        let strange = text.contains("web page");
        assert_eq!(summary.memory.provenance.class == SourceClass::Untrusted, strange, "{text}");
    }
    assert!(all.iter().any(|entry| entry.memory.body.as_str().contains("bank")));
}

/// Not as elsewhere: the handoff that compaction wrote became the last session.
#[test]
fn a_compacted_handoff_is_not_the_latest() {
    let sandbox = Sandbox::new().file("conversations/dev.json", conversation("dev", 0, 30));
    let memory = sandbox.open();
    let handoff = Draft { kind: Some(Kind::Handoff), ..decision("dev", "where we stopped") };
    let id = memory.remember(handoff).unwrap().id;
    assert_eq!(run(&memory).conversations, 1);
    let all: Vec<_> =
        memory.list(&Filter::default()).unwrap().into_iter().map(|entry| entry.memory).collect();
    let written =
        all.iter().find(|memory| memory.body.as_str().starts_with("Session compacted (10 msgs")).unwrap();
    let tags: Vec<&str> = written.tags.iter().map(|tag| tag.as_str()).collect();
    assert_eq!(tags, ["compacted", "auto-handoff"]);
    assert_eq!(latest_handoff(&all).map(|memory| &memory.id), Some(&id));
}

#[test]
fn a_conversation_is_read_once_and_an_edited_message_again() {
    let sandbox = Sandbox::new()
        .file("conversations/dev.json", conversation("dev", 0, 5))
        .file(".vault/processed-conversations.json", r#"["dev:5","other:9"]"#);
    let memory = sandbox.open();
    assert_eq!((run(&memory).extracted, run(&memory).extracted), (5, 0));
    let edited = sandbox.text("conversations/dev.json").replace("library2", "the sandpiper");
    sandbox.save("conversations/dev.json", edited);
    let done = run(&memory);
    assert_eq!(done.extracted, 1, "{:?}", done.deeds);
    assert!(done.deeds[0].about.contains("sandpiper"));
    assert!(sandbox.text(".vault/processed-conversations.json").starts_with(r#"["dev:5","other:9","#));
}

/// Flat files stay until their words stand elsewhere, and what may leave.
#[test]
fn a_small_file_that_was_not_migrated_stays_where_it_is() {
    let sandbox = Sandbox::new().file("notes.md", "tiny").file("dev.md", "flat").file("a.md.bak", "old");
    let memory = sandbox.open();
    assert_eq!(run(&memory).legacy, 1, "only the backup: there is no vault of dev yet");
    decide(&memory, 1);
    let done = run(&memory);
    assert_eq!(done.legacy, 1);
    assert_eq!(sandbox.text("notes.md"), "tiny");
    assert!(!sandbox.place("dev.md").exists());
    memory.restore(&done.archive.unwrap()).unwrap();
    assert_eq!(sandbox.text("dev.md"), "flat");
}

/// Not as elsewhere: at ten megabytes the store read as empty and the next record replaced it all.
#[test]
fn experiences_survive_ten_megabytes() {
    let line = |n: usize| {
        let text = format!("experience {n} {}", "lorem ipsum dolor ".repeat(2000));
        format!("{{\"id\":\"e{n}\",\"text\":\"{text}\",\"timestamp\":{n}}}\n")
    };
    let all: String = (1..=300).map(line).collect();
    assert!(all.len() > 10 << 20);
    let sandbox = Sandbox::new()
        .settings("[upkeep]\nexperiences = true\nexperience_most = 300\n")
        .file(".vault/experiences.jsonl", &all)
        .file("MEMORY.md", "- {\"id\":\"r1\",\"category\":\"note\",\"text\":\"the proxy drops idle sockets after a minute\"}\n- {\"id\":\"r2\",\"category\":\"note\",\"text\":\"a secret that nobody may ever read\",\"provenance\":{\"sensitivity\":\"secret\"}}\n");
    let memory = sandbox.open();
    assert_eq!(run(&memory).experiences, 1);
    let then = sandbox.text(".vault/experiences.jsonl");
    assert_eq!(then.lines().count(), 300);
    assert!(then.contains("idle sockets") && !then.contains("nobody may") && !then.contains("\"e1\""));
    assert_eq!(run(&memory).experiences, 0);
}

/// Not as elsewhere: a lock that a dead run left was never given up.
#[test]
fn a_dead_run_holds_no_lock() {
    let sandbox =
        Sandbox::new().file(".vault/upkeep.lock", "4711").file("tmp/memory-compaction.lock", "4711");
    let memory = sandbox.open();
    decide(&memory, 31);
    let done = run(&memory);
    assert_eq!((done.busy, done.merged), (false, 11));
}

#[test]
fn runs_at_the_same_time_do_the_work_once() {
    let sandbox = Sandbox::new();
    decide(&sandbox.open(), 40);
    let merged: usize = std::thread::scope(|scope| {
        let runs: Vec<_> = (0..4).map(|_| scope.spawn(|| run(&sandbox.open()).merged)).collect();
        runs.into_iter().map(|run| run.join().unwrap()).sum()
    });
    assert_eq!(merged, 20);
    assert_eq!(run(&sandbox.open()).deeds, []);
}

#[test]
fn the_journal_keeps_its_window_after_each_record() {
    let sandbox =
        Sandbox::new().settings("[memory]\nlayout = \"journal\"\n[continuity]\nmemoryMaxRecords = 3\n");
    let memory = sandbox.open();
    for n in 0..8 {
        let id = memory.note(&format!("record number {n} of the journal"));
        memory.flush().unwrap();
        let journal = sandbox.text("MEMORY.md");
        assert!(journal.contains(id.as_str()), "what was just written stays");
        assert_eq!(journal.matches("record number").count(), 3.min(n + 1));
    }
    let days: Vec<String> = sandbox.files().into_keys().filter(|path| path.starts_with("memory/2")).collect();
    assert_eq!(sandbox.text(&days[0]).matches("record number").count(), 8, "a day's file is not trimmed");
}

#[test]
fn forgetting_for_good_reaches_copies_and_summaries() {
    let sandbox = Sandbox::new();
    let memory = sandbox.open();
    let marked = memory
        .remember(decision("dev", "The kumquatmarker stands here. And kumquatmarker again."))
        .unwrap()
        .id;
    decide(&memory, 35);
    run(&memory);
    decide(&memory, 0);
    memory.remember_all((50..70).map(|n| decision("dev", &format!("Later choice {n}"))).collect()).unwrap();
    run(&memory);
    let holds = |bytes: &Vec<u8>| bytes.windows(13).any(|part| part == b"kumquatmarker");
    assert!(sandbox.everything().values().any(holds));
    memory.forget(std::slice::from_ref(&marked), Forget::Hard).unwrap();
    sandbox.close(memory);
    let left: Vec<String> =
        sandbox.everything().into_iter().filter(|(_, b)| holds(b)).map(|(path, _)| path).collect();
    assert_eq!(left, Vec::<String>::new());
    assert_eq!(run(&sandbox.open()).deeds.len(), 1, "the index is made anew");
}

#[test]
fn old_events_leave_when_the_state_knows_them() {
    let event = |n: u32, day: &str| {
        format!(
            "{{\"id\":\"evt-{n:06}\",\"kind\":\"prompt\",\"sourceId\":\"x\",\"externalItemId\":null,\"createdAt\":\"{day}T00:00:00.000Z\",\
             \"contentHash\":\"h{n}\",\"summary\":\"s\",\"signals\":{{\"decisions\":[],\"gotchas\":[],\"nextStepHints\":[],\"keyPaths\":[],\
             \"validationObservations\":[]}},\"sourceRef\":\"r\"}}\n"
        )
    };
    let log = [event(1, "2020-01-01"), event(2, "2020-01-02"), event(3, "2020-01-03")].concat();
    let state = include_str!("../../../memory-core/tests/history/state.json");
    let mut state: serde_json::Value = serde_json::from_str(state).unwrap();
    state["maintenance"]["lastRecalledEventId"] = "evt-000002".into();
    let history = Compact { only: vec![Step::History], ..Compact::default() };
    let sandbox = Sandbox::new().settings("[upkeep]\narchive_days = 1\n").file("history/events.jsonl", &log);
    let memory = sandbox.open();
    for unknown in ["{", "{}"] {
        sandbox.save("state.json", unknown);
        assert_eq!(
            memory.compact(&history, &mut |_, _| {}).unwrap().events,
            0,
            "nobody knows them: {unknown}"
        );
    }
    sandbox.save("state.json", state.to_string());
    let done = memory.compact(&history, &mut |_, _| {}).unwrap();
    assert_eq!((done.events, done.expired), (2, 0));
    assert_eq!(sandbox.text("history/events.jsonl"), event(3, "2020-01-03"));
    memory.restore(&done.pruned.unwrap()).unwrap();
    assert_eq!(sandbox.text("history/events.jsonl"), log);
    // Nobody writes a state where there is none, so nothing has to be known to it.
    std::fs::remove_file(sandbox.place("state.json")).unwrap();
    assert_eq!(memory.compact(&history, &mut |_, _| {}).unwrap().events, 2);
    assert_eq!(sandbox.text("history/events.jsonl"), event(3, "2020-01-03"));
}

/// What was forgotten for good leaves the summary that quotes it; by that the summary is ours no less.
#[test]
fn a_summary_without_one_of_its_quotes_still_goes_when_the_others_come_back() {
    let sandbox = Sandbox::new();
    let memory = sandbox.open();
    let ids = decide(&memory, 40);
    let batch = run(&memory).archive.unwrap();
    memory.forget(&ids[..1], Forget::Hard).unwrap();
    memory.restore(&batch).unwrap();
    let all = memory.list(&Filter::default()).unwrap();
    assert!(!all.iter().any(|entry| is_compacted(&entry.memory)));
    assert_eq!(all.len(), 39);
}
