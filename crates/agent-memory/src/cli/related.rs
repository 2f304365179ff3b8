//! `related`: the memories that are about the same things as one of them.

use clap::Args;
use memory_engine::Search as Wish;
use memory_engine::core::id::{MemoryId, SessionId};
use memory_engine::core::scope::Audience;

use crate::app::{App, Outcome};
use crate::cli::found::{self, Asked, Detail};
use crate::cli::search::{Limit, limit};

/// Find memories about the same things as one of them
#[derive(Args)]
#[command(after_help = "Examples:
  agent-memory related 1773679871839
  agent-memory related 1773679871839 --limit 3 --explain")]
pub(crate) struct Related {
    /// The memory's id
    #[arg(value_name = "ID")]
    id: MemoryId,

    /// How many at most, from 1 to 100
    #[arg(short, long, value_name = "N", default_value = "10", allow_negative_numbers = true)]
    #[arg(value_parser = limit)]
    limit: Limit,

    /// Also what is kept for this session alone
    #[arg(long, value_name = "SESSION")]
    session: Option<SessionId>,

    /// Every agent's, though AGENT_MEMORY_AGENT names one
    #[arg(long)]
    all_agents: bool,

    /// Tell why each was found
    #[arg(long)]
    explain: bool,
}

impl Related {
    pub(crate) fn run(self, app: &mut App) -> Outcome<()> {
        self.limit.tell(app);
        let memory = app.memory()?;
        let asker = if self.all_agents { None } else { memory.config().asker().cloned() };
        let search = Wish {
            limit: self.limit.most,
            audience: Audience { agent: asker, session: self.session, ..Audience::default() },
            ..Wish::new("")
        };
        let answer = memory.related(&self.id, &search)?;
        found::tell(app, &memory, &search, &answer, Asked::Memory(&self.id), Detail::of_flag(self.explain))
    }
}
