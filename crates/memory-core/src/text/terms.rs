//! The terms of a question: each word once, with everything an index needs to look for it.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use super::analyse::Analyser;
use super::calendar::ordinal;
use super::language::{Evidence, Language};
use super::stop::is_stop;
use super::token::Form;

/// One thing that a question asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QueryTerm {
    /// Among the stems of a text, any of these is it: the word stemmed as English and as Portuguese. Of
    /// [`Asked::Whole`] those of letters alone have some, since others may write `back-up` as one word.
    pub stems: Vec<String>,
    /// The exact term, with its mark.
    pub exact: String,
    /// What sort of term it is.
    pub asked: Asked,
    /// Whether it is a small word. Such words count only where a question has no others.
    pub stop: bool,
    /// How many edits a word of the index may be away and still be meant; 0 for none.
    pub distance: u8,
    /// The position of its first mention in the question.
    pub position: u32,
    /// How often the question mentions it.
    pub count: u32,
}

impl QueryTerm {
    /// The word without its mark: lower case, without accents.
    pub fn word(&self) -> &str {
        self.exact.strip_prefix(super::EXACT_MARK).unwrap_or(&self.exact)
    }
}

/// What a term is in a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Asked {
    /// A word.
    Word,
    /// An identifier, path, version or date as one; only its exact term is looked for.
    Whole,
    /// A word that is part of an identifier, asked for beside its whole.
    Part,
}

/// The terms of a question in the order of their first mention, small words among them.
pub fn query_terms(text: &str) -> Vec<QueryTerm> {
    let evidence = Evidence::of(text);
    // `AI` and `US` are names where the rest of the question is not in capitals.
    let tells_capitals = text.chars().any(char::is_lowercase);
    let mut terms: Vec<QueryTerm> = Vec::new();
    let mut known: HashMap<String, usize> = HashMap::new();
    let mut names: HashSet<String> = HashSet::new();
    let mut whole_end = 0;
    // Without a language the stems are the words themselves.
    Analyser::new().each(text, Language::Other, |token| {
        let asked = match token.form {
            Form::Whole => Asked::Whole,
            Form::Stem | Form::Joined | Form::Date => return,
            Form::Exact if token.bytes.end <= whole_end => Asked::Part,
            Form::Exact => Asked::Word,
        };
        if asked == Asked::Whole {
            whole_end = whole_end.max(token.bytes.end);
            // A date that is written out stands where its year does.
            if token.bytes.len() == 4 {
                leave_out_day(&mut terms, token.term, token.position);
            }
        }
        if let Some(term) = known.get(token.term).and_then(|&at| terms.get_mut(at)) {
            term.count += 1;
            // A word that is asked for by itself counts as such, though an identifier holds it too.
            if term.asked == Asked::Part && asked == Asked::Word {
                term.asked = asked;
            }
            return;
        }
        known.insert(token.term.to_owned(), terms.len());
        terms.push(QueryTerm {
            stems: Vec::new(),
            exact: token.term.to_owned(),
            asked,
            stop: false,
            distance: 0,
            position: token.position,
            count: 1,
        });
        let written = text.get(token.bytes).unwrap_or_default();
        if tells_capitals && written.len() > 1 && written.bytes().all(|byte| byte.is_ascii_uppercase()) {
            names.insert(token.term.to_owned());
        }
    });
    terms.retain(|term| term.count > 0);
    let mut analyser = Analyser::new();
    for term in &mut terms {
        finish(term, &mut analyser);
        term.stop &= !names.contains(&term.exact) && evidence.may_be_small(term.word());
    }
    terms
}

/// Once a date that is written out is known, `16 March 2026`, its day by itself is no longer asked for.
fn leave_out_day(terms: &mut [QueryTerm], whole: &str, position: u32) {
    let Some(day) = whole.get(9..11).and_then(|day| day.parse::<u16>().ok()) else { return };
    if whole.len() != 11 || whole.get(8..9) != Some("-") {
        return;
    }
    let just_before = terms.iter_mut().rev().take_while(|term| term.position + 5 > position);
    for term in just_before.filter(|term| term.count == 1) {
        let is_ending = term.asked == Asked::Part && matches!(term.word(), "st" | "nd" | "rd" | "th");
        if is_ending || ordinal(term.word()) == Some(day) {
            term.count = 0;
        }
    }
}

/// What must stand word by word.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Phrase {
    /// Where each word stands, and which stems it may have, in order; a word that comes twice is there twice.
    pub words: Vec<(u32, Vec<String>)>,
    /// The exact terms of what is no word and has none in it: dates, digests.
    pub wholes: Vec<String>,
}

/// The terms of a phrase.
pub fn phrase_terms(text: &str) -> Phrase {
    let mut found: Vec<(u32, String)> = Vec::new();
    let mut wholes: Vec<(Range<usize>, String)> = Vec::new();
    Analyser::new().each(text, Language::Other, |token| match token.form {
        Form::Stem | Form::Joined | Form::Date => {}
        Form::Whole => wholes.push((token.bytes, token.term.to_owned())),
        Form::Exact => {
            // An identifier stands where its words stand.
            wholes.retain(|(at, _)| token.bytes.start >= at.end);
            found.push((token.position, token.term.to_owned()));
        }
    });
    let mut analyser = Analyser::new();
    let words = found.into_iter().map(|(position, exact)| {
        let word = exact.strip_prefix(super::EXACT_MARK).unwrap_or(&exact);
        (position, stems_of(word, &mut analyser))
    });
    let words = words.collect();
    Phrase { words, wholes: wholes.into_iter().map(|(_, term)| term).collect() }
}

/// What a word is in an English and in a Portuguese text.
fn stems_of(word: &str, analyser: &mut Analyser) -> Vec<String> {
    let mut stems = vec![analyser.stem(word, Language::English).to_owned()];
    let portuguese = analyser.stem(word, Language::Portuguese);
    if stems[0] != portuguese {
        stems.push(portuguese.to_owned());
    }
    stems
}

fn finish(term: &mut QueryTerm, analyser: &mut Analyser) {
    let word = term.word().to_owned();
    if term.asked != Asked::Whole || word.bytes().all(|byte| byte.is_ascii_lowercase()) {
        term.stems = stems_of(&word, analyser);
    }
    if term.asked != Asked::Whole {
        term.stop = is_stop(&word, Language::English) || is_stop(&word, Language::Portuguese);
    }
    if word.chars().all(char::is_alphabetic) {
        term.distance = edit_distance_for(word.chars().count());
    }
}

/// How many edits a word of so many characters may be away: a fifth of its length, rounded, at most 2, and none up
/// to two characters. Words with digits or signs are never guessed at, which [`query_terms`] sees to.
pub fn edit_distance_for(chars: usize) -> u8 {
    match chars {
        0..=2 => 0,
        3..=7 => 1,
        _ => 2,
    }
}
