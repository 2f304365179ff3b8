//! What holds for the moment, says nothing alone, or only looks like something to keep.

use super::check;

#[test]
fn orders_of_the_moment_settle_nothing() {
    for said in [
        "keep going",
        "drop the debug log in server.ts",
        "tira o log de debug do server.ts",
        "switch to the feature branch and run the tests",
        "muda para a branch nova e roda os testes",
        "use port 3001 for this run",
        "usa a porta 3001 desta vez",
        "don't touch the README in this PR",
        "não mexas no README neste PR",
        "use the same pattern as in cart.ts here",
        "usa o mesmo padrão do arquivo cart.ts nesse",
        "I prefer the second option",
        "prefiro a segunda opção",
        "run the tests first",
        "Stop doing that.",
        "Para de fazer isso.",
        "Esquece o que eu disse sobre o GraphQL.",
    ] {
        check(&[&format!("U {said}"), "A Ok."], &[]);
    }
}

#[test]
fn orders_that_hold_are_kept() {
    for said in [
        "Use port 3001",
        "Don't touch the README",
        "Keep Node 20",
        "Drop Node 16",
        "Always use tabs in this repo",
    ] {
        let found = super::taken(&[&format!("U {said}")]);
        assert_eq!(found.len(), 1, "{said}: {found:?}");
    }
    check(
        &["A Two caches:\n1. Redis\n2. Memcached\nWhich one do you prefer?", "U the second one"],
        &["decision: Memcached (Which one do you prefer?)"],
    );
}

#[test]
fn what_says_nothing_alone_is_joined_or_cut() {
    check(
        &["U The cart sums floats. Use the Decimal library instead of floats there"],
        &["decision: The cart sums floats. Use the Decimal library instead of floats there"],
    );
    check(
        &["U the secret is [redacted:stripe-key] put it in the .env, and never commit .env"],
        &["preference: Never commit .env"],
    );
    check(
        &["U remember that the staging key is [redacted:stripe-key], rotated in May"],
        &["fact: The staging key is [redacted:stripe-key], rotated in May"],
    );
}

#[test]
fn what_is_no_task_and_no_choice() {
    check(&["A Open: none that I know of."], &[]);
    check(&["A Pendente: nada."], &[]);
    check(&["A The health check endpoint already exists, so I left it alone."], &[]);
    check(
        &[
            "A While doing this I noticed that `vitest` hangs when the pg pool is left open; call `pool.end()` in `afterAll`.",
        ],
        &[
            "lesson: While doing this I noticed that `vitest` hangs when the pg pool is left open; call `pool.end()` in `afterAll`.",
        ],
    );
}

#[test]
fn causes_that_pass_are_no_lessons_and_warnings_are() {
    check(
        &["A The health check fails because the `/healthz` endpoint does not exist yet. I'll add it."],
        &[],
    );
    check(&["A O health check falha porque o endpoint `/healthz` não existe ainda."], &[]);
    check(
        &[
            "A Done: converted the totals. Careful: the pg driver returns numeric as a string, so convert it first.",
        ],
        &["lesson: The pg driver returns numeric as a string, so convert it first."],
    );
    check(
        &[
            "A Feito: troquei a coluna. Cuidado: o driver pg devolve numeric como texto, então converta antes.",
        ],
        &["lesson: O driver pg devolve numeric como texto, então converta antes."],
    );
}
