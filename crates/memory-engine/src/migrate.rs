//! Flat files become vaults: which files are meant, and the steps that make a migration safe to repeat.
//!
//! A file is noted as under way before its first memory is kept and until it has its `.bak` name, so that a migration
//! that was cut short goes on where it was: what is kept already is found at the door and not kept twice. The flat file
//! itself is only ever renamed.

use std::collections::BTreeSet;

use memory_core::flat::sections;
use memory_core::id::AgentId;
use memory_core::memory::Provenance;
use memory_core::scope::{Scope, SourceClass};
use memory_core::time::Time;

use crate::disk::{Disk, Sort, Stat, write_whole};
use crate::error::Result;
use crate::keep::Draft;
use crate::store::OWN;

/// What a migration did, or would do.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Migrated {
    /// The agents whose files became vaults, with how many memories of each kind they gave.
    pub migrated: Vec<(AgentId, Vec<(String, usize)>)>,
    /// The agents whose files were left, with the reason.
    pub skipped: Vec<(String, String)>,
    /// Files whose names cannot be agents', or that could not be taken over, with what to do.
    pub left: Vec<(String, String)>,
}

/// Whether anything is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Migrate {
    /// It is.
    Now,
    /// It is only told what would be done.
    Look,
}

/// Files at the top that are nobody's flat memory, in lower case.
#[rustfmt::skip]
const OTHERS: &[&str] = &[
    "memory", "longmemory", "user", "readme", "changelog", "license", "licence", "contributing", "claude", "agents", "gemini",
    "copilot-instructions", "security", "todo", "index",
];

/// A flat file that is to become a vault.
pub(crate) struct Flat {
    pub(crate) agent: AgentId,
    pub(crate) file: String,
    stat: Stat,
    pub(crate) drafts: Vec<Draft>,
}

/// Whether a file at the top may be somebody's flat memory.
pub(crate) fn is_flat(name: &str) -> bool {
    let stem = name.strip_suffix(".md").filter(|stem| !stem.starts_with(['_', '.']));
    stem.is_some_and(|stem| !OTHERS.contains(&stem.to_lowercase().as_str()))
}

/// The flat files that are to be migrated; the others are noted with the reason.
pub(crate) fn find(disk: &dyn Disk, limit: u64, done: &mut Migrated) -> Result<Vec<Flat>> {
    let names = disk.list("")?;
    let under_way = under_way(disk)?;
    let mut flats = Vec::new();
    for name in names.iter().filter(|name| name.sort == Sort::File) {
        let Some(stem) = name.name.strip_suffix(".md").filter(|_| is_flat(&name.name)) else { continue };
        let agent = match AgentId::parse(stem) {
            Ok(agent) => agent,
            Err(error) => {
                let why = format!("{error}; rename the file to migrate it");
                done.left.push((name.name.clone(), why));
                continue;
            }
        };
        let backup = format!("{}.bak", name.name);
        let has_backup = names.iter().any(|it| it.name == backup);
        let has_vault = names.iter().any(|it| it.sort == Sort::Folder && it.name.eq_ignore_ascii_case(stem));
        if has_backup {
            done.skipped.push((stem.to_owned(), format!("`{backup}` is there already")));
            continue;
        }
        if has_vault && !under_way.contains(&name.name) {
            done.skipped.push((stem.to_owned(), format!("the vault `{stem}/` is there already")));
            continue;
        }
        let Some(stat) = disk.stat(&name.name)? else { continue };
        let Some(bytes) = disk.read(&name.name, limit)? else { continue };
        match std::str::from_utf8(&bytes) {
            Ok(text) => {
                let drafts = drafts(&agent, text, Time(stat.modified_ns / 1_000_000));
                flats.push(Flat { agent, file: name.name.clone(), stat, drafts });
            }
            Err(_) => {
                let why = "it is not UTF-8 throughout; save it as UTF-8 to migrate it".to_owned();
                done.left.push((name.name.clone(), why));
            }
        }
    }
    Ok(flats)
}

fn drafts(agent: &AgentId, text: &str, written: Time) -> Vec<Draft> {
    let draft = |section: memory_core::flat::Section| Draft {
        kind: Some(section.kind),
        scope: Some(Scope::Agent(agent.clone())),
        title: section.title,
        at: Some(written).filter(|at| at.0 > 0),
        provenance: Provenance::of("migrate", SourceClass::HumanEdit),
        ..Draft::note(section.body.as_str())
    };
    sections(text).into_iter().map(draft).collect()
}

/// Notes that a file is under way.
pub(crate) fn begin(disk: &dyn Disk, flat: &Flat) -> Result<()> {
    let mut all = under_way(disk)?;
    if all.insert(flat.file.clone()) { write(disk, &all) } else { Ok(()) }
}

/// Gives the file its `.bak` name; `false` when somebody changed it meanwhile, and then it stays as it is.
pub(crate) fn finish(disk: &dyn Disk, flat: &Flat) -> Result<bool> {
    if disk.stat(&flat.file)? != Some(flat.stat) || !disk.place(&flat.file, &format!("{}.bak", flat.file))? {
        return Ok(false);
    }
    disk.sync_folder("")?;
    tidy(disk)?;
    Ok(true)
}

/// Forgets what is no longer under way: a file that has its new name, or that somebody took away.
pub(crate) fn tidy(disk: &dyn Disk) -> Result<()> {
    let all = under_way(disk)?;
    let mut left = BTreeSet::new();
    for name in &all {
        if disk.stat(name)?.is_some() {
            left.insert(name.clone());
        }
    }
    if left == all { Ok(()) } else { write(disk, &left) }
}

fn file() -> String {
    format!("{OWN}/migrating")
}

fn under_way(disk: &dyn Disk) -> Result<BTreeSet<String>> {
    let bytes = disk.read(&file(), 1 << 20)?.unwrap_or_default();
    let text = String::from_utf8_lossy(&bytes);
    Ok(text.lines().filter(|line| !line.is_empty()).map(str::to_owned).collect())
}

fn write(disk: &dyn Disk, all: &BTreeSet<String>) -> Result<()> {
    if all.is_empty() {
        return disk.remove(&file());
    }
    let lines: Vec<&str> = all.iter().map(String::as_str).collect();
    write_whole(disk, &file(), format!("{}\n", lines.join("\n")).as_bytes())
}
