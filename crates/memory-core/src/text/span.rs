//! Stretches of time that words name: days, weeks, months and years, in English and Portuguese.
//!
//! Without a year the latest that is not in the future is meant. Days are days of UTC.

use jiff::civil::{Date, date};
use jiff::tz::TimeZone;
use jiff::{Span as Length, ToSpan};

use super::calendar::{is_year, month_named, month_of, ordinal, weekday_of};
use super::date::date_at;
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
pub(super) struct Words<'a> {
    pub(super) words: &'a [String],
    pub(super) now: Time,
    pub(super) today: Date,
}

/// The day of a moment.
pub(super) fn day_of(time: Time) -> Option<Date> {
    time.day().parse().ok()
}

fn time_of(day: Date) -> Option<Time> {
    let stamp = TimeZone::UTC.to_timestamp(day.to_datetime(jiff::civil::Time::midnight())).ok()?;
    Some(Time(stamp.as_millisecond()))
}

pub(super) fn days(from: Date, length: Length) -> Option<Span> {
    Some(Span { from: time_of(from)?, to: time_of(from.checked_add(length).ok()?)? })
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Unit {
    Minute,
    Hour,
    Day,
    Week,
    Month,
    Quarter,
    Year,
}

fn unit_of(word: &str) -> Option<Unit> {
    Some(match word {
        "minute" | "minutes" | "minuto" | "minutos" => Unit::Minute,
        "hour" | "hours" | "hora" | "horas" => Unit::Hour,
        "day" | "days" | "dia" | "dias" => Unit::Day,
        "week" | "weeks" | "semana" | "semanas" => Unit::Week,
        "month" | "months" | "mes" | "meses" => Unit::Month,
        "quarter" | "quarters" | "trimestre" | "trimestres" => Unit::Quarter,
        "year" | "years" | "ano" | "anos" => Unit::Year,
        _ => return None,
    })
}

fn count_of(word: &str) -> Option<i64> {
    const NAMES: &[&[&str]] = &[
        &["a", "an", "one", "um", "uma"],
        &["two", "dois", "duas", "couple"],
        &["three", "tres", "few"],
        &["four", "quatro"],
        &["five", "cinco"],
        &["six", "seis"],
        &["seven", "sete"],
        &["eight", "oito"],
        &["nine", "nove"],
        &["ten", "dez"],
        &["eleven", "onze"],
        &["twelve", "doze"],
    ];
    if let Some(at) = NAMES.iter().position(|names| names.contains(&word)) {
        return i64::try_from(at + 1).ok();
    }
    let short = word.len() <= 4 && word.bytes().all(|b| b.is_ascii_digit());
    if short { word.parse().ok() } else { None }
}

impl Words<'_> {
    /// A word of the text, or nothing.
    pub(super) fn word(&self, at: usize) -> &str {
        self.words.get(at).map_or("", String::as_str)
    }

    /// The stretch of time that is named from word `at` on, and how many words name it.
    pub(super) fn span(&self, at: usize, place: Place) -> Option<(Span, usize)> {
        self.period(at, place)
            .or_else(|| self.named_day(at))
            .or_else(|| self.written_date(at))
            .or_else(|| self.relative(at))
            .or_else(|| self.ago(at))
            .or_else(|| if place == Place::Value || self.is_led_to(at) { self.bare(at) } else { None })
            .or_else(|| if place == Place::Value { self.short(at) } else { None })
    }

    /// `today`, `ontem`, `2026-03-16`, `16/03/2026`.
    fn named_day(&self, at: usize) -> Option<(Span, usize)> {
        let back = |count: i64| days(self.today.checked_sub(count.days()).ok()?, 1.day());
        let word = self.word(at);
        let (span, taken) = match word {
            "today" | "hoje" | "tonight" => (back(0)?, 1),
            "yesterday" | "ontem" => (back(1)?, 1),
            "anteontem" => (back(2)?, 1),
            "day" if self.word(at + 1) == "before" && self.word(at + 2) == "yesterday" => (back(2)?, 3),
            "this" if matches!(self.word(at + 1), "morning" | "afternoon" | "evening") => (back(0)?, 2),
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
                (days(apart(word, '/').or_else(|| apart(word, '.'))?, 1.day())?, 1)
            }
        };
        Some((span, taken))
    }

    /// `7 May 2023`, `May 7th 2023`, `7 de maio`, `May 2023`, `março de 2026`.
    fn written_date(&self, at: usize) -> Option<(Span, usize)> {
        let day_of = |word: &str| {
            ordinal(word).and_then(|day| i8::try_from(day).ok()).filter(|day| (1..=31).contains(day))
        };
        let year_of = |word: &str| ordinal(word).filter(|_| word.len() == 4).filter(|&year| is_year(year));
        let skip = |at: usize| at + usize::from(matches!(self.word(at), "de" | "of" | "do" | "the"));
        let after_year = |at: usize| year_of(self.word(skip(at))).map(|year| (year, skip(at) + 1));
        if let Some(day) = day_of(self.word(at)) {
            let month = month_of(self.word(skip(at + 1)))?;
            let next = skip(at + 1) + 1;
            return match after_year(next) {
                Some((year, end)) => Some((self.day(Some(year), month, day)?, end - at)),
                None => Some((self.day(None, month, day)?, next - at)),
            };
        }
        let month = month_of(self.word(at))?;
        if let Some((year, end)) = after_year(at + 1) {
            let first = Date::new(year.try_into().ok()?, month.try_into().ok()?, 1).ok()?;
            return Some((days(first, 1.month())?, end - at));
        }
        // These are short names of months and words of their own.
        let is_month = month_named(self.word(at)).is_some()
            || !matches!(self.word(at), "set" | "out" | "mar" | "ago" | "dec");
        let day = day_of(self.word(at + 1)).filter(|_| is_month)?;
        match after_year(at + 2) {
            Some((year, end)) => Some((self.day(Some(year), month, day)?, end - at)),
            None => Some((self.day(None, month, day)?, 2)),
        }
    }

    fn day(&self, year: Option<u16>, month: u8, day: i8) -> Option<Span> {
        let month = i8::try_from(month).ok()?;
        let in_year = |year: i16| Date::new(year, month, day).ok();
        let found = match year {
            Some(year) => in_year(year.try_into().ok()?)?,
            // The 29th of February may lie some years back.
            None => (0..8)
                .filter_map(|back| in_year(self.today.year() - back))
                .find(|found| *found <= self.today)?,
        };
        days(found, 1.day())
    }

    /// `this month`, `last week`, `semana passada`, `past 3 days`, `últimas 2 semanas`, `last March`.
    fn relative(&self, at: usize) -> Option<(Span, usize)> {
        let word = self.word(at);
        let next = self.word(at + 1);
        match word {
            "this" | "current" | "esta" | "este" | "essa" | "esse" | "nesta" | "neste" | "nessa"
            | "nesse" | "desta" | "deste" | "dessa" | "desse" => Some((self.whole(unit_of(next)?, 0)?, 2)),
            "last" | "past" | "previous" | "ultima" | "ultimo" | "ultimas" | "ultimos" => {
                if let Some(unit) = unit_of(self.word(at + 2))
                    && let Some(count) = count_of(next)
                {
                    return Some((self.rolling(unit, count)?, 3));
                }
                if let Some(unit) = unit_of(next) {
                    let whole = matches!(word, "last" | "previous");
                    return Some((if whole { self.whole(unit, 1)? } else { self.rolling(unit, 1)? }, 2));
                }
                if let Some(weekday) = weekday_of(next.trim_end_matches("-feira")) {
                    return Some((self.weekday(weekday, 1)?, 2));
                }
                Some((self.month(month_named(next)?)?, 2))
            }
            _ if matches!(next, "passada" | "passado" | "anterior") => match unit_of(word) {
                Some(unit) => Some((self.whole(unit, 1)?, 2)),
                None => Some((self.weekday(weekday_of(word.trim_end_matches("-feira"))?, 1)?, 2)),
            },
            _ => None,
        }
    }

    /// `3 days ago`, `há 3 dias`, `2 semanas atrás`, `a couple of weeks ago`.
    fn ago(&self, at: usize) -> Option<(Span, usize)> {
        let led = matches!(self.word(at), "ha" | "faz");
        let mut next = at + usize::from(led);
        if self.word(next) == "a" && matches!(self.word(next + 1), "couple" | "few") {
            next += 1;
        }
        let count = count_of(self.word(next))?;
        next += 1 + usize::from(self.word(next + 1) == "of");
        let unit = unit_of(self.word(next))?;
        let behind = matches!(self.word(next + 1), "ago" | "atras");
        if !led && !behind {
            return None;
        }
        let taken = next + 1 + usize::from(behind) - at;
        let span = match unit {
            Unit::Minute | Unit::Hour => self.rolling(unit, count)?,
            Unit::Day => days(self.today.checked_sub(count.days()).ok()?, 1.day())?,
            Unit::Week => days(self.today.checked_sub((count * 7 + 3).days()).ok()?, 7.days())?,
            Unit::Month | Unit::Quarter | Unit::Year => self.whole(unit, count)?,
        };
        Some((span, taken))
    }

    /// Names that mean a time only behind a preposition: `in March`, `em 2023`, `since Monday`.
    fn bare(&self, at: usize) -> Option<(Span, usize)> {
        let word = self.word(at);
        if let Some(month) = month_named(word) {
            return Some((self.month(month)?, 1));
        }
        if let Some(weekday) = weekday_of(word.trim_end_matches("-feira")) {
            let taken = 1 + usize::from(self.word(at + 1) == "feira");
            return Some((self.weekday(weekday, 0)?, taken));
        }
        let year = ordinal(word).filter(|_| word.len() == 4).filter(|&year| is_year(year))?;
        Some((days(date(year.try_into().ok()?, 1, 1), 1.year())?, 1))
    }

    /// `7d`, `2w`, `3m`, `1y`, `12h`: the day, or the minute, so long ago.
    fn short(&self, at: usize) -> Option<(Span, usize)> {
        let word = self.word(at);
        let (count, unit) = word.split_at_checked(word.len().checked_sub(1)?)?;
        let unit = match unit {
            "h" => Unit::Hour,
            "d" => Unit::Day,
            "w" | "s" => Unit::Week,
            "m" => Unit::Month,
            "y" | "a" => Unit::Year,
            _ => return None,
        };
        let digits = (1..=4).contains(&count.len()) && count.bytes().all(|b| b.is_ascii_digit());
        if !digits {
            return None;
        }
        let from = self.moment_ago(unit, count.parse().ok()?)?;
        let length = if matches!(unit, Unit::Minute | Unit::Hour) { 60_000 } else { 86_400_000 };
        Some((Span { from, to: Time(from.0.checked_add(length)?) }, 1))
    }

    /// Whether a word before this one says that a time comes.
    pub(super) fn is_led_to(&self, at: usize) -> bool {
        let before = |back: usize| at.checked_sub(back).map_or("", |at| self.word(at));
        let leads = |word: &str| {
            matches!(
                word,
                "in" | "on"
                    | "during"
                    | "since"
                    | "until"
                    | "till"
                    | "before"
                    | "after"
                    | "from"
                    | "by"
                    | "of"
                    | "between"
                    | "em"
                    | "na"
                    | "no"
                    | "durante"
                    | "desde"
                    | "ate"
                    | "de"
                    | "antes"
                    | "depois"
                    | "apos"
                    | "entre"
            )
        };
        leads(before(1)) || (matches!(before(1), "a" | "o" | "the" | "da" | "do") && leads(before(2)))
    }

    /// The calendar unit so many before the present one.
    fn whole(&self, unit: Unit, back: i64) -> Option<Span> {
        let today = self.today;
        match unit {
            Unit::Minute | Unit::Hour => self.rolling(unit, 1),
            Unit::Day => days(today.checked_sub(back.days()).ok()?, 1.day()),
            Unit::Week => {
                let monday =
                    today.checked_sub(i64::from(today.weekday().to_monday_zero_offset()).days()).ok()?;
                days(monday.checked_sub((back * 7).days()).ok()?, 7.days())
            }
            Unit::Month => days(today.first_of_month().checked_sub(back.months()).ok()?, 1.month()),
            Unit::Quarter => {
                let first = today.first_of_month();
                let begun = i64::from((today.month() - 1) % 3);
                days(first.checked_sub((begun + 3 * back).months()).ok()?, 3.months())
            }
            Unit::Year => days(today.first_of_year().checked_sub(back.years()).ok()?, 1.year()),
        }
    }

    /// From so long ago to the end of today; days are whole.
    fn rolling(&self, unit: Unit, count: i64) -> Option<Span> {
        Some(Span { from: self.moment_ago(unit, count)?, to: time_of(self.today.tomorrow().ok()?)? })
    }

    /// The moment so long ago; of days and more the beginning of the day.
    fn moment_ago(&self, unit: Unit, count: i64) -> Option<Time> {
        let back = |length: Length| time_of(self.today.checked_sub(length).ok()?);
        match unit {
            Unit::Minute => Some(Time(self.now.0.checked_sub(count.checked_mul(60_000)?)?)),
            Unit::Hour => Some(Time(self.now.0.checked_sub(count.checked_mul(3_600_000)?)?)),
            Unit::Day => back(count.days()),
            Unit::Week => back((count * 7).days()),
            Unit::Month => back(count.months()),
            Unit::Quarter => back((3 * count).months()),
            Unit::Year => back(count.years()),
        }
    }

    /// The latest such month that has begun.
    fn month(&self, month: u8) -> Option<Span> {
        let month = i8::try_from(month).ok()?;
        let year = self.today.year() - i16::from(month > self.today.month());
        days(Date::new(year, month, 1).ok()?, 1.month())
    }

    /// The latest such weekday that lies at least so many days back.
    fn weekday(&self, weekday: i8, least: i64) -> Option<Span> {
        let back = i64::from((self.today.weekday().to_monday_one_offset() - weekday).rem_euclid(7));
        let back = if back < least { back + 7 } else { back };
        days(self.today.checked_sub(back.days()).ok()?, 1.day())
    }
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
