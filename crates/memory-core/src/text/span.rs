//! Stretches of time that words name: days, weeks, months and years, in English and Portuguese.
//!
//! Without a year the latest that is not in the future is meant. Days are days of UTC.

use jiff::civil::{Date, date};
use jiff::tz::TimeZone;
use jiff::{Span as Length, ToSpan};

use super::calendar::{is_year, month_named, month_of, ordinal, short_weekday_of, weekday_of};
use super::date::date_at;
use super::stop::languages_of;
use crate::time::Time;

/// From the first moment up to, but without, the last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Span {
    pub(super) from: Time,
    pub(super) to: Time,
}

/// Whether the words stand in a sentence, where a bare `march` or `may` names no time, or are a value by themselves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    Sentence,
    Value,
}

/// Folded words and the day on which they are said.
#[derive(Clone, Copy)]
pub(super) struct Words<'a> {
    pub(super) words: &'a [String],
    pub(super) now: Time,
    pub(super) today: Date,
}

/// The day of a moment.
pub(super) fn day_of(time: Time) -> Option<Date> {
    time.day().parse().ok()
}

pub(super) fn time_of(day: Date) -> Option<Time> {
    let stamp = TimeZone::UTC.to_timestamp(day.to_datetime(jiff::civil::Time::midnight())).ok()?;
    Some(Time(stamp.as_millisecond()))
}

pub(super) fn days(from: Date, length: Length) -> Option<Span> {
    Some(Span { from: time_of(from)?, to: time_of(from.checked_add(length).ok()?)? })
}

impl Words<'_> {
    /// A word of the text, or nothing.
    pub(super) fn word(&self, at: usize) -> &str {
        self.words.get(at).map_or("", String::as_str)
    }

    /// The word so many before this one.
    pub(super) fn before(&self, at: usize, back: usize) -> &str {
        at.checked_sub(back).map_or("", |at| self.word(at))
    }

    /// The stretch of time that is named from word `at` on, and how many words name it.
    pub(super) fn span(&self, at: usize, place: Place) -> Option<(Span, usize)> {
        self.period(at, place)
            .or_else(|| self.named_day(at))
            .or_else(|| self.written_date(at, place))
            .or_else(|| self.in_digits(at, place))
            .or_else(|| self.relative(at))
            .or_else(|| self.ago(at))
            .or_else(|| if place == Place::Value || self.is_led_to(at) { self.bare(at) } else { None })
            .or_else(|| if place == Place::Value { self.short(at) } else { None })
    }

    /// `today`, `ontem`, `2026-03-16`, `16/03/2026`, `20260316`.
    fn named_day(&self, at: usize) -> Option<(Span, usize)> {
        let back = |count: i64| days(self.today.checked_sub(count.days()).ok()?, 1.day());
        let word = self.word(at);
        let (next, third) = (self.word(at + 1), self.word(at + 2));
        let (span, taken) = match word {
            "today" | "hoje" | "tonight" => (back(0)?, 1),
            "yesterday" | "ontem" => (back(1)?, 1),
            "anteontem" => (back(2)?, 1),
            "last" if next == "night" => (back(1)?, 2),
            "antes" if next == "de" && third == "ontem" => (back(2)?, 3),
            "day" if next == "before" && third == "yesterday" => (back(2)?, 3),
            "this" if matches!(next, "morning" | "afternoon" | "evening") => (back(0)?, 2),
            "esta" | "nesta" if matches!(next, "manha" | "tarde" | "noite") => (back(0)?, 2),
            _ => {
                if let Some((found, length)) = date_at(word.as_bytes(), 0)
                    && (length == word.len() || word.get(length..).is_some_and(|rest| rest.starts_with('t')))
                {
                    let first =
                        Date::new(found.year.try_into().ok()?, found.month.try_into().ok()?, 1).ok()?;
                    if found.day == 0 {
                        return Some((days(first, 1.month())?, 1));
                    }
                    let day = first.with().day(found.day.try_into().ok()?).build().ok()?;
                    return Some((days(day, 1.day())?, 1));
                }
                let dotted = || {
                    let is_version = VERSIONED.contains(&self.before(at, 1));
                    apart(word, '.').filter(|_| !is_version)
                };
                let day = apart(word, '/').or_else(dotted).or_else(|| in_a_row(word))?;
                (days(day, 1.day())?, 1)
            }
        };
        Some((span, taken))
    }

    /// `7 May 2023`, `May 7th 2023`, `7 de maio`, `May 2023`, `março de 2026`, `the first of March`.
    fn written_date(&self, at: usize, place: Place) -> Option<(Span, usize)> {
        let day_of = |word: &str| {
            ordinal(word).and_then(|day| i8::try_from(day).ok()).filter(|day| (1..=31).contains(day))
        };
        let skip = |at: usize| at + usize::from(matches!(self.word(at), "de" | "of" | "do" | "the"));
        let first = || {
            let is_of = matches!(self.word(at + 1), "of" | "de");
            (matches!(self.word(at), "first" | "primeiro") && is_of).then_some(1)
        };
        if let Some(day) = day_of(self.word(at)).or_else(first) {
            let named = self.word(skip(at + 1));
            let month = month_of(named)?;
            let next = skip(at + 1) + 1;
            return match self.year_after(next) {
                Some((year, end)) => Some((self.day(Some(year), month, day)?, end - at)),
                // `node 2 may crash`, `2 out of 3`
                None if is_other_word(named)
                    && place == Place::Sentence
                    && skip(at + 1) == at + 1
                    && !self.is_led_to(at)
                    && next < self.words.len() =>
                {
                    None
                }
                None => Some((self.day(None, month, day)?, next - at)),
            };
        }
        let month = month_of(self.word(at))?;
        if let Some((year, end)) = self.year_after(at + 1) {
            let first = Date::new(year, month.try_into().ok()?, 1).ok()?;
            return Some((days(first, 1.month())?, end - at));
        }
        let is_month = !is_other_word(self.word(at)) || self.word(at) == "may" || self.is_led_to(at);
        let day = day_of(self.word(at + 1)).filter(|_| is_month)?;
        match self.year_after(at + 2) {
            Some((year, end)) => Some((self.day(Some(year), month, day)?, end - at)),
            None => Some((self.day(None, month, day)?, 2)),
        }
    }

    /// A year that stands here, perhaps behind an `of`, and where the words go on: `2025`, `last year`, `do ano passado`.
    pub(super) fn year_after(&self, at: usize) -> Option<(i16, usize)> {
        let at = at + usize::from(matches!(self.word(at), "of" | "in" | "de" | "do" | "em" | "no"));
        if let Some(year) = year_of(self.word(at)) {
            return Some((year, at + 1));
        }
        let now = self.today.year();
        match (self.word(at), self.word(at + 1)) {
            ("last" | "previous", "year") | ("ano", "passado" | "anterior") => Some((now - 1, at + 2)),
            ("this", "year") | ("deste" | "este" | "neste", "ano") => Some((now, at + 2)),
            _ => None,
        }
    }

    fn day(&self, year: Option<i16>, month: u8, day: i8) -> Option<Span> {
        let month = i8::try_from(month).ok()?;
        let in_year = |year: i16| Date::new(year, month, day).ok();
        let found = match year {
            Some(year) => in_year(year)?,
            // The 29th of February may lie some years back.
            None => (0..8)
                .filter_map(|back| in_year(self.today.year() - back))
                .find(|found| *found <= self.today)?,
        };
        days(found, 1.day())
    }

    /// `em 16/03`, `on 16.3`, `16/03/26`, `03/2026`, `março/2026`, `dia 16`, `on the 16th`.
    fn in_digits(&self, at: usize, place: Place) -> Option<(Span, usize)> {
        let word = self.word(at);
        let is_led = place == Place::Value || self.is_led_to(at) || self.before(at, 1) == "dia";
        let day_of = |word: &str| ordinal(word).and_then(|day| i8::try_from(day).ok());
        let is_the_nth = word.ends_with("th") && self.before(at, 1) == "the" && self.is_led_to(at);
        if (self.before(at, 1) == "dia" || is_the_nth)
            && let Some(day) = day_of(word).filter(|day| (1..=31).contains(day))
        {
            let in_month = |back: i64| {
                let month = self.today.first_of_month().checked_sub(back.months()).ok()?;
                month.with().day(day).build().ok()
            };
            let found = (0..4).filter_map(in_month).find(|found| *found <= self.today)?;
            return Some((days(found, 1.day())?, 1));
        }
        let mut parts = word.split(['/', '.']);
        let (first, second, third) = (parts.next()?, parts.next()?, parts.next());
        if parts.next().is_some() {
            return None;
        }
        let month_of = |word: &str| match word.parse() {
            Ok(month @ 1..=12) => Some(month),
            Ok(_) => None,
            Err(_) => month_of(word),
        };
        match third {
            None if year_of(second).is_some() => {
                let (month, year) = (month_of(first)?, year_of(second)?);
                Some((days(Date::new(year, month.try_into().ok()?, 1).ok()?, 1.month())?, 1))
            }
            _ if !is_led => None,
            None => {
                let of = |day: &str, month: &str| self.day(None, month_of(month)?, day_of(day)?);
                Some((of(first, second).or_else(|| of(second, first))?, 1))
            }
            Some(year) if year.len() == 2 => {
                let year = 2000 + year.parse::<i16>().ok()?;
                let of = |day: &str, month: &str| self.day(Some(year), month_of(month)?, day_of(day)?);
                Some((of(first, second).or_else(|| of(second, first))?, 1))
            }
            Some(_) => None,
        }
    }

    /// Names that mean a time only behind a preposition: `in March`, `em 2023`, `since Monday`, `on Fri`.
    fn bare(&self, at: usize) -> Option<(Span, usize)> {
        let word = self.word(at);
        if let Some(month) = month_named(word).or_else(|| month_of(word).filter(|_| !is_other_word(word))) {
            return Some((self.month(month)?, 1));
        }
        let (day, is_feira) = match word.strip_suffix("-feira") {
            Some(day) => (day, true),
            None => (word, self.word(at + 1) == "feira"),
        };
        if let Some(weekday) = weekday_of(day).or_else(|| short_weekday_of(day)) {
            let taken = 1 + usize::from(is_feira && day == word);
            // `na segunda coluna`
            let next = self.word(at + taken);
            let is_number = matches!(day, "segunda" | "terca" | "quarta" | "quinta" | "sexta") && !is_feira;
            if is_number && !next.is_empty() && languages_of(next) == 0 && !is_past(next) {
                return None;
            }
            return Some(match self.week_after(at + taken) {
                Some((back, end)) => (self.in_week(weekday, back)?, end - at),
                None => (self.weekday(weekday, 0)?, taken),
            });
        }
        let year = year_of(word)?;
        // `after 2000 ms`, `a limit of 2000 rows`
        let next = self.word(at + 1);
        let counts = next.len() == 2 || next.len() > 3 && next.ends_with('s');
        (!counts || languages_of(next) > 0).then_some(())?;
        Some((days(date(year, 1, 1), 1.year())?, 1))
    }

    /// `last week`, `da semana passada` behind a weekday: how many weeks back, and where the words go on.
    fn week_after(&self, at: usize) -> Option<(i64, usize)> {
        let at = at + usize::from(matches!(self.word(at), "of" | "da" | "de" | "in"));
        match (self.word(at), self.word(at + 1)) {
            ("last" | "previous", "week") | ("semana", "passada" | "anterior") => Some((1, at + 2)),
            ("this", "week") | ("desta" | "esta" | "nesta", "semana") => Some((0, at + 2)),
            _ => None,
        }
    }

    fn in_week(&self, weekday: i8, back: i64) -> Option<Span> {
        let monday = self.today.checked_sub(i64::from(self.today.weekday().to_monday_zero_offset()).days());
        let days_on = i64::from(weekday) - 1 - 7 * back;
        days(monday.ok()?.checked_add(days_on.days()).ok()?, 1.day())
    }

    /// Whether a word before this one says that a time comes.
    pub(super) fn is_led_to(&self, at: usize) -> bool {
        let leads = |word: &str| LEADS.contains(&word);
        let before = |back: usize| self.before(at, back);
        leads(before(1))
            || matches!(before(1), "a" | "o" | "the" | "da" | "do" | "ao") && leads(before(2))
            || before(1) == "than" && matches!(before(2), "later" | "earlier" | "older" | "newer")
    }

    /// The latest such month that has begun.
    pub(super) fn month(&self, month: u8) -> Option<Span> {
        let month = i8::try_from(month).ok()?;
        let year = self.today.year() - i16::from(month > self.today.month());
        days(Date::new(year, month, 1).ok()?, 1.month())
    }

    /// The latest such weekday that lies at least so many days back.
    pub(super) fn weekday(&self, weekday: i8, least: i64) -> Option<Span> {
        let back = i64::from((self.today.weekday().to_monday_one_offset() - weekday).rem_euclid(7));
        let back = if back < least { back + 7 } else { back };
        days(self.today.checked_sub(back.days()).ok()?, 1.day())
    }
}

#[rustfmt::skip]
const LEADS: &[&str] = &[
    "in", "on", "during", "since", "until", "till", "before", "after", "from", "by", "of", "between", "to", "em", "na", "no",
    "durante", "desde", "ate", "de", "antes", "depois", "apos", "entre", "anterior",
];

/// Words before a version with dots.
const VERSIONED: &[&str] = &["version", "versao", "v", "kernel", "release", "build", "tag"];

/// Names of months that are words of their own as well.
fn is_other_word(word: &str) -> bool {
    matches!(word, "may" | "march" | "set" | "out" | "mar" | "ago" | "dec" | "jun" | "abr")
}

/// Words behind a weekday that say which.
fn is_past(word: &str) -> bool {
    matches!(word, "passada" | "passado" | "anterior" | "que")
}

/// A year in digits.
fn year_of(word: &str) -> Option<i16> {
    let year = ordinal(word).filter(|_| word.len() == 4).filter(|&year| is_year(year))?;
    i16::try_from(year).ok()
}

/// `20260316`
fn in_a_row(word: &str) -> Option<Date> {
    let is_date = word.len() == 8 && word.bytes().all(|b| b.is_ascii_digit());
    let part = |at: std::ops::Range<usize>| word.get(at)?.parse::<i16>().ok();
    let (year, month, day) = if is_date { (part(0..4)?, part(4..6)?, part(6..8)?) } else { return None };
    // Many numbers have eight digits.
    (2000..2100).contains(&year).then_some(())?;
    Date::new(year, month.try_into().ok()?, day.try_into().ok()?).ok()
}

/// `16/3/2026`, or the same with dots.
pub(super) fn apart(word: &str, sign: char) -> Option<Date> {
    let mut numbers = word.split(sign).map(|number| number.parse::<i16>().ok());
    let (first, second, year) = (numbers.next()??, numbers.next()??, numbers.next()??);
    if numbers.next().is_some() || !is_year(u16::try_from(year).ok()?) {
        return None;
    }
    // The day stands first, unless only the other way round exists.
    let of = |day: i16, month: i16| Date::new(year, month.try_into().ok()?, day.try_into().ok()?).ok();
    of(first, second).or_else(|| of(second, first))
}
