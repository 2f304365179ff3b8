//! The memory files that a root holds, by a walk over its folders: two levels, no links.

use memory_core::layout::Home;

use super::Store;
use crate::disk::{Disk, Sort};
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
