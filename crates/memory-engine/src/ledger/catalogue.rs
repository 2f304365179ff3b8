//! Where each memory stands, and what tells that a file changed.
//!
//! Places are counted from the end of the file. New entries go to the top, so the places of all older ones
//! stay true, and adding to a file of any size changes only the rows of what was added.

use std::borrow::Borrow;

use memory_core::admit::{Likeness, sameness};
use memory_core::id::{Key, MemoryId};
use memory_core::kind::Kind;
use memory_core::layout::Place;
use memory_core::memory::{Body, Memory};
use memory_core::scope::Scope;
use memory_core::time::Time;
use rusqlite::{Connection, OptionalExtension, Params, Row as SqlRow};

use super::Ledger;
use crate::disk::Stat;
use crate::error::{Error, Result};

/// One memory in the catalogue.
#[derive(Debug, Clone)]
pub(crate) struct Row {
    pub(crate) id: MemoryId,
    pub(crate) file: i64,
    pub(crate) tail: u64,
    pub(crate) length: u64,
    pub(crate) tail_line: u64,
    pub(crate) lines: u64,
    pub(crate) digest: [u8; 16],
    pub(crate) same: [u8; 16],
    pub(crate) likeness: u64,
    pub(crate) kind: String,
    pub(crate) scope: String,
    pub(crate) key: String,
    pub(crate) sensitivity: u8,
    pub(crate) class: u8,
    pub(crate) created: Time,
    pub(crate) seq: i64,
}

/// One file in the catalogue.
#[derive(Debug, Clone, Default)]
pub(crate) struct FileRow {
    pub(crate) no: i64,
    pub(crate) path: String,
    pub(crate) stat: Stat,
    pub(crate) seen: Time,
    pub(crate) digest: [u8; 32],
    pub(crate) lines: u64,
    /// Bytes from the first tracked entry to the end of the file, or 0 when there is none.
    pub(crate) top: u64,
    /// Lines from that entry to the end of the file.
    pub(crate) top_lines: u64,
    /// The number of that entry.
    pub(crate) newest: u64,
    pub(crate) frozen: String,
}

/// What tells a memory's text from others without reading it. It follows from scope, kind and text alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Marks {
    /// Equal for texts that say the same to the same people.
    pub(crate) same: [u8; 16],
    /// Near for texts that nearly say the same.
    pub(crate) likeness: u64,
}

impl Marks {
    pub(crate) fn of(scope: &Scope, kind: &Kind, body: &Body) -> Self {
        Self { same: sameness(scope, kind, body), likeness: Likeness::of(body.as_str()).0 }
    }

    pub(crate) fn of_memory(memory: &Memory) -> Self {
        Self::of(&memory.scope, &memory.kind, &memory.body)
    }
}

/// The digest of an entry's bytes.
pub(crate) fn entry_digest(bytes: &[u8]) -> [u8; 16] {
    let mut short = [0; 16];
    short.copy_from_slice(&blake3::hash(bytes).as_bytes()[..16]);
    short
}

impl Row {
    /// The row of a memory found at a place of a file with so many bytes and lines.
    pub(crate) fn of(memory: &Memory, place: &Place, raw: &[u8], size: usize, lines: usize) -> Self {
        Self::with_marks(memory, Marks::of_memory(memory), place, raw, (size, lines))
    }

    /// The same for a memory whose marks are known; the file has so many bytes and lines.
    pub(crate) fn with_marks(
        memory: &Memory,
        marks: Marks,
        place: &Place,
        raw: &[u8],
        (size, lines): (usize, usize),
    ) -> Self {
        Self {
            id: memory.id.clone(),
            file: 0,
            tail: size.saturating_sub(place.bytes.start) as u64,
            length: place.bytes.len() as u64,
            tail_line: lines.saturating_sub(place.first_line) as u64 + 1,
            lines: place.last_line.saturating_sub(place.first_line) as u64 + 1,
            digest: entry_digest(raw),
            same: marks.same,
            likeness: marks.likeness,
            kind: memory.kind.word().to_owned(),
            scope: memory.scope.to_string(),
            key: memory.key.as_ref().map_or(String::new(), |key| key.as_str().to_owned()),
            sensitivity: memory.provenance.sensitivity as u8,
            class: memory.provenance.class as u8,
            created: memory.created,
            seq: 0,
        }
    }
}

impl Row {
    /// Whether this row says what one made anew from the file says. The class may be lower than the text admits.
    pub(crate) fn fits(&self, anew: &Row) -> bool {
        let place = |row: &Row| (row.tail, row.length, row.tail_line, row.lines);
        let words = |row: &Row| (row.kind.clone(), row.scope.clone(), row.key.clone());
        place(self) == place(anew)
            && words(self) == words(anew)
            && (self.digest, self.same, self.likeness) == (anew.digest, anew.same, anew.likeness)
            && (self.sensitivity, self.created) == (anew.sensitivity, anew.created)
            && self.class <= anew.class
    }
}

const COLUMNS: &str = "id, file, tail, length, tail_line, lines, digest, same, likeness, kind, scope, key, sensitivity, class, created, seq";

fn read_id(row: &SqlRow<'_>) -> rusqlite::Result<MemoryId> {
    let id: String = row.get(0)?;
    Ok(MemoryId::parse(&id).unwrap_or_else(|_| MemoryId::of_text(&id, 0)))
}

fn read_row(row: &SqlRow<'_>) -> rusqlite::Result<Row> {
    Ok(Row {
        id: read_id(row)?,
        file: row.get(1)?,
        tail: row.get::<_, i64>(2)?.unsigned_abs(),
        length: row.get::<_, i64>(3)?.unsigned_abs(),
        tail_line: row.get::<_, i64>(4)?.unsigned_abs(),
        lines: row.get::<_, i64>(5)?.unsigned_abs(),
        digest: row.get(6)?,
        same: row.get(7)?,
        likeness: row.get::<_, i64>(8)? as u64,
        kind: row.get(9)?,
        scope: row.get(10)?,
        key: row.get(11)?,
        sensitivity: row.get(12)?,
        class: row.get(13)?,
        created: Time(row.get(14)?),
        seq: row.get(15)?,
    })
}

impl Ledger {
    /// The places of all memories of a file.
    pub(crate) fn rows_of_file(&self, no: i64) -> Result<Vec<Row>> {
        self.rows("file = ?1", [no])
    }

    /// Calls a function for the place of each memory of a file, until it answers `false`.
    pub(crate) fn each_row_of_file(&self, no: i64, each: &mut dyn FnMut(Row) -> Result<bool>) -> Result<()> {
        self.each_row("file = ?1", [no], each)
    }

    /// The places of a memory, in the order of their files.
    pub(crate) fn rows_of_id(&self, id: &MemoryId) -> Result<Vec<Row>> {
        self.rows("id = ?1 ORDER BY file", [id.as_str()])
    }

    /// The places of the memories under a key, in whatever scope.
    pub(crate) fn rows_of_key(&self, key: &Key) -> Result<Vec<Row>> {
        self.rows("key = ?1 AND key <> ''", [key.as_str()])
    }

    /// The first that were kept after a moment, at most so many.
    pub(crate) fn rows_after(&self, moment: Time, most: u32) -> Result<Vec<Row>> {
        self.rows("created > ?1 ORDER BY created LIMIT ?2", (moment.0, most))
    }

    pub(super) fn rows(&self, condition: &str, values: impl Params) -> Result<Vec<Row>> {
        let mut all = Vec::new();
        self.each_row(condition, values, &mut |row| {
            all.push(row);
            Ok(true)
        })?;
        Ok(all)
    }

    pub(super) fn each_row(
        &self,
        condition: &str,
        values: impl Params,
        each: &mut dyn FnMut(Row) -> Result<bool>,
    ) -> Result<()> {
        let sql = format!("SELECT {COLUMNS} FROM entries WHERE {condition}");
        let mut query = self.db.prepare_cached(&sql).map_err(Error::ledger("read"))?;
        let mut rows = query.query(values).map_err(Error::ledger("read"))?;
        while let Some(row) = rows.next().map_err(Error::ledger("read"))? {
            if !each(read_row(row).map_err(Error::ledger("read"))?)? {
                break;
            }
        }
        Ok(())
    }

    /// The memories in the files that say the same.
    pub(crate) fn ids_that_say(&self, same: &[u8; 16]) -> Result<Vec<MemoryId>> {
        let mut query = self
            .db
            .prepare_cached("SELECT id FROM entries WHERE same = ?1")
            .map_err(Error::ledger("read"))?;
        let mut rows = query.query([&same[..]]).map_err(Error::ledger("read"))?;
        let mut ids = Vec::new();
        while let Some(row) = rows.next().map_err(Error::ledger("read"))? {
            ids.push(read_id(row).map_err(Error::ledger("read"))?);
        }
        Ok(ids)
    }

    /// The memories that people last changed in their files, or this one of them, each with when that was found.
    pub(crate) fn found_edits(&self, only: Option<&MemoryId>) -> Result<Vec<(MemoryId, i64)>> {
        let all = "SELECT entries.id, ops.at FROM entries JOIN ops ON ops.seq = entries.seq
          WHERE ops.kind = 'found-edit'";
        // The one is looked up by its key, which a condition that may hold for all would not use.
        let one = format!("{all} AND entries.id = ?1");
        let mut query = match only {
            Some(_) => self.db.prepare_cached(&one),
            None => self.db.prepare_cached(all),
        }
        .map_err(Error::ledger("read"))?;
        let mut rows = query
            .query(rusqlite::params_from_iter(only.map(MemoryId::as_str)))
            .map_err(Error::ledger("read"))?;
        let mut found = Vec::new();
        while let Some(row) = rows.next().map_err(Error::ledger("read"))? {
            let at = row.get(1).map_err(Error::ledger("read"))?;
            found.push((read_id(row).map_err(Error::ledger("read"))?, at));
        }
        Ok(found)
    }

    /// All files.
    pub(crate) fn files(&self) -> Result<Vec<FileRow>> {
        let mut query = self
            .db
            .prepare_cached(&format!("SELECT {FILE} FROM files ORDER BY path"))
            .map_err(Error::ledger("read"))?;
        let rows = query.query_map([], read_file).map_err(Error::ledger("read"))?;
        rows.collect::<rusqlite::Result<_>>().map_err(Error::ledger("read"))
    }

    /// Each file's path, and of the rest no more than tells whether it changed: every question asks for this.
    pub(crate) fn looks(&self) -> Result<Vec<FileRow>> {
        let sql = "SELECT path, size, modified, inode, seen, frozen FROM files";
        let mut query = self.db.prepare_cached(sql).map_err(Error::ledger("read"))?;
        let read = |row: &SqlRow<'_>| {
            let stat = read_stat(row, 1)?;
            let (path, seen, frozen) = (row.get(0)?, Time(row.get(4)?), row.get(5)?);
            Ok(FileRow { path, stat, seen, frozen, ..FileRow::default() })
        };
        let rows = query.query_map([], read).map_err(Error::ledger("read"))?;
        rows.collect::<rusqlite::Result<_>>().map_err(Error::ledger("read"))
    }

    /// The file with this path.
    pub(crate) fn file(&self, path: &str) -> Result<Option<FileRow>> {
        let mut query = self
            .db
            .prepare_cached(&format!("SELECT {FILE} FROM files WHERE path = ?1"))
            .map_err(Error::ledger("read"))?;
        query.query_row([path], read_file).optional().map_err(Error::ledger("read"))
    }

    /// The file with this number.
    pub(crate) fn file_no(&self, no: i64) -> Result<Option<FileRow>> {
        let mut query = self
            .db
            .prepare_cached(&format!("SELECT {FILE} FROM files WHERE no = ?1"))
            .map_err(Error::ledger("read"))?;
        query.query_row([no], read_file).optional().map_err(Error::ledger("read"))
    }

    /// Ids that stand in two files, with the files' paths.
    pub(crate) fn shared_ids(&self) -> Result<Vec<(MemoryId, String, String)>> {
        let sql =
            "SELECT a.id, one.path, two.path FROM entries a JOIN entries b ON a.id = b.id AND a.file < b.file
                   JOIN files one ON one.no = a.file JOIN files two ON two.no = b.file";
        let mut query = self.db.prepare_cached(sql).map_err(Error::ledger("read"))?;
        let rows = query
            .query_map([], |row| Ok((read_id(row)?, row.get(1)?, row.get(2)?)))
            .map_err(Error::ledger("read"))?;
        rows.collect::<rusqlite::Result<_>>().map_err(Error::ledger("read"))
    }

    /// How many memories each file holds.
    pub(crate) fn counts(&self) -> Result<Vec<(String, u64)>> {
        let sql = "SELECT path, (SELECT count(*) FROM entries WHERE file = no) FROM files ORDER BY path";
        let mut query = self.db.prepare_cached(sql).map_err(Error::ledger("read"))?;
        let rows = query
            .query_map([], |row| Ok((row.get(0)?, row.get::<_, i64>(1)?.unsigned_abs())))
            .map_err(Error::ledger("read"))?;
        rows.collect::<rusqlite::Result<_>>().map_err(Error::ledger("read"))
    }
}

/// The columns of a file's row, in the order in which they are read.
const FILE: &str = "no, path, size, modified, inode, seen, digest, lines, top, top_lines, newest, frozen";

fn read_file(row: &SqlRow<'_>) -> rusqlite::Result<FileRow> {
    Ok(FileRow {
        no: row.get(0)?,
        path: row.get(1)?,
        stat: read_stat(row, 2)?,
        seen: Time(row.get(5)?),
        digest: row.get(6)?,
        lines: row.get::<_, i64>(7)?.unsigned_abs(),
        top: row.get::<_, i64>(8)?.unsigned_abs(),
        top_lines: row.get::<_, i64>(9)?.unsigned_abs(),
        newest: row.get::<_, i64>(10)?.unsigned_abs(),
        frozen: row.get(11)?,
    })
}

/// Size, time and number of a file, which stand in three columns from this one on.
fn read_stat(row: &SqlRow<'_>, first: usize) -> rusqlite::Result<Stat> {
    Ok(Stat {
        size: row.get::<_, i64>(first)?.unsigned_abs(),
        modified_ns: row.get(first + 1)?,
        inode: row.get::<_, i64>(first + 2)? as u64,
    })
}

/// Writes a file's row and gives its number.
pub(crate) fn put_file(db: &Connection, file: &FileRow) -> Result<i64> {
    db.prepare_cached(
        "INSERT INTO files(path, size, modified, inode, seen, digest, lines, top, top_lines, newest, frozen)
         VALUES(?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11) ON CONFLICT(path) DO UPDATE
         SET size=?2, modified=?3, inode=?4, seen=?5, digest=?6, lines=?7, top=?8, top_lines=?9, newest=?10, frozen=?11
         RETURNING no",
    )
    .and_then(|mut statement| {
        statement.query_row(
            (
                &file.path,
                file.stat.size as i64,
                file.stat.modified_ns,
                file.stat.inode as i64,
                file.seen.0,
                &file.digest[..],
                file.lines as i64,
                file.top as i64,
                file.top_lines as i64,
                file.newest as i64,
                &file.frozen,
            ),
            |row| row.get(0),
        )
    })
    .map_err(Error::ledger("write"))
}

/// Forgets a file and all its memories' places.
pub(crate) fn drop_file(db: &Connection, no: i64) -> Result<()> {
    drop_rows(db, no)?;
    db.execute("DELETE FROM files WHERE no = ?1", [no]).map_err(Error::ledger("write"))?;
    Ok(())
}

/// Forgets the places of all memories of a file.
pub(crate) fn drop_rows(db: &Connection, no: i64) -> Result<()> {
    db.prepare_cached("DELETE FROM entries WHERE file = ?1")
        .and_then(|mut statement| statement.execute([no]))
        .map_err(Error::ledger("write"))?;
    Ok(())
}

/// Writes a memory's place.
pub(crate) fn put_row(db: &Connection, row: &Row) -> Result<()> {
    put_rows(db, std::iter::once(row))
}

/// Writes the places of many memories.
pub(crate) fn put_rows<R: Borrow<Row>>(db: &Connection, rows: impl Iterator<Item = R>) -> Result<()> {
    let mut statement = db
        .prepare_cached(
            "INSERT INTO entries VALUES(?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12,?13,?14,?15,?16)
             ON CONFLICT(id, file) DO UPDATE SET tail=?3, length=?4, tail_line=?5, lines=?6, digest=?7, same=?8,
             likeness=?9, kind=?10, scope=?11, key=?12, sensitivity=?13, class=?14, created=?15, seq=?16",
        )
        .map_err(Error::ledger("write"))?;
    for row in rows {
        let row = row.borrow();
        statement
            .execute(rusqlite::params![
                row.id.as_str(),
                row.file,
                row.tail as i64,
                row.length as i64,
                row.tail_line as i64,
                row.lines as i64,
                &row.digest[..],
                &row.same[..],
                row.likeness as i64,
                row.kind,
                row.scope,
                row.key,
                row.sensitivity,
                row.class,
                row.created.0,
                row.seq,
            ])
            .map_err(Error::ledger("write"))?;
    }
    Ok(())
}

/// Moves the places of a file's memories that stand above a point, after text was added below them.
pub(crate) fn shift_above(db: &Connection, no: i64, point: u64, bytes: u64, lines: u64) -> Result<()> {
    db.prepare_cached(
        "UPDATE entries SET tail = tail + ?3, tail_line = tail_line + ?4 WHERE file = ?1 AND tail > ?2",
    )
    .and_then(|mut statement| statement.execute((no, point as i64, bytes as i64, lines as i64)))
    .map_err(Error::ledger("write"))?;
    Ok(())
}
