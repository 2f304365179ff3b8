//! Forgetting for good: every byte of a memory that we can reach, and the names of the places that we cannot.

use memchr::memmem;
use memory_core::id::MemoryId;
use memory_core::layout::{self, Home};
use memory_core::memory::{Body, Memory};
use memory_core::retain::{is_compacted, is_summary, unquoted};

use super::forgotten::Stone;
use super::reconcile::memory_of;
use super::scrub::{Needles, needles};
use super::write::op;
use super::{OWN, Store};
use crate::ambient;
use crate::disk::{LEDGER, Sort};
use crate::error::Result;
use crate::ledger::{self, Burial, Durability, OpKind, Payload};

impl Store {
    /// Takes the texts of memories out of archive, ledger and our other files. They already left the files of memories. Gives
    /// the files of the root that still hold words of them, and the places that we cannot reach. `texts` are all wordings
    /// that are known.
    pub(super) fn purge(
        &mut self,
        ids: &[MemoryId],
        texts: &[String],
        stones: &[Stone],
    ) -> Result<(Vec<String>, Vec<String>)> {
        let needles = needles(texts);
        self.unquote(ids)?;
        self.strike_out(&needles)?;
        let mut unread = Vec::new();
        for id in ids {
            unread.extend(self.purge_archive(id)?);
        }
        unread.sort();
        unread.dedup();
        let at = ambient::now();
        self.ledger.commit(&*self.disk, Durability::Durable, |db| {
            for id in ids {
                ledger::trim_memory(db, id)?;
                match stones.iter().find(|stone| stone.id == *id) {
                    Some(stone) => stone.marked(texts).set(db, at, Burial::ForGood)?,
                    None => ledger::bury(db, id, at)?,
                }
            }
            Ok(())
        })?;
        self.ledger.scrub()?;
        let mut left: Vec<String> = unread
            .into_iter()
            .map(|batch| {
                format!(
                    "the archive batch `{batch}`, whose manifest cannot be read; look at it and delete it yourself"
                )
            })
            .collect();
        let mut seen = Seen::default();
        self.files_with(&needles, "", 0, &mut seen)?;
        let quoting = self.quoting(&needles)?;
        for file in &seen.holding {
            let named = self.entries_with(&needles, file)?;
            if named.is_empty() {
                left.push(format!(
                    "`{file}` in the memory folder still holds the text; edit or delete it yourself"
                ));
            }
            left.extend(named.iter().map(|id| {
                format!("the memory `{id}` in `{file}` holds the same words; edit it or forget it, too")
            }));
        }
        for (file, why) in &seen.unread {
            left.push(format!("`{file}` in the memory folder, which could not be looked into: {why}"));
        }
        for id in &quoting {
            left.push(format!(
                "a text of the memory `{id}` in the ledger; `agent-memory forget --hard {id}` takes it away"
            ));
        }
        let mut still_in = seen.holding;
        still_in.extend(seen.unread.into_iter().map(|(file, _)| file));
        if !quoting.is_empty() {
            still_in.push(format!("{OWN}/{}", LEDGER[0]));
        }
        if ids.iter().any(|id| id.millis().is_none() && !id.is_untracked()) {
            left.push("the id, which carries words of the title and stays in the ledger so that it is not given again".to_owned());
        }
        let inside_git = self.disk.root().ancestors().any(|folder| folder.join(".git").exists());
        if inside_git {
            left.push("the history of the git repository, if the file was ever committed".to_owned());
        }
        left.push("backups and synchronised copies of this folder made by other programs".to_owned());
        Ok((still_in, left))
    }

    /// What memories said before, as far as ledger and archive know it: a conversation may hold any of it.
    pub(super) fn wordings(&self, ids: &[MemoryId]) -> Result<Vec<(MemoryId, Memory)>> {
        let mut wordings = Vec::new();
        for id in ids {
            let ops = self.ledger.ops_of(id)?;
            let said = ops.iter().filter_map(|op| memory_of(&op.payload)).cloned();
            wordings.extend(said.map(|memory| (id.clone(), memory)));
        }
        for batch in self.batch_names()? {
            let Ok(Some(manifest)) = self.read_manifest(&batch) else { continue };
            for item in manifest.items.iter().filter(|item| ids.contains(&item.id)) {
                if let Ok((memory, _)) = self.archived_memory(&batch, item) {
                    wordings.push((item.id.clone(), memory));
                }
            }
            // Upkeep copies files whole, with what left them and with what stayed.
            for whole in &manifest.files {
                let Some(home) = Home::of_path(&whole.path) else { continue };
                let Ok(bytes) = self.archived_file(&batch, whole) else { continue };
                let found = layout::read(&home, &bytes).found.into_iter().map(|found| found.memory);
                let meant = found.filter(|memory| ids.contains(&memory.id));
                wordings.extend(meant.map(|memory| (memory.id.clone(), memory)));
            }
        }
        Ok(wordings)
    }

    /// Takes what summaries quote of memories out of them.
    fn unquote(&mut self, ids: &[MemoryId]) -> Result<()> {
        let files = self.ledger.files()?.into_iter().map(|file| file.path);
        let may_quote =
            |path: &String| matches!(Home::of_path(path), Some(Home::Vault { .. } | Home::LongTerm));
        let (mut changed, mut reworded) = (Vec::new(), Vec::new());
        for path in files.filter(may_quote).collect::<Vec<_>>() {
            let bytes = match self.disk.read(&path, self.config.limits.file_bytes) {
                // What it may still quote cannot be told, so it is said.
                Err(error) if error.is_of_one_file() => {
                    self.notice(
                        error.code(),
                        format!("{error}; it may still hold words of what was forgotten"),
                    );
                    continue;
                }
                bytes => bytes?.unwrap_or_default(),
            };
            if !ids.iter().any(|id| memmem::find(&bytes, format!("(id {id}").as_bytes()).is_some()) {
                continue;
            }
            let Some(held) = self.held(&path)? else { continue };
            for found in &held.found {
                if let Some(memory) = without_quotes(&held.path, &found.memory, ids) {
                    reworded.push((memory.id.clone(), found.memory.body.clone(), memory.body.clone()));
                    let payload = Payload::Memory(Box::new(memory));
                    changed.push(op(OpKind::Edit, ambient::now(), &found.memory.id, path.clone(), payload));
                }
            }
        }
        self.note_reworded(&reworded)?;
        let files: Vec<String> = changed.iter().map(|op| op.file.clone()).collect();
        self.commit(changed)?;
        self.flush_for(&files.iter().map(String::as_str).collect::<Vec<_>>())?;
        // The ledger still holds summaries as they were, also such as no longer stand.
        self.ledger.commit(&*self.disk, Durability::Durable, |db| {
            ids.iter().try_for_each(|id| ledger::drop_quotes(db, id))
        })
    }

    /// Looks for words in every file of the root but the ledger. What is not looked into is noted, so that it is told.
    fn files_with(&self, needles: &Needles, folder: &str, depth: usize, seen: &mut Seen) -> Result<()> {
        let names = match self.disk.list(folder) {
            Err(error) if error.is_of_one_file() => {
                seen.unread.push((folder.to_owned(), error.to_string()));
                return Ok(());
            }
            names => names?,
        };
        for name in names {
            let path = if folder.is_empty() { name.name.clone() } else { format!("{folder}/{}", name.name) };
            match name.sort {
                Sort::Folder if depth < DEEPEST => self.files_with(needles, &path, depth + 1, seen)?,
                Sort::Folder => seen.unread.push((path, "it lies too deep".to_owned())),
                Sort::File if folder == OWN && LEDGER.contains(&name.name.as_str()) => {}
                Sort::File => match self.disk.read(&path, self.config.limits.file_bytes) {
                    Ok(Some(bytes)) if needles.stand_in(&bytes) => {
                        seen.holding.push(path);
                    }
                    Ok(_) => {}
                    Err(error) => seen.unread.push((path, error.to_string())),
                },
                Sort::Other => {
                    let why = if name.is_unspelt() {
                        "its name is no text"
                    } else {
                        "it is a link, or no plain file"
                    };
                    seen.unread.push((path, why.to_owned()));
                }
            }
        }
        Ok(())
    }

    /// The memories of a file that hold words.
    fn entries_with(&mut self, needles: &Needles, path: &str) -> Result<Vec<MemoryId>> {
        if Home::of_path(path).is_none() {
            return Ok(Vec::new());
        }
        let held = self.held(path)?;
        let found = held.iter().flat_map(|held| &held.found).map(|found| &found.memory);
        let holds = |memory: &&Memory| {
            let title = memory.title.as_deref().unwrap_or_default().as_bytes();
            needles.stand_in(memory.body.as_str().as_bytes()) || needles.stand_in(title)
        };
        Ok(found.filter(holds).map(|memory| memory.id.clone()).collect())
    }

    /// The memories of which the ledger keeps a text that holds words.
    fn quoting(&self, needles: &Needles) -> Result<Vec<MemoryId>> {
        let mut ids = Vec::new();
        self.ledger.each_text(&mut |id, text| {
            if needles.stand_in(text) {
                ids.extend(MemoryId::parse(id).ok());
            }
        })?;
        ids.sort();
        ids.dedup();
        Ok(ids)
    }
}

/// Folders that lie deeper are not looked into.
const DEEPEST: usize = 8;

/// What a walk over the root found.
#[derive(Default)]
struct Seen {
    /// Files that hold the words.
    holding: Vec<String>,
    /// Files that could not be read, and why.
    unread: Vec<(String, String)>,
}

/// The words by which a memory is recognised: its text and its title.
pub(super) fn words_of(memory: &Memory) -> impl Iterator<Item = String> {
    let title = memory.title.clone().filter(|title| title.contains(char::is_whitespace));
    [memory.body.as_str().to_owned()].into_iter().chain(title)
}

/// A summary as it is without what it quotes of these memories, if it does.
pub(super) fn without_quotes(path: &str, memory: &Memory, ids: &[MemoryId]) -> Option<Memory> {
    if !is_compacted(memory) && path != Home::LongTerm.path() {
        return None;
    }
    let mut changed = memory.clone();
    for id in ids {
        // A block of long-term summaries has its heading apart, and a line in its place.
        let body = format!("{}\n{}", HEAD, changed.body.as_str());
        let text =
            if is_summary(&changed) { unquoted(changed.body.as_str(), id) } else { unquoted(&body, id) };
        if let Some(text) = text {
            changed.body = Body::new(text.strip_prefix(HEAD).unwrap_or(&text));
        }
        changed.provenance.lineage.retain(|known| known != id);
    }
    (changed.body != memory.body).then_some(changed)
}

/// A first line where there is none.
const HEAD: &str = "Summary:";
