//! A memory, what it may become of (a draft), and where it came from (its provenance).

use std::borrow::Cow;
use std::collections::HashSet;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::id::{Key, MemoryId, SessionId, Tag, TurnId};
use crate::kind::Kind;
use crate::scope::{Audience, Scope, Sensitivity, SourceClass};
use crate::time::Time;

/// The text of a memory in its one normal form: LF line ends, no blank lines before it, no white space after it.
///
/// The normal form is what every layout gives back after writing, so `parse(render(m)) == m` holds for any text.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub struct Body(String);

impl From<String> for Body {
    fn from(text: String) -> Self {
        Self::new(&text)
    }
}

impl From<Body> for String {
    fn from(body: Body) -> Self {
        body.0
    }
}

impl Body {
    /// Brings any text into the normal form.
    pub fn new(text: &str) -> Self {
        let unix = unix_lines(text);
        let mut rest = unix.trim_end();
        while let Some((first, after)) = rest.split_once('\n') {
            if !first.trim().is_empty() {
                break;
            }
            rest = after;
        }
        Self(rest.to_owned())
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether nothing is left of the text.
    pub fn is_empty(&self) -> bool {
        self.0.trim().is_empty()
    }
}

/// A text with LF line ends: every CR goes that stands before one, however many there are.
fn unix_lines(text: &str) -> Cow<'_, str> {
    if !text.contains("\r\n") {
        return Cow::Borrowed(text);
    }
    let mut unix = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        match line.strip_suffix('\n') {
            Some(line) => {
                unix.push_str(line.trim_end_matches('\r'));
                unix.push('\n');
            }
            None => unix.push_str(line),
        }
    }
    Cow::Owned(unix)
}

/// How sure the source was, in thousandths, so that memories compare exactly.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(from = "f64", into = "f64")]
pub struct Confidence(u16);

impl From<f64> for Confidence {
    fn from(share: f64) -> Self {
        Self((share.clamp(0.0, 1.0) * 1000.0).round() as u16)
    }
}

impl From<Confidence> for f64 {
    fn from(confidence: Confidence) -> Self {
        f64::from(confidence.0) / 1000.0
    }
}

/// Where a memory came from and how far it is to be trusted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Provenance {
    /// The surface it came through, such as `cli`, `edit` or a client's name (`sourceChannel` in journals).
    pub origin: String,
    /// How its words are trusted.
    pub class: SourceClass,
    /// The session it was said in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<SessionId>,
    /// The turn it was said in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn: Option<TurnId>,
    /// The event it was taken from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub event: Option<String>,
    /// The memories it was made of.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lineage: Vec<MemoryId>,
    /// How sure the source was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confidence: Option<Confidence>,
    /// How private it is.
    pub sensitivity: Sensitivity,
}

impl Provenance {
    /// Takes what was said of a memory, and cannot be read, for the strictest that it may have said.
    pub(crate) fn take_strictly(&mut self, unread: &str) {
        let unread = unread.to_lowercase();
        self.class = self.class.min(SourceClass::Untrusted);
        let words = [("secret", Sensitivity::Secret), ("private", Sensitivity::PrivateUser)];
        if let Some((_, strict)) = words.into_iter().find(|(word, _)| unread.contains(word)) {
            self.sensitivity = strict;
        }
    }

    /// What is known of a memory once its words are said again: a person makes them their own, and nobody makes them
    /// more public. Who is trusted less changes nothing.
    #[must_use]
    pub fn said_again(&self, by: &Self) -> Self {
        let mut told = self.clone();
        if by.class < self.class {
            return told;
        }
        // Text that does not say is operational, so saying nothing takes nothing back.
        if by.sensitivity != Sensitivity::default() {
            told.sensitivity = self.sensitivity.max(by.sensitivity);
        }
        if by.class == SourceClass::Human && self.class < SourceClass::Human {
            told.class = by.class;
            told.origin.clone_from(&by.origin);
            told.session.clone_from(&by.session);
            told.turn.clone_from(&by.turn);
        }
        told
    }

    /// Takes in what others said: what is made of two texts is trusted no more than the less trusted of them, and is as
    /// private as the stricter.
    pub fn mix(&mut self, other: &Self) {
        self.class = self.class.min(other.class);
        self.sensitivity = self.sensitivity.max(other.sensitivity);
    }

    /// A provenance of this origin and class, everything else as usual.
    pub fn of(origin: &str, class: SourceClass) -> Self {
        Self {
            origin: origin.to_owned(),
            class,
            session: None,
            turn: None,
            event: None,
            lineage: Vec::new(),
            confidence: None,
            sensitivity: Sensitivity::default(),
        }
    }
}

/// What is kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Memory {
    /// Its name for ever.
    pub id: MemoryId,
    /// What sort of thing it is.
    pub kind: Kind,
    /// For whom it is kept.
    pub scope: Scope,
    /// The name under which it is updated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<Key>,
    /// A heading, where one was given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The text.
    pub body: Body,
    /// Its tags, in the order given.
    pub tags: Vec<Tag>,
    /// When it was first kept.
    pub created: Time,
    /// When its text last changed; equal to `created` when it never did.
    pub updated: Time,
    /// Where it came from.
    pub provenance: Provenance,
    /// Fields of other systems that we carry along untouched.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub extra: Map<String, Value>,
}

/// What might be kept: a memory without id and times.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Draft {
    /// What sort of thing it is; `None` lets the text decide.
    pub kind: Option<Kind>,
    /// For whom it would be kept.
    pub scope: Scope,
    /// The name under which it is updated.
    pub key: Option<Key>,
    /// A heading.
    pub title: Option<String>,
    /// The text.
    pub body: Body,
    /// Explicit tags; `None` takes the `#words` of the text.
    pub tags: Option<Vec<Tag>>,
    /// Where it came from.
    pub provenance: Provenance,
    /// What to do when the key is already there.
    pub on_existing: OnExisting,
    /// Fields to carry along.
    pub extra: Map<String, Value>,
}

impl Draft {
    /// A draft of a text for a scope, everything else as usual.
    pub fn new(scope: Scope, text: &str, provenance: Provenance) -> Self {
        Self {
            kind: None,
            scope,
            key: None,
            title: None,
            body: Body::new(text),
            tags: None,
            provenance,
            on_existing: OnExisting::default(),
            extra: Map::new(),
        }
    }
}

/// Which memories are meant, by whether they still hold or a newer one took their place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Holds {
    /// All, whether or not a newer one took their place.
    #[default]
    Ever,
    /// Those that hold now.
    Now,
    /// Those that held at this moment: kept by then, and not superseded by then.
    At(Time),
}

/// The members of `extra` that say which memory took the place of this one, and when.
const SUPERSEDED_BY: &str = "supersededBy";
const SUPERSEDED_AT: &str = "supersededAt";

/// What to do when a draft's key names a memory that is already there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OnExisting {
    /// Leave it as it is and say so.
    #[default]
    Skip,
    /// Add the new text below the old, and its tags to the others.
    Append,
    /// Put the new text with its tags and its date in place of the old, which goes to the archive.
    Replace,
}

impl Memory {
    /// When it was kept; `None` for text that was written by hand and does not say.
    pub fn dated(&self) -> Option<Time> {
        self.created.known()
    }

    /// Whether this asker may see it.
    pub fn visible_to(&self, audience: &Audience) -> bool {
        audience.may_see(&self.scope, self.provenance.sensitivity)
    }

    /// The memory that took the place of this one.
    pub fn superseded_by(&self) -> Option<MemoryId> {
        self.extra.get(SUPERSEDED_BY)?.as_str().and_then(|id| MemoryId::parse(id).ok())
    }

    /// When another memory took its place; a mark that does not say counts from the beginning.
    pub fn superseded_at(&self) -> Option<Time> {
        self.superseded_by()?;
        let at = self.extra.get(SUPERSEDED_AT).and_then(Value::as_str).and_then(Time::parse);
        Some(at.unwrap_or(Time(0)))
    }

    /// Marks that another memory took its place. The text stays.
    pub fn supersede(&mut self, by: &MemoryId, at: Time) {
        self.extra.insert(SUPERSEDED_BY.to_owned(), by.as_str().into());
        self.extra.insert(SUPERSEDED_AT.to_owned(), at.iso().into());
    }

    /// Takes the mark away again.
    pub fn reinstate(&mut self) {
        self.extra.shift_remove(SUPERSEDED_BY);
        self.extra.shift_remove(SUPERSEDED_AT);
    }

    /// Whether it is among those that are meant.
    pub fn holds(&self, which: Holds) -> bool {
        match which {
            Holds::Ever => true,
            Holds::Now => self.superseded_by().is_none(),
            Holds::At(moment) => {
                self.created <= moment && self.superseded_at().is_none_or(|since| since > moment)
            }
        }
    }

    /// What people see first: the title, or the first line that says something.
    pub fn heading(&self) -> &str {
        self.title.as_deref().unwrap_or_else(|| self.first_line())
    }

    /// The first line of the text that says something, without the marks of a heading or a list.
    pub fn first_line(&self) -> &str {
        let line = self.body.as_str().lines().find(|line| !line.trim().is_empty()).unwrap_or("");
        line.trim().trim_start_matches(['#', '-', '*', '>']).trim_start()
    }
}

/// So many of a text's `#words` are its tags; a text with more is a list of something else.
pub const MOST_TAGS: usize = 64;

/// The first [`MOST_TAGS`] `#words` of a text, each once, in the order in which they appear. `# heading` and `a#b` are
/// no tags.
pub fn tags_in(text: &str) -> Vec<Tag> {
    let mut tags: Vec<Tag> = Vec::new();
    let mut known: HashSet<Tag> = HashSet::new();
    let mut previous = ' ';
    let mut rest = text;
    while let Some(at) = rest.find('#') {
        previous = rest[..at].chars().next_back().unwrap_or(previous);
        let after = &rest[at + 1..];
        let end = after.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '-')).unwrap_or(after.len());
        let word = after[..end].trim_end_matches('-');
        if !(previous.is_alphanumeric() || matches!(previous, '#' | '/' | '&'))
            && let Ok(tag) = Tag::parse(word)
            && known.insert(tag.clone())
        {
            tags.push(tag);
            if tags.len() == MOST_TAGS {
                break;
            }
        }
        previous = '#';
        rest = &after[end..];
    }
    tags
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id::AgentId;

    fn check_tags(text: &str, expect: &[&str]) {
        let tags = tags_in(text);
        assert_eq!(tags.iter().map(Tag::as_str).collect::<Vec<_>>(), expect, "{text}");
    }

    #[test]
    fn tags_of_text() {
        check_tags("use #sse and #auto-extract.", &["sse", "auto-extract"]);
        check_tags("# heading\n## two", &[]);
        check_tags("#ação, (#日本) #a #a", &["ação", "日本", "a"]);
        check_tags("https://x/y#L10 a#b &#39; ##x", &[]);
        check_tags("#3 #", &["3"]);
    }

    fn from(class: SourceClass, sensitivity: Sensitivity) -> Provenance {
        let session = SessionId::parse(class.word()).ok();
        Provenance { session, sensitivity, ..Provenance::of(class.word(), class) }
    }

    #[test]
    fn nothing_becomes_more_public_by_being_said_again() {
        for (was, by) in SourceClass::ALL.into_iter().flat_map(|a| SourceClass::ALL.map(|b| (a, b))) {
            for (mark, said) in Sensitivity::ALL.into_iter().flat_map(|a| Sensitivity::ALL.map(|b| (a, b))) {
                let memory = Provenance {
                    event: Some("e1".to_owned()),
                    confidence: Some(Confidence::from(0.6)),
                    ..from(was, mark)
                };
                let told = memory.said_again(&from(by, said));
                assert!(told.sensitivity >= mark, "{was:?} {mark:?}, {by:?} {said:?}");
                assert!(by < was || said <= Sensitivity::Operational || told.sensitivity >= said);
                let is_lifted = by == SourceClass::Human && was < by;
                assert_eq!(told.class, if is_lifted { by } else { was });
                assert_eq!(told.origin, told.class.word());
                assert_eq!(told.session, from(told.class, mark).session);
                assert_eq!((&told.event, told.confidence), (&memory.event, memory.confidence));
                let mut mixed = memory.clone();
                mixed.mix(&from(by, said));
                assert_eq!((mixed.class, mixed.sensitivity), (was.min(by), mark.max(said)));
            }
        }
    }

    #[test]
    fn body_has_one_normal_form() {
        for (given, kept) in [
            ("\n \n  a\r\nb \n\n", "  a\nb"),
            ("", ""),
            (" \n ", ""),
            ("a", "a"),
            ("\r\n\r\nx", "x"),
            ("a\r\r\r\nb\rc\r\r\n\rd\r", "a\nb\rc\n\rd"),
        ] {
            assert_eq!(Body::new(given).as_str(), kept, "{given:?}");
            assert_eq!(Body::new(kept).as_str(), kept);
        }
    }

    #[test]
    fn a_text_made_to_take_long_does_not() {
        let started = std::time::Instant::now();
        let returns = format!("{}\n{}\nx", "\r".repeat(1 << 19), "\r".repeat(1 << 19));
        assert_eq!(Body::new(&returns).as_str(), "x");
        let hashes: String = (0..200_000).map(|n| format!("#{n} ")).collect();
        assert_eq!(tags_in(&hashes).len(), MOST_TAGS);
        assert!(started.elapsed().as_secs() < 5);
    }

    fn memory(text: &str, created: Time) -> Memory {
        Memory {
            id: MemoryId::from_millis(1),
            kind: Kind::Task,
            scope: Scope::Agent(AgentId::unnamed()),
            key: None,
            title: None,
            body: Body::new(text),
            tags: vec![],
            created,
            updated: created,
            provenance: Provenance::of("cli", SourceClass::Human),
            extra: Map::new(),
        }
    }

    #[test]
    fn a_superseded_memory_holds_only_in_its_time() {
        let mut old = memory("x", Time(1_000));
        let check = |memory: &Memory, which, expect| assert_eq!(memory.holds(which), expect, "{which:?}");
        check(&old, Holds::Now, true);
        check(&old, Holds::Ever, true);
        check(&old, Holds::At(Time(1_000)), true);
        check(&old, Holds::At(Time(999)), false);
        old.supersede(&MemoryId::from_millis(2), Time(5_000));
        assert_eq!(old.superseded_by(), MemoryId::parse("2").ok());
        assert_eq!(old.superseded_at(), Some(Time(5_000)));
        check(&old, Holds::Now, false);
        check(&old, Holds::Ever, true);
        check(&old, Holds::At(Time(4_999)), true);
        check(&old, Holds::At(Time(5_000)), false);
        // A mark that somebody wrote by hand without its time still counts.
        old.extra.insert(SUPERSEDED_AT.to_owned(), 7.into());
        assert_eq!(old.superseded_at(), Some(Time(0)));
        check(&old, Holds::At(Time(1_000)), false);
        old.reinstate();
        assert_eq!((old.superseded_by(), old.extra.len()), (None, 0));
        check(&old, Holds::Now, true);
    }
}
