//! The ledger: one SQLite database beside the markdown. One commit of it is the durable point of a write.
//!
//! `ops` is the append-only, hash-chained log of operations; each keeps its text until it stands in the files and
//! is old enough. `catalogue` says where each memory stands, so that one is found without reading the rest.
//! `cursors` holds small named values. If the database is lost or damaged, everything but the log's past is
//! rebuilt from the markdown.

mod catalogue;
mod newest;
mod ops;
mod schema;
mod tombstones;

use std::path::Path;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};

use crate::disk::{Disk, Step};
use crate::error::{Error, Result};
use crate::paths::Token;

pub(crate) use catalogue::{
    FileRow, Marks, Row, drop_file, drop_rows, entry_digest, put_file, put_row, put_rows, shift_above,
};
pub(crate) use newest::{Newest, Whose};
pub(crate) use ops::{Ends, Head, Op, OpKind, Payload, append, drop_quotes, fresh_salt, settle, trim_memory};
pub(crate) use tombstones::{Burial, Tombstone, bury, put_tombstone, unword};

/// A transaction that is open for writing.
pub(crate) type Writing = Connection;

/// Where the database is, inside the root.
const FILE: &str = ".vault/ledger.db";

/// An open ledger.
pub(crate) struct Ledger {
    db: Connection,
    /// What the last commit brought, for which the connection is set up.
    amount: Amount,
    /// Whether it is open for reading alone because the disk is full.
    is_full: bool,
    /// The file's number on its file system when it was opened; 0 where there is none.
    inode: u64,
}

/// How long a commit must last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Durability {
    /// It survives a power loss once it returns.
    Durable,
    /// It holds what can be derived again, so it may be lost.
    Derived,
}

/// How much a commit brings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Amount {
    /// What a person or an agent says.
    Few,
    /// A large group.
    Many,
}

impl Ledger {
    /// Opens the database, and makes it if there is none. One without the owner's token is refused before anything of
    /// it is used.
    pub(crate) fn open_writing(disk: &dyn Disk, owner: Option<&Token>) -> Result<Self> {
        disk.make_ledger()?;
        let db = Connection::open(disk.ledger()).map_err(Error::ledger("open"))?;
        let mut ledger = Self { db, amount: Amount::Few, is_full: false, inode: 0 };
        schema::prepare(&ledger.db, owner.map(name_of).as_deref())?;
        ledger.must_be_of(disk, owner)?;
        schema::index_shared(&ledger.db);
        ledger.inode = disk.stat(FILE)?.map_or(0, |stat| stat.inode);
        Ok(ledger)
    }

    /// Refuses every write as the full disk does.
    pub(crate) fn on_full_disk(mut self) -> Self {
        self.is_full = true;
        self
    }

    /// One that holds nothing and can hold nothing, in the place of one whose files are moved.
    pub(crate) fn none() -> Result<Self> {
        let db = Connection::open_in_memory().map_err(Error::ledger("open"))?;
        Ok(Self { db, amount: Amount::Few, is_full: false, inode: 0 })
    }

    /// Opens the database for reading only, as on a disk that cannot be written.
    pub(crate) fn open_reading(disk: &dyn Disk, owner: Option<&Token>) -> Result<Self> {
        let path = disk.ledger();
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI;
        let plain = Connection::open_with_flags(&path, flags);
        let db = match plain {
            Ok(db) if db.query_row("SELECT count(*) FROM sqlite_master", [], |_| Ok(())).is_ok() => db,
            // Without a writable folder the shared-memory file cannot be made; nobody can write either.
            _ if disk.stat(&format!("{FILE}-wal"))?.is_some_and(|stat| stat.size > 0) => {
                open_with_log(&path, flags).map_err(Error::ledger("open"))?
            }
            _ => {
                let uri = format!("file:{}?immutable=1", escape_uri(&path.to_string_lossy()));
                Connection::open_with_flags(uri, flags).map_err(Error::ledger("open"))?
            }
        };
        let ledger = Self { db, amount: Amount::Few, is_full: false, inode: 0 };
        schema::plan_once(&ledger.db)?;
        schema::check(&ledger.db)?;
        ledger.must_be_of(disk, owner)?;
        Ok(ledger)
    }

    fn must_be_of(&self, disk: &dyn Disk, owner: Option<&Token>) -> Result<()> {
        match owner {
            Some(owner) if self.cursor(&name_of(owner))? == 0 => {
                Err(Error::OtherLedger { path: disk.root().display().to_string() })
            }
            _ => Ok(()),
        }
    }

    /// The tokens of those who own it: one of each user folder that approved its root.
    pub(crate) fn owners(&self) -> Result<Vec<Token>> {
        let sql = format!(
            "SELECT substr(name, {}) FROM cursors WHERE name GLOB '{OWNER}*' LIMIT 16",
            OWNER.len() + 1
        );
        let mut query = self.db.prepare(&sql).map_err(Error::ledger("read"))?;
        let rows = query.query_map([], |row| row.get::<_, String>(0)).map_err(Error::ledger("read"))?;
        let names: Vec<String> = rows.collect::<rusqlite::Result<_>>().map_err(Error::ledger("read"))?;
        Ok(names.iter().filter_map(|name| Token::parse(name)).collect())
    }

    /// Adds owners.
    pub(crate) fn add_owners(&mut self, disk: &dyn Disk, owners: &[Token]) -> Result<()> {
        if owners.is_empty() {
            return Ok(());
        }
        self.commit(disk, Durability::Durable, |db| {
            owners.iter().try_for_each(|owner| write_cursor(db, &name_of(owner), 1))
        })
    }

    /// What is read until the answer is dropped is of one moment, and cheaper than one by one.
    pub(crate) fn one_moment(&self) -> Result<impl Drop + '_> {
        self.db.unchecked_transaction().map_err(Error::ledger("read"))
    }

    /// Runs changes as one commit; inside [`begin`](Self::begin) and [`finish`](Self::finish) as a part of theirs.
    pub(crate) fn commit<T>(
        &mut self,
        disk: &dyn Disk,
        durability: Durability,
        act: impl FnOnce(&Connection) -> Result<T>,
    ) -> Result<T> {
        if !self.db.is_autocommit() {
            return act(&self.db);
        }
        self.open(durability)?;
        match act(&self.db) {
            Ok(value) => self.close(disk, durability).map(|()| value),
            Err(error) => {
                self.abandon();
                Err(error)
            }
        }
    }

    /// Begins a durable commit, so that looking and writing share one transaction.
    pub(crate) fn begin(&mut self, amount: Amount) -> Result<()> {
        if amount != self.amount {
            schema::checkpoint_after(&self.db, amount)?;
            self.amount = amount;
        }
        self.open(Durability::Durable)
    }

    /// Whether a commit was begun and is not ended.
    pub(crate) fn is_begun(&self) -> bool {
        !self.db.is_autocommit()
    }

    /// Ends what [`begin`](Self::begin) began: what was written is durable when this returns.
    pub(crate) fn finish(&mut self, disk: &dyn Disk) -> Result<()> {
        self.close(disk, Durability::Durable)
    }

    /// Takes back what was written since the beginning. A failed commit may have ended it already.
    pub(crate) fn abandon(&mut self) {
        let _ = self.db.execute_batch("ROLLBACK");
    }

    fn open(&mut self, durability: Durability) -> Result<()> {
        if self.is_full {
            return Err(Error::disk("write", "the ledger")(std::io::ErrorKind::StorageFull.into()));
        }
        let level = match durability {
            Durability::Durable => "PRAGMA synchronous=FULL; BEGIN IMMEDIATE",
            Durability::Derived => "PRAGMA synchronous=NORMAL; BEGIN IMMEDIATE",
        };
        self.db.execute_batch(level).map_err(Error::ledger("begin"))
    }

    fn close(&mut self, disk: &dyn Disk, durability: Durability) -> Result<()> {
        let done = match durability {
            Durability::Durable => disk.step(Step::BeforeCommit),
            Durability::Derived => Ok(()),
        };
        let done = done.and_then(|()| self.db.execute_batch("COMMIT").map_err(Error::ledger("commit")));
        if let Err(error) = done {
            self.abandon();
            return Err(error);
        }
        if durability == Durability::Durable {
            self.refuse_taken_away(disk)?;
        }
        disk.step(if durability == Durability::Durable { Step::Committed } else { Step::Derived })
    }

    /// What was committed to a file that no longer has its name is lost with it, and must not be acknowledged.
    pub(crate) fn refuse_taken_away(&self, disk: &dyn Disk) -> Result<()> {
        if !disk.is_in_place() {
            return Err(Error::TakenAway { path: disk.root().display().to_string() });
        }
        if self.inode == 0 || disk.stat(FILE)?.is_some_and(|stat| stat.inode == self.inode) {
            return Ok(());
        }
        Err(Error::TakenAway { path: FILE.to_owned() })
    }

    /// Reads a number kept under a name; 0 when there is none.
    pub(crate) fn cursor(&self, name: &str) -> Result<i64> {
        read_cursor(&self.db, name)
    }

    /// Writes everything of the write-ahead log into the database and leaves no free page with old bytes.
    pub(crate) fn scrub(&self) -> Result<()> {
        self.db
            .execute_batch("PRAGMA wal_checkpoint(TRUNCATE); VACUUM; PRAGMA wal_checkpoint(TRUNCATE);")
            .map_err(Error::ledger("scrub"))
    }

    /// What SQLite finds wrong with the database; empty when all is well.
    pub(crate) fn integrity(&self) -> Result<Vec<String>> {
        let mut query = self.db.prepare("PRAGMA integrity_check(20)").map_err(Error::ledger("check"))?;
        let rows = query.query_map([], |row| row.get::<_, String>(0)).map_err(Error::ledger("check"))?;
        let lines: Vec<String> = rows.collect::<rusqlite::Result<_>>().map_err(Error::ledger("check"))?;
        Ok(lines.into_iter().filter(|line| line != "ok").collect())
    }
}

/// What stands before an owner's token in the name of a cursor.
const OWNER: &str = "owner:";

fn name_of(owner: &Token) -> String {
    format!("{OWNER}{}", owner.as_str())
}

/// Opens the database together with the log beside it, which the last writer left there, without a file for the memory
/// that is shared: SQLite keeps that to itself where it has the database alone, and nobody asks for a lock.
fn open_with_log(path: &Path, flags: OpenFlags) -> rusqlite::Result<Connection> {
    let unlocked = if cfg!(windows) { c"win32-none" } else { c"unix-none" };
    let db = Connection::open_with_flags_and_vfs(path, flags, unlocked)?;
    db.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
    db.execute_batch("PRAGMA locking_mode=EXCLUSIVE")?;
    Ok(db)
}

/// Reads a number kept under a name.
pub(crate) fn read_cursor(db: &Connection, name: &str) -> Result<i64> {
    let mut query =
        db.prepare_cached("SELECT value FROM cursors WHERE name = ?1").map_err(Error::ledger("read"))?;
    let mut rows = query.query([name]).map_err(Error::ledger("read"))?;
    match rows.next().map_err(Error::ledger("read"))? {
        Some(row) => row.get(0).map_err(Error::ledger("read")),
        None => Ok(0),
    }
}

/// Keeps a number under a name.
pub(crate) fn write_cursor(db: &Connection, name: &str, value: i64) -> Result<()> {
    db.prepare_cached(
        "INSERT INTO cursors(name, value) VALUES(?1, ?2) ON CONFLICT(name) DO UPDATE SET value = ?2",
    )
    .and_then(|mut statement| statement.execute((name, value)))
    .map_err(Error::ledger("write"))?;
    Ok(())
}

fn escape_uri(path: &str) -> String {
    path.replace('%', "%25").replace('?', "%3f").replace('#', "%23")
}
