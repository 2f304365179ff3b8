//! Processes that write: they append, are killed at random, and retry what was not acknowledged, while readers parse
//! the files all the time. Afterwards every acknowledged entry must stand exactly once.
//!
//! Each text carries its own check sum, so that a torn entry shows. A retry uses the same key, so that an entry whose
//! acknowledgement was lost must not appear twice.

use std::collections::HashMap;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use memory_engine::core::layout::{self, Home};

use super::{Dice, Product, in_a_folder, number, seed};

/// What a run is asked to do.
#[derive(Clone, Copy)]
struct Plan {
    processes: usize,
    appends: usize,
    kills: usize,
    seed: u64,
}

/// What readers saw.
#[derive(Default)]
struct Seen {
    reads: AtomicUsize,
    torn: AtomicUsize,
    errors: AtomicUsize,
}

/// What all threads share.
struct Run {
    plan: Plan,
    product: Product,
    acknowledged: AtomicUsize,
    killed: AtomicUsize,
    done: AtomicBool,
    children: Vec<Mutex<Option<Child>>>,
    seen: Seen,
}

/// Runs it.
pub(super) fn run(args: &[String]) -> Result<(), String> {
    let plan = Plan {
        processes: number(args, "--processes", 8)?,
        appends: number(args, "--appends", 5000)?,
        kills: number(args, "--kills", 2000)?,
        seed: seed(args)?,
    };
    let binary = super::binary(args)?;
    in_a_folder("kill", |place| kill(plan, Product::new(&binary, &place.join("project"), place)))
}

fn kill(plan: Plan, product: Product) -> Result<(), String> {
    let run = Arc::new(Run {
        plan,
        product,
        acknowledged: AtomicUsize::new(0),
        killed: AtomicUsize::new(0),
        done: AtomicBool::new(false),
        children: (0..plan.processes).map(|_| Mutex::new(None)).collect(),
        seen: Seen::default(),
    });
    let started = run.command(&["init"]).stdout(Stdio::null()).status().map_err(|e| e.to_string())?;
    if !started.success() {
        return Err("`init` failed".to_owned());
    }
    println!(
        "{} processes, {} appends each, {} kills, seed {}",
        plan.processes, plan.appends, plan.kills, plan.seed
    );
    let start = Instant::now();
    let readers: Vec<_> = (0..2).map(|n| spawn(&run, move |run| reader(run, n))).collect();
    let killer = spawn(&run, killer);
    let writers: Vec<_> = (0..plan.processes).map(|n| spawn(&run, move |run| writer(run, n))).collect();
    let mut unknown = 0;
    for writer in writers {
        unknown += writer.join().map_err(|_| "a writer panicked")??;
    }
    run.done.store(true, Ordering::Release);
    killer.join().map_err(|_| "the killer panicked")?;
    for reader in readers {
        reader.join().map_err(|_| "a reader panicked")?;
    }
    let time = start.elapsed();
    report(&run, time, unknown)
}

fn spawn<T: Send + 'static>(
    run: &Arc<Run>,
    act: impl FnOnce(&Run) -> T + Send + 'static,
) -> std::thread::JoinHandle<T> {
    let run = run.clone();
    std::thread::spawn(move || act(&run))
}

impl Run {
    fn command(&self, args: &[&str]) -> Command {
        let mut command = self.product.command(args);
        command.stderr(Stdio::null());
        command
    }
}

/// Appends its entries in order; what was not acknowledged when the process died is sent again under the same key.
/// Gives how many times an answer was lost.
fn writer(run: &Run, worker: usize) -> Result<usize, String> {
    let mut next = 0;
    let mut unknown = 0;
    while next < run.plan.appends {
        let mut child = run
            .command(&["remember", "--lines"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| error.to_string())?;
        let mut input = child.stdin.take().ok_or("no input")?;
        let output = child.stdout.take().ok_or("no output")?;
        if let Ok(mut slot) = run.children[worker].lock() {
            *slot = Some(child);
        }
        let mut answers = BufReader::new(output).lines();
        while next < run.plan.appends {
            let line = format!("{}\n", line(run.plan.seed, worker, next));
            if input.write_all(line.as_bytes()).and_then(|()| input.flush()).is_err() {
                break;
            }
            match answers.next() {
                Some(Ok(answer)) if answer.contains("\"id\"") => {
                    run.acknowledged.fetch_add(1, Ordering::AcqRel);
                    next += 1;
                }
                Some(Ok(answer)) => return Err(format!("a writer was refused: {answer}")),
                _ => {
                    unknown += 1;
                    break;
                }
            }
        }
        drop(input);
        let child = run.children[worker].lock().ok().and_then(|mut slot| slot.take());
        if let Some(mut child) = child {
            child.wait().map_err(|error| error.to_string())?;
        }
    }
    Ok(unknown)
}

/// A draft with a key of its own and a text that proves itself whole.
fn line(seed: u64, worker: usize, n: usize) -> String {
    let key = format!("w{worker}-{n}");
    let mut dice = Dice::new(seed ^ (worker as u64) << 32 ^ n as u64);
    let filler: String = (0..20 + dice.below(60)).map(|_| format!("{:x} ", dice.below(1 << 20))).collect();
    let text = format!("entry {key} {}", filler.trim());
    format!(
        "{{\"agent\":\"agent{}\",\"kind\":\"lesson\",\"key\":\"{key}\",\"text\":\"{text} sum {}\"}}",
        worker % 4,
        sum(&text)
    )
}

fn sum(text: &str) -> u64 {
    text.bytes().fold(7, |sum, byte| (sum * 31 + u64::from(byte)) % 1_000_000_007)
}

/// Kills a random process whenever another share of the appends is acknowledged, after a random moment.
fn killer(run: &Run) {
    let total = run.plan.processes * run.plan.appends;
    let mut dice = Dice::new(run.plan.seed);
    while !run.done.load(Ordering::Acquire) && run.killed.load(Ordering::Acquire) < run.plan.kills {
        let killed = run.killed.load(Ordering::Acquire);
        // A little ahead of the appends, so that the last kills still meet somebody at work.
        if run.acknowledged.load(Ordering::Acquire) * run.plan.kills * 100 < killed * total * 97 {
            std::thread::sleep(Duration::from_micros(200));
            continue;
        }
        std::thread::sleep(Duration::from_micros(dice.below(3000) as u64));
        let slot = &run.children[dice.below(run.plan.processes)];
        if let Ok(mut slot) = slot.lock()
            && let Some(child) = slot.as_mut()
            && child.kill().is_ok()
        {
            run.killed.fetch_add(1, Ordering::AcqRel);
        }
    }
}

/// Reads all files as any other program would, and now and then asks the product, until the writers are done.
fn reader(run: &Run, number: usize) {
    while !run.done.load(Ordering::Acquire) {
        if number == 0 {
            let listed = run.command(&["list", "--json"]).stdout(Stdio::null()).status();
            run.seen.errors.fetch_add(usize::from(!listed.is_ok_and(|s| s.success())), Ordering::AcqRel);
        } else {
            let torn = entries(&run.product.root).into_iter().filter(|(key, _)| key.is_none()).count();
            run.seen.torn.fetch_add(torn, Ordering::AcqRel);
        }
        run.seen.reads.fetch_add(1, Ordering::AcqRel);
        std::thread::sleep(Duration::from_millis(30));
    }
}

/// The key of every entry in the files, `None` for one whose text is not whole, with its id.
fn entries(root: &Path) -> Vec<(Option<String>, String)> {
    let mut all = Vec::new();
    for agent in 0..4 {
        let path = format!("agent{agent}/lessons.md");
        let Some(home) = Home::of_path(&path) else { continue };
        let Ok(bytes) = fs::read(root.join(&path)) else { continue };
        let defects = layout::visit(&home, &bytes, &mut |found| {
            let text = found.memory.body.as_str();
            let whole = text.rsplit_once(" sum ").filter(|(text, check)| check.parse() == Ok(sum(text)));
            let key = whole.and_then(|(text, _)| text.split_whitespace().nth(1)).map(str::to_owned);
            all.push((key, found.memory.id.to_string()));
        });
        all.extend(defects.iter().map(|defect| (None, defect.what.clone())));
    }
    all
}

fn report(run: &Run, time: Duration, unknown: usize) -> Result<(), String> {
    let checked = run.command(&["doctor", "--deep"]).stdout(Stdio::null()).status();
    let sound = checked.is_ok_and(|status| status.success());
    let mut counts: HashMap<String, usize> = HashMap::new();
    let mut torn = run.seen.torn.load(Ordering::Acquire);
    for (key, _) in entries(&run.product.root) {
        match key {
            Some(key) => *counts.entry(key).or_default() += 1,
            None => torn += 1,
        }
    }
    let acknowledged = run.acknowledged.load(Ordering::Acquire);
    let expected =
        (0..run.plan.processes).flat_map(|w| (0..run.plan.appends).map(move |n| format!("w{w}-{n}")));
    let lost = expected.filter(|key| !counts.contains_key(key)).count();
    let doubled = counts.values().filter(|count| **count > 1).count();
    let errors = run.seen.errors.load(Ordering::Acquire);
    println!(
        "acknowledged   {acknowledged}   ({:.0} /s over {:.0} s)",
        acknowledged as f64 / time.as_secs_f64(),
        time.as_secs_f64()
    );
    println!("present        {}", counts.len());
    println!("kills          {}   answers lost in them {unknown}", run.killed.load(Ordering::Acquire));
    println!("lost           {lost}");
    println!("doubled        {doubled}");
    println!("torn           {torn}");
    println!("reader errors  {errors}   in {} reads", run.seen.reads.load(Ordering::Acquire));
    println!("check-up       {}", if sound { "all is well" } else { "found problems" });
    println!("seed           {}", run.plan.seed);
    if lost + doubled + torn + errors == 0 && sound {
        Ok(())
    } else {
        Err("memories were not safe".to_owned())
    }
}
