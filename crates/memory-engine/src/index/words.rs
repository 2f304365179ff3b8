//! A memory as the index sees it: the terms of its fields, and its card for the shelf.

use std::borrow::Cow;

use memory_core::admit::Likeness;
use memory_core::kind::Kind;
use memory_core::layout::{Home, Page};
use memory_core::memory::Memory;
use memory_core::task::is_done;
use memory_core::text::{Analyser, Form, Language, date_terms, folded, language_of};
use memory_core::time::Time;

use super::placed::Placed;
use super::shelf::{Card, Facets, Flags};
use super::turn::Turn;
use crate::store::Entry;

/// Where a term stands in a memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Field {
    /// The heading.
    Title,
    /// Tags, the day, the speaker: what is said of the memory.
    About,
    /// The text.
    Body,
    /// Every word and identifier as it is written, for exact matches, beginnings and misspellings.
    Word,
    /// Whole tags, in lower case and without accents.
    Tag,
}

impl Field {
    pub(crate) const ALL: [Self; 5] = [Self::Title, Self::About, Self::Body, Self::Word, Self::Tag];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Title => "title",
            Self::About => "about",
            Self::Body => "body",
            Self::Word => "word",
            Self::Tag => "tag",
        }
    }
}

/// The kind of memories that are turns of a conversation, as they were said.
pub(crate) const TURN: &str = "turn";

/// Words that tell when something was, in both languages, as the analyser gives them.
const TIMES: &[&str] = &[
    "=yesterday",
    "=today",
    "=tonight",
    "=tomorrow",
    "=ago",
    "=week",
    "=weeks",
    "=weekend",
    "=month",
    "=months",
    "=year",
    "=years",
    "=monday",
    "=tuesday",
    "=wednesday",
    "=thursday",
    "=friday",
    "=saturday",
    "=sunday",
    "=january",
    "=february",
    "=april",
    "=june",
    "=july",
    "=august",
    "=september",
    "=october",
    "=november",
    "=december",
    "=since",
    "=recently",
    "=ontem",
    "=hoje",
    "=amanha",
    "=semana",
    "=semanas",
    "=mes",
    "=meses",
    "=ano",
    "=anos",
    "=segunda",
    "=terca",
    "=quarta",
    "=quinta",
    "=sexta",
    "=sabado",
    "=domingo",
    "=janeiro",
    "=fevereiro",
    "=marco",
    "=abril",
    "=maio",
    "=junho",
    "=julho",
    "=agosto",
    "=setembro",
    "=outubro",
    "=novembro",
    "=dezembro",
    "=desde",
];

/// What goes into the index for one memory.
pub(crate) struct Words {
    pub(crate) card: Card,
    /// In the order of [`Field::ALL`].
    pub(crate) fields: [Placed; 5],
}

/// The terms of the day on which a memory was kept; none where nobody knows it.
pub(crate) fn day_terms(created: Time, each: impl FnMut(&str)) {
    let day = created.iso();
    let number = |from: usize, to: usize| day.get(from..to).and_then(|text| text.parse().ok());
    if let (Some(year), Some(month), Some(date)) = (number(0, 4), number(5, 7), number(8, 10))
        && created > Time(0)
    {
        date_terms(year, month as u8, date as u8, each);
    }
}

/// Reads memories into words; keeps its buffers from one to the next.
#[derive(Default)]
pub(crate) struct Reader {
    analyser: Analyser,
    tells_time: bool,
}

impl Reader {
    /// The words of one memory. The vector is left to the caller.
    pub(crate) fn read(&mut self, entry: &Entry) -> Words {
        let memory = &entry.memory;
        let body = &*said(memory);
        let language = language_of(body);
        let mut fields: [Placed; 5] = Default::default();
        let is_form = body.is_empty() && !memory.body.is_empty();
        if let Some(heading) = heading(memory, body).filter(|_| !is_form) {
            self.terms(heading, language, &mut fields, Field::Title);
        }
        for tag in &memory.tags {
            self.terms(tag.as_str(), language, &mut fields, Field::About);
            fields[Field::Tag as usize].push(&folded(tag.as_str()), 0);
        }
        day_terms(memory.created, |term| {
            let field = if term.starts_with('=') { Field::Word } else { Field::About };
            fields[field as usize].push(term, 0);
        });
        self.tells_time = false;
        let length = self.terms(body, language, &mut fields, Field::Body);
        let turn = (memory.kind.word() == TURN).then(|| Turn::of(body));
        let card = Card {
            id: memory.id.as_str().to_owned(),
            facets: facets(entry),
            created: memory.created.0,
            order: memory.id.millis().unwrap_or_else(|| number_of(memory.id.as_str())),
            session: memory.provenance.session.as_ref().map_or(0, |session| number_of(session.as_str())),
            speaker: turn.and_then(|turn| turn.speaker).map_or(0, |name| self.speaker_number(name)),
            length: u16::try_from(length).unwrap_or(u16::MAX),
            likeness: Likeness::of(body).0,
            flags: Flags {
                turn: turn.is_some(),
                tells_time: self.tells_time,
                asks: turn.is_some_and(Turn::asks),
                superseded: memory.superseded_by().is_some(),
                of_self: turn.is_some_and(Turn::is_of_self),
                names: turn.is_some_and(Turn::names),
                says_how: turn.is_some_and(Turn::says_how),
                done: memory.kind == Kind::Task && is_done(body),
            },
            vector: Vec::new(),
            parts: Vec::new(),
        };
        Words { card, fields }
    }

    /// Adds the terms of a text to a field; gives the number of its words.
    fn terms(&mut self, text: &str, language: Language, fields: &mut [Placed; 5], field: Field) -> usize {
        let mut words = 0;
        let tells_time = &mut self.tells_time;
        self.analyser.each(text, language, |token| match token.form {
            Form::Stem => {
                words += 1;
                fields[field as usize].push(token.term, token.position);
            }
            Form::Joined => fields[field as usize].push(token.term, token.position),
            Form::Exact if TIMES.contains(&token.term) => {
                *tells_time = true;
                fields[Field::Word as usize].push(token.term, token.position);
            }
            Form::Date if !token.term.starts_with('=') => {
                *tells_time = true;
                fields[field as usize].push(token.term, token.position);
            }
            Form::Exact | Form::Whole | Form::Date => {
                fields[Field::Word as usize].push(token.term, token.position);
            }
        });
        words
    }

    /// The number under which a speaker's first name is known.
    pub(crate) fn speaker_number(&mut self, name: &str) -> u32 {
        let mut first = 0;
        self.analyser.each(name, Language::Other, |token| {
            if first == 0 && token.form == Form::Exact {
                first = number_of(token.term) as u32;
            }
        });
        first
    }
}

/// What the vector of a memory is made of.
pub(crate) fn meaning(memory: &Memory) -> String {
    let body = said(memory);
    if body.is_empty() {
        return String::new();
    }
    match &memory.title {
        Some(title) => format!("{title}\n{body}"),
        None => body.into_owned(),
    }
}

/// The text; that of a page without its comments, which tell a person what to write and say nothing themselves.
fn said(memory: &Memory) -> Cow<'_, str> {
    let mut rest = memory.body.as_str();
    let is_page = Page::ALL.iter().any(|page| page.word() == memory.id.as_str());
    if !is_page || !rest.contains("<!--") {
        return Cow::Borrowed(rest);
    }
    let mut text = String::with_capacity(rest.len());
    while let Some((before, after)) = rest.split_once("<!--") {
        text.push_str(before);
        let Some((_, after)) = after.split_once("-->") else {
            rest = after;
            break;
        };
        rest = after;
    }
    text.push_str(rest);
    // Headings above nothing but comments are a form that nobody has filled in.
    let is_form = text.lines().all(|line| line.trim().is_empty() || line.starts_with('#'));
    if is_form { Cow::Borrowed("") } else { Cow::Owned(text) }
}

/// The heading: a title, or a short first line. A turn of a conversation has none.
fn heading<'a>(memory: &'a Memory, body: &'a str) -> Option<&'a str> {
    if let Some(title) = &memory.title {
        return Some(title);
    }
    if memory.kind.word() == TURN {
        return None;
    }
    let first = body.lines().next()?.trim_start_matches(['#', ' ']);
    let end =
        first.char_indices().nth(120).map_or(first.len(), |(end, _)| first[..end].rfind(' ').unwrap_or(end));
    let first = &first[..end];
    (!first.trim().is_empty()).then_some(first)
}

/// A name as a number that is never 0.
pub(crate) fn number_of(name: &str) -> u64 {
    let hash = blake3::hash(name.as_bytes());
    let bytes = hash.as_bytes().first_chunk::<8>().copied().unwrap_or_default();
    let number = u64::from_le_bytes(bytes);
    if number as u32 == 0 { 1 } else { number }
}

pub(crate) fn facets(entry: &Entry) -> Facets {
    let memory = &entry.memory;
    let (agent, category) = match Home::of_path(&entry.file) {
        Some(Home::Vault { agent, category, .. }) => {
            (Some(agent.as_str().to_owned()), Some(category.as_str().to_owned()))
        }
        _ => (None, None),
    };
    Facets {
        agent,
        category,
        kind: memory.kind.word().to_owned(),
        scope: memory.scope.clone(),
        sensitivity: memory.provenance.sensitivity,
        class: memory.provenance.class,
    }
}

/// A vector in bytes; any two of the same length compare by their dot product alone.
pub(crate) fn quantised(vector: &[f32]) -> Vec<i8> {
    let scale = scale(vector.len());
    vector.iter().map(|x| (x * scale).round().clamp(-127.0, 127.0) as i8).collect()
}

/// By how much numbers of a vector with so many are multiplied: wide enough for nearly all of them.
pub(crate) fn scale(dims: usize) -> f32 {
    25.0 * (dims as f32).sqrt()
}
