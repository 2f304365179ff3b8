//! The memory files that a root holds, by a walk over its folders: two levels, no links.

use memory_core::layout::Home;

use super::Store;
use crate::disk::{Disk, Sort};
use crate::error::Result;

impl Store {
    /// The paths of all memory files, and what stands among them that should not.
    pub(crate) fn memory_files(&self) -> Result<(Vec<String>, Vec<String>)> {
        memory_files(self.disk())
    }
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
