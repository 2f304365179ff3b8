//! A look at the sessions that could be taken in, without taking anything: how many, from when, and which are new.

use memory_core::session::Client;
use memory_core::time::Time;

use super::progress::{Progress, Shown, name_of};
use super::sources::From;
use crate::disk::Disk;
use crate::error::Result;
use crate::harness::Found;

/// The sessions of one client.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClientSessions {
    /// The client.
    pub client: Client,
    /// How many sessions there are.
    pub found: usize,
    /// Those in which something stands that was not taken in yet.
    pub new: usize,
    /// When the first and the last of them changed.
    pub dates: (Time, Time),
}

/// What a drain would find.
pub(crate) struct Survey {
    /// A row a client.
    pub(crate) rows: Vec<ClientSessions>,
    /// Files that cannot be read, with the reason.
    pub(crate) unread: Vec<(String, String)>,
}

/// Looks at what a drain would find.
pub(crate) fn survey(disk: &dyn Disk, from: &From) -> Result<Survey> {
    let all = from.sessions(disk);
    let shown = Shown::load(disk)?;
    let mut rows: Vec<ClientSessions> = Vec::new();
    for found in &all.found {
        let is_new = is_new(disk, &shown, found)?;
        let at = found.modified;
        match rows.iter_mut().find(|row| row.client == found.client) {
            Some(row) => {
                row.found += 1;
                row.new += usize::from(is_new);
                row.dates = (row.dates.0.min(at), row.dates.1.max(at));
            }
            None => rows.push(ClientSessions {
                client: found.client,
                found: 1,
                new: usize::from(is_new),
                dates: (at, at),
            }),
        }
    }
    rows.sort_by_key(|row| row.client);
    let unread = all.unread.into_iter().map(|(path, why)| (path.display().to_string(), why));
    Ok(Survey { rows, unread: unread.collect() })
}

/// Whether a session holds what was not read yet, by us or by another program of this family.
fn is_new(disk: &dyn Disk, shown: &Shown, found: &Found) -> Result<bool> {
    let name = name_of(found.client, found.session.as_ref());
    let (name, progress) = Progress::of_file(disk, &name, &found.path)?;
    if progress.path.is_empty() {
        return Ok(!shown.is_done(&name, found.modified));
    }
    let changed = (progress.size, progress.modified) != (found.size, found.modified.0);
    Ok(changed || progress.held_back)
}
