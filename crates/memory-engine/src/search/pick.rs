//! From scores to an order: who may answer, who is worth a look, and how each signal counts.

use std::collections::{HashMap, HashSet};

use memory_core::memory::Holds;
use memory_core::query::Query;
use memory_core::rank::{
    Asked, Candidate, Ranked, Reach, Scales, Tally, Weights, by_age, fuse, over_sessions, scale,
    worth_showing,
};
use memory_core::scope::{Audience, SourceClass};
use memory_core::text::DateRange;
use memory_core::time::Time;

use super::called::Called;
use super::few::{Few, TOGETHER};
use super::gather::Sought;
use super::nearness::Nearness;
use super::order::{BEST, in_order};
use super::phrase::{with_phrase, with_tag, with_word};
use super::view::View;
use crate::error::Result;
use crate::index::{Facets, number_of};
use crate::model::Embedder;

/// Rows of each list that are looked at closely.
pub(super) const CLOSE_LOOK: usize = 400;
/// A memory without any word of the question must be this near in meaning, and this far above the middle.
const NEAR_ENOUGH: f32 = 0.30;
const FAR_ABOVE: f32 = 2.5;
/// Where no memory holds any of several words, so many may answer that are less near than that: whoever asks in other
/// words is better served by a few that may be it than by none.
const SOME: usize = 5;
const NEAR_AT_ALL: f32 = 0.20;
const ABOVE_AT_ALL: f32 = 1.5;
/// The fewer memories there are, the less their middle tells; with so many it counts half.
const FEW: f32 = 40.0;

/// Which rows may answer. A row is looked at only when something else speaks for it.
pub(super) struct Gate<'a> {
    view: &'a View,
    /// Of each facet of each shelf: whether it is wanted, and whether the asker may see it.
    facets: Vec<Vec<(bool, bool)>>,
    since: Option<Time>,
    until: Option<Time>,
    only: Vec<HashSet<u32>>,
    without: HashSet<u32>,
    /// Rows whose place another took are not wanted.
    holding_only: bool,
    /// Nothing stands in anybody's way.
    open: bool,
}

impl<'a> Gate<'a> {
    pub(super) fn of(view: &'a View, query: &Query, holds: Holds, audience: &Audience) -> Result<Self> {
        let filter = &query.filter;
        let of_facets =
            |facets: &Facets| (wanted(query, facets), audience.may_see(&facets.scope, facets.sensitivity));
        let facets: Vec<Vec<_>> =
            view.shelves().map(|(shelf, _)| shelf.facets().iter().map(of_facets).collect()).collect();
        let mut only = Vec::new();
        for tag in &filter.tags.yes {
            only.push(with_tag(view, tag.as_str())?);
        }
        for phrase in &query.phrases {
            only.push(with_phrase(view, phrase)?);
        }
        let mut without = HashSet::new();
        for tag in &filter.tags.no {
            without.extend(with_tag(view, tag.as_str())?);
        }
        for word in &query.not {
            without.extend(if word.contains(char::is_whitespace) {
                with_phrase(view, word)?
            } else {
                with_word(view, word)?
            });
        }
        let (since, until) = (filter.since, filter.until);
        let holding_only = holds == Holds::Now && view.has_superseded();
        let open = view.is_all_live()
            && since.is_none()
            && until.is_none()
            && only.is_empty()
            && without.is_empty()
            && !holding_only
            && facets.iter().flatten().all(|facets| *facets == (true, true));
        Ok(Self { view, facets, since, until, only, without, holding_only, open })
    }

    /// Whether every row may answer.
    pub(super) fn is_open(&self) -> bool {
        self.open
    }

    pub(super) fn lets_in(&self, row: u32) -> bool {
        self.open || self.standing(row) == Some(true)
    }

    /// Whether only its scope or sensitivity keeps a row back.
    pub(super) fn hides(&self, row: u32) -> bool {
        !self.open && self.standing(row) == Some(false)
    }

    /// Whether the asker would see a row if nothing had taken its place.
    pub(super) fn leaves_behind(&self, row: u32) -> bool {
        let is_superseded = self.view.place(row).is_some_and(|(shelf, at)| shelf.flags(at).superseded);
        self.holding_only && is_superseded && self.standing_of_any(row) == Some(true)
    }

    /// Whether the asker may see a row; `None` when it is not wanted.
    fn standing(&self, row: u32) -> Option<bool> {
        let (shelf, at) = self.view.place(row)?;
        if self.holding_only && shelf.flags(at).superseded { None } else { self.standing_of_any(row) }
    }

    /// The same, whether or not another took its place.
    fn standing_of_any(&self, row: u32) -> Option<bool> {
        let (n, shelf, at) = self.view.numbered_place(row)?;
        let (wanted, seen) = self.facets.get(n)?.get(shelf.facet(at) as usize).copied()?;
        let created = Time(shelf.created(at));
        // Nobody knows the day of what has none.
        let dated = created > Time(0) || self.since.is_none() && self.until.is_none();
        let fits = wanted
            && dated
            && self.since.is_none_or(|since| created >= since)
            && self.until.is_none_or(|until| created < until)
            && !self.without.contains(&row)
            && self.only.iter().all(|rows| rows.contains(&row))
            && self.view.is_live(row);
        fits.then_some(seen)
    }
}

fn wanted(query: &Query, facets: &Facets) -> bool {
    let filter = &query.filter;
    let word = |wanted: &[String], no: &[String], value: Option<&str>| {
        (wanted.is_empty() || value.is_some_and(|value| wanted.iter().any(|want| want == value)))
            && !value.is_some_and(|value| no.iter().any(|not| not == value))
    };
    let words =
        |list: &[memory_core::id::AgentId]| list.iter().map(|id| id.as_str().to_owned()).collect::<Vec<_>>();
    let categories =
        |list: &[memory_core::id::Category]| list.iter().map(|id| id.as_str().to_owned()).collect::<Vec<_>>();
    let kinds =
        |list: &[memory_core::kind::Kind]| list.iter().map(|kind| kind.word().to_owned()).collect::<Vec<_>>();
    word(&words(&filter.agents.yes), &words(&filter.agents.no), facets.agent.as_deref())
        && word(
            &categories(&filter.categories.yes),
            &categories(&filter.categories.no),
            facets.category.as_deref(),
        )
        && word(&kinds(&filter.kinds.yes), &kinds(&filter.kinds.no), Some(&facets.kind))
}

/// What is known of a question.
pub(super) struct Question<'a> {
    pub(super) sought: &'a [Sought],
    pub(super) called: &'a Called,
    pub(super) embedder: &'a dyn Embedder,
    pub(super) asked: Asked,
    pub(super) time: Option<DateRange>,
    pub(super) now: Time,
    /// How many words were typed, small ones among them.
    pub(super) said: usize,
}

/// The rows worth showing, best first.
pub(super) fn rank(
    view: &View,
    gate: &Gate<'_>,
    tally: &Tally<'_>,
    meaning: &Nearness<'_>,
    question: &Question<'_>,
    weights: &Weights,
) -> Result<Vec<Ranked>> {
    let scored = tally.scored.iter().copied().filter(|&row| gate.lets_in(row));
    let mut chosen = best(view, scored.map(|row| (tally.rows[row as usize], row)).collect(), CLOSE_LOOK);
    let has_words = !chosen.is_empty();
    let middle = meaning.middle;
    let enough = near_enough(view, meaning, tally.scored.is_empty() && question.sought.len() > 1);
    let few = Few::of(question.sought, question.said);
    if let Some(few) = &few {
        // Long memories of the few words may stand behind many short ones of one word.
        let holders =
            tally.scored.iter().copied().filter(|&row| few.is_meant(row, tally) && gate.lets_in(row));
        chosen.extend(best(view, holders.map(|row| (tally.rows[row as usize], row)).collect(), TOGETHER));
    }
    chosen.extend(&meaning.nearest);
    chosen.sort_unstable();
    chosen.dedup();
    // What only its neighbours would bring in is no answer by itself.
    let chosen: Vec<(u32, f32)> = chosen
        .into_iter()
        .map(|row| (row, meaning.at(row)))
        .filter(|&(row, near)| {
            tally.rows[row as usize] > 0.0 || near >= enough || has_words && near > middle.max(0.0)
        })
        .collect();
    let mut candidates = candidates(view, &chosen, tally, meaning, question, weights);
    let scales = Scales {
        words: tally.scale(),
        enough_words: tally.enough(),
        session_words: scale(tally.sessions.iter().copied(), view.facts.session_count),
        meaning: meaning.spread,
        meaning_middle: middle,
    };
    let mut first = worth_showing(fuse(&candidates, question.asked, scales, weights));
    let best: Vec<u32> = first.iter().take(BEST).map(|ranked| ranked.row).collect();
    let worth = in_order(view, question.sought, &best)?;
    if !worth.is_empty() {
        for candidate in &mut candidates {
            candidate.in_order = worth.get(&candidate.row).copied().unwrap_or(0.0);
        }
        first = worth_showing(fuse(&candidates, question.asked, scales, weights));
    }
    if let Some(few) = &few {
        few.put_first(&mut first, tally);
    }
    if question.asked.reach != Reach::Place {
        over_sessions(&mut first, weights.again, |row| view.facts.session(row));
    }
    if let Some(age) = question.asked.first {
        by_age(&mut first, age);
    }
    Ok(first)
}

/// How near a memory without any word of the question must be; with `at_all` some may be farther than others must.
fn near_enough(view: &View, meaning: &Nearness<'_>, at_all: bool) -> f32 {
    let live = view.facts.live as f32;
    let above = |spreads: f32| meaning.middle + spreads * meaning.spread * live / (live + FEW);
    let enough = NEAR_ENOUGH.max(above(FAR_ABOVE));
    if !at_all {
        return enough;
    }
    let mut near: Vec<f32> = meaning.nearest.iter().map(|&row| meaning.at(row)).collect();
    near.sort_unstable_by(|a, b| b.total_cmp(a));
    let of_some = near.get(SOME - 1).copied().unwrap_or_default();
    enough.min(of_some.max(NEAR_AT_ALL).max(above(ABOVE_AT_ALL)))
}

/// What is known of the rows that are looked at closely.
fn candidates(
    view: &View,
    chosen: &[(u32, f32)],
    tally: &Tally<'_>,
    meaning: &Nearness<'_>,
    question: &Question<'_>,
    weights: &Weights,
) -> Vec<Candidate> {
    let sessions = Sessions::of(view, chosen, meaning);
    let names = question.sought.iter().flat_map(|word| word.spelt.iter().chain([&word.term.exact]));
    let speakers: HashSet<u32> =
        names.map(|name| number_of(name) as u32).chain(question.called.otherwise()).collect();
    chosen
        .iter()
        .filter_map(|&(row, near)| {
            let (shelf, at) = view.place(row)?;
            let flags = shelf.flags(at);
            let class = shelf.facets().get(shelf.facet(at) as usize).map(|facets| facets.class);
            let session = view.facts.session(row);
            let created = shelf.created(at);
            let member = ((created, shelf.order(at)), row);
            let (neighbour_words, neighbour_meaning) =
                sessions.around(member, session, tally, meaning, weights.farther);
            let speaker = flags.turn && speakers.contains(&shelf.speaker(at));
            let person = flags.turn && class >= Some(SourceClass::HumanEdit);
            Some(Candidate {
                row,
                words: tally.rows[row as usize],
                in_order: 0.0,
                meaning: near,
                session_words: if session > 0 { tally.sessions[session as usize] } else { 0.0 },
                session_meaning: sessions.best_meaning(session, meaning.middle),
                alone: session == 0 && view.facts.session_count > 0,
                neighbour_words,
                neighbour_meaning: if session > 0 { neighbour_meaning } else { meaning.middle },
                speaker,
                of_self: speaker && flags.of_self,
                tells: if flags.turn && shelf.speaker(at) > 0 {
                    question.embedder.tells(shelf.vector(at))
                } else {
                    0.0
                },
                names: speaker && flags.names,
                // Between people it is talk; to an agent it is a rule.
                says_how: person && flags.says_how && shelf.speaker(at) == 0,
                person,
                agent: flags.turn && class == Some(SourceClass::Agent),
                in_time: question.time.as_ref().is_some_and(|time| time.contains(Time(created))),
                soon_after: question.time.map_or(0.0, |time| time.soon_after(Time(created))),
                tells_time: flags.turn && flags.tells_time,
                asks: flags.turn && flags.asks,
                length: view.facts.lengths[row as usize],
                // Whole days, so that a question asked again has the same answer.
                days: (question.now.0.saturating_sub(created) / 86_400_000) as f32,
                trust: class.map_or(0.0, |class| f32::from(class as u8) / 6.0),
                order: (created, shelf.order(at)),
            })
        })
        .collect()
}

/// The rows that may answer, newest first, for a question without words.
pub(super) fn newest(view: &View, gate: &Gate<'_>) -> Vec<Ranked> {
    let rows = (0..view.rows() as u32).filter(|row| gate.lets_in(*row));
    let mut all: Vec<((i64, u64), u32)> = rows
        .filter_map(|row| view.place(row).map(|(shelf, at)| ((shelf.created(at), shelf.order(at)), row)))
        .collect();
    all.sort_unstable_by(|a, b| b.cmp(a));
    all.into_iter().map(|(_, row)| Ranked::unscored(row)).collect()
}

/// The best so many rows of a list. Many are equal where a word is common, and rows have other numbers in another index.
fn best(view: &View, mut all: Vec<(f32, u32)>, most: usize) -> Vec<u32> {
    if all.len() > most {
        let age = |row: u32| view.among_equals(row);
        all.select_nth_unstable_by(most, |a, b| b.0.total_cmp(&a.0).then_with(|| age(a.1).cmp(&age(b.1))));
        all.truncate(most);
    }
    all.into_iter().map(|(_, row)| row).collect()
}

/// When a memory was kept, and its row.
type Member = ((i64, u64), u32);

/// The sessions of the candidates, each in its order.
struct Sessions {
    members: HashMap<u32, Vec<Member>>,
    meaning: HashMap<u32, f32>,
}

impl Sessions {
    fn of(view: &View, chosen: &[(u32, f32)], meaning: &Nearness<'_>) -> Self {
        let mut members: HashMap<u32, Vec<Member>> = HashMap::new();
        let mut best: HashMap<u32, f32> = HashMap::new();
        if view.facts.session_count == 0 {
            return Self { members, meaning: best };
        }
        let mut wanted = vec![false; view.facts.session_words.len()];
        chosen.iter().for_each(|&(row, _)| wanted[view.facts.session(row) as usize] = true);
        wanted[0] = false;
        for (shelf, start) in view.shelves() {
            for at in 0..shelf.rows() {
                let row = start + at as u32;
                let session = view.facts.session(row);
                if wanted[session as usize] && view.is_live(row) {
                    members.entry(session).or_default().push(((shelf.created(at), shelf.order(at)), row));
                    let near = meaning.at(row);
                    best.entry(session).and_modify(|best| *best = best.max(near)).or_insert(near);
                }
            }
        }
        members.values_mut().for_each(|rows| rows.sort_unstable());
        Self { members, meaning: best }
    }

    fn best_meaning(&self, session: u32, middle: f32) -> f32 {
        self.meaning.get(&session).copied().unwrap_or(middle)
    }

    /// The best of the memories just before and after a member of a session; the words of those one farther count in part.
    fn around(
        &self,
        member: Member,
        session: u32,
        tally: &Tally<'_>,
        meaning: &Nearness<'_>,
        farther: f32,
    ) -> (f32, f32) {
        let Some(members) = self.members.get(&session) else { return (0.0, 0.0) };
        let Ok(at) = members.binary_search(&member) else { return (0.0, 0.0) };
        let beside = |step: usize| {
            let places = [at.checked_sub(step), Some(at + step)].into_iter().flatten();
            places.filter_map(|n| members.get(n)).map(|(_, row)| *row)
        };
        let words = |step: usize| beside(step).map(|row| tally.rows[row as usize]).fold(0.0_f32, f32::max);
        let near = beside(1).map(|row| meaning.at(row)).fold(0.0_f32, f32::max);
        (words(1) + farther * words(2), near)
    }
}
