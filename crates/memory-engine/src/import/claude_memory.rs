//! The memory folder that Claude Code keeps for a project: a file for each thing it learned, and an index of them.
//!
//! A file with front matter is one memory; its `type` says of what sort. Any other file is read as plain markdown, and
//! the lines of the index that only point at files are left out.

use std::path::Path;

use memory_core::kind::Kind;
use memory_core::scope::SourceClass;

use super::folder::{Sheet, sheets};
use super::front::Note;
use super::{Came, Context, Hear, Item, kind_of, markdown};
use crate::error::Result;

pub(super) fn read(context: &Context<'_>, hear: &mut dyn Hear) -> Result<()> {
    sheets(context, hear, &mut |sheet, hear| {
        let note = Note::of(&sheet.text);
        if note.value("name").is_some() || note.value("type").is_some() {
            return whole(context, sheet, &note).map_or(Ok(()), |item| hear.item(item));
        }
        for block in markdown::blocks(note.text) {
            if !points_at_file(&block.text) {
                let mut item = markdown::item(context, sheet, block);
                item.draft.provenance.class = SourceClass::Agent;
                hear.item(item)?;
            }
        }
        Ok(())
    })
}

fn whole(context: &Context<'_>, sheet: &Sheet, note: &Note<'_>) -> Option<Item> {
    let text = note.text.trim();
    let text = if text.is_empty() { note.value("description")? } else { text };
    // What the agent wrote about its work, never what a person said through a command.
    let mut draft = context.draft(text, SourceClass::Agent, Some(sheet.modified));
    draft.title = note.value("description").or_else(|| note.value("name")).map(str::to_owned);
    draft.kind = Some(note.value("type").map_or(Kind::Note, kind));
    // Each checkout has such a folder, and files of the same name in two of them are two things.
    let project = context.import.path.parent().and_then(Path::file_name).unwrap_or_default();
    draft.key = context.key(&format!("{}/{}", project.to_string_lossy(), sheet.name));
    Some(Item { identity: format!("{}\0{text}", sheet.name), draft, origin: Came::Written })
}

fn kind(word: &str) -> Kind {
    match word {
        "user" | "feedback" => Kind::Preference,
        "project" => Kind::Context,
        "reference" => Kind::Fact,
        word => kind_of(word).unwrap_or(Kind::Note),
    }
}

/// `[Title](file.md) — what it is about`.
fn points_at_file(text: &str) -> bool {
    let target = text
        .strip_prefix('[')
        .and_then(|rest| rest.split_once("]("))
        .and_then(|(_, rest)| rest.split_once(')'));
    target.is_some_and(|(target, _)| target.ends_with(".md") && !target.contains("://"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_the_index_point_at_files() {
        for (text, expect) in [
            ("[Style](style.md) — four spaces", true),
            ("[Style](style.md)", true),
            ("[Docs](https://x.test/a.md) are old", false),
            ("Four spaces, see [Style](style.md)", false),
        ] {
            assert_eq!(points_at_file(text), expect, "{text}");
        }
    }

    #[test]
    fn types_are_kinds() {
        assert_eq!(kind("feedback"), Kind::Preference);
        assert_eq!(kind("project"), Kind::Context);
        assert_eq!(kind("decision"), Kind::Decision);
        assert_eq!(kind("zettel"), Kind::Note);
    }
}
