//! Past experiences of the journal that are about what is asked, compared by meaning.

use memory_core::context::Found;
use memory_core::retain::Experiences;

use crate::disk::Disk;
use crate::error::Result;
use crate::model::Table;

/// Where upkeep gathers them.
pub(crate) const FILE: &str = ".vault/experiences.jsonl";
pub(crate) const LARGEST: u64 = 256 << 20;
/// The newest among which is looked, so that a session does not wait for a long past.
const AMONG: usize = 500;
/// So many are told.
const MOST: usize = 3;
/// What is farther from the question is about something else.
const NEAR: f32 = 0.35;

/// Those that are about a command, the nearest first.
pub(super) fn about(disk: &dyn Disk, command: &str) -> Result<Vec<Found>> {
    let Some(bytes) = disk.read(FILE, LARGEST)? else { return Ok(Vec::new()) };
    let known = Experiences::read(&String::from_utf8_lossy(&bytes)).all;
    let table = Table::built_in();
    let asked = table.vector(command);
    let near = |text: &str| table.vector(beginning(text)).iter().zip(&asked).map(|(a, b)| a * b).sum::<f32>();
    let newest = &known[known.len().saturating_sub(AMONG)..];
    let mut found: Vec<Found> = newest
        .iter()
        .map(|one| (near(&one.text), one))
        .filter(|(near, _)| *near >= NEAR)
        .filter_map(|(score, one)| Some(Found { memory: one.memory()?, score, passage: None }))
        .collect();
    found.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| a.memory.id.cmp(&b.memory.id)));
    found.truncate(MOST);
    Ok(found)
}

/// So much of a text says what it is about.
pub(crate) fn beginning(text: &str) -> &str {
    &text[..text.floor_char_boundary(600)]
}
