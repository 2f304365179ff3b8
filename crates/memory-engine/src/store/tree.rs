//! The memory files that a root holds, by a walk over its folders: two levels, no links; and files whose name is only
//! spelt otherwise.

use std::collections::HashSet;

use memory_core::layout::Home;

use super::Store;
use crate::disk::{Disk, Sort, folder_of};
use crate::error::Result;

impl Store {
    /// The paths of all memory files, and what stands among them that should not.
    pub(crate) fn memory_files(&self) -> Result<(Vec<String>, Vec<String>)> {
        memory_files(self.disk())
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

fn memory_files(disk: &dyn Disk) -> Result<(Vec<String>, Vec<String>)> {
    let mut files = Vec::new();
    let mut odd = Vec::new();
    for top in disk.list("")? {
        match top.sort {
            Sort::File if Home::of_path(&top.name).is_some() => files.push(top.name),
            Sort::Folder if Home::of_path(&top.name).is_some() => odd.push(top.name),
            Sort::Folder if !top.name.starts_with('.') => {
                for name in disk.list(&top.name)? {
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
    Ok((files, odd))
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
