//! Receipts: what was handed to whom, a line each in `.vault/receipts.jsonl`. They hold ids and sizes, never text.
//!
//! They tell a person what an agent was given, and us what a session has already. Losing them loses nothing else, so
//! they are appended without waiting for the disk, and the file is set aside when it is full.

use std::collections::HashMap;

use memchr::memmem;
use memory_core::id::{AgentId, MemoryId, SessionId};
use memory_core::time::Time;
use serde::{Deserialize, Serialize};

use crate::disk::Disk;
use crate::error::Result;

/// The file, and where it goes when it is full.
const RECEIPTS: &str = ".vault/receipts.jsonl";
const OLD: &str = ".vault/receipts.old.jsonl";
/// When it is full.
const MOST_BYTES: u64 = 1 << 20;

/// What was handed to an agent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Receipt {
    /// When.
    pub at: String,
    /// For whom.
    pub agent: AgentId,
    /// The client, or `cli`.
    pub client: String,
    /// The session, where it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<SessionId>,
    /// At which moment.
    pub moment: Moment,
    /// The profile that held.
    pub profile: String,
    /// Bytes that were handed over.
    pub bytes: usize,
    /// What they cost.
    pub tokens: usize,
    /// The most that it could have cost.
    pub budget: usize,
    /// The memories of which something was told.
    pub ids: Vec<MemoryId>,
    /// How many were considered and left out.
    pub left_out: usize,
}

/// When context is handed over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Moment {
    /// A session begins, or goes on after compaction: everything that matters.
    #[default]
    Start,
    /// A prompt within a session: what answers it and is new.
    Prompt,
    /// The session is about to be compacted and will have nothing of it any more.
    Compaction,
}

/// Writes a receipt down.
pub(crate) fn file(disk: &dyn Disk, receipt: &Receipt) -> Result<()> {
    let mut line = serde_json::to_string(receipt).unwrap_or_default();
    line.push('\n');
    disk.make_folder(".vault")?;
    if disk.append(RECEIPTS, line.as_bytes())? > MOST_BYTES {
        disk.rename(RECEIPTS, OLD)?;
    }
    Ok(())
}

/// The receipts, oldest first. Lines that are none are left out.
pub(crate) fn all(disk: &dyn Disk) -> Result<Vec<Receipt>> {
    let mut receipts = Vec::new();
    for path in [OLD, RECEIPTS] {
        let bytes = disk.read(path, MOST_BYTES * 4)?.unwrap_or_default();
        receipts.extend(lines(&bytes));
    }
    Ok(receipts)
}

/// What a session was given since it last began.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Given {
    /// Whether it was given anything at its beginning.
    pub(crate) started: bool,
    /// The memories, and when each was given last.
    pub(crate) ids: HashMap<MemoryId, Time>,
}

/// Looks up what a session was given.
pub(crate) fn given(disk: &dyn Disk, session: &SessionId) -> Result<Given> {
    let named = serde_json::to_string(session).unwrap_or_default();
    let mut given = Given::default();
    for path in [OLD, RECEIPTS] {
        let bytes = disk.read(path, MOST_BYTES * 4)?.unwrap_or_default();
        // Few of many lines are of one session, so most need not be taken apart.
        let lines = bytes.split(|&byte| byte == b'\n');
        let of_it = lines.filter(|line| memmem::find(line, named.as_bytes()).is_some());
        let receipts = of_it.filter_map(|line| serde_json::from_slice::<Receipt>(line).ok());
        for receipt in receipts.filter(|receipt| receipt.session.as_ref() == Some(session)) {
            if receipt.moment != Moment::Prompt {
                given = Given { started: receipt.moment == Moment::Start, ids: HashMap::new() };
            }
            let at = Time::parse(&receipt.at).unwrap_or_default();
            given.ids.extend(receipt.ids.into_iter().map(|id| (id, at)));
        }
    }
    Ok(given)
}

fn lines(bytes: &[u8]) -> impl Iterator<Item = Receipt> {
    bytes.split(|&byte| byte == b'\n').filter_map(|line| serde_json::from_slice(line).ok())
}

impl Receipt {
    /// A moment as it stands in a receipt.
    pub(crate) fn time(at: Time) -> String {
        at.iso()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::disk::OsDisk;

    fn receipt(session: &str, moment: Moment, id: &str) -> Receipt {
        Receipt {
            at: Receipt::time(Time(0)),
            agent: AgentId::parse("dev").unwrap(),
            client: "cli".into(),
            session: SessionId::parse(session).ok(),
            moment,
            profile: "default".into(),
            bytes: 9,
            tokens: 3,
            budget: 2000,
            ids: vec![MemoryId::parse(id).unwrap()],
            left_out: 0,
        }
    }

    #[test]
    fn a_session_has_what_it_was_given_since_it_began() {
        let folder = tempfile::tempdir().unwrap();
        let disk = OsDisk::open(folder.path()).unwrap();
        let session = SessionId::parse("s1").unwrap();
        assert_eq!(given(&disk, &session).unwrap(), Given::default());
        file(&disk, &receipt("s1", Moment::Start, "1")).unwrap();
        file(&disk, &receipt("s2", Moment::Start, "2")).unwrap();
        disk.append(RECEIPTS, b"{torn\n").unwrap();
        file(&disk, &receipt("s1", Moment::Prompt, "3")).unwrap();
        let ids = |given: Given| {
            let mut ids: Vec<String> = given.ids.keys().map(ToString::to_string).collect();
            ids.sort();
            ids.join(" ")
        };
        assert_eq!(ids(given(&disk, &session).unwrap()), "1 3");
        assert!(given(&disk, &session).unwrap().started);
        file(&disk, &Receipt { ids: Vec::new(), ..receipt("s1", Moment::Compaction, "1") }).unwrap();
        assert_eq!(given(&disk, &session).unwrap(), Given::default());
        file(&disk, &receipt("s1", Moment::Start, "4")).unwrap();
        assert_eq!(ids(given(&disk, &session).unwrap()), "4");
        assert_eq!(all(&disk).unwrap().len(), 5);
    }

    #[test]
    fn receipts_take_bounded_room() {
        let folder = tempfile::tempdir().unwrap();
        let disk = OsDisk::open(folder.path()).unwrap();
        file(&disk, &receipt("s2", Moment::Start, "7")).unwrap();
        for n in 0..5998 {
            file(&disk, &receipt("s1", Moment::Prompt, &n.to_string())).unwrap();
        }
        // What others were given meanwhile does not make it begin anew.
        assert!(given(&disk, &SessionId::parse("s2").unwrap()).unwrap().started);
        file(&disk, &receipt("s1", Moment::Prompt, "5999")).unwrap();
        let all = all(&disk).unwrap();
        assert!(all.len() > 2000 && all.len() < 6000 * 2, "{}", all.len());
        assert_eq!(all.last().unwrap().ids[0].as_str(), "5999");
        assert!(disk.stat(RECEIPTS).unwrap().unwrap().size <= MOST_BYTES);
    }
}
