//! Of two memories that say the same in two languages, the one in the language of the question is meant.

use super::changed::Told;
use crate::text::{Language, language_of};

/// One that has this share of the other's score answers as well.
const AS_WELL: f32 = 0.9;

impl Told<'_> {
    /// Whether it is as good an answer as one that stands before it, and alone of the two in the language that was asked in.
    /// Whether both say the same is for the caller to find out.
    pub fn is_rather_in(&self, asked: Language, before: &Self) -> bool {
        asked != Language::Other
            && before.score > 0.0
            && self.score >= AS_WELL * before.score
            && self.words.len() >= before.words.len()
            && language_of(self.text) == asked
            && ![asked, Language::Other].contains(&language_of(before.text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kind::Kind;

    fn told<'a>(text: &'a str, score: f32, words: &'a [&'a str]) -> Told<'a> {
        Told { kind: &Kind::Note, text, created: 0, score, words }
    }

    #[test]
    fn the_language_of_the_question_decides_between_equals() {
        let (english, portuguese) =
            ("the login failed after the update", "o login falhou depois da atualização");
        let check = |asked, text, before, expect| {
            assert_eq!(told(text, 0.95, &[]).is_rather_in(asked, &told(before, 1.0, &[])), expect, "{text}");
        };
        check(Language::Portuguese, portuguese, english, true);
        check(Language::English, english, portuguese, true);
        check(Language::Portuguese, english, portuguese, false);
        check(Language::Portuguese, portuguese, portuguese, false);
        check(Language::Other, portuguese, english, false);
        check(Language::Portuguese, portuguese, "ログインに失敗した", false);
    }

    #[test]
    fn who_answers_better_stays_first() {
        let before = told("the login failed after the update", 1.0, &["login"]);
        let after = |score, words| told("o login falhou depois da atualização", score, words);
        assert!(after(0.9, &["login"]).is_rather_in(Language::Portuguese, &before));
        assert!(!after(0.8, &["login"]).is_rather_in(Language::Portuguese, &before));
        assert!(!after(0.9, &[]).is_rather_in(Language::Portuguese, &before));
    }
}
