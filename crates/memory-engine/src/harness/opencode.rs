//! OpenCode's database: sessions, their messages, and the parts of these.

use rusqlite::{Connection, OptionalExtension, params};
use serde_json::Value;

use super::assembly::Place;
use super::blocks::ended;
use super::record::{self, is_true, name, text, time};
use super::rows::{Listed, Message, facts, lossy};
use super::said::{Call, Growth, Part, Said};
use super::tools::tool;

/// The sessions that nobody else's session started.
pub(super) fn list(db: &Connection) -> rusqlite::Result<Vec<Listed>> {
    let sql =
        |last: &str| format!("SELECT id, directory, {last} FROM session WHERE parent_id IS NULL ORDER BY id");
    // Others write into the same file, so only what is of the session itself tells whether it changed.
    let last = "max(time_updated, coalesce((SELECT max(message.time_updated) FROM message WHERE session_id = session.id), 0))";
    let mut rows = db.prepare(&sql(last)).or_else(|_| db.prepare(&sql("time_updated")))?;
    let listed = rows.query_map([], |row| {
        Ok(Listed { session: lossy(row, 0)?, cwd: lossy(row, 1)?, modified: row.get(2).ok(), size: Some(0) })
    })?;
    listed.collect()
}

/// What is known of a session as a whole.
pub(super) fn about(db: &Connection, session: &str) -> rusqlite::Result<Vec<Said>> {
    let found = db
        .query_row("SELECT directory, parent_id FROM session WHERE id = ?1", [session], |row| {
            Ok((lossy(row, 0)?, lossy(row, 1)?))
        })
        .optional()?;
    let Some((cwd, parent)) = found else { return Ok(Vec::new()) };
    let aside = (!parent.is_empty()).then_some(Said::Aside);
    Ok([facts(session, cwd)].into_iter().chain(aside).collect())
}

/// Where a person went back to in a session: the first message that no longer counts, which stays in the table until
/// something new is said.
fn reverted(db: &Connection, session: &str) -> rusqlite::Result<Option<(i64, String)>> {
    // Older tables know nothing of it.
    let Ok(mut rows) = db.prepare("SELECT revert FROM session WHERE id = ?1") else { return Ok(None) };
    let revert = rows.query_row([session], |row| lossy(row, 0)).optional()?.unwrap_or_default();
    let revert = value(&revert);
    // Where only a part of a message goes, the words before it stay.
    let Some(id) = text(&revert, "/messageID").filter(|_| revert.get("partID").is_none_or(Value::is_null))
    else {
        return Ok(None);
    };
    let sql = "SELECT time_created FROM message WHERE id = ?1 AND session_id = ?2";
    let at = db.query_row(sql, [&id, session], |row| row.get(0)).optional()?;
    Ok(at.map(|at| (at, id)))
}

/// The messages up to a place that a person took back.
pub(super) fn taken_back(db: &Connection, session: &str, place: &Place) -> rusqlite::Result<Vec<String>> {
    let Some((at, id)) = reverted(db, session)? else { return Ok(Vec::new()) };
    let mut found = db.prepare(
        "SELECT id FROM message WHERE session_id = ?1
         AND (time_created > ?2 OR (time_created = ?2 AND id >= ?3))
         AND (time_created < ?4 OR (time_created = ?4 AND id <= ?5)) ORDER BY time_created, id",
    )?;
    let names =
        found.query_map(params![session, at, id, in_sql(place.at), place.row], |row| lossy(row, 0))?;
    names.collect()
}

/// Whether the message before a place is still there.
pub(super) fn has_message(db: &Connection, place: &Place) -> rusqlite::Result<bool> {
    let sql = "SELECT 1 FROM message WHERE id = ?1 AND time_created = ?2";
    let found = db.query_row(sql, params![place.row, in_sql(place.at)], |_| Ok(())).optional()?;
    Ok(found.is_some())
}

/// The messages of a session after a place, in their order.
pub(super) fn messages(
    db: &Connection,
    session: &str,
    from: &Place,
    each: &mut dyn FnMut(Message),
) -> rusqlite::Result<()> {
    let mut found = db.prepare(
        "SELECT id, time_created, data FROM message WHERE session_id = ?1
         AND (time_created > ?2 OR (time_created = ?2 AND id > ?3)) ORDER BY time_created, id",
    )?;
    let reverted = reverted(db, session)?;
    let mut parts = db.prepare("SELECT data FROM part WHERE message_id = ?1 ORDER BY id")?;
    let mut rows = found.query(params![session, in_sql(from.at), from.row])?;
    while let Some(row) = rows.next()? {
        let id = lossy(row, 0)?;
        let created: i64 = row.get(1)?;
        if reverted.as_ref().is_some_and(|(at, first)| (created, &id) >= (*at, first)) {
            break;
        }
        let about = value(&lossy(row, 2)?);
        let parts = parts.query_map([&id], |row| lossy(row, 0))?;
        let parts: Vec<Value> = parts.map(|part| Ok(value(&part?))).collect::<rusqlite::Result<_>>()?;
        let said = message(&id, &about, &parts);
        each(Message { key: Place { at: u64::try_from(created).unwrap_or(0), row: id, part: 0 }, said });
    }
    Ok(())
}

fn in_sql(at: u64) -> i64 {
    i64::try_from(at).unwrap_or(i64::MAX)
}

fn value(text: &str) -> Value {
    record::value(text.as_bytes()).ok().flatten().unwrap_or_default()
}

fn message(id: &str, about: &Value, parts: &[Value]) -> Vec<Said> {
    let is = |part: &&Value, kind: &str| part.get("type").and_then(Value::as_str) == Some(kind);
    let spoken = parts.iter().filter(|part| is(part, "text"));
    let spoken = spoken.filter(|part| !is_true(part, "/synthetic") && !is_true(part, "/ignored"));
    let texts: Vec<String> = spoken.filter_map(|part| text(part, "/text")).collect();
    let part = Part { turn: Some(id.to_owned()), at: time(about, "/time/created"), ..Part::default() };
    match about.get("role").and_then(Value::as_str) {
        Some("user") => {
            let texts = texts.iter().map(|text| unquoted(text).to_owned()).collect();
            vec![Said::Human(Part { texts, ..part })]
        }
        // The summary of a compaction is no answer.
        Some("assistant") if is_true(about, "/summary") => Vec::new(),
        Some("assistant") => {
            let calls = parts.iter().filter(|part| is(part, "tool")).filter_map(called).collect();
            let model = text(about, "/modelID");
            let mut said = vec![Said::Agent(Part { texts, model, calls, growth: Growth::Adds, ..part })];
            if name(about, "/time/completed").is_some() {
                said.push(Said::Close);
            }
            said
        }
        _ => Vec::new(),
    }
}

fn called(part: &Value) -> Option<Call> {
    let failed = match part.pointer("/state/status").and_then(Value::as_str) {
        Some("completed") => Some(false),
        Some("error") => Some(true),
        _ => None,
    };
    Some(ended(tool(&text(part, "/tool")?, part.pointer("/state/input").unwrap_or(&Value::Null)), failed))
}

/// A prompt given on the command line is stored with its quotes.
fn unquoted(text: &str) -> &str {
    let inside = text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    inside.filter(|inside| !inside.contains('"')).unwrap_or(text)
}
