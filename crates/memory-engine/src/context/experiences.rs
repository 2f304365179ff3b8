//! Past experiences of the journal that are about what is asked, compared by meaning.

use memory_core::context::Found;
use memory_core::memory::{Holds, Memory};
use memory_core::retain::{Experience, Experiences};
use memory_core::scope::Audience;

use crate::error::Result;
use crate::model::Table;
use crate::store::{Gone, Store};

/// Where upkeep gathers them.
pub(crate) const FILE: &str = ".vault/experiences.jsonl";
pub(crate) const LARGEST: u64 = 256 << 20;
/// The newest among which is looked, so that a session does not wait for a long past.
const AMONG: usize = 500;
/// So many are told.
const MOST: usize = 3;
/// What is farther from the question is about something else.
const NEAR: f32 = 0.35;

/// Those that are about a command and that this asker may still be told, the nearest first.
pub(super) fn about(store: &mut Store, audience: &Audience, command: &str) -> Result<Vec<Found>> {
    let Some(bytes) = store.disk().read(FILE, LARGEST)? else { return Ok(Vec::new()) };
    let known = Experiences::read(&String::from_utf8_lossy(&bytes)).all;
    let table = Table::built_in();
    let asked = table.vector(command);
    let near = |text: &str| table.vector(beginning(text)).iter().zip(&asked).map(|(a, b)| a * b).sum::<f32>();
    let newest = &known[known.len().saturating_sub(AMONG)..];
    let mut nearest: Vec<(f32, &Experience)> =
        newest.iter().map(|one| (near(&one.text), one)).filter(|(near, _)| *near >= NEAR).collect();
    nearest.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.id.cmp(&b.1.id)));
    let mut found: Vec<Found> = Vec::new();
    for (score, one) in nearest {
        if found.len() == MOST {
            break;
        }
        let memory = as_it_is(store, one)?;
        let told = memory.filter(|memory| memory.visible_to(audience) && memory.holds(Holds::Now));
        found.extend(told.map(|memory| Found { memory, score, passage: None }));
    }
    Ok(found)
}

/// The memory that an experience was taken from, as it is now; what upkeep took away, as it was. `None` where a person
/// took it out, or where nobody knows for whom it was kept.
fn as_it_is(store: &mut Store, one: &Experience) -> Result<Option<Memory>> {
    let Some(memory) = one.memory() else { return Ok(None) };
    if let Some(entry) = store.current(&memory.id)? {
        return Ok(Some(entry.memory));
    }
    Ok(match store.gone(&memory.id)? {
        Gone::Unwanted => None,
        Gone::Unknown => Some(memory),
        Gone::Away(known) => one.scope.clone().or(known).map(|scope| Memory { scope, ..memory }),
    })
}

/// So much of a text says what it is about.
pub(crate) fn beginning(text: &str) -> &str {
    &text[..text.floor_char_boundary(600)]
}
