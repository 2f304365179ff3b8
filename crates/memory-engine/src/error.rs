//! What can go wrong, each with the thing it happened to, a stable code, and words for the next step.

use std::io;

use memory_core::admit::Refusal;
use memory_core::id::{IdError, MemoryId};

/// Everything the engine answers is a value or one of these.
pub type Result<T> = std::result::Result<T, Error>;

/// An error with a stable [`code`](Error::code).
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// There is no memory at this place.
    #[error("there is no memory at `{path}`: run `agent-memory init` there")]
    NoRoot {
        /// Where it was looked for.
        path: String,
    },
    /// The folder was not made or approved by this user on this machine.
    #[error("the memory at `{path}` is not approved: look at it, then approve it with `agent-memory trust`")]
    Untrusted {
        /// The folder.
        path: String,
    },
    /// The ledger in an approved folder is not the one that was made under this approval.
    #[error(
        "the ledger of the memory at `{path}` was not made here, it came later: look at the folder, then approve it with `agent-memory trust`"
    )]
    OtherLedger {
        /// The folder.
        path: String,
    },
    /// There is no place for what this user approved.
    #[error("there is no home folder to keep approvals in: set `HOME` or `AGENT_MEMORY_HOME`")]
    NoHome,
    /// A folder is named that is no root but holds one.
    #[error("`{path}` is no memory but holds one: did you mean `{inside}`?")]
    AroundRoot {
        /// The folder.
        path: String,
        /// The root in it.
        inside: String,
    },
    /// Another process kept the lock past the deadline.
    #[error(
        "another process has been writing to `{path}` for {waited_ms} ms: try again, or stop that process"
    )]
    Locked {
        /// The root.
        path: String,
        /// How long this process waited.
        waited_ms: u64,
    },
    /// No memory has this id.
    #[error("no memory has the id `{id}`: `agent-memory list` shows those there are")]
    NoMemory {
        /// The id.
        id: MemoryId,
    },
    /// The memory of this id left its file for the archive.
    #[error(
        "the memory `{id}` is in the archive: `agent-memory restore {id}` brings it back (batch `{batch}`)"
    )]
    InArchive {
        /// The id.
        id: MemoryId,
        /// The newest batch that holds it.
        batch: String,
    },
    /// No memory file has this path.
    #[error("there is no memory file `{path}`: `agent-memory doctor` names those that wait")]
    NoFile {
        /// The path.
        path: String,
    },
    /// A root is named that is no folder.
    #[error("`{path}` is no folder: name the folder of a memory")]
    NoFolder {
        /// The path.
        path: String,
    },
    /// Nothing in the archive has this name.
    #[error(
        "the archive holds nothing named `{name}`: `agent-memory restore` without a name lists what it holds"
    )]
    NotArchived {
        /// The name.
        name: String,
    },
    /// The text changed between reading and writing.
    #[error("the memory `{id}` changed while it was being edited: look at it again and repeat the edit")]
    Stale {
        /// The id.
        id: MemoryId,
    },
    /// What was begun took effect and could not be finished.
    #[error("{source}; this is half done: run the same command again, once that is put right, to finish it")]
    HalfDone {
        /// Why it could not be finished.
        source: Box<Error>,
    },
    /// Another memory has the id of one that should come back.
    #[error(
        "`{file}` holds another memory under the id `{id}`: give that one an id of its own or forget it, then bring back \
         the one in batch `{batch}`"
    )]
    IdTaken {
        /// The id.
        id: MemoryId,
        /// Where the other one stands.
        file: String,
        /// The batch that holds the one that should come back.
        batch: String,
    },
    /// A memory cannot be marked as superseded.
    #[error("`{id}` cannot be superseded: {why}")]
    NotSuperseded {
        /// The id.
        id: MemoryId,
        /// What stands against it, and what to do.
        why: String,
    },
    /// The index cannot be used; it is built anew, so nobody is troubled with this.
    #[error("the index cannot be used: {why}: `agent-memory index rebuild` makes it anew")]
    Index {
        /// What is wrong with it.
        why: String,
    },
    /// A file is larger than the limit.
    #[error(
        "`{path}` has {bytes} bytes, more than the {limit} that are read: split it, or raise `limits.file_bytes`"
    )]
    TooLarge {
        /// The file.
        path: String,
        /// Its size.
        bytes: u64,
        /// The limit.
        limit: u64,
    },
    /// A file is so full that what should come to it would make it larger than the limit.
    #[error(
        "`{path}` has no room for this, as more than {limit} bytes are not read: make room with \
         `agent-memory compact`, split it, or raise `limits.file_bytes`"
    )]
    NoRoom {
        /// The file.
        path: String,
        /// The limit.
        limit: u64,
    },
    /// A link, pipe or device stands where a file should, or a file where a folder should.
    #[error("`{path}` is a {what}, not {}: put {} there", expected(what), expected(what))]
    NotPlain {
        /// The path.
        path: String,
        /// What it is.
        what: &'static str,
    },
    /// A file lost most of its entries at once and waits for a person.
    #[error("`{path}` is frozen, {why}: look at it, then run `agent-memory doctor --accept {path}`")]
    Frozen {
        /// The file.
        path: String,
        /// What happened to it.
        why: String,
    },
    /// The operating system refused.
    #[error("could not {action} `{path}`: {source}{}", advice(source))]
    Disk {
        /// What was tried.
        action: &'static str,
        /// On which path.
        path: String,
        /// The reason.
        source: io::Error,
    },
    /// The server that the settings name for vectors gave none.
    #[error("could not get vectors from `{url}`: {why}")]
    Server {
        /// Its address.
        url: String,
        /// The reason, with what to do.
        why: String,
    },
    /// The ledger refused.
    #[error("the ledger could not {action}: {source}{}", ledger_advice(source))]
    Ledger {
        /// What was tried.
        action: &'static str,
        /// The reason.
        source: rusqlite::Error,
    },
    /// The ledger is newer than this program.
    #[error(
        "the ledger was written by a newer version (format {found}, this is {known}): update agent-memory"
    )]
    NewerLedger {
        /// The format found.
        found: i64,
        /// The format known.
        known: i64,
    },
    /// The draft cannot be kept.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// An identifier is not one.
    #[error(transparent)]
    Id(#[from] IdError),
    /// A variable of the environment holds something that is no identifier.
    #[error("the variable `{name}` cannot be used: {source}; set it to such a name, or unset it")]
    BadVariable {
        /// The variable.
        name: &'static str,
        /// What is wrong with it.
        source: IdError,
    },
    /// A profile of context is not described anywhere.
    #[error(transparent)]
    NoProfile(#[from] memory_core::context::NoProfile),
    /// Nobody can tell what a file or folder is.
    #[error(
        "what `{path}` holds cannot be told: name its kind, as in `agent-memory import markdown {path}`; \
         `agent-memory import --help` lists the kinds"
    )]
    UnknownSource {
        /// The file or folder.
        path: String,
    },
    /// What was named cannot be imported in this form.
    #[error("`{path}` cannot be imported: {why}")]
    NotImportable {
        /// The file or folder.
        path: String,
        /// What is wrong, and what to do.
        why: String,
    },
    /// The ledger or the whole root is no longer where it was when it was opened.
    #[error(
        "`{path}` was taken away or replaced while it was open, and this may be lost with it: run the command again"
    )]
    TakenAway {
        /// What is no longer there.
        path: String,
    },
    /// An archive's manifest or another file of ours does not parse.
    #[error("`{path}` is broken: {why}; `agent-memory doctor` tells more")]
    Broken {
        /// The file.
        path: String,
        /// What is wrong.
        why: String,
    },
}

/// What should stand where something else does.
fn expected(what: &str) -> &'static str {
    if what == "file" { "a folder" } else { "a plain file" }
}

fn advice(source: &io::Error) -> &'static str {
    match source.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => "; free some space and try again",
        io::ErrorKind::ReadOnlyFilesystem => "; reading still works, writing needs a writable disk",
        io::ErrorKind::PermissionDenied => "; check who owns the folder",
        _ => "",
    }
}

fn ledger_advice(source: &rusqlite::Error) -> &'static str {
    match sqlite_code(source) {
        _ if is_full(source) => "; free some space and try again",
        Some(rusqlite::ErrorCode::ReadOnly) => "; reading still works, writing needs a writable disk",
        Some(rusqlite::ErrorCode::CannotOpen) => "; check who owns `.vault` and what is in it",
        _ => "",
    }
}

/// Whether the disk is full: for the database itself, or for the small file beside it that readers share.
fn is_full(source: &rusqlite::Error) -> bool {
    let beside = |error: &rusqlite::ffi::Error| error.extended_code == rusqlite::ffi::SQLITE_IOERR_SHMSIZE;
    source.sqlite_error_code() == Some(rusqlite::ErrorCode::DiskFull)
        || source.sqlite_error().is_some_and(beside)
}

fn sqlite_code(source: &rusqlite::Error) -> Option<rusqlite::ErrorCode> {
    source.sqlite_error_code()
}

impl Error {
    /// What a file should hold cannot be written as JSON; nothing is written in its place.
    pub(crate) fn unwritten(path: &str) -> impl Fn(serde_json::Error) -> Self + '_ {
        move |error| {
            let why = format!("what it should hold cannot be written as JSON: {error}");
            Self::Broken { path: path.to_owned(), why }
        }
    }

    /// Whether something is wrong with one file alone, so that the others still answer.
    pub(crate) fn is_of_one_file(&self) -> bool {
        matches!(
            self,
            Self::TooLarge { .. }
                | Self::NoRoom { .. }
                | Self::NotPlain { .. }
                | Self::Frozen { .. }
                | Self::Disk { .. }
        )
    }

    /// Whether nothing of this name is there.
    pub fn is_not_found(&self) -> bool {
        matches!(self, Self::NoMemory { .. } | Self::InArchive { .. } | Self::NoFile { .. })
    }

    /// Whether the disk is full, so that only reading is left.
    pub(crate) fn is_of_full_disk(&self) -> bool {
        self.code() == "E_NOSPC"
    }

    /// Whether the disk lets nobody write there, so that only reading is left.
    pub(crate) fn is_unwritable(&self) -> bool {
        use rusqlite::ErrorCode as Sql;
        match self {
            Self::Disk { source, .. } => {
                matches!(source.kind(), io::ErrorKind::ReadOnlyFilesystem | io::ErrorKind::PermissionDenied)
            }
            Self::Ledger { source, .. } => {
                matches!(sqlite_code(source), Some(Sql::ReadOnly | Sql::CannotOpen))
            }
            _ => false,
        }
    }

    /// Whether the ledger cannot be asked, so that no answer could be trusted. One that only cannot be written now still
    /// answers.
    pub(crate) fn is_of_ledger(&self) -> bool {
        use rusqlite::ErrorCode as Sql;
        match self {
            Self::NewerLedger { .. } => true,
            Self::Ledger { source, .. } => !matches!(
                sqlite_code(source),
                Some(
                    Sql::DiskFull | Sql::ReadOnly | Sql::CannotOpen | Sql::DatabaseBusy | Sql::DatabaseLocked
                )
            ),
            _ => false,
        }
    }

    /// A word for programs that never changes its meaning.
    pub fn code(&self) -> &'static str {
        use rusqlite::ErrorCode as Sql;
        match self {
            Self::NoRoot { .. } | Self::AroundRoot { .. } => "E_NO_ROOT",
            Self::Untrusted { .. } | Self::OtherLedger { .. } => "E_UNTRUSTED",
            Self::NoHome => "E_NO_HOME",
            Self::Locked { .. } => "E_LOCKED",
            Self::NoMemory { .. } | Self::InArchive { .. } | Self::NoFile { .. } => "E_NOT_FOUND",
            Self::NoFolder { .. } => "E_NOT_PLAIN",
            Self::NotArchived { .. } => "E_NOT_ARCHIVED",
            Self::HalfDone { source } => source.code(),
            Self::Stale { .. } => "E_STALE",
            Self::IdTaken { .. } => "E_ID_TAKEN",
            Self::NotSuperseded { .. } => "E_NOT_SUPERSEDED",
            Self::Index { .. } => "E_INDEX",
            Self::TooLarge { .. } | Self::NoRoom { .. } => "E_TOO_LARGE",
            Self::NotPlain { .. } => "E_NOT_PLAIN",
            Self::Frozen { .. } => "E_FROZEN",
            Self::Disk { source, .. } => match source.kind() {
                io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => "E_NOSPC",
                io::ErrorKind::ReadOnlyFilesystem => "E_READONLY",
                io::ErrorKind::PermissionDenied => "E_DENIED",
                _ => "E_IO",
            },
            Self::Ledger { source, .. } => match sqlite_code(source) {
                _ if is_full(source) => "E_NOSPC",
                Some(Sql::ReadOnly | Sql::CannotOpen) => "E_READONLY",
                Some(Sql::DatabaseBusy | Sql::DatabaseLocked) => "E_LOCKED",
                Some(Sql::DatabaseCorrupt | Sql::NotADatabase) => "E_LEDGER_CORRUPT",
                _ => "E_LEDGER",
            },
            Self::Server { .. } => "E_SERVER",
            Self::NewerLedger { .. } => "E_NEWER",
            Self::Refused(Refusal::Empty) => "E_EMPTY",
            Self::Refused(Refusal::TooLong { .. }) => "E_TOO_LONG",
            Self::Refused(Refusal::Nul) => "E_NUL",
            Self::Refused(Refusal::SecretKey) => "E_SECRET_KEY",
            Self::Id(_) | Self::BadVariable { .. } => "E_BAD_ID",
            Self::NoProfile(_) => "E_NO_PROFILE",
            Self::UnknownSource { .. } => "E_UNKNOWN_SOURCE",
            Self::NotImportable { .. } => "E_NOT_IMPORTABLE",
            Self::Broken { .. } | Self::TakenAway { .. } => "E_BROKEN",
        }
    }

    /// Whether the ledger file itself is damaged, so that it must be set aside and rebuilt.
    pub(crate) fn is_corrupt_ledger(&self) -> bool {
        use rusqlite::ErrorCode as Sql;
        let Self::Ledger { source, .. } = self else { return false };
        matches!(sqlite_code(source), Some(Sql::DatabaseCorrupt | Sql::NotADatabase))
    }

    /// A file of another program that is not there.
    pub(crate) fn absent(path: &std::path::Path) -> Self {
        Self::disk("read", &path.display().to_string())(io::ErrorKind::NotFound.into())
    }

    pub(crate) fn disk(action: &'static str, path: &str) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Disk { action, path, source }
    }

    pub(crate) fn ledger(action: &'static str) -> impl FnOnce(rusqlite::Error) -> Self {
        move |source| Self::Ledger { action, source }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_of_the_ledger() {
        let check = |extended: i32, expect: &str| {
            let source = rusqlite::Error::SqliteFailure(rusqlite::ffi::Error::new(extended), None);
            assert_eq!(Error::ledger("open")(source).code(), expect, "{extended}");
        };
        check(rusqlite::ffi::SQLITE_FULL, "E_NOSPC");
        check(rusqlite::ffi::SQLITE_IOERR_SHMSIZE, "E_NOSPC");
        check(rusqlite::ffi::SQLITE_IOERR_READ, "E_LEDGER");
        check(rusqlite::ffi::SQLITE_READONLY_DIRECTORY, "E_READONLY");
        check(rusqlite::ffi::SQLITE_CORRUPT, "E_LEDGER_CORRUPT");
    }

    fn check(code: i32, of_ledger: bool, unwritable: bool) {
        let source = rusqlite::Error::SqliteFailure(rusqlite::ffi::Error::new(code), None);
        let error = Error::ledger("read")(source);
        assert_eq!((error.is_of_ledger(), error.is_unwritable()), (of_ledger, unwritable), "{error}");
        assert!(!error.is_of_one_file());
    }

    #[test]
    fn a_damaged_ledger_is_never_taken_for_a_file_that_can_be_left_out() {
        use rusqlite::ffi;
        check(ffi::SQLITE_CORRUPT, true, false);
        check(ffi::SQLITE_NOTADB, true, false);
        check(ffi::SQLITE_IOERR, true, false);
        check(ffi::SQLITE_FULL, false, false);
        check(ffi::SQLITE_BUSY, false, false);
        check(ffi::SQLITE_READONLY, false, true);
        let newer = Error::NewerLedger { found: 9, known: 1 };
        assert!(newer.is_of_ledger());
    }
}
