//! Which language a text is in, as far as stemming needs to know: English, Portuguese or another.
//!
//! The evidence is small words that only one language has and letters that the others lack, counted in the
//! first two kilobytes.

use super::fold::folded;
use super::stop;

/// The language by whose rules words are stemmed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Language {
    /// Stemmed as English; also what short text without evidence is taken for.
    #[default]
    English,
    /// Stemmed as Portuguese.
    Portuguese,
    /// Not stemmed.
    Other,
}

/// The language of a text. Without evidence it is English.
pub fn language_of(text: &str) -> Language {
    Evidence::of(text).language()
}

const SAMPLE: usize = 2048;
const LONGEST_SMALL_WORD: usize = 12;

/// The beginning of a text, up to the end of a word.
fn sample_of(text: &str) -> &str {
    if text.len() <= SAMPLE {
        return text;
    }
    let sample = text.get(..text.floor_char_boundary(SAMPLE)).unwrap_or(text);
    let end = sample.rfind(|c: char| !c.is_alphanumeric()).unwrap_or(sample.len());
    sample.get(..end).unwrap_or(sample)
}

/// What was counted in the beginning of a text: words that only one language has, and words and accents that
/// Portuguese shares with its neighbours.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Evidence {
    words: u32,
    english: u32,
    portuguese: u32,
    other: u32,
    shared: u32,
    letters: u32,
    beyond_ascii: u32,
    beyond_latin: u32,
}

/// Portuguese small words that stand in code and names of any language.
const IN_CODE: &[&str] =
    &["ai", "com", "dos", "ha", "num", "os", "pos", "pro", "ser", "tal", "te", "ti", "so", "era", "vos"];

impl Evidence {
    pub(super) fn of(text: &str) -> Self {
        let mut evidence = Self::default();
        let sample = sample_of(text);
        let is_gap = |c: char| c.is_ascii() && !c.is_ascii_alphanumeric();
        for run in sample.split(is_gap).filter(|run| !run.is_empty()) {
            if run.is_ascii() {
                evidence.look_at_ascii(run);
            } else {
                run.split(|c: char| !c.is_alphanumeric())
                    .filter(|word| !word.is_empty())
                    .for_each(|word| evidence.look_at_letters(word));
            }
        }
        evidence
    }

    fn look_at_ascii(&mut self, word: &str) {
        self.words += 1;
        self.letters += word.len() as u32;
        // `HA` and `EU` are names.
        if word.len() > 1 && word.bytes().all(|byte| byte.is_ascii_uppercase()) {
            return;
        }
        let mut small = [0; LONGEST_SMALL_WORD];
        if let Some(small) = small.get_mut(..word.len()) {
            small.copy_from_slice(word.as_bytes());
            small.make_ascii_lowercase();
            self.look_at_word(std::str::from_utf8(small).unwrap_or_default());
        }
    }

    fn look_at_letters(&mut self, word: &str) {
        self.words += 1;
        let lower = word.to_lowercase();
        let (mut nasal, mut foreign, mut accented) = (false, lower.ends_with("ión"), false);
        for c in lower.chars() {
            self.letters += 1;
            self.beyond_ascii += u32::from(!c.is_ascii());
            self.beyond_latin += u32::from(c > '\u{24f}');
            nasal |= matches!(c, 'ã' | 'õ');
            accented |= "áâàéêíóôúç".contains(c);
            foreign |= "ñßłøåäöüœışřůățșëïîèùû".contains(c);
        }
        self.portuguese += u32::from(nasal || ["é", "às", "já", "há", "só"].contains(&lower.as_str()));
        self.other += u32::from(foreign);
        self.shared += u32::from(accented);
        if word.len() <= LONGEST_SMALL_WORD {
            self.look_at_word(&folded(word));
        }
    }

    /// Counts a folded word. Letters by themselves are names in code and formulas.
    fn look_at_word(&mut self, word: &str) {
        const SHARED: u8 = stop::IN_PORTUGUESE | stop::IN_FOREIGN;
        if word.len() < 2 {
            return;
        }
        match stop::languages_of(word) {
            stop::IN_ENGLISH => self.english += 1,
            stop::IN_PORTUGUESE if !IN_CODE.contains(&word) => self.portuguese += 1,
            stop::IN_FOREIGN => self.other += 1,
            SHARED => self.shared += 1,
            _ => {}
        }
    }

    fn language(self) -> Language {
        let Self { words, english, portuguese, other, shared, letters, beyond_ascii, beyond_latin } = self;
        let unknown = words >= 40 && english + portuguese + shared == 0 && beyond_ascii * 50 > letters;
        let romance = 2 * portuguese + shared;
        if beyond_latin * 2 > letters
            || (other > 1.max(portuguese) && 2 * other + shared > 2 * english)
            || unknown
        {
            Language::Other
        } else if romance > 2 * english && romance >= 2 {
            Language::Portuguese
        } else {
            Language::English
        }
    }

    /// Whether a small word of either language may be meant as one, and not as the word or name that it is in the other.
    pub(super) fn may_be_small(self, word: &str) -> bool {
        if stop::is_stop(word, Language::English) {
            return true;
        }
        let clearly_english = self.english >= 2 && self.english > 2 * (self.portuguese + self.other);
        let portuguese = self.portuguese + self.shared > 0 || !IN_CODE.contains(&word);
        !clearly_english && portuguese
    }
}
