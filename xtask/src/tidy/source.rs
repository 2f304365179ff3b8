//! A small reader of Rust: enough to see modules, paths and words in code, without comments, strings and tests.

/// A word or a sign of code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Token {
    Word(String),
    /// `::` stands as one sign; every other sign by itself.
    Sign(&'static str),
    Other(char),
}

impl Token {
    pub(super) fn is(&self, text: &str) -> bool {
        match self {
            Self::Word(word) => word == text,
            Self::Sign(sign) => *sign == text,
            Self::Other(c) => text.len() == c.len_utf8() && text.starts_with(*c),
        }
    }

    pub(super) fn word(&self) -> Option<&str> {
        match self {
            Self::Word(word) => Some(word),
            _ => None,
        }
    }
}

/// The code of a file, less everything that is compiled for tests only.
pub(super) fn code(text: &str) -> Vec<Token> {
    without_tests(&tokens(text))
}

/// The modules that a file declares in files of their own, in their order.
pub(super) fn declared(code: &[Token]) -> Vec<String> {
    let mut found = Vec::new();
    for three in code.windows(3) {
        if let [first, Token::Word(name), end] = three
            && first.is("mod")
            && end.is(";")
        {
            found.push(name.clone());
        }
    }
    found
}

/// Words and signs; comments are left out and literals stand as one empty sign.
pub(super) fn tokens(text: &str) -> Vec<Token> {
    let mut out = Vec::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let taken = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            block_comment(rest)
        } else if let Some(length) = literal(rest) {
            out.push(Token::Sign(""));
            length
        } else if c.is_alphabetic() || c == '_' {
            let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
            out.push(Token::Word(rest[..end].to_owned()));
            end
        } else if rest.starts_with("::") {
            out.push(Token::Sign("::"));
            2
        } else {
            if !c.is_whitespace() {
                out.push(Token::Other(c));
            }
            c.len_utf8()
        };
        rest = &rest[taken..];
    }
    out
}

fn block_comment(text: &str) -> usize {
    let mut depth = 0_usize;
    let mut at = 0;
    while at < text.len() {
        if text[at..].starts_with("/*") {
            depth += 1;
            at += 2;
        } else if text[at..].starts_with("*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return at;
            }
        } else {
            at += text[at..].chars().next().map_or(1, char::len_utf8);
        }
    }
    text.len()
}

/// The length of a string, raw string, byte string or character at the start of a text.
fn literal(text: &str) -> Option<usize> {
    let prefix = ["br", "cr", "r", "b", "c", ""].into_iter().find(|prefix| {
        let rest = text.strip_prefix(prefix);
        rest.is_some_and(|rest| {
            let quoted = rest.trim_start_matches('#').starts_with('"');
            let raw = prefix.ends_with('r');
            if raw { quoted } else { rest.starts_with('"') }
        })
    });
    if let Some(prefix) = prefix {
        let rest = &text[prefix.len()..];
        let hashes = rest.len() - rest.trim_start_matches('#').len();
        let body = prefix.len() + hashes + 1;
        if prefix.ends_with('r') {
            let close = format!("\"{}", "#".repeat(hashes));
            return Some(text[body..].find(&close).map_or(text.len(), |at| body + at + close.len()));
        }
        return Some(body + escaped_until(&text[body..], '"'));
    }
    let rest = text.strip_prefix("b'").or_else(|| text.strip_prefix('\''))?;
    let before = text.len() - rest.len();
    let mut chars = rest.chars();
    match (chars.next()?, chars.next()?) {
        ('\\', _) => Some(before + escaped_until(rest, '\'')),
        (c, '\'') => Some(before + c.len_utf8() + 1),
        // A lifetime: the quote is passed over and the name is read as a word.
        _ => Some(before),
    }
}

fn escaped_until(text: &str, close: char) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            c if c == close => return at + c.len_utf8(),
            _ => {}
        }
    }
    text.len()
}

/// Leaves out every item that stands under `#[cfg(test)]` or a `cfg` that needs it.
fn without_tests(tokens: &[Token]) -> Vec<Token> {
    let mut out = Vec::with_capacity(tokens.len());
    let mut at = 0;
    while at < tokens.len() {
        let Some(end) = attribute_end(tokens, at) else {
            out.push(tokens[at].clone());
            at += 1;
            continue;
        };
        let inner: Vec<&str> = tokens[at..end].iter().filter_map(Token::word).collect();
        if inner == ["cfg", "test"] {
            at = item_end(tokens, end);
        } else {
            out.extend_from_slice(&tokens[at..end]);
            at = end;
        }
    }
    out
}

/// Where the attribute that begins here ends.
fn attribute_end(tokens: &[Token], at: usize) -> Option<usize> {
    if !tokens.get(at)?.is("#") || !tokens.get(at + 1)?.is("[") {
        return None;
    }
    closing(tokens, at + 1)
}

/// The place after the bracket that closes the one here.
fn closing(tokens: &[Token], at: usize) -> Option<usize> {
    let mut depth = 0_usize;
    for (n, token) in tokens.iter().enumerate().skip(at) {
        if ["(", "[", "{"].iter().any(|open| token.is(open)) {
            depth += 1;
        } else if [")", "]", "}"].iter().any(|close| token.is(close)) {
            depth -= 1;
            if depth == 0 {
                return Some(n + 1);
            }
        }
    }
    None
}

/// Where the item that begins here ends: after its `;`, or after the block that it has.
fn item_end(tokens: &[Token], from: usize) -> usize {
    let mut at = from;
    while let Some(token) = tokens.get(at) {
        if let Some(end) = attribute_end(tokens, at) {
            at = end;
        } else if token.is(";") || token.is(",") {
            return at + 1;
        } else if token.is("{") {
            return closing(tokens, at).unwrap_or(tokens.len());
        } else if token.is("(") || token.is("[") {
            at = closing(tokens, at).unwrap_or(tokens.len());
        } else {
            at += 1;
        }
    }
    at
}

#[test]
fn the_reader_sees_code_and_nothing_else() {
    let words = |text: &str| -> Vec<String> {
        code(text).iter().filter_map(Token::word).map(str::to_owned).collect()
    };
    for (text, expect) in [
        ("a // b\nc /* d /* e */ f */ g", "a c g"),
        (r##"a "b\" c" r#"d " e"# b'f' '"' g"##, "a g"),
        ("fn a<'x>(b: &'x str) -> char { '\\'' }", "fn a x b x str char"),
        ("#[cfg(test)]\nmod tests { fn a() {} }\nfn b() {}", "fn b"),
        ("#[cfg(test)]\n#[allow(x)]\npub(crate) mod tests;\nmod c;", "mod c"),
        ("#[cfg(test)]\nfn a(b: [u8; 3]) -> u8 { 1 }\nc", "c"),
        ("#[cfg(any(test, feature = \"faulty\"))]\nmod d;", "cfg any test feature mod d"),
    ] {
        assert_eq!(words(text).join(" "), expect, "{text}");
    }
    assert_eq!(declared(&code("mod a;\npub mod b;\nmod c {}\n#[cfg(test)] mod d;")), ["a", "b"]);
}
