//! Whether a memory is on the topic of a prompt. A prompt is answered only by what is, since every line that an agent
//! reads for nothing costs attention.

use crate::search::{Answer, Hit};

/// Of so many rarest words of a prompt a memory must hold its share.
const RAREST: usize = 6;
/// The share of their weight that it must hold.
const SHARE: f32 = 0.34;

/// Whether a memory holds enough of what the prompt is about: of its rarest words that any memory holds.
pub(super) fn is_met(answer: &Answer, hit: &Hit) -> bool {
    let weight = |memories: usize| (1.0 + answer.among as f32 / (memories as f32 + 0.5)).ln();
    let mut known: Vec<f32> =
        answer.words.iter().filter(|word| word.memories > 0).map(|word| weight(word.memories)).collect();
    known.sort_by(|a, b| b.total_cmp(a));
    let most: f32 = known.iter().take(RAREST).sum();
    let held: f32 = answer
        .words
        .iter()
        .filter(|word| hit.matched.iter().any(|(matched, _)| *matched == word.word))
        .map(|word| weight(word.memories))
        .sum();
    most > 0.0 && held >= SHARE * most
}
