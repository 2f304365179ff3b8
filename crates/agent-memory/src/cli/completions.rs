//! `completions`: a script for a shell.

use clap::Args;
use clap_complete::Shell;
use serde_json::json;

use crate::app::{App, Outcome};
use crate::output::Format;

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
        clap_complete::generate(self.shell, &mut shown(&super::command()), "agent-memory", &mut script);
        let mut script = String::from_utf8_lossy(&script).into_owned();
        if self.shell == Shell::Bash {
            // The generator writes the hyphen of our name in two ways, one where it sets the command and another where
            // it looks it up, so that no command would be completed.
            script = script.replace("agent__subcmd__memory", "agent__memory");
        }
        match app.out.format() {
            Format::Text => app.out.exact(script.as_bytes())?,
            Format::Json => app.out.json(&json!({ "shell": self.shell.to_string(), "script": script }))?,
        }
        Ok(())
    }
}

/// A command as people see it. The generators complete hidden flags too, and a command cannot lose one, so it is made anew
/// of what they look at.
fn shown(command: &clap::Command) -> clap::Command {
    let made = clap::Command::new(command.get_name().to_owned())
        .args(command.get_arguments().filter(|argument| !argument.is_hide_set()).cloned())
        .subcommands(command.get_subcommands().filter(|inner| !inner.is_hide_set()).map(shown))
        .propagate_version(command.is_propagate_version_set());
    let made = match command.get_version() {
        Some(version) => made.version(version.to_owned()),
        None => made,
    };
    match command.get_about() {
        Some(about) => made.about(about.clone()),
        None => made,
    }
}
