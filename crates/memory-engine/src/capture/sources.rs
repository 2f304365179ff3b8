//! Where transcripts are looked for, and the sessions that are there.

use std::path::PathBuf;

use memory_core::session::Client;

use super::told::Told;
use crate::disk::{Disk, foreign};
use crate::harness::{Found, Homes, Sessions, sessions, sessions_in};
use crate::project::project_of;

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
    found.sort_by_key(|found| found.modified);
    (found, unread.collect())
}

/// The folders of the project that a root remembers: every checkout of its repository.
pub(super) fn folders_of(disk: &dyn Disk) -> Vec<String> {
    let folder = disk.root().parent().unwrap_or(disk.root());
    let mut folders = project_of(folder).checkouts;
    // Transcripts may name it by a link.
    folders.push(folder.to_owned());
    folders.iter().map(|folder| folder.display().to_string()).collect()
}
