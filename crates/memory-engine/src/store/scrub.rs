//! The words of a memory in files of ours beside the memory files: events, conversations, snapshots, what upkeep noted.
//!
//! They hold whole conversations, of which the memory is a part. What says its words there, as they were said and however
//! a memory worded them, is struck out with its sentence.

use std::collections::HashSet;
use std::ops::Range;

use memchr::memmem;
use memory_core::strike::{self, STRUCK};

use super::{CONVERSATIONS, EVENTS, OWN, Store};
use crate::disk::{Sort, write_whole};
use crate::error::Result;

/// Shorter lines are looked for only between other words, since they may be parts of anything.
const LEAST: usize = 16;
/// What stands before the words of a line in markdown.
const MARKS: [char; 8] = ['-', '*', '+', '#', '>', '[', ']', ' '];
/// Folders of ours that are not read for words: they are caches, or they are cleaned in their own way.
const NOT_READ: [&str; 5] = ["index", "archive", "quarantine", "recovered", "tmp"];

/// What texts are recognised by.
pub(super) struct Needles {
    /// Their lines, byte by byte.
    lines: Vec<Needle>,
    /// Their phrases, word by word.
    phrases: HashSet<String>,
    /// How many words those have.
    lengths: Vec<usize>,
}

/// Words by which a text is recognised.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Needle {
    bytes: Vec<u8>,
    found: Found,
}

/// Where words count as those of the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Found {
    /// Wherever they stand.
    Anywhere,
    /// Between other words.
    Apart,
    /// Between other words, and too common to be struck out: whoever reads the file must tell.
    Named,
}

impl Needles {
    /// Whether bytes hold any of these words, be they wrapped over lines or worded a little otherwise.
    pub(super) fn stand_in(&self, bytes: &[u8]) -> bool {
        if self.lines.iter().any(|needle| needle.places(bytes).next().is_some()) {
            return true;
        }
        let wrapped = folded(bytes);
        let is_in = |needle: &Needle| {
            let needle = Needle { bytes: folded(&needle.bytes), found: needle.found };
            needle.places(&wrapped).next().is_some()
        };
        self.lines.iter().any(is_in) || self.are_said_in(bytes)
    }

    fn are_said_in(&self, bytes: &[u8]) -> bool {
        let says = |text: &str| strike::says(text, &self.lengths, &|words| self.phrases.contains(words));
        if is_json(bytes) {
            return literals(bytes).any(|(_, text)| says(&text));
        }
        says(&String::from_utf8_lossy(bytes))
    }

    /// The bytes without these words, if they hold any.
    fn struck(&self, bytes: &[u8]) -> Option<Vec<u8>> {
        let whole = self.without_sentences(bytes);
        let left = without_lines(whole.as_deref().unwrap_or(bytes), &self.lines);
        left.or(whole)
    }

    /// The bytes without the sentences that say these words: those of a text, or of each string in JSON.
    fn without_sentences(&self, bytes: &[u8]) -> Option<Vec<u8>> {
        let without =
            |text: &str| strike::without(text, &self.lengths, &|words| self.phrases.contains(words));
        if !is_json(bytes) {
            return std::str::from_utf8(bytes).ok().and_then(without).map(String::into_bytes);
        }
        let (mut out, mut end) = (Vec::new(), 0);
        for (place, text) in literals(bytes) {
            let Some(left) = without(&text) else { continue };
            out.extend_from_slice(&bytes[end..place.start]);
            out.extend_from_slice(serde_json::Value::from(left).to_string().as_bytes());
            end = place.end;
        }
        (end > 0).then(|| [&out, &bytes[end..]].concat())
    }
}

/// Whether bytes are JSON, be it a value or one on each line.
fn is_json(bytes: &[u8]) -> bool {
    let is_value = |bytes: &[u8]| serde_json::from_slice::<serde::de::IgnoredAny>(bytes).is_ok();
    let first = bytes.split(|byte| *byte == b'\n').next().unwrap_or_default();
    matches!(bytes.trim_ascii_start().first(), Some(b'{' | b'[')) && (is_value(first) || is_value(bytes))
}

/// The strings of JSON, with where they stand. Whatever else changes in a file that others write too, it is not this.
fn literals(bytes: &[u8]) -> impl Iterator<Item = (Range<usize>, String)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            let start = at + memchr::memchr(b'"', bytes.get(at..)?)?;
            let mut end = start + 1;
            while let Some(byte) = bytes.get(end).filter(|byte| **byte != b'"') {
                end += if *byte == b'\\' { 2 } else { 1 };
            }
            at = end + 1;
            if let Some(text) = bytes.get(start..at).and_then(|literal| serde_json::from_slice(literal).ok())
            {
                return Some((start..at, text));
            }
        }
    })
}

/// Bytes with one space in the place of all white space that stands together.
fn folded(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes.len());
    for &byte in bytes {
        if !byte.is_ascii_whitespace() {
            out.push(byte);
        } else if out.last() != Some(&b' ') {
            out.push(b' ');
        }
    }
    out
}

impl Needle {
    fn places(&self, bytes: &[u8]) -> impl Iterator<Item = usize> {
        let counts =
            |at: &usize| self.found == Found::Anywhere || stands_apart(bytes, *at, *at + self.bytes.len());
        memmem::find_iter(bytes, &self.bytes).filter(counts)
    }
}

/// Whether no word goes on at either end.
fn stands_apart(bytes: &[u8], start: usize, end: usize) -> bool {
    let in_word = |byte: Option<&u8>| byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte >= 0x80);
    // In JSON the end of a line is written as two characters.
    let after_escape = matches!(bytes.get(start.wrapping_sub(2)..start), Some([b'\\', b'n' | b'r' | b't']));
    (after_escape || !in_word(bytes.get(start.wrapping_sub(1)))) && !in_word(bytes.get(end))
}

/// What texts and titles are recognised by.
pub(super) fn needles(texts: &[String]) -> Needles {
    let phrases: HashSet<String> = texts.iter().flat_map(|text| strike::phrases(text)).collect();
    let mut lengths: Vec<usize> = phrases.iter().map(|phrase| strike::length(phrase)).collect();
    lengths.sort_unstable();
    lengths.dedup();
    Needles { lines: lines(texts), phrases, lengths }
}

/// The lines of texts, as they are and as they stand in JSON.
fn lines(texts: &[String]) -> Vec<Needle> {
    let mut all: Vec<Needle> = Vec::new();
    for text in texts {
        let is_all = text.trim().lines().count() == 1;
        for line in text.lines().map(|line| line.trim().trim_start_matches(MARKS)) {
            let Some(found) = how_found(line, is_all) else { continue };
            // The first letter of a memory may have been made large.
            for line in [line.to_owned(), uncapitalised(line)] {
                let escaped = serde_json::Value::from(line.as_str()).to_string();
                all.push(Needle { bytes: escaped.trim_matches('"').as_bytes().to_vec(), found });
                all.push(Needle { bytes: line.into_bytes(), found });
            }
        }
    }
    let order = |a: &Needle, b: &Needle| {
        b.bytes.len().cmp(&a.bytes.len()).then_with(|| a.bytes.cmp(&b.bytes)).then(a.found.cmp(&b.found))
    };
    all.sort_unstable_by(order);
    all.dedup_by(|a, b| a.bytes == b.bytes);
    all
}

fn uncapitalised(line: &str) -> String {
    let mut chars = line.chars();
    chars.next().into_iter().flat_map(char::to_lowercase).chain(chars).collect()
}

/// Where a line counts; `None` for one that says too little to be recognised by.
fn how_found(line: &str, is_all: bool) -> Option<Found> {
    let has = |what: fn(char) -> bool| line.chars().any(what);
    let is_telling = line.contains(char::is_whitespace) || has(char::is_alphabetic) && has(char::is_numeric);
    match line.len() {
        LEAST.. => Some(Found::Anywhere),
        4.. if is_telling => Some(Found::Apart),
        4.. if is_all => Some(Found::Named),
        _ => None,
    }
}

impl Store {
    /// Strikes words out of our own files.
    pub(super) fn strike_out(&self, needles: &Needles) -> Result<()> {
        let mut files = vec![EVENTS.to_owned()];
        for folder in [OWN, CONVERSATIONS] {
            self.own_files(folder, 0, &mut files)?;
        }
        for path in files {
            // What cannot be read is named with everything that still holds the words.
            let Ok(Some(bytes)) = self.disk.read(&path, self.config.limits.file_bytes) else { continue };
            if let Some(left) = needles.struck(&bytes) {
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

/// The bytes without these lines, if they hold any.
fn without_lines(bytes: &[u8], needles: &[Needle]) -> Option<Vec<u8>> {
    let mut left: Option<Vec<u8>> = None;
    for needle in needles.iter().filter(|needle| needle.found != Found::Named) {
        let from = left.as_deref().unwrap_or(bytes);
        let (mut out, mut end) = (Vec::new(), 0);
        for at in needle.places(from) {
            out.extend_from_slice(&from[end..at]);
            out.extend_from_slice(STRUCK.as_bytes());
            end = at + needle.bytes.len();
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
        let got = needles(&texts).struck(bytes.as_bytes()).map(|left| String::from_utf8(left).unwrap());
        assert_eq!(got.as_deref(), expect);
    }

    #[test]
    fn words_are_struck_out_as_they_are_and_as_json() {
        let text = "the \"zqx\" policy holds\nshort\nand a second long line";
        check(r#"{"a":"so the \"zqx\" policy holds."}"#, &[text], Some(r#"{"a":"[forgotten]"}"#));
        check("the \"zqx\" policy holds", &[text], Some("[forgotten]"));
        check("and a second long line, and a second long line", &[text], Some("[forgotten]"));
        check("and a second long lineage", &[text], Some("[forgotten]age"));
        check("short", &[text], None);
        check("another thing altogether", &[text], None);
    }

    #[test]
    fn short_words_are_struck_out_between_others() {
        check("the PIN 8812-ZQXA, again", &["PIN 8812-ZQXA"], Some("the [forgotten], again"));
        check(r#"{"a":"so:\nPIN 8812\nor"}"#, &["- [ ] PIN 8812"], Some(r#"{"a":"so:\n[forgotten]\nor"}"#));
        check("xPIN 8812 PIN 88123 PIN 8812é", &["PIN 8812"], None);
        check("the code is a1b2.", &["a1b2"], Some("the code is [forgotten]."));
        // A plain word is everybody's, and a number may be anything in a file of ours.
        check(r#"{"text":"short","n":4242}"#, &["text", "4242", "short"], None);
        check("a b", &["a b"], None);
    }

    #[test]
    fn what_was_said_in_a_few_other_words_is_struck_out_with_its_sentence() {
        let text = "We decided to use **Heliotrope**, because it survives \"restarts\".";
        let said = r#"ok, we decided to use Heliotrope,\nbecause it *survives* restarts."#;
        let record =
            |said: &str| format!(r#"{{"n": 1.50, "said" : "Hi. {said} Bye.", "more":["\u00e9\\",""]}}"#);
        check(&record(said), &[text], Some(&record("[forgotten]").replace("Hi. ", "")));
        check(
            &format!("{0}\n{0}\n", record(said)).replace("Hi. ", ""),
            &[text],
            Some(&format!("{0}\n{0}\n", record("[forgotten]").replace("Hi. ", ""))),
        );
        let found = |bytes: &str| needles(&[text.to_owned()]).stand_in(bytes.as_bytes());
        assert!(
            found(&record(said))
                && found("[a] ok, we decided to use Heliotrope\nbecause it survives restarts")
        );
        assert!(!found(&record("we decided to use Redis, because it survives restarts")));
        check("todo: call Ana", &["- [ ] Call Ana"], Some("todo: [forgotten]"));
    }

    #[test]
    fn a_plain_word_that_is_all_of_a_text_is_found_and_left() {
        let found = |texts: &[&str], bytes: &str| {
            let texts: Vec<String> = texts.iter().map(|text| (*text).to_owned()).collect();
            needles(&texts).stand_in(bytes.as_bytes())
        };
        assert!(found(&["Zanzibar"], "we meet in Zanzibar."));
        assert!(!found(&["Zanzibar"], "the Zanzibaris"));
        assert!(!found(&["Done\nand a second long line"], "Done"));
        assert!(found(&["a text of  several words"], "So: a text\n  of several\r\nwords."));
        assert!(found(&["PIN 8812"], "the PIN\n8812"));
        assert!(!found(&["PIN 8812"], "the PIN\n88123"));
    }
}
