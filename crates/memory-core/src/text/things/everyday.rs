//! Things of daily life by what they are, as people tell of them to each other and to an assistant: `everyday.txt` beside
//! this file, all in small letters and without accents. A line of names of a sort, then the things of that sort, indented.
//! They are many, so they are one text that is only looked at when a question asks for a sort of thing.

use std::sync::LazyLock;

const TEXT: &str = include_str!("everyday.txt");

/// A sort of thing.
pub(super) struct Sort {
    /// What a question calls it.
    pub(super) names: Vec<&'static str>,
    things: &'static str,
}

impl Sort {
    /// What a memory tells of it.
    pub(super) fn things(&self) -> impl Iterator<Item = &'static str> {
        self.things.split([',', '\n']).map(str::trim).filter(|thing| !thing.is_empty())
    }
}

/// All of them.
pub(super) fn sorts() -> &'static [Sort] {
    static SORTS: LazyLock<Vec<Sort>> = LazyLock::new(|| read(TEXT));
    &SORTS
}

fn read(text: &'static str) -> Vec<Sort> {
    let mut sorts: Vec<Sort> = Vec::new();
    let mut begin = 0;
    let mut end = 0;
    for line in text.split_inclusive('\n') {
        end += line.len();
        if line.starts_with(' ') {
            if let Some(sort) = sorts.last_mut() {
                sort.things = text.get(begin..end).unwrap_or_default();
            }
        } else {
            begin = end;
            sorts.push(Sort { names: line.trim_end().split(", ").collect(), things: "" });
        }
    }
    sorts
}
