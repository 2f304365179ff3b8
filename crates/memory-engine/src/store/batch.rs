//! A batch that grows while upkeep works: files are copied into it whole before they are changed or taken away.
//!
//! `manifest.json` is written anew, in one step, each time files came to it and before anything is done to them. So a
//! crash leaves copies of files that still stand, and never a file that was changed without its copy.

use memory_core::id::MemoryId;
use memory_core::layout::{self, Change, Home};
use memory_core::memory::Body;
use memory_core::scope::SourceClass;
use serde::{Deserialize, Serialize};

use super::archive::{ARCHIVE, LIMIT, Manifest};
use super::purge::without_quotes;
use super::{OWN, Store};
use crate::ambient;
use crate::disk::write_whole;
use crate::error::{Error, Result};

/// A file in a batch.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Whole {
    /// Where it stood.
    pub(crate) path: String,
    /// The file in the batch with its bytes.
    pub(crate) bytes: String,
    /// BLAKE3 of those bytes.
    pub(crate) digest: String,
    /// How much of the file this is.
    #[serde(default)]
    pub(crate) part: Part,
    /// BLAKE3 of what upkeep left there; empty where it left nothing, or where the ledger knows.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(crate) left: String,
    /// The memories that left it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) gone: Vec<Gone>,
    /// What came in their place.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) made: Vec<Made>,
}

/// How much of a file was copied.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Part {
    /// All of it.
    #[default]
    Whole,
    /// Its beginning, which left; the rest stands.
    Head,
    /// Nothing: there was no such file.
    Absent,
}

/// A memory that left a file.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Gone {
    pub(crate) id: MemoryId,
    /// How its words were trusted; coming back does not raise it.
    pub(crate) class: SourceClass,
}

/// A memory that came in place of others.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Made {
    pub(crate) id: MemoryId,
    /// BLAKE3 of its text; another text is somebody's edit.
    pub(crate) digest: String,
}

impl Made {
    pub(super) fn of(id: &MemoryId, text: &Body) -> Self {
        Self { id: id.clone(), digest: hex(text.as_str().as_bytes()) }
    }
}

/// A file on its way into a batch.
pub(crate) struct Copied<'a> {
    pub(crate) path: &'a str,
    pub(crate) bytes: &'a [u8],
    pub(crate) part: Part,
    /// What will stand there afterwards, where upkeep writes it itself.
    pub(crate) left: Option<&'a [u8]>,
    pub(crate) gone: Vec<Gone>,
    pub(crate) made: Vec<Made>,
}

impl<'a> Copied<'a> {
    /// A file that leaves as a whole.
    pub(crate) fn leaving(path: &'a str, bytes: &'a [u8]) -> Self {
        Self { path, bytes, part: Part::Whole, left: None, gone: Vec::new(), made: Vec::new() }
    }
}

impl Manifest {
    /// Whether a memory can come back from here.
    pub(crate) fn holds(&self, id: &MemoryId) -> bool {
        self.items.iter().any(|item| item.id == *id)
            || self.files.iter().any(|whole| whole.gone.iter().any(|gone| gone.id == *id))
    }
}

/// A batch that grows; nothing of it is on disk before the first file comes.
pub(crate) struct Batch {
    reason: &'static str,
    begun: Option<(String, Manifest)>,
}

impl Batch {
    pub(crate) fn new(reason: &'static str) -> Self {
        Self { reason, begun: None }
    }

    /// Its name, if anything came to it.
    pub(crate) fn name(&self) -> Option<&str> {
        self.begun.as_ref().map(|(name, _)| name.as_str())
    }
}

impl Store {
    /// Copies files into a batch, so that they can come back byte for byte. Needs the lock.
    pub(crate) fn copy_into(&self, batch: &mut Batch, files: Vec<Copied<'_>>) -> Result<()> {
        if files.is_empty() {
            return Ok(());
        }
        let (name, mut manifest) = match batch.begun.take() {
            Some(begun) => begun,
            None => {
                let now = ambient::now();
                let manifest = Manifest {
                    version: 1,
                    created_at: now.iso(),
                    reason: batch.reason.to_owned(),
                    items: Vec::new(),
                    files: Vec::new(),
                    seal: String::new(),
                };
                (self.free_name(batch.reason, now)?, manifest)
            }
        };
        for file in files {
            let ending = file.path.rsplit_once('.').map_or("bin", |(_, ending)| ending);
            let bytes = format!("{:04}.{ending}", manifest.files.len() + 1);
            write_whole(self.disk(), &format!("{ARCHIVE}/{name}/{bytes}"), file.bytes)?;
            manifest.files.push(Whole {
                path: file.path.to_owned(),
                bytes,
                digest: hex(file.bytes),
                part: file.part,
                left: file.left.map(hex).unwrap_or_default(),
                gone: file.gone,
                made: file.made,
            });
        }
        self.write_manifest(&name, &manifest)?;
        self.disk().sync_folder(ARCHIVE)?;
        batch.begun = Some((name, manifest));
        Ok(())
    }

    /// Notes what came to files that a batch already holds: file, id and text of each. Needs the lock.
    pub(crate) fn note_made(&self, batch: &mut Batch, made: Vec<(String, MemoryId, String)>) -> Result<()> {
        let Some((name, manifest)) = &mut batch.begun else { return Ok(()) };
        for (path, id, text) in made {
            if let Some(whole) = manifest.files.iter_mut().find(|whole| whole.path == path) {
                whole.made.push(Made::of(&id, &Body::new(&text)));
            }
        }
        self.write_manifest(name, manifest)
    }

    /// Notes that we changed texts which came in the place of others, each with its words before and after: they are ours
    /// still, and go when those others come back.
    pub(super) fn note_reworded(&self, changed: &[(MemoryId, Body, Body)]) -> Result<()> {
        if changed.is_empty() {
            return Ok(());
        }
        for name in self.batch_names()? {
            let Ok(Some(mut manifest)) = self.read_manifest(&name) else { continue };
            let mut reworded = false;
            for made in manifest.files.iter_mut().flat_map(|whole| &mut whole.made) {
                let digest = |text: &Body| hex(text.as_str().as_bytes());
                let is_it = |it: &&(MemoryId, Body, Body)| it.0 == made.id && digest(&it.1) == made.digest;
                if let Some((_, _, after)) = changed.iter().find(is_it) {
                    made.digest = digest(after);
                    reworded = true;
                }
            }
            if reworded {
                self.write_manifest(&name, &manifest)?;
            }
        }
        Ok(())
    }

    /// The bytes of an archived file, checked against their digest.
    pub(crate) fn archived_file(&self, batch: &str, whole: &Whole) -> Result<Vec<u8>> {
        let path = format!("{ARCHIVE}/{batch}/{}", whole.bytes);
        let broken = |why: &str| Error::Broken { path: path.clone(), why: why.to_owned() };
        if whole.bytes.contains(['/', '\\']) {
            return Err(broken("the manifest names a file outside the batch"));
        }
        let limit = LIMIT.max(self.config.limits.file_bytes);
        let bytes = self.disk().read(&path, limit)?.ok_or_else(|| broken("it is missing"))?;
        if hex(&bytes) != whole.digest {
            return Err(broken("its bytes are not those that were archived"));
        }
        Ok(bytes)
    }

    /// Takes a memory out of the files of a batch. They are written under new names; gives the old ones, which go when
    /// the manifest no longer names them, and `None` when no file holds the memory.
    pub(super) fn purge_files(
        &self,
        batch: &str,
        manifest: &mut Manifest,
        id: &MemoryId,
    ) -> Result<Option<Vec<String>>> {
        let mut changed = false;
        let mut old = Vec::new();
        for whole in &mut manifest.files {
            let Some(home) = Home::of_path(&whole.path) else { continue };
            changed |= whole.gone.iter().any(|gone| gone.id == *id);
            whole.gone.retain(|gone| gone.id != *id);
            // A copy that is damaged is for the check-up to tell, and its bytes cannot be told apart.
            let Ok(bytes) = self.archived_file(batch, whole) else { continue };
            let mut left = bytes.clone();
            let all = layout::read(&home, &bytes).found;
            if let Some(found) = all.iter().find(|found| found.memory.id == *id) {
                left.drain(found.place.bytes.clone());
            }
            for found in all {
                let ids = std::slice::from_ref(id);
                if let Some(memory) = without_quotes(&whole.path, &found.memory, ids) {
                    left = layout::apply(&left, &layout::splice(&home, &left, &[Change::Put(&memory)]));
                }
            }
            if left == bytes {
                continue;
            }
            let stem = whole.bytes.split('.').next().unwrap_or_default();
            let fresh = format!("{stem}.{}", &hex(&left)[..12]);
            write_whole(self.disk(), &format!("{ARCHIVE}/{batch}/{fresh}"), &left)?;
            whole.digest = hex(&left);
            old.push(std::mem::replace(&mut whole.bytes, fresh));
            changed = true;
        }
        Ok(changed.then_some(old))
    }

    /// Batches that hold nothing but history and are older than a moment.
    pub(crate) fn expired_batches(&self, before: memory_core::time::Time) -> Result<Vec<String>> {
        let mut expired = Vec::new();
        for name in self.batch_names()?.into_iter().filter(|name| name.starts_with("history-")) {
            let Ok(Some(manifest)) = self.read_manifest(&name) else { continue };
            let only_history = manifest.items.is_empty()
                && !manifest.files.is_empty()
                && manifest.files.iter().all(|whole| whole.path.starts_with("history/"));
            let created = memory_core::time::Time::parse(&manifest.created_at);
            if only_history && created.is_some_and(|created| created <= before) {
                expired.push(name);
            }
        }
        Ok(expired)
    }

    /// Takes a batch away. Its manifest goes last, so that what is left of it still says what it is.
    pub(crate) fn remove_batch(&self, name: &str) -> Result<()> {
        let folder = format!("{ARCHIVE}/{name}");
        let mut names: Vec<String> = self.disk().list(&folder)?.into_iter().map(|name| name.name).collect();
        names.sort_by_key(|name| name == "manifest.json");
        for file in names {
            self.disk().remove(&format!("{folder}/{file}"))?;
        }
        self.disk().remove_folder(&folder)?;
        self.disk().sync_folder(ARCHIVE)
    }

    /// Writes a file of upkeep under our own folder. Needs the lock: it is written beside its place first, always there.
    pub(crate) fn write_own(&self, name: &str, text: &str) -> Result<()> {
        write_whole(self.disk(), &format!("{OWN}/{name}"), text.as_bytes())
    }
}

pub(super) fn hex(bytes: &[u8]) -> String {
    blake3::hash(bytes).to_hex().to_string()
}
