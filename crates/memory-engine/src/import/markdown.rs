//! Plain markdown: every item of a list and every paragraph becomes a memory, with the headings above it as its title.
//!
//! Lines below an item and code after a text stay with it. Comments, tables of links and text that we put there
//! ourselves are left out.

use std::borrow::Cow;

use memory_core::admit::kind_of_text;
use memory_core::kind::Kind;
use memory_core::scope::SourceClass;
use memory_core::session::strip_injected;
use memory_core::task;

use super::folder::{Sheet, sheets};
use super::front::Note;
use super::{Came, Context, Hear, Item, kind_of};
use crate::error::Result;

pub(super) fn read(context: &Context<'_>, hear: &mut dyn Hear) -> Result<()> {
    sheets(context, hear, &mut |sheet, hear| {
        let note = Note::of(&sheet.text);
        blocks(note.text).into_iter().try_for_each(|block| hear.item(item(context, sheet, block)))
    })
}

/// A block of a person's notes.
pub(super) fn item(context: &Context<'_>, sheet: &Sheet, block: Block) -> Item {
    let mut draft = context.draft(&block.text, SourceClass::HumanEdit, Some(sheet.modified));
    draft.kind = Some(block.kind());
    draft.title = block.title;
    // The same line in two files is one memory, and moving a file changes nothing.
    Item { identity: block.text, draft, origin: Came::Written }
}

/// A part of a text that can stand alone.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Block {
    /// The headings above it.
    pub(super) title: Option<String>,
    pub(super) text: String,
}

impl Block {
    /// What its own words say, else what its heading says.
    fn kind(&self) -> Kind {
        match kind_of_text(&self.text) {
            Kind::Note => {
                let last = self.title.as_deref().and_then(|title| title.rsplit(" › ").next());
                let words = last.unwrap_or_default().split(|c: char| !c.is_alphanumeric() && c != '-');
                words.filter_map(kind_of).next_back().unwrap_or(Kind::Note)
            }
            kind => kind,
        }
    }
}

/// Takes a text apart.
pub(super) fn blocks(text: &str) -> Vec<Block> {
    let text = strip_injected(text);
    let text = without_comments(&text);
    let mut cut = Cut::default();
    for line in text.lines() {
        cut.line(line);
    }
    cut.end();
    cut.blocks
}

#[derive(Default)]
struct Cut {
    headings: Vec<(usize, String)>,
    lines: Vec<String>,
    in_item: bool,
    fence: Option<String>,
    blank: bool,
    blocks: Vec<Block>,
}

impl Cut {
    fn line(&mut self, line: &str) {
        let trimmed = line.trim();
        if let Some(fence) = &self.fence {
            if trimmed.starts_with(fence.as_str()) {
                self.fence = None;
            }
            return self.lines.push(line.to_owned());
        }
        if let Some(fence) = ["```", "~~~"].into_iter().find(|fence| trimmed.starts_with(fence)) {
            self.fence = Some(fence.to_owned());
            self.blank = false;
            return self.lines.push(line.to_owned());
        }
        let indented = line.starts_with([' ', '\t']);
        if trimmed.is_empty() {
            self.blank = true;
        } else if let Some((level, words)) = heading(line) {
            self.end();
            self.headings.retain(|(other, _)| *other < level);
            self.headings.push((level, words.to_owned()));
        } else if !indented && let Some(words) = list_item(trimmed) {
            self.end();
            self.in_item = true;
            self.lines.push(words.to_owned());
        } else if is_rule(trimmed) || asks_for_file(trimmed) {
            self.end();
        } else {
            if self.blank && !(self.in_item && indented) {
                self.end();
            }
            self.blank = false;
            let line = if self.in_item { line.trim_end() } else { trimmed };
            self.lines.push(line.to_owned());
        }
    }

    fn end(&mut self) {
        let text = std::mem::take(&mut self.lines).join("\n");
        (self.in_item, self.blank, self.fence) = (false, false, None);
        if says_something(&text) {
            let titles: Vec<&str> = self.headings.iter().map(|(_, words)| words.as_str()).collect();
            let title = Some(titles.join(" › ")).filter(|title| !title.is_empty());
            self.blocks.push(Block { title, text: text.trim().to_owned() });
        }
    }
}

/// Whether a block is more than a pointer elsewhere or the line before a list.
fn says_something(text: &str) -> bool {
    let text = text.trim();
    let is_link = text.starts_with('[') && text.ends_with(')') && text.matches("](").count() == 1;
    let is_image = text.starts_with("![") && !text.contains('\n');
    let leads_in = text.ends_with(':') && !text.contains('\n');
    let has_words = text.chars().filter(|c| c.is_alphanumeric()).count() >= 3;
    has_words && !is_link && !is_image && !leads_in
}

fn is_rule(line: &str) -> bool {
    line.chars().all(|c| matches!(c, '-' | '*' | '_' | '=' | ' '))
}

/// `@path` alone on a line asks a client to read another file.
fn asks_for_file(line: &str) -> bool {
    line.starts_with('@') && !line.contains(char::is_whitespace)
}

fn heading(line: &str) -> Option<(usize, &str)> {
    let level = line.bytes().take_while(|byte| *byte == b'#').count();
    let words = line.get(level..)?.strip_prefix(' ')?.trim().trim_end_matches('#').trim();
    (1..=6).contains(&level).then_some((level, words))
}

/// The words of an item of a list. A box to be ticked stays, because it says that something is to be done.
pub(super) fn list_item(line: &str) -> Option<&str> {
    if task::parse(line).is_some() {
        return Some(line);
    }
    if let Some(words) = ["- ", "* ", "+ "].iter().find_map(|mark| line.strip_prefix(mark)) {
        return Some(words.trim_start());
    }
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let rest = line.get(digits..)?;
    let words = rest.strip_prefix(". ").or_else(|| rest.strip_prefix(") "))?;
    (1..=3).contains(&digits).then(|| words.trim_start())
}

fn without_comments(text: &str) -> Cow<'_, str> {
    if !text.contains("<!--") {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("<!--") {
        out.push_str(before);
        match after.split_once("-->") {
            Some((_, behind)) => rest = behind,
            // A comment that nobody closed is text.
            None => {
                out.push_str("<!--");
                rest = after;
            }
        }
    }
    out.push_str(rest);
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_of_a_text() {
        let check = |text: &str, expect: &[(&str, &str)]| {
            let blocks = blocks(text);
            let got: Vec<(&str, &str)> = blocks
                .iter()
                .map(|block| (block.title.as_deref().unwrap_or(""), block.text.as_str()))
                .collect();
            assert_eq!(got, expect, "{text:?}");
        };
        check("", &[]);
        check("- one thing\n- two things\n", &[("", "one thing"), ("", "two things")]);
        check(
            "# A\n## B\n* x y z\n# C\nText here\nand here\n",
            &[("A › B", "x y z"), ("C", "Text here\nand here")],
        );
        check(
            "- one thing\n  - below it\n\n  more\n- two things",
            &[("", "one thing\n  - below it\n  more"), ("", "two things")],
        );
        check("Run this:\n- cargo test\n", &[("", "cargo test")]);
        check(
            "Build with\n```sh\nmake\n\n# all\n```\n\nNext text",
            &[("", "Build with\n```sh\nmake\n\n# all\n```"), ("", "Next text")],
        );
        check(
            "<!-- hidden words -->\n1. first item\n2) second item",
            &[("", "first item"), ("", "second item")],
        );
        check(
            "- [ ] write the docs\n- [Docs](docs/x.md)\n@docs/more.md\n---\n",
            &[("", "- [ ] write the docs")],
        );
        check(
            "<agent-memory-context>\n- ours, not theirs\n</agent-memory-context>\n- theirs it is",
            &[("", "theirs it is")],
        );
        check("unclosed <!-- comment stays", &[("", "unclosed <!-- comment stays")]);
    }

    #[test]
    fn kinds_of_blocks() {
        let check = |title: &str, text: &str, expect: Kind| {
            let block = Block { title: Some(title.to_owned()), text: text.to_owned() };
            assert_eq!(block.kind(), expect, "{title}: {text}");
        };
        check("Notes › Key decisions", "SSE and no sockets", Kind::Decision);
        check("Gotchas", "The cache lies", Kind::Lesson);
        check("Gotchas", "We decided to use SSE", Kind::Decision);
        check("Style", "Four spaces", Kind::Note);
    }
}
