//! Orders that hold for this moment, this place or this change alone: work, and nothing to remember.

use super::super::wish;
use super::super::wording::words;
use super::Before;

/// Words that bind an order to what is at hand, folded.
#[rustfmt::skip]
const AT_HAND: &[&str] = &[
    " this run ", " this pr ", " this branch ", " this commit ", " this file ", " this time ", " this change ", " this function ",
    " this test ", " this session ", " nesse pr ", " neste pr ", " nesta branch ", " nessa branch ", " neste commit ", " nesse commit ",
    " neste arquivo ", " nesse arquivo ", " neste ficheiro ", " nesse ficheiro ", " desta vez ", " dessa vez ", " nesta sessao ",
    " nessa sessao ", " so agora ",
];

/// Ends of orders that point at where somebody works, folded.
const HERE: &[&str] = &[" here $", " aqui $", " nesse $", " neste $", " nessa $", " nesta $"];

/// Words that make an order hold on, folded.
#[rustfmt::skip]
const ONWARD: &[&str] = &[
    " always ", " never ", " from now on ", " every ", " sempre ", " nunca ", " a partir de agora ", " toda ", " todo ", " todos ", " todas ",
    " decided ", " decidimos ",
];

/// Words of which an order is made that names nothing.
#[rustfmt::skip]
const POINTING: &[&str] = &[
    "keep", "stop", "drop", "leave", "use", "do", "lets", "let", "not", "dont", "going", "doing", "it", "this", "that", "these", "those",
    "them", "on", "at", "as", "is", "please", "now", "then", "so", "like", "just", "i", "prefer", "id", "rather", "the", "one", "first",
    "second", "third", "last", "option", "other", "way", "stick", "with", "go", "there", "here", "para", "pare", "de", "fazer", "isso",
    "isto", "assim", "deixa", "mantem", "continua", "usa", "usar", "prefiro", "a", "o", "primeira", "primeiro", "segunda", "segundo",
    "terceira", "opcao", "outra", "outro", "por", "favor", "essa", "esse", "nao", "faz", "faca", "eu", "again", "mais", "anymore", "any",
    "more", "working", "trying", "trabalhando",
];

/// Whether a person's sentence orders something of the moment.
pub(super) fn is_passing(text: &str, folded: &str, before: Before) -> bool {
    if ONWARD.iter().any(|onward| folded.contains(onward)) {
        return false;
    }
    let says = |cues: &[&str]| cues.iter().any(|cue| folded.contains(cue));
    let ends = |cues: &[&str]| cues.iter().any(|cue| folded.ends_with(cue));
    let first = ends(&[" first $", " primeiro $"]) && wish::orders_work(folded);
    says(AT_HAND)
        || ends(HERE) && before != Before::Choice
        || first
        || names_nothing(folded) && before != Before::Choice
        || goes_to_branch(folded)
        || takes_out_of_a_file(text, folded)
}

/// Whether a sentence is made of words that only point at something: "stop doing that".
pub(in super::super) fn names_nothing(folded: &str) -> bool {
    words(folded).all(|word| POINTING.contains(&word))
}

/// "Switch to the feature branch" chooses nothing.
fn goes_to_branch(folded: &str) -> bool {
    let mut said = words(folded);
    let goes = matches!(
        said.next(),
        Some("switch" | "go" | "change" | "checkout" | "move" | "muda" | "vai" | "volta" | "troca" | "passa")
    );
    goes && said.take(6).any(|word| matches!(word, "branch" | "ramo" | "worktree"))
}

/// "Drop the debug log in server.ts" is work on a file.
fn takes_out_of_a_file(text: &str, folded: &str) -> bool {
    let takes = ["drop", "remove", "delete", "leave", "tira", "remove", "apaga"];
    let is_file = |piece: &str| {
        let piece = piece.trim_matches(|c: char| !c.is_alphanumeric());
        let (name, end) = piece.rsplit_once('.').unwrap_or_default();
        !name.is_empty() && (1..=5).contains(&end.len()) && end.chars().all(|c| c.is_ascii_lowercase())
    };
    words(folded).next().is_some_and(|first| takes.contains(&first)) && text.split_whitespace().any(is_file)
}
