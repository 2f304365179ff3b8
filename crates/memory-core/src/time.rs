//! Points in time as milliseconds since 1970 (UTC), and the three ways in which files write them.
//!
//! The clock itself is never read here: the engine passes the time in.

use std::fmt;

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use serde::{Deserialize, Serialize};

/// Milliseconds since 1970-01-01T00:00Z; any value prints, out-of-range ones as the nearest that does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Time(pub i64);

/// Milliseconds in a day.
pub const DAY_MS: i64 = 86_400_000;

impl Time {
    /// The time, where one is known: 0 stands for none.
    pub fn known(self) -> Option<Self> {
        (self != Self(0)).then_some(self)
    }

    fn civil(self) -> DateTime {
        let stamp = Timestamp::from_millisecond(self.0).unwrap_or(if self.0 < 0 {
            Timestamp::MIN
        } else {
            Timestamp::MAX
        });
        TimeZone::UTC.to_datetime(stamp)
    }

    /// The nearest moment that can be written and read again: the years 1 to 9999.
    pub fn clamped(self) -> Self {
        const FIRST: i64 = -62_135_596_800_000;
        Self(self.0.clamp(FIRST, Timestamp::MAX.as_millisecond()))
    }

    /// `2026-03-16T16:51`, the form of vault headers.
    pub fn minute(self) -> String {
        let t = self.civil();
        format!("{:04}-{:02}-{:02}T{:02}:{:02}", t.year(), t.month(), t.day(), t.hour(), t.minute())
    }

    /// `2026-03-16`, the form of journal file names and record ids.
    pub fn day(self) -> String {
        let t = self.civil();
        format!("{:04}-{:02}-{:02}", t.year(), t.month(), t.day())
    }

    /// `2026-03-16T16:51:09.123Z`.
    pub fn iso(self) -> String {
        let t = self.civil();
        format!("{}:{:02}.{:03}Z", self.minute(), t.second(), t.millisecond())
    }

    /// `20260316T165109123Z`, safe in file names.
    pub fn stamp(self) -> String {
        self.iso().chars().filter(|c| c.is_ascii_digit() || matches!(c, 'T' | 'Z')).collect()
    }

    /// Reads a date, a minute, seconds, fractions, `Z` or an offset; a time without zone is UTC.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        if let Ok(stamp) = text.parse::<Timestamp>() {
            return Some(Self(stamp.as_millisecond()));
        }
        let civil: DateTime = text.trim_end_matches('Z').parse().ok()?;
        let stamp = TimeZone::UTC.to_timestamp(civil).ok()?;
        Some(Self(stamp.as_millisecond()))
    }
}

impl fmt::Display for Time {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.iso())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms() {
        let time = Time(1_773_679_871_839);
        assert_eq!(time.minute(), "2026-03-16T16:51");
        assert_eq!(time.day(), "2026-03-16");
        assert_eq!(time.iso(), "2026-03-16T16:51:11.839Z");
        assert_eq!(time.stamp(), "20260316T165111839Z");
    }

    #[test]
    fn parses_what_files_hold() {
        for (text, expect) in [
            ("2026-03-16T16:51", Some("2026-03-16T16:51:00.000Z")),
            ("2026-03-16T16:51:09.123Z", Some("2026-03-16T16:51:09.123Z")),
            ("2026-03-16T16:51:09+02:00", Some("2026-03-16T14:51:09.000Z")),
            ("2026-03-16", Some("2026-03-16T00:00:00.000Z")),
            ("T", None),
            ("2026-13-45T99:99", None),
            ("", None),
        ] {
            assert_eq!(Time::parse(text).map(Time::iso).as_deref(), expect, "{text}");
        }
    }

    #[test]
    fn extremes_do_not_panic() {
        for ms in [i64::MIN, i64::MAX, -1, 0] {
            let shown = Time(ms).clamped();
            assert_eq!(Time::parse(&shown.iso()), Some(shown));
            let _ = Time(ms).iso();
        }
    }
}
