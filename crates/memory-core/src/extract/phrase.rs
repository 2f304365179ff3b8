//! From sentences to texts that read well alone: each with its reason, without the words that only agree or ask to
//! be remembered, and with the question that it answers where it is short.

use crate::kind::Kind;
use crate::scope::SourceClass;
use crate::session::Role;

use super::cue::{self, Class};
use super::judge::{Before, Sentence, Verdict, judge, sentences_of};
use super::lines::{Part, Shape, lines};
use super::offer::{self, Offer};
use super::wording::{clean, content, folded, words};
use super::{Bearing, LONGEST, wish};

/// Something of a message, before it is compared with the rest.
pub(super) struct Candidate {
    pub(super) text: String,
    pub(super) verdict: Verdict,
    pub(super) class: SourceClass,
    pub(super) instead_of: Option<String>,
    /// It is said of what will be, so that whoever is asked may still say no.
    pub(super) to_come: bool,
}

impl Candidate {
    pub(super) fn new(text: String, verdict: Verdict, class: SourceClass) -> Self {
        Self { text, verdict, class, instead_of: None, to_come: false }
    }
}

pub(super) fn read_sentences(text: &str) -> Vec<Sentence> {
    lines(text).iter().flat_map(sentences_of).collect()
}

/// What the sentences of a message are, each with its reason.
pub(super) fn gather(
    sentences: &[Sentence],
    role: Role,
    before: Before,
    class: SourceClass,
) -> Vec<Candidate> {
    let mut found = Vec::new();
    let mut skip = 0;
    let ways = role == Role::Agent && offer::asks_for_one(sentences);
    for (n, sentence) in sentences.iter().enumerate() {
        if n < skip {
            continue;
        }
        let rest = &sentences[n + 1..];
        let announced = role == Role::Agent && sentence.hits.has(Class::Found) && sentence.count() <= 7;
        // What the agent does next is not what it found.
        let told = |next: &&Sentence| {
            let works = next.hits.any(&[Class::Aloud, Class::Report]);
            !next.asks && !works && next.shape == Shape::Plain
        };
        if announced && let Some(next) = rest.first().filter(told) {
            let mut text = next.text.clone();
            let more = add_reason(&mut text, &rest[1..], role, &Kind::Lesson);
            let verdict = Verdict { kind: Kind::Lesson, bearing: Bearing::Plain, sure: 0.8 };
            found.push(Candidate::new(clean(&text), verdict, class));
            skip = n + 2 + more;
            continue;
        }
        let Some(verdict) = judge(sentence, role, before) else { continue };
        if ways && sentence.shape == Shape::Open {
            continue;
        }
        let mut text = sentence.text.clone();
        let points_back = verdict.kind == Kind::Fact && sentence.count() <= 4;
        if points_back {
            // "Remember that." speaks of the sentence before it.
            let Some(before) = n.checked_sub(1).and_then(|n| sentences.get(n)) else { continue };
            text = before.text.clone();
            found.pop_if(|last: &mut Candidate| last.text == clean(&without_yes(&text)));
        } else if verdict.kind == Kind::Fact {
            text = without_request(&text);
        } else {
            let alone =
                n.checked_sub(1).and_then(|n| sentences.get(n)).filter(|_| points_at_before(sentence));
            if let Some(said) = alone.filter(|said| verdict.kind == Kind::Lesson && leads(said)) {
                text = format!("{} {text}", said.text);
            }
            skip = n + 1 + add_reason(&mut text, rest, role, &verdict.kind);
        }
        // "Use decimals there" says nothing without where.
        if role == Role::User
            && let Some(said) =
                n.checked_sub(1).and_then(|n| sentences.get(n)).filter(|_| points_there(sentence))
            && leads(said)
        {
            text = format!("{} {text}", said.text);
        }
        let text = clean(&without_yes(&text));
        if text.chars().count() < 6 && sentence.shape != Shape::Open {
            continue;
        }
        let to_come = role == Role::Agent && verdict.kind == Kind::Decision && offer::is_to_come(sentence);
        found.push(Candidate { to_come, ..Candidate::new(text, verdict, class) });
    }
    found
}

/// Openings of sentences that give the reason for what was said before them, folded.
const REASONS: &[&str] = &[
    "^ because ",
    "^ the reason",
    "^ since ",
    "^ otherwise ",
    "^ that way ",
    "^ this way ",
    "^ so that ",
    "^ porque ",
    "^ pois ",
    "^ a razao ",
    "^ o motivo ",
    "^ assim ",
    "^ senao ",
    "^ caso contrario ",
    "^ ja que ",
    "^ desta forma ",
    "^ dessa forma ",
];

/// Adds the sentences behind a text that belong to it; gives how many.
pub(super) fn add_reason(text: &mut String, rest: &[Sentence], role: Role, kind: &Kind) -> usize {
    let mut added = 0;
    for next in rest.iter().take(2) {
        let reason = REASONS.iter().any(|start| next.folded.starts_with(start));
        let remedy = *kind == Kind::Lesson
            && (added == 0 || next.hits.has(Class::Fix))
            && !next.hits.any(&[Class::Task, Class::Aloud, Class::Report, Class::Decide]);
        let short = role == Role::User
            && *kind == Kind::Decision
            && text.chars().count() < 60
            && judge(next, role, Before::Nothing).is_none()
            && !next.hits.any(&[Class::Accept, Class::Reverse])
            && !is_asked_for(next);
        let fits = text.chars().count() + next.text.chars().count() < LONGEST - 2;
        let goes_on = next.shape == Shape::Plain && !next.first && next.label.is_none() && !next.asks;
        if !goes_on || !fits || !(reason || remedy || short) {
            break;
        }
        if !text.ends_with(['.', '!', '…', ':', ';', ',']) {
            text.push('.');
        }
        text.push(' ');
        text.push_str(&next.text);
        added += 1;
    }
    added
}

/// Whether a sentence asks for work, which is no reason for what was said before it.
fn is_asked_for(sentence: &Sentence) -> bool {
    let begins = ["^ please ", "^ now ", "^ then ", "^ por favor ", "^ agora ", "^ depois "];
    sentence.hits.has(Class::Request)
        || begins.iter().any(|start| sentence.folded.starts_with(start))
        || wish::orders_work(&sentence.folded)
}

/// Whether a sentence speaks of the one before it.
fn points_at_before(sentence: &Sentence) -> bool {
    let starts =
        ["^ it ", "^ its ", "^ that ", "^ thats ", "^ this ", "^ isso ", "^ isto ", "^ ou seja ", "^ they "];
    !sentence.first && starts.iter().any(|start| sentence.folded.starts_with(start))
}

/// Whether a sentence ends with a place that another names.
fn points_there(sentence: &Sentence) -> bool {
    !sentence.first
        && [" there $", " ali $", " nele $", " nela $"].iter().any(|end| sentence.folded.ends_with(end))
}

/// Whether a sentence may stand before one that speaks of it.
fn leads(sentence: &Sentence) -> bool {
    !sentence.asks
        && sentence.text.len() < 160
        && !sentence.hits.any(&[Class::Aloud, Class::Report, Class::Found])
}

/// Whether a sentence may answer a choice by what it names.
pub(super) fn is_answer(sentence: &Sentence) -> bool {
    let only_yes = words(&folded(&sentence.text)).all(|word| YES.contains(&word) || AGREEING.contains(&word));
    let says_something = content(&sentence.text).iter().any(|word| word.chars().count() > 1 && word != "x")
        || sentence.text.contains('`');
    let of_the_speaker = [
        "^ i ",
        "^ ill ",
        "^ im ",
        "^ eu ",
        "^ those ",
        "^ let ",
        "^ deixa ",
        "^ that ",
        "^ thats ",
        "^ this ",
        "^ these ",
        "^ isso ",
        "^ the ",
        "^ thanks ",
        "^ obrigado ",
        "^ they ",
        "^ it ",
        "^ id ",
        "^ ive ",
        "^ plus ",
        "^ looking ",
        "^ sounds ",
        "^ just ",
        "^ got it ",
        "^ now ",
        "^ you ",
        "^ there ",
        "^ my ",
    ]
    .iter()
    .any(|start| sentence.folded.starts_with(start));
    let thanks = sentence.text.to_lowercase().starts_with("than")
        || sentence.text.to_lowercase().starts_with("obrigad");
    !only_yes
        && !thanks
        && !wish::orders_work(&sentence.folded)
        && !sentence.hits.has(Class::Aloud)
        && says_something
        && !of_the_speaker
        && !sentence.asks
        && !sentence.hits.any(cue::UNSURE)
        && sentence.count() <= 12
        && sentence.part == Part::Free
}

/// Adds the question that fewer than so many characters answer, so that they read alone.
pub(super) fn with_question(text: &mut String, offer: &Offer, short: usize) {
    let Some(question) = &offer.question else { return };
    if text.chars().count() < short && text.chars().count() + question.chars().count() + 3 <= LONGEST {
        let end = text.trim_end_matches(['.', '!']).len();
        text.truncate(end);
        text.push_str(&format!(" ({question})"));
    }
}

/// More words of which an answer may be made that only agrees.
const AGREEING: &[&str] = &[
    "please",
    "pls",
    "yep",
    "do",
    "it",
    "that",
    "go",
    "ahead",
    "sounds",
    "good",
    "for",
    "me",
    "lets",
    "pode",
    "claro",
    "isso",
    "mesmo",
    "faz",
    "fechado",
    "combinado",
    "boa",
    "perfeito",
    "ótimo",
    "otimo",
    "concordo",
    "continua",
    "continue",
    "abre",
    "bora",
    "thanks",
    "nice",
    "works",
];

/// Words that agree and say nothing, before a sentence.
const YES: &[&str] = &[
    "ok", "okay", "yeah", "yes", "so", "hmm", "great", "cool", "right", "well", "agreed", "sure", "perfect",
    "fine", "alright", "btw", "and", "also", "sim", "certo", "beleza", "blz", "então", "bom", "tá", "e",
];

/// A text without the words that agree before it.
pub(super) fn without_yes(text: &str) -> String {
    let mut rest = text.trim_start();
    for _ in 0..3 {
        let word = rest.split(|c: char| !c.is_alphanumeric()).next().unwrap_or("");
        let behind = rest[word.len()..].trim_start_matches([',', '.', '!', ';', ' ', ':']);
        if word.is_empty()
            || !YES.contains(&word.to_lowercase().as_str())
            || behind.split_whitespace().count() < 2
        {
            break;
        }
        rest = behind;
    }
    rest.to_owned()
}

/// Openings that only ask to remember what follows them.
const REQUESTS: &[&str] = &[
    "please remember that",
    "remember that",
    "please remember",
    "remember:",
    "remember",
    "please keep in mind that",
    "keep in mind that",
    "bear in mind that",
    "for the record",
    "for future reference",
    "fyi",
    "just so you know",
    "don't forget that",
    "take note that",
    "lembre-se de que",
    "lembre-se que",
    "lembre-se",
    "lembre que",
    "lembra-te de que",
    "lembra-te que",
    "lembra que",
    "anota aí que",
    "anota aí",
    "anota que",
    "anote que",
    "anote aí",
    "anota isso",
    "anota isto",
    "toma nota",
    "guarda isso",
    "guarda isto",
    "guarda que",
    "não te esqueças que",
    "não te esqueças de que",
    "não esqueça que",
    "não se esqueça que",
    "não se esqueça de que",
    "para que saibas",
    "só para saberes",
    "para registro",
    "para registo",
    "pra constar",
];

fn without_request(text: &str) -> String {
    let text = without_yes(text);
    let lower = text.to_lowercase();
    for request in REQUESTS {
        if let Some(at) = lower.find(request).filter(|at| *at <= 24)
            && let Some(rest) = text.get(at + request.len()..)
        {
            let rest = rest.trim_start_matches([',', ':', ';', '-', '—', ' ', '.']);
            if rest.split_whitespace().count() >= 2 {
                return rest.to_owned();
            }
        }
    }
    text
}
