//! The drain: what hooks told and what transcripts hold becomes history, memories, handoffs and snapshots.
//!
//! One process at a time drains a root. A crash anywhere repeats: letters are taken away and progress is written only
//! after what they led to is durable, and the door lets nothing in twice. The letters of a session that fails stay.

use std::collections::{HashMap, HashSet};
use std::time::{Duration, Instant};

use memory_core::event::Event;
use memory_core::id::{AgentId, SessionId, TurnId};
use memory_core::kind::Kind;
use memory_core::scope::SourceClass;
use memory_core::session::Client;
use memory_core::time::Time;

use super::door::{Door, TakenBack};
use super::group::{Group, Heard, Porch};
use super::history::History;
use super::inbox;
use super::known::{GIVEN, Known};
use super::letter::Letter;
use super::processed::{Process, Processed};
use super::progress::{Progress, Rest, Shown, Waiting, name_of, session_of};
use super::reading::{Reading, named_by_place};
use super::sitting::{
    MOST_COMPARED_IN_ALL, Sitting, Whose, event_of, handoff, identity, message_of, shared, told_before,
};
use super::snapshots;
use super::sources::{Elsewhere, From, folders_of, sources};
use super::told::{Told, is_over, letters, name_told};
use crate::ambient;
use crate::disk::Disk;
use crate::error::{Error, Result};
use crate::harness::{Begin, Cursor, Found, Until, read_tail};
use crate::hook::Happened;
use crate::keep::{Draft, Kept};
use crate::project::{Project, project_of};
use crate::store::Outcome;

/// After so long a message is taken as it is.
const SETTLED: Duration = Duration::from_secs(3);

/// Takes in everything that is new. `report` hears how many of how many sessions are done.
pub(crate) fn drain(
    disk: &dyn Disk,
    door: &mut dyn Door,
    process: &Process,
    report: &mut dyn FnMut(usize, usize),
) -> Result<Processed> {
    let mut done = Processed::default();
    let Some(_elected) = elected(disk, process.wait)? else {
        done.busy = true;
        return Ok(done);
    };
    let now = ambient::now();
    let letters = letters(disk, door)?;
    let told = Told::of(&letters);
    let (sources, unread) = sources(disk, &process.from, &told);
    done.defects.extend(unread);
    done.sessions = sources.len();
    let agent = process.agent.clone().unwrap_or_else(|| door.config().memory.agent.clone());
    let mut drain = Drain {
        shown: Shown::load(disk)?,
        waiting: Waiting::load(disk)?,
        names: HashSet::new(),
        group: Group::default(),
        left: MOST_COMPARED_IN_ALL,
        project: folders_of(disk),
        // Whoever names a folder means all that is in it.
        home: matches!(process.from, From::Clients(_))
            .then(|| project_of(disk.root().parent().unwrap_or(disk.root()))),
        given: Known::load(disk, GIVEN)?,
        latest: None,
        disk,
        door,
        process,
        agent,
        now,
        done,
        events: Vec::new(),
        failed: HashSet::new(),
    };
    let total = sources.len();
    // Sessions whose letters need not be heard, because a transcript says it all or nothing can be kept of them.
    let mut dealt_with = HashSet::new();
    for (n, found) in sources.iter().enumerate() {
        report(n, total);
        let name = name_of(found.client, found.session.as_ref());
        match drain.transcript(found, &name, &told) {
            Ok(Words::None) => continue,
            Ok(Words::Given) => drain.waiting.set(&name, None),
            Err(error) => drain.fail(&name, found.path.display().to_string(), &error),
        }
        dealt_with.insert(name);
    }
    report(total, total);
    for (name, letters) in told.sessions.iter().filter(|(name, _)| !dealt_with.contains(*name)) {
        if let Err(error) = drain.spoken(name, letters) {
            drain.fail(name, name.clone(), &error);
        }
    }
    drain.settle();
    drain.rest();
    drain.settle();
    drain.finish(&letters)
}

struct Drain<'a> {
    disk: &'a dyn Disk,
    door: &'a mut dyn Door,
    process: &'a Process,
    agent: AgentId,
    now: Time,
    shown: Shown,
    waiting: Waiting,
    /// Sessions whose entry in the state changed.
    names: HashSet<String>,
    /// Sessions that only hooks tell of, on their way through the door.
    group: Group,
    /// How many more drafts may be compared with what is kept.
    left: usize,
    /// The folders of the project.
    project: Vec<String>,
    /// The project, where only its own words are taken in.
    home: Option<Project>,
    /// What transcripts gave before.
    given: Known,
    /// The session in which something was said last.
    latest: Option<Latest>,
    done: Processed,
    events: Vec<Event>,
    /// Sessions that could not be taken in: their letters wait for the next time.
    failed: HashSet<String>,
}

/// Whether a transcript holds what was said, or is about to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Words {
    Given,
    None,
}

/// A session of which a snapshot is taken.
struct Latest {
    said: Time,
    progress: Progress,
    session: String,
    agent: AgentId,
}

impl Drain<'_> {
    /// Takes in what a transcript holds beyond what was taken in before.
    fn transcript(&mut self, found: &Found, name: &str, told: &Told<'_>) -> Result<Words> {
        let (own, mut progress) = Progress::of_file(self.disk, name, &found.path)?;
        progress.trail.limit(found.most);
        let at_rest = Duration::from_millis(u64::try_from(self.now.0 - found.modified.0).unwrap_or(0));
        let ended = told.any(name, is_over);
        let over = ended || at_rest >= self.process.idle;
        // A message that may still grow is left for later, but not for long: what comes after all comes as its own.
        let answered = told.any(name, |it| matches!(it, Happened::Reply { .. }));
        let until = if over || answered || at_rest >= SETTLED { Until::End } else { Until::Settled };
        let is_first = progress.path.is_empty() && progress.trail.messages == 0;
        let same = (progress.size, progress.modified) == (found.size, found.modified.0);
        let unread = !same || progress.held_back && until == Until::End;
        if is_first && self.shown.is_done(&own, found.modified) {
            // Another program of this family was here before us; what it kept is there.
            progress.handed = usize::MAX;
        }
        if !unread {
            self.done.up_to_date += 1;
        } else if self.read(found, &own, &mut progress, until)? == Words::None {
            return Ok(Words::None);
        }
        let words = if progress.has_transcript() { Words::Given } else { Words::None };
        // What hooks told is handed over when they fall silent, whatever becomes of the file.
        if over && (unread || words == Words::Given) && progress.wants_handoff() {
            // Files of which nobody says what session they are must not write over each other's.
            let named = if found.session.is_some() { name.to_owned() } else { named_by_place(name, found) };
            let (session, agent) = (found.session.as_ref(), self.agent_of(found));
            let draft = handoff(&named, found.client, session, &agent, &progress.trail, found.modified);
            self.hand_over(&own, draft, &mut progress)?;
        } else if unread {
            progress.save(self.disk, &own)?;
            self.note(&own, &progress);
        }
        if unread {
            let agent = self.agent_of(found);
            self.said_last(&progress, found.session.as_ref(), &agent, found.modified);
        }
        Ok(words)
    }

    /// Reads a transcript. One that cannot be read is told of, and `progress` is not to be used then.
    fn read(&mut self, found: &Found, name: &str, progress: &mut Progress, until: Until) -> Result<Words> {
        let from = std::mem::take(&mut progress.cursor);
        let silent = progress.handed == usize::MAX;
        let mut before = progress.trail.messages;
        let Some(mut reading) = self.hear(found, name, progress, &from, until)? else {
            return Ok(Words::None);
        };
        if reading.takes_back(found.client) && !silent {
            // The trail holds what was taken back as well, so all that still counts is heard from the start.
            progress.begin_anew(found.most);
            before = 0;
            let start = Cursor::default();
            let Some(again) = self.hear(found, name, progress, &start, until)? else {
                return Ok(Words::None);
            };
            self.take_back(found, &reading.tail.rewound, &again)?;
            reading = again;
        }
        let Reading { tail, event, .. } = reading;
        // Another chat in the same file has a trail of its own.
        let before = if std::mem::take(&mut progress.turned) { 0 } else { before };
        let spoke = progress.trail.messages > before;
        let rewritten = tail.begin == Begin::Rewritten;
        // What hooks told before the client wrote it down comes again, too.
        let again = rewritten || progress.by_hooks && spoke;
        if again {
            progress.trail.read_again(before);
        }
        if silent {
            progress.handed = progress.trail.messages;
        }
        if tail.given > 0 {
            self.done.processed += 1;
            self.done.messages += tail.given;
            self.events.extend(event);
        } else {
            self.done.up_to_date += 1;
        }
        if again {
            progress.handed = progress.handed.min(progress.trail.messages.saturating_sub(1));
        }
        let place = found.path.display().to_string();
        self.done.defects.extend(tail.defects.iter().map(|defect| (place.clone(), defect.what.clone())));
        progress.by_hooks = !spoke && (rewritten || progress.by_hooks);
        progress.path = place;
        progress.size = found.size;
        progress.modified = found.modified.0;
        progress.held_back = tail.held_back;
        progress.cursor = tail.cursor;
        Ok(Words::Given)
    }

    /// Hears what a transcript says after a cursor, and keeps what is worth it; `None` where it cannot be read.
    fn hear(
        &mut self,
        found: &Found,
        name: &str,
        progress: &mut Progress,
        from: &Cursor,
        until: Until,
    ) -> Result<Option<Reading>> {
        let agent = self.agent_of(found);
        let whose = Whose {
            client: found.client,
            agent: &agent,
            session: found.session.as_ref(),
            at: found.modified,
            project: &self.project,
        };
        let silent = progress.handed == usize::MAX;
        let mut elsewhere = Elsewhere::new(self.home.as_ref(), found.client);
        let mut turns = HashSet::new();
        let given = Some(&mut self.given);
        let mut sitting = Sitting::new(&mut *self.door, whose, progress, silent, &mut self.left, given);
        let read = read_tail(&found.source(), from, until, &mut |message| {
            turns.extend(message.turn.clone());
            if !elsewhere.is(&message) {
                sitting.take(message);
            }
        });
        let (outcome, event, said) = sitting.close(name);
        outcome.map(|kept| self.count(kept))?;
        match read {
            Ok(tail) => Ok(Some(Reading { tail, event, said, turns })),
            Err(error) => {
                self.done.errors.push((found.path.display().to_string(), error.to_string()));
                Ok(None)
            }
        }
    }

    /// Takes out what only words gave that the person took back. What is said again elsewhere stays.
    fn take_back(&mut self, found: &Found, rewound: &[TurnId], now: &Reading) -> Result<()> {
        let Some(session) = &found.session else { return Ok(()) };
        let rewound: HashSet<&TurnId> = rewound.iter().collect();
        // A message that waits is there, though it was not heard.
        if rewound.is_empty() && now.tail.held_back {
            return Ok(());
        }
        // Where a client deletes what was taken back, whatever is no longer there is gone.
        let is_gone = |turn: &TurnId| {
            if rewound.is_empty() { !now.turns.contains(turn) } else { rewound.contains(turn) }
        };
        let given = &self.given;
        let back = TakenBack {
            origin: found.client.word(),
            session,
            is_gone: &is_gone,
            said: &now.said,
            is_said_elsewhere: &|id| given.has(shared(id)),
        };
        self.done.taken_back += self.door.take_back(&back)?;
        Ok(())
    }

    /// Takes in what hooks told of a session of which no transcript says anything.
    fn spoken(&mut self, name: &str, letters: &[&Letter]) -> Result<()> {
        let Some(first) = letters.first() else { return Ok(()) };
        let mut progress = Progress::load(self.disk, name)?;
        let fresh: Vec<&&Letter> = letters.iter().filter(|letter| progress.note(&letter.key)).collect();
        let signal = &first.signal;
        let heard = letters.last().map_or(self.now, |letter| letter.heard);
        let session = signal.session.as_ref();
        let project = &self.project;
        let whose = Whose { client: signal.client, agent: &self.agent, session, at: heard, project };
        let (before, left) = (progress.trail.messages, self.left);
        let mut porch = Porch { door: &mut *self.door, drafts: Vec::new(), settled: Vec::new() };
        let mut sitting = Sitting::new(&mut porch, whose, &mut progress, false, &mut self.left, None);
        fresh.iter().filter_map(|letter| message_of(letter)).for_each(|message| sitting.take(message));
        let (outcome, event, _) = sitting.close(name);
        let Porch { drafts, settled, .. } = porch;
        outcome?;
        self.events.extend(event);
        progress.by_hooks |= progress.trail.messages > before;
        let agent = self.agent.clone();
        let rest = Rest::of(signal.client, &agent, heard);
        let over = fresh.iter().any(|letter| is_over(&letter.signal.happened)) || self.rests(&rest);
        if progress.trail.messages > before {
            self.said_last(&progress, signal.session.as_ref(), &agent, heard);
        }
        let handoff = (over && progress.wants_handoff())
            .then(|| handoff(name, signal.client, session, &agent, &progress.trail, heard));
        self.group.add(Heard { name: name.to_owned(), progress, drafts, settled, handoff, rest });
        // What is compared next is compared with this, too.
        if self.left < left || self.group.is_full() {
            self.settle();
        }
        Ok(())
    }

    /// Hands over the sessions of which hooks told before and nothing now.
    fn rest(&mut self) {
        for (name, rest) in self.waiting.all() {
            if self.failed.contains(&name) || !self.rests(&rest) {
                continue;
            }
            match Progress::load(self.disk, &name) {
                Ok(progress) => {
                    let whose = rest.whose().filter(|_| progress.wants_handoff());
                    let heard = Time(rest.heard);
                    let handoff = whose.map(|(client, agent)| {
                        let session = session_of(client, &name);
                        handoff(&name, client, session.as_ref(), &agent, &progress.trail, heard)
                    });
                    let (drafts, settled) = (Vec::new(), Vec::new());
                    self.group.add(Heard { name, progress, drafts, settled, handoff, rest });
                }
                Err(error) => self.fail(&name, name.clone(), &error),
            }
            if self.group.is_full() {
                self.settle();
            }
        }
    }

    /// Lets in what waits, and writes down how far its sessions were taken in.
    fn settle(&mut self) {
        for (heard, kept) in self.group.keep(&mut *self.door) {
            let name = heard.name.clone();
            if let Err(error) = kept.and_then(|kept| self.taken_in(heard, kept)) {
                self.fail(&name, name.clone(), &error);
            }
        }
    }

    fn taken_in(&mut self, mut heard: Heard, kept: Vec<Kept>) -> Result<()> {
        for kept in kept {
            match (kept.outcome, heard.drafts.first()) {
                (Outcome::Created, _) => *self.done.kept.entry(kept.kind.word().to_owned()).or_default() += 1,
                (Outcome::Duplicate, Some(draft)) if self.door.is_of_another(&kept.id, draft)? => {
                    self.given.add(shared(&kept.id));
                }
                _ => {}
            }
        }
        for settled in &heard.settled {
            self.door.settle(settled)?;
        }
        for draft in &heard.drafts {
            self.given.add(identity(draft));
            self.given.add(told_before(draft)[0]);
        }
        if heard.handoff.is_some() {
            self.done.handoffs += 1;
            heard.progress.handed = heard.progress.trail.messages;
            self.note(&heard.name, &heard.progress);
        }
        heard.progress.save(self.disk, &heard.name)?;
        self.waiting.set(&heard.name, heard.progress.wants_handoff().then_some(heard.rest));
        Ok(())
    }

    /// Whether nothing was heard of a session for so long that it counts as idle.
    fn rests(&self, rest: &Rest) -> bool {
        let idle = i64::try_from(self.process.idle.as_millis()).unwrap_or(i64::MAX);
        let is_meant = rest.whose().is_some_and(|(client, _)| self.process.from.means(client));
        is_meant && self.now.0.saturating_sub(rest.heard) >= idle
    }

    /// Notes the session in which something was said last.
    fn said_last(&mut self, progress: &Progress, session: Option<&SessionId>, agent: &AgentId, at: Time) {
        let said = progress.trail.last.map_or(at, Time);
        // What a snapshot holds is told as what was said here.
        let is_own = progress.trail.at_most(SourceClass::Human) > SourceClass::Foreign;
        if is_own && self.latest.as_ref().is_none_or(|latest| latest.said < said) {
            let session = session.map(ToString::to_string).unwrap_or_default();
            self.latest = Some(Latest { said, progress: progress.clone(), session, agent: agent.clone() });
        }
    }

    /// Tells that a session could not be taken in; its letters wait for the next time.
    fn fail(&mut self, name: &str, place: String, error: &Error) {
        self.done.errors.push((place, error.to_string()));
        self.failed.insert(name.to_owned());
    }

    /// Keeps the handoff of a session in the place of an earlier one.
    fn hand_over(&mut self, name: &str, draft: Draft, progress: &mut Progress) -> Result<()> {
        for kept in self.door.keep(vec![draft])? {
            kept?;
        }
        self.done.handoffs += 1;
        progress.handed = progress.trail.messages;
        progress.save(self.disk, name)?;
        self.note(name, progress);
        Ok(())
    }

    /// Whose session it is: saved conversations are named after their agent, where nobody else was named.
    fn agent_of(&self, found: &Found) -> AgentId {
        let is_named = found.client == Client::Conversations && self.process.agent.is_none();
        let name = found.path.file_stem().filter(|_| is_named).map(|name| name.to_string_lossy());
        name.and_then(|name| AgentId::parse(&name).ok()).unwrap_or_else(|| self.agent.clone())
    }

    fn note(&mut self, name: &str, progress: &Progress) {
        self.shown.set(name, progress, self.now);
        self.names.insert(name.to_owned());
    }

    fn count(&mut self, kept: HashMap<Kind, usize>) {
        for (kind, count) in kept {
            *self.done.kept.entry(kind.word().to_owned()).or_default() += count;
        }
    }

    /// Writes down what happened and takes the letters away.
    fn finish(mut self, letters: &[(String, Letter)]) -> Result<Processed> {
        let lock = self.disk.lock(Duration::from_millis(self.door.config().limits.lock_wait_ms))?;
        if let Some(Latest { progress, session, agent, .. }) = &self.latest {
            let chat = Some(session.as_str()).filter(|session| !session.is_empty());
            let saved = progress.trail.snapshot(agent.as_str(), chat, self.now);
            snapshots::snapshot(self.disk, self.door.config(), agent, &saved, self.now)?;
        }
        let letters: Vec<_> =
            letters.iter().filter(|(_, letter)| !self.failed.contains(&name_told(letter))).collect();
        let mut history = History::open(self.disk)?;
        letters.iter().filter_map(|(_, letter)| event_of(letter)).for_each(|event| history.add(event));
        std::mem::take(&mut self.events).into_iter().for_each(|event| history.add(event));
        history.close()?;
        self.shown.save(self.disk, &self.names)?;
        self.waiting.save(self.disk)?;
        self.given.save(self.disk)?;
        drop(lock);
        for (name, _) in &letters {
            inbox::done(self.disk, name)?;
        }
        self.done.signals = letters.len();
        Ok(self.done)
    }
}

/// Waits for the right to drain; `None` when another process keeps it.
fn elected(disk: &dyn Disk, wait: Duration) -> Result<Option<Box<dyn std::any::Any + Send>>> {
    let start = Instant::now();
    loop {
        if let Some(elected) = disk.elect("drain")? {
            return Ok(Some(elected));
        }
        if start.elapsed() >= wait {
            return Ok(None);
        }
        disk.pause(Duration::from_millis(20));
    }
}
