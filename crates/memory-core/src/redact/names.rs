//! Names that announce a secret: which words of an identifier do, and which words take it back.
//!
//! `DB_PASSWORD`, `clientSecret` and `api key` announce one; `token_count`, `passwordPolicy` and
//! `primary_key` do not.

use super::shape::Class;

/// The words the pre-filter looks for; an identifier that contains one is then judged as a whole.
#[rustfmt::skip]
pub(super) const WORDS: &[&str] = &[
    "pass", "pw", "senha", "secret", "segredo", "token", "credential", "credencia", "creds", "authorization", "bearer", "_auth",
    "\"auth\"", "key", "chave",
];

/// How much a value must look like a secret to be taken for one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Family {
    /// A password: people choose them, so a short and plain one counts.
    Password,
    /// A token: machines make them, so a random one is expected.
    Secret,
    /// Some key: only a long and random value counts.
    Key,
}

/// A name that announces a secret.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Name {
    pub(super) family: Family,
    /// Written in capitals, as variables of the environment are: what follows `=` is then the value itself.
    pub(super) shouted: bool,
    /// Nothing follows the announcing word, as in `DB_PASSWORD`.
    pub(super) ends_so: bool,
    /// The whole name is a word of reports, as in `PASS: …`.
    pub(super) report: bool,
    /// A word that often means something else in a sentence, such as `pass`: only a sign links it to a value.
    pub(super) terse: bool,
    /// A request header, whose value may begin with a scheme.
    pub(super) header: bool,
}

impl Name {
    /// What announces a secret by where it stands and not by a word.
    pub(super) const SECRET: Self = Self {
        family: Family::Secret,
        shouted: false,
        ends_so: true,
        report: false,
        terse: false,
        header: false,
    };
}

/// Judges an identifier; `before` is the word that stands in front of it.
pub(super) fn judge(identifier: &str, before: &str) -> Option<Name> {
    let words = split(identifier);
    let shouted = !identifier.bytes().any(|b| b.is_ascii_lowercase())
        && identifier.bytes().any(|b| b.is_ascii_uppercase());
    if words.iter().any(|word| DENIED.contains(&word.as_str())) {
        return None;
    }
    let (at, family) = words.iter().enumerate().rev().find_map(|(at, word)| {
        let qualifier = at.checked_sub(1).and_then(|i| words.get(i)).map_or(before, String::as_str);
        Some((at, family(word, qualifier, shouted)?))
    })?;
    let after = words.get(at + 1..).unwrap_or_default();
    if !shouted
        && !after
            .iter()
            .all(|word| SUFFIXES.contains(&word.as_str()) || word.bytes().all(|b| b.is_ascii_digit()))
    {
        return None;
    }
    let header = words.get(at).is_some_and(|word| word == "authorization" || word == "bearer");
    let report = words == ["pass"] || words == ["auth"];
    let terse = words
        .get(at)
        .is_some_and(|word| ["pass", "auth", "credential", "credentials"].contains(&word.as_str()));
    Some(Name { family, shouted, ends_so: after.is_empty(), report, terse, header })
}

/// Judges an identifier that announces a user with a password.
pub(super) fn pair(identifier: &str) -> Option<Name> {
    let announces = ["credentials", "credenciais", "credential", "credencial", "creds"]
        .iter()
        .any(|name| identifier.eq_ignore_ascii_case(name));
    announces.then_some(Name {
        family: Family::Password,
        shouted: false,
        ends_so: true,
        report: false,
        terse: false,
        header: false,
    })
}

fn family(word: &str, qualifier: &str, shouted: bool) -> Option<Family> {
    let ends = |endings: &[&str]| endings.iter().any(|ending| word.ends_with(ending));
    if ends(&["password", "passwd", "passphrase", "passcode", "senha", "pwd"])
        || word == "pass"
        || word == "pw"
    {
        return Some(Family::Password);
    }
    if ends(&["token", "secret", "apikey", "secretkey", "accesskey", "privatekey", "authkey", "segredo"])
        || ["credential", "credentials", "authorization", "bearer", "auth"].contains(&word)
    {
        return Some(Family::Secret);
    }
    match word {
        "key" if QUALIFIERS.contains(&qualifier.to_ascii_lowercase().as_str()) => Some(Family::Secret),
        "key" if shouted && !qualifier.is_empty() && !PLAIN_KEYS.contains(&qualifier) => Some(Family::Key),
        "chave" => Some(Family::Key),
        _ => None,
    }
}

/// Splits an identifier into lower-case words, at separators and at humps.
fn split(identifier: &str) -> Vec<String> {
    let bytes = identifier.as_bytes();
    let mut words = vec![String::new()];
    for (at, b) in bytes.iter().enumerate() {
        let next_lower = bytes.get(at + 1).is_some_and(u8::is_ascii_lowercase);
        let previous = at.checked_sub(1).and_then(|i| bytes.get(i)).copied().unwrap_or(b'_');
        let hump = b.is_ascii_uppercase()
            && (previous.is_ascii_lowercase() || previous.is_ascii_uppercase() && next_lower);
        if hump || !b.is_ascii_alphanumeric() {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut().filter(|_| b.is_ascii_alphanumeric()) {
            word.push(char::from(b.to_ascii_lowercase()));
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// What makes a key a secret.
#[rustfmt::skip]
const QUALIFIERS: &[&str] = &[
    "api", "app", "application", "secret", "access", "private", "encryption", "encrypt", "decryption",
    "signing", "sign", "signature", "master", "auth", "license", "licence", "account", "storage", "shared",
    "admin", "service", "consumer", "jwt", "hmac", "aes", "webhook", "deploy", "subscription",
    "integration", "root", "recovery", "cookie", "session", "wallet", "openai", "anthropic", "stripe",
    "aws", "azure", "gcp", "google", "datadog", "cloudflare", "sendgrid", "twilio", "github", "gitlab",
];

/// Words that, before `KEY`, name something anyone may see.
#[rustfmt::skip]
const PLAIN_KEYS: &[&str] = &[
    "primary", "foreign", "sort", "partition", "cache", "object", "row", "group", "unique", "registry",
    "event", "routing", "idempotency", "dedup", "translation", "issue", "project", "hot", "arrow",
    "shortcut", "locale", "map", "dict", "host", "known", "hkey", "s3", "bucket", "redis", "storage",
    "session", "query", "join", "lookup", "index", "search", "order",
];

/// What may follow the announcing word in an ordinary identifier.
#[rustfmt::skip]
const SUFFIXES: &[&str] = &[
    "value", "val", "string", "str", "text", "plain", "plaintext", "raw", "prod", "production", "dev",
    "development", "stage", "staging", "live", "base", "b64", "base64", "main", "secondary", "old", "new",
    "current", "backup", "env", "key",
];

/// Words that say the identifier is about a secret and is not one.
#[rustfmt::skip]
const DENIED: &[&str] = &[
    "count", "counts", "counter", "limit", "limits", "len", "length", "size", "max", "min", "num", "number",
    "total", "usage", "used", "budget", "ttl", "expiry", "expires", "expiration", "expire", "expired",
    "age", "timeout", "at", "date", "time", "hash", "hashed", "hasher", "digest", "checksum", "sha", "sha1",
    "sha256", "md5", "fingerprint", "commit", "file", "filename", "path", "dir", "url", "uri", "endpoint",
    "host", "name", "names", "field", "label", "title", "placeholder", "hint", "type", "kind", "class",
    "policy", "rule", "rules", "regex", "pattern", "format", "schema", "column", "table", "index", "id",
    "ids", "uuid", "public", "pub", "publishable", "pubkey", "primary", "foreign", "next", "page",
    "continuation", "cursor", "sync", "resume", "pad", "eos", "bos", "unk", "cls", "sep", "special",
    "vocab", "stop", "price", "cost", "per", "reset", "forgot", "changed", "updated", "created", "is",
    "has", "should", "can", "no", "missing", "invalid", "valid", "error", "message", "msg", "version",
    "algorithm", "alg", "strength", "rotation", "manager", "store", "provider", "ref", "arn", "region",
    "cache", "lookup", "design", "css", "scope", "scopes", "estimate", "percent", "rate", "ratio", "header",
    "prefix", "suffix", "mode", "idempotency", "cancellation", "abort", "symbol", "known", "ignore",
    "exclude", "skip", "mock", "fake", "dummy", "sample", "example",
];

/// A vendor whose keys look like anyone's, and what they look like.
struct Vendor {
    kind: &'static str,
    /// Any of these in front of the value names the vendor, in lower case.
    named: &'static [&'static str],
    begins: &'static str,
    class: Class,
    lengths: &'static [usize],
}

const fn keys(
    kind: &'static str,
    named: &'static [&'static str],
    begins: &'static str,
    class: Class,
    lengths: &'static [usize],
) -> Vendor {
    Vendor { kind, named, begins, class, lengths }
}

const VENDORS: &[Vendor] = &[
    keys("aws-secret-key", &["aws", "secret_access_key", "secretaccesskey"], "", Class::Base64, &[40]),
    keys("datadog-key", &["datadog", "dd_a", "dd-a"], "", Class::Hex, &[32, 40]),
    keys("cloudflare-key", &["cloudflare", "cf_api", "x-auth-key"], "", Class::Url, &[37, 40]),
    keys("twilio-key", &["twilio"], "", Class::Alnum, &[32]),
    keys("heroku-key", &["heroku"], "", Class::Url, &[36]),
    keys("vault-token", &["vault"], "s.", Class::Dotted, &[26]),
    keys("azure-storage-key", &["azure", "account"], "", Class::Base64, &[88]),
    keys("mailgun-key", &["mailgun"], "", Class::Url, &[50]),
    keys("okta-token", &["okta"], "00", Class::Url, &[42]),
    keys("fastly-token", &["fastly"], "", Class::Url, &[32]),
];

/// The vendor's kind, if the words in front of a value name one and the value has its shape.
pub(super) fn vendor(front: &str, value: &str) -> Option<&'static str> {
    let front = front.to_ascii_lowercase();
    VENDORS
        .iter()
        .find(|vendor| {
            vendor.lengths.contains(&value.len())
                && value.starts_with(vendor.begins)
                && value.bytes().all(|b| vendor.class.holds(b))
                && vendor.named.iter().any(|name| front.contains(name))
        })
        .map(|vendor| vendor.kind)
}
