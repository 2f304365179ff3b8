//! What a question means that stands in no text: kinds, agents and categories by their names, and all of a kind or a time.

use std::collections::HashSet;

use memory_core::kind::Kind;
use memory_core::rank::{Faint, Prior, Ranked, Tally, Weights, is_general};
use memory_core::text::{DateRange, NamedTime, QueryTerm};
use memory_core::time::Time;

use super::pick::{Gate, newest};
use super::view::View;
use crate::index::Facets;

/// Counts a word for the memories whose kind, agent or category it names.
pub(super) fn count(view: &View, word: &str, tally: &mut Tally<'_>, weights: &Weights) {
    let kind = Kind::asked_for(word);
    for (shelf, start) in view.shelves() {
        let named: Vec<bool> =
            shelf.facets().iter().map(|facets| names(word, kind.as_ref(), facets)).collect();
        if !named.contains(&true) {
            continue;
        }
        for at in 0..shelf.rows() {
            let row = start + at as u32;
            if named.get(shelf.facet(at) as usize) == Some(&true) && view.is_live(row) {
                tally.add(row, weights.about);
            }
        }
    }
}

fn names(word: &str, kind: Option<&Kind>, facets: &Facets) -> bool {
    let is = |name: &Option<String>| name.as_deref().is_some_and(|name| is_name(name, word));
    kind.is_some_and(|kind| kind.word() == facets.kind) || is(&facets.agent) || is(&facets.category)
}

/// What a question lists: all of a kind, of an agent, of a time. It names nothing else.
pub(super) struct Listing {
    kinds: Vec<Kind>,
    agents: Vec<String>,
    time: Option<DateRange>,
}

impl Listing {
    /// `None` where a question asks for more than a kind or a time.
    pub(super) fn of(
        view: &View,
        faint: &Faint<'_>,
        named: Option<&NamedTime>,
        terms: &[QueryTerm],
    ) -> Option<Self> {
        let (mut kinds, mut agents) = (Vec::new(), Vec::new());
        for term in terms.iter().filter(|term| !term.stop) {
            let word = term.word();
            let is_time = named
                .is_some_and(|named| named.words.iter().any(|time| time.contains(word)) || is_date(word));
            if is_time || faint.is_cue(word) {
                continue;
            } else if let Some(kind) = Kind::asked_for(word) {
                kinds.push(kind);
            } else if has_agent(view, word) {
                agents.push(word.to_owned());
            } else if !is_general(word) {
                return None;
            }
        }
        let lists = !kinds.is_empty() || named.is_some();
        lists.then(|| Self { kinds, agents, time: named.map(|named| named.range) })
    }

    /// The memories that it lists, newest first, before those that were found otherwise.
    pub(super) fn put_first(&self, view: &View, gate: &Gate<'_>, found: Vec<Ranked>) -> Vec<Ranked> {
        let score = found.first().map_or(1.0, |best| best.score.max(1.0));
        let prior = if self.kinds.is_empty() { Prior::Time } else { Prior::Words };
        let all = newest(view, gate).into_iter().filter(|ranked| self.has(view, ranked.row));
        let mut listed: Vec<Ranked> = all.map(|ranked| Ranked::by(ranked.row, prior, score)).collect();
        if !listed.is_empty() && self.kinds.is_empty() {
            return listed;
        }
        let rows: HashSet<u32> = listed.iter().map(|ranked| ranked.row).collect();
        listed.extend(found.into_iter().filter(|ranked| !rows.contains(&ranked.row)));
        listed
    }

    fn has(&self, view: &View, row: u32) -> bool {
        let Some((shelf, at)) = view.place(row) else { return false };
        let created = shelf.created(at);
        let is_then = self.time.as_ref().is_none_or(|time| created > 0 && time.contains(Time(created)));
        let Some(facets) = shelf.facets().get(shelf.facet(at) as usize) else { return false };
        let is_kind = self.kinds.is_empty() || self.kinds.iter().any(|kind| kind.word() == facets.kind);
        let is_agent = |word: &String| facets.agent.as_deref().is_some_and(|agent| is_name(agent, word));
        is_then && is_kind && (self.agents.is_empty() || self.agents.iter().any(is_agent))
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

fn has_agent(view: &View, word: &str) -> bool {
    let is = |facets: &Facets| facets.agent.as_deref().is_some_and(|agent| is_name(agent, word));
    view.shelves().any(|(shelf, _)| shelf.facets().iter().any(is))
}
