//! What a person types into a search box: words, `"phrases"`, `-words`, and operators such as `tag:x`.
//!
//! [`parse`] never fails: what is not understood stays text, and an operator whose value makes no sense also leaves a
//! [`Note`]. In a sentence quotes and minuses are part of what is said; a long or many-lined input is a prompt and is
//! taken as text altogether.

mod parse;
mod prompt;
mod split;

#[cfg(test)]
mod tests;

pub use self::parse::parse;
pub use self::prompt::Prompt;

use crate::id::{AgentId, Category, Tag};
use crate::kind::Kind;
use crate::text::folded;
use crate::time::Time;

/// Inputs with more characters than this are prompts, without operators.
pub const PROMPT_CHARS: usize = 2000;

/// Inputs with more words than this, and questions, are sentences: what they quote need not stand there word by word,
/// and `-o` in them is a flag. Operators still hold.
pub const SENTENCE_WORDS: usize = 8;

/// Words beside a phrase that tell enough by themselves where nobody holds the phrase.
const BESIDE_A_PHRASE: usize = 3;

/// What was asked.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Query {
    /// The free text, without operators, phrases and excluded words.
    pub text: String,
    /// What must stand there word by word.
    pub phrases: Vec<String>,
    /// Words and phrases that must not stand there.
    pub not: Vec<String>,
    /// What else must hold.
    pub filter: Filter,
    /// Operators that were taken as text.
    pub notes: Vec<Note>,
}

impl Query {
    /// The free text and the phrases in one, for ranking; empty for a query of operators alone.
    pub fn words(&self) -> String {
        let mut words = self.text.clone();
        for phrase in &self.phrases {
            if !words.is_empty() {
                words.push(' ');
            }
            words.push_str(phrase);
        }
        words
    }

    /// The question with its phrases as words, where it says enough besides: a message that quotes something is found although
    /// what it quotes is another thing each time.
    pub fn unquoted(&self) -> Option<Self> {
        let beside = self.text.split_whitespace().count();
        (!self.phrases.is_empty() && beside >= BESIDE_A_PHRASE).then(|| {
            let note = |phrase: &String| Note {
                typed: format!("\"{phrase}\""),
                why: "no memory that may answer holds it word by word, so its words were looked for"
                    .to_owned(),
            };
            let notes = self.notes.iter().cloned().chain(self.phrases.iter().map(note)).collect();
            Self { text: self.words(), phrases: Vec::new(), notes, ..self.clone() }
        })
    }
}

/// What must hold of a memory apart from its words.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Filter {
    /// Its tags: all that are wanted, none that are not.
    pub tags: Wanted<Tag>,
    /// Its agent: one of the wanted.
    pub agents: Wanted<AgentId>,
    /// Its category: one of the wanted.
    pub categories: Wanted<Category>,
    /// Its kind: one of the wanted.
    pub kinds: Wanted<Kind>,
    /// The first moment that counts.
    pub since: Option<Time>,
    /// The first moment that no longer counts.
    pub until: Option<Time>,
}

/// Values that are asked for and values that are ruled out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wanted<T> {
    /// Asked for, each once, in the order given.
    pub yes: Vec<T>,
    /// Ruled out.
    pub no: Vec<T>,
}

impl<T> Default for Wanted<T> {
    fn default() -> Self {
        Self { yes: Vec::new(), no: Vec::new() }
    }
}

impl<T: PartialEq> Wanted<T> {
    /// Whether nothing is asked.
    pub fn is_empty(&self) -> bool {
        self.yes.is_empty() && self.no.is_empty()
    }
}

impl Wanted<Tag> {
    /// Whether a memory's tags fit: they are all that are wanted and none that is ruled out.
    pub fn fits_all(&self, tags: &[Tag]) -> bool {
        self.yes.iter().all(|wanted| tags.iter().any(|tag| is_same_tag(tag, wanted)))
            && !self.no.iter().any(|wanted| tags.iter().any(|tag| is_same_tag(tag, wanted)))
    }
}

/// Whether two tags differ at most in case and accents.
pub fn is_same_tag(a: &Tag, b: &Tag) -> bool {
    a == b || folded(a.as_str()) == folded(b.as_str())
}

/// The kind that somebody asks for by any of its names: `decision`, `decisions`, `decisão`.
pub fn kind_of(word: &str) -> Kind {
    match Kind::of_word(word) {
        Kind::Other(other) => Kind::asked_for(&folded(&other)).unwrap_or(Kind::Other(other)),
        known => known,
    }
}

/// An operator that was taken as text, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// What was typed.
    pub typed: String,
    /// What is wrong with it and what would be right.
    pub why: String,
}
