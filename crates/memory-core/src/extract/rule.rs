//! Whether what a person says in words of rules and tastes holds beyond this moment. "Never push to main" does; "never
//! seen that", "I hate this bug" and "I want you to fix the test" speak of what is at hand.

use super::cue::{Class, Hits};
use super::wording::{folded, words};
use crate::text::sentences;

/// Whether a text says how whoever says it wants things beyond this moment: a rule or a taste, told or within a question.
pub fn says_how(text: &str) -> bool {
    sentences(text).any(|range| {
        let sentence = folded(text.get(range).unwrap_or_default());
        let hits = Hits::of(&sentence);
        // "Which one do you prefer?" is about somebody else.
        let taste = hits.has(Class::Prefer) && after(&sentence, &[" you prefer "]).is_none();
        taste && is_taste(&sentence, hits) || hits.has(Class::Rule) && is_rule(&sentence, hits)
    })
}

/// Whether a sentence with a cue of [`Class::Prefer`] says how a person wants things, and not what they want now.
pub(super) fn is_taste(folded: &str, hits: Hits) -> bool {
    if let Some(behind) = after(folded, WANTING) {
        return is_general(folded) || hits.has(Class::Manner) && !next_in(behind, 6, AT_HAND);
    }
    if let Some(behind) = after(folded, DISLIKING) {
        // "I don't like it when you …" speaks of all times.
        let when = ["it when ", "when ", "it if ", "que ", "quando "];
        return when.iter().any(|start| behind.starts_with(start)) || !next_in(behind, 1, AT_HAND);
    }
    if let Some(behind) = after(folded, &[" please stop ", " please just stop "]) {
        return words(behind).next().is_some_and(|word| word.ends_with("ing"));
    }
    if let Some(behind) = after(folded, &[" para de ", " pare de ", " parem de "]) {
        return words(behind).next().is_some_and(is_infinitive);
    }
    if let Some(behind) = after(folded, &[" please dont ", " please do not ", " por favor nao "]) {
        return !next_in(
            behind,
            1,
            &["worry", "bother", "panic", "mind", "forget", "apologise", "apologize"],
        );
    }
    true
}

/// Whether a sentence with a cue of [`Class::Rule`] is a rule, and no report of what is always so.
pub(super) fn is_rule(folded: &str, hits: Hits) -> bool {
    if is_report(folded) {
        return false;
    }
    let troubled = hits.any(&[Class::Trouble, Class::Ails]);
    if let Some(behind) = after(folded, &[" whenever you ", " every time you ", " each time you "]) {
        return !next_in(behind, 1, AT_LEISURE) && !troubled;
    }
    let each_time = [" sempre que ", " toda vez que ", " todas as vezes que ", " cada vez que "];
    if let Some(behind) = after(folded, &each_time) {
        let of_me = words(behind).next().is_some_and(|word| word == "eu" || word.ends_with('o'));
        return !of_me && !troubled && !next_in(behind, 1, &["puderes", "puder", "quiseres", "quiser"]);
    }
    if let Some(behind) = after(folded, &[" in this repo "]) {
        let begins = folded.starts_with("^ in this repo ");
        return next_in(if begins { behind } else { folded.trim_start_matches('^') }, 1, RULING);
    }
    if after(folded, &[" without asking ", " sem perguntar ", " sem me perguntar "]).is_some() {
        return words(folded).any(|word| NOES.contains(&word));
    }
    true
}

/// Whether a sentence tells not to do something once more.
pub(super) fn forbids_again(folded: &str) -> bool {
    let forbids = ["dont", "do", "never", "stop", "please", "no", "lets", "nao", "nunca", "por"];
    next_in(folded.trim_start_matches('^'), 1, &forbids)
}

/// Whether a sentence that begins with always or never tells what was seen: behind them stands no verb of an order.
pub(super) fn is_report(folded: &str) -> bool {
    let english = folded.strip_prefix("^ always ").or_else(|| folded.strip_prefix("^ never "));
    if let Some(behind) = english {
        let verb = words(behind).find(|word| !["ever", "again", "please", "just"].contains(word));
        return !verb.is_some_and(|verb| !OBSERVED.contains(&verb) && is_base(verb));
    }
    let portuguese = folded.strip_prefix("^ sempre ").or_else(|| folded.strip_prefix("^ nunca "));
    portuguese.is_some_and(|behind| {
        let verb = words(behind).find(|word| !["mais", "te", "se", "por", "favor"].contains(word));
        !verb.is_some_and(|verb| !OBSERVADO.contains(&verb) && !is_past(verb))
    })
}

/// Words for wishes, of which most are work orders.
const WANTING: &[&str] = &[
    " i want you to ",
    " i would like you to ",
    " id like you to ",
    " i expect you to ",
    " quero que ",
    " queria que ",
];

/// Words for dislikes, of which some are of what is at hand.
const DISLIKING: &[&str] = &[
    " i hate ",
    " i cant stand ",
    " i dont like ",
    " i do not like ",
    " nao gosto ",
    " detesto ",
    " odeio ",
];

/// Words that point at what is at hand.
#[rustfmt::skip]
const AT_HAND: &[&str] = &[
    "this", "that", "these", "those", "it", "the", "how", "what", "to", "isto", "isso", "este", "esta", "esse", "essa",
    "estes", "estas", "disto", "disso", "deste", "desta", "desse", "dessa", "nada", "do", "da", "o", "a", "os", "as",
];

/// Words behind "whenever you" that leave the time to somebody.
const AT_LEISURE: &[&str] =
    &["have", "can", "could", "want", "like", "get", "feel", "are", "need", "find", "wish"];

/// Words with which a rule of a repository begins.
#[rustfmt::skip]
const RULING: &[&str] = &[
    "we", "all", "every", "each", "any", "always", "never", "use", "no", "only", "dont", "do", "nobody", "nothing",
    "please", "keep", "prefer", "avoid", "commit", "commits", "write", "run", "everything",
];

const NOES: &[&str] =
    &["not", "dont", "never", "no", "nobody", "nothing", "cannot", "cant", "nao", "nunca", "nada", "nenhum"];

/// Words that make a wish one for all times.
#[rustfmt::skip]
const GENERAL: &[&str] = &[
    " always ", " never ", " every ", " each ", " whenever ", " from now on ", " going forward ", " only ever ",
    " in general ", " by default ", " sempre ", " nunca ", " cada ", " toda ", " todas as vezes ",
    " a partir de agora ", " daqui em diante ", " daqui para a frente ", " daqui pra frente ", " de agora em diante ",
    " por padrao ", " nao ",
];

/// Words behind always and never that are no order, though they look like one.
#[rustfmt::skip]
const OBSERVED: &[&str] = &[
    "seen", "saw", "been", "was", "were", "is", "are", "had", "has", "did", "does", "done", "gone", "went", "got",
    "gotten", "heard", "knew", "known", "thought", "found", "made", "mind", "the", "a", "an", "this", "that", "it", "i",
    "my", "we", "you", "he", "she", "they", "there", "so", "same", "broken", "red", "green", "slow", "fun", "nice", "good",
    "bad", "wrong", "one", "something", "some", "in", "on", "at", "with", "for", "about", "like", "came", "took", "ran",
    "broke", "felt", "told", "said", "understood", "once", "now", "sure", "true", "late", "down", "empty",
];

#[rustfmt::skip]
const OBSERVADO: &[&str] = &[
    "vi", "vimos", "foi", "fui", "era", "eram", "tive", "teve", "tinha", "houve", "ha", "acontece", "acontecem", "falha",
    "falham", "funciona", "funcionam", "da", "deu", "e", "sao", "esta", "estao", "ta", "a", "o", "as", "os", "um", "uma",
    "na", "no", "em", "ouvi", "sei", "soube", "consegui", "consigo", "vejo", "me", "eu", "ele", "ela", "isso", "isto",
    "assim", "igual", "mesma", "mesmo", "bom", "mau", "certo", "errado", "lento", "fiz", "fizemos", "quis", "pude", "vou",
    "demora", "quebra", "trava", "cai", "aparece", "precisa", "preciso", "tem", "tenho", "quero", "gosto", "entendo",
];

/// Whether an English verb stands in its base form.
fn is_base(verb: &str) -> bool {
    let past = verb.ends_with("ed") && verb.len() > 4 && !verb.ends_with("eed") && verb != "embed";
    let third = verb.ends_with('s') && !["ss", "us", "as"].iter().any(|end| verb.ends_with(end));
    let going = verb.ends_with("ing") && !["bring", "ping", "string", "sing"].contains(&verb);
    !(past || third || going)
}

/// Whether a Portuguese verb tells of what was.
fn is_past(verb: &str) -> bool {
    verb.len() > 3
        && ["ou", "ei", "iu", "eu", "ava", "avam", "iam", "ram"].iter().any(|end| verb.ends_with(end))
}

fn is_infinitive(word: &str) -> bool {
    word.len() > 2 && ["ar", "er", "ir", "or"].iter().any(|end| word.ends_with(end))
}

fn is_general(folded: &str) -> bool {
    GENERAL.iter().any(|word| folded.contains(word))
}

/// What stands behind the first of these words that a sentence holds.
fn after<'f>(folded: &'f str, cues: &[&str]) -> Option<&'f str> {
    cues.iter().find_map(|cue| folded.split_once(cue).map(|(_, behind)| behind))
}

/// Whether one of the next words is one of these.
fn next_in(behind: &str, count: usize, known: &[&str]) -> bool {
    words(behind).take(count).any(|word| known.contains(&word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn how_somebody_wants_things() {
        for (text, expect) in [
            ("Always include version numbers when I ask about libraries.", true),
            ("I prefer Word over Docs, can you help me with that?", true),
            ("The build is red. From now on ask me before you push.", true),
            ("Prefiro testes pequenos.", true),
            ("I never saw that. Which one do you prefer?", false),
            ("I want you to fix the test", false),
            ("The cache is always empty", false),
            ("", false),
        ] {
            assert_eq!(says_how(text), expect, "{text}");
        }
    }

    #[test]
    fn reports_begin_like_rules() {
        for (text, expect) in [
            ("never push to main", false),
            ("always run the linter", false),
            ("never embed fonts", false),
            ("never again use eval", false),
            ("nunca faças push para main", false),
            ("nunca mais uses isso", false),
            ("sempre use aspas simples", false),
            ("never mind", true),
            ("never seen that error before", true),
            ("always fails on CI", true),
            ("always the same", true),
            ("nunca vi isso", true),
            ("nunca falhou antes", true),
            ("sempre a mesma coisa", true),
            ("we never push to main", false),
        ] {
            assert_eq!(is_report(&folded(text)), expect, "{text}");
        }
    }
}
