//! `completions`: a script for a shell.

use clap::Args;
use clap_complete::Shell;

use crate::app::{App, Outcome};

/// Print the completion script for a shell
#[derive(Args)]
#[command(after_help = "Examples:
  agent-memory completions bash > ~/.local/share/bash-completion/completions/agent-memory
  agent-memory completions zsh > ~/.zfunc/_agent-memory
  agent-memory completions fish > ~/.config/fish/completions/agent-memory.fish")]
pub(crate) struct Completions {
    /// Which shell
    #[arg(value_name = "SHELL")]
    shell: Shell,
}

impl Completions {
    pub(crate) fn run(self, app: &mut App) -> Outcome<()> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut super::command(), "agent-memory", &mut script);
        Ok(app.out.exact(&script)?)
    }
}
