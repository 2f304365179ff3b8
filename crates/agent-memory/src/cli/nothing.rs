//! Why an answer is empty, or holds no word of the question, in sentences that say what to do about it.

use memory_engine::core::id::{AgentId, Category};
use memory_engine::core::kind::Kind;
use memory_engine::core::memory::Holds;
use memory_engine::core::query::{Filter as QueryFilter, Query};
use memory_engine::core::rank::Prior;
use memory_engine::core::scope::{Audience, Secrets};
use memory_engine::core::text::DateRange;
use memory_engine::{AgentCounts, Answer, Filter, Hit, Memory, Search, Unmet, Word};

use crate::app::Outcome;
use crate::cli::shown::counted;

/// Words of a question that are told one by one.
const MOST_WORDS: usize = 12;

/// Why there is nothing.
#[derive(Debug, Default)]
pub(crate) struct Nothing {
    /// What there is to say.
    pub(crate) sentences: Vec<String>,
    /// Whether something was named that is not there.
    pub(crate) is_missing: bool,
}

/// What is named in a question or by a flag.
pub(crate) struct Names<'a> {
    pub(crate) agents: Vec<&'a AgentId>,
    pub(crate) categories: Vec<&'a Category>,
    pub(crate) kinds: Vec<&'a Kind>,
}

/// What there is to say where hits are there for what they mean alone.
pub(crate) fn but_meaning(answer: &Answer) -> Nothing {
    let is_near =
        |hit: &Hit| hit.matched.is_empty() && hit.reasons.iter().any(|(prior, _)| *prior == Prior::Meaning);
    let mut nothing = Nothing::default();
    if let Some(unmet) = &answer.unmet {
        nothing.say(&of_unmet(unmet, true));
    } else if answer.hits.iter().all(is_near) {
        nothing.say("none of these holds a word of the question: they are what comes nearest in meaning");
    }
    nothing
}

/// What there is none of, where a question asks for all of a kind or a time.
fn of_unmet(unmet: &Unmet, has_others: bool) -> String {
    let kinds: Vec<&str> = unmet.kinds.iter().map(Kind::word).collect();
    let what = if kinds.is_empty() { "memory".to_owned() } else { kinds.join(" or ") };
    let which = unmet.tasks.map_or("", |tasks| if tasks.done { "finished " } else { "open " });
    let time = unmet.time.map_or(String::new(), |time| format!(" from that time ({})", spoken(&time)));
    let whose = match unmet.agents.as_slice() {
        [] => String::new(),
        agents => format!(" of {}", agents.join(" or ")),
    };
    let others = match (has_others, unmet.time) {
        (false, _) => "",
        (true, Some(_)) if kinds.is_empty() => ": these name it",
        (true, Some(_)) => ": these are from other times",
        (true, None) => ": these hold words of the question",
    };
    format!("there is no {which}{what}{whose}{time}{others}")
}

/// A stretch of time, in words.
pub(crate) fn spoken(time: &DateRange) -> String {
    let since = time.since.map(|since| format!("since {}", since.minute()));
    let before = time.until.map(|until| format!("before {}", until.minute()));
    [since, before].into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// Why a question has no answer.
pub(crate) fn why(memory: &Memory, search: &Search, query: &Query, answer: &Answer) -> Outcome<Nothing> {
    let mut nothing = Nothing::default();
    if search.text.trim().is_empty() {
        nothing.say("nothing was asked: give words or a question");
        return Ok(nothing);
    }
    if !has_any(memory, &ever())? {
        nothing.say(match has_any(memory, &with_secrets())? {
            true => {
                "every memory here is secret, and secrets are not found: `agent-memory show ID` shows one"
            }
            false => "no memories yet: `agent-memory remember` keeps the first",
        });
        return Ok(nothing);
    }
    let named = &query.filter;
    let names = Names {
        agents: search.agent.iter().chain(&named.agents.yes).collect(),
        categories: search.category.iter().chain(&named.categories.yes).collect(),
        kinds: search.kind.iter().chain(&named.kinds.yes).collect(),
    };
    nothing.check(&names, memory)?;
    if nothing.is_missing {
        return Ok(nothing);
    }
    for tag in search.tag.iter().chain(&query.filter.tags.yes) {
        if !has_any(memory, &Filter { tag: Some(tag.clone()), ..ever() })? {
            nothing.say(&format!("no memory has the tag `{tag}`"));
            return Ok(nothing);
        }
    }
    nothing.tell_hidden(search, answer);
    if answer.superseded > 0 {
        let (memories, them) = match answer.superseded {
            1 => ("1 memory that holds a word of this has".to_owned(), "it"),
            count => (format!("{} that hold words of this have", counted(count as u64, "memory")), "them"),
        };
        nothing.say(&format!("{memories} been superseded: `--superseded` shows {them} too"));
        return Ok(nothing);
    }
    if query.words().trim().is_empty() {
        nothing.say(match (query.filter == QueryFilter::default(), query.not.is_empty()) {
            (true, true) => "nothing was asked: give words or a question",
            (true, false) => "only words to leave out were given: add one to look for",
            (false, _) => "no memory fits these filters: `agent-memory list` shows what there is",
        });
        return Ok(nothing);
    }
    if let Some(unmet) = &answer.unmet {
        nothing.say(&of_unmet(unmet, false));
        return Ok(nothing);
    }
    if answer.words.is_empty() {
        nothing.say("there is no word in this to look for: give words or a question");
    }
    // Where nothing was asked but words, whoever holds them was told of above.
    let only_words =
        query.filter == QueryFilter::default() && query.not.is_empty() && query.phrases.is_empty();
    let is_told = |word: &Word| word.memories > 0 && answer.hidden > 0 && only_words;
    for word in answer.words.iter().take(MOST_WORDS).filter(|word| !is_told(word)) {
        nothing.say(&of_word(word));
    }
    if !query.not.is_empty() {
        let left_out: Vec<String> = query.not.iter().map(|word| format!("`-{word}`")).collect();
        nothing.say(&format!(
            "{} leaves out what holds that; without the minus, or in quotes, it is looked for",
            left_out.join(", ")
        ));
    }
    if answer.words.len() > MOST_WORDS {
        nothing.say(&format!("… and {} more", counted((answer.words.len() - MOST_WORDS) as u64, "word")));
    }
    Ok(nothing)
}

/// Why nothing is like a memory.
pub(crate) fn why_alone(search: &Search, answer: &Answer) -> Nothing {
    let mut nothing = Nothing::default();
    nothing.tell_hidden(search, answer);
    nothing.say("no other memory is about the same things");
    nothing
}

/// Everything that a person may see, be it that another took its place.
fn ever() -> Filter {
    Filter { holds: Holds::Ever, ..Filter::default() }
}

fn with_secrets() -> Filter {
    Filter { audience: Audience { secrets: Secrets::Show, ..Audience::default() }, ..ever() }
}

/// Whether there is a memory that fits.
pub(crate) fn has_any(memory: &Memory, filter: &Filter) -> Outcome<bool> {
    let mut any = false;
    memory.each(filter, &mut |_| {
        any = true;
        Ok(false)
    })?;
    Ok(any)
}

fn of_word(word: &Word) -> String {
    match word.memories {
        0 => format!("no memory holds `{}`", word.word),
        count if !word.known => {
            let (near, memories) = (word.near.join("`, `"), counted(count as u64, "memory"));
            let word = &word.word;
            format!(
                "no memory holds `{word}`; what it may mean (`{near}`) stands in {memories}, but what else was asked rules that out"
            )
        }
        count => {
            let memories = counted(count as u64, "memory");
            format!("`{}` stands in {memories}, but what else was asked rules that out", word.word)
        }
    }
}

impl Nothing {
    pub(crate) fn say(&mut self, sentence: &str) {
        self.sentences.push(sentence.to_owned());
    }

    /// A sentence for each name that there is not.
    pub(crate) fn check(&mut self, names: &Names<'_>, memory: &Memory) -> Outcome<()> {
        let agents = memory.agents()?;
        names.agents.iter().for_each(|agent| self.check_agent(agent, &agents));
        names.categories.iter().for_each(|category| self.check_category(category, memory, &agents));
        names.kinds.iter().try_for_each(|kind| self.check_kind(kind, memory))
    }

    fn check_agent(&mut self, agent: &AgentId, known: &[AgentCounts]) {
        if known.iter().any(|it| it.agent == *agent) {
            return;
        }
        self.is_missing = true;
        let names: Vec<&str> = known.iter().map(|it| it.agent.as_str()).collect();
        self.say(&match names.is_empty() {
            true => format!("there is no agent `{agent}`: no agent has memories here"),
            false => format!("there is no agent `{agent}`: there are {}", names.join(", ")),
        });
    }

    fn check_category(&mut self, category: &Category, memory: &Memory, agents: &[AgentCounts]) {
        let configured = memory.config().config.categories();
        let used = agents.iter().flat_map(|it| it.counts.iter().map(|(category, _)| category));
        if configured.iter().chain(used).any(|known| known == category) {
            return;
        }
        self.is_missing = true;
        let names: Vec<&str> = configured.iter().map(Category::as_str).collect();
        self.say(&format!("there is no category `{category}`: there are {}", names.join(", ")));
    }

    fn check_kind(&mut self, kind: &Kind, memory: &Memory) -> Outcome<()> {
        let filter = Filter { kind: Some(kind.clone()), ..with_secrets() };
        let is_configured = memory.config().config.categories().iter().any(|it| it.as_str() == kind.word());
        if !matches!(kind, Kind::Other(_)) || is_configured || has_any(memory, &filter)? {
            return Ok(());
        }
        self.is_missing = true;
        let names: Vec<String> = Kind::all().map(|it| it.word().to_owned()).collect();
        self.say(&format!("there is no kind `{kind}`: there are {}", names.join(", ")));
        Ok(())
    }

    fn tell_hidden(&mut self, search: &Search, answer: &Answer) {
        if answer.hidden == 0 {
            return;
        }
        let (memories, hold) = match answer.hidden {
            1 => ("1 memory".to_owned(), "holds a word of this and is"),
            count => (counted(count as u64, "memory"), "hold words of this and are"),
        };
        let ways = match (&search.audience.agent, &search.audience.session) {
            (Some(_), None) => "`--all-agents` and `--session` show more",
            (Some(_), Some(_)) => "`--all-agents` shows more",
            (None, _) => "`--session` shows one session's own",
        };
        self.say(&format!("{memories} {hold} kept for somebody else: {ways}"));
    }
}
