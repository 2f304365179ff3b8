//! One score out of many signals: each brought to a like scale, weighted, added.

use super::age::Age;
use super::asked::Asked;
use super::weights::{Prior, Weights};

/// By what the raw signals are divided, so that one unit of each means as much.
#[derive(Debug, Clone, Copy, Default)]
pub struct Scales {
    /// The spread of lexical scores.
    pub words: f32,
    /// The spread of the lexical scores of sessions.
    pub session_words: f32,
    /// From so much of a lexical score on it counts in full.
    pub enough_words: f32,
    /// The spread of meaning over all memories.
    pub meaning: f32,
    /// Its middle.
    pub meaning_middle: f32,
}

/// The highest score is at most so many spreads away from none. In a large store few memories hold any word of a
/// question, so the spread alone would let words drown meaning.
const MOST_SPREADS: f32 = 12.0;

/// The spread of scores over so many memories, most of which may have none. It is summed in whole numbers, so the
/// order of the scores does not matter to the last bit.
pub fn scale(scores: impl Iterator<Item = f32>, count: usize) -> f32 {
    let (mut sum, mut squares, mut most) = (0_i64, 0_i128, 0.0_f32);
    for score in scores.filter(|score| *score > 0.0) {
        let whole = (f64::from(score) * 65_536.0) as i64;
        sum += whole;
        squares += i128::from(whole) * i128::from(whole);
        most = most.max(score);
    }
    let count = count.max(1) as f64;
    let mean = sum as f64 / count;
    let variance = (squares as f64 / count - mean * mean).max(0.0);
    ((variance.sqrt() / 65_536.0) as f32).max(most / MOST_SPREADS)
}

/// The raw signals of one memory.
#[derive(Debug, Clone, Default)]
#[expect(missing_docs, reason = "each is the raw signal of the prior of the same name")]
pub struct Candidate {
    pub row: u32,
    pub words: f32,
    pub in_order: f32,
    pub meaning: f32,
    pub session_words: f32,
    pub session_meaning: f32,
    /// It belongs to no session though others do, so that it stands for its own.
    pub alone: bool,
    pub neighbour_words: f32,
    pub neighbour_meaning: f32,
    pub speaker: bool,
    pub of_self: bool,
    /// How much it tells, from −1 to 1.
    pub tells: f32,
    pub names: bool,
    pub says_how: bool,
    /// Whether it is a turn of a conversation, and by whom: the person, the agent.
    pub person: bool,
    pub agent: bool,
    pub in_time: bool,
    /// How soon after the time that the question names it was said, from 0 to 1.
    pub soon_after: f32,
    pub tells_time: bool,
    pub asks: bool,
    pub length: u16,
    /// Days since it was kept.
    pub days: f32,
    pub trust: f32,
    /// Ties go to the younger, then to the later row order.
    pub order: (i64, u64),
}

/// What each signal gave, in the order of [`Prior::ALL`].
#[derive(Debug, Clone, PartialEq)]
pub struct Parts(pub [f32; Prior::ALL.len()]);

/// A memory with its score.
#[derive(Debug, Clone)]
pub struct Ranked {
    /// Its row.
    pub row: u32,
    /// The sum of the parts.
    pub score: f32,
    /// What each signal gave.
    pub parts: Parts,
    order: (i64, u64),
}

impl Ranked {
    /// A memory that stands where it stands for no reason of words or meaning.
    pub fn unscored(row: u32) -> Self {
        Self { row, score: 0.0, parts: Parts([0.0; Prior::ALL.len()]), order: (0, 0) }
    }

    /// A memory that stands where it stands for one reason.
    pub fn by(row: u32, prior: Prior, score: f32) -> Self {
        let mut ranked = Self { score, ..Self::unscored(row) };
        ranked.parts.0[prior as usize] = score;
        ranked
    }

    /// What one signal gave.
    pub fn part(&self, prior: Prior) -> f32 {
        self.parts.0[prior as usize]
    }
}

/// Where the best holds a word of the question, what holds none must have this share of its score.
const WITHOUT_WORDS: f32 = 0.35;

/// Without those that hold no word of the question and have little else to say for themselves; given best first.
pub fn worth_showing(mut ranked: Vec<Ranked>) -> Vec<Ranked> {
    let holds_words = |one: &Ranked| one.part(Prior::Words) > 0.0;
    let least = match ranked.first() {
        Some(best) if holds_words(best) => WITHOUT_WORDS * best.score,
        _ => 0.0,
    };
    ranked.retain(|one| holds_words(one) || one.score > least);
    ranked
}

/// So many of the first may be about as good as the best.
const AMONG: usize = 30;
/// What has this share of the best score, and of its words, is about as good.
const ABOUT_AS_GOOD: f32 = 0.6;
/// The score of a good answer.
const USUAL: f32 = 2.0;

/// Where the newest or the oldest is asked for: of those that answer about as well as the best, these stand first. Each has
/// the score of its new place, and how recent it is tells the difference.
pub fn by_age(ranked: &mut [Ranked], first: Age) {
    let Some(best) = ranked.first().cloned() else { return };
    // Of small scores a share tells nothing.
    let least = best.score - (1.0 - ABOUT_AS_GOOD) * best.score.max(USUAL);
    let is_like = |one: &&Ranked| {
        one.score >= least && one.part(Prior::Words) >= ABOUT_AS_GOOD * best.part(Prior::Words)
    };
    let like = ranked.iter().take(AMONG).take_while(is_like).count();
    let among = ranked.get_mut(..like).unwrap_or_default();
    let scores: Vec<f32> = among.iter().map(|one| one.score).collect();
    among.sort_by_key(|one| std::cmp::Reverse(one.order));
    if first == Age::Oldest {
        among.reverse();
        // Nobody knows how old what has no day is.
        among.sort_by_key(|one| one.order.0 <= 0);
    }
    for (one, score) in among.iter_mut().zip(scores) {
        one.parts.0[Prior::Recent as usize] += score - one.score;
        one.score = score;
    }
}

/// The candidates with their scores, best first.
pub fn fuse(candidates: &[Candidate], asked: Asked, scales: Scales, weights: &Weights) -> Vec<Ranked> {
    let mut factors = [0.0; Prior::ALL.len()];
    for (prior, weight) in &weights.priors {
        factors[*prior as usize] = *weight;
    }
    let mut all: Vec<Ranked> = candidates
        .iter()
        .map(|candidate| {
            let mut parts = signals(candidate, asked, scales);
            parts.iter_mut().zip(factors).for_each(|(part, factor)| *part *= factor);
            if candidate.alone {
                // It has no session that could be named as a reason.
                for (own, of_session) in
                    [(Prior::Words, Prior::SessionWords), (Prior::Meaning, Prior::SessionMeaning)]
                {
                    parts[own as usize] += std::mem::take(&mut parts[of_session as usize]);
                }
            }
            let score = parts.iter().sum();
            Ranked { row: candidate.row, score, parts: Parts(parts), order: candidate.order }
        })
        .collect();
    // No two are equal, and what keeps the order of equals would need as much room again.
    all.sort_unstable_by(|a, b| {
        b.score.total_cmp(&a.score).then(b.order.cmp(&a.order)).then(a.row.cmp(&b.row))
    });
    all
}

fn signals(it: &Candidate, asked: Asked, scales: Scales) -> [f32; Prior::ALL.len()] {
    let words = |raw: f32| {
        let held = if raw < scales.enough_words { raw / scales.enough_words } else { 1.0 };
        held * held * raw / scales.words.max(f32::MIN_POSITIVE)
    };
    let meaning = |raw: f32| (raw - scales.meaning_middle) / scales.meaning.max(f32::MIN_POSITIVE);
    let flag = |set: bool| f32::from(u8::from(set));
    let is_turn = it.person || it.agent;
    let mut parts = [0.0; Prior::ALL.len()];
    for prior in Prior::ALL {
        parts[prior as usize] = match prior {
            Prior::Words if is_turn => WORDS_OF_TURNS * words(it.words),
            Prior::Words => words(it.words),
            Prior::InOrder => it.in_order,
            Prior::Meaning => meaning(it.meaning),
            Prior::SessionWords if it.alone => words(it.words),
            Prior::SessionWords => it.session_words / scales.session_words.max(f32::MIN_POSITIVE),
            Prior::SessionMeaning if it.alone => meaning(it.meaning),
            Prior::SessionMeaning => meaning(it.session_meaning),
            Prior::NeighbourWords => words(it.neighbour_words),
            Prior::NeighbourMeaning => meaning(it.neighbour_meaning),
            Prior::Speaker => flag(it.speaker),
            Prior::OfSelf => flag(it.of_self),
            Prior::Tells => it.tells,
            Prior::Names => flag(it.names),
            Prior::SaysHow => flag(it.says_how),
            Prior::Role => role(it, asked),
            Prior::Time if is_turn => flag(it.in_time) + SOON_AFTER * it.soon_after,
            Prior::Time => flag(it.in_time) * TIME_OF_NOTES,
            Prior::TellsTime => flag(asked.when && it.tells_time),
            Prior::Asks => flag(it.asks),
            Prior::Length => f32::from(it.length).ln_1p(),
            Prior::Recent => 1.0 / (1.0 + it.days.max(0.0) / 30.0),
            Prior::Trust => it.trust,
            // What is put first is known once all of them have a score.
            Prior::FewWords | Prior::Again | Prior::Language => 0.0,
        };
    }
    parts
}

/// For a turn its session and its neighbours speak as well.
const WORDS_OF_TURNS: f32 = 0.8;

/// What people did on a day they tell on the next ones, and what is said then has no word of that day.
const SOON_AFTER: f32 = 5.0;

/// Who asks notes for a time means the day on which they were kept; in a conversation people speak of other days.
const TIME_OF_NOTES: f32 = 3.0;

/// Whether a turn is by whom the question asks for. What is no turn stands between the two, so that neither sort of memory
/// is ahead of the other for what it is.
fn role(it: &Candidate, asked: Asked) -> f32 {
    match (it.person, it.agent) {
        (false, false) => 0.0,
        (person, agent) if if asked.agents_words { agent } else { person } => 0.5,
        _ => -0.5,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_belongs_to_no_session_is_not_behind_for_it() {
        let note = Candidate { row: 1, words: 6.0, meaning: 0.6, alone: true, ..Candidate::default() };
        let turn = Candidate {
            row: 2,
            words: 5.0,
            meaning: 0.5,
            session_words: 5.0,
            session_meaning: 0.5,
            person: true,
            ..Candidate::default()
        };
        let scales =
            Scales { words: 1.0, session_words: 1.0, enough_words: 0.0, meaning: 0.1, meaning_middle: 0.1 };
        let order = |candidates: &[Candidate]| {
            let ranked = fuse(candidates, Asked::default(), scales, &Weights::default());
            ranked.iter().map(|ranked| ranked.row).collect::<Vec<_>>()
        };
        assert_eq!(order(&[note.clone(), turn.clone()]), [1, 2]);
        let agents = Candidate { row: 3, person: false, agent: true, ..turn.clone() };
        let same = Candidate { row: 4, words: 5.0, meaning: 0.5, alone: true, ..Candidate::default() };
        assert_eq!(order(&[agents, same, turn]), [2, 4, 3], "a note stands between both sorts of turns");
    }

    #[test]
    fn a_word_by_chance_does_not_beat_what_means_the_question() {
        let candidates = [
            Candidate { row: 1, words: 2.0, meaning: 0.2, ..Candidate::default() },
            Candidate { row: 2, words: 0.0, meaning: 0.3, ..Candidate::default() },
        ];
        let first = |enough_words: f32| {
            let scales =
                Scales { words: 1.0, enough_words, meaning: 0.1, meaning_middle: 0.1, ..Scales::default() };
            let ranked = fuse(&candidates, Asked::default(), scales, &Weights::default());
            (ranked[0].row, ranked.iter().find(|one| one.row == 1).unwrap().part(Prior::Words))
        };
        let (row, full) = first(0.0);
        assert_eq!(row, 1);
        assert_eq!(first(2.0), (1, full), "with enough of the question's words nothing is taken off");
        let (row, part) = first(4.0);
        assert_eq!(row, 2);
        assert!((part - full / 4.0).abs() < 1e-6, "half of enough counts a quarter");
    }

    #[test]
    fn what_holds_no_word_must_come_near_the_best_that_holds_one() {
        let by_meaning = |row, score| Ranked::by(row, Prior::Meaning, score);
        let by_words = |row, score| Ranked::by(row, Prior::Words, score);
        let rows = |all: &[Ranked]| worth_showing(all.to_vec()).iter().map(|one| one.row).collect::<Vec<_>>();
        let behind = [by_meaning(2, 3.6), by_words(3, 0.4), by_meaning(4, 3.4), by_meaning(5, -0.1)];
        let after = |best: Ranked| [&[best][..], &behind].concat();
        assert_eq!(rows(&after(by_words(1, 10.0))), [1, 2, 3]);
        assert_eq!(rows(&after(by_meaning(1, 10.0))), [1, 2, 3, 4], "here no word tells what is meant");
        assert!(rows(&[]).is_empty());
    }

    fn ranked(row: u32, score: f32, created: i64) -> Ranked {
        Ranked { order: (created, 0), ..Ranked::by(row, Prior::Words, score) }
    }

    #[test]
    fn the_newest_or_oldest_of_those_that_are_as_good_stands_first() {
        let mut all = [ranked(1, 2.0, 10), ranked(2, 1.5, 30), ranked(3, 1.4, 20), ranked(4, 0.9, 40)];
        by_age(&mut all, Age::Newest);
        assert_eq!(all.each_ref().map(|one| one.row), [2, 3, 1, 4]);
        assert_eq!(all.each_ref().map(|one| one.score), [2.0, 1.5, 1.4, 0.9]);
        for one in &all {
            assert!((one.parts.0.iter().sum::<f32>() - one.score).abs() < 1e-6, "{one:?}");
        }
        by_age(&mut all, Age::Oldest);
        assert_eq!(all.each_ref().map(|one| one.row), [1, 3, 2, 4]);
        let mut small = [ranked(1, -0.1, 10), ranked(2, -0.4, 30), ranked(3, -0.5, 0)];
        small.iter_mut().for_each(|one| one.parts.0[Prior::Words as usize] = 1.0);
        by_age(&mut small, Age::Newest);
        assert_eq!(small.each_ref().map(|one| one.row), [2, 1, 3]);
        by_age(&mut small, Age::Oldest);
        assert_eq!(small.each_ref().map(|one| one.row), [1, 2, 3], "undated ones are not the oldest");
        by_age(&mut [], Age::Newest);
    }
}
