//! How what a person says sounds: whether a few words ask for something, agree to it, end it or are a courtesy.

use crate::strike::words_of;

/// A text by its words alone.
pub(super) fn plain(text: &str) -> String {
    format!(" {} ", words_of(text))
}

/// With these words a person wants to be told something.
#[rustfmt::skip]
const ASKING: &[&str] = &[
    "what", "whats", "which", "who", "whose", "when", "where", "why", "how", "are", "was", "were", "does", "did",
    "may", "should", "explain", "tell", "describe", "qual", "quais", "quem", "quando", "onde", "porque", "como",
    "quanto", "quantos", "quantas", "explica", "explique", "diz", "conta", "descreve", "descreva",
];
/// With these they want something done, however politely.
#[rustfmt::skip]
const POLITE: &[&str] = &[
    "can", "could", "would", "will", "please", "pode", "podes", "podia", "poderia", "consegue", "consegues",
];

/// Whether a text only asks something.
pub(super) fn asks(text: &str) -> bool {
    let is_question = text.trim_end().ends_with('?');
    let text = plain(text);
    let words: Vec<&str> = text.split_whitespace().collect();
    let first = words.iter().position(|word| !TONES.iter().any(|list| list.contains(word)));
    let head = words.get(..first.map_or(words.len(), |at| at + 1)).unwrap_or_default();
    let asks = is_question || first.is_some_and(|at| ASKING.contains(&words[at]));
    asks && !head.iter().any(|word| POLITE.contains(word))
}

/// With these words a person or an agent points at what follows.
#[rustfmt::skip]
const POINTING: &[&str] = &[
    "look", "see", "here", "heres", "this", "these", "now", "so", "i", "we", "it", "remaining", "still", "next", "olha",
    "olhem", "veja", "ve", "aqui", "eis", "isto", "recebi", "apareceu", "deu", "segue", "agora", "falta", "faltam",
];

/// Whether a text says nothing but that something follows.
pub(super) fn points(text: &str) -> bool {
    let text = plain(text);
    let mut words = text.split_whitespace();
    words.next().is_none_or(|first| POINTING.contains(&first)) || words.next().is_none()
}

/// How a few words sound.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tone {
    /// They say something.
    Talk,
    /// "Go on", "yes", "2": what they mean was said before.
    Assent,
    /// "Commit and push": how work ends, not what it was.
    Chore,
    /// "Thanks!"
    Courtesy,
}

/// More words than this are never a mere courtesy.
const FEW: usize = 8;

#[rustfmt::skip]
const COURTESIES: &[&str] = &[
    "thanks", "thank", "thx", "ty", "welcome", "hi", "hello", "hey", "bye", "goodbye", "morning", "night", "great",
    "good", "nice", "cool", "perfect", "awesome", "excellent", "amazing", "wonderful", "looks", "lgtm", "cheers", "wow",
    "obrigado", "obrigada", "brigado", "brigada", "valeu", "vlw", "oi", "ola", "tchau", "bom", "boa", "otimo", "otima",
    "perfeito", "perfeita", "legal", "show", "massa", "excelente", "maravilha", "disponha", "nada",
];
#[rustfmt::skip]
const ASSENTS: &[&str] = &[
    "ok", "okay", "k", "yes", "yep", "yeah", "sure", "go", "on", "ahead", "continue", "proceed", "do", "next", "done",
    "right", "agreed", "fine", "sim", "pode", "certo", "certa", "isso", "beleza", "blz", "continua", "continuar",
    "continuando", "segue", "siga", "seguir", "manda", "faz", "faca", "feito", "pronto", "combinado", "keep", "going", "lets",
    "let", "use", "usa", "vai", "vamos", "bora", "ir", "avanca", "no", "nope", "nao",
];
#[rustfmt::skip]
const CHORES: &[&str] = &[
    "commit", "commits", "committed", "push", "pushed", "commita", "comita", "commite", "comite", "commitar", "comitar",
];
#[rustfmt::skip]
const FILLERS: &[&str] = &[
    "you", "youre", "so", "much", "very", "all", "for", "now", "a", "lot", "the", "this", "is", "it", "that",
    "and", "then", "well", "again", "please", "changes", "them", "to", "me", "muito", "por", "favor", "tudo", "o", "os",
    "as", "e", "agora", "bem", "dia", "tarde", "noite", "de", "da", "um", "esta", "mudancas", "alteracoes", "entao", "la",
];

const TONES: [&[&str]; 4] = [CHORES, COURTESIES, ASSENTS, FILLERS];

/// Whether a word is a letter by which something was offered.
fn is_option(word: &str) -> bool {
    word.len() == 1 && !["a", "e", "o"].contains(&word)
}

/// Whether a prompt asks nothing that memories could answer: it agrees, ends something or is a courtesy.
pub fn asks_nothing(prompt: &str) -> bool {
    tone(prompt) != Tone::Talk
}

/// How a text sounds; a longer one says something, and an empty one is a courtesy.
pub(super) fn tone(text: &str) -> Tone {
    let text = plain(text);
    let words: Vec<&str> = text.split_whitespace().collect();
    if !words.is_empty() && !text.contains(char::is_alphabetic) {
        return Tone::Assent;
    }
    if words.len() > FEW
        || !words.iter().all(|word| is_option(word) || TONES.iter().any(|list| list.contains(word)))
    {
        return Tone::Talk;
    }
    let has = |list: &[&str]| words.iter().any(|word| list.contains(word));
    if has(CHORES) {
        Tone::Chore
    } else if (has(ASSENTS) || words.iter().any(|word| is_option(word))) && !has(COURTESIES) {
        Tone::Assent
    } else {
        Tone::Courtesy
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tones() {
        let check = |text: &str, expect: Tone| assert_eq!(tone(text), expect, "{text}");
        for text in ["thanks!", "Muito obrigado", "ok, great", "You're welcome!", "", "looks good"] {
            check(text, Tone::Courtesy);
        }
        for text in ["go on", "Yes, do it", "sim, pode", "Done.", "2", "B", "ok, b"] {
            check(text, Tone::Assent);
        }
        for text in ["let's go", "yes, keep going", "use it", "sim, pode ir", "vamos lá", "no"] {
            assert!(asks_nothing(text), "{text}");
        }
        for text in ["commit and push", "push it please", "faz o commit", "looks good, commit"] {
            check(text, Tone::Chore);
        }
        for text in ["now the refunds", "commit the login page", "good morning, fix the build"] {
            check(text, Tone::Talk);
        }
    }

    #[test]
    fn what_only_asks() {
        let check = |text: &str, expect: bool| assert_eq!(asks(text), expect, "{text}");
        for text in
            ["how do we store prices", "ok, e como se faz o deploy?", "Explain the cache", "lol, green?"]
        {
            check(text, true);
        }
        for text in
            ["fix the login", "can you fix the login?", "podes ver o login?", "please, what we said", ""]
        {
            check(text, false);
        }
    }
}
