//! How a person says what the thing that is built shall be like: a rule that holds from now on, something wanted in the
//! place of something else, something not wanted at all. What is wanted of the agent itself is a preference, and what
//! is only wanted is a work order; neither is meant here.

use super::cue::{Class, Hits};
use super::wording::words;

/// Whether a sentence with "from now on" makes a rule for what is built, and not for the agent it speaks to.
pub(super) fn speaks_of_things(folded: &str) -> bool {
    const THINGS: &[&str] = &[
        "we",
        "every",
        "each",
        "all",
        "any",
        "no",
        "the",
        "new",
        "only",
        "our",
        "a",
        "nothing",
        "everything",
        "toda",
        "todo",
        "todas",
        "todos",
        "cada",
        "nenhum",
        "nenhuma",
        "o",
        "os",
        "as",
        "so",
        "nada",
        "tudo",
        "novas",
        "novos",
    ];
    const ONWARD: &[&str] = &[
        " from now on ",
        " going forward ",
        " from here on ",
        " as of today ",
        " a partir de agora ",
        " a partir de hoje ",
        " daqui em diante ",
        " daqui para a frente ",
        " daqui pra frente ",
        " de agora em diante ",
        " doravante ",
    ];
    let Some((before, behind)) = ONWARD.iter().find_map(|cue| folded.split_once(cue)) else {
        return false;
    };
    // "All ids are UUIDs from now on" has its subject before it.
    let subject = words(before).next().or_else(|| words(behind).next());
    subject.is_some_and(|word| THINGS.contains(&word))
}

/// Whether a person wants a thing in place of another, or does not want it at all. Wanting alone is a work order.
pub(super) fn wants(text: &str, folded: &str) -> bool {
    let wanted = [" i want ", " id like ", " i would like ", " quero ", " queria ", " gostaria "];
    let contrast =
        Hits::of(folded).has(Class::Over) || [", not ", ", não "].iter().any(|not| text.contains(not));
    if contrast && wanted.iter().any(|want| folded.contains(want)) {
        return true;
    }
    // Behind these a verb or a clause speaks of what is done, and not of what is built.
    let refused = [" i dont want ", " we dont want ", " nao quero ", " nao queremos "];
    refused.iter().any(|not| {
        let next = folded.split_once(not).and_then(|(_, behind)| words(behind).next());
        next.is_some_and(|word| {
            !matches!(word, "to" | "you" | "que" | "it" | "isso")
                && !["ar", "er", "ir"].iter().any(|end| word.ends_with(end))
        })
    })
}

/// Words behind a verb that begin its object.
#[rustfmt::skip]
const OBJECTS: &[&str] = &[
    "the", "a", "an", "it", "them", "this", "these", "those", "all", "every", "each", "our", "both", "only",
    "everything", "any", "and", "e", "back", "out", "off", "down", "up", "two", "one",
    "o", "os", "as", "um", "uma", "isso", "isto", "tudo", "cada", "esse", "essa", "esses", "essas", "este", "esta",
    "so", "sempre", "todos", "todas", "tambem",
];

/// First words that begin no order, though an object may stand behind them.
#[rustfmt::skip]
const NO_ORDER: &[&str] = &[
    "i", "you", "he", "she", "it", "we", "they", "that", "this", "these", "those", "the", "a", "an", "my", "your",
    "our", "there", "here", "is", "are", "was", "were", "be", "has", "have", "had", "does", "did", "do", "will",
    "would", "could", "should", "can", "may", "not", "no", "all", "both", "only", "even", "still", "just", "now",
    "what", "who", "when", "where", "why", "how", "which", "if", "because", "since", "for", "from", "in", "on", "at",
    "with", "without", "by", "of", "to", "as", "like", "after", "before", "and", "or", "but", "so", "then", "than",
    "looks", "seems", "works", "sounds", "means", "got", "saw", "tried", "ran", "found", "made", "same", "such",
    "thanks", "whats", "thats", "its", "theres", "heres", "shes", "hes", "theyre", "youre", "im", "ive", "id", "ill",
    "lets", "weve", "plus", "furthermore", "nevertheless", "however", "moreover", "besides", "also", "alem", "porem", "maybe", "almost", "quite", "about", "over", "under",
    "o", "os", "as", "um", "uma", "e", "era", "foi", "esta", "ta", "tem", "ha", "eu", "tu", "ele", "ela", "voce",
    "que", "se", "mas", "com", "sem", "por", "para", "pra", "em", "no", "na", "nos", "nas", "de", "do", "da", "como",
    "quando", "onde", "isso", "isto", "esse", "essa", "este", "tudo", "so", "ate", "ainda", "ja", "hoje", "ontem",
    "parece", "fica", "ficou", "deu", "dei", "vi", "fiz", "acho", "tinha", "tenho", "sao", "sei", "continua", "agora", "ou",
    "aqui", "ali", "nao", "sim", "mesmo", "talvez", "quem", "qual", "era", "falta", "faltou", "teve",
];

/// Orders that are work to be done now and settle nothing.
#[rustfmt::skip]
const WORK: &[&str] = &[
    "fix", "show", "check", "run", "rerun", "commit", "push", "open", "explain", "review", "look", "try", "test",
    "tell", "send", "read", "list", "find", "search", "print", "continue", "see", "give", "wait", "update",
    "document", "describe", "summarise", "summarize", "finish", "repeat", "create", "write", "implement", "verify",
    "clean", "tidy", "format", "draft", "investigate", "debug", "measure", "profile", "grab", "paste", "help",
    "corrige", "conserta", "arruma", "mostra", "roda", "corre", "verifica", "ve", "veja", "olha", "testa", "explica",
    "abre", "tenta", "le", "lista", "procura", "escreve", "manda", "revisa", "reve", "confere", "atualiza",
    "documenta", "resume", "termina", "espera", "ajuda", "limpa", "mede", "investiga", "commita", "analisa",
];

/// Whether a sentence begins with an order of work.
pub(super) fn orders_work(folded: &str) -> bool {
    words(folded).next().is_some_and(|first| WORK.contains(&first))
}

/// Whether a sentence orders something to be so, by its build: a first word that is no subject, and an object.
pub(super) fn orders(text: &str, folded: &str) -> bool {
    let mut words = words(folded);
    let (Some(first), Some(second)) = (words.next(), words.next()) else { return false };
    // "Works" and "tried" tell of what was seen.
    let told = first.ends_with("ed") && first.len() > 4
        || first.ends_with("ing")
        || first.ends_with('o')
        || first.ends_with("ou")
        || first.ends_with('s') && !first.ends_with("ss");
    // "Memory in production is high" has a place behind its subject too.
    let placed = ["in", "into", "to", "with", "by", "on", "no", "na", "em", "com", "para", "pra"]
        .contains(&second)
        && words.count() <= 6
        && ![" is ", " are ", " was ", " were ", " e ", " esta ", " era "]
            .iter()
            .any(|is| folded.contains(is));
    let verb = first.chars().count() > 2 && first.chars().all(char::is_alphabetic) && !told;
    // "Claim: the essay" and "besides, it is late" have no verb there.
    let apart = text.split_whitespace().any(|word| {
        word.trim_end_matches([',', ':', '.']).len() < word.len()
            && word.trim_start_matches(['*', '_', '"']).to_lowercase().starts_with(first)
    });
    verb && !apart
        && (placed || OBJECTS.contains(&second))
        && !NO_ORDER.contains(&first)
        && !WORK.contains(&first)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::extract::wording::folded;

    #[test]
    fn rules_for_things_and_for_agents() {
        for (text, expect) in [
            ("from now on every id is a UUID", true),
            ("all ids are UUIDs from now on", true),
            ("a partir de agora toda rota tem limite", true),
            ("from now on answer in English", false),
            ("a partir de agora responde em português", false),
            ("every id is a UUID", false),
        ] {
            assert_eq!(speaks_of_things(&folded(text)), expect, "{text}");
        }
    }

    #[test]
    fn orders_by_their_build() {
        for (text, expect) in [
            ("kill the nine", true),
            ("rip out moment", true),
            ("embute a fonte sempre", true),
            ("isola cada teste", true),
            ("fix the test", false),
            ("works the same here", false),
            ("tried it twice", false),
            ("it drops the rows", false),
            ("o teste falha", false),
            ("parece um bug", false),
            ("kill", false),
            ("staple in the release job", true),
            ("declara e publica hoje", true),
            ("tests in CI fail", false),
            ("memory in production is high", false),
            ("besides, the rest is fine", false),
        ] {
            assert_eq!(orders(text, &folded(text)), expect, "{text}");
        }
    }

    #[test]
    fn wishes_that_choose() {
        for (text, expect) in [
            ("I want toml, not yaml", true),
            ("I'd like a queue instead of cron", true),
            ("quero o cache em disco, não em memória", true),
            ("não quero dependência nova", true),
            ("I want a blue button", false),
            ("I don't want to wait", false),
            ("não quero esperar", false),
            ("não quero que mexas nisso", false),
        ] {
            assert_eq!(wants(text, &folded(text)), expect, "{text}");
        }
    }
}
