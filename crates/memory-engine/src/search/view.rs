//! The picture that a question is asked of: the index on disk, the memories it does not have yet, and what ranking
//! needs to know of all of them together.

use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap};

use memory_core::kind::Kind;
use memory_core::rank::Facts;

use crate::error::Result;
use crate::index::{self, Index, Ram, Shelf, TURN};
use crate::model::Embedder;
use crate::store::Store;

/// Everything searchable at one moment.
pub(super) struct View {
    parts: Vec<Part>,
    pub(super) facts: Facts,
    /// The end of the log at that moment, or before it.
    head: (i64, String),
    /// Files that could not be read whole.
    away: BTreeSet<String>,
    /// How many memories were read because no index has them.
    pub(super) behind: usize,
    /// Why there is no index, if there should be one.
    pub(super) broken: Option<String>,
}

struct Part {
    index: Box<dyn Index + Send + Sync>,
    /// The first row of each shelf, counted through all parts.
    starts: Vec<u32>,
    start: u32,
}

/// What a picture is made from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Use {
    /// The index on disk, and the files for what it lacks.
    Index,
    /// The files alone.
    FilesAlone,
}

impl View {
    /// The picture now.
    pub(super) fn of(store: &mut Store, embedder: &dyn Embedder, from: Use) -> Result<Self> {
        let mut broken = None;
        let opened = match from {
            Use::FilesAlone => None,
            Use::Index => index::open(&store.disk().index(), embedder.name()).unwrap_or_else(|error| {
                broken = Some(index::why_not(error));
                None
            }),
        };
        let opened = opened.filter(|opened| {
            let ours = store.knows(opened.marked.seq, &opened.marked.hash);
            if !ours {
                broken = Some("it belongs to another ledger".to_owned());
            }
            ours
        });
        // What comes while the picture is made may or may not be in it; by this head it is looked for again.
        let head = store.head();
        let mut away;
        let mut entries = Vec::new();
        let mut indexes: Vec<Box<dyn Index + Send + Sync>> = Vec::new();
        match opened {
            Some(mut opened) => {
                let changes = store.changes_after(opened.marked.seq, &opened.marked.away)?;
                let ids = store.ids_of(&changes)?;
                opened.supersede(ids.iter().map(|id| id.as_str()))?;
                away = changes.away;
                away.extend(store.each_current(&ids, &mut |entry| entries.push(entry))?);
                indexes.push(Box::new(opened));
            }
            None => {
                away = store.each_entry(&mut |entry| {
                    entries.push(entry);
                    Ok(())
                })?;
            }
        }
        let behind = entries.len();
        if behind > 0 {
            let words = index::read_all(entries, embedder)?;
            indexes.push(Box::new(Ram::of(words, embedder.dims())));
        }
        let mut view = Self::join(indexes, head, behind, broken);
        view.away = away;
        Ok(view)
    }

    fn join(
        indexes: Vec<Box<dyn Index + Send + Sync>>,
        head: (i64, String),
        behind: usize,
        broken: Option<String>,
    ) -> Self {
        let mut parts = Vec::new();
        let mut facts = Facts::default();
        for index in indexes {
            let start = facts.lengths.len();
            let mut starts = Vec::new();
            for shelf in index.shelves() {
                starts.push(facts.lengths.len() as u32);
                facts.lengths.extend(shelf.lengths());
            }
            let lengths = &facts.lengths[start..];
            match index.live() {
                None => {
                    facts.live += lengths.len();
                    facts.words += lengths.iter().map(|&words| u64::from(words)).sum::<u64>();
                }
                Some(live) => {
                    for (&words, _) in lengths.iter().zip(live).filter(|(_, live)| **live) {
                        facts.live += 1;
                        facts.words += u64::from(words);
                    }
                }
            }
            parts.push(Part { index, starts, start: start as u32 });
        }
        let mut view = Self { parts, facts, head, away: BTreeSet::new(), behind, broken };
        view.number_sessions();
        view
    }

    /// Gives each session of turns one number in all shelves. What else was kept in one session may be about anything, so
    /// only turns speak for each other. Where there are none, nothing is looked at.
    fn number_sessions(&mut self) {
        let mut numbers: HashMap<u64, u32> = HashMap::from([(0, 0)]);
        let mut in_shelves: Vec<Vec<u32>> = Vec::new();
        for (shelf, _) in self.shelves() {
            let number = |session: u64| {
                let next = numbers.len() as u32;
                *numbers.entry(session).or_insert(next)
            };
            let has_turns = shelf.facets().iter().any(|facets| facets.kind == TURN);
            in_shelves.push(if has_turns { shelf.sessions().map(number).collect() } else { Vec::new() });
        }
        let mut words = vec![0; numbers.len()];
        if numbers.len() > 1 {
            let mut sessions = Vec::with_capacity(self.rows());
            for ((shelf, start), numbers) in self.shelves().zip(&in_shelves) {
                for row in 0..shelf.rows() {
                    let number = || numbers.get(shelf.session(row) as usize).copied();
                    let session = shelf.flags(row).turn.then(number).flatten().unwrap_or(0);
                    sessions.push(session);
                    if self.is_live(start + row as u32) {
                        let length = self.facts.lengths[start as usize + row];
                        words[session as usize] += u32::from(length).max(1);
                    }
                }
            }
            self.facts.sessions = sessions;
        }
        self.facts.session_count = words.iter().skip(1).filter(|words| **words > 0).count();
        self.facts.session_words = words;
    }

    /// Whether this is still the picture.
    pub(super) fn is_current(&self, store: &Store) -> bool {
        self.head == store.head() && !self.away.iter().any(|path| store.is_back(path).unwrap_or(true))
    }

    pub(super) fn rows(&self) -> usize {
        self.facts.lengths.len()
    }

    /// Each index with the number of its first row.
    pub(super) fn indexes(&self) -> impl Iterator<Item = (&dyn Index, u32)> {
        self.parts.iter().map(|part| (&*part.index as &dyn Index, part.start))
    }

    /// Whether every row is a memory.
    pub(super) fn is_all_live(&self) -> bool {
        self.parts.iter().all(|part| part.index.live().is_none())
    }

    /// Whether any row is a memory whose place another took.
    pub(super) fn has_superseded(&self) -> bool {
        self.shelves().any(|(shelf, _)| shelf.has_superseded())
    }

    /// Each shelf with the number of its first row.
    pub(super) fn shelves(&self) -> impl Iterator<Item = (&Shelf, u32)> {
        self.parts.iter().flat_map(|part| part.index.shelves().iter().zip(part.starts.iter().copied()))
    }

    pub(super) fn is_live(&self, row: u32) -> bool {
        let part = self.parts.iter().rev().find(|part| part.start <= row);
        let is = |part: &Part| {
            let live = part.index.live();
            live.is_none_or(|live| live.get((row - part.start) as usize).copied().unwrap_or(false))
        };
        part.is_some_and(is)
    }

    /// Where a row stands among equals, whatever its number is: the younger first.
    pub(super) fn among_equals(&self, row: u32) -> Reverse<(i64, u64)> {
        Reverse(self.place(row).map_or((0, 0), |(shelf, at)| (shelf.created(at), shelf.order(at))))
    }

    /// Of a task whether it is done; `None` of anything else.
    pub(super) fn is_done(&self, row: u32) -> Option<bool> {
        let (shelf, at) = self.place(row)?;
        let facets = shelf.facets().get(shelf.facet(at) as usize)?;
        (facets.kind == Kind::Task.word()).then(|| shelf.flags(at).done)
    }

    /// Where a row stands.
    pub(super) fn place(&self, row: u32) -> Option<(&Shelf, usize)> {
        self.numbered_place(row).map(|(_, shelf, at)| (shelf, at))
    }

    /// The same, with the number of the shelf among all.
    pub(super) fn numbered_place(&self, row: u32) -> Option<(usize, &Shelf, usize)> {
        let mut before = 0;
        let mut found = None;
        for part in self.parts.iter().take_while(|part| part.start <= row) {
            found = Some((before, part));
            before += part.starts.len();
        }
        let (before, part) = found?;
        let n = part.starts.iter().rposition(|start| *start <= row)?;
        let shelf = part.index.shelves().get(n)?;
        Some((before + n, shelf, (row - part.starts[n]) as usize))
    }
}
