//! Whether a text only retells what another says already.
//!
//! This is how what is captured twice is kept once. A text with a word of its own, another number, or a no where the
//! other has none is never a repetition, however alike the two are: "we use Redis" and "we use Valkey" differ in one word.

use std::collections::BTreeSet;

use crate::text::{Asked, folded, query_terms};

/// Characters of the beginning that make a long text a repetition.
const BEGINNING: usize = 100;
/// How near in meaning a word must be to one of the other text, as a cosine, to stand for it.
const SAME_WORD: f32 = 0.8;

/// Words that turn a text around.
const NOES: &[&str] = &[
    "not", "no", "never", "without", "dont", "doesnt", "isnt", "wasnt", "arent", "cant", "cannot", "wont",
    "shouldnt", "didnt", "nor", "none", "instead", "avoid", "stop", "nao", "nunca", "sem", "nem", "jamais",
    "evitar", "vez",
];

/// Whether `new` says nothing that `known` does not say. `near` tells how near two words are in meaning, as a cosine.
pub fn retells(known: &str, new: &str, near: &dyn Fn(&str, &str) -> f32) -> bool {
    let (old, fresh) = (normal(known), normal(new));
    if old == fresh {
        return true;
    }
    if turns(&old) != turns(&fresh) {
        return false;
    }
    let begins = |text: &str| text.chars().take(BEGINNING).collect::<String>();
    if fresh.chars().count() >= BEGINNING && begins(&old) == begins(&fresh) {
        return true;
    }
    let (old, fresh) = (content(known), content(new));
    let stands_for = |word: &Word| old.iter().any(|other| near(&word.text, &other.text) >= SAME_WORD);
    !fresh.is_empty()
        && fresh.iter().all(|word| old.iter().any(|other| other.stem == word.stem) || stands_for(word))
}

/// The words that turn a text around, and its numbers.
fn turns(normal: &str) -> BTreeSet<&str> {
    let tells = |word: &&str| NOES.contains(word) || word.chars().any(char::is_numeric);
    normal.split(' ').filter(tells).collect()
}

/// A word that counts.
struct Word {
    text: String,
    stem: String,
}

/// The words of a text that count: all but the small ones.
fn content(text: &str) -> Vec<Word> {
    let terms = query_terms(text).into_iter().filter(|term| !term.stop && term.asked != Asked::Whole);
    terms
        .map(|term| Word {
            text: term.word().to_owned(),
            stem: term.stems.first().unwrap_or(&term.exact).clone(),
        })
        .collect()
}

/// Lower case without accents, words with one space between them; apostrophes join.
fn normal(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in folded(text).chars() {
        match c {
            '\'' | '’' => {}
            c if c.is_alphanumeric() => out.push(c),
            _ if out.ends_with(' ') || out.is_empty() => {}
            _ => out.push(' '),
        }
    }
    out.truncate(out.trim_end().len());
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// "Store" and "keep" are near, everything else is not.
    fn near(a: &str, b: &str) -> f32 {
        if [a, b] == ["store", "keep"] || a == b { 0.9 } else { 0.1 }
    }

    fn check(known: &str, new: &str, expect: bool) {
        assert_eq!(retells(known, new, &near), expect, "{known:?} {new:?}");
    }

    #[test]
    fn the_same_in_nearly_the_same_words_is_a_repetition() {
        check("We use SSE.", "we use  SSE", true);
        check(
            "We decided to keep sessions in SQLite.",
            "We have decided to keep the session in SQLite",
            true,
        );
        check("We decided to keep sessions in SQLite.", "We decided to store sessions in SQLite", true);
        check("Decisão: usar filas para os e-mails", "decisao: usar filas para os e-mails!", true);
        check(
            "We keep sessions in SQLite because the proxy drops sockets",
            "We keep sessions in SQLite",
            true,
        );
        let long = "We decided to keep all sessions in SQLite because the proxy drops idle sockets after a while, really and truly so it is.";
        check(long, &format!("{long} And another thing"), true);
    }

    #[test]
    fn what_says_more_or_something_else_is_none() {
        check(
            "We keep sessions in SQLite",
            "We keep sessions in SQLite because the proxy drops sockets",
            false,
        );
        check(
            "We decided to use Redis for the queue of mails",
            "We decided to use Valkey for the queue of mails",
            false,
        );
        check("Deploys happen on Fridays after the tests", "The cache is cleared by the webhook", false);
        check("", "something", false);
        check("something", "", false);
    }

    #[test]
    fn another_number_or_a_no_is_never_a_repetition() {
        check(
            "We decided to use tabs in all of the files",
            "We decided not to use tabs in all of the files",
            false,
        );
        check("Always squash the commits before a merge", "Never squash the commits before a merge", false);
        check("The port of the server is 8080 for now", "The port of the server is 9090 for now", false);
        check(
            "Vamos usar Redis para as filas do sistema",
            "Não vamos usar Redis para as filas do sistema",
            false,
        );
        check(
            "We don't retry uploads when they have failed",
            "We do retry uploads when they have failed",
            false,
        );
    }
}
