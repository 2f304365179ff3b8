//! What others remember is brought in once, with its dates, masked, and without a byte of theirs changed.

use std::fs;
use std::path::PathBuf;

use memory_engine::core::id::AgentId;
use memory_engine::core::kind::Kind;
use memory_engine::core::scope::{Scope, SourceClass};
use memory_engine::core::time::Time;
use memory_engine::import::{Unit, guess};
use memory_engine::{Entry, Filter, Format, Import, Imported, Memory, Reach, Search};

use crate::sandbox::{Asked, Sandbox};

/// A root, and beside it what another program left.
struct Given {
    sandbox: Sandbox,
    memory: Memory,
}

impl Given {
    fn new() -> Self {
        let sandbox = Sandbox::new();
        let memory = sandbox.open();
        Self { sandbox, memory }
    }

    /// Writes a file of the other program.
    fn file(&self, name: &str, text: impl AsRef<[u8]>) -> PathBuf {
        let path = self.sandbox.beside(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        path
    }

    fn asked(&self, format: Format, name: &str) -> Import {
        Import { format, path: self.sandbox.beside(name), agent: None, reach: Reach::Project }
    }

    /// Imports twice: the look before tells what comes, the second run brings in nothing, and theirs is untouched.
    fn take(&self, format: Format, name: &str) -> Imported {
        let asked = self.asked(format, name);
        let before = self.sandbox.outside();
        let look = self.memory.look_at_import(&asked, &mut |_| {}).unwrap();
        assert_eq!((look.before, look.kept_count()), (0, 0));
        let done = self.memory.import(&asked, &mut |_| {}).unwrap();
        assert_eq!((done.found, done.new, done.dates), (look.found, look.new, look.dates));
        let texts = self.memory.texts();
        let again = self.memory.import(&asked, &mut |_| {}).unwrap();
        assert_eq!(
            (again.new, again.before, again.kept_count()),
            (again.found - done.before - done.new, done.found, 0)
        );
        assert_eq!(self.memory.texts(), texts);
        assert_eq!(self.sandbox.outside(), before, "the source was changed");
        done
    }

    /// Every entry, in the order of its text.
    fn entries(&self) -> Vec<Entry> {
        let mut all = self.memory.list(&Filter::default()).unwrap();
        all.sort_by(|a, b| a.memory.body.cmp(&b.memory.body));
        all
    }

    fn texts(&self) -> Vec<String> {
        self.entries().iter().map(|entry| entry.memory.body.as_str().to_owned()).collect()
    }

    fn entry(&self, begin: &str) -> Entry {
        let found = self.entries().into_iter().find(|entry| entry.memory.body.as_str().starts_with(begin));
        found.unwrap_or_else(|| panic!("no entry begins with {begin:?}: {:?}", self.texts()))
    }
}

fn time(text: &str) -> Time {
    Time::parse(text).unwrap()
}

const GRAPH: &str = r#"{"type":"entity","name":"Ana_Lima","entityType":"person","observations":["Prefers tea over coffee","Leads the billing team"]}
{"type":"entity","name":"Acme","entityType":"company","observations":[]}
not json at all
{"type":"relation","from":"Ana_Lima","to":"Acme","relationType":"works_at"}
{"type":"something-else"}"#;

#[test]
fn a_knowledge_graph() {
    let given = Given::new();
    given.file("memory.jsonl", GRAPH);
    let done = given.take(Format::ServerMemory, "memory.jsonl");
    assert_eq!((done.found, done.kept_count(), done.defects.len()), (4, 4, 2));
    assert!(done.defects[0].0.ends_with("memory.jsonl:3"), "{:?}", done.defects);
    assert_eq!(
        given.texts(),
        [
            "Acme (company)",
            "Ana_Lima works at Acme",
            "Ana_Lima: Leads the billing team",
            "Ana_Lima: Prefers tea over coffee"
        ]
    );
    let entry = given.entry("Ana_Lima: Prefers");
    assert_eq!((entry.memory.kind, entry.memory.provenance.class), (Kind::Fact, SourceClass::Agent));
    assert_eq!(entry.memory.provenance.origin, "server-memory");
    assert_eq!(entry.memory.tags.iter().map(|tag| tag.as_str()).collect::<Vec<_>>(), ["imported", "person"]);
    let answer = given.memory.search(&Search::new("what does Ana drink")).unwrap();
    assert!(answer.hits[0].entry.memory.body.as_str().contains("tea"));
}

#[test]
fn what_grew_there_comes_and_what_was_forgotten_here_stays_away() {
    let given = Given::new();
    given.file("memory.jsonl", GRAPH);
    given.take(Format::ServerMemory, "memory.jsonl");
    let gone = given.entry("Ana_Lima: Leads").memory.id;
    given.memory.forget(&[gone], memory_engine::Forget::Archive).unwrap();
    let edited = given.entry("Acme").memory.id;
    given.memory.reword(&edited, "Acme was bought");
    given.file("memory.jsonl", GRAPH.replace("\"Leads the", "\"Plays chess\",\"Leads the"));
    let done = given.memory.import(&given.asked(Format::ServerMemory, "memory.jsonl"), &mut |_| {}).unwrap();
    assert_eq!((done.found, done.new, done.before), (5, 1, 4));
    assert_eq!(
        given.texts(),
        [
            "Acme was bought",
            "Ana_Lima works at Acme",
            "Ana_Lima: Plays chess",
            "Ana_Lima: Prefers tea over coffee"
        ]
    );
}

#[test]
fn without_the_list_of_what_was_imported_the_door_still_knows() {
    let given = Given::new();
    given.file("memory.jsonl", GRAPH);
    given.take(Format::ServerMemory, "memory.jsonl");
    fs::remove_file(given.sandbox.place(".vault/imported")).unwrap();
    let done = given.memory.import(&given.asked(Format::ServerMemory, "memory.jsonl"), &mut |_| {}).unwrap();
    assert_eq!((done.new, done.duplicates, done.kept_count()), (4, 4, 0));
}

#[test]
fn credentials_are_masked() {
    let given = Given::new();
    let token = format!("ghp_{}", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8");
    given.file("NOTES.md", format!("- The deploy key is {token}\n"));
    let done = given.take(Format::Markdown, "NOTES.md");
    assert_eq!((done.masked, done.kept_count()), (1, 1));
    assert!(given.texts()[0].contains("[redacted:"), "{:?}", given.texts());
    let kept = given.sandbox.everything();
    assert!(kept.values().all(|bytes| !bytes.windows(token.len()).any(|part| part == token.as_bytes())));
}

#[test]
fn markdown_lists_and_paragraphs() {
    let given = Given::new();
    let text = "# Project\n\nA clock that shows tides.\n\n## Decisions\n- SSE, and no sockets\n- Postgres\n  for billing\n";
    let path = given.file("CLAUDE.md", text);
    crate::sandbox::date(
        &path,
        std::time::SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(1_773_679_871),
    );
    let done = given.take(Format::Markdown, "CLAUDE.md");
    assert_eq!(done.kept_count(), 3);
    let entry = given.entry("Postgres");
    assert_eq!(
        (entry.memory.kind, entry.memory.title.as_deref()),
        (Kind::Decision, Some("Project › Decisions"))
    );
    assert_eq!(entry.memory.created, time("2026-03-16T16:51:11Z"));
    assert_eq!(entry.memory.provenance.class, SourceClass::HumanEdit);
    given.file("docs/CLAUDE.md", text);
    let done = given.memory.import(&given.asked(Format::Markdown, "docs"), &mut |_| {}).unwrap();
    assert_eq!(done.new, 0, "the same lines elsewhere are the same memories");
}

#[test]
fn a_file_that_is_not_utf8_is_left_and_named() {
    let given = Given::new();
    given.file("notes/old.md", b"- o servi\xe7o corre na porta 8080\n");
    given.file("notes/new.md", "- o serviço corre na porta 9090\n");
    let done = given.memory.import(&given.asked(Format::Markdown, "notes"), &mut |_| {}).unwrap();
    assert_eq!(done.kept_count(), 1);
    assert!(
        done.defects.iter().any(|(file, why)| file.ends_with("old.md") && why.contains("UTF-8")),
        "{done:?}"
    );
}

#[test]
fn notes_of_basic_memory() {
    let given = Given::new();
    given.file(
        "notes/coffee/Brewing.md",
        "---\ntitle: Coffee Brewing\ntype: note\npermalink: coffee/brewing\ntags:\n- coffee\ncreated: 2026-01-05T10:00:00\n---\n\
         # Coffee Brewing\n\nWater matters most.\n\n## Observations\n- [decision] Use the V60 for guests #v60 (tested)\n- [ ] not one\n\n\
         ## Relations\n- relates_to [[Coffee Origins]]\n",
    );
    given.file("notes/broken.md", [0xff, 0xfe, b'x']);
    given.file("notes/.obsidian/hidden.md", "- [fact] hidden");
    let done = given.take(Format::BasicMemory, "notes");
    assert_eq!((done.kept_count(), done.defects.len()), (2, 1), "{:?}", given.texts());
    let entry = given.entry("Use the V60");
    assert_eq!((entry.memory.kind, entry.memory.title.as_deref()), (Kind::Decision, Some("Coffee Brewing")));
    assert_eq!(entry.memory.created, time("2026-01-05T10:00:00Z"));
    let tags: Vec<&str> = entry.memory.tags.iter().map(|tag| tag.as_str()).collect();
    assert_eq!(tags, ["imported", "coffee", "decision", "v60"]);
    let note = given.entry("# Coffee Brewing");
    assert_eq!(note.memory.key.unwrap().as_str(), "import:basic-memory:coffee/brewing");
    assert!(note.memory.body.as_str().contains("- [ ] not one"));
    assert!(note.memory.body.as_str().ends_with("- relates to Coffee Origins"));
    given.file("notes/coffee/Brewing.md", "---\npermalink: coffee/brewing\n---\nOther words\n");
    let done = given.memory.import(&given.asked(Format::BasicMemory, "notes"), &mut |_| {}).unwrap();
    assert_eq!((done.new, done.taken, done.kept_count()), (1, 1, 0));
}

#[test]
fn the_memory_of_claude_code() {
    let given = Given::new();
    let folder = "claude/projects/-tmp-shop/memory";
    given.file(
        &format!("{folder}/MEMORY.md"),
        "# Memory\n- [Style](style.md) — spaces\n- The tests need a running Postgres\n",
    );
    given.file(
        &format!("{folder}/style.md"),
        "---\nname: style\ndescription: How code looks\nmetadata:\n  type: feedback\n---\n\nFour spaces, never tabs.\n",
    );
    assert_eq!(guess(&given.sandbox.beside(folder)).unwrap().0, Format::ClaudeMemory);
    let done = given.take(Format::ClaudeMemory, folder);
    assert_eq!(given.texts(), ["Four spaces, never tabs.", "The tests need a running Postgres"]);
    assert_eq!(done.kept_count(), 2);
    let entry = given.entry("Four");
    assert_eq!(
        (entry.memory.kind, entry.memory.title.as_deref()),
        (Kind::Preference, Some("How code looks"))
    );
    assert_eq!(entry.memory.provenance.class, SourceClass::Agent);
    // What changes there later stays as it is here, and the import says so.
    given.file(&format!("{folder}/style.md"), "---\nname: style\n---\n\nTwo spaces, never tabs.\n");
    let done = given.memory.import(&given.asked(Format::ClaudeMemory, folder), &mut |_| {}).unwrap();
    assert_eq!((done.new, done.taken, done.kept_count()), (1, 1, 0));
    assert_eq!(given.texts().len(), 2);
    // A file of that name in the folder of another checkout is another thing.
    let other = "claude/projects/-tmp-shop-two/memory";
    given.file(&format!("{other}/style.md"), "---\nname: style\n---\n\nEight spaces in this one.\n");
    assert_eq!(given.take(Format::ClaudeMemory, other).kept_count(), 1);
}

#[test]
fn a_memory_whose_key_is_taken_comes_without_it() {
    let given = Given::new();
    given.file("other/.memory/dev/decisions.md", "<!-- id:1773679871839 -->\n## 2026-03-16T16:51\n<!-- meta:{\"key\":\"style\"} -->\n\nWe indent with tabs.\n");
    let key = memory_engine::core::id::Key::parse("style").unwrap();
    let own = memory_engine::Draft {
        key: Some(key.clone()),
        scope: Some(Scope::Agent(AgentId::parse("dev").unwrap())),
        ..memory_engine::Draft::note("We indent with blanks.")
    };
    given.memory.remember(own).unwrap();
    let done = given.take(Format::Memory, "other/.memory");
    assert_eq!((done.kept_count(), done.taken, done.unkeyed), (1, 0, 1));
    assert_eq!(given.entry("We indent with tabs").memory.key, None);
    assert_eq!(given.entry("We indent with blanks").memory.key, Some(key));
}

#[test]
fn the_database_of_claude_mem() {
    let given = Given::new();
    let path = given.sandbox.beside("claude-mem.db");
    let db = rusqlite::Connection::open(&path).unwrap();
    db.execute_batch(
        "CREATE TABLE observations (id INTEGER PRIMARY KEY, memory_session_id TEXT, project TEXT, text TEXT, type TEXT, title TEXT,
           subtitle TEXT, facts TEXT, narrative TEXT, concepts TEXT, created_at_epoch INTEGER);
         CREATE TABLE session_summaries (id INTEGER PRIMARY KEY, memory_session_id TEXT, project TEXT, request TEXT, learned TEXT,
           next_steps TEXT, created_at_epoch INTEGER);",
    )
    .unwrap();
    let own = given.sandbox.place("").parent().unwrap().file_name().unwrap().to_string_lossy().into_owned();
    let add = "INSERT INTO observations VALUES (?1, 's1', ?2, NULL, ?3, ?4, NULL, ?5, 'The proxy drops idle sockets.', '[\"how it works\"]', 1773679871000)";
    db.execute(add, rusqlite::params![1, own, "decision", "SSE it is", "[\"Sockets die after 60 s\"]"])
        .unwrap();
    db.execute(add, rusqlite::params![2, "elsewhere", "bugfix", "Other", "broken json"]).unwrap();
    // A checkout of the project.
    let checkout = format!("{own}/feature");
    db.execute(add, rusqlite::params![4, checkout, "decision", "In a checkout", "[]"]).unwrap();
    db.execute(
        "INSERT INTO observations VALUES (3, 's1', ?1, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL)",
        [&own],
    )
    .unwrap();
    db.execute("INSERT INTO session_summaries VALUES (1, 's1', ?1, 'Fix sockets', 'Proxies are old', NULL, 1773679872000)", [&own]).unwrap();
    drop(db);
    let done = given.take(Format::ClaudeMem, "claude-mem.db");
    assert_eq!((done.found, done.kept_count(), done.defects.len(), done.left), (3, 3, 1, 1));
    let entry = given.entry("SSE it is");
    assert_eq!(
        entry.memory.body.as_str(),
        "SSE it is\n\nThe proxy drops idle sockets.\n\n- Sockets die after 60 s"
    );
    assert_eq!(
        (entry.memory.kind.clone(), entry.memory.created),
        (Kind::Decision, time("2026-03-16T16:51:11Z"))
    );
    assert_eq!(entry.memory.provenance.session.unwrap().as_str(), "s1");
    assert!(entry.memory.tags.iter().any(|tag| tag.as_str() == "how-it-works"));
    assert_eq!(given.entry("Request: Fix sockets").memory.kind, Kind::Summary);
    let all = Import { reach: Reach::Everything, ..given.asked(Format::ClaudeMem, "claude-mem.db") };
    assert_eq!(given.memory.import(&all, &mut |_| {}).unwrap().new, 1);
    given.file("other.db", "no database");
    let failed = given.memory.import(&given.asked(Format::ClaudeMem, "other.db"), &mut |_| {}).unwrap_err();
    assert_eq!(failed.code(), "E_NOT_IMPORTABLE");
}

fn chatgpt() -> String {
    let node = |id: &str, parent: &str, role: &str, at: u64, text: &str| {
        serde_json::json!({ "id": id, "parent": parent, "message": { "id": id, "author": { "role": role }, "create_time": at,
            "content": { "content_type": "text", "parts": [text] } } })
    };
    let chat = serde_json::json!([
        { "title": "Sockets", "conversation_id": "c1", "update_time": 1_773_679_999.5, "current_node": "b",
          "mapping": {
            "r": { "id": "r", "parent": null, "message": null },
            "a": node("a", "r", "user", 1_773_679_871, "Which transport should we take?"),
            "b": node("b", "a", "assistant", 1_773_679_872, "We decided to use SSE because the proxy drops idle sockets."),
            "c": node("c", "a", "assistant", 1_773_679_873, "We decided to use long polling because it is simple enough."),
          } },
        { "title": "no mapping" },
    ]);
    chat.to_string()
}

#[test]
fn an_export_of_chatgpt() {
    let given = Given::new();
    given.file("export/conversations-000.json", chatgpt());
    given.file("export/conversations-001.json", r#"[{"title":"cut","mapping":{"a":"#);
    assert_eq!(guess(&given.sandbox.beside("export")).unwrap().0, Format::ChatGpt);
    let done = given.take(Format::ChatGpt, "export");
    assert_eq!(given.texts(), ["We decided to use SSE because the proxy drops idle sockets."]);
    assert_eq!(done.defects.len(), 2, "{:?}", done.defects);
    let entry = given.entry("We decided");
    assert_eq!(
        (entry.memory.kind.clone(), entry.memory.created),
        (Kind::Decision, time("2026-03-16T16:51:12Z"))
    );
    let from = entry.memory.provenance;
    assert_eq!(
        (from.origin.as_str(), from.session.unwrap().as_str(), from.turn.unwrap().as_str()),
        ("chatgpt", "c1", "b")
    );
}

#[test]
fn an_export_of_claude() {
    let given = Given::new();
    let chats = serde_json::json!([{ "uuid": "c1", "name": "Sockets", "created_at": "2026-03-16T16:51:11Z", "chat_messages": [
        { "uuid": "m1", "sender": "human", "text": "Which transport should we take?", "created_at": "2026-03-16T16:51:11Z" },
        { "uuid": "m2", "sender": "assistant", "created_at": "2026-03-16T16:51:12Z",
          "content": [{ "type": "tool_use", "name": "web_search" }, { "type": "text", "text": "We decided to use SSE because the proxy drops idle sockets." }] },
    ] }]);
    given.file("conversations.json", chats.to_string());
    let (format, path) = guess(&given.sandbox.beside("conversations.json")).unwrap();
    assert_eq!(format, Format::ClaudeAi);
    assert!(path.ends_with("conversations.json"));
    given.take(Format::ClaudeAi, "conversations.json");
    let entry = given.entry("We decided");
    assert_eq!(entry.memory.provenance.class, SourceClass::Untrusted, "the agent had read the web");
    assert_eq!(entry.memory.created, time("2026-03-16T16:51:12Z"));
}

#[test]
fn archives_are_refused_with_what_to_do() {
    let given = Given::new();
    given.file("export.zip", b"PK\x03\x04rest");
    let failed = guess(&given.sandbox.beside("export.zip")).unwrap_err();
    assert!(failed.to_string().contains("unpack it"), "{failed}");
    let failed = given.memory.import(&given.asked(Format::ChatGpt, "export.zip"), &mut |_| {}).unwrap_err();
    assert_eq!(failed.code(), "E_NOT_IMPORTABLE");
}

#[test]
fn saved_conversations_go_to_the_agent_they_are_named_after() {
    let given = Given::new();
    let said = "We decided to use SSE because the proxy drops idle sockets.";
    let messages = serde_json::json!([
        { "role": "user", "text": "Which transport?", "at": "2026-03-16T16:51:11Z" },
        { "role": "agent", "text": said, "at": "2026-03-16T16:51:12Z" },
    ]);
    given.file("conversations/dev.json", serde_json::json!({ "messages": messages }).to_string());
    given.file("conversations/ops.json", serde_json::json!([{ "role": "user", "text": "We learned that the cache lies after an upgrade of it." }]).to_string());
    assert_eq!(guess(&given.sandbox.beside("conversations")).unwrap().0, Format::Conversations);
    let done = given.take(Format::Conversations, "conversations");
    assert_eq!((done.unit, done.found, done.new), (Unit::Session, 2, 2));
    let entry = given.entry(said);
    assert_eq!(entry.memory.scope, Scope::Agent(AgentId::parse("dev").unwrap()));
    assert_eq!(entry.memory.created, time("2026-03-16T16:51:12Z"));
    assert!(given.entries().iter().any(|entry| entry.file == "ops/lessons.md"), "{:?}", given.texts());
}

#[test]
fn another_memory_keeps_what_it_knows() {
    let given = Given::new();
    given.file("other/.memory/dev/decisions.md", "<!-- id:1773679871839 -->\n## 2026-03-16T16:51 · #sse\n<!-- meta:{\"key\":\"transport\",\"class\":\"agent\",\"origin\":\"codex\"} -->\n\nWe use SSE\n\n---\n\nWritten by hand\n");
    given.file(
        "other/.memory/records/2026-05-15-release-plan-a1b2c3d4.md",
        "---\n{\"id\":\"2026-05-15-release-plan-a1b2c3d4\",\"title\":\"Release plan\",\"tags\":[\"release\"],\"metadata\":{\"createdAt\":\"2026-05-15T08:00:00Z\"}}\n---\nShip on Tuesday\n",
    );
    given.file("other/.memory/MEMORY.md", "# Memory\n\n- {\"id\":\"m1\",\"text\":\"The user prefers tea\",\"category\":\"user-preference\",\"at\":\"2026-02-01T00:00:00Z\"}\n- {\"id\":broken}\n");
    given.file("other/.memory/memory/2026-02-01.md", "- {\"id\":\"m1\",\"text\":\"The user prefers tea\",\"category\":\"user-preference\",\"at\":\"2026-02-01T00:00:00Z\"}\n");
    let (format, path) = guess(&given.sandbox.beside("other")).unwrap();
    assert_eq!(format, Format::Memory);
    assert!(path.ends_with(".memory"));
    let done = given.take(Format::Memory, "other/.memory");
    assert_eq!(done.found, 4, "the line that stands twice counts once: {:?}", given.texts());
    assert_eq!(done.defects.len(), 1);
    let entry = given.entry("We use SSE");
    assert_eq!(entry.file, "dev/decisions.md");
    assert_eq!(entry.memory.created, time("2026-03-16T16:51:11.839Z"));
    assert_eq!(entry.memory.key.unwrap().as_str(), "transport");
    assert_eq!(
        (entry.memory.provenance.origin.as_str(), entry.memory.provenance.class),
        ("codex", SourceClass::Foreign)
    );
    let by_hand = given.entry("Written by hand").memory.provenance.class;
    assert_eq!(by_hand, SourceClass::Foreign, "nobody approved that root");
    let record = given.entry("Ship on Tuesday");
    assert_eq!(record.memory.created, time("2026-05-15T08:00:00Z"));
    assert_eq!((record.memory.title.as_deref(), record.memory.scope), (Some("Release plan"), Scope::Project));
    assert_eq!(given.entry("The user prefers tea").memory.kind, Kind::Preference);
    let itself = Import { path: given.sandbox.place(""), ..given.asked(Format::Memory, "") };
    assert_eq!(given.memory.import(&itself, &mut |_| {}).unwrap_err().code(), "E_NOT_IMPORTABLE");
}

#[test]
fn of_another_memory_only_what_holds_and_was_written_comes() {
    let given = Given::new();
    given.file("other/.memory/dev/decisions.md", "<!-- id:1773679871840 -->\n## 2026-03-16T16:51\n\nThe port is 9090\n\n---\n\n<!-- id:1773679871839 -->\n## 2026-03-16T16:51\n<!-- meta:{\"supersededBy\":\"1773679871840\",\"supersededAt\":\"2026-03-17T00:00:00Z\"} -->\n\nThe port is 8080\n");
    let page = "# Shop\n\n<!-- TODO: what it is for -->\n\n## Stack\n\n<!-- TODO: languages -->\n";
    given.file("other/.memory/_project.md", page);
    let done = given.take(Format::Memory, "other/.memory");
    assert_eq!((given.texts(), done.found), (vec!["The port is 9090".to_owned()], 1));
    given.file("third/.memory/_project.md", page.replace("<!-- TODO: languages -->", "- Language: Rust"));
    given.take(Format::Memory, "third/.memory");
    assert_eq!(given.texts(), ["# Shop\n\n## Stack\n\n- Language: Rust", "The port is 9090"]);
}

#[test]
fn a_state_with_its_history() {
    let given = Given::new();
    let event = |n: u32, signals: &str| {
        format!(
            r#"{{"id":"evt-00000{n}","kind":"imported_session","sourceId":"x","createdAt":"2026-03-0{n}T00:00:00.000Z","contentHash":"h{n}","summary":"s","signals":{signals},"sourceRef":"r"}}"#
        )
    };
    let signals = r#"{"decisions":["Use SSE"],"gotchas":["The cache lies"],"nextStepHints":["Write docs"],"keyPaths":[],"validationObservations":[]}"#;
    given.file("other/history/events.jsonl", format!("{}\nbroken\n", event(1, signals)));
    given.file("other/state.json", "{}");
    let done = given.take(Format::Memory, "other");
    assert_eq!(given.texts(), ["- [ ] Write docs", "The cache lies", "Use SSE"]);
    assert_eq!(done.defects.len(), 2, "{:?}", done.defects);
    assert_eq!(given.entry("Use SSE").memory.created, time("2026-03-01T00:00:00Z"));
}

#[test]
fn what_cannot_be_told_apart_asks_for_a_name() {
    let given = Given::new();
    given.file("x.bin", "nothing known");
    given.file("empty/readme.txt", "x");
    for name in ["x.bin", "empty"] {
        let failed = guess(&given.sandbox.beside(name)).unwrap_err();
        assert_eq!(failed.code(), "E_UNKNOWN_SOURCE", "{failed}");
        assert!(failed.to_string().contains("import --help"));
    }
    assert_eq!(guess(&given.sandbox.beside("gone")).unwrap_err().code(), "E_IO");
    let check = |name: &str, text: &str, expect: Format| {
        assert_eq!(guess(&given.file(name, text)).unwrap().0, expect, "{name}");
    };
    check("a/memory.jsonl", GRAPH, Format::ServerMemory);
    check("a/AGENTS.md", "- x", Format::Markdown);
    check("a/conversations.json", &chatgpt(), Format::ChatGpt);
    check("a/dev.json", r#"{"messages":[]}"#, Format::Conversations);
    given.file("vault/note.md", "---\npermalink: x\n---\ntext");
    assert_eq!(guess(&given.sandbox.beside("vault")).unwrap().0, Format::BasicMemory);
}

#[cfg(unix)]
#[test]
fn links_inside_a_source_lead_nowhere() {
    let given = Given::new();
    given.file("secret/key.md", "- a secret of somebody else\n");
    given.file("notes/own.md", "- my own note\n");
    std::os::unix::fs::symlink(given.sandbox.beside("secret/key.md"), given.sandbox.beside("notes/link.md"))
        .unwrap();
    std::os::unix::fs::symlink(given.sandbox.beside("secret"), given.sandbox.beside("notes/folder")).unwrap();
    given.take(Format::Markdown, "notes");
    assert_eq!(given.texts(), ["my own note"]);
}
