//! What links a name to its value: `=`, `:`, a tag, a table cell, an option's space, or a verb.
//!
//! The words between a name and a verb are few, so reading a link takes a bounded number of steps.

use std::ops::Range;

use super::marker::OPEN;
use super::shape::is_word;

/// A link and the place where the value begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Link {
    pub(super) how: How,
    pub(super) value: usize,
    pub(super) query: Query,
}

/// The manner of a link.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum How {
    /// `name=value`, without white space around the sign.
    Assign,
    /// `name = value`, `name: value`, `--name value`, `| name | value |`.
    Set,
    /// `name("value")` or `"name", "value"`: only a quoted value counts.
    Called,
    /// `<name>value<`
    Tagged,
    /// `the name is value`
    Said,
    /// `name value`: nothing but a space.
    Beside,
}

/// Whether the name is a parameter of an address, whose value ends at `&`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Query {
    Inside,
    Outside,
}

/// The links after a name, the closest first. What stands closest is judged first, so that masking what
/// stands further on does not change what is read here.
pub(super) fn after(bytes: &[u8], name: &Range<usize>) -> impl Iterator<Item = Link> {
    let before = name.start.checked_sub(1).and_then(|at| bytes.get(at)).copied().unwrap_or(b' ');
    let query = if matches!(before, b'?' | b'&') { Query::Inside } else { Query::Outside };
    let rest = bytes.get(name.end..).unwrap_or_default();
    let closed = name.end + rest.iter().take(4).take_while(|b| b"\"'`*])\\?".contains(b)).count();
    let spaced = closed + spaces(bytes, closed);
    let sides = Sides { before, closed, spaced, name };
    let sign = signed(bytes, &sides).map(|(how, value)| Link { how, value, query });
    let typed = if sign.is_some() { typed(bytes, spaced) } else { None };
    let typed = typed.map(|value| Link { how: How::Set, value, query });
    let beside = Link { how: How::Beside, value: spaced, query };
    let quoted = closed > name.end && matches!(before, b'"' | b'\'');
    let sentence = sign.is_none() && closed < spaced;
    let said = if sentence && !quoted { said(bytes, spaced) } else { None };
    let said = said.map(|(how, value)| Link { how, value, query });
    sign.into_iter().chain(typed).chain(sentence.then_some(beside)).chain(said)
}

/// A name and what stands around it.
struct Sides<'n> {
    before: u8,
    /// The end of the quotes and brackets that close after the name.
    closed: usize,
    /// The end of the white space after them.
    spaced: usize,
    name: &'n Range<usize>,
}

/// A link by a sign rather than by words.
fn signed(bytes: &[u8], sides: &Sides<'_>) -> Option<(How, usize)> {
    let &Sides { before, closed, spaced, name } = sides;
    let tight = spaced == closed;
    let quoted = closed > name.end && matches!(before, b'"' | b'\'');
    let set = |how: How, at: usize| Some((how, at + spaces(bytes, at)));
    if let Some(value) = fallback(bytes, spaced) {
        return Some((How::Called, value));
    }
    if let Some(value) = valued(bytes, closed) {
        return Some((How::Set, value));
    }
    match bytes.get(spaced..)? {
        [b'=', b'~', ..] => None,
        [b'=' | b'!' | b'?' | b'+', ..] => {
            let signs = bytes.get(spaced..)?.iter().take(4).take_while(|b| b"=!?+>".contains(b)).count();
            let assigns = bytes.get(spaced..spaced + signs)?.contains(&b'=');
            let at = spaced + signs;
            let close = tight && signs == 1 && bytes.get(at).is_some_and(|b| !b.is_ascii_whitespace());
            if assigns { set(if close { How::Assign } else { How::Set }, at) } else { None }
        }
        [b':', b':', ..] => None,
        [b':', b'=', ..] => set(How::Set, spaced + 2),
        [b':', ..] => {
            let bold = bytes.get(spaced + 1..)?.iter().take(2).take_while(|b| **b == b'*').count();
            Some((How::Set, line_start(bytes, spaced + 1 + bold)))
        }
        [b'>', ..] if before == b'<' && closed == name.end => set(How::Tagged, spaced + 1),
        [b'|', ..] => set(How::Said, spaced + 1),
        [b'(', b'"' | b'\'', ..] if tight => set(How::Called, spaced + 1),
        [b'(', ..] if tight => Some((How::Beside, spaced + 1)),
        [b',', ..] if quoted => set(How::Called, spaced + 1),
        [_, ..] if !tight && is_option(bytes, name) => Some((How::Set, spaced)),
        _ => None,
    }
}

/// The place of a quoted value that stands in for a missing variable: `env("NAME") or "…"`.
fn fallback(bytes: &[u8], at: usize) -> Option<usize> {
    let rest = bytes.get(at..)?;
    let length = ["or ", "|| ", "?? "].iter().find(|sign| rest.starts_with(sign.as_bytes()))?.len();
    matches!(rest.get(length), Some(b'"' | b'\'')).then_some(at + length)
}

/// The place of a value that is named so, behind a name that is itself one: `key="Password" value="…"`,
/// `name: PASSWORD` with `value: …` on the next line.
fn valued(bytes: &[u8], at: usize) -> Option<usize> {
    let comma = at + usize::from(bytes.get(at) == Some(&b','));
    let space = bytes.get(comma..)?.iter().take(60).take_while(|b| b.is_ascii_whitespace()).count();
    let rest = bytes.get(comma + space..).filter(|_| space > 0)?;
    let quote = usize::from(rest.first() == Some(&b'"'));
    let word = rest.get(quote..)?.get(..5).filter(|word| word.eq_ignore_ascii_case(b"value"))?;
    let sign = comma + space + 2 * quote + word.len();
    let closed = quote == 0 || bytes.get(sign - 1) == Some(&b'"');
    let value = sign + 1 + spaces(bytes, sign + 1);
    (closed && matches!(bytes.get(sign), Some(b'=' | b':'))).then_some(value)
}

/// The place of the second of two words behind a sign: `: ana / …`.
pub(super) fn second(bytes: &[u8], name: usize) -> Option<usize> {
    let sign = name + spaces(bytes, name);
    let first = sign + 1 + spaces(bytes, sign + 1);
    let is_user = |b: u8| b.is_ascii_alphanumeric() || b"._@+-".contains(&b);
    let length = bytes.get(first..)?.iter().take(64).take_while(|b| is_user(**b)).count();
    let slash = first + length + spaces(bytes, first + length);
    let told = length > 0 && matches!(bytes.get(sign), Some(b':' | b'=')) && bytes.get(slash) == Some(&b'/');
    told.then(|| slash + 1 + spaces(bytes, slash + 1))
}

/// White space within a line, as much as an aligned column needs.
fn spaces(bytes: &[u8], at: usize) -> usize {
    bytes.get(at..).unwrap_or_default().iter().take(40).take_while(|b| matches!(b, b' ' | b'\t')).count()
}

/// Where a value begins after a colon: on this line, or alone on the next one or the one after it.
fn line_start(bytes: &[u8], at: usize) -> usize {
    let on_line = at + spaces(bytes, at);
    let block = block(bytes.get(on_line..).unwrap_or_default());
    let rest = bytes.get(on_line + block..).unwrap_or_default();
    let breaks = rest.iter().take(6).take_while(|b| matches!(b, b'\n' | b'\r')).count();
    let start = on_line + block + breaks;
    let start = if block > 0 { start + spaces(bytes, start) } else { start };
    let word = bytes
        .get(start..)
        .unwrap_or_default()
        .iter()
        .take(200)
        .take_while(|b| !b.is_ascii_whitespace())
        .count();
    let alone = bytes.get(start + word).is_none_or(|b| matches!(b, b'\n' | b'\r'));
    if breaks > 0 && alone { start } else { on_line }
}

/// The length of what begins a block of lines in YAML, such as `>-`, or 0.
fn block(rest: &[u8]) -> usize {
    let begins = matches!(rest.first(), Some(b'>' | b'|'));
    let marks = rest.iter().skip(1).take(2).take_while(|b| b"+-123456789".contains(b)).count();
    let ends = matches!(rest.get(1 + marks), Some(b'\n' | b'\r'));
    if begins && ends { 1 + marks } else { 0 }
}

/// The place after `=` where a type stands between the colon and it, as in `KEY: &str = "…"`.
fn typed(bytes: &[u8], colon: usize) -> Option<usize> {
    let at = colon + usize::from(bytes.get(colon) == Some(&b':'));
    let start = at + spaces(bytes, at);
    let in_type = |b: u8| is_word(b) || b"&'<>[]., ?:|".contains(&b);
    let length = bytes.get(start..)?.iter().take(48).take_while(|b| in_type(**b)).count();
    let sign = start + length;
    let value = sign + 1 + spaces(bytes, sign + 1);
    let quoted = matches!(bytes.get(value), Some(b'"' | b'\'' | b'`'));
    let told = at > colon && bytes.get(sign) == Some(&b'=') && quoted;
    (told && is_type(bytes.get(start..sign)?.trim_ascii_end())).then_some(value)
}

/// Words of a type before which another one stands.
const BEFORE_TYPE: &[&[u8]] = &[b"mut", b"dyn", b"const", b"static", b"final", b"readonly", b"unsigned"];

/// Whether a text reads like a type. The words of a sentence stand apart; those of a type do so only inside brackets,
/// beside `|`, and behind a few words of their own.
fn is_type(text: &[u8]) -> bool {
    let mut depth = 0_usize;
    let apart = text.iter().enumerate().any(|(at, byte)| match byte {
        b'<' | b'[' => {
            depth += 1;
            false
        }
        b'>' | b']' => {
            depth = depth.saturating_sub(1);
            false
        }
        b',' => depth == 0,
        b' ' if depth == 0 => {
            let before = text.get(..at).unwrap_or_default();
            let word = before.rsplit(|b| *b == b' ').next().unwrap_or_default();
            let leads = word.starts_with(b"&'") || BEFORE_TYPE.contains(&word.trim_ascii_start());
            let either = before.ends_with(b"|") || text.get(at + 1) == Some(&b'|');
            !(leads || either || word == b"&mut")
        }
        _ => false,
    });
    let masked = text.windows(OPEN.len()).any(|window| window == OPEN.as_bytes());
    !text.is_empty() && !apart && !masked
}

fn is_option(bytes: &[u8], name: &Range<usize>) -> bool {
    matches!(bytes.get(..name.start), Some([.., b'-', b'-'] | [.., b' ', b'-'] | [b'-']))
}

/// How many words may stand between a name and its verb.
const WORDS: usize = 6;

/// Verbs after which the value stands.
const VERBS: &[&str] = &["is", "was", "equals", "é", "É", "eh", "foi", "era", "será", "->", "→"];

/// Particles after which it may stand.
const PARTICLES: &[&str] = &["to", "as", "e", "para", "como"];

/// Words that may stand between the verb and the value.
#[rustfmt::skip]
const ADVERBS: &[&str] = &[
    "now", "still", "currently", "just", "set", "changed", "updated", "reset", "to", "be", "simply", "only",
    "this", "agora", "ainda", "sempre", "isso", "alterada", "mudada", "trocada", "para",
];

/// Where the value stands in a sentence: after the verb or after a sign.
fn said(bytes: &[u8], start: usize) -> Option<(How, usize)> {
    let mut at = start;
    for _ in 0..WORDS {
        let length = word(bytes, at);
        let end = at + length;
        let found = bytes.get(at..end)?;
        let spaced = spaces(bytes, end);
        if is_one_of(found, VERBS) {
            return Some((How::Said, skip_adverbs(bytes, end)));
        }
        if is_one_of(found, PARTICLES) {
            return Some((How::Beside, end + spaced));
        }
        match bytes.get(end + spaced..) {
            Some([b':' | b'=', next, ..]) if *next != b':' && length > 0 => {
                let value = end + spaced + 1;
                return Some((How::Said, value + spaces(bytes, value)));
            }
            _ if length == 0 || spaced == 0 || found.ends_with(b".") => break,
            _ => at = end + spaced,
        }
    }
    None
}

fn skip_adverbs(bytes: &[u8], end: usize) -> usize {
    let colon = usize::from(bytes.get(end) == Some(&b':'));
    let mut at = end + colon + spaces(bytes, end + colon);
    for _ in 0..3 {
        let length = word(bytes, at);
        if !bytes.get(at..at + length).is_some_and(|w| is_one_of(w, ADVERBS)) {
            break;
        }
        at += length + spaces(bytes, at + length);
    }
    at
}

/// The length of a word of a sentence, with the brackets around it.
fn word(bytes: &[u8], at: usize) -> usize {
    let stops = |b: u8| b.is_ascii_whitespace() || b.is_ascii_control() || b"\"'`<>;,:[]{}|!?".contains(&b);
    bytes.get(at..).unwrap_or_default().iter().take(40).take_while(|b| !stops(**b)).count()
}

fn is_one_of(word: &[u8], words: &[&str]) -> bool {
    words.iter().any(|known| word.eq_ignore_ascii_case(known.as_bytes()))
}
