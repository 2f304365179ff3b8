//! What git's own files tell of a checkout. They are read by hand, so that nothing is started and no setting of a
//! repository can do anything; what is not understood tells nothing.

use std::path::{Component, Path, PathBuf};

use crate::disk::{Sort, Stat, foreign};

/// An index above this is not read; the largest that are known have a tenth of it.
const LARGEST: u64 = 1 << 30;

/// The folder of git's files for a checkout, where the folder is one.
pub(crate) fn folder_of(checkout: &Path) -> Option<PathBuf> {
    let mark = checkout.join(".git");
    match foreign::sort_at(&mark)? {
        Sort::Folder => foreign::sort_at(&mark.join("HEAD")).is_some().then_some(mark),
        Sort::File => linked(checkout, &mark),
        Sort::Other => None,
    }
}

/// Whether git tracks something at a path of a checkout or below it; `None` where that cannot be told.
pub(crate) fn tracks(checkout: &Path, path: &Path) -> Option<bool> {
    let index = folder_of(checkout)?.join("index");
    let path = inside(checkout, path)?;
    match foreign::stat_at(&index) {
        None if foreign::sort_at(&index).is_none() => Some(false),
        _ => names_below(&foreign::small_bytes(&index, LARGEST)?, path.as_bytes()),
    }
}

/// Whether a file is as git put it there: its index knows the very size and time of it, or a merge of it is not
/// finished. Git notes them when it writes a file, and when it has looked that the file says what the index says.
pub(crate) fn put_there(file: &Path, stat: Stat) -> bool {
    let file = foreign::real_path(&plain(file));
    let checkouts = file.ancestors().skip(1);
    let Some((checkout, git)) = checkouts.map(|at| (at, folder_of(at))).find(|(_, git)| git.is_some()) else {
        return false;
    };
    let index = git.and_then(|git| foreign::small_bytes(&git.join("index"), LARGEST));
    let (Some(index), Some(path)) = (index, inside(checkout, &file)) else { return false };
    entry_is(&index, path.as_bytes(), stat)
}

/// A path as an index names it.
fn inside(checkout: &Path, path: &Path) -> Option<String> {
    let parts = path.strip_prefix(checkout).ok()?.components();
    Some(parts.map(|part| part.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/"))
}

/// Whether an index of git names a path, something below it, or a link on the way to it. Case is not looked at, since
/// many file systems do not; `None` where the index is not understood.
fn names_below(index: &[u8], path: &[u8]) -> Option<bool> {
    let begins = |long: &[u8], short: &[u8]| {
        let (Some(begin), next) = (long.get(..short.len()), long.get(short.len())) else { return false };
        begin.eq_ignore_ascii_case(short) && next.is_none_or(|next| *next == b'/')
    };
    any_entry(index, &mut |entry| begins(entry.name, path) || begins(path, entry.name))
}

fn entry_is(index: &[u8], path: &[u8], stat: Stat) -> bool {
    let is = |entry: Entry<'_>| entry.name == path && (entry.is_unmerged() || entry.has(stat));
    any_entry(index, &mut |entry| is(entry)) == Some(true)
}

/// A file in an index.
struct Entry<'a> {
    name: &'a [u8],
    /// What stands before the name: times, numbers, size, digest and flags.
    head: &'a [u8],
}

impl Entry<'_> {
    fn number(&self, at: usize) -> u32 {
        self.head.get(at..at + 4).and_then(|it| it.try_into().ok()).map_or(0, u32::from_be_bytes)
    }

    /// Whether it is one side of a merge.
    fn is_unmerged(&self) -> bool {
        self.head.get(60).is_some_and(|flags| flags & 0x30 != 0)
    }

    /// Whether a file looks as it did to git. Some write whole seconds only.
    fn has(&self, stat: Stat) -> bool {
        let (seconds, part) = (i64::from(self.number(8)), i64::from(self.number(12)));
        let same_part = part == 0 || part == stat.modified_ns.rem_euclid(1_000_000_000);
        // An index has room for the last 32 bits.
        let last = |number: i64| number & 0xffff_ffff;
        seconds == last(stat.modified_ns.div_euclid(1_000_000_000))
            && same_part
            && u64::from(self.number(36)) == stat.size & 0xffff_ffff
    }
}

/// Whether an entry of an index is such a one; `None` where the index is not understood.
fn any_entry(index: &[u8], is: &mut dyn FnMut(Entry<'_>) -> bool) -> Option<bool> {
    let number = |at: usize| Some(u32::from_be_bytes(index.get(at..at + 4)?.try_into().ok()?));
    let version = number(4).filter(|version| index.starts_with(b"DIRC") && (2..=4).contains(version))?;
    let mut at = 12;
    let mut name: Vec<u8> = Vec::new();
    for _ in 0..number(8)? {
        let start = at;
        let head = index.get(at..at + 62)?;
        let flags = u16::from_be_bytes(head.get(60..62)?.try_into().ok()?);
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
        if is(Entry { name: &name, head }) {
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

/// Whether a folder stands there.
pub(crate) fn is_folder(path: &Path) -> bool {
    foreign::sort_at(path) == Some(Sort::Folder)
}

/// A path without `.` and `..`, by its text alone.
pub(crate) fn plain(path: &Path) -> PathBuf {
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
    fn a_file_as_git_put_it_there() {
        let path = b".memory/default/decisions.md";
        let stat = Stat { size: 9, modified_ns: 5_000_000_007, inode: 1 };
        let with = |entry: &dyn Fn(&mut [u8])| {
            let mut index = index(2, &[".memory/default/decisions.md", "z"], b"");
            index[12..72].fill(0);
            entry(&mut index[12..74]);
            entry_is(&index, path, stat)
        };
        let (seconds, part, size) = (11, 15, 39);
        assert!(with(&|it| (it[seconds], it[part], it[size]) = (5, 7, 9)));
        assert!(with(&|it| (it[seconds], it[size]) = (5, 9)), "whole seconds");
        assert!(!with(&|it| (it[seconds], it[part], it[size]) = (5, 8, 9)), "another time");
        assert!(!with(&|it| (it[seconds], it[part], it[size]) = (5, 7, 8)), "another size");
        assert!(with(&|it| it[60] |= 0x20), "one side of a merge");
        let other = index(2, &["decisions.md"], b"");
        assert!(!entry_is(&other, path, stat) && !entry_is(b"", path, stat));
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
