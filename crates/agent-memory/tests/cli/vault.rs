//! `vault`: the vault tool's flags, words, bytes and codes.

use crate::sandbox::Sandbox;

fn add(sandbox: &Sandbox, category: &str, text: &str) -> String {
    let ran = sandbox.run(["vault", "add", "dev", category, "-c", text]).code(0);
    ran.stdout.trim().to_owned()
}

#[test]
fn the_bytes_are_the_references() {
    let sandbox = Sandbox::ready();
    let first = add(&sandbox, "decisions", "We decided to use SSE #sse #architecture");
    let json = sandbox.run(["vault", "get", "dev", "decisions", &first, "--json"]).code(0).json();
    let date = json["date"].as_str().unwrap().to_owned();
    assert_eq!(date.len(), 16);
    let one = format!(
        "<!-- id:{first} -->\n## {date} · #sse #architecture\n\nWe decided to use SSE #sse #architecture\n\n---"
    );
    assert_eq!(sandbox.read("dev/decisions.md"), one);
    let ran = sandbox.run([
        "vault",
        "add",
        "dev",
        "decisions",
        "-t",
        "db,auto-extract",
        "--content",
        "Use #postgres",
        "--json",
    ]);
    let entry = ran.code(0).json();
    let (second, date) = (entry["id"].as_str().unwrap(), entry["date"].as_str().unwrap());
    let two = format!("<!-- id:{second} -->\n## {date} · #db #auto-extract\n\nUse #postgres\n\n---\n\n{one}");
    assert_eq!(sandbox.read("dev/decisions.md"), two);
    let expect = serde_json::json!({
        "id": second, "date": date, "content": "Use #postgres", "tags": ["db", "auto-extract"],
        "agentId": "dev", "category": "decisions",
    });
    assert_eq!(entry, expect);
    let plain = sandbox.run(["vault", "add", "dev", "tasks", "-c", "no tags here", "--json"]).code(0).json();
    let (id, date) = (plain["id"].as_str().unwrap(), plain["date"].as_str().unwrap());
    assert_eq!(sandbox.read("dev/tasks.md"), format!("<!-- id:{id} -->\n## {date}\n\nno tags here\n\n---"));
}

#[test]
fn list_and_get_as_the_reference() {
    let sandbox = Sandbox::ready();
    sandbox.run(["vault", "list", "dev", "lessons"]).code(0).answers("(empty)\n");
    sandbox
        .run(["vault", "list", "dev", "lessons", "--json"])
        .code(0)
        .answers("{\"agentId\":\"dev\",\"category\":\"lessons\",\"entries\":[]}\n");
    let long = format!("first\n\n  line {}", "word ".repeat(60));
    let id = add(&sandbox, "lessons", &long);
    let ran = sandbox.run(["vault", "list", "dev", "lessons"]).code(0);
    let row: Vec<&str> = ran.stdout.trim_end_matches('\n').split('\t').collect();
    assert_eq!(row[0], id);
    assert_eq!(row[1].len(), 16);
    assert_eq!(row[2].chars().count(), 121);
    assert!(row[2].starts_with("first line word word") && row[2].ends_with('…'));
    let json = sandbox.run(["vault", "list", "dev", "lessons", "--json"]).code(0).json();
    assert_eq!(json["entries"][0]["id"], id.as_str());
    assert_eq!(json["entries"][0]["tags"], serde_json::json!([]));
    sandbox.run(["vault", "get", "dev", "lessons", &id]).code(0).answers(&format!("{}\n", long.trim_end()));
}

#[test]
fn missing_entries_are_not_found_in_the_references_words() {
    let sandbox = Sandbox::ready();
    let id = add(&sandbox, "lessons", "x");
    for arguments in [
        vec!["vault", "get", "dev", "lessons", "404"],
        vec!["vault", "get", "dev", "decisions", &id],
        vec!["vault", "get", "ops", "lessons", &id],
        vec!["vault", "edit", "dev", "lessons", "404", "-c", "y"],
        vec!["vault", "delete", "dev", "lessons", "404", "--force"],
        vec!["vault", "edit", "ops", "lessons", &id, "-c", "y"],
    ] {
        let id = arguments[4];
        let ran = sandbox.command(&arguments).go().code(2).answers("");
        assert_eq!(ran.stderr, format!("No entry with id {id}\n"), "{arguments:?}");
        let json = sandbox.command(arguments.iter().chain(&["--json"])).go().code(2).json();
        assert_eq!(
            json,
            serde_json::json!({ "error": format!("No entry with id {id}"), "code": "E_NOT_FOUND" })
        );
    }
    let nowhere = Sandbox::new();
    nowhere.run(["vault", "get", "dev", "lessons", "1"]).code(2).talks("No entry with id 1\n");
    nowhere.run(["vault", "edit", "dev", "lessons", "1", "-c", "x"]).code(2).talks("No entry with id 1\n");
    nowhere.run(["vault", "list", "dev", "lessons"]).code(0).answers("(empty)\n");
    assert!(!nowhere.file("").exists());
}

#[test]
fn edit_and_delete_as_the_reference() {
    let sandbox = Sandbox::ready();
    let id = add(&sandbox, "decisions", "before #a");
    sandbox.run(["vault", "edit", "dev", "decisions", &id, "-c", "after #b"]).code(0).answers("Updated.\n");
    sandbox.run(["vault", "get", "dev", "decisions", &id]).code(0).answers("after #b\n");
    let done = serde_json::json!({ "ok": true, "agentId": "dev", "category": "decisions", "id": id });
    let json = sandbox
        .command(["vault", "edit", "dev", "decisions", &id, "--json"])
        .stdin(" trimmed \n")
        .go()
        .code(0)
        .json();
    assert_eq!(json, done);
    let ran = sandbox.run(["vault", "delete", "dev", "decisions", &id]).code(2).answers("");
    assert_eq!(ran.stderr, "Non-interactive delete requires --force\n");
    assert_eq!(
        sandbox.run(["vault", "delete", "dev", "decisions", &id, "--force", "--json"]).code(0).json(),
        done
    );
    assert_eq!(sandbox.read("dev/decisions.md"), "");
    let id = add(&sandbox, "decisions", "again");
    sandbox
        .run(["vault", "delete", "dev", "decisions", &id, "--force"])
        .code(0)
        .answers("Deleted.\n")
        .talks("agent-memory restore");
}

#[test]
fn categories_are_checked() {
    let sandbox = Sandbox::ready();
    let words = "Invalid category \"x\". Use one of: decisions, lessons, tasks, projects, handoffs";
    sandbox.run(["vault", "list", "dev", "x"]).code(1).talks(words);
    sandbox.run(["vault", "add", "dev", "../x", "-c", "y", "--json"]).code(1).fails_as("E_BAD_CATEGORY");
    Sandbox::new().run(["vault", "add", "dev", "x", "-c", "y"]).code(1).talks(words);
    add(&sandbox, "notes", "a category of ours");
    std::fs::write(sandbox.home().join("config.toml"), "[memory]\ncategories = [\"recipes\"]\n").unwrap();
    add(&sandbox, "recipes", "bread");
    assert!(sandbox.read("dev/recipes.md").contains("bread"));
}

#[test]
fn text_comes_from_flag_file_or_stdin() {
    let sandbox = Sandbox::ready();
    std::fs::write(sandbox.project().join("t.md"), "from a file\n").unwrap();
    sandbox.run(["vault", "add", "dev", "tasks", "-f", "t.md"]).code(0);
    sandbox.command(["vault", "add", "dev", "tasks"]).stdin("  - [ ] from stdin \n\n").go().code(0);
    sandbox.run(["vault", "add", "dev", "tasks", "-c", "- [ ] from a flag"]).code(0);
    let file = sandbox.read("dev/tasks.md");
    assert!(file.contains("from a file\n\n---") && file.contains("- [ ] from stdin\n\n---"), "{file}");
    assert!(file.contains("\n\n- [ ] from a flag\n\n---"), "{file}");
    sandbox.run(["vault", "add", "dev", "tasks"]).code(1);
}

#[test]
fn a_duplicate_prints_the_id_that_is_there() {
    let sandbox = Sandbox::ready();
    let id = add(&sandbox, "tasks", "the same");
    assert_eq!(add(&sandbox, "tasks", "the same"), id);
    assert_ne!(add(&sandbox, "lessons", "the same"), id);
}

#[test]
fn text_that_was_written_by_hand_has_no_date() {
    let sandbox = Sandbox::ready();
    sandbox.write("dev/lessons.md", "Clear the cache after a toolchain change.\n");
    let row = sandbox.run(["vault", "list", "dev", "lessons"]).code(0).says("\tby hand\tClear the cache");
    let id = row.stdout.split('\t').next().unwrap().to_owned();
    let json = sandbox.run(["vault", "list", "dev", "lessons", "--json"]).code(0).json();
    assert!(json["entries"][0]["date"].is_null(), "{json}");
    let json = sandbox.run(["vault", "get", "dev", "lessons", &id, "--json"]).code(0).json();
    assert!(json["date"].is_null() && json["id"] == id.as_str(), "{json}");
    let told = sandbox.run(["inject", "preview", "dev", "toolchain", "cache", "--json"]).code(0);
    assert!(!told.says("Clear the cache").stdout.contains("1970"));
}
