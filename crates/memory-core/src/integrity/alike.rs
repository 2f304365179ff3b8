//! Memories that nearly say the same, and memories that have grown old.

use std::collections::{BTreeSet, HashMap, HashSet};

use super::word::words;
use crate::kind::Kind;
use crate::memory::Memory;
use crate::text::{Analyser, Language, folded, language_of};
use crate::time::{DAY_MS, Time};

/// What is compared of a text.
#[derive(Debug, Clone, Default)]
pub struct Gist {
    stems: BTreeSet<String>,
    /// Texts with different numbers say different things, however alike they are.
    numbers: BTreeSet<String>,
    denials: usize,
}

/// Shares of words in common from which two texts nearly say the same: by words alone, and where their vectors are as
/// near as that.
const BY_WORDS: f32 = 0.8;
const BY_MEANING: f32 = 0.6;
/// How near two vectors must be for that.
pub const NEAR: f32 = 0.9;
/// A text that tells all of another has one word more for each so many of that, or one.
const MORE: usize = 5;
/// Words by which memories are brought together, the rarest of each.
const RAREST: usize = 8;

impl Gist {
    /// What a text says.
    pub fn of(text: &str) -> Self {
        let language = match language_of(text) {
            Language::Other => Language::English,
            known => known,
        };
        let mut gist = Self::default();
        for word in words(text, language, &mut Analyser::new()) {
            match (word.amount, word.is_stop) {
                (Some(amount), _) => drop(gist.numbers.insert(amount.value + &amount.unit)),
                (None, true) => gist.denials += usize::from(is_denial(&word.plain)),
                (None, false) => {
                    gist.denials += usize::from(is_denial(&word.plain));
                    gist.stems.insert(word.stem);
                }
            }
        }
        gist
    }

    /// Whether two texts nearly say the same; `near` is the cosine of their vectors, where it is known.
    pub fn is_like(&self, other: &Self, near: Option<f32>) -> bool {
        let both = self.stems.intersection(&other.stems).count() as f32;
        let share = 2.0 * both / (self.stems.len() + other.stems.len()).max(1) as f32;
        let enough = if near.is_some_and(|near| near >= NEAR) { BY_MEANING } else { BY_WORDS };
        self.stems.len().min(other.stems.len()) >= 3
            && self.numbers == other.numbers
            && self.denials % 2 == other.denials % 2
            && share >= enough
    }
}

/// Whether whoever has read the first text learns nothing from the second: it has no word that does not stand there,
/// they follow each other as they do there, and the first has hardly more. `from A to B` is not `from B to A`, and a note
/// for staging is none for production.
pub fn tells_all_of(first: &str, second: &str) -> bool {
    let (first, second) = (said(first), said(second));
    let denials = |words: &[String]| words.iter().filter(|word| is_denial(word)).count() % 2;
    let mut told = first.iter();
    !second.is_empty()
        && first.len() <= second.len() + (second.len() / MORE).max(1)
        && denials(&first) == denials(&second)
        && second.iter().all(|word| told.any(|other| other == word))
}

/// The words of a text as they follow each other, without articles.
fn said(text: &str) -> Vec<String> {
    let words = text.split(|c: char| !c.is_alphanumeric() && !is_apostrophe(c)).map(folded);
    let is_word = |word: &String| {
        !word.is_empty() && !matches!(word.as_str(), "a" | "an" | "the" | "o" | "os" | "as" | "um" | "uma")
    };
    words.filter(is_word).collect()
}

fn is_apostrophe(c: char) -> bool {
    matches!(c, '\'' | '’')
}

fn is_denial(word: &str) -> bool {
    matches!(
        word,
        "not" | "never" | "dont" | "doesnt" | "isnt" | "cannot" | "nao" | "nunca" | "without" | "sem"
    )
}

/// Pairs that may be alike, by the words that few others have; each pair once.
pub fn candidates(gists: &[Gist]) -> Vec<(usize, usize)> {
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for stem in gists.iter().flat_map(|gist| &gist.stems) {
        *counts.entry(stem).or_default() += 1;
    }
    let mut by_stem: HashMap<&str, Vec<usize>> = HashMap::new();
    for (n, gist) in gists.iter().enumerate() {
        let mut rarest: Vec<(usize, &str)> = gist
            .stems
            .iter()
            .map(|stem| (counts.get(stem.as_str()).copied().unwrap_or(0), stem.as_str()))
            .collect();
        rarest.sort_unstable();
        for (_, stem) in rarest.into_iter().filter(|(count, _)| *count > 1).take(RAREST) {
            by_stem.entry(stem).or_default().push(n);
        }
    }
    let mut pairs: HashSet<(usize, usize)> = HashSet::new();
    for list in by_stem.values().filter(|list| list.len() <= 200) {
        for (at, &a) in list.iter().enumerate() {
            pairs.extend(list[at + 1..].iter().map(|&b| (a, b)));
        }
    }
    let mut pairs: Vec<(usize, usize)> = pairs.into_iter().collect();
    pairs.sort_unstable();
    pairs
}

/// Whether memories of a kind may be wrong merely because time passed. What was decided, learnt or wished holds until
/// something else takes its place, and what happened stays true.
pub fn ages(kind: &Kind) -> bool {
    !matches!(kind, Kind::Decision | Kind::Lesson | Kind::Preference | Kind::Handoff | Kind::Summary)
        && kind.word() != "turn"
}

/// How many days ago a memory's text was last looked at, if that is too long; `limit` 0 means never.
pub fn days_stale(memory: &Memory, now: Time, limit: u32) -> Option<i64> {
    let days = now.0.saturating_sub(memory.updated.max(memory.created).0) / DAY_MS;
    let known = memory.created > Time(0);
    (limit > 0 && known && ages(&memory.kind) && days >= i64::from(limit)).then_some(days)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::integrity::tests::memory;

    fn check(a: &str, b: &str, near: Option<f32>, expect: bool) {
        assert_eq!(Gist::of(a).is_like(&Gist::of(b), near), expect, "{a} / {b}");
        let found = candidates(&[Gist::of(a), Gist::of(b)]);
        assert!(!expect || found == [(0, 1)], "{a} / {b}: {found:?}");
    }

    #[test]
    fn near_duplicates() {
        check(
            "The proxy drops idle sockets after a minute",
            "The proxy drops idle sockets, after a minute.",
            None,
            true,
        );
        check("The proxy drops idle sockets", "Our proxy always drops idle sockets", None, true);
        check("The proxy drops idle sockets", "The proxy never drops idle sockets", None, false);
        check("Fixed bug 12 in the parser code", "Fixed bug 13 in the parser code", None, false);
        check("Idle sockets are dropped by the proxy", "The proxy closes idle sockets", Some(0.95), true);
        check("Idle sockets are dropped by the proxy", "The proxy closes idle sockets", Some(0.5), false);
        check("short note", "short note", None, false);
        check("O proxy derruba conexões ociosas", "o PROXY derruba conexões ociosas!", None, true);
    }

    #[test]
    fn what_tells_all_of_another() {
        let check = |a: &str, b: &str, expect: bool| assert_eq!(tells_all_of(a, b), expect, "{a} / {b}");
        check(
            "The proxy drops idle sockets, after a minute.",
            "Proxy drops idle sockets after a minute",
            true,
        );
        check("Our proxy always drops idle sockets", "Our proxy drops idle sockets", true);
        check("Our proxy drops idle sockets", "Our proxy always drops idle sockets", false);
        check("Our proxy never drops idle sockets", "Our proxy drops idle sockets", false);
        check("We move from Postgres to MySQL", "We move from MySQL to Postgres", false);
        check("The gateway needs Postgres for its lookups", "The gateway needs tokio for its lookups", false);
        check("Restart it before a deploy", "Restart it after a deploy", false);
        check("Use the cache (staging)", "Use the cache (production)", false);
        check("Fixed bug 12 in the parser", "Fixed bug 13 in the parser", false);
        check("Ana reporta ao Bruno", "Bruno reporta a Ana", false);
        check("…", "…", false);
    }

    #[test]
    fn what_grows_old() {
        let at = |kind: Kind, days: i64| {
            let mut memory = memory(1, "x");
            memory.kind = kind;
            memory.created = Time(DAY_MS);
            memory.updated = Time(DAY_MS);
            days_stale(&memory, Time(DAY_MS * (days + 1)), 120)
        };
        assert_eq!(at(Kind::Fact, 119), None);
        assert_eq!(at(Kind::Fact, 120), Some(120));
        assert_eq!(at(Kind::Task, 300), Some(300));
        for kind in [Kind::Preference, Kind::Decision, Kind::Lesson, Kind::Handoff] {
            assert_eq!(at(kind, 900), None);
        }
        let mut by_hand = memory(1, "x");
        by_hand.created = Time(0);
        by_hand.updated = Time(0);
        assert_eq!(days_stale(&by_hand, Time(DAY_MS * 900), 120), None);
        assert_eq!(days_stale(&memory(1, "x"), Time(DAY_MS * 900), 0), None);
    }
}
