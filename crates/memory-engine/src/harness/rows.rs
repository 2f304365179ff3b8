//! Sessions in the databases of other programs, opened so that nothing beside them is made or changed.
//!
//! Without a write-ahead log the file is opened as immutable, so that SQLite makes no files beside it. With one it is
//! opened for reading only, and only where its companion is there too, because SQLite would make that.

use std::collections::HashSet;
use std::path::Path;
use std::time::Duration;

use rusqlite::{Connection, OpenFlags, Row};

use super::assembly::{Assembly, Place};
use super::said::{Facts, Said};
use super::{Begin, Cursor, Notes, goose, opencode};
use crate::disk::{Stat, foreign};
use crate::error::{Error, Result};

/// Which program's tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Store {
    OpenCode,
    Goose,
}

/// A session of a database.
pub(super) struct Listed {
    pub(super) session: String,
    pub(super) cwd: String,
    /// Milliseconds since 1970, where the table tells.
    pub(super) modified: Option<i64>,
    /// A number that grows with it, where the table tells.
    pub(super) size: Option<u64>,
}

/// A message of a table: its place among the others, and what it says.
pub(super) struct Message {
    pub(super) key: Place,
    pub(super) said: Vec<Said>,
}

/// The log beside a database in which its program wrote last.
pub(super) fn log_of(path: &Path) -> Option<Stat> {
    let mut name = path.as_os_str().to_owned();
    name.push("-wal");
    foreign::stat_at(Path::new(&name)).filter(|stat| stat.size > 0)
}

/// Opens a database for reading.
pub(super) fn open(path: &Path, notes: &mut Notes) -> Result<Connection> {
    let beside = |ending: &str| {
        let mut name = path.as_os_str().to_owned();
        name.push(ending);
        foreign::stat_at(Path::new(&name)).is_some_and(|stat| stat.size > 0)
    };
    let how = match (beside("-wal"), beside("-shm")) {
        (false, _) => "immutable=1",
        (true, true) => "mode=ro",
        (true, false) => {
            notes.add(
                "store-not-settled",
                0,
                "what its program wrote last is not in the file yet".to_owned(),
            );
            "immutable=1"
        }
    };
    let flags =
        OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let db = Connection::open_with_flags(format!("file:{}?{how}", in_uri(path)), flags);
    let db = db.map_err(failed(path))?;
    db.busy_timeout(Duration::from_secs(2)).map_err(failed(path))?;
    Ok(db)
}

fn in_uri(path: &Path) -> String {
    let text = path.to_string_lossy().replace('\\', if cfg!(windows) { "/" } else { "\\" });
    let text = text.replace('%', "%25").replace('?', "%3f").replace('#', "%23");
    // A drive needs a slash before it.
    if text.as_bytes().get(1) == Some(&b':') { format!("/{text}") } else { text }
}

/// A database that cannot be read is a file that cannot be read.
pub(super) fn failed(path: &Path) -> impl FnOnce(rusqlite::Error) -> Error {
    let path = path.display().to_string();
    move |error| Error::disk("read", &path)(std::io::Error::other(error))
}

/// Where reading begins: after the last known row, if it is still there.
pub(super) fn begin(db: &Connection, store: Store, from: &Cursor) -> rusqlite::Result<Begin> {
    if from.place == Place::default() {
        return Ok(Begin::Start);
    }
    let is_there = match store {
        Store::OpenCode => opencode::has_message(db, &from.place)?,
        Store::Goose => goose::has_message(db, &from.place)?,
    };
    // Where nothing was given yet, no row has to be there.
    let is_there = is_there || (from.place.row.is_empty() && from.place.at == 0);
    Ok(if is_there { Begin::Continued } else { Begin::Rewritten })
}

/// Hears the messages of a session after a place; gives the place after the last.
pub(super) fn read(
    db: &Connection,
    store: Store,
    session: &str,
    from: &Place,
    assembly: &mut Assembly<'_>,
) -> rusqlite::Result<Place> {
    let about = match store {
        Store::OpenCode => opencode::about(db, session)?,
        Store::Goose => goose::about(db, session)?,
    };
    if store == Store::OpenCode {
        assembly.take_back(HashSet::new(), &opencode::taken_back(db, session, from)?);
    }
    for said in about {
        match said {
            Said::Facts(facts) => assembly.context.facts.learn(facts),
            _ => assembly.context.aside = true,
        }
    }
    let mut before = Place { part: 0, ..from.clone() };
    let mut each = |message: Message| {
        assembly.take(&before, message.said);
        before = message.key;
    };
    match store {
        Store::OpenCode => opencode::messages(db, session, from, &mut each)?,
        Store::Goose => goose::messages(db, session, from, &mut each)?,
    }
    Ok(before)
}

/// The sessions that people had, with their folders.
pub(super) fn list(db: &Connection, store: Store) -> rusqlite::Result<Vec<Listed>> {
    match store {
        Store::OpenCode => opencode::list(db),
        Store::Goose => goose::list(db),
    }
}

/// A column as text, whatever is in it.
pub(super) fn lossy(row: &Row<'_>, at: usize) -> rusqlite::Result<String> {
    use rusqlite::types::ValueRef;
    Ok(match row.get_ref(at)? {
        ValueRef::Text(bytes) | ValueRef::Blob(bytes) => String::from_utf8_lossy(bytes).into_owned(),
        ValueRef::Integer(number) => number.to_string(),
        _ => String::new(),
    })
}

/// The facts of a session that stands in a table.
pub(super) fn facts(session: &str, cwd: String) -> Said {
    Said::Facts(Facts { session: Some(session.to_owned()), cwd: Some(cwd), ..Facts::default() })
}
