//! Settings as one value: every default stands in `defaults.toml`, which is also the template for users.
//!
//! Layers are laid over each other and each value remembers where it came from. A repository's own file may
//! set only what is harmless; anything else in it is ignored and named, never obeyed.

mod context;
mod endpoint;
mod range;
mod upkeep;

use std::collections::BTreeMap;
use std::fmt;
use std::num::{NonZeroU64, NonZeroUsize};

use serde::Deserialize;
use toml::{Table, Value};

use crate::id::{AgentId, Category};
use crate::layout::Preferred;

pub use context::{AUTO, ContextSettings, PLAIN, ProfileSettings};
pub use endpoint::{Endpoint, Unfit, VariableName};
pub use upkeep::UpkeepSettings;

/// The defaults file, as it is shown to users.
pub const DEFAULTS: &str = include_str!("defaults.toml");

/// All settings.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "defaults.toml documents every setting, and docs/config.md is made from it")]
pub struct Config {
    pub memory: MemorySettings,
    pub limits: Limits,
    pub ledger: LedgerSettings,
    pub reconcile: ReconcileSettings,
    pub redact: RedactSettings,
    pub extract: ExtractSettings,
    pub meaning: MeaningSettings,
    pub context: ContextSettings,
    pub profiles: BTreeMap<String, ProfileSettings>,
    pub scan: ScanSettings,
    pub upkeep: UpkeepSettings,
}

/// `[memory]`
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "see defaults.toml")]
pub struct MemorySettings {
    pub agent: AgentId,
    pub layout: Preferred,
    pub categories: Vec<Category>,
}

/// `[limits]`
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "see defaults.toml")]
pub struct Limits {
    #[serde(deserialize_with = "range::some")]
    pub entry_bytes: usize,
    #[serde(deserialize_with = "range::some")]
    pub file_bytes: u64,
    pub lock_wait_ms: u64,
}

/// `[ledger]`
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "see defaults.toml")]
pub struct LedgerSettings {
    pub keep_text_days: u32,
}

/// `[reconcile]`
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "see defaults.toml")]
pub struct ReconcileSettings {
    pub stale_minutes: u32,
    #[serde(deserialize_with = "range::share")]
    pub frozen_share: f64,
    pub frozen_entries: usize,
}

/// `[redact]`
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "see defaults.toml")]
pub struct RedactSettings {
    pub enabled: bool,
    pub allow: Vec<String>,
}

/// `[extract]`
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "see defaults.toml")]
pub struct ExtractSettings {
    pub profile: Profile,
}

/// How a conversation is read for what is worth keeping.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Profile {
    /// Sentence by sentence, with what people and agents said before.
    #[default]
    Default,
    /// Line by line, by the word lists of the vault tool.
    #[serde(alias = "seed")]
    WordLists,
}

/// `[meaning]`
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "see defaults.toml")]
pub struct MeaningSettings {
    pub endpoint: Endpoint,
    pub model: String,
    pub key_env: VariableName,
    pub timeout_ms: NonZeroU64,
    pub batch: NonZeroUsize,
}

/// `[scan]`
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "see defaults.toml")]
pub struct ScanSettings {
    pub stale_days: u32,
}

/// The categories of the vault tool, which every vault has.
pub const FIVE: [&str; 5] = ["decisions", "lessons", "tasks", "projects", "handoffs"];

impl Config {
    /// Every category that the vault's commands accept, the five first.
    pub fn categories(&self) -> Vec<Category> {
        let five = FIVE.iter().filter_map(|name| Category::parse(name).ok());
        five.chain(self.memory.categories.iter().cloned()).collect()
    }
}

impl Default for Config {
    fn default() -> Self {
        Resolved::default().config
    }
}

/// Where a value came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Origin {
    /// Built in.
    Default,
    /// The repository's `config.toml`.
    Repository,
    /// The user's `config.toml`.
    User,
    /// An environment variable.
    Environment,
}

impl fmt::Display for Origin {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::Default => "default",
            Self::Repository => "repository",
            Self::User => "user",
            Self::Environment => "environment",
        })
    }
}

/// A layer of settings: where it came from and its text as TOML.
#[derive(Debug, Clone)]
pub struct Layer {
    /// Whose settings these are.
    pub origin: Origin,
    /// The TOML text.
    pub text: String,
}

/// The settings that result from all layers.
#[derive(Debug, Clone)]
pub struct Resolved {
    /// The values.
    pub config: Config,
    /// Each setting that a layer set, by its dotted name with its value and origin.
    pub set: BTreeMap<String, (Value, Origin)>,
    /// What was ignored and why, one sentence each.
    pub ignored: Vec<String>,
    /// Those of them that tell of a layer that cannot be read at all.
    pub unread: Vec<String>,
}

impl Resolved {
    /// The agent that asks and speaks, where the environment says that one does; else it is a person.
    pub fn asker(&self) -> Option<&AgentId> {
        let (_, origin) = self.set.get("memory.agent")?;
        (*origin == Origin::Environment).then_some(&self.config.memory.agent)
    }

    /// Each setting by its dotted name with its value and origin.
    pub fn values(&self) -> BTreeMap<String, (Value, Origin)> {
        let mut values = default_values();
        values.extend(self.set.clone());
        values
    }
}

impl Default for Resolved {
    fn default() -> Self {
        resolve(&[])
    }
}

/// Lays layers over the defaults; later ones win. A layer that is broken as a whole, or a single value that
/// does not fit, is ignored and named: settings never stop the memory from working.
///
/// Every command waits for this, so that nothing is looked at that no layer speaks of.
pub fn resolve(layers: &[Layer]) -> Resolved {
    let (mut ignored, mut unread) = (Vec::new(), Vec::new());
    let mut set = BTreeMap::new();
    let mut fitting: Option<Config> = None;
    let mut values = if layers.is_empty() { BTreeMap::new() } else { default_values() };
    for layer in layers {
        let origin = layer.origin;
        let table: Table = match layer.text.parse() {
            Ok(table) => table,
            Err(error) => {
                let reason = error.to_string().lines().next().unwrap_or("it is not TOML").to_owned();
                unread.push(format!("the {origin} settings are not used: {reason}"));
                ignored.extend(unread.last().cloned());
                continue;
            }
        };
        let harmless = if origin == Origin::Repository { harmless() } else { Vec::new() };
        flatten("", &table, &mut |name, value| {
            let name = upkeep::known_as(&name).map_or(name, str::to_owned);
            if !values.contains_key(&name) && !context::is_of_a_profile(&name, &value) {
                ignored.push(format!("the {origin} setting `{name}` is not known"));
            } else if origin == Origin::Repository && !harmless.contains(&name) {
                ignored.push(format!("the repository may not set `{name}`; set it in your own settings"));
            } else {
                let before = values.insert(name.clone(), (value.clone(), origin));
                match typed(&values) {
                    Ok(config) => {
                        fitting = Some(config);
                        set.insert(name, (value, origin));
                    }
                    Err(reason) => {
                        ignored.push(format!("the {origin} setting `{name}` does not fit: {reason}"));
                        match before {
                            Some(before) => drop(values.insert(name, before)),
                            None => drop(values.remove(&name)),
                        }
                    }
                }
            }
        });
    }
    let mut config = fitting.unwrap_or_else(defaults);
    // Only now is it known which profiles there are.
    if let Some(reason) = context::fall_back(&mut config) {
        let origin = set.remove(context::CHOSEN).map_or(Origin::Default, |(_, origin)| origin);
        ignored.push(format!("the {origin} setting `{}` does not fit: {reason}", context::CHOSEN));
    }
    Resolved { config, set, ignored, unread }
}

#[expect(clippy::expect_used, reason = "the built-in defaults are not input; a test proves that they fit")]
fn defaults() -> Config {
    // Most of the file is said to people, and to read it as TOML takes as long as the rest.
    let settings = DEFAULTS.lines().filter(|line| !line.starts_with('#'));
    toml::from_str(&settings.flat_map(|line| [line, "\n"]).collect::<String>())
        .expect("the built-in defaults fit their types")
}

fn default_values() -> BTreeMap<String, (Value, Origin)> {
    let mut values = BTreeMap::new();
    flatten("", &DEFAULTS.parse().unwrap_or_default(), &mut |name, value| {
        values.insert(name, (value, Origin::Default));
    });
    values
}

fn typed(values: &BTreeMap<String, (Value, Origin)>) -> Result<Config, String> {
    let mut table = Table::new();
    for (name, (value, _)) in values {
        let mut parts: Vec<&str> = name.split('.').collect();
        let Some(key) = parts.pop().filter(|_| !parts.is_empty()) else { continue };
        let mut within = &mut table;
        for part in parts {
            let entry = within.entry(part).or_insert_with(|| Value::Table(Table::new()));
            let Value::Table(inner) = entry else { return Err(format!("`{name}` stands inside a value")) };
            within = inner;
        }
        within.insert(key.to_owned(), value.clone());
    }
    table.try_into().map_err(|error: toml::de::Error| error.message().to_owned())
}

fn flatten(prefix: &str, table: &Table, each: &mut dyn FnMut(String, Value)) {
    for (key, value) in table {
        let name = if prefix.is_empty() { key.clone() } else { format!("{prefix}.{key}") };
        match value {
            Value::Table(inner) if !context::is_bare_profile(&name, value) => flatten(&name, inner, each),
            value => each(name, value.clone()),
        }
    }
}

/// The settings that a repository may bring: those that `defaults.toml` marks so.
fn harmless() -> Vec<String> {
    described().into_iter().filter(|setting| setting.repository).map(|setting| setting.name).collect()
}

/// A setting as `defaults.toml` describes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Described {
    /// The dotted name.
    pub name: String,
    /// The default as TOML.
    pub default: String,
    /// What it is for.
    pub about: String,
    /// Whether a repository may set it.
    pub repository: bool,
}

/// All settings with their descriptions, in the order of the file.
pub fn described() -> Vec<Described> {
    let mut section = "";
    let mut about = String::new();
    let mut all: Vec<Described> = Vec::new();
    for line in DEFAULTS.lines() {
        if let Some(comment) = line.strip_prefix('#') {
            about.push_str(comment);
        } else if let Some(name) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            section = name;
        } else if let Some((key, default)) = line.split_once(" = ") {
            let repository = about.contains("[repository]");
            let text = about.replace("[repository]", "").trim().to_owned();
            let name = format!("{section}.{key}");
            all.push(Described { name, default: default.to_owned(), about: text, repository });
            about.clear();
        } else {
            about.clear();
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layer(origin: Origin, text: &str) -> Layer {
        Layer { origin, text: text.to_owned() }
    }

    #[test]
    fn the_defaults_fit_and_every_one_is_described() {
        let resolved = Resolved::default();
        assert_eq!(resolved.ignored, Vec::<String>::new());
        assert_eq!(resolved.config.memory.agent.as_str(), "default");
        let described = described();
        let values = resolved.values();
        assert_eq!(described.len(), values.len());
        assert_eq!(typed(&values).as_ref(), Ok(&resolved.config));
        for setting in described {
            assert!(values.contains_key(&setting.name), "{}", setting.name);
        }
    }

    #[test]
    fn later_layers_win_and_say_so() {
        let user = layer(Origin::User, "[memory]\nagent = \"dev\"\n[limits]\nlock_wait_ms = 5\n");
        let resolved = resolve(&[layer(Origin::Repository, "[memory]\nagent = \"ops\"\n"), user]);
        assert_eq!(resolved.config.memory.agent.as_str(), "dev");
        let values = resolved.values();
        assert_eq!(values["memory.agent"], (Value::from("dev"), Origin::User));
        assert_eq!(values["ledger.keep_text_days"].1, Origin::Default);
        assert_eq!(resolved.config.limits.lock_wait_ms, 5);
    }

    #[test]
    fn a_repository_sets_only_what_is_harmless() {
        let resolved = resolve(&[layer(
            Origin::Repository,
            "[redact]\nenabled = false\n[memory]\nagent = \"ops\"\n[x]\ny=1\n\
             [meaning]\nendpoint = \"http://evil.example\"\nkey_env = \"HOME\"",
        )]);
        assert!(resolved.config.redact.enabled);
        assert_eq!(resolved.config.memory.agent.as_str(), "ops");
        assert!(resolved.config.meaning.endpoint.is_empty() && resolved.config.meaning.key_env.is_empty());
        assert_eq!(resolved.ignored.len(), 4, "{:?}", resolved.ignored);
    }

    #[test]
    fn broken_settings_are_named_and_do_no_harm() {
        for text in [
            "]",
            "[limits]\nlock_wait_ms = \"soon\"",
            "[memory]\nagent = \"../x\"",
            "memory = 3",
            "[meaning]\nbatch = 0",
            "[memory]\nlayout = \"page\"",
            "[reconcile]\nfrozen_share = 1.5",
            "[reconcile]\nfrozen_share = nan",
            "[upkeep]\nexperience_likeness = -0.1",
            "[limits]\nentry_bytes = 0",
            "[limits]\nfile_bytes = 0",
            "[context]\nprofile = \"plam\"",
        ] {
            let resolved = resolve(&[layer(Origin::User, text)]);
            assert_eq!(resolved.config, Config::default(), "{text}");
            assert_eq!(resolved.ignored.len(), 1, "{text} {:?}", resolved.ignored);
        }
    }

    #[test]
    fn a_profile_may_be_chosen_before_it_is_described_and_needs_only_a_section() {
        for text in [
            "[context]\nprofile = \"mine\"\n[profiles.mine]\ntokens = 5",
            "[context]\nprofile = \"mine\"\n[profiles.mine]",
            "[context]\nprofile = \"debug\"\n[profiles.debug]",
            "[context]\nprofile = \"default\"",
        ] {
            let resolved = resolve(&[layer(Origin::User, text)]);
            assert_eq!(resolved.ignored, Vec::<String>::new(), "{text}");
            assert_eq!(resolved.values()["context.profile"].1, Origin::User, "{text}");
        }
        let resolved = resolve(&[layer(Origin::User, "[profiles]\nmine = 3\n[context]\nprofile = \"mine\"")]);
        assert_eq!((resolved.config.context.profile.as_str(), resolved.ignored.len()), ("auto", 2));
    }

    #[test]
    fn word_lists_go_by_their_older_name_too() {
        for word in ["word-lists", "seed"] {
            let resolved = resolve(&[layer(Origin::User, &format!("[extract]\nprofile = \"{word}\""))]);
            assert_eq!(resolved.config.extract.profile, Profile::WordLists, "{word}");
        }
    }
}
