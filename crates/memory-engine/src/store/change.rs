//! Changes to what stands: edits, forgetting, restoring, pages. What leaves a file is in the archive before the
//! commit that takes it out.

use std::collections::HashSet;

use memory_core::admit::{Verdict, admit};
use memory_core::id::{MemoryId, Tag};
use memory_core::kind::Kind;
use memory_core::layout::{Home, Page};
use memory_core::memory::{Body, Draft, Memory, Provenance, tags_in};
use memory_core::scope::{Scope, SourceClass};
use memory_core::time::Time;

use super::archive::Leaving;
use super::purge::words_of;
use super::reconcile::{Looked, Suspicion};
use super::write::op;
use super::{Change, Entry, Expect, Forget, Forgotten, Restored, Store, home_of};
use crate::ambient;
use crate::error::{Error, Result};
use crate::ledger::{Burial, FileRow, OpKind, Payload, Row};

/// On whose word a memory changes, and why.
#[derive(Clone, Copy)]
pub(super) struct Turn<'a> {
    /// What is believed to stand there.
    pub(super) expect: &'a Expect,
    /// Whose words come in beside those that stand; a person who edits has seen them.
    pub(super) by: Option<&'a Provenance>,
    /// When those were said, if that was not now.
    pub(super) at: Option<Time>,
    /// The word for it in the archive.
    pub(super) reason: &'static str,
}

impl Turn<'static> {
    pub(super) fn of(reason: &'static str) -> Self {
        Self { expect: &Expect::Anything, by: None, at: None, reason }
    }
}

impl Store {
    /// Changes a memory.
    pub(crate) fn edit(&mut self, id: &MemoryId, change: &Change, expect: &Expect) -> Result<Entry> {
        let _lock = self.lock()?;
        self.bring_together()?;
        let turn = Turn { expect, ..Turn::of("edit") };
        self.change(id, turn, |memory| match change {
            Change::Tags(tags) => memory.tags.clone_from(tags),
            Change::Text(text) => reword(memory, Body::new(text)),
        })
    }

    /// Changes a memory as `alter` does. What stood there goes to the archive.
    pub(super) fn change(
        &mut self,
        id: &MemoryId,
        turn: Turn<'_>,
        alter: impl FnOnce(&mut Memory),
    ) -> Result<Entry> {
        self.flush_for(&[])?;
        let found = self.changeable(id)?;
        let (entry, raw, row) = found.ok_or_else(|| Error::NoMemory { id: id.clone() })?;
        if let Expect::Text(expected) = turn.expect
            && Body::new(expected) != entry.memory.body
        {
            return Err(Error::Stale { id: id.clone() });
        }
        let mut memory = entry.memory.clone();
        alter(&mut memory);
        if memory.body != entry.memory.body {
            self.refuse_unfit(&memory.body)?;
        }
        if let Some(by) = turn.by {
            memory.provenance.mix(by);
        }
        if memory == entry.memory {
            return Ok(entry);
        }
        self.refuse_too_long(&entry, &memory)?;
        let page = matches!(home_of(&entry.file)?, Home::Page(_));
        let now = ambient::now();
        if !memory.id.is_untracked() && !page {
            memory.updated = turn.at.map_or(now, |at| at.min(now)).max(memory.created);
        }
        let leaving = [Leaving { memory: entry.memory.clone(), file: entry.file.clone(), raw }];
        let archive = self.archive_entries(turn.reason, &leaving)?.unwrap_or_default();
        let payload = Payload::Memory(Box::new(memory.clone()));
        let mut edit = op(OpKind::Edit, now, id, entry.file.clone(), payload);
        edit.before = row.seq;
        edit.archive = archive;
        self.commit(vec![edit])?;
        self.flush_or_say();
        // What could not be written yet is what holds.
        let standing = if self.waits_for(&entry.file) { None } else { self.standing(id).unwrap_or_default() };
        // Hand-written text is named after its words, so under its old name it is gone.
        Ok(standing.unwrap_or(Entry { memory, ..entry }))
    }

    /// A memory that may be changed: its file is not frozen, can be read whole, and has everything that waited for it.
    pub(super) fn changeable(&mut self, id: &MemoryId) -> Result<Option<(Entry, Vec<u8>, Row)>> {
        let mut found = self.look_for(id)?;
        let waits = || self.tail_op(id).filter(|op| op.kind.changes_files()).map(|op| op.file.clone());
        let Some(file) = found.as_ref().map(|(entry, ..)| entry.file.clone()).or_else(waits) else {
            self.refuse_in_frozen(id)?;
            return Ok(None);
        };
        self.refuse_frozen(&file)?;
        if self.waits_for(&file) {
            self.flush_for(&[&file])?;
            found = self.look_for(id)?;
        }
        self.refuse_unwritable(&file)?;
        Ok(found)
    }

    /// Refuses a memory that cannot be found for change because its file is left alone: it may show the memory still.
    fn refuse_in_frozen(&mut self, id: &MemoryId) -> Result<()> {
        for row in self.rows_of(id)? {
            if let Some(file) = self.ledger.file_no(row.file)? {
                self.refuse_frozen(&file.path)?;
            }
        }
        let shown = self.direct_entries(&|_| true)?.into_iter().find(|entry| entry.memory.id == *id);
        shown.map_or(Ok(()), |entry| self.refuse_frozen(&entry.file))
    }

    /// Refuses a text that would make its file larger than is read.
    fn refuse_too_long(&self, entry: &Entry, memory: &Memory) -> Result<()> {
        let limit = self.config.limits.file_bytes;
        let (old, new) = (entry.memory.body.as_str().len() as u64, memory.body.as_str().len() as u64);
        if new > old && self.refuse_unwritable(&entry.file)? + (new - old) > limit {
            return Err(Error::NoRoom { path: entry.file.clone(), limit });
        }
        Ok(())
    }

    /// A memory as it stands, after a look at all files if the catalogue does not know it.
    pub(super) fn look_for(&mut self, id: &MemoryId) -> Result<Option<(Entry, Vec<u8>, Row)>> {
        // A look may find that changes of ours must be written again; only then the file is as it should be.
        for _ in 0..3 {
            let found = self.standing_raw(id)?;
            if self.has_tail() {
                self.flush_for(&[])?;
            } else if found.is_some() {
                return Ok(found);
            } else {
                break;
            }
        }
        self.bring_together()?;
        self.standing_raw(id)
    }

    /// Takes over what changed in the files and writes what waits, so that a change meets what really stands.
    pub(super) fn bring_together(&mut self) -> Result<()> {
        self.refresh()?;
        self.flush_for(&[])?;
        self.reconcile_all()?;
        self.flush_for(&[])
    }

    fn refuse_unfit(&self, body: &Body) -> Result<()> {
        let probe = Draft::new(Scope::Project, body.as_str(), Provenance::of("cli", SourceClass::Human));
        match admit(&probe, self.config.limits.entry_bytes, None, None) {
            Verdict::Refused(refusal) => Err(refusal.into()),
            _ => Ok(()),
        }
    }

    pub(super) fn refuse_frozen(&self, path: &str) -> Result<()> {
        match self.ledger.file(path)? {
            Some(FileRow { frozen, path, .. }) if !frozen.is_empty() => {
                Err(Error::Frozen { path, why: frozen })
            }
            _ => Ok(()),
        }
    }

    /// Refuses memories that are not there or may not go, before anything changes.
    pub(crate) fn refuse_unforgettable(&mut self, ids: &[MemoryId], how: Forget) -> Result<()> {
        let _lock = self.lock()?;
        self.bring_together()?;
        ids.iter().try_for_each(|id| self.forgettable(id, how).map(|_| ()))
    }

    /// A memory that may be forgotten; `None` for one that left its file before: it may still be in archive and ledger,
    /// and can be forgotten for good.
    fn forgettable(&mut self, id: &MemoryId, how: Forget) -> Result<Option<Entry>> {
        let is_begun = how == Forget::Hard && self.tail_op(id).is_some_and(|op| op.kind == OpKind::Remove);
        let found = self.changeable(id).map_err(|error| if is_begun { half_done(error) } else { error })?;
        let found = found.map(|(entry, ..)| entry);
        let left = |store: &mut Self| -> Result<bool> {
            Ok(!store.ledger.ops_of(id)?.is_empty() || store.newest_batch_with(id)?.batch.is_some())
        };
        if found.is_none() && !(how == Forget::Hard && left(self)?) {
            return Err(Error::NoMemory { id: id.clone() });
        }
        Ok(found)
    }

    /// Takes memories out: into the archive, or for good.
    pub(crate) fn forget(&mut self, ids: &[MemoryId], how: Forget) -> Result<Forgotten> {
        let _lock = self.lock()?;
        self.bring_together()?;
        let mut leaving = Vec::new();
        let mut ops = Vec::new();
        let mut texts = Vec::new();
        let now = ambient::now();
        let mut unique = HashSet::new();
        let mut names = ids.to_vec();
        for id in ids.iter().filter(|id| unique.insert((*id).clone())) {
            let found = self.forgettable(id, how)?;
            let said = found.map(|entry| entry.memory.body);
            for row in self.rows_of(id)? {
                let Some(file) = self.ledger.file_no(row.file)? else { continue };
                self.refuse_frozen(&file.path)?;
                self.refuse_unwritable(&file.path)?;
                let Some((entry, raw)) = self.read_raw(&row, &file)? else { continue };
                // A journal's line stands in two files under one id; other words under it are another memory.
                if said.as_ref().is_some_and(|said| *said != entry.memory.body) {
                    self.notice(
                        "same-id",
                        format!("`{}` holds other words under the id {id}; they stay", file.path),
                    );
                    continue;
                }
                names.extend(self.past_names(row.seq)?);
                let mut remove = op(OpKind::Remove, now, id, file.path.clone(), Payload::None);
                remove.before = row.seq;
                ops.push(remove);
                texts.push((id.clone(), entry.memory.body.as_str().to_owned()));
                leaving.push(Leaving { memory: entry.memory, file: file.path, raw });
            }
        }
        let past = if how == Forget::Hard { self.wordings(&names)? } else { Vec::new() };
        texts.extend(past.iter().map(|(id, memory)| (id.clone(), memory.body.as_str().to_owned())));
        let archive = if how == Forget::Archive { self.archive_entries("forget", &leaving)? } else { None };
        for op in &mut ops {
            op.archive = archive.clone().unwrap_or_default();
        }
        let stones = self.stones(&texts)?;
        let files: Vec<&str> = leaving.iter().map(|leaving| leaving.file.as_str()).collect();
        self.commit_also(ops, |db| stones.iter().try_for_each(|stone| stone.set(db, now, Burial::Archived)))?;
        // For good means that it has left its file; else that may wait.
        match how {
            Forget::Hard => self.flush_for(&files).map_err(half_done)?,
            Forget::Archive => self.flush_or_say(),
        }
        if let Err(error) = self.say_hidden(ids, &leaving) {
            self.notice(error.code(), error.to_string());
        }
        let said = leaving.iter().map(|left| &left.memory).chain(past.iter().map(|(_, memory)| memory));
        let texts: Vec<String> = said.flat_map(words_of).collect();
        let (still_in, unreachable) = match how {
            Forget::Hard => self.purge(&names, &texts, &stones).map_err(half_done)?,
            Forget::Archive => Default::default(),
        };
        Ok(Forgotten { ids: ids.to_vec(), archive, still_in, unreachable })
    }

    /// Says which memories stay hidden because one that is forgotten took their place.
    fn say_hidden(&mut self, ids: &[MemoryId], leaving: &[Leaving]) -> Result<()> {
        for heir in leaving.iter().map(|leaving| &leaving.memory) {
            for old in heir.provenance.lineage.iter().filter(|old| !ids.contains(old)) {
                let hidden = self.standing(old)?.and_then(|entry| entry.memory.superseded_by());
                if hidden.as_ref() == Some(&heir.id) {
                    let text = format!(
                        "{old} stays hidden, as {} had taken its place; `agent-memory supersede --undo {old}` lets it \
                         hold again",
                        heir.id
                    );
                    self.notice("superseded-by-nothing", text);
                }
            }
        }
        Ok(())
    }

    /// The names under which a memory was known before: text without an id is named after its words, and those changed.
    fn past_names(&self, seq: i64) -> Result<Vec<MemoryId>> {
        let mut names = Vec::new();
        let mut seq = seq;
        while let Some(op) = self.ledger.op(seq)?.filter(|op| op.before < op.seq) {
            seq = op.before;
            names.push(op.id);
        }
        Ok(names)
    }

    /// Sets back what the archive holds under a batch's name or a memory's id.
    pub(crate) fn restore(&mut self, name: &str) -> Result<Restored> {
        let _lock = self.lock()?;
        self.bring_together()?;
        let not_archived = || Error::NotArchived { name: name.to_owned() };
        let (batch, only) = if self.batch_names()?.iter().any(|batch| batch == name) {
            (name.to_owned(), None)
        } else {
            let id = MemoryId::parse(name).map_err(|_| not_archived())?;
            let newest = self.newest_batch_with(&id)?;
            if let Some(error) = newest.unread {
                return Err(error);
            }
            (newest.batch.ok_or_else(not_archived)?, Some(id))
        };
        let manifest = self.read_manifest(&batch)?.ok_or_else(not_archived)?;
        let now = ambient::now();
        let mut restored = Restored {
            ids: Vec::new(),
            skipped: Vec::new(),
            archive: batch.clone(),
            files: Vec::new(),
            left: Vec::new(),
        };
        self.bring_back(&batch, &manifest, only.as_ref(), &mut restored)?;
        let mut ops = Vec::new();
        for item in manifest.items.iter().filter(|item| only.as_ref().is_none_or(|id| item.id == *id)) {
            let (memory, raw) = self.archived_memory(&batch, item)?;
            let standing = self.standing_raw(&item.id)?;
            match standing {
                Some((entry, ..)) if entry.memory.body == memory.body && entry.memory.tags == memory.tags => {
                    restored.skipped.push(item.id.clone());
                }
                Some((entry, ..)) if self.was_taken_out(&item.id)? => {
                    let (id, file) = (item.id.clone(), entry.file);
                    let taken = Error::IdTaken { id, file: file.clone(), batch: batch.clone() };
                    if only.is_some() {
                        return Err(taken);
                    }
                    restored.left.push((file, taken.to_string()));
                }
                // It was edited, not removed: what the archive has comes back as an edit of its own.
                Some(_) => {
                    let by = Provenance { class: item.class, ..memory.provenance };
                    self.change(&item.id, Turn { by: Some(&by), ..Turn::of("restore") }, |now| {
                        now.body = memory.body;
                        now.tags = memory.tags;
                    })?;
                    restored.ids.push(item.id.clone());
                }
                None => {
                    home_of(&item.file)?;
                    // What the file held last is not yet known to be archived while it must not be touched.
                    if let Looked::HandsOff(why) = self.reconcile_file(&item.file, Suspicion::Apply)? {
                        return Err(Error::Frozen { path: item.file.clone(), why });
                    }
                    let payload = Payload::Raw(Box::new(memory), raw);
                    ops.push(op(OpKind::Restore, now, &item.id, item.file.clone(), payload));
                    restored.ids.push(item.id.clone());
                }
            }
        }
        self.commit(ops)?;
        self.flush_or_say();
        // A journal's line stands in two files under one id.
        restored.ids.dedup();
        restored.skipped.dedup();
        Ok(restored)
    }

    /// Whether the last thing that we did to a memory was to take it out, so that what stands under its id is another.
    fn was_taken_out(&self, id: &MemoryId) -> Result<bool> {
        let ops = self.ledger.ops_of(id)?;
        Ok(ops.iter().rfind(|op| op.kind.changes_files()).is_some_and(|op| op.kind == OpKind::Remove))
    }

    /// Writes a page; the text it replaces goes to the archive.
    pub(crate) fn write_page(&mut self, page: Page, text: &str, expect: &Expect) -> Result<()> {
        let _lock = self.lock()?;
        self.refresh()?;
        let home = Home::Page(page);
        self.reconcile_file(&home.path(), Suspicion::Apply)?;
        self.flush_for(&[&home.path()])?;
        let id = page_id(page);
        if self.standing(&id)?.is_some() {
            let turn = Turn { expect, ..Turn::of("edit") };
            return self.change(&id, turn, |page| reword(page, Body::new(text))).map(|_| ());
        }
        if matches!(expect, Expect::Text(expected) if !Body::new(expected).is_empty()) {
            return Err(Error::Stale { id });
        }
        self.refuse_unfit(&Body::new(text))?;
        let now = ambient::now();
        let from = Provenance::of("file", SourceClass::HumanEdit);
        let memory = Memory {
            id: id.clone(),
            kind: if page == Page::Project { Kind::Context } else { Kind::Preference },
            scope: if page == Page::Project { Scope::Project } else { Scope::User },
            key: None,
            title: None,
            body: Body::new(text),
            tags: Vec::new(),
            created: Time(0),
            updated: Time(0),
            provenance: from,
            extra: serde_json::Map::new(),
        };
        self.commit(vec![op(OpKind::Put, now, &id, home.path(), Payload::Memory(Box::new(memory)))])?;
        self.flush_or_say();
        Ok(())
    }
}

/// Gives a memory another text, and the tags that come with it.
pub(super) fn reword(memory: &mut Memory, body: Body) {
    memory.tags = retagged(&memory.tags, &memory.body, &body);
    memory.body = body;
}

/// What is forgotten has left already; only its traces have not.
fn half_done(error: Error) -> Error {
    Error::HalfDone { source: Box::new(error) }
}

/// The tags of a memory whose text changes: those given by hand stay, those of the old text give way to those of the
/// new one. Each is there once.
fn retagged(tags: &[Tag], old: &Body, new: &Body) -> Vec<Tag> {
    let extracted: HashSet<Tag> = tags_in(old.as_str()).into_iter().collect();
    let given = tags.iter().filter(|tag| !extracted.contains(tag)).cloned();
    let mut seen = HashSet::new();
    given.chain(tags_in(new.as_str())).filter(|tag| seen.insert(tag.clone())).collect()
}

/// The id under which a page stands in the catalogue.
pub(crate) fn page_id(page: Page) -> MemoryId {
    let name = if page == Page::Project { "project" } else { "user" };
    MemoryId::parse(name).unwrap_or_else(|_| MemoryId::of_text(name, 0))
}
