//! Words as the table knows them: ASCII letters and digits, accents taken off, cut at the humps of identifiers.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// Calls a function for each word of a text, case kept.
pub(super) fn each_word(text: &str, mut each: impl FnMut(&str)) {
    if text.is_ascii() {
        text.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty()).for_each(each);
        return;
    }
    let mut word = String::new();
    for c in text.nfkd() {
        if c.is_ascii_alphanumeric() {
            word.push(c);
        } else if let Some(plain) = plain_letters(c) {
            word.push_str(plain);
        } else if !is_silent(c) && !word.is_empty() {
            each(&word);
            word.clear();
        }
    }
    if !word.is_empty() {
        each(&word);
    }
}

/// The parts of a word between its humps: `parseHTTPHeader` is `parse`, `HTTP`, `Header`.
pub(super) fn humps(word: &str) -> impl Iterator<Item = &str> {
    let bytes = word.as_bytes();
    let starts_part = move |at: usize| {
        let upper = |n: usize| bytes.get(n).is_some_and(u8::is_ascii_uppercase);
        let lower = |n: usize| bytes.get(n).is_some_and(u8::is_ascii_lowercase);
        upper(at) && (!upper(at - 1) || lower(at + 1))
    };
    let mut from = 0;
    std::iter::from_fn(move || {
        if from >= word.len() {
            return None;
        }
        let end = (from + 1..word.len()).find(|&at| starts_part(at)).unwrap_or(word.len());
        let part = word.get(from..end);
        from = end;
        part
    })
}

/// Characters that do not end a word and leave nothing of themselves.
fn is_silent(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{200b}' | '\u{200c}' | '\u{200d}' | '\u{2060}' | '\u{feff}')
        || is_combining_mark(c)
}

/// Latin letters that have no decomposition.
fn plain_letters(c: char) -> Option<&'static str> {
    Some(match c {
        'ß' => "ss",
        'ẞ' => "SS",
        'æ' => "ae",
        'Æ' => "AE",
        'œ' => "oe",
        'Œ' => "OE",
        'ø' => "o",
        'Ø' => "O",
        'ł' => "l",
        'Ł' => "L",
        'đ' | 'ð' => "d",
        'Đ' | 'Ð' => "D",
        'þ' => "th",
        'Þ' => "TH",
        'ı' => "i",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(word: &str, expect: &[&str]) {
        assert_eq!(humps(word).collect::<Vec<_>>(), expect, "{word}");
    }

    #[test]
    fn humps_of_identifiers() {
        check("parseHTTPHeader2Text", &["parse", "HTTP", "Header2", "Text"]);
        check("HTTP", &["HTTP"]);
        check("x2Y", &["x2", "Y"]);
        check("aB", &["a", "B"]);
        check("word", &["word"]);
    }

    #[test]
    fn words_lose_accents_and_marks() {
        let mut words = Vec::new();
        each_word("Ação, ﬁne\u{200b}ness – straße 日本 x_y", |word| words.push(word.to_owned()));
        assert_eq!(words, ["Acao", "fineness", "strasse", "x", "y"]);
    }
}
