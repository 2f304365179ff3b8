//! Which memory is meant: by the words that it alone holds, however long it is and whoever else holds a part of them.

use memory_engine::core::id::{AgentId, Tag};
use memory_engine::core::kind::Kind;
use memory_engine::core::scope::Scope;
use memory_engine::core::time::Time;
use memory_engine::{Answer, Draft, Memory, Search, Supersede, Update};

use crate::sandbox::{Asked as _, Sandbox, note};

fn ask(memory: &Memory, question: &str) -> Answer {
    memory.search(&Search { now: Some(Time(1_800_000_000_000)), ..Search::new(question) }).unwrap()
}

fn texts(answer: &Answer) -> Vec<String> {
    answer.hits.iter().map(|hit| hit.entry.memory.body.as_str().to_owned()).collect()
}

/// Asks from the files alone, then with the index.
fn check_first(sandbox: &Sandbox, question: &str, expect: &str) {
    for _ in 0..2 {
        let memory = sandbox.open();
        let answer = ask(&memory, question);
        let first = texts(&answer).into_iter().next().unwrap_or_default();
        assert!(first.contains(expect), "{question:?} gave {:#?}", texts(&answer));
        assert!(answer.hits.is_sorted_by(|a, b| a.score >= b.score), "{question:?}");
        memory.update_index(Update::Behind, &mut |_, _| {}).unwrap();
    }
}

fn keep_all(memory: &Memory, texts: impl IntoIterator<Item = String>) {
    for kept in memory.remember_all(texts.into_iter().map(|text| note(&text)).collect()).unwrap() {
        kept.unwrap();
    }
}

const STORY: &str = "It rained all day and the train was late so everybody met in the small room upstairs. ";

#[test]
fn an_identifier_in_a_long_memory_is_found_among_many_that_share_a_part() {
    let sandbox = Sandbox::new();
    let memory = sandbox.open();
    keep_all(&memory, (0..300).map(|n| format!("deploy note about OPS-{n} and others")));
    memory.note(&format!("{}We filed OPS-77777 about it. {}", STORY.repeat(12), STORY.repeat(12)));
    check_first(&sandbox, "OPS-77777", "OPS-77777");
    check_first(&sandbox, "OPS-77777 deploy", "OPS-77777");
}

#[test]
fn a_long_memory_of_all_the_words_is_found_among_many_short_ones_of_one() {
    let sandbox = Sandbox::new();
    let memory = sandbox.open();
    keep_all(&memory, (0..500).map(|n| format!("feature flag {n} of the rollout, step {}", n % 7)));
    memory.note(&format!("{}The shadow traffic needs a flag.", STORY.repeat(60)));
    memory.note(&format!("{}Ask zqalpha.", STORY.repeat(6)));
    check_first(&sandbox, "shadow traffic flag", "rained");
    check_first(&sandbox, "zqalpha feature flags", "zqalpha");
}

#[test]
fn a_version_is_found_inside_a_longer_name() {
    let sandbox = Sandbox::new();
    let memory = sandbox.open();
    for text in [
        "bumped tokio=1.38.1 because of the scheduler",
        "the host has ip 10.0.0.1 and 38 workers",
        "pinned tokio-1.38.0 in the manifest",
        "release v2.10.0-rc1 went out",
        "redis 7.25.3 and then 1.3.25 of the client",
        "the image is nginx:1.25.3 now",
    ] {
        memory.note(text);
    }
    check_first(&sandbox, "1.38.0", "tokio-1.38.0");
    check_first(&sandbox, "2.10.0", "v2.10.0-rc1");
    check_first(&sandbox, "v2.10.0", "v2.10.0-rc1");
    check_first(&sandbox, "1.25.3", "nginx:1.25.3");
}

#[test]
fn what_says_another_number_or_the_opposite_is_not_the_same() {
    let sandbox = Sandbox::new();
    let memory = sandbox.open();
    let long = "the staging database of the billing service listens on the internal network behind the proxy of the team, with";
    memory.note(&format!("{long} port 5432 open for the nightly reports"));
    memory.note(&format!("{long} port 5433 open for the nightly reports"));
    memory.note(&format!("{long} port 5433 not open for the nightly reports"));
    let answer = ask(&memory, "staging database port");
    assert_eq!(answer.hits.len(), 3, "{:#?}", texts(&answer));
}

#[test]
fn what_others_misspelt_hides_nothing() {
    let sandbox = Sandbox::new();
    let memory = sandbox.open();
    let scoped = |agent: &str, text: &str| {
        let scope = Some(Scope::Agent(AgentId::parse(agent).unwrap()));
        memory.remember(Draft { scope, ..note(text) }).unwrap();
    };
    scoped("dev", "the toolchain is pinned");
    scoped("qa", "the toolchian broke");
    check_first(&sandbox, "agent:dev toolchian", "pinned");
}

#[test]
fn an_excluded_word_excludes_no_more_than_itself() {
    let sandbox = Sandbox::new();
    let memory = sandbox.open();
    for text in [
        "東京駅の天気は雨",
        "東京都の天気は晴れ",
        "Don reviews the parser patch on Fridays",
        "we don't take the parser patch",
    ] {
        memory.note(text);
    }
    for _ in 0..2 {
        let found = |question: &str| texts(&ask(&sandbox.open(), question));
        assert_eq!(found("天気 -東京都"), ["東京駅の天気は雨"]);
        assert_eq!(found("parser patch -don't"), ["Don reviews the parser patch on Fridays"]);
        memory.update_index(Update::Behind, &mut |_, _| {}).unwrap();
    }
}

#[test]
fn the_day_is_among_what_was_matched() {
    let sandbox = Sandbox::new();
    let memory = sandbox.open();
    let at = Some(Time::parse("2026-03-16T10:00").unwrap());
    memory
        .remember(Draft { at, tags: Some(vec![Tag::parse("x").unwrap()]), ..note("the report is out") })
        .unwrap();
    let answer = ask(&memory, "march report");
    let matched = &answer.hits[0].matched;
    assert!(matched.contains(&("march".to_owned(), vec!["day"])), "{matched:?}");
}

#[test]
fn what_was_superseded_is_counted_where_nothing_answers() {
    let sandbox = Sandbox::new();
    let memory = sandbox.open();
    let old = memory.note("the walrus lives in the pond");
    let new = memory.note("nobody lives there any more");
    memory.supersede(&Supersede::By { old, new }).unwrap();
    let answer = ask(&memory, "walrus agent:default");
    assert_eq!((answer.hits.len(), answer.superseded), (0, 1));
}

/// What a question finds, from the files alone and with the index.
fn check_found(sandbox: &Sandbox, question: &str, expect: &[&str]) {
    for _ in 0..2 {
        let memory = sandbox.open();
        let mut found = texts(&ask(&memory, question));
        found.sort_unstable();
        assert_eq!(found, expect, "{question}");
        memory.update_index(Update::Behind, &mut |_, _| {}).unwrap();
    }
}

#[test]
fn an_english_word_is_not_looked_for_by_its_portuguese_stem_in_english_texts() {
    let sandbox = Sandbox::new();
    let memory = sandbox.open();
    let notes = [
        "The red banner means that payments are down.",
        "Tim signs the notes of the release.",
        "We met the vendor in Lisbon and agreed on the price.",
        "Os servidores foram reiniciados depois da falha.",
    ];
    keep_all(&memory, notes.map(str::to_owned));
    for question in ["redis", "timer", "meter"] {
        let answer = ask(&memory, question);
        assert!(answer.words[0].memories == 0, "{question}: {:?}", answer.words);
        assert!(answer.hits.iter().all(|hit| hit.matched.is_empty()), "{question}");
    }
    drop(memory);
    check_first(&sandbox, "servidor reiniciado", "servidores");
    check_first(&sandbox, "the servidor", "servidores");
}

#[test]
fn words_are_found_whether_or_not_they_are_joined() {
    let sandbox = Sandbox::new();
    let memory = sandbox.open();
    let notes = [
        "Daily stand-up is at a quarter to ten.",
        "The file_name of a report ends with its day.",
        "Our frontEnd is built twice.",
        "The failover took a minute.",
    ];
    keep_all(&memory, notes.map(str::to_owned));
    drop(memory);
    for (question, expect) in [
        ("standup", "stand-up"),
        ("stand_up", "stand-up"),
        ("filename", "file_name"),
        ("fileName", "file_name"),
        ("frontend", "frontEnd"),
        ("front-end", "frontEnd"),
        ("fail-over", "failover"),
    ] {
        check_first(&sandbox, question, expect);
    }
}

#[test]
fn british_and_american_spellings_are_one() {
    let sandbox = Sandbox::new();
    let memory = sandbox.open();
    let notes = ["The behaviour of the parser", "Authorization is done by the gateway", "Nothing else"];
    keep_all(&memory, notes.map(str::to_owned));
    drop(memory);
    check_first(&sandbox, "behavior", "behaviour");
    check_first(&sandbox, "authorisation", "Authorization");
}

#[test]
fn texts_that_differ_in_a_word_are_all_shown() {
    let sandbox = Sandbox::new();
    let notes = [
        "The gateway service depends on Postgres for its email lookups.",
        "The scheduler service depends on Postgres for its email lookups.",
        "The scheduler service depends on tokio for its email lookups.",
    ];
    keep_all(&sandbox.open(), notes.map(str::to_owned));
    check_found(&sandbox, "email lookups", &notes);
    let sandbox = Sandbox::new();
    let orders = [
        "We migrate the orders from MySQL to Postgres in spring.",
        "We migrate the orders from Postgres to MySQL in spring.",
    ];
    keep_all(&sandbox.open(), orders.map(str::to_owned));
    check_found(&sandbox, "migrate orders", &orders);
}

#[test]
fn what_bounds_a_time_is_not_looked_for() {
    let sandbox = Sandbox::new();
    let memory = sandbox.open();
    memory.note("the cache was cleared in June");
    let words = |question: &str| {
        let words = ask(&memory, question).words.into_iter().map(|word| word.word);
        words.collect::<Vec<_>>().join(" ")
    };
    assert_eq!(words("cache before June 2026"), "cache");
    assert_eq!(words("cache antes de junho"), "cache");
    assert_eq!(words("cache in June"), "cache june");
    assert_eq!(words("before June"), "june");
}

#[test]
fn the_parts_of_a_score_are_the_score() {
    let sandbox = Sandbox::new();
    let memory = sandbox.open();
    let notes = [
        "The data center moved to Porto, and the phone of the data centre moved too.",
        "A phone number",
        "The machines of the hall are cooled by water.",
        "Data goes there at night.",
    ];
    keep_all(&memory, notes.map(str::to_owned));
    for question in ["data center", "what about the phone in the data center?", "phone"] {
        for hit in ask(&memory, question).hits {
            let sum: f32 = hit.reasons.iter().map(|(_, part)| part).sum();
            assert!((sum - hit.score).abs() < 1e-3, "{question}: {} is not {sum}", hit.score);
        }
    }
}

#[test]
fn a_day_that_nobody_knows_fits_no_dates() {
    let sandbox = Sandbox::new();
    let memory = sandbox.open();
    memory.note("the first");
    sandbox.save("_project.md", "# Tide clock\n\nA clock for tides.\n");
    let answer = ask(&memory, "tides clock");
    assert_eq!(answer.hits.len(), 1);
    assert!(ask(&memory, "until:1990-01-01").hits.is_empty());
    assert!(ask(&memory, "clock until:2040").hits.is_empty());
}

/// Keeps a note on a day.
fn on(memory: &Memory, day: &str, text: &str) {
    memory.remember(Draft { at: Time::parse(day), ..note(text) }).unwrap();
}

#[test]
fn a_day_is_named_by_what_says_it_and_by_what_was_kept_on_it() {
    let sandbox = Sandbox::new();
    let memory = sandbox.open();
    on(&memory, "2026-04-18T10:00", "Postmortem of the outage of 16 April: the disk was full");
    on(&memory, "2026-04-16T09:00", "computeEtaWindow merges the schedule with positions");
    on(&memory, "2026-06-02T09:00", "Nothing is deployed on Fridays");
    on(&memory, "2026-06-05T09:00", "The ingress was renamed");
    on(&memory, "2026-05-04T09:00", "The office plants get water");
    let check = |question: &str, expect: &[&str]| {
        let answer = ask(&memory, question);
        let first: Vec<String> =
            texts(&answer).iter().map(|text| text.split(' ').next().unwrap_or_default().to_owned()).collect();
        assert_eq!(first, expect, "{question:?}");
        assert!(answer.hits.is_sorted_by(|a, b| a.score >= b.score), "{question:?}");
    };
    check("what happened on 16 April 2026?", &["Postmortem", "computeEtaWindow"]);
    check("2026-04-16", &["computeEtaWindow"]);
    check("what happened in April 2026?", &["Postmortem", "computeEtaWindow"]);
    check("what happened in May 2026?", &["The"]);
}

#[test]
fn notes_of_the_time_that_is_asked_for_come_first() {
    let sandbox = Sandbox::new();
    let memory = sandbox.open();
    on(&memory, "2026-04-25T10:00", "Incident: customers were charged twice by the webhook");
    on(
        &memory,
        "2026-10-14T10:00",
        "Incident in the evening: users were logged out by the cache, nobody knew at first why",
    );
    let search =
        Search { now: Time::parse("2026-11-10T10:00"), ..Search::new("which incident was last month") };
    let answer = memory.search(&search).unwrap();
    assert!(texts(&answer)[0].contains("logged out"), "{:?}", texts(&answer));
}

#[test]
fn a_message_that_quotes_another_thing_each_time_is_found() {
    let sandbox = Sandbox::new();
    let memory = sandbox.open();
    memory.note("prepared statement \"stmt_4\" does not exist: turn the cache of the pool off");
    let answer = ask(&memory, "prepared statement \"stmt_1f\" does not exist");
    assert_eq!((answer.hits.len(), answer.notes.len()), (1, 1), "{answer:?}");
    assert!(answer.notes[0].typed.contains("stmt_1f"), "{:?}", answer.notes);
    // Who quotes two words and says hardly more means them as they stand.
    assert!(ask(&memory, "\"exist prepared\" pool").hits.is_empty());
}

#[test]
fn one_common_word_of_a_question_does_not_outweigh_what_it_means() {
    let sandbox = Sandbox::new();
    let memory = sandbox.open();
    let others =
        ["Sprint planning is every second Monday", "The logo was drawn by Ana", "Use tabs in makefiles"];
    others.iter().for_each(|text| drop(memory.note(text)));
    memory.note("The central bank publishes the rate at noon");
    memory.note("Help center articles get a Spanish translation in June");
    check_first(&sandbox, "traduzir a central de ajuda para espanhol", "Spanish translation");
}

#[test]
fn a_passage_tells_more_than_tags_and_knows_its_lines() {
    let sandbox = Sandbox::new();
    let memory = sandbox.open();
    memory.note("Roll back with the previous image.\n\n#deploy #incident");
    memory.note("Первая строка о кошке\nВторая строка о собаке");
    let first = |question: &str| ask(&memory, question).hits.remove(0).passage;
    assert!(first("incident").text.starts_with("Roll back"), "{:?}", first("incident"));
    let passage = first("собаке");
    let lines = passage.text.lines().count() as u64;
    assert_eq!(passage.last_line - passage.first_line + 1, lines, "{passage:?}");
}

#[test]
fn whoever_is_named_by_kind_holds_a_word_of_the_question() {
    let sandbox = Sandbox::new();
    let memory = sandbox.open();
    memory.remember(Draft { kind: Some(Kind::Decision), ..note("We take the train") }).unwrap();
    let hit = ask(&memory, "recent decisions").hits.remove(0);
    let matched: Vec<(&str, &[&str])> =
        hit.matched.iter().map(|(word, fields)| (word.as_str(), &fields[..])).collect();
    assert_eq!(matched, [("decisions", &["kind", "category"][..])]);
}

#[test]
fn money_and_several_of_a_number_are_found_by_the_number() {
    let sandbox = Sandbox::new();
    let memory = sandbox.open();
    memory.note("O contrato do data center custa R$ 48.500,00 por mês");
    memory.note("The gateway answers with 502s during each rollout");
    memory.note("The test card is 4242");
    check_first(&sandbox, "48500", "data center");
    check_first(&sandbox, "48.500,00", "data center");
    check_first(&sandbox, "502", "rollout");
    check_first(&sandbox, "502 errors", "rollout");
}

#[test]
fn who_asks_in_other_words_than_anybody_wrote_is_told_the_nearest_few() {
    let sandbox = Sandbox::new();
    let notes = [
        "The cash drawer opens by a pulse of the printer; without paper it jams and no customer gets change.",
        "Backups leave for the second site every night at two.",
        "Ana reviews everything that touches the invoices.",
        "The staging cluster is smaller than production, so load tests there tell little.",
        "Never restart the workers while a backlog drains.",
        "The logo files are in the shared drive of the design team.",
        "We dropped the mobile app for the kiosk in May.",
        "Holidays are entered in the calendar by the team leads.",
    ];
    keep_all(&sandbox.open(), notes.map(str::to_owned));
    let memory = sandbox.open();
    for (question, expect) in
        [("compartment for banknotes stuck", "cash drawer"), ("who checks bills", "Ana reviews")]
    {
        let answer = ask(&memory, question);
        assert!(answer.hits.iter().all(|hit| hit.matched.is_empty()), "{:#?}", texts(&answer));
        assert!((1..=5).contains(&answer.hits.len()), "{:#?}", texts(&answer));
        assert!(texts(&answer)[0].contains(expect), "{question:?} gave {:#?}", texts(&answer));
    }
    // One word alone is looked up.
    assert!(ask(&memory, "zyzzyva").hits.is_empty());
    let known = ask(&memory, "vacation days planning");
    assert!(texts(&known)[0].contains("Holidays"), "{:#?}", texts(&known));
    assert_eq!(known.words[0].near, ["holidays"], "another word for the same is no other word");
}
