//! What takes the place of something that stands: in this conversation, or in the store from an earlier one.

use crate::kind::Kind;
use crate::replace;
use crate::scope::SourceClass;
use crate::session::Role;

use super::super::correct::corrected;
use super::super::cue::{self, Class};
use super::super::judge::{Sentence, Verdict};
use super::super::phrase::{Candidate, add_reason};
use super::super::reverse::{goes_on, is_reversal};
use super::super::said::Said;
use super::super::wording::{clean, content};
use super::super::{Bearing, Taken};
use super::Talk;

/// Where something stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// Among what was taken.
    Taken(usize),
    /// Among what earlier calls gave out, or in the store.
    Before,
}

/// Something that stands.
struct Stands {
    place: Place,
    kind: Kind,
    text: String,
}

fn may_be_replaced(kind: &Kind) -> bool {
    matches!(kind, Kind::Decision | Kind::Preference | Kind::Fact)
}

impl Talk<'_> {
    /// Puts what a person says in the place of what they name. Gives what is to be kept of it; the other sentences stay.
    pub(super) fn put_all_in_place(&mut self, at: usize, sentences: &mut Vec<Sentence>) -> Vec<Candidate> {
        let mut placed = Vec::new();
        let mut n = 0;
        while n < sentences.len() {
            let Some(mut candidate) = self.put_in_place(at, &sentences[n]) else {
                n += 1;
                continue;
            };
            let reasons =
                add_reason(&mut candidate.text, &sentences[n + 1..], Role::User, &candidate.verdict.kind);
            // "Changed my mind: Kafka instead of Redis" takes back no other.
            let opened = n > 0 && goes_on(&sentences[n - 1]) && is_reversal(&sentences[n - 1]);
            let from = n - usize::from(opened);
            sentences.drain(from..=n + reasons);
            n = from;
            placed.push(candidate);
        }
        placed
    }

    /// The same for one sentence.
    fn put_in_place(&mut self, at: usize, sentence: &Sentence) -> Option<Candidate> {
        if sentence.asks || sentence.hits.any(cue::UNSURE) || sentence.hits.has(Class::Others) {
            return None;
        }
        let (old, new) = self.corrected(at, sentence).or_else(|| self.replaced(at, sentence))?;
        let instead_of = match old.place {
            Place::Taken(n) => self.drop_taken(n),
            Place::Before => {
                self.standing.recent.retain(|text| *text != old.text);
                self.standing.chosen.retain(|(_, text)| *text != old.text);
                Some(old.text)
            }
        };
        let bearing = if sentence.hits.has(Class::Against) { Bearing::Against } else { Bearing::Plain };
        let verdict = Verdict { kind: old.kind, bearing, sure: 0.8 };
        Some(Candidate { instead_of, ..Candidate::new(clean(&new), verdict, SourceClass::Human) })
    }

    /// What a correction means, and what holds instead.
    fn corrected(&self, at: usize, sentence: &Sentence) -> Option<(Stands, String)> {
        let correction = corrected(sentence)?;
        let mut all = self.standing_before(at);
        // Something that was said just before, unless what was wrong is told.
        let near = |it: &Stands| match it.place {
            Place::Taken(n) => {
                let taken = &self.taken[n];
                taken.class == SourceClass::Human && taken.message + 4 >= at && taken.kind != Kind::Fact
            }
            Place::Before => correction.outright && self.standing.recent.last() == Some(&it.text),
        };
        let exchanged = |it: &Stands| {
            let said = Said::of(&it.text);
            let wrong = correction.wrong.as_ref();
            let range = wrong.map_or_else(|| said.chosen(), |wrong| said.find(wrong))?;
            said.exchange(&it.text, range, &correction.right)
        };
        if correction.wrong.is_some() {
            all.retain(|it| exchanged(it).is_some());
            let [_] = all.as_slice() else { return None };
        } else {
            all.retain(near);
        }
        let old = all.pop()?;
        let new = exchanged(&old)?;
        Some((old, new))
    }

    /// What a sentence puts something in the place of, if exactly one thing that stands is meant.
    fn replaced(&self, at: usize, sentence: &Sentence) -> Option<(Stands, String)> {
        let said = Said::of(&sentence.text);
        if let Some(lifted) = lifted(said.words()) {
            let means = |it: &Stands| {
                let words = content(&it.text);
                lifted.iter().all(|word| words.iter().any(|other| is_form_of(word, other)))
            };
            return self.only(at, means).map(|old| (old, sentence.text.clone()));
        }
        let found = replace::contrasted(&said.tokens()).filter(|found| !found.dropped.is_empty())?;
        let dropped = &said.words()[found.dropped.clone()];
        let subject = content(said.text(&sentence.text, 0..found.start));
        let means = |it: &Stands| {
            let old = Said::of(&it.text);
            let inside = || {
                let (chosen, named) = (old.chosen()?, old.find(dropped)?);
                Some(chosen.start <= named.start && named.end <= chosen.end)
            };
            // "The port is 8081, not 8080" speaks of this port.
            let words = content(&it.text);
            let same = it.kind != Kind::Fact || subject.iter().all(|word| words.binary_search(word).is_ok());
            inside().unwrap_or(false) && same
        };
        let old = self.only(at, means)?;
        // Of a fact only what is right stands on.
        let new = if old.kind == Kind::Fact {
            said.text(&sentence.text, 0..found.taken.end)
        } else {
            &sentence.text
        };
        let new = new.to_owned();
        Some((old, new))
    }

    fn only(&self, at: usize, means: impl Fn(&Stands) -> bool) -> Option<Stands> {
        let mut all = self.standing_before(at);
        all.retain(means);
        let one = all.pop();
        one.filter(|_| all.is_empty())
    }

    /// What was settled before a message and stands, the newest last.
    fn standing_before(&self, at: usize) -> Vec<Stands> {
        let standing = &self.standing;
        let here = |text: &String| self.taken.iter().any(|taken| taken.text == *text);
        let counts = |taken: &Taken| may_be_replaced(&taken.kind) && taken.message < at;
        let stored = standing
            .chosen
            .iter()
            .filter(|(kind, text)| may_be_replaced(kind) && !here(text) && !standing.recent.contains(text));
        let before = |kind: &Kind, text: &String| Stands {
            place: Place::Before,
            kind: kind.clone(),
            text: text.clone(),
        };
        let mut all: Vec<Stands> = stored.map(|(kind, text)| before(kind, text)).collect();
        all.extend(
            standing.recent.iter().filter(|text| !here(text)).map(|text| before(&Kind::Decision, text)),
        );
        let taken = self.taken.iter().enumerate().filter(|(_, taken)| counts(taken));
        all.extend(taken.map(|(n, taken)| Stands {
            place: Place::Taken(n),
            kind: taken.kind.clone(),
            text: taken.text.clone(),
        }));
        all
    }
}

/// Whether two words differ in their ending alone.
fn is_form_of(word: &str, other: &str) -> bool {
    word == other || word.len().min(other.len()) > 3 && (word.starts_with(other) || other.starts_with(word))
}

/// What a person says need not be done any more, as its content words.
fn lifted(words: &[String]) -> Option<Vec<String>> {
    const NEED: &[&[&str]] = &[
        &["dont", "need", "to"],
        &["dont", "have", "to"],
        &["do", "not", "need", "to"],
        &["no", "longer", "need", "to"],
        &["no", "longer", "have", "to"],
        &["nao", "precisa"],
        &["nao", "precisas"],
        &["nao", "precisamos"],
        &["ja", "nao", "precisa"],
        &["ja", "nao", "precisas"],
        &["ja", "nao", "precisamos"],
        &["nao", "e", "preciso"],
        &["ja", "nao", "e", "preciso"],
    ];
    const OVER: &[&str] = &["anymore", "longer", "mais", "ja"];
    let begin =
        usize::from(words.first().is_some_and(|word| matches!(word.as_str(), "you" | "we" | "i" | "voce")));
    let need = NEED
        .iter()
        .find(|need| words[begin..].iter().map(String::as_str).take(need.len()).eq(need.iter().copied()))?;
    let any_more = words.windows(2).any(|pair| pair[0] == "any" && pair[1] == "more");
    let over = any_more || words.iter().any(|word| OVER.contains(&word.as_str()));
    let mut rest = content(&words[begin + need.len()..].join(" "));
    rest.retain(|word| !matches!(word.as_str(), "anymore" | "longer" | "mais" | "more" | "any"));
    (over && rest.len() >= 2).then_some(rest)
}
