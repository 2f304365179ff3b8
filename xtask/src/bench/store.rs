//! `bench store`: durable appends by one process and by eight, batch import, the cost of an append and of a look as
//! files grow, and peak memory, beside the same machine's raw `write` and `fdatasync`.

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Instant;

use memory_engine::core::config::Resolved;
use memory_engine::core::id::AgentId;
use memory_engine::core::kind::Kind;
use memory_engine::core::scope::Scope;
use memory_engine::disk::OsDisk;
use memory_engine::{Draft, Filter, Memory};

use super::measure::{Times, product, watch};

pub(super) fn run(args: &[String]) -> Result<(), String> {
    let quick = args.iter().any(|arg| arg == "--quick");
    let place = std::env::temp_dir().join(format!("agent-memory-bench-{}", std::process::id()));
    fs::create_dir_all(&place).map_err(|error| error.to_string())?;
    let done = all(&place, quick);
    let _ = fs::remove_dir_all(&place);
    done
}

fn all(place: &Path, quick: bool) -> Result<(), String> {
    let many = if quick { 10_000 } else { 100_000 };
    println!("store benchmark, entries of about 380 bytes, on {}", place.display());
    // The rate of a disk changes by the second, so the two take turns.
    let (mut raw, mut one) = (Vec::new(), Vec::new());
    for turn in 0..TURNS {
        raw.push(raw_rate(place)?);
        one.push(one_process(&place.join(format!("one-{turn}")), 2000)?);
    }
    let (raw, one) = (mean(&raw), mean(&one));
    println!("raw write+fdatasync                        {raw:>9.0} /s");
    println!(
        "one process, each acknowledged durable     {one:>9.0} /s   {:.0} % of raw (goal 60 %)",
        one / raw * 100.0
    );
    let binary = product()?;
    let eight = eight_processes(&binary, place, 1000)?;
    println!("eight processes together                   {eight:>9.0} /s   (goal 1,000)");
    println!();
    append_cost(place)?;
    println!();
    batch(&binary, place, many)?;
    println!();
    for count in [1000, 10_000, 100_000] {
        if count <= many {
            look(&binary, place, count)?;
        }
    }
    Ok(())
}

fn error(error: impl std::fmt::Display) -> String {
    error.to_string()
}

/// A text of about 380 bytes that differs for every number.
fn text(n: usize) -> String {
    let words = "we the when it because queue retry proxy index cache token socket schema worker build after release \
                 keeps fails only on Windows timeout before deploy config must not since path file wrote returns empty \
                 with user session second test";
    let words: Vec<&str> = words.split_whitespace().collect();
    let mut out = format!("Lesson {n}: ");
    let mut mix = n as u64 ^ 0x9e37_79b9_7f4a_7c15;
    while out.len() < 370 {
        mix = mix.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        out.push_str(words[usize::try_from(mix >> 33).unwrap_or(0) % words.len()]);
        out.push(' ');
    }
    out
}

fn draft(agent: &str, n: usize) -> Result<Draft, String> {
    let agent = AgentId::parse(agent).map_err(error)?;
    Ok(Draft { kind: Some(Kind::Lesson), scope: Some(Scope::Agent(agent)), ..Draft::note(&text(n)) })
}

fn open(root: &Path) -> Result<Memory, String> {
    let disk = OsDisk::create(root).map_err(error)?;
    Memory::with(Arc::new(disk), Resolved::default()).map_err(error)
}

/// How often the raw rate and ours are measured, one after the other.
const TURNS: usize = 4;

fn mean(rates: &[f64]) -> f64 {
    rates.iter().sum::<f64>() / rates.len().max(1) as f64
}

fn raw_rate(place: &Path) -> Result<f64, String> {
    let mut file = File::create(place.join("raw")).map_err(error)?;
    let bytes = text(1);
    let start = Instant::now();
    for _ in 0..3000 {
        file.write_all(bytes.as_bytes()).map_err(error)?;
        file.sync_data().map_err(error)?;
    }
    Ok(3000.0 / start.elapsed().as_secs_f64())
}

fn one_process(root: &Path, count: usize) -> Result<f64, String> {
    let memory = open(root)?;
    let start = Instant::now();
    for n in 0..count {
        memory.remember(draft("dev", n)?).map_err(error)?;
    }
    let rate = count as f64 / start.elapsed().as_secs_f64();
    drop(memory);
    let left = open(root)?.list(&Filter::default()).map_err(error)?.len();
    if left == count { Ok(rate) } else { Err(format!("{left} of {count} entries are there")) }
}

fn eight_processes(binary: &Path, place: &Path, each: usize) -> Result<f64, String> {
    let root = place.join("eight/.memory");
    let home = place.join("home");
    let run = |args: &[&str]| command(binary, &root, &home, args);
    watch(&mut run(&["init"]), None)?;
    let mut children = Vec::new();
    for worker in 0..8 {
        let mut child = run(&["remember", "--lines"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(error)?;
        let input = child.stdin.take().ok_or("no input")?;
        let output = child.stdout.take().ok_or("no output")?;
        children.push((worker, child, input, output));
    }
    let start = Instant::now();
    let mut threads = Vec::new();
    for (worker, mut child, mut input, output) in children {
        threads.push(std::thread::spawn(move || -> Result<usize, String> {
            let mut answers = BufReader::new(output).lines();
            let mut acknowledged = 0;
            for n in 0..each {
                let line = format!(
                    "{{\"agent\":\"a{}\",\"kind\":\"lesson\",\"text\":\"{}\"}}\n",
                    worker % 4,
                    text(worker * 100_000 + n)
                );
                input.write_all(line.as_bytes()).map_err(error)?;
                let answer = answers.next().ok_or("it ended early")?.map_err(error)?;
                acknowledged += usize::from(answer.contains("\"created\""));
            }
            drop(input);
            child.wait().map_err(error)?;
            Ok(acknowledged)
        }));
    }
    let mut acknowledged = 0;
    for thread in threads {
        acknowledged += thread.join().map_err(|_| "a worker panicked")??;
    }
    let rate = acknowledged as f64 / start.elapsed().as_secs_f64();
    if acknowledged == 8 * each {
        Ok(rate)
    } else {
        Err(format!("{acknowledged} of {} were acknowledged", 8 * each))
    }
}

fn append_cost(place: &Path) -> Result<(), String> {
    println!("one append to a file that holds           acknowledged p50 / p99 ms   and in the file, p50 ms");
    for size in [30, 1000, 10_000] {
        let root = place.join(format!("cost-{size}"));
        let memory = open(&root)?;
        fill(&memory, "dev", size)?;
        let (mut acknowledged, mut written) = (Times::default(), Times::default());
        for n in 0..60 {
            let start = Instant::now();
            memory.remember(draft("dev", size + n)?).map_err(error)?;
            acknowledged.push(start.elapsed());
            memory.flush().map_err(error)?;
            written.push(start.elapsed());
        }
        println!(
            "  {size:>6} entries                          {:>8.2} / {:.2}                     {:>8.2}",
            acknowledged.share(0.5),
            acknowledged.share(0.99),
            written.share(0.5)
        );
    }
    Ok(())
}

fn fill(memory: &Memory, agent: &str, count: usize) -> Result<(), String> {
    for start in (0..count).step_by(4096) {
        let drafts =
            (start..count.min(start + 4096)).map(|n| draft(agent, n)).collect::<Result<Vec<_>, _>>()?;
        for answer in memory.remember_all(drafts).map_err(error)? {
            answer.map_err(error)?;
        }
    }
    memory.flush().map_err(error)
}

/// Imports entries through the program, as a user would, and through the library.
fn batch(binary: &Path, place: &Path, count: usize) -> Result<(), String> {
    let spread = place.join("batch");
    let memory = open(&spread)?;
    let start = Instant::now();
    for begin in (0..count).step_by(8192) {
        let drafts = (begin..count.min(begin + 8192))
            .map(|n| draft(&format!("agent{}", n / (count / 20).max(1)), n))
            .collect::<Result<Vec<_>, _>>()?;
        memory.remember_all(drafts).map_err(error)?;
    }
    drop(memory);
    let library = count as f64 / start.elapsed().as_secs_f64();
    println!("batch import of {count} by the library         {library:>9.0} /s   (goal 50,000)");
    let lines: String = (0..count)
        .map(|n| {
            format!(
                "{{\"agent\":\"agent{}\",\"kind\":\"lesson\",\"text\":\"{}\"}}\n",
                n / (count / 20).max(1),
                text(n)
            )
        })
        .collect();
    let root = place.join("import/.memory");
    let file = place.join("import.jsonl");
    fs::write(&file, lines).map_err(error)?;
    let mut command =
        command(binary, &root, &place.join("home"), &["remember", "--lines", "--batch", "8192", "--file"]);
    let ran = watch(command.arg(&file), None)?;
    let rate = count as f64 / ran.time.as_secs_f64();
    println!("batch import of {count} by the program         {rate:>9.0} /s   peak {:.0} MB", ran.peak_mb);
    Ok(())
}

/// The product with a root and a home of its own, and no process in the background that would be measured too.
fn command(binary: &Path, root: &Path, home: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(binary);
    command.arg("--dir").arg(root).args(args);
    command.env("AGENT_MEMORY_HOME", home).env("AGENT_MEMORY_NO_BACKGROUND", "1");
    command
}

/// Cold looks at a vault of so many entries, and the peak memory of each verb.
fn look(binary: &Path, place: &Path, count: usize) -> Result<(), String> {
    let root = place.join(format!("look-{count}/.memory"));
    let home = place.join("home");
    let run = |args: &[&str]| command(binary, &root, &home, args);
    watch(&mut run(&["init"]), None)?;
    let memory = open(&root)?;
    for agent in 0..20 {
        fill(&memory, &format!("agent{agent}"), count / 20)?;
    }
    let entry = memory.list(&Filter { limit: Some(1), ..Filter::default() }).map_err(error)?;
    let id = entry.first().ok_or("nothing to show")?.memory.id.to_string();
    drop(memory);
    // The second look finds files that are old enough to be trusted by their dates.
    std::thread::sleep(std::time::Duration::from_millis(120));
    watch(&mut run(&["show", &id]), None)?;
    println!("vault of {count} entries in 20 files");
    for (name, args, times) in [
        ("show one", vec!["show", id.as_str()], 40),
        ("list 50", vec!["list"], 20),
        ("list all as JSON", vec!["list", "--limit", "0", "--json"], 3),
        ("remember", vec!["remember", "--agent", "agent3", "--kind", "lesson", "a new one"], 1),
        ("agents", vec!["agents"], 10),
        ("doctor", vec!["doctor"], 3),
        ("doctor --deep", vec!["doctor", "--deep"], 1),
        ("forget", vec!["forget", id.as_str()], 1),
    ] {
        let mut all = Times::default();
        let mut peak: f64 = 0.0;
        let mut bytes = 0;
        for _ in 0..times {
            let ran = watch(&mut run(&args), None)?;
            all.push(ran.time);
            peak = peak.max(ran.peak_mb);
            bytes = ran.stdout;
        }
        println!("  {name:<18} p50 {:>8.2} ms   peak {peak:>5.1} MB   {bytes:>9} bytes out", all.share(0.5));
    }
    Ok(())
}
