//! What one sentence is, by its cues, who says it, and what stands around it.

use crate::kind::Kind;
use crate::session::Role;
use crate::text::sentences;

use super::Bearing;
use super::cue::{self, Class, Hits};
use super::label::{Label, label};
use super::lines::{Line, Part, Shape};
use super::wording::{folded, without_fillers, words};

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
    /// A question or a choice.
    Choice,
}

/// The sentences of a line, with labels taken off. A line behind a label stays whole.
pub(super) fn sentences_of(line: &Line) -> Vec<Sentence> {
    let mut found: Vec<Sentence> = Vec::new();
    let mut at = 0;
    for range in sentences(&line.text) {
        if range.start < at {
            continue;
        }
        let Some(text) = line.text.get(range.clone()) else { continue };
        let first = found.is_empty();
        match label(text) {
            Some((label, _)) if first => {
                // Until the next label the rest of the line belongs to this one.
                let rest = line.text.get(range.start..).unwrap_or_default();
                let body = super::label::label(rest).map_or(rest, |(_, body)| body);
                found.push(Sentence::new(body, Some(label), line, first));
                at = line.text.len();
            }
            Some((label, body)) => found.push(Sentence::new(body, Some(label), line, first)),
            None => found.push(Sentence::new(text, None, line, first)),
        }
    }
    found
}

impl Sentence {
    fn new(text: &str, label: Option<Label>, line: &Line, first: bool) -> Self {
        let whole = folded(text);
        let folded = without_fillers(&whole);
        let hits = Hits::of(&folded);
        let end = text
            .trim_end_matches(|c: char| !c.is_alphanumeric() && !matches!(c, '?' | '.' | '!' | '…' | ':'));
        let asks = end.ends_with('?') || end.ends_with("?!") || hits.has(Class::Ask);
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
    let verdict = by_layout(sentence).or_else(|| {
        if sentence.asks {
            return None;
        }
        match role {
            Role::User => of_person(sentence, before),
            Role::Agent => of_agent(sentence),
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
fn by_layout(sentence: &Sentence) -> Option<Verdict> {
    let ends_as_question = sentence.text.trim_end().ends_with('?');
    if let Some(label) = sentence.label {
        return match label {
            _ if ends_as_question => None,
            Label::Decision if sentence.hits.any(&[Class::Undecided]) => None,
            Label::Decision => decision(sentence, 0.95),
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
        (Shape::Item, Part::Tasks) if sentence.first => verdict(Kind::Task, 0.8),
        (Shape::Plain, Part::Tasks) if sentence.first && sentence.count() < 30 => verdict(Kind::Task, 0.7),
        (Shape::Item | Shape::Plain, Part::Decisions)
            if sentence.first && !sentence.hits.any(cue::UNSURE) =>
        {
            decision(sentence, 0.85)
        }
        (Shape::Item | Shape::Plain, Part::Lessons) if sentence.first => verdict(Kind::Lesson, 0.8),
        _ => None,
    }
}

/// A decision by words that anybody may use.
fn decided(sentence: &Sentence) -> bool {
    sentence.has(Class::Decide) && !sentence.hits.any(cue::UNSURE) && !sentence.has(Class::Others)
}

fn of_person(sentence: &Sentence, before: Before) -> Option<Verdict> {
    let unsure = sentence.hits.any(cue::UNSURE);
    let reminded = sentence.has(Class::Remind);
    if reminded || sentence.has(Class::Task) && !sentence.has(Class::Decide) {
        return (!unsure || reminded).then(|| verdict(Kind::Task, 0.75)).flatten();
    }
    if sentence.has(Class::Fact) {
        return verdict(Kind::Fact, 0.9);
    }
    if sentence.has(Class::Prefer) && before == Before::Choice && !sentence.has(Class::Rule) {
        return decision(sentence, 0.75);
    }
    if sentence.has(Class::Prefer) || sentence.has(Class::Rule) && !sentence.has(Class::Decide) && !unsure {
        return verdict(Kind::Preference, 0.8);
    }
    if decided(sentence) {
        return decision(sentence, 0.9);
    }
    if unsure || sentence.has(Class::Others) {
        return None;
    }
    let short = sentence.count() <= 30;
    if sentence.has(Class::Reverse) && sentence.count() >= 3 {
        return Some(Verdict { kind: Kind::Decision, bearing: Bearing::Against, sure: 0.7 });
    }
    if short && (sentence.has(Class::Order) && sentence.count() >= 2) {
        return decision(sentence, 0.7);
    }
    if short
        && sentence.has(Class::Settle)
        && (before != Before::Nothing || sentence.folded.starts_with("^ lets"))
    {
        return decision(sentence, 0.7);
    }
    if short && sentence.has(Class::Tell) && before != Before::Nothing && sentence.count() >= 4 {
        return decision(sentence, 0.6);
    }
    if sentence.has(Class::Lesson) {
        return verdict(Kind::Lesson, 0.7);
    }
    None
}

fn of_agent(sentence: &Sentence) -> Option<Verdict> {
    if sentence.has(Class::Task) && !sentence.hits.any(&[Class::Would, Class::Undecided]) {
        return verdict(Kind::Task, 0.7);
    }
    if decided(sentence) && sentence.part != Part::Options {
        return decision(sentence, 0.85);
    }
    let unsure = sentence.hits.any(cue::UNSURE);
    if sentence.has(Class::Choose) && sentence.has(Class::Reason) && !unsure {
        return decision(sentence, 0.65);
    }
    if sentence.has(Class::Prefer) && sentence.folded.contains(" prefers ") {
        return verdict(Kind::Preference, 0.7);
    }
    if sentence.has(Class::Aloud) || sentence.has(Class::Report) || sentence.part == Part::Options {
        return None;
    }
    if sentence.has(Class::Lesson) && !sentence.hits.any(&[Class::Hedge, Class::Undecided]) {
        return verdict(Kind::Lesson, 0.75);
    }
    let speaks_of_itself = sentence.folded.starts_with("^ i ");
    if sentence.has(Class::Cause) && sentence.has(Class::Trouble) && !unsure && !speaks_of_itself {
        return verdict(Kind::Lesson, 0.6);
    }
    if sentence.has(Class::Place)
        && sentence.text.split('`').skip(1).step_by(2).any(|code| code.contains(['/', '.']))
    {
        return verdict(Kind::Map, 0.6);
    }
    None
}
