//! From a question to scores: which rows hold which of its words.

use std::collections::HashMap;
use std::sync::LazyLock;

use levenshtein_automata::LevenshteinAutomatonBuilder;
use memory_core::query::Prompt;
use memory_core::rank::{Faint, Tally, Weights};
use memory_core::text::{
    Are, Asked, EXACT_MARK, Language, NamedTime, QueryTerm, Things, is_dense, is_stop, query_terms,
};

use super::called::Called;
use super::few::{FEW_WORDS, HARDLY_ANY, is_name};
use super::meant;
use super::pick::Gate;
use super::things::{self, standing};
use super::view::View;
use crate::error::Result;
use crate::index::{Field, Near, Wanted};
use crate::model::Table;

/// Words of a question beyond this many are left out.
const MOST_TERMS: usize = 96;
/// Words of the vocabulary that may stand for one word of a question.
const MOST_NEAR: usize = 8;
/// In questions of up to so many words, the last may be the beginning of a longer one.
const SHORT: usize = 3;

/// One word of a question, and what was found for it.
#[derive(Debug, Clone)]
pub(super) struct Sought {
    pub(super) term: QueryTerm,
    /// How many memories hold it, or what is near it in spelling, or another name of the same.
    pub(super) rows: usize,
    /// How many hold it or a thing of the sort that it names.
    pub(super) memories: usize,
    /// Whether any of them holds the word itself.
    pub(super) known: bool,
    /// How much it counts: less where it speaks of telling.
    pub(super) share: f32,
    /// Words that stand for it, where it is not known, may be a beginning or names a sort of things.
    pub(super) near: Vec<String>,
    /// The terms of the index that are near it in spelling.
    pub(super) spelt: Vec<String>,
    /// The terms by which the things that it stands for are seen in a text.
    pub(super) things: Vec<String>,
    /// Whether it says when, or which sort, and not what.
    pub(super) is_cue: bool,
    /// The memories that hold it, in a question of a few words, where it is a name and they are hardly any.
    pub(super) held_by: Vec<u32>,
}

/// The words that count in a question: all but the small ones and the bounds of a time, unless there are no others.
pub(super) fn words_of(view: &View, prompt: &Prompt, named: Option<&NamedTime>) -> Result<Vec<QueryTerm>> {
    let mut terms = query_terms(&prompt.text);
    let bounds = named.filter(|named| named.is_bound).map_or(&[][..], |named| &named.words);
    // A date that is written out is a term beside its words: `june`, `2026` and `2026-06`.
    let is_of = |date: &str, year: &str| {
        year.len() == 4 && date.strip_prefix(year).is_some_and(|rest| rest.starts_with('-'))
    };
    let is_bound = |term: &QueryTerm| {
        bounds
            .iter()
            .any(|word| word == term.word() || term.asked == Asked::Whole && is_of(term.word(), word))
    };
    if !bounds.is_empty() && terms.iter().any(|term| !term.stop && !is_bound(term)) {
        terms.retain(|term| !is_bound(term));
    }
    if terms.iter().any(|term| !term.stop) {
        terms.retain(|term| !term.stop);
    }
    if terms.len() > MOST_TERMS {
        // Of a long prompt the rarest words tell most; what nobody wrote tells nothing.
        let mut counted = Vec::with_capacity(terms.len());
        for term in terms {
            let mut rows = 0;
            for (index, _) in view.indexes() {
                index.postings(Field::Word, &term.exact, &mut |_, _| rows += 1)?;
            }
            counted.push((if rows == 0 { u32::MAX } else { rows }, term));
        }
        counted.sort_by_key(|(rows, term)| (prompt.is_pasted(term.word()), *rows, term.position));
        counted.truncate(MOST_TERMS);
        counted.sort_by_key(|(_, term)| term.position);
        terms = counted.into_iter().map(|(_, term)| term).collect();
    }
    Ok(terms)
}

/// Counts the words of a question in all memories.
pub(super) fn count(
    view: &View,
    gate: &Gate<'_>,
    (prompt, terms): (&Prompt, Vec<QueryTerm>),
    (faint, called): (&Faint<'_>, &Called),
    tally: &mut Tally<'_>,
    weights: &Weights,
) -> Result<Vec<Sought>> {
    let words = terms.iter().filter(|term| term.asked != Asked::Whole).count();
    // Of a few words each is meant, and those that say little count as they are where there are no others.
    let says_more = terms.iter().any(|term| !faint.is(term.word()) && !called.is(&term.exact));
    let is_cue = |term: &QueryTerm| says_more && (faint.is_cue(term.word()) || called.is(&term.exact));
    let is_meant = |term: &QueryTerm| term.asked != Asked::Part && !is_cue(term);
    let is_few = terms.iter().filter(|term| is_meant(term)).count() <= FEW_WORDS;
    let things = things::of(&prompt.text, words);
    let mut all = Vec::with_capacity(terms.len());
    let last = terms.iter().map(|term| term.position).max().unwrap_or(0);
    for term in terms {
        count_term(view, &term, tally, weights)?;
        meant::count(view, term.word(), faint.tasks(), tally, weights);
        let known = !tally.touched().is_empty();
        // What only those hold that may not answer may be a slip of the pen.
        let may_answer = tally.touched().iter().any(|&row| gate.lets_in(row));
        let may_begin = words <= SHORT && term.position == last && may_begin(term.word());
        let things: Vec<&Things> =
            things.iter().filter(|things| things.positions.contains(&term.position)).collect();
        let near = match may_answer && !may_begin {
            true => Vec::new(),
            false => near(view, gate, &term, may_answer || !things.is_empty())?,
        };
        for (word, share) in &near {
            let share = match share {
                Share::Beginning => weights.beginning,
                Share::Misspelt(distance) => weights.misspelt / f32::from(*distance).max(1.0),
            };
            for (index, start) in view.indexes() {
                index.postings(Field::Word, word, &mut |row, often| {
                    tally.body(start + row, often as f32 * share);
                })?;
            }
        }
        let (same, of_sort): (Vec<&Things>, Vec<&Things>) =
            things.into_iter().partition(|things| things.are == Are::Same);
        let same = standing(view, gate, same.into_iter())?;
        same.rows.iter().for_each(|&row| tally.body(row, weights.same_thing));
        let of_sort = standing(view, gate, of_sort.into_iter())?;
        let otherwise = tally.without(&of_sort.rows);
        let mut held_by = Vec::new();
        let is_cue = is_cue(&term);
        if is_few && term.asked != Asked::Part && !is_cue {
            tally.hold(&otherwise);
            let may = |row: &u32| gate.lets_in(*row);
            if known && is_name(&term) && tally.touched().iter().copied().filter(may).count() <= HARDLY_ANY {
                held_by.extend(tally.touched().iter().copied().filter(may));
            }
        }
        let says_little = match words > SHORT {
            // The code of an error that was only pasted tells which error it is, if hardly any memory holds it.
            true if is_code(&term) && known && tally.touched().len() <= HARDLY_ANY => {
                faint.is_cue(term.word())
            }
            true => faint.is(term.word()),
            false => is_cue,
        };
        let share = match says_more {
            true if called.is(&term.exact) => weights.name,
            true if says_little => weights.faint,
            _ => 1.0,
        };
        let rows = tally.close(share * (1.0 + (term.count as f32).ln()), otherwise.len());
        let memories = rows + otherwise.len();
        // What is of the sort counts for itself: its name may be rare where such things are common.
        of_sort.rows.iter().for_each(|&row| tally.body(row, 1.0));
        tally.close_beside(share * weights.kind_of_thing);
        let told = near.iter().map(|(term, _)| term.trim_start_matches(EXACT_MARK));
        let things = same.found.into_iter().chain(of_sort.found);
        let told = told.chain(things).map(str::to_owned).collect();
        let spelt = near.into_iter().map(|(term, _)| term).collect();
        let things = same.seen_as.into_iter().chain(of_sort.seen_as).collect();
        all.push(Sought { term, rows, memories, known, share, near: told, spelt, things, is_cue, held_by });
    }
    Ok(all)
}

/// Whether a term may be a code: an identifier or a number, no word.
fn is_code(term: &QueryTerm) -> bool {
    term.asked == Asked::Whole
        || term.word().len() > 2 && term.word().bytes().any(|byte| byte.is_ascii_digit())
}

fn count_term(view: &View, term: &QueryTerm, tally: &mut Tally<'_>, weights: &Weights) -> Result<()> {
    for (index, start) in view.indexes() {
        for stem in &term.stems {
            index.postings(Field::Title, stem, &mut |row, often| tally.heading(start + row, often as f32))?;
            index.postings(Field::About, stem, &mut |row, often| {
                tally.add(start + row, often as f32 * weights.about);
            })?;
            index.postings(Field::Body, stem, &mut |row, often| tally.body(start + row, often as f32))?;
        }
        let exact = if term.asked == Asked::Whole { 1.0 } else { weights.exact };
        if exact > 0.0 {
            index.postings(Field::Word, &term.exact, &mut |row, often| {
                tally.body(start + row, often as f32 * exact);
            })?;
        }
    }
    Ok(())
}

#[derive(Debug, Clone, Copy)]
enum Share {
    Beginning,
    Misspelt(u8),
}

/// Whether a word may be the beginning of a longer one: it has some letters, or is one sign of a script whose words are
/// found by pairs of signs.
fn may_begin(word: &str) -> bool {
    let mut signs = word.chars();
    word.chars().count() >= 4 || signs.next().is_some_and(is_dense) && signs.next().is_none()
}

/// A word that may be meant: how many edits it is away, in how many memories it stands, and for what it counts.
type Meant = (u8, u32, Share);

/// Words of the vocabulary that may be meant by one that is not there. Those of memories that may not answer are none.
fn near(view: &View, gate: &Gate<'_>, term: &QueryTerm, known: bool) -> Result<Vec<(String, Share)>> {
    let word = term.word();
    // A number is no beginning of another one.
    if word.bytes().all(|byte| byte.is_ascii_digit()) {
        return Ok(Vec::new());
    }
    let is_whole = term.asked == Asked::Whole;
    if word.chars().count() < 3 && !may_begin(word) || is_whole && (known || !may_begin(word)) {
        return Ok(Vec::new());
    }
    let mut found: HashMap<String, Meant> = HashMap::new();
    let mut note = |near: Near, share: Share| {
        if near.term != term.exact && !is_small(&near.term) {
            let entry = found.entry(near.term).or_insert((near.distance, 0, share));
            entry.1 += near.rows;
        }
    };
    for (index, _) in view.indexes() {
        index.near(&Wanted::Beginning(&term.exact), &mut |near| {
            // Identifiers that begin with the word hold it as a word.
            let goes_on = |rest: &str| rest.starts_with(char::is_alphanumeric);
            if near.term.strip_prefix(&term.exact).is_some_and(goes_on) {
                note(near, Share::Beginning);
            }
        })?;
    }
    // What is spelt as a word is meant as it is, though nobody wrote it here.
    if !known && !is_whole && term.distance > 0 && !Table::built_in().knows(word) {
        let dfa = automata(term.distance).build_dfa(&term.exact);
        for (index, _) in view.indexes() {
            index.near(&Wanted::Misspelt(&term.exact, &dfa), &mut |near| {
                let distance = near.distance;
                note(near, Share::Misspelt(distance));
            })?;
        }
    }
    let mut all: Vec<(String, Meant)> = found.into_iter().collect();
    if !gate.is_open() {
        // The index counts what is gone until it is tidied up, and what the asker may not see.
        for (word, (_, rows, _)) in &mut all {
            *rows = 0;
            for (index, start) in view.indexes() {
                index.postings(Field::Word, word, &mut |row, _| {
                    *rows += u32::from(gate.lets_in(start + row));
                })?;
            }
        }
        all.retain(|(_, (_, rows, _))| *rows > 0);
    }
    all.sort_by(|(a, (da, ra, _)), (b, (db, rb, _))| {
        (da, std::cmp::Reverse(ra), a).cmp(&(db, std::cmp::Reverse(rb), b))
    });
    all.truncate(MOST_NEAR);
    Ok(all.into_iter().map(|(word, (_, _, share))| (word, share)).collect())
}

/// Whether an exact term is a small word of some language.
fn is_small(term: &str) -> bool {
    let word = term.trim_start_matches(EXACT_MARK);
    is_stop(word, Language::English) || is_stop(word, Language::Portuguese)
}

/// What makes automata for words that so many edits lead to. Each takes some time to make, and a prompt may hold many
/// words that nobody wrote.
fn automata(distance: u8) -> &'static LevenshteinAutomatonBuilder {
    static ONE: LazyLock<LevenshteinAutomatonBuilder> =
        LazyLock::new(|| LevenshteinAutomatonBuilder::new(1, true));
    static TWO: LazyLock<LevenshteinAutomatonBuilder> =
        LazyLock::new(|| LevenshteinAutomatonBuilder::new(2, true));
    if distance < 2 { &ONE } else { &TWO }
}
