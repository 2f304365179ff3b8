//! `remember --lines`: JSON lines in, one acknowledgement per line out, in order.
//!
//! An acknowledgement is flushed only when its memory is durable. A line that is too long or broken is answered
//! with an error of its own and costs the others nothing; no line is held in memory beyond the limit.

use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use memory_engine::{Draft, Kept, Memory};
use serde_json::{Value, json};

use crate::app::{App, Failure, Outcome};
use crate::cli::wanted::Wanted;
use crate::project::files;

/// The longest line that is read.
const LONGEST: usize = 2 << 20;

/// A group is committed early when its lines have so many bytes, so that memory use stays bounded.
const GROUP_BYTES: usize = 8 << 20;

/// Keeps every line of the file or of stdin.
pub(crate) fn run(app: &mut App, file: Option<&Path>, batch: usize) -> Outcome<()> {
    let (stream, bar): (Box<dyn Read>, _) = match file {
        Some(path) => {
            let (file, size) = files::open(path)?;
            (Box::new(file), progress(size))
        }
        None => (Box::new(io::stdin().lock()), ProgressBar::hidden()),
    };
    let memory = app.memory_to_fill()?;
    let mut reader = BufReader::with_capacity(256 * 1024, stream);
    let mut count = 0;
    let mut failed = 0;
    loop {
        let mut group: Vec<(u64, Outcome<Draft>)> = Vec::new();
        let mut bytes = 0;
        while group.len() < batch && bytes < GROUP_BYTES {
            let Some(line) = next_line(&mut reader)? else { break };
            count += 1;
            bar.inc(line.size);
            bytes += line.bytes.len();
            if !line.is_blank() {
                group.push((count, line.draft(&memory)));
            }
        }
        if group.is_empty() {
            break;
        }
        let answers = keep(&memory, group);
        failed += answers.iter().filter(|answer| answer.get("error").is_some()).count();
        for answer in &answers {
            app.out.json(answer).map_err(unheard)?;
        }
        app.out.flush().map_err(unheard)?;
    }
    bar.finish_and_clear();
    if failed > 0 {
        app.out.warn(&format!("{failed} of {count} lines were not kept"));
        return Err(Failure::Told(1));
    }
    Ok(())
}

/// A reader that stops listening in the middle has not been told everything, so this is not a success.
fn unheard(error: io::Error) -> Failure {
    if error.kind() == io::ErrorKind::BrokenPipe { Failure::Told(1) } else { Failure::Stream(error) }
}

/// Keeps a group with one durable commit and gives the answers in the order of the lines.
fn keep(memory: &Memory, group: Vec<(u64, Outcome<Draft>)>) -> Vec<Value> {
    let mut places: Vec<(u64, Option<Failure>)> = Vec::with_capacity(group.len());
    let mut drafts = Vec::with_capacity(group.len());
    for (number, outcome) in group {
        match outcome {
            Ok(draft) => {
                drafts.push(draft);
                places.push((number, None));
            }
            Err(failure) => places.push((number, Some(failure))),
        }
    }
    let results = if drafts.is_empty() { Ok(Vec::new()) } else { memory.remember_all(drafts) };
    let mut results = results.map(Vec::into_iter);
    let answer = |(number, failure): (u64, Option<Failure>)| match (failure, &mut results) {
        (Some(failure), _) => refused(number, failure.code(), &failure.text()),
        (None, Err(error)) => refused(number, error.code(), &error.to_string()),
        (None, Ok(results)) => match results.next() {
            Some(Ok(kept)) => kept_line(number, &kept),
            Some(Err(error)) => refused(number, error.code(), &error.to_string()),
            None => refused(number, "E_UNANSWERED", "the engine gave no answer for this line: send it again"),
        },
    };
    places.into_iter().map(answer).collect()
}

fn kept_line(number: u64, kept: &Kept) -> Value {
    let mut answer = json!({ "line": number, "id": kept.id, "outcome": kept.outcome.word() });
    if !kept.redacted.is_empty()
        && let Value::Object(fields) = &mut answer
    {
        fields.insert("redacted".to_owned(), json!(kept.redacted));
    }
    answer
}

fn refused(number: u64, code: &str, text: &str) -> Value {
    json!({ "line": number, "error": text, "code": code })
}

struct Line {
    bytes: Vec<u8>,
    /// How long the line was, its end included, even where not all of it was kept.
    size: u64,
}

impl Line {
    fn is_blank(&self) -> bool {
        self.size as usize == self.bytes.len() && self.bytes.trim_ascii().is_empty()
    }

    fn draft(&self, memory: &Memory) -> Outcome<Draft> {
        if self.size as usize > LONGEST {
            let text =
                format!("the line has {} bytes, more than the {LONGEST} that are read: split it", self.size);
            return Err(Failure::error("E_TOO_LONG", text));
        }
        let wanted: Wanted = serde_json::from_slice(&self.bytes)
            .map_err(|error| Failure::error("E_BAD_LINE", format!("the line is not a draft: {error}")))?;
        wanted.draft(&memory.config().config)
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

/// A bar on stderr, which only a terminal shows.
fn progress(size: u64) -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:40} {bytes}/{total_bytes} {eta}");
    let bar = ProgressBar::with_draw_target(Some(size), ProgressDrawTarget::stderr());
    style.map_or_else(|_| ProgressBar::hidden(), |style| bar.with_style(style))
}

#[cfg(test)]
mod tests {
    use super::*;

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
