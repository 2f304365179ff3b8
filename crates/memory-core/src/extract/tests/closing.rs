//! Tasks that are said to be done, or not to be wanted any more, and words that only look so.

use crate::extract::{Bearing, Profile, Standing, Taken, extract};
use crate::session::{Message, Role, ToolCall};

use super::{check, talk};

/// What is taken of one message, with tasks that are open from earlier sessions.
fn with_open(said: &[&str], open: &[&str]) -> Vec<Taken> {
    let known = open.iter().map(|task| (*task).to_owned()).collect();
    extract(&talk(said), Standing { known, ..Standing::default() }, Profile::Default).0
}

#[test]
fn a_task_of_an_earlier_session_is_closed() {
    for (said, open) in [
        ("U - [x] write the migration guide", "Write the migration guide"),
        ("A - [x] Write the migration guide", "Write the migration guide"),
        ("U Done: write the migration guide", "Write the migration guide"),
        ("U The migration guide is done.", "Write the migration guide"),
        ("A The migration guide is done.", "Write the migration guide"),
        ("U o guia de migração está feito", "Escrever o guia de migração"),
    ] {
        let found = with_open(&[said], &[open]);
        let closed: Vec<(Bearing, Option<&str>)> =
            found.iter().map(|one| (one.bearing, one.instead_of.as_deref())).collect();
        assert_eq!(closed, [(Bearing::Done, Some(open))], "{said}");
    }
}

#[test]
fn what_is_not_done_stays_open() {
    for said in [
        "U The migration guide is not done.",
        "U Is the migration guide done?",
        "U The migration guide is almost done.",
        "U When the migration guide is done.",
        "U The guide is done.",
        "U The migration guide for v2 is done.",
        "U - [ ] write the migration guide",
        "A - [x] write the migration tests",
    ] {
        let found = with_open(&[said], &["Write the migration guide"]);
        assert!(found.iter().all(|one| one.bearing != Bearing::Done), "{said}: {found:?}");
    }
    check(&["A Done: we decided to use SQLite."], &["decision: We decided to use SQLite."]);
    // Where one or the other may be meant, none is.
    let two = ["Write the migration guide", "Review the migration guide"];
    assert_eq!(with_open(&["U The migration guide is done."], &two), []);
}

#[test]
fn strangers_close_no_task_of_an_earlier_session() {
    let read = ToolCall {
        name: "WebFetch".into(),
        paths: vec!["https://x.example".into()],
        command: None,
        failed: None,
    };
    let messages = [
        Message { tools: vec![read], ..Message::new(Role::Agent, "") },
        Message::new(Role::Agent, "- [x] Write the migration guide"),
    ];
    let known = vec!["Write the migration guide".to_owned()];
    let (found, after) = extract(&messages, Standing { known, ..Standing::default() }, Profile::Default);
    assert!(after.untrusted && found.iter().all(|one| one.bearing != Bearing::Done), "{found:?}");
}

/// Checks which of these open tasks a message closes.
fn check_closed(said: &str, open: &[&str], expect: &[&str]) {
    let found = with_open(&[said], open);
    let done = found.iter().filter(|one| one.bearing == Bearing::Done);
    let closed: Vec<&str> = done.filter_map(|one| one.instead_of.as_deref()).collect();
    assert_eq!(closed, expect, "{said}");
}

const HEALTH: &str = "Add a health check endpoint";

#[test]
fn a_report_of_the_work_closes_its_task() {
    for said in [
        "A I added a health check endpoint.",
        "A Added the health check endpoint.",
        "A I've added a new health check endpoint in `src/server.ts`.",
        "A The health check endpoint is in place.",
        "A The health check endpoint has been added.",
        "A The health check endpoint was added to the server, with a test.",
        "A Done: added a health check endpoint.",
        "A ✅ Add a health check endpoint",
        "A - ✔ Added the health check endpoint",
        "A - ~~Add a health check endpoint~~",
        "A I fixed the typo and added the health check endpoint.",
        "A Health check endpoint added.",
        "A The health check endpoint works now.",
        "U the health check endpoint is implemented",
    ] {
        check_closed(said, &[HEALTH], &[HEALTH]);
    }
    for (said, task) in [
        ("A Configurei o CI.", "Falta configurar o CI, deixa para a próxima"),
        ("U o CI está configurado, pode fechar a tarefa", "Falta configurar o CI, deixa para a próxima"),
        ("A Escrevi o guia de migração e corri os testes.", "Escrever o guia de migração"),
        ("A O guia de migração foi escrito.", "Escrever o guia de migração"),
        ("A Corrigi o bug do carrinho.", "Corrigir o bug do carrinho"),
        ("A Adicionado o endpoint de saúde em `src/server.ts`.", "Adicionar o endpoint de saúde"),
        ("A Wrote the migration guide.", "We still need to write the migration guide"),
        ("A I set up the staging cluster.", "Set up the staging cluster"),
    ] {
        check_closed(said, &[task], &[task]);
    }
    check_closed(
        "A I added the health check endpoint and wrote the migration guide.",
        &[HEALTH, "Write the migration guide"],
        &[HEALTH, "Write the migration guide"],
    );
}

#[test]
fn what_only_looks_like_a_report_closes_nothing() {
    for said in [
        "A I will add a health check endpoint.",
        "A I'll add the health check endpoint next.",
        "A Add a health check endpoint",
        "A I have not added the health check endpoint yet.",
        "A I haven't added a health check endpoint.",
        "A Once the health check endpoint is added, we can deploy.",
        "A If I added a health check endpoint, the probe would pass.",
        "A Should I have added a health check endpoint?",
        "A I added a health check endpoint test.",
        "A I added a health check endpoint for staging.",
        "A I added a health check endpoint stub.",
        "A I added the health check endpoint to the backlog.",
        "A Added a health check.",
        "A The health check endpoint needs to be added.",
        "A The health check endpoint was removed.",
        "A You said you added a health check endpoint.",
        "A The changelog says \"added a health check endpoint\".",
        "A Ainda não adicionei o health check endpoint.",
        "U add a health check endpoint",
        "U I would have added a health check endpoint",
        "U the health check endpoint is a must",
    ] {
        check_closed(said, &[HEALTH], &[]);
    }
    check_closed("A I set up the staging database.", &["Set up the staging cluster"], &[]);
    check_closed("U Set up the staging cluster", &["Set up the staging cluster"], &[]);
    check_closed("A I added tests.", &["Add tests"], &[]);
    check_closed("A Vou configurar o CI.", &["Configurar o CI"], &[]);
    check_closed("A Quando o CI está configurado, avisa.", &["Configurar o CI"], &[]);
    check_closed("A I implemented the payment flow.", &["Test the payment flow"], &[]);
}

#[test]
fn a_task_that_is_not_wanted_any_more_is_closed() {
    for (said, task) in [
        ("U we no longer need the load test with k6", "Load test with k6"),
        ("U Skip the docs task, we won't write the docs.", "Write the docs"),
        ("U we won't write the docs", "Write the docs"),
        ("U drop the migration guide", "Write the migration guide"),
        ("U não precisamos mais do teste de carga com k6", "Teste de carga com k6"),
        ("U esquece o guia de migração", "Escrever o guia de migração"),
        ("U não vamos escrever o guia de migração", "Escrever o guia de migração"),
    ] {
        let found = with_open(&[said], &[task]);
        let closed: Vec<(Bearing, Option<&str>)> =
            found.iter().map(|one| (one.bearing, one.instead_of.as_deref())).collect();
        assert_eq!(closed, [(Bearing::Done, Some(task))], "{said}");
    }
    for said in [
        "U skip the docs for now?",
        "U drop the tables",
        "U maybe we don't need the docs",
        "A Skip the docs task.",
    ] {
        check_closed(said, &["Write the docs"], &[]);
    }
}

#[test]
fn all_steps_of_a_list_are_closed_at_once() {
    let plan = "A - [ ] Create table `coupons`\n- [ ] Endpoint POST /coupons\n- [ ] Write the seed data";
    let closed = |said: &str| {
        let found = super::taken(&[plan, "U go", said]);
        found.iter().filter(|one| one.bearing == Bearing::Done).count()
    };
    for said in [
        "A All three steps are implemented.",
        "A All steps are done.",
        "A All 3 tasks are done, and the tests pass.",
        "U todos os passos estão feitos",
        "A As is: nothing.\n\nTodas as tarefas foram concluídas.",
    ] {
        assert_eq!(closed(said), 3, "{said}");
    }
    for said in [
        "A All four steps are implemented.",
        "A All steps are not done yet.",
        "A Are all steps done?",
        "A All tests pass.",
    ] {
        assert_eq!(closed(said), 0, "{said}");
    }
}
