//! A group of drafts on its way through the door: each is decided about, and becomes an operation or an answer.
//!
//! All operations of a group share the transaction that is open. Only a text that is replaced under its key has one of
//! its own, because what stood there is in the archive before it.

use std::collections::HashMap;

use memory_core::admit::{Verdict, admit};
use memory_core::id::{AgentId, MemoryId};
use memory_core::kind::Kind;
use memory_core::layout::{Home, Preferred, record_id};
use memory_core::memory::{Body, Draft, Memory, OnExisting, Provenance};
use memory_core::scope::{Scope, SourceClass};
use memory_core::time::{DAY_MS, Time};

use super::change::{Turn, reword};
use super::forgotten::{Forgotten, is_taken_up_again};
use super::reconcile::memory_of;
use super::tail::Tail;
use super::write::{Admitted, Files, op};
use super::{Outcome, Prepared, Store, key_fits};
use crate::ambient;
use crate::error::{Error, Result};
use crate::ledger::{Amount, Op, OpKind, Payload};

/// A number may run ahead of the clock by so much, since each has a millisecond of its own; it still tells the time.
const AHEAD: i64 = 3_600_000;

/// A group of drafts on its way in.
struct Admission {
    now: Time,
    amount: Amount,
    /// The last number that was given to a memory.
    clock: i64,
    /// What is not committed yet.
    ops: Tail,
    files: Files,
    /// The vault files that were looked at.
    looked: HashMap<AgentId, Vec<Kind>>,
    forgotten: Forgotten,
}

impl Store {
    /// Decides about each draft and writes the operations into the transaction that is open, which was begun for this
    /// amount. One is open afterwards, too.
    pub(super) fn admit_all(
        &mut self,
        drafts: Vec<Prepared>,
        amount: Amount,
    ) -> Result<Vec<Result<Admitted>>> {
        let now = ambient::now();
        let mut group = Admission {
            now,
            amount,
            clock: self.last_number(now)?,
            ops: Tail::default(),
            files: Files::default(),
            looked: HashMap::new(),
            forgotten: Forgotten::default(),
        };
        let mut answers = Vec::with_capacity(drafts.len());
        for prepared in drafts {
            answers.push(self.admit_one(prepared, &mut group)?);
        }
        self.commit_group(&mut group)?;
        Ok(answers)
    }

    /// Decides about one draft; what is wrong with it alone is its answer.
    fn admit_one(&mut self, prepared: Prepared, group: &mut Admission) -> Result<Result<Admitted>> {
        self.look_first(&prepared, &mut group.looked)?;
        let verdict = match self.verdict(&prepared, &group.ops) {
            // What stands already in a file that cannot be taken over keeps only this one out.
            Err(error) if error.is_of_one_file() => return Ok(Err(error)),
            verdict => verdict?,
        };
        match verdict {
            Verdict::Create => self.create(prepared, group),
            Verdict::Duplicate(id) => {
                self.tell_again(&id, &prepared.draft.provenance, group)?;
                Ok(self.answer(id, Outcome::Duplicate, &group.ops))
            }
            Verdict::KeyTaken(id) => Ok(self.answer(id, Outcome::KeyTaken, &group.ops)),
            Verdict::Refused(refusal) => Ok(Err(refusal.into())),
            Verdict::Rewrite(id, body) => self.rewrite(id, body, &prepared, group),
        }
    }

    /// A memory that is new, unless it was forgotten.
    fn create(&mut self, prepared: Prepared, group: &mut Admission) -> Result<Result<Admitted>> {
        if let Some(id) = self.forgotten_as(&prepared, &mut group.forgotten)? {
            return Ok(Ok(Admitted { id, outcome: Outcome::Forgotten, file: String::new() }));
        }
        group.clock = group.now.0.max(group.clock + 1);
        let marks = prepared.marks;
        let memory = numbered(prepared, group.now, Time(group.clock), self.config.memory.layout);
        let file = match self.file_for(&memory, &mut group.files) {
            // One file that cannot be written does not keep the others' drafts out.
            Err(error @ (Error::NotPlain { .. } | Error::TooLarge { .. } | Error::NoRoom { .. })) => {
                return Ok(Err(error));
            }
            file => file?,
        };
        let id = memory.id.clone();
        self.by_same.insert(marks.same, id.clone());
        let put = op(OpKind::Put, group.now, &id, file.clone(), Payload::Memory(Box::new(memory)));
        group.ops.push(Op { marks: Some(marks), ..put });
        Ok(Ok(Admitted { id, outcome: Outcome::Created, file }))
    }

    /// The words of a memory are said again; where that changes what is known of it, the change goes with the group.
    fn tell_again(&mut self, id: &MemoryId, by: &Provenance, group: &mut Admission) -> Result<()> {
        if let Some(memory) = group.ops.memory_mut(id) {
            memory.provenance = memory.provenance.said_again(by);
            return Ok(());
        }
        match self.told_again(id, by, group.now) {
            // Where its file keeps that out, the text is there all the same.
            Err(error) if error.is_of_one_file() => {}
            told => group.ops.extend(told?),
        }
        Ok(())
    }

    /// The text under a key is replaced. The memory may be one of this group, and what stands there is archived from its
    /// file, so what came before is committed first.
    fn rewrite(
        &mut self,
        id: MemoryId,
        body: Body,
        prepared: &Prepared,
        group: &mut Admission,
    ) -> Result<Result<Admitted>> {
        self.commit_group(group)?;
        self.ledger.finish(&*self.disk)?;
        let turn = Turn { by: Some(&prepared.draft.provenance), at: prepared.at, ..Turn::of("replace") };
        let changed = self.change(&id, turn, |memory| take_in(memory, body, prepared));
        self.ledger.begin(group.amount)?;
        group.clock = self.last_number(group.now)?.max(group.clock);
        Ok(changed.map(|entry| Admitted { id, outcome: Outcome::Updated, file: entry.file }))
    }

    /// The highest number given out so far. One that lies more than a day ahead was given while the clock was wrong, and
    /// those after it do not follow it there.
    fn last_number(&self, now: Time) -> Result<i64> {
        let most = now.0 + DAY_MS;
        if self.seen.clock <= most { Ok(self.seen.clock) } else { self.ledger.highest_number(most) }
    }

    /// Commits what the group has so far.
    fn commit_group(&mut self, group: &mut Admission) -> Result<()> {
        let ops = group.ops.take();
        if !ops.is_empty() {
            self.seen.clock = group.clock;
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
        ids.extend(self.ledger.rows_of_key(key)?.into_iter().map(|row| row.id));
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
fn numbered(prepared: Prepared, now: Time, number: Time, layout: Preferred) -> Memory {
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
