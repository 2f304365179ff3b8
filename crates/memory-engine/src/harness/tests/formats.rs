//! Each client's form: what comes out of a made session, and what must not.

use std::path::Path;

use memory_core::session::{Client, Message};

use super::made::{FILES, LOGS, Made};
use super::{read, shown, source};
use crate::harness::table::ROWS;
use crate::harness::{Begin, Cursor, Until, read_tail};

fn written(made: &Made) -> (tempfile::TempDir, std::path::PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(made.file);
    std::fs::write(&path, made.text).unwrap();
    (folder, path)
}

#[test]
fn every_form_gives_what_was_said_and_nothing_else() {
    for made in LOGS.iter().chain(FILES) {
        let (_folder, path) = written(made);
        let (messages, tail) = read(made.client, &path, None);
        let found: Vec<String> = messages.iter().map(shown).collect();
        assert_eq!(found, made.expect, "{} {}", made.client, made.file);
        assert_eq!(tail.defects, [], "{} {}", made.client, made.file);
        for never in ["secret", "vendor", "injected", "ours", "subagent", "summary"] {
            assert!(!format!("{messages:?}").contains(never), "{} gives {never}", made.client);
        }
    }
}

#[test]
fn every_client_has_a_row_and_all_but_one_a_made_session() {
    for client in Client::all() {
        assert_eq!(ROWS.iter().filter(|row| row.client == client).count(), 1, "{client}");
        let is_made = LOGS.iter().chain(FILES).any(|made| made.client == client);
        assert!(is_made || client == Client::OpenCode, "{client}: its database is made in rows.rs");
    }
}

fn only(client: Client, file: &str) -> Vec<Message> {
    let made = LOGS.iter().chain(FILES).find(|made| made.client == client && made.file == file).unwrap();
    let (_folder, path) = written(made);
    read(client, &path, None).0
}

#[test]
fn messages_carry_what_records_tell_about_them() {
    let messages = only(Client::ClaudeCode, "s1.jsonl");
    let [asked, looked, .., queued, _] = messages.as_slice() else { panic!("{messages:?}") };
    assert_eq!(asked.at.map(|at| at.iso()).as_deref(), Some("2026-11-15T06:47:29.251Z"));
    assert_eq!(asked.session.as_ref().map(|it| it.as_str()), Some("s1"));
    assert_eq!(asked.turn.as_ref().map(|it| it.as_str()), Some("u1"));
    assert_eq!((asked.cwd.as_deref(), asked.model.as_deref()), (Some("/p"), None));
    assert_eq!(
        (looked.model.as_deref(), looked.turn.as_ref().map(|it| it.as_str())),
        (Some("big"), Some("m1"))
    );
    assert_eq!(queued.cwd.as_deref(), Some("/p/sub"));
    let codex = only(Client::Codex, "rollout-1.jsonl");
    assert_eq!(codex[0].turn.as_ref().map(|it| it.as_str()), Some("t/4"));
    assert_eq!(codex[1].model.as_deref(), Some("five"));
    let amp = only(Client::Amp, "T-1.json");
    assert_eq!(amp[0].cwd.as_deref(), Some("/p"));
}

#[test]
fn messages_that_were_taken_back_do_not_come_out() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("session-1.jsonl");
    let said =
        |id: &str, kind: &str| format!("{{\"id\":\"{id}\",\"type\":\"{kind}\",\"content\":\"{id}\"}}\n");
    let all = [said("a", "user"), said("b", "gemini"), said("c", "user"), said("d", "gemini")].concat();
    std::fs::write(&path, format!("{all}{{\"$rewindTo\":\"c\"}}\n{}", said("e", "user"))).unwrap();
    let texts = |messages: Vec<Message>| messages.into_iter().map(|it| it.text).collect::<Vec<_>>();
    assert_eq!(texts(read(Client::Gemini, &path, None).0), ["a", "b", "e"]);

    std::fs::write(&path, &all).unwrap();
    let source = super::source(Client::Gemini, &path, None);
    let mut seen = Vec::new();
    let first = read_tail(&source, &Cursor::default(), Until::Settled, &mut |it| seen.push(it.text)).unwrap();
    assert_eq!(seen, ["a", "b", "c"]);
    std::fs::write(&path, format!("{all}{{\"$rewindTo\":\"c\"}}\n{}", said("e", "user"))).unwrap();
    let next = read_tail(&source, &first.cursor, Until::End, &mut |it| seen.push(it.text)).unwrap();
    assert_eq!((next.begin, seen.last().map(String::as_str)), (Begin::Continued, Some("e")));
    assert_eq!(next.rewound.iter().map(|turn| turn.as_str()).collect::<Vec<_>>(), ["c"]);
    assert!(!seen.contains(&"d".to_owned()), "{seen:?}");
}

#[test]
fn taking_back_in_a_long_session_takes_no_longer() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("session-1.jsonl");
    let said = |id: &str| format!("{{\"id\":\"{id}\",\"type\":\"user\",\"content\":\"{id}\"}}\n");
    let mut all: String = (0..30_000).map(|id| said(&format!("{id:040}"))).collect();
    all.push_str(&format!("{{\"$rewindTo\":\"{:040}\"}}\n{}", 29_990, said("last")));
    std::fs::write(&path, all).unwrap();
    let start = std::time::Instant::now();
    let messages = read(Client::Gemini, &path, None).0;
    let last: Vec<&str> = messages[29_989..].iter().map(|it| it.text.trim_start_matches('0')).collect();
    assert_eq!(last, ["29989", "last"]);
    // Where each name was looked for among all the others it took longer than anybody waits.
    assert!(start.elapsed().as_secs() < 10, "{:?}", start.elapsed());
}

#[test]
fn subagents_are_not_the_conversation() {
    let folder = tempfile::tempdir().unwrap();
    let check = |client: Client, file: &str, text: &str| {
        let path = folder.path().join(file);
        std::fs::write(&path, text).unwrap();
        assert_eq!(read(client, &path, None).0, [], "{text}");
    };
    let codex = r#"{"type":"session_meta","payload":{"id":"1","source":{"subagent":"review"}}}"#;
    let said = r#"{"type":"event_msg","payload":{"type":"user_message","message":"x"}}"#;
    check(Client::Codex, "a.jsonl", &format!("{codex}\n{said}\n"));
    let gemini = r#"{"sessionId":"1","kind":"subagent"}"#;
    check(Client::Gemini, "a.jsonl", &format!("{gemini}\n{}\n", r#"{"id":"1","type":"user","content":"x"}"#));
    check(Client::Cline, "a.json", r#"{"agent":"teammate","messages":[{"role":"user","content":"x"}]}"#);
}

#[test]
fn the_first_rollouts_of_codex_had_bare_messages() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rollout-1.jsonl");
    let text = concat!(
        r#"{"id":"c0","timestamp":"2025-05-01T00:00:00Z","instructions":"vendor"}"#,
        "\n",
        r#"{"record_type":"state"}"#,
        "\n",
        r#"{"type":"message","role":"user","content":[{"type":"input_text","text":"<environment_context>x</environment_context>"}]}"#,
        "\n",
        r#"{"type":"message","role":"user","content":[{"type":"input_text","text":"Ask"}]}"#,
        "\n",
        r#"{"type":"function_call","name":"shell","arguments":"{\"command\":[\"ls\",\"-l\"]}","call_id":"k"}"#,
        "\n",
        r#"{"type":"function_call_output","call_id":"k","output":"{\"output\":\"x\",\"metadata\":{\"exit_code\":0}}"}"#,
        "\n",
        r#"{"type":"message","role":"assistant","content":[{"type":"output_text","text":"Answer"}]}"#,
        "\n",
    );
    std::fs::write(&path, text).unwrap();
    let found: Vec<String> = read(Client::Codex, &path, None).0.iter().map(shown).collect();
    assert_eq!(found, ["user: Ask", "agent:  {shell `ls -l` ok}", "agent: Answer"]);
}

#[test]
fn a_forked_rollout_keeps_its_own_name() {
    let folder = tempfile::tempdir().unwrap();
    let meta = |id: &str| {
        format!("{{\"type\":\"session_meta\",\"payload\":{{\"id\":\"{id}\",\"cwd\":\"/{id}\"}}}}\n")
    };
    let said = "{\"type\":\"event_msg\",\"payload\":{\"type\":\"user_message\",\"message\":\"x\"}}\n";
    let check = |file: &str, session: &str| {
        let path = folder.path().join(file);
        std::fs::write(&path, [meta("own"), meta("parent"), said.to_owned()].concat()).unwrap();
        let messages = read(Client::Codex, &path, None).0;
        assert_eq!(messages[0].session.as_ref().map(|it| it.as_str()), Some(session));
        assert_eq!(messages[0].cwd.as_deref(), Some("/own"));
    };
    check("rollout-1.jsonl", "own");
    let id = "01a1ddeb-cdb9-7fc1-bd5f-01dcffed3107";
    check(&format!("rollout-2026-11-15T06-36-20-{id}.jsonl"), id);
}

#[test]
fn what_is_not_read_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let check = |client: Client, file: &str, bytes: &[u8], codes: &[&str]| {
        let path = folder.path().join(file);
        std::fs::write(&path, bytes).unwrap();
        let (_, tail) = read(client, &path, None);
        assert_eq!(tail.defects.iter().map(|it| it.code).collect::<Vec<_>>(), codes, "{file}");
    };
    check(Client::Codex, "rollout-1.jsonl.zst", b"\x28\xb5\x2f\xfd", &["not-read"]);
    check(
        Client::ClaudeCode,
        "a.jsonl",
        b"{\"type\":\nhello\n{}\n[1]\n\0\0\n\"x\"\n",
        &["broken-record", "broken-record"],
    );
    check(Client::Amp, "T-1.json", b"{\"messages\":[", &["broken-file"]);
    check(Client::Amp, "T-2.json", b"[]", &["broken-file"]);
    check(Client::Conversations, "a.json", b"{}", &["broken-file"]);
    check(Client::ClaudeCode, "b.jsonl", "x\n".repeat(60).as_bytes(), &["broken-record"; 50]);
    let absent = super::source(Client::Amp, Path::new("/nowhere/T-1.json"), None);
    assert!(read_tail(&absent, &Cursor::default(), Until::End, &mut |_| {}).is_err());
}

#[test]
fn a_line_past_the_limit_is_passed_over_and_the_rest_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.jsonl");
    let said = |text: &str| format!("{{\"role\":\"user\",\"message\":{{\"content\":\"{text}\"}}}}\n");
    let long = said(&"x".repeat(50 << 20));
    std::fs::write(&path, [said("before"), long, said("after")].concat()).unwrap();
    let (messages, tail) = read(Client::Cursor, &path, None);
    assert_eq!(messages.iter().map(|it| it.text.as_str()).collect::<Vec<_>>(), ["before", "after"]);
    assert_eq!(tail.defects.iter().map(|it| it.code).collect::<Vec<_>>(), ["line-too-long"]);
}

/// Codex packs sessions that nobody touched for some time.
#[test]
fn a_session_that_was_packed_is_read_as_what_it_was() {
    let packed = "28b52ffd643100dd0500d2cc271950790339512764f9319b4a50fb474c65523071404dcc583d0440599652d98b3fc6ba1cfcb75136f08b\
         2bbf8187c1c537787b3d5d67bfe81fd57ecd5fdbaa9e5dcc76cbe6ec8ce7d9997dfd1de3b2ad9a327f6ce56c7acd41a7940ef400cab239\
         a26bdfb0ead917db2a2177ed8b9bac7ded868d96ebd9f63d9bb40de7ecb96b3b377ecf8612041914a326474d68831442510889418daecd\
         65f6b367f89b0c09002aa3685a948c193f940534ef06250019ce01a3c8b30966c2fa9578";
    let bytes: Vec<u8> =
        (0..packed.len()).step_by(2).map(|at| u8::from_str_radix(&packed[at..at + 2], 16).unwrap()).collect();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rollout-cold.jsonl.zst");
    std::fs::write(&path, &bytes).unwrap();
    let (messages, tail) = read(Client::Codex, &path, None);
    assert_eq!(
        messages.iter().map(|it| it.text.as_str()).collect::<Vec<_>>(),
        ["What did we decide about sqlite?"]
    );
    assert_eq!((messages[0].cwd.as_deref(), tail.defects.len()), (Some("/p"), 0));
    // Nothing is read twice.
    let again =
        read_tail(&source(Client::Codex, &path, None), &tail.cursor, Until::End, &mut |_| panic!()).unwrap();
    assert_eq!(again.given, 0);
}
