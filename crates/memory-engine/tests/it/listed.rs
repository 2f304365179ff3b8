//! Questions whose answer stands in no text: all of a kind or a time, what holds now, and what a prompt is about.

use memory_engine::core::id::AgentId;
use memory_engine::core::kind::Kind;
use memory_engine::core::scope::Scope;
use memory_engine::core::time::Time;
use memory_engine::{Answer, Draft, Forget, Memory, Search, Unmet, Update};

use crate::sandbox::{Asked as _, Sandbox};

/// Monday.
const NOW: &str = "2026-11-16T12:00";

fn dated(memory: &Memory, day: &str, agent: &str, kind: Kind, text: &str) {
    let scope = Some(Scope::Agent(AgentId::parse(agent).unwrap()));
    let at = Some(Time::parse(&format!("{day}T10:00")).unwrap());
    memory.remember(Draft { kind: Some(kind), scope, at, ..Draft::note(text) }).unwrap();
}

fn ask(memory: &Memory, question: &str) -> Answer {
    let search = Search { now: Some(Time::parse(NOW).unwrap()), ..Search::new(question) };
    memory.search(&search).unwrap()
}

/// From the files alone, and then with the index.
fn twice(memory: &Memory, each: impl Fn()) {
    each();
    memory.update_index(Update::Behind, &mut |_, _| {}).unwrap();
    each();
}

/// The first words of the first answers, from the files alone and with the index.
fn check(sandbox: &Sandbox, question: &str, expect: &[&str]) {
    for _ in 0..2 {
        let memory = sandbox.open();
        let answer = ask(&memory, question);
        let first = |text: &str| text.split([' ', ':']).next().unwrap_or("").to_owned();
        let words: Vec<String> =
            answer.hits.iter().map(|hit| first(hit.entry.memory.body.as_str())).collect();
        assert_eq!(words.get(..expect.len()).unwrap_or(&words), expect, "{question:?} gave {words:?}");
        assert!(answer.hits.is_sorted_by(|a, b| a.score >= b.score), "{question:?}");
        memory.update_index(Update::Behind, &mut |_, _| {}).unwrap();
    }
}

fn team() -> Sandbox {
    let sandbox = Sandbox::new();
    let memory = sandbox.open();
    for (day, agent, kind, text) in [
        ("2026-03-09", "dev", Kind::Decision, "Alpha: the baskets are kept in Postgres"),
        ("2026-06-20", "dev", Kind::Decision, "Beta: orders are deleted 24 months after the last one"),
        ("2026-07-13", "ops", Kind::Note, "Gamma: who is on call changes each week, last names on the list"),
        ("2026-10-06", "ops", Kind::Task, "Delta: renew the contract before March 2027"),
        ("2026-10-30", "dev", Kind::Decision, "Epsilon: prices are whole cents"),
        ("2026-11-05", "qa", Kind::Preference, "Zeta: always open a pull request"),
        ("2026-11-10", "dev", Kind::Task, "Eta: write the guide for carriers"),
        ("2026-11-11", "dev", Kind::Decision, "Theta: the gateway answers in JSON alone"),
        ("2026-11-12", "ops", Kind::Note, "Iota: the login was down for 11 minutes"),
    ] {
        dated(&memory, day, agent, kind, text);
    }
    sandbox
}

#[test]
fn a_time_alone_asks_for_all_that_was_then() {
    let sandbox = team();
    check(&sandbox, "what happened last week", &["Iota", "Theta", "Eta"]);
    check(&sandbox, "what did we do on november 11th?", &["Theta"]);
    check(&sandbox, "november", &["Iota", "Theta", "Eta", "Zeta"]);
    check(&sandbox, "between 2026-11-10 and 2026-11-11", &["Theta", "Eta"]);
    check(&sandbox, "o que aconteceu na semana passada", &["Iota", "Theta", "Eta"]);
    // Beside a word it is a reason among others.
    check(&sandbox, "the login last week", &["Iota"]);
    check(&sandbox, "who is on call", &["Gamma"]);
}

#[test]
fn a_kind_is_asked_for_by_its_name() {
    let sandbox = team();
    check(&sandbox, "decisions", &["Theta", "Epsilon", "Beta", "Alpha"]);
    check(&sandbox, "recent decisions", &["Theta", "Epsilon"]);
    check(&sandbox, "what did we decide last week", &["Theta"]);
    check(&sandbox, "o que decidimos em março", &["Alpha"]);
    check(&sandbox, "decisions since november", &["Theta"]);
    check(&sandbox, "open tasks", &["Eta", "Delta"]);
    check(&sandbox, "oldest task", &["Delta", "Eta"]);
    check(&sandbox, "show me the oldest open task", &["Delta", "Eta"]);
    check(&sandbox, "last 3 decisions", &["Theta", "Epsilon", "Beta"]);
    check(&sandbox, "the last three decisions", &["Theta", "Epsilon", "Beta"]);
    check(&sandbox, "as últimas três decisões", &["Theta", "Epsilon", "Beta"]);
    check(&sandbox, "qual a decisão mais antiga?", &["Alpha", "Beta"]);
    check(&sandbox, "ops tasks", &["Delta"]);
    check(&sandbox, "quais são as tarefas pendentes?", &["Eta", "Delta"]);
    check(&sandbox, "decisions about prices", &["Epsilon"]);
}

#[test]
fn tasks_are_asked_for_by_whether_they_are_done() {
    let sandbox = Sandbox::new();
    let memory = sandbox.open();
    for (day, text) in [
        ("2026-03-02", "- [x] upgrade the image of the runners"),
        ("2026-03-09", "- [ ] write the runbook of the webhook"),
        ("2026-03-16", "- [x] rotate the keys\n- [ ] of staging too"),
        ("2026-03-23", "- [x] move the crons of the webhook"),
    ] {
        dated(&memory, day, "dev", Kind::Task, text);
    }
    dated(&memory, "2026-03-30", "dev", Kind::Decision, "decided: the door of the office is left open");
    let (runbook, keys) =
        ("- [ ] write the runbook of the webhook", "- [x] rotate the keys\n- [ ] of staging too");
    twice(&memory, || {
        let found = |question: &str| -> Vec<String> {
            let answer = ask(&memory, question);
            assert_eq!(answer.unmet, None, "{question}");
            answer.hits.iter().map(|hit| hit.entry.memory.body.as_str().to_owned()).collect()
        };
        for question in ["open tasks", "what is still open?", "o que falta fazer", "next steps"] {
            assert_eq!(found(question)[..2], [keys, runbook], "{question}");
            assert!(!found(question).iter().any(|text| text.contains("image") || text.contains("crons")));
        }
        assert_eq!(found("oldest open task")[0], runbook);
        assert_eq!(found("open tasks about the webhook")[0], runbook);
        assert!(found("finished tasks")[0].ends_with("crons of the webhook"));
        assert_eq!(found("open door")[0], "decided: the door of the office is left open");
    });
}

#[test]
fn what_there_is_none_of_is_told() {
    let sandbox = Sandbox::new();
    let memory = sandbox.open();
    dated(&memory, "2026-05-20", "dev", Kind::Decision, "We deploy on Tuesdays");
    dated(&memory, "2026-07-07", "dev", Kind::Note, "The login failed after the token expired");
    twice(&memory, || {
        let told = |question: &str| {
            let answer = ask(&memory, question);
            let unmet = answer.unmet.expect(question);
            let texts: Vec<_> =
                answer.hits.iter().map(|hit| hit.entry.memory.body.as_str().to_owned()).collect();
            (unmet.kinds, unmet.tasks.is_some(), unmet.time.is_some(), texts)
        };
        let none: Vec<String> = Vec::new();
        assert_eq!(told("what happened on 2026-02-02"), (vec![], false, true, none.clone()));
        assert_eq!(told("what is still open"), (vec![Kind::Task], true, false, none.clone()));
        let deploys = vec!["We deploy on Tuesdays".to_owned()];
        assert_eq!(told("decisions in February 2026"), (vec![Kind::Decision], false, true, deploys));
        assert_eq!(ask(&memory, "decisions in May 2026").unmet, None);
        assert_eq!(ask(&memory, "deploys").unmet, None);
    });
}

#[test]
fn of_those_that_only_say_a_day_the_best_comes_first() {
    let sandbox = Sandbox::new();
    let memory = sandbox.open();
    dated(&memory, "2026-03-02", "dev", Kind::Note, "Kappa: the outage of 2026-02-02 was a full disk");
    let aside = "Lambda: the supplier writes that the next prices hold for a year, that nothing is due before, and \
                 that the letter of 2026-02-02, which we lost, said the same in other words";
    dated(&memory, "2026-03-09", "dev", Kind::Note, aside);
    check(&sandbox, "what happened on 2026-02-02?", &["Kappa", "Lambda"]);
}

/// What is forgotten stays on its shelf for a while.
#[test]
fn an_agent_whose_memories_are_gone_is_no_name() {
    let sandbox = Sandbox::new();
    let memory = sandbox.open();
    dated(&memory, "2026-05-20", "dev", Kind::Decision, "We deploy on Tuesdays");
    dated(&memory, "2026-05-21", "dev", Kind::Note, "The ops team looks after the gateway");
    let scope = Some(Scope::Agent(AgentId::parse("ops").unwrap()));
    let gone = memory.remember(Draft { scope, ..Draft::note("The pager is on the shelf") }).unwrap();
    memory.update_index(Update::Anew, &mut |_, _| {}).unwrap();
    memory.forget(std::slice::from_ref(&gone.id), Forget::Archive).unwrap();
    let found = |question: &str| -> (Vec<String>, Option<Unmet>) {
        let answer = ask(&memory, question);
        (answer.hits.iter().map(|hit| hit.entry.memory.id.to_string()).collect(), answer.unmet)
    };
    let questions = ["ops in May", "ops decisions in May", "ops decisions", "ops open tasks"];
    let with_index = questions.map(found);
    std::fs::remove_dir_all(sandbox.place(".vault/index")).unwrap();
    for (question, with_index) in questions.into_iter().zip(with_index) {
        let without = ask(&sandbox.open(), question);
        let ids: Vec<String> = without.hits.iter().map(|hit| hit.entry.memory.id.to_string()).collect();
        assert_eq!(with_index, (ids, without.unmet), "{question}");
    }
}

#[test]
fn what_holds_now_is_the_newest_of_those_that_answer() {
    let sandbox = Sandbox::new();
    let memory = sandbox.open();
    let text = "Old: the HTTP timeout is 30 seconds";
    dated(&memory, "2026-01-20", "dev", Kind::Decision, text);
    let text = "New: the HTTP timeout is 10 s since the gateway waits no longer than 12 and clients gave up";
    dated(&memory, "2026-08-05", "dev", Kind::Decision, text);
    dated(&memory, "2026-11-01", "dev", Kind::Decision, "Other: coffee is bought on Mondays");
    check(&sandbox, "what is the current http timeout", &["New", "Old"]);
    check(&sandbox, "latest http timeout", &["New", "Old"]);
    check(&sandbox, "what is the http timeout now?", &["New", "Old"]);
    check(&sandbox, "what was the earliest http timeout?", &["Old", "New"]);
}

#[test]
fn capitals_are_names_though_the_word_is_small_in_some_language() {
    let sandbox = Sandbox::new();
    let memory = sandbox.open();
    for text in [
        "A: the platform team is led by Noor and meets on Mondays",
        "B: the AI team is led by Ines",
        "C: postgres runs on two machines",
        "D: postgres runs in HA mode",
        "E: the version of the build tool is pinned",
        "F: the OS is Debian 13 on all machines",
    ] {
        memory.note(text);
    }
    check(&sandbox, "AI team", &["B"]);
    check(&sandbox, "who leads the AI team", &["B"]);
    check(&sandbox, "postgres HA", &["D"]);
    check(&sandbox, "which OS", &["F"]);
}

#[test]
fn one_token_does_not_make_a_text_portuguese() {
    let sandbox = Sandbox::new();
    sandbox.open().note("HA pairs: postgres primaries, redis replicas");
    check(&sandbox, "primary", &["HA"]);
}

#[test]
fn numbers_are_no_beginnings_and_groups_of_digits_are_one_number() {
    let sandbox = Sandbox::new();
    let memory = sandbox.open();
    for text in [
        "A: batches of 50000 rows",
        "B: batches of 5,000 rows",
        "C: up to 1,000 calls",
        "D: up to 10000 calls",
    ] {
        memory.note(text);
    }
    check(&sandbox, "5000 rows", &["B"]);
    check(&sandbox, "50,000 rows", &["A"]);
    check(&sandbox, "10,000 calls", &["D"]);
    check(&sandbox, "1000 calls", &["C"]);
}

#[test]
fn an_identifier_is_found_by_its_beginning_and_a_joined_word_in_any_form() {
    let sandbox = Sandbox::new();
    let memory = sandbox.open();
    for text in [
        "A: pg_dump runs at night, and stat tells how long it took",
        "B: pg_stat_statements is on in staging",
        "C: Backups are kept for 30 days",
        "D: the back office is up again",
    ] {
        memory.note(text);
    }
    check(&sandbox, "pg_stat", &["B"]);
    check(&sandbox, "back-up", &["C"]);
}

#[test]
fn what_was_pasted_into_a_prompt_does_not_drown_its_question() {
    let sandbox = Sandbox::new();
    let memory = sandbox.open();
    memory.note("Answer: the login was down because the certificate of Redis had expired");
    memory
        .note("Limit: basket_api said `sorry, too many clients already`, so the pool has 20 connections now");
    for n in 0..40 {
        memory.note(&format!(
            "Walk {n}: the list of words is sorted, and the window of the tree counts a place"
        ));
        memory.note(&format!(
            "Http {n}: each request to basket_api has a method, a path, a status and a latency"
        ));
    }
    let code = "//! Words in order: the list, the window, the tree.\n\nuse std::list::Window;\n\n\
                fn tree(words: &[Word], place: usize) -> Window {\n    let list = words.sorted();\n}\n";
    check(
        &sandbox,
        &format!("{code}\nPlease review it. Which certificate took the login down?"),
        &["Answer"],
    );
    let log: String = (0..200)
        .map(|n| format!("10:0{n} INFO basket_api request=7f{n:x} method=GET status=200\n"))
        .collect();
    check(
        &sandbox,
        &format!("{log}ERROR basket_api FATAL: sorry, too many clients already\nwhy?"),
        &["Limit"],
    );
}

#[test]
fn the_code_of_a_pasted_error_tells_which_error_it_is() {
    let sandbox = Sandbox::new();
    let memory = sandbox.open();
    memory.note("Pool: E1042 means that it ran dry, so the limit went up to 40, which holds for a team of thirty; if many more come, ask Rita");
    for n in 0..12 {
        memory.note(&format!("Late {n}: the build of the registry takes long and has no worker of its own"));
    }
    let log = "error[E1042]: could not get a connection\n  at worker.rs:214\n  at main.rs:17\n";
    check(&sandbox, &format!("{log}\nwhy did the build break?"), &["Pool"]);
}
