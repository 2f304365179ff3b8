//! What leaves this process when vectors come from a server, and what is done when none come.
//!
//! Texts of private memories and secrets never leave, and credentials are masked in what does. A question never
//! fails because of the server and costs at most one `meaning.timeout_ms`: what has no vector is found by its words,
//! and a notice says so. Bringing the index up to date fails instead, so that no memory goes in without its vector.
//! With the built-in table none of this happens.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use blake3::Hash;
use memory_core::memory::Memory;
use memory_core::scope::Sensitivity;

use super::view::{Use, View};
use crate::error::Result;
use crate::index::{self, Drained, Index as _, meaning};
use crate::keep::mask;
use crate::model::{Embedder, Http};
use crate::store::{Entry, Store};

/// The code of notices about the server.
const CODE: &str = "meaning";
/// So many batches of memories that wait for the index are sent for one question.
const BATCHES: usize = 4;

/// Whether a question may leave this process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Leave {
    May,
    Never,
}

impl Leave {
    /// Whether a memory's text may.
    pub(super) fn of(memory: &Memory) -> Self {
        if memory.provenance.sensitivity < Sensitivity::PrivateUser { Self::May } else { Self::Never }
    }
}

/// What one process had from the server for its questions.
#[derive(Default)]
pub(super) struct Outside {
    /// Vectors of memories that wait for the index; `None` where the server was asked in vain, which happens once.
    had: HashMap<Hash, Option<Vec<f32>>>,
    /// What is left of the time that the question may cost.
    left: Duration,
}

impl Outside {
    /// The server's vector of a question, all zero when it has none to give; `None` when there is no server.
    pub(super) fn vector(
        &mut self,
        store: &mut Store,
        embedder: &dyn Embedder,
        words: &str,
        leave: Leave,
    ) -> Result<Option<Vec<f32>>> {
        let Some(http) = embedder.server() else { return Ok(None) };
        self.left = http.timeout();
        if leave == Leave::Never {
            store.notice(
                CODE,
                "the memory is private and was not sent: this answer is by words alone".to_owned(),
            );
            return Ok(Some(vec![0.0; http.dims()]));
        }
        let begun = Instant::now();
        match http.embed(&[&masked(store, words)]) {
            Ok(mut vectors) => {
                self.left = self.left.saturating_sub(begun.elapsed());
                Ok(Some(vectors.pop().unwrap_or_default()))
            }
            Err(error) => {
                self.left = Duration::ZERO;
                store.notice(CODE, format!("{error}; this answer is by words alone"));
                Ok(Some(vec![0.0; http.dims()]))
            }
        }
    }

    /// The picture that a question is asked of, after [`vector`](Self::vector).
    pub(super) fn view(&mut self, store: &mut Store, embedder: &dyn Embedder, from: Use) -> Result<View> {
        let Some(http) = embedder.server() else { return View::of(store, embedder, from) };
        self.fetch(store, http, from)?;
        let view = View::of(store, &Had { http, dims: http.dims(), had: &self.had }, from)?;
        if http.dims() > 1 && view.shelves().any(|(shelf, _)| shelf.dims() != http.dims()) {
            let text = "the server's vectors are not of the length of those in the index: run `agent-memory index rebuild`";
            store.notice(CODE, text.to_owned());
        }
        Ok(view)
    }

    /// Asks for the vectors of the newest memories that wait for the index.
    fn fetch(&mut self, store: &mut Store, http: &Http, from: Use) -> Result<()> {
        let newest = newest_waiting(store, http, from)?;
        let here: HashSet<Hash> = newest.iter().map(|(hash, _)| *hash).collect();
        self.had.retain(|hash, _| here.contains(hash));
        let fresh: Vec<&(Hash, String)> =
            newest.iter().filter(|(hash, _)| !self.had.contains_key(hash)).collect();
        for batch in fresh.chunks(http.batch()) {
            if self.left.is_zero() {
                break;
            }
            let begun = Instant::now();
            let texts: Vec<String> = batch.iter().map(|(_, text)| masked(store, text)).collect();
            let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
            let (vectors, failed) = match http.embed_within(&texts, self.left) {
                Ok(vectors) => (vectors.into_iter().map(Some).collect(), None),
                Err(error) => (vec![None; batch.len()], Some(error)),
            };
            self.had.extend(batch.iter().map(|(hash, _)| *hash).zip(vectors));
            self.left = self.left.saturating_sub(begun.elapsed());
            if let Some(error) = failed {
                store.notice(CODE, format!("{error}; what the index lacks is found by words alone"));
                break;
            }
        }
        Ok(())
    }
}

/// The texts of the newest memories that the index lacks and that may leave.
fn newest_waiting(store: &mut Store, http: &Http, from: Use) -> Result<Vec<(Hash, String)>> {
    let most = http.batch().saturating_mul(BATCHES);
    let mut waiting = Vec::new();
    let mut see = |entry: Entry| {
        let memory = entry.memory;
        if Leave::of(&memory) == Leave::May {
            let text = meaning(&memory);
            waiting.push((Reverse(memory.created), memory.id, text));
        }
        if waiting.len() > most.saturating_mul(4) {
            waiting.sort_unstable();
            waiting.truncate(most);
        }
    };
    let opened = if from == Use::Index {
        index::open(&store.disk().index(), http.name()).ok().flatten()
    } else {
        None
    };
    match opened.filter(|opened| store.knows(opened.marked.seq, &opened.marked.hash)) {
        Some(opened) => {
            let changes = store.changes_after(opened.marked.seq, &opened.marked.away)?;
            let ids = store.ids_of(&changes)?;
            store.each_current(&ids, &mut see)?;
        }
        None => {
            store.each_entry(&mut |entry| {
                see(entry);
                Ok(())
            })?;
        }
    }
    waiting.sort_unstable();
    waiting.truncate(most);
    Ok(waiting.into_iter().map(|(_, _, text)| (blake3::hash(text.as_bytes()), text)).collect())
}

/// Brings the index up to date.
pub(super) fn drain(
    store: &mut Store,
    embedder: &dyn Embedder,
    from_scratch: bool,
    report: &mut dyn FnMut(usize, usize),
) -> Result<Drained> {
    let Some(http) = embedder.server() else { return index::drain(store, embedder, from_scratch, report) };
    store.freshen()?;
    let opened =
        if from_scratch { None } else { index::open(&store.disk().index(), http.name()).ok().flatten() };
    let opened = opened.filter(|opened| store.knows(opened.marked.seq, &opened.marked.hash));
    if let Some(opened) = &opened
        && store.changes_after(opened.marked.seq, &opened.marked.away)?.is_empty()
    {
        return Ok(Drained::Done(0));
    }
    // Nothing is begun with a server that does not answer, and shelves of two lengths never meet.
    let dims = http.learn_dims()?;
    let fits = opened.is_some_and(|opened| opened.shelves().iter().all(|shelf| shelf.dims() == dims));
    let gate =
        Gated { http, leave: leaves(store)?, redact: Box::new(masking(store)), unknown: AtomicUsize::new(0) };
    let drained = index::drain(store, &gate, !fits, report)?;
    let unknown = gate.unknown.into_inner();
    if unknown > 0 {
        let text = format!(
            "{unknown} new texts came while the index was written and are found by words alone: run `agent-memory index rebuild`"
        );
        store.notice(CODE, text);
    }
    Ok(drained)
}

/// Which texts of memories may leave. One that any private memory has may not.
fn leaves(store: &mut Store) -> Result<HashMap<Hash, Leave>> {
    let mut leaves = HashMap::new();
    let mut see = |memory: &Memory| {
        let leave = leaves.entry(blake3::hash(meaning(memory).as_bytes())).or_insert(Leave::May);
        if Leave::of(memory) == Leave::Never {
            *leave = Leave::Never;
        }
    };
    let (head, _) = store.head();
    let away = store.each_entry(&mut |entry| {
        see(&entry.memory);
        Ok(())
    })?;
    // Looking at everything takes a while; what came meanwhile is looked at as well.
    store.freshen()?;
    let changes = store.changes_after(head, &Vec::from_iter(away))?;
    let ids = store.ids_of(&changes)?;
    store.each_current(&ids, &mut |entry| see(&entry.memory))?;
    Ok(leaves)
}

fn masked(store: &Store, text: &str) -> String {
    mask(store.config(), text.to_owned(), &mut Vec::new())
}

fn masking(store: &Store) -> impl Fn(&str) -> String + Send + Sync + 'static {
    let config = store.config().clone();
    move |text| mask(&config, text.to_owned(), &mut Vec::new())
}

/// What was had before, and nothing else.
struct Had<'a> {
    http: &'a Http,
    dims: usize,
    had: &'a HashMap<Hash, Option<Vec<f32>>>,
}

impl Embedder for Had<'_> {
    fn name(&self) -> &str {
        self.http.name()
    }

    fn dims(&self) -> usize {
        self.dims
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>> {
        let had = |text: &&str| self.had.get(&blake3::hash(text.as_bytes())).cloned().flatten();
        Ok(texts.iter().map(|text| had(text).unwrap_or_else(|| vec![0.0; self.dims])).collect())
    }
}

/// The server for texts that are known to be allowed to leave; all others are zero.
struct Gated<'a> {
    http: &'a Http,
    leave: HashMap<Hash, Leave>,
    redact: Box<dyn Fn(&str) -> String + Send + Sync>,
    /// Texts that were not there when it was decided which may leave.
    unknown: AtomicUsize,
}

impl Embedder for Gated<'_> {
    fn name(&self) -> &str {
        self.http.name()
    }

    fn dims(&self) -> usize {
        self.http.dims()
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>> {
        let sent: Vec<String> = texts
            .iter()
            .map(|text| match self.leave.get(&blake3::hash(text.as_bytes())) {
                Some(Leave::May) => (self.redact)(text),
                Some(Leave::Never) => String::new(),
                None => {
                    self.unknown.fetch_add(1, Ordering::Relaxed);
                    String::new()
                }
            })
            .collect();
        // Nothing is sent for a text without a word, and its vector is zero.
        self.http.embed(&sent.iter().map(String::as_str).collect::<Vec<_>>())
    }
}
