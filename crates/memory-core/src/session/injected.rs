//! Text that was put into a conversation by a program, taken out again before anything is learned from it.
//!
//! What we hand to an agent comes back in its transcript. If it were read as something that was said, every memory
//! would confirm itself. So all our text stands in one tag, and nothing inside that tag is ever read.

use std::borrow::Cow;

/// The tag around everything that we put into a conversation: `<agent-memory-context …>…</agent-memory-context>`.
pub const INJECTED_TAG: &str = "agent-memory-context";

/// A text without the blocks that we put into it. A block whose end is missing reaches to the end of the text, and
/// one whose beginning is missing reaches back to its start: clients cut long texts.
pub fn strip_injected(text: &str) -> Cow<'_, str> {
    strip(text, INJECTED_TAG, Torn::Takes)
}

/// A text without the blocks of another program's tag. A block without an end is left alone unless the text begins
/// with it, since people write tags too.
pub fn strip_block<'a>(text: &'a str, tag: &str) -> Cow<'a, str> {
    strip(text, tag, Torn::Stays)
}

/// What stands inside the first block of a tag; `None` when there is no whole block.
pub fn inside_block<'a>(text: &'a str, tag: &str) -> Option<&'a str> {
    let open = Marks::new(text, tag).find(|mark| mark.sort == Sort::Open)?;
    let close = Marks::new(text, tag).find(|mark| mark.sort == Sort::Close && mark.start >= open.end)?;
    text.get(open.end..close.start)
}

/// What happens to a block of which one end is missing.
#[derive(Clone, Copy, PartialEq)]
enum Torn {
    Takes,
    Stays,
}

fn strip<'a>(text: &'a str, tag: &str, torn: Torn) -> Cow<'a, str> {
    let mut kept = String::new();
    let mut from = 0;
    let mut depth = 0_usize;
    let mut opened = 0;
    let mut found = false;
    for mark in Marks::new(text, tag) {
        match mark.sort {
            Sort::Open => {
                if depth == 0 {
                    opened = mark.start;
                }
                depth += 1;
            }
            Sort::Close if depth == 0 => {
                if torn == Torn::Takes {
                    (found, from) = (true, mark.end);
                    kept.clear();
                }
            }
            Sort::Close => {
                depth -= 1;
                if depth == 0 {
                    found = true;
                    kept.push_str(text.get(from..opened).unwrap_or_default());
                    from = mark.end;
                }
            }
            Sort::Alone if depth == 0 => {
                found = true;
                kept.push_str(text.get(from..mark.start).unwrap_or_default());
                from = mark.end;
            }
            Sort::Alone => {}
        }
    }
    let unclosed = depth > 0 && (torn == Torn::Takes || text.get(from..opened).is_some_and(is_blank));
    if unclosed {
        kept.push_str(text.get(from..opened).unwrap_or_default());
        return Cow::Owned(kept);
    }
    if !found {
        return Cow::Borrowed(text);
    }
    kept.push_str(text.get(from..).unwrap_or_default());
    Cow::Owned(kept)
}

fn is_blank(text: &str) -> bool {
    text.trim().is_empty()
}

#[derive(Clone, Copy, PartialEq)]
enum Sort {
    Open,
    Close,
    Alone,
}

struct Mark {
    start: usize,
    end: usize,
    sort: Sort,
}

/// The marks of one tag in a text, in order; a longer tag that only begins like it is another tag.
struct Marks<'a> {
    text: &'a str,
    tag: &'a str,
    at: usize,
}

impl<'a> Marks<'a> {
    fn new(text: &'a str, tag: &'a str) -> Self {
        Self { text, tag, at: 0 }
    }
}

impl Iterator for Marks<'_> {
    type Item = Mark;

    fn next(&mut self) -> Option<Mark> {
        loop {
            let start = self.at + self.text.get(self.at..)?.find('<')?;
            self.at = start + 1;
            let rest = self.text.get(self.at..)?;
            let (rest, closes) = rest.strip_prefix('/').map_or((rest, false), |rest| (rest, true));
            let Some(rest) = rest.strip_prefix(self.tag) else { continue };
            if !rest.starts_with(|c: char| c == '>' || c == '/' || c.is_whitespace()) && !rest.is_empty() {
                continue;
            }
            // A mark that is cut off in its middle reaches to the end.
            let length = rest.find('>').map_or(rest.len(), |end| end + 1);
            let end = self.text.len() - rest.len() + length;
            let alone = rest.get(..length).is_some_and(|mark| mark.ends_with("/>"));
            let sort = match (closes, alone) {
                (true, _) => Sort::Close,
                (false, true) => Sort::Alone,
                (false, false) => Sort::Open,
            };
            self.at = end;
            return Some(Mark { start, end, sort });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn our_own_text_never_comes_back() {
        let check = |text: &str, expect: &str| {
            let text = text.replace("{", "<agent-memory-context").replace("}", "</agent-memory-context>");
            assert_eq!(strip_injected(&text), expect, "{text}");
        };
        check("nothing", "nothing");
        check("a { id=\"1\">x} b", "a  b");
        check("{>x}", "");
        check("{>x}{>y} b {\n v='2'>z}", " b ");
        check("a {>x {>y} z} b", "a  b");
        check("a {>no end", "a ");
        check("a {", "a ");
        check("a { id=\"cut", "a ");
        check("no beginning} b", " b");
        check("a {>x} no beginning} b", " b");
        check("a {/> b", "a  b");
        check("a {s>x", "a <agent-memory-contexts>x");
        check("é{>ü}ö", "éö");
        check("a < b <", "a < b <");
    }

    #[test]
    fn tags_of_other_programs_stay_when_people_only_mention_them() {
        let check = |text: &str, expect: &str| assert_eq!(strip_block(text, "note"), expect, "{text}");
        check("a <note>x</note> b", "a  b");
        check("what is <note> for?", "what is <note> for?");
        check(" <note>cut off", " ");
        check("what is </note> for?", "what is </note> for?");
        check("<notes>x</notes>", "<notes>x</notes>");
    }

    #[test]
    fn what_stands_inside_a_block() {
        let check =
            |text: &str, expect: Option<&str>| assert_eq!(inside_block(text, "query"), expect, "{text}");
        check("a <query mode=\"x\">b</query> c", Some("b"));
        check("<query>b", None);
        check("</query>b", None);
        check("none", None);
    }
}
