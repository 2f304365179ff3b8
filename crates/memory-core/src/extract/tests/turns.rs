//! What turns out otherwise: decisions that are taken back, and words that look like something to keep and are not.

use crate::extract::{Profile, Standing, extract};
use crate::kind::Kind;
use crate::scope::SourceClass;

use super::{check, taken, talk};

const REDIS: &str = "U We decided to use Redis for the queues because Rabbit is heavy.";

#[test]
fn what_holds_instead_is_kept() {
    for (said, expect) in [
        ("U Scratch that, use Kafka for the queues.", "Use Kafka for the queues."),
        ("U Never mind Redis, we use Kafka.", "Never mind Redis, we use Kafka."),
        ("U Changed my mind: Kafka instead of Redis.", "Kafka instead of Redis."),
        ("U mudei de ideia, usa Kafka nas filas em vez de Redis", "Usa Kafka nas filas em vez de Redis"),
        ("U Forget Redis. We go with Kafka.", "We go with Kafka."),
        ("U Let's not use Redis after all.", "Let's not use Redis after all."),
    ] {
        check(&[REDIS, "A ok", said], &[&format!("decision: {expect}")]);
    }
}

#[test]
fn what_holds_instead_names_the_decision_of_an_earlier_call() {
    let (first, standing) = extract(&talk(&[REDIS]), Standing::default(), Profile::Default);
    let (second, _) =
        extract(&talk(&["U Scratch that, use Kafka for the queues."]), standing, Profile::Default);
    let said: Vec<(&str, Option<&str>)> =
        second.iter().map(|one| (one.text.as_str(), one.instead_of.as_deref())).collect();
    assert_eq!(said, [("Use Kafka for the queues.", Some(first[0].text.as_str()))]);
}

#[test]
fn who_asks_to_wait_and_settles_something_takes_back() {
    check(
        &["U let's link with mold", "A ok", "U hang on, mold breaks on our old image. Use lld"],
        &["decision: Use lld"],
    );
}

#[test]
fn work_that_comes_first_takes_nothing_back() {
    for said in ["U hold on, run the tests for the queues first", "U never mind, run the tests"] {
        assert_eq!(taken(&[REDIS, "A ok", said]).len(), 1, "{said}");
    }
}

#[test]
fn changes_of_course() {
    for said in [
        "We now use WebSockets instead of SSE for live updates.",
        "We no longer use SSE.",
        "We're dropping SSE for live updates.",
        "Switch live updates from SSE to WebSockets.",
        "já não usamos SSE, passámos para WebSockets",
    ] {
        check(&[&format!("U {said}")], &[&format!("decision: {}", capital(said))]);
    }
    check(&["U Move the test from a.rs to b.rs."], &[]);
}

fn capital(text: &str) -> String {
    text.replacen("já", "Já", 1)
}

#[test]
fn marks_of_ours_make_no_news() {
    check(
        &["A - [ ] Write the docs", "A Open:\n- [ ] Write the docs [1794854865590]"],
        &["task: Write the docs"],
    );
}

#[test]
fn what_an_agent_recalls_is_no_news() {
    for said in [
        "You decided earlier to use SSE for live updates, because the proxy drops idle sockets.",
        "From memory: we decided to use SSE because the proxy drops sockets.",
        "Originally we decided to use SSE because the proxy drops sockets.",
        "According to the memory, we chose SSE for live updates.",
        "Decidiste usar SSE porque o proxy corta as ligações.",
        "Anteriormente decidimos usar SSE porque o proxy corta as ligações.",
    ] {
        check(&[&format!("A {said}")], &[]);
    }
    check(
        &["A The earlier migration failed because the lock was held."],
        &["lesson: The earlier migration failed because the lock was held."],
    );
}

#[test]
fn look_alikes() {
    for said in [
        "U Remind me what we decided about the cache",
        "U remind me how to squash commits",
        "U TODO comments in the code should be removed",
        "U I don't remember that we decided this.",
        "U When the user types 'remember that', store the note.",
        "U you forgot to remember that the cache is off",
        "U I remember that the config was in YAML once",
        "U Pretend we decided to use DynamoDB and write a plan.",
        "U finge que decidimos usar MongoDB",
        "U I wish we had decided to use Rust.",
        "U Write a blog post that says we chose Rust because it is fast.",
        "U The old team decided to use Angular in 2015.",
        "U Let's leave it there for today.",
        "U Let's go with the flow",
        "U Vamos parar por aqui hoje.",
        "U Write a test where the user says 'from now on call me Bob'.",
        "U Add a comment saying 'never call this twice'.",
        "U Rename the function to always_use_cache and run the tests",
        "U The spec says the server must always answer within 200 ms.",
        "A Decision: pending your approval.",
        "A - [ ] Option A\n- [ ] Option B\nWhich one do you want?",
    ] {
        check(&[said], &[]);
    }
    check(&["U why is the sky blue?", "A Because of Rayleigh scattering."], &[]);
    check(&["A Which files should I look at?\n1. a.rs\n2. b.rs", "U 1"], &[]);
}

#[test]
fn what_is_said_in_few_words() {
    check(&["U remind me to rotate the keys"], &["task: Remind me to rotate the keys"]);
    check(&["U TODO rotate the keys"], &["task: TODO rotate the keys"]);
    check(&["A - [ ] docs"], &["task: Docs"]);
    for said in ["We must never log the customer e-mail.", "The API keys must not be stored in plain text."] {
        check(&[&format!("U {said}")], &[&format!("decision: {said}")]);
    }
    check(
        &["U Our convention: branch names start with the ticket number."],
        &["decision: Branch names start with the ticket number."],
    );
    check(&["U não te esqueças: o CNPJ agora é alfanumérico"], &["fact: O CNPJ agora é alfanumérico"]);
    check(
        &["A Decision recorded: we use rusqlite with WAL mode and a busy timeout of 5 s."],
        &["decision: We use rusqlite with WAL mode and a busy timeout of 5 s."],
    );
}

#[test]
fn an_answer_by_its_place_is_kept_with_the_question() {
    let asked = |what: &str| format!("A Which database {what}?\n1. Postgres\n2. MySQL");
    let (api, jobs) = (asked("do you want for the API"), asked("for the jobs"));
    check(
        &[&api, "U 1", &jobs, "U go with 1"],
        &[
            "decision: Postgres (Which database do you want for the API?)",
            "decision: Postgres (Which database for the jobs?)",
        ],
    );
    check(&["A Qual cache?\n1. Redis\n2. Memcached", "U a segunda"], &["decision: Memcached (Qual cache?)"]);
    // Who says something else does not agree.
    check(&["A I'd suggest spaces for the indent.", "U ok use tabs"], &["decision: Use tabs"]);
    let found = taken(&[&api, "U go with 2"]);
    assert_eq!((found[0].text.contains("MySQL"), found[0].class), (true, SourceClass::Agent));
}

#[test]
fn a_work_order_is_no_reason() {
    check(
        &["U We decided to use Redis. Please fix the login page."],
        &["decision: We decided to use Redis."],
    );
    check(&["U keep Node 20. Run the tests."], &["decision: Keep Node 20."]);
    check(
        &["U We decided to use Redis. Rabbit is too heavy for us."],
        &["decision: We decided to use Redis. Rabbit is too heavy for us."],
    );
    assert!(taken(&["U use tabs"]).iter().all(|one| one.kind == Kind::Decision));
}
