//! Where transcripts are looked for, and the sessions that are there.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use memory_core::id::SessionId;
use memory_core::scope::SourceClass;
use memory_core::session::{Client, Message};

use super::told::Told;
use crate::disk::{Disk, foreign};
use crate::harness::{Found, Homes, Sessions, sessions, sessions_in};
use crate::project::{NAMES, Project, project_of};

/// Where transcripts are looked for.
#[derive(Debug, Clone)]
pub enum From {
    /// Wherever the clients of this user write those of this project.
    Clients(Vec<Client>),
    /// In one folder, all of one client.
    Folder(PathBuf, Client),
    /// Nowhere but where hooks point.
    Hooks,
}

impl From {
    /// The sessions that are there.
    pub(super) fn sessions(&self, disk: &dyn Disk) -> Sessions {
        match self {
            Self::Clients(_) => {
                let project = project_of(disk.root().parent().unwrap_or(disk.root()));
                let mut all = Homes::of_user().map(|homes| sessions(&homes, &project)).unwrap_or_default();
                all.found.retain(|found| self.means(found.client));
                leave_copies_out(&mut all.found);
                all
            }
            Self::Folder(folder, client) => sessions_in(folder, *client),
            Self::Hooks => Sessions::default(),
        }
    }

    /// Whether sessions of a client are meant.
    pub(super) fn means(&self, client: Client) -> bool {
        !matches!(self, Self::Clients(only) if !only.is_empty() && !only.contains(&client))
    }
}

/// The sessions to look at: those that are found, and those to which hooks point; the longest at rest first. And the
/// files that cannot be read, with the reason.
pub(super) fn sources(disk: &dyn Disk, from: &From, told: &Told<'_>) -> (Vec<Found>, Vec<(String, String)>) {
    let sessions = from.sessions(disk);
    let unread = sessions.unread.into_iter().map(|(path, why)| (path.display().to_string(), why));
    let mut found = sessions.found;
    for source in told.transcripts() {
        let known = |found: &Found| {
            found.session == source.session
                && (found.path == source.path
                    || foreign::real_path(&found.path) == foreign::real_path(&source.path))
        };
        if found.iter().any(known) {
            continue;
        }
        if let Some(stat) = foreign::stat_at(&source.path) {
            found.push(Found::of(source, stat));
        }
    }
    // What a file in the project says must not stand in the way of the same words of a person.
    found.sort_by_key(|found| (found.most < SourceClass::Human, found.modified));
    (found, unread.collect())
}

/// Leaves out what SpecStory copied of sessions that are there themselves: a file in the project proves less.
fn leave_copies_out(found: &mut Vec<Found>) {
    let own: HashSet<SessionId> = found
        .iter()
        .filter(|found| found.client != Client::SpecStory)
        .filter_map(|found| found.session.clone())
        .collect();
    found.retain(|found| {
        found.client != Client::SpecStory
            || found.session.as_ref().is_none_or(|session| !own.contains(session))
    });
}

/// Tells which messages of a session were said in another project: a conversation may be taken up there.
pub(super) struct Elsewhere<'a> {
    project: Option<&'a Project>,
    client: Client,
    known: HashMap<String, bool>,
}

impl<'a> Elsewhere<'a> {
    /// For a client's session; without a project, all of it counts.
    pub(super) fn new(project: Option<&'a Project>, client: Client) -> Self {
        // The folders of other clients are those of single commands, or the same for the whole session.
        let tells = matches!(client, Client::ClaudeCode | Client::Codex);
        Self { project: project.filter(|_| tells), client, known: HashMap::new() }
    }

    /// Whether a message was said elsewhere.
    pub(super) fn is(&mut self, message: &Message) -> bool {
        let (Some(project), Some(cwd)) = (self.project, &message.cwd) else { return false };
        if let Some(known) = self.known.get(cwd) {
            return *known;
        }
        let folder = Path::new(cwd);
        let is = !project.holds(folder) && (self.client == Client::Codex || is_a_project(folder));
        self.known.insert(cwd.clone(), is);
        is
    }
}

/// Whether a folder is that of a project. Claude Code's follows its shell, which may be anywhere for a while.
fn is_a_project(folder: &Path) -> bool {
    let project = project_of(folder);
    project.common.is_some() || NAMES.iter().any(|name| foreign::stat_at(&project.root.join(name)).is_some())
}

/// The folders of the project that a root remembers: every checkout of its repository.
pub(super) fn folders_of(disk: &dyn Disk) -> Vec<String> {
    let folder = disk.root().parent().unwrap_or(disk.root());
    let mut folders = project_of(folder).checkouts;
    // Transcripts may name it by a link.
    folders.push(folder.to_owned());
    folders.iter().map(|folder| folder.display().to_string()).collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::disallowed_methods, reason = "tests write the files that clients write")]

    use memory_core::session::Role;
    use memory_core::time::Time;

    use super::*;

    #[test]
    fn a_copy_of_a_session_that_is_there_is_left_out() {
        let found = |client: Client, session: &str| Found {
            client,
            path: PathBuf::from(session),
            session: SessionId::parse(session).ok(),
            modified: Time(0),
            size: 0,
            cwd: None,
            most: SourceClass::Human,
        };
        let mut all = vec![
            found(Client::SpecStory, "s1"),
            found(Client::ClaudeCode, "s1"),
            found(Client::SpecStory, "s2"),
            found(Client::SpecStory, ""),
            found(Client::Codex, ""),
        ];
        leave_copies_out(&mut all);
        let left: Vec<(Client, Option<&str>)> =
            all.iter().map(|it| (it.client, it.session.as_ref().map(SessionId::as_str))).collect();
        let expect = [
            (Client::ClaudeCode, Some("s1")),
            (Client::SpecStory, Some("s2")),
            (Client::SpecStory, None),
            (Client::Codex, None),
        ];
        assert_eq!(left, expect);
    }

    #[test]
    fn words_said_in_another_project_are_not_of_this_one() {
        let folder = tempfile::tempdir().unwrap();
        let top = folder.path().canonicalize().unwrap();
        for name in ["p/.git", "p/src", "other/.git", "plain"] {
            std::fs::create_dir_all(top.join(name)).unwrap();
        }
        for name in ["p", "other"] {
            std::fs::write(top.join(name).join(".git/HEAD"), "ref: refs/heads/main\n").unwrap();
        }
        let project = project_of(&top.join("p"));
        let check = |client: Client, cwd: Option<&str>, expect: bool| {
            let cwd = cwd.map(|cwd| top.join(cwd).display().to_string());
            let message = Message { cwd: cwd.clone(), ..Message::new(Role::User, "x") };
            assert_eq!(Elsewhere::new(Some(&project), client).is(&message), expect, "{client} {cwd:?}");
            assert!(!Elsewhere::new(None, client).is(&message));
        };
        for client in [Client::ClaudeCode, Client::Codex] {
            check(client, Some("p"), false);
            check(client, Some("p/src"), false);
            check(client, Some("other"), true);
            check(client, None, false);
        }
        // A shell may be anywhere for a while; the folder of a turn is chosen.
        check(Client::ClaudeCode, Some("plain"), false);
        check(Client::Codex, Some("plain"), true);
        check(Client::Windsurf, Some("other"), false);
    }
}
