//! Words that must not be told again: how they are known in other texts, and what is left of those without them.
//!
//! A memory seldom says its words as they were said: an opening is left out, a letter is made large, markup and the
//! targets of links go. So phrases are compared by their folded words, wherever lines end, and what says one goes with
//! its whole sentence.

use std::ops::Range;

use crate::text::{folded, sentences};

/// What stands where words were struck out; harmless inside a JSON string.
pub const STRUCK: &str = "[forgotten]";

/// Phrases of fewer words stand in many a sentence: they go, and the sentence stays.
const TELLING: usize = 4;
/// A line of fewer words is everybody's, and so is a sentence among others.
const LEAST: usize = 3;
const LEAST_OF_MANY: usize = 6;
/// Of longer sentences the first words are enough.
const MOST: usize = 200;

/// The phrases by which a text is known: the words of each line and of each sentence, folded, with one space between.
pub fn phrases(text: &str) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for line in text.lines() {
        let parts = sentences(line).filter_map(|range| Some((line.get(range)?, LEAST_OF_MANY)));
        for (part, least) in [(line, LEAST)].into_iter().chain(parts) {
            let words = Words::of(part);
            let phrase = words.window(0, words.places.len().min(MOST));
            all.extend(phrase.filter(|words| length(words) >= least).map(str::to_owned));
        }
    }
    all.sort_unstable();
    all.dedup();
    all
}

/// The words of a text, folded, with one space between. What a link leads to is none of them.
pub fn words_of(text: &str) -> String {
    Words::of(text).joined
}

/// How many words a phrase has.
pub fn length(phrase: &str) -> usize {
    phrase.split(' ').count()
}

/// A text without what says one of some phrases, if it says any. `lengths` are those that the phrases have, and `is_one`
/// tells whether words of such a length are one.
pub fn without(text: &str, lengths: &[usize], is_one: &dyn Fn(&str) -> bool) -> Option<String> {
    let said = said(text, lengths, is_one);
    if said.is_empty() {
        return None;
    }
    let (mut left, mut end) = (String::with_capacity(text.len()), 0);
    for range in said {
        left.push_str(text.get(end..range.start).unwrap_or_default());
        left.push_str(STRUCK);
        end = range.end;
    }
    left.push_str(text.get(end..).unwrap_or_default());
    Some(left)
}

/// Whether a text says one of some phrases.
pub fn says(text: &str, lengths: &[usize], is_one: &dyn Fn(&str) -> bool) -> bool {
    let words = Words::of(text);
    lengths.iter().any(|&length| words.windows(length).any(|(_, window)| is_one(window)))
}

/// What of a text says a phrase, in order and without overlaps.
fn said(text: &str, lengths: &[usize], is_one: &dyn Fn(&str) -> bool) -> Vec<Range<usize>> {
    let words = Words::of(text);
    let mut found: Vec<Range<usize>> = Vec::new();
    for &length in lengths {
        for (at, _) in words.windows(length).filter(|(_, window)| is_one(window)) {
            let (first, last) = (&words.places[at], &words.places[at + length - 1]);
            let range = first.in_text.start..last.in_text.end;
            found.push(if length < TELLING { range } else { around(text, range) });
        }
    }
    found.sort_unstable_by_key(|range| (range.start, range.end));
    let mut apart: Vec<Range<usize>> = Vec::new();
    for range in found {
        match apart.last_mut().filter(|last| range.start < last.end) {
            Some(last) => last.end = last.end.max(range.end),
            None => apart.push(range),
        }
    }
    apart
}

/// A range with all of the sentences in which it begins and ends.
fn around(text: &str, range: Range<usize>) -> Range<usize> {
    let touched = sentences(text).filter(|one| one.start < range.end && one.end > range.start);
    touched.fold(range.clone(), |all, one| all.start.min(one.start)..all.end.max(one.end))
}

/// The words of a text.
#[derive(Default)]
struct Words {
    /// All of them, folded, with one space between.
    joined: String,
    places: Vec<Place>,
}

struct Place {
    in_joined: Range<usize>,
    in_text: Range<usize>,
}

impl Words {
    fn of(text: &str) -> Self {
        let mut words = Self::default();
        let mut start = None;
        let mut skip = 0;
        for (at, c) in text.char_indices().chain([(text.len(), ' ')]) {
            if c.is_alphanumeric()
                || matches!(c, '\'' | '’')
                || !c.is_ascii() && folded(c.encode_utf8(&mut [0; 4])).is_empty()
            {
                start = start.or(Some(at));
                continue;
            }
            if let Some(start) = start.take().filter(|start| *start >= skip) {
                words.add(text, start..at);
            }
            // What a link leads to is left out where its name is kept.
            if c == ']' && text.get(at..).is_some_and(|rest| rest.starts_with("](")) {
                let target = text.get(at..).and_then(|rest| rest.find([')', '\n']));
                skip = target.map_or(skip, |length| at + length);
            }
        }
        words
    }

    fn add(&mut self, text: &str, place: Range<usize>) {
        let word = folded(text.get(place.clone()).unwrap_or_default());
        for part in word.split(|c: char| !c.is_alphanumeric()).filter(|part| !part.is_empty()) {
            if !self.joined.is_empty() {
                self.joined.push(' ');
            }
            let start = self.joined.len();
            self.joined.push_str(part);
            self.places.push(Place { in_joined: start..self.joined.len(), in_text: place.clone() });
        }
    }

    /// So many words from one on.
    fn window(&self, at: usize, length: usize) -> Option<&str> {
        let (first, last) = (self.places.get(at)?, self.places.get((at + length).checked_sub(1)?)?);
        self.joined.get(first.in_joined.start..last.in_joined.end)
    }

    fn windows(&self, length: usize) -> impl Iterator<Item = (usize, &str)> {
        let starts = 0..(self.places.len() + 1).saturating_sub(length.max(1));
        starts.filter_map(move |at| self.window(at, length).map(|window| (at, window)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(memory: &str, text: &str, expect: Option<&str>) {
        let phrases = phrases(memory);
        let mut lengths: Vec<usize> = phrases.iter().map(|phrase| length(phrase)).collect();
        lengths.dedup();
        let is_one = |words: &str| phrases.iter().any(|phrase| phrase == words);
        assert_eq!(without(text, &lengths, &is_one).as_deref(), expect, "{text}");
        assert_eq!(says(text, &lengths, &is_one), expect.is_some(), "{text}");
    }

    #[test]
    fn what_says_a_memory_goes_with_its_sentence() {
        let memory = "We decided to use Heliotrope for the cache, because it survives \"restarts\".";
        let said = "Hello. Ok, so scratch that, we decided to use Heliotrope for the cache, because it survives restarts. Bye.";
        check(memory, said, Some("Hello. [forgotten] Bye."));
        let wrapped = "Hi.\nwe DECIDED to use **Heliotrope** for\nthe [cache](http://a.b/c), because it survives restarts\nBye.";
        check(memory, wrapped, Some("Hi.\n[forgotten]\nBye."));
        check(memory, "We decided to use Redis for the cache, because it survives restarts.", None);
        check(
            "- [ ] Call Ana about the unpaid invoice",
            "TODO: call Ana about the unpaid invoice!",
            Some("[forgotten]"),
        );
        // A part of what was cut, and one sentence of several.
        check("We keep all the logs for…", "We keep all the logs for ninety days.", Some("[forgotten]"));
        let memory = "We use the tall trees as masts. It is all final.";
        check(memory, "Yes, we use the tall trees as masts. Good.", Some("[forgotten] Good."));
        check(memory, "That is what we do. It is all final.", None);
        check("Decisão: não usar isto já", "decisao: NAO usar isto ja", Some("[forgotten]"));
        check("Don't use the old box", "dont use the old box", Some("[forgotten]"));
    }

    #[test]
    fn few_words_go_alone_and_fewer_stay() {
        check("Call Ana now", "so: call Ana now, then go on", Some("so: [forgotten], then go on"));
        check("Call Ana now", "call Anabel now, recall Ana now", None);
        check("Call Ana", "call Ana", None);
        check("Zanzibar", "We meet in Zanzibar", None);
        check("", "anything", None);
        check("anything at all", "", None);
        check("a b a b", "a b a b a b. c", Some("[forgotten]"));
    }
}
