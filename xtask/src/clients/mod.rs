//! `cargo xtask clients`: the real clients, from npm, talk to a scripted model with our hooks installed; what was said
//! must stand in the vault afterwards, once, and what was known before must stand in the model's requests, once.
//!
//! Each runs in a home of its own, with an environment of its own and a proxy that is not there, so that it reaches
//! nothing but this machine. A client that cannot be installed or started is left out, loudly; it never counts as
//! passed.

mod child;
mod given;
mod handbook;
mod model;
mod npm;
mod place;
mod rest;
mod rows;
mod session;
mod vault;

use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::thread;

use self::rows::{ROWS, Row};
use self::session::{Report, Verdict};
use crate::bench;
use crate::run::Ended;

/// So many clients run at the same time; each waits more than it works.
const AT_ONCE: usize = 2;

/// `cargo xtask clients`: the clients that are named, or all: `[NAME…] [--binary FILE]`.
pub fn run(arguments: &[String]) -> Result<(), String> {
    let (words, binary) = match arguments.iter().position(|word| word == "--binary") {
        None => (arguments, None),
        Some(at) if at + 2 == arguments.len() => (&arguments[..at], arguments.last()),
        Some(_) => return Err("--binary takes a file and comes last".to_owned()),
    };
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let rows = chosen(&words)?;
    let product = match binary {
        // It is started in other folders than this one.
        Some(file) => std::path::absolute(file).map_err(|error| format!("`{file}`: {error}"))?,
        None => bench::product()?,
    };
    match all(&rows, &product) {
        Ended::Well => Ok(()),
        Ended::Badly(why) => Err(why),
        Ended::LeftOut(why) => Err(format!("not every client could be tried: {why}")),
    }
}

/// A step of the checks: these clients, or all when none is named.
pub fn check(names: &[&str]) -> Ended {
    match chosen(names).and_then(|rows| Ok((rows, bench::product()?))) {
        Ok((rows, product)) => all(&rows, &product),
        Err(why) => Ended::Badly(why),
    }
}

fn all(rows: &[&'static Row], product: &Path) -> Ended {
    let folder = std::env::temp_dir().join(format!("agent-memory-clients-{}", std::process::id()));
    let waiting = Mutex::new(rows.iter());
    let reports = Mutex::new(Vec::new());
    let work = || {
        loop {
            let next = waiting.lock().unwrap_or_else(PoisonError::into_inner).next();
            let Some(row) = next else { break };
            let report = session::run(row, product, &folder.join(row.client.word()));
            println!("    {}", report.line());
            reports.lock().unwrap_or_else(PoisonError::into_inner).push(report);
        }
    };
    thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(work);
        }
    });
    let mut reports = reports.into_inner().unwrap_or_else(PoisonError::into_inner);
    reports.sort_by_key(|report| rows.iter().position(|row| row.client.word() == report.name));
    close(&reports, &folder)
}

/// The rows that words name.
fn chosen(words: &[&str]) -> Result<Vec<&'static Row>, String> {
    if words.is_empty() {
        return Ok(ROWS.iter().collect());
    }
    let names = || ROWS.iter().map(|row| row.client.word()).collect::<Vec<_>>().join(", ");
    let row = |word: &&str| {
        let meant = memory_core::session::Client::of_word(word);
        let row = ROWS.iter().find(|row| Some(row.client) == meant);
        row.ok_or_else(|| format!("`{word}` is none of the clients that run here: {}", names()))
    };
    words.iter().map(row).collect()
}

/// The table, what is wrong, and what was left out.
fn close(reports: &[Report], folder: &Path) -> Ended {
    println!("\n    {}", Report::head());
    for report in reports {
        println!("    {}", report.line());
    }
    let (mut failed, mut left_out) = (Vec::new(), Vec::new());
    for report in reports {
        match &report.verdict {
            Verdict::Passed => {}
            Verdict::LeftOut(why) => {
                println!("    {} WAS LEFT OUT AND DID NOT PASS: {why}", report.name);
                left_out.push(format!("{} ({why})", report.name));
            }
            Verdict::Failed(reasons) => {
                reasons.iter().for_each(|why| println!("    {}: {why}", report.name));
                failed.push(report.name);
            }
        }
    }
    if !failed.is_empty() {
        println!("    the folder is left for a look: {}", folder.display());
        return Ended::Badly(format!(
            "what was said does not stand in the vault as it should: {}",
            failed.join(", ")
        ));
    }
    let _ = std::fs::remove_dir_all(folder);
    if left_out.is_empty() { Ended::Well } else { Ended::LeftOut(left_out.join(", ")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_other_words_choose_and_a_stranger_is_refused() {
        let names = |list: &[&str]| {
            chosen(list).map(|rows| rows.iter().map(|row| row.client.word()).collect::<Vec<_>>())
        };
        assert_eq!(names(&[]).map(|all| all.len()), Ok(7));
        assert_eq!(names(&["codex", "claude"]), Ok(vec!["codex", "claude-code"]));
        assert!(names(&["cursor"]).is_err_and(|why| why.contains("claude-code, codex")));
    }
}
