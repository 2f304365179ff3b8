//! Whether one text says what another says: the same words in the same order.

use crate::text::folded;

/// The words of a text as it is printed, as hashes.
pub(super) struct Words(Vec<u64>);

impl Words {
    pub(super) fn of(text: &str) -> Self {
        let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        Self(words.map(hash_of_word).collect())
    }

    /// Whether the others stand among these one after another. All of them in another order would not do: "tabs, not
    /// spaces" and "spaces, not tabs" are opposites.
    pub(super) fn hold(&self, others: &Self) -> bool {
        match others.0.first() {
            None => true,
            Some(first) => {
                let mut starts = self.0.iter().enumerate().filter(|(_, word)| *word == first);
                starts.any(|(at, _)| self.0[at..].starts_with(&others.0))
            }
        }
    }
}

/// The hash of a word as it is without case and accents.
fn hash_of_word(word: &str) -> u64 {
    if word.is_ascii() {
        hash(word.bytes().map(|byte| byte.to_ascii_lowercase()))
    } else {
        hash(folded(word).bytes())
    }
}

/// FNV-1a: the same on every machine, which a context must be.
fn hash(bytes: impl Iterator<Item = u8>) -> u64 {
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_holds_what_stands_in_it_in_its_order() {
        let check = |told: &str, said: &str, expect: bool| {
            assert_eq!(Words::of(told).hold(&Words::of(said)), expect, "{told:?} {said:?}");
        };
        check("We use SSE, because proxies drop sockets", "we use sse", true);
        check("Preferimos a Ação rápida", "acao rapida", true);
        check("tabs not spaces", "spaces not tabs", false);
        check("tabs not spaces", "tabs spaces", false);
        check("a a b", "a b", true);
        check("a b", "a b c", false);
        check("", "a", false);
        check("a", "…", true);
    }
}
