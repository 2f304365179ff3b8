//! `import`: what people already have is shown, asked about, and brought in once.

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use serde_json::{Value, json};

use crate::sandbox::{Run, Sandbox};

const DECIDED: &str = "We decided to keep sessions in SQLite because the proxy drops idle sockets.";

/// A user with a session of Claude Code in this project, and other things that they remember.
struct User(Sandbox);

impl User {
    fn new() -> Self {
        Self(Sandbox::ready())
    }

    fn home(&self) -> PathBuf {
        self.0.home().join("user")
    }

    fn claude(&self) -> PathBuf {
        let project = std::fs::canonicalize(self.0.project()).unwrap();
        let one = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
        let slug: String = project.to_string_lossy().chars().map(one).collect();
        self.home().join(".claude/projects").join(slug)
    }

    fn write(&self, path: &Path, text: &str) -> String {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
        path.to_string_lossy().into_owned()
    }

    fn session(&self) {
        let record = |n: u32, role: &str, content: &Value| {
            json!({
                "type": role, "message": { "role": role, "id": format!("m{n}"), "content": content },
                "uuid": format!("u{n}"), "isSidechain": false, "sessionId": "s1", "cwd": self.0.project(),
                "timestamp": "2026-03-16T16:51:11.000Z",
            })
        };
        let said = [
            record(1, "user", &json!("Which database?")),
            record(2, "assistant", &json!([{ "type": "text", "text": DECIDED }])),
        ];
        let text: String = said.iter().map(|record| format!("{record}\n")).collect();
        let path = self.write(&self.claude().join("s1.jsonl"), &text);
        // As if it had been said a little while ago, so that nothing is taken for half said.
        let past = SystemTime::now() - Duration::from_secs(10);
        std::fs::OpenOptions::new().append(true).open(path).unwrap().set_modified(past).unwrap();
    }

    fn command(&self, arguments: &[&str]) -> Run {
        let run = self.0.command(arguments).env("HOME", self.home()).env("USERPROFILE", self.home());
        ["CLAUDE_CONFIG_DIR", "CODEX_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "APPDATA"]
            .into_iter()
            .fold(run, Run::without)
    }

    fn texts(&self) -> Vec<String> {
        let listed = self.0.run(["list", "--json"]).code(0).json();
        let entries = listed["memories"].as_array().unwrap();
        let texts = entries.iter().map(|entry| entry["text"].as_str().unwrap().to_owned());
        texts.filter(|text| !text.contains("TODO")).collect()
    }
}

#[test]
fn everything_of_a_project_is_found_shown_and_imported_once() {
    let user = User::new();
    user.command(&["import"]).go().code(0).says("nothing of this project was found to import");
    user.session();
    user.write(&user.claude().join("memory/MEMORY.md"), "# Memory\n- The tests need a running Postgres\n");
    user.write(&user.home().join("basic-memory/tea.md"), "---\npermalink: tea\n---\n- [fact] Tea is green\n");
    let before = user.0.tree();
    let shown = user.command(&["import", "--dry-run"]).go().code(0);
    let shown =
        shown.says("Claude Code").says("1 session, all new").says("claude-memory").says("1 memory, all new");
    shown.says("agent-memory import basic-memory");
    user.command(&["import"]).go().code(2).says("1 session, all new").talks("--yes");
    user.command(&["import", "--json"]).go().code(2).fails_as("E_NEEDS_CONFIRMATION");
    let theirs = |tree: Vec<(String, Vec<u8>)>| -> Vec<(String, Vec<u8>)> {
        tree.into_iter().filter(|(path, _)| !path.starts_with("project/.memory/.vault")).collect()
    };
    assert_eq!(theirs(user.0.tree()), theirs(before), "a look changes nothing");

    let done = user.command(&["import", "--yes", "--json"]).go().code(0).json();
    assert_eq!((&done["imported"], &done["kept"]), (&json!(true), &json!(2)), "{done}");
    assert_eq!(done["sessions"]["decisionsExtracted"], 1);
    let mut texts = user.texts();
    texts.sort();
    assert_eq!(texts, ["The tests need a running Postgres", DECIDED]);
    let again = user.command(&["import", "--yes"]).go().code(0);
    again.says("1 session, nothing new").says("nothing new to import");
    let look = user.command(&["import", "--dry-run", "--json"]).go().code(0).json();
    assert_eq!((&look["new"], &look["sources"][1]["before"]), (&json!(0), &json!(1)), "{look}");
    assert_eq!(look["offered"][0]["kind"], "basic-memory");
}

#[test]
fn a_kind_and_a_path_or_one_of_them() {
    let user = User::new();
    let graph = r#"{"type":"entity","name":"Ana","entityType":"person","observations":["Likes tea"]}"#;
    let path = user.write(&user.home().join("x/memory.jsonl"), graph);
    let done = user.command(&["import", &path, "--yes", "--json"]).go().code(0).json();
    assert_eq!((&done["sources"][0]["kind"], &done["kept"]), (&json!("server-memory"), &json!(1)));
    user.command(&["import", "server-memory", &path, "--yes"]).go().code(0).says("nothing new to import");
    user.write(&user.home().join("basic-memory/tea.md"), "---\npermalink: tea\n---\n- [fact] Tea is green\n");
    let done = user.command(&["import", "basic-memory", "--agent", "dev", "--yes"]).go().code(0);
    done.says("basic-memory: kept 1 fact").says("imported 1 memory");
    assert!(user.0.read("dev/facts.md").contains("Tea is green"));
    user.command(&["import", "chatgpt"]).go().code(2).talks("conversations.json");
    user.command(&["import", "nowhere.json", "--json"]).go().code(2).fails_as("E_NO_FILE");
    user.command(&["import", "nonsense", &path]).go().code(3).talks("known are memory");
    let odd = user.write(&user.home().join("odd.bin"), "x");
    user.command(&["import", &odd, "--json"]).go().code(1).fails_as("E_UNKNOWN_SOURCE");
    let zip = user.write(&user.home().join("export.zip"), "PK\u{3}\u{4}");
    user.command(&["import", "chatgpt", &zip, "--yes"]).go().code(1).talks("unpack it");
}

#[test]
fn a_source_of_which_nothing_can_be_kept_is_a_failure() {
    let user = User::new();
    let path = user.home().join("bin.md");
    std::fs::create_dir_all(user.home()).unwrap();
    std::fs::write(&path, "The build\0needs a key\n").unwrap();
    let path = path.to_string_lossy().into_owned();
    user.command(&["import", "markdown", &path, "--yes"]).go().code(1).talks("warning");
    let graph = user.write(&user.home().join("memory.jsonl"), "broken\n");
    user.command(&["import", "server-memory", &graph, "--yes"]).go().code(1).talks("memory.jsonl:1");
}

#[test]
fn broken_records_are_named_and_cost_nothing_else() {
    let user = User::new();
    let token = format!("ghp_{}", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8");
    let lines = format!(
        "{{\"type\":\"entity\",\"name\":\"CI\",\"observations\":[\"uses {token}\"]}}\nbroken\n{{\"type\":\"entity\"}}\n"
    );
    let path = user.write(&user.home().join("memory.jsonl"), &lines);
    let done = user.command(&["import", &path, "--yes"]).go().code(0);
    let done = done.says("1 credential masked").says("2 could not be read").talks("memory.jsonl:2");
    assert!(!done.stdout.contains(&token));
    assert!(user.texts()[0].contains("[redacted:"), "{:?}", user.texts());
    user.command(&["import", &path, "--yes", "--json"]).go().code(0);
}

#[test]
fn another_memory_is_imported_by_name_until_it_is_approved() {
    let user = User::new();
    let entry = "<!-- id:1773679871839 -->\n## 2026-03-16T16:51 · #sse\n\nWe use SSE\n\n---\n";
    let file = user.0.project().join(".agent-memory/dev/decisions.md");
    user.write(&file, entry);
    let shown = user.command(&["import", "--yes"]).go().code(0).says("nothing of this project was found");
    assert!(shown.stdout.contains("agent-memory import memory "), "{}", shown.stdout);
    let done = user.command(&["import", ".agent-memory", "--yes"]).go().code(0);
    done.says("memory: kept 1 decision").says("2026-03-16");
    let kept = user.0.read("dev/decisions.md");
    assert!(kept.contains("## 2026-03-16T16:51 · #imported #sse") && kept.contains("foreign"), "{kept}");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), entry);
    assert!(!user.0.project().join(".agent-memory/.vault").exists());
    user.write(
        &file,
        &format!("{entry}<!-- id:1773679871838 -->\n## 2026-03-16T16:50\n\nFridays are calm\n\n---\n"),
    );
    user.command(&["trust", "--dir", ".agent-memory", "--yes"]).go().code(0);
    user.command(&["import", "--yes"]).go().code(0).says("2 memories, 1 new").says("memory: kept 1 decision");
    let listed = user.0.run(["list", "--json", "--agent", "dev"]).code(0).json();
    let classes: Vec<&Value> =
        listed["memories"].as_array().unwrap().iter().map(|entry| &entry["provenance"]["class"]).collect();
    assert_eq!(classes, ["foreign", "human-edit"]);
    user.command(&["import", ".memory", "--yes"]).go().code(1).talks("this memory itself");
}
