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
            !matches!(word, "to" | "you" | "que" | "it" | "isso") && !word.ends_with("ar")
        })
    })
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
