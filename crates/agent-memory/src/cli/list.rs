//! `list`: memories, newest first, as they stream out of the engine.

use std::io;

use clap::Args;
use memory_engine::core::id::{AgentId, Category, SessionId, Tag};
use memory_engine::core::memory::Holds;
use memory_engine::core::query::kind_of;
use memory_engine::core::scope::{Audience, Secrets};
use memory_engine::core::time::Time;
use memory_engine::{Entry, Filter, Memory};
use serde_json::json;

use crate::app::{App, Failure, Outcome};
use crate::cli::nothing::{Names, Nothing, has_any};
use crate::cli::shown;
use crate::cli::words::{ScopeWord, since, until};
use crate::output::{Format, Output, Tone, folded};

/// List memories, newest first
#[derive(Args)]
#[command(after_help = "Examples:
  agent-memory list
  agent-memory list --agent dev --kind decision --since 2026-03-01
  agent-memory list --since yesterday
  agent-memory list --tag sse --limit 0 --json")]
pub(crate) struct List {
    /// Only this agent's
    #[arg(short, long, value_name = "AGENT")]
    agent: Option<AgentId>,

    /// Only this category of the vault
    #[arg(short, long, value_name = "CATEGORY")]
    category: Option<Category>,

    /// Only this kind
    #[arg(short, long, value_name = "KIND")]
    kind: Option<String>,

    /// Only with this tag
    #[arg(short, long, value_name = "TAG")]
    tag: Option<Tag>,

    /// Only of this scope
    #[arg(long, value_name = "SCOPE")]
    scope: Option<ScopeWord>,

    /// From this day or time on (UTC): 2026-03-16, yesterday, 7d, 2w …
    #[arg(long, value_name = "DATE", value_parser = since)]
    since: Option<Time>,

    /// Up to this day or time (UTC)
    #[arg(long, value_name = "DATE", value_parser = until)]
    until: Option<Time>,

    /// What held at this day or time: kept by then, and not yet superseded
    #[arg(long, value_name = "DATE", value_parser = until)]
    as_of: Option<Time>,

    /// How many at most; 0 for all
    #[arg(short, long, value_name = "N", default_value_t = 50)]
    limit: usize,

    /// Also what is kept for this session alone
    #[arg(long, value_name = "SESSION")]
    session: Option<SessionId>,

    /// Every agent's, though AGENT_MEMORY_AGENT names one
    #[arg(long)]
    all_agents: bool,

    /// Also what is marked secret
    #[arg(long)]
    secrets: bool,
}

impl List {
    pub(crate) fn run(self, app: &mut App) -> Outcome<()> {
        let limit = if self.limit == 0 { usize::MAX } else { self.limit };
        let Some(memory) = app.memory_if_any()? else {
            finish_rows(&mut app.out, &Rows::default(), &[])?;
            app.out.mention("no memories yet: `agent-memory init` sets a memory up, `agent-memory remember` keeps the first");
            return Ok(());
        };
        let asker = memory.config().asker().cloned();
        let filter = self.filter(asker);
        let rows = stream(&mut app.out, &memory, &filter, limit)?;
        let nothing = if rows.shown == 0 { why_nothing(&memory, &filter)? } else { Nothing::default() };
        finish_rows(&mut app.out, &rows, &nothing.sentences)?;
        app.out.flush()?;
        if rows.more {
            app.out.mention(&format!(
                "more memories exist: `--limit {}` shows more, `--limit 0` all",
                limit.saturating_mul(2)
            ));
        }
        nothing.sentences.iter().for_each(|sentence| app.out.mention(sentence));
        if nothing.is_missing { Err(Failure::Told(2)) } else { Ok(()) }
    }

    fn filter(self, asker: Option<AgentId>) -> Filter {
        let asker = asker.filter(|_| self.agent.is_none() && !self.all_agents);
        let secrets = if self.secrets { Secrets::Show } else { Secrets::Hide };
        Filter {
            agent: self.agent,
            category: self.category,
            kind: self.kind.map(|word| kind_of(&word)),
            scope: self.scope.map(|scope| scope.word().to_owned()),
            tag: self.tag,
            since: self.since,
            until: self.until,
            holds: self.as_of.map_or(Holds::Ever, Holds::At),
            // The stream is stopped here, one after the last that is shown, to know whether there are more.
            limit: None,
            audience: Audience { agent: asker, session: self.session, secrets },
        }
    }
}

/// Why a list is empty and what to do about it.
fn why_nothing(memory: &Memory, filter: &Filter) -> Outcome<Nothing> {
    let mut nothing = Nothing::default();
    let audience = Audience { secrets: Secrets::Show, ..filter.audience.clone() };
    let is_agent = audience.agent.is_some();
    let mut say = |sentence: &str| nothing.say(sentence);
    if has_any(memory, &Filter { audience: audience.clone(), ..filter.clone() })? {
        say("what fits is marked secret: `--secrets` shows it");
    } else if !has_any(memory, &Filter { audience, ..Filter::default() })? {
        say(match is_agent {
            true => "there is no memory that this agent may see: `--all-agents` shows those of others",
            false => "no memories yet: `agent-memory remember` keeps the first",
        });
    } else {
        let names = Names {
            agents: filter.agent.iter().collect(),
            categories: filter.category.iter().collect(),
            kinds: filter.kind.iter().collect(),
        };
        nothing.check(&names, memory)?;
        if !nothing.is_missing {
            nothing.say(match is_agent {
                true => "no memory of this agent fits: take a filter away, or give `--all-agents`",
                false => "no memory fits: take a filter away",
            });
        }
    }
    Ok(nothing)
}

#[derive(Default)]
struct Rows {
    shown: usize,
    more: bool,
}

fn stream(out: &mut Output, memory: &Memory, filter: &Filter, limit: usize) -> Outcome<Rows> {
    if let Holds::At(moment) = filter.holds {
        return as_of(out, memory, filter, limit, moment);
    }
    let mut rows = Rows::default();
    let mut broken = None;
    memory.each(filter, &mut |entry| {
        if rows.shown == limit {
            rows.more = true;
            return Ok(false);
        }
        if let Err(error) = row(out, &entry, rows.shown) {
            broken = Some(error);
            return Ok(false);
        }
        rows.shown += 1;
        Ok(true)
    })?;
    broken.map_or(Ok(rows), |error| Err(Failure::from(error)))
}

/// The same in the words of a moment, which are looked up one by one.
fn as_of(out: &mut Output, memory: &Memory, filter: &Filter, limit: usize, moment: Time) -> Outcome<Rows> {
    let mut entries = Vec::new();
    let mut more = false;
    memory.each(filter, &mut |entry| {
        more = entries.len() == limit;
        if !more {
            entries.push(entry);
        }
        Ok(!more)
    })?;
    for (n, entry) in entries.iter_mut().enumerate() {
        memory.word_as_of(entry, moment)?;
        row(out, entry, n)?;
    }
    Ok(Rows { shown: entries.len(), more })
}

fn row(out: &mut Output, entry: &Entry, before: usize) -> io::Result<()> {
    if out.format() == Format::Json {
        out.exact(if before == 0 { b"{\"memories\":[\n" } else { b",\n" })?;
        return out.exact(shown::whole(entry).to_string().as_bytes());
    }
    let mut page = out.page();
    page.column(Tone::Id, entry.memory.id.as_str(), 13)?;
    page.column(Tone::Dim, &shown::date(entry), 16)?;
    page.column(Tone::Plain, &shown::place(entry), 18)?;
    if let Some(by) = entry.memory.superseded_by() {
        page.put(Tone::Warn, &format!("[superseded by {by}] "))?;
    }
    page.say(&folded(&headed(entry), 100))
}

/// The title and the first words, since several memories may stand under one title.
fn headed(entry: &Entry) -> String {
    let first = entry.memory.first_line();
    match &entry.memory.title {
        Some(title) if first.is_empty() => title.clone(),
        Some(title) if !first.starts_with(title) => format!("{title}: {first}"),
        _ => first.to_owned(),
    }
}

fn finish_rows(out: &mut Output, rows: &Rows, why: &[String]) -> io::Result<()> {
    match (out.format(), rows.shown) {
        (Format::Json, 0) if why.is_empty() => out.exact(b"{\"memories\":[]}\n"),
        (Format::Json, 0) => out.json(&json!({ "memories": [], "why": why })),
        (Format::Json, _) if rows.more => out.exact(b"\n],\"more\":true}\n"),
        (Format::Json, _) => out.exact(b"\n]}\n"),
        (Format::Text, 0) => out.page().say("(no memories)"),
        (Format::Text, _) => Ok(()),
    }
}
