//! Which of those that answer a short question asks for: the newest, which is also what holds now, or the oldest.

use crate::kind::Kind;
use crate::text::folded;

/// The end of time from which answers are wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Age {
    /// `latest timeout`, `what is the current timeout`, `last decision`.
    Newest,
    /// `oldest task`, `first decision`, `decisão mais antiga`.
    Oldest,
}

/// In longer texts such words tell how things are and ask for nothing.
const BRIEF: usize = 8;

impl Age {
    /// What a question in lower case asks for.
    pub fn asked_for(lower: &str) -> Option<Self> {
        if lower.split_whitespace().count() > BRIEF {
            return None;
        }
        let words: Vec<&str> =
            lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
        // `show me the oldest task` asks like `oldest task`.
        let shown = if matches!(words.as_slice(), ["show" | "give", "me", ..]) { 2 } else { 0 };
        let is_small = words.iter().skip(shown).take_while(|word| BEFORE.contains(word)).count();
        let said = shown + is_small;
        let words = words.get(said..).unwrap_or_default();
        let begins = |with: &[&str]| words.first().is_some_and(|first| with.contains(first));
        let asks = begins(ASKING) || lower.trim_end().ends_with('?');
        // `current region` asks like `what is the current region`; in the middle it may be any directory.
        let any = |of: &[&str]| (asks || begins(of)) && words.iter().any(|word| of.contains(word));
        // `last decision`, `last 3 decisions`, `last open task`
        let before_kind = |of: &[&str]| {
            words.iter().enumerate().any(|(at, word)| {
                let behind = words.get(at + 1..).unwrap_or_default();
                let is_kind = |word: &&str| Kind::asked_for(&folded(word)).is_some();
                of.contains(word) && behind.iter().take(2).any(is_kind)
            })
        };
        let most_old = |two: &[&str]| matches!(two, ["mais", old] if OLD.contains(old));
        let is_used = words.contains(&"least") && words.contains(&"recently");
        if is_used || lower.contains("now and then") || lower.contains("now and again") {
            None
        } else if words.iter().any(|word| NEWEST.contains(word)) || any(OF_NOW) || before_kind(LAST) {
            Some(Self::Newest)
        } else if any(OLDEST) || words.windows(2).any(most_old) || before_kind(FIRST) {
            Some(Self::Oldest)
        } else {
            None
        }
    }

    /// Whether a word of a question that asks for this only says so.
    pub fn is_cue(self, word: &str) -> bool {
        let of: &[&[&str]] = match self {
            Self::Newest => &[NEWEST, OF_NOW, LAST],
            Self::Oldest => &[OLDEST, OLD, FIRST, &["mais"]],
        };
        of.iter().any(|words| words.contains(&word))
    }

    /// Whether a word asks for the newest wherever it stands.
    pub(super) fn is_newest(word: &str) -> bool {
        NEWEST.contains(&word)
    }
}

/// Words before what is asked for.
#[rustfmt::skip]
const BEFORE: &[&str] = &[
    "the", "a", "an", "my", "our", "o", "os", "as", "meu", "minha", "nosso", "nossa",
];

/// Words that ask for the newest before the name of a kind: `last decision`, `últimas tarefas`.
#[rustfmt::skip]
const LAST: &[&str] = &[
    "last", "última", "últimas", "último", "últimos", "ultima", "ultimas", "ultimo", "ultimos",
];

/// Words that ask for the oldest before it.
const FIRST: &[&str] = &["first", "primeira", "primeiras", "primeiro", "primeiros"];

/// Words that ask for the newest.
#[rustfmt::skip]
const NEWEST: &[&str] = &["latest", "newest", "recent", "recently", "recente", "recentes", "recentemente"];

/// Words that ask for the oldest in a question; elsewhere they tell which entry leaves a cache.
const OLDEST: &[&str] = &["oldest", "earliest"];

/// The same behind `mais`.
const OLD: &[&str] = &["antiga", "antigas", "antigo", "antigos"];

/// Words that ask for the newest in a question, and in a sentence are about something else: the current directory.
#[rustfmt::skip]
const OF_NOW: &[&str] = &[
    "current", "currently", "now", "nowadays", "still", "atual", "atuais", "atualmente", "agora", "ainda",
];

/// Words with which questions begin.
#[rustfmt::skip]
const ASKING: &[&str] = &[
    "what", "which", "who", "whom", "whose", "where", "when", "how", "why", "is", "are", "do", "does", "did", "can", "qual",
    "quais", "que", "o", "quem", "onde", "quando", "como", "por",
];

#[cfg(test)]
mod tests {
    use super::*;

    fn check(expect: Option<Age>, questions: &[&str]) {
        for question in questions {
            assert_eq!(Age::asked_for(&question.to_lowercase()), expect, "{question}");
        }
    }

    #[test]
    fn the_newest_is_asked_for() {
        check(
            Some(Age::Newest),
            &[
                "the current timeout?",
                "Latest decision",
                "do we still use it",
                "qual é a versão atual",
                "current region",
                "últimas decisões do time",
                "last lessons",
                "last 3 decisions",
                "últimas três lições",
                "last finished task",
            ],
        );
    }

    #[test]
    fn the_oldest_is_asked_for() {
        check(
            Some(Age::Oldest),
            &[
                "oldest open task",
                "what was the first decision about auth",
                "which is the earliest note on caching?",
                "a tarefa mais antiga",
                "primeiras decisões",
                "the oldest open task",
                "show me the oldest task",
                "first open task",
            ],
        );
    }

    #[test]
    fn neither_is_asked_for() {
        check(
            None,
            &[
                "electric currents",
                "show the current branch",
                "it crashes now",
                "knowledge",
                "drop the least recently used entry",
                "the last entry",
                "evict the oldest entry",
                "the first entry",
                "why do we get 502 now and then",
                "a versão antiga",
            ],
        );
    }
}
