//! What the ledger tells of the entries of a changed file, read before anything is decided about them.
//!
//! An entry counts as overwritten by an old buffer only when it is shown exactly as it once stood. What was written
//! again because of such a buffer is no younger than what it repeats.

use std::collections::{HashMap, HashSet};

use memory_core::id::MemoryId;
use memory_core::layout::{self, Change, Home};
use memory_core::memory::Memory;

use super::Store;
use super::elsewhere::Files;
use super::plan::{Elsewhere, Known, Past, Wanted};
use super::reconcile::{Shows, memory_of};
use crate::error::Result;
use crate::ledger::{Op, OpKind, Payload, Row, entry_digest};

/// What makes a file look like an old buffer.
#[derive(Debug, Clone, Copy)]
pub(super) struct Window {
    /// Operations of ours from this millisecond on may be newer than the buffer.
    pub(super) since: i64,
    /// Whether the file shows the very bytes for which something was written again before.
    pub(super) shown_before: bool,
}

/// The operations of ours within a window that changed an entry, the newest first, and the one before them.
struct Ours {
    ops: Vec<Op>,
    before: Option<Op>,
}

impl Store {
    /// The entries that the catalogue knows of a file, with all that is needed to tell what became of them. Without a
    /// window the file is no old buffer.
    pub(super) fn known_entries(
        &self,
        home: &Home,
        rows: &[Row],
        shows: &Shows,
        window: Option<Window>,
        files: &mut Files,
    ) -> Result<Vec<Known>> {
        let now: HashSet<&MemoryId> = shows.rows.iter().map(|row| &row.id).collect();
        let mut known = Vec::with_capacity(rows.len());
        let mut may_be_unseen = false;
        for row in rows {
            let (mut past, mut elsewhere) = (Past::default(), Elsewhere::No);
            let missing = !now.contains(&row.id);
            if missing {
                elsewhere = files.hold(self, row, &shows.file.path)?;
            }
            let shown = shows.fresh.get(&row.id);
            if let Some(window) = window
                && (missing && elsewhere == Elsewhere::No || shown.is_some())
            {
                past = self.ours(row.seq, window)?.past(home, shown, window);
                may_be_unseen |= missing && past.recent;
            }
            known.push(Known { id: row.id.clone(), digest: row.digest, seq: row.seq, past, elsewhere });
        }
        // How old the others are matters only beside one that a buffer may not have seen.
        if let Some(window) = window.filter(|_| may_be_unseen) {
            let kept = |entry: &&mut Known| now.contains(&entry.id) && !shows.fresh.contains_key(&entry.id);
            for entry in known.iter_mut().filter(kept) {
                entry.past = self.ours(entry.seq, window)?.past(home, None, window);
            }
        }
        Ok(known)
    }

    /// The batch of the archive that holds an entry which we took out of a file, if the file shows it just as it stood.
    /// What is brought back a second time is meant.
    pub(super) fn left_with(&self, id: &MemoryId, shows: &Shows, window: Window) -> Result<Option<String>> {
        let Some(shown) = shows.fresh.get(id) else { return Ok(None) };
        let ops = self.ledger.ops_of(id)?;
        let mut ops = ops.into_iter().rev().filter(|op| op.file == shows.file.path);
        let Some(last) = ops.next().filter(|op| op.kind == OpKind::Remove) else { return Ok(None) };
        if window.shown_before && ops.next().is_some_and(|op| op.kind == OpKind::Remove) {
            return Ok(None);
        }
        // An archive that cannot tell does not decide.
        let Ok(Some(manifest)) = self.read_manifest(&last.archive) else { return Ok(None) };
        let mut items = manifest.items.iter().filter(|item| item.id == *id && item.file == last.file);
        let stood = items.next().and_then(|item| self.archived_memory(&last.archive, item).ok());
        let is_same = |stood: &Memory| {
            stood.body == shown.body && stood.tags == shown.tags && stood.title == shown.title
        };
        Ok(stood.filter(|(stood, _)| is_same(stood)).map(|_| last.archive))
    }

    /// What unsettled operations want of the entries of a file.
    pub(super) fn wanted(&self, home: &Home, shows: &Shows) -> HashMap<MemoryId, Wanted> {
        let mut wanted = HashMap::new();
        for op in self.tail.iter().filter(|op| op.file == shows.file.path) {
            let shown =
                || shows.fresh.get(&op.id).is_some_and(|it| as_written(home, op).as_ref() == Some(it));
            let want = match op.kind {
                OpKind::Remove => Some(Wanted::Gone),
                kind if kind.changes_files() && memory_of(&op.payload).is_some() => {
                    Some(Wanted::Stand { shown: shown() })
                }
                _ => None,
            };
            match want {
                Some(want) => wanted.insert(op.id.clone(), want),
                None => wanted.remove(&op.id),
            };
        }
        wanted
    }

    /// Whether the bytes of an entry say what it said before: other line ends or white space are no edit.
    pub(super) fn says_the_same(&self, home: &Home, old: &Row, raw: &[u8], shown: &Memory) -> Result<bool> {
        if differs_in_line_ends(old, raw) {
            return Ok(true);
        }
        let last = self.ledger.op(old.seq)?;
        Ok(last.and_then(|op| as_written(home, &op)).is_some_and(|stood| stood == *shown))
    }

    /// The text of a memory as the ledger last knew it.
    pub(super) fn last_text(&self, id: &MemoryId, seq: i64) -> Result<Option<Memory>> {
        if let Some(op) = self.tail_op(id)
            && let Some(memory) = memory_of(&op.payload)
        {
            return Ok(Some(memory.clone()));
        }
        let op = self.ledger.op(seq)?;
        Ok(op.and_then(|op| memory_of(&op.payload).cloned()))
    }

    fn ours(&self, seq: i64, window: Window) -> Result<Ours> {
        let mut ours = Ours { ops: Vec::new(), before: None };
        let mut next = self.ledger.op(seq)?;
        while let Some(op) = next {
            let made = op.kind.changes_files() && memory_of(&op.payload).is_some();
            if !made || !is_again(&op) && op.at.0 < window.since {
                ours.before = Some(op);
                break;
            }
            next = if (1..op.seq).contains(&op.before) { self.ledger.op(op.before)? } else { None };
            ours.ops.push(op);
        }
        while ours.ops.last().is_some_and(is_again) {
            ours.before = ours.ops.pop();
        }
        Ok(ours)
    }
}

impl Ours {
    fn past(&self, home: &Home, shown: Option<&Memory>, window: Window) -> Past {
        // What is undone a second time is meant.
        let meant = window.shown_before && self.ops.first().is_some_and(is_again);
        let mut older = self.ops.iter().skip(1).chain(&self.before);
        let reverted =
            shown.is_some_and(|shown| older.any(|op| as_written(home, op).is_some_and(|it| it == *shown)));
        let placed = self.ops.iter().find(|op| op.kind == OpKind::Restore && !is_again(op));
        let placed = placed.and_then(|op| u64::try_from(op.at.0).ok());
        Past { recent: !self.ops.is_empty() && !meant, reverted, placed }
    }
}

/// Whether an operation writes something again that an old buffer overwrote. What comes from the archive has its bytes.
fn is_again(op: &Op) -> bool {
    op.kind == OpKind::Restore && matches!(op.payload, Payload::Memory(_))
}

/// A memory as its file shows it when an operation stands there: what its layout cannot say is left out.
fn as_written(home: &Home, op: &Op) -> Option<Memory> {
    let raw = match &op.payload {
        Payload::None => return None,
        Payload::Raw(_, raw) => raw.clone(),
        Payload::Memory(memory) => layout::apply(b"", &layout::splice(home, b"", &[Change::Put(memory)])),
    };
    let mut shown = None;
    layout::visit(home, &raw, &mut |found| {
        shown.get_or_insert(found.memory);
    });
    let memory = memory_of(&op.payload)?;
    // Text without an id is not written as an entry, so it is as it was read.
    Some(shown.map_or_else(|| memory.clone(), |shown| Memory { id: memory.id.clone(), ..shown }))
}

/// Whether the bytes of an entry are those that the catalogue knows, but for their line ends.
fn differs_in_line_ends(old: &Row, raw: &[u8]) -> bool {
    let ends = raw.iter().filter(|&&b| b == b'\n').count() as u64;
    let text = String::from_utf8_lossy(raw);
    let turned = match raw.len() as u64 {
        size if size + ends == old.length => text.replace('\n', "\r\n"),
        size if size == old.length + ends => text.replace("\r\n", "\n"),
        _ => return false,
    };
    ends > 0 && entry_digest(turned.as_bytes()) == old.digest
}
