//! From a question to scores: which rows hold which of its words.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use levenshtein_automata::LevenshteinAutomatonBuilder;
use memory_core::query::Prompt;
use memory_core::rank::{Faint, Tally, Weights};
use memory_core::text::{
    Asked, EXACT_MARK, Language, NamedTime, Phrase, QueryTerm, Things, folded, is_dense, is_stop,
    phrase_terms, query_terms, things_in,
};

use super::called::Called;
use super::few::{FEW_WORDS, HARDLY_ANY, is_name};
use super::meant;
use super::pick::Gate;
use super::view::View;
use crate::error::Result;
use crate::index::{Field, Near, Wanted};
use crate::model::Table;

/// Words of a question beyond this many are left out.
const MOST_TERMS: usize = 96;
/// Words of the vocabulary that may stand for one word of a question.
const MOST_NEAR: usize = 8;
/// In questions of up to so many words, the name of a sort of thing asks for things of that sort.
const QUESTION: usize = 12;
/// Bytes of the longest text whose words are looked up as names of things: each is compared with hundreds.
const LONGEST_ASKED: usize = 2000;
/// In questions of up to so many words, the last may be the beginning of a longer one.
const SHORT: usize = 3;

/// One word of a question, and what was found for it.
#[derive(Debug, Clone)]
pub(super) struct Sought {
    pub(super) term: QueryTerm,
    /// How many memories hold it.
    pub(super) rows: usize,
    /// Whether any of them holds the word itself.
    pub(super) known: bool,
    /// How much it counts: less where it speaks of telling.
    pub(super) share: f32,
    /// Words that stand for it, where it is not known, may be a beginning or names a sort of things.
    pub(super) near: Vec<String>,
    /// The terms by which those are seen in a text.
    pub(super) seen_as: Vec<String>,
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
    let says_more = terms.iter().any(|term| !faint.is(term.word()));
    let is_cue = |term: &QueryTerm| says_more && faint.is_cue(term.word());
    let is_meant = |term: &QueryTerm| term.asked != Asked::Part && !is_cue(term);
    let is_few = terms.iter().filter(|term| is_meant(term)).count() <= FEW_WORDS;
    // In a long prompt such words are told more often than asked for, and each is many to look up.
    let mut things = if prompt.text.len() > LONGEST_ASKED { Vec::new() } else { things_in(&prompt.text) };
    things.retain(|things| things.same || words <= QUESTION);
    let mut all = Vec::with_capacity(terms.len());
    let last = terms.iter().map(|term| term.position).max().unwrap_or(0);
    for term in terms {
        count_term(view, &term, tally, weights)?;
        meant::count(view, term.word(), tally, weights);
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
        let stands_for = count_things(view, gate, &things, tally, weights)?;
        let mut held_by = Vec::new();
        let is_cue = is_cue(&term);
        if is_few && term.asked != Asked::Part && !is_cue {
            tally.hold();
            let may = |row: &u32| gate.lets_in(*row);
            if known && is_name(&term) && tally.touched().iter().copied().filter(may).count() <= HARDLY_ANY {
                held_by.extend(tally.touched().iter().copied().filter(may));
            }
        }
        let says_little = match words > SHORT {
            true => faint.is(term.word()) || called.is(&term.exact),
            false => is_cue,
        };
        let share = if says_more && says_little { weights.faint } else { 1.0 };
        let rows = tally.close(share * (1.0 + (term.count as f32).ln()));
        let told = near.iter().map(|(term, _)| term.trim_start_matches(EXACT_MARK));
        let told = told.chain(stands_for.iter().copied()).map(str::to_owned).collect();
        let seen_as = stands_for.iter().flat_map(|thing| terms_of(thing));
        let seen_as = near.into_iter().map(|(term, _)| term).chain(seen_as).collect();
        all.push(Sought { term, rows, known, share, near: told, seen_as, is_cue, held_by });
    }
    Ok(all)
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

/// The terms by which a thing is seen in a text: its words, but for the small parts of a name such as `eu-west-1`.
fn terms_of(thing: &str) -> impl Iterator<Item = String> {
    let parts = thing.split(|sign: char| !sign.is_alphanumeric());
    let is_only = !thing.contains(|sign: char| !sign.is_alphanumeric());
    parts.filter(move |part| is_only || part.len() > 2).map(|part| format!("{EXACT_MARK}{part}"))
}

/// Counts the things that a word stands for; gives those that may answer.
fn count_things(
    view: &View,
    gate: &Gate<'_>,
    all: &[&Things],
    tally: &mut Tally<'_>,
    weights: &Weights,
) -> Result<Vec<&'static str>> {
    let mut found = Vec::new();
    for things in all {
        let share = if things.same { weights.same_thing } else { weights.kind_of_thing };
        for thing in &things.things {
            let mut rows: Vec<u32> = Vec::new();
            if thing.contains(|sign: char| !sign.is_alphanumeric()) {
                rows.extend(with_phrase(view, thing)?);
                rows.sort_unstable();
            } else {
                let exact = format!("{EXACT_MARK}{thing}");
                for (index, start) in view.indexes() {
                    index.postings(Field::Word, &exact, &mut |row, _| rows.push(start + row))?;
                }
            }
            if rows.iter().any(|&row| gate.lets_in(row)) {
                found.push(*thing);
            }
            rows.into_iter().for_each(|row| tally.body(row, share));
        }
    }
    Ok(found)
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

/// The rows in which words follow each other, in the text or in the heading, and that hold its identifiers and dates.
/// What a text writes with humps (`GitHub Actions`) stands there as its parts, and is meant by the word without them.
pub(super) fn with_phrase(view: &View, phrase: &str) -> Result<HashSet<u32>> {
    let mut rows = with_words(view, phrase, &|_| true)?;
    let words: Vec<&str> = phrase.split_whitespace().collect();
    if !(2..=LONGEST_PHRASE).contains(&words.len()) {
        return Ok(rows);
    }
    for (n, word) in words.iter().enumerate() {
        if word.len() < 4 || !word.bytes().all(|byte| byte.is_ascii_alphabetic()) {
            continue;
        }
        let holding = rows_with(view, Field::Word, &format!("{EXACT_MARK}{}", word.to_ascii_lowercase()))?;
        let may: HashSet<u32> = holding.difference(&rows).copied().collect();
        for at in 2..word.len() - 1 {
            if may.is_empty() {
                break;
            }
            let (first, second) = word.split_at(at);
            let mut parts = words.clone();
            parts.splice(n..=n, [first, second]);
            rows.extend(with_words(view, &parts.join(" "), &|row| may.contains(&row))?);
        }
    }
    Ok(rows)
}

/// Phrases of more words are looked for as they are written.
const LONGEST_PHRASE: usize = 6;

fn with_words(view: &View, phrase: &str, may: &dyn Fn(u32) -> bool) -> Result<HashSet<u32>> {
    let Phrase { words, wholes } = phrase_terms(phrase);
    let mut rows: Option<HashSet<u32>> = None;
    for whole in &wholes {
        let here = rows_with(view, Field::Word, whole)?;
        rows = Some(rows.map_or_else(|| here.clone(), |rows| &rows & &here));
    }
    let Some((first, _)) = words.first() else { return Ok(rows.unwrap_or_default()) };
    let mut following = HashSet::new();
    for field in [Field::Body, Field::Title] {
        let mut ends: HashMap<u32, HashSet<u32>> = HashMap::new();
        for (n, (position, stems)) in words.iter().enumerate() {
            let mut here: HashMap<u32, HashSet<u32>> = HashMap::new();
            for (index, start) in view.indexes() {
                for stem in stems {
                    index.positions(field, stem, &|row| may(start + row), &mut |row, places| {
                        let row = start + row;
                        let fitting = places.iter().filter_map(|&place| {
                            let begin = place.checked_sub(position - first)?;
                            let follows =
                                n == 0 || ends.get(&row).is_some_and(|begins| begins.contains(&begin));
                            follows.then_some(begin)
                        });
                        let mut fitting = fitting.peekable();
                        if fitting.peek().is_some() {
                            here.entry(row).or_default().extend(fitting);
                        }
                    })?;
                }
            }
            ends = here;
            if ends.is_empty() {
                break;
            }
        }
        following.extend(ends.into_keys());
    }
    Ok(rows.map_or_else(|| following.clone(), |rows| &rows & &following))
}

/// The rows that hold a word: of an identifier all of it, of a script without gaps all of its signs as they follow each
/// other, of `don't` not what holds `don` alone.
pub(super) fn with_word(view: &View, word: &str) -> Result<HashSet<u32>> {
    let terms = query_terms(word);
    let is_whole = terms.iter().any(|term| term.asked == Asked::Whole);
    if is_whole {
        let mut rows = HashSet::new();
        for term in terms.iter().filter(|term| term.asked == Asked::Whole) {
            rows.extend(rows_with(view, Field::Word, &term.exact)?);
        }
        return Ok(rows);
    }
    let first = terms.first().map(|term| term.position);
    if terms.iter().any(|term| Some(term.position) != first) {
        return with_phrase(view, word);
    }
    let longest = terms.iter().max_by_key(|term| term.exact.len());
    longest.map_or_else(|| Ok(HashSet::new()), |term| rows_with(view, Field::Word, &term.exact))
}

/// The rows that have a tag.
pub(super) fn with_tag(view: &View, tag: &str) -> Result<HashSet<u32>> {
    rows_with(view, Field::Tag, &folded(tag))
}

fn rows_with(view: &View, field: Field, term: &str) -> Result<HashSet<u32>> {
    let mut rows = HashSet::new();
    for (index, start) in view.indexes() {
        index.postings(field, term, &mut |row, _| {
            rows.insert(start + row);
        })?;
    }
    Ok(rows)
}
