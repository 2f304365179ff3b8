//! The one door: every memory comes in here. Masked, then classified, then admitted, then committed.

use memory_core::admit::kind_of_text;
use memory_core::config::Config;
use memory_core::id::{Key, MemoryId, Tag};
use memory_core::kind::Kind;
use memory_core::memory::{Draft as CoreDraft, OnExisting, Provenance, tags_in};
use memory_core::redact::redact;
use memory_core::scope::{Scope, SourceClass};
use memory_core::time::Time;

use crate::error::Result;
use crate::ledger::Marks;
use crate::spread::spread;
use crate::store::{Entry, Outcome, Prepared, Store};

/// What might be kept, as a caller gives it.
#[derive(Debug, Clone)]
pub struct Draft {
    /// What sort of thing it is; `None` lets the text decide.
    pub kind: Option<Kind>,
    /// For whom; `None` means the agent of the settings.
    pub scope: Option<Scope>,
    /// A name under which it is found again and updated.
    pub key: Option<Key>,
    /// A heading.
    pub title: Option<String>,
    /// The text.
    pub text: String,
    /// Tags; `None` takes the `#words` of the text.
    pub tags: Option<Vec<Tag>>,
    /// When it was said, where that is known; `None` means now. A moment to come is taken for now.
    pub at: Option<Time>,
    /// Where it came from.
    pub provenance: Provenance,
    /// What to do when the key is there already.
    pub on_existing: OnExisting,
}

impl Draft {
    /// A text said by a person, everything else as usual.
    pub fn note(text: &str) -> Self {
        Self {
            kind: None,
            scope: None,
            key: None,
            title: None,
            text: text.to_owned(),
            tags: None,
            at: None,
            provenance: Provenance::of("cli", SourceClass::Human),
            on_existing: OnExisting::default(),
        }
    }
}

/// What became of a draft. Once a caller has this, the memory survives a kill and a power loss.
#[derive(Debug, Clone)]
pub struct Kept {
    /// The memory's id; that of the existing one for a duplicate.
    pub id: MemoryId,
    /// What happened.
    pub outcome: Outcome,
    /// The file it stands in.
    pub file: String,
    /// The sorts of credentials that were masked.
    pub redacted: Vec<&'static str>,
    /// What sort of thing it was taken for.
    pub kind: Kind,
}

/// What became of a change.
#[derive(Debug, Clone)]
pub struct Edited {
    /// The memory as it is now.
    pub entry: Entry,
    /// The sorts of credentials that were masked; a tag that carried one was left out.
    pub redacted: Vec<&'static str>,
}

/// The sorts of credentials that were masked in one draft or change.
pub(crate) type Masked = Vec<&'static str>;

/// Masks and classifies drafts before anything touches the disk.
pub(crate) fn prepare(config: &Config, drafts: Vec<Draft>) -> Vec<(Prepared, Masked)> {
    spread(drafts, |draft| prepare_one(config, draft))
}

fn prepare_one(config: &Config, draft: Draft) -> (Prepared, Masked) {
    let mut masked = Vec::new();
    let text = mask(config, draft.text, &mut masked);
    let title = draft.title.map(|title| mask(config, title, &mut masked));
    let title =
        title.map(|title| title.split_whitespace().collect::<Vec<_>>().join(" ")).filter(|t| !t.is_empty());
    let scope = draft.scope.unwrap_or_else(|| Scope::Agent(config.memory.agent.clone()));
    let kind = draft.kind.unwrap_or_else(|| kind_of_text(&text));
    let mut core = CoreDraft::new(scope, &text, draft.provenance);
    // A key or a tag may carry a credential as well as a text does. Such a key is refused at the door, by its mask.
    core.key = draft.key.and_then(|key| {
        let is_clean = mask(config, key.as_str().to_owned(), &mut masked) == key.as_str();
        if is_clean { Some(key) } else { Key::parse("[redacted:key]").ok() }
    });
    core.title = title;
    core.on_existing = draft.on_existing;
    let tags = draft.tags.unwrap_or_else(|| tags_in(core.body.as_str()));
    let tags = clean_tags(config, tags, &mut masked);
    let marks = Marks::of(&core.scope, &kind, &core.body);
    (Prepared { draft: core, kind, tags, at: draft.at, marks }, masked)
}

/// The tags that carry no credential: half a tag would be another tag, so one that carries one goes.
pub(crate) fn clean_tags(config: &Config, mut tags: Vec<Tag>, masked: &mut Masked) -> Vec<Tag> {
    tags.retain(|tag| mask(config, tag.as_str().to_owned(), masked) == tag.as_str());
    tags
}

pub(crate) fn mask(config: &Config, text: String, masked: &mut Masked) -> String {
    if !config.redact.enabled {
        return text;
    }
    let done = redact(&text);
    let meant = |at: &std::ops::Range<usize>| {
        let found = &text[at.clone()];
        config.redact.allow.iter().any(|allowed| !allowed.is_empty() && found.contains(allowed.as_str()))
    };
    if done.found.iter().any(|found| meant(&found.at)) {
        // The user named some of these as no secrets, so only the others are masked.
        let mut out = String::with_capacity(text.len());
        let mut done_to = 0;
        for found in done.found.iter().filter(|found| !meant(&found.at)) {
            out.push_str(&text[done_to..found.at.start]);
            out.push_str(&format!("[redacted:{}]", found.kind));
            done_to = found.at.end;
            masked.push(found.kind);
        }
        out.push_str(&text[done_to..]);
        return out;
    }
    masked.extend(done.found.iter().map(|found| found.kind));
    done.text
}

/// Lets prepared drafts in with one durable commit; only a text that is replaced under its key has one of its own.
pub(crate) fn keep(store: &mut Store, drafts: Vec<(Prepared, Masked)>) -> Result<Vec<Result<Kept>>> {
    let (prepared, masked): (Vec<Prepared>, Vec<Masked>) = drafts.into_iter().unzip();
    let kinds: Vec<Kind> = prepared.iter().map(|prepared| prepared.kind.clone()).collect();
    let answers = store.keep(prepared)?;
    let kept = answers.into_iter().zip(kinds).zip(masked).map(|((answer, kind), redacted)| {
        answer.map(|admitted| Kept {
            id: admitted.id,
            outcome: admitted.outcome,
            file: admitted.file,
            redacted,
            kind,
        })
    });
    Ok(kept.collect())
}
