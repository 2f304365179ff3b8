//! Whether one text retells another: the same thing in nearly the same words.
//!
//! This is how what is captured twice is kept once. A text with another number, or with a no where the other has none,
//! is never a repetition, however alike the two are.

use std::collections::BTreeSet;

/// Characters of the beginning that must be equal for texts that are otherwise not compared.
const BEGINNING: usize = 100;
/// Shorter texts are only equal or not.
const SHORT: usize = 20;
/// The share of words in common that makes a repetition by itself.
const NEARLY_ALL: f32 = 0.9;
/// The share that does so for texts that are as near in meaning as [`NEAR`].
const MOST: f32 = 0.6;
/// How near in meaning, as a cosine.
const NEAR: f32 = 0.95;

/// Words that turn a text around.
const NOES: &[&str] = &[
    "not", "no", "never", "without", "dont", "doesnt", "isnt", "wasnt", "arent", "cant", "cannot", "wont",
    "shouldnt", "didnt", "nor", "none", "instead", "avoid", "stop", "nao", "nunca", "sem", "nem", "jamais",
    "evitar", "vez",
];

/// Whether the two say the same; `nearness` is how near they are in meaning, as a cosine.
pub fn retells(a: &str, b: &str, nearness: f32) -> bool {
    let (a, b) = (normal(a), normal(b));
    let begins = |text: &str| text.chars().take(BEGINNING).collect::<String>();
    if a == b {
        return true;
    }
    if a.chars().count() < SHORT || b.chars().count() < SHORT {
        return false;
    }
    let words = |text: &'_ str| text.split(' ').map(str::to_owned).collect::<BTreeSet<String>>();
    let (mine, yours) = (words(&a), words(&b));
    let turns = |words: &BTreeSet<String>| {
        let tells = |word: &&String| NOES.contains(&word.as_str()) || word.chars().any(|c| c.is_numeric());
        words.iter().filter(tells).cloned().collect::<Vec<_>>()
    };
    if turns(&mine) != turns(&yours) {
        return false;
    }
    if begins(&a) == begins(&b) {
        return true;
    }
    let both = mine.intersection(&yours).count() as f32;
    let share = 2.0 * both / (mine.len() + yours.len()) as f32;
    share >= NEARLY_ALL || nearness >= NEAR && share >= MOST
}

/// Lower case without accents, words with one space between them; apostrophes join.
fn normal(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in crate::text::folded(text).chars() {
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

    fn check(a: &str, b: &str, nearness: f32, expect: bool) {
        assert_eq!(retells(a, b, nearness), expect, "{a:?} {b:?}");
        assert_eq!(retells(b, a, nearness), expect, "{b:?} {a:?}");
    }

    #[test]
    fn the_same_in_nearly_the_same_words_is_a_repetition() {
        check("We use SSE.", "we use  SSE", 0.0, true);
        check("We use SSE.", "we use SSE now", 1.0, false);
        check(
            "We decided to keep sessions in SQLite.",
            "We decided to keep the sessions in SQLite",
            0.5,
            true,
        );
        check("Decisão: usar filas para os e-mails", "decisao: usar filas para os e-mails!", 0.0, true);
        let long =
            "We decided to keep all sessions in SQLite because the proxy drops idle sockets after a while, "
                .repeat(2);
        check(&long, &format!("{long} and so on"), 0.0, true);
        check("Sessions are kept in SQLite from now on", "From now on SQLite keeps the sessions", 0.97, true);
        check("Sessions are kept in SQLite from now on", "From now on SQLite keeps the sessions", 0.8, false);
        check(
            "Deploys happen on Fridays after the tests",
            "The cache is cleared by the webhook",
            0.99,
            false,
        );
    }

    #[test]
    fn another_number_or_a_no_is_never_a_repetition() {
        check(
            "We decided to use tabs in all of the files",
            "We decided not to use tabs in all of the files",
            1.0,
            false,
        );
        check(
            "Always squash the commits before a merge",
            "Never squash the commits before a merge",
            1.0,
            false,
        );
        check("The port of the server is 8080 for now", "The port of the server is 9090 for now", 1.0, false);
        check(
            "Vamos usar Redis para as filas do sistema",
            "Não vamos usar Redis para as filas do sistema",
            1.0,
            false,
        );
        check(
            "We don't retry uploads when they have failed",
            "We do retry uploads when they have failed",
            1.0,
            false,
        );
    }
}
