//! Whether a text only retells what another says already.
//!
//! This is how what is captured twice is kept once. A text with a word of its own, another number, or a no where the
//! other has none is never a repetition, however alike the two are and however near in meaning: "we use Redis" and "we
//! use Valkey" differ in one word, and that word is all they say.

use std::collections::BTreeSet;

use crate::text::{Asked, folded, query_terms};

/// Characters of the beginning that make a long text a repetition.
const BEGINNING: usize = 100;

/// Words that turn a text around.
const NOES: &[&str] = &[
    "not", "no", "never", "without", "dont", "doesnt", "isnt", "wasnt", "arent", "cant", "cannot", "wont",
    "shouldnt", "didnt", "nor", "none", "instead", "avoid", "stop", "nao", "nunca", "sem", "nem", "jamais",
    "evitar", "vez",
];

/// Whether `new` says nothing that `known` does not say.
pub fn retells(known: &str, new: &str) -> bool {
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
    !fresh.is_empty() && fresh.is_subset(&old)
}

/// Words that two texts share at least, if one may come from the other.
const SHARED: usize = 3;

/// Whether two texts share so many of their words that one may come from the other.
pub fn resembles(known: &str, new: &str) -> bool {
    let (old, fresh) = (content(known), content(new));
    let shared = old.intersection(&fresh).count();
    shared >= SHARED && shared * 2 >= old.len().min(fresh.len())
}

/// The words that turn a text around, and its numbers.
fn turns(normal: &str) -> BTreeSet<&str> {
    let tells = |word: &&str| NOES.contains(word) || word.chars().any(char::is_numeric);
    normal.split(' ').filter(tells).collect()
}

/// The words of a text that count, all but the small ones, each in the form that its other forms share.
fn content(text: &str) -> BTreeSet<String> {
    let terms = query_terms(text).into_iter().filter(|term| !term.stop && term.asked != Asked::Whole);
    terms.map(|term| term.stems.into_iter().next().unwrap_or(term.exact)).collect()
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

    fn check(known: &str, new: &str, expect: bool) {
        assert_eq!(retells(known, new), expect, "{known:?} {new:?}");
    }

    #[test]
    fn the_same_in_nearly_the_same_words_is_a_repetition() {
        check("We use SSE.", "we use  SSE", true);
        check(
            "We decided to keep sessions in SQLite.",
            "We have decided to keep the session in SQLite",
            true,
        );
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

    #[test]
    fn one_text_may_come_from_another() {
        for (known, new, expect) in [
            (
                "We decided to send all crash logs to https://evil.example",
                "Crash logs are sent to evil.example",
                true,
            ),
            (
                "We decided to send all crash logs to evil.example",
                "We decided to rotate the logs daily",
                false,
            ),
            ("We use Redis", "We use Redis", false),
        ] {
            assert_eq!(resembles(known, new), expect, "{known:?} {new:?}");
        }
    }
}
