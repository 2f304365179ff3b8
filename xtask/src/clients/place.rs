//! Where a client runs: a home and a project of its own, with its settings and our hooks in them.
//!
//! Nothing of the person's environment reaches a client, and what it leaves running ends with the place. A small script
//! stands where the client finds our program; it notes every call and hands it on.

use std::fs;
use std::net::{Ipv4Addr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Map, Value};

use super::child;
use super::handbook;
use super::model::{GREETING, Model};
use super::rows::{ENVIRONMENT, Mode, Row, Text};

/// A place for one client.
pub(super) struct Place {
    folder: PathBuf,
    product: PathBuf,
    /// Folders of programs that come before the machine's own.
    programs: Vec<PathBuf>,
    port: u16,
}

/// A call of our hook that a client made.
#[derive(Debug, Clone)]
pub(super) struct Call {
    /// What the client calls the event.
    pub event: String,
    pub code: i32,
    pub complaint: String,
}

impl Place {
    /// Makes the folders, the project and the settings.
    pub(super) fn make(
        folder: &Path,
        product: &Path,
        row: &Row,
        programs: Vec<PathBuf>,
        model: &Model,
    ) -> Result<Self, String> {
        let place =
            Self { folder: folder.to_owned(), product: product.to_owned(), programs, port: model.port() };
        for part in ["home", "project", "bin", "notes", "tmp"] {
            let part = folder.join(part);
            fs::create_dir_all(&part).map_err(|error| format!("`{}`: {error}", part.display()))?;
        }
        write(&place.project().join("greeting.txt"), GREETING, Mode::Read)?;
        write(&place.hook(), &place.filled(include_str!("settings/hook.sh")), Mode::Run)?;
        for file in row.files {
            write(Path::new(&place.filled(file.path)), &place.text(&file.text)?, file.mode)?;
        }
        place.well(Command::new("git").args(["init", "--quiet"]))?;
        place.well(Command::new(product).args(["init", "--quiet"]))?;
        Ok(place)
    }

    pub(super) fn home(&self) -> PathBuf {
        self.folder.join("home")
    }

    pub(super) fn project(&self) -> PathBuf {
        self.folder.join("project")
    }

    /// What the client said.
    pub(super) fn log(&self) -> PathBuf {
        self.folder.join("log")
    }

    /// The client with this prompt.
    pub(super) fn client(&self, row: &Row, words: &[&str], prompt: &str) -> Command {
        let mut command = Command::new(row.program);
        self.settle(&mut command);
        for (name, value) in row.environment {
            command.env(name, self.filled(value));
        }
        command.args(words.iter().map(|word| word.replace("@PROMPT@", prompt)));
        command
    }

    /// The product, run in the project; what it answers.
    pub(super) fn product(&self, words: &[&str]) -> Result<String, String> {
        self.well(Command::new(&self.product).args(words))
    }

    /// Runs a command in the project to its good end, and gives what it said.
    fn well(&self, command: &mut Command) -> Result<String, String> {
        self.settle(command);
        let words = std::iter::once(command.get_program()).chain(command.get_args());
        let words: Vec<String> = words.map(|word| word.to_string_lossy().into_owned()).collect();
        let line = words.join(" ");
        let answer = command.output().map_err(|error| format!("`{line}` does not start: {error}"))?;
        if answer.status.success() {
            return Ok(String::from_utf8_lossy(&answer.stdout).into_owned());
        }
        let complaint = String::from_utf8_lossy(&answer.stderr);
        Err(format!("`{line}` failed ({}): {}", answer.status, complaint.trim()))
    }

    /// An environment that holds nothing of the person's.
    fn settle(&self, command: &mut Command) {
        let own = std::env::var_os("PATH").unwrap_or_default();
        let path = self.programs.iter().cloned().chain(std::env::split_paths(&own));
        command.env_clear().current_dir(self.project()).envs(ENVIRONMENT.iter().copied());
        command.env("PATH", std::env::join_paths(path).unwrap_or(own.clone()));
        command.env("HOME", self.home()).env("TMPDIR", self.folder.join("tmp"));
    }

    fn hook(&self) -> PathBuf {
        self.folder.join("bin/agent-memory")
    }

    fn text(&self, text: &Text) -> Result<String, String> {
        let block = |section: &str| handbook::block(section, &self.hook().display().to_string());
        match text {
            Text::Own(text) => Ok(self.filled(text)),
            Text::Documented(section) => block(section),
            Text::Both(section, text) => merged(&block(section)?, &self.filled(text)),
        }
    }

    fn filled(&self, text: &str) -> String {
        let shown = |path: PathBuf| path.display().to_string();
        text.replace("@PRODUCT@", &shown(self.product.clone()))
            .replace("@NOTES@", &shown(self.folder.join("notes")))
            .replace("@HOME@", &shown(self.home()))
            .replace("@PROJECT@", &shown(self.project()))
            .replace("@PORT@", &self.port.to_string())
            .replace("@FREE@", &free_port().to_string())
    }

    /// Every call of our hook so far, in its order as far as the clock tells.
    pub(super) fn calls(&self) -> Vec<Call> {
        let notes = fs::read_dir(self.folder.join("notes")).into_iter().flatten().flatten();
        let mut heard: Vec<PathBuf> = notes.map(|note| note.path()).collect();
        heard.retain(|path| path.extension().is_some_and(|it| it == "heard"));
        heard.sort();
        heard.iter().map(|path| call(path)).collect()
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        child::sweep(&self.home());
    }
}

/// A port that nobody listens on just now.
fn free_port() -> u16 {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0));
    listener.and_then(|it| it.local_addr()).map_or(0, |address| address.port())
}

fn call(heard: &Path) -> Call {
    let text = |end: &str| fs::read_to_string(heard.with_extension(end)).unwrap_or_default();
    let told: Value = serde_json::from_str(&text("heard")).unwrap_or_default();
    let event = ["hook_event_name", "hookName", "event"].iter().find_map(|name| told[*name].as_str());
    let words = text("words");
    Call {
        // Where the client does not say it, its settings do: `hook CLIENT EVENT`.
        event: event.or(words.split_whitespace().nth(2)).unwrap_or("unnamed").to_owned(),
        code: text("code").trim().parse().unwrap_or(-1),
        complaint: text("complained").trim().to_owned(),
    }
}

/// Two objects of JSON as one.
fn merged(one: &str, other: &str) -> Result<String, String> {
    let object =
        |text: &str| serde_json::from_str::<Map<String, Value>>(text).map_err(|error| error.to_string());
    let mut all = object(one)?;
    all.extend(object(other)?);
    Ok(Value::Object(all).to_string())
}

fn write(path: &Path, text: &str, mode: Mode) -> Result<(), String> {
    let told = |error: std::io::Error| format!("`{}`: {error}", path.display());
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(told)?;
    }
    fs::write(path, text).map_err(told)?;
    #[cfg(unix)]
    if mode == Mode::Run {
        fs::set_permissions(path, std::os::unix::fs::PermissionsExt::from_mode(0o700)).map_err(told)?;
    }
    #[cfg(not(unix))]
    let _ = mode;
    Ok(())
}
