//! Whether a draft becomes a memory: the rules of the one door, as a pure function of the draft and of what
//! is already there.
//!
//! Exact duplicates in the same scope give back the memory that is there. A key names one memory, and
//! `on_existing` says what becomes of it. Near-duplicates are reported by [`Likeness`], never merged.

use crate::id::MemoryId;
use crate::kind::Kind;
use crate::memory::{Body, Draft, Memory, OnExisting};
use crate::redact::is_masked;
use crate::scope::{Scope, SourceClass};
use crate::task;
use crate::text::folded;
use crate::time::Time;

/// What is to be done with a draft.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// It is new.
    Create,
    /// The memory under its key gets this text.
    Rewrite(MemoryId, Body),
    /// The same text is there already.
    Duplicate(MemoryId),
    /// The key is taken and the draft does not say what to do; nothing is written.
    KeyTaken(MemoryId),
    /// It cannot be kept.
    Refused(Refusal),
}

/// Why a draft cannot be kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// Nothing to keep.
    #[error("the text is empty: say what to remember")]
    Empty,
    /// More than one memory should hold.
    #[error(
        "the text has {bytes} bytes, more than the {limit} that one memory holds: split it, or raise `limits.entry_bytes`"
    )]
    TooLong {
        /// How long it is.
        bytes: usize,
        /// How long it may be.
        limit: usize,
    },
    /// NUL never belongs into a text file.
    #[error("the text contains a NUL character: remove it, or keep the file elsewhere and remember its path")]
    Nul,
    /// A name that had to be masked names nothing: two of them would be one.
    #[error("the key holds a credential: choose a name that is none")]
    SecretKey,
}

/// Decides. `same` is a memory of equal [`sameness`], `keyed` the one under the draft's key.
pub fn admit(draft: &Draft, limit: usize, same: Option<&MemoryId>, keyed: Option<&Memory>) -> Verdict {
    let text = draft.body.as_str();
    if draft.body.is_empty() {
        return Verdict::Refused(Refusal::Empty);
    }
    if text.len() > limit {
        return Verdict::Refused(Refusal::TooLong { bytes: text.len(), limit });
    }
    let lines =
        [draft.title.as_deref(), draft.provenance.event.as_deref(), Some(draft.provenance.origin.as_str())];
    if text.contains('\0') || lines.into_iter().flatten().any(|line| line.contains('\0')) {
        return Verdict::Refused(Refusal::Nul);
    }
    if draft.key.as_ref().is_some_and(|key| is_masked(key.as_str())) {
        return Verdict::Refused(Refusal::SecretKey);
    }
    let Some(known) = keyed else {
        return same.map_or(Verdict::Create, |id| Verdict::Duplicate(id.clone()));
    };
    if known.body == draft.body {
        return Verdict::Duplicate(known.id.clone());
    }
    match draft.on_existing {
        OnExisting::Skip => Verdict::KeyTaken(known.id.clone()),
        OnExisting::Replace => Verdict::Rewrite(known.id.clone(), draft.body.clone()),
        OnExisting::Append => {
            let old = known.body.as_str();
            if old.split("\n\n").any(|paragraph| paragraph == text) {
                return Verdict::Duplicate(known.id.clone());
            }
            let both = format!("{old}\n\n{text}");
            if both.len() > limit {
                return Verdict::Refused(Refusal::TooLong { bytes: both.len(), limit });
            }
            Verdict::Rewrite(known.id.clone(), Body::new(&both))
        }
    }
}

/// What becomes of a memory that no longer stands as it was kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Settled {
    /// Another takes its place.
    Replaced,
    /// It was a task, and is done; when that was said, where it is known.
    Done(Option<Time>),
}

/// Whether somebody who is trusted so far may say this of a memory that changed last at a moment. Nobody takes back what
/// is trusted further than they are, but whoever did the work may say that it is done. What was done before a task was
/// set, or opened again, is not this one.
pub fn may_settle(old: &Memory, changed: Time, how: Settled, by: SourceClass) -> bool {
    let is_trusted = old.provenance.class <= by;
    match how {
        Settled::Replaced => is_trusted,
        Settled::Done(said) => {
            let changed = changed.max(old.created);
            (is_trusted || by >= SourceClass::Agent) && said.is_none_or(|said| said >= changed)
        }
    }
}

/// Equal for memories that say the same to the same people: scope, kind and text without regard to line ends
/// and trailing spaces.
pub fn sameness(scope: &Scope, kind: &Kind, body: &Body) -> [u8; 16] {
    let mut hash = blake3::Hasher::new();
    hash.update(scope.to_string().as_bytes());
    hash.update(&[0]);
    hash.update(kind.word().as_bytes());
    for line in body.as_str().split('\n') {
        hash.update(b"\n");
        hash.update(line.trim_end().as_bytes());
    }
    let mut short = [0; 16];
    short.copy_from_slice(&hash.finalize().as_bytes()[..16]);
    short
}

/// What a text says, word by word, without regard to case, accents, punctuation and spaces; the text itself where it
/// has no words.
pub fn gist(body: &Body) -> String {
    let plain = folded(body.as_str());
    let words: Vec<&str> =
        plain.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    if words.is_empty() { body.as_str().to_owned() } else { words.join(" ") }
}

/// The kind of a text that does not say what it is, by its plainest cues.
pub fn kind_of_text(text: &str) -> Kind {
    let line = text.trim_start();
    let first = line.lines().next().unwrap_or("").to_lowercase();
    let is_task = line.lines().next().and_then(task::parse).is_some();
    if is_task || starts(&first, &["todo:", "todo ", "next:", "task:"]) {
        return Kind::Task;
    }
    let cues: [(&[&str], Kind); 4] = [
        (
            &[
                "decision:",
                "we decided",
                "we chose",
                "we will use",
                "decidimos",
                "decisão:",
                "optamos por",
                "vamos usar",
                "we settled on",
                "we went with",
                "adotamos",
            ],
            Kind::Decision,
        ),
        (
            &[
                "lesson:",
                "gotcha:",
                "we learned",
                "aprendemos",
                "lição:",
                "the problem was",
                "o problema era",
                "cuidado com",
                "watch out",
            ],
            Kind::Lesson,
        ),
        (
            &[
                "i prefer",
                "prefers ",
                "the user prefers",
                "prefiro",
                "always use",
                "never use",
                "sempre use",
                "nunca use",
            ],
            Kind::Preference,
        ),
        (&["handoff:", "session summary"], Kind::Handoff),
    ];
    cues.into_iter().find(|(words, _)| starts(&first, words)).map_or(Kind::Note, |(_, kind)| kind)
}

fn starts(line: &str, cues: &[&str]) -> bool {
    cues.iter().any(|cue| line.starts_with(cue) || line.contains(&format!(". {cue}")))
}

/// How alike two texts are, from 64 bits that stand for a text's words in any order (simhash).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Likeness(pub u64);

impl Likeness {
    /// The bits of a text.
    pub fn of(text: &str) -> Self {
        // Each word votes for the bits of its hash; the first words say enough.
        let mut votes = Votes::default();
        let mut word: Option<u64> = None;
        for byte in text.bytes() {
            match LETTERS[usize::from(byte)] {
                0 => {
                    if let Some(hash) = word.take() {
                        votes.add(finish(hash));
                        if votes.count == Votes::MOST {
                            break;
                        }
                    }
                }
                letter => {
                    let hash = word.unwrap_or(0xcbf2_9ce4_8422_2325) ^ u64::from(letter);
                    word = Some(hash.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29));
                }
            }
        }
        if let Some(hash) = word {
            votes.add(finish(hash));
        }
        if votes.count < 6 {
            // So few words say too little to be called alike; each such text stands alone.
            return Self(u64::from_le_bytes(
                *blake3::hash(text.as_bytes()).as_bytes().first_chunk().unwrap_or(&[0; 8]),
            ));
        }
        Self(votes.above(votes.count / 2))
    }

    /// Whether two texts probably say nearly the same.
    pub fn is_near(self, other: Self) -> bool {
        (self.0 ^ other.0).count_ones() <= 10
    }
}

fn finish(hash: u64) -> u64 {
    (hash ^ hash >> 32).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// What a byte counts as in a word: letters and digits without regard to case, 0 for what stands between words.
const LETTERS: [u8; 256] = {
    let mut letters = [0; 256];
    let mut byte = 0_u8;
    while byte < u8::MAX {
        byte += 1;
        if byte.is_ascii_alphanumeric() || byte >= 0x80 {
            letters[byte as usize] = byte.to_ascii_lowercase();
        }
    }
    letters
};

/// Counts, for each of 64 bits, how many numbers had it. The counters lie across the planes: bit n of all planes
/// together is the count for bit n, so that one addition serves all 64.
#[derive(Default)]
struct Votes {
    planes: [u64; 7],
    count: u8,
}

impl Votes {
    /// So many fit into the planes with room to spare.
    const MOST: u8 = 64;

    fn add(&mut self, number: u64) {
        let mut carry = number;
        for plane in &mut self.planes {
            (*plane, carry) = (*plane ^ carry, *plane & carry);
        }
        self.count += 1;
    }

    /// The bits that more than so many numbers had.
    fn above(&self, limit: u8) -> u64 {
        let (mut more, mut equal) = (0, u64::MAX);
        for (n, plane) in self.planes.iter().enumerate().rev() {
            if limit >> n & 1 == 1 {
                equal &= plane;
            } else {
                more |= equal & plane;
                equal &= !plane;
            }
        }
        more
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id::{AgentId, Key};
    use crate::memory::Provenance;

    fn draft(text: &str, on_existing: OnExisting) -> Draft {
        let from = Provenance::of("cli", SourceClass::Human);
        Draft { on_existing, ..Draft::new(Scope::Agent(AgentId::unnamed()), text, from) }
    }

    fn known(text: &str) -> Memory {
        Memory {
            id: MemoryId::from_millis(7),
            kind: Kind::Note,
            scope: Scope::Agent(AgentId::unnamed()),
            key: None,
            title: None,
            body: Body::new(text),
            tags: vec![],
            created: Time(7),
            updated: Time(7),
            provenance: Provenance::of("cli", SourceClass::Human),
            extra: Default::default(),
        }
    }

    fn check(text: &str, on_existing: OnExisting, keyed: Option<&str>, expect: &Verdict) {
        let keyed = keyed.map(known);
        assert_eq!(&admit(&draft(text, on_existing), 20, None, keyed.as_ref()), expect);
    }

    #[test]
    fn verdicts() {
        let id = MemoryId::from_millis(7);
        check("new", OnExisting::Skip, None, &Verdict::Create);
        check("  \n", OnExisting::Skip, None, &Verdict::Refused(Refusal::Empty));
        check("a\0b", OnExisting::Skip, None, &Verdict::Refused(Refusal::Nul));
        check(
            &"x".repeat(21),
            OnExisting::Skip,
            None,
            &Verdict::Refused(Refusal::TooLong { bytes: 21, limit: 20 }),
        );
        check("new", OnExisting::Skip, Some("old"), &Verdict::KeyTaken(id.clone()));
        check("old", OnExisting::Replace, Some("old"), &Verdict::Duplicate(id.clone()));
        check("new", OnExisting::Replace, Some("old"), &Verdict::Rewrite(id.clone(), Body::new("new")));
        check("new", OnExisting::Append, Some("old"), &Verdict::Rewrite(id.clone(), Body::new("old\n\nnew")));
        check("new", OnExisting::Append, Some("old\n\nnew"), &Verdict::Duplicate(id.clone()));
        let too_long = Refusal::TooLong { bytes: 22, limit: 20 };
        check("0123456789", OnExisting::Append, Some("9876543210"), &Verdict::Refused(too_long));
        let masked =
            Draft { key: Key::parse("deploy-[redacted:github-pat]").ok(), ..draft("x", OnExisting::Skip) };
        assert_eq!(admit(&masked, 20, None, None), Verdict::Refused(Refusal::SecretKey));
        let same = admit(&draft("x", OnExisting::Skip), 20, Some(&id), None);
        assert_eq!(same, Verdict::Duplicate(id));
    }

    #[test]
    fn who_may_say_that_a_memory_no_longer_stands() {
        let check = |known_as: SourceClass, how: Settled, by: SourceClass, expect: bool| {
            let mut old = known("- [ ] x");
            old.provenance.class = known_as;
            assert_eq!(may_settle(&old, Time(9), how, by), expect, "{known_as:?} {how:?} {by:?}");
        };
        use SourceClass::{Agent, Human, Untrusted};
        check(Agent, Settled::Replaced, Human, true);
        check(Human, Settled::Replaced, Agent, false);
        check(Human, Settled::Done(None), Agent, true);
        check(Human, Settled::Done(None), Untrusted, false);
        check(Untrusted, Settled::Done(None), Untrusted, true);
        check(Human, Settled::Done(Some(Time(9))), Human, true);
        check(Human, Settled::Done(Some(Time(8))), Human, false);
    }

    #[test]
    fn sameness_sees_scope_kind_and_text() {
        let agent = Scope::Agent(AgentId::unnamed());
        let base = sameness(&agent, &Kind::Note, &Body::new("a \nb"));
        assert_eq!(base, sameness(&agent, &Kind::Note, &Body::new("\na\r\nb\n")));
        assert_ne!(base, sameness(&Scope::Project, &Kind::Note, &Body::new("a\nb")));
        assert_ne!(base, sameness(&agent, &Kind::Fact, &Body::new("a\nb")));
        assert_ne!(base, sameness(&agent, &Kind::Note, &Body::new("ab")));
    }

    #[test]
    fn a_gist_is_the_words_alone() {
        let check = |text: &str, expect: &str| assert_eq!(gist(&Body::new(text)), expect, "{text}");
        check("We decided: use  SSE!\n(not sockets)", "we decided use sse not sockets");
        check("- [ ] Decisão #técnica", "decisao tecnica");
        check("don't", "dont");
        check("→ !!", "→ !!");
    }

    #[test]
    fn kinds_by_cue() {
        for (text, kind) in [
            ("We decided to use SSE", Kind::Decision),
            ("decidimos usar SSE", Kind::Decision),
            ("- [ ] write tests", Kind::Task),
            ("* [X] write tests", Kind::Task),
            ("2. [ ] write tests\nsoon", Kind::Task),
            ("TODO: write tests", Kind::Task),
            ("Gotcha: spawn() on Windows", Kind::Lesson),
            ("I prefer tabs", Kind::Preference),
            ("the sky is blue", Kind::Note),
        ] {
            assert_eq!(kind_of_text(text), kind, "{text}");
        }
    }

    /// The same bits counted one by one.
    fn counted(text: &str) -> u64 {
        let words = text.split(|c: char| c.is_ascii() && !c.is_ascii_alphanumeric());
        let words: Vec<&str> = words.filter(|word| !word.is_empty()).take(64).collect();
        let hash = |word: &&str| {
            let letters = word.bytes().map(|byte| u64::from(byte.to_ascii_lowercase()));
            let mix =
                |hash: u64, byte: u64| (hash ^ byte).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
            finish(letters.fold(0xcbf2_9ce4_8422_2325, mix))
        };
        let hashes: Vec<u64> = words.iter().map(hash).collect();
        let won = |n: &u32| hashes.iter().filter(|hash| **hash >> n & 1 == 1).count() > hashes.len() / 2;
        (0..64).filter(won).fold(0, |bits, n| bits | 1 << n)
    }

    #[test]
    fn likeness_counts_every_bit() {
        let mut text = String::new();
        for n in 0..90 {
            text.push_str(["Wörter, ", "die ", "42-mal ", "und\tOFT\n", "gezählt; ", "werden "][n % 6]);
            text.push_str(&format!("w{}", n * n));
            if n > 3 {
                assert_eq!(Likeness::of(&text).0, counted(&text), "{text}");
            }
            text.push(' ');
        }
        // What is already in ledgers stays comparable.
        let known =
            "Adopt SSE instead of WebSockets because the deploy environment has no persistent connections";
        assert_eq!(Likeness::of(known).0, 0x57f8_a272_d5e9_3729);
    }

    #[test]
    fn likeness_of_near_copies() {
        let a = Likeness::of(
            "Adopt SSE instead of WebSockets because the deploy environment has no persistent connections",
        );
        let b = Likeness::of(
            "Adopt SSE instead of WebSockets, because our deploy environment has no persistent connections.",
        );
        let c =
            Likeness::of("The release codename is copper and the launch window is in June, says the plan");
        assert!(a.is_near(b));
        assert!(!a.is_near(c));
        assert!(!Likeness::of("first note text here").is_near(Likeness::of("second note text here")));
    }
}
