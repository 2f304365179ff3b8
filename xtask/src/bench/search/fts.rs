//! SQLite's full-text search on the same notes: `porter unicode61`, prefixes of 2 to 4 letters, bm25.
//!
//! The notes stand in a table of their own, as ours stand in the root, and the index is made of that table. Misspelt
//! words are looked up as they are, since it has nothing for them.

use std::path::PathBuf;
use std::process::Command;
use std::time::Instant;

use rusqlite::{Connection, OpenFlags};
use serde_json::json;

use super::notes::Notes;
use super::part::{Built, Place, Warm, error, peak_mb};
use super::plan::{Plan, Sort};

fn file(place: &Place) -> PathBuf {
    place.folder().join("fts.db")
}

/// Puts the notes into their table.
pub fn fill(place: &Place) -> Result<(), String> {
    let plan = Plan::read(place.folder())?;
    let notes = Notes::new();
    let mut db = Connection::open(file(place)).map_err(error)?;
    put(&mut db, plan.count, &notes)
}

fn put(db: &mut Connection, count: usize, notes: &Notes) -> Result<(), String> {
    db.execute_batch("CREATE TABLE note (n INTEGER PRIMARY KEY, body TEXT, tags TEXT)").map_err(error)?;
    let change = db.transaction().map_err(error)?;
    {
        let mut insert = change.prepare("INSERT INTO note VALUES (?1, ?2, ?3)").map_err(error)?;
        for n in 0..count {
            let note = notes.note(n);
            let n = i64::try_from(n).map_err(error)?;
            insert.execute((n, &note.body, note.tags.join(" "))).map_err(error)?;
        }
    }
    change.commit().map_err(error)
}

/// Makes the index of the table.
pub fn index(place: &Place) -> Result<Built, String> {
    let db = Connection::open(file(place)).map_err(error)?;
    let begun = Instant::now();
    make(&db)?;
    let seconds = begun.elapsed().as_secs_f64();
    let sum = "SELECT sum(pgsize) FROM dbstat WHERE name LIKE 'found\\_%' ESCAPE '\\'";
    let bytes: i64 = db.query_row(sum, [], |row| row.get(0)).map_err(error)?;
    Ok(Built { seconds, index_bytes: u64::try_from(bytes).ok(), peak_mb: peak_mb() })
}

fn make(db: &Connection) -> Result<(), String> {
    db.execute_batch(
        "BEGIN;
         CREATE VIRTUAL TABLE found USING fts5(body, tags, content='note', content_rowid='n',
             tokenize='porter unicode61', prefix='2 3 4');
         INSERT INTO found(found) VALUES ('rebuild');
         COMMIT;",
    )
    .map_err(error)
}

/// Asks in one process.
pub fn warm(place: &Place) -> Result<Warm, String> {
    let plan = Plan::read(place.folder())?;
    let db = open(place)?;
    let ask = |sort, text: &str| Ok(answer(&db, sort, text)?.into_iter().map(|(n, _)| n).collect());
    Ok(Warm { warm: plan.ask(ask)? })
}

/// The process that answers one question.
pub fn command(place: &Place, sort: Sort, query: &str) -> Result<Command, String> {
    let mut command = place.part("fts-cold")?;
    command.args([sort.word(), query]);
    Ok(command)
}

/// Answers one question.
pub fn cold(place: &Place, sort: Sort, query: &str) -> Result<(), String> {
    println!("{}", json!(answer(&open(place)?, sort, query)?));
    Ok(())
}

fn open(place: &Place) -> Result<Connection, String> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    Connection::open_with_flags(file(place), flags).map_err(error)
}

/// The ten best notes for any of the words.
fn answer(db: &Connection, sort: Sort, text: &str) -> Result<Vec<(usize, String)>, String> {
    let sign = if sort == Sort::Prefix { "*" } else { "" };
    let words: Vec<String> = text.split_whitespace().map(|word| format!("\"{word}\"{sign}")).collect();
    let sql = "SELECT rowid, body FROM found WHERE found MATCH ?1 ORDER BY rank LIMIT 10";
    let mut select = db.prepare_cached(sql).map_err(error)?;
    let rows = select.query_map([words.join(" OR ")], |row| Ok((row.get::<_, i64>(0)?, row.get(1)?)));
    let rows = rows.map_err(error)?.map(|row| {
        let (n, body) = row.map_err(error)?;
        Ok((usize::try_from(n).map_err(error)?, body))
    });
    rows.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_built_in_and_finds_words_and_beginnings_but_no_typos() {
        let mut db = Connection::open_in_memory().unwrap();
        let notes = Notes::new();
        put(&mut db, 50, &notes).unwrap();
        make(&db).unwrap();
        let note = notes.note(7);
        let word = note.words.iter().map(|&rank| notes.word(rank)).max_by_key(|word| word.len()).unwrap();
        let found = |sort, text: &str| answer(&db, sort, text).unwrap().iter().any(|(n, _)| *n == 7);
        assert!(found(Sort::Words, &format!("xxxx {word}")));
        assert!(found(Sort::Prefix, &word[..4]));
        assert!(!found(Sort::Typo, &format!("{}q{}", &word[..2], &word[3..])));
    }
}
