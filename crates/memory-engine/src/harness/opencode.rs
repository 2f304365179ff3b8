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
    let mut rows =
        db.prepare("SELECT id, directory, time_updated FROM session WHERE parent_id IS NULL ORDER BY id")?;
    let listed = rows.query_map([], |row| {
        Ok(Listed { session: lossy(row, 0)?, cwd: lossy(row, 1)?, modified: row.get(2).ok() })
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
    let mut parts = db.prepare("SELECT data FROM part WHERE message_id = ?1 ORDER BY id")?;
    let mut rows = found.query(params![session, in_sql(from.at), from.row])?;
    while let Some(row) = rows.next()? {
        let id = lossy(row, 0)?;
        let created: i64 = row.get(1)?;
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
