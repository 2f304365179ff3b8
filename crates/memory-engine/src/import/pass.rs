//! One pass over a source: what is new is counted, and kept where that is wanted.
//!
//! Items go through the door in groups, each with one durable commit. Their identities are written down after that, so
//! a crash repeats and loses nothing.

use std::collections::HashSet;
use std::time::Duration;

use memory_core::config::Config;
use memory_core::id::AgentId;
use memory_core::redact::redact;
use memory_core::scope::Sensitivity;

use super::{Came, Context, Format, Hear, Import, Imported, Item, guess, read};
use crate::capture::{Door, IMPORTED, Known, digest};
use crate::disk::{Disk, Sort, foreign};
use crate::error::{Error, Result};
use crate::keep::{Draft, Kept};
use crate::project::{Project, project_of};
use crate::store::Outcome;

/// Items that go through the door together, or fewer where they have so many bytes.
const GROUP: usize = 500;
const GROUP_BYTES: usize = 4 << 20;
/// After so many the identities are written down.
const SAVE: usize = 10_000;
/// Of more than this out of conversations, none is compared with the vault by its meaning.
const MOST_COMPARED: usize = 200;

/// What a pass is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum How {
    /// To see what there is.
    Look,
    /// To keep what is new.
    Keep,
}

/// Goes over a source once. `report` hears how many items were seen.
pub(crate) fn pass(
    disk: &dyn Disk,
    door: &mut dyn Door,
    import: &Import,
    how: How,
    report: &mut dyn FnMut(usize),
) -> Result<Imported> {
    let mut import = import.clone();
    // A path that a person names may be a link; inside of it none is followed.
    import.path = foreign::real_path(&import.path);
    if import.path == foreign::real_path(disk.root()) {
        let why = "it is this memory itself: name another one".to_owned();
        return Err(Error::NotImportable { path: import.path.display().to_string(), why });
    }
    match foreign::sort_at(&import.path) {
        None => return Err(Error::absent(&import.path)),
        Some(Sort::File) => guess::refuse_archive(&import.path)?,
        Some(_) => {}
    }
    let config: Config = door.config().clone();
    let agent: AgentId = import.agent.clone().unwrap_or_else(|| config.memory.agent.clone());
    let project: Project = project_of(disk.root().parent().unwrap_or(disk.root()));
    let context = Context {
        import: &import,
        agent: &agent,
        project: &project,
        profile: config.extract.profile,
        file_bytes: config.limits.file_bytes,
    };
    let mut pass = Pass {
        disk,
        door,
        how,
        report,
        word: import.format.word(),
        known: Known::load(disk, IMPORTED)?,
        seen: HashSet::new(),
        has_keys: import.format == Format::Memory,
        group: Vec::new(),
        bytes: 0,
        compared: 0,
        done: Imported::default(),
    };
    let outcome = read(&context, &mut pass);
    // What was read before something went wrong is kept all the same.
    let finished = pass.finish();
    outcome.and(finished)
}

struct Pass<'a> {
    disk: &'a dyn Disk,
    door: &'a mut dyn Door,
    how: How,
    report: &'a mut dyn FnMut(usize),
    word: &'static str,
    known: Known,
    /// What this source held already: some say everything twice.
    seen: HashSet<u64>,
    /// Whether keys are those of memories, and not names that we made.
    has_keys: bool,
    group: Vec<(u64, Draft)>,
    bytes: usize,
    compared: usize,
    done: Imported,
}

impl Hear for Pass<'_> {
    fn item(&mut self, mut item: Item) -> Result<()> {
        let identity = digest(self.word, &item.identity);
        if !self.seen.insert(identity) {
            return Ok(());
        }
        self.done.found += 1;
        (self.report)(self.done.found);
        item.draft.at.into_iter().for_each(|at| self.done.date(at));
        if self.known.has(identity) {
            self.done.before += 1;
            return Ok(());
        }
        self.done.new += 1;
        if self.how == How::Look {
            return Ok(());
        }
        if item.origin == Came::Said && self.compared < MOST_COMPARED {
            self.compared += 1;
            if self.door.known(&mut item.draft)?.is_some() {
                self.done.duplicates += 1;
                self.known.add(identity);
                return Ok(());
            }
        }
        self.bytes += item.draft.text.len();
        self.group.push((identity, item.draft));
        if self.group.len() >= GROUP || self.bytes >= GROUP_BYTES { self.keep() } else { Ok(()) }
    }

    fn leave(&mut self) {
        self.done.left += 1;
    }

    fn defect(&mut self, place: String, what: String) {
        self.done.defect(place, what);
    }
}

impl Pass<'_> {
    /// Lets the group in.
    fn keep(&mut self) -> Result<()> {
        self.bytes = 0;
        let (identities, drafts): (Vec<u64>, Vec<Draft>) =
            std::mem::take(&mut self.group).into_iter().unzip();
        if drafts.is_empty() {
            return Ok(());
        }
        let names: Vec<String> = drafts.iter().map(|draft| name_of(self.word, draft)).collect();
        let private = |draft: &Draft| draft.provenance.sensitivity >= Sensitivity::PrivateUser;
        let private: Vec<bool> = drafts.iter().map(private).collect();
        let asked = identities.into_iter().zip(names).zip(private);
        for (kept, ((identity, name), is_private)) in self.kept(drafts)?.into_iter().zip(asked) {
            let kept = match kept {
                Ok(kept) => kept,
                // One that cannot be kept costs the others nothing, and is told again the next time.
                Err(error) => {
                    self.done.defect(name, error.to_string());
                    continue;
                }
            };
            self.done.masked += kept.redacted.len();
            match kept.outcome {
                Outcome::Duplicate | Outcome::Forgotten => self.done.duplicates += 1,
                Outcome::KeyTaken => self.done.taken += 1,
                _ => {
                    *self.done.kept.entry(kept.kind.word().to_owned()).or_default() += 1;
                    self.done.private_files.extend(Some(kept.file).filter(|_| is_private));
                }
            }
            self.known.add(identity);
        }
        if self.known.unsaved() >= SAVE { self.save() } else { Ok(()) }
    }

    /// Lets drafts in. A memory whose key another one has here is kept without it.
    fn kept(&mut self, drafts: Vec<Draft>) -> Result<Vec<Result<Kept>>> {
        let again = if self.has_keys { drafts.clone() } else { Vec::new() };
        let mut all = self.door.keep(drafts)?;
        for (kept, draft) in all.iter_mut().zip(again) {
            if matches!(kept, Ok(Kept { outcome: Outcome::KeyTaken, .. })) {
                let alone = self.door.keep(vec![Draft { key: None, ..draft }])?.pop();
                let Some(alone) = alone else { continue };
                self.done.unkeyed +=
                    usize::from(matches!(&alone, Ok(kept) if kept.outcome == Outcome::Created));
                *kept = alone;
            }
        }
        Ok(all)
    }

    fn save(&mut self) -> Result<()> {
        let wait = Duration::from_millis(self.door.config().limits.lock_wait_ms);
        let _lock = self.disk.lock(wait)?;
        self.known.save(self.disk)
    }

    fn finish(mut self) -> Result<Imported> {
        self.keep()?;
        if self.known.unsaved() > 0 {
            self.save()?;
        }
        Ok(self.done)
    }
}

/// What a draft is called in a report: its title or first words, without what would be masked in it.
fn name_of(word: &str, draft: &Draft) -> String {
    let line = draft.title.as_deref().or_else(|| draft.text.lines().find(|line| !line.trim().is_empty()));
    let shown: String = redact(line.unwrap_or_default()).text.chars().take(60).collect();
    format!("{word}: {}", shown.trim())
}
