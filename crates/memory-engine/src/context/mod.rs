//! Context: from a root, an agent and what it is about to do to the text that it reads, with a receipt.
//!
//! This gathers; what is told of it, and in which order, is decided in the core. A part that cannot be had, such as a
//! damaged index, leaves the rest as it is.

pub(crate) mod experiences;
mod gather;
mod receipts;
#[cfg(test)]
mod tests;
mod topic;

use std::path::Path;

use memory_core::context::{Budget, Context, Doubtful, Pool, Profile, assemble};
use memory_core::id::{AgentId, SessionId};
use memory_core::time::Time;

use crate::disk::OsDisk;
use crate::error::{Error, Result};
use crate::search::Searcher;
use crate::store::Store;
use crate::{ambient, capture};

use gather::{Gather, Reach};

pub use receipts::{Moment, Receipt};

pub(crate) use receipts::all as receipts;

/// Characters after which clients cut what a hook gives them, with a little room.
pub const CLIENT_CUTS: usize = 9_500;

/// Open tasks that leave room for everything else.
const FEW_TASKS: usize = 5;

/// For whom context is wanted, and for what.
#[derive(Debug, Clone)]
pub struct Ask {
    /// The agent that will read it.
    pub agent: AgentId,
    /// What it is about to do: a command or a prompt; empty when that is not known yet.
    pub command: String,
    /// When it is handed over.
    pub moment: Moment,
    /// The session, so that nothing is handed over twice.
    pub session: Option<SessionId>,
    /// The client, or `cli`.
    pub client: String,
    /// The profile; `None` lets settings and command choose.
    pub profile: Option<String>,
    /// Tokens at most; `None` takes the settings'.
    pub tokens: Option<usize>,
    /// Characters at most, where a client cuts.
    pub characters: Option<usize>,
    /// Whether low-trust memories are wanted.
    pub doubtful: Doubtful,
    /// How many memories that are in no index may be read for a search, where somebody waits; with more of them there
    /// is none. `None` reads them all.
    pub most_unindexed: Option<usize>,
    /// When it is asked; `None` for now.
    pub now: Option<Time>,
}

impl Ask {
    /// Everything that matters to an agent at the start of a session.
    pub fn new(agent: AgentId) -> Self {
        Self {
            agent,
            command: String::new(),
            moment: Moment::Start,
            session: None,
            client: "cli".to_owned(),
            profile: None,
            tokens: None,
            characters: None,
            doubtful: Doubtful::Leave,
            most_unindexed: None,
            now: None,
        }
    }
}

/// What an agent reads, and what it was made of.
#[derive(Debug, Clone)]
pub struct Told {
    /// The text, and what became of everything that was considered.
    pub context: Context,
    /// The profile that held.
    pub profile: Profile,
    /// How much there was to spend.
    pub budget: Budget,
    /// What it was made of.
    pub pool: Pool,
    /// What it is to its session: all of it, or what answers a prompt and is new.
    pub moment: Moment,
    /// Why the index could not be used, if so.
    pub broken_index: Option<String>,
}

/// Whether a session was given something at its beginning, found without opening the memory.
pub fn has_begun(root: &Path, session: &SessionId) -> bool {
    OsDisk::open(root).and_then(|disk| receipts::given(&disk, session)).is_ok_and(|given| given.started)
}

/// Notes that a session is about to be compacted, so that it is given everything again.
pub fn note_compaction(root: &Path, agent: &AgentId, client: &str, session: &SessionId) -> Result<()> {
    let receipt = Receipt {
        at: Receipt::time(ambient::now()),
        agent: agent.clone(),
        client: client.to_owned(),
        session: Some(session.clone()),
        moment: Moment::Compaction,
        profile: String::new(),
        bytes: 0,
        tokens: 0,
        budget: 0,
        ids: Vec::new(),
        left_out: 0,
    };
    receipts::file(&OsDisk::open(root)?, &receipt)
}

/// Gathers and assembles, all from one look at the files; nothing is written down yet.
pub(crate) fn tell(store: &mut Store, searcher: &mut Searcher, ask: &Ask) -> Result<Told> {
    store.at_one_look(|store| match ask.most_unindexed {
        Some(most) if !ask.command.trim().is_empty() && searcher.lags(store, most).unwrap_or(true) => {
            tell_fresh(store, searcher, &Ask { command: String::new(), ..ask.clone() })
        }
        _ => tell_fresh(store, searcher, ask),
    })
}

fn tell_fresh(store: &mut Store, searcher: &mut Searcher, ask: &Ask) -> Result<Told> {
    let now = ask.now.unwrap_or_else(ambient::now);
    let given = match &ask.session {
        Some(session) => receipts::given(store.disk(), session).unwrap_or_default(),
        None => receipts::Given::default(),
    };
    // A client that gives nothing at the start of a session is given all of it with the first prompt.
    let only_new = ask.moment == Moment::Prompt && given.started;
    let config = store.config();
    let profile = Profile::choose(config, ask.profile.as_deref(), &ask.command).map_err(Error::NoProfile)?;
    let usual = if only_new { config.context.prompt_tokens } else { profile.tokens };
    let mut budget = Budget::tokens(ask.tokens.unwrap_or(usual));
    if let Some(characters) = ask.characters {
        budget = budget.cut_at(characters);
    }
    let mut gather = Gather {
        store,
        searcher,
        ask,
        profile: &profile,
        budget,
        now,
        broken_index: None,
        reach: Reach::Near,
    };
    let moment = if only_new { Moment::Prompt } else { Moment::Start };
    let mut pool = if only_new { Pool::default() } else { gather.beside_found()? };
    pool.found = gather.found(moment)?;
    if only_new {
        pool.given = gather.unchanged(&given, &pool.found)?;
    }
    let mut context = assemble(&pool, &profile, ask.doubtful, budget);
    let has_room = |context: &Context| context.tokens + budget.tokens / 8 < budget.tokens;
    if has_room(&context) && gather.may_find_more(&pool) {
        gather.reach = Reach::Far;
        pool.found = gather.found(moment)?;
        if only_new {
            pool.given = gather.unchanged(&given, &pool.found)?;
        }
        context = assemble(&pool, &profile, ask.doubtful, budget);
    }
    // Very many tasks take what room is left, but only behind what was kept lately.
    if !only_new && profile.fill && (has_room(&context) || pool.tasks.len() > FEW_TASKS) {
        pool.recent = gather.lately()?;
        context = assemble(&pool, &profile, ask.doubtful, budget);
    }
    let broken_index = gather.broken_index.take();
    Ok(Told { context, profile, budget, pool, moment, broken_index })
}

/// Notes in `.vault/log` what went wrong where nobody could be told.
pub fn note_trouble(root: &Path, text: &str) {
    if let Ok(disk) = OsDisk::open(root) {
        capture::say(&disk, text);
    }
}

/// Writes down what was handed over. Where that fails it is handed over all the same.
pub(crate) fn hand_over(store: &mut Store, ask: &Ask, told: &Told) -> Receipt {
    let receipt = Receipt {
        at: Receipt::time(ambient::now()),
        agent: ask.agent.clone(),
        client: ask.client.clone(),
        session: ask.session.clone(),
        moment: told.moment,
        profile: told.profile.name.clone(),
        bytes: told.context.text.len(),
        tokens: told.context.tokens,
        budget: told.budget.tokens,
        ids: told.context.ids().into_iter().cloned().collect(),
        left_out: told.context.considered.iter().filter(|one| !one.is_told()).count(),
    };
    if receipt.bytes > 0
        && let Err(error) = receipts::file(store.disk(), &receipt)
    {
        store.notice(error.code(), format!("{error}; no receipt was kept"));
    }
    receipt
}
