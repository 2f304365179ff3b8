//! `remember --lines`: JSON lines in, one acknowledgement per line out, in order.
//!
//! An acknowledgement is flushed only when its memory is durable. A line that is too long or broken is answered
//! with an error of its own and costs the others nothing; no line is held in memory beyond the limit.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;
use std::sync::mpsc::sync_channel;

use memory_engine::core::config::Resolved;
use memory_engine::core::id::MemoryId;
use memory_engine::{Draft, Kept, Memory};
use serde::Serialize;

use crate::app::{App, Failure, Outcome};
use crate::cli::private;
use crate::cli::wanted::Wanted;
use crate::output::Counted;
use crate::project::files;

/// The longest line that is read.
const LONGEST: usize = 2 << 20;

/// A group is committed early when its lines have so many bytes, so that memory use stays bounded.
const GROUP_BYTES: usize = 8 << 20;

/// Of a group of at least so many lines some are read and parsed while the one before it is kept.
const LARGE: usize = 512;

/// So many lines are handed over at once, or fewer where they have so many bytes.
const PART: usize = 512;
const PART_BYTES: usize = 512 << 10;

/// So many parts may wait, which bounds the memory for what is read ahead.
const AHEAD: usize = 3;

/// A byte order mark in UTF-8.
const MARK: &[u8] = "\u{feff}".as_bytes();

/// Keeps every line of the file or of stdin.
pub(crate) fn run(app: &mut App, file: Option<&Path>, batch: usize) -> Outcome<()> {
    let (file, size) = match file {
        Some(path) => {
            let (file, size) = files::open(path)?;
            (Some(file), Some(size))
        }
        None => (None, None),
    };
    let bar = app.out.bar_of(Counted::Bytes);
    let mut read = 0;
    let memory = app.memory_to_fill()?;
    let settings = memory.config().clone();
    let mut parts = parts(file, batch, settings)?;
    let mut count = 0;
    let mut failed = 0;
    let mut kept = 0;
    let mut private = BTreeSet::new();
    while let Some(group) = next_group(&mut parts)? {
        count += group.count;
        read += group.size;
        if let Some(size) = size {
            bar.set_bytes(read, size);
        }
        for answer in keep(&memory, group.lines, &mut private) {
            let refused = matches!(answer, Answer::Refused { .. });
            failed += u64::from(refused);
            kept += usize::from(!refused);
            app.out.json(&answer).map_err(unheard)?;
        }
        app.out.flush().map_err(unheard)?;
    }
    drop(bar);
    app.wrote_memories(kept);
    private::warn_of_versioned(app, memory.root(), &private.into_iter().collect::<Vec<_>>());
    if failed > 0 {
        app.out.warn(&format!("{failed} of {count} lines were not kept"));
        return Err(Failure::Told(1));
    }
    Ok(())
}

/// Gives the next part of a group, or `None` at the end.
type Parts = Box<dyn FnMut() -> io::Result<Option<Part>>>;

/// The parts of all groups: those of large groups are read by a thread of its own, a little ahead.
fn parts(file: Option<File>, batch: usize, settings: Resolved) -> io::Result<Parts> {
    let open = move || -> Box<dyn Read> {
        match file {
            Some(file) => Box::new(file),
            None => Box::new(io::stdin().lock()),
        }
    };
    if batch < LARGE {
        let mut reader = Reader::new(open(), batch, settings);
        return Ok(Box::new(move || reader.next_part()));
    }
    let (give, take) = sync_channel(AHEAD);
    let read = move || {
        let mut reader = Reader::new(open(), batch, settings);
        loop {
            let part = reader.next_part();
            let last = !matches!(part, Ok(Some(_)));
            // Nobody takes it when the command has ended early.
            if give.send(part).is_err() || last {
                break;
            }
        }
    };
    std::thread::Builder::new().name("lines".into()).spawn(read)?;
    let ended = || io::Error::other("the lines could not be read to their end");
    let mut done = false;
    Ok(Box::new(move || {
        let part = if done { Ok(None) } else { take.recv().unwrap_or_else(|_| Err(ended())) };
        done = matches!(part, Ok(None));
        part
    }))
}

/// All parts of the next group as one, or `None` at the end.
fn next_group(parts: &mut Parts) -> io::Result<Option<Part>> {
    let Some(mut group) = parts()? else { return Ok(None) };
    while !group.ends_group {
        let Some(part) = parts()? else { break };
        group.lines.extend(part.lines);
        group.count += part.count;
        group.size += part.size;
        group.ends_group = part.ends_group;
    }
    Ok(Some(group))
}

/// Some of the lines that share one durable commit.
struct Part {
    /// Each line that is not blank, with its number.
    lines: Vec<(u64, Outcome<Draft>)>,
    /// How many lines it has, blank ones included.
    count: u64,
    /// How many bytes they had.
    size: u64,
    /// Whether the next part begins a new group.
    ends_group: bool,
}

struct Reader {
    lines: BufReader<Box<dyn Read>>,
    batch: usize,
    settings: Resolved,
    /// The number of the last line that was read.
    number: u64,
    /// How many lines and bytes the group has so far.
    group: (usize, usize),
}

impl Reader {
    fn new(stream: Box<dyn Read>, batch: usize, settings: Resolved) -> Self {
        let lines = BufReader::with_capacity(256 * 1024, stream);
        Self { lines, batch, settings, number: 0, group: (0, 0) }
    }

    fn next_part(&mut self) -> io::Result<Option<Part>> {
        let mut part = Part { lines: Vec::new(), count: 0, size: 0, ends_group: false };
        let mut bytes_here = 0;
        while part.lines.len() < PART && bytes_here < PART_BYTES && !part.ends_group {
            let Some(mut line) = next_line(&mut self.lines)? else { break };
            if self.number == 0 {
                line.drop_mark();
            }
            self.number += 1;
            part.count += 1;
            part.size += line.size;
            if !line.is_blank() {
                let (lines, bytes) = (self.group.0 + 1, self.group.1 + line.bytes.len());
                bytes_here += line.bytes.len();
                part.lines.push((self.number, line.draft(&self.settings)));
                part.ends_group = lines >= self.batch || bytes >= GROUP_BYTES;
                self.group = if part.ends_group { (0, 0) } else { (lines, bytes) };
            }
        }
        Ok((part.count > 0).then_some(part))
    }
}

/// A reader that stops listening in the middle has not been told everything, so this is not a success.
fn unheard(error: io::Error) -> Failure {
    if error.kind() == io::ErrorKind::BrokenPipe { Failure::Told(1) } else { Failure::Stream(error) }
}

/// Keeps a group with one durable commit and gives the answers in the order of the lines. The files into which
/// private memories went are added to the set.
fn keep(
    memory: &Memory,
    group: Vec<(u64, Outcome<Draft>)>,
    private_files: &mut BTreeSet<String>,
) -> Vec<Answer> {
    let mut places: Vec<(u64, Option<Failure>)> = Vec::with_capacity(group.len());
    let mut drafts = Vec::with_capacity(group.len());
    let mut is_private = Vec::with_capacity(group.len());
    for (number, outcome) in group {
        match outcome {
            Ok(draft) => {
                is_private.push(private::is_private(draft.provenance.sensitivity));
                drafts.push(draft);
                places.push((number, None));
            }
            Err(failure) => places.push((number, Some(failure))),
        }
    }
    let results = if drafts.is_empty() { Ok(Vec::new()) } else { memory.remember_all(drafts) };
    for (kept, _) in results.iter().flatten().zip(is_private).filter(|(_, is_private)| *is_private) {
        private_files.extend(kept.as_ref().ok().map(|kept| kept.file.clone()));
    }
    let mut results = results.map(Vec::into_iter);
    let answer = |(line, failure): (u64, Option<Failure>)| match (failure, &mut results) {
        (Some(failure), _) => refused(line, failure.code(), failure.text()),
        (None, Err(error)) => refused(line, error.code(), error.to_string()),
        (None, Ok(results)) => match results.next() {
            Some(Ok(Kept { id, outcome, redacted, .. })) => {
                Answer::Kept { line, id, outcome: outcome.word(), redacted }
            }
            Some(Err(error)) => refused(line, error.code(), error.to_string()),
            None => {
                let text = "the engine gave no answer for this line: send it again";
                refused(line, "E_UNANSWERED", text.to_owned())
            }
        },
    };
    places.into_iter().map(answer).collect()
}

/// What a line is answered with.
#[derive(Serialize)]
#[serde(untagged)]
enum Answer {
    Kept {
        line: u64,
        id: MemoryId,
        outcome: &'static str,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        redacted: Vec<&'static str>,
    },
    Refused {
        line: u64,
        error: String,
        code: &'static str,
    },
}

fn refused(line: u64, code: &'static str, error: String) -> Answer {
    Answer::Refused { line, error, code }
}

struct Line {
    bytes: Vec<u8>,
    /// How long the line was, its end included, even where not all of it was kept.
    size: u64,
}

impl Line {
    /// Some editors begin a file with a mark of its byte order, which is no part of the text.
    fn drop_mark(&mut self) {
        if self.bytes.starts_with(MARK) {
            self.bytes.drain(..MARK.len());
            self.size -= MARK.len() as u64;
        }
    }

    fn is_blank(&self) -> bool {
        self.size as usize == self.bytes.len() && self.bytes.trim_ascii().is_empty()
    }

    fn draft(&self, settings: &Resolved) -> Outcome<Draft> {
        if self.size as usize > LONGEST {
            let text =
                format!("the line has {} bytes, more than the {LONGEST} that are read: split it", self.size);
            return Err(Failure::error("E_TOO_LONG", text));
        }
        let bad = |why: String| Failure::error("E_BAD_LINE", format!("the line is not a draft: {why}"));
        // The parser would take a list of values for the fields in their order.
        if self.bytes.trim_ascii_start().first() != Some(&b'{') {
            return Err(bad("it is no JSON object: write `{\"text\": \"…\"}`".to_owned()));
        }
        let wanted: Wanted = serde_json::from_slice(&self.bytes).map_err(|error| bad(error.to_string()))?;
        wanted.draft(settings)
    }
}

/// The next line, of which at most [`LONGEST`] bytes are kept; the rest is only counted.
fn next_line(reader: &mut impl BufRead) -> io::Result<Option<Line>> {
    let mut line = Line { bytes: Vec::new(), size: 0 };
    loop {
        let buffer = match reader.fill_buf() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            buffer => buffer?,
        };
        if buffer.is_empty() {
            return Ok((line.size > 0).then_some(line));
        }
        let end = buffer.iter().position(|b| *b == b'\n');
        let used = end.map_or(buffer.len(), |at| at + 1);
        let room = (LONGEST + 1).saturating_sub(line.bytes.len());
        line.bytes.extend_from_slice(buffer.get(..used.min(room)).unwrap_or(buffer));
        line.size += used as u64;
        reader.consume(used);
        if end.is_some() {
            return Ok(Some(line));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The numbers of the first and the last line of each group.
    fn check(lines: usize, batch: usize, expect: &[(u64, u64)]) {
        let text: String = (0..lines).map(|n| format!("{{\"text\":\"line {n}\"}}\n\n")).collect();
        let mut reader = Reader::new(Box::new(io::Cursor::new(text)), batch, Resolved::default());
        let mut parts: Parts = Box::new(move || reader.next_part());
        let mut groups = Vec::new();
        let mut count = 0;
        while let Some(group) = next_group(&mut parts).unwrap() {
            assert!(group.lines.iter().all(|(_, draft)| draft.is_ok()));
            count += group.count;
            let numbers: Vec<u64> = group.lines.iter().map(|(number, _)| *number).collect();
            groups.extend(numbers.first().copied().zip(numbers.last().copied()));
        }
        assert_eq!((groups.as_slice(), count), (expect, 2 * lines as u64), "{lines} lines by {batch}");
    }

    #[test]
    fn groups_are_whole_whatever_their_parts() {
        check(0, 1, &[]);
        check(2, 1, &[(1, 1), (3, 3)]);
        check(1300, 2000, &[(1, 2599)]);
        check(1300, 600, &[(1, 1199), (1201, 2399), (2401, 2599)]);
        check(1024, 512, &[(1, 1023), (1025, 2047)]);
    }

    #[test]
    fn lines_are_bounded_and_counted() {
        let long = "x".repeat(LONGEST + 10);
        let input = format!("a\n\n{long}\nlast");
        let mut reader = BufReader::with_capacity(7, input.as_bytes());
        let mut got = Vec::new();
        while let Some(line) = next_line(&mut reader).unwrap() {
            got.push((line.bytes.len(), line.size, line.is_blank()));
        }
        assert_eq!(
            got,
            [(2, 2, false), (1, 1, true), (LONGEST + 1, LONGEST as u64 + 11, false), (4, 4, false)]
        );
    }
}
