//! The session files of every agent client, read into [`Message`]s of one form.
//!
//! Clients are rows of a `table`; each row names a reader that turns records into the words of `said`, and one
//! `assembly` makes messages of them. Only record types that are known to hold what people and agents said are
//! read. Our own injected text, vendor text and the output of tools never come out. Files are opened for reading only,
//! and any bytes give messages and defects, never a panic.

mod amp;
mod assembly;
mod blocks;
mod bounded;
mod claude;
mod cline;
mod codex;
mod continue_dev;
mod conversations;
mod copilot;
mod cursor;
mod droid;
mod find;
mod google;
mod goose;
mod homes;
mod lines;
mod markdown;
mod opencode;
mod pi;
pub(crate) mod record;
mod rewinds;
mod rows;
mod said;
mod table;
#[cfg(test)]
mod tests;
mod tools;
mod vscode;
mod whole;
mod windsurf;

use std::path::{Path, PathBuf};

use memory_core::id::{SessionId, TurnId};
use memory_core::session::{Client, Message};
use serde::{Deserialize, Serialize};

use crate::disk::foreign::Foreign;
use crate::error::{Error, Result};
use assembly::{Assembly, Context, Held, Place};
use table::Form;

pub use find::{Found, Sessions, sessions, sessions_in};
pub use homes::{Homes, System};

/// A session of a client: its file, and in a database that holds many, which one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// The client that wrote it.
    pub client: Client,
    /// The file.
    pub path: PathBuf,
    /// The session; needed for databases, elsewhere the file tells.
    pub session: Option<SessionId>,
}

/// How much of the end of a file is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Until {
    /// Only messages to which nothing can be added any more. The last one waits for what follows it.
    Settled,
    /// Everything. For sessions that rest: if such a message grows after all, the rest of it comes as another message
    /// with the same turn.
    End,
}

/// How far a session was read. Small, and opaque to everyone but the readers; the default is the beginning.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cursor {
    #[serde(flatten)]
    place: Place,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    digest: String,
    #[serde(flatten)]
    context: Context,
}

impl Cursor {
    /// Whether the session is none of a person's, such as one that an agent holds with another.
    pub(crate) fn is_aside(&self) -> bool {
        self.context.aside
    }
}

/// What came of a reading.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tail {
    /// Where the next reading begins.
    pub cursor: Cursor,
    /// Whether this one went on from the cursor or had to begin anew.
    pub begin: Begin,
    /// How many messages were given.
    pub given: u64,
    /// Whether a message was held back because it may still grow.
    pub held_back: bool,
    /// Messages that an earlier reading gave and that the person took back since.
    pub rewound: Vec<TurnId>,
    /// What could not be read, for people to look at; the first few dozen.
    pub defects: Vec<Defect>,
    /// How many more there were.
    pub more_defects: u64,
}

/// From where a reading began.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Begin {
    /// From the start, as asked.
    Start,
    /// From the cursor.
    Continued,
    /// From the start, because what stood before the cursor is not there any more. Messages may come again, under the
    /// turns that they had.
    Rewritten,
}

/// Something in a session file that could not be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Defect {
    /// A stable word for the sort of defect, such as `broken-record`.
    pub code: &'static str,
    /// Where it stands: bytes from the start of a log, or the number of an entry.
    pub at: u64,
    /// What is wrong, in a sentence without a full stop.
    pub what: String,
}

/// Reads what a session holds after a cursor and gives each message once, in order.
///
/// An absent file is an error; whatever stands in a file is not.
pub fn read_tail(
    source: &Source,
    from: &Cursor,
    until: Until,
    each: &mut dyn FnMut(Message),
) -> Result<Tail> {
    let path = source.path.as_path();
    let Some(mut file) = Foreign::open(path)? else {
        return Err(Error::disk("read", &path.display().to_string())(std::io::ErrorKind::NotFound.into()));
    };
    let row = table::row(source.client);
    let mut notes = Notes::default();
    let (begin, cursor, given, held, rewound) = match row.form(path, &file.read_at(0, 512)?) {
        Form::Log(log) => {
            let begin = lines::begin(&mut file, from)?;
            let start = started(source, from, begin);
            let mut assembly = Assembly::new(start.context, &start.place, row.tags, each);
            let end = lines::read(&mut file, log, start.place.at, until, &mut assembly, &mut notes)?;
            let (given, rewound, place, context, held) = finish(assembly, end, until);
            let digest = lines::proof(&mut file, place.at)?;
            (begin, Cursor { place, digest, context }, given, held, rewound)
        }
        Form::Whole(parse) => {
            let whole = whole::bytes(&mut file, &mut notes)?.and_then(|bytes| {
                let whole = parse(&bytes);
                if whole.is_none() {
                    notes.add(
                        "broken-file",
                        0,
                        "the file is not in the form that this client writes".to_owned(),
                    );
                }
                whole
            });
            // A file that is being written is whole again the next time.
            let Some(mut whole) = whole else { return Ok(notes.tail(from.clone())) };
            let begin = whole::begin(from, &whole);
            let start = started(source, from, begin);
            let mut assembly = Assembly::new(start.context, &start.place, row.tags, each);
            let end = whole::read(&mut whole, &start.place, &mut assembly);
            let (given, rewound, place, context, held) = finish(assembly, end, until);
            let digest = whole::digest(&whole, place.at).unwrap_or_default();
            (begin, Cursor { place, digest, context }, given, held, rewound)
        }
        Form::Rows(store) => {
            let db = rows::open(path, &mut notes)?;
            let begin = rows::begin(&db, store, from).map_err(rows::failed(path))?;
            let start = started(source, from, begin);
            let session = start.context.facts.session.clone().unwrap_or_default();
            let mut assembly = Assembly::new(start.context, &start.place, row.tags, each);
            let end =
                rows::read(&db, store, &session, &start.place, &mut assembly).map_err(rows::failed(path))?;
            let (given, rewound, place, context, held) = finish(assembly, end, until);
            (begin, Cursor { place, digest: String::new(), context }, given, held, rewound)
        }
        Form::Unread(what) => {
            notes.add("not-read", 0, what.to_owned());
            return Ok(notes.tail(from.clone()));
        }
    };
    Ok(Tail { given, held_back: held == Held::One, rewound, begin, ..notes.tail(cursor) })
}

/// A person's own words in a prompt: without our text, and without what the client and its hooks put around them.
pub fn own_words(client: Client, prompt: &str) -> String {
    assembly::human_text(&[prompt.to_owned()], table::row(client).tags)
}

/// The cursor to begin from: the given one, or the start with what the file's place tells.
fn started(source: &Source, from: &Cursor, begin: Begin) -> Cursor {
    if begin == Begin::Continued {
        return from.clone();
    }
    let mut cursor = Cursor::default();
    let facts = &mut cursor.context.facts;
    facts.learn(table::row(source.client).beside(&source.path));
    if let Some(session) = &source.session {
        facts.session = Some(session.as_str().to_owned());
    }
    cursor
}

/// Opens the database of another program for reading, so that nothing beside it is made or changed.
pub(crate) fn open_rows(path: &Path) -> Result<rusqlite::Connection> {
    rows::open(path, &mut Notes::default())
}

type Finished = (u64, Vec<TurnId>, Place, Context, Held);

fn finish(mut assembly: Assembly<'_>, end: Place, until: Until) -> Finished {
    if until == Until::End {
        assembly.close();
    }
    let given = assembly.given;
    let rewound = std::mem::take(&mut assembly.rewound);
    let (place, context, held) = assembly.resume(end);
    (given, rewound, place, context, held)
}

/// What is found wrong on the way, as much as anybody would read.
#[derive(Default)]
struct Notes {
    defects: Vec<Defect>,
    more: u64,
}

impl Notes {
    const MOST: usize = 50;

    fn add(&mut self, code: &'static str, at: u64, what: String) {
        if self.defects.len() < Self::MOST {
            self.defects.push(Defect { code, at, what });
        } else {
            self.more += 1;
        }
    }

    fn tail(self, cursor: Cursor) -> Tail {
        Tail {
            cursor,
            begin: Begin::Continued,
            given: 0,
            held_back: false,
            rewound: Vec::new(),
            defects: self.defects,
            more_defects: self.more,
        }
    }
}

/// The first half of a digest in hexadecimal digits.
fn short(hash: &blake3::Hasher) -> String {
    hash.finalize().to_hex().as_str().get(..32).unwrap_or_default().to_owned()
}

/// The name of a file without its last ending.
fn stem(path: &Path) -> Option<String> {
    Some(path.file_stem()?.to_string_lossy().into_owned())
}
