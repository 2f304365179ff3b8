//! `bench search`: ours beside MiniSearch on Node and SQLite's FTS5, on the same notes and questions, in one run.
//!
//! Cold is a process from its start to its exit, with files that the system still holds; warm is one process that
//! stays. Each index is made from notes that are on disk already, by a process of its own, whose memory is watched.

mod fts;
pub(crate) mod minisearch;
pub(super) mod notes;
mod ours;
mod part;
mod plan;
mod report;

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use self::minisearch::Node;
use self::notes::Notes;
use self::ours::Program;
use self::part::{Built, Place, Warm, cold, error};
use self::plan::{Pace, Plan};
use self::report::{Engine, Size, Spread, shown};
use super::measure::product;
use crate::run::target;

const FULL: Pace = Pace { cold: 100, warm: 400, seconds: 20.0, least: 10 };
const QUICK: Pace = Pace { cold: 40, warm: 200, seconds: 5.0, least: 5 };

pub(super) fn run(arguments: &[String]) -> Result<(), String> {
    if let Some(("part", rest)) = arguments.split_first().map(|(first, rest)| (first.as_str(), rest)) {
        return part::run(rest);
    }
    let wish = Wish::of(arguments)?;
    let binary = product()?;
    let node = Node::ready();
    let scratch = std::env::temp_dir().join(format!("agent-memory-search-{}", std::process::id()));
    let done = all(&wish, &binary, &node, &scratch);
    let _ = fs::remove_dir_all(&scratch);
    done
}

/// What was asked for.
#[derive(Debug, PartialEq)]
struct Wish {
    sizes: Vec<usize>,
    pace: Pace,
}

impl Wish {
    fn of(arguments: &[String]) -> Result<Self, String> {
        let mut sizes = None;
        let mut large = false;
        let mut pace = FULL;
        let mut rest = arguments.iter();
        while let Some(argument) = rest.next() {
            match argument.as_str() {
                "--sizes" => {
                    sizes = Some(sizes_of(rest.next().ok_or("`--sizes` needs sizes such as `1k,10k`")?)?);
                }
                "--large" => large = true,
                "--quick" => pace = QUICK,
                other => {
                    let takes = "use [--sizes 1k,10k,100k] [--large] [--quick]";
                    return Err(format!("`{other}` is not understood; {takes}"));
                }
            }
        }
        let usual = if pace == QUICK { vec![1000, 10_000] } else { vec![1000, 10_000, 100_000] };
        let mut sizes = sizes.unwrap_or(usual);
        if large {
            sizes.push(1_000_000);
        }
        sizes.sort_unstable();
        sizes.dedup();
        Ok(Self { sizes, pace })
    }
}

fn sizes_of(text: &str) -> Result<Vec<usize>, String> {
    let size = |word: &str| {
        let lower = word.trim().to_lowercase();
        let (digits, unit) = match (lower.strip_suffix('k'), lower.strip_suffix('m')) {
            (Some(digits), _) => (digits, 1000),
            (_, Some(digits)) => (digits, 1_000_000),
            _ => (lower.as_str(), 1),
        };
        let count = digits.parse::<usize>().ok().and_then(|count| count.checked_mul(unit));
        count
            .filter(|&count| count >= 100)
            .ok_or_else(|| format!("`{word}` is no size; use one such as `10k`, from 100 on"))
    };
    text.split(',').map(size).collect()
}

fn all(wish: &Wish, binary: &Path, node: &Result<Node, String>, scratch: &Path) -> Result<(), String> {
    let binary_bytes = fs::metadata(binary).map_err(error)?.len();
    println!(
        "search benchmark on {}, {} cores",
        std::env::consts::OS,
        std::thread::available_parallelism().map_or(1, usize::from)
    );
    println!(
        "notes of 30 to 80 words; cold is a process, installed by a copy, from start to exit with files in the system's cache"
    );
    println!(
        "FTS5 has nothing for typos and looks for the word as it is; `found` is the note among ten answers,"
    );
    println!(
        "and any answer for a prefix; `!` is before a row in which another is ahead of ours, `~` where that one finds less"
    );
    println!("than nine tenths of what ours finds");
    let notes = Notes::new();
    let mut sizes = Vec::new();
    for &count in &wish.sizes {
        let folder = scratch.join(count.to_string());
        fs::create_dir_all(&folder).map_err(error)?;
        let size = measure(&notes, count, wish.pace, binary, node, &Place::new(&folder))?;
        report::print(&size);
        sizes.push(size);
        // The largest sizes need the room of the others.
        let _ = fs::remove_dir_all(&folder);
    }
    let goals = report::goals(&sizes, binary_bytes);
    report::print_goals(&goals);
    let file = target().join("bench-search.json");
    report::write(&sizes, &goals, binary_bytes, &file)?;
    println!("\nall of it: {}", file.display());
    Ok(())
}

fn measure(
    notes: &Notes,
    count: usize,
    pace: Pace,
    binary: &Path,
    node: &Result<Node, String>,
    place: &Place,
) -> Result<Size, String> {
    let plan = Plan::new(notes, count, pace);
    plan.write(place.folder())?;
    let say = |what: &str| eprintln!("{}: {what}", shown(count));
    let mut size = Size {
        count,
        engines: Vec::new(),
        left_out: Vec::new(),
        fill_s: 0.0,
        append: Spread::of(Vec::new()),
    };

    say("filling the root");
    let begun = Instant::now();
    place.told::<()>("ours-fill")?;
    size.fill_s = begun.elapsed().as_secs_f64();
    say("ours");
    let built: Built = place.told("ours-index")?;
    let program = Program::new(binary, place);
    // Files that are old enough are trusted by their dates, as they are in ordinary use.
    std::thread::sleep(Duration::from_millis(300));
    let cold_ms = cold(&plan, |sort, query| Ok(program.search(sort, query)))?;
    let warm: Warm = place.told("ours-warm")?;
    size.engines.push(Engine::new("ours", built, cold_ms, warm.warm));
    size.append = Spread::of(program.append_and_find(notes, count)?);

    say("MiniSearch");
    let made = node.as_ref().map_err(Clone::clone).and_then(|node| by_node(node, notes, &plan, place));
    add(&mut size, "MiniSearch", made);
    say("SQLite FTS5");
    let made = by_sqlite(&plan, place);
    add(&mut size, "SQLite FTS5", made);
    Ok(size)
}

fn add(size: &mut Size, name: &str, made: Result<Engine, String>) {
    match made {
        Ok(engine) => size.engines.push(engine),
        Err(why) => size.left_out.push(format!("{name}: {why}")),
    }
}

fn by_node(node: &Node, notes: &Notes, plan: &Plan, place: &Place) -> Result<Engine, String> {
    minisearch::write_notes(notes, plan, place)?;
    let told = node.build(plan, place)?;
    // An index that could not be written cannot be loaded by the next process.
    let cold_ms = match told.built.index_bytes {
        Some(_) => cold(plan, |sort, query| Ok(node.cold(plan, place, sort, query)))?,
        None => Default::default(),
    };
    Ok(Engine::new("MiniSearch", told.built, cold_ms, told.warm.warm))
}

fn by_sqlite(plan: &Plan, place: &Place) -> Result<Engine, String> {
    place.told::<()>("fts-fill")?;
    let built: Built = place.told("fts-index")?;
    let cold_ms = cold(plan, |sort, query| fts::command(place, sort, query))?;
    let warm: Warm = place.told("fts-warm")?;
    Ok(Engine::new("SQLite FTS5", built, cold_ms, warm.warm))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_asked_for() {
        let check = |words: &str, expect: Option<(&[usize], Pace)>| {
            let words: Vec<String> = words.split_whitespace().map(str::to_owned).collect();
            let got = Wish::of(&words).ok();
            let expect = expect.map(|(sizes, pace)| Wish { sizes: sizes.to_vec(), pace });
            assert_eq!(got, expect, "{words:?}");
        };
        check("", Some((&[1000, 10_000, 100_000], FULL)));
        check("--quick", Some((&[1000, 10_000], QUICK)));
        check("--large --sizes 1k", Some((&[1000, 1_000_000], FULL)));
        check("--sizes 10K,500,10k,2m", Some((&[500, 10_000, 2_000_000], FULL)));
        for wrong in ["--sizes", "--sizes x", "--sizes 0", "--sizes 1k,", "--fast", "10k"] {
            check(wrong, None);
        }
    }
}
