//! `bench scan`: memories that name code of a made repository, checked when nothing changed, when some of it did, and
//! when it is looked at for the first time; and contradictions among many memories.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

use memory_engine::{Draft, Look, Memory};

use super::measure::{Times, product, watch};

/// Names of code in memories, and files of the repository.
const ANCHORS: usize = 200;
const FILES: usize = 2000;

pub(super) fn run(args: &[String]) -> Result<(), String> {
    let quick = args.iter().any(|arg| arg == "--quick");
    let place = std::env::temp_dir().join(format!("agent-memory-bench-scan-{}", std::process::id()));
    let done = all(&place, if quick { 5 } else { 50 });
    let _ = fs::remove_dir_all(&place);
    done
}

fn all(place: &Path, times: usize) -> Result<(), String> {
    let binary = product()?;
    let project = place.join("project");
    for n in 0..FILES {
        write(&project, n, 0)?;
    }
    let run = |args: &[&str]| {
        let mut command = Command::new(&binary);
        command.args(args).current_dir(&project).env("AGENT_MEMORY_HOME", place.join("home"));
        command
            .env("AGENT_MEMORY_NO_BACKGROUND", "1")
            .env_remove("AGENT_MEMORY_DIR")
            .env_remove("AGENT_MEMORY_AGENT");
        command
    };
    // The root is made by the product, and opened here as any program that embeds the library would.
    let root = project.join(".memory");
    watch(&mut run(&["init"]), None)?;
    let disk = memory_engine::disk::OsDisk::open(&root).map_err(error)?;
    let memory = Memory::with(std::sync::Arc::new(disk), memory_engine::core::config::Resolved::default())
        .map_err(error)?;
    for n in 0..ANCHORS {
        let text = match n % 2 {
            0 => format!("Lesson {n}: the lock is taken in `{}` before anything else", path(n)),
            _ => format!("Lesson {n}: callers of `worker_{n}_step()` never retry"),
        };
        memory.remember(Draft::note(&text)).map_err(error)?;
    }
    memory.flush().map_err(error)?;
    println!(
        "{ANCHORS} names of code in {ANCHORS} memories, a repository of {FILES} files, on {}",
        place.display()
    );
    let first = Instant::now();
    let found = memory.scan(&[Look::Code]).map_err(error)?;
    println!(
        "looked at first           {:>9.1} ms  {} fresh",
        first.elapsed().as_secs_f64() * 1000.0,
        found.fresh
    );
    // What was written just now is read again, since it may have changed in the same moment.
    std::thread::sleep(std::time::Duration::from_millis(120));
    memory.scan(&[Look::Code]).map_err(error)?;
    measured("nothing changed", &memory, times, &mut |_| Ok(()))?;
    measured("20 files changed", &memory, times, &mut |round| {
        (0..20).try_for_each(|n| write(&project, n * 10 + 1, round + 1))
    })?;
    let mut process = Times::default();
    for _ in 0..times {
        // Findings make it end with 1, so the looks that find nothing are timed.
        process.push(watch(&mut run(&["scan", "--only", "duplicate"]), None)?.time);
    }
    println!("the program, duplicates   {:>9.1} ms  p99 {:.1} ms", process.share(0.5), process.share(0.99));
    Ok(())
}

/// Times of a check after something was done.
fn measured(
    name: &str,
    memory: &Memory,
    times: usize,
    before: &mut dyn FnMut(usize) -> Result<(), String>,
) -> Result<(), String> {
    let mut took = Times::default();
    let mut findings = 0;
    for round in 0..times {
        before(round)?;
        let start = Instant::now();
        findings = memory.scan(&[Look::Code]).map_err(error)?.code.len();
        took.push(start.elapsed());
    }
    println!(
        "{name:<25} {:>9.1} ms  p99 {:.1} ms  {findings} findings   (goal 50 ms)",
        took.share(0.5),
        took.share(0.99)
    );
    Ok(())
}

fn path(n: usize) -> String {
    format!("src/part{}/worker_{n}.rs", n % 20)
}

/// A source file; another round is another text.
fn write(project: &Path, n: usize, round: usize) -> Result<(), String> {
    let mut text = String::new();
    for step in 0..20 {
        let name = if step == 0 { format!("worker_{n}_step") } else { format!("worker_{n}_part{step}") };
        let _ = write!(
            text,
            "pub fn {name}(input: u64) -> u64 {{\n    let first = input + {};\n    if first > {step} {{\n        return first;\n    }}\n    first * {}\n}}\n\n",
            n + step,
            round + 2
        );
    }
    let place = project.join(path(n));
    if let Some(folder) = place.parent() {
        fs::create_dir_all(folder).map_err(error)?;
    }
    fs::write(place, text).map_err(error)
}

fn error(error: impl std::fmt::Display) -> String {
    error.to_string()
}
