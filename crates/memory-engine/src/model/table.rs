//! The embedded table: one row of small steps per word piece. A text's vector is the sum of its pieces' rows, made one long;
//! what comes first says what a text is about and counts more, and a piece that comes again says little more.
//!
//! The file is used where it lies in the program: nothing is parsed or copied at start, and only the pages that a
//! text's pieces need are ever read. `tools/distill` makes it and describes its format.

use std::collections::HashMap;
use std::sync::Mutex;

use memory_core::text::sentences;

use super::Embedder;
use super::add::add_scaled;
use super::fold::each_word;
use super::pieces::{Known, Pieces};
use super::tells;
use crate::error::Result;

static BUILT_IN: &[u8] = include_bytes!("../../assets/table.bin");

/// The version of the built-in table and of how it is read; it changes with both, so that old vectors are made anew.
const NAME: &str = "table-4";

/// In so few pieces those that came before are looked through; of more they are counted.
const FEW_PIECES: usize = 256;

/// After so many pieces a piece counts half.
const FADES: f32 = 64.0;

/// A text of several paragraphs and so many pieces is a long one; a text of one paragraph is about one thing until it has
/// twice as many.
const LONG: usize = 256;
/// Pieces of one part of a long text at most, but for a sentence that is longer by itself.
const PART: usize = 64;
/// With so many pieces a part may end where a paragraph does.
const PARAGRAPH: usize = 12;
/// A text has no more parts than this; those of the longest are longer.
const MOST_PARTS: usize = 64;

/// A table of word pieces.
pub(crate) struct Table {
    dims: usize,
    /// The piece of each row.
    pieces: Pieces,
    scales: &'static [u8],
    /// Two to a byte.
    steps: &'static [u8],
    /// What was learnt of words from many texts, for the next ones who have as many.
    learnt: Mutex<Vec<Known>>,
}

impl Table {
    /// The table in the program. A table that does not fit its own header has no rows and knows no word.
    pub(crate) fn built_in() -> Self {
        Self::of(BUILT_IN).unwrap_or(Self {
            dims: 1,
            pieces: Pieces::default(),
            scales: &[],
            steps: &[],
            learnt: Mutex::default(),
        })
    }

    fn of(file: &'static [u8]) -> Option<Self> {
        let small = |at: usize| Some(u32::from_le_bytes(file.get(at..at + 4)?.try_into().ok()?) as usize);
        let large = |at: usize| Some(u64::from_le_bytes(file.get(at..at + 8)?.try_into().ok()?) as usize);
        let section = |at: usize| file.get(large(at)?..large(at)?.checked_add(large(at + 8)?)?);
        if file.get(..4)? != b"AMTB" || small(4)? != 2 {
            return None;
        }
        let (rows, dims) = (small(8)?, small(12)?);
        let (vocabulary, scales, steps) = (section(16)?, section(32)?, section(48)?);
        let pieces = Pieces::of(rows, vocabulary)?;
        let fits = scales.len() == 4 * rows && dims % 2 == 0 && steps.len() == rows * dims / 2;
        fits.then_some(Self { dims, pieces, scales, steps, learnt: Mutex::default() })
    }

    /// Whether a word is one piece.
    pub(crate) fn knows(&self, word: &str) -> bool {
        self.pieces.has(word)
    }

    /// The vector of a text.
    pub(crate) fn vector(&self, text: &str) -> Vec<f32> {
        let mut rows = Vec::new();
        self.pieces.of_text(text, &mut rows);
        self.sum(&rows, |_| 1.0)
    }

    /// The parts of a text: whole sentences, and no more of a paragraph than fits.
    fn parts(&self, text: &str) -> Parts {
        let (mut rows, mut ends) = (Vec::new(), Vec::new());
        let (mut begin, mut read, mut paragraphs) = (0, 0, 1);
        for at in sentences(text) {
            let breaks =
                text.get(read..at.start).unwrap_or_default().bytes().filter(|&byte| byte == b'\n').count();
            if breaks > 1 && rows.len() - begin >= PARAGRAPH {
                ends.push(rows.len());
                begin = rows.len();
                paragraphs += 1;
            }
            let before = rows.len();
            self.pieces.of_text(text.get(at.clone()).unwrap_or_default(), &mut rows);
            if before > begin && rows.len() - begin > PART {
                ends.push(before);
                begin = before;
            }
            read = at.end;
        }
        if rows.len() > begin {
            ends.push(rows.len());
        }
        Parts { rows, ends, paragraphs }
    }

    /// The vector of rows; `weight` says how much the one at a place counts.
    fn sum(&self, rows: &[u32], weight: impl Fn(usize) -> f32) -> Vec<f32> {
        let mut sum = vec![0.0; self.dims];
        let mut counts: HashMap<u32, u32> = HashMap::new();
        for (place, &row) in rows.iter().enumerate() {
            let often = if rows.len() <= FEW_PIECES {
                1 + rows.iter().take(place).filter(|&&before| before == row).count() as u32
            } else {
                let count = counts.entry(row).or_insert(0);
                *count += 1;
                *count
            };
            let row = row as usize;
            let scale = self.scales.get(4 * row..4 * row + 4).and_then(|bytes| bytes.try_into().ok());
            // Roots and quotients are the same on every machine, to the last bit; other powers need not be.
            let share = 1.0 / ((often as f32).sqrt() * (1.0 + place as f32 / FADES));
            let scale = weight(place) * share * scale.map_or(0.0, f32::from_le_bytes);
            let bytes = self.dims / 2;
            let steps = self.steps.get(row * bytes..(row + 1) * bytes).unwrap_or_default();
            add_scaled(&mut sum, scale, steps);
        }
        let length = sum.iter().map(|x| x * x).sum::<f32>().sqrt();
        if length > 0.0 {
            sum.iter_mut().for_each(|x| *x /= length);
        }
        sum
    }
}

/// The rows of a text, and where its parts end among them.
struct Parts {
    rows: Vec<u32>,
    ends: Vec<usize>,
    paragraphs: usize,
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
            self.pieces.of_text_known(text, &mut known, &mut rows);
            self.sum(&rows, |_| 1.0)
        });
        let vectors = vectors.collect();
        if let Ok(mut learnt) = self.learnt.lock() {
            learnt.push(known);
        }
        Ok(vectors)
    }

    fn tells(&self, vector: &[u8]) -> f32 {
        tells::how_much(vector)
    }

    fn embed_weighed(&self, text: &str, weigh: &dyn Fn(&str) -> f32) -> Result<Vec<f32>> {
        let (mut rows, mut weights) = (Vec::new(), Vec::new());
        each_word(text, |word| {
            self.pieces.of_word(word, None, &mut rows);
            weights.resize(rows.len(), weigh(&word.to_ascii_lowercase()));
        });
        Ok(self.sum(&rows, |place| weights.get(place).copied().unwrap_or(1.0)))
    }

    fn embed_parts(&self, text: &str) -> Vec<Vec<f32>> {
        if text.len() < LONG {
            return Vec::new();
        }
        let Parts { rows, ends, paragraphs } = self.parts(text);
        if rows.len() < if paragraphs > 1 { LONG } else { 2 * LONG } {
            return Vec::new();
        }
        let each = ends.len().div_ceil(MOST_PARTS).max(1);
        let mut begin = 0;
        let parts = ends.chunks(each).filter_map(|ends| {
            let part = rows.get(begin..*ends.last()?)?;
            begin += part.len();
            Some(self.sum(part, |_| 1.0))
        });
        parts.collect()
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
            table.pieces.of_text(&case.text, &mut rows);
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
    fn a_long_text_has_a_vector_for_each_part() {
        let table = Table::built_in();
        let about = ["The database ran out of connections. ", "Our cat sleeps on the warm roof. "];
        assert!(table.embed_parts(&about.concat()).is_empty());
        let long = format!(
            "{}\n\nTaxes are due in May, and the accountant wants all receipts.\n\n{}",
            about[0].repeat(40),
            about[1].repeat(40)
        );
        let parts = table.embed_parts(&long);
        assert_eq!(parts.len(), 4 + 1 + 4, "whole sentences, and a paragraph of its own");
        let nearest = |question: &str| {
            let asked = table.vector(question);
            let near = |part: &Vec<f32>| part.iter().zip(&asked).map(|(a, b)| a * b).sum::<f32>();
            parts.iter().enumerate().max_by(|a, b| near(a.1).total_cmp(&near(b.1))).unwrap().0
        };
        assert_eq!(nearest("fiscal declaration"), 4);
        assert!(table.embed_parts(&long.repeat(20)).len() <= MOST_PARTS);
    }

    #[test]
    fn a_broken_table_knows_no_word() {
        assert!(Table::of(b"").is_none());
        assert!(Table::of(b"AMTB\x01\0\0\0\xff\xff\xff\xff").is_none());
    }
}
