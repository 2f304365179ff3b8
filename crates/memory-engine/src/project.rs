//! Which project a folder belongs to: all checkouts of one repository are one project.
//!
//! Git's own files are read by hand, so that nothing is started and no setting of a repository can do anything. Where
//! there is no repository, the folder that has a memory is the project, and else the folder itself.

use std::path::{Component, Path, PathBuf};

use crate::disk::{Sort, foreign};

/// Folder names that are roots, in the order in which they are looked for.
pub(crate) const NAMES: [&str; 2] = [".memory", ".agent-memory"];

/// A project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Project {
    /// Its folder: the first checkout of its repository, or where it has none, the folder itself.
    pub root: PathBuf,
    /// What all checkouts of the repository have in common, where there is one.
    pub common: Option<PathBuf>,
    /// Every checkout that is known, the root among them.
    pub checkouts: Vec<PathBuf>,
}

/// The project of a folder, which need not be there any more.
pub fn project_of(cwd: &Path) -> Project {
    let here = foreign::real_path(&plain(cwd));
    for folder in here.ancestors() {
        let mark = folder.join(".git");
        let git = match foreign::sort_at(&mark) {
            Some(Sort::Folder) => foreign::sort_at(&mark.join("HEAD")).is_some().then_some(mark),
            Some(Sort::File) => linked(folder, &mark),
            _ => None,
        };
        if let Some(git) = git {
            return of_repository(folder, &git);
        }
    }
    let has_memory = |folder: &&Path| NAMES.iter().any(|name| is_folder(&folder.join(name)));
    let root = here.ancestors().find(has_memory).unwrap_or(&here).to_owned();
    Project { checkouts: vec![root.clone()], root, common: None }
}

impl Project {
    /// Where a folder of another checkout is in the first one.
    pub fn in_first_checkout(&self, folder: &Path) -> Option<PathBuf> {
        let folder = foreign::real_path(&plain(folder));
        let others = self.checkouts.iter().filter(|checkout| **checkout != self.root);
        // A checkout may lie inside another.
        let nearest =
            others.filter(|other| folder.starts_with(other)).max_by_key(|other| other.components().count());
        Some(self.root.join(folder.strip_prefix(nearest?).ok()?))
    }

    /// Whether a session in this folder belongs to the project.
    pub fn holds(&self, cwd: &Path) -> bool {
        let cwd = foreign::real_path(&plain(cwd));
        if self.common.is_some() && !self.checkouts.iter().any(|checkout| cwd.starts_with(checkout)) {
            return false;
        }
        if is_folder(&cwd) {
            // A folder inside a checkout may be a repository of its own.
            let other = project_of(&cwd);
            return other.common == self.common && (self.common.is_some() || other.root == self.root);
        }
        self.common.is_some() || cwd == self.root
    }
}

fn of_repository(folder: &Path, git: &Path) -> Project {
    let shared = foreign::small_text(&git.join("commondir"), 16 << 10);
    let common = shared.map_or_else(|| git.to_owned(), |path| git.join(path.trim()));
    let common = foreign::real_path(&plain(&common));
    let is_usual = common.file_name().is_some_and(|name| name == ".git");
    // The folder of a bare repository stands for it; a submodule stands where it is checked out.
    let root = match (is_usual, common.parent()) {
        (true, Some(parent)) => parent.to_owned(),
        _ if common == foreign::real_path(git) => folder.to_owned(),
        _ => common.clone(),
    };
    let mut checkouts = vec![root.clone()];
    for name in foreign::names_in(&common.join("worktrees")) {
        let place = foreign::small_text(&common.join("worktrees").join(name.name).join("gitdir"), 16 << 10);
        let place = place.map(|text| plain(Path::new(text.trim())));
        checkouts.extend(place.as_deref().and_then(Path::parent).map(foreign::real_path));
    }
    // A folder that claims to belong to a repository which does not know it is on its own.
    if !checkouts.iter().any(|checkout| checkout == folder) {
        return Project {
            root: folder.to_owned(),
            common: Some(git.to_owned()),
            checkouts: vec![folder.to_owned()],
        };
    }
    checkouts.sort();
    checkouts.dedup();
    Project { root, common: Some(common), checkouts }
}

/// Whether git tracks something at a path of a checkout or below it; `None` where that cannot be told.
pub(crate) fn tracks(checkout: &Path, path: &Path) -> Option<bool> {
    /// An index above this is not read; the largest that are known have a tenth of it.
    const LARGEST: u64 = 1 << 30;
    let mark = checkout.join(".git");
    let git = match foreign::sort_at(&mark)? {
        Sort::File => linked(checkout, &mark)?,
        _ => mark,
    };
    let inside: Vec<String> = path
        .strip_prefix(checkout)
        .ok()?
        .components()
        .map(|part| part.as_os_str().to_string_lossy().into_owned())
        .collect();
    let index = git.join("index");
    match foreign::stat_at(&index) {
        None if foreign::sort_at(&index).is_none() => Some(false),
        _ => names_below(&foreign::small_bytes(&index, LARGEST)?, inside.join("/").as_bytes()),
    }
}

/// Whether an index of git names a path, something below it, or a link on the way to it. Case is not looked at, since
/// many file systems do not; `None` where the index is not understood.
fn names_below(index: &[u8], path: &[u8]) -> Option<bool> {
    let number = |at: usize| Some(u32::from_be_bytes(index.get(at..at + 4)?.try_into().ok()?));
    let version = number(4).filter(|version| index.starts_with(b"DIRC") && (2..=4).contains(version))?;
    let begins = |long: &[u8], short: &[u8]| {
        let (Some(begin), next) = (long.get(..short.len()), long.get(short.len())) else { return false };
        begin.eq_ignore_ascii_case(short) && next.is_none_or(|next| *next == b'/')
    };
    let mut at = 12;
    let mut name: Vec<u8> = Vec::new();
    for _ in 0..number(8)? {
        let start = at;
        let flags = u16::from_be_bytes(index.get(at + 60..at + 62)?.try_into().ok()?);
        at += if flags & 0x4000 == 0 { 62 } else { 64 };
        if version == 4 {
            // The name begins as the one before it, less so many bytes.
            let mut less = 0_usize;
            loop {
                let byte = *index.get(at)?;
                at += 1;
                less = less.checked_mul(128)?.checked_add(usize::from(byte & 0x7f))?;
                if byte & 0x80 == 0 {
                    break;
                }
                less = less.checked_add(1)?;
            }
            name.truncate(name.len().checked_sub(less)?);
        } else {
            name.clear();
        }
        let end = at + memchr::memchr(0, index.get(at..)?)?;
        name.extend_from_slice(index.get(at..end)?);
        let told = usize::from(flags & 0xfff);
        if told != name.len().min(0xfff) {
            return None;
        }
        if begins(&name, path) || begins(path, &name) {
            return Some(true);
        }
        at = if version == 4 { end + 1 } else { start + ((end - start + 8) & !7) };
    }
    // What follows are extensions; one of them says that most names are in another file.
    let checksum = index.len().checked_sub(20)?;
    while at < checksum {
        if index.get(at..at + 4)? == b"link" {
            return None;
        }
        at = at.checked_add(8)?.checked_add(number(at + 4)? as usize)?;
    }
    (at == checksum).then_some(false)
}

/// The folder of git's files that a `.git` file names.
fn linked(folder: &Path, mark: &Path) -> Option<PathBuf> {
    let text = foreign::small_text(mark, 16 << 10)?;
    let git = plain(&folder.join(named_folder(&text)?));
    is_folder(&git).then_some(git)
}

fn named_folder(text: &str) -> Option<&str> {
    text.lines().next()?.strip_prefix("gitdir:").map(str::trim).filter(|path| !path.is_empty())
}

fn is_folder(path: &Path) -> bool {
    foreign::sort_at(path) == Some(Sort::Folder)
}

/// A path without `.` and `..`, by its text alone.
fn plain(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                out.pop();
            }
            part => out.push(part),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_line_of_a_git_file() {
        let check = |text: &str, expect: Option<&str>| assert_eq!(named_folder(text), expect, "{text:?}");
        check("gitdir: /a/.git/worktrees/b\n", Some("/a/.git/worktrees/b"));
        check("gitdir:../x\r\n", Some("../x"));
        check("gitdir: \n", None);
        check("", None);
        check("something else", None);
    }

    /// An index of git with these names, as version 2 or 4 writes it.
    fn index(version: u8, names: &[&str], extension: &[u8]) -> Vec<u8> {
        let mut bytes = [b"DIRC\0\0\0", &[version][..], &(names.len() as u32).to_be_bytes()].concat();
        let mut before = "";
        for name in names {
            let start = bytes.len();
            bytes.extend([7; 60]);
            bytes.extend((name.len() as u16).to_be_bytes());
            if version == 4 {
                let same = before.bytes().zip(name.bytes()).take_while(|(a, b)| a == b).count();
                bytes.push((before.len() - same) as u8);
                bytes.extend(&name.as_bytes()[same..]);
                bytes.push(0);
                before = name;
            } else {
                bytes.extend(name.bytes());
                let padded = start + ((bytes.len() - start + 8) & !7);
                bytes.resize(padded, 0);
            }
        }
        bytes.extend(extension);
        bytes.extend([9; 20]);
        bytes
    }

    #[test]
    fn what_an_index_of_git_names() {
        let path = b".specstory";
        let check = |names: &[&str], extension: &[u8], expect: Option<bool>| {
            for version in [2, 4] {
                let index = index(version, names, extension);
                assert_eq!(names_below(&index, path), expect, "{names:?} in version {version}");
                // Cut anywhere, it is not understood, or says so before the cut.
                for end in 0..index.len() * usize::from(extension.is_empty()) {
                    assert_ne!(names_below(&index[..end], path), Some(false), "{names:?} cut at {end}");
                }
            }
        };
        check(&[], b"", Some(false));
        check(&["a.rs", "src/b.rs"], b"TREE\0\0\0\x03abc", Some(false));
        check(&[".gitignore", ".specstory/history/a.md", "b"], b"", Some(true));
        check(&[".SpecStory/history/a.md"], b"", Some(true));
        check(&[".specstory"], b"", Some(true));
        check(&[".specstory-old/a.md", "x/.specstory/b"], b"", Some(false));
        check(&["a.rs"], b"link\0\0\0\x00", None);
        assert_eq!(names_below(&index(2, &[".memory"], b""), b".memory/conversations"), Some(true));
        assert_eq!(names_below(&index(5, &["a"], b""), path), None);
        assert_eq!(names_below(b"something else", path), None);
    }

    #[test]
    fn paths_by_their_text() {
        let check =
            |text: &str, expect: &str| assert_eq!(plain(Path::new(text)), Path::new(expect), "{text}");
        check("/a/./b/../c", "/a/c");
        check("/../a", "/a");
        check("/a/b/", "/a/b");
    }
}
