//! The memory files that a root holds, by a walk over its folders: two levels, no links; and files whose name is only
//! spelt otherwise.

use std::collections::HashSet;

use memory_core::layout::Home;

use super::Store;
use crate::disk::{Disk, Sort, Stat, StatOf, folder_of};
use crate::error::{Error, Result};

/// What a walk found.
#[derive(Debug)]
pub(crate) struct Tree<F = String> {
    /// The paths of all memory files, or what was told of each.
    pub(crate) files: Vec<F>,
    /// What stands among them that should not.
    odd: Vec<String>,
    /// Why folders could not be looked into.
    unread: Vec<Error>,
}

impl Store {
    /// The memory files, and what stands in the way of some.
    pub(crate) fn memory_files(&self) -> Result<Tree> {
        memory_files(self.disk(), |path, _| path)
    }

    /// The paths of all memory files that can be seen; what stands in the way of others is said.
    pub(super) fn memory_files_or_say(&mut self) -> Result<Vec<String>> {
        let tree = self.memory_files()?;
        Ok(self.say_odd(tree))
    }

    /// The same with the stat of each.
    pub(super) fn memory_files_now(&mut self) -> Result<Vec<(String, Result<Option<Stat>>)>> {
        let tree = memory_files(self.disk(), |path, stat| (path, stat()))?;
        Ok(self.say_odd(tree))
    }

    fn say_odd<F>(&mut self, tree: Tree<F>) -> Vec<F> {
        for path in tree.odd {
            self.notice(
                "not-plain",
                format!("`{path}` is no plain file and is not read; move it out of the folder"),
            );
        }
        for error in tree.unread {
            self.notice(error.code(), error.to_string());
        }
        tree.files
    }

    /// Whether a file that answers to a path is spelt otherwise: some disks do not tell upper from lower case.
    pub(super) fn is_spelt_otherwise(&self, path: &str) -> Result<bool> {
        let mut listed = Vec::new();
        for top in self.disk.list("")? {
            if top.name.to_lowercase() == folder_of(path).to_lowercase() {
                let names = self.disk.list(&top.name)?.into_iter();
                listed.extend(names.map(|name| format!("{}/{}", top.name, name.name)));
            }
            listed.push(top.name);
        }
        Ok(!respelt(&[path.to_owned()], &listed).is_empty())
    }
}

/// The known paths that are listed in other letters only. Such a file was given another name, though a disk that does
/// not tell upper from lower case still answers to the old one.
pub(super) fn respelt(known: &[String], listed: &[String]) -> HashSet<String> {
    let exact: HashSet<&String> = listed.iter().collect();
    let folded: HashSet<String> = listed.iter().map(|path| path.to_lowercase()).collect();
    let is_respelt = |path: &&String| !exact.contains(path) && folded.contains(&path.to_lowercase());
    known.iter().filter(is_respelt).cloned().collect()
}

/// What stands at the top of a root.
enum Top<F> {
    File(F),
    Folder(String),
}

fn memory_files<F>(disk: &dyn Disk, file: impl Fn(String, StatOf<'_>) -> F) -> Result<Tree<F>> {
    let mut tree = Tree { files: Vec::new(), odd: Vec::new(), unread: Vec::new() };
    let mut tops = Vec::new();
    disk.look("", &mut |top, stat| {
        let is_home = Home::of_path(&top.name).is_some();
        match top.sort {
            Sort::File if is_home => tops.push(Top::File(file(top.name.clone(), stat))),
            Sort::Folder | Sort::Other if is_home => tree.odd.push(top.name.clone()),
            Sort::Folder if !top.name.starts_with('.') => tops.push(Top::Folder(top.name.clone())),
            _ => {}
        }
    })?;
    for top in tops {
        let folder = match top {
            Top::File(found) => {
                tree.files.push(found);
                continue;
            }
            Top::Folder(folder) => folder,
        };
        let looked = disk.look(&folder, &mut |name, stat| {
            let path = format!("{folder}/{}", name.name);
            match name.sort {
                _ if Home::of_path(&path).is_none() => {}
                Sort::File => tree.files.push(file(path, stat)),
                Sort::Other | Sort::Folder => tree.odd.push(path),
            }
        });
        match looked {
            // A folder may be somebody else's; the others still answer.
            Err(error) if error.is_of_one_file() => tree.unread.push(error),
            looked => looked?,
        }
    }
    Ok(tree)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(known: &[&str], listed: &[&str], expect: &[&str]) {
        let owned = |paths: &[&str]| paths.iter().map(|&path| path.to_owned()).collect::<Vec<_>>();
        let mut got: Vec<_> = respelt(&owned(known), &owned(listed)).into_iter().collect();
        got.sort();
        assert_eq!(got, expect);
    }

    #[test]
    fn a_name_in_other_letters_is_another_name() {
        check(&["dev/a.md", "dev/b.md"], &["Dev/a.md", "Dev/b.md"], &["dev/a.md", "dev/b.md"]);
        check(&["Dev/a.md"], &["dev/a.md"], &["Dev/a.md"]);
        check(&["dev/a.md"], &["dev/a.md", "Dev/a.md"], &[]);
        check(&["dev/a.md"], &["dev/b.md"], &[]);
        check(&["dev/a.md"], &["dev/a.md"], &[]);
    }
}
