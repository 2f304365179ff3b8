//! Which project a folder belongs to: all checkouts of one repository are one project.
//!
//! Where there is no repository, the folder that has a memory is the project, and else the folder itself.

use std::path::{Path, PathBuf};

use crate::disk::foreign;
use crate::git::{self, is_folder, plain};

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
        if let Some(git) = git::folder_of(folder) {
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
