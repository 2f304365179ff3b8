//! `instructions` and `scope-block`: what an agent is told about the memory and the project, for prompts that people
//! put together themselves.

use std::path::PathBuf;

use clap::Args;
use memory_engine::core::context::{instructions, scope_block};
use memory_engine::core::id::AgentId;
use serde_json::{Value, json};

use crate::app::{App, Outcome};
use crate::output::{Page, Render};
use crate::project::files;

/// Print how an agent writes memories
#[derive(Args)]
#[command(after_help = "Examples:
  agent-memory instructions dev
  agent-memory instructions dev >> AGENTS.md")]
pub(crate) struct Instructions {
    /// The agent
    #[arg(value_name = "AGENT")]
    agent: AgentId,
}

impl Instructions {
    pub(crate) fn run(self, app: &mut App) -> Outcome<()> {
        let root = app.memory()?.root().display().to_string();
        Ok(app.out.show(&Block(instructions(&root, &self.agent)))?)
    }
}

/// Print which project an agent works on
#[derive(Args)]
#[command(after_help = "Examples:
  agent-memory scope-block shop /home/me/shop")]
pub(crate) struct ScopeBlock {
    /// The project's name
    #[arg(value_name = "PROJECT")]
    project: String,

    /// Its folder
    #[arg(value_name = "WORKSPACE")]
    workspace: PathBuf,
}

impl ScopeBlock {
    pub(crate) fn run(self, app: &mut App) -> Outcome<()> {
        let workspace = files::absolute(&self.workspace).display().to_string();
        Ok(app.out.show(&Block(scope_block(&self.project, &workspace)))?)
    }
}

struct Block(String);

impl Render for Block {
    fn text(&self, page: &mut Page<'_>) -> std::io::Result<()> {
        page.body(&self.0)
    }

    fn json(&self) -> Value {
        json!({ "block": self.0 })
    }
}
