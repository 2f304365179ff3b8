//! A disk in memory that fails or crashes at any call, and after a crash forgets what was not synced.
//!
//! Bytes survive only after [`Disk::sync`], names only after [`Disk::sync_folder`], the ledger only after a
//! committed step. A reboot keeps a random legal part of the rest: a file as it was, torn, or whole; the names of
//! a folder up to some point of their history. A [`Weakness`] switches one protection off, to prove that the
//! tests notice. The ledger's database is a real file in a folder of its own.

#![expect(clippy::disallowed_methods, reason = "the double keeps images of the ledger's real file")]

mod calls;

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::{Stat, folder_of};
use crate::error::{Error, Result};

/// What happens at the chosen call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// This call fails with this error, later ones work.
    Fail(io::ErrorKind),
    /// This call and all later ones fail, as if the power had gone before it.
    Crash,
}

/// A protection that is switched off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Weakness {
    /// A commit of the ledger does not survive a crash.
    LedgerSync,
    /// Bytes of files do not survive a crash.
    FileSync,
    /// The lock is given to everyone.
    Lock,
    /// Files always look unchanged just before they are replaced.
    DigestCheck,
}

/// What a hook does to the disk in the middle of somebody else's work.
pub type Hook = Box<dyn FnOnce(&FaultyDisk) + Send>;

/// The double. Clones share one disk, as two processes would.
#[derive(Clone)]
pub struct FaultyDisk {
    state: Arc<Mutex<State>>,
    ledger: PathBuf,
}

#[derive(Default)]
struct State {
    nodes: Vec<Node>,
    names: BTreeMap<String, usize>,
    folders: BTreeSet<String>,
    elected: BTreeSet<String>,
    durable_names: BTreeMap<String, usize>,
    /// Changes of names since the last sync of their folder, in order.
    pending: Vec<Renaming>,
    commits: usize,
    calls: usize,
    fault: Option<(usize, Fault)>,
    hook: Option<(usize, Hook)>,
    crashed: bool,
    weakness: Option<Weakness>,
    folds_case: bool,
    locked: Option<std::thread::ThreadId>,
    clock: i64,
    image: Vec<(String, Vec<u8>)>,
    derived: Vec<(String, Vec<u8>)>,
    seen: BTreeMap<String, Stat>,
}

#[derive(Default, Clone)]
struct Node {
    live: Vec<u8>,
    durable: Option<Vec<u8>>,
    modified: i64,
}

/// Names that change together or not at all: each becomes a node or goes away.
#[derive(Clone)]
struct Renaming(Vec<(String, Option<usize>)>);

impl FaultyDisk {
    /// An empty disk; the ledger's file lives in `ledger_folder`.
    pub fn new(ledger_folder: &Path) -> Self {
        let state = State { clock: crate::ambient::now().0 * 1_000_000, ..State::default() };
        Self { state: Arc::new(Mutex::new(state)), ledger: ledger_folder.join("ledger.db") }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lets the call with this number, counted from now, go wrong.
    pub fn arm(&self, call: usize, fault: Fault) {
        let mut state = self.state();
        let at = state.calls + call;
        state.fault = Some((at, fault));
    }

    /// Runs something in the middle of the call with this number, counted from now.
    pub fn interrupt(&self, call: usize, hook: Hook) {
        let mut state = self.state();
        let at = state.calls + call;
        state.hook = Some((at, hook));
    }

    /// Forgets faults and hooks that have not happened.
    pub fn disarm(&self) {
        let mut state = self.state();
        state.fault = None;
        state.hook = None;
    }

    /// Another process begins after a crash that only ended the last one: everything that was done stands.
    pub fn go_on(&self) {
        let mut state = self.state();
        (state.crashed, state.fault, state.locked) = (false, None, None);
        state.elected.clear();
    }

    /// How many commits were made durable.
    pub fn commits(&self) -> usize {
        self.state().commits
    }

    /// Switches a protection off.
    pub fn weaken(&self, weakness: Weakness) {
        self.state().weakness = Some(weakness);
    }

    /// From now on names answer in upper and lower case alike, though they are listed as they are spelt.
    pub fn fold_case(&self) {
        self.state().folds_case = true;
    }

    /// How many calls were made.
    pub fn calls(&self) -> usize {
        self.state().calls
    }

    /// Whether the armed crash has happened.
    pub fn crashed(&self) -> bool {
        self.state().crashed
    }

    /// Writes a file as an editor would, without asking anyone. A program's save in place keeps the node.
    pub fn edit(&self, path: &str, bytes: &[u8], in_place: bool) {
        let mut state = self.state();
        state.clock += 10_000_000;
        let modified = state.clock;
        match state.names.get(path).copied().filter(|_| in_place) {
            Some(node) => {
                state.nodes[node].live = bytes.to_vec();
                state.nodes[node].modified = modified;
            }
            None => {
                state.nodes.push(Node { live: bytes.to_vec(), durable: Some(bytes.to_vec()), modified });
                let node = state.nodes.len() - 1;
                state.names.insert(path.to_owned(), node);
                state.durable_names.insert(path.to_owned(), node);
                state.folders.insert(folder_of(path).to_owned());
            }
        }
    }

    /// What a reader outside sees.
    pub fn cat(&self, path: &str) -> Option<Vec<u8>> {
        let state = self.state();
        state.names.get(path).map(|&node| state.nodes[node].live.clone())
    }

    /// The disk after the power came back, with its ledger in a new folder. The seed chooses what survived.
    pub fn reboot(&self, ledger_folder: &Path, seed: u64) -> Self {
        let old = self.state();
        let mut dice = Dice(seed | 1);
        let mut names = old.durable_names.clone();
        let keep = dice.below(old.pending.len() + 1);
        for Renaming(changes) in &old.pending[..keep] {
            apply(&mut names, changes);
        }
        let mut nodes = old.nodes.clone();
        for node in &mut nodes {
            let durable = node.durable.clone().unwrap_or_default();
            if node.durable.as_ref() != Some(&node.live) {
                node.live = match dice.below(3) {
                    0 => durable,
                    1 => {
                        // What was synced before more was added to its end does not tear.
                        let least = if node.live.starts_with(&durable) { durable.len() } else { 0 };
                        node.live[..least + dice.below(node.live.len() - least + 1)].to_vec()
                    }
                    _ => node.live.clone(),
                };
            }
            node.durable = Some(node.live.clone());
        }
        let image = if dice.below(2) == 0 && !old.derived.is_empty() { &old.derived } else { &old.image };
        for (name, bytes) in image {
            // A ledger that cannot be written back would fail every check that follows.
            let _ = std::fs::write(ledger_folder.join(name), bytes);
        }
        let state = State {
            nodes,
            durable_names: names.clone(),
            names,
            folders: old.folders.clone(),
            weakness: old.weakness,
            clock: old.clock + 1_000_000_000,
            image: image.clone(),
            ..State::default()
        };
        Self { state: Arc::new(Mutex::new(state)), ledger: ledger_folder.join("ledger.db") }
    }

    /// Counts a call, lets the armed thing happen, and refuses everything after a crash.
    fn call(&self, action: &'static str, path: &str) -> Result<MutexGuard<'_, State>> {
        let mut state = self.state();
        let number = state.calls;
        state.calls += 1;
        // In the middle of a commit nobody else can write the ledger either, so a hook waits for the next call.
        if action != "commit"
            && state.hook.as_ref().is_some_and(|(at, _)| *at <= number)
            && let Some((_, hook)) = state.hook.take()
        {
            drop(state);
            hook(self);
            state = self.state();
        }
        if let Some((at, fault)) = state.fault
            && at == number
        {
            match fault {
                Fault::Crash => state.crashed = true,
                Fault::Fail(kind) => return Err(Error::disk(action, path)(kind.into())),
            }
        }
        if state.crashed {
            return Err(Error::disk(action, path)(io::Error::other("the power is gone")));
        }
        Ok(state)
    }

    fn ledger_files(&self) -> Vec<(String, Vec<u8>)> {
        let names = ["ledger.db", "ledger.db-wal"];
        let folder = self.ledger.parent().unwrap_or(Path::new(""));
        names
            .iter()
            .filter_map(|name| Some(((*name).to_owned(), std::fs::read(folder.join(name)).ok()?)))
            .collect()
    }
}

fn apply(names: &mut BTreeMap<String, usize>, changes: &[(String, Option<usize>)]) {
    for (name, node) in changes {
        match node {
            Some(node) => names.insert(name.clone(), *node),
            None => names.remove(name),
        };
    }
}

impl State {
    fn rename(&mut self, changes: Vec<(String, Option<usize>)>) {
        apply(&mut self.names, &changes);
        self.pending.push(Renaming(changes));
    }

    fn move_name(&mut self, from: &str, to: &str) -> Result<()> {
        let Some(node) = self.names.get(from).copied() else {
            return Err(Error::disk("replace", to)(io::ErrorKind::NotFound.into()));
        };
        self.rename(vec![(from.to_owned(), None), (to.to_owned(), Some(node))]);
        self.seen.remove(to);
        Ok(())
    }

    /// The file that answers to a name.
    fn node(&self, path: &str) -> Option<usize> {
        let folded = |name: &&String| self.folds_case && name.eq_ignore_ascii_case(path);
        let other = || self.names.keys().find(folded).and_then(|name| self.names.get(name));
        self.names.get(path).or_else(other).copied()
    }

    fn stat(&self, path: &str) -> Option<Stat> {
        let node = self.node(path)?;
        let found = &self.nodes[node];
        Some(Stat { size: found.live.len() as u64, modified_ns: found.modified, inode: node as u64 + 1 })
    }
}

/// A small repeatable source of choices.
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 11).unwrap_or(0) % limit.max(1)
    }
}
