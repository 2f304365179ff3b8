//! Words that take something back: alone, before what holds instead, or in the middle of it.

use super::cue::{Class, Hits};
use super::judge::Sentence;
use super::wording::{folded, without_fillers, words};

/// Words of which an opening is made that only takes back what was said, folded.
#[rustfmt::skip]
const OPENING: &[&str] = &[
    "scratch", "scrap", "that", "this", "it", "all", "actually", "no", "wait", "on", "second", "thought", "thoughts",
    "never", "mind", "nevermind", "hang", "hold", "i", "ive", "we", "weve", "have", "changed", "change", "of", "plan", "plans", "my",
    "our", "forget", "cancel", "undo", "revert", "take", "back", "sorry", "mudei", "mudamos", "de", "ideia", "ideias",
    "pensando", "melhor", "esquece", "esqueca", "isso", "isto", "tudo", "deixa", "pra", "la", "estar", "afinal", "nao",
    "was", "a", "mistake", "wrong", "oops", "ops", "hmm", "one", "espera", "foi", "um", "engano", "erro", "enganei", "me", "errado",
    "na", "verdade", "volta", "atras", "mudanca", "planos", "cancela", "desculpa", "desculpe",
];

/// How many bytes of a sentence such an opening is no longer than.
const LONGEST: usize = 48;

/// Where a sentence goes on behind an opening that only takes something back: "scratch that, use Kafka".
pub(super) fn opening(text: &str) -> Option<usize> {
    let head = text.get(..text.floor_char_boundary(LONGEST))?;
    let mut found = None;
    for (at, _) in head.match_indices([',', ':', ';', '—', '–']).chain(head.match_indices(" - ")) {
        let folded = without_fillers(&folded(&text[..at]));
        let takes_back = is_opening(&folded) && Hits::of(&folded).has(Class::Reverse);
        if takes_back || refuses(&folded) {
            let rest = text[at..].trim_start_matches([',', ':', ';', '—', '–', '-', ' ']);
            found = found.max(Some(text.len() - rest.len()));
        }
    }
    found.filter(|at| text[*at..].split_whitespace().count() > 1)
}

fn is_opening(folded: &str) -> bool {
    words(folded).all(|word| OPENING.contains(&word))
}

/// Words of which a refusal is made that says nothing else, folded.
#[rustfmt::skip]
const REFUSING: &[&str] = &[
    "no", "nope", "nah", "not", "now", "yet", "today", "thanks", "thank", "you", "please", "hmm", "hm", "ok", "forget", "it", "lets", "do",
    "this", "that", "dont", "really", "sorry", "actually", "nao", "agora", "hoje", "ainda", "obrigado", "obrigada", "por", "favor", "esquece",
    "isso", "isto", "deixa", "pra", "la", "vamos", "fazer", "quero", "melhor", "later", "depois", "way", "problem", "worries",
];
const DENIALS: &[&str] = &["no", "nope", "nah", "not", "dont", "nao"];

fn refuses(folded: &str) -> bool {
    words(folded).all(|word| REFUSING.contains(&word)) && words(folded).any(|word| DENIALS.contains(&word))
}

/// Whether a sentence says no and nothing else.
fn is_refusal(sentence: &Sentence) -> bool {
    refuses(&folded(&sentence.text))
}

/// Whether a sentence says no to what was put before it, or takes it back, and says nothing else.
pub(super) fn turns_down(sentence: &Sentence) -> bool {
    is_refusal(sentence) || only_takes_back(sentence)
}

/// Whether a sentence goes back to what was before, and so means what was said last.
pub(super) fn goes_back(sentence: &Sentence) -> bool {
    ["^ na verdade melhor ", "^ na verdade e melhor ", "^ nao espera "]
        .iter()
        .any(|start| folded(&sentence.text).starts_with(start))
}

/// Whether a sentence takes something back and says nothing else.
pub(super) fn only_takes_back(sentence: &Sentence) -> bool {
    sentence.hits.has(Class::Reverse) && is_opening(&folded(&sentence.text))
}

/// Whether a sentence only asks to wait, which takes something back only where something else is settled.
pub(super) fn only_waits(sentence: &Sentence) -> bool {
    [" hang on ", " hold on "].iter().any(|words| sentence.folded.contains(words))
}

/// Whether an opening was cut off a sentence that goes on behind it.
pub(super) fn goes_on(opening: &Sentence) -> bool {
    opening.text.ends_with([',', ':', ';', '—', '–', '-'])
}

/// Whether a sentence takes something back.
pub(super) fn is_reversal(sentence: &Sentence) -> bool {
    // "Let's not use Redis after all."
    let after_all = [" after all ", " afinal "].iter().any(|words| sentence.folded.contains(words));
    let reverses = sentence.hits.has(Class::Reverse) || after_all && sentence.hits.has(Class::Against);
    reverses && !sentence.asks && !sentence.hits.any(&[Class::Fact, Class::Remind])
}

/// Words that many decisions have in common, so that they do not tell which one is meant.
#[rustfmt::skip]
const COMMON: &[&str] = &[
    "use", "using", "used", "keep", "keeping", "drop", "dropping", "switch", "move", "decided", "decide", "going",
    "scratch", "scrap", "forget", "mind", "changed", "instead", "run", "make", "add", "put", "new", "old", "usar",
    "usa", "usamos", "manter", "decidimos", "trocar", "mudar", "vez", "novo", "nova",
];

/// Whether a word of a sentence may tell which decision it takes back.
pub(super) fn tells(word: &str) -> bool {
    word.chars().count() > 2 && !COMMON.contains(&word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn openings_are_cut_off() {
        for (text, expect) in [
            ("Scratch that, use Kafka for the queues.", Some("use Kafka for the queues.")),
            ("Changed my mind: Kafka instead of Redis.", Some("Kafka instead of Redis.")),
            ("ok, actually, no wait, use Kafka", Some("use Kafka")),
            ("mudei de ideia, usa Kafka nas filas", Some("usa Kafka nas filas")),
            ("Never mind — we keep Redis", Some("we keep Redis")),
            ("Never mind Redis, we use Kafka.", None),
            ("esquece o kafka, vamos de sqs", None),
            ("Scratch that, please", None),
            ("No, we stay on Lambda", Some("we stay on Lambda")),
            ("não, fica na Lambda", Some("fica na Lambda")),
            ("No Redis, please", None),
            ("We use Redis, not Kafka", None),
            ("", None),
        ] {
            assert_eq!(opening(text).map(|at| &text[at..]), expect, "{text}");
        }
    }
}
