//! Which root a command means, and whether this user made or approved it on this machine.
//!
//! Approvals live in the user's own folder, never in the root: a repository cannot approve itself. A folder that
//! is not approved is inert, its ledger is not opened and nothing in it is read but names and sizes.

use std::path::{Path, PathBuf};

use crate::ambient::{self, names};
use crate::disk::{Disk, OsDisk, Piece, Sort};
use crate::error::{Error, Result};
use crate::project::{NAMES, project_of};

/// The root that is meant and how it was found.
#[derive(Debug, Clone)]
pub struct Found {
    /// The folder.
    pub root: PathBuf,
    /// How it was found.
    pub how: How,
    /// Whether it is there.
    pub exists: bool,
}

/// How a root was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum How {
    /// Named by a flag.
    Flag,
    /// Named by the environment.
    Environment,
    /// Found in this folder or one above it.
    Discovered,
    /// The usual place, where nothing was found.
    Default,
}

/// Finds the root: the flag, then the environment, then the nearest one upwards, then `.memory` here.
pub fn find_root(flag: Option<&Path>) -> Result<Found> {
    let here = ambient::current_dir().map_err(Error::disk("find", "the current folder"))?;
    if let Some(dir) = flag {
        return named(here.join(dir), How::Flag);
    }
    if let Some(dir) = ambient::variable(names::DIR) {
        return named(here.join(dir), How::Environment);
    }
    Ok(match root_above(&here) {
        Some(root) => Found { root, how: How::Discovered, exists: true },
        None => Found { root: here.join(NAMES[0]), how: How::Default, exists: false },
    })
}

fn named(root: PathBuf, how: How) -> Result<Found> {
    let exists = is_folder(&root);
    if !exists && root.exists() {
        return Err(Error::NoFolder { path: root.display().to_string() });
    }
    Ok(Found { root, how, exists })
}

/// The nearest root in this folder or above it. All checkouts of a repository share the memory of the first one, where
/// that has any.
pub fn root_above(folder: &Path) -> Option<PathBuf> {
    let nearest = |folder: &Path| {
        let roots = folder.ancestors().flat_map(|above| NAMES.map(|name| above.join(name)));
        roots.into_iter().find(|root| is_folder(root))
    };
    let project = project_of(folder);
    let first = project.in_first_checkout(folder);
    let shared = first.and_then(|first| nearest(&first)).filter(|root| root.starts_with(&project.root));
    shared.or_else(|| nearest(folder))
}

fn is_folder(path: &Path) -> bool {
    path.is_dir()
}

/// Whether a root may be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trust {
    /// Made or approved by this user on this machine.
    Trusted,
    /// It came from elsewhere.
    Foreign,
}

/// Whether this user approved a root.
pub fn trust_of(root: &Path) -> Result<Trust> {
    let key = key_of(root)?;
    let approved = approvals()?.iter().any(|line| line == &key);
    Ok(if approved { Trust::Trusted } else { Trust::Foreign })
}

/// Approves a root.
pub fn approve(root: &Path) -> Result<()> {
    let key = key_of(root)?;
    change_approvals(|lines| {
        // The list does not grow for ever: folders that are gone leave it.
        lines.retain(|line| is_folder(Path::new(line)));
        if !lines.contains(&key) {
            lines.push(key.clone());
        }
    })
}

/// Takes an approval back.
pub fn revoke(root: &Path) -> Result<()> {
    let key = key_of(root)?;
    change_approvals(|lines| lines.retain(|line| *line != key))
}

/// Where this user's settings live.
pub fn user_settings() -> Option<PathBuf> {
    ambient::user_folder().map(|folder| folder.join("config.toml"))
}

/// What a folder holds, by names and sizes alone.
#[derive(Debug, Clone, Default)]
pub struct Look {
    /// How many files.
    pub files: u64,
    /// How many bytes they have together.
    pub bytes: u64,
    /// The folders that look like agents' vaults.
    pub agents: Vec<String>,
    /// Whether it brings settings of its own.
    pub has_config: bool,
    /// What does not belong there: links, pipes, a ledger that was not made here.
    pub odd: Vec<String>,
}

/// Looks at a folder without opening any file in it.
pub fn look(root: &Path) -> Result<Look> {
    let disk = OsDisk::open(root)?;
    let mut look = Look::default();
    walk(&disk, "", 0, &mut look)?;
    Ok(look)
}

fn walk(disk: &OsDisk, folder: &str, depth: usize, look: &mut Look) -> Result<()> {
    for name in disk.list(folder)? {
        let path = if folder.is_empty() { name.name.clone() } else { format!("{folder}/{}", name.name) };
        match name.sort {
            Sort::Other => look.odd.push(format!("`{path}` is a link, pipe or device")),
            Sort::Folder => {
                if folder.is_empty() && memory_core::id::AgentId::parse(&name.name).is_ok() {
                    look.agents.push(name.name.clone());
                }
                if depth < 8 {
                    walk(disk, &path, depth + 1, look)?;
                }
            }
            Sort::File => {
                look.files += 1;
                look.bytes += disk.stat(&path)?.map_or(0, |stat| stat.size);
                look.has_config |= path == "config.toml";
                if path == ".vault/ledger.db" {
                    look.odd.push("it brings a ledger of its own, which will be set aside".to_owned());
                }
            }
        }
    }
    Ok(())
}

/// A root's line in the list of approvals: its real path.
fn key_of(root: &Path) -> Result<String> {
    let disk = OsDisk::open(root)?;
    Ok(disk.root().to_string_lossy().replace('\n', "?"))
}

const APPROVALS: &str = "approved-roots";

fn user_disk(make: bool) -> Result<Option<OsDisk>> {
    let Some(folder) = ambient::user_folder() else { return Ok(None) };
    if make || is_folder(&folder) {
        return OsDisk::create(&folder).map(Some);
    }
    Ok(None)
}

fn approvals() -> Result<Vec<String>> {
    let Some(disk) = user_disk(false)? else { return Ok(Vec::new()) };
    let bytes = disk.read(APPROVALS, 16 << 20)?.unwrap_or_default();
    Ok(String::from_utf8_lossy(&bytes).lines().map(str::to_owned).collect())
}

fn change_approvals(change: impl FnOnce(&mut Vec<String>)) -> Result<()> {
    let Some(disk) = user_disk(true)? else {
        let path = format!("the home folder (set HOME or {})", names::HOME);
        return Err(Error::disk("find", &path)(std::io::ErrorKind::NotFound.into()));
    };
    let _lock = disk.lock(std::time::Duration::from_secs(10))?;
    let mut lines = approvals()?;
    change(&mut lines);
    let text = lines.iter().map(|line| format!("{line}\n")).collect::<String>();
    let temporary = format!(".{APPROVALS}.new");
    disk.write(&temporary, APPROVALS, &[Piece::Bytes(text.into_bytes())])?;
    disk.sync(&temporary)?;
    disk.rename(&temporary, APPROVALS)?;
    disk.sync_folder("")
}

/// The text of this user's settings, where there are any.
pub(crate) fn user_settings_text() -> Result<Option<String>> {
    let Some(disk) = user_disk(false)? else { return Ok(None) };
    Ok(disk.read("config.toml", 1 << 20)?.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()))
}
