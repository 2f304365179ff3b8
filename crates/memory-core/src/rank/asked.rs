//! What a question asks for besides its words, and which of its words say little: those that speak of telling instead
//! of what was told ("the book I mentioned"), those of asking instead of what is asked ("does anyone know"), those of
//! a time told from now ("three weeks ago"), which the memory itself would not hold, and those that were only pasted.

use super::age::Age;
use super::reach::Reach;
use super::tasks::Tasks;
use crate::query::Prompt;
use crate::text::{NamedTime, folded};

/// What a question asks for besides its words.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Asked {
    /// It asks when something was.
    pub when: bool,
    /// It asks for what the agent said.
    pub agents_words: bool,
    /// It asks for the newest of what answers, or for the oldest.
    pub first: Option<Age>,
    /// How far its answer reaches.
    pub reach: Reach,
}

impl Asked {
    /// Reads a question.
    pub fn of(question: &str) -> Self {
        let lower = question.to_lowercase();
        let when = WHEN.iter().any(|cue| lower.contains(cue));
        Self {
            when,
            agents_words: AGENTS_WORDS.iter().any(|cue| is_told(&lower, cue)),
            first: Age::asked_for(&lower),
            reach: Reach::of(&lower),
        }
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
#[derive(Debug, Clone)]
pub struct Faint<'a> {
    prompt: &'a Prompt,
    time: Vec<String>,
    first: Option<Age>,
    tasks: Option<Tasks>,
    which: bool,
    reach: Reach,
}

impl<'a> Faint<'a> {
    /// Those of a question that names this time; words that are names ask for nothing by themselves.
    pub fn of(prompt: &'a Prompt, named: Option<&NamedTime>, is_name: impl Fn(&str) -> bool) -> Self {
        let lower = prompt.text.to_lowercase();
        let relative = named.filter(|named| named.is_relative);
        Self {
            prompt,
            time: relative.map(|named| named.words.clone()).unwrap_or_default(),
            first: Age::asked_for(&lower),
            tasks: Tasks::asked_for(&lower).or_else(|| Tasks::asked_for(&beside(&lower, named, is_name))),
            which: lower.split(|c: char| !c.is_alphanumeric()).any(|word| WHICH.contains(&word)),
            reach: Reach::of(&lower),
        }
    }

    /// Which tasks are asked for.
    pub fn tasks(&self) -> Option<Tasks> {
        self.tasks
    }

    /// Which of those that answer are to stand first.
    pub fn first(&self) -> Option<Age> {
        self.first
    }

    /// Whether a word says little.
    pub fn is(&self, word: &str) -> bool {
        OF_TELLING.contains(&word)
            || OF_ASKING.contains(&word)
            || self.is_cue(word)
            || self.reach.is_cue(word)
            || self.prompt.is_pasted(word)
    }

    /// Whether a word says when, and not what: it says little in the shortest question.
    pub fn is_cue(&self, word: &str) -> bool {
        self.first.is_some_and(|age| age.is_cue(word))
            || self.tasks.is_some_and(|tasks| tasks.is_cue(word))
            || self.which && OF_USE.contains(&word)
            || self.time.iter().any(|time| time == word)
    }
}

/// A question without its time, names and the small words before them.
fn beside(lower: &str, named: Option<&NamedTime>, is_name: impl Fn(&str) -> bool) -> String {
    if lower.len() > LONGEST {
        return String::new();
    }
    let is_of_time = |word: &str| named.is_some_and(|named| named.words.iter().any(|time| time == word));
    let words = lower.split_whitespace().filter(|word| {
        let plain = folded(word.trim_matches(|c: char| !c.is_alphanumeric()));
        !(is_of_time(&plain) || is_name(&plain) || BESIDE.contains(&plain.as_str()))
    });
    words.collect::<Vec<_>>().join(" ")
}

/// Bytes of the longest question that may ask for all of something.
const LONGEST: usize = 200;

/// Small words before a time or a name.
#[rustfmt::skip]
const BESIDE: &[&str] = &["in", "for", "of", "from", "on", "by", "since", "before", "after", "until", "with", "de", "do", "da", "para", "no", "na", "desde", "ate"];

/// Whether a word names nothing by itself, so that a question of such words and a time asks for all that was then.
pub fn is_general(word: &str) -> bool {
    OF_ASKING.contains(&word) || OF_TELLING.contains(&word) || Age::is_newest(word) || GENERAL.contains(&word)
}

const GENERAL: &[&str] = &[
    "happen",
    "happened",
    "happens",
    "work",
    "worked",
    "working",
    "change",
    "changed",
    "changes",
    "new",
    "news",
    "done",
    "everything",
    "memory",
    "memories",
    "note",
    "notes",
    "entry",
    "entries",
    "show",
    "list",
    "many",
    "make",
    "made",
    "take",
    "took",
    "taken",
    "create",
    "created",
    "add",
    "added",
    "keep",
    "kept",
    "write",
    "wrote",
    "written",
    "record",
    "recorded",
    "aconteceu",
    "fizemos",
    "feito",
    "mudou",
    "mudamos",
    "trabalhamos",
    "novidades",
    "tudo",
    "memorias",
    "notas",
    "mostre",
    "mostra",
    "mostrar",
    "liste",
    "lista",
    "listar",
    "tomada",
    "tomadas",
    "tomamos",
    "criada",
    "criadas",
    "criamos",
    "registrada",
    "registradas",
    "anotamos",
    "guardado",
    "guardamos",
];

/// Words around a time that say nothing beside it: `on the night of the 16th`, `no dia 16`, `a partir de`.
#[rustfmt::skip]
const AROUND_TIMES: &[&str] = &[
    "day", "days", "month", "year", "night", "evening", "morning", "afternoon", "earlier", "later", "date", "dia", "dias", "mes",
    "ano", "noite", "manha", "tarde", "cedo", "partir", "data",
];

/// Whether a word beside the name of a time only belongs to it.
pub fn is_around_a_time(word: &str) -> bool {
    AROUND_TIMES.contains(&word)
}

/// Words that ask for one thing of a sort: `which database do we use` asks for a database.
const WHICH: &[&str] = &["what", "which", "qual", "quais"];

#[rustfmt::skip]
const OF_USE: &[&str] = &[
    "use", "uses", "used", "using", "have", "choose", "chose", "chosen", "pick", "picked", "usa", "usam", "usamos", "usado",
    "usada", "usar", "escolhemos",
];

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
        let named = crate::text::named_time(question, crate::time::Time::parse("2026-03-19T10:30").unwrap());
        let prompt = Prompt::of(question);
        let faint = Faint::of(&prompt, named.as_ref(), |_| false);
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
        faint("latest timeout", "latest");
        faint("oldest open task", "oldest open");
        faint("decisão mais antiga sobre cache", "mais antiga");
        faint("open tasks", "open");
        faint("open the door", "");
        faint("which database do we use", "use");
        faint("use the cache", "");
    }
}
