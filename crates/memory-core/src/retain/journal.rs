//! The journal `MEMORY.md` kept short: a rolling window over its records, and old turn summaries and notes merged into
//! `LONGMEMORY.md`.
//!
//! The newest record never leaves, nor what was learned, what the person prefers, or a secret. Only words of the person
//! and the agent are merged; what is private to the person is merged apart, into a record that says so. Of the long-term
//! summaries the newest stay, in their order.

use std::collections::HashSet;

use serde_json::{Map, Value};

use super::COMPACTED;
use super::digest::{Quote, Rarity, quoted};
use super::tasks::Open;
use crate::config::UpkeepSettings;
use crate::id::{MemoryId, Tag};
use crate::kind::Kind;
use crate::layout::{Home, read};
use crate::memory::{Body, Memory, Provenance};
use crate::scope::{Sensitivity, SourceClass};
use crate::time::{DAY_MS, Time};

/// Where merging begins when the settings name no limit: what a session is shown of the journal.
const USUAL_CHARS: usize = 32_000;
/// The longest summary, in characters.
const SUMMARY_CHARS: usize = 8000;

/// A record of the journal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    /// The memory.
    pub memory: Memory,
    /// What the line itself calls its category.
    pub category: String,
    /// Its line, in characters, with its end.
    pub chars: usize,
}

/// The records of a journal in their order; text that a person wrote between them is none.
pub fn journal_records(bytes: &[u8]) -> Vec<Record> {
    let reading = read(&Home::Journal, bytes);
    let records = reading.found.into_iter().filter_map(|found| {
        let raw = String::from_utf8_lossy(&bytes[found.place.bytes.clone()]).into_owned();
        let object: Map<String, Value> = serde_json::from_str(raw.trim_start().strip_prefix("- ")?).ok()?;
        let category = object.get("category").and_then(Value::as_str).unwrap_or("note").to_lowercase();
        Some(Record { memory: found.memory, category, chars: raw.trim_end().chars().count() + 1 })
    });
    records.collect()
}

impl Record {
    /// Whether it stays in the journal whatever its size.
    fn stays(&self) -> bool {
        matches!(self.category.as_str(), "learned" | "user-preference" | "compaction")
            || matches!(self.memory.kind, Kind::Lesson | Kind::Preference)
            || self.memory.provenance.sensitivity == Sensitivity::Secret
    }
}

/// What leaves so that the journal meets its limits: the oldest first, never the last one nor those just written.
/// `chars` is the length of the whole file.
pub fn rolling_window(
    records: &[Record],
    chars: usize,
    just_written: &[MemoryId],
    rules: &UpkeepSettings,
) -> Vec<MemoryId> {
    let most = |limit: usize| if limit == 0 { usize::MAX } else { limit };
    let (mut count, mut chars) = (records.len(), chars);
    let mut leaving = Vec::new();
    let last = records.len().saturating_sub(1);
    for record in &records[..last] {
        if count <= most(rules.journal_records) && chars <= most(rules.journal_chars) {
            break;
        }
        if !record.stays() && !just_written.contains(&record.memory.id) {
            leaving.push(record.memory.id.clone());
            count -= 1;
            chars = chars.saturating_sub(record.chars);
        }
    }
    leaving
}

/// What is merged into the long-term summaries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Merged {
    /// The records that leave the journal.
    pub leaving: Vec<MemoryId>,
    /// The block for `LONGMEMORY.md`, with its heading.
    pub block: Option<String>,
    /// What is private to the person, as a record without an id of its own yet.
    pub private: Option<Memory>,
    /// How far the words of the block are trusted.
    pub class: SourceClass,
}

/// Why nothing is merged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the words for them say it")]
pub enum Unmerged {
    NotEnabled,
    NoMemoryFile,
    UnderThreshold,
    NothingToCompact,
}

impl Unmerged {
    /// The word of the journal tool for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::NotEnabled => "not enabled",
            Self::NoMemoryFile => "no memory file",
            Self::UnderThreshold => "under threshold",
            Self::NothingToCompact => "nothing to compact",
        }
    }
}

/// Decides what of a journal is merged; `gone` leaves it already. Settings that enable it without a limit have one.
pub fn merge_journal(
    records: &[Record],
    chars: usize,
    gone: &[MemoryId],
    rules: &UpkeepSettings,
    now: Time,
) -> Result<Merged, Unmerged> {
    if !rules.journal_merge {
        return Err(Unmerged::NotEnabled);
    }
    let none_set = rules.journal_merge_records == 0 && rules.journal_merge_chars == 0;
    let limit = if none_set { USUAL_CHARS } else { rules.journal_merge_chars };
    let over_records = rules.journal_merge_records > 0 && records.len() > rules.journal_merge_records;
    let over_chars = limit > 0 && chars > limit;
    if !over_records && !over_chars {
        return Err(Unmerged::UnderThreshold);
    }
    let before = now.0.saturating_sub(i64::from(rules.journal_merge_days) * DAY_MS);
    let gone: HashSet<&MemoryId> = gone.iter().collect();
    let usual = Home::Journal.scope();
    let last = records.len().saturating_sub(1);
    let old: Vec<&Record> = records[..last]
        .iter()
        .filter(|record| {
            let memory = &record.memory;
            matches!(record.category.as_str(), "turn-summary" | "note")
                && !record.stays()
                && memory.created.0 <= before
                && memory.provenance.class >= SourceClass::Agent
                && memory.scope == usual
                && !gone.contains(&memory.id)
        })
        .collect();
    if old.is_empty() {
        return Err(Unmerged::NothingToCompact);
    }
    let rarity = Rarity::of(old.iter().map(|record| record.memory.body.as_str()));
    let is_private = |record: &&&Record| record.memory.provenance.sensitivity >= Sensitivity::PrivateUser;
    let (private, open): (Vec<&Record>, Vec<&Record>) = old.iter().partition(is_private);
    let class = |of: &[&Record]| {
        let classes = of.iter().map(|record| record.memory.provenance.class);
        SourceClass::least(classes).unwrap_or(SourceClass::Agent)
    };
    let day = now.day();
    let tasks = Open::among(records.iter().map(|record| &record.memory));
    let block = summary(&open, &tasks, &rarity).map(|text| format!("## Summary ({day})\n\n{text}"));
    let kept_apart = summary(&private, &tasks, &rarity).map(|text| {
        let mut provenance = Provenance::of("upkeep", class(&private));
        provenance.sensitivity = Sensitivity::PrivateUser;
        provenance.lineage = private.iter().map(|record| record.memory.id.clone()).collect();
        provenance.confidence = private.iter().filter_map(|record| record.memory.provenance.confidence).min();
        Memory {
            id: MemoryId::of_text(&text, 0),
            kind: Kind::Summary,
            scope: usual,
            key: None,
            title: Some(format!("Summary ({day})")),
            body: Body::new(&text),
            tags: Tag::parse(COMPACTED).into_iter().collect(),
            created: now,
            updated: now,
            provenance,
            extra: Map::new(),
        }
    });
    let leaving = old.iter().map(|record| record.memory.id.clone()).collect();
    Ok(Merged { leaving, block, private: kept_apart, class: class(&open) })
}

/// One line a record, in their order; where that is too long, those that say most.
fn summary(records: &[&Record], open: &Open, rarity: &Rarity) -> Option<String> {
    if records.is_empty() {
        return None;
    }
    let mut most = records.len();
    loop {
        let quote = |memory: &Memory| Quote::of(memory, open.of(memory), rarity);
        let quotes: Vec<Quote> = records.iter().map(|record| quote(&record.memory)).collect();
        let (text, _) = quoted(quotes, most, records.len());
        let text = text.trim_start().to_owned();
        if text.chars().count() <= SUMMARY_CHARS || most <= 1 {
            return Some(text);
        }
        most = most * 3 / 4;
    }
}

/// Which of the long-term summaries leave when so many characters come: the oldest, until the rest fits. What a person
/// wrote there stays.
pub fn long_term_overflow(bytes: &[u8], coming: usize, rules: &UpkeepSettings) -> Vec<MemoryId> {
    let mut chars = String::from_utf8_lossy(bytes).chars().count() + coming;
    let mut leaving = Vec::new();
    for found in read(&Home::LongTerm, bytes).found {
        if chars <= rules.long_term_chars.get() {
            break;
        }
        let title = found.memory.title.as_deref().unwrap_or_default();
        if title.starts_with("Summary (") && title.ends_with(')') {
            let text = String::from_utf8_lossy(&bytes[found.place.bytes]).chars().count();
            chars = chars.saturating_sub(text);
            leaving.push(found.memory.id);
        }
    }
    leaving
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;

    fn line(n: usize, category: &str, day: &str, text: &str, sensitivity: &str) -> String {
        format!(
            "- {{\"id\":\"r{n}\",\"sessionId\":\"s\",\"category\":\"{category}\",\"text\":\"{text}\",\"provenance\":\
             {{\"sourceChannel\":\"cli\",\"confidence\":0.8,\"timestamp\":\"{day}T00:00:00.000Z\",\"sensitivity\":\"{sensitivity}\"}}}}\n"
        )
    }

    fn rules(change: impl FnOnce(&mut UpkeepSettings)) -> UpkeepSettings {
        let mut rules = Config::default().upkeep;
        change(&mut rules);
        rules
    }

    fn journal(rows: &[(&str, &str, &str)]) -> String {
        let lines = rows.iter().enumerate().map(|(n, (category, day, sensitivity))| {
            line(n, category, day, &format!("text number {n}"), sensitivity)
        });
        format!("# MEMORY.md\n\n{}", lines.collect::<String>())
    }

    fn ids(all: &[MemoryId]) -> Vec<&str> {
        all.iter().map(MemoryId::as_str).collect()
    }

    #[test]
    fn the_window_never_drops_what_was_just_written_or_learned() {
        let text = journal(&[
            ("note", "2026-01-01", "operational"),
            ("learned", "2026-01-02", "operational"),
            ("user-preference", "2026-01-03", "operational"),
            ("note", "2026-01-04", "secret"),
            ("note", "2026-01-05", "operational"),
            ("turn-summary", "2026-01-06", "operational"),
        ]);
        let records = journal_records(text.as_bytes());
        let chars = text.chars().count();
        let check = |change: fn(&mut UpkeepSettings), just: &[&str], expect: &[&str]| {
            let just: Vec<MemoryId> = just.iter().filter_map(|id| MemoryId::parse(id).ok()).collect();
            assert_eq!(ids(&rolling_window(&records, chars, &just, &rules(change))), expect);
        };
        check(|_| {}, &[], &[]);
        check(|rules| rules.journal_records = 5, &[], &["r0"]);
        // The journal tool drops even the record just written when it alone is too long.
        check(|rules| rules.journal_chars = 1, &[], &["r0", "r4"]);
        check(|rules| rules.journal_records = 1, &["r0"], &["r4"]);
    }

    fn merged(text: &str, change: fn(&mut UpkeepSettings)) -> Result<Merged, Unmerged> {
        let now = Time::parse("2026-03-01").unwrap();
        merge_journal(&journal_records(text.as_bytes()), text.chars().count(), &[], &rules(change), now)
    }

    /// Not as elsewhere: secrets were merged, and to enable it without a limit did nothing.
    #[test]
    fn old_notes_are_merged_without_secrets() {
        let mut rows = vec![
            ("note", "2026-01-01", "operational"),
            ("note", "2026-01-02", "secret"),
            ("turn-summary", "2026-01-03", "private-user"),
            ("learned", "2026-01-04", "operational"),
            ("note", "2026-02-27", "operational"),
            ("compaction", "2026-01-04", "operational"),
        ];
        let text = journal(&rows);
        let on = |rules: &mut UpkeepSettings| {
            rules.journal_merge = true;
            rules.journal_merge_records = 3;
        };
        let done = merged(&text, on).unwrap();
        assert_eq!(ids(&done.leaving), ["r0", "r2"]);
        let block = done.block.unwrap();
        assert_eq!(block, "## Summary (2026-03-01)\n\n- [2026-01-01T00:00] text number 0 (id r0)");
        let private = done.private.unwrap();
        assert_eq!(private.provenance.sensitivity, Sensitivity::PrivateUser);
        assert_eq!(ids(&private.provenance.lineage), ["r2"]);
        assert_eq!(merged(&text, |_| {}), Err(Unmerged::NotEnabled));
        assert_eq!(merged(&text, |rules| rules.journal_merge = true), Err(Unmerged::UnderThreshold));
        let long = format!("{text}\n{}\n", "x".repeat(USUAL_CHARS));
        assert!(merged(&long, |rules| rules.journal_merge = true).is_ok());
        rows.retain(|row| row.0 == "learned");
        rows.extend([rows[0]; 4]);
        assert_eq!(merged(&journal(&rows), on), Err(Unmerged::NothingToCompact));
    }

    /// Not as elsewhere: the cap kept the oldest text and cut the newest.
    #[test]
    fn the_newest_summaries_stay_in_their_order() {
        let block = |day: u32| format!("## Summary (2026-01-{day:02})\n\n{}\n\n", "word ".repeat(1000));
        let text = format!(
            "# LONGMEMORY.md — Long-term summaries\n\n{}{}{}## By hand\n\nmine\n",
            block(1),
            block(2),
            block(3)
        );
        let titles = |coming: usize| -> Vec<String> {
            let leaving = long_term_overflow(text.as_bytes(), coming, &rules(|_| {}));
            let all = read(&Home::LongTerm, text.as_bytes()).found;
            let stays = all.into_iter().filter(|found| !leaving.contains(&found.memory.id));
            stays.filter_map(|found| found.memory.title).collect()
        };
        assert_eq!(titles(0).len(), 4);
        assert_eq!(titles(5000), ["Summary (2026-01-02)", "Summary (2026-01-03)", "By hand"]);
        assert_eq!(titles(50_000), ["By hand"]);
    }
}
