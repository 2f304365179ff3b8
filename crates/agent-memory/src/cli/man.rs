//! `man`: the manual pages, made from the commands themselves.

use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::{Value, json};

use crate::app::{App, Outcome};
use crate::output::{Format, Page, Render};
use crate::project::files;

/// Print the manual page, or write the pages of all commands into a folder
#[derive(Args)]
#[command(after_help = "Examples:
  agent-memory man | man -l -
  agent-memory man ~/.local/share/man/man1")]
pub(crate) struct Man {
    /// Where to write a page for each command
    #[arg(value_name = "DIR")]
    folder: Option<PathBuf>,
}

impl Man {
    pub(crate) fn run(self, app: &mut App) -> Outcome<()> {
        // `help COMMAND` shows what the other pages hold, so it has none.
        let mut command = super::command().disable_help_subcommand(true);
        command.build();
        let Some(folder) = self.folder else {
            let page = rendered(&command)?;
            match app.out.format() {
                Format::Text => app.out.exact(page.as_bytes())?,
                Format::Json => app.out.json(&json!({ "page": page }))?,
            }
            return Ok(());
        };
        files::make_folder(&folder)?;
        write_all(&command, &folder)?;
        Ok(app.out.show(&Written(&folder.display().to_string()))?)
    }
}

/// Writes the page of a command and those of the commands below it.
fn write_all(command: &clap::Command, folder: &Path) -> Outcome<()> {
    for inner in command.get_subcommands().filter(|inner| !inner.is_hide_set()) {
        write_all(inner, folder)?;
    }
    let name = clap_mangen::Man::new(command.clone()).get_filename();
    Ok(files::replace(&folder.join(name), rendered(command)?.as_bytes())?)
}

/// The page of a command. What follows the flags in its help are examples above all.
fn rendered(command: &clap::Command) -> Outcome<String> {
    let mut page = Vec::new();
    clap_mangen::Man::new(command.clone()).render(&mut page)?;
    Ok(String::from_utf8_lossy(&page).replace("\n.SH EXTRA\n", "\n.SH EXAMPLES\n"))
}

struct Written<'a>(&'a str);

impl Render for Written<'_> {
    fn text(&self, page: &mut Page<'_>) -> std::io::Result<()> {
        page.say(&format!("wrote the manual pages into `{}`", self.0))
    }

    fn json(&self) -> Value {
        json!({ "folder": self.0 })
    }
}
