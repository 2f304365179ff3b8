//! Of two memories that answer a question alike, a newer one that tells of a change stands before what it changed: who
//! asks for a port wants the one that is open today.

use crate::kind::Kind;
use crate::text::{folded, sentences};

/// A memory that answers.
#[derive(Debug, Clone, Copy)]
pub struct Told<'a> {
    /// Its kind.
    pub kind: &'a Kind,
    /// Its text.
    pub text: &'a str,
    /// When it was kept, in milliseconds.
    pub created: i64,
    /// How well it answers.
    pub score: f32,
    /// The words of the question that it holds.
    pub words: &'a [&'a str],
}

/// A memory is newer than another from so many milliseconds on.
const A_DAY: i64 = 86_400_000;
/// One that has this share of the other's score answers alike.
const ALIKE: f32 = 0.7;
/// One word in common may be chance.
const LEAST_WORDS: usize = 2;

impl Told<'_> {
    /// Whether it is about as good an answer as an older one, and tells that something is no longer as it was. Whether both speak
    /// of one thing is for the caller to say.
    pub fn changes(&self, older: &Self) -> bool {
        let holds_all = || older.words.iter().all(|word| self.words.contains(word));
        self.created >= older.created.saturating_add(A_DAY)
            && older.score > 0.0
            && self.score >= ALIKE * older.score
            && older.words.len() >= LEAST_WORDS
            && holds_all()
            && [self.kind, older.kind].into_iter().all(Kind::says_how_things_are)
            && tells_change(self.text)
    }
}

/// Words that tell of a change by themselves, folded, in both languages.
#[rustfmt::skip]
const CHANGED: &[&str] = &[
    "now", "nowadays", "anymore", "instead", "moved", "moves", "switched", "switches", "migrated", "migrates", "upgraded",
    "downgraded", "changed", "changes", "replaced", "replaces", "renamed", "raised", "lowered", "increased", "decreased", "bumped",
    "dropped", "superseded", "agora", "atualmente", "passou", "passaram", "passamos", "mudou", "mudaram", "mudamos", "muda", "migrou", "migramos",
    "trocou", "trocamos", "substituiu", "substituimos", "substituido", "substituida", "atualizado", "atualizada", "atualizamos", "atualizou",
    "subiu", "subimos", "baixou", "baixamos", "aumentou", "aumentamos", "diminuiu", "renomeado", "renomeada",
];

/// Words that do so one after the other, with at most one between them.
#[rustfmt::skip]
const CHANGED_TOGETHER: &[(&str, &str)] = &[
    ("no", "longer"), ("not", "more"), ("any", "more"), ("used", "to"), ("move", "from"), ("moving", "from"), ("from", "on"), ("as", "of"),
    ("nao", "mais"), ("deixou", "de"), ("deixaram", "de"), ("em", "vez"), ("a", "partir"), ("no", "lugar"),
];

/// Whether a text tells, in one of its first sentences, that something is no longer as it was.
fn tells_change(text: &str) -> bool {
    sentences(text).take(FIRST).any(|at| {
        let sentence = folded(text.get(at).unwrap_or_default());
        let words: Vec<&str> =
            sentence.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
        let follows = |(n, word): (usize, &&str), first: &str, then: &str| {
            *word == first && words.iter().skip(n + 1).take(2).any(|word| *word == then)
        };
        words.iter().any(|word| CHANGED.contains(word))
            || words
                .iter()
                .enumerate()
                .any(|at| CHANGED_TOGETHER.iter().any(|(first, then)| follows(at, first, then)))
    })
}

/// Sentences in which a memory says what it is about.
const FIRST: usize = 3;

#[cfg(test)]
mod tests {
    use super::*;

    const OLD: Told<'_> = Told {
        kind: &Kind::Fact,
        text: "The API listens on port 8080.",
        created: 0,
        score: 10.0,
        words: &["api", "port"],
    };

    fn check(text: &str, expect: bool) {
        let new = Told { text, created: 90 * A_DAY, score: 8.0, ..OLD };
        assert_eq!(new.changes(&OLD), expect, "{text:?}");
    }

    #[test]
    fn a_newer_one_that_tells_of_a_change_changes_the_older() {
        check("The API now listens on port 9090.", true);
        check("The port of the API is no longer 8080.", true);
        check("Jobs move from RabbitMQ to NATS.", true);
        check("A API passou a usar a porta 9090.", true);
        check("A porta da API não é mais 8080.", true);
        check("The API of the other team listens on port 9090.", false);
        check("I know no better port for the API.", false);
    }

    #[test]
    fn nothing_else_does() {
        let new = Told { text: "The API now listens on port 9090.", created: A_DAY, ..OLD };
        assert!(new.changes(&OLD));
        assert!(!OLD.changes(&new), "an older one");
        assert!(!Told { score: 5.0, ..new }.changes(&OLD), "one that answers worse");
        assert!(!Told { words: &["api"], ..new }.changes(&OLD), "one with fewer words of the question");
        assert!(!Told { kind: &Kind::Handoff, ..new }.changes(&OLD), "one that tells what happened");
        let one = Told { words: &["api"], ..OLD };
        assert!(!Told { words: &["api"], ..new }.changes(&one), "one word may be chance");
    }
}
