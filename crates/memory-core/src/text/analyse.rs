//! The walk over a text that hands out its terms, position by position.

use std::ops::Range;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::compose;

use super::blob::blob_at;
use super::chunk::{Chunk, LONGEST, Shape, char_at};
use super::class::{self, Class};
use super::date::{Date, Recent};
use super::fold::fold_into;
use super::language::Language;
use super::number::{grouped, several};
use super::stem::Stems;
use super::token::{Begins, Form, Token};
use super::{EXACT_MARK, WHOLE_CHARS, WORD_CHARS};

/// Splits texts into terms; keeps its buffers from one text to the next.
#[derive(Default)]
pub struct Analyser {
    stems: Stems,
    term: String,
    chunk: Chunk,
}

impl Analyser {
    /// An analyser; it takes its memory when it meets its first word.
    pub fn new() -> Self {
        Self::default()
    }

    /// Hands out the terms of a text, stemmed by the rules of `language`.
    pub fn each(&mut self, text: &str, language: Language, each: impl FnMut(Token<'_>)) {
        self.each_beginning(Begins::ANY, text, language, each);
    }

    /// The same without words that begin otherwise, which are not even stemmed.
    pub fn each_beginning(
        &mut self,
        begins: Begins,
        text: &str,
        language: Language,
        each: impl FnMut(Token<'_>),
    ) {
        let walk = Walk {
            text,
            language,
            begins,
            stems: &mut self.stems,
            term: &mut self.term,
            chunk: &mut self.chunk,
            recent: Recent::default(),
            position: 0,
            no_blob_before: 0,
            each,
        };
        walk.run();
    }

    /// The stem of one folded word by the rules of `language`, as [`Self::each`] would give it.
    pub fn stem<'a>(&'a mut self, word: &'a str, language: Language) -> &'a str {
        self.stems.of(word, language)
    }
}

struct Walk<'a, F> {
    text: &'a str,
    language: Language,
    begins: Begins,
    stems: &'a mut Stems,
    term: &'a mut String,
    chunk: &'a mut Chunk,
    recent: Recent,
    position: u32,
    no_blob_before: usize,
    each: F,
}

/// Chunks from this length on may be the beginning of a blob.
const BLOB_HINT: usize = 24;

impl<F: FnMut(Token<'_>)> Walk<'_, F> {
    fn run(mut self) {
        let bytes = self.text.as_bytes();
        let mut at = 0;
        while let Some(&byte) = bytes.get(at) {
            at = match class::of_byte(byte) {
                Class::Lower | Class::Upper => match plain_word(bytes, at) {
                    Some(end) => {
                        self.plain(at..end);
                        end
                    }
                    None => self.chunk(at),
                },
                Class::Digit => self.chunk(at),
                Class::Wide => self.wide(at),
                _ => at + 1,
            };
        }
    }

    /// A word of ASCII letters: the way most words go.
    fn plain(&mut self, at: Range<usize>) {
        let kept = at.start..at.end.min(at.start + WORD_CHARS);
        self.term.clear();
        self.term.push(EXACT_MARK);
        self.term.push_str(self.text.get(kept).unwrap_or_default());
        self.term.make_ascii_lowercase();
        self.folded_word(at.clone());
        self.position += 1;
        self.recent.push(at);
    }

    fn wide(&mut self, at: usize) -> usize {
        let Some(c) = char_at(self.text, at) else { return at + 1 };
        match class::of_char(c) {
            Class::Letter => self.chunk(at),
            Class::Dense => self.dense(at),
            Class::Emoji => self.emoji(at, c),
            _ => at + c.len_utf8(),
        }
    }

    /// Everything that stands together from here; gives where it ends.
    fn chunk(&mut self, start: usize) -> usize {
        if let Some(end) = grouped(self.text.as_bytes(), start, b',') {
            self.number(start..end);
            self.position += 1;
            self.recent.push(start..end);
            return end;
        }
        let bytes = self.text.as_bytes();
        if let Some(end) = grouped(bytes, start, b'.').or_else(|| several(bytes, start)) {
            self.number(start..end);
        }
        self.chunk.read(self.text, start);
        let at = self.chunk.at.clone();
        if at.len() >= BLOB_HINT && start >= self.no_blob_before {
            let (blob, end) = blob_at(self.text.as_bytes(), start);
            self.no_blob_before = end;
            if let Some(blob) = blob {
                self.whole(blob.clone());
                self.position += 1;
                self.recent.push(blob.clone());
                return blob.end;
            }
        }
        if let [part] = self.chunk.parts.as_slice() {
            let part = part.clone();
            self.signs(&part.at);
            self.part(&part.at, part.shape);
            if part.at.len() == 4
                && let Some(date) = self.recent.completed(self.text, &part.at)
            {
                self.position = self.position.saturating_sub(1);
                self.written_out(date, &part.at);
                self.position += 1;
            }
        } else {
            self.identifier();
        }
        self.recent.push(at.clone());
        at.end
    }

    /// `#123`, `C++` and `C#`: signs that belong to the word beside them.
    fn signs(&mut self, at: &Range<usize>) {
        let bytes = self.text.as_bytes();
        let word = bytes.get(at.clone()).unwrap_or_default();
        let before = at.start.checked_sub(1);
        if before.and_then(|before| bytes.get(before)) == Some(&b'#') && word.iter().all(u8::is_ascii_digit) {
            self.whole(at.start - 1..at.end);
        }
        let behind = bytes.get(at.end..).unwrap_or_default();
        if word.len() == 1 && word.iter().all(u8::is_ascii_alphabetic) {
            let length = match behind {
                [b'+', b'+', ..] => 2,
                [b'#', next, ..] if next.is_ascii_alphanumeric() => 0,
                [b'#', ..] => 1,
                _ => 0,
            };
            if length > 0 {
                self.whole(at.start..at.end + length);
            }
        }
    }

    /// A chunk of several parts: the wholes that begin at a part, then the part.
    fn identifier(&mut self) {
        let end = self.chunk.at.end;
        let start = self.chunk.at.start;
        let name = self.chunk.segments.iter().rposition(|segment| segment.after_slash);
        for segment in 0..self.chunk.segments.len() {
            let Some((at, first)) =
                self.chunk.segments.get(segment).map(|found| (found.at.clone(), found.first))
            else {
                return;
            };
            let last = self.chunk.last_of(segment);
            if segment == 0 {
                self.whole(start..end);
                if is_version(self.text.as_bytes(), &(start..end)) {
                    // Its parts begin with the `v`, so it stands where the whole does.
                    self.whole_as(start + 1..end, start..end);
                }
            } else if Some(segment) == name && at.end < end {
                self.whole(at.start..end);
            }
            if last - first > 1 && at != (start..end) {
                self.whole(at.clone());
            }
            if let Some(name_at) = self.chunk.name(self.text.as_bytes(), segment)
                && name_at != (start..end)
                && !(Some(segment) == name && name_at.end == end)
            {
                self.whole(name_at);
            }
            if let Some(version) = self.chunk.version(self.text.as_bytes(), segment)
                && version != (start..end)
            {
                let is_told = Some(segment) == name && version.end == end;
                if is_version(self.text.as_bytes(), &version) {
                    self.whole_as(version.start + 1..version.end, version.clone());
                }
                if !is_told {
                    self.whole(version);
                }
            }
            for index in first..last {
                if let Some(part) = self.chunk.parts.get(index).cloned() {
                    self.part(&part.at, part.shape);
                }
            }
        }
    }

    fn part(&mut self, at: &Range<usize>, shape: Shape) {
        let before = self.position;
        let emitted = match shape {
            Shape::Word => self.word(at.clone()),
            Shape::Contracted => self.contracted(at),
            Shape::Date(date) => {
                self.date(date, at);
                true
            }
        };
        self.position = before + u32::from(emitted);
    }

    /// A word: its exact term and its stem. Gives whether anything of it is left when folded.
    fn word(&mut self, at: Range<usize>) -> bool {
        self.term.clear();
        self.term.push(EXACT_MARK);
        fold_into(self.term, self.text.get(at.clone()).unwrap_or_default(), WORD_CHARS);
        self.folded_word(at)
    }

    /// The two terms of the word that stands folded in `term`.
    fn folded_word(&mut self, at: Range<usize>) -> bool {
        let word = self.term.get(EXACT_MARK.len_utf8()..).unwrap_or_default();
        if word.is_empty() {
            return false;
        }
        if !self.begins.fits(word) {
            return true;
        }
        let position = self.position;
        (self.each)(Token { term: self.term, form: Form::Exact, position, bytes: at.clone() });
        let stem = self.stems.of(word, self.language);
        (self.each)(Token { term: stem, form: Form::Stem, position, bytes: at });
        true
    }

    /// A number in groups, as one.
    fn number(&mut self, at: Range<usize>) {
        self.term.clear();
        self.term.push(EXACT_MARK);
        let digits = self.text.get(at.clone()).unwrap_or_default().chars().filter(char::is_ascii_digit);
        self.term.extend(digits);
        self.folded_word(at);
    }

    fn whole(&mut self, at: Range<usize>) {
        self.whole_as(at.clone(), at);
    }

    /// The whole with these words that stands there.
    fn whole_as(&mut self, words: Range<usize>, at: Range<usize>) {
        self.term.clear();
        self.term.push(EXACT_MARK);
        let words = self.text.get(words).unwrap_or_default();
        fold_into(self.term, words, WHOLE_CHARS);
        if is_joined(words.as_bytes()) {
            self.term.retain(|c| !matches!(c, '-' | '_'));
        }
        let position = self.position;
        (self.each)(Token { term: self.term, form: Form::Whole, position, bytes: at.clone() });
        let word = self.term.get(EXACT_MARK.len_utf8()..).unwrap_or_default();
        if word.bytes().all(|byte| byte.is_ascii_lowercase()) {
            let stem = self.stems.of(word, self.language);
            (self.each)(Token { term: stem, form: Form::Joined, position, bytes: at });
        }
    }

    /// `user's` is `user`; `don't` is `dont` and `don`; `d'água` is `dagua` and `agua`. All at one position.
    fn contracted(&mut self, at: &Range<usize>) -> bool {
        let text = self.text.get(at.clone()).unwrap_or_default();
        let is_apostrophe = |c: char| class::of_char(c) == Class::Apostrophe;
        let (head, tail) = text.rsplit_once(is_apostrophe).unwrap_or((text, ""));
        let head = at.start..at.start + head.len();
        let tail = tail.to_lowercase();
        match tail.as_str() {
            "s" | "re" | "ve" | "ll" | "d" | "m" => return self.word(head),
            "t" => {
                let found = self.word(at.clone());
                return self.word(head) || found;
            }
            _ => {}
        }
        let mut found = self.word(at.clone());
        let mut start = at.start;
        for piece in text.split_inclusive(is_apostrophe).take(16) {
            let bare = piece.trim_end_matches(is_apostrophe);
            if bare.chars().nth(1).is_some() {
                found |= self.word(start..start + bare.len());
            }
            start += piece.len();
        }
        found
    }

    /// A date in digits: itself, and what it stands for.
    fn date(&mut self, date: Date, at: &Range<usize>) {
        let position = self.position;
        let each = &mut self.each;
        each(Token { term: &date.whole(), form: Form::Whole, position, bytes: at.clone() });
        date.broader(&mut |term| each(Token { term, form: Form::Date, position, bytes: at.clone() }));
    }

    /// A date in words that ends with this year; its words are terms already.
    fn written_out(&mut self, date: Date, at: &Range<usize>) {
        let position = self.position;
        let each = &mut self.each;
        each(Token { term: &date.whole(), form: Form::Whole, position, bytes: at.clone() });
        let month = Date { day: 0, ..date };
        if date.day > 0 {
            each(Token { term: &month.whole(), form: Form::Date, position, bytes: at.clone() });
        }
        date.month_stems(&mut |term| each(Token { term, form: Form::Date, position, bytes: at.clone() }));
    }

    /// A run of a script without spaces: every two neighbours are a word, a lone character is one.
    fn dense(&mut self, start: usize) -> usize {
        let rest = self.text.get(start..).unwrap_or_default();
        let mut before: Option<(Range<usize>, char)> = None;
        let mut current: Option<(Range<usize>, char)> = None;
        let mut pairs = false;
        let mut end = start;
        for (offset, c) in rest.char_indices() {
            match class::of_char(c) {
                Class::Dense => {}
                Class::Quiet => continue,
                _ => break,
            }
            let at = start + offset..start + offset + c.len_utf8();
            end = at.end;
            for piece in normal(c) {
                if let Some((range, last)) = &mut current
                    && let Some(both) = compose(*last, piece)
                {
                    *last = both;
                    range.end = at.end;
                    continue;
                }
                pairs |= self.pair(before.as_ref(), current.as_ref());
                before = current.replace((at.clone(), piece));
            }
        }
        pairs |= self.pair(before.as_ref(), current.as_ref());
        if let Some((at, c)) = current.filter(|_| !pairs) {
            self.characters(&[c], at);
        }
        end.max(start + 1)
    }

    fn pair(&mut self, a: Option<&(Range<usize>, char)>, b: Option<&(Range<usize>, char)>) -> bool {
        let (Some((from, a)), Some((to, b))) = (a, b) else { return false };
        self.characters(&[*a, *b], from.start..to.end);
        true
    }

    /// A word that is these characters as they are.
    fn characters(&mut self, word: &[char], at: Range<usize>) {
        self.term.clear();
        self.term.push(EXACT_MARK);
        self.term.extend(word);
        self.folded_word(at.clone());
        self.position += 1;
        self.recent.push(at);
    }

    fn emoji(&mut self, at: usize, c: char) -> usize {
        let end = at + c.len_utf8();
        let other =
            char_at(self.text, end).filter(|other| class::is_flag_half(c) && class::is_flag_half(*other));
        match other {
            Some(other) => {
                let end = end + other.len_utf8();
                self.characters(&[c, other], at..end);
                end
            }
            None => {
                self.characters(&[c], at..end);
                end
            }
        }
    }
}

/// The end of a word that is one capital or small letter, small letters, and then surely over.
fn plain_word(bytes: &[u8], start: usize) -> Option<usize> {
    let mut end = start + 1;
    while bytes.get(end).is_some_and(u8::is_ascii_lowercase) {
        end += 1;
        if end - start == LONGEST {
            return Some(end);
        }
    }
    let over = match bytes.get(end) {
        None => true,
        Some(&byte) => match class::of_byte(byte) {
            Class::Gap => end > start + 1 || !matches!(byte, b'+' | b'#'),
            Class::Join | Class::Apostrophe => {
                bytes.get(end + 1).is_none_or(|&next| class::of_byte(next) == Class::Gap)
            }
            _ => false,
        },
    };
    over.then_some(end)
}

/// Whether hyphens and underscores alone hold this together, none of them between two digits: `stand-up`, `file_name`,
/// `utf-8`, but neither `1-2` nor `a/b-c`.
fn is_joined(bytes: &[u8]) -> bool {
    let is_sign = |byte: &u8| matches!(byte, b'-' | b'_');
    let is_letter = |byte: &u8| byte.is_ascii_alphanumeric() || !byte.is_ascii();
    let parts = || bytes.split(is_sign);
    let apart = parts().zip(parts().skip(1)).any(|(before, after)| {
        before.last().is_some_and(u8::is_ascii_digit) && after.first().is_some_and(u8::is_ascii_digit)
    });
    bytes.iter().any(is_sign) && !apart && parts().all(|part| !part.is_empty() && part.iter().all(is_letter))
}

/// `v1.2.3`.
fn is_version(bytes: &[u8], at: &Range<usize>) -> bool {
    matches!(bytes.get(at.clone()), Some([b'v' | b'V', b'0'..=b'9', rest @ ..]) if rest.contains(&b'.'))
}

/// The usual form of a character of a dense script: half-width kana and old ideographs become ordinary ones.
fn normal(c: char) -> impl Iterator<Item = char> {
    let usual = matches!(c, '\u{3041}'..='\u{3096}' | '\u{30a1}'..='\u{30fa}' | '\u{4e00}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}');
    let spelled = (!usual).then_some(match c {
        '\u{ff9e}' => '\u{3099}',
        '\u{ff9f}' => '\u{309a}',
        other => other,
    });
    spelled.into_iter().nfkc().chain(usual.then_some(c))
}
