//! `scan` and `review`.

use serde_json::Value;

use crate::sandbox::Sandbox;

fn list(json: &Value, name: &str) -> Vec<Value> {
    json[name].as_array().unwrap().clone()
}

#[test]
fn nothing_found_is_said_and_ends_well() {
    let sandbox = Sandbox::ready();
    sandbox.remember("We decided to use SSE for the feed");
    sandbox.remember("The user prefers short answers");
    sandbox.run(["scan"]).code(0).says("scanned 2 memories").says("nothing found");
    let json = sandbox.run(["scan", "--json"]).code(0).json();
    assert_eq!((&json["ok"], &json["memories"]), (&Value::Bool(true), &2.into()));
    sandbox.run(["review"]).code(0).says("(nothing to review)");
}

#[test]
fn contradictions_stand_side_by_side_and_are_settled_by_hand() {
    let sandbox = Sandbox::ready();
    let old = sandbox.remember("We decided to use Postgres");
    let new = sandbox.remember("We use MySQL for the main database");
    sandbox.remember("We use SQLite for the tests");
    let ran = sandbox.run(["scan", "--only", "contradiction"]).code(1);
    let ran = ran.says("contradictions (1)").says("database: one says `postgres`, the other `mysql`");
    ran.says(&old).says(&new).says("dev/decisions.md:").says("agent-memory review");
    let before = sandbox.read("dev/decisions.md");
    sandbox.run(["review"]).code(0).says("1. ").says("review --accept N");
    assert_eq!(sandbox.read("dev/decisions.md"), before, "nothing is done unasked");
    sandbox.run(["review", "--accept", "7"]).code(2).talks("`agent-memory review` lists them");
    let json = sandbox.run(["review", "--json"]).code(0).json();
    let proposal = list(&json, "proposals").remove(0);
    assert_eq!(
        (&proposal["old"]["id"], &proposal["new"]["id"]),
        (&Value::from(old.clone()), &Value::from(new.clone()))
    );
    sandbox.run(["review", "--accept", "1"]).code(0).says(&format!("superseded {old} by {new}"));
    sandbox.run(["scan", "--only", "contradiction"]).code(0);
    sandbox.run(["list"]).code(0).says(&format!("[superseded by {new}] We decided to use Postgres"));
}

#[test]
fn what_was_dismissed_does_not_come_back() {
    let sandbox = Sandbox::ready();
    let old = sandbox.remember("The port is 8080");
    let new = sandbox.remember("The port is 9090");
    let key = list(&sandbox.run(["review", "--json"]).code(0).json(), "proposals")[0]["key"].clone();
    sandbox.run(["review", "--dismiss", key.as_str().unwrap()]).code(0).says(&format!("dismissed {old}"));
    sandbox.run(["review"]).code(0).says("(nothing to review)");
    sandbox.run(["scan"]).code(0);
    // Another text is another matter.
    sandbox.run(["edit", &new, "-c", "The port is 7070"]).code(0);
    sandbox.run(["review", "--accept", &old]).code(0);
    assert_eq!(sandbox.run(["show", &old, "--json"]).code(0).json()["extra"]["supersededBy"], new.as_str());
}

#[test]
fn near_duplicates_and_old_memories() {
    let sandbox = Sandbox::ready();
    sandbox.remember("The proxy drops idle sockets after some minutes");
    sandbox.remember("Our proxy drops idle sockets after some minutes!");
    let old = "<!-- id:1700000000000 -->\n## 2023-11-14T22:13\n\nThe office wifi is called copper\n\n---\n";
    sandbox.write("dev/facts.md", old);
    sandbox.write(
        "dev/preferences.md",
        old.replace("1700000000000", "1700000000001")
            .replace("The office wifi is called", "I like the colour"),
    );
    let json = sandbox.run(["scan", "--json"]).code(1).json();
    assert_eq!(list(&json, "duplicates").len(), 1, "{json}");
    let stale = list(&json, "stale");
    assert_eq!(stale.len(), 1, "a preference does not age: {json}");
    assert_eq!(stale[0]["memory"]["file"], "dev/facts.md");
    let json = sandbox.run(["scan", "--only", "stale", "--json"]).code(1).json();
    assert_eq!((list(&json, "duplicates").len(), list(&json, "stale").len()), (0, 1));
    sandbox
        .run(["scan"])
        .code(1)
        .says("near-duplicates (1)")
        .says("not changed for long (1)")
        .says("supersede OLD NEW");
}

#[test]
fn code_that_changed_is_told_until_it_is_confirmed() {
    let sandbox = Sandbox::ready();
    let source = sandbox.project().join("src/auth");
    std::fs::create_dir_all(&source).unwrap();
    let write = |text: &str| std::fs::write(source.join("token.rs"), text).unwrap();
    write(
        "pub struct TokenStore;\n\nimpl TokenStore {\n    pub fn refresh(&self) -> u8 {\n        1\n    }\n}\n",
    );
    std::fs::write(sandbox.project().join("package.json"), r#"{"scripts":{"build":"vite build"}}"#).unwrap();
    let id = sandbox.remember("`TokenStore::refresh` in src/auth/token.rs retries twice; try npm run build");
    sandbox.run(["scan", "--only", "code"]).code(0).says("3 names of code as they were");
    write(
        "pub struct TokenStore;\n\nimpl TokenStore {\n    pub fn refresh(&self) -> u8 {\n        2\n    }\n}\n",
    );
    std::fs::write(sandbox.project().join("package.json"), r#"{"scripts":{"bundle":"vite build"}}"#).unwrap();
    let ran = sandbox.run(["scan"]).code(1);
    let ran = ran
        .says("drifted  TokenStore::refresh  changed since it was named")
        .says("drifted  src/auth/token.rs");
    ran.says("drifted  npm run build  is now `bundle` in `package.json`").says(&id).says("dev/notes.md:");
    sandbox.run(["scan", "--confirm", &id]).code(0).says(&format!("confirmed {id}")).says("1 name in them");
    let json = sandbox.run(["scan", "--json"]).code(1).json();
    assert_eq!(list(&json, "code").len(), 1, "the script is still gone: {json}");
    assert_eq!(json["code"][0]["verdict"], "gone");
    sandbox.run(["scan", "--confirm", "123"]).code(2);
    // A path that was never here, below a folder that is.
    sandbox.remember("See src/auth/session.rs for the cookie and other/place.rs for the rest");
    let json = sandbox.run(["scan", "--only", "code", "--json"]).code(1).json();
    let names: Vec<Value> = list(&json, "code").iter().map(|it| it["names"].clone()).collect();
    assert!(
        names.contains(&"src/auth/session.rs".into()) && !names.contains(&"other/place.rs".into()),
        "{json}"
    );
}
