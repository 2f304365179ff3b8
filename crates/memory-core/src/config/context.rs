//! What agents are handed: `[context]`, and `[profiles.<name>]` for each sort of work.

use serde::Deserialize;
use toml::Value;

use super::Config;

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

/// The word that lets the command choose a profile.
pub const AUTO: &str = "auto";
/// The profile in which the settings of `[context]` hold as they are.
pub const PLAIN: &str = "default";
/// The setting that chooses a profile.
pub(super) const CHOSEN: &str = "context.profile";

impl Config {
    /// Every word that may stand for a profile.
    pub fn profile_names(&self) -> Vec<&str> {
        [AUTO, PLAIN].into_iter().chain(self.profiles.keys().map(String::as_str)).collect()
    }
}

/// Lets the command choose where the settings choose a profile that nobody described, and says so.
pub(super) fn fall_back(config: &mut Config) -> Option<String> {
    let known = config.profile_names();
    if known.contains(&config.context.profile.as_str()) {
        return None;
    }
    let reason = format!("no profile has this name; use one of: {}", known.join(", "));
    config.context.profile = AUTO.to_owned();
    Some(reason)
}

/// Whether a setting belongs to a profile, which people name as they like; its type tells whether it is known.
pub(super) fn is_of_a_profile(name: &str, value: &Value) -> bool {
    within_profiles(name) == Some(2) || is_bare_profile(name, value)
}

/// Whether this is a profile's section with nothing in it, which is enough to describe one.
pub(super) fn is_bare_profile(name: &str, value: &Value) -> bool {
    within_profiles(name) == Some(1) && value.as_table().is_some_and(toml::Table::is_empty)
}

/// How many names deep a setting stands within `profiles`.
fn within_profiles(name: &str) -> Option<usize> {
    let mut parts = name.split('.');
    (parts.next() == Some("profiles")).then(|| parts.count())
}
