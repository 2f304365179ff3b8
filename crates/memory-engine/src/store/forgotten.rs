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

use super::unsaid::marks;
use super::{Prepared, Store};
use crate::error::Result;
use crate::ledger::{self, Burial, Tombstone, Writing, fresh_salt};

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
    /// The same with marks of the phrases of texts, so that they are not heard again.
    pub(super) fn marked(&self, texts: &[String]) -> Self {
        let mut digests = [&self.digests[..], &marks(&self.salt, texts)].concat();
        digests.sort_unstable();
        digests.dedup();
        Self { id: self.id.clone(), salt: self.salt, digests }
    }

    /// Sets it, in the transaction that is open.
    pub(super) fn set(&self, db: &Writing, at: Time, how: Burial) -> Result<()> {
        let (id, salt, digests) = (self.id.clone(), self.salt.to_vec(), self.digests.concat());
        ledger::put_tombstone(db, how, &Tombstone { id, at, salt, digests })
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
        self.said(Burial::ForGood, i64::MIN)
    }

    /// What was forgotten from this millisecond on, and not for good.
    pub(super) fn forgotten_since(&self, since: i64) -> Result<Said> {
        self.said(Burial::Archived, since)
    }

    fn said(&self, how: Burial, since: i64) -> Result<Said> {
        let stones = self.ledger.tombstones(how, Time(since))?.into_iter();
        let known =
            stones.map(|stone| (stone.id, (Digest::try_from(stone.salt).unwrap_or_default(), stone.digests)));
        Ok(Said(known.collect()))
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
        let stone = self.ledger.tombstone(id)?.filter(|stone| stone.salt == salt);
        Ok(stone.map(|stone| stone.digests.as_chunks::<16>().0.to_vec()).unwrap_or_default())
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
        let mut all: Stones = HashMap::new();
        for stone in self.ledger.worded_tombstones()? {
            let Ok(salt) = Digest::try_from(stone.salt) else { continue };
            let known = all.entry(salt).or_default();
            for digest in stone.digests.as_chunks::<16>().0 {
                known.insert(*digest, (stone.id.clone(), stone.at));
            }
        }
        Ok(all)
    }

    /// One salt for a ledger, so that a text is digested once however much was forgotten.
    fn salt(&self) -> Result<Digest> {
        self.ledger.salt_of_tombstones()?.map_or_else(fresh_salt, Ok)
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
