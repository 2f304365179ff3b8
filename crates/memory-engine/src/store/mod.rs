//! The store: memory files and ledger as one thing. Memory files are written here and nowhere else.
//!
//! A write is one durable commit to the ledger; the markdown follows (`flush`), before the next answer that needs
//! it and at the latest when the store is closed. Readers see both as one. Whatever changed in the files behind
//! our back is found (`reconcile`) and taken over before anything is written.

mod admission;
mod anew;
mod archive;
mod aside;
mod batch;
mod boxes;
mod bring_back;
mod change;
mod changes;
mod conflict;
mod doubled;
mod elsewhere;
mod exchange;
mod flush;
mod forgotten;
mod found;
mod freshen;
mod heard;
mod lookup;
mod newest;
mod outcome;
mod past;
mod plan;
mod purge;
mod read;
mod reconcile;
mod scrub;
mod supersede;
mod tail;
#[cfg(test)]
mod tests;
mod tree;
mod unsaid;
mod worded;
mod write;

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use memory_core::admit::sameness;
use memory_core::config::Config;
use memory_core::id::{AgentId, Category, Key, MemoryId, Tag};
use memory_core::kind::Kind;
use memory_core::layout::Home;
use memory_core::memory::{Holds, Memory};
use memory_core::scope::{Audience, Scope};
use memory_core::time::Time;

use crate::ambient;
use crate::disk::{Disk, Stat};
use crate::error::{Error, Result};
use crate::ledger::{Ends, FileRow, Head, Ledger, Op, Payload};
use crate::paths::Token;

pub(crate) use anew::{owners_in, set_ledger_aside};
pub(crate) use archive::{ARCHIVE, Manifest, render_manifest};
pub(crate) use aside::AS_IT_STANDS;
pub(crate) use batch::{Batch, Copied, Part};
pub(crate) use doubled::is_apart;
pub(crate) use exchange::{Coming, Exchange, Held};
pub(crate) use newest::Gone;
pub use outcome::Outcome;
pub(crate) use reconcile::count_lines;
pub use supersede::{Supersede, Superseded};
use tail::Tail;
pub(crate) use unsaid::Unsaid;
pub(crate) use write::{LARGE, Prepared};

/// A memory and where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The memory.
    pub memory: Memory,
    /// Its file, relative to the root.
    pub file: String,
    /// The first line, counted from 1; 0 for one that stands in no file yet, and so are the other two.
    pub first_line: u64,
    /// The last line, included.
    pub last_line: u64,
    /// The line in which its text begins; the first one where that was not looked for.
    pub text_line: u64,
}

impl Entry {
    /// One that is durable and stands in no file yet.
    fn unwritten(memory: Memory, file: &str) -> Self {
        Self { memory, file: file.to_owned(), first_line: 0, last_line: 0, text_line: 0 }
    }

    /// The agent in whose vault it stands.
    pub fn agent(&self) -> Option<AgentId> {
        match Home::of_path(&self.file) {
            Some(Home::Vault { agent, .. }) => Some(agent),
            _ => None,
        }
    }

    /// The category of the vault in which it stands.
    pub fn category(&self) -> Option<Category> {
        match Home::of_path(&self.file) {
            Some(Home::Vault { category, .. }) => Some(category),
            _ => None,
        }
    }
}

/// Which memories are wanted. The default is all that a person may see.
#[derive(Debug, Clone, Default)]
#[expect(missing_docs, reason = "each field keeps only the memories that have this value")]
pub struct Filter {
    pub agent: Option<AgentId>,
    pub category: Option<Category>,
    pub kind: Option<Kind>,
    /// The word of the scope, such as `project`.
    pub scope: Option<String>,
    pub tag: Option<Tag>,
    pub since: Option<Time>,
    pub until: Option<Time>,
    /// Whether those count whose place a newer one took.
    pub holds: Holds,
    /// At most so many.
    pub limit: Option<usize>,
    /// Who is asking.
    pub audience: Audience,
}

/// What to change in a memory.
#[derive(Debug, Clone)]
pub enum Change {
    /// A new text; its `#tags` are taken again, tags given by hand stay.
    Text(String),
    /// New tags.
    Tags(Vec<Tag>),
}

/// What the editor believes to stand there.
#[derive(Debug, Clone)]
pub enum Expect {
    /// It does not matter.
    Anything,
    /// This text; anything else refuses the change.
    Text(String),
}

/// How to forget.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Forget {
    /// Into the archive, from where it can come back.
    Archive,
    /// Every byte, everywhere we can reach.
    Hard,
}

/// What was forgotten.
#[derive(Debug, Clone)]
pub struct Forgotten {
    /// The memories.
    pub ids: Vec<MemoryId>,
    /// The archive batch that holds them.
    pub archive: Option<String>,
    /// Files of the root that hold words of it and that are not ours to change.
    pub still_in: Vec<String>,
    /// Places that may still hold the text and that we cannot reach, a sentence each.
    pub unreachable: Vec<String>,
}

/// What came back from the archive.
#[derive(Debug, Clone)]
pub struct Restored {
    /// The memories that came back.
    pub ids: Vec<MemoryId>,
    /// Those that were there already.
    pub skipped: Vec<MemoryId>,
    /// The batch.
    pub archive: String,
    /// Files that have their first bytes again.
    pub files: Vec<String>,
    /// Files that stayed as they are, and why.
    pub left: Vec<(String, String)>,
}

/// A batch of the archive.
#[derive(Debug, Clone)]
pub struct ArchiveBatch {
    /// Its name, which is also its folder.
    pub name: String,
    /// Why it was made.
    pub reason: String,
    /// When.
    pub created: Time,
    /// What it holds.
    pub items: Vec<ArchivedItem>,
    /// The files that it holds whole.
    pub files: Vec<ArchivedFile>,
}

impl ArchiveBatch {
    /// How many memories it holds that left their files.
    pub fn memories(&self) -> usize {
        self.items.len() + self.files.iter().map(|file| file.memories).sum::<usize>()
    }
}

/// A file in the archive, as it was before upkeep.
#[derive(Debug, Clone)]
pub struct ArchivedFile {
    /// Where it stood.
    pub path: String,
    /// How many memories left it.
    pub memories: usize,
}

/// A memory in the archive.
#[derive(Debug, Clone)]
pub struct ArchivedItem {
    /// Its id.
    pub id: MemoryId,
    /// The file it stood in.
    pub file: String,
    /// Its title or first line.
    pub heading: String,
}

/// A version of a memory.
#[derive(Debug, Clone)]
pub struct Version {
    /// When it came to be.
    pub at: Time,
    /// What happened: `put`, `edit`, `remove`, `restore`, `found-new`, `found-edit` or `found-gone`.
    pub what: &'static str,
    /// The text, where it is still known.
    pub text: Option<String>,
    /// The archive batch that holds what this version replaced.
    pub archive: Option<String>,
    /// Whether this is what stands in the file now.
    pub current: bool,
}

/// How much an agent's vault holds.
#[derive(Debug, Clone)]
pub struct AgentCounts {
    /// The agent.
    pub agent: AgentId,
    /// How many memories each category holds.
    pub counts: Vec<(Category, u64)>,
    /// All together.
    pub total: u64,
}

/// Something a person should be told although the call worked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notice {
    /// A word for programs.
    pub code: &'static str,
    /// A sentence without a full stop.
    pub text: String,
}

/// The open store of one root. One thread at a time; the handle above serialises.
pub(crate) struct Store {
    disk: Arc<dyn Disk>,
    config: Config,
    ledger: Ledger,
    /// The token that the ledger must have.
    owner: Option<Token>,
    /// Whether the ledger can be written.
    writable: bool,
    seen: Head,
    settled: i64,
    tail: Tail,
    by_same: HashMap<[u8; 16], MemoryId>,
    /// The end of the log at which a question left what waits to the writer who was at it.
    left: Option<i64>,
    /// The end of the log at which what waits was last tried to be written.
    tried: Option<i64>,
    /// Files that differ from what the catalogue says and could not be taken over, as they stand.
    aside: Vec<aside::Aside>,
    /// Whether the files were looked at for what is asked now.
    looked: bool,
    last_flush: Instant,
    /// How long the last flush took, shared with the one who paces flushes.
    cost: Arc<AtomicU64>,
    notices: Vec<Notice>,
}

/// Where our own files are, inside the root.
pub(crate) const OWN: &str = ".vault";
/// Where conversations are.
pub(crate) const CONVERSATIONS: &str = "conversations";
/// Where snapshots are.
pub(crate) const SNAPSHOTS: &str = ".vault/checkpoints";
/// What happened, event by event.
pub(crate) const EVENTS: &str = "history/events.jsonl";

impl Store {
    /// Opens the store of a root, sets a damaged ledger aside, and reads in what the files hold if they are new.
    pub(crate) fn open(disk: Arc<dyn Disk>, config: Config, owner: Option<Token>) -> Result<Self> {
        let mut notices = Vec::new();
        let (ledger, writable, waiting) = anew::open_ledger(&disk, &config, owner.as_ref(), &mut notices)?;
        let mut store = Self {
            disk,
            config,
            ledger,
            owner,
            writable,
            seen: Head::default(),
            settled: 0,
            tail: Tail::default(),
            by_same: HashMap::new(),
            left: None,
            tried: None,
            aside: Vec::new(),
            looked: false,
            last_flush: Instant::now(),
            cost: Arc::new(AtomicU64::new(0)),
            notices,
        };
        store.refresh()?;
        if store.writable && store.seen.seq == 0 {
            // A new ledger knows nothing of files that were there before it.
            let _lock = store.lock()?;
            store.refresh()?;
            store.reconcile_all()?;
            store.take_up(waiting)?;
        }
        Ok(store)
    }

    /// Adds owners to the ledger; `false` where it cannot be written.
    pub(crate) fn add_owners(&mut self, owners: &[Token]) -> Result<bool> {
        if self.writable {
            self.ledger.add_owners(&*self.disk, owners)?;
        }
        Ok(self.writable)
    }

    /// Takes over what other processes committed since the last look.
    pub(crate) fn refresh(&mut self) -> Result<()> {
        let Ends { head, settled, holds } = self.ledger.ends()?;
        if head == self.seen && settled == self.settled {
            return Ok(());
        }
        if settled != self.settled || head.seq < self.seen.seq {
            self.tail = if holds { Tail::of(self.ledger.ops_held()?) } else { Tail::default() };
            if settled < head.seq {
                self.tail.extend(self.ledger.ops_after(settled)?);
            }
            self.index_tail();
        } else {
            let from = self.tail.len();
            self.tail.extend(
                self.ledger.ops_after(self.seen.seq)?.into_iter().filter(|op| op.seq > self.seen.seq),
            );
            let fresh: Vec<_> = self.tail[from..].iter().filter_map(same_of).collect();
            self.by_same.extend(fresh);
        }
        self.seen = head;
        self.settled = settled;
        Ok(())
    }

    fn index_tail(&mut self) {
        self.by_same = self.tail.iter().filter_map(same_of).collect();
    }

    pub(crate) fn lock(&self) -> Result<Box<dyn std::any::Any + Send>> {
        self.disk.lock(Duration::from_millis(self.config.limits.lock_wait_ms))
    }

    /// Whether operations wait to be written into the files.
    pub(crate) fn has_tail(&self) -> bool {
        self.tail.iter().any(|op| op.seq > self.settled)
    }

    /// How many operations wait for each file.
    pub(crate) fn waiting_counts(&self) -> Vec<(String, usize)> {
        let mut counts: Vec<(String, usize)> = Vec::new();
        for op in self.tail.iter().filter(|op| op.kind.changes_files()) {
            match counts.iter_mut().find(|(file, _)| *file == op.file) {
                Some((_, count)) => *count += 1,
                None => counts.push((op.file.clone(), 1)),
            }
        }
        counts
    }

    /// Whether operations gathered long enough: so long that writing files stays a small share of the work, whatever
    /// their size. The oldest may be another process's, which may no longer be there to write it.
    pub(crate) fn flush_is_due(&self) -> bool {
        let pace = pace(Duration::from_micros(self.cost.load(Ordering::Relaxed)));
        let waited = self.tail.first().map_or(0, |op| ambient::now().0 - op.at.0);
        let waited = Duration::from_millis(waited.unsigned_abs());
        self.tail.len() >= 4096 || waited >= pace || self.last_flush.elapsed() >= pace
    }

    pub(crate) fn take_notices(&mut self) -> Vec<Notice> {
        std::mem::take(&mut self.notices)
    }

    pub(crate) fn notice(&mut self, code: &'static str, text: String) {
        if !self.notices.iter().any(|known| known.code == code && known.text == text) {
            self.notices.push(Notice { code, text });
        }
    }

    pub(crate) fn disk(&self) -> &dyn Disk {
        &*self.disk
    }

    /// The disk for work that goes on while the store does other things.
    pub(crate) fn shared_disk(&self) -> Arc<dyn Disk> {
        self.disk.clone()
    }

    pub(crate) fn ledger(&self) -> &Ledger {
        &self.ledger
    }

    pub(crate) fn config(&self) -> &Config {
        &self.config
    }

    pub(crate) fn cost(&self) -> Arc<AtomicU64> {
        self.cost.clone()
    }
}

/// The pause between flushes when one costs so much.
pub(crate) fn pace(cost: Duration) -> Duration {
    (cost * 20).clamp(Duration::from_millis(20), Duration::from_secs(2))
}

fn same_of(op: &Op) -> Option<([u8; 16], MemoryId)> {
    match &op.payload {
        Payload::Memory(memory) if op.kind.changes_files() => {
            let same = op.marks.map(|marks| marks.same);
            let same = same.unwrap_or_else(|| sameness(&memory.scope, &memory.kind, &memory.body));
            Some((same, memory.id.clone()))
        }
        _ => None,
    }
}

/// Whether a file is certainly the one that the catalogue knows. A file written within the clock's grain of the
/// moment it was looked at may have changed since without looking so.
fn is_unchanged(row: &FileRow, stat: Option<Stat>) -> Sameness {
    match stat {
        Some(stat) if stat == row.stat => {
            // Where only whole seconds are kept, some disks keep only even ones.
            let grain_ms = if stat.modified_ns % 1_000_000_000 == 0 { 2000 } else { 50 };
            let racy = stat.modified_ns / 1_000_000 + grain_ms >= row.seen.0;
            if racy { Sameness::Unsure } else { Sameness::Same }
        }
        _ => Sameness::Different,
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sameness {
    Same,
    Unsure,
    Different,
}

fn key_fits(memory: &Memory, scope: &Scope, key: &Key) -> bool {
    memory.key.as_ref() == Some(key) && memory.scope == *scope
}

fn home_of(path: &str) -> Result<Home> {
    Home::of_path(path)
        .ok_or_else(|| Error::Broken { path: path.to_owned(), why: "it is no memory file".to_owned() })
}
