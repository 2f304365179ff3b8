//! A whole prompt as a question: what its writer says counts before what was pasted into it, and a log of a thousand like
//! lines says no more than one of them.

use std::collections::HashSet;

use crate::extract::own_words;
use crate::text::query_terms;

/// So many words that are not small make a question of what the writer says.
const ENOUGH: usize = 2;

/// A question, and what of it is its writer's own.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Prompt {
    /// All of it, without lines that only repeat others.
    pub text: String,
    /// The words of its writer, where something else was pasted beside them and they ask for enough.
    own: Option<Own>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Own {
    text: String,
    words: HashSet<String>,
}

impl Prompt {
    /// Reads a question.
    pub fn of(question: &str) -> Self {
        let text = without_repeats(question.trim());
        if !text.contains('\n') {
            return Self { text, own: None };
        }
        let own = own_words(&text);
        let terms = query_terms(&own);
        let asks_enough = terms.iter().filter(|term| !term.stop).count() >= ENOUGH;
        let words = terms.iter().map(|term| term.word().to_owned()).collect();
        let own = (asks_enough && own.len() < text.len()).then_some(Own { text: own, words });
        Self { text, own }
    }

    /// A text of which every word counts.
    pub fn whole(text: String) -> Self {
        Self { text, own: None }
    }

    /// What it means: the writer's own words where they ask for something.
    pub fn meant(&self) -> &str {
        self.own.as_ref().map_or(&self.text, |own| &own.text)
    }

    /// Whether a word, in lower case and without accents, stands only in what was pasted.
    pub fn is_pasted(&self, word: &str) -> bool {
        self.own.as_ref().is_some_and(|own| !own.words.contains(word))
    }
}

/// The text with one line of each shape; lines that differ in words with digits alone have the same.
fn without_repeats(text: &str) -> String {
    let mut seen: HashSet<Vec<&str>> = HashSet::new();
    let is_fixed = |word: &&str| !word.contains(|c: char| c.is_ascii_digit());
    let shape = |line| str::split(line, |c: char| !c.is_alphanumeric()).filter(is_fixed).collect();
    let lines = text.split_inclusive('\n');
    lines.filter(|line| line.trim().is_empty() || seen.insert(shape(line))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_pasted_counts_behind_the_question() {
        let code = "use std::fmt;\n\nfn main() {\n    let cache = Cache::new();\n}\n";
        let prompt = Prompt::of(&format!("{code}\nWhich certificate took the login down?"));
        assert_eq!(prompt.meant(), "Which certificate took the login down?");
        assert!(prompt.is_pasted("cache") && !prompt.is_pasted("login"));
        let prompt = Prompt::of(&format!("{code}\nwhy?"));
        assert!(prompt.meant().contains("Cache") && !prompt.is_pasted("cache"));
        let plain = Prompt::of("which certificate\ntook the login down?");
        assert!(!plain.is_pasted("cache") && plain.meant().contains("certificate"));
    }

    #[test]
    fn like_lines_are_read_once() {
        let log: String = (0..300).map(|n| format!("10:0{n} GET /basket/{n} id=7f{n:x} 200\n")).collect();
        let prompt = Prompt::of(&format!("{log}FATAL: too many clients\nwhy?"));
        assert_eq!(prompt.text.lines().count(), 3, "{}", prompt.text);
        assert!(prompt.text.contains("too many clients"));
    }
}
