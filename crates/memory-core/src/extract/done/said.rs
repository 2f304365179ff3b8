//! What somebody said, word by word with its breaks, and how much of it names a task.

use crate::extract::wording::spoken;
use crate::text::{Language, is_stop};

/// Stands between words where a sign parts them.
pub(super) const BREAK: &str = "|";

/// The folded words of a text in their order, those of code as well, with a [`BREAK`] at signs that part clauses.
pub(super) fn tokens(text: &str) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    let part = |all: &mut Vec<String>| {
        if all.last().is_some_and(|last| last != BREAK) {
            all.push(BREAK.to_owned());
        }
    };
    for piece in text.split_whitespace() {
        if piece.starts_with('(') {
            part(&mut all);
        }
        let before = all.len();
        all.extend(spoken(piece));
        let ends =
            piece.trim_end_matches(['*', '_', '`', '~']).ends_with([',', ';', ':', '.', '!', ')', '—', '–']);
        if ends || all.len() == before && matches!(piece, "-" | "—" | "–") {
            part(&mut all);
        }
    }
    all
}

/// Where clauses begin.
pub(super) fn clauses(said: &[String]) -> Vec<usize> {
    let begins = |word: &String| matches!(word.as_str(), BREAK | "and" | "e" | "then");
    let behind = said.iter().enumerate().filter(|(_, word)| begins(word)).map(|(at, _)| at + 1);
    std::iter::once(0).chain(behind).filter(|at| *at < said.len()).collect()
}

/// Whether a word names something.
pub(super) fn is_content(word: &str) -> bool {
    word.len() > 1 && !is_stop(word, Language::English) && !is_stop(word, Language::Portuguese)
}

/// Words that may stand before what a task names and change nothing.
const BESIDE: &[&str] = &[
    "new",
    "missing",
    "open",
    "last",
    "remaining",
    "simple",
    "task",
    "novo",
    "nova",
    "tarefa",
    "ultimo",
    "ultima",
];

/// Where these words end, if they begin here, in their order and with no other that names something between them.
pub(super) fn names(said: &[String], named: &[String]) -> Option<usize> {
    let mut next = named.iter().peekable();
    for (at, word) in said.iter().enumerate() {
        let wanted = next.peek()?;
        if *wanted == word {
            next.next();
            if next.peek().is_none() {
                return Some(at + 1);
            }
        } else if is_content(word) && !BESIDE.contains(&word.as_str()) {
            return None;
        }
    }
    None
}

/// Words behind what was done that tell more of it. What narrows it, such as "for", says that there is something else.
#[rustfmt::skip]
const MORE: &[&str] = &[
    BREAK, "in", "at", "under", "to", "with", "and", "as", "that", "which", "so", "using", "via", "through", "now", "too", "from",
    "behind", "inside", "where", "by", "em", "no", "na", "nos", "nas", "com", "e", "que", "usando", "agora", "tambem", "dentro",
    "hoje", "ao", "ja",
];

/// Whether what follows takes nothing away from what was said to be done.
pub(super) fn follows(rest: &[String]) -> bool {
    rest.first().is_none_or(|word| MORE.contains(&word.as_str()))
}
