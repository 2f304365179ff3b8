//! The product: a root filled through the door that all memories come in by, its index, its questions.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use memory_engine::core::id::{AgentId, Tag};
use memory_engine::core::kind::Kind;
use memory_engine::core::scope::Scope;
use memory_engine::core::time::Time;
use memory_engine::{Draft, Memory, Outcome, Search, Update, Updated};
use serde_json::Value;

use super::notes::{Notes, agent_of, kind_of};
use super::part::{Built, Place, Warm, error, peak_mb, timed};
use super::plan::{Plan, Sort};

/// Memories that share one commit.
const BATCH: usize = 8192;

/// Appends that are looked for from another process.
const APPENDS: usize = 30;

/// The first moment of the notes, and over how long they are spread.
const BEGIN_MS: i64 = 1_704_067_200_000;
const SPAN_MS: i64 = 600 * 86_400_000;

/// Fills the root and tells which note became which memory.
pub fn fill(place: &Place) -> Result<(), String> {
    let plan = Plan::read(place.folder())?;
    let notes = Notes::new();
    let memory = Memory::create(place.root()).map_err(error)?;
    let mut ids = String::new();
    for begin in (0..plan.count).step_by(BATCH) {
        let drafts = (begin..plan.count.min(begin + BATCH)).map(|n| draft(&notes, n, plan.count));
        for kept in memory.remember_all(drafts.collect::<Result<_, _>>()?).map_err(error)? {
            let kept = kept.map_err(error)?;
            if kept.outcome != Outcome::Created {
                return Err(format!("a note was not new: `{}`", kept.id));
            }
            ids.push_str(kept.id.as_str());
            ids.push('\n');
        }
    }
    memory.flush().map_err(error)?;
    fs::write(place.folder().join("ids"), ids).map_err(error)
}

fn draft(notes: &Notes, n: usize, count: usize) -> Result<Draft, String> {
    let note = notes.note(n);
    let agent = AgentId::parse(&agent_of(n, count)).map_err(error)?;
    let tags = note.tags.iter().map(|tag| Tag::parse(tag).map_err(error)).collect::<Result<_, _>>()?;
    let after = SPAN_MS / i64::try_from(count).unwrap_or(i64::MAX).max(1) * i64::try_from(n).unwrap_or(0);
    Ok(Draft {
        kind: Some(Kind::of_word(kind_of(n))),
        scope: Some(Scope::Agent(agent)),
        tags: Some(tags),
        at: Some(Time(BEGIN_MS + after)),
        ..Draft::note(&note.body)
    })
}

/// Makes the index of a root that is there.
pub fn index(place: &Place) -> Result<Built, String> {
    let plan = Plan::read(place.folder())?;
    let memory = Memory::open(place.root()).map_err(error)?;
    let begun = Instant::now();
    let updated = memory.update_index(Update::Behind, &mut |_, _| {}).map_err(error)?;
    let seconds = begun.elapsed().as_secs_f64();
    if updated != Updated::Done(plan.count) {
        return Err(format!("the index took in {updated:?} of {} notes", plan.count));
    }
    let bytes = bytes_in(&place.root().join(".vault/index"))?;
    Ok(Built { seconds, index_bytes: Some(bytes), peak_mb: peak_mb() })
}

fn bytes_in(folder: &Path) -> Result<u64, String> {
    let mut sum = 0;
    for name in fs::read_dir(folder).map_err(error)? {
        let path = name.map_err(error)?.path();
        let is = fs::metadata(&path).map_err(error)?;
        sum += if is.is_dir() { bytes_in(&path)? } else { is.len() };
    }
    Ok(sum)
}

/// Asks in one process.
pub fn warm(place: &Place) -> Result<Warm, String> {
    let plan = Plan::read(place.folder())?;
    let memory = Memory::open(place.root()).map_err(error)?;
    let ids = fs::read_to_string(place.folder().join("ids")).map_err(error)?;
    let note_of: std::collections::HashMap<&str, usize> =
        ids.lines().enumerate().map(|(n, id)| (id, n)).collect();
    let warm = plan.ask(|_, text| {
        let answer = memory.search(&Search::new(text)).map_err(error)?;
        if answer.behind > 0 {
            return Err(format!("{} memories are not in the index", answer.behind));
        }
        let ids = answer.hits.iter().flat_map(|hit| std::iter::once(&hit.entry.memory.id).chain(&hit.also));
        Ok(ids.filter_map(|id| note_of.get(id.as_str()).copied()).collect())
    })?;
    Ok(Warm { warm })
}

/// The program on the root.
pub struct Program {
    binary: PathBuf,
    place: Place,
}

impl Program {
    pub fn new(binary: &Path, place: &Place) -> Self {
        Self { binary: binary.to_owned(), place: place.clone() }
    }

    fn command(&self) -> Command {
        let mut command = Command::new(&self.binary);
        command.arg("--dir").arg(self.place.root());
        self.place.surround(&mut command);
        command
    }

    /// The command that answers one question.
    pub fn search(&self, _: Sort, query: &str) -> Command {
        let mut command = self.command();
        command.args(["search", "--json", "-l", "10", query]);
        command
    }

    /// How many milliseconds after the acknowledgement of a memory another process has found it.
    pub fn append_and_find(&self, notes: &Notes, count: usize) -> Result<Vec<f64>, String> {
        let mut times = Vec::new();
        for n in 0..APPENDS {
            let note = notes.note(count + n);
            // A word that no note has, so that only this one is the answer.
            let letter = |n: usize| char::from(b'a' + u8::try_from(n % 26).unwrap_or(0));
            let mark = format!("quokka{}{}", letter(n / 26), letter(n));
            let mut remember = self.command();
            remember.args(["remember", "--json", "--agent", "agent00", "--kind", "lesson"]);
            remember.arg(format!("{} {mark}", note.body));
            let (_, kept) = timed(&mut remember)?;
            let begun = Instant::now();
            let id = serde_json::from_slice::<Value>(&kept).map_err(error)?["id"].clone();
            let query = format!("{mark} {} {}", notes.word(note.words[0]), notes.word(note.words[1]));
            loop {
                let (_, answer) = timed(&mut self.search(Sort::Words, &query))?;
                let took = begun.elapsed();
                let answer: Value = serde_json::from_slice(&answer).map_err(error)?;
                let hits = answer["results"].as_array().map_or(&[][..], Vec::as_slice);
                if hits.iter().any(|hit| hit["id"] == id) {
                    times.push(took.as_secs_f64() * 1000.0);
                    break;
                }
                if took.as_secs() > 5 {
                    return Err(format!("the memory {id} is not found after {} s", took.as_secs()));
                }
            }
        }
        Ok(times)
    }
}
