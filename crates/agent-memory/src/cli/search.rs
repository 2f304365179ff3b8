//! `search`: a question or a whole prompt in, the memories that answer it out.

use std::ffi::OsString;
use std::io::{self, Read};

use clap::Args;
use memory_engine::Search as Wish;
use memory_engine::core::id::{AgentId, Category, SessionId, Tag};
use memory_engine::core::memory::Holds;
use memory_engine::core::query::kind_of;
use memory_engine::core::scope::Audience;
use memory_engine::core::time::Time;

use crate::app::{App, Failure, Outcome};
use crate::cli::found::{self, Asked, Detail};
use crate::cli::words::{named, since, until};
use crate::output::stdin_is_person;

/// The longest prompt that is read from stdin.
const LONGEST: usize = 1 << 20;

/// Find memories by words, by meaning, or with a whole prompt
#[derive(Args)]
#[command(after_help = "Examples:
  agent-memory search authentication problem
  agent-memory search token -redis tag:auth since:7d
  agent-memory search --agent dev --category decisions --limit 3 event stream
  agent-memory search '\"event stream\"' --explain
  agent-memory search --as-of 2026-03-01 which port
  agent-memory search - < prompt.txt

In the question: \"a phrase\", -word, tag:, agent:, category:, kind:, since:, until:.
The value of a short flag stands apart (-a dev), since -dev excludes the word.")]
pub(crate) struct Search {
    /// The question; `-` or nothing reads a prompt from stdin
    #[arg(value_name = "QUERY")]
    query: Vec<String>,

    /// Only this agent's
    #[arg(short, long, value_name = "AGENT")]
    agent: Option<AgentId>,

    /// Only this category of the vault
    #[arg(short, long, value_name = "CATEGORY")]
    category: Option<Category>,

    /// How many at most, from 1 to 100
    #[arg(short, long, value_name = "N", default_value = "10", allow_negative_numbers = true)]
    #[arg(value_parser = limit)]
    limit: Limit,

    /// Only this kind
    #[arg(short, long, value_name = "KIND")]
    kind: Option<String>,

    /// Only with this tag
    #[arg(short, long, value_name = "TAG")]
    tag: Option<Tag>,

    /// From this day or time on (UTC): 2026-03-16, yesterday, 7d, 2w …
    #[arg(long, value_name = "DATE", value_parser = since)]
    since: Option<Time>,

    /// Up to this day or time (UTC)
    #[arg(long, value_name = "DATE", value_parser = until)]
    until: Option<Time>,

    /// What held at this day or time: kept by then, and not yet superseded
    #[arg(long, value_name = "DATE", value_parser = until, conflicts_with = "superseded")]
    as_of: Option<Time>,

    /// Also memories whose place a newer one took
    #[arg(long)]
    superseded: bool,

    /// Also what is kept for this session alone
    #[arg(long, value_name = "SESSION")]
    session: Option<SessionId>,

    /// Every agent's, though AGENT_MEMORY_AGENT names one
    #[arg(long, conflicts_with = "agent")]
    all_agents: bool,

    /// Tell why each was found and how the question was understood
    #[arg(long)]
    explain: bool,
}

impl Search {
    pub(crate) fn run(self, app: &mut App) -> Outcome<()> {
        let detail = Detail::of_flag(self.explain);
        self.limit.tell(app);
        let text = question(app, &self.query)?;
        let Some(memory) = app.memory_if_any()? else { return found::nothing_yet(app, &text) };
        // An agent that is named is a filter; one that the environment names is who asks.
        let asker =
            if self.agent.is_some() || self.all_agents { None } else { memory.config().asker().cloned() };
        let search = Wish {
            agent: self.agent,
            category: self.category,
            kind: self.kind.map(|word| kind_of(&word)),
            tag: self.tag,
            since: self.since,
            until: self.until.map(|last| Time(last.0.saturating_add(1))),
            limit: self.limit.most,
            holds: match self.as_of {
                Some(moment) => Holds::At(moment),
                None if self.superseded => Holds::Ever,
                None => Holds::Now,
            },
            audience: Audience { agent: asker, session: self.session, ..Audience::default() },
            ..Wish::new(&text)
        };
        let answer = memory.search(&search)?;
        found::tell(app, &memory, &search, &answer, Asked::Question(&text), detail)
    }
}

/// How many hits are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Limit {
    /// The number, between the bounds.
    pub(crate) most: usize,
    is_given: bool,
}

impl Limit {
    /// Says so where another number was asked for.
    pub(crate) fn tell(self, app: &mut App) {
        if !self.is_given {
            app.out.note(&format!("`--limit` goes from 1 to 100; it is taken as {}", self.most));
        }
    }
}

/// A number; one that is too small or too large is taken as the nearest that is not, as in the vault tool.
pub(crate) fn limit(text: &str) -> Result<Limit, String> {
    let number: i128 = text.trim().parse().map_err(|_| "use a number from 1 to 100".to_owned())?;
    let within = number.clamp(1, 100);
    Ok(Limit { most: usize::try_from(within).unwrap_or(10), is_given: within == number })
}

/// The words given, or stdin.
fn question(app: &mut App, words: &[String]) -> Outcome<String> {
    match words {
        [] if stdin_is_person() => {
            Err(Failure::usage("nothing to look for: give words or a question, or pipe a prompt in"))
        }
        [] => prompt(app),
        [dash] if dash == "-" => prompt(app),
        words => Ok(words.join(" ")),
    }
}

/// A prompt from stdin. Of a longer one the beginning is enough to find what it is about.
fn prompt(app: &mut App) -> Outcome<String> {
    let mut bytes = Vec::new();
    io::stdin().lock().take(LONGEST as u64 + 1).read_to_end(&mut bytes)?;
    if bytes.len() > LONGEST {
        bytes.truncate(LONGEST);
        app.out.note(&format!("the prompt is long: its first {LONGEST} bytes are looked for"));
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Puts excluded words of a `search`, such as `-redis`, numbers below zero and whole prompts that begin with hyphens
/// behind a `--`, so that they are not taken for flags. A letter that is a flag stays one, so does `-l5`, and a number
/// behind a flag stays its value.
pub(crate) fn excluded_words_last(arguments: Vec<OsString>) -> Vec<OsString> {
    if named(&arguments) != Some("search") || arguments.iter().any(|it| it == "--") {
        return arguments;
    }
    let (mut kept, mut excluded) = (Vec::with_capacity(arguments.len() + 1), Vec::new());
    let mut after_flag = false;
    for argument in arguments {
        let text = argument.to_str().is_some_and(|it| is_text(it) || !after_flag && is_number(it));
        after_flag = !text && argument.to_str().is_some_and(|it| it.starts_with('-'));
        if text { excluded.push(argument) } else { kept.push(argument) }
    }
    if !excluded.is_empty() {
        kept.push("--".into());
        kept.append(&mut excluded);
    }
    kept
}

/// The flags of `search` that are one letter, and those of every command.
const SHORT_FLAGS: &str = "acklthqV";

fn is_text(argument: &str) -> bool {
    if let Some(long) = argument.strip_prefix("--") {
        let name = long.split('=').next().unwrap_or(long);
        return name.contains(char::is_whitespace);
    }
    let Some(word) = argument.strip_prefix('-') else { return false };
    let mut chars = word.chars();
    match chars.next() {
        Some(c) if c.is_ascii_alphabetic() => match chars.as_str() {
            "" => !SHORT_FLAGS.contains(c),
            rest => c != 'l' || rest.chars().any(|c| !c.is_ascii_digit()),
        },
        Some(c) => c.is_alphabetic() || matches!(c, '"' | '“' | ' ' | '#'),
        None => false,
    }
}

fn is_number(argument: &str) -> bool {
    argument.strip_prefix('-').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn excluded_words_are_not_flags() {
        for (given, expect) in [
            ("x|search|token|-cache|--json", "x|search|token|--json|--|-cache"),
            ("x|search|-cache|-redis|token", "x|search|token|--|-cache|-redis"),
            ("x|--dir|search|-q|search|-ab", "x|--dir|search|-q|search|--|-ab"),
            ("x|search|-l|5|-a|dev|-l5|word", "x|search|-l|5|-a|dev|-l5|word"),
            ("x|search|-l|-5|word", "x|search|-l|-5|word"),
            ("x|search|exit|code|-1|--json", "x|search|exit|code|--json|--|-1"),
            ("x|search|-é|-#sse|a", "x|search|a|--|-é|-#sse"),
            ("x|search|--json is broken|--limit=3", "x|search|--limit=3|--|--json is broken"),
            ("x|search|uploads|-s3|-h2|-l3", "x|search|uploads|-l3|--|-s3|-h2"),
            ("x|search|git|rebase|-i|main|-q", "x|search|git|rebase|main|-q|--|-i"),
            ("x|search|--tag=a b", "x|search|--tag=a b"),
            ("x|search|-\"a b\"", "x|search|--|-\"a b\""),
            ("x|search|--|-cache", "x|search|--|-cache"),
            ("x|search|-", "x|search|-"),
            ("x|list|-kdecision", "x|list|-kdecision"),
            ("x|remember|search|-kdecision", "x|remember|search|-kdecision"),
            ("x", "x"),
        ] {
            let got = excluded_words_last(given.split('|').map(OsString::from).collect());
            assert_eq!(got.join(std::ffi::OsStr::new("|")), OsString::from(expect), "{given}");
        }
    }

    #[test]
    fn the_flags_of_one_letter_are_known() {
        let mut command = <crate::cli::Cli as clap::CommandFactory>::command();
        command.build();
        let search = command.find_subcommand("search").unwrap();
        let mut flags: Vec<char> = search.get_arguments().filter_map(clap::Arg::get_short).collect();
        flags.sort_unstable();
        let mut known: Vec<char> = SHORT_FLAGS.chars().collect();
        known.sort_unstable();
        assert_eq!(flags, known);
    }

    #[test]
    fn limits_are_clamped_and_only_numbers_count() {
        for (given, most) in [
            ("1", 1),
            ("10", 10),
            ("100", 100),
            ("0", 1),
            ("-7", 1),
            ("101", 100),
            ("99999999999999999999", 100),
        ] {
            assert_eq!(limit(given).unwrap().most, most, "{given}");
        }
        for wrong in ["", "ten", "1.5", "NaN", "1e3"] {
            assert!(limit(wrong).is_err(), "{wrong}");
        }
    }
}
