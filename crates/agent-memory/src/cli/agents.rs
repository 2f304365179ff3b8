//! `agents`: who has a vault here, in the words of the vault tool.

use clap::Args;
use memory_engine::AgentCounts;
use serde_json::{Value, json};

use crate::app::{App, Outcome};
use crate::output::{Page, Render, Tone};

/// List the agents that have memories
#[derive(Args)]
#[command(after_help = "Examples:
  agent-memory agents
  agent-memory agents --json")]
pub(crate) struct Agents {}

impl Agents {
    pub(crate) fn run(self, app: &mut App) -> Outcome<()> {
        let agents = match app.memory_if_any()? {
            Some(memory) => memory.agents()?,
            None => {
                app.out.mention("there is no memory here yet: `agent-memory init` sets one up");
                Vec::new()
            }
        };
        Ok(app.out.show(&Names(&agents))?)
    }
}

struct Names<'a>(&'a [AgentCounts]);

impl Render for Names<'_> {
    fn text(&self, page: &mut Page<'_>) -> std::io::Result<()> {
        if self.0.is_empty() {
            return page.say("(no agents)");
        }
        self.0.iter().try_for_each(|it| page.line(&[(Tone::Plain, it.agent.as_str())]))
    }

    fn json(&self) -> Value {
        json!({ "agents": self.0.iter().map(|it| &it.agent).collect::<Vec<_>>() })
    }
}
