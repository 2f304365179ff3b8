//! Parts that run in processes of their own, so that each one's memory and start are its own, and what they tell.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::super::measure::installed;
use super::plan::{Asked, Plan, Sort};
use super::{fts, ours};

/// What the making of an index took.
#[derive(Serialize, Deserialize)]
pub struct Built {
    pub seconds: f64,
    /// `None` where it could not be written.
    pub index_bytes: Option<u64>,
    /// `None` where the system does not tell.
    pub peak_mb: Option<f64>,
}

/// The answers of a process that stays.
#[derive(Serialize, Deserialize)]
pub struct Warm {
    pub warm: BTreeMap<Sort, Asked>,
}

/// The folder of one size: plan, root, indexes, and a home for the program.
#[derive(Clone)]
pub struct Place(PathBuf);

impl Place {
    pub fn new(folder: &Path) -> Self {
        Self(folder.to_owned())
    }

    pub fn folder(&self) -> &Path {
        &self.0
    }

    pub fn root(&self) -> PathBuf {
        self.0.join(".memory")
    }

    /// Keeps a command away from what the person has, and from processes beside it.
    pub fn surround(&self, command: &mut Command) {
        command.env("AGENT_MEMORY_HOME", self.0.join("home")).env("AGENT_MEMORY_NO_BACKGROUND", "1");
        for name in ["AGENT_MEMORY_DIR", "AGENT_MEMORY_AGENT"] {
            command.env_remove(name);
        }
    }

    /// A part of this program.
    pub fn part(&self, name: &str) -> Result<Command, String> {
        static PROGRAM: OnceLock<Result<PathBuf, String>> = OnceLock::new();
        let program = PROGRAM.get_or_init(|| installed(&std::env::current_exe().map_err(error)?));
        let mut command = Command::new(program.clone()?);
        command.args(["bench", "search", "part", name]).arg(&self.0);
        self.surround(&mut command);
        Ok(command)
    }

    /// Runs a part to its end and gives what it tells.
    pub fn told<T: DeserializeOwned>(&self, name: &str) -> Result<T, String> {
        let (_, output) = timed(&mut self.part(name)?)?;
        serde_json::from_slice(&output).map_err(error)
    }
}

/// Runs the part that the arguments name: `NAME PLACE [SORT QUERY]`.
pub fn run(arguments: &[String]) -> Result<(), String> {
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["fts-cold", place, sort, query] => {
            let sort = Sort::of_word(sort).ok_or("that is no sort of question")?;
            fts::cold(&Place::new(Path::new(place)), sort, query)
        }
        [name, place] => {
            let place = Place::new(Path::new(place));
            match *name {
                "ours-fill" => tell(&ours::fill(&place)?),
                "ours-index" => tell(&ours::index(&place)?),
                "ours-warm" => tell(&ours::warm(&place)?),
                "fts-fill" => tell(&fts::fill(&place)?),
                "fts-index" => tell(&fts::index(&place)?),
                "fts-warm" => tell(&fts::warm(&place)?),
                _ => Err(format!("there is no part `{name}`")),
            }
        }
        _ => Err("a part needs its name and its place".to_owned()),
    }
}

fn tell(what: &impl Serialize) -> Result<(), String> {
    println!("{}", serde_json::to_string(what).map_err(error)?);
    Ok(())
}

/// Runs a command to its end: the time from its start to its exit, and what it wrote.
pub fn timed(command: &mut Command) -> Result<(Duration, Vec<u8>), String> {
    command.stdin(std::process::Stdio::null());
    let start = Instant::now();
    let output = command.output().map_err(error)?;
    let time = start.elapsed();
    if output.status.success() {
        return Ok((time, output.stdout));
    }
    let said = String::from_utf8_lossy(&output.stderr);
    let why = said.lines().find(|line| line.to_lowercase().contains("error")).unwrap_or_default();
    Err(format!("it ended with {}: {}", output.status, why.trim_start_matches("error: ")))
}

/// Milliseconds of one process for each question.
pub fn cold(
    plan: &Plan,
    command: impl Fn(Sort, &str) -> Result<Command, String>,
) -> Result<BTreeMap<Sort, Vec<f64>>, String> {
    let mut all = BTreeMap::new();
    for sort in Sort::ALL {
        let (before, counted) = plan.of_sort(sort);
        for query in before.iter().take(2) {
            timed(&mut command(sort, &query.text)?)?;
        }
        let mut times = Vec::new();
        let begun = Instant::now();
        for (n, query) in counted.iter().take(plan.pace.cold).enumerate() {
            if begun.elapsed().as_secs_f64() > plan.pace.seconds && n >= plan.pace.least {
                break;
            }
            times.push(timed(&mut command(sort, &query.text)?)?.0.as_secs_f64() * 1000.0);
        }
        all.insert(sort, times);
    }
    Ok(all)
}

/// The most memory that this process has had, where the system tells.
pub fn peak_mb() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: f64 = line.trim().trim_end_matches("kB").trim().parse().ok()?;
    Some(kilobytes / 1024.0)
}

pub fn error(error: impl std::fmt::Display) -> String {
    error.to_string()
}
