//! The tables that people read, the goals, and the file that programs read.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Serialize;
use serde_json::{Value, json};

use super::part::Built;
use super::plan::{Asked, Sort};

/// What a list of times says.
#[derive(Clone, Copy, Serialize)]
pub struct Spread {
    pub p50: f64,
    pub p99: f64,
    pub runs: usize,
}

impl Spread {
    pub fn of(mut ms: Vec<f64>) -> Self {
        ms.sort_by(f64::total_cmp);
        let at =
            |share: f64| ms.get(((ms.len() as f64 - 1.0) * share).round() as usize).copied().unwrap_or(0.0);
        Self { p50: at(0.5), p99: at(0.99), runs: ms.len() }
    }
}

/// What was measured of one engine at one size.
pub struct Engine {
    pub name: &'static str,
    pub built: Built,
    pub cold: BTreeMap<Sort, Spread>,
    pub warm: BTreeMap<Sort, Spread>,
    /// The share of questions for which the note stood among ten answers.
    pub found: BTreeMap<Sort, f64>,
}

impl Engine {
    pub fn new(
        name: &'static str,
        built: Built,
        cold: BTreeMap<Sort, Vec<f64>>,
        warm: BTreeMap<Sort, Asked>,
    ) -> Self {
        let share = |asked: &Asked| asked.found as f64 / asked.ms.len().max(1) as f64;
        Self {
            name,
            built,
            cold: cold.into_iter().map(|(sort, ms)| (sort, Spread::of(ms))).collect(),
            found: warm.iter().map(|(sort, asked)| (*sort, share(asked))).collect(),
            warm: warm.into_iter().map(|(sort, asked)| (sort, Spread::of(asked.ms))).collect(),
        }
    }
}

/// What was measured at one size. The first engine is ours.
pub struct Size {
    pub count: usize,
    pub engines: Vec<Engine>,
    /// Who was left out, and why.
    pub left_out: Vec<String>,
    pub fill_s: f64,
    pub append: Spread,
}

/// A row of a table: a name and a figure of each engine.
struct Row {
    name: String,
    figures: Vec<Option<f64>>,
    digits: usize,
    /// Whether less is better and counts; other rows are there to be read only.
    is_race: bool,
    /// What each engine finds of what the row's questions ask for; empty where nothing is asked.
    found: Vec<f64>,
}

/// How ours stands in a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Standing {
    Ahead,
    /// Another is ahead that does not find what was asked for.
    AheadOfWhoFinds,
    Behind,
}

impl Standing {
    fn mark(self) -> char {
        match self {
            Self::Ahead => ' ',
            Self::AheadOfWhoFinds => '~',
            Self::Behind => '!',
        }
    }
}

/// Whoever finds less than this share of what ours finds has another job.
const FINDS: f64 = 0.9;

impl Row {
    fn standing(&self) -> Standing {
        let (ours, others) = match self.figures.split_first() {
            Some((Some(ours), others)) if self.is_race => (*ours, others),
            _ => return Standing::Ahead,
        };
        let finds = |n: usize| match (self.found.first(), self.found.get(n + 1)) {
            (Some(ours), Some(other)) => *other >= FINDS * ours,
            _ => true,
        };
        let faster = others.iter().enumerate().filter(|(_, other)| other.is_some_and(|other| other < ours));
        faster.fold(Standing::Ahead, |before, (n, _)| match before {
            Standing::Behind => Standing::Behind,
            _ if finds(n) => Standing::Behind,
            _ => Standing::AheadOfWhoFinds,
        })
    }

    fn is_lost(&self) -> bool {
        self.standing() == Standing::Behind
    }
}

fn rows(size: &Size) -> Vec<Row> {
    let row = |name: &str, digits, is_race, figure: &dyn Fn(&Engine) -> Option<f64>| Row {
        name: name.to_owned(),
        figures: size.engines.iter().map(figure).collect(),
        digits,
        is_race,
        found: Vec::new(),
    };
    let mut rows = vec![
        row("index made, s", 2, true, &|engine| Some(engine.built.seconds)),
        row("index, MB", 2, true, &|engine| engine.built.index_bytes.map(|bytes| bytes as f64 / 1e6)),
        row("peak memory of that, MB", 0, true, &|engine| engine.built.peak_mb),
    ];
    for (state, of) in [("cold", 0), ("warm", 1)] {
        for sort in Sort::ALL {
            for (name, share) in [("p50", 0), ("p99", 1)] {
                let figure = |engine: &Engine| {
                    let spread = if of == 0 { engine.cold.get(&sort) } else { engine.warm.get(&sort) };
                    spread.map(|spread| if share == 0 { spread.p50 } else { spread.p99 })
                };
                let found = |engine: &Engine| engine.found.get(&sort).copied().unwrap_or(0.0);
                let found = size.engines.iter().map(found).collect();
                let name = format!("{state} {}, {name} ms", sort.shown());
                rows.push(Row { found, ..row(&name, 2, true, &figure) });
            }
        }
    }
    for sort in Sort::ALL {
        let figure = |engine: &Engine| engine.found.get(&sort).map(|share| share * 100.0);
        rows.push(row(&format!("found, {}, %", sort.shown()), 0, false, &figure));
    }
    rows
}

/// Prints one size: a row for each figure, a column for each engine, `!` where ours is not ahead, `~` where only somebody is
/// who does not find what is asked for.
pub fn print(size: &Size) {
    println!("\n{} notes", shown(size.count));
    print!("  {:<28}", "");
    size.engines.iter().for_each(|engine| print!("{:>14}", engine.name));
    println!();
    for row in rows(size) {
        print!("{} {:<28}", row.standing().mark(), row.name);
        for figure in &row.figures {
            match figure {
                Some(figure) => print!("{figure:>14.*}", row.digits),
                None => print!("{:>14}", "-"),
            }
        }
        println!();
    }
    println!(
        "  an append is found by another process after p50 {:.2} ms, p99 {:.2} ms",
        size.append.p50, size.append.p99
    );
    println!("  the root was filled in {:.1} s", size.fill_s);
    for engine in &size.engines {
        let least =
            |spreads: &BTreeMap<Sort, Spread>| spreads.values().map(|spread| spread.runs).min().unwrap_or(0);
        let (cold, warm) = (least(&engine.cold), least(&engine.warm));
        println!("  {}: at least {cold} cold and {warm} warm questions of each sort", engine.name);
    }
    size.left_out.iter().for_each(|why| println!("  left out: {why}"));
}

/// A goal and what was reached; `None` where it was not measured.
pub struct Goal {
    name: String,
    unit: &'static str,
    most: f64,
    got: Option<f64>,
}

impl Goal {
    fn is_met(&self) -> Option<bool> {
        self.got.map(|got| got <= self.most)
    }
}

/// The goals, as far as the sizes were measured.
pub fn goals(sizes: &[Size], binary_bytes: u64) -> Vec<Goal> {
    let at = |count: usize, figure: &dyn Fn(&Size, &Engine) -> Option<f64>| {
        let size = sizes.iter().find(|size| size.count == count)?;
        figure(size, size.engines.first()?)
    };
    let cold = |count, sort| at(count, &|_, ours| ours.cold.get(&sort).map(|spread| spread.p50));
    let warm = |sort| at(LARGE, &|_, ours| ours.warm.get(&sort).map(|spread| spread.p99));
    let appends = sizes.iter().filter(|size| size.count <= LARGE).map(|size| size.append.p99);
    let goal = |name: &str, unit, most, got| Goal { name: name.to_owned(), unit, most, got };
    let mut goals = vec![
        goal("cold 3 words at 10k, p50", "ms", 6.0, cold(10_000, Sort::Words)),
        goal("cold 3 words at 100k, p50", "ms", 8.0, cold(LARGE, Sort::Words)),
        goal("cold 40 words at 100k, p50", "ms", 12.0, cold(LARGE, Sort::Prompt)),
        goal("warm 3 words at 100k, p99", "ms", 5.0, warm(Sort::Words)),
        goal("warm 40 words at 100k, p99", "ms", 20.0, warm(Sort::Prompt)),
        goal("100k notes indexed", "s", 15.0, at(LARGE, &|_, ours| Some(ours.built.seconds))),
        goal("peak memory of that", "MB", 300.0, at(LARGE, &|_, ours| ours.built.peak_mb)),
        goal("an append found, p99, worst size", "ms", 20.0, appends.reduce(f64::max)),
        goal("release binary", "MB", 40.0, Some(binary_bytes as f64 / 1e6)),
    ];
    for size in sizes.iter().filter(|size| size.engines.len() > 1) {
        let lost = rows(size).iter().filter(|row| row.is_lost()).count();
        let name = format!("rows at {} where another is ahead", shown(size.count));
        goals.push(Goal { name, unit: "", most: 0.0, got: Some(lost as f64) });
    }
    goals
}

const LARGE: usize = 100_000;

/// Prints the goals, `!` before those that were missed and `-` before those that were not measured.
pub fn print_goals(goals: &[Goal]) {
    println!("\n  {:<44}{:>10}{:>10}", "goal", "at most", "got");
    for goal in goals {
        let mark = match goal.is_met() {
            Some(true) => ' ',
            Some(false) => '!',
            None => '-',
        };
        let got = goal.got.map_or_else(|| "-".to_owned(), |got| format!("{got:.2}"));
        println!("{mark} {:<44}{:>10}{got:>10} {}", goal.name, goal.most, goal.unit);
    }
}

/// Writes everything for programs.
pub fn write(sizes: &[Size], goals: &[Goal], binary_bytes: u64, file: &Path) -> Result<(), String> {
    let named = |spreads: &BTreeMap<Sort, Spread>| json!(spreads);
    let engine = |engine: &Engine| {
        json!({
            "engine": engine.name, "build_s": engine.built.seconds, "index_bytes": engine.built.index_bytes,
            "peak_mb": engine.built.peak_mb, "cold_ms": named(&engine.cold), "warm_ms": named(&engine.warm),
            "found": engine.found,
        })
    };
    let size = |size: &Size| {
        json!({
            "notes": size.count, "engines": size.engines.iter().map(engine).collect::<Vec<_>>(),
            "left_out": size.left_out, "fill_s": size.fill_s, "append_found_ms": size.append,
        })
    };
    let goal = |goal: &Goal| json!({ "goal": goal.name, "unit": goal.unit, "at_most": goal.most, "got": goal.got, "met": goal.is_met() });
    let all: Value = json!({
        "binary_bytes": binary_bytes,
        "sizes": sizes.iter().map(size).collect::<Vec<_>>(),
        "goals": goals.iter().map(goal).collect::<Vec<_>>(),
    });
    let text = serde_json::to_string_pretty(&all).map_err(|error| error.to_string())?;
    std::fs::write(file, text).map_err(|error| format!("`{}`: {error}", file.display()))
}

/// `100k` for 100,000.
pub fn shown(count: usize) -> String {
    match count {
        0 => "0".to_owned(),
        millions if millions % 1_000_000 == 0 => format!("{}M", millions / 1_000_000),
        thousands if thousands % 1000 == 0 => format!("{}k", thousands / 1000),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn engine(name: &'static str, ms: f64, found: usize) -> Engine {
        let times = |ms: f64| Sort::ALL.into_iter().map(|sort| (sort, vec![ms; 10])).collect();
        let warm = Sort::ALL.into_iter().map(|sort| (sort, Asked { ms: vec![ms; 10], found }));
        let built = Built { seconds: 1.0, index_bytes: Some(1_000_000), peak_mb: Some(100.0) };
        Engine::new(name, built, times(ms), warm.collect())
    }

    fn size(ours: f64, other: f64) -> Size {
        of_engines(ours, vec![engine("ours", ours, 10), engine("other", other, 9)])
    }

    fn of_engines(ours: f64, engines: Vec<Engine>) -> Size {
        let append = Spread::of(vec![ours]);
        Size { count: LARGE, engines, left_out: Vec::new(), fill_s: 0.0, append }
    }

    #[test]
    fn goals_are_met_missed_or_not_measured() {
        let check = |ours: f64, expect: &[Option<bool>]| {
            let met: Vec<Option<bool>> =
                goals(&[size(ours, 7.0)], 50_000_000).iter().map(Goal::is_met).collect();
            assert_eq!(met, expect, "{ours}");
        };
        let (yes, no) = (Some(true), Some(false));
        check(4.0, &[None, yes, yes, yes, yes, yes, yes, yes, no, yes]);
        check(9.0, &[None, no, yes, no, yes, yes, yes, yes, no, no]);
        check(30.0, &[None, no, no, no, no, yes, yes, no, no, no]);
    }

    #[test]
    fn a_row_is_lost_only_where_another_is_ahead() {
        let lost = |ours, other| rows(&size(ours, other)).iter().filter(|row| row.is_lost()).count();
        assert_eq!([lost(1.0, 2.0), lost(2.0, 2.0), lost(3.0, 2.0)], [0, 0, 16]);
    }

    #[test]
    fn whoever_is_fast_but_does_not_find_is_not_ahead_and_is_told() {
        let marks = |others: &[(f64, usize)]| {
            let mut engines = vec![engine("ours", 3.0, 10)];
            engines.extend(others.iter().map(|&(ms, found)| engine("other", ms, found)));
            let rows = rows(&of_engines(3.0, engines));
            rows.iter().find(|row| row.name.starts_with("cold")).map(|row| row.standing().mark())
        };
        assert_eq!(marks(&[(1.0, 8)]), Some('~'));
        assert_eq!(marks(&[(1.0, 9)]), Some('!'));
        assert_eq!(marks(&[(1.0, 8), (2.0, 10)]), Some('!'));
        assert_eq!(marks(&[(2.0, 10), (1.0, 8)]), Some('!'));
        assert_eq!(marks(&[(4.0, 10)]), Some(' '));
    }

    #[test]
    fn the_middle_and_the_end_of_a_list() {
        let spread = Spread::of((0..=100).rev().map(f64::from).collect());
        assert_eq!((spread.p50, spread.p99, spread.runs), (50.0, 99.0, 101));
        assert_eq!(Spread::of(Vec::new()).runs, 0);
    }
}
