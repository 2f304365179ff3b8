//! `cargo xtask fuzz`: each target of `fuzz/` for so many seconds, with the fixtures of the layouts, stories and every
//! input that once broke something to begin with.
//!
//! It runs on the toolchain of the repository: the coverage that libFuzzer needs is asked of the stable compiler,
//! and no sanitizer is, because the code under test has no unsafe parts.

use std::process::Command;

use crate::run::{cargo, finish, root};
use crate::setup;

/// What the targets hold, without the fuzzer, so that the ordinary tests can run it.
#[cfg(test)]
#[path = "../../fuzz/src/lib.rs"]
mod targets;
#[cfg(test)]
use targets::stories;

/// What `reconcile` begins with.
#[cfg(not(test))]
#[path = "../../fuzz/src/stories.rs"]
mod stories;

/// A target, the folders whose files it begins with, and how many bytes of an input say something.
struct Target {
    name: &'static str,
    begins_with: &'static [&'static str],
    longest: usize,
}

const TARGETS: &[Target] = &[
    Target { name: "read_layout", begins_with: FILES, longest: 4096 },
    Target { name: "splice_layout", begins_with: FILES, longest: 4096 },
    Target { name: "reconcile", begins_with: &[], longest: 120 },
];

const FILES: &[&str] = &[
    "crates/memory-core/tests/layouts/journal",
    "crates/memory-core/tests/layouts/page",
    "crates/memory-core/tests/layouts/record",
    "crates/memory-engine/tests/it/fixtures/vault/dev",
];

/// Runs all targets, or the one that is named.
pub fn run(arguments: &[String]) -> Result<(), String> {
    let Wish { target, seconds } = Wish::of(arguments)?;
    setup::for_fuzzing()?;
    let mut found = Vec::new();
    for one in TARGETS.iter().filter(|one| target.as_deref().is_none_or(|name| name == one.name)) {
        println!("\n    {} for {seconds} s", one.name);
        if let Err(why) = finish(&mut command(one, seconds)?) {
            println!("    {}: {why}", one.name);
            found.push(one.name);
        }
    }
    if found.is_empty() {
        Ok(())
    } else {
        Err(format!("findings in {}; the inputs are in fuzz/artifacts", found.join(", ")))
    }
}

fn command(target: &Target, seconds: u64) -> Result<Command, String> {
    // The first folder is where libFuzzer keeps what it learns.
    let corpus = format!("fuzz/corpus/{}", target.name);
    let place = root().join(&corpus);
    let scripts = if target.name == "reconcile" { stories::scripts() } else { Vec::new() };
    std::fs::create_dir_all(&place)
        .and_then(|()| scripts.iter().try_for_each(|(name, bytes)| std::fs::write(place.join(name), bytes)))
        .map_err(|error| format!("could not write `{corpus}`: {error}"))?;
    let mut words = vec!["fuzz", "run", "--sanitizer", "none", target.name, &corpus];
    words.extend(target.begins_with);
    let regressions = format!("fuzz/regressions/{}", target.name);
    if root().join(&regressions).is_dir() {
        words.push(&regressions);
    }
    let (time, longest) = (format!("-max_total_time={seconds}"), format!("-max_len={}", target.longest));
    words.extend(["--", time.as_str(), "-timeout=20", longest.as_str(), "-dict=fuzz/layouts.dict"]);
    // Inputs may be long from the beginning: a minute is too short to let them grow.
    words.extend(["-len_control=0", "-print_final_stats=1", "-verbosity=0"]);
    let mut command = cargo(&words);
    command.env("RUSTC_BOOTSTRAP", "1");
    Ok(command)
}

/// What was asked for.
#[derive(Debug, PartialEq, Eq)]
struct Wish {
    target: Option<String>,
    seconds: u64,
}

impl Wish {
    fn of(arguments: &[String]) -> Result<Self, String> {
        let mut wish = Self { target: None, seconds: 60 };
        let mut words = arguments.iter();
        while let Some(word) = words.next() {
            if word == "--seconds" {
                let number = words.next().and_then(|number| number.parse().ok());
                wish.seconds = number.ok_or("`--seconds` needs a number, such as `--seconds 60`")?;
            } else if TARGETS.iter().any(|target| target.name == word) {
                wish.target = Some(word.clone());
            } else {
                let names: Vec<&str> = TARGETS.iter().map(|target| target.name).collect();
                return Err(format!("`{word}` is no target; there are {}", names.join(", ")));
            }
        }
        Ok(wish)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments() {
        let of = |words: &[&str]| Wish::of(&words.iter().map(|&w| w.to_owned()).collect::<Vec<_>>());
        assert_eq!(of(&[]), Ok(Wish { target: None, seconds: 60 }));
        let one = Wish { target: Some("reconcile".to_owned()), seconds: 5 };
        assert_eq!(of(&["reconcile", "--seconds", "5"]), Ok(one));
        assert!(of(&["--seconds"]).is_err() && of(&["nothing"]).is_err());
    }

    /// Every input that once broke something, every fixture, and some changes of them; the same ones every time.
    fn replay(name: &str, rounds: usize, check: fn(&[u8])) {
        let target = TARGETS.iter().find(|target| target.name == name).unwrap();
        let regressions = format!("fuzz/regressions/{name}");
        let folders = target.begins_with.iter().copied().chain([regressions.as_str()]);
        let files = folders.filter_map(|folder| std::fs::read_dir(root().join(folder)).ok()).flatten();
        let mut inputs: Vec<_> =
            files.map(|file| file.unwrap().path()).filter(|path| path.is_file()).collect();
        inputs.sort();
        let mut inputs: Vec<Vec<u8>> = inputs.iter().map(|path| std::fs::read(path).unwrap()).collect();
        if name == "reconcile" {
            inputs.extend(stories::scripts().into_iter().map(|(_, bytes)| bytes));
        }
        let check = |input: &[u8]| {
            let held = std::panic::catch_unwind(|| check(input));
            assert!(held.is_ok(), "the input is b\"{}\"", input.escape_ascii());
        };
        inputs.iter().for_each(|input| check(input));
        inputs.push((0..=255).collect());
        let mut dice = Dice(0x9E37_79B9_7F4A_7C15);
        for _ in 0..rounds {
            let one = dice.below(inputs.len());
            check(&dice.changed(&inputs[one].clone(), &inputs));
        }
    }

    /// A small repeatable source of choices.
    struct Dice(u64);

    impl Dice {
        fn below(&mut self, limit: usize) -> usize {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            usize::try_from(self.0 >> 20).unwrap() % limit.max(1)
        }

        /// A few stretches taken out, doubled, or brought in from another input, and a few bytes of chance.
        fn changed(&mut self, input: &[u8], inputs: &[Vec<u8>]) -> Vec<u8> {
            let mut bytes = input.to_vec();
            for _ in 0..=self.below(4) {
                let from = self.below(bytes.len() + 1);
                let to = (from + self.below(40)).min(bytes.len());
                let other = &inputs[self.below(inputs.len())];
                let start = self.below(other.len() + 1);
                let piece = other[start..(start + self.below(60)).min(other.len())].to_vec();
                match self.below(4) {
                    0 => drop(bytes.drain(from..to)),
                    1 => drop(bytes.splice(from..from, piece)),
                    2 => drop(bytes.splice(from..to, piece)),
                    _ => drop(bytes.splice(from..from, [u8::try_from(self.below(256)).unwrap(); 2])),
                }
            }
            bytes
        }
    }

    #[test]
    fn any_file_reads_as_the_target_promises() {
        replay("read_layout", 1500, targets::read_layout::check);
    }

    #[test]
    fn any_change_of_a_file_is_as_the_target_promises() {
        replay("splice_layout", 3000, targets::splice_layout::check);
    }

    #[test]
    fn any_order_of_events_is_as_the_target_promises() {
        replay("reconcile", 120, targets::reconcile::check);
    }

    #[test]
    fn every_target_is_a_file_and_every_file_a_target() {
        let folder = root().join("fuzz/fuzz_targets");
        let mut files: Vec<String> = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().path().file_stem().unwrap().to_string_lossy().into_owned())
            .collect();
        files.sort();
        let mut names: Vec<&str> = TARGETS.iter().map(|target| target.name).collect();
        names.sort_unstable();
        assert_eq!(files, names);
        for folder in TARGETS.iter().flat_map(|target| target.begins_with) {
            assert!(root().join(folder).is_dir(), "{folder}");
        }
    }
}
