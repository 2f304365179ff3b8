//! The log of operations: appended, chained by hashes, its texts trimmed when they are no longer needed.

use memory_core::id::MemoryId;
use memory_core::memory::Memory;
use memory_core::time::{DAY_MS, Time};
use rusqlite::{Connection, OptionalExtension as _, Row};

use super::catalogue::Marks;
use super::{FILE, Ledger, read_cursor, write_cursor};
use crate::ambient;
use crate::error::{Error, Result};
use crate::spread::spread;

/// What an operation did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OpKind {
    /// A memory was added.
    Put,
    /// A memory's text or data was changed through us.
    Edit,
    /// A memory was taken out through us.
    Remove,
    /// A memory came back from the archive or from an old buffer's save.
    Restore,
    /// A person added a memory in a file.
    FoundNew,
    /// A person changed a memory in a file.
    FoundEdit,
    /// A person took a memory out of a file.
    FoundGone,
    /// A file, or all of them, was read in as it stood.
    Adopt,
}

const WORDS: [(OpKind, &str); 8] = [
    (OpKind::Put, "put"),
    (OpKind::Edit, "edit"),
    (OpKind::Remove, "remove"),
    (OpKind::Restore, "restore"),
    (OpKind::FoundNew, "found-new"),
    (OpKind::FoundEdit, "found-edit"),
    (OpKind::FoundGone, "found-gone"),
    (OpKind::Adopt, "adopt"),
];

impl OpKind {
    pub(crate) fn word(self) -> &'static str {
        WORDS.iter().find(|(kind, _)| *kind == self).map_or("put", |(_, word)| word)
    }

    fn of_word(word: &str) -> Self {
        WORDS.iter().find(|(_, known)| *known == word).map_or(Self::Adopt, |(kind, _)| *kind)
    }

    /// Whether the files must be changed to carry it out; the others tell of changes that stand there already.
    pub(crate) fn changes_files(self) -> bool {
        matches!(self, Self::Put | Self::Edit | Self::Remove | Self::Restore)
    }
}

/// What an operation carries until it stands in the files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Payload {
    /// Nothing, or no longer anything.
    None,
    /// The memory as it should stand.
    Memory(Box<Memory>),
    /// The bytes of an entry as they stood, and the memory they hold.
    Raw(Box<Memory>, Vec<u8>),
}

/// One operation.
#[derive(Debug, Clone)]
pub(crate) struct Op {
    pub(crate) seq: i64,
    pub(crate) at: Time,
    pub(crate) kind: OpKind,
    pub(crate) id: MemoryId,
    pub(crate) file: String,
    pub(crate) before: i64,
    pub(crate) archive: String,
    pub(crate) payload: Payload,
    /// The marks of the memory it carries, where they were made before; they are not written.
    pub(crate) marks: Option<Marks>,
}

/// The end of the log: what the next operation builds on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Head {
    pub(crate) seq: i64,
    pub(crate) clock: i64,
    pub(crate) hash: [u8; 32],
}

/// How far the log goes.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Ends {
    pub(crate) head: Head,
    /// Up to where its operations stand in the files, but for those that are held back.
    pub(crate) settled: i64,
    /// Whether any is held back.
    pub(crate) holds: bool,
}

impl Ledger {
    /// How far the log goes.
    pub(crate) fn ends(&self) -> Result<Ends> {
        let sql = "SELECT seq, clock, hash, (SELECT value FROM cursors WHERE name = 'settled'),
          EXISTS(SELECT 1 FROM held) FROM ops ORDER BY seq DESC LIMIT 1";
        let mut query = self.db.prepare_cached(sql).map_err(Error::ledger("read"))?;
        let read = |row: &Row<'_>| {
            Ok(Ends {
                head: Head { seq: row.get(0)?, clock: row.get(1)?, hash: row.get(2)? },
                settled: row.get::<_, Option<i64>>(3)?.unwrap_or(0),
                holds: row.get(4)?,
            })
        };
        match query.query_row([], read).optional().map_err(Error::ledger("read"))? {
            Some(ends) => Ok(ends),
            None => Ok(Ends { settled: self.cursor("settled")?, ..Ends::default() }),
        }
    }

    /// The highest number given out that is not above this one.
    pub(crate) fn highest_number(&self, most: i64) -> Result<i64> {
        let sql = "SELECT coalesce(max(clock), 0) FROM ops WHERE clock <= ?1";
        self.db.query_row(sql, [most], |row| row.get(0)).map_err(Error::ledger("read"))
    }

    /// The operations after a number, in order.
    pub(crate) fn ops_after(&self, seq: i64) -> Result<Vec<Op>> {
        self.select("SELECT * FROM ops WHERE seq > ?1 ORDER BY seq", seq)
    }

    /// The operations that are held back for frozen files, in order.
    pub(crate) fn ops_held(&self) -> Result<Vec<Op>> {
        self.select("SELECT * FROM ops WHERE seq IN (SELECT seq FROM held WHERE seq > ?1) ORDER BY seq", 0)
    }

    /// The operations that changed one memory, in order.
    pub(crate) fn ops_of(&self, id: &MemoryId) -> Result<Vec<Op>> {
        let mut query = self
            .db
            .prepare_cached("SELECT * FROM ops WHERE id = ?1 ORDER BY seq")
            .map_err(Error::ledger("read"))?;
        let rows = query.query_map([id.as_str()], read_op).map_err(Error::ledger("read"))?;
        rows.collect::<rusqlite::Result<_>>().map_err(Error::ledger("read"))
    }

    /// The hash of one operation.
    pub(crate) fn hash_of(&self, seq: i64) -> Result<Option<[u8; 32]>> {
        let mut query =
            self.db.prepare_cached("SELECT hash FROM ops WHERE seq = ?1").map_err(Error::ledger("read"))?;
        query.query_row([seq], |row| row.get(0)).optional().map_err(Error::ledger("read"))
    }

    /// Calls a function with what each operation after a number did, to which memory and in which file.
    pub(crate) fn each_change(&self, seq: i64, each: &mut dyn FnMut(OpKind, MemoryId, String)) -> Result<()> {
        let sql = "SELECT kind, id, file FROM ops WHERE seq > ?1 ORDER BY seq";
        let mut query = self.db.prepare_cached(sql).map_err(Error::ledger("read"))?;
        let mut rows = query.query([seq]).map_err(Error::ledger("read"))?;
        while let Some(row) = rows.next().map_err(Error::ledger("read"))? {
            let read = |row: &Row<'_>| -> rusqlite::Result<(String, String, String)> {
                Ok((row.get(0)?, row.get(1)?, row.get(2)?))
            };
            let (kind, id, file) = read(row).map_err(Error::ledger("read"))?;
            let id = MemoryId::parse(&id).unwrap_or_else(|_| MemoryId::of_text(&id, 0));
            each(OpKind::of_word(&kind), id, file);
        }
        Ok(())
    }

    /// One operation.
    pub(crate) fn op(&self, seq: i64) -> Result<Option<Op>> {
        Ok(self.select("SELECT * FROM ops WHERE seq = ?1", seq)?.pop())
    }

    fn select(&self, sql: &str, seq: i64) -> Result<Vec<Op>> {
        let mut query = self.db.prepare_cached(sql).map_err(Error::ledger("read"))?;
        let rows = query.query_map([seq], read_op).map_err(Error::ledger("read"))?;
        rows.collect::<rusqlite::Result<_>>().map_err(Error::ledger("read"))
    }

    /// Calls a function with every text that is still there, and the memory that it is of.
    pub(crate) fn each_text(&self, each: &mut dyn FnMut(&str, &[u8])) -> Result<()> {
        let sql = "SELECT id, text FROM ops WHERE text IS NOT NULL";
        let mut query = self.db.prepare(sql).map_err(Error::ledger("read"))?;
        let mut rows = query.query([]).map_err(Error::ledger("read"))?;
        while let Some(row) = rows.next().map_err(Error::ledger("read"))? {
            let id: String = row.get(0).map_err(Error::ledger("read"))?;
            let text = row.get_ref(1).map_err(Error::ledger("read"))?;
            each(&id, text.as_bytes().unwrap_or_default());
        }
        Ok(())
    }

    /// Checks the chain of hashes and the texts that are still there; gives the numbers that do not fit.
    pub(crate) fn broken_links(&self) -> Result<Vec<i64>> {
        let mut query = self.db.prepare("SELECT * FROM ops ORDER BY seq").map_err(Error::ledger("check"))?;
        let mut rows = query.query([]).map_err(Error::ledger("check"))?;
        let mut hash = [0; 32];
        let mut broken = Vec::new();
        let mut first = true;
        while let Some(row) = rows.next().map_err(Error::ledger("check"))? {
            let seq: i64 = row.get(0).unwrap_or(0);
            let fits = |row: &Row<'_>| -> rusqlite::Result<bool> {
                let op = read_op(row)?;
                let salt: Vec<u8> = row.get("salt")?;
                let digest: Vec<u8> = row.get("digest")?;
                let text: Option<Vec<u8>> = row.get("text")?;
                let sound = text.is_none_or(|text| salted(&salt, &text)[..] == digest[..]);
                let link = link(&hash, &op, row.get("clock")?, &digest);
                let stored: [u8; 32] = row.get("hash")?;
                hash = stored;
                Ok(sound && (first || link == stored))
            };
            let mut fits = fits;
            if !fits(row).unwrap_or(false) {
                broken.push(seq);
            }
            first = false;
        }
        Ok(broken)
    }
}

/// So many operations are encoded at once, so that the bytes that wait to be written stay few.
const AT_ONCE: usize = 2048;

/// Appends operations to the log and numbers them; gives the new end.
pub(crate) fn append(db: &Connection, mut head: Head, ops: &mut [Op]) -> Result<Head> {
    let mut insert = db
        .prepare_cached("INSERT INTO ops VALUES(?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12)")
        .map_err(Error::ledger("write"))?;
    for ops in ops.chunks_mut(AT_ONCE) {
        // A text's digest does not depend on the operations before it; only the chain over the digests does.
        let sealed = spread(ops.iter().collect(), |op: &Op| Sealed::of(&op.payload));
        for (op, sealed) in ops.iter_mut().zip(sealed) {
            let Sealed { salt, digest, text } = sealed?;
            head.seq += 1;
            op.seq = head.seq;
            if op.kind == OpKind::Put {
                // What was not numbered when it was kept, such as a name that a person wrote, moves no clock.
                let named = op.id.millis().and_then(|ms| i64::try_from(ms).ok());
                head.clock = head.clock.max(named.filter(|named| *named <= op.at.0 + DAY_MS).unwrap_or(0));
            }
            head.hash = link(&head.hash, op, head.clock, &digest);
            insert
                .execute((
                    op.seq,
                    op.at.0,
                    op.kind.word(),
                    op.id.as_str(),
                    &op.file,
                    head.clock,
                    op.before,
                    &op.archive,
                    &salt[..],
                    &digest[..],
                    &head.hash[..],
                    text,
                ))
                .map_err(Error::ledger("write"))?;
        }
    }
    Ok(head)
}

/// A payload as it is written, with its salted digest.
struct Sealed {
    salt: [u8; 16],
    digest: [u8; 32],
    text: Option<Vec<u8>>,
}

impl Sealed {
    fn of(payload: &Payload) -> Result<Self> {
        let text = encode(payload)?;
        let salt = fresh_salt()?;
        let digest = salted(&salt, text.as_deref().unwrap_or_default());
        Ok(Self { salt, digest, text })
    }
}

/// Notes that all operations up to a number stand in the files but those that are held back, and lets go of texts that
/// are older than a moment.
pub(crate) fn settle(db: &Connection, up_to: i64, held: &[i64], cutoff: Time) -> Result<()> {
    db.execute("DELETE FROM held", []).map_err(Error::ledger("settle"))?;
    for seq in held {
        db.execute("INSERT INTO held(seq) VALUES(?1)", [seq]).map_err(Error::ledger("settle"))?;
    }
    write_cursor(db, "settled", up_to)?;
    let trimmed = read_cursor(db, "trimmed")?;
    let old: Option<i64> = db
        .query_row(
            "SELECT max(seq) FROM (SELECT seq, at FROM ops WHERE seq > ?1 AND seq <= ?3 ORDER BY seq LIMIT 5000) WHERE at <= ?2",
            (trimmed, cutoff.0, up_to),
            |row| row.get(0),
        )
        .map_err(Error::ledger("trim"))?;
    if let Some(old) = old {
        trim(db, old)?;
        write_cursor(db, "trimmed", old)?;
    }
    Ok(())
}

/// Takes away the texts that quote a memory as summaries do, except of those held back.
pub(crate) fn drop_quotes(db: &Connection, id: &MemoryId) -> Result<()> {
    let sql = "UPDATE ops SET text = NULL WHERE text IS NOT NULL AND instr(text, ?1) > 0 \
               AND seq NOT IN (SELECT seq FROM held)";
    db.execute(sql, [format!("(id {id}").into_bytes()]).map_err(Error::ledger("forget"))?;
    Ok(())
}

/// Takes away the texts of operations up to a number, except of those held back.
fn trim(db: &Connection, up_to: i64) -> Result<usize> {
    db.prepare_cached(
        "UPDATE ops SET text = NULL WHERE seq <= ?1 AND text IS NOT NULL AND seq NOT IN (SELECT seq FROM held)",
    )
    .and_then(|mut statement| statement.execute([up_to]))
    .map_err(Error::ledger("trim"))
}

/// Takes away every text that an operation on this memory holds.
pub(crate) fn trim_memory(db: &Connection, id: &MemoryId) -> Result<()> {
    db.execute("UPDATE ops SET text = NULL WHERE id = ?1", [id.as_str()]).map_err(Error::ledger("trim"))?;
    Ok(())
}

fn read_op(row: &Row<'_>) -> rusqlite::Result<Op> {
    let id: String = row.get("id")?;
    let kind: String = row.get("kind")?;
    let text: Option<Vec<u8>> = row.get("text")?;
    Ok(Op {
        seq: row.get("seq")?,
        at: Time(row.get("at")?),
        kind: OpKind::of_word(&kind),
        id: MemoryId::parse(&id).unwrap_or_else(|_| MemoryId::of_text(&id, 0)),
        file: row.get("file")?,
        before: row.get("before")?,
        archive: row.get("archive")?,
        payload: text.map_or(Payload::None, |text| decode(&text)),
        marks: None,
    })
}

/// A payload as bytes: JSON, and for raw bytes a second part after a line end.
fn encode(payload: &Payload) -> Result<Option<Vec<u8>>> {
    match payload {
        Payload::None => Ok(None),
        Payload::Memory(memory) => json(memory).map(Some),
        Payload::Raw(memory, raw) => {
            let mut bytes = json(memory)?;
            bytes.push(b'\n');
            bytes.extend_from_slice(raw);
            Ok(Some(bytes))
        }
    }
}

/// A memory without its text would be acknowledged and lost, so one that cannot be written is refused.
fn json(memory: &Memory) -> Result<Vec<u8>> {
    // Enough for most, so that the bytes are not moved while they grow.
    let mut bytes = Vec::with_capacity(memory.body.as_str().len() + 512);
    serde_json::to_writer(&mut bytes, memory).map_err(Error::unwritten(FILE))?;
    Ok(bytes)
}

fn decode(bytes: &[u8]) -> Payload {
    let split = bytes.iter().position(|&b| b == b'\n');
    let (json, raw) = split.map_or((bytes, None), |n| (&bytes[..n], Some(&bytes[n + 1..])));
    match (serde_json::from_slice(json), raw) {
        (Ok(memory), Some(raw)) => Payload::Raw(memory, raw.to_vec()),
        (Ok(memory), None) => Payload::Memory(memory),
        (Err(_), _) => Payload::None,
    }
}

/// Different for every operation and not to be guessed from its text.
pub(crate) fn fresh_salt() -> Result<[u8; 16]> {
    ambient::random_bytes()
}

fn salted(salt: &[u8], text: &[u8]) -> [u8; 32] {
    let mut hash = blake3::Hasher::new();
    hash.update(salt);
    hash.update(text);
    *hash.finalize().as_bytes()
}

fn link(before: &[u8; 32], op: &Op, clock: i64, digest: &[u8]) -> [u8; 32] {
    let mut hash = blake3::Hasher::new();
    hash.update(before);
    for number in [op.seq, op.at.0, op.before, clock] {
        hash.update(&number.to_le_bytes());
    }
    for word in [op.kind.word(), op.id.as_str(), &op.file, &op.archive] {
        hash.update(&(word.len() as u64).to_le_bytes());
        hash.update(word.as_bytes());
    }
    hash.update(digest);
    *hash.finalize().as_bytes()
}
