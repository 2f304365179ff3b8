//! Dates as terms: a day is found by its day, its month, its year and the month's name in both languages.

use std::ops::Range;

use super::calendar::{MONTHS, exists, is_year, month_of, ordinal};
use super::fold::fold_into;

/// A day, or a whole month where `day` is 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Date {
    pub(super) year: u16,
    pub(super) month: u8,
    pub(super) day: u8,
}

/// The terms under which something of this day is found: `=2026-03-16`, `=2026-03`, `2026`, `=2026`, and the stems
/// of the month's names (`march`, `marc`). A day that does not exist has none.
pub fn date_terms(year: u16, month: u8, day: u8, mut each: impl FnMut(&str)) {
    let date = Date { year, month, day };
    if exists(year, month, day) {
        each(&date.whole());
        date.broader(&mut each);
    }
}

impl Date {
    /// The most specific term: `=2026-03-16` or `=2026-03`.
    pub(super) fn whole(self) -> String {
        let Self { year, month, day } = self;
        if day == 0 { format!("={year:04}-{month:02}") } else { format!("={year:04}-{month:02}-{day:02}") }
    }

    /// The terms that are less specific than [`Self::whole`].
    pub(super) fn broader(self, each: &mut impl FnMut(&str)) {
        if self.day > 0 {
            each(&Self { day: 0, ..self }.whole());
        }
        each(&format!("{:04}", self.year));
        each(&format!("={:04}", self.year));
        self.month_stems(each);
    }

    /// The stems of the month's names.
    pub(super) fn month_stems(self, each: &mut impl FnMut(&str)) {
        let Some(&[_, _, english, portuguese]) = MONTHS.get(usize::from(self.month).wrapping_sub(1)) else {
            return;
        };
        each(english);
        each(portuguese);
    }
}

/// A date in digits that begins here, `2026-03-16`, `2026/03/16`, `2026-03`, `16/03/2026` or `16.03.2026`, and its
/// length in bytes.
pub(super) fn date_at(bytes: &[u8], at: usize) -> Option<(Date, usize)> {
    let rest = bytes.get(at..)?;
    if !rest.first()?.is_ascii_digit() {
        return None;
    }
    let Some(year) = number(rest.get(..4)?) else { return year_last(rest) };
    let sign = *rest.get(4)?;
    let month = u8::try_from(number(rest.get(5..7)?)?).ok()?;
    if !is_year(year) || !(1..=12).contains(&month) || !matches!(sign, b'-' | b'/') {
        return None;
    }
    if rest.get(7) == Some(&sign)
        && let Some(day) = rest.get(8..10).and_then(number).and_then(|day| u8::try_from(day).ok())
        && exists(year, month, day)
        && ends(rest, 10)
    {
        return Some((Date { year, month, day }, 10));
    }
    let goes_on = rest.get(7) == Some(&sign) && rest.get(8).is_some_and(u8::is_ascii_alphanumeric);
    let whole =
        sign == b'-' && !goes_on && rest.get(7).is_none_or(|b| !b.is_ascii_alphanumeric() && *b < 128);
    whole.then_some((Date { year, month, day: 0 }, 7))
}

/// The day first, as most of the world writes it, unless only the other way round there is such a day.
fn year_last(rest: &[u8]) -> Option<(Date, usize)> {
    let sign = *rest.get(2)?;
    let two = |at: usize| u8::try_from(number(rest.get(at..at + 2)?)?).ok();
    let (first, second) = (two(0)?, two(3)?);
    let year = number(rest.get(6..10)?).filter(|year| is_year(*year))?;
    if !matches!(sign, b'/' | b'.' | b'-') || rest.get(5) != Some(&sign) || !ends(rest, 10) {
        return None;
    }
    let (month, day) = if exists(year, second, first) { (second, first) } else { (first, second) };
    exists(year, month, day).then_some((Date { year, month, day }, 10))
}

/// Whether a date may end here: before no letter or digit, or before the `T` of a time.
fn ends(rest: &[u8], at: usize) -> bool {
    match rest.get(at) {
        None => true,
        Some(b'T' | b't') => rest.get(at + 1).is_some_and(u8::is_ascii_digit),
        Some(byte) => !byte.is_ascii_alphanumeric() && *byte < 128,
    }
}

fn number(digits: &[u8]) -> Option<u16> {
    digits.iter().try_fold(0_u16, |sum, b| {
        if b.is_ascii_digit() { Some(sum * 10 + u16::from(b - b'0')) } else { None }
    })
}

/// The words that stood last, for dates that are written out: `16 March 2026`, `March 16th, 2026`,
/// `16 de março de 2026`, `maio de 2023`.
#[derive(Debug, Default)]
pub(super) struct Recent {
    words: [Range<usize>; 4],
    next: usize,
}

impl Recent {
    /// Notes a word.
    pub(super) fn push(&mut self, word: Range<usize>) {
        if let Some(slot) = self.words.get_mut(self.next % 4) {
            *slot = word;
        }
        self.next = (self.next + 1) % 4;
    }

    /// The date that a year at `year` completes, if the words before it are of one.
    pub(super) fn completed(&self, text: &str, year: &Range<usize>) -> Option<Date> {
        let number = number(text.as_bytes().get(year.clone())?).filter(|&number| is_year(number))?;
        let mut back = Back { recent: self, text, taken: 0, edge: year.start };
        let mut word = back.word()?;
        if matches!(word.as_str(), "de" | "of" | "do") {
            word = back.word()?;
        }
        if let Some(month) = month_of(&word) {
            let mut before = back.word();
            if before.as_deref() == Some("de") || before.as_deref() == Some("of") {
                before = back.word();
            }
            let day = before.and_then(|word| ordinal(&word)).and_then(|day| u8::try_from(day).ok());
            let day = day.filter(|&day| exists(number, month, day)).unwrap_or(0);
            return Some(Date { year: number, month, day });
        }
        let day = u8::try_from(ordinal(&word)?).ok()?;
        let month = back.word().and_then(|word| month_of(&word))?;
        exists(number, month, day).then_some(Date { year: number, month, day })
    }
}

/// Reads the recent words backwards as long as they stand close together.
struct Back<'a> {
    recent: &'a Recent,
    text: &'a str,
    taken: usize,
    edge: usize,
}

impl Back<'_> {
    fn word(&mut self) -> Option<String> {
        if self.taken == 4 {
            return None;
        }
        self.taken += 1;
        let at = self.recent.words.get((self.recent.next + 4 - self.taken) % 4)?;
        let gap = self.text.get(at.end..self.edge)?;
        if at.is_empty() || gap.is_empty() || gap.len() > 3 || gap.contains('\n') {
            return None;
        }
        self.edge = at.start;
        let mut word = String::new();
        fold_into(&mut word, self.text.get(at.clone())?, 12);
        Some(word)
    }
}
