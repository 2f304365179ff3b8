//! `bench capture`: a long transcript taken in, and then its next lines.

use std::fs::{self, OpenOptions};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use super::measure::{Times, product, watch};

pub(super) fn run(args: &[String]) -> Result<(), String> {
    let quick = args.iter().any(|arg| arg == "--quick");
    let place = std::env::temp_dir().join(format!("agent-memory-bench-capture-{}", std::process::id()));
    let done = all(&place, if quick { 20 } else { 200 });
    let _ = fs::remove_dir_all(&place);
    done
}

fn all(place: &Path, megabytes: u64) -> Result<(), String> {
    let binary = product()?;
    let project = place.join("project");
    fs::create_dir_all(&project).map_err(error)?;
    let run = |args: &[&str]| {
        let mut command = Command::new(&binary);
        command.args(args).current_dir(&project).env("AGENT_MEMORY_HOME", place.join("home"));
        command.env("HOME", place.join("user")).env("AGENT_MEMORY_NO_BACKGROUND", "1");
        command
            .env_remove("CLAUDE_CONFIG_DIR")
            .env_remove("AGENT_MEMORY_DIR")
            .env_remove("AGENT_MEMORY_AGENT");
        command
    };
    watch(&mut run(&["init"]), None)?;
    let mut transcript = Transcript::new(place, &project)?;
    let lines = transcript.fill(megabytes << 20)?;
    println!("a transcript of {megabytes} MB, {lines} records, on {}", place.display());
    let first = watch(&mut run(&["process"]), None)?;
    println!(
        "taken in                  {:>9.2} s   peak {:.0} MB   (goals 10 s, 100 MB)",
        first.time.as_secs_f64(),
        first.peak_mb
    );
    let (mut next, mut none) = (Times::default(), Times::default());
    for _ in 0..20 {
        for _ in 0..10 {
            transcript.turn()?;
        }
        transcript.file.flush().map_err(error)?;
        next.push(watch(&mut run(&["process"]), None)?.time);
        none.push(watch(&mut run(&["process"]), None)?.time);
    }
    println!(
        "its next 10 records       {:>9.1} ms  p99 {:.1} ms   (goal 50 ms)",
        next.share(0.5),
        next.share(0.99)
    );
    println!("nothing new               {:>9.1} ms  p99 {:.1} ms", none.share(0.5), none.share(0.99));
    let listed = run(&["list", "--json", "--limit", "1000000"]).output().map_err(error)?;
    let listed: Value = serde_json::from_slice(&listed.stdout).map_err(error)?;
    println!("memories                  {:>9}", listed["memories"].as_array().map_or(0, Vec::len));
    Ok(())
}

/// A transcript in the making: mostly output of tools, some talk, now and then a decision.
struct Transcript {
    file: BufWriter<fs::File>,
    project: PathBuf,
    records: usize,
}

impl Transcript {
    fn new(place: &Path, project: &Path) -> Result<Self, String> {
        let slug: String = project
            .to_string_lossy()
            .chars()
            .map(|c| if c.is_ascii_alphanumeric() { c } else { '-' })
            .collect();
        let folder = place.join("user/.claude/projects").join(slug);
        fs::create_dir_all(&folder).map_err(error)?;
        let path = folder.join("7f1a2b3c-0000-4000-8000-000000000001.jsonl");
        let file = OpenOptions::new().create(true).append(true).open(path).map_err(error)?;
        Ok(Self { file: BufWriter::new(file), project: project.to_owned(), records: 0 })
    }

    fn fill(&mut self, bytes: u64) -> Result<usize, String> {
        let mut written = 0;
        while written < bytes {
            written += self.turn()?;
        }
        self.file.flush().map_err(error)?;
        Ok(self.records)
    }

    /// One record; its size.
    fn turn(&mut self) -> Result<u64, String> {
        let n = self.records;
        self.records += 1;
        let talk = "The parser reads one line after the other and the worker keeps the queue short. "
            .repeat(1 + n % 6);
        let (role, content) = match n % 6 {
            0 => ("user", json!(format!("Please look at module {n}. {talk}"))),
            1 | 3 => (
                "assistant",
                json!([
                    { "type": "text", "text": format!("Let me look at file {n}. {talk}") },
                    { "type": "tool_use", "id": format!("t{n}"), "name": "Read", "input": { "file_path": format!("src/m{n}.rs") } },
                ]),
            ),
            2 | 4 => (
                "user",
                json!([{ "type": "tool_result", "tool_use_id": format!("t{}", n - 1), "content": "fn main() { run(); }\n".repeat(180) }]),
            ),
            _ if n % 300 == 5 => (
                "assistant",
                json!([{ "type": "text", "text": format!("We decided to cut module number {n} in two because nobody can read it any more. {talk}") }]),
            ),
            _ => ("assistant", json!([{ "type": "text", "text": format!("Module {n} is done. {talk}") }])),
        };
        let message = json!({ "role": role, "id": format!("msg_{n}"), "model": "m", "content": content });
        let record = json!({
            "parentUuid": format!("u{}", n.saturating_sub(1)), "isSidechain": false, "type": role, "message": message,
            "uuid": format!("u{n}"), "timestamp": format!("2026-11-15T{:02}:{:02}:{:02}.000Z", n / 3600 % 24, n / 60 % 60, n % 60),
            "cwd": self.project, "sessionId": "7f1a2b3c-0000-4000-8000-000000000001", "version": "2.1.325",
        });
        let line = format!("{record}\n");
        self.file.write_all(line.as_bytes()).map_err(error)?;
        Ok(line.len() as u64)
    }
}

fn error(error: impl std::fmt::Display) -> String {
    error.to_string()
}
