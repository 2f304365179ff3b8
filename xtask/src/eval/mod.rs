//! `cargo xtask eval`: how well search finds what people ask for, on sets with known answers.
//!
//! Each pool of a set becomes a real root through the production write path and is asked through the production
//! search; no set has switches of its own. Two sets are made of the others: `mixed`, conversations and notes in one root, and
//! `long`, notes about many things. The table stands beside the figures of other methods on the same sets, and
//! `target/eval.json` holds all of it for programs.

mod context;
mod dates;
mod extract;
mod long;
mod metric;
mod mixed;
mod pool;
mod report;

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::Instant;

use memory_core::config::resolve;
use memory_core::id::{MemoryId, SessionId, TurnId};
use memory_core::kind::Kind;
use memory_core::memory::Provenance;
use memory_core::scope::SourceClass;
use memory_engine::disk::OsDisk;
use memory_engine::{Draft, Memory, Search, Update};

use self::metric::Figures;
use self::pool::{Doc, Pool};
use self::report::SetReport;

/// Hits that are asked for: enough to fill the largest budget with short turns.
const HITS: usize = 200;

/// Where the development sets are, seen from the repository.
const SHARED: &str = "../shared/data/bench";

/// Runs the evaluation: `extract [--show]`, or `[--context] [SET…] [--data DIR]`.
pub fn run(arguments: &[String]) -> Result<(), String> {
    if let Some((set, rest)) = arguments.split_first()
        && set == "extract"
    {
        return extract::run(rest);
    }
    if cfg!(debug_assertions) {
        return in_release(arguments);
    }
    let mut folder = PathBuf::from(SHARED);
    let mut wanted: Vec<&str> = Vec::new();
    let mut of_context = false;
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        match argument.as_str() {
            "--data" => folder = PathBuf::from(rest.next().ok_or("--data needs a folder")?),
            "--context" => of_context = true,
            flag if flag.starts_with('-') => {
                return Err(format!("`{flag}` is not understood; use [--context] [SET…] [--data DIR]"));
            }
            set => wanted.push(set),
        }
    }
    let files = sets_in(&folder)?;
    if files.is_empty() {
        println!("no sets in `{}`; --data DIR names another folder", folder.display());
        return Ok(());
    }
    let is_wanted = |name: &str| wanted.is_empty() || wanted.iter().any(|want| name.starts_with(want));
    if of_context {
        return contexts(files.into_iter().filter(|(name, _)| is_wanted(name)));
    }
    let mut reports = Vec::new();
    for (name, file) in &files {
        if is_wanted(name) {
            reports.push(evaluate(name, &mut |each| pool::each(file, each))?);
        }
    }
    type Made = fn(&[(String, PathBuf)]) -> Result<Option<Vec<Pool>>, String>;
    let made: [(&str, Made); 2] = [(mixed::NAME, mixed::pools), (long::NAME, long::pools)];
    for (name, pools) in made.into_iter().filter(|(name, _)| is_wanted(name)) {
        if let Some(pools) = pools(&files)? {
            reports.push(evaluate(name, &mut |each| pools.iter().try_for_each(|pool| each(pool.clone())))?);
        }
    }
    report::write(&reports, Path::new("target/eval.json"))?;
    report::print_summary(&reports);
    Ok(())
}

/// Measures the contexts that are made of each set.
fn contexts(files: impl Iterator<Item = (String, PathBuf)>) -> Result<(), String> {
    let mut vault_tool = context::VaultTool::start()?;
    let mut all = Vec::new();
    for (name, file) in files {
        let mut report = context::ContextReport::default();
        pool::each(&file, &mut |pool| context::ask_pool(&pool, &mut vault_tool, &mut report))?;
        report.print(&name);
        all.push(report.json(&name));
    }
    let text = serde_json::to_string_pretty(&all).unwrap_or_default();
    std::fs::write("target/eval-context.json", text)
        .map_err(|error| format!("`target/eval-context.json`: {error}"))
}

fn in_release(arguments: &[String]) -> Result<(), String> {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    let status = Command::new(cargo)
        .args(["run", "--quiet", "--release", "--package", "xtask", "--", "eval"])
        .args(arguments)
        .status()
        .map_err(|error| format!("could not start cargo: {error}"))?;
    if status.success() { Ok(()) } else { Err("the evaluation failed".to_owned()) }
}

/// The sets of a folder: files `<name>.jsonl` or `<name>.jsonl.zst`.
fn sets_in(folder: &Path) -> Result<Vec<(String, PathBuf)>, String> {
    let Ok(names) = std::fs::read_dir(folder) else { return Ok(Vec::new()) };
    let mut sets = Vec::new();
    for name in names {
        let path = name.map_err(|error| error.to_string())?.path();
        let file = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if let Some(name) = file.strip_suffix(".zst").unwrap_or(file).strip_suffix(".jsonl") {
            sets.push((name.to_owned(), path));
        }
    }
    sets.sort();
    Ok(sets)
}

/// Calls a function with each pool of a set.
type Pools<'a> = dyn FnMut(&mut dyn FnMut(Pool) -> Result<(), String>) -> Result<(), String> + 'a;

fn evaluate(name: &str, pools: &mut Pools<'_>) -> Result<SetReport, String> {
    let mut report = SetReport::new(name);
    let began = Instant::now();
    pools(&mut |pool| {
        let figures = ask_pool(&pool, &mut report)?;
        figures.into_iter().for_each(|(category, figures)| report.add(category, &figures));
        Ok(())
    })?;
    report.seconds = began.elapsed().as_secs_f64();
    report::print(&report);
    Ok(report)
}

/// Fills a root with a pool and asks all its questions.
fn ask_pool(pool: &Pool, report: &mut SetReport) -> Result<Vec<(String, Figures)>, String> {
    let told = |error: memory_engine::Error| format!("{}: {error}", pool.pool);
    let Filled { memory, docs_of, .. } = &Filled::with(pool)?;
    report.documents += pool.docs.len();
    let mut all = Vec::new();
    for query in pool.queries.iter().filter(|query| !query.qid.contains("_abs") && !query.gold.is_empty()) {
        let now = query.date.as_deref().and_then(dates::parse);
        let search = Search { limit: HITS, now, ..Search::new(&query.q) };
        let began = Instant::now();
        let answer = memory.search(&search).map_err(told)?;
        report.times.push(began.elapsed().as_secs_f64() * 1000.0);
        let mut ranked: Vec<usize> = Vec::new();
        for hit in &answer.hits {
            for id in std::iter::once(&hit.entry.memory.id).chain(&hit.also) {
                let docs = docs_of.get(id.as_str()).into_iter().flatten();
                ranked.extend(docs.filter(|doc| !ranked.contains(doc)).copied().collect::<Vec<_>>());
            }
        }
        all.push((query.cat.clone(), Figures::of(pool, query, &ranked)));
    }
    Ok(all)
}

/// A root that holds a pool.
struct Filled {
    memory: Memory,
    /// The documents that each memory holds.
    docs_of: HashMap<String, Vec<usize>>,
    /// The documents as they were kept.
    texts: Vec<String>,
    _folder: Scratch,
}

impl Filled {
    fn with(pool: &Pool) -> Result<Self, String> {
        let folder = Scratch::new()?;
        let told = |error: memory_engine::Error| format!("{}: {error}", pool.pool);
        let disk = OsDisk::create(&folder.0.join(".memory")).map_err(told)?;
        let memory = Memory::with(Arc::new(disk), resolve(&[])).map_err(told)?;
        let mut docs_of: HashMap<String, Vec<usize>> = HashMap::new();
        let mut texts = Vec::with_capacity(pool.docs.len());
        for docs in pool.docs.chunks(4096) {
            let drafts: Vec<Draft> = docs.iter().map(draft).collect();
            let from = texts.len();
            texts.extend(drafts.iter().map(|draft| draft.text.clone()));
            for (n, kept) in memory.remember_all(drafts).map_err(told)?.into_iter().enumerate() {
                if let Ok(kept) = kept {
                    docs_of.entry(kept.id.as_str().to_owned()).or_default().push(from + n);
                }
            }
        }
        memory.flush().map_err(told)?;
        memory.update_index(Update::Behind, &mut |_, _| {}).map_err(told)?;
        Ok(Self { memory, docs_of, texts, _folder: folder })
    }

    /// The documents that a context tells of, each with how many UTF-16 units of it stand there.
    fn told_in(&self, text: &str, ids: Vec<&MemoryId>) -> Vec<(usize, usize)> {
        let mut told = Vec::new();
        for id in ids {
            let Some(end) = text.find(&format!(" [{id}")) else { continue };
            let start = text[..end].rfind("\n- ").map_or(0, |at| at + 3);
            let shown = text[start..end].trim_matches(['…', ' ']).encode_utf16().count();
            told.extend(self.docs_of.get(id.as_str()).into_iter().flatten().map(|doc| (*doc, shown)));
        }
        told
    }
}

/// A document as somebody would keep it: a turn of a conversation with who said it, or a note.
fn draft(doc: &Doc) -> Draft {
    let class = if doc.who == "assistant" { SourceClass::Agent } else { SourceClass::Human };
    let named = doc.is_turn && !matches!(doc.who.as_str(), "user" | "assistant");
    let text = if named { format!("{}: {}", doc.who, doc.text) } else { doc.text.clone() };
    let mut provenance = Provenance::of("import", class);
    provenance.session = doc.told_in().and_then(|session| SessionId::parse(&session).ok());
    if doc.is_turn {
        provenance.turn = TurnId::parse(&doc.ord.to_string()).ok();
    }
    let kind = if doc.is_turn { Kind::of_word("turn") } else { Kind::Note };
    Draft {
        kind: Some(kind),
        tags: Some(Vec::new()),
        at: dates::parse(&doc.date),
        provenance,
        ..Draft::note(&text)
    }
}

/// A folder that goes when it is no longer needed.
struct Scratch(PathBuf);

impl Scratch {
    fn new() -> Result<Self, String> {
        static COUNT: std::sync::atomic::AtomicUsize = std::sync::atomic::AtomicUsize::new(0);
        let n = COUNT.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("agent-memory-eval-{}-{n}", std::process::id()));
        std::fs::create_dir_all(&folder).map_err(|error| format!("`{}`: {error}", folder.display()))?;
        Ok(Self(folder))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
