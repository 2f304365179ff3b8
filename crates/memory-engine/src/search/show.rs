//! From rows to what a person sees: the memory as it is now, the passage that answers, and the reasons.

use std::cell::{OnceCell, RefCell};
use std::collections::{HashMap, VecDeque};
use std::ops::Range;

use memory_core::id::MemoryId;
use memory_core::integrity::tells_all_of;
use memory_core::kind::Kind;
use memory_core::memory::Holds;
use memory_core::query::Query;
use memory_core::rank::{Prior, Ranked, Weights};
use memory_core::text::{Analyser, Begins, Clues, Language, SNIPPET_CHARS, language_of, sentences, snippet};

use super::gather::Sought;
use super::meant::as_what;
use super::view::View;
use super::{Hit, Passage, Search, rare_words};
use crate::error::Result;
use crate::index::{day_terms, facets};
use crate::model::{Embedder, Table};
use crate::store::{Entry, Store};

/// Bits in which two texts may differ and still say nearly the same.
const NEARLY: u32 = 3;

/// In the texts of so many hits the passage is looked for by what it means too, where they are hits for that. A question of
/// more words than this finds its passage by them.
const CLOSELY: usize = 10;
const MOST_WORDS: usize = 12;

/// The best of the ranked rows as hits, without one memory.
pub(super) fn hits(
    store: &mut Store,
    view: &View,
    ranked: &[Ranked],
    (sought, meant, weights): (&[Sought], &str, &Weights),
    query: &Query,
    search: &Search,
    but: Option<&MemoryId>,
) -> Result<Vec<Hit>> {
    let meant = || {
        let table = Table::built_in();
        let vector = table.embed_weighed(meant, &rare_words(view, sought, weights)).unwrap_or_default();
        (table, vector)
    };
    let mut reader = Reader::of(sought, view.facts.live, &meant);
    let mut hits: Vec<Hit> = Vec::new();
    let mut shown: Vec<u64> = Vec::new();
    let mut rest = ranked;
    let mut read: VecDeque<(&Ranked, u64, Entry)> = VecDeque::new();
    while hits.len() < search.limit {
        let Some((ranked, likeness, mut entry)) = read.pop_front() else {
            if rest.is_empty() {
                break;
            }
            let (some, after) = rest.split_at(rest.len().min(search.limit - hits.len()));
            (read, rest) = (read_some(store, view, some)?, after);
            continue;
        };
        // The index is a cache: what may be seen is decided by the memory as it is now.
        let memory = &entry.memory;
        if but == Some(&memory.id)
            || !memory.visible_to(&search.audience)
            || !memory.holds(search.holds)
            || !query.filter.tags.fits_all(&memory.tags)
        {
            continue;
        }
        if let Holds::At(moment) = search.holds {
            store.word_as_of(&mut entry, moment)?;
        }
        let same = shown.iter().zip(&hits).position(|(other, hit)| {
            (other ^ likeness).count_ones() <= NEARLY && tells_all(&hit.entry, &entry)
        });
        if let Some(hit) = same.and_then(|n| hits.get_mut(n)) {
            hit.also.push(entry.memory.id);
            continue;
        }
        shown.push(likeness);
        hits.push(reader.hit(entry, ranked));
    }
    Ok(hits)
}

/// Rows as the memories they are now; those that are gone are left out.
fn read_some<'a>(
    store: &mut Store,
    view: &View,
    ranked: &'a [Ranked],
) -> Result<VecDeque<(&'a Ranked, u64, Entry)>> {
    let place = |ranked: &'a Ranked| {
        let (shelf, at) = view.place(ranked.row)?;
        Some((MemoryId::parse(&shelf.id(at)).ok()?, (ranked, shelf.likeness(at))))
    };
    let (ids, rows): (Vec<MemoryId>, Vec<(&Ranked, u64)>) = ranked.iter().filter_map(place).unzip();
    let entries = store.currents(&ids)?;
    let all = rows.into_iter().zip(entries);
    Ok(all.filter_map(|((ranked, likeness), entry)| entry.map(|entry| (ranked, likeness, entry))).collect())
}

/// Whether a hit says all that a memory behind it says.
fn tells_all(shown: &Entry, behind: &Entry) -> bool {
    let (shown, behind) = (shown.memory.body.as_str(), behind.memory.body.as_str());
    shown == behind || tells_all_of(shown, behind)
}

/// Where a passage begins that would be nothing but tags: with the sentences before them, as far as there is room.
fn with_what_is_tagged(body: &str, range: &Range<usize>) -> usize {
    let text = body.get(range.clone()).unwrap_or_default();
    if text.is_empty() || !text.split_whitespace().all(|word| word.starts_with('#')) {
        return range.start;
    }
    let fits = |start: &usize| {
        *start < range.start
            && body.get(*start..range.end).is_some_and(|text| text.chars().count() <= SNIPPET_CHARS)
    };
    sentences(body).map(|sentence| sentence.start).find(fits).unwrap_or(range.start)
}

/// Of each term of the index that was looked for: how much it is worth in a passage, and for which words it stands.
type Wanted<'a> = HashMap<&'a str, (f32, Vec<usize>)>;

/// Looks for the words of a question in memories.
struct Reader<'a> {
    sought: &'a [Sought],
    wanted: Wanted<'a>,
    begins: Begins,
    analyser: Analyser,
    /// The vector of the question, and what makes those of passages; made when the first text is long.
    meant: OnceCell<(Table, Vec<f32>)>,
    means: &'a dyn Fn() -> (Table, Vec<f32>),
    /// How many hits were read.
    read: usize,
}

impl<'a> Reader<'a> {
    fn of(sought: &'a [Sought], live: usize, means: &'a dyn Fn() -> (Table, Vec<f32>)) -> Self {
        let mut wanted = Wanted::new();
        let rarity = |sought: &Sought| (1.0 + live as f32 / (sought.rows as f32 + 0.5)).ln();
        // A word counts as it is written and by its stem.
        let all: f32 = 2.0 * sought.iter().map(rarity).sum::<f32>();
        for (n, sought) in sought.iter().enumerate() {
            let rarity = rarity(sought) / all.max(f32::MIN_POSITIVE);
            for term in sought
                .term
                .stems
                .iter()
                .chain([&sought.term.exact])
                .chain(&sought.spelt)
                .chain(&sought.things)
            {
                let known = wanted.entry(term.as_str()).or_default();
                known.0 = rarity;
                known.1.push(n);
            }
        }
        let begins = Begins::of(wanted.keys().copied());
        Self { sought, wanted, begins, analyser: Analyser::new(), meant: OnceCell::new(), means, read: 0 }
    }

    fn hit(&mut self, entry: Entry, ranked: &Ranked) -> Hit {
        let body = entry.memory.body.as_str();
        let language = language_of(body);
        let in_text = RefCell::new(vec![false; self.sought.len()]);
        let weight = |term: &str| {
            let Some((weight, words)) = self.wanted.get(term) else { return 0.0 };
            words.iter().for_each(|&n| in_text.borrow_mut()[n] = true);
            *weight
        };
        let near = |text: &str| {
            let (table, asked) = self.meant.get_or_init(self.means);
            table.vector(text).iter().zip(asked).map(|(a, b)| a * b).sum::<f32>()
        };
        self.read += 1;
        let is_meant = ranked.part(Prior::Meaning) > ranked.part(Prior::Words);
        let closely = is_meant && self.read <= CLOSELY && (1..=MOST_WORDS).contains(&self.sought.len());
        let clues = Clues { weight, near: closely.then_some(near), begins: self.begins };
        let mut found = snippet(&mut self.analyser, (body, language), &clues, SNIPPET_CHARS);
        found.range.start = with_what_is_tagged(body, &found.range);
        let text = body.get(found.range.clone()).unwrap_or_default();
        let marks =
            found.marks.iter().map(|mark| mark.start - found.range.start..mark.end - found.range.start);
        let breaks = |before: &[u8]| before.iter().filter(|&&byte| byte == b'\n').count() as u64;
        let line = |at: usize| body.as_bytes().get(..at).map_or(0, breaks);
        let (first, last) =
            (line(found.range.start), line(found.range.end.saturating_sub(1).max(found.range.start)));
        let start = entry.text_line;
        let in_file = entry.first_line > 0;
        let passage = Passage {
            text: text.to_owned(),
            marks: marks.collect(),
            first_line: if in_file { (start + first).min(entry.last_line) } else { 0 },
            last_line: if in_file { (start + last).min(entry.last_line) } else { 0 },
        };
        let mut reasons: Vec<(Prior, f32)> =
            Prior::ALL.into_iter().zip(ranked.parts.0).filter(|(_, part)| *part != 0.0).collect();
        reasons.sort_by(|a, b| b.1.abs().total_cmp(&a.1.abs()));
        let matched = self.matched(&entry, language, &in_text.into_inner());
        Hit { entry, score: ranked.score, passage, reasons, matched, also: Vec::new() }
    }

    /// Which words of the question stand in which fields of a memory.
    fn matched(
        &mut self,
        entry: &Entry,
        language: Language,
        in_text: &[bool],
    ) -> Vec<(String, Vec<&'static str>)> {
        let memory = &entry.memory;
        let Self { sought, wanted, begins, analyser, .. } = self;
        let mut stand_in = |text: &str| {
            let mut stand = vec![false; sought.len()];
            analyser.each_beginning(*begins, text, language, |token| {
                let words = wanted.get(token.term).into_iter().flat_map(|(_, words)| words);
                words.for_each(|&n| stand[n] = true);
            });
            stand
        };
        let mut in_day = vec![false; sought.len()];
        day_terms(memory.created, |term| {
            wanted.get(term).into_iter().flat_map(|(_, words)| words).for_each(|&n| in_day[n] = true);
        });
        let tags: Vec<&str> = memory.tags.iter().map(|tag| tag.as_str()).collect();
        let in_title = stand_in(memory.title.as_deref().unwrap_or_default());
        let in_tags = stand_in(&tags.join(" "));
        let fields = [("title", &in_title[..]), ("tags", &in_tags), ("text", in_text), ("day", &in_day)];
        let facets = facets(entry);
        let of_word = |(n, sought): (usize, &Sought)| {
            let word = sought.term.word();
            let named = as_what(word, Kind::asked_for(word).as_ref(), &facets);
            let names: Vec<&'static str> =
                fields.iter().filter(|(_, stand)| stand[n]).map(|(name, _)| *name).chain(named).collect();
            (!names.is_empty()).then(|| (sought.term.word().to_owned(), names))
        };
        sought.iter().enumerate().filter_map(of_word).collect()
    }
}
