//! Words that correct what was said just before: "sorry, I meant npm", "oops, wrong one: npm", "na verdade quis dizer o npm".

use super::judge::Sentence;
use super::said::Said;
use super::wish;
use crate::replace;

/// Some piece of these stands in every text that may put something in the place of something else, in lower case.
#[rustfmt::skip]
const PIECES: &[&str] = &[
    "replac", "swap", "switch", "mov", "migrat", "chang", "drop", "ditch", "abandon", "retir", "instead", "rather", "longer", "stop",
    "more", "not", "n't", "dont", "meant", "mean", "wrong", "troc", "substitu", "mud", "migr", "pass", "sai", "larg", "descart", "deix",
    "par", "vez", "inv", "lugar", "mais", "não", "nao", "volt", "dizer", "engan", "tirar",
];

/// Whether a person's text may put something in the place of something that stands; a cheap look.
pub fn may_replace(text: &str) -> bool {
    let text = text.to_lowercase();
    PIECES.iter().any(|piece| text.contains(piece))
}

/// What is right, and what was wrong where it is told.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Corrected {
    pub(super) right: String,
    /// Folded words.
    pub(super) wrong: Option<Vec<String>>,
    /// It is said outright that something was meant; otherwise only "no, npm".
    pub(super) outright: bool,
}

/// Words before a correction.
#[rustfmt::skip]
const BEFORE: &[&str] = &[
    "no", "nope", "nah", "hmm", "hm", "ah", "oh", "wait", "sorry", "oops", "ops", "actually", "ok", "nao", "espera", "desculpa", "desculpe",
    "na", "verdade", "eita", "perdao",
];
/// Those of them that deny.
const DENYING: &[&str] =
    &["no", "nope", "nah", "sorry", "oops", "ops", "nao", "espera", "desculpa", "desculpe", "wait"];
/// Words that say that something else was meant.
#[rustfmt::skip]
const MEANT: &[&[&str]] = &[
    &["i", "meant"], &["i", "mean"], &["quis", "dizer"], &["eu", "quis", "dizer"], &["queria", "dizer"], &["eu", "queria", "dizer"],
    &["wrong", "one"], &["wrong", "name"], &["me", "enganei"], &["enganei", "me"], &["foi", "engano"], &["troquei", "os", "nomes"],
];
/// Single words behind "no" that name nothing.
#[rustfmt::skip]
const NO_NAME: &[&str] = &[
    "thanks", "thank", "later", "wait", "stop", "really", "never", "please", "sorry", "yes", "ok", "sure", "fine", "good", "obrigado",
    "obrigada", "depois", "agora", "espera", "para", "nunca", "sim", "certo", "continue", "continua", "go", "again", "nothing", "nada",
    "that", "this", "isso", "it", "first", "second", "both", "neither", "none", "not", "maybe", "talvez", "problem", "worries", "way",
];
/// Words of the longest name.
const LONGEST: usize = 3;

/// What a sentence corrects.
pub(super) fn corrected(sentence: &Sentence) -> Option<Corrected> {
    if sentence.asks {
        return None;
    }
    let said = Said::of(&sentence.text);
    let words: Vec<&str> = said.words().iter().map(String::as_str).collect();
    let mut at = words.iter().take_while(|word| BEFORE.contains(word)).count();
    let denied = words[..at].iter().any(|word| DENYING.contains(word)) && at > 0 && said.is_end(at - 1);
    let meant = MEANT.iter().find(|cue| words[at..].starts_with(cue));
    let outright = meant.is_some();
    at += meant.map_or(0, |cue| cue.len());
    while words
        .get(at)
        .is_some_and(|word| matches!(*word, "the" | "a" | "o" | "os" | "as" | "to" | "use" | "usar"))
    {
        at += 1;
    }
    if !(outright || denied) {
        return None;
    }
    let contrast = replace::contrasted(&said.tokens())
        .filter(|found| found.taken.start >= at && !found.dropped.is_empty());
    let wrong = contrast.as_ref().map(|found| said.words()[found.dropped.clone()].to_vec());
    let right = match contrast {
        Some(found) => found.taken,
        None => at..words.len(),
    };
    let names = (1..=LONGEST).contains(&right.len())
        && !words[right.clone()].iter().any(|word| NO_NAME.contains(word))
        && !wish::orders_work(&format!("^ {} $", words[right.clone()].join(" ")));
    let enough = outright || right.len() == 1 && wrong.is_none() && words[right.start].chars().count() > 1;
    (names && enough).then(|| Corrected {
        right: said.text(&sentence.text, right).to_owned(),
        wrong,
        outright,
    })
}
