//! Names in a question of people who speak: their own, and those by which people are called who speak under another one, a
//! nickname or a name behind a handle.
//!
//! Whoever calls somebody by name does so again and again, and nobody calls themselves. So a name that one speaker alone
//! says, in most of the sessions that they have with one and the same other, is the name of that other.

use std::collections::{HashMap, HashSet};

use memory_core::text::{Asked, QueryTerm, folded};

use super::pick::Gate;
use super::view::View;
use crate::error::Result;
use crate::index::{Field, number_of};

/// Who speaks less often may be a word before a colon.
const SPEAKS: usize = 3;
/// Names of a question that are looked at.
const MOST_NAMES: usize = 8;
/// In fewer sessions somebody may be spoken of instead of to.
const SESSIONS: usize = 4;
/// Who says a name says it so often of twenty times.
const OF_TWENTY: usize = 19;

/// The names in a question of those who speak.
#[derive(Debug, Default)]
pub(super) struct Called {
    /// Names under which nobody speaks, each with the number of the speaker who is called so.
    otherwise: HashMap<String, u32>,
    /// Names under which somebody speaks.
    own: HashSet<String>,
}

impl Called {
    /// Reads a question.
    pub(super) fn of(view: &View, gate: &Gate<'_>, question: &str, terms: &[QueryTerm]) -> Result<Self> {
        if view.facts.session_count == 0 {
            return Ok(Self::default());
        }
        let own = speaking(view, gate, terms);
        if view.facts.session_count < SESSIONS {
            return Ok(Self { own, ..Self::default() });
        }
        let names = names_in(question);
        let is_name = |term: &&QueryTerm| term.asked == Asked::Word && names.contains(term.word());
        let mut otherwise = HashMap::new();
        let mut rooms = None;
        for term in terms.iter().filter(is_name).take(MOST_NAMES) {
            let Some((caller, sessions)) = caller(view, gate, &term.exact)? else { continue };
            let rooms = rooms.get_or_insert_with(|| rooms_of(view, gate));
            if let Some(other) = other(rooms, caller, &sessions, number_of(&term.exact) as u32) {
                otherwise.insert(term.exact.clone(), other);
            }
        }
        Ok(Self { otherwise, own })
    }

    /// Whether a word is the name of somebody who speaks.
    pub(super) fn is(&self, name: &str) -> bool {
        self.otherwise.contains_key(name) || self.own.contains(name)
    }

    /// Those whom the question calls otherwise than they are known.
    pub(super) fn otherwise(&self) -> impl Iterator<Item = u32> {
        self.otherwise.values().copied()
    }
}

/// The words of a question under which somebody speaks. `Error: …` is nobody: where people are named, all are.
fn speaking(view: &View, gate: &Gate<'_>, terms: &[QueryTerm]) -> HashSet<String> {
    let wanted: HashMap<u32, &str> =
        terms.iter().map(|term| (number_of(&term.exact) as u32, term.exact.as_str())).collect();
    let all_live = view.is_all_live();
    let mut has_nobody = vec![false; view.facts.session_words.len()];
    let mut said: Vec<(&str, u32)> = Vec::new();
    // Two people speak in turn, so the last two need not be looked up again.
    let mut last: [(u32, Option<&str>); 2] = [(0, None); 2];
    for (shelf, start) in view.shelves() {
        for at in 0..shelf.rows() {
            let row = start + at as u32;
            let session = view.facts.session(row);
            match shelf.speaker(at) {
                _ if session == 0 || !all_live && !view.is_live(row) => {}
                0 => has_nobody[session as usize] = true,
                speaker => {
                    if last[0].0 != speaker {
                        last.swap(0, 1);
                    }
                    if last[0].0 != speaker {
                        last[0] = (speaker, wanted.get(&speaker).copied());
                    }
                    let name = last[0].1.filter(|_| gate.lets_in(row));
                    said.extend(name.map(|name| (name, session)));
                }
            }
        }
    }
    let mut often: HashMap<&str, usize> = HashMap::new();
    for (name, _) in said.into_iter().filter(|(_, session)| !has_nobody[*session as usize]) {
        *often.entry(name).or_default() += 1;
    }
    often.into_iter().filter(|(_, often)| *often >= SPEAKS).map(|(name, _)| name.to_owned()).collect()
}

/// The words of a question that begin with a capital, as they are looked for.
fn names_in(question: &str) -> HashSet<String> {
    let words = question.split(|c: char| !c.is_alphanumeric());
    words.filter(|word| word.starts_with(char::is_uppercase)).map(folded).collect()
}

/// The speaker who says a name, where it is one alone, and the sessions in which they do.
fn caller(view: &View, gate: &Gate<'_>, name: &str) -> Result<Option<(u32, HashSet<u32>)>> {
    let mut said: HashMap<u32, (usize, HashSet<u32>)> = HashMap::new();
    for (index, start) in view.indexes() {
        index.postings(Field::Word, name, &mut |row, _| {
            let (speaker, session) = spoken(view, start + row);
            if speaker > 0 && gate.lets_in(start + row) {
                let (times, sessions) = said.entry(speaker).or_default();
                *times += 1;
                sessions.insert(session);
            }
        })?;
    }
    let all: usize = said.values().map(|(times, _)| times).sum();
    let most = said.into_iter().max_by_key(|(speaker, (times, _))| (*times, *speaker));
    Ok(most.and_then(|(speaker, (times, sessions))| {
        (20 * times >= OF_TWENTY * all && sessions.len() >= SESSIONS).then_some((speaker, sessions))
    }))
}

/// Who speaks in a row, and in which session; 0 for nobody who is known by name.
fn spoken(view: &View, row: u32) -> (u32, u32) {
    let speaker = view.place(row).map_or(0, |(shelf, at)| shelf.speaker(at));
    match view.facts.session(row) {
        0 => (0, 0),
        session => (speaker, session),
    }
}

/// The speakers of each session.
type Rooms = HashMap<u32, HashSet<u32>>;

fn rooms_of(view: &View, gate: &Gate<'_>) -> Rooms {
    let mut rooms = Rooms::new();
    for row in 0..view.rows() as u32 {
        let (speaker, session) = spoken(view, row);
        if speaker > 0 && gate.lets_in(row) {
            rooms.entry(session).or_default().insert(speaker);
        }
    }
    rooms
}

/// The one who is spoken to in all of these sessions, where they are most of those that the two have, and nobody speaks
/// under the name itself.
fn other(rooms: &Rooms, caller: u32, sessions: &HashSet<u32>, name: u32) -> Option<u32> {
    if rooms.values().any(|room| room.contains(&name)) {
        return None;
    }
    let others: HashSet<u32> =
        sessions.iter().filter_map(|session| rooms.get(session)).flatten().copied().collect();
    let mut others = others.into_iter().filter(|speaker| *speaker != caller);
    let other = others.next().filter(|_| others.next().is_none())?;
    let together = rooms.values().filter(|room| room.contains(&caller) && room.contains(&other)).count();
    (2 * sessions.len() >= together).then_some(other)
}
