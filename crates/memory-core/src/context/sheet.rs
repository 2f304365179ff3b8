//! The block while it is being filled: sections in their order, each with what stands in it, and the exact cost of all.

use std::collections::BTreeMap;

use crate::session::INJECTED_TAG;
use crate::time::Time;

use super::budget::{Budget, Cost};
use super::{Found, Section, lines};

/// The first line of every block.
pub(super) const TITLE: &str = "## MEMORY CONTEXT";
/// What the agent has to know about it.
const ABOUT: &str = "Kept from earlier sessions. `agent-memory show ID` gives all of an [ID].";

/// A list item and where it belongs.
#[derive(Debug, Clone)]
pub(super) struct Item {
    /// What the memory says in it.
    pub(super) said: String,
    /// Whether that is all of the memory.
    pub(super) whole: bool,
    text: String,
    /// The session it was said in, or the day: what was said together stands together.
    group: String,
    created: Time,
}

impl Item {
    /// The item of a memory.
    pub(super) fn of(found: &Found) -> Self {
        let memory = &found.memory;
        let (said, whole) = lines::said(memory, found.passage.as_ref());
        let text = lines::item(memory, &said);
        let day = memory.created.day();
        let group = memory.provenance.session.as_ref().map_or(day, |session| session.as_str().to_owned());
        Self { said, whole, text, group, created: memory.created }
    }

    /// The item as it is printed.
    pub(super) fn text(&self) -> &str {
        &self.text
    }
}

/// What stands in a section.
#[derive(Debug, Clone)]
enum Part {
    Text(String),
    Items(Vec<Item>),
}

/// The block while it is being filled.
#[derive(Debug)]
pub(super) struct Sheet {
    budget: Budget,
    parts: BTreeMap<Section, Part>,
    costs: BTreeMap<Section, Cost>,
}

impl Sheet {
    /// A sheet with nothing on it.
    pub(super) fn new(budget: Budget) -> Self {
        Self { budget, parts: BTreeMap::new(), costs: BTreeMap::new() }
    }

    /// How much more can stand in a section.
    pub(super) fn room(&self, section: Section) -> Cost {
        let taken = if self.costs.is_empty() { frame() } else { self.cost() };
        let left = self.budget.most().less(taken);
        if self.costs.contains_key(&section) { left } else { left.less(around(section)) }
    }

    /// Puts a text into a section; whether it fits.
    pub(super) fn set_text(&mut self, section: Section, text: String) -> bool {
        self.parts.insert(section, Part::Text(text));
        self.count(section);
        let fits = self.fits();
        if !fits {
            self.clear(section);
        }
        fits
    }

    /// Adds an item to a section; whether it fits.
    pub(super) fn push(&mut self, section: Section, item: Item) -> bool {
        if !self.room(section).holds(Cost::of(&item.text)) {
            return false;
        }
        let part = self.parts.entry(section).or_insert_with(|| Part::Items(Vec::new()));
        if let Part::Items(items) = part {
            items.push(item);
        }
        self.count(section);
        let fits = self.fits();
        if !fits {
            self.pop(section);
        }
        fits
    }

    /// Takes the last item of a section out again.
    fn pop(&mut self, section: Section) {
        if let Some(Part::Items(items)) = self.parts.get_mut(&section) {
            items.pop();
        }
        self.count(section);
    }

    /// Empties a section.
    pub(super) fn clear(&mut self, section: Section) {
        self.parts.remove(&section);
        self.costs.remove(&section);
    }

    fn count(&mut self, section: Section) {
        let text = self.parts.get(&section).map(|part| written(section, part)).unwrap_or_default();
        if text.is_empty() {
            self.clear(section);
        } else {
            self.costs.insert(section, Cost::of(&text));
        }
    }

    /// What the block costs.
    pub(super) fn cost(&self) -> Cost {
        if self.costs.is_empty() { Cost::default() } else { frame() + self.costs.values().copied().sum() }
    }

    fn fits(&self) -> bool {
        self.budget.holds(self.cost())
    }

    /// The block.
    pub(super) fn render(&self) -> String {
        if self.parts.is_empty() {
            return String::new();
        }
        let mut text = head();
        self.parts.iter().for_each(|(section, part)| text.push_str(&written(*section, part)));
        text.push_str(&foot());
        text
    }
}

fn head() -> String {
    format!("<{INJECTED_TAG}>\n{TITLE}\n{ABOUT}\n")
}

fn foot() -> String {
    format!("\n---\n</{INJECTED_TAG}>\n")
}

/// What a block costs before anything stands in it.
fn frame() -> Cost {
    Cost::of(&head()) + Cost::of(&foot())
}

/// What a section costs beside what stands in it.
fn around(section: Section) -> Cost {
    Cost::of(&format!("\n{}\n\n", section.heading()))
}

fn written(section: Section, part: &Part) -> String {
    let body = match part {
        // What is indented at its beginning must stay so: it would pass for a line of ours.
        Part::Text(text) => text.trim_end().trim_start_matches('\n').to_owned(),
        Part::Items(items) => grouped(items),
    };
    if body.trim().is_empty() {
        return String::new();
    }
    let heading = section.heading();
    if section == Section::Unverified {
        let fence = fence_around(&body);
        return format!("\n{heading}\n{fence}\n{body}\n{fence}\n");
    }
    format!("\n{heading}\n{body}\n")
}

/// Items in groups, the group with the best item first, and in a group as they were said. Each has its day above it.
fn grouped(items: &[Item]) -> String {
    let mut groups: Vec<(&str, Vec<&Item>)> = Vec::new();
    for item in items {
        match groups.iter_mut().find(|(name, _)| *name == item.group) {
            Some((_, together)) => together.push(item),
            None => groups.push((&item.group, vec![item])),
        }
    }
    let mut text = String::new();
    let mut above = String::new();
    for (_, mut together) in groups {
        together.sort_by_key(|item| item.created);
        for item in together {
            let day = item.created.known().map_or_else(|| "by hand".to_owned(), Time::day);
            if day != above {
                text.push_str(&format!("{day}:\n"));
                above = day;
            }
            text.push_str(&item.text);
            text.push('\n');
        }
    }
    text.truncate(text.trim_end().len());
    text
}

/// A fence that nothing inside can close.
fn fence_around(body: &str) -> String {
    let longest = body.split(|c| c != '~').map(str::len).max().unwrap_or(0);
    "~".repeat(longest.max(2) + 1)
}
