//! What could be told, from the files, the catalogue and the index.

use memory_core::context::{Budget, Doubtful, Found, Pool, Profile, says_something, written};
use memory_core::id::{MemoryId, SessionId};
use memory_core::kind::Kind;
use memory_core::layout::{self, Home, Page, Preferred};
use memory_core::memory::{Body, Holds, Memory};
use memory_core::retain::{OpenTask, asks_nothing, latest_handoff, open_tasks, tells_of_work};
use memory_core::scope::{Audience, Scope, Sensitivity, SourceClass};
use memory_core::session::saved::{Said, Saved};
use memory_core::session::trail::UNTRUSTED;
use memory_core::time::{DAY_MS, Time};

use super::receipts::Given;
use super::{Ask, Moment, experiences, topic};
use crate::capture;
use crate::error::Result;
use crate::search::{Hit, Operators, Search, Searcher};
use crate::store::{Entry, Filter, Store};

/// Handoffs among which the latest is looked for: one that was written again keeps its place in the file.
const HANDOFFS: usize = 20;
/// Memories of each kind that are told first at the start of a session, where nothing is asked yet.
const RECENT: [(Kind, usize); 5] =
    [(Kind::Decision, 12), (Kind::Lesson, 8), (Kind::Preference, 8), (Kind::Command, 4), (Kind::Fact, 4)];
/// What fills the room that is left at the end, in this order, and notes after it.
const LASTING: [Kind; 5] = [Kind::Preference, Kind::Decision, Kind::Lesson, Kind::Command, Kind::Fact];
const NOTES: usize = 8;
/// A session that spoke so lately may still run.
const RESTED_MS: i64 = 10 * 60_000;
/// Preferences that are told with every command.
const PREFERENCES: usize = 8;
/// Tokens of an ordinary memory and of a short one; the budget over this is how many are looked for.
const ORDINARY: usize = 64;
const SHORT: usize = 16;

pub(super) struct Gather<'a> {
    pub(super) store: &'a mut Store,
    pub(super) searcher: &'a mut Searcher,
    pub(super) ask: &'a Ask,
    pub(super) profile: &'a Profile,
    pub(super) budget: Budget,
    pub(super) now: Time,
    pub(super) broken_index: Option<String>,
    pub(super) reach: Reach,
}

/// How many memories are looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reach {
    /// As many as fit where they are ordinary.
    Near,
    /// As many as fit where all of them are short.
    Far,
}

impl Reach {
    fn limit(self, budget: Budget) -> usize {
        match self {
            Self::Near => (budget.tokens / ORDINARY).clamp(16, 100),
            Self::Far => (budget.tokens / SHORT).clamp(32, 250),
        }
    }
}

impl Gather<'_> {
    /// Everything that the profile asks for beside what is found. A part that cannot be had is left out.
    pub(super) fn beside_found(&mut self) -> Result<Pool> {
        let mut pool = Pool::default();
        let profile = self.profile;
        if profile.project {
            pool.project = self.or_without(Self::project)?;
        }
        if profile.long_term {
            pool.long_term = self.or_without(Self::long_term)?;
        }
        let handoffs = if profile.handoff { self.or_without(Self::handoffs)? } else { Vec::new() };
        pool.handoff = latest_handoff(handoffs.iter().filter(|handoff| says_something(handoff))).cloned();
        if profile.tasks {
            pool.tasks = self.or_without(Self::tasks)?;
        }
        if profile.recovery {
            (pool.tail, pool.tail_may_run) = self.or_without(|gather| gather.tail(&handoffs))?;
        }
        if profile.journal {
            pool.journal = self.or_without(Self::journal)?;
        }
        Ok(pool)
    }

    /// What could be had; nothing where a file stands in the way, and a word about it.
    fn or_without<T: Default>(&mut self, get: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        match get(self) {
            Err(error) if !error.is_of_ledger() => {
                self.store.notice(error.code(), error.to_string());
                Ok(T::default())
            }
            got => got,
        }
    }

    /// The memories that answer; at the start of a session where nothing is asked yet, the newest.
    pub(super) fn found(&mut self, moment: Moment) -> Result<Vec<Found>> {
        let asked = !self.ask.command.trim().is_empty();
        match (moment, asked) {
            (Moment::Start, false) => self.recent(&RECENT),
            (Moment::Start, true) => {
                // What a person prefers holds for every command.
                let mut found = self.recent(&[(Kind::Preference, PREFERENCES)])?;
                found.extend(self.or_without(Self::answers)?);
                Ok(found)
            }
            (_, true) => self.or_without(Self::on_topic),
            (_, false) => Ok(Vec::new()),
        }
    }

    /// What was kept lately, for the room that is left at the start of a session: as much as could fit.
    pub(super) fn lately(&mut self) -> Result<Vec<Found>> {
        let most = Reach::Far.limit(self.budget);
        let lasting = LASTING.map(|kind| (kind, most));
        self.recent(&[&lasting[..], &[(Kind::Note, NOTES)]].concat())
    }

    /// Those of what was found that a session was given as they are now.
    pub(super) fn unchanged(&self, given: &Given, found: &[Found]) -> Result<Vec<MemoryId>> {
        let mut unchanged = Vec::new();
        for id in found.iter().map(|found| &found.memory.id) {
            if let Some(at) = given.ids.get(id)
                && self.store.changed_at(id)?.is_none_or(|changed| changed <= *at)
            {
                unchanged.push(id.clone());
            }
        }
        Ok(unchanged)
    }

    fn audience(&self) -> Audience {
        Audience {
            agent: Some(self.ask.agent.clone()),
            session: self.ask.session.clone(),
            ..Audience::default()
        }
    }

    /// Which memories this agent may see, whose place nothing took.
    fn may_tell(&self) -> impl Fn(&Memory) -> bool + use<> {
        let audience = self.audience();
        move |memory| memory.visible_to(&audience) && memory.holds(Holds::Now)
    }

    fn search(&self, limit: usize, kind: Option<Kind>) -> Search {
        Search {
            kind,
            limit,
            audience: self.audience(),
            now: Some(self.now),
            operators: Operators::AsText,
            ..Search::new(&self.ask.command)
        }
    }

    fn limit(&self) -> usize {
        self.reach.limit(self.budget)
    }

    /// Whether looking further would find more to fill the budget with.
    pub(super) fn may_find_more(&self, pool: &Pool) -> bool {
        self.reach == Reach::Near && self.profile.fill && pool.found.len() >= self.limit()
    }

    /// The memories that answer the command. Of decisions and lessons there are as many as the profile asks for, even
    /// where others answer better.
    fn answers(&mut self) -> Result<Vec<Found>> {
        let answer = self.searcher.search(self.store, &self.search(self.limit(), None))?;
        self.broken_index = answer.broken_index;
        let mut hits = answer.hits;
        hits.retain(|hit| !self.is_told_whole(hit));
        for (kind, asked) in [(Kind::Decision, self.profile.decisions), (Kind::Lesson, self.profile.lessons)]
        {
            let count = hits.iter().filter(|hit| hit.entry.memory.kind == kind).count();
            if count < asked {
                let more = self.searcher.search(self.store, &self.search(asked, Some(kind)))?;
                hits.extend(more.hits);
            }
        }
        let mut found: Vec<Found> = hits.into_iter().map(found).filter(says_anything).collect();
        if self.profile.journal {
            // They may have left the journal long ago; what still stands there is found already.
            let audience = self.audience();
            let past =
                self.or_without(|gather| experiences::about(gather.store, &audience, &gather.ask.command))?;
            let is_new = |one: &Found| found.iter().all(|other| other.memory.id != one.memory.id);
            let mut past: Vec<Found> = past.into_iter().filter(is_new).collect();
            // The nearer, the closer to the best answer.
            let best = found.iter().map(|one| one.score).fold(1.0, f32::max);
            past.iter_mut().for_each(|one| one.score *= best);
            found.extend(past);
        }
        Ok(found)
    }

    /// The memories that answer a prompt for certain. A prompt such as "go on" asks nothing.
    fn on_topic(&mut self) -> Result<Vec<Found>> {
        if asks_nothing(&self.ask.command) {
            return Ok(Vec::new());
        }
        let mut answer = self.searcher.search(self.store, &self.search(self.limit(), None))?;
        let hits = std::mem::take(&mut answer.hits);
        let is_met = |hit: &Hit| !self.is_told_whole(hit) && topic::is_met(&answer, hit);
        let met = hits.into_iter().filter(is_met).map(found).filter(says_anything).collect();
        self.broken_index = answer.broken_index;
        Ok(met)
    }

    /// Whether it is the project page, which the start of a session tells by itself.
    fn is_told_whole(&self, hit: &Hit) -> bool {
        self.profile.project && is_project_page(&hit.entry.file)
    }

    /// The newest of what lasts: so many of each of these kinds.
    fn recent(&mut self, kinds: &[(Kind, usize)]) -> Result<Vec<Found>> {
        let own = (self.store.config().memory.layout != Preferred::Vault)
            .then(|| Scope::Agent(self.ask.agent.clone()).to_string());
        let session = self.ask.session.clone().map(|session| Scope::Session(session).to_string());
        let scopes: Vec<String> = own.into_iter().chain(session).collect();
        let outside = self.or_without(|gather| gather.store.newest_of_scopes(&scopes))?;
        let mut found = Vec::new();
        for (kind, most) in kinds {
            found.extend(self.newest(kind, *most, &outside, Trust::Plain)?);
            if self.ask.doubtful == Doubtful::Fence {
                found.extend(self.newest(kind, *most, &outside, Trust::Doubtful)?);
            }
        }
        Ok(found)
    }

    /// The newest of a kind that may be told: of the agent's own, of those that are kept for all, and of these.
    fn newest(&mut self, kind: &Kind, most: usize, others: &[Entry], trust: Trust) -> Result<Vec<Found>> {
        let may_tell = self.may_tell();
        let wanted = |memory: &Memory| memory.kind == *kind && trust.fits(memory) && may_tell(memory);
        let agent = &self.ask.agent;
        let mut entries =
            self.or_without(|gather| gather.store.newest_in(agent, &kind.category(), most, &wanted))?;
        entries.extend(self.or_without(|gather| gather.store.newest_shared(kind, most, &wanted))?);
        entries.extend(others.iter().filter(|entry| wanted(&entry.memory)).cloned());
        entries.sort_by(|a, b| (b.memory.created, &b.memory.id).cmp(&(a.memory.created, &a.memory.id)));
        entries.dedup_by(|a, b| a.memory.id == b.memory.id);
        let newest = entries.into_iter().take(most);
        Ok(newest.map(|entry| Found { memory: entry.memory, score: 0.0, passage: None }).collect())
    }

    /// The project page.
    fn project(&mut self) -> Result<Option<String>> {
        let home = Home::Page(Page::Project);
        let bytes = self.store.disk().read(&home.path(), self.store.config().limits.file_bytes)?;
        Ok(bytes.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()))
    }

    /// The long-term summaries, without what is secret or came from strangers.
    fn long_term(&mut self) -> Result<Option<String>> {
        let home = Home::LongTerm;
        let bytes = self.store.disk().read(&home.path(), self.store.config().limits.file_bytes)?;
        let Some(bytes) = bytes else { return Ok(None) };
        let mut parts: Vec<String> = Vec::new();
        layout::visit(&home, &bytes, &mut |found| {
            if is_plain(&found.memory) {
                let title = found.memory.title.as_deref().map_or(String::new(), |title| format!("{title}\n"));
                parts.push(format!("{title}{}", found.memory.body.as_str()));
            }
        });
        Ok((!parts.is_empty()).then(|| parts.join("\n\n")))
    }

    /// The newest handoffs, among which the latest one of a session is: of all, and of those that tell of work, since
    /// any number of chats may have come after that.
    fn handoffs(&mut self) -> Result<Vec<Memory>> {
        let may_tell = self.may_tell();
        let (agent, category) = (&self.ask.agent, Kind::Handoff.category());
        let of_work = |memory: &Memory| tells_of_work(memory) && says_something(memory) && may_tell(memory);
        let mut entries = self.store.newest_in(agent, &category, HANDOFFS, &may_tell)?;
        entries.extend(self.store.newest_in(agent, &category, HANDOFFS, &of_work)?);
        Ok(entries.into_iter().map(|entry| entry.memory).collect())
    }

    fn tasks(&mut self) -> Result<Vec<OpenTask>> {
        let may_tell = self.may_tell();
        let entries = self.store.with_boxes(&self.ask.agent)?;
        let memories: Vec<Memory> = entries
            .into_iter()
            .map(|entry| entry.memory)
            .filter(|memory| may_tell(memory) && is_plain(memory))
            .collect();
        Ok(open_tasks(&memories))
    }

    /// The last messages of another session that broke off, and whether it may still run; of one that read strangers'
    /// texts, the person's alone.
    fn tail(&mut self, handoffs: &[Memory]) -> Result<(Vec<Said>, bool)> {
        let Some(saved) = capture::recover(self.store.disk(), &self.ask.agent, self.now)? else {
            return Ok(Default::default());
        };
        let own = self.ask.session.as_ref().map(SessionId::as_str);
        if own.is_some() && own == saved.chat.as_deref() || self.is_handed_over(&saved, handoffs)? {
            return Ok(Default::default());
        }
        let may_run = saved.saved.is_some_and(|at| self.now.0.saturating_sub(at.0) < RESTED_MS);
        let told = |said: &Said| !said.internal && !said.extra.contains_key(UNTRUSTED);
        Ok((saved.messages.into_iter().filter(told).collect(), may_run))
    }

    /// Whether a handoff was made of all that is saved of a session, which then did not break off.
    fn is_handed_over(&self, saved: &Saved, handoffs: &[Memory]) -> Result<bool> {
        for handoff in handoffs {
            let session = handoff.provenance.session.as_ref().map(SessionId::as_str);
            if session == saved.chat.as_deref() && self.store.changed_at(&handoff.id)? >= saved.saved {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// What the journal says of today and yesterday, each line once, oldest first.
    fn journal(&mut self) -> Result<Vec<Memory>> {
        let yesterday = Time((self.now.0.div_euclid(DAY_MS) - 1) * DAY_MS);
        let filter = Filter {
            since: Some(yesterday),
            audience: self.audience(),
            holds: Holds::Now,
            ..Filter::default()
        };
        let mut memories = Vec::new();
        self.store.each(&filter, &mut |entry| {
            if matches!(Home::of_path(&entry.file), Some(Home::Journal | Home::Day(_))) {
                memories.push(entry.memory);
            }
            Ok(std::ops::ControlFlow::Continue(()))
        })?;
        memories.sort_by(|a, b| (a.created, &a.id).cmp(&(b.created, &b.id)));
        memories.dedup_by(|a, b| a.id == b.id);
        Ok(memories)
    }
}

/// Which memories are looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Trust {
    /// Those that may be told unasked.
    Plain,
    /// Those that are told only inside a fence.
    Doubtful,
}

impl Trust {
    fn fits(self, memory: &Memory) -> bool {
        match self {
            Self::Plain => is_plain(memory),
            Self::Doubtful => memory.provenance.class <= SourceClass::Untrusted,
        }
    }
}

/// Whether a memory may be told unasked as it is.
fn is_plain(memory: &Memory) -> bool {
    memory.provenance.sensitivity < Sensitivity::Secret && memory.provenance.class > SourceClass::Untrusted
}

fn is_project_page(file: &str) -> bool {
    Home::of_path(file) == Some(Home::Page(Page::Project))
}

fn says_anything(found: &Found) -> bool {
    !found.memory.body.as_str().trim().is_empty() || found.memory.title.is_some()
}

/// A hit as something that could be told: its passage in bytes of its text.
fn found(mut hit: Hit) -> Found {
    if is_project_page(&hit.entry.file) {
        hit.entry.memory.body = Body::new(&written(hit.entry.memory.body.as_str()));
    }
    let body = hit.entry.memory.body.as_str();
    let passage = body.find(hit.passage.text.as_str()).map(|at| at..at + hit.passage.text.len());
    Found { passage: passage.filter(|range| !range.is_empty()), score: hit.score, memory: hit.entry.memory }
}
