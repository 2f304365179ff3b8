//! The tables of the ledger and their version.

use rusqlite::Connection;
use rusqlite::config::DbConfig;

use super::Amount;
use crate::error::{Error, Result};

/// The version of the tables; a ledger with a higher one was written by a newer program.
const FORMAT: i64 = 1;

const TABLES: &str = "
CREATE TABLE ops(
  seq INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  kind TEXT NOT NULL,
  id TEXT NOT NULL,
  file TEXT NOT NULL,
  clock INTEGER NOT NULL,      -- the last number that was given to a memory
  before INTEGER NOT NULL,     -- the operation that last changed the same memory, or 0
  archive TEXT NOT NULL,       -- the archive batch that holds what this took away, or ''
  salt BLOB NOT NULL,
  digest BLOB NOT NULL,        -- of salt and text, so that the text can go and the chain still holds
  hash BLOB NOT NULL,          -- of the hash before and all of the above
  text BLOB                    -- the memory as JSON, until it is settled and old
);
CREATE TABLE held(seq INTEGER PRIMARY KEY);   -- operations whose file is frozen or cannot be written
CREATE TABLE files(
  no INTEGER PRIMARY KEY,
  path TEXT NOT NULL UNIQUE,
  size INTEGER NOT NULL,
  modified INTEGER NOT NULL,
  inode INTEGER NOT NULL,
  seen INTEGER NOT NULL,       -- when it was last compared with its digest
  digest BLOB NOT NULL,
  lines INTEGER NOT NULL,
  top INTEGER NOT NULL,        -- bytes from the first tracked entry to the end, or 0 when there is none
  top_lines INTEGER NOT NULL,  -- lines from there to the end
  newest INTEGER NOT NULL,     -- that entry's number
  frozen TEXT NOT NULL         -- why it waits for a person, or ''
);
CREATE TABLE entries(
  id TEXT NOT NULL,
  file INTEGER NOT NULL,
  tail INTEGER NOT NULL,       -- bytes from the entry's start to the end of the file
  length INTEGER NOT NULL,
  tail_line INTEGER NOT NULL,  -- lines from the entry's first to the last of the file
  lines INTEGER NOT NULL,
  digest BLOB NOT NULL,        -- of the entry's bytes
  same BLOB NOT NULL,          -- equal for equal texts in one scope
  likeness INTEGER NOT NULL,
  kind TEXT NOT NULL,
  scope TEXT NOT NULL,
  key TEXT NOT NULL,
  sensitivity INTEGER NOT NULL,
  class INTEGER NOT NULL,
  created INTEGER NOT NULL,
  seq INTEGER NOT NULL,        -- the operation that last changed it, or 0 when it was found
  PRIMARY KEY(id, file)
) WITHOUT ROWID;
CREATE INDEX entries_file ON entries(file);
CREATE INDEX entries_same ON entries(same);
CREATE INDEX entries_key ON entries(key) WHERE key <> '';
CREATE INDEX entries_created ON entries(created);
CREATE TABLE tombstones(id TEXT PRIMARY KEY, at INTEGER NOT NULL, hard INTEGER NOT NULL, salt BLOB NOT NULL, digest BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE cursors(name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
";

/// An index that ledgers of earlier programs lack, in the place of a narrower one; without it the same is found, only
/// slower.
const SHARED: &str = "DROP INDEX IF EXISTS entries_shared_tasks;
  CREATE INDEX IF NOT EXISTS entries_shared ON entries(kind, created) WHERE scope IN ('project', 'user', 'global')";

/// Lets a query's plan not depend on what is asked for. Otherwise one that is asked again with another value may be planned
/// anew each time, as that of a memory by its id, which takes longer than to answer it.
pub(super) fn plan_once(db: &Connection) -> Result<()> {
    db.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true).map(drop).map_err(Error::ledger("open"))
}

/// Sets the connection up and makes the tables where there are none, with a cursor of this name.
pub(super) fn prepare(db: &Connection, cursor: Option<&str>) -> Result<()> {
    db.busy_timeout(std::time::Duration::from_secs(20)).map_err(Error::ledger("open"))?;
    db.set_prepared_statement_cache_capacity(64);
    plan_once(db)?;
    // A ledger may have been made by somebody else, so nothing in its tables' definitions may act.
    // On a Mac a plain sync leaves bytes in the drive's own memory; elsewhere the two words about it do nothing.
    // secure_delete overwrites what is deleted, so that forgetting leaves no bytes in free pages. The size of pages
    // holds for a ledger that is made now: large ones are fewer to write when many memories come at once.
    db.execute_batch(
        "PRAGMA trusted_schema=OFF; PRAGMA fullfsync=1; PRAGMA checkpoint_fullfsync=1; PRAGMA page_size=8192; PRAGMA journal_mode=WAL; PRAGMA secure_delete=ON; PRAGMA cache_size=-4000;",
    )
    .map_err(Error::ledger("open"))?;
    checkpoint_after(db, Amount::Few)?;
    let found = format(db)?;
    if found != 0 {
        return refuse_newer(found);
    }
    let first = cursor.map(|name| format!("INSERT INTO cursors(name, value) VALUES('{name}', 1);"));
    let first = first.unwrap_or_default();
    let make = format!("BEGIN IMMEDIATE; {TABLES} {first} PRAGMA user_version={FORMAT}; COMMIT;");
    if let Err(error) = db.execute_batch(&make) {
        // Another process may have made them at the same moment.
        let _ = db.execute_batch("ROLLBACK");
        if format(db)? == 0 {
            return Err(Error::ledger("make its tables")(error));
        }
    }
    check(db)
}

/// Makes the index that ledgers of earlier programs lack.
pub(super) fn index_shared(db: &Connection) {
    // Another process may be writing, or the folder may be read-only; then a later opener makes it.
    let _ = db.execute_batch(SHARED);
}

/// Sets how many pages the write-ahead log gathers before they are taken over into the database. A short log is soon
/// written over from its beginning, and a sync of bytes that are written over is quicker than one of a file that
/// grows (measured: 58 % of the raw rate with 1,000 pages, 66 to 73 % with 200). While large groups come in it gathers
/// more: pages that change with every group are then taken over once for several.
pub(super) fn checkpoint_after(db: &Connection, amount: Amount) -> Result<()> {
    let pages = match amount {
        Amount::Few => 200,
        Amount::Many => 4000,
    };
    db.execute_batch(&format!("PRAGMA wal_autocheckpoint={pages}")).map_err(Error::ledger("begin"))
}

/// Refuses a ledger of a newer program.
pub(super) fn check(db: &Connection) -> Result<()> {
    refuse_newer(format(db)?)
}

fn refuse_newer(found: i64) -> Result<()> {
    if found > FORMAT { Err(Error::NewerLedger { found, known: FORMAT }) } else { Ok(()) }
}

fn format(db: &Connection) -> Result<i64> {
    db.query_row("PRAGMA user_version", [], |row| row.get(0)).map_err(Error::ledger("open"))
}

#[cfg(test)]
mod tests {
    use rusqlite::StatementStatus;

    use super::*;

    #[test]
    fn a_query_that_is_asked_again_is_not_planned_again() {
        let planned = |how: fn(&Connection)| {
            let db = Connection::open_in_memory().unwrap();
            prepare(&db, None).unwrap();
            index_shared(&db);
            how(&db);
            let ask = |id: &str| {
                let sql = "SELECT * FROM entries WHERE id = ?1 ORDER BY file";
                let mut query = db.prepare_cached(sql).unwrap();
                assert!(query.query([id]).unwrap().next().unwrap().is_none());
                query.get_status(StatementStatus::RePrepare)
            };
            ["1", "2", "3"].map(ask).into_iter().sum::<i32>()
        };
        assert_eq!(planned(|_| ()), 0);
        let by_value = |db: &Connection| {
            db.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, false).unwrap();
        };
        assert!(planned(by_value) > 0, "or this needs no word any more");
    }
}
