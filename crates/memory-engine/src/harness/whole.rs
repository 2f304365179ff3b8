//! Files that a client writes anew as a whole: read to the end each time, and only what is new is given.
//!
//! The cursor counts the elements that were given and holds a digest of their names. When the file no longer begins
//! with them it was trimmed or rewritten, and is read from its start.

use super::assembly::{Assembly, Place};
use super::said::{Facts, Said};
use super::{Begin, Cursor, Notes};
use crate::disk::foreign::Foreign;
use crate::error::Result;

/// The largest file that is read as one.
pub(super) const LARGEST: u64 = 32 << 20;

/// What such a file holds.
#[derive(Debug, Default)]
pub(super) struct Whole {
    pub(super) facts: Facts,
    pub(super) aside: bool,
    pub(super) elements: Vec<Element>,
}

/// A message of the file with its name.
#[derive(Debug)]
pub(super) struct Element {
    identity: String,
    said: Vec<Said>,
}

impl Element {
    /// An element; one without a name of its own is known by what it says.
    pub(super) fn new(name: Option<String>, said: Vec<Said>) -> Self {
        let identity = name.unwrap_or_else(|| {
            let texts = said.iter().flat_map(|said| match said {
                Said::Human(part) | Said::Agent(part) => part.texts.as_slice(),
                _ => &[],
            });
            texts.fold(String::new(), |all, text| all + text + "\0")
        });
        Self { identity, said }
    }
}

/// The bytes of the file, if they may be read as one.
pub(super) fn bytes(file: &mut Foreign, notes: &mut Notes) -> Result<Option<Vec<u8>>> {
    let size = file.stat().size;
    if size > LARGEST {
        notes.add(
            "file-too-long",
            0,
            format!("it has {size} bytes and must be read as one: {LARGEST} are the most"),
        );
        return Ok(None);
    }
    let bytes = file.read_at(0, LARGEST)?;
    Ok(Some(bytes.strip_prefix(b"\xef\xbb\xbf").map(<[u8]>::to_vec).unwrap_or(bytes)))
}

/// Where reading begins: after the known elements, if they are still there.
pub(super) fn begin(from: &Cursor, whole: &Whole) -> Begin {
    if from.place == Place::default() {
        Begin::Start
    } else if digest(whole, from.place.at).as_ref() == Some(&from.digest) {
        Begin::Continued
    } else {
        Begin::Rewritten
    }
}

/// Hears all elements from a place on; gives the place after the last.
pub(super) fn read(whole: &mut Whole, from: &Place, assembly: &mut Assembly<'_>) -> Place {
    if whole.aside {
        assembly.context.aside = true;
    }
    assembly.context.facts.learn(whole.facts.clone());
    let skip = usize::try_from(from.at).unwrap_or(usize::MAX);
    for (n, element) in whole.elements.iter_mut().enumerate().skip(skip) {
        assembly.take(&Place::at(n as u64), std::mem::take(&mut element.said));
    }
    Place::at(whole.elements.len() as u64)
}

/// The digest of the first elements' names; `None` when there are not so many.
pub(super) fn digest(whole: &Whole, count: u64) -> Option<String> {
    let known = whole.elements.get(..usize::try_from(count).ok()?)?;
    let mut hash = blake3::Hasher::new();
    for element in known {
        hash.update(&(element.identity.len() as u64).to_le_bytes());
        hash.update(element.identity.as_bytes());
    }
    Some(super::short(&hash))
}
