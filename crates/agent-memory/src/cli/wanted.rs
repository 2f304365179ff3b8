//! What is wished to be kept, from flags or from a JSON line alike, and the draft that becomes of it.

use memory_engine::Draft;
use memory_engine::ambient::names;
use memory_engine::core::admit::kind_of_text;
use memory_engine::core::config::Resolved;
use memory_engine::core::id::{AgentId, Key, SessionId, Tag};
use memory_engine::core::kind::Kind;
use memory_engine::core::memory::OnExisting;
use memory_engine::core::scope::{Scope, Sensitivity, SourceClass};
use memory_engine::core::task;
use serde::Deserialize;

use crate::app::{Failure, Outcome};
use crate::cli::words::{ScopeWord, kind_to_keep};

/// What is wished to be kept, from flags or from a JSON line.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Wanted {
    pub(crate) text: String,
    #[serde(default)]
    pub(crate) agent: Option<AgentId>,
    #[serde(default)]
    pub(crate) kind: Option<String>,
    #[serde(default)]
    pub(crate) scope: Option<ScopeWord>,
    #[serde(default)]
    pub(crate) session: Option<SessionId>,
    #[serde(default)]
    pub(crate) tags: Option<Vec<Tag>>,
    #[serde(default)]
    pub(crate) title: Option<String>,
    #[serde(default)]
    pub(crate) key: Option<Key>,
    #[serde(default)]
    pub(crate) on_existing: OnExisting,
    #[serde(default)]
    pub(crate) sensitivity: Option<Sensitivity>,
    #[serde(default)]
    pub(crate) class: Option<SourceClass>,
}

impl Wanted {
    /// The draft for the engine.
    pub(crate) fn draft(self, settings: &Resolved) -> Outcome<Draft> {
        let mut draft = Draft::note("");
        let kind = self.kind.map(|word| kind_to_keep(&word, &settings.config)).transpose()?;
        let kind = kind.unwrap_or_else(|| kind_of_text(&self.text));
        // A task is open until somebody ticks it, and the box is where they do.
        draft.text = if kind == Kind::Task { task::boxed(&self.text).into_owned() } else { self.text };
        draft.kind = Some(kind);
        draft.scope = match (self.scope, self.agent, &self.session) {
            (None | Some(ScopeWord::Agent), agent, _) => agent.map(Scope::Agent),
            (Some(_), Some(_), _) => {
                return Err(Failure::usage("an agent is named only with the scope `agent`"));
            }
            (Some(ScopeWord::Project), ..) => Some(Scope::Project),
            (Some(ScopeWord::User), ..) => Some(Scope::User),
            (Some(ScopeWord::Global), ..) => Some(Scope::Global),
            (Some(ScopeWord::Session), None, Some(session)) => Some(Scope::Session(session.clone())),
            (Some(ScopeWord::Session), None, None) => {
                return Err(Failure::usage("the scope `session` needs to know which: name the session"));
            }
        };
        draft.tags = self.tags;
        draft.title = self.title;
        draft.key = self.key;
        draft.on_existing = self.on_existing;
        draft.provenance.session = self.session;
        if let Some(sensitivity) = self.sensitivity {
            draft.provenance.sensitivity = sensitivity;
        }
        draft.provenance.class = class_of(self.class, settings)?;
        Ok(draft)
    }
}

/// Whose words are kept: those of a person, unless the environment says that an agent speaks. That one cannot pass its
/// words off as a person's.
pub(crate) fn class_of(wanted: Option<SourceClass>, settings: &Resolved) -> Outcome<SourceClass> {
    match (wanted, settings.asker()) {
        (wanted, None) => Ok(wanted.unwrap_or(SourceClass::Human)),
        (Some(class), Some(agent)) if class > SourceClass::Agent => Err(Failure::usage(format!(
            "the agent `{agent}` speaks here, so its words cannot be of the class `{}`: leave the class out; a person \
             unsets `{}`",
            class.word(),
            names::AGENT
        ))),
        (wanted, Some(_)) => Ok(wanted.unwrap_or(SourceClass::Agent)),
    }
}
