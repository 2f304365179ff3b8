//! JSON values of bounded size: a short text can hold millions of values, each many times larger in memory.

use std::cell::Cell;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

/// The most values that one record may hold; real ones hold hundreds.
const MOST: usize = 400_000;

/// Reads one value and nothing after it.
pub(super) fn parse(bytes: &[u8]) -> Result<Value, serde_json::Error> {
    let left = Cell::new(MOST);
    let mut from = serde_json::Deserializer::from_slice(bytes);
    let value = Part { left: &left }.deserialize(&mut from)?;
    from.end()?;
    Ok(value)
}

/// A value within what is left.
#[derive(Clone, Copy)]
struct Part<'a> {
    left: &'a Cell<usize>,
}

impl Part<'_> {
    fn count<E: Error>(self) -> Result<(), E> {
        let left = self.left.get().checked_sub(1);
        self.left.set(left.ok_or_else(|| E::custom(format!("it holds more than {MOST} values")))?);
        Ok(())
    }
}

impl<'de> DeserializeSeed<'de> for Part<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<Value, D::Error> {
        self.count()?;
        from.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Part<'_> {
    type Value = Value;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::String(value.to_owned()))
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(Value::String(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut from: A) -> Result<Value, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = from.next_element_seed(self)? {
            items.push(item);
        }
        Ok(Value::Array(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut from: A) -> Result<Value, A::Error> {
        let mut fields = Map::new();
        while let Some(key) = from.next_key::<String>()? {
            fields.insert(key, from.next_value_seed(self)?);
        }
        Ok(Value::Object(fields))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_those_of_serde_json() {
        for text in [
            "null",
            "true",
            "-1",
            "1.5e3",
            "18446744073709551615",
            "\"a\\n\"",
            "[]",
            "[1,[2,{}]]",
            "{\"b\":{\"a\":null},\"a\":[]}",
        ] {
            let expect: Value = serde_json::from_str(text).unwrap();
            assert_eq!(parse(text.as_bytes()).unwrap().to_string(), expect.to_string());
        }
        for text in ["", "1 2", "{", "[1,]", "nul"] {
            assert!(parse(text.as_bytes()).is_err(), "{text}");
        }
    }

    #[test]
    fn a_text_with_millions_of_values_is_refused() {
        let many = |count: usize| format!("[{}1]", "1,".repeat(count));
        assert!(parse(many(1000).as_bytes()).is_ok());
        assert!(parse(many(MOST).as_bytes()).is_err());
        assert!(parse(&b"[".repeat(100_000)).is_err(), "deep nesting must not end the process");
    }
}
