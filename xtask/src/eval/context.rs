//! `cargo xtask eval --context`: how much of the known answer stands in the context that an agent is handed, at several
//! budgets, beside what the vault tool would have handed it.
//!
//! Evidence counts by its text: a memory of which a third is told counts a third. The vault tool tells the best five as
//! snippets of 120 characters; beside it stands the same method given the whole budget, which no version of it had.

use std::collections::{BTreeMap, HashSet};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use memory_engine::Ask;
use memory_engine::core::id::AgentId;
use serde_json::{Value, json};

use super::pool::{Pool, Query};
use super::{Filled, dates};
use crate::bench::Node;

/// The budgets, in tokens.
pub const BUDGETS: [usize; 4] = [500, 1000, 2000, 4000];
/// Snippets that the vault tool tells: three decisions and two lessons.
const VAULT_TOOL_SNIPPETS: usize = 5;
const SCRIPT: &str = include_str!("vault_tool.mjs");

/// Shares of the evidence by budget: ours, the vault tool's as it is, and its method with all of the budget.
#[derive(Default, Clone, Copy)]
pub struct Shares {
    pub ours: [f64; BUDGETS.len()],
    pub vault_tool: [f64; BUDGETS.len()],
    pub filled: [f64; BUDGETS.len()],
}

/// What one set gave.
#[derive(Default)]
pub struct ContextReport {
    sums: BTreeMap<String, (usize, Shares)>,
}

/// The vault tool's search, in a process of its own.
pub struct VaultTool {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl VaultTool {
    pub fn start() -> Result<Self, String> {
        let script = Node::ready()?.beside("vault_tool.mjs", SCRIPT)?;
        let mut child = Command::new("node")
            .arg(script)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| format!("could not start `node`: {error}"))?;
        let (input, output) =
            (child.stdin.take().ok_or("no stdin")?, child.stdout.take().ok_or("no stdout")?);
        Ok(Self { child, input, output: BufReader::new(output) })
    }

    /// The hits of each question: document, and how much of it the snippet shows, in characters.
    fn ask(&mut self, texts: &[String], questions: &[&Query]) -> Result<Vec<Vec<(usize, usize)>>, String> {
        let queries: Vec<&str> = questions.iter().map(|query| query.q.as_str()).collect();
        let told = |error: std::io::Error| error.to_string();
        writeln!(self.input, "{}", json!({ "docs": texts, "queries": queries })).map_err(told)?;
        let mut line = String::new();
        self.output.read_line(&mut line).map_err(told)?;
        let answers: Vec<Vec<[usize; 3]>> = serde_json::from_str(&line).map_err(|error| error.to_string())?;
        Ok(answers
            .into_iter()
            .map(|hits| hits.into_iter().map(|[doc, _, length]| (doc, length)).collect())
            .collect())
    }
}

impl Drop for VaultTool {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Asks all questions of a pool.
pub fn ask_pool(pool: &Pool, vault_tool: &mut VaultTool, report: &mut ContextReport) -> Result<(), String> {
    let filled = Filled::with(pool)?;
    let told = |error: memory_engine::Error| format!("{}: {error}", pool.pool);
    let asked = |query: &&Query| !query.qid.contains("_abs") && !query.gold.is_empty();
    let questions: Vec<&Query> = pool.queries.iter().filter(asked).collect();
    let snippets = vault_tool.ask(&filled.texts, &questions)?;
    let agent = AgentId::parse("default").map_err(|error| error.to_string())?;
    for (query, snippets) in questions.iter().zip(snippets) {
        let gold: HashSet<&str> = query.gold.iter().map(String::as_str).collect();
        let is_gold = |doc: usize| gold.contains(pool.docs[doc].id.as_str());
        let length = |doc: usize| filled.texts[doc].encode_utf16().count().max(1);
        let mut shares = Shares::default();
        for (n, tokens) in BUDGETS.into_iter().enumerate() {
            let ask = Ask {
                command: query.q.clone(),
                tokens: Some(tokens),
                profile: Some("default".to_owned()),
                now: query.date.as_deref().and_then(dates::parse),
                ..Ask::new(agent.clone())
            };
            let context = filled.memory.context(&ask).map_err(told)?.context;
            if context.text.len() > tokens * 4 {
                return Err(format!(
                    "{}: a context of {} bytes for {tokens} tokens",
                    query.qid,
                    context.text.len()
                ));
            }
            for (doc, shown) in filled.told_in(&context.text, context.ids()) {
                if is_gold(doc) {
                    shares.ours[n] += (shown as f64 / length(doc) as f64).min(1.0);
                }
            }
            let mut left = tokens;
            for (rank, (doc, shown)) in snippets.iter().enumerate() {
                let cost = shown.div_ceil(4);
                if cost > left {
                    break;
                }
                left -= cost;
                let share = if is_gold(*doc) { *shown as f64 / length(*doc) as f64 } else { 0.0 };
                shares.filled[n] += share;
                if rank < VAULT_TOOL_SNIPPETS {
                    shares.vault_tool[n] += share;
                }
            }
        }
        let all = gold.len() as f64;
        for figures in [&mut shares.ours, &mut shares.vault_tool, &mut shares.filled] {
            figures.iter_mut().for_each(|sum| *sum /= all);
        }
        report.add(&query.cat, &shares);
    }
    Ok(())
}

/// Questions that have no answer in the pool and are counted apart.
const APART: &str = "adversarial";

impl ContextReport {
    fn add(&mut self, category: &str, shares: &Shares) {
        let (count, sums) = self.sums.entry(category.to_owned()).or_default();
        *count += 1;
        for (sums, more) in [
            (&mut sums.ours, shares.ours),
            (&mut sums.vault_tool, shares.vault_tool),
            (&mut sums.filled, shares.filled),
        ] {
            sums.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
        }
    }

    fn mean(&self) -> (usize, Shares) {
        let mut all = (0, Shares::default());
        for (_, (count, sums)) in self.sums.iter().filter(|(category, _)| *category != APART) {
            all.0 += count;
            for n in 0..BUDGETS.len() {
                all.1.ours[n] += sums.ours[n];
                all.1.vault_tool[n] += sums.vault_tool[n];
                all.1.filled[n] += sums.filled[n];
            }
        }
        let count = all.0.max(1) as f64;
        for figures in [&mut all.1.ours, &mut all.1.vault_tool, &mut all.1.filled] {
            figures.iter_mut().for_each(|sum| *sum /= count);
        }
        all
    }

    /// Prints the set.
    pub fn print(&self, name: &str) {
        let (count, mean) = self.mean();
        println!("\n{name}: {count} questions; share of the evidence's text inside the context");
        print!("  {:<34}", "tokens");
        BUDGETS.iter().for_each(|budget| print!("{budget:>9}"));
        println!();
        for (name, figures) in [
            ("agent-memory", mean.ours),
            ("the vault tool: best 5 snippets", mean.vault_tool),
            ("the vault tool's snippets, all of the budget", mean.filled),
        ] {
            print!("  {name:<38}");
            figures.iter().for_each(|figure| print!("{figure:>8.3} "));
            println!();
        }
        let at = BUDGETS.iter().position(|budget| *budget == 2000).unwrap_or(0);
        let times = |of: f64| mean.ours[at] / of.max(1e-9);
        println!(
            "  at 2,000 tokens {:.2} times the vault tool, {:.2} times its method with all of the budget",
            times(mean.vault_tool[at]),
            times(mean.filled[at])
        );
    }

    /// The figures for programs.
    pub fn json(&self, name: &str) -> Value {
        let (count, mean) = self.mean();
        json!({ "set": name, "questions": count, "budgets": BUDGETS, "ours": mean.ours, "vault_tool": mean.vault_tool, "filled": mean.filled })
    }
}
