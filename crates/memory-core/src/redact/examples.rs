//! Values that look like secrets and are none: keys printed in documentation, placeholders, references.
//!
//! They stay untouched, because a memory such as "the test key in the docs is …" is worth its words.

/// The tails of keys that their makers publish as samples. Only tails stand here, so that this file does
/// not look like a leak itself.
const PUBLISHED: &[&str] = &[
    // Stripe's documentation.
    "4eC39HqLyjWDarjtT1zdp7dc",
    "BQokikJOvBiI2HlWgH4olfQ2",
    "tR3PYbcVNZZ796tH88S4VQ2u",
    // The account key of the Azure storage emulator.
    "uFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==",
    // Google's map samples.
    "4JsXZ-HjGw7ISLn_3namBGewQe",
    // Telegram's bot tutorial.
    "vCH1vGWJxfSeofSAs0K5PALDsaw",
];

/// Pieces that no generated token contains, in lower case.
#[rustfmt::skip]
const PIECES: &[&str] = &[
    "example", "xxxx", "placeholder", "your", "dummy", "sample", "redacted", "changeme", "replace",
    "insert", "12345678", "abcdef", "****", "....", "____", "deadbeef", "fake", "testing",
];

/// A random token this long may contain any piece by chance, and nobody writes a placeholder of this length.
const LONGEST: usize = 160;

/// Whether the variable part of a token shows that it was made up.
pub(super) fn is_made_up(variable: &str) -> bool {
    if PUBLISHED.iter().any(|tail| variable.ends_with(tail)) {
        return true;
    }
    if variable.len() > LONGEST {
        return variable.contains("EXAMPLE");
    }
    contains_any(&variable.to_ascii_lowercase(), PIECES)
}

/// How the payloads of published web tokens begin.
const PAYLOADS: &[&str] = &[
    // jwt.io: subject 1234567890.
    "eyJzdWIiOiIxMjM0NTY3ODkwI",
    // RFC 7519: issuer joe.
    "eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQog",
    // The demonstration keys of a local Supabase.
    "eyJpc3MiOiJzdXBhYmFzZS1kZW1v",
];

/// Whether the payload of a web token is a published one.
pub(super) fn is_sample_payload(payload: &str) -> bool {
    PAYLOADS.iter().any(|start| payload.starts_with(start))
}

/// Whether a text is the header of a web token alone, or one with a published payload.
fn is_sample_token(value: &str) -> bool {
    let mut parts = value.split('.');
    let header = parts
        .next()
        .is_some_and(|header| header.starts_with("eyJhbGciOi") || header.starts_with("eyJ0eXAiOi"));
    header && parts.next().is_none_or(is_sample_payload)
}

/// Words that stand for a secret in examples and forms, in lower case.
#[rustfmt::skip]
const PLACEHOLDERS: &[&str] = &[
    "admin", "administrator", "apikey", "bar", "baz", "bearer", "blank", "chave", "credential",
    "credentials", "default", "demo", "disabled", "empty", "enabled", "false", "foo", "foobar", "guest",
    "hidden", "invalid", "key", "letmein", "login", "masked", "minhasenha", "missing", "mypass",
    "mypassword", "mysecret", "mysql", "mytoken", "nil", "none", "null", "oauth", "optional", "pass",
    "passphrase", "passwd", "password", "postgres", "postgresql", "private", "pwd", "qwerty", "redis",
    "required", "root", "secret", "secretkey", "segredo", "senha", "somepassword", "string", "supersecret",
    "teste", "testing", "token", "topsecret", "true", "undefined", "unset", "user", "username", "usuario",
    "value", "verysecret", "welcome",
];

/// Pieces that only placeholders contain, in lower case.
#[rustfmt::skip]
const HINTS: &[&str] = &[
    "example", "exemplo", "xxx", "placeholder", "your", "dummy", "sample", "redacted", "changeme",
    "change-me", "change_me", "replace", "insert", "fake", "foobar", "abcdef", "abc123", "***",
    "...", "___", "deadbeef", "-here", "_here", "-aqui", "_aqui", "sua_", "sua-", "seu_", "seu-", "…", "•",
    "qwerty",
];

/// Beginnings of words that only placeholders contain, in lower case.
const BEGINNINGS: &[&str] = &["test", "todo", "fixme", "mock", "lorem", "demo"];

/// Whether a value beside a name is a placeholder rather than a secret.
pub(super) fn is_placeholder(value: &str) -> bool {
    let lower = value.to_lowercase();
    let stem = lower.trim_end_matches(|c: char| c.is_ascii_digit() || c.is_ascii_punctuation());
    let stem = stem.trim_start_matches(|c: char| c.is_ascii_punctuation());
    let tail = lower.get(stem.len()..).unwrap_or_default();
    let begins = |word: &str| BEGINNINGS.iter().any(|beginning| word.starts_with(beginning));
    let mut chars = value.chars();
    let first = chars.next();
    value.is_empty()
        || is_counted(&lower)
        || chars.all(|c| Some(c) == first)
        || (PLACEHOLDERS.contains(&stem) && tail.len() <= 4)
        || (value.len() <= LONGEST
            && (contains_any(&lower, HINTS)
                || lower.split(|c: char| !c.is_ascii_alphabetic()).any(begins) && !has_strong_part(value)))
        || PUBLISHED.iter().any(|published| value.ends_with(published))
        || value.len() > LONGEST && value.contains("EXAMPLE")
        || is_sample_token(value)
}

/// Whether a value is counted up from one and has no word beside that but a placeholder.
fn is_counted(lower: &str) -> bool {
    let plain = |word: &str| word.len() <= 4 || PLACEHOLDERS.contains(&word);
    lower.contains("123456") && lower.split(|c: char| !c.is_ascii_alphabetic()).all(plain)
}

/// Whether a part of a value is a password though another says that it is for a test.
fn has_strong_part(value: &str) -> bool {
    value.split(['-', '_', ' ']).any(|part| {
        let has = |test: fn(&u8) -> bool| part.as_bytes().iter().any(test);
        let mark = part.bytes().any(|b| b"!@#$%^&*".contains(&b));
        part.len() >= 8
            && mark
            && has(u8::is_ascii_uppercase)
            && has(u8::is_ascii_lowercase)
            && has(u8::is_ascii_digit)
    }) && value.contains(['-', '_', ' '])
}

/// What a reference to a secret begins with, in lower case.
#[rustfmt::skip]
const REFERENCES: &[&str] = &[
    "process.env", "import.meta", "os.environ", "os.getenv", "std::env", "system.getenv", "env.", "env[",
    "env(", "env:", "env!(", "environ", "getenv", "secrets.", "secret.", "vars.", "var.", "local.",
    "data.", "config.", "settings.", "self.", "this.", "args.", "opts.", "options.", "ctx.", "req.",
    "request.", "props.", "state.", "params.", "form.", "vault:", "vault(", "op://", "arn:", "ref+",
    "file:", "keyring:", "keychain:", "sops:", "enc[", "!ref", "!sub", "!vault", "lookup(", "deno.env",
    "bun.env", "viper.", "localstorage", "sessionstorage", "response.", "res.", "user.", "data:",
    "sha256:", "sha512-", "sha384-", "sha1-", "/run/secrets", "pk_", "pk-", "pk.",
];

/// Whether a value only says where the secret is to be found.
pub(super) fn is_reference(value: &str) -> bool {
    let bytes = value.as_bytes();
    match bytes {
        [b'$', b'{' | b'(' | b'$', ..]
        | [b'{', ..]
        | [b'<', ..]
        | [b'#', b'{', ..]
        | [b'@', b'{', ..]
        | [b'[', ..]
        | [b'&', ..] => {
            return true;
        }
        [b'$', rest @ ..] if is_member(rest) => return true,
        // A price.
        [b'$', b'0'..=b'9', rest @ ..] if !rest.contains(&b'$') => return true,
        [b'%', rest @ .., b'%'] if is_identifier(rest) => return true,
        [b'%', b's' | b'd' | b'v' | b'q' | b'('] | [b'%', b'(', ..] => return true,
        [b'@', rest @ .., b'@'] if is_identifier(rest) => return true,
        _ => {}
    }
    if value.contains("${") || value.contains("{{") || value.contains("://") {
        return true;
    }
    let head: String = value.chars().take(16).collect::<String>().to_ascii_lowercase();
    REFERENCES.iter().any(|start| head.starts_with(start))
}

/// An identifier, or one that something is taken from, as in `self->key` or `row[1]`.
fn is_member(bytes: &[u8]) -> bool {
    let name = bytes.iter().take_while(|b| b.is_ascii_alphanumeric() || **b == b'_').count();
    let begins = bytes.first().is_some_and(|b| b.is_ascii_alphabetic() || *b == b'_');
    begins && bytes.get(name).is_none_or(|b| b"-[({.:/\\".contains(b))
}

fn is_identifier(bytes: &[u8]) -> bool {
    let named = bytes.first().is_some_and(|b| b.is_ascii_alphabetic() || *b == b'_');
    named && bytes.iter().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b':'))
}

fn contains_any(text: &str, pieces: &[&str]) -> bool {
    pieces.iter().any(|piece| text.contains(piece))
}
