//! The embedded table: one row of bytes per word piece. A text's vector is the sum of its pieces' rows, made one long;
//! what comes first says what a text is about and counts more, and a piece that comes again says little more.
//!
//! The file is used where it lies in the program: nothing is parsed or copied at start, and only the pages that a
//! text's pieces need are ever read. `tools/distill` makes it and describes its format.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Mutex;

use super::Embedder;
use super::add::add_scaled;
use super::fold::{each_word, humps};
use crate::error::Result;

static BUILT_IN: &[u8] = include_bytes!("../../assets/table.bin");

/// The version of the built-in table and of how it is read; it changes with both, so that old vectors are made anew.
const NAME: &str = "table-2";

/// Parts longer than this are digests or encoded blobs and mean nothing.
const LONGEST_PART: usize = 32;

/// Before a piece that goes on with a word.
const MARKS: &[u8] = b"##";

/// Words whose rows are kept in mind.
const MOST_KNOWN: usize = 20_000;

/// After so many pieces a piece counts half.
const FADES: f32 = 64.0;

/// A table of word pieces.
pub(crate) struct Table {
    rows: usize,
    dims: usize,
    offsets: &'static [u8],
    pieces: &'static [u8],
    scales: &'static [u8],
    numbers: &'static [u8],
    /// What was learnt of words from many texts, for the next ones who have as many.
    learnt: Mutex<Vec<Known>>,
}

impl Table {
    /// The table in the program. A table that does not fit its own header has no rows and knows no word.
    pub(crate) fn built_in() -> Self {
        Self::of(BUILT_IN).unwrap_or(Self {
            rows: 0,
            dims: 1,
            offsets: &[],
            pieces: &[],
            scales: &[],
            numbers: &[],
            learnt: Mutex::default(),
        })
    }

    fn of(file: &'static [u8]) -> Option<Self> {
        let small = |at: usize| Some(u32::from_le_bytes(file.get(at..at + 4)?.try_into().ok()?) as usize);
        let large = |at: usize| Some(u64::from_le_bytes(file.get(at..at + 8)?.try_into().ok()?) as usize);
        let section = |at: usize| file.get(large(at)?..large(at)?.checked_add(large(at + 8)?)?);
        if file.get(..4)? != b"AMTB" || small(4)? != 1 {
            return None;
        }
        let (rows, dims) = (small(8)?, small(12)?);
        let (vocabulary, scales, numbers) = (section(16)?, section(32)?, section(48)?);
        let (offsets, pieces) = vocabulary.split_at_checked(4 * (rows + 1))?;
        (scales.len() == 4 * rows && numbers.len() == rows * dims).then_some(Self {
            rows,
            dims,
            offsets,
            pieces,
            scales,
            numbers,
            learnt: Mutex::default(),
        })
    }

    fn offset(&self, n: usize) -> usize {
        let bytes = self.offsets.get(4 * n..4 * n + 4).and_then(|bytes| bytes.try_into().ok());
        bytes.map_or(0, |bytes| u32::from_le_bytes(bytes) as usize)
    }

    fn piece(&self, n: usize) -> &'static [u8] {
        self.pieces.get(self.offset(n)..self.offset(n + 1)).unwrap_or_default()
    }

    /// The longest piece, of more than so many letters, with which a text begins: its length and its row.
    fn longest(&self, text: &[u8], more_than: usize) -> Option<(usize, usize)> {
        // All pieces that begin as the text does as far as it was looked at. One that is no longer stands first.
        let (mut first, mut end) = (0, self.rows);
        let mut longest = None;
        for (at, letter) in text.iter().enumerate() {
            first = self.first_where(first..end, |piece| piece.get(at) >= Some(letter));
            end = self.first_where(first..end, |piece| piece.get(at) > Some(letter));
            if first == end {
                break;
            }
            if at >= more_than && self.piece(first).len() == at + 1 {
                longest = Some((at + 1, first));
            }
        }
        longest
    }

    /// The first of some pieces for which something holds, as it then does for all that follow.
    fn first_where(&self, pieces: Range<usize>, holds: impl Fn(&[u8]) -> bool) -> usize {
        let (mut low, mut high) = (pieces.start, pieces.end);
        while low < high {
            let middle = low.midpoint(high);
            if holds(self.piece(middle)) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        low
    }

    /// Adds the rows of a text's pieces.
    fn rows_of(&self, text: &str, rows: &mut Vec<u32>) {
        each_word(text, |word| self.rows_of_word(word, rows));
    }

    /// The same; what was found for a word is known for the next.
    fn rows_of_known(&self, text: &str, known: &mut Known, rows: &mut Vec<u32>) {
        each_word(text, |word| {
            if let Some(found) = known.words.get(word) {
                rows.extend_from_slice(known.rows.get(found.clone()).unwrap_or_default());
                return;
            }
            let (first, before) = (rows.len(), known.rows.len());
            self.rows_of_word(word, rows);
            // Common words come early.
            if known.words.len() < MOST_KNOWN {
                known.rows.extend_from_slice(rows.get(first..).unwrap_or_default());
                known.words.insert(word.to_owned(), before..known.rows.len());
            }
        });
    }

    fn rows_of_word(&self, word: &str, rows: &mut Vec<u32>) {
        let mut lower = [0; LONGEST_PART];
        if let Some(lower) = lower.get_mut(..word.len()) {
            lower.copy_from_slice(word.as_bytes());
            lower.make_ascii_lowercase();
            if let Some((_, row)) = self.longest(lower, word.len() - 1) {
                return rows.push(row as u32);
            }
        }
        for part in humps(word).filter(|part| part.len() <= LONGEST_PART) {
            self.cut(part, rows);
        }
    }

    /// The longest pieces of a part, from the left.
    fn cut(&self, part: &str, rows: &mut Vec<u32>) {
        // Room for the marks of a piece that goes on; the letters before it are not needed any more.
        let mut lower = [0; MARKS.len() + LONGEST_PART];
        let Some(lower) = lower.get_mut(..MARKS.len() + part.len()) else { return };
        let letters = &mut lower[MARKS.len()..];
        letters.copy_from_slice(part.as_bytes());
        letters.make_ascii_lowercase();
        let mut longest = self.longest(letters, 0);
        let mut from = 0;
        loop {
            from += match longest {
                Some((length, row)) => {
                    rows.push(row as u32);
                    length
                }
                None => 1,
            };
            let Some(rest) = lower.get_mut(from..).filter(|rest| rest.len() > MARKS.len()) else { return };
            rest[..MARKS.len()].copy_from_slice(MARKS);
            longest = self.longest(rest, MARKS.len()).map(|(length, row)| (length - MARKS.len(), row));
        }
    }

    /// The vector of a text.
    pub(crate) fn vector(&self, text: &str) -> Vec<f32> {
        let mut rows = Vec::new();
        self.rows_of(text, &mut rows);
        self.sum(rows.iter().map(|&row| (row, 1.0)))
    }

    /// The vector of rows, each with how much it counts.
    fn sum(&self, rows: impl Iterator<Item = (u32, f32)>) -> Vec<f32> {
        let mut sum = vec![0.0; self.dims];
        let mut often: HashMap<u32, f32> = HashMap::new();
        let mut place = 0.0;
        for (row, weight) in rows {
            let often = often.entry(row).or_insert(0.0);
            let row = row as usize;
            let scale = self.scales.get(4 * row..4 * row + 4).and_then(|bytes| bytes.try_into().ok());
            *often += 1.0;
            // Roots and quotients are the same on every machine, to the last bit; other powers need not be.
            let share = 1.0 / (often.sqrt() * (1.0 + place / FADES));
            place += 1.0;
            let scale = weight * share * scale.map_or(0.0, f32::from_le_bytes);
            let numbers = self.numbers.get(row * self.dims..(row + 1) * self.dims).unwrap_or_default();
            add_scaled(&mut sum, scale, numbers);
        }
        let length = sum.iter().map(|x| x * x).sum::<f32>().sqrt();
        if length > 0.0 {
            sum.iter_mut().for_each(|x| *x /= length);
        }
        sum
    }
}

/// The rows of words that were met before: texts repeat their words.
#[derive(Default)]
struct Known {
    words: HashMap<String, Range<usize>>,
    rows: Vec<u32>,
}

impl Embedder for Table {
    fn name(&self) -> &str {
        NAME
    }

    fn dims(&self) -> usize {
        self.dims
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>> {
        if let [text] = texts {
            return Ok(vec![self.vector(text)]);
        }
        let mut known = self.learnt.lock().ok().and_then(|mut learnt| learnt.pop()).unwrap_or_default();
        let mut rows = Vec::new();
        let vectors = texts.iter().map(|text| {
            rows.clear();
            self.rows_of_known(text, &mut known, &mut rows);
            self.sum(rows.iter().map(|&row| (row, 1.0)))
        });
        let vectors = vectors.collect();
        if let Ok(mut learnt) = self.learnt.lock() {
            learnt.push(known);
        }
        Ok(vectors)
    }

    fn embed_weighed(&self, text: &str, weigh: &dyn Fn(&str) -> f32) -> Result<Vec<f32>> {
        let (mut rows, mut weights) = (Vec::new(), Vec::new());
        each_word(text, |word| {
            self.rows_of_word(word, &mut rows);
            weights.resize(rows.len(), weigh(&word.to_ascii_lowercase()));
        });
        Ok(self.sum(rows.into_iter().zip(weights)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(serde::Deserialize)]
    struct Cases {
        texts: Vec<Case>,
        pairs: Vec<Pair>,
    }

    #[derive(serde::Deserialize)]
    struct Case {
        text: String,
        ids: Vec<u32>,
        head: Vec<f32>,
    }

    #[derive(serde::Deserialize)]
    struct Pair {
        a: usize,
        b: usize,
        cosine: f32,
    }

    #[test]
    fn texts_have_the_vectors_of_the_tool_that_made_the_table() {
        let table = Table::built_in();
        let cases: Cases = serde_json::from_str(include_str!("../../assets/table-cases.json")).unwrap();
        assert!(cases.texts.len() >= 40 && cases.pairs.len() >= 10);
        let mut vectors = Vec::new();
        for case in &cases.texts {
            let mut rows = Vec::new();
            table.rows_of(&case.text, &mut rows);
            assert_eq!(rows, case.ids, "{:?}", case.text);
            let vector = table.vector(&case.text);
            for (got, want) in vector.iter().zip(&case.head) {
                assert!((got - want).abs() < 1e-4, "{:?}: {got} {want}", case.text);
            }
            vectors.push(vector);
        }
        let texts: Vec<&str> = cases.texts.iter().map(|case| case.text.as_str()).collect();
        assert_eq!(table.embed(&texts).unwrap(), vectors, "together as one by one");
        for pair in &cases.pairs {
            let cosine: f32 = vectors[pair.a].iter().zip(&vectors[pair.b]).map(|(a, b)| a * b).sum();
            assert!((cosine - pair.cosine).abs() < 1e-4, "{} {}", pair.a, pair.b);
        }
    }

    #[test]
    fn words_count_as_much_as_told() {
        let table = Table::built_in();
        let text = "The DatabaseMigration failed, olá çedilha; xyzzyplugh database";
        assert_eq!(table.embed_weighed(text, &|_| 1.0).unwrap(), table.vector(text));
        let cosine = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f32>();
        let only = table.vector("database");
        let weigh = |word: &str| if word == "database" { 4.0 } else { 0.5 };
        let weighed = table.embed_weighed("Database of birds and trees", &weigh).unwrap();
        assert!(cosine(&weighed, &only) > cosine(&table.vector("Database of birds and trees"), &only) + 0.1);
    }

    #[test]
    fn a_broken_table_knows_no_word() {
        assert!(Table::of(b"").is_none());
        assert!(Table::of(b"AMTB\x01\0\0\0\xff\xff\xff\xff").is_none());
    }
}
