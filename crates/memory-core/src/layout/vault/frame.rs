//! Where entries begin and end, by lines alone and in one pass over the bytes.
//!
//! An entry begins at an id line that is followed by a dated heading; at an id line or a dated heading after
//! a `---` line; or at either of them while no entry has begun yet. It ends at the last `---` before the next
//! entry or the end of the file. If text follows that one, the entry ends at the last `---` that stands between
//! blank lines, and the text after it is *loose*: hand-written, not of the entry. An entry with id line and dated heading was
//! closed when it was written, so text right behind a `---` of its is loose too, even on the same line, as
//! programs leave it that add to the end of a file. Without any of these it is not closed.
//! The lines that a merge of git puts around two versions are no text. Its metadata is the line under the heading, be there blank lines between them.
//! [`escape`] keeps a text that contains such lines one entry, and [`unescape`] takes that back.

use std::ops::Range;

use super::super::lines::{Line, lines};
use super::meta::is_meant;

/// A stretch of the file: an entry with its frame, or loose text.
#[derive(Debug, Clone, Default)]
pub(super) struct Block {
    /// All of it, without the line end of its last line.
    pub(super) at: Range<usize>,
    pub(super) first_line: usize,
    pub(super) last_line: usize,
    /// What the id line says.
    pub(super) id: Option<Range<usize>>,
    /// The heading line without its line end.
    pub(super) header: Option<Range<usize>>,
    /// The metadata line without its line end.
    pub(super) meta: Option<Range<usize>>,
    /// The text, from its first to its last line that is not blank; empty at its place when there is none.
    pub(super) body: Range<usize>,
    /// Whether it begins here whatever stands before it.
    pub(super) sure: bool,
    /// Whether it has a frame at all.
    pub(super) framed: bool,
    /// Whether a `---` ends it.
    pub(super) closed: bool,
}

/// All blocks in order. Blank stretches belong to none.
pub(super) fn blocks(bytes: &[u8]) -> Vec<Block> {
    let mut scan = Scan { bytes, ..Scan::default() };
    let mut upcoming = lines(bytes).peekable();
    let mut number = 0;
    while let Some(line) = upcoming.next() {
        number += 1;
        let next_is_dated = upcoming.peek().is_some_and(|next| sort(next.text) == Sort::Dated);
        scan.line(number, &line, next_is_dated);
    }
    scan.close();
    scan.done
}

/// What a line is to the frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Sort {
    #[default]
    Blank,
    Dash,
    Id,
    Dated,
    Heading,
    Meta,
    /// What a merge of git leaves around two versions.
    Conflict,
    /// What it leaves between them, where there are such.
    Between,
    Text,
}

fn sort(text: &[u8]) -> Sort {
    match text.first() {
        Some(b'-') if is_dash(text) => Sort::Dash,
        Some(b'<') if id_of(text).is_some() => Sort::Id,
        Some(b'<') if is_meant(text) => Sort::Meta,
        Some(b'<' | b'|' | b'>') if is_conflict(text) => Sort::Conflict,
        Some(b'=') if text.trim_ascii_end() == b"=======" => Sort::Between,
        Some(b'#') if is_dated(text) => Sort::Dated,
        Some(b'#') if text.starts_with(b"## ") => Sort::Heading,
        _ if text.iter().all(u8::is_ascii_whitespace) => Sort::Blank,
        _ => Sort::Text,
    }
}

/// A `---` that was the end of a file, with what a program put behind it: `---text`.
fn is_glued(text: &[u8]) -> bool {
    text.starts_with(b"---") && text.get(3).is_some_and(|b| !matches!(b, b'-' | b' ' | b'\t'))
}

fn is_conflict(text: &[u8]) -> bool {
    [&b"<<<<<<< "[..], b"||||||| ", b">>>>>>> "].iter().any(|mark| text.starts_with(mark))
}

/// The lines that a merge leaves around two versions.
pub(super) fn conflict_lines(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    lines(bytes).map(|line| line.text).filter(|text| is_conflict(text))
}

/// Where the last line begins that closes a merge.
fn last_merge_ends(bytes: &[u8]) -> usize {
    let closing = lines(bytes).filter(|line| line.text.starts_with(b">>>>>>> "));
    closing.last().map_or(0, |line| line.at.start)
}

fn is_dash(text: &[u8]) -> bool {
    text.starts_with(b"---") && text[3..].iter().all(|b| matches!(b, b' ' | b'\t'))
}

/// The range of the id within an id line.
fn id_of(text: &[u8]) -> Option<Range<usize>> {
    let inner = text.trim_ascii_end().strip_prefix(b"<!-- id:")?.strip_suffix(b" -->")?;
    let sound =
        !inner.is_empty() && !inner.iter().any(|b| b.is_ascii_whitespace() || matches!(b, b'<' | b'>'));
    sound.then(|| 8..8 + inner.len())
}

/// `## 2026-03-16T16:51…`
fn is_dated(text: &[u8]) -> bool {
    const SHAPE: &[u8] = b"## dddd-dd-ddTdd:dd";
    text.len() >= SHAPE.len()
        && text
            .iter()
            .zip(SHAPE)
            .all(|(byte, want)| if *want == b'd' { byte.is_ascii_digit() } else { byte == want })
}

#[derive(Default)]
struct Scan<'a> {
    bytes: &'a [u8],
    done: Vec<Block>,
    open: Open,
    any_framed: bool,
    /// The last line that was not blank.
    before: Sort,
    /// The line just before, blank or not.
    adjacent: Sort,
    /// Whether the two versions of a merge are not yet told.
    in_conflict: bool,
    /// Where the last merge ends, once one has begun.
    last_merge_ends: Option<usize>,
}

/// The block being read and the marks that decide where it ends.
#[derive(Default)]
struct Open {
    block: Block,
    started: bool,
    /// The last `---` with the state of the body before it.
    dash: Option<Dash>,
    /// The last `---` that stands between blank lines.
    lone: Option<Dash>,
    /// A `---` after a blank line, not yet known to be followed by one.
    maybe: Option<Dash>,
    /// The last `---` after a blank line, be there text right behind it.
    half: Option<Dash>,
    text_after_dash: Option<usize>,
    text_after_lone: Option<(usize, usize)>,
    text_after_half: Option<(usize, usize)>,
    in_head: bool,
}

#[derive(Clone)]
struct Dash {
    end: usize,
    line: usize,
    body: Range<usize>,
}

impl Scan<'_> {
    fn line(&mut self, number: usize, line: &Line<'_>, next_is_dated: bool) {
        let mut sort = sort(line.text);
        if sort == Sort::Conflict {
            // A mark that no other closes is left of a merge that somebody settled, or is what a text tells of.
            let bytes = self.bytes;
            let ends = *self.last_merge_ends.get_or_insert_with(|| last_merge_ends(bytes));
            self.in_conflict = line.text[0] != b'>' && line.at.start < ends;
        } else if sort == Sort::Between {
            sort = if self.in_conflict { Sort::Conflict } else { Sort::Text };
        }
        let text_end = line.at.start + line.text.len();
        let framed = self.open.block.framed;
        let fresh = !self.any_framed;
        let begins = match sort {
            Sort::Id => next_is_dated || fresh || self.before == Sort::Dash,
            Sort::Dated => {
                let own = framed && self.open.in_head && self.open.block.header.is_none();
                !own && (fresh || self.before == Sort::Dash)
            }
            _ => false,
        };
        if begins {
            self.close();
            self.any_framed = true;
            self.open.started = true;
            let block = &mut self.open.block;
            block.framed = true;
            block.sure = sort == Sort::Id && next_is_dated;
            block.at = line.at.start..text_end;
            block.first_line = number;
            block.last_line = number;
            block.body = line.at.end..line.at.end;
            if sort == Sort::Id {
                block.id = id_of(line.text).map(|id| line.at.start + id.start..line.at.start + id.end);
            } else {
                block.header = Some(line.at.start..text_end);
            }
            self.open.in_head = true;
        } else {
            self.inside(number, line, sort, text_end);
        }
        // Between the marks of a merge stand whole entries of both sides.
        let sort = if sort == Sort::Conflict { Sort::Blank } else { sort };
        if sort != Sort::Blank {
            self.before = sort;
        }
        self.adjacent = sort;
    }

    fn inside(&mut self, number: usize, line: &Line<'_>, sort: Sort, text_end: usize) {
        let adjacent = self.adjacent;
        let open = &mut self.open;
        if matches!(sort, Sort::Blank | Sort::Conflict) {
            if let Some(dash) = open.maybe.take() {
                open.lone = Some(dash);
                open.text_after_lone = None;
            }
            return;
        }
        open.maybe = None;
        if !open.started {
            open.started = true;
            open.block.at = line.at.start..text_end;
            open.block.first_line = number;
            open.block.body = line.at.start..line.at.start;
        }
        if open.in_head && open.block.framed {
            match sort {
                Sort::Dated | Sort::Heading if open.block.header.is_none() => {
                    open.block.header = Some(line.at.start..text_end);
                    open.block.body = line.at.end..line.at.end;
                    open.block.at.end = text_end;
                    open.block.last_line = number;
                    return;
                }
                Sort::Meta if open.block.meta.is_none() => {
                    open.block.meta = Some(line.at.start..text_end);
                    open.block.body = line.at.end..line.at.end;
                    open.block.at.end = text_end;
                    open.block.last_line = number;
                    return;
                }
                _ => open.in_head = false,
            }
        }
        if sort == Sort::Dash && open.block.framed {
            let dash = Dash { end: text_end, line: number, body: open.block.body.clone() };
            if adjacent == Sort::Blank {
                open.maybe = Some(dash.clone());
                open.half = Some(dash.clone());
                open.text_after_half = None;
            }
            open.dash = Some(dash);
            open.text_after_dash = None;
        } else {
            open.text_after_dash.get_or_insert(line.at.start);
            open.text_after_lone.get_or_insert((line.at.start, number));
            if adjacent == Sort::Blank && is_glued(line.text) {
                let end = line.at.start + 3;
                open.half = Some(Dash { end, line: number, body: open.block.body.clone() });
                open.text_after_half = Some((end, number));
            }
            open.text_after_half.get_or_insert((line.at.start, number));
        }
        if open.block.body.is_empty() {
            open.block.body.start = line.at.start;
        }
        open.block.body.end = text_end;
        open.block.at.end = text_end;
        open.block.last_line = number;
    }

    /// Ends the open block: at its last `---` if nothing follows it, else at the last one that stands alone.
    fn close(&mut self) {
        let open = std::mem::take(&mut self.open);
        if !open.started {
            return;
        }
        let mut block = open.block;
        if !block.framed {
            self.loose(block.at, block.first_line);
            return;
        }
        let (end, after) = match (open.text_after_dash, open.lone) {
            (None, _) => (open.dash, None),
            (Some(_), Some(lone)) => (Some(lone), open.text_after_lone),
            // An entry of ours was closed, so the text was put behind it.
            (Some(_), None) if block.sure => (open.half, open.text_after_half),
            (Some(_), None) => (None, None),
        };
        let Some(dash) = end else {
            self.done.push(block);
            return;
        };
        let whole_end = block.at.end;
        block.closed = true;
        block.body = dash.body;
        block.at.end = dash.end;
        block.last_line = dash.line;
        self.done.push(block);
        if let Some((start, line)) = after {
            self.loose(start..whole_end, line);
        }
    }

    /// Cuts loose text at its headings, so that each section is a memory of its own. A heading of the first level belongs
    /// to the text right below it, and to the file where there is none.
    fn loose(&mut self, at: Range<usize>, first_line: usize) {
        let mut block: Option<Block> = None;
        let mut title: Option<(Range<usize>, usize)> = None;
        let text = &self.bytes[..at.end.min(self.bytes.len())];
        let mut number = first_line;
        let mut start = at.start;
        while start < text.len() {
            let end = text[start..].iter().position(|&b| b == b'\n').map_or(text.len(), |n| start + n + 1);
            let line = text[start..end].trim_ascii_end();
            let stop = start + line.len();
            if line.starts_with(b"# ") {
                self.done.extend(block.take());
                title = Some((start..stop, number));
            } else if line.starts_with(b"## ") {
                self.done.extend(block.take());
                title = None;
                block = Some(Block {
                    at: start..stop,
                    first_line: number,
                    last_line: number,
                    header: Some(start..stop),
                    body: end..end,
                    ..Block::default()
                });
            } else if !line.is_empty() && !is_conflict(line) {
                let open = block.get_or_insert_with(|| {
                    let (header, first_line) = title.take().unzip();
                    Block {
                        at: header.as_ref().map_or(start, |header| header.start)..stop,
                        first_line: first_line.unwrap_or(number),
                        header,
                        body: start..start,
                        ..Block::default()
                    }
                });
                if open.body.is_empty() {
                    open.body.start = start;
                }
                open.body.end = stop;
                open.at.end = stop;
                open.last_line = number;
            }
            start = end;
            number += 1;
        }
        self.done.extend(block);
    }
}

/// Whether a text without a frame reads back as one piece: no heading, nothing that begins an entry, and below an entry
/// no `---` that could be taken for its end.
pub(super) fn is_loose(text: &str, below_entry: bool) -> bool {
    let sorts: Vec<Sort> = text.lines().map(|line| sort(line.as_bytes())).collect();
    let cuts = |sort: &Sort| matches!(sort, Sort::Id | Sort::Dated | Sort::Heading | Sort::Conflict);
    let at = |n: Option<usize>| n.and_then(|n| sorts.get(n)).copied().unwrap_or_default();
    let ends = |n: usize| {
        let alone = at(n.checked_sub(1)) == Sort::Blank && at(Some(n + 1)) == Sort::Blank;
        sorts[n] == Sort::Dash && (alone || n + 1 == sorts.len())
    };
    let titled = text.lines().any(|line| line.trim_end().starts_with("# "));
    let ended = below_entry && (0..sorts.len()).any(ends);
    !(titled || ended || sorts.iter().any(cuts))
}

/// Whether a text has a line of its own that looks like the end of an entry.
pub(super) fn has_rule(text: &str) -> bool {
    text.lines().any(|line| sort(line.as_bytes()) == Sort::Dash)
}

/// Puts a backslash before lines of a text that would be read as a frame.
pub(super) fn escape(text: &str) -> String {
    rewrite(text, |line| format!("\\{line}"))
}

/// Takes the backslashes of [`escape`] away.
pub(super) fn unescape(text: &str) -> String {
    rewrite(text, |line| line.strip_prefix('\\').unwrap_or(line).to_owned())
}

/// Changes the lines that are a frame or an escaped one. Whether a line is one does not depend on how many
/// backslashes stand before it, so escaping and unescaping look at the same lines.
fn rewrite(text: &str, change: impl Fn(&str) -> String) -> String {
    if !["---", "<!--", "<<<<<<<", "|||||||", ">>>>>>>", "======="].iter().any(|mark| text.contains(mark)) {
        return text.to_owned();
    }
    let all: Vec<&str> = text.split('\n').collect();
    let sorts: Vec<Sort> = all.iter().map(|line| sort(line.trim_start_matches('\\').as_bytes())).collect();
    let is_blank = |sorts: &[Sort]| sorts.iter().all(|sort| *sort == Sort::Blank);
    let mut after = Sort::Blank;
    let mut out: Vec<String> = Vec::with_capacity(all.len());
    for (n, line) in all.iter().enumerate().rev() {
        let next = sorts.get(n + 1).copied().unwrap_or_default();
        let risky = match sorts[n] {
            Sort::Dash => matches!(after, Sort::Id | Sort::Dated),
            Sort::Id => next == Sort::Dated,
            Sort::Conflict => true,
            // Only in front of a text it can be taken for the entry's own.
            Sort::Meta => is_blank(&sorts[..n]),
            Sort::Between => is_blank(&sorts[..n]) || is_blank(&sorts[n + 1..]),
            _ => false,
        };
        out.push(if risky { change(line) } else { (*line).to_owned() });
        // What stands between two versions is passed over in a file that has such, whoever's line it is.
        if !matches!(sorts[n], Sort::Blank | Sort::Between) {
            after = sorts[n];
        }
    }
    out.reverse();
    out.join("\n")
}
