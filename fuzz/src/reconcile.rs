//! Any order of memories, hand edits, old buffers, crashes and restarts. Whatever happens, no call fails without a
//! reason; a text that was acknowledged and that nobody changed stands exactly once; a text that somebody took out or
//! wrote over is in the archive if it stands no more; a text that a person wrote stands.
//!
//! An input is a script (see [`super::stories`]). Every text begins with a mark of its own.

use std::path::Path;
use std::sync::Arc;

use super::stories::{LINES, Step};
use memory_core::config::Resolved;
use memory_core::id::{AgentId, MemoryId};
use memory_core::kind::Kind;
use memory_core::layout::{self, Home};
use memory_core::scope::Scope;
use memory_engine::disk::{Disk as _, Fault, FaultyDisk, Name};
use memory_engine::{Change, Depth, Draft, Error, Expect, Filter, Forget, Memory, Result, Severity};

/// Checks one input.
pub fn check(script: &[u8]) {
    let mut world = World::new(script);
    for _ in 0..40 {
        let Some(what) = world.next() else { break };
        match Step::ALL[usize::from(what) % Step::ALL.len()] {
            Step::Remember | Step::RememberToo => world.remember(),
            Step::Flush => world.flush(),
            Step::Reopen => world.reopen(),
            Step::HandAdds => world.hand_adds(),
            Step::HandChanges => world.hand_changes(),
            Step::HandTakesOut => world.hand_takes_out(),
            Step::OpensBuffer => world.opens_buffer(),
            Step::SavesBuffer => world.saves_buffer(),
            Step::Forget => world.forget(),
            Step::Edit => world.edit(),
            Step::Restore => world.restore(),
            Step::Crash => world.crash(),
            Step::List => world.list(),
        }
    }
    world.judge();
}

/// Files that people edit in these scripts.
const FILES: [&str; 3] = ["default/notes.md", "default/decisions.md", "dev/notes.md"];

/// What is promised of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Promise {
    /// It stands exactly once.
    Once,
    /// It stands.
    Stands,
    /// It stands, or it is in the archive.
    Somewhere,
    /// Nothing: it was never acknowledged, or a person removed what only that person had written.
    Nothing,
}

struct Text {
    mark: String,
    promise: Promise,
    /// The entry it stands in, when that came through the door.
    id: Option<MemoryId>,
    /// Whether the text itself came through the door, so that it is known beyond the file.
    known: bool,
    file: String,
}

struct World<'a> {
    script: &'a [u8],
    disk: FaultyDisk,
    folders: Vec<tempfile::TempDir>,
    memory: Option<Memory>,
    texts: Vec<Text>,
    buffer: Option<(String, Vec<u8>)>,
    marks: usize,
    /// An editor that writes in place may lose its own bytes in a crash, so a script has one or the other.
    in_place: bool,
    armed: bool,
    /// What happened so far, for the message when something is wrong.
    story: Vec<String>,
}

impl<'a> World<'a> {
    fn new(script: &'a [u8]) -> Self {
        let (first, script) = script.split_first().unwrap_or((&0, script));
        let folder = folder();
        let disk = FaultyDisk::new(folder.path());
        let folders = vec![folder];
        let in_place = first % 2 == 0;
        let (memory, texts, buffer) = (None, Vec::new(), None);
        Self {
            script,
            disk,
            folders,
            memory,
            texts,
            buffer,
            marks: 0,
            in_place,
            armed: false,
            story: Vec::new(),
        }
    }

    fn next(&mut self) -> Option<u8> {
        let (first, rest) = self.script.split_first()?;
        self.script = rest;
        Some(*first)
    }

    fn below(&mut self, limit: usize) -> usize {
        usize::from(self.next().unwrap_or(0)) % limit.max(1)
    }

    fn words(&mut self) -> (String, String) {
        self.marks += 1;
        let mark = format!("mark{:03}x", self.marks);
        let line = LINES[self.below(LINES.len())];
        (mark.clone(), format!("{mark}\n{line}\nend of {mark}"))
    }

    /// Does something with an open root. An error counts only if no fault was asked for.
    fn with<T>(&mut self, act: impl FnOnce(&Memory) -> Result<T>) -> Option<T> {
        let opened = match self.memory.take() {
            Some(memory) => Ok(memory),
            None => Memory::with(Arc::new(self.disk.clone()), Resolved::default()),
        };
        let outcome = opened.and_then(|memory| {
            let outcome = act(&memory);
            self.memory = Some(memory);
            outcome
        });
        if let Err(error) = &outcome {
            self.story.push(format!("  which failed: {error}"));
        }
        if self.disk.crashed() {
            self.reboot();
            return outcome.ok();
        }
        match outcome {
            Ok(value) => Some(value),
            // A memory or a file may be gone by then, a frozen file is refused, and another thread may hold the lock.
            Err(
                Error::NoMemory { .. }
                | Error::InArchive { .. }
                | Error::NoFile { .. }
                | Error::Frozen { .. }
                | Error::Locked { .. }
                | Error::Refused(_),
            ) => None,
            Err(error) => panic!("an error without a reason: {error}\n{}", self.shown()),
        }
    }

    fn tell(&mut self, what: &str, mark: &str, more: &str) {
        self.story.push(format!("{what} {mark} {more}"));
    }

    fn reboot(&mut self) {
        self.tell("the power went and came back", "", "");
        self.memory = None;
        let folder = folder();
        self.disk = self.disk.reboot(folder.path(), self.marks as u64 + 1);
        self.folders.push(folder);
        self.armed = false;
    }

    fn remember(&mut self) {
        let (mark, text) = self.words();
        let (kind, scope) = match self.below(4) {
            0 => (Kind::Note, None),
            1 => (Kind::Decision, None),
            2 => (Kind::Note, AgentId::parse("dev").ok().map(Scope::Agent)),
            _ => (Kind::Fact, Some(Scope::Project)),
        };
        let draft = Draft { kind: Some(kind), scope, tags: Some(Vec::new()), ..Draft::note(&text) };
        if let Some(kept) = self.with(|memory| memory.remember(draft)) {
            self.tell("kept", &mark, &format!("{} in {}", kept.id, kept.file));
            let (id, file) = (Some(kept.id), kept.file);
            self.texts.push(Text { mark, promise: Promise::Once, id, known: true, file });
        }
    }

    fn flush(&mut self) {
        self.tell("flush", "", "");
        self.with(|memory| memory.flush());
    }

    fn list(&mut self) {
        self.tell("list", "", "");
        self.with(|memory| memory.list(&Filter::default()).map(|_| ()));
    }

    fn reopen(&mut self) {
        self.tell("reopen", "", "");
        self.memory = None;
        if self.disk.crashed() {
            self.reboot();
        }
    }

    /// The file that a person opens, and what they see.
    fn pick(&mut self) -> (String, Vec<u8>) {
        let file = FILES[self.below(FILES.len())].to_owned();
        let bytes = self.disk.cat(&file).unwrap_or_default();
        (file, bytes)
    }

    /// A person saves a file. What was only ever theirs and is gone now, they took out.
    fn save(&mut self, file: &str, bytes: &[u8]) {
        self.disk.edit(file, bytes, self.in_place);
        let shown = String::from_utf8_lossy(bytes).into_owned();
        for text in self.texts.iter_mut().filter(|text| text.file == file) {
            let there = shown.contains(&format!("{}\n", text.mark));
            text.promise = match text.promise {
                Promise::Nothing => Promise::Nothing,
                Promise::Once | Promise::Stands if there => Promise::Stands,
                _ if !text.known => Promise::Nothing,
                _ => Promise::Somewhere,
            };
        }
    }

    fn hand_adds(&mut self) {
        let (file, mut bytes) = self.pick();
        let mark = self.words().0;
        bytes.extend_from_slice(format!("\n\n{mark}\nwritten by hand\n").as_bytes());
        self.tell("a person adds", &mark, &file);
        self.save(&file, &bytes);
        self.texts.push(Text { mark, promise: Promise::Stands, id: None, known: false, file });
    }

    fn hand_changes(&mut self) {
        let (file, bytes) = self.pick();
        let mut shown = String::from_utf8_lossy(&bytes).into_owned();
        let marks: Vec<String> = self.marks_in(&file, &shown);
        let Some(old) = marks.get(self.below(marks.len())).cloned() else { return };
        self.marks += 1;
        let mark = format!("mark{:03}x", self.marks);
        shown = shown.replace(&old, &mark);
        self.tell("a person changes", &format!("{old} to {mark}"), &file);
        self.save(&file, shown.as_bytes());
        let id = self.texts.iter().find(|text| text.mark == old).and_then(|text| text.id.clone());
        self.texts.push(Text { mark, promise: Promise::Stands, id, known: false, file });
    }

    fn hand_takes_out(&mut self) {
        let (file, bytes) = self.pick();
        let shown = String::from_utf8_lossy(&bytes).into_owned();
        let marks = self.marks_in(&file, &shown);
        let Some(mark) = marks.get(self.below(marks.len())).cloned() else { return };
        let Some(at) = shown.find(mark.as_str()) else { return };
        let start = shown[..at].rfind("<!-- id:").unwrap_or(at);
        let end = shown[at..]
            .find(&format!("end of {mark}\n\n---"))
            .map_or(shown.len(), |n| at + n + format!("end of {mark}\n\n---").len());
        let left = format!("{}{}", &shown[..start], shown[end..].trim_start());
        self.tell("a person takes out", &mark, &file);
        self.save(&file, left.as_bytes());
    }

    fn marks_in(&self, file: &str, shown: &str) -> Vec<String> {
        let here = self.texts.iter().filter(|text| text.file == file);
        here.filter(|text| shown.contains(&format!("{}\n", text.mark)))
            .map(|text| text.mark.clone())
            .collect()
    }

    fn opens_buffer(&mut self) {
        let (file, bytes) = self.pick();
        self.tell("an editor opens", "", &file);
        self.buffer = Some((file, bytes));
    }

    /// An editor saves what it read a while ago, with something new below.
    fn saves_buffer(&mut self) {
        let Some((file, mut bytes)) = self.buffer.take() else { return };
        let mark = self.words().0;
        bytes.extend_from_slice(format!("\n\n{mark}\nadded in an old buffer\n").as_bytes());
        self.tell("the editor saves its old buffer with", &mark, &file);
        self.save(&file, &bytes);
        self.texts.push(Text { mark, promise: Promise::Stands, id: None, known: false, file });
    }

    /// An entry that came through the door, and its file.
    fn ours(&mut self) -> Option<(MemoryId, String)> {
        let ours: Vec<&Text> = self.texts.iter().filter(|text| text.id.is_some()).collect();
        let (count, next) = (ours.len(), self.script.first().copied().unwrap_or(0));
        let text = ours.get(usize::from(next) % count.max(1))?;
        let found = (text.id.clone()?, text.file.clone());
        self.next();
        Some(found)
    }

    fn forget(&mut self) {
        let Some((id, _)) = self.ours() else { return };
        self.weaken(&id);
        self.tell("forget", id.as_str(), "");
        self.with(|memory| memory.forget(&[id], Forget::Archive).map(|_| ()));
    }

    fn edit(&mut self) {
        let Some((id, file)) = self.ours() else { return };
        let (mark, text) = self.words();
        self.weaken(&id);
        self.tell("edit", id.as_str(), &format!("to {mark}"));
        let changed = Change::Text(text);
        if self.with(|memory| memory.edit(&id, changed, &Expect::Anything).map(|_| ())).is_some() {
            self.texts.push(Text { mark, promise: Promise::Stands, id: Some(id), known: true, file });
        }
    }

    fn restore(&mut self) {
        let Some((id, _)) = self.ours() else { return };
        self.weaken(&id);
        self.tell("restore", id.as_str(), "");
        self.with(|memory| match memory.restore(id.as_str()) {
            Ok(_) | Err(Error::NotArchived { .. }) => Ok(()),
            Err(error) => Err(error),
        });
    }

    /// Whatever becomes of a call that changes an entry, its texts may only go to the archive. An entry whose end a
    /// person took out holds what is written below it as well.
    fn weaken(&mut self, id: &MemoryId) {
        let body = |file: &str| {
            let found = layout::read(&Home::of_path(file)?, &self.disk.cat(file)?).found;
            Some(found.into_iter().find(|found| found.memory.id == *id)?.memory.body.as_str().to_owned())
        };
        let shown: String = FILES.iter().filter_map(|file| body(file)).collect();
        for text in self.texts.iter_mut().filter(|text| text.promise != Promise::Nothing) {
            if text.id.as_ref() == Some(id) || shown.contains(text.mark.as_str()) {
                text.promise = Promise::Somewhere;
            }
        }
    }

    /// Everything in a folder of the root.
    fn all_in(&self, folder: &str) -> String {
        let names = self.disk.list(folder).unwrap_or_default();
        let text = |name: Name| {
            let path = format!("{folder}/{}", name.name);
            match self.disk.cat(&path) {
                Some(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
                None => self.all_in(&path),
            }
        };
        names.into_iter().map(text).collect()
    }

    /// The power goes at one of the next calls.
    fn crash(&mut self) {
        let call = self.below(40);
        if !self.in_place && !self.armed {
            self.tell("the power will go at call", &call.to_string(), "");
            self.disk.arm(call, Fault::Crash);
            self.armed = true;
        }
    }

    /// Opens the root a last time, says yes to every frozen file, and looks for every text.
    fn judge(mut self) {
        self.memory = None;
        self.disk.disarm();
        if self.disk.crashed() {
            self.reboot();
        }
        for file in FILES {
            self.with(|memory| memory.accept(file));
        }
        self.memory = None;
        let Some((entries, diagnosis)) = self.with(|memory| {
            memory.flush()?;
            Ok((memory.list(&Filter::default())?, memory.doctor(Depth::Deep)?))
        }) else {
            return;
        };
        let bodies: Vec<&str> = entries.iter().map(|entry| entry.memory.body.as_str()).collect();
        let archive = self.all_in("archive");
        for text in &self.texts {
            let stands = bodies.iter().filter(|shown| shown.contains(text.mark.as_str())).count();
            let kept = archive.matches(text.mark.as_str()).count();
            let holds = match text.promise {
                Promise::Once => stands == 1,
                Promise::Stands => stands >= 1,
                Promise::Somewhere => stands + kept >= 1,
                Promise::Nothing => true,
            };
            assert!(
                holds,
                "{} of {} was promised {:?}: it stands {stands} times and is {kept} times in the archive\n{}",
                text.mark,
                text.file,
                text.promise,
                self.shown()
            );
        }
        let problem = diagnosis.findings.iter().find(|finding| finding.severity == Severity::Problem);
        assert!(problem.is_none(), "the check-up finds {problem:?}\n{}", self.shown());
    }

    fn shown(&self) -> String {
        let cat = |file: &&str| {
            let bytes = self.disk.cat(file).unwrap_or_default();
            format!("==> {file}\n{}\n", String::from_utf8_lossy(&bytes))
        };
        let files: String = FILES.iter().map(cat).collect();
        format!("{}\n{files}", self.story.join("\n"))
    }
}

/// A folder for the ledger's real file, in memory where that can be had.
fn folder() -> tempfile::TempDir {
    let fast = Path::new("/dev/shm");
    let made = if fast.is_dir() { tempfile::tempdir_in(fast) } else { tempfile::tempdir() };
    made.expect("a temporary folder")
}
