//! The picture that a question is asked of: the index on disk, the memories it does not have yet, and what ranking
//! needs to know of all of them together.

use std::collections::HashMap;

use memory_core::rank::Facts;

use crate::error::Result;
use crate::index::{self, Index, Ram, Shelf};
use crate::model::Embedder;
use crate::store::Store;

/// Everything searchable at one moment.
pub(super) struct View {
    parts: Vec<Part>,
    pub(super) facts: Facts,
    /// The end of the log at that moment.
    head: (i64, String),
    /// How many memories were read because no index has them.
    pub(super) behind: usize,
    /// Why there is no index, if there should be one.
    pub(super) broken: Option<String>,
}

struct Part {
    index: Box<dyn Index + Send>,
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
        let opened = match index::open(&store.disk().index(), embedder.name()) {
            _ if from == Use::FilesAlone => None,
            Ok(Some(opened)) if store.knows(opened.marked.seq, &opened.marked.hash) => Some(opened),
            Ok(Some(_)) => {
                broken = Some("it belongs to another ledger".to_owned());
                None
            }
            Ok(None) => None,
            Err(error) => {
                broken = Some(error.to_string());
                None
            }
        };
        let mut entries = Vec::new();
        let mut indexes: Vec<Box<dyn Index + Send>> = Vec::new();
        match opened {
            Some(mut opened) => {
                let changes = store.changes_after(opened.marked.seq)?;
                let ids = store.ids_of(&changes)?;
                opened.supersede(ids.iter().map(|id| id.as_str()))?;
                for id in &ids {
                    entries.extend(store.current(id)?);
                }
                indexes.push(Box::new(opened));
            }
            None => store.each_entry(&mut |entry| {
                entries.push(entry);
                Ok(())
            })?,
        }
        let behind = entries.len();
        if behind > 0 {
            indexes.push(Box::new(Ram::of(index::read_all(entries, embedder)?, embedder.dims())));
        }
        Ok(Self::join(indexes, store.head(), behind, broken))
    }

    fn join(
        indexes: Vec<Box<dyn Index + Send>>,
        head: (i64, String),
        behind: usize,
        broken: Option<String>,
    ) -> Self {
        let mut parts = Vec::new();
        let mut facts = Facts { session_words: vec![0], ..Facts::default() };
        let mut numbers: HashMap<u64, u32> = HashMap::from([(0, 0)]);
        for index in indexes {
            let start = facts.lengths.len() as u32;
            let mut starts = Vec::new();
            for shelf in index.shelves() {
                let first = facts.lengths.len();
                starts.push(first as u32);
                let sessions: Vec<u32> = shelf
                    .sessions()
                    .map(|session| {
                        let next = numbers.len() as u32;
                        *numbers.entry(session).or_insert(next)
                    })
                    .collect();
                facts.session_words.resize(numbers.len(), 0);
                facts.lengths.extend(shelf.lengths());
                facts.sessions.reserve(shelf.rows());
                for row in 0..shelf.rows() {
                    let session = sessions.get(shelf.session(row) as usize).copied().unwrap_or(0);
                    facts.sessions.push(session);
                    if index.is_live(first as u32 - start + row as u32) {
                        let words = facts.lengths[first + row];
                        facts.live += 1;
                        facts.words += u64::from(words);
                        facts.session_words[session as usize] += u32::from(words).max(1);
                    }
                }
            }
            parts.push(Part { index, starts, start });
        }
        facts.session_count = facts.session_words.iter().skip(1).filter(|words| **words > 0).count();
        Self { parts, facts, head, behind, broken }
    }

    /// Whether this is still the picture.
    pub(super) fn is_current(&self, store: &Store) -> bool {
        self.head == store.head()
    }

    pub(super) fn rows(&self) -> usize {
        self.facts.lengths.len()
    }

    /// Each index with the number of its first row.
    pub(super) fn indexes(&self) -> impl Iterator<Item = (&dyn Index, u32)> {
        self.parts.iter().map(|part| (&*part.index as &dyn Index, part.start))
    }

    /// Each shelf with the number of its first row.
    pub(super) fn shelves(&self) -> impl Iterator<Item = (&Shelf, u32)> {
        self.parts.iter().flat_map(|part| part.index.shelves().iter().zip(part.starts.iter().copied()))
    }

    pub(super) fn is_live(&self, row: u32) -> bool {
        let part = self.parts.iter().rev().find(|part| part.start <= row);
        part.is_some_and(|part| part.index.is_live(row - part.start))
    }

    /// Where a row stands.
    pub(super) fn place(&self, row: u32) -> Option<(&Shelf, usize)> {
        let part = self.parts.iter().rev().find(|part| part.start <= row)?;
        let n = part.starts.iter().rposition(|start| *start <= row)?;
        part.index.shelves().get(n).map(|shelf| (shelf, (row - part.starts[n]) as usize))
    }
}
