//! Brings the index on disk up to the ledger. One process at a time does this, off everybody's path; whoever finds
//! another at it leaves.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use memory_core::id::MemoryId;
use memory_core::scope::Sensitivity;
use tantivy::directory::error::LockError;
use tantivy::directory::{Directory, DirectoryLock, Lock, MmapDirectory, TerminatingWrite};
use tantivy::merge_policy::NoMergePolicy;
use tantivy::{Index as Tantivy, IndexWriter, TantivyDocument, Term};

use super::Index;
use super::guard::guarded;
use super::on_disk::{CURRENT, Fields, Marked, OnDisk, SHELVES, Stood, broken, generation, open, schema};
use super::placed::PlacedTokenizer;
use super::shelf::{Card, Shelf, lay_out};
use super::words::{Reader, Words, meaning, quantised};
use crate::ambient;
use crate::disk::{Disk, Sort};
use crate::error::{Error, Result};
use crate::model::Embedder;
use crate::spread::{relay, spread_from};
use crate::store::{Entry, Store};

/// What became of a drain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Drained {
    /// The index has everything; so many memories were put in.
    Done(usize),
    /// Another process is at it.
    Busy,
}

/// Memories that are looked up before they are handed on.
const CHUNK: usize = 2048;
/// Memories that one core reads at a time: of all that there are, and of a few.
const PART: usize = 256;
const FEW: usize = 64;
/// Rows of one shelf; smaller ones that pile up are put together.
const SHELF_ROWS: usize = 1 << 16;
/// More small shelves than this are put together.
const FEW_SHELVES: usize = 6;
/// Bytes that tantivy gathers before it writes a segment. It is one thread's work, beside those that read: two would make
/// twice the segments, and putting them together takes longer than they save.
const GATHERED: usize = 96 << 20;

/// Brings the index in a folder up to date; `report` hears how many of how many memories are done.
pub(crate) fn drain(
    store: &mut Store,
    embedder: &dyn Embedder,
    from_scratch: bool,
    report: &mut dyn FnMut(usize, usize),
) -> Result<Drained> {
    store.disk().make_folder(super::FOLDER)?;
    let index = store.disk().index();
    let Some(_elected) = elect(&index)? else { return Ok(Drained::Busy) };
    store.freshen()?;
    let opened = if from_scratch { None } else { open(&index, embedder.name()).ok().flatten() };
    let opened = opened.filter(|opened| store.knows(opened.marked.seq, &opened.marked.hash));
    let wasted = |counts: [usize; 4]| counts[2] > 2 * counts[3] + 10_000;
    if let Some(opened) = opened.filter(|opened| !wasted(opened.counts())) {
        match guarded(|| further(store, embedder, opened, report)) {
            // What cannot be written on is damaged.
            None | Some(Err(Error::Index { .. })) => {}
            Some(done) => return done.map(Drained::Done),
        }
    }
    anew(store, embedder, &index, report)
}

/// Puts what the index lacks into it; gives how many memories that were.
fn further(
    store: &mut Store,
    embedder: &dyn Embedder,
    opened: OnDisk,
    report: &mut dyn FnMut(usize, usize),
) -> Result<usize> {
    let (head, hash) = store.head();
    let before = &opened.marked;
    let changes = store.changes_after(before.seq, &before.away)?;
    if changes.is_empty() && before.seq == head {
        return Ok(0);
    }
    let rows: usize = opened.shelves().iter().map(Shelf::rows).sum();
    let marked = before.clone().up_to(head, hash);
    let (folder, tantivy) = (opened.folder.clone(), opened.tantivy.clone());
    drop(opened);
    let mut filling = Filling::new(folder, &tantivy, marked, rows, embedder)?;
    let ids = store.ids_of(&changes)?;
    let mut away = changes.away;
    for (n, part) in ids.chunks(CHUNK).enumerate() {
        report(n * CHUNK, ids.len());
        let mut entries = Vec::with_capacity(part.len());
        part.iter().for_each(|id| filling.forget(id));
        away.extend(store.each_current(part, &mut |entry| entries.push(entry))?);
        filling.add(read_all(entries, embedder)?)?;
    }
    report(ids.len(), ids.len());
    filling.marked.away = away.into_iter().collect();
    filling.finish(false)
}

fn elect(index: &Path) -> Result<Option<DirectoryLock>> {
    let directory = MmapDirectory::open(index).map_err(broken)?;
    let lock = Lock { filepath: PathBuf::from("writer.lock"), is_blocking: false };
    match directory.acquire_lock(&lock) {
        Ok(lock) => Ok(Some(lock)),
        Err(LockError::LockBusy) => Ok(None),
        Err(error) => Err(broken(error)),
    }
}

/// Builds a new generation, and then takes the old one away.
fn anew(
    store: &mut Store,
    embedder: &dyn Embedder,
    index: &Path,
    report: &mut dyn FnMut(usize, usize),
) -> Result<Drained> {
    // What others began and did not finish.
    sweep(store.disk(), &generation(index).unwrap_or_default());
    let name = format!("g-{}-{}", ambient::now().0, ambient::process());
    let inside = format!("{}/{name}", super::FOLDER);
    store.disk().make_folder(&format!("{inside}/{SHELVES}"))?;
    let folder = index.join(&name);
    let directory = MmapDirectory::open(&folder).map_err(broken)?;
    let tantivy =
        Tantivy::create(directory, schema().0, tantivy::IndexSettings::default()).map_err(broken)?;
    let (seq, hash) = store.head();
    let marked = Marked::new(embedder.name()).up_to(seq, hash);
    let mut filling = Filling::new(folder, &tantivy, marked, 0, embedder)?;
    // All segments become one in the end; one that was merged by itself meanwhile could not be found then.
    filling.writer.set_merge_policy(Box::new(NoMergePolicy));
    let total = store.count()?;
    let readers = Readers::default();
    let take = |words: Result<Vec<Words>>| {
        filling.add(words?)?;
        report(filling.count, total.max(filling.count));
        Ok(())
    };
    let mut away = BTreeSet::new();
    relay(
        |entries| read(entries, embedder, &readers),
        take,
        |relay| {
            let mut part = Vec::with_capacity(PART);
            away = store.each_entry(&mut |entry| {
                part.push(entry);
                if part.len() == PART { relay.give(std::mem::take(&mut part)) } else { Ok(()) }
            })?;
            relay.give(part)
        },
    )?;
    filling.marked.away = away.into_iter().collect();
    let count = filling.finish(true)?;
    let root = MmapDirectory::open(index).map_err(broken)?;
    root.atomic_write(Path::new(CURRENT), name.as_bytes()).map_err(broken)?;
    sweep(store.disk(), &name);
    report(count, count);
    Ok(Drained::Done(count))
}

/// Takes generations away that are no longer in use. What cannot go now goes next time.
fn sweep(disk: &dyn Disk, keep: &str) {
    for name in disk.list(super::FOLDER).unwrap_or_default() {
        if name.sort == Sort::Folder && name.name.starts_with("g-") && name.name != keep {
            remove_folder(disk, &format!("{}/{}", super::FOLDER, name.name));
        }
    }
}

/// Takes the whole index away, every byte of it; `false` when another process keeps writing it.
pub(crate) fn remove(disk: &dyn Disk) -> Result<bool> {
    if disk.list(super::FOLDER)?.is_empty() {
        return Ok(true);
    }
    for _ in 0..100 {
        if let Some(_elected) = elect(&disk.index())? {
            disk.remove(&format!("{}/{CURRENT}", super::FOLDER))?;
            sweep(disk, "");
            return Ok(disk.list(super::FOLDER)?.iter().all(|name| name.sort != Sort::Folder));
        }
        disk.pause(std::time::Duration::from_millis(100));
    }
    Ok(false)
}

/// Says that there is no index if its bytes are not those that were written, so that it is made anew.
pub(crate) fn discard_if_damaged(disk: &dyn Disk, model: &str) {
    let index = disk.index();
    let damaged = |opened: OnDisk| guarded(|| opened.damaged_file().is_some()).unwrap_or(true);
    // One that cannot be opened is made anew as it is.
    if open(&index, model).ok().flatten().is_some_and(damaged)
        && let Ok(Some(_elected)) = elect(&index)
    {
        let _ = disk.remove(&format!("{}/{CURRENT}", super::FOLDER));
    }
}

fn remove_folder(disk: &dyn Disk, folder: &str) {
    for name in disk.list(folder).unwrap_or_default() {
        let path = format!("{folder}/{}", name.name);
        match name.sort {
            Sort::Folder => remove_folder(disk, &path),
            Sort::File | Sort::Other => {
                let _ = disk.remove(&path);
            }
        }
    }
    let _ = disk.remove_folder(folder);
}

/// An index that is being written.
struct Filling<'a> {
    folder: PathBuf,
    writer: IndexWriter,
    fields: Fields,
    marked: Marked,
    embedder: &'a dyn Embedder,
    cards: Vec<Card>,
    /// The number of the next row.
    next: usize,
    count: usize,
    /// Shelves that were written.
    written: usize,
}

impl<'a> Filling<'a> {
    fn new(
        folder: PathBuf,
        tantivy: &Tantivy,
        marked: Marked,
        rows: usize,
        embedder: &'a dyn Embedder,
    ) -> Result<Self> {
        tantivy.tokenizers().register(PlacedTokenizer::NAME, PlacedTokenizer::default());
        let writer = tantivy.writer_with_num_threads(1, GATHERED).map_err(broken)?;
        let fields = schema().1;
        let cards = Vec::new();
        Ok(Self { folder, writer, fields, marked, embedder, cards, next: rows, count: 0, written: 0 })
    }

    fn forget(&mut self, id: &MemoryId) {
        self.writer.delete_term(Term::from_field_text(self.fields.id, id.as_str()));
    }

    fn add(&mut self, words: Vec<Words>) -> Result<()> {
        for words in words {
            let mut document = TantivyDocument::default();
            document.add_text(self.fields.id, &words.card.id);
            document.add_u64(self.fields.row, self.next as u64);
            for (number, placed) in self.fields.terms.into_iter().zip(words.fields) {
                if !placed.is_empty() {
                    document.add_text(number, placed.as_text());
                }
            }
            self.writer.add_document(document).map_err(broken)?;
            self.cards.push(words.card);
            self.next += 1;
            self.count += 1;
            if self.cards.len() == SHELF_ROWS {
                self.stand()?;
            }
        }
        Ok(())
    }

    /// Writes the cards that wait as a shelf.
    fn stand(&mut self) -> Result<()> {
        if self.cards.is_empty() {
            return Ok(());
        }
        let cards = std::mem::take(&mut self.cards);
        let stood = self.write_shelf(&cards)?;
        self.marked.shelves.push(stood);
        Ok(())
    }

    fn write_shelf(&mut self, cards: &[Card]) -> Result<Stood> {
        let directory = MmapDirectory::open(self.folder.join(SHELVES)).map_err(broken)?;
        let file = format!("s-{}-{}", ambient::now().0, self.written);
        self.written += 1;
        let mut out = directory.open_write(Path::new(&file)).map_err(broken)?;
        let bytes = lay_out(cards, self.embedder.dims());
        std::io::Write::write_all(&mut out, &bytes).map_err(broken)?;
        out.terminate().map_err(broken)?;
        Ok(Stood::new(file, cards.len(), &bytes))
    }

    /// Puts small shelves that stand side by side together, as many as one shelf holds; gives those that are no longer
    /// needed once this is committed.
    fn tidy_shelves(&mut self) -> Result<Vec<String>> {
        let is_small = |stood: &&Stood| (stood.rows as usize) < SHELF_ROWS;
        if self.marked.shelves.iter().filter(is_small).count() <= FEW_SHELVES {
            return Ok(Vec::new());
        }
        let directory = MmapDirectory::open(self.folder.join(SHELVES)).map_err(broken)?;
        let mut old = Vec::new();
        let mut rest = std::mem::take(&mut self.marked.shelves).into_iter().peekable();
        while let Some(first) = rest.next() {
            let mut rows = first.rows as usize;
            let mut together = vec![first];
            while let Some(next) = rest.next_if(|next| rows + next.rows as usize <= SHELF_ROWS) {
                rows += next.rows as usize;
                together.push(next);
            }
            if together.len() == 1 {
                self.marked.shelves.append(&mut together);
                continue;
            }
            let mut cards = Vec::with_capacity(rows);
            for stood in &together {
                let shelf = stood.read(&directory)?;
                let missing = || broken(format!("`{}` is damaged", stood.file));
                for row in 0..shelf.rows() {
                    cards.push(shelf.card(row).ok_or_else(missing)?);
                }
            }
            let stood = self.write_shelf(&cards)?;
            self.marked.shelves.push(stood);
            old.extend(together.into_iter().map(|stood| stood.file));
        }
        Ok(old)
    }

    fn finish(mut self, into_one: bool) -> Result<usize> {
        self.stand()?;
        let old = self.tidy_shelves()?;
        let payload = serde_json::to_string(&self.marked).map_err(broken)?;
        let mut commit = self.writer.prepare_commit().map_err(broken)?;
        commit.set_payload(&payload);
        commit.commit().map_err(broken)?;
        let segments = self.writer.index().searchable_segment_ids().map_err(broken)?;
        if into_one && segments.len() > 1 {
            // It is committed; several segments give the same answers as one.
            let _ = self.writer.merge(&segments).wait();
        }
        let _ = self.writer.garbage_collect_files().wait();
        self.writer.wait_merging_threads().map_err(broken)?;
        let directory = MmapDirectory::open(self.folder.join(SHELVES)).map_err(broken)?;
        for file in old {
            // A reader may still have it open where that keeps it from going; the next new generation takes it.
            let _ = directory.delete(Path::new(&file));
        }
        Ok(self.count)
    }
}

/// Those who read, between one part and the next: they remember the stems of words.
type Readers = Mutex<Vec<Reader>>;

/// The words and vectors of memories, on all cores. Secrets are left out.
pub(crate) fn read_all(mut entries: Vec<Entry>, embedder: &dyn Embedder) -> Result<Vec<Words>> {
    let mut parts = Vec::new();
    while entries.len() > FEW {
        let rest = entries.split_off(FEW);
        parts.push(std::mem::replace(&mut entries, rest));
    }
    parts.push(entries);
    let readers = Readers::default();
    let mut all = Vec::new();
    for part in spread_from(2, parts, |part| read(part, embedder, &readers)) {
        all.extend(part?);
    }
    Ok(all)
}

/// The words and vectors of some memories.
fn read(mut entries: Vec<Entry>, embedder: &dyn Embedder, readers: &Readers) -> Result<Vec<Words>> {
    entries.retain(|entry| entry.memory.provenance.sensitivity < Sensitivity::Secret);
    let texts: Vec<String> = entries.iter().map(|entry| meaning(&entry.memory)).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let vectors = embedder.embed(&texts)?;
    let mut reader = readers.lock().ok().and_then(|mut readers| readers.pop()).unwrap_or_default();
    let words = entries.iter().zip(texts).zip(vectors).map(|((entry, text), vector)| {
        let mut words = reader.read(entry);
        words.card.vector = quantised(&vector);
        // What somebody says at length in a conversation is about one thing; its neighbours speak for it too.
        if !words.card.flags.turn {
            words.card.parts = embedder.embed_parts(text).iter().map(|part| quantised(part)).collect();
        }
        words
    });
    let words = words.collect();
    if let Ok(mut readers) = readers.lock() {
        readers.push(reader);
    }
    Ok(words)
}
