//! One reading of a transcript: what was heard of it, and whether the person took something back.

use std::collections::HashSet;

use memory_core::event::Event;
use memory_core::id::TurnId;
use memory_core::session::Client;

use crate::harness::{Begin, Found, Tail};

/// What was heard of a transcript.
pub(super) struct Reading {
    pub(super) tail: Tail,
    pub(super) event: Option<Event>,
    /// The texts that were worth keeping.
    pub(super) said: Vec<String>,
    pub(super) turns: HashSet<TurnId>,
}

impl Reading {
    /// Whether the person took back what was heard before.
    pub(super) fn takes_back(&self, client: Client) -> bool {
        let is_deleted = self.tail.begin == Begin::Rewritten && client == Client::OpenCode;
        is_deleted || !self.tail.rewound.is_empty()
    }
}

/// The name of a session by where its file lies.
pub(super) fn named_by_place(name: &str, found: &Found) -> String {
    let digest = blake3::hash(found.path.to_string_lossy().as_bytes()).to_hex();
    format!("{name}{}", &digest[..12])
}
