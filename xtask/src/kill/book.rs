//! The book of what was written: which memories stand, each with a word that no other has, and which words are gone.
//!
//! Everything goes in through the product. What changed last stands at the end of its list.

use serde_json::{Value, json};

use super::answers::{tell, tell_lines};
use super::{Dice, Product};

/// Words of which the texts are made, so that any question about them has many answers.
const WORDS: &str = "queue retry proxy index cache token socket schema worker build release timeout deploy config path \
    file session test billing login postgres header parser gateway kernel thread mutex lock batch stream event backup \
    certificate rollback latency upload invoice customer search memory screen button theme report export import merge \
    fails returns keeps expired slow empty broken wrong after before because when only since the on with must not";

/// A memory that stands.
#[derive(Debug, Clone)]
pub(super) struct Kept {
    pub(super) id: String,
    pub(super) word: String,
    pub(super) text: String,
}

/// What was written.
pub(super) struct Book {
    dice: Dice,
    next: usize,
    pub(super) live: Vec<Kept>,
    /// Words of memories that are forgotten, and of texts that were replaced.
    pub(super) gone: Vec<String>,
}

impl Book {
    pub(super) fn new(seed: u64) -> Self {
        Self { dice: Dice::new(seed), next: 0, live: Vec::new(), gone: Vec::new() }
    }

    /// Writes memories in one process, so many in one commit.
    pub(super) fn write(&mut self, product: &Product, count: usize, batch: usize) -> Result<(), String> {
        let new: Vec<(String, String, Value)> = (0..count).map(|_| self.draft()).collect();
        let lines: String = new.iter().map(|(.., draft)| format!("{draft}\n")).collect();
        let args = ["remember", "--lines", "--batch", &batch.to_string()];
        let answers = tell_lines(product, &args, &lines)?;
        if answers.len() != count {
            return Err(format!("{} of {count} lines were answered", answers.len()));
        }
        for ((word, text, _), answer) in new.into_iter().zip(answers) {
            self.live.push(Kept { id: id_of(&answer)?, word, text });
        }
        Ok(())
    }

    /// Writes one memory with the plain command.
    pub(super) fn write_one(&mut self, product: &Product) -> Result<Kept, String> {
        let (word, text, _) = self.draft();
        let answer = tell(product, &["remember", "--json", "--kind", "lesson", &text])?;
        let kept = Kept { id: id_of(&answer)?, word, text };
        self.live.push(kept.clone());
        Ok(kept)
    }

    /// Gives some memories a new text with a new word.
    pub(super) fn edit(&mut self, product: &Product, count: usize) -> Result<(), String> {
        for _ in 0..count.min(self.live.len()) {
            let old = self.live.remove(self.dice.below(self.live.len()));
            let (word, text, _) = self.draft();
            tell(product, &["edit", "--json", &old.id, "--content", &text])?;
            self.gone.push(old.word);
            self.live.push(Kept { id: old.id, word, text });
        }
        Ok(())
    }

    /// Forgets some memories in one process.
    pub(super) fn forget(&mut self, product: &Product, count: usize) -> Result<(), String> {
        let count = count.min(self.live.len());
        let out: Vec<Kept> = (0..count).map(|_| self.live.remove(self.dice.below(self.live.len()))).collect();
        let ids = out.iter().map(|kept| kept.id.as_str());
        tell(product, &["forget", "--json"].into_iter().chain(ids).collect::<Vec<_>>())?;
        self.gone.extend(out.into_iter().map(|kept| kept.word));
        Ok(())
    }

    /// A word of its own, a text that holds it, and the draft of a memory of that.
    fn draft(&mut self) -> (String, String, Value) {
        let n = self.next;
        self.next += 1;
        let word = unique(n);
        let words: Vec<&str> = WORDS.split_whitespace().collect();
        let mut text = format!("Note on {word}:");
        for _ in 0..12 + self.dice.below(40) {
            text.push(' ');
            text.push_str(words[self.dice.below(words.len())]);
        }
        let kind = ["lesson", "decision", "fact"][self.dice.below(3)];
        let mut draft = json!({
            "text": text,
            "agent": format!("agent{}", self.dice.below(4)),
            "kind": kind,
        });
        if self.dice.below(4) == 0 {
            draft["tags"] = json!(["infra"]);
        }
        if self.dice.below(3) == 0 {
            draft["session"] = format!("s{}", n / 8).into();
        }
        (word, text, draft)
    }
}

fn id_of(answer: &Value) -> Result<String, String> {
    answer["id"].as_str().map(str::to_owned).ok_or_else(|| format!("it was not kept: {answer}"))
}

/// The word of a number: syllables that look like no other number's, and an end that no stemmer takes off.
fn unique(n: usize) -> String {
    const SYLLABLES: usize = 12 * 5;
    let mut rest = (n * 7_368_787 + 1) % SYLLABLES.pow(4);
    let mut word = String::new();
    for _ in 0..4 {
        let syllable = rest % SYLLABLES;
        word.push(char::from(b"bdfgklmnprtv"[syllable / 5]));
        word.push(char::from(b"aeiou"[syllable % 5]));
        rest /= SYLLABLES;
    }
    word.push('k');
    word
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_unique() {
        let all: std::collections::HashSet<String> = (0..50_000).map(unique).collect();
        assert_eq!(all.len(), 50_000);
        assert!(WORDS.split_whitespace().all(|word| !all.contains(word)));
    }
}
