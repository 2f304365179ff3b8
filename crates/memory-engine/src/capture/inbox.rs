//! The inbox `.vault/inbox/`: one small file for each signal, put there by name alone and taken out in order.
//!
//! Any number of processes may put letters in at once: each writes a file of its own beside and gives it a name that
//! nobody has, so none is lost, overwritten or seen in half. Letters are not synced, so a power loss may take the last
//! seconds; transcripts still hold them. An inbox that nobody empties stops growing, and the log says so.

use std::sync::{Mutex, PoisonError};

use crate::ambient;
use crate::disk::{Disk, Piece, Sort, temporary};
use crate::error::{Error, Result};
use crate::hook::Signal;

use super::letter::Letter;
use super::log;

/// Where letters wait, and where those go that nobody can read.
pub(super) const INBOX: &str = ".vault/inbox";
const BAD: &str = ".vault/inbox/bad";

/// Stands there while the inbox is full, so that the others need not count.
const FULL: &str = ".vault/inbox/full";

/// How much may wait.
pub(super) struct Room {
    pub(super) files: usize,
    pub(super) bytes: u64,
}

const ROOM: Room = Room { files: 10_000, bytes: 64 << 20 };

/// The largest file that is read.
const MOST_LETTER: u64 = 4 << 20;

/// A file beside that is so old belongs to nobody.
const STALE_MS: i64 = 3_600_000;

/// What became of a signal.
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use = "a signal for which there was no room is lost"]
pub enum Put {
    /// It waits under this name.
    Waits(String),
    /// There was no room; the log says so.
    Full,
}

/// Puts a signal into the inbox, masked. Nothing but the disk under the root is opened.
pub fn put(disk: &dyn Disk, signal: &Signal) -> Result<Put> {
    // Counting costs more than writing, so one in so many counts; while the inbox is full, all do.
    const ONE_IN: u64 = 128;
    let counts = ambient::random().is_multiple_of(ONE_IN) || disk.stat(FULL)?.is_some();
    if counts && !has_room(disk, &ROOM)? {
        return Ok(Put::Full);
    }
    write(disk, signal)
}

fn write(disk: &dyn Disk, signal: &Signal) -> Result<Put> {
    let heard = ambient::now();
    let letter = Letter::of(signal, heard).render().map_err(Error::unwritten(INBOX))?;
    disk.make_folder(INBOX)?;
    loop {
        let name = name_at(heard.0);
        let path = format!("{INBOX}/{name}");
        let beside = temporary(&path);
        let placed = disk
            .write(&beside, &path, &[Piece::Bytes(letter.clone())])
            .and_then(|_| disk.place(&beside, &path));
        match placed {
            Ok(true) => return Ok(Put::Waits(name)),
            // The name is taken: the next one has another number.
            Ok(false) => disk.remove(&beside)?,
            Err(error) => {
                let _ = disk.remove(&beside);
                return Err(error);
            }
        }
    }
}

/// A name that sorts by time. Process and number keep those of one moment apart, and the names of one process follow each
/// other as its signals do, even where the clock is set back meanwhile.
fn name_at(millis: i64) -> String {
    static LAST: Mutex<(i64, u64)> = Mutex::new((0, 0));
    let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
    *last = if millis > last.0 { (millis, 0) } else { (last.0, last.1 + 1) };
    format!("{:015}-{:08x}-{:016x}.json", last.0, ambient::process(), last.1)
}

/// Counts what waits; sets or takes away the mark of a full inbox, and says so when it is set.
pub(super) fn has_room(disk: &dyn Disk, room: &Room) -> Result<bool> {
    let names = waiting(disk)?;
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let bytes: u64 = disk.stats(INBOX, &names)?.iter().flatten().map(|stat| stat.size).sum();
    let full = names.len() >= room.files || bytes >= room.bytes;
    match (full, disk.stat(FULL)?.is_some()) {
        (true, known) => {
            let count = names.len();
            log::say(
                disk,
                &format!("inbox: {count} signals wait and nobody takes them; a new one was dropped"),
            );
            if !known {
                disk.append(FULL, b"full\n")?;
            }
        }
        (false, true) => disk.remove(FULL)?,
        (false, false) => {}
    }
    Ok(!full)
}

/// The names of the letters that wait, the oldest first. Files that a process left half written are taken away.
pub fn waiting(disk: &dyn Disk) -> Result<Vec<String>> {
    let files = disk.list(INBOX)?.into_iter().filter(|it| it.sort == Sort::File).map(|it| it.name);
    let (letters, others): (Vec<String>, Vec<String>) =
        files.partition(|name| name.ends_with(".json") && !name.starts_with('.'));
    let oldest = ambient::now().0 - STALE_MS;
    for name in others.iter().filter(|name| time_beside(name).is_some_and(|time| time < oldest)) {
        disk.remove(&format!("{INBOX}/{name}"))?;
    }
    Ok(letters)
}

/// When a file beside was begun.
fn time_beside(name: &str) -> Option<i64> {
    name.strip_prefix('.')?.strip_suffix(".json.new")?.split('-').next()?.parse().ok()
}

/// Reads a letter and leaves it where it is. `None` when it is gone, or when nobody can read it: then it goes to
/// `.vault/inbox/bad/`, and the log says why.
pub fn read(disk: &dyn Disk, name: &str) -> Result<Option<Letter>> {
    let path = format!("{INBOX}/{name}");
    let why = match disk.read(&path, MOST_LETTER) {
        Ok(None) => return Ok(None),
        Ok(Some(bytes)) => match Letter::parse(&bytes) {
            Ok(letter) => return Ok(Some(letter)),
            Err(why) => why,
        },
        Err(Error::TooLarge { bytes, .. }) => format!("it has {bytes} bytes"),
        Err(error) => return Err(error),
    };
    disk.make_folder(BAD)?;
    disk.rename(&path, &format!("{BAD}/{name}"))?;
    log::say(disk, &format!("inbox: `{name}` cannot be read and was moved to `{BAD}`: {why}"));
    Ok(None)
}

/// Takes a letter away after its signal was dealt with; nothing happens when it is gone already.
pub fn done(disk: &dyn Disk, name: &str) -> Result<()> {
    disk.remove(&format!("{INBOX}/{name}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_one_process_rise_whatever_the_clock_does() {
        let now = ambient::now().0;
        let names: Vec<String> =
            [now, now, now, now - 5000, now + 1, now].iter().map(|at| name_at(*at)).collect();
        assert!(names.is_sorted_by(|a, b| a < b), "{names:?}");
    }
}
