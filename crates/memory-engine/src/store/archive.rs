//! The archive: whatever leaves a file goes here first, byte for byte, and can come back.
//!
//! `archive/<batch>/manifest.json` says what a batch holds and why; the entries lie beside it as numbered files
//! with the bytes they had. A batch is synced before the operation that refers to it is committed.

use memory_core::id::MemoryId;
use memory_core::layout::{self, Change, Home};
use memory_core::memory::Memory;
use memory_core::scope::{Audience, SourceClass};
use memory_core::time::Time;
use serde::{Deserialize, Serialize};

use super::batch::Whole;
use super::{ArchiveBatch, ArchivedFile, ArchivedItem, Store};
use crate::ambient;
use crate::disk::{Sort, write_whole};
use crate::error::{Error, Result};

/// The folder of the archive.
pub(crate) const ARCHIVE: &str = "archive";
const MANIFEST: &str = "manifest.json";
pub(super) const LIMIT: u64 = 64 << 20;

/// What a batch says of itself.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Manifest {
    pub(crate) version: u32,
    pub(crate) created_at: String,
    pub(crate) reason: String,
    pub(crate) items: Vec<Item>,
    /// Files as they were before upkeep changed them or took them away.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) files: Vec<Whole>,
    /// BLAKE3 of the manifest with an empty seal, so that a changed byte shows.
    #[serde(default)]
    pub(crate) seal: String,
}

/// One entry of a batch.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Item {
    pub(crate) id: MemoryId,
    pub(crate) file: String,
    pub(crate) heading: String,
    /// How its words were trusted when they left; coming back does not raise it.
    #[serde(default = "least_trusted")]
    pub(crate) class: SourceClass,
    /// The file in the batch with the entry's bytes.
    pub(crate) bytes: String,
    /// BLAKE3 of those bytes.
    pub(crate) digest: String,
}

/// A manifest that does not say how its words were trusted was not written by us.
fn least_trusted() -> SourceClass {
    SourceClass::Untrusted
}

/// Where a memory is in the archive.
#[derive(Debug, Default)]
pub(super) struct Newest {
    /// The newest batch that holds it.
    pub(super) batch: Option<String>,
    /// Why one that is newer, and may hold it too, cannot be read.
    pub(super) unread: Option<Error>,
}

/// An entry on its way into the archive.
pub(crate) struct Leaving {
    pub(crate) memory: Memory,
    pub(crate) file: String,
    pub(crate) raw: Vec<u8>,
}

impl Store {
    /// Writes a batch and gives its name; `None` when there is nothing to keep.
    pub(crate) fn archive_entries(&self, reason: &str, leaving: &[Leaving]) -> Result<Option<String>> {
        if leaving.is_empty() {
            return Ok(None);
        }
        let now = ambient::now();
        let name = self.free_name(reason, now)?;
        let folder = format!("{ARCHIVE}/{name}");
        let mut items = Vec::with_capacity(leaving.len());
        for (n, entry) in leaving.iter().enumerate() {
            let bytes = format!("{:04}.md", n + 1);
            write_whole(self.disk(), &format!("{folder}/{bytes}"), &entry.raw)?;
            items.push(Item {
                id: entry.memory.id.clone(),
                file: entry.file.clone(),
                heading: heading_for_all(&entry.memory),
                class: entry.memory.provenance.class,
                bytes,
                digest: blake3::hash(&entry.raw).to_hex().to_string(),
            });
        }
        let manifest = Manifest {
            version: 1,
            created_at: now.iso(),
            reason: reason.to_owned(),
            items,
            files: Vec::new(),
            seal: String::new(),
        };
        self.write_manifest(&name, &manifest)?;
        self.disk().sync_folder(ARCHIVE)?;
        Ok(Some(name))
    }

    /// Archives memories of which only the text is known, as the entries they would be.
    pub(crate) fn archive_memories(
        &self,
        reason: &str,
        home: &Home,
        memories: &[Memory],
    ) -> Result<Option<String>> {
        let leaving: Vec<Leaving> = memories
            .iter()
            .map(|memory| Leaving {
                memory: memory.clone(),
                file: home.path(),
                raw: if memory.id.is_untracked() {
                    memory.body.as_str().as_bytes().to_vec()
                } else {
                    layout::apply(b"", &layout::splice(home, b"", &[Change::Put(memory)]))
                },
            })
            .collect();
        self.archive_entries(reason, &leaving)
    }

    pub(super) fn free_name(&self, reason: &str, now: Time) -> Result<String> {
        let base = format!("{reason}-{}", now.stamp());
        let taken: Vec<String> = self.disk().list(ARCHIVE)?.into_iter().map(|name| name.name).collect();
        let mut name = base.clone();
        let mut n = 1;
        while taken.contains(&name) {
            n += 1;
            name = format!("{base}-{n}");
        }
        Ok(name)
    }

    pub(crate) fn write_manifest(&self, name: &str, manifest: &Manifest) -> Result<()> {
        let path = format!("{ARCHIVE}/{name}/{MANIFEST}");
        let broken = || Error::Broken { path: path.clone(), why: "it cannot be written as JSON".to_owned() };
        let bytes = render_manifest(manifest).ok_or_else(broken)?;
        write_whole(self.disk(), &path, &bytes)
    }

    pub(crate) fn read_manifest(&self, name: &str) -> Result<Option<Manifest>> {
        let path = format!("{ARCHIVE}/{name}/{MANIFEST}");
        let Some(bytes) = self.disk().read(&path, LIMIT)? else { return Ok(None) };
        let why = |error: serde_json::Error| Error::Broken { path: path.clone(), why: error.to_string() };
        serde_json::from_slice(&bytes).map(Some).map_err(why)
    }

    /// Of a memory that stands nowhere: where in the archive it is, if it is there.
    pub(crate) fn or_in_archive(&mut self, error: Error) -> Error {
        let Error::NoMemory { id } = error else { return error };
        let newest = self.newest_batch_with(&id).unwrap_or_default();
        if let Some(error) = newest.unread {
            self.notice(error.code(), error.to_string());
        }
        match newest.batch {
            Some(batch) => Error::InArchive { id, batch },
            None => Error::NoMemory { id },
        }
    }

    /// The newest batch that holds a memory. The log names it; where that does not know, the names of batches tell their
    /// age.
    pub(super) fn newest_batch_with(&mut self, id: &MemoryId) -> Result<Newest> {
        let mut newest = Newest::default();
        let names = self.batch_names()?;
        let ops = self.ledger.ops_of(id)?;
        let mut logged: Vec<String> = Vec::new();
        for op in ops.into_iter().rev().filter(|op| !op.archive.is_empty()) {
            if !logged.contains(&op.archive) {
                logged.push(op.archive);
            }
        }
        let (there, gone): (Vec<String>, Vec<String>) =
            logged.into_iter().partition(|batch| names.contains(batch));
        let rest = names.into_iter().filter(|name| !there.contains(name)).collect::<Vec<_>>();
        for batch in there.into_iter().chain(rest) {
            match self.read_manifest(&batch) {
                Ok(Some(manifest)) if manifest.holds(id) => {
                    newest.batch = Some(batch);
                    break;
                }
                Ok(_) => {}
                Err(error) if error.is_of_one_file() || matches!(error, Error::Broken { .. }) => {
                    newest.unread.get_or_insert(error);
                }
                Err(error) => return Err(error),
            }
        }
        if let (Some(batch), Some(gone)) = (&newest.batch, gone.first()) {
            let text = format!(
                "the batch `{gone}`, which held {id} last, is gone; `{batch}` has it as it was before"
            );
            self.notice("batch-gone", text);
        }
        Ok(newest)
    }

    /// The names of all batches, newest first.
    pub(crate) fn batch_names(&self) -> Result<Vec<String>> {
        let names = self.disk().list(ARCHIVE)?;
        let folders = names.into_iter().filter(|name| name.sort == Sort::Folder);
        let mut names: Vec<String> = folders.map(|name| name.name).collect();
        names.sort_by_key(|name| std::cmp::Reverse(name.split_once('-').map(|(_, stamp)| stamp.to_owned())));
        Ok(names)
    }

    /// All batches, newest first; broken ones are said and left out. What an asker may not see has no heading.
    pub(crate) fn batches(&mut self, audience: &Audience) -> Result<Vec<ArchiveBatch>> {
        let mut all = Vec::new();
        for name in self.batch_names()? {
            match self.read_manifest(&name) {
                Ok(Some(mut manifest)) => {
                    for item in manifest.items.iter_mut().filter(|item| !item.heading.is_empty()) {
                        let memory = self.archived_memory(&name, item);
                        if !memory.is_ok_and(|(memory, _)| memory.visible_to(audience)) {
                            item.heading.clear();
                        }
                    }
                    all.push(batch(name, manifest));
                }
                Ok(None) => {}
                Err(error) => self.notice(error.code(), error.to_string()),
            }
        }
        Ok(all)
    }

    /// The bytes of an archived entry, checked against their digest.
    pub(crate) fn archived_bytes(&self, batch: &str, item: &Item) -> Result<Vec<u8>> {
        let path = format!("{ARCHIVE}/{batch}/{}", item.bytes);
        let broken = |why: &str| Error::Broken { path: path.clone(), why: why.to_owned() };
        if item.bytes.contains(['/', '\\']) {
            return Err(broken("the manifest names a file outside the batch"));
        }
        let bytes = self.disk().read(&path, LIMIT)?.ok_or_else(|| broken("it is missing"))?;
        if blake3::hash(&bytes).to_hex().as_str() != item.digest {
            return Err(broken("its bytes are not those that were archived"));
        }
        Ok(bytes)
    }

    /// The memory that archived bytes hold.
    pub(crate) fn archived_memory(&self, batch: &str, item: &Item) -> Result<(Memory, Vec<u8>)> {
        let raw = self.archived_bytes(batch, item)?;
        let home = super::home_of(&item.file)?;
        let reading = layout::read(&home, &raw);
        let found = reading.found.into_iter().next();
        let why = "it holds no memory".to_owned();
        let mut memory =
            found.ok_or(Error::Broken { path: format!("{ARCHIVE}/{batch}/{}", item.bytes), why })?.memory;
        memory.id = item.id.clone();
        memory.provenance.class = memory.provenance.class.min(item.class);
        Ok((memory, raw))
    }

    /// Takes every byte of a memory out of the archive; batches that then hold nothing go too.
    /// Gives the batches whose manifest cannot be read, which may hold it still.
    pub(crate) fn purge_archive(&self, id: &MemoryId) -> Result<Vec<String>> {
        let mut unread = Vec::new();
        for name in self.batch_names()? {
            let mut manifest = match self.read_manifest(&name) {
                Ok(Some(manifest)) => manifest,
                Ok(None) => continue,
                Err(error) if error.is_of_one_file() || matches!(error, Error::Broken { .. }) => {
                    unread.push(name);
                    continue;
                }
                Err(error) => return Err(error),
            };
            let rewritten = self.purge_files(&name, &mut manifest, id)?;
            let (gone, left): (Vec<Item>, Vec<Item>) =
                manifest.items.into_iter().partition(|item| item.id == *id);
            if gone.is_empty() && rewritten.is_none() {
                continue;
            }
            for item in gone.iter().filter(|item| !item.bytes.contains(['/', '\\'])) {
                self.disk().remove(&format!("{ARCHIVE}/{name}/{}", item.bytes))?;
            }
            if left.is_empty() && manifest.files.is_empty() {
                self.disk().remove(&format!("{ARCHIVE}/{name}/{MANIFEST}"))?;
                self.disk().remove_folder(&format!("{ARCHIVE}/{name}"))?;
                self.disk().sync_folder(ARCHIVE)?;
            } else {
                manifest.items = left;
                self.write_manifest(&name, &manifest)?;
                for old in rewritten.unwrap_or_default() {
                    self.disk().remove(&format!("{ARCHIVE}/{name}/{old}"))?;
                }
            }
        }
        Ok(unread)
    }
}

/// The first line of a memory that everybody here may see, and nothing of another: a manifest is read by all.
fn heading_for_all(memory: &Memory) -> String {
    let shown = memory.visible_to(&Audience::default());
    if shown { memory.heading().chars().take(120).collect() } else { String::new() }
}

/// A manifest's bytes, sealed.
pub(crate) fn render_manifest(manifest: &Manifest) -> Option<Vec<u8>> {
    let mut sealed = Manifest { seal: String::new(), ..manifest.clone() };
    sealed.seal = blake3::hash(&serde_json::to_vec(&sealed).ok()?).to_hex().to_string();
    let mut bytes = serde_json::to_vec_pretty(&sealed).ok()?;
    bytes.push(b'\n');
    Some(bytes)
}

fn batch(name: String, manifest: Manifest) -> ArchiveBatch {
    let items = manifest.items.into_iter();
    ArchiveBatch {
        name,
        reason: manifest.reason,
        created: Time::parse(&manifest.created_at).unwrap_or_default(),
        items: items
            .map(|item| ArchivedItem { id: item.id, file: item.file, heading: item.heading })
            .collect(),
        files: manifest
            .files
            .into_iter()
            .map(|whole| ArchivedFile { path: whole.path, memories: whole.gone.len() })
            .collect(),
    }
}
