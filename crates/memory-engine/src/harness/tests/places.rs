//! Where sessions lie on each system, which of them belong to a project, and what a project is.

use std::path::{Path, PathBuf};

use memory_core::session::Client;

use crate::harness::{Homes, Sessions, System, sessions};
use crate::project::{Project, project_of};

fn write(path: &Path, text: &str) {
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}

fn repository(folder: &Path) -> PathBuf {
    write(&folder.join(".git/HEAD"), "ref: refs/heads/main\n");
    folder.to_owned()
}

/// A second checkout of a repository, as `git worktree add` makes it.
fn checkout(of: &Path, folder: &Path, name: &str) {
    let own = of.join(".git/worktrees").join(name);
    write(&own.join("commondir"), "../..\n");
    write(&own.join("gitdir"), &format!("{}\n", folder.join(".git").display()));
    write(&folder.join(".git"), &format!("gitdir: {}\n", own.display()));
}

fn real(folder: &tempfile::TempDir) -> PathBuf {
    folder.path().canonicalize().unwrap()
}

#[test]
fn all_checkouts_of_a_repository_are_one_project() {
    let folder = tempfile::tempdir().unwrap();
    let top = real(&folder);
    let main = repository(&top.join("main"));
    checkout(&main, &top.join("elsewhere"), "elsewhere");
    std::fs::create_dir_all(main.join("src/deep")).unwrap();
    let project = project_of(&main);
    assert_eq!((project.root.clone(), project.common.clone()), (main.clone(), Some(main.join(".git"))));
    assert_eq!(project.checkouts, [top.join("elsewhere"), main.clone()]);
    for same in ["main/src/deep", "elsewhere", "main/src/../src", "main/not/there"] {
        assert_eq!(project_of(&top.join(same)), project, "{same}");
        assert!(project.holds(&top.join(same)), "{same}");
    }
    // A repository inside another, and a submodule, are projects of their own.
    repository(&main.join("vendor/inner"));
    write(&main.join(".git/modules/sub/HEAD"), "x");
    write(&main.join("sub/.git"), "gitdir: ../.git/modules/sub\n");
    for other in ["main/vendor/inner", "main/sub", "", "elsewhere2", "mainly"] {
        assert!(!project.holds(&top.join(other)), "{other}");
    }
    assert_eq!(project_of(&main.join("sub")).root, main.join("sub"));
}

#[test]
fn without_a_repository_the_folder_with_the_memory_is_the_project() {
    let folder = tempfile::tempdir().unwrap();
    let top = real(&folder);
    std::fs::create_dir_all(top.join("a/b/c")).unwrap();
    let is_alone = |path: &str| project_of(&top.join(path)).root == top.join(path);
    assert!(is_alone("a/b") && is_alone("a/b/c") && !project_of(&top.join("a")).holds(&top.join("a/b")));
    std::fs::create_dir(top.join("a/.memory")).unwrap();
    assert_eq!(project_of(&top.join("a/b/c")).root, top.join("a"));
    assert!(project_of(&top.join("a")).holds(&top.join("a/b")));
    // A file that points nowhere makes no repository.
    write(&top.join("d/.git"), "gitdir: /nowhere/at/all\n");
    assert_eq!(project_of(&top.join("d")).common, None);
}

fn found(sessions: &Sessions) -> Vec<(Client, String)> {
    let name = |session: &crate::harness::Found| session.session.as_ref().map(|id| id.as_str().to_owned());
    let mut found: Vec<_> =
        sessions.found.iter().map(|it| (it.client, name(it).unwrap_or_default())).collect();
    found.sort();
    found
}

#[test]
fn a_session_is_found_by_the_folder_in_its_records() {
    let folder = tempfile::tempdir().unwrap();
    let top = real(&folder);
    let home = top.join("home");
    let main = repository(&top.join("dev/a-b"));
    checkout(&main, &top.join("dev/second"), "second");
    std::fs::create_dir_all(main.join("src")).unwrap();
    // This one has the same name as a folder of clients, and is another project.
    let twin = repository(&top.join("dev/a/b"));
    let slug = |path: &Path| path.display().to_string().replace(|c: char| !c.is_ascii_alphanumeric(), "-");
    let claude = |cwd: &Path, id: &str| {
        let text = format!(
            "{{\"type\":\"queue-operation\"}}\n{{\"type\":\"user\",\"cwd\":\"{}\",\"sessionId\":\"{id}\",\"message\":{{\"content\":\"x\"}}}}\n",
            cwd.display()
        );
        write(&home.join(".claude/projects").join(slug(cwd)).join(format!("{id}.jsonl")), &text);
    };
    claude(&main, "main");
    claude(&twin, "twin");
    claude(&main.join("src"), "inside");
    claude(&top.join("dev/second"), "second");
    claude(&top.join("dev/a-bc"), "longer");
    write(&home.join(".claude/projects").join(slug(&main)).join("main/subagents/agent-1.jsonl"), "{}\n");
    let rollout = |id: &str, cwd: &Path| {
        let text = format!(
            "{{\"type\":\"session_meta\",\"payload\":{{\"id\":\"{id}\",\"cwd\":\"{}\"}}}}\n",
            cwd.display()
        );
        write(&home.join(format!(".codex/sessions/2026/11/15/rollout-{id}.jsonl")), &text);
    };
    rollout("ours", &main);
    rollout("theirs", &twin);
    let cold = home.join(".codex/sessions/2026/11/14/rollout-cold.jsonl.zst");
    write(&cold, "");
    std::fs::write(&cold, b"\x28\xb5\x2f\xfd broken").unwrap();
    let cursor = |id: &str, file: &str| {
        let text = format!(
            "{{\"role\":\"assistant\",\"message\":{{\"content\":[{{\"type\":\"tool_use\",\"name\":\"Read\",\"input\":{{\"path\":\"{file}\"}}}}]}}}}\n"
        );
        let name = slug(&main).trim_start_matches('-').to_owned();
        write(
            &home.join(".cursor/projects").join(name).join(format!("agent-transcripts/{id}/{id}.jsonl")),
            &text,
        );
    };
    cursor("by-files", &main.join("x.rs").display().to_string());
    cursor("by-name", "relative.rs");
    cursor("of-the-twin", &twin.join("x.rs").display().to_string());
    write(&home.join(".gemini/tmp/a-b/.project_root"), &main.display().to_string());
    write(&home.join(".gemini/tmp/a-b/chats/session-1.jsonl"), "{\"sessionId\":\"gem\",\"kind\":\"main\"}\n");
    write(
        &home.join(".gemini/tmp/other/chats/session-2.jsonl"),
        "{\"sessionId\":\"gem2\",\"kind\":\"main\"}\n",
    );
    write(&main.join(".specstory/history/1.md"), "<!-- X Session spec (1) -->\n");
    write(&main.join(".memory/conversations/dev.json"), "{\"messages\":[]}");
    write(&top.join("dev/second/.aider.chat.history.md"), "x");
    let db = home.join(".local/share/opencode/opencode.db");
    std::fs::create_dir_all(db.parent().unwrap()).unwrap();
    let db = rusqlite::Connection::open(db).unwrap();
    db.execute_batch(&format!(
        "CREATE TABLE session(id TEXT, parent_id TEXT, directory TEXT, time_updated INTEGER);
         INSERT INTO session VALUES ('open', NULL, '{}', 5), ('child', 'open', '{}', 5), ('away', NULL, '/x', 5);",
        main.display(), main.display()
    )).unwrap();
    let all = sessions(&Homes::at(System::Linux, &home), &project_of(&main));
    let expect = [
        (Client::ClaudeCode, "inside"),
        (Client::ClaudeCode, "main"),
        (Client::ClaudeCode, "second"),
        (Client::Codex, "ours"),
        (Client::Cursor, "by-files"),
        (Client::Cursor, "by-name"),
        (Client::Gemini, "gem"),
        (Client::OpenCode, "open"),
        (Client::Aider, ""),
        (Client::SpecStory, "spec"),
    ];
    // The conversations beside them lie in a memory that nobody approved, so they are not read.
    assert_eq!(found(&all), expect.map(|(client, id)| (client, id.to_owned())));
    assert_eq!(all.unread.len(), 1, "{:?}", all.unread);
    let main_session =
        all.found.iter().find(|it| it.cwd.as_deref() == Some(&*main.display().to_string())).unwrap();
    assert!(main_session.size > 0 && main_session.modified.0 > 0);
}

#[test]
fn older_forms_tell_their_folder_elsewhere() {
    let folder = tempfile::tempdir().unwrap();
    let top = real(&folder);
    let project = repository(&top.join("p"));
    let home = top.join("home");
    let task = |id: &str, cwd: &Path| {
        let text = format!(
            "[{{\"role\":\"user\",\"content\":[{{\"type\":\"text\",\"text\":\"<task>x</task>\"}},{{\"type\":\"text\",\"text\":\"<environment_details>\\n# Current Working Directory ({}) Files\\n</environment_details>\"}}]}}]",
            cwd.display()
        );
        let storage = ".config/Code/User/globalStorage/saoudrizwan.claude-dev/tasks";
        write(&home.join(storage).join(id).join("api_conversation_history.json"), &text);
    };
    task("ours", &project);
    task("theirs", &top.join("other"));
    let first = |id: &str, cwd: &Path| {
        let text = format!(
            "{{\"id\":\"{id}\",\"timestamp\":\"x\"}}\n{{\"type\":\"message\",\"role\":\"user\",\"content\":[{{\"type\":\"input_text\",\"text\":\"<environment_context>\\n<cwd>{}</cwd>\\n</environment_context>\"}}]}}\n",
            cwd.display()
        );
        write(&home.join(format!(".codex/sessions/2025/05/15/rollout-{id}.jsonl")), &text);
    };
    first("first", &project);
    first("elsewhere", &top.join("other"));
    let digest = |path: &Path| memory_core::state::sha256_hex(path.display().to_string().as_bytes());
    for (path, id) in [(&project, "gem"), (&top.join("other"), "gem2")] {
        let chat = home.join(".gemini/tmp").join(digest(path)).join("chats").join(format!("{id}.json"));
        write(&chat, &format!("{{\"sessionId\":\"{id}\",\"messages\":[]}}"));
    }
    // Of several folders that are open, one is the project's.
    let thread = |id: &str, trees: &[&Path]| {
        let trees: Vec<String> =
            trees.iter().map(|tree| format!("{{\"uri\":\"file://{}\"}}", tree.display())).collect();
        let text = format!(
            "{{\"id\":\"{id}\",\"messages\":[],\"env\":{{\"initial\":{{\"trees\":[{}]}}}}}}",
            trees.join(",")
        );
        write(&home.join(format!(".local/share/amp/threads/{id}.json")), &text);
    };
    thread("T-1", &[&top.join("other"), &project]);
    thread("T-2", &[&top.join("other"), &top.join("more")]);
    let storage = home.join(".config/Code/User/workspaceStorage/1f");
    write(&top.join("all.code-workspace"), "{\"folders\":[{\"path\":\"other\"},{\"path\":\"p\"}]}");
    let workspace = format!("{{\"workspace\":\"file://{}\"}}", top.join("all.code-workspace").display());
    write(&storage.join("workspace.json"), &workspace);
    write(&storage.join("chatSessions/v.json"), "{\"requests\":[]}");
    let all = sessions(&Homes::at(System::Linux, &home), &project_of(&project));
    let expect = [
        (Client::Codex, "first"),
        (Client::Gemini, "gem"),
        (Client::CopilotVsCode, "v"),
        (Client::Cline, "ours"),
        (Client::Amp, "T-1"),
    ];
    assert_eq!(found(&all), expect.map(|(client, id)| (client, id.to_owned())));
}

#[test]
fn most_of_what_an_agent_wrote_tells_whose_a_session_is() {
    let folder = tempfile::tempdir().unwrap();
    let top = real(&folder);
    let project = repository(&top.join("p"));
    let home = top.join("home");
    let session = |id: &str, steps: &[(&str, &str)]| {
        let lines = steps.iter().map(|(kind, path)| {
            let field = if *kind == "run_command" { "cwd" } else { "path" };
            format!("{{\"type\":\"{kind}\",\"{kind}\":{{\"{field}\":\"{}/{path}\"}}}}\n", top.display())
        });
        write(&home.join(format!(".windsurf/transcripts/{id}.jsonl")), &lines.collect::<String>());
    };
    session("viewed", &[("view_file", "p/a"), ("code_action", "other/a"), ("code_action", "other/b")]);
    session("ran-elsewhere", &[("code_action", "p/a"), ("run_command", "tmp")]);
    session("ran-here", &[("view_file", "other/a"), ("run_command", "p"), ("run_command", "tmp")]);
    session("only-elsewhere", &[("view_file", "other/a"), ("run_command", "tmp")]);
    let all = sessions(&Homes::at(System::Linux, &home), &project_of(&project));
    assert_eq!(found(&all), ["ran-elsewhere", "ran-here"].map(|id| (Client::Windsurf, id.to_owned())));
}

#[test]
fn a_torn_file_of_the_project_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let top = real(&folder);
    let project = repository(&top.join("p"));
    let threads = top.join("home/.local/share/amp/threads");
    write(&threads.join("T-1.json"), &format!("{{\"env\":\"file://{}\",\"mess", project.display()));
    write(&threads.join("T-2.json"), "{\"env\":\"file:///elsewhere\",\"mess");
    // A list of sessions is no session.
    write(&threads.join("T-3.json"), &format!("[\"file://{}\"]", project.display()));
    let all = sessions(&Homes::at(System::Linux, top.join("home")), &project_of(&project));
    assert_eq!((all.found.len(), all.unread.len()), (0, 1), "{:?}", all.unread);
    assert!(all.unread[0].0.ends_with("T-1.json"), "{:?}", all.unread);
    let all = crate::harness::sessions_in(&threads, Client::Amp);
    assert_eq!(all.unread.len(), 2, "{:?}", all.unread);
}

#[test]
fn a_picture_in_the_first_prompt_hides_no_session() {
    let folder = tempfile::tempdir().unwrap();
    let top = real(&folder);
    let project = repository(&top.join("p"));
    let picture = "x".repeat(400 << 10);
    let queued = format!("{{\"type\":\"queue-operation\",\"content\":\"{picture}\"}}\n");
    let asked = |id: &str| {
        let cwd = project.display();
        format!(
            "{{\"type\":\"user\",\"message\":{{\"content\":\"{picture}\"}},\"cwd\":\"{cwd}\",\"sessionId\":\"{id}\"}}"
        )
    };
    let slug = project.display().to_string().replace(|c: char| !c.is_ascii_alphanumeric(), "-");
    let at = |id: &str| top.join("home/.claude/projects").join(&slug).join(format!("{id}.jsonl"));
    write(&at("long"), &format!("{queued}{queued}{}\n", asked("long")));
    write(&at("unended"), &asked("unended"));
    write(&at("cut"), &asked("cut")[..300 << 10]);
    let all = sessions(&Homes::at(System::Linux, top.join("home")), &project_of(&project));
    assert_eq!(found(&all), ["long", "unended"].map(|id| (Client::ClaudeCode, id.to_owned())));
}

#[test]
fn a_file_that_is_too_large_to_be_read_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let top = real(&folder);
    let project = repository(&top.join("p"));
    let thread = top.join("home/.local/share/amp/threads/T-1.json");
    write(&thread, "{");
    std::fs::File::options().write(true).open(&thread).unwrap().set_len(33 << 20).unwrap();
    let all = sessions(&Homes::at(System::Linux, top.join("home")), &project_of(&project));
    assert_eq!((all.found.len(), all.unread.len()), (0, 1), "{:?}", all.unread);
    assert!(all.unread[0].0.ends_with("T-1.json") && all.unread[0].1.contains("bytes"), "{:?}", all.unread);
}

#[test]
fn each_system_and_each_variable_has_its_place() {
    let folder = tempfile::tempdir().unwrap();
    let top = real(&folder);
    let project = Project { root: top.join("p"), common: None, checkouts: vec![top.join("p")] };
    let moved = |name: &str, to: &Path| {
        let mut homes = Homes::at(System::Linux, top.join("empty"));
        homes.variables.insert(name.to_owned(), to.to_owned());
        homes
    };
    let line = format!(
        "{{\"type\":\"session_meta\",\"payload\":{{\"id\":\"c\",\"cwd\":\"{}\"}}}}\n",
        top.join("p").display()
    );
    write(&top.join("codex/archived_sessions/rollout-1.jsonl"), &line);
    assert_eq!(
        found(&sessions(&moved("CODEX_HOME", &top.join("codex")), &project)),
        [(Client::Codex, "c".to_owned())]
    );
    let amp = format!(
        "{{\"id\":\"T-1\",\"messages\":[],\"env\":{{\"initial\":{{\"trees\":[{{\"uri\":\"file://{}\"}}]}}}}}}",
        top.join("p").display()
    );
    write(&top.join("xdg/amp/threads/T-1.json"), &amp);
    assert_eq!(
        found(&sessions(&moved("XDG_DATA_HOME", &top.join("xdg")), &project)),
        [(Client::Amp, "T-1".to_owned())]
    );
    let places = [
        (System::Linux, ".config"),
        (System::MacOs, "Library/Application Support"),
        (System::Windows, "AppData/Roaming"),
    ];
    for (system, base) in places {
        let home = top.join(format!("{system:?}"));
        let storage = home.join(base).join("Code/User/workspaceStorage/1f");
        write(
            &storage.join("workspace.json"),
            &format!("{{\"folder\":\"file://{}\"}}", top.join("p").display()),
        );
        write(&storage.join("chatSessions/v.json"), "{\"requests\":[]}");
        let all = sessions(&Homes::at(system, &home), &project);
        assert_eq!(found(&all), [(Client::CopilotVsCode, "v".to_owned())], "{system:?}");
    }
}

#[cfg(unix)]
#[test]
fn links_and_pipes_are_not_followed() {
    use crate::harness::{Cursor, Until, read_tail};
    let folder = tempfile::tempdir().unwrap();
    let top = real(&folder);
    let outside = top.join("outside.jsonl");
    write(&outside, "{\"role\":\"user\",\"message\":{\"content\":\"x\"}}\n");
    std::os::unix::fs::symlink(&outside, top.join("link.jsonl")).unwrap();
    let pipe = top.join("pipe.jsonl");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    for path in [top.join("link.jsonl"), pipe, top.clone()] {
        let source = super::source(Client::Cursor, &path, None);
        let refused = read_tail(&source, &Cursor::default(), Until::End, &mut |_| {}).unwrap_err();
        assert_eq!(refused.code(), "E_NOT_PLAIN", "{}", path.display());
    }
}
