//! The table that people read and the file that programs read.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::{Map, Value, json};

use super::metric::{Figures, NAMES};

/// Figures of other methods on whole sets, and the least that is asked of ours: set, figure, baselines, floor.
const BESIDE: &[(&str, &str, &str, f64)] = &[
    ("locomo", "recall@10", "MiniSearch .55, BM25 .63, BM25+MiniLM .67", 0.78),
    ("locomo", "in 2000", "BM25 .79, fused lexical .89", 0.90),
    ("longmemeval_s", "sess any@5", "MiniSearch .83, BM25 .97, best published .986", 0.985),
    ("longmemeval_s", "sess all@5", "MiniSearch .60, BM25 .86, best published .889", 0.90),
    ("beam100K", "recall@10", "MiniSearch .11, BM25 .41, BM25+MiniLM .51", 0.58),
    ("realtalk", "recall@10", "MiniSearch .42, BM25 .53, BM25+MiniLM .56", 0.64),
    ("devlog", "recall@10", "MiniSearch .49, BM25 .79, BM25+MiniLM .81", 0.81),
    ("devlog", "recall@1", "MiniSearch .26, BM25 .51", 0.55),
    ("cosqa", "recall@10", "MiniSearch .37, BM25 .57, MiniLM .81", 0.62),
    ("cranfield", "ndcg@10", "BM25 about .40", 0.43),
];

/// What one set gave.
pub struct SetReport {
    name: String,
    pub documents: usize,
    pub times: Vec<f64>,
    pub seconds: f64,
    categories: BTreeMap<String, (usize, [f64; NAMES.len()])>,
}

/// Questions that have no answer in the pool and are counted apart.
const APART: &str = "adversarial";

impl SetReport {
    pub fn new(name: &str) -> Self {
        let categories = BTreeMap::new();
        Self { name: name.to_owned(), documents: 0, times: Vec::new(), seconds: 0.0, categories }
    }

    pub fn add(&mut self, category: String, figures: &Figures) {
        let (count, sums) = self.categories.entry(category).or_insert((0, [0.0; NAMES.len()]));
        *count += 1;
        sums.iter_mut().zip(figures.0).for_each(|(sum, figure)| *sum += figure);
    }

    /// The means over all questions but those counted apart.
    fn all(&self) -> (usize, [f64; NAMES.len()]) {
        let mut all = (0, [0.0; NAMES.len()]);
        for (_, (count, sums)) in self.categories.iter().filter(|(category, _)| *category != APART) {
            all.0 += count;
            all.1.iter_mut().zip(sums).for_each(|(all, sum)| *all += sum);
        }
        (all.0, all.1.map(|sum| sum / all.0.max(1) as f64))
    }

    fn figure(&self, name: &str) -> f64 {
        NAMES.iter().position(|known| *known == name).map_or(0.0, |n| self.all().1[n])
    }
}

/// Prints one set: a row per category.
pub fn print(report: &SetReport) {
    let (count, all) = report.all();
    let mut times = report.times.clone();
    times.sort_by(f64::total_cmp);
    let at = |share: f64| times.get((times.len() as f64 * share) as usize).copied().unwrap_or(0.0);
    println!(
        "\n{}: {} documents, {count} questions, {:.1} s; a question {:.2} ms (p99 {:.2})",
        report.name,
        report.documents,
        report.seconds,
        at(0.5),
        at(0.99)
    );
    print!("  {:<28}{:>6}", "", "n");
    NAMES.iter().for_each(|name| print!("{name:>11}"));
    println!();
    let row = |name: &str, count: usize, figures: &[f64]| {
        print!("  {name:<28}{count:>6}");
        figures.iter().for_each(|figure| print!("{figure:>11.3}"));
        println!();
    };
    for (category, (count, sums)) in &report.categories {
        row(category, *count, &sums.map(|sum| sum / *count as f64));
    }
    row("all", count, &all);
}

/// Prints how each set stands beside other methods and the floors.
pub fn print_summary(reports: &[SetReport]) {
    println!("\n  {:<16}{:<12}{:>8}{:>8}   others (whole sets)", "set", "figure", "ours", "floor");
    for (set, figure, others, floor) in BESIDE {
        if let Some(report) = reports.iter().find(|report| report.name.starts_with(set)) {
            let ours = report.figure(figure);
            let mark = if ours >= *floor { ' ' } else { '!' };
            println!("{mark} {set:<16}{figure:<12}{ours:>8.3}{floor:>8.3}   {others}");
        }
    }
}

/// Writes everything for programs.
pub fn write(reports: &[SetReport], file: &Path) -> Result<(), String> {
    let named = |figures: &[f64]| -> Map<String, Value> {
        NAMES.iter().zip(figures).map(|(name, figure)| ((*name).to_owned(), json!(figure))).collect()
    };
    let sets: Vec<Value> = reports
        .iter()
        .map(|report| {
            let (count, all) = report.all();
            let categories: Map<String, Value> = report
                .categories
                .iter()
                .map(|(name, (count, sums))| {
                    let mut figures = named(&sums.map(|sum| sum / *count as f64));
                    figures.insert("n".into(), json!(count));
                    (name.clone(), Value::Object(figures))
                })
                .collect();
            json!({"set": report.name, "documents": report.documents, "questions": count, "all": named(&all), "categories": categories})
        })
        .collect();
    let text = serde_json::to_string_pretty(&json!({ "sets": sets })).map_err(|error| error.to_string())?;
    std::fs::create_dir_all(file.parent().unwrap_or(Path::new("."))).map_err(|error| error.to_string())?;
    std::fs::write(file, text).map_err(|error| format!("`{}`: {error}", file.display()))
}
