//! What one sentence is, by its cues, who says it, and what stands around it.

mod agent;
mod explain;
pub(super) mod passing;
mod person;

use crate::kind::Kind;
use crate::session::Role;
use crate::text::sentences;

use super::Bearing;
use super::cue::{self, Class, Hits};
use super::label::{Label, label};
use super::lines::{Line, Part, Shape};
use super::reverse;
use super::wording::{content, folded, without_fillers, words};

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
    /// It says what holds instead of what was refused or taken back before it.
    pub(super) instead: bool,
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
    /// Something that was decided and is taken back.
    Reversed,
}

/// The sentences of a line, with labels taken off. A line behind a label stays whole.
pub(super) fn sentences_of(line: &Line) -> Vec<Sentence> {
    // Behind "Done:" more may follow than what is done.
    let whole = |(label, body): &(Label, &str)| *label != Label::Done && body.len() <= LONGEST_SENTENCE;
    if let Some((label, body)) = label(&line.text).filter(whole) {
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
            // What takes something back is one thing, and what holds instead another.
            let (opening, text) = text.split_at(reverse::opening(text).unwrap_or(0));
            if !opening.is_empty() {
                found.push(Sentence::new(opening.trim(), None, line, found.is_empty()));
            }
            let first = found.is_empty();
            let (label, body) = label(text).map_or((None, text), |(label, body)| (Some(label), body));
            let instead = !opening.is_empty();
            found.push(Sentence { instead, ..Sentence::new(body.trim(), label, line, first) });
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
        let (shape, part) = (line.shape, line.part);
        Self { text: text.to_owned(), folded, hits, asks, label, shape, part, first, instead: false }
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
            Role::User => person::of_person(sentence, before),
            Role::Agent => agent::of_agent(sentence, before),
        }
    })?;
    // One word in a box names a task.
    let boxed = matches!(sentence.shape, Shape::Open | Shape::Done);
    (sentence.count() >= 2 || sentence.label.is_some() || boxed).then_some(verdict)
}

fn verdict(kind: Kind, sure: f64) -> Verdict {
    let bearing = if kind == Kind::Task { Bearing::Open } else { Bearing::Plain };
    Verdict { kind, bearing, sure }
}

fn decision(sentence: &Sentence, sure: f64) -> Verdict {
    let bearing = if sentence.has(Class::Against) { Bearing::Against } else { Bearing::Plain };
    Verdict { kind: Kind::Decision, bearing, sure }
}

fn against(sure: f64) -> Verdict {
    Verdict { kind: Kind::Decision, bearing: Bearing::Against, sure }
}

fn closing() -> Verdict {
    Verdict { kind: Kind::Task, bearing: Bearing::Done, sure: 0.9 }
}

/// What labels, boxes and headings say outright.
fn by_layout(sentence: &Sentence, role: Role, before: Before) -> Option<Verdict> {
    let ends_as_question = sentence.text.trim_end().ends_with('?');
    if let Some(label) = sentence.label {
        // "Open: none that I know of."
        let none = label == Label::Task && NONE.iter().any(|none| sentence.folded.starts_with(none));
        let open = ends_as_question
            || none
            || label == Label::Decision && sentence.has(Class::Undecided)
            // "Done: we decided on X" tells more than that.
            || label == Label::Done && sentence.has(Class::Decide);
        return (!open).then(|| by_label(sentence, label));
    }
    if ends_as_question {
        return None;
    }
    let verdict = match (sentence.shape, sentence.part) {
        (Shape::Open, _) if sentence.first => verdict(Kind::Task, 0.9),
        (Shape::Done, _) if sentence.first => closing(),
        // What an agent would do next is nobody's task before somebody asks for it.
        (_, Part::Plans) if role == Role::Agent && before != Before::Left => return None,
        (Shape::Item | Shape::Plain, Part::Tasks | Part::Plans) if sentence.hits.any(DOUBTFUL) => {
            return None;
        }
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
        _ => return None,
    };
    Some(verdict)
}

/// How somebody says that nothing is left.
const NONE: &[&str] = &[
    "^ none ",
    "^ nothing ",
    "^ n a ",
    "^ nada ",
    "^ nenhum ",
    "^ nenhuma ",
    "^ no open ",
    "^ sem pendencias ",
];

fn by_label(sentence: &Sentence, label: Label) -> Verdict {
    match label {
        Label::Decision => decision(sentence, 0.95),
        Label::Rejected => against(0.85),
        Label::Lesson => verdict(Kind::Lesson, 0.9),
        Label::Task => verdict(Kind::Task, 0.9),
        Label::Done => closing(),
        Label::Path => verdict(Kind::Map, 0.9),
        Label::Check => verdict(Kind::Command, 0.9),
        Label::Fact => verdict(Kind::Fact, 0.95),
        Label::Preference => verdict(Kind::Preference, 0.95),
    }
}

/// Classes that leave nothing of a decision though it is called one. That it ought to be so does not.
const DOUBTFUL: &[Class] = &[Class::Hedge, Class::Undecided, Class::Would, Class::Ask];

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

/// A decision by words that anybody may use.
fn decided(sentence: &Sentence) -> bool {
    let only_thought = sentence.has(Class::Aloud)
        && ![" go with ", " stick with "].iter().any(|cue| sentence.folded.contains(cue));
    !only_thought
        && sentence.has(Class::Decide)
        && !sentence.hits.any(DOUBTFUL)
        && !sentence.has(Class::Others)
}
