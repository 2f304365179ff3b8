//! What git would do with a file, as far as that decides what may stand in it.

use std::path::Path;
use std::process::Command;

use crate::project::files;

/// Whether a folder lies in a git work tree.
pub(crate) fn in_git(folder: &Path) -> bool {
    folder.ancestors().any(|above| files::exists(&above.join(".git")))
}

/// Whether `git add` would take one of these files of the root. Git itself is asked, so this is only for the few
/// writes that hang on it; where git gives no answer, the files count as taken.
pub(crate) fn takes(root: &Path, paths: &[&str]) -> bool {
    if paths.is_empty() || !in_git(root) {
        return false;
    }
    let mut git = Command::new("git");
    git.current_dir(root).args(["-c", "core.fsmonitor=false", "check-ignore", "--"]).args(paths);
    // In a hook of git these name the repository that is being committed to.
    for name in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"] {
        git.env_remove(name);
    }
    // Each path that is ignored is a line.
    git.output().map_or(true, |said| said.stdout.split(|b| *b == b'\n').count() <= paths.len())
}
