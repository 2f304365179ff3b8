//! What is told and what is not: the order in which things go when there is no room, and how room that is left is used.
//!
//! When all does not fit, the last lesson goes first, then decisions, the session to recover, the long-term summary and
//! the handoff; then the project page is cut at a line's end, and only then tasks are left out. When there is room, more
//! of what was found comes in, best first, and nothing that is told already is told again.

use std::collections::HashSet;

use crate::id::MemoryId;
use crate::kind::Kind;
use crate::memory::Memory;
use crate::retain::is_compacted;
use crate::scope::SourceClass;
use crate::text::folded;

use super::budget::{Budget, Cost};
use super::profile::Profile;
use super::sheet::{Item, Sheet};
use super::{Considered, Context, Doubtful, Fate, Found, Pool, Section, barred, lines};

/// Messages of a session that is recovered.
const MESSAGES: usize = 3;
/// Fills the budget from the pool.
pub fn assemble(pool: &Pool, profile: &Profile, doubtful: Doubtful, budget: Budget) -> Context {
    let mut packing = Packing::new(budget);
    packing.fixed(pool);
    let rest = packing.asked_for(pool, profile, doubtful);
    packing.make_room();
    packing.fill(rest, profile);
    packing.finish()
}

/// An item that is on the sheet and may have to go again.
struct Placed {
    section: Section,
    considered: usize,
}

struct Packing {
    budget: Budget,
    sheet: Sheet,
    considered: Vec<Considered>,
    /// What may go, the last first.
    placed: Vec<Placed>,
    /// The words of what is told.
    told: Vec<Words>,
    project: Vec<String>,
    tasks: Vec<String>,
}

impl Packing {
    fn new(budget: Budget) -> Self {
        Self {
            budget,
            sheet: Sheet::default(),
            considered: Vec::new(),
            placed: Vec::new(),
            told: Vec::new(),
            project: Vec::new(),
            tasks: Vec::new(),
        }
    }

    fn note(&mut self, section: Section, id: Option<&MemoryId>, fate: Fate, text: &str) -> usize {
        let cost = Cost::of(text).tokens();
        let text = lines::first_words(text.trim_start_matches("- "), 80);
        self.considered.push(Considered { section, id: id.cloned(), fate, tokens: cost, text });
        self.considered.len() - 1
    }

    /// What is told whatever is asked.
    fn fixed(&mut self, pool: &Pool) {
        if let Some(page) = pool.project.as_deref().map(lines::project).filter(|page| !page.is_empty()) {
            self.note(Section::Project, None, Fate::Whole, &page);
            self.project = page.lines().map(str::to_owned).collect();
            self.sheet.set_text(Section::Project, page);
        }
        if let Some(page) = pool.long_term.as_deref().map(lines::page).filter(|page| !page.is_empty()) {
            self.long_term(&page);
        }
        if let Some(handoff) = &pool.handoff {
            self.handoff(handoff);
        }
        for task in &pool.tasks {
            let line = format!("{} [{}]", lines::harmless(&task.line), task.id);
            self.note(Section::Tasks, Some(&task.id), Fate::Whole, &line);
            self.tasks.push(line);
        }
        self.sheet.set_lines(Section::Tasks, self.tasks.clone());
        let from = pool.tail.len().saturating_sub(MESSAGES);
        let tail: Vec<String> = pool.tail[from..].iter().map(lines::message).collect();
        if !tail.is_empty() {
            self.note(Section::Recovery, None, Fate::Whole, &tail.join("\n"));
            self.sheet.set_lines(Section::Recovery, tail);
        }
        for memory in pool.journal.iter().rev() {
            match barred(memory, Doubtful::Leave) {
                Some(fate) => drop(self.note(Section::Journal, Some(&memory.id), fate, memory.heading())),
                None => self.place(Section::Journal, &found(memory)),
            }
        }
    }

    /// The long-term summary: its newest part, which stands last, in at most half of the budget.
    fn long_term(&mut self, page: &str) {
        let half = Budget { tokens: self.budget.tokens / 2, units: self.budget.units.map(|units| units / 2) };
        let all: Vec<&str> = page.lines().collect();
        let fits = |from: &usize| all.get(*from..).is_some_and(|rest| half.holds(Cost::of(&rest.join("\n"))));
        let from = (0..all.len()).find(fits).unwrap_or(all.len());
        let text = all.get(from..).unwrap_or_default().join("\n");
        let fate = if text.is_empty() {
            Fate::NoRoom
        } else if from == 0 {
            Fate::Whole
        } else {
            Fate::Cut
        };
        self.note(Section::LongTerm, None, fate, page);
        self.sheet.set_text(Section::LongTerm, text);
    }

    /// The latest handoff, in at most half of the budget.
    fn handoff(&mut self, memory: &Memory) {
        let body = memory.body.as_str();
        if let Some(fate) = barred(memory, Doubtful::Fence) {
            self.note(Section::LastSession, Some(&memory.id), fate, "");
            return;
        }
        let doubtful = memory.provenance.class <= SourceClass::Untrusted;
        let text = if doubtful { lines::requests_alone(body) } else { Some(body.to_owned()) };
        let Some(text) = text else {
            self.note(Section::LastSession, Some(&memory.id), Fate::LowTrust, body);
            return;
        };
        let page = lines::page(&text);
        let mark = format!(" [{}, {}]", memory.id, memory.updated.day());
        let half = Budget { tokens: self.budget.tokens / 2, units: self.budget.units.map(|units| units / 2) };
        let all: Vec<&str> = page.lines().collect();
        let fits = |to: &usize| half.holds(Cost::of(&all[..*to].join("\n")) + Cost::of(&mark));
        let to = (1..=all.len()).rev().find(fits).unwrap_or(0);
        if to == 0 {
            self.note(Section::LastSession, Some(&memory.id), Fate::NoRoom, &page);
            return;
        }
        let fate = if to == all.len() && !doubtful { Fate::Whole } else { Fate::Cut };
        self.note(Section::LastSession, Some(&memory.id), fate, &page);
        self.told.push(Words::of(&page));
        self.sheet.set_text(Section::LastSession, all[..to].join("\n") + &mark);
    }

    /// As many of each sort as the profile asks for; what is left may fill the room.
    fn asked_for<'a>(&mut self, pool: &'a Pool, profile: &Profile, doubtful: Doubtful) -> Vec<&'a Found> {
        let mut rest = Vec::new();
        let mut asked: Vec<(Section, &Found)> = Vec::new();
        let mut seen: HashSet<&MemoryId> = HashSet::new();
        for found in pool.found.iter().filter(|found| seen.insert(&found.memory.id)) {
            let memory = &found.memory;
            let section = section_of(memory);
            let given = pool.given.contains(&memory.id).then_some(Fate::Given);
            let is_handoff = memory.kind == Kind::Handoff;
            if let Some(fate) = barred(memory, doubtful).or(given) {
                self.note(
                    section,
                    Some(&memory.id),
                    fate,
                    if fate == Fate::Secret { "" } else { memory.heading() },
                );
                continue;
            }
            if is_handoff {
                continue;
            }
            let wanted = match section {
                Section::Decisions => profile.decisions,
                Section::Lessons => profile.lessons,
                Section::Notes => profile.notes,
                _ => 0,
            };
            let count = asked.iter().filter(|one| one.0 == section).count();
            // What upkeep wrote never takes the place of a memory.
            if count < wanted && memory.kind != Kind::Summary && !is_compacted(memory) {
                asked.push((section, found));
            } else {
                rest.push(found);
            }
        }
        // What goes first when there is no room is placed last.
        for section in [Section::Decisions, Section::Lessons, Section::Notes] {
            for (_, found) in asked.iter().filter(|one| one.0 == section) {
                self.place(section, found);
            }
        }
        rest
    }

    /// Puts an item on the sheet, unless something there says the same.
    fn place(&mut self, section: Section, found: &Found) {
        let (item, whole) = Item::of(found);
        let words = Words::of(found.memory.body.as_str());
        let text = found.memory.body.as_str();
        if self.told.iter().any(|told| told.hold(&words)) {
            self.note(section, Some(&found.memory.id), Fate::Same, text);
            return;
        }
        let considered =
            self.note(section, Some(&found.memory.id), if whole { Fate::Whole } else { Fate::Cut }, text);
        self.sheet.push(section, item);
        self.told.push(words);
        self.placed.push(Placed { section, considered });
    }

    /// Takes out what has to go until the rest fits.
    fn make_room(&mut self) {
        while !self.sheet.fits(self.budget) {
            if let Some(last) = self.placed.pop() {
                self.sheet.pop(last.section);
                self.told.pop();
                self.considered[last.considered].fate = Fate::NoRoom;
                continue;
            }
            let next = [Section::Recovery, Section::LongTerm, Section::LastSession];
            let held = |section: &&Section| {
                let told = |one: &&Considered| matches!(one.fate, Fate::Whole | Fate::Cut);
                self.considered.iter().filter(told).any(|one| one.section == **section)
            };
            match next.iter().find(held) {
                Some(section) => self.leave_out(*section),
                None => {
                    self.cut_project();
                    break;
                }
            }
        }
    }

    fn leave_out(&mut self, section: Section) {
        self.sheet.clear(section);
        self.told.clear();
        for one in self.considered.iter_mut().filter(|one| one.section == section) {
            if matches!(one.fate, Fate::Whole | Fate::Cut) {
                one.fate = Fate::NoRoom;
            }
        }
    }

    /// As many lines of the page as there is room for beside all tasks, with a word about the rest.
    fn cut_project(&mut self) {
        let all = std::mem::take(&mut self.project);
        self.sheet.clear(Section::Project);
        if !self.sheet.fits(self.budget) {
            self.cut_tasks();
        }
        let mut kept = 0;
        for to in 1..all.len() {
            self.sheet.set_text(Section::Project, cut_page(&all, to));
            if !self.sheet.fits(self.budget) {
                break;
            }
            kept = to;
        }
        self.sheet.clear(Section::Project);
        // A page that starts with an empty line or a heading alone says nothing.
        let says = all.iter().take(kept).any(|line| !line.trim().is_empty());
        if says {
            self.sheet.set_text(Section::Project, cut_page(&all, kept));
        }
        for one in self.considered.iter_mut().filter(|one| one.section == Section::Project) {
            one.fate = if says { Fate::Cut } else { Fate::NoRoom };
        }
    }

    /// As many tasks as there is room for, the newest, and how many more there are.
    fn cut_tasks(&mut self) {
        let all = std::mem::take(&mut self.tasks);
        let shown = |to: usize| {
            let mut lines = all[..to].to_vec();
            lines.push(format!("({} more: `agent-memory list --kind task`)", all.len() - to));
            lines
        };
        let mut kept = 0;
        for to in 1..all.len() {
            self.sheet.set_lines(Section::Tasks, shown(to));
            if !self.sheet.fits(self.budget) {
                break;
            }
            kept = to;
        }
        self.sheet.set_lines(Section::Tasks, if kept > 0 { shown(kept) } else { Vec::new() });
        let tasks = self.considered.iter_mut().filter(|one| one.section == Section::Tasks);
        tasks.skip(kept).for_each(|one| one.fate = Fate::NoRoom);
    }

    /// Uses the room that is left for more of what was found, best first.
    fn fill(&mut self, rest: Vec<&Found>, profile: &Profile) {
        for found in rest {
            let section = section_of(&found.memory);
            let text = found.memory.body.as_str();
            let words = Words::of(text);
            let id = Some(&found.memory.id);
            if !profile.fill && section != Section::Unverified {
                self.note(section, id, Fate::NotAsked, text);
                continue;
            }
            if self.told.iter().any(|told| told.hold(&words)) {
                self.note(section, id, Fate::Same, text);
                continue;
            }
            let (item, whole) = Item::of(found);
            self.sheet.push(section, item);
            if self.sheet.fits(self.budget) {
                self.note(section, id, if whole { Fate::Whole } else { Fate::Cut }, text);
                self.told.push(words);
            } else {
                self.sheet.pop(section);
                self.note(section, id, Fate::NoRoom, text);
            }
        }
    }

    fn finish(mut self) -> Context {
        let text = self.sheet.render();
        let cost = Cost::of(&text);
        debug_assert_eq!(cost, self.sheet.cost(), "the cost is that of the text");
        let told = |one: &Considered| matches!(one.fate, Fate::Whole | Fate::Cut);
        self.considered.sort_by_key(|one| (!told(one), one.section));
        Context { tokens: cost.tokens(), text, considered: self.considered }
    }
}

fn cut_page(all: &[String], to: usize) -> String {
    format!("{}\n[… {} more lines in _project.md]", all[..to].join("\n"), all.len() - to)
}

fn found(memory: &Memory) -> Found {
    Found { memory: memory.clone(), score: 0.0, passage: None }
}

/// Where a memory that was found stands.
fn section_of(memory: &Memory) -> Section {
    if memory.provenance.class <= SourceClass::Untrusted {
        return Section::Unverified;
    }
    match memory.kind {
        Kind::Decision => Section::Decisions,
        Kind::Lesson => Section::Lessons,
        _ => Section::Notes,
    }
}

/// The words of a text, as sorted hashes.
struct Words(Vec<u64>);

impl Words {
    fn of(text: &str) -> Self {
        let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        let mut all: Vec<u64> = words.map(hash_of_word).collect();
        all.sort_unstable();
        all.dedup();
        Self(all)
    }

    /// Whether these hold all of the others. Nearly all would not do: two decisions may differ in one number.
    fn hold(&self, others: &Self) -> bool {
        let mut mine = self.0.iter().peekable();
        others.0.iter().all(|word| {
            while mine.next_if(|own| *own < word).is_some() {}
            mine.peek() == Some(&word)
        })
    }
}

/// The hash of a word as it is without case and accents.
fn hash_of_word(word: &str) -> u64 {
    if word.is_ascii() {
        hash(word.bytes().map(|byte| byte.to_ascii_lowercase()))
    } else {
        hash(folded(word).bytes())
    }
}

/// FNV-1a: the same on every machine, which a context must be.
fn hash(bytes: impl Iterator<Item = u8>) -> u64 {
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}
