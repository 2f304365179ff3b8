//! The ground on which an agent works: the folders of the project, where it stands in them, and the files that it wrote
//! itself. What lies elsewhere may hold the words of strangers.
//!
//! Paths are compared as texts. A drive is the same in both ways of writing it, `C:/` and `/c/`, and has no case.

/// Files that the session wrote are remembered up to so many.
const MOST_WRITTEN: usize = 64;

/// The ground of one message.
pub(super) struct Ground<'w> {
    /// The folders whose texts are the project's own.
    folders: Vec<String>,
    /// The folder in which the next command runs.
    base: Option<String>,
    written: &'w mut Vec<String>,
}

impl<'w> Ground<'w> {
    /// The ground of an agent that works in `cwd` on a project with these folders.
    pub(super) fn new<'p>(
        folders: impl Iterator<Item = &'p str>,
        cwd: Option<&str>,
        written: &'w mut Vec<String>,
    ) -> Self {
        let folders = folders.map(normal).filter(|folder| is_absolute(folder)).collect();
        Self { folders, base: cwd.map(normal), written }
    }

    /// Whether a path or address lies outside the project and is no file that the session wrote.
    pub(super) fn is_outside(&self, path: &str) -> bool {
        if let Some((scheme, _)) = path.split_once("://").filter(|(scheme, _)| *scheme != "file") {
            return scheme.chars().all(|c| c.is_ascii_alphanumeric() || c == '+');
        }
        match self.whole(path) {
            Some(whole) => !self.holds(&whole) && !self.written.contains(&whole),
            None => {
                let path = path.replace('\\', "/");
                path.starts_with("../") || path.contains("/../")
            }
        }
    }

    /// Whether a path lies in a folder of the project, as far as that is known.
    pub(super) fn is_in_project(&self, path: &str) -> bool {
        self.whole(path).is_none_or(|whole| self.holds(&whole)) && !path.contains("://")
    }

    /// Whether the next command runs outside the project.
    pub(super) fn is_away(&self) -> bool {
        self.is_outside(".")
    }

    /// Goes to another folder. One that only the shell knows changes nothing.
    pub(super) fn go(&mut self, folder: &str) {
        if !folder.is_empty() && !folder.contains(['$', '`', '*']) {
            self.base = self.whole(folder).or(self.base.take());
        }
    }

    /// Where the agent stands.
    pub(super) fn base(&self) -> Option<String> {
        self.base.clone()
    }

    /// Goes back to where it stood.
    pub(super) fn back(&mut self, base: Option<String>) {
        self.base = base;
    }

    /// Notes a file that the session wrote.
    pub(super) fn wrote(&mut self, path: &str) {
        let Some(whole) = self.whole(path) else { return };
        if whole.starts_with("/dev/") || self.holds(&whole) || self.written.contains(&whole) {
            return;
        }
        self.written.push(whole);
        let over = self.written.len().saturating_sub(MOST_WRITTEN);
        self.written.drain(..over);
    }

    fn holds(&self, whole: &str) -> bool {
        whole.starts_with("/dev/")
            // Without a folder nothing can be said of a path but that it is somebody's own.
            || self.folders.is_empty() && !whole.starts_with('~')
            || self.folders.iter().any(|folder| inside(whole, folder).is_some())
    }

    /// A path from the top, if it is known where it begins.
    fn whole(&self, path: &str) -> Option<String> {
        let path = normal(path);
        if is_absolute(&path) {
            return Some(path);
        }
        self.base.as_ref().map(|base| normal(&format!("{base}/{path}")))
    }
}

/// The rest of a path behind the folder it lies in.
pub(super) fn inside<'p>(path: &'p str, folder: &str) -> Option<&'p str> {
    let rest = path.strip_prefix(folder.trim_end_matches('/'))?;
    rest.strip_prefix('/').or_else(|| rest.is_empty().then_some(rest))
}

fn is_absolute(path: &str) -> bool {
    path.starts_with(['/', '~']) || has_drive(path)
}

fn has_drive(path: &str) -> bool {
    let bytes = path.as_bytes();
    bytes.first().is_some_and(u8::is_ascii_alphabetic)
        && bytes.get(1) == Some(&b':')
        && matches!(bytes.get(2), None | Some(b'/'))
}

/// A path in its one way of writing: `/` between its parts, no `.` and `..`, and a drive in small letters.
fn normal(path: &str) -> String {
    let path = path.strip_prefix("file://").unwrap_or(path).replace('\\', "/");
    let path = path.strip_prefix('/').filter(|rest| has_drive(rest)).unwrap_or(&path);
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/').filter(|part| !matches!(*part, "" | ".")) {
        let above = parts.last().is_some_and(|last| *last != "..");
        match part {
            ".." if above => {
                parts.pop();
            }
            ".." if path.starts_with('/') => {}
            part => parts.push(part),
        }
    }
    let slash = if path.starts_with('/') { "/" } else { "" };
    let path = format!("{slash}{}", parts.join("/"));
    let shell = match path.as_bytes() {
        [b'/', drive, b'/', ..] if drive.is_ascii_alphabetic() => {
            format!("{}:{}", *drive as char, &path[2..])
        }
        _ => path,
    };
    if has_drive(&shell) { shell.to_lowercase() } else { shell }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_way_of_writing() {
        for (path, expect) in [
            ("/ab/./b/../c//d/", "/ab/c/d"),
            ("/../ab", "/ab"),
            ("a/../../b", "../b"),
            ("C:\\Users\\Ana\\x", "c:/users/ana/x"),
            ("/c/Users/Ana", "c:/users/ana"),
            ("file:///C:/Users", "c:/users"),
            ("file:///home/ana", "/home/ana"),
            ("~/x", "~/x"),
            (".", ""),
        ] {
            assert_eq!(normal(path), expect, "{path}");
        }
    }

    #[test]
    fn what_lies_outside() {
        let mut written = Vec::new();
        let mut ground = Ground::new(["/home/me/app"].into_iter(), Some("/home/me/app/src"), &mut written);
        for (path, expect) in [
            ("/home/me/app/README.md", false),
            ("../README.md", false),
            ("../../other/a", true),
            ("/home/me/application/a", true),
            ("~/notes", true),
            ("https://x.example", true),
            ("file:///etc/hosts", true),
            ("/dev/null", false),
            ("a.rs", false),
        ] {
            assert_eq!(ground.is_outside(path), expect, "{path}");
        }
        ground.wrote("/tmp/o.log");
        assert!(!ground.is_outside("/tmp/o.log") && !ground.is_in_project("/tmp/o.log"));
        ground.go("$SOMEWHERE");
        assert!(!ground.is_away());
        ground.go("/tmp/clone");
        assert!(ground.is_away() && ground.is_outside("README.md"));
        ground.back(None);
        assert!(!ground.is_outside("README.md") && ground.is_outside("../README.md"));
        let mut nothing = Vec::new();
        let windows = Ground::new(["C:\\Code\\App"].into_iter(), None, &mut nothing);
        assert!(!windows.is_outside("/c/code/app/a.rs") && windows.is_outside("/c/Users/x"));
    }
}
