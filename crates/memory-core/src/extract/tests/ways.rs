//! The many ways in which the same is said: each line is one decision, one lesson, or nothing at all.

use crate::kind::Kind;

use super::taken;

/// Every line gives one thing of the kind.
fn all_give(kind: &Kind, lines: &[&[&str]]) {
    let wrong: Vec<String> = lines
        .iter()
        .map(|said| (said, taken(said)))
        .filter(|(_, found)| found.iter().filter(|one| one.kind == *kind).count() != 1)
        .map(|(said, found)| {
            format!("{said:?} gave {:?}", found.iter().map(|one| &one.text).collect::<Vec<_>>())
        })
        .collect();
    assert_eq!(wrong, Vec::<String>::new());
}

#[test]
fn ways_to_decide() {
    all_give(
        &Kind::Decision,
        &[
            &["A We've moved to pnpm workspaces."],
            &["A We have switched over to structured logging."],
            &["A I've replaced the polling loop with inotify so that idle CPU stays at zero."],
            &["A I kept the old endpoint rather than break the mobile app."],
            &["A We're staying on Java 17 this year."],
            &["A The team went with feature flags."],
            &["A After comparing both I picked zstd over lz4."],
            &["A Settled: one crate per plugin."],
            &["A Verdict: the cache stays in process."],
            &["A I've gone with a ring buffer."],
            &["A We ruled out Electron for the tray app."],
            &["A We've stopped using moment.js."],
            &["A In the end we stuck with cron."],
            &["A Decidi manter o índice antigo."],
            &["A Passámos para filas em vez de chamadas diretas."],
            &["A Ficou acordado que o suporte a IE acaba em março."],
            &["A Troquei o axios pelo fetch para não carregar mais uma dependência."],
            &["A Descartámos o GraphQL."],
            &["A Fomos de monorepo."],
            &["U bora de fastapi"],
            &["U vamos manter o node 20"],
            &["U fica decidido que os logs não saem da máquina"],
            &["U tá decidido, sem orm"],
            &["U nada de cache nessa rota"],
            &["U chega de gambiarra no deploy, só pelo pipeline"],
            &["U don't touch the public api before 3.0"],
            &["U let's not support windows 7"],
            &["U mocks are banned in the e2e suite"],
            &["U from now on all timestamps are utc"],
            &["U a partir de agora toda migração tem rollback"],
            &["U i want the config in toml, not yaml"],
            &["U não quero mais cron nesse servidor"],
            &["U we're dropping python 3.8"],
            &["U one binary, no installer, end of story"],
            &["U a porta é 9090 e ponto final"],
            &["U stick with bash, no exceptions"],
            &["A I'd suggest keeping the retries at 3.", "U ok but make it 5"],
            &["A Should the tokens live in cookies or in local storage?", "U cookies"],
            &["A Two ways:\n- a trigger\n- a nightly job", "U nightly job, triggers are a pain"],
            &["A Uso o Redis ou a tabela?", "U tabela mesmo"],
            &["A The index is missing, so the query scans everything.", "U add a partial index on status"],
            &["A O limite está baixo e o job falha.", "U sobe pra 10 minutos e reduz o lote"],
            &["A I can do it with a lock or with a queue.", "U queue please"],
        ],
    );
}

#[test]
fn ways_to_learn() {
    all_give(
        &Kind::Lesson,
        &[
            &["A The crash came from a double free in the image decoder."],
            &["A The slowdown was due to a missing index."],
            &["A It only fails when two workers start in the same second."],
            &["A What happened is that the certificate chain lacked an intermediate."],
            &["A The reason the job hung was a full pipe."],
            &["A By the way, the API never returns more than 100 rows."],
            &["A Heads-up: the sandbox resets every night, so uploaded files are gone in the morning."],
            &["A Good to know: `rsync` doesn't delete files without `--delete`."],
            &["A For the record, the staging bucket only keeps files for 7 days."],
            &["A Fixed by pinning the base image; the cause was a glibc mismatch."],
            &["A This happened because the migration ran twice."],
            &["A Careful: `git clean -x` removes the local env file too."],
            &["A The plugin won't load unless the manifest lists its hash."],
            &["A The deadlock stemmed from two locks taken in different order."],
            &["A That one bit us before: DST shifts the nightly window."],
            &["A O vazamento vinha de um listener que nunca era removido."],
            &["A Acontece que o proxy junta os cabeçalhos repetidos."],
            &["A A falha só acontece em horário de verão."],
            &["A A causa do travamento era um lock dentro do callback."],
            &["A O que aconteceu foi que o certificado expirou no domingo."],
            &["A Convém saber que a API não devolve mais de 100 linhas."],
            &["A O motivo era um índice em falta."],
            &["A A lentidão devia-se a um índice em falta."],
            &["A Detalhe: o webhook não reenvia depois de 3 erros."],
            &["A Só compila se o protoc estiver no PATH."],
            &["U why does the job die at night?", "A Because the host reboots at 3 and nothing restarts it."],
            &[
                "U porque é que a página fica em branco?",
                "A Porque o bundle antigo fica em cache no service worker.",
            ],
        ],
    );
}

#[test]
fn ways_to_lay_down_a_rule() {
    all_give(
        &Kind::Preference,
        &[
            &["U Never push to main"],
            &["U Always run the linter before committing"],
            &["U I prefer tabs"],
            &["U nunca faças push para main"],
            &["U prefiro nomes curtos"],
            &["U I want you to always ask before deleting"],
            &["U I want you to answer in English"],
            &["U quero que respondas sempre em português"],
            &["U I hate emojis"],
            &["U I don't like it when you rename things"],
            &["U não gosto de comentários longos"],
            &["U please stop adding comments"],
            &["U whenever you change the schema, run the migration test"],
            &["U don't push without asking"],
            &["U in this repo we squash commits"],
        ],
    );
}

#[test]
fn what_is_only_said() {
    let mut wrong = Vec::new();
    for said in [
        "A I've added tests and updated the docs.",
        "A I've moved the helper into its own file.",
        "A I switched to the feature branch and pulled.",
        "A I replaced the typo in the README.",
        "A Moved the function to `a.rs`.",
        "A Troquei o nome da variável.",
        "A Migrei os três ficheiros.",
        "A The build is green now.",
        "A It was quick, only two files changed.",
        "A That endpoint went away when we migrated to v2.",
        "A By the way, I also fixed the typo.",
        "A Heads-up: I'm about to restart the server.",
        "A Next steps:\n- look at the dashboards\n- think about sampling",
        "A The next step is to write the migration.",
        "A Próximos passos:\n- rever o README\n- medir de novo",
        "A We could move to Kafka instead of Redis.",
        "A If we stay on 17 we would miss the new collector.",
        "A Não sei se ficamos com o Redis.",
        "U i want a function that sorts these",
        "U i don't want to wait for it",
        "U quero um botão azul na página",
        "U did we decide to move to pnpm?",
        "U fica decidido quando?",
        "U they moved to kafka last year, he said",
        "U the docs say \"mocks are banned in the suite\"",
        "U never mind",
        "U please stop",
        "U I hate this bug",
        "U Never seen that error before.",
        "U Always fails on CI",
        "U In this repo the tests are red",
        "U I want you to fix the failing test in auth.rs",
        "U Whenever you have time, look at the login bug",
        "U nunca vi isso",
        "U sempre a mesma coisa",
        "U quero que corrijas o teste",
        "U não gosto disto",
        "U Do it without asking",
        "U it is not working again",
        "U Let's run the tests",
        "U vamos rodar os testes",
        "U use the second one",
        "U We will meet at 5.",
        "U vamos falar amanhã às dez",
        "U the next step",
        "U still needs work",
        "A Still needs work.",
        "A Found it. Let me open the file.",
        "A Found the file. Now I will read the tests.",
        "U looks good, thanks",
        "U e agora?",
    ] {
        wrong.extend(
            taken(&[said]).into_iter().map(|one| format!("{said:?} gave {}: {}", one.kind, one.text)),
        );
    }
    for said in [
        ["A Done, all tests pass.", "U write the docs for the new endpoint"],
        ["A I updated the readme.", "U run the tests again please"],
        ["A Atualizei o README.", "U roda os testes de novo por favor"],
    ] {
        wrong.extend(taken(&said).into_iter().map(|one| format!("{said:?} gave {}: {}", one.kind, one.text)));
    }
    assert_eq!(wrong, Vec::<String>::new());
}

#[test]
fn a_finding_makes_no_order_of_what_is_only_said() {
    for said in ["U never seen that error before", "U não gosto disto", "U let's run the tests"] {
        let found = taken(&["A The mock is missing, so it fails.", said]);
        assert!(found.iter().all(|one| one.kind == Kind::Lesson), "{said}: {found:?}");
    }
}

#[test]
fn tasks_are_asked_for_or_left_open() {
    let titles = |said: &[&str]| {
        let found = taken(said);
        found.iter().filter(|one| one.kind == Kind::Task).map(|one| one.text.clone()).collect::<Vec<_>>()
    };
    let steps = "A ## Next steps\n\n1. Write the docs\n2. Ship it to staging";
    assert_eq!(titles(&[steps]), Vec::<String>::new());
    assert_eq!(titles(&["U what's left?", steps]), ["Write the docs", "Ship it to staging"]);
    assert_eq!(titles(&["U quais são os próximos passos?", steps]).len(), 2);
    assert_eq!(titles(&["A Still to do:\n- Write the docs\n- Ship it to staging"]).len(), 2);
    assert_eq!(titles(&["A Falta:\n- rever o contrato\n- publicar o pacote"]).len(), 2);
    assert_eq!(titles(&["A Next: write the docs"]), ["Write the docs"]);
    let many: String = (0..9).map(|n| format!("- [ ] check the part number {n}{n}\n")).collect();
    assert_eq!(titles(&[&format!("A {many}")]).len(), 5);
}
