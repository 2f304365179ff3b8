//! Files that are no longer needed where they are: old snapshots, what a migration left, the beginning of the history.

use crate::event::{EventId, EventLog};
use crate::id::AgentId;
use crate::layout::Home;
use crate::session::saved::Saved;
use crate::time::{DAY_MS, Time};

/// Why a snapshot is no longer needed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stale {
    /// It is too old to be recovered.
    Old,
    /// It is no snapshot.
    Broken,
}

/// Whether a snapshot is no longer needed: valid while its age is below so many days. One that does not say when it was
/// taken is as old as its file.
pub fn stale_snapshot(text: &str, modified: Time, now: Time, days: u32) -> Option<Stale> {
    let Ok(saved) = Saved::read(text) else { return Some(Stale::Broken) };
    let taken = saved.saved.unwrap_or(modified);
    (now.0.saturating_sub(taken.0) >= i64::from(days) * DAY_MS).then_some(Stale::Old)
}

/// Whether a file at the top of a root is left from a migration: `x.md.bak`, or `x.md` where the vault `x/` stands. The
/// size of a file says nothing about it.
pub fn is_legacy(name: &str, folders: &[&str]) -> bool {
    if name.starts_with(['.', '_']) || Home::of_path(name).is_some() {
        return false;
    }
    if let Some(stem) = name.strip_suffix(".md.bak") {
        return !stem.is_empty();
    }
    let agent = name.strip_suffix(".md").and_then(|stem| AgentId::parse(stem).ok());
    agent.is_some_and(|agent| folders.iter().any(|folder| folder.eq_ignore_ascii_case(agent.as_str())))
}

/// Which events the state knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Recalled {
    /// There is no state that would have to know them.
    NoState,
    /// Those up to this one.
    UpTo(EventId),
    /// None, or nobody can tell.
    None,
}

/// How many bytes at the beginning of the history can leave: events that are so many days old and that the state knows,
/// where there is one. The last event stays, because its number tells that of the next.
pub fn prunable(log: &EventLog, recalled: Recalled, now: Time, days: u32) -> usize {
    let knows = |id: EventId| match recalled {
        Recalled::NoState => true,
        Recalled::UpTo(last) => id <= last,
        Recalled::None => false,
    };
    if days == 0 {
        return 0;
    }
    let before = now.0.saturating_sub(i64::from(days) * DAY_MS);
    let last = log.events.len().saturating_sub(1);
    let leaves =
        |logged: &&crate::event::LoggedEvent| logged.event.created_at.0 <= before && knows(logged.event.id);
    let leaving = log.events[..last].iter().take_while(leaves).count();
    // A line between them that nobody understands leaves with its neighbours; it is archived as it stands.
    if leaving == 0 { 0 } else { log.events[leaving].bytes.start }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_snapshot_is_stale_to_the_millisecond() {
        let check = |text: &str, now: i64, expect| {
            assert_eq!(stale_snapshot(text, Time(500), Time(now), 7), expect, "{text} {now}");
        };
        let week = 7 * DAY_MS;
        check(r#"{"savedAt":1000,"messages":[]}"#, 1000 + week - 1, None);
        check(r#"{"savedAt":1000,"messages":[]}"#, 1000 + week, Some(Stale::Old));
        check(r#"{"messages":[]}"#, 500 + week, Some(Stale::Old));
        check(r#"{"messages":[]}"#, 500, None);
        check(r#"{"savedAt":99999999999999,"messages":[]}"#, 0, None);
        check("{", 0, Some(Stale::Broken));
        check("", 0, Some(Stale::Broken));
    }

    /// Not as elsewhere: flat files below 200 bytes were deleted, though nothing had taken their words over.
    #[test]
    fn a_small_file_that_was_not_migrated_stays() {
        let check = |name: &str, expect| assert_eq!(is_legacy(name, &["dev", "Ops"]), expect, "{name}");
        check("dev.md", true);
        check("ops.md", true);
        check("OPS.md", true);
        check("dev.md.bak", true);
        check("gone.md.bak", true);
        check("small.md", false);
        check("_project.md", false);
        check("MEMORY.md", false);
        check("USER.md", false);
        check(".md.bak", false);
        check("notes.txt", false);
        check("dev", false);
    }

    #[test]
    fn only_old_and_known_events_leave_and_the_last_stays() {
        let line = |n: u32, day: u32| {
            format!(
                "{{\"id\":\"evt-{n:06}\",\"kind\":\"prompt\",\"sourceId\":\"x\",\"externalItemId\":null,\
                 \"createdAt\":\"2026-01-{day:02}T00:00:00.000Z\",\"contentHash\":\"h{n}\",\"summary\":\"s\",\
                 \"signals\":{{\"decisions\":[],\"gotchas\":[],\"nextStepHints\":[],\"keyPaths\":[],\
                 \"validationObservations\":[]}},\"sourceRef\":\"r\"}}\n"
            )
        };
        let text: String = [line(1, 1), line(2, 2), "broken\n".to_owned(), line(3, 3), line(4, 4)].concat();
        let log = EventLog::read(text.as_bytes());
        assert_eq!(log.events.len(), 4);
        let now = |day: &str| Time::parse(day).unwrap();
        let id = |n: usize| Recalled::UpTo(log.events[n - 1].event.id);
        let check = |recalled, now, days, expect: usize| {
            let ends = log.events.get(expect).map_or(0, |logged| logged.bytes.start);
            let expect = if expect == 0 { 0 } else { ends };
            assert_eq!(prunable(&log, recalled, now, days), expect);
        };
        check(id(4), now("2026-12-01"), 90, 3);
        check(id(4), now("2026-01-12"), 10, 2);
        check(id(1), now("2026-12-01"), 90, 1);
        check(Recalled::None, now("2026-12-01"), 90, 0);
        check(Recalled::NoState, now("2026-12-01"), 90, 3);
        check(Recalled::NoState, now("2026-01-12"), 10, 2);
        check(Recalled::NoState, now("2026-12-01"), 0, 0);
        check(id(4), now("2026-12-01"), 0, 0);
        check(id(4), now("2026-01-05"), 90, 0);
    }
}
