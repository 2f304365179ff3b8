//! Where else the entries of a file stand: of all files that the catalogue is not sure of each is read once, however
//! many files are looked at and entries are asked for.

use std::collections::HashMap;

use memory_core::id::MemoryId;
use memory_core::layout::{self, Home};

use super::plan::Elsewhere;
use super::{Sameness, Store, home_of, is_unchanged};
use crate::error::Result;
use crate::ledger::{Row, entry_digest};

/// What the files show, for one look at all of them or at one; read when it is first asked for.
#[derive(Default)]
pub(super) struct Files {
    read: Option<Read>,
    /// Whether several files share a commit.
    in_groups: bool,
    /// What left a file for another, with its digest and the operation that last changed it.
    left: HashMap<MemoryId, ([u8; 16], i64)>,
}

struct Read {
    /// The numbers and paths of the files of which the catalogue is true.
    sure: HashMap<i64, String>,
    /// The entries of all other files, with their file and the digest of their bytes.
    shown: HashMap<MemoryId, Vec<(String, [u8; 16])>>,
}

impl Files {
    /// For a look at files that share commits.
    pub(super) fn in_groups() -> Self {
        Self { in_groups: true, ..Self::default() }
    }

    /// Whether the files that are looked at share commits.
    pub(super) fn are_in_groups(&self) -> bool {
        self.in_groups
    }

    /// Whether a memory that left a file stands in another.
    pub(super) fn hold(&mut self, store: &Store, row: &Row, path: &str) -> Result<Elsewhere> {
        let read = match &mut self.read {
            Some(read) => read,
            none => none.insert(store.read_unsure()?),
        };
        let shown = read.shown.get(&row.id).map(Vec::as_slice).unwrap_or_default();
        let is_other = |file: &str| file != path && !are_copies(file, path);
        let mut digests: Vec<[u8; 16]> =
            shown.iter().filter(|(file, _)| is_other(file)).map(|(_, digest)| *digest).collect();
        for other in store.ledger.rows_of_id(&row.id)? {
            if read.sure.get(&other.file).is_some_and(|file| is_other(file)) {
                digests.push(other.digest);
            }
        }
        Ok(match digests.contains(&row.digest) {
            true => Elsewhere::Same,
            false if digests.is_empty() => Elsewhere::No,
            false => Elsewhere::Changed,
        })
    }

    /// Notes that an entry left its file for another, as it was.
    pub(super) fn leave(&mut self, row: &Row) {
        self.left.insert(row.id.clone(), (row.digest, row.seq));
    }

    /// The operation that last changed an entry in the file from which it was moved; 0 when it was not. With it the
    /// ledger still knows its text.
    pub(super) fn came_with(&self, store: &Store, row: &Row) -> Result<i64> {
        let others = store.ledger.rows_of_id(&row.id)?;
        let standing = others.into_iter().map(|other| (other.digest, other.seq));
        let mut all = standing.chain(self.left.get(&row.id).copied());
        Ok(all.find(|(digest, seq)| *digest == row.digest && *seq > 0).map_or(0, |(_, seq)| seq))
    }
}

/// A journal's line stands in the file of its day too, without having been moved there.
fn are_copies(a: &str, b: &str) -> bool {
    let (a, b) = (Home::of_path(a), Home::of_path(b));
    matches!((a, b), (Some(Home::Journal), Some(Home::Day(_))) | (Some(Home::Day(_)), Some(Home::Journal)))
}

impl Store {
    fn read_unsure(&self) -> Result<Read> {
        let mut read = Read { sure: HashMap::new(), shown: HashMap::new() };
        for path in self.memory_files()?.files {
            let sure = self.ledger.file(&path)?.filter(|row| row.frozen.is_empty());
            if let Some(row) = sure
                && is_unchanged(&row, self.disk.stat(&path)?) == Sameness::Same
            {
                read.sure.insert(row.no, path);
                continue;
            }
            let bytes = match self.disk.read(&path, self.config.limits.file_bytes) {
                // A file that cannot be read is said when it is looked at itself, and until then it holds nothing.
                Err(error) if error.is_of_one_file() => None,
                other => other?,
            };
            let bytes = bytes.unwrap_or_default();
            layout::visit(&home_of(&path)?, &bytes, &mut |found| {
                let digest = entry_digest(&bytes[found.place.bytes]);
                read.shown.entry(found.memory.id).or_default().push((path.clone(), digest));
            });
        }
        Ok(read)
    }
}
