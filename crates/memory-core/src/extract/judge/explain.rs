//! Whether a sentence of an agent explains something: why it goes wrong, what a thing asks for, what is to be heeded.
//!
//! No single word decides it. A cause needs its trouble; a plain statement counts only as the short answer to somebody
//! who has just said that something goes wrong.

use super::super::cue::Class;
use super::super::lines::Shape;
use super::super::wording::folded;
use super::{Before, Sentence};

/// Whether a sentence of an agent says why something goes wrong.
pub(super) fn explains(sentence: &Sentence, before: Before) -> bool {
    let so = SO.iter().any(|so| sentence.text.contains(so));
    let wrong = sentence.has(Class::Trouble) || before == Before::Trouble && sentence.has(Class::Lacking);
    // "One thing I noticed: it drops the rows" speaks of the rows.
    let said = sentence.text.split_once(": ").map_or(sentence.folded.clone(), |(_, behind)| folded(behind));
    // "I noticed that it hangs when …" as well.
    let said = NOTICED
        .iter()
        .find_map(|cue| said.split_once(cue))
        .map_or(said.clone(), |(_, behind)| format!(" {behind}"));
    let of_itself = said.contains(" i ") || said.contains(" ive ");
    let limited = sentence.hits.any(&[Class::Lacking, Class::Cause, Class::Over]);
    let heeded = sentence.has(Class::Heed) && (wrong || limited || so);
    let answered = before == Before::Trouble
        && ["^ because ", "^ porque "].iter().any(|start| sentence.folded.starts_with(start))
        && sentence.count() >= 6;
    let result = sentence.text.contains(", which ") && !says_any(sentence, WHICH_IS);
    let caused = (so || result || sentence.has(Class::Cause)) && wrong
        || so
            && sentence.shape == Shape::Plain
            && (says_any(sentence, MISSING) || says_any(sentence, BOUND))
            && !said.contains(" should ");
    // Behind a report of trouble a plain statement of what is missing is its explanation.
    let told = before == Before::Trouble
        && (says_any(sentence, MISSING)
            || says_any(sentence, BOUND)
            || starts(sentence, WAS)
            || !starts(sentence, SELF) && of_two_parts(sentence))
        && sentence.shape == Shape::Plain
        && sentence.count() >= 8;
    let needed =
        [", otherwise ", ", senão ", ", caso contrário "].iter().any(|or| sentence.text.contains(or));
    let because = [" because ", " porque "].iter().any(|cue| said.contains(cue))
        && sentence.shape == Shape::Plain
        && !says_any(sentence, &[" you ", " your ", " we ", " voce ", " seu ", " sua "])
        && sentence.count() >= 8;
    (heeded || caused || needed || answered || told || because)
        && !of_itself
        && !sentence.hits.any(&[Class::Advice, Class::Propose, Class::Others])
}

/// How an agent begins to tell what it saw.
const NOTICED: &[&str] =
    &[" i noticed that ", " i saw that ", " i found that ", " notei que ", " reparei que "];

/// How one clause follows from the one before it.
const SO: &[&str] = &[
    ", so ",
    "; so ",
    ", hence ",
    ", então ",
    ", por isso ",
    ", logo ",
    ", o que ",
    ", daí ",
    ", e por isso ",
];

/// How an explanation begins that only names what it was.
const WAS: &[&str] = &["^ era ", "^ eram ", "^ foi ", "^ it was ", "^ it is ", "^ its ", "^ that was "];

/// What is not there, or not so, in words that say nothing else.
#[rustfmt::skip]
const MISSING: &[&str] = &[
    " never ", " nobody ", " no longer ", " cannot ", " cant ", " doesnt ", " does not ", " isnt ", " didnt ", " wont ",
    " arent ", " wasnt ", " werent ", " hasnt ", " havent ", " without ", " sem ", " has no ", " have no ", " had no ", " lacks ", " nao ", " nunca ", " ninguem ", " nenhum ", " nenhuma ",
];

/// What a thing asks for, allows or does to others.
#[rustfmt::skip]
const BOUND: &[&str] = &[
    " needs ", " requires ", " expects ", " limits ", " allows ", " treats ", " cuts ", " refuses ", " ignores ",
    " restarts ", " overrides ", " caches ", " rejects ", " strips ", " rounds ", " truncates ", " has to be ",
    " must be ", " precisa ", " precisam ", " exige ", " exigem ", " limita ", " deixa ", " reinicia ", " ignora ",
    " corta ", " rejeita ", " arredonda ", " trunca ", " espera ", " tem de ", " tem que ",
];

/// Clauses that only describe.
const WHICH_IS: &[&str] =
    &[" which can ", " which may ", " which is ", " which are ", " which helps ", " which help "];

/// How a sentence begins that is no statement about a thing.
const SELF: &[&str] = &[
    "^ i ", "^ ive ", "^ ill ", "^ im ", "^ we ", "^ you ", "^ yes ", "^ no ", "^ let ", "^ lets ", "^ now ",
    "^ next ", "^ both ", "^ with ", "^ com ", "^ two ", "^ vou ", "^ eu ", "^ sim ", "^ nao ", "^ agora ",
    "^ duas ", "^ dois ",
];

/// Words of a report that all is well.
const WELL: &[&str] = &[
    " pass ",
    " passes ",
    " green ",
    " now ",
    " ready ",
    " passam ",
    " verde ",
    " agora ",
    " pronto ",
    " prontos ",
];

/// Whether a statement has two parts of which one may explain the other.
fn of_two_parts(sentence: &Sentence) -> bool {
    let parts = [", and ", ": ", "; ", ", e "].iter().any(|sign| sentence.text.contains(sign));
    parts && sentence.count() >= 12 && !says_any(sentence, WELL)
}

fn says_any(sentence: &Sentence, words: &[&str]) -> bool {
    words.iter().any(|word| sentence.folded.contains(word))
}

fn starts(sentence: &Sentence, with: &[&str]) -> bool {
    with.iter().any(|start| sentence.folded.starts_with(start))
}
