//! Search: a question in, the memories that answer it out, each with the passage and the reasons.
//!
//! What is acknowledged is found at once, by any process, however far the index on disk is. The answer is the same
//! with the index, with half of it and without it.

mod called;
mod changed;
mod few;
mod gather;
mod meant;
mod named;
mod nearness;
mod order;
mod outside;
mod phrase;
mod pick;
mod show;
mod things;
mod view;

use std::collections::HashMap;

use memory_core::id::{AgentId, Category, MemoryId, Tag};
use memory_core::kind::Kind;
use memory_core::memory::Holds;
use memory_core::query::{Filter, Note, Prompt, Query, Wanted, parse};
use memory_core::rank::{Age, Asked, Faint, Prior, Tally, Weights, rarity};
use memory_core::scope::Audience;
use memory_core::text::{DateRange, language_of, named_time};
use memory_core::time::Time;

use self::called::Called;
use self::gather::{Sought, count, words_of};
use self::meant::Listing;
pub use self::meant::Unmet;
use self::nearness::Nearness;
use self::outside::{Leave, Outside};
use self::pick::{Gate, Question, newest, rank};
use self::view::{Use, View};
use crate::ambient;
use crate::error::{Error, Result};
use crate::index::{self, guarded, quantised};
use crate::model::{Embedder, Table};
use crate::store::{Entry, Store};

/// What is asked. `Search::new("words")` asks everything that a person may see for ten answers.
#[derive(Debug, Clone)]
pub struct Search {
    /// The question: words, `"phrases"`, `-words`, `tag:x`, `agent:x`, `category:x`, `kind:x`, `since:x`, `until:x`, or
    /// a whole prompt.
    pub text: String,
    /// Only this agent's memories.
    pub agent: Option<AgentId>,
    /// Only this category.
    pub category: Option<Category>,
    /// Only this kind.
    pub kind: Option<Kind>,
    /// Only memories with this tag.
    pub tag: Option<Tag>,
    /// Only memories from this moment on.
    pub since: Option<Time>,
    /// Only memories before this moment.
    pub until: Option<Time>,
    /// At most so many.
    pub limit: usize,
    /// Whether those count whose place a newer one took. Usually they do not.
    pub holds: Holds,
    /// Who is asking.
    pub audience: Audience,
    /// When it is asked; `None` for now. Words like "yesterday" and how recent a memory is hang on it.
    pub now: Option<Time>,
    /// Whether `tag:x`, `"phrases"` and the like in the question mean something.
    pub operators: Operators,
}

/// How the words of a question are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Operators {
    /// `tag:x`, `"phrases"`, `-words` and the like narrow the answer.
    #[default]
    Narrow,
    /// They are words like all others: a prompt may hold anything.
    AsText,
}

impl Search {
    /// Asks everything that a person may see for ten answers.
    pub fn new(text: &str) -> Self {
        Self {
            text: text.to_owned(),
            agent: None,
            category: None,
            kind: None,
            tag: None,
            since: None,
            until: None,
            limit: 10,
            holds: Holds::Now,
            audience: Audience::default(),
            now: None,
            operators: Operators::Narrow,
        }
    }
}

/// What was found.
#[derive(Debug, Clone, Default)]
pub struct Answer {
    /// The memories, best first.
    pub hits: Vec<Hit>,
    /// Memories among which they were found.
    pub among: usize,
    /// Memories that hold a word of the question but that the asker may not see.
    pub hidden: usize,
    /// Memories that would answer if no other had taken their place; counted where there is no answer.
    pub superseded: usize,
    /// Memories that were read because no index has them yet.
    pub behind: usize,
    /// Why the index could not be used, if there is one.
    pub broken_index: Option<String>,
    /// The words that counted.
    pub words: Vec<Word>,
    /// The time that the question names.
    pub time: Option<DateRange>,
    /// What the question asks all of, where there is none of it.
    pub unmet: Option<Unmet>,
    /// Operators that were taken as text.
    pub notes: Vec<Note>,
}

/// A word of the question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Word {
    /// As it was taken: lower case, without accents.
    pub word: String,
    /// How many memories hold it or a word that stands for it.
    pub memories: usize,
    /// Whether any memory holds the word itself.
    pub known: bool,
    /// Words that stand for it.
    pub near: Vec<String>,
}

/// A memory that answers.
#[derive(Debug, Clone)]
pub struct Hit {
    /// The memory and where it stands.
    pub entry: Entry,
    /// How well it answers; only the order of one answer's scores means something.
    pub score: f32,
    /// The passage that answers best.
    pub passage: Passage,
    /// What each signal gave to the score, the largest first.
    pub reasons: Vec<(Prior, f32)>,
    /// The words of the question that it holds, with the fields in which they stand.
    pub matched: Vec<(String, Vec<&'static str>)>,
    /// Memories that say nearly the same and are not shown again.
    pub also: Vec<MemoryId>,
}

/// A passage of a memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Passage {
    /// The text.
    pub text: String,
    /// The words to highlight, in bytes of the text.
    pub marks: Vec<std::ops::Range<usize>>,
    /// Its first line in the file, counted from 1; 0 when it is not in a file yet.
    pub first_line: u64,
    /// Its last line.
    pub last_line: u64,
}

/// How the index is brought up to date.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Update {
    /// What is not in it goes in.
    Behind,
    /// It is made anew.
    Anew,
}

/// What became of that.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Updated {
    /// So many memories went in.
    Done(usize),
    /// Another process is at it.
    Busy,
}

/// How the index on disk is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IndexState {
    /// Whether there is one that can be used.
    pub usable: bool,
    /// Why not, if there is one.
    pub broken: Option<String>,
    /// The last operation of the ledger that is in it.
    pub seq: i64,
    /// The last operation of the ledger.
    pub head: i64,
    /// Memories in it.
    pub memories: usize,
    /// Memories that changed since and are read at every question until they are in it.
    pub behind: usize,
    /// Rows of memories that are gone or were put in again.
    pub dead: usize,
    /// Segments of its terms.
    pub segments: usize,
    /// Bytes on disk.
    pub bytes: u64,
    /// Which vectors it holds.
    pub model: String,
}

/// What one process keeps between questions.
pub(crate) struct Searcher {
    view: Option<View>,
    embedder: Box<dyn Embedder>,
    outside: Outside,
    weights: Weights,
}

impl Searcher {
    pub(crate) fn new(embedder: Box<dyn Embedder>) -> Self {
        Self { view: None, embedder, outside: Outside::default(), weights: Weights::default() }
    }

    /// Brings the index on disk up to date. The next question is asked of it, and what was read instead of it goes.
    pub(crate) fn update(
        &mut self,
        store: &mut Store,
        how: Update,
        report: &mut dyn FnMut(usize, usize),
    ) -> Result<Updated> {
        self.view = None;
        Ok(match outside::drain(store, &*self.embedder, how == Update::Anew, report)? {
            index::Drained::Done(count) => Updated::Done(count),
            index::Drained::Busy => Updated::Busy,
        })
    }

    /// How the index on disk is.
    pub(crate) fn state(&self, store: &mut Store) -> Result<IndexState> {
        store.freshen()?;
        let (head, _) = store.head();
        let mut state = IndexState {
            usable: false,
            broken: None,
            seq: 0,
            head,
            memories: 0,
            behind: 0,
            dead: 0,
            segments: 0,
            bytes: store.folder_bytes(index::FOLDER)?,
            model: self.embedder.name().to_owned(),
        };
        match index::open(&store.disk().index(), self.embedder.name()) {
            Ok(Some(opened)) if store.knows(opened.marked.seq, &opened.marked.hash) => {
                let [segments, _, rows, live] = opened.counts();
                let changes = store.changes_after(opened.marked.seq, &opened.marked.away)?;
                state.usable = true;
                state.seq = opened.marked.seq;
                state.behind = store.ids_of(&changes)?.len();
                state.memories = live;
                state.dead = rows - live;
                state.segments = segments;
            }
            Ok(Some(_)) => state.broken = Some("it belongs to another ledger".to_owned()),
            Ok(None) => {}
            Err(error) => state.broken = Some(index::why_not(error)),
        }
        if !state.usable {
            state.behind = store.count()?;
        }
        Ok(state)
    }

    /// Whether a question would have to read more than so many memories that the index on disk does not hold.
    pub(crate) fn lags(&self, store: &mut Store, most: usize) -> Result<bool> {
        let marked = index::marked(&store.disk().index(), self.embedder.name());
        let behind = match marked.filter(|marked| store.knows(marked.seq, &marked.hash)) {
            // An operation changes one memory.
            Some(marked) if marked.away.is_empty() && store.head().0 - marked.seq <= most as i64 => 0,
            Some(marked) => {
                let changes = store.changes_after(marked.seq, &marked.away)?;
                store.ids_of(&changes)?.len()
            }
            None => store.count()?,
        };
        Ok(behind > most)
    }

    /// The memories that are about the same things as one of them.
    pub(crate) fn related(&mut self, store: &mut Store, id: &MemoryId, search: &Search) -> Result<Answer> {
        let entry = store.show(id)?;
        let text = crate::index::meaning(&entry.memory);
        let query = Query { text, ..Query::default() };
        let prompt = Prompt::whole(query.words());
        self.answer(store, query, &prompt, search, Leave::of(&entry.memory), Some(id))
    }

    /// Answers a question.
    pub(crate) fn search(&mut self, store: &mut Store, search: &Search) -> Result<Answer> {
        let now = search.now.unwrap_or_else(ambient::now);
        let query = match search.operators {
            Operators::Narrow => parse(&search.text, now),
            Operators::AsText => Query { text: search.text.clone(), ..Query::default() },
        };
        let prompt = Prompt::of(&query.words());
        let unquoted = query.unquoted();
        let answer = self.answer(store, query, &prompt, search, Leave::May, None)?;
        match unquoted {
            Some(query) if answer.hits.is_empty() && answer.hidden == 0 => {
                self.answer(store, query, &prompt, search, Leave::May, None)
            }
            _ => Ok(answer),
        }
    }

    /// Answers with all memories but one, without the index on disk where that cannot be used.
    fn answer(
        &mut self,
        store: &mut Store,
        query: Query,
        prompt: &Prompt,
        search: &Search,
        leave: Leave,
        but: Option<&MemoryId>,
    ) -> Result<Answer> {
        store.freshen_unless_busy()?;
        let query = narrowed(query, search);
        let vector = self.outside.vector(store, &*self.embedder, prompt.meant(), leave)?;
        let asked = (prompt, vector.as_deref());
        let tried = guarded(|| self.answer_from(store, &query, search, asked, but, Use::Index));
        let why = match tried {
            Some(Err(Error::Index { why })) => why,
            Some(answer) => return answer,
            None => "it is damaged".to_owned(),
        };
        self.view = None;
        index::discard_if_damaged(store.disk(), self.embedder.name());
        let mut answer = self.answer_from(store, &query, search, asked, but, Use::FilesAlone)?;
        self.view = None;
        answer.broken_index = Some(why);
        Ok(answer)
    }

    fn answer_from(
        &mut self,
        store: &mut Store,
        query: &Query,
        search: &Search,
        (prompt, vector): (&Prompt, Option<&[f32]>),
        but: Option<&MemoryId>,
        from: Use,
    ) -> Result<Answer> {
        if !self.view.as_ref().is_some_and(|view| view.is_current(store)) {
            self.view = Some(self.outside.view(store, &*self.embedder, from)?);
        }
        let Some(view) = &self.view else { return Ok(Answer::default()) };
        let now = search.now.unwrap_or_else(ambient::now);
        let words = &prompt.text;
        let named = named_time(prompt.meant(), now);
        let time = named.as_ref().map(|named| named.range);
        let terms = words_of(view, prompt, named.as_ref())?;
        let mut tally = Tally::new(&view.facts, &self.weights);
        let gate = Gate::of(view, query, search.holds, &search.audience)?;
        let mut sought = Vec::new();
        let mut unmet = None;
        let mut ranked = if words.trim().is_empty() {
            if query.filter == Filter::default() { Vec::new() } else { newest(view, &gate) }
        } else {
            let faint = Faint::of(prompt, named.as_ref(), |word| meant::has_agent(view, &gate, word));
            // What stands in quotes is text.
            let may_list = but.is_none() && query.phrases.is_empty();
            let listing =
                may_list.then(|| Listing::of(view, &gate, &faint, named.as_ref(), &terms)).flatten();
            let called = Called::of(view, &gate, words, &terms)?;
            sought = count(view, &gate, (prompt, terms), (&faint, &called), &mut tally, &self.weights)?;
            let vector = match vector {
                Some(vector) => quantised(vector),
                None => {
                    let rare = rare_words(view, &sought, &self.weights);
                    quantised(&self.embedder.embed_weighed(prompt.meant(), &rare)?)
                }
            };
            let meaning = Nearness::of(view, &vector, &gate);
            let question = Question {
                sought: &sought,
                called: &called,
                embedder: &*self.embedder,
                asked: Asked::of(prompt.meant()),
                time,
                now,
                said: words.split_whitespace().count(),
            };
            let found = rank(view, &gate, &tally, &meaning, &question, &self.weights)?;
            match listing {
                Some(listing) => {
                    let (found, missed) = listing.put_first(view, &gate, found)?;
                    // Where filters narrow the question down, these may be why there is nothing.
                    unmet = missed.filter(|_| query.filter == Filter::default() && query.not.is_empty());
                    found
                }
                None => found,
            }
        };
        let hidden = if words.trim().is_empty() && ranked.is_empty() {
            (0..view.rows() as u32).filter(|&row| gate.hides(row)).count()
        } else {
            tally.scored.iter().filter(|&&row| gate.hides(row)).count()
        };
        let named = named::row(view, &gate, words.trim());
        named::put_first(&mut ranked, named);
        let asked = (&sought[..], prompt.meant(), &self.weights);
        let mut hits = show::hits(store, view, &ranked, asked, query, search, but)?;
        // Who names a time, a number or the memory itself knows which one is meant.
        let names_one = time.is_some()
            || named.is_some()
            || sought.iter().any(|word| word.term.word().contains(|c: char| c.is_ascii_digit()));
        if but.is_none() && !names_one && Age::asked_for(&prompt.meant().to_lowercase()) != Some(Age::Oldest)
        {
            changed::put_newer_first(&mut hits, Table::built_in);
            changed::put_own_language_first(&mut hits, language_of(prompt.meant()), Table::built_in);
        }
        named::explain(&mut hits, words.trim());
        let left_behind = || tally.scored.iter().filter(|&&row| gate.leaves_behind(row)).count();
        Ok(Answer {
            superseded: if hits.is_empty() { left_behind() } else { 0 },
            hits,
            among: view.facts.live,
            hidden,
            behind: view.behind,
            broken_index: view.broken.clone(),
            words: sought.iter().map(Word::of).collect(),
            time,
            unmet,
            notes: query.notes.clone(),
        })
    }
}

/// How much each word of a question counts in what it means: the rarer it is among these memories the more. Small words
/// and words that nobody wrote, whose meaning may still be there, count one.
fn rare_words(view: &View, sought: &[Sought], weights: &Weights) -> impl Fn(&str) -> f32 + use<> {
    let weight = |sought: &Sought| {
        let rarity = rarity(view.facts.live, sought.rows);
        let rare = if sought.rows == 0 { 1.0 } else { (rarity / weights.usual_rarity).sqrt() };
        (sought.term.word().to_owned(), sought.share * rare)
    };
    let weights: HashMap<String, f32> = sought.iter().map(weight).collect();
    move |word| weights.get(word).copied().unwrap_or(1.0)
}

impl Word {
    fn of(sought: &Sought) -> Self {
        Self {
            word: sought.term.word().to_owned(),
            memories: sought.memories,
            known: sought.known,
            near: sought.near.clone(),
        }
    }
}

/// Leaves one of the wanted values; where it is not among them, nothing fits.
fn only<T: Clone + PartialEq>(wanted: &mut Wanted<T>, one: Option<&T>) {
    let Some(one) = one else { return };
    if !wanted.yes.is_empty() && !wanted.yes.contains(one) {
        wanted.no.push(one.clone());
    }
    wanted.yes = vec![one.clone()];
}

/// The query with what was asked beside its text.
fn narrowed(mut query: Query, search: &Search) -> Query {
    let filter = &mut query.filter;
    only(&mut filter.agents, search.agent.as_ref());
    only(&mut filter.categories, search.category.as_ref());
    only(&mut filter.kinds, search.kind.as_ref());
    filter.tags.yes.extend(search.tag.clone());
    filter.since = filter.since.max(search.since);
    let held = match search.holds {
        Holds::At(moment) => Some(Time(moment.0.saturating_add(1))),
        Holds::Now | Holds::Ever => None,
    };
    filter.until = [filter.until, search.until, held].into_iter().flatten().min();
    query
}
