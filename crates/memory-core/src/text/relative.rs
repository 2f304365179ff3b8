//! Stretches of time that are told from now: `last week`, `há 3 dias`, `the past two months`, `7d`.

use jiff::ToSpan;

use super::calendar::{count_of, month_named, short_weekday_of, weekday_of};
use super::span::{Span, Words, days, time_of};
use crate::time::Time;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unit {
    Minute,
    Hour,
    Day,
    Week,
    Month,
    Quarter,
    Year,
}

pub(super) fn unit_of(word: &str) -> Option<Unit> {
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

/// How many are meant by `the last days`.
const SOME: i64 = 3;

impl Words<'_> {
    /// `this month`, `last week`, `semana passada`, `past 3 days`, `últimas 2 semanas`, `last March`, `this Friday`.
    pub(super) fn relative(&self, at: usize) -> Option<(Span, usize)> {
        let (word, next) = (self.word(at), self.word(at + 1));
        let weekday = || weekday_of(next.trim_end_matches("-feira")).or_else(|| short_weekday_of(next));
        match word {
            "this" | "current" | "esta" | "este" | "essa" | "esse" | "nesta" | "neste" | "nessa"
            | "nesse" | "desta" | "deste" | "dessa" | "desse" => {
                if let Some(unit) = unit_of(next) {
                    return Some((self.whole(unit, 0)?, 2));
                }
                if let Some(month) = month_named(next) {
                    let january = self.today.first_of_year();
                    let first = january.checked_add(i64::from(month - 1).months()).ok()?;
                    return Some((days(first, 1.month())?, 2));
                }
                let monday = self.whole(Unit::Week, 0)?.from;
                let from = Time(monday.0 + (i64::from(weekday()?) - 1) * DAY_MS);
                Some((Span { from, to: Time(from.0 + DAY_MS) }, 2))
            }
            "last" | "past" | "previous" | "ultima" | "ultimo" | "ultimas" | "ultimos" => {
                let of = usize::from(self.word(at + 2) == "of");
                if let Some(unit) = unit_of(self.word(at + 2 + of))
                    && let Some(count) = count_of(next)
                {
                    return Some((self.rolling(unit, count)?, 3 + of));
                }
                if let Some(unit) = unit_of(next) {
                    if next.len() > 3 && next.ends_with('s') && next != "mes" {
                        return Some((self.rolling(unit, SOME)?, 2));
                    }
                    let whole = matches!(word, "last" | "previous");
                    return Some((if whole { self.whole(unit, 1)? } else { self.rolling(unit, 1)? }, 2));
                }
                if let Some((unit, count)) = counted(next) {
                    return Some((self.rolling(unit, count)?, 2));
                }
                if let Some(weekday) = weekday() {
                    return Some((self.weekday(weekday, 1)?, 2));
                }
                Some((self.month(month_named(next)?)?, 2))
            }
            // `the week before last`
            _ if next == "before" && self.word(at + 2) == "last" => Some((self.whole(unit_of(word)?, 2)?, 3)),
            _ if matches!(next, "retrasada" | "retrasado") => Some((self.whole(unit_of(word)?, 2)?, 2)),
            _ if matches!(next, "passada" | "passado" | "anterior") => {
                if let Some(unit) = unit_of(word) {
                    return Some((self.whole(unit, 1)?, 2));
                }
                if let Some(month) = month_named(word) {
                    let latest = self.month(month)?;
                    let is_over = latest.to <= time_of(self.today)?;
                    let year_back = || days(self.today.first_of_year().checked_sub(1.year()).ok()?, 0.days());
                    let last_year = || {
                        let first = super::span::day_of(year_back()?.from)?;
                        days(first.checked_add(i64::from(month - 1).months()).ok()?, 1.month())
                    };
                    return Some((if is_over { latest } else { last_year()? }, 2));
                }
                Some((self.weekday(weekday_of(word.trim_end_matches("-feira"))?, 1)?, 2))
            }
            _ => None,
        }
    }

    /// `3 days ago`, `há 3 dias`, `2 semanas atrás`, `a couple of weeks ago`, `half a year ago`, `há um ano e meio`.
    pub(super) fn ago(&self, at: usize) -> Option<(Span, usize)> {
        let led = matches!(self.word(at), "ha" | "faz");
        let mut next = at + usize::from(led);
        // `há mais de um mês` bounds it, see `bound`.
        if led && matches!(self.word(next), "mais" | "menos") && self.word(next + 1) == "de" {
            next += 2;
        }
        let is_half = matches!(self.word(next), "half" | "meio");
        if is_half {
            next += 1 + usize::from(matches!(self.word(next + 1), "a" | "an"));
        } else {
            if self.word(next) == "a" && matches!(self.word(next + 1), "couple" | "few" | "fortnight") {
                next += 1;
            }
        }
        let is_fortnight = self.word(next) == "fortnight";
        let count = if is_half || is_fortnight { 2 } else { count_of(self.word(next))? };
        if !is_half && !is_fortnight {
            next += 1 + usize::from(self.word(next + 1) == "of");
        }
        let unit = if is_fortnight { Unit::Week } else { unit_of(self.word(next))? };
        let and_half = match (self.word(next + 1), self.word(next + 2), self.word(next + 3)) {
            ("and", "a", "half") => 3,
            ("e", "meio" | "meia", _) => 2,
            _ => 0,
        };
        next += and_half;
        let behind = matches!(self.word(next + 1), "ago" | "atras");
        // `há um ano de garantia`
        let is_had = led && !behind && self.word(next + 1) == "de";
        if !led && !behind || is_had {
            return None;
        }
        let taken = next + 1 + usize::from(behind) - at;
        let (unit, count) = match (unit, is_half, and_half > 0) {
            (Unit::Year, true, _) => (Unit::Month, 6),
            (Unit::Month, true, _) => (Unit::Day, 15),
            (_, true, _) => return None,
            (Unit::Year, _, true) => (Unit::Month, count.checked_mul(12)?.checked_add(6)?),
            (Unit::Month, _, true) => (Unit::Day, count.checked_mul(30)?.checked_add(15)?),
            (unit, ..) => (unit, count),
        };
        let span = match unit {
            Unit::Minute | Unit::Hour => self.rolling(unit, count)?,
            Unit::Day => days(self.today.checked_sub(count.days()).ok()?, 1.day())?,
            Unit::Week => days(self.today.checked_sub((count * 7 + 3).days()).ok()?, 7.days())?,
            Unit::Month | Unit::Quarter | Unit::Year => self.whole(unit, count)?,
        };
        Some((span, taken))
    }

    /// `7d`, `2w`, `3m`, `1y`, `12h`: the day, or the minute, so long ago.
    pub(super) fn short(&self, at: usize) -> Option<(Span, usize)> {
        let (unit, count) = counted(self.word(at))?;
        let from = self.moment_ago(unit, count)?;
        let length = if matches!(unit, Unit::Minute | Unit::Hour) { 60_000 } else { DAY_MS };
        Some((Span { from, to: Time(from.0.checked_add(length)?) }, 1))
    }

    /// The calendar unit so many before the present one.
    pub(super) fn whole(&self, unit: Unit, back: i64) -> Option<Span> {
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
    pub(super) fn rolling(&self, unit: Unit, count: i64) -> Option<Span> {
        Some(Span { from: self.moment_ago(unit, count)?, to: time_of(self.today.tomorrow().ok()?)? })
    }

    /// The moment so long ago; of days and more the beginning of the day.
    fn moment_ago(&self, unit: Unit, count: i64) -> Option<Time> {
        let back = |length: jiff::Span| time_of(self.today.checked_sub(length).ok()?);
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

    /// The moment that `more than a month ago` speaks of, where a span of [`ago`](Self::ago) stands at a place.
    pub(super) fn exactly_ago(&self, at: usize) -> Option<Time> {
        let mut next = at + usize::from(matches!(self.word(at), "ha" | "faz"));
        if matches!(self.word(next), "mais" | "menos") {
            next += 2;
        }
        next += usize::from(self.word(next) == "a" && matches!(self.word(next + 1), "couple" | "few"));
        let count = count_of(self.word(next))?;
        next += 1 + usize::from(self.word(next + 1) == "of");
        self.moment_ago(unit_of(self.word(next))?, count)
    }
}

const DAY_MS: i64 = 86_400_000;

/// `7d`, `2w`, `3m`, `1y`, `12h`.
fn counted(word: &str) -> Option<(Unit, i64)> {
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
    if digits { Some((unit, count.parse().ok()?)) } else { None }
}
