//! What the letters in the inbox say of each session.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::door::Door;
use super::inbox;
use super::letter::Letter;
use super::progress::name_of;
use crate::disk::Disk;
use crate::error::Result;
use crate::harness::Source;
use crate::hook::Happened;

/// Every letter that waits, the oldest first, with the name of its file. None says what was forgotten for good.
pub(super) fn letters(disk: &dyn Disk, door: &mut dyn Door) -> Result<Vec<(String, Letter)>> {
    let mut letters = Vec::new();
    for name in inbox::waiting(disk)? {
        if let Some(mut letter) = inbox::read(disk, &name)? {
            unsay(door, &mut letter)?;
            letters.push((name, letter));
        }
    }
    Ok(letters)
}

fn unsay(door: &mut dyn Door, letter: &mut Letter) -> Result<()> {
    let at = letter.signal.at.unwrap_or(letter.heard);
    let (text, said) = match &mut letter.signal.happened {
        Happened::Prompt { text } => (text, Some(at)),
        Happened::Reply { text: Some(text) } | Happened::Compacted { summary: Some(text) } => (text, None),
        _ => return Ok(()),
    };
    if let Some(left) = door.unsaid(text, said)? {
        *text = left;
    }
    Ok(())
}

/// The letters of each session, by its name in the state.
pub(super) struct Told<'a> {
    pub(super) sessions: BTreeMap<String, Vec<&'a Letter>>,
}

impl<'a> Told<'a> {
    pub(super) fn of(letters: &'a [(String, Letter)]) -> Self {
        let mut sessions: BTreeMap<String, Vec<&'a Letter>> = BTreeMap::new();
        for (_, letter) in letters {
            sessions.entry(name_told(letter)).or_default().push(letter);
        }
        Self { sessions }
    }

    /// Whether something of this sort happened in a session.
    pub(super) fn any(&self, name: &str, is: impl Fn(&Happened) -> bool) -> bool {
        self.sessions.get(name).into_iter().flatten().any(|letter| is(&letter.signal.happened))
    }

    /// Transcripts to which letters point.
    pub(super) fn transcripts(&self) -> Vec<Source> {
        let point = |letters: &Vec<&Letter>| {
            let signal = &letters.iter().rev().find(|letter| letter.signal.transcript.is_some())?.signal;
            let path = PathBuf::from(signal.transcript.as_deref()?);
            Some(Source { client: signal.client, path, session: signal.session.clone() })
        };
        self.sessions.values().filter_map(point).collect()
    }
}

/// The name of the session that a letter tells of.
pub(super) fn name_told(letter: &Letter) -> String {
    name_of(letter.signal.client, letter.signal.session.as_ref())
}

/// Whether a session ended, or is about to lose what was said in it.
pub(super) fn is_over(happened: &Happened) -> bool {
    matches!(happened, Happened::Ended { .. } | Happened::Compacting)
}
