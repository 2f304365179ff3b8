//! Which tasks a short question asks for: those that are open, or those that are done.

use crate::kind::Kind;
use crate::text::folded;

/// What a question asks of tasks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tasks {
    /// Whether they are done.
    pub done: bool,
    /// Whether nothing says that it is about tasks: `what is still open`.
    pub unnamed: bool,
}

/// In texts of more words or bytes such words tell how things are and ask for nothing.
const BRIEF: usize = 10;
const LONGEST: usize = 200;
/// So many words may stand between a `not` and what it denies.
const DENIED: usize = 3;

impl Tasks {
    /// What a question in lower case asks for.
    pub fn asked_for(lower: &str) -> Option<Self> {
        if lower.len() > LONGEST {
            return None;
        }
        let plain = folded(lower).replace("to-do", "todo").replace("to do list", "todo list");
        let words: Vec<&str> =
            plain.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
        if words.len() > BRIEF {
            return None;
        }
        let any = |of: &[&str]| words.iter().any(|word| of.contains(word));
        let denied = |at: usize| words[at.saturating_sub(DENIED)..at].iter().any(|word| NOT.contains(word));
        let mut done = (0..words.len()).filter(|&at| DONE.contains(&words[at])).map(denied).peekable();
        let (has_done, is_denied) = (done.peek().is_some(), done.any(|denied| denied));
        let is_open = any(OPEN) || is_denied;
        let is_task = |word: &&str| Kind::asked_for(word) == Some(Kind::Task);
        if words.iter().any(is_task) {
            return match (is_open || any(OPEN_TASKS), has_done && !is_denied) {
                (true, false) => Some(Self { done: false, unnamed: false }),
                (false, true) => Some(Self { done: true, unnamed: false }),
                _ => None,
            };
        }
        // Such words may be about anything, unless nothing else is said.
        let says = |of: &[&str]| {
            words.len() > 1 && any(of) && words.iter().all(|word| of.contains(word) || ASKING.contains(word))
        };
        let next_steps = any(NEXT) && words.iter().all(|word| [NEXT, STEPS, ASKING].concat().contains(word));
        if next_steps || says(&[OPEN, TO_DO].concat()) && (is_open || plain_to_do(&words)) {
            Some(Self { done: false, unnamed: true })
        } else {
            (says(DONE) && !is_denied).then_some(Self { done: true, unnamed: true })
        }
    }

    /// Whether a word of a question that asks for this only says which.
    pub fn is_cue(self, word: &str) -> bool {
        OPEN.contains(&word) || DONE.contains(&word) || self.unnamed
    }
}

/// `what do we have to do`, `what needs doing`, `o que tenho que fazer`: with an `is`, a `have` or a `need` beside the doing.
fn plain_to_do(words: &[&str]) -> bool {
    words.iter().any(|word| TO_DO.contains(word)) && words.iter().any(|word| MUST.contains(word))
}

#[rustfmt::skip]
const OPEN: &[&str] = &[
    "open", "pending", "unfinished", "incomplete", "outstanding", "remaining", "remains", "undone", "left", "aberta", "abertas",
    "aberto", "abertos", "pendente", "pendentes", "falta", "faltam", "faltando", "restante", "restantes",
];

/// Words for tasks that are open.
const OPEN_TASKS: &[&str] = &["todo", "pendencia", "pendencias"];

#[rustfmt::skip]
const DONE: &[&str] = &[
    "done", "finished", "completed", "closed", "ticked", "concluida", "concluidas", "concluido", "feita", "feitas", "feito",
    "completas", "terminada", "terminadas", "terminamos", "fechada", "fechadas", "encerrada", "encerradas",
];

/// Words before `done` that say that it is not.
#[rustfmt::skip]
const NOT: &[&str] = &[
    "not", "t", "isnt", "arent", "wasnt", "werent", "havent", "hasnt", "never", "nao", "yet", "be", "to", "ser", "serem", "sem",
];

const NEXT: &[&str] = &["next", "proximo", "proximos"];
const STEPS: &[&str] = &["step", "steps", "passo", "passos", "coisa", "thing"];

const TO_DO: &[&str] = &["do", "doing", "fazer", "done", "feito"];
const MUST: &[&str] = &[
    "have",
    "need",
    "needs",
    "must",
    "should",
    "tenho",
    "temos",
    "preciso",
    "precisamos",
    "precisa",
    "devo",
    "devemos",
];

/// Words that say nothing beside these.
#[rustfmt::skip]
const ASKING: &[&str] = &[
    "what", "whats", "which", "is", "are", "s", "still", "there", "anything", "to", "do", "be", "the", "we", "i", "have", "has",
    "need", "needs", "must", "should", "now", "my", "our", "items", "things", "been", "already", "yet", "not", "o", "a", "os",
    "as", "que", "qual", "quais", "e", "sao", "ainda", "ja", "foi", "ha", "tem", "tenho", "temos", "preciso", "precisamos",
    "precisa", "esta", "estao", "em", "por", "fazer", "ser", "devo", "devemos", "algo", "coisas", "gente", "nao",
];

#[cfg(test)]
mod tests {
    use super::*;

    fn check(expect: Option<(bool, bool)>, questions: &[&str]) {
        for question in questions {
            let asked = Tasks::asked_for(&question.to_lowercase());
            assert_eq!(asked.map(|asked| (asked.done, asked.unnamed)), expect, "{question}");
        }
    }

    #[test]
    fn open_tasks_are_asked_for() {
        check(
            Some((false, false)),
            &[
                "open tasks",
                "quais são as tarefas pendentes?",
                "todo",
                "my to-do list",
                "pendências",
                "tasks not done",
                "tasks that aren't finished yet",
                "which tasks are still to be done",
                "tarefas a serem feitas",
                "tarefas não concluídas",
                "how many tasks are open?",
            ],
        );
        check(
            Some((false, true)),
            &[
                "what is still open?",
                "what's left to do",
                "o que falta fazer",
                "o que está em aberto",
                "next steps",
                "what next",
                "próximos passos",
                "what is pending",
                "what do I have to do",
                "what needs to be done",
                "o que tenho que fazer",
                "o que a gente ainda precisa fazer?",
                "what is not done yet",
            ],
        );
    }

    #[test]
    fn tasks_that_are_done_are_asked_for() {
        check(
            Some((true, false)),
            &["done tasks", "which tasks are finished?", "tarefas concluídas", "tarefas já feitas"],
        );
        check(Some((true, true)), &["what is done", "what have we finished", "o que já foi feito?"]);
    }

    #[test]
    fn nothing_is_asked_of_tasks() {
        check(
            None,
            &[
                "tasks",
                "open the door",
                "what is left in the queue",
                "the next release",
                "open and finished tasks",
                "steps",
                "which steps",
                "remaining items in the cart",
                "left join",
                "open",
                "done",
                "what did we do",
                "",
                "what is it",
            ],
        );
    }
}
