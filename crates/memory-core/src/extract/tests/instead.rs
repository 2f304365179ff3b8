//! What takes the place of something else: of this conversation, of an earlier call, of the store; and corrections.

use crate::extract::{Profile, Standing, Taken, extract};
use crate::kind::Kind;

use super::{check, taken, talk};

const DRIZZLE: &str = "Let's use Drizzle for the database";

/// What is taken of a message where these stand in the store.
fn with_chosen(said: &[&str], chosen: &[(Kind, &str)]) -> Vec<Taken> {
    let chosen = chosen.iter().map(|(kind, text)| (kind.clone(), (*text).to_owned())).collect();
    extract(&talk(said), Standing { chosen, ..Standing::default() }, Profile::Default).0
}

const CHANGES: &[&str] = &[
    "We're dropping Drizzle and moving to Kysely",
    "We decided to replace Drizzle with Kysely",
    "We moved from Drizzle to Kysely",
    "Kysely instead of Drizzle from now on",
    "We're no longer using Drizzle",
    "Trocamos o Drizzle pelo Kysely",
    "Vamos trocar o Drizzle pelo Kysely",
    "Vamos abandonar o Drizzle e usar o Kysely",
    "Kysely em vez do Drizzle",
];

#[test]
fn a_change_of_course_takes_the_place_of_what_the_store_holds() {
    for said in CHANGES {
        let found =
            with_chosen(&[&format!("U {said}")], &[(Kind::Decision, DRIZZLE), (Kind::Decision, "Use Redis")]);
        let found: Vec<(&Kind, &str, Option<&str>)> =
            found.iter().map(|one| (&one.kind, one.text.as_str(), one.instead_of.as_deref())).collect();
        assert_eq!(found, [(&Kind::Decision, *said, Some(DRIZZLE))], "{said}");
    }
}

#[test]
fn a_change_of_course_leaves_one_decision_in_a_conversation() {
    for said in CHANGES {
        check(&[&format!("U {DRIZZLE}"), "A ok", &format!("U {said}")], &[&format!("decision: {said}")]);
    }
}

#[test]
fn what_is_not_meant_stays() {
    let old = (Kind::Decision, DRIZZLE);
    for said in [
        "U should we replace Drizzle with Kysely?",
        "U maybe we replace Drizzle with Kysely",
        "U we will not replace Drizzle with Kysely",
        "U we're dropping Prisma and moving to Kysely",
        "A We replaced Drizzle with Kysely because it is lighter.",
    ] {
        let found = with_chosen(&[said], std::slice::from_ref(&old));
        assert!(found.iter().all(|one| one.instead_of.is_none()), "{said}: {found:?}");
    }
    // Where one or the other may be meant, none is.
    let two = [old, (Kind::Decision, "We use Drizzle for the reports")];
    let found = with_chosen(&["U we're dropping Drizzle and moving to Kysely"], &two);
    assert!(found.iter().all(|one| one.instead_of.is_none()), "{found:?}");
    let against = [(Kind::Decision, "We never use Drizzle")];
    assert!(with_chosen(&["U we're dropping Drizzle"], &against).iter().all(|one| one.instead_of.is_none()));
}

#[test]
fn a_correction_leaves_what_is_right() {
    for (said, expect) in [
        ("U no wait, keep npm", "Keep npm"),
        ("U no wait, that was a mistake, keep npm", "Keep npm"),
        ("U that was a mistake, keep npm", "Keep npm"),
        ("U sorry, I meant npm", "Let's use npm for installs"),
        ("U I meant npm, not pnpm", "Let's use npm for installs"),
        ("U oops, wrong one: npm", "Let's use npm for installs"),
        ("U hmm no, npm", "Let's use npm for installs"),
        ("U desculpa, quis dizer o npm", "Let's use npm for installs"),
        ("U não, espera, mantém o npm", "Mantém o npm"),
        ("U na verdade, melhor ficar com o npm", "Na verdade, melhor ficar com o npm"),
    ] {
        check(
            &["U let's use pnpm for installs", "A Switched to pnpm.", said],
            &[&format!("decision: {expect}")],
        );
    }
}

#[test]
fn a_correction_of_an_earlier_call_names_what_it_corrects() {
    let (_, standing) =
        extract(&talk(&["U let's use pnpm for installs"]), Standing::default(), Profile::Default);
    let (found, _) = extract(&talk(&["A ok", "U sorry, I meant npm"]), standing, Profile::Default);
    let said: Vec<(&str, Option<&str>)> =
        found.iter().map(|one| (one.text.as_str(), one.instead_of.as_deref())).collect();
    assert_eq!(said, [("Let's use npm for installs", Some("Let's use pnpm for installs"))]);
}

#[test]
fn no_is_no_correction_of_its_own() {
    for said in [
        "U no, thanks",
        "U no, later",
        "U no, run the tests",
        "U não, obrigado",
        "U I meant that the tests are slow",
    ] {
        let found = taken(&["U let's use pnpm for installs", "A Switched to pnpm.", said]);
        assert_eq!(found[0].text, "Let's use pnpm for installs", "{said}");
        assert_eq!(found.len(), 1, "{said}: {found:?}");
    }
}

#[test]
fn facts_and_wishes_are_taken_back_too() {
    for (kind, old, said, expect) in [
        (
            Kind::Fact,
            "The port of the API is 8080",
            "U the port of the API is 8081, not 8080 as I told you before",
            "The port of the API is 8081",
        ),
        (Kind::Fact, "A porta da API é 8080", "U a porta da API é 8081, não 8080", "A porta da API é 8081"),
        (
            Kind::Preference,
            "Always run `pnpm lint` before each commit",
            "U you don't need to run `pnpm lint` before each commit any more",
            "You don't need to run `pnpm lint` before each commit any more",
        ),
        (
            Kind::Preference,
            "Corre sempre o `pnpm lint` antes de cada commit",
            "U já não precisas de correr o `pnpm lint`",
            "Já não precisas de correr o `pnpm lint`",
        ),
    ] {
        let found = with_chosen(&[said], &[(kind.clone(), old)]);
        let found: Vec<(&Kind, &str, Option<&str>)> =
            found.iter().map(|one| (&one.kind, one.text.as_str(), one.instead_of.as_deref())).collect();
        assert_eq!(found, [(&kind, expect, Some(old))], "{said}");
    }
    let other = [(Kind::Fact, "The port of the proxy is 8080")];
    let found = with_chosen(&["U the port of the API is 8081, not 8080"], &other);
    assert!(found.iter().all(|one| one.instead_of.is_none()), "{found:?}");
}

const PLAN: &str = "A Here is the plan:\n\n1. We will use EKS with Karpenter, because Fargate is too expensive.\n2. Decision: Argo CD for deployments.\n\nShall I start?";

#[test]
fn a_plan_that_is_refused_leaves_nothing() {
    for said in [
        "U no, forget it",
        "U no",
        "U not now",
        "U forget it",
        "U nah, too expensive",
        "U let's not do this",
        "U não, agora não",
        "U run the tests first",
    ] {
        check(&["U make a plan for moving to kubernetes", PLAN, said, "A Understood."], &[]);
    }
    for (said, expect) in [
        ("U no, we stay on Lambda", "We stay on Lambda"),
        ("U não, esquece, fica na Lambda", "Fica na Lambda"),
    ] {
        check(&["U make a plan", PLAN, said], &[&format!("decision: {expect}")]);
    }
}

#[test]
fn a_plan_that_is_agreed_to_is_kept() {
    for said in ["U yes", "U ok, go ahead", "U sim, pode começar", "U sounds good"] {
        let found = taken(&["U make a plan", PLAN, said]);
        let texts: Vec<&str> = found.iter().map(|one| one.text.as_str()).collect();
        assert_eq!(
            texts,
            ["We will use EKS with Karpenter, because Fargate is too expensive.", "Argo CD for deployments."],
            "{said}"
        );
    }
    // What is done already waits for nobody.
    check(
        &["A I went with a queue instead of cron because jobs may overlap. Shall I start the tests?", "U no"],
        &["decision: I went with a queue instead of cron because jobs may overlap."],
    );
}
