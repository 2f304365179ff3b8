//! The scan: what is remembered, looked at as a whole. It names memories that contradict each other, that nearly say
//! the same, that have grown old, and that name code which is no longer as it was. It changes no memory.

mod baseline;
mod code;
mod dismissed;
mod repository;

use std::collections::HashSet;
use std::ops::ControlFlow;

use memory_core::id::MemoryId;
use memory_core::integrity::{
    Anchor, Contradiction, Gist, NEAR, Verdict, candidates, contradictions, days_stale,
};
use memory_core::kind::Kind;
use memory_core::memory::{Holds, Memory};
use memory_core::scope::Audience;

use self::baseline::Baseline;
use self::dismissed::Dismissed;
use self::repository::Repository;
use crate::ambient;
use crate::error::{Error, Result};
use crate::model::Table;
use crate::store::{Entry, Filter, Store};

/// What a scan looks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Look {
    /// Memories that cannot both hold.
    Contradiction,
    /// Memories that nobody changed for long.
    Stale,
    /// Memories that nearly say the same.
    Duplicate,
    /// Memories that name code which is not as it was.
    Code,
}

impl Look {
    /// All of them, in the order in which they are told.
    pub const ALL: [Self; 4] = [Self::Contradiction, Self::Code, Self::Duplicate, Self::Stale];

    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Contradiction => "contradiction",
            Self::Stale => "stale",
            Self::Duplicate => "duplicate",
            Self::Code => "code",
        }
    }
}

/// What a scan found.
#[derive(Debug, Clone, Default)]
pub struct Scanned {
    /// How many memories were looked at.
    pub memories: usize,
    /// Names of code that are as they were.
    pub fresh: usize,
    /// Memories that cannot both hold.
    pub contradictions: Vec<Proposal>,
    /// Memories that name code which is not as it was.
    pub code: Vec<CodeFinding>,
    /// Memories that nearly say the same, the older first.
    pub duplicates: Vec<(Entry, Entry)>,
    /// Memories that have grown old, the oldest first.
    pub stale: Vec<Aged>,
}

impl Scanned {
    /// What this asker may see of it.
    pub(crate) fn seen_by(mut self, audience: &Audience) -> Self {
        let sees = |entry: &Entry| sees(audience, entry);
        self.contradictions.retain(|it| it.may_be_seen(audience));
        self.code.retain(|it| sees(&it.entry));
        self.duplicates.retain(|(old, new)| sees(old) && sees(new));
        self.stale.retain(|it| sees(&it.entry));
        self
    }

    /// How much was found.
    pub fn count(&self) -> usize {
        self.contradictions.len() + self.code.len() + self.duplicates.len() + self.stale.len()
    }
}

/// Two memories of which the newer may take the place of the older. Nothing is done about it unasked.
#[derive(Debug, Clone)]
pub struct Proposal {
    /// A name for it that stays as long as both say what they say.
    pub key: String,
    /// The older one.
    pub old: Entry,
    /// The newer one.
    pub new: Entry,
    /// What both are about, why they cannot both hold, and the sentences that say so.
    pub what: Contradiction,
}

impl Proposal {
    /// Whether an asker may see both.
    pub(crate) fn may_be_seen(&self, audience: &Audience) -> bool {
        sees(audience, &self.old) && sees(audience, &self.new)
    }
}

fn sees(audience: &Audience, entry: &Entry) -> bool {
    audience.may_see(&entry.memory.scope, entry.memory.provenance.sensitivity)
}

/// A memory that names code which is not as it was.
#[derive(Debug, Clone)]
pub struct CodeFinding {
    /// The memory.
    pub entry: Entry,
    /// What it names.
    pub anchor: Anchor,
    /// What became of that.
    pub verdict: Verdict,
}

/// A memory that has grown old.
#[derive(Debug, Clone)]
pub struct Aged {
    /// The memory.
    pub entry: Entry,
    /// For how many days nobody changed it.
    pub days: i64,
}

/// More memories are not compared by meaning with each other, only by words.
const MOST_BY_MEANING: usize = 3000;

/// Looks at everything that holds now.
pub(crate) fn scan(store: &mut Store, looks: &[Look]) -> Result<Scanned> {
    let entries = holding(store)?;
    let wants = |look: Look| looks.contains(&look);
    let now = ambient::now();
    let mut found = Scanned { memories: entries.len(), ..Scanned::default() };
    let all = if wants(Look::Contradiction) || wants(Look::Duplicate) {
        contradicting(&entries)
    } else {
        Vec::new()
    };
    if wants(Look::Duplicate) {
        let apart: HashSet<(usize, usize)> =
            all.iter().map(|it| (it.old.min(it.new), it.old.max(it.new))).collect();
        found.duplicates = duplicates(&entries, &apart);
    }
    if wants(Look::Contradiction) {
        found.contradictions = proposals(store, &entries, all)?;
    }
    let mut verified = HashSet::new();
    let mut baseline = Baseline::default();
    if wants(Look::Code) || wants(Look::Stale) {
        let root = store.disk().root().to_owned();
        let repository = Repository::new(root.parent().unwrap_or(&root), &root);
        baseline = Baseline::load(store.disk())?;
        baseline.keep_confirmed(&entries.iter().map(|entry| &entry.memory.id).collect());
        let checked = code::check(&entries, &repository, &mut baseline, now);
        save(store, &baseline)?;
        verified = checked.verified;
        found.fresh = checked.fresh;
        found.code = if wants(Look::Code) { checked.findings } else { Vec::new() };
    }
    if wants(Look::Stale) {
        let limit = store.config().scan.stale_days;
        let aged = entries.iter().filter_map(|entry| {
            let mut memory = entry.memory.clone();
            memory.updated = baseline.confirmed(&memory).map_or(memory.updated, |at| at.max(memory.updated));
            days_stale(&memory, now, limit).map(|days| Aged { entry: entry.clone(), days })
        });
        found.stale = code::still_verified(aged.collect(), &verified);
        found.stale.sort_by_key(|aged| std::cmp::Reverse(aged.days));
    }
    Ok(found)
}

/// What newer memories contradict, without what a person turned down.
pub(crate) fn review(store: &mut Store) -> Result<Vec<Proposal>> {
    let entries = holding(store)?;
    let all = contradicting(&entries);
    proposals(store, &entries, all)
}

/// Remembers that proposals were turned down.
pub(crate) fn dismiss(store: &mut Store, keys: &[String]) -> Result<()> {
    let _lock = store.lock()?;
    Dismissed::add(store.disk(), keys)
}

/// A person looked at these memories: they are as good as new, and the code that they name is taken as it is now.
pub(crate) fn confirm(store: &mut Store, ids: &[MemoryId]) -> Result<usize> {
    let mut baseline = Baseline::load(store.disk())?;
    let now = ambient::now();
    for id in ids {
        baseline.confirm(&store.show(id)?.memory, now);
    }
    save(store, &baseline)?;
    let found = scan(store, &[Look::Code])?;
    Ok(found.code.iter().filter(|it| ids.contains(&it.entry.memory.id)).count())
}

/// The cache is written under the lock; where nothing can be written, the scan does without.
fn save(store: &mut Store, baseline: &Baseline) -> Result<()> {
    if !baseline.changed {
        return Ok(());
    }
    let saved = store.lock().and_then(|_lock| baseline.save(store.disk()));
    match saved {
        Err(error) if error.is_unwritable() || matches!(error, Error::Locked { .. }) => {
            store.notice(error.code(), format!("{error}; how code looks now is not noted"));
            Ok(())
        }
        other => other,
    }
}

fn holding(store: &mut Store) -> Result<Vec<Entry>> {
    let filter = Filter { holds: Holds::Now, ..Filter::default() };
    let mut all = Vec::new();
    store.each(&filter, &mut |entry| {
        all.push(entry);
        Ok(ControlFlow::Continue(()))
    })?;
    store.date_by_hand(&mut all)?;
    Ok(all)
}

fn contradicting(entries: &[Entry]) -> Vec<Contradiction> {
    let memories: Vec<&Memory> = entries.iter().map(|entry| &entry.memory).collect();
    contradictions(&memories)
}

fn proposals(store: &Store, entries: &[Entry], all: Vec<Contradiction>) -> Result<Vec<Proposal>> {
    let dismissed = Dismissed::load(store.disk())?;
    let mut proposals: Vec<Proposal> = Vec::new();
    for what in all {
        let (old, new) = (&entries[what.old], &entries[what.new]);
        let key = key_of(&what, old, new);
        if !dismissed.has(&key) {
            proposals.push(Proposal { key, old: old.clone(), new: new.clone(), what });
        }
    }
    proposals.sort_by_key(|it| (std::cmp::Reverse(it.new.memory.created), it.key.clone()));
    Ok(proposals)
}

fn key_of(what: &Contradiction, old: &Entry, new: &Entry) -> String {
    let mut hash = blake3::Hasher::new();
    for part in [old.memory.id.as_str(), new.memory.id.as_str(), &what.old_says, &what.new_says] {
        hash.update(part.as_bytes());
        hash.update(&[0]);
    }
    hash.finalize().to_hex()[..16].to_owned()
}

fn duplicates(entries: &[Entry], apart: &HashSet<(usize, usize)>) -> Vec<(Entry, Entry)> {
    let tells = |entry: &Entry| {
        matches!(entry.memory.kind, Kind::Handoff | Kind::Summary) || entry.memory.kind.word() == "turn"
    };
    let gists: Vec<Gist> = entries
        .iter()
        .map(|entry| if tells(entry) { Gist::default() } else { Gist::of(entry.memory.body.as_str()) })
        .collect();
    let table = Table::built_in();
    let vectors: Vec<Vec<f32>> = match entries.len() <= MOST_BY_MEANING {
        true => entries.iter().map(|entry| table.vector(entry.memory.body.as_str())).collect(),
        false => Vec::new(),
    };
    let near = |a: usize, b: usize| {
        let (a, b) = (vectors.get(a)?, vectors.get(b)?);
        Some(a.iter().zip(b).map(|(x, y)| x * y).sum::<f32>())
    };
    let mut pairs = candidates(&gists);
    for a in 0..vectors.len() {
        pairs.extend((a + 1..vectors.len()).filter(|&b| near(a, b) >= Some(NEAR)).map(|b| (a, b)));
    }
    pairs.sort_unstable();
    pairs.dedup();
    let alike = pairs.into_iter().filter(|&(a, b)| {
        let same_place = entries[a].memory.id == entries[b].memory.id;
        !same_place && !apart.contains(&(a, b)) && gists[a].is_like(&gists[b], near(a, b))
    });
    alike
        .map(|(a, b)| {
            let (a, b) = (entries[a].clone(), entries[b].clone());
            if a.memory.created <= b.memory.created { (a, b) } else { (b, a) }
        })
        .collect()
}
