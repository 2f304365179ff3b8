//! Logs that grow line by line: read from an offset on, one line at a time, in bounded memory.
//!
//! The cursor is an offset and a digest of the bytes at the start of the file and right before the offset. A file that
//! was cut, compacted or replaced does not pass that test and is read from its start. A last line without an end is
//! left for the next time.

use std::io::{self, BufRead, Read};

use serde_json::Value;

use super::assembly::{Assembly, Context, Place};
use super::record;
use super::rewinds::{Rewinds, taken_back};
use super::said::Said;
use super::{Begin, Cursor, Notes, Until};
use crate::disk::foreign::Foreign;
use crate::error::{Error, Result};

/// The longest line that is read; longer ones are passed over.
pub(super) const LONGEST: u64 = 16 << 20;

/// So much of a line counts among the first ones, however long it is: the picture in a prompt says no more than a word.
const COUNTED: u64 = 16 << 10;

/// How many bytes at the start and before the offset must be the same.
const PROOF: u64 = 4 << 10;

/// How the lines of a log are read.
#[derive(Clone, Copy)]
pub(super) struct Log {
    /// Whether a line can say anything at all, judged without reading all of it.
    pub(super) skim: fn(&[u8]) -> Worth,
    /// What a record says.
    pub(super) read: fn(&Value, &mut Vec<Said>),
    /// How later records take earlier ones back.
    pub(super) rewinds: Rewinds,
}

/// Whether a line is worth its parsing.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Worth {
    Reading,
    Nothing,
}

/// Where reading begins: at the cursor, if the bytes before it are the ones that were read.
pub(super) fn begin(file: &mut Foreign, from: &Cursor) -> Result<Begin> {
    if from.place == Place::default() {
        return Ok(Begin::Start);
    }
    let is_same = file.stat().size >= from.place.at && proof(file, from.place.at)? == from.digest;
    Ok(if is_same { Begin::Continued } else { Begin::Rewritten })
}

/// A digest that the bytes before an offset give again only as long as they are the same.
pub(super) fn proof(file: &mut Foreign, at: u64) -> Result<String> {
    let mut hash = blake3::Hasher::new();
    hash.update(&at.to_le_bytes());
    hash.update(&file.read_at(0, at.min(PROOF))?);
    hash.update(&file.read_at(at.saturating_sub(PROOF), at.min(PROOF))?);
    Ok(super::short(&hash))
}

/// Hears all lines from an offset on; gives the place after the last one that is whole.
pub(super) fn read(
    file: &mut Foreign,
    log: Log,
    from: u64,
    until: Until,
    assembly: &mut Assembly<'_>,
    notes: &mut Notes,
) -> Result<Place> {
    let taken = taken_back(file, log.rewinds, from)?;
    assembly.take_back(taken.names, &taken.earlier);
    let void = taken.records;
    let failed = Error::disk("read", "the transcript");
    let mut lines = Lines { from: file.read_from(from)?, at: from, line: Vec::new() };
    let mut said = Vec::new();
    loop {
        let start = lines.at;
        let line = match lines.next() {
            Ok(line) => line,
            Err(error) => return Err(failed(error)),
        };
        match line {
            Line::None => return Ok(Place::at(start)),
            Line::TooLong => {
                notes.add(
                    "line-too-long",
                    start,
                    format!("a line has more than {LONGEST} bytes and was passed over"),
                );
            }
            Line::Unended => {
                // Only a whole JSON value parses, so this one was not cut: its writer ends no lines.
                let value = record::value(&lines.line).ok().flatten().filter(|_| until == Until::End);
                let Some(value) = value else { return Ok(Place::at(start)) };
                (log.read)(&value, &mut said);
                assembly.take(&Place::at(start), std::mem::take(&mut said));
            }
            Line::Whole if (log.skim)(&lines.line) == Worth::Nothing => {}
            // What was taken back still ends what stood before it.
            Line::Whole if void.contains(&start) => assembly.take(&Place::at(start), vec![Said::Close]),
            Line::Whole => match record::value(&lines.line) {
                Ok(Some(value)) => {
                    (log.read)(&value, &mut said);
                    assembly.take(&Place::at(start), std::mem::take(&mut said));
                }
                Ok(None) => {}
                Err(error) => notes.add("broken-record", start, format!("a line is not JSON: {error}")),
            },
        }
    }
}

/// Hears the first lines, until enough is known or so many bytes count as read.
pub(super) fn head(
    file: &mut Foreign,
    log: Log,
    most: u64,
    assembly: &mut Assembly<'_>,
    enough: &dyn Fn(&Context) -> bool,
) -> Result<()> {
    let mut lines = Lines { from: file.read_from(0)?.take(most + 2 * LONGEST), at: 0, line: Vec::new() };
    let mut said = Vec::new();
    let mut counted = 0;
    while counted < most && !enough(&assembly.context) {
        let start = lines.at;
        match lines.next().map_err(Error::disk("read", "the transcript"))? {
            Line::None => break,
            Line::TooLong => {}
            // A line without an end that parses is whole.
            Line::Whole | Line::Unended => {
                if let Ok(Some(value)) = record::value(&lines.line) {
                    (log.read)(&value, &mut said);
                    assembly.take(&Place::at(start), std::mem::take(&mut said));
                }
            }
        }
        counted += (lines.at - start).min(COUNTED);
    }
    Ok(())
}

pub(super) enum Line {
    /// The end of the file.
    None,
    Whole,
    Unended,
    TooLong,
}

pub(super) struct Lines<R> {
    pub(super) from: R,
    pub(super) at: u64,
    pub(super) line: Vec<u8>,
}

impl<R: BufRead> Lines<R> {
    pub(super) fn next(&mut self) -> io::Result<Line> {
        self.line.clear();
        let read = (&mut self.from).take(LONGEST + 1).read_until(b'\n', &mut self.line)? as u64;
        self.at += read;
        if self.line.ends_with(b"\n") {
            return Ok(Line::Whole);
        }
        if read <= LONGEST {
            return Ok(if read == 0 { Line::None } else { Line::Unended });
        }
        self.line = Vec::new();
        loop {
            let chunk = self.from.fill_buf()?;
            if chunk.is_empty() {
                return Ok(Line::Unended);
            }
            let end = chunk.iter().position(|byte| *byte == b'\n');
            let length = end.map_or(chunk.len(), |end| end + 1);
            self.from.consume(length);
            self.at += length as u64;
            if end.is_some() {
                return Ok(Line::TooLong);
            }
        }
    }
}
