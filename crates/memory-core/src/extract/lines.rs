//! A message as the lines that somebody said: without code, quotes, logs, tables, diffs and injected text, with
//! wrapped lines joined, each with the heading or leading line that it stands under.

use std::borrow::Cow;

use super::cue::{self, Class, Hits};
use super::wording::{folded, without_marker};

/// Of a longer message so many bytes at its beginning and its end are looked at.
const LOOKED_AT: usize = 128 * 1024;

/// A line that was said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Line {
    /// Its text, without the mark of a list.
    pub(super) text: String,
    /// What it is in the layout of the message.
    pub(super) shape: Shape,
    /// What the lines of this part of the message are.
    pub(super) part: Part,
}

/// What a line is in the layout of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    Plain,
    Item,
    /// `- [ ]`
    Open,
    /// `- [x]`
    Done,
}

/// What a heading or a leading line says that the lines under it are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    Free,
    Decisions,
    Lessons,
    Tasks,
    /// What could be done next.
    Plans,
    /// Choices that nobody has made.
    Options,
}

/// Tags around text that a program put into the conversation.
const PUT_IN: &[&str] = &[
    super::INJECTED,
    "system-reminder",
    "local-command-stdout",
    "command-message",
    "command-name",
    "environment_context",
    "user_instructions",
    "tool_result",
    "function_results",
];

/// The text without what programs put into it. An open tag without its end hides all that follows.
pub(super) fn without_injected(text: &str) -> Cow<'_, str> {
    if !text.contains('<') {
        return Cow::Borrowed(text);
    }
    let mut out = String::new();
    let mut kept = 0;
    // The tag that is open and how often: a tag inside one of its own kind does not end it.
    let mut open: Option<(&str, usize)> = None;
    for (at, _) in text.match_indices('<') {
        let rest = &text[at + 1..];
        match &mut open {
            None => {
                if let Some(tag) = PUT_IN.iter().find(|tag| begins(rest, tag)) {
                    out.push_str(&text[kept..at]);
                    out.push('\n');
                    (open, kept) = (Some((*tag, 1)), text.len());
                }
            }
            Some((tag, depth)) => {
                let closes = rest.strip_prefix('/').is_some_and(|rest| begins(rest, tag));
                *depth = if closes { *depth - 1 } else { *depth + usize::from(begins(rest, tag)) };
                if *depth == 0 {
                    kept = rest.find('>').map_or(text.len(), |end| at + 1 + end + 1);
                    open = None;
                }
            }
        }
    }
    if out.is_empty() && kept == 0 {
        return Cow::Borrowed(text);
    }
    out.push_str(&text[kept..]);
    Cow::Owned(out)
}

/// Whether a text begins with a tag's name, without regard to case.
fn begins(text: &str, tag: &str) -> bool {
    let name = text.as_bytes().get(..tag.len());
    let ends =
        text.as_bytes().get(tag.len()).is_none_or(|b| !b.is_ascii_alphanumeric() && *b != b'-' && *b != b'_');
    ends && name.is_some_and(|name| name.eq_ignore_ascii_case(tag.as_bytes()))
}

/// The parts of a text that are looked at.
pub(super) fn looked_at(text: &str) -> [&str; 2] {
    if text.len() <= 2 * LOOKED_AT {
        return [text, ""];
    }
    let head = &text[..text.floor_char_boundary(LOOKED_AT)];
    let tail = &text[text.ceil_char_boundary(text.len() - LOOKED_AT)..];
    [
        head.rsplit_once('\n').map_or(head, |(whole, _)| whole),
        tail.split_once('\n').map_or(tail, |(_, whole)| whole),
    ]
}

/// The lines of a text.
pub(super) fn lines(text: &str) -> Vec<Line> {
    let mut reader = Reader::default();
    for raw in text.lines() {
        reader.read(raw);
    }
    reader.lines
}

#[derive(Default)]
struct Reader {
    lines: Vec<Line>,
    /// The mark of the code block that is open.
    fence: Option<String>,
    /// A log, trace or diff goes on until a blank line.
    in_log: bool,
    heading: Option<Part>,
    lead: Option<Part>,
    /// The last line with words is a heading.
    headed: bool,
    /// The line just above is the leading one.
    led: bool,
    /// The last line may go on.
    joins: bool,
    blank_before: bool,
}

impl Reader {
    fn read(&mut self, raw: &str) {
        let line = raw.trim_end();
        let bare = line.trim_start();
        let blank_before = std::mem::replace(&mut self.blank_before, bare.is_empty());
        if let Some(mark) = &self.fence {
            if bare.starts_with(mark.as_str()) && bare.trim_start_matches(['`', '~']).trim().is_empty() {
                self.fence = None;
            }
            self.joins = false;
            return;
        }
        if bare.starts_with("```") || bare.starts_with("~~~") {
            let width = bare.bytes().take_while(|b| *b == bare.as_bytes()[0]).count();
            self.fence = Some(bare[..width].to_owned());
            self.joins = false;
            return;
        }
        if bare.is_empty() {
            (self.in_log, self.joins) = (false, false);
            return;
        }
        let (shape, text) = shaped(bare);
        if self.in_log || is_foreign(bare) || is_code(text) {
            self.in_log |= opens_log(bare);
            self.joins = false;
            return;
        }
        let indent = line.len() - bare.len();
        if shape == Shape::Plain && indent > 0 && !blank_before && self.continues(indent, bare) {
            return;
        }
        if shape == Shape::Plain && (indent >= 4 || line.starts_with('\t')) {
            self.joins = false;
            return;
        }
        if shape == Shape::Plain && self.joins && self.goes_on(bare) {
            return;
        }
        if let Some(title) = title_of(bare) {
            let part = part_of(title);
            if bare.starts_with('#') || bare.starts_with("**") {
                (self.heading, self.lead, self.headed) = (Some(part), None, true);
            } else {
                (self.lead, self.led) = (Some(part), true);
            }
            self.joins = false;
            return;
        }
        let headed = std::mem::take(&mut self.headed);
        let led = std::mem::take(&mut self.led) && !blank_before;
        let part = match (self.lead, self.heading) {
            (Some(lead), _) if led || shape != Shape::Plain => lead,
            // Prose under a heading of tasks talks about them; the tasks are the items.
            (_, Some(Part::Tasks | Part::Plans)) if shape == Shape::Plain => Part::Free,
            (_, Some(Part::Decisions)) if shape == Shape::Plain && !headed => Part::Free,
            (_, Some(heading)) => heading,
            _ => Part::Free,
        };
        if shape == Shape::Plain {
            // A line that ends with a colon leads into the list below it.
            self.lead = text.ends_with(':').then(|| part_of(text.trim_end_matches(':')));
        }
        self.lines.push(Line { text: text.to_owned(), shape, part });
        self.joins = true;
    }

    /// An indented line that goes on with the item above it.
    fn continues(&mut self, indent: usize, bare: &str) -> bool {
        let Some(last) = self.lines.last_mut().filter(|last| self.joins && last.shape != Shape::Plain) else {
            return false;
        };
        if indent < 2 || last.text.len() > 2000 {
            return false;
        }
        last.text.push(' ');
        last.text.push_str(bare);
        true
    }

    /// A wrapped line that goes on with the one above it.
    fn goes_on(&mut self, bare: &str) -> bool {
        let Some(last) = self.lines.last_mut() else { return false };
        let wrapped = last.text.len() >= 50
            && last.text.len() < 2000
            && !last.text.ends_with(['.', '!', '?', ':', ';', '…'])
            && bare.starts_with(|c: char| c.is_lowercase() || matches!(c, '`' | '('));
        if wrapped {
            last.text.push(' ');
            last.text.push_str(bare);
        }
        wrapped
    }
}

/// Signs that tick what stands behind them.
pub(super) const TICKS: &[&str] = &["✅", "✔️", "✔", "☑️", "☑", "✓"];

fn shaped(bare: &str) -> (Shape, &str) {
    let text = without_marker(bare);
    if let Some(rest) = TICKS.iter().find_map(|tick| text.strip_prefix(tick)) {
        return (Shape::Done, rest.trim_start());
    }
    // What is struck out is not open any more.
    let struck = text.strip_prefix("~~").and_then(|rest| rest.trim_end().strip_suffix("~~"));
    if let Some(struck) = struck.filter(|struck| !struck.contains("~~")) {
        return (Shape::Done, struck.trim());
    }
    for (mark, shape) in [("[ ]", Shape::Open), ("[x]", Shape::Done), ("[X]", Shape::Done)] {
        if let Some(rest) = text.strip_prefix(mark).filter(|_| text.len() < bare.len()) {
            return (shape, rest.trim_start());
        }
    }
    (if text.len() < bare.len() { Shape::Item } else { Shape::Plain }, text)
}

/// The title in a line that is nothing but a title.
fn title_of(bare: &str) -> Option<&str> {
    let hashes = bare.bytes().take_while(|b| *b == b'#').count();
    if (1..=6).contains(&hashes) && bare[hashes..].starts_with(' ') {
        return Some(bare[hashes..].trim().trim_end_matches(':'));
    }
    let bold = bare.strip_prefix("**").and_then(|rest| rest.trim_end_matches(':').strip_suffix("**"));
    if let Some(title) = bold.filter(|title| !title.contains("**")) {
        return Some(title.trim_end_matches(':'));
    }
    let short = bare.strip_suffix(':')?;
    (short.split_whitespace().count() <= 5 && short == without_marker(bare).trim_end_matches(':'))
        .then_some(short)
}

/// What a title or leading line says of the lines under it.
fn part_of(title: &str) -> Part {
    let hits = Hits::of(&folded(title));
    if hits.has(Class::OptionsTitle) {
        Part::Options
    } else if hits.has(Class::TasksTitle) {
        Part::Tasks
    } else if hits.has(Class::PlansTitle) {
        Part::Plans
    } else if hits.has(Class::DecisionsTitle) || hits.has(Class::Decide) && !hits.any(cue::UNSURE) {
        Part::Decisions
    } else if hits.has(Class::LessonsTitle) || hits.has(Class::Lesson) {
        Part::Lessons
    } else {
        Part::Free
    }
}

/// Whether a line is no talk: a quote, a table, a comment, a log, a diff, code.
pub(super) fn is_foreign(bare: &str) -> bool {
    bare.starts_with(['>', '|'])
        || bare.starts_with("<!--")
        || bare.matches(" | ").count() >= 2
        || is_rule(bare)
        || opens_log(bare)
        || is_all_quoted(bare)
}

fn is_rule(bare: &str) -> bool {
    bare.len() >= 3 && bare.bytes().all(|b| matches!(b, b'-' | b'=' | b'*' | b'_' | b'+' | b'|' | b' '))
}

fn is_all_quoted(bare: &str) -> bool {
    let ends = |open: char, close: char| {
        bare.starts_with(open) && bare.trim_end_matches(['.', ',']).ends_with(close)
    };
    bare.len() > 2 && (ends('"', '"') || ends('“', '”') || ends('«', '»'))
}

/// Lines that only programs write.
pub(super) fn opens_log(bare: &str) -> bool {
    #[rustfmt::skip]
    const STARTS: &[&str] = &[
        "Traceback (", "File \"", "at ", "thread '", "Caused by:", "npm ERR!", "npm error", "FAIL ",
        "PASS ", "●", "error[", "error: ", "warning: ", "diff --git", "@@ ", "+++ ", "--- a/", "--- b/",
        "panic: ", "goroutine ", "Exception in", "--> ", "= note:", "= help:", "$ ", "% ", "E   ", "#0 ",
        "✓ ", "✗ ", "✕ ", "---- ", "Unhandled ", "Uncaught ", "fatal: ", "ERROR ", "WARN ", "INFO ",
        "DEBUG ", "[ERROR]", "[WARN", "[INFO", "[DEBUG", "ERROR:", "WARNING:", "ERRO:", "test result:",
        "running ", "Compiling ", "> Task",
    ];
    if STARTS.iter().any(|start| bare.starts_with(start)) {
        return !bare.starts_with("at ") || bare.contains(['(', ':', '/']);
    }
    let first = bare.split_whitespace().next().unwrap_or("");
    // `SyntaxError:`, `psycopg.errors.InvalidCursorName:`, `java.lang.IllegalStateException:`
    if let Some(name) = first.strip_suffix(':')
        && (name.ends_with("Error") || name.ends_with("Exception") || name.matches('.').count() >= 2)
        && name != "Error"
    {
        return true;
    }
    // `2026-02-11T09:12:44Z`, `[12:30:01]`, `09:12:44.123`
    let stamp = first.trim_start_matches('[');
    let digits = stamp.bytes().take_while(u8::is_ascii_digit).count();
    let sign = stamp.as_bytes().get(digits).copied();
    let separators = stamp.bytes().filter(|b| matches!(b, b':' | b'-' | b'/')).count();
    matches!((digits, sign), (4, Some(b'-' | b'/')) | (2, Some(b':'))) && separators >= 2
}

/// A line with more signs than a sentence has, or that ends as only code does.
pub(super) fn is_code(bare: &str) -> bool {
    const SIGNS: &[u8] = b"{}()[]=<>;|&$\\/@%^+~";
    if bare.ends_with(['{', '}', ';']) && !bare.contains(". ") && bare.contains(['(', '=', '{', '}']) {
        return true;
    }
    let signs = bare.bytes().filter(|b| SIGNS.contains(b)).count();
    let outside_code = bare.split('`').step_by(2).map(str::len).sum::<usize>();
    let inside: usize = bare
        .split('`')
        .skip(1)
        .step_by(2)
        .map(|code| code.bytes().filter(|b| SIGNS.contains(b)).count())
        .sum();
    let letters = bare.chars().filter(|c| c.is_alphabetic()).count();
    letters == 0 || (signs - inside) * 5 > outside_code.max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expect: &[&str]) {
        let found = lines(text);
        assert_eq!(found.iter().map(|line| line.text.as_str()).collect::<Vec<_>>(), expect, "{text}");
    }

    #[test]
    fn only_what_was_said() {
        check("one\n> two\n| a | b |\n```\nthree\n```\nfour", &["one", "four"]);
        check("```rust\nlet a;\n~~~\n```\nb", &["b"]);
        check("2026-02-11T09:12:44Z WARN we\nnote: more\n\nb", &["b"]);
        check("Traceback (most recent call last):\n  File \"a\"\nx\n\nb", &["b"]);
        check("    let x = 3\nb", &["b"]);
        check("\"all of it\"\nb", &["b"]);
        check("- one\n  goes on\n- two", &["one goes on", "two"]);
        check(
            "a line that is long enough to be wrapped by somebody\nwho wraps",
            &["a line that is long enough to be wrapped by somebody who wraps"],
        );
        check("SyntaxError: Invalid\nb", &[]);
        check("if (a) { return b; }\nb", &["b"]);
        check("diff --git a/x b/x\n+we decided\n\nb", &["b"]);
        check("``` never closed\nwe decided", &[]);
    }

    #[test]
    fn parts_of_a_message() {
        let found = lines("# Decisions\n- a b\n\n## Next steps\n- c d\n- [x] e\nLeft to do:\n- f");
        let parts: Vec<(Part, Shape)> = found.iter().map(|line| (line.part, line.shape)).collect();
        assert_eq!(
            parts,
            [
                (Part::Decisions, Shape::Item),
                (Part::Plans, Shape::Item),
                (Part::Plans, Shape::Done),
                (Part::Tasks, Shape::Item),
            ]
        );
    }

    #[test]
    fn nothing_that_was_put_in() {
        for (text, expect) in [
            ("a<agent-memory-context x=1>b</agent-memory-context>c", "a\nc"),
            ("a<Agent-Memory-Context>b", "a\n"),
            ("a <b> c", "a <b> c"),
            (
                "<agent-memory-context><agent-memory-context>a</agent-memory-context>b</agent-memory-context>c",
                "\nc",
            ),
            ("<agent-memory-contexts>a", "<agent-memory-contexts>a"),
            ("<system-reminder>x</system-reminder>y", "\ny"),
        ] {
            assert_eq!(without_injected(text), expect, "{text}");
        }
    }
}
