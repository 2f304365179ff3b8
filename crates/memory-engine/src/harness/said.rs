//! What a record says, in one small language for all clients; every reader turns its records into this.
//!
//! Readers know formats and nothing else: no files, no cursors, no order of calls. What becomes of their words is
//! decided in one place, [`assembly`](super::assembly).

use memory_core::session::ToolCall;
use memory_core::time::Time;
use serde::{Deserialize, Serialize};

/// One thing that a record says.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Said {
    /// Where the conversation takes place; what is not named stays as it was.
    Facts(Facts),
    /// Where it began, for clients that copy the beginning of another conversation: only what is not known yet counts.
    Origin(Facts),
    /// The file is the conversation of a subagent, which nobody typed.
    Aside,
    /// A person said this.
    Human(Part),
    /// The agent said this or called tools.
    Agent(Part),
    /// A tool call that stood in an earlier record came to its end.
    Outcome { call: String, failed: bool },
    /// A person turned a tool call down and said why. It counts where the call is of one of these tools, if any are named.
    Refused { call: String, of: Option<&'static [&'static str]>, part: Part },
    /// Nothing more comes to the message before this.
    Close,
    /// What was said before this file began; read only where nothing stood before it.
    History(Vec<Said>),
}

/// Where a conversation takes place.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Facts {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) session: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) cwd: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) model: Option<String>,
    /// More folders that were open in it.
    #[serde(skip)]
    pub(super) beside: Vec<String>,
}

impl Facts {
    /// Takes over what the other one knows and this one does not.
    pub(super) fn complete(&mut self, other: Facts) {
        let known = self.clone();
        self.learn(other);
        self.learn(known);
    }

    /// Takes over what the other one knows.
    pub(super) fn learn(&mut self, other: Facts) {
        for (own, new) in
            [(&mut self.session, other.session), (&mut self.cwd, other.cwd), (&mut self.model, other.model)]
        {
            if let Some(new) = new.filter(|new| !new.is_empty()) {
                *own = Some(new);
            }
        }
        if !other.beside.is_empty() {
            self.beside = other.beside;
        }
    }
}

/// A message, or a part of one.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Part {
    /// What the client calls the message.
    pub(super) turn: Option<String>,
    /// Its texts, in order.
    pub(super) texts: Vec<String>,
    pub(super) at: Option<Time>,
    pub(super) model: Option<String>,
    pub(super) calls: Vec<Call>,
    pub(super) growth: Growth,
}

/// A tool call and the name under which its end will be told.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Call {
    /// `None` when the transcript never tells how calls end, or told it already.
    pub(super) id: Option<String>,
    pub(super) tool: ToolCall,
}

/// What later records can do to a message.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) enum Growth {
    /// Nothing but tell how its tool calls ended.
    #[default]
    Whole,
    /// Add texts and calls to it, until something else is said.
    Adds,
    /// Take its place, under the same name.
    Replaces,
}
