//! The wording of what is taken: one folded form in which cues are found, and one clean form in which it is kept.
//!
//! Both are made sentence by sentence. The clean form has no marks of markdown and at most [`LONGEST`] characters.

use unicode_normalization::char::{decompose_canonical, is_combining_mark};

use super::LONGEST;
use crate::text::{Language, is_stop};

/// A sentence for finding cues: `^ its words in lower case without accents $`. Code and quotes of more than a word are
/// an `x`, since they are somebody else's words.
pub(super) fn folded(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 4);
    out.push('^');
    let mut rest = text;
    while let Some(at) = opening_quote(rest) {
        let (before, behind) = rest.split_at(at);
        fold_words(&mut out, before);
        let open = behind.chars().next().unwrap_or('"');
        let inside = &behind[open.len_utf8()..];
        match closing_quote(inside, open) {
            Some((end, width)) => {
                let quoted = &inside[..end];
                let short = open != '`' && quoted.split_whitespace().count() < 2;
                fold_words(&mut out, if short { quoted } else { "x" });
                rest = &inside[end + width..];
            }
            None => rest = inside,
        }
    }
    fold_words(&mut out, rest);
    if !out.ends_with(' ') {
        out.push(' ');
    }
    out.push('$');
    out
}

/// Where a quote or code begins. A single mark opens one only behind a space; elsewhere it is an apostrophe.
fn opening_quote(text: &str) -> Option<usize> {
    let mut before = ' ';
    for (at, c) in text.char_indices() {
        let opens = match c {
            '`' | '"' | '“' | '«' => true,
            '\'' | '‘' => before.is_whitespace() || matches!(before, '(' | '[' | ':'),
            _ => false,
        };
        if opens {
            return Some(at);
        }
        before = c;
    }
    None
}

/// Where a quote ends, and how long the mark is. One of single marks ends before something that is no letter.
fn closing_quote(inside: &str, open: char) -> Option<(usize, usize)> {
    let close = match open {
        '“' => '”',
        '«' => '»',
        '‘' => '’',
        same => same,
    };
    let single = matches!(open, '\'' | '‘');
    let ends = |at: usize| {
        let next = inside[at + close.len_utf8()..].chars().next();
        !single || next.is_none_or(|next| !next.is_alphanumeric())
    };
    let (at, _) = inside.match_indices(close).find(|(at, _)| ends(*at))?;
    Some((at, close.len_utf8()))
}

/// Appends the words of a text, each behind one space.
fn fold_words(out: &mut String, text: &str) {
    let mut in_word = false;
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        if matches!(c, '\'' | '’' | '‘') {
            continue;
        }
        // `always_use_cache` is one name.
        if c == '_' && in_word && chars.peek().is_some_and(|next| next.is_alphanumeric()) {
            out.push(c);
            continue;
        }
        if !c.is_alphanumeric() && !is_combining_mark(c) {
            in_word = false;
            continue;
        }
        if !in_word {
            out.push(' ');
            in_word = true;
        }
        if c.is_ascii() {
            out.push(c.to_ascii_lowercase());
            continue;
        }
        for lower in c.to_lowercase() {
            decompose_canonical(lower, |piece| {
                if !is_combining_mark(piece) {
                    out.push(piece);
                }
            });
        }
    }
}

/// The words of a folded sentence.
pub(super) fn words(folded: &str) -> impl Iterator<Item = &str> {
    folded.split(' ').filter(|word| !word.is_empty() && *word != "^" && *word != "$")
}

/// Words that only lead into a sentence.
const FILLERS: &[&str] = &[
    "ok",
    "nah",
    "nope",
    "okay",
    "yeah",
    "yep",
    "yes",
    "so",
    "and",
    "also",
    "great",
    "hmm",
    "well",
    "cool",
    "btw",
    "right",
    "alright",
    "then",
    "oh",
    "ah",
    "fine",
    "agreed",
    "sure",
    "perfect",
    "good",
    "nice",
    "hey",
    "but",
    "fair",
    "understood",
    "thanks",
    "actually",
    "wait",
    "entao",
    "ta",
    "certo",
    "beleza",
    "blz",
    "bom",
    "boa",
    "pronto",
    "e",
    "mas",
    "sim",
    "claro",
    "portanto",
    "perfeito",
    "isso",
    "legal",
    "show",
    "opa",
    "olha",
    "verdade",
    "combinado",
    "fechado",
    "hum",
    "ora",
    "bem",
    "otimo",
    "optimo",
    "entendi",
    "convenceste",
    "me",
];

/// The folded sentence without the words that only lead into it.
pub(super) fn without_fillers(folded: &str) -> String {
    let inner = folded.trim_start_matches("^ ").trim_start_matches('^').trim_end_matches('$').trim();
    let mut rest = inner;
    while let Some((word, behind)) = rest.split_once(' ') {
        if !FILLERS.contains(&word) {
            break;
        }
        rest = behind;
    }
    format!("^ {rest} $")
}

/// Marks that stand before an item of a list.
pub(super) fn without_marker(line: &str) -> &str {
    let line = line.trim_start();
    for mark in ["- ", "* ", "+ ", "• ", "– "] {
        if let Some(rest) = line.strip_prefix(mark) {
            return rest.trim_start();
        }
    }
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let letter = line.bytes().next().is_some_and(|b| b.is_ascii_alphabetic());
    let width = if digits > 0 && digits < 4 { digits } else { usize::from(letter) };
    if width > 0
        && let Some(rest) = line.get(width..)
    {
        let dotted = rest.strip_prefix(") ").or_else(|| rest.strip_prefix(". ").filter(|_| digits > 0));
        return dotted.unwrap_or(line).trim_start();
    }
    line
}

/// The form in which a text is kept: whole, without markdown, with a capital letter, cut at a word.
pub(super) fn clean(text: &str) -> String {
    let text = without_marker(text.trim());
    let mut out = String::with_capacity(text.len());
    let mut code = false;
    let mut before = ' ';
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        if c == '`' {
            code = !code;
        }
        let emphasis = !code
            && match c {
                '*' => true,
                '_' | '~' => chars.peek() == Some(&c) || before == c,
                _ => false,
            };
        // A star between spaces is a sign of arithmetic.
        let lone_star = c == '*' && before.is_whitespace() && chars.peek().is_some_and(|c| c.is_whitespace());
        if c.is_whitespace() || c.is_control() {
            if !out.ends_with(' ') && !out.is_empty() {
                out.push(' ');
            }
        } else if !emphasis || lone_star {
            out.push(c);
        }
        before = c;
    }
    let kept = unlinked(out.trim());
    let kept = kept.trim().trim_end_matches([',', ';', ':', '—', '–']).trim_end();
    cut(&capitalised(kept.trim_start_matches([',', ';', ':', '—', '–', '.', ')']).trim_start()))
}

/// Links as their names.
fn unlinked(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("](") {
        let Some(open) = rest[..at].rfind('[') else {
            out.push_str(&rest[..at + 2]);
            rest = &rest[at + 2..];
            continue;
        };
        let Some(close) = rest[at..].find(')') else { break };
        out.push_str(&rest[..open]);
        out.push_str(&rest[open + 1..at]);
        rest = &rest[at + close + 1..];
    }
    out.push_str(rest);
    out
}

/// With a capital letter, unless the first word is a name in code.
fn capitalised(text: &str) -> String {
    let first = text.split_whitespace().next().unwrap_or("");
    let name =
        first.contains(['_', '/', '`', '(', ':', '@', '=']) || first.trim_end_matches('.').contains('.');
    let inner_capital = first.chars().skip(1).any(char::is_uppercase);
    let mut chars = text.chars();
    match chars.next() {
        Some(c) if c.is_lowercase() && !name && !inner_capital => c.to_uppercase().chain(chars).collect(),
        _ => text.to_owned(),
    }
}

/// At most [`LONGEST`] characters, cut behind a word where something is left out.
pub(super) fn cut(text: &str) -> String {
    if text.chars().count() <= LONGEST {
        return text.to_owned();
    }
    let end = text.char_indices().nth(LONGEST - 1).map_or(text.len(), |(at, _)| at);
    let head = &text[..end];
    let whole = head.rfind(char::is_whitespace).filter(|at| *at > end / 2).map_or(head, |at| &head[..at]);
    format!("{}…", whole.trim_end_matches([',', ';', ':', ' ']))
}

/// The folded words of a text in their order, those of code and quotes as well.
pub(super) fn spoken(text: &str) -> Vec<String> {
    let mut folded = String::with_capacity(text.len() + 1);
    fold_words(&mut folded, text);
    words(&folded).map(str::to_owned).collect()
}

/// The content words of a text, sorted, for comparing two texts.
pub(super) fn content(text: &str) -> Vec<String> {
    let mut content = spoken(text);
    content.retain(|word| {
        word.len() > 1 && !is_stop(word, Language::English) && !is_stop(word, Language::Portuguese)
    });
    content.sort_unstable();
    content.dedup();
    content
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folded_form() {
        for (text, expect) in [
            ("We don't use X, ok?", "^ we dont use x ok $"),
            ("Decisão: não `usar isto` já", "^ decisao nao x ja $"),
            ("he said \"we decided that\" twice", "^ he said x twice $"),
            ("types 'remember that', then 'x'", "^ types x then x $"),
            ("the users' data isn't 'theirs' yet", "^ the users data isnt theirs yet $"),
            ("rename it to always_use_cache, _now_", "^ rename it to always_use_cache now $"),
            ("the “herald” name", "^ the herald name $"),
            ("", "^ $"),
            ("open ` only", "^ open only $"),
        ] {
            assert_eq!(folded(text), expect, "{text}");
        }
        assert_eq!(without_fillers("^ ok so lets go $"), "^ lets go $");
        assert_eq!(without_fillers("^ ok $"), "^ ok $");
    }

    #[test]
    fn clean_form() {
        for (text, expect) in [
            ("- **use** `a_b` for  it", "Use `a_b` for it"),
            ("1. first, then", "First, then"),
            ("a) second", "Second"),
            ("see [the docs](http://x/y) for 2 * 3", "See the docs for 2 * 3"),
            ("src/a.rs is odd", "src/a.rs is odd"),
            ("iOS is odd:", "iOS is odd"),
            ("água fria", "Água fria"),
            ("__init__ stays `__init__`", "Init stays `__init__`"),
        ] {
            assert_eq!(clean(text), expect, "{text}");
        }
        let long = clean(&"word ".repeat(100));
        assert!(long.chars().count() <= LONGEST && long.ends_with("word…"), "{long}");
        assert_eq!(clean(&"é".repeat(500)).chars().count(), LONGEST);
    }
}
