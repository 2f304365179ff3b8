//! What a question means that stands in no text: kinds, agents and categories by their names, and all of a kind or a time.

use std::collections::HashSet;

use memory_core::kind::Kind;
use memory_core::rank::{Age, Faint, Prior, Ranked, Tally, Tasks, Weights, is_around_a_time, is_general};
use memory_core::text::{DateRange, NamedTime, QueryTerm, count_of};
use memory_core::time::Time;

use super::pick::{Gate, newest};
use super::view::View;
use crate::error::Result;
use crate::index::{Facets, Field};

/// Counts a word for the memories whose kind, agent or category it names.
pub(super) fn count(view: &View, word: &str, tasks: Option<Tasks>, tally: &mut Tally<'_>, weights: &Weights) {
    let kind = Kind::asked_for(word);
    let is_asked_for = |row: u32| match tasks.filter(|_| kind == Some(Kind::Task)) {
        Some(tasks) => view.is_done(row).is_none_or(|done| done == tasks.done),
        None => true,
    };
    for (shelf, start) in view.shelves() {
        let named: Vec<bool> =
            shelf.facets().iter().map(|facets| names(word, kind.as_ref(), facets)).collect();
        if !named.contains(&true) {
            continue;
        }
        for at in 0..shelf.rows() {
            let row = start + at as u32;
            if named.get(shelf.facet(at) as usize) == Some(&true) && view.is_live(row) && is_asked_for(row) {
                tally.add(row, weights.about);
            }
        }
    }
}

fn names(word: &str, kind: Option<&Kind>, facets: &Facets) -> bool {
    as_what(word, kind, facets).next().is_some()
}

/// As what a word names a memory: by its kind, agent or category.
pub(super) fn as_what(
    word: &str,
    kind: Option<&Kind>,
    facets: &Facets,
) -> impl Iterator<Item = &'static str> + use<> {
    let is = |name: &Option<String>| name.as_deref().is_some_and(|name| is_name(name, word));
    let is_kind = kind.is_some_and(|kind| kind.word() == facets.kind);
    let all = [("kind", is_kind), ("agent", is(&facets.agent)), ("category", is(&facets.category))];
    all.into_iter().filter(|(_, is)| *is).map(|(name, _)| name)
}

/// What a question lists: all of a kind, of an agent, of a time. It names nothing else.
pub(super) struct Listing {
    kinds: Vec<Kind>,
    agents: Vec<String>,
    time: Option<DateRange>,
    /// The words of a time that a memory would say too: `16 april`, `friday`, not `yesterday`.
    said: Vec<QueryTerm>,
    /// Whether the oldest stand first.
    oldest_first: bool,
    /// Which tasks.
    tasks: Option<Tasks>,
}

/// What a question asks all of, where there is none of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unmet {
    /// Of these kinds; of any where there are none.
    pub kinds: Vec<Kind>,
    /// Of these agents; of any where there are none.
    pub agents: Vec<String>,
    /// Of tasks, those that are open or those that are done.
    pub tasks: Option<Tasks>,
    /// Of this time.
    pub time: Option<DateRange>,
}

impl Listing {
    /// `None` where a question asks for more than a kind or a time.
    pub(super) fn of(
        view: &View,
        gate: &Gate<'_>,
        faint: &Faint<'_>,
        named: Option<&NamedTime>,
        terms: &[QueryTerm],
    ) -> Option<Self> {
        let (mut kinds, mut agents, mut said) = (Vec::new(), Vec::new(), Vec::new());
        let tasks = faint.tasks();
        // `todo` is a small word of Portuguese.
        kinds.extend(tasks.map(|_| Kind::Task));
        for term in terms.iter().filter(|term| !term.stop) {
            let word = term.word();
            let is_time = named.is_some_and(|named| {
                let told = |time: &String| time.replace(['-', '/', '.'], "").contains(word);
                named.words.iter().any(told) || is_date(word) || is_around_a_time(word)
            });
            if is_time {
                said.extend(named.is_some_and(|named| !named.is_relative).then(|| term.clone()));
            } else if faint.is_cue(word) {
                continue;
            } else if let Some(kind) = Kind::asked_for(word) {
                kinds.push(kind);
            } else if faint.first().is_some() && count_of(word).is_some() {
                // `the last 3 decisions`
                continue;
            } else if has_agent(view, gate, word) {
                agents.push(word.to_owned());
            } else if !is_general(word) {
                return None;
            }
        }
        // Of a time a summary is what there is of it.
        if named.is_some() && kinds.iter().any(|kind| *kind != Kind::Task) {
            kinds.retain(|kind| *kind != Kind::Summary);
        }
        kinds.dedup();
        let lists = !kinds.is_empty() || named.is_some() || faint.first().is_some();
        let oldest_first = faint.first() == Some(Age::Oldest);
        let time = named.map(|named| named.range);
        lists.then_some(Self { kinds, agents, time, said, oldest_first, tasks })
    }

    /// The memories that it lists, newest first unless the oldest are asked for, before those that were found otherwise. Of
    /// a day those that name it stand before those that were kept on it; of a longer time they stand behind. Where there is
    /// nothing to list, that comes with what was found for its words.
    pub(super) fn put_first(
        &self,
        view: &View,
        gate: &Gate<'_>,
        found: Vec<Ranked>,
    ) -> Result<(Vec<Ranked>, Option<Unmet>)> {
        let best = found.first().map_or(1.0, |best| best.score.max(1.0));
        let prior = if self.kinds.is_empty() { Prior::Time } else { Prior::Words };
        let all = newest(view, gate).into_iter().filter(|ranked| self.has(view, ranked.row));
        let mut listed: Vec<Ranked> = all.map(|ranked| Ranked::by(ranked.row, prior, best)).collect();
        if self.oldest_first {
            listed.reverse();
            // Nobody knows how old what has no day is.
            listed.sort_by_key(|ranked| {
                view.place(ranked.row).is_none_or(|(shelf, at)| shelf.created(at) <= 0)
            });
        }
        let is_unmet = listed.is_empty();
        let is_hidden = || (0..view.rows() as u32).any(|row| gate.hides(row) && self.has(view, row));
        let unmet = || Unmet {
            kinds: self.kinds.clone(),
            agents: self.agents.clone(),
            tasks: self.tasks,
            time: self.time,
        };
        let is_time_alone = self.kinds.is_empty();
        let mut others = found;
        let say = if is_time_alone { Some(self.rows_that_say_it(view)?) } else { None };
        others.retain(|ranked| match &say {
            Some(say) => say.contains(&ranked.row),
            // Of another time, but of the kind; the newest first.
            None if is_unmet && self.time.is_some() => {
                self.is_of_kind(view, ranked.row) && self.is_of_agent(view, ranked.row)
            }
            None => ranked.part(Prior::Words) > 0.0,
        });
        if is_unmet && self.time.is_some() && !is_time_alone {
            others.sort_by_key(|ranked| view.among_equals(ranked.row));
            others = others.into_iter().map(|ranked| Ranked::by(ranked.row, prior, best)).collect();
        }
        if is_time_alone && self.is_of_a_day() {
            std::mem::swap(&mut listed, &mut others);
        }
        let rows: HashSet<u32> = listed.iter().map(|ranked| ranked.row).collect();
        let lowest = listed.last().map_or(best, |last| last.score);
        let behind = others.into_iter().filter(|ranked| !rows.contains(&ranked.row));
        listed.extend(behind.map(|ranked| match is_time_alone && ranked.score > lowest {
            true => Ranked::by(ranked.row, Prior::Time, lowest),
            false => ranked,
        }));
        Ok((listed, (is_unmet && !is_hidden()).then(unmet)))
    }

    fn is_of_a_day(&self) -> bool {
        let day = |time: &DateRange| Some(time.until?.0 - time.since?.0 <= 86_400_000);
        self.time.as_ref().and_then(day) == Some(true)
    }

    /// The rows whose text says the time: all of its words, of which the year may be missing, or the whole of it as a date.
    fn rows_that_say_it(&self, view: &View) -> Result<HashSet<u32>> {
        let mut say = HashSet::new();
        let mut words: Option<HashSet<u32>> = None;
        let is_year =
            |term: &QueryTerm| term.word().len() == 4 && term.word().bytes().all(|b| b.is_ascii_digit());
        let says_more = self.said.iter().any(|term| !is_year(term) && !is_date(term.word()));
        for term in self.said.iter().filter(|term| !(says_more && is_year(term))) {
            let mut rows = HashSet::new();
            let is_date = is_date(term.word());
            let of_date = is_date.then_some((Field::Word, &term.exact));
            for (field, term) in term.stems.iter().map(|stem| (Field::Body, stem)).chain(of_date) {
                for (index, start) in view.indexes() {
                    index.postings(field, term, &mut |row, _| {
                        rows.insert(start + row);
                    })?;
                }
            }
            if is_date {
                // The day on which a memory was kept is a date of it as well.
                say.extend(rows.into_iter().filter(|&row| !self.is_then(view, row)));
            } else {
                words = Some(words.map_or_else(|| rows.clone(), |words| &words & &rows));
            }
        }
        say.extend(words.unwrap_or_default());
        Ok(say)
    }

    fn is_of_kind(&self, view: &View, row: u32) -> bool {
        let Some((shelf, at)) = view.place(row) else { return false };
        let facets = shelf.facets().get(shelf.facet(at) as usize);
        facets.is_some_and(|facets| self.kinds.iter().any(|kind| kind.word() == facets.kind))
    }

    fn is_of_agent(&self, view: &View, row: u32) -> bool {
        let Some((shelf, at)) = view.place(row) else { return false };
        let agent = shelf.facets().get(shelf.facet(at) as usize).and_then(|facets| facets.agent.as_deref());
        self.agents.is_empty()
            || agent.is_some_and(|agent| self.agents.iter().any(|word| is_name(agent, word)))
    }

    fn is_then(&self, view: &View, row: u32) -> bool {
        let created = view.place(row).map_or(0, |(shelf, at)| shelf.created(at));
        self.time.as_ref().is_none_or(|time| created > 0 && time.contains(Time(created)))
    }

    fn has(&self, view: &View, row: u32) -> bool {
        let is_kind = self.kinds.is_empty() || self.is_of_kind(view, row);
        let is_such = self.tasks.is_none_or(|tasks| view.is_done(row).is_none_or(|done| done == tasks.done));
        self.is_then(view, row) && is_kind && is_such && self.is_of_agent(view, row)
    }
}

/// Whether a word of a question is this name; names have no accents.
fn is_name(name: &str, word: &str) -> bool {
    name.eq_ignore_ascii_case(word)
}

/// A date that is written out is a term beside its words.
fn is_date(word: &str) -> bool {
    word.contains('-') && word.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-')
}

/// Whether an agent of this name has a memory that may answer. What stands on a shelf may be gone.
pub(super) fn has_agent(view: &View, gate: &Gate<'_>, word: &str) -> bool {
    let is = |facets: &Facets| facets.agent.as_deref().is_some_and(|agent| is_name(agent, word));
    view.shelves().any(|(shelf, start)| {
        let named: Vec<bool> = shelf.facets().iter().map(is).collect();
        let may =
            |at: usize| named.get(shelf.facet(at) as usize) == Some(&true) && gate.lets_in(start + at as u32);
        named.contains(&true) && (0..shelf.rows()).any(may)
    })
}
