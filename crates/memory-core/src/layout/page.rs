//! Pages: a whole file as one memory, `_project.md` and `USER.md`, written by people.
//!
//! The heading stays part of the text. A change puts the new text in place of the old one; byte order mark and
//! line ends stay. What plain text cannot say, such as tags and times, a page does not keep.

use super::lines::{bom, line_end, lossy, with_line_end};
use super::record::fields::untold;
use super::record::{is_blank, not_utf8, whole};
use super::{Change, Edit, Found, Home, Reading};
use crate::id::MemoryId;
use crate::memory::{Body, Memory};
use crate::scope::SourceClass;
use crate::time::Time;

/// Reads a page; a blank one holds no memory.
pub(super) fn read(home: &Home, bytes: &[u8]) -> Reading {
    let Some(id) = id_of(home) else { return Reading::default() };
    let found = match is_blank(bytes) {
        true => Vec::new(),
        false => vec![Found { memory: memory_of(home, id, bytes), place: whole(bytes) }],
    };
    Reading { found, defects: not_utf8(bytes).into_iter().collect() }
}

/// The edits of one change to a page; none for a memory that is not this page.
pub(super) fn splice(home: &Home, bytes: &[u8], change: &Change<'_>) -> Vec<Edit> {
    let Some(id) = id_of(home) else { return Vec::new() };
    let empty = is_blank(bytes);
    match *change {
        Change::Put(memory) if memory.id == id => put(bytes, &memory.body),
        Change::Remove(gone) if *gone == id && !empty => vec![Edit { at: 0..bytes.len(), with: Vec::new() }],
        Change::Restore(back, raw) if *back == id && empty => {
            vec![Edit { at: 0..bytes.len(), with: raw.to_vec() }]
        }
        _ => Vec::new(),
    }
}

fn id_of(home: &Home) -> Option<MemoryId> {
    let Home::Page(page) = home else { return None };
    MemoryId::parse(page.word()).ok()
}

fn body_of(bytes: &[u8]) -> Body {
    Body::new(&lossy(&bytes[bom(bytes)..]).0)
}

fn memory_of(home: &Home, id: MemoryId, bytes: &[u8]) -> Memory {
    let body = body_of(bytes);
    let mut titles = body.as_str().lines().filter_map(|line| line.strip_prefix("# ")).map(str::trim);
    let title = titles.find(|title| !title.is_empty()).map(str::to_owned);
    Memory { title, ..untold(home, id, body, SourceClass::HumanEdit, Time::default()) }
}

fn put(bytes: &[u8], body: &Body) -> Vec<Edit> {
    if *body == body_of(bytes) {
        return Vec::new();
    }
    let start = bom(bytes);
    if body.is_empty() {
        return vec![Edit { at: 0..bytes.len(), with: Vec::new() }];
    }
    let end = line_end(bytes);
    let mut with = with_line_end(body.as_str(), end);
    with.extend_from_slice(end.as_bytes());
    // A text that begins with the mark's character would lose it to the mark, so it gets one of its own.
    if start == 0 && bom(&with) > 0 {
        with.splice(0..0, "\u{feff}".bytes());
    }
    vec![Edit { at: start..bytes.len(), with }]
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::Page;
    use super::super::apply;
    use super::*;
    use crate::kind::Kind;
    use crate::layout::record::strategies;
    use crate::scope::Scope;

    const PROJECT: Home = Home::Page(Page::Project);
    const USER: Home = Home::Page(Page::User);

    fn the_one(home: &Home, bytes: &[u8]) -> Option<Memory> {
        read(home, bytes).found.pop().map(|found| found.memory)
    }

    #[test]
    fn pages_as_people_write_them() {
        let page = the_one(&PROJECT, include_bytes!("../../tests/layouts/page/_project.md")).unwrap();
        assert_eq!((page.id.as_str(), &page.kind, &page.scope), ("project", &Kind::Context, &Scope::Project));
        assert_eq!(page.title.as_deref(), Some("Copper billing"));
        assert!(page.body.as_str().contains("\n# Copper billing\n"), "{}", page.body.as_str());
        let page = the_one(&USER, include_bytes!("../../tests/layouts/page/USER.md")).unwrap();
        assert_eq!((page.id.as_str(), &page.kind, &page.scope), ("user", &Kind::Preference, &Scope::User));
        assert_eq!(page.title.as_deref(), Some("USER.md"));
        assert_eq!(
            (page.provenance.origin.as_str(), page.provenance.class),
            ("file", SourceClass::HumanEdit)
        );
        assert!(!page.body.as_str().contains(['\r', '\u{feff}']));
    }

    fn check_put(old: &str, body: &str, expect: &str) {
        let id = MemoryId::parse("user").unwrap();
        let page = untold(&USER, id, Body::new(body), SourceClass::Human, Time(5));
        let after = apply(old.as_bytes(), &splice(&USER, old.as_bytes(), &Change::Put(&page)));
        assert_eq!(String::from_utf8_lossy(&after), expect, "{old:?}");
    }

    #[test]
    fn a_changed_text_keeps_mark_and_line_ends() {
        check_put("", "a", "a\n");
        check_put("\n \na", "a", "\n \na");
        check_put("a\n\n\n", "b\nc", "b\nc\n");
        check_put("\u{feff}a\r\n", "b\nc", "\u{feff}b\r\nc\r\n");
        check_put("a", "\u{feff}b", "\u{feff}\u{feff}b\n");
        check_put("a\n", " ", "");
    }

    #[test]
    fn a_page_is_one_memory_only() {
        let other = MemoryId::parse("other").unwrap();
        let page = untold(&USER, other.clone(), Body::new("x"), SourceClass::Human, Time(0));
        assert_eq!(splice(&USER, b"a", &Change::Put(&page)), []);
        assert_eq!(splice(&USER, b"a", &Change::Remove(&other)), []);
        let user = MemoryId::parse("user").unwrap();
        assert_eq!(splice(&USER, b" ", &Change::Remove(&user)), []);
        assert_eq!(splice(&USER, b"a", &Change::Restore(&user, b"b")), []);
        assert_eq!(apply(b" ", &splice(&USER, b" ", &Change::Restore(&user, b"b\r\n"))), b"b\r\n");
    }

    proptest! {
        #[test]
        fn any_bytes_read(bytes in strategies::bytes()) {
            for home in [PROJECT, USER] {
                prop_assert_eq!(the_one(&home, &bytes).is_some(), !is_blank(&bytes));
            }
        }

        #[test]
        fn any_text_comes_back(bytes in strategies::bytes(), text in strategies::text()) {
            let id = MemoryId::parse("project").unwrap();
            let page = untold(&PROJECT, id.clone(), Body::new(&text), SourceClass::Human, Time(9));
            let after = apply(&bytes, &splice(&PROJECT, &bytes, &Change::Put(&page)));
            let got = the_one(&PROJECT, &after).map(|page| page.body).unwrap_or_default();
            prop_assert_eq!(&got, &page.body);
            prop_assert_eq!(splice(&PROJECT, &after, &Change::Put(&page)), vec![]);
            let gone = apply(&after, &splice(&PROJECT, &after, &Change::Remove(&id)));
            prop_assert!(gone.is_empty() || is_blank(&gone));
        }
    }
}
