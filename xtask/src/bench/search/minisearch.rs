//! MiniSearch on Node, with the options that the vault's users know: fuzzy 0.2, prefix, any of the words.
//!
//! The package is installed under the build folder. Where Node or npm is missing the others are compared without it.

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::Command;

use serde::Deserialize;
use serde_json::json;

use super::notes::Notes;
use super::part::{Built, Place, Warm, error, timed};
use super::plan::{Plan, Sort};
use crate::run::{answers, target};

const PACKAGE: &str = "minisearch";
const VERSION: &str = "7.2.0";
const SCRIPT: &str = include_str!("../minisearch.mjs");

/// From so many notes on, Node is given more memory than it takes by itself.
const MANY: usize = 100_000;

/// Node with the package and the script that uses it.
pub struct Node {
    script: PathBuf,
}

/// What the process that makes the index tells; it then stays and answers.
#[derive(Deserialize)]
pub struct Told {
    #[serde(flatten)]
    pub built: Built,
    #[serde(flatten)]
    pub warm: Warm,
}

impl Node {
    /// Installs the package if need be; an error says why there is none to compare with.
    pub fn ready() -> Result<Self, String> {
        if !answers(&["node", "--version"]) {
            return Err("`node` is not there: install Node to compare with MiniSearch".to_owned());
        }
        let folder = target().join("bench-node");
        fs::create_dir_all(&folder).map_err(error)?;
        let script = folder.join("minisearch.mjs");
        fs::write(&script, SCRIPT).map_err(error)?;
        let installed = fs::read_to_string(folder.join("node_modules").join(PACKAGE).join("package.json"));
        let wanted = format!("\"version\": \"{VERSION}\"");
        if !installed.is_ok_and(|text| text.contains(&wanted)) {
            fs::write(folder.join("package.json"), "{ \"private\": true }\n").map_err(error)?;
            eprintln!("installing {PACKAGE} {VERSION} into `{}`", folder.display());
            let npm = if cfg!(windows) { "npm.cmd" } else { "npm" };
            let mut command = Command::new(npm);
            command.args(["install", "--no-audit", "--no-fund", &format!("{PACKAGE}@{VERSION}")]);
            timed(command.current_dir(&folder)).map_err(|why| format!("`npm install {PACKAGE}`: {why}"))?;
        }
        Ok(Self { script })
    }

    /// Writes another script beside the package, so that it can use it too.
    pub fn beside(&self, name: &str, script: &str) -> Result<PathBuf, String> {
        let path = self.script.with_file_name(name);
        fs::write(&path, script).map_err(error)?;
        Ok(path)
    }

    fn command(&self, plan: &Plan) -> Command {
        let mut command = Command::new("node");
        if plan.count > MANY {
            command.arg("--max-old-space-size=12000");
        }
        command.arg(&self.script);
        command
    }

    /// Makes the index in one process, which then answers.
    pub fn build(&self, plan: &Plan, place: &Place) -> Result<Told, String> {
        let (_, output) = timed(self.command(plan).arg("build").arg(place.folder()))?;
        serde_json::from_slice(&output).map_err(error)
    }

    /// The process that loads the index and answers one question.
    pub fn cold(&self, plan: &Plan, place: &Place, _: Sort, query: &str) -> Command {
        let mut command = self.command(plan);
        command.arg("cold").arg(place.folder()).arg(query);
        command
    }
}

/// Writes the notes where Node reads them.
pub fn write_notes(notes: &Notes, plan: &Plan, place: &Place) -> Result<(), String> {
    let file = fs::File::create(place.folder().join("notes.jsonl")).map_err(error)?;
    let mut file = std::io::BufWriter::new(file);
    for n in 0..plan.count {
        let note = notes.note(n);
        let line = json!({ "id": n, "body": note.body, "tags": note.tags.join(" ") });
        writeln!(file, "{line}").map_err(error)?;
    }
    file.flush().map_err(error)
}
