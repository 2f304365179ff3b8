//! The pieces of an input: words, quoted phrases, operators, each with its minus.

/// A piece of the input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Piece<'a> {
    /// As it was typed.
    pub(super) typed: &'a str,
    /// Whether a minus stands before it.
    pub(super) negated: bool,
    /// What it is.
    pub(super) what: What<'a>,
}

/// What a piece is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum What<'a> {
    Word(&'a str),
    Phrase(&'a str),
    Operator(Operator, &'a str),
}

/// The operators.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Operator {
    Tag,
    Agent,
    Category,
    Kind,
    Since,
    Until,
}

fn operator_of(name: &str) -> Option<Operator> {
    Some(match name.to_lowercase().as_str() {
        "tag" | "etiqueta" => Operator::Tag,
        "agent" | "agente" => Operator::Agent,
        "category" | "categoria" => Operator::Category,
        "kind" | "tipo" => Operator::Kind,
        "since" | "desde" => Operator::Since,
        "until" | "até" | "ate" => Operator::Until,
        _ => return None,
    })
}

/// Splits an input. A quote that is never closed is text.
pub(super) fn pieces(input: &str) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let mut rest = input.trim_start();
    while !rest.is_empty() {
        let (piece, length) = first(rest);
        if let Some(piece) = piece {
            pieces.push(piece);
        }
        rest = rest.get(length.max(1)..).unwrap_or_default().trim_start();
    }
    pieces
}

/// The piece an input begins with, and its length.
fn first<'a>(input: &'a str) -> (Option<Piece<'a>>, usize) {
    let bare = input.strip_prefix('-').filter(|bare| may_follow_minus(bare));
    let (negated, body) = (bare.is_some(), bare.unwrap_or(input));
    let minus = usize::from(negated);
    let piece =
        |what: What<'a>, length: usize| Piece { typed: input.get(..length).unwrap_or(input), negated, what };
    if let Some(tag) = body.strip_prefix('#').filter(|_| negated) {
        let tag = tag.split(char::is_whitespace).next().unwrap_or(tag);
        let length = minus + 1 + tag.len();
        return (Some(piece(What::Operator(Operator::Tag, tag), length)), length);
    }
    if let Some((phrase, length)) = quoted(body) {
        let length = minus + length;
        let what = (!phrase.trim().is_empty()).then_some(What::Phrase(phrase));
        return (what.map(|what| piece(what, length)), length);
    }
    let word = body.split(char::is_whitespace).next().unwrap_or(body);
    if let Some((name, value)) = word.split_once(':')
        && let Some(operator) = operator_of(name)
    {
        let behind = body.get(name.len() + 1..).unwrap_or_default();
        let (value, taken) = quoted(behind).unwrap_or((value, value.len()));
        if !value.is_empty() && !value.starts_with([':', '/']) {
            let length = minus + name.len() + 1 + taken;
            return (Some(piece(What::Operator(operator, value), length)), length);
        }
    }
    let length = minus + word.len();
    (Some(piece(What::Word(word), length)), length)
}

/// A minus excludes what follows only if that begins like a word, a tag or a phrase: `-5`, `-i` and `--flag` are text.
fn may_follow_minus(bare: &str) -> bool {
    let mut signs = bare.chars();
    match (signs.next(), signs.next()) {
        (Some('"' | '“'), _) => quoted(bare).is_some(),
        (Some('#'), Some(c)) => c.is_alphanumeric(),
        // One letter of a script whose words are that short is a word.
        (Some(c), next) => {
            c.is_alphabetic() && (!c.is_ascii() || next.is_some_and(|next| !next.is_whitespace()))
        }
        (None, _) => false,
    }
}

/// Whether somebody may have meant to leave this text out: a number, or one letter as flags of commands have it.
pub(super) fn looks_left_out(typed: &str) -> bool {
    typed.strip_prefix('-').and_then(|bare| bare.chars().next()).is_some_and(char::is_alphanumeric)
}

/// The inside of the quotes an input begins with, and the length with the quotes.
fn quoted(input: &str) -> Option<(&str, usize)> {
    let (open, close) = match input.chars().next()? {
        '"' => ('"', '"'),
        '“' => ('“', '”'),
        _ => return None,
    };
    let inside = input.get(open.len_utf8()..)?;
    let end = inside.find(close)?;
    Some((inside.get(..end)?, open.len_utf8() + end + close.len_utf8()))
}
