//! Identifiers as validated newtypes, so that no path, separator or reserved name can reach the disk.
//!
//! Every identifier is parsed once, at the door; afterwards its type is the proof that it is safe to use
//! as a file name (agents, categories) or as a line of text (keys, sessions).

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// Why a text is not an identifier; the message names the thing and says what would be right.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("invalid {what} `{shown}`: {why}")]
pub struct IdError {
    /// Which identifier was expected, such as `agent id`.
    pub what: &'static str,
    /// The offending text, shortened and with control characters escaped.
    pub shown: String,
    /// What is wrong and what is accepted.
    pub why: &'static str,
}

fn refuse(what: &'static str, text: &str, why: &'static str) -> IdError {
    let mut shown: String = text.chars().take(60).flat_map(char::escape_debug).collect();
    if text.chars().count() > 60 {
        shown.push('…');
    }
    IdError { what, shown, why }
}

/// Names that are folders of the root or devices on Windows, on every system alike.
const RESERVED: &[&str] = &[
    "records",
    "memory",
    "history",
    "archive",
    "conversations",
    "automation",
    "checkpoints",
    "index",
    "tmp",
    "con",
    "prn",
    "aux",
    "nul",
    "com0",
    "com1",
    "com2",
    "com3",
    "com4",
    "com5",
    "com6",
    "com7",
    "com8",
    "com9",
    "lpt0",
    "lpt1",
    "lpt2",
    "lpt3",
    "lpt4",
    "lpt5",
    "lpt6",
    "lpt7",
    "lpt8",
    "lpt9",
];

fn file_name(what: &'static str, text: &str) -> Result<String, IdError> {
    let name = text.to_ascii_lowercase();
    let bytes = name.as_bytes();
    if bytes.is_empty() {
        return Err(refuse(what, text, "it is empty"));
    }
    if bytes.len() > 64 {
        return Err(refuse(what, text, "it is longer than 64 characters"));
    }
    if !bytes[0].is_ascii_lowercase() && !bytes[0].is_ascii_digit() {
        return Err(refuse(what, text, "it must begin with a letter a-z or a digit"));
    }
    if !bytes.iter().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b"._-".contains(b)) {
        return Err(refuse(what, text, "only a-z, 0-9, `.`, `_` and `-` are allowed"));
    }
    if name.ends_with('.') {
        return Err(refuse(what, text, "it must not end with a dot"));
    }
    if name.contains("..") {
        return Err(refuse(what, text, "it must not contain `..`"));
    }
    let stem = name.split('.').next().unwrap_or(&name);
    if RESERVED.contains(&stem) {
        return Err(refuse(what, text, "the name is reserved, choose another"));
    }
    Ok(name)
}

fn opaque(what: &'static str, text: &str, longest: usize) -> Result<String, IdError> {
    if text.trim().is_empty() {
        return Err(refuse(what, text, "it is empty"));
    }
    if text.len() > longest {
        return Err(refuse(what, text, "it is too long (200 bytes at most)"));
    }
    if text.chars().any(|c| c.is_control() || matches!(c, '\u{2028}' | '\u{2029}')) {
        return Err(refuse(what, text, "control characters are not allowed"));
    }
    Ok(text.to_owned())
}

macro_rules! identifier {
    ($(#[$doc:meta])* $name:ident, $parse:expr) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(try_from = "String", into = "String")]
        pub struct $name(String);

        impl $name {
            /// Checks a text and makes the identifier of it.
            pub fn parse(text: &str) -> Result<Self, IdError> {
                #[allow(clippy::redundant_closure_call, reason = "the rule is given to the macro as a closure")]
                ($parse)(text).map(Self)
            }

            /// The identifier as text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                out.write_str(&self.0)
            }
        }

        impl FromStr for $name {
            type Err = IdError;
            fn from_str(text: &str) -> Result<Self, IdError> {
                Self::parse(text)
            }
        }

        impl TryFrom<String> for $name {
            type Error = IdError;
            fn try_from(text: String) -> Result<Self, IdError> {
                Self::parse(&text)
            }
        }

        impl From<$name> for String {
            fn from(id: $name) -> String {
                id.0
            }
        }
    };
}

identifier!(
    /// An agent, which is also the name of its folder: `[a-z0-9][a-z0-9._-]{0,63}`, folded to lower case.
    AgentId,
    |text| file_name("agent id", text)
);
identifier!(
    /// A category of the vault, which is also the stem of its file.
    Category,
    |text| file_name("category", text)
);
identifier!(
    /// An agent's session, as its client names it.
    SessionId,
    |text| opaque("session id", text, 200)
);
identifier!(
    /// One turn of a session.
    TurnId,
    |text| opaque("turn id", text, 200)
);
identifier!(
    /// A name under which a memory is found again and updated (`memoryKey` in records).
    Key,
    |text| opaque("key", text, 200)
);
identifier!(
    /// A tag: one word without `#` in front; hyphens and any script are kept whole.
    Tag,
    tag
);
identifier!(
    /// A memory: decimal milliseconds in the vault, `<day>-<slug>-<8 hex>` for records, any word in journals.
    MemoryId,
    memory_id
);

fn tag(text: &str) -> Result<String, IdError> {
    let word = text.strip_prefix('#').unwrap_or(text);
    if word.chars().any(|c| c.is_whitespace() || c == '#' || c == ',') {
        return Err(refuse("tag", text, "a tag is one word without spaces, commas or `#`"));
    }
    opaque("tag", word, 200)
}

fn memory_id(text: &str) -> Result<String, IdError> {
    if text.starts_with('.') || text.starts_with('-') {
        return Err(refuse("memory id", text, "it must not begin with `.` or `-`"));
    }
    if text.chars().any(|c| c.is_whitespace() || matches!(c, '/' | '\\' | '<' | '>' | '"')) {
        return Err(refuse("memory id", text, "spaces, slashes, quotes and angle brackets are not allowed"));
    }
    opaque("memory id", text, 200)
}

impl Category {
    /// Where memories go whose kind has no usable file name.
    pub fn notes() -> Self {
        Self("notes".to_owned())
    }
}

impl AgentId {
    /// The agent that is meant when none is named.
    pub fn unnamed() -> Self {
        Self("default".to_owned())
    }
}

impl MemoryId {
    /// The vault's form of an id.
    pub fn from_millis(millis: u64) -> Self {
        Self(millis.to_string())
    }

    /// The milliseconds of a vault id, or `None` for any other form.
    pub fn millis(&self) -> Option<u64> {
        if self.0.len() <= 18 && self.0.bytes().all(|b| b.is_ascii_digit()) {
            self.0.parse().ok()
        } else {
            None
        }
    }

    /// A stable id for text that carries none: it follows from the text, so every reader gives the same.
    pub fn of_text(text: &str, repeat: usize) -> Self {
        let mut hash = blake3::Hasher::new();
        hash.update(text.trim().as_bytes());
        if repeat > 0 {
            hash.update(&(repeat as u64).to_le_bytes());
        }
        Self(format!("t-{}", &hash.finalize().to_hex()[..16]))
    }

    /// Whether this id was derived from hand-written text rather than given by us.
    pub fn is_untracked(&self) -> bool {
        self.0.len() == 18 && self.0.starts_with("t-") && self.0[2..].bytes().all(|b| b.is_ascii_hexdigit())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(input: &str, expect: Result<&str, &str>) {
        let got = AgentId::parse(input);
        match expect {
            Ok(name) => assert_eq!(got.map(|id| id.as_str().to_owned()), Ok(name.to_owned())),
            Err(why) => assert!(got.as_ref().is_err_and(|e| e.why.contains(why)), "{input:?}: {got:?}"),
        }
    }

    #[test]
    fn agent_ids() {
        check("dev", Ok("dev"));
        check("Bmad-Master", Ok("bmad-master"));
        check("a.b_c-9", Ok("a.b_c-9"));
        check("", Err("empty"));
        check(".vault", Err("begin"));
        check("_project", Err("begin"));
        check("../x", Err("begin"));
        check("a/../x", Err("only"));
        check("a\\b", Err("only"));
        check("a..b", Err("`..`"));
        check("a.", Err("dot"));
        check("a%2e%2e", Err("only"));
        check("ａ", Err("begin"));
        check("dé", Err("only"));
        check("a\0b", Err("only"));
        check("records", Err("reserved"));
        check("NUL", Err("reserved"));
        check("nul.txt", Err("reserved"));
        check("a b", Err("only"));
        check(&"x".repeat(65), Err("longer"));
        check(&"x".repeat(64), Ok(&"x".repeat(64)));
    }

    #[test]
    fn errors_escape_what_they_show() {
        let error = AgentId::parse("\u{1b}[31m").unwrap_err();
        assert_eq!(
            error.to_string(),
            "invalid agent id `\\u{1b}[31m`: it must begin with a letter a-z or a digit"
        );
    }

    #[test]
    fn tags_keep_hyphens_and_any_script() {
        for (given, kept) in
            [("#auto-extract", "auto-extract"), ("ação", "ação"), ("日本", "日本"), ("c++", "c++")]
        {
            assert_eq!(Tag::parse(given).unwrap().as_str(), kept);
        }
        for bad in ["", "#", "has space", "a#b", "a\nb", "a,b"] {
            assert!(Tag::parse(bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn memory_ids() {
        assert_eq!(MemoryId::parse("1773679871839").unwrap().millis(), Some(1_773_679_871_839));
        assert_eq!(MemoryId::parse("2026-05-15-release-plan-a1b2c3d4").unwrap().millis(), None);
        assert!(MemoryId::of_text(" a ", 0).is_untracked());
        assert_eq!(MemoryId::of_text("a", 0), MemoryId::of_text("a\n", 0));
        assert_ne!(MemoryId::of_text("a", 0), MemoryId::of_text("a", 1));
        for bad in ["../x", "a b", "-rf", "a/b", "<x>"] {
            assert!(MemoryId::parse(bad).is_err(), "{bad:?}");
        }
    }
}
