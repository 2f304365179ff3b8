//! The word pieces of the table, sorted, used where they lie: a word is cut into the longest ones, from the left.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::ops::Range;

use super::fold::{each_word, humps};

/// Parts longer than this are digests or encoded blobs and mean nothing.
const LONGEST_PART: usize = 32;

/// Before a piece that goes on with a word.
const MARKS: &[u8] = b"##";

/// All pieces.
#[derive(Default)]
pub(super) struct Pieces {
    count: usize,
    offsets: &'static [u8],
    letters: &'static [u8],
}

impl Pieces {
    /// Pieces that lie one after the other behind the offsets of their ends; `None` when bytes are missing.
    pub(super) fn of(count: usize, vocabulary: &'static [u8]) -> Option<Self> {
        let (offsets, letters) = vocabulary.split_at_checked(4 * (count + 1))?;
        Some(Self { count, offsets, letters })
    }

    fn offset(&self, n: usize) -> usize {
        let bytes = self.offsets.get(4 * n..4 * n + 4).and_then(|bytes| bytes.try_into().ok());
        bytes.map_or(0, |bytes| u32::from_le_bytes(bytes) as usize)
    }

    fn piece(&self, n: usize) -> &'static [u8] {
        self.letters.get(self.offset(n)..self.offset(n + 1)).unwrap_or_default()
    }

    /// Whether a word, in lower case and without accents, is a piece of its own.
    pub(super) fn has(&self, word: &str) -> bool {
        let longest = self.longest(word.as_bytes(), 0, None);
        !word.is_empty() && longest.is_some_and(|(length, _)| length == word.len())
    }

    /// The longest piece, of more than so many letters, with which a text begins: its length and its number.
    fn longest(&self, text: &[u8], more_than: usize, starts: Option<&Starts>) -> Option<(usize, usize)> {
        let begun = starts.and_then(|starts| starts.of(text));
        let Begun { shorter, mut pieces } = begun.unwrap_or(Begun { shorter: None, pieces: 0..self.count });
        let mut text = text;
        loop {
            // What stands between a piece with which a text begins and the text itself begins with that piece too. So the
            // piece is no longer than what the last one before the text has in common with it.
            pieces.end = self.first_after(pieces.clone(), text);
            let Some(last) = pieces.next_back() else {
                return shorter.filter(|(length, _)| *length > more_than);
            };
            let piece = self.piece(last);
            let common = piece.iter().zip(text).take_while(|(a, b)| a == b).count();
            if common <= more_than {
                return None;
            }
            if common == piece.len() {
                return Some((common, last));
            }
            text = &text[..common];
        }
    }

    /// The first of some pieces that stands after a text.
    fn first_after(&self, pieces: Range<usize>, text: &[u8]) -> usize {
        let begin = begin_of(text);
        let (mut low, mut high) = (pieces.start, pieces.end);
        while low < high {
            let middle = low.midpoint(high);
            let is_after = match self.begin(middle).cmp(&begin) {
                Ordering::Equal => self.piece(middle) > text,
                order => order.is_gt(),
            };
            if is_after {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        low
    }

    /// The first bytes of a piece as [`begin_of`] gives them, read at once.
    fn begin(&self, n: usize) -> u64 {
        let (start, end) = (self.offset(n), self.offset(n + 1));
        let Some(bytes) = self.letters.get(start..start + 8).and_then(|bytes| bytes.try_into().ok()) else {
            return begin_of(self.piece(n));
        };
        let others = u64::MAX.checked_shr(8 * end.saturating_sub(start) as u32).unwrap_or(0);
        u64::from_be_bytes(bytes) & !others
    }

    /// Adds the numbers of a text's pieces.
    pub(super) fn of_text(&self, text: &str, numbers: &mut Vec<u32>) {
        each_word(text, |word| self.of_word(word, None, numbers));
    }

    /// The same; what was found for a word is known for the next.
    pub(super) fn of_text_known(&self, text: &str, known: &mut Known, numbers: &mut Vec<u32>) {
        each_word(text, |word| known.of_word(self, word, numbers));
    }

    /// Adds the numbers of a word's pieces.
    pub(super) fn of_word(&self, word: &str, starts: Option<&Starts>, numbers: &mut Vec<u32>) {
        let mut lower = [0; LONGEST_PART];
        if let Some(lower) = lower.get_mut(..word.len()) {
            lower.copy_from_slice(word.as_bytes());
            lower.make_ascii_lowercase();
            if let Some((_, number)) = self.longest(lower, word.len() - 1, starts) {
                return numbers.push(number as u32);
            }
        }
        for part in humps(word).filter(|part| part.len() <= LONGEST_PART) {
            self.cut(part, starts, numbers);
        }
    }

    /// The longest pieces of a part, from the left.
    fn cut(&self, part: &str, starts: Option<&Starts>, numbers: &mut Vec<u32>) {
        // Room for the marks of a piece that goes on; the letters before it are not needed any more.
        let mut lower = [0; MARKS.len() + LONGEST_PART];
        let Some(lower) = lower.get_mut(..MARKS.len() + part.len()) else { return };
        let letters = &mut lower[MARKS.len()..];
        letters.copy_from_slice(part.as_bytes());
        letters.make_ascii_lowercase();
        let mut longest = self.longest(letters, 0, starts);
        let mut from = 0;
        loop {
            from += match longest {
                Some((length, number)) => {
                    numbers.push(number as u32);
                    length
                }
                None => 1,
            };
            let Some(rest) = lower.get_mut(from..).filter(|rest| rest.len() > MARKS.len()) else { return };
            rest[..MARKS.len()].copy_from_slice(MARKS);
            let after = self.longest(rest, MARKS.len(), starts);
            longest = after.map(|(length, number)| (length - MARKS.len(), number));
        }
    }
}

/// The first bytes of a text as a number: of two texts without zeros, the one with the lower number stands first.
fn begin_of(text: &[u8]) -> u64 {
    let mut bytes = [0; 8];
    let length = text.len().min(bytes.len());
    bytes[..length].copy_from_slice(&text[..length]);
    u64::from_be_bytes(bytes)
}

/// Words whose pieces are kept in mind.
const MOST_KNOWN: usize = 60_000;

/// After so many words it pays to know where pieces start.
const MANY_WORDS: usize = 1_000;

/// A word of letters and digits, and zeros behind it.
type Key = [u8; 24];

/// The pieces of words that were met before: texts repeat their words.
#[derive(Default)]
pub(super) struct Known {
    words: HashMap<Key, (u32, u32)>,
    numbers: Vec<u32>,
    starts: Option<Starts>,
}

impl Known {
    fn of_word(&mut self, pieces: &Pieces, word: &str, numbers: &mut Vec<u32>) {
        let mut key = Key::default();
        let Some(letters) = key.get_mut(..word.len()) else {
            return pieces.of_word(word, self.starts.as_ref(), numbers);
        };
        letters.copy_from_slice(word.as_bytes());
        if let Some(&(from, to)) = self.words.get(&key) {
            return numbers
                .extend_from_slice(self.numbers.get(from as usize..to as usize).unwrap_or_default());
        }
        let (first, before) = (numbers.len(), self.numbers.len());
        pieces.of_word(word, self.starts.as_ref(), numbers);
        // Common words come early.
        if self.words.len() < MOST_KNOWN {
            self.numbers.extend_from_slice(numbers.get(first..).unwrap_or_default());
            self.words.insert(key, (before as u32, self.numbers.len() as u32));
        }
        if self.starts.is_none() && self.words.len() >= MANY_WORDS {
            self.starts = Some(Starts::of_all(pieces));
        }
    }
}

/// Which pieces start with two letters, and which are one letter; those that go on with a word by themselves.
pub(super) struct Starts {
    ones: Vec<Option<usize>>,
    twos: Vec<Range<usize>>,
}

const LETTERS: usize = 36;

impl Starts {
    fn of_all(pieces: &Pieces) -> Self {
        let mut starts = Self { ones: vec![None; 2 * LETTERS], twos: vec![0..0; 2 * LETTERS * LETTERS] };
        for number in 0..pieces.count {
            let piece = pieces.piece(number);
            let Some((marks, one)) = first_letter(piece) else { continue };
            match piece.get(marks + 1) {
                None => starts.ones[one] = Some(number),
                Some(&letter) => {
                    let Some(letter) = letter_number(letter) else { continue };
                    let range = &mut starts.twos[one * LETTERS + letter];
                    *range = if range.end == 0 { number..number + 1 } else { range.start..number + 1 };
                }
            }
        }
        starts
    }

    /// What the first two letters of a text tell.
    fn of(&self, text: &[u8]) -> Option<Begun> {
        let (marks, one) = first_letter(text)?;
        let two = letter_number(*text.get(marks + 1)?)?;
        let shorter = self.ones.get(one)?.map(|number| (marks + 1, number));
        Some(Begun { shorter, pieces: self.twos.get(one * LETTERS + two)?.clone() })
    }
}

/// A text of which two letters were looked at.
struct Begun {
    /// The piece of one letter: its length and its number.
    shorter: Option<(usize, usize)>,
    /// Those that begin with both.
    pieces: Range<usize>,
}

/// How many marks a piece has, and the number of its first letter among those with as many.
fn first_letter(piece: &[u8]) -> Option<(usize, usize)> {
    let marks = if piece.starts_with(MARKS) { MARKS.len() } else { 0 };
    let letter = letter_number(*piece.get(marks)?)?;
    Some((marks, if marks > 0 { LETTERS + letter } else { letter }))
}

fn letter_number(letter: u8) -> Option<usize> {
    match letter {
        b'a'..=b'z' => Some(usize::from(letter - b'a')),
        b'0'..=b'9' => Some(26 + usize::from(letter - b'0')),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Pieces as a file holds them.
    fn made(words: &[&str]) -> Pieces {
        let mut words: Vec<&[u8]> = words.iter().map(|word| word.as_bytes()).collect();
        words.sort_unstable();
        words.dedup();
        let mut end = 0_u32;
        let mut file = end.to_le_bytes().to_vec();
        for word in &words {
            end += word.len() as u32;
            file.extend_from_slice(&end.to_le_bytes());
        }
        words.iter().for_each(|word| file.extend_from_slice(word));
        Pieces::of(words.len(), file.leak()).unwrap()
    }

    fn cut(pieces: &Pieces, starts: Option<&Starts>, word: &str) -> Vec<String> {
        let mut numbers = Vec::new();
        pieces.of_word(word, starts, &mut numbers);
        let text = |&number: &u32| String::from_utf8(pieces.piece(number as usize).to_vec()).unwrap();
        numbers.iter().map(text).collect()
    }

    #[test]
    fn the_longest_piece_is_taken() {
        let pieces = made(&["a", "ab", "abc", "b", "##a", "##b", "##bc", "##bcd", "x1"]);
        let starts = Starts::of_all(&pieces);
        for starts in [None, Some(&starts)] {
            assert_eq!(cut(&pieces, starts, "ABC"), ["abc"]);
            assert_eq!(cut(&pieces, starts, "abcbcda"), ["abc", "##bcd", "##a"]);
            assert_eq!(cut(&pieces, starts, "bbc"), ["b", "##bc"]);
            assert_eq!(cut(&pieces, starts, "zab"), ["##a", "##b"], "what is no piece is passed over");
            assert_eq!(cut(&pieces, starts, "x1"), ["x1"]);
            assert_eq!(cut(&pieces, starts, "q"), [""; 0]);
        }
    }

    proptest! {
        #[test]
        fn knowing_changes_nothing(
            pieces in proptest::collection::vec("(##)?[a-c1]{1,4}", 0..40),
            words in proptest::collection::vec("[a-dA-C1]{1,12}|[ab]{20,40}", 1..40),
        ) {
            let pieces = made(&pieces.iter().map(String::as_str).collect::<Vec<_>>());
            let mut known = Known { starts: Some(Starts::of_all(&pieces)), ..Known::default() };
            for word in words.iter().chain(&words) {
                let (mut plain, mut with) = (Vec::new(), Vec::new());
                pieces.of_word(word, None, &mut plain);
                known.of_word(&pieces, word, &mut with);
                prop_assert_eq!(plain, with);
                let begin = (0..pieces.count).filter(|n| word.as_bytes().starts_with(pieces.piece(*n)));
                let longest = begin.map(|n| (pieces.piece(n).len(), n)).max();
                prop_assert_eq!(pieces.longest(word.as_bytes(), 0, None), longest);
            }
        }
    }
}
