//! The handle that people embed: one open root and its verbs. Everything the program's surfaces do, they do here.

mod capture;
mod context;
mod import;
mod migrate;
mod opening;
mod scan;
mod sessions;
mod upkeep;

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::thread::JoinHandle;
use std::time::Duration;

use memory_core::config::Resolved;
use memory_core::id::MemoryId;
use memory_core::layout::{Home, Page};
use memory_core::scope::Audience;
use memory_core::time::Time;

use crate::doctor::{self, Depth, Diagnosis};
use crate::error::{Error, Result};
use crate::index;
use crate::keep::{self, Draft, Edited, Kept};
use crate::search::{Answer, IndexState, Search, Searcher, Update, Updated};
use crate::store::{
    AgentCounts, ArchiveBatch, Change, Entry, Expect, Filter, Forget, Forgotten, LARGE, Notice, Restored,
    Store, Supersede, Superseded, Version, pace,
};

pub use import::Importable;

/// An open root. Clones share it; it may be used from several threads, which take turns.
///
/// What [`remember`](Memory::remember) acknowledged is durable at once. The markdown follows within a moment when
/// many memories arrive in a row, and at the latest when the last clone is dropped or [`flush`](Memory::flush) returns.
#[derive(Clone)]
pub struct Memory {
    shared: Arc<Shared>,
}

struct Shared {
    store: Arc<Mutex<Store>>,
    searcher: Mutex<Searcher>,
    config: Resolved,
    root: std::path::PathBuf,
    cost: Arc<AtomicU64>,
    /// Whether somebody is already waiting to bring the markdown up to date.
    pending: AtomicBool,
    /// Who writes the files after the last large group, while its caller goes on.
    writer: Mutex<Option<JoinHandle<()>>>,
}

impl Memory {
    fn store(&self) -> MutexGuard<'_, Store> {
        held(&self.shared.store)
    }

    /// The root folder.
    pub fn root(&self) -> &Path {
        &self.shared.root
    }

    /// The settings, each with where it came from.
    pub fn config(&self) -> &Resolved {
        &self.shared.config
    }

    /// What a person should be told since the last time this was asked.
    pub fn notices(&self) -> Vec<Notice> {
        self.shared.wait_for_writer();
        self.store().take_notices()
    }

    /// Keeps one memory. When this returns, the memory survives a kill and a power loss.
    ///
    /// ```
    /// use memory_engine::{Draft, Memory, Outcome};
    /// # let folder = tempfile::tempdir()?;
    /// let memory = Memory::create(folder.path().join(".memory"))?;
    /// let first = memory.remember(Draft::note("Deploys happen on Fridays only"))?;
    /// let again = memory.remember(Draft::note("Deploys happen on Fridays only"))?;
    /// assert_eq!((first.id, again.outcome), (again.id, Outcome::Duplicate));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn remember(&self, draft: Draft) -> Result<Kept> {
        let mut kept = self.remember_all(vec![draft])?;
        kept.pop().unwrap_or(Err(Error::Refused(memory_core::admit::Refusal::Empty)))
    }

    /// Keeps many memories; each has its own answer. All share one durable commit, but for a text that is replaced
    /// under its key: what it replaces is archived first, so it has one of its own. After a large group the files are
    /// written while the caller goes on, and the next group waits for that.
    pub fn remember_all(&self, drafts: Vec<Draft>) -> Result<Vec<Result<Kept>>> {
        let large = drafts.len() >= LARGE;
        let prepared = keep::prepare(&self.shared.config.config, drafts);
        self.shared.wait_for_writer();
        let mut store = self.store();
        let kept = keep::keep(&mut store, prepared)?;
        let waits = store.has_tail();
        let due = large && store.flush_is_due();
        drop(store);
        if due {
            self.flush_beside();
        } else if waits {
            self.flush_soon();
        }
        self.keep_window(&kept);
        Ok(kept)
    }

    /// Memories that nearly say what was just kept; they are reported, never merged. What was kept is kept, so what
    /// stands in the way of this is a notice.
    pub fn similar(&self, kept: &Kept) -> Vec<Entry> {
        let mut store = self.store();
        let similar = store.similar(&kept.id);
        similar.unwrap_or_else(|error| {
            store.notice(error.code(), format!("what is much alike could not be looked for: {error}"));
            Vec::new()
        })
    }

    /// One memory.
    pub fn show(&self, id: &MemoryId) -> Result<Entry> {
        let mut store = self.store();
        let shown = store.show(id);
        let mut entry = shown.map_err(|error| store.or_in_archive(error))?;
        store.date_by_hand(std::slice::from_mut(&mut entry))?;
        Ok(entry)
    }

    /// The memories that a filter keeps, newest first.
    pub fn list(&self, filter: &Filter) -> Result<Vec<Entry>> {
        let mut all = Vec::new();
        self.each(filter, &mut |entry| {
            all.push(entry);
            Ok(true)
        })?;
        Ok(all)
    }

    /// Calls a function for each memory that a filter keeps, newest first, until it answers `false`. Memory use
    /// does not grow with the store.
    pub fn each(&self, filter: &Filter, each: &mut dyn FnMut(Entry) -> Result<bool>) -> Result<()> {
        self.store().each(filter, &mut |entry| {
            Ok(if each(entry)? { ControlFlow::Continue(()) } else { ControlFlow::Break(()) })
        })
    }

    /// The memories that answer a question, best first. What is acknowledged is found at once.
    ///
    /// ```
    /// use memory_engine::{Draft, Memory, Search};
    /// # let folder = tempfile::tempdir()?;
    /// let memory = Memory::create(folder.path().join(".memory"))?;
    /// memory.remember(Draft::note("The login failed after the token expired"))?;
    /// memory.remember(Draft::note("Deploys happen on Fridays only"))?;
    /// let answer = memory.search(&Search::new("why did logins fail?"))?;
    /// assert!(answer.hits[0].entry.memory.body.as_str().starts_with("The login failed"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn search(&self, search: &Search) -> Result<Answer> {
        let mut searcher = self.shared.searcher.lock().unwrap_or_else(PoisonError::into_inner);
        searcher.search(&mut self.store(), search)
    }

    /// The memories that are about the same things as this one, best first; `search` narrows them and its text is
    /// not looked at.
    pub fn related(&self, id: &MemoryId, search: &Search) -> Result<Answer> {
        let mut searcher = self.shared.searcher.lock().unwrap_or_else(PoisonError::into_inner);
        searcher.related(&mut self.store(), id, search)
    }

    /// How the index on disk is.
    pub fn index_state(&self) -> Result<IndexState> {
        let searcher = self.shared.searcher.lock().unwrap_or_else(PoisonError::into_inner);
        searcher.state(&mut self.store())
    }

    /// Brings the index on disk up to date. `report` hears how many of how many memories are done.
    pub fn update_index(&self, how: Update, report: &mut dyn FnMut(usize, usize)) -> Result<Updated> {
        let mut searcher = self.shared.searcher.lock().unwrap_or_else(PoisonError::into_inner);
        searcher.update(&mut self.store(), how, report)
    }

    /// Changes a memory. What stood there goes to the archive first.
    ///
    /// ```
    /// use memory_engine::{Change, Draft, Expect, Memory};
    /// # let folder = tempfile::tempdir()?;
    /// let memory = Memory::create(folder.path().join(".memory"))?;
    /// let kept = memory.remember(Draft::note("The port is 8080"))?;
    /// memory.edit(&kept.id, Change::Text("The port is 9090".into()), &Expect::Text("The port is 8080".into()))?;
    /// assert_eq!(memory.show(&kept.id)?.memory.body.as_str(), "The port is 9090");
    /// assert_eq!(memory.history(&kept.id)?.len(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn edit(&self, id: &MemoryId, change: Change, expect: &Expect) -> Result<Edited> {
        let (mut redacted, config) = (Vec::new(), &self.shared.config.config);
        let change = match change {
            Change::Text(text) => Change::Text(keep::mask(config, text, &mut redacted)),
            Change::Tags(tags) => Change::Tags(keep::clean_tags(config, tags, &mut redacted)),
        };
        let mut store = self.store();
        let edited = store.edit(id, &change, expect);
        let entry = edited.map_err(|error| store.or_in_archive(error))?;
        Ok(Edited { entry, redacted })
    }

    /// Takes memories out, into the archive or for good.
    pub fn forget(&self, ids: &[MemoryId], how: Forget) -> Result<Forgotten> {
        let mut store = self.store();
        // The index holds words of what it was made of, so for good means that it is made anew. It goes first, since
        // nobody would take it away after a crash in between, and again in case another process made it meanwhile.
        if how == Forget::Hard {
            let fit = store.refuse_unforgettable(ids, how);
            fit.map_err(|error| store.or_in_archive(error))?;
            index::remove(store.disk())?;
        }
        let forgotten = store.forget(ids, how);
        let mut forgotten = forgotten.map_err(|error| store.or_in_archive(error))?;
        if how == Forget::Hard && !index::remove(store.disk())? {
            let text = "the index, which another process is writing: run `agent-memory index rebuild` when it is done";
            forgotten.unreachable.insert(0, text.to_owned());
        }
        Ok(forgotten)
    }

    /// Says that one memory took the place of another, or that it did not after all. What no longer holds keeps its
    /// text and its place, and leaves the answers of [`search`](Memory::search).
    ///
    /// ```
    /// use memory_engine::{Draft, Memory, Search, Supersede};
    /// # let folder = tempfile::tempdir()?;
    /// let memory = Memory::create(folder.path().join(".memory"))?;
    /// let old = memory.remember(Draft::note("The port is 8080"))?.id;
    /// let new = memory.remember(Draft::note("The port is 9090"))?.id;
    /// memory.supersede(&Supersede::By { old: old.clone(), new: new.clone() })?;
    /// assert_eq!(memory.show(&old)?.memory.superseded_by(), Some(new));
    /// assert_eq!(memory.search(&Search::new("which port"))?.hits.len(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn supersede(&self, wish: &Supersede) -> Result<Superseded> {
        let mut store = self.store();
        let superseded = store.supersede(wish);
        superseded.map_err(|error| store.or_in_archive(error))
    }

    /// Sets back what the archive holds under a memory's id or a batch's name.
    pub fn restore(&self, name: &str) -> Result<Restored> {
        self.store().restore(name)
    }

    /// What the archive holds, newest first. What this asker may not see is there without its first line.
    pub fn archive(&self, audience: &Audience) -> Result<Vec<ArchiveBatch>> {
        self.store().batches(audience)
    }

    /// The versions of a memory, oldest first.
    pub fn history(&self, id: &MemoryId) -> Result<Vec<Version>> {
        self.store().history(id)
    }

    /// Gives a memory the words it had at a moment. Where those are no longer known, it keeps today's.
    pub fn word_as_of(&self, entry: &mut Entry, moment: Time) -> Result<()> {
        self.store().word_as_of(entry, moment)
    }

    /// The agents that have a vault here, with how much each holds.
    pub fn agents(&self) -> Result<Vec<AgentCounts>> {
        self.store().agents()
    }

    /// The text of a page, or `None` when there is none.
    pub fn page(&self, page: Page) -> Result<Option<String>> {
        let store = self.store();
        let bytes = store.disk().read(&Home::Page(page).path(), store.config().limits.file_bytes)?;
        // The mark at the beginning of a file says how it is written, and is no part of what it says.
        let text = |bytes: Vec<u8>| {
            let text = String::from_utf8_lossy(&bytes);
            text.strip_prefix('\u{feff}').unwrap_or(&text).to_owned()
        };
        Ok(bytes.map(text))
    }

    /// Writes a page; what stood there goes to the archive first.
    pub fn write_page(&self, page: Page, text: &str) -> Result<()> {
        self.edit_page(page, text, &Expect::Anything).map(|_| ())
    }

    /// The same where a person saw what stood there; no page and an empty one are the same. Gives the sorts of
    /// credentials that were masked.
    pub fn edit_page(&self, page: Page, text: &str, expect: &Expect) -> Result<Vec<&'static str>> {
        let mut redacted = Vec::new();
        let text = keep::mask(&self.shared.config.config, text.to_owned(), &mut redacted);
        self.store().write_page(page, &text, expect)?;
        Ok(redacted)
    }

    /// Checks files, archive and ledger.
    pub fn doctor(&self, depth: Depth) -> Result<Diagnosis> {
        let mut diagnosis = doctor::examine(&mut self.store(), depth)?;
        diagnosis.tell_ignored(&self.shared.config.ignored);
        Ok(diagnosis)
    }

    /// Sets what is damaged aside and rebuilds it from the files; nothing is deleted.
    pub fn repair(&self) -> Result<Diagnosis> {
        let mut diagnosis = doctor::repair(&mut self.store())?;
        diagnosis.tell_ignored(&self.shared.config.ignored);
        Ok(diagnosis)
    }

    /// A person looked at a frozen file and says that it is as it should be.
    pub fn accept(&self, file: &str) -> Result<()> {
        self.store().accept(file)
    }

    /// Brings the markdown up to date now.
    pub fn flush(&self) -> Result<()> {
        self.shared.wait_for_writer();
        let mut store = self.store();
        store.refresh()?;
        if !store.has_tail() && store.waiting_counts().is_empty() {
            return Ok(());
        }
        let _lock = store.lock()?;
        store.flush()
    }

    /// The same; what stands in the way is a notice, and what waits goes on waiting. Only a ledger that cannot be asked
    /// is an error.
    pub fn flush_or_say(&self) -> Result<()> {
        self.shared.wait_for_writer();
        let mut store = self.store();
        store.refresh()?;
        if !store.has_tail() {
            return Ok(());
        }
        let flushed = store.lock().and_then(|_lock| store.flush_for(&[]));
        match flushed {
            Err(error) if !error.is_of_ledger() => {
                store.notice(error.code(), format!("the files are not up to date yet: {error}"));
                Ok(())
            }
            flushed => flushed,
        }
    }

    /// Brings the markdown up to date in a thread of its own, from now on.
    fn flush_beside(&self) {
        let store = self.shared.store.clone();
        let write = move || held(&store).flush_after_group();
        match std::thread::Builder::new().name("writer".into()).spawn(write) {
            Ok(writer) => {
                // Another thread's group may have had one; the two take turns, and both are waited for.
                let before = held(&self.shared.writer).replace(writer);
                let _ = before.map(JoinHandle::join);
            }
            Err(_) => self.store().flush_after_group(),
        }
    }

    /// Brings the markdown up to date in a moment, so that many memories in a row share one rewrite.
    fn flush_soon(&self) {
        if self.shared.pending.swap(true, Ordering::AcqRel) {
            return;
        }
        let weak: Weak<Shared> = Arc::downgrade(&self.shared);
        let cost = self.shared.cost.clone();
        let wait = move || {
            std::thread::sleep(pace(Duration::from_micros(cost.load(Ordering::Relaxed))));
            let Some(shared) = weak.upgrade() else { return };
            shared.pending.store(false, Ordering::Release);
            // What goes wrong here is met again, and told, by the next call or the close.
            let _ = Memory { shared }.flush();
        };
        if std::thread::Builder::new().name("flush".into()).spawn(wait).is_err() {
            self.shared.pending.store(false, Ordering::Release);
        }
    }
}

impl Shared {
    /// Waits until what the last large group left is in the files, so that groups cannot pile up.
    fn wait_for_writer(&self) {
        let writer = held(&self.writer).take();
        if let Some(Err(panic)) = writer.map(JoinHandle::join) {
            // A panic there is passed on, as it would be without the thread.
            std::panic::resume_unwind(panic);
        }
    }
}

impl Drop for Shared {
    fn drop(&mut self) {
        // A panic of the writer was printed when it happened, and what it left is flushed below.
        let _ = held(&self.writer).take().map(JoinHandle::join);
        let mut store = held(&self.store);
        // Nothing is lost if this fails: the ledger holds it, and the next one to open the root writes it.
        if store.has_tail()
            && let Ok(_lock) = store.lock()
        {
            let _ = store.flush();
        }
    }
}

fn held<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
