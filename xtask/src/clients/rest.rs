//! Time passes for a session: its files look as if they had rested, so that nobody waits until they have.
//!
//! Most clients never say that a session is over; it is handed over when nothing happened in it for some minutes.

use std::fs::{self, File};
use std::path::Path;
use std::time::{Duration, SystemTime};

use rusqlite::Connection;

/// Longer than a session must rest.
const PASSED: Duration = Duration::from_secs(20 * 60);

/// Makes everything in a home older.
pub(super) fn let_time_pass(home: &Path) -> Result<(), String> {
    let before = SystemTime::now() - PASSED;
    // OpenCode's sessions are rows, which have times of their own.
    let store = home.join(".local/share/opencode/opencode.db");
    if store.is_file() {
        make_rows_older(&store).map_err(|error| format!("`{}`: {error}", store.display()))?;
    }
    make_files_older(home, before).map_err(|error| format!("`{}`: {error}", home.display()))
}

fn make_rows_older(store: &Path) -> rusqlite::Result<()> {
    let passed = i64::try_from(PASSED.as_millis()).unwrap_or(0);
    let store = Connection::open(store)?;
    store.busy_timeout(Duration::from_secs(5))?;
    store.execute("UPDATE session SET time_updated = time_updated - ?1", [passed])?;
    Ok(())
}

fn make_files_older(folder: &Path, before: SystemTime) -> std::io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let kind = entry.file_type()?;
        if kind.is_dir() {
            make_files_older(&entry.path(), before)?;
        } else if kind.is_file()
            && let Ok(file) = File::options().append(true).open(entry.path())
        {
            file.set_modified(before)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_and_rows_look_older() {
        let home = tempfile::tempdir().unwrap();
        let file = home.path().join("a/b.jsonl");
        let store = home.path().join(".local/share/opencode/opencode.db");
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::create_dir_all(store.parent().unwrap()).unwrap();
        fs::write(&file, "x").unwrap();
        let rows = Connection::open(&store).unwrap();
        rows.execute_batch(
            "CREATE TABLE session (time_updated INTEGER); INSERT INTO session VALUES (5000000)",
        )
        .unwrap();
        let_time_pass(home.path()).unwrap();
        let age = fs::metadata(&file).unwrap().modified().unwrap().elapsed().unwrap();
        assert!(age >= PASSED && fs::read(&file).unwrap() == b"x");
        let time: i64 = rows.query_row("SELECT time_updated FROM session", [], |row| row.get(0)).unwrap();
        assert_eq!(time, 3_800_000);
    }
}
