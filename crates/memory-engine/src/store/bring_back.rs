//! What upkeep took away comes back: memories into their files, and files with their first bytes.
//!
//! Whatever came since stays. A file has its first bytes again only where nothing else would be lost by that; where
//! something would, the memories come back among what is new, and any other file is left and named.

use std::collections::{HashMap, HashSet};

use memory_core::id::MemoryId;
use memory_core::layout::{self, Found, Home};

use super::archive::{Leaving, Manifest};
use super::batch::{Part, Whole, hex};
use super::reconcile::{Looked, Suspicion};
use super::write::op;
use super::{CONVERSATIONS, EVENTS, Restored, SNAPSHOTS, Store};
use crate::ambient;
use crate::disk::{Piece, Replaced, Stat, replace, take_away};
use crate::error::{Error, Result};
use crate::ledger::{OpKind, Payload};

impl Store {
    /// Brings the files of a batch back, or one memory out of them. Needs the lock.
    pub(super) fn bring_back(
        &mut self,
        batch: &str,
        manifest: &Manifest,
        only: Option<&MemoryId>,
        restored: &mut Restored,
    ) -> Result<()> {
        // Of several copies of one file the first is the oldest, so it comes last.
        for whole in manifest.files.iter().rev() {
            match Home::of_path(&whole.path) {
                Some(home) => self.bring_memories_back(batch, whole, &home, only, restored)?,
                None if only.is_none() => self.bring_file_back(batch, whole, restored)?,
                None => {}
            }
        }
        let mut seen = HashSet::new();
        restored.files.retain(|path| seen.insert(path.clone()));
        restored.files.reverse();
        Ok(())
    }

    fn bring_memories_back(
        &mut self,
        batch: &str,
        whole: &Whole,
        home: &Home,
        only: Option<&MemoryId>,
        restored: &mut Restored,
    ) -> Result<()> {
        let wanted: HashMap<&MemoryId, _> = whole
            .gone
            .iter()
            .filter(|gone| only.is_none_or(|id| gone.id == *id))
            .map(|gone| (&gone.id, gone.class))
            .collect();
        if wanted.is_empty() && only.is_some() {
            return Ok(());
        }
        let absent = whole.part == Part::Absent;
        let first = if absent { Vec::new() } else { self.archived_file(batch, whole)? };
        if let Looked::HandsOff(why) = self.reconcile_file(&whole.path, Suspicion::Apply)? {
            return Err(Error::Frozen { path: whole.path.clone(), why });
        }
        self.flush_for(&[&whole.path])?;
        let (now, _) = self.as_it_stands(home)?;
        let standing: HashSet<MemoryId> = now.iter().map(|found| found.memory.id.clone()).collect();
        let back = layout::read(home, &first).found;
        let at = ambient::now();
        let mut ops = Vec::new();
        let mut ids = Vec::new();
        for found in &back {
            let Some(class) = wanted.get(&found.memory.id) else { continue };
            let mut memory = found.memory.clone();
            if standing.contains(&memory.id) {
                restored.skipped.push(memory.id);
                continue;
            }
            memory.provenance.class = memory.provenance.class.min(*class);
            ids.push(memory.id.clone());
            let raw = first[found.place.bytes.clone()].to_vec();
            let id = memory.id.clone();
            ops.push(op(OpKind::Restore, at, &id, whole.path.clone(), Payload::Raw(Box::new(memory), raw)));
        }
        if only.is_none() {
            if self.set_back_at_once(whole, home, &first, &back, &now)? {
                restored.ids.extend(ids);
                restored.files.push(whole.path.clone());
                return Ok(());
            }
            let made: Vec<&Found> = now.iter().filter(|found| was_made(whole, found)).collect();
            let (_, bytes) = self.as_it_stands(home)?;
            let leaving: Vec<Leaving> = made
                .iter()
                .map(|found| Leaving {
                    memory: found.memory.clone(),
                    file: whole.path.clone(),
                    raw: bytes[found.place.bytes.clone()].to_vec(),
                })
                .collect();
            let archive = self.archive_entries("restore", &leaving)?.unwrap_or_default();
            restored.ids.retain(|id| !made.iter().any(|found| found.memory.id == *id));
            for found in made {
                let mut remove = op(OpKind::Remove, at, &found.memory.id, whole.path.clone(), Payload::None);
                remove.archive.clone_from(&archive);
                ops.push(remove);
            }
        }
        self.commit(ops)?;
        self.flush_for(&[&whole.path])?;
        restored.ids.extend(ids);
        if only.is_none() {
            self.set_first_bytes(whole, home, &first, &back, restored)?;
        }
        Ok(())
    }

    /// A journal's lines stand in the file of their day too, where they never left; its own file is set back as a
    /// whole, if nothing new stands in it.
    fn set_back_at_once(
        &mut self,
        whole: &Whole,
        home: &Home,
        first: &[u8],
        back: &[Found],
        now: &[Found],
    ) -> Result<bool> {
        if !matches!(home, Home::Journal | Home::LongTerm) {
            return Ok(false);
        }
        let known: HashSet<_> = back.iter().map(|found| (&found.memory.id, &found.memory.body)).collect();
        let news = |found: &&Found| {
            !known.contains(&(&found.memory.id, &found.memory.body)) && !was_made(whole, found)
        };
        if now.iter().any(|found| news(&found)) {
            return Ok(false);
        }
        if whole.part == Part::Absent {
            return self.take_whole(&whole.path);
        }
        self.put_whole(&whole.path, first)
    }

    /// Takes a memory file away that was not there before.
    fn take_whole(&mut self, path: &str) -> Result<bool> {
        let gone = match self.disk.stat(path)? {
            Some(stat) => take_away(&*self.disk, path, stat)?,
            None => true,
        };
        self.reconcile_file(path, Suspicion::Overruled)?;
        Ok(gone)
    }

    /// Gives a file its first bytes where it holds just what they hold.
    fn set_first_bytes(
        &mut self,
        whole: &Whole,
        home: &Home,
        first: &[u8],
        back: &[Found],
        restored: &mut Restored,
    ) -> Result<()> {
        let (now, bytes) = self.as_it_stands(home)?;
        let same = |a: &[Found], b: &[Found]| {
            let of = |all: &[Found]| -> HashMap<MemoryId, String> {
                all.iter().map(|it| (it.memory.id.clone(), it.memory.body.as_str().to_owned())).collect()
            };
            of(a) == of(b)
        };
        let absent = whole.part == Part::Absent;
        let done = match absent {
            true => now.is_empty() && self.take_whole(&whole.path)?,
            false => bytes == first || same(&now, back) && self.put_whole(&whole.path, first)?,
        };
        if done {
            restored.files.push(whole.path.clone());
        } else {
            let why = "it holds more by now; its memories are back among the new ones".to_owned();
            restored.left.push((whole.path.clone(), why));
        }
        Ok(())
    }

    /// Puts bytes in the place of a memory file that the catalogue knows, and has them read in.
    fn put_whole(&mut self, path: &str, bytes: &[u8]) -> Result<bool> {
        let expect = self.disk.stat(path)?;
        if expect.is_some() && self.ledger.file(path)?.map(|row| row.stat) != expect {
            return Ok(false);
        }
        let done = self.replace_plain(path, expect, bytes)?;
        self.reconcile_file(path, Suspicion::Overruled)?;
        self.flush_for(&[path])?;
        Ok(done)
    }

    pub(crate) fn replace_plain(&self, path: &str, expect: Option<Stat>, bytes: &[u8]) -> Result<bool> {
        let replaced = replace(&*self.disk, path, expect, &[Piece::Bytes(bytes.to_vec())])?;
        Ok(matches!(replaced, Replaced::Done(..)))
    }

    fn as_it_stands(&self, home: &Home) -> Result<(Vec<Found>, Vec<u8>)> {
        let bytes = self.disk.read(&home.path(), self.config.limits.file_bytes)?.unwrap_or_default();
        Ok((layout::read(home, &bytes).found, bytes))
    }

    fn bring_file_back(&mut self, batch: &str, whole: &Whole, restored: &mut Restored) -> Result<()> {
        if !is_ours_to_write(&whole.path) {
            let why = "the manifest names a file that upkeep never touches".to_owned();
            restored.left.push((whole.path.clone(), why));
            return Ok(());
        }
        let first = self.archived_file(batch, whole)?;
        let limit = self.config.limits.file_bytes.max(super::archive::LIMIT);
        let stat = self.disk.stat(&whole.path)?;
        let now = self.disk.read(&whole.path, limit)?;
        let fresh = match (whole.part, &now) {
            (Part::Absent, _) => None,
            (Part::Whole, Some(now)) if *now == first => None,
            (Part::Head, Some(now)) if now.starts_with(&first) => None,
            (Part::Head, _) => Some([first, now.unwrap_or_default()].concat()),
            (Part::Whole, None) => Some(first),
            (Part::Whole, Some(now)) if hex(now) == whole.left => Some(first),
            (Part::Whole, Some(_)) => {
                let why =
                    format!("it changed since; its first bytes are in `archive/{batch}/{}`", whole.bytes);
                restored.left.push((whole.path.clone(), why));
                return Ok(());
            }
        };
        match fresh {
            Some(bytes) if !self.replace_plain(&whole.path, stat, &bytes)? => {
                let why = "another program is writing it: repeat this".to_owned();
                restored.left.push((whole.path.clone(), why));
            }
            _ => restored.files.push(whole.path.clone()),
        }
        Ok(())
    }
}

/// Whether something in a file is what upkeep put there, word by word.
fn was_made(whole: &Whole, found: &Found) -> bool {
    let digest = || hex(found.memory.body.as_str().as_bytes());
    whole.made.iter().any(|made| made.id == found.memory.id && made.digest == digest())
}

/// The files beside memories that upkeep takes away or shortens; a manifest that names others is not ours.
fn is_ours_to_write(path: &str) -> bool {
    let plain = |name: &str| !name.is_empty() && !name.starts_with('.') && !name.contains(['/', '\\']);
    let in_folder = |folder: &str, ending: &str| {
        let name = path.strip_prefix(folder).and_then(|name| name.strip_prefix('/'));
        name.is_some_and(|name| plain(name) && name.ends_with(ending))
    };
    in_folder(CONVERSATIONS, ".json")
        || in_folder(SNAPSHOTS, ".json")
        || path == EVENTS
        || path == ".vault/experiences.jsonl"
        || plain(path) && (path.ends_with(".md") || path.ends_with(".md.bak"))
}
