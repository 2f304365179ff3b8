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
    text: String,
    /// The session it was said in, or the day: what was said together stands together.
    group: String,
    created: Time,
}

impl Item {
    /// The item of a memory, and whether all of it is told.
    pub(super) fn of(found: &Found) -> (Self, bool) {
        let memory = &found.memory;
        let (text, whole) = lines::item(memory, found.passage.as_ref());
        let day = memory.created.day();
        let group = memory.provenance.session.as_ref().map_or(day, |session| session.as_str().to_owned());
        (Self { text, group, created: memory.created }, whole)
    }
}

/// What stands in a section.
#[derive(Debug, Clone)]
enum Part {
    Text(String),
    Lines(Vec<String>),
    Items(Vec<Item>),
}

/// The block while it is being filled.
#[derive(Debug, Default)]
pub(super) struct Sheet {
    parts: BTreeMap<Section, Part>,
    costs: BTreeMap<Section, Cost>,
}

impl Sheet {
    /// Puts a text into a section, in place of what stands there.
    pub(super) fn set_text(&mut self, section: Section, text: String) {
        self.put(section, Part::Text(text));
    }

    /// Puts lines into a section, in place of what stands there.
    pub(super) fn set_lines(&mut self, section: Section, lines: Vec<String>) {
        self.put(section, Part::Lines(lines));
    }

    /// Adds an item to a section.
    pub(super) fn push(&mut self, section: Section, item: Item) {
        let part = self.parts.entry(section).or_insert_with(|| Part::Items(Vec::new()));
        if let Part::Items(items) = part {
            items.push(item);
        }
        self.count(section);
    }

    /// Takes the last item of a section out again.
    pub(super) fn pop(&mut self, section: Section) {
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

    fn put(&mut self, section: Section, part: Part) {
        self.parts.insert(section, part);
        self.count(section);
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

    /// Whether the block fits.
    pub(super) fn fits(&self, budget: Budget) -> bool {
        budget.holds(self.cost())
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
pub(super) fn frame() -> Cost {
    Cost::of(&head()) + Cost::of(&foot())
}

fn written(section: Section, part: &Part) -> String {
    let body = match part {
        Part::Text(text) => text.trim().to_owned(),
        Part::Lines(lines) => lines.join("\n"),
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
            let day = item.created.day();
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
