//! What a sentence of an agent is.

use crate::kind::Kind;

use super::super::cue::{self, Class};
use super::super::lines::Part;
use super::super::wording::words;
use super::explain;
use super::person::is_todo;
use super::{Before, Sentence, Verdict, decided, decision, names_work, verdict};

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

/// Whether an agent tells what was decided before, which is kept already or holds no more.
fn recalls(sentence: &Sentence) -> bool {
    let formerly = sentence.has(Class::Formerly) && sentence.hits.any(&[Class::Decide, Class::Choose]);
    sentence.has(Class::Recall) || formerly
}

/// Whether a sentence tells what is not there yet, which soon holds no more.
fn is_not_yet(sentence: &Sentence) -> bool {
    const NOT_YET: &[&str] = &[
        " exist yet ",
        " exists yet ",
        " there yet ",
        " implemented yet ",
        " existe ainda ",
        " existem ainda ",
        " ainda nao existe ",
        " ainda nao existem ",
        " ainda nao foi ",
        " implementado ainda ",
    ];
    NOT_YET.iter().any(|cue| sentence.folded.contains(cue))
}

pub(super) fn of_agent(sentence: &Sentence, before: Before) -> Option<Verdict> {
    if recalls(sentence) {
        return None;
    }
    let left = sentence.has(Class::Task) || sentence.has(Class::Plan) && before == Before::Left;
    let to_do = left && names_work(sentence) && !sentence.has(Class::Lesson) || is_todo(sentence);
    if to_do && !sentence.hits.any(&[Class::Would, Class::Undecided]) {
        return Some(verdict(Kind::Task, 0.7));
    }
    if decided(sentence) && sentence.part != Part::Options {
        return Some(decision(sentence, 0.85));
    }
    let unsure = sentence.hits.any(cue::UNSURE);
    let chosen = sentence.has(Class::Choose) && sentence.hits.any(&[Class::Reason, Class::Over])
        || did_for_a_reason(sentence);
    // What was there already was not chosen.
    let left_alone = [" left it alone ", " left them alone ", " left alone "]
        .iter()
        .any(|cue| sentence.folded.contains(cue));
    if chosen && !unsure && !acknowledges(sentence) && !left_alone {
        return Some(decision(sentence, 0.65));
    }
    if sentence.has(Class::Prefer) && sentence.folded.contains(" prefers ") {
        return Some(verdict(Kind::Preference, 0.7));
    }
    if is_not_yet(sentence) {
        return None;
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
        return Some(verdict(Kind::Lesson, 0.75));
    }
    // What is to be heeded may be told by what it would do.
    let doubtful =
        sentence.hits.any(&[Class::Hedge, Class::Should, Class::Undecided, Class::Ask, Class::Request]);
    if explain::explains(sentence, before) && (!unsure || sentence.has(Class::Heed) && !doubtful) {
        return Some(verdict(Kind::Lesson, 0.6));
    }
    if sentence.has(Class::Place)
        && sentence.text.split('`').skip(1).step_by(2).any(|code| code.contains(['/', '.']))
    {
        return Some(verdict(Kind::Map, 0.6));
    }
    None
}
