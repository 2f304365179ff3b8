//! What a question asks for besides its words, and which of its words say little: those that speak of telling instead
//! of what was told ("the book I mentioned"), those of asking instead of what is asked ("does anyone know"), and those of
//! a time told from now ("three weeks ago"), which the memory itself would not hold.

use crate::text::relative_time;
use crate::time::Time;

/// What a question asks for besides its words.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Asked {
    /// It asks when something was.
    pub when: bool,
    /// It asks for what the agent said.
    pub agents_words: bool,
}

impl Asked {
    /// Reads a question.
    pub fn of(question: &str) -> Self {
        let lower = question.to_lowercase();
        let when = WHEN.iter().any(|cue| lower.contains(cue));
        Self { when, agents_words: AGENTS_WORDS.iter().any(|cue| is_told(&lower, cue)) }
    }
}

const WHEN: &[&str] = &[
    "when ",
    "what date",
    "which day",
    "what day",
    "what time",
    "how long",
    "quando",
    "que dia",
    "em que data",
];

const AGENTS_WORDS: &[&str] = &[
    "you said",
    "you told",
    "you suggest",
    "you recommend",
    "you mention",
    "you provided",
    "you gave",
    "did you",
    "your suggestion",
    "your recommendation",
    "you list",
    "you explained",
    "you advise",
    "you describe",
    "our previous conversation",
    "our previous chat",
    "você disse",
    "você sugeriu",
    "você recomendou",
    "você explicou",
];

/// Before these cues they ask for something new: "can you recommend a book".
const REQUESTS: &[&str] = &["can", "could", "would", "will", "do", "should", "might", "please"];

fn is_told(lower: &str, cue: &str) -> bool {
    lower.match_indices(cue).any(|(at, _)| {
        let before = lower.get(..at).unwrap_or_default().split_whitespace().next_back().unwrap_or_default();
        !REQUESTS.contains(&before)
    })
}

/// The words of a question that say little beside its others.
#[derive(Debug, Clone, Default)]
pub struct Faint {
    time: Vec<String>,
}

impl Faint {
    /// Reads a question that is asked at a moment.
    pub fn of(question: &str, now: Time) -> Self {
        Self { time: relative_time(question, now) }
    }

    /// Whether a word, in lower case and without accents, says little.
    pub fn is(&self, word: &str) -> bool {
        OF_TELLING.contains(&word) || OF_ASKING.contains(&word) || self.time.iter().any(|time| time == word)
    }
}

const OF_TELLING: &[&str] = &[
    "mention",
    "mentioned",
    "mentioning",
    "say",
    "said",
    "tell",
    "told",
    "talk",
    "talked",
    "talking",
    "discuss",
    "discussed",
    "discussing",
    "conversation",
    "conversations",
    "chat",
    "chats",
    "previous",
    "previously",
    "remind",
    "recall",
    "remember",
    "mencionei",
    "mencionou",
    "disse",
    "falei",
    "falou",
    "falamos",
    "conversa",
    "conversas",
    "conversamos",
    "discutimos",
    "lembra",
    "lembrar",
];

const OF_ASKING: &[&str] = &[
    "anyone",
    "anybody",
    "someone",
    "somebody",
    "information",
    "info",
    "details",
    "literature",
    "paper",
    "papers",
    "available",
    "exist",
    "exists",
    "possible",
    "know",
    "known",
    "knows",
    "explain",
    "describe",
    "described",
    "existing",
    "investigated",
    "studied",
    "anything",
    "something",
    "regarding",
    "concerning",
    "dealing",
    "related",
    "relating",
    "alguem",
    "informacao",
    "informacoes",
    "detalhes",
    "disponivel",
    "existe",
    "existem",
    "possivel",
    "sabe",
    "sabemos",
    "explique",
    "descreva",
    "algo",
    "respeito",
    "relacionado",
];

#[cfg(test)]
mod tests {
    use super::*;

    fn agents(question: &str, expect: bool) {
        assert_eq!(Asked::of(question).agents_words, expect, "{question}");
    }

    #[test]
    fn what_the_agent_said_is_no_request() {
        agents("which bottle did you recommend?", true);
        agents("the bottle you recommended", true);
        agents("Can you recommend a bottle?", false);
        agents("What would you suggest for dinner?", false);
        agents("could you list the shops that you mentioned", true);
        agents("o que você sugeriu?", true);
        agents("which bottle did I buy?", false);
    }

    #[test]
    fn when_something_was() {
        assert!(Asked::of("When was it?").when && Asked::of("quando foi?").when && !Asked::of("why?").when);
    }

    fn faint(question: &str, expect: &str) {
        let faint = Faint::of(question, Time::parse("2026-03-19T10:30").unwrap());
        let words = question.split(' ').filter(|word| faint.is(word)).collect::<Vec<_>>().join(" ");
        assert_eq!(words, expect, "{question}");
    }

    #[test]
    fn words_that_say_little() {
        faint("the milestone i mentioned four weeks ago", "mentioned four weeks ago");
        faint("what did we deploy yesterday", "yesterday");
        faint("what did we deploy on 7 may 2023", "");
        faint("o que falei semana passada", "falei semana passada");
        faint("does anyone know how the parser was built", "anyone know");
        faint("alguem sabe como o parser foi feito", "alguem sabe");
        faint("four weeks of work", "");
    }
}
