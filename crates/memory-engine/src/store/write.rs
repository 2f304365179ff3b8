//! What the door lets in: drafts become operations, all of a batch in one durable commit.

use std::collections::HashMap;

use memory_core::admit::{Likeness, Verdict, admit};
use memory_core::id::{AgentId, Category, MemoryId, Tag};
use memory_core::kind::Kind;
use memory_core::layout::{Home, Preferred, record_id};
use memory_core::memory::{Body, Draft, Memory, OnExisting};
use memory_core::scope::{Scope, SourceClass};
use memory_core::time::{DAY_MS, Time};

use super::change::{Turn, reword};
use super::forgotten::{Forgotten, is_taken_up_again};
use super::reconcile::memory_of;
use super::tail::Tail;
use super::{Entry, Outcome, Sameness, Store, is_unchanged, key_fits};
use crate::ambient;
use crate::disk::Name;
use crate::error::{Error, Result};
use crate::ledger::{self, Amount, Durability, Marks, Op, OpKind, Payload, Row};

/// A draft that is masked and classified, ready to be admitted.
pub(crate) struct Prepared {
    pub(crate) draft: Draft,
    pub(crate) kind: Kind,
    pub(crate) tags: Vec<Tag>,
    /// When it was said, if that was not now.
    pub(crate) at: Option<Time>,
    pub(crate) marks: Marks,
}

/// The files in which the new memories of a batch go.
#[derive(Default)]
struct Files {
    /// The vault files by scope and kind.
    vaults: HashMap<Scope, Vec<(Kind, String)>>,
    /// How large files will be when what waits for them is in them.
    sizes: HashMap<String, u64>,
}

/// What an entry has at most besides its title and text, nearly always.
const FRAME: u64 = 512;
/// A number may run ahead of the clock by so much, since each has a millisecond of its own; it still tells the time.
const AHEAD: i64 = 3_600_000;

/// After a group of at least so many the files are not written at once: the caller does that beside its next work.
pub(crate) const LARGE: usize = 512;

/// What became of a draft.
pub(crate) struct Admitted {
    pub(crate) id: MemoryId,
    pub(crate) outcome: Outcome,
    pub(crate) file: String,
}

impl Store {
    /// Lets drafts in with one durable commit for all that are new.
    pub(crate) fn keep(&mut self, drafts: Vec<Prepared>) -> Result<Vec<Result<Admitted>>> {
        let large = drafts.len() >= LARGE;
        let _lock = self.lock()?;
        self.ledger.begin(if large { Amount::Many } else { Amount::Few })?;
        let admitted = self.refresh().and_then(|()| self.admit_all(drafts));
        let finished = match admitted {
            Ok(answers) => self.ledger.finish(&*self.disk).map(|()| answers),
            Err(error) => {
                self.ledger.abandon();
                Err(error)
            }
        };
        let answers = match finished {
            Ok(answers) => answers,
            Err(error) => return Err(self.unsure(error)),
        };
        if !large && self.flush_is_due() {
            self.flush_or_say();
        }
        Ok(answers)
    }

    /// Decides about each draft and writes the operations, inside the transaction that is open.
    fn admit_all(&mut self, drafts: Vec<Prepared>) -> Result<Vec<Result<Admitted>>> {
        let now = ambient::now();
        let mut clock = self.last_number(now)?;
        let mut ops = Tail::default();
        let mut answers: Vec<Result<Admitted>> = Vec::with_capacity(drafts.len());
        let mut files = Files::default();
        let mut looked = HashMap::new();
        let mut forgotten = Forgotten::default();
        for prepared in drafts {
            self.look_first(&prepared, &mut looked)?;
            let verdict = match self.verdict(&prepared, &ops) {
                Ok(verdict) => verdict,
                // What stands already in a file that cannot be taken over keeps only this one out.
                Err(error) if error.is_of_one_file() => {
                    answers.push(Err(error));
                    continue;
                }
                Err(error) => return Err(error),
            };
            if verdict == Verdict::Create
                && let Some(id) = self.forgotten_as(&prepared, &mut forgotten)?
            {
                answers.push(Ok(Admitted { id, outcome: Outcome::Forgotten, file: String::new() }));
                continue;
            }
            match verdict {
                Verdict::Create => {
                    clock = now.0.max(clock + 1);
                    let marks = prepared.marks;
                    let memory = create(prepared, now, Time(clock), self.config.memory.layout);
                    let file = match self.file_for(&memory, &mut files) {
                        Ok(file) => file,
                        // One file that cannot be written does not keep the others' drafts out.
                        Err(
                            error @ (Error::NotPlain { .. } | Error::TooLarge { .. } | Error::NoRoom { .. }),
                        ) => {
                            answers.push(Err(error));
                            continue;
                        }
                        Err(error) => return Err(error),
                    };
                    self.by_same.insert(marks.same, memory.id.clone());
                    answers.push(Ok(Admitted {
                        id: memory.id.clone(),
                        outcome: Outcome::Created,
                        file: file.clone(),
                    }));
                    let id = memory.id.clone();
                    let put = op(OpKind::Put, now, &id, file, Payload::Memory(Box::new(memory)));
                    ops.push(Op { marks: Some(marks), ..put });
                }
                Verdict::Duplicate(id) => {
                    if self.is_told_otherwise(&id, &prepared, &ops)? {
                        self.commit_numbered(ops.take(), clock)?;
                        self.ledger.finish(&*self.disk)?;
                        let told = self.tell_again(&id, &prepared.draft.provenance);
                        self.ledger.begin(Amount::Few)?;
                        // Where its file keeps that out, the text is there all the same.
                        if let Err(error) = told
                            && !error.is_of_one_file()
                        {
                            return Err(error);
                        }
                        clock = self.last_number(now)?.max(clock);
                    }
                    answers.push(self.answer(id, Outcome::Duplicate, &ops));
                }
                Verdict::KeyTaken(id) => answers.push(self.answer(id, Outcome::KeyTaken, &ops)),
                Verdict::Refused(refusal) => answers.push(Err(refusal.into())),
                Verdict::Rewrite(id, body) => {
                    // The memory may be one of this batch, so what came before it is committed first.
                    self.commit_numbered(ops.take(), clock)?;
                    self.ledger.finish(&*self.disk)?;
                    let by = Some(&prepared.draft.provenance);
                    let turn = Turn { by, at: prepared.at, ..Turn::of("replace") };
                    let entry = self.change(&id, turn, |memory| take_in(memory, body, &prepared));
                    self.ledger.begin(Amount::Few)?;
                    clock = self.last_number(now)?.max(clock);
                    answers.push(entry.map(|entry| Admitted {
                        id,
                        outcome: Outcome::Updated,
                        file: entry.file,
                    }));
                }
            }
        }
        self.commit_numbered(ops.take(), clock)?;
        Ok(answers)
    }

    /// The highest number given out so far. One that lies more than a day ahead was given while the clock was wrong, and
    /// those after it do not follow it there.
    fn last_number(&self, now: Time) -> Result<i64> {
        let most = now.0 + DAY_MS;
        if self.seen.clock <= most { Ok(self.seen.clock) } else { self.ledger.highest_number(most) }
    }

    /// Commits operations, the last of whose memories has this number.
    fn commit_numbered(&mut self, ops: Vec<Op>, clock: i64) -> Result<()> {
        if !ops.is_empty() {
            self.seen.clock = clock;
        }
        self.commit(ops)
    }

    /// Takes over what a person changed in the file where a draft would go, so that it is compared with what stands.
    fn look_first(&mut self, prepared: &Prepared, looked: &mut HashMap<AgentId, Vec<Kind>>) -> Result<()> {
        let Scope::Agent(agent) = &prepared.draft.scope else { return Ok(()) };
        if looked.get(agent).is_some_and(|kinds| kinds.contains(&prepared.kind)) {
            return Ok(());
        }
        looked.entry(agent.clone()).or_default().push(prepared.kind.clone());
        let path = Home::vault(agent.clone(), prepared.kind.category()).path();
        let stat = self.disk.stat(&path).unwrap_or(None);
        let known = self.ledger.file(&path)?;
        let same = known.as_ref().map_or(stat.is_none(), |row| Some(row.stat) == stat);
        if same { Ok(()) } else { self.look_or_say(&path) }
    }

    pub(super) fn commit(&mut self, ops: Vec<Op>) -> Result<()> {
        self.commit_also(ops, |_| Ok(()))
    }

    /// The same, with something beside the operations that comes to be with them or not at all.
    pub(super) fn commit_also(
        &mut self,
        mut ops: Vec<Op>,
        also: impl FnOnce(&rusqlite::Connection) -> Result<()>,
    ) -> Result<()> {
        if ops.is_empty() {
            return Ok(());
        }
        let head = self.seen;
        let append = |db: &rusqlite::Connection| {
            also(db)?;
            ledger::append(db, head, &mut ops)
        };
        match self.ledger.commit(&*self.disk, Durability::Durable, append) {
            Ok(head) => {
                self.seen = head;
                self.tail.extend(ops);
                Ok(())
            }
            Err(error) => Err(self.unsure(error)),
        }
    }

    /// After an error a commit may or may not have happened; the ledger is asked before anything else is done.
    pub(super) fn unsure(&mut self, error: Error) -> Error {
        self.seen = ledger::Head { seq: i64::MAX, ..ledger::Head::default() };
        // If it cannot be asked now, the next call asks, because what was last seen fits nothing.
        let _ = self.refresh();
        error
    }

    /// Writes the files after a large group, which left that to its caller.
    pub(crate) fn flush_after_group(&mut self) {
        match self.lock() {
            Ok(_lock) => self.flush_or_say(),
            // What waits is safe in the ledger, and the next call meets the same lock and says so.
            Err(error) => self.notice(error.code(), error.to_string()),
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

    fn verdict(&mut self, prepared: &Prepared, ops: &Tail) -> Result<Verdict> {
        let draft = &prepared.draft;
        let limit = self.config.limits.entry_bytes;
        let keyed = match &draft.key {
            Some(key) => {
                let pending = ops.under(&draft.scope, key).or_else(|| self.tail.under(&draft.scope, key));
                match pending {
                    Some(memory) => Some(memory.clone()),
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
        let same = prepared.marks.same;
        if let Some(id) = self.by_same.get(&same) {
            let id = id.clone();
            let last = self.tail_op(&id);
            let stands = last.is_none_or(|op| op.kind.changes_files() && op.kind != OpKind::Remove);
            let memory = match last {
                Some(op) => memory_of(&op.payload).cloned(),
                None if prepared.draft.provenance.class == SourceClass::Human => {
                    self.standing(&id)?.map(|entry| entry.memory)
                }
                None => None,
            };
            if stands && !memory.is_some_and(|memory| is_taken_up_again(&memory, prepared)) {
                return Ok(Some(id));
            }
        }
        for id in self.ledger.ids_that_say(&same)? {
            if self.tail_op(&id).is_none()
                && let Some(entry) = self.standing(&id)?
                && !is_taken_up_again(&entry.memory, prepared)
            {
                return Ok(Some(id));
            }
        }
        Ok(None)
    }

    /// A memory as its file shows it now; the file is looked at again if it changed. Needs the lock.
    pub(super) fn standing(&mut self, id: &MemoryId) -> Result<Option<Entry>> {
        Ok(self.standing_raw(id)?.map(|(entry, ..)| entry))
    }

    pub(super) fn standing_raw(&mut self, id: &MemoryId) -> Result<Option<(Entry, Vec<u8>, Row)>> {
        for row in self.rows_of(id)? {
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

    fn answer(&self, id: MemoryId, outcome: Outcome, ops: &Tail) -> Result<Admitted> {
        let pending = ops.last_of(&id).or_else(|| self.tail_op(&id)).map(|op| op.file.clone());
        let file = match pending {
            Some(file) => file,
            None => match self.rows_of(&id)?.first() {
                Some(row) => self.ledger.file_no(row.file)?.map_or(String::new(), |file| file.path),
                None => String::new(),
            },
        };
        Ok(Admitted { id, outcome, file })
    }

    /// Where a new memory goes, if there is room for it. An agent's folder may be spelt in other letters on disk.
    fn file_for(&self, memory: &Memory, files: &mut Files) -> Result<String> {
        let of_scope = files.vaults.get(&memory.scope).map(Vec::as_slice).unwrap_or_default();
        let mut path = match of_scope.iter().find(|(kind, _)| *kind == memory.kind) {
            Some((_, path)) => path.clone(),
            None => Home::of(memory, self.config.memory.layout).path(),
        };
        let home = Home::of_path(&path);
        if let Some(Home::Record(_)) = &home {
            return Ok(path);
        }
        if !files.sizes.contains_key(&path) {
            if let Some(Home::Vault { agent, category, folder }) = home {
                path = self.vault_path(path, &agent, &category, &folder)?;
                files
                    .vaults
                    .entry(memory.scope.clone())
                    .or_default()
                    .push((memory.kind.clone(), path.clone()));
            }
            let stands = self.refuse_unwritable(&path)?;
            let waits: u64 = self
                .tail
                .iter()
                .filter(|op| op.kind == OpKind::Put && op.file == path)
                .filter_map(|op| memory_of(&op.payload).map(entry_bytes))
                .sum();
            files.sizes.insert(path.clone(), stands + waits);
        }
        let size = files.sizes.entry(path.clone()).or_default();
        let after = *size + entry_bytes(memory);
        let limit = self.config.limits.file_bytes;
        if after > limit {
            return Err(Error::NoRoom { path, limit });
        }
        *size = after;
        Ok(path)
    }

    fn vault_path(&self, path: String, agent: &AgentId, category: &Category, folder: &str) -> Result<String> {
        if self.ledger.file(&path)?.is_some() {
            return Ok(path);
        }
        let names = self.disk.list("")?;
        let is_other = |name: &Name| name.name != *folder && name.name.eq_ignore_ascii_case(agent.as_str());
        Ok(names.into_iter().find(is_other).map_or(path, |name| {
            Home::Vault { agent: agent.clone(), category: category.clone(), folder: name.name }.path()
        }))
    }

    /// Refuses what could never be written: a file that is a link or a pipe, or larger than is read. Gives its size.
    pub(super) fn refuse_unwritable(&self, path: &str) -> Result<u64> {
        let bytes = self.disk.stat(path)?.map_or(0, |stat| stat.size);
        let limit = self.config.limits.file_bytes;
        if bytes > limit { Err(crate::disk::too_large(path, bytes, limit)) } else { Ok(bytes) }
    }

    /// Memories that nearly say what this one says, among the latest of its kind.
    pub(crate) fn similar(&mut self, id: &MemoryId) -> Result<Vec<Entry>> {
        self.refresh()?;
        let entry = self.show(id)?;
        let person = memory_core::scope::Audience::default();
        let likeness = Likeness::of(entry.memory.body.as_str());
        let sql = "kind = ?1 ORDER BY created DESC LIMIT 300";
        let mut near = Vec::new();
        for row in self.ledger.rows(sql, &entry.memory.kind.word())? {
            if row.id != *id
                && row.scope == entry.memory.scope.to_string()
                && likeness.is_near(Likeness(row.likeness))
            {
                near.extend(self.show(&row.id).ok().filter(|entry| entry.memory.visible_to(&person)));
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
        if self.ledger.file(path)?.is_none() && self.disk.stat(path)?.is_none() {
            return Err(Error::NoFile { path: path.to_owned() });
        }
        self.reconcile_file(path, super::reconcile::Suspicion::Overruled)?;
        self.flush_for(&[path])
    }
}

pub(super) fn op(kind: OpKind, at: Time, id: &MemoryId, file: String, payload: Payload) -> Op {
    Op { seq: 0, at, kind, id: id.clone(), file, before: 0, archive: String::new(), payload, marks: None }
}

/// How many bytes a memory's entry has, about.
fn entry_bytes(memory: &Memory) -> u64 {
    let title = memory.title.as_ref().map_or(0, String::len);
    (title + memory.body.as_str().len()) as u64 + FRAME
}

/// A memory takes in what a draft under its key says: beside its own words, or in their place with all that came with
/// them.
fn take_in(memory: &mut Memory, body: Body, prepared: &Prepared) {
    if prepared.draft.on_existing == OnExisting::Replace {
        memory.body = body;
        memory.tags.clone_from(&prepared.tags);
        if prepared.draft.title.is_some() {
            memory.title.clone_from(&prepared.draft.title);
        }
        return;
    }
    reword(memory, body);
    for tag in &prepared.tags {
        if !memory.tags.contains(tag) {
            memory.tags.push(tag.clone());
        }
    }
}

/// A memory under its number.
fn create(prepared: Prepared, now: Time, number: Time, layout: Preferred) -> Memory {
    let draft = prepared.draft;
    let vault = layout == Preferred::Vault && matches!(draft.scope, memory_core::scope::Scope::Agent(_));
    let now = if number.0 - now.0 <= AHEAD { number } else { now };
    let id = if vault {
        MemoryId::from_millis(number.0.unsigned_abs())
    } else {
        record_id(draft.title.as_deref().unwrap_or(draft.body.as_str()), now, &number.0.to_string())
    };
    let said = prepared.at.map_or(now, |at| at.min(now));
    Memory {
        id,
        kind: prepared.kind,
        scope: draft.scope,
        key: draft.key,
        title: draft.title,
        body: draft.body,
        tags: prepared.tags,
        created: said,
        updated: said,
        provenance: draft.provenance,
        extra: draft.extra,
    }
}
