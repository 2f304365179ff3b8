//! A shelf: what the index keeps of each memory besides its words, in one block of bytes that is used where it lies.
//!
//! A row is a memory; columns stand one after the other, so that looking at one column of all rows touches nothing
//! else. The same bytes are a file that is mapped and a part of memory that was never a file. A shelf never
//! changes; bytes that do not add up are refused when it is opened.

use memory_core::scope::{Scope, Sensitivity, SourceClass};
use serde::{Deserialize, Serialize};
use tantivy::directory::OwnedBytes;

/// What many memories have in common, kept once.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) struct Facets {
    pub(crate) agent: Option<String>,
    pub(crate) category: Option<String>,
    pub(crate) kind: String,
    pub(crate) scope: Scope,
    pub(crate) sensitivity: Sensitivity,
    pub(crate) class: SourceClass,
}

/// What is known of one memory.
#[derive(Debug, Clone)]
pub(crate) struct Card {
    pub(crate) id: String,
    pub(crate) facets: Facets,
    pub(crate) created: i64,
    /// Grows in the order in which memories were kept, where the id tells; else any number of its own.
    pub(crate) order: u64,
    /// The session's name as a number; 0 for none.
    pub(crate) session: u64,
    /// The name of whoever speaks, as a number; 0 for nobody.
    pub(crate) speaker: u32,
    /// Words in the body.
    pub(crate) length: u16,
    pub(crate) likeness: u64,
    pub(crate) flags: Flags,
    pub(crate) vector: Vec<i8>,
}

/// What a memory's text is like.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Flags {
    /// It is a turn of a conversation as it was said.
    pub(crate) turn: bool,
    /// It tells when something was.
    pub(crate) tells_time: bool,
    /// It asks.
    pub(crate) asks: bool,
    /// Another memory took its place.
    pub(crate) superseded: bool,
}

impl Flags {
    fn bits(self) -> u8 {
        u8::from(self.turn)
            | u8::from(self.tells_time) << 1
            | u8::from(self.asks) << 2
            | u8::from(self.superseded) << 3
    }

    fn of(bits: u8) -> Self {
        Self { turn: bits & 1 > 0, tells_time: bits & 2 > 0, asks: bits & 4 > 0, superseded: bits & 8 > 0 }
    }
}

const MAGIC: &[u8; 8] = b"AMSHELF1";
const HEADER: usize = 8 + 5 * 4;

/// The bytes of a shelf of these cards.
pub(crate) fn lay_out(cards: &[Card], dims: usize) -> Vec<u8> {
    let mut facets: Vec<&Facets> = Vec::new();
    let mut facet_numbers = std::collections::HashMap::new();
    let mut sessions: Vec<u64> = Vec::new();
    let mut session_numbers = std::collections::HashMap::new();
    let mut number_of_facets = Vec::with_capacity(cards.len());
    let mut number_of_session = Vec::with_capacity(cards.len());
    for card in cards {
        number_of_facets.push(*facet_numbers.entry(&card.facets).or_insert_with(|| {
            facets.push(&card.facets);
            facets.len() as u32 - 1
        }));
        number_of_session.push(*session_numbers.entry(card.session).or_insert_with(|| {
            sessions.push(card.session);
            sessions.len() as u32 - 1
        }));
    }
    let facets = serde_json::to_vec(&facets).unwrap_or_default();
    let ids: usize = cards.iter().map(|card| card.id.len()).sum();
    let mut bytes = Vec::with_capacity(HEADER + cards.len() * (48 + dims) + ids + facets.len());
    bytes.extend_from_slice(MAGIC);
    for count in [cards.len(), dims, sessions.len(), ids, facets.len()] {
        bytes.extend_from_slice(&(count as u32).to_le_bytes());
    }
    let put = |bytes: &mut Vec<u8>, column: &mut dyn Iterator<Item = u64>, width: usize| {
        column.for_each(|value| bytes.extend_from_slice(&value.to_le_bytes()[..width]));
    };
    put(&mut bytes, &mut cards.iter().map(|card| card.created as u64), 8);
    put(&mut bytes, &mut cards.iter().map(|card| card.order), 8);
    put(&mut bytes, &mut cards.iter().map(|card| card.likeness), 8);
    put(&mut bytes, &mut sessions.iter().copied(), 8);
    put(&mut bytes, &mut number_of_session.iter().map(|&n| u64::from(n)), 4);
    put(&mut bytes, &mut number_of_facets.iter().map(|&n| u64::from(n)), 4);
    put(&mut bytes, &mut cards.iter().map(|card| u64::from(card.speaker)), 4);
    let mut end = 0;
    let mut ends = cards.iter().map(|card| {
        end += card.id.len() as u64;
        end
    });
    put(&mut bytes, &mut ends, 4);
    put(&mut bytes, &mut cards.iter().map(|card| u64::from(card.length)), 2);
    put(&mut bytes, &mut cards.iter().map(|card| u64::from(card.flags.bits())), 1);
    for card in cards {
        bytes.extend(card.vector.iter().map(|&x| x as u8));
    }
    cards.iter().for_each(|card| bytes.extend_from_slice(card.id.as_bytes()));
    bytes.extend_from_slice(&facets);
    bytes
}

/// An open shelf.
pub(crate) struct Shelf {
    bytes: OwnedBytes,
    rows: usize,
    dims: usize,
    facets: Vec<Facets>,
    at: Columns,
}

/// Where each column begins.
struct Columns {
    created: usize,
    order: usize,
    likeness: usize,
    sessions: usize,
    session: usize,
    facet: usize,
    speaker: usize,
    id_end: usize,
    length: usize,
    flags: usize,
    vectors: usize,
    ids: usize,
}

impl Shelf {
    /// Opens the bytes of a shelf; `None` when they are none.
    pub(crate) fn open(bytes: OwnedBytes) -> Option<Self> {
        if bytes.get(..8)? != MAGIC {
            return None;
        }
        let count = |n: usize| {
            let at = 8 + 4 * n;
            Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?) as usize)
        };
        let (rows, dims, sessions, ids, facets) = (count(0)?, count(1)?, count(2)?, count(3)?, count(4)?);
        let mut next = HEADER;
        let mut take = |items: usize, width: usize| {
            let at = next;
            next = next.checked_add(items.checked_mul(width)?)?;
            Some(at)
        };
        let at = Columns {
            created: take(rows, 8)?,
            order: take(rows, 8)?,
            likeness: take(rows, 8)?,
            sessions: take(sessions, 8)?,
            session: take(rows, 4)?,
            facet: take(rows, 4)?,
            speaker: take(rows, 4)?,
            id_end: take(rows, 4)?,
            length: take(rows, 2)?,
            flags: take(rows, 1)?,
            vectors: take(rows, dims)?,
            ids: take(ids, 1)?,
        };
        let facets_at = take(facets, 1)?;
        if next != bytes.len() {
            return None;
        }
        let facets: Vec<Facets> = serde_json::from_slice(&bytes[facets_at..]).ok()?;
        Some(Self { rows, dims, facets, at, bytes })
    }

    pub(crate) fn rows(&self) -> usize {
        self.rows
    }

    fn eight(&self, column: usize, row: usize) -> u64 {
        let at = column + 8 * row;
        self.bytes.get(at..at + 8).and_then(|b| b.try_into().ok()).map_or(0, u64::from_le_bytes)
    }

    fn four(&self, column: usize, row: usize) -> u32 {
        let at = column + 4 * row;
        self.bytes.get(at..at + 4).and_then(|b| b.try_into().ok()).map_or(0, u32::from_le_bytes)
    }

    pub(crate) fn created(&self, row: usize) -> i64 {
        self.eight(self.at.created, row) as i64
    }

    pub(crate) fn order(&self, row: usize) -> u64 {
        self.eight(self.at.order, row)
    }

    pub(crate) fn likeness(&self, row: usize) -> u64 {
        self.eight(self.at.likeness, row)
    }

    pub(crate) fn flags(&self, row: usize) -> Flags {
        Flags::of(self.bytes.get(self.at.flags + row).copied().unwrap_or(0))
    }

    /// Whether any row is of a memory whose place another took.
    pub(crate) fn has_superseded(&self) -> bool {
        let flags = self.bytes.get(self.at.flags..self.at.flags + self.rows).unwrap_or_default();
        flags.iter().any(|&bits| Flags::of(bits).superseded)
    }

    pub(crate) fn speaker(&self, row: usize) -> u32 {
        self.four(self.at.speaker, row)
    }

    /// The number of a row's session among this shelf's sessions.
    pub(crate) fn session(&self, row: usize) -> u32 {
        self.four(self.at.session, row)
    }

    /// The sessions of this shelf.
    pub(crate) fn sessions(&self) -> impl Iterator<Item = u64> + '_ {
        (0..(self.at.session - self.at.sessions) / 8).map(|n| self.eight(self.at.sessions, n))
    }

    /// The number of a row's facets among this shelf's facets.
    pub(crate) fn facet(&self, row: usize) -> u32 {
        self.four(self.at.facet, row)
    }

    pub(crate) fn facets(&self) -> &[Facets] {
        &self.facets
    }

    /// The words in the body of each row.
    pub(crate) fn lengths(&self) -> impl Iterator<Item = u16> + '_ {
        let bytes = &self.bytes[self.at.length..self.at.length + 2 * self.rows];
        bytes.chunks_exact(2).map(|b| u16::from_le_bytes([b[0], b[1]]))
    }

    pub(crate) fn id(&self, row: usize) -> &str {
        let end = self.four(self.at.id_end, row) as usize;
        let start = if row == 0 { 0 } else { self.four(self.at.id_end, row - 1) as usize };
        let bytes = self.bytes.get(self.at.ids + start..self.at.ids + end).unwrap_or_default();
        std::str::from_utf8(bytes).unwrap_or_default()
    }

    /// A row as the card it was laid out from.
    pub(super) fn card(&self, row: usize) -> Card {
        let session = self.session(row) as usize;
        let vector = self.vectors().get(row * self.dims..(row + 1) * self.dims).unwrap_or_default();
        Card {
            id: self.id(row).to_owned(),
            facets: self.facets[self.facet(row) as usize].clone(),
            created: self.created(row),
            order: self.order(row),
            session: self.eight(self.at.sessions, session),
            speaker: self.speaker(row),
            length: self.lengths().nth(row).unwrap_or(0),
            likeness: self.likeness(row),
            flags: self.flags(row),
            vector: vector.iter().map(|&x| x as i8).collect(),
        }
    }

    pub(crate) fn dims(&self) -> usize {
        self.dims
    }

    /// All vectors, row after row.
    pub(crate) fn vectors(&self) -> &[u8] {
        &self.bytes[self.at.vectors..self.at.ids]
    }
}
