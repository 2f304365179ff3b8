//! What agents are handed: `[context]`, and `[profiles.<name>]` for each sort of work.

use serde::Deserialize;

/// `[context]`
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "see defaults.toml")]
pub struct ContextSettings {
    pub tokens: usize,
    pub prompt_tokens: usize,
    pub profile: String,
    pub decisions: usize,
    pub lessons: usize,
    pub notes: usize,
    pub fill: bool,
}

/// `[profiles.<name>]`: what differs from `[context]`.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[expect(missing_docs, reason = "see defaults.toml")]
pub struct ProfileSettings {
    pub cues: Vec<String>,
    pub tokens: Option<usize>,
    pub decisions: Option<usize>,
    pub lessons: Option<usize>,
    pub notes: Option<usize>,
    pub fill: Option<bool>,
    pub project: Option<bool>,
    pub handoff: Option<bool>,
    pub tasks: Option<bool>,
    pub recovery: Option<bool>,
    pub long_term: Option<bool>,
    pub journal: Option<bool>,
}

/// Whether a setting belongs to a profile, which people name as they like; its type tells whether it is known.
pub(super) fn is_of_a_profile(name: &str) -> bool {
    let mut parts = name.split('.');
    parts.next() == Some("profiles") && parts.count() == 2
}
