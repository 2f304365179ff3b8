//! What a sentence of a person is: small judges, asked one after another until one knows.

use crate::kind::Kind;

use super::super::cue::{self, Class};
use super::super::wording::{content, words};
use super::super::{reverse, rule, wish};
use super::passing;
use super::{Before, Sentence, Verdict, against, decided, decision, names_work, verdict};

/// What a judge says.
enum Ruling {
    Is(Verdict),
    /// It is nothing, whatever the judges behind would say.
    Nothing,
    /// This judge does not know.
    Next,
}

/// A verdict where something holds.
fn given(holds: bool, verdict: impl FnOnce() -> Verdict) -> Ruling {
    if holds { Ruling::Is(verdict()) } else { Ruling::Next }
}

/// Nothing where something holds.
fn nothing(holds: bool) -> Ruling {
    if holds { Ruling::Nothing } else { Ruling::Next }
}

type Judge = fn(&Sentence, Before) -> Ruling;

/// The judges in their order: what is asked for outright, what holds for all times, what was decided, what settles
/// something, and what settles it only behind a question or a finding.
const JUDGES: &[Judge] = &[
    refused,
    asked_back,
    task,
    fact,
    passing,
    choice_of_taste,
    too_much,
    rule_for_things,
    preference,
    decided_outright,
    doubtful,
    ended,
    undone,
    moved,
    ordered,
    named,
    settled,
    lesson,
    only_this,
    told,
];

/// What a sentence of a person is.
pub(super) fn of_person(sentence: &Sentence, before: Before) -> Option<Verdict> {
    for judge in JUDGES {
        match judge(sentence, before) {
            Ruling::Is(verdict) => return Some(verdict),
            Ruling::Nothing => return None,
            Ruling::Next => {}
        }
    }
    None
}

/// "Not now" settles nothing that holds.
fn refused(sentence: &Sentence, _: Before) -> Ruling {
    nothing(reverse::turns_down(sentence))
}

/// Words that ask to be told something once more.
#[rustfmt::skip]
const ASKED_BACK: &[&str] = &[
    " remind me what ", " remind me how ", " remind me why ", " remind me which ", " remind me where ",
    " remind me when ", " remind me who ", " remind me again ", " remind me if ", " remind me whether ",
    " lembra me o que ", " lembra me como ", " lembra me qual ", " lembra me porque ", " me lembra o que ",
    " me lembra como ", " me lembra qual ",
];

/// "Remind me what we decided" asks.
fn asked_back(sentence: &Sentence, _: Before) -> Ruling {
    nothing(ASKED_BACK.iter().any(|words| sentence.folded.contains(words)))
}

/// Words behind `TODO` that make it the name of a thing.
#[rustfmt::skip]
const TODO_OF: &[&str] = &[
    "comment", "comments", "list", "lists", "item", "items", "note", "notes", "file", "files", "app", "apps", "marker",
    "markers", "tag", "tags", "label", "labels", "entry", "entries", "mvc", "page", "api", "s",
];

/// Whether a sentence is a task that is written without the colon behind `TODO`.
pub(super) fn is_todo(sentence: &Sentence) -> bool {
    sentence.text.starts_with("TODO ")
        && words(&sentence.folded).nth(1).is_some_and(|word| !TODO_OF.contains(&word))
}

fn task(sentence: &Sentence, _: Before) -> Ruling {
    let reminded = sentence.has(Class::Remind) || is_todo(sentence);
    let left = sentence.hits.any(&[Class::Task, Class::Plan])
        && names_work(sentence)
        && !sentence.has(Class::Decide);
    match (reminded, left) {
        (true, _) => Ruling::Is(verdict(Kind::Task, 0.75)),
        (_, true) if is_unsure(sentence) => Ruling::Nothing,
        (_, left) => given(left, || verdict(Kind::Task, 0.75)),
    }
}

/// What somebody remembers, does not remember or forgot is not asked to be remembered.
#[rustfmt::skip]
const REMEMBERED: &[&str] = &[
    " i remember ", " i do remember ", " dont remember ", " do not remember ", " didnt remember ", " cant remember ",
    " cannot remember ", " forgot to remember ", " forget to remember ", " you remember ", " they remember ",
    " never remember ", " eu lembro ", " me lembro ", " nao lembro ", " lembro me ",
];

fn fact(sentence: &Sentence, _: Before) -> Ruling {
    let remembered = REMEMBERED.iter().any(|words| sentence.folded.contains(words));
    given(sentence.has(Class::Fact) && !remembered, || verdict(Kind::Fact, 0.9))
}

/// In answer to a question, or of us all, a taste is a choice.
fn choice_of_taste(sentence: &Sentence, before: Before) -> Ruling {
    let of_us = [" we ", " a gente ", " nos "].iter().any(|us| sentence.folded.contains(us));
    let chosen = tastes(sentence)
        && (before == Before::Choice || of_us)
        && !sentence.has(Class::Rule)
        && sentence.count() <= 25;
    given(chosen, || decision(sentence, 0.75))
}

/// An order of the moment settles nothing that holds.
fn passing(sentence: &Sentence, before: Before) -> Ruling {
    nothing(passing::is_passing(&sentence.text, &sentence.folded, before))
}

fn too_much(sentence: &Sentence, _: Before) -> Ruling {
    nothing(sentence.count() > 40 || sentence.has(Class::Request))
}

fn rule_for_things(sentence: &Sentence, _: Before) -> Ruling {
    let general = sentence.has(Class::Onward)
        && !sentence.has(Class::Manner)
        && wish::speaks_of_things(&sentence.folded);
    given(general && !is_unsure(sentence), || decision(sentence, 0.8))
}

fn preference(sentence: &Sentence, _: Before) -> Ruling {
    let again = sentence.has(Class::Again) && sentence.has(Class::Against);
    let rule = sentence.has(Class::Rule) && rule::is_rule(&sentence.folded, sentence.hits)
        || again && rule::forbids_again(&sentence.folded);
    let rule = rule && !sentence.hits.any(&[Class::Decide, Class::Hedge, Class::Others]);
    given(tastes(sentence) || is_manner(sentence) || rule, || verdict(Kind::Preference, 0.8))
}

fn decided_outright(sentence: &Sentence, _: Before) -> Ruling {
    given(decided(sentence), || decision(sentence, 0.9))
}

fn doubtful(sentence: &Sentence, _: Before) -> Ruling {
    let only_reverses = sentence.has(Class::Reverse) && sentence.count() <= 3;
    nothing(is_unsure(sentence) || sentence.has(Class::Others) || only_points(sentence) || only_reverses)
}

fn ended(sentence: &Sentence, _: Before) -> Ruling {
    let ended = sentence.hits.any(&[Class::Ban, Class::Close]) && sentence.count() >= 3;
    let ended = is_short(sentence) && (ended || wish::wants(&sentence.text, &sentence.folded));
    given(ended, || decision(sentence, 0.75))
}

/// What somebody said themselves is taken back with it, and names nothing alone.
const SAID: &[&str] = &[
    " o que eu disse ",
    " o que disse ",
    " o que falei ",
    " o que eu falei ",
    " what i said ",
    " what i told ",
];

fn undone(sentence: &Sentence, _: Before) -> Ruling {
    if SAID.iter().any(|said| sentence.folded.contains(said)) {
        return Ruling::Nothing;
    }
    given(sentence.has(Class::Undo) && sentence.count() >= 3, || against(0.7))
}

/// "Switch live updates from SSE to WebSockets" names what is left and what is taken.
fn moved(sentence: &Sentence, _: Before) -> Ruling {
    let behind = sentence.folded.strip_prefix("^ switch ").and_then(|rest| rest.split_once(" from "));
    let moved = behind.is_some_and(|(_, behind)| behind.contains(" to "));
    given(moved && is_short(sentence), || decision(sentence, 0.7))
}

fn ordered(sentence: &Sentence, before: Before) -> Ruling {
    let will = WILL.iter().any(|start| sentence.folded.starts_with(start)) && chooses(sentence, before);
    let ordered = sentence.has(Class::Order) && sentence.count() >= 2 || will && sentence.count() >= 4;
    given(is_short(sentence) && ordered, || decision(sentence, 0.7))
}

/// "Postgres it is."
fn named(sentence: &Sentence, _: Before) -> Ruling {
    let named = sentence.folded.ends_with(" it is $") && sentence.count() <= 6;
    given(named, || decision(sentence, 0.75))
}

fn settled(sentence: &Sentence, before: Before) -> Ruling {
    let contrast =
        [", not ", ", não ", ", nao ", ", never ", ", nunca "].iter().any(|not| sentence.text.contains(not));
    let settles = sentence.has(Class::Settle) || contrast && sentence.count() <= 15;
    let open = before != Before::Nothing || sentence.folded.starts_with("^ lets");
    let settled = settles
        && open
        && says_enough(sentence, before)
        && sentence.count() <= 20
        && chooses(sentence, before);
    given(settled, || decision(sentence, 0.7))
}

fn lesson(sentence: &Sentence, _: Before) -> Ruling {
    let learned = sentence.has(Class::Lesson) || sentence.has(Class::Found) && sentence.count() > 5;
    given(learned, || verdict(Kind::Lesson, 0.7))
}

fn only_this(sentence: &Sentence, before: Before) -> Ruling {
    let only = [" only $", " apenas $", " so $"].iter().any(|end| sentence.folded.ends_with(end));
    let settles = only && before != Before::Nothing && (2..=4).contains(&sentence.count());
    given(settles, || decision(sentence, 0.65))
}

/// An order settles how, where there was a question or a finding before. Behind something taken back it may be any work.
fn told(sentence: &Sentence, before: Before) -> Ruling {
    let told = sentence.has(Class::Tell);
    let report = rule::is_report(&sentence.folded) || sentence.has(Class::Prefer) && !tastes(sentence);
    let instead = sentence.instead && !wish::orders_work(&sentence.folded);
    let long_enough =
        sentence.count() >= 4 || sentence.count() == 3 && (sentence.has(Class::Against) || !told || instead);
    let settles = is_short(sentence)
        && !report
        && (told || wish::orders(&sentence.text, &sentence.folded))
        && !sentence.has(Class::Report)
        && !matches!(before, Before::Nothing | Before::Reversed)
        && says_enough(sentence, before)
        && long_enough;
    given(settles, || decision(sentence, 0.6))
}

fn is_unsure(sentence: &Sentence) -> bool {
    sentence.hits.any(cue::UNSURE)
}

fn is_short(sentence: &Sentence) -> bool {
    sentence.count() <= 30
}

/// Few words that point at something settle it only behind a question.
fn says_enough(sentence: &Sentence, before: Before) -> bool {
    before == Before::Choice || content(&sentence.text).len() > 1
}

fn tastes(sentence: &Sentence) -> bool {
    sentence.has(Class::Prefer) && rule::is_taste(&sentence.folded, sentence.hits)
}

/// Verbs of choices behind "let's" and "we will". Other verbs tell what is done now.
#[rustfmt::skip]
const CHOOSING: &[&str] = &[
    "use", "go", "keep", "adopt", "stick", "stay", "drop", "switch", "move", "migrate", "replace", "support", "store",
    "ship", "pin", "split", "host", "require", "never", "always", "only", "not", "default", "standardise",
    "standardize", "skip", "leave", "avoid", "remove", "cache", "pick", "choose", "call", "name", "ditch", "ban",
    "merge", "retire", "deprecate", "freeze", "lock", "cap", "limit", "allow", "treat", "return", "make", "put",
    "set", "add", "have", "rely", "depend", "commit", "stop", "just", "disable", "enable", "serve", "expose",
    "usar", "utilizar", "ficar", "manter", "adotar", "adoptar", "trocar", "mudar", "migrar", "passar", "deixar",
    "tirar", "remover", "largar", "abandonar", "guardar", "suportar", "separar", "dividir", "juntar", "limitar",
    "fixar", "congelar", "padronizar", "evitar", "permitir", "exigir", "apostar", "optar", "escolher", "seguir",
    "de", "com", "por", "pelo", "pela", "voltar", "parar", "chamar", "colocar", "meter", "substituir", "desligar",
    "ligar", "desativar", "ativar", "bloquear", "hospedar", "tratar", "devolver", "aceitar", "nao", "nunca",
];

/// Verbs of [`CHOOSING`] that settle something only where something was open before.
const DOING: &[&str] = &["make", "put", "set", "add", "have", "just", "commit"];

/// Whether behind the words with which a person says what will be done stands a verb that chooses.
fn chooses(sentence: &Sentence, before: Before) -> bool {
    let start = WILL.iter().chain(&["^ lets "]).find(|start| sentence.folded.starts_with(*start));
    let verb = start.and_then(|start| words(&sentence.folded[start.len()..]).next());
    let open = !matches!(before, Before::Nothing | Before::Reversed);
    // "Let's run them in a container instead" chooses whatever the verb.
    let over = sentence.has(Class::Over) || sentence.folded.contains(" instead ");
    let chosen = over || verb.is_none_or(|verb| CHOOSING.contains(&verb) && (open || !DOING.contains(&verb)));
    chosen && !sentence.has(Class::Aloud)
}

/// Words that only point at a choice.
#[rustfmt::skip]
const POINTING: &[&str] = &[
    "use", "go", "with", "keep", "take", "pick", "the", "a", "an", "that", "this", "it", "one", "ones", "first", "second",
    "third", "last", "other", "former", "latter", "option", "instead", "please", "then", "usa", "usar", "fica", "com",
    "mantem", "deixa", "o", "primeira", "primeiro", "segunda", "segundo", "terceira", "terceiro", "outra", "outro",
    "essa", "esse", "isso", "isto", "opcao", "por", "favor",
];

/// Whether a sentence says nothing but which of several things is meant.
fn only_points(sentence: &Sentence) -> bool {
    words(&sentence.folded).all(|word| POINTING.contains(&word))
}

/// How a person begins to say what will be done.
const WILL: &[&str] = &[
    "^ we will ",
    "^ well ",
    "^ were going to ",
    "^ we are going to ",
    "^ we wont ",
    "^ were not going to ",
    "^ vamos ",
    "^ nao vamos ",
    "^ a gente vai ",
];

/// How a person tells an agent to leave something off.
fn is_manner(sentence: &Sentence) -> bool {
    let mut words = words(&sentence.folded);
    let stop = words.next() == Some("stop") && words.next().is_some_and(|word| word.ends_with("ing"));
    stop || sentence.has(Class::Manner)
        && sentence.hits.any(&[Class::Order, Class::Tell])
        && sentence.has(Class::Against)
}
