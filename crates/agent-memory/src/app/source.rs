//! Where the text of a memory comes from: the command line, a file or stdin, never more of it than is kept.

use std::io::{self, Read};
use std::path::PathBuf;

use memory_engine::core::admit::Refusal;
use memory_engine::{Error, Memory};

use crate::app::failure::{Failure, Outcome};
use crate::project::files;

/// A place to read a text from.
#[derive(Debug, Clone)]
pub(crate) enum Source {
    /// The text itself.
    Given(String),
    /// A file that a person named.
    File(PathBuf),
    /// Stdin to its end.
    Stdin,
}

impl Source {
    /// Words of the command line, or stdin where they are nothing but `-`.
    pub(crate) fn words(words: &[String]) -> Self {
        if words.iter().all(|word| word == "-") { Self::Stdin } else { Self::Given(words.join(" ")) }
    }

    /// The text. What is longer than the limit is refused without being read to its end.
    pub(crate) fn read(self, limit: usize) -> Outcome<String> {
        match self {
            Self::Given(text) => Ok(text),
            Self::File(path) => {
                let (file, size) = files::open(&path)?;
                if size > room(limit) {
                    let bytes = usize::try_from(size).unwrap_or(usize::MAX);
                    return Err(Error::from(Refusal::TooLong { bytes, limit }).into());
                }
                bounded(file, limit, &path.display().to_string())
            }
            Self::Stdin => bounded(io::stdin().lock(), limit, "stdin"),
        }
    }
}

/// The longest text that one memory holds.
pub(crate) fn limit_of(memory: &Memory) -> usize {
    memory.config().config.limits.entry_bytes
}

/// White space around a text is not kept, so it may exceed the limit by some.
fn room(limit: usize) -> u64 {
    (limit as u64).saturating_add(64 * 1024)
}

fn bounded(stream: impl Read, limit: usize, name: &str) -> Outcome<String> {
    let mut bytes = Vec::new();
    stream.take(room(limit) + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > room(limit) {
        let text =
            format!("the text from `{name}` has more than the {limit} bytes that one memory holds: split it");
        return Err(Failure::error("E_TOO_LONG", text));
    }
    let mut text = String::from_utf8(bytes)
        .map_err(|_| Failure::error("E_NOT_TEXT", format!("`{name}` is not UTF-8 text: convert it first")))?;
    // Some editors begin a file with a mark of its byte order, which is no part of the text.
    if text.starts_with('\u{feff}') {
        text.drain(..'\u{feff}'.len_utf8());
    }
    Ok(text)
}
