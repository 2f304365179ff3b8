//! What a turn of a conversation is like: who says it, and whether it asks, speaks of whoever says it, or names something.

use memory_core::extract;
use memory_core::text::sentences;

/// What somebody said.
#[derive(Debug, Clone, Copy)]
pub(super) struct Turn<'a> {
    pub(super) speaker: Option<&'a str>,
    said: &'a str,
}

/// Words by which people speak of themselves.
const OF_SELF: &[&str] = &[
    "i", "im", "ive", "me", "mine", "my", "myself", "our", "us", "we", "comigo", "eu", "meu", "meus", "mim",
    "minha", "minhas", "nossa", "nosso", "nós",
];

impl<'a> Turn<'a> {
    /// A text that begins `Name: …`, or one without a name.
    pub(super) fn of(text: &'a str) -> Self {
        let named = text.split_once(':').filter(|(name, rest)| is_name(name) && rest.starts_with(' '));
        match named {
            Some((name, said)) => Self { speaker: Some(name), said },
            None => Self { speaker: None, said: text },
        }
    }

    /// Whether more than half of it is questions.
    pub(super) fn asks(self) -> bool {
        let (mut all, mut asked) = (0, 0);
        for sentence in sentences(self.said) {
            let length = sentence.len();
            let text = self.said.get(sentence).unwrap_or_default();
            all += length;
            if text.trim_end_matches(['"', '\'', '”', ')', '*']).ends_with('?') {
                asked += length;
            }
        }
        2 * asked > all
    }

    /// Whether it speaks of whoever says it.
    pub(super) fn is_of_self(self) -> bool {
        let mut words = self.said.split(|c: char| !c.is_alphanumeric());
        words.any(|word| word.len() <= 8 && OF_SELF.contains(&word.to_lowercase().as_str()))
    }

    /// Whether it says how whoever says it wants things.
    pub(super) fn says_how(self) -> bool {
        extract::says_how(self.said)
    }

    /// Whether there is a name or a number in it.
    pub(super) fn names(self) -> bool {
        let mut begins = true;
        self.said.split_whitespace().any(|word| {
            let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
            let is_i = bare.strip_prefix('I').is_some_and(|rest| !rest.starts_with(char::is_alphanumeric));
            let is_name = !begins && !is_i && bare.starts_with(char::is_uppercase);
            begins = word.ends_with(['.', '!', '?', ':']);
            is_name || bare.starts_with(|c: char| c.is_ascii_digit())
        })
    }
}

fn is_name(name: &str) -> bool {
    name.len() <= 40
        && !name.contains('\n')
        && name.split(' ').count() <= 4
        && name.starts_with(char::is_alphabetic)
        && name.chars().all(|c| c.is_alphanumeric() || matches!(c, ' ' | '.' | '-' | '_' | '\''))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, speaker: Option<&str>, is: [bool; 3]) {
        let turn = Turn::of(text);
        assert_eq!((turn.speaker, [turn.asks(), turn.is_of_self(), turn.names()]), (speaker, is), "{text}");
    }

    #[test]
    fn what_turns_are_like() {
        check("", None, [false, false, false]);
        check("Ana: What is your favorite thing about it?", Some("Ana"), [true, false, false]);
        check("Ana: I moved here last year, all of it by train. You?", Some("Ana"), [false, true, false]);
        check("Zé da Silva: Meu gato se chama Tom", Some("Zé da Silva"), [false, true, true]);
        check("I'm fine. Thanks! I'd say so", None, [false, true, false]);
        check("Well: that took 3 hours", Some("Well"), [false, false, true]);
        check("see https://example.org for it", None, [false, false, false]);
    }
}
