//! What a character means for words: a table for ASCII, ranges for the rest.

use unicode_normalization::char::is_combining_mark;

/// The part that one character plays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Class {
    /// Ends a word.
    Gap,
    /// A lower-case ASCII letter.
    Lower,
    /// An upper-case ASCII letter.
    Upper,
    /// An ASCII digit.
    Digit,
    /// Holds the parts of an identifier together if a word goes on behind it.
    Join,
    /// `'` or `’`: part of a word between letters.
    Apostrophe,
    /// Ignored inside words: controls, zero-width characters, soft hyphens.
    Quiet,
    /// A letter or digit outside ASCII.
    Letter,
    /// Attaches to the letter before it.
    Mark,
    /// Of a script without spaces between words: pairs of characters are its words.
    Dense,
    /// A picture that is a word of its own.
    Emoji,
    /// The first byte of a character outside ASCII; only the table says so.
    Wide,
}

/// The class of a byte; `Wide` from 128 on.
pub(super) fn of_byte(byte: u8) -> Class {
    TABLE[byte as usize]
}

/// The class of any character.
pub(super) fn of_char(c: char) -> Class {
    match u8::try_from(c) {
        Ok(byte) if byte < 128 => TABLE[byte as usize],
        _ => wide(c),
    }
}

impl Class {
    /// Whether a word may begin with it and an identifier go on with it.
    pub(super) fn begins_word(self) -> bool {
        matches!(self, Self::Lower | Self::Upper | Self::Digit | Self::Letter)
    }
}

const TABLE: [Class; 256] = table();

const fn table() -> [Class; 256] {
    let mut table = [Class::Gap; 256];
    let mut at = 0;
    while at < 256 {
        let byte = at as u8;
        table[at] = match byte {
            b'a'..=b'z' => Class::Lower,
            b'A'..=b'Z' => Class::Upper,
            b'0'..=b'9' => Class::Digit,
            b'.' | b'_' | b'-' | b'/' | b':' | b'@' | b'\\' => Class::Join,
            b'\'' => Class::Apostrophe,
            b'\t'..=b'\r' => Class::Gap,
            0..=0x1f | 0x7f => Class::Quiet,
            128.. => Class::Wide,
            _ => Class::Gap,
        };
        at += 1;
    }
    table
}

fn wide(c: char) -> Class {
    match c {
        '\u{2019}' | '\u{02bc}' => Class::Apostrophe,
        '\u{85}' => Class::Gap,
        '\u{80}'..='\u{9f}'
        | '\u{ad}'
        | '\u{34f}'
        | '\u{61c}'
        | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200f}'
        | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}'
        | '\u{fe00}'..='\u{fe0f}'
        | '\u{feff}'
        | '\u{1f3fb}'..='\u{1f3ff}'
        | '\u{e0000}'..='\u{e0fff}' => Class::Quiet,
        '\u{c0}'..='\u{24f}' if c != '×' && c != '÷' => Class::Letter,
        _ if is_dense(c) => Class::Dense,
        _ if is_emoji(c) => Class::Emoji,
        _ if c.is_alphanumeric() => Class::Letter,
        _ if is_combining_mark(c) => Class::Mark,
        _ => Class::Gap,
    }
}

/// Han, kana, Hangul, Bopomofo, Yi, and the scripts of South-East Asia that write words without spaces.
pub fn is_dense(c: char) -> bool {
    let in_script = matches!(c,
        '\u{0e01}'..='\u{0e4e}'
        | '\u{0e81}'..='\u{0ecd}'
        | '\u{1000}'..='\u{109d}'
        | '\u{1100}'..='\u{11ff}'
        | '\u{1780}'..='\u{17d3}'
        | '\u{2e80}'..='\u{2fd5}'
        | '\u{3005}'..='\u{3007}'
        | '\u{3021}'..='\u{312f}'
        | '\u{3130}'..='\u{318f}'
        | '\u{31a0}'..='\u{31ff}'
        | '\u{3400}'..='\u{4dbf}'
        | '\u{4e00}'..='\u{9fff}'
        | '\u{a000}'..='\u{a48c}'
        | '\u{a960}'..='\u{a97f}'
        | '\u{ac00}'..='\u{d7fb}'
        | '\u{f900}'..='\u{faff}'
        | '\u{ff66}'..='\u{ffdc}'
        | '\u{1b000}'..='\u{1b2ff}'
        | '\u{20000}'..='\u{3ffff}');
    in_script && (c.is_alphanumeric() || is_combining_mark(c) || matches!(c, '\u{ff9e}' | '\u{ff9f}'))
}

fn is_emoji(c: char) -> bool {
    matches!(c,
        '\u{203c}' | '\u{2049}'
        | '\u{231a}' | '\u{231b}'
        | '\u{23e9}'..='\u{23fa}'
        | '\u{2600}'..='\u{27bf}'
        | '\u{2934}' | '\u{2935}'
        | '\u{2b05}'..='\u{2b07}'
        | '\u{2b1b}' | '\u{2b1c}' | '\u{2b50}' | '\u{2b55}'
        | '\u{1f000}'..='\u{1f0ff}'
        | '\u{1f170}'..='\u{1f1ff}'
        | '\u{1f200}'..='\u{1f265}'
        | '\u{1f300}'..='\u{1fbaf}')
}

/// Half of a flag; two of them are one emoji.
pub(super) fn is_flag_half(c: char) -> bool {
    matches!(c, '\u{1f1e6}'..='\u{1f1ff}')
}
