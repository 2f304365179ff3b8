//! `supersede`, and what held when.

use serde_json::Value;

use crate::sandbox::Sandbox;

fn found(sandbox: &Sandbox, arguments: &[&str]) -> Vec<String> {
    let json = sandbox.command(arguments.iter().chain(&["--json"])).go().code(0).json();
    let list =
        json.get("results").or(json.get("memories")).and_then(Value::as_array).cloned().unwrap_or_default();
    list.iter().map(|it| it["id"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn what_was_superseded_leaves_search_and_keeps_its_text() {
    let sandbox = Sandbox::ready();
    let old = sandbox.remember("The port is 8080");
    let new = sandbox.remember("The port is 9090");
    sandbox.run(["index", "update"]).code(0);
    sandbox.run(["supersede", &old, &new]).code(0).says(&format!("superseded {old} by {new}"));
    // With an index that is behind, with one that is not, and without any.
    for prepare in [&["list"][..], &["index", "update"], &["index", "rebuild"]] {
        sandbox.command(prepare).go().code(0);
        assert_eq!(found(&sandbox, &["search", "port"]), [new.as_str()]);
        assert_eq!(found(&sandbox, &["search", "--superseded", "8080"])[0], old);
    }
    std::fs::remove_dir_all(sandbox.file(".vault/index")).unwrap();
    assert_eq!(found(&sandbox, &["search", "port"]), [new.as_str()]);
    assert!(sandbox.read("dev/notes.md").contains("The port is 8080"));
    sandbox.run(["list"]).code(0).says(&format!("[superseded by {new}] The port is 8080"));
    sandbox.run(["show", &old]).code(0).says(&format!("superseded by {new}"));
    sandbox.run(["search", "--superseded", "8080"]).code(0).says(&format!("superseded by {new}"));
    let heir = sandbox.run(["show", &new, "--json"]).code(0).json();
    assert_eq!(heir["provenance"]["lineage"], serde_json::json!([old]));
    // The mark stands in the markdown, so it outlives the ledger.
    std::fs::remove_dir_all(sandbox.file(".vault")).unwrap();
    assert_eq!(found(&sandbox, &["search", "port"]), [new.as_str()]);
    sandbox.run(["supersede", &old, &new]).code(0).says("is superseded already by");
    sandbox.run(["supersede", "--undo", &old]).code(0).says("holds again");
    sandbox.run(["supersede", "--undo", &old, "--json"]).code(0).says("\"changed\":false");
    assert_eq!(found(&sandbox, &["search", "port"]).len(), 2);
    assert_eq!(sandbox.run(["show", &new, "--json"]).code(0).json()["provenance"]["lineage"], Value::Null);
}

#[test]
fn what_cannot_be_is_refused_and_changes_nothing() {
    let sandbox = Sandbox::ready();
    let [a, b, c] = ["alpha rule", "beta rule", "gamma rule"].map(|text| sandbox.remember(text));
    sandbox.run(["supersede", &a, &a]).code(1).talks("cannot take its own place");
    sandbox.run(["supersede", &a, "123"]).code(2).talks("no memory has the id `123`");
    sandbox.run(["supersede", "123", &a]).code(2).talks("no memory has the id `123`");
    sandbox.run(["supersede", "--undo", "123"]).code(2);
    sandbox.run(["supersede", &a]).code(3);
    sandbox.run(["supersede", &a, &b]).code(0);
    sandbox.run(["supersede", &b, &c]).code(0);
    let before = sandbox.read("dev/notes.md");
    sandbox.run(["supersede", &c, &a]).code(1).talks("each would stand for the other");
    sandbox.run(["supersede", &a, &c]).code(1).talks(&format!("supersede --undo {a}"));
    sandbox.run(["supersede", &a, &c, "--json"]).code(1).fails_as("E_NOT_SUPERSEDED");
    sandbox.write("dev/tasks.md", "written by hand, without an entry\n");
    let loose = found(&sandbox, &["list", "--kind", "task"]).remove(0);
    sandbox.run(["supersede", &loose, &a]).code(1).talks("plain text without an entry");
    assert_eq!(sandbox.read("dev/notes.md"), before);
}

#[test]
fn a_day_shows_what_held_then() {
    let sandbox = Sandbox::ready();
    let entry = |id: &str, day: &str, meta: &str, text: &str| {
        format!("<!-- id:{id} -->\n## {day}T09:00\n{meta}\n{text}\n\n---\n\n")
    };
    let mark = "<!-- meta:{\"extra\":{\"supersededBy\":\"1772600000000\",\"supersededAt\":\"2026-03-04T10:00:00Z\"}} -->\n";
    let text = entry("1772600000000", "2026-03-04", "", "We decided to use Postgres as the database")
        + &entry("1771400000000", "2026-02-18", mark, "We decided to use MySQL as the database");
    sandbox.write("dev/decisions.md", text);
    let (old, new) = ("1771400000000", "1772600000000");
    for index in [&["list"][..], &["index", "rebuild"]] {
        sandbox.command(index).go().code(0);
        assert_eq!(found(&sandbox, &["search", "database"]), [new]);
        assert_eq!(found(&sandbox, &["search", "--as-of", "2026-03-01", "database"]), [old]);
        assert_eq!(found(&sandbox, &["search", "--as-of", "2026-02-01", "database"]), [""; 0]);
        assert_eq!(found(&sandbox, &["search", "--as-of", "2026-03-05", "database"]), [new]);
        assert_eq!(found(&sandbox, &["list", "--as-of", "2026-03-01"]), [old]);
        assert_eq!(found(&sandbox, &["list"]), [new, old]);
    }
}

#[test]
fn as_of_a_moment_memories_have_the_words_of_then() {
    let sandbox = Sandbox::ready();
    let id = sandbox.run(["remember", "--json", "The api listens on port 8080"]).code(0).json()["id"].clone();
    let id = id.as_str().unwrap();
    let then = sandbox.run(["show", "--json", id]).json()["created"].as_str().unwrap().to_owned();
    sandbox.run(["edit", id, "The api listens on port 9090"]).code(0);
    for command in [&["search", "api"][..], &["list"]] {
        let now = sandbox.command(command).go().code(0).stdout;
        assert!(now.contains("9090") && !now.contains("8080"), "{now}");
        let before = sandbox.command([command, &["--as-of", &then]].concat()).go().code(0).stdout;
        assert!(before.contains("8080") && !before.contains("9090"), "{before}");
    }
}

#[test]
fn records_and_journals_carry_the_mark_too() {
    for layout in ["record", "journal"] {
        let sandbox = Sandbox::ready();
        sandbox.write("config.toml", format!("[memory]\nlayout = \"{layout}\"\n"));
        let ids = ["The port is 8080", "The port is 9090"].map(|text| {
            let ran = sandbox.run(["remember", "--json", text]).code(0);
            ran.json()["id"].as_str().unwrap().to_owned()
        });
        sandbox.run(["supersede", &ids[0], &ids[1]]).code(0);
        assert_eq!(found(&sandbox, &["search", "port"]), [ids[1].as_str()], "{layout}");
        std::fs::remove_dir_all(sandbox.file(".vault")).unwrap();
        assert_eq!(found(&sandbox, &["search", "port"]), [ids[1].as_str()], "{layout}");
        sandbox.run(["supersede", "--undo", &ids[0]]).code(0);
        std::fs::remove_dir_all(sandbox.file(".vault")).unwrap();
        assert_eq!(found(&sandbox, &["search", "port"]).len(), 2, "{layout}");
    }
}
