//! A journal's text cut into its pieces: JSON lines, and the blocks that people wrote between them.
//!
//! A block reaches from one bound to the next; bounds are lines that begin with `- {`, `## ` headings and the
//! line [`MARK`]. Blank lines, rules and comments around a block do not belong to it, nor does the header with
//! which a file opens. Bounds are seen line by line and nowhere hidden, so a change stays where it is made.

use std::ops::Range;

use serde_json::{Map, Value};

use super::super::Home;
use super::super::lines::{Line, lines, lossy};

/// A line that only keeps apart what stands above and below it.
pub(super) const MARK: &str = "<!-- -->";

/// The pieces in the order of the file, and the lines that look like entries but are none.
#[derive(Default)]
pub(super) struct Scan {
    pub(super) pieces: Vec<Piece>,
    /// Line number, counted from 1, and what is wrong.
    pub(super) broken: Vec<(usize, String)>,
}

/// A stretch of the file that is a memory.
pub(super) struct Piece {
    pub(super) form: Form,
    pub(super) at: Range<usize>,
    pub(super) first_line: usize,
    pub(super) last_line: usize,
}

pub(super) enum Form {
    /// `- {…}` with at least an `id` and a `text`.
    Entry {
        object: Map<String, Value>,
        /// The bytes from `{` to `}`.
        object_at: Range<usize>,
        /// The id as it stands there, valid or not.
        id: String,
    },
    /// Text that a person wrote.
    Block {
        title: Option<String>,
        /// The bytes below the heading.
        body_at: Range<usize>,
    },
}

/// Cuts a journal into pieces.
pub(super) fn scan(home: &Home, bytes: &[u8]) -> Scan {
    let mut scan = Scan::default();
    let mut group: Vec<Row<'_>> = Vec::new();
    let mut opening = true;
    let mut comment = false;
    for (n, line) in lines(bytes).enumerate() {
        let sort = Sort::of(line.text, comment);
        comment = sort == Sort::Comment { open: true };
        if matches!(sort, Sort::Entry | Sort::Section | Sort::Mark) {
            let header = if opening { Header::Of(home) } else { Header::None };
            scan.pieces.extend(block(&group, &header));
            group.clear();
            opening = false;
        }
        match sort {
            Sort::Mark => {}
            Sort::Entry => match entry(&line) {
                Ok(form) => {
                    let (first_line, last_line) = (n + 1, n + 1);
                    scan.pieces.push(Piece { form, at: line.at, first_line, last_line });
                }
                Err(why) => scan.broken.push((n + 1, why)),
            },
            _ => group.push(Row { n, line, sort }),
        }
    }
    let header = if opening { Header::Of(home) } else { Header::None };
    scan.pieces.extend(block(&group, &header));
    scan
}

struct Row<'a> {
    n: usize,
    line: Line<'a>,
    sort: Sort,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Sort {
    Entry,
    Section,
    Mark,
    Heading,
    Rule,
    Blank,
    Comment { open: bool },
    Text,
}

impl Sort {
    /// What a line is; `comment` says that it stands inside one.
    fn of(line: &[u8], comment: bool) -> Self {
        let trimmed = line.trim_ascii();
        let hashes = line.iter().take_while(|&&b| b == b'#').count();
        let ends_comment = trimmed.windows(3).any(|three| three == b"-->");
        match trimmed {
            _ if line.strip_prefix(b"- ").is_some_and(|rest| rest.trim_ascii_start().starts_with(b"{")) => {
                Self::Entry
            }
            _ if line.starts_with(b"## ") => Self::Section,
            _ if trimmed == MARK.as_bytes() => Self::Mark,
            _ if comment => Self::Comment { open: !ends_comment },
            _ if lossy(trimmed).0.trim().is_empty() => Self::Blank,
            b"---" => Self::Rule,
            _ if trimmed.starts_with(b"<!--") && !ends_comment => Self::Comment { open: true },
            _ if trimmed.starts_with(b"<!--") && trimmed.ends_with(b"-->") => Self::Comment { open: false },
            _ if (1..=6).contains(&hashes) && line.get(hashes).is_none_or(|&b| b == b' ') => Self::Heading,
            _ => Self::Text,
        }
    }

    fn is_gap(self) -> bool {
        matches!(self, Self::Rule | Self::Blank | Self::Comment { .. })
    }
}

fn entry(line: &Line<'_>) -> Result<Form, String> {
    let start = line.at.start + line.text.iter().take_while(|&&b| b != b'{').count();
    let text = line.text.trim_ascii_end();
    let text = &text[(start - line.at.start).min(text.len())..];
    let object: Map<String, Value> = serde_json::from_slice(text)
        .map_err(|error| format!("the line is no JSON object (see column {})", error.column() + 2))?;
    let id = match object.get("id") {
        Some(Value::String(id)) => id.clone(),
        Some(Value::Number(id)) if id.is_u64() => id.to_string(),
        _ => return Err("the line has no `id`".to_owned()),
    };
    if !object.get("text").is_some_and(Value::is_string) {
        return Err("the line has no `text`".to_owned());
    }
    Ok(Form::Entry { object, object_at: start..start + text.len(), id })
}

/// Whether a group of lines may begin with the header of its file.
enum Header<'a> {
    None,
    Of(&'a Home),
}

/// The block in a group of lines between two bounds, if a person wrote one.
fn block(group: &[Row<'_>], header: &Header<'_>) -> Option<Piece> {
    let mut rows = group;
    if let Header::Of(home) = header {
        let title =
            rows.iter().position(|row| !row.sort.is_gap()).filter(|&n| rows[n].line.text.starts_with(b"# "));
        // `MEMORY.md` comes with an introduction of its own above its first rule.
        if let (Home::Journal, Some(title)) = (home, title)
            && let Some(rule) = rows[title..].iter().position(|row| row.sort == Sort::Rule)
        {
            rows = &rows[title + rule..];
        }
        let lead = rows.iter().take_while(|row| row.sort.is_gap() || row.sort == Sort::Heading).count();
        rows = &rows[lead..];
    }
    let lead = rows.iter().take_while(|row| row.sort.is_gap()).count();
    let tail = rows.iter().rev().take_while(|row| row.sort.is_gap()).count();
    let rows = rows.get(lead..rows.len() - tail)?;
    let (first, last) = (rows.first()?, rows.last()?);
    if !rows.iter().any(|row| row.sort == Sort::Text) {
        return None;
    }
    let mut title = None;
    let mut body = rows.iter();
    if first.sort == Sort::Section {
        let heading = lossy(first.line.text.strip_prefix(b"## ").unwrap_or_default()).0;
        title = Some(heading.trim().to_owned()).filter(|title| !title.is_empty());
        body.next();
    }
    let body_from =
        body.find(|row| row.sort != Sort::Blank).map_or(last.line.at.end, |row| row.line.at.start);
    let at = first.line.at.start..last.line.at.end;
    let form = Form::Block { title, body_at: body_from..at.end };
    Some(Piece { form, at, first_line: first.n + 1, last_line: last.n + 1 })
}
