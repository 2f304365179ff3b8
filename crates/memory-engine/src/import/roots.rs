//! Another memory root: of this program, or of one of the systems whose files it reads.
//!
//! Every memory that holds there keeps its kind, scope, title, key, tags, date and where it came from; one whose place
//! another took stays away, and so does a project page that nobody filled in. What its file claims about how
//! far it is to be trusted counts only downwards, as for any text that is found in files; of a root that this user did
//! not approve, everything is foreign.

use std::path::{Path, PathBuf};

use memory_core::context::written;
use memory_core::layout::{self, Home, Page};
use memory_core::memory::{Memory, OnExisting};
use memory_core::scope::SourceClass;
use memory_core::time::Time;

use super::{Came, Context, Hear, Item, folder, state};
use crate::disk::{Sort, foreign};
use crate::error::{Error, Result};
use crate::keep::Draft;
use crate::paths::{self, Trust};

pub(super) fn read(context: &Context<'_>, hear: &mut dyn Hear) -> Result<()> {
    let root = context.import.path.as_path();
    let files = memory_files(root);
    let has_state = foreign::stat_at(&root.join("state.json")).is_some();
    if files.is_empty() && !has_state {
        let why = "it holds no memories: name the folder itself, such as `.memory`".to_owned();
        return Err(Error::NotImportable { path: root.display().to_string(), why });
    }
    let most = match paths::trust_of(root) {
        Ok(Trust::Trusted) => SourceClass::HumanEdit,
        Ok(Trust::Foreign) | Err(_) => SourceClass::Foreign,
    };
    for (path, home) in files {
        let shown = path.display().to_string();
        let (bytes, stat) = match folder::bytes(&path, context.file_bytes) {
            Ok(read) => read,
            Err(why) => {
                hear.defect(shown, why);
                continue;
            }
        };
        let mut outcome = Ok(());
        let defects = layout::visit(&home, &bytes, &mut |found| {
            let holds = found.memory.superseded_by().is_none();
            if outcome.is_ok() && holds {
                let mut item = item(context, found.memory, most, folder::changed(stat));
                if home == Home::Page(Page::Project) {
                    item.draft.text = written(&item.draft.text);
                }
                if !item.draft.text.trim().is_empty() {
                    outcome = hear.item(item);
                }
            }
        });
        outcome?;
        for defect in defects {
            hear.defect(format!("{shown}:{}", defect.line), defect.what);
        }
    }
    if has_state { state::read(context, most, hear) } else { Ok(()) }
}

/// The memory files of a root with what they are, two levels deep and without links.
pub(super) fn memory_files(root: &Path) -> Vec<(PathBuf, Home)> {
    let mut files = Vec::new();
    for top in foreign::names_in(root) {
        match top.sort {
            Sort::File => files.extend(Home::of_path(&top.name).map(|home| (root.join(&top.name), home))),
            Sort::Folder if !top.name.starts_with('.') => {
                let folder = root.join(&top.name);
                let names = foreign::names_in(&folder).into_iter().filter(|name| name.sort == Sort::File);
                files.extend(names.filter_map(|name| {
                    let home = Home::of_path(&format!("{}/{}", top.name, name.name))?;
                    Some((folder.join(name.name), home))
                }));
            }
            _ => {}
        }
    }
    files
}

fn item(context: &Context<'_>, memory: Memory, most: SourceClass, modified: Time) -> Item {
    let identity = format!("{}\0{}\0{}", memory.scope, memory.id, memory.body.as_str());
    let at = if memory.created > Time(0) { memory.created } else { modified };
    let mut provenance = memory.provenance;
    provenance.class = provenance.class.min(most);
    // Their ids mean other memories here, or none.
    provenance.lineage.clear();
    let tags = context.tags(memory.tags.iter().map(memory_core::id::Tag::as_str));
    let draft = Draft {
        kind: Some(memory.kind),
        scope: Some(memory.scope),
        key: memory.key,
        title: memory.title,
        text: memory.body.into(),
        tags: Some(tags),
        at: Some(at),
        provenance,
        on_existing: OnExisting::Skip,
    };
    Item { identity, draft, origin: Came::Written }
}
