//! Three macros that declare what history files hold: records, closed sets of words, and numbered ids.
//!
//! Each declares a type together with its form in the file, so that the two cannot drift apart. Every such
//! type also reads and writes itself through serde, in the same form.

/// Declares a struct and the keys of its fields; unknown keys are kept in `extra`.
macro_rules! record {
    (
        $(#[$about:meta])*
        $name:ident {
            $( $(#[$doc:meta])* $field:ident: $type:ty = $key:literal, )*
        }
    ) => {
        $(#[$about])*
        #[derive(Debug, Clone, PartialEq, Eq, Default)]
        pub struct $name {
            $( $(#[$doc])* pub $field: $type, )*
            /// Fields that this version does not know, carried along untouched.
            pub extra: serde_json::Map<String, serde_json::Value>,
        }

        impl $crate::event::fields::Field for $name {
            fn read(
                value: serde_json::Value,
                at: &$crate::event::fields::At<'_>,
            ) -> Result<Self, $crate::event::HistoryError> {
                let mut fields = $crate::event::fields::Fields::of(value, at)?;
                Ok(Self { $( $field: fields.take($key)?, )* extra: fields.rest() })
            }

            fn write(&self) -> serde_json::Value {
                let mut known = serde_json::Map::new();
                $( known.insert($key.to_owned(), $crate::event::fields::Field::write(&self.$field)); )*
                $crate::event::fields::object(known, &self.extra)
            }
        }

        $crate::event::record::serde_by_fields!($name);
    };
}

/// Declares an enum whose variants stand as words in the file; any other word is refused.
macro_rules! words {
    (
        $(#[$about:meta])*
        $name:ident { $( $(#[$doc:meta])* $variant:ident = $word:literal, )* }
    ) => {
        $(#[$about])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
        pub enum $name {
            $( $(#[$doc])* $variant, )*
        }

        impl $name {
            /// The word for it in the file.
            pub fn word(self) -> &'static str {
                match self {
                    $( Self::$variant => $word, )*
                }
            }

            /// The one that a word stands for.
            pub fn of_word(word: &str) -> Option<Self> {
                match word {
                    $( $word => Some(Self::$variant), )*
                    _ => None,
                }
            }
        }

        impl $crate::event::fields::Field for $name {
            fn read(
                value: serde_json::Value,
                at: &$crate::event::fields::At<'_>,
            ) -> Result<Self, $crate::event::HistoryError> {
                let text = <String as $crate::event::fields::Field>::read(value, at)?;
                Self::of_word(&text).ok_or_else(|| {
                    let found = $crate::event::fields::shown(&text);
                    at.refuse(format!("is `{found}`, it must be one of: {}", [$($word),*].join(", ")))
                })
            }

            fn write(&self) -> serde_json::Value {
                serde_json::Value::from(self.word())
            }
        }

        $crate::event::record::serde_by_fields!($name);
    };
}

/// Declares an id of a prefix and a running number, written with six digits or more.
macro_rules! numbered {
    ($(#[$about:meta])* $name:ident, $prefix:literal, $what:literal) => {
        $(#[$about])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
        pub struct $name(u64);

        impl $name {
            /// The id of a number; `None` beyond fifteen digits, where other readers lose exactness.
            pub fn new(number: u64) -> Option<Self> {
                (number <= 999_999_999_999_999).then_some(Self(number))
            }

            /// The running number.
            pub fn number(self) -> u64 {
                self.0
            }

            /// Reads an id; a number with fewer zeros in front is the same id.
            pub fn parse(text: &str) -> Result<Self, $crate::id::IdError> {
                text.strip_prefix($prefix)
                    .filter(|digits| digits.len() <= 15 && digits.bytes().all(|b| b.is_ascii_digit()))
                    .and_then(|digits| digits.parse().ok())
                    .map(Self)
                    .ok_or_else(|| $crate::id::IdError {
                        what: $what,
                        shown: $crate::event::fields::shown(text),
                        why: concat!("it must be like `", $prefix, "000001`, with up to 15 digits"),
                    })
            }

            /// The id after the highest of those in use; `None` when the numbers have run out.
            pub fn after(used: impl IntoIterator<Item = Self>) -> Option<Self> {
                Self::new(used.into_iter().max().map_or(1, |highest| highest.0 + 1))
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(out, concat!($prefix, "{:06}"), self.0)
            }
        }

        impl std::str::FromStr for $name {
            type Err = $crate::id::IdError;
            fn from_str(text: &str) -> Result<Self, $crate::id::IdError> {
                Self::parse(text)
            }
        }

        impl $crate::event::fields::Field for $name {
            fn read(
                value: serde_json::Value,
                at: &$crate::event::fields::At<'_>,
            ) -> Result<Self, $crate::event::HistoryError> {
                $crate::event::fields::identifier(value, at, Self::parse)
            }

            fn write(&self) -> serde_json::Value {
                serde_json::Value::String(self.to_string())
            }
        }

        $crate::event::record::serde_by_fields!($name);
    };
}

/// Gives a field type the same form in serde.
macro_rules! serde_by_fields {
    ($name:ident) => {
        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
                serde::Serialize::serialize(&$crate::event::fields::Field::write(self), out)
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(input: D) -> Result<Self, D::Error> {
                let value = <serde_json::Value as serde::Deserialize>::deserialize(input)?;
                $crate::event::fields::Field::read(value, &$crate::event::fields::At::Top)
                    .map_err(serde::de::Error::custom)
            }
        }
    };
}

pub(crate) use {numbered, record, serde_by_fields, words};
