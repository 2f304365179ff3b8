//! Lexical scores: BM25 over several fields, of each memory and of each session as a whole.
//!
//! Terms come one after the other; of each, all places are told before it is closed, so the number of memories
//! that hold it is exact.

use super::fuse::scale;
use super::weights::Weights;

/// So many of the words that tell most are expected of a good answer.
const EXPECTED: usize = 4;
/// Whoever holds all of those is at most so many spreads away from none.
const OF_EXPECTED: f32 = 5.0;
/// With this share of those a word is not there by chance.
const ENOUGH: f32 = 0.7;

/// What the scores need to know of all rows.
#[derive(Debug, Clone, Default)]
pub struct Facts {
    /// Words in the body of each row.
    pub lengths: Vec<u16>,
    /// How many rows are memories.
    pub live: usize,
    /// Words in all of those.
    pub words: u64,
    /// The session of each row, 0 for none; empty when no row has one.
    pub sessions: Vec<u32>,
    /// Words in each session.
    pub session_words: Vec<u32>,
    /// How many sessions hold a memory, not counting 0.
    pub session_count: usize,
}

impl Facts {
    /// The session of a row, 0 for none.
    pub fn session(&self, row: u32) -> u32 {
        self.sessions.get(row as usize).copied().unwrap_or(0)
    }

    fn average(&self) -> f32 {
        (self.words as f32 / self.live.max(1) as f32).max(1.0)
    }

    fn session_average(&self) -> f32 {
        let words: u64 = self.session_words.iter().skip(1).map(|&words| u64::from(words)).sum();
        (words as f32 / self.session_count.max(1) as f32).max(1.0)
    }
}

/// Scores in the making.
pub struct Tally<'a> {
    facts: &'a Facts,
    weights: &'a Weights,
    average: f32,
    session_average: f32,
    /// Weighted counts of the term at hand, and the rows that have any.
    counts: Vec<f32>,
    /// The same of headings, which are scored by themselves; empty until one holds a term.
    headings: Vec<f32>,
    touched: Vec<u32>,
    /// Wider than the counts, so that the order in which its rows come does not matter to the last bit.
    session_counts: Vec<f64>,
    session_touched: Vec<u32>,
    /// The lexical score of each row.
    pub rows: Vec<f32>,
    /// The rows that have one.
    pub scored: Vec<u32>,
    /// How many of the words that were [`Self::hold`] each row holds; empty when none was.
    held: Vec<u8>,
    /// The lexical score of each session.
    pub sessions: Vec<f32>,
    /// How much each term tells.
    told: Vec<f32>,
}

impl<'a> Tally<'a> {
    /// Nothing counted yet.
    pub fn new(facts: &'a Facts, weights: &'a Weights) -> Self {
        let sessions = facts.session_words.len();
        Self {
            facts,
            weights,
            average: facts.average(),
            session_average: facts.session_average(),
            counts: nothing(facts.lengths.len()),
            headings: Vec::new(),
            touched: Vec::new(),
            session_counts: vec![0.0; sessions],
            session_touched: Vec::new(),
            rows: nothing(facts.lengths.len()),
            scored: Vec::new(),
            held: Vec::new(),
            sessions: vec![0.0; sessions],
            told: Vec::new(),
        }
    }

    /// The term at hand stands in the body of a row this often, counted by this much.
    pub fn body(&mut self, row: u32, often: f32) {
        let Some(&length) = self.facts.lengths.get(row as usize) else { return };
        let b = self.weights.length;
        let longer = (f32::from(length) / self.average).min(self.weights.longest);
        self.add(row, often / (1.0 - b + b * longer));
        let session = self.facts.session(row);
        if session > 0
            && let Some(count) = self.session_counts.get_mut(session as usize)
        {
            if *count == 0.0 {
                self.session_touched.push(session);
            }
            *count += f64::from(often);
        }
    }

    /// The term at hand stands in the heading of a row this often.
    pub fn heading(&mut self, row: u32, often: f32) {
        self.touch(row);
        if self.headings.is_empty() {
            self.headings = nothing(self.counts.len());
        }
        if let Some(count) = self.headings.get_mut(row as usize) {
            *count += often;
        }
    }

    /// The term at hand stands in a field of a row whose length does not matter, counted by this much.
    pub fn add(&mut self, row: u32, often: f32) {
        self.touch(row);
        if let Some(count) = self.counts.get_mut(row as usize) {
            *count += often;
        }
    }

    fn touch(&mut self, row: u32) {
        let n = row as usize;
        if self.counts.get(n) == Some(&0.0) && self.headings.get(n).is_none_or(|count| *count == 0.0) {
            self.touched.push(row);
        }
    }

    /// The rows among these that do not hold the term at hand, each once.
    pub fn without(&self, rows: &[u32]) -> Vec<u32> {
        let counts = |counts: &[f32], row: u32| counts.get(row as usize).is_some_and(|count| *count != 0.0);
        let holds = |row: u32| counts(&self.counts, row) || counts(&self.headings, row);
        let mut rows: Vec<u32> = rows.iter().copied().filter(|&row| !holds(row)).collect();
        rows.sort_unstable();
        rows.dedup();
        rows
    }

    /// The term at hand is one of the words that are meant to stand together; some rows hold it in other words.
    pub fn hold(&mut self, otherwise: &[u32]) {
        if self.held.is_empty() {
            self.held = vec![0; self.counts.len()];
        }
        for &row in self.touched.iter().chain(otherwise) {
            if let Some(held) = self.held.get_mut(row as usize) {
                *held = held.saturating_add(1);
            }
        }
    }

    /// How many of the words that are meant to stand together a row holds.
    pub fn held(&self, row: u32) -> usize {
        self.held.get(row as usize).copied().unwrap_or(0).into()
    }

    /// The term is complete; it counts this much. So many rows hold it in other words alone. Gives the number of those that
    /// hold it itself.
    pub fn close(&mut self, weight: f32, otherwise: usize) -> usize {
        let found = self.touched.len();
        self.told.push(rarity(self.facts.live, found + otherwise) * weight);
        self.close_beside(weight);
        found
    }

    /// The same for the other words of a term that was closed before: nobody is expected to hold both.
    pub fn close_beside(&mut self, weight: f32) {
        let k = self.weights.saturation;
        let rarity = rarity(self.facts.live, self.touched.len()) * weight;
        for row in self.touched.drain(..) {
            let count = std::mem::take(&mut self.counts[row as usize]);
            let heading = self.headings.get_mut(row as usize).map_or(0.0, std::mem::take);
            let saturated = |count: f32| count * (k + 1.0) / (count + k);
            let score = &mut self.rows[row as usize];
            let before = std::mem::replace(
                score,
                *score + rarity * (saturated(count) + self.weights.title * saturated(heading)),
            );
            if before == 0.0 && *score > 0.0 {
                self.scored.push(row);
            }
        }
        if self.facts.session_count > 1 {
            let rarity = self::rarity(self.facts.session_count, self.session_touched.len()) * weight;
            let b = self.weights.session_length;
            for session in self.session_touched.drain(..) {
                let count = std::mem::take(&mut self.session_counts[session as usize]) as f32;
                let words = self.facts.session_words[session as usize] as f32;
                let count = count / (1.0 - b + b * words / self.session_average);
                self.sessions[session as usize] += rarity * count * (k + 1.0) / (count + k);
            }
        }
    }

    /// By what lexical scores are divided. Among a few notes one common word may be all that anybody holds of a question;
    /// measured by the best of them alone it would count as much as the whole question. Conversations are asked in other
    /// words than they were held in, so that holding one of four is a lot there.
    pub fn scale(&self) -> f32 {
        let spread = scale(self.scored.iter().map(|&row| self.rows[row as usize]), self.facts.live);
        match self.facts.session_count {
            0 => spread.max(self.for_holding(EXPECTED) / OF_EXPECTED),
            _ => spread,
        }
    }

    /// From so much on words count in full. Whoever asks for a note in other words than it was kept in holds some word of a
    /// note that is about something else, so what hardly holds anything of the question must not stand before what means it.
    pub fn enough(&self) -> f32 {
        match self.facts.session_count {
            0 => ENOUGH * self.for_holding(EXPECTED),
            _ => 0.0,
        }
    }

    /// What a memory would have for holding so many of the terms that tell most, once each.
    fn for_holding(&self, most: usize) -> f32 {
        let mut told = self.told.clone();
        told.sort_unstable_by(|a, b| b.total_cmp(a));
        told.iter().take(most).sum()
    }

    /// The rows that hold the term at hand.
    pub fn touched(&self) -> &[u32] {
        &self.touched
    }
}

/// Zeros that are written. The system gives plain zeros as one page that is shared until somebody writes, so that each page
/// would be met twice, and while another thread runs the second time costs more than all of the counting.
fn nothing(count: usize) -> Vec<f32> {
    vec![-0.0; count]
}

/// How much a term tells that stands in so many of all.
pub fn rarity(all: usize, found: usize) -> f32 {
    let (all, found) = (all.max(found) as f32, found as f32);
    (1.0 + (all - found + 0.5) / (found + 0.5)).ln()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_holding_the_words_that_tell_most_is_worth() {
        let facts = Facts { lengths: vec![5; 10], live: 10, words: 50, ..Facts::default() };
        let weights = Weights::default();
        let mut tally = Tally::new(&facts, &weights);
        for rows in [1, 9, 0, 2] {
            (0..rows).for_each(|row| tally.body(row, 1.0));
            tally.close(1.0, 0);
        }
        // The word that nobody holds tells most, the one that nearly everybody holds least.
        assert_eq!(tally.for_holding(2), rarity(10, 0) + rarity(10, 1));
        assert_eq!(tally.for_holding(9), [0, 1, 2, 9].map(|found| rarity(10, found)).iter().sum::<f32>());
        assert_eq!(tally.enough(), ENOUGH * tally.for_holding(EXPECTED));
        // What is told in other words alone is expected as often as these are.
        let mut told = Tally::new(&facts, &weights);
        told.close(1.0, 3);
        (0..3).for_each(|row| told.body(row, 1.0));
        told.close_beside(1.0);
        assert_eq!(told.for_holding(9), rarity(10, 3));
        let talk =
            Facts { session_words: vec![0, 50], session_count: 1, sessions: vec![1; 10], ..facts.clone() };
        assert_eq!(Tally::new(&talk, &weights).enough(), 0.0, "people talk in other words than they ask in");
    }

    #[test]
    fn the_order_of_rows_does_not_matter_to_a_session() {
        let rows = 60;
        let facts = Facts {
            lengths: vec![20; rows],
            live: rows,
            words: 1200,
            sessions: (0..rows as u32).map(|row| 1 + row % 2).collect(),
            session_words: vec![0, 600, 600],
            session_count: 2,
        };
        let weights = Weights::default();
        let sessions = |order: &mut dyn Iterator<Item = u32>| {
            let mut tally = Tally::new(&facts, &weights);
            order.for_each(|row| tally.body(row, 0.01 + row as f32 / 7000.0));
            tally.close(1.0, 0);
            tally.sessions.iter().map(|score| score.to_bits()).collect::<Vec<_>>()
        };
        assert_eq!(sessions(&mut (0..60)), sessions(&mut (0..60).rev()));
    }
}
