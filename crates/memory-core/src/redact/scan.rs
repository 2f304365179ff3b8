//! One pass over a text: an automaton finds the words that may announce a secret, and each is judged there.
//!
//! Ordinary text pays for the automaton alone. It knows no case; the formats compare theirs again.

use std::ops::Range;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use aho_corasick::{AhoCorasick, AhoCorasickKind, FindOverlappingIter, MatchKind};

use super::finding::{Finding, Surety};
use super::rules::{FORMATS, Format, Mask};
use super::{assign, blocks, checks, cookie, examples, jwt, marker, names, option, shape, url};

/// The findings of a text, in the order of what announced them; they may overlap.
pub(super) struct Scan<'t> {
    text: &'t str,
    hits: Option<FindOverlappingIter<'static, 't>>,
    /// The end of the last marker; what lies before it is opaque or judged.
    opaque: usize,
    /// The end of the last name judged, since one name may contain several announcing words.
    named: usize,
}

impl<'t> Scan<'t> {
    pub(super) fn new(text: &'t str) -> Scan<'t> {
        let hits = automaton_for(text).map(|automaton| automaton.find_overlapping_iter(text));
        Scan { text, hits, opaque: 0, named: 0 }
    }

    fn judge(&mut self, announced: Announced, at: &Range<usize>) -> Option<Finding> {
        let found = |kind: &'static str, at: Range<usize>| Finding { kind, at, surety: Surety::Format };
        let text = self.text;
        match announced {
            Announced::Marker => {
                self.opaque = marker::end(text.as_bytes(), at.start).unwrap_or(self.opaque);
                None
            }
            Announced::Format(format, anchor) => format_at(text, format, anchor, at),
            Announced::Jwt => jwt::find(text, at.start).map(|at| found("jwt", at)),
            Announced::Pem => blocks::pem(text, at).map(|at| found("private-key", at)),
            Announced::PemEnd => blocks::lower_part(text, at).map(|at| found("private-key", at)),
            Announced::Putty => blocks::putty(text, at).map(|at| found("putty-key", at)),
            Announced::Url => {
                url::find(text, at).map(|at| Finding { kind: "url-password", at, surety: Surety::Named })
            }
            Announced::Login => {
                option::find(text, at).map(|at| Finding { kind: "login-password", at, surety: Surety::Named })
            }
            Announced::Cookie => {
                cookie::find(text, at.end).map(|at| Finding { kind: "cookie", at, surety: Surety::Named })
            }
            Announced::Name => {
                let name = assign::name_around(text.as_bytes(), at)?;
                if std::mem::replace(&mut self.named, name.end) == name.end {
                    return None;
                }
                assign::find(text, &name)
            }
        }
    }
}

impl Iterator for Scan<'_> {
    type Item = Finding;

    fn next(&mut self) -> Option<Finding> {
        loop {
            let Some(hits) = self.hits.as_mut() else {
                // Without the automaton nothing is known of the text, so none of it may pass.
                let all = std::mem::take(&mut self.text);
                return (!all.is_empty()).then_some(Finding {
                    kind: "unread",
                    at: 0..all.len(),
                    surety: Surety::Announced,
                });
            };
            let hit = hits.next()?;
            if hit.start() < self.opaque {
                continue;
            }
            let Some(announced) = WORDS.announced.get(hit.pattern().as_usize()).copied() else { continue };
            let finding = self.judge(announced, &hit.range());
            if let Some(finding) = finding.filter(|f| !f.at.is_empty() && !marker::touches(self.text, &f.at))
            {
                return Some(finding);
            }
        }
    }
}

/// What a hit of the automaton may be the beginning of.
#[derive(Clone, Copy)]
enum Announced {
    Marker,
    Format(&'static Format, &'static str),
    Jwt,
    Pem,
    PemEnd,
    Putty,
    Url,
    Login,
    Cookie,
    Name,
}

struct Words {
    words: Vec<&'static str>,
    /// In the order of the words.
    announced: Vec<Announced>,
}

static WORDS: LazyLock<Words> = LazyLock::new(|| {
    let mut words = vec![marker::OPEN, blocks::PEM, blocks::END, blocks::PUTTY, url::ANCHOR];
    let mut announced =
        vec![Announced::Marker, Announced::Pem, Announced::PemEnd, Announced::Putty, Announced::Url];
    for format in FORMATS {
        words.extend(format.anchors);
        announced.extend(format.anchors.iter().map(|anchor| Announced::Format(format, anchor)));
    }
    words.extend(jwt::ANCHORS);
    announced.extend(jwt::ANCHORS.iter().map(|_| Announced::Jwt));
    words.extend(option::OPTIONS);
    announced.extend(option::OPTIONS.iter().map(|_| Announced::Login));
    words.push(cookie::ANCHOR);
    announced.push(Announced::Cookie);
    words.extend(names::WORDS);
    announced.extend(names::WORDS.iter().map(|_| Announced::Name));
    Words { words, announced }
});

/// Two automata that find the same: one takes long to make and is fast, the other is there at once and slow.
static FAST: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| automaton(AhoCorasickKind::DFA));
static SOON: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| automaton(AhoCorasickKind::NoncontiguousNFA));

/// After so many bytes the fast one has paid for itself.
const FEW_BYTES: usize = 64 << 10;

/// How many bytes were searched. It decides on speed alone, never on what is found.
static SEARCHED: AtomicUsize = AtomicUsize::new(0);

fn automaton_for(text: &str) -> Option<&'static AhoCorasick> {
    let before = SEARCHED.fetch_add(text.len(), Ordering::Relaxed);
    let few = before.saturating_add(text.len()) < FEW_BYTES;
    if few { SOON.as_ref() } else { FAST.as_ref() }
}

fn automaton(kind: AhoCorasickKind) -> Option<AhoCorasick> {
    AhoCorasick::builder()
        .kind(Some(kind))
        .match_kind(MatchKind::Standard)
        .ascii_case_insensitive(true)
        .build(&WORDS.words)
        .ok()
}

/// How far a word that must be near may be away.
const NEAR: usize = 100;

fn format_at(text: &str, format: &Format, anchor: &str, at: &Range<usize>) -> Option<Finding> {
    let bytes = text.as_bytes();
    if bytes.get(at.clone())? != anchor.as_bytes() {
        return None;
    }
    let start = match format.before {
        None => at.start,
        Some((class, min, max)) => {
            let length = shape::run_back(bytes, at.start, class, max);
            if length < min {
                return None;
            }
            at.start - length
        }
    };
    // After the class of the first run only more of that class would go on: `bot123456789:AA…` may open.
    let ends_run = |class: shape::Class| shape::run_back(bytes, start, class, 1) == 0;
    if format.mask == Mask::Whole
        && !shape::opens(bytes, start)
        && !format.before.is_some_and(|(class, ..)| ends_run(class))
    {
        return None;
    }
    let end = shape::follow(bytes, at.end, format.after)?;
    let whole = text.get(start..end)?;
    let variable = text.get(if format.before.is_some() { start } else { at.end }..end)?;
    let proven = format.proof.is_some_and(|proof| proof(variable));
    let likely = || checks::entropy(variable) >= format.entropy && !examples::is_made_up(variable);
    let allowed = format.condition.is_none_or(|condition| condition(whole))
        && format.near.is_none_or(|word| is_near(text, at, word));
    let masked = if format.mask == Mask::Tail { at.end..end } else { start..end };
    (allowed && (proven || likely())).then_some(Finding {
        kind: format.kind,
        at: masked,
        surety: Surety::Format,
    })
}

/// Whether the word stands near, with no marker between: a mask must not bring anything nearer.
fn is_near(text: &str, at: &Range<usize>, word: &str) -> bool {
    let bytes = text.as_bytes();
    let before = bytes.get(at.start.saturating_sub(NEAR)..at.start).unwrap_or_default();
    let after = bytes.get(at.end..(at.end + NEAR).min(bytes.len())).unwrap_or_default();
    let before = before.rsplit(|b| matches!(b, b'[' | b']')).next().unwrap_or_default();
    let after = after.split(|b| matches!(b, b'[' | b']')).next().unwrap_or_default();
    let holds =
        |side: &[u8]| side.windows(word.len()).any(|window| window.eq_ignore_ascii_case(word.as_bytes()));
    holds(before) || holds(after)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_automata_find_the_same_in_the_same_order() {
        let rules = include_str!("rules.rs").to_owned() + include_str!("names.rs");
        for text in [rules.as_str(), &rules.to_uppercase(), include_str!("../../tests/redact/formats.txt")] {
            let hits = |automaton: &Option<AhoCorasick>| -> Vec<(usize, Range<usize>)> {
                let all = automaton.as_ref().unwrap().find_overlapping_iter(text);
                all.map(|hit| (hit.pattern().as_usize(), hit.range())).collect()
            };
            let (fast, soon) = (hits(&FAST), hits(&SOON));
            assert!(fast.len() > 50 && fast == soon, "{} {}", fast.len(), soon.len());
        }
    }
}
