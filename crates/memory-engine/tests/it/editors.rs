//! A person with an editor beside us: saves in place, by rename, with a backup, in two steps, from old buffers, in the
//! middle of our own writes. Whatever either side wrote and did not take out itself is found afterwards.
//!
//! Every text carries a word of its own. A word is *lost* when it is neither in the files nor in the archive, and
//! *demoted* when it is only in the archive although nobody wrote anything newer in its place.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use memory_engine::core::config::Resolved;
use memory_engine::core::id::MemoryId;
use memory_engine::disk::{Disk, FaultyDisk};
use memory_engine::{Change, Expect, Filter, Forget, Memory, Result};

use crate::sandbox::{Asked as _, Dice, fast_folder, is_deep, note};

const FILE: &str = "default/notes.md";

/// Who wrote a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Side {
    Us,
    Editor,
}

/// Where a word may be in the end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fate {
    /// In the files.
    Stands,
    /// In the files or in the archive: the other side put something in its place.
    Overwritten,
    /// Anywhere or nowhere: the side that wrote it took it out.
    Dropped,
}

/// Every word that was acknowledged or saved.
#[derive(Default)]
struct Words {
    fates: BTreeMap<String, (Side, Fate)>,
    count: usize,
}

impl Words {
    fn fresh(&mut self, what: &str) -> String {
        self.count += 1;
        format!("{what}{:03}x", self.count)
    }

    fn wrote(&mut self, side: Side, word: &str) {
        self.fates.insert(word.to_owned(), (side, Fate::Stands));
    }

    fn removed(&mut self, by: Side, word: &str) {
        if let Some((side, fate)) = self.fates.get_mut(word) {
            *fate = if *side == by || *fate == Fate::Dropped { Fate::Dropped } else { Fate::Overwritten };
        }
    }

    fn doubtful(&mut self, word: &str) {
        if let Some((_, fate)) = self.fates.get_mut(word)
            && *fate == Fate::Stands
        {
            *fate = Fate::Overwritten;
        }
    }
}

/// The words of a text.
fn words(text: &str) -> Vec<String> {
    let is_word = |word: &&str| {
        word.len() > 4
            && word.ends_with('x')
            && word[word.len() - 4..word.len() - 1].bytes().all(|b| b.is_ascii_digit())
    };
    text.split(|c: char| !c.is_ascii_alphanumeric()).filter(is_word).map(str::to_owned).collect()
}

/// The entries of a file by id, each with its words.
fn entries(text: &str) -> BTreeMap<String, Vec<String>> {
    let mut all = BTreeMap::new();
    for part in text.split("<!-- id:").skip(1) {
        if let Some((id, rest)) = part.split_once(" -->") {
            let rest = rest.split("\n---").next().unwrap_or_default();
            all.insert(id.to_owned(), words(rest));
        }
    }
    all
}

/// An editor with at most one file open.
#[derive(Default)]
struct Editor {
    loaded: String,
    buffer: String,
    open: bool,
    /// Bytes that are still to be written after the file was emptied.
    half_saved: Option<String>,
}

impl Editor {
    fn load(&mut self, text: &str) {
        self.loaded = text.to_owned();
        // A file that stays empty is taken for one that is being written, so the person gives it a heading.
        self.buffer = format!("{}{text}", if text.contains("# Notes") { "" } else { "# Notes\n\n" });
        self.open = true;
    }

    fn change(&mut self, dice: &mut Dice, said: &mut Words) {
        match dice.below(5) {
            0 | 1 => {
                let there: Vec<String> = words(&self.buffer);
                if !there.is_empty() {
                    let old = &there[dice.below(there.len())];
                    self.buffer = self.buffer.replacen(old.as_str(), &said.fresh("typed"), 1);
                }
            }
            2 => {
                let text = format!("\n\nby hand: {}\n", said.fresh("hand"));
                self.buffer.push_str(&text);
            }
            3 => {
                let id = 1_700_000_000_000_u64 + dice.below(1_000_000_000) as u64;
                let entry = format!(
                    "<!-- id:{id} -->\n## 2023-11-14T22:13\n\nmade by hand: {}\n\n---\n\n",
                    said.fresh("made")
                );
                let at = self.buffer.rfind("<!-- id:").unwrap_or(0);
                self.buffer.insert_str(at, &entry);
            }
            _ => {
                let ids: Vec<String> = entries(&self.buffer).into_keys().collect();
                if let Some(id) = ids.get(dice.below(ids.len())) {
                    let start = self.buffer.find(&format!("<!-- id:{id} -->")).unwrap_or(0);
                    let rest = &self.buffer[start..];
                    let end = rest.find("\n---").map_or(rest.len(), |at| at + 4);
                    self.buffer.replace_range(start..start + end, "");
                }
            }
        }
    }

    /// What a save means for every word, given what stood in the file just before.
    fn saved(&mut self, standing: &str, said: &mut Words) {
        let (before, after) = (entries(&self.loaded), entries(&self.buffer));
        let kept: Vec<String> = words(&self.buffer);
        let gone: Vec<String> = words(&self.loaded).into_iter().filter(|word| !kept.contains(word)).collect();
        for word in &gone {
            said.removed(Side::Editor, word);
        }
        // Where the editor changed an entry that somebody else changed meanwhile, the editor's text is the newer one.
        let now = entries(standing);
        for (id, old) in &before {
            if after.get(id) != Some(old) {
                for word in now.get(id).into_iter().flatten().filter(|word| !kept.contains(word)) {
                    said.doubtful(word);
                }
            }
        }
        for word in kept.iter().filter(|word| !words(&self.loaded).contains(word)) {
            said.wrote(Side::Editor, word);
        }
        self.loaded = self.buffer.clone();
    }
}

/// Calls until the lock is free: the double does not wait for a handle that is just writing what was left to it.
fn patiently(act: impl Fn() -> Result<()>) {
    while let Err(error) = act() {
        assert_eq!(error.code(), "E_LOCKED", "{error}");
        std::thread::yield_now();
    }
}

/// What a verb does to an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Touch {
    Edit,
    Forget,
}

/// What a verb had its hands on.
#[derive(Default)]
struct Touched {
    id: String,
    words: Vec<String>,
}

/// One run: what it was about, so that a failure can be read.
struct Run {
    disk: FaultyDisk,
    memory: Memory,
    said: Words,
    editor: Editor,
    dice: Dice,
    story: Vec<String>,
}

fn open(disk: &FaultyDisk) -> Memory {
    Memory::with(Arc::new(disk.clone()), Resolved::default()).unwrap()
}

impl Run {
    fn file(&self) -> String {
        String::from_utf8_lossy(&self.disk.cat(FILE).unwrap_or_default()).into_owned()
    }

    fn tell(&mut self, what: impl Into<String>) {
        self.story.push(what.into());
    }

    /// A step of the person.
    fn editor_step(&mut self) {
        if let Some(rest) = self.editor.half_saved.take() {
            self.tell("the editor writes what it emptied");
            self.disk.edit(FILE, rest.as_bytes(), true);
            return;
        }
        if !self.editor.open {
            let text = self.file();
            self.editor.load(&text);
            return self.tell("the editor loads the file");
        }
        if self.dice.below(2) == 0 {
            self.editor.change(&mut self.dice, &mut self.said);
            return self.tell("the editor types");
        }
        let standing = self.file();
        let buffer = self.editor.buffer.clone();
        self.editor.saved(&standing, &mut self.said);
        match self.dice.below(4) {
            0 => {
                self.tell("the editor saves in place");
                self.disk.edit(FILE, buffer.as_bytes(), true);
            }
            1 => {
                self.tell("the editor saves by rename");
                self.disk.edit(FILE, buffer.as_bytes(), false);
            }
            2 => {
                self.tell("the editor saves beside a backup");
                self.disk.edit("default/notes.md~", standing.as_bytes(), false);
                self.disk.edit(FILE, buffer.as_bytes(), false);
            }
            _ => {
                self.tell("the editor empties the file");
                self.disk.edit(FILE, b"", true);
                self.editor.half_saved = Some(buffer);
            }
        }
        self.editor.open = self.dice.below(2) == 0;
    }

    /// A step of ours, perhaps with a save in the middle of it.
    fn our_step(&mut self) {
        let surprise = self.editor.open && self.editor.half_saved.is_none() && self.dice.below(2) == 0;
        let fired = Arc::new(AtomicBool::new(false));
        if surprise {
            let (bytes, fired) = (self.editor.buffer.clone(), fired.clone());
            let in_place = self.dice.below(2) == 0;
            let hook = move |disk: &FaultyDisk| {
                fired.store(true, Ordering::Relaxed);
                disk.edit(FILE, bytes.as_bytes(), in_place);
            };
            self.disk.interrupt(self.dice.below(25), Box::new(hook));
        }
        let before = self.file();
        let touched = self.verb();
        self.disk.disarm();
        if fired.load(Ordering::Relaxed) {
            self.tell("the editor saved in the middle of that");
            // Which of the two came first nobody can say, so each may have been overwritten by the other.
            let after = self.file();
            let typed = entries(&self.editor.buffer).remove(&touched.id);
            self.editor.saved(&format!("{before}\n{after}"), &mut self.said);
            for word in touched.words.iter().chain(typed.iter().flatten()) {
                self.said.doubtful(word);
            }
        }
    }

    /// A verb of ours; gives what it wrote or took out.
    fn verb(&mut self) -> Touched {
        match self.dice.below(8) {
            0..=2 => {
                let word = self.said.fresh("ours");
                let done = self.memory.remember(note(&format!("kept: {word}")));
                self.tell(format!("remember {word}: {}", done.is_ok()));
                if done.is_ok() {
                    self.said.wrote(Side::Us, &word);
                }
                Touched::default()
            }
            3 | 4 => self.touch(Touch::Edit),
            5 => self.touch(Touch::Forget),
            6 => {
                let done = self.memory.flush();
                self.tell(format!("flush: {}", done.is_ok()));
                Touched::default()
            }
            _ => {
                self.memory = open(&self.disk);
                self.tell("reopen");
                Touched::default()
            }
        }
    }

    fn touch(&mut self, how: Touch) -> Touched {
        let listed = self.memory.list(&Filter::default()).unwrap_or_default();
        if listed.is_empty() {
            return Touched::default();
        }
        let entry = &listed[self.dice.below(listed.len())];
        let id: MemoryId = entry.memory.id.clone();
        let old = words(entry.memory.body.as_str());
        let fresh = self.said.fresh("edited");
        let expect = Expect::Text(entry.memory.body.as_str().to_owned());
        let done = match how {
            Touch::Forget => self.memory.forget(std::slice::from_ref(&id), Forget::Archive).map(|_| ()),
            Touch::Edit => {
                self.memory.edit(&id, Change::Text(format!("edited: {fresh}")), &expect).map(|_| ())
            }
        };
        self.tell(format!(
            "{how:?} {id} {old:?} → {fresh}: {:?}",
            done.as_ref().map_err(|error| error.code())
        ));
        match done {
            Ok(()) => {
                for word in &old {
                    self.said.removed(Side::Us, word);
                }
                if how == Touch::Edit {
                    self.said.wrote(Side::Us, &fresh);
                }
            }
            // It may have been done and only not been written everywhere.
            Err(_) => old.iter().for_each(|word| self.said.doubtful(word)),
        }
        Touched { id: id.to_string(), words: old.into_iter().chain([fresh]).collect() }
    }

    /// What is in the archive and in what was set aside.
    fn aside(&self, folder: &str) -> String {
        let mut text = String::new();
        for name in self.disk.list(folder).unwrap() {
            let path = format!("{folder}/{}", name.name);
            match self.disk.cat(&path) {
                Some(bytes) => text.push_str(&String::from_utf8_lossy(&bytes)),
                None => text.push_str(&self.aside(&path)),
            }
        }
        text
    }

    /// Ends everything that is under way and gives the words that are lost and those that are demoted.
    fn end(&mut self) -> (Vec<String>, Vec<String>) {
        if self.editor.half_saved.is_some() {
            self.editor_step();
        }
        self.memory = open(&self.disk);
        for _ in 0..2 {
            self.memory.texts();
            let found = self.memory.deep().findings;
            if found.iter().any(|finding| finding.code == "frozen") {
                self.tell("the file is frozen, a person accepts it");
                patiently(|| self.memory.accept(FILE));
            }
            patiently(|| self.memory.flush());
        }
        let (file, aside) = (self.file(), self.aside("archive") + &self.aside(".vault/recovered"));
        let listed = self.memory.texts().join("\n");
        let mut lost = Vec::new();
        let mut demoted = Vec::new();
        for (word, (_, fate)) in &self.said.fates {
            let stands = file.contains(word.as_str()) && listed.contains(word.as_str());
            if *fate == Fate::Dropped || stands {
                continue;
            }
            if !aside.contains(word.as_str()) {
                lost.push(word.clone());
            } else if *fate == Fate::Stands {
                demoted.push(word.clone());
            }
        }
        (lost, demoted)
    }
}

fn run(seed: u64) -> (Run, Vec<String>, Vec<String>) {
    let folder = fast_folder();
    let disk = FaultyDisk::new(folder.path());
    let mut dice = Dice(seed);
    // The double's clock moves with its writes; it gets a lead, so that no save looks older than it is.
    for _ in 0..500 {
        disk.edit("lead.txt", b"", true);
    }
    if dice.below(2) == 0 {
        disk.edit(FILE, b"# Notes\n\nold text: first000x\n", false);
    }
    let mut said = Words::default();
    if disk.cat(FILE).is_some() {
        said.wrote(Side::Editor, "first000x");
    }
    let memory = open(&disk);
    let mut run = Run { memory, disk, said, editor: Editor::default(), dice, story: Vec::new() };
    for _ in 0..6 + run.dice.below(14) {
        if run.dice.below(2) == 0 { run.editor_step() } else { run.our_step() }
    }
    let (lost, demoted) = run.end();
    (run, lost, demoted)
}

/// Runs with seeds from this one on; gives the stories of those that lost a text and of those that demoted one.
pub(crate) fn simulate(runs: u64) -> (Vec<String>, Vec<String>) {
    let first = std::env::var("AGENT_MEMORY_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(0);
    let part = |thread: u64| {
        let mut failed = (Vec::new(), Vec::new());
        for seed in (first + thread..first + runs).step_by(THREADS as usize) {
            let (run, lost, demoted) = run(seed);
            let tell = |what: &[String]| {
                format!("AGENT_MEMORY_SEED={seed}: {what:?}\n  {}\n{}", run.story.join("\n  "), run.file())
            };
            failed.0.extend((!lost.is_empty()).then(|| tell(&lost)));
            failed.1.extend((!demoted.is_empty()).then(|| tell(&demoted)));
        }
        failed
    };
    let mut all = (Vec::new(), Vec::new());
    std::thread::scope(|scope| {
        let running: Vec<_> = (0..THREADS).map(|thread| scope.spawn(move || part(thread))).collect();
        for (lost, demoted) in running.into_iter().map(|thread| thread.join().unwrap()) {
            all.0.extend(lost);
            all.1.extend(demoted);
        }
    });
    all.0.sort_by_key(String::len);
    all.1.sort_by_key(String::len);
    all
}

const THREADS: u64 = 4;

#[test]
fn an_editor_beside_us_loses_no_text() {
    let cases = std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok());
    let runs = cases.unwrap_or(if is_deep() { 20_000 } else { 2_000 });
    let (lost, demoted) = simulate(runs);
    assert!(lost.is_empty(), "{} of {runs} runs lost a text, such as {}", lost.len(), lost[0]);
    // Newer texts of ours that an old buffer overwrote are at least in the archive.
    println!("{} of {runs} runs left a text only in the archive", demoted.len());
}
