//! `[upkeep]`: how the memory stays lean, with the names that older tools have for the same settings.

use std::num::NonZeroUsize;

use serde::Deserialize;

use super::range;

/// `[upkeep]`
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "see defaults.toml")]
pub struct UpkeepSettings {
    pub snapshot_days: u32,
    pub conversation_messages: NonZeroUsize,
    pub category_entries: NonZeroUsize,
    pub category_keep: NonZeroUsize,
    pub summary_lines: NonZeroUsize,
    pub journal_records: usize,
    pub journal_chars: usize,
    pub journal_merge: bool,
    pub journal_merge_records: usize,
    pub journal_merge_chars: usize,
    pub journal_merge_days: u32,
    pub long_term_chars: NonZeroUsize,
    pub experiences: bool,
    #[serde(deserialize_with = "range::share")]
    pub experience_likeness: f32,
    pub experience_most: NonZeroUsize,
    pub history_days: u32,
    pub archive_days: u32,
}

/// The older tools' names of settings, and ours.
const NAMES: &[(&str, &str)] = &[
    ("continuity.memoryMaxRecords", "upkeep.journal_records"),
    ("continuity.memoryMaxChars", "upkeep.journal_chars"),
    ("continuity.memoryCompactionEnabled", "upkeep.journal_merge"),
    ("continuity.memoryCompactionMaxRecords", "upkeep.journal_merge_records"),
    ("continuity.memoryCompactionThresholdRecords", "upkeep.journal_merge_records"),
    ("continuity.memoryCompactionMaxChars", "upkeep.journal_merge_chars"),
    ("continuity.memoryCompactionThresholdChars", "upkeep.journal_merge_chars"),
    ("continuity.memoryCompactionMinAgeDays", "upkeep.journal_merge_days"),
    ("continuity.longMemoryMaxChars", "upkeep.long_term_chars"),
    ("continuity.experienceStoreEnabled", "upkeep.experiences"),
    ("continuity.experienceUniquenessThreshold", "upkeep.experience_likeness"),
    ("continuity.experienceMaxCount", "upkeep.experience_most"),
    ("retention.history.maxAgeDays", "upkeep.history_days"),
    ("retention.archive.expireAfterDays", "upkeep.archive_days"),
];

/// Our name of a setting that an older tool calls so.
pub(super) fn known_as(name: &str) -> Option<&'static str> {
    NAMES.iter().find(|(theirs, _)| *theirs == name).map(|(_, ours)| *ours)
}

#[cfg(test)]
mod tests {
    use super::super::{Layer, Origin, described, resolve};
    use super::*;

    #[test]
    fn the_older_tools_names_set_what_they_mean() {
        let text = "[continuity]\nmemoryMaxRecords = 9\nmemoryCompactionThresholdChars = 5\n[retention.history]\nmaxAgeDays = 3";
        let resolved = resolve(&[Layer { origin: Origin::User, text: text.to_owned() }]);
        let upkeep = &resolved.config.upkeep;
        assert_eq!(resolved.ignored, Vec::<String>::new());
        assert_eq!((upkeep.journal_records, upkeep.journal_merge_chars, upkeep.history_days), (9, 5, 3));
    }

    #[test]
    fn every_name_is_told_where_the_setting_is() {
        let all = described();
        for (theirs, ours) in NAMES {
            let about =
                all.iter().find(|setting| setting.name == *ours).map(|setting| setting.about.as_str());
            assert!(about.is_some_and(|about| about.contains(theirs)), "{theirs} {ours}");
        }
    }
}
