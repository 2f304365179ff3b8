//! The memory files that a root holds, by a walk over its folders: two levels, no links; and files whose name is only
//! spelt otherwise.

use std::collections::HashSet;

use memory_core::layout::Home;

use super::Store;
use crate::disk::{Disk, Sort, folder_of};
use crate::error::{Error, Result};

/// What a walk found.
#[derive(Debug, Default)]
pub(crate) struct Tree {
    /// The paths of all memory files.
    pub(crate) files: Vec<String>,
    /// What stands among them that should not.
    odd: Vec<String>,
    /// Why folders could not be looked into.
    unread: Vec<Error>,
}

impl Store {
    /// The memory files, and what stands in the way of some.
    pub(crate) fn memory_files(&self) -> Result<Tree> {
        memory_files(self.disk())
    }

    /// The paths of all memory files that can be seen; what stands in the way of others is said.
    pub(super) fn memory_files_or_say(&mut self) -> Result<Vec<String>> {
        let tree = self.memory_files()?;
        for path in tree.odd {
            self.notice(
                "not-plain",
                format!("`{path}` is no plain file and is not read; move it out of the folder"),
            );
        }
        for error in tree.unread {
            self.notice(error.code(), error.to_string());
        }
        Ok(tree.files)
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

fn memory_files(disk: &dyn Disk) -> Result<Tree> {
    let Tree { mut files, mut odd, mut unread } = Tree::default();
    for top in disk.list("")? {
        match top.sort {
            Sort::File if Home::of_path(&top.name).is_some() => files.push(top.name),
            Sort::Folder if Home::of_path(&top.name).is_some() => odd.push(top.name),
            Sort::Folder if !top.name.starts_with('.') => {
                let names = match disk.list(&top.name) {
                    // A folder may be somebody else's; the others still answer.
                    Err(error) if error.is_of_one_file() => {
                        unread.push(error);
                        continue;
                    }
                    names => names?,
                };
                for name in names {
                    let path = format!("{}/{}", top.name, name.name);
                    match name.sort {
                        Sort::File if Home::of_path(&path).is_some() => files.push(path),
                        Sort::Other | Sort::Folder if Home::of_path(&path).is_some() => odd.push(path),
                        _ => {}
                    }
                }
            }
            Sort::Other if Home::of_path(&top.name).is_some() => odd.push(top.name),
            _ => {}
        }
    }
    Ok(Tree { files, odd, unread })
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
