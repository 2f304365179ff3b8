//! `man`: the manual pages, made from the commands themselves.

use std::path::PathBuf;

use clap::Args;
use serde_json::{Value, json};

use crate::app::{App, Failure, Outcome};
use crate::output::{Format, Page, Render};
use crate::project::files::{self, FileError};

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
        let Some(folder) = self.folder else {
            let mut page = Vec::new();
            clap_mangen::Man::new(super::command()).render(&mut page)?;
            match app.out.format() {
                Format::Text => app.out.exact(&page)?,
                Format::Json => app.out.json(&json!({ "page": String::from_utf8_lossy(&page) }))?,
            }
            return Ok(());
        };
        files::make_folder(&folder)?;
        clap_mangen::generate_to(super::command(), &folder).map_err(|source| {
            Failure::from(FileError { action: "write into", path: folder.clone(), source })
        })?;
        Ok(app.out.show(&Written(&folder.display().to_string()))?)
    }
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
