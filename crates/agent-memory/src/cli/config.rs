//! `config`: every setting with its value and where it came from.

use std::io;
use std::path::{Path, PathBuf};

use clap::Args;
use memory_engine::core::config::{Origin, Resolved};
use memory_engine::{Memory, paths};
use serde_json::{Value, json};
use toml::Value as Toml;

use crate::app::{App, Failure, Outcome};
use crate::output::{Page, Render, Tone};

/// Show the settings and where each came from
#[derive(Args)]
#[command(after_help = "Examples:
  agent-memory config
  agent-memory config memory.agent
  agent-memory config --json")]
pub(crate) struct Config {
    /// Only this setting
    #[arg(value_name = "KEY")]
    key: Option<String>,
}

impl Config {
    pub(crate) fn run(self, app: &mut App) -> Outcome<()> {
        let found = app.found()?;
        let trusted = found.exists && matches!(paths::trust_of(&found.root), Ok(paths::Trust::Trusted));
        if found.exists && !trusted {
            app.out.note("the folder is not approved, so settings that it brings are not read");
        }
        let opened = if trusted { app.memory_if_any() } else { Ok(None) };
        let resolved = match opened {
            Ok(Some(memory)) => memory.config().clone(),
            Ok(None) => Memory::settings()?,
            // Settings are often looked at because something else is wrong.
            Err(failure) => {
                app.out.warn(&failure.text());
                Memory::settings()?
            }
        };
        match self.key {
            Some(key) => {
                let Some((value, origin)) = resolved.values().remove(&key) else {
                    let text = format!("no setting is named `{key}`: `agent-memory config` lists them all");
                    return Err(Failure::missing("E_NO_SETTING", text));
                };
                Ok(app.out.show(&One { key: &key, value: &value, origin })?)
            }
            None => {
                let report = All { resolved: &resolved, root: &found.root, user: paths::user_settings() };
                Ok(app.out.show(&report)?)
            }
        }
    }
}

struct One<'a> {
    key: &'a str,
    value: &'a Toml,
    origin: Origin,
}

impl Render for One<'_> {
    fn text(&self, page: &mut Page<'_>) -> io::Result<()> {
        match self.value {
            Toml::String(text) => page.say(text),
            other => page.say(&other.to_string()),
        }
    }

    fn json(&self) -> Value {
        json!({ "key": self.key, "value": self.value, "origin": self.origin.to_string() })
    }
}

struct All<'a> {
    resolved: &'a Resolved,
    root: &'a Path,
    user: Option<PathBuf>,
}

impl All<'_> {
    fn user(&self) -> String {
        self.user.as_ref().map(|path| path.display().to_string()).unwrap_or_default()
    }

    fn repository(&self) -> String {
        self.root.join("config.toml").display().to_string()
    }
}

impl Render for All<'_> {
    fn text(&self, page: &mut Page<'_>) -> io::Result<()> {
        let values = self.resolved.values();
        let width = values.keys().map(String::len).max().unwrap_or(0);
        for (key, (value, origin)) in &values {
            page.column(Tone::Strong, key, width)?;
            let tone = if *origin == Origin::Default { Tone::Dim } else { Tone::Good };
            page.line(&[(Tone::Plain, &value.to_string()), (tone, &format!("  ({origin})"))])?;
        }
        for sentence in &self.resolved.ignored {
            page.line(&[(Tone::Warn, "ignored: "), (Tone::Plain, sentence)])?;
        }
        page.say("")?;
        page.say(&format!("your settings:           {}", self.user()))?;
        page.say(&format!("the folder's settings:   {}", self.repository()))
    }

    fn json(&self) -> Value {
        let values = self
            .resolved
            .values()
            .into_iter()
            .map(|(key, (value, origin))| (key, json!({ "value": value, "origin": origin.to_string() })));
        json!({
            "values": values.collect::<serde_json::Map<_, _>>(),
            "ignored": self.resolved.ignored,
            "files": { "user": self.user(), "repository": self.repository() },
            "root": self.root.to_string_lossy(),
        })
    }
}
