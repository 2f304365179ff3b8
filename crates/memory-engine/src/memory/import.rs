//! The verbs that bring in what other programs remember.

use std::path::PathBuf;
use std::time::Duration;

use memory_core::session::Client;

use super::Memory;
use super::capture::Keeper;
use crate::capture::{self, ClientSessions, Process, ProcessFrom};
use crate::disk::{Sort, foreign};
use crate::error::{Error, Result};
use crate::harness::Homes;
use crate::import::{self, Format, How, Import, Imported, Place, Unit};
use crate::project::project_of;
use crate::search::Update;

/// What could be brought in without anybody naming it.
#[derive(Debug, Clone, Default)]
pub struct Importable {
    /// The sessions of this project, a row a client.
    pub sessions: Vec<ClientSessions>,
    /// Sessions that cannot be read, with the reason.
    pub unread: Vec<(String, String)>,
    /// Other memories of this project and of this user.
    pub places: Vec<Place>,
}

impl Memory {
    /// Finds what could be brought in: the sessions of this project in every client, and what other programs keep in
    /// their usual places. Nothing is changed.
    pub fn importable(&self) -> Result<Importable> {
        let disk = self.store().shared_disk();
        let found = capture::survey(&*disk, &ProcessFrom::Clients(Vec::new()))?;
        let project = project_of(disk.root().parent().unwrap_or(disk.root()));
        let places = Homes::of_user().map(|homes| import::places(&homes, &project, disk.root()));
        Ok(Importable { sessions: found.rows, unread: found.unread, places: places.unwrap_or_default() })
    }

    /// The place at which a format usually is; `None` when nothing is there.
    pub fn usual_place(&self, format: Format) -> Option<PathBuf> {
        let disk = self.store().shared_disk();
        let project = project_of(disk.root().parent().unwrap_or(disk.root()));
        import::place_of(&Homes::of_user()?, &project, disk.root(), format)
    }

    /// Looks at what an import would bring in. Nothing is changed.
    pub fn look_at_import(&self, import: &Import, report: &mut dyn FnMut(usize)) -> Result<Imported> {
        self.over(import, How::Look, report)
    }

    /// Brings in what is new in a source. `report` hears how many memories or sessions were looked at. Repeating it
    /// keeps nothing twice, and the source is never changed.
    ///
    /// ```
    /// use memory_engine::{Format, Import, Memory, Reach};
    /// # let folder = tempfile::tempdir()?;
    /// # let notes = folder.path().join("CLAUDE.md");
    /// # #[allow(clippy::disallowed_methods)]
    /// # std::fs::write(&notes, "# Style\n- Four spaces, never tabs\n")?;
    /// let memory = Memory::create(folder.path().join(".memory"))?;
    /// let import = Import { format: Format::Markdown, path: notes, agent: None, reach: Reach::Project };
    /// assert_eq!(memory.import(&import, &mut |_| {})?.kept_count(), 1);
    /// assert_eq!(memory.import(&import, &mut |_| {})?.before, 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn import(&self, import: &Import, report: &mut dyn FnMut(usize)) -> Result<Imported> {
        self.over(import, How::Keep, report)
    }

    /// What is taken out of conversations is compared with what is known; a long tail that the index does not hold
    /// would be read again for each of these questions.
    fn catch_up(&self, import: &Import, how: How) -> Result<()> {
        const LONG: usize = 500;
        let asks = matches!(import.format, Format::ChatGpt | Format::ClaudeAi) && how == How::Keep;
        if asks && self.index_state()?.behind >= LONG {
            self.update_index(Update::Behind, &mut |_, _| {})?;
        }
        Ok(())
    }

    fn over(&self, import: &Import, how: How, report: &mut dyn FnMut(usize)) -> Result<Imported> {
        let disk = self.store().shared_disk();
        if import.format != Format::Conversations {
            self.catch_up(import, how)?;
            return import::pass(&*disk, &mut Keeper::of(self), import, how, report);
        }
        let path = foreign::real_path(&import.path);
        match foreign::sort_at(&path) {
            Some(Sort::Folder) => {}
            None => return Err(Error::absent(&path)),
            Some(_) => {
                let why = "saved conversations are read as a folder: name the one that holds it".to_owned();
                return Err(Error::NotImportable { path: path.display().to_string(), why });
            }
        }
        let from = ProcessFrom::Folder(path, Client::Conversations);
        let survey = capture::survey(&*disk, &from)?;
        let mut done = Imported { unit: Unit::Session, ..Imported::default() };
        for row in survey.rows {
            done.found += row.found;
            done.new += row.new;
            done.date(row.dates.0);
            done.date(row.dates.1);
        }
        done.before = done.found - done.new;
        survey.unread.into_iter().for_each(|(path, why)| done.defect(path, why));
        if how == How::Look {
            return Ok(done);
        }
        let wait = Duration::from_secs(60);
        // What lies there was said long ago, so every conversation is handed over.
        let process = Process { agent: import.agent.clone(), idle: Duration::ZERO, from, wait };
        let processed = self.process(&process, &mut |at, _| report(at))?;
        done.kept = processed.kept;
        if processed.handoffs > 0 {
            *done.kept.entry("handoff".to_owned()).or_default() += processed.handoffs;
        }
        if processed.busy {
            let why = "another process is taking sessions in right now: repeat the import".to_owned();
            done.defect("conversations".to_owned(), why);
        }
        processed.errors.into_iter().chain(processed.defects).for_each(|(path, why)| done.defect(path, why));
        Ok(done)
    }
}
