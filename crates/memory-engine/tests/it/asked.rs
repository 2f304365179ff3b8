//! What the parts of a question mean: phrases, words to leave out, filters, misspellings, and what each of them may tell.

use memory_engine::core::id::{AgentId, SessionId, Tag, TurnId};
use memory_engine::core::kind::Kind;
use memory_engine::core::memory::Provenance;
use memory_engine::core::scope::{Audience, Scope, SourceClass};
use memory_engine::{Answer, Draft, Forget, Memory, Search, Update};

use crate::sandbox::{Asked as _, Sandbox};

fn ask(memory: &Memory, question: &str) -> Answer {
    memory.search(&Search::new(question)).unwrap()
}

/// The first words of all answers, sorted.
fn check(memory: &Memory, question: &str, expect: &[&str]) {
    let answer = ask(memory, question);
    let words = answer.hits.iter().map(|hit| hit.entry.memory.body.as_str().split(' ').next().unwrap_or(""));
    let mut words: Vec<&str> = words.collect();
    words.sort_unstable();
    assert_eq!(words, expect, "{question:?}");
}

fn noted(texts: &[&str]) -> (Sandbox, Memory) {
    let sandbox = Sandbox::new();
    let memory = sandbox.open();
    texts.iter().for_each(|text| {
        memory.note(text);
    });
    (sandbox, memory)
}

/// Asks with an index and without one.
fn twice(memory: &Memory, each: impl Fn()) {
    each();
    memory.update_index(Update::Anew, &mut |_, _| {}).unwrap();
    each();
}

#[test]
fn what_is_quoted_stands_there() {
    let digest = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
    let (_sandbox, memory) = noted(&[
        "A outage on 2026-02-14 in the cache",
        "B outage on 2026-02-15 in the cache",
        &format!("C digest {digest} of the build"),
        "D she had had enough of it",
        "E she had enough money",
        "F from New York to New Jersey",
        "G from New York to old Jersey",
        "H we moved to GitHub Actions in May",
        "I github has actions",
    ]);
    twice(&memory, || {
        check(&memory, "\"2026-02-14\"", &["A"]);
        check(&memory, "\"outage on 2026-02-14\"", &["A"]);
        check(&memory, "\"cache 2026-02-16\"", &[]);
        check(&memory, &format!("\"{digest}\""), &["C"]);
        check(&memory, "\"had had\"", &["D"]);
        check(&memory, "\"new york to new jersey\"", &["F"]);
        check(&memory, "\"github actions\"", &["H"]);
        check(&memory, "\"moved to github actions in may\"", &["H"]);
    });
}

#[test]
fn an_identifier_is_left_out_as_a_whole() {
    let (_sandbox, memory) =
        noted(&["A getUserById is slow for the user", "B the user signs up", "C sign-up of a user fails"]);
    twice(&memory, || {
        check(&memory, "user -getUserById", &["B", "C"]);
        check(&memory, "user -sign-up", &["A", "B"]);
        check(&memory, "user -signs", &["A", "C"]);
    });
}

#[test]
fn flags_and_operators_narrow_together() {
    let sandbox = Sandbox::new();
    let memory = sandbox.open();
    let agent = |name: &str| AgentId::parse(name).unwrap();
    for name in ["dev", "ops"] {
        let draft = Draft { kind: Some(Kind::Fact), ..Draft::note(&format!("{name} bluefin")) };
        memory.remember(Draft { scope: Some(Scope::Agent(agent(name))), ..draft }).unwrap();
    }
    let asked = |text: &str, name: Option<&str>, kind: Option<Kind>| {
        let search = Search { agent: name.map(agent), kind, ..Search::new(text) };
        memory.search(&search).unwrap().hits.len()
    };
    twice(&memory, || {
        assert_eq!(asked("bluefin agent:ops", None, None), 1);
        assert_eq!(asked("bluefin agent:ops agent:dev", None, None), 2);
        assert_eq!(asked("bluefin agent:ops agent:dev", Some("dev"), None), 1);
        assert_eq!(asked("bluefin agent:ops", Some("dev"), None), 0);
        assert_eq!(asked("bluefin kind:fact", None, Some(Kind::Decision)), 0);
    });
}

#[test]
fn a_tag_is_the_same_in_any_case_and_without_accents() {
    let sandbox = Sandbox::new();
    let memory = sandbox.open();
    let tag = |word: &str| Tag::parse(word).unwrap();
    memory
        .remember(Draft { tags: Some(vec![tag("SSE"), tag("autenticação")]), ..Draft::note("A it") })
        .unwrap();
    twice(&memory, || {
        for word in ["sse", "SSE", "Sse", "autenticacao", "AUTENTICAÇÃO"] {
            check(&memory, &format!("tag:{word}"), &["A"]);
            check(&memory, &format!("it -tag:{word}"), &[]);
            let filter = memory_engine::Filter { tag: Some(tag(word)), ..Default::default() };
            assert_eq!(memory.list(&filter).unwrap().len(), 1, "{word}");
        }
    });
}

#[test]
fn a_word_that_is_spelt_right_is_not_taken_for_another() {
    let (_sandbox, memory) = noted(&[
        "A it is but a page for the landing of all marketing people too",
        "B kubernetes was restarted at night",
        "C o deploy vai para a fila",
    ]);
    let near = |question: &str| {
        let words = ask(&memory, question).words.into_iter();
        words.flat_map(|word| word.near).collect::<Vec<String>>()
    };
    twice(&memory, || {
        for right in ["handling", "right", "bug", "foo", "todo", "parei"] {
            assert!(near(right).is_empty(), "{right}: {:?}", near(right));
        }
        assert_eq!(near("kubrnetes"), ["kubernetes"]);
        assert_eq!(near("markting"), ["marketing"]);
        check(&memory, "kubrnetes", &["B"]);
    });
}

#[test]
fn words_of_hidden_memories_are_not_told() {
    let sandbox = Sandbox::new();
    let memory = sandbox.open();
    let alice = Scope::Agent(AgentId::parse("alice").unwrap());
    memory.remember(Draft { scope: Some(alice), ..Draft::note("payroll vendor is hollerithcorp") }).unwrap();
    memory.note("holland is nice");
    let audience = Audience { agent: Some(AgentId::parse("bob").unwrap()), ..Audience::default() };
    twice(&memory, || {
        for question in ["holler", "hollerithcorq"] {
            let search = Search { audience: audience.clone(), ..Search::new(question) };
            let told = format!("{:?}", memory.search(&search).unwrap().words);
            assert!(!told.contains("hollerithcorp"), "{told}");
            let everybody = format!("{:?}", ask(&memory, question).words);
            assert!(everybody.contains("hollerithcorp"), "{everybody}");
        }
    });
}

#[test]
fn words_that_are_gone_do_not_stand_before_those_that_are_there() {
    let sandbox = Sandbox::new();
    let memory = sandbox.open();
    let many = |n: u8| ('a'..='z').map(|c| format!("zebra{c}{n}x ")).collect::<String>();
    let gone = [memory.note(&many(1)), memory.note(&many(2)), memory.note(&(many(1) + &many(2)))];
    memory.note("zebrafish");
    memory.update_index(Update::Anew, &mut |_, _| {}).unwrap();
    memory.forget(&gone, Forget::Archive).unwrap();
    memory.update_index(Update::Behind, &mut |_, _| {}).unwrap();
    twice(&memory, || assert_eq!(ask(&memory, "zebra").words[0].near, ["zebrafish"]));
}

#[test]
fn what_says_nearly_the_same_is_related() {
    let text = "the billing service retries every failed payment three times before it gives up for the day";
    let (_sandbox, memory) = noted(&[text]);
    let ids: Vec<_> =
        ["today", "tonight"].iter().map(|word| memory.note(&format!("{text} {word}"))).collect();
    twice(&memory, || {
        for id in &ids {
            let related = memory.related(id, &Search::new("")).unwrap();
            let shown = related.hits.iter().flat_map(|hit| 1..=1 + hit.also.len()).count();
            assert_eq!(shown, 2, "{:?}", related.hits);
        }
    });
}

#[test]
fn comments_of_memories_are_text_and_a_form_says_nothing() {
    let (sandbox, memory) =
        noted(&["A put <!-- prettier-ignore --> before wide tables", "B giraffes are tall"]);
    sandbox.save("_project.md", "# en\n\n## Purpose\n<!-- TODO: what the giraffe is for -->\n");
    twice(&memory, || {
        check(&memory, "prettier", &["A"]);
        check(&memory, "giraffe", &["B"]);
    });
}

#[test]
fn one_sign_of_a_word_in_pairs_of_signs_is_found() {
    let (_sandbox, memory) = noted(&["猫のサーバーが落ちた", "船"]);
    twice(&memory, || {
        check(&memory, "猫", &["猫のサーバーが落ちた"]);
        check(&memory, "船", &["船"]);
    });
}

#[test]
fn lines_are_those_of_the_file_however_it_is_written() {
    for (file, text) in [
        (
            "dev/facts.md",
            "# My notes\n\nIntro line.\n\n## Servers\n\nThe platypus host is at rack 4.\n\n## Other\n\nno\n",
        ),
        ("dev/facts.md", "\n\n## Servers\n\n\n\nFirst line\nThe platypus host\n\n\n---\n\nanother\n"),
        ("dev/facts.md", "## Servers\nThe platypus host\n---\n## More\nno\n"),
        ("_project.md", "\n# Project\n\nThe platypus host is here\n\n\n\n"),
        ("dev/notes.md", "<!-- id:1794797576649 -->\n## 2026-11-01 10:00\n\n\nThe platypus host\r\n\n---\n"),
    ] {
        let sandbox = Sandbox::new().file(file, text);
        let memory = sandbox.open();
        let line = text.lines().position(|line| line.contains("platypus")).unwrap() as u64 + 1;
        let answer = ask(&memory, "platypus");
        let passage = &answer.hits[0].passage;
        let lines = passage.text.lines().count() as u64;
        assert!((passage.first_line..passage.first_line + lines).contains(&line), "{text:?}: {passage:?}");
        let at = passage.text.lines().position(|line| line.contains("platypus")).unwrap() as u64;
        assert_eq!(passage.first_line + at, line, "{text:?}: {passage:?}");
    }
}

#[test]
fn whoever_is_called_by_another_name_is_meant_by_it() {
    let sandbox = Sandbox::new();
    let memory = sandbox.open();
    let say = |session: usize, text: &str| {
        let mut provenance = Provenance::of("import", SourceClass::Human);
        provenance.session = Some(SessionId::parse(&format!("talk-{session}")).unwrap());
        memory
            .remember(Draft { kind: Some(Kind::of_word("turn")), provenance, ..Draft::note(text) })
            .unwrap();
    };
    for session in 0..6 {
        say(session, &format!("Ana: Hello Kate, how was day {session}?"));
        say(session, &format!("Emi: Day {session} was fine, thank you!"));
    }
    say(2, "Emi: I love the painting of a boat, by the sea");
    say(3, "Ana: I love the sort of boat on the lake, a painting");
    say(4, "Ana: That painting class takes long, Kate");
    let first = |question: &str| ask(&memory, question).hits[0].entry.memory.body.as_str().to_owned();
    twice(&memory, || {
        assert!(first("Which sort of painting does Kate love most of all?").ends_with("by the sea"));
        assert!(
            first("Kate's painting?").ends_with("by the sea"),
            "who calls her by it speaks of other things"
        );
        assert!(first("Which sort of painting does Ana love most of all?").ends_with("a painting"));
        assert!(first("Which sort of painting does Bob love most of all?").ends_with("a painting"));
    });
}

/// What was kept from one session may be about anything, unlike the turns of a conversation.
#[test]
fn the_session_of_what_is_no_turn_neither_helps_nor_hurts() {
    let texts = [
        "the export job writes its report to the archive bucket",
        "the archive bucket is emptied every quarter by the janitor",
        "lunch is at noon in the small kitchen",
        "the report of the export job had wrong totals in March",
        "who empties the dishwasher of the small kitchen changes weekly",
    ];
    let asked = |session: &dyn Fn(usize) -> Option<SessionId>| {
        let sandbox = Sandbox::new();
        let memory = sandbox.open();
        for (n, text) in texts.iter().enumerate() {
            let mut provenance = Provenance::of("cli", SourceClass::Human);
            provenance.session = session(n);
            memory.remember(Draft { provenance, ..Draft::note(text) }).unwrap();
        }
        let answer = ask(&memory, "why were the totals of the export report wrong that month");
        let told = |hit: &memory_engine::Hit| (hit.entry.memory.body.as_str().to_owned(), hit.score);
        answer.hits.iter().map(told).collect::<Vec<_>>()
    };
    let without = asked(&|_| None);
    assert!(without[0].0.contains("wrong totals"), "{without:?}");
    assert_eq!(asked(&|n| SessionId::parse(&format!("s{}", n / 2)).ok()), without);
}

/// A person's turn is no better answer than a note for being one.
#[test]
fn notes_and_turns_answer_side_by_side() {
    let (_sandbox, memory) = noted(&[
        "Backups of the orders database run at three every night",
        "The coffee machine on the second floor is broken",
    ]);
    let said = [
        "we should look at the database some time",
        "the orders page is slow at night, I think",
        "is anybody around at three?",
        "yes, I am, call me",
    ];
    for (n, text) in said.iter().enumerate() {
        let mut provenance = Provenance::of("import", SourceClass::Human);
        provenance.session = SessionId::parse("talk").ok();
        provenance.turn = TurnId::parse(&n.to_string()).ok();
        let kind = Some(Kind::of_word("turn"));
        memory.remember(Draft { provenance, kind, ..Draft::note(text) }).unwrap();
    }
    twice(&memory, || {
        let answer = ask(&memory, "at what time of the night do the backups of the orders database run?");
        assert!(answer.hits[0].entry.memory.body.as_str().starts_with("Backups"), "{:#?}", answer.hits);
        let reasons = answer.hits[0].reasons.iter().map(|(prior, _)| prior.word());
        assert!(!reasons.clone().any(|word| word.contains("session")), "{:?}", reasons.collect::<Vec<_>>());
    });
}
