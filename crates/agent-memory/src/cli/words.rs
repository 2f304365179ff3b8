//! The words of the command line that become values of the core: tags, scopes, dates and the like.

use std::ffi::{OsStr, OsString};
use std::str::FromStr;

use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use memory_engine::ambient;
use memory_engine::core::config::Config;
use memory_engine::core::id::{IdError, Tag};
use memory_engine::core::kind::Kind;
use memory_engine::core::memory::OnExisting;
use memory_engine::core::scope::{Sensitivity, SourceClass};
use memory_engine::core::text::date_value;
use memory_engine::core::time::Time;
use serde::Deserialize;

use crate::app::{Failure, Outcome};

/// Tags as one argument: `a,b`; blanks around them and empty ones do not count.
#[derive(Debug, Clone, Default)]
pub(crate) struct Tags(pub(crate) Vec<Tag>);

impl FromStr for Tags {
    type Err = IdError;

    fn from_str(text: &str) -> Result<Self, IdError> {
        let words = text.split(',').map(str::trim).filter(|word| !word.is_empty());
        words.map(Tag::parse).collect::<Result<_, _>>().map(Self)
    }
}

/// For whom a memory is kept, without whose it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum ScopeWord {
    /// One agent's own vault
    Agent,
    /// Everyone who works in this folder
    Project,
    /// The person, across projects
    User,
    /// Everyone
    Global,
    /// One session only
    Session,
}

impl ScopeWord {
    /// The word as the engine's filter takes it.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Agent => "agent",
            Self::Project => "project",
            Self::User => "user",
            Self::Global => "global",
            Self::Session => "session",
        }
    }
}

/// What becomes of a memory that already has the key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub(crate) enum OnExistingWord {
    /// Leave it as it is and say so
    #[default]
    Skip,
    /// Add the new text below the old
    Append,
    /// Put the new text in its place, the old one goes to the archive
    Replace,
}

impl From<OnExistingWord> for OnExisting {
    fn from(word: OnExistingWord) -> Self {
        match word {
            OnExistingWord::Skip => Self::Skip,
            OnExistingWord::Append => Self::Append,
            OnExistingWord::Replace => Self::Replace,
        }
    }
}

/// A value that is one of a few words, which help and completions then name. What else is taken for one of them, such as
/// another name, is up to `parse`.
#[derive(Clone)]
pub(crate) struct OneOf<T> {
    pub(crate) parse: fn(&str) -> Result<T, String>,
    pub(crate) words: fn() -> Vec<&'static str>,
}

impl<T: Clone + Send + Sync + 'static> TypedValueParser for OneOf<T> {
    type Value = T;

    fn parse_ref(
        &self,
        command: &clap::Command,
        argument: Option<&clap::Arg>,
        value: &OsStr,
    ) -> Result<T, clap::Error> {
        let parse = self.parse;
        StringValueParser::new().try_map(move |text| parse(&text)).parse_ref(command, argument, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new((self.words)().into_iter().map(PossibleValue::new)))
    }
}

/// A sensitivity by its word.
pub(crate) fn sensitivity(text: &str) -> Result<Sensitivity, String> {
    Sensitivity::of_word(text).ok_or_else(|| format!("use one of: {}", sensitivities().join(", ")))
}

/// The words for all sensitivities, from open to strict.
pub(crate) fn sensitivities() -> Vec<&'static str> {
    Sensitivity::ALL.iter().map(|it| it.word()).collect()
}

/// A source class by its word.
pub(crate) fn class(text: &str) -> Result<SourceClass, String> {
    SourceClass::of_word(text).ok_or_else(|| format!("use one of: {}", classes().join(", ")))
}

/// The words for all source classes, from most to least trusted.
pub(crate) fn classes() -> Vec<&'static str> {
    SourceClass::ALL.iter().rev().map(|it| it.word()).collect()
}

/// The beginning of a period: a day, a time, or words such as `yesterday`, `7d`, `2w`; UTC where no zone is named.
pub(crate) fn since(text: &str) -> Result<Time, String> {
    period(text).map(|(first, _)| first)
}

/// The last moment of a period; a day, a month and the like mean all of it, `7d` the day so long ago.
pub(crate) fn until(text: &str) -> Result<Time, String> {
    period(text).map(|(_, last)| last)
}

/// The first and the last moment that a date or a time names.
fn period(text: &str) -> Result<(Time, Time), String> {
    let range = date_value(text, ambient::now());
    match range.map(|range| (range.since, range.until)) {
        Some((Some(since), Some(until))) => Ok((since, Time(until.0 - 1))),
        _ => Time::parse(text).map(|time| (time, time)).ok_or_else(|| {
            "write a day such as `2026-03-16`, a time such as `2026-03-16T16:51`, or `yesterday`, `7d`, `2w`"
                .to_owned()
        }),
    }
}

/// A kind that new memories may have: a named one or one of the configured categories, so that a slip of the
/// pen does not found a category of its own.
pub(crate) fn kind_to_keep(word: &str, config: &Config) -> Outcome<Kind> {
    let kind = Kind::of_word(word);
    let known =
        !matches!(kind, Kind::Other(_)) || config.categories().iter().any(|it| it.as_str() == kind.word());
    if known {
        return Ok(kind);
    }
    let words: Vec<String> = Kind::all().map(|it| it.word().to_owned()).collect();
    let text =
        format!("unknown kind `{word}`: use one of {}, or add it to `memory.categories`", words.join(", "));
    Err(Failure::usage(text))
}

/// The command that these arguments of a process name, behind flags of every command.
pub(crate) fn named(arguments: &[OsString]) -> Option<&str> {
    let mut words = arguments.iter().skip(1);
    loop {
        match words.next()?.to_str()? {
            "--dir" | "--color" => drop(words.next()),
            flag if flag.starts_with('-') && flag != "--" => {}
            word => return Some(word),
        }
    }
}

/// Puts texts such as `- [ ] buy milk` behind a `--`, so that they are not taken for flags: no flag has a blank
/// after its hyphen. A text that follows a flag with a value stays, since it is that value.
pub(crate) fn list_items_last(arguments: Vec<OsString>, command: fn() -> clap::Command) -> Vec<OsString> {
    let is_item = |text: &OsString| text.to_str().is_some_and(|text| text.starts_with("- "));
    if !arguments.iter().any(is_item) || arguments.iter().any(|it| it == "--") {
        return arguments;
    }
    let switches = switches(&command(), &arguments);
    let takes_value = |flag: &OsString| {
        let flag = flag.to_string_lossy();
        flag.starts_with('-') && !flag.contains([' ', '=']) && !switches.iter().any(|it| *it == flag)
    };
    let mut kept: Vec<OsString> = Vec::with_capacity(arguments.len() + 1);
    let mut items = Vec::new();
    for argument in arguments {
        let is_value = kept.last().is_some_and(&takes_value);
        if is_item(&argument) && !is_value { items.push(argument) } else { kept.push(argument) }
    }
    if !items.is_empty() {
        kept.push("--".into());
        kept.extend(items);
    }
    kept
}

/// The flags without a value of the command that these arguments name, and those that every command has.
fn switches(command: &clap::Command, arguments: &[OsString]) -> Vec<String> {
    let mut named = command;
    for word in arguments {
        named = word.to_str().and_then(|word| named.find_subcommand(word)).unwrap_or(named);
    }
    let flags = command.get_arguments().chain(named.get_arguments());
    let flags = flags.filter(|flag| !flag.get_action().takes_values());
    let spelt = flags.flat_map(|flag| {
        let long = flag.get_long().map(|long| format!("--{long}"));
        long.into_iter().chain(flag.get_short().map(|short| format!("-{short}")))
    });
    spelt.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn list_items_are_not_flags() {
        for (given, expect) in [
            ("remember|- [ ] x|--agent|dev", "remember|--agent|dev|--|- [ ] x"),
            ("remember|--title|- x|text", "remember|--title|- x|text"),
            ("remember|--json|- [ ] x", "remember|--json|--|- [ ] x"),
            ("remember|--agent=dev|- a|- b", "remember|--agent=dev|--|- a|- b"),
            ("remember|--|- a", "remember|--|- a"),
            ("edit|1|-c|- a", "edit|1|-c|- a"),
            ("inject|preview|dev|--explain|- fix", "inject|preview|dev|--explain|--|- fix"),
            ("inject|-e|dev|-e|- fix", "inject|-e|dev|-e|--|- fix"),
            ("--dir|x|-q|vault|add|dev|tasks|-c|- a", "--dir|x|-q|vault|add|dev|tasks|-c|- a"),
        ] {
            let given = given.split('|').map(OsString::from).collect();
            let got = list_items_last(given, crate::cli::command);
            assert_eq!(got.join(std::ffi::OsStr::new("|")), OsString::from(expect));
        }
    }

    #[test]
    fn tags_are_split_at_commas() {
        for (given, words) in
            [("a,b", "a b"), (" #x , y ,", "x y"), ("", ""), ("auto-extract", "auto-extract")]
        {
            let tags = given.parse::<Tags>().unwrap().0;
            assert_eq!(tags.iter().map(Tag::as_str).collect::<Vec<_>>().join(" "), words);
        }
        assert!("has space".parse::<Tags>().is_err());
    }

    #[test]
    fn a_day_as_end_includes_the_day() {
        assert_eq!(until("2026-03-16").unwrap().iso(), "2026-03-16T23:59:59.999Z");
        assert_eq!(until("2026-03-16T10:00").unwrap().iso(), "2026-03-16T10:00:59.999Z");
        assert_eq!(until("2026-03-16T10:00:05").unwrap().iso(), "2026-03-16T10:00:05.000Z");
        assert_eq!(until("2026-03-16").unwrap(), Time(since("2026-03-17").unwrap().0 - 1));
        assert_eq!(since("2026-03").unwrap().iso(), "2026-03-01T00:00:00.000Z");
        assert_eq!(until("2026-03").unwrap().iso(), "2026-03-31T23:59:59.999Z");
    }

    #[test]
    fn days_are_named_from_today() {
        let now = ambient::now();
        for (word, days) in [("yesterday", 1), ("7d", 7), ("2w", 14)] {
            let back = now.0 - since(word).unwrap().0;
            assert!((days - 1) * 86_400_000 < back && back <= (days + 1) * 86_400_000, "{word}: {back}");
        }
        assert!(until("yesterday").unwrap() < now);
        assert_eq!(until("7d").unwrap().0 - since("7d").unwrap().0, 86_400_000 - 1);
        assert!(since("soon").unwrap_err().contains("2026-03-16"));
    }

    #[test]
    fn unknown_kinds_are_refused() {
        let config = Config::default();
        assert_eq!(kind_to_keep("gotcha", &config).unwrap(), Kind::Lesson);
        assert_eq!(kind_to_keep("decison", &config).unwrap_err().code(), "E_USAGE");
    }
}
