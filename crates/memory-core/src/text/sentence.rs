//! Where sentences end: at their signs, at line ends, and nowhere inside numbers, abbreviations or code.

use std::ops::Range;

use super::fold::folded;

/// The sentences of a text as byte ranges without the space around them, in order and without overlaps. Every line
/// begins a new one; a line of code is one.
pub fn sentences(text: &str) -> Sentences<'_> {
    Sentences { text, at: 0, line_end: 0, fenced: false, code: false }
}

/// What [`sentences`] walks with.
#[derive(Debug, Clone)]
pub struct Sentences<'a> {
    text: &'a str,
    at: usize,
    line_end: usize,
    fenced: bool,
    code: bool,
}

impl Iterator for Sentences<'_> {
    type Item = Range<usize>;

    fn next(&mut self) -> Option<Range<usize>> {
        loop {
            if self.at >= self.line_end {
                if self.at >= self.text.len() {
                    return None;
                }
                self.begin_line();
            }
            let line = self.text.get(self.at..self.line_end).unwrap_or_default();
            let length = if self.code { line.len() } else { sentence_length(line) };
            let start = self.at;
            self.at += length.max(1);
            if self.at >= self.line_end {
                self.at = self.line_end;
            }
            let found = line.get(..length).unwrap_or_default();
            let blank = found.len() - found.trim_start().len();
            let range = start + blank..start + found.trim_end().len();
            if self.at >= self.line_end {
                self.at += 1;
            }
            if !found.trim().is_empty() {
                return Some(range);
            }
        }
    }
}

impl Sentences<'_> {
    fn begin_line(&mut self) {
        let rest = self.text.get(self.at..).unwrap_or_default();
        self.line_end = self.at + rest.find('\n').unwrap_or(rest.len());
        let line = self.text.get(self.at..self.line_end).unwrap_or_default();
        let fence = line.trim_start().starts_with("```") || line.trim_start().starts_with("~~~");
        self.code = self.fenced || fence || line.starts_with("    ") || line.starts_with('\t');
        self.fenced ^= fence;
    }
}

/// The length of the first sentence of a line, with the space behind it.
fn sentence_length(line: &str) -> usize {
    let mut goes_on_before = 0;
    for (at, c) in line.char_indices() {
        match c {
            _ if at < goes_on_before => continue,
            '。' | '！' | '？' | '｡' => {}
            '.' | '!' | '?' | '…' => {
                let before = line.get(..at).unwrap_or_default();
                let behind = line.get(at + c.len_utf8()..).unwrap_or_default();
                let rest = behind.trim_start_matches(is_closing);
                let begins = rest.trim_start().chars().next();
                if !rest.is_empty() && !rest.starts_with(char::is_whitespace)
                    || begins.is_some_and(char::is_lowercase)
                {
                    // So it does behind every other sign of this run.
                    goes_on_before = line.len() - rest.len();
                    continue;
                }
                if c == '.' && is_abbreviation(before, begins) {
                    continue;
                }
            }
            _ => continue,
        }
        let behind = line.get(at + c.len_utf8()..).unwrap_or_default();
        let rest = behind.trim_start_matches(is_closing).trim_start();
        return line.len() - rest.len();
    }
    line.len()
}

fn is_closing(c: char) -> bool {
    matches!(
        c,
        '"' | '\''
            | ')'
            | ']'
            | '”'
            | '’'
            | '»'
            | '」'
            | '』'
            | '）'
            | '*'
            | '_'
            | '`'
            | '.'
            | '!'
            | '?'
            | '…'
            | '。'
            | '！'
            | '？'
    )
}

const ABBREVIATIONS: &[&str] = &[
    "al", "approx", "art", "av", "ca", "cf", "cap", "dr", "dra", "ed", "eg", "eng", "etc", "ex", "exa",
    "fig", "ie", "inc", "jr", "ltd", "max", "min", "mr", "mrs", "ms", "no", "num", "obs", "op", "pag", "pg",
    "pp", "prof", "profa", "resp", "sec", "sr", "sra", "srta", "st", "tel", "vol", "vs",
];

/// Words that are abbreviations only before a number.
const BEFORE_NUMBERS: &[&str] =
    &["no", "fig", "art", "cap", "max", "min", "ed", "pag", "pg", "sec", "vol", "num"];

/// Whether a dot behind this text only shortens a word: `Dr.`, `e.g.`, an initial, a number of a list.
fn is_abbreviation(before: &str, next: Option<char>) -> bool {
    let word =
        before.rsplit(|c: char| c.is_whitespace() || matches!(c, '(' | '[' | '"')).next().unwrap_or_default();
    let lone = word.chars().count() == 1 && word.chars().all(char::is_uppercase);
    let digits = !word.is_empty() && word.chars().all(|c| c.is_ascii_digit());
    let number = digits && before.strip_suffix(word).is_some_and(|before| before.trim_end().is_empty());
    if lone || number {
        return true;
    }
    if word.len() > 8 {
        return false;
    }
    let name: String = folded(word).chars().filter(|c| *c != '.').collect();
    if BEFORE_NUMBERS.contains(&name.as_str()) {
        return next.is_some_and(|c| c.is_ascii_digit());
    }
    // At the end of a text or line `etc.` ends its sentence like any word.
    ABBREVIATIONS.contains(&name.as_str()) && next.is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expect: &[&str]) {
        let found: Vec<&str> = sentences(text).map(|range| &text[range]).collect();
        assert_eq!(found, expect, "{text:?}");
    }

    #[test]
    fn where_sentences_end() {
        check("", &[]);
        check("  \n \n", &[]);
        check("One. Two! Three?", &["One.", "Two!", "Three?"]);
        check("One\nTwo", &["One", "Two"]);
        check("- a b\n- c d\r\n", &["- a b", "- c d"]);
        check("It costs 1.5 units. Ok.", &["It costs 1.5 units.", "Ok."]);
        check("See Dr. Who, e.g. Here. End", &["See Dr. Who, e.g. Here.", "End"]);
        check("J. Smith wrote it.", &["J. Smith wrote it."]);
        check("And so on, etc. and more.", &["And so on, etc. and more."]);
        check("Fig. 3 shows it. It says no. Then", &["Fig. 3 shows it.", "It says no.", "Then"]);
        check("1. First point. Second", &["1. First point.", "Second"]);
        check("He said \"Go.\" Then left...  Done", &["He said \"Go.\"", "Then left...", "Done"]);
        check("file.rs is here. yes", &["file.rs is here. yes"]);
        check("今日は晴れ。明日は雨！終", &["今日は晴れ。", "明日は雨！", "終"]);
        check("```\na. B. C\n```\nx. Y", &["```", "a. B. C", "```", "x.", "Y"]);
        check("    let a = b. C. D;\nText. More", &["let a = b. C. D;", "Text.", "More"]);
        check(". . !", &[".", ".", "!"]);
        check(
            "Well... so it goes?! he said. Etc.! Then",
            &["Well... so it goes?! he said.", "Etc.!", "Then"],
        );
    }
}
