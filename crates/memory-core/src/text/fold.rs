//! One spelling for a word: lower case, compatibility forms resolved, accents off, ignorable characters gone.
//!
//! Vowel signs of scripts that need them stay; only marks that a reader takes for accents are dropped.

use unicode_normalization::char::{decompose_compatible, is_combining_mark};

use super::class::{self, Class};

/// Appends the folded form of `text` to `out`, at most `most` characters of it. Apostrophes are left out.
pub(super) fn fold_into(out: &mut String, text: &str, most: usize) {
    if text.is_ascii() {
        let kept = text.bytes().filter(|&b| !matches!(class::of_byte(b), Class::Quiet | Class::Apostrophe));
        out.extend(kept.take(most).map(|b| char::from(b.to_ascii_lowercase())));
        return;
    }
    let mut left = most;
    for c in text.chars() {
        fold_char(c, &mut |folded| {
            if left > 0 {
                out.push(folded);
                left -= 1;
            }
        });
        if left == 0 {
            return;
        }
    }
}

/// The folded form of a word as a new string, for tables and tests.
pub fn folded(text: &str) -> String {
    let mut out = String::new();
    fold_into(&mut out, text, usize::MAX);
    out
}

fn fold_char(c: char, put: &mut impl FnMut(char)) {
    if c.is_ascii() {
        if !matches!(class::of_char(c), Class::Quiet | Class::Apostrophe) {
            put(c.to_ascii_lowercase());
        }
        return;
    }
    if matches!(class::of_char(c), Class::Quiet | Class::Apostrophe) {
        return;
    }
    decompose_compatible(c, |piece| {
        for lower in piece.to_lowercase() {
            let kept =
                piece == c || lower.is_alphanumeric() || is_combining_mark(lower) || lower == '\u{2044}';
            if is_accent(lower) || !kept {
                continue;
            }
            match spelled_out(lower) {
                Some(letters) => letters.chars().for_each(&mut *put),
                None => put(lower),
            }
        }
    });
}

/// Letters that Unicode does not take apart though readers do.
fn spelled_out(c: char) -> Option<&'static str> {
    Some(match c {
        'ß' => "ss",
        'æ' => "ae",
        'œ' => "oe",
        'ø' => "o",
        'ł' => "l",
        'đ' | 'ð' => "d",
        'þ' => "th",
        'ı' => "i",
        'ħ' => "h",
        'ŧ' => "t",
        'ŋ' => "n",
        'ĸ' => "k",
        'ς' => "σ",
        '\u{2044}' => "/",
        _ => return None,
    })
}

fn is_accent(c: char) -> bool {
    matches!(c,
        '\u{0300}'..='\u{036f}'
        | '\u{0483}'..='\u{0489}'
        | '\u{0591}'..='\u{05bd}'
        | '\u{05bf}' | '\u{05c1}' | '\u{05c2}' | '\u{05c4}' | '\u{05c5}' | '\u{05c7}'
        | '\u{0610}'..='\u{061a}'
        | '\u{064b}'..='\u{065f}'
        | '\u{0670}'
        | '\u{06d6}'..='\u{06dc}'
        | '\u{06df}'..='\u{06e4}'
        | '\u{1ab0}'..='\u{1aff}'
        | '\u{1dc0}'..='\u{1dff}'
        | '\u{20d0}'..='\u{20ff}'
        | '\u{fe20}'..='\u{fe2f}')
}
