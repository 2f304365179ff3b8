//! Memories that are the person's own business, in files that others may get to read.

use std::path::Path;

use memory_engine::core::scope::Sensitivity;

use crate::app::App;
use crate::project::git;

/// So many files are asked about at once; a name is enough to warn of.
const MOST: usize = 64;

/// Whether a memory of this sensitivity is for the person's machine alone.
pub(crate) fn is_private(sensitivity: Sensitivity) -> bool {
    sensitivity >= Sensitivity::PrivateUser
}

/// Says it when files that private memories were just written into are versioned by git.
pub(crate) fn warn_of_versioned(app: &mut App, root: &Path, files: &[String]) {
    let some: Vec<&str> = files.iter().map(String::as_str).take(MOST).collect();
    let Some(first) = some.first().filter(|_| git::takes(root, &some)) else { return };
    let others = if files.len() > 1 { " and others" } else { "" };
    app.out.warn(&format!(
        "git versions `{first}`{others}, so what is private in it is shared with the repository: \
         name it in `.gitignore`, or keep such memories elsewhere with `--dir`"
    ));
}
