//! A shelf: what the index keeps of each memory besides its words, in one block of bytes that is used where it lies.
//!
//! A row is a memory; columns stand one after the other, so that looking at one column of all rows touches nothing
//! else. The same bytes are a file that is mapped and a part of memory that was never a file. A shelf never
//! changes; bytes that do not add up are refused when it is opened.

use std::borrow::Cow;
use std::ops::Range;

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
    /// The vectors of the parts of a long text.
    pub(crate) parts: Vec<Vec<i8>>,
}

/// What a memory's text is like.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Flags {
    /// It is a turn of a conversation as it was said.
    pub(crate) turn: bool,
    /// It tells when something was.
    pub(crate) tells_time: bool,
    /// It asks more than it tells.
    pub(crate) asks: bool,
    /// Another memory took its place.
    pub(crate) superseded: bool,
    /// It speaks of whoever says it.
    pub(crate) of_self: bool,
    /// It holds a name or a number.
    pub(crate) names: bool,
    /// It says how somebody wants things.
    pub(crate) says_how: bool,
    /// It is a task, and done.
    pub(crate) done: bool,
}

impl Flags {
    fn bits(self) -> u8 {
        u8::from(self.turn)
            | u8::from(self.tells_time) << 1
            | u8::from(self.asks) << 2
            | u8::from(self.superseded) << 3
            | u8::from(self.of_self) << 4
            | u8::from(self.names) << 5
            | u8::from(self.says_how) << 6
            | u8::from(self.done) << 7
    }

    fn of(bits: u8) -> Self {
        let is = |n: u8| bits >> n & 1 > 0;
        Self {
            turn: is(0),
            tells_time: is(1),
            asks: is(2),
            superseded: is(3),
            of_self: is(4),
            names: is(5),
            says_how: is(6),
            done: is(7),
        }
    }
}

const MAGIC: &[u8; 8] = b"AMSHELF3";
const HEADER: usize = 8 + 6 * 4;

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
    // An id that is its order in digits need not be written again.
    let id = |card: &'_ Card| if card.id == card.order.to_string() { 0 } else { card.id.len() };
    let id_lengths: Vec<usize> = cards.iter().map(id).collect();
    let ids: usize = id_lengths.iter().sum();
    let parts: usize = cards.iter().map(|card| card.parts.len()).sum();
    let room = cards.len() * (48 + dims) + parts * (4 + dims) + ids + facets.len();
    let mut bytes = Vec::with_capacity(HEADER + room);
    bytes.extend_from_slice(MAGIC);
    for count in [cards.len(), dims, sessions.len(), parts, ids, facets.len()] {
        bytes.extend_from_slice(&(count as u32).to_le_bytes());
    }
    let put = |bytes: &mut Vec<u8>, column: &mut dyn Iterator<Item = u64>, width: usize| {
        column.for_each(|value| bytes.extend_from_slice(&value.to_le_bytes()[..width]));
    };
    put(&mut bytes, &mut cards.iter().map(|card| card.created as u64), 8);
    put(&mut bytes, &mut cards.iter().map(|card| card.order), 8);
    put(&mut bytes, &mut cards.iter().map(|card| card.likeness), 8);
    put(&mut bytes, &mut sessions.iter().copied(), 8);
    if sessions.len() > 1 {
        put(&mut bytes, &mut number_of_session.iter().map(|&n| u64::from(n)), 4);
    }
    put(&mut bytes, &mut number_of_facets.iter().map(|&n| u64::from(n)), 4);
    put(&mut bytes, &mut cards.iter().map(|card| u64::from(card.speaker)), 4);
    let mut end = 0;
    let mut ends = id_lengths.iter().map(|&length| {
        end += length as u64;
        end
    });
    put(&mut bytes, &mut ends, 4);
    put(&mut bytes, &mut cards.iter().map(|card| u64::from(card.length)), 2);
    put(&mut bytes, &mut cards.iter().map(|card| u64::from(card.flags.bits())), 1);
    let mut owners = (0_u64..).zip(cards).flat_map(|(row, card)| card.parts.iter().map(move |_| row));
    put(&mut bytes, &mut owners, 4);
    let vectors = cards.iter().map(|card| &card.vector).chain(cards.iter().flat_map(|card| &card.parts));
    vectors.for_each(|vector| bytes.extend(vector.iter().map(|&x| x as u8)));
    for (card, length) in cards.iter().zip(id_lengths) {
        bytes.extend_from_slice(&card.id.as_bytes()[..length]);
    }
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
    part_of: usize,
    vectors: usize,
    parts: usize,
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
        let (rows, dims, sessions) = (count(0)?, count(1)?, count(2)?);
        let (parts, ids, facets) = (count(3)?, count(4)?, count(5)?);
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
            // Where there is one for all, rows need not say which.
            session: take(rows, if sessions > 1 { 4 } else { 0 })?,
            facet: take(rows, 4)?,
            speaker: take(rows, 4)?,
            id_end: take(rows, 4)?,
            length: take(rows, 2)?,
            flags: take(rows, 1)?,
            part_of: take(parts, 4)?,
            vectors: take(rows, dims)?,
            parts: take(parts, dims)?,
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

    fn two(&self, column: usize, row: usize) -> u16 {
        let at = column + 2 * row;
        self.bytes.get(at..at + 2).and_then(|b| b.try_into().ok()).map_or(0, u16::from_le_bytes)
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
        if self.at.facet > self.at.session { self.four(self.at.session, row) } else { 0 }
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

    pub(crate) fn id(&self, row: usize) -> Cow<'_, str> {
        let end = self.four(self.at.id_end, row) as usize;
        let start = if row == 0 { 0 } else { self.four(self.at.id_end, row - 1) as usize };
        let bytes = self.bytes.get(self.at.ids + start..self.at.ids + end).unwrap_or_default();
        if bytes.is_empty() {
            return self.order(row).to_string().into();
        }
        std::str::from_utf8(bytes).unwrap_or_default().into()
    }

    /// A row as the card it was laid out from; `None` when it is none.
    pub(super) fn card(&self, row: usize) -> Option<Card> {
        let session = self.session(row) as usize;
        let signed = |vector: &[u8]| vector.iter().map(|&x| x as i8).collect::<Vec<_>>();
        let vector = self.vector(row);
        let (_, parts) = self.parts_of(row..row + 1);
        Some(Card {
            id: self.id(row).into_owned(),
            facets: self.facets.get(self.facet(row) as usize)?.clone(),
            created: self.created(row),
            order: self.order(row),
            session: self.eight(self.at.sessions, session),
            speaker: self.speaker(row),
            length: self.two(self.at.length, row),
            likeness: self.likeness(row),
            flags: self.flags(row),
            vector: signed(vector),
            parts: parts.chunks_exact(self.dims.max(1)).map(signed).collect(),
        })
    }

    pub(crate) fn dims(&self) -> usize {
        self.dims
    }

    /// The vector of a row.
    pub(crate) fn vector(&self, row: usize) -> &[u8] {
        self.vectors().get(row * self.dims..(row + 1) * self.dims).unwrap_or_default()
    }

    /// All vectors, row after row.
    pub(crate) fn vectors(&self) -> &[u8] {
        &self.bytes[self.at.vectors..self.at.parts]
    }

    /// The parts of the texts of some rows: the row of each, in their order, and their vectors.
    pub(crate) fn parts_of(&self, rows: Range<usize>) -> (impl Iterator<Item = usize> + '_, &[u8]) {
        let count = (self.at.vectors - self.at.part_of) / 4;
        let first_from = |row: usize| {
            let (mut low, mut high) = (0, count);
            while low < high {
                let middle = low.midpoint(high);
                if (self.four(self.at.part_of, middle) as usize) < row {
                    low = middle + 1;
                } else {
                    high = middle;
                }
            }
            low
        };
        let (first, end) = if count == 0 { (0, 0) } else { (first_from(rows.start), first_from(rows.end)) };
        let vectors = self.bytes.get(self.at.parts + first * self.dims..self.at.parts + end * self.dims);
        ((first..end).map(|n| self.four(self.at.part_of, n) as usize), vectors.unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn card(id: &str, order: u64, session: u64) -> Card {
        Card {
            id: id.to_owned(),
            facets: Facets {
                agent: None,
                category: None,
                kind: format!("kind-{}", order % 2),
                scope: Scope::Project,
                sensitivity: Sensitivity::Public,
                class: SourceClass::Agent,
            },
            created: -5,
            order,
            session,
            speaker: 7,
            length: 3,
            likeness: u64::MAX,
            flags: Flags { asks: true, names: true, done: true, ..Flags::default() },
            vector: vec![-128, 127, 0],
            parts: (0..order % 3).map(|n| vec![1, 2, n as i8]).collect(),
        }
    }

    fn check(cards: &[Card]) {
        let shelf = Shelf::open(OwnedBytes::new(lay_out(cards, 3))).unwrap();
        assert_eq!(shelf.rows(), cards.len());
        for (row, card) in cards.iter().enumerate() {
            assert_eq!(format!("{:?}", shelf.card(row).unwrap()), format!("{card:?}"));
            let session = shelf.sessions().nth(shelf.session(row) as usize);
            assert_eq!(session, Some(card.session));
        }
    }

    #[test]
    fn cards_are_read_as_they_were_laid_out() {
        check(&[]);
        check(&[card("1794797671225", 1_794_797_671_225, 0), card("1794797671226", 1_794_797_671_226, 0)]);
        check(&[card("17", 17, 9), card("017", 17, 9), card("18", 18, 9)]);
        check(&[card("a-name", 4, 0), card("5", 5, 3), card("ç", 6, 0), card("7", 7, 2)]);
    }

    #[test]
    fn bytes_that_do_not_add_up_are_refused() {
        let bytes = lay_out(&[card("17", 17, 9)], 3);
        assert!(Shelf::open(OwnedBytes::new(bytes[..bytes.len() - 1].to_vec())).is_none());
        assert!(Shelf::open(OwnedBytes::new(b"AMSHELF2".to_vec())).is_none());
    }
}
