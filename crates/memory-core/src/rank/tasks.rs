//! Which tasks a short question asks for: those that are open, or those that are done.

use crate::kind::Kind;
use crate::text::folded;

/// What a question asks of tasks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tasks {
    /// Whether they are done.
    pub done: bool,
    /// Whether nothing else is asked, though no word says that it is about tasks: `what is still open`.
    pub unnamed: bool,
}

/// In longer texts such words tell how things are and ask for nothing.
const BRIEF: usize = 8;

impl Tasks {
    /// What a question in lower case asks for.
    pub fn asked_for(lower: &str) -> Option<Self> {
        let plain = folded(lower).replace("to-do", "todo").replace("to do list", "todo list");
        let words: Vec<&str> =
            plain.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
        if words.len() > BRIEF {
            return None;
        }
        let any = |of: &[&str]| words.iter().any(|word| of.contains(word));
        if words.iter().any(|word| Kind::asked_for(word) == Some(Kind::Task)) {
            let done = any(DONE);
            return (done || any(OPEN) || any(OPEN_TASKS)).then_some(Self { done, unnamed: false });
        }
        let is_all =
            words.iter().all(|word| OPEN.contains(word) || NEXT.contains(word) || ASKING.contains(word));
        (is_all && (any(OPEN) || any(NEXT))).then_some(Self { done: false, unnamed: true })
    }

    /// Whether a word of a question that asks for this only says which.
    pub fn is_cue(self, word: &str) -> bool {
        let of = if self.done { DONE } else { OPEN };
        of.contains(&word) || self.unnamed && NEXT.contains(&word)
    }
}

#[rustfmt::skip]
const OPEN: &[&str] = &[
    "open", "pending", "unfinished", "outstanding", "remaining", "undone", "left", "aberta", "abertas", "aberto", "abertos",
    "pendente", "pendentes", "falta", "faltam", "faltando", "restante", "restantes",
];

/// Words for tasks that are open.
const OPEN_TASKS: &[&str] = &["todo", "pendencia", "pendencias"];

#[rustfmt::skip]
const DONE: &[&str] = &[
    "done", "finished", "completed", "closed", "ticked", "concluida", "concluidas", "feita", "feitas", "terminada", "terminadas",
    "fechada", "fechadas", "encerrada", "encerradas",
];

/// Words that ask for what is to be done, where nothing else is asked.
const NEXT: &[&str] = &["next", "step", "steps", "proximo", "proximos", "passo", "passos"];

/// Words that say nothing beside these.
#[rustfmt::skip]
const ASKING: &[&str] = &[
    "what", "whats", "which", "is", "are", "s", "still", "there", "anything", "to", "do", "be", "done", "the", "we", "i", "have",
    "should", "now", "my", "our", "items", "things", "o", "a", "os", "as", "que", "qual", "quais", "e", "sao", "ainda", "ha", "tem",
    "temos", "esta", "estao", "em", "fazer", "ser", "feito", "devo", "devemos", "algo", "coisas",
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
            &["open tasks", "quais são as tarefas pendentes?", "todo", "my to-do list", "pendências"],
        );
        check(
            Some((false, true)),
            &[
                "what is still open?",
                "what's left to do",
                "o que falta fazer",
                "next steps",
                "próximos passos",
                "what is pending",
            ],
        );
    }

    #[test]
    fn tasks_that_are_done_are_asked_for() {
        check(Some((true, false)), &["done tasks", "which tasks are finished?", "tarefas concluídas"]);
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
                "what is done",
                "",
                "what is it",
            ],
        );
    }
}
