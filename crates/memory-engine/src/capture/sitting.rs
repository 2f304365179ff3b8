//! One sitting with a session: messages in, memories out through the door, and the session's trail grows.

use std::collections::HashMap;

use memory_core::event::{Event, EventId, EventKind, Signals};
use memory_core::extract::{Bearing, Standing, Taken, extract_in, may_replace, own_words};
use memory_core::id::{AgentId, Key, MemoryId, SessionId};
use memory_core::kind::Kind;
use memory_core::memory::{OnExisting, Provenance};
use memory_core::retain::{self, AUTOMATIC, CHAT, is_chat};
use memory_core::scope::{Scope, SourceClass};
use memory_core::session::trail::Trail;
use memory_core::session::{Client, Message, Role};
use memory_core::time::Time;
use serde_json::Map;

use super::door::{Door, Settled};
use super::draft::{draft_of, named};
use super::known::{self, Known};
use super::letter::Letter;
use super::progress::Progress;
use crate::error::{Error, Result};
use crate::hook::Happened;
use crate::keep::{self, Draft};
use crate::store::Outcome;

/// Messages that are looked at together.
const AT_ONCE: usize = 256;
/// Of more drafts than this in one session, none is compared with the vault by its meaning: a long one must not wait.
const MOST_COMPARED: usize = 200;
/// The same for all the sessions of a drain.
pub(super) const MOST_COMPARED_IN_ALL: usize = 1000;

/// Whose session it is.
pub(super) struct Whose<'a> {
    pub(super) client: Client,
    pub(super) agent: &'a AgentId,
    pub(super) session: Option<&'a SessionId>,
    /// When something was said whose time nobody tells.
    pub(super) at: Time,
    /// The folders of the project.
    pub(super) project: &'a [String],
}

/// A sitting.
pub(super) struct Sitting<'a> {
    door: &'a mut dyn Door,
    whose: Whose<'a>,
    progress: &'a mut Progress,
    /// Nothing is kept: another program did that before us.
    silent: bool,
    waiting: Vec<Message>,
    compared: usize,
    /// How many more drafts of all sessions may be compared.
    left: &'a mut usize,
    /// What transcripts gave before, where this is one.
    given: Option<&'a mut Known>,
    /// The texts that were worth keeping.
    said: Vec<String>,
    kept: HashMap<Kind, usize>,
    signals: Signals,
    failed: Option<Error>,
}

impl<'a> Sitting<'a> {
    pub(super) fn new(
        door: &'a mut dyn Door,
        whose: Whose<'a>,
        progress: &'a mut Progress,
        silent: bool,
        left: &'a mut usize,
        given: Option<&'a mut Known>,
    ) -> Self {
        Self {
            door,
            whose,
            progress,
            silent,
            waiting: Vec::new(),
            compared: 0,
            left,
            given,
            said: Vec::new(),
            kept: HashMap::new(),
            signals: Signals::default(),
            failed: None,
        }
    }

    /// Takes a message in.
    pub(super) fn take(&mut self, mut message: Message) {
        // Before anything else, because every part of it may end in some file of ours.
        let config = self.door.config();
        let mut mask = |text: &mut String| *text = keep::mask(config, std::mem::take(text), &mut Vec::new());
        mask(&mut message.text);
        for call in &mut message.tools {
            call.paths.iter_mut().chain(&mut call.command).for_each(&mut mask);
        }
        // What was forgotten for good is not heard again; a person may say it anew.
        let said = message.at.filter(|_| message.role == Role::User);
        match self.door.unsaid(&message.text, said) {
            Ok(left) => message.text = left.unwrap_or(message.text),
            Err(error) => {
                self.failed = Some(error);
                return;
            }
        }
        self.turn_to(&message);
        let own = if message.role == Role::User { own_words(&message.text) } else { String::new() };
        self.progress.trail.add(&message, &own);
        self.waiting.push(message);
        if self.waiting.len() >= AT_ONCE {
            self.look();
        }
    }

    /// Begins the trail anew where another chat begins in a file that holds many.
    fn turn_to(&mut self, message: &Message) {
        let Some(chat) = message.session.as_ref().filter(|_| self.whose.session.is_none()) else { return };
        if self.progress.chat != chat.as_str() {
            self.progress.trail = self.progress.trail.anew();
            if !self.silent {
                self.progress.handed = 0;
            }
            self.progress.chat = chat.to_string();
            self.progress.turned = true;
        }
    }

    /// Ends the sitting: how many memories of each kind are new, the event that tells of it, and the texts that were
    /// worth keeping.
    pub(super) fn close(mut self, name: &str) -> (Result<HashMap<Kind, usize>>, Option<Event>, Vec<String>) {
        self.look();
        let event = self.event(name);
        (self.failed.map_or(Ok(self.kept), Err), event, self.said)
    }

    /// Looks at the messages that wait. After an error nothing more is kept, and the session is read again later.
    fn look(&mut self) {
        let messages = std::mem::take(&mut self.waiting);
        if messages.is_empty() || self.failed.is_some() {
            return;
        }
        let mut before = std::mem::take(&mut self.progress.standing);
        let profile = self.door.config().extract.profile;
        if !self.silent
            && let Err(error) = self.tell_what_stands(&messages, &mut before)
        {
            self.progress.standing = before;
            self.failed = Some(error);
            return;
        }
        let (taken, standing) = extract_in(self.whose.project, &messages, before, profile);
        self.progress.trail.untrusted |= standing.untrusted;
        self.progress.standing = standing;
        if let Err(error) = self.keep(&messages, taken) {
            self.failed = Some(error);
        }
    }

    /// Tells a reading what earlier sessions left open or settled, as far as these messages may change it.
    fn tell_what_stands(&mut self, messages: &[Message], before: &mut Standing) -> Result<()> {
        if messages.iter().any(|message| !message.text.is_empty()) {
            before.known = self.door.open_tasks(self.whose.agent)?;
        }
        if messages.iter().any(|message| message.role == Role::User && may_replace(&message.text)) {
            before.chosen = self.door.standing(self.whose.agent)?;
        }
        Ok(())
    }

    fn keep(&mut self, messages: &[Message], taken: Vec<Taken>) -> Result<()> {
        let mut drafts = Vec::new();
        let mut settled = Vec::new();
        let mut identities = Vec::new();
        // What a hook told before its message was written down.
        let mut named = Vec::new();
        for taken in taken {
            self.signal(&taken);
            if matches!(taken.kind, Kind::Map | Kind::Command) || self.silent {
                continue;
            }
            let Some(message) = messages.get(taken.message) else { continue };
            let was = taken.instead_of.as_ref().map(|text| self.draft(message, &taken, text));
            if taken.bearing == Bearing::Done {
                let Some(was) = was else { continue };
                // That something was done is told once; it may be set again later.
                let identity = settles(&was, None);
                if self.was_given(identity) {
                    continue;
                }
                identities.push(identity);
                match drafts.iter().rposition(|draft: &Draft| draft.text == was.text) {
                    Some(n) => drop(drafts.remove(n)),
                    None => settled.push(Settled { was, by: None }),
                }
                continue;
            }
            let mut draft = self.draft(message, &taken, &taken.text);
            // Also where the new one is known, since something may have failed in between; but a person may have undone it.
            if let Some(was) = was {
                let identity = settles(&was, Some(&draft));
                if !self.was_given(identity) {
                    identities.push(identity);
                    settled.push(Settled { was, by: Some(draft.clone()) });
                }
            }
            self.said.push(draft.text.clone());
            let identity = identity(&draft);
            if self.was_given(identity) {
                continue;
            }
            identities.push(identity);
            let [told, heard] = told_before(&draft);
            if self.was_given(told) && !self.was_given(heard) {
                identities.push(heard);
                named.push(draft);
                continue;
            }
            if self.may_compare()
                && let Some(known) = self.door.known(&mut draft)?
            {
                identities.extend(self.said_elsewhere(&known, &draft)?);
                continue;
            }
            drafts.push(draft);
        }
        identities.extend(self.let_in(&drafts)?);
        named.iter().try_for_each(|draft| self.door.give_turn(draft))?;
        settled.iter().try_for_each(|settled| self.door.settle(settled))?;
        if let Some(given) = &mut self.given {
            for identity in identities {
                given.add(identity);
            }
        }
        Ok(())
    }

    /// Whether a transcript gave this before.
    fn was_given(&self, identity: u64) -> bool {
        self.given.as_ref().is_some_and(|given| given.has(identity))
    }

    /// The mark of a memory that more than one session said.
    fn said_elsewhere(&mut self, known: &MemoryId, draft: &Draft) -> Result<Option<u64>> {
        Ok(self.door.is_of_another(known, draft)?.then(|| shared(known)))
    }

    /// Lets drafts in; gives the marks of memories that another session said, too.
    fn let_in(&mut self, drafts: &[Draft]) -> Result<Vec<u64>> {
        let mut marks = Vec::new();
        if drafts.is_empty() {
            return Ok(marks);
        }
        for (kept, draft) in self.door.keep(drafts.to_vec())?.into_iter().zip(drafts) {
            match kept {
                Ok(kept) if kept.outcome == Outcome::Created => *self.kept.entry(kept.kind).or_default() += 1,
                Ok(kept) if kept.outcome == Outcome::Duplicate => {
                    marks.extend(self.said_elsewhere(&kept.id, draft)?);
                }
                Ok(_) | Err(Error::Refused(_)) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(marks)
    }

    /// Whether there is time to compare another draft.
    fn may_compare(&mut self) -> bool {
        let may = self.compared < MOST_COMPARED && *self.left > 0;
        self.compared += usize::from(may);
        *self.left -= usize::from(may);
        may
    }

    /// What goes into the history and the handoff.
    fn signal(&mut self, taken: &Taken) {
        const MOST: usize = 20;
        let text = || taken.text.clone();
        if !matches!(taken.kind, Kind::Map | Kind::Command) {
            self.progress.trail.add_kept(&taken.text);
        }
        let list = match (&taken.kind, taken.bearing) {
            (Kind::Decision, _) => &mut self.signals.decisions,
            (Kind::Lesson, _) => &mut self.signals.gotchas,
            (Kind::Task, Bearing::Done) => {
                let done = taken.instead_of.as_ref().unwrap_or(&taken.text);
                self.progress.trail.close_open(done);
                self.signals.next_step_hints.retain(|hint| hint != done);
                return;
            }
            (Kind::Task, _) => {
                self.progress.trail.add_open(&taken.text);
                &mut self.signals.next_step_hints
            }
            (Kind::Map, _) => &mut self.signals.key_paths,
            (Kind::Command, bearing) => {
                let how = if bearing == Bearing::Failed { "failed" } else { "passed" };
                let line = format!("{} {how}", text());
                if self.signals.validation_observations.len() < MOST {
                    self.signals.validation_observations.push(line);
                }
                return;
            }
            _ => return,
        };
        if list.len() < MOST && !list.contains(&taken.text) {
            list.push(text());
        }
    }

    /// The draft of a text that was taken.
    fn draft(&self, message: &Message, taken: &Taken, text: &str) -> Draft {
        let mut from = Provenance::of(self.whose.client.word(), self.progress.trail.at_most(taken.class));
        from.session = message.session.clone().or_else(|| self.whose.session.cloned());
        from.turn = message.turn.clone();
        Draft {
            scope: Some(Scope::Agent(self.whose.agent.clone())),
            at: Some(message.at.unwrap_or(self.whose.at)),
            ..draft_of(taken, text, from, named(&["autoextract", "transcript"]))
        }
    }

    fn event(&self, name: &str) -> Option<Event> {
        if self.signals == Signals::default() {
            return None;
        }
        let messages = self.progress.trail.messages;
        Some(Event {
            kind: EventKind::ImportedSession,
            external_item_id: self.whose.session.map(ToString::to_string),
            content_hash: digest(&[name, &messages.to_string()]),
            summary: format!("{} session, {messages} messages", self.whose.client.name()),
            signals: self.signals.clone(),
            source_ref: self.progress.path.clone(),
            ..plain(self.whose.client, self.whose.at, self.whose.session, Some(self.whose.agent))
        })
    }
}

/// What tells a draft from all others: the message that said it, by its name where that is one for good.
pub(super) fn identity(draft: &Draft) -> u64 {
    let said = &draft.provenance;
    let turn = said.turn.as_ref().map(ToString::to_string).unwrap_or_default();
    let session = said.session.as_ref().map(ToString::to_string).filter(|_| turn.len() < 16);
    let at = draft.at.filter(|_| session.is_some()).map(|at| at.0.to_string());
    let kind = draft.kind.as_ref().map(Kind::word).unwrap_or_default();
    let parts = [&turn, &session.unwrap_or_default(), &at.unwrap_or_default(), kind, &draft.text];
    known::digest(&said.origin, &parts.join("\0"))
}

/// The mark of what a message says no longer stands: a task that is done, or what another text takes the place of.
fn settles(was: &Draft, by: Option<&Draft>) -> u64 {
    let parts = [Some(was), by].map(|draft| draft.map(identity).unwrap_or_default().to_string());
    known::digest("settles", &parts.join("\0"))
}

/// The mark of what a hook told without naming a message, and that of having heard its message since.
pub(super) fn told_before(draft: &Draft) -> [u64; 2] {
    let session = draft.provenance.session.as_ref().map(ToString::to_string).unwrap_or_default();
    let kind = draft.kind.as_ref().map(Kind::word).unwrap_or_default();
    let said = [&draft.provenance.origin, &session, kind, &draft.text].join("\0");
    [known::digest("told", &said), known::digest("heard", &said)]
}

/// The mark of a memory that more than one session said.
pub(super) fn shared(id: &MemoryId) -> u64 {
    known::digest("shared", id.as_str())
}

/// The handoff of a session, in the place of an earlier one of the same; `at` is when it changed last, where nobody tells
/// when something was said. It holds the agent's words and is trusted as they are.
pub(super) fn handoff(
    name: &str,
    client: Client,
    session: Option<&SessionId>,
    agent: &AgentId,
    trail: &Trail,
    at: Time,
) -> Draft {
    let class = if trail.untrusted { SourceClass::Untrusted } else { SourceClass::Agent };
    let mut provenance = Provenance::of(client.word(), trail.at_most(class));
    provenance.session = session.cloned();
    let mut tags = named(&[AUTOMATIC, "transcript"]);
    if is_chat(trail) {
        tags.extend(named(&[CHAT]));
    }
    Draft {
        kind: Some(Kind::Handoff),
        scope: Some(Scope::Agent(agent.clone())),
        key: Key::parse(&format!("handoff:{name}")).ok(),
        tags: Some(tags),
        at: Some(trail.last.map_or(at, Time)),
        provenance,
        on_existing: OnExisting::Replace,
        ..Draft::note(&retain::handoff(trail))
    }
}

/// What a letter says as a message, if somebody said something.
pub(super) fn message_of(letter: &Letter) -> Option<Message> {
    let signal = &letter.signal;
    let mut message = match &signal.happened {
        Happened::Prompt { text } => Message::new(Role::User, text),
        Happened::Reply { text: Some(text) } => Message::new(Role::Agent, text),
        Happened::Tool(call) => Message { tools: vec![call.clone()], ..Message::new(Role::Agent, "") },
        _ => return None,
    };
    message.at = Some(signal.at.unwrap_or(letter.heard));
    message.session = signal.session.clone();
    message.turn = signal.turn.clone();
    message.cwd = signal.cwd.clone();
    message.model = signal.model.clone();
    Some(message)
}

/// What a letter says as an event of the history. Single uses of tools are left to the transcript.
pub(super) fn event_of(letter: &Letter) -> Option<Event> {
    let signal = &letter.signal;
    let (kind, text) = match &signal.happened {
        Happened::Started { source } => (EventKind::SessionStart, source.clone()),
        Happened::Prompt { text } => (EventKind::Prompt, Some(text.clone())),
        Happened::Reply { text } => (EventKind::Reply, text.clone()),
        Happened::Compacted { summary } => (EventKind::Compaction, summary.clone()),
        Happened::Ended { reason } => (EventKind::SessionEnd, reason.clone()),
        _ => return None,
    };
    let line = text.unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" ");
    Some(Event {
        kind,
        external_item_id: signal.turn.as_ref().map(ToString::to_string),
        content_hash: digest(&["letter", &letter.key]),
        summary: line.chars().take(200).collect(),
        source_ref: signal.transcript.clone().unwrap_or_default(),
        ..plain(signal.client, signal.at.unwrap_or(letter.heard), signal.session.as_ref(), None)
    })
}

fn plain(client: Client, at: Time, session: Option<&SessionId>, agent: Option<&AgentId>) -> Event {
    Event {
        id: EventId::default(),
        kind: EventKind::ImportedSession,
        source_id: client.word().to_owned(),
        external_item_id: None,
        created_at: at,
        content_hash: String::new(),
        summary: String::new(),
        signals: Signals::default(),
        source_ref: String::new(),
        session: session.cloned(),
        agent: agent.cloned(),
        extra: Map::new(),
    }
}

fn digest(parts: &[&str]) -> String {
    let mut hash = blake3::Hasher::new();
    for part in parts {
        hash.update(&(part.len() as u64).to_le_bytes());
        hash.update(part.as_bytes());
    }
    hash.finalize().to_hex().to_string()
}
