//! The floor: insights as the vault tool finds them, by word lists, line by line, in the agent's messages.
//!
//! The lists and bounds are those of its documentation, with the filters against noise and repetition that its
//! later version added. Word boundaries and the cut count as JavaScript does: ASCII letters, UTF-16 units.

use std::collections::HashSet;
use std::sync::LazyLock;

use aho_corasick::AhoCorasick;

use crate::kind::Kind;
use crate::memory::{Confidence, tags_in};
use crate::scope::SourceClass;
use crate::session::{Message, Role};

use super::{Bearing, Standing, Taken, calls};

/// A word list entry: what is looked for, and whether a word must end behind it. A word begins before all of them.
type Word = (&'static str, End);

#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Word,
    Any,
}

const DECISIONS: &[Word] = &[
    ("decid", End::Any),
    ("chose", End::Word),
    ("will use", End::Word),
    ("decisão", End::Any),
    ("escolh", End::Any),
    ("optamos", End::Any),
    ("adotamos", End::Any),
    ("vamos usar", End::Word),
    ("went with", End::Word),
    ("settled on", End::Word),
];

const LESSONS: &[Word] = &[
    ("learned", End::Word),
    ("important", End::Any),
    ("note:", End::Any),
    ("aprendemos", End::Any),
    ("importante", End::Any),
    ("lição", End::Any),
    ("discovery", End::Any),
    ("insight", End::Any),
    ("descobr", End::Any),
    ("observ", End::Any),
];

/// What noise begins with: marks of markdown, and openings of an agent that thinks aloud.
const MARKS: &[&str] = &["|", "```", "~~~", "<!--", ">", "**"];
const OPENINGS: &[&str] = &[
    "let me",
    "i'm thinking",
    "i need to",
    "i should",
    "i'll",
    "i'm also",
    "the user seems",
    "the user wants",
    "the user is",
    "actually,",
    "hmm",
    "wait,",
    "ok so",
    "alright",
    "looking at",
    "checking",
    "reading",
    "searching",
    "now i",
    "first i",
    "next i",
];

/// Lines are longer than this, and no more than so many of a kind are taken.
const SHORTEST: usize = 15;
const MOST: usize = 10;

/// What the vault tool would take. It knows nothing of a session but what is trusted.
pub(super) fn read(messages: &[Message], before: Standing, project: &[String]) -> (Vec<Taken>, Standing) {
    let mut standing = before;
    let mut taken: Vec<Taken> = Vec::new();
    let mut seen = HashSet::new();
    let mut left = [MOST; 2];
    for (message, said) in messages.iter().enumerate() {
        standing.untrusted |= calls::reads_strangers(said, &mut standing, project);
        if said.role != Role::Agent {
            continue;
        }
        let class = if standing.untrusted { SourceClass::Untrusted } else { SourceClass::Agent };
        for line in said.text.split('\n') {
            if left == [0, 0] {
                break;
            }
            let line = line.trim();
            let Some(kind) = kind_of_line(line) else { continue };
            let room = &mut left[usize::from(kind == Kind::Lesson)];
            let normal = normalised(line);
            if *room == 0 || normal.len() >= 20 && !seen.insert((kind.clone(), normal)) {
                continue;
            }
            *room -= 1;
            let text = cut(line);
            let tags = tags_in(text);
            taken.push(Taken {
                kind,
                text: text.to_owned(),
                message,
                class,
                confidence: Confidence::from(0.5),
                bearing: Bearing::Plain,
                tags,
                instead_of: None,
            });
        }
    }
    (taken, standing)
}

/// The kind of a trimmed line; a decision wins over a lesson.
fn kind_of_line(line: &str) -> Option<Kind> {
    if !may_hold(line) || line.encode_utf16().count() <= SHORTEST {
        return None;
    }
    let upper: String = line.chars().map(canonical).collect();
    let has = |list: &[Word]| list.iter().any(|word| holds(&upper, word));
    let kind = if has(DECISIONS) {
        Kind::Decision
    } else if has(LESSONS) {
        Kind::Lesson
    } else {
        return None;
    };
    (!is_noise(line)).then_some(kind)
}

/// The cheap look before the lists: plain pieces of all their words, and the one letter that `lição` is sure to have.
fn may_hold(line: &str) -> bool {
    static PIECES: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| {
        let words = DECISIONS.iter().chain(LESSONS).map(|(word, _)| *word);
        let plain = words.map(|word| word.split(|c: char| !c.is_ascii()).next().unwrap_or_default());
        let pieces = plain.filter(|piece| piece.len() > 2).chain(["ç", "Ç"]);
        AhoCorasick::builder().ascii_case_insensitive(true).build(pieces).ok()
    });
    PIECES.as_ref().is_none_or(|pieces| pieces.is_match(line))
}

fn is_noise(line: &str) -> bool {
    let hashes = line.bytes().take_while(|b| *b == b'#').count();
    let heading = (1..=6).contains(&hashes) && line[hashes..].starts_with(' ');
    let lower = line.get(..line.floor_char_boundary(20)).unwrap_or(line).to_lowercase().replace('’', "'");
    heading
        || MARKS.iter().any(|mark| line.starts_with(mark))
        || OPENINGS.iter().any(|opening| lower.starts_with(opening))
}

/// A character as a regular expression without regard to case compares it in JavaScript.
fn canonical(c: char) -> char {
    let mut upper = c.to_uppercase();
    match (upper.next(), upper.next()) {
        (Some(one), None) if c.is_ascii() || !one.is_ascii() => one,
        _ => c,
    }
}

fn holds(upper: &str, (word, end): &Word) -> bool {
    let word: String = word.chars().map(canonical).collect();
    let is_word = |b: Option<&u8>| b.is_some_and(|b| b.is_ascii_alphanumeric() || *b == b'_');
    let bytes = upper.as_bytes();
    upper.match_indices(&word).any(|(at, _)| {
        let begins = at == 0 || !is_word(bytes.get(at - 1));
        begins && (*end == End::Any || !is_word(bytes.get(at + word.len())))
    })
}

/// The first characters of a line in the form in which repetitions are found.
fn normalised(line: &str) -> String {
    let kept = |c: char| c.is_ascii_alphanumeric() || ('\u{c0}'..='\u{24f}').contains(&c);
    let lower = line.to_lowercase();
    let words: Vec<&str> = lower.split(|c| !kept(c)).filter(|word| !word.is_empty()).collect();
    words.join(" ").chars().take(100).collect()
}

/// The first 300 UTF-16 units.
fn cut(line: &str) -> &str {
    let mut units = 0;
    let end = line.char_indices().find(|(_, c)| {
        units += c.len_utf16();
        units > super::LONGEST
    });
    end.map_or(line, |(at, _)| &line[..at])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(line: &str, expect: impl Into<Option<Kind>>) {
        assert_eq!(kind_of_line(line), expect.into(), "{line}");
    }

    #[test]
    fn lines_by_the_lists() {
        check("We decided to use SSE here", Some(Kind::Decision));
        check("we will use postgres", Some(Kind::Decision));
        check("we will used postgres", None);
        check("undecided about this one", None);
        check("A DECISÃO foi tomada ontem", Some(Kind::Decision));
        check("a decisao foi tomada ontem", None);
        check("we decided", None);
        check("we decided, an important step", Some(Kind::Decision));
        check("it is important to test", Some(Kind::Lesson));
        check("Lição: testar sempre", Some(Kind::Lesson));
        check("footnote: this and that", None);
        check("side-note: this and that", Some(Kind::Lesson));
        // Letters beyond ASCII are no letters to JavaScript, so a word begins behind them.
        check("não é só éimportante aqui", Some(Kind::Lesson));
        check("# We decided to use SSE", None);
        check("**We decided** to use SSE", None);
        check("> we decided to use SSE", None);
        check("| we decided | to use SSE |", None);
        check("Let me note: decided later", None);
        check("Now I decided to look at it", None);
        check("- we decided to use SSE", Some(Kind::Decision));
    }

    fn texts(lines: &str) -> Vec<String> {
        let messages = [Message::new(Role::User, lines), Message::new(Role::Agent, lines)];
        read(&messages, Standing::default(), &[]).0.into_iter().map(|taken| taken.text).collect()
    }

    #[test]
    fn bounds_of_the_vault_tool() {
        let many: String =
            (0..30).map(|n| format!("we decided on number {n}\nimportant number {n}\n")).collect();
        assert_eq!(texts(&many).len(), 20);
        assert_eq!(texts("we decided to use SSE\nWe decided, to use SSE!").len(), 1);
        let long = format!("we decided {}", "ä".repeat(400));
        assert_eq!(texts(&long)[0].chars().count(), 300);
        let wide = format!("we decided {}", "😀".repeat(400));
        assert!(texts(&wide)[0].encode_utf16().count() <= 300);
    }
}
