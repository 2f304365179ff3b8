//! What a message takes back of what was said before it.

use crate::kind::Kind;
use crate::session::Role;

use super::super::judge::{Before, Sentence, judge};
use super::super::reverse::{goes_back, goes_on, is_reversal, only_takes_back, only_waits, tells};
use super::super::wording::content;
use super::super::{Bearing, Taken};
use super::{COMPARED, Talk};

/// What a message takes back.
#[derive(Default)]
pub(super) struct TakenBack {
    pub(super) any: bool,
    /// The decision of an earlier call.
    pub(super) of_earlier: Option<String>,
}

impl Talk<'_> {
    /// Drops the decisions and tasks that a message takes back.
    pub(super) fn take_back(&mut self, at: usize, sentences: &[Sentence]) -> TakenBack {
        let mut back = TakenBack::default();
        let settles =
            |s: &Sentence| judge(s, Role::User, Before::Reversed).is_some_and(|it| it.kind == Kind::Decision);
        for (n, sentence) in sentences.iter().enumerate().filter(|(_, s)| is_reversal(s)) {
            // "Hold on, run the tests first" takes nothing back.
            if only_waits(sentence) && !sentences[n..].iter().any(settles) {
                continue;
            }
            let mut said = content(&sentence.text);
            let mut bare = sentence.count() <= 4 || only_takes_back(sentence) || goes_back(sentence);
            // "Scratch that" is told by what holds instead.
            if bare && let Some(next) = sentences.get(n + 1).filter(|next| !next.first) {
                said.extend(content(&next.text));
                // "Never mind, run the tests" takes no decision back.
                bare = !goes_on(sentence) || settles(next);
            }
            said.retain(|word| tells(word));
            if let Some(of_earlier) = self.take_one_back(at, &said, bare) {
                back.any = true;
                back.of_earlier = of_earlier.or(back.of_earlier);
            }
        }
        back
    }

    /// Drops the decision or task that these words mean; of an earlier call the decision is given back instead. Bare
    /// words without a subject mean the last decision, if it was said just before.
    pub(super) fn take_one_back(&mut self, at: usize, said: &[String], bare: bool) -> Option<Option<String>> {
        let meant = |words: &[String]| said.iter().any(|word| words.binary_search(word).is_ok());
        let earlier = |taken: &Taken| {
            matches!(taken.kind, Kind::Decision | Kind::Task)
                && taken.message < at
                && taken.bearing != Bearing::Done
        };
        let last = |taken: &Taken| bare && taken.kind == Kind::Decision && taken.message + 4 >= at;
        let all = || (0..self.taken.len()).rev().take(COMPARED).filter(|n| earlier(&self.taken[*n]));
        let known = |text: &String| self.taken.iter().any(|taken| taken.text == *text);
        let recent = || self.standing.recent.iter().rposition(|text| meant(&content(text)) && !known(text));
        let Some(n) = all().find(|n| meant(&self.words[*n])) else {
            if let Some(n) = recent() {
                return Some(Some(self.standing.recent.remove(n)));
            }
            let n = all().find(|n| last(&self.taken[*n]))?;
            return Some(self.drop_taken(n));
        };
        Some(self.drop_taken(n))
    }

    /// Drops something that was taken; gives the decision of an earlier call that it took back.
    pub(super) fn drop_taken(&mut self, n: usize) -> Option<String> {
        let dropped = self.taken.remove(n);
        self.words.remove(n);
        self.standing.recent.retain(|text| *text != dropped.text);
        self.standing.open.retain(|text| *text != dropped.text);
        dropped.instead_of
    }
}
