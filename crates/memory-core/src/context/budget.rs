//! How much may be told, counted as clients count.
//!
//! A token is four bytes of UTF-8. That is never less than the four UTF-16 units of the vault tool, nor than
//! the four bytes of Codex. Clients that cut count UTF-16 units or characters; units are the more of the two.

/// What one text may cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Budget {
    /// Tokens of four bytes.
    pub tokens: usize,
    /// UTF-16 units, where a client cuts.
    pub units: Option<usize>,
}

impl Budget {
    /// So many tokens and nothing else.
    pub fn tokens(tokens: usize) -> Self {
        Self { tokens, units: None }
    }

    /// The same for a client that cuts after so many characters.
    #[must_use]
    pub fn cut_at(self, units: usize) -> Self {
        Self { units: Some(self.units.map_or(units, |known| known.min(units))), ..self }
    }

    /// Half of it.
    pub(super) fn half(self) -> Self {
        Self { tokens: self.tokens / 2, units: self.units.map(|units| units / 2) }
    }

    /// A quarter of it.
    pub(super) fn quarter(self) -> Self {
        self.half().half()
    }

    /// The most that a text may cost.
    pub(super) fn most(self) -> Cost {
        Cost { bytes: self.tokens.saturating_mul(4), units: self.units.unwrap_or(usize::MAX) }
    }

    pub(super) fn holds(self, cost: Cost) -> bool {
        self.most().holds(cost)
    }
}

/// What a text costs in tokens.
pub fn tokens(text: &str) -> usize {
    text.len().div_ceil(4)
}

/// What a piece of text costs, exactly.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Cost {
    pub(super) bytes: usize,
    pub(super) units: usize,
}

impl Cost {
    pub(super) fn of(text: &str) -> Self {
        Self { bytes: text.len(), units: text.encode_utf16().count() }
    }

    pub(super) fn tokens(self) -> usize {
        self.bytes.div_ceil(4)
    }

    /// What is left of it when this is spent.
    pub(super) fn less(self, spent: Self) -> Self {
        Self { bytes: self.bytes.saturating_sub(spent.bytes), units: self.units.saturating_sub(spent.units) }
    }

    /// Whether so much room is enough.
    pub(super) fn holds(self, cost: Self) -> bool {
        cost.bytes <= self.bytes && cost.units <= self.units
    }

    /// The smaller of two rooms.
    pub(super) fn min(self, other: Self) -> Self {
        Self { bytes: self.bytes.min(other.bytes), units: self.units.min(other.units) }
    }
}

impl std::ops::Add for Cost {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self { bytes: self.bytes + other.bytes, units: self.units + other.units }
    }
}

impl std::iter::Sum for Cost {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        all.fold(Self::default(), |sum, one| sum + one)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_never_fewer_than_others_count() {
        let check = |text: &str, expect: usize| {
            assert_eq!(tokens(text), expect, "{text}");
            assert!(text.encode_utf16().count().div_ceil(4) <= expect);
            assert!(text.chars().count().div_ceil(4) <= expect);
        };
        check("", 0);
        check("abcd", 1);
        check("abcde", 2);
        check("ação", 2);
        check("日本語", 3);
        check("🦀", 1);
    }

    #[test]
    fn a_budget_holds_what_fits_both_ways() {
        let check = |budget: Budget, text: &str, expect: bool| {
            assert_eq!(budget.holds(Cost::of(text)), expect, "{budget:?} {text}");
        };
        check(Budget::tokens(1), "abcd", true);
        check(Budget::tokens(1), "abcde", false);
        check(Budget::tokens(9).cut_at(4), "abcd", true);
        check(Budget::tokens(9).cut_at(4), "abcde", false);
        check(Budget::tokens(9).cut_at(4).cut_at(8), "abcde", false);
        check(Budget::tokens(0), "", true);
    }
}
