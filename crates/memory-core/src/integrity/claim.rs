//! What a sentence claims: which thing is chosen, what value something has, what is always or never done. A sentence
//! that asks, tells of the past or leaves it open claims nothing.

use std::collections::BTreeSet;

use super::lexicon::{GENERIC, LABELS, LIGHT, REASONS, SETTLED, UNSETTLED, slot_of, takes_sides};
use super::word::{Amount, Word, words};
use crate::replace::{CHOOSE, FOR, INSTEAD, NOT, Token, replaced};
use crate::text::{Analyser, Language, language_of, sentences};

/// Stems of words that say something.
pub(super) type Stems = BTreeSet<String>;

/// One claim of a text.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Claim {
    pub(super) form: Form,
    /// What it is about.
    pub(super) about: Stems,
    pub(super) denies: bool,
    /// The sentence.
    pub(super) sentence: String,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Form {
    /// These are used, and those are not.
    Choice { chosen: Vec<Thing>, rejected: Vec<Thing> },
    /// Something has a value.
    Value(Vec<Thing>),
    /// Something is done, or must or must not be.
    Way { amounts: Vec<Amount>, things: Vec<Thing>, is_rule: bool },
}

/// Something that may be chosen or that something may be.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Thing {
    /// One spelling of its name.
    pub(super) name: String,
    /// What it is one of.
    pub(super) slot: Option<&'static str>,
    pub(super) amount: Option<Amount>,
    pub(super) is_name: bool,
}

/// Sentences that are longer say more than one thing.
const LONGEST: usize = 32;
/// Sentences of a memory that are looked at.
const MOST: usize = 40;

/// The claims of a text.
pub(super) fn claims(text: &str) -> Vec<Claim> {
    let language = match language_of(text) {
        Language::Other => Language::English,
        known => known,
    };
    let mut analyser = Analyser::new();
    let mut all = Vec::new();
    for (n, at) in sentences(text).take(MOST).enumerate() {
        let Some(sentence) = text.get(at) else { continue };
        let before = all.len();
        of_sentence(sentence, language, &mut analyser, &mut all);
        // What is said of "the port" further down belongs to whatever the text is about.
        let vague = |claim: &Claim| n > 0 && claim.about.len() < 2 && matches!(claim.form, Form::Value(_));
        let kept: Vec<Claim> = all.drain(before..).filter(|claim| !vague(claim)).collect();
        all.extend(kept);
    }
    all
}

fn of_sentence(sentence: &str, language: Language, analyser: &mut Analyser, all: &mut Vec<Claim>) {
    let sentence = unnumbered(sentence.trim_start_matches(['-', '*', '>', '#', ' ']).trim());
    if sentence.ends_with('?') || sentence.starts_with("```") || sentence.starts_with('[') {
        return;
    }
    let mut words = words(sentence, language, analyser);
    while words.first().is_some_and(|word| word.then == ':' && LABELS.contains(&word.plain.as_str())) {
        words.remove(0);
    }
    if let Some(end) = words.iter().skip(1).position(|word| REASONS.contains(&word.plain.as_str())) {
        words.truncate(end + 1);
    }
    let is_in = |list: &[&str]| words.iter().any(|word| list.contains(&word.plain.as_str()));
    if words.len() > LONGEST || words.len() < 2 || is_in(UNSETTLED) && !is_in(SETTLED) {
        return;
    }
    let shown = sentence.to_owned();
    let claim = |form, about, denies| Claim { form, about, denies, sentence: shown.clone() };
    if let Some((form, about, denies)) = moved(&words).or_else(|| choice(&words)) {
        all.push(claim(form, about, denies));
        return;
    }
    if let Some((form, about, denies)) = value(&words) {
        all.extend(as_choice(&form, &about).map(|(form, about)| claim(form, about, denies)));
        all.push(claim(form, about, denies));
    }
    all.extend(way(&words).map(|(form, about, denies)| claim(form, about, denies)));
}

/// Without the number of an item of a list, which says nothing.
fn unnumbered(sentence: &str) -> &str {
    let rest = sentence.trim_start_matches(|c: char| c.is_ascii_digit());
    let item = rest.len() < sentence.len() && rest.starts_with(['.', ')']);
    rest.get(1..).filter(|rest| item && rest.starts_with(' ')).map_or(sentence, str::trim_start)
}

/// Verbs that choose by leaving something out.
const LEAVE: &[&str] = &["avoid", "ruled", "descartamos", "evitar", "evite", "evitamos"];
type Parsed = (Form, Stems, bool);

/// `Switch live updates from SSE to WebSockets`: what is taken, what is left, and what for. Who only leaves a thing does
/// not use it.
fn moved(words: &[Word]) -> Option<Parsed> {
    let found = replaced(&tokens(words))?;
    let denied = words[..found.start].iter().rev().take(3).any(|word| NOT.contains(&word.plain.as_str()));
    if denied {
        return None;
    }
    let rest = words.get(found.end..)?;
    let mut about = stems(words.get(found.purpose)?);
    about.extend(stems(rest));
    let rejected = things(words.get(found.dropped)?)?;
    let chosen = things(words.get(found.taken)?)?;
    match chosen.is_empty() {
        true if rejected.is_empty() => None,
        true => Some((Form::Choice { chosen: rejected, rejected: Vec::new() }, about, true)),
        false => Some((Form::Choice { chosen, rejected }, about, false)),
    }
}

fn tokens(words: &[Word]) -> Vec<Token<'_>> {
    words.iter().map(|word| Token { word: &word.plain, ends: word.then != ' ' }).collect()
}

fn choice(words: &[Word]) -> Option<Parsed> {
    let verb = (0..words.len()).find(|&n| {
        let next = words.get(n + 1).map_or("", |word| word.plain.as_str());
        CHOOSE.iter().any(|(verb, then)| words[n].plain == *verb && (then.is_empty() || *then == next))
    })?;
    let follows = words.get(verb + 1).map_or("", |word| word.plain.as_str());
    let paired =
        CHOOSE.iter().any(|(it, then)| words[verb].plain == *it && *then == follows && !then.is_empty());
    let denies = words[verb.saturating_sub(4)..verb].iter().any(|word| NOT.contains(&word.plain.as_str()))
        || LEAVE.contains(&words[verb].plain.as_str())
        || follows == "against";
    let mut rest = &words[verb + 1 + usize::from(paired)..];
    // `avoid using x`, `optamos por usar x`.
    while rest.first().is_some_and(|word| CHOOSE.iter().any(|(verb, _)| *verb == word.plain)) {
        rest = &rest[1..];
    }
    let mut rejected = Vec::new();
    let instead = (0..rest.len()).find(|&n| {
        let next = rest.get(n + 1).map_or("", |word| word.plain.as_str());
        n > 0 && INSTEAD.iter().any(|(a, b)| rest[n].plain == *a && (b.is_empty() || *b == next))
    });
    let mut tail: &[Word] = &[];
    if let Some(at) = instead {
        let from = &rest[at + 1..];
        let end = from
            .iter()
            .skip(1)
            .position(|word| FOR.contains(&word.plain.as_str()) && word.plain != "of" && word.plain != "de");
        let (out, after) = from.split_at(end.map_or(from.len(), |end| end + 1));
        rejected = things(out)?;
        tail = after;
        rest = &rest[..at];
    }
    let end = rest.iter().position(|word| FOR.contains(&word.plain.as_str())).unwrap_or(rest.len());
    let (object, purpose) = rest.split_at(end);
    let chosen = things(object).filter(|chosen| !chosen.is_empty())?;
    let mut about = stems(&words[..verb]);
    about.extend(stems(purpose));
    about.extend(stems(tail));
    Some((Form::Choice { chosen, rejected }, about, denies))
}

/// Words that say that something has a value, each with the one that must follow, if any.
#[rustfmt::skip]
const IS: &[(&str, &str)] = &[
    ("is", ""), ("are", ""), ("isnt", ""), ("arent", ""), ("equals", ""), ("defaults", "to"), ("listens", "on"), ("runs", "on"),
    ("run", "on"), ("runs", "at"), ("run", "at"), ("lives", "in"), ("live", "in"), ("expires", "after"), ("expires", "in"),
    ("expire", "after"), ("expire", "in"), ("has", ""), ("have", ""), ("costs", ""), ("happens", "on"), ("happen", "on"),
    ("happens", "at"), ("happen", "at"), ("starts", "at"), ("belongs", "to"), ("fica", "em"), ("fica", "na"), ("fica", "no"),
    ("roda", "na"), ("roda", "em"), ("roda", "no"), ("rodam", "em"), ("escuta", "na"), ("expira", "em"), ("expira", "apos"),
    ("expiram", "em"), ("expiram", "apos"), ("tem", ""), ("custa", ""), ("vale", ""), ("acontecem", ""), ("acontece", ""), ("esta", ""), ("estao", ""),
];
/// Words between that and the value.
#[rustfmt::skip]
const LINKS: &[&str] = &[
    "set", "called", "named", "at", "on", "in", "to", "a", "an", "the", "now", "currently", "only", "always", "port", "um", "uma", "o",
    "as", "aos", "nas", "nos", "em", "na", "no", "agora", "atualmente", "so", "somente", "apenas", "chamado", "chamada", "definido", "definida", "configurado",
    "configurada", "como", "de", "porta", "still", "ainda", "after", "apos", "every", "cada", "our", "nosso", "nossa", "exactly", "s",
];

fn value(words: &[Word]) -> Option<Parsed> {
    let (at, skip) = (1..=words.len()).find_map(|n| {
        let before = words.get(n - 1)?;
        let word = words.get(n);
        let next = words.get(n + 1).map_or("", |word| word.plain.as_str());
        if matches!(before.then, ':' | '=') {
            return Some((n, 0));
        }
        let word = word?;
        let known = IS.iter().find(|(is, then)| word.plain == *is && (then.is_empty() || *then == next));
        (word.is_copula || known.is_some())
            .then(|| (n, 1 + usize::from(known.is_some_and(|(_, then)| !then.is_empty()))))
    })?;
    let head = &words[..at];
    if at < words.len() && head.iter().any(|word| word.then == ',') {
        return None;
    }
    let mut rest = words.get(at + skip..)?;
    let mut denies = words.get(at).is_some_and(|word| matches!(word.plain.as_str(), "isnt" | "arent"))
        || head.last().is_some_and(|word| word.plain == "nao");
    while let Some(word) = rest.first() {
        match word.plain.as_str() {
            "not" | "never" | "nao" | "nunca" | "longer" => denies = true,
            "no" if rest.get(1).is_some_and(|word| word.plain == "longer") => denies = true,
            link if LINKS.contains(&link) && rest.len() > 1 && !takes_sides(link) => {}
            _ => break,
        }
        rest = &rest[1..];
    }
    let end = rest.iter().position(|word| FOR.contains(&word.plain.as_str())).unwrap_or(rest.len());
    let end = if end == 0 { rest.len().min(1) } else { end };
    let (value, tail) = rest.split_at(end);
    let has = matches!(words.get(at).map(|word| word.plain.as_str()), Some("has" | "have" | "tem"));
    let mut about = stems(head);
    about.extend(stems(tail));
    let values = if has {
        // `has 3 replicas`: the number of replicas.
        let amount = value.first().and_then(|word| word.amount.clone())?;
        about.extend(stems(&value[1..]));
        vec![Thing { name: amount.value.clone(), slot: None, amount: Some(amount), is_name: false }]
    } else {
        things(value)?
    };
    if about.is_empty() || about.len() > 6 || values.is_empty() {
        return None;
    }
    Some((Form::Value(values), about, denies))
}

/// `The database is Postgres` says what is used.
fn as_choice(form: &Form, about: &Stems) -> Option<(Form, Stems)> {
    let Form::Value(values) = form else { return None };
    let slot = values.first()?.slot.filter(|slot| *slot != "day")?;
    let slot = super::lexicon::SLOTS.iter().find(|it| it.name == slot)?;
    let names = |stem: &String| slot.words.iter().any(|word| word == stem || word.starts_with(stem.as_str()));
    let rest: Stems = about.iter().filter(|stem| !names(stem)).cloned().collect();
    (rest.len() < about.len()).then(|| (Form::Choice { chosen: values.clone(), rejected: Vec::new() }, rest))
}

/// Words that make a rule of a sentence.
#[rustfmt::skip]
const MUST: &[&str] = &[
    "always", "never", "must", "mustnt", "should", "shouldnt", "dont", "cannot", "sempre", "nunca", "jamais", "deve", "devem",
    "devemos", "only", "required", "every",
];

fn way(words: &[Word]) -> Option<Parsed> {
    let is = |list: &[&str], word: &Word| list.contains(&word.plain.as_str());
    let past = |word: &Word| word.plain.len() > 4 && word.plain.ends_with("ed") && !word.is_stop;
    let is_rule = words.iter().any(|word| is(MUST, word))
        || words.windows(2).any(|pair| {
            matches!(
                (pair[0].plain.as_str(), pair[1].plain.as_str()),
                ("do", "not") | ("nao", "pode" | "deve" | "use")
            )
        });
    if !is_rule && words.iter().any(past) {
        return None;
    }
    let denies = words.iter().filter(|word| is(NOT, word)).count() % 2 == 1;
    let mut about = Stems::new();
    let (mut amounts, mut named) = (Vec::new(), Vec::new());
    for (n, word) in words.iter().enumerate() {
        if let Some(amount) = &word.amount {
            let before = n.checked_sub(1).map_or("", |n| words[n].plain.as_str());
            if super::lexicon::NUMBERED.contains(&before) {
                return None;
            }
            amounts.push(amount.clone());
        } else if let Some(thing) = thing(std::slice::from_ref(word)).filter(|thing| thing.slot.is_some()) {
            named.push(thing);
        } else if is_content(word) && !is(MUST, word) && !is(NOT, word) {
            about.insert(word.stem.clone());
        }
    }
    (about.len() + named.len() >= 2).then_some((Form::Way { amounts, things: named, is_rule }, about, denies))
}

/// Things in a row; `None` where it is left open which.
fn things(words: &[Word]) -> Option<Vec<Thing>> {
    if words.iter().any(|word| matches!(word.plain.as_str(), "or" | "ou")) {
        return None;
    }
    let mut all = Vec::new();
    let mut group: Vec<Word> = Vec::new();
    for word in words {
        let joins = matches!(word.plain.as_str(), "and" | "e" | "both" | "tanto") && !word.is_copula;
        if !joins {
            group.push(word.clone());
        }
        if joins || word.then == ',' {
            all.extend(thing(&group));
            group.clear();
        }
    }
    all.extend(thing(&group));
    Some(all)
}

fn thing(words: &[Word]) -> Option<Thing> {
    let words: Vec<&Word> = words.iter().filter(|word| !word.is_stop || takes_sides(&word.plain)).collect();
    if words.is_empty() || words.len() > 5 {
        return None;
    }
    if let Some((slot, name)) = words.iter().find_map(|word| slot_of(&word.plain)) {
        return Some(Thing { name, slot: Some(slot.name), amount: None, is_name: true });
    }
    let amount = words.first().and_then(|word| word.amount.clone());
    let name: Vec<&str> = words.iter().map(|word| word.stem.as_str()).collect();
    let name = match words.as_slice() {
        [word] if takes_sides(&word.plain) => word.plain.clone(),
        _ => name.join(" "),
    };
    let is_name = words.len() <= 3
        && words
            .iter()
            .all(|word| word.is_name || word.amount.is_some() || word.plain.contains(['/', '.', '_', '-']));
    Some(Thing { name, slot: None, amount, is_name })
}

fn is_content(word: &Word) -> bool {
    let plain = word.plain.as_str();
    !word.is_stop
        && !GENERIC.contains(&plain)
        && !LIGHT.contains(&plain)
        && !SETTLED.contains(&plain)
        && word.amount.is_none()
}

fn stems(words: &[Word]) -> Stems {
    let of_choosing = |word: &Word| {
        CHOOSE.iter().any(|(verb, _)| *verb == word.plain) || NOT.contains(&word.plain.as_str())
    };
    words.iter().filter(|word| is_content(word) && !of_choosing(word)).map(|word| word.stem.clone()).collect()
}
