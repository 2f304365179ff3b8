//! What a person took back: clients only add to their logs, so a later record tells that earlier ones no longer count.
//!
//! Gemini names the message to which it went back, Codex says how many turns, and in Claude Code's log a prompt that is
//! tried again hangs where the first one hung. Most readings see none of it and look at what is new alone; where
//! something was taken back, the log is looked through from its start.

use std::collections::{HashMap, HashSet};

use serde_json::Value;

use super::assembly::human_text;
use super::lines::{Line, Lines};
use super::record::{self, name};
use super::said::{Part, Said};
use super::{claude, codex, table};
use crate::disk::foreign::Foreign;
use crate::error::{Error, Result};

/// How records of a log take back earlier ones.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Rewinds {
    Never,
    /// A record names the first message that goes.
    ByName,
    /// A record tells how many prompts go, with all that followed them.
    ByCount,
    /// A prompt hangs at the record that the prompts before it hang at, which go.
    ByParent,
}

/// What was taken back.
#[derive(Debug, Default)]
pub(super) struct TakenBack {
    /// Messages of the reading, by name.
    pub(super) names: HashSet<String>,
    /// Records of the reading, by where they begin.
    pub(super) records: HashSet<u64>,
    /// Messages that an earlier reading gave.
    pub(super) earlier: Vec<String>,
}

/// Looks for what records from an offset on take back.
pub(super) fn taken_back(file: &mut Foreign, how: Rewinds, from: u64) -> Result<TakenBack> {
    match how {
        Rewinds::Never => Ok(TakenBack::default()),
        Rewinds::ByName if holds(file, from, b"\"$rewindTo\"")? => by_name(file, from),
        Rewinds::ByCount if holds(file, from, b"\"thread_rolled_back\"")? => by_count(file, from),
        Rewinds::ByName | Rewinds::ByCount => Ok(TakenBack::default()),
        Rewinds::ByParent => {
            let before = if from == 0 { HashSet::new() } else { last_records(file, from)? };
            let (branches, is_sure) = branches(file, from, &before)?;
            let branches = if is_sure { branches } else { self::branches(file, 0, &HashSet::new())?.0 };
            Ok(branches.taken_back(from))
        }
    }
}

/// Hears every whole record from an offset on, with where it begins.
fn each_record(file: &mut Foreign, from: u64, each: &mut dyn FnMut(u64, &Value)) -> Result<()> {
    each_line(file, from, &mut |start, line| {
        if let Ok(Some(value)) = record::value(line) {
            each(start, &value);
        }
    })
}

fn each_line(file: &mut Foreign, from: u64, each: &mut dyn FnMut(u64, &[u8])) -> Result<()> {
    let mut lines = Lines { from: file.read_from(from)?, at: from, line: Vec::new() };
    loop {
        let start = lines.at;
        match lines.next().map_err(Error::disk("read", "the transcript"))? {
            Line::None => return Ok(()),
            Line::TooLong => {}
            Line::Whole | Line::Unended => each(start, &lines.line),
        }
    }
}

fn holds(file: &mut Foreign, from: u64, mark: &[u8]) -> Result<bool> {
    let mut found = false;
    each_line(file, from, &mut |_, line| found |= line.windows(mark.len()).any(|part| part == mark))?;
    Ok(found)
}

fn by_name(file: &mut Foreign, from: u64) -> Result<TakenBack> {
    let mut live: Vec<(String, u64)> = Vec::new();
    let mut places: HashMap<String, usize> = HashMap::new();
    let mut void: HashMap<String, u64> = HashMap::new();
    each_record(file, 0, &mut |start, record| {
        if let Some(target) = name(record, "/$rewindTo") {
            // Where no record has the name, it stands in what the file began with, and all of these come after it.
            let first = places.get(&target).copied().unwrap_or(0);
            void.extend(live.drain(first..).inspect(|(name, _)| {
                places.remove(name);
            }));
        } else if let Some(name) = name(record, "/id").filter(|name| !places.contains_key(name)) {
            void.remove(&name);
            places.insert(name.clone(), live.len());
            live.push((name, start));
        }
    })?;
    let earlier = void.iter().filter(|(_, at)| **at < from).map(|(name, _)| name.clone()).collect();
    Ok(TakenBack { names: void.into_keys().collect(), earlier, ..TakenBack::default() })
}

fn by_count(file: &mut Foreign, from: u64) -> Result<TakenBack> {
    let mut prompts: Vec<u64> = Vec::new();
    let mut live: Vec<(u64, Option<String>)> = Vec::new();
    let mut taken = TakenBack::default();
    each_record(file, 0, &mut |start, record| {
        if let Some(count) = codex::rolled_back(record) {
            let first = prompts.len().saturating_sub(count);
            let Some(cut) = prompts.get(first).copied() else { return };
            prompts.truncate(first);
            let kept = live.partition_point(|(at, _)| *at < cut);
            for (at, name) in live.drain(kept..) {
                taken.records.insert(at);
                taken.earlier.extend(name.filter(|_| at < from));
            }
            return;
        }
        let said = said(record, codex::read);
        if said.iter().any(|said| matches!(said, Said::Human(_))) {
            prompts.push(start);
        }
        live.push((start, turn_of(&said)));
    })?;
    Ok(taken)
}

fn said(record: &Value, read: fn(&Value, &mut Vec<Said>)) -> Vec<Said> {
    let mut said = Vec::new();
    read(record, &mut said);
    said
}

fn turn_of(said: &[Said]) -> Option<String> {
    said.iter().find_map(|said| match said {
        Said::Human(Part { turn, .. }) | Said::Agent(Part { turn, .. }) => turn.clone(),
        _ => None,
    })
}

/// The records of a log as a tree.
#[derive(Default)]
struct Branches {
    links: HashMap<String, Link>,
    /// Their names, in the order of the log.
    order: Vec<String>,
    /// Prompts that were taken back.
    void: HashSet<String>,
}

struct Link {
    parent: Option<String>,
    at: u64,
    turn: Option<String>,
}

/// Where a walk from record to record upwards ended.
#[derive(PartialEq)]
enum Walk {
    Met,
    /// At the beginning of a conversation.
    Top,
    /// At a record that was not looked at.
    Lost,
}

/// Reads the tree from an offset on, and whether what stands before that can be left aside. `before` are the records
/// that stand last before the offset and after every prompt there.
fn branches(file: &mut Foreign, from: u64, before: &HashSet<String>) -> Result<(Branches, bool)> {
    let mut tree = Branches::default();
    let mut prompts: Vec<String> = Vec::new();
    let mut is_sure = true;
    each_record(file, from, &mut |start, record| {
        let Some(own) = name(record, "/uuid") else { return };
        let parent = name(record, "/parentUuid");
        if let Some(parent) = parent.as_deref().filter(|_| is_prompt(record)) {
            while let Some(last) = prompts.last() {
                if tree.walk(parent, last) == Walk::Met || tree.walk(last, parent) != Walk::Met {
                    break;
                }
                tree.void.extend(prompts.pop());
            }
            let known = prompts.last().map(|last| tree.walk(parent, last));
            is_sure &= from == 0
                || known == Some(Walk::Met)
                || tree.top(parent).is_none_or(|top| before.contains(top));
            prompts.push(own.clone());
        }
        let turn = turn_of(&said(record, claude::read));
        if tree.links.insert(own.clone(), Link { parent, at: start, turn }).is_none() {
            tree.order.push(own);
        }
    })?;
    Ok((tree, is_sure))
}

impl Branches {
    /// Goes upwards from a record, which counts itself, until it meets another.
    fn walk(&self, from: &str, to: &str) -> Walk {
        let mut at = from;
        for _ in 0..=self.links.len() {
            if at == to {
                return Walk::Met;
            }
            match self.links.get(at) {
                Some(Link { parent: Some(parent), .. }) => at = parent,
                Some(_) => return Walk::Top,
                None => return Walk::Lost,
            }
        }
        Walk::Top
    }

    /// The first record above one, itself included, that was not looked at.
    fn top<'a>(&'a self, from: &'a str) -> Option<&'a str> {
        let mut at = from;
        for _ in 0..=self.links.len() {
            match self.links.get(at) {
                Some(link) => at = link.parent.as_deref()?,
                None => return Some(at),
            }
        }
        None
    }

    /// The prompts that were taken back, and all that hangs below them.
    fn taken_back(mut self, from: u64) -> TakenBack {
        let mut taken = TakenBack::default();
        if self.void.is_empty() {
            return taken;
        }
        for own in &self.order {
            let Some(link) = self.links.get(own) else { continue };
            let hangs = link.parent.as_ref().is_some_and(|parent| self.void.contains(parent));
            if hangs {
                self.void.insert(own.clone());
            }
            if self.void.contains(own) {
                taken.records.insert(link.at);
                taken.earlier.extend(link.turn.clone().filter(|_| link.at < from));
            }
        }
        taken.earlier.dedup();
        taken
    }
}

/// Whether a person typed this record of Claude Code.
fn is_prompt(record: &Value) -> bool {
    let tags = table::row(memory_core::session::Client::ClaudeCode).tags;
    record.get("type").and_then(Value::as_str) == Some("user")
        && said(record, claude::read).iter().any(|said| match said {
            Said::Human(part) => !human_text(&part.texts, tags).is_empty(),
            _ => false,
        })
}

/// How many bytes before an offset are looked at for the records that stand last before it.
const NEAR: u64 = 64 << 10;

/// The records that stand last before an offset, from the last prompt on.
fn last_records(file: &mut Foreign, from: u64) -> Result<HashSet<String>> {
    let begin = from.saturating_sub(NEAR);
    let bytes = file.read_at(begin, from - begin)?;
    let mut last = HashSet::new();
    // The first line may be the end of one.
    for line in bytes.split(|byte| *byte == b'\n').skip(usize::from(begin > 0)) {
        let Ok(Some(record)) = record::value(line) else { continue };
        if is_prompt(&record) {
            last.clear();
        }
        last.extend(name(&record, "/uuid"));
    }
    Ok(last)
}
