//! Stretches of time that are named by what they are part of: quarters and halves of a year, a week or the end of a
//! month, weekends, the week before a day. Seasons are not among them: their months hang on where somebody lives.

use jiff::civil::Date;
use jiff::{Span as Length, ToSpan};

use super::calendar::{count_of, ordinal};
use super::relative::{Unit, unit_of};
use super::span::{Place, Span, Words, day_of, days};

/// The least days of what may have weeks, a beginning and an end.
const MONTH: i64 = 28;
const DAY_MS: i64 = 86_400_000;

impl Words<'_> {
    /// What is named from word `at` on, and how many words name it.
    pub(super) fn period(&self, at: usize, place: Place) -> Option<(Span, usize)> {
        self.of_year(at, place)
            .or_else(|| self.weekend(at))
            .or_else(|| self.nth_of(at))
            .or_else(|| self.several_of(at))
            .or_else(|| self.part(at))
            .or_else(|| self.beside(at))
    }

    /// `Q3 2025`, `2025 Q3`, `in Q3`, `H1 2025`, `the third quarter of last year`, `segundo semestre`.
    fn of_year(&self, at: usize, place: Place) -> Option<(Span, usize)> {
        let of = |(nth, months): (i64, i64), year: i16| {
            let from = Date::new(year, i8::try_from(months * (nth - 1) + 1).ok()?, 1).ok()?;
            (1..=12 / months).contains(&nth).then_some(())?;
            days(from, months.months())
        };
        if let Some((year, 1)) = self.year_after(at).map(|(year, end)| (year, end - at))
            && let Some(part) = short(self.word(at + 1))
        {
            return Some((of(part, year)?, 2));
        }
        if let Some((part, year)) = self.word(at).split_once(['/', '-']).filter(|(part, _)| part.len() == 2) {
            let year = ordinal(year).filter(|_| year.len() == 4).and_then(|year| i16::try_from(year).ok())?;
            return Some((of(short(part)?, year)?, 1));
        }
        let (part, taken) = match short(self.word(at)) {
            Some(part) => (part, 1),
            None => {
                let months = match self.word(at + 1) {
                    "quarter" | "trimestre" => 3,
                    "half" | "semestre" | "metade" => 6,
                    _ => return None,
                };
                ((nth(self.word(at))?, months), 2)
            }
        };
        if let Some((year, end)) = self.year_after(at + taken) {
            return Some((of(part, year)?, end - at));
        }
        // `H2` is a database, `the first half` may be of anything, and `Q3` by itself as well.
        let is_plain = self.word(at).starts_with('h') || matches!(self.word(at + 1), "half" | "metade");
        let is_led = place == Place::Value || self.is_led_to(at);
        (is_led && !(is_plain && place == Place::Sentence)).then_some(())?;
        let is_to_come = part.1 * (part.0 - 1) >= i64::from(self.today.month());
        Some((of(part, self.today.year() - i16::from(is_to_come))?, taken))
    }

    /// `last weekend`, `this weekend`, `over the weekend`, `fim de semana passado`, `no fim de semana`.
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
                let is_behind = matches!(self.word(at + taken), "passado" | "anterior");
                let is_led = self.before(at, 1) == "no"
                    || self.before(at, 1) == "the"
                        && matches!(self.before(at, 2), "over" | "on" | "at" | "during");
                let has_begun = self.today.weekday().to_monday_one_offset() >= 6;
                (is_behind || is_led).then_some((is_behind || !has_begun, taken + usize::from(is_behind)))?
            }
        };
        let of_this_week = monday_of(self.today)?.checked_add(5.days()).ok()?;
        let saturday = if is_past { of_this_week.checked_sub(7.days()).ok()? } else { of_this_week };
        Some((days(saturday, 2.days())?, taken))
    }

    /// `first week of June`, `last week of 2025`, `last day of March`, `primeira quinzena de junho`.
    fn nth_of(&self, at: usize) -> Option<(Span, usize)> {
        let length = match self.word(at + 1) {
            "week" | "semana" => 7,
            "quinzena" => 15,
            "day" | "dia" => 1,
            _ => return None,
        };
        let is_last = matches!(self.word(at), "last" | "ultima" | "ultimo");
        let nth = if is_last { 0 } else { nth(self.word(at))? };
        self.is_of(at + 2).then_some(())?;
        let (whole, taken) = self.whole_month_or_more(at + 3)?;
        let (first, end) = (day_of(whole.from)?, day_of(whole.to)?);
        let from = match (nth, length) {
            (0 | 2, 15) => first.checked_add(15.days()).ok()?,
            (0, _) => end.checked_sub(length.days()).ok()?,
            (1, _) => first,
            (nth @ 2..=4, 7) => first.checked_add((7 * (nth - 1)).days()).ok()?,
            _ => return None,
        };
        let to = if length == 15 && nth != 1 { end } else { from.checked_add(length.days()).ok()? };
        Some((days(from, from.until(to).ok()?)?, 3 + taken))
    }

    /// `the last three months of 2025`, `first two weeks of March`.
    fn several_of(&self, at: usize) -> Option<(Span, usize)> {
        let is_last = match self.word(at) {
            "last" | "ultimos" | "ultimas" => true,
            "first" | "primeiros" | "primeiras" => false,
            _ => return None,
        };
        let count = count_of(self.word(at + 1))?;
        let length: Length = match unit_of(self.word(at + 2))? {
            Unit::Day => count.days(),
            Unit::Week => count.weeks(),
            Unit::Month => count.months(),
            Unit::Quarter => (3 * count).months(),
            _ => return None,
        };
        self.is_of(at + 3).then_some(())?;
        let (whole, taken) = self.whole_month_or_more(at + 4)?;
        let (first, end) = (day_of(whole.from)?, day_of(whole.to)?);
        let from = if is_last { end.checked_sub(length).ok()? } else { first };
        let to = if is_last { end } else { first.checked_add(length).ok()? };
        (from >= first && to <= end).then_some(())?;
        Some((days(from, from.until(to).ok()?)?, 4 + taken))
    }

    /// `early March`, `mid-March`, `end of 2025`, `meados de março`, `at the start of the month`: a third of it.
    fn part(&self, at: usize) -> Option<(Span, usize)> {
        let word = self.word(at);
        let (third, takes_of) = match word {
            "early" => (0, false),
            "mid" => (1, false),
            "late" => (2, false),
            "beginning" | "start" | "inicio" | "comeco" => (0, true),
            "middle" | "meados" | "meio" => (1, true),
            "end" | "fim" | "final" => (2, true),
            _ => (1, false),
        };
        let (whole, taken) = match word.strip_prefix("mid-") {
            Some(rest) => {
                // One word of another text; what stands behind it may be its year.
                let rest = [rest.to_owned(), self.word(at + 1).to_owned(), self.word(at + 2).to_owned()];
                (!rest[0].contains('-')).then_some(())?;
                Words { words: &rest, ..*self }.whole_month_or_more(0)?
            }
            None if matches!(word, "early" | "mid" | "late") => self.part_of(at + 1, at)?,
            None if takes_of && matches!(self.word(at + 1), "of" | "de" | "do") => {
                let (whole, taken) = self.this_month_or_year(at + 2).or_else(|| self.part_of(at + 2, at))?;
                (whole, taken + 1)
            }
            None => return None,
        };
        let taken = if word.starts_with("mid-") { taken } else { taken + 1 };
        let (from, to) = (day_of(whole.from)?, day_of(whole.to)?);
        let count = (whole.to.0 - whole.from.0) / DAY_MS;
        let edge = |thirds: i64| from.checked_add((count * thirds / 3).days()).ok();
        let end = if third == 2 { to } else { edge(third + 1)? };
        let start = edge(third)?;
        Some((days(start, start.until(end).ok()?)?, taken))
    }

    /// What has a part: no month that is another word, as in `how late may I`, and no number as in `the end of 2000 lines`.
    fn part_of(&self, at: usize, part: usize) -> Option<(Span, usize)> {
        let (whole, taken) = self.whole_month_or_more(at)?;
        let (word, next) = (self.word(at), self.word(at + taken));
        let is_other =
            word == "may" && taken == 1 && !matches!(self.before(part, 1), "in" | "since" | "until" | "the")
                || word.starts_with(|c: char| c.is_ascii_digit()) && next.len() > 2 && next.ends_with('s');
        (!is_other).then_some((whole, taken))
    }

    /// `the month`, `mês`: the present one.
    fn this_month_or_year(&self, at: usize) -> Option<(Span, usize)> {
        let the = usize::from(self.word(at) == "the");
        let unit = match self.word(at + the) {
            "month" | "mes" => Unit::Month,
            "quarter" | "trimestre" => Unit::Quarter,
            "year" | "ano" => Unit::Year,
            _ => return None,
        };
        let is_other = matches!(self.word(at + the + 1), "passado" | "passada" | "anterior");
        (!is_other).then_some((self.whole(unit, 0)?, the + 1))
    }

    /// `week of May 5`, `the week before 16 November`, `the day after Monday`, `the month before May`, `semana de 5 de maio`.
    fn beside(&self, at: usize) -> Option<(Span, usize)> {
        let (length, of): (Length, _) = match self.word(at) {
            "week" | "semana" => (7.days(), 1..=1),
            "day" | "dia" => (1.day(), 1..=1),
            "month" | "mes" => (1.month(), MONTH..=31),
            "year" | "ano" => (1.year(), 365..=366),
            _ => return None,
        };
        let is_week = length.get_days() == 7;
        let (side, mut next) = match self.word(at + 1) {
            "of" | "de" | "do" | "da" if is_week => (Side::Around, at + 2),
            "starting" | "beginning" | "from" if is_week => (Side::From, at + 2),
            "before" | "antes" => (Side::Before, at + 2),
            "after" | "depois" | "apos" => (Side::After, at + 2),
            _ => return None,
        };
        while matches!(self.word(next), "the" | "de" | "do" | "da" | "dia" | "on") {
            next += 1;
        }
        let (other, taken) = self.span(next, Place::Value)?;
        of.contains(&((other.to.0 - other.from.0) / DAY_MS)).then_some(())?;
        let from = match side {
            Side::Around => monday_of(day_of(other.from)?)?,
            Side::From => day_of(other.from)?,
            Side::Before => day_of(other.from)?.checked_sub(length).ok()?,
            Side::After => day_of(other.to)?,
        };
        Some((days(from, length)?, next + taken - at))
    }

    fn is_of(&self, at: usize) -> bool {
        matches!(self.word(at), "of" | "in" | "de" | "do" | "da" | "em")
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
    From,
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
