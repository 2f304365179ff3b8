//! Notes of basic-memory: front matter, `- [category] text #tag (context)` and `- relation [[Target]]` among prose.
//!
//! Each observation becomes a memory; what is left of a note becomes another, with its relations as readable lines,
//! under a key made of its permalink.

use memory_core::id::Tag;
use memory_core::kind::Kind;
use memory_core::memory::tags_in;
use memory_core::scope::SourceClass;
use memory_core::time::Time;

use super::folder::{Sheet, sheets};
use super::front::Note;
use super::{Came, Context, Hear, Item, kind_of};
use crate::error::Result;

pub(super) fn read(context: &Context<'_>, hear: &mut dyn Hear) -> Result<()> {
    sheets(context, hear, &mut |sheet, hear| {
        items(context, sheet).into_iter().try_for_each(|item| hear.item(item))
    })
}

fn items(context: &Context<'_>, sheet: &Sheet) -> Vec<Item> {
    let note = Note::of(&sheet.text);
    let stem = sheet.name.rsplit_once('.').map_or(sheet.name.as_str(), |(stem, _)| stem);
    let permalink = note.value("permalink").unwrap_or(stem);
    let title = note.value("title").unwrap_or_else(|| stem.rsplit('/').next().unwrap_or(stem));
    let at = ["modified", "updated", "created", "date"].iter().find_map(|key| Time::parse(note.value(key)?));
    let at = Some(at.unwrap_or(sheet.modified));
    let shared: Vec<&str> = note.words("tags").iter().map(|word| word.trim_start_matches('#')).collect();
    let parts = parts(note.text);
    let mut items = Vec::new();
    for seen in parts.observations {
        let mut draft = context.draft(&seen.text, SourceClass::HumanEdit, at);
        draft.kind = Some(kind_of(seen.category).unwrap_or(Kind::Fact));
        draft.title = Some(title.to_owned());
        let own = tags_in(&seen.text);
        let words = shared.iter().copied().chain([seen.category]).chain(own.iter().map(Tag::as_str));
        draft.tags = Some(context.tags(words));
        items.push(Item { identity: format!("{permalink}\0{}", seen.text), draft, origin: Came::Written });
    }
    let text = [parts.prose.trim(), parts.relations.join("\n").as_str()].join("\n\n");
    if parts.relations.is_empty() && !parts.prose.lines().any(|line| says_something(line, title)) {
        return items;
    }
    let mut draft = context.draft(text.trim(), SourceClass::HumanEdit, at);
    draft.kind = Some(note.value("type").and_then(kind_of).unwrap_or(Kind::Note));
    draft.title = Some(title.to_owned());
    draft.tags = Some(context.tags(shared));
    draft.key = context.key(permalink);
    items.push(Item { identity: format!("{permalink}\0{}", text.trim()), draft, origin: Came::Written });
    items
}

/// Whether a line is more than the note's own name or an empty heading of a list that was taken out.
fn says_something(line: &str, title: &str) -> bool {
    let words = line.trim();
    !words.is_empty() && !words.starts_with('#') && words != title
}

#[derive(Debug, PartialEq, Eq)]
struct Observation<'a> {
    category: &'a str,
    text: String,
}

#[derive(Default)]
struct Parts<'a> {
    observations: Vec<Observation<'a>>,
    relations: Vec<String>,
    prose: String,
}

fn parts(text: &str) -> Parts<'_> {
    let mut parts = Parts::default();
    let mut in_code = false;
    // Lines that stand further in belong to the observation above them.
    let mut open = false;
    for line in text.lines() {
        in_code ^= line.trim_start().starts_with("```");
        let item = line.trim_start().strip_prefix("- ").or_else(|| line.trim_start().strip_prefix("* "));
        let goes_on = open && item.is_none() && line.starts_with([' ', '\t']) && !line.trim().is_empty();
        if let Some(seen) = parts.observations.last_mut().filter(|_| goes_on && !in_code) {
            seen.text = format!("{}\n{}", seen.text, line.trim());
            continue;
        }
        open = false;
        match item.filter(|_| !in_code).map(str::trim) {
            Some(item) if observation(item).is_some() => {
                parts.observations.extend(observation(item));
                open = true;
            }
            Some(item) if relation(item).is_some() => parts.relations.extend(relation(item)),
            _ => {
                parts.prose.push_str(line);
                parts.prose.push('\n');
            }
        }
    }
    parts
}

/// `[category] text`. A box to be ticked and a link are none.
fn observation(item: &str) -> Option<Observation<'_>> {
    let (category, rest) = item.strip_prefix('[')?.split_once(']')?;
    let is_box = category.trim().is_empty() || category.eq_ignore_ascii_case("x") || category == "-";
    let text = rest.strip_prefix(' ')?.trim();
    let is_word = !category.contains(['[', '(']);
    (!is_box && is_word && !text.is_empty())
        .then(|| Observation { category: category.trim(), text: text.to_owned() })
}

/// `relation_type [[Target]] (context)` as words.
fn relation(item: &str) -> Option<String> {
    let (sort, rest) = item.split_once("[[")?;
    let (target, context) = rest.split_once("]]")?;
    let sort = sort.trim();
    // A sentence with a link in it is prose.
    if sort.split_whitespace().count() > 4 || sort.ends_with(['.', ':', ',']) || target.trim().is_empty() {
        return None;
    }
    let sort = if sort.is_empty() { "links to".to_owned() } else { sort.replace('_', " ") };
    let target = target.split_once('|').map_or(target, |(name, _)| name);
    Some(format!("- {sort} {}{}", target.trim(), context.trim_end()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn observations() {
        let check = |item: &str, expect: Option<(&str, &str)>| {
            let got = observation(item);
            assert_eq!(got.as_ref().map(|seen| (seen.category, seen.text.as_str())), expect, "{item}");
        };
        check(
            "[method] Pour over gives clarity #brewing (tested)",
            Some(("method", "Pour over gives clarity #brewing (tested)")),
        );
        check("[ ] a task", None);
        check("[x] a task", None);
        check("[docs](x.md) a link", None);
        check("[[Target]] a link", None);
        check("[empty] ", None);
        check("plain", None);
    }

    #[test]
    fn a_second_line_stays_with_its_observation() {
        let parts = parts("- [a] one\n  goes on\n- [b] two\n\n  prose\nmore\n");
        let texts: Vec<&str> = parts.observations.iter().map(|seen| seen.text.as_str()).collect();
        assert_eq!(texts, ["one\ngoes on", "two"]);
        assert_eq!(parts.prose.trim(), "prose\nmore");
    }

    #[test]
    fn relations() {
        let check = |item: &str, expect: Option<&str>| {
            assert_eq!(relation(item).as_deref(), expect, "{item}");
        };
        check("relates_to [[Coffee Origins]] (by soil)", Some("- relates to Coffee Origins (by soil)"));
        check("[[Tea|the other]]", Some("- links to Tea"));
        check("See for this the long note [[Tea]]", None);
        check("no link", None);
        check("broken [[Tea", None);
    }
}
