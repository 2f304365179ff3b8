//! Files that answer as they stand: frozen ones, and those that differ from what the catalogue says and cannot be taken
//! over, because nothing can be written here or because something else is in the way.

use std::collections::{HashMap, HashSet};

use memory_core::id::MemoryId;
use memory_core::layout::{self, Home};
use memory_core::scope::SourceClass;

use super::doubled::is_day;
use super::{Entry, Sameness, Store, home_of, is_unchanged};
use crate::disk::Stat;
use crate::error::{Error, Result};
use crate::ledger::{FileRow, entry_digest};

/// The word for a file that answers as it stands.
pub(crate) const AS_IT_STANDS: &str = "as-it-stands";

/// A file that could not be taken over, as it stood when it was read.
pub(super) struct Aside {
    path: String,
    stat: Option<Stat>,
    /// What it shows; `None` where it could not even be read.
    shows: Option<Vec<Entry>>,
}

impl Aside {
    fn entries(&self) -> impl Iterator<Item = &Entry> {
        self.shows.iter().flatten()
    }
}

impl Store {
    /// The files that could not be taken over.
    pub(super) fn aside_paths(&self) -> impl Iterator<Item = &str> {
        self.aside.iter().map(|aside| aside.path.as_str())
    }

    /// Those of them that answer as they stand.
    pub(crate) fn as_they_stand(&self) -> impl Iterator<Item = &str> {
        self.aside.iter().filter(|aside| aside.shows.is_some()).map(|aside| aside.path.as_str())
    }

    pub(super) fn is_aside(&self, path: &str) -> bool {
        self.aside.iter().any(|aside| aside.path == path)
    }

    /// The ids that such a file shows.
    pub(super) fn aside_ids(&self, path: &str) -> impl Iterator<Item = &MemoryId> {
        let aside = self.aside.iter().filter(move |aside| aside.path == path);
        aside.flat_map(|aside| aside.entries().map(|entry| &entry.memory.id))
    }

    /// A memory that such a file shows, if the file still stands as it was read.
    pub(super) fn aside_entry(&self, id: &MemoryId) -> Option<Entry> {
        if self.aside.is_empty() || self.tail_op(id).is_some() {
            return None;
        }
        let shows = |aside: &&Aside| aside.entries().any(|entry| entry.memory.id == *id);
        let aside = self.aside.iter().find(shows)?;
        let same = self.disk.stat(&aside.path).is_ok_and(|stat| stat == aside.stat);
        aside.entries().find(|entry| same && entry.memory.id == *id).cloned()
    }

    /// Looks which files differ from what the catalogue says where nothing can be taken over, and reads them.
    pub(super) fn look_aside(&mut self) -> Result<()> {
        let tree = self.memory_files()?;
        let mut known: HashMap<String, FileRow> =
            self.ledger.files()?.into_iter().map(|file| (file.path.clone(), file)).collect();
        let mut paths = tree.files;
        paths.extend(known.keys().cloned());
        paths.sort();
        paths.dedup();
        let mut differ = Vec::new();
        for path in paths {
            let stat = self.disk.stat(&path).unwrap_or(None);
            let as_known = known
                .remove(&path)
                .is_some_and(|row| !row.frozen.is_empty() || is_unchanged(&row, stat) != Sameness::Different);
            if !as_known {
                differ.push(path);
            }
        }
        self.aside.retain(|aside| differ.contains(&aside.path));
        for path in &differ {
            if let Some(error) = self.put_aside(path)? {
                self.notice(error.code(), error.to_string());
            }
        }
        self.say_aside()
    }

    /// Reads a file that could not be taken over, unless it stands as it was read before; gives why it cannot be read.
    pub(super) fn put_aside(&mut self, path: &str) -> Result<Option<Error>> {
        let stat = self.disk.stat(path).unwrap_or(None);
        if self.aside.iter().any(|it| it.path == path && it.stat == stat && it.shows.is_some()) {
            return Ok(None);
        }
        let (shows, unread) = match self.as_it_stands_now(path) {
            Ok(entries) => (Some(entries), None),
            Err(error) if error.is_of_one_file() => (None, Some(error)),
            Err(error) => return Err(error),
        };
        self.aside.retain(|aside| aside.path != path);
        self.aside.push(Aside { path: path.to_owned(), stat, shows });
        Ok(unread)
    }

    /// Lets go of files that are as the catalogue says by now, and says of the others how they answer.
    pub(super) fn say_aside(&mut self) -> Result<()> {
        for aside in std::mem::take(&mut self.aside) {
            let differs = match self.ledger.file(&aside.path)? {
                Some(_) => !self.is_back(&aside.path)?,
                None => self.disk.stat(&aside.path).is_ok_and(|stat| stat.is_some()),
            };
            if differs {
                self.aside.push(aside);
            }
        }
        let read: Vec<&str> = self.as_they_stand().collect();
        let Some(first) = read.first() else { return Ok(()) };
        let text = match read.len() - 1 {
            0 => format!("`{first}` changed, which cannot be noted here; it is read as it stands"),
            1 => format!(
                "`{first}` and another file changed, which cannot be noted here; they are read as they stand"
            ),
            more => format!(
                "`{first}` and {more} other files changed, which cannot be noted here; they are read as they stand"
            ),
        };
        self.notice(AS_IT_STANDS, text);
        Ok(())
    }

    /// What files show that answer as they stand, each memory once. What a file that cannot be read would show is left
    /// out, and said.
    pub(super) fn direct_entries(&mut self, fits: &dyn Fn(&str) -> bool) -> Result<Vec<Entry>> {
        let files = self.ledger.files()?;
        let mut entries = Vec::new();
        for file in files.iter().filter(|file| !file.frozen.is_empty() && fits(&file.path)) {
            match self.as_it_stands_now(&file.path) {
                Ok(found) => entries.extend(found),
                Err(error) if error.is_of_one_file() => self.notice(error.code(), error.to_string()),
                Err(error) => return Err(error),
            }
        }
        entries.extend(self.aside.iter().filter(|it| fits(&it.path)).flat_map(Aside::entries).cloned());
        // A journal's line stands in the file of its day too; the journal itself is meant.
        entries.sort_by_key(|entry| is_day(&entry.file));
        let mut seen = HashSet::new();
        let journal = files.iter().find(|file| file.path == Home::Journal.path()).map(|file| file.no);
        let mut left = Vec::with_capacity(entries.len());
        for entry in entries {
            let id = &entry.memory.id;
            let day_copy = is_day(&entry.file)
                && journal.is_some()
                && self.ledger.rows_of_id(id)?.iter().any(|row| Some(row.file) == journal);
            if !day_copy && self.tail_op(id).is_none() && seen.insert((id.clone(), entry.file.clone())) {
                left.push(entry);
            }
        }
        left.sort_by(|a, b| (b.memory.created, &b.memory.id).cmp(&(a.memory.created, &a.memory.id)));
        Ok(left)
    }

    /// What a file shows just now; the catalogue keeps what it showed before. Words that it does not know are worth what
    /// words in a file are worth.
    pub(super) fn as_it_stands_now(&self, path: &str) -> Result<Vec<Entry>> {
        let home = home_of(path)?;
        let bytes = self.disk.read(path, self.config.limits.file_bytes)?.unwrap_or_default();
        let mut known: HashMap<MemoryId, ([u8; 16], u8)> = HashMap::new();
        if let Some(file) = self.ledger.file(path)? {
            let rows = self.ledger.rows_of_file(file.no)?;
            known.extend(rows.into_iter().map(|row| (row.id, (row.digest, row.class))));
        }
        let forgotten = self.forgotten_for_good()?;
        let mut entries = Vec::new();
        layout::visit(&home, &bytes, &mut |found| {
            let mut memory = found.memory;
            let raw = bytes.get(found.place.bytes).unwrap_or_default();
            let class = known.get(&memory.id).filter(|(digest, _)| *digest == entry_digest(raw));
            if class.is_none() && forgotten.says(&memory) {
                return;
            }
            let most = class.map_or(SourceClass::HumanEdit, |(_, class)| SourceClass::of_rank(*class));
            memory.provenance.class = memory.provenance.class.min(most);
            let (first_line, last_line) = (found.place.first_line as u64, found.place.last_line as u64);
            let text_line = first_line + layout::lines_before_text(raw, memory.body.as_str()) as u64;
            entries.push(Entry { memory, file: path.to_owned(), first_line, last_line, text_line });
        });
        Ok(entries)
    }
}
