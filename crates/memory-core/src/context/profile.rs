//! Which sources a context has and how much of each: chosen by name, or by what the command is about.

use std::fmt;

use crate::config::{AUTO, Config, PLAIN, ProfileSettings};
use crate::layout::Preferred;
use crate::text::folded;

/// What a context is made of.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(missing_docs, reason = "defaults.toml documents every field")]
pub struct Profile {
    pub name: String,
    pub tokens: usize,
    pub decisions: usize,
    pub lessons: usize,
    pub notes: usize,
    pub fill: bool,
    pub project: bool,
    pub handoff: bool,
    pub tasks: bool,
    pub recovery: bool,
    pub long_term: bool,
    pub journal: bool,
}

/// A profile that nobody described.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoProfile {
    /// What was asked for.
    pub asked: String,
    /// Those that there are.
    pub known: Vec<String>,
}

impl fmt::Display for NoProfile {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            out,
            "no profile `{}`; use one of: {}, or describe it in your settings",
            self.asked,
            self.known.join(", ")
        )
    }
}

impl std::error::Error for NoProfile {}

/// The profile of roots whose memories stand in a journal.
const JOURNAL: &str = "journal";

impl Profile {
    /// The profile for a command: the one that is asked for, else the one of the settings, else the one whose cues the
    /// command holds most of, else the one of the layout.
    pub fn choose(config: &Config, asked: Option<&str>, command: &str) -> Result<Self, NoProfile> {
        let name = asked.unwrap_or(&config.context.profile);
        if name == AUTO {
            return Ok(Self::by_cue(config, command).unwrap_or_else(|| {
                let journal = (config.memory.layout == Preferred::Journal).then_some(JOURNAL);
                Self::named(config, journal.unwrap_or(PLAIN))
            }));
        }
        if name == PLAIN || config.profiles.contains_key(name) {
            return Ok(Self::named(config, name));
        }
        let known = config.profile_names().into_iter().map(str::to_owned);
        Err(NoProfile { asked: name.to_owned(), known: known.collect() })
    }

    fn by_cue(config: &Config, command: &str) -> Option<Self> {
        let command: Vec<String> = command
            .split(|c: char| !c.is_alphanumeric())
            .filter(|word| !word.is_empty())
            .map(folded)
            .collect();
        let hits = |settings: &ProfileSettings| {
            let holds = |cue: &&String| {
                let cue: Vec<String> = cue.split_whitespace().map(folded).collect();
                !cue.is_empty() && command.windows(cue.len()).any(|words| words == cue)
            };
            settings.cues.iter().filter(holds).count()
        };
        let mut best: Option<(usize, &str)> = None;
        for (name, settings) in &config.profiles {
            let count = hits(settings);
            if count > best.map_or(0, |(most, _)| most) {
                best = Some((count, name));
            }
        }
        best.map(|(_, name)| Self::named(config, name))
    }

    /// The settings of a profile over those of `[context]`.
    fn named(config: &Config, name: &str) -> Self {
        let context = &config.context;
        let nothing = ProfileSettings::default();
        let own = config.profiles.get(name).unwrap_or(&nothing);
        Self {
            name: name.to_owned(),
            tokens: own.tokens.unwrap_or(context.tokens),
            decisions: own.decisions.unwrap_or(context.decisions),
            lessons: own.lessons.unwrap_or(context.lessons),
            notes: own.notes.unwrap_or(context.notes),
            fill: own.fill.unwrap_or(context.fill),
            project: own.project.unwrap_or(true),
            handoff: own.handoff.unwrap_or(true),
            tasks: own.tasks.unwrap_or(true),
            recovery: own.recovery.unwrap_or(true),
            long_term: own.long_term.unwrap_or(false),
            journal: own.journal.unwrap_or(false),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{Layer, Origin, resolve};

    #[test]
    fn flag_settings_cues_and_layout_choose_in_this_order() {
        let check = |settings: &str, asked: Option<&str>, command: &str, expect: &str| {
            let resolved = resolve(&[Layer { origin: Origin::User, text: settings.to_owned() }]);
            assert_eq!(resolved.ignored, Vec::<String>::new(), "{settings}");
            let got = Profile::choose(&resolved.config, asked, command);
            assert_eq!(
                got.map_or_else(|none| none.asked, |profile| profile.name),
                expect,
                "{settings} {command}"
            );
        };
        check("", None, "", "default");
        check("", None, "Why does the login test fail with an error?", "debug");
        check("", None, "por que o teste falha com erro?", "debug");
        check("", None, "review this pull request", "review");
        check("", None, "planejar a próxima versão", "plan");
        check("", None, "the errorless flag", "default");
        check("", Some("plan"), "why does it fail", "plan");
        check("[context]\nprofile = \"review\"", None, "why does it fail", "review");
        check("[context]\nprofile = \"review\"", Some("auto"), "why does it fail", "debug");
        check("[memory]\nlayout = \"journal\"", None, "hello", "journal");
        check("[profiles.ship]\ncues = [\"release notes\"]", None, "write the release notes", "ship");
        check("", Some("nope"), "", "nope");
    }

    #[test]
    fn a_profile_changes_only_what_it_names() {
        let text = "[context]\nlessons = 9\n[profiles.mine]\ndecisions = 7\nrecovery = false".to_owned();
        let config = resolve(&[Layer { origin: Origin::User, text }]).config;
        let mine = Profile::choose(&config, Some("mine"), "").unwrap();
        assert_eq!((mine.decisions, mine.lessons, mine.recovery, mine.handoff), (7, 9, false, true));
    }
}
