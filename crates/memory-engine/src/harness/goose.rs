//! Goose's sessions: a database today, and one log a session before.

use memory_core::time::Time;
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
    let sql = |columns: &str, filter: &str| {
        format!("SELECT id, working_dir, {columns} FROM sessions {filter} ORDER BY id")
    };
    // The file itself says nothing while its program writes into a log beside it.
    let last = "updated_at, (SELECT max(id) FROM messages WHERE session_id = sessions.id)";
    let mut rows = db
        .prepare(&sql(last, of_people))
        .or_else(|_| db.prepare(&sql(last, "")))
        .or_else(|_| db.prepare(&sql("NULL, NULL", "")))?;
    let listed = rows.query_map([], |row| {
        let modified = Time::parse(&lossy(row, 2)?).map(|at| at.0);
        let last = row.get::<_, Option<i64>>(3).ok().flatten();
        let size = last.and_then(|last| u64::try_from(last).ok());
        Ok(Listed { session: lossy(row, 0)?, cwd: lossy(row, 1)?, modified, size })
    })?;
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
    let named = "SELECT id, role, content_json, created_timestamp, message_id, metadata_json FROM messages
                 WHERE session_id = ?1 AND id > ?2 ORDER BY id";
    let without = |column: &str, sql: &str| sql.replace(column, "NULL");
    let mut found = db
        .prepare(named)
        .or_else(|_| db.prepare(&without("message_id", named)))
        .or_else(|_| db.prepare(&without("metadata_json", named)))
        .or_else(|_| db.prepare(&without("metadata_json", &without("message_id", named))))?;
    let mut rows = found.query(params![session, i64::try_from(from.at).unwrap_or(i64::MAX)])?;
    while let Some(row) = rows.next()? {
        let id: i64 = row.get(0)?;
        let content = record::value(lossy(row, 2)?.as_bytes()).ok().flatten().unwrap_or_default();
        let created = Value::from(row.get::<_, i64>(3).unwrap_or_default());
        let turn = Some(lossy(row, 4)?).filter(|turn| !turn.is_empty());
        let part = Part { turn, at: time(&created, ""), ..Part::default() };
        let key = Place { at: u64::try_from(id).unwrap_or(0), row: session.to_owned(), part: 0 };
        let about = record::value(lossy(row, 5)?.as_bytes()).ok().flatten().unwrap_or_default();
        // What the person does not see, such as the summary of a compaction, nobody said.
        let is_hidden = about.get("userVisible") == Some(&Value::Bool(false));
        let said = if is_hidden { Vec::new() } else { message(&lossy(row, 1)?, &content, part) };
        each(Message { key, said });
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
