//! The fields of the JSON objects in history files, and the one error that reading them can give.
//!
//! A field is read with its whole path at hand, so that an error says `bundle.gotchas[2].title` and not only
//! what was expected. Fields that nobody asked for are carried along: writing gives them back in their order.

use std::fmt;

use serde_json::{Map, Value};

use crate::id::{AgentId, IdError, SessionId};
use crate::time::Time;

/// Why the text of a history file is not what it should be.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum HistoryError {
    /// The text is no JSON, or nested too deeply.
    #[error(
        "not valid JSON at line {line}, column {column}: {why}; mend it or put a saved copy in its place"
    )]
    Syntax {
        /// The line, counted from 1.
        line: usize,
        /// The column in bytes, counted from 1.
        column: usize,
        /// What the parser expected.
        why: String,
    },
    /// A field is missing or holds something else.
    #[error("`{path}` {why}")]
    Field {
        /// The field from the top, such as `bundle.gotchas[2].title`.
        path: String,
        /// What is wrong with it and what would be right.
        why: String,
    },
    /// The bundle is not the one that was hashed.
    #[error(
        "`bundleHash` is `{written}` but the bundle gives `{actual}`; it was changed by hand, rebuild it"
    )]
    Hash {
        /// The hash in the file, shortened.
        written: String,
        /// The hash of the bundle as it stands.
        actual: String,
    },
}

impl From<&serde_json::Error> for HistoryError {
    fn from(error: &serde_json::Error) -> Self {
        let text = error.to_string();
        let why = text.rsplit_once(" at line ").map_or(text.as_str(), |(why, _)| why).to_owned();
        Self::Syntax { line: error.line(), column: error.column(), why }
    }
}

/// Something that stands in a history file as a JSON value.
pub(crate) trait Field: Sized {
    /// Takes it out of a value; `at` is where the value stands.
    fn read(value: Value, at: &At<'_>) -> Result<Self, HistoryError>;

    /// The value that stands for it.
    fn write(&self) -> Value;
}

/// Where a value stands, from the inside out.
pub(crate) enum At<'a> {
    /// The whole document.
    Top,
    /// Under a key.
    Key(&'a At<'a>, &'static str),
    /// In a list.
    Item(&'a At<'a>, usize),
}

impl At<'_> {
    /// The error that this value gives.
    pub(crate) fn refuse(&self, why: impl Into<String>) -> HistoryError {
        HistoryError::Field { path: self.to_string(), why: why.into() }
    }

    fn expected(&self, what: &str, found: &Value) -> HistoryError {
        let found = match found {
            Value::Null => "null",
            Value::Bool(_) => "true or false",
            Value::Number(_) => "another number",
            Value::String(_) => "text",
            Value::Array(_) => "a list",
            Value::Object(_) => "an object",
        };
        self.refuse(format!("must be {what}, it is {found}"))
    }
}

impl fmt::Display for At<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Top => out.write_str("document"),
            Self::Key(Self::Top, key) => out.write_str(key),
            Self::Key(parent, key) => write!(out, "{parent}.{key}"),
            Self::Item(Self::Top, n) => write!(out, "[{n}]"),
            Self::Item(parent, n) => write!(out, "{parent}[{n}]"),
        }
    }
}

/// Text for a message: shortened, with control characters escaped.
pub(crate) fn shown(text: &str) -> String {
    let mut shown: String = text.chars().take(80).flat_map(char::escape_debug).collect();
    if text.chars().nth(80).is_some() {
        shown.push('…');
    }
    shown
}

/// Reads a whole document; a byte order mark before it is passed over.
pub(crate) fn document<T: Field>(text: &str) -> Result<T, HistoryError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let value: Value = serde_json::from_str(text).map_err(|error| HistoryError::from(&error))?;
    T::read(value, &At::Top)
}

/// The fields of an object that are still to be taken.
pub(crate) struct Fields<'a> {
    left: Map<String, Value>,
    at: &'a At<'a>,
}

impl<'a> Fields<'a> {
    /// The fields of a value that should be an object.
    pub(crate) fn of(value: Value, at: &'a At<'a>) -> Result<Self, HistoryError> {
        match value {
            Value::Object(left) => Ok(Self { left, at }),
            other => Err(at.expected("an object", &other)),
        }
    }

    /// Takes a field that must be there.
    pub(crate) fn take<T: Field>(&mut self, key: &'static str) -> Result<T, HistoryError> {
        let at = At::Key(self.at, key);
        match self.left.shift_remove(key) {
            Some(value) => T::read(value, &at),
            None => Err(at.refuse("is missing")),
        }
    }

    /// Takes a field that may be missing or null.
    pub(crate) fn take_if_there<T: Field>(&mut self, key: &'static str) -> Result<Option<T>, HistoryError> {
        if self.left.contains_key(key) { self.take(key) } else { Ok(None) }
    }

    /// What nobody asked for, in the order of the file.
    pub(crate) fn rest(self) -> Map<String, Value> {
        self.left
    }
}

/// An object of known fields followed by the carried ones; a known field wins over a carried one of its name.
pub(crate) fn object(mut known: Map<String, Value>, extra: &Map<String, Value>) -> Value {
    for (key, value) in extra {
        if !known.contains_key(key) {
            known.insert(key.clone(), value.clone());
        }
    }
    Value::Object(known)
}

/// Reads text with the rule of an identifier.
pub(crate) fn identifier<T>(
    value: Value,
    at: &At<'_>,
    parse: impl FnOnce(&str) -> Result<T, IdError>,
) -> Result<T, HistoryError> {
    parse(&String::read(value, at)?).map_err(|error| at.refuse(format!("is refused: {error}")))
}

impl Field for String {
    fn read(value: Value, at: &At<'_>) -> Result<Self, HistoryError> {
        match value {
            Value::String(text) => Ok(text),
            other => Err(at.expected("text", &other)),
        }
    }

    fn write(&self) -> Value {
        Value::String(self.clone())
    }
}

impl Field for u64 {
    fn read(value: Value, at: &At<'_>) -> Result<Self, HistoryError> {
        value.as_u64().ok_or_else(|| at.expected("a whole number from 0", &value))
    }

    fn write(&self) -> Value {
        Value::from(*self)
    }
}

impl Field for Time {
    fn read(value: Value, at: &At<'_>) -> Result<Self, HistoryError> {
        let text = String::read(value, at)?;
        // A year that `iso` cannot write would come back as another time, so it is refused at the door.
        Self::parse(&text).filter(|time| Self::parse(&time.iso()) == Some(*time)).ok_or_else(|| {
            at.refuse(format!(
                "is `{}`, which is no time; write it like `2026-03-16T16:51:09.123Z`",
                shown(&text)
            ))
        })
    }

    fn write(&self) -> Value {
        Value::String(self.iso())
    }
}

impl Field for SessionId {
    fn read(value: Value, at: &At<'_>) -> Result<Self, HistoryError> {
        identifier(value, at, Self::parse)
    }

    fn write(&self) -> Value {
        Value::from(self.as_str())
    }
}

impl Field for AgentId {
    fn read(value: Value, at: &At<'_>) -> Result<Self, HistoryError> {
        identifier(value, at, Self::parse)
    }

    fn write(&self) -> Value {
        Value::from(self.as_str())
    }
}

impl<T: Field> Field for Option<T> {
    fn read(value: Value, at: &At<'_>) -> Result<Self, HistoryError> {
        if value.is_null() { Ok(None) } else { T::read(value, at).map(Some) }
    }

    fn write(&self) -> Value {
        self.as_ref().map_or(Value::Null, Field::write)
    }
}

impl<T: Field> Field for Vec<T> {
    fn read(value: Value, at: &At<'_>) -> Result<Self, HistoryError> {
        match value {
            Value::Array(items) => {
                items.into_iter().enumerate().map(|(n, item)| T::read(item, &At::Item(at, n))).collect()
            }
            other => Err(at.expected("a list", &other)),
        }
    }

    fn write(&self) -> Value {
        Value::Array(self.iter().map(Field::write).collect())
    }
}
