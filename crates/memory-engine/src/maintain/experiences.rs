//! Experiences gathered from the journal: compared by meaning with all before them, appended line by line.
//!
//! The vectors are those of the table inside the program, so no text leaves the machine for this.

use memory_core::layout::Home;
use memory_core::retain::{Experience, Experiences, is_experience, is_unique};
use memory_core::time::Time;

use super::journal::records_of;
use super::{Step, Upkeep};
use crate::context::experiences::{FILE, LARGEST, beginning};
use crate::error::Result;
use crate::keep::mask;
use crate::model::Table;
use crate::store::{Copied, Held, OWN};

/// Where the journal tool keeps its own.
const OLDER: &str = "tmp/experience-store.json";
/// The last records that are looked at each time.
const LATEST: usize = 50;

impl Upkeep<'_> {
    /// Adds what is unlike everything before it.
    pub(super) fn experiences(&mut self) -> Result<()> {
        if !self.rules.experiences {
            return Ok(());
        }
        let config = self.door.config().clone();
        let mut store = self.store();
        let _lock = store.lock()?;
        let Some(journal) = store.held(&Home::Journal.path())?.filter(Held::is_there) else { return Ok(()) };
        let bytes = store.disk().read(FILE, LARGEST)?;
        let stat = store.disk().stat(FILE)?;
        let text = String::from_utf8_lossy(bytes.as_deref().unwrap_or_default()).into_owned();
        let mut known = Experiences::read(&text).all;
        let mut lines = String::new();
        if bytes.is_none()
            && let Some(older) = store.disk().read(OLDER, LARGEST)?
        {
            known = Experiences::read_journal_tool(&String::from_utf8_lossy(&older)).all;
            known
                .iter_mut()
                .for_each(|one| one.text = mask(&config, std::mem::take(&mut one.text), &mut Vec::new()));
            lines.extend(known.iter().map(Experience::render));
        }
        let table = Table::built_in();
        let mut vectors: Vec<Vec<f32>> = known.iter().map(|one| table.vector(beginning(&one.text))).collect();
        let records = records_of(&journal);
        for record in records[records.len().saturating_sub(LATEST)..].iter().filter(|it| is_experience(it)) {
            let mut one = Experience::of(record);
            if one.timestamp == Time::default() {
                one.timestamp = self.now;
            }
            one.text = mask(&config, one.text, &mut Vec::new());
            let vector = table.vector(beginning(&one.text));
            if is_unique(&vector, &vectors, self.rules.experience_likeness) {
                self.done.experiences += 1;
                self.done.note(Step::Experiences, "add", FILE, 1).about.clone_from(&one.text);
                lines.push_str(&one.render());
                vectors.push(vector);
                known.push(one);
            }
        }
        let most = self.rules.experience_most.get();
        if known.len() > most {
            known.sort_by_key(|one| one.timestamp);
            let over = known.len() - most;
            self.done.note(Step::Experiences, "archive", FILE, over).about = "the oldest".to_owned();
            if self.applies() {
                let left: String = known[over..].iter().map(Experience::render).collect();
                let first = format!("{text}{lines}");
                let copy = Copied { left: Some(left.as_bytes()), ..Copied::leaving(FILE, first.as_bytes()) };
                store.copy_into(&mut self.batch, vec![copy])?;
                if !store.replace_plain(FILE, stat, left.as_bytes())? {
                    self.done.errors.push((FILE.to_owned(), "it keeps changing".to_owned()));
                }
            }
        } else if self.applies() && !lines.is_empty() {
            // A line that a crash cut off is closed first, so that it costs itself alone.
            let closed = if text.is_empty() || text.ends_with('\n') { lines } else { format!("\n{lines}") };
            store.disk().append(FILE, closed.as_bytes())?;
            store.disk().sync(FILE)?;
            // The records may leave the journal next, so the name of a new file must be as safe as its bytes.
            store.disk().sync_folder(OWN)?;
        }
        Ok(())
    }
}
