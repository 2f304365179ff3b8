//! `cargo xtask test`: every check of this repository in one run, each with its time, all failures at the end.
//!
//! The last line counts the tests that ran. It is printed only when the runners themselves said how many there were.

use std::process::Command;

use crate::run::{Ended, Steps, answers, cargo, finish, finish_and_keep};
use crate::{clients, fuzz, setup};

/// How much is checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reach {
    /// No release build and what needs it.
    Quick,
    /// What a change must pass.
    Ordinary,
    /// Fuzzing and long runs as well.
    Deep,
}

impl Reach {
    fn of(arguments: &[String]) -> Result<Self, String> {
        let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
        match words.as_slice() {
            [] => Ok(Self::Ordinary),
            ["--quick"] => Ok(Self::Quick),
            ["--deep"] => Ok(Self::Deep),
            _ => Err(format!("`{}` is not understood; use --quick or --deep", words.join(" "))),
        }
    }
}

/// The short run with killed processes.
const KILL: &[&str] = &["kill", "--processes", "4", "--appends", "200", "--kills", "40"];
/// The long one.
const KILL_LONG: &[&str] = &["kill", "--processes", "8", "--appends", "5000", "--kills", "2000"];
/// The short run with killed processes that take sessions in.
const KILL_CAPTURE: &[&str] = &["kill", "capture", "--kills", "25"];
/// The long one.
const KILL_CAPTURE_LONG: &[&str] = &["kill", "capture", "--kills", "500"];
/// The short run with killed upkeep.
const KILL_COMPACT: &[&str] = &["kill", "compact", "--kills", "25"];
/// The long run with killed upkeep, and upkeep of a large vault.
const KILL_COMPACT_LONG: &[&str] = &["kill", "compact", "--kills", "300"];
const COMPACT_LARGE: &[&str] = &["kill", "compact", "--kills", "0", "--entries", "100000"];
/// The short run with killed indexing, and own writes that must be found at once.
const KILL_INDEX: &[&str] = &["kill", "index", "--kills", "12", "--writes", "50"];
/// The long one.
const KILL_INDEX_LONG: &[&str] = &["kill", "index", "--kills", "200", "--writes", "1000"];
/// The clients that run in every ordinary check; `--deep` runs all.
const CLIENTS: &[&str] = &["claude-code", "codex"];
/// Twenty times as many cases for each property as usual.
const MANY_CASES: &str = "5120";
/// Cases that a property passes over, for that many.
const MANY_PASSED_OVER: &str = "200000";
/// Properties meet the same cases in every ordinary run, so that a run says something about the change at hand;
/// the deep run draws new ones.
const SAME_CASES: &str = "20260316";

/// Runs the checks.
pub fn run(arguments: &[String]) -> Result<(), String> {
    let reach = Reach::of(arguments)?;
    let mut steps = Steps::default();
    let mut tests: Option<Tally> = None;
    let mut doc_tests: Option<Tally> = None;
    steps.step("set-up", || setup::for_checks().into());
    steps.step("format", || {
        let fuzz = ["fmt", "--check", "--manifest-path", "fuzz/Cargo.toml"];
        finish(&mut cargo(&["fmt", "--all", "--check"])).and(finish(&mut cargo(&fuzz))).into()
    });
    steps.step("lints", || {
        let rest = ["--all-targets", "--all-features", "--", "-D", "warnings"];
        finish(&mut cargo(&[&["clippy", "--workspace"], rest.as_slice()].concat())).into()
    });
    steps.step("tests", || {
        let (ended, said) = finish_and_keep(&mut all_tests());
        tests = Tally::of_nextest(&said).or_else(|| Tally::of_cargo_test(&said));
        ended.into()
    });
    steps.step("examples in the docs", || {
        let (ended, said) = finish_and_keep(&mut cargo(&["test", "--workspace", "--doc"]));
        doc_tests = Tally::of_cargo_test(&said);
        ended.into()
    });
    if reach != Reach::Quick {
        steps.step("documentation", || {
            let mut command = cargo(&["doc", "--no-deps", "--workspace"]);
            finish(command.env("RUSTDOCFLAGS", "-D warnings")).into()
        });
        steps.step("licences", licences);
        steps.step("release build", || finish(&mut cargo(&["build", "--release"])).into());
        steps.step("demo", || finish(&mut cargo(&["run", "--release", "--quiet", "--", "demo"])).into());
        steps.step("killed processes", || own(KILL));
        steps.step("killed indexing", || own(KILL_INDEX));
        steps.step("killed capture", || own(KILL_CAPTURE));
        steps.step("killed upkeep", || own(KILL_COMPACT));
    }
    match reach {
        Reach::Quick => {}
        Reach::Ordinary => steps.step("real clients", || clients::check(CLIENTS)),
        Reach::Deep => steps.step("all real clients", || clients::check(&[])),
    }
    if reach == Reach::Deep {
        steps.step("fuzzing", || fuzz::run(&[]).into());
        steps.step("many cases", || {
            let mut command = cargo(&["test", "--release", "--package", "memory-core", "--lib"]);
            command.env("PROPTEST_CASES", MANY_CASES).env("PROPTEST_MAX_GLOBAL_REJECTS", MANY_PASSED_OVER);
            finish(&mut command).into()
        });
        steps.step("many killed processes", || own(KILL_LONG));
        steps.step("much killed indexing", || own(KILL_INDEX_LONG));
        steps.step("much killed capture", || own(KILL_CAPTURE_LONG));
        steps.step("much killed upkeep", || own(KILL_COMPACT_LONG));
        steps.step("upkeep of a large vault", || own(COMPACT_LARGE));
        steps.step("benchmark", || own(&["bench", "store"]));
    }
    let closed = steps.close();
    if let (Some(tests), Some(doc_tests)) = (tests, doc_tests) {
        println!("\n{} passed, {} failed", tests.passed + doc_tests.passed, tests.failed + doc_tests.failed);
    }
    closed
}

/// `cargo xtask tidy`: the tests of this program, of which the rules of the house are the larger part.
pub fn tidy(_arguments: &[String]) -> Result<(), String> {
    finish(&mut cargo(&["test", "--quiet", "--package", "xtask", "tidy"]))
}

/// `cargo xtask fmt`.
pub fn format(_arguments: &[String]) -> Result<(), String> {
    finish(&mut cargo(&["fmt", "--all"]))?;
    finish(&mut cargo(&["fmt", "--manifest-path", "fuzz/Cargo.toml"]))
}

fn all_tests() -> Command {
    let all = ["--workspace", "--all-features", "--no-fail-fast"];
    let mut command = if answers(&["cargo", "nextest", "--version"]) {
        cargo(&[&["nextest", "run"], all.as_slice()].concat())
    } else {
        println!("    nextest is not there; `cargo test` runs the tests, one program after the other");
        cargo(&[&["test", "--lib", "--bins", "--tests"], all.as_slice()].concat())
    };
    command.env("PROPTEST_RNG_SEED", SAME_CASES);
    command
}

fn licences() -> Ended {
    if answers(&["cargo", "deny", "--version"]) {
        finish(&mut cargo(&["deny", "check", "licenses", "bans", "sources"])).into()
    } else {
        Ended::LeftOut("cargo-deny is not there; `cargo xtask setup` installs it".to_owned())
    }
}

/// A command of this program in a process of its own, so that it has the home that all children have.
fn own(arguments: &[&str]) -> Ended {
    finish(&mut cargo(&[&["run", "--quiet", "--package", "xtask", "--"], arguments].concat())).into()
}

/// How many tests ran.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Tally {
    passed: u64,
    failed: u64,
}

impl Tally {
    /// Reads the summary of nextest: `Summary [  1.2s] 9 tests run: 7 passed (1 slow), 1 failed, 1 timed out, 3 skipped`.
    fn of_nextest(said: &str) -> Option<Self> {
        let line = said.lines().rev().find(|line| line.trim_start().starts_with("Summary ["))?;
        let (_, counts) = line.split_once(" run: ")?;
        let mut tally = Self::default();
        for part in without_brackets(counts).split(',') {
            let (number, what) = part.trim().split_once(' ')?;
            let number: u64 = number.parse().ok()?;
            match what.trim() {
                "passed" => tally.passed += number,
                "skipped" => {}
                _ => tally.failed += number,
            }
        }
        Some(tally)
    }

    /// Adds the results of libtest up: `test result: ok. 7 passed; 1 failed; 0 ignored; …`.
    fn of_cargo_test(said: &str) -> Option<Self> {
        let mut all: Option<Self> = None;
        for line in said.lines().filter_map(|line| line.trim().strip_prefix("test result: ")) {
            let count = |what: &str| -> Option<u64> {
                let part = line.split([';', '.']).find_map(|part| part.trim().strip_suffix(what))?;
                part.trim().parse().ok()
            };
            let tally = all.get_or_insert_default();
            tally.passed += count("passed")?;
            tally.failed += count("failed")?;
        }
        all
    }
}

fn without_brackets(text: &str) -> String {
    let mut depth = 0_usize;
    let mut kept = String::new();
    for c in text.chars() {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            c if depth == 0 => kept.push(c),
            _ => {}
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(passed: u64, failed: u64) -> Option<Tally> {
        Some(Tally { passed, failed })
    }

    #[test]
    fn summaries_of_nextest() {
        for (said, expect) in [
            ("  Summary [   0.017s] 3 tests run: 3 passed, 0 skipped", tally(3, 0)),
            (
                "x\n     Summary [ 71.2s] 90 tests run: 88 passed (2 slow, 1 leaky), 2 failed, 5 skipped\nerror",
                tally(88, 2),
            ),
            ("     Summary [ 71.2s] 4/9 tests run: 1 passed, 1 failed, 2 timed out, 0 skipped", tally(1, 3)),
            ("     Summary [ 71.2s] 9 tests run: seven passed", None),
            ("error: could not compile", None),
        ] {
            assert_eq!(Tally::of_nextest(said), expect, "{said}");
        }
    }

    #[test]
    fn results_of_cargo_test() {
        let one =
            "test result: ok. 7 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.01s";
        let two =
            "test result: FAILED. 1 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out; finished in 1s";
        assert_eq!(Tally::of_cargo_test(&format!("{one}\nx\n{two}\n")), tally(8, 2));
        assert_eq!(Tally::of_cargo_test("error: could not compile"), None);
    }

    #[test]
    fn flags_of_test() {
        let of = |words: &[&str]| Reach::of(&words.iter().map(|&w| w.to_owned()).collect::<Vec<_>>());
        assert_eq!(of(&[]), Ok(Reach::Ordinary));
        assert_eq!(of(&["--deep"]), Ok(Reach::Deep));
        assert!(of(&["--deep", "--quick"]).is_err() && of(&["-x"]).is_err());
    }
}
