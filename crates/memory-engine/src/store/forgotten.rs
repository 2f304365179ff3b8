//! What was forgotten stays forgotten: a text that left by `forget` is known by salted digests of what it said, and a
//! draft that says the same is kept out, unless a person says it anew.
//!
//! The digests are of the words alone, so other case, accents and punctuation do not let a text in again. They are
//! written with the commit that takes the memory out.

use std::collections::HashMap;

use memory_core::admit::gist;
use memory_core::id::MemoryId;
use memory_core::memory::{Body, Memory};
use memory_core::scope::SourceClass;
use memory_core::time::Time;
use rusqlite::Connection;

use super::{Prepared, Store};
use crate::error::{Error, Result};
use crate::ledger::fresh_salt;

/// A salt, or what was made of it and a text.
pub(super) type Digest = [u8; 16];

/// What was forgotten and when, by salt and digest.
type Stones = HashMap<Digest, HashMap<Digest, (MemoryId, Time)>>;

/// What stays of a memory that is forgotten.
pub(super) struct Stone {
    pub(super) id: MemoryId,
    salt: Digest,
    /// One for each wording that was known.
    digests: Vec<Digest>,
}

impl Stone {
    /// Sets it, in the transaction that is open.
    pub(super) fn set(&self, db: &Connection, at: Time, hard: i64) -> Result<()> {
        let digests = self.digests.concat();
        let sql = "INSERT OR REPLACE INTO tombstones(id, at, hard, salt, digest) VALUES(?1, ?2, ?3, ?4, ?5)";
        db.execute(sql, (self.id.as_str(), at.0, hard, &self.salt[..], digests))
            .map_err(Error::ledger("forget"))?;
        Ok(())
    }
}

/// All that was forgotten, by what it said; read when it is first asked for.
#[derive(Default)]
pub(super) struct Forgotten {
    by_salt: Option<Stones>,
}

/// Memories that were forgotten and must not come back with an old copy.
pub(super) struct Said(HashMap<MemoryId, (Digest, Vec<u8>)>);

impl Said {
    /// Whether a memory is one of these and says what it said then. Other words under the same id are somebody's own;
    /// text without an id is named after its words.
    pub(super) fn says(&self, memory: &Memory) -> bool {
        self.0.get(&memory.id).is_some_and(|(salt, digests)| {
            memory.id.is_untracked() || digests.as_chunks::<16>().0.contains(&digest(salt, &memory.body))
        })
    }
}

impl Store {
    /// What was forgotten for good.
    pub(super) fn forgotten_for_good(&self) -> Result<Said> {
        self.said("SELECT id, salt, digest FROM tombstones WHERE hard = 1 AND at >= ?1", i64::MIN)
    }

    /// What was forgotten from this millisecond on, and not for good.
    pub(super) fn forgotten_since(&self, since: i64) -> Result<Said> {
        self.said("SELECT id, salt, digest FROM tombstones WHERE hard = 0 AND at >= ?1", since)
    }

    fn said(&self, sql: &str, since: i64) -> Result<Said> {
        let mut all = HashMap::new();
        let mut query = self.ledger.reading().prepare_cached(sql).map_err(Error::ledger("read"))?;
        let mut rows = query.query([since]).map_err(Error::ledger("read"))?;
        while let Some(row) = rows.next().map_err(Error::ledger("read"))? {
            let read = || -> rusqlite::Result<(String, Vec<u8>, Vec<u8>)> {
                Ok((row.get(0)?, row.get(1)?, row.get(2)?))
            };
            let (id, salt, digests) = read().map_err(Error::ledger("read"))?;
            if let Ok(id) = MemoryId::parse(&id) {
                all.insert(id, (Digest::try_from(salt).unwrap_or_default(), digests));
            }
        }
        Ok(Said(all))
    }

    /// The stones for memories that are about to go, with all wordings of them that are still known.
    pub(super) fn stones(&self, going: &[(MemoryId, String)]) -> Result<Vec<Stone>> {
        let salt = self.salt()?;
        let mut stones: Vec<Stone> = Vec::new();
        for (id, text) in going {
            let known = stones.iter().position(|stone| stone.id == *id);
            let at = known.unwrap_or(stones.len());
            if known.is_none() {
                let mut digests = self.noted(id, &salt)?;
                for op in self.ledger.ops_of(id)? {
                    let wording = super::reconcile::memory_of(&op.payload).map(|memory| &memory.body);
                    digests.extend(wording.map(|body| digest(&salt, body)));
                }
                stones.push(Stone { id: id.clone(), salt, digests });
            }
            stones[at].digests.push(digest(&salt, &Body::new(text)));
            stones[at].digests.sort_unstable();
            stones[at].digests.dedup();
        }
        Ok(stones)
    }

    /// What an earlier forgetting noted of a memory with this salt.
    fn noted(&self, id: &MemoryId, salt: &Digest) -> Result<Vec<Digest>> {
        let sql = "SELECT digest FROM tombstones WHERE id = ?1 AND salt = ?2";
        let mut query = self.ledger.reading().prepare_cached(sql).map_err(Error::ledger("read"))?;
        let mut rows = query.query((id.as_str(), &salt[..])).map_err(Error::ledger("read"))?;
        let Some(row) = rows.next().map_err(Error::ledger("read"))? else { return Ok(Vec::new()) };
        let digests: Vec<u8> = row.get(0).map_err(Error::ledger("read"))?;
        Ok(digests.as_chunks::<16>().0.to_vec())
    }

    /// The memory that said what a draft says and was forgotten, unless a person has said it since.
    pub(super) fn forgotten_as(&self, prepared: &Prepared, all: &mut Forgotten) -> Result<Option<MemoryId>> {
        if prepared.at.is_none() && prepared.draft.provenance.class == SourceClass::Human {
            return Ok(None);
        }
        let by_salt = match &mut all.by_salt {
            Some(known) => known,
            none => none.insert(self.read_stones()?),
        };
        let found = by_salt.iter().find_map(|(salt, known)| known.get(&digest(salt, &prepared.draft.body)));
        Ok(found.filter(|(_, at)| !said_anew(prepared, *at)).map(|(id, _)| id.clone()))
    }

    fn read_stones(&self) -> Result<Stones> {
        let sql = "SELECT id, at, salt, digest FROM tombstones WHERE digest <> x''";
        let mut all: Stones = HashMap::new();
        let mut query = self.ledger.reading().prepare_cached(sql).map_err(Error::ledger("read"))?;
        let mut rows = query.query([]).map_err(Error::ledger("read"))?;
        while let Some(row) = rows.next().map_err(Error::ledger("read"))? {
            let read = || -> rusqlite::Result<(String, i64, Vec<u8>, Vec<u8>)> {
                Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?))
            };
            let (id, at, salt, digests) = read().map_err(Error::ledger("read"))?;
            let (Ok(salt), Ok(id)) = (Digest::try_from(salt), MemoryId::parse(&id)) else { continue };
            let known = all.entry(salt).or_default();
            for digest in digests.as_chunks::<16>().0 {
                known.insert(*digest, (id.clone(), Time(at)));
            }
        }
        Ok(all)
    }

    /// One salt for a ledger, so that a text is digested once however much was forgotten.
    fn salt(&self) -> Result<Digest> {
        let sql = "SELECT salt FROM tombstones WHERE length(salt) = 16 LIMIT 1";
        let mut query = self.ledger.reading().prepare_cached(sql).map_err(Error::ledger("read"))?;
        let mut rows = query.query([]).map_err(Error::ledger("read"))?;
        let known = rows.next().map_err(Error::ledger("read"))?;
        let salt = known.map(|row| row.get::<_, Vec<u8>>(0)).transpose().map_err(Error::ledger("read"))?;
        salt.and_then(|salt| Digest::try_from(salt).ok()).map_or_else(fresh_salt, Ok)
    }
}

/// Whether a draft is a person's own words of after this moment. What an agent says, and what a conversation of
/// before is read for again, is not.
pub(super) fn said_anew(prepared: &Prepared, since: Time) -> bool {
    prepared.draft.provenance.class == SourceClass::Human && prepared.at.is_none_or(|at| at > since)
}

/// Whether a draft that says what this memory says is a memory of its own: another took the place of this one, and
/// a person has said it anew since.
pub(super) fn is_taken_up_again(memory: &Memory, prepared: &Prepared) -> bool {
    memory.superseded_at().is_some_and(|since| said_anew(prepared, since))
}

fn digest(salt: &Digest, body: &Body) -> Digest {
    let mut hash = blake3::Hasher::new();
    hash.update(salt);
    hash.update(gist(body).as_bytes());
    let mut short = [0; 16];
    short.copy_from_slice(&hash.finalize().as_bytes()[..16]);
    short
}
