//! The words of a memory in files of ours beside the memory files: events, conversations, snapshots, what upkeep noted.
//!
//! They hold whole conversations, of which the memory is a part. Where its words stand in them, they are struck out.

use memchr::memmem;

use super::{OWN, Store};
use crate::disk::{Sort, write_whole};
use crate::error::Result;

/// What stands where words were struck out; harmless inside a JSON string.
const STRUCK: &[u8] = b"[forgotten]";
/// Shorter lines may stand anywhere and mean something else.
const LEAST: usize = 16;
/// Folders of ours that are not read for words: they are caches, or they are cleaned in their own way.
const NOT_READ: [&str; 5] = ["index", "archive", "quarantine", "recovered", "tmp"];

/// The lines by which texts are recognised, as they are and as they stand in JSON.
pub(super) fn needles(texts: &[String]) -> Vec<Vec<u8>> {
    let lines = texts.iter().flat_map(|text| text.lines()).map(str::trim).filter(|line| line.len() >= LEAST);
    let mut all: Vec<Vec<u8>> = Vec::new();
    for line in lines {
        let escaped = serde_json::Value::from(line).to_string();
        all.push(line.as_bytes().to_vec());
        all.push(escaped.trim_matches('"').as_bytes().to_vec());
    }
    all.sort_unstable_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
    all.dedup();
    all
}

impl Store {
    /// Strikes words out of our own files.
    pub(super) fn strike_out(&self, needles: &[Vec<u8>]) -> Result<()> {
        let mut files = vec!["history/events.jsonl".to_owned()];
        for folder in [OWN, "conversations"] {
            self.own_files(folder, 0, &mut files)?;
        }
        for path in files {
            let Ok(Some(bytes)) = self.disk.read(&path, self.config.limits.file_bytes) else { continue };
            if let Some(left) = struck(&bytes, needles) {
                write_whole(&*self.disk, &path, &left)?;
            }
        }
        Ok(())
    }

    fn own_files(&self, folder: &str, depth: usize, files: &mut Vec<String>) -> Result<()> {
        for name in self.disk.list(folder)? {
            let path = format!("{folder}/{}", name.name);
            let is_ledger = depth == 0 && name.name.starts_with("ledger.db");
            match name.sort {
                Sort::File if !is_ledger && !name.name.ends_with("lock") => files.push(path),
                Sort::Folder if depth < 3 && !NOT_READ.contains(&name.name.as_str()) => {
                    self.own_files(&path, depth + 1, files)?;
                }
                _ => {}
            }
        }
        Ok(())
    }
}

/// The bytes without these words, if they hold any.
fn struck(bytes: &[u8], needles: &[Vec<u8>]) -> Option<Vec<u8>> {
    let mut left: Option<Vec<u8>> = None;
    for needle in needles {
        let from = left.as_deref().unwrap_or(bytes);
        let (mut out, mut end) = (Vec::new(), 0);
        for at in memmem::find_iter(from, needle) {
            out.extend_from_slice(&from[end..at]);
            out.extend_from_slice(STRUCK);
            end = at + needle.len();
        }
        if end > 0 {
            out.extend_from_slice(&from[end..]);
            left = Some(out);
        }
    }
    left
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(bytes: &str, texts: &[&str], expect: Option<&str>) {
        let texts: Vec<String> = texts.iter().map(|text| (*text).to_owned()).collect();
        let got = struck(bytes.as_bytes(), &needles(&texts)).map(|left| String::from_utf8(left).unwrap());
        assert_eq!(got.as_deref(), expect);
    }

    #[test]
    fn words_are_struck_out_as_they_are_and_as_json() {
        let text = "the \"zqx\" policy holds\nshort\nand a second long line";
        check(r#"{"a":"so the \"zqx\" policy holds."}"#, &[text], Some(r#"{"a":"so [forgotten]."}"#));
        check("the \"zqx\" policy holds", &[text], Some("[forgotten]"));
        check("and a second long line, and a second long line", &[text], Some("[forgotten], [forgotten]"));
        check("short", &[text], None);
        check("another thing altogether", &[text], None);
    }
}
