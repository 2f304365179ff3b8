//! Keys, digests and encoded bytes: long runs without the structure of words, which would only fill the index.

use std::ops::Range;

/// Longer runs are looked at; up to here a run may be a name or a digest that people search for.
const LONGEST_NAME: usize = 40;

/// The run of base64 or hex characters around a word that begins at `start`, if it is too wild to be words.
/// The second value is where the run ends, so that its other words need not ask again.
pub(super) fn blob_at(bytes: &[u8], start: usize) -> (Option<Range<usize>>, usize) {
    let run = bytes.get(start..).unwrap_or_default();
    let length = run.iter().position(|&b| !in_alphabet(b)).unwrap_or(run.len());
    let run = run.get(..length).unwrap_or_default();
    let end = start + length;
    if length <= LONGEST_NAME || !is_wild(run) {
        return (None, end);
    }
    (Some(start..end), end)
}

fn in_alphabet(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=' | b'_' | b'-')
}

/// Words are runs of letters of one case with vowels among them; encoded bytes change their sort with every other
/// character. A capital before a small letter is no change, since names are full of them.
fn is_wild(run: &[u8]) -> bool {
    let mut changes = 0;
    let mut joins = 0;
    let mut wordlike = 0;
    let mut piece = 0;
    for (at, &byte) in run.iter().enumerate() {
        let next = run.get(at + 1).map(|&next| sort(next));
        let own = sort(byte);
        joins += usize::from(own == Sort::Join);
        if next == Some(own) || (own == Sort::Upper && next == Some(Sort::Lower)) {
            continue;
        }
        changes += usize::from(own != Sort::Join && next.is_some_and(|next| next != Sort::Join));
        let letters = run.get(piece..=at).unwrap_or_default();
        wordlike += if is_wordlike(letters) { letters.len() } else { 0 };
        piece = at + 1;
    }
    let length = run.len();
    let shuffled = (changes * 4 > length && wordlike * 10 < length * 9)
        || (changes * 6 > length && wordlike * 10 < length * 7);
    joins * 8 < length && (shuffled || wordlike * 4 < length)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Sort {
    Lower,
    Upper,
    Digit,
    Join,
}

fn sort(byte: u8) -> Sort {
    match byte {
        b'a'..=b'z' => Sort::Lower,
        b'A'..=b'Z' => Sort::Upper,
        b'0'..=b'9' => Sort::Digit,
        _ => Sort::Join,
    }
}

fn is_wordlike(piece: &[u8]) -> bool {
    let is_vowel = |b: &u8| matches!(b.to_ascii_lowercase(), b'a' | b'e' | b'i' | b'o' | b'u' | b'y');
    let first = piece.first().map(u8::to_ascii_lowercase);
    piece.len() > 2
        && first.is_some_and(|first| first.is_ascii_lowercase())
        && piece.iter().any(is_vowel)
        && piece.iter().any(|b| Some(b.to_ascii_lowercase()) != first)
}
