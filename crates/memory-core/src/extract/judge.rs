//! What one sentence is, by its cues, who says it, and what stands around it.

mod explain;

use crate::kind::Kind;
use crate::session::Role;
use crate::text::sentences;

use super::Bearing;
use super::cue::{self, Class, Hits};
use super::label::{Label, label};
use super::lines::{Line, Part, Shape};
use super::wording::{content, folded, without_fillers, words};
use super::{rule, wish};

/// A sentence with what was found in it.
#[derive(Debug, Clone)]
pub(super) struct Sentence {
    pub(super) text: String,
    pub(super) folded: String,
    pub(super) hits: Hits,
    pub(super) asks: bool,
    pub(super) label: Option<Label>,
    pub(super) shape: Shape,
    pub(super) part: Part,
    /// It begins its line.
    pub(super) first: bool,
}

/// What a sentence is.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Verdict {
    pub(super) kind: Kind,
    pub(super) bearing: Bearing,
    pub(super) sure: f64,
}

/// What a sentence is said into.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Before {
    /// Nothing that wants an answer.
    Nothing,
    /// A finding or an answer of the agent.
    Finding,
    /// Something that goes wrong.
    Trouble,
    /// A question or a choice.
    Choice,
    /// A question what is left to do.
    Left,
}

/// The sentences of a line, with labels taken off. A line behind a label stays whole.
pub(super) fn sentences_of(line: &Line) -> Vec<Sentence> {
    if let Some((label, body)) = label(&line.text).filter(|(_, body)| body.len() <= LONGEST_SENTENCE) {
        return vec![Sentence::new(body, Some(label), line, true)];
    }
    let mut found: Vec<Sentence> = Vec::new();
    for range in sentences(&line.text) {
        let mut rest = line.text.get(range).unwrap_or_default();
        while !rest.is_empty() {
            let end = small_end(rest).unwrap_or(rest.len());
            let (text, behind) = rest.split_at(end);
            // What is longer is no sentence.
            if text.len() > LONGEST_SENTENCE {
                break;
            }
            let first = found.is_empty();
            let (label, body) = label(text).map_or((None, text), |(label, body)| (Some(label), body));
            found.push(Sentence::new(body.trim(), label, line, first));
            rest = behind.trim_start();
        }
    }
    found
}

/// Bytes of the longest sentence that is looked at.
const LONGEST_SENTENCE: usize = 2000;

/// Words behind which a dot ends no sentence.
const SHORTENED: &[&str] = &["e.g", "i.e", "etc", "vs", "approx", "ex", "p.ex", "cf", "no", "nr", "resp"];

/// Where a sentence ends before a small letter, as in messages that people type in haste.
fn small_end(text: &str) -> Option<usize> {
    let mut code = false;
    for (at, sign) in text.char_indices() {
        code ^= sign == '`';
        let behind = &text[at + sign.len_utf8()..];
        if code || !matches!(sign, '.' | '!' | '?') || !behind.starts_with(' ') {
            continue;
        }
        let last = text[..at].rsplit(char::is_whitespace).next().unwrap_or("").trim_start_matches(['(', '[']);
        let shortened = sign == '.' && SHORTENED.contains(&last.to_lowercase().as_str());
        if behind.trim_start().starts_with(char::is_lowercase) && last.chars().count() > 1 && !shortened {
            return Some(at + 1);
        }
    }
    None
}

/// Little words behind a comma that ask for no answer.
const TAGS: &[&str] =
    &["ok", "okay", "right", "tá", "ta", "certo", "né", "ne", "combinado", "beleza", "sim", "yeah", "yes"];

/// A sentence without the little question behind it.
fn untagged(text: &str) -> &str {
    let Some((head, tag)) = text.trim_end().strip_suffix('?').and_then(|text| text.rsplit_once(',')) else {
        return text;
    };
    if TAGS.contains(&tag.trim().to_lowercase().as_str()) && !head.contains('?') { head } else { text }
}

impl Sentence {
    fn new(text: &str, label: Option<Label>, line: &Line, first: bool) -> Self {
        let text = untagged(text);
        let whole = folded(text);
        let folded = without_fillers(&whole);
        let hits = Hits::of(&whole);
        let hits = if folded == whole { hits } else { hits.with(Hits::of(&folded)) };
        let end = text
            .trim_end_matches(|c: char| !c.is_alphanumeric() && !matches!(c, '?' | '.' | '!' | '…' | ':'));
        // In haste people leave the sign of a question out, and then the full stop too.
        let unsigned = hits.has(Class::Ask) && !end.ends_with(['.', '!', ':', '…']);
        let asks = end.ends_with('?') || end.ends_with("?!") || unsigned;
        Self { text: text.to_owned(), folded, hits, asks, label, shape: line.shape, part: line.part, first }
    }

    pub(super) fn count(&self) -> usize {
        words(&self.folded).count()
    }

    fn has(&self, class: Class) -> bool {
        self.hits.has(class)
    }
}

/// Judges a sentence.
pub(super) fn judge(sentence: &Sentence, role: Role, before: Before) -> Option<Verdict> {
    let verdict = by_layout(sentence, role, before).or_else(|| {
        if sentence.asks {
            return None;
        }
        match role {
            Role::User => of_person(sentence, before),
            Role::Agent => of_agent(sentence, before),
        }
    })?;
    (sentence.count() >= 2 || sentence.label.is_some()).then_some(verdict)
}

fn verdict(kind: Kind, sure: f64) -> Option<Verdict> {
    let bearing = if kind == Kind::Task { Bearing::Open } else { Bearing::Plain };
    Some(Verdict { kind, bearing, sure })
}

fn decision(sentence: &Sentence, sure: f64) -> Option<Verdict> {
    let bearing = if sentence.has(Class::Against) { Bearing::Against } else { Bearing::Plain };
    Some(Verdict { kind: Kind::Decision, bearing, sure })
}

/// What labels, boxes and headings say outright.
fn by_layout(sentence: &Sentence, role: Role, before: Before) -> Option<Verdict> {
    let ends_as_question = sentence.text.trim_end().ends_with('?');
    if let Some(label) = sentence.label {
        return match label {
            _ if ends_as_question => None,
            Label::Decision if sentence.hits.any(&[Class::Undecided]) => None,
            Label::Decision => decision(sentence, 0.95),
            Label::Rejected => Some(Verdict { kind: Kind::Decision, bearing: Bearing::Against, sure: 0.85 }),
            Label::Lesson => verdict(Kind::Lesson, 0.9),
            Label::Task => verdict(Kind::Task, 0.9),
            Label::Done => Some(Verdict { kind: Kind::Task, bearing: Bearing::Done, sure: 0.9 }),
            Label::Path => verdict(Kind::Map, 0.9),
            Label::Check => verdict(Kind::Command, 0.9),
            Label::Fact => verdict(Kind::Fact, 0.95),
            Label::Preference => verdict(Kind::Preference, 0.95),
        };
    }
    if ends_as_question {
        return None;
    }
    match (sentence.shape, sentence.part) {
        (Shape::Open, _) if sentence.first => verdict(Kind::Task, 0.9),
        (Shape::Done, _) if sentence.first => {
            Some(Verdict { kind: Kind::Task, bearing: Bearing::Done, sure: 0.9 })
        }
        // What an agent would do next is nobody's task before somebody asks for it.
        (_, Part::Plans) if role == Role::Agent && before != Before::Left => None,
        (Shape::Item | Shape::Plain, Part::Tasks | Part::Plans) if sentence.hits.any(DOUBTFUL) => None,
        (Shape::Item, Part::Tasks | Part::Plans) if sentence.first => verdict(Kind::Task, 0.8),
        (Shape::Plain, Part::Tasks | Part::Plans) if sentence.first && sentence.count() < 30 => {
            verdict(Kind::Task, 0.7)
        }
        (Shape::Item | Shape::Plain, Part::Decisions)
            if sentence.first && !sentence.hits.any(cue::UNSURE) =>
        {
            decision(sentence, 0.85)
        }
        (Shape::Item | Shape::Plain, Part::Lessons) if sentence.first => verdict(Kind::Lesson, 0.8),
        _ => None,
    }
}

/// Classes that leave nothing of a decision though it is called one. That it ought to be so does not.
const DOUBTFUL: &[Class] = &[Class::Hedge, Class::Undecided, Class::Would, Class::Ask];

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
    let open = before != Before::Nothing;
    // "Let's run them in a container instead" chooses whatever the verb.
    let over = sentence.has(Class::Over) || sentence.folded.contains(" instead ");
    over || verb.is_none_or(|verb| CHOOSING.contains(&verb) && (open || !DOING.contains(&verb)))
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

/// Words of a task that say that there is one, and not which.
#[rustfmt::skip]
const HOLLOW: &[&str] = &[
    "next", "step", "steps", "still", "needs", "need", "work", "todo", "left", "remaining", "missing", "done", "thing",
    "things", "open", "pending", "follow", "later", "lot", "much", "bit", "outstanding", "falta", "faltam", "proximo",
    "proximos", "passo", "passos", "ainda", "trabalho", "fazer", "coisa", "coisas", "pendente", "resta", "restam",
    "muito", "muita", "pouco", "depois", "terminar", "resolver", "here", "aqui", "something", "algo", "just", "tudo",
];

/// Whether a sentence says what is to be done.
fn names_work(sentence: &Sentence) -> bool {
    let says = content(&sentence.text).iter().any(|word| !HOLLOW.contains(&word.as_str()));
    says || sentence.text.contains('`')
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

/// A decision by words that anybody may use.
fn decided(sentence: &Sentence) -> bool {
    let only_thought = sentence.has(Class::Aloud)
        && ![" go with ", " stick with "].iter().any(|cue| sentence.folded.contains(cue));
    !only_thought
        && sentence.has(Class::Decide)
        && !sentence.hits.any(DOUBTFUL)
        && !sentence.has(Class::Others)
}

fn of_person(sentence: &Sentence, before: Before) -> Option<Verdict> {
    let unsure = sentence.hits.any(cue::UNSURE);
    let reminded = sentence.has(Class::Remind) || sentence.text.starts_with("TODO ");
    let left = sentence.hits.any(&[Class::Task, Class::Plan]) && names_work(sentence);
    if reminded || left && !sentence.has(Class::Decide) {
        return (!unsure || reminded).then(|| verdict(Kind::Task, 0.75)).flatten();
    }
    if sentence.has(Class::Fact) {
        return verdict(Kind::Fact, 0.9);
    }
    let tastes = sentence.has(Class::Prefer) && rule::is_taste(&sentence.folded, sentence.hits);
    let report = rule::is_report(&sentence.folded) || sentence.has(Class::Prefer) && !tastes;
    let of_us = [" we ", " a gente ", " nos "].iter().any(|us| sentence.folded.contains(us));
    if tastes && (before == Before::Choice || of_us) && !sentence.has(Class::Rule) && sentence.count() <= 25 {
        return decision(sentence, 0.75);
    }
    let again = sentence.has(Class::Again) && sentence.has(Class::Against);
    let rule = sentence.has(Class::Rule) && rule::is_rule(&sentence.folded, sentence.hits)
        || again && rule::forbids_again(&sentence.folded);
    if sentence.count() > 40 || sentence.has(Class::Request) {
        return None;
    }
    let general = sentence.has(Class::Onward)
        && !sentence.has(Class::Manner)
        && wish::speaks_of_things(&sentence.folded);
    if general && !unsure {
        return decision(sentence, 0.8);
    }
    if tastes || is_manner(sentence) || rule && !sentence.has(Class::Decide) && !sentence.has(Class::Hedge) {
        return verdict(Kind::Preference, 0.8);
    }
    if decided(sentence) {
        return decision(sentence, 0.9);
    }
    if unsure || sentence.has(Class::Others) || only_points(sentence) {
        return None;
    }
    if sentence.has(Class::Reverse) && sentence.count() <= 3 {
        return None;
    }
    let short = sentence.count() <= 30;
    let ended = sentence.hits.any(&[Class::Ban, Class::Close]) && sentence.count() >= 3;
    if short && (ended || wish::wants(&sentence.text, &sentence.folded)) {
        return decision(sentence, 0.75);
    }
    if sentence.has(Class::Undo) && sentence.count() >= 3 {
        return Some(Verdict { kind: Kind::Decision, bearing: Bearing::Against, sure: 0.7 });
    }
    let chooses = chooses(sentence, before) && !sentence.has(Class::Aloud);
    let will = WILL.iter().any(|start| sentence.folded.starts_with(start)) && chooses;
    if short && (sentence.has(Class::Order) && sentence.count() >= 2 || will && sentence.count() >= 4) {
        return decision(sentence, 0.7);
    }
    if sentence.folded.ends_with(" it is $") && sentence.count() <= 6 {
        return decision(sentence, 0.75);
    }
    // Few words that point at something settle it only behind a question.
    let full = before == Before::Choice || content(&sentence.text).len() > 1;
    let contrast =
        [", not ", ", não ", ", nao ", ", never ", ", nunca "].iter().any(|not| sentence.text.contains(not));
    let settles = sentence.has(Class::Settle) || contrast && sentence.count() <= 15;
    let settled = before != Before::Nothing || sentence.folded.starts_with("^ lets");
    if settles && settled && full && sentence.count() <= 20 && chooses {
        return decision(sentence, 0.7);
    }
    if sentence.has(Class::Lesson) || sentence.has(Class::Found) && sentence.count() > 5 {
        return verdict(Kind::Lesson, 0.7);
    }
    let ends_with_only = [" only $", " apenas $", " so $"].iter().any(|end| sentence.folded.ends_with(end));
    if ends_with_only && before != Before::Nothing && (2..=4).contains(&sentence.count()) {
        return decision(sentence, 0.65);
    }
    let told = sentence.has(Class::Tell);
    if short
        && !report
        && (told || wish::orders(&sentence.text, &sentence.folded))
        && !sentence.has(Class::Report)
        && before != Before::Nothing
        && full
        && (sentence.count() >= 4 || sentence.count() == 3 && (sentence.has(Class::Against) || !told))
    {
        return decision(sentence, 0.6);
    }
    None
}

/// Whether an agent says what it did and why so and not otherwise. Work that is done in any case chooses nothing.
fn did_for_a_reason(sentence: &Sentence) -> bool {
    const WORK: &[&str] = &[
        "added", "ran", "reran", "tested", "checked", "looked", "read", "tried", "updated", "fixed", "found",
        "saw", "noticed", "think", "am", "was", "need", "want", "see", "cant", "couldnt", "dont", "didnt",
        "will", "would", "have", "had", "know", "believe", "searched", "reviewed", "opened", "stopped",
        "asked", "also", "could",
    ];
    let mut said = words(&sentence.folded);
    let (Some("i" | "ive"), Some(verb)) = (said.next(), said.next()) else { return false };
    let why = [" so that ", " instead of ", " rather than ", " because "];
    !WORK.contains(&verb) && why.iter().any(|why| sentence.folded.contains(why))
}

/// Whether an agent says that it did as it was told, so that what follows was said before by somebody else.
fn acknowledges(sentence: &Sentence) -> bool {
    let first = words(&sentence.folded).next().unwrap_or_default();
    ["done", "feito", "entendido", "understood", "noted", "anotado"].contains(&first)
}

fn of_agent(sentence: &Sentence, before: Before) -> Option<Verdict> {
    let left = sentence.has(Class::Task) || sentence.has(Class::Plan) && before == Before::Left;
    let to_do =
        left && names_work(sentence) && !sentence.has(Class::Lesson) || sentence.text.starts_with("TODO ");
    if to_do && !sentence.hits.any(&[Class::Would, Class::Undecided]) {
        return verdict(Kind::Task, 0.7);
    }
    if decided(sentence) && sentence.part != Part::Options {
        return decision(sentence, 0.85);
    }
    let unsure = sentence.hits.any(cue::UNSURE);
    let chosen = sentence.has(Class::Choose) && sentence.hits.any(&[Class::Reason, Class::Over])
        || did_for_a_reason(sentence);
    if chosen && !unsure && !acknowledges(sentence) {
        return decision(sentence, 0.65);
    }
    if sentence.has(Class::Prefer) && sentence.folded.contains(" prefers ") {
        return verdict(Kind::Preference, 0.7);
    }
    // "Fixed by a longer timeout; the cause was the proxy" reports and teaches.
    let mended = ["^ fixed ", "^ resolved ", "^ solved ", "^ corrig", "^ resolv"];
    let mended = sentence.has(Class::Lesson) && mended.iter().any(|start| sentence.folded.starts_with(start));
    let reports = sentence.hits.any(&[Class::Aloud, Class::Report]) && !mended;
    if reports || sentence.part == Part::Options {
        return None;
    }
    if (sentence.has(Class::Lesson) || sentence.has(Class::Found) && sentence.count() > 7)
        && !sentence.hits.any(&[Class::Hedge, Class::Undecided])
    {
        return verdict(Kind::Lesson, 0.75);
    }
    // What is to be heeded may be told by what it would do.
    let doubtful =
        sentence.hits.any(&[Class::Hedge, Class::Should, Class::Undecided, Class::Ask, Class::Request]);
    if explain::explains(sentence, before) && (!unsure || sentence.has(Class::Heed) && !doubtful) {
        return verdict(Kind::Lesson, 0.6);
    }
    if sentence.has(Class::Place)
        && sentence.text.split('`').skip(1).step_by(2).any(|code| code.contains(['/', '.']))
    {
        return verdict(Kind::Map, 0.6);
    }
    None
}
