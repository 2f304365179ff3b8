//! The numbers that a setting may be, where its type alone would let in more.

use serde::{Deserialize, Deserializer, de};

/// A part of a whole, from 0 to 1.
pub(super) fn share<'de, D, N>(from: D) -> Result<N, D::Error>
where
    D: Deserializer<'de>,
    N: Deserialize<'de> + Into<f64> + Copy,
{
    let number = N::deserialize(from)?;
    // What is no number lies within no range.
    if (0.0..=1.0).contains(&number.into()) {
        Ok(number)
    } else {
        Err(de::Error::custom("it must be a number from 0 to 1"))
    }
}

/// More than nothing.
pub(super) fn some<'de, D, N>(from: D) -> Result<N, D::Error>
where
    D: Deserializer<'de>,
    N: Deserialize<'de> + PartialEq + Default,
{
    let number = N::deserialize(from)?;
    if number == N::default() { Err(de::Error::custom("it must be more than 0")) } else { Ok(number) }
}
