//! `inject`: what an agent should know now, as the block that it reads.

use clap::Args;
use memory_engine::context::CLIENT_CUTS;
use memory_engine::core::context::{Considered, Doubtful, Fate, Found, Section};
use memory_engine::core::id::{AgentId, IdError, MemoryId, SessionId};
use memory_engine::core::session::Client;
use memory_engine::core::time::Time;
use memory_engine::{Ask, Memory, Moment, Told, hook};
use serde_json::{Value, json};

use crate::app::{App, Failure, Outcome};
use crate::cli::words::OneOf;
use crate::output::{Format, Page, Render, Tone};

/// Print what an agent should know now
///
/// The project page, the last session, decisions, lessons and notes that answer the command, open tasks and what can be
/// recovered, in that order and never over the budget. `inject preview` writes nothing down; without `preview` a
/// receipt is kept, which `agent-memory receipts` shows. Where room is short, what was only kept lately goes first, then
/// other notes, lessons, decisions, preferences, the session to recover and the last session; then the project page is
/// cut, and the newest open tasks go last.
#[derive(Args)]
#[command(after_help = "Examples:
  agent-memory inject preview dev fix the login page
  agent-memory inject dev --budget 800 --profile debug why does the login test fail
  agent-memory inject preview dev --explain fix the login page
  agent-memory inject dev --format claude")]
pub(crate) struct Inject {
    /// `preview` to write nothing down, then the agent and what it is about to do
    #[arg(value_name = "[preview] AGENT [COMMAND]", required = true, num_args = 1..)]
    words: Vec<String>,

    /// Tokens at most, four bytes each [default: the setting context.tokens]
    #[arg(short, long, value_name = "TOKENS")]
    budget: Option<usize>,

    /// The profile: auto, default, debug, review, plan, journal or one of your settings
    #[arg(short, long, value_name = "NAME")]
    profile: Option<String>,

    /// The form in which it is printed: a client's is what that client takes from a hook
    #[arg(short, long, value_name = "FORM", default_value = "block", value_parser = OneOf { parse: |word| Ok(word.to_owned()), words: all_forms })]
    format: String,

    /// The session that reads it: after its start a command is answered with what it was not given yet
    #[arg(long, value_name = "SESSION")]
    session: Option<SessionId>,

    /// Also memories of low trust, fenced as data
    #[arg(long)]
    untrusted: bool,

    /// Tell of everything that was considered what became of it
    #[arg(short, long)]
    explain: bool,
}

/// The form in which the block is printed.
enum Form {
    Block,
    Json,
    Of(Client),
}

impl Inject {
    pub(crate) fn run(self, app: &mut App) -> Outcome<()> {
        let form = match self.format.as_str() {
            _ if app.out.format() == Format::Json => Form::Json,
            "block" => Form::Block,
            "json" => Form::Json,
            word => Form::Of(
                Client::of_word(word).filter(|client| hook::shape(*client, "x").is_some()).ok_or_else(
                    || Failure::usage(format!("no form `{word}`: use one of: {}", all_forms().join(", "))),
                )?,
            ),
        };
        let preview = self.words.first().is_some_and(|word| word == "preview");
        if preview && self.words.len() == 1 {
            return Err(Failure::usage("whose preview: `agent-memory inject preview AGENT [COMMAND]`"));
        }
        let mut words = self.words.into_iter().skip(usize::from(preview));
        let agent =
            AgentId::parse(&words.next().unwrap_or_default()).map_err(|bad: IdError| Failure::from(bad))?;
        let command = words.collect::<Vec<_>>().join(" ");
        let client = match form {
            Form::Of(client) => client.word().to_owned(),
            Form::Block | Form::Json => "cli".to_owned(),
        };
        let asks_again = self.session.is_some() && !command.is_empty();
        let ask = Ask {
            command,
            moment: if asks_again { Moment::Prompt } else { Moment::Start },
            session: self.session,
            client,
            profile: self.profile,
            tokens: self.budget,
            characters: matches!(form, Form::Of(_)).then_some(CLIENT_CUTS),
            doubtful: if self.untrusted { Doubtful::Fence } else { Doubtful::Leave },
            ..Ask::new(agent)
        };
        let memory = app.memory()?;
        let unknown = if preview { unknown(&memory, &ask.agent)? } else { None };
        let told = if preview { memory.context(&ask)? } else { memory.hand_over(&ask)?.0 };
        if let Some(unknown) = &unknown {
            app.out.note(unknown);
        }
        if let Some(why) = &told.broken_index {
            app.out
                .warn(&format!("the index was not used: {why}; `agent-memory index rebuild` makes it anew"));
        }
        match form {
            Form::Json => app.out.json(&Report { ask: &ask, told: &told }.json())?,
            Form::Of(client) => {
                let text = hook::shape(client, &told.context.text).unwrap_or_default();
                app.out.exact(text.as_bytes())?;
            }
            Form::Block if told.context.text.is_empty() => {
                app.out.mention(&why_nothing(&told));
            }
            Form::Block => app.out.exact(told.context.text.as_bytes())?,
        }
        if self.explain && !matches!(form, Form::Json) {
            let report = Report { ask: &ask, told: &told };
            report.text(&mut app.out.page())?;
        }
        Ok(())
    }
}

/// What to say of an agent that has no memories, where others have.
fn unknown(memory: &Memory, agent: &AgentId) -> Outcome<Option<String>> {
    let known = memory.agents()?;
    if known.is_empty() || known.iter().any(|it| it.agent == *agent) {
        return Ok(None);
    }
    let names: Vec<&str> = known.iter().map(|it| it.agent.as_str()).collect();
    Ok(Some(format!("the agent `{agent}` has no memories of its own: there are {}", names.join(", "))))
}

/// With less than this there is no room for a memory and what stands around it, so none is looked for.
const LEAST: usize = 64;

/// Why there is nothing to print.
fn why_nothing(told: &Told) -> String {
    let tokens = told.budget.tokens;
    if tokens < LEAST || told.context.considered.iter().any(|one| one.fate == Fate::NoRoom) {
        return format!("(nothing fits into {tokens} tokens: `--budget` gives it more room)");
    }
    "(nothing to tell: no project page, session, task or memory that answers)".to_owned()
}

/// The clients that have a form.
/// Every form, those of no client first.
fn all_forms() -> Vec<&'static str> {
    ["block", "json"].into_iter().chain(forms()).collect()
}

fn forms() -> Vec<&'static str> {
    Client::all().filter(|client| hook::shape(*client, "x").is_some()).map(Client::word).collect()
}

struct Report<'a> {
    ask: &'a Ask,
    told: &'a Told,
}

impl Render for Report<'_> {
    fn text(&self, page: &mut Page<'_>) -> std::io::Result<()> {
        let Told { context, profile, budget, .. } = self.told;
        page.line(&[(
            Tone::Strong,
            &format!("{} of {} tokens, profile {}", context.tokens, budget.tokens, profile.name),
        )])?;
        for one in &context.considered {
            page.column(tone(one.fate), word(one.fate), 12)?;
            page.column(Tone::Plain, &section(one), 13)?;
            page.column(Tone::Dim, &one.tokens.to_string(), 6)?;
            page.column(Tone::Dim, one.id.as_ref().map_or("", |id| id.as_str()), 15)?;
            page.line(&[(Tone::Plain, &one.text)])?;
        }
        Ok(())
    }

    fn json(&self) -> Value {
        let Told { context, profile, budget, pool, .. } = self.told;
        let told = |section: Section| {
            context.considered.iter().filter(move |one| one.section == section && one.is_told())
        };
        let text = |section: Section| told(section).next().map(|one| one.told.as_str());
        let memories = |section: Section| -> Vec<Value> {
            let all = pool.found.iter().chain(&pool.recent);
            let found = |id: &MemoryId| all.clone().find(|found| found.memory.id == *id);
            let json = |one: &Considered| {
                let Found { memory, score, .. } = found(one.id.as_ref()?)?;
                let date = memory.dated().map(Time::minute);
                Some(json!({ "id": memory.id, "date": date, "score": score, "content": one.told }))
            };
            told(section).filter_map(json).collect()
        };
        let mut inject = json!({
            "projectContext": text(Section::Project).unwrap_or_default(),
            "preferences": memories(Section::Preferences),
            "decisions": memories(Section::Decisions),
            "lessons": memories(Section::Lessons),
            "notes": memories(Section::Notes),
            "tasks": told(Section::Tasks).map(|one| one.told.as_str()).collect::<Vec<_>>(),
            "tokenEstimate": context.tokens,
            "recovering": text(Section::Recovery).is_some(),
        });
        if let Some(handoff) = text(Section::LastSession) {
            inject["handoff"] = handoff.into();
        }
        if let Some(messages) = text(Section::Recovery) {
            let of_line = |line: &str| {
                let (role, text) = line.strip_prefix('[')?.split_once("]: ")?;
                Some(json!({ "role": role, "text": text }))
            };
            inject["recoverySnapshot"] = messages.lines().filter_map(of_line).collect();
        }
        json!({
            "agentId": self.ask.agent,
            "command": self.ask.command,
            "profile": profile.name,
            "budget": budget.tokens,
            "tokens": context.tokens,
            "context": inject,
            "considered": context.considered,
            "block": context.text,
        })
    }
}

/// The part of the block, as a word.
fn section(one: &Considered) -> String {
    serde_json::to_value(one.section)
        .ok()
        .and_then(|value| value.as_str().map(str::to_owned))
        .unwrap_or_default()
}

fn word(fate: Fate) -> &'static str {
    match fate {
        Fate::Whole => "told",
        Fate::Cut => "cut",
        Fate::NoRoom => "no room",
        Fate::NotAsked => "not asked",
        Fate::Same => "said already",
        Fate::Given => "given before",
        Fate::LowTrust => "low trust",
        Fate::Secret => "secret",
    }
}

fn tone(fate: Fate) -> Tone {
    match fate {
        Fate::Whole | Fate::Cut => Tone::Good,
        Fate::LowTrust | Fate::Secret => Tone::Warn,
        _ => Tone::Dim,
    }
}
