//! The index in memory: what the ledger holds that no index on disk holds yet, and everything when there is none.

use std::collections::{BTreeMap, HashMap};

use tantivy::directory::OwnedBytes;

use super::shelf::{Shelf, lay_out};
use super::words::{Field, Words};
use super::{Index, Near, Wanted};
use crate::error::Result;

/// The rows that hold a term, each with the places where.
type Rows = Vec<(u32, Vec<u32>)>;

/// Memories in memory.
pub(crate) struct Ram {
    shelf: Vec<Shelf>,
    /// The rows of each field's terms, in the order of [`Field::ALL`].
    postings: [HashMap<String, Rows>; 5],
    /// The words as written, in order.
    vocabulary: BTreeMap<String, u32>,
}

impl Ram {
    pub(crate) fn of(words: Vec<Words>, dims: usize) -> Self {
        let mut postings: [HashMap<String, Rows>; 5] = Default::default();
        let mut cards = Vec::with_capacity(words.len());
        for (row, words) in words.into_iter().enumerate() {
            let row = row as u32;
            for (postings, placed) in postings.iter_mut().zip(words.fields) {
                for (term, position) in placed.iter() {
                    if !postings.contains_key(term) {
                        postings.insert(term.to_owned(), Rows::new());
                    }
                    let Some(rows) = postings.get_mut(term) else { continue };
                    match rows.last_mut() {
                        Some((last, positions)) if *last == row => positions.push(position),
                        _ => rows.push((row, vec![position])),
                    }
                }
            }
            cards.push(words.card);
        }
        let vocabulary = postings[Field::Word as usize]
            .iter()
            .map(|(term, rows)| (term.clone(), rows.len() as u32))
            .collect();
        let shelf = Shelf::open(OwnedBytes::new(lay_out(&cards, dims)));
        Self { shelf: shelf.into_iter().collect(), postings, vocabulary }
    }
}

impl Index for Ram {
    fn shelves(&self) -> &[Shelf] {
        &self.shelf
    }

    fn live(&self) -> Option<&[bool]> {
        None
    }

    fn knows(&self, field: Field, term: &str) -> Result<bool> {
        Ok(self.postings[field as usize].contains_key(term))
    }

    fn postings(&self, field: Field, term: &str, each: &mut dyn FnMut(u32, u32)) -> Result<()> {
        for (row, positions) in self.postings[field as usize].get(term).into_iter().flatten() {
            each(*row, positions.len() as u32);
        }
        Ok(())
    }

    fn positions(
        &self,
        field: Field,
        term: &str,
        wanted: &dyn Fn(u32) -> bool,
        each: &mut dyn FnMut(u32, &[u32]),
    ) -> Result<()> {
        let rows = self.postings[field as usize].get(term).into_iter().flatten();
        for (row, positions) in rows.filter(|(row, _)| wanted(*row)) {
            each(*row, positions);
        }
        Ok(())
    }

    fn near(&self, wanted: &Wanted<'_>, each: &mut dyn FnMut(Near)) -> Result<()> {
        match wanted {
            Wanted::Beginning(word) => {
                let from = self.vocabulary.range((*word).to_owned()..);
                for (term, &rows) in from.take_while(|(term, _)| term.starts_with(word)) {
                    each(Near { term: term.clone(), rows, distance: 0 });
                }
            }
            Wanted::Misspelt(word, dfa) => {
                for (term, &rows) in &self.vocabulary {
                    let apart = term.chars().count().abs_diff(word.chars().count());
                    if apart <= 2
                        && let levenshtein_automata::Distance::Exact(distance) = dfa.eval(term)
                    {
                        each(Near { term: term.clone(), rows, distance });
                    }
                }
            }
        }
        Ok(())
    }
}
