//! Values beside a name: whether one is a secret, or code, a word, a path, a date, a placeholder.
//!
//! The name only raises the suspicion. What is masked must also look like a secret, judged by its length,
//! its kinds of characters, its entropy and how little it reads like words.

use super::checks::{entropy, naturalness};
use super::examples::{is_placeholder, is_reference};
use super::names::{Family, Name};

/// How a value is written, which says how much of it can be program text or prose.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// In quotes, or after `NAME=`: the text itself.
    Literal,
    /// Bare after `=` or `:`, where an expression may stand too.
    Code,
    /// In a sentence, where a word may stand too.
    Prose,
    /// Next to the name with nothing between, where most often a word stands.
    Beside,
}

/// Whether a value beside such a name is a secret.
pub(super) fn is_secret(value: &str, name: Name, form: Form) -> bool {
    // Next to a name most often stands an ordinary word; the cheapest look tells.
    let digit = || value.bytes().any(|b| b.is_ascii_digit());
    if form == Form::Beside && (value.len() < 8 || !digit()) {
        return false;
    }
    if is_reference(value)
        || is_placeholder(value)
        || is_path(value)
        || is_dated(value)
        || is_address(value)
        || is_pattern(value)
        || is_issue(value)
    {
        return false;
    }
    if value.bytes().any(|b| b.is_ascii_whitespace() || b.is_ascii_control()) {
        return false;
    }
    if form != Form::Literal && is_expression(value) {
        return false;
    }
    let traits = Traits::of(value);
    if form == Form::Beside
        && !(value.len() >= 8
            && traits.digits > 0
            && traits.letters > 0
            && (traits.marks || traits.mixed_case))
    {
        return false;
    }
    match name.family {
        Family::Password => is_password(value, &traits, name, form),
        Family::Secret => is_token(value, &traits, form),
        Family::Key => value.len() >= 16 && !is_uuid(value) && is_token(value, &traits, form),
    }
}

/// What a value is made of.
struct Traits {
    digits: usize,
    letters: usize,
    mixed_case: bool,
    /// Marks that names and paths do not contain.
    marks: bool,
    /// From 0, a random run, to 1, words.
    natural: f64,
}

impl Traits {
    fn of(value: &str) -> Traits {
        let count = |test: fn(&u8) -> bool| value.as_bytes().iter().filter(|b| test(b)).count();
        let (upper, lower) = (count(u8::is_ascii_uppercase), count(u8::is_ascii_lowercase));
        Traits {
            digits: count(u8::is_ascii_digit),
            letters: upper + lower,
            mixed_case: upper > 0 && lower > 0,
            marks: value
                .trim_end_matches(|c: char| c.is_ascii_punctuation())
                .bytes()
                .any(|b| b"!@#$%^&*+=~?".contains(&b)),
            natural: naturalness(value).unwrap_or(0.0),
        }
    }
}

fn is_password(value: &str, traits: &Traits, name: Name, form: Form) -> bool {
    let length = value.chars().count();
    if !(6..=128).contains(&length) || is_technical(value) {
        return false;
    }
    let shouting = value.bytes().all(|b| b.is_ascii_uppercase() || b == b'_');
    let compound = value.bytes().any(|b| b"-_./:".contains(&b)) && traits.natural >= 0.75;
    match (traits.letters > 0, traits.digits > 0) {
        (false, true) => !value.bytes().any(|b| b"/:,.-".contains(&b)),
        (true, true) if form == Form::Literal => traits.marks || !compound || !names_program(value),
        (true, true) => traits.marks || !compound && !is_named_like_code(value),
        (true, false) if traits.marks => !compound || form == Form::Literal,
        // Only letters: a word as often as not. After `DB_PASSWORD=` even a word is the password.
        (true, false) if form == Form::Literal && !shouting => {
            name.shouted && name.ends_so && !compound && !value.contains('.')
                || length >= 8 && traits.natural < 0.5
        }
        _ => false,
    }
}

fn is_token(value: &str, traits: &Traits, form: Form) -> bool {
    let least = match form {
        Form::Literal | Form::Code => 8,
        Form::Prose => 12,
        Form::Beside => 16,
    };
    if value.len() < least
        || !value.is_ascii()
        || is_simple(value)
        || is_version(value)
        || is_technical(value)
    {
        return false;
    }
    if value.starts_with("0x") && value.len() < 34 {
        return false;
    }
    let enough = match value.len() {
        0..20 => {
            traits.natural < 0.5
                && (traits.digits > 1 || traits.marks || traits.mixed_case)
                && entropy(value) >= 2.5
        }
        _ => traits.natural < 0.62 && entropy(value) >= 3.0,
    };
    let random_letters = value.len() >= 16 && traits.natural < 0.5;
    enough && traits.letters > 0 && (traits.digits > 0 || random_letters || traits.marks && value.len() >= 12)
}

/// Names of algorithms and the like, which contain digits as tokens do.
#[rustfmt::skip]
const TECHNICAL: &[&str] = &[
    "base64", "base32", "base58", "sha256", "sha512", "argon2", "argon2id", "argon2i", "bcrypt", "pbkdf2",
    "oauth2", "oauth1", "utf8", "utf16", "ed25519", "curve25519", "x25519", "chacha20", "secp256k1",
    "1password", "http2", "ipv4", "ipv6", "web3", "auth0", "base64url", "rs256", "hs256", "es256", "aes256",
    "p256", "md5sum", "sha1sum", "k8s", "i18n", "uint8", "int32", "int64", "uint64", "float64",
    "varchar255", "u8string", "nvarchar2", "varchar2", "uuidv4", "uuid4", "uuidv7",
];

fn is_technical(value: &str) -> bool {
    let lower = value.to_ascii_lowercase();
    TECHNICAL.contains(&lower.trim_end_matches(|c: char| c.is_ascii_punctuation()))
}

/// Whether every piece between separators is a word, a small number, or a word with a number after it, as
/// in `AES-256-GCM` or `us-east-1`.
fn is_simple(value: &str) -> bool {
    let piece = |piece: &str| {
        let word = piece.trim_end_matches(|c: char| c.is_ascii_digit());
        let number = piece.len() - word.len();
        number <= 4 && word.len() <= 12 && word.bytes().all(|b| b.is_ascii_alphabetic())
    };
    value.len() < 40
        && value.contains(['-', '_', '.', '/', ':'])
        && value.split(['-', '_', '.', '/', ':']).all(piece)
}

fn is_version(value: &str) -> bool {
    let rest = value.trim_start_matches(['v', 'V', '^', '~', '=', '>']);
    let major = rest.bytes().take_while(u8::is_ascii_digit).count();
    let minor = rest.get(major..).and_then(|tail| tail.strip_prefix('.'));
    major > 0 && major < 5 && minor.is_some_and(|tail| tail.starts_with(|c: char| c.is_ascii_digit()))
}

/// The number of an issue, as in `#1051062`.
fn is_issue(value: &str) -> bool {
    value.strip_prefix('#').is_some_and(|number| number.bytes().all(|b| b.is_ascii_digit()))
}

fn is_dated(value: &str) -> bool {
    let bytes = value.as_bytes();
    let digit = |range: std::ops::Range<usize>| {
        bytes.get(range).is_some_and(|run| run.iter().all(u8::is_ascii_digit))
    };
    digit(0..4) && bytes.get(4) == Some(&b'-') && digit(5..7) && bytes.get(7) == Some(&b'-') && digit(8..10)
}

fn is_uuid(value: &str) -> bool {
    let lengths: Vec<usize> = value.split('-').map(str::len).collect();
    lengths == [8, 4, 4, 4, 12] && value.bytes().all(|b| b.is_ascii_hexdigit() || b == b'-')
}

/// A path begins like one and has short pieces, which base64 has not.
fn is_path(value: &str) -> bool {
    let rooted = ["/", "./", "../", "~/", "\\\\"].iter().any(|start| value.starts_with(start));
    let drive = value.get(1..3).is_some_and(|colon| colon == ":\\" || colon == ":/");
    let pieces = value.split(['/', '\\']).filter(|piece| !piece.is_empty()).count();
    (rooted || drive) && pieces > 0 && value.len() / pieces <= 24
}

/// An address of mail: words on both sides of one `@` and a dot in the second.
fn is_address(value: &str) -> bool {
    let Some((user, host)) = value.split_once('@') else { return false };
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"._-+".contains(&b);
    user.len() > 1
        && host.contains('.')
        && user.bytes().all(plain)
        && host.bytes().all(plain)
        && !host.ends_with('.')
}

/// A regular expression, which is as random as a token.
fn is_pattern(value: &str) -> bool {
    ["(?", "[^", "\\x", "\\s", "\\d", "\\w", "\\b", "\\S", "[a-z", "[A-Z", "[0-9"]
        .iter()
        .any(|piece| value.contains(piece))
}

/// Program text: a call, an index, a path through modules or members.
fn is_expression(value: &str) -> bool {
    let head = value.trim_start_matches(['&', '*', '!', '-', '(']);
    let name = head.bytes().take_while(|b| b.is_ascii_alphanumeric() || *b == b'_' || *b == b'.').count();
    let after = head.as_bytes().get(name).copied();
    let called = name > 0 && matches!(after, Some(b'(' | b'[' | b'{' | b'<'))
        || name > 0 && after == Some(b'!') && head.contains("!(");
    let keyword = name > 0
        && after == Some(b'=')
        && head.as_bytes().get(name + 1).is_some_and(u8::is_ascii_alphanumeric);
    called || keyword || value.contains("()") || joins_names(value)
}

/// Whether operators join names. A password may contain the same marks, but hardly names on both sides of
/// them, and the padding of base64 joins nothing.
fn joins_names(value: &str) -> bool {
    let joins = |marks: &[&str], is_operand: fn(&str) -> bool| {
        let inside = value.trim_end_matches('=');
        let mut operands = vec![inside];
        for mark in marks {
            operands = operands.into_iter().flat_map(|operand| operand.split(mark)).collect();
        }
        operands.len() > 1 && operands.into_iter().all(is_operand)
    };
    joins(&["::", "=>", "?."], is_name)
        || joins(&["::", "=>", "?.", "->", "&&", "||", "=="], |operand| {
            is_name(operand) && (operand.len() <= 3 || !operand.bytes().any(|b| b.is_ascii_digit()))
        })
}

/// A name, or one that is called or indexed, that reads like words.
fn is_name(operand: &str) -> bool {
    let operand = operand.trim_start_matches(['&', '*', '!', '-', '(', '$']);
    let plain = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.');
    let length = operand.bytes().take_while(plain).count();
    let after = operand.as_bytes().get(length);
    let natural = operand.get(..length).and_then(naturalness).is_none_or(|natural| natural >= 0.5);
    after.is_none_or(|b| b"([{<)]};".contains(b)) && (natural || length <= 3)
}

/// Words that programs put into names of variables.
#[rustfmt::skip]
const PROGRAM: &[&str] = &[
    "pass", "pwd", "user", "token", "input", "arg", "param", "field", "secret", "key", "str", "text",
    "value", "val", "data", "hash", "form", "config", "self", "this", "req", "ctx", "opts", "env", "login",
    "account", "client", "index", "item", "name", "node", "line", "senha",
];

/// Whether a bare value is more likely a variable, such as `password2` or `form.field1`.
fn is_named_like_code(value: &str) -> bool {
    let identifier = value.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'.');
    identifier && (names_program(value) || value.contains('.') && naturalness(value).is_some_and(|n| n > 0.6))
}

fn names_program(value: &str) -> bool {
    let lower = value.to_ascii_lowercase();
    PROGRAM.iter().any(|word| lower.contains(word))
}
