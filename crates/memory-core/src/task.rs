//! Tasks in a text: a list mark, a box and words on one line. One grammar for all who read and write them.

use std::borrow::Cow;

/// A line with a box.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Task<'a> {
    /// What is to be done.
    pub words: &'a str,
    /// Whether it is done.
    pub ticked: bool,
}

/// The task of a line: `- [ ] words`, with `*`, `+` or a number as its list mark, and `x` or `X` in its box.
pub fn parse(line: &str) -> Option<Task<'_>> {
    let line = line.trim();
    let rest = match line.strip_prefix(['-', '*', '+']) {
        Some(rest) => rest,
        None => line.trim_start_matches(|c: char| c.is_ascii_digit()).strip_prefix(['.', ')'])?,
    };
    let rest = rest.strip_prefix([' ', '\t'])?.trim_start();
    let (ticked, rest) = match rest.strip_prefix(OPEN) {
        Some(rest) => (false, rest),
        None => (true, rest.strip_prefix(TICKED).or_else(|| rest.strip_prefix("[X]"))?),
    };
    // `[x](a.md)` is a link.
    let words = rest.strip_prefix([' ', '\t'])?.trim();
    (!words.is_empty()).then_some(Task { words, ticked })
}

const OPEN: &str = "[ ]";
const TICKED: &str = "[x]";

/// A text that is to be done: with a box on its first line, and on each line of a list, unless one of its lines has one.
pub fn boxed(text: &str) -> Cow<'_, str> {
    if text.trim().is_empty() || text.lines().any(|line| parse(line).is_some()) {
        return text.into();
    }
    let text = text.trim();
    if text.lines().all(|line| line.trim().is_empty() || item(line).is_some()) {
        let with_box = |line: &str| match item(line) {
            Some(words) => format!("{}{OPEN} {words}", &line[..line.len() - words.len()]),
            None => line.to_owned(),
        };
        return text.lines().map(with_box).collect::<Vec<_>>().join("\n").into();
    }
    let has_box = [OPEN, TICKED, "[X]"].iter().any(|mark| {
        text.strip_prefix(mark).is_some_and(|rest| rest.starts_with([' ', '\t']) && !rest.trim().is_empty())
    });
    if has_box || text == OPEN { format!("- {text}").into() } else { render_open(text).into() }
}

/// The words of a line with a list mark.
fn item(line: &str) -> Option<&str> {
    let start = line.trim_start();
    let rest = match start.strip_prefix(['-', '*', '+']) {
        Some(rest) => rest,
        None => start.trim_start_matches(|c: char| c.is_ascii_digit()).strip_prefix(['.', ')'])?,
    };
    let words = rest.strip_prefix([' ', '\t'])?.trim_start();
    (!words.is_empty()).then_some(words)
}

/// Whether a text has tasks, and all of them are done.
pub fn is_done(text: &str) -> bool {
    let mut tasks = text.lines().filter_map(parse).peekable();
    tasks.peek().is_some() && tasks.all(|task| task.ticked)
}

/// The words of a text that is one open task and nothing else.
pub fn only_open(text: &str) -> Option<&str> {
    let text = text.trim();
    parse(text).filter(|task| !task.ticked && !text.contains('\n')).map(|task| task.words)
}

/// A line that says that this is to be done.
pub fn render_open(words: &str) -> String {
    format!("- {OPEN} {words}")
}

/// A line whose box is open with the box ticked, all else as it is.
pub fn tick(line: &str) -> Option<String> {
    parse(line).filter(|task| !task.ticked).map(|_| line.replacen(OPEN, TICKED, 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boxes() {
        let check = |line: &str, expect: Option<(&str, bool)>| {
            assert_eq!(parse(line).map(|task| (task.words, task.ticked)), expect, "{line}");
            let ticked = tick(line);
            assert_eq!(ticked.is_some(), expect.is_some_and(|(_, ticked)| !ticked), "{line}");
            if let Some(ticked) = ticked {
                assert_eq!(parse(&ticked), parse(line).map(|task| Task { ticked: true, ..task }), "{line}");
            }
        };
        check("- [ ] write docs", Some(("write docs", false)));
        check("  * [x]  write docs ", Some(("write docs", true)));
        check("+\t[X] write docs", Some(("write docs", true)));
        check("12. [ ] a", Some(("a", false)));
        check("2) [ ] keep [ ] open", Some(("keep [ ] open", false)));
        for line in
            ["- [ ]", "[ ] a", "-[ ] a", "- [y] a", "- [x](a.md)", "- [x]a", "text [ ] a", "", "1 [ ] a"]
        {
            check(line, None);
        }
        assert_eq!(parse(&render_open("a")), Some(Task { words: "a", ticked: false }));
    }

    #[test]
    fn what_is_to_be_done_gets_a_box() {
        for (text, expect) in [
            ("write docs", "- [ ] write docs"),
            ("[ ] write docs", "- [ ] write docs"),
            ("[x] write docs", "- [x] write docs"),
            ("TODO: write docs\nand test them", "- [ ] TODO: write docs\nand test them"),
            ("[x](a.md) is to be moved", "- [ ] [x](a.md) is to be moved"),
            ("Release:\n- [ ] tag it", "Release:\n- [ ] tag it"),
            ("* [x] write docs", "* [x] write docs"),
            ("- write docs", "- [ ] write docs"),
            ("* a\n* b", "* [ ] a\n* [ ] b"),
            ("1. a\n\n2. b", "1. [ ] a\n\n2. [ ] b"),
            ("Release:\n- tag it", "- [ ] Release:\n- tag it"),
            ("", ""),
        ] {
            assert_eq!(boxed(text), expect);
            assert_eq!(boxed(&boxed(text)), expect);
        }
    }

    #[test]
    fn done_is_what_has_no_open_box() {
        for (text, expect) in
            [("- [x] a", true), ("- [x] a\n- [ ] b", false), ("- [ ] a", false), ("a", false)]
        {
            assert_eq!(is_done(text), expect, "{text}");
        }
    }

    #[test]
    fn a_text_that_is_one_task() {
        assert_eq!(only_open(" * [ ] a\n"), Some("a"));
        assert_eq!(only_open("- [x] a"), None);
        assert_eq!(only_open("- [ ] a\n- [ ] b"), None);
        assert_eq!(only_open("a"), None);
    }
}
