//! The embedded table: one row of bytes per word piece. A text's vector is the sum of its pieces' rows, made one long;
//! what comes first says what a text is about and counts more, and a piece that comes again says little more.
//!
//! The file is used where it lies in the program: nothing is parsed or copied at start, and only the pages that a
//! text's pieces need are ever read. `tools/distill` makes it and describes its format.

use std::collections::HashMap;

use super::Embedder;
use super::fold::{each_word, humps};
use crate::error::Result;

static BUILT_IN: &[u8] = include_bytes!("../../assets/table.bin");

/// The version of the built-in table and of how it is read; it changes with both, so that old vectors are made anew.
const NAME: &str = "table-2";

/// Parts longer than this are digests or encoded blobs and mean nothing.
const LONGEST_PART: usize = 32;

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
        })
    }

    fn offset(&self, n: usize) -> usize {
        let bytes = self.offsets.get(4 * n..4 * n + 4).and_then(|bytes| bytes.try_into().ok());
        bytes.map_or(0, |bytes| u32::from_le_bytes(bytes) as usize)
    }

    /// The row of a piece.
    fn find(&self, piece: &[u8]) -> Option<usize> {
        let (mut low, mut high) = (0, self.rows);
        while low < high {
            let middle = low.midpoint(high);
            match self.pieces.get(self.offset(middle)..self.offset(middle + 1))?.cmp(piece) {
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Equal => return Some(middle),
                std::cmp::Ordering::Greater => high = middle,
            }
        }
        None
    }

    /// Calls a function with the row of each piece of a text.
    fn each_row(&self, text: &str, mut each: impl FnMut(usize)) {
        let mut piece = Vec::with_capacity(2 + LONGEST_PART);
        each_word(text, |word| {
            if word.len() <= LONGEST_PART {
                piece.clear();
                piece.extend(word.bytes().map(|b| b.to_ascii_lowercase()));
                if let Some(row) = self.find(&piece) {
                    return each(row);
                }
            }
            for part in humps(word).filter(|part| part.len() <= LONGEST_PART) {
                self.cut(part, &mut piece, &mut each);
            }
        });
    }

    /// The longest pieces of a part, from the left.
    fn cut(&self, part: &str, piece: &mut Vec<u8>, each: &mut impl FnMut(usize)) {
        let lower = part.to_ascii_lowercase();
        let mut from = 0;
        while from < lower.len() {
            let mut end = lower.len();
            loop {
                piece.clear();
                if from > 0 {
                    piece.extend_from_slice(b"##");
                }
                piece.extend_from_slice(&lower.as_bytes()[from..end]);
                if let Some(row) = self.find(piece) {
                    each(row);
                    break;
                }
                end -= 1;
                if end == from {
                    end = from + 1;
                    break;
                }
            }
            from = end;
        }
    }

    /// The vector of a text.
    pub(crate) fn vector(&self, text: &str) -> Vec<f32> {
        let mut sum = vec![0.0; self.dims];
        let mut often: HashMap<usize, f32> = HashMap::new();
        let mut place = 0.0;
        self.each_row(text, |row| {
            let scale = self.scales.get(4 * row..4 * row + 4).and_then(|bytes| bytes.try_into().ok());
            let often = often.entry(row).or_insert(0.0);
            *often += 1.0;
            // Roots and quotients are the same on every machine, to the last bit; other powers need not be.
            let share = 1.0 / (often.sqrt() * (1.0 + place / FADES));
            place += 1.0;
            let scale = share * scale.map_or(0.0, f32::from_le_bytes);
            let numbers = self.numbers.get(row * self.dims..(row + 1) * self.dims).unwrap_or_default();
            for (sum, number) in sum.iter_mut().zip(numbers) {
                *sum += scale * f32::from(*number as i8);
            }
        });
        let length = sum.iter().map(|x| x * x).sum::<f32>().sqrt();
        if length > 0.0 {
            sum.iter_mut().for_each(|x| *x /= length);
        }
        sum
    }
}

impl Embedder for Table {
    fn name(&self) -> &str {
        NAME
    }

    fn dims(&self) -> usize {
        self.dims
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>> {
        Ok(texts.iter().map(|text| self.vector(text)).collect())
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
        ids: Vec<usize>,
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
            table.each_row(&case.text, |row| rows.push(row));
            assert_eq!(rows, case.ids, "{:?}", case.text);
            let vector = table.vector(&case.text);
            for (got, want) in vector.iter().zip(&case.head) {
                assert!((got - want).abs() < 1e-4, "{:?}: {got} {want}", case.text);
            }
            vectors.push(vector);
        }
        for pair in &cases.pairs {
            let cosine: f32 = vectors[pair.a].iter().zip(&vectors[pair.b]).map(|(a, b)| a * b).sum();
            assert!((cosine - pair.cosine).abs() < 1e-4, "{} {}", pair.a, pair.b);
        }
    }

    #[test]
    fn a_broken_table_knows_no_word() {
        assert!(Table::of(b"").is_none());
        assert!(Table::of(b"AMTB\x01\0\0\0\xff\xff\xff\xff").is_none());
    }
}
