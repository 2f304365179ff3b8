//! `receipts`: what agents were handed, newest first.

use clap::Args;
use memory_engine::core::id::{AgentId, SessionId};
use memory_engine::{Moment, Receipt};
use serde_json::{Value, json};

use crate::app::{App, Outcome};
use crate::output::{Page, Render, Tone};

/// Show what agents were handed
///
/// Each time that a hook or `agent-memory inject` hands context to an agent, a line is kept: when, to whom, how much,
/// and the ids of the memories; never their text.
#[derive(Args)]
#[command(after_help = "Examples:
  agent-memory receipts
  agent-memory receipts --agent dev --limit 3
  agent-memory receipts --session 0f2c --json")]
pub(crate) struct Receipts {
    /// Only of this agent
    #[arg(short, long, value_name = "AGENT")]
    agent: Option<AgentId>,

    /// Only of this session
    #[arg(long, value_name = "SESSION")]
    session: Option<SessionId>,

    /// How many at most
    #[arg(short, long, value_name = "N", default_value = "20")]
    limit: usize,
}

impl Receipts {
    pub(crate) fn run(self, app: &mut App) -> Outcome<()> {
        let mut receipts = app.memory()?.receipts()?;
        receipts.retain(|receipt| {
            self.agent.as_ref().is_none_or(|agent| receipt.agent == *agent)
                && self.session.as_ref().is_none_or(|session| receipt.session.as_ref() == Some(session))
        });
        receipts.reverse();
        receipts.truncate(self.limit);
        if receipts.is_empty() {
            app.out.mention("(no receipts: nothing was handed to an agent yet; `agent-memory inject` or a hook does that)");
        }
        Ok(app.out.show(&All(&receipts))?)
    }
}

struct All<'a>(&'a [Receipt]);

impl Render for All<'_> {
    fn text(&self, page: &mut Page<'_>) -> std::io::Result<()> {
        for receipt in self.0 {
            let moment = match receipt.moment {
                Moment::Start => "start",
                Moment::Prompt => "prompt",
                Moment::Compaction => "compaction",
            };
            let session =
                receipt.session.as_ref().map_or(String::new(), |session| format!("  session {session}"));
            page.line(&[
                (Tone::Strong, &receipt.at),
                (Tone::Plain, &format!("  {}  {}  {moment}", receipt.agent, receipt.client)),
                (Tone::Dim, &session),
            ])?;
            let ids: Vec<&str> = receipt.ids.iter().map(|id| id.as_str()).collect();
            page.line(&[(
                Tone::Plain,
                &format!(
                    "  {} of {} tokens, {} bytes, profile {}, {} left out",
                    receipt.tokens, receipt.budget, receipt.bytes, receipt.profile, receipt.left_out
                ),
            )])?;
            page.line(&[(
                Tone::Dim,
                &format!("  {}", if ids.is_empty() { "(no memories)".to_owned() } else { ids.join(" ") }),
            )])?;
        }
        Ok(())
    }

    fn json(&self) -> Value {
        json!({ "receipts": self.0 })
    }
}
