//! Makes text harmless for a terminal: what could steer it or hide in it is shown as an escape instead.
//!
//! Line ends and tabs stay. Control characters (and with them every ANSI sequence), direction controls and the
//! invisible tag characters become `\u{…}`; every other character is left as it is.

use std::borrow::Cow;
use std::fmt::Write;

/// The text with everything dangerous shown as an escape; borrowed where nothing was.
pub(crate) fn plain(text: &str) -> Cow<'_, str> {
    if !text.contains(dangerous) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if dangerous(c) {
            let _ = write!(shown, "\\u{{{:x}}}", u32::from(c));
        } else {
            shown.push(c);
        }
    }
    Cow::Owned(shown)
}

/// The text on one line: white space folded to single spaces, at most `longest` characters, `…` where cut.
pub(crate) fn folded(text: &str, longest: usize) -> String {
    // Words are taken one by one, so a huge text costs no more than what is shown of it.
    let mut line = String::new();
    let mut left = longest;
    for word in text.split_whitespace() {
        if !line.is_empty() {
            if left == 0 {
                line.push('…');
                return line;
            }
            line.push(' ');
            left -= 1;
        }
        let size = word.chars().take(left + 1).count();
        if size > left {
            line.extend(word.chars().take(left));
            line.push('…');
            return line;
        }
        line.push_str(word);
        left -= size;
    }
    line
}

fn dangerous(c: char) -> bool {
    match c {
        '\n' | '\t' => false,
        '\u{61c}' | '\u{200e}' | '\u{200f}' => true,
        '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => true,
        '\u{2028}' | '\u{2029}' | '\u{e0000}'..='\u{e007f}' => true,
        c => c.is_control(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_steers_a_terminal_is_shown() {
        for (given, shown) in [
            ("plain ação 日本 👩‍💻", "plain ação 日本 👩‍💻"),
            ("a\nb\tc", "a\nb\tc"),
            ("\u{1b}[31mred\u{1b}[0m", "\\u{1b}[31mred\\u{1b}[0m"),
            ("over\rwrite\u{8}", "over\\u{d}write\\u{8}"),
            ("\u{9b}2J", "\\u{9b}2J"),
            ("a\u{202e}b\u{2066}", "a\\u{202e}b\\u{2066}"),
            ("x\u{e0041}", "x\\u{e0041}"),
            ("\0", "\\u{0}"),
        ] {
            assert_eq!(plain(given), shown);
        }
    }

    #[test]
    fn folding_cuts_at_the_width() {
        for (given, longest, shown) in [
            ("a  b\n c", 10, "a b c"),
            ("abcdef", 6, "abcdef"),
            ("abcdefg", 6, "abcdef…"),
            ("abc def", 4, "abc …"),
            ("abc def", 3, "abc…"),
            ("é é é", 3, "é é…"),
            ("é é é", 4, "é é …"),
            ("", 5, ""),
        ] {
            assert_eq!(folded(given, longest), shown, "{given:?} {longest}");
        }
    }
}
