//! Secrets are masked here before a text first touches the disk, an index, a log or a model.
//!
//! [`redact`] replaces every credential it recognises by a marker such as `[redacted:github-pat]` and leaves
//! every other byte as it was. It is total and takes linear time on any input. Redacting twice is the same
//! as redacting once: markers are opaque, and nothing that touches one is judged again. Documented example
//! keys, references to variables and placeholders stay, since cutting them would only damage knowledge.

use std::ops::Range;

use self::finding::Finding;

mod marker;
mod finding;
mod shape;
mod checks;
mod examples;
mod rules;
mod jwt;
mod blocks;
mod names;
mod link;
mod value;
mod url;
mod option;
mod cookie;
mod assign;
mod scan;

#[cfg(test)]
mod tests;

/// A text with its secrets masked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Redacted {
    /// The text with a marker in the place of each secret; equal to the input if nothing was found.
    pub text: String,
    /// What was masked, in the order of the text and without overlaps.
    pub found: Vec<Masked>,
}

/// One masked secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Masked {
    /// What it looked like, such as `github-pat`; the same word stands in the marker.
    pub kind: &'static str,
    /// Where it stood, in bytes of the original text.
    pub at: Range<usize>,
}

/// Masks the secrets of a text.
pub fn redact(text: &str) -> Redacted {
    let found = merge(scan::Scan::new(text).collect());
    let mut out = String::with_capacity(text.len());
    let mut kept = 0;
    for masked in &found {
        out.push_str(text.get(kept..masked.at.start).unwrap_or_default());
        marker::write(&mut out, masked.kind);
        kept = masked.at.end;
    }
    out.push_str(text.get(kept..).unwrap_or_default());
    Redacted { text: out, found }
}

/// No secret reaches further, except blocks that are masked as far as they go.
const REACH: usize = 8 << 10;

/// The first `most` bytes of a text with their secrets masked.
///
/// A secret that the end would cut through is masked as a whole: so much more is read as a secret may reach, and
/// left out afterwards.
pub fn redact_beginning(text: &str, most: usize) -> String {
    let end = text.floor_char_boundary(most);
    let read = text.get(..text.floor_char_boundary(most.saturating_add(REACH))).unwrap_or(text);
    let mut out = String::with_capacity(end);
    let mut kept = 0;
    for masked in merge(scan::Scan::new(read).collect()).iter().filter(|masked| masked.at.start < end) {
        out.push_str(text.get(kept..masked.at.start).unwrap_or_default());
        marker::write(&mut out, masked.kind);
        kept = masked.at.end;
    }
    out.push_str(text.get(kept..end).unwrap_or_default());
    out
}

/// Whether something in a text was masked.
pub fn is_masked(text: &str) -> bool {
    (0..text.len()).any(|at| marker::end(text.as_bytes(), at).is_some())
}

/// Findings that overlap become one mask over all of them, so that no part of a secret is left standing
/// because another rule saw a longer or a shorter piece of it. The surest finding names the kind.
fn merge(mut findings: Vec<Finding>) -> Vec<Masked> {
    findings.sort_by_key(|finding| (finding.at.start, finding.surety));
    let mut merged: Vec<Finding> = Vec::with_capacity(findings.len());
    for finding in findings {
        match merged.last_mut() {
            Some(last) if finding.at.start < last.at.end => {
                last.at.end = last.at.end.max(finding.at.end);
                if finding.surety < last.surety {
                    last.surety = finding.surety;
                    last.kind = finding.kind;
                }
            }
            _ => merged.push(finding),
        }
    }
    merged.into_iter().map(|finding| Masked { kind: finding.kind, at: finding.at }).collect()
}
