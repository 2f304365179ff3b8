//! Stretches of time that are named by what they are part of: quarters and halves of a year, a week or the end of a
//! month, weekends, the week before a day. Seasons are not among them: their months hang on where somebody lives.

use jiff::civil::Date;
use jiff::{Span as Length, ToSpan};

use super::calendar::{is_year, ordinal};
use super::span::{Place, Span, Words, day_of, days};

/// The least days of what may have weeks, a beginning and an end.
const MONTH: i64 = 28;
const DAY_MS: i64 = 86_400_000;

impl Words<'_> {
    /// What is named from word `at` on, and how many words name it.
    pub(super) fn period(&self, at: usize, place: Place) -> Option<(Span, usize)> {
        self.of_year(at, place)
            .or_else(|| self.weekend(at))
            .or_else(|| self.week_of(at))
            .or_else(|| self.part(at))
            .or_else(|| self.beside(at))
    }

    /// `Q3 2025`, `in Q3`, `H1 2025`, `the third quarter of 2025`, `segundo semestre`.
    fn of_year(&self, at: usize, place: Place) -> Option<(Span, usize)> {
        let (nth, months, taken) = match short(self.word(at)) {
            Some((nth, months)) => (nth, months, 1),
            None => {
                let months = match self.word(at + 1) {
                    "quarter" | "trimestre" => 3,
                    "half" | "semestre" => 6,
                    _ => return None,
                };
                (nth(self.word(at))?, months, 2)
            }
        };
        if !(1..=12 / months).contains(&nth) {
            return None;
        }
        let (year, end) = match self.year_after(at + taken) {
            Some((year, end)) => (year, end),
            // `Q3` or `the first half` may be of anything.
            None if place == Place::Value || self.is_led_to(at) && self.word(at + 1) != "half" => {
                let is_to_come = months * (nth - 1) >= i64::from(self.today.month());
                (self.today.year() - i16::from(is_to_come), at + taken)
            }
            None => return None,
        };
        let from = Date::new(year, i8::try_from(months * (nth - 1) + 1).ok()?, 1).ok()?;
        Some((days(from, months.months())?, end - at))
    }

    /// `last weekend`, `this weekend`, `fim de semana passado`.
    fn weekend(&self, at: usize) -> Option<(Span, usize)> {
        let is_named = |at: usize| match self.word(at) {
            "weekend" => Some(1),
            "fim" | "final" if self.word(at + 1) == "de" && self.word(at + 2) == "semana" => Some(3),
            _ => None,
        };
        let (is_past, taken) = match self.word(at) {
            "last" | "past" | "previous" | "ultimo" => (true, 1 + is_named(at + 1)?),
            "this" | "este" | "esse" | "neste" | "nesse" | "deste" | "desse" => {
                (false, 1 + is_named(at + 1)?)
            }
            _ => {
                let taken = is_named(at)?;
                matches!(self.word(at + taken), "passado" | "anterior").then_some((true, taken + 1))?
            }
        };
        let monday = monday_of(self.today)?;
        let of_this_week = monday.checked_add(5.days()).ok()?;
        let saturday = if is_past { of_this_week.checked_sub(7.days()).ok()? } else { of_this_week };
        Some((days(saturday, 2.days())?, taken))
    }

    /// `first week of June`, `last week of 2025`, `primeira semana de junho`.
    fn week_of(&self, at: usize) -> Option<(Span, usize)> {
        let is_last = matches!(self.word(at), "last" | "ultima");
        let nth = if is_last { Some(0) } else { nth(self.word(at)) };
        if !matches!(self.word(at + 1), "week" | "semana") || !self.is_of(at + 2) {
            return None;
        }
        let (whole, taken) = self.whole_month_or_more(at + 3)?;
        let from = match nth? {
            0 => day_of(whole.to)?.checked_sub(7.days()).ok()?,
            nth @ 1..=4 => day_of(whole.from)?.checked_add((7 * (nth - 1)).days()).ok()?,
            _ => return None,
        };
        Some((days(from, 7.days())?, 3 + taken))
    }

    /// `early March`, `mid-March`, `end of 2025`, `meados de março`: a third of it.
    fn part(&self, at: usize) -> Option<(Span, usize)> {
        let word = self.word(at);
        let (third, takes_of) = match word.strip_prefix("mid-").map_or(word, |_| "mid") {
            "early" => (0, false),
            "mid" => (1, false),
            "late" => (2, false),
            "beginning" | "start" | "inicio" | "comeco" => (0, true),
            "middle" | "meados" | "meio" => (1, true),
            "end" | "fim" | "final" => (2, true),
            _ => return None,
        };
        let (whole, taken) = match word.strip_prefix("mid-") {
            Some(rest) => {
                let words = [&[rest.to_owned()], self.words.get(at + 1..).unwrap_or_default()].concat();
                Words { words: &words, ..*self }.whole_month_or_more(0)?
            }
            None => {
                if takes_of && !matches!(self.word(at + 1), "of" | "de" | "do") {
                    return None;
                }
                let next = at + 1 + usize::from(takes_of);
                let (whole, taken) = self.whole_month_or_more(next)?;
                (whole, next + taken - at)
            }
        };
        let (from, to) = (day_of(whole.from)?, day_of(whole.to)?);
        let count = (whole.to.0 - whole.from.0) / DAY_MS;
        let edge = |thirds: i64| from.checked_add((count * thirds / 3).days()).ok();
        let end = if third == 2 { to } else { edge(third + 1)? };
        let start = edge(third)?;
        Some((days(start, start.until(end).ok()?)?, taken))
    }

    /// `week of May 5`, `the week before 16 November`, `the day after Monday`, `semana de 5 de maio`.
    fn beside(&self, at: usize) -> Option<(Span, usize)> {
        let length: Length = match self.word(at) {
            "week" | "semana" => 7.days(),
            "day" | "dia" => 1.day(),
            _ => return None,
        };
        let is_week = length.get_days() == 7;
        let (side, mut next) = match self.word(at + 1) {
            "of" | "de" | "do" | "da" if is_week => (Side::Around, at + 2),
            "before" | "antes" => (Side::Before, at + 2),
            "after" | "depois" | "apos" => (Side::After, at + 2),
            _ => return None,
        };
        while matches!(self.word(next), "the" | "de" | "do" | "da" | "dia") {
            next += 1;
        }
        let (day, taken) = self.span(next, Place::Value)?;
        if day.to.0 - day.from.0 != DAY_MS {
            return None;
        }
        let from = match side {
            Side::Around => monday_of(day_of(day.from)?)?,
            Side::Before => day_of(day.from)?.checked_sub(length).ok()?,
            Side::After => day_of(day.to)?,
        };
        Some((days(from, length)?, next + taken - at))
    }

    fn is_of(&self, at: usize) -> bool {
        matches!(self.word(at), "of" | "in" | "de" | "do" | "da" | "em")
    }

    /// A year that stands here, perhaps behind an `of`, and where the words go on.
    fn year_after(&self, at: usize) -> Option<(i16, usize)> {
        let at = at + usize::from(self.is_of(at));
        let word = self.word(at);
        let year = ordinal(word).filter(|_| word.len() == 4).filter(|&year| is_year(year))?;
        Some((i16::try_from(year).ok()?, at + 1))
    }

    /// A month or a year.
    fn whole_month_or_more(&self, at: usize) -> Option<(Span, usize)> {
        let at_the = at + usize::from(matches!(self.word(at), "the" | "o" | "a"));
        let (span, taken) = self.span(at_the, Place::Value)?;
        (span.to.0 - span.from.0 >= MONTH * DAY_MS).then_some((span, at_the + taken - at))
    }
}

enum Side {
    Around,
    Before,
    After,
}

fn monday_of(day: Date) -> Option<Date> {
    day.checked_sub(i64::from(day.weekday().to_monday_zero_offset()).days()).ok()
}

/// `q3` is the third of three months, `h1` the first of six.
fn short(word: &str) -> Option<(i64, i64)> {
    let months = match word.as_bytes().first()? {
        b'q' => 3,
        b'h' => 6,
        _ => return None,
    };
    let nth = word.get(1..).filter(|rest| rest.len() == 1)?.parse().ok()?;
    Some((nth, months))
}

fn nth(word: &str) -> Option<i64> {
    Some(match word {
        "first" | "1st" | "primeiro" | "primeira" | "1o" | "1a" => 1,
        "second" | "2nd" | "segundo" | "segunda" | "2o" | "2a" => 2,
        "third" | "3rd" | "terceiro" | "terceira" | "3o" | "3a" => 3,
        "fourth" | "4th" | "quarto" | "quarta" | "4o" | "4a" => 4,
        _ => return None,
    })
}
