//! Sessions in databases: what comes out, that cursors hold, and that nothing beside a foreign database is made.

use std::path::{Path, PathBuf};

use memory_core::session::{Client, Message};
use rusqlite::Connection;

use super::{read, shown, source};
use crate::harness::{Begin, Cursor, Tail, Until, read_tail};

const OPENCODE: &str = "
    CREATE TABLE session(id TEXT PRIMARY KEY, parent_id TEXT, directory TEXT, time_updated INTEGER);
    CREATE TABLE message(id TEXT PRIMARY KEY, session_id TEXT, time_created INTEGER, data TEXT);
    CREATE TABLE part(id TEXT PRIMARY KEY, message_id TEXT, session_id TEXT, data TEXT);
    INSERT INTO session VALUES ('s1', NULL, '/p', 5), ('s2', 's1', '/p', 6);
    INSERT INTO message VALUES
        ('m1', 's1', 1, '{\"role\":\"user\",\"time\":{\"created\":1794724715395}}'),
        ('m2', 's1', 2, '{\"role\":\"assistant\",\"modelID\":\"x\",\"time\":{\"created\":2,\"completed\":3}}'),
        ('m3', 's2', 2, '{\"role\":\"user\"}');
    INSERT INTO part VALUES
        ('p1', 'm1', 's1', '{\"type\":\"text\",\"text\":\"\\\"Ask\\\"\"}'),
        ('p2', 'm1', 's1', '{\"type\":\"text\",\"text\":\"injected\",\"synthetic\":true}'),
        ('p3', 'm2', 's1', '{\"type\":\"reasoning\",\"text\":\"hm\"}'),
        ('p4', 'm2', 's1', '{\"type\":\"tool\",\"tool\":\"bash\",\"state\":{\"status\":\"error\",\"input\":{\"command\":\"ls\"},\"output\":\"secret\"}}'),
        ('p5', 'm2', 's1', '{\"type\":\"text\",\"text\":\"Look\"}'),
        ('p6', 'm3', 's2', '{\"type\":\"text\",\"text\":\"a subagent''s task\"}');";

const GOOSE: &str = "
    CREATE TABLE sessions(id TEXT PRIMARY KEY, session_type TEXT, working_dir TEXT);
    CREATE TABLE messages(id INTEGER PRIMARY KEY AUTOINCREMENT, message_id TEXT, session_id TEXT, role TEXT,
        content_json TEXT, created_timestamp INTEGER);
    INSERT INTO sessions VALUES ('s1', 'user', '/p');
    INSERT INTO messages(message_id, session_id, role, content_json, created_timestamp) VALUES
        ('m1', 's1', 'user', '[{\"type\":\"text\",\"text\":\"Ask\"}]', 1794724589),
        ('m2', 's1', 'assistant', '[{\"type\":\"text\",\"text\":\"Look\"},{\"type\":\"toolRequest\",\"id\":\"k\",\"toolCall\":{\"value\":{\"name\":\"bash\",\"arguments\":{\"command\":\"ls\"}}}}]', 1794724590),
        ('m3', 's1', 'user', '[{\"type\":\"toolResponse\",\"id\":\"k\",\"toolResult\":{\"status\":\"error\"}}]', 1794724591);";

fn made(folder: &Path, sql: &str) -> (PathBuf, Connection) {
    let path = folder.join("a b%?#.db");
    let db = Connection::open(&path).unwrap();
    db.execute_batch(sql).unwrap();
    (path, db)
}

fn names(folder: &Path) -> Vec<String> {
    let entries =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = entries.collect();
    names.sort();
    names
}

fn step(client: Client, path: &Path, from: &Cursor, until: Until) -> (Vec<Message>, Tail) {
    let mut messages = Vec::new();
    let tail =
        read_tail(&source(client, path, Some("s1")), from, until, &mut |it| messages.push(it)).unwrap();
    (messages, tail)
}

#[test]
fn both_databases_are_read_and_followed() {
    let more = [
        (
            Client::OpenCode,
            OPENCODE,
            "
            INSERT INTO message VALUES ('m4', 's1', 4, '{\"role\":\"assistant\",\"time\":{\"created\":4}}');
            INSERT INTO part VALUES ('p9', 'm4', 's1', '{\"type\":\"text\",\"text\":\"Found\"}');",
        ),
        (
            Client::Goose,
            GOOSE,
            "
            INSERT INTO messages(message_id, session_id, role, content_json, created_timestamp)
            VALUES ('m4', 's1', 'assistant', '[{\"type\":\"text\",\"text\":\"Found\"}]', 1794724592);",
        ),
    ];
    for (client, sql, more) in more {
        let folder = tempfile::tempdir().unwrap();
        let (path, db) = made(folder.path(), sql);
        let (messages, first) = step(client, &path, &Cursor::default(), Until::Settled);
        let found: Vec<String> = messages.iter().map(shown).collect();
        assert_eq!(found, ["user: Ask", "agent: Look {bash `ls` failed}"], "{client}");
        assert_eq!((messages[0].cwd.as_deref(), messages[0].at.is_some()), (Some("/p"), true));
        let (messages, same) = step(client, &path, &first.cursor, Until::End);
        assert_eq!((messages.len(), same.begin), (0, Begin::Continued), "{client}");
        db.execute_batch(more).unwrap();
        let (messages, next) = step(client, &path, &first.cursor, Until::End);
        let found: Vec<String> = messages.iter().map(shown).collect();
        assert_eq!((found, next.begin), (vec!["agent: Found".to_owned()], Begin::Continued), "{client}");
        db.execute_batch(if client == Client::OpenCode {
            "DELETE FROM message"
        } else {
            "DELETE FROM messages"
        })
        .unwrap();
        let (messages, gone) = step(client, &path, &next.cursor, Until::End);
        assert_eq!((messages.len(), gone.begin), (0, Begin::Rewritten), "{client}");
    }
}

#[test]
fn where_a_person_went_back_to_nothing_more_counts() {
    let folder = tempfile::tempdir().unwrap();
    let (path, db) = made(folder.path(), OPENCODE);
    db.execute_batch("ALTER TABLE session ADD COLUMN revert TEXT").unwrap();
    let (messages, first) = step(Client::OpenCode, &path, &Cursor::default(), Until::End);
    assert_eq!((messages.len(), first.rewound.len()), (2, 0));
    let revert = |to: &str| db.execute("UPDATE session SET revert = ?1 WHERE id = 's1'", [to]).unwrap();
    revert("{\"messageID\":\"m2\",\"snapshot\":\"x\"}");
    let (messages, _) = step(Client::OpenCode, &path, &Cursor::default(), Until::End);
    assert_eq!(messages.iter().map(shown).collect::<Vec<_>>(), ["user: Ask"]);
    let (messages, next) = step(Client::OpenCode, &path, &first.cursor, Until::End);
    assert_eq!((messages.len(), next.begin), (0, Begin::Continued));
    assert_eq!(next.rewound.iter().map(|turn| turn.as_str()).collect::<Vec<_>>(), ["m2"]);
    // A part of a message, a message that is not there, and what is no JSON say nothing.
    for other in ["{\"messageID\":\"m2\",\"partID\":\"p5\"}", "{\"messageID\":\"m9\"}", "m2", ""] {
        revert(other);
        let (messages, tail) = step(Client::OpenCode, &path, &Cursor::default(), Until::End);
        assert_eq!((messages.len(), tail.rewound.len()), (2, 0), "{other}");
    }
}

#[test]
fn what_nobody_sees_in_goose_was_not_said() {
    let folder = tempfile::tempdir().unwrap();
    let (path, db) = made(folder.path(), GOOSE);
    db.execute_batch(
        "ALTER TABLE messages ADD COLUMN metadata_json TEXT;
         UPDATE messages SET metadata_json = '{\"userVisible\":true}';
         INSERT INTO messages(message_id, session_id, role, content_json, created_timestamp, metadata_json) VALUES
         ('m4', 's1', 'user', '[{\"type\":\"text\",\"text\":\"a summary\"}]', 1794724592, '{\"userVisible\":false}');",
    )
    .unwrap();
    let (messages, _) = step(Client::Goose, &path, &Cursor::default(), Until::End);
    let found: Vec<String> = messages.iter().map(shown).collect();
    assert_eq!(found, ["user: Ask", "agent: Look {bash `ls` failed}"]);
}

#[test]
fn a_session_in_a_database_changes_by_itself_alone() {
    let folder = tempfile::tempdir().unwrap();
    let home = folder.path().join("home");
    let project = folder.path().canonicalize().unwrap().join("p");
    std::fs::create_dir_all(project.join(".git")).unwrap();
    std::fs::write(project.join(".git/HEAD"), "ref: refs/heads/main\n").unwrap();
    let at = |place: &str| {
        let path = home.join(place);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        let db = Connection::open(&path).unwrap();
        db.execute_batch("PRAGMA journal_mode = WAL").unwrap();
        db
    };
    let open = at(".local/share/opencode/opencode.db");
    open.execute_batch(&OPENCODE.replace("/p", &project.display().to_string())).unwrap();
    let goose = at(".local/share/goose/sessions/sessions.db");
    let tables = GOOSE.replace("/p", &project.display().to_string());
    goose.execute_batch(&tables).unwrap();
    goose
        .execute_batch("ALTER TABLE sessions ADD COLUMN updated_at TEXT DEFAULT '2026-11-15 06:53:43'")
        .unwrap();
    let looks = || {
        let homes = crate::harness::Homes::at(crate::harness::System::Linux, &home);
        let all = crate::harness::sessions(&homes, &crate::project::project_of(&project));
        let look = |client: Client| {
            let found = all.found.iter().find(|found| found.client == client);
            let found = found.unwrap_or_else(|| panic!("{client}: {all:?}"));
            (found.modified, found.size)
        };
        (look(Client::OpenCode), look(Client::Goose))
    };
    let before = looks();
    assert_eq!(before.1.0.iso(), "2026-11-15T06:53:43.000Z");
    open.execute_batch("INSERT INTO session VALUES ('s3', NULL, '/elsewhere', 9)").unwrap();
    goose
        .execute_batch("INSERT INTO sessions VALUES ('s9', 'user', '/elsewhere', '2026-12-15 06:53:43')")
        .unwrap();
    assert_eq!(looks(), before);
    goose
        .execute_batch(
            "INSERT INTO messages(message_id, session_id, role, content_json, created_timestamp)
             VALUES ('m4', 's1', 'user', '[]', 1794724592)",
        )
        .unwrap();
    assert_ne!(looks().1, before.1);
}

#[test]
fn an_answer_that_is_being_written_waits() {
    let folder = tempfile::tempdir().unwrap();
    let (path, db) = made(folder.path(), OPENCODE);
    db.execute_batch(
        "UPDATE message SET data = '{\"role\":\"assistant\",\"time\":{\"created\":2}}' WHERE id = 'm2'",
    )
    .unwrap();
    let (messages, first) = step(Client::OpenCode, &path, &Cursor::default(), Until::Settled);
    assert_eq!((messages.len(), first.held_back), (1, true));
    db.execute_batch(
        "UPDATE message SET data = '{\"role\":\"assistant\",\"time\":{\"completed\":3}}' WHERE id = 'm2'",
    )
    .unwrap();
    let (messages, next) = step(Client::OpenCode, &path, &first.cursor, Until::Settled);
    assert_eq!((messages.len(), next.held_back), (1, false));
    assert_eq!(read(Client::OpenCode, &path, Some("s2")).0, [], "a session that another one started");
    assert_eq!(read(Client::OpenCode, &path, Some("nobody")).0, []);
}

#[test]
fn nothing_is_made_beside_a_foreign_database() {
    let folder = tempfile::tempdir().unwrap();
    let (path, db) = made(folder.path(), &format!("PRAGMA journal_mode = WAL; {OPENCODE}"));
    let with_log = names(folder.path());
    assert_eq!(with_log.len(), 3);
    let (messages, tail) = step(Client::OpenCode, &path, &Cursor::default(), Until::End);
    assert_eq!((messages.len(), tail.defects.len()), (2, 0), "what is only in the log is read too");
    assert_eq!(names(folder.path()), with_log);
    // A copy of a running program's files, without the companion that only memory holds.
    let copy = tempfile::tempdir().unwrap();
    let file = path.file_name().unwrap().to_str().unwrap();
    for ending in ["", "-wal"] {
        std::fs::copy(format!("{}{ending}", path.display()), copy.path().join(format!("{file}{ending}")))
            .unwrap();
    }
    let before = names(copy.path());
    let copied = source(Client::OpenCode, &copy.path().join(file), Some("s1"));
    // Its tables may stand in the log alone; then it cannot be read, and still nothing is made.
    let _ = read_tail(&copied, &Cursor::default(), Until::End, &mut |_| {});
    assert_eq!(names(copy.path()), before);
    drop(db);
    assert_eq!(names(folder.path()), [file]);
    assert_eq!(step(Client::OpenCode, &path, &Cursor::default(), Until::End).0.len(), 2);
    assert_eq!(names(folder.path()), [file]);
    std::fs::write(&path, "this is no database").unwrap();
    assert!(
        read_tail(&source(Client::OpenCode, &path, Some("s1")), &Cursor::default(), Until::End, &mut |_| {})
            .is_err()
    );
}
