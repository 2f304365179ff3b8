//! Why a command failed, and the exit code that says so: 1 error, 2 not found or needs confirmation, 3 bad usage.

use std::io;

use memory_engine::Error;
use memory_engine::core::id::IdError;

use crate::output::Output;
use crate::project::files::FileError;

/// What a command gives back.
pub(crate) type Outcome<T> = Result<T, Failure>;

/// Everything that ends a command early.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The engine refused.
    Engine(Error),
    /// A file outside the root could not be used.
    File(FileError),
    /// Stdout or stdin failed.
    Stream(io::Error),
    /// The command itself refuses.
    Said { code: &'static str, exit: u8, text: String },
    /// The same without a label in front, such as in the words of the vault tool.
    Verbatim { code: &'static str, exit: u8, text: String },
    /// Everything was already told.
    Told(u8),
}

impl Failure {
    /// The arguments do not fit together.
    pub(crate) fn usage(text: impl Into<String>) -> Self {
        Self::Said { code: "E_USAGE", exit: 3, text: text.into() }
    }

    /// An ordinary error with a code.
    pub(crate) fn error(code: &'static str, text: impl Into<String>) -> Self {
        Self::Said { code, exit: 1, text: text.into() }
    }

    /// What was named is not there.
    pub(crate) fn missing(code: &'static str, text: impl Into<String>) -> Self {
        Self::Said { code, exit: 2, text: text.into() }
    }

    /// Only a person or a flag may allow this.
    pub(crate) fn needs_confirmation(text: impl Into<String>) -> Self {
        Self::Said { code: "E_NEEDS_CONFIRMATION", exit: 2, text: text.into() }
    }

    /// A person was asked and said no.
    pub(crate) fn declined(text: impl Into<String>) -> Self {
        Self::Verbatim { code: "E_DECLINED", exit: 2, text: text.into() }
    }

    /// The stable word for programs.
    pub(crate) fn code(&self) -> &'static str {
        match self {
            Self::Engine(error) => error.code(),
            Self::File(error) if error.source.kind() == io::ErrorKind::NotFound => "E_NO_FILE",
            Self::File(_) | Self::Stream(_) => "E_IO",
            Self::Said { code, .. } | Self::Verbatim { code, .. } => code,
            // Whoever told it has given its code.
            Self::Told(_) => "",
        }
    }

    /// The message for people.
    pub(crate) fn text(&self) -> String {
        match self {
            Self::Engine(error) => error.to_string(),
            Self::File(error) => {
                format!("could not {} `{}`: {}", error.action, error.path.display(), error.source)
            }
            Self::Stream(error) => format!("could not read or write a stream: {error}"),
            Self::Said { text, .. } | Self::Verbatim { text, .. } => text.clone(),
            Self::Told(_) => String::new(),
        }
    }

    fn exit(&self) -> u8 {
        match self {
            Self::Engine(error) if error.is_not_found() => 2,
            Self::Engine(
                Error::NotArchived { .. }
                | Error::NoRoot { .. }
                | Error::AroundRoot { .. }
                | Error::Untrusted { .. }
                | Error::OtherLedger { .. },
            ) => 2,
            Self::Engine(Error::Id(_) | Error::BadVariable { .. }) => 3,
            Self::Engine(_) => 1,
            Self::Said { exit, .. } | Self::Verbatim { exit, .. } | Self::Told(exit) => *exit,
            // A reader that has seen enough, such as `head`, is not an error.
            Self::Stream(error) if error.kind() == io::ErrorKind::BrokenPipe => 0,
            Self::File(_) if self.code() == "E_NO_FILE" => 2,
            Self::File(_) | Self::Stream(_) => 1,
        }
    }

    /// Tells it and gives the exit code.
    pub(crate) fn report(&self, out: &mut Output) -> u8 {
        let told = match self {
            Self::Told(_) => Ok(()),
            Self::Stream(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
            Self::Stream(_) => {
                out.complain(self.code(), &self.text());
                Ok(())
            }
            Self::Verbatim { .. } => out.error_verbatim(self.code(), &self.text()),
            _ => out.error(self.code(), &self.text()),
        };
        if let Err(error) = told
            && error.kind() != io::ErrorKind::BrokenPipe
        {
            out.complain(self.code(), &self.text());
        }
        self.exit()
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Engine(error)
    }
}

impl From<IdError> for Failure {
    fn from(error: IdError) -> Self {
        Self::Engine(error.into())
    }
}

impl From<FileError> for Failure {
    fn from(error: FileError) -> Self {
        Self::File(error)
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Stream(error)
    }
}
