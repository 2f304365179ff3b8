//! Changes: what the door lets in, edits, forgetting and restoring. Each is one durable commit; what leaves a file
//! is in the archive before that commit.

use std::collections::HashSet;

use memory_core::admit::{Likeness, Verdict, admit, sameness};
use memory_core::id::{MemoryId, Tag};
use memory_core::kind::Kind;
use memory_core::layout::{Home, Layout, Page, record_id};
use memory_core::memory::{Body, Draft, Memory, tags_in};
use memory_core::time::Time;

use super::archive::Leaving;
use super::reconcile::memory_of;
use super::{
    Change, Entry, Expect, Forget, Forgotten, Restored, Sameness, Store, home_of, is_unchanged, key_fits,
};
use crate::ambient;
use crate::error::{Error, Result};
use crate::keep::Outcome;
use crate::ledger::{self, Durability, FileRow, Op, OpKind, Payload, Row};

/// A draft that is masked and classified, ready to be admitted.
pub(crate) struct Prepared {
    pub(crate) draft: Draft,
    pub(crate) kind: Kind,
    pub(crate) tags: Vec<Tag>,
}

/// What became of a draft.
pub(crate) struct Admitted {
    pub(crate) id: MemoryId,
    pub(crate) outcome: Outcome,
    pub(crate) file: String,
}

impl Store {
    /// Lets drafts in with one durable commit for all that are new.
    pub(crate) fn keep(&mut self, drafts: &[Prepared]) -> Result<Vec<Result<Admitted>>> {
        let _lock = self.lock()?;
        self.refresh()?;
        let now = ambient::now();
        let mut clock = self.seen.clock;
        let mut ops: Vec<Op> = Vec::with_capacity(drafts.len());
        let mut answers: Vec<Result<Admitted>> = Vec::with_capacity(drafts.len());
        for prepared in drafts {
            match self.verdict(prepared, &ops)? {
                Verdict::Create => {
                    clock = now.0.max(clock + 1);
                    let memory = create(prepared, Time(clock), self.config.memory.layout);
                    let file = self.file_for(&memory)?;
                    self.by_same.insert(same(&memory), memory.id.clone());
                    answers.push(Ok(Admitted {
                        id: memory.id.clone(),
                        outcome: Outcome::Created,
                        file: file.clone(),
                    }));
                    ops.push(op(
                        OpKind::Put,
                        now,
                        &memory.id.clone(),
                        file,
                        Payload::Memory(Box::new(memory)),
                    ));
                }
                Verdict::Duplicate(id) => answers.push(self.answer(id, Outcome::Duplicate, &ops)),
                Verdict::KeyTaken(id) => answers.push(self.answer(id, Outcome::KeyTaken, &ops)),
                Verdict::Refused(refusal) => answers.push(Err(refusal.into())),
                Verdict::Rewrite(id, body) => {
                    // The memory may be one of this batch, so what came before it is committed first.
                    self.commit(std::mem::take(&mut ops))?;
                    let text = body.as_str().to_owned();
                    let entry = self.change(&id, &Change::Text(text), &Expect::Anything, "replace");
                    clock = self.seen.clock.max(clock);
                    answers.push(entry.map(|entry| Admitted {
                        id,
                        outcome: Outcome::Updated,
                        file: entry.file,
                    }));
                }
            }
        }
        self.commit(ops)?;
        if self.flush_is_due() {
            self.flush_or_say();
        }
        Ok(answers)
    }

    fn commit(&mut self, mut ops: Vec<Op>) -> Result<()> {
        if ops.is_empty() {
            return Ok(());
        }
        let head = self.seen;
        let append = |db: &rusqlite::Connection| ledger::append(db, head, &mut ops);
        match self.ledger.commit(&*self.disk, Durability::Durable, append) {
            Ok(head) => {
                self.extend_tail(head, ops);
                Ok(())
            }
            Err(error) => {
                // The commit may or may not have happened; the ledger is asked before anything else is done.
                self.seen = ledger::Head { seq: i64::MAX, ..ledger::Head::default() };
                self.refresh()?;
                Err(error)
            }
        }
    }

    /// The files follow later if they cannot now; what is committed is durable.
    fn flush_or_say(&mut self) {
        if let Err(error) = self.flush() {
            let text =
                format!("{error}; the change is safe in the ledger and will be written to its file later");
            self.notice(error.code(), text);
        }
    }

    fn verdict(&mut self, prepared: &Prepared, ops: &[Op]) -> Result<Verdict> {
        let draft = &prepared.draft;
        let limit = self.config.limits.entry_bytes;
        let keyed = match &draft.key {
            Some(key) => {
                let pending = ops.iter().chain(&self.tail).rev().find_map(|op| {
                    let memory =
                        memory_of(&op.payload).filter(|memory| key_fits(memory, &draft.scope, key))?;
                    let last = ops.iter().chain(&self.tail).rev().find(|other| other.id == op.id);
                    last.is_some_and(|last| last.kind != OpKind::Remove).then(|| memory.clone())
                });
                match pending {
                    Some(memory) => Some(memory),
                    None => self.keyed(draft)?,
                }
            }
            None => None,
        };
        let same = if keyed.is_none() { self.same_as(prepared)? } else { None };
        // A new key with an old text is a memory of its own, or it could never be found under its key.
        let same = same.filter(|_| draft.key.is_none());
        Ok(admit(draft, limit, same.as_ref(), keyed.as_ref()))
    }

    fn keyed(&mut self, draft: &Draft) -> Result<Option<Memory>> {
        let Some(key) = &draft.key else { return Ok(None) };
        let mut ids: Vec<MemoryId> = MemoryId::parse(key.as_str()).ok().into_iter().collect();
        ids.extend(self.ledger.rows("key = ?1 AND key <> ''", &key.as_str())?.into_iter().map(|row| row.id));
        for id in ids {
            if let Some(entry) = self.standing(&id)?
                && (key_fits(&entry.memory, &draft.scope, key) || entry.memory.id.as_str() == key.as_str())
            {
                return Ok(Some(entry.memory));
            }
        }
        Ok(None)
    }

    /// The memory that says the same, if it certainly still stands.
    fn same_as(&mut self, prepared: &Prepared) -> Result<Option<MemoryId>> {
        let same = sameness(&prepared.draft.scope, &prepared.kind, &prepared.draft.body);
        if let Some(id) = self.by_same.get(&same) {
            let id = id.clone();
            let last = self.tail_op(&id);
            if last.is_none_or(|op| op.kind.changes_files() && op.kind != OpKind::Remove) {
                return Ok(Some(id));
            }
        }
        for row in self.ledger.rows("same = ?1", &&same[..])? {
            if self.tail_op(&row.id).is_none() && self.standing(&row.id)?.is_some() {
                return Ok(Some(row.id));
            }
        }
        Ok(None)
    }

    /// A memory as its file shows it now; the file is looked at again if it changed. Needs the lock.
    fn standing(&mut self, id: &MemoryId) -> Result<Option<Entry>> {
        Ok(self.standing_raw(id)?.map(|(entry, ..)| entry))
    }

    fn standing_raw(&mut self, id: &MemoryId) -> Result<Option<(Entry, Vec<u8>, Row)>> {
        for row in self.ledger.rows("id = ?1 ORDER BY file", &id.as_str())? {
            let Some(file) = self.ledger.file_no(row.file)? else { continue };
            if is_unchanged(&file, self.disk.stat(&file.path)?) != Sameness::Same {
                self.reconcile_file(&file.path, super::reconcile::Suspicion::Apply)?;
            }
            if let Some(found) = self.row_now(id, &file.path)? {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    fn row_now(&self, id: &MemoryId, path: &str) -> Result<Option<(Entry, Vec<u8>, Row)>> {
        let Some(file) = self.ledger.file(path)? else { return Ok(None) };
        let rows = self.ledger.rows("id = ?1", &id.as_str())?;
        let Some(row) = rows.into_iter().find(|row| row.file == file.no) else { return Ok(None) };
        Ok(self.read_raw(&row, &file)?.map(|(entry, raw)| (entry, raw, row)))
    }

    fn answer(&self, id: MemoryId, outcome: Outcome, ops: &[Op]) -> Result<Admitted> {
        let pending = ops.iter().chain(&self.tail).rev().find(|op| op.id == id).map(|op| op.file.clone());
        let file = match pending {
            Some(file) => file,
            None => match self.ledger.rows("id = ?1 ORDER BY file", &id.as_str())?.first() {
                Some(row) => self.ledger.file_no(row.file)?.map_or(String::new(), |file| file.path),
                None => String::new(),
            },
        };
        Ok(Admitted { id, outcome, file })
    }

    /// Where a new memory goes. An agent's folder may be spelt in other letters on disk.
    fn file_for(&self, memory: &Memory) -> Result<String> {
        let home = Home::of(memory, self.config.memory.layout);
        if let Home::Vault { agent, category, folder } = &home
            && self.ledger.file(&home.path())?.is_none()
        {
            for name in self.disk.list("")? {
                if name.name != *folder && name.name.eq_ignore_ascii_case(agent.as_str()) {
                    let other =
                        Home::Vault { agent: agent.clone(), category: category.clone(), folder: name.name };
                    return Ok(other.path());
                }
            }
        }
        Ok(home.path())
    }

    /// Changes a memory.
    pub(crate) fn edit(&mut self, id: &MemoryId, change: &Change, expect: &Expect) -> Result<Entry> {
        let _lock = self.lock()?;
        self.refresh()?;
        self.flush()?;
        self.change(id, change, expect, "edit")
    }

    fn change(&mut self, id: &MemoryId, change: &Change, expect: &Expect, reason: &str) -> Result<Entry> {
        self.flush()?;
        let found = self.standing_raw(id)?;
        let (entry, raw, row) = found.ok_or_else(|| Error::NoMemory { id: id.clone() })?;
        self.refuse_frozen(&entry.file)?;
        if let Expect::Text(expected) = expect
            && Body::new(expected) != entry.memory.body
        {
            return Err(Error::Stale { id: id.clone() });
        }
        let mut memory = entry.memory.clone();
        match change {
            Change::Tags(tags) => memory.tags.clone_from(tags),
            Change::Text(text) => {
                let extracted = tags_in(memory.body.as_str());
                let body = Body::new(text);
                self.refuse_unfit(&body)?;
                let mut tags: Vec<Tag> =
                    memory.tags.iter().filter(|tag| !extracted.contains(tag)).cloned().collect();
                tags.extend(
                    tags_in(body.as_str())
                        .into_iter()
                        .filter(|tag| !memory.tags.contains(tag) || extracted.contains(tag)),
                );
                let mut seen = HashSet::new();
                tags.retain(|tag| seen.insert(tag.clone()));
                memory.tags = tags;
                memory.body = body;
            }
        }
        if memory == entry.memory {
            return Ok(entry);
        }
        let page = matches!(home_of(&entry.file)?, Home::Page(_));
        let now = ambient::now();
        if !memory.id.is_untracked() && !page {
            memory.updated = Time(now.0.max(memory.created.0));
        }
        let leaving = [Leaving { memory: entry.memory.clone(), file: entry.file.clone(), raw }];
        let archive = self.archive_entries(reason, &leaving)?.unwrap_or_default();
        let payload = Payload::Memory(Box::new(memory.clone()));
        let mut edit = op(OpKind::Edit, now, id, entry.file.clone(), payload);
        edit.before = row.seq;
        edit.archive = archive;
        self.commit(vec![edit])?;
        self.flush()?;
        match self.standing(id)? {
            Some(entry) => Ok(entry),
            // Hand-written text is named after its words, so under its old name it is gone.
            None => Ok(Entry { memory, ..entry }),
        }
    }

    fn refuse_unfit(&self, body: &Body) -> Result<()> {
        let probe = Draft::new(
            memory_core::scope::Scope::Project,
            body.as_str(),
            memory_core::memory::Provenance::of("cli", memory_core::scope::SourceClass::Human),
        );
        match admit(&probe, self.config.limits.entry_bytes, None, None) {
            Verdict::Refused(refusal) => Err(refusal.into()),
            _ => Ok(()),
        }
    }

    fn refuse_frozen(&self, path: &str) -> Result<()> {
        match self.ledger.file(path)? {
            Some(FileRow { frozen, path, .. }) if !frozen.is_empty() => {
                Err(Error::Frozen { path, why: frozen })
            }
            _ => Ok(()),
        }
    }

    /// Takes memories out: into the archive, or for good.
    pub(crate) fn forget(&mut self, ids: &[MemoryId], how: Forget) -> Result<Forgotten> {
        let _lock = self.lock()?;
        self.refresh()?;
        self.flush()?;
        let mut leaving = Vec::new();
        let mut ops = Vec::new();
        let mut texts = Vec::new();
        let now = ambient::now();
        let mut unique = HashSet::new();
        for id in ids.iter().filter(|id| unique.insert((*id).clone())) {
            let found = self.standing_raw(id)?;
            if found.is_none() && !(how == Forget::Hard && !self.ledger.ops_of(id)?.is_empty()) {
                return Err(Error::NoMemory { id: id.clone() });
            }
            for row in self.ledger.rows("id = ?1 ORDER BY file", &id.as_str())? {
                let Some(file) = self.ledger.file_no(row.file)? else { continue };
                self.refuse_frozen(&file.path)?;
                let Some((entry, raw)) = self.read_raw(&row, &file)? else { continue };
                let mut remove = op(OpKind::Remove, now, id, file.path.clone(), Payload::None);
                remove.before = row.seq;
                ops.push(remove);
                texts.push(entry.memory.body.as_str().to_owned());
                leaving.push(Leaving { memory: entry.memory, file: file.path, raw });
            }
        }
        let archive = if how == Forget::Archive { self.archive_entries("forget", &leaving)? } else { None };
        for op in &mut ops {
            op.archive = archive.clone().unwrap_or_default();
        }
        self.commit(ops)?;
        self.flush()?;
        let unreachable = if how == Forget::Hard { self.purge(ids, &texts)? } else { Vec::new() };
        Ok(Forgotten { ids: ids.to_vec(), archive, unreachable })
    }

    /// Sets back what the archive holds under a batch's name or a memory's id.
    pub(crate) fn restore(&mut self, name: &str) -> Result<Restored> {
        let _lock = self.lock()?;
        self.refresh()?;
        self.flush()?;
        let not_archived = || Error::NotArchived { name: name.to_owned() };
        let names = self.batch_names()?;
        let (batch, only) = match names.iter().find(|batch| *batch == name) {
            Some(batch) => (batch.clone(), None),
            None => {
                let id = MemoryId::parse(name).map_err(|_| not_archived())?;
                let holds = |batch: &&String| {
                    self.read_manifest(batch)
                        .ok()
                        .flatten()
                        .is_some_and(|m| m.items.iter().any(|item| item.id == id))
                };
                let batch = names.iter().find(holds).ok_or_else(not_archived)?;
                (batch.clone(), Some(id))
            }
        };
        let manifest = self.read_manifest(&batch)?.ok_or_else(not_archived)?;
        let now = ambient::now();
        let mut restored = Restored { ids: Vec::new(), skipped: Vec::new(), archive: batch.clone() };
        let mut ops = Vec::new();
        for item in manifest.items.iter().filter(|item| only.as_ref().is_none_or(|id| item.id == *id)) {
            let (memory, raw) = self.archived_memory(&batch, item)?;
            let standing = self.standing_raw(&item.id)?;
            match standing {
                Some((entry, ..)) if entry.memory.body == memory.body => {
                    restored.skipped.push(item.id.clone())
                }
                // It was edited, not removed: the archived text comes back as an edit of its own.
                Some(_) => {
                    let text = Change::Text(memory.body.as_str().to_owned());
                    self.change(&item.id, &text, &Expect::Anything, "restore")?;
                    restored.ids.push(item.id.clone());
                }
                None => {
                    home_of(&item.file)?;
                    let payload = Payload::Raw(Box::new(memory), raw);
                    ops.push(op(OpKind::Restore, now, &item.id, item.file.clone(), payload));
                    restored.ids.push(item.id.clone());
                }
            }
        }
        self.commit(ops)?;
        self.flush()?;
        Ok(restored)
    }

    /// Writes a page; the text it replaces goes to the archive.
    pub(crate) fn write_page(&mut self, page: Page, text: &str) -> Result<()> {
        let _lock = self.lock()?;
        self.refresh()?;
        let home = Home::Page(page);
        self.reconcile_file(&home.path(), super::reconcile::Suspicion::Apply)?;
        self.flush()?;
        let id = page_id(page);
        if self.standing(&id)?.is_some() {
            self.change(&id, &Change::Text(text.to_owned()), &Expect::Anything, "edit")?;
            return Ok(());
        }
        self.refuse_unfit(&Body::new(text))?;
        let now = ambient::now();
        let from = memory_core::memory::Provenance::of("file", memory_core::scope::SourceClass::HumanEdit);
        let memory = Memory {
            id: id.clone(),
            kind: if page == Page::Project { Kind::Context } else { Kind::Preference },
            scope: if page == Page::Project {
                memory_core::scope::Scope::Project
            } else {
                memory_core::scope::Scope::User
            },
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
        self.flush()
    }

    /// Memories that nearly say what this one says, among the latest of its kind.
    pub(crate) fn similar(&mut self, id: &MemoryId) -> Result<Vec<Entry>> {
        self.refresh()?;
        let entry = self.show(id)?;
        let likeness = Likeness::of(entry.memory.body.as_str());
        let sql = "kind = ?1 ORDER BY created DESC LIMIT 300";
        let mut near = Vec::new();
        for row in self.ledger.rows(sql, &entry.memory.kind.word())? {
            if row.id != *id
                && row.scope == entry.memory.scope.to_string()
                && likeness.is_near(Likeness(row.likeness))
            {
                near.extend(self.show(&row.id).ok());
            }
            if near.len() == 5 {
                break;
            }
        }
        Ok(near)
    }

    /// A person says that a frozen file is as it should be.
    pub(crate) fn accept(&mut self, path: &str) -> Result<()> {
        let _lock = self.lock()?;
        self.refresh()?;
        self.reconcile_file(path, super::reconcile::Suspicion::Overruled)?;
        self.flush()
    }
}

/// The id under which a page stands in the catalogue.
pub(crate) fn page_id(page: Page) -> MemoryId {
    let name = if page == Page::Project { "project" } else { "user" };
    MemoryId::parse(name).unwrap_or_else(|_| MemoryId::of_text(name, 0))
}

fn same(memory: &Memory) -> [u8; 16] {
    sameness(&memory.scope, &memory.kind, &memory.body)
}

fn op(kind: OpKind, at: Time, id: &MemoryId, file: String, payload: Payload) -> Op {
    Op { seq: 0, at, kind, id: id.clone(), file, before: 0, archive: String::new(), payload }
}

fn create(prepared: &Prepared, now: Time, layout: Layout) -> Memory {
    let draft = &prepared.draft;
    let vault = layout == Layout::Vault && matches!(draft.scope, memory_core::scope::Scope::Agent(_));
    let id = if vault {
        MemoryId::from_millis(now.0.unsigned_abs())
    } else {
        record_id(draft.title.as_deref().unwrap_or(draft.body.as_str()), now, &now.0.to_string())
    };
    Memory {
        id,
        kind: prepared.kind.clone(),
        scope: draft.scope.clone(),
        key: draft.key.clone(),
        title: draft.title.clone(),
        body: draft.body.clone(),
        tags: prepared.tags.clone(),
        created: now,
        updated: now,
        provenance: draft.provenance.clone(),
        extra: draft.extra.clone(),
    }
}
