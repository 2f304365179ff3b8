//! One client from its installation to the look into the vault.
//!
//! What cannot be tried is left out with its reason; what was tried has passed, or a list of complaints.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde_json::json;

use super::child::{self, Ended};
use super::given;
use super::model::{Model, SCRIPT};
use super::npm;
use super::place::Place;
use super::rest;
use super::rows::Row;
use super::vault::{self, Count};

/// How long a client may take for one prompt.
const LIMIT: Duration = Duration::from_secs(90);

/// How a client did.
pub(super) struct Report {
    pub name: &'static str,
    pub verdict: Verdict,
    version: String,
    took: Duration,
    hooks: usize,
    count: Option<Count>,
}

/// The end of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Verdict {
    Passed,
    Failed(Vec<String>),
    /// It could not be tried, for this reason.
    LeftOut(String),
}

impl Report {
    /// The head of the table.
    pub(super) fn head() -> String {
        line(["client", "version", "seconds", "hooks", "decisions", "lessons", "handoffs", "verdict"])
    }

    /// Its line in the table.
    pub(super) fn line(&self) -> String {
        let count = self.count.as_ref();
        let of = |count: Option<String>| count.unwrap_or_else(|| "-".to_owned());
        let decisions = of(count.map(|count| added(&count.decisions)));
        let lessons = of(count.map(|count| added(&count.lessons)));
        let handoffs = of(count.map(|count| count.handoffs.to_string()));
        let verdict = match self.verdict {
            Verdict::Passed => "passed",
            Verdict::Failed(_) => "FAILED",
            Verdict::LeftOut(_) => "LEFT OUT",
        };
        let took = format!("{:.1}", self.took.as_secs_f64());
        line([
            self.name,
            &self.version,
            &took,
            &self.hooks.to_string(),
            &decisions,
            &lessons,
            &handoffs,
            verdict,
        ])
    }
}

/// The counts of all exchanges, such as `1+1`.
fn added(counts: &[usize]) -> String {
    counts.iter().map(usize::to_string).collect::<Vec<_>>().join("+")
}

fn line([client, version, seconds, hooks, decisions, lessons, handoffs, verdict]: [&str; 8]) -> String {
    format!(
        "{client:<12} {version:<9} {seconds:>7}  {hooks:>5}  {decisions:>9}  {lessons:>7}  {handoffs:>8}  {verdict}"
    )
}

/// Runs a client in a folder of its own.
pub(super) fn run(row: &'static Row, product: &Path, folder: &Path) -> Report {
    let mut report = Report {
        name: row.client.word(),
        verdict: Verdict::Passed,
        version: row.version.to_owned(),
        took: Duration::ZERO,
        hooks: 0,
        count: None,
    };
    report.verdict = match attempt(row, product, folder, &mut report) {
        Ok(verdict) => verdict,
        Err(why) => Verdict::Failed(vec![why]),
    };
    report
}

/// The verdict; an error is a fault of ours.
fn attempt(row: &'static Row, product: &Path, folder: &Path, report: &mut Report) -> Result<Verdict, String> {
    let programs = match installed(row, report) {
        Ok(programs) => programs,
        Err(why) => return Ok(Verdict::LeftOut(why)),
    };
    let model = Model::start()?;
    let place = Place::make(folder, product, row, programs, &model)?;
    given::prepare(&place)?;
    let begun = Instant::now();
    let mut complaints = Vec::new();
    let calls = [row.first, row.again].into_iter().zip(SCRIPT).filter(|(words, _)| !words.is_empty());
    let mut heard = Vec::new();
    for (words, exchange) in calls {
        match child::run(&mut place.client(row, words, exchange.prompt), &place.log(), LIMIT) {
            Ok(Ended::Well) => {}
            Ok(ended) => complaints.push(format!("the client {ended}: {}", last_words(&place.log()))),
            Err(why) => return Ok(Verdict::LeftOut(why)),
        }
        heard.push(exchange);
        if heard.len() == 1 {
            complaints.extend(given::complaints(&model.seen(), exchange.prompt, row.gives));
        } else {
            // What was given before is still there, and was not given again.
            complaints.extend(given::complaints(&model.seen(), exchange.prompt, &[given::Wanted::Start]));
        }
        // The client may not have written all of it yet, and the session may go on: that must do no harm.
        complaints.extend(process(&place).unwrap_or_else(|why| vec![why]));
    }
    report.took = begun.elapsed();
    keep_requests(&model, &folder.join("requests.jsonl"));
    report.hooks = place.calls().len();
    if report.hooks == 0 && model.seen().iter().all(|seen| seen.method != "POST") {
        // A client that reached neither us nor the model says nothing about us.
        return Ok(Verdict::LeftOut(format!("it did not start to work: {}", last_words(&place.log()))));
    }
    for exchange in &heard {
        if model.seen().iter().all(|seen| !seen.answer.contains(exchange.says)) {
            complaints.push(format!("the client never heard that we decided to {}", exchange.decision));
        }
    }
    complaints.extend(complaints_about_hooks(row, &place));
    complaints.extend(complaints_about_vault(&place, heard.len(), report));
    if !row.compacts.is_empty() {
        complaints.extend(after_compaction(row, &place, &model)?);
        keep_requests(&model, &folder.join("requests.jsonl"));
    }
    Ok(if complaints.is_empty() { Verdict::Passed } else { Verdict::Failed(complaints) })
}

/// Compacts the session and asks once more: all that it was given must be there again.
fn after_compaction(row: &Row, place: &Place, model: &Model) -> Result<Vec<String>, String> {
    let mut complaints = Vec::new();
    let prompt = "Say hello after the compaction.";
    for words in [row.compacts, row.again] {
        match child::run(&mut place.client(row, words, prompt), &place.log(), LIMIT)? {
            Ended::Well => {}
            ended => {
                complaints.push(format!("the client {ended} at compaction: {}", last_words(&place.log())));
            }
        }
    }
    complaints.extend(given::complaints(&model.seen(), prompt, &[given::Wanted::Start]));
    let again = place.calls().iter().any(|call| call.event == "PreCompact");
    if !again {
        complaints.push("the session was not compacted".to_owned());
    }
    Ok(complaints)
}

/// The folders of the client's programs.
fn installed(row: &Row, report: &mut Report) -> Result<Vec<PathBuf>, String> {
    let installed = npm::install(row.client.word(), row.package, row.version)?;
    report.version.clone_from(&installed.version);
    Ok(npm::node(row.node)?.into_iter().chain([installed.programs()]).collect())
}

fn complaints_about_hooks(row: &Row, place: &Place) -> Vec<String> {
    let calls = place.calls();
    let mut complaints = Vec::new();
    for event in row.fires {
        if calls.iter().all(|call| call.event != *event) {
            complaints.push(format!("the hook `{event}` did not fire"));
        }
    }
    for call in calls.iter().filter(|call| call.code != 0) {
        complaints.push(format!("the hook at `{}` ended with {}: {}", call.event, call.code, call.complaint));
    }
    // A hook tells nobody when something goes wrong; it stands there.
    let log = fs::read_to_string(place.project().join(".memory/.vault/log")).unwrap_or_default();
    complaints.extend(log.lines().map(|line| format!("the hook's log says: {line}")));
    complaints
}

/// Lets the product take in what there is, and gives what it could not read.
fn process(place: &Place) -> Result<Vec<String>, String> {
    vault::unread(&place.product(&["process", "--json"])?)
}

/// Looks into the vault when the session has come to rest, and once more after another pass.
fn complaints_about_vault(place: &Place, exchanges: usize, report: &mut Report) -> Vec<String> {
    let look = || vault::count(&place.product(&["list", "--limit", "0", "--json"])?);
    let looked = || -> Result<(Vec<String>, Count, Count), String> {
        rest::let_time_pass(&place.home())?;
        let mut unread = process(place)?;
        let first = look()?;
        unread.extend(process(place)?);
        Ok((unread, first, look()?))
    };
    match looked() {
        Ok((mut complaints, first, second)) => {
            complaints.extend(vault::complaints(&first, exchanges));
            if first != second {
                complaints.push(format!("another `process` changed the vault: {first:?}, then {second:?}"));
            }
            // Transcripts alone would fill the vault too; the history tells what came through the hook.
            let events = fs::read_to_string(place.project().join(".memory/history/events.jsonl"));
            complaints.extend(vault::history(&events.unwrap_or_default(), exchanges));
            report.count = Some(second);
            complaints
        }
        Err(why) => vec![why],
    }
}

/// Leaves what the model was asked in the folder, for a look when something is wrong.
fn keep_requests(model: &Model, file: &Path) {
    let lines = model
        .seen()
        .into_iter()
        .map(|seen| json!({"method": seen.method, "path": seen.path, "body": seen.body}).to_string() + "\n");
    let _ = fs::write(file, lines.collect::<String>());
}

fn last_words(log: &Path) -> String {
    let said = fs::read_to_string(log).unwrap_or_default();
    let lines: Vec<&str> = said.lines().filter(|line| !line.trim().is_empty()).collect();
    lines[lines.len().saturating_sub(3)..].join(" / ")
}
