//! The calls of the double, each of which may fail or crash.

use std::any::Any;
use std::collections::BTreeSet;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::{FaultyDisk, Node, Renaming, Weakness, apply};
use crate::disk::{Disk, Name, Piece, Sort, Stat, Step, folder_of, too_large};
use crate::error::{Error, Result};

impl Disk for FaultyDisk {
    fn root(&self) -> &Path {
        Path::new("the-faulty-disk")
    }

    fn read(&self, path: &str, limit: u64) -> Result<Option<Vec<u8>>> {
        let state = self.call("read", path)?;
        let Some(node) = state.node(path) else { return Ok(None) };
        let bytes = &state.nodes[node].live;
        if bytes.len() as u64 > limit {
            return Err(too_large(path, bytes.len() as u64, limit));
        }
        Ok(Some(bytes.clone()))
    }

    fn read_range(&self, path: &str, range: Range<u64>) -> Result<Option<Vec<u8>>> {
        let all = self.read(path, u64::MAX)?;
        Ok(all.map(|bytes| {
            let end = bytes.len().min(usize::try_from(range.end).unwrap_or(usize::MAX));
            bytes[usize::try_from(range.start).unwrap_or(usize::MAX).min(end)..end].to_vec()
        }))
    }

    fn digest(&self, path: &str) -> Result<Option<[u8; 32]>> {
        Ok(self.read(path, u64::MAX)?.map(|bytes| *blake3::hash(&bytes).as_bytes()))
    }

    fn stat(&self, path: &str) -> Result<Option<Stat>> {
        let mut state = self.call("look at", path)?;
        let now = state.stat(path);
        if state.weakness == Some(Weakness::DigestCheck) {
            // Once a file was seen it looks the same until we replace it ourselves.
            if let Some(seen) = state.seen.get(path) {
                return Ok(Some(*seen));
            }
            if let Some(now) = now {
                state.seen.insert(path.to_owned(), now);
            }
        }
        Ok(now)
    }

    fn list(&self, folder: &str) -> Result<Vec<Name>> {
        let state = self.call("list", folder)?;
        let prefix = if folder.is_empty() { String::new() } else { format!("{folder}/") };
        let below =
            |path: &str| path.strip_prefix(&prefix).filter(|rest| !rest.is_empty()).map(str::to_owned);
        let files = state.names.keys().filter_map(|path| below(path)).filter(|rest| !rest.contains('/'));
        let mut names: Vec<Name> = files.map(|name| Name { name, sort: Sort::File }).collect();
        let folders = state.folders.iter().filter_map(|path| below(path));
        let tops: BTreeSet<String> =
            folders.filter_map(|rest| rest.split('/').next().map(str::to_owned)).collect();
        names.extend(tops.into_iter().map(|name| Name { name, sort: Sort::Folder }));
        Ok(names)
    }

    fn make_folder(&self, folder: &str) -> Result<()> {
        if folder.is_empty() || self.state().folders.contains(folder) {
            return Ok(());
        }
        let mut state = self.call("make", folder)?;
        let mut made = String::new();
        for part in folder.split('/') {
            if !made.is_empty() {
                made.push('/');
            }
            made.push_str(part);
            state.folders.insert(made.clone());
        }
        Ok(())
    }

    fn write(&self, path: &str, of: &str, pieces: &[Piece]) -> Result<[u8; 32]> {
        let mut state = self.call("write", path)?;
        let source = state.names.get(of).map(|&node| state.nodes[node].live.clone()).unwrap_or_default();
        let mut live = Vec::new();
        for piece in pieces {
            match piece {
                Piece::Bytes(bytes) => live.extend_from_slice(bytes),
                Piece::Copy(range) => {
                    let end = source.len().min(usize::try_from(range.end).unwrap_or(usize::MAX));
                    live.extend_from_slice(
                        &source[usize::try_from(range.start).unwrap_or(usize::MAX).min(end)..end],
                    );
                }
            }
        }
        let digest = *blake3::hash(&live).as_bytes();
        state.clock += 10_000_000;
        let modified = state.clock;
        state.nodes.push(Node { live, durable: None, modified });
        let node = state.nodes.len() - 1;
        state.rename(vec![(path.to_owned(), Some(node))]);
        Ok(digest)
    }

    fn append(&self, path: &str, bytes: &[u8]) -> Result<u64> {
        let mut state = self.call("write", path)?;
        state.clock += 10_000_000;
        let modified = state.clock;
        if let Some(&node) = state.names.get(path) {
            state.nodes[node].live.extend_from_slice(bytes);
            state.nodes[node].modified = modified;
        } else {
            state.nodes.push(Node { live: bytes.to_vec(), durable: None, modified });
            let node = state.nodes.len() - 1;
            state.rename(vec![(path.to_owned(), Some(node))]);
        }
        Ok(state.stat(path).map_or(0, |stat| stat.size))
    }

    fn sync(&self, path: &str) -> Result<()> {
        let mut state = self.call("sync", path)?;
        if state.weakness != Some(Weakness::FileSync)
            && let Some(&node) = state.names.get(path)
        {
            let live = state.nodes[node].live.clone();
            state.nodes[node].durable = Some(live);
        }
        Ok(())
    }

    fn sync_folder(&self, folder: &str) -> Result<()> {
        let mut state = self.call("sync", folder)?;
        let pending = std::mem::take(&mut state.pending);
        let inside = |renaming: &Renaming| renaming.0.iter().any(|(name, _)| folder_of(name) == folder);
        let (now, later): (Vec<_>, Vec<_>) = pending.into_iter().partition(inside);
        for Renaming(changes) in &now {
            apply(&mut state.durable_names, changes);
        }
        state.pending = later;
        Ok(())
    }

    fn exchange(&self, a: &str, b: &str) -> Result<bool> {
        let mut state = self.call("replace", b)?;
        let nodes = (state.names.get(a).copied(), state.names.get(b).copied());
        let (Some(first), Some(second)) = nodes else {
            return Err(Error::disk("replace", b)(io::ErrorKind::NotFound.into()));
        };
        state.rename(vec![(a.to_owned(), Some(second)), (b.to_owned(), Some(first))]);
        if state.weakness == Some(Weakness::DigestCheck) {
            let fresh = state.stat(b);
            let old = state.seen.remove(b);
            state.seen.extend(old.map(|stat| (a.to_owned(), stat)));
            state.seen.extend(fresh.map(|stat| (b.to_owned(), stat)));
        }
        Ok(true)
    }

    fn place(&self, from: &str, to: &str) -> Result<bool> {
        let mut state = self.call("replace", to)?;
        let free = !state.names.contains_key(to) || state.weakness == Some(Weakness::DigestCheck);
        if free { state.move_name(from, to).map(|()| true) } else { Ok(false) }
    }

    fn rename(&self, from: &str, to: &str) -> Result<()> {
        self.call("replace", to)?.move_name(from, to)
    }

    fn remove(&self, path: &str) -> Result<()> {
        if !self.state().names.contains_key(path) {
            return Ok(());
        }
        let mut state = self.call("remove", path)?;
        state.rename(vec![(path.to_owned(), None)]);
        state.seen.remove(path);
        Ok(())
    }

    fn remove_folder(&self, folder: &str) -> Result<()> {
        self.call("remove", folder)?.folders.remove(folder);
        Ok(())
    }

    fn lock(&self, wait: Duration) -> Result<Box<dyn Any + Send>> {
        let start = std::time::Instant::now();
        let me = std::thread::current().id();
        let mut state = self.call("lock", ".vault/lock")?;
        if state.weakness == Some(Weakness::Lock) {
            return Ok(Box::new(()));
        }
        while let Some(owner) = state.locked {
            // A hook runs in the thread that it interrupts, which cannot give the lock back meanwhile.
            if owner == me || start.elapsed() >= wait {
                return Err(Error::Locked { path: "the-faulty-disk".into(), waited_ms: 0 });
            }
            drop(state);
            std::thread::sleep(Duration::from_micros(200));
            state = self.state();
        }
        state.locked = Some(me);
        Ok(Box::new(Unlock(self.clone())))
    }

    fn elect(&self, name: &str) -> Result<Option<Box<dyn Any + Send>>> {
        let mut state = self.call("lock", name)?;
        if !state.elected.insert(name.to_owned()) {
            return Ok(None);
        }
        Ok(Some(Box::new(Unelect(self.clone(), name.to_owned()))))
    }

    fn ledger(&self) -> PathBuf {
        self.ledger.clone()
    }

    fn index(&self) -> PathBuf {
        self.ledger.with_file_name("index")
    }

    fn pause(&self, _time: Duration) {}

    fn step(&self, step: Step) -> Result<()> {
        let files = if step == Step::BeforeCommit { Vec::new() } else { self.ledger_files() };
        {
            let mut state = self.state();
            match step {
                Step::BeforeCommit => {}
                _ if state.crashed => {}
                Step::Committed if state.weakness == Some(Weakness::LedgerSync) => state.derived = files,
                Step::Committed => {
                    state.commits += 1;
                    state.image = files;
                    state.derived = Vec::new();
                }
                Step::Derived => state.derived = files,
            }
        }
        self.call("commit", "ledger").map(|_| ())
    }
}

struct Unelect(FaultyDisk, String);

impl Drop for Unelect {
    fn drop(&mut self) {
        self.0.state().elected.remove(&self.1);
    }
}

struct Unlock(FaultyDisk);

impl Drop for Unlock {
    fn drop(&mut self) {
        self.0.state().locked = None;
    }
}
