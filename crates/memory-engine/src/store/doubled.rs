//! An id that stands in two files, as a line of the journal does or after a copy of an agent's folder: which of the two
//! is meant, and that it is said where one hides the other.

use std::collections::HashSet;

use memory_core::id::MemoryId;
use memory_core::layout::Home;

use super::Store;
use crate::error::Result;
use crate::ledger::{OpKind, Row};

impl Store {
    /// The places of a memory, the one that is meant first: that of a journal's line before its copy in the file of its
    /// day, else the one that was known first.
    pub(super) fn rows_of(&self, id: &MemoryId) -> Result<Vec<Row>> {
        let mut rows = self.ledger.rows_of_id(id)?;
        if rows.len() > 1 {
            let mut copies = HashSet::new();
            for row in &rows {
                if self.ledger.file_no(row.file)?.is_some_and(|file| is_day(&file.path)) {
                    copies.insert(row.file);
                }
            }
            rows.sort_by_key(|row| copies.contains(&row.file));
        }
        Ok(rows)
    }

    /// Says which memories that came in by hand after an operation have the id of another one.
    pub(super) fn say_doubled(&mut self, since: i64) -> Result<()> {
        let mut ids: Vec<MemoryId> = Vec::new();
        for op in self.tail.iter().filter(|op| op.seq > since) {
            match op.kind {
                OpKind::FoundNew => ids.push(op.id.clone()),
                OpKind::Adopt => {
                    let Some(file) = self.ledger.file(&op.file)? else { continue };
                    ids.extend(self.ledger.rows_of_file(file.no)?.into_iter().map(|row| row.id));
                }
                _ => {}
            }
        }
        let mut doubled = Vec::new();
        for id in ids.into_iter().filter(|id| !id.is_untracked()) {
            let mut paths = Vec::new();
            for row in self.rows_of(&id)? {
                let file = self.ledger.file_no(row.file)?.map(|file| file.path);
                paths.extend(file.filter(|path| is_apart(path)));
            }
            if let [first, .., last] = &paths[..] {
                doubled.push((id, first.clone(), last.clone()));
            }
        }
        let Some((id, first, last)) = doubled.first() else { return Ok(()) };
        let more = match doubled.len() - 1 {
            0 => String::new(),
            more => format!(", and {more} more are doubled like this"),
        };
        let text = format!(
            "the id {id} stands in `{first}` and in `{last}`{more}; search finds one of them: give the other an id of its \
             own, or take it out"
        );
        self.notice("duplicate-id", text);
        Ok(())
    }
}

/// Whether a file holds the lines of one day, which stand in the journal too.
pub(super) fn is_day(path: &str) -> bool {
    matches!(Home::of_path(path), Some(Home::Day(_)))
}

/// Whether a file is its own: an id stands in one of them alone. A journal's line stands in the file of its day too.
pub(crate) fn is_apart(path: &str) -> bool {
    matches!(Home::of_path(path), Some(Home::Vault { .. } | Home::Record(_)))
}
