//! What takes the place of what in a sentence: "replace X with Y", "Y instead of X", "trocamos o X pelo Y", "we no longer
//! use X". One table for those who read conversations and those who look for memories that disagree.
//!
//! Words are folded. Only the way of saying it is known here, not whether the sentence means it.

use std::ops::Range;

/// A word of a sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Token<'a> {
    /// The word, folded.
    pub(crate) word: &'a str,
    /// A sign parts it from the next one.
    pub(crate) ends: bool,
}

/// What a sentence puts in the place of what, as ranges of its words. One of both may be empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Replaced {
    pub(crate) dropped: Range<usize>,
    pub(crate) taken: Range<usize>,
    /// What for, where it stands between.
    pub(crate) purpose: Range<usize>,
    /// Where the words that say so begin.
    pub(crate) start: usize,
    /// Where they end.
    pub(crate) end: usize,
}

/// Ways of saying it, the most telling first. `X` is what is left, `Y` what is taken, `Z` what for; `a|b` is one of these words,
/// `?a|b` may be missing.
#[rustfmt::skip]
const FRAMES: &[&str] = &[
    "replace|replaced|replacing|swap|swapped|swapping X ?out with|by|for Y",
    "switch|switched|switching|move|moved|moving|migrate|migrated|migrating|change|changed|changing Z from X ?over to Y",
    "switch|switched|switching|move|moved|moving|migrate|migrated|migrating|change|changed|changing|go|going|went ?away from|off X ?over to Y",
    "trocar|trocamos|troca|troque|troquei|trocando|substituir|substituimos|substitui|substitua X por|pelo|pela|pelos|pelas Y",
    "mudar|mudamos|muda|mude|migrar|migramos|migra|migre|passar|passamos|passa|passe|sair|saimos|trocar|trocamos|troca do|da|de|dos|das X para|pro|pra ?o|a|os|as Y",
    "drop|dropped|dropping|ditch|ditched|ditching|abandon|abandoned|abandoning|retire|retired|retiring X and|in ?favour|favor ?of|now use|using|adopt|adopting|move|moving|switch|switching|go|going|migrate|migrating ?over|back ?to|with Y",
    "drop|dropped|dropping|ditch|ditched|ditching|abandon|abandoned|abandoning|retire|retired|retiring X in favour|favor of Y",
    "abandonar|abandonamos|abandona|largar|largamos|larga|descartar|descartamos|descarta|tirar|deixar X e usar|adotar|ir|passar|mudar|migrar|usamos ?para|de|com|a|pro Y",
    "no longer use|using|uses X",
    "stop|stopped using X",
    "not|dont|wont use|using X any|anymore",
    "dropping|ditching|abandoning|retiring|abandoned|ditched|retired X",
    "drop|ditch|abandon|retire X",
    "deixar|deixamos|deixa|deixe|parar|paramos|para|pare de usar X",
    "nao usamos|usa|usar|use|uses mais X",
    "nao vamos mais usar X",
    "nao vamos usar mais X",
    "ja nao usamos|usa X",
    "abandonar|abandonamos|largar|largamos|descartar|descartamos X",
    "switch|switching|go|going|move|moving|change|changing back|over to Y",
    "lets|were|we switch|switching|move|moving|migrate|migrating to Y",
    "voltar|voltamos|volta|volte|vamos ?voltar|mudar|passar|migrar para|pro|pra|ao Y",
];

/// Words that begin what was left out, behind what was taken.
#[rustfmt::skip]
pub(crate) const INSTEAD: &[(&str, &str)] = &[
    ("instead", "of"), ("rather", "than"), ("em", "vez"), ("ao", "inves"), ("no", "lugar"), ("over", ""), ("and", "not"), ("e", "nao"),
    ("not", ""),
];

/// Verbs of choosing, each with the word that must follow it, if any.
#[rustfmt::skip]
pub(crate) const CHOOSE: &[(&str, &str)] = &[
    ("use", ""), ("uses", ""), ("using", ""), ("adopt", ""), ("adopts", ""), ("adopted", ""), ("choose", ""), ("chose", ""),
    ("picked", ""), ("go", "with"), ("went", "with"), ("going", "with"), ("settled", "on"), ("settle", "on"), ("switch", "to"),
    ("switched", "to"), ("moved", "to"), ("move", "to"), ("migrate", "to"), ("migrated", "to"), ("stick", "with"), ("stay", "with"),
    ("standardise", "on"), ("standardize", "on"), ("prefer", ""), ("prefers", ""), ("decided", "on"), ("decided", "against"),
    ("ruled", "out"), ("avoid", ""), ("answer", "in"), ("reply", "in"), ("respond", "in"), ("usar", ""), ("usamos", ""), ("usa", ""),
    ("usam", ""), ("utilizar", ""), ("utilizamos", ""), ("utiliza", ""), ("adotar", ""), ("adotamos", ""), ("adota", ""),
    ("escolhemos", ""), ("escolher", ""), ("optamos", "por"), ("optar", "por"), ("ficamos", "com"), ("ficar", "com"), ("vamos", "de"),
    ("migramos", "para"), ("migrar", "para"), ("mudamos", "para"), ("trocamos", "para"), ("preferimos", ""), ("prefiro", ""),
    ("prefere", ""), ("descartamos", ""), ("evitar", ""), ("evite", ""), ("evitamos", ""), ("responda", "em"), ("responde", "em"),
    ("responder", "em"),
];

/// Words that turn what follows into its contrary.
#[rustfmt::skip]
pub(crate) const NOT: &[&str] = &[
    "not", "never", "dont", "doesnt", "wont", "cannot", "cant", "mustnt", "shouldnt", "isnt", "arent", "stop", "stopped", "nao",
    "nunca", "jamais", "longer", "deixamos", "paramos", "parar", "neither", "without", "against", "no", "forbidden", "proibido",
];

/// Words that end what was chosen and begin what for.
#[rustfmt::skip]
pub(crate) const FOR: &[&str] = &[
    "for", "as", "in", "on", "with", "when", "to", "at", "via", "from", "by", "under", "after", "before", "per", "while", "during",
    "para", "como", "em", "no", "na", "nos", "nas", "com", "quando", "ao", "por", "pelo", "pela", "apos", "antes", "durante", "de", "do",
    "da", "of", "inside", "across",
];

/// Words that are no part of a name.
const ARTICLES: &[&str] =
    &["the", "a", "an", "our", "o", "os", "as", "um", "uma", "nosso", "nossa", "all", "both"];
/// Words that begin something else behind a name.
#[rustfmt::skip]
const OTHERWISE: &[&str] = &[
    "and", "e", "or", "ou", "but", "mas", "because", "since", "so", "porque", "pois", "any", "anymore", "from", "instead", "everywhere",
    "altogether", "completely", "entirely", "now", "then", "please", "agora", "mais", "aqui", "here",
];
/// Words of the longest name.
const LONGEST: usize = 4;

/// What a sentence puts in the place of what, by the verb that says so.
pub(crate) fn replaced(words: &[Token<'_>]) -> Option<Replaced> {
    FRAMES.iter().find_map(|frame| {
        let parts: Vec<&str> = frame.split(' ').collect();
        (0..words.len()).find_map(|start| {
            let mut found = Replaced { dropped: 0..0, taken: 0..0, purpose: 0..0, start, end: start };
            let denied = start > 0
                && matches!(words[start - 1].word, "not" | "dont" | "never" | "wont" | "nao" | "nunca");
            (!denied && fits(words, start, &parts, &mut found)).then_some(found)
        })
    })
}

/// The same, or what stands before and behind "instead of".
pub(crate) fn contrasted(words: &[Token<'_>]) -> Option<Replaced> {
    replaced(words).or_else(|| instead(words))
}

fn instead(words: &[Token<'_>]) -> Option<Replaced> {
    let at = (1..words.len()).find(|&n| {
        let next = words.get(n + 1).map_or("", |token| token.word);
        let parted = words[n - 1].ends || !matches!(words[n].word, "not");
        parted
            && words[n].word != "over"
            && INSTEAD.iter().any(|(a, b)| words[n].word == *a && (b.is_empty() || *b == next))
            || words[n - 1].ends && words[n].word == "nao"
    })?;
    let pair = !matches!(words[at].word, "not" | "nao");
    let mut from = at + 1 + usize::from(pair);
    while words.get(from).is_some_and(|token| matches!(token.word, "de" | "do" | "da" | "dos" | "das")) {
        from += 1;
    }
    let dropped = slot(words, from, words.len());
    let mut begin = at;
    while begin > 0 && at - begin < LONGEST && !ends_name(words[begin - 1].word) {
        if words[begin - 1].ends && begin < at {
            break;
        }
        begin -= 1;
    }
    let taken = bare(words, begin..at);
    let end = dropped.end;
    (!dropped.is_empty() && !taken.is_empty()).then_some(Replaced {
        dropped,
        taken,
        purpose: 0..0,
        start: begin,
        end,
    })
}

fn ends_name(word: &str) -> bool {
    FOR.contains(&word)
        || OTHERWISE.contains(&word)
        || CHOOSE.iter().any(|(verb, _)| *verb == word)
        || matches!(
            word,
            "keep" | "is" | "are" | "be" | "meant" | "fica" | "mantem" | "fique" | "want" | "quero" | "dizer"
        )
}

/// Whether the words from `at` on are said in this way; notes where what stands.
fn fits(words: &[Token<'_>], at: usize, parts: &[&str], found: &mut Replaced) -> bool {
    let Some((part, rest)) = parts.split_first() else {
        found.end = at;
        return true;
    };
    if let Some(may) = part.strip_prefix('?') {
        let here = words.get(at).is_some_and(|token| may.split('|').any(|word| word == token.word));
        return here && fits(words, at + 1, rest, found) || fits(words, at, rest, found);
    }
    match *part {
        "X" | "Y" | "Z" => {
            let longest = slot(words, at, words.len().min(at + 2 * LONGEST));
            (longest.start + 1..=longest.end).rev().any(|end| {
                let name = longest.start..end;
                let inner = if *part == "Z" { name.clone() } else { bare(words, name.clone()) };
                if inner.is_empty() || inner.len() > LONGEST || !fits(words, end, rest, found) {
                    return false;
                }
                match *part {
                    "X" => found.dropped = inner,
                    "Y" => found.taken = inner,
                    _ => found.purpose = inner,
                }
                true
            })
        }
        one_of => {
            words.get(at).is_some_and(|token| one_of.split('|').any(|word| word == token.word))
                && fits(words, at + 1, rest, found)
        }
    }
}

/// The words from here on that may be a name.
fn slot(words: &[Token<'_>], at: usize, most: usize) -> Range<usize> {
    let mut start = at;
    while words.get(start).is_some_and(|token| ARTICLES.contains(&token.word)) {
        start += 1;
    }
    let mut end = start;
    while end < most {
        let word = words[end].word;
        if FOR.contains(&word) || OTHERWISE.contains(&word) {
            break;
        }
        end += 1;
        if words[end - 1].ends {
            break;
        }
    }
    start..end
}

/// A range without the articles before it.
fn bare(words: &[Token<'_>], range: Range<usize>) -> Range<usize> {
    let mut start = range.start;
    while start < range.end && ARTICLES.contains(&words[start].word) {
        start += 1;
    }
    start..range.end
}

/// What a sentence chooses, or says that something is: the words behind the verb.
pub(crate) fn chosen(words: &[Token<'_>]) -> Option<Range<usize>> {
    if let Some(found) = replaced(words).filter(|found| !found.taken.is_empty()) {
        return Some(found.taken);
    }
    let at = (0..words.len()).find_map(|n| {
        let next = words.get(n + 1).map_or("", |token| token.word);
        let (_, then) = CHOOSE
            .iter()
            .find(|(verb, then)| words[n].word == *verb && (then.is_empty() || *then == next))?;
        Some(n + 1 + usize::from(!then.is_empty()))
    });
    let at = at.or_else(|| {
        let is = |token: &Token<'_>| matches!(token.word, "keep" | "is" | "are" | "mantem" | "fica");
        Some(words.iter().position(is)? + 1)
    });
    let range = slot(words, at.unwrap_or(0), words.len());
    // "Drizzle for the database" has no verb; more words before "for" may hold one.
    let named =
        at.is_some() || range.len() <= 2 && words.get(range.end).is_none_or(|next| FOR.contains(&next.word));
    let denied = words[..range.start].iter().rev().take(4).any(|token| NOT.contains(&token.word));
    (named && !denied && !range.is_empty() && range.len() <= LONGEST).then_some(range)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(text: &str) -> Vec<Token<'_>> {
        text.split(' ')
            .map(|piece| Token {
                word: piece.trim_end_matches([',', '.']),
                ends: piece.ends_with([',', '.']),
            })
            .collect()
    }

    fn shown(words: &[Token<'_>], range: Range<usize>) -> String {
        words[range].iter().map(|token| token.word).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn what_takes_the_place_of_what() {
        for (text, dropped, taken) in [
            ("were dropping drizzle and moving to kysely", "drizzle", "kysely"),
            ("we decided to replace drizzle with kysely", "drizzle", "kysely"),
            ("we moved from drizzle to kysely", "drizzle", "kysely"),
            ("switch live updates from sse to websockets", "sse", "websockets"),
            ("kysely instead of drizzle from now on", "drizzle", "kysely"),
            ("use kysely rather than the drizzle orm for it", "drizzle orm", "kysely"),
            ("were no longer using drizzle", "drizzle", ""),
            ("we dont use drizzle any more", "drizzle", ""),
            ("lets switch to kysely", "", "kysely"),
            ("lets switch back to npm", "", "npm"),
            ("trocamos o drizzle pelo kysely", "drizzle", "kysely"),
            ("vamos trocar o drizzle pelo kysely", "drizzle", "kysely"),
            ("vamos abandonar o drizzle e usar o kysely", "drizzle", "kysely"),
            ("migramos do jenkins para o github actions", "jenkins", "github actions"),
            ("ja nao usamos sse", "sse", ""),
            ("kysely em vez do drizzle", "drizzle", "kysely"),
            ("vamos voltar para o npm", "", "npm"),
            ("i meant npm, not pnpm", "pnpm", "npm"),
            ("the port of the api is 8081, not 8080 as i told you before", "8080", "8081"),
        ] {
            let words = tokens(text);
            let found = contrasted(&words).unwrap_or_else(|| panic!("{text}"));
            assert_eq!(
                (shown(&words, found.dropped).as_str(), shown(&words, found.taken).as_str()),
                (dropped, taken),
                "{text}"
            );
        }
        for text in [
            "we use drizzle for the database",
            "we will not replace drizzle with kysely",
            "that is not it",
            "",
        ] {
            assert_eq!(contrasted(&tokens(text)), None, "{text}");
        }
    }

    #[test]
    fn what_is_chosen() {
        for (text, expect) in [
            ("lets use drizzle for the database", Some("drizzle")),
            ("drizzle for the database", Some("drizzle")),
            ("responda em portugues", Some("portugues")),
            ("the port of the api is 8080", Some("8080")),
            ("we never use drizzle", None),
        ] {
            let words = tokens(text);
            assert_eq!(chosen(&words).map(|range| shown(&words, range)).as_deref(), expect, "{text}");
        }
    }
}
