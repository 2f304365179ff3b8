//! Settings that name a server and its key: an address that hides nothing, and the name of a variable.
//!
//! Both are checked when settings are read. A key that was put where it does not belong, into an address or in
//! place of a variable's name, is refused, and no message repeats what was written there.

use serde::Deserialize;

/// The longest address that is taken.
const LONGEST: usize = 1024;

/// The address of a server, without a slash at its end; empty for none.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(try_from = "String")]
pub struct Endpoint(String);

impl Endpoint {
    /// The address.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether no server is named.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl TryFrom<String> for Endpoint {
    type Error = Unfit;

    fn try_from(text: String) -> Result<Self, Unfit> {
        let text = text.trim().trim_end_matches('/');
        if text.is_empty() {
            return Ok(Self::default());
        }
        let Some(rest) = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://")) else {
            return Err(Unfit("the address must begin with `http://` or `https://`"));
        };
        let host = rest.split('/').next().unwrap_or_default();
        if host.is_empty() || text.len() > LONGEST || !text.bytes().all(|b| b.is_ascii_graphic()) {
            return Err(Unfit("this is no address of a server: use one such as `http://localhost:11434/v1`"));
        }
        // These are the places where passwords and keys hide, and an address is shown and written down.
        if host.contains('@') || text.contains(['?', '#', '\\']) {
            return Err(Unfit(
                "the address may hold no user, `?` or `#`: name the key's variable in `key_env`",
            ));
        }
        Ok(Self(text.to_owned()))
    }
}

/// The name of an environment variable; empty for none.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(try_from = "String")]
pub struct VariableName(String);

impl VariableName {
    /// The name.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether no variable is named.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl TryFrom<String> for VariableName {
    type Error = Unfit;

    fn try_from(text: String) -> Result<Self, Unfit> {
        let fits = text.len() <= 64
            && !text.starts_with(|c: char| c.is_ascii_digit())
            && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
        if fits {
            Ok(Self(text))
        } else {
            Err(Unfit("use the name of an environment variable, never the key itself"))
        }
    }
}

/// Why a setting does not fit; it never repeats the setting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unfit(&'static str);

impl std::fmt::Display for Unfit {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str(self.0)
    }
}

impl std::error::Error for Unfit {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{Layer, Origin, resolve};

    fn check(text: &str, expect: Option<&str>) {
        let endpoint = Endpoint::try_from(text.to_owned());
        assert_eq!(endpoint.as_ref().ok().map(Endpoint::as_str), expect, "{text}");
    }

    #[test]
    fn an_address_is_plain_or_refused() {
        check("", Some(""));
        check("http://localhost:11434/v1", Some("http://localhost:11434/v1"));
        check(" https://api.example.com/v1// ", Some("https://api.example.com/v1"));
        check("http://[::1]:8080", Some("http://[::1]:8080"));
        check("localhost:11434", None);
        check("ftp://localhost", None);
        check("file:///etc/passwd", None);
        check("http://", None);
        check("http:///v1", None);
        check("http://a b", None);
        check("http://a\nb", None);
        check("http://user:word@host/v1", None);
        check("http://host\\@other/v1", None);
        check("https://host/v1?key=word", None);
        check("https://host/v1#word", None);
        check(&format!("http://{}", "a".repeat(LONGEST)), None);
    }

    #[test]
    fn a_key_in_place_of_a_name_is_refused() {
        for (text, fits) in [
            ("", true),
            ("OPENAI_API_KEY", true),
            ("_k2", true),
            ("2k", false),
            ("sk-abc", false),
            ("a b", false),
        ] {
            assert_eq!(VariableName::try_from(text.to_owned()).is_ok(), fits, "{text}");
        }
        assert!(VariableName::try_from("k".repeat(65)).is_err());
    }

    #[test]
    fn what_was_refused_is_not_repeated() {
        for line in ["endpoint = \"https://host/v1?key=wordofmine\"", "key_env = \"sk-wordofmine\""] {
            let text = format!("[meaning]\n{line}\n");
            let resolved = resolve(&[Layer { origin: Origin::User, text }]);
            assert_eq!(resolved.ignored.len(), 1, "{line}");
            assert!(!format!("{resolved:?}").contains("wordofmine"), "{:?}", resolved.ignored);
        }
    }
}
