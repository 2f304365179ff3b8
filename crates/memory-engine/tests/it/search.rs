//! Search as somebody who embeds it meets it: what is kept is found, by words, parts of words and meaning; the same
//! with the index, with half of it and without it.

use std::fs;
use std::slice::from_ref;

use memory_engine::core::id::{AgentId, SessionId, Tag};
use memory_engine::core::kind::Kind;
use memory_engine::core::memory::Provenance;
use memory_engine::core::scope::{Audience, Scope, Sensitivity, SourceClass};
use memory_engine::core::time::Time;
use memory_engine::{Answer, Change, Depth, Draft, Expect, Forget, Memory, Search, Update, Updated};

use crate::sandbox::{Asked as _, Dice, Sandbox, note};

const NOTES: &[&str] = &[
    "login failed after the token expired",
    "o login falhou depois que o token expirou",
    "We decided to use PostgreSQL for the billing service because of row level security",
    "The parseHttpHeader function in src/net/http_client.rs drops trailing spaces",
    "Deploys happen on Fridays only, after the smoke tests",
    "A configuração da aplicação fica no arquivo ação.toml",
    "Kubernetes pods restart when memory exceeds 512Mi",
    "Error E_NOT_FOUND means that the record is gone, see ERR-4012",
    "We upgraded serde to v1.0.203 on 2026-03-16",
    "東京の会議で新しい設計を決めた",
    "Use cargo nextest for the test suite; it is faster than cargo test",
    "The cache is invalidated by the webhook of the content team",
    "Reunião com o time de pagamentos: o prazo é sexta-feira",
    "The landing page uses a dark theme with orange accents",
    "Grandma's recipe needs three eggs and a pinch of salt",
    "Running tests in parallel needs a temporary database per worker",
];

fn filled() -> Sandbox {
    let sandbox = Sandbox::new();
    let memory = sandbox.open();
    for text in NOTES {
        memory.note(text);
    }
    sandbox
}

fn ask(memory: &Memory, question: &str) -> Answer {
    memory.search(&Search { now: Some(Time(1_800_000_000_000)), ..Search::new(question) }).unwrap()
}

/// The texts of an answer, best first.
fn texts(answer: &Answer) -> Vec<String> {
    answer.hits.iter().map(|hit| hit.entry.memory.body.as_str().to_owned()).collect()
}

fn check_first(memory: &Memory, question: &str, expect: &str) {
    let answer = ask(memory, question);
    let first = texts(&answer).into_iter().next().unwrap_or_default();
    assert!(first.contains(expect), "{question:?} gave {:#?}", texts(&answer));
}

fn check_all(memory: &Memory) {
    check_first(memory, "postgresql billing", "PostgreSQL");
    check_first(memory, "why did we choose postgres for billing?", "PostgreSQL");
    check_first(memory, "authentication problem", "login failed");
    check_first(memory, "problema de autenticação", "login falhou");
    check_first(memory, "kubernets", "Kubernetes");
    check_first(memory, "kuber", "Kubernetes");
    check_first(memory, "http header", "parseHttpHeader");
    check_first(memory, "http_client.rs", "parseHttpHeader");
    check_first(memory, "configuracao", "configuração");
    check_first(memory, "acao.toml", "ação");
    check_first(memory, "ERR-4012", "E_NOT_FOUND");
    check_first(memory, "1.0.203", "serde");
    check_first(memory, "16 march 2026", "serde");
    check_first(memory, "東京", "東京");
    check_first(memory, "reuniao pagamentos", "Reunião");
    check_first(memory, "\"smoke tests\"", "Fridays");
    assert!(!ask(memory, "the").hits.is_empty(), "a question of small words alone answers");
}

#[test]
fn every_way_of_asking_finds_its_memory_without_an_index() {
    check_all(&filled().open());
}

#[test]
fn every_way_of_asking_finds_its_memory_with_an_index() {
    let sandbox = filled();
    let memory = sandbox.open();
    assert_eq!(memory.update_index(Update::Behind, &mut |_, _| {}).unwrap(), Updated::Done(NOTES.len()));
    let state = memory.index_state().unwrap();
    assert_eq!((state.usable, state.memories, state.behind), (true, NOTES.len(), 0));
    check_all(&sandbox.open());
}

const QUESTIONS: &[&str] = &[
    "postgresql billing",
    "authentication problem",
    "tests in parallel",
    "kubernets memry",
    "what is used for the test suite and why is it faster than before?",
    "o que falhou no login?",
    "the",
    "since:2026-01-01 deploys",
    "\"row level security\"",
    "test -parallel",
    "grandma has a test suite",
];

/// Everything of an answer that a person sees, scores to the last bit.
fn seen(answer: &Answer) -> Vec<(String, u32, String)> {
    let hits = answer.hits.iter();
    hits.map(|hit| (hit.entry.memory.id.to_string(), hit.score.to_bits(), hit.passage.text.clone())).collect()
}

#[test]
fn the_answer_does_not_depend_on_the_index() {
    let sandbox = Sandbox::new();
    let memory = sandbox.open();
    let ids: Vec<_> = NOTES.iter().map(|text| memory.note(text)).collect();
    // An index with half of it, a memory edited since, one gone since, and one added since.
    memory.update_index(Update::Behind, &mut |_, _| {}).unwrap();
    memory.edit(&ids[4], Change::Text("Deploys happen on Mondays now".into()), &Expect::Anything).unwrap();
    memory.forget(&ids[14..15], Forget::Archive).unwrap();
    memory.note("The test database is reset by make clean-db");
    let half: Vec<_> = QUESTIONS.iter().map(|question| seen(&ask(&sandbox.open(), question))).collect();
    assert!(memory.index_state().unwrap().behind > 0);
    memory.update_index(Update::Behind, &mut |_, _| {}).unwrap();
    let whole: Vec<_> = QUESTIONS.iter().map(|question| seen(&ask(&sandbox.open(), question))).collect();
    assert_eq!(memory.index_state().unwrap().behind, 0);
    memory.update_index(Update::Anew, &mut |_, _| {}).unwrap();
    let anew: Vec<_> = QUESTIONS.iter().map(|question| seen(&ask(&sandbox.open(), question))).collect();
    fs::remove_dir_all(sandbox.place(".vault/index")).unwrap();
    let without: Vec<_> = QUESTIONS.iter().map(|question| seen(&ask(&sandbox.open(), question))).collect();
    for (n, question) in QUESTIONS.iter().enumerate() {
        assert!(!without[n].is_empty(), "{question}");
        assert_eq!(half[n], without[n], "half an index: {question}");
        assert_eq!(whole[n], without[n], "an index: {question}");
        assert_eq!(anew[n], without[n], "a new index: {question}");
    }
    assert!(
        without.iter().flatten().all(|(id, ..)| *id != ids[14].to_string()),
        "what is gone answers nothing"
    );
}

/// More memories hold the words than are looked at closely, and many of those are equal.
#[test]
fn which_of_many_equals_are_looked_at_does_not_depend_on_the_index() {
    let sandbox = Sandbox::new();
    let memory = sandbox.open();
    let mut dice = Dice(7);
    let mut draft = || {
        let mut word = || NOTES[dice.below(5)].split(' ').nth(dice.below(5)).unwrap();
        let text = format!("the {} {} {}", word(), word(), word());
        let mut provenance = Provenance::of("cli", SourceClass::Human);
        provenance.session =
            (dice.below(2) == 0).then(|| SessionId::parse(&format!("s{}", dice.below(60))).unwrap());
        let kind = provenance.session.is_some().then(|| Kind::of_word("turn"));
        Draft { provenance, kind, ..note(&text) }
    };
    memory.remember_all((0..900).map(|_| draft()).collect()).unwrap();
    memory.update_index(Update::Behind, &mut |_, _| {}).unwrap();
    memory.remember_all((0..900).map(|_| draft()).collect()).unwrap();
    let long: String = (0..200).map(|n| format!("w{n} {} ", NOTES[n % 5])).collect();
    let asked = ["the", "login the", "decided the token", &long];
    let answers = || -> Vec<Vec<String>> {
        let ask = |question: &&str| {
            let search = Search { limit: 300, now: Some(Time(1_800_000_000_000)), ..Search::new(question) };
            sandbox
                .open()
                .search(&search)
                .unwrap()
                .hits
                .iter()
                .map(|hit| hit.entry.memory.id.to_string())
                .collect()
        };
        asked.iter().map(ask).collect()
    };
    let half = answers();
    fs::remove_dir_all(sandbox.place(".vault/index")).unwrap();
    let without = answers();
    for (n, question) in asked.iter().enumerate() {
        assert_eq!(half[n], without[n], "{question}");
    }
}

#[test]
fn what_one_handle_kept_another_finds_at_once() {
    let sandbox = filled();
    let (writer, reader) = (sandbox.open(), sandbox.open());
    writer.update_index(Update::Behind, &mut |_, _| {}).unwrap();
    for n in 0..100 {
        let id = writer.note(&format!("the widget number q{n}z is blue"));
        let answer = ask(&reader, &format!("q{n}z"));
        assert_eq!(answer.hits.first().map(|hit| &hit.entry.memory.id), Some(&id));
        writer.edit(&id, Change::Text(format!("the gadget w{n}y is red")), &Expect::Anything).unwrap();
        assert!(ask(&reader, &format!("w{n}y")).hits.first().is_some_and(|hit| hit.entry.memory.id == id));
        if n % 30 == 0 {
            writer.update_index(Update::Behind, &mut |_, _| {}).unwrap();
        }
    }
}

#[test]
fn a_check_up_names_a_damaged_index() {
    let sandbox = filled();
    let memory = sandbox.open();
    let of_index = |depth: Depth| {
        let found = sandbox.open().doctor(depth).unwrap().findings;
        found
            .into_iter()
            .filter(|finding| finding.code == "index")
            .map(|finding| finding.text)
            .collect::<Vec<_>>()
    };
    assert!(of_index(Depth::Deep).is_empty(), "there is none yet");
    memory.update_index(Update::Behind, &mut |_, _| {}).unwrap();
    assert!(of_index(Depth::Deep).is_empty());
    let folder = sandbox.place(".vault/index");
    let generation = folder.join(fs::read_to_string(folder.join("current")).unwrap());
    let files = fs::read_dir(&generation).unwrap().map(|file| file.unwrap().path());
    let postings = files.into_iter().find(|file| file.extension().is_some_and(|end| end == "idx")).unwrap();
    let mut bytes = fs::read(&postings).unwrap();
    bytes[3] ^= 0x40;
    fs::write(&postings, bytes).unwrap();
    assert!(of_index(Depth::Fast).is_empty());
    let found = of_index(Depth::Deep);
    assert!(found.len() == 1 && found[0].contains("index rebuild"), "{found:?}");
    fs::write(generation.join("meta.json"), "{}").unwrap();
    assert_eq!(of_index(Depth::Fast).len(), 1);
}

#[test]
fn what_a_person_wrote_into_a_file_is_found() {
    let sandbox = filled();
    let memory = sandbox.open();
    memory.update_index(Update::Behind, &mut |_, _| {}).unwrap();
    sandbox.save("default/handmade.md", "Remember the milk, written by hand\n");
    check_first(&memory, "milk", "by hand");
    sandbox.save("default/handmade.md", "Remember the bread, written by hand\n");
    check_first(&memory, "bread", "by hand");
    assert!(texts(&ask(&memory, "milk")).iter().all(|text| !text.contains("by hand")));
}

#[test]
fn a_damaged_index_is_said_and_harms_nothing() {
    let sandbox = filled();
    let memory = sandbox.open();
    memory.update_index(Update::Behind, &mut |_, _| {}).unwrap();
    let folder = sandbox.place(".vault/index");
    let generation = fs::read_to_string(folder.join("current")).unwrap();
    let generation = folder.join(generation);
    let files: Vec<_> = fs::read_dir(&generation).unwrap().map(|file| file.unwrap().path()).collect();
    for file in files.iter().filter(|file| file.is_file()) {
        let good = fs::read(file).unwrap();
        for bad in [&good[..good.len() / 2], &b""[..]] {
            fs::write(file, bad).unwrap();
            check_first(&sandbox.open(), "postgresql billing", "PostgreSQL");
            fs::write(file, &good).unwrap();
        }
    }
    fs::write(generation.join("meta.json"), "{}").unwrap();
    let answer = ask(&sandbox.open(), "postgresql");
    assert!(answer.broken_index.is_some() && answer.behind == NOTES.len());
    let memory = sandbox.open();
    memory.update_index(Update::Behind, &mut |_, _| {}).unwrap();
    assert!(memory.index_state().unwrap().usable, "the next one who updates it makes it anew");
    check_all(&memory);
}

#[test]
fn words_in_the_order_of_the_question_come_first() {
    let sandbox = Sandbox::new();
    let memory = sandbox.open();
    for n in 0..20 {
        memory.note(&format!("nothing of that sort {n}"));
    }
    memory.note("the queue was empty when the worker had crashed");
    memory.note("the worker was empty when the queue had crashed");
    for _ in 0..2 {
        check_first(&sandbox.open(), "worker queue crashed", "queue had crashed");
        check_first(&sandbox.open(), "queue worker crashed", "worker had crashed");
        let answer = ask(&sandbox.open(), "queue worker crashed");
        let reasons = &answer.hits[0].reasons;
        assert!(reasons.iter().any(|(prior, part)| prior.word() == "in-order" && *part > 0.0), "{reasons:?}");
        memory.update_index(Update::Behind, &mut |_, _| {}).unwrap();
    }
}

#[test]
fn meaning_does_not_hide_the_memory_that_holds_the_word() {
    let sandbox = Sandbox::new();
    let memory = sandbox.open();
    for n in 0..200 {
        memory.note(&format!("token login authentication session password {n}"));
    }
    memory
        .note("kangaroos hop over the authentification fence in a very long story of grass and rain and sun");
    for _ in 0..2 {
        let answer = ask(&sandbox.open(), "authentification");
        assert!(texts(&answer)[0].contains("kangaroos"), "{:#?}", texts(&answer));
        assert!(answer.hits.is_sorted_by(|a, b| a.score >= b.score));
        memory.update_index(Update::Behind, &mut |_, _| {}).unwrap();
    }
}

#[test]
fn of_a_few_words_the_memory_that_holds_them_all_comes_first() {
    let sandbox = Sandbox::new();
    let memory = sandbox.open();
    for n in 0..40 {
        for two in ["retry backoff", "backoff jitter", "jitter retry"] {
            memory.note(&format!("{two} {n}"));
        }
    }
    let story =
        "It rained all day and the train was late, so the whole team met in the small room upstairs. ";
    memory.note(&format!("{}A retry needs jitter, said one; and backoff, another.", story.repeat(6)));
    for _ in 0..2 {
        for question in ["retry backoff jitter", "backoff jittre retry", "retry jitter backo"] {
            let answer = ask(&sandbox.open(), question);
            assert!(texts(&answer)[0].contains("rained"), "{question} {:#?}", texts(&answer));
            assert!(answer.hits.is_sorted_by(|a, b| a.score >= b.score));
        }
        memory.update_index(Update::Behind, &mut |_, _| {}).unwrap();
    }
}

#[test]
fn filters_hold_before_ranking() {
    let sandbox = Sandbox::new();
    let memory = sandbox.open();
    let scoped = |agent: &str, text: &str| {
        let scope = Some(Scope::Agent(AgentId::parse(agent).unwrap()));
        memory.remember(Draft { scope, ..note(text) }).unwrap().id
    };
    let dev = scoped("dev", "the cache was slow #perf");
    let ops = scoped("ops", "the cache was cold #perf #infra");
    let old =
        memory.remember(Draft { at: Some(Time(1_000_000_000_000)), ..note("an old cache") }).unwrap().id;
    let ids = |question: &str| -> Vec<_> {
        ask(&sandbox.open(), question).hits.into_iter().map(|hit| hit.entry.memory.id).collect()
    };
    // From the files alone, and from the index.
    for _ in 0..2 {
        assert_eq!(ids("cache agent:dev"), from_ref(&dev));
        assert_eq!(ids("cache -agent:dev tag:perf"), from_ref(&ops));
        assert_eq!(ids("cache tag:infra"), from_ref(&ops));
        assert_eq!(ids("cache until:2010-01-01"), from_ref(&old));
        assert_eq!(ids("cache -cold -slow"), from_ref(&old));
        let tag = Some(Tag::parse("infra").unwrap());
        let narrowed = sandbox.open().search(&Search { tag, ..Search::new("cache") }).unwrap();
        assert_eq!(narrowed.hits.len(), 1);
        assert_eq!(narrowed.hits[0].entry.memory.id, ops);
        let audience = Audience { agent: Some(AgentId::parse("dev").unwrap()), ..Audience::default() };
        let isolated = sandbox.open().search(&Search { audience, ..Search::new("cache perf") }).unwrap();
        assert!(isolated.hits.iter().all(|hit| hit.entry.memory.id != ops));
        assert_eq!(isolated.hidden, 2, "the other agents' memories are counted, not shown");
        memory.update_index(Update::Behind, &mut |_, _| {}).unwrap();
    }
}

#[test]
fn a_tag_that_many_have_narrows_with_an_index_too() {
    let sandbox = Sandbox::new();
    let memory = sandbox.open();
    let all = (0..300)
        .map(|n| note(&format!("step {n} of the rollout #{}", if n % 3 == 0 { "dev" } else { "ops" })));
    memory.remember_all(all.collect()).unwrap();
    for _ in 0..2 {
        let search = Search { limit: 100, ..Search::new("rollout tag:ops -tag:dev") };
        let found = sandbox.open().search(&search).unwrap();
        assert_eq!(found.hits.len(), 100);
        memory.update_index(Update::Behind, &mut |_, _| {}).unwrap();
    }
}

#[test]
fn secrets_and_other_sessions_stay_hidden() {
    let sandbox = Sandbox::new();
    let memory = sandbox.open();
    let mut provenance = Provenance::of("cli", SourceClass::Human);
    provenance.sensitivity = Sensitivity::Secret;
    memory.remember(Draft { provenance, ..note("the vault combination is purple") }).unwrap();
    let session = SessionId::parse("s1").unwrap();
    let private =
        Draft { scope: Some(Scope::Session(session.clone())), ..note("the session drafts are purple") };
    memory.remember(private).unwrap();
    for update in [false, true] {
        if update {
            memory.update_index(Update::Behind, &mut |_, _| {}).unwrap();
        }
        let answer = ask(&memory, "purple");
        assert_eq!((answer.hits.len(), answer.hidden), (0, 1));
        let audience = Audience { session: Some(session.clone()), ..Audience::default() };
        let own = memory.search(&Search { audience, ..Search::new("purple") }).unwrap();
        assert_eq!(texts(&own), ["the session drafts are purple"]);
    }
}

#[test]
fn what_is_forgotten_for_good_leaves_the_index() {
    let sandbox = filled();
    let memory = sandbox.open();
    let id = memory.note("the codeword is xylophonist");
    memory.update_index(Update::Behind, &mut |_, _| {}).unwrap();
    let holds =
        || sandbox.everything().values().any(|bytes| bytes.windows(11).any(|part| part == b"xylophonist"));
    assert!(holds());
    memory.forget(&[id], Forget::Hard).unwrap();
    assert!(!holds(), "no byte of it is left");
    check_all(&memory);
    assert!(texts(&ask(&memory, "xylophonist")).is_empty());
}

#[test]
fn a_passage_has_its_lines_and_marks() {
    let sandbox = Sandbox::new();
    let memory = sandbox.open();
    let text =
        "Meeting notes\n\nFirst we talked about lunch.\nThe gateway times out after 30 s.\nNothing else.";
    memory.note(text);
    drop(memory);
    let memory = sandbox.open();
    let answer = ask(&memory, "gateway timeout");
    let hit = &answer.hits[0];
    let marked: Vec<&str> = hit.passage.marks.iter().map(|at| &hit.passage.text[at.clone()]).collect();
    assert!(marked.contains(&"gateway"), "{marked:?}");
    let file = sandbox.text(&hit.entry.file);
    let lines: Vec<&str> = file.lines().collect();
    let shown = lines[hit.passage.first_line as usize - 1..hit.passage.last_line as usize].join("\n");
    assert!(shown.contains("The gateway times out"), "{shown}");
    assert_eq!(shown.trim(), hit.passage.text.trim());
}

#[test]
fn nearly_the_same_is_shown_once() {
    let sandbox = Sandbox::new();
    let memory = sandbox.open();
    let long = "the deployment pipeline builds the container image, runs the smoke tests and then promotes it to staging";
    let first = memory.note(&format!("{long} every night"));
    let second = memory.note(&format!("{long} every  night."));
    let answer = ask(&memory, "deployment pipeline staging");
    assert_eq!(answer.hits.len(), 1);
    let both = [answer.hits[0].entry.memory.id.clone(), answer.hits[0].also[0].clone()];
    assert!(both.contains(&first) && both.contains(&second));
}

#[test]
fn related_memories_share_the_subject() {
    let sandbox = filled();
    let memory = sandbox.open();
    let id = memory.note("the token of the login service expires after an hour");
    let answer = memory.related(&id, &Search { limit: 3, ..Search::new("") }).unwrap();
    assert!(texts(&answer)[0].contains("token"), "{:?}", texts(&answer));
    assert!(answer.hits.iter().all(|hit| hit.entry.memory.id != id));
}

#[test]
fn nonsense_finds_nothing() {
    let sandbox = filled();
    assert!(ask(&sandbox.open(), "zzyzx qwrtpl").hits.is_empty());
    assert!(ask(&Sandbox::new().open(), "anything").hits.is_empty());
    assert!(ask(&sandbox.open(), "").hits.is_empty());
}
