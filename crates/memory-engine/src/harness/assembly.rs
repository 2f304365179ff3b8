//! Messages put together from what records say, and given away once nothing can be added to them.
//!
//! At most one message is open at a time, because whatever begins the next one closes it. So a cursor is the place
//! where the open message began, and what is given depends on the records alone, not on where reading stopped.

use std::collections::HashSet;

use memory_core::id::{SessionId, TurnId};
use memory_core::session::{Message, Role, inside_block, strip_block, strip_injected};
use serde::{Deserialize, Serialize};

use super::said::{Call, Facts, Growth, Part, Said};

/// A place between two records: how far, and for databases the name of the row before it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Place {
    pub(super) at: u64,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(super) row: String,
    /// How many things that the next record says are behind us already.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub(super) part: usize,
}

fn is_zero(part: &usize) -> bool {
    *part == 0
}

impl Place {
    pub(super) fn at(at: u64) -> Self {
        Self { at, row: String::new(), part: 0 }
    }
}

/// What must be known at a place to go on from it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Context {
    #[serde(flatten)]
    pub(super) facts: Facts,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) aside: bool,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) begun: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) last: Option<Last>,
}

/// The message that was given last, to know it again when it grew after all.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Last {
    turn: String,
    length: usize,
    calls: usize,
}

/// Which tags of a client stand around a person's words: some are dropped with what they hold, of others only the
/// inside is kept.
#[derive(Debug, Clone, Copy)]
pub(super) struct Tags {
    pub(super) dropped: &'static [&'static str],
    pub(super) unwrapped: &'static [&'static str],
}

struct Open {
    message: Message,
    /// Calls whose end is still to come, with their place in the message.
    waiting: Vec<(String, usize)>,
    growth: Growth,
    begin: Place,
    before: Context,
}

/// Puts messages together and gives them away in order.
pub(super) struct Assembly<'a> {
    pub(super) context: Context,
    pub(super) given: u64,
    /// Messages that were taken back, as far as they were given by an earlier reading.
    pub(super) rewound: Vec<TurnId>,
    /// Names of messages of this reading that a later record takes back.
    void: HashSet<String>,
    tags: Tags,
    /// How many things of the first record were heard by an earlier reading.
    skip: usize,
    open: Option<Open>,
    each: &'a mut dyn FnMut(Message),
}

impl<'a> Assembly<'a> {
    pub(super) fn new(context: Context, from: &Place, tags: Tags, each: &'a mut dyn FnMut(Message)) -> Self {
        let (given, rewound, void) = (0, Vec::new(), HashSet::new());
        Self { context, given, rewound, void, tags, skip: from.part, open: None, each }
    }

    /// Notes what later records take back: messages of this reading, and of earlier ones.
    pub(super) fn take_back(&mut self, void: HashSet<String>, earlier: &[String]) {
        self.void = void;
        self.rewound.extend(earlier.iter().filter_map(|turn| TurnId::parse(turn).ok()));
    }

    /// Takes in what the record that begins at a place says.
    pub(super) fn take(&mut self, begin: &Place, said: Vec<Said>) {
        let skip = std::mem::take(&mut self.skip);
        let is_first = skip > 0 || !self.context.begun;
        let flat = said.into_iter().flat_map(|said| match said {
            Said::History(said) if is_first => said,
            Said::History(_) => Vec::new(),
            said => vec![said],
        });
        for (part, said) in flat.enumerate().skip(skip) {
            self.hear(&Place { part, ..begin.clone() }, said);
        }
    }

    /// Gives the open message away as it is.
    pub(super) fn close(&mut self) {
        if let Some(open) = self.open.take() {
            self.give(open.message, open.growth);
        }
    }

    /// Where the next reading begins: before the open message, or at the end of what was read.
    pub(super) fn resume(self, end: Place) -> (Place, Context, Held) {
        match self.open {
            Some(open) => (open.begin, open.before, Held::One),
            None => (end, self.context, Held::Nothing),
        }
    }

    fn hear(&mut self, begin: &Place, said: Said) {
        match said {
            Said::Facts(facts) => self.context.facts.learn(facts),
            Said::Origin(facts) => self.context.facts.complete(facts),
            Said::Aside => self.context.aside = true,
            Said::Human(part) => self.begin(Role::User, part, begin),
            Said::Agent(part) => self.agent(part, begin),
            Said::Outcome { call, failed } => self.outcome(&call, failed),
            Said::Refused { call, of, part } => {
                let is_one = of.is_none_or(|of| self.waits_for(&call).is_some_and(|tool| of.contains(&tool)));
                self.outcome(&call, true);
                if is_one {
                    self.begin(Role::User, part, begin);
                }
            }
            Said::Close => self.close(),
            Said::History(_) => {}
        }
    }

    fn agent(&mut self, part: Part, begin: &Place) {
        let is_known = self.open.as_ref().is_some_and(|open| {
            let known = |call: &Call| open.waiting.iter().any(|(id, _)| Some(id) == call.id.as_ref());
            part.texts.is_empty() && !part.calls.is_empty() && part.calls.iter().all(known)
        });
        if is_known {
            return;
        }
        let joins = self.open.as_ref().is_some_and(|open| {
            let same =
                part.turn.is_none() || part.turn.as_deref() == open.message.turn.as_ref().map(TurnId::as_str);
            open.message.role == Role::Agent
                && part.growth == Growth::Adds
                && open.growth == Growth::Adds
                && same
        });
        let Some(open) = self.open.as_mut().filter(|_| joins) else {
            return self.begin(Role::Agent, part, begin);
        };
        let text = agent_text(&part.texts);
        if !text.is_empty() {
            if !open.message.text.is_empty() {
                open.message.text.push_str("\n\n");
            }
            open.message.text.push_str(&text);
        }
        for call in part.calls {
            open.waiting.extend(call.id.map(|id| (id, open.message.tools.len())));
            open.message.tools.push(call.tool);
        }
        open.message.model = part.model.or(open.message.model.take());
    }

    fn begin(&mut self, role: Role, part: Part, begin: &Place) {
        let replaces = part.growth == Growth::Replaces
            && self.open.as_ref().is_some_and(|open| {
                open.message.role == role
                    && part.turn.is_some()
                    && part.turn.as_deref() == open.message.turn.as_ref().map(TurnId::as_str)
            });
        // A record that takes the place of the open message begins where that one began.
        let (begin, before) = match self.open.take() {
            Some(open) if replaces => (open.begin, open.before),
            open => {
                if let Some(open) = open {
                    self.give(open.message, open.growth);
                }
                (begin.clone(), self.context.clone())
            }
        };
        if self.context.aside {
            return;
        }
        self.context.begun = true;
        let facts = &self.context.facts;
        let text = match role {
            Role::User => human_text(&part.texts, self.tags),
            Role::Agent => agent_text(&part.texts),
        };
        let mut message = Message::new(role, &text);
        message.at = part.at;
        message.session = facts.session.as_deref().and_then(|id| SessionId::parse(id).ok());
        message.turn = part.turn.as_deref().and_then(|id| TurnId::parse(id).ok());
        message.cwd = facts.cwd.clone();
        if role == Role::Agent {
            message.model = part.model.or_else(|| facts.model.clone());
        }
        let mut waiting = Vec::new();
        for call in part.calls {
            waiting.extend(call.id.map(|id| (id, message.tools.len())));
            message.tools.push(call.tool);
        }
        if part.growth == Growth::Whole && waiting.is_empty() {
            return self.give(message, part.growth);
        }
        self.open = Some(Open { message, waiting, growth: part.growth, begin, before });
    }

    /// The tool of a call whose end is still to come.
    fn waits_for(&self, call: &str) -> Option<&str> {
        let open = self.open.as_ref()?;
        let (_, at) = open.waiting.iter().find(|(id, _)| id == call)?;
        open.message.tools.get(*at).map(|tool| tool.name.as_str())
    }

    fn outcome(&mut self, call: &str, failed: bool) {
        let Some(open) = self.open.as_mut() else { return };
        let Some(found) = open.waiting.iter().position(|(id, _)| id == call) else { return };
        let (_, tool) = open.waiting.remove(found);
        if let Some(tool) = open.message.tools.get_mut(tool) {
            tool.failed = Some(failed);
        }
        if open.growth == Growth::Whole && open.waiting.is_empty() {
            self.close();
        }
    }

    fn give(&mut self, message: Message, growth: Growth) {
        let turn = message.turn.as_ref().map(TurnId::as_str).unwrap_or_default();
        if (message.text.is_empty() && message.tools.is_empty()) || self.void.contains(turn) {
            return;
        }
        let own = Last { turn: turn.to_owned(), length: message.text.len(), calls: message.tools.len() };
        let known = self.context.last.as_ref().filter(|last| !turn.is_empty() && last.turn == turn);
        if growth == Growth::Replaces
            && known.is_some_and(|last| last.length >= own.length && last.calls >= own.calls)
        {
            return;
        }
        self.context.last = Some(own);
        self.given += 1;
        (self.each)(message);
    }
}

/// Whether a message was held back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Held {
    One,
    Nothing,
}

/// A person's own words: without our text, and without what the client wrapped around them.
pub(super) fn human_text(texts: &[String], tags: Tags) -> String {
    let own = |text: &String| {
        let mut text = strip_injected(text).into_owned();
        if let Some(inside) = tags.unwrapped.iter().find_map(|tag| inside_block(&text, tag)) {
            text = inside.to_owned();
        }
        for tag in ALWAYS_DROPPED.iter().chain(tags.dropped) {
            text = strip_block(&text, tag).into_owned();
        }
        tidy(&text)
    };
    joined(texts.iter().map(own))
}

/// Tags that no client's user types.
const ALWAYS_DROPPED: [&str; 2] = ["system-reminder", "system_reminder"];

fn agent_text(texts: &[String]) -> String {
    joined(texts.iter().map(|text| tidy(&strip_injected(text))))
}

fn joined(texts: impl Iterator<Item = String>) -> String {
    texts.filter(|text| !text.is_empty()).collect::<Vec<_>>().join("\n")
}

/// A text without control characters, which nobody said and no memory may hold.
fn tidy(text: &str) -> String {
    let kept = |c: &char| !c.is_control() || matches!(c, '\n' | '\t');
    if text.chars().all(|c| kept(&c)) {
        return text.trim().to_owned();
    }
    let text: String = text.replace("\r\n", "\n").chars().filter(kept).collect();
    text.trim().to_owned()
}
