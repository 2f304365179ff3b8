//! How far an answer reaches. Most questions are answered in one place; those for a number of things ("how many") and
//! those for the course of things ("in what order", "over time", "throughout our conversations") by a turn here and a
//! turn there, so that one conversation should not take all the places.

use std::cmp::Ordering;
use std::collections::{BinaryHeap, HashMap};

use super::fuse::Ranked;
use super::weights::Prior;

/// Where the answer to a question is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Reach {
    /// In one place, as far as one can tell.
    #[default]
    Place,
    /// In several, which it asks to count.
    Count,
    /// Over the conversations, which it asks to be told of from first to last.
    Course,
}

impl Reach {
    /// Reads a question in small letters.
    pub(super) fn of(lower: &str) -> Self {
        let words: Vec<&str> =
            lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
        let says = |cue: &str| lower.contains(cue);
        let over_talks = words.iter().enumerate().any(|(at, word)| {
            OVER.contains(word) && words.iter().skip(at + 1).take(AWAY).any(|word| TALKS.contains(word))
        });
        if over_talks || COURSE.iter().any(|cue| says(cue)) {
            Self::Course
        } else if COUNT.iter().any(|cue| says(cue)) {
            Self::Count
        } else {
            Self::Place
        }
    }

    /// Whether a word only says that the course of things is asked for, and not of which.
    pub(super) fn is_cue(self, word: &str) -> bool {
        self == Self::Course && (OVER.contains(&word) || TALKS.contains(&word) || OF_COURSE.contains(&word))
    }
}

/// So many words may stand between `across` and `conversations`.
const AWAY: usize = 4;

const OVER: &[&str] = &["across", "throughout", "over", "through", "during", "longo"];

#[rustfmt::skip]
const TALKS: &[&str] = &[
    "conversations", "chats", "sessions", "discussions", "messages", "requests", "questions", "time", "conversas",
    "sessoes", "sessões", "mensagens", "tempo",
];

#[rustfmt::skip]
const COURSE: &[&str] = &[
    "order in which", "in what order", "in which order", "is the order of", "was the order of", "the earliest",
    "earliest to latest", "first to last", "chronological", "timeline of", "summary of", "summarize", "summarise",
    "overview of", "em que ordem", "qual a ordem", "linha do tempo", "resumo d", "resuma",
];

const COUNT: &[&str] =
    &["how many", "in total", "the total ", "quantos ", "quantas ", "no total", "o total "];

/// Words with which people ask for the course of things.
#[rustfmt::skip]
const OF_COURSE: &[&str] = &[
    "order", "list", "walk", "bring", "brought", "different", "various", "aspect", "aspects", "item", "items", "only",
    "summary", "summarize", "summarise", "overview", "timeline", "comprehensive", "complete", "clear", "quick", "key",
    "including", "far", "earliest", "latest", "starting", "chronological", "two", "three", "four", "five", "six", "seven", "eight",
    "nine", "ten", "ordem", "linha", "resumo", "resuma", "diferentes", "varios", "aspectos", "itens", "completo",
];

/// A memory in line, with the price it has paid.
struct InLine {
    score: f32,
    at: usize,
    paid: u32,
}

impl Ord for InLine {
    fn cmp(&self, other: &Self) -> Ordering {
        self.score.total_cmp(&other.score).then(other.at.cmp(&self.at))
    }
}

impl PartialOrd for InLine {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for InLine {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for InLine {}

/// Puts memories into the order in which each pays a price for every one of its conversation that stands before it.
/// Conversation 0 is none and pays nothing.
pub fn over_sessions(ranked: &mut Vec<Ranked>, price: f32, session: impl Fn(u32) -> u32) {
    let mut line: BinaryHeap<InLine> =
        ranked.iter().enumerate().map(|(at, one)| InLine { score: one.score, at, paid: 0 }).collect();
    let mut shown: HashMap<u32, u32> = HashMap::new();
    let mut order = Vec::with_capacity(ranked.len());
    while let Some(InLine { at, paid, .. }) = line.pop() {
        let Some(one) = ranked.get(at) else { continue };
        let own = session(one.row);
        let due = if own == 0 { 0 } else { shown.get(&own).copied().unwrap_or(0) };
        if paid < due {
            line.push(InLine { score: one.score - price * due as f32, at, paid: due });
            continue;
        }
        shown.entry(own).and_modify(|count| *count += 1).or_insert(1);
        let mut one = one.clone();
        one.parts.0[Prior::Again as usize] = -price * due as f32;
        one.score += one.parts.0[Prior::Again as usize];
        order.push(one);
    }
    *ranked = order;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_question_reaches_for() {
        let check = |question: &str, expect: Reach| assert_eq!(Reach::of(question), expect, "{question}");
        check("list the order in which i brought up the ideas", Reach::Course);
        check("how did it change throughout our conversations?", Reach::Course);
        check("how has my plan developed over time?", Reach::Course);
        check("ao longo do tempo, o que mudou?", Reach::Course);
        check("em que ordem falei dos planos?", Reach::Course);
        check("how many books have i bought?", Reach::Count);
        check("quantas viagens fiz?", Reach::Count);
        check("which book did i buy?", Reach::Place);
        check("going through our previous conversation", Reach::Place);
        check("in order to build it", Reach::Place);
    }

    #[test]
    fn each_conversation_has_its_turn() {
        let sessions = [1, 1, 1, 2, 0, 0];
        let scores = [5.0, 4.9, 4.8, 4.0, 3.9, 3.8];
        let mut all: Vec<Ranked> =
            scores.iter().zip(0..).map(|(score, row)| Ranked::by(row, Prior::Words, *score)).collect();
        over_sessions(&mut all, 1.0, |row| sessions[row as usize]);
        assert_eq!(all.iter().map(|one| one.row).collect::<Vec<_>>(), [0, 3, 1, 4, 5, 2]);
        assert!(all.is_sorted_by(|a, b| a.score >= b.score));
        for one in &all {
            assert!((one.parts.0.iter().sum::<f32>() - one.score).abs() < 1e-6, "{one:?}");
        }
    }
}
