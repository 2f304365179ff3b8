//! A ledger in the place of another: one that is damaged, or that came with a folder from elsewhere.
//!
//! Nothing is deleted: the old one is set aside, and what it had acknowledged and no file holds yet is taken up.

use std::any::Any;
use std::sync::Arc;
use std::time::Duration;

use memory_core::config::Config;
use memory_core::layout::Home;
use memory_core::scope::SourceClass;

use super::reconcile::Suspicion;
use super::{Notice, OWN, Store};
use crate::ambient;
use crate::disk::{Disk, LEDGER, Stat};
use crate::error::{Error, Result};
use crate::ledger::{Head, Ledger, Op, OpKind, Payload};
use crate::paths::Token;

impl Store {
    /// Sets the ledger aside, makes a new one, and reads everything in again; gives the place of the old one.
    pub(crate) fn replace_ledger(&mut self) -> Result<String> {
        let lock = self.lock()?;
        if let Err(error) = self.let_go() {
            // What a damaged ledger still holds stays readable in the folder where it is set aside.
            self.notice(
                error.code(),
                format!("{error}; what the ledger knew is in the one that is set aside"),
            );
        }
        let owners = self.ledger.owners().unwrap_or_default();
        // Some systems move no file that is open.
        self.ledger = Ledger::none()?;
        let place = set_ledger_aside(&*self.disk);
        self.ledger = Ledger::open_writing(&*self.disk, self.owner.as_ref())?;
        let place = place?;
        self.ledger.add_owners(&*self.disk, &owners)?;
        let waiting = self.tail.take();
        self.seen = Head::default();
        self.settled = 0;
        self.by_same.clear();
        self.reconcile_all()?;
        self.take_up(waiting)?;
        self.flush_for(&[])?;
        drop(lock);
        Ok(place)
    }

    /// Settles what waits: what is missing from frozen files goes to the archive while its text is known, and then they
    /// can be written.
    fn let_go(&mut self) -> Result<()> {
        let frozen = self.ledger.files()?.into_iter().filter(|file| !file.frozen.is_empty());
        for file in frozen.collect::<Vec<_>>() {
            self.reconcile_file(&file.path, Suspicion::Overruled)?;
        }
        self.flush_for(&[])
    }

    /// Adds the memories that another ledger had acknowledged and that stand nowhere. Their words are worth what words in
    /// a file are worth.
    pub(super) fn take_up(&mut self, waiting: Vec<Op>) -> Result<()> {
        let mut ops: Vec<Op> = Vec::new();
        for op in waiting {
            ops.retain(|known| known.id != op.id);
            if !op.kind.changes_files()
                || Home::of_path(&op.file).is_none()
                || self.standing(&op.id)?.is_some()
            {
                continue;
            }
            if let Payload::Memory(mut memory) | Payload::Raw(mut memory, _) = op.payload {
                memory.provenance.class = memory.provenance.class.min(SourceClass::HumanEdit);
                let payload = Payload::Memory(memory);
                ops.push(Op {
                    seq: 0,
                    before: 0,
                    kind: OpKind::Put,
                    archive: String::new(),
                    payload,
                    marks: None,
                    ..op
                });
            }
        }
        if !ops.is_empty() {
            let count = ops.len();
            let memories = if count == 1 { "1 memory".to_owned() } else { format!("{count} memories") };
            self.notice(
                "taken-up",
                format!("{memories} that waited in the old ledger now stand in the files"),
            );
        }
        self.commit(ops)?;
        self.flush_for(&[])
    }
}

/// What a ledger on a disk acknowledged and no file holds yet, as far as it can be read and is the owner's.
fn waiting_in(disk: &dyn Disk, owner: Option<&Token>) -> Vec<Op> {
    let read = || -> Result<Vec<Op>> {
        let ledger = Ledger::open_reading(disk, owner)?;
        let mut ops = ledger.ops_held()?;
        ops.extend(ledger.ops_after(ledger.cursor("settled")?)?);
        Ok(ops)
    };
    read().unwrap_or_default()
}

/// The owners of the ledger on a disk, as far as it can be read.
pub(crate) fn owners_in(disk: &dyn Disk) -> Result<Vec<Token>> {
    if disk.stats(OWN, &LEDGER)?.first().is_none_or(Option::is_none) {
        return Ok(Vec::new());
    }
    Ok(Ledger::open_reading(disk, None).and_then(|ledger| ledger.owners()).unwrap_or_default())
}

/// Opens the ledger, or a new one in place of a damaged one, with what waited there; without a writable disk, for reading.
pub(super) fn open_ledger(
    disk: &Arc<dyn Disk>,
    config: &Config,
    owner: Option<&Token>,
    notices: &mut Vec<Notice>,
) -> Result<(Ledger, bool, Vec<Op>)> {
    // SQLite follows links, so a link must be refused before it is asked.
    let files = disk.stats(OWN, &LEDGER)?;
    let wait = Duration::from_millis(config.limits.lock_wait_ms);
    let opened = disk.make_folder(OWN).and_then(|()| {
        let _turn = take_turn(&**disk, &files, wait)?;
        Ledger::open_writing(&**disk, owner)
    });
    match opened {
        Ok(ledger) => Ok((ledger, true, Vec::new())),
        Err(error) if error.is_corrupt_ledger() => {
            let _lock = disk.lock(wait)?;
            // Another process may have mended it while this one waited.
            if let Ok(ledger) = Ledger::open_writing(&**disk, owner) {
                return Ok((ledger, true, Vec::new()));
            }
            let waiting = waiting_in(&**disk, owner);
            let owners = owners_in(&**disk)?;
            let place = set_ledger_aside(&**disk)?;
            let text = format!(
                "the ledger was damaged ({error}); it is set aside in `{place}` and made anew from the files"
            );
            notices.push(Notice { code: "ledger-rebuilt", text });
            let mut ledger = Ledger::open_writing(&**disk, owner)?;
            ledger.add_owners(&**disk, &owners)?;
            Ok((ledger, true, waiting))
        }
        Err(error) if error.is_unwritable() || error.is_of_full_disk() => {
            let is_full = error.is_of_full_disk();
            let ledger = Ledger::open_reading(&**disk, owner).map_err(|_| error)?;
            let why = if is_full { "the disk is full" } else { "the folder cannot be written" };
            notices.push(Notice { code: "read-only", text: format!("{why}; reading only") });
            Ok((if is_full { ledger.on_full_disk() } else { ledger }, false, Vec::new()))
        }
        Err(error) => Err(error),
    }
}

/// Moves the ledger's files to a folder of their own; nothing is deleted.
pub(crate) fn set_ledger_aside(disk: &dyn Disk) -> Result<String> {
    set_aside(disk, &LEDGER)
}

/// The lock, where a ledger is new or being made, or where something lies beside it that may not be its own: SQLite does
/// not wait where two make a database at once, so they take turns.
fn take_turn(disk: &dyn Disk, files: &[Option<Stat>], wait: Duration) -> Result<Option<Box<dyn Any + Send>>> {
    let is_new = files.first().copied().flatten().is_none_or(|stat| stat.size == 0);
    let has_journal = files.last().copied().flatten().is_some();
    if !is_new && !has_journal {
        return Ok(None);
    }
    match disk.lock(wait) {
        Ok(turn) => set_journal_aside(disk).map(|()| Some(turn)),
        Err(error @ Error::Locked { .. }) if has_journal => Err(error),
        // It is tried all the same, and what stands in the way is said. Where nothing can be written, no journal can be
        // played back.
        Err(_) => Ok(None),
    }
}

/// SQLite would write what a journal holds over a ledger. Ours keep a write-ahead log from their first commit on, so a
/// journal beside one of those is not its own, unless the ledger is just being made. Needs the lock.
fn set_journal_aside(disk: &dyn Disk) -> Result<()> {
    let [database, .., journal] = LEDGER;
    if disk.stat(&format!("{OWN}/{journal}"))?.is_none() {
        return Ok(());
    }
    let logs = disk.read_range(&format!("{OWN}/{database}"), 18..20)?;
    if logs.as_deref() == Some(&[2, 2]) {
        set_aside(disk, &[journal])?;
    }
    Ok(())
}

fn set_aside(disk: &dyn Disk, names: &[&str]) -> Result<String> {
    let place = format!("{OWN}/quarantine/{}", ambient::now().stamp());
    disk.make_folder(&place)?;
    for name in names {
        let from = format!("{OWN}/{name}");
        if disk.stat(&from)?.is_none() {
            continue;
        }
        match disk.rename(&from, &format!("{place}/{name}")) {
            // SQLite takes its own files away without asking us.
            Err(error) if disk.stat(&from)?.is_some() => return Err(error),
            _ => {}
        }
    }
    disk.sync_folder(OWN)?;
    Ok(place)
}
