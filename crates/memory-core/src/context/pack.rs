//! What is told and what is not: things come onto the sheet in the order of their weight, as long as there is room.
//!
//! Open tasks come first, then the project page, the last session, the long-term summary, the session to recover, the
//! journal, and as many decisions, lessons and notes as the profile asks for. So with less room notes go first, then
//! lessons, and tasks last. What is too long is cut, and what does not fit beside what weighs more is left out. When
//! there is room, more of what was found comes in, best first, and nothing that is told already is told again.

use std::collections::HashSet;

use crate::id::MemoryId;
use crate::kind::Kind;
use crate::memory::Memory;
use crate::retain::{OpenTask, is_compacted};
use crate::scope::SourceClass;

use super::budget::{Budget, Cost};
use super::profile::Profile;
use super::sheet::{Item, Sheet};
use super::words::Words;
use super::{Considered, Context, Doubtful, Fate, Found, Pool, Section, barred, cut, lines, told_of_handoff};

/// Messages of a session that is recovered.
const MESSAGES: usize = 3;

/// Fills the budget from the pool.
pub fn assemble(pool: &Pool, profile: &Profile, doubtful: Doubtful, budget: Budget) -> Context {
    let mut packing = Packing::new(budget);
    packing.tasks(&pool.tasks);
    packing.project(pool);
    packing.handoff(pool);
    packing.long_term(pool);
    packing.recovery(pool);
    packing.journal(pool);
    let rest = packing.asked_for(pool, profile, doubtful);
    packing.fill(rest, profile);
    packing.finish()
}

struct Packing {
    budget: Budget,
    sheet: Sheet,
    considered: Vec<Considered>,
    /// The words of what is told.
    told: Vec<Words>,
    /// Whether nothing of a whole section fitted: then nothing that weighs less takes its place.
    full: bool,
}

impl Packing {
    fn new(budget: Budget) -> Self {
        Self { budget, sheet: Sheet::new(budget), considered: Vec::new(), told: Vec::new(), full: false }
    }

    /// Notes what became of something: what there is of it, and what is told of that.
    fn note(&mut self, section: Section, id: Option<&MemoryId>, fate: Fate, text: &str, told: &str) {
        let tokens = Cost::of(text).tokens();
        let text = lines::first_words(text.trim_start_matches("- "), 80);
        let told = told.to_owned();
        self.considered.push(Considered { section, id: id.cloned(), fate, tokens, text, told });
    }

    /// As many tasks as there is room for, the newest first, and how many more there are.
    fn tasks(&mut self, tasks: &[OpenTask]) {
        let all: Vec<(String, bool)> = tasks.iter().map(|task| lines::task(&task.line)).collect();
        let printed = |n: usize| format!("{} [{}]\n", all[n].0, tasks[n].id);
        let costs: Vec<Cost> = (0..all.len()).map(|n| Cost::of(&printed(n))).collect();
        let more = |count: usize| format!("({count} more: `agent-memory list --kind task`)");
        let mut room = self.sheet.room(Section::Tasks);
        // The last line ends without a newline of its own.
        let is_all = room.holds(costs.iter().copied().sum::<Cost>().less(Cost::of("\n")));
        if !is_all {
            room = room.less(Cost::of(&more(all.len())));
        }
        let mut text = String::new();
        let mut left_out = 0;
        for (n, cost) in costs.into_iter().enumerate() {
            let (line, whole) = &all[n];
            let (fate, told) = if !is_all && !room.holds(cost) {
                left_out += 1;
                (Fate::NoRoom, "")
            } else {
                room = room.less(cost);
                text.push_str(&printed(n));
                (if *whole { Fate::Whole } else { Fate::Cut }, line.as_str())
            };
            self.note(Section::Tasks, Some(&tasks[n].id), fate, &tasks[n].line, told);
        }
        if left_out > 0 && left_out < all.len() {
            text.push_str(&more(left_out));
        }
        self.sheet.set_text(Section::Tasks, text);
    }

    /// As many lines of the page as there is room for, with a word about the rest.
    fn project(&mut self, pool: &Pool) {
        let Some(page) = pool.project.as_deref().map(lines::project).filter(|page| !page.is_empty()) else {
            return;
        };
        let all: Vec<&str> = page.lines().collect();
        let more = |count: usize| match count {
            1 => "\n[… more in _project.md]".to_owned(),
            count => format!("\n[… {count} more lines in _project.md]"),
        };
        let mut room = self.sheet.room(Section::Project);
        if !room.holds(Cost::of(&page)) {
            room = room.less(Cost::of(&more(all.len().max(2))));
        }
        let (mut text, whole) = cut::beginning(&all, room);
        let told = text.clone();
        if whole < all.len() && !text.trim().is_empty() {
            text.push_str(&more(all.len() - whole));
        }
        self.text(Section::Project, None, &page, (text, &told), whole == all.len());
    }

    /// The latest handoff, in at most half of the budget.
    fn handoff(&mut self, pool: &Pool) {
        let Some(memory) = &pool.handoff else { return };
        let body = memory.body.as_str();
        if let Some(fate) = barred(memory, Doubtful::Fence) {
            self.note(Section::LastSession, Some(&memory.id), fate, "", "");
            return;
        }
        let doubtful = memory.provenance.class <= SourceClass::Untrusted;
        let Some(text) = told_of_handoff(memory) else {
            self.note(Section::LastSession, Some(&memory.id), Fate::LowTrust, body, "");
            return;
        };
        let page = lines::handoff(&text);
        let mark = format!(" [{}, {}]", memory.id, memory.updated.day());
        let all: Vec<&str> = page.lines().collect();
        let room = self.sheet.room(Section::LastSession).min(self.budget.half().most());
        let (told, whole) = cut::beginning(&all, room.less(Cost::of(&mark)));
        let words = Words::of(&told);
        let text = if told.is_empty() { String::new() } else { format!("{told}{mark}") };
        let is_all = whole == all.len() && !doubtful;
        if self.text(Section::LastSession, Some(&memory.id), &page, (text, &told), is_all) {
            self.told.push(words);
        } else {
            self.full = true;
        }
    }

    /// The long-term summary: its newest part, which stands last, in at most half of the budget.
    fn long_term(&mut self, pool: &Pool) {
        let held = pool.long_term.as_deref().map(lines::without_superseded);
        let Some(page) = held.map(|text| lines::page(&text)).filter(|page| !page.is_empty()) else { return };
        let all: Vec<&str> = page.lines().collect();
        let (text, whole) = cut::ending(&all, self.open(Section::LongTerm).min(self.budget.half().most()));
        let told = text.clone();
        self.full |= !self.text(Section::LongTerm, None, &page, (text, &told), whole == all.len());
    }

    /// The last messages of a session that broke off.
    fn recovery(&mut self, pool: &Pool) {
        let mut tail: Vec<String> =
            pool.tail.iter().rev().filter_map(lines::message).take(MESSAGES).collect();
        tail.reverse();
        if tail.is_empty() {
            return;
        }
        let all: Vec<&str> = tail.iter().map(String::as_str).collect();
        let (text, whole) = cut::ending(&all, self.open(Section::Recovery));
        let told = text.clone();
        let is_all = whole == all.len();
        self.full |= !self.text(Section::Recovery, None, &tail.join("\n"), (text, &told), is_all);
    }

    /// What the journal says of these days, the newest first where there is not room for all.
    fn journal(&mut self, pool: &Pool) {
        let mut any = false;
        for memory in pool.journal.iter().rev() {
            match barred(memory, Doubtful::Leave) {
                Some(fate) => self.note(Section::Journal, Some(&memory.id), fate, memory.heading(), ""),
                None => {
                    any = true;
                    self.place(Section::Journal, &found(memory), self.full);
                }
            }
        }
        self.closes(Section::Journal, any);
    }

    /// The room of a section that comes only where what weighs more has come.
    fn open(&self, section: Section) -> Cost {
        if self.full { Cost::default() } else { self.sheet.room(section) }
    }

    /// Puts a text on the sheet, where anything of it is left and fits.
    fn text(
        &mut self,
        section: Section,
        id: Option<&MemoryId>,
        all: &str,
        (text, told): (String, &str),
        is_all: bool,
    ) -> bool {
        let fits = !text.trim().is_empty() && self.sheet.set_text(section, text);
        let fate = match (fits, is_all) {
            (false, _) => Fate::NoRoom,
            (true, true) => Fate::Whole,
            (true, false) => Fate::Cut,
        };
        self.note(section, id, fate, all, if fits { told } else { "" });
        fits
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
            if let Some(fate) = barred(memory, doubtful).or(given) {
                let heading = if fate == Fate::Secret { "" } else { memory.heading() };
                self.note(section, Some(&memory.id), fate, heading, "");
                continue;
            }
            if memory.kind == Kind::Handoff {
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
        for section in [Section::Decisions, Section::Lessons, Section::Notes] {
            let mut any = false;
            for (_, found) in asked.iter().filter(|one| one.0 == section) {
                any = true;
                self.place(section, found, self.full);
            }
            self.closes(section, any);
        }
        rest
    }

    /// Notes that nothing weighs less than a section of which nothing fitted.
    fn closes(&mut self, section: Section, any: bool) {
        let told = |one: &Considered| one.section == section && (one.is_told() || one.fate == Fate::Same);
        self.full |= any && !self.considered.iter().any(told);
    }

    /// Puts an item on the sheet, unless something there says the same or there is no room.
    fn place(&mut self, section: Section, found: &Found, full: bool) {
        let item = Item::of(found);
        let words = Words::of(item.text());
        let said = Words::of(&item.said);
        let (told, whole) = (item.said.clone(), item.whole);
        let fate = if self.told.iter().any(|told| told.hold(&said)) {
            Fate::Same
        } else if full || !self.sheet.push(section, item) {
            Fate::NoRoom
        } else if whole {
            Fate::Whole
        } else {
            Fate::Cut
        };
        let told = if matches!(fate, Fate::Whole | Fate::Cut) {
            self.told.push(words);
            told
        } else {
            String::new()
        };
        self.note(section, Some(&found.memory.id), fate, found.memory.body.as_str(), &told);
    }

    /// Uses the room that is left for more of what was found, best first.
    fn fill(&mut self, rest: Vec<&Found>, profile: &Profile) {
        for found in rest {
            let section = section_of(&found.memory);
            if profile.fill || section == Section::Unverified {
                self.place(section, found, false);
            } else {
                let text = found.memory.body.as_str();
                self.note(section, Some(&found.memory.id), Fate::NotAsked, text, "");
            }
        }
    }

    fn finish(mut self) -> Context {
        let text = self.sheet.render();
        let cost = Cost::of(&text);
        debug_assert_eq!(cost, self.sheet.cost(), "the cost is that of the text");
        self.considered.sort_by_key(|one| (!one.is_told(), one.section));
        Context { tokens: cost.tokens(), text, considered: self.considered }
    }
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
