//! Whether what a memory names is still as it was when it was first seen: *fresh*, *drifted* or *gone*.

use super::anchor::Anchor;

/// How something looked, then or now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Look {
    /// The file it is in, relative to the repository.
    pub place: String,
    /// What it is called there: a file by its path, a symbol or command by its name.
    pub name: String,
    /// Of all of it.
    pub digest: u64,
    /// Of all of it but its name, where it says enough to be known again by that.
    pub shape: Option<u64>,
}

/// What became of something that a memory names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// It is as it was.
    Fresh,
    /// It is there, but not as it was.
    Drifted(Drift),
    /// It is nowhere.
    Gone,
}

/// In which way something is not as it was.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Drift {
    /// Its text changed.
    Changed,
    /// It stands in another place.
    Moved {
        /// Where.
        to: String,
    },
    /// It goes by another name.
    Renamed {
        /// By which.
        to: String,
        /// Where.
        place: String,
    },
}

impl Verdict {
    /// The word for it.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Fresh => "fresh",
            Self::Drifted(_) => "drifted",
            Self::Gone => "gone",
        }
    }
}

/// Compares what was with what is found now: first in the same place, then under the same name elsewhere, then the
/// same text under another name. A symbol or command that moved without a change is fresh, because a memory that
/// names it says nothing of where it is.
pub fn judge(anchor: &Anchor, before: &Look, now: &[Look]) -> Verdict {
    let is_file = matches!(anchor, Anchor::File(_));
    let last = |path: &str| path.rsplit('/').next().unwrap_or(path).to_owned();
    let same_name = |look: &&Look| {
        if is_file { last(&look.name) == last(&before.name) } else { look.name == before.name }
    };
    let named: Vec<&Look> = now.iter().filter(same_name).collect();
    let here: Vec<&&Look> = named.iter().filter(|look| look.place == before.place).collect();
    if here.iter().any(|look| look.digest == before.digest) {
        return Verdict::Fresh;
    }
    if !here.is_empty() {
        return Verdict::Drifted(Drift::Changed);
    }
    let same = named.iter().find(|look| look.digest == before.digest);
    match (same, named.as_slice()) {
        (Some(_), _) if !is_file => return Verdict::Fresh,
        (Some(look), _) => return Verdict::Drifted(Drift::Moved { to: look.place.clone() }),
        (None, [look]) => return Verdict::Drifted(Drift::Moved { to: look.place.clone() }),
        (None, _) => {}
    }
    let again = |look: &&Look| before.shape.is_some() && look.shape == before.shape;
    // Of several the nearest is meant: in the same file, or in the same folder.
    let folder = |path: &str| path.rsplit_once('/').map_or(String::new(), |(folder, _)| folder.to_owned());
    let near = |look: &&Look| (look.place != before.place, folder(&look.place) != folder(&before.place));
    match now.iter().filter(again).min_by_key(near) {
        Some(look) => Verdict::Drifted(Drift::Renamed { to: look.name.clone(), place: look.place.clone() }),
        None => Verdict::Gone,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::integrity::anchor::Symbol;

    fn look(place: &str, name: &str, digest: u64, shape: u64) -> Look {
        Look { place: place.into(), name: name.into(), digest, shape: (shape > 0).then_some(shape) }
    }

    fn check(now: &[Look], expect: &str) {
        let anchor = Anchor::Symbol(Symbol { of: None, name: "run".into() });
        let verdict = judge(&anchor, &look("a/x.rs", "run", 1, 9), now);
        assert_eq!(format!("{verdict:?}"), expect);
    }

    #[test]
    fn symbols() {
        check(&[look("a/x.rs", "run", 1, 9)], "Fresh");
        check(&[look("a/x.rs", "run", 2, 8)], "Drifted(Changed)");
        check(&[look("b/y.rs", "run", 1, 9)], "Fresh");
        check(&[look("b/y.rs", "run", 2, 8)], "Drifted(Moved { to: \"b/y.rs\" })");
        check(&[look("b/y.rs", "run", 2, 8), look("c.rs", "run", 3, 7)], "Gone");
        check(
            &[look("b.rs", "other", 5, 9), look("a/x.rs", "go", 4, 9)],
            "Drifted(Renamed { to: \"go\", place: \"a/x.rs\" })",
        );
        check(&[look("a/x.rs", "other", 5, 0)], "Gone");
        check(&[], "Gone");
    }

    #[test]
    fn files() {
        let anchor = Anchor::File("a/x.rs".into());
        let before = look("a/x.rs", "a/x.rs", 1, 1);
        let check = |now: &[Look], expect: &str| {
            assert_eq!(format!("{:?}", judge(&anchor, &before, now)), expect);
        };
        check(&[look("b/x.rs", "b/x.rs", 1, 1)], "Drifted(Moved { to: \"b/x.rs\" })");
        check(&[look("b/x.rs", "b/x.rs", 2, 2)], "Drifted(Moved { to: \"b/x.rs\" })");
        check(&[look("a/y.rs", "a/y.rs", 1, 1)], "Drifted(Renamed { to: \"a/y.rs\", place: \"a/y.rs\" })");
        check(&[look("a/y.rs", "a/y.rs", 2, 2)], "Gone");
    }
}
