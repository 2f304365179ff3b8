//! What is told and what is not: things come onto the sheet in the order of their weight, as long as there is room.
//!
//! Open tasks come first, in at most half of the budget, then the project page, the last session, the long-term summary,
//! the session to recover, the journal, preferences in at most a quarter, and as many decisions, lessons and notes as the
//! profile asks for. So with less room notes go first, then lessons, and the newest tasks last. What is too long is cut,
//! and what does not fit beside what weighs more is left out. When there is room, more of what was found comes in, best
//! first, then what was kept lately, then more tasks, and nothing that is told already is told again.

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
/// What is said of one that spoke a moment ago.
const MAY_RUN: &str = "(a moment ago: it may still run in another window)";
/// The newest tasks, which need not keep to the share of all.
const TASKS: usize = 5;
/// Preferences that hold whatever is asked.
const PREFERENCES: usize = 8;

/// Fills the budget from the pool.
pub fn assemble(pool: &Pool, profile: &Profile, doubtful: Doubtful, budget: Budget) -> Context {
    let mut packing = Packing::new(budget);
    let tasks = Tasks::of(&pool.tasks);
    packing.first_tasks(&tasks);
    packing.project(pool);
    packing.handoff(pool);
    packing.long_term(pool);
    packing.recovery(pool);
    packing.journal(pool);
    let rest = packing.asked_for(pool, profile, doubtful);
    packing.fill(rest, profile);
    if profile.fill {
        packing.recent(pool, doubtful);
    }
    packing.all_tasks(&tasks);
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

    /// The newest tasks, and of the others those that fit into half of the budget.
    fn first_tasks(&mut self, tasks: &Tasks<'_>) {
        let room = self.sheet.room(Section::Tasks);
        let told = tasks.that_fit(room, room.min(self.budget.half().most()));
        self.sheet.set_text(Section::Tasks, tasks.text(&told));
    }

    /// As many tasks as there is room for, the newest first, and how many more there are.
    fn all_tasks(&mut self, tasks: &Tasks<'_>) {
        self.sheet.clear(Section::Tasks);
        let room = self.sheet.room(Section::Tasks);
        let told = tasks.that_fit(room, room);
        self.sheet.set_text(Section::Tasks, tasks.text(&told));
        for (n, (line, whole)) in tasks.lines.iter().enumerate() {
            let (fate, line) = match (told[n], *whole) {
                (false, _) => (Fate::NoRoom, ""),
                (true, true) => (Fate::Whole, line.as_str()),
                (true, false) => (Fate::Cut, line.as_str()),
            };
            self.note(Section::Tasks, Some(&tasks.all[n].id), fate, &tasks.all[n].line, line);
        }
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
        if pool.tail_may_run {
            tail.push(MAY_RUN.to_owned());
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
        let mut preferences: Vec<&Found> = Vec::new();
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
            if section == Section::Preferences && preferences.len() < PREFERENCES {
                preferences.push(found);
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
        rest.extend(self.preferences(preferences));
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

    /// What a person prefers, in at most a quarter of the budget; gives those that are more than that.
    fn preferences<'a>(&mut self, all: Vec<&'a Found>) -> Vec<&'a Found> {
        let mut room = self.budget.quarter().most();
        let mut more = Vec::new();
        for found in all {
            let cost = Cost::of(Item::of(found).text());
            if room.holds(cost) {
                room = room.less(cost);
                self.place(Section::Preferences, found, self.full);
            } else {
                more.push(found);
            }
        }
        more
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

    /// Uses what room is left then for what was kept lately.
    fn recent(&mut self, pool: &Pool, doubtful: Doubtful) {
        let known: HashSet<&MemoryId> = pool.found.iter().map(|found| &found.memory.id).collect();
        let is_new = |found: &&Found| {
            let memory = &found.memory;
            !known.contains(&memory.id)
                && !pool.given.contains(&memory.id)
                && barred(memory, doubtful).is_none()
        };
        for found in pool.recent.iter().filter(is_new) {
            self.place(section_of(&found.memory), found, false);
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

/// Open tasks with the lines that are told of them.
struct Tasks<'a> {
    all: &'a [OpenTask],
    /// The line of each, and whether it is whole.
    lines: Vec<(String, bool)>,
    costs: Vec<Cost>,
}

impl<'a> Tasks<'a> {
    fn of(all: &'a [OpenTask]) -> Self {
        let lines: Vec<(String, bool)> = all.iter().map(|task| lines::task(&task.line)).collect();
        let printed = lines.iter().zip(all).map(|((line, _), task)| printed(line, task));
        let costs = printed.map(|line| Cost::of(&line)).collect();
        Self { all, lines, costs }
    }

    /// Which tasks are told: the newest while there is room, and the others while there is room in their share of it.
    fn that_fit(&self, room: Cost, share: Cost) -> Vec<bool> {
        // The last line ends without a newline of its own.
        let all = self.costs.iter().copied().sum::<Cost>().less(Cost::of("\n"));
        let limit = if self.all.len() > TASKS { share } else { room };
        if limit.holds(all) {
            return vec![true; self.all.len()];
        }
        let more = Cost::of(&more(self.all.len()));
        let (mut room, mut share) = (room.less(more), share.less(more));
        let mut fits = |n: usize, cost: Cost| {
            let fits = if n < TASKS { room } else { share }.holds(cost);
            if fits {
                (room, share) = (room.less(cost), share.less(cost));
            }
            fits
        };
        self.costs.iter().enumerate().map(|(n, cost)| fits(n, *cost)).collect()
    }

    /// The lines of those that are told, and how many more there are.
    fn text(&self, told: &[bool]) -> String {
        let mut text = String::new();
        for n in (0..told.len()).filter(|&n| told[n]) {
            text.push_str(&printed(&self.lines[n].0, &self.all[n]));
        }
        let left_out = told.iter().filter(|told| !**told).count();
        if left_out > 0 && left_out < told.len() {
            text.push_str(&more(left_out));
        }
        text
    }
}

fn printed(line: &str, task: &OpenTask) -> String {
    format!("{line} [{}]\n", task.id)
}

fn more(count: usize) -> String {
    format!("({count} more: `agent-memory list --kind task`)")
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
        Kind::Preference => Section::Preferences,
        _ => Section::Notes,
    }
}
