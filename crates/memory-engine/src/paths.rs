//! Which root a command means, and whether this user made or approved it on this machine.
//!
//! Approvals live in the user's own folder, never in the root: a repository cannot approve itself. A folder that
//! is not approved is inert, its ledger is not opened and nothing in it is read but names and sizes. An approval and the
//! ledger that is made under it hold the same token, so that a ledger which arrives later is known for a stranger's.

use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::ambient::{self, names};
use crate::disk::{Disk, OsDisk, Piece, Sort, foreign};
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
    let here = || ambient::current_dir().map_err(Error::disk("find", "the current folder"));
    // A folder that is named in full does not need one to start from.
    let full = |dir: &Path| -> Result<PathBuf> {
        if dir.is_absolute() { Ok(dir.to_owned()) } else { Ok(here()?.join(dir)) }
    };
    if let Some(dir) = flag {
        return named(full(dir)?, How::Flag);
    }
    if let Some(dir) = ambient::variable(names::DIR) {
        return named(full(Path::new(&dir))?, How::Environment);
    }
    let here = here()?;
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
    let inside = NAMES.map(|name| root.join(name)).into_iter().find(|inside| is_folder(inside));
    if let Some(inside) = inside.filter(|_| !is_folder(&root.join(".vault"))) {
        let (path, inside) = (root.display().to_string(), inside.display().to_string());
        return Err(Error::AroundRoot { path, inside });
    }
    // A person who names a link means what it leads to.
    let root = if root.is_symlink() { foreign::real_path(&root) } else { root };
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
    Ok(standing(root)?.0)
}

/// Whether this user approved a root, and the token that its ledger has if so.
pub(crate) fn standing(root: &Path) -> Result<(Trust, Option<Token>)> {
    let (key, link) = (key_of(root), link_of(root));
    let all = approvals()?;
    let line = |key: &String| all.iter().find(|one| one.path == *key);
    // A link that came with a repository must not lead to a folder that was approved for itself.
    let approved = line(&key).filter(|_| link.as_ref().is_none_or(|link| line(link).is_some()));
    Ok(approved.map_or((Trust::Foreign, None), |one| (Trust::Trusted, one.token.clone())))
}

/// The same for one that may just be made by another process: it is there a moment before it is approved, and holds
/// nothing until then. One that was left empty is not waited for.
pub(crate) fn settled_standing(root: &Path) -> Result<(Trust, Option<Token>)> {
    for _ in 0..MOMENTS {
        let standing = standing(root)?;
        if standing.0 == Trust::Trusted {
            return Ok(standing);
        }
        if !is_young(root) || !is_bare(root)? {
            break;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    // What it holds now came after the approval, if it was made here.
    standing(root)
}

/// Whether this user approved a root, which another process may just be making.
pub fn settled_trust_of(root: &Path) -> Result<Trust> {
    Ok(settled_standing(root)?.0)
}

/// Whether a folder changed so lately that somebody may just be making it.
fn is_young(root: &Path) -> bool {
    let changed = foreign::changed_at(&foreign::real_path(root));
    changed.is_some_and(|changed| ambient::now().0 - changed.0 < MAKING_MS)
}

/// Whether a folder holds nothing but our lock.
fn is_bare(root: &Path) -> Result<bool> {
    if link_of(root).is_some() {
        return Ok(false);
    }
    let disk = OsDisk::open(root)?;
    let holds_only = |folder: &str, name: &str, sort: Sort| -> Result<bool> {
        Ok(disk.list(folder)?.iter().all(|it| it.name == name && it.sort == sort))
    };
    Ok(holds_only("", OWN, Sort::Folder)? && holds_only(OWN, "lock", Sort::File)?)
}

/// Approves a root whose ledger has this token.
pub(crate) fn approve(root: &Path, token: &Token) -> Result<()> {
    let (key, link) = (key_of(root), link_of(root));
    change_approvals(|all| {
        // The list does not grow for ever: folders that are gone leave it, and of their tokens the last ones stay.
        let is_there = |one: &Approval| one.path.starts_with(AS_NUMBERS) || is_folder(Path::new(&one.path));
        for one in all.iter_mut().filter(|one| !is_there(one)) {
            one.path.clear();
        }
        let tokens = all.iter().filter(|one| one.path.is_empty() && one.token.is_some()).count();
        let mut over = tokens.saturating_sub(MOST_TOKENS);
        all.retain(|one| {
            let is_over = one.path.is_empty() && (one.token.is_none() || over > 0);
            over = over.saturating_sub(usize::from(is_over && one.token.is_some()));
            !is_over && one.path != key && link.as_ref() != Some(&one.path)
        });
        all.push(Approval { path: key, token: Some(token.clone()) });
        all.extend(link.map(|path| Approval { path, token: None }));
    })
}

/// Notes the token of a root's ledger where none is known yet.
pub(crate) fn learn(root: &Path, token: &Token) -> Result<()> {
    let key = key_of(root);
    change_approvals(|all| {
        let line = all.iter_mut().find(|one| one.path == key && one.token.is_none());
        line.into_iter().for_each(|line| line.token = Some(token.clone()));
    })
}

/// The tokens of ledgers that this user made, also of those whose folder is gone or no longer approved.
pub(crate) fn own_tokens() -> Result<Vec<Token>> {
    Ok(approvals()?.into_iter().filter_map(|one| one.token).collect())
}

/// Takes an approval back.
pub fn revoke(root: &Path) -> Result<()> {
    let key = link_of(root).unwrap_or_else(|| key_of(root));
    change_approvals(|all| {
        all.iter_mut().filter(|one| one.path == key).for_each(|one| one.path.clear());
        all.retain(|one| !one.path.is_empty() || one.token.is_some());
    })
}

/// Fails where an approval could not be kept, so that nothing is made that would then be foreign.
pub(crate) fn may_approve() -> Result<()> {
    home_to_write().map(|_| ())
}

/// What an approval and a ledger have in common: random, and known to nobody else.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Token(String);

impl Token {
    pub(crate) fn fresh() -> Result<Self> {
        Ok(Self(format!("{:032x}", u128::from_be_bytes(ambient::random_bytes()?))))
    }

    pub(crate) fn parse(text: &str) -> Option<Self> {
        let is_one = text.len() == 32 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        is_one.then(|| Self(text.to_owned()))
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

/// A line of the list: the real path of a root, and behind a tab the token of its ledger. Without a path it tells of a
/// ledger of this user whose folder is not approved.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Approval {
    path: String,
    token: Option<Token>,
}

impl Approval {
    fn of_line(line: &str) -> Self {
        let (path, token) = match line.rsplit_once('\t') {
            Some((path, token)) if Token::parse(token).is_some() => (path, Token::parse(token)),
            _ => (line, None),
        };
        Self { path: foreign::short_form(path).to_owned(), token }
    }

    fn line(&self) -> String {
        match &self.token {
            Some(token) => format!("{}\t{}\n", self.path, token.0),
            None => format!("{}\n", self.path),
        }
    }
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
    if link_of(root).is_some() {
        look.odd.push(format!("it is a link to `{}`", disk.root().display()));
    }
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
                    look.odd
                        .push("it brings a ledger, which will be set aside unless you made it".to_owned());
                }
            }
        }
    }
    Ok(())
}

/// A root's name in the list of approvals: its real path.
fn key_of(root: &Path) -> String {
    as_line(&foreign::real_path(root))
}

/// A root that is a link has a name of its own there, unless it leads to a folder around the one that holds the link.
fn link_of(root: &Path) -> Option<String> {
    let name = root.file_name().filter(|_| root.is_symlink())?;
    let holder = foreign::real_path(root.parent()?);
    let leads_up = foreign::real_path(root).parent().is_some_and(|above| holder.starts_with(above));
    (!leads_up).then(|| as_line(&holder.join(name)))
}

/// A path as it stands in a line of its own, different for every path: one that is no text, or ends a line, as numbers.
fn as_line(path: &Path) -> String {
    match path.to_str() {
        Some(text) if !text.contains(['\n', '\r']) => text.to_owned(),
        _ => {
            let bytes = path.as_os_str().as_encoded_bytes();
            bytes.iter().fold(AS_NUMBERS.to_owned(), |line, byte| format!("{line}{byte:02x}"))
        }
    }
}

/// What stands before a path that is written as numbers; no real path begins so.
const AS_NUMBERS: &str = "//bytes/";

/// So long it takes at most to make a root and approve it.
const MAKING_MS: i64 = 1000;
/// How often an empty folder is asked for again.
const MOMENTS: usize = 50;
/// The folder of our own files inside a root.
const OWN: &str = ".vault";
/// Tokens that are kept of folders that are gone.
const MOST_TOKENS: usize = 1000;
const APPROVALS: &str = "approved-roots";

fn user_disk(make: bool) -> Result<Option<OsDisk>> {
    let Some(folder) = ambient::user_folder() else { return Ok(None) };
    match make {
        true => OsDisk::create(&folder).map(Some),
        false if is_folder(&folder) => OsDisk::open(&folder).map(Some),
        false => Ok(None),
    }
}

fn approvals() -> Result<Vec<Approval>> {
    if ambient::user_folder().is_none() {
        return Err(Error::NoHome);
    }
    let Some(disk) = user_disk(false)? else { return Ok(Vec::new()) };
    let bytes = disk.read(APPROVALS, 16 << 20)?.unwrap_or_default();
    Ok(String::from_utf8_lossy(&bytes).lines().map(Approval::of_line).collect())
}

/// The user's own folder, locked.
fn home_to_write() -> Result<(OsDisk, Box<dyn std::any::Any + Send>)> {
    let disk = user_disk(true)?.ok_or(Error::NoHome)?;
    let lock = disk.lock(Duration::from_secs(10)).map_err(in_home(&disk))?;
    Ok((disk, lock))
}

/// What goes wrong there concerns the whole folder, not the root.
fn in_home(disk: &OsDisk) -> impl Fn(Error) -> Error + use<> {
    let path = disk.root().display().to_string();
    move |error| match error {
        Error::Disk { source, .. } => Error::Disk { action: "keep approvals in", path: path.clone(), source },
        other => other,
    }
}

fn change_approvals(change: impl FnOnce(&mut Vec<Approval>)) -> Result<()> {
    let (disk, _lock) = home_to_write()?;
    let before = approvals()?;
    let mut all = before.clone();
    change(&mut all);
    if all == before {
        return Ok(());
    }
    let text = all.iter().map(Approval::line).collect::<String>();
    let temporary = format!(".{APPROVALS}.new");
    let write = || {
        disk.write(&temporary, APPROVALS, &[Piece::Bytes(text.into_bytes())])?;
        disk.sync(&temporary)?;
        disk.rename(&temporary, APPROVALS)?;
        disk.sync_folder("")
    };
    write().map_err(in_home(&disk))
}

/// The text of this user's settings, where there are any.
pub(crate) fn user_settings_text() -> Result<Option<String>> {
    let Some(disk) = user_disk(false)? else { return Ok(None) };
    Ok(disk.read("config.toml", 1 << 20)?.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_path_has_a_line_of_its_own() {
        let line = |path: &str| as_line(Path::new(path));
        assert_eq!(line("/a b/.memory"), "/a b/.memory");
        assert_eq!(line("/a\n"), "//bytes/2f610a");
        assert_ne!(line("/a\nb"), line("/a?b"));
        for path in ["/a\nb", "/a\r"] {
            let one = Approval { path: line(path), token: None };
            assert_eq!(one.line().lines().map(Approval::of_line).collect::<Vec<_>>(), [one]);
        }
    }

    #[test]
    fn a_folder_that_was_left_empty_is_not_being_made() {
        let folder = tempfile::tempdir().unwrap();
        assert!(is_young(folder.path()) && is_bare(folder.path()).unwrap());
        let old = std::time::UNIX_EPOCH + Duration::from_secs(1_700_000_000);
        std::fs::File::options().read(true).open(folder.path()).unwrap().set_modified(old).unwrap();
        assert!(!is_young(folder.path()));
        assert!(!is_young(&folder.path().join("absent")));
    }

    #[test]
    fn lines_of_approvals() {
        let check = |line: &str, path: &str, token: Option<&str>| {
            let one = Approval::of_line(line);
            assert_eq!((one.path.as_str(), one.token.as_ref().map(Token::as_str)), (path, token), "{line:?}");
            assert_eq!(one.line(), format!("{line}\n"));
        };
        let token = "0123456789abcdef0123456789abcdef";
        check("/home/ana/shop/.memory", "/home/ana/shop/.memory", None);
        check(&format!("/a b\tc/.memory\t{token}"), "/a b\tc/.memory", Some(token));
        check(&format!("\t{token}"), "", Some(token));
        check("/a\tno-token", "/a\tno-token", None);
        let fresh = Token::fresh().unwrap();
        assert_eq!(Token::parse(fresh.as_str()), Some(fresh.clone()));
        assert_ne!(fresh, Token::fresh().unwrap());
    }
}
