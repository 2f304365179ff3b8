//! What was forgotten for good is not heard again: a conversation may be read anew long after, and say it still.
//!
//! With the digests of what a memory said, its stone carries marks: a salted digest of each phrase, and how many words
//! it has, so that only words of that number are digested and compared.

use std::collections::HashMap;

use memory_core::strike;
use memory_core::time::Time;

use super::Store;
use super::forgotten::Digest;
use crate::error::Result;
use crate::ledger::Burial;

/// How a mark begins; the number of words follows.
const MARK: &[u8] = b"ph";

/// The words that are not heard again.
#[derive(Default)]
pub(crate) struct Unsaid {
    /// By the salt of their digests: when each was forgotten.
    by_salt: HashMap<Digest, HashMap<Digest, Time>>,
    lengths: Vec<usize>,
}

impl Unsaid {
    /// A text without the sentences that were forgotten for good, if it says any; `said` is when a person said it, whose
    /// words of after that are theirs anew.
    pub(crate) fn without(&self, text: &str, said: Option<Time>) -> Option<String> {
        if self.lengths.is_empty() {
            return None;
        }
        let is_one = |words: &str| {
            self.by_salt.iter().any(|(salt, marks)| {
                let forgotten = marks.get(&mark(salt, words));
                forgotten.is_some_and(|at| said.is_none_or(|said| said <= *at))
            })
        };
        strike::without(text, &self.lengths, &is_one)
    }
}

impl Store {
    /// The words of everything that was forgotten for good.
    pub(crate) fn unsaid(&self) -> Result<Unsaid> {
        let mut all = Unsaid::default();
        for stone in self.ledger.tombstones(Burial::ForGood, Time(i64::MIN))? {
            let Ok(salt) = Digest::try_from(stone.salt) else { continue };
            for mark in stone.digests.as_chunks::<16>().0.iter().filter(|digest| digest.starts_with(MARK)) {
                all.by_salt.entry(salt).or_default().insert(*mark, stone.at);
                all.lengths.push(usize::from(mark[MARK.len()]));
            }
        }
        all.lengths.sort_unstable();
        all.lengths.dedup();
        Ok(all)
    }
}

/// The marks of texts.
pub(super) fn marks(salt: &Digest, texts: &[String]) -> Vec<Digest> {
    texts.iter().flat_map(|text| strike::phrases(text)).map(|phrase| mark(salt, &phrase)).collect()
}

fn mark(salt: &Digest, phrase: &str) -> Digest {
    let mut hash = blake3::Hasher::new();
    hash.update(salt);
    hash.update(MARK);
    hash.update(phrase.as_bytes());
    let mut mark = [0; 16];
    mark.copy_from_slice(&hash.finalize().as_bytes()[..16]);
    mark[..MARK.len()].copy_from_slice(MARK);
    mark[MARK.len()] = u8::try_from(strike::length(phrase)).unwrap_or(u8::MAX);
    mark
}
