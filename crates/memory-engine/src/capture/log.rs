//! `.vault/log`: what went wrong where nobody could be told. A line each, masked, and never more than two small files.

use memory_core::redact::redact;

use crate::ambient;
use crate::disk::Disk;

/// The file, and where it goes when it is full.
const LOG: &str = ".vault/log";
const OLD: &str = ".vault/log.old";

/// When it is full.
const MOST_BYTES: u64 = 256 << 10;

const MOST_LINE: usize = 500;

/// Writes a line. Where even that fails there is nobody left to tell.
pub(crate) fn say(disk: &dyn Disk, text: &str) {
    let line = line(text, &ambient::now().iso());
    let size = disk.make_folder(".vault").and_then(|()| disk.append(LOG, line.as_bytes()));
    // Another process may have moved it meanwhile, so it is looked at once more.
    let is_full = |size: u64| size > MOST_BYTES;
    if size.is_ok_and(is_full) && disk.stat(LOG).is_ok_and(|stat| stat.is_some_and(|it| is_full(it.size))) {
        let _ = disk.rename(LOG, OLD);
    }
}

/// One line, whatever the text holds.
fn line(text: &str, time: &str) -> String {
    let masked = redact(text).text;
    let flat: String = masked.chars().map(|c| if c.is_control() { ' ' } else { c }).take(MOST_LINE).collect();
    format!("{time} {flat}\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::disk::{FaultyDisk, OsDisk};

    #[test]
    fn a_line_is_one_line_and_masked() {
        let check =
            |text: &str, expect: &str| assert_eq!(line(text, "T"), format!("T {expect}\n"), "{text:?}");
        check("plain", "plain");
        check("a\nb\r\x1b[31mc", "a b  [31mc");
        let token = format!("ghp_{}", "16C7e42F292c6912E7710c838347Ae178B4a");
        check(&format!("the event {token}"), "the event [redacted:github-pat]");
        assert_eq!(line(&"é".repeat(9000), "T").chars().count(), MOST_LINE + 3);
    }

    #[test]
    fn the_log_stays_small_and_keeps_what_was_said_last() {
        let folder = tempfile::tempdir().unwrap();
        let disk = OsDisk::open(folder.path()).unwrap();
        for n in 0..2000 {
            say(&disk, &format!("{n} {}", "x".repeat(400)));
        }
        let read = |name| String::from_utf8(disk.read(name, 1 << 20).unwrap().unwrap()).unwrap();
        let (new, old) = (read(LOG), read(OLD));
        assert!(new.len() as u64 <= MOST_BYTES && old.len() as u64 <= MOST_BYTES + 1000);
        assert!(new.lines().last().unwrap().contains(" 1999 "));
        assert!(old.lines().chain(new.lines()).all(|line| line.ends_with(&"x".repeat(400))));
    }

    #[test]
    fn a_disk_that_fails_is_borne() {
        let folder = tempfile::tempdir().unwrap();
        for call in 0..6 {
            let disk = FaultyDisk::new(folder.path());
            disk.arm(call, crate::disk::Fault::Crash);
            say(&disk, "x");
        }
    }
}
