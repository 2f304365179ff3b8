//! The database of claude-mem: observations and summaries of sessions, read without changing anything beside it.
//!
//! Its columns differ from version to version, so rows are read by the names that are there.

use memory_core::id::SessionId;
use memory_core::kind::Kind;
use memory_core::scope::SourceClass;
use memory_core::time::Time;
use rusqlite::Connection;
use rusqlite::types::ValueRef;
use serde_json::{Map, Value};

use super::{Came, Context, Hear, Item, Reach};
use crate::disk::foreign::Foreign;
use crate::error::{Error, Result};
use crate::harness::{open_rows, record};

pub(super) fn read(context: &Context<'_>, hear: &mut dyn Hear) -> Result<()> {
    let path = context.import.path.as_path();
    let shown = path.display().to_string();
    if Foreign::open(path)?.is_none() {
        return Err(Error::absent(path));
    }
    let db = open_rows(path)?;
    let failed = |error: rusqlite::Error| Error::NotImportable {
        path: shown.clone(),
        why: format!(
            "it is no database of claude-mem that can be read ({error}): name `claude-mem.db` itself"
        ),
    };
    let mut found = false;
    for (table, made) in [("observations", observation as Made), ("session_summaries", summary as Made)] {
        if !has_table(&db, table).map_err(failed)? {
            continue;
        }
        found = true;
        let mut query = db.prepare(&format!("SELECT * FROM {table}")).map_err(failed)?;
        let names: Vec<String> = query.column_names().map(str::to_owned).collect();
        let mut rows = query.query([]).map_err(failed)?;
        loop {
            let row = match rows.next() {
                Ok(Some(row)) => row,
                Ok(None) => break,
                // A damaged page ends the table, and what came before it is kept.
                Err(error) => {
                    hear.defect(format!("{shown}, {table}"), format!("the table ends early: {error}"));
                    break;
                }
            };
            let value = Value::Object(
                names.iter().enumerate().map(|(at, name)| (name.clone(), cell(row, at))).collect(),
            );
            if !is_meant(context, &value) {
                hear.leave();
                continue;
            }
            match made(context, &value) {
                Some(item) => hear.item(item)?,
                None => hear.defect(format!("{shown}, {table}"), format!("row {} says nothing", value["id"])),
            }
        }
    }
    if found {
        return Ok(());
    }
    let why = "it has no table of observations: name the file `claude-mem.db`".to_owned();
    Err(Error::NotImportable { path: shown, why })
}

type Made = fn(&Context<'_>, &Value) -> Option<Item>;

fn has_table(db: &Connection, name: &str) -> rusqlite::Result<bool> {
    let sql = "SELECT EXISTS(SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?1)";
    db.query_row(sql, [name], |row| row.get(0))
}

fn cell(row: &rusqlite::Row<'_>, at: usize) -> Value {
    match row.get_ref(at) {
        Ok(ValueRef::Text(bytes) | ValueRef::Blob(bytes)) => {
            String::from_utf8_lossy(bytes).into_owned().into()
        }
        Ok(ValueRef::Integer(number)) => number.into(),
        Ok(ValueRef::Real(number)) => number.into(),
        Ok(ValueRef::Null) | Err(_) => Value::Null,
    }
}

/// Whether a row is of the project that is meant. claude-mem calls a project by the name of its folder, a checkout of it
/// `name/branch`, and notes where the rows of one were taken over.
fn is_meant(context: &Context<'_>, row: &Value) -> bool {
    if context.import.reach == Reach::Everything {
        return true;
    }
    let names = ["project", "merged_into_project"].iter().filter_map(|column| text(row, column));
    let names: Vec<&str> = names.flat_map(|name| [Some(name), name.split('/').next()]).flatten().collect();
    let mut own =
        context.project.checkouts.iter().chain([&context.project.root]).filter_map(|path| path.file_name());
    own.any(|own| names.iter().any(|name| own.to_string_lossy() == **name))
}

fn observation(context: &Context<'_>, row: &Value) -> Option<Item> {
    let head: Vec<&str> = ["title", "subtitle"].iter().filter_map(|name| text(row, name)).collect();
    let mut parts = vec![head.join("\n")];
    parts.extend(["narrative", "text"].iter().filter_map(|name| text(row, name)).map(str::to_owned));
    let facts: Vec<String> = words(row, "facts").iter().map(|fact| format!("- {fact}")).collect();
    parts.push(facts.join("\n"));
    let kind = match text(row, "type").unwrap_or_default() {
        "decision" => Kind::Decision,
        "bugfix" | "gotcha" | "problem-solution" => Kind::Lesson,
        "discovery" | "how-it-works" => Kind::Fact,
        _ => Kind::Note,
    };
    let concepts = words(row, "concepts");
    let tags = text(row, "type").into_iter().chain(concepts.iter().map(String::as_str));
    item(context, row, "observation", &parts, kind, context.tags(tags))
}

fn summary(context: &Context<'_>, row: &Value) -> Option<Item> {
    const FIELDS: [(&str, &str); 6] = [
        ("request", "Request"),
        ("investigated", "Investigated"),
        ("learned", "Learned"),
        ("completed", "Completed"),
        ("next_steps", "Next steps"),
        ("notes", "Notes"),
    ];
    let parts: Vec<String> =
        FIELDS.iter().filter_map(|(name, label)| Some(format!("{label}: {}", text(row, name)?))).collect();
    item(context, row, "summary", &parts, Kind::Summary, context.tags(["session-summary"]))
}

fn item(
    context: &Context<'_>,
    row: &Value,
    sort: &str,
    parts: &[String],
    kind: Kind,
    tags: Vec<memory_core::id::Tag>,
) -> Option<Item> {
    let parts: Vec<&str> = parts.iter().map(|part| part.trim()).filter(|part| !part.is_empty()).collect();
    if parts.is_empty() {
        return None;
    }
    let at = record::time(row, "/created_at_epoch").or_else(|| record::time(row, "/created_at"));
    let session = text(row, "memory_session_id").or_else(|| text(row, "sdk_session_id"));
    let mut draft = context.draft(&parts.join("\n\n"), SourceClass::Agent, at.filter(|at| *at > Time(0)));
    draft.kind = Some(kind);
    draft.title = text(row, "title").map(str::to_owned);
    draft.tags = Some(tags);
    // Numbers begin anew in every database, so the session goes into the name.
    let name =
        format!("{sort}:{}:{}", session.unwrap_or_default(), record::name(row, "/id").unwrap_or_default());
    draft.key = context.key(&name);
    draft.provenance.session = session.and_then(|session| SessionId::parse(session).ok());
    Some(Item { identity: format!("{name}\0{}", draft.text), draft, origin: Came::Written })
}

fn text<'a>(row: &'a Value, name: &str) -> Option<&'a str> {
    row.get(name).and_then(Value::as_str).map(str::trim).filter(|text| !text.is_empty())
}

/// A list of words that stands in a column as JSON.
fn words(row: &Value, name: &str) -> Vec<String> {
    let list: Vec<Value> =
        text(row, name).and_then(|json| serde_json::from_str(json).ok()).unwrap_or_default();
    let word = |value: Value| match value {
        Value::String(word) => Some(word.trim().to_owned()).filter(|word| !word.is_empty()),
        Value::Object(fields) => joined(&fields),
        _ => None,
    };
    list.into_iter().filter_map(word).collect()
}

fn joined(fields: &Map<String, Value>) -> Option<String> {
    let texts: Vec<&str> = fields.values().filter_map(Value::as_str).collect();
    (!texts.is_empty()).then(|| texts.join(": "))
}
