//! What the words around a time make of it: `since March`, `before 2026-03-16`, `between March and May`, `1 to 15 October`.

use super::calendar::ordinal;
use super::span::{Place, Span, Words, day_of, days};
use crate::time::Time;

const DAY_MS: i64 = 86_400_000;
/// What people did in a week or less they tell within days.
const SHORT: i64 = 9 * DAY_MS;
const QUARTER: f32 = 3.0 * DAY_MS as f32;

/// A stretch of time; an open end is `None`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct DateRange {
    /// The first moment that belongs to it.
    pub since: Option<Time>,
    /// The first moment that no longer belongs to it.
    pub until: Option<Time>,
}

impl DateRange {
    /// Whether a moment belongs to it.
    pub fn contains(&self, time: Time) -> bool {
        self.since.is_none_or(|since| since <= time) && self.until.is_none_or(|until| time < until)
    }

    /// How soon after it a moment is: 1 at its end, a quarter three days later, and so on; 0 before its end, and where it goes
    /// on for so long that nobody waits for the end to tell of it.
    pub fn soon_after(&self, time: Time) -> f32 {
        let (Some(since), Some(until)) = (self.since, self.until) else { return 0.0 };
        if until.0.saturating_sub(since.0) > SHORT || time < until {
            return 0.0;
        }
        // Quotients are the same on every machine, other powers need not be.
        let near = 1.0 / (1.0 + time.0.saturating_sub(until.0) as f32 / QUARTER);
        near * near
    }
}

/// What the words around a span make of it.
pub(super) struct Bounded {
    pub(super) range: DateRange,
    /// Where the words begin that name it.
    pub(super) from: usize,
    /// Where the words end that only bound it.
    pub(super) until: Option<usize>,
}

impl Words<'_> {
    /// What `since`, `before`, `between … and …` make of a span that stands at these words.
    pub(super) fn bounded(&self, start: usize, end: usize, span: Span) -> Bounded {
        if let Some(bounded) = self.first_days(start, end, span).or_else(|| self.up_to(start, end, span)) {
            return bounded;
        }
        let before = |back: usize| self.before(start, back);
        let is_filler = |word: &str| {
            matches!(word, "the" | "a" | "o" | "de" | "do" | "da" | "of" | "ao" | "aos" | "to" | "end")
        };
        let lead = (1..=3).map(before).find(|word| !is_filler(word)).unwrap_or_default();
        // `from march` tells which, `from march on` since when.
        let goes_on = || matches!(self.word(end), "on" | "onward" | "onwards" | "forward");
        let inside = (self.word(start), self.word(start + 1), self.word(start + 2));
        let ago = || self.exactly_ago(start).unwrap_or(span.from);
        let is_than = before(1) == "than";
        let (since, until) = match lead {
            _ if matches!(inside, ("ha" | "faz", "mais", "de")) => (None, Some(ago())),
            _ if matches!(inside, ("ha" | "faz", "menos", "de")) => (Some(ago()), None),
            _ if is_than && matches!(before(2), "more" | "older" | "longer") => (None, Some(ago())),
            _ if is_than && matches!(before(2), "less" | "newer" | "younger") => (Some(ago()), None),
            _ if is_than && before(2) == "later" => (Some(span.to), None),
            _ if is_than && before(2) == "earlier" => (None, Some(span.from)),
            "since" | "desde" | "partir" => (Some(span.from), None),
            "from" if goes_on() => (Some(span.from), None),
            "after" | "depois" | "apos" => (Some(span.to), None),
            "before" | "antes" | "prior" | "anterior" => (None, Some(span.from)),
            "until" | "till" | "by" | "ate" => (None, Some(span.to)),
            _ => (Some(span.from), Some(span.to)),
        };
        let is_open = since.is_none() || until.is_none();
        Bounded { range: DateRange { since, until }, from: start, until: is_open.then_some(end) }
    }

    /// `between 1 and 15 October`, `de 1 a 15 de outubro`, `1-15 October`.
    fn first_days(&self, start: usize, end: usize, span: Span) -> Option<Bounded> {
        if span.to.0 - span.from.0 != DAY_MS {
            return None;
        }
        let last = day_of(span.from)?;
        let joins = matches!(self.before(start, 1), "and" | "to" | "a" | "e" | "ate" | "until" | "through");
        let (day, from) = if joins { (self.before(start, 2), start.checked_sub(2)?) } else { return None };
        let opens = matches!(self.before(from, 1), "between" | "from" | "entre" | "de" | "desde" | "do");
        let day = ordinal(day).filter(|_| opens)?;
        let first = last.with().day(i8::try_from(day).ok()?).build().ok().filter(|first| *first < last)?;
        let whole = days(first, first.until(last).ok()?)?;
        let range = DateRange { since: Some(whole.from), until: Some(span.to) };
        Some(Bounded { range, from, until: Some(end) })
    }

    /// `from March to May`, `2026-03-01 to 2026-03-31`, `2026-03-01..2026-03-31`, `in March and April`.
    fn up_to(&self, start: usize, end: usize, span: Span) -> Option<Bounded> {
        // `de março a maio` leads with a filler that says something only before a second span.
        let opens = (1..=3)
            .map(|back| self.before(start, back))
            .any(|word| matches!(word, "from" | "between" | "entre" | "desde"))
            || self.before(start, 1) == "de";
        let is_dated =
            self.word(start).starts_with(|c: char| c.is_ascii_digit()) && self.word(start).len() > 6;
        let joins = matches!(self.word(end), "to" | "until" | "till" | "through" | "a" | "ate");
        let adds = matches!(self.word(end), "and" | "e");
        let length = span.to.0 - span.from.0;
        let next = match (joins, adds) {
            (true, _) => end + 1,
            (_, true) => end + 1,
            _ if is_dated => end,
            _ => return None,
        };
        let (other, taken) = self.span(next, Place::Value)?;
        let is_later = other.to > span.from && other.from >= span.from;
        let is_like = other.to.0 - other.from.0 <= 2 * length && length <= 2 * (other.to.0 - other.from.0);
        // Without a word that opens them, two times are one range where they are told alike.
        let is_range = is_later && (opens || is_like && (joins || adds || is_dated));
        let range = DateRange { since: Some(span.from), until: Some(other.to) };
        is_range.then_some(Bounded { range, from: start, until: Some(next + taken) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn soon_after_a_day_or_a_week_but_not_after_a_year() {
        let range = |days: i64| DateRange { since: Some(Time(0)), until: Some(Time(days * DAY_MS)) };
        let at = |range: DateRange, day: i64| range.soon_after(Time(day * DAY_MS));
        assert_eq!([at(range(1), 0), at(range(1), 1), at(range(1), 4)], [0.0, 1.0, 0.25]);
        assert!(at(range(7), 8) > at(range(7), 9) && at(range(1), 60) < 0.01);
        assert_eq!([at(range(31), 31), at(DateRange { since: None, ..range(1) }, 1)], [0.0, 0.0]);
    }
}
