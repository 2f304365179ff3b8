//! `cargo xtask eval extract`: how well extraction finds what people labelled in made conversations, and what it
//! takes that it never should.
//!
//! A taken thing is right when a labelled one of the same kind stands in the same message and its key phrase stands
//! in the taken text, both without accents, case and signs. A trap is a phrase of a question, quote, log and the like
//! that must not be taken from its message. Each labelled thing counts once.

use std::collections::BTreeMap;

use memory_core::extract::{Profile, Standing, Taken, extract};
use memory_core::session::{Message, Role, ToolCall};
use memory_core::text::{Analyser, EXACT_MARK, Form, Language};
use serde::Deserialize;

/// Where the labelled conversations are, seen from the repository.
pub const FIXTURES: &str = "crates/memory-core/tests/fixtures/extract";

/// A labelled message.
#[derive(Deserialize)]
struct Labelled {
    dialogue: String,
    role: Role,
    text: String,
    #[serde(default)]
    tools: Vec<Called>,
    #[serde(default)]
    gold: Vec<Gold>,
    #[serde(default)]
    traps: Vec<Trap>,
}

#[derive(Deserialize)]
struct Called {
    name: String,
    #[serde(default)]
    paths: Vec<String>,
    command: Option<String>,
    failed: Option<bool>,
}

#[derive(Deserialize)]
struct Gold {
    kind: String,
    key: String,
}

#[derive(Deserialize)]
struct Trap {
    trap: String,
    key: String,
}

/// How often one kind was taken rightly, wrongly, or missed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Count {
    pub right: usize,
    pub wrong: usize,
    pub missed: usize,
}

impl Count {
    pub fn precision(self) -> f64 {
        share(self.right, self.right + self.wrong)
    }

    pub fn recall(self) -> f64 {
        share(self.right, self.right + self.missed)
    }

    fn f1(self) -> f64 {
        share(2 * self.right, 2 * self.right + self.wrong + self.missed)
    }
}

fn share(part: usize, whole: usize) -> f64 {
    if whole == 0 { 1.0 } else { part as f64 / whole as f64 }
}

/// What became of a set.
#[derive(Debug, Default)]
pub struct Outcome {
    pub kinds: BTreeMap<String, Count>,
    /// Traps that were taken, by what they are.
    pub trapped: BTreeMap<String, usize>,
    /// One line for each thing that was wrong or missed.
    pub complaints: Vec<String>,
}

/// Prints the figures of all sets and both profiles; `--show` prints what was wrong.
pub fn run(arguments: &[String]) -> Result<(), String> {
    let show = match arguments {
        [] => false,
        [flag] if flag == "--show" => true,
        _ => return Err("`eval extract` takes nothing but --show".to_owned()),
    };
    println!("  {:<8}{:<12}{:>7}  {:^26}  {:^26}", "", "", "", "default", "word-lists");
    print!("  {:<8}{:<12}{:>7}", "half", "kind", "known");
    println!("{0:>10}{1:>9}{2:>9}{0:>10}{1:>9}{2:>9}", "precision", "recall", "f1");
    for half in ["dev", "held", "fresh", "second", "third", "fourth"] {
        let text = std::fs::read_to_string(crate::run::root().join(FIXTURES).join(format!("{half}.jsonl")))
            .map_err(|error| format!("`{FIXTURES}/{half}.jsonl`: {error}"))?;
        let ours = measure(&text, Profile::Default)?;
        let lists = measure(&text, Profile::WordLists)?;
        let mut kinds: Vec<&String> = ours.kinds.keys().chain(lists.kinds.keys()).collect();
        kinds.sort();
        kinds.dedup();
        for kind in kinds {
            let mine = ours.kinds.get(kind).copied().unwrap_or_default();
            let theirs = lists.kinds.get(kind).copied().unwrap_or_default();
            print!("  {half:<8}{kind:<12}{:>7}", mine.right + mine.missed);
            for count in [mine, theirs] {
                print!("{:>10.3}{:>9.3}{:>9.3}", count.precision(), count.recall(), count.f1());
            }
            println!();
        }
        println!("  {half:<8}taken from traps: default {:?}, word lists {:?}", ours.trapped, lists.trapped);
        if show {
            ours.complaints.iter().for_each(|line| println!("    {line}"));
        }
    }
    Ok(())
}

/// Reads a labelled set and compares.
pub fn measure(set: &str, profile: Profile) -> Result<Outcome, String> {
    let mut dialogues: Vec<(String, Vec<Labelled>)> = Vec::new();
    for (n, line) in set.lines().enumerate() {
        let labelled: Labelled =
            serde_json::from_str(line).map_err(|error| format!("line {}: {error}", n + 1))?;
        match dialogues.last_mut() {
            Some((name, messages)) if *name == labelled.dialogue => messages.push(labelled),
            _ => dialogues.push((labelled.dialogue.clone(), vec![labelled])),
        }
    }
    let mut outcome = Outcome::default();
    for (name, labelled) in &dialogues {
        let messages: Vec<Message> = labelled.iter().map(message).collect();
        let (taken, _) = extract(&messages, Standing::default(), profile);
        compare(name, labelled, &taken, &mut outcome);
    }
    Ok(outcome)
}

fn message(labelled: &Labelled) -> Message {
    let tools = labelled.tools.iter().map(|called| ToolCall {
        name: called.name.clone(),
        paths: called.paths.clone(),
        command: called.command.clone(),
        failed: called.failed,
    });
    Message { tools: tools.collect(), ..Message::new(labelled.role, &labelled.text) }
}

fn compare(name: &str, labelled: &[Labelled], taken: &[Taken], outcome: &mut Outcome) {
    let mut found: Vec<Vec<bool>> = labelled.iter().map(|message| vec![false; message.gold.len()]).collect();
    for one in taken {
        let Some(message) = labelled.get(one.message) else { continue };
        let text = plain(&one.text);
        for trap in message.traps.iter().filter(|trap| text.contains(&plain(&trap.key))) {
            *outcome.trapped.entry(trap.trap.clone()).or_default() += 1;
            outcome.complaints.push(format!("{name}: from a {}: {}: {}", trap.trap, one.kind, one.text));
        }
        let fits = |gold: &Gold| gold.kind == one.kind.word() && text.contains(&plain(&gold.key));
        let gold = message.gold.iter().enumerate().filter(|(_, gold)| fits(gold)).map(|(n, _)| n);
        let gold: Vec<usize> = gold.collect();
        let count = outcome.kinds.entry(one.kind.word().to_owned()).or_default();
        if gold.is_empty() {
            count.wrong += 1;
            outcome.complaints.push(format!("{name}: wrong: {}: {}", one.kind, one.text));
        }
        for n in gold {
            count.right += usize::from(!found[one.message][n]);
            found[one.message][n] = true;
        }
    }
    for (message, found) in labelled.iter().zip(found) {
        for (gold, _) in message.gold.iter().zip(found).filter(|(_, found)| !found) {
            outcome.kinds.entry(gold.kind.clone()).or_default().missed += 1;
            outcome.complaints.push(format!("{name}: missed: {}: {}", gold.kind, gold.key));
        }
    }
}

/// A text as its words alone, in lower case and without accents.
fn plain(text: &str) -> String {
    let mut words = String::from(" ");
    Analyser::new().each(text, Language::English, |token| {
        if token.form == Form::Exact {
            words.push_str(token.term.trim_start_matches(EXACT_MARK));
            words.push(' ');
        }
    });
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn half(name: &str) -> Outcome {
        let file = crate::run::root().join(FIXTURES).join(format!("{name}.jsonl"));
        measure(&std::fs::read_to_string(file).unwrap(), Profile::Default).unwrap()
    }

    /// The figures stand a little under those measured, so that a change that loses something fails.
    fn check(half: &Outcome, kind: &str, precision: f64, recall: f64) {
        let count = half.kinds[kind];
        assert!(count.precision() >= precision, "{kind} {count:?} {:#?}", half.complaints);
        assert!(count.recall() >= recall, "{kind} {count:?} {:#?}", half.complaints);
    }

    #[test]
    fn what_people_labelled_is_found() {
        let dev = half("dev");
        check(&dev, "decision", 0.92, 0.95);
        check(&dev, "lesson", 0.9, 0.78);
        check(&dev, "task", 0.9, 0.9);
        let held = half("held");
        check(&held, "decision", 0.85, 0.85);
        check(&held, "lesson", 0.85, 0.85);
        check(&held, "task", 0.9, 0.9);
        let fresh = half("fresh");
        check(&fresh, "decision", 0.85, 0.85);
        check(&fresh, "lesson", 0.75, 0.75);
        let second = half("second");
        check(&second, "decision", 0.95, 0.92);
        check(&second, "lesson", 0.95, 0.95);
        let third = half("third");
        check(&third, "decision", 0.9, 0.75);
        check(&third, "lesson", 0.9, 0.9);
        let fourth = half("fourth");
        check(&fourth, "decision", 0.9, 0.9);
        check(&fourth, "lesson", 0.9, 0.8);
        for half in [&dev, &held, &fresh] {
            check(half, "map", 0.95, 0.95);
            check(half, "command", 0.9, 0.95);
        }
        for half in [dev, held, fresh, second, third, fourth] {
            assert_eq!(half.trapped, BTreeMap::new(), "{:#?}", half.complaints);
        }
    }

    #[test]
    fn right_wrong_missed_and_trapped_are_counted() {
        let line =
            r#"{"dialogue":"a","role":"agent","text":"We decided to use tabs. We decided to use Ação.","#
                .to_owned()
                + r#""gold":[{"kind":"decision","key":"ACAO"},{"kind":"lesson","key":"x"}],"traps":[{"trap":"quote","key":"tabs"}]}"#;
        let outcome = measure(&line, Profile::Default).unwrap();
        assert_eq!(outcome.kinds["decision"], Count { right: 1, wrong: 1, missed: 0 });
        assert_eq!(outcome.kinds["lesson"], Count { right: 0, wrong: 0, missed: 1 });
        assert_eq!(outcome.trapped["quote"], 1);
    }
}
