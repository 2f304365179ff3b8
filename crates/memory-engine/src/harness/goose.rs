//! Goose's sessions: a database today, and one log a session before.

use rusqlite::{Connection, OptionalExtension, params};
use serde_json::Value;

use super::assembly::Place;
use super::blocks::Content;
use super::record::{self, name, text, time};
use super::rows::{Listed, Message, facts, lossy};
use super::said::{Facts, Part, Said};

/// The sessions that people had.
pub(super) fn list(db: &Connection) -> rusqlite::Result<Vec<Listed>> {
    // Versions before 1.20 know no types of sessions.
    let of_people = "WHERE session_type NOT IN ('sub_agent', 'subagent', 'hidden')";
    let sql = |filter: &str| format!("SELECT id, working_dir FROM sessions {filter} ORDER BY id");
    let mut rows = db.prepare(&sql(of_people)).or_else(|_| db.prepare(&sql("")))?;
    let listed = rows
        .query_map([], |row| Ok(Listed { session: lossy(row, 0)?, cwd: lossy(row, 1)?, modified: None }))?;
    listed.collect()
}

/// What is known of a session as a whole.
pub(super) fn about(db: &Connection, session: &str) -> rusqlite::Result<Vec<Said>> {
    let sql = "SELECT working_dir FROM sessions WHERE id = ?1";
    let cwd = db.query_row(sql, [session], |row| lossy(row, 0)).optional()?;
    Ok(cwd.map(|cwd| facts(session, cwd)).into_iter().collect())
}

/// Whether the message before a place is still there.
pub(super) fn has_message(db: &Connection, place: &Place) -> rusqlite::Result<bool> {
    let sql = "SELECT 1 FROM messages WHERE id = ?1 AND session_id = ?2";
    let at = i64::try_from(place.at).unwrap_or(i64::MAX);
    Ok(db.query_row(sql, params![at, place.row], |_| Ok(())).optional()?.is_some())
}

/// The messages of a session after a place, in their order.
pub(super) fn messages(
    db: &Connection,
    session: &str,
    from: &Place,
    each: &mut dyn FnMut(Message),
) -> rusqlite::Result<()> {
    let named = "SELECT id, role, content_json, created_timestamp, message_id FROM messages
                 WHERE session_id = ?1 AND id > ?2 ORDER BY id";
    let mut found = db.prepare(named).or_else(|_| db.prepare(&named.replace("message_id", "NULL")))?;
    let mut rows = found.query(params![session, i64::try_from(from.at).unwrap_or(i64::MAX)])?;
    while let Some(row) = rows.next()? {
        let id: i64 = row.get(0)?;
        let content = record::value(lossy(row, 2)?.as_bytes()).ok().flatten().unwrap_or_default();
        let created = Value::from(row.get::<_, i64>(3).unwrap_or_default());
        let turn = Some(lossy(row, 4)?).filter(|turn| !turn.is_empty());
        let part = Part { turn, at: time(&created, ""), ..Part::default() };
        let key = Place { at: u64::try_from(id).unwrap_or(0), row: session.to_owned(), part: 0 };
        each(Message { key, said: message(&lossy(row, 1)?, &content, part) });
    }
    Ok(())
}

fn message(role: &str, content: &Value, part: Part) -> Vec<Said> {
    let content = Content::of(content);
    match role {
        "user" if content.outcomes.is_empty() => vec![Said::Human(Part { texts: content.texts, ..part })],
        "user" => content.outcomes,
        "assistant" => vec![Said::Agent(Part { texts: content.texts, calls: content.calls, ..part })],
        _ => Vec::new(),
    }
}

/// What a line of the older logs says: first the session itself, then messages.
pub(super) fn read(record: &Value, out: &mut Vec<Said>) {
    match record.get("role").and_then(Value::as_str) {
        Some(role) => {
            let part = Part { turn: name(record, "/id"), at: time(record, "/created"), ..Part::default() };
            out.extend(message(role, record.get("content").unwrap_or(&Value::Null), part));
        }
        None => out.push(Said::Facts(Facts { cwd: text(record, "/working_dir"), ..Facts::default() })),
    }
}
