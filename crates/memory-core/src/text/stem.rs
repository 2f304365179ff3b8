//! Words cut to their stems by the Snowball rules, behind a small cache: text repeats its words.
//!
//! Stems follow from folded words alone, so `acoes` and `ações` meet. For Portuguese the endings that the rules
//! know only with accents get them back first, and plurals that change their ending are made singular; its stems are
//! marked. English words are spelt one way first, so `behaviour` and `behavior` meet.

use rust_stemmers::{Algorithm, Stemmer};

use super::PORTUGUESE_MARK;
use super::fold::fold_into;
use super::language::Language;
use super::spelling::american;

/// The cache begins with so many slots, and has so many times more whenever it proves too small.
const FEW_SLOTS: usize = 256;
const GROWTH: usize = 16;
const MANY_SLOTS: usize = FEW_SLOTS * GROWTH * GROWTH;
const LONGEST: usize = 23;

/// Stemmers and their cache.
pub(super) struct Stems {
    english: Stemmer,
    portuguese: Stemmer,
    slots: Vec<Slot>,
    misses: usize,
    spare: String,
}

/// A word and its stem. The key is the word, zeros, and the language in the last byte.
#[derive(Clone, Copy, Default)]
struct Slot {
    key: Key,
    stem: [u8; LONGEST],
    stem_length: u8,
}

type Key = [u64; 3];

impl Default for Stems {
    fn default() -> Self {
        Self {
            english: Stemmer::create(Algorithm::English),
            portuguese: Stemmer::create(Algorithm::Portuguese),
            slots: Vec::new(),
            misses: 0,
            spare: String::new(),
        }
    }
}

impl Stems {
    /// The stem of a folded word. Words with digits or letters beyond ASCII, and very short ones, are their own.
    pub(super) fn of<'a>(&'a mut self, word: &'a str, language: Language) -> &'a str {
        let tag = match language {
            Language::English => 1,
            Language::Portuguese => 2,
            Language::Other => return word,
        };
        let bytes = word.as_bytes();
        if bytes.len() < 3 || !bytes.iter().all(u8::is_ascii_lowercase) {
            return word;
        }
        if bytes.len() > LONGEST {
            self.stem(word, language);
            return &self.spare;
        }
        // A short text is over before a large cache would pay for its making.
        if self.slots.is_empty() || (self.misses >= self.slots.len() * 4 && self.slots.len() < MANY_SLOTS) {
            let slots = if self.slots.is_empty() { FEW_SLOTS } else { self.slots.len() * GROWTH };
            self.slots = vec![Slot::default(); slots];
        }
        let key = key_of(bytes, tag);
        let at = place(key) % self.slots.len();
        if self.slots.get(at).is_none_or(|slot| slot.key != key) {
            self.misses += 1;
            self.stem(word, language);
            let made = Slot::of(key, self.spare.as_bytes());
            match (self.slots.get_mut(at), made) {
                (Some(slot), Some(made)) => *slot = made,
                _ => return &self.spare,
            }
        }
        self.slots.get(at).and_then(Slot::stem).unwrap_or(word)
    }

    /// Puts the stem of a word of ASCII letters into `spare`.
    fn stem(&mut self, word: &str, language: Language) {
        self.spare.clear();
        if language == Language::English {
            self.spare.push_str(&self.english.stem(&american(word)));
        } else {
            let accented = with_accents(word);
            self.spare.push(PORTUGUESE_MARK);
            fold_into(&mut self.spare, &self.portuguese.stem(&accented), usize::MAX);
        }
    }
}

impl Slot {
    fn of(key: Key, stem: &[u8]) -> Option<Self> {
        let mut slot = Self { key, stem_length: u8::try_from(stem.len()).ok()?, ..Self::default() };
        slot.stem.get_mut(..stem.len())?.copy_from_slice(stem);
        Some(slot)
    }

    fn stem(&self) -> Option<&str> {
        std::str::from_utf8(self.stem.get(..usize::from(self.stem_length))?).ok()
    }
}

fn key_of(word: &[u8], tag: u64) -> Key {
    let mut key = [0, 0, tag << 56];
    for (part, bytes) in key.iter_mut().zip(word.chunks(8)) {
        let mut padded = [0; 8];
        if let Some(padded) = padded.get_mut(..bytes.len()) {
            padded.copy_from_slice(bytes);
        }
        *part |= u64::from_le_bytes(padded);
    }
    key
}

fn place(key: Key) -> usize {
    let mixed = key
        .iter()
        .fold(0_u64, |hash, part| (hash ^ part).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29));
    (mixed ^ (mixed >> 32)) as usize
}

/// Folded ending, and what the Portuguese rules want to see in its place; the first that fits is taken.
const ENDINGS: &[(&str, &str)] = &[
    ("avamos", "ávamos"),
    ("aramos", "áramos"),
    ("eramos", "êramos"),
    ("iramos", "íramos"),
    ("assemos", "ássemos"),
    ("essemos", "êssemos"),
    ("issemos", "íssemos"),
    ("ariamos", "aríamos"),
    ("eriamos", "eríamos"),
    ("iriamos", "iríamos"),
    ("ancias", "ância"),
    ("ancia", "ância"),
    ("encias", "ência"),
    ("encia", "ência"),
    ("aveis", "ável"),
    ("iveis", "ível"),
    ("avel", "ável"),
    ("ivel", "ível"),
    ("coes", "ção"),
    ("cao", "ção"),
    ("oes", "ão"),
    ("ais", "al"),
    ("eis", "el"),
    ("ois", "ol"),
    ("ens", "em"),
    ("ins", "im"),
    ("ons", "om"),
    ("uns", "um"),
];

/// Shorter words keep their ending: `mais` is no plural of `mal`.
const SHORTEST_PLURAL: usize = 5;

fn with_accents(word: &str) -> String {
    let fits = ENDINGS.iter().find_map(|(ending, accented)| Some((word.strip_suffix(ending)?, accented)));
    match fits {
        Some((head, accented)) if word.len() >= SHORTEST_PLURAL => format!("{head}{accented}"),
        _ => word.to_owned(),
    }
}
