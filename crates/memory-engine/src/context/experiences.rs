//! Past experiences of the journal that are about what is asked, compared by meaning.

use memory_core::context::Found;
use memory_core::memory::{Holds, Memory};
use memory_core::retain::{Experience, Experiences};
use memory_core::scope::Audience;

use crate::disk::Disk;
use crate::error::Result;
use crate::model::Table;
use crate::store::{Gone, Store};

/// Where upkeep gathers them.
pub(crate) const FILE: &str = ".vault/experiences.jsonl";
pub(crate) const LARGEST: u64 = 256 << 20;
/// So much of its end is looked at, so that a session does not wait for a long past.
const END: u64 = 2 << 20;
/// The newest among which is looked.
const AMONG: usize = 500;
/// So many are told.
const MOST: usize = 3;
/// What is farther from the question is about something else.
const NEAR: f32 = 0.35;

/// Those that are about a command and that this asker may still be told, the nearest first.
pub(super) fn about(store: &mut Store, audience: &Audience, command: &str) -> Result<Vec<Found>> {
    let known = newest(store.disk(), END)?;
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

/// Those in the last bytes of the file.
fn newest(disk: &dyn Disk, bytes: u64) -> Result<Vec<Experience>> {
    let size = disk.stat(FILE)?.map_or(0, |stat| stat.size);
    let from = size.saturating_sub(bytes);
    let end = disk.read_range(FILE, from..size)?.unwrap_or_default();
    // The first line may have begun before the part that was read.
    let cut = if from == 0 { 0 } else { end.iter().position(|&b| b == b'\n').map_or(end.len(), |n| n + 1) };
    Ok(Experiences::read(&String::from_utf8_lossy(&end[cut..])).all)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::disk::OsDisk;

    #[test]
    fn of_a_long_past_only_the_end_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let disk = OsDisk::open(folder.path()).unwrap();
        assert_eq!(newest(&disk, 100).unwrap(), []);
        disk.make_folder(".vault").unwrap();
        let line = |n: usize| format!("{{\"id\":\"{n}\",\"text\":\"one {n}\"}}\n");
        let lines: String = (0..9).map(line).collect();
        disk.append(FILE, lines.as_bytes()).unwrap();
        let ids = |bytes: usize| -> Vec<String> {
            newest(&disk, bytes as u64).unwrap().into_iter().map(|one| one.id).collect()
        };
        assert_eq!(ids(lines.len()).len(), 9);
        // One that begins before the part that is read is left out.
        assert_eq!(ids(line(0).len() * 2 + 3), ["7", "8"]);
    }
}
