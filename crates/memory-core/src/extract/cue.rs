//! The words that give away what a sentence is, in English and Portuguese, each with what it speaks for.
//!
//! Cues are found in the folded form of a sentence in one pass, whole words only. `^` and `$` in a cue are the
//! beginning and the end of the sentence. [`may_matter`] is the cheap look at raw text that comes before: it says no
//! to no text that holds a cue with one space between its words.

use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};

use super::wording::folded;

mod around;
mod frames;
mod words;

/// What a cue speaks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Class {
    /// Something was decided, whoever says it.
    Decide,
    /// A person settles something.
    Settle,
    /// A person tells to use, keep or drop something.
    Order,
    /// A person tells to do something, which settles how when there was a question or a finding before.
    Tell,
    /// A decision that is one only with its reason, or with what it was chosen over.
    Choose,
    /// One thing in the place of another.
    Over,
    /// Something is not to be, or not to be spoken of any more.
    Ban,
    /// A person ends the matter.
    Close,
    /// It holds from here on.
    Onward,
    /// Not to do something.
    Against,
    Reason,
    /// Something was learned.
    Lesson,
    /// Something is to be heeded, which is a lesson where something goes wrong.
    Heed,
    /// The next sentence says what was found.
    Found,
    /// Something goes wrong.
    Trouble,
    /// A person says that something goes wrong, in words that say little when an agent uses them.
    Ails,
    /// Something is not there, which is trouble only where there is trouble already.
    Lacking,
    /// What anybody would say to anybody.
    Advice,
    /// One thing makes another happen.
    Cause,
    /// What helps.
    Fix,
    /// Something is still to be done.
    Task,
    /// Something could be done next: a task when a person says so or has asked for it.
    Plan,
    /// It is asked what is left to do.
    Left,
    /// Somebody is to be reminded.
    Remind,
    /// Something is to be remembered.
    Fact,
    /// How a person wants things.
    Prefer,
    /// A rule for all times: only of a person to an agent.
    Rule,
    /// Perhaps.
    Hedge,
    /// Somebody finds that it ought to be.
    Should,
    /// How the agent writes and works, and not what it builds.
    Manner,
    /// Nothing was decided.
    Undecided,
    /// If, would, could.
    Would,
    /// A question without its sign.
    Ask,
    /// Something is asked of the agent in the middle of a sentence.
    Request,
    /// An agent thinks aloud.
    Aloud,
    /// An agent tells what it did.
    Report,
    /// What was said before does not hold any more.
    Reverse,
    /// The same with its object.
    Undo,
    /// An agent tells what it was told before.
    Recall,
    /// It was so before.
    Formerly,
    /// Once more.
    Again,
    /// Somebody else is spoken of.
    Others,
    /// Something is proposed.
    Propose,
    /// Several ways are named.
    Options,
    /// A question that wants a choice.
    Choice,
    /// Nothing but yes.
    Accept,
    /// A file that matters.
    Place,
    DecisionsTitle,
    LessonsTitle,
    TasksTitle,
    PlansTitle,
    OptionsTitle,
}

/// Classes that take a decision back to a thought.
pub(super) const UNSURE: &[Class] =
    &[Class::Hedge, Class::Should, Class::Undecided, Class::Would, Class::Ask, Class::Request];

/// Classes of which one must be there for a sentence of an agent to be worth a look.
const WANTED: &[Class] = &[
    Class::Decide,
    Class::Choose,
    Class::Lesson,
    Class::Heed,
    Class::Found,
    Class::Cause,
    Class::Task,
    Class::Plan,
    Class::Remind,
    Class::Fact,
    Class::Prefer,
    Class::Reverse,
    Class::Undo,
    Class::Propose,
    Class::Options,
    Class::Place,
    Class::DecisionsTitle,
    Class::LessonsTitle,
    Class::TasksTitle,
    Class::PlansTitle,
];

/// The classes of the cues in a sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Hits(u64);

impl Hits {
    /// The cues of a folded sentence.
    pub(super) fn of(folded: &str) -> Self {
        let Some(automaton) = &CUES.automaton else { return Self::default() };
        let found = automaton.find_overlapping_iter(folded);
        Self(
            found
                .filter_map(|hit| CUES.classes.get(hit.pattern().as_usize()))
                .fold(0, |bits, class| bits | bit(*class)),
        )
    }

    /// The cues of either.
    pub(super) fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub(super) fn has(self, class: Class) -> bool {
        self.0 & bit(class) != 0
    }

    pub(super) fn any(self, classes: &[Class]) -> bool {
        classes.iter().any(|class| self.has(*class))
    }
}

fn bit(class: Class) -> u64 {
    1 << class as u64
}

/// Whether a raw text may hold a cue that an agent's sentence needs, a label, or an item that is open or ticked.
pub(super) fn may_matter(raw: &str) -> bool {
    let Some(look) = LOOK.as_ref() else { return true };
    let bytes = raw.as_bytes();
    // A piece counts where it does not go on as a longer word.
    let goes_on = |at: Option<usize>| at.and_then(|at| bytes.get(at)).is_some_and(u8::is_ascii_alphanumeric);
    look.find_overlapping_iter(raw).any(|hit| {
        let signs = bytes.get(hit.end() - 1).is_some_and(|b| !b.is_ascii_alphanumeric());
        !goes_on(hit.start().checked_sub(1)) && (signs || !goes_on(Some(hit.end())))
    })
}

/// All cues that are written out.
fn table() -> impl Iterator<Item = (Class, &'static str)> {
    let rows = words::CUES.iter().chain(around::AROUND);
    rows.flat_map(|(class, cues)| cues.iter().map(|cue| (*class, *cue)))
}

/// All cues that are made of two halves, each with its second half.
fn framed() -> impl Iterator<Item = (Class, String, &'static str)> {
    frames::FRAMES.iter().flat_map(|(class, heads, tails)| {
        heads.iter().flat_map(move |head| tails.iter().map(move |tail| (*class, joined(head, tail), *tail)))
    })
}

fn joined(head: &str, tail: &str) -> String {
    match head {
        "" | "^" => format!("{head}{tail}"),
        _ => format!("{head} {tail}").trim_end().to_owned(),
    }
}

struct Cues {
    automaton: Option<AhoCorasick>,
    classes: Vec<Class>,
}

static CUES: LazyLock<Cues> = LazyLock::new(|| {
    let mut patterns = Vec::new();
    let mut classes = Vec::new();
    let written = table().map(|(class, cue)| (class, pattern(cue)));
    for (class, cue) in written.chain(framed().map(|(class, cue, _)| (class, pattern(&cue)))) {
        patterns.push(cue);
        classes.push(class);
    }
    let automaton = AhoCorasick::builder().match_kind(MatchKind::Standard).build(patterns).ok();
    Cues { automaton, classes }
});

/// A cue as it stands in a folded sentence.
fn pattern(cue: &str) -> String {
    let words = folded(cue.trim_start_matches('^').trim_end_matches('$'));
    let inner = words.trim_start_matches('^').trim_end_matches('$');
    let start = if cue.starts_with('^') { "^" } else { "" };
    let end = if cue.ends_with('$') { "$" } else { "" };
    format!("{start}{inner}{end}")
}

static LOOK: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| {
    let mut pieces: Vec<String> = Vec::new();
    table().filter(|(class, _)| WANTED.contains(class)).for_each(|(_, cue)| raw_pieces(cue, &mut pieces));
    for (_, cue, tail) in framed().filter(|(class, ..)| WANTED.contains(class)) {
        // The first half may be written with an apostrophe.
        raw_pieces(if has_long_run(tail) { tail } else { &cue }, &mut pieces);
    }
    pieces.extend(super::label::pieces());
    pieces.push("[ ]".to_owned());
    pieces.push("[x]".to_owned());
    pieces.push("~~".to_owned());
    pieces.extend(super::lines::TICKS.iter().map(|tick| (*tick).to_owned()));
    pieces.sort_unstable();
    pieces.dedup();
    AhoCorasick::builder()
        .match_kind(MatchKind::Standard)
        .kind(Some(AhoCorasickKind::DFA))
        .ascii_case_insensitive(true)
        .build(pieces)
        .ok()
});

/// What stands in the raw text of a cue: the longest run of plain letters of a word, and that word without accents.
/// A short run stands in too many texts; there the whole cue is looked for, in the ways of writing it.
pub(super) fn raw_pieces(cue: &str, pieces: &mut Vec<String>) {
    let cue = cue.trim_start_matches('^').trim_end_matches('$').trim();
    // The apostrophe of `I'll` is not in the cue.
    let behind = [("ill ", "ll"), ("ive ", "ve"), ("weve ", "ve"), ("were ", "re"), ("dont ", "t")];
    let behind = behind.iter().find_map(|(short, end)| Some(format!("{end} {}", cue.strip_prefix(short)?)));
    let cue = behind.as_deref().unwrap_or(cue);
    let word = cue.split(' ').max_by_key(|word| run_of(word)).unwrap_or_default();
    let plain = |text: &str| folded(text).trim_start_matches("^ ").trim_end_matches(" $").to_owned();
    if run_of(word) > 3 {
        let run = word.split(|c: char| !c.is_ascii()).max_by_key(|run| run.len()).unwrap_or_default();
        pieces.extend([run.to_owned(), plain(word)]);
        return;
    }
    pieces.extend([cue.to_uppercase(), plain(cue), cue.to_owned()]);
}

/// The longest run of plain letters in a word.
fn run_of(word: &str) -> usize {
    word.split(|c: char| !c.is_ascii()).map(str::len).max().unwrap_or_default()
}

fn has_long_run(cue: &str) -> bool {
    cue.split(' ').any(|word| run_of(word) > 3)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(sentence: &str, classes: &[Class]) {
        let hits = Hits::of(&folded(sentence));
        for class in classes {
            assert!(hits.has(*class), "{sentence}: {class:?}");
        }
    }

    #[test]
    fn cues_are_whole_words_at_their_place() {
        check("We decided to go", &[Class::Decide]);
        check("a decisão foi usar isto", &[Class::Decide]);
        check("A DECISAO FOI usar", &[Class::Decide]);
        assert!(!Hits::of(&folded("who owe decided")).has(Class::Decide));
    }

    #[test]
    fn the_cheap_look_passes_every_wanted_cue() {
        let written = table().map(|(class, cue)| (class, cue.to_owned()));
        let cues = written.chain(framed().map(|(class, cue, _)| (class, cue)));
        for (class, cue) in cues.filter(|(class, _)| WANTED.contains(class)) {
            let plain = cue.trim_start_matches('^').trim_end_matches('$');
            let shortened = |plain: &str| {
                let mut plain = format!(" {plain}");
                for (short, long) in [
                    ("ill", "i'll"),
                    ("ive", "i've"),
                    ("weve", "we've"),
                    ("were", "we're"),
                    ("dont", "don't"),
                ] {
                    plain = plain.replace(&format!(" {short} "), &format!(" {long} "));
                }
                plain
            };
            let plain = shortened(plain);
            assert!(may_matter(&plain) && may_matter(&plain.to_uppercase()), "{class:?} {cue}");
            assert!(may_matter(&shortened(&folded(&plain))), "{class:?} {cue}");
        }
        assert!(!may_matter("The weather is fine today."));
    }
}
