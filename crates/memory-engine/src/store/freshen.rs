//! Brings files and ledger together before an answer: what people changed is taken over, and what waits is written.
//!
//! Whether that is needed is told by the files' stat alone where nothing changed, and then nobody is waited for.

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::time::Duration;

use super::{Sameness, Store, is_unchanged};
use crate::error::{Error, Result};
use crate::ledger::FileRow;

impl Store {
    /// Brings catalogue and files together before an answer: takes over hand edits, writes what waits.
    pub(crate) fn freshen(&mut self) -> Result<()> {
        self.refresh()?;
        self.look_now()
    }

    /// The same, once it is known what other processes committed.
    fn look_now(&mut self) -> Result<()> {
        if self.looked {
            return Ok(());
        }
        let state = self.state()?;
        let sure = match state {
            Sameness::Same => true,
            // Who is just writing is waited for only where a file differs.
            Sameness::Unsure => self.writable && self.is_busy()? && self.is_as_known()?,
            Sameness::Different => false,
        };
        if sure {
            self.aside.clear();
            return Ok(());
        }
        self.look_under_lock(|_| Ok(()))
    }

    /// The same, and answers before anybody else can write.
    pub(super) fn look_under_lock<T>(&mut self, answer: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        if !self.writable {
            self.look_aside()?;
            return answer(self);
        }
        let _lock = match self.lock() {
            Ok(lock) => lock,
            // A reader does not fail because a writer is slow; it answers with what is known.
            Err(error @ Error::Locked { .. }) => {
                self.notice(error.code(), format!("{error}; the answer may lack the latest hand edits"));
                self.look_aside()?;
                return answer(self);
            }
            Err(error) => return Err(error),
        };
        self.refresh()?;
        let before = self.seen.seq;
        // What an error left beside a file is told from somebody's edit by what the catalogue says before it is changed.
        let cleared = if self.has_held() { self.flush_for(&[]) } else { Ok(()) };
        let done = cleared.and_then(|()| self.reconcile_all());
        let done = done.and_then(|()| self.say_doubled(before)).and_then(|()| self.flush_for(&[]));
        match done {
            Err(error) if !error.is_of_ledger() => self.notice(error.code(), error.to_string()),
            other => other?,
        }
        self.say_aside()?;
        answer(self)
    }

    /// The same for a question: what waits to be written is known without its file, so a writer who is just at it is
    /// not waited for unless a file differs from what the catalogue says.
    pub(crate) fn freshen_unless_busy(&mut self) -> Result<()> {
        self.refresh()?;
        self.left = None;
        if self.looked || !self.writable || !self.has_tail() {
            return self.look_now();
        }
        if self.look_at_files()? != Sameness::Different && self.is_busy()? {
            self.left = Some(self.seen.seq);
            return Ok(());
        }
        // Whoever was just writing may be done.
        self.freshen()
    }

    /// Whether another is just writing.
    fn is_busy(&self) -> Result<bool> {
        match self.disk.lock(Duration::ZERO) {
            Ok(_) => Ok(false),
            Err(Error::Locked { .. }) => Ok(true),
            Err(error) => Err(error),
        }
    }

    /// Answers several questions from one look at the files.
    pub(crate) fn at_one_look<T>(&mut self, answer: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        self.freshen()?;
        self.looked = true;
        let answered = catch_unwind(AssertUnwindSafe(|| answer(self)));
        self.looked = false;
        answered.unwrap_or_else(|panic| resume_unwind(panic))
    }

    /// Whether files and ledger tell the same: nothing waits to be written, and all files are as the catalogue says.
    fn state(&mut self) -> Result<Sameness> {
        if self.has_tail() || self.has_held() { Ok(Sameness::Different) } else { self.look_at_files() }
    }

    /// Whether those files whose stat cannot tell have the bytes that the catalogue says.
    fn is_as_known(&self) -> Result<bool> {
        for row in self.ledger.files()? {
            let is_same = match is_unchanged(&row, self.disk.stat(&row.path)?) {
                Sameness::Same => true,
                Sameness::Unsure => self.disk.digest(&row.path)? == Some(row.digest),
                Sameness::Different => false,
            };
            if !is_same {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether all files are as the catalogue says.
    fn look_at_files(&mut self) -> Result<Sameness> {
        let found = self.memory_files_now()?;
        let known = self.ledger.looks()?;
        let mut known: HashMap<&str, &FileRow> = known.iter().map(|row| (row.path.as_str(), row)).collect();
        let mut all = Sameness::Same;
        for (path, stat) in found {
            let stat = match stat {
                // Which file it is, and why, is said when they are looked at one by one.
                Err(error) if error.is_of_one_file() => return Ok(Sameness::Different),
                stat => stat?,
            };
            let Some(row) = known.remove(path.as_str()) else { return Ok(Sameness::Different) };
            match is_unchanged(row, stat) {
                Sameness::Same if row.frozen.is_empty() => {}
                Sameness::Same => {
                    self.notice("frozen", format!("`{path}` is left alone: {}", row.frozen));
                }
                Sameness::Unsure => all = Sameness::Unsure,
                Sameness::Different => return Ok(Sameness::Different),
            }
        }
        // What is left in the catalogue is no longer among the files.
        let is_gone = known.values().any(|row| row.frozen.is_empty());
        Ok(if is_gone { Sameness::Different } else { all })
    }
}
