//! What was forgotten, as the ledger keeps it: under which name and when, whether for good, and digests of what it said.

use memory_core::id::MemoryId;
use memory_core::time::Time;
use rusqlite::{Connection, OptionalExtension as _, Params};

use super::Ledger;
use crate::error::{Error, Result};

/// Whether what was forgotten may come back from the archive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Burial {
    /// It may.
    Archived,
    /// It is gone for good.
    ForGood,
}

impl Burial {
    fn number(self) -> i64 {
        match self {
            Self::Archived => 0,
            Self::ForGood => 1,
        }
    }
}

/// What stays of a memory that was forgotten.
pub(crate) struct Tombstone {
    pub(crate) id: MemoryId,
    pub(crate) at: Time,
    /// With which its words were digested; empty where they are not known.
    pub(crate) salt: Vec<u8>,
    /// A digest of each of its wordings, one after the other.
    pub(crate) digests: Vec<u8>,
}

impl Ledger {
    /// What was forgotten in this way from a moment on.
    pub(crate) fn tombstones(&self, how: Burial, since: Time) -> Result<Vec<Tombstone>> {
        self.stones("hard = ?1 AND at >= ?2", (how.number(), since.0))
    }

    /// All that tell what a memory said.
    pub(crate) fn worded_tombstones(&self) -> Result<Vec<Tombstone>> {
        self.stones("digest <> x''", [])
    }

    /// The one of a memory.
    pub(crate) fn tombstone(&self, id: &MemoryId) -> Result<Option<Tombstone>> {
        Ok(self.stones("id = ?1", [id.as_str()])?.pop())
    }

    /// A salt that one of them has.
    pub(crate) fn salt_of_tombstones(&self) -> Result<Option<[u8; 16]>> {
        let sql = "SELECT salt FROM tombstones WHERE length(salt) = 16 LIMIT 1";
        let mut query = self.db.prepare_cached(sql).map_err(Error::ledger("read"))?;
        query.query_row([], |row| row.get(0)).optional().map_err(Error::ledger("read"))
    }

    fn stones(&self, condition: &str, values: impl Params) -> Result<Vec<Tombstone>> {
        let sql = format!("SELECT id, at, salt, digest FROM tombstones WHERE {condition}");
        let mut query = self.db.prepare_cached(&sql).map_err(Error::ledger("read"))?;
        let rows = query.query_map(values, |row| {
            let id: String = row.get(0)?;
            let (at, salt, digests) = (Time(row.get(1)?), row.get(2)?, row.get(3)?);
            Ok(MemoryId::parse(&id).ok().map(|id| Tombstone { id, at, salt, digests }))
        });
        let rows = rows.map_err(Error::ledger("read"))?.collect::<rusqlite::Result<Vec<_>>>();
        Ok(rows.map_err(Error::ledger("read"))?.into_iter().flatten().collect())
    }
}

/// Sets one, in the place of an earlier one of the same memory.
pub(crate) fn put_tombstone(db: &Connection, how: Burial, stone: &Tombstone) -> Result<()> {
    let sql = "INSERT OR REPLACE INTO tombstones(id, at, hard, salt, digest) VALUES(?1, ?2, ?3, ?4, ?5)";
    let values = (stone.id.as_str(), stone.at.0, how.number(), &stone.salt, &stone.digests);
    db.execute(sql, values).map_err(Error::ledger("forget"))?;
    Ok(())
}

/// Marks a name as forgotten for good; what an earlier forgetting noted of its text stays.
pub(crate) fn bury(db: &Connection, id: &MemoryId, at: Time) -> Result<()> {
    let sql = "INSERT INTO tombstones(id, at, hard, salt, digest) VALUES(?1, ?2, ?3, x'', x'')
               ON CONFLICT(id) DO UPDATE SET hard = ?3";
    db.execute(sql, (id.as_str(), at.0, Burial::ForGood.number())).map_err(Error::ledger("forget"))?;
    Ok(())
}

/// Lets go of what a memory in the archive said, so that anybody may say it again.
pub(crate) fn unword(db: &Connection, id: &MemoryId) -> Result<()> {
    let sql = "UPDATE tombstones SET digest = x'' WHERE id = ?1 AND hard = ?2";
    db.execute(sql, (id.as_str(), Burial::Archived.number())).map_err(Error::ledger("forget"))?;
    Ok(())
}
